"""Events in which teams are absent: the thesis's Swiss among those who are present.

Ricca's generator makes forfeits, half-point byes, announced absences and retirements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import match_points
from tb2learn.chess.round_kinds import RoundKind
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key, Keys
from tb2learn.simulation.event import Event
from tb2learn.simulation.games import Laws
from tb2learn.simulation.oracle import true_strength
from tb2learn.simulation.purposes import EventRange
from tb2learn.simulation.rng import half_words, stream
from tb2learn.simulation.schedule import EventInputs, Pairs, PlayedRounds, play_schedule
from tb2learn.simulation.simulate import progress_bar
from tb2learn.simulation.thesis_swiss import pair_batch
from tb2learn.types import BYE, InputError, PerRound, PerTeam, pytree, within

Batched: TypeAlias = Int[Array, "rounds teams batch"]


@pytree
class Presence:
    """Who is present in every round of an event, or of a batch of events with the batch last.

    A half-point bye pays half of the game points, other announced absences pay nothing. Whoever
    does not appear loses by default; the opponent wins all games, unless it does not appear either.
    """

    planned: PerRound  # [rounds, teams] PLAYED for those to be paired, else what the absence is
    no_show: Bool[Array, "rounds teams"]  # does not appear at its match
    bye: Int[Array, ""]  # half points of the pairing-allocated bye


CHANCES = ("no_show", "half_bye", "zero_bye", "retire")

LATE = 2
"""Number of last rounds without half-point byes."""


@dataclass(frozen=True)
class Absences:
    """Rates of absences, which are independent of each other.

    Ricca prints none; these are our own.

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
    planned = jnp.where(asks, RoundKind.HALF_BYE, RoundKind.PLAYED)
    planned = jnp.where(happens[2] < zero_bye, RoundKind.ZERO_BYE, planned)
    planned = jnp.where(
        left, RoundKind.NOT_PAIRED, planned
    )  # last, so that it overrides the others
    # 2 match points are those of a win: all games.
    return Presence(planned, happens[0] < no_show, bye_points * event.boards)


def round_with_absences(
    planned: PerTeam,
    no_show: Bool[Array, " teams"],
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

    **Returns:** the `RoundKind` of every team, its half points, and whom it has met: `BYE` where it
    may get no bye any more, the team itself where it met nobody otherwise.
    """
    team = jnp.arange(len(opponents), dtype=opponents.dtype)
    paired = opponents != BYE
    # A team without a match asks itself.
    comes, other_comes = ~no_show, ~no_show[jnp.where(paired, opponents, team)]
    kinds = jnp.select(
        [planned != RoundKind.PLAYED, ~paired, comes & other_comes, comes],
        [planned, RoundKind.PAIRING_BYE, RoundKind.PLAYED, RoundKind.WON_BY_DEFAULT],
        RoundKind.LOST_BY_DEFAULT,
    )
    played, won, rests = (
        kinds == kind
        for kind in (RoundKind.PLAYED, RoundKind.WON_BY_DEFAULT, RoundKind.PAIRING_BYE)
    )
    scored = jnp.select(
        [played, won, rests, kinds == RoundKind.HALF_BYE], [half_points, 2 * boards, bye, boards], 0
    )
    # Who won by default or rested gets no bye; those whose match fell out may be paired again.
    met = jnp.where(played, opponents, jnp.where(won | rests, BYE, team))
    return kinds.astype(jnp.int32), scored.astype(jnp.int32), met


def attended(
    presence: Presence, opponents: Batched, half_points: Batched, boards: int
) -> tuple[Batched, Batched, Batched]:
    """`round_with_absences` of all rounds of a batch of events, the batch last."""
    of_round = partial(round_with_absences, boards=boards)
    of_batch = jax.vmap(of_round, in_axes=-1, out_axes=-1)
    of_rounds = jax.vmap(of_batch, in_axes=(0, 0, None, 0, 0))
    here = presence.planned, presence.no_show, presence.bye
    return of_rounds(*here, opponents, half_points)


class AbsentSwiss:
    """The schedule of `MedianSwiss` among those who are present.

    The simulator plays all matches that are paired; what becomes of those of earlier rounds is
    worked out before a round is paired.
    """

    colours = False

    def __init__(self, event: EventFormat, presence: Presence):
        self.matches, self.rest = event.teams // 2, event.boards
        self._boards, self._presence = event.boards, presence

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[()]:
        """No state."""
        return ()

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        played = so_far.opponents, so_far.half_points
        _, scored, met = attended(self._presence, *played, self._boards)
        past = jnp.arange(len(met))[:, None, None] < number
        points = jnp.where(past, match_points(scored, self._boards), 0).sum(axis=0)
        had_bye = (past & (met == BYE)).any(axis=0)
        present = self._presence.planned[number] == RoundKind.PLAYED
        half_points = jnp.where(past, scored, 0).sum(axis=0)
        return state, pair_batch(points, half_points, met, had_bye, number, present)


@partial(jax.jit, static_argnames="setting")
def play(
    keys: Keys, chances: Int[Array, " 5"], setting: Setting
) -> tuple[Keys, Event, Int[Array, "batch rounds teams"], Presence]:
    """Play a batch of events with absences.

    **Arguments:**

    - `keys`: of the events, consumed.
    - `chances`: `Absences.numbers`.
    - `setting`: its format, field and game model are used.

    **Returns:** by event, the batch first: a key to measure it with; the event with its strengths,
    whose `opponents` are those of the pairing, whether or not they played; the `RoundKind` of every
    round of every team, and who is present.
    """
    play_keys, measure_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
    measure_keys, absent_keys = jnp.moveaxis(jax.vmap(jax.random.split)(measure_keys), 1, 0)
    form, laws = setting.event, Laws.of(setting.game)
    absent = partial(draw_presence, numbers=chances, event=form)
    presence = jax.vmap(absent, out_axes=-1)(absent_keys)
    drawn, schedule = EventInputs.of(play_keys, setting), AbsentSwiss(form, presence)
    event = play_schedule(drawn, form, laws, schedule)
    kinds, scored, _ = attended(presence, event.opponents, event.half_points, form.boards)

    def finished(event: Event, scored: PerRound, strength: PerTeam) -> Event:
        points = match_points(scored, form.boards).sum(axis=0)
        return replace(event, half_points=scored, match_points=points, strength=strength)

    strength = true_strength(event.rosters, laws)
    events = jax.vmap(finished, in_axes=-1)(event, scored, strength)
    kinds, presence = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), (kinds, presence))
    return measure_keys, events, kinds, presence


BATCH = 64  # events side by side


def measured_events(
    config: Config,
    absences: Absences,
    events: EventRange,
    measure: Callable[[Key, Event, PerRound], Any],
) -> Iterator[Any]:
    """Play events and measure each: from its key, the event and its kinds to a pytree.

    **Returns:** what was measured, batch after batch, as numpy arrays with the events first. An
    event depends on its seed, purpose and number alone.
    """
    key = stream(events.seed, events.purpose)
    chances = jnp.asarray(absences.numbers())
    measure_all = jax.jit(jax.vmap(measure))
    with progress_bar(events.events, config.name, "event") as bar:
        for first in range(0, events.events, BATCH):
            size = min(BATCH, events.events - first)
            numbers = events.first + first + np.arange(BATCH, dtype=np.uint32)
            keys = jax.vmap(partial(jax.random.fold_in, key))(numbers)
            *played, _ = play(keys, chances, config.setting)
            yield jax.tree.map(lambda x, n=size: np.asarray(x)[:n], measure_all(*played))
            bar.update(size)
