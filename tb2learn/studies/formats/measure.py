"""Rules judged in leagues; formats, and ties at their top, judged in two worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from tb2learn.assessment.assess import assess
from tb2learn.assessment.tally import by_block
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat, cycle_rounds
from tb2learn.config import Config, FieldConfig
from tb2learn.report.stored import Csv, Each, Json
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Measure, Progress, sum_events
from tb2learn.stats import long_frame
from tb2learn.studies.formats.deciding import (
    MULTI_TIER,
    UNITS,
    WITH_FINAL,
    WORLDS,
    Measured,
    formats,
    measure_event,
)
from tb2learn.studies.formats.settling import (
    BEFORE,
    TIES,
    Ties,
    measure_ties,
    rules_of,
    tiebreak_of,
)
from tb2learn.studies.samples import samples, shares, with_ends
from tb2learn.tiebreaks.rules import with_encounter_once

LEAGUES = {
    "10 teams of 4": (10, 4, 2000, 2600),
    "12 teams of 8": (12, 8, 2000, 2600),
    "14 players": (14, 1, 1800, 2400),
    "10 grandmasters": (10, 1, 2650, 2800),
}
"""Round robins by name: teams, boards, and between which mean ratings are drawn."""

TEAM_RULES = ("emmsb", "emgsb", "game-points", "least-squares", "wins", "direct")
PLAYER_RULES = ("sonneborn-berger", "least-squares", "wins", "direct")

BESIDE = (
    *((1, "Swiss, 8 rounds"), (1, WITH_FINAL.format(7))),
    *((2, "Swiss, 15 rounds"), (2, WITH_FINAL.format(14)), (2, "round robin")),
    *((3, "round robin"), (3, "double round robin")),
)
"""Repeats of a multi-tier event, and a format with about as many matches, or the nearest."""

ACCURATE = {"wins": "the strongest wins more often", "concordant": "tau is higher"}
"""What formats are compared by, in words."""

_LEAGUE = ("league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high")
_FORMAT = ("world", "format")
_WRONG = ("rule", "place", "pairs", "wrong", "low", "high", "left", "left_low", "left_high")

FILES = (
    Json(
        "formats.json",
        {name: Each(name) for name in ("leagues", "formats", "differences", "ties")},
    ),
    Csv("leagues.csv", "leagues", _LEAGUE, digits=5),
    Csv("formats.csv", "formats", (*_FORMAT, "what", "value", "low", "high"), digits=5),
    Csv("tiebreaks.csv", "ties", (*_FORMAT, *_WRONG), digits=5),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Judge tie-breaks of leagues, and formats.

    **Arguments:** `events`, `seed`: assessment events of every league and format, and seed of the
    bootstrap.

    **Returns:** all values with the ends of their intervals:

    - `leagues`: a row a `league`, `rule` and population `top` (1 or all): its format, tied `pairs`
      and the share of them that the rule decides wrongly (`error`).
    - `formats`: `value` by `world`, `format` and `what` (a field of `Measured`, in `UNITS`).
    - `differences`: by how much `what` of `ACCURATE` in a multi-tier `format` is above that in the
      format `less`, on the same fields.
    - `ties`: a row a `world`, `format`, `rule` and `place` that ties touch: `pairs`, the share that
      the rule decides wrongly (`wrong`; pairs that it leaves tied count half), and the share that
      it leaves tied (`left`).
    """
    found, apart, ties = [], [], []
    for world, (boards, field) in WORLDS.items():
        values = {}
        for name, event in formats(boards).items():
            plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
            config = Config(plain, event=event, field=field)
            about = {"world": world, "format": name}
            values[name] = _means(config, events, seed)
            found.append(_by_field(values[name]).assign(**about))
            ties.append(_settled(config, rules_of(world, event), events, seed).assign(**about))
        for repeats, less in BESIDE:
            name = MULTI_TIER.format(repeats)
            frame = _by_field(values[name] - values[less])
            apart.append(frame.assign(world=world, format=name, less=less))
    differences = pd.concat(apart, ignore_index=True)
    return {
        "leagues": pd.concat([judge_league(name, events, seed) for name in LEAGUES]),
        "formats": pd.concat(found, ignore_index=True),
        "differences": differences[differences["what"].isin(ACCURATE)],
        "ties": pd.concat(ties, ignore_index=True),
    }


def judge_league(name: str, events: int, seed: int) -> pd.DataFrame:
    """The rows of one of `LEAGUES`. Direct encounter is R. Ricca's, see `with_encounter_once`."""
    teams, boards, low, high = LEAGUES[name]
    rounds, spread = cycle_rounds(teams), 0.0 if boards == 1 else FieldConfig().player_sd
    config = Config(
        name.replace(" ", "-"),
        event=EventFormat(teams, rounds, boards, format="round-robin"),
        field=FieldConfig(low=low, high=high, player_sd=spread),
    )
    names = PLAYER_RULES if boards == 1 else TEAM_RULES
    rules = [with_encounter_once(find_rule(one, rounds, boards)) for one in names]
    found = assess(config, rules, events, seed, progress=Progress(f"judge {name}")).frame
    found = found.assign(league=name, teams=teams, boards=boards, top=found["top"].astype(str))
    found = found[found["top"].isin(("1", "all"))]
    return found.rename(columns={"error_rate": "error"})[list(_LEAGUE)]


def _means(config: Config, events: int, seed: int) -> Float[np.ndarray, "samples fields"]:
    """The means of `Measured` over all events, and over those of every bootstrap sample."""
    counts = np.stack(_counts(config, events, seed, measure_event), axis=-1)
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts))
    weights = samples(len(counts), seed)
    return weights @ counts / (weights @ sizes)[:, None] / UNITS


def _by_field(values: Float[np.ndarray, "samples fields"]) -> pd.DataFrame:
    return long_frame({"what": Measured._fields}, with_ends(values))


def _settled(config: Config, rules: Sequence[str], events: int, seed: int) -> pd.DataFrame:
    """How often tie-breaks settle ties at the top of a format wrongly."""
    tiebreaks = tuple(tiebreak_of(rule, config.event) for rule in rules if rule != BEFORE)
    counts = Ties(*_counts(config, events, seed, measure_ties, tiebreaks))
    weights = samples(len(counts.pairs), seed)
    wrong, left = (
        shares(weights, part, counts.pairs, unit).swapaxes(1, 2)
        for part, unit in ((counts.wrong, 2), (counts.left, 1))
    )
    columns = {**with_ends(wrong, "wrong"), **with_ends(left, "left", "left_")}
    found = long_frame({"place": TIES, "rule": rules}, columns)
    return found.assign(pairs=counts.pairs.sum(axis=0).repeat(len(rules)))


def _counts(config: Config, events: int, seed: int, measured: Measure, args: Any = None) -> Any:
    """What is measured of events, summed by block of events."""
    return sum_events(
        config,
        measured,
        EventRange(seed, Purpose.ASSESS, events),
        args,
        accumulate=by_block(events),
        progress=Progress(config.name),
    )
