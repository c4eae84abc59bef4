"""Least squares: the table of a pass in closed form, from integer sums over all tied pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import scipy.sparse
from jaxtyping import Array, Float, Int

from tb2learn.config import Config, EventFormat
from tb2learn.simulation import games, truth
from tb2learn.simulation.kept import EventStore
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import SILENT, EventRange, Progress, sum_events
from tb2learn.tiebreaks import PassRule
from tb2learn.tiebreaks.passes import TENTHS, margin
from tb2learn.training.surface import (
    DEGREE,
    ValueSurface,
    basis,
    opponent_basis,
    rising,
    shares,
)
from tb2learn.training.tabulate import pass_table
from tb2learn.types import PerTeam

Cells: TypeAlias = Int[Array, "teams rounds"]
"""A number a match."""

STRENGTH_UNIT = 1000
"""Strengths are whole thousandths of a log-odds."""

_EDGE = 1e-4  # shares of the expected match points are kept this far from 0 and 1
_RIDGE = 1e-7  # for coefficients that no event determines


def strength(event: Event, config: Config) -> PerTeam:
    """True strength: the log-odds of the oracle's expected share of match points.

    **Returns:** whole `1/STRENGTH_UNIT`.
    """
    return _log_odds(truth.strength_of(event, config.game))


def _log_odds(expected: PerTeam) -> PerTeam:
    """Log-odds of shares of the most match points, in whole `1/STRENGTH_UNIT`."""
    share = expected / (2.0 * games.UNIT * (len(expected) - 1))
    share = jnp.clip(share, _EDGE, 1.0 - _EDGE)
    return jnp.rint(STRENGTH_UNIT * (jnp.log(share) - jnp.log1p(-share))).astype(jnp.int32)


@dataclass(frozen=True)
class Moments:
    """The integer sums that least squares need.

    A team's features are how often its matches use each cell (column and result) of the table; a
    match between two columns is divided between them, in tenths.

    **Fields:**

    - `products`: `[shares, cells, cells]` by own match points: products of the differences of the
      features of two tied teams, over all pairs; in hundredths.
    - `moments`: `[shares, cells]` the same with the difference of their strengths; in tenths.
    - `pairs`: `[shares]` number of pairs.
    - `seen`: `[shares, cells]` sums of the features over all teams; in tenths.
    - `near`: `[shares, cells]` sums, over all pairs of nearly equal tied teams (less than one
      expected match point of the all-play-all apart), of the features of the higher seed less those
      of the lower; in tenths.
    - `near_pairs`: `[shares]` number of such pairs.
    - `line`: number of teams, and sums of their match points `m`, strengths `y`, `m*m` and `m*y`.
    """

    products: Int[np.ndarray, "shares cells cells"]
    moments: Int[np.ndarray, "shares cells"]
    pairs: Int[np.ndarray, " shares"]
    seen: Int[np.ndarray, "shares cells"]
    near: Int[np.ndarray, "shares cells"]
    near_pairs: Int[np.ndarray, " shares"]
    line: Int[np.ndarray, "5"]


def collect_moments(
    config: Config,
    surfaces: list[ValueSurface],
    progress: Progress = SILENT,
    batch: int | None = None,
    world: int = 0,
    store: EventStore | None = None,
) -> Moments:
    """Play the training events and sum what least squares need for the next pass.

    **Arguments:**

    - `config`: what to play, and how many events.
    - `surfaces`: those of the passes before.
    - `progress`, `batch`, `store`: as in `simulation.run.sum_events`.
    - `world`: which of the worlds of the training it is, counted from 0: each has events of its
      own.
    """
    events = config.train.events
    stage = f"train-{len(surfaces) + 1}" + (f"-world-{world + 1}" if world else "")
    sums = sum_events(
        config,
        describe_event,
        EventRange(config.train.seed, Purpose.TRAIN, events, first=world * events),
        rule_before(surfaces, config),
        partial(_add_moments, config.event),
        truth=True,
        store=store,
        batch=batch,
        progress=replace(progress, stage=stage, signed=True),
    )
    return Moments(*sums)


def rule_before(surfaces: list[ValueSurface], config: Config) -> PassRule:
    """The rule of the passes so far, with an empty table for the pass to fit."""
    event = config.event
    columns = event.max_match_points + 1 + 2 * margin(event.rounds)
    empty = np.zeros((1, event.max_match_points + 1, columns, event.max_half_points + 1), np.int32)
    points = [pass_table(surfaces, "before").points] if surfaces else []
    return rule_of(np.concatenate([*points, empty]), config)


def rule_of(points: Int[np.ndarray, "tables shares columns results"], config: Config) -> PassRule:
    """The rule of some of the passes of a training, with as many tables as all passes have.

    Empty tables before the first one refine nothing. With them all passes share one program.
    """
    plan = config.decisions
    empty = np.zeros((plan.passes - len(points), *points.shape[1:]), points.dtype)
    return PassRule(jnp.asarray(np.concatenate([empty, points])), plan.reduced)


def describe_event(
    key: jax.Array, event: Event, config: Config, before: PassRule
) -> tuple[PerTeam, PerTeam, Cells, Cells, PerTeam, PerTeam]:
    """What the moments need of one event.

    **Returns:** match points, strength, the lower cell of every match (-1 if it does not count)
    and the tenths by which the opponent is above it; then how many nearly equal tied teams are
    seeded below a team, and how many above.
    """
    results = event.results
    opponent_score = before.opponent_score(results)
    column = opponent_score // TENTHS + margin(config.event.rounds)
    cell = column * (config.event.max_half_points + 1) + results.half_points.T
    cell = jnp.where(before.counted(results), cell, -1)
    y = truth.strength_of(event, config.game)
    apart = jnp.abs(truth.differences(y)) < games.UNIT
    near = (truth.tied_pairs(event.match_points) & apart).astype(jnp.int32)
    above = opponent_score % TENTHS
    return event.match_points, _log_odds(y), cell, above, near.sum(axis=1), near.sum(axis=0)


def _add_moments(event: EventFormat, numbers: np.ndarray, measured: tuple) -> tuple:
    """The moments of a batch, as the fields of `Moments`.

    Sums are sums of whole numbers far below 2**53, exact in the doubles of matrix products.
    """
    own, y, cell, above, below_it, above_it = (
        np.asarray(x).reshape(-1, *x.shape[2:]) for x in measured
    )
    events, teams = measured[0].shape
    results, shares_ = event.max_half_points + 1, event.max_match_points + 1
    cells = results * (shares_ + 2 * margin(event.rounds))
    # Teams by own match points, then by event: a score group is a block of rows.
    order = np.argsort(own, kind="stable")
    own, y = own[order], y[order].astype(np.float64)
    group = own.astype(np.int64) * events + order // teams
    size = np.bincount(group, minlength=shares_ * events)
    features = _features(cell[order], above[order], cells, results)
    of_groups = _rows(np.ones(len(own)), np.arange(len(own)), _ends(size), len(own))
    # Sum over pairs of (x_i - x_j)(x_i - x_j)' = n sum of x x' - (sum of x)(sum of x)': so a team
    # is a row that counts n times, its group one that counts -1 times. The left factor has the
    # cells once for every own score, so that one product serves all. It is sparse, because threads
    # that wait busily for the next dense one take the cores from the simulation.
    rows = scipy.sparse.vstack([features, of_groups @ features], format="csr")
    score = np.concatenate([own, np.repeat(np.arange(shares_), events)])
    times = np.concatenate([size[group], np.full(len(size), -1)]).astype(np.float64)
    number = np.diff(rows.indptr)
    columns = np.repeat(score * cells, number) + rows.indices
    left = _rows(rows.data, columns, rows.indptr, shares_ * cells).T.tocsr()
    right = _rows(rows.data * np.repeat(times, number), rows.indices, rows.indptr, cells)
    products = (left @ right).toarray().reshape(shares_, cells, cells)
    apart = (below_it - above_it)[order].astype(np.float64)
    of_teams, of_pairs = (
        np.concatenate([x, np.zeros(len(size))]) for x in (np.ones(len(own)), apart)
    )
    strengths = times * np.concatenate([y, of_groups @ y])
    moments, seen, near = (
        (left @ x).reshape(shares_, cells) for x in (strengths, of_teams, of_pairs)
    )
    size = size.reshape(shares_, events)
    pairs = (size * (size - 1) // 2).sum(axis=1)
    near_pairs = np.bincount(own, below_it[order], shares_)
    line = np.array([own.size, own.sum(), y.sum(), (own * own).sum(), (own * y).sum()])
    found = products, moments, pairs, seen, near, near_pairs, line
    return tuple(one.astype(np.int64) for one in found)


def _features(
    cell: np.ndarray, above: np.ndarray, cells: int, results: int
) -> scipy.sparse.csr_array:
    """The features of teams, a row a team, in tenths."""
    at = np.concatenate([cell, cell + results], axis=1)
    weight = np.concatenate([TENTHS - above, above], axis=1)
    kept = (weight > 0) & np.tile(cell >= 0, 2)
    return _rows(weight[kept], at[kept], _ends(kept.sum(axis=1)), cells)


def _ends(sizes: np.ndarray) -> np.ndarray:
    """Where rows of some sizes end, after the 0 where the first begins."""
    return np.concatenate([[0], np.cumsum(sizes)])


def _rows(
    values: np.ndarray, columns: np.ndarray, ends: np.ndarray, width: int
) -> scipy.sparse.csr_array:
    """A matrix by its rows: what stands in which columns, and where each row ends."""
    parts = values.astype(np.float64), columns.astype(np.int32), ends.astype(np.int32)
    return scipy.sparse.csr_array(parts, shape=(len(ends) - 1, width))


@dataclass(frozen=True)
class Equations:
    """The normal equations of one world, without smoothness.

    **Fields:**

    - `normal`, `right`: of the mean squared error a pair, on the coefficients by own share,
      opponent's share and result.
    - `bias`: of the mean squared seed bias: over own scores, the square of the mean difference in
      score between the higher and the lower seed of nearly equal tied teams, by number of pairs.
      None of a world with random seeds, which has none.
    """

    normal: Float[np.ndarray, "unknowns unknowns"]
    right: Float[np.ndarray, " unknowns"]
    bias: Float[np.ndarray, "unknowns unknowns"] | None


def equations(moments: Moments, config: Config) -> Equations:
    """The normal equations of the events of one world.

    **Arguments:**

    - `moments`: of its training events.
    - `config`: its format, `decisions` and seed noise are used.
    """
    event = config.event
    own, columns = basis_rows(config)
    results, size = event.max_half_points + 1, own.shape[1]
    teams, m, y, mm, my = moments.line.astype(np.float64)
    # Strength is put in match points: divided by how much it grows with a match point, if these
    # events show that it grows.
    spread = teams * mm - m * m
    slope = (teams * my - m * y) / spread if spread > 0 else 0.0
    slope = slope if slope > 0 else 1.0
    pairs = max(1, moments.pairs.sum())

    by_column = np.kron(columns, np.eye(results))  # [cells, basis * results]
    unknowns = size * size * results
    normal = np.zeros((size, size * results, size, size * results))
    right = np.zeros((size, size * results))
    for row, products, moment in zip(own, moments.products, moments.moments, strict=True):
        if not products.any():
            continue
        quadratic = by_column.T @ (products / (TENTHS**2 * pairs)) @ by_column
        linear = by_column.T @ (moment / (TENTHS * pairs * slope))
        for one in np.flatnonzero(row):
            right[one] += row[one] * linear
            for other in np.flatnonzero(row):
                normal[one, :, other] += row[one] * row[other] * quadratic
    bias = None
    if config.field.informative:
        apart = [
            np.kron(row, by_column.T @ (near / TENTHS)) / math.sqrt(number)
            for row, near, number in zip(own, moments.near, moments.near_pairs, strict=True)
            if number
        ]
        apart = np.reshape(apart, (-1, unknowns)) / math.sqrt(max(1, moments.near_pairs.sum()))
        bias = apart.T @ apart
    return Equations(normal.reshape(unknowns, unknowns), right.reshape(unknowns), bias)


def least_squares(
    worlds: Sequence[tuple[Equations, float]], config: Config
) -> Float[np.ndarray, "results basis basis"]:
    """The smooth surface whose scores fit the strengths of tied teams best, made monotone.

    Minimises the weighted mean over worlds of the mean over all pairs of tied teams of
    ``[(S_i - S_j) - (y_i - y_j)]^2``, plus ``smoothness * roughness`` and ``fairness`` times the
    mean squared seed bias (`Equations.bias`) of the worlds that have one; strengths `y` in match
    points.

    **Arguments:**

    - `worlds`: the equations of every world, and its weight above 0.
    - `config`: its format and `decisions` are used.

    **Returns:** coefficients by result, own share and opponent's share, monotone as `rising`.
    """
    plan, results = config.decisions, config.event.max_half_points + 1
    size, total = plan.knots + DEGREE, sum(weight for _, weight in worlds)
    normal = sum(weight / total * one.normal for one, weight in worlds)
    right = sum(weight / total * one.right for one, weight in worlds)
    biases = [one.bias for one, _ in worlds if one.bias is not None]
    for bias in biases if plan.fairness else ():
        normal = normal + plan.fairness / len(biases) * bias
    normal = normal + plan.smoothness * _bending(size, results) + _RIDGE * np.eye(len(right))
    solution = scipy.linalg.solve(normal, right, assume_a="pos")
    raw = solution.reshape(size, size, results).transpose(2, 0, 1)
    return np.asarray(rising(jnp.asarray(raw, jnp.float32)), np.float64)


def basis_rows(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """The basis at every own score, and at every column."""
    rounds, knots = config.event.rounds, config.decisions.knots
    columns = np.arange(-margin(rounds), 2 * rounds + margin(rounds) + 1) / (2 * rounds)
    return basis(shares(rounds), knots), opponent_basis(columns, knots)


def _bending(size: int, results: int) -> np.ndarray:
    """The sum of squared second differences along own share, opponent's share and result."""

    def along(length: int) -> np.ndarray:
        second = np.diff(np.eye(length), n=2, axis=0)
        return second.T @ second

    one, many = np.eye(size), np.eye(results)
    return (
        np.kron(np.kron(along(size), one), many)
        + np.kron(np.kron(one, along(size)), many)
        + np.kron(np.kron(one, one), along(results))
    )


def normalised(
    raw: np.ndarray, seen: Int[np.ndarray, "shares cells"], config: Config
) -> ValueSurface:
    """The surface with its par: the mean value of a match by own score.

    **Arguments:** coefficients, `Moments.seen` and the configuration.
    """
    own, columns = basis_rows(config)
    grid = np.einsum("gab,oa,pb->opg", raw, own, columns).reshape(len(own), -1)
    matches = seen.sum(axis=1)
    known = matches > 0
    par = np.zeros(len(own))  # 0 if no match counts: a single round whose opponent is left out
    if known.any():
        mean = (grid * seen).sum(axis=1)[known] / matches[known]
        par = np.interp(np.arange(len(own)), np.flatnonzero(known), mean)
    return ValueSurface(coefficients=raw, par=par, rounds=config.event.rounds)
