"""Ties at the top of every format, and how often tie-breaks settle them wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax.numpy as jnp
from jaxtyping import Int

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import product_points
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.report.wording import rule_name
from tb2learn.simulation import truth
from tb2learn.simulation.olympiad import Event
from tb2learn.studies.formats.deciding import BEST, last_stage
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import encounter_once
from tb2learn.tiebreaks.library import find_tiebreak
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import MAX_SIMULATED_ROUNDS

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
