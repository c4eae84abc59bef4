"""What the report shows beside its frames: named rows, what surely beats lots, claims."""

from __future__ import annotations

from math import comb
from typing import Any

import pandas as pd

from tb2learn.report.frames import Frames, where, wide_with_ends
from tb2learn.report.wording import rule_name
from tb2learn.studies.claims import NEARLY
from tb2learn.studies.formats import deciding
from tb2learn.studies.formats.claims import claims
from tb2learn.studies.formats.measure import LEAGUES
from tb2learn.studies.formats.settling import TIES, tie_rule


def summary(frames: Frames) -> dict[str, Any]:
    """Rows with the names of rules, what surely beats lots, claims, and constants."""
    leagues = frames["leagues"].assign(named=frames["leagues"]["rule"].map(rule_name))
    ties = frames["ties"].assign(named=frames["ties"]["rule"].map(tie_rule))
    first = {world: where(ties, world=world, place=TIES[0]) for world in deciding.WORLDS}
    best_first = [
        where(leagues, league=league, top=top).sort_values("error", kind="stable")
        for league in LEAGUES
        for top in ("all", "1")
    ]
    return {
        "by_league": pd.concat(best_first),
        "by_world": {world: _by_format(frames, world) for world in deciding.WORLDS},
        "first": first,
        "better": {world: _better_than_lots(some) for world, some in first.items()},
        "claims": claims(frames),
        "nearly": NEARLY,
        "deciding": deciding,
        "final_matches": comb(deciding.FINALISTS, 2) * deciding.FINAL_CYCLES,
        "tiers": [tier.teams for tier in deciding.TIERS],
    }


def _by_format(frames: Frames, world: str) -> pd.DataFrame:
    """A row a format; no colours where the pairing has none."""
    found = wide_with_ends(where(frames["formats"], world=world), "format", "what")
    boards, _ = deciding.WORLDS[world]
    if boards > 1:
        colourless = found["format"].str.startswith("Swiss")
        found.loc[colourless, ["surplus", "surplus_low", "surplus_high"]] = None
    return found


def _better_than_lots(ties: pd.DataFrame) -> str:
    """Formats, and the rules that are surely better than a lot there, best first."""
    texts = []
    for name, some in ties.groupby("format", sort=False):
        better = some[some["high"] < 0.5].sort_values("wrong", kind="stable")
        rules = [f"{one.named} ({one.wrong:.3f})" for one in better.itertuples()]
        texts.append(f"{name}: {', '.join(rules) or 'no rule'}")
    return "; ".join(texts)
