"""Moments of all tied pairs, and the surface that least squares fits to them."""

import contextlib
import dataclasses
import io
import itertools
import math
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from training_samples import ODD, ODD_SURFACE, brute_moments, least_squares_fit

from tb2learn.config import EventFormat
from tb2learn.tiebreaks.passes import margin
from tb2learn.training import table_least_squares, table_moments
from tb2learn.training.surface import basis, opponent_basis, share_grid

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.thorough
def test_moments_are_the_sums_over_all_tied_pairs(odd, near_truth):
    found, expected, pairs = odd
    assert len(pairs) > 100 and any((x % 10 != 0).any() for _, x, _ in pairs)
    assert_equal_moments(found, expected)
    # Pairs of nearly equal teams count where seeds are not random.
    assert not found.near_pairs.any()
    found, config = near_truth
    assert found.near.any()
    assert_equal_moments(found, brute_moments(config, list(ODD_SURFACE))[0])


def assert_equal_moments(found, expected):
    for field in dataclasses.fields(found):
        one, other = (getattr(moments, field.name) for moments in (found, expected))
        if field.name in ("spread", "sides", "side_sums"):
            assert one is other is None  # nobody asked for it
            continue
        assert one.dtype == np.int64
        np.testing.assert_array_equal(one, other, field.name)


def test_moments_are_exact_where_1000_teams_are_tied():
    """The largest group and the most rounds there can be, and matches in few cells."""
    event, teams, results = EventFormat(1000, 15, 1), 1000, 3
    rng = np.random.default_rng(1)
    nobody = np.zeros((1, teams), np.int32)
    cell = rng.integers(60, 64, (1, teams, 15)).astype(np.int32)
    above = rng.integers(0, 10, cell.shape).astype(np.int32)
    y = rng.integers(-9000, 9000, (1, teams)).astype(np.int32)
    measured = (nobody + 15, y, (cell + 1) * 10 + above, nobody, nobody)
    found = table_moments._add_moments(event, measured)
    x = np.zeros((teams, found.seen.shape[1]), np.int64)
    for number in range(15):
        rows, at, more = np.arange(teams), cell[0, :, number], above[0, :, number]
        np.add.at(x, (rows, at), 10 - more)
        np.add.at(x, (rows, at + results), more)
    products = teams * x.T @ x - np.outer(x.sum(axis=0), x.sum(axis=0))
    moments = teams * x.T @ y[0].astype(np.int64) - x.sum(axis=0) * y.sum()
    np.testing.assert_array_equal(found.products[15], products)
    np.testing.assert_array_equal(found.moments[15], moments)
    assert found.pairs[15] == 1000 * 999 // 2 and not found.products[:15].any()


def test_spread_is_that_of_what_features_lose():
    """Three rounds of tied teams, then the same with others' matches played again."""
    event, results = EventFormat(8, 3, 1), 3
    rng = np.random.default_rng(2)
    nobody, y = np.zeros((1, 8), np.int32), rng.integers(-99, 99, (1, 8)).astype(np.int32)
    cell = rng.integers(6, 15, (1, 8, 6)).astype(np.int32)
    above = rng.integers(0, 10, cell.shape).astype(np.int32)

    def moments(columns):
        measured = (nobody + 3, y, ((cell + 1) * 10 + above)[..., columns], nobody, nobody)
        return table_moments._add_moments(event, measured)

    def features(columns):
        x = np.zeros((8, found.seen.shape[1]), np.int64)
        for number in columns:
            at, more = cell[0, :, number], above[0, :, number]
            np.add.at(x, (np.arange(8), at), 10 - more)
            np.add.at(x, (np.arange(8), at + results), more)
        return x

    found, plain = moments(slice(6)), moments(slice(3))
    lost = features(range(3)) - features(range(3, 6))
    spread = sum(np.outer(a - b, a - b) for a, b in itertools.combinations(lost, 2))
    np.testing.assert_array_equal(found.spread[3], spread)
    assert plain.spread is None and not found.spread[:3].any()
    assert_equal_moments(dataclasses.replace(found, spread=None), plain)


@pytest.mark.thorough
def test_a_penalty_on_others_lowers_what_their_matches_change(monkeypatch):
    monkeypatch.setattr(table_least_squares, "rising", lambda x: x)

    def asked(others):
        plan = dataclasses.replace(ODD.decisions, others=others)
        return dataclasses.replace(ODD, decisions=plan)

    moments = table_moments.collect_moments(asked(1.0), list(ODD_SURFACE))
    worlds = [(table_least_squares.equations(moments, ODD), 1.0)]
    assert_equal_moments(
        dataclasses.replace(moments, spread=None),
        table_moments.collect_moments(ODD, list(ODD_SURFACE)),
    )

    def spread(others):
        raw = table_least_squares.least_squares(worlds, asked(others)).transpose(1, 2, 0).ravel()
        return raw @ worlds[0][0].spread @ raw

    assert spread(0.0) > 1.2 * spread(1.0) > 1.2 * spread(10.0) > 0


def explicit_rows(config, pairs):
    """The design of the least squares, a row a pair, on the spline's coefficients."""
    rounds, knots = config.event.rounds, config.decisions.knots
    columns = np.arange(-margin(rounds), 2 * rounds + margin(rounds) + 1) / (2 * rounds)
    own = basis(share_grid(rounds), knots)
    opponent = opponent_basis(columns, knots)
    rows, target = [], []
    for score, x, y in pairs:
        by_column = (x / 10).reshape(len(columns), -1)  # [columns, results]
        rows.append(np.einsum("a,pb,pg->gab", own[score], opponent, by_column).ravel())
        target.append(y)
    return np.array(rows), np.array(target, float)


@pytest.mark.thorough
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
    parts.append(math.sqrt(table_least_squares._RIDGE) * np.eye(len(unit)))
    matrix = np.concatenate(parts)
    right = np.concatenate(
        [target / slope / math.sqrt(len(pairs)), np.zeros(len(matrix) - len(pairs))]
    )
    expected = np.linalg.lstsq(matrix, right)[0].reshape(results, size, size)

    monkeypatch.setattr(table_least_squares, "rising", lambda x: x)
    found = least_squares_fit(moments)
    np.testing.assert_allclose(found, expected, atol=2e-4 * np.abs(expected).max())


def line_of(n, m, y, mm, my):
    """Two points through which the least-squares line of these sums goes."""
    mean, spread = m / n, mm / n - (m / n) ** 2
    slope = (my / n - mean * y / n) / spread
    return [mean, mean + 1], [y / n, y / n + slope]


def near_preference(moments, raw):
    """The mean squared difference between the seeds of nearly equal teams, in match points."""
    own, columns = table_least_squares.basis_rows(ODD)
    grid = np.einsum("gab,oa,pb->opg", raw, own, columns).reshape(len(own), -1)
    apart = (grid * moments.near).sum(axis=1) / 10
    counted = moments.near_pairs > 0
    squares = apart[counted] ** 2 / moments.near_pairs[counted]
    return squares.sum() / moments.near_pairs.sum()


@pytest.fixture(scope="module")
def near_truth():
    """The moments of a world with seeds near the truth, and its configuration."""
    field = dataclasses.replace(ODD.field, low=2300.0, high=2310.0, seed_noise=5.0)
    config = dataclasses.replace(ODD, field=field)
    return table_moments.collect_moments(config, list(ODD_SURFACE)), config


def with_fairness(config, fairness):
    return dataclasses.replace(
        config, decisions=dataclasses.replace(config.decisions, fairness=fairness)
    )


@pytest.mark.thorough
def test_fairness_takes_the_seeds_out(near_truth, monkeypatch):
    monkeypatch.setattr(table_least_squares, "rising", lambda x: x)
    moments, config = near_truth
    assert moments.near_pairs.sum() > 50
    worlds = [(table_least_squares.equations(moments, config), 1.0)]
    plain, little, much = (
        near_preference(
            moments, table_least_squares.least_squares(worlds, with_fairness(config, one))
        )
        for one in (0.0, 1.0, 100.0)
    )
    assert plain > 1.2 * little > 50 * much
    # It is the quadratic form of the equations.
    raw = table_least_squares.least_squares(worlds, config)
    x = raw.transpose(1, 2, 0).ravel()
    assert x @ worlds[0][0].bias @ x == pytest.approx(plain, rel=1e-4)


@pytest.mark.thorough
def test_worlds_are_weighted_and_random_seeds_have_no_bias(odd, near_truth):
    one = table_least_squares.equations(odd[0], ODD)
    other = table_least_squares.equations(*near_truth)
    assert one.bias is None and other.bias is not None
    np.testing.assert_array_equal(
        table_least_squares.least_squares([(one, 1.0)], with_fairness(ODD, 5.0)),
        table_least_squares.least_squares([(one, 1.0)], ODD),
    )
    mean = table_least_squares.Equations(
        (one.normal + 3 * other.normal) / 4, (one.right + 3 * other.right) / 4, None
    )
    np.testing.assert_allclose(
        table_least_squares.least_squares([(one, 1.0), (other, 3.0)], ODD),
        table_least_squares.least_squares([(mean, 2.0)], ODD),
        rtol=1e-4,
        atol=1e-5,
    )


FIT = """
import hashlib
from dataclasses import replace
import numpy as np
from tb2learn.training import table_moments, table_least_squares
from training_samples import ODD

config = replace(ODD, decisions=replace(ODD.decisions, knots=12))
rng = np.random.default_rng(1)
shares, cells = 9, 55
x = rng.integers(-20, 21, (shares, 30, cells))
fit = table_least_squares.equations(table_moments.Moments(
    products=x.transpose(0, 2, 1) @ x,
    moments=(x * rng.integers(-900, 900, (shares, 30, 1))).sum(axis=1),
    pairs=np.full(shares, 30),
    seen=abs(x).sum(axis=1),
    near=x[:, 0],
    near_pairs=np.full(shares, 30),
    line=np.array([100, 400, 50, 2000, 9000]),
), config)
table = table_least_squares.least_squares([(fit, 1.0)], config)
print(*(hashlib.sha256(part.tobytes()).hexdigest() for part in (fit.normal, fit.right, table)))
"""


@pytest.fixture(scope="module")
def on_processors():
    """What one program prints with the kernels for linear algebra of two kinds of processors.

    BLAS adds up in another order on each.
    """
    with contextlib.redirect_stdout(io.StringIO()) as here:
        exec(FIT + SOLUTION, {})
    elsewhere = subprocess.run(
        [sys.executable, "-c", FIT + SOLUTION],
        env={**os.environ, "PYTHONPATH": str(TESTS), "OPENBLAS_CORETYPE": "Nehalem"},
        check=True,
        capture_output=True,
        text=True,
    )
    return [printed.splitlines() for printed in (here.getvalue(), elsewhere.stdout)]


@pytest.mark.thorough
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="kinds of x86 processors")
def test_fits_are_the_same_on_every_processor(on_processors):
    assert len({fit for fit, _ in on_processors}) == 1


@pytest.mark.thorough
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="needs extended precision")
def test_solutions_are_right_to_the_last_digit(on_processors):
    """Exactly the integers that solve equations of second differences, whatever BLAS rounds.

    Rows add up to 16 at most and the solution has 53 bits, so that residuals of 58 bits are exact
    in the 64 of extended precision. With c = condition number * unit roundoff < 1e-8, every
    refinement takes a part of about c of the error away from the solution: two leave less than
    half a unit in its last place, and the sum is rounded to the integer.
    """
    for _, solution in on_processors:
        condition, plain, refined = map(float, solution.split())
        assert 1e6 < condition < 1e-8 * 2**53
        assert refined == 0 < plain


SOLUTION = """
import numpy as np
import scipy.linalg
from tb2learn.training.table_least_squares import _solution

bends = np.diff(np.eye(204), n=2, axis=0)[:, 2:-2]
normal, known = bends.T @ bends, np.random.default_rng(1).integers(64, 128, 200).astype(float)
right = normal @ known
plain = scipy.linalg.cho_solve(scipy.linalg.cho_factor(normal), right)
print(np.linalg.cond(normal), *(abs(x - known).max() for x in (plain, _solution(normal, right))))
"""
