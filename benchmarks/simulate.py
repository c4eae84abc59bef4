"""Events a second, for batch sizes and numbers of devices.

    python benchmarks/simulate.py                         # what this machine does
    python benchmarks/simulate.py --job log               # and the difficulty log
    python benchmarks/simulate.py --scaling               # twice the teams, twice the rounds
    python benchmarks/simulate.py --pinned                # and a process a core, kept on it (Linux)
    python benchmarks/simulate.py --batches 1024,4096,16384 --events 262144     # a GPU

Every line is measured in a process of its own: the first call (compilation) apart, then the median
and the range of repeated calls, and the peak memory. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import jax
from machine import cores, machine

from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.single_event import tally_event
from tb2learn.config import Config, load_config
from tb2learn.running.processors import large_kernels, use_all_cores
from tb2learn.simulation.formats import default_batch
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import sum_events
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training.difficulty_log import CountMatches


def final_scores(key, event, setting, args):
    """Field, pairing, games and standings, and nothing else."""
    return event.match_points


JOBS = {
    "simulate": Measurement(final_scores, oracle=False),
    "log": Measurement(CountMatches("exact"), oracle=False),
    "judge": Measurement(tally_event),
}


def measure(options: argparse.Namespace) -> dict:
    """Time one setting in this process."""
    (devices,), (batch,) = options.devices, options.batches
    use_all_cores(devices)
    config = sized(load_config(options.config), options.teams, options.rounds)
    devices = jax.local_device_count()
    batch = batch * devices or default_batch(config.setting)
    args = None
    if options.job == "judge":
        args = (as_estimator(product_table(config.event.rounds, config.event.boards)),) * 2
    seconds = []
    for repeat in range(options.repeats + 1):
        start = time.perf_counter()
        sum_events(
            config.setting,
            JOBS[options.job],
            EventRange(repeat, Purpose.TRAIN, options.events if repeat else batch),
            args,
            batch=batch,
        )
        seconds.append(time.perf_counter() - start)
    rates = [options.events / s for s in seconds[1:]]
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    in_use = jax.devices()[0].memory_stats() or {}
    return {
        "devices": devices,
        "platform": jax.devices()[0].device_kind,
        "batch": batch // devices,
        "rate": statistics.median(rates),
        "slowest": min(rates),
        "fastest": max(rates),
        "first": seconds[0],
        "memory": usage,
        "device_memory": in_use.get("peak_bytes_in_use", 0) / 2**30,
    }


def sized(config: Config, teams: int | None, rounds: int | None) -> Config:
    """The configuration with another field size."""
    event = config.event
    return replace(
        config, event=replace(event, teams=teams or event.teams, rounds=rounds or event.rounds)
    )


def in_own_process(arguments: list[str], **setting: int | None) -> dict:
    """Measure one setting in a fresh process."""
    flags = [f"--{name}={value}" for name, value in setting.items() if value is not None]
    command = [sys.executable, __file__, "--worker", *arguments, *flags]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)


def in_pinned_processes(arguments: list[str], **setting: int | None) -> dict:
    """Measure one setting in a process a core at once, each with one device and pinned to it."""
    allowed = sorted(os.sched_getaffinity(0))
    alone = partial(in_own_process, arguments, **setting)
    with ThreadPoolExecutor(len(allowed)) as threads:
        found = list(threads.map(lambda core: alone(devices=1, core=core), allowed))
    summed = "rate", "slowest", "fastest", "memory", "device_memory"
    together = {name: sum(one[name] for one in found) for name in summed}
    return found[0] | together | {"devices": f"{len(allowed)}x1"}


def integers(text: str) -> list[int]:
    """Whole numbers, separated by commas."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--job", choices=JOBS, default="simulate")
    parser.add_argument("--events", type=int, default=8192, help="events of one repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--devices", type=integers, help="numbers of CPU devices")
    parser.add_argument("--batches", type=integers, default=[0], help="events a device; 0: default")
    parser.add_argument("--scaling", action="store_true", help="other numbers of teams and rounds")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pinned", action="store_true", help="a process a core, too")
    for name in ("teams", "rounds", "core"):
        parser.add_argument(f"--{name}", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        if options.core is not None:
            os.sched_setaffinity(0, {options.core})
        counting = large_kernels() if options.job == "log" else contextlib.nullcontext()
        with counting:  # before JAX starts
            print(json.dumps(measure(options)))
        return

    passed = [
        f"--{name}={getattr(options, name)}" for name in ("config", "job", "events", "repeats")
    ]
    event = load_config(options.config).event
    print(f"$ python {' '.join(sys.argv)}")
    print(
        f"{options.job}: {options.config}, {options.events} events a repeat, median of "
        f"{options.repeats} repeats [slowest, fastest]; jax {jax.__version__}; {machine()}"
    )
    print("teams rounds devices  batch   events/s                     first call  memory")
    settings = [
        (None, None, devices, batch)
        for devices in options.devices or sorted({1, cores()})
        for batch in options.batches
    ]
    if options.scaling:
        settings = [
            (teams, rounds, cores(), 0)
            for teams, rounds in ((45, 11), (90, 11), (180, 11), (360, 11), (720, 11))
        ] + [(180, rounds, cores(), 0) for rounds in (3, 6, 12)]
    runs = [
        (in_own_process, {"teams": teams, "rounds": rounds, "devices": devices, "batches": batch})
        for teams, rounds, devices, batch in settings
    ]
    if options.pinned:
        runs += [(in_pinned_processes, {"batches": batch}) for batch in options.batches]
    for run, setting in runs:
        got = run(passed, **setting)
        teams, rounds = setting.get("teams"), setting.get("rounds")
        device_memory = f" + {got['device_memory']:.2f} GiB device" if got["device_memory"] else ""
        print(
            f"{teams or event.teams:>5} {rounds or event.rounds:>6} {got['devices']:>7} "
            f"{got['batch']:>6} {got['rate']:>10,.0f} "
            f"[{got['slowest']:>8,.0f}, {got['fastest']:>8,.0f}] {got['first']:>8.1f} s "
            f"{got['memory']:>7.2f} GiB{device_memory}   {got['platform']}",
            flush=True,
        )


if __name__ == "__main__":
    main()
