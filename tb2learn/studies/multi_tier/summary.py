"""What the report shows beside the frames: sums of tier scores, who wins, claims."""

from __future__ import annotations

from math import comb
from typing import Any

import pandas as pd

from tb2learn.chess.berger import round_robin
from tb2learn.report.frames import Frames
from tb2learn.report.markdown import exact_interval
from tb2learn.studies.claims import NEARLY, judged
from tb2learn.studies.multi_tier.claims import (
    CLAIMS,
    counted,
    equal_halves,
    goes_on,
    ratings,
    start_ranks,
)
from tb2learn.studies.multi_tier.measure import SHARES

_GAMES, _PAIRINGS = 1209, 3 * comb(8, 2)
_MEAN_GAMES = {1: 6.6, 2: 10.1, 3: 26.4}
"""Printed: all games, and games of a pairing in every tier before promotion."""

_CARLSEN_ARONIAN = {"won": 12, "lost": 8, "drawn": 51}
"""Printed: games of the pair that met most often."""

_GROUPS = {"top": slice(0, 6), "middle": slice(6, 12), "lowest": slice(12, 20)}


def summary(frames: Frames) -> dict[str, Any]:
    """Sums of the printed scores, who wins the simulated event, and claims."""
    away, ways = equal_halves(frames)
    before = {tier: comb(8 if tier == 1 else 6, 2) for tier in _MEAN_GAMES}
    counts, given = counted(frames), ratings(frames)
    return {
        "sums": _sums(frames["tiers"]),
        "printed_games": _GAMES,
        "pairings": _PAIRINGS,
        "mean_games": list(_MEAN_GAMES.values()),
        "games": [f"{before[tier] * mean:.0f}" for tier, mean in _MEAN_GAMES.items()],
        "before": list(before.values()),
        "pair": _CARLSEN_ARONIAN,
        "choices": [comb(30, 10), comb(20, 10)],
        "away": away,
        "ways": ways,
        "colours": round_robin(8).colour_counts(),
        "ratings": [given[0], given[-1]],
        "number": counts["events"].iloc[0],
        "winners": _winners(frames["wins"]),
        "left": [f"{one:.1%}" for one in counts["lots"] / counts["events"]],
        "claims": judged(CLAIMS, frames),
        "nearly": NEARLY,
    }


def _sums(tiers: pd.DataFrame) -> pd.DataFrame:
    """By tier: the sum of the scores, who goes on or wins, and which ranks start there."""
    sums = tiers.groupby("tier", as_index=False)[["mean_ts", "off"]].sum()
    best = tiers[goes_on(tiers)].groupby("tier")["player"].agg(", ".join)
    ranks = [f"{low} to {high}" for low, high in start_ranks(tiers).values()]
    return sums.assign(best=best.to_numpy(), ranks=ranks)


def _winners(wins: pd.DataFrame) -> pd.DataFrame:
    """How often the highest rated and one of every tier wins, with exact intervals."""
    groups = {f"{wins['player'].iloc[0]}, the highest rated": slice(0, 1)}
    groups |= {f"a player of the {tier} tier": ranks for tier, ranks in _GROUPS.items()}
    rows = []
    for label, ranks in groups.items():
        for repeats, some in wins.groupby("repeats"):
            won, events = round(some["wins"].iloc[ranks].sum() / SHARES), some["events"].iloc[0]
            rows.append((label, repeats, won / events, *exact_interval(won, int(events))))
    return pd.DataFrame(rows, columns=pd.Index(["winner", "repeats", "share", "low", "high"]))
