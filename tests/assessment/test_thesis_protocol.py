"""The protocol of the thesis: lists, replays, the oracle beside itself."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from assess_samples import CONFIG, EVENTS, FORMULA, PASSES, PRODUCT, whole_event, z_score
from helpers import joined, measure_each
from scipy import stats

from tb2learn.assessment import references
from tb2learn.assessment import thesis_protocol as thesis
from tb2learn.assessment.tally import TOPS
from tb2learn.simulation import games
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.tiebreaks.rules import Rule, classic
from tb2learn.tiebreaks.tables import TableRule


def facts_of(rosters, match_points, reduced, opponent_scores, strength):
    """The facts of a batch of one event."""
    one = thesis.Facts(
        list_key=jnp.array([1, 2], jnp.uint32),
        game_key=jnp.array([3, 4], jnp.uint32),
        rosters=jnp.asarray(rosters),
        match_points=jnp.asarray(match_points),
        reduced=jnp.asarray(reduced),
        opponent_scores=opponent_scores,
        strength=strength,
    )
    return jax.tree.map(lambda x: np.asarray(x)[None], one)


def test_lists_are_chosen_as_named():
    own = np.array([4, 2, 4, 4, 2, 0])
    facts = facts_of(
        rosters=np.zeros((6, 2), int),
        match_points=own,
        reduced=np.zeros((3, 6), int),
        opponent_scores=(),
        strength=jnp.zeros((6, 11)),
    )
    pairs = thesis._tied_pairs(facts, "own")
    assert pairs.team.tolist() == [[0, 2], [0, 3], [1, 4], [2, 3]]
    assert pairs.first_place.tolist() == [1, 1, 4, 1]
    assert (thesis._tied_pairs(facts, "swapped").owner == pairs.team[:, ::-1]).all()
    group = thesis._tied_pairs(facts, "same-group").owner
    assert (own[group] == own[pairs.team]).all() and (group[:, 0] != group[:, 1]).all()
    anyone = thesis._tied_pairs(facts, "random").owner
    assert (anyone[:, 0] != anyone[:, 1]).all() and anyone.max() < 6


def certain_facts(first, second, opponent_scores):
    """Two tied teams of these ratings, opponents of other scores that are rated 2000.

    The first is stronger with chance 3/4 and equal with chance 1/4, after one round robin.
    """
    strength = np.zeros((6, 3))
    strength[0], strength[1] = (0.0, 0.5, 0.5), (0.5, 0.5, 0.0)
    return facts_of(
        rosters=np.repeat([first, second, 2000, 2000, 2000, 2000], 2).reshape(6, 2),
        match_points=np.array([7, 7, 6, 4, 3, 1]),
        reduced=np.array([[2, 4, 3, 4, 5, 4], [3, 5, 5, 3, 2, 2]]),
        opponent_scores=tuple(map(jnp.asarray, opponent_scores)),
        strength=jnp.asarray(strength),
    )


# The mode of thirty round robins is the first team if it is ahead in more than fifteen of them,
# and with chance 1/2 if it is so in fifteen and equal in fifteen.
FIRST = stats.binom.sf(15, thesis.REPEATS, 0.75) + stats.binom.pmf(15, thesis.REPEATS, 0.75) / 2
TRUTH = {1: FIRST, 0: 1 - FIRST, -1: 0.0}  # by the sign of the verdict


def test_a_rule_is_as_wrong_as_its_verdict_is_far_from_the_truth():
    """The better team wins every game: rules that reward, punish and ignore results; the oracle."""
    met = np.array([[6, 3, 4, 3, 1, 3], [4, 1, 1, 4, 6, 6]])
    facts = certain_facts(4000, 0, [met] * 3)
    punishing = Rule("punishing", 5, 2, TableRule(-PRODUCT.tables[0]))
    ignoring = Rule("ignoring", 5, 2, TableRule(np.ones_like(PRODUCT.tables[0])))
    judged = [PRODUCT, punishing, references.AllPlayAll(), ignoring]
    rules, oracles = thesis._replayable(judged)
    pairs = thesis._tied_pairs(facts, "own")
    [wrong] = thesis._judge_chunk(facts, pairs, rules, oracles, CONFIG.setting)
    right = [TRUTH[1], TRUTH[-1], sum(chance**2 for chance in TRUTH.values()), TRUTH[0]]
    assert wrong.tolist() == [round(games.UNIT * (1 - chance)) for chance in right]


REPLAYED = [PRODUCT, classic("game-points", 5, 2), PASSES, FORMULA]


@pytest.fixture(scope="module")
def replays(model):
    """The oracle itself among the replayed rules, not last."""
    judged = [PRODUCT, references.AllPlayAll(), *REPLAYED[1:], references.TrueOpponents(model)]
    return thesis.thesis_tally(CONFIG, judged, EVENTS, 3, "same-group")


@pytest.mark.thorough
def test_thesis_protocol_with_every_kind_of_rule(replays):
    assert replays.rules == (
        "product", "all-play-all", "game-points", "passes", "formula", "true-opponents",
    )  # fmt: skip
    batches = measure_each(CONFIG, whole_event, EventRange(3, Purpose.ASSESS, EVENTS))
    for (_, _, _, own), pairs in zip(
        zip(*joined(batches), strict=True), replays.pairs, strict=True
    ):
        tied = [(i, j) for i, j in itertools.combinations(range(21), 2) if own[i] == own[j]]
        firsts = [1 + (own > own[i]).sum() for i, _ in tied]
        assert pairs.tolist() == [sum(first <= top for first in firsts) for top in TOPS[:4]]
    wrong = replays.errors[:, :, -1] / replays.unit
    # Event by event, one-sided, alpha 0.001: no rule is as good as the oracle drawn once more, and
    # every rule is better than a draw of lots.
    for number, name in enumerate(replays.rules):
        assert z_score(replays.pairs[:, -1] / 2 - wrong[:, number]) > 3.09, name
        if name != "all-play-all":
            assert z_score(wrong[:, number] - wrong[:, 1]) > 3.09, name
    # Equal games, other values: no two are the same.
    assert len(set(wrong.sum(axis=0))) == len(replays.rules)


@pytest.mark.thorough
def test_the_oracle_replayed_is_its_own_noise(replays):
    """The chance that two modes of thirty round robins differ, pair by pair."""
    batches = measure_each(CONFIG, whole_event, EventRange(3, Purpose.ASSESS, EVENTS))
    distribution = jax.jit(thesis.strength_distribution, static_argnums=1)
    for number, (rosters, _, _, own) in enumerate(zip(*joined(batches), strict=True)):
        law = np.asarray(distribution(jnp.asarray(rosters), CONFIG.game))
        expected = np.zeros(4)
        for i in range(21):
            first_place = 1 + (own > own[i]).sum()
            for j in range(i + 1, 21):
                if own[i] == own[j]:
                    mode = thesis.mode_chances(thesis.duel(law[i], law[j]), thesis.REPEATS)
                    expected += (1 - (mode**2).sum()) * (first_place <= np.array(TOPS[:4]))
        found = replays.errors[number, 1] / replays.unit
        np.testing.assert_allclose(found, expected, atol=2e-3)
