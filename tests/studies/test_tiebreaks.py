"""Ricca's studies: his printed figures, the accuracy of tie-breaks, claims about orders."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import results_of

from studies import tiebreaks
from studies.global_criteria import CRITERIA, adjusted, evaluation, places, played, top_scorers
from studies.ricca import event_sums
from tb2learn.config import load_config
from tb2learn.report.frames import where
from tb2learn.tiebreaks.names import find_tiebreak


def test_his_figures_and_the_names_of_his_tie_breaks():
    his, between = tiebreaks.ricca_values(), tiebreaks.ricca_between()
    assert len(his) == 420 + 1065 and len(between) == 60
    row = where(his, kind="150-10", population="all", tie_break="APRO", criterion="ABSTPR")
    assert row.ricca.item() == 1.152
    names = tiebreaks.ricca_names()
    steps = {step for name in names for step in tiebreaks.ladder(name)}
    assert len(names) == 14 + 44 and steps == {*tiebreaks.SHORT, tiebreaks.LOTS}
    sample = tiebreaks.sample_event()
    known = sample[sample["ours"].notna()]
    assert (known["ours"] == known["printed"]).sum() == 30 and len(known) == 30


def random_results(players, rounds, boards):
    """Random pairs and results, with ratings and colours."""
    random = np.random.default_rng(3)
    matches = [
        [(int(a), int(b), int(random.integers(2 * boards + 1)))
         for a, b in random.permutation(players).reshape(-1, 2)]
        for _ in range(rounds)
    ]  # fmt: skip
    results = results_of(players, boards, matches)
    ratings = jnp.asarray(random.integers(1500, 2500, players), jnp.int32)
    return replace(results, ratings=ratings, whites=tiebreaks.colours(results.opponents))


@pytest.mark.slow
def test_the_accuracy_of_ladders_step_by_step():
    """Ladders against combined rules of the library, their evaluation against the definition."""
    event, lots = random_results(20, 5, 1), jax.random.permutation(jax.random.key(1), 20)
    names = ("BH", "DE", "SONNBER", "COMPLETE", "DE_MD_KY_BB", "BH_RD", "RANDOM")
    ranks = np.asarray(tiebreaks.ladders(names, 5, 1).ranks(event, lots))
    points = np.asarray(event.match_points)
    for name, ranked in zip(names[:5], ranks, strict=False):
        steps = [tiebreaks.SHORT[step] for step in tiebreaks.ladder(name)]
        rule, _ = find_tiebreak("+".join(steps), 5, 1)
        expected = adjusted(points, np.asarray(rule.scores(event)))
        assert places(ranked).tolist() == expected.tolist(), name
    assert sorted(places(ranks[5])) == list(range(1, 21))  # lots break all ties
    assert places(ranks[6]).tolist() == adjusted(points, np.asarray(lots)).tolist()

    config = load_config("small-20x7")
    config = replace(config, event=replace(config.event, teams=20, rounds=5, boards=1))
    measured = {
        "opponents": np.asarray(event.opponents),
        "half_points": np.asarray(event.half_points),
        "ratings": np.asarray(event.ratings),
        "strength": np.arange(20),
        "lots": np.asarray(lots),
        "ranks": ranks,
    }
    sums = event_sums(measured, config)
    some = played(measured["opponents"], measured["half_points"], 1, measured["ratings"])
    criteria = [criterion(some) for criterion in CRITERIA.values()]
    top = top_scorers(some.scores, 5)
    for t, rank in enumerate(ranks):
        for c, criterion in enumerate([*criteria, measured["strength"], measured["lots"]]):
            both = places(rank), adjusted(some.scores, criterion)
            for p, who in enumerate((None, top)):
                value = (sums["tiebreaks"][p, t, c] / (4 * sums["players"][p])) ** 0.5
                assert value == pytest.approx(evaluation(*both, who))
