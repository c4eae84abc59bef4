"""How strong teams are, and which tied ones are nearly equal: a table should not favour a seed."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import games, oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.level_model import LevelModel, level_model, posterior_worth
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.types import PerTeam

STRENGTH_UNIT = 1000
"""Strengths are whole thousandths of a log-odds."""


_EDGE = 1e-4  # shares of the expected match points are kept this far from 0 and 1


def strength(event: Event, setting: Setting) -> PerTeam:
    """True strength: the log-odds of the oracle's expected share of match points.

    **Returns:** whole `1/STRENGTH_UNIT`.
    """
    return log_odds(oracle.strength_of(event, setting.game))


def log_odds(expected: PerTeam) -> PerTeam:
    """Log-odds of shares of the most match points, in whole `1/STRENGTH_UNIT`."""
    share = expected / (2.0 * games.UNIT * (len(expected) - 1))
    # A team that nobody could beat has no finite log-odds.
    share = jnp.clip(share, _EDGE, 1.0 - _EDGE)
    # Whole numbers, whose sums are the same in any order and on any device.
    return jnp.rint(STRENGTH_UNIT * (jnp.log(share) - jnp.log1p(-share))).astype(jnp.int32)


def nearly_equal(match_points: PerTeam, expected: PerTeam) -> tuple[PerTeam, PerTeam]:
    """How many tied teams are nearly equal to a team and seeded below it, and above it."""
    teams = len(match_points)
    seed = jnp.arange(teams)

    def count(other: Array, counts: tuple[Array, Array]) -> tuple[Array, Array]:
        # One team against all others at a time, and no matrix of pairs: that is quicker by far.
        tied = match_points == match_points[other]
        near = tied & (jnp.abs(expected - expected[other]) < games.UNIT)
        below, above = counts
        return below + (near & (other > seed)), above + (near & (other < seed))

    nobody = jnp.zeros(teams, jnp.int32)
    return jax.lax.fori_loop(0, teams, count, (nobody, nobody))


NEAR_EIGHTHS = 40
"""Teams less than so many eighths of a match point of the oracle apart tell what a table prefers
where it aims at the ideal: five times as many pairs as those of less than one."""


def aims_at_ideal(config: Config) -> bool:
    """Whether the moments of a world are to say what the table prefers beside the ideal."""
    plan = config.decisions
    return plan.aim == "ideal" and plan.fairness > 0 and config.field.informative


def near_sides(match_points: PerTeam, expected: PerTeam) -> Int[Array, "teams 6"]:
    """Weights of tied teams near to a team: 40 if equally strong, none from 40 eighths on.

    Copies are left out: they say nothing of a rule.

    **Returns:** of the teams with which it forms a pair whose higher seed is better: weights of
    those seeded below less those above; then, only of those below, weights, and weights times
    distances. The same of pairs whose lower seed is better.
    """
    teams = len(match_points)
    seed = jnp.arange(teams)

    def count(other: Array, sums: Array) -> Array:
        apart = expected - expected[other]
        eighths = jnp.abs(apart) // (games.UNIT // 8)
        weight = jnp.maximum(NEAR_EIGHTHS - eighths, 0) * (match_points == match_points[other])
        # The first side: the better team of both has the lower number.
        side = jnp.sign(apart) * jnp.sign(other - seed)
        better = jnp.stack([side > 0, side < 0])
        weight = weight * better
        below = weight * (other > seed)
        return sums + jnp.stack([below - weight * (other < seed), below, below * eighths])

    sums = jax.lax.fori_loop(0, teams, count, jnp.zeros((3, 2, teams), jnp.int32))
    return jnp.moveaxis(sums, 1, 0).reshape(6, teams).T


def ideal_differences(
    key: Key, event: Event, setting: Setting, model: LevelModel
) -> Int[Array, "2 own 2"]:
    """By side and own match points: weights of near pairs, and weighted strengths of the ideal.

    The second are the differences between the higher and the lower seed, in `1/STRENGTH_UNIT`.
    """
    sides = near_sides(event.match_points, oracle.strength_of(event, setting.game))
    worth = posterior_worth(key, event, setting, model)
    y = log_odds(jnp.rint(worth * games.UNIT))
    found = jnp.zeros((2, setting.event.max_match_points + 1, 2), jnp.int32)
    for side in range(2):
        apart, weight = sides[:, 3 * side], sides[:, 3 * side + 1]
        sums = jnp.stack([weight, apart * y], axis=-1)
        found = found.at[side, event.match_points].add(sums)
    return found


MOST_IDEAL = 500
"""Training events of a world that tell what the ideal prefers, at most: it takes long."""


def sum_ideal(config: Config, progress: Progress = SILENT, world: int = 0) -> np.ndarray | None:
    """`ideal_differences` of the first training events of a world; None where nothing aims at it.

    Processors may differ in last digits of the ideal, and so in those of a table that aims at it.
    """
    if not aims_at_ideal(config):
        return None
    plan = config.train
    few = min(plan.events, MOST_IDEAL)
    events = EventRange(plan.seed, Purpose.TRAIN, few, first=world * plan.events)
    shown = replace(progress, stage=f"ideal-world-{world + 1}")
    setting = config.setting
    return sum_events(setting, _IDEAL, events, level_model(setting), progress=shown)


_IDEAL = Measurement(ideal_differences, signed=True)
