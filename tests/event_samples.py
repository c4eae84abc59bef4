"""Rules for Baku, hostile names, and an event from rows."""

from helpers import random_surfaces

from tb2learn.events import Criterion, explain, rank, read_event
from tb2learn.export.working import team_sheet
from tb2learn.tiebreaks.rules import Rule, formula_rule, product_table
from tb2learn.training.tabulate import pass_table
from tb2learn.types import InputError

PRODUCT = product_table(11, 4)


def make_event(tmp_path, rows):
    header = "round,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + rows, encoding="utf-8")
    return read_event(tmp_path)


def find_nothing(name):
    """Looks up rules by name where an order names none.

    As in the program, a name that is no rule is an error of the input.
    """
    raise InputError(name)


HOSTILE = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM", "\u202eevil", "\x1b[2J", "<script>"]
LEARNED = pass_table(random_surfaces(3, rounds=11, boards=4), "learned")
FORMULA = formula_rule("formula", 11, 4, 5.7 / 22, 0.3 * 4 / 22)


def explained(event, teams, by, **how):
    """The workings of some teams, which need no order of the whole event."""
    criteria = [rule if isinstance(rule, Criterion) else Criterion(rule.name, rule) for rule in by]
    return explain(rank(event, criteria, **how), teams, by)


def sheet_of(event, team, by, **how):
    """The working sheet of a team that is named."""
    (working,) = explained(event, [team], by, **how)
    order = by[0] if isinstance(by[0], Rule) else by
    return team_sheet(rank(event, order, **how), working.number, by)
