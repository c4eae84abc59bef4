"""Seconds of 10,000 events, and of a training, by pairing.

    python benchmarks/pairings.py
    python benchmarks/pairings.py --events 1000 --trained 1000     # quickly

Every pairing is measured in a process of its own. Events: the first call (with compilation) apart,
then the median and the range of repeated calls. A training is run once, compilation included, and
saves nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import replace

from machine import machine

from tb2learn.config import Config, load_config, with_plan
from tb2learn.running.processors import use_all_cores
from tb2learn.simulation.run import sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.training import checkpoint

PAIRINGS = ("median-swiss", "olympiad-2010", "olympiad-2022")


def final_scores(key, event, config, args):
    """Field, pairing, games and standings, and nothing else."""
    return event.match_points


def measure(options: argparse.Namespace) -> dict:
    """Seconds of one pairing, in this process."""
    use_all_cores()

    def paired(name: str) -> Config:
        config = load_config(name)
        return replace(config, event=replace(config.event, pairing=options.pairing))

    config, seconds = paired(options.config), []
    for repeat in range(options.repeats + 1):
        start = time.perf_counter()
        sum_events(config, final_scores, EventRange(repeat, Purpose.TRAIN, options.events))
        seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    checkpoint.train(with_plan(paired(options.train), options.trained), "timed")
    return {"events": seconds, "train": time.perf_counter() - start}


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
    print("pairing        events: seconds [fastest, slowest]  first call  training")
    for pairing in PAIRINGS:
        command = [sys.executable, __file__, *sys.argv[1:], "--pairing", pairing]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        got = json.loads(result.stdout)
        first, *later = got["events"]
        print(
            f"{pairing:<14} {statistics.median(later):>15.1f} [{min(later):.1f}, {max(later):.1f}] "
            f"{first:>15.1f} s {got['train']:>8.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
