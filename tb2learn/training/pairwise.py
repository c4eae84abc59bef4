"""Tables in passes, fitted to the order of tied teams: one pass after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.config import Config
from tb2learn.simulation.event import Event
from tb2learn.simulation.kept import EventStore
from tb2learn.simulation.run import SILENT, Progress, sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.simulation.truth import half_errors, strength_of, sum_over_tied
from tb2learn.tiebreaks.formula import FormulaRule
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.training.least_squares import (
    collect_moments,
    equations,
    least_squares,
    normalised,
    rule_of,
)
from tb2learn.training.surface import ValueSurface
from tb2learn.training.tabulate import pass_table


class HeldOutErrors(NamedTuple):
    """Tied pairs of the held-out events, and wrong verdicts on them (an equal score is half one).

    The names are those of a checkpoint's findings.
    """

    held_out_pairs: int
    held_out_errors: float


def fit_passes(
    config: Config, progress: Progress = SILENT
) -> tuple[list[ValueSurface], list[HeldOutErrors], float]:
    """Fit the tables of all passes, one after the other.

    **Arguments:**

    - `config`: `train` says how many events, of which seed; `decisions` how they are fitted.
    - `progress`: shows progress bars, and keeps the counts while they grow.

    **Returns:** the surface of every pass, how well it decides, and `unsettled`. A fit with fewer
    passes gives the same first passes, unless its last one has `worlds`, `fairness` or `others`.
    """
    surfaces: list[ValueSurface] = []
    judged: list[HeldOutErrors] = []
    store = EventStore()
    for surface in fit_surfaces(config, progress, store):
        surfaces.append(surface)
        rule = rule_of(pass_table(surfaces, "table").points, config)
        held_out = Progress(run=progress.run, stage=f"held-out-{len(surfaces)}")
        judged.append(judge(rule, config, held_out, store))
    share = unsettled(config, surfaces, progress.part("other events"), store)
    if progress.run:
        progress.run.all_counted()
    return surfaces, judged, share


def fit_surfaces(
    config: Config, progress: Progress = SILENT, store: EventStore | None = None
) -> Iterator[ValueSurface]:
    """Fit one pass after the other.

    **Arguments:** as `fit_passes`, and

    - `store`: keeps the events for the next pass; a store of its own if not given.

    **Yields:** the surface of every pass.
    """
    surfaces: list[ValueSurface] = []
    store = store or EventStore()
    for number in range(1, config.decisions.passes + 1):
        label = f"pass {number} of {config.decisions.passes}"
        raw, seen = _fit_pass(config, surfaces, progress.part(label), store)
        surfaces.append(normalised(raw, seen, config))
        yield surfaces[-1]


def worlds_of(config: Config, last: bool) -> list[tuple[int, Config, float]]:
    """The worlds that a pass is fitted to: number, configuration of its events, weight.

    **Arguments:**

    - `config`: the configuration and its `worlds`.
    - `last`: in the other passes, worlds whose seeds are not random are left out if there are
      others.
    """
    own = (0, replace(config, worlds=()), 1.0)
    further = [
        (number, replace(config, field=one.field, game=one.game, worlds=()), one.weight)
        for number, one in enumerate(config.worlds, start=1)
    ]
    worlds = [own, *further]
    blind = [one for one in worlds if not one[1].field.informative]
    return blind if blind and not last else worlds


def _fit_pass(
    config: Config,
    surfaces: list[ValueSurface],
    progress: Progress,
    store: EventStore,
    part: tuple[int, int] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The raw surface of a pass, and `Moments.seen` over all its worlds."""
    last = len(surfaces) + 1 == config.decisions.passes
    if not last:
        plain = replace(config.decisions, fairness=0.0, others=0.0)
        config = replace(config, decisions=plain)
    found, seen = [], []
    worlds = worlds_of(config, last)
    for n, (number, world, weight) in enumerate(worlds, start=1):
        if len(worlds) > 1:
            shown = progress.part(f"{progress.label}, world {n} of {len(worlds)}")
        else:
            shown = progress
        moments = collect_moments(world, surfaces, shown, world=number, store=store, part=part)
        found.append((equations(moments, world), weight))
        seen.append(moments.seen)
    return least_squares(found, config), np.asarray(sum(seen))


_MOST_COMPARED = 4000
"""Events of two tables that are held against each other: more tell no more, and take longer."""


def unsettled(
    config: Config, surfaces: Sequence[ValueSurface], progress: Progress, store: EventStore
) -> float:
    """The share of ties that the same training on other events would decide otherwise.

    The last pass is fitted to two parts of the events, and the verdicts of both tables are counted
    on the held-out events. Scores err as the square root of the events, and so do the verdicts.
    """
    plan = config.train
    size = min(plan.events, _MOST_COMPARED) // 2
    if size == 0:
        return 1.0
    *before, _ = surfaces
    rules = []
    for number in range(2):
        raw, seen = _fit_pass(config, before, progress, store, (number, size))
        table = pass_table([*before, normalised(raw, seen, config)], "part")
        rules.append(rule_of(table.points, config))
    events = EventRange(plan.seed, Purpose.HELD_OUT, plan.held_out)
    shown = Progress(run=progress.run, stage="held-out-parts")
    pairs, apart = sum_events(
        config, count_apart, events, tuple(rules), store=store, truth=True, progress=shown
    )
    return float(apart) / 2 / max(1, int(pairs)) * math.sqrt(size / plan.events)


def count_apart(
    key: jax.Array, event: Event, config: Config, rules: tuple[PassRule, PassRule]
) -> tuple[Int[Array, ""], Int[Array, ""]]:
    """Tied pairs of an event, and twice those on which two rules differ (equal scores once)."""

    def count(first: Sequence[Array], second: Sequence[Array]) -> tuple[Array, Array]:
        one, other = (jnp.sign(a - b) for a, b in zip(first, second, strict=True))
        return jnp.ones_like(one), jnp.abs(one - other)

    values = [rule.scores(event.results) for rule in rules]
    _, (pairs, apart) = sum_over_tied(event.match_points, values, count)
    return pairs.sum(), apart.sum()


def judge(
    rule: PassRule | FormulaRule,
    config: Config,
    progress: Progress,
    store: EventStore | None = None,
) -> HeldOutErrors:
    """Tied pairs and errors of a rule on the held-out events."""
    events = EventRange(config.train.seed, Purpose.HELD_OUT, config.train.held_out)
    pairs, wrong = sum_events(
        config, count_errors, events, rule, truth=True, store=store, progress=progress
    )
    return HeldOutErrors(int(pairs), float(wrong) / 2.0)


def count_errors(
    key: jax.Array, event: Event, config: Config, rule: PassRule | FormulaRule
) -> tuple[Int[Array, ""], Int[Array, ""]]:
    """Tied pairs of an event, and twice the errors of a rule on them."""

    def count(first: Sequence[Array], second: Sequence[Array]) -> tuple[Array, Array]:
        verdict, order = (jnp.sign(a - b) for a, b in zip(first, second, strict=True))
        return jnp.ones_like(order), half_errors(verdict, order)

    values = [rule.scores(event.results), strength_of(event, config.game)]
    _, (pairs, wrong) = sum_over_tied(event.match_points, values, count)
    return pairs.sum(), wrong.sum()
