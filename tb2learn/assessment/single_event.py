"""The single-event protocol: rules are judged on the results of the event that was played.

The verdict of a tie-break on two tied teams is compared with their order by the oracle
(`simulation.oracle`). An equal score counts as half an error. Where seeds say something of the
strengths, errors are also counted by which of the two seeds is the better team: a rule can be right
more often by reading the seeds out of the pairings, and error alone does not show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Num

from tb2learn.assessment.estimators import Estimator, RuleEstimator, as_estimator
from tb2learn.assessment.references import Reference
from tb2learn.assessment.tally import TOPS, FrontCounts, SeedCounts, Tally, by_block
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.given import Events
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import UNIT
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.tiebreaks.function_rule import FunctionScore, FunctionSum
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, PerTeam


def single_event_tally(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: Events,
    progress: Progress = SILENT,
) -> Tally:
    """Count wrong verdicts under the single-event protocol.

    **Arguments:** as `error_rates.tally_verdicts`; `events`: which ones.
    """
    rules = tuple(map(as_estimator, judged))
    # Rules of the library always give numbers; only functions are checked.
    functions = any(map(_is_function, rules))
    counts = sum_events(
        config.setting,
        Measurement(_judge_functions if functions else tally_event, by_block(events.events)),
        events,
        rules,
        progress=progress,
    )
    names = tuple(rule.name for rule in judged)
    if functions:
        counts, undefined = counts
        _check_defined(names, undefined.sum(axis=0), events.events)
    pairs, errors, changed, seeds = counts
    return Tally(names, pairs, errors, 2, changed.sum(axis=0), seeds)


def _is_function(judged: Estimator) -> bool:
    """Whether it is a rule of somebody's own, which may give anything."""
    return isinstance(judged, RuleEstimator) and isinstance(
        judged.tiebreak, FunctionScore | FunctionSum
    )


def _check_defined(names: Sequence[str], often: Int[np.ndarray, " rules"], events: int) -> None:
    """Refuse a rule that gave something that is no number.

    **Raises:** `InputError` naming the rule, and in how many events it did.
    """
    worst = int(often.argmax())
    if often[worst]:
        raise InputError(
            f"{names[worst]}: what the function gives is not a finite number in {often[worst]} of "
            f"{events} events"
        )


def _judge_functions(
    key: Key, event: Event, setting: Setting, judged: tuple[Estimator, ...]
) -> tuple[tuple, Int[Array, " rules"]]:
    """`tally_event`, and for every rule whether a score is no finite number."""
    undefined = [
        ~jnp.isfinite(rule.estimate(key, event, setting)).all() if _is_function(rule) else False
        for rule in judged
    ]
    return tally_event(key, event, setting, judged), jnp.asarray(undefined).astype(jnp.int32)


def tally_event(
    key: Key, event: Event, setting: Setting, judged: tuple[Estimator, ...]
) -> tuple[Int[Array, " tops"], Int[Array, "rules tops"], Int[Array, " tops"], SeedCounts]:
    """Judge every tied pair of one event.

    **Arguments:**

    - `key`: consumed by references that draw.
    - `event`, `setting`: the played event.
    - `judged`: rules, which see the results, and references, which see the whole event.

    **Returns:** for every population of `TOPS` the number of pairs, the half errors of every rule
    (`oracle.half_errors`), and the pairs that the last two rules decide differently; then the
    counts by seed. With random seeds, too: the pairing itself treats two equal teams unequally.
    """
    # A reference draws the same whatever else is judged, and in whatever order.
    scores = [
        rule.estimate(jax.random.fold_in(key, rule.stream), event, setting) for rule in judged
    ]

    def count(first: Sequence[Array], second: Sequence[Array]) -> tuple:
        verdicts = [jnp.sign(a - b).astype(jnp.int32) for a, b in zip(first, second, strict=True)]
        *verdicts, order = verdicts
        wrong = jnp.stack([oracle.half_errors(verdict, order) for verdict in verdicts])
        # With a single rule there is no other one, and nothing differs.
        changed = verdicts[-1] != verdicts[-2:][0]
        # Less than one match point apart if everybody played everybody.
        near = jnp.abs(first[-1] - second[-1]) < UNIT
        return jnp.ones_like(order), wrong, changed, _by_seed(verdicts, order, near)

    strength = oracle.strength_of(event, setting.game)
    # The oracle last, so that `count` finds it whatever rules there are.
    values = [*scores, strength]
    points, sums = oracle.sum_over_tied(event.match_points, values, count)
    first_place = len(points) + 1 - jnp.searchsorted(points, points, side="right")
    # A group counts for a place if its first team stands there or above, see `TOPS`.
    touches = (first_place[:, None] <= jnp.asarray(TOPS)).astype(jnp.int32)
    *counts, seeds = jax.tree.map(lambda sum_: sum_ @ touches, sums)
    return *counts, replace(seeds, front=_in_front(event.match_points, scores, strength))


def _in_front(
    match_points: PerTeam, scores: Sequence[Num[Array, " teams"]], strength: PerTeam
) -> FrontCounts:
    """Who stands in front of two nearly equal teams: by match points, then by every rule.

    **Arguments:** match points, the scores of every rule, and strengths by the oracle.
    """

    def count(better: Sequence[Array], other: Sequence[Array]) -> FrontCounts:
        # Teams are numbered by seed: the lower number is the higher seed.
        signs = [jnp.sign(a - b).astype(jnp.int32) for a, b in zip(better, other, strict=True)]
        seed, points, *verdicts, order = signs
        unequal = (order != 0).astype(jnp.int32)
        halves = [jnp.where(points == 0, verdict, points) for verdict in verdicts]
        for_higher = [unequal * (1 - seed * verdict) for verdict in (points, *halves)]
        return FrontCounts(unequal, for_higher[0], jnp.stack(for_higher[1:]))

    values = [jnp.arange(len(strength)), match_points, *scores, strength]
    falling, sums = oracle.sum_over_near(strength, values, count)
    place = 1 + jnp.searchsorted(-falling, -falling, side="left")
    within = (place[:, None] <= jnp.asarray(TOPS)).astype(jnp.int32)
    return jax.tree.map(lambda sum_: sum_ @ within, sums)


def _by_seed(
    verdicts: Sequence[Int[Array, " pairs"]],
    order: Int[Array, " pairs"],
    near: Bool[Array, " pairs"],
) -> SeedCounts:
    """Counts of pairs by seed. Teams are numbered by seed, so the first team is the higher one.

    **Arguments:**

    - `verdicts`: of every rule: 1 for the first team, -1 for the second.
    - `order`: by the oracle, in the same way.
    - `near`: which pairs are of nearly equal strength.
    """
    # In the order of `SEED_KINDS`.
    kinds = order > 0, order < 0, near & (order != 0), order == 0
    pairs = jnp.stack(kinds).astype(jnp.int32)
    # Half verdicts for either team: 2, 1 for equal scores, 0.
    first, second = (jnp.stack([1 + sign * verdict for verdict in verdicts]) for sign in (1, -1))
    # Where the first is better an error is a verdict for the second.
    return SeedCounts(pairs, pairs[:, None] * jnp.stack([second, first, first, first]))
