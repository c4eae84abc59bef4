"""The frontier: excess over the curve, the rule of choice, the report."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from report_samples import drawn
from study_samples import committed, told

from tb2learn.assessment.tally import TOPS, SeedCounts, Tally
from tb2learn.cli.arguments import DEFAULT_TABLE
from tb2learn.config import load_config
from tb2learn.report.frames import where
from tb2learn.simulation.streams import Purpose
from tb2learn.studies.frontier import shipped
from tb2learn.studies.frontier.blend import BlendSums, _of_group, fit_blend
from tb2learn.studies.frontier.compared import _limits, weighted
from tb2learn.studies.frontier.measure import (
    CURVE,
    REAL,
    SEEDED,
    TOP,
    WORLD,
    above_curve,
    above_rule,
    frontier_figure,
    unequal_errors,
)
from tb2learn.studies.frontier.ridge import fit_ridge
from tb2learn.studies.frontier.shipped import default_rule, judge_shipped, worlds
from tb2learn.studies.worlds import FAIR, LEARNED, OPPONENTS, ROSTERS, preferences
from tb2learn.tiebreaks.library import TABLES
from tb2learn.tiebreaks.rules import PassTable


def tally_of(rules, errors, higher):
    """Four equal blocks of 1,000 pairs, 100 of them near-equal."""
    blocks, tops = 4, len(TOPS)
    shape = (blocks, len(rules), tops)
    whole = np.full((blocks, tops), 1000)

    def of(shares, of_pairs):
        counts = np.rint(2 * of_pairs * np.array(shares)).astype(int)
        return np.broadcast_to(counts[None, :, None], shape).copy()

    pairs = np.stack([whole, whole, np.full((blocks, tops), 100), whole], axis=1)
    seeds = SeedCounts(pairs, np.stack([of(higher, 100)] * 4, axis=1))
    return Tally(rules, whole, of(errors, 1000), 2, None, seeds)


def test_excess_is_measured_at_the_same_preference():
    rules = ("fair", "biased", "between", "off")
    tally = tally_of(rules, (0.24, 0.20, 0.22, 0.21), (0.50, 0.54, 0.52, 0.51))
    found = above_curve(tally, ["biased", "fair"], 1).set_index("rule")
    np.testing.assert_allclose(found[:3], 0.0, atol=1e-12)
    assert found.loc["off"].tolist() == pytest.approx([-0.02] * 3)  # the curve is at 0.23
    off = above_rule(tally, "between", 1).set_index("rule").loc["off"]
    assert off.tolist() == pytest.approx([-0.01] * 3)
    (apart,) = preferences(tally, ["off"], "between", 1, [TOP]).itertuples()
    assert (apart.near, apart.nearer, apart.nearer_high) == pytest.approx((0.51, -0.01, -0.01))


@pytest.fixture
def frames():
    return committed("frontier")


def changed(frame, rule, column, value, **where_):
    """A value in the rows of a rule, of those of some world."""
    rows = frame["rule"] == rule
    for name, one in where_.items():
        rows &= frame[name] == one
    assert rows.any()
    frame.loc[rows, column] = value


def test_the_default_is_the_least_wrong_within_both_bounds(frames):
    rates = frames["rates"]
    assert default_rule(rates) == TABLES[4] == DEFAULT_TABLE == ROSTERS
    unfair = rates.copy()
    changed(unfair, ROSTERS, "near_equal", 0.489, world=REAL)
    assert default_rule(unfair) == FAIR
    changed(unfair, ROSTERS, "near_equal", 0.491, world=REAL)
    assert default_rule(unfair) == ROSTERS
    (learned,) = where(rates, world=WORLD, rule=LEARNED)["error_rate"]
    changed(rates, ROSTERS, "error_rate", learned + 0.0011, world=WORLD)
    assert default_rule(rates) == FAIR
    # What judges are other events.
    both = frames["paired"].merge(rates, on=["world", "rule"])
    assert len(both) == len(frames["paired"]) and (both["error"] != both["error_rate"]).all()


def test_no_event_that_chooses_judges(monkeypatch):
    """Choices and judgements of the shipped rules are by other purposes of the same seed."""
    seen = []

    def tally(config, judged, events, seed, shown, purpose):
        seen.append((config.name, [one.name for one in judged], events, purpose))
        return tally_of(tuple(one.name for one in judged), [0.2] * len(judged),
                        [0.5] * len(judged))  # fmt: skip

    monkeypatch.setattr(shipped, "single_event_tally", tally)
    for purpose in (Purpose.CHOOSE, Purpose.ASSESS):
        found = judge_shipped(7, 1, purpose)
        assert {one for *_, one in seen} == {purpose}
        with_ratings = {name for name, rules, *_ in seen if "opponents-180x11" in rules}
        assert with_ratings == {one.name for one in worlds().values() if one.field.published}
        assert set(found["rates"]["world"]) == set(found["paired"]["world"]) == set(worlds())
        seen.clear()
    assert {one.event.rounds for one in worlds().values()} == {11}


def test_the_report_follows_the_rule_of_choice(frames):
    """What the committed report does not say, from its frames with other numbers."""
    chosen, second = "real-0.35-fair-0", "mixed-0.35-fair-0"
    assert f"It chooses *{chosen}*." in told("frontier", frames)
    changed(frames["results"], chosen, "near_equal", 0.52, world=REAL, top=TOP)
    text = told("frontier", frames)
    assert f"takes *{second}* (0.2391 wrong, preference 0.5057) instead of *{chosen}* (" in text
    assert "0.2390 wrong, preference 0.5200), which is not within the bounds there." in text
    changed(frames["above_learned"], second, "value", 0.0011)
    assert f"takes *{second}*" not in told("frontier", frames)
    frames["above_learned"]["value"] = 0.0011
    above = frames["above_curve"]
    frames["above_curve"] = above[~above["rule"].str.startswith("limit-")].assign(high=0.1)
    frames["rates"]["near_equal"] = 0.52
    frames["paired"] = where(frames["paired"], world=REAL)
    frames["paired"][["more_low", "more_high"]] = 0.1
    text = told("frontier", frames)
    for said in (
        *("No rule is within both bounds.", "takes no rule either. The"),
        *("No rule is shown to lie below", "errs less in no world, and more in real-180x11."),
    ):
        assert said in text
    assert text.count("No rule is within both bounds.") == 2 and "itself is outside" not in text
    assert "| passes repeated |" not in text


def test_the_picture_joins_the_families(frames):
    figure = frontier_figure(frames)
    drawn(figure)
    results = where(frames["results"], world=SEEDED, top=TOP).set_index("rule")
    lines = {one.get_label(): one for one in figure.axes[0].lines}
    mixed = [f"mixed-1-fair-{one}" for one in (0, 10, 30, 100)]
    for name, rules in (
        ("weighted sums (the known curve)", CURVE),
        ("last pass: random + 1 x seeded world, penalties", mixed),
        ("least-squares", ["least-squares"]),
    ):
        points = results.loc[rules, ["near_equal", "error_rate"]].to_numpy().tolist()
        assert lines[name].get_xydata().tolist() == points
    assert {"rosters", "random", OPPONENTS} <= lines.keys()
    assert not {"product", "higher-seed"} & lines.keys()


def test_a_weighted_sum_is_a_table():
    points = np.arange(2 * 3 * 5 * 3).reshape(2, 3, 5, 3).astype(np.int32)
    one = PassTable("one", 1, 1, points, False)
    other = dataclasses.replace(one, points=points + np.array([0, 4])[:, None, None, None])
    found = weighted("sum", one, other, 0.25)
    np.testing.assert_array_equal(found.points, points + np.array([0, 1])[:, None, None, None])
    assert found.points.dtype == np.int32


def test_errors_without_equal_pairs_are_weighted_by_pairs():
    columns = ["higher_better", "lower_better", "higher_better_pairs", "lower_better_pairs"]
    found = unequal_errors(pd.DataFrame([(0.2, 0.4, 300, 100)], columns=columns))
    assert found.tolist() == pytest.approx([0.25])


def test_sums_of_a_blend_are_those_over_pairs():
    rng = np.random.default_rng(1)
    x, y = rng.integers(-9, 9, (2, 4, 3)), rng.integers(-9, 9, (2, 4))
    group = np.array([[True, True, False, True], [False, True, True, False]])
    below, above = np.array([[2, 0, 0, 0], [0, 1, 0, 0]]), np.array([[0, 1, 0, 1], [0, 0, 1, 0]])
    products, moments, pairs, near, near_pairs = _of_group(group, x, y, below, above)
    tied = [(0, 0, 1), (0, 0, 3), (0, 1, 3), (1, 1, 2)]
    apart = np.array([x[e, i] - x[e, j] for e, i, j in tied])
    np.testing.assert_array_equal(products, apart.T @ apart)
    np.testing.assert_array_equal(moments, apart.T @ [y[e, i] - y[e, j] for e, i, j in tied])
    np.testing.assert_array_equal(near, apart[[0, 1, 3]].sum(axis=0))  # nearly equal pairs
    assert (pairs, near_pairs) == (4, 3)


def test_a_penalty_takes_the_seed_out_of_a_blend():
    # The second feature helps a little and is what the higher seed has.
    sums = BlendSums(
        np.array([[[100, 0], [0, 100]]]),
        np.array([[100, 50]]),
        np.array([100]),
        np.array([[0, 40]]),
        np.array([10]),
    )
    free, fair = (
        np.asarray(fit_blend("blend", (), [(sums, True)], penalty).weights[0])
        for penalty in (0.0, 1e6)
    )
    np.testing.assert_allclose(free, [1e-3, 0.5e-3], rtol=1e-3)
    np.testing.assert_allclose(fair, [1e-3, 0.0], rtol=1e-3, atol=1e-6)


def test_a_learned_prior_rises():
    world = load_config("small-20x7")
    moments = np.array([[50, 10, 20, -30, 40, 0, 10]])
    products, near = np.diag([100] * 7)[None], np.zeros((1, 7), int)
    sums = BlendSums(products, moments, np.array([1]), near, np.array([0]))
    fitted, explained = fit_ridge(0.5, world, [sums])
    rule = fitted.rule
    assert fitted.name == "ridge-0.5" and rule.ridge == 5
    # In ratios; the ramp that would fall is left out.
    assert (rule.board, rule.win) == (83, 17)
    assert np.diff(rule.prior).min() == 0
    assert rule.prior[-1] == round(400 * (20 + 40 + 10) / 60)
    assert explained == pytest.approx((50**2 + 10**2 + 20**2 + 40**2 + 10**2) / 100, rel=1e-4)


def test_a_repeated_pass_is_the_last_one():
    points = np.arange(2 * 3 * 5 * 3).reshape(2, 3, 5, 3).astype(np.int32)
    for table in _limits(PassTable("one", 1, 1, points, False)):
        assert table.name == f"limit-{len(table.points)}"
        np.testing.assert_array_equal(table.points[:2], points)
        assert (table.points[2:] == points[1]).all()
