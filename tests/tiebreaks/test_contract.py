"""What every tie-break owes: one score in NumPy, in JAX and in plain Python, whatever the event.

All entries of the library are here by themselves, so that a new one only needs its line in `Slow`.
"""

import dataclasses
import math
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest
from helpers import results_from, slow_after
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.encounter import encounter_once
from tb2learn.chess.results import OnBoards
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.formula import FormulaRule, formula_of
from tb2learn.tiebreaks.library import ENTRIES
from tb2learn.tiebreaks.passes import PassRule, margin
from tb2learn.tiebreaks.rules import classic
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import BYE, InputError

COMPLETE = "direct+buchholz-cut1+direct+progressive+direct"
"""R. Ricca's best use of the direct encounter."""

ONCE = "once:direct"
"""Direct encounter without article 6.3."""


FORMULAS = {"formula": (3.1, 0.27, 3), "clipped formula": (2.4, 2.3, 2)}
"""By name `a`, `k` and the number of passes."""


def names_for(rounds, boards):
    """Every tie-break that an event of this format has, some with cuts, and combinations.

    Those in lists of teams alone are held against FIDE's checker (studies/test_checker.py).
    """
    names = []
    for name, entry in ENTRIES.items():
        if name in ("ede", "sssc") or entry.needs == "boards":
            continue
        if boards == 1 or not entry.individual:
            cuts = {"": [], "low": ["-cut1"], "both": ["-cut1", f"-cut{rounds}", "-median1"]}
            names += [name, *(name + cut for cut in cuts[entry.cuts])]
    return [*dict.fromkeys(names), COMPLETE, "wins+aro", "blacks+wins+direct", ONCE]


@lru_cache(maxsize=32)
def rules_for(rounds, boards):
    """By name; also tables and formulas, with numbers that mean nothing."""
    rules = {}
    for name in names_for(rounds, boards):
        rule = classic(name.removeprefix("once:"), rounds, boards, ENTRIES).tiebreak
        rules[name] = encounter_once(rule) if name == ONCE else rule
    generator = np.random.default_rng(rounds)
    shares, results = 2 * rounds + 1, 2 * boards + 1
    shape = (3, shares, shares + 2 * margin(rounds), results)
    points = generator.integers(-400, 400, shape).astype(np.int32)
    points[:-1] //= 3  # so that not every opponent is held at the most
    return rules | {
        "table": TableRule(points[0, :, :shares]),
        "whole table": TableRule(points[0, :, :shares], reduced=False),
        "one pass": PassRule(points[:1]),
        "three passes": PassRule(points),
        **{name: formula_of(a, k, rounds, boards, n) for name, (a, k, n) in FORMULAS.items()},
    }


def traced_for(rounds, boards):
    """Those that JAX scores, too: of cuts the one on both sides; of players what teams have not."""
    return {
        name: rule
        for name, rule in rules_for(rounds, boards).items()
        if "-cut" not in name and (boards > 1 or name not in ENTRIES or ENTRIES[name].individual)
    }


def random_event(seed, teams, rounds, boards):
    """Random pairs (so there are rematches), byes worth anything, and players without a rating.

    Some are round robins, in which those who rest get nothing.
    """
    generator = np.random.default_rng(seed)
    opponents = np.full((rounds, teams), BYE)
    half_points = generator.integers(0, 2 * boards + 1, (rounds, teams))
    whites = np.zeros((rounds, teams), bool)
    ring, robin = list(range(teams + teams % 2)), generator.random() < 0.2
    for r in range(rounds):
        met = generator.permutation(teams)[: 2 * generator.integers(0, teams // 2 + 1)]
        if generator.random() < 0.7:
            met = generator.permutation(teams)[: teams // 2 * 2]
        if robin:
            pairs = zip(ring, ring[::-1], strict=True)
            met = [x for a, b in list(pairs)[: len(ring) // 2] if max(a, b) < teams for x in (a, b)]
            ring = [ring[0], ring[-1], *ring[1:-1]]
            half_points[r, list(set(range(teams)) - set(met))] = 0
            met = np.array(met)
        a, b = met[::2], met[1::2]
        opponents[r, a], opponents[r, b] = b, a
        half_points[r, b] = 2 * boards - half_points[r, a]
        whites[r, a] = True
    ratings = generator.integers(1400, 2800, teams) * (
        generator.random(teams) < generator.choice([0.5, 0.9])
    )
    return results_from(opponents, half_points, boards, ratings, whites)


# --- in plain Python ------------------------------------------------------------------------------


class Slow:
    """An event in lists: for every team its rounds as (opponent or None, half points, points)."""

    def __init__(self, results):
        self.boards = results.boards
        opponents, half_points = results.opponents.tolist(), results.half_points.tolist()
        self.rounds, self.teams = len(opponents), len(opponents[0])
        self.items = [
            [
                (
                    None if row[t] == BYE else row[t],
                    h[t],
                    plain_python.match_points_for(h[t], self.boards),
                )
                for row, h in zip(opponents, half_points, strict=True)
            ]
            for t in range(self.teams)
        ]
        self.ratings, self.whites = results.ratings.tolist(), results.whites.tolist()
        self.mp = [sum(points for _, _, points in of) for of in self.items]
        self.gp = [sum(half for _, half, _ in of) for of in self.items]
        self.played = plain_python.Played(
            self.mp, [[(o, half) for o, half, _ in of] for of in self.items]
        )

    def scores(self, name, groups=None):
        base, _, cut = name.partition("-cut")
        base, _, median = base.partition("-median")
        low, high = int(cut or median or base in ("aroc", "tb4")), int(median or 0)
        groups = self.mp if groups is None else groups
        if base in ("least-squares", "row-sum"):
            return self.paired(6 * (base == "row-sum"))
        if base == "direct":
            return self.direct(groups)
        return [self.score(t, base, low, high, groups) for t in range(self.teams)]

    def score(self, team, base, low, high, groups):
        items = self.items[team]
        met = [(o, half, points) for o, half, points in items if o is not None]
        forms = {"sonneborn-berger": "mm", "buchholz": "m", "opponents": "m", "tb4": "m"}
        forms |= {"buchholz-gp": "g", **{f"e{x}{y}sb": x + y for x in "mg" for y in "mg"}}
        forms["fore-buchholz"] = "m"
        if base in forms:
            first, *second = forms[base]
            final = self.gp if first == "g" else self.fore() if "fore" in base else self.mp
            worth = []
            for o, half, points in items:
                of = -1 if o is None else final[o]
                result = 1 if not second else points if second == ["m"] else half
                worth.append((of, max(of, 0) * result))
            return sum(value for _, value in sorted(worth)[low : max(len(worth) - high, 0)])
        if base == "deep-buchholz":  # in eighths; the lowest and the highest opponent go
            worth = [(-1, 0) if o is None else (self.mp[o], self.refined(team, o))
                     for o, _, _ in items]  # fmt: skip
            return sum(value for _, value in sorted(worth)[1 : max(len(worth) - 1, 0)])
        if base in ("aro", "aroc"):
            worth = sorted(rating for rating, _ in self.rated(team))
            return mean(worth[low : max(len(worth) - high, 0)])
        if base == "apro":
            found = [self.performance(o) for o, _, _ in met]
            return mean([rating for rating in found if rating is not None])
        if base == "ptpr":
            return self.perfect(team)
        if base == "appo":
            return mean([self.perfect(o) for o, _, _ in met if self.rated(o)])
        if base == "mean-buchholz":  # in thousandths of a point; hundredths before round nine
            sums = [
                sum(self.mp[p] for p, _, _ in self.items[o] if p is not None) for o, _, _ in met
            ]
            unit = 10 if self.rounds < 9 else 1
            points = 2 if self.boards == 1 else 1
            return unit * nearest(Fraction(1000 * sum(sums), points * unit * max(1, len(met))))
        if base == "progressive":
            return sum(
                sum(points for _, _, points in items[: r + 1]) for r in range(low, self.rounds)
            )
        if base == "koya":
            return sum(points for o, _, points in met if self.mp[o] >= self.could_score() / 2)
        if base == ONCE.removesuffix("direct"):
            return 0
        white = [row[team] for row in self.whites]
        return {
            "mp": self.mp[team],
            "points": self.mp[team],
            "gp": self.gp[team],
            "game-points": self.gp[team],
            "bruno": self.mp[team] * sum(self.mp[o] for o, _, _ in met),
            "played": len(met),
            "standard-points": self.mp[team],
            "number": -1 - team,
            "lot": self.lots()[team],
            "tpr": self.performance(team) or 0,
            "rating": self.ratings[team],
            "wins": sum(points == 2 for _, _, points in items),
            "games-won": sum(points == 2 for _, _, points in met),
            "elected": self.rounds,
            "blacks": sum(i[0] is not None and not w for i, w in zip(items, white, strict=True)),
            "black-wins": sum(
                i[0] is not None and not w and i[2] == 2 for i, w in zip(items, white, strict=True)
            ),
        }[base]

    def fore(self):
        """Match points if all who met in the last round had drawn."""
        last = [of[-1] for of in self.items]
        return [mp if o is None else mp - points + 1
                for mp, (o, _, points) in zip(self.mp, last, strict=True)]  # fmt: skip

    def lots(self):
        def mixed(number):
            for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
                number = (number ^ number >> shift) * factor % 2**32
            return number ^ number >> 16

        every = [of[r][1] for r in range(self.rounds) for of in self.items]
        seed = sum(mixed(half + 31 * i) for i, half in enumerate(every))
        drawn = [mixed((team + seed) % 2**32) for team in range(self.teams)]
        return [-1 - sorted(drawn).index(lot) for lot in drawn]

    def could_score(self):
        """Match points of somebody who wins all: in a round robin nobody plays all rounds."""
        lists = [[o for o, _, _ in of if o is not None] for of in self.items]
        counts = {lists[t].count(o) for t in range(self.teams) for o in range(self.teams) if o != t}
        robin = self.teams > 2 and len(counts) == 1 and counts != {0}
        return 2 * (len(lists[0]) if robin else self.rounds)

    def direct(self, groups):
        """Article 6: everybody's place behind whom, score group by score group."""
        found = [0] * self.teams
        for group in {g: [t for t in range(self.teams) if groups[t] == g] for g in groups}.values():
            left = len(group)
            for part in self.placed(group):
                left -= len(part)
                for team in part:
                    found[team] = left
        return found

    def placed(self, group):
        """The parts of a tied group in order."""
        if len(group) == 1:
            return [group]
        points, missing = {}, {}
        for team in group:
            against = {o: [p for other, _, p in self.items[team] if other == o] for o in group}
            points[team] = sum(Fraction(sum(p), len(p)) for p in against.values() if p)
            missing[team] = sum(not p for o, p in against.items() if o != team)
        if not any(missing.values()):
            parts = [[t for t in group if points[t] == p] for p in set(points.values())]
            parts.sort(key=lambda part: -points[part[0]])
        else:
            parts, left = [], sorted(group, key=lambda t: -points[t])
            while len(left) > 1 and points[left[0]] > max(
                points[t] + 2 * missing[t] for t in left[1:]
            ):
                parts.append([left.pop(0)])
            parts.append(left)
        return parts if len(parts) == 1 else [one for part in parts for one in self.placed(part)]

    def direct_once(self, groups):
        """As R. Ricca has it."""
        found = []
        for team in range(self.teams):
            tied = [t for t in range(self.teams) if groups[t] == groups[team]]
            all_met = all(b in [o for o, _, _ in self.items[a]] for a, b in permutations(tied, 2))
            points = sum(points for o, _, points in self.items[team] if o in tied)
            found.append(points if all_met else 0)
        return found

    def refined(self, team, other):
        """Eight times the opponent's match points, and its Buchholz without the team's own."""
        met = [o for o, _, _ in self.items[other] if o is not None]
        return 8 * self.mp[other] + sum(self.mp[o] for o in met) - self.mp[team]

    def rated(self, team):
        """Ratings of rated opponents, and the half points scored against them."""
        met = [(self.ratings[o], half) for o, half, _ in self.items[team] if o is not None]
        return [item for item in met if item[0] > 0]

    def performance(self, team):
        met = self.rated(team)
        if not met:
            return None
        share = Fraction(sum(half for _, half in met), 2 * self.boards * len(met))
        percent = nearest(100 * share)
        sign = 1 if percent >= 50 else -1
        percent = max(percent, 100 - percent)
        added = 800 if percent == 100 else middle(percent) if percent > 50 else 0
        return mean([rating for rating, _ in met]) + sign * added

    def perfect(self, team):
        met = self.rated(team)
        if not met:
            return 0
        lowest = min(rating for rating, _ in met)
        scored = Fraction(sum(half for _, half in met), 2 * self.boards)
        if scored == 0:
            return lowest - 800
        rating = lowest - 800
        while sum(expected(rating - other) for other, _ in met) < 100 * scored:
            rating += 1
        return rating

    def paired(self, inverse):
        rounds = [
            [(a, o, half) for a in range(self.teams) for o, half, _ in [self.items[a][r]]
             if o is not None and a < o]
            for r in range(self.rounds)
        ]  # fmt: skip
        return plain_python.paired_scores(self.teams, self.boards, rounds, inverse=inverse)

    def table(self, points, reduced):
        """The sum of the entries; of a reduced table less a bye, or the weakest opponent's."""
        found = []
        for mp, items in zip(self.mp, self.items, strict=True):
            worth = sorted(
                (-1, 0) if o is None else (self.mp[o], points[mp][self.mp[o]][half])
                for o, half, _ in items
            )
            found.append(sum(value for _, value in worth[int(reduced) :]))
        return found

    def rank(self, name):
        """An ordered combination, by sorting; each part compares who is tied on all before."""
        keys = [(mp,) for mp in self.mp]
        for part in name.split("+"):
            keys = [(*key, x) for key, x in zip(keys, self.scores(part, keys), strict=True)]
        return [sorted(set(keys)).index(key) for key in keys]

    def of_rule(self, name, rule):
        """The scores of a rule by name, in its own whole points."""
        match rule:
            case TableRule(points=points, reduced=reduced):
                return self.table(points.tolist(), reduced)
            case PassRule(points=points):
                return plain_python.pass_scores(self.played, points.tolist())
            case FormulaRule():
                a, k, passes = FORMULAS[name]
                return plain_python.formula_scores(self.played, self.boards, str(a), str(k), passes)
        if name == ONCE:
            return self.direct_once(self.mp)
        return self.rank(name) if "+" in name else self.scores(name)


@lru_cache(maxsize=1000)
def hundredths(difference):
    """Expected score of the higher rated in hundredths."""
    odd = {54: 58, 343: 88, 344: 88, 358: 90, 392: 92, 620: 99}
    if difference >= 736:
        return 100
    share = (1 + math.erf(difference / (2000 / 7) / math.sqrt(2))) / 2
    return odd.get(difference, math.floor(100 * share + 0.5))


def expected(difference):
    return hundredths(difference) if difference >= 0 else 100 - hundredths(-difference)


@lru_cache(maxsize=100)
def middle(percent):
    """Of the rating differences that make this the expected score."""
    ahead = [d for d in range(736) if hundredths(d) == percent]
    return (ahead[0] + ahead[-1]) // 2


def nearest(x):
    return math.floor(x + Fraction(1, 2))


def mean(values):
    return nearest(Fraction(sum(values), len(values))) if values else 0


# --- the contract ---------------------------------------------------------------------------------


@jax.jit
def all_scores(rules, results):
    return {name: jax.vmap(rule.scores)(results) for name, rule in rules.items()}


def stacked(events):
    return jax.tree.map(lambda *x: jnp.stack(x), *events)


BATCH = 8
SIZES = [(5, 5, 1), (6, 5, 3), (2, 1, 1), (9, 3, 1)]


def check_events(seeds, teams, rounds, boards):
    events = [random_event(seed, teams, rounds, boards) for seed in seeds]
    traced = traced_for(rounds, boards)
    found = jax.tree.map(np.asarray, all_scores(traced, stacked(events)))
    assert {scores.dtype for scores in found.values()} == {np.dtype(np.int32)}
    for number, results in enumerate(events):
        slow = Slow(results)
        for name, rule in rules_for(rounds, boards).items():
            wanted = np.array(slow.of_rule(name, rule))
            ways = [rule.scores(results)] + ([found[name][number]] if name in found else [])
            for scores in ways:
                assert (scores == wanted).all(), (name, seeds[number])


@pytest.mark.thorough
@pytest.mark.parametrize("size", slow_after(1, SIZES, spread=False), ids=str)
@settings(max_examples=3)
@given(data=st.data())
def test_scores_are_those_of_plain_python(size, data):
    seeds = data.draw(st.lists(st.integers(0, 2**32), min_size=BATCH, max_size=BATCH))
    check_events(seeds, *size)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(2, 15, 12), (15, 14, 12), (40, 15, 1), (60, 11, 4)], ids=str)
def test_scores_of_larger_events_are_those_of_plain_python(size):
    check_events(range(BATCH), *size)


def test_direct_encounter_in_any_groups():
    """In JAX, NumPy and plain Python; some are decided by article 6.3 alone, some in two steps."""
    rules = [DirectEncounter(), DirectEncounter(once=True)]
    score = jax.jit(lambda results, groups: [rule.scores(results, groups) for rule in rules])
    alone = 0
    for seed in range(60):
        results = random_event(seed, 9, 5, 1)
        groups = np.random.default_rng(seed).integers(0, 4, 9)
        slow = Slow(results)
        wanted = slow.direct(groups.tolist()), slow.direct_once(groups.tolist())
        for rule, traced, one in zip(rules, score(results, groups), wanted, strict=True):
            assert rule.scores(results, groups).tolist() == traced.tolist() == one
        alone += sum(placed and not points for placed, points in zip(*wanted, strict=True))
    assert alone


@pytest.mark.parametrize("name", [n for n, entry in ENTRIES.items() if entry.needs])
def test_missing_evidence_is_an_error(name):
    rule, needs = classic(name, 5, 3, ENTRIES).tiebreak, ENTRIES[name].needs
    shape = (5, 6, 3)
    boards = OnBoards(np.ones(shape, int), np.ones(shape, bool), np.zeros(shape, bool))
    whole = dataclasses.replace(random_event(0, 6, 5, 3), on_boards=boards)
    bare = dataclasses.replace(whole, ratings=None, whites=None, on_boards=None)
    with pytest.raises(InputError, match=f"needs? {needs}: these results have none"):
        rule.scores(bare)
    with pytest.raises(InputError, match="need"):
        jax.eval_shape(rule.scores, bare)
    assert needs in ("ratings", "colours", "boards") and rule.scores(whole).shape == (6,)
