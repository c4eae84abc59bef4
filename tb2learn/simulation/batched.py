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
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.config import Config
from tb2learn.results import match_points as match_points_of
from tb2learn.simulation import games
from tb2learn.simulation.field import draw_field
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import unit_numbers
from tb2learn.types import BYE, Keys

_WORD = 32
_ALL = 0xFFFFFFFF
_NONE = 1 << 20
"""Stands for the first place of an empty set; larger than every place."""


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
    rosters = jax.vmap(partial(draw_field, config=config), out_axes=-1)(field_keys)
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
    return jax.vmap(Event, in_axes=-1, out_axes=-1)(rosters, history, results, match_points)


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
        packed = [_take(two, side) for two in line_ups]
        return jnp.stack([half for two in packed for half in (two & 0xFFFF, two >> 16)][:boards])

    at_most = games.cumulative_law(ratings(higher), ratings(lower), config.game)
    scored = games.sample_half_points(_take(number, higher), at_most)
    bye = jnp.full((teams, number.shape[1]), boards, jnp.int32)
    return _put(_put(bye, higher, scored), lower, 2 * boards - scored)


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
    key = sort_columns(key)
    order, points = key & 1023, key >> 19
    place = jnp.broadcast_to(team, order.shape)
    met = _met_words(history, _put(place, order, place), len(history) if past is None else past)

    # The groups are the stretches from one of these places to the next.
    begins = _pack(jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]]))
    starts = _starts(_words(teams))
    upto_median = _below(jnp.full((1, batch), paired // 2 + 1), starts)
    middle_begin = _last(_rows(begins & upto_median))
    middle_end = jnp.minimum(_first(_rows(begins & ~upto_median)), paired)

    unmet = _Unmet(order, met)
    record = _Record(
        pairs=jnp.zeros((paired // 2, batch), jnp.int32),
        slot=jnp.where(jnp.arange(2 * batch) < batch, 0, paired // 2 - 1)[None],
    )
    slid, record = _pair_outer_groups(begins, middle_begin, middle_end, unmet, record, paired)
    record = record._replace(slot=record.slot[:, :batch])
    pool = _between(middle_begin, middle_end, starts) | slid[:, :batch] | slid[:, batch:]
    left, record = _pair_pools(pool, unmet, record, 1)
    _, record = _pair_pools(left, None, record, 1)
    return jnp.stack([_take(order, record.pairs & 1023), _take(order, record.pairs >> 10)])


def opponents_of(pairs: Int[Array, "2 matches batch"], teams: int) -> Int[Array, "teams batch"]:
    """The opponent of every team, `BYE` for a team in no pair.

    **Arguments:**

    - `pairs`: as `pair_batch` returns them.
    - `teams`: how many there are.
    """
    one, other = pairs
    nobody = jnp.full((teams, one.shape[1]), BYE, jnp.int32)
    return _put(_put(nobody, one, other), other, one)


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
        event = _events(self.slot.shape[1], batch)[None]
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
    starts = _starts(words)
    begins = jnp.concatenate([begins, begins], axis=1)
    lower = (jnp.arange(2 * batch) >= batch)[None]
    stop = jnp.concatenate([middle_begin, middle_end], axis=1)

    def next_group(carry: tuple) -> tuple:
        edge, slid, record = carry
        begin = jnp.where(lower, _last(_rows(begins & _below(edge, starts))), edge)
        end = jnp.where(lower, edge, _first(_rows(begins & ~_below(edge + 1, starts))))
        todo = edge != stop
        pool = _between(begin, end, starts) | slid
        slider = jnp.where(lower, _first(_rows(pool)), _last(_rows(pool)))
        odd = (_size(_rows(pool)) & 1) == 1
        out = jnp.where(odd, _bit(slider, starts), jnp.uint32(0))
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
    starts = _starts(words)
    batch = record.pairs.shape[1]

    def first_team(pool: Array) -> tuple[Array, Array]:
        first = _first(_rows(pool))
        if unmet is None:
            return first, jnp.zeros_like(pool)
        row = _take(unmet.order, jnp.minimum(first, len(unmet.order) - 1))
        word = jnp.arange(words, dtype=jnp.int32)[:, None]
        return first, _take(unmet.met.reshape(-1, batch), row * words + word)

    def step(_: Array, carry: tuple) -> tuple:
        pool, first, forbidden, _, stuck, record = carry
        someone = _bit(first, starts)
        allowed = pool & ~someone & ~forbidden
        middle = _middle_member(_rows(pool))
        before = [_below(middle, start) for start in range(0, words * _WORD, _WORD)]
        sides = list(zip(_rows(allowed), before, strict=True))
        forward = _first([word & ~earlier for word, earlier in sides])
        backward = _last([word & earlier for word, earlier in sides])
        choice = jnp.where(forward < _NONE, forward, backward)
        found = choice >= 0
        pool = pool & ~someone & ~_bit(choice, starts)
        return (
            pool,
            *first_team(pool),
            choice,  # carried so that it is computed once, see above
            stuck | jnp.where(found, jnp.uint32(0), someone),
            record.add(first, choice, found, direction),
        )

    def steps(carry: tuple) -> tuple:
        # As many steps as the largest pool can have pairs, so that emptiness is rarely tested.
        return jax.lax.fori_loop(0, (_size(_rows(carry[0])).max() + 1) // 2, step, carry)

    first, forbidden = first_team(pool)
    start = (pool, first, forbidden, jnp.zeros_like(first), jnp.zeros_like(pool), record)
    *_, stuck, record = jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), steps, start)
    return stuck, record


def _met_words(
    history: Int[Array, "past teams batch"], seat: Int[Array, "teams batch"], past: int | Array
) -> UInt32[Array, "teams words batch"]:
    """For every team, the set of places that it has met. `seat` is the place of a team."""
    teams, batch = seat.shape
    words = jnp.arange(_words(teams), dtype=jnp.int32)[None, :, None]

    def add(number: Array, met: Array) -> Array:
        theirs = history[number]
        place = jnp.where(theirs == BYE, -1, _take(seat, jnp.maximum(theirs, 0)))[:, None]
        bit = jnp.uint32(1) << (place & 31).astype(jnp.uint32)
        return met | jnp.where((place >> 5) == words, bit, jnp.uint32(0))

    nobody = jnp.zeros((teams, _words(teams), batch), jnp.uint32)
    return jax.lax.fori_loop(0, past, add, nobody) if len(history) else nobody


# --------------------------------------------------------------------------- sorting, gathering


def sort_columns(keys: Int[Array, "n batch"]) -> Int[Array, "n batch"]:
    """Sort every column, by a bitonic network: a few min and max along the batch a stage."""
    n, batch = keys.shape
    size = 1 << (n - 1).bit_length()
    keys = jnp.pad(keys, ((0, size - n), (0, 0)), constant_values=jnp.iinfo(keys.dtype).max)

    def exchange(keys: Array, half: int, mirrored: bool) -> Array:
        halves = keys.reshape(size // (2 * half), 2, half, batch)
        a, b = halves[:, 0], halves[:, 1, ::-1] if mirrored else halves[:, 1]
        low, high = jnp.minimum(a, b), jnp.maximum(a, b)
        keys = jnp.stack([low, high[:, ::-1] if mirrored else high], axis=1).reshape(size, batch)
        return jax.lax.optimization_barrier(keys)  # else XLA recomputes earlier stages

    run = 1
    while run < size:
        keys = exchange(keys, run, mirrored=True)
        half = run // 2
        while half:
            keys = exchange(keys, half, mirrored=False)
            half //= 2
        run *= 2
    return keys[:n]


def _take(values: Array, index: Int[Array, "m lanes"]) -> Array:
    """`values[index]` along the first axis, for every event; lanes repeat the batch."""
    batch = values.shape[1]
    event = _events(index.shape[1], batch)
    return values.reshape(-1).at[index * batch + event].get(mode="promise_in_bounds")


def _events(lanes: int, batch: int) -> Int[Array, " lanes"]:
    """The event of every lane."""
    return jnp.concatenate([jnp.arange(batch, dtype=jnp.int32)] * (lanes // batch))


def _put(values: Array, index: Array, new: Array) -> Array:
    """`values` with `new` at `index` along the first axis, for every event of the batch."""
    events = jnp.broadcast_to(jnp.arange(values.shape[1]), index.shape)
    return values.at[index, events].set(new, unique_indices=True, mode="promise_in_bounds")


# --------------------------------------------------------------------------- sets of places
#
# A set is an array [words, lanes], or the list of its rows [1, lanes] where XLA is to fuse the
# operations on them into one pass along the lanes.

_Rows: TypeAlias = list[UInt32[Array, "1 lanes"]]


def _words(teams: int) -> int:
    return -(-teams // _WORD)


def _starts(words: int) -> Int[Array, "words 1"]:
    """The first place of every word."""
    return (_WORD * jnp.arange(words, dtype=jnp.int32))[:, None]


def _rows(places: UInt32[Array, "words lanes"]) -> _Rows:
    return [places[number : number + 1] for number in range(len(places))]


def _bit(place: Int[Array, "1 lanes"], start: Int[Array, "words 1"]) -> Array:
    """The set of one place, for the words that start at some places; empty for one outside."""
    offset = place - start
    inside = (offset >= 0) & (offset < _WORD)
    return jnp.where(inside, jnp.uint32(1) << (offset & 31).astype(jnp.uint32), jnp.uint32(0))


def _below(place: Int[Array, "1 lanes"], start: Int[Array, "words 1"] | int) -> Array:
    """The set of all places before one, for the words that start at some places."""
    offset = jnp.clip(place - start, 0, _WORD)
    partial = (jnp.uint32(1) << (offset & 31).astype(jnp.uint32)) - 1
    return jnp.where(offset == _WORD, jnp.uint32(_ALL), partial)


def _between(
    begin: Int[Array, "1 lanes"], end: Int[Array, "1 lanes"], start: Int[Array, "words 1"]
) -> UInt32[Array, "words lanes"]:
    """The set of the places from one (included) to another (not included)."""
    return _below(end, start) & ~_below(begin, start)


def _count(word: UInt32[Array, "1 lanes"]) -> Int[Array, "1 lanes"]:
    return jax.lax.population_count(word).astype(jnp.int32)


def _size(rows: _Rows) -> Int[Array, "1 lanes"]:
    return sum(map(_count, rows))


def _first(rows: _Rows) -> Int[Array, "1 lanes"]:
    """The first place of a set; `_NONE` if it is empty."""
    place = jnp.full(rows[0].shape, _NONE, jnp.int32)
    for number, word in reversed(list(enumerate(rows))):
        lowest = _WORD * number + _count((word & -word) - 1)
        place = jnp.where(word != 0, lowest, place)
    return place


def _last(rows: _Rows) -> Int[Array, "1 lanes"]:
    """The last place of a set; -1 if it is empty."""
    place = jnp.full(rows[0].shape, -1, jnp.int32)
    for number, word in enumerate(rows):
        highest = _WORD * number + 31 - jax.lax.clz(word).astype(jnp.int32)
        place = jnp.where(word != 0, highest, place)
    return place


def _middle_member(rows: _Rows) -> Int[Array, "1 lanes"]:
    """The place of rank `n // 2` (from 0) in a set of `n`; any place if it is empty."""
    rank = _size(rows) >> 1
    # The word that the member is in, the first place of that word, the members of earlier words.
    word, start, before = rows[0], jnp.zeros_like(rank), jnp.zeros_like(rank)
    passed = _count(rows[0])
    for number, row in list(enumerate(rows))[1:]:
        here = passed <= rank
        word = jnp.where(here, row, word)
        start = jnp.where(here, _WORD * number, start)
        before = jnp.where(here, passed, before)
        passed = passed + _count(row)
    rank, place = rank - before, start
    for width in (16, 8, 4, 2, 1):
        low = word & jnp.uint32((1 << width) - 1)
        further = rank >= _count(low)
        rank = jnp.where(further, rank - _count(low), rank)
        word = jnp.where(further, word >> width, low)
        place = jnp.where(further, place + width, place)
    return place


def _pack(members: Bool[Array, "teams lanes"]) -> UInt32[Array, "words lanes"]:
    teams, lanes = members.shape
    padded = jnp.pad(members, ((0, _WORD * _words(teams) - teams), (0, 0)))
    bits = padded.reshape(-1, _WORD, lanes).astype(jnp.uint32)
    return (bits << jnp.arange(_WORD, dtype=jnp.uint32)[None, :, None]).sum(
        axis=1, dtype=jnp.uint32
    )
