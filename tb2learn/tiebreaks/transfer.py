"""What a rule costs in a format that it was not made for: packaged facts, as notes.

The facts are those of `tb2learn study transfer`: how many more ties a rule decides wrongly than a
table that was trained for just that format.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from tb2learn.data import read_rows
from tb2learn.tiebreaks.formats import FORMULA, is_closed_formula
from tb2learn.tiebreaks.rules import Rule

PRODUCT = "product"


@dataclass(frozen=True)
class Transfer:
    """How much the error of a rule grew in one format, over all tied pairs.

    **Fields:**

    - `rule`: its name.
    - `teams`, `rounds`, `boards`: the format that it was judged in.
    - `growth`, `low`, `high`: share of the tied pairs decided wrongly, less that of a table trained
      for this format, with its 95 % interval; all 0 where the rule is that table.
    """

    rule: str
    teams: int
    rounds: int
    boards: int
    growth: float
    low: float
    high: float

    @property
    def at_home(self) -> bool:
        """Whether the rule is the table that was made for this format."""
        return self.low == self.high == 0

    def distance(self, teams: int, rounds: int, boards: int) -> float:
        """How far a format is from the judged one: logs of the ratios; rounds, boards weigh 2."""
        return (
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
            *(int(row[key]) for key in ("teams", "rounds", "boards")),
            *(float(row[key]) for key in ("growth", "growth_low", "growth_high")),
        )
        for row in read_rows("transfer.csv")
        if row["top"] == "all" and row["growth"]
    )


def nearest_transfer(name: str, teams: int, rounds: int, boards: int) -> Transfer | None:
    """The judged format nearest to a format; None for a rule that was not judged.

    None for the product rule, too, which is made for no format: regulations set it. Individual
    events (one board) are near to none of several boards.

    **Arguments:** `name` of the rule; `teams`, `rounds`, `boards`: the format, all at least 1.
    """
    judged = [
        one
        for one in transfers()
        if one.rule == name != PRODUCT and (one.boards == 1) == (boards == 1)
    ]
    return min(judged, key=lambda one: one.distance(teams, rounds, boards), default=None)


def format_notes(rule: Rule, teams: int | None = None) -> tuple[str, ...]:
    """Lines to print with every use of a rule: what it stands for, and what its format costs.

    **Arguments:**

    - `rule`: for the format of an event.
    - `teams`: of the event; without it only that a table is rescaled can be said.

    **Returns:** no line for a rule that is used where it was made for; `Rule.note` for a rescaled
    table that the study of transfer did not judge.
    """
    chosen = (_choice(rule),) if rule.asked else ()
    nearest = None
    if teams and (rule.name != FORMULA or is_closed_formula(rule)):
        nearest = nearest_transfer(rule.name, teams, rule.event_rounds, rule.boards)
    if not teams or not nearest:
        return (*chosen, rule.note) if rule.note else chosen
    if nearest.at_home and nearest.rounds == rule.event_rounds:
        return chosen
    return (*chosen, _cost(rule, teams, nearest))


def _choice(rule: Rule) -> str:
    """Which rule a name stands for at this number of boards."""
    boards = f"{rule.boards} board{'s' if rule.boards > 1 else ''}"
    if rule.has_tables:
        return f"{rule.asked} is {rule.name} on {boards}"
    return f"{rule.asked} has no table for {boards}: the rule {rule.name} is used instead"


def _cost(rule: Rule, teams: int, nearest: Transfer) -> str:
    """How much the error grew in the judged format nearest to the event's."""
    judged = (nearest.teams, nearest.rounds, nearest.boards)
    exact = judged == (teams, rule.event_rounds, rule.boards)
    where = "" if exact else (
        f" at the nearest judged format, {nearest.teams} teams, {nearest.rounds} rounds, "
        f"{nearest.boards} boards,"
    )  # fmt: skip
    used = f"{rule.name} at {rule.event_rounds} rounds and {teams} teams:"
    if nearest.at_home:
        return f"{used} rescaled;{where} it is the table made for it (tb2learn study transfer)"
    # Adding 0 makes a rounded -0 a plain 0.
    found = [round(x, 3) + 0.0 for x in (nearest.growth, nearest.low, nearest.high)]
    grown = "{:.3f} [{:.3f}, {:.3f}]".format(*found)
    return (
        f"{used}{where} {grown} more ties decided wrongly than by a table made for it "
        "(tb2learn study transfer)"
    )
