"""What tests ask of the package in another form than the package itself."""

import functools
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.chess import WEAKEST_RULES, Weakest
from tb2learn.chess.results import (
    Results,
    match_points,
    reduced_sum,
    weakest_item,
)
from tb2learn.simulation import games
from tb2learn.simulation.run import sum_events
from tb2learn.training.surface import ValueSurface
from tb2learn.training.surface_fit import rising
from tb2learn.types import BYE, InputError, PerRound, PerTeam, Points, pytree

ROOT = Path(__file__).parents[1]
"""The checkout: configurations, checkpoints, reports."""


@functools.cache
def tracked(*patterns):
    """Files of the checkout that git tracks, in order: `tracked("docs/**/*.md", "README.md")`.

    Whoever tries the commands of the README leaves files of their own beside them.
    """
    command = ["git", "-C", ROOT, "ls-files", "-z", "--", *(f":(glob){one}" for one in patterns)]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return tuple(sorted(path for name in names.split("\0")[:-1] if (path := ROOT / name).exists()))


PATIENCE = 600
"""Seconds after which a test gives up on another process: a busy machine takes its time."""

PASSES_TOML = """
name = "passes"
description = "test"
[event]
teams = 20
rounds = 5
boards = 4
[train]
objective = "decisions"
events = 300
held_out = 100
[decisions]
passes = 2
knots = 4
steps = 3
step_events = 8
"""
"""A table in two passes that trains in seconds; the same configuration compiles once a process."""


def slow_after(first, values, spread=True):
    """Values of a parameter, or of several (`spread`), of which all but the first few are slow."""
    values = list(values)
    slow = [
        pytest.param(*(v if spread and isinstance(v, tuple) else (v,)), marks=pytest.mark.slow)
        for v in values[first:]
    ]
    return [*values[:first], *slow]


def measure_each(config, measure, events, args=None, **options):
    """What is measured, event by event: numpy arrays, batch after batch."""
    kept = {}

    def keep(numbers, measured):
        if len(numbers):
            kept[numbers[0]] = measured
        return np.int64(0)  # adds nothing to the totals

    sum_events(config, measure, events, args, keep, **options)
    return [kept[first] for first in sorted(kept)]


def joined(batches):
    """The batches of `measure_each` as one array a measured value."""
    return [np.concatenate(parts) for parts in zip(*batches, strict=True)]


def match_law(ratings, opponents, game):
    """The law of a match between line-ups `[..., boards]`, result by result along the last axis."""
    line_ups = (jnp.moveaxis(jnp.asarray(side), -1, 0) for side in (ratings, opponents))
    at_most = jnp.moveaxis(games.cumulative_law(*line_ups, game), 0, -1)
    return jnp.diff(at_most, axis=-1, prepend=0, append=games.UNIT)


def game_law(rating, opponent, game):
    """Chances of a win, a draw and a loss of one game: of a match on one board."""
    law = match_law(jnp.asarray(rating)[..., None], jnp.asarray(opponent)[..., None], game)
    return law[..., 2], law[..., 1], law[..., 0]


def results_from(
    opponents, half_points, boards, ratings=None, whites=None, match_points=None, **recorded
):
    """Results of arrays `[rounds, teams]` in NumPy; the match points are those of the results."""
    half_points = np.asarray(half_points, np.int32)
    if match_points is None:
        match_points = (np.sign(half_points - boards) + 1).sum(axis=0)
    return Results(
        np.asarray(opponents, np.int32),
        half_points,
        np.asarray(match_points, np.int32),
        boards,
        None if ratings is None else np.asarray(ratings, np.int32),
        None if whites is None else np.asarray(whites, bool),
        **recorded,
    )


def results_of(teams, boards, rounds):
    """The matches of `slow_oracle` (`(a, b or None for a bye, half points of a)`) as `Results`."""
    opponents = np.full((len(rounds), teams), BYE, np.int32)
    half_points = np.full((len(rounds), teams), boards, np.int32)
    for r, matches in enumerate(rounds):
        for a, b, half in matches:
            if b is not None:
                opponents[r, a], opponents[r, b] = b, a
                half_points[r, a], half_points[r, b] = half, 2 * boards - half
    return jax.tree.map(jnp.asarray, results_from(opponents, half_points, boards))


def random_surfaces(passes, rounds, boards, knots=4, seed=0):
    """Surfaces of a table in passes that are no good but have everything a fitted one has.

    Values of up to a match point or two: readings are refined by every tenth, some held.
    """
    generator = np.random.default_rng(seed)
    size, results = knots + 3, 2 * boards + 1
    found = []
    for _ in range(passes):
        raw = generator.normal(0.0, 0.1, (results, size, size))
        raw += np.linspace(-0.4, 0.4, results)[:, None, None]
        raw += np.linspace(-0.6, 0.6, size)[None, None, :]
        raw -= np.linspace(-0.6, 0.6, size)[None, :, None]
        coefficients = np.asarray(rising(jnp.asarray(raw, jnp.float32)), np.float64)
        par = generator.normal(0.1, 0.05, 2 * rounds + 1)
        found.append(ValueSurface(coefficients, par, rounds))
    return tuple(found)


@pytree
class Standings:
    """Final standings of one event."""

    match_points: PerTeam  # [teams] TB1
    tb2: PerTeam  # [teams] under the scoring table that was used
    half_points: PerTeam  # [teams] TB3, in half points
    tb4: PerTeam  # [teams] opponents' match points, less the weakest
    order: PerTeam  # [teams] team numbers, first place first


def final_order(match_points: PerTeam, tb2: PerTeam, half_points: PerTeam, tb4: PerTeam) -> PerTeam:
    """Teams by match points, TB2, game points, TB4, all descending; then by seed."""
    return jnp.lexsort((-tb4, -half_points, -tb2, -match_points))


def standings(
    opponents: PerRound,
    half_points: PerRound,
    points: Points,
    weakest: Weakest = "lowest-contribution",
) -> Standings:
    """Standings of a played event under a scoring table.

    **Arguments:**

    - `opponents`: `[rounds, teams]` who each team met, `BYE` for a bye.
    - `half_points`: `[rounds, teams]` half points each team scored.
    - `points`: the lookup table of the second tie-break, see `product_points`.
    - `weakest`: which of several opponents with the fewest match points is left out.

    **Returns:** `Standings`. A bye has no opponent and is the item left out of TB2 and TB4.

    **Raises:** `InputError` for an unknown `weakest`.
    """
    if weakest not in WEAKEST_RULES:
        raise InputError(f"weakest must be one of {', '.join(WEAKEST_RULES)}, got {weakest!r}")
    boards = (points.shape[-1] - 1) // 2
    own = match_points(half_points, boards).sum(axis=0)
    total = half_points.sum(axis=0)
    bye = (opponents == BYE).T
    opponent_points = jnp.where(bye, 0, own[opponents.T])
    table = jnp.asarray(points)
    values = jnp.where(bye, 0, table[own[:, None], opponent_points, half_points.T])
    rivals_total = total[opponents.T] if weakest == "fewest-game-points" else None
    left_out = weakest_item(opponent_points, values, bye, rivals_total)
    tb2 = reduced_sum(values, left_out)
    tb4 = opponent_points.sum(axis=-1) - opponent_points.min(axis=-1)  # a bye counts as 0
    return Standings(
        match_points=own,
        tb2=tb2,
        half_points=total,
        tb4=tb4,
        order=final_order(own, tb2, total, tb4),
    )
