"""Whole commands from start to end: the first run, which compiles, and the second one.

    python benchmarks/commands.py                    # train, assess, rank, export, demo
    python benchmarks/commands.py --events 500       # fewer events: to try it out
    python benchmarks/commands.py --base v0.5.0      # beside another commit, by turns

Every command runs in a process of its own, in an empty folder, with an empty cache of compiled
programs for its first run. Columns are seconds: elapsed, and of all cores together. With `--base`
the other commit is checked out beside this one (`git worktree`), the two take turns, and lines are
pairs; the last column is how many times less the cores of this one work.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from machine import machine

HERE = Path(__file__).resolve().parents[1]
RULES = ("uniform-180x11", "formula-180x11", "least-squares", "buchholz", "game-points")


def commands(events: int) -> dict[str, tuple[str, ...]]:
    """The commands by name; `{run}` is a folder of the run's own."""
    count = ("--events", str(events))
    small = ("--events", str(max(1, events // 5)), "--assessed", str(max(1, events // 10)))
    return {
        "train": ("train", "uniform-180x11", *count, "--out", "{run}/learned"),
        "train small": ("train", "small-20x7", "--events", "64", "--out", "{run}/small"),
        "assess": ("assess", *RULES, *count, "--json", "{run}/assess.json"),
        "rank": ("rank", "baku2016", "--tiebreak", "uniform-180x11"),
        "export": ("export", "uniform-180x11", "--out", "{run}/export"),
        "demo": ("quickstart", *small, "--out", "{run}/demo"),
    }


def run(tree: Path, folder: Path, command: tuple[str, ...], number: int) -> tuple[float, float]:
    """Run one command of the program in a tree: elapsed seconds, and seconds of all cores."""
    place = folder / str(number)
    place.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "TB2LEARN_CACHE_DIR": str(folder / "cache"),
    }
    environment.pop("JAX_COMPILATION_CACHE_DIR", None)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "tb2learn.cli", *(part.format(run=place) for part in command)],
        cwd=place, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return time.perf_counter() - start, busy


@contextlib.contextmanager
def checked_out(commit: str | None) -> Iterator[dict[str, Path]]:
    """The trees to measure: another commit if there is one, and this one."""
    if commit is None:
        yield {"here": HERE}
        return
    with tempfile.TemporaryDirectory(prefix="tb2learn-base-") as folder:
        git = ("git", "-C", str(HERE), "worktree")
        base = Path(folder) / "base"
        subprocess.run((*git, "add", "--quiet", "--detach", str(base), commit), check=True)
        try:
            yield {commit: base, "here": HERE}
        finally:
            subprocess.run((*git, "remove", "--force", str(base)), check=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--only", choices=commands(1), action="append", help="repeat for several")
    parser.add_argument("--base", metavar="COMMIT", help="measure this commit beside, by turns")
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    print(f"commands: {options.events} events; {machine()}")
    print(
        f"{'command':<14}{'tree':<14}{'first':>8}{'cores':>8}{'second':>8}{'cores':>8}{'less':>6}"
    )
    with checked_out(options.base) as trees:
        for name, command in commands(options.events).items():
            if options.only and name not in options.only:
                continue
            with tempfile.TemporaryDirectory(prefix="tb2learn-bench-") as folder:
                places = {label: Path(folder) / str(n) for n, label in enumerate(trees)}
                for place in places.values():
                    place.mkdir()
                found = {label: [] for label in trees}
                for number in (1, 2):
                    for label, tree in trees.items():
                        found[label] += run(tree, places[label], command, number)
            base = found[next(iter(trees))]
            for label, seconds in found.items():
                times = "".join(f"{one:>8.1f}" for one in seconds)
                less = f"{base[3] / seconds[3]:>6.1f}" if len(trees) > 1 else ""
                print(f"{name:<14}{label:<14}{times}{less}", flush=True)


if __name__ == "__main__":
    main()
