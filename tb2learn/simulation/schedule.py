"""Events of any format, from a schedule: what has been played so far gives the next round's games.

A `Schedule` pairs; this module plays many events side by side, the batch last. A new format is a
file with a schedule, and its name in `formats.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol, TypeAlias, runtime_checkable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import match_points
from tb2learn.config import Setting
from tb2learn.jax_types import Keys
from tb2learn.simulation import games, places
from tb2learn.simulation.event import Event
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.start import ContinuationStart
from tb2learn.types import BYE, AnyArray, pytree

Pairs: TypeAlias = Int[Array, "2 matches lanes"]
"""The two teams of every match, the first with White (in team events on board 1).

Lanes are the events of the batch, or a single one if all events have the same pairs. All rounds
have as many matches: numbers from `teams` on, each no more than once, stand for nobody.
"""


@pytree
class PlayedRounds:
    """What has been played of every event of a batch; later rounds are empty.

    An opponent is `BYE` where a team rested, and so gets no bye any more; after a start it is the
    team's own number where it met nobody otherwise.
    """

    opponents: Int[Array, "rounds teams batch"]
    half_points: Int[Array, "rounds teams batch"]
    whites: Bool[Array, "rounds teams batch"]
    match_points: Int[Array, "teams batch"]  # of all rounds so far
    game_points: Int[Array, "teams batch"]  # the same: half points of all rounds so far


@runtime_checkable
class Schedule(Protocol):
    """Who meets whom, round by round: a pure function of what has been played so far."""

    matches: int
    """Matches of a round, those without teams counted."""

    rest: int
    """Half points of a team without a match."""

    colours: bool
    """Whether the first team of a pair has White; False where nobody keeps colours."""

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Any:
        """The state before the first round, a pytree of arrays with the batch last.

        **Arguments:**

        - `keys`: consumed, for lots.
        - `ratings`: published ratings, teams in seed order; None if nothing is known of them.
        """

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The games of round `number`, from 0, and the state before the round after it."""
        ...


@pytree
class EventInputs:
    """What is drawn of the events of a batch before their first round.

    **Fields:**

    - `keys`: those of the rounds.
    - `rosters`: whole ratings, teams in seed order.
    - `ratings`: published, by which teams are seeded where seeds are not random; None where nothing
      is published.
    """

    keys: Keys
    rosters: Int[Array, "batch teams boards"]
    ratings: Int[Array, "batch teams"] | None = None

    @classmethod
    def of(
        cls, keys: Keys, setting: Setting, start: ContinuationStart | None = None
    ) -> EventInputs:
        """Draw the events of a batch. Each key is split into one for the field and one for rounds.

        **Arguments:**

        - `keys`: `[batch]` keys, consumed.
        - `setting`: its format and field are used.
        - `start`: what all events go on from, if they have begun: it takes the place of a field.
        """
        field_keys, rounds_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        draw = partial(draw_seeded, setting=setting) if start is None else start.draw
        rosters, ratings = jax.vmap(draw)(field_keys)
        return cls(rounds_keys, rosters, ratings)


def play_schedule(
    drawn: EventInputs,
    event: EventFormat,
    laws: games.Laws,
    schedule: Schedule,
    start: ContinuationStart | None = None,
    results: Int[Array, "teams teams *batch"] | None = None,
) -> Event:
    """Play a batch of whole events, or what is left of one that has begun.

    The key of the rounds is split into one a round and one for the schedule's lots. Of the numbers
    of a round, one a team, that of the higher seed decides a match, by the law of its games.

    **Arguments:**

    - `drawn`: the fields.
    - `event`: the format.
    - `laws`: of games.
    - `schedule`: pairs the rounds.
    - `start`: where all of them go on from.
    - `results`: decides matches instead of numbers: half points of the first team against the
      second one, of all events or of each.

    **Returns:** the events, the batch as the last axis. After a start they have all rounds, those
    played before as the start has them.
    """
    rounds = event.rounds if start is None else len(start.opponents)
    past = 0 if start is None else jnp.asarray(start.past)
    rosters, ratings = jax.tree.map(
        lambda x: jnp.moveaxis(x, 0, -1), (drawn.rosters, drawn.ratings)
    )
    # One for the lots beyond those of the rounds.
    split = jax.vmap(partial(jax.random.split, num=rounds + 1), out_axes=1)(drawn.keys)
    lot_keys = jax.vmap(lambda key: jax.random.split(key)[1])(split[rounds])
    line_ups = _packed_ratings(rosters, 2 * schedule.matches)

    def play(number: Array, so_far: PlayedRounds, pairs: Pairs) -> PlayedRounds:
        if results is None:
            scored = _play_pairs(split[number], line_ups, pairs, event, laws)
        else:
            scored = _known_results(results, pairs, len(drawn.keys))
        return _after_round(number, so_far, pairs, scored, (event.boards, schedule, start))

    def one_round(number: Array, carry: tuple[Any, PlayedRounds]) -> tuple[Any, PlayedRounds]:
        state, so_far = carry
        state, pairs = schedule.pair(state, so_far, number)
        return state, play(number, so_far, pairs)

    so_far, given_rounds = _so_far(event, len(drawn.keys), start), 0
    if start is not None and len(start.pairs):
        paired, given_rounds = jnp.asarray(start.pairs), len(start.pairs)
        so_far = jax.lax.fori_loop(  # rounds that were paired before need no schedule
            past,
            past + given_rounds,
            lambda number, so_far: play(number, so_far, paired[number - past][..., None]),
            so_far,
        )
    begun = schedule.start(lot_keys, ratings), so_far
    if start is None or start.to_pair:
        _, so_far = jax.lax.fori_loop(past + given_rounds, rounds, one_round, begun)
    # The shapes that `Event` declares are those of one event, so the batch is added by vmap.
    whites = so_far.whites if schedule.colours else None
    return jax.vmap(Event, in_axes=-1, out_axes=-1)(
        rosters,
        so_far.opponents,
        so_far.half_points,
        so_far.match_points,
        whites,
        None,  # strengths are computed from the rosters by who asks for them
        ratings,
    )


def _after_round(
    number: Array,
    so_far: PlayedRounds,
    pairs: Pairs,
    scored: Int[Array, "matches batch"],
    played: tuple[int, Schedule, ContinuationStart | None],
) -> PlayedRounds:
    """What has been played after a round.

    **Arguments:** the round, what was played before it, its pairs and the half points of the first
    of each; boards of a match, the schedule and the start.
    """
    boards, schedule, start = played
    teams, batch = so_far.match_points.shape
    sides = jnp.concatenate([scored, 2 * boards - scored])

    def by_team(values: Array, otherwise: Any) -> Array:
        # Nobodies write behind the teams, and are cut off.
        empty = jnp.full((teams + 2 * schedule.matches, batch), otherwise, values.dtype)
        return _put(empty, pairs.reshape(-1, pairs.shape[-1]), values)[:teams]

    opponents = by_team(jnp.concatenate([pairs[1], pairs[0]]).astype(jnp.int32), BYE)
    half_points = by_team(sides, schedule.rest if start is None else start.bye[1])
    gained = match_points(half_points, boards)  # 0, 1, 2: also the index into `scoring`
    if start is not None:
        points = jnp.asarray(start.scoring)[gained]
        gained = jnp.where(opponents == BYE, start.bye[0], points)
    white = jnp.repeat(jnp.array([True, False]), schedule.matches)[:, None]
    return PlayedRounds(
        so_far.opponents.at[number].set(opponents),
        so_far.half_points.at[number].set(half_points),
        so_far.whites.at[number].set(by_team(white, False)),
        so_far.match_points + gained,
        so_far.game_points + half_points,
    )


def _so_far(event: EventFormat, batch: int, start: ContinuationStart | None) -> PlayedRounds:
    """What has been played before the first round that is simulated."""
    teams = event.teams
    if start is None:
        shape = (event.rounds, teams, batch)
        return PlayedRounds(
            jnp.full(shape, BYE, jnp.int32),
            jnp.zeros(shape, jnp.int32),
            jnp.zeros(shape, bool),
            jnp.zeros((teams, batch), jnp.int32),
            jnp.zeros((teams, batch), jnp.int32),
        )

    def of_each(recorded: AnyArray) -> Array:
        values = jnp.asarray(recorded)[..., None]
        return jnp.broadcast_to(values, (*values.shape[:-1], batch))

    # Nobody has fewer than 0 game points when teams are ranked, whatever was taken from them.
    game_points = jnp.maximum(jnp.asarray(start.half_points).sum(axis=0), 0)
    return PlayedRounds(
        of_each(start.opponents),
        of_each(start.half_points),
        of_each(start.whites),
        of_each(start.match_points),
        of_each(game_points),
    )


def _packed_ratings(
    rosters: Int[Array, "teams boards batch"], nobodies: int
) -> list[Int[Array, "padded batch"]]:
    """The ratings of two boards in one integer, for half as many look-ups.

    Below the teams are rows of nobodies, for the matches that a round may have less than others.
    """
    # Ratings are below 2**15, so two share a word without touching its sign.
    padded = jnp.pad(rosters, ((0, nobodies), (0, 0), (0, 0)))
    boards = [padded[:, board] for board in range(padded.shape[1])]
    # An odd last board is paired with an empty one.
    boards += [jnp.zeros_like(boards[0])] * (len(boards) % 2)
    return [even | (odd << 16) for even, odd in zip(boards[::2], boards[1::2], strict=True)]


def _play_pairs(
    keys: Keys,
    line_ups: list[Int[Array, "padded batch"]],
    pairs: Pairs,
    event: EventFormat,
    laws: games.Laws,
) -> Int[Array, "matches batch"]:
    """Draw the results of a round: half points of the first of every pair."""
    teams, boards = event.teams, event.boards
    number = jax.vmap(partial(unit_numbers, count=teams), out_axes=-1)(keys)
    number = jnp.pad(number, ((0, len(line_ups[0]) - teams), (0, 0)))
    # The number drawn for a match is that of its higher seed, whoever is first in the pair: so the
    # result does not depend on how a pairing lists its teams.
    first_is_higher = pairs[0] < pairs[1]
    higher, lower = jnp.minimum(*pairs), jnp.maximum(*pairs)

    def ratings(side: Array) -> Array:
        packed = [_take(two, side) for two in line_ups]
        return jnp.stack([half for two in packed for half in (two & 0xFFFF, two >> 16)][:boards])

    at_most = games.cumulative_law(ratings(higher), ratings(lower), laws)
    scored = games.sample_half_points(_take(number, higher), at_most)
    return jnp.where(first_is_higher, scored, 2 * boards - scored)


def _known_results(
    results: Int[Array, "teams teams *batch"], pairs: Pairs, batch: int
) -> Int[Array, "matches batch"]:
    """Results of a round that are known: half points of the first of every pair."""
    teams = len(results)
    by_pair = jnp.broadcast_to(results.reshape(teams**2, -1), (teams**2, batch))
    first, second = jnp.minimum(pairs, teams - 1)  # nobodies score nothing that counts
    return _take(by_pair, first * teams + second)


def _take(values: Int[Array, "rows batch"], index: Int[Array, "n lanes"]) -> Array:
    """`values[index]` along the first axis, for every event; whole rows if all have the same."""
    if index.shape[1] == 1:
        return values[index[:, 0]]
    return places.take(values, index)


def _put(values: Array, index: Int[Array, "n lanes"], new: Array) -> Array:
    """`values` with `new` at `index` along the first axis, for every event."""
    new = jnp.broadcast_to(new, (len(index), values.shape[1]))
    if index.shape[1] == 1:
        return values.at[index[:, 0]].set(new, unique_indices=True, mode="promise_in_bounds")
    return places.put(values, index, new)
