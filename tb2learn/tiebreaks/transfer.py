"""What a rule costs in a format that it was not made for: packaged facts, and what follows.

The facts are those of `python -m studies.assessment --part transfer`: how many more ties a rule
decides wrongly than a table that was trained for just that format, and than the formula.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from tb2learn.data import read_rows
from tb2learn.stats import Difference
from tb2learn.tiebreaks.formula_constants import is_closed_formula
from tb2learn.tiebreaks.library import FORMULA, PRODUCT, TABLES
from tb2learn.tiebreaks.rules import Rule

_OLYMPIAD = (180, 11, 4)
"""The format that the product rule is made for: regulations of Olympiads set it."""

_NATIVE = "a table made for the format"

_FOR_OLYMPIADS = (PRODUCT, TABLES[4])
"""Rules that are made for it and are not the native table, which is fitted to uniform fields."""


@dataclass(frozen=True)
class Transfer:
    """How often a rule was wrong in one format, over all tied pairs.

    **Fields:**

    - `rule`: its name.
    - `teams`, `rounds`, `boards`: the format that it was judged in.
    - `growth`: share of the tied pairs decided wrongly, less that of a table trained for this
      format; all 0 where the rule is that table.
    - `over_formula`: the same, less that of the formula.
    - `choice`: as `over_formula`, on events that choose a rule and judge none; None of other rules
      than shipped tables.
    """

    rule: str
    teams: int
    rounds: int
    boards: int
    growth: Difference
    over_formula: Difference
    choice: Difference | None = None

    @property
    def is_native(self) -> bool:
        """Whether the rule is the table that was made for this format."""
        # A rule differs from itself by nothing, at both ends of the interval, too.
        return not any((self.growth.value, self.growth.low, self.growth.high))

    @property
    def is_home(self) -> bool:
        """Whether the rule is made for this format: the native table, or one of the Olympiad's."""
        shape = (self.teams, self.rounds, self.boards)
        return self.is_native or (self.rule in _FOR_OLYMPIADS and shape == _OLYMPIAD)

    def distance(self, teams: int, rounds: int, boards: int) -> float:
        """How far a format is from the judged one: logs of the ratios; rounds, boards weigh 2."""
        return (
            # Ratios, as twice the teams is as far as half of them.
            abs(math.log(teams / self.teams))
            + 2 * abs(math.log(rounds / self.rounds))
            + 2 * abs(math.log(boards / self.boards))
        )


@cache
def transfers() -> tuple[Transfer, ...]:
    """The packaged facts on all ties, from `data/transfer.csv`."""
    return tuple(
        Transfer(
            row["rule"],
            int(row["teams"]),
            int(row["rounds"]),
            int(row["boards"]),
            Difference.of_row(row, "growth", row["rule"], _NATIVE),
            Difference.of_row(row, "over_formula", row["rule"], FORMULA),
            Difference.of_row(row, "choice", row["rule"], FORMULA) if row["choice"] else None,
        )
        for row in read_rows("transfer.csv")
        if row["top"] == "all" and row["growth"]
    )


def nearest_transfer(name: str, teams: int | None, rounds: int, boards: int) -> Transfer | None:
    """The judged format nearest to a format; individual ones (one board) are near to no others.

    **Arguments:** `name` of the rule; `teams`, `rounds`, `boards`: the format, all at least 1.
    Without a number of teams it is that of the format that the rule is made for.

    **Returns:** None for a rule that was not judged, or one that is made for no format if the
    number of teams is not given.
    """
    judged = [
        transfer
        for transfer in transfers()
        if transfer.rule == name and (transfer.boards == 1) == (boards == 1)
    ]
    # Nobody says how many teams: as many as where the rule is at home.
    field = teams or next((transfer.teams for transfer in judged if transfer.is_home), None)
    if field is None:
        return None
    return min(judged, key=lambda transfer: transfer.distance(field, rounds, boards), default=None)


def cost_of_format(rule: Rule, teams: int | None = None) -> Transfer | None:
    """The judged format that says what a rule costs in the format it is used in.

    **Arguments:** `rule` for the format of an event; `teams` of the event, None if not known: then
    only a rescaled table has one.

    **Returns:** the nearest judged format; None for a rule that is used where it was made for, and
    for one that the study of transfer did not judge.
    """
    # A checkpoint of this name, which nobody judged.
    if rule.own_name == FORMULA and not is_closed_formula(rule):
        return None
    if teams is None and not rule.rescaled:
        return None
    nearest = nearest_transfer(rule.own_name, teams, rule.event_rounds, rule.boards)
    if nearest is None:
        return None
    # At home a rule costs nothing, unless it was rescaled to get there.
    same = (nearest.rounds, nearest.boards) == (rule.event_rounds, rule.boards)
    return None if nearest.is_home and same else nearest


def better_formula(rounds: int, boards: int, teams: int | None = None) -> Transfer | None:
    """The judged format in which the formula is better than the shipped table for an event.

    **Arguments:** as `nearest_transfer`.

    **Returns:** the judged format of the table that is nearest to the event's, if the whole
    interval by which the table is wrong more often than the formula there is above 0, over all
    ties of the events that choose; else None.
    """
    if boards not in TABLES:
        return None
    nearest = nearest_transfer(TABLES[boards], teams, rounds, boards)
    # The low end of the interval: the table is worse for certain.
    return nearest if nearest and nearest.choice and nearest.choice.side > 0 else None


def learned_rule(rounds: int, boards: int, teams: int | None = None) -> str:
    """The rule that `learned` stands for: the table for so many boards, else the formula.

    The formula, too, where it was judged to be better than the table, see `better_formula`.
    """
    return FORMULA if better_formula(rounds, boards, teams) else TABLES.get(boards, FORMULA)
