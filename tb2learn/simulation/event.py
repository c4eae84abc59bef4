"""A played event, and who is present in its rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import Results
from tb2learn.chess.round_kinds import Kind
from tb2learn.jax_types import Key, Rosters, TeamMask
from tb2learn.simulation.rng import half_words
from tb2learn.types import BYE, InputError, PerRound, PerTeam, pytree, within


@pytree
class Event:
    """A played event; teams are numbered in seed order.

    `strength` is the oracle's, `oracle.true_strength`, where the whole batch has it.
    `ratings` are the published ratings, by which the teams are seeded unless seeds are random.
    `kinds` are numbers of `chess.round_kinds.Kind`, of an event with absences. Then `opponents` are
    those that were drawn, whether or not the match was played.
    """

    rosters: Rosters  # [teams, boards] whole ratings, board order
    opponents: PerRound  # [rounds, teams] BYE where nobody was drawn
    half_points: PerRound  # [rounds, teams]
    match_points: PerTeam  # [teams] final
    whites: Bool[Array, "rounds teams"] | None = None  # had White; None where nobody keeps colours
    strength: PerTeam | None = None  # [teams] units of 1/purposes.UNIT match points
    ratings: PerTeam | None = None  # [teams] whole points; None where nothing is published
    kinds: PerRound | None = None  # [rounds, teams] None where everybody is always present

    @property
    def results(self) -> Results:
        """What a tie-break may see of it."""
        met = self.opponents
        if self.kinds is not None:
            met = jnp.where(self.kinds == Kind.PLAYED, met, BYE)
        return Results(
            met,
            self.half_points,
            self.match_points,
            self.rosters.shape[-1],
            whites=self.whites,
            ratings=self.ratings,
        )


@pytree
class Presence:
    """Who is present in every round of an event, or of a batch of events with the batch last.

    A half-point bye pays half of the game points, other announced absences pay nothing. Whoever
    does not appear loses by default; the opponent wins all games, unless it does not appear either.
    """

    planned: PerRound  # [rounds, teams] PLAYED for those to be paired, else the Kind of the absence
    no_show: Bool[Array, "rounds teams"]  # does not appear at its match
    bye: Int[Array, ""]  # half points of the pairing-allocated bye


CHANCES = ("no_show", "half_bye", "zero_bye", "retire")

LATE = 2
"""Number of last rounds without half-point byes."""


@dataclass(frozen=True)
class Absences:
    """Rates of absences, which are independent of each other.

    Ricca's generator makes forfeits, half-point byes, announced absences and retirements, but he
    prints no rates; these are our own.

    **Fields:**

    - `no_show`: chance that a paired player does not appear. If both do not, both lose.
    - `half_bye`: chance that a player requests a half-point bye for a round, except for the `LATE`
      last ones.
    - `zero_bye`: chance of an announced absence from a round, which pays nothing.
    - `retire`: chance that a player retires, after any round but the last with equal chances. The
      later rounds pay nothing.
    - `bye_points`: match points of the pairing-allocated bye: 2 for a win (with all game points), 1
      for a draw.

    **Raises:** `InputError` for a chance outside of 0..1, or other points of the bye.
    """

    no_show: float = 0.02
    half_bye: float = 0.02
    zero_bye: float = 0.01
    retire: float = 0.05
    bye_points: int = 2

    def __post_init__(self) -> None:
        for name in CHANCES:
            within(name, getattr(self, name), 0, 1)
        if self.bye_points not in (1, 2):
            raise InputError(f"bye_points must be 1 or 2, got {self.bye_points}")

    def numbers(self) -> Int[np.ndarray, " 5"]:
        """The `CHANCES` as bounds of a `half_words` number, 0 .. 65536; then `bye_points`."""
        # 65536 for a chance of 1, which every number is below.
        limits = [round(getattr(self, name) * (1 << 16)) for name in CHANCES]
        return np.array([*limits, self.bye_points], np.int32)

    def times(self, factor: float) -> Absences:
        """The same with all chances multiplied by a factor."""
        return replace(self, **{name: factor * getattr(self, name) for name in CHANCES})


def draw_presence(key: Key, numbers: Int[Array, " 5"], event: EventFormat) -> Presence:
    """Who is present in an event, drawn before its first round.

    **Arguments:**

    - `key`: consumed.
    - `numbers`: `Absences.numbers`.
    - `event`: the format.
    """
    rounds, teams = event.rounds, event.teams
    no_show, half_bye, zero_bye, retire, bye_points = numbers
    # Three numbers a round, and two for the retirement.
    words = half_words(key, (3 * rounds + 2) * teams).reshape(-1, teams)
    happens, word = words[: 3 * rounds].reshape(3, rounds, teams), words[3 * rounds :]
    number = jnp.arange(rounds)[:, None]
    asks = (happens[1] < half_bye) & (number < rounds - LATE)
    leaves_before = 1 + (word[1] * (rounds - 1) >> 16)  # after round 1 .. rounds - 1, all as likely
    left = (word[0] < retire) & (number >= leaves_before)
    planned = jnp.where(asks, Kind.HALF_BYE, Kind.PLAYED)
    planned = jnp.where(happens[2] < zero_bye, Kind.ZERO_BYE, planned)
    planned = jnp.where(left, Kind.NOT_PAIRED, planned)  # last, so that it overrides the others
    # 2 match points are those of a win: all games.
    return Presence(planned, happens[0] < no_show, bye_points * event.boards)


def round_with_absences(
    planned: PerTeam,
    no_show: TeamMask,
    bye: Int[Array, ""],
    opponents: PerTeam,
    half_points: PerTeam,
    boards: int,
) -> tuple[PerTeam, PerTeam, PerTeam]:
    """What becomes of the matches of a round of one event.

    **Arguments:**

    - `planned`, `no_show`, `bye`: `Presence` in this round.
    - `opponents`: drawn; `BYE` without one.
    - `half_points`: of the matches if all of them were played.
    - `boards`: of a match.

    **Returns:** the `Kind` of every team, its half points, and whom it has met: `BYE` where it may
    get no bye any more, the team itself where it met nobody otherwise.
    """
    team = jnp.arange(len(opponents), dtype=opponents.dtype)
    paired = opponents != BYE
    # A team without a match asks itself.
    comes, other_comes = ~no_show, ~no_show[jnp.where(paired, opponents, team)]
    kinds = jnp.select(
        [planned != Kind.PLAYED, ~paired, comes & other_comes, comes],
        [planned, Kind.PAIRING_BYE, Kind.PLAYED, Kind.WON_BY_DEFAULT],
        Kind.LOST_BY_DEFAULT,
    )
    played, won, rests = (
        kinds == kind for kind in (Kind.PLAYED, Kind.WON_BY_DEFAULT, Kind.PAIRING_BYE)
    )
    scored = jnp.select(
        [played, won, rests, kinds == Kind.HALF_BYE], [half_points, 2 * boards, bye, boards], 0
    )
    # Who won by default or rested gets no bye; those whose match fell out may be paired again.
    met = jnp.where(played, opponents, jnp.where(won | rests, BYE, team))
    return kinds.astype(jnp.int32), scored.astype(jnp.int32), met
