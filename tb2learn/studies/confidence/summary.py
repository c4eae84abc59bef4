"""What the report shows beside its frames: the errors of all maps, the first map in real events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tb2learn.assessment.by_ratings import stated_against_ratings
from tb2learn.assessment.calibration import BINS, TOPS
from tb2learn.catalogue import find_rule
from tb2learn.events import read_event
from tb2learn.report.frames import Frames, where
from tb2learn.report.wording import rule_name
from tb2learn.tiebreaks.confidence_map import Confidence

REAL_EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""Events in which stated probabilities are held against ratings."""


def summary(frames: Frames) -> dict[str, Any]:
    """Calibration errors, margins and prices of sharing, and real events, of the top ten."""
    maps = frames["maps"]
    errors = pd.DataFrame(
        {"rule": rule_name(one.rule), "world": judged["world"],
         "in the mixture": "yes" if judged["fitted"] else "no", "ECE": judged["ece"],
         "low": judged["ece_ci"][0], "high": judged["ece_ci"][1]}
        for one in maps.itertuples()
        for judged in one.judged
        if judged["top"] == TOPS[0]
    )  # fmt: skip
    first, own = maps.iloc[0], frames["margins"]["own_mp"]
    return {
        "first": first,
        "name": rule_name(first["rule"]),
        "errors": errors,
        "own": frames["margins"][(own == 0).cumsum() == 1],
        "prices": where(frames["sharing"], map=0, top=TOPS[0]),
        "real": _in_real_events(first),
        "real_events": REAL_EVENTS,
        "bins": BINS,
    }


def _in_real_events(first: pd.Series, seed: int = 1) -> pd.DataFrame:
    """Stated probabilities against the ratings of real events, if they have the rule's format."""
    events = [read_event(name) for name in REAL_EVENTS]
    rule = find_rule(first["rule"], events[0].rounds, events[0].boards)
    if rule.digest() != first["digest"]:
        return pd.DataFrame()
    scale = np.array(first["scale"])
    confidence = Confidence(first["rule"], first["digest"], scale, first["unit"], {})
    return pd.DataFrame(
        {"class": f"{one.low:.0%} to {one.high:.0%}", "pairs": one.pairs, "stated": one.stated,
         "rated": one.rated, "low": one.ci[0], "high": one.ci[1]}
        for one in stated_against_ratings(events, rule, confidence, seed)
    )  # fmt: skip
