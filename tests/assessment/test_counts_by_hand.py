"""Verdicts, rates and intervals in plain numbers: events, halves, blocks, tops, signs."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from assess_samples import CONFIG, PRODUCT

from studies.worlds import Cell
from tb2learn.assessment import (
    coalition_probes,
    dependence,
    error_rates,
    estimators,
    half_point_probes,
    pairs,
    single_event,
    tally,
)
from tb2learn.assessment.estimators import RuleEstimator
from tb2learn.assessment.tally import FrontCounts, SeedCounts, Tally
from tb2learn.chess.results import Results
from tb2learn.simulation import oracle
from tb2learn.simulation.purposes import UNIT, Purpose
from tb2learn.tiebreaks.rules import classic
from tb2learn.types import BYE, MAX_TEAMS

pytestmark = pytest.mark.usefixtures("untyped")

RULES = [PRODUCT, classic("game-points", 5, 2)]


# ------------------------------------------------------------------------ counts and rates


def test_populations_and_blocks_are_those_of_the_docs():
    assert tally.TOPS == (1, 3, 10, 30, MAX_TEAMS) and dependence.PLACES == (1, 3, 10, 30)
    assert (tally.BLOCKS, half_point_probes.PROBES, coalition_probes.GAINS) == (
        1000,
        20,
        (1, 3, 10),
    )


def test_a_block_is_an_event_up_to_a_thousand_and_every_thousandth_beyond():
    few = tally.by_block(3)(np.array([2, 0, 2]), (np.array([[5], [1], [2]]),))
    assert few[0].tolist() == [[1], [0], [7]]
    (many,) = tally.by_block(2500)(np.array([1, 999, 1001, 2001, 2499]), (np.arange(1, 6),))
    assert many.shape == (1000,) and many.dtype == np.int64
    assert {k: int(many[k]) for k in np.flatnonzero(many)} == {1: 1 + 3 + 4, 999: 2, 499: 5}
    assert tally.by_block(1000)(np.array([999]), np.ones(1)).shape == (1000,)


def test_the_tally_without_its_last_rule():
    halves = np.arange(6).reshape(1, 1, 3, 2)
    seeds = SeedCounts(np.ones((1, 1, 2)), halves)
    whole = Tally(("a", "b", "c"), np.ones((1, 2)), halves[0], 2, None, seeds)
    part = whole.without_last()
    assert part.rules == ("a", "b") and part.errors.tolist() == [[[0, 1], [2, 3]]]
    assert part.seeds.halves.tolist() == [[[[0, 1], [2, 3]]]]


def test_shares_of_pairs_by_sample():
    """Two events with one and three pairs; half errors 1 and 3; then the second event twice."""
    weights, errors = np.array([[1, 1], [0, 2]]), np.array([[[1]], [[3]]])
    found = error_rates.shares_of_pairs(weights, errors, np.array([[1], [3]]), 2)
    assert found.ravel().tolist() == [0.5, 0.5] and found.shape == (2, 1, 1)
    assert error_rates.shares_of_pairs(weights, errors, np.array([[2], [3]])).ravel().tolist() == [
        0.8,
        1,
    ]
    drawn = error_rates.samples(7, 3)
    assert drawn.shape == (2001, 7) and (drawn[0] == 1).all() and (drawn.sum(axis=1) == 7).all()


def test_what_a_tie_break_adds_and_how_far_it_is_above_the_ideal():
    """Four near pairs, tied or not; two tied ones, of which the ideal gives one to the higher."""
    kinds, front = (
        np.array([[[1], [1], [2], [0]]]),
        FrontCounts(np.array([[4]]), np.array([[3]]), np.array([[[5], [2]]])),
    )
    halves = np.array([[[1, 0], [2, 1], [3, 2], [0, 0]]])[..., None]
    tally = Tally(
        ("a", "b"),
        np.array([[4]]),
        np.array([[[3], [1]]]),
        2,
        None,
        SeedCounts(kinds, halves, front),
    )
    frame = error_rates.rates(tally, 1)
    assert frame["front_pairs"].tolist() == [4, 4] and frame["front"].tolist() == [5 / 8, 2 / 8]
    assert frame["front_points"].tolist() == [3 / 8] * 2
    assert frame["front_tie_break"].tolist() == [2 / 8, -1 / 8]
    ideal = Tally(
        ("ideal",), tally.pairs, np.array([[[2]]]), 2, None, SeedCounts(kinds, halves[:, :, :1] - 1)
    )
    found = error_rates.excess(tally.beside(ideal), 1)
    assert found["ideal"].tolist() == [0.5, 0.5] and found["ideal_pairs"].tolist() == [2, 2]
    assert found["excess"].tolist() == [0.25, 0.0] and found["behind"].tolist() == [1 / 8, -1 / 8]
    assert tally.without_last().seeds.front.halves.tolist() == [[[5]]]


def test_differences_have_the_sign_of_their_name():
    """Of ten pairs the first rule errs on four, the second on three, the third on five."""
    errors = np.array([[[8], [6], [10]]])
    kinds = np.array([[[4], [6], [2], [0]]])
    halves = np.array([[[2, 4, 4], [6, 3, 12], [2, 1, 3], [0, 0, 0]]])[..., None]
    seeds = SeedCounts(kinds, halves)
    frame = error_rates.rates(
        Tally(("a", "b", "c"), np.array([[10]]), errors, 2, None, seeds), 1, ["a"]
    )
    assert frame["error"].tolist() == [0.4, 0.3, 0.5]
    assert frame["saved"].tolist() == pytest.approx([0, 0.25, -0.25])
    assert frame["than_a"].tolist() == pytest.approx([0, -0.1, 0.1])
    assert frame["higher_better"].tolist() == [0.25, 0.5, 0.5]
    assert frame["lower_better"].tolist() == [0.5, 0.25, 1.0]
    assert frame["apart"].tolist() == [0.25, -0.25, 0.5]
    assert frame["near_equal"].tolist() == [0.5, 0.25, 0.75]
    assert frame["near_than_a"].tolist() == [0, -0.25, 0.25]
    assert frame["near_equal_pairs"].tolist() == [2, 2, 2] and frame["copies"].isna().all()


@pytest.mark.parametrize("purpose", [Purpose.ASSESS, Purpose.CHOOSE])
def test_rules_are_judged_on_events_of_the_purpose(played, purpose):
    changed = np.array([[1, 2], [3, 4]])
    played.totals = np.ones((2, 2), int), np.ones((2, 2, 2), int), changed, None
    found = error_rates.tally_verdicts(CONFIG, RULES, 2, 7, purpose=purpose)
    assert played.events() == [(purpose, 7, 2, 0)] and played.asked[0].measurement.oracle
    assert found.unit == 2 and found.changed.tolist() == [4, 6]
    assert found.rules == ("product", "game-points")


def test_an_assessment_and_a_cell_are_of_their_own_events(played):
    played.totals = (
        np.full((2, 5), 4), np.full((2, 2, 5), 2), np.array([[1] * 4 + [3], [0] * 4 + [2]]), None,
    )  # fmt: skip
    found = error_rates.assess(CONFIG, RULES[:1], 2, 7, unrounded=RULES[1])
    assert found.rounding == (5, 8) and found.frame["rule"].unique().tolist() == ["product"]
    assert error_rates.assess(CONFIG, RULES, 2, 7).rounding is None
    cell = Cell("x", CONFIG, ["game-points"], 2, purpose=Purpose.CHOOSE)
    assert cell.tally(9).rules == ("product", "game-points")
    assert [events[:2] for events in played.events()] == [
        (Purpose.ASSESS, 7), (Purpose.ASSESS, 7), (Purpose.CHOOSE, 9),
    ]  # fmt: skip


def test_the_thesis_protocol_plays_the_assessed_events(played):
    played.totals = np.ones((3, 4), int), np.full((3, 2, 4), UNIT)
    found = error_rates.tally_verdicts(CONFIG, RULES, 3, 7, "thesis", "own")
    assert played.events() == [(Purpose.ASSESS, 7, 3, 0)] and found.unit == UNIT
    assert error_rates.rates(found, 1)["error"].tolist() == [1.0] * 8


# ------------------------------------------------------------------------ single events


class Scores:
    """A judged rule with known numbers."""

    stream = 0

    def __init__(self, *numbers):
        self.numbers = np.array(numbers)

    def estimate(self, key, event, config):
        return self.numbers

    def scores(self, results):
        return self.numbers


def test_one_event_by_hand(monkeypatch):
    """A and B tied for first place, C to E for third, of which D and E are copies."""
    plain_numpy.use(monkeypatch, single_event, oracle)
    strength = np.array([9, 5, 4, 3, 3]) * UNIT
    strength[0] += 1
    event = SimpleNamespace(match_points=np.array([6, 6, 4, 4, 4]), strength=strength)
    config = replace(CONFIG, field=replace(CONFIG.field, seed_noise=30.0))
    rules = Scores(1, 2, 5, 7, 7), Scores(2, 2, 9, 8, 1)
    pairs, wrong, changed, seeds = single_event.tally_event(None, event, config.setting, rules)
    assert pairs.tolist() == [1, 4, 4, 4, 4]
    # First rule: wrong on A B and on C before D and E; on copies half an error.
    assert wrong[0].tolist() == [2, 2 + 2 + 2 + 1] + [7] * 3
    assert wrong[1].tolist() == [1, 1 + 0 + 0 + 1] + [2] * 3
    assert changed.tolist() == [1, 4, 4, 4, 4]  # also where only one of both has an equal score
    # Higher seed better, lower seed better, less than a point apart, copies.
    assert seeds.pairs[:, -1].tolist() == [3, 0, 0, 1]
    assert seeds.halves[:, :, -1].tolist() == [[6, 1], [0, 0], [0, 0], [1, 2]]
    none = replace(CONFIG, field=replace(CONFIG.field, seed_noise=float("inf")))
    # With random seeds, too: the pairing itself treats equal teams unequally.
    assert (
        single_event.tally_event(None, event, none.setting, rules)[3].pairs.tolist()
        == seeds.pairs.tolist()
    )
    # All are a point apart or more, but for the copies.
    assert seeds.front.pairs.tolist() == [0] * 5
    alone = single_event.tally_event(None, event, none.setting, rules[:1])
    assert alone[2].tolist() == [0] * 5


def test_who_stands_in_front_at_all_by_hand(monkeypatch):
    """B is the best, A behind by half a point and tied; C, far below, has a copy D; E is near C."""
    plain_numpy.use(monkeypatch, single_event, oracle)
    strength = np.array([40, 41, 4, 4, 5]) * UNIT // 2
    points, scores = (
        np.array([6, 6, 4, 2, 4]),
        [np.array([1, 2, 9, 3, 9]), np.array([5, 1, 8, 0, 3])],
    )
    found = single_event._in_front(points, scores, strength)
    # A and B from the first place on; E, the third, beside C and D.
    assert found.pairs.tolist() == [1, 3, 3, 3, 3]
    # A and B are tied; C and E, too; D, the higher seed, is behind E.
    assert found.points.tolist() == [1, 2, 2, 2, 2]
    assert found.halves.tolist() == [[0, 1, 1, 1, 1], [2, 4, 4, 4, 4]]


def test_nearly_equal_teams_are_less_than_a_point_apart(monkeypatch):
    """Three pairs: the first better by a point, the second by less, two copies."""
    plain_numpy.use(monkeypatch, single_event)
    order, near = np.array([1, -1, 0]), np.array([False, True, True])
    counts = single_event._by_seed([np.array([1, 1, 0])], order, near)
    assert np.asarray(counts.pairs).tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    # No error for the higher seed that is better, one against the lower; then for the higher seed.
    assert np.asarray(counts.halves)[:, 0].tolist() == [[0, 0, 0], [0, 2, 0], [0, 2, 0], [0, 0, 1]]


def test_half_errors(monkeypatch):
    plain_numpy.use(monkeypatch, oracle)
    order = np.array([1, 1, 1, -1, 0, 0])
    assert oracle.half_errors(np.array([1, 0, -1, 1, 1, 0]), order).tolist() == [0, 1, 2, 2, 1, 1]


def test_pairs_of_tied_teams_by_place():
    """Two events, with groups of two and three."""
    found = pairs.tied_pairs(np.array([[4, 6, 4, 6], [0, 2, 2, 2]]))
    assert found.event.tolist() == [0, 0, 1, 1, 1]
    assert found.teams.tolist() == [[0, 2], [1, 3], [1, 2], [1, 3], [2, 3]]
    assert found.place.tolist() == [3, 1, 1, 1, 1]
    values = np.array([[2**31 - 1, 0, -(2**31), 5], [0, 1, 5, 2]], np.int32)
    assert found.differences(values).tolist() == [2**32 - 1, -5, -4, -1, 3]
    assert found.only(found.place == 3).teams.tolist() == [[0, 2]]
    assert len(pairs.tied_pairs(np.array([[1, 2]])).event) == 0


def test_a_pair_counts_as_often_as_both_teams_were_drawn(monkeypatch):
    monkeypatch.setattr(pairs, "resamples", lambda *_: np.array([[1.0, 1, 1], [2, 0, 1]]))
    found = pairs.tied_pairs(np.array([[1, 1, 1]])).resampled(
        np.array([[1.0], [10], [100]]), 3, None
    )
    assert found.ravel().tolist() == [111, 20]


def test_a_rule_values_replayed_results(monkeypatch):
    """Product: two opponents of 3 and 5 match points; 1/2 and 2 game points, one was a bye."""
    plain_numpy.use(monkeypatch, estimators)
    rule, present = RuleEstimator(PRODUCT.tiebreak, 2), np.array([[True, False], [True, True]])
    points, halves = np.array([[3, 3], [5, 5]]), np.array([[1, 1], [4, 4]])
    assert rule.replay(np.int32(4), points, halves, present).tolist() == [3 + 20, 20]


# ------------------------------------------------------------------------ probes


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [(0, 10, 0, 0.3085), (10, 10, 0.6915, 1), (5, 10, 0.1871, 0.8129), (1, 100, 0.0003, 0.0545)],
)
def test_the_ends_of_clopper_and_pearson(count, trials, low, high):
    """Printed in tables of the exact 95 % interval; 0 of n has 1 - 0.025^(1/n)."""
    assert half_point_probes.exact_interval(count, trials) == pytest.approx((low, high), abs=5e-5)
    assert half_point_probes.exact_interval(0, 0) == (0, 1)
    assert half_point_probes.exact_interval(0, trials)[1] == pytest.approx(
        1 - 0.025 ** (1 / trials)
    )


def test_what_probes_found_as_a_frame(played):
    """41 probes need three events; losses are in the unit that the rule prints."""
    played.totals = np.array([[50, 40, 10, 5], [50, 40, 0, 0]]), np.array([3, 0])
    rules = [replace(PRODUCT, unit=0.5), RULES[1]]
    frame = half_point_probes.probe_rules(CONFIG, rules, 41, 6)
    assert played.events() == [(Purpose.ASSESS, 6, 3, 0)]
    assert frame.loc[0, ["probes", "within", "violations", "places"]].tolist() == [50, 40, 10, 5]
    assert frame["share"].tolist() == [0.25, 0] and frame["worst"].tolist() == [1.5, 0]
    assert frame["share_low"].tolist() == pytest.approx([0.1269, 0], abs=5e-5)
    assert frame["share_high"].tolist() == pytest.approx([0.4120, 0.0881], abs=5e-5)
    measured = played.asked[0].measurement
    counts, worst = measured.add(None, (np.ones((2, 1, 4), int), np.array([[3], [7]])))
    assert counts.tolist() == [[2, 2, 2, 2]] and worst.tolist() == [7]
    assert measured.merge((1, np.array([5])), (2, np.array([4]))) == (3, np.array([5]))


def results(half_points, opponents, boards=2):
    half = plain_numpy.plain(half_points)
    points = (np.sign(half - boards) + 1).sum(axis=0)
    return Results(plain_numpy.plain(opponents), half, points, boards)


ONE_ROUND = results([[3, 1, 2, 2, 4, 0, 2]], [[1, 0, 3, 2, 5, 4, BYE]])
"""A beats B by 3 half points of 4, C and D draw, E beats F on all boards, G has a bye."""


def test_half_points_are_moved_to_a_team_from_its_opponent():
    after = half_point_probes.moved(ONE_ROUND, 0, 2, 1)
    assert after.half_points.tolist() == [[3, 1, 3, 1, 4, 0, 2]]
    assert after.match_points.tolist() == [2, 0, 2, 0, 2, 0, 1]
    assert half_point_probes.moved(ONE_ROUND, 0, 6, 0).half_points.tolist() == [
        [3, 1, 2, 2, 4, 0, 2]
    ]
    scores = np.array([5, 1, 1, 2, 5, 0, 2])
    assert [half_point_probes.place(ONE_ROUND, scores, team) for team in range(7)] == [
        0,
        5,
        4,
        2,
        0,
        6,
        2,
    ]


class Punishing:
    """Twice the half points count against a team; what is scored by others does not."""

    def scores(self, results):
        return -2 * results.half_points.sum(axis=0)


def test_probes_of_one_event_by_hand(monkeypatch):
    """B and A gain half a point within their points; D wins by it; E and G have no room."""
    plain_numpy.use(monkeypatch, half_point_probes)
    picks = np.array([[0, 1], [0, 0], [0, 3], [0, 4], [0, 6]])
    monkeypatch.setattr(half_point_probes, "picked", lambda key, rounds, teams: picks[:, [0, 1]])
    event = SimpleNamespace(results=ONE_ROUND)
    counts, worst = half_point_probes.probe_event(
        None, event, CONFIG.setting, (Punishing(), Scores(*[0] * 7))
    )
    # B makes its match a draw; A stays; D wins.
    assert counts[1].tolist() == [3, 1, 0, 0] and worst[1] == 0
    assert counts[0].tolist() == [3, 1, 1, 0] and worst[0] == 2


def test_picks_are_rounds_and_teams(monkeypatch):
    plain_numpy.use(monkeypatch, half_point_probes)
    monkeypatch.setattr(half_point_probes, "half_words", lambda key, number: np.arange(number))
    found = half_point_probes.picked(None, 3, 7)
    assert found.shape == (20, 2)
    assert found[:4].tolist() == [[0, 6], [1, 0], [2, 1], [0, 2]]


def test_places_won_by_a_game_point(monkeypatch):
    """By match points alone: C or D wins their match, the other falls behind; A cannot give."""
    plain_numpy.use(monkeypatch, coalition_probes)
    picks = np.array([[0, 2], [0, 0], [0, 6]])
    monkeypatch.setattr(coalition_probes, "picked", lambda key, rounds, teams: picks)
    event = SimpleNamespace(results=ONE_ROUND)
    counts, places = coalition_probes.probe_event(None, event, CONFIG.setting, (Scores(*[0] * 7),))
    # Kept: none of these results survives a game point. Changed: C D, and A B both ways.
    assert counts[0, 0, :, 0].tolist() == [0, 0] and counts[0, 1, :, 0].tolist() == [2, 2]
    # C rises from third to first and D falls from third to fifth; B does so from 6th, A to 6th.
    both, one = counts[0, 1]
    assert both.tolist()[1:] == [0, 0, 0, 0] and places[0, 1, 0].tolist()[:2] == [2, 0]
    assert one.tolist()[1:] == [2 + 5, 2, 1, 0]
    assert np.flatnonzero(places[0, 1, 1]).tolist() == [2, 5]


def test_what_coalitions_win_as_a_frame(played):
    """Ten pairs under both rules; they win 20 and 30 places, and 4 and 5 win three or more."""
    counts = np.zeros((1, 2, 2, 2, 5), int)
    counts[0, 0], counts[0, 1] = (10, 20, 8, 4, 1), (10, 30, 9, 5, 0)
    places = np.zeros((2, 2, 2, 9), int)
    places[..., [0, 2, 8]] = 49, 50, 1
    played.totals = counts, places
    frame = coalition_probes.probe_coalitions(CONFIG, RULES, 21, 6)
    assert played.events() == [(Purpose.ASSESS, 6, 2, 0)] and len(frame) == 8
    first, last = frame.iloc[0], frame.iloc[-1]
    assert (last["rule"], last["result"], last["of"], last["pairs"]) == (
        "game-points", "changed", "one", 10,
    )  # fmt: skip
    names = ["mean", "from_1", "from_3", "from_10", "more"]
    assert first[names].tolist() == [2, 0.8, 0.4, 0.1, 0]
    assert last[names].tolist() == [3, 0.9, 0.5, 0, 1] and last["more_low"] == 1
    assert last[["median", "most_of_100", "worst"]].tolist() == [2, 2, 8]


# ------------------------------------------------------------------------ matches of others


def test_dependence_on_others_as_a_frame(played):
    """Eight pairs, of which the rule orders four; then three in 1/PARTS and 1/UNIT."""
    counts = np.zeros((1, 2, 4, 7), int)
    counts[...] = 8, 4, 2, 3 * dependence.PARTS, UNIT, 1, 3
    counts[0, 1, :, 1:] = 0
    played.totals = counts
    frame = dependence.dependence(CONFIG, RULES, 5, 6)
    assert played.events() == [(Purpose.ASSESS, 6, 5, 0)] and dependence.PARTS == 128
    assert frame["top"].tolist() == ["1", "3", "10", "30"] * 2
    names = ["pairs", "decided", "hanging", "matches", "one", "all", "certain"]
    assert frame.loc[0, names].tolist() == [8, 0.5, 0.5, 0.75, 0.25, 0.25, 0.75]
    assert frame.loc[4, names[:2]].tolist() == [8, 0] and frame.loc[4, names[2:]].isna().all()


@pytest.mark.parametrize("leads", [1, -1])
def test_deciding_matches_of_a_pair_by_hand(monkeypatch, leads):
    """Four matches of others and their own, of two boards; a margin of 0 or less turns the order.

    - A draw: two thirds of the wins, by one of two scores, turn it.
    - A win: its draw and losses would, of which only the draw is a step away.
    - A loss by which nothing is turned: its draw leaves the lead.
    - A draw that any other result turns, less often than the second: it ended last.
    """
    plain_numpy.use(monkeypatch, dependence)
    law = np.array([[1, 1, 9, 1, 2], [4, 2, 3, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [9] * 5])
    margin = leads * np.array(
        [[2, 2, 1, 1, 0], [0, -1, 0, 2, 2], [1, 1, 1, -1, -1], [-1, 0, 5, 0, 0], [-9, 1, 1, 1, -9]]
    )
    played = np.array([2, 3, 0, 2, 2])
    last = SimpleNamespace(
        results=SimpleNamespace(boards=2), law=law, played=played, with_results=lambda half: half
    )
    of_others, still = np.arange(5) < 4, np.arange(5) == 3

    def counted(replayed, still, sign=leads):
        rule = SimpleNamespace(scores=lambda half: np.array([margin[3][half[3]], 0]))
        them = dependence._Others(np.array([0, 1]), None, of_others, still, np.array(replayed))
        changed = np.stack([margin, np.zeros((5, 5), int)])
        return dependence._of_pair(rule, last, changed, np.int64(sign), them).tolist()

    two_thirds = (128 * 2 + 1) // 3
    assert counted(played, still) == [1, 1, two_thirds + 128 + 128, 9, 0, 0]
    assert counted([2, 3, 0, 4, 2], np.zeros(5, bool)) == [1, 1, two_thirds + 256, 9, 1, 1]
    assert counted(played, still, 0) == [0] * 6
