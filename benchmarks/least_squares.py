"""Least squares and row sums of many events: events a second, and how exact they are.

    python benchmarks/least_squares.py                        # 10,000 events of 180 x 11
    python benchmarks/least_squares.py --events 2000 --config learned-38x9

Events are simulated first and not timed. A line is a rule with a results matrix: the time of the
first batch (compilation), of all events, and, over the first events, how many scores are not those
of numpy.linalg.solve in double precision, rounded to 1/10000 board point.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from machine import machine

from tb2learn.chess.results import Results, match_points
from tb2learn.config import load_config
from tb2learn.running.processors import use_all_cores
from tb2learn.simulation.formats import play_batch
from tb2learn.tiebreaks.paired import LeastSquares, RowSum
from tb2learn.types import BYE


def simulated(config, numbers) -> Results:
    """Results of some events, event by event."""
    keys = jax.vmap(partial(jax.random.fold_in, jax.random.key(1)))(numbers)
    events = play_batch(keys, config.setting)
    opponents, half_points = (
        jnp.moveaxis(x, -1, 0) for x in (events.opponents, events.half_points)
    )
    boards = config.event.boards
    points = match_points(half_points, boards).sum(axis=1, dtype=jnp.int32)
    return Results(opponents, half_points, points, boards)


def exact(rule, opponents, half_points, boards) -> np.ndarray:
    """A rule's scores in one event, by numpy in double precision; the event is connected."""
    teams = opponents.shape[1]
    matches = np.zeros((teams, teams))
    rounds, team = np.nonzero(opponents != BYE)
    np.add.at(matches, (team, opponents[rounds, team]), 1.0)
    laplacian = np.diag(matches.sum(axis=1)) - matches
    above = np.where(opponents != BYE, half_points - boards, 0)
    s = (rule.share * above + (1 - rule.share) * boards * np.sign(above)).sum(axis=0) / 2
    if isinstance(rule, LeastSquares):
        ratings = np.linalg.solve(laplacian + 1 / teams, s)
    else:
        inverse = int(rule.inverse)
        ratings = np.linalg.solve(
            inverse * np.eye(teams) + laplacian, (inverse + matches.max() * teams) * s
        )
    # Halves are rounded up, also those that double precision misses by its last digits.
    return np.floor(10_000 * ratings + 0.5 + 1e-6).astype(int)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--checked", type=int, default=500)
    options = parser.parse_args()
    use_all_cores()
    config = load_config(options.config)
    boards = config.event.boards
    play = jax.jit(partial(simulated, config))
    starts = range(0, options.events, options.batch)
    batches = [play(jnp.arange(start, start + options.batch)) for start in starts]
    rules = {
        "least squares, board points": LeastSquares(),
        "least squares, match points": LeastSquares(0.0),
        "least squares, mixed 1/4": LeastSquares(0.25),
        "row sum 1/6, board points": RowSum(jnp.int32(6)),
    }
    print(
        f"{config.name}: {config.event.teams} teams x {config.event.rounds} rounds, batches of "
        f"{options.batch}, {jax.device_count()} {jax.devices()[0].device_kind} devices; jax "
        f"{jax.__version__}; {machine()}"
    )
    print(f"{'rule':<30}{'first s':>8}{'all s':>8}{'events/s':>10}{'wrong':>7}")
    for name, rule in rules.items():
        rated = jax.jit(jax.vmap(rule.scores))
        start = time.perf_counter()
        jax.block_until_ready(rated(batches[0]))
        first = time.perf_counter() - start
        start = time.perf_counter()
        found = [jax.block_until_ready(rated(batch)) for batch in batches]
        seconds = time.perf_counter() - start
        wrong = 0
        for number in range(options.checked):
            which, place = divmod(number, options.batch)
            results = jax.tree.map(lambda x, place=place: np.asarray(x[place]), batches[which])
            expected = exact(rule, results.opponents, results.half_points, boards)
            wrong += np.count_nonzero(np.asarray(found[which][place]) != expected)
        events = len(batches) * options.batch
        print(
            f"{name:<30}{first:>8.1f}{seconds:>8.1f}{events / seconds:>10,.0f}{wrong:>7}",
            flush=True,
        )


if __name__ == "__main__":
    main()
