"""Many events in lockstep: `olympiad.play` for a batch, in bit masks, the batch last.

`pairing.py` and `olympiad.py` are the readable definition; this file computes the same events and
is tested against them, state by state. What makes it fast: a set of teams is a few 32-bit words
over places of the strength order, so that a step of the pairing is a few word operations; the
events of a batch are the last axis, so that every operation runs along it; and all of them step
together in one loop.

Dimensions: `words` (32 places each), `teams`, `batch`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn import games
from tb2learn.config import Config
from tb2learn.field import draw_field
from tb2learn.olympiad import Event
from tb2learn.types import BYE, Keys

_WORD = 32
_ALL = 0xFFFFFFFF


class _Sets(NamedTuple):
    """Progress of a batch of pairings. Sets are `[words, batch]`, the rest `[batch]`."""

    pool: Array  # of the group being paired, who is neither paired nor stuck
    slid_down: Array  # from upper groups towards the middle
    slid_up: Array  # from lower groups towards the middle
    left: Array  # of the middle group, who waits for the last rule
    upper: Array  # bit m: the upper group of m match points is still to be paired
    lower: Array  # the same for lower groups
    stage: Array  # _UPPER .. _DONE: what the pool is
    step: Array  # scalar
    one: Array  # [steps, batch] place of a team that was paired in a step, or `teams`
    other: Array  # [steps, batch] place of its opponent


_UPPER, _LOWER, _MIDDLE, _LAST_RULE, _DONE = range(5)


def play_batch(keys: Keys, config: Config) -> Event:
    """Play a batch of whole events.

    **Arguments:**

    - `keys`: `[batch]` keys, consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the `Event` of `olympiad.play` for every key, with a leading axis over the batch.
    """
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    batch = keys.shape[0]
    field_keys, rounds_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
    rosters = jax.vmap(partial(draw_field, config=config))(field_keys)
    round_keys = jax.vmap(lambda key: jax.random.split(key, rounds))(rounds_keys)
    by_board = jnp.transpose(rosters, (1, 2, 0))  # [teams, boards, batch]

    def one_round(number: Array, carry: tuple) -> tuple:
        match_points, half_points, had_bye, history, results = carry
        opponents = pair_batch(match_points, half_points, history, had_bye, number)
        scored = _play_matches(round_keys[:, number], by_board, opponents, config)
        return (
            match_points + games.match_points(scored, boards),
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
    return jax.vmap(Event)(
        rosters, jnp.moveaxis(history, -1, 0), jnp.moveaxis(results, -1, 0), match_points.T
    )


def _play_matches(
    keys: Keys, rosters: Int[Array, "teams boards batch"], opponents: Array, config: Config
) -> Int[Array, "teams batch"]:
    """`olympiad.play_matches` for a batch."""
    teams, boards, batch = rosters.shape
    number = jax.vmap(lambda key: jax.random.bits(key, (teams,)))(keys).T
    number = (number >> (32 - games.UNIT_BITS)).astype(jnp.int32)
    team = jnp.arange(teams, dtype=jnp.int32)[:, None]
    # The matches, by their higher seeds.
    higher = sort_columns(jnp.where(team < opponents, team, teams))[: teams // 2]
    lower = _take(opponents, higher)
    line_ups = [
        jnp.stack([_take(rosters[:, board], side) for board in range(boards)], axis=-1)
        for side in (higher, lower)
    ]
    law = games.match_law(*line_ups, config.game)
    scored = games.sample_half_points(_take(number, higher), law)
    bye = jnp.full((teams, batch), boards, jnp.int32)
    return _put(_put(bye, higher, scored), lower, 2 * boards - scored)


def pair_batch(
    match_points: Int[Array, "teams batch"],
    half_points: Int[Array, "teams batch"],
    history: Int[Array, "past teams batch"],
    had_bye: Bool[Array, "teams batch"],
    past: Int[Array, ""] | None = None,
) -> Int[Array, "teams batch"]:
    """Pair one round of every event of a batch.

    **Arguments:**

    - `match_points` (0..31), `half_points` (0..511): before the round, teams in seed order.
    - `history`: `history[r, t]` is the team that `t` met in round `r`; `BYE` where there was none.
    - `had_bye`: who has had the bye.
    - `past`: how many rounds of `history` have been played; all if not given.

    **Returns:** `[teams, batch]` opponents, `BYE` for the bye: those of `pairing.pair_round`.
    """
    teams, batch = match_points.shape
    lane = jnp.arange(batch)[None, :]
    place = jnp.arange(teams, dtype=jnp.int32)[:, None]
    # Points, game points and number in one key: sorting it is the strength order.
    key = ((31 - match_points) << 19) | ((511 - half_points) << 10) | place
    key = sort_columns(key)
    order, points = key & 1023, 31 - (key >> 19)
    seat = _put(jnp.zeros_like(order), order, jnp.broadcast_to(place, order.shape))

    present = jnp.broadcast_to(_below(jnp.full((1, batch), teams), teams), (_words(teams), batch))
    median = jnp.full((1, batch), teams // 2)
    if teams % 2:
        never = _pack(~_take(had_bye, order))
        bye_place = _last(never)
        present = present & ~_bit(bye_place, teams)
        median = median + (bye_place <= median)
    met = _met_words(history, seat, order, len(history) if past is None else past)

    # Group m holds the places from edge[m + 1] to edge[m].
    levels = jnp.arange(_WORD + 1, dtype=jnp.int32)
    edge = (points[None] >= levels[:, None, None]).sum(axis=1, dtype=jnp.int32)
    bits = _bits_of_levels(points, present)
    middle = _take(points, median)
    below_middle = (jnp.uint32(1) << middle.astype(jnp.uint32)) - 1
    upper = bits & ~below_middle & ~(below_middle + 1)
    lower = bits & below_middle

    partner = jnp.full((teams, batch), BYE, jnp.int32)
    steps = teams // 2 + _WORD
    nobody = jnp.zeros_like(present)
    sets = _Sets(
        pool=nobody,
        slid_down=nobody,
        slid_up=nobody,
        left=nobody,
        upper=upper,
        lower=lower,
        stage=jnp.full((1, batch), -1),
        step=jnp.int32(0),
        one=jnp.zeros((steps, batch), jnp.int32),
        other=jnp.zeros((steps, batch), jnp.int32),
    )

    def step(sets: _Sets) -> _Sets:
        return _step(sets, present, met, edge, middle, teams)

    def some(carry: tuple[_Sets, Array]) -> tuple[_Sets, Array]:
        """Run until all are done or the record of pairs is full, then write the record down."""
        sets, partner = carry
        sets = sets._replace(step=jnp.int32(0), one=jnp.full_like(sets.one, teams))
        sets = jax.lax.while_loop(lambda s: (s.step < steps) & jnp.any(s.stage < _DONE), step, sets)
        lanes = jnp.broadcast_to(lane, sets.one.shape)
        at = jnp.where(sets.one < teams, sets.other, teams)
        partner = partner.at[sets.one, lanes].set(sets.other, mode="drop")
        partner = partner.at[at, lanes].set(sets.one, mode="drop")
        return sets, partner

    _, partner = jax.lax.while_loop(
        lambda carry: jnp.any(carry[0].stage < _DONE), some, (sets, partner)
    )
    met_now = jnp.where(partner == BYE, BYE, _take(order, jnp.maximum(partner, 0)))
    return _take(met_now, seat)


def _step(sets: _Sets, present, met, edge, middle, teams: int) -> _Sets:
    """Where a pool is empty, load the next group; then pair, or set aside, its first team."""
    empty = ~jnp.any(sets.pool != 0, axis=0, keepdims=True)
    done = sets.stage == _DONE
    load = empty & ~done

    # --- the next group
    from_upper = sets.upper != 0
    from_lower = ~from_upper & (sets.lower != 0)
    to_middle = ~from_upper & ~from_lower & (sets.stage < _MIDDLE)
    next_stage = jnp.where(
        from_upper,
        _UPPER,
        jnp.where(
            from_lower,
            _LOWER,
            jnp.where(
                to_middle,
                _MIDDLE,
                jnp.where(jnp.any(sets.left != 0, axis=0, keepdims=True), _LAST_RULE, _DONE),
            ),
        ),
    )
    lowest = jax.lax.population_count((sets.lower & -sets.lower) - 1)
    level = jnp.where(from_upper, 31 - jax.lax.clz(sets.upper), lowest).astype(jnp.int32)
    level = jnp.where(from_upper | from_lower, level, middle)
    group = present & _below(_take(edge, level), teams) & ~_below(_take(edge, level + 1), teams)
    loaded = group
    loaded |= jnp.where(next_stage != _LOWER, sets.slid_down, 0)
    loaded |= jnp.where(next_stage != _UPPER, sets.slid_up, 0)
    loaded = jnp.where(next_stage == _LAST_RULE, sets.left, loaded)
    odd = (_size(loaded) & 1) == 1
    slider = jnp.where(from_upper, _last(loaded), _first(loaded))
    out = jnp.where(odd & (next_stage <= _LOWER), _bit(slider, teams), jnp.uint32(0))
    taken = jnp.uint32(1) << level.astype(jnp.uint32)
    upper = jnp.where(load & from_upper, sets.upper & ~taken, sets.upper)
    lower = jnp.where(load & from_lower, sets.lower & ~taken, sets.lower)
    slid_down = jnp.where(load & (next_stage == _UPPER), out, sets.slid_down)
    slid_up = jnp.where(load & (next_stage == _LOWER), out, sets.slid_up)
    stage = jnp.where(load, next_stage, sets.stage)
    pool = jnp.where(load, loaded & ~out, sets.pool)
    left = jnp.where(load & (next_stage == _LAST_RULE), 0, sets.left)
    pool, stage = jax.lax.optimization_barrier((pool, stage))

    # --- its first team
    first = _first(pool)
    someone = first < teams
    rest = pool & ~_bit(first, teams)
    row = jnp.minimum(first, teams - 1)
    forbidden = jnp.take_along_axis(met, row[None], axis=1, mode="promise_in_bounds")[:, 0]
    allowed = rest & ~jnp.where(stage == _LAST_RULE, 0, forbidden)
    pivot = _select(pool, _size(pool) >> 1)
    before = _below(pivot, teams)
    forward, backward = _first(allowed & ~before), _last(allowed & before)
    choice = jnp.where(forward < teams, forward, backward)
    found = someone & (choice >= 0)
    aside = jnp.where(someone & ~found, _bit(first, teams), jnp.uint32(0))
    pool = jnp.where(found, rest & ~_bit(choice, teams), rest)
    return _Sets(
        pool=pool,
        slid_down=slid_down | jnp.where(stage == _UPPER, aside, 0),
        slid_up=slid_up | jnp.where(stage == _LOWER, aside, 0),
        left=left | jnp.where(stage == _MIDDLE, aside, 0),
        upper=upper,
        lower=lower,
        stage=stage,
        step=sets.step + 1,
        one=jax.lax.dynamic_update_index_in_dim(
            sets.one, jnp.where(found, first, teams)[0], sets.step, 0
        ),
        other=jax.lax.dynamic_update_index_in_dim(sets.other, choice[0], sets.step, 0),
    )


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
        return jax.lax.optimization_barrier(keys)  # else stages are computed again in the next

    run = 1
    while run < size:
        keys = exchange(keys, run, mirrored=True)
        half = run // 2
        while half:
            keys = exchange(keys, half, mirrored=False)
            half //= 2
        run *= 2
    return keys[:n]


def _take(values: Array, index: Array) -> Array:
    """`values[index]` along the first axis, for every event of the batch."""
    return jnp.take_along_axis(values, index, axis=0, mode="promise_in_bounds")


def _put(values: Array, index: Array, new: Array) -> Array:
    """`values` with `new` at `index` along the first axis, for every event of the batch."""
    lanes = jnp.broadcast_to(jnp.arange(values.shape[1]), index.shape)
    return values.at[index, lanes].set(new, unique_indices=True, mode="promise_in_bounds")


# --------------------------------------------------------------------------- sets of places


def _words(teams: int) -> int:
    return -(-teams // _WORD)


def _word_starts(teams: int) -> Array:
    return (_WORD * jnp.arange(_words(teams), dtype=jnp.int32))[:, None]


def _bit(place: Int[Array, "1 batch"], teams: int) -> UInt32[Array, "words batch"]:
    """The set of one place; empty for a place outside."""
    offset = place - _word_starts(teams)
    inside = (offset >= 0) & (offset < _WORD)
    return jnp.where(inside, jnp.uint32(1) << (offset & 31).astype(jnp.uint32), jnp.uint32(0))


def _below(place: Int[Array, "1 batch"], teams: int) -> UInt32[Array, "words batch"]:
    """The set of all places before one, 0 .. 32 * words."""
    offset = jnp.clip(place - _word_starts(teams), 0, _WORD)
    full = offset == _WORD
    partial = (jnp.uint32(1) << (offset & 31).astype(jnp.uint32)) - 1
    return jnp.where(full, jnp.uint32(_ALL), partial)


def _size(places: UInt32[Array, "words batch"]) -> Int[Array, "1 batch"]:
    return jax.lax.population_count(places).astype(jnp.int32).sum(axis=0, keepdims=True)


def _first(places: UInt32[Array, "words batch"]) -> Int[Array, "1 batch"]:
    """The first place of a set; a large number if it is empty."""
    within = jax.lax.population_count((places & -places) - 1).astype(jnp.int32)
    starts = (_WORD * jnp.arange(places.shape[0], dtype=jnp.int32))[:, None]
    return jnp.where(places != 0, starts + within, 1 << 20).min(axis=0, keepdims=True)


def _last(places: UInt32[Array, "words batch"]) -> Int[Array, "1 batch"]:
    """The last place of a set; -1 if it is empty."""
    within = 31 - jax.lax.clz(places).astype(jnp.int32)
    starts = (_WORD * jnp.arange(places.shape[0], dtype=jnp.int32))[:, None]
    return jnp.where(places != 0, starts + within, -1).max(axis=0, keepdims=True)


def _select(
    places: UInt32[Array, "words batch"], rank: Int[Array, "1 batch"]
) -> Int[Array, "1 batch"]:
    """The place of a rank (from 0) in a set with more members than that."""
    sizes = jax.lax.population_count(places).astype(jnp.int32)
    before = jnp.cumsum(sizes, axis=0) - sizes
    here = (before <= rank) & (rank < before + sizes)
    starts = (_WORD * jnp.arange(places.shape[0], dtype=jnp.int32))[:, None]
    place = jnp.where(here, starts, 0).sum(axis=0, keepdims=True)
    word = jnp.where(here, places, jnp.uint32(0)).sum(axis=0, keepdims=True, dtype=jnp.uint32)
    rank = rank - jnp.where(here, before, 0).sum(axis=0, keepdims=True)
    for width in (16, 8, 4, 2, 1):
        low = word & jnp.uint32((1 << width) - 1)
        count = jax.lax.population_count(low).astype(jnp.int32)
        further = rank >= count
        rank = jnp.where(further, rank - count, rank)
        word = jnp.where(further, word >> width, low)
        place = jnp.where(further, place + width, place)
    return place


def _pack(members: Bool[Array, "teams batch"]) -> UInt32[Array, "words batch"]:
    teams, batch = members.shape
    padded = jnp.pad(members, ((0, _WORD * _words(teams) - teams), (0, 0)))
    bits = padded.reshape(-1, _WORD, batch).astype(jnp.uint32)
    return (bits << jnp.arange(_WORD, dtype=jnp.uint32)[None, :, None]).sum(
        axis=1, dtype=jnp.uint32
    )


def _bits_of_levels(points: Array, present: Array) -> UInt32[Array, "1 batch"]:
    """Bit m is set where a team that is present has m match points."""
    teams = points.shape[0]
    words = jnp.repeat(present, _WORD, axis=0)[:teams]
    here = (words >> (jnp.arange(teams, dtype=jnp.uint32) % _WORD)[:, None]) & 1
    level = here << points.astype(jnp.uint32)
    return jax.lax.reduce(level, jnp.uint32(0), jax.lax.bitwise_or, (0,))[None]


def _met_words(
    history: Array, seat: Array, order: Array, past: int | Array
) -> UInt32[Array, "words teams batch"]:
    """For every place, the set of places it has met."""
    teams, batch = seat.shape
    starts = (_WORD * jnp.arange(_words(teams), dtype=jnp.int32))[:, None, None]

    def add(number: Array, met: Array) -> Array:
        theirs = _take(history[number], order)
        offset = jnp.where(theirs == BYE, -1, _take(seat, jnp.maximum(theirs, 0)))[None] - starts
        inside = (offset >= 0) & (offset < _WORD)
        return met | jnp.where(
            inside, jnp.uint32(1) << (offset & 31).astype(jnp.uint32), jnp.uint32(0)
        )

    nobody = jnp.zeros((_words(teams), teams, batch), jnp.uint32)
    return jax.lax.fori_loop(0, past, add, nobody) if len(history) else nobody
