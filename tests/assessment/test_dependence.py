"""How much ties depend on others: the example of docs/method.md, all changes by plain loops."""

import itertools
from fractions import Fraction
from functools import lru_cache

import assess_samples
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import joined, match_law, measure_each, random_surfaces

from tb2learn.assessment import dependence
from tb2learn.chess.results import Results
from tb2learn.cli import main
from tb2learn.config import Config, EventFormat, FieldConfig, load_config
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.tiebreaks.rules import classic, product_table
from tb2learn.training.tabulate import pass_table

SMALL = Config("s", event=EventFormat(9, 4, 2), field=FieldConfig(low=2000.0, high=2300.0))
RULES = [
    product_table(4, 2),
    classic("direct", 4, 2),
    pass_table(random_surfaces(2, rounds=4, boards=2), "passes"),
]
counted = jax.jit(
    jax.vmap(dependence.count_event, in_axes=(0, None, None, None)), static_argnums=(2,)
)


def counts_by_key(event, config, rules, keys):
    """The counts of an event with several keys: `[keys, rules, places, counts]`."""
    keys = jax.random.split(jax.random.key(3), keys)
    event = jax.tree.map(jnp.asarray, event)
    return np.asarray(counted(keys, event, config.setting, tuple(one.tiebreak for one in rules)))


def the_example(last=5):
    """That of docs/method.md, with the half points of E in the last round."""
    opponents = np.array([[4, 5, 3, 2, 0, 1], [1, 0, 4, 5, 2, 3], [3, 2, 1, 0, 5, 4]])
    half = np.array([[6, 5, 4, 4, 2, 3], [4, 4, 5, 6, 3, 2], [5, 6, 2, 3, last, 8 - last]])
    rosters = np.full((6, 4), 2400)
    rosters[4] = 2500
    points = (np.sign(half - 4) + 1).sum(axis=0)
    return Event(*(jnp.asarray(x, jnp.int32) for x in (rosters, opponents, half, points)))


@pytest.mark.thorough
def test_the_example_by_hand():
    config = Config("e", event=EventFormat(6, 3, 4))
    rules = [classic("emgsb", 3, 4), product_table(3, 4)]
    found = counts_by_key(the_example(), config, rules, 4000)[..., 0, :]
    law = match_law(jnp.full(4, 2500), jnp.full(4, 2400), config.game)
    loses = int(law[:5].sum())  # E has not more than half of the points
    assert loses / UNIT == pytest.approx(0.317, abs=5e-4)
    assert (found[:, 0, :5] == [1, 1, 1, dependence.PARTS, loses]).all()
    assert found[:, 0, 5].mean() == pytest.approx(loses / UNIT, abs=0.02)
    assert found[:, 0, 6].mean() == pytest.approx(2 / 3, abs=0.02)
    assert (found[:, 1] == [1, 1, 0, 0, 0, 0, 1]).all()
    drawn = counts_by_key(the_example(4), config, rules, 1)[0, 0, 0]
    assert drawn[:4].tolist() == [1, 1, 1, dependence.PARTS] and drawn[4] == UNIT - loses


# --------------------------------------------------------------------------- brute force


def small_events(number):
    batches = measure_each(SMALL, assess_samples.whole_event, EventRange(5, Purpose.ASSESS, number))
    parts = joined(batches)
    return [assess_samples.event_of(part[k] for part in parts) for k in range(number)]


class Brute:
    """Every result of matches of others in one event under one rule, by plain loops."""

    def __init__(self, event, rule):
        self.event, self.rule, boards = event, rule, SMALL.event.boards
        last = event.opponents[-1]
        self.matches = [(a, int(b)) for a, b in enumerate(last) if b > a]
        self.results = range(2 * boards + 1)
        self.law = {}
        for a, b in self.matches:
            law = match_law(event.rosters[a], event.rosters[b], SMALL.game)
            self.law[a, b] = np.asarray(law)
        self.score = lru_cache(None)(self._score)

    def _score(self, changes):
        half, boards = self.event.half_points.copy(), SMALL.event.boards
        for (a, b), scored in changes:
            half[-1, a], half[-1, b] = scored, 2 * boards - scored
        points = (np.sign(half - boards) + 1).sum(axis=0)
        results = Results(self.event.opponents, half, points, boards)
        return self.rule.tiebreak.scores(results)

    def turned(self, one, other, changes):
        """Whether the first is no longer in front."""
        before, after = self.score(()), self.score(tuple(changes))
        return (after[one] - after[other]) * np.sign(before[one] - before[other]) <= 0

    def pairs(self):
        own = self.event.match_points
        return [pair for pair in itertools.combinations(range(len(own)), 2)
                if own[pair[0]] == own[pair[1]]]  # fmt: skip

    def of_others(self, pair):
        return [match for match in self.matches if not set(match) & set(pair)]

    def single(self, pair):
        """Deciding matches and the largest chance of one, as `others` counts them."""
        boards, matches, most = SMALL.event.boards, 0, 0
        for match in self.of_others(pair):
            law, was = self.law[match], int(self.event.half_points[-1, match[0]])
            turning = [g for g in self.results if self.turned(*pair, [(match, g)])]
            most = max(most, sum(law[g] for g in turning))
            shares = [Fraction(0)]
            for step in (-1, 0, 1):
                scores = [g for g in self.results if np.sign(g - boards) == step]
                if abs(step - np.sign(was - boards)) == 1:
                    part = int(sum(law[g] for g in scores if g in turning))
                    shares.append(Fraction(part, int(sum(law[g] for g in scores))))
            matches += int(dependence.PARTS * max(shares) + Fraction(1, 2))
        return matches, int(most)

    def all_results(self, matches):
        return (list(zip(matches, drawn, strict=True))
                for drawn in itertools.product(self.results, repeat=len(matches)))  # fmt: skip

    def replayed(self, pair):
        """The chance that a replay of all matches of others turns the order."""
        return sum(
            np.prod([self.law[match][g] / UNIT for match, g in changes])
            for changes in self.all_results(self.of_others(pair))
            if self.turned(*pair, changes)
        )

    def certain(self, pair):
        """The share of orders of the matches of the round in which the pair's is certain early."""
        known = []
        for order in itertools.permutations(self.matches):
            mine = [k for k, match in enumerate(order) if set(match) & set(pair)]
            still = order[max(mine, default=-1) + 1 :]
            known.append(self.holds(pair, tuple(sorted(still))))
        return np.mean(known)

    def holds(self, pair, still):
        key = pair, still
        if key not in self.__dict__.setdefault("_holds", {}):
            every = self.all_results(still)
            self._holds[key] = not any(self.turned(*pair, changes) for changes in every)
        return self._holds[key]


@pytest.mark.slow
def test_every_change_of_small_events_by_brute_force():
    keys, drawn = 100, {"all": [], "certain": []}
    totals = np.zeros(4, int)
    for event in small_events(9):
        found = counts_by_key(event, SMALL, RULES, keys)
        for index, rule in enumerate(RULES):
            brute = Brute(event, rule)
            pairs = brute.pairs()
            score = brute.score(())
            decided = [pair for pair in pairs if score[pair[0]] != score[pair[1]]]
            single = [brute.single(pair) for pair in decided]
            counts = found[:, index, -1]
            expected = [
                *(len(pairs), len(decided), sum(m > 0 for m, _ in single)),
                *(sum(m for m, _ in single), sum(chance for _, chance in single)),
            ]
            assert (counts[:, :5] == expected).all()
            totals += expected[:4]
            drawn["all"].append(counts[:, 5] - sum(map(brute.replayed, decided)))
            exact = sum(map(brute.certain, decided))
            drawn["certain"].append(counts[:, 6] - exact)
    assert totals.min() > 10
    noise = np.concatenate(drawn["all"])
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(len(noise))
    # What is certain is so up to the noise of the drawn orders of the matches.
    slack = sum(part.mean() for part in drawn["certain"])
    assert abs(slack / totals[1]) < 0.01


def test_one_probe_at_a_time(capsys):
    assert main(["probe", "product", "--others", "--coalition", "2"]) == 2
    assert "different probes" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command(capsys):
    """Game points depend on nobody; all shares are of decided pairs."""
    options = ["--others", "--on", "small-20x7", "--probes", "60"]
    assert main(["probe", "game-points", *options]) == 0
    text = capsys.readouterr().out
    assert "(6 events)" in text
    assert text.count("\ngame-points") >= 4
    config = load_config("small-20x7")
    rule = classic("game-points", config.event.rounds, config.event.boards)
    found = dependence.dependence(config, [rule], 6, 1).dropna()
    assert (found[["hanging", "matches", "one", "all"]] == 0).all(axis=None)
    assert (found["certain"] == 1).all() and len(found)
