"""What tests ask of the package in another form than the package itself."""

import jax.numpy as jnp
import numpy as np

from tb2learn import games
from tb2learn.simulate import sum_events
from tb2learn.standings import Results
from tb2learn.types import BYE


def measure_each(config, measure, **options):
    """What is measured, event by event: numpy arrays, batch after batch."""
    kept = []

    def keep(numbers, measured):
        if len(numbers):
            kept.append(measured)
        return np.int64(0)  # a tally that adds nothing

    sum_events(config, measure, tally=keep, **options)
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
