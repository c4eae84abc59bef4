"""How many kernels a batch of events takes, and what that would mean for a GPU.

    python benchmarks/kernels.py [--config NAME] [--batch N] [--launch SECONDS]

The compiled programs that play events and measure them are read as text: every instruction that a
GPU would launch as a kernel (a fusion, a copy, a scatter, ...) is counted as often as the loops
around it run. How often those of unknown length run is counted while a batch is played and
measured; in a larger batch it is a little more, because all events wait for the largest score group
of any. What is whole numbers throughout is measured side by side, as a GPU would; where fractions
are rounded, one event after the other. The estimate is events a second if every launch took the
given time and nothing else took any. A GPU's own compiler fuses in other ways, so this is an order
of magnitude and no measurement.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from unittest import mock

import jax
import jax.numpy as jnp
from machine import machine

from tb2learn.assessment.estimators import as_estimator
from tb2learn.assessment.single_event import tally_event
from tb2learn.config import load_config
from tb2learn.simulation.formats import play_batch
from tb2learn.simulation.measurement import has_fractions
from tb2learn.simulation.oracle import true_strength
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training.difficulty_log import CountMatches
from tb2learn.training.table_moments import DescribeEvent, rule_before

MEASURED = 256
"""Events that are measured side by side to count kernels: little memory on a CPU, too."""

FREE = frozenset(
    "parameter constant get-tuple-element tuple bitcast while conditional call after-all "
    "partition-id replica-id".split()
)
"""Instructions that launch nothing."""

_INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%?[\w.\-]+ = .*? ([a-z][\w\-]*)\(")
_BODY = re.compile(r"body=%?([\w.\-]+)")
_CONDITION = re.compile(r"condition=%?([\w.\-]+)")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"\}')
_BRANCHES = re.compile(
    r"(?:true_computation|false_computation|branch_computations)=\{?([^{}=]*)[,}]"
)
_CALLED = re.compile(r"(?:to_apply|calls)=%?([\w.\-]+)")


@dataclass(frozen=True)
class Loop:
    """Kernels of a computation, and of the loops in it.

    **Fields:**

    - `kernels`: launched each time that the computation runs.
    - `inner`: how often each loop inside runs (None: the program does not say), and its body.
    """

    kernels: int
    inner: tuple[tuple[int | None, Loop], ...]

    def launches(self, times: int, counted: Iterator[int]) -> int:
        """All launches, where this runs so many times in all.

        **Arguments:**

        - `times`: how often.
        - `counted`: in all, of each loop whose length the program does not say, outer ones first.
        """
        total = times * self.kernels
        for trips, body in self.inner:
            total += body.launches(next(counted) if trips is None else times * trips, counted)
        return total


def computations(text: str) -> tuple[dict[str, str], str]:
    """The bodies of all computations of a module by name, and the name of its entry."""
    found, entry = {}, ""
    for block in re.split(r"\n(?=(?:ENTRY )?%?[\w.\-]+ .*\{\n)", text):
        head = block.lstrip().split("\n", 1)[0]
        name = head.removeprefix("ENTRY ").lstrip("%").split(" ", 1)[0]
        found[name] = block
        if head.startswith("ENTRY "):
            entry = name
    return found, entry


def loop(name: str, bodies: dict[str, str]) -> Loop:
    """The kernels of one computation and its loops."""
    kernels, inner = 0, []
    for line in bodies[name].splitlines()[1:]:
        match = _INSTRUCTION.match(line)
        if not match:
            continue
        if match[1] == "while":
            trips, body = _TRIPS.search(line), loop(_BODY.search(line)[1], bodies)
            if trips is None:  # whether it goes on is computed, too
                more = loop(_CONDITION.search(line)[1], bodies).kernels
                body = replace(body, kernels=body.kernels + more)
            inner.append((int(trips[1]) if trips else None, body))
        elif match[1] in ("call", "conditional"):
            if match[1] == "call":
                called = loop(_CALLED.search(line)[1], bodies)
            else:  # the longest branch
                names = ",".join(_BRANCHES.findall(line)).split(",")
                branches = [loop(name.strip(" %"), bodies) for name in names if "%" in name]
                called = max(branches, key=lambda branch: branch.kernels)
            kernels += max(1, called.kernels)  # a kernel that several threads share
            inner += called.inner
        else:
            kernels += match[1] not in FREE
    return Loop(kernels, tuple(inner))


class LoopCounter:
    """`while_loop` and `fori_loop` that count how often the loops of unknown length run.

    A loop is known by its place: which loop it is of those inside the same loop.
    """

    def __init__(self, side_by_side: bool) -> None:
        """Nothing counted yet; whether each loop runs once, for many events."""
        self._side_by_side = side_by_side
        self.counts: Counter[tuple[int, ...]] = Counter()
        self._place: list[int] = [0]

    def _inside(self, body: Callable, *args: Any) -> Any:
        self._place.append(0)
        try:
            return body(*args)
        finally:
            self._place.pop()

    def while_loop(self, condition: Callable, body: Callable, start: Any) -> Any:
        """As `jax.lax.while_loop`."""
        self._place[-1] += 1
        place = tuple(self._place)
        count, result = WHILE_LOOP(
            lambda carry: condition(carry[1]),
            lambda carry: (carry[0] + 1, self._inside(body, carry[1])),
            (0, start),
        )
        jax.debug.callback(partial(self._ran, place), count)
        return result

    def _ran(self, place: tuple[int, ...], times: Any) -> None:
        # Of events side by side each is told, and the loop runs for as long as the longest needs.
        before = self.counts[place]
        self.counts[place] = max(before, int(times)) if self._side_by_side else before + int(times)

    def fori_loop(self, lower: Any, upper: Any, body: Callable, start: Any) -> Any:
        """As `jax.lax.fori_loop`; a loop of known length is not counted."""
        if isinstance(lower, int) and isinstance(upper, int):
            self._place[-1] += 1
            return FORI_LOOP(lower, upper, lambda *args: self._inside(body, *args), start)
        return self.while_loop(
            lambda carry: carry[0] < upper,
            lambda carry: (carry[0] + 1, body(*carry)),
            (lower, start),
        )[1]


WHILE_LOOP, FORI_LOOP = jax.lax.while_loop, jax.lax.fori_loop


def counted_loops(program: Callable, *args: Any, side_by_side: bool) -> list[int]:
    """How often the loops of unknown length of a program run, outer ones first."""
    counter = LoopCounter(side_by_side)
    with (
        mock.patch.object(jax.lax, "while_loop", counter.while_loop),
        mock.patch.object(jax.lax, "fori_loop", counter.fori_loop),
    ):
        # A function of its own, or what was compiled without counting would run.
        jax.block_until_ready(jax.jit(lambda *args: program(*args))(*args))
        jax.effects_barrier()
    return [counter.counts[place] for place in sorted(counter.counts)]


def counted_kernels(name: str, program: Callable, *args: Any, side_by_side: bool = False) -> int:
    """Print the kernels of a program; all launches while it runs."""
    bodies, entry = computations(jax.jit(program).lower(*args).compile().as_text())
    kernels = loop(entry, bodies)
    counted = counted_loops(program, *args, side_by_side=side_by_side)
    print(f"{name}: {len(counted)} loops without a fixed count")
    show(kernels, iter(counted))
    return kernels.launches(1, iter(counted))


def show(part: Loop, counted: Iterator[int], depth: int = 0, times: str = "once") -> None:
    """Print kernels by loop, inner loops indented."""
    print(f"  {'  ' * depth}{times}: {part.kernels} kernels")
    for trips, body in part.inner:
        text = f"{next(counted):,} times in all" if trips is None else f"{trips} times"
        show(body, counted, depth + 1, text)


def main() -> None:
    """Print the estimate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", default="olympiad-180x11")
    parser.add_argument("--batch", type=int, default=65_536)
    parser.add_argument("--counted", type=int, default=1024, help="events that are played")
    parser.add_argument("--launch", type=float, default=5e-6, help="seconds a kernel")
    options = parser.parse_args()
    config = load_config(options.config)
    keys = jax.random.split(jax.random.key(1), options.counted)
    play = partial(play_batch, setting=config.setting)
    print(f"{config.name}; jax {jax.__version__}; {machine()}")
    launches = counted_kernels("the program that plays a batch", play, keys)
    rate = options.batch / (launches * options.launch)
    print(
        f"{launches:,} launches a batch; at {options.launch * 1e6:g} us each and nothing else "
        f"{rate:,.0f} events/s in batches of {options.batch:,}"
    )
    played = jax.jit(play)(keys)
    played = replace(played, strength=true_strength(played.rosters, config.game))
    events = jax.tree.map(lambda x: jnp.moveaxis(x, -1, 0), played)
    some = jax.tree.map(lambda x: x[:MEASURED], (keys, events))
    one = jax.tree.map(lambda x: x[0], some)
    rule = as_estimator(product_table(config.event.rounds, config.event.boards))
    before = rule_before([], config)
    setting, log, describe = config.setting, CountMatches("exact"), DescribeEvent()
    measures = {
        "difficulty log": lambda key, event: log(key, event, setting),
        "what moments need": lambda key, event: describe(key, event, setting, before),
        "verdicts of a rule": lambda key, event: tally_event(key, event, setting, (rule,)),
    }
    for name, measure in measures.items():
        if has_fractions(jax.make_jaxpr(measure)(*one)):
            launches = counted_kernels(f"{name}, one event", measure, *one)
            rate = 1 / (launches * options.launch)
            print(f"{launches:,} launches an event: {rate:,.0f} events/s in batches of any size")
            continue
        what = f"{name}, {len(some[0])} events side by side"
        launches = counted_kernels(what, jax.vmap(measure), *some, side_by_side=True)
        rate = len(some[0]) / (launches * options.launch)
        print(f"{launches:,} launches: {rate:,.0f} events/s, and more of more events side by side")


if __name__ == "__main__":
    main()
