"""The single-event protocol: rules are judged on the results of the event that was played.

The verdict of a tie-break on two tied teams is compared with their order by exact expected
all-play-all match points. An equal score counts as half an error. Where seeds say something of the
strengths, errors are also counted by which of the two seeds is the better team: a rule can be right
more often by reading the seeds out of the pairings, and error alone does not show it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, Num

from tb2learn.assessment.judged import Judged, as_judged
from tb2learn.assessment.references import Reference
from tb2learn.assessment.tally import TOPS, SeedCounts, Tally, by_block
from tb2learn.config import Config
from tb2learn.simulation import truth
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import UNIT, Purpose
from tb2learn.simulation.run import SILENT, EventRange, Progress, sum_events
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import Key, PerTeam


def single_event_tally(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    progress: Progress = SILENT,
) -> Tally:
    """Count wrong verdicts under the single-event protocol.

    **Arguments:** as `assess.assess`.
    """
    pairs, errors, changed, seeds = sum_events(
        config,
        judge_event,
        EventRange(seed, Purpose.ASSESS, events),
        tuple(map(as_judged, judged)),
        by_block(events),
        truth=True,
        progress=progress,
    )
    names = tuple(rule.name for rule in judged)
    return Tally(names, pairs, errors, 2, changed.sum(axis=0), seeds)


def judge_event(
    key: Key, event: Event, config: Config, judged: tuple[Judged, ...]
) -> tuple[Int[Array, " tops"], Int[Array, "rules tops"], Int[Array, " tops"], SeedCounts | None]:
    """Judge every tied pair of one event.

    **Arguments:**

    - `key`: consumed by references that draw, and by the noise of published ratings.
    - `event`, `config`: the played event.
    - `judged`: rules, which see the results, and references, which see the whole event.

    **Returns:** for every population of `TOPS` the number of pairs, the half errors of every rule
    (`truth.wrong_verdicts`), and the pairs that the last two rules decide differently; then the
    counts by seed, None with random seeds.
    """
    keys = jax.random.split(key, len(judged))
    scores = [one.estimate(k, event, config) for k, one in zip(keys, judged, strict=True)]
    strength = truth.strength_of(event, config.game)
    own = event.match_points
    tied = truth.tied_pairs(own)
    first_place = (own[None, :] > own[:, None]).sum(axis=-1) + 1
    touches = (first_place[:, None] <= jnp.asarray(TOPS)).astype(jnp.int32)

    def count(pairs: Array) -> Array:
        return jnp.where(tied, pairs, 0).sum(axis=-1) @ touches

    wrong = jnp.stack([count(truth.wrong_verdicts(score, strength)) for score in scores])
    # With a single rule there is no other one, and nothing differs.
    one, other = (jnp.sign(truth.differences(score)) for score in (scores[-1], scores[-2:][0]))
    pairs = count(jnp.ones_like(tied, jnp.int32))
    changed = count((one != other).astype(jnp.int32))
    informative = math.isfinite(config.field.seed_noise)
    return pairs, wrong, changed, _by_seed(scores, strength, count) if informative else None


def _by_seed(
    scores: Sequence[Num[Array, " teams"]],
    strength: PerTeam,
    count: Callable[[Array], Int[Array, " tops"]],
) -> SeedCounts:
    """Counts by seed. Teams are numbered by seed, so the first of a pair is the higher one.

    **Arguments:**

    - `scores`: of every rule.
    - `strength`: `truth.true_strength`.
    - `count`: sums up a number a pair over the tied pairs of every population.
    """
    apart = truth.differences(strength)
    kinds = jnp.stack([apart > 0, apart < 0, jnp.abs(apart) < UNIT]).astype(jnp.int32)
    halves = []
    for score in scores:
        higher_first = jnp.sign(truth.differences(score)).astype(jnp.int32) + 1  # 2, 1 or 0
        halves.append(
            [
                count(k * h)
                for k, h in zip(kinds, (2 - higher_first, higher_first, higher_first), strict=True)
            ]
        )
    return SeedCounts(*map(count, kinds), *map(jnp.stack, zip(*halves, strict=True)))
