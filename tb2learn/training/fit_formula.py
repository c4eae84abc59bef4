"""The two constants of the formula, by stochastic descent on the order of tied teams."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from tb2learn.chess.results import Results
from tb2learn.config import Config, EventFormat, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, progress_bar, sum_events
from tb2learn.tiebreaks.passes import MOST_REFINEMENT
from tb2learn.tiebreaks.rules import Rule, formula_rule, two_digits
from tb2learn.tiebreaks.sums import without_own_match
from tb2learn.training.chapters import TIES
from tb2learn.training.fit_tables import HeldOutErrors, count_held_out
from tb2learn.training.near_pairs import strength
from tb2learn.types import BYE, PerTeam

STEP_EVENTS = 64
"""Fresh events of a step."""

_START = (0.25, 0.05)  # scale and refinement, shares of the most match points
_START_LOG_BETA = 1.0
_RATE = 0.03  # learning rate of the logs
_PLATEAU = 0.05  # relative change of a constant that a further descent may show
_MOST_DESCENTS = 12


def fit_formula(
    config: Config, progress: Progress = SILENT, store: EventStore | None = None
) -> tuple[Rule, HeldOutErrors, int]:
    """Fit the constants of the formula, rounded to two digits in the units in which they are shown.

    **Arguments:**

    - `config`: `train` says how many events, of which seed; `decisions` how many passes.
    - `progress`: shows progress bars, and keeps the held-out counts.
    - `store`: of the held-out events, if they were played before.

    **Returns:** the formula, how well it decides, and how many descents led to it.
    """
    event = config.event
    max_match_points = event.max_match_points
    (scale, refinement), descents = descend(config, progress.part(f"{TIES} constants"))
    # Rounded in match points as it is printed, so that what is judged can be done by hand.
    formula = formula_rule(
        "formula",
        event.rounds,
        event.boards,
        scale=two_digits(scale * max_match_points) / max_match_points,
        refinement=two_digits(refinement * max_match_points / event.boards)
        * event.boards
        / max_match_points,
        passes=config.decisions.passes,
    )
    bar = Progress(run=progress.run, stage="held-out")
    (judged,) = count_held_out([formula.tiebreak], config, bar, store)
    return formula, judged, descents


def descend(config: Config, progress: Progress = SILENT) -> tuple[Float[np.ndarray, "2"], int]:
    r"""Minimise the loss of RankNet (Burges et al. 2005) over tied pairs of simulated events.

    .. math:: \sum_{i,j} \log(1 + \exp(-\beta_{MP} (S_i - S_j))), \quad i \text{ the better}

    with a steepness :math:`\beta` a number of match points, which is fitted, too.

    One descent over `config.train.events` events stops too early in some formats: the constants lie
    in a long valley, in which the scale falls as the refinement grows. So descents over further
    events follow, each from where the one before ended, until one moves neither constant by more
    than `_PLATEAU`; that one only confirms the constants it started from. After `_MOST_DESCENTS`
    the last constants stand.

    **Returns:** scale and refinement, shares of the most match points; how many descents led there.
    """
    steps = max(1, config.train.events // STEP_EVENTS)
    log_beta = jnp.full(config.event.max_match_points + 1, _START_LOG_BETA, jnp.float32)
    # Logs of the constants, which so stay above 0 whatever a step does.
    at, number = (jnp.log(jnp.array(_START, jnp.float32)), log_beta), 0
    with progress_bar(steps, progress.label, "step") as bar:
        while number < _MOST_DESCENTS:
            bar.reset()
            ended = at
            # A new state a descent: the cosine schedule starts again with its full rate.
            state = _optimiser(steps).init(at)
            for results, pairs in _steps(config, number * steps, steps):
                ended, state = _update(
                    ended, state, results, pairs, config.event, config.decisions.passes, steps
                )
                bar.update()
                if progress.run:
                    progress.run.stop_if_asked("in the descent of the formula")
            # This descent confirms where it began; its own end is the noise of its events.
            if number and np.abs(np.asarray(ended[0] - at[0])).max() < np.log1p(_PLATEAU):
                break
            at, number = ended, number + 1
    return np.exp(np.asarray(at[0], np.float64)), number


def _optimiser(steps: int) -> Any:
    import optax  # which takes a while to load, and most tables need no descent

    return optax.adam(optax.cosine_decay_schedule(_RATE, steps))


def _steps(config: Config, first: int, steps: int) -> Any:
    """The events of every step, and their pairs, padded to one number for one compiled program."""
    events = EventRange(
        config.train.seed, Purpose.TRAIN, steps * STEP_EVENTS, first=first * STEP_EVENTS
    )
    # Batches are put one behind the other, not added up: the loss needs every team.
    results_by_batch = sum_events(config.setting, _TIED, events)
    *results, strengths = map(np.concatenate, zip(*results_by_batch, strict=True))
    events_of_step = [slice(k, k + STEP_EVENTS) for k in range(0, len(strengths), STEP_EVENTS)]
    pairs = [_pairs(results[-1][step], strengths[step]) for step in events_of_step]
    # A power of two, so that the steps of other seeds find the program compiled.
    width = 1 << max(pairs_of_step.shape[1] for pairs_of_step in pairs).bit_length()
    for step, pairs_of_step in zip(events_of_step, pairs, strict=True):
        # A team beside itself is padding.
        padded = np.pad(pairs_of_step, ((0, 0), (0, width - pairs_of_step.shape[1])))
        yield tuple(array[step] for array in results), padded


def _tied(
    key: Key, event: Event, setting: Setting, args: None
) -> tuple[Array, Array, PerTeam, PerTeam]:
    """What the loss needs of an event: opponents, half points, match points, strength."""
    return event.opponents, event.half_points, event.match_points, strength(event, setting)


_TIED = Measurement.listed(_tied)


def _pairs(
    match_points: Int[np.ndarray, "events teams"], strengths: Int[np.ndarray, "events teams"]
) -> Int[np.ndarray, "2 pairs"]:
    """The better and the worse team of all tied pairs, teams numbered over the events."""
    tied = match_points[:, :, None] == match_points[:, None]
    event, better, worse = np.nonzero(tied & (strengths[:, :, None] > strengths[:, None]))
    # Teams of one step are numbered through, event after event.
    first = event * match_points.shape[1]
    return np.stack([first + better, first + worse]).astype(np.int32)


@partial(jax.jit, static_argnames=("event", "passes", "steps"))
def _update(
    at: tuple[Array, Array],
    state: Any,
    results: tuple[Array, Array, Array],
    pairs: Int[Array, "2 pairs"],
    event: EventFormat,
    passes: int,
    steps: int,
) -> tuple[tuple[Array, Array], Any]:
    """One step: the logs of both constants and of the steepnesses, and the optimiser's state."""
    gradient = jax.grad(_loss)(at, results, pairs, event, passes)
    updates, state = _optimiser(steps).update(gradient, state)
    return jax.tree.map(jnp.add, at, updates), state


def _loss(
    at: tuple[Array, Array],
    results: tuple[Array, Array, Array],
    pairs: Int[Array, "2 pairs"],
    event: EventFormat,
    passes: int,
) -> Float[Array, ""]:
    """The mean loss of a pair."""
    constants, log_beta = jnp.exp(at[0]), at[1]

    def scores(opponents: Array, half_points: Array, match_points: Array) -> Array:
        played = Results(opponents, half_points, match_points, event.boards)
        return smooth_values(played, constants, event, passes).sum(axis=0)

    better, worse = pairs
    values = jax.vmap(scores)(*results).ravel()
    # The two are tied, so either has the steepness of the pair.
    beta = jnp.exp(log_beta)[results[2].ravel()[better]]
    losses = jax.nn.softplus(-beta * (values[better] - values[worse]))
    # Padding pairs a team with itself: it has no loss.
    counted = better != worse
    return jnp.where(counted, losses, 0.0).sum() / jnp.maximum(1, counted.sum())


def smooth_values(
    results: Results, constants: Float[Array, "2"], event: EventFormat, passes: int
) -> Float[Array, "rounds teams"]:
    """What every round adds to the sum of the last pass, without any rounding.

    The rule itself is whole numbers from a table (`tiebreaks.formula`), which have no gradient.

    **Arguments:** `constants`: scale and refinement, shares of the most match points.

    **Returns:** shares of a match's game points.
    """
    scale, refinement = constants
    items, max_match_points = results.items, event.max_match_points
    own_share = results.match_points / max_match_points
    plain = items.opponent_points / max_match_points

    def above_expectation(score: Float[Array, "rounds teams"]) -> Float[Array, "rounds teams"]:
        # A lead of `scale` is one at which ten points are scored for one.
        expected = 1.0 / (1.0 + 10.0 ** (-(own_share - score) / scale))
        return jnp.where(items.empty, 0, items.scored / (2 * event.boards) - expected)

    values = above_expectation(plain)
    for _ in range(passes - 1):
        others = without_own_match(values, items.opponent)
        # Behind the clip, `where` would change last digits of the gradient, and so of fits.
        gained = refinement * jnp.where(items.opponent == BYE, 0.0, others)
        values = above_expectation(plain + jnp.clip(gained, -MOST_REFINEMENT, MOST_REFINEMENT))
    return values
