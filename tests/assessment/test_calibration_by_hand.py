"""How sure an order is, in plain numbers: counts by margin, the map, its error, whose events."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from assess_samples import CONFIG, PRODUCT

from studies import confidence, worlds
from tb2learn.assessment import calibration
from tb2learn.assessment.calibration import (
    BLOCKS,
    MARGINS,
    MIXTURE,
    TOPS,
    Calibrated,
    MarginCounts,
    Mixture,
)
from tb2learn.assessment.stretch import Sample
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.tiebreaks.confidence_map import Confidence, Spread, Stretch, spread_of
from tb2learn.tiebreaks.rules import product_table

pytestmark = pytest.mark.usefixtures("untyped")


def counts_of(right=(), pairs=(), width=2, scores=3):
    """Counts with these numbers at (block, top, own, margin), the same in all populations."""
    found = []
    for cells in (right, pairs):
        table = np.zeros((BLOCKS, len(TOPS), scores, MARGINS), np.int64)
        for (block, own, margin), number in cells:
            table[block, :, own, margin] = number
        found.append(table)
    return MarginCounts(*found, width)


def test_sizes_are_those_of_the_docs():
    assert (BLOCKS, TOPS, MARGINS) == (25, (10, 0), 128)
    assert calibration.BIN_ENDS[:2] == (0.5, 0.525) and calibration.BIN_ENDS[-1] == 1
    assert confidence.STATED == (0.5, 0.55, 0.65, 0.75, 0.85, 0.9, 0.95, 1.0)
    assert len(calibration.BIN_ENDS) == 21 and calibration._RESAMPLES == 1000


def test_margins_are_the_middles_of_their_classes():
    """Classes of three points: 0 1 2, 3 4 5; a margin of c is ten to one."""
    counts = counts_of(width=3)
    assert counts.margins()[:3].tolist() == [1, 4, 7]
    assert counts_of(width=1).margins()[:3].tolist() == [0, 1, 2]
    stated = counts.stated(np.array([1.0, 4]))
    assert stated[:, 0] == pytest.approx([10 / 11, 1 / (1 + 10**-0.25)])
    assert stated[1, 1] == pytest.approx(10 / 11)


def test_counts_add_up():
    one = counts_of([((0, 0, 0), 1)], [((0, 0, 0), 2)])
    both = one + counts_of([((0, 0, 0), 10)], [((0, 0, 0), 20)])
    assert (both.right[0, 0, 0, 0], both.pairs[0, 0, 0, 0]) == (11, 22)
    with pytest.raises(ValueError, match="equally wide"):
        one + counts_of(width=3)


# ------------------------------------------------------------------------ counting


def test_what_is_seen_after_the_rounds_of_a_rule(monkeypatch):
    """Two of three rounds: A won by 3 and drew, B lost and rested."""
    plain_numpy.use(monkeypatch, calibration)
    seen = []

    class Rule:
        def estimate(self, key, event, config):
            seen.append(event)
            return np.array([7, 8])

    rows = [[1, 0], [1, -1], [1, 0]], [[3, 1], [2, 2], [4, 0]]
    event = Event(None, *map(np.array, rows), np.array([5, 1]), np.ones((3, 2)))
    own, score = calibration.AfterRounds(Rule(), 2).describe(None, event, CONFIG.setting)
    assert own.tolist() == [3, 1] and score.tolist() == [7, 8]
    assert len(seen[0].opponents) == len(seen[0].whites) == len(seen[0].half_points) == 2
    assert seen[0].match_points.tolist() == [3, 1]


@pytest.fixture
def events(played):
    """`count_margins` of one event that is given, and what events were asked for."""
    described = [None]
    played.totals = lambda asked: asked.measurement.add(np.array([27]), described[0])

    def count(own, better, score, rated=False, width=4, **stretches):
        part = np.array([own]), np.array([score])
        # One match of two teams in the only round.
        met, scored = np.full((2, 1, 1, len(own)), -1)
        met[0, 0, :2], scored[0, 0, :2] = (1, 0), (6, 2)
        described[0] = np.array([better]), met, scored, (part,)
        config = replace(CONFIG, field=replace(CONFIG.field, rating_noise=50.0))
        of = EventRange(1, Purpose.CALIBRATE, 1)
        how = {"rated": rated, **stretches}
        return calibration.count_margins(config, [PRODUCT], [width], of, **how)[0]

    return SimpleNamespace(count=count, asked=played.asked)


def where(table):
    return {tuple(map(int, at)): int(table[tuple(at)]) for at in np.argwhere(table)}


def test_pairs_are_counted_by_margin(events):
    """Right by 4, wrong by 9 points, and equal scores: halves 2, 0, 1; event 27 is in block 2."""
    found = events.count(own=[5, 5, 5, 1], better=[9, 7, 8, 0], score=[20, 16, 11, 0])
    # A before B by 4 (right), A before C by 9 (right), B before C by 5 (wrong).
    assert where(found.pairs) == {
        (2, top, 5, margin): number for top in (0, 1) for margin, number in ((1, 2), (2, 1))
    }
    assert where(found.right) == {(2, top, 5, margin): 2 for top in (0, 1) for margin in (1, 2)}
    tied = events.count(own=[5, 5, 5, 1], better=[9, 9, 8, 0], score=[4, 0, 0, 9])
    assert where(tied.right)[2, 0, 5, 1] == 1 + 2 and where(tied.right)[2, 0, 5, 0] == 1
    assert where(tied.pairs)[2, 0, 5, 1] == 2
    measured = events.asked[0].measurement
    assert measured.of_event is calibration.describe and measured.oracle


def test_margins_are_counted_at_the_spread_of_home(events):
    """Home has a third of the teams, so the constant is three times as large: 13 points are 4."""
    here = spread_of(np.array([[1, 0, -1]]), np.array([[6, 2, -1]]), CONFIG.event.boards)
    home = here._replace(teams=here.teams / 3)
    slopes = np.array([1.0] + [0.0] * 8)
    wide = [Spread(*np.array(home) * factor) for factor in (0.01, 100)]
    stretches = {PRODUCT.event_rounds: Stretch(home, slopes, *wide)}
    how = {"own": [5, 5, 1], "better": [9, 7, 0], "score": [13, 0, 0], "width": 1}
    assert where(events.count(**how).pairs) == {(2, top, 5, 13): 1 for top in (0, 1)}
    assert where(events.count(**how, stretches=stretches).pairs) == {
        (2, top, 5, 4): 1 for top in (0, 1)
    }
    # Those of other numbers of rounds are none of its.
    other = {PRODUCT.event_rounds + 1: stretches[PRODUCT.event_rounds]}
    assert where(events.count(**how, stretches=other).pairs) == where(events.count(**how).pairs)


def test_every_event_has_a_factor_of_its_own(played):
    """Twice as far apart, four times the variance: there the constant is four times as large."""
    own, better = np.array([[5, 5]] * 2), np.array([[9, 7]] * 2)
    met, half_points = np.array([[[1, 0]]] * 2), np.array([[[5, 3]], [[6, 2]]])
    parts = better, met, half_points, ((own, np.array([[9, 0]] * 2)),)
    played.totals = lambda asked: asked.measurement.add(np.array([0, 1]), parts)
    home = spread_of(met[0], half_points[0], CONFIG.event.boards)
    wide = [Spread(*np.array(home) * factor) for factor in (0.01, 100)]
    stretch = Stretch(home, np.array([0, 1.0] + [0.0] * 7), *wide)
    of = CONFIG, [PRODUCT], [1], EventRange(1, Purpose.CALIBRATE, 2)
    (found,) = calibration.count_margins(*of, stretches={PRODUCT.event_rounds: stretch})
    assert where(found.pairs[:, 0]) == {(0, 5, 9): 1, (1, 5, 2): 1}


def test_the_last_class_has_all_larger_margins(events):
    found = events.count(own=[5, 5], better=[1, 0], score=[10**9, 0])
    assert where(found.pairs) == {(2, 0, 5, 127): 1, (2, 1, 5, 127): 1}
    edge = events.count(own=[5, 5], better=[1, 0], score=[127 * 4 - 1, 0])
    assert (2, 0, 5, 126) in where(edge.pairs)


def test_the_first_ten_places_are_a_population(events):
    """Twelve teams: a group that begins at the tenth place belongs to it, one at the 11th not."""
    tenth = events.count(own=[9] + [8] * 8 + [5, 5, 0], better=[0] * 12, score=[0] * 12)
    assert where(tenth.pairs)[2, 0, 5, 0] == 1
    later = events.count(own=[9] + [8] * 9 + [5, 5], better=[0] * 12, score=[0] * 12)
    assert (2, 0, 5, 0) not in where(later.pairs) and where(later.pairs)[2, 1, 5, 0] == 1


def test_pairs_of_equal_ratings_are_left_out(events):
    found = events.count(own=[5, 5, 5], better=[9, 9, 8], score=[1, 0, 2], rated=True)
    assert found.pairs[2, 1].sum() == 2 and found.right[2, 1].sum() == 0
    measured = events.asked[0].measurement
    assert measured.of_event is calibration.describe_rated and not measured.oracle


def test_classes_reach_to_eight_mean_distances(played):
    """32 events with distances that add up to 32 * 80: 8 * 80 of 128 classes are 5 points each."""
    played.totals = [32 * 80, 0]
    assert calibration.margin_widths(CONFIG, [PRODUCT, PRODUCT], 9) == (5, 1)
    assert [asked.events for asked in played.asked] == [EventRange(9, Purpose.CALIBRATE, 32)]
    own, score = np.array([[1, 1, 1], [2, 3, 4]]), np.array([[0, 3, 9], [0, 5, 5]])
    assert calibration._mean_distance(own, score) == (3 + 9 + 6) // 3


def test_pairs_that_are_kept(played):
    """The first event has six pairs, of which three are kept, in steps of two; the other one."""
    own, better = np.array([[5, 5, 5, 5], [5, 5, 4, 3]]), np.array([[9, 8, 7, 6], [1, 1, 0, 0]])
    score = np.array([[10, 20, 10, 30], [3, 1, 0, 0]])
    met = np.array([[[1, 0, 3, 2]]] * 2)
    half_points = np.array([[[3, 1, 4, 0]], [[2, 2, 3, 1]]])

    def totals(asked):
        measured = asked.measurement
        assert measured.of_event is calibration.describe and measured.oracle
        parts = better, met, half_points, ((own, score),)
        return measured.merge(measured.add(np.array([0, 1]), parts), [])

    played.totals = totals
    events = EventRange(1, Purpose.CALIBRATE, 2)
    rule = product_table(1, 2)
    world = replace(CONFIG, event=replace(CONFIG.event, boards=2))
    (every,) = calibration.sample_pairs(world, [rule], events)
    # A before B, C, D; B before C, D; C before D.
    assert every.margin.tolist() == [10, 0, 20, 10, 10, 20, 2]
    assert every.right.tolist() == [0, 0.5, 0, 1, 0, 0, 0.5]
    assert every.event.tolist() == [0] * 6 + [1] and every.own.tolist() == [5] * 7
    assert every.place.tolist() == [1] * 7
    # Half points 3, 1, 4, 0 and 2, 2, 3, 1 have the variances 2.5 and 0.5, in two games.
    assert every.spreads[:, :2].tolist() == [[4, 1.25], [4, 0.25]]
    (some,) = calibration.sample_pairs(world, [rule], events, most=3)
    assert some.margin.tolist() == [10, 20, 10, 2] and some.event.tolist() == [0, 0, 0, 1]


def test_worlds_around():
    """Every size with every width; seeds are random in one and near the truth in the next."""
    worlds = Mixture(["product"], ["small-20x7"], rounds=(5, 7), sizes=(20, 60)).around()
    assert len(worlds) == 2 * len(calibration.WIDTHS) * len(calibration.SHOCKS)
    first, second = list(worlds.values())[:4:3]
    assert (first.event.teams, first.event.rounds, first.field.high - first.field.low) == (
        20,
        7,
        300,
    )
    assert (first.field.informative, second.field.informative) == (False, True)
    last = list(worlds.values())[12]
    assert last.event.teams == 60 and last.field.informative and last.game.day_shock == 0


def test_there_are_as_many_teams_around_as_inside():
    around = Mixture(["product"], ["round-robin-12"]).around().values()
    assert {config.event.teams for config in around} == {12}


def test_a_stretch_is_fitted_to_all_worlds_of_the_first_rule(monkeypatch):
    asked = []

    def sample(config, rules, events, progress, most):
        asked.append((config.event.teams, len(rules), events.events, most))
        spread = np.full((2, 3), float(config.event.teams))
        return [Sample(spread, *(np.zeros(1) for _ in range(5)))] * len(rules)

    monkeypatch.setattr(calibration, "sample_pairs", sample)
    monkeypatch.setattr(calibration, "fit_stretch", lambda sample, home: (sample, home))
    mixture = Mixture(["product", "formula"], ["small-20x7"], rounds=(5, 7), sizes=(60,))
    found = calibration.fit_stretches(mixture, 50, 4)
    assert list(found) == [5, 7] and {number for _, number, *_ in asked} == {2}
    assert {(events, most) for *_, events, most in asked} == {(50, 60)}
    sample_, home = found[7]
    assert home.tolist() == [[20.0] * 3] * 12 and len(sample_.spreads) == 12 + 2 * 12


# ------------------------------------------------------------------------ the map


def test_the_constant_is_that_of_the_share_right():
    """Of 20,000 pairs by 10 to 11 points ten of eleven are right: c is that margin."""
    cell, number = (0, 1, 5), 22_000
    counts = counts_of([(cell, 2 * 20_000)], [(cell, number)])
    assert counts.margins()[5] == 10.5
    assert calibration.fit(counts) == pytest.approx([10.5] * 3, rel=1e-3)


def test_an_own_score_with_10000_pairs_stands_alone():
    """With one pair fewer it takes its neighbours in."""
    right = [((0, 0, 5), 2 * 10_000), ((0, 1, 5), 2 * 7_500)]
    for number, alone in ((10_000, True), (9_999, False)):
        counts = counts_of(right, [((0, 0, 5), 11_000), ((0, 1, 5), number)])
        expected = 10.5 / math.log10(3) if alone else 10.5 / math.log10(17_500 / 3_499)
        assert calibration.fit(counts)[1] == pytest.approx(expected, rel=1e-3)


def one_class(block=0):
    """100 pairs by a margin that a scale of 10.5 makes 10/11 sure, of which 80 are right."""
    cell = (block, 1, 5)
    return counts_of([(cell, 160)], [(cell, 100)]), np.full(3, 10.5)


def test_reliability_of_one_class():
    counts, scale = one_class()
    frame = confidence.reliability(counts, scale, 1)
    row = frame[frame["pairs"] > 0].iloc[0]
    assert (row["top"], row["least"], row["most"], row["pairs"]) == (10, 0.9, 0.95, 100)
    assert row["stated"] == pytest.approx(10 / 11) and row["observed"] == 0.8
    assert len(frame) == 14 and frame["observed"].isna().sum() == 12


def test_classes_begin_with_their_least_probability():
    """Equal scores are 1/2 sure and of the first class; whoever is nearly sure, of the last."""
    counts = counts_of(
        [((0, 0, 0), 1), ((0, 0, 127), 2)], [((0, 0, 0), 1), ((0, 0, 127), 1)], width=1
    )
    frame = confidence.reliability(counts, np.full(3, 1e-3), 1).query("top == 10")
    assert frame["pairs"].tolist() == [1, 0, 0, 0, 0, 0, 1]
    assert frame["stated"].iloc[[0, -1]].tolist() == [0.5, 1]


def test_the_calibration_error_is_the_mean_distance_by_pairs(monkeypatch):
    """100 pairs are 10/11 sure and 80 right, 300 of equal scores half right."""
    counts, scale = one_class()
    counts.pairs[0, :, 2, 0], counts.right[0, :, 2, 0] = 300, 300
    counts = replace(counts, width=1)
    scale = np.array([1, 5, 1e9])
    found = calibration.calibration_error(counts, scale, 1)
    assert found["top"].tolist() == [10, 0]
    assert found["ece"].tolist() == pytest.approx([(10 / 11 - 0.8) / 4] * 2, rel=1e-6)
    whole = np.ones((3, 2)), np.stack([np.full((3, 2), x) for x in (1.0, 2, 3)])
    monkeypatch.setattr(calibration, "by_class", lambda *_: [(0, *whole)])
    errors = {2: np.float64(0.1), 3: np.array([0.1, 0.2, 0.3])}  # of all, and of resamples
    monkeypatch.setattr(calibration, "_expected_error", lambda sums: errors[sums.ndim])
    row = calibration.calibration_error(counts, scale, 1).iloc[0]
    # Resamples err by 0.1 more on average, which is taken off.
    assert row["ece"] == 0.1 and row["low"] == pytest.approx(0.005)
    assert row["high"] == pytest.approx(0.195)


# ------------------------------------------------------------------------ mixtures


def test_a_mixture_has_every_world_in_six_kinds():
    worlds = Mixture(["product"], ["small-20x7", "small-20x7"]).inside()
    assert list(worlds) == [
        f"small-20x7, {seeds}, day shock {shock}"
        for seeds in ("random seeds", "seeds near the truth")
        for shock in (0, 45, 90)
    ]
    first, *_, last = worlds.values()
    assert (first.field.seed_noise, first.field.rating_noise) == (math.inf, (30, 80))
    assert (last.field.seed_noise, last.field.rating_noise) == ((30, 80), math.inf)
    assert (first.game.day_shock, last.game.day_shock) == (0, 90)
    plain = Mixture(["product"], ["small-20x7"], spread=False, rounds=(3, 5)).inside()
    assert [one.event.rounds for one in plain.values()] == [5]
    outside = Mixture(["product"], ["small-20x7"], ["small-20x7"]).outside()
    assert [one.field.rating_noise for one in outside.values()] == [(30, 80)]
    assert Mixture(["product"], ["small-20x7"], rounds=(3, 5)).find_rules()[0][1].event_rounds == 5


def test_maps_are_fitted_and_judged_on_events_of_their_own(monkeypatch):
    """Each purpose counts in a cell of its own; worlds inside are added up, one outside is not."""
    asked, counted_at = [], []

    def count(config, rules, widths, events, progress, stretches):
        asked.append((events.purpose, events.seed, events.events))
        counted_at.append(stretches)
        sure = 20_000 if events.purpose == Purpose.CALIBRATE else 11_000
        cells = [((0, 1, 5), 2 * sure)], [((0, 1, 5), 22_000)]
        return [counts_of(*cells, scores=15)]

    monkeypatch.setattr(calibration, "count_margins", count)
    monkeypatch.setattr(calibration, "margin_widths", lambda *_: (2,))
    monkeypatch.setattr(calibration, "fit_stretches", lambda *asked_: {7: asked_})
    mixture = Mixture(["product"], ["small-20x7"], ["small-20x7"])
    (found,) = calibration.calibrate(mixture, 50, 4)
    # Fitted in six worlds, and in those around them: 4 widths on 3 kinds of days.
    fitted = [(Purpose.CALIBRATE, 4, 50)] * 6 + [(Purpose.CALIBRATE, 4, 13)] * 12
    assert asked == fitted + [(Purpose.ASSESS, 4, 50)] * 7
    assert counted_at == [{7: (mixture, 13, 4)}] * 25
    assert found.scale == pytest.approx([10.5] * 15, rel=1e-3)
    assert list(found.judged) == [MIXTURE, "small-20x7"] and len(found.parts) == 6
    assert [part.pairs[0, 1, 1, 5] for part in found.judged.values()] == [6 * 22_000, 22_000]
    # In points as they are printed: half points of the product rule count half.
    assert found.confidence.scale == pytest.approx(found.scale * found.rule.unit)
    assert found.confidence.stretch == (mixture, 13, 4) and found.rule.unit == 0.5
    about = found.confidence.provenance
    assert (about["events_per_world"], about["seed"], len(about["worlds"])) == (50, 4, 6)
    errors = about["judged"]
    assert [(row["world"], row["fitted"], row["top"]) for row in errors] == [
        (MIXTURE, True, 10), (MIXTURE, True, "all"),
        ("small-20x7", False, 10), ("small-20x7", False, "all"),
    ]  # fmt: skip
    assert errors[0]["ece"] == round(10 / 11 - 0.5, 5) and len(errors[0]["ece_ci"]) == 2


def test_a_map_between_two_numbers_of_rounds():
    """Between 4 and 9 rounds, at 6: half way by logarithm; 10 and 40 points give 20."""
    about = dict.fromkeys(("version", "worlds", "events_per_world", "seed"), 1)

    def made(rounds, scale, variance):
        rule, spread = product_table(rounds, 4), Spread(180.0, variance, 0.5)
        stretch = Stretch(spread, np.full(9, variance), spread, spread)
        return Calibrated(rule, Confidence("p", "d", scale, 0.5, about, stretch), None, {}, {})

    ends = [made(4, np.full(9, 10.0), 2.0), made(9, np.full(19, 40.0), 3.0)]
    maps = calibration.maps_of(ends, lambda rounds: product_table(rounds, 4))
    assert list(maps) == [4, 5, 6, 7, 8, 9]
    assert maps[4] is ends[0].confidence and maps[9] is ends[1].confidence
    assert maps[6].scale == pytest.approx([20] * 13)
    assert maps[6].stretch.home == pytest.approx((180, 2.5, 0.5))
    eight = math.log(2) / math.log(9 / 4)
    assert maps[8].scale == pytest.approx([10 * 4**eight] * 17)
    assert maps[8].stretch.slopes == pytest.approx([2 + eight] * 9)
    plain = [part._replace(confidence=replace(part.confidence, stretch=None)) for part in ends]
    assert calibration.maps_of(plain, lambda n: product_table(n, 4))[6].stretch is None
    assert calibration._at_shares(np.array([0.0, 10, 40]), 5).tolist() == [0, 5, 10, 25, 40]


def test_shipped_mixtures_are_named_by_what_is_asked():
    assert calibration.asked_mixtures() is calibration.SHIPPED
    (one,) = calibration.asked_mixtures(["product"], elsewhere=["small-20x7"])
    assert (one.rules, one.elsewhere) == (["product"], ["small-20x7"])
    assert one.worlds == calibration.SHIPPED[0].worlds
    (one,) = calibration.asked_mixtures(["product"], ["a"], None, True)
    assert one == Mixture(["product"], ["a"], (), True)
    assert calibration.OLYMPIAD_ROUNDS == (5, 8, 11, 15)
    assert worlds.load_config(worlds.REAL).field.published
