"""Scores of some teams after other results of the last round: those of the whole rule."""

import assess_samples
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import joined, measure_each, random_surfaces

from tb2learn.assessment.tried import tried
from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.last_round import LastRound
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.tiebreaks.rules import classic, formula_rule, product_table
from tb2learn.training.tabulate import pass_table

# An odd number of teams: one has a bye in every round.
ODD = Config("s", event=EventFormat(13, 5, 2), field=FieldConfig(low=2000.0, high=2300.0))


def in_passes(depth):
    return pass_table(random_surfaces(depth, rounds=5, boards=2), "passes").tiebreak()


RULES = {
    **{f"{depth} passes": in_passes(depth) for depth in (1, 2, 3, 4)},
    **{
        "finer": in_passes(3).finer(),
        "formula": formula_rule("f", 5, 2, 0.25, 0.05, passes=3).tiebreak(),
    },
    "product": product_table(5, 2).tiebreak(),
    **{
        name: classic(name, 5, 2).tiebreak()
        for name in ("buchholz-cut1", "egmsb", "direct", "least-squares", "game-points", "koya")
    },
}


EVENTS = 6


@pytest.fixture(scope="module")
def events():
    batches = measure_each(ODD, assess_samples.whole_event, EventRange(4, Purpose.ASSESS, EVENTS))
    parts = joined(batches)
    found = [assess_samples.event_of(part[k] for part in parts) for k in range(EVENTS)]
    return [jax.tree.map(jnp.asarray, event) for event in found]


@pytest.mark.parametrize("name", RULES)
def test_some_teams_have_the_scores_of_the_whole_rule(events, name):
    rule = RULES[name]

    @jax.jit
    def both(event, teams, half_points):
        last = LastRound.of(event, ODD.game)
        of_rule = tried(rule, last)

        def whole(match, half):
            return rule.scores(last.with_results(last.played.at[match].set(half)))

        matches, results = map(jnp.arange, last.law.shape)
        by_result = jax.vmap(jax.vmap(whole, (None, 0)), (0, None))(matches, results)
        scores = of_rule.scores(half_points, teams), rule.scores(last.with_results(half_points))
        changed = of_rule.changed(jnp.arange(13))
        return of_rule.played, changed, jnp.moveaxis(by_result, 2, 0), *scores

    drawn = jnp.asarray(np.random.default_rng(1).integers(0, 5, 6), jnp.int32)
    most, tested = int(name == "formula"), 0  # sums of fractions may end on either side of a half
    for event in events:
        found = both(event, jnp.array([3, 8]), drawn)
        played, changed, whole, some, all_ = map(np.asarray, found)
        assert np.abs(some - all_[[3, 8]]).max() <= most
        own = np.asarray(event.match_points)
        ordered = np.isin(own, own[played > 0]) if name == "direct" else played == played
        assert np.abs(changed - whole)[ordered].max(initial=0) <= most
        tested += int(ordered.sum())
    assert tested and len(np.unique(whole)) > 1
