"""Tables in passes, fitted to the order of tied teams: one pass after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import Config, Setting
from tb2learn.running.runs import Run
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.oracle import half_errors, strength_of, sum_over_tied
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.training.chapters import TIES
from tb2learn.training.near_pairs import sum_ideal
from tb2learn.training.surface import ValueSurface
from tb2learn.training.table_least_squares import equations, least_squares, normalised
from tb2learn.training.table_moments import Moments, joined, moments_of_parts, rule_of
from tb2learn.training.tabulate import pass_table


class HeldOutErrors(NamedTuple):
    """Tied pairs of the held-out events, and wrong verdicts on them (an equal score is half one).

    The names are those of a checkpoint's findings.
    """

    held_out_pairs: int
    held_out_errors: float


def fit_passes(
    config: Config, progress: Progress = SILENT, store: EventStore | None = None
) -> tuple[list[ValueSurface], list[HeldOutErrors], float]:
    """Fit the tables of all passes, one after the other.

    **Arguments:**

    - `config`: `train` says how many events, of which seed; `decisions` how they are fitted.
    - `progress`: shows progress bars, and keeps the counts while they grow.
    - `store`: of events that were played before.

    **Returns:** the surface of every pass, how well it decides, and `unsettled`. A fit with fewer
    passes gives the same first passes, unless its last one has `worlds`, `fairness` or `others`.
    """
    surfaces: list[ValueSurface] = []
    judged: list[HeldOutErrors] = []
    counted: list[_World] = []
    store = EventStore() if store is None else store
    for surface, worlds in _fitted_passes(config, progress, store):
        surfaces.append(surface)
        # What the last pass is fitted to is asked once more below.
        counted = worlds
        # What is judged is the rule as it stands after this pass, not the pass alone.
        rule = rule_of(pass_table(surfaces, "table").tables, config)
        held_out = Progress(run=progress.run, stage=f"held-out-{len(surfaces)}")
        judged += count_held_out([rule], config, held_out, store)
    return surfaces, judged, unsettled(config, surfaces, counted, progress.run, store)


def fit_surfaces(config: Config, progress: Progress = SILENT) -> Iterator[ValueSurface]:
    """Fit one pass after the other.

    **Arguments:** as `fit_passes`.

    **Yields:** the surface of every pass.
    """
    return (surface for surface, _ in _fitted_passes(config, progress, EventStore()))


class _World(NamedTuple):
    """What a pass is fitted to: the moments of the parts of a world's events, and its ideal."""

    config: Config
    weight: float
    parts: list[Moments]
    ideal: np.ndarray | None


def _fitted_passes(
    config: Config, progress: Progress, store: EventStore
) -> Iterator[tuple[ValueSurface, list[_World]]]:
    """The surface of every pass and what it is fitted to: in the last, the parts of `unsettled`."""
    surfaces: list[ValueSurface] = []
    for number in range(1, config.decisions.passes + 1):
        # The last pass keeps two parts of its events apart, for `unsettled`.
        plan, cuts = config, [_part(config), 2 * _part(config)]
        last = number == config.decisions.passes
        if not last:
            # What a table is asked for beside accuracy concerns its scores: the last pass.
            plain = replace(config.decisions, fairness=0.0, others=0.0)
            plan, cuts = replace(config, decisions=plain), []
        worlds, counted = worlds_of(plan, last), []
        for n, (of, world, weight) in enumerate(worlds, start=1):
            step = f"pass {number} of {config.decisions.passes}"
            step += f", world {n} of {len(worlds)}" if len(worlds) > 1 else ""
            bar = progress.part(f"{TIES} {step}")
            moments = moments_of_parts(world, surfaces, cuts, bar, world=of, store=store)
            ideal = sum_ideal(world, progress.part(f"{TIES} {step}, ideal rule"), of)
            counted.append(_World(world, weight, moments, ideal))
        surfaces.append(_fitted(plan, counted, slice(None)))
        yield surfaces[-1], counted


def _fitted(config: Config, counted: Sequence[_World], parts: slice) -> ValueSurface:
    """The surface of a pass that is fitted to some parts of the events."""
    moments = [joined(world.parts[parts]) for world in counted]
    equations_of_world = [
        (equations(moments_of_world, world.config, world.ideal), world.weight)
        for moments_of_world, world in zip(moments, counted, strict=True)
    ]
    seen = np.asarray(sum(moments_of_world.seen for moments_of_world in moments))
    return normalised(least_squares(equations_of_world, config), seen, config)


def worlds_of(config: Config, last: bool) -> list[tuple[int, Config, float]]:
    """The worlds that a pass is fitted to: number, configuration of its events, weight.

    **Arguments:**

    - `config`: the configuration and its `worlds`.
    - `last`: in the other passes, worlds whose seeds are not random are left out if there are
      others.
    """
    home = (0, replace(config, worlds=()), 1.0)
    further = [
        (number, replace(config, field=world.field, game=world.game, worlds=()), world.weight)
        for number, world in enumerate(config.worlds, start=1)
    ]
    worlds = [home, *further]
    blind = [world for world in worlds if not world[1].field.informative]
    return blind if blind and not last else worlds


_MOST_COMPARED = 4000
"""Events of two tables that are held against each other: more tell no more, and take longer."""


def _part(config: Config) -> int:
    """How many events each of these tables is fitted to."""
    return min(config.train.events, _MOST_COMPARED) // 2


def unsettled(
    config: Config,
    surfaces: Sequence[ValueSurface],
    counted: Sequence[_World],
    run: Run | None,
    store: EventStore,
) -> float:
    """The share of ties that the same training on other events would decide otherwise.

    The last pass is fitted to two parts of the events, and the verdicts of both tables are counted
    on the held-out events. Scores err as the square root of the events, and so do the verdicts.
    """
    plan, size = config.train, _part(config)
    # A single event cannot be divided, so nothing is known.
    if size == 0:
        return 1.0
    # The passes before stay: only the last one is fitted to either part.
    *before, _ = surfaces
    with ThreadPoolExecutor() as threads:  # one alone leaves a core idle for much of its time
        fitted = threads.map(partial(_fitted, config, counted), (slice(0, 1), slice(1, 2)))
        tables = [pass_table([*before, surface], "part") for surface in fitted]
    rules = [rule_of(table.tables, config) for table in tables]
    events = EventRange(plan.seed, Purpose.HELD_OUT, plan.held_out)
    bar = Progress(run=run, stage="held-out-parts")
    pairs, apart = sum_events(
        config.setting, Measurement(count_apart), events, tuple(rules), store=store, progress=bar
    )
    # Halves to verdicts; then from so many events to all, as the square root.
    return float(apart) / 2 / max(1, int(pairs)) * math.sqrt(size / plan.events)


def count_apart(
    key: jax.Array, event: Event, setting: Setting, rules: tuple[PassRule, PassRule]
) -> tuple[Int[Array, ""], Int[Array, ""]]:
    """Tied pairs of an event, and twice those on which two rules differ (equal scores once)."""

    def count(first: Sequence[Array], second: Sequence[Array]) -> tuple[Array, Array]:
        first_order, second_order = (jnp.sign(a - b) for a, b in zip(first, second, strict=True))
        # Opposite orders count 2, an order against equal scores 1.
        return jnp.ones_like(first_order), jnp.abs(first_order - second_order)

    values = [rule.scores(event.results) for rule in rules]
    _, (pairs, apart) = sum_over_tied(event.match_points, values, count)
    return pairs.sum(), apart.sum()


def count_held_out(
    rules: Sequence[TieBreak],
    config: Config,
    progress: Progress,
    store: EventStore | None = None,
) -> list[HeldOutErrors]:
    """Tied pairs and errors of rules on the held-out events."""
    events = EventRange(config.train.seed, Purpose.HELD_OUT, config.train.held_out)
    pairs, wrong = sum_events(
        config.setting,
        Measurement(count_errors),
        events,
        tuple(rules),
        store=store,
        progress=progress,
    )
    # Errors were counted in halves: an equal score is half a wrong verdict.
    return [HeldOutErrors(int(pairs), float(twice) / 2.0) for twice in wrong]


def count_errors(
    key: jax.Array, event: Event, setting: Setting, rules: tuple[TieBreak, ...]
) -> tuple[Int[Array, ""], Int[Array, " rules"]]:
    """Tied pairs of an event, and twice the errors of every rule on them."""

    def count(first: Sequence[Array], second: Sequence[Array]) -> tuple[Array, list[Array]]:
        # The last number is the oracle's, the others are those of the rules.
        *verdicts, order = (jnp.sign(a - b) for a, b in zip(first, second, strict=True))
        return jnp.ones_like(order), [half_errors(verdict, order) for verdict in verdicts]

    scores = [rule.scores(event.results) for rule in rules]
    values = [*scores, strength_of(event, setting.game)]
    _, (pairs, wrong) = sum_over_tied(event.match_points, values, count)
    return pairs.sum(), jnp.stack([errors.sum() for errors in wrong])
