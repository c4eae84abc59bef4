"""Calibrate rules: fit how sure their orders are in some worlds, and judge that in others."""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from tb2learn.assessment.by_ratings import stated_against_ratings
from tb2learn.assessment.calibration import (
    BINS,
    PRICES,
    TOPS,
    MarginCounts,
    count_margins,
    fit,
    margin_widths,
    price_of_sharing,
    reliability,
)
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, load_config
from tb2learn.events import read_event
from tb2learn.report.frames import Frames, where
from tb2learn.report.stored import Csv, Each, Json, columns_of
from tb2learn.report.style import COLOURS, GRID, INK, MARKERS, blank_figure, dress
from tb2learn.report.wording import rule_name
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress
from tb2learn.tiebreaks.confidence_map import Confidence, confidence_name
from tb2learn.types import InputError
from tb2learn.version import NUMBERS


class Mixture(NamedTuple):
    """Rules of one format that are calibrated together.

    **Fields:**

    - `rules`: their names.
    - `worlds`: configurations, each with the same number of events in the mixture that the maps are
      fitted in.
    - `others`: worlds outside the mixture in which the maps are judged, too.
    """

    rules: Sequence[str]
    worlds: Sequence[str]
    others: Sequence[str] = ()


def _passes(name: str) -> tuple[str, ...]:
    """A table in three passes, and those of fewer."""
    return name, f"{name}-pass1", f"{name}-pass2"


SHIPPED = (
    Mixture(
        (
            *(*_passes("learned-180x11"), "formula-180x11", "olympiad-180x11"),
            *("product", "least-squares", "fair-180x11", "rosters-180x11", "formula"),
        ),
        ("fitted-180x11", "seeded-180x11"),
        ("baku2016-field", "olympiad-180x11", "shock-180x11"),
    ),
    Mixture((*_passes("learned-38x9"), "formula-38x9", "formula"), ("learned-38x9", "seeded-38x9")),
    *(
        Mixture(
            (*_passes(f"learned-{boards}boards"), "formula"),
            (f"learned-{boards}boards", f"seeded-{boards}boards"),
        )
        for boards in (6, 8)
    ),
)
"""What is shipped, by format, that of the Olympiad first: there the mixture has rosters and games
of Baku 2016."""

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
    Csv("margins.csv", "margins", forms=dict.fromkeys(_PROBABILITIES, ".4g")),
)


def measure(
    rules: Sequence[str],
    worlds: Sequence[str] | None,
    others: Sequence[str] | None,
    events: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Fit the confidence of rules in a mixture of worlds and judge it on fresh events.

    **Arguments:**

    - `rules`, `worlds`, `others`: as the fields of `Mixture`; where nothing is said, those that are
      shipped.
    - `events`: of every world, to fit and again to judge: streams `CALIBRATE` and `ASSESS`.
    - `seed`: of both, and of the bootstrap.

    **Returns:**

    - `saved`: the file of every map: `name` and `text`.
    - `maps`: a row a `map`, which is its number, with what the file holds.
    - `sharing`: what it costs to leave pairs open, by map and world: `price_of_sharing`.
    - `reliability`: a row a rule, world, population and class of stated probability; `stated` and
      `observed` with the ends of its interval are NaN in empty classes.
    - `margins`: `Confidence.frame` of every rule.

    **Raises:** `InputError` for worlds of different formats, or a rule for another one.
    """
    parts: dict[str, list[pd.DataFrame]] = {}
    for one in _mixtures(rules, worlds, others):
        for frames in _calibrated(one, events, seed):
            for name, frame in frames.items():
                known = parts.setdefault(name, [])
                number = {"map": len(known)} if name in ("maps", "sharing") else {}
                known.append(frame.assign(**number))
    return {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}


def _mixtures(
    rules: Sequence[str], worlds: Sequence[str] | None, others: Sequence[str] | None
) -> Sequence[Mixture]:
    if not (rules or worlds or others):
        return SHIPPED
    first = SHIPPED[0]
    further = others or (() if worlds else first.others)
    return [Mixture(rules or first.rules, worlds or first.worlds, further)]


def _calibrated(one: Mixture, events: int, seed: int) -> Iterator[dict[str, pd.DataFrame]]:
    """The frames of every rule of a mixture."""
    configs = [load_config(name) for name in dict.fromkeys([*one.worlds, *one.others])]
    event = configs[0].event
    for config in configs:
        if (config.event.rounds, config.event.boards) != (event.rounds, event.boards):
            raise InputError(
                f"worlds must have the same rounds and boards, {config.name} differs from "
                f"{configs[0].name}"
            )
    rules = [find_rule(name, event.rounds, event.boards, event.teams) for name in one.rules]
    widths = margin_widths(configs[0], rules, seed)

    def counts(config: Config, purpose: Purpose, label: str) -> tuple[MarginCounts, ...]:
        shown = Progress(f"{label} {config.name}")
        return count_margins(config, rules, widths, EventRange(seed, purpose, events), shown)

    mixture = [counts(c, Purpose.CALIBRATE, "fit") for c in configs[: len(set(one.worlds))]]
    scales = [fit(functools.reduce(operator.add, parts)) for parts in zip(*mixture, strict=True)]
    judged = [counts(config, Purpose.ASSESS, "judge") for config in configs]
    for number, (rule, scale) in enumerate(zip(rules, scales, strict=True)):
        worlds = list(zip(configs, (parts[number] for parts in judged), strict=True))
        classes, errors = zip(*(reliability(own, scale, seed) for _, own in worlds), strict=True)
        names = [config.name for config in configs]
        about = _provenance(errors, names, len(mixture), events, seed)
        found = Confidence(rule.name, rule.digest(), scale * rule.unit, rule.unit, about)
        prices = [price_of_sharing(own, scale) for _, own in worlds]
        yield {
            "saved": pd.DataFrame([{"name": confidence_name(rule), "text": found.to_json()}]),
            "maps": pd.DataFrame([json.loads(found.to_json())]),
            "sharing": _by_world(prices, names)[["world", *PRICES]],
            "reliability": _by_world(classes, names)
            .assign(rule=rule.name)[
                ["rule", "world", "top", "stated", "observed", "low", "high", "pairs"]
            ]
            .replace({"top": {0: "all"}}),
            "margins": found.frame().assign(rule=rule.name)[["rule", "own_mp", *_PROBABILITIES]],
        }


def _by_world(parts: Sequence[pd.DataFrame], worlds: Sequence[str]) -> pd.DataFrame:
    return pd.concat([one.assign(world=name) for one, name in zip(parts, worlds, strict=True)])


def _provenance(
    errors: Sequence[pd.DataFrame], worlds: Sequence[str], fitted: int, events: int, seed: int
) -> dict[str, Any]:
    """What a map's file says: calibration errors by world, of which the first ones are fitted."""
    judged = [
        {"world": name, "fitted": number < fitted, "top": one["top"] or "all",
         "ece": round(one["ece"], 5), "ece_ci": [round(one[end], 5) for end in ("low", "high")]}
        for number, (name, found) in enumerate(zip(worlds, errors, strict=True))
        for one in found.to_dict("records")
    ]  # fmt: skip
    return {
        "version": NUMBERS,
        "worlds": list(worlds[:fitted]),
        "events_per_world": events,
        "seed": seed,
        "judged": judged,
    }


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
    found = stated_against_ratings(events, rule, confidence, seed)
    ends = zip(found["least"], found["most"], strict=True)
    return found.assign(**{"class": [f"{low:.0%} to {high:.0%}" for low, high in ends]})


def reliability_figure(frames: Frames) -> Figure:
    """A reliability diagram a population: observed share of right orders by stated probability.

    There are at most as many worlds as colours.
    """
    first = frames["maps"].iloc[0]
    fitted = {one["world"]: one["fitted"] for one in first["judged"]}
    found = where(frames["reliability"], rule=first["rule"])
    tops = found["top"].unique()
    figure = blank_figure(5.2 * len(tops), 5.0)
    panels = np.atleast_1d(figure.subplots(1, len(tops), sharex=True, sharey=True))
    for panel, top in zip(panels, tops, strict=True):
        panel.plot([0.5, 1], [0.5, 1], color=INK, linewidth=1.0)
        for number, world in enumerate(fitted):
            rows = where(found, top=top, world=world)
            rows = rows[rows["pairs"] > 0]
            ends = [rows["observed"] - rows["low"], rows["high"] - rows["observed"]]
            panel.errorbar(
                rows["stated"],
                rows["observed"],
                np.maximum(ends, 0),
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                markersize=4,
                linewidth=0.8,
                linestyle="-" if fitted[world] else ":",
                label=world if fitted[world] else f"{world} (outside)",
            )
        which = "all ties" if top == "all" else f"touching the top {top}"
        title = f"{rule_name(first['rule'])}: {which}"
        dress(panel, title, "stated probability", "share of right orders")
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        panel.grid(color=GRID, linewidth=0.6)
    legend = panels[0].legend(frameon=False, fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure


FIGURES = {"reliability.png": reliability_figure}
