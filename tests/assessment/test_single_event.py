"""The protocol of single events: counts against the slow oracle."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import plain_python
import pytest
from assess_samples import CONFIG, EVENTS, PRODUCT, RULES, whole_event
from helpers import exact_strength, joined, measure_each

from tb2learn.assessment import references, single_event
from tb2learn.assessment.error_rates import assess, rates
from tb2learn.assessment.tally import SEED_KINDS, TOPS
from tb2learn.chess.results import Results
from tb2learn.simulation.event import Event
from tb2learn.simulation.level_model import likelihood_worth
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.tiebreaks.rules import classic

STREAM = EventRange(5, Purpose.ASSESS, EVENTS)


@pytest.mark.thorough
def test_errors_by_seed_are_the_slow_oracles():
    """In a world with seeds near the truth; `higher-seed` errs where the lower seed is better."""
    seeded = dataclasses.replace(CONFIG, field=dataclasses.replace(CONFIG.field, seed_noise=60.0))
    judged = [PRODUCT, references.HigherSeed(), classic("game-points", 5, 2)]
    tally = single_event.single_event_tally(seeded, judged, STREAM)
    batches = measure_each(seeded, whole_event, STREAM)
    changed = 0
    for number, (rosters, opponents, half_points, own) in enumerate(
        zip(*joined(batches), strict=True)
    ):
        truth = np.asarray(exact_strength(rosters, CONFIG.game)).tolist()
        results = Results(opponents, half_points, own, 2)
        product, points = (judged[n].tiebreak.scores(results) for n in (0, 2))
        for rule, scores in enumerate([product, list(range(21, 0, -1)), points]):
            for column, top in enumerate(TOPS):
                pairs = tally.seeds.pairs[number, :, column].tolist()
                halves = tally.seeds.halves[number, :, rule, column].tolist()
                kinds = dict(zip(SEED_KINDS, zip(pairs, halves, strict=True), strict=True))
                assert kinds == plain_python.seed_counts(own.tolist(), scores, truth, UNIT, top)
        one, other = np.nonzero(np.triu(own[:, None] == own, k=1))
        changed += (points[one] <= points[other]).sum()
    # The same events and programs: game points as what `higher-seed` was before rounding.
    found = assess(seeded, judged[:2], EVENTS, 5, unrounded=judged[2])
    assert found.rounding == (changed, tally.pairs[:, -1].sum()) and 0 < changed
    assert assess(seeded, judged, EVENTS, 5).rounding is None
    assert found.frame["rule"].tolist() == ["product"] * 5 + ["higher-seed"] * 5
    # Every error is of one kind or the other, unless the teams are equally strong.
    split, copies = tally.seeds.halves[:, :2].sum(axis=1), tally.seeds.pairs[:, 3]
    np.testing.assert_array_equal(tally.errors, split + copies[:, None])
    rows = rates(tally, seed=5).query("rule == 'higher-seed'").iloc[2:]
    assert (rows[["higher_better", "lower_better", "near_equal"]] == [0.0, 1.0, 1.0]).all(axis=None)
    assert rows["lower_better_pairs"].min() > 0
    assert rows[["apart_low", "apart_high"]].iloc[-1].tolist() == [1.0, 1.0]


@pytest.fixture(scope="module")
def tally(model):
    """All rules and references in one run."""
    judged = [*RULES, references.TrueOpponents(model), references.AllPlayAll()]
    return single_event.single_event_tally(CONFIG, judged, STREAM)


def slow_errors(scores, truth, own):
    """Pairs and doubled errors of one event for every population."""
    return [
        plain_python.single_event_errors(own.tolist(), scores, truth.tolist(), top) for top in TOPS
    ]


@pytest.mark.thorough
def test_every_rule_of_one_run_is_judged_as_by_brute_force(tally, model):
    """By rules' own scores (see tiebreaks/test_sums), pair by pair; of "all" too."""
    tie_breaks = [rule.tiebreak for rule in RULES]
    batches = measure_each(CONFIG, whole_event, STREAM)
    likelihood = jax.jit(likelihood_worth, static_argnames="setting")
    doubtful = 0
    for number, event in enumerate(zip(*joined(batches), strict=True)):
        rosters, opponents, half_points, own = event
        truth = np.asarray(exact_strength(rosters, CONFIG.game))
        results = Results(opponents, half_points, own, 2)
        scores = [np.asarray(rule.scores(results)).tolist() for rule in tie_breaks]
        played = Event(*map(jnp.asarray, event))
        scores.append(np.asarray(likelihood(played, CONFIG.setting, model)).tolist())
        for rule, of_rule in enumerate(scores):
            for column, (pairs, errors) in enumerate(slow_errors(of_rule, truth, own)):
                assert tally.pairs[number, column] == pairs
                if tally.rules[rule] in ("true-opponents", "formula"):
                    # Floats may end in another bit elsewhere: of equal evidence alone.
                    doubtful += abs(tally.errors[number, rule, column] - errors)
                else:
                    assert tally.errors[number, rule, column] == errors, tally.rules[rule]
    assert doubtful <= 2
    assert tally.pairs[:, -1].sum() > 500
