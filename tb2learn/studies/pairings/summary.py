"""What the report shows of every size."""

from __future__ import annotations

from typing import Any

from tb2learn.report.frames import Frames, where, wide_with_ends
from tb2learn.report.wording import rule_name
from tb2learn.studies.pairings.measure import LESS, RULES, SHOWN, TABLE


def summary(frames: Frames) -> dict[str, Any]:
    """Every size with its own frames."""
    sizes = frames["sizes"].to_dict("records")
    return {"sizes": [size | _of(frames, size["players"]) for size in sizes]}


def name_of(rule: str) -> str:
    """The name of a rule of the study."""
    return "table trained on ours" if rule == TABLE else rule_name(rule)


def _of(frames: Frames, players: int) -> dict[str, Any]:
    """The frames of a size for the tables; which differences are certain."""
    of_size = {name: where(frames[name], players=players) for name in ("errors", "agreement")}
    errors = of_size["errors"][of_size["errors"]["top"].isin(SHOWN)]
    apart = where(errors, what="apart")
    certain = apart[(apart["low"] > 0) | (apart["high"] < 0)]
    table = wide_with_ends(errors, ["top", "rule"], "what")
    # The first rule is compared with itself.
    gain = LESS.format("engine")
    table.loc[table["rule"] == RULES[0], [gain, f"{gain}_low", f"{gain}_high"]] = None
    ties = where(frames["ties"], players=players)[["top", "pairs"]]
    gains = where(errors, rule=TABLE, top="all").set_index("what")
    return {
        "agreement": wide_with_ends(of_size["agreement"], "round", "what", "share"),
        "errors": table.merge(ties).assign(named=table["rule"].map(name_of)),
        "certain": [
            f"{name_of(rule)} (ties that touch place {top})"
            for rule, top in zip(certain["rule"], certain["top"], strict=True)
        ],
        "gains": [gains.loc[LESS.format(whose)] for whose in ("engine", "ours")],
    }
