"""Fitting to decisions: sums by brute force, least squares by lstsq, gradients by differences."""

import dataclasses
import itertools
import math
import tomllib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from helpers import PASSES_TOML, joined, measure_each, random_surfaces

from tb2learn.assessment.judged import JudgedRule
from tb2learn.assessment.single import judge_event
from tb2learn.config import Config, DecisionConfig, EventFormat, FieldConfig, TrainConfig, from_dict
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, sum_events
from tb2learn.tiebreaks import GamePoints, PassRule
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import checkpoint, descent, kinds, least_squares, pairwise
from tb2learn.training.surface import basis, opponent_basis, shares
from tb2learn.training.tabulate import pass_table, value_grid

PASSES = from_dict(tomllib.loads(PASSES_TOML))
ODD = Config(
    "odd",
    event=EventFormat(7, 4, 2),
    field=FieldConfig(low=2200.0, high=2400.0),
    train=TrainConfig("decisions", events=40, held_out=8),
    decisions=DecisionConfig(passes=2, reduced=True, knots=2, steps=0),
)
ODD_SURFACE = random_surfaces(1, rounds=4, boards=2, knots=2)


def features_and_strength(key, event, config, before):
    """What least squares see of an event, by loops over its matches: [teams, cells], and more."""
    return (
        event.match_points,
        event.opponents,
        event.half_points,
        event.rosters,
        least_squares.strength(event, config),
        before.opponent_score(event.results),
        before.counted(event.results),
    )


def brute_moments(config, surfaces):
    """`Moments` pair by pair, the features of all teams, and the rows of all pairs."""
    event = config.event
    batches = measure_each(
        config,
        features_and_strength,
        EventRange(config.train.seed, Purpose.TRAIN, config.train.events),
        least_squares.rule_before(surfaces, config),
    )
    beyond, results = margin(event.rounds), event.max_half_points + 1
    cells = (event.max_match_points + 1 + 2 * beyond) * results
    pairs, teams = [], []
    for own, _, half, _, strength, reading, counted in zip(*joined(batches), strict=True):
        x = np.zeros((len(own), cells), int)
        for team, r in itertools.product(range(len(own)), range(event.rounds)):
            if counted[team, r]:
                whole, tenths = divmod(int(reading[team, r]), 10)
                at = (whole + beyond) * results + half[r, team]
                x[team, at] += 10 - tenths
                if tenths:
                    x[team, at + results] += tenths
        teams += zip(own.tolist(), x, strength.tolist(), strict=True)
        for i, j in itertools.combinations(range(len(own)), 2):
            if own[i] == own[j]:
                pairs.append((int(own[i]), x[i] - x[j], int(strength[i] - strength[j])))
    scores = event.max_match_points + 1
    products, moments = np.zeros((scores, cells, cells), int), np.zeros((scores, cells), int)
    count, seen = np.zeros(scores, int), np.zeros((scores, cells), int)
    for score, x, y in pairs:
        products[score] += np.outer(x, x)
        moments[score] += x * y
        count[score] += 1
    for score, x, _ in teams:
        seen[score] += x
    m, y = (np.array([team[k] for team in teams]) for k in (0, 2))
    line = np.array([len(m), m.sum(), y.sum(), (m * m).sum(), (m * y).sum()])
    return least_squares.Moments(products, moments, count, seen, line), pairs


@pytest.fixture(scope="module")
def odd():
    """The moments of the second pass, reduced, with byes: the package's, and by brute force."""
    found = least_squares.collect_moments(ODD, list(ODD_SURFACE))
    return found, *brute_moments(ODD, list(ODD_SURFACE))


def test_moments_are_the_sums_over_all_tied_pairs(odd):
    found, expected, pairs = odd
    assert len(pairs) > 100 and any((x % 10 != 0).any() for _, x, _ in pairs)
    for field in dataclasses.fields(found):
        one, other = (getattr(moments, field.name) for moments in (found, expected))
        assert one.dtype == np.int64
        np.testing.assert_array_equal(one, other, field.name)


def test_moments_do_not_depend_on_the_batch(odd):
    again = least_squares.collect_moments(ODD, list(ODD_SURFACE), batch=7)
    for one, other in zip(*(dataclasses.astuple(m) for m in (odd[0], again)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_strength_is_the_log_odds_of_the_oracle():
    """Two teams whose only game is even, and two that are 4000 points apart: held at the edge."""
    event = dataclasses.replace(ODD, event=EventFormat(2, 1, 2))

    def of(ratings):
        rosters = jnp.broadcast_to(jnp.array(ratings, jnp.int32)[:, None], (2, 2))
        nothing = jnp.zeros((1, 2), jnp.int32)
        played = Event(rosters, 1 - jnp.arange(2)[None], nothing, jnp.zeros(2, jnp.int32))
        return np.asarray(least_squares.strength(played, event)).tolist()

    assert of([2300, 2300]) == [0, 0]
    most = round(1000 * math.log((1 - 1e-4) / 1e-4))
    assert of([4000, 0]) == pytest.approx([most, -most], abs=2)
    one, other = of([2350, 2300])
    assert 0 < one < 1000 and one == pytest.approx(-other, abs=1)


# --- least squares --------------------------------------------------------------------------------


def explicit_rows(config, pairs):
    """The design of the least squares, a row a pair, on the spline's coefficients."""
    rounds, knots = config.event.rounds, config.decisions.knots
    columns = np.arange(-margin(rounds), 2 * rounds + margin(rounds) + 1) / (2 * rounds)
    own = basis(shares(rounds), knots)
    opponent = opponent_basis(columns, knots)
    rows, target = [], []
    for score, x, y in pairs:
        by_column = (x / 10).reshape(len(columns), -1)  # [columns, results]
        rows.append(np.einsum("a,pb,pg->gab", own[score], opponent, by_column).ravel())
        target.append(y)
    return np.array(rows), np.array(target, float)


def test_least_squares_are_those_of_lstsq(odd, monkeypatch):
    moments, _, pairs = odd
    size, results = ODD.decisions.knots + 3, 5
    rows, target = explicit_rows(ODD, pairs)
    n, m, y, mm, my = moments.line
    slope = np.polyfit(*line_of(n, m, y, mm, my), 1)[0]
    parts = [rows / math.sqrt(len(pairs))]
    unit = np.eye(results * size * size).reshape(-1, results, size, size)
    for axis in (1, 2, 3):
        bend = np.diff(unit, n=2, axis=axis).reshape(len(unit), -1).T
        parts.append(math.sqrt(ODD.decisions.smoothness) * bend)
    parts.append(math.sqrt(least_squares._RIDGE) * np.eye(len(unit)))
    matrix = np.concatenate(parts)
    right = np.concatenate(
        [target / slope / math.sqrt(len(pairs)), np.zeros(len(matrix) - len(pairs))]
    )
    expected = np.linalg.lstsq(matrix, right)[0].reshape(results, size, size)

    monkeypatch.setattr(least_squares, "rising", lambda x: x)
    found = least_squares.least_squares(moments, ODD)
    np.testing.assert_allclose(found, expected, atol=2e-4 * np.abs(expected).max())

    # And so no other surface is better on the pairs themselves.
    def objective(x):
        return ((matrix @ x.ravel() - right) ** 2).sum()

    generator = np.random.default_rng(0)
    for _ in range(20):
        other = found + generator.normal(0, 0.02, found.shape)
        assert objective(other) > objective(found)


def line_of(n, m, y, mm, my):
    """Two points through which the least-squares line of these sums goes."""
    mean, spread = m / n, mm / n - (m / n) ** 2
    slope = (my / n - mean * y / n) / spread
    return [mean, mean + 1], [y / n, y / n + slope]


def test_the_surface_rises_with_result_and_opponent(odd):
    found = least_squares.least_squares(odd[0], ODD)
    assert np.diff(found, axis=0).min() >= 0 and np.diff(found, axis=2).min() >= 0
    assert np.diff(found, axis=1).min() < 0 < np.diff(found, axis=1).max()


def test_scores_of_the_fit_are_on_the_scale_of_match_points(odd):
    """Strengths twice as far apart change nothing: they are measured in match points."""
    moments = odd[0]
    n, m, y, mm, my = moments.line
    twice = dataclasses.replace(
        moments, moments=2 * moments.moments, line=np.array([n, m, 2 * y, mm, 2 * my])
    )
    np.testing.assert_allclose(
        least_squares.least_squares(moments, ODD),
        least_squares.least_squares(twice, ODD),
        rtol=1e-5,
    )


def test_par_is_the_mean_value_of_every_own_score(odd):
    moments = odd[0]
    surface = least_squares.normalised(least_squares.least_squares(moments, ODD), moments, ODD)
    matches = moments.seen.sum(axis=1)
    assert (matches > 0).sum() >= 5
    grid = value_grid(surface, 4).reshape(9, -1)
    mean = (grid * moments.seen).sum(axis=1)[matches > 0] / matches[matches > 0]
    np.testing.assert_allclose(mean, 0, atol=1e-9)
    # A score that no team had takes the part of the way between its neighbours.
    known = np.flatnonzero(matches > 0)
    missing = dataclasses.replace(moments, seen=moments.seen.copy())
    missing.seen[known[2]] = 0
    par = least_squares.normalised(surface.coefficients, missing, ODD).par
    before, gone, after = known[1:4]
    part = (gone - before) / (after - before)
    assert par[gone] == pytest.approx((1 - part) * par[before] + part * par[after])


# --- the logistic loss ----------------------------------------------------------------------------


def slow_loss(scores, log_beta, match_points, strength):
    total = 0.0
    for i, j in itertools.combinations(range(len(scores)), 2):
        if match_points[i] == match_points[j] and strength[i] != strength[j]:
            better, worse = (i, j) if strength[i] > strength[j] else (j, i)
            steepness = math.exp(log_beta[match_points[i]])
            total += math.log1p(math.exp(-steepness * (scores[better] - scores[worse])))
    return total


def test_pairwise_logistic_is_a_loop_over_pairs():
    generator = np.random.default_rng(0)
    for _ in range(5):
        own, strength = generator.integers(0, 4, 12), generator.integers(0, 5, 12)
        scores, log_beta = generator.normal(size=12), generator.normal(size=5)
        found = descent.pairwise_logistic(
            jnp.asarray(scores, jnp.float32),
            jnp.asarray(log_beta, jnp.float32),
            jnp.asarray(own),
            jnp.asarray(strength),
        )
        assert float(found) == pytest.approx(slow_loss(scores, log_beta, own, strength), rel=1e-5)


@pytest.fixture(scope="module")
def one_event():
    """Some event of `ODD`, and a second pass that sees it."""
    before = least_squares.rule_before(list(ODD_SURFACE), ODD)
    batches = measure_each(ODD, whole_event, EventRange(3, Purpose.TRAIN, 1))
    return Event(*(jnp.asarray(part[0]) for part in joined(batches))), before


def whole_event(key, event, config, args):
    return event.rosters, event.opponents, event.half_points, event.match_points


def differences(loss, at, step=1e-5):
    """The gradient of a loss by central differences."""
    gradient = np.zeros(at.shape)
    for where in np.ndindex(at.shape):
        ends = []
        for sign in (1, -1):
            moved = at.copy()
            moved[where] += sign * step
            ends.append(loss(moved))
        gradient[where] = (ends[0] - ends[1]) / (2 * step)
    return gradient


def test_the_gradient_of_a_table_is_that_of_differences(one_event):
    event, before = one_event
    generator = np.random.default_rng(1)
    table = generator.normal(size=before.points.shape[1:])
    log_beta = generator.normal(0.5, 0.3, 9)
    shown = tuple(jnp.asarray(x, jnp.float32) for x in (table, log_beta))
    loss, pairs, (by_table, by_beta) = jax.jit(descent.table_gradient, static_argnums=2)(
        jax.random.key(0), event, ODD, (shown, before)
    )
    own = np.asarray(event.match_points)
    strength = np.asarray(least_squares.strength(event, ODD))
    reading, half = (
        np.asarray(before.opponent_score(event.results)),
        np.asarray(event.half_points).T,
    )
    counted, beyond = np.asarray(before.counted(event.results)), margin(4)
    assert int(pairs) == sum(a == b for a, b in itertools.combinations(own, 2)) > 0

    def slow(table, log_beta):
        scores = np.zeros(7)
        for team, r in zip(*np.nonzero(counted), strict=True):
            whole, tenths = divmod(reading[team, r], 10)
            block = table[own[team], :, half[team, r]]
            scores[team] += (10 - tenths) / 10 * block[whole + beyond]
            if tenths:
                scores[team] += tenths / 10 * block[whole + beyond + 1]
        return slow_loss(scores, log_beta, own, strength) / 7

    unit = 1 << 15
    assert int(loss) == pytest.approx(unit * slow(table, log_beta), abs=1)
    expected = unit * differences(lambda x: slow(x, log_beta), table)
    assert np.abs(np.asarray(by_table) - expected).max() < 0.6 and np.abs(expected).max() > 500
    expected = unit * differences(lambda x: slow(table, x), log_beta)
    assert np.abs(np.asarray(by_beta) - expected).max() < 0.6 and np.abs(expected).max() > 500


def test_the_gradient_of_the_formula_is_that_of_differences(one_event):
    import slow_oracle

    event, _ = one_event
    logs, log_beta = np.log([0.3, 0.04]), np.linspace(-0.5, 1.5, 9)
    shown = tuple(jnp.asarray(x, jnp.float32) for x in (logs, log_beta))
    loss, _, (by_logs, _) = jax.jit(descent.formula_gradient, static_argnums=2)(
        jax.random.key(0), event, ODD, (shown, None)
    )
    rounds = [
        [(t, int(o), int(h[t])) for t, o in enumerate(opp) if o > t]
        + [(t, None, int(h[t])) for t, o in enumerate(opp) if o < 0]
        for opp, h in zip(np.asarray(event.opponents), np.asarray(event.half_points), strict=True)
    ]
    played = slow_oracle.played(7, 2, rounds)
    strength = np.asarray(least_squares.strength(event, ODD))

    def slow(logs):
        scale, refinement = np.exp(logs)
        scores = slow_oracle.formula_scores(played, 2, 8 * scale, 8 / 2 * refinement, 2)
        # In shares of a match's game points.
        return slow_loss(np.array(scores) / 2, log_beta, played.mp, strength) / 7

    assert int(loss) == pytest.approx((1 << 15) * slow(logs), abs=1)
    expected = (1 << 15) * differences(slow, logs)
    assert np.abs(np.asarray(by_logs) - expected).max() < 1 and np.abs(expected).min() > 5


# --- whole fits -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fitted():
    return pairwise.fit_passes(PASSES)


@pytest.mark.slow
def test_a_fit_decides_better_than_game_points(fitted):
    """On held-out events; and its own count of errors is that of the assessment."""
    tables = [pass_table(fitted.surfaces[:n], "t").tiebreak() for n in (1, 2)]
    pairs, errors, _ = sum_events(
        PASSES,
        judge_event,
        EventRange(PASSES.train.seed, Purpose.HELD_OUT, PASSES.train.held_out),
        tuple(map(JudgedRule, (GamePoints(), *tables))),
    )
    game_points, *learned = errors[:, -1] / 2
    for part, wrong in zip(fitted.passes, learned, strict=True):
        assert (part.held_out_pairs, part.held_out_errors) == (pairs[-1], wrong)
        assert wrong < 0.9 * game_points
        assert part.losses.shape == (3,) and (0 < part.losses).all() and (part.losses < 1).all()


@pytest.mark.slow
def test_a_shorter_fit_is_the_beginning_of_a_longer_one(fitted):
    plan = dataclasses.replace(PASSES.decisions, passes=1)
    config = dataclasses.replace(PASSES, decisions=plan)
    shorter = pairwise.fit_passes(config)
    kept = kinds.PassCheckpoint("t", PASSES, "0", fitted).shorter(1)
    assert kept.config == config and fits_equal(kept.fit, shorter)
    assert (len(shorter.surfaces), len(fitted.surfaces)) == (1, 2)
    np.testing.assert_array_equal(shorter.surfaces[0].coefficients, fitted.surfaces[0].coefficients)
    np.testing.assert_array_equal(shorter.surfaces[0].par, fitted.surfaces[0].par)
    np.testing.assert_array_equal(shorter.passes[0].losses, fitted.passes[0].losses)
    for field in ("held_out_pairs", "held_out_errors"):
        assert getattr(shorter.passes[0], field) == getattr(fitted.passes[0], field)


def fits_equal(one, other):
    pairs = [*zip(one.surfaces, other.surfaces, strict=True)]
    pairs += zip(one.passes, other.passes, strict=True)
    return all(
        np.array_equal(getattr(a, field.name), getattr(b, field.name))
        for a, b in pairs
        for field in dataclasses.fields(a)
    )


@pytest.mark.slow
def test_a_fit_does_not_depend_on_the_batch(fitted, monkeypatch):
    monkeypatch.setattr("tb2learn.simulation.run.default_batch", lambda config, events: 3)
    assert fits_equal(pairwise.fit_passes(PASSES), fitted)


def test_no_steps_leave_the_least_squares(odd):
    assert ODD.decisions.steps == 0
    raw = least_squares.least_squares(odd[0], ODD)
    same, losses = descent.descend_table(raw, list(ODD_SURFACE), ODD)
    np.testing.assert_array_equal(same, raw)
    assert losses.shape == (0,)


@pytest.mark.slow
def test_the_formula_has_two_digits():
    formula_config = dataclasses.replace(
        PASSES, train=dataclasses.replace(PASSES.train, objective="formula", events=64)
    )
    formula, fit = pairwise.fit_formula(formula_config)
    # 64 events of 8 a step.
    assert fit.losses.shape == (8,) and fit.held_out_pairs > 100
    assert (formula.event_rounds, formula.boards, formula.passes) == (5, 4, 2)
    for shown in (formula.a, formula.k):
        assert shown == pytest.approx(float(f"{shown:.2g}"), rel=1e-9)
    # The descent has left its start.
    assert (formula.scale, formula.refinement) != (0.25, 0.05)
    rule = formula.tiebreak()
    assert (float(rule.scale), float(rule.refinement)) == pytest.approx(
        (formula.a / 10, formula.k * 4 / 10)
    )


SIZES = {
    "two teams": (2, 1, 4),
    "byes": (3, 2, 2),
    "one board": (6, 3, 1),
    "twelve boards": (5, 3, 12),
    "fifteen rounds": (16, 15, 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("name", SIZES)
def test_every_size_trains(name, reduced):
    plan = DecisionConfig(passes=2, reduced=reduced, knots=2, steps=1, step_events=4)
    for objective in ("decisions", "formula")[: 1 if reduced else 2]:
        train = TrainConfig(objective, events=12, held_out=4)
        config = Config("s", event=EventFormat(*SIZES[name]), train=train, decisions=plan)
        rule = checkpoint.train(config).rule()
        leaves = jax.tree.leaves(rule.tiebreak())
        assert all(np.isfinite(np.asarray(leaf)).all() for leaf in leaves)
        if isinstance(rule.tiebreak(), PassRule):
            assert np.abs(rule.points).max() < 10_000


def test_equal_teams_train():
    """All teams equally strong: there is nothing to learn, and nothing breaks."""
    moments = least_squares.Moments(
        products=np.ones((9, 55, 55), np.int64),
        moments=np.zeros((9, 55), np.int64),
        pairs=np.ones(9, np.int64),
        seen=np.ones((9, 55), np.int64),
        line=np.array([7, 28, 0, 200, 0]),
    )
    assert margin(4) == 1  # eleven columns, five results
    assert np.isfinite(least_squares.least_squares(moments, ODD)).all()


def test_nothing_counted_trains():
    """One round, reduced: the only opponent is the one left out."""
    plan = dataclasses.replace(ODD.decisions, knots=1)
    config = dataclasses.replace(ODD, event=EventFormat(2, 1, 2), decisions=plan)
    cells = (3 + 2 * margin(1)) * 5
    moments = least_squares.Moments(
        products=np.zeros((3, cells, cells), np.int64),
        moments=np.zeros((3, cells), np.int64),
        pairs=np.array([0, 1, 0]),
        seen=np.zeros((3, cells), np.int64),
        line=np.array([2, 2, 0, 2, 0]),
    )
    raw = np.zeros((5, 4, 4))
    assert np.isfinite(least_squares.normalised(raw, moments, config).par).all()
