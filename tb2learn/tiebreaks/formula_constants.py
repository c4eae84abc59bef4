"""The formula for every format, with constants by boards and rounds.

The constants are facts that `python -m studies.formula` fits; it says how well they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from tb2learn.data import read_rows
from tb2learn.tiebreaks.library import FORMULA
from tb2learn.tiebreaks.rules import Rule, formula_rule, two_digits
from tb2learn.types import check_size

MIDDLE = (6, 9)
"""The boards and rounds at which the closed form's `at_middle` stands."""


@dataclass(frozen=True)
class PowerLaw:
    """A constant of the formula as a power law of boards and rounds.

    **Fields:**

    - `at_middle`: its value at `MIDDLE`, a share of the most match points.
    - `boards`, `rounds`: the exponents.
    """

    at_middle: float
    boards: float
    rounds: float

    def at(self, rounds: int, boards: int) -> float:
        """The constant at a format, as a share of the most match points."""
        middle_boards, middle_rounds = MIDDLE
        grown = (boards / middle_boards) ** self.boards * (rounds / middle_rounds) ** self.rounds
        return self.at_middle * grown


_OF_TEAMS, _OF_PLAYERS = "formula.csv", "formula_players.csv"
"""The tables of the power laws: of matches on several boards, and of individual events."""


@cache
def closed_form(players: bool = False) -> Mapping[str, PowerLaw]:
    """The shipped power laws of `scale` and `refinement`.

    **Arguments:** `players`: those of individual events (one board), which have their own fits.
    """
    return {
        row["constant"]: PowerLaw(*(float(row[key]) for key in ("at_middle", "boards", "rounds")))
        for row in read_rows(_OF_PLAYERS if players else _OF_TEAMS)
    }


@cache
def _provenance(players: bool) -> Mapping[str, Any]:
    """Where the shipped power laws come from, with the keys of a checkpoint's summary."""
    row = read_rows(_OF_PLAYERS if players else _OF_TEAMS)[0]
    about = "constants by boards and rounds, a closed form (python -m studies.formula)"
    if players:
        about = "constants by rounds for one board, a closed form (python -m studies.formula)"
    return {
        "name": FORMULA,
        "version": row["version"],
        "config": {"name": FORMULA, "description": about},
        "events": int(row["events"]),
        "seed": int(row["seed"]),
        "laws": {name: asdict(law) for name, law in closed_form(players).items()},
    }


def closed_formula(
    rounds: int, boards: int, laws: Mapping[str, PowerLaw] | None = None, passes: int = 3
) -> Rule:
    """The formula for a format, its constants rounded to two digits as they are printed.

    **Arguments:**

    - `rounds`, `boards`: the format, 1..40 and 1..12.
    - `laws`: power laws of `scale` and `refinement`; the shipped ones if not given.
    - `passes`: as in `formula_rule`.

    **Raises:** `InputError` for another format.
    """
    # A match on one board is a game, and its teams are players.
    players = boards == 1
    laws_of_players = closed_form(players) if laws is None else laws
    # Refuses a format that no event has before anything is computed from it.
    check_size(rounds, boards)
    max_match_points = 2 * rounds
    # Rounded as printed: in match points of this format, not in shares.
    a = two_digits(laws_of_players["scale"].at(rounds, boards) * max_match_points)
    k = two_digits(laws_of_players["refinement"].at(rounds, boards) * max_match_points / boards)
    provenance = _provenance(players) if laws is None else {}
    return formula_rule(
        FORMULA,
        rounds,
        boards,
        a / max_match_points,
        k * boards / max_match_points,
        passes,
        provenance=provenance,
    )


def is_closed_formula(rule: Rule) -> bool:
    """Whether it is the formula for every format, and no checkpoint that only has its name."""
    return rule.own_name == FORMULA and rule.trained_rounds is None
