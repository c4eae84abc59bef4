"""The single-event protocol: rules are judged on the results of the event that was played.

The verdict of a tie-break on two tied teams is compared with their order by exact expected
all-play-all match points. An equal score counts as half an error.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

from tb2learn.assessment.judged import Judged, as_judged
from tb2learn.assessment.references import Reference
from tb2learn.assessment.tally import TOPS, Tally, by_block
from tb2learn.config import Config
from tb2learn.simulation import truth
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import SILENT, EventRange, Progress, sum_events
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import Key


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
    pairs, errors, changed = sum_events(
        config,
        judge_event,
        EventRange(seed, Purpose.ASSESS, events),
        tuple(map(as_judged, judged)),
        by_block(events),
        progress=progress,
    )
    return Tally(tuple(rule.name for rule in judged), pairs, errors, 2, changed.sum(axis=0))


def judge_event(
    key: Key, event: Event, config: Config, judged: tuple[Judged, ...]
) -> tuple[Int[Array, " tops"], Int[Array, "rules tops"], Int[Array, " tops"]]:
    """Judge every tied pair of one event.

    **Arguments:**

    - `key`: consumed by references that draw, and by the noise of published ratings.
    - `event`, `config`: the played event.
    - `judged`: rules, which see the results, and references, which see the whole event.

    **Returns:** for every population of `TOPS` the number of pairs, the half errors of every rule
    (`truth.wrong_verdicts`), and the pairs that the last two rules decide differently.
    """
    keys = jax.random.split(key, len(judged))
    scores = [one.estimate(k, event, config) for k, one in zip(keys, judged, strict=True)]
    strength = truth.true_strength(event.rosters, config.game)
    own = event.match_points
    tied = truth.tied_pairs(own)
    first_place = (own[None, :] > own[:, None]).sum(axis=-1) + 1
    touches = (first_place[:, None] <= jnp.asarray(TOPS)).astype(jnp.int32)

    def count(pairs: Array) -> Array:
        return jnp.where(tied, pairs, 0).sum(axis=-1) @ touches

    wrong = jnp.stack([count(truth.wrong_verdicts(score, strength)) for score in scores])
    # With a single rule there is no other one, and nothing differs.
    one, other = (jnp.sign(truth.differences(score)) for score in (scores[-1], scores[-2:][0]))
    return count(jnp.ones_like(tied, jnp.int32)), wrong, count((one != other).astype(jnp.int32))
