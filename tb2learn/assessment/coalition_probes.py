"""Coalitions of two: places that two teams win if they arrange one game point between them.

A probe takes a match of a played event and moves one game point (two half points) from one side to
the other, which has to have scored one; everything else is unchanged. Match points follow: the
result of the match is *kept*, or it is *changed*. Of both directions with a result of one kind the
coalition takes the better, and none if it would lose by it. What it wins is counted in places by
match points and score: those of *both* teams together, and the most of *one* of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int

from tb2learn.assessment.half_point_probes import PROBES, moved, picked, place
from tb2learn.assessment.tally import by_block
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Add, Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import interval, long_frame, resamples
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE

if TYPE_CHECKING:
    import pandas

GAINS = (1, 3, 10)
"""Places or more that are counted."""

RESULTS, WINNERS = ("kept", "changed"), ("both", "one")
"""The result of the match, and whose places are counted."""


def probe_coalitions(
    config: Config, rules: Sequence[Rule], probes: int, seed: int, label: str | None = None
) -> pandas.DataFrame:
    """Places that pairs of teams win under rules by arranging one game point, in simulated events.

    **Arguments:**

    - `config`: what to play; the events are those of its assessment stream.
    - `rules`: of the configuration's format; differences are to the first.
    - `probes`: how many matches are tried, `PROBES` an event (rounded up), the same for all rules.
    - `seed`: of the events, the choice of matches and the resampling.
    - `label`: shows a progress bar with this label.

    **Returns:** a row a `rule`, `result` (`RESULTS`) and winner (`of`, `WINNERS`):

    - `pairs`: teams that can arrange such a point.
    - `mean`: of the places won, and `more` than under the first rule; `from_1`, `from_3` and
      `from_10`: shares of pairs that win so many or more. `_low`, `_high`: 95 % percentile
      bootstrap intervals over events. NaN without pairs.
    - `median`, `most_of_100`: places that half, and 99 % of the pairs do not exceed; `worst`: the
      most of all.

    **Raises:** `InputError` for a rule of another format.
    """
    for rule in rules:
        rule.check_format(config.event.rounds, config.event.boards)
    events = -(-probes // PROBES)
    counts, places = sum_events(
        config.setting,
        Measurement(probe_event, partial(_add, by_block(events)), oracle=False),
        EventRange(seed, Purpose.ASSESS, events),
        tuple(rule.tiebreak for rule in rules),
        progress=Progress(label),
    )
    # Events are resampled, as the probes of one event are not independent.
    resampled = np.tensordot(resamples(len(counts), seed), counts, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # The first count is how many pairs there are, the others are divided by it.
        rates, resampled = (
            part[..., 1:] / part[..., :1] for part in (counts.sum(axis=0), resampled)
        )
    names = ("mean", *(f"from_{gain}" for gain in GAINS))
    values = {name: (rates[..., k], resampled[..., k]) for k, name in enumerate(names)}
    values["more"] = rates[..., 0] - rates[:1, ..., 0], resampled[..., 0] - resampled[:, :1, ..., 0]
    columns = {"pairs": counts[..., 0].sum(axis=0)}
    for name, (value, of_samples) in values.items():
        low, high = interval(of_samples)
        columns |= {name: value, f"{name}_low": low, f"{name}_high": high}
    # Share of the pairs that win at most so many places.
    reached = np.cumsum(places, axis=-1) / np.maximum(places.sum(axis=-1, keepdims=True), 1)
    shares = {"median": 0.5, "most_of_100": 0.99, "worst": 1.0}
    columns |= {name: (reached >= share).argmax(axis=-1) for name, share in shares.items()}
    axes = {"rule": [rule.name for rule in rules], "result": RESULTS, "of": WINNERS}
    return long_frame(axes, columns)


def _add(blocks: Add, numbers: np.ndarray, measured: tuple) -> tuple:
    """The counts by block of events, and how often so many places are won in all of them."""
    counts, places = measured
    return blocks(numbers, counts), places.sum(axis=0, dtype=np.int64)


def probe_event(
    key: Key, event: Event, setting: Setting, rules: tuple[TieBreak, ...]
) -> tuple[Int[Array, "rules results winners counts"], Int[Array, "rules results winners places"]]:
    """Probe one event.

    **Arguments:** as an `OfEvent`: the key picks the matches, the same for all `rules`.

    **Returns:** by rule, `RESULTS` and `WINNERS` the number of pairs, the sum of places won, and
    how many pairs win each of `GAINS` or more; then how many win 0, 1, 2, ... places.
    """
    results = event.results
    rounds, teams = results.opponents.shape
    before = [rule.scores(results) for rule in rules]

    def arrange(pick: Array) -> tuple[Array, Array, Array]:
        """Move the point to the second of round, team and opponent."""
        number, team, opponent = pick
        possible = (results.opponents[number] != BYE)[team] & (
            # A game point is two half points, which must be there to be given.
            results.half_points[number, opponent] >= 2
        )
        # Where there is no point to give nothing is moved, and the probe does not count.
        after = moved(results, number, team, 2 * possible.astype(jnp.int32))
        won = []
        for rule, old in zip(rules, before, strict=True):
            new = rule.scores(after)
            gains = jnp.stack(
                [
                    place(results, old, partner) - place(after, new, partner)
                    for partner in (team, opponent)
                ]
            )
            # In the order of `WINNERS`: both together, and the one who wins most.
            won.append(jnp.stack([gains.sum(), gains.max()]))
        return possible, after.match_points[team] != results.match_points[team], jnp.stack(won)

    number, team = picked(key, rounds, teams).T
    opponents = results.opponents[number, team]
    # Both directions in one list, taken apart below.
    ways = jnp.stack([jnp.stack([number, team, opponents]), jnp.stack([number, opponents, team])])
    possible, changed, won = jax.lax.map(arrange, jnp.moveaxis(ways, 1, 2).reshape(-1, 3))
    # By direction, probe, rule and winner; then the better direction of each kind of result.
    # In the order of `RESULTS`: match points as they were, or not.
    kinds = (possible & (changed == changes) for changes in (False, True))
    counts, places = [], []
    for changes in kinds:
        best = jnp.where(changes[:, None, None], won, 0).reshape(2, -1, *won.shape[1:]).max(axis=0)
        # Who would lose by it leaves the result alone.
        best = jnp.maximum(best, 0)
        # A match counts once if either direction is possible.
        counted = changes.reshape(2, -1).any(axis=0)[:, None, None].astype(jnp.int32)
        reached = [counted, counted * best, *(counted * (best >= gain) for gain in GAINS)]
        reached = [jnp.broadcast_to(best_of, best.shape).sum(axis=0) for best_of in reached]
        counts.append(jnp.stack(reached, axis=-1))
        # Both together win fewer places than twice the teams.
        places.append((counted[..., None] * (best[..., None] == jnp.arange(2 * teams))).sum(axis=0))
    return jnp.stack(counts, axis=1), jnp.stack(places, axis=1).astype(jnp.int32)
