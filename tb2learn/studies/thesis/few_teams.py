"""How far a log of few teams lies from a log of many: what to expect of Table 4.9 of the thesis.

The log of the thesis has few teams on 20 match points: where its counts are small they are
multiples of 100, the matches of one pair of teams. Few teams are not the average of all teams on 20
match points, and all cells of a log share them. So the printed surface would lie off ours even if
both came from the same generator. Here logs of few teams are drawn from our own generator.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float, Int

from tb2learn.assessment.tally import BLOCKS, by_block
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation import games
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.stats import interval
from tb2learn.training.difficulty_log import difficulty_score

OWN = 20
"""Match points of the teams in Table 4.9."""

TEAMS = (2, 4, 8)
"""Numbers of teams in a drawn log."""

MATCHES = 100
"""Matches of one pair of teams in the thesis's log."""

DRAWN = 2000
"""Logs that are drawn."""


def few_teams(
    config: Config,
    scores: Float[np.ndarray, "shares results"],
    opponents: Sequence[int],
    observed: float,
    seed: int,
    label: str | None = None,
) -> pd.DataFrame:
    """Draw logs of few teams and compare them with the log of all.

    **Arguments:**

    - `config`: what the log was collected from.
    - `scores`: difficulty scores of the log of all, at own match points `OWN`.
    - `opponents`: opponents' match points of the cells.
    - `observed`: the printed surface's mean absolute deviation.
    - `seed`: of the drawn logs; the events are those of the log.
    - `label`: shows a progress bar with this label.

    **Returns:** a row a number of `teams` on `OWN` match points in a log, each of another event, as
    far as so many events have one: `median`, `low` and `high` of the mean absolute deviation over
    the cells (the middle 95 % of drawn logs), and `above`, the share of drawn logs that lie farther
    off than the printed surface does.
    """
    events = min(config.train.events, BLOCKS)
    below, matches = sum_events(
        config,
        law_of_one_team,
        EventRange(config.train.seed, Purpose.TRAIN, events),
        np.int32(OWN),
        by_block(events),
        progress=Progress(label),
    )
    found = matches.sum(axis=1) > 0
    below, matches = below[found][:, opponents], matches[found][:, opponents]
    generator = np.random.default_rng(seed)
    truth = scores[list(opponents)]
    rows = []
    for teams in (number for number in TEAMS if number <= len(below)):
        logs = generator.permuted(np.tile(np.arange(len(below)), (DRAWN, 1)), axis=1)[:, :teams]
        drawn = below[logs].sum(axis=1), matches[logs].sum(axis=1)
        apart = _deviations(*drawn, truth, generator)
        low, high = interval(apart)
        above = float((apart > observed).mean())
        rows.append((teams, float(np.median(apart)), float(low), float(high), above))
    return pd.DataFrame(rows, columns=["teams", "median", "low", "high", "above"])


def law_of_one_team(
    key: Key, event: Event, config: Config, own: Int[Array, ""]
) -> tuple[Int[Array, "shares thresholds"], Int[Array, " shares"]]:
    """The law of the matches of one team on some match points, by opponent's match points.

    **Arguments:**

    - `key`: consumed: picks the team.
    - `event`, `config`: the played event.
    - `own`: match points of the team.

    **Returns:** chances to fail to reach half a game point, a point, ..., in units of
    `1/games.UNIT`, summed over the opponents; and the number of opponents. Zeros in an event
    without such a team.
    """
    teams = len(event.rosters)
    on_own = event.match_points == own
    team = jnp.argmax(jnp.where(on_own, jax.random.uniform(key, (teams,)) + 1, 0))
    shares = config.event.max_match_points + 1
    by_points = jax.nn.one_hot(event.match_points, shares, dtype=jnp.int32)
    by_points = by_points.at[team].set(0) * on_own.any()
    one = jnp.broadcast_to(event.rosters[team], event.rosters.shape)
    below = games.cumulative_law(one.T, event.rosters.T, config.game)[: 2 * config.event.boards]
    return (below @ by_points).T, by_points.sum(axis=0)


def _deviations(
    below: Int[np.ndarray, "drawn cells thresholds"],
    matches: Int[np.ndarray, "drawn cells"],
    truth: Float[np.ndarray, "cells results"],
    generator: np.random.Generator,
) -> Float[np.ndarray, " drawn"]:
    """Mean absolute deviation of each drawn log, over the cells that it and the truth have."""
    at_most = below / (np.maximum(matches, 1)[..., None] * games.UNIT)
    law = np.clip(np.diff(at_most, axis=-1, prepend=0.0, append=1.0), 0, None)
    counts = generator.multinomial(MATCHES * matches, law / law.sum(axis=-1, keepdims=True))
    with np.errstate(invalid="ignore"):
        fails = counts.cumsum(axis=-1)[..., :-1] / counts.sum(axis=-1, keepdims=True)
    return np.nanmean(np.abs(difficulty_score(fails) - truth), axis=(1, 2))
