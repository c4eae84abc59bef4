"""Fitting a surface to a difficulty log by its binomial likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy import special

from tb2learn.config import SurfaceConfig
from tb2learn.simulation.simulate import SILENT, Progress, progress_bar
from tb2learn.training.difficulty_log import DifficultyLog
from tb2learn.training.surface import Fit, Surface, basis, bending, fail_probability, share_grid


def binomial_loss(
    odds: Float[Array, "*cells"], fail: Float[Array, "*cells"], weight: Float[Array, "*cells"]
) -> Float[Array, ""]:
    r"""Weighted negative log-likelihood of binomial counts, for log-odds.

    .. math:: -\sum_i w_i \,[f_i \log \sigma(x_i) + (1 - f_i) \log (1 - \sigma(x_i))]

    **Arguments:**

    - `odds`: log-odds `x` of failing.
    - `fail`: observed share `f` of failures, 0..1.
    - `weight`: share `w` of the matches that are in the cell.
    """
    return jnp.sum(weight * (jax.nn.softplus(odds) - fail * odds))


def fit_surface(
    log: DifficultyLog, held_out: DifficultyLog, config: SurfaceConfig, progress: Progress = SILENT
) -> Fit:
    """Fit a surface to a log.

    The start is the penalised maximum-likelihood spline of every threshold without the monotone
    constraint (closed-form steps); Adam then minimises the same loss over monotone surfaces.
    Without steps of Adam the running maxima of the start are the surface, in double precision and
    rounded so that every processor finds the same one.

    **Arguments:**

    - `log`: what to fit.
    - `held_out`: a log of other events of the same format, to judge the fit by.
    - `config`: knots, smoothness, steps.
    - `progress`: shows a progress bar; its run may stop the fit.

    **Returns:** a `Fit`.
    """
    fail, weight = frequencies(log)
    rounds = log.config.event.rounds
    rows = basis(share_grid(rounds), config.knots)
    start = _unconstrained(fail, weight, rows, config)
    if config.steps:
        coefficients, losses = _descended(start, (rows, fail, weight), config, progress)
    else:
        coefficients, losses = np.round(_raised(start), _DECIMALS), np.zeros(0)
    surface = Surface(coefficients, rounds)
    judged = frequencies(held_out)
    return Fit(
        surface=surface,
        losses=losses,
        deviance=_deviance(_predicted(surface), fail, weight),
        held_out_deviance=_deviance(_predicted(surface), *judged),
        held_out_noise=_deviance(fail, *judged),
    )


def frequencies(log: DifficultyLog) -> tuple[np.ndarray, np.ndarray]:
    """Shares of failures, and the weight of every cell and threshold.

    **Returns:** float64 `fail` and `weight`, `[own, opponent, 2*boards]`; the weights add up to 1,
    cells without a match have weight 0.
    """
    k, n = log.fails()
    # A cell without a match has no failures either.
    fail = k / np.maximum(n, 1)
    weight = np.broadcast_to(n / (n.sum() * k.shape[-1]), k.shape)
    return fail, weight


_DECIMALS = 4  # of log-odds: 1e-4 is a fortieth of a table's point; processors differ by 1e-11
_CLIP = 1e-4  # starting chances are kept this far from 0 and 1
_RIDGE = 1e-11  # keeps coefficients without data at the plane `_plane`
_NEWTON_STEPS = 12


def _plane(thresholds: int, size: int) -> np.ndarray:
    """A starting guess: failing is likelier at better results, stronger opponents, weaker teams."""
    # Over all thresholds some 8 of log-odds, and 6 over all match points of either team.
    middle = (np.arange(thresholds) - (thresholds - 1) / 2) * 8.0 / thresholds
    share = np.linspace(0.0, 1.0, size)
    return middle[:, None, None] + 6.0 * (share[None, None, :] - share[None, :, None])


def _unconstrained(
    fail: np.ndarray, weight: np.ndarray, rows: np.ndarray, config: SurfaceConfig
) -> np.ndarray:
    """Penalised maximum-likelihood splines, one threshold at a time, by Newton's method."""
    size = rows.shape[1]
    # A row a pair of shares, a column a pair of splines.
    design = np.kron(rows, rows)
    bend, identity = bending(size), np.eye(size)
    # Twice, as it is the derivative of a square; bends along the one share and the other.
    penalty = 2.0 * config.smoothness * (np.kron(bend, identity) + np.kron(identity, bend))
    penalty = penalty + _RIDGE * np.eye(size * size)

    def fitted(threshold: int, guess: np.ndarray) -> np.ndarray:
        f, w = fail[..., threshold].ravel(), weight[..., threshold].ravel()
        p = np.clip(f, _CLIP, 1.0 - _CLIP)
        target, theta = special.logit(p), guess.ravel()
        # A step is a weighted least-squares fit: weights and target follow from the last one.
        for _ in range(_NEWTON_STEPS):
            h = w * p * (1.0 - p)
            normal = design.T @ (h[:, None] * design) + penalty
            # The ridge pulls to the guess: where nobody played, the plane stays.
            theta = np.linalg.solve(normal, design.T @ (h * target) + _RIDGE * guess.ravel())
            odds = design @ theta
            p = np.clip(special.expit(odds), _CLIP / 100, 1.0 - _CLIP / 100)
            target = odds + (f - p) / (p * (1.0 - p))
        return theta.reshape(size, size)

    thresholds = fail.shape[-1]
    with ThreadPoolExecutor() as threads:  # linear algebra has one thread: the sums are the same
        return np.stack([*threads.map(fitted, range(thresholds), _plane(thresholds, size))])


def _optimiser(config: SurfaceConfig) -> Any:
    import optax  # which takes a while to load, and only training needs it

    return optax.adam(optax.cosine_decay_schedule(config.learning_rate, config.steps))


def _loss(raw: Array, data: tuple[Array, Array, Array], config: SurfaceConfig) -> Array:
    """What the descent minimises: the loss of the monotone surface, and how rough `raw` is."""
    rows, fail, weight = data
    odds = log_odds(monotone(raw), rows, rows)
    return binomial_loss(odds, fail, weight) + config.smoothness * roughness(raw, axes=(1, 2))


def _descended(
    start: np.ndarray, data: Sequence[np.ndarray], config: SurfaceConfig, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Adam, from a start: the monotone coefficients, and the loss at every step."""
    raw = jnp.asarray(start, jnp.float32)
    single = tuple(jnp.asarray(x, jnp.float32) for x in data)
    state = _optimiser(config).init(raw)
    losses = []
    with progress_bar(config.steps, progress.label, "step") as bar:
        # A hundred steps a call, so that the bar moves and a run can be stopped.
        for first in range(0, config.steps, 100):
            size = min(100, config.steps - first)
            raw, state, losses_of_part = _descend(raw, state, single, config=config, steps=size)
            losses.append(np.asarray(losses_of_part, np.float64))
            bar.update(size)
            if progress.run:
                progress.run.stop_if_asked("in the descent of the surface")
    return np.asarray(monotone(raw), np.float64), np.concatenate(losses)


@partial(jax.jit, static_argnames=("config", "steps"))
def _descend(
    raw: Array, state: Any, data: tuple[Array, Array, Array], *, config: SurfaceConfig, steps: int
) -> tuple[Array, Any, Array]:
    def step(carry: tuple[Array, Any], _: None) -> tuple[tuple[Array, Any], Array]:
        raw, state = carry
        value, gradient = jax.value_and_grad(_loss)(raw, data, config)
        updates, state = _optimiser(config).update(gradient, state)
        return (raw + updates, state), value

    (raw, state), losses = jax.lax.scan(step, (raw, state), None, length=steps)
    return raw, state, losses


def _predicted(surface: Surface) -> np.ndarray:
    grid = share_grid(surface.rounds)
    return fail_probability(surface, grid, grid)


def _deviance(chance: np.ndarray, fail: np.ndarray, weight: np.ndarray) -> float:
    # What was held to be impossible and came would cost without end.
    chance = np.clip(chance, 1e-7, 1.0 - 1e-7)
    gap = special.rel_entr(fail, chance) + special.rel_entr(1.0 - fail, 1.0 - chance)
    return float(2.0 * np.sum(weight * gap))


# --------------------------------------------------------------------------- coefficients


def monotone(
    raw: Float[Array, "thresholds basis basis"],
) -> Float[Array, "thresholds basis basis"]:
    """Running maxima: up with the threshold, down with the own share, up with the opponent's."""
    raised = jax.lax.cummax(raw, axis=0)
    raised = jax.lax.cummax(raised, axis=1, reverse=True)
    return jax.lax.cummax(raised, axis=2)


def _raised(raw: Float[np.ndarray, "thresholds basis basis"]) -> np.ndarray:
    """The same in double precision."""
    up = np.maximum.accumulate
    fallen = up(up(raw, axis=0)[:, ::-1], axis=1)[:, ::-1]
    return up(fallen, axis=2)


def roughness(
    coefficients: Float[Array, "layers basis basis"], axes: Sequence[int]
) -> Float[Array, ""]:
    """Sum of squared second differences along some axes (P-splines, Eilers and Marx 1996)."""
    bends = ((jnp.diff(coefficients, n=2, axis=axis) ** 2).sum() for axis in axes)
    return sum(bends, start=jnp.zeros(()))


def log_odds(
    coefficients: Float[Array, "thresholds basis basis"],
    own: Float[Array, "own basis"],
    opponent: Float[Array, "opponent basis"],
) -> Float[Array, "own opponent thresholds"]:
    """Log-odds of failing each threshold, on a grid of basis rows."""
    return jnp.einsum("tab,oa,pb->opt", coefficients, own, opponent)


def rising(
    coefficients: Float[np.ndarray, "results basis basis"],
) -> Float[np.ndarray, "results basis basis"]:
    """Running maxima: up with the result, up with the opponent's share.

    Only teams on equal match points are compared, so a constant per own score has no effect: along
    the own share the surface is smooth, not monotone.
    """
    return np.maximum.accumulate(np.maximum.accumulate(coefficients, axis=0), axis=2)
