"""Seconds of 10,000 events, and of a training, by pairing.

    python benchmarks/pairings.py
    python benchmarks/pairings.py --events 1000 --trained 1000     # quickly

Every pairing is measured in a process of its own. Events: the first call (with compilation) apart,
then the median and the range of repeated calls. A training is run once, compilation included, and
saves nothing. Beside the seconds that passed are those of the cores, which depend less on what else
the machine does; *times* compares those of the events with the first pairing's.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from machine import machine

from tb2learn.config import Config, load_config, with_plan
from tb2learn.running.processors import use_all_cores
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import sum_events
from tb2learn.training import checkpoint

PAIRINGS = ("median-swiss", "olympiad-2010", "olympiad-2022", "dutch")


def final_scores(key, event, setting, args):
    """Field, pairing, games and standings, and nothing else."""
    return event.match_points


_SCORES = Measurement(final_scores, oracle=False)


def measure(options: argparse.Namespace) -> dict:
    """Seconds of one pairing, in this process."""
    use_all_cores()

    def paired(name: str) -> Config:
        config = load_config(name)
        return replace(config, event=replace(config.event, pairing=options.pairing))

    def timed(work: Callable[[], object]) -> tuple[float, float]:
        start, cores = time.perf_counter(), time.process_time()
        work()
        return time.perf_counter() - start, time.process_time() - cores

    config, seconds = paired(options.config), []
    for repeat in range(options.repeats + 1):
        events = EventRange(repeat, Purpose.TRAIN, options.events)
        seconds.append(timed(partial(sum_events, config.setting, _SCORES, events)))
    train = with_plan(paired(options.train), options.trained)
    return {"events": seconds, "train": timed(partial(checkpoint.train, train, "timed"))}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--events", type=int, default=10_000, help="events of one repeat")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--train", default="rosters-180x11", help="configuration that is trained")
    parser.add_argument("--trained", type=int, help="events of the training; its own")
    parser.add_argument("--pairing", choices=PAIRINGS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pairing:
        print(json.dumps(measure(options)))
        return
    print(f"$ python {' '.join(sys.argv)}")
    print(f"{options.events} events of {options.config}; training {options.train}; {machine()}")
    print(
        "pairing         events [fastest, slowest]   cores [fewest, most]  times"
        "   first call, cores   training, cores"
    )
    least = 0.0
    for pairing in PAIRINGS:
        command = [sys.executable, __file__, *sys.argv[1:], "--pairing", pairing]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        got = json.loads(result.stdout)
        first, *later = got["events"]
        passed, cores = zip(*later, strict=True)
        least = least or min(cores)
        print(
            f"{pairing:<13} {_range(passed)} {_range(cores)} {min(cores) / least:>6.2f} "
            f"{_both(first)} {_both(got['train'])}",
            flush=True,
        )


def _range(seconds: Sequence[float]) -> str:
    middle = statistics.median(seconds)
    return f"{middle:>10.1f} [{min(seconds):.1f}, {max(seconds):.1f}]"


def _both(seconds: tuple[float, float]) -> str:
    return f"{seconds[0]:>11.1f} {seconds[1]:>7.1f}"


if __name__ == "__main__":
    main()
