"""What is fitted, judged and said of a table, by hand: events by purpose, halves, shares."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_numpy
import pytest
from training_samples import ODD, TINY

from tb2learn.simulation import oracle
from tb2learn.simulation.purposes import UNIT, Purpose
from tb2learn.training import (
    difficulty_log,
    fit_tables,
    near_pairs,
    objectives,
    table_least_squares,
    table_moments,
)
from tb2learn.training.difficulty_log import DifficultyLog, difficulty_score, unit_of

pytestmark = pytest.mark.usefixtures("untyped")

HELD_OUT = (Purpose.HELD_OUT, ODD.train.seed, ODD.train.held_out, 0)


def asked(events):
    return events.purpose, events.seed, events.events, events.first


def test_held_out_errors_are_counted_in_halves_on_held_out_events(played):
    played.totals = np.int64(10), np.array([7, 4])
    judged = fit_tables.count_held_out([None, None], ODD, fit_tables.Progress(stage="x"))
    assert judged == [(10, 3.5), (10, 2.0)] and played.events() == [HELD_OUT]
    assert [asked.measurement.of_event for asked in played.asked] == [fit_tables.count_errors]


def test_moments_are_of_training_events_of_each_world(played):
    played.totals = []
    events = ODD.train.events
    for world, stage in ((0, "train-1"), (2, "train-1-world-3")):
        table_moments.moments_of_parts(ODD, [], [], world=world)
        assert played.events()[-1] == (Purpose.TRAIN, ODD.train.seed, events, world * events)
        assert played.asked[-1].progress.stage == stage


def test_what_two_halves_of_the_events_decide_otherwise(played, monkeypatch):
    """30 verdicts of 200 in halves: 7.5 %, and with four times the events half of it."""
    parts = []
    monkeypatch.setattr(fit_tables, "_fitted", lambda config, counted, part: parts.append(part))
    monkeypatch.setattr(fit_tables, "pass_table", lambda *_: SimpleNamespace(tables=None))
    monkeypatch.setattr(fit_tables, "rule_of", lambda points, config: None)
    monkeypatch.setattr(fit_tables, "_part", lambda config: 10)
    played.totals = np.int64(200), np.int64(30)
    assert fit_tables.unsettled(ODD, [None], [], None, None) == pytest.approx(0.075 * 0.5)
    assert parts == [slice(0, 1), slice(1, 2)] and played.events() == [HELD_OUT]
    played.totals = np.int64(0), np.int64(0)
    assert fit_tables.unsettled(ODD, [None], [], None, None) == 0
    monkeypatch.setattr(fit_tables, "_part", lambda config: 0)
    assert fit_tables.unsettled(ODD, [None], [], None, None) == 1


@pytest.mark.parametrize(("events", "size"), [(40, 20), (1, 0), (4000, 2000), (9000, 2000)])
def test_halves_of_at_most_4000_events(events, size):
    assert fit_tables._part(replace(ODD, train=replace(ODD.train, events=events))) == size


def test_only_the_last_pass_is_cut_and_punishes(monkeypatch):
    seen = []

    def moments(world, surfaces, cuts, shown, world_number=0, **how):
        seen.append((len(surfaces), cuts, world.decisions.fairness, world.decisions.others))
        return ["moments"]

    monkeypatch.setattr(fit_tables, "moments_of_parts", lambda *a, world, store: moments(*a))
    monkeypatch.setattr(fit_tables, "_fitted", lambda plan, counted, part: part)
    plan = replace(ODD.decisions, fairness=3.0, others=2.0)
    fitted = fit_tables._fitted_passes(replace(ODD, decisions=plan), fit_tables.SILENT, None)
    assert [surface for surface, _ in fitted] == [slice(None)] * 2
    assert seen == [(0, [], 0, 0), (1, [20, 40], 3, 2)]


class Scores:
    """A rule with known scores."""

    def __init__(self, *scores):
        self.of = np.array(scores)

    def scores(self, results):
        return self.of


EVENT = SimpleNamespace(
    match_points=np.array([4, 2, 4, 4]), strength=np.array([9, 5, 7, 7]), results=None
)
"""Three tied teams, of which two are equally strong."""


def test_errors_of_verdicts_on_tied_teams(monkeypatch):
    """Right on A and C; an equal score on A and D; on C and D, who are equal, half an error."""
    plain_numpy.use(monkeypatch, fit_tables, oracle)
    rules = Scores(3, 9, 1, 3), Scores(3, 9, 4, 5)
    pairs, halves = fit_tables.count_errors(None, EVENT, ODD.setting, rules)
    assert int(pairs) == 3 and halves.tolist() == [0 + 1 + 1, 2 + 2 + 1]


def test_verdicts_of_two_rules_that_differ(monkeypatch):
    """Both put A before C, one of them before D, too; then two of three pairs are turned."""
    plain_numpy.use(monkeypatch, fit_tables)
    rules = Scores(3, 0, 1, 2), Scores(3, 9, 2, 3)
    pairs, apart = fit_tables.count_apart(None, EVENT, ODD.setting, rules)
    assert (int(pairs), int(apart)) == (3, 0 + 1 + 0)
    _, apart = fit_tables.count_apart(None, EVENT, ODD.setting, (rules[0], Scores(1, 0, 2, 0)))
    assert int(apart) == 2 + 0 + 2


# ------------------------------------------------------------------------ checkpoints


def test_enough_events_of_a_known_case():
    """Three times the share needs nine times the events; two digits, never fewer."""
    assert objectives.enough_events({"events": 1000}) is None
    assert objectives.enough_events({"events": 1000, "unsettled": 0.03}) == 9000
    assert objectives.enough_events({"events": 1234, "unsettled": 0.02}) == 5000
    assert objectives.enough_events({"events": 100, "unsettled": 0.0123}) == 160
    assert objectives.enough_events({"events": 3, "unsettled": 0.015}) == 7
    assert objectives.UNSETTLED == 0.01


def test_few_events_are_said_with_their_number():
    about = replace(ODD, train=replace(ODD.train, events=2000))
    trained = objectives.Checkpoint("x", about, "2", {}, {"unsettled": 0.025})
    said = objectives.too_few_events(trained)
    assert "on 2,000 others it would decide 2.5 % " in said
    assert "with 13,000 events it is 1 % (--events 13000)" in said
    assert objectives.too_few_events(replace(trained, findings={})) == ""


@pytest.mark.parametrize(("share", "few"), [(0.01, {}), (0.01236, {"unsettled": 0.0124})])
def test_a_table_says_what_is_unsettled_above_one_in_a_hundred(monkeypatch, share, few):
    surface = SimpleNamespace(coefficients=np.zeros(2), mean_value=np.zeros(1))
    judged = [fit_tables.HeldOutErrors(8, 1.5)]
    monkeypatch.setattr(fit_tables, "fit_passes", lambda *_: ([surface], judged, share))
    _, findings = objectives._train_passes(ODD, fit_tables.SILENT, None)
    assert findings == {"passes": [{"held_out_pairs": 8, "held_out_errors": 1.5}], **few}


def test_a_surface_is_judged_on_exact_laws_of_other_events():
    drawn = replace(TINY, train=replace(TINY.train, law="sampled"))
    training, held_out = objectives._log_events(drawn)
    assert asked(training) == (Purpose.TRAIN, TINY.train.seed, 20, 0)
    assert asked(held_out) == (Purpose.HELD_OUT, TINY.train.seed, 10, 0)
    counts = {"counts": np.zeros(0), "held_out_counts": np.ones(1)}
    logs = objectives.difficulty_logs(objectives.Checkpoint("x", drawn, "2", counts, {}))
    assert [(len(log.counts), log.unit, log.events) for log in logs] == [
        (0, 1, training), (1, UNIT, held_out),
    ]  # fmt: skip
    assert unit_of(TINY.train.law) == UNIT


def test_a_log_is_fitted_and_another_judges(monkeypatch):
    from tb2learn.training import fit_surface

    seen = []
    monkeypatch.setattr(
        difficulty_log,
        "collect",
        lambda config, events, **_: SimpleNamespace(counts=events.purpose, law=config.train),
    )

    def fit(log, judged, config, progress):
        seen.append((log.counts, judged.counts, judged.law.law))
        return SimpleNamespace(
            surface=SimpleNamespace(coefficients=0), losses=1,
            deviance=0.1, held_out_deviance=0.2, held_out_noise=0.3,
        )  # fmt: skip

    monkeypatch.setattr(fit_surface, "fit_surface", fit)
    drawn = replace(TINY, train=replace(TINY.train, law="sampled"))
    arrays, findings = objectives._train_surface(drawn, fit_tables.SILENT, None)
    assert seen == [(Purpose.TRAIN, Purpose.HELD_OUT, "exact")]
    assert (arrays["counts"], arrays["held_out_counts"]) == (Purpose.TRAIN, Purpose.HELD_OUT)
    assert findings == {"deviance": 0.1, "held_out_deviance": 0.2, "held_out_noise": 0.3}


# ------------------------------------------------------------------------ logs


def test_counts_of_a_log_are_put_together(played):
    """At least 0, 1/2 and 1 points in 4,099, 3 and 1 matches of two teams, from both sides."""
    high, low = np.zeros((2, 2, 2, 3), np.int64)
    high[0, 1], low[0, 1] = (1, 0, 0), (3, 3, 1)
    played.totals = high, low
    log = difficulty_log.collect(TINY, SimpleNamespace(purpose=0, seed=0, events=1, first=0))
    assert log.counts[0, 1].tolist() == [4096, 2, 1] and log.counts[1, 0].tolist() == [1, 2, 4096]
    assert not log.counts[0, 0].any() and log.unit == UNIT


def test_failures_and_scores_of_a_log():
    """Of ten matches 2, 3, 0, 1 and 4 with 0, 1/2, ... 2 points."""
    counts = np.zeros((1, 1, 5), np.int64)
    counts[0, 0] = 2, 3, 0, 1, 4
    log = DifficultyLog(counts, 1, TINY, None)
    k, n = log.fails()
    assert k[0, 0].tolist() == [2, 5, 5, 6] and n[0, 0].tolist() == [10]
    assert log.scores()[0, 0] == pytest.approx([0.1, 0.35, 0.5, 0.55, 0.6])
    assert difficulty_score(np.array([0.4, 1.0])).tolist() == [0.2, 0.7, 1.0]


@pytest.mark.parametrize(("number", "reached"), [(0, 0), (UNIT // 4, 1), (3 * UNIT // 4, 2)])
def test_a_match_is_drawn_by_the_number_of_its_pair(monkeypatch, number, reached):
    """Chances of 3/4 and 1/4 to reach a draw and a win; only the lower number logs the pair."""
    plain_numpy.use(monkeypatch, difficulty_log)
    below = np.array([[UNIT // 4] * 2, [3 * UNIT // 4] * 2])
    law = SimpleNamespace(UNIT=UNIT, cumulative_law=lambda *line_ups: below)
    monkeypatch.setattr(difficulty_log, "games", law)
    monkeypatch.setattr(difficulty_log, "unit_numbers", lambda key, n: np.full(n, number))
    event = SimpleNamespace(match_points=np.array([2, 0]), rosters=np.zeros((2, 1)))
    setting = replace(ODD.setting, event=replace(ODD.event, boards=1))
    high, low = difficulty_log.CountMatches("sampled")(None, event, setting)
    assert low[2, 0].tolist() == [1, int(reached >= 1), int(reached >= 2)]
    assert not high.any() and low.sum() == 1 + reached


# ------------------------------------------------------------------------ least squares


def test_strength_is_the_log_odds_of_expected_points(monkeypatch):
    """Three teams: at most four points, of which 3, 1 and 0."""
    plain_numpy.use(monkeypatch, near_pairs)
    found = near_pairs.log_odds(np.array([3, 1, 0]) * UNIT)
    assert found.tolist() == [1099, -1099, round(1000 * math.log(1e-4 / (1 - 1e-4)))]


def test_nearly_equal_are_less_than_one_expected_point_apart(monkeypatch):
    plain_numpy.use(monkeypatch, near_pairs)
    points, expected = np.array([2, 2, 2, 1]), np.array([5 * UNIT, 4 * UNIT, 4 * UNIT + 1, 0])
    below, above = near_pairs.nearly_equal(points, expected)
    assert below.tolist() == [1, 1, 0, 0] and above.tolist() == [0, 0, 2, 0]


def test_par_is_the_mean_value_of_a_match_by_own_score():
    """A value of its result everywhere: at one score results 1 and 3 alike, at another only 4."""
    raw = np.ones((5, 5, 5)) * np.arange(5.0)[:, None, None]
    seen = np.zeros((9, 55), np.int64)
    seen[2, [1, 8]], seen[6, 9] = 10, 30
    found = table_least_squares.normalised(raw, seen, ODD)
    assert found.mean_value == pytest.approx([2, 2, 2, 2.5, 3, 3.5, 4, 4, 4]) and found.rounds == 4
