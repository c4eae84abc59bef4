"""The format of an event: how many teams, rounds and boards, and how rounds are paired."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from tb2learn.types import MAX_BOARDS, MAX_SIMULATED_ROUNDS, MAX_TEAMS, InputError, within

PairingRule = Literal["thesis", "median-swiss", "dutch", "olympiad-2022", "olympiad-2010"]
FormatName = Literal["swiss", "round-robin"]

MAX_REPEATS = 8


def todays_pairing(boards: int) -> PairingRule:
    """The pairing of a Swiss of today: of players, on one board, FIDE's Dutch system."""
    return "dutch" if boards == 1 else "olympiad-2022"


UNWRITTEN = {"unwritten": True}
"""Metadata of a key that is written only where it differs from its default.

Files written before there was such a key so stay the same, byte for byte.
"""


def cycle_rounds(players: int) -> int:
    """Rounds of a round robin in which everybody meets everybody once."""
    return players - 1 + players % 2


@dataclass(frozen=True)
class EventFormat:
    """The format of an event.

    **Arguments:**

    - `teams`: 2 to 1000, odd numbers too (one team a round has the bye).
    - `rounds`: in a Swiss 1 to 15, and fewer than `teams`; in a round robin what `teams` and
      `repeats` say.
    - `boards`: games a match, 1 to 12.
    - `pairing`: of a Swiss: `thesis` (also `median-swiss`, the name in checkpoints), the thesis's
      simplification: score groups worked from both ends towards the middle, without colours;
      `olympiad-2022` and `olympiad-2010`, FIDE's rules for Olympiads (D.02); `dutch`, score groups
      from the top, with colours, as in individual events. A configuration from a file or keywords
      that does not say has `todays_pairing`.
    - `format`: `swiss`; `round-robin`, by Berger's tables.
    - `repeats`: not in a Swiss: how often everybody of a round robin meets everybody, 1 to 8.

    A subclass is another format: it has a `schedule` and says how many rounds it has (see
    `studies/stages.py`).
    """

    teams: int = 180
    rounds: int = 11
    boards: int = 4
    pairing: PairingRule = "median-swiss"
    format: FormatName = dataclasses.field(default="swiss", metadata=UNWRITTEN)
    repeats: int = dataclasses.field(default=1, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        if self.pairing == "thesis":
            # Checkpoints of version 1 hold this name, and are to keep their bytes.
            object.__setattr__(self, "pairing", "median-swiss")
        within("event.teams", self.teams, 2, MAX_TEAMS)
        within("event.boards", self.boards, 1, MAX_BOARDS)
        within("event.repeats", self.repeats, 1, 1 if self.format == "swiss" else MAX_REPEATS)
        self.check_rounds()

    def check_rounds(self) -> None:
        """Check that the event has as many rounds as its format allows.

        **Raises:** `InputError` if it has not.
        """
        if self.format == "round-robin":
            exact_rounds(self, self.repeats * cycle_rounds(self.teams))
            return
        within("event.rounds", self.rounds, 1, MAX_SIMULATED_ROUNDS)
        # Nobody meets twice.
        most_rounds = self.teams - 1
        within("event.rounds", self.rounds, 1, most_rounds, f"1..teams-1 = 1..{most_rounds}")

    @property
    def schedule(self) -> str:
        """The name of what pairs its rounds: of a Swiss its pairing, else its format."""
        return self.pairing if self.format == "swiss" else self.format

    @property
    def max_match_points(self) -> int:
        """Match points of a team that wins every match."""
        return 2 * self.rounds

    @property
    def max_half_points(self) -> int:
        """Half points of a team that wins every game of one match."""
        return 2 * self.boards

    def check_one_table(self, what: str) -> None:
        """Check that all teams are ranked in one table by match points, after few enough rounds.

        **Raises:** `InputError` naming `what` if they are not.
        """
        most_rounds = MAX_SIMULATED_ROUNDS
        if self.rounds > most_rounds:
            raise InputError(
                f"{what} is for events of at most {most_rounds} rounds: event.rounds must be "
                f"1..{most_rounds}, got {self.rounds} in this {self.format} of {self.teams} teams"
            )


def exact_rounds(event: EventFormat, rounds: int) -> None:
    """Check that an event has just so many rounds.

    **Raises:** `InputError` if it has not.
    """
    name = f"{rounds} in this {event.schedule} of {event.teams} teams"
    within("event.rounds", event.rounds, rounds, rounds, name)
