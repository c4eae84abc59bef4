"""The Chess Olympiad's pairing rules (FIDE Handbook D.02), exactly, for one round.

Two editions differ in how teams are ranked: that of 2022 by match points, then initial number;
the older one (2010 to 2018) by match points, game points, then initial number. Article numbers
are those of the text in force since 1 January 2022.

The pairing goes from the outside to the middle. Teams on equal match points are a *group*. Groups
are paired from the top down to just above the median group, from the bottom up to just below it,
then the median group itself (6.4). In a group that is odd a team *floats* towards the median (8).
Above and in the median group the order of scrutiny is from the highest rank down, below it from
the lowest rank up (9.2). Two teams never meet twice; among those that may meet, pairs that leave
both teams a colour on board 1 (7.3) go first, and colours are given up only where a group would
otherwise not be paired (7.4).

`pair_round` gives the pairs with colours and says why: which group, who floats, and which
opponents were tried before and refused for what reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import comb
from typing import TypeAlias

from tb2learn.chess import EDITIONS, Edition
from tb2learn.chess.matching import (
    Masks,
    bits_of,
    lowest,
    members_of,
    paired,
    part,
    partners_left,
    perfect,
)
from tb2learn.types import InputError, one_of

MOST_TEAMS = 1000

_SEATINGS, _CHOICES = 60, 2000  # ways to seat floaters, and to choose who floats on, that are tried


@dataclass(frozen=True)
class PairedTeam:
    """What the rules ask of a team.

    **Fields:**

    - `number`: the initial number, 1 is the strongest.
    - `match_points`, `game_points`: so far, with those of byes and defaults.
    - `met`: initial numbers of past opponents.
    - `colours`: of board 1, a letter a round so far: `W`, `B`, or `-` without a game there.
    """

    number: int
    match_points: float = 0
    game_points: float = 0
    met: frozenset[int] = frozenset()
    colours: str = ""

    @property
    def difference(self) -> int:
        """Whites less Blacks on board 1."""
        return self.colours.count("W") - self.colours.count("B")

    def may_have(self, colour: str) -> bool:
        """Whether the colour is neither the third in a row nor leads beyond a difference of two."""
        # Rounds without a game on board 1 do not end a row of colours.
        played = self.colours.replace("-", "")
        step = 1 if colour == "W" else -1
        # 7.3: it would be the third in a row, or a lead of three.
        return played[-2:] != 2 * colour and abs(self.difference + step) <= 2


@dataclass(frozen=True)
class RoundPair:
    """Two teams that meet, by initial number.

    **Fields:**

    - `white`, `black`: who has White and who has Black on board 1.
    - `group`: match points of the group in which the pair was made.
    - `how`: `group` for two teams of the group; `from above`, `from below` where one floated in;
      `merged` where groups were paired together as nothing else was left.
    """

    white: int
    black: int
    group: float
    how: str


@dataclass(frozen=True)
class Refusal:
    """Why a team that was tried is no opponent: `met`, `colours`, or `rest`.

    `rest`: the teams that are left of the group could not be paired.
    """

    team: int
    other: int
    why: str


@dataclass(frozen=True)
class RoundPairing:
    """The pairing of a round.

    **Fields:**

    - `pairs`: in the order of the boards: by the higher ranked team.
    - `bye`: the initial number of the team that is not paired, if their number is odd.
    - `order`: initial numbers by rank.
    - `median`: match points of the median group; None in the first round.
    - `floats`: initial number, and the match points of the group that the team left, in order.
    - `refusals`: what was tried before the pairs that stand, in order.
    """

    pairs: tuple[RoundPair, ...]
    bye: int | None
    order: tuple[int, ...]
    median: float | None = None
    floats: tuple[tuple[int, float], ...] = ()
    refusals: tuple[Refusal, ...] = ()


def ranked(teams: Iterable[PairedTeam], edition: Edition) -> list[PairedTeam]:
    """The teams in the order of the edition, highest first."""
    one_of("edition", edition, EDITIONS)
    if edition == "olympiad-2022":
        return sorted(teams, key=lambda team: (-team.match_points, team.number))
    return sorted(teams, key=lambda team: (-team.match_points, -team.game_points, team.number))


def pair_round(
    teams: Iterable[PairedTeam],
    edition: Edition,
    no_bye: Iterable[int] = (),
    first_white: bool = True,
) -> RoundPairing:
    """Pair one round.

    **Arguments:**

    - `teams`: those that are present, 2 to 1,000, with different initial numbers.
    - `edition`: how they are ranked.
    - `no_bye`: initial numbers of teams that may not have the bye: they had one, or won by
      default, or came late (4).
    - `first_white`: of the first round, whether the highest team has White on board 1 (a lot).

    **Raises:** `InputError` for other numbers of teams, or a field that cannot be paired.
    """
    order = ranked(teams, edition)
    if not 2 <= len(order) <= MOST_TEAMS:
        raise InputError(f"a round has 2..{MOST_TEAMS} teams, got {len(order)}")
    bye = None
    if len(order) % 2:
        refused = set(no_bye)
        allowed = [team for team in order if team.number not in refused]
        # 4: the lowest ranked. If nobody is left who may have it, the lowest has a second one.
        bye = (allowed or order)[-1]
        order.remove(bye)
    numbers = tuple(team.number for team in order)
    # By what teams have met, not by a number: a bye alone begins no event.
    if not any(team.met or team.colours.strip("-") for team in order):
        pairing = _first_round(order, first_white)
        return RoundPairing(pairing, bye and bye.number, numbers)
    search = _Search(order)
    pairs = search.pair_all()
    rows = sorted((min(a, b), max(a, b), group, how) for a, b, group, how in pairs)
    result = []
    for a, b, group, how in rows:
        white, black = colours(order[a], order[b])
        result.append(RoundPair(white.number, black.number, group, how))
    floats = tuple((order[team].number, order[team].match_points) for team in search.floats)
    refusals = tuple(Refusal(numbers[a], numbers[b], why) for a, b, why in search.refusals)
    median = order[len(order) // 2].match_points
    return RoundPairing(tuple(result), bye and bye.number, numbers, median, floats, refusals)


def _first_round(order: Sequence[PairedTeam], first_white: bool) -> tuple[RoundPair, ...]:
    """The upper half meets the lower half; colours alternate from match to match (5)."""
    half, pairs = len(order) // 2, []
    for k in range(half):
        high, low = order[k].number, order[k + half].number
        white, black = (high, low) if (k % 2 == 0) == first_white else (low, high)
        pairs.append(RoundPair(white, black, order[k].match_points, "group"))
    return tuple(pairs)


def colours(higher: PairedTeam, lower: PairedTeam) -> tuple[PairedTeam, PairedTeam]:
    """Who has White and who has Black on board 1 (7.5, 7.6).

    Fewer Whites (by difference) has White. Of equals the latest round in which they had different
    colours is reversed; without one the higher ranked team gets what brings its difference to
    zero, or the opposite of its last colour. What 7.3 forbids is turned round if that helps.
    """
    first = higher
    if higher.difference != lower.difference:
        first = min(higher, lower, key=lambda team: team.difference)
    else:
        # From the latest round on.
        history = zip(reversed(higher.colours), reversed(lower.colours), strict=False)
        apart = next((pair for pair in history if set(pair) == {"W", "B"}), None)
        last = higher.colours.replace("-", "")[-1:]
        if apart:
            first = higher if apart[0] == "B" else lower
        elif higher.difference:
            first = higher if higher.difference < 0 else lower
        elif last == "W":
            first = lower
    second = lower if first is higher else higher
    turned = second.may_have("W") and first.may_have("B")
    if turned and not (first.may_have("W") and second.may_have("B")):
        first, second = second, first
    return first, second


# ------------------------------------------------------------------------------- search

_Pair: TypeAlias = tuple[int, int]
_Made: TypeAlias = tuple[int, int, float, str]


@dataclass
class _Search:
    """The search of one round. Teams are their ranks, 0 first; groups are lists of ranks."""

    teams: Sequence[PairedTeam]
    floats: list[int] = field(default_factory=list)
    refusals: list[tuple[int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        rank = {team.number: k for k, team in enumerate(self.teams)}
        everybody = (1 << len(self.teams)) - 1
        self.unmet = [
            everybody & ~bits_of(rank[n] for n in team.met if n in rank) & ~(1 << k)
            for k, team in enumerate(self.teams)
        ]
        white = bits_of(k for k, team in enumerate(self.teams) if team.may_have("W"))
        black = bits_of(k for k, team in enumerate(self.teams) if team.may_have("B"))
        # Two teams fit if one may have White and the other Black (7.3).
        self.fitting = [
            mask & ((black if white >> k & 1 else 0) | (white if black >> k & 1 else 0))
            for k, mask in enumerate(self.unmet)
        ]

    def points(self, group: Sequence[int]) -> float:
        return self.teams[group[0]].match_points

    def pair_all(self) -> list[_Made]:
        """All pairs, with the match points of the group where each was made."""
        groups: list[list[int]] = []
        for k, team in enumerate(self.teams):
            if groups and self.points(groups[-1]) == team.match_points:
                groups[-1].append(k)
            else:
                groups.append([k])
        # Of an even number of teams the lower of the two in the middle is the median (6.4).
        middle = self.teams[len(self.teams) // 2].match_points
        at = next(k for k, group in enumerate(groups) if self.points(group) == middle)
        # The median group stands last on both sides, for it is where the last floaters go.
        above = groups[: at + 1]
        # Scrutiny from the lowest rank up (9.2).
        below = [group[::-1] for group in groups[at:][::-1]]
        # If the median group cannot be paired the next one floats more teams: first that above,
        # then that below, then both (8.2.4, 8.4).
        for extra_floaters in ((0, 0), (2, 0), (0, 2), (2, 2), (4, 0), (0, 4), (4, 4)):
            self.floats.clear()  # only what leads to the pairing that stands is shown
            self.refusals.clear()
            upper, down = self._side(above, extra_floaters[0], "from above")
            lower, up = self._side(below, extra_floaters[1], "from below")
            last = self._median(groups[at], down, up)
            if last is not None:
                return [*upper, *lower, *last]
        return self._merged(groups[at], upper, lower, down, up)

    def _side(
        self, groups: Sequence[list[int]], more: int, how: str
    ) -> tuple[list[_Made], list[int]]:
        """Pair the groups of one side up to the median group, which is the last of them."""
        pairs: list[_Made] = []
        floaters: list[int] = []
        for k, group in enumerate(groups[:-1]):
            # Only the neighbours of the median group float more than they must.
            extra = more if k == len(groups) - 2 else 0
            pairs_here, floaters = self._scrutinise(floaters, group, groups[k + 1], extra, how)
            pairs += pairs_here
            self.floats += floaters
        return pairs, floaters

    def _scrutinise(
        self, floaters: list[int], group: list[int], following: list[int], extra: int, how: str
    ) -> tuple[list[_Made], list[int]]:
        """Pair a group that is not the median, in its order of scrutiny.

        **Arguments:** who floats in; the group and the one that follows; how many float on at
        least; from where.

        **Returns:** the pairs, and who floats on.
        """
        beyond, points = bits_of(following), self.points(group)
        # Whoever cannot be paired here floats on.
        least = self._unpaired(floaters, group)
        # 8.2.3, 8.3.3: who floats on can meet somebody there. If nobody can, one floats all the
        # same, and meets a floater of the other side in the median group (8.2.4).
        for reach in (True, False):
            most_floaters = len(group) if reach else extra + 1
            for number in range(max(extra, least), most_floaters + 1):
                rest = len(group) - len(floaters) - number
                if rest < 0 or rest % 2:  # what is left could not be paired
                    continue
                # Colours aside: they are looked at where the pair is made.
                reached = [team for team in group if not reach or self.unmet[team] & beyond]
                for masks, seated, remaining in self._seatings(floaters, group, reached, number):
                    on = self._first_to_float(remaining, reached, number, masks)
                    if on is None:
                        continue
                    inside = self._pair_group([team for team in remaining if team not in on])
                    assert inside is not None
                    arrivals = [(a, b, points, how) for a, b in seated]
                    return [*arrivals, *((a, b, points, "group") for a, b in inside)], on
        members = bits_of(group)
        for k, team in enumerate(floaters):
            if not self.unmet[team] & members:  # it can meet nobody here, and goes on
                others = floaters[:k] + floaters[k + 1 :]
                pairs, on = self._scrutinise(others, group, following, extra, how)
                return pairs, [team, *on]
        return [], floaters + group

    def _median(self, group: list[int], down: list[int], up: list[int]) -> list[_Made] | None:
        """Pair the median group: floaters from above, those from below, then the rest (9)."""
        points, members = self.points(group), bits_of(group)
        crossed: list[_Made] = []
        for team in [team for team in up if not self.unmet[team] & members]:
            # 8.2.4: it can meet nobody here, so it meets the nearest floater from above.
            opponent = next((k for k in reversed(down) if self.unmet[team] >> k & 1), None)
            if opponent is not None:
                crossed.append((opponent, team, points, "from above"))
                down = [k for k in down if k != opponent]
                up = [k for k in up if k != team]
        if not self._can_be_seated([*down, *up], group, [], 0, self.unmet):
            return None
        for _, high, remaining in self._seatings(down, group):
            # Without colours, as either the seating or the pairing of the rest may give them up.
            if not self._can_be_seated(up, remaining, [], 0, self.unmet):
                continue
            # Turned: those from below take the lowest first.
            for _, low, rest in self._seatings(up, remaining[::-1]):
                # And back: the rest is scrutinised from the top (9.2).
                inside = self._pair_group(rest[::-1])
                if inside is not None:
                    return [
                        *crossed,
                        *((a, b, points, "from above") for a, b in high),
                        *((a, b, points, "from below") for a, b in low),
                        *((a, b, points, "group") for a, b in inside),
                    ]
        return None

    def _merged(
        self,
        group: list[int],
        upper: list[_Made],
        lower: list[_Made],
        down: list[int],
        up: list[int],
    ) -> list[_Made]:
        """Floaters and the median group as one group; if that fails, all teams as one."""
        inside = self._pair_group(sorted([*down, *up, *group]))
        if inside is not None:
            kept = [*upper, *lower]
        else:
            kept, inside = [], self._pair_group(list(range(len(self.teams))))
        if inside is None:
            raise InputError("the teams cannot be paired: too many of them have met already")
        points = self.points(group)
        return [*kept, *((a, b, points, "merged") for a, b in inside)]

    def _seatings(
        self,
        floaters: list[int],
        group: list[int],
        reached: Sequence[int] | None = None,
        number: int = 0,
    ) -> Iterator[tuple[Masks, list[_Pair], list[int]]]:
        """Ways to seat floaters among a group in the order of preference, colours first (7.4).

        **Arguments:** `reached`, `number`: none if so many of these cannot float on from what any
        seating leaves; not looked at if not given.

        **Yields:** who may meet whom, the pairs, and what is left of the group.
        """
        for masks in (self.fitting, self.unmet):
            if reached is None or self._can_be_seated(floaters, group, reached, number, masks):
                for seated, remaining in islice(_seat(floaters, group, masks), _SEATINGS):
                    yield masks, seated, remaining

    def _can_be_seated(
        self,
        floaters: Sequence[int],
        group: Sequence[int],
        reached: Sequence[int],
        number: int,
        masks: Masks,
    ) -> bool:
        """Whether the group can be paired with floaters, each of whom meets a team of the group.

        **Arguments:** `reached`, `number`: who may float on, and how many do.
        """
        places, widened = self._with_places(group, reached, number, masks)
        for team in floaters:  # who do not meet each other
            widened[team] &= bits_of(group)
        return perfect([*floaters, *group, *places], widened) is not None

    def _unpaired(self, floaters: Sequence[int], group: Sequence[int]) -> int:
        """How many are left where as many as can be are paired, floaters with teams of a group."""
        masks = list(self.unmet)
        for team in floaters:
            masks[team] &= bits_of(group)
        everybody = [*floaters, *group]
        return len(everybody) - len(paired(everybody, masks, len(everybody)))

    def _with_places(
        self, group: Sequence[int], reached: Sequence[int], number: int, masks: Masks
    ) -> tuple[range, list[int]]:
        """Places for teams that float on, as teams of their own whom only `reached` may meet."""
        places = range(len(self.teams), len(self.teams) + number)
        in_reach, widened = bits_of(reached) & bits_of(group), [*masks, *[0] * number]
        for place in places:
            widened[place] = in_reach
        for team in members_of(in_reach):
            widened[team] |= bits_of(places)
        return places, widened

    def _first_to_float(
        self, left: list[int], reached: Sequence[int], number: int, masks: Masks
    ) -> list[int] | None:
        """Who floats on so that the rest can be paired: the nearest to the median that may.

        8.2.2, 8.3.2: the last in the order of scrutiny, of several the first choice in that order.

        **Returns:** in the order of scrutiny; None if there is no such choice among the first
        `_CHOICES`.
        """
        places, widened = self._with_places(left, reached, number, masks)
        group: list[int] = [*places, *left]
        partner = perfect(group, widened)
        if partner is None:
            return None
        chosen: list[int] = []  # counted from the end
        for place in places:
            may = partners_left(group, widened, partner, place)
            at = next(k for k, team in enumerate(left[::-1]) if may >> team & 1)
            team = left[-1 - at]
            chosen.append(at)
            group = [member for member in group if member not in (place, team)]
            part(group, widened, partner, place, team)
        if _rank(chosen, len(left)) >= _CHOICES:
            return None
        return [left[-1 - at] for at in reversed(chosen)]

    def _pair_group(self, group: list[int]) -> list[_Pair] | None:
        """With the colours of 7.3 if the group can be paired so, else without (7.4)."""
        pairs = self._first_pairing(group, self.fitting)
        return self._first_pairing(group, self.unmet) if pairs is None else pairs

    def _first_pairing(self, group: list[int], masks: Masks) -> list[_Pair] | None:
        """The first complete pairing in the order of trial (9.1, 9.3), or None.

        The first team of 2N tries the teams N+1 to 2N, then N to 2; the first choice that leaves a
        rest which can be paired stands. The rest is paired in the same way.
        """
        partner = perfect(group, masks)
        if partner is None:
            return None
        group, pairs = list(group), []
        while group:
            team, half = group[0], len(group) // 2
            may = partners_left(group, masks, partner, team)
            trial = (*range(half, 2 * half), *range(half - 1, 0, -1))
            # One stands: the group can be paired.
            at, opponent = next((at, group[at]) for at in trial if may >> group[at] & 1)
            for refused in (group[at] for at in trial[: trial.index(at)]):
                met = not self.unmet[team] >> refused & 1
                why = "rest" if masks[team] >> refused & 1 else "met" if met else "colours"
                self.refusals.append((team, refused, why))
            pairs.append((team, opponent))
            group = [*group[1:at], *group[at + 1 :]]
            part(group, masks, partner, team, opponent)
        return pairs


def _seat(
    floaters: list[int], group: list[int], masks: Masks
) -> Iterator[tuple[list[_Pair], list[int]]]:
    """Every way to give each floater a team of the group, the first it may meet first."""
    if not floaters:
        yield [], group
        return
    first, *others = floaters
    for k, team in enumerate(group):
        if masks[first] >> team & 1:
            remaining = group[:k] + group[k + 1 :]
            if _all_find(others, bits_of(remaining), masks):
                for pairs, rest in _seat(others, remaining, masks):
                    yield [(first, team), *pairs], rest


def _all_find(floaters: Sequence[int], group: int, masks: Masks) -> bool:
    """Whether all floaters can meet different teams of a group, given as bits."""
    floater_of: dict[int, int] = {}
    free = group
    for floater in floaters:
        if masks[floater] & free:
            team = lowest(masks[floater] & free)
            floater_of[team] = floater
            free &= ~(1 << team)
            continue
        # Others make room: a breadth-first search for a team that is free.
        came_from: dict[int, int] = {}
        queue, seen, end = [floater], 0, None
        for seeker in queue:
            choices = masks[seeker] & group & ~seen
            if choices & free:
                end = lowest(choices & free)
                came_from[end] = seeker
                break
            seen |= choices
            for team in members_of(choices):
                came_from[team] = seeker
                queue.append(floater_of[team])
        if end is None:
            return False
        free &= ~(1 << end)
        held = {seeker: team for team, seeker in floater_of.items()}
        while end is not None:
            seeker = came_from[end]
            floater_of[end] = seeker
            end = held.get(seeker)
    return True


def _rank(places: Sequence[int], number: int) -> int:
    """How many choices of so many of `number` places come before one, in lexical order."""
    before, last = 0, -1
    for k, place in enumerate(places):
        places_below = len(places) - k - 1
        before += sum(
            comb(number - 1 - skipped, places_below) for skipped in range(last + 1, place)
        )
        last = place
    return before
