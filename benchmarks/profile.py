"""Where the time of a simulated event goes: microseconds an event, part by part, on one device.

    python benchmarks/profile.py [--config NAME] [--batch N]

Every part is compiled and timed alone, on the states that real events have before each round, and
summed over the rounds; so the parts need not add up exactly to the whole. `benchmarks/PROFILE.md`
says what follows from it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from machine import machine
from threadpoolctl import threadpool_limits

from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.single_event import tally_event
from tb2learn.chess import results
from tb2learn.config import load_config
from tb2learn.running.processors import use_all_cores
from tb2learn.simulation import places, schedule, thesis_swiss
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.formats import default_batch, play_batch
from tb2learn.simulation.games import Laws
from tb2learn.simulation.oracle import true_strength
from tb2learn.simulation.programs import COMPILER_OPTIONS
from tb2learn.simulation.rng import unit_numbers
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training.difficulty_log import CountMatches
from tb2learn.training.table_moments import DescribeEvent, _add_moments, rule_before


def seconds(function, *args, repeats: int = 15) -> float:
    """Median time of a compiled call."""
    compiled = jax.jit(function, compiler_options=COMPILER_OPTIONS)
    jax.block_until_ready(compiled(*args))
    return median(lambda: jax.block_until_ready(compiled(*args)), repeats)


def median(call, repeats: int = 15) -> float:
    """Median time of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measured(event, of, setting, args):
    """What is measured of a key and its event."""
    return of(*event, setting, args)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--batch", type=int, default=0, help="0: as the program chooses")
    options = parser.parse_args()
    use_all_cores(1)
    config = load_config(options.config)
    batch = options.batch or default_batch(config.setting)
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    keys = jax.random.split(jax.random.key(1), batch)
    play = partial(play_batch, setting=config.setting)
    start = time.perf_counter()
    events = jax.block_until_ready(jax.jit(play)(keys))
    compile_time = time.perf_counter() - start

    def states(number):
        """Before a round: match points, half points, history, byes."""
        scored = events.half_points[:number]
        match_points = results.match_points(scored, boards).sum(axis=0, dtype=jnp.int32)
        had_bye = (events.opponents[:number] < 0).any(axis=0)
        half_points = scored.sum(axis=0, dtype=jnp.int32)
        return match_points, half_points, events.opponents, had_bye, jnp.int32(number)

    def sort_key(state):
        place = jnp.arange(teams, dtype=jnp.int32)[:, None]
        return ((31 - state[0]) << 19) | ((511 - state[1]) << 10) | place

    line_ups, laws = schedule._packed_ratings(events.rosters, 0), Laws.of(config.game)
    names = ("strength order", "who has met whom", "pairing loops", "matches")
    parts = dict.fromkeys(names, 0.0)
    numbers = seconds(jax.vmap(partial(unit_numbers, count=teams)), keys) * rounds
    for number in range(rounds):
        state = states(number)
        pair = seconds(thesis_swiss.pair_batch, *state)
        pairs = jax.jit(thesis_swiss.pair_batch)(*state)
        order = seconds(places.sort_columns, sort_key(state))
        seat = jnp.broadcast_to(jnp.arange(teams, dtype=jnp.int32)[:, None], state[0].shape)
        met = seconds(places.met_words, state[2], seat, state[4])
        parts["strength order"] += order
        parts["who has met whom"] += met
        parts["pairing loops"] += pair - order - met
        play_matches = partial(schedule._play_pairs, event=config.event, laws=laws)
        parts["matches"] += seconds(play_matches, keys, line_ups, pairs)
    field = seconds(jax.vmap(lambda key: draw_seeded(key, config.setting)[0], out_axes=-1), keys)
    rows = {
        "field": field,
        **{name: value for name, value in parts.items() if name != "matches"},
        "random numbers of the matches": numbers,
        "results of the matches": parts["matches"] - numbers,
        "whole event": seconds(play, keys),
    }
    print(
        f"{config.name}: {teams} teams x {rounds} rounds, batch {batch}, one "
        f"{jax.devices()[0].device_kind} device, jax {jax.__version__}; "
        f"compiled in {compile_time:.1f} s; {machine()}"
    )
    for name, value in rows.items():
        print(f"  {name:<32}{value / batch * 1e6:8.1f} us an event")

    of_batch = seconds(partial(true_strength, game=config.game), events.rosters)
    print(f"  {'true strength':<32}{of_batch / batch * 1e6:8.1f} us an event")

    strengths = true_strength(events.rosters, config.game)
    each = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), replace(events, strength=strengths))
    before, describe = rule_before([], config), DescribeEvent()
    before = replace(before, points=before.points + 1)  # as in the last pass: no empty table
    print("what is measured on the events of a batch, one after the other:")
    rounds, boards = config.event.rounds, config.event.boards
    for name, (measure, args) in {
        "difficulty log": (CountMatches("exact"), None),
        "what moments need (last pass)": (describe, before),
        "verdicts of the product rule": (
            tally_event,
            (as_estimator(product_table(rounds, boards)),),
        ),
    }.items():
        one = partial(measured, of=measure, setting=config.setting, args=args)
        timed = seconds(partial(jax.lax.map, one), (keys, each))
        print(f"  {name:<32}{timed / batch * 1e6:8.1f} us an event")

    described = jax.jit(
        jax.vmap(
            lambda key, event: describe(key, event, config.setting, before),
            in_axes=(0, -1),
        )
    )(keys, events)
    described = jax.tree.map(np.asarray, described)
    with threadpool_limits(1, user_api="blas"):
        timed = median(partial(_add_moments, config.event, described))
    print("what a thread of the host sums of a batch, while devices measure the next ones:")
    print(f"  {'moments of all tied pairs':<32}{timed / batch * 1e6:8.1f} us an event")


if __name__ == "__main__":
    main()
