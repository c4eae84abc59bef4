"""Seconds of a forecast: 10,000 continuations of the last three rounds of 184 teams.

    python benchmarks/forecast.py
    python benchmarks/forecast.py --event baku2016 --after 10 --continuations 2000 --repeats 1

The first line is a whole forecast with compilation, strengths included; the others are repeats,
with other seeds, that find the programs. The next round is paired by the simulator.
"""

from __future__ import annotations

import argparse
import time

import jax
from machine import machine

from tb2learn.events import read_event
from tb2learn.forecasts.chances import forecast
from tb2learn.forecasts.request import compared_lists
from tb2learn.forecasts.state import begin
from tb2learn.running.processors import use_all_cores


def main() -> None:
    """Print one line a forecast."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--event", default="batumi2018")
    parser.add_argument("--after", type=int, default=8)
    parser.add_argument("--continuations", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    use_all_cores()
    event = read_event(options.event)
    print(
        f"forecast: {options.event}, {len(event.teams)} teams, after {options.after} of "
        f"{event.rounds} rounds, {options.continuations} continuations; jax {jax.__version__}; "
        f"{machine()}"
    )
    for repeat in range(options.repeats + 1):
        start = time.perf_counter()
        ongoing = begin(event, options.after, ())
        forecast(ongoing, compared_lists(ongoing), options.continuations, repeat)
        what = "with compilation" if repeat == 0 else "again"
        print(f"{time.perf_counter() - start:8.2f} s  {what}", flush=True)


if __name__ == "__main__":
    main()
