"""The format of an event: how many teams, rounds and boards, and how rounds are paired."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from tb2learn.types import MAX_BOARDS, MAX_SIMULATED_ROUNDS, MAX_TEAMS, InputError, within

PairingRule = Literal["thesis", "median-swiss", "dutch", "olympiad-2022", "olympiad-2010"]
FormatName = Literal["swiss", "round-robin", "multi-tier", "swiss-final"]
FORMATS: tuple[FormatName, ...] = get_args(FormatName)

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
class Tier:
    """One tier of a multi-tier event: round robins whose best go on to the next tier.

    **Arguments:**

    - `teams`: how many start in it; those promoted from the tier below join them.
    - `groups`: round robins of equal size and mean rating that all these are split into.
    - `promoted`: how many of each group go on; of the last tier nobody does.
    """

    teams: int = 0
    groups: int = 1
    promoted: int = 1

    def __post_init__(self) -> None:
        within("event.tiers.teams", self.teams, 0, MAX_TEAMS)
        within("event.tiers.groups", self.groups, 1, MAX_TEAMS)
        within("event.tiers.promoted", self.promoted, 1, MAX_TEAMS)


@dataclass(frozen=True)
class EventFormat:
    """The format of an event.

    **Arguments:**

    - `teams`: 2 to 1000, odd numbers too (one team a round has the bye).
    - `rounds`: in a Swiss 1 to 15, and fewer than `teams`; else what the other fields say. In a
      `swiss-final` those of the Swiss and of the final.
    - `boards`: games a match, 1 to 12.
    - `pairing`: of a Swiss: `thesis` (also `median-swiss`, the name in checkpoints), the thesis's
      simplification: score groups worked from both ends towards the middle, without colours;
      `olympiad-2022` and `olympiad-2010`, FIDE's rules for Olympiads (D.02); `dutch`, score groups
      from the top, with colours, as in individual events. A configuration from a file or keywords
      that does not say has `todays_pairing`.
    - `format`: `swiss`; `round-robin`, by Berger's tables; `multi-tier`, round robins by rating
      whose best go on to the next ones; `swiss-final`, a Swiss whose best play a round robin.
    - `repeats`: not in a Swiss: how often everybody of a round robin meets everybody, 1 to 8.
    - `tiers`: of a multi-tier event, the lowest rated first.
    - `finalists`: of a `swiss-final`, how many play the final.
    """

    teams: int = 180
    rounds: int = 11
    boards: int = 4
    pairing: PairingRule = "median-swiss"
    format: FormatName = dataclasses.field(default="swiss", metadata=UNWRITTEN)
    repeats: int = dataclasses.field(default=1, metadata=UNWRITTEN)
    tiers: tuple[Tier, ...] = dataclasses.field(default=(), metadata=UNWRITTEN)
    finalists: int = dataclasses.field(default=0, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        if self.pairing == "thesis":
            # Checkpoints of version 1 hold this name, and are to keep their bytes.
            object.__setattr__(self, "pairing", "median-swiss")
        within("event.teams", self.teams, 2, MAX_TEAMS)
        within("event.boards", self.boards, 1, MAX_BOARDS)
        within("event.repeats", self.repeats, 1, 1 if self.format == "swiss" else MAX_REPEATS)
        if self.tiers and self.format != "multi-tier":
            raise InputError(f"event.tiers are for format 'multi-tier', got {self.format!r}")
        if self.finalists and self.format != "swiss-final":
            raise InputError(f"event.finalists are for format 'swiss-final', got {self.format!r}")
        _CHECKS[self.format](self)

    @property
    def max_match_points(self) -> int:
        """Match points of a team that wins every match."""
        return 2 * self.rounds

    @property
    def max_half_points(self) -> int:
        """Half points of a team that wins every game of one match."""
        return 2 * self.boards

    @property
    def tier_sizes(self) -> tuple[int, ...]:
        """Teams of every tier, those promoted to it counted."""
        sizes, promoted = [], 0  # lowest first, so that what a tier below promotes is known
        for tier in self.tiers:
            sizes.append(tier.teams + promoted)
            promoted = tier.groups * tier.promoted
        return tuple(sizes)

    @property
    def tier_rounds(self) -> tuple[int, ...]:
        """Rounds of every tier."""
        sizes = zip(self.tiers, self.tier_sizes, strict=True)
        return tuple(self.repeats * cycle_rounds(size // tier.groups) for tier, size in sizes)

    @property
    def final_rounds(self) -> int:
        """Rounds of the last stage: of the final, of the last tier, else of the whole event."""
        if self.format == "swiss-final":
            return self.repeats * cycle_rounds(self.finalists)
        return self.tier_rounds[-1] if self.tiers else self.rounds

    def check_one_table(self, what: str) -> None:
        """Check that all teams are ranked in one table by match points, after few enough rounds.

        **Raises:** `InputError` naming `what` if they are not.
        """
        if self.format in ("multi-tier", "swiss-final"):
            raise InputError(
                f"{what} needs one table of all teams by match points: event.format must be swiss "
                f"or round-robin, got {self.format!r}"
            )
        most = MAX_SIMULATED_ROUNDS
        if self.rounds > most:
            raise InputError(
                f"{what} is for events of at most {most} rounds: event.rounds must be "
                f"1..{most}, got {self.rounds} in this {self.format} of {self.teams} teams"
            )


def _check_swiss(event: EventFormat) -> None:
    within("event.rounds", event.rounds, 1, MAX_SIMULATED_ROUNDS)
    # Nobody meets twice.
    within("event.rounds", event.rounds, 1, event.teams - 1, f"1..teams-1 = 1..{event.teams - 1}")


def _check_round_robin(event: EventFormat) -> None:
    _check_rounds(event, event.repeats * cycle_rounds(event.teams))


def _check_multi_tier(event: EventFormat) -> None:
    if not event.tiers:
        raise InputError("event.tiers must list the tiers of a multi-tier event, lowest first")
    starting = sum(tier.teams for tier in event.tiers)
    if starting != event.teams:
        raise InputError(f"event.tiers.teams must add up to event.teams, got {starting}")
    within("groups of the last of event.tiers", event.tiers[-1].groups, 1, 1)  # there is one winner
    for number, (tier, size) in enumerate(zip(event.tiers, event.tier_sizes, strict=True)):
        name = f"event.tiers[{number}]"
        if size % tier.groups or size // tier.groups < 2:
            raise InputError(
                f"{name}.groups must divide its {size} teams into two or more each, "
                f"got {tier.groups}"
            )
        # A group of whom all went on would decide nothing.
        within(f"{name}.promoted", tier.promoted, 1, size // tier.groups - 1)
    _check_rounds(event, sum(event.tier_rounds))


def _check_swiss_final(event: EventFormat) -> None:
    # A schedule has one score for whoever rests, that of the final: nobody may rest before it.
    if event.teams % 2:
        raise InputError(f"event.teams must be even in a swiss-final, got {event.teams}")
    within("event.finalists", event.finalists, 2, event.teams)
    swiss, most = event.rounds - event.final_rounds, min(MAX_SIMULATED_ROUNDS, event.teams - 1)
    what = f"1..{most} more than the {event.final_rounds} of the final"
    within("event.rounds", swiss, 1, most, what)


def _check_rounds(event: EventFormat, rounds: int) -> None:
    name = f"{rounds} in this {event.format} of {event.teams} teams"
    within("event.rounds", event.rounds, rounds, rounds, name)


_CHECKS: Mapping[FormatName, Callable[[EventFormat], None]] = {
    "swiss": _check_swiss,
    "round-robin": _check_round_robin,
    "multi-tier": _check_multi_tier,
    "swiss-final": _check_swiss_final,
}
