"""A cluster of Dask on this machine: one scheduler and one worker, beside no cluster at all.

    python benchmarks/cluster.py                    # > reports/speed/cluster.txt
    python benchmarks/cluster.py --events 20000     # quicker, but starting counts for more

Printed are events a second with and without (by turns, the median and the range of repeats), tasks
a second of a scheduler whose tasks do nothing, what both say of the machines that one scheduler can
feed, and bytes of a range. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cloudpickle
from distributed import Client
from machine import machine

from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.references import find_judged
from tb2learn.assessment.single_event import tally_event
from tb2learn.assessment.tally import by_block
from tb2learn.config import load_config
from tb2learn.running import cluster
from tb2learn.running.processors import use_all_cores
from tb2learn.simulation import simulate
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import sum_events


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """A scheduler and a worker with one thread; the address."""
    file = folder / "scheduler.json"
    parts = (
        ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"],
        ["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder],
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *rest, "--scheduler-file", file],
            stderr=subprocess.DEVNULL,
        )
        for name, *rest in parts
    ]
    try:
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"]
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def seconds(work: Callable[[], Any]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def by_turns(
    work: Callable[[int], Any], client: Client, repeats: int
) -> tuple[list[float], list[float]]:
    """Seconds without and with the cluster, repeat by repeat; the first one is not counted."""
    alone, together = [], []
    for repeat in range(repeats + 1):
        alone.append(seconds(partial(work, repeat)))
        with cluster.use(client):
            together.append(seconds(partial(work, repeat)))
    return alone[1:], together[1:]


def said(values: list[float], form: str = ",.0f") -> str:
    """Median [lowest, highest]."""
    parts = (format(x, form) for x in (statistics.median(values), min(values), max(values)))
    return "{} [{}, {}]".format(*parts)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--events", type=int, default=1 << 18, help="events of one repeat")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rule", default="uniform-180x11", help="what is judged")
    parser.add_argument("--tasks", type=int, default=5000, help="tasks of a repeat that do nothing")
    options = parser.parse_args()
    use_all_cores()
    config, events = load_config(options.config), options.events
    judged = tuple(map(as_estimator, find_judged([options.rule], config.setting)))
    counted = Measurement(tally_event, by_block(events))

    def judge(repeat: int) -> None:
        sum_events(config.setting, counted, EventRange(repeat, Purpose.TRAIN, events), judged)

    print(f"$ python {' '.join(sys.argv)}")
    print(f"{time.strftime('%F', time.gmtime())}; {options.config}, {events} events; {machine()}")
    with tempfile.TemporaryDirectory() as folder, scheduler(Path(folder)) as address:
        with Client(address) as client:
            alone, together = by_turns(judge, client, options.repeats)
            rates = [[events / one for one in some] for some in (alone, together)]
            print(f"events a second, no cluster      {said(rates[0])}")
            print(f"events a second, one worker      {said(rates[1])}")
            quotients = [a / b for a, b in zip(alone, together, strict=True)]
            print(f"the second over the first        {said(quotients, '.3f')}")

            count = options.tasks

            def nothing(number: int) -> int:
                return number

            tasks = [
                count / seconds(lambda n=n: client.gather(client.map(nothing, range(n, n + count))))
                for n in range(0, count * (options.repeats + 1), count)
            ][1:]
            print(f"tasks a second that do nothing   {said(tasks)}")
            size = simulate._range_size(10**6, config)
            fed = statistics.median(tasks) * size / statistics.median(rates[1])
            print(f"events of a range, of a million  {size:,}")
            print(f"machines like this, on paper     {fed:,.0f}")
            job = simulate._Job(*counted, simulate.add_up, None, truth=True)
            to, back = (
                cloudpickle.dumps((simulate._count, job)),
                pickle.dumps(simulate._count(job, range(min(256, events)))),
            )
            print(f"bytes to a worker, of a range    {len(to):,}")
            print(f"bytes back, of a range           {len(back):,}")
            print(f"bytes an event                   {(len(to) + len(back)) / size:.1f}")


if __name__ == "__main__":
    main()
