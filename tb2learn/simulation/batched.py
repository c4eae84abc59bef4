"""Many events in lockstep: `olympiad.play` for a batch, in bit masks, the batch last.

`pairing.py` and `olympiad.py` are the readable definition; this module computes the same events and
is tested against them, state by state. Why it is fast (figures in `benchmarks/PROFILE.md`):

- a set of teams is a few 32-bit words over places of the strength order, so that a step of the
  pairing is a few word operations;
- the events of a batch are the last axis, so that every operation runs along it;
- all events pair their next team in the same step of one loop, and upper and lower groups, which do
  not see each other before the middle, side by side;
- a value that several operations of a step need is carried by the loop, even if the next step does
  not need it: XLA stores what a loop carries and computes anything else again for each use.

Dimensions: `words` (32 places each), `teams`, `batch` (events) and `lanes`: the sides of events
that are paired in one loop, the batch once or, for upper and lower groups, twice.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.config import Config
from tb2learn.results import match_points as match_points_of
from tb2learn.simulation import games, places
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import unit_numbers
from tb2learn.types import BYE, Keys


def play_batch(keys: Keys, config: Config) -> Event:
    """Play a batch of whole events.

    **Arguments:**

    - `keys`: `[batch]` keys, consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the `Event` of `olympiad.play` for every key, the batch as the last axis.
    """
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    batch = keys.shape[0]
    field_keys, rounds_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
    rosters, noise = jax.vmap(partial(draw_seeded, config=config), out_axes=-1)(field_keys)
    round_keys = jax.vmap(lambda key: jax.random.split(key, rounds))(rounds_keys)
    line_ups = _pack_ratings(rosters)

    def one_round(number: Array, carry: tuple) -> tuple:
        match_points, half_points, had_bye, history, results = carry
        pairs = pair_batch(match_points, half_points, history, had_bye, number)
        opponents = opponents_of(pairs, teams)
        scored = _play_matches(round_keys[:, number], line_ups, pairs, config)
        return (
            match_points + match_points_of(scored, boards),
            half_points + scored,
            had_bye | (opponents == BYE),
            history.at[number].set(opponents),
            results.at[number].set(scored),
        )

    nothing = jnp.zeros((teams, batch), jnp.int32)
    match_points, _, _, history, results = jax.lax.fori_loop(
        0,
        rounds,
        one_round,
        (
            nothing,
            nothing,
            jnp.zeros((teams, batch), bool),
            jnp.full((rounds, teams, batch), BYE),
            jnp.zeros((rounds, teams, batch), jnp.int32),
        ),
    )
    # The shapes that `Event` declares are those of one event, so the batch is added by vmap.
    return jax.vmap(Event, in_axes=-1, out_axes=-1)(
        rosters, history, results, match_points, None, None, noise
    )


# --------------------------------------------------------------------------- matches


def _pack_ratings(rosters: Int[Array, "teams boards batch"]) -> list[Int[Array, "teams batch"]]:
    """The ratings of two boards in one integer, for half as many look-ups."""
    boards = [rosters[:, board] for board in range(rosters.shape[1])]
    boards += [jnp.zeros_like(boards[0])] * (len(boards) % 2)
    return [one | (other << 16) for one, other in zip(boards[::2], boards[1::2], strict=True)]


def _play_matches(
    keys: Keys,
    line_ups: list[Int[Array, "teams batch"]],
    pairs: Int[Array, "2 matches batch"],
    config: Config,
) -> Int[Array, "teams batch"]:
    """`olympiad.play_matches` for a batch."""
    teams, boards = config.event.teams, config.event.boards
    number = jax.vmap(lambda key: unit_numbers(key, teams))(keys).T
    higher, lower = jnp.minimum(*pairs), jnp.maximum(*pairs)

    def ratings(side: Array) -> Array:
        packed = [places.take(two, side) for two in line_ups]
        return jnp.stack([half for two in packed for half in (two & 0xFFFF, two >> 16)][:boards])

    at_most = games.cumulative_law(ratings(higher), ratings(lower), config.game)
    scored = games.sample_half_points(places.take(number, higher), at_most)
    bye = jnp.full((teams, number.shape[1]), boards, jnp.int32)
    return places.put(places.put(bye, higher, scored), lower, 2 * boards - scored)


# --------------------------------------------------------------------------- pairing


def pair_batch(
    match_points: Int[Array, "teams batch"],
    half_points: Int[Array, "teams batch"],
    history: Int[Array, "past teams batch"],
    had_bye: Bool[Array, "teams batch"],
    past: Int[Array, ""] | None = None,
) -> Int[Array, "2 matches batch"]:
    """Pair one round of every event of a batch.

    **Arguments:**

    - `match_points` (0..31), `half_points` (0..511): before the round, teams in seed order.
    - `history`: `history[r, t]` is the team that `t` met in round `r`; `BYE` where there was none.
    - `had_bye`: who has had the bye.
    - `past`: how many rounds of `history` have been played; all if not given.

    **Returns:** the two teams of every match: those of `pairing.pair_round`, in no special order.
    """
    teams, batch = match_points.shape
    paired = teams - teams % 2
    team = jnp.arange(teams, dtype=jnp.int32)[:, None]
    # Match points, half points and team number in one key: sorting it gives the strength order.
    key = ((31 - match_points) << 19) | ((511 - half_points) << 10) | team
    if teams % 2:
        # The team with the bye is sorted to the last place; the places before it are paired.
        bye = jnp.where(had_bye, -1, key).max(axis=0, keepdims=True)
        key = jnp.where(key == bye, key | (1 << 24), key)
    key = places.sort_columns(key)
    order, points = key & 1023, key >> 19
    place = jnp.broadcast_to(team, order.shape)
    met = places.met_words(
        history, places.put(place, order, place), len(history) if past is None else past
    )

    # The groups are the stretches from one of these places to the next.
    begins = places.pack(jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]]))
    starts = places.starts(places.word_count(teams))
    upto_median = places.below(jnp.full((1, batch), paired // 2 + 1), starts)
    middle_begin = places.last(places.rows_of(begins & upto_median))
    middle_end = jnp.minimum(places.first(places.rows_of(begins & ~upto_median)), paired)

    unmet = _Unmet(order, met)
    record = _Record(
        pairs=jnp.zeros((paired // 2, batch), jnp.int32),
        slot=jnp.where(jnp.arange(2 * batch) < batch, 0, paired // 2 - 1)[None],
    )
    slid, record = _pair_outer_groups(begins, middle_begin, middle_end, unmet, record, paired)
    record = record._replace(slot=record.slot[:, :batch])
    pool = places.between(middle_begin, middle_end, starts) | slid[:, :batch] | slid[:, batch:]
    left, record = _pair_pools(pool, unmet, record, 1)
    _, record = _pair_pools(left, None, record, 1)
    return jnp.stack(
        [places.take(order, record.pairs & 1023), places.take(order, record.pairs >> 10)]
    )


def opponents_of(pairs: Int[Array, "2 matches batch"], teams: int) -> Int[Array, "teams batch"]:
    """The opponent of every team, `BYE` for a team in no pair.

    **Arguments:**

    - `pairs`: as `pair_batch` returns them.
    - `teams`: how many there are.
    """
    one, other = pairs
    nobody = jnp.full((teams, one.shape[1]), BYE, jnp.int32)
    return places.put(places.put(nobody, one, other), other, one)


class _Unmet(NamedTuple):
    """Which teams may meet."""

    order: Int[Array, "teams batch"]  # the team on a place
    met: UInt32[Array, "teams words batch"]  # the set of places that a team has met


class _Record(NamedTuple):
    """The pairs made so far: lower groups write from the back, the others from the front."""

    pairs: Int[Array, "matches batch"]  # the place of one team, and 1024 times that of the other
    slot: Int[Array, "1 lanes"]  # where the next pair is written

    def add(self, one: Array, other: Array, found: Array, direction: Array | int) -> _Record:
        """Add a pair in every lane where one was `found`; slots go on in `direction`, 1 or -1."""
        matches, batch = self.pairs.shape
        slot = jnp.where(found, self.slot, matches)  # beyond the end where there is no pair
        event = places.events(self.slot.shape[1], batch)[None]
        pairs = self.pairs.at[slot, event].set(
            one | (other << 10), mode="drop", unique_indices=True
        )
        return _Record(pairs, jnp.where(found, self.slot + direction, self.slot))


def _pair_outer_groups(
    begins: UInt32[Array, "words batch"],
    middle_begin: Int[Array, "1 batch"],
    middle_end: Int[Array, "1 batch"],
    unmet: _Unmet,
    record: _Record,
    paired: int,
) -> tuple[UInt32[Array, "words lanes"], _Record]:
    """Pair the upper groups from the top and the lower groups from the bottom, to the middle.

    **Returns:** who slid into the middle group, and the record. The first half of the lanes are the
    upper groups of the events, the second half the lower ones.
    """
    words, batch = begins.shape
    starts = places.starts(words)
    begins = jnp.concatenate([begins, begins], axis=1)
    lower = (jnp.arange(2 * batch) >= batch)[None]
    stop = jnp.concatenate([middle_begin, middle_end], axis=1)

    def next_group(carry: tuple) -> tuple:
        edge, slid, record = carry
        begin = jnp.where(
            lower, places.last(places.rows_of(begins & places.below(edge, starts))), edge
        )
        end = jnp.where(
            lower, edge, places.first(places.rows_of(begins & ~places.below(edge + 1, starts)))
        )
        todo = edge != stop
        pool = places.between(begin, end, starts) | slid
        slider = jnp.where(
            lower, places.first(places.rows_of(pool)), places.last(places.rows_of(pool))
        )
        odd = (places.size(places.rows_of(pool)) & 1) == 1
        out = jnp.where(odd, places.bit(slider, starts), jnp.uint32(0))
        pool = jnp.where(todo, pool & ~out, jnp.uint32(0))
        stuck, record = _pair_pools(pool, unmet, record, jnp.where(lower, -1, 1))
        edge = jnp.where(todo, jnp.where(lower, begin, end), edge)
        return edge, jnp.where(todo, out | stuck, slid), record

    edge = jnp.where(lower, paired, 0)
    start = (edge, jnp.zeros((words, 2 * batch), jnp.uint32), record)
    _, slid, record = jax.lax.while_loop(lambda carry: jnp.any(carry[0] != stop), next_group, start)
    return slid, record


def _pair_pools(
    pool: UInt32[Array, "words lanes"],
    unmet: _Unmet | None,
    record: _Record,
    direction: Array | int,
) -> tuple[UInt32[Array, "words lanes"], _Record]:
    """Pair the first team of every pool, until all pools are empty.

    **Arguments:**

    - `pool`: the places to be paired.
    - `unmet`: which teams may meet; all if not given.
    - `record`: gets the pairs.
    - `direction`: of the record's slots.

    **Returns:** who found no opponent, and the record.
    """
    words = len(pool)
    starts = places.starts(words)
    batch = record.pairs.shape[1]

    def first_team(pool: Array) -> tuple[Array, Array]:
        first = places.first(places.rows_of(pool))
        if unmet is None:
            return first, jnp.zeros_like(pool)
        row = places.take(unmet.order, jnp.minimum(first, len(unmet.order) - 1))
        word = jnp.arange(words, dtype=jnp.int32)[:, None]
        return first, places.take(unmet.met.reshape(-1, batch), row * words + word)

    def step(_: Array, carry: tuple) -> tuple:
        pool, first, forbidden, _, stuck, record = carry
        someone = places.bit(first, starts)
        allowed = pool & ~someone & ~forbidden
        middle = places.middle_member(places.rows_of(pool))
        before = [
            places.below(middle, start) for start in range(0, words * places.WORD, places.WORD)
        ]
        sides = list(zip(places.rows_of(allowed), before, strict=True))
        forward = places.first([word & ~earlier for word, earlier in sides])
        backward = places.last([word & earlier for word, earlier in sides])
        choice = jnp.where(forward < places.NONE, forward, backward)
        found = choice >= 0
        pool = pool & ~someone & ~places.bit(choice, starts)
        return (
            pool,
            *first_team(pool),
            choice,  # carried so that it is computed once, see above
            stuck | jnp.where(found, jnp.uint32(0), someone),
            record.add(first, choice, found, direction),
        )

    def steps(carry: tuple) -> tuple:
        # As many steps as the largest pool can have pairs, so that emptiness is rarely tested.
        most = (places.size(places.rows_of(carry[0])).max() + 1) // 2
        return jax.lax.fori_loop(0, most, step, carry)

    first, forbidden = first_team(pool)
    start = (pool, first, forbidden, jnp.zeros_like(first), jnp.zeros_like(pool), record)
    *_, stuck, record = jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), steps, start)
    return stuck, record
