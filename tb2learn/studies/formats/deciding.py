"""Which format finds the strongest: what a final order has to do with the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from tb2learn.assessment.tally import RESAMPLES, by_block
from tb2learn.bootstrap import interval, resamples
from tb2learn.config import Config, FieldConfig
from tb2learn.event_format import EventFormat, Tier, cycle_rounds
from tb2learn.simulation import truth
from tb2learn.simulation.multi_tier import tier_keys
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.types import BYE, Key, PerTeam

TEAMS = 20
BEST = 3
"""Places whose overlap with the strongest is counted."""

SHARES = 2520
"""Parts of a first place; 1 to 10 teams share one evenly."""

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))

WORLDS: Mapping[str, tuple[int, FieldConfig]] = {
    "individuals": (1, FieldConfig(low=2000, high=2600, player_sd=0.0, seed_noise=50.0)),
    "teams of 4": (4, FieldConfig(low=2000, high=2600, seed_noise=50.0)),
}
"""Boards and field by name."""


def formats(boards: int) -> dict[str, EventFormat]:
    """The formats that are compared, by name; all of `TEAMS` teams."""
    base = EventFormat(TEAMS, 7, boards)
    once = cycle_rounds(TEAMS)
    tiered = replace(base, rounds=21, format="multi-tier", tiers=TIERS)
    return {
        **{f"Swiss, {n} rounds": replace(base, rounds=n) for n in (5, 8, 15)},
        "round robin": replace(base, rounds=once, format="round-robin"),
        "double round robin": replace(base, rounds=2 * once, format="round-robin", repeats=2),
        **{f"multi-tier, m = {m}": replace(tiered, rounds=21 * m, repeats=m) for m in (1, 2, 3)},
    }


class Measured(NamedTuple):
    """What is counted of one event, or by block of events; integers."""

    wins: Int[Any, "*blocks"]  # SHARES for the strongest team's first place
    concordant: Int[Any, "*blocks"]  # pairs in the order of the truth, less those against it
    best: Int[Any, "*blocks"]  # of the BEST strongest, how many are among the first BEST places
    first_tied: Int[Any, "*blocks"]  # whether the first place is shared
    surplus: Int[Any, "*blocks"]  # games of one colour more than of the other, over all teams
    games: Int[Any, "*blocks"]  # matches, over all teams
    most: Int[Any, "*blocks"]  # matches of the team with the most of them
    least: Int[Any, "*blocks"]  # matches of the team with the fewest


@dataclass(frozen=True)
class Found:
    """A mean over events with its 95 % bootstrap interval.

    **Fields:** `value`, `ci`.
    """

    value: float
    ci: tuple[float, float]


def judge_format(
    name: str, world: str, event: EventFormat, events: int, seed: int
) -> dict[str, Found]:
    """What a format finds out, by name of what is measured.

    **Arguments:**

    - `name`, `world`: of the format and of one of `WORLDS`.
    - `event`: the format.
    - `events`, `seed`: how many events of the assessment stream, and the bootstrap's seed.
    """
    _, field = WORLDS[world]
    plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
    counts = sum_events(
        Config(plain, event=event, field=field),
        measure_event,
        EventRange(seed, Purpose.ASSESS, events),
        accumulate=by_block(events),
        progress=Progress(f"{world}, {name}"),
    )
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts.wins))
    weights = resamples(len(sizes), seed, RESAMPLES)
    pairs = TEAMS * (TEAMS - 1) // 2
    units = Measured(SHARES, pairs, BEST, 1, TEAMS, 1, 1, 1)
    found = {}
    for what, values, unit in zip(Measured._fields, counts, units, strict=True):
        mean = values.sum() / events / unit
        low, high = interval((weights @ values) / (weights @ sizes) / unit)
        found[what] = Found(float(mean), (float(low), float(high)))
    return found


def measure_event(key: Key, event: Event, config: Config, args: Any) -> Measured:
    """Hold the final order of one event against the truth; the lot shares places of `best` out."""
    behind = _behind(event, config)
    strength = truth.true_strength(event.rosters, config.game)
    order = truth.differences(strength)
    first = ~behind.any(axis=1)
    shared = SHARES // first.sum()
    lots = jax.random.permutation(key, TEAMS)
    equal = ~(behind | behind.T)
    place = (behind | (equal & (lots[None, :] < lots[:, None]))).sum(axis=1)
    strongest = (strength[None, :] > strength[:, None]).sum(axis=1)
    number = (event.opponents != BYE).sum(axis=0)
    whites = jnp.zeros_like(number) if event.whites is None else event.whites.sum(axis=0)
    agrees = jnp.where(behind, jnp.sign(order.T), 0)
    return Measured(
        wins=jnp.where(first[jnp.argmax(strength)], shared, 0),
        concordant=agrees.sum().astype(jnp.int32),
        best=((place < BEST) & (strongest < BEST)).sum(),
        first_tied=(first.sum() > 1).astype(jnp.int32),
        surplus=jnp.abs(2 * whites - number).sum(),
        games=number.sum() // 2,
        most=number.max(),
        least=number.min(),
    )


def _behind(event: Event, config: Config) -> Bool[Array, "teams teams"]:
    """`[i, j]`: whether team j is before team i in the final order."""
    keys: tuple[PerTeam, ...] = (event.match_points,)
    if config.event.format == "multi-tier":
        keys = tier_keys(config.event, event.opponents, event.half_points)
    elif config.event.boards > 1:
        keys = (event.match_points, event.half_points.sum(axis=0))
    behind, equal = jnp.zeros((TEAMS, TEAMS), bool), True
    for part in keys:
        behind = behind | (equal & (part[None, :] > part[:, None]))
        equal = equal & (part[None, :] == part[:, None])
    return behind
