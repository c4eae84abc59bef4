"""What the final order of an event has to do with the truth, in formats that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.event_format import EventFormat, Tier, cycle_rounds
from tb2learn.chess.results import Results, match_points, product_points
from tb2learn.config import Config, FieldConfig
from tb2learn.jax_types import Key, TeamMask
from tb2learn.report.wording import rule_name
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.multi_tier import tier_keys
from tb2learn.studies.multi_tier.measure import REPEATS, SHARES, TIERS
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import encounter_once
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import BYE, MAX_SIMULATED_ROUNDS, PerTeam

TEAMS = sum(tier.teams for tier in TIERS)
BEST = 3
"""Places whose overlap with the strongest is counted."""

SWISS_ROUNDS = (5, 8, 15)
FINALISTS, FINAL_CYCLES = 4, 2
"""Who plays the final after a Swiss, and how often they meet: as long as a round of the Swiss."""

WORLDS: Mapping[str, tuple[int, FieldConfig]] = {
    "individuals": (1, FieldConfig(low=2000, high=2600, player_sd=0.0, seed_noise=50.0)),
    "teams of 4": (4, FieldConfig(low=2000, high=2600, seed_noise=50.0)),
}
"""Boards and field by name."""

WITH_FINAL = "Swiss, {} + final"
MULTI_TIER = "multi-tier, m = {}"


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
        **{WITH_FINAL.format(n - 1): replace(final, rounds=n + more) for n in SWISS_ROUNDS},
        "round robin": replace(base, rounds=once, format="round-robin"),
        "double round robin": replace(base, rounds=2 * once, format="round-robin", repeats=2),
        **{MULTI_TIER.format(m): replace(tiered, rounds=21 * m, repeats=m) for m in REPEATS},
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


UNITS = Measured(
    *(SHARES, TEAMS * (TEAMS - 1) // 2, BEST, 1),
    *(TEAMS, TEAMS, TEAMS),
    *(1, 1, 1, 1, SHARES),
)
"""What counts are divided by: the most that they can be, or so that they are means a team."""


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
    behind = jnp.zeros((TEAMS, TEAMS), bool)
    for part in reversed(keys):
        more, equal = part[None, :] > part[:, None], part[None, :] == part[:, None]
        behind = more | (equal & behind)
    return behind


TIES = (1, BEST)
"""Ties that touch these places are counted."""

BEFORE = "points before the final"
"""Match points of the Swiss, which a tie in the final after it can be broken by."""

PRODUCT = "product"
DIRECT_WINS = "direct+wins"
"""The order in which the authors of multi-tier tournaments break ties."""

RULES: Mapping[str, tuple[str, ...]] = {
    "individuals": ("buchholz-cut1", "sonneborn-berger", "direct", DIRECT_WINS, BEFORE),
    "teams of 4": (
        *(PRODUCT, "buchholz-cut1", "emmsb", "game-points", "direct", DIRECT_WINS),
        BEFORE,
    ),
}
"""Tie-breaks by world."""


class Ties(NamedTuple):
    """What is counted of one event, or by block of events; integers."""

    pairs: Int[Any, "*blocks tops"]  # tied pairs
    wrong: Int[Any, "*blocks rules tops"]  # half errors of every rule in them
    left: Int[Any, "*blocks rules tops"]  # pairs that the rule does not part


def rules_of(world: str, event: EventFormat) -> list[str]:
    """The tie-breaks of a world that a format can have; `BEFORE` is the last, if at all."""
    return [rule for rule in RULES[world] if rule != BEFORE or event.format == "swiss-final"]


def measure_ties(key: Key, event: Event, config: Config, args: tuple[TieBreak, ...]) -> Ties:
    """Judge the ties in the last stage of an event, as they are after its match points.

    `BEFORE` is judged last, where the event has a final. Arguments as `run.Measure`.
    """
    playing, results = last_stage(event, config.event)
    scores = [one.scores(results) for one in args]
    if config.event.format == "swiss-final":
        scores.append(event.match_points - results.match_points)
    order = jnp.sign(truth.differences(truth.true_strength(event.rosters, config.game)))
    points = jnp.where(playing, results.match_points, -1)
    tied = truth.tied_pairs(points) & playing[:, None]
    place = 1 + (points[None, :] > points[:, None]).sum(axis=1)
    counted = tied & (place[:, None] <= jnp.array(TIES)[:, None, None])
    verdicts = [jnp.sign(truth.differences(one)).astype(jnp.int32) for one in scores]
    wrong = jnp.stack([truth.half_errors(one, order) for one in verdicts])
    left = jnp.stack([one == 0 for one in verdicts])

    def total(values: Any) -> Any:
        return jnp.where(counted, values[:, None], 0).sum(axis=(-1, -2))

    return Ties(counted.sum(axis=(-1, -2)), total(wrong), total(left))


def tiebreak_of(rule: str, event: EventFormat) -> TieBreak:
    """A rule of `RULES` for the last stage of a format, which may have more rounds than a Swiss.

    Direct encounter is R. Ricca's, see `tiebreaks.combined.encounter_once`.
    """
    if rule == PRODUCT:
        return TableRule(jnp.asarray(product_points(event.final_rounds, event.boards)))
    # Of these rules none depends on the number of rounds.
    found, _ = find_tiebreak(rule, min(event.final_rounds, MAX_SIMULATED_ROUNDS), event.boards)
    return encounter_once(found)


def tie_rule(rule: str) -> str:
    """A rule of `RULES` in figures and tables."""
    return rule if rule == BEFORE else rule_name(rule)
