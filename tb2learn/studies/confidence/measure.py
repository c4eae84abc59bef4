"""Calibrate rules: fit how sure their orders are in some worlds, and judge that in others."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.assessment.by_ratings import stated_against_ratings
from tb2learn.assessment.calibration import (
    BIN_ENDS,
    BINS,
    PRICES,
    TOPS,
    MarginCounts,
    calibration_error,
    count_margins,
    fit,
    margin_widths,
    price_of_sharing,
    reliability,
)
from tb2learn.config import Config, load_config
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.frames import Frames, ends_of, rounded, where, wide
from tb2learn.report.stored import Csv, Each, Json, columns_of
from tb2learn.report.style import (
    COLOURS,
    GRID,
    INK,
    MARKERS,
    blank_figure,
    dress,
    in_percent,
    plain_legend,
)
from tb2learn.report.wording import rule_name
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress
from tb2learn.studies.confidence.mixtures import REAL, Mixture, chosen
from tb2learn.tiebreaks.confidence_map import Confidence, confidence_name
from tb2learn.tiebreaks.rules import Rule
from tb2learn.version import CALIBRATED

Counts: TypeAlias = tuple[MarginCounts, ...]
"""Of every rule."""

_PROBABILITIES = ("c", "55%", "60%", "70%", "80%", "90%", "95%")

FILES = (
    Json(
        "confidence.json",
        Each(
            "maps",
            {
                **columns_of("maps", "schema", "rule", "digest", "unit", "scale", "version"),
                **columns_of("maps", "worlds", "events_per_world", "seed", "judged"),
                "sharing": Each("sharing", columns_of("sharing", "world", *PRICES)),
            },
            by="map",
        ),
        indent=1,
    ),
    Csv(
        "reliability.csv",
        "reliability",
        forms=dict.fromkeys(("stated", "observed", "low", "high"), ".4f"),
    ),
    Csv("classes.csv", "classes"),
    Csv("mixture.csv", "parts"),
    Csv("real.csv", "real"),
    Csv("margins.csv", "margins", forms=dict.fromkeys(_PROBABILITIES, ".4g")),
)


def measure(
    rules: Sequence[str],
    events: int,
    seed: int,
    worlds: Sequence[str] | None = None,
    others: Sequence[str] | None = None,
    spread: bool = False,
) -> dict[str, pd.DataFrame]:
    """Fit the confidence of rules in a mixture of worlds and judge it on fresh events.

    **Arguments:**

    - `rules`: their names; without any, those that are shipped.
    - `events`: of every world, to fit and again to judge: streams `CALIBRATE` and `ASSESS`.
    - `seed`: of both, and of the bootstrap.
    - `worlds`, `others`, `spread`: as the fields of `Mixture`; by default as shipped.

    **Returns:**

    - `saved`: the file of every map: `name` and `text`.
    - `maps`: a row a `map`, which is its number, with what the file holds.
    - `sharing`: what it costs to leave pairs open, by map and world: `price_of_sharing`.
    - `reliability`: a row a rule, world, population and class of stated probability; `stated` and
      `observed` with the ends of its interval are NaN in empty classes.
    - `classes`: the same in the fewer classes of `STATED`.
    - `parts`: the calibration errors in every single world of the mixture.
    - `margins`: `Confidence.frame` of every rule.
    - `real`: real events, `_in_real_events`, of rules for their format.

    **Raises:** `InputError` for worlds of different formats, or a rule for another one.
    """
    parts: dict[str, list[pd.DataFrame]] = {}
    for one in chosen(rules, worlds, others, spread):
        for frames in _calibrated(one, events, seed):
            for name, frame in frames.items():
                known = parts.setdefault(name, [])
                number = {"map": len(known)} if name in ("maps", "sharing") else {}
                known.append(frame.assign(**number))
    return {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}


MIXTURE = "the mixture"
"""What all worlds of a mixture together are called."""


def _calibrated(one: Mixture, events: int, seed: int) -> Iterator[dict[str, pd.DataFrame]]:
    """The frames of every rule of a mixture."""
    rules, parts, beside = one.found(), one.parts(), one.beside()
    widths = margin_widths(next(iter(parts.values())), rules, seed)

    def counts(name: str, config: Config, purpose: Purpose, what: str, **more: bool) -> Counts:
        shown, range_ = Progress(f"{what} {name}"), EventRange(seed, purpose, events)
        return count_margins(config, rules, widths, range_, shown, **more)

    fitted = [counts(*world, Purpose.CALIBRATE, "fit") for world in parts.items()]
    scales = [fit(reduce(operator.add, some)) for some in zip(*fitted, strict=True)]
    inside, outside = (
        {world[0]: counts(*world, Purpose.ASSESS, "judge") for world in worlds.items()}
        for worlds in (parts, beside)
    )
    rounds, boards = rules[0].event_rounds, rules[0].boards
    real = [read_event(name) for name in REAL_EVENTS]
    real = [event for event in real if (event.rounds, event.boards) == (rounds, boards)]
    due: Counts = ()
    if real:
        due = counts(REAL, load_config(REAL), Purpose.ASSESS, "rate", rated=True)
    for number, (rule, scale) in enumerate(zip(rules, scales, strict=True)):
        single = {name: some[number] for name, some in inside.items()}
        whole = reduce(operator.add, single.values())
        name = MIXTURE if len(single) > 1 else next(iter(single))
        judged = {name: whole} | {name: some[number] for name, some in outside.items()}
        own = {"scale": scale, "seed": seed}
        errors = _by_world(judged, partial(calibration_error, **own))
        about = {
            "version": CALIBRATED,
            "worlds": list(parts),
            "events_per_world": events,
            "seed": seed,
            "judged": _rounded(errors, fitted=name),
        }
        found = Confidence(rule.name, rule.digest(), scale * rule.unit, rule.unit, about)
        in_bins = _by_world(judged, partial(reliability, **own, ends=BIN_ENDS))
        frames = {
            "reliability": in_bins.drop(columns=["least", "most"]),
            "classes": _by_world(judged, partial(reliability, **own)),
            "parts": _by_world(single, partial(calibration_error, **own)),
            "margins": found.frame()[["own_mp", *_PROBABILITIES]],
        }
        if real:
            rated = reliability(due[number], **own)
            frames["real"] = _in_real_events(real, rule, found, rated, seed)
        yield {
            "saved": pd.DataFrame([{"name": confidence_name(rule), "text": found.to_json()}]),
            "maps": pd.DataFrame([json.loads(found.to_json())]),
            "sharing": _by_world(judged, partial(price_of_sharing, scale=scale)),
        } | {
            name: rounded(_first("rule", rule.name, frame.replace({"top": {0: "all"}})), 6)
            for name, frame in frames.items()
        }


def _by_world(
    judged: Mapping[str, MarginCounts], found: Callable[[MarginCounts], pd.DataFrame]
) -> pd.DataFrame:
    """What is found in every world, below each other."""
    return pd.concat([_first("world", name, found(own)) for name, own in judged.items()])


def _first(column: str, value: str, frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with another first column."""
    return frame.assign(**{column: value})[[column, *frame.columns]]


def _rounded(errors: pd.DataFrame, fitted: str) -> list[dict[str, Any]]:
    """Calibration errors as a map's file says them."""
    return [
        {"world": one["world"], "fitted": one["world"] == fitted, "top": one["top"] or "all",
         "ece": round(one["ece"], 5), "ece_ci": [round(one[end], 5) for end in ("low", "high")]}
        for one in errors.to_dict("records")
    ]  # fmt: skip


REAL_EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""Events in which stated probabilities are held against ratings."""


def _in_real_events(
    events: Sequence[TeamEvent], rule: Rule, found: Confidence, due: pd.DataFrame, seed: int
) -> pd.DataFrame:
    """Stated probabilities against ratings: in real events, and in simulated ones.

    **Returns:** the rows of `stated_against_ratings`, where the share `found` has the ends
    `found_low` and `found_high`; and `due`, the same share in simulated events, with its own.
    """
    there = stated_against_ratings(events, rule, found, seed)
    there = there.rename(columns={"rated": "found", "low": "found_low", "high": "found_high"})
    rated = due[due["top"] == TOPS[-1]].reset_index()
    return there.assign(due=rated["observed"], due_low=rated["low"], due_high=rated["high"])


# --------------------------------------------------------------------------- the report

SURE = 0.9
"""From here on an order is called sure."""


def summary(frames: Frames) -> dict[str, Any]:
    """Calibration errors, classes, margins, prices of sharing and real events, as shown."""
    first = frames["maps"].iloc[0]
    errors = pd.DataFrame(
        {"rule": rule_name(one.rule), "world": judged["world"],
         "fitted": "yes" if judged["fitted"] else "no", "ece": judged["ece"],
         "low": judged["ece_ci"][0], "high": judged["ece_ci"][1]}
        for one in frames["maps"].itertuples()
        for judged in one.judged
        if judged["top"] == TOPS[0]
    )  # fmt: skip
    own, top = frames["margins"]["own_mp"], str(TOPS[0])
    classes, parts = (frames[name].astype({"top": str}) for name in ("classes", "parts"))
    classes = _named(classes.assign(over=100 * (classes["stated"] - classes["observed"])))
    inside = classes[~classes["world"].isin(_outside(first))]
    real = _named(frames.get("real", frames["classes"].iloc[:0]))
    return {
        "first": first,
        "name": rule_name(first["rule"]),
        "errors": errors,
        "outside": _outside(first),
        "classes": where(inside, rule=first["rule"], top=top),
        "over": {
            "Ties that touch the top 10": _wide(where(inside, top=top)),
            "All ties": _wide(where(inside, top="all")),
        },
        "worst": inside["over"].abs().max(),
        "parts": where(parts, rule=first["rule"], top=top),
        "own": frames["margins"][(own == 0).cumsum() == 1],
        "prices": where(frames["sharing"], map=0, top=TOPS[0]),
        "real": where(real, rule=first["rule"]),
        "sure": real[real["least"] >= SURE],
        "agree": [low <= due <= high for due, low, high in _due_and_found(real)],
        "real_events": REAL_EVENTS,
        "bins": BINS,
    }


def _due_and_found(real: pd.DataFrame) -> Iterator[tuple[float, float, float]]:
    """What is due in every class, and the interval of what is found."""
    return zip(*(real.get(name, ()) for name in ("due", "found_low", "found_high")), strict=True)


def _outside(first: pd.Series) -> list[str]:
    """Names of the worlds outside the mixture."""
    return list(dict.fromkeys(one["world"] for one in first["judged"] if not one["fitted"]))


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with the class and the rule in words."""
    ends = zip(frame["least"], frame["most"], strict=True)
    words = [f"{low:.0%} to {high:.0%}" for low, high in ends]
    return frame.assign(**{"class": words}, name=frame["rule"].map(rule_name))


def _wide(rows: pd.DataFrame) -> pd.DataFrame:
    """Stated less observed, in points: a row a rule and format, a column a class."""
    number = (rows["class"] == rows["class"].iloc[0]).cumsum()  # of the same name in two formats
    found = wide(rows.assign(number=number), ["number", "name"], "class", "over").reset_index()
    return found.drop(columns="number").rename(columns={"name": "rule"})


def reliability_figure(frames: Frames) -> Figure:
    """Reliability diagrams: observed share of right orders by stated probability.

    One a population of simulated pairs, with at most as many worlds as colours, and one of real
    events, if the rule is for their format: the share with the higher rating, due and found.
    """
    first = frames["maps"].iloc[0]
    fitted = {one["world"]: one["fitted"] for one in first["judged"]}
    found = where(frames["reliability"], rule=first["rule"])
    tops = found["top"].unique()
    real = frames.get("real", pd.DataFrame({"rule": []}))
    real = where(real, rule=first["rule"])
    number = len(tops) + (len(real) > 0)
    figure = blank_figure(5.2 * number, 5.0)
    panels = np.atleast_1d(figure.subplots(1, number, sharex=True, sharey=True))
    for panel, top in zip(panels, tops, strict=False):
        for world, inside in fitted.items():
            label = world if inside else f"{world} (outside)"
            rows = where(found, top=top, world=world)
            _curve(panel, rows[rows["pairs"] > 0], "observed", label, dashed=not inside)
        which = "all ties" if top == "all" else f"touching the top {top}"
        _dress(panel, f"{rule_name(first['rule'])}: {which}", "share of right orders")
    if len(real):
        rows = real[real["pairs"] > 0]
        _curve(panels[-1], rows, "due", "due: simulated events", dashed=True)
        _curve(panels[-1], rows, "found", "found: real events")
        _dress(panels[-1], "held against published ratings", "share with the higher rating")
    return figure


def _curve(
    panel: Axes, rows: pd.DataFrame, share: str, label: str, *, dashed: bool = False
) -> None:
    """A share by stated probability, with its intervals, in the next colour."""
    number = len(panel.containers)
    low, high = (rows[end] for end in ends_of(share, rows))
    panel.errorbar(
        rows["stated"],
        rows[share],
        np.maximum([rows[share] - low, high - rows[share]], 0),
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        markersize=4,
        linewidth=0.8,
        linestyle=":" if dashed else "-",
        label=label,
    )


def _dress(panel: Axes, title: str, share: str) -> None:
    panel.plot([0.5, 1], [0.5, 1], color=INK, linewidth=1.0)
    dress(panel, title, "stated probability", share)
    in_percent(panel.xaxis, panel.yaxis)
    panel.grid(color=GRID, linewidth=0.6)
    plain_legend(panel.legend(frameon=False, fontsize=8))


FIGURES = {"reliability.png": reliability_figure}
