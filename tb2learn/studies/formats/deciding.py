"""Which format finds the strongest: what a final order has to do with the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn.assessment.tally import RESAMPLES, by_block
from tb2learn.chess.event_format import EventFormat, Tier, cycle_rounds
from tb2learn.chess.results import Results, match_points
from tb2learn.config import Config, FieldConfig
from tb2learn.jax_types import Key, TeamMask
from tb2learn.simulation import truth
from tb2learn.simulation.multi_tier import tier_keys
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Measure, Progress, sum_events
from tb2learn.stats import interval, resamples
from tb2learn.types import BYE, PerTeam

TEAMS = 20
BEST = 3
"""Places whose overlap with the strongest is counted."""

SHARES = 2520
"""Parts of a first place; 1 to 10 teams share one evenly."""

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))

SWISS_ROUNDS = (5, 8, 15)
FINALISTS, FINAL_CYCLES = 4, 2
"""Who plays the final after a Swiss, and how often they meet: as long as a round of the Swiss."""

WORLDS: Mapping[str, tuple[int, FieldConfig]] = {
    "individuals": (1, FieldConfig(low=2000, high=2600, player_sd=0.0, seed_noise=50.0)),
    "teams of 4": (4, FieldConfig(low=2000, high=2600, seed_noise=50.0)),
}
"""Boards and field by name."""


def formats(boards: int) -> dict[str, EventFormat]:
    """The formats that are compared, by name; all of `TEAMS` teams."""
    # Only the pairing of players has colours; teams are paired as at an Olympiad.
    base = EventFormat(TEAMS, 7, boards, pairing="dutch" if boards == 1 else "median-swiss")
    once = cycle_rounds(TEAMS)
    tiered = replace(base, rounds=21, format="multi-tier", tiers=TIERS)
    more = FINAL_CYCLES * cycle_rounds(FINALISTS) - 1
    final = replace(
        base, rounds=15, format="swiss-final", finalists=FINALISTS, repeats=FINAL_CYCLES
    )
    return {
        **{f"Swiss, {n} rounds": replace(base, rounds=n) for n in SWISS_ROUNDS},
        **{f"Swiss, {n - 1} + final": replace(final, rounds=n + more) for n in SWISS_ROUNDS},
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
    uneven: Int[Any, "*blocks"]  # teams with two or more games of one colour than of the other
    repeats: Int[Any, "*blocks"]  # games with the colour of the game before, over all teams
    games: Int[Any, "*blocks"]  # matches, over all teams
    most: Int[Any, "*blocks"]  # matches of the team with the most of them
    least: Int[Any, "*blocks"]  # matches of the team with the fewest
    risen: Int[Any, "*blocks"]  # whether one that started in the lowest tier was in the last one
    from_lowest: Int[Any, "*blocks"]  # SHARES for its first place


@dataclass(frozen=True)
class Found:
    """A mean over events with its 95 % bootstrap interval.

    **Fields:**

    - `value`, `ci`: the mean, and the interval.
    - `drawn`: the mean of every bootstrap sample; of all formats the same events are drawn.
    """

    value: float
    ci: tuple[float, float]
    drawn: Float[np.ndarray, " times"] = field(repr=False)

    def less(self, other: Found) -> Found:
        """The difference from another one of the same events."""
        return found_from(self.value - other.value, self.drawn - other.drawn)


def found_from(value: float, drawn: Float[np.ndarray, " times"]) -> Found:
    """A mean over events, from it and those of the bootstrap samples."""
    low, high = interval(drawn)
    return Found(float(value), (float(low), float(high)), drawn)


def judge_format(
    name: str, world: str, event: EventFormat, events: int, seed: int
) -> dict[str, Found]:
    """What a format finds out, by name of what is measured.

    **Arguments:**

    - `name`, `world`: of the format and of one of `WORLDS`.
    - `event`: the format.
    - `events`, `seed`: how many events of the assessment stream, and the bootstrap's seed.
    """
    counts = sum_blocks(name, world, event, events, seed, measure_event)
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts.wins))
    weights = resamples(len(sizes), seed, RESAMPLES)
    pairs = TEAMS * (TEAMS - 1) // 2
    units = Measured(SHARES, pairs, BEST, 1, TEAMS, TEAMS, TEAMS, 1, 1, 1, 1, SHARES)
    return {
        what: found_from(values.sum() / events / unit, weights @ values / (weights @ sizes) / unit)
        for what, values, unit in zip(Measured._fields, counts, units, strict=True)
    }


def sum_blocks(
    name: str,
    world: str,
    event: EventFormat,
    events: int,
    seed: int,
    measure: Measure,
    args: Any = None,
) -> Any:
    """What is measured of the events of a format, summed by block of events.

    **Arguments:** those of `judge_format`, and `measure`, `args` as `run.sum_events` has them.
    """
    _, teams = WORLDS[world]
    plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
    return sum_events(
        Config(plain, event=event, field=teams),
        measure,
        EventRange(seed, Purpose.ASSESS, events),
        args,
        accumulate=by_block(events),
        progress=Progress(f"{world}, {name}"),
    )


def measure_event(key: Key, event: Event, config: Config, args: Any) -> Measured:
    """Hold the final order of one event against the truth; the lot shares places of `best` out."""
    behind = _behind(_standing(event, config))
    strength = truth.true_strength(event.rosters, config.game)
    order = truth.differences(strength)
    first = ~behind.any(axis=1)
    shared = SHARES // first.sum()
    lots = jax.random.permutation(key, TEAMS)
    equal = ~(behind | behind.T)
    place = (behind | (equal & (lots[None, :] < lots[:, None]))).sum(axis=1)
    strongest = (strength[None, :] > strength[:, None]).sum(axis=1)
    met = event.opponents != BYE
    number = met.sum(axis=0)
    whites = jnp.zeros_like(met) if event.whites is None else event.whites
    surplus = jnp.abs(2 * whites.sum(axis=0) - number)
    lowest = jnp.arange(TEAMS) >= TEAMS - (config.event.tiers or (Tier(),))[0].teams
    agrees = jnp.where(behind, jnp.sign(order.T), 0)
    return Measured(
        wins=jnp.where(first[jnp.argmax(strength)], shared, 0),
        concordant=agrees.sum().astype(jnp.int32),
        best=((place < BEST) & (strongest < BEST)).sum(),
        first_tied=(first.sum() > 1).astype(jnp.int32),
        surplus=surplus.sum(),
        uneven=(surplus > 1).sum(),
        repeats=_repeats(met, whites),
        games=number.sum() // 2,
        most=number.max(),
        least=number.min(),
        risen=(lowest & met[-1]).any().astype(jnp.int32),
        from_lowest=jnp.where(first & lowest, shared, 0).sum(),
    )


def _repeats(met: Bool[Array, "rounds teams"], whites: Bool[Array, "rounds teams"]) -> Array:
    """Games with the colour of the game before, over all teams; rests are left out."""
    rounds = jnp.arange(len(met))[:, None]
    until = jax.lax.cummax(jnp.where(met, rounds, -1), axis=0)
    before = jnp.concatenate([jnp.full_like(until[:1], -1), until[:-1]])
    same = jnp.take_along_axis(whites, jnp.maximum(before, 0), axis=0) == whites
    return (met & (before >= 0) & same).sum()


class Stage(NamedTuple):
    """The last stage of an event: the final, the last tier, else all of it."""

    playing: TeamMask
    results: Results  # of its rounds alone


def last_stage(event: Event, form: EventFormat) -> Stage:
    """The last stage, which decides who is first.

    **Arguments:**

    - `event`, `form`: one event, and its format.
    """
    rounds = slice(form.rounds - form.final_rounds, None)
    opponents, half_points = event.opponents[rounds], event.half_points[rounds]
    met = opponents != BYE
    points = jnp.where(met, match_points(half_points, form.boards), 0).sum(axis=0)
    return Stage(met.any(axis=0), Results(opponents, half_points, points, form.boards))


def _standing(event: Event, config: Config) -> tuple[PerTeam, ...]:
    """What teams are ranked by: of a final its own points, of those outside it all points."""
    form = config.event
    if form.format == "multi-tier":
        return tier_keys(form, event.opponents, event.half_points)
    playing, last = last_stage(event, form)
    keys = [playing.astype(jnp.int32), jnp.where(playing, last.match_points, event.match_points)]
    if form.boards > 1:
        parts = (part.half_points.sum(axis=0) for part in (last, event))
        keys.append(jnp.where(playing, *parts))
    return tuple(keys)


def _behind(keys: tuple[PerTeam, ...]) -> Bool[Array, "teams teams"]:
    """`[i, j]`: whether team j is before team i."""
    behind, equal = jnp.zeros((TEAMS, TEAMS), bool), True
    for part in keys:
        behind = behind | (equal & (part[None, :] > part[:, None]))
        equal = equal & (part[None, :] == part[:, None])
    return behind
