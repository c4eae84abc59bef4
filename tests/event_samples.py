"""Rules for Baku, hostile names, and an event from rows."""

from helpers import random_surfaces

from tb2learn.events import read_event
from tb2learn.tiebreaks.rules import formula_rule, product_table
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
