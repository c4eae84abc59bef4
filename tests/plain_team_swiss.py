"""FIDE's Swiss Team Pairing System (C.04.6) by its definition: all sets, all pairings, all colours.

Written from the text, without a search that is clever anywhere, so for ten teams at most. It shares
nothing with the package but the classes of its answers. `played_rounds` plays events for it.
"""

import random
from dataclasses import replace
from itertools import combinations

from tb2learn.chess.team_swiss import SwissRules, SwissTeam

OPPOSITE = {"W": "B", "B": "W"}


class PlainRound:
    """One round; `pair` gives the pairs (White, Black), the bye, and upfloaters by bracket."""

    def __init__(self, teams, rules, this_round):
        self.teams = {team.number: team for team in teams}
        self.rules, self.first = rules, "W" if this_round.first_white else "B"
        self.is_last = this_round.number == this_round.rounds
        self.in_last_two = this_round.number >= this_round.rounds - 1
        self.known = {}

    def score(self, k):
        team = self.teams[k]
        return team.match_points if self.rules.primary == "MP" else team.game_points

    def second(self, k):
        team = self.teams[k]
        return team.game_points if self.rules.primary == "MP" else team.match_points

    def had(self, k):
        return [colour for colour in self.teams[k].colours if colour in "WB"]

    def difference(self, k):
        return self.had(k).count("W") - self.had(k).count("B")

    def preference(self, k):
        """1.7."""
        had, difference = self.had(k), self.difference(k)
        if self.rules.kind == "none" or not had:
            return None
        if difference < -1 or (difference in (0, -1) and had[-2:] == ["B", "B"]):
            return "W", "strong"
        if difference > 1 or (difference in (0, 1) and had[-2:] == ["W", "W"]):
            return "B", "strong"
        if self.rules.kind == "A" or (difference == 0 and self.is_last):
            return None
        return {-1: "W", 1: "B", 0: OPPOSITE[had[-1]]}[difference], "mild"

    def colours(self, a, b):
        """4.2, 4.3: White first."""
        first, other = a, b
        if self.score(b) > self.score(a):
            first, other = b, a
        elif self.score(a) == self.score(b):
            more = self.second(a) - self.second(b) if self.rules.secondary else 0
            if more < 0 or (more == 0 and b < a):
                first, other = b, a

        def give(k, colour):
            rival = other if k == first else first
            return (k, rival) if colour == "W" else (rival, k)

        mine, theirs = self.preference(first), self.preference(other)
        if not self.had(first) and not self.had(other):
            return give(first, self.first if first % 2 else OPPOSITE[self.first])
        if mine and not theirs:
            return give(first, mine[0])
        if theirs and not mine:
            return give(other, theirs[0])
        if mine and theirs:
            if mine[0] != theirs[0]:
                return give(first, mine[0])
            if mine[1] == "strong" and theirs[1] == "mild":
                return give(first, mine[0])
            if mine[1] == "mild" and theirs[1] == "strong":
                return give(other, theirs[0])
        if self.difference(first) < self.difference(other):
            return give(first, "W")
        if self.difference(first) > self.difference(other):
            return give(other, "W")
        for back in range(1, min(len(self.had(first)), len(self.had(other))) + 1):
            if self.had(first)[-back] != self.had(other)[-back]:
                return give(first, OPPOSITE[self.had(first)[-back]])
        if mine:
            return give(first, mine[0])
        if self.had(first):
            return give(first, OPPOSITE[self.had(first)[-1]])
        return give(other, OPPOSITE[self.had(other)[-1]])

    def pairings(self, group):
        """All complete pairings of a group, each pair with the smaller number first ([C1])."""
        if not group:
            yield ()
        for rival in group[1:]:
            if rival not in self.teams[group[0]].met:
                rest = [k for k in group[1:] if k != rival]
                for pairs in self.pairings(rest):
                    yield ((group[0], rival), *pairs)

    def can_be_paired(self, group):
        key = tuple(sorted(group))
        if key not in self.known:
            even = len(key) % 2 == 0
            self.known[key] = even and next(self.pairings(list(key)), None) is not None
        return self.known[key]

    def bye(self):
        """3.4."""
        allowed = [
            k
            for k, team in self.teams.items()
            if not team.no_bye and self.can_be_paired(self.teams.keys() - {k})
        ]
        return min(allowed, key=lambda k: (self.score(k), -len(self.had(k)), -k), default=None)

    def sets(self, residents, below, size):
        """All sets of upfloaters of a size with which everybody can be paired, in order (3.5.4)."""
        order = sorted(below, key=lambda k: (-self.score(k), k))
        return [
            risen
            for risen in combinations(order, size)
            if self.can_be_paired({*residents, *risen}) and self.can_be_paired(below - {*risen})
        ]

    def fewest(self, residents, below):
        """[C4]: the smallest size of a set of upfloaters."""
        return next(n for n in range(len(below) + 1) if self.sets(residents, below, n))

    def upfloaters(self, residents, below):
        """3.5."""
        levels = sorted({self.score(k) for k in self.teams}, reverse=True)
        at = levels.index(self.score(next(iter(residents)))) + 1
        following = levels[at] if at < len(levels) else None

        def key(risen):
            lowest_first = [-score for score in sorted(map(self.score, risen))]
            stay = below - {*risen}
            group = {k for k in stay if self.score(k) == following}
            needs = self.fewest(group, stay - group) if group else 0
            again = 0 if self.in_last_two else sum(self.teams[k].floated for k in risen)
            return lowest_first, needs, again, [(-self.score(k), k) for k in risen]

        return min(self.sets(residents, below, self.fewest(residents, below)), key=key)

    def breaks_of(self, pair, top):
        """[C8], [C9], [C10] of a pair, seen on the colours that it would get."""
        if (pair, top) not in self.known:
            denied = strong = again = 0
            for k, colour in zip(self.colours(*pair), "WB", strict=True):
                wish = self.preference(k)
                if wish and wish[0] != colour:
                    denied += 1
                    strong += self.rules.kind == "B" and wish[1] == "strong"
            for riser, opponent in (pair, pair[::-1]):
                if self.score(riser) < top and not self.in_last_two:
                    again += self.teams[opponent].floated
            self.known[pair, top] = denied, strong, again
        return self.known[pair, top]

    def breaks(self, pairs, top):
        """[C8], [C9], [C10] of a bracket."""
        return tuple(map(sum, zip(*(self.breaks_of(pair, top) for pair in pairs), strict=True)))

    def bracket(self, group):
        """3.6: the pairs of a bracket; None if it cannot be paired."""
        top = max(map(self.score, group))

        def identifier(pairs):
            ordered = sorted(pairs)
            return [a for a, _ in ordered] + [b for _, b in ordered]

        every = self.pairings(sorted(group))
        return min(every, key=lambda p: (self.breaks(p, top), identifier(p)), default=None)

    def pair(self):
        """Pairs, bye and upfloaters; None if there is no pairing."""
        left, bye = set(self.teams), None
        if len(left) % 2:
            bye = self.bye()
            if bye is None:
                return None
            left -= {bye}
        if not self.can_be_paired(left):
            return None
        pairs, floats = set(), []
        while left:
            top = max(map(self.score, left))
            residents = {k for k in left if self.score(k) == top}
            risen = self.upfloaters(residents, left - residents)
            group = residents | {*risen}
            pairs |= {self.colours(*pair) for pair in self.bracket(group)}
            floats.append(risen)
            left -= group
        return pairs, bye, floats


def drawn_event(seed, fewest, most):
    """The number of teams, rounds, and the pairing rules of an event, all by lot."""
    lot = random.Random(seed)
    teams = lot.randint(fewest, most)
    rounds = lot.choice((5, 7, 9)) if teams > 12 else lot.randint(3, min(9, teams))
    primary = lot.choice(("MP", "MP", "GP"))
    return teams, rounds, SwissRules(("A", "B", "none")[seed % 3], primary, lot.random() < 0.7)


def played_rounds(seed, teams, rounds, rules, pair, forfeits=0.05, absent=0.05):
    """Play an event by `pair`, and yield the teams that are there before each round.

    **Arguments:** `pair`: from teams and the number of a round to the pairs and the bye, None if
    there is no pairing; `forfeits`, `absent`: shares of matches and teams.
    """
    lot, boards = random.Random(seed), 4
    strength = sorted((lot.gauss(0, 250) for _ in range(teams)), reverse=True)
    known = {k: SwissTeam(k) for k in range(1, teams + 1)}
    for number in range(1, rounds + 1):
        there = [k for k in known if number == 1 or lot.random() >= absent]
        if len(there) < 2:
            return
        field = [known[k] for k in there]
        yield number, field
        paired = pair(field, number)
        if paired is None:
            return
        pairs, bye = paired
        after = {k: replace(team, floated=False) for k, team in known.items()}

        def add(k, half, before, colour="-", rival=None, no_bye=False, after=after):
            team, points = before[k], 1 + (half > boards) - (half < boards)
            after[k] = replace(
                team,
                match_points=team.match_points + points,
                game_points=team.game_points + half / 2,
                met=team.met | (set() if rival is None else {rival}),
                colours=team.colours + colour,
                floated=rival is not None and rules.score(team) != rules.score(before[rival]),
                no_bye=team.no_bye or no_bye,
            )

        for white, black in sorted(pairs):
            if lot.random() < forfeits:
                winner = lot.choice((white, black))
                for k in (white, black):
                    add(k, 8 * (k == winner), known, no_bye=k == winner)
                continue
            edge = 1 / (1 + 10 ** ((strength[black - 1] - strength[white - 1]) / 400))
            half = sum(lot.choices((0, 1, 2), (1 - edge, 0.7, edge))[0] for _ in range(boards))
            add(white, half, known, "W", black)
            add(black, 2 * boards - half, known, "B", white)
        for k in known.keys() - {k for pair in pairs for k in pair}:
            if k == bye:
                add(k, boards, known, no_bye=True)
            else:
                after[k] = replace(after[k], colours=after[k].colours + "-")
        known = after


def random_bracket(seed):
    """A bracket of 4 to 10 teams with any past, its rules and the number of the round."""
    lot = random.Random(seed)
    size, number = lot.choice((4, 6, 6, 8, 8, 10)), lot.choice((4, 5, 6, 7, 8, 9))
    numbers = sorted(lot.sample(range(1, 40), size))
    rising = set(lot.sample(numbers, min(lot.choice((0, 1, 2, 3)), size // 2)))
    met = {k: set() for k in numbers}
    density, bias = lot.choice((0.1, 0.3, 0.5)), lot.random()
    for a, b in combinations(numbers, 2):
        if lot.random() < density or {a, b} <= rising:
            met[a].add(b)
            met[b].add(a)
    letters = [
        [lot.choice("WB-") if lot.random() < 0.3 else "BW"[lot.random() < bias] for _ in range(n)]
        for n in (lot.choice((number - 1, 2, 3)) for _ in numbers)
    ]
    teams = [
        SwissTeam(
            k, 6 if k in rising else 10, lot.randint(0, 3), frozenset(met[k]), "".join(letter),
            lot.random() < 0.5,
        )
        for k, letter in zip(numbers, letters, strict=True)
    ]  # fmt: skip
    return teams, SwissRules(("A", "B", "none")[seed % 3], "MP", lot.random() < 0.7), number
