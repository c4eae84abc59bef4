"""Least squares shrunk to a prior that is learned: what the graph of matches and a prior give.

The rule solves the equations of least squares, with the Laplacian matrix of who met whom, and ties
every team to what its match points say, as if it had drawn so many further matches against a team
of that rating. That prior is any rising function of the match points, by straight lines between
some of them. It is learned, with the weights of board points and of wins, so that differences of
scores fit those of tied teams' strengths best; scores are linear in all of these, so one solution
of the equations for each of them is all that an event has to give.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
import scipy.optimize
from jaxtyping import Array, Int

from tb2learn.assessment.references import Reference
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.studies.frontier.blend import BlendSums, by_score
from tb2learn.tiebreaks.paired import ShrunkenLeastSquares
from tb2learn.training.least_squares import nearly_equal, strength
from tb2learn.types import PerTeam, pytree, static

RIDGE = "ridge"
"""How the names of these rules begin, which cannot be printed either."""

RIDGES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Ridges, in matches."""

KNOTS = (0.0, 0.3, 0.45, 0.55, 0.7, 1.0)
"""Shares of the most match points between which the prior is a straight line."""

_TENTHS, _HUNDREDTHS = 10, 100
_STEEP = 400
"""What the prior rises between two knots while it is learned: two board points."""

_LEAST = 1e-6
"""Added to the variances of standardised scores."""


@pytree
class Ridge(Reference):
    """Least squares shrunk to a prior, under a name."""

    rule: ShrunkenLeastSquares
    name: str = static(default=RIDGE)

    def estimate(self, key: Key, event: Event, config: Config) -> Int[Array, " teams"]:
        """The scores of the rule."""
        return self.rule.scores(event.results)


def fit_ridges(
    worlds: Sequence[tuple[str, Config]], trained: int, seed: int
) -> tuple[list[Ridge], str]:
    """The rule of every ridge that fits the strengths of tied teams best in the mean of worlds.

    **Arguments:**

    - `worlds`: of one format, and what they are called.
    - `trained`: events of each.
    - `seed`: of the events.

    **Returns:** the rules; the name of the one whose scores fit best in these events.
    """
    config = worlds[0][1]
    sums = [
        collect_ridges(world, trained, seed, Progress(f"ridge, {name}")) for name, world in worlds
    ]
    fitted = [fit_ridge(ridge, config, [one[k] for one in sums]) for k, ridge in enumerate(RIDGES)]
    best, _ = max(fitted, key=lambda one: one[1])
    return [rule for rule, _ in fitted], best.name


def collect_ridges(config: Config, events: int, seed: int, progress: Progress) -> list[BlendSums]:
    """Play events and sum what the fit of every ridge needs."""
    played = EventRange(seed, Purpose.TRAIN, events)
    shares = config.event.max_match_points + 1

    def add(numbers: np.ndarray, described: tuple) -> list[tuple]:
        own, features, y, below, above = (np.asarray(part, np.int64) for part in described)
        return [by_score(shares, own, features[:, k], y, below, above) for k in range(len(RIDGES))]

    found = sum_events(config, _describe, played, _unknown(config), add, progress=progress)
    return [BlendSums(*one) for one in found]


def fit_ridge(ridge: float, config: Config, worlds: Sequence[BlendSums]) -> tuple[Ridge, float]:
    """The rule of one ridge that fits best, and how much of the mean squared strength it explains.

    The prior rises and neither weight is negative, because no coefficient is.

    **Arguments:**

    - `ridge`: in matches.
    - `config`: its format is used.
    - `worlds`: the sums of each.
    """
    normal, right = np.zeros(()), np.zeros(())
    for sums in worlds:
        pairs = max(1, sums.pairs.sum())
        normal = normal + sums.products.sum(axis=0) / pairs
        right = right + sums.moments.sum(axis=0) / pairs
    scale = np.sqrt(np.maximum(normal.diagonal(), 1e-12))
    standard = normal / np.outer(scale, scale) + _LEAST * np.eye(len(scale))
    factor = scipy.linalg.cholesky(standard)
    target = scipy.linalg.solve_triangular(factor, right / scale, trans=1)
    found, _ = scipy.optimize.nnls(factor, target)
    explained = 2 * found @ (right / scale) - found @ standard @ found
    # Only ratios count: board points and wins together weigh one.
    weights = found / scale
    weights = weights / max(weights[:2].sum(), 1e-12)
    board, win = np.rint(_HUNDREDTHS * weights[:2]).astype(int).tolist()
    prior = np.rint(weights[2:] @ _ramps(config)).astype(int)
    rule = _rule(ridge, board, win, prior)
    return Ridge(rule, f"{RIDGE}-{ridge:g}"), float(explained)


def _ramps(config: Config) -> Int[np.ndarray, "ramps shares"]:
    """By match points, priors that rise between two knots and are flat elsewhere."""
    share = np.linspace(0, 1, config.event.max_match_points + 1)
    knots = np.asarray(KNOTS)
    rise = (share - knots[:-1, None]) / np.diff(knots)[:, None]
    return np.rint(_STEEP * np.clip(rise, 0, 1)).astype(np.int64)


def _unknown(config: Config) -> ShrunkenLeastSquares:
    """The rules of which every rule is a sum: by ridge, and by what they count alone."""
    ramps = _ramps(config)
    counted = _HUNDREDTHS * np.eye(2 + len(ramps), dtype=np.int64)[:, :2]
    priors = np.concatenate([np.zeros((2, ramps.shape[1]), np.int64), ramps])
    alone = [
        _rule(ridge, board, win, prior)
        for ridge in RIDGES
        for (board, win), prior in zip(counted.tolist(), priors, strict=True)
    ]
    shape = len(RIDGES), len(priors)
    return jax.tree.map(lambda *x: jnp.stack(x).reshape(*shape, *x[0].shape), *alone)


def _rule(
    ridge: float, board: int, win: int, prior: Int[np.ndarray, " shares"]
) -> ShrunkenLeastSquares:
    numbers = (jnp.asarray(x, jnp.int32) for x in (round(_TENTHS * ridge), board, win, prior))
    return ShrunkenLeastSquares(*numbers)


def _describe(
    key: Key, event: Event, config: Config, parts: ShrunkenLeastSquares
) -> tuple[PerTeam, Int[Array, "ridges teams features"], PerTeam, PerTeam, PerTeam]:
    """Match points, features, strength; nearly equal tied teams seeded below and above."""
    scores = jax.vmap(jax.vmap(lambda rule: rule.scores(event.results)))(parts)
    seen = jnp.swapaxes(scores, 1, 2)
    near = nearly_equal(event.match_points, truth.strength_of(event, config.game))
    return event.match_points, seen, strength(event, config), *near
