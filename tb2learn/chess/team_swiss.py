"""FIDE's Swiss Team Pairing System (Handbook C.04.6, in force since 1 February 2026), one round.

Every team Swiss but the Olympiad (`olympiad_pairing`) is paired by it. Numbers in comments are
those of its articles; [C1] to [C10] are its criteria.

Who has the bye comes first (3.4). Then, again and again, the teams of the highest score that are
left take the fewest teams that they need from below, the *upfloaters* (3.5), and are paired with
them (3.6). Colours come last (4).

**How a pairing is found without trying all.** What a bracket must keep small, and the order in
which its pairings are tried, are one number a pair, whose digits never carry (`_Digits`). The
pairing that the rules want then has the least total: the Hungarian method finds it between two
halves of a bracket, and a weighted matching in the few brackets whose halves do not do.

**Readings.** Where the text leaves something open:

- [C4] and [C5] are taken over sets of upfloaters with which everybody can be paired.
- "complies with" a minimum means: as few as there can be, in the order of 2.3.
- [C6] asks of the score group just below the top one among all teams of the round.
- A last round in which a team had a colour twice running leaves it a strong preference (1.7.2).
- A match without a game over the board gives no opponent, no colour and no float.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from tb2learn.chess.matching import (
    bits_of,
    lowest,
    members_of,
    part,
    partners_left,
    perfect,
)
from tb2learn.chess.olympiad_pairing import MOST_TEAMS, PairedTeam, RoundPair, RoundPairing
from tb2learn.text import quoted
from tb2learn.types import InputError

Kind = Literal["A", "B", "none"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Types of colour preferences (1.7)."""

Score = Literal["MP", "GP"]

_TRIED = 400
"""Sets of upfloaters that are tried one after the other before a matching decides instead."""

_MOST_WEIGHTED = 160
"""Teams of the largest group whose pairing a weighted matching finds: it takes some seconds."""


@dataclass(frozen=True)
class SwissTeam(PairedTeam):
    """What the rules ask of a team: of its matches that were played, see `PairedTeam`.

    **Fields:**

    - `floated`: whether it met a team of another score in the round before (1.5).
    - `no_bye`: whether it had a bye, or won a match by forfeit ([C2]).
    """

    floated: bool = False
    no_bye: bool = False

    @property
    def played(self) -> str:
        """The colours of its matches, without the rounds in which it had none."""
        return self.colours.replace("-", "")


@dataclass(frozen=True)
class SwissRules:
    """What an event states about its pairing.

    **Fields:**

    - `kind`: of colour preferences.
    - `primary`: the points that make score groups (1.2), match points or game points.
    - `secondary`: whether the other points say who of a pair comes first (4.2.2).
    """

    kind: Kind = "A"
    primary: Score = "MP"
    secondary: bool = True

    @property
    def code(self) -> str:
        """What record 192 of a TRF calls it."""
        kind = "" if self.kind == "none" else f"_TYPE{self.kind}"
        points = f"{self.primary}_{_OTHER_SCORE[self.primary]}" if self.secondary else self.primary
        return f"FIDE_TEAM{kind}_{points}"

    def score(self, team: PairedTeam) -> float:
        """The points of a team that make score groups."""
        return team.match_points if self.primary == "MP" else team.game_points

    def second_score(self, team: PairedTeam) -> float:
        """The other points; 0 if they are not used."""
        if not self.secondary:
            return 0
        return team.game_points if self.primary == "MP" else team.match_points


TEAM_SWISS: Mapping[str, SwissRules] = {f"team-{kind.lower()}": SwissRules(kind) for kind in KINDS}
"""Short names of the rules with match points as primary and game points as secondary score."""

_OTHER_SCORE: dict[Score, Score] = {"MP": "GP", "GP": "MP"}
_CODE = re.compile(r"FIDE_TEAM(?:_TYPE([AB]))?_(MP|GP)(?:_(MP|GP))?")


def rules_of_code(code: str) -> SwissRules:
    """The rules that record 192 of a TRF declares, such as `FIDE_TEAM_TYPEB_MP_GP`.

    A code with points but without a type has no colour preferences; `FIDE_TEAM` alone is type A.

    **Raises:** `InputError` for another code, and for one with acceleration (C.04.7).

    >>> rules_of_code("FIDE_TEAM_GP")
    SwissRules(kind='none', primary='GP', secondary=False)
    """
    name = code.strip().upper()
    if "BAKU" in name.split("_"):
        raise InputError(
            f"{quoted(code)} asks for Baku acceleration (C.04.7), by which no teams are paired "
            "here: leave out _BAKU to pair without it"
        )
    if name == "FIDE_TEAM":
        return SwissRules()
    match = _CODE.fullmatch(name)
    if match is None or match[2] == match[3]:
        raise InputError(
            "the pairing rules of a team Swiss must be FIDE_TEAM, or this with _TYPEA, _TYPEB or "
            f"neither, then _MP, _GP, _MP_GP or _GP_MP, got {quoted(code)}"
        )
    kind: Kind = "none" if match[1] is None else "A" if match[1] == "A" else "B"
    return SwissRules(kind, "MP" if match[2] == "MP" else "GP", match[3] is not None)


@dataclass(frozen=True)
class RoundOf:
    """Which round is paired.

    **Fields:**

    - `number`: its number, from 1.
    - `rounds`: how many the event has: the last two are paired otherwise ([C7], [C10], 1.7.2).
    - `first_white`: the initial colour is White (4.1), a lot.
    """

    number: int
    rounds: int
    first_white: bool = True

    @property
    def last(self) -> bool:
        """Whether no other round follows."""
        return self.number >= self.rounds

    @property
    def late(self) -> bool:
        """Whether it is one of the last two."""
        return self.number > self.rounds - 2


@dataclass(frozen=True)
class Bracket:
    """Teams that were paired together.

    **Fields:**

    - `score`: of the residents.
    - `residents`, `upfloaters`: initial numbers, by score and number.
    - `broken`: how many preferences, strong preferences and opponents of upfloaters break [C8],
      [C9] and [C10].
    """

    score: float
    residents: tuple[int, ...]
    upfloaters: tuple[int, ...]
    broken: tuple[int, int, int]


@dataclass(frozen=True)
class TeamPairing(RoundPairing):
    """The pairing of a round, with its brackets in the order in which they were paired.

    `floats` has the upfloaters with their own scores.
    """

    brackets: tuple[Bracket, ...] = ()


Preference: TypeAlias = tuple[str, bool] | None
"""A colour, `W` or `B`, and whether it is preferred strongly; simple ones (type A) count so."""


def preference(team: SwissTeam, kind: Kind, last_round: bool = False) -> Preference:
    """The colour that a team prefers (1.7); None for none."""
    played, difference = team.played, team.difference
    if kind == "none" or not played:
        return None
    for colour, sign in (("W", -1), ("B", 1)):
        ahead = difference * sign
        if ahead > 1 or (ahead in (0, 1) and played[-2:] == 2 * _opposite(colour)):
            return colour, True
    if kind == "A":
        return None
    if difference:
        return "W" if difference < 0 else "B", False
    return None if last_round else (_opposite(played[-1]), False)


def _opposite(colour: str) -> str:
    return "B" if colour == "W" else "W"


class Allocation(NamedTuple):
    """Who has White and who has Black on board 1, and the article that says so."""

    white: SwissTeam
    black: SwissTeam
    article: str


def allocate(
    team: SwissTeam, rival: SwissTeam, rules: SwissRules, this_round: RoundOf
) -> Allocation:
    """The colours of a pair (4.2, 4.3)."""
    first, second = sorted(
        (team, rival), key=lambda t: (-rules.score(t), -rules.second_score(t), t.number)
    )

    def give(receiver: SwissTeam, colour: str, article: str) -> Allocation:
        against = second if receiver is first else first
        sides = (receiver, against) if colour == "W" else (against, receiver)
        return Allocation(*sides, article)

    if not first.played and not second.played:
        white = (first.number % 2 == 1) == this_round.first_white
        return give(first, "W" if white else "B", "4.3.1")
    wishes = [preference(t, rules.kind, this_round.last) for t in (first, second)]
    wishing = [(t, w) for t, w in zip((first, second), wishes, strict=True) if w is not None]
    if len(wishing) == 1:
        return give(wishing[0][0], wishing[0][1][0], "4.3.2")
    if len(wishing) == 2:
        (_, (mine, strongly)), (_, (theirs, also)) = wishing
        if mine != theirs:
            return give(first, mine, "4.3.3")
        if strongly != also:
            return give(first if strongly else second, mine, "4.3.4")
    if first.difference != second.difference:
        return give(min(first, second, key=lambda t: t.difference), "W", "4.3.5")
    # 3.4 of C.04.2: matches are compared one by one from the last, whatever their rounds were.
    for mine, theirs in zip(reversed(first.played), reversed(second.played), strict=False):
        if mine != theirs:
            return give(first, _opposite(mine), "4.3.6")
    if wishing:
        return give(first, wishing[0][1][0], "4.3.7")
    if first.played:
        return give(first, _opposite(first.played[-1]), "4.3.8")
    return give(second, _opposite(second.played[-1]), "4.3.9")


def pair_teams(teams: Iterable[SwissTeam], rules: SwissRules, this_round: RoundOf) -> TeamPairing:
    """Pair a round of the teams that are present.

    **Arguments:** `teams`: 2 to 1,000, with different initial numbers.

    **Raises:** `InputError` for other numbers of teams, or a field that cannot be paired.
    """
    field = TeamRound(teams, rules, this_round)
    bye = field.bye()
    brackets, pairs, floats = list[Bracket](), list[RoundPair](), list[tuple[int, float]]()
    for residents, risen, bracket_pairs in field.paired_brackets(bye):
        brackets.append(field.described(residents, risen, bracket_pairs))
        pairs += field.coloured(bracket_pairs, residents)
        floats += [(field.teams[t].number, field.scores[t]) for t in risen]
    place = {team.number: k for k, team in enumerate(field.by_rank())}
    score = {team.number: rules.score(team) for team in field.teams}

    def on_board(pair: RoundPair) -> tuple[float, float, int]:
        """Boards go by the better team's score, then by both scores, then by its rank."""
        points = sorted((score[pair.white], score[pair.black]))
        return -points[1], -sum(points), min(place[pair.white], place[pair.black])

    return TeamPairing(
        pairs=tuple(sorted(pairs, key=on_board)),
        bye=None if bye is None else field.teams[bye].number,
        order=tuple(team.number for k, team in enumerate(field.by_rank()) if k != bye),
        floats=tuple(floats),
        brackets=tuple(brackets),
    )


class _Digits:
    """Packs counts, most important first, into one integer; `limits` are the largest totals."""

    def __init__(self, *limits: int) -> None:
        self.units = [1]
        for limit in reversed(limits[1:]):
            self.units.insert(0, self.units[0] * (limit + 1))

    def __call__(self, *counts: int) -> int:
        return sum(unit * count for unit, count in zip(self.units, counts, strict=True))


_Pairs: TypeAlias = list[tuple[int, int]]
_Cost: TypeAlias = Callable[[int, int], int]


class TeamRound:
    """The teams of a round, and what the rules say of them.

    Teams are numbered from 0, by score and then by initial number, which is the order in which
    upfloaters are tried (3.5.3). A set of teams is an integer of bits.
    """

    def __init__(self, teams: Iterable[SwissTeam], rules: SwissRules, this_round: RoundOf) -> None:
        self.teams = sorted(teams, key=lambda team: (-rules.score(team), team.number))
        if not 2 <= len(self.teams) <= MOST_TEAMS:
            raise InputError(f"a round has 2..{MOST_TEAMS} teams, got {len(self.teams)}")
        self.rules, self.this_round = rules, this_round
        self.scores = [rules.score(team) for team in self.teams]
        self.levels = sorted(set(self.scores), reverse=True)
        self.everybody = (1 << len(self.teams)) - 1
        self.at_level = [
            bits_of(k for k, score in enumerate(self.scores) if score == level)
            for level in self.levels
        ]
        place = {team.number: k for k, team in enumerate(self.teams)}
        self.met = np.eye(len(self.teams), dtype=bool)
        for k, team in enumerate(self.teams):
            rivals = [place[n] for n in team.met if n in place]
            self.met[k, rivals] = self.met[rivals, k] = True
        # Of every team, those that it may meet ([C1]).
        self.unmet = [bits_of(np.flatnonzero(~row).tolist()) for row in self.met]
        self.wishes = [preference(team, rules.kind, this_round.last) for team in self.teams]
        self._pairable: dict[int, bool] = {}

    def by_rank(self) -> list[SwissTeam]:
        """The teams in the order in which they stand: that of first-teams (4.2)."""
        rules = self.rules
        return sorted(
            self.teams,
            key=lambda team: (-rules.score(team), -rules.second_score(team), team.number),
        )

    def by_number(self, group: int) -> list[int]:
        """The members of a group by their initial numbers."""
        return sorted(members_of(group), key=lambda k: self.teams[k].number)

    def paired_brackets(self, bye: int | None) -> Iterator[tuple[int, list[int], _Pairs]]:
        """Residents, upfloaters and pairs of every bracket, from the top down (3.3.2)."""
        left = self.everybody & ~(0 if bye is None else 1 << bye)
        while left:
            residents = self.top_group(left)
            risen = self.upfloaters(residents, left)
            group = residents | bits_of(risen)
            yield residents, risen, self.bracket(group)
            left &= ~group

    def top_group(self, left: int) -> int:
        """The teams of the highest score (3.2)."""
        return next(level & left for level in self.at_level if level & left)

    def following(self, residents: int) -> int:
        """The score group below that of the residents, whoever of it is left ([C6])."""
        at = next(k for k, level in enumerate(self.at_level) if level & residents) + 1
        return self.at_level[at] if at < len(self.at_level) else 0

    def bye(self) -> int | None:
        """Who has the bye (3.4); None of an even number of teams.

        **Raises:** `InputError` if the teams cannot be paired.
        """
        if len(self.teams) % 2 == 0:
            if self.pairable(self.everybody):
                return None
            raise InputError("the teams cannot be paired: too many of them have met already")
        for k in self.bye_order():
            if self.pairable(self.everybody & ~(1 << k)):
                return k
        raise InputError(
            "no team can have the bye: each had one or won by forfeit, or would leave teams that "
            "have all met already"
        )

    def bye_order(self) -> list[int]:
        """Who may have the bye ([C2]), in the order of 3.4.2 to 3.4.4."""
        allowed = [k for k, team in enumerate(self.teams) if not team.no_bye]

        def key(k: int) -> tuple[float, int, int]:
            return self.scores[k], -len(self.teams[k].played), -self.teams[k].number

        return sorted(allowed, key=key)

    def pairable(self, group: int) -> bool:
        """Whether all teams of a group can be paired among themselves ([C1], [C3])."""
        if group not in self._pairable:
            size = group.bit_count()
            self._pairable[group] = size % 2 == 0 and (
                # G. Dirac 1952: where all may meet half of the others, a circle leads through all.
                all(2 * (self.unmet[k] & group).bit_count() >= size for k in members_of(group))
                or perfect(list(members_of(group)), self.unmet) is not None
            )
        return self._pairable[group]

    # ------------------------------------------------------------------------ upfloaters (3.5)

    def upfloaters(self, residents: int, left: int) -> list[int]:
        """Who floats up to the residents, in order (3.5)."""
        below = left & ~residents
        tried = self._try_sets(residents, below)
        return self._by_matching(residents, below) if tried is None else tried

    def _try_sets(self, residents: int, below: int) -> list[int] | None:
        """The upfloaters, by trying sets in order; None if there are too many sets."""
        following, tried = self.following(residents), 0
        for size in range(residents.bit_count() % 2, 4, 2):  # [C4]
            for profile in self._profiles(below, size):  # [C5]
                best: tuple[tuple[int, int], list[int]] | None = None
                for risen in profile:
                    tried += 1
                    if tried > _TRIED:
                        return None
                    if not self.legal(residents, below, bits_of(risen)):
                        continue
                    counts = self.set_quality(below & ~bits_of(risen), following, risen)
                    if best is None or counts < best[0]:
                        best = counts, risen
                    # No set has fewer: an odd group must take a team from below.
                    if counts[0] < 2 and not counts[1]:
                        break
                if best is not None:
                    return best[1]
        return None

    def legal(self, residents: int, below: int, risen: int) -> bool:
        """Whether a bracket with these upfloaters, and those who stay, can be paired."""
        return self.pairable(residents | risen) and self.pairable(below & ~risen)

    def set_quality(self, rest: int, following: int, risen: Sequence[int]) -> tuple[int, int]:
        """[C6] and [C7] of a set of upfloaters and of those who stay."""
        return self.needed_next(rest, following), self.floating_again(risen)

    def _profiles(self, below: int, size: int) -> Iterator[Iterator[list[int]]]:
        """For each profile of scores, best first ([C5]), the sets that have it (3.5.4)."""
        groups = [list(members_of(level & below)) for level in self.at_level if level & below]
        profiles = combinations_with_replacement(range(len(groups)), size)
        # The lowest score counts first; groups are numbered from the highest.
        for profile in sorted(profiles, key=lambda at: at[::-1]):
            parts = [combinations(groups[at], profile.count(at)) for at in dict.fromkeys(profile)]
            yield ([k for chosen in sets for k in chosen] for sets in product(*parts))

    def floating_again(self, risen: Iterable[int]) -> int:
        """[C7]: how many upfloaters were floaters in the round before."""
        return 0 if self.this_round.late else sum(self.teams[k].floated for k in risen)

    def needed_next(self, rest: int, following: int) -> int:
        """[C6]: how many upfloaters the next score group will need at least."""
        group = rest & following
        beyond = rest & ~group
        if not group:
            return 0
        if self.pairable(group) and self.pairable(beyond):
            return 0
        if group.bit_count() % 2:
            for k in members_of(beyond):
                if self.pairable(group | 1 << k) and self.pairable(beyond & ~(1 << k)):
                    return 1

        def crosses(a: int, b: int) -> int:
            return (group >> a & 1) ^ (group >> b & 1)

        return sum(crosses(a, b) for a, b in self._weighted(rest, crosses))

    def _by_matching(self, residents: int, below: int) -> list[int]:
        """The upfloaters by one matching of all teams left: whoever is matched with a resident.

        Two upfloaters never meet in a smallest set: without the two it would do as well.
        """
        lower, size = list(members_of(below)), residents.bit_count()
        following = self.following(residents)
        levels = [level for level in reversed(self.at_level) if level & below]
        place = {k: at for at, k in enumerate(lower)}
        first_set = size << len(lower)
        digits = _Digits(size, *[size] * len(levels), len(lower), size, first_set)

        def cost(a: int, b: int) -> int:
            if (residents >> a & 1) == (residents >> b & 1):
                crosses = (following >> a & 1) ^ (following >> b & 1)
                needs = crosses if below >> a & 1 else 0  # [C6]
                return digits(0, *[0] * len(levels), needs, 0, 0)
            k = b if residents >> a & 1 else a
            deep = [level >> k & 1 for level in levels]  # [C5], the lowest score first
            # The earlier a team stands, the less the set is behind (3.5.4).
            behind = (1 << len(lower)) - (1 << len(lower) - 1 - place[k])
            return digits(1, *deep, 0, self.floating_again([k]), behind)

        matched = [frozenset(pair) for pair in self._weighted(residents | below, cost)]
        crossing = [pair for pair in matched if sum(residents >> k & 1 for k in pair) == 1]
        return sorted(k for pair in crossing for k in pair if below >> k & 1)

    # --------------------------------------------------------------------- pairs (3.6)

    def broken(self, members: Sequence[int], residents_at: float) -> np.ndarray:
        """How much each pair of teams breaks, `[3, members, members]`: [C8], [C9], [C10].

        Of two like preferences one is not granted (4.3); if both are strong, a strong one.
        """
        wishes = [self.wishes[k] or ("", False) for k in members]
        sign = np.array([{"": 0, "W": 1, "B": -1}[colour] for colour, _ in wishes])
        strong = np.array([strongly for _, strongly in wishes]) & (self.rules.kind == "B")
        clash = sign[:, None] * sign == 1
        rising = np.array([self.scores[k] < residents_at for k in members])
        floated = np.array([self.teams[k].floated for k in members]) & (not self.this_round.late)
        again = (rising[:, None] & floated).astype(int)
        return np.stack([clash, clash & strong[:, None] & strong, again + again.T])

    def bracket(self, group: int) -> _Pairs:
        """The pairs of a bracket, top members first (3.6)."""
        members = self.by_number(group)
        half, unit = len(members) // 2, len(members) + 1
        # No total of a bracket reaches the unit, so that no count carries into the one before it.
        first, second, third = self.broken(members, max(self.scores[k] for k in members))
        cost = (first * unit + second) * unit + third
        cost[self.met[np.ix_(members, members)]] = _NEVER
        # Of more than half of the teams with one preference, two and two must meet.
        wishes = [self.wishes[k] for k in members]
        surplus = (sum(w is not None and w[0] == colour for w in wishes) - half for colour in "WB")
        least = max(0, *surplus) * unit * unit
        # No identifier comes before those whose top members are the first half (3.6.2).
        places = range(len(members))
        halves = _assigned(places[:half], places[half:], cost)
        if halves is None or halves[0] > least:
            # As costs are least first, then which teams are top members.
            order = {k: at for at, k in enumerate(members)}
            late = 1 << len(members)

            def with_tops(a: int, b: int) -> int:
                i, j = sorted((order[a], order[b]))
                return int(cost[i, j]) * half * late + late - (late >> i + 1)

            pairs = self._weighted(group, with_tops)
            tops = sorted(min(order[a], order[b]) for a, b in pairs)
            halves = _assigned(tops, sorted({*places}.difference(tops)), cost)
            assert halves is not None
        return [(members[i], members[j]) for i, j in halves[1]]

    def _weighted(self, group: int, cost: _Cost) -> _Pairs:
        """A complete pairing of a group that can be paired, of the least total cost (Edmonds)."""
        # Imported here because it takes long, and few rounds ask for it.
        import networkx

        members = list(members_of(group))
        if len(members) > _MOST_WEIGHTED:
            raise InputError(
                f"{len(members)} teams of this round can only be paired together, which is done "
                f"for at most {_MOST_WEIGHTED}: too many of them have met already"
            )
        edges = [(a, b, cost(a, b)) for a, b in combinations(members, 2) if self.unmet[a] >> b & 1]
        most = max(price for _, _, price in edges)
        graph = networkx.Graph()
        graph.add_weighted_edges_from((a, b, most - price) for a, b, price in edges)
        matched = networkx.max_weight_matching(graph, maxcardinality=True)
        assert 2 * len(matched) == len(members)
        return [(min(pair), max(pair)) for pair in matched]

    # ------------------------------------------------------------------------ what is shown

    def described(self, residents: int, risen: Sequence[int], pairs: _Pairs) -> Bracket:
        """A bracket as it is shown."""
        score = self.scores[next(members_of(residents))]
        broken = np.sum([self.broken(pair, score)[:, 0, 1] for pair in pairs], axis=0).tolist()
        return Bracket(
            score,
            tuple(self.teams[k].number for k in members_of(residents)),
            tuple(self.teams[k].number for k in risen),
            (broken[0], broken[1], broken[2]),
        )

    def coloured(self, pairs: _Pairs, residents: int) -> list[RoundPair]:
        """The pairs of a bracket with their colours."""
        score = self.scores[next(members_of(residents))]
        made = []
        for a, b in pairs:
            inside = residents >> a & residents >> b & 1
            sides = allocate(self.teams[a], self.teams[b], self.rules, self.this_round)
            how = "group" if inside else "from below"
            made.append(RoundPair(sides.white.number, sides.black.number, score, how))
        return made


_NEVER = 1 << 40
"""The cost of a pair that may not meet: more than all pairs that may."""


def _assigned(
    tops: Sequence[int], bottoms: Sequence[int], cost: np.ndarray
) -> tuple[int, _Pairs] | None:
    """The pairs of least total cost between two halves, of these the first bottoms in order.

    A pairing has the least cost if and only if all its pairs are tight for the final prices. Among
    the tight ones each top takes, in order, the first bottom that leaves the others one.

    **Arguments:** `tops`, `bottoms`: ascending; `cost`: of each two.

    **Returns:** the cost, and the pairs; None if there is no pairing.
    """
    n = len(tops)
    # The top member of a pair has the smaller number.
    smaller = np.array(tops)[:, None] < np.array(bottoms)
    table = np.where(smaller, cost[np.ix_(tops, bottoms)], _NEVER)
    of_column, tight = _hungarian(table)
    total = int(table[of_column, np.arange(n)].sum())
    if total >= _NEVER:
        return None
    # As a matching of rows 0 to n - 1 with columns n to 2n - 1.
    masks = [bits_of((n + np.flatnonzero(row)).tolist()) for row in tight]
    masks += [bits_of(np.flatnonzero(column).tolist()) for column in tight.T]
    partner = {int(row): n + column for column, row in enumerate(of_column)}
    partner |= {column: row for row, column in partner.items()}
    free, pairs = (1 << 2 * n) - 1, _Pairs()
    for row in range(n):
        column = lowest(masks[row] & free)
        # Only where the first one is another's it is asked who can do without his own.
        if partner[row] != column:
            group = list(members_of(free))
            column = lowest(partners_left(group, masks, partner, row))
            part([k for k in group if k not in (row, column)], masks, partner, row, column)
        else:
            del partner[row], partner[column]
        free &= ~(1 << row | 1 << column)
        pairs.append((tops[row], bottoms[column - n]))
    return total, pairs


def _hungarian(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns matched at the least total cost, and which pairs are tight.

    **Returns:** the row of every column; of every pair whether its cost is the sum of the prices of
    its row and column, as it is in every matching of the least cost.

    **Source:** H. W. Kuhn, The Hungarian method for the assignment problem, 1955.
    """
    n = len(table)
    row_price, price = np.zeros(n, np.int64), np.zeros(n + 1, np.int64)
    of_column = np.full(n + 1, -1)  # the last column is where the search for a row begins
    for row in range(n):
        of_column[n], column = row, n
        slack, came_from = np.full(n, 4 * _NEVER), np.full(n, n)
        done = np.zeros(n + 1, bool)
        while of_column[column] >= 0:
            done[column] = True
            here = of_column[column]
            gap = table[here] - row_price[here] - price[:n]
            nearer = ~done[:n] & (gap < slack)
            slack[nearer], came_from[nearer] = gap[nearer], column
            step = slack[~done[:n]].min()
            row_price[of_column[done]] += step
            price[done] -= step
            slack[~done[:n]] -= step
            near = ~done[:n] & (slack == 0)
            # A free column ends the search.
            free = near & (of_column[:n] < 0)
            column = int((free if free.any() else near).argmax())
        # Along the way back every row moves on by one column.
        while column != n:
            of_column[column] = of_column[came_from[column]]
            column = came_from[column]
    return of_column[:n], table == row_price[:, None] + price[:n]
