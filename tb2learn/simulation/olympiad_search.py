"""The search for the pairs of an Olympiad's round, for many events in lockstep.

Every lane pairs one side of an event: its upper groups in the order of rank, or its lower groups
in the reverse order, so that the order of scrutiny is always that of places. A step takes the
first team of the pool that is not paired and gives it the first opponent in the order of trial.
If there is none, the pair made last is undone and its first team tries its next opponent: so the
first complete pairing in the order of trial is found without asking, before every pair, whether
the rest can be paired. A group that is not paired after `UNDONE` such steps tries another team
that floats, then goes on without colours (7.4), then lets the teams without an opponent float. The
median groups follow in lanes of their own; where one cannot be paired its neighbours above give
up pairs, one after the other.

Not exact are groups that need more than `UNDONE` steps back, two teams that float from an even
group, more floaters than the group that they enter has teams, and a median group that takes more
floaters.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.simulation import places
from tb2learn.simulation.places import Lane, Set

UNDONE, TRIALS = 4, 3
"""Pairs that a group may undo before another team floats; teams of a group that may float so."""

SMALL = 60
"""In a field of so many teams who can meet nobody but the team that was chosen to float goes on, or
floats itself, at once. In a smaller one, where this is frequent, another team is chosen."""

MORE = 2
"""Pairs of one turn of the search beside the first."""

_LOOSE, _ANY_FLOATER, _GREEDY = 1, 2, 4
"""Levels of a group that is no median: from 1 on, and from 3 on, without colours; from 2 on whoever
floats need not find an opponent in the next group; at 4 teams without an opponent float."""

_MERGED, _REMATCH = 2, 10
"""Levels of a median group: from 1 on without colours; from 2 on with all floaters as one group, to
which every further level adds a pair of the groups above; at 10 teams meet again."""

_NOBODY = 1023
"""Stands for no place; places are those of at most 1000 teams."""

Flag: TypeAlias = Bool[Array, "1 lanes"]


class Field(NamedTuple):
    """The teams of a round on their places."""

    order: Int[Array, "teams batch"]  # the team on a place
    met: UInt32[Array, "teams words batch"]  # by team, the set of places that it has met
    begins: UInt32[Array, "words batch"]  # first places of groups
    white: UInt32[Array, "words batch"]  # who may have White
    black: UInt32[Array, "words batch"]
    paired: int


def _mirrored_rows(
    rows: list[UInt32[Array, "n lanes"]], paired: int
) -> list[UInt32[Array, "n lanes"]]:
    """A set of places with place `p` as `paired - 1 - p`."""
    turned = [_reversed_bits(row) for row in rows[::-1]]
    shift = places.WORD * len(rows) - paired
    if not shift:
        return turned
    whole, bits = divmod(shift, places.WORD)
    turned = turned[whole:] + [jnp.zeros_like(rows[0])] * whole
    if not bits:
        return turned
    following = [*turned[1:], jnp.zeros_like(rows[0])]
    return [
        (a >> bits) | (b << (places.WORD - bits)) for a, b in zip(turned, following, strict=True)
    ]


def _reversed_bits(word: UInt32[Array, "n lanes"]) -> UInt32[Array, "n lanes"]:
    for width, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        word = ((word >> width) & jnp.uint32(mask)) | ((word & jnp.uint32(mask)) << width)
    return (word >> 16) | (word << 16)


class _Lanes(NamedTuple):
    """What a loop does not change."""

    field: Field
    event: Lane
    mirrored: Flag | None  # lanes of lower groups; None in the lanes of median groups
    begins: Set
    white: Set
    black: Set
    stop: Lane  # where the median group begins; in lanes of median groups where it ends

    def met_by(self, place: Lane) -> places.Rows:
        """The set of places that a place has met; any set for no place."""
        teams, words, batch = self.field.met.shape
        if self.mirrored is not None:
            place = jnp.where(self.mirrored, self.field.paired - 1 - place, place)
        where = jnp.clip(place, 0, teams - 1) * batch + self.event
        team = self.field.order.reshape(-1).at[where].get(mode="promise_in_bounds")
        flat, index = self.field.met.reshape(-1), team * (words * batch) + self.event
        met = [flat.at[index + k * batch].get(mode="promise_in_bounds") for k in range(words)]
        if self.mirrored is None:
            return met
        turned = _mirrored_rows(met, self.field.paired)
        return [jnp.where(self.mirrored, a, b) for a, b in zip(turned, met, strict=True)]


class _Search(NamedTuple):
    """The search in every lane, and what its group began with."""

    # Teams.
    unpaired: Set
    fresh: Set  # who was unpaired when the group began
    waits: Set  # who floats on from the group, beside `out`
    # The group.
    begin: Lane  # the first place of the group; floaters from above stand before it
    edge: Lane  # the first place after those that are paired now
    out: Lane  # who was chosen to float from an odd group; _NOBODY
    level: Lane  # what is allowed by now: _LOOSE, _GREEDY, _MERGED, _REMATCH
    unchecked: Flag  # whether it is still to be seen if `out` may float
    # Pairs.
    depth: Lane  # pairs made
    base: Lane  # pairs made before the group
    # Going back.
    resume: Lane  # the opponent of the first team in the pair that was undone last; -1
    undone: Lane  # pairs taken back at this level
    trials: Lane  # floaters tried at this level
    # Last, as they alone have no lanes: `_where` relies on it.
    pairs: Int[Array, "matches batch"]  # of places: one, and times 1024 the other


def pair_field(field: Field, is_first: Bool[Array, ""]) -> Int[Array, "2 matches batch"]:
    """The two places of every match; in the first round the halves meet, which needs no search."""
    words, batch = field.begins.shape
    begin_of, paired = places.starts(words), field.paired
    upper = places.below(jnp.full((1, batch), paired // 2 + 1), begin_of)
    median_begin = places.last(places.rows_of(field.begins & upper))
    median_end = jnp.minimum(places.first(places.rows_of(field.begins & ~upper)), paired)
    everybody = places.below(jnp.full((1, batch), jnp.where(is_first, 0, paired)), begin_of)

    def mirror(members: Set) -> Set:
        return jnp.concatenate(_mirrored_rows(places.rows_of(members), paired))

    def both(members: Set) -> UInt32[Array, "words twice"]:
        return jnp.concatenate([members, mirror(members)], axis=1)

    # In the mirror a group begins at its last place, which is before the first of the next one.
    begins = jnp.concatenate([field.begins, mirror(_last_places(field.begins, paired))], axis=1)
    zero = jnp.zeros((1, 2 * batch), jnp.int32)
    event = jnp.arange(batch, dtype=jnp.int32)[None]
    twice = jnp.concatenate([event, event], axis=1)
    lanes = _Lanes(
        field=field,
        event=twice,
        mirrored=(jnp.arange(2 * batch) >= batch)[None],
        begins=begins,
        white=both(field.white),
        black=both(field.black),
        # The upper lanes stop where the median group begins, the mirrored ones at its end.
        stop=jnp.concatenate([median_begin, paired - median_end], axis=1),
    )
    place = jnp.arange(paired // 2, dtype=jnp.int32)[:, None]
    # What stands where nothing is searched: the halves of the first round.
    pairs = jnp.broadcast_to(place | ((place + paired // 2) << 10), (paired // 2, batch))
    unpaired, depth, pairs = _run(_begun(both(everybody), zero, zero, zero, pairs), lanes)

    unpaired_by_both = unpaired[:, :batch] & mirror(unpaired[:, batch:])  # paired by neither side
    lanes = _Lanes(
        field=field,
        event=event,
        mirrored=None,
        begins=field.begins,
        white=field.white,
        black=field.black,
        stop=median_end,
    )
    edge = jnp.full_like(median_begin, paired)
    median_begin = jnp.where(is_first, paired, median_begin)  # nothing is left to be checked
    _, _, pairs = _run(_begun(unpaired_by_both, median_begin, edge, depth[:, :batch], pairs), lanes)
    return jnp.stack([pairs & 1023, pairs >> 10])


def _where(when: Flag, one: _Search, other: _Search) -> _Search:
    """One search or another, lane by lane, with the pairs of the other."""
    # Pairs have no axis of lanes.
    chosen = [jnp.where(when, a, b) for a, b in zip(one[:-1], other[:-1], strict=True)]
    return other._replace(**dict(zip(_Search._fields, chosen, strict=False)))


def _begun(unpaired: Set, begin: Lane, edge: Lane, depth: Lane, pairs: Array) -> _Search:
    """A group before its first step."""
    zero = jnp.zeros_like(begin)
    nobody, nothing = zero + _NOBODY, jnp.zeros_like(unpaired)
    return _Search(
        unpaired=unpaired,
        fresh=unpaired,
        waits=nothing,
        begin=begin,
        edge=edge,
        out=nobody,
        level=zero,
        unchecked=edge > begin,
        depth=depth,
        base=depth,
        resume=zero - 1,
        undone=zero,
        trials=zero,
        pairs=pairs,
    )


def _last_places(begins: Set, paired: int) -> Set:
    """The last places of the groups that begin at some places."""
    rows = places.rows_of(begins)
    following = [*rows[1:], jnp.zeros_like(rows[0])]
    moved = [(a >> 1) | (b << 31) for a, b in zip(rows, following, strict=True)]
    last = places.bit(jnp.full(rows[0].shape, paired - 1), places.starts(len(rows)))
    return jnp.concatenate(moved) | last


# What a step has decided, above the two places.
_NOTHING, _PAIR, _UNDO, _WAIT, _CHECKED, _FAILED, _GOES_ON, _ISOLATED, _HOPELESS = range(9)


FEW = 4
"""One of so many lanes goes on by itself, without those that are through."""


def _run(search: _Search, lanes: _Lanes) -> tuple[Set, Lane, Int[Array, "matches batch"]]:
    """Search until no lane has anybody left to pair: who is unpaired, pairs of a lane, all pairs.

    A turn costs as much as it has lanes, and a few lanes take several times as many turns as the
    others. So when few are left they go on side by side.
    """
    number = lanes.event.shape[1]
    few = -(-number // FEW)
    search, busy = _turns(search, lanes, few)
    lanes_at_work = jax.lax.top_k(busy[0].astype(jnp.int32), few)[1]
    after, _ = _turns(
        _columns(search, lanes_at_work, ("pairs",)), _columns(lanes, lanes_at_work, ("field",)), 0
    )
    unpaired = search.unpaired.at[:, lanes_at_work].set(after.unpaired, unique_indices=True)
    depth = search.depth.at[:, lanes_at_work].set(after.depth, unique_indices=True)
    return unpaired, depth, after.pairs


def _columns(parts: Any, who: Int[Array, " few"], but: tuple[str, ...]) -> Any:
    """Some of the lanes, with those parts whole that have no lanes."""
    chosen = {name: part for name, part in parts._asdict().items() if name not in but}
    return parts._replace(**jax.tree.map(lambda part: part[:, who], chosen))


def _turns(search: _Search, lanes: _Lanes, few: int) -> tuple[_Search, Flag]:
    """Search until at most a few lanes have anybody left to pair: those are the flags.

    A turn of the loop does what the turn before has decided, then decides. A lane that makes a
    pair, or has begun a group, makes up to `MORE` further pairs in the same turn. What is decided
    is one integer a lane and step: so it is computed in one pass, and once.
    """

    def busy(steps: tuple[Lane, ...]) -> Flag:
        return (steps[0] >> 20) != _NOTHING

    def unfinished(carry: tuple) -> Bool[Array, ""]:
        return jnp.sum(busy(carry[1]), dtype=jnp.int32) > few

    def decide(packed: tuple[Array, ...]) -> tuple[Lane, ...]:
        search = _unpacked(packed)
        steps = [_decide(search, lanes)]
        for _ in range(MORE):
            steps.append(_one_more(search, steps, lanes))
        return tuple(steps)

    def done(packed: tuple[Array, ...], steps: tuple[Lane, ...]) -> tuple[Array, ...]:
        search = _done(_unpacked(packed), steps, lanes)
        return _packed(search if lanes.mirrored is None else _next_group(search, lanes))

    def turn(carry: tuple) -> tuple:
        packed, steps = carry
        # Always true. Without a branch XLA would do everything again in each of the steps.
        packed = jax.lax.cond(unfinished(carry), done, lambda packed, _: packed, packed, steps)
        return packed, decide(packed)

    # Before the first turn nobody floats on: so the loop alone decides, and is compiled once.
    nothing = jnp.full_like(search.level, _NOBODY | (_WAIT << 20))
    start = _packed(search), (nothing,) + (jnp.zeros_like(nothing),) * MORE
    packed, steps = jax.lax.while_loop(unfinished, turn, start)
    return _unpacked(packed), busy(steps)


def _packed(search: _Search) -> tuple[Array, ...]:
    """The search in few arrays: each is a kernel of every turn."""
    group = search.begin | (search.edge << 10) | (search.out << 20)
    counts = search.depth | (search.base << 10)
    # 4 bits for levels up to 10, 3 for `UNDONE`, 2 for `TRIALS`.
    tries = search.level | (search.undone << 4) | (search.trials << 7)
    state = counts | (tries << 20) | (search.unchecked.astype(jnp.int32) << 29)
    return search.unpaired, search.fresh, search.waits, group, state, search.resume, search.pairs


def _unpacked(packed: tuple[Array, ...]) -> _Search:
    """The search from the arrays of `_packed`: every number from its own bits."""
    unpaired, fresh, waits, group, state, resume, pairs = packed
    return _Search(
        unpaired=unpaired,
        fresh=fresh,
        waits=waits,
        begin=group & 1023,
        edge=(group >> 10) & 1023,
        out=group >> 20,
        level=(state >> 20) & 15,
        unchecked=(state >> 29) == 1,
        depth=state & 1023,
        base=(state >> 10) & 1023,
        resume=resume,
        undone=(state >> 24) & 7,
        trials=(state >> 27) & 3,
        pairs=pairs,
    )


def _next_group(search: _Search, lanes: _Lanes) -> _Search:
    """Give the next group to every lane that is through with its own and not at the median."""
    begins = places.rows_of(lanes.begins)
    edge = places.first(places.since(begins, search.edge + 1))
    edge = jnp.minimum(edge, lanes.field.paired)
    size = places.size(places.before(places.rows_of(search.unpaired), edge))
    begun = _begun(search.unpaired, search.edge, edge, search.depth, search.pairs)
    # All residents are unpaired, so the last of them, who floats first, stands before the edge.
    begun = begun._replace(out=jnp.where(size & 1 == 1, edge - 1, _NOBODY))
    done = ~search.unchecked & ~_some(_pool(search)) & (search.edge < lanes.stop)
    return _where(done, begun, search)


def _pool(search: _Search) -> places.Rows:
    """Who is to be paired now."""
    return _staying(search.unpaired, search)


def _staying(members: Set, search: _Search) -> places.Rows:
    """Those of some teams who are in the group and do not float on from it."""
    # Row by row: a set that is computed before it is taken apart keeps XLA from vectorising.
    rows = zip(places.rows_of(members), places.rows_of(search.waits), strict=True)
    return places.remove(
        places.before([row & ~waits for row, waits in rows], search.edge), search.out
    )


def _bounds(search: _Search, lanes: _Lanes) -> tuple[Lane, Lane]:
    """The first place of the residents, and the first one after them."""
    if lanes.mirrored is not None:
        return search.begin, search.edge
    merged = search.level >= _MERGED
    return jnp.where(merged, 0, search.begin), jnp.where(merged, lanes.field.paired, lanes.stop)


def _first(pool: places.Rows, bounds: tuple[Lane, Lane], lanes: _Lanes) -> Lane:
    """Whose turn it is: floaters come before the residents; _NOBODY in an empty pool."""
    first = places.first(pool)
    if lanes.mirrored is None:  # floaters from above, then those from below, the lowest first
        lowest = places.last(pool)
        first = jnp.where((first >= bounds[0]) & (lowest >= bounds[1]), lowest, first)
    return jnp.minimum(first, _NOBODY)


def _barred(me: Lane, search: _Search, lanes: _Lanes) -> tuple[places.Rows, places.Rows, Flag]:
    """Whom a team has met, whom it may not meet, and whether colours do not count."""
    met, level = lanes.met_by(me), search.level
    if lanes.mirrored is None:
        loose, again = level >= _LOOSE, level >= _REMATCH
        met = [jnp.where(again, 0, row) for row in met]
    else:
        loose = (level & 1 == 1) | (level >= _GREEDY)
    clash = _clash(me, lanes, loose)
    return met, [a | b for a, b in zip(met, clash, strict=True)], loose


def _choice(
    me: Lane,
    pool: places.Rows,
    barred: places.Rows,
    bounds: tuple[Lane, Lane],
    resume: Lane | None = None,
) -> Lane:
    """Whom a team takes, in the order of trial: from the middle on, then backwards; -1 for nobody.

    A floater takes the nearest resident. After a pair was undone those are left that come after its
    opponent, `resume`, in the order of trial.
    """
    begin, end = bounds
    floated = (me < begin) | (me >= end)
    allowed = [row & ~bar for row, bar in zip(places.remove(pool, me), barred, strict=True)]
    residents = places.before(places.since(allowed, begin), end)
    allowed = [jnp.where(floated, a, b) for a, b in zip(residents, allowed, strict=True)]
    centre = jnp.where(floated, jnp.where(me < begin, begin, end), places.middle_member(pool))
    if resume is None:
        ahead, behind = places.first(places.since(allowed, centre)), places.before(allowed, centre)
    else:
        open_ahead = (resume < 0) | (resume >= centre)
        ahead = places.first(places.since(allowed, jnp.maximum(centre, resume + 1)))
        ahead = jnp.where(open_ahead, ahead, places.NONE)
        behind = places.before(allowed, jnp.where(open_ahead, centre, resume))
    return jnp.where(ahead < places.NONE, ahead, places.last(behind))


def _one_more(search: _Search, steps: list[Lane], lanes: _Lanes) -> Lane:
    """A further pair of a turn; nothing if the step before made none, or nobody can be taken."""
    pool = _pool(search)
    for step in steps:
        is_pair = (step >> 20) == _PAIR
        for place in (step & 1023, (step >> 10) & 1023):
            pool = places.remove(pool, jnp.where(is_pair, place, _NOBODY))
    bounds = _bounds(search, lanes)
    me = _first(pool, bounds, lanes)
    _, barred, _ = _barred(me, search, lanes)
    choice = _choice(me, pool, barred, bounds)
    goes_on = (steps[-1] >> 20) == _PAIR
    if len(steps) == 1:
        goes_on |= (steps[0] >> 20) == _CHECKED
    has_partner = goes_on & (me < _NOBODY) & (choice >= 0)
    return jnp.where(has_partner, me | (choice << 10) | (_PAIR << 20), 0)


def _decide(search: _Search, lanes: _Lanes) -> Lane:
    """What is to be done: a place, its opponent, and what happens to them."""
    median = lanes.mirrored is None
    pool, bounds = _pool(search), _bounds(search, lanes)
    first = _first(pool, bounds, lanes)
    someone = first < _NOBODY
    me = jnp.where(search.unchecked, search.out, first)
    met, barred, loose = _barred(me, search, lanes)
    choice = _choice(me, pool, barred, bounds, search.resume)
    floated = (me < bounds[0]) | (me >= bounds[1])

    group = places.remove(_staying(search.fresh, search), me)
    # Could this team meet anybody of its group at all, whoever were unpaired? Else no step back
    # helps.
    alone = ~_some([row & ~bar for row, bar in zip(group, barred, strict=True)])
    back = ~alone & (search.depth > search.base) & (search.undone < UNDONE)
    if lanes.field.paired < SMALL:
        # In a small field the same question with everybody who is in the group, who floats from it,
        # too.
        group = places.before(places.rows_of(search.fresh & ~search.waits), search.edge)
        residents = places.before(places.since(group, bounds[0]), bounds[1])
        may = zip(places.remove(group, me), residents, met, barred, strict=True)
        alone = ~_some([jnp.where(floated, b & ~c, a & ~d) for a, b, c, d in may])
    stuck = jnp.where(floated & alone, _GOES_ON, jnp.where(alone, _ISOLATED, _FAILED))
    stuck = jnp.where(back, _UNDO, stuck)
    if not median:
        stuck = jnp.where(search.level >= _GREEDY, _WAIT, stuck)
    decided = jnp.where(choice >= 0, _PAIR, stuck)
    decided = jnp.where(someone, decided, _NOTHING)
    if not median:
        decided = jnp.where(~someone & (search.edge < lanes.stop), _CHECKED, decided)

    # A check: may who floats meet somebody of the next group, and can colours be enough?
    surplus = _surplus(pool, lanes, loose)
    refused = surplus > 0
    if not median:
        next_edge = places.first(places.since(places.rows_of(lanes.begins), search.edge + 1))
        beyond = places.before(
            places.since(places.rows_of(search.unpaired), search.edge), next_edge
        )
        reaches = _some([row & ~bar for row, bar in zip(beyond, met, strict=True)])
        reaches |= (search.out == _NOBODY) | (search.level >= _ANY_FLOATER)
        refused = (refused | ~reaches) & (search.level < _GREEDY)
    checked = jnp.where(surplus > 1, _HOPELESS, _FAILED)
    checked = jnp.where(refused, checked, _CHECKED)
    decided = jnp.where(search.unchecked, checked, decided)
    return me | (jnp.maximum(choice, 0) << 10) | (decided << 20)


def _done(search: _Search, steps: tuple[Lane, ...], lanes: _Lanes) -> _Search:
    """The search after what was decided."""
    last_kind, pair = steps[0] >> 20, steps[0] & ((1 << 20) - 1)
    words = len(search.unpaired)
    failed = last_kind >= _FAILED
    # With a median group that failed, the last pair of the groups above is given up.
    position = jnp.where(failed, search.base, search.depth) - 1
    undone = _pair_at(search.pairs, position, lanes)
    trial = (_median_trial if lanes.mirrored is None else _group_trial)(search, steps[0], undone)
    back, nobody = last_kind == _UNDO, jnp.uint32(0)
    unpaired, depth = search.unpaired, search.depth
    for step in steps:
        is_pair = (step >> 20) == _PAIR
        unpaired &= ~jnp.where(is_pair, _pair_set(step, words), nobody)
        depth += is_pair
    unpaired |= jnp.where(back, _pair_set(undone, words), nobody)
    waits = search.waits | jnp.where(last_kind == _WAIT, _bit(pair & 1023, words), nobody)
    after = search._replace(
        unpaired=unpaired,
        waits=waits,
        unchecked=search.unchecked & (last_kind != _CHECKED),
        depth=depth - back,
        # After a new pair the next team begins its trials anew.
        resume=jnp.where(depth > search.depth, -1, jnp.where(back, undone >> 10, search.resume)),
        undone=search.undone + back,
    )
    pairs = _written(search, steps, (undone, position), lanes)
    return _where(failed, trial, after)._replace(pairs=pairs)


def _group_trial(search: _Search, decision: Lane, undone: Lane) -> _Search:
    """What is tried next in a group that was not paired: other floaters, then another level."""
    decision_kind, me = decision >> 20, decision & 1023
    odd = search.out != _NOBODY
    # 1. A floater that can meet nobody here goes on.
    goes_on = decision_kind == _GOES_ON
    gone = jnp.where(goes_on, _bit(me, len(search.waits)), jnp.uint32(0))
    last = search.edge - 1
    # 2. The next team floats instead; a team that can meet nobody in the group, at once.
    floater = jnp.where((decision_kind == _ISOLATED) & (me < search.out), me, search.out - 1)
    again = (
        odd & (floater >= search.begin) & (search.trials < TRIALS) & (decision_kind != _HOPELESS)
    )
    next_floater = jnp.where(again, floater, jnp.where(odd, last, _NOBODY))
    next_floater = jnp.where(goes_on, jnp.where(odd, _NOBODY, last), next_floater)
    return _again(search, search.fresh, search.base)._replace(
        waits=search.waits | gone,
        out=next_floater,
        level=jnp.where(again | goes_on, search.level, search.level + 1),
        trials=jnp.where(again, search.trials + 1, 0),
    )


def _median_trial(search: _Search, decision: Lane, undone: Lane) -> _Search:
    """What is tried next in a median group that was not paired."""
    level = search.level + 1
    # A failed median takes back the pair before its own first one, as long as there is one.
    wider = (level > _MERGED) & (search.base > 0)
    pair = jnp.where(wider, _pair_set(undone, len(search.fresh)), jnp.uint32(0))
    level = jnp.where((level > _MERGED) & ~wider, _REMATCH, level)
    return _again(search, search.fresh | pair, search.base - wider)._replace(level=level)


def _again(search: _Search, fresh: Set, base: Lane) -> _Search:
    """The group from its beginning."""
    return search._replace(
        unpaired=fresh,
        fresh=fresh,
        unchecked=jnp.ones_like(search.unchecked),
        depth=base,
        base=base,
        resume=jnp.full_like(search.resume, -1),
        undone=jnp.zeros_like(search.undone),
    )


def _clash(me: Lane, lanes: _Lanes, loose: Flag) -> places.Rows:
    """Who does not fit a team's colours (7.3)."""
    rows = []
    colours = [*zip(places.rows_of(lanes.white), places.rows_of(lanes.black), strict=True)]
    for start, (white, black) in places.with_starts(colours):
        mine = places.bit(me, start)
        rows.append((white & mine, black & mine))
    may_white, may_black = _some([a for a, _ in rows]), _some([b for _, b in rows])
    fits = []
    for white, black in colours:
        fit = jnp.where(may_white, black, jnp.uint32(0)) | jnp.where(may_black, white, 0)
        fits.append(jnp.where(loose, jnp.uint32(0), ~fit))
    return fits


def _surplus(pool: places.Rows, lanes: _Lanes, loose: Flag) -> Lane:
    """Teams that need one colour, beyond those who could give it; 0 where colours do not count."""
    whites, blacks = places.rows_of(lanes.white), places.rows_of(lanes.black)
    number = places.size(pool)
    only_white = places.size([p & ~b for p, b in zip(pool, blacks, strict=True)])
    only_black = places.size([p & ~w for p, w in zip(pool, whites, strict=True)])
    majority = jnp.maximum(only_white, only_black)
    return jnp.where(loose, 0, jnp.maximum(2 * majority - number, 0))


# --------------------------------------------------------------------------- pairs, sets


def _slot(depth: Lane, lanes: _Lanes, pairs: Array) -> Lane:
    """Where a pair is written: those of lower groups from the back."""
    matches = len(pairs)
    return (
        depth if lanes.mirrored is None else jnp.where(lanes.mirrored, matches - 1 - depth, depth)
    )


def _turned(pair: Lane, lanes: _Lanes) -> Lane:
    """A pair with places as they are, or as in the mirror; either makes the other."""
    if lanes.mirrored is None:
        return pair
    last = lanes.field.paired - 1
    mirrored = (last - (pair & 1023)) | ((last - (pair >> 10)) << 10)
    return jnp.where(lanes.mirrored, mirrored, pair)


def _pair_at(pairs: Array, depth: Lane, lanes: _Lanes) -> Lane:
    slot = _slot(jnp.clip(depth, 0, len(pairs) - 1), lanes, pairs)
    where = slot * pairs.shape[1] + lanes.event
    return _turned(pairs.reshape(-1).at[where].get(mode="promise_in_bounds"), lanes)


def _written(
    search: _Search,
    steps: tuple[Lane, ...],
    undone: tuple[Lane, Lane],
    lanes: _Lanes,
) -> Int[Array, "matches batch"]:
    """The pairs with those of some steps. `undone` is an earlier pair and its position."""
    matches, batch = search.pairs.shape
    depth, index, pairs = search.depth, [], []

    def write(when: Flag, position: Lane, pair: Lane) -> None:
        slot = _slot(position, lanes, search.pairs)
        index.append(jnp.where(when, slot * batch + lanes.event, matches * batch))
        pairs.append(_turned(pair & ((1 << 20) - 1), lanes))

    # That pair once more: XLA copies the pairs, unless all that reads them is for writing them.
    write(undone[1] >= 0, *undone[::-1])
    for step in steps:
        is_pair = (step >> 20) == _PAIR
        write(is_pair, depth, step)
        depth = depth + is_pair
    where, new = (jnp.concatenate(part).reshape(-1) for part in (index, pairs))
    flat = search.pairs.reshape(-1).at[where].set(new, mode="drop")
    return flat.reshape(search.pairs.shape)


def _bit(place: Lane, words: int) -> Set:
    return places.bit(place, places.starts(words))


def _pair_set(pair: Lane, words: int) -> Set:
    return _bit(pair & 1023, words) | _bit((pair >> 10) & 1023, words)


def _some(rows: places.Rows) -> Flag:
    together = rows[0]
    for row in rows[1:]:
        together = together | row
    return together != 0
