"""Events a second: simulate, and simulate and log.

    python benchmarks/simulate.py [--events N] [--config NAME]

Prints seconds and events/s after a warm-up call that compiles, the time of that call, and the peak
memory of the process. Numbers are printed, never asserted.
"""

from __future__ import annotations

import argparse
import resource
import time

import jax

from tb2learn.config import load_config
from tb2learn.difficulty import count_matches
from tb2learn.simulate import Purpose, default_batch, sum_events, use_all_cores


def final_scores(key, event, config, args):
    """The cheapest measure: the standings' match points, so that nothing is optimised away."""
    return event.match_points


def main() -> None:
    """Time both jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--config", default="olympiad-180x11")
    options = parser.parse_args()
    use_all_cores()
    config = load_config(options.config)
    print(
        f"{config.name}: {config.event.teams} teams x {config.event.rounds} rounds, "
        f"batch {default_batch(config, options.events)}, {options.events} events; "
        f"jax {jax.__version__}, {jax.device_count()} {jax.devices()[0].platform} devices"
    )
    for name, measure in {"simulate": final_scores, "simulate and log": count_matches}.items():
        seconds = []
        for events in (options.events, options.events):
            start = time.perf_counter()
            sum_events(config, measure, seed=1, purpose=Purpose.TRAIN, events=events)
            seconds.append(time.perf_counter() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{name:<18}{seconds[1]:8.2f} s {options.events / seconds[1]:10.0f} events/s   "
            f"first call {seconds[0]:.1f} s   peak memory {peak:.2f} GiB"
        )


if __name__ == "__main__":
    main()
