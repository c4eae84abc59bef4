"""Least squares: the table of a pass in closed form, from integer sums over all tied pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import scipy.sparse
from jaxtyping import Array, Float, Int

from tb2learn.config import Config, EventFormat
from tb2learn.simulation import games, truth
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import SILENT, EventRange, Progress, sum_events
from tb2learn.tiebreaks import PassRule
from tb2learn.tiebreaks.passes import TENTHS, margin
from tb2learn.training.surface import ValueSurface, basis, opponent_basis, rising, shares
from tb2learn.training.tabulate import pass_table
from tb2learn.types import PerTeam

STRENGTH_UNIT = 1000
"""Strengths are whole thousandths of a log-odds."""

_EDGE = 1e-4  # shares of the expected match points are kept this far from 0 and 1
_RIDGE = 1e-7  # for coefficients that no event determines


def strength(event: Event, config: Config) -> PerTeam:
    """True strength: the log-odds of the oracle's expected share of match points.

    **Returns:** whole `1/STRENGTH_UNIT`.
    """
    most = 2.0 * games.UNIT * (len(event.rosters) - 1)
    share = truth.true_strength(event.rosters, config.game) / most
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
    - `line`: number of teams, and sums of their match points `m`, strengths `y`, `m*m` and `m*y`.
    """

    products: Int[np.ndarray, "shares cells cells"]
    moments: Int[np.ndarray, "shares cells"]
    pairs: Int[np.ndarray, " shares"]
    seen: Int[np.ndarray, "shares cells"]
    line: Int[np.ndarray, "5"]


def collect_moments(
    config: Config,
    surfaces: list[ValueSurface],
    progress: Progress = SILENT,
    batch: int | None = None,
) -> Moments:
    """Play the training events and sum what least squares need for the next pass.

    **Arguments:**

    - `config`: what to play, and how many events.
    - `surfaces`: those of the passes before.
    - `progress`, `batch`: as in `simulation.run.sum_events`.
    """
    sums = sum_events(
        config,
        describe_event,
        EventRange(config.train.seed, Purpose.TRAIN, config.train.events),
        rule_before(surfaces, config),
        partial(_add_moments, config.event),
        batch=batch,
        progress=replace(progress, stage=f"train-{len(surfaces) + 1}"),
    )
    return Moments(*sums)


def rule_before(surfaces: list[ValueSurface], config: Config) -> PassRule:
    """The rule of the passes so far, with an empty table for the pass to fit."""
    event = config.event
    columns = event.max_match_points + 1 + 2 * margin(event.rounds)
    empty = np.zeros((1, event.max_match_points + 1, columns, event.max_half_points + 1), np.int32)
    points = [pass_table(surfaces, "before").points] if surfaces else []
    return PassRule(jnp.asarray(np.concatenate([*points, empty])), config.decisions.reduced)


def describe_event(
    key: jax.Array, event: Event, config: Config, before: PassRule
) -> tuple[PerTeam, PerTeam, Int[Array, "teams rounds"], Int[Array, "teams rounds"]]:
    """What the moments need of one event.

    **Returns:** match points, strength, the lower cell of every match (-1 if it does not count)
    and the tenths by which the opponent is above it.
    """
    results = event.results
    opponent_score = before.opponent_score(results)
    column = opponent_score // TENTHS + margin(config.event.rounds)
    cell = column * (config.event.max_half_points + 1) + results.half_points.T
    cell = jnp.where(before.counted(results), cell, -1)
    return event.match_points, strength(event, config), cell, opponent_score % TENTHS


def _add_moments(event: EventFormat, numbers: np.ndarray, measured: tuple) -> tuple:
    """The moments of a batch, as the fields of `Moments`."""
    own, y, cell, above = measured
    results, events = event.max_half_points + 1, len(own)
    cells = results * (event.max_match_points + 1 + 2 * margin(event.rounds))
    shares_ = event.max_match_points + 1
    products = np.zeros((shares_, cells, cells), np.int64)
    moments, seen = np.zeros((shares_, cells), np.int64), np.zeros((shares_, cells), np.int64)
    pairs = np.zeros(shares_, np.int64)
    for score in range(shares_):
        number, team = np.nonzero(own == score)
        if len(number) == 0:
            continue
        features = _features(cell[number, team], above[number, team], cells, results)
        target = y[number, team].astype(np.int64)
        ones = np.ones(len(number), np.int64)
        group = scipy.sparse.csr_array(
            (ones, (number, np.arange(len(number)))), shape=(events, len(number))
        )
        size = group.sum(axis=1)
        by_group, sums = group @ features, group @ target
        weighted = features.multiply(size[number][:, None]).tocsr()
        # Sum over pairs of (x_i - x_j)(x_i - x_j)' = n sum of x x' - (sum of x)(sum of x)'.
        products[score] = (weighted.T @ features - by_group.T @ by_group).toarray()
        moments[score] = weighted.T @ target - by_group.T @ sums
        pairs[score] = (size * (size - 1) // 2).sum()
        seen[score] = features.sum(axis=0)
    m, y = own.astype(np.int64), y.astype(np.int64)
    line = np.array([m.size, m.sum(), y.sum(), (m * m).sum(), (m * y).sum()], np.int64)
    return products, moments, pairs, seen, line


def _features(
    cell: np.ndarray, above: np.ndarray, cells: int, results: int
) -> scipy.sparse.csr_array:
    """The features of teams, a row a team, in tenths."""
    row = np.broadcast_to(np.arange(len(cell))[:, None], cell.shape)
    parts = []
    for at, weight in ((cell, TENTHS - above), (cell + results, above)):
        kept = (cell >= 0) & (weight > 0)
        parts.append((weight[kept].astype(np.int64), row[kept], at[kept]))
    weight, row, at = (np.concatenate(part) for part in zip(*parts, strict=True))
    return scipy.sparse.csr_array((weight, (row, at)), shape=(len(cell), cells))


def least_squares(moments: Moments, config: Config) -> Float[np.ndarray, "results basis basis"]:
    """The smooth surface whose scores fit the strengths of tied teams best, made monotone.

    Minimises the mean over all pairs of tied teams of
    ``[(S_i - S_j) - (y_i - y_j)]^2 + smoothness * roughness``, strengths `y` in match points.

    **Arguments:**

    - `moments`: of the training events.
    - `config`: its format and `decisions` are used.

    **Returns:** coefficients by result, own share and opponent's share, monotone as `rising`.
    """
    event, plan = config.event, config.decisions
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
    normal = normal.reshape(unknowns, unknowns)
    normal += plan.smoothness * _bending(size, results) + _RIDGE * np.eye(unknowns)
    solution = scipy.linalg.solve(normal, right.reshape(unknowns), assume_a="pos")
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


def normalised(raw: np.ndarray, moments: Moments, config: Config) -> ValueSurface:
    """The surface with its par: the mean value of a match by own score."""
    own, columns = basis_rows(config)
    grid = np.einsum("gab,oa,pb->opg", raw, own, columns).reshape(len(own), -1)
    matches = moments.seen.sum(axis=1)
    known = matches > 0
    par = np.zeros(len(own))  # 0 if no match counts: a single round whose opponent is left out
    if known.any():
        seen = (grid * moments.seen).sum(axis=1)[known] / matches[known]
        par = np.interp(np.arange(len(own)), np.flatnonzero(known), seen)
    return ValueSurface(coefficients=raw, par=par, rounds=config.event.rounds)
