"""Least squares: the table of a pass in closed form, from the moments of its worlds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
import scipy.linalg
from jaxtyping import Float, Int

from tb2learn.config import Config
from tb2learn.tiebreaks.passes import TENTHS
from tb2learn.training.fit_surface import rising
from tb2learn.training.surface import (
    DEGREE,
    ValueSurface,
    basis,
    bending,
    columns,
    opponent_basis,
    share_grid,
)
from tb2learn.training.table_moments import Moments

_RIDGE = 1e-7  # for coefficients that no event determines


@dataclass(frozen=True)
class Equations:
    """The normal equations of one world, without smoothness.

    **Fields:**

    - `normal`, `right`: of the mean squared error a pair, on the coefficients by own share,
      opponent's share and result.
    - `bias`: of the mean squared seed bias: over own scores, the square of the mean difference in
      score between the higher and the lower seed of nearly equal tied teams, by number of pairs.
      None of a world with random seeds, which has none.
    - `spread`: of the mean squared change of a pair's difference when others play the last round
      again; None unless `decisions.others` asks for it.
    - `bias_right`: the right-hand side of `bias` where it aims at the ideal's difference and not
      at 0, else None.
    """

    normal: Float[np.ndarray, "unknowns unknowns"]
    right: Float[np.ndarray, " unknowns"]
    bias: Float[np.ndarray, "unknowns unknowns"] | None
    spread: Float[np.ndarray, "unknowns unknowns"] | None = None
    bias_right: Float[np.ndarray, " unknowns"] | None = None


def balanced(
    moments: Moments, ideal: Int[np.ndarray, "2 own 2"]
) -> Iterator[tuple[int, Float[np.ndarray, " cells"], float, float]]:
    """What a table prefers, and what the ideal does, by own match points.

    Pairs whose higher seed is better and those whose lower seed is are weighted so that their mean
    strengths are equal: what is left is not that one seed is the better team.

    **Arguments:** the moments of a world; `sum_ideal` of it.

    **Yields:** own match points; the mean difference of the features, in tenths; that of the
    ideal's strength, in `1/STRENGTH_UNIT`; and the weight of the pairs. None where a side is empty.
    """
    assert moments.sides is not None and moments.side_sums is not None
    for own in range(ideal.shape[1]):
        (weight, apart), known = moments.side_sums[:, own].T, ideal[:, own]
        if not (weight.all() and known[:, 0].all()):
            continue
        # Distances are rounded down to eighths: half of one is added.
        distance = apart / weight + 0.5
        share = distance[::-1] / distance.sum()
        features = share @ (moments.sides[:, own] / weight[:, None])
        yield own, features, float(share @ (known[:, 1] / known[:, 0])), float(weight.sum())


def equations(
    moments: Moments, config: Config, ideal: Int[np.ndarray, "2 own 2"] | None = None
) -> Equations:
    """The normal equations of the events of one world.

    **Arguments:**

    - `moments`: of its training events.
    - `config`: its format, `decisions` and seed noise are used.
    - `ideal`: `sum_ideal` of these events, if the penalty on seed bias aims at it.
    """
    event = config.event
    own_points, columns = basis_rows(config)
    results, size = event.max_half_points + 1, own_points.shape[1]
    teams, m, y, mm, my = moments.line.astype(np.float64)
    # Strength is put in match points, in which a table is read: divided by how much it grows with
    # a match point, if these events show that it grows.
    spread = teams * mm - m * m
    slope = (teams * my - m * y) / spread if spread > 0 else 0.0
    # Without a rise strengths stay in log-odds.
    slope = slope if slope > 0 else 1.0
    pairs = max(1, moments.pairs.sum())

    unknowns = size * size * results

    # `einsum` adds up in one order; BLAS does so in another on every kind of processor.
    def by_column(cells: np.ndarray) -> np.ndarray:
        return np.einsum("pb,pr->br", columns, cells.reshape(-1, results)).ravel()

    def form(sums: np.ndarray) -> np.ndarray:
        """The quadratic form of products by own match points, a pair."""
        total = np.zeros((size, size * results, size, size * results))
        for row, products in zip(own_points, sums, strict=True):
            if not products.any():
                continue
            products = products.reshape(len(columns), results, len(columns), results)
            # From columns to splines, for one side of the product and then for the other.
            half = np.einsum("pb,prqs->brqs", columns, products / (TENTHS**2 * pairs))
            quadratic = np.einsum("qc,brqs->brcs", columns, half).reshape(2 * (size * results,))
            # A B-spline is 0 outside a few knots: most rows of the basis have two or three entries.
            for row_ in np.flatnonzero(row):
                for column in np.flatnonzero(row):
                    total[row_, :, column] += row[row_] * row[column] * quadratic
        return total.reshape(unknowns, unknowns)

    # The right side: every own score's moments go to the splines that reach it.
    right = np.zeros((size, size * results))
    for row, moment in zip(own_points, moments.moments, strict=True):
        right += np.outer(row, by_column(moment / (TENTHS * pairs * slope)))
    bias = bias_right = None
    if ideal is not None:
        rows = list(balanced(moments, ideal))
        total = sum(weight for *_, weight in rows) or 1.0
        apart = np.reshape(
            [
                np.kron(own_points[own], by_column(features / TENTHS)) * math.sqrt(weight / total)
                for own, features, _, weight in rows
            ],
            (-1, unknowns),
        )
        aims = np.array([aim / slope * math.sqrt(weight / total) for *_, aim, weight in rows])
        bias = np.einsum("ki,kj->ij", apart, apart)
        bias_right = np.einsum("ki,k->i", apart, aims)
    elif config.field.informative:
        # Rows whose squares add up to the square of each own score's mean, weighted by its pairs.
        apart = [
            np.kron(row, by_column(near / TENTHS)) / math.sqrt(number)
            for row, near, number in zip(own_points, moments.near, moments.near_pairs, strict=True)
            if number
        ]
        apart = np.reshape(apart, (-1, unknowns)) / math.sqrt(max(1, moments.near_pairs.sum()))
        bias = np.einsum("ki,kj->ij", apart, apart)
    spread = None if moments.spread is None else form(moments.spread)
    normal = form(moments.products)
    return Equations(normal, right.reshape(unknowns), bias, spread, bias_right)


def least_squares(
    worlds: Sequence[tuple[Equations, float]], config: Config
) -> Float[np.ndarray, "results basis basis"]:
    """The smooth surface whose scores fit the strengths of tied teams best, made monotone.

    Minimises the weighted mean over worlds of the mean over all pairs of tied teams of
    ``[(S_i - S_j) - (y_i - y_j)]^2``, plus ``smoothness * roughness``, ``fairness`` times the mean
    squared seed bias (`Equations.bias`) of the worlds that have one, and ``others`` times the
    weighted mean of `Equations.spread`; strengths `y` in match points.

    **Arguments:**

    - `worlds`: the equations of every world, and its weight above 0.
    - `config`: its format and `decisions` are used.

    **Returns:** coefficients by result, own share and opponent's share, monotone as `rising`.
    """
    plan, results = config.decisions, config.event.max_half_points + 1
    size, total = plan.knots + DEGREE, sum(weight for _, weight in worlds)
    # 1. What the scores are off by, a pair.
    normal = reduce(np.add, (weight / total * of_world.normal for of_world, weight in worlds))
    right = np.asarray(sum(weight / total * of_world.right for of_world, weight in worlds))
    biases = [(of.bias, of.bias_right) for of, _ in worlds if of.bias is not None]
    # 2. What they owe to the seeds, in worlds where these say something.
    for bias, aimed in biases if plan.fairness else ():
        normal += plan.fairness / len(biases) * bias
        if aimed is not None:
            right = right + plan.fairness / len(biases) * aimed
    # 3. What they owe to matches of others in the last round.
    for of_world, weight in worlds if plan.others else ():
        if of_world.spread is not None:
            normal += plan.others * weight / total * of_world.spread
    # 4. How rough the surface is; and a little of everything, so that there is a solution.
    normal += plan.smoothness * _bending(size, results)
    np.einsum("ii->i", normal)[...] += _RIDGE  # its diagonal
    # Single precision drops the digits in which processors differ.
    raw = _solution(normal, right).reshape(size, size, results).transpose(2, 0, 1)
    return rising(raw.astype(np.float32)).astype(np.float64)


def _solution(normal: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution of positive definite equations, right to nearly all digits of a double.

    What BLAS alone finds differs in later digits between kinds of processors. Coefficients are then
    rounded to single precision, and some would be rounded differently. So the solution is corrected
    by its residuals, computed in extended precision where the processor has it (x86).
    """
    factor = scipy.linalg.cho_factor(normal)
    solution = scipy.linalg.cho_solve(factor, right)
    for _ in range(2):
        rows = np.array_split(normal, -(-len(right) // _BLOCK))
        products = np.concatenate([part.astype(np.longdouble) @ solution for part in rows])
        solution = solution + scipy.linalg.cho_solve(factor, (right - products).astype(float))
    return solution


_BLOCK = 512  # rows of a matrix at a time: they fit in the second-level cache


def basis_rows(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """The basis at every own score, and at every column."""
    rounds, knots = config.event.rounds, config.decisions.knots
    return basis(share_grid(rounds), knots), opponent_basis(columns(rounds), knots)


@lru_cache(maxsize=1)
def _bending(size: int, results: int) -> np.ndarray:
    """The sum of squared second differences along own share, opponent's share and result."""
    total = np.zeros((size, size, results) * 2)
    # Views of the entries whose two other indices are equal.
    np.einsum("iabjab->abij", total)[...] += bending(size)
    np.einsum("aibajb->abij", total)[...] += bending(size)
    np.einsum("abiabj->abij", total)[...] += bending(results)
    return total.reshape(2 * (size * size * results,))


def normalised(raw: np.ndarray, seen: Int[np.ndarray, "own cells"], config: Config) -> ValueSurface:
    """The surface with the mean value of a match by own score.

    **Arguments:** coefficients, `Moments.seen` and the configuration.
    """
    own_points, columns = basis_rows(config)
    grid = np.einsum("gab,oa,pb->opg", raw, own_points, columns).reshape(len(own_points), -1)
    matches = seen.sum(axis=1)
    is_known = matches > 0
    mean_value = np.zeros(len(own_points))  # 0 if no match counts: a single round with byes only
    if is_known.any():
        mean = (grid * seen).sum(axis=1)[is_known] / matches[is_known]
        # Own scores that no match was seen at lie between their neighbours.
        mean_value = np.interp(np.arange(len(own_points)), np.flatnonzero(is_known), mean)
    return ValueSurface(coefficients=raw, mean_value=mean_value, rounds=config.event.rounds)
