"""Pairings of as many teams as can be: who may meet whom as bits (J. Edmonds 1965).

A team is a number from 0; a set of teams is an integer whose bits are its members. FIDE's rules
for Olympiads (`olympiad_pairing`) and for other team Swisses (`team_swiss`) ask here whether what
is left of a round can be paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

Masks: TypeAlias = Sequence[int]
"""Of every team, by its number, the teams that it may meet, as bits."""


def bits_of(teams: Iterable[int]) -> int:
    """A set of teams."""
    mask = 0
    for team in teams:
        mask |= 1 << team
    return mask


def lowest(mask: int) -> int:
    """The lowest number of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def members_of(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        team = lowest(mask)
        yield team
        mask &= mask - 1


def perfect(group: Sequence[int], masks: Masks) -> dict[int, int] | None:
    """Partners of a complete pairing of some teams; None if there is none."""
    partner = {} if len(group) % 2 else paired(group, masks, 0)
    return partner if len(partner) == len(group) else None


def paired(group: Sequence[int], masks: Masks, most: int) -> dict[int, int]:
    """Partners in a pairing of as many teams as can be; of fewer if more than `most` are left over.

    **Source:** J. Edmonds, Paths, trees, and flowers, 1965.
    """
    members = free = bits_of(group)
    partner: dict[int, int] = {}
    # The team with the fewest choices first finds a complete pairing nearly always.
    for team in sorted(group, key=lambda k: (masks[k] & members).bit_count()):
        choices = masks[team] & free
        if free >> team & 1 and choices:
            opponent = min(members_of(choices), key=lambda k: (masks[k] & free).bit_count())
            partner[team], partner[opponent] = opponent, team
            free &= ~(1 << team | 1 << opponent)
    unpaired = 0
    for team in members_of(free):
        # Who cannot be paired by changing the pairs of others never can be.
        unpaired += team not in partner and bool(alternate(team, members, masks, partner))
        if unpaired > most:
            break
    return partner


def partners_left(group: Sequence[int], masks: Masks, partner: Mapping[int, int], team: int) -> int:
    """Whom a team of a complete pairing can meet so that the rest can be paired, as bits."""
    rest = {first: second for first, second in partner.items() if team not in (first, second)}
    return masks[team] & alternate(partner[team], bits_of(group) & ~(1 << team), masks, rest)


def part(rest: Sequence[int], masks: Masks, partner: dict[int, int], team: int, other: int) -> None:
    """Turn a complete pairing into one of what two teams leave who can meet.

    Who can is what `partners_left` says.
    """
    first, second = partner.pop(team), partner.pop(other)
    if first != other:
        del partner[first], partner[second]
        stuck = alternate(first, bits_of(rest), masks, partner)
        assert not stuck


def alternate(root: int, members: int, masks: Masks, partner: dict[int, int]) -> int:
    """Pair one more team by changing the pairs of others, where that can be done.

    A tree of paths from the root, in which every second step is a pair, grows until it reaches
    another team without a partner. Its odd circles are shrunk.

    **Arguments:** `root`: a team without a partner; `partner` is changed.

    **Returns:** 0 if it was done; else the teams at an even number of steps from the root: each
    could be the one without a partner, were the pairs on the way to it changed.
    """
    came_from: dict[int, int] = {}
    base: dict[int, int] = {}  # of teams on shrunk circles: that of the circle
    circle: dict[int, int] = {}  # by base, as bits
    even, odd, paired = 1 << root, 0, bits_of(partner)
    queue = [root]

    def above(team: int) -> int:
        """The base two steps nearer to the root."""
        before = came_from[partner[team]]
        return base.get(before, before)

    def shrink(team: int, other: int) -> int:
        """Make one of the circle that two even teams close; return its teams as bits."""
        way, at = set(), base.get(team, team)
        while at != root:
            way.add(at)
            at = above(at)
        top = base.get(other, other)
        while top != root and top not in way:
            top = above(top)
        bits = circle.get(top, 1 << top)
        for start, child in ((team, other), (other, team)):
            at = start
            while base.get(at, at) != top:
                mate = partner[at]
                for member in (base.get(at, at), base.get(mate, mate)):
                    bits |= circle.get(member, 1 << member)
                came_from[at] = child
                child, at = mate, came_from[mate]
        for member in members_of(bits & ~circle.get(top, 0)):
            base[member] = top
        circle[top] = bits
        return bits

    for team in queue:
        fresh = masks[team] & members & ~even & ~odd
        if fresh & ~paired:
            end: int | None = lowest(fresh & ~paired)
            came_from[end] = team
            while end is not None:
                before = came_from[end]
                following = partner.get(before)
                partner[end], partner[before] = before, end
                end = following
            return 0
        for newcomer in members_of(fresh):
            came_from[newcomer] = team
            odd |= 1 << newcomer
            even |= 1 << partner[newcomer]
            queue.append(partner[newcomer])
        while True:
            own_circle = circle.get(base.get(team, team), 1 << team)
            closing = masks[team] & even & members & ~own_circle
            if not closing:
                break
            bits = shrink(team, lowest(closing))
            queue += members_of(bits & ~even)
            even |= bits
    return even
