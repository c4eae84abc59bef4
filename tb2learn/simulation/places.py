"""Sets of places of the strength order as words of bits; sorting and look-ups along the batch.

Used by the pairings of many events in lockstep. Dimensions: `words` (32 places each), `teams`,
`batch` (events) and `lanes`: the events, or several copies of them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.types import BYE

_T = TypeVar("_T")

WORD = 32
_ALL = 0xFFFFFFFF
NONE = 1 << 20
"""Stands for the first place of an empty set; larger than every place."""


def met_words(
    history: Int[Array, "past teams batch"], seat: Int[Array, "teams batch"], past: int | Array
) -> UInt32[Array, "teams words batch"]:
    """For every team, the set of places that it has met. `seat` is the place of a team."""
    teams, batch = seat.shape
    words = jnp.arange(word_count(teams), dtype=jnp.int32)[None, :, None]

    def add(number: Array, met: Array) -> Array:
        theirs = history[number]
        # A team's own place, where it met nobody, bars nothing: it never takes itself.
        place = jnp.where(theirs == BYE, -1, take(seat, jnp.maximum(theirs, 0)))[:, None]
        # -1 for a bye: of no word, since -1 >> 5 is -1.
        bit = jnp.uint32(1) << (place & 31).astype(jnp.uint32)
        return met | jnp.where((place >> 5) == words, bit, jnp.uint32(0))

    nobody = jnp.zeros((teams, word_count(teams), batch), jnp.uint32)
    return jax.lax.fori_loop(0, past, add, nobody) if len(history) else nobody


# --------------------------------------------------------------------------- sorting, gathering


def sort_columns(keys: Int[Array, "n batch"]) -> Int[Array, "n batch"]:
    """Sort every column, by a bitonic network: a few min and max along the batch a stage."""
    n, batch = keys.shape
    size = 1 << (n - 1).bit_length()
    # The padding sorts last, and is cut off.
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


def take(values: Array, index: Int[Array, "m lanes"]) -> Array:
    """`values[index]` along the first axis, for every event; lanes repeat the batch."""
    batch = values.shape[1]
    event = events(index.shape[1], batch)
    return values.reshape(-1).at[index * batch + event].get(mode="promise_in_bounds")


def events(lanes: int, batch: int) -> Int[Array, " lanes"]:
    """The event of every lane."""
    return jnp.concatenate([jnp.arange(batch, dtype=jnp.int32)] * (lanes // batch))


def put(values: Array, index: Array, new: Array) -> Array:
    """`values` with `new` at `index` along the first axis, for every event of the batch."""
    events = jnp.broadcast_to(jnp.arange(values.shape[1]), index.shape)
    return values.at[index, events].set(new, unique_indices=True, mode="promise_in_bounds")


# --------------------------------------------------------------------------- sets of places
#
# A set is an array [words, lanes], or the list of its rows [1, lanes] where XLA is to fuse the
# operations on them into one pass along the lanes.

Set: TypeAlias = UInt32[Array, "words lanes"]
Rows: TypeAlias = list[UInt32[Array, "1 lanes"]]
Lane: TypeAlias = Int[Array, "1 lanes"]


traced_once = partial(jax.jit, inline=True)
"""Of a function that a program uses often: traced once a shape, then copied into the program."""


def word_count(teams: int) -> int:
    """Words of a set of so many places."""
    return -(-teams // WORD)


def starts(words: int) -> Int[Array, "words 1"]:
    """The first place of every word."""
    return (WORD * jnp.arange(words, dtype=jnp.int32))[:, None]


def rows_of(places: UInt32[Array, "words lanes"]) -> Rows:
    """The words of a set, one by one."""
    return [places[number : number + 1] for number in range(len(places))]


def bit(place: Int[Array, "1 lanes"], start: Int[Array, "words 1"] | int) -> Array:
    """The set of one place, for the words that start at some places; empty for one outside."""
    # XLA shifts every bit out where the shift is 32 or more, as that of an earlier place is, too.
    offset = place - start
    return jax.lax.shift_left(jnp.ones(offset.shape, jnp.uint32), offset.astype(jnp.uint32))


def below(place: Int[Array, "1 lanes"], start: Int[Array, "words 1"] | int) -> Array:
    """The set of all places before one, for the words that start at some places."""
    # 0 in words behind the place; all bits are shifted out in words before it.
    offset = jnp.maximum(place - start, 0)
    return ~jax.lax.shift_left(jnp.full(offset.shape, _ALL, jnp.uint32), offset.astype(jnp.uint32))


def between(
    begin: Int[Array, "1 lanes"], end: Int[Array, "1 lanes"], start: Int[Array, "words 1"]
) -> UInt32[Array, "words lanes"]:
    """The set of the places from one (included) to another (not included)."""
    return below(end, start) & ~below(begin, start)


def count(word: UInt32[Array, "n lanes"]) -> Int[Array, "n lanes"]:
    """Members in single words."""
    return jax.lax.population_count(word).astype(jnp.int32)


@traced_once
def size(rows: Rows) -> Int[Array, "1 lanes"]:
    """How many members a set has."""
    return jnp.asarray(sum(map(count, rows)))


@traced_once
def first(rows: Rows) -> Int[Array, "1 lanes"]:
    """The first place of a set; `NONE` if it is empty."""
    place = jnp.full(rows[0].shape, NONE, jnp.int32)
    # From the last word on, so that the first one prevails.
    for number, word in reversed(list(enumerate(rows))):
        # Below the lowest member all bits are 1: their number is its place.
        lowest = WORD * number + count((word & -word) - 1)
        place = jnp.where(word != 0, lowest, place)
    return place


@traced_once
def last(rows: Rows) -> Int[Array, "1 lanes"]:
    """The last place of a set; -1 if it is empty."""
    place = jnp.full(rows[0].shape, -1, jnp.int32)
    for number, word in enumerate(rows):  # in rising order, so that the last word prevails
        highest = WORD * number + 31 - jax.lax.clz(word).astype(jnp.int32)
        place = jnp.where(word != 0, highest, place)
    return place


@traced_once
def before(rows: Rows, place: Lane) -> Rows:
    """The members before a place."""
    return [row & below(place, start) for start, row in with_starts(rows)]


@traced_once
def since(rows: Rows, place: Lane) -> Rows:
    """The members from a place on."""
    return [row & ~below(place, start) for start, row in with_starts(rows)]


@traced_once
def remove(rows: Rows, place: Lane) -> Rows:
    """The members but one."""
    return [row & ~bit(place, start) for start, row in with_starts(rows)]


def with_starts(rows: Sequence[_T]) -> Iterator[tuple[int, _T]]:
    """The words of a set, or of several at once, and before each its first place."""
    return zip(range(0, WORD * len(rows), WORD), rows, strict=True)


def middle_member(rows: Rows) -> Int[Array, "1 lanes"]:
    """The place of rank `n // 2` (from 0) in a set of `n`; any place if it is empty."""
    return member(rows, size(rows) >> 1)


@traced_once
def member(rows: Rows, rank: Int[Array, "1 lanes"]) -> Int[Array, "1 lanes"]:
    """The place of a rank (from 0) in a set; any place if it has no such member."""
    # The word that the member is in, the first place of that word, the members of earlier words.
    word, start, before = rows[0], jnp.zeros_like(rank), jnp.zeros_like(rank)
    passed = count(rows[0])
    for number, row in list(enumerate(rows))[1:]:
        is_before = passed <= rank
        word = jnp.where(is_before, row, word)
        start = jnp.where(is_before, WORD * number, start)
        before = jnp.where(is_before, passed, before)
        passed = passed + count(row)
    rank, place = rank - before, start
    for width in (16, 8, 4, 2, 1):
        low = word & jnp.uint32((1 << width) - 1)
        further = rank >= count(low)
        rank = jnp.where(further, rank - count(low), rank)
        word = jnp.where(further, word >> width, low)
        place = jnp.where(further, place + width, place)
    return place


def pack(members: Bool[Array, "teams lanes"]) -> UInt32[Array, "words lanes"]:
    """The set of the places that are true."""
    teams, lanes = members.shape
    padded = jnp.pad(members, ((0, WORD * word_count(teams) - teams), (0, 0)))
    bits = padded.reshape(-1, WORD, lanes).astype(jnp.uint32)
    return (bits << jnp.arange(WORD, dtype=jnp.uint32)[None, :, None]).sum(axis=1, dtype=jnp.uint32)
