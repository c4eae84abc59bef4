"""The loops of `thesis_swiss.pair_batch`: in every lane, the first of a pool takes an opponent.

A lane is one side of an event (its upper or its lower groups) or, for the middle group, the event.
It knows who is not paired yet, and the pool is who of them is from the first team to be paired to
the end of the pool. Teams without an opponent stay before the first team, and the one of an odd
group that slides is left out at an end: both are among the next group, which is all that is
unpaired up to its edge.

A step is one kernel: it keeps three places in one integer, the team, its opponent and the next
team. Several steps make a turn of the loop. Around them a turn takes the pairs of the turn before
out of the set, gives the next group to the lanes that are through with theirs, and records its own
pairs. So the lanes wait for each other to the end of a turn, not to the end of a group.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.simulation import places
from tb2learn.simulation.places import Lane, Set

STEPS = 3
"""Pairs of one turn. With more, launches are fewer, and more of the steps find an empty pool."""

_NOBODY = 1023
"""Stands for no place; places are those of at most 1000 teams."""


class Groups(NamedTuple):
    """The score groups of a batch.

    **Fields:**

    - `begins`: the set of the first places of all groups.
    - `middle_begin`, `middle_end`: of the middle group.
    - `paired`: so many places are paired, from the first; one number if it is that of all events.
    """

    begins: UInt32[Array, "words batch"]
    middle_begin: Int[Array, "1 batch"]
    middle_end: Int[Array, "1 batch"]
    paired: int | Int[Array, "1 batch"]


class Unmet(NamedTuple):
    """Which teams may meet.

    **Fields:**

    - `order`: the team on a place.
    - `met`: the set of places that a team has met.
    """

    order: Int[Array, "teams batch"]
    met: UInt32[Array, "teams words batch"]


class _Lanes(NamedTuple):
    """What a loop does not change."""

    lower: Bool[Array, "1 lanes"]  # the pairs of lower groups are written from the back
    written: Lane  # pairs that were not written before those of the lane, although they were made
    begins: Set | None  # the groups, None: there is no other
    stop: Lane | None  # the edge of the middle group
    paired: int | Lane


class _Carry(NamedTuple):
    """What a loop carries.

    The pairs of a turn are taken out of the set by the next one. So XLA has to store what the steps
    have made; else every later use of it would compute the steps again.
    """

    unpaired: Set  # without the pairs of `made`
    group: Lane  # three places: its edge towards the middle, the end of its pool, its first team
    pairs: Int[Array, "matches batch"]  # of places: one and, times 1024, the other; and more bits
    made: tuple[Lane, ...]  # of every step three places: a team, its opponent, the next team


def pair_groups(groups: Groups, unmet: Unmet) -> Int[Array, "2 matches batch"]:
    """Pair the upper groups from the top and the lower ones from the bottom, then the middle.

    **Returns:** the two places of every match, in no special order; of equal places where fewer are
    paired than in other events.
    """
    words, batch = groups.begins.shape
    alone = halves = groups.paired
    if not isinstance(alone, int):
        halves = jnp.concatenate([alone, alone], axis=1)
    lower = (jnp.arange(2 * batch) >= batch)[None]
    lanes = _Lanes(
        lower=lower,
        written=jnp.zeros((1, 2 * batch), jnp.int32),
        begins=jnp.concatenate([groups.begins] * 2, axis=1),
        stop=jnp.concatenate([groups.middle_begin, groups.middle_end], axis=1),
        paired=halves,
    )
    everybody = places.below(jnp.broadcast_to(halves, (1, 2 * batch)), places.starts(words))
    pairs = jnp.zeros((len(unmet.order) // 2, batch), jnp.int32)
    # Upper groups grow from the first place, lower ones from behind the last.
    edge = jnp.where(lower, halves, 0)
    group = _packed(edge, edge, jnp.full_like(edge, _NOBODY))
    unpaired, pairs = _pair(everybody, _next_group(everybody, group, lanes), pairs, unmet, lanes)

    # Pairs of lower groups, which are in the slots from the back.
    below = _pairs_made(unpaired[:, batch:], alone)
    lanes = _Lanes(lower[:, :batch], below, None, None, alone)
    unpaired = unpaired[:, :batch] & unpaired[:, batch:]
    for allowed in (unmet, None):  # rule 6: those left may meet again
        first = _first(places.rows_of(unpaired))
        group = _packed(jnp.zeros_like(first), jnp.broadcast_to(alone, first.shape), first)
        unpaired, pairs = _pair(unpaired, group, pairs, allowed, lanes)
    return jnp.stack([pairs & 1023, (pairs >> 10) & 1023])


def _pair(
    unpaired: Set,
    group: Lane,
    pairs: Int[Array, "matches batch"],
    unmet: Unmet | None,
    lanes: _Lanes,
) -> tuple[Set, Int[Array, "matches batch"]]:
    """Pair the group of every lane, and all others up to the middle group.

    **Arguments:**

    - `unpaired`, `group`, `pairs`: as `_Carry` has them.
    - `unmet`: which teams may meet; all if not given.

    **Returns:** who is still not paired, and the pairs.
    """

    def turn(carry: _Carry) -> _Carry:
        unpaired, group = _without(carry.unpaired, carry.made), carry.group
        first = carry.made[-1] >> 20
        if lanes.begins is not None:
            group = _next_group(unpaired, _packed(*_unpacked(group)[:2], first), lanes)
            first = group >> 20
        end = None if lanes.begins is None else _unpacked(group)[1]
        turned: list[Lane] = []
        for _ in carry.made:
            turned.append(_choose(unpaired, first, end, turned, unmet))
            first = turned[-1] >> 20
        pairs = _record(carry.pairs, turned, unpaired, lanes)
        return _Carry(unpaired, group, pairs, tuple(turned))

    def unfinished(carry: _Carry) -> Bool[Array, ""]:
        todo = carry.made[-1] >> 20 != _NOBODY
        if lanes.begins is not None:
            todo |= _unpacked(carry.group)[0] != lanes.stop
        return jnp.any(todo)

    nobody = jnp.full_like(group, _NOBODY)
    nothing = _packed(nobody, nobody, group >> 20)
    steps = STEPS if unmet else 1  # few teams are left at last
    end = jax.lax.while_loop(unfinished, turn, _Carry(unpaired, group, pairs, (nothing,) * steps))
    return _without(end.unpaired, end.made), end.pairs


# --------------------------------------------------------------------------- a step


def _choose(
    pool: Set,
    first: Lane,
    end: Lane | None,
    earlier: list[Lane],
    unmet: Unmet | None,
) -> Lane:
    """Whom the first team of the pool takes.

    **Arguments:**

    - `pool`: at the begin of this turn; only who is not before `first` counts.
    - `first`: the team.
    - `earlier`: the steps of this turn before.
    - `unmet`: which teams may meet; all if not given.

    **Returns:** the team, its opponent and the next team.
    """
    rows = places.since(places.rows_of(pool), first)
    if end is not None:
        rows = places.before(rows, end)
    for step in earlier:
        rows = places.remove(rows, _unpacked(step)[1])
    others = places.remove(rows, first)
    allowed = others
    if unmet is not None:
        allowed = [row & ~met for row, met in zip(others, _met(unmet, first), strict=True)]
    middle = places.middle_member(rows)
    forward, backward = (
        _first(places.since(allowed, middle)),
        places.last(places.before(allowed, middle)),
    )
    backward = jnp.where(backward < 0, _NOBODY, backward)
    choice = jnp.where(forward == _NOBODY, backward, forward)
    return _packed(first, choice, _first(places.remove(others, choice)))


def _met(unmet: Unmet, place: Lane) -> Iterator[UInt32[Array, "1 lanes"]]:
    """The words of the set of places that the team of a place has met; any for no place.

    One look-up a word, so that XLA makes them in the pass that uses them.
    """
    teams, words, batch = unmet.met.shape
    event = places.events(place.shape[1], batch)
    order, met = unmet.order.reshape(-1), unmet.met.reshape(-1)
    team = order.at[jnp.minimum(place, teams - 1) * batch + event].get(mode="promise_in_bounds")
    index = team * (words * batch) + event
    for number in range(words):
        yield met.at[index + number * batch].get(mode="promise_in_bounds")


# --------------------------------------------------------------------------- between turns


def _next_group(unpaired: Set, group: Lane, lanes: _Lanes) -> Lane:
    """Give the next group to every lane that is through with its own and not at the middle.

    Its teams are all that are unpaired from the far side to its edge. If they are an odd number,
    the one next to the edge that is nearest to the middle is left out.

    **Arguments:** and **Returns:** `group` is the group as in `_Carry`.
    """
    assert lanes.begins is not None, "there is one group only: nobody asks for the next"
    edge, _, first = _unpacked(group)
    rows, begins = places.rows_of(unpaired), places.rows_of(lanes.begins)
    upper_edge = jnp.minimum(_first(places.since(begins, edge + 1)), lanes.paired)
    lower_edge = places.last(places.before(begins, edge))
    new_edge = jnp.where(lanes.lower, lower_edge, upper_edge)

    sides = zip(places.since(rows, new_edge), places.before(rows, new_edge), strict=True)
    members = [jnp.where(lanes.lower, since, before) for since, before in sides]
    odd = (places.size(members) & 1) == 1
    # Who slides stands next to the edge: of lower groups the first member, of upper ones the last.
    begin = jnp.where(odd, places.first(members) + 1, new_edge)
    end = jnp.where(odd, places.last(members), new_edge)
    begin, end = jnp.where(lanes.lower, begin, 0), jnp.where(lanes.lower, lanes.paired, end)
    new_first = _first(places.since(rows, begin))
    new_first = jnp.where(new_first < end, new_first, _NOBODY)
    todo = (first == _NOBODY) & (edge != lanes.stop)
    return jnp.where(todo, _packed(new_edge, end, new_first), group)


def _without(unpaired: Set, made: tuple[Lane, ...]) -> Set:
    """Who is unpaired after some steps."""
    starts = places.starts(len(unpaired))
    for step in made:
        team, opponent, _ = _unpacked(step)
        pair = places.bit(team, starts) | places.bit(opponent, starts)
        unpaired = unpaired & ~jnp.where(opponent == _NOBODY, jnp.uint32(0), pair)
    return unpaired


def _record(
    pairs: Int[Array, "matches batch"], made: list[Lane], unpaired: Set, lanes: _Lanes
) -> Int[Array, "matches batch"]:
    """Write the pairs of some steps to the next slots. `unpaired` is who was so before them."""
    matches, batch = pairs.shape
    event = places.events(unpaired.shape[1], batch)
    number = _pairs_made(unpaired, lanes.paired) - lanes.written
    slots = []
    for past, step in enumerate(made):
        has_partner = _unpacked(step)[1] != _NOBODY
        slot = jnp.where(lanes.lower, matches - 1 - number, number)
        # Else beyond the end, at places of their own: the indices are promised to differ.
        slots.append(jnp.where(has_partner, slot, matches + 2 * past + lanes.lower) * batch + event)
        number = number + has_partner
    index, steps = (jnp.concatenate(part).reshape(-1) for part in (slots, made))
    flat = pairs.reshape(-1).at[index].set(steps, mode="drop", unique_indices=True)
    return flat.reshape(pairs.shape)


def _pairs_made(unpaired: Set, paired: int | Lane) -> Lane:
    """How many pairs are made where some are left."""
    return (paired - places.size(places.rows_of(unpaired))) // 2


# --------------------------------------------------------------------------- three places


def _packed(low: Lane, middle: Lane, high: Lane) -> Lane:
    """Three places (0..1023) in one integer, 10 bits each."""
    return low | (middle << 10) | (high << 20)


def _unpacked(packed: Lane) -> tuple[Lane, Lane, Lane]:
    """The three places of an integer."""
    return packed & 1023, (packed >> 10) & 1023, packed >> 20


def _first(rows: places.Rows) -> Lane:
    """The first place of a set, or nobody."""
    return jnp.minimum(places.first(rows), _NOBODY)
