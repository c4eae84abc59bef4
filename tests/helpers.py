"""What tests ask of the package in another form than the package itself."""

import jax.numpy as jnp
import numpy as np

from tb2learn import games
from tb2learn.simulate import sum_events
from tb2learn.standings import Results
from tb2learn.surface import ValueSurface, rising
from tb2learn.types import BYE

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


def measure_each(config, measure, events, args=None, batch=None):
    """What is measured, event by event: numpy arrays, batch after batch."""
    kept = []

    def keep(numbers, measured):
        if len(numbers):
            kept.append(measured)
        return np.int64(0)  # adds nothing to the totals

    sum_events(config, measure, events, args, keep, batch=batch)
    return kept


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


def results_of(teams, boards, rounds):
    """The matches of `slow_oracle` (`(a, b or None for a bye, half points of a)`) as `Results`."""
    opponents = np.full((len(rounds), teams), BYE, np.int32)
    half_points = np.full((len(rounds), teams), boards, np.int32)
    for r, matches in enumerate(rounds):
        for a, b, half in matches:
            if b is not None:
                opponents[r, a], opponents[r, b] = b, a
                half_points[r, a], half_points[r, b] = half, 2 * boards - half
    match_points = (np.sign(half_points - boards) + 1).sum(axis=0)
    return Results(*map(jnp.asarray, (opponents, half_points, match_points.astype(np.int32))))


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
