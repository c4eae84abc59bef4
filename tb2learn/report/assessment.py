"""An assessment and probes as tables; the text of an assessment is several narrow ones."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from tb2learn.assessment.error_rates import Assessment, compared
from tb2learn.assessment.ideal import MOST_IDEAL
from tb2learn.assessment.tally import BLOCKS
from tb2learn.config import to_dict
from tb2learn.export.document import Document, Part, Sentences
from tb2learn.export.error_words import errors_of_hundred, that_reach
from tb2learn.export.result import WIDTH, Table
from tb2learn.export.rule_names import called
from tb2learn.report.wording import seeding
from tb2learn.stats import signed
from tb2learn.text import plain
from tb2learn.tiebreaks.library import REFERENCES


def assessment_table(result: Assessment) -> Table:
    """An assessment as a table: a row a rule and population, with the columns of `error_rates`.

    Its JSON has, beside the `rows`, what they were made with: `protocol`, `lists` (null in the
    single-event protocol), `events`, `seed`, `config`, and `rounding` (how many verdicts the
    rounding of the last rule changed, of how many; null if that was not counted). Undefined numbers
    (no pairs, no errors to save) are null.
    """
    return Table.of(
        result.frame.replace([math.inf, -math.inf], math.nan),
        title=_title(result),
        notes=_notes(result),
        about={
            "protocol": result.protocol,
            "lists": result.lists,
            "events": result.events,
            "seed": result.seed,
            "config": to_dict(result.config),
            "rounding": result.rounding,
        },
        keys=2,
    )


def _title(result: Assessment) -> str:
    lists = f", lists {result.lists}" if result.lists else ""
    # Events are resampled in blocks, of which a small trial has fewer.
    blocks = min(result.events, BLOCKS)
    return (
        f"{result.config.name}: {result.protocol} protocol{lists}, {result.events} events, seed "
        f"{result.seed}; from and to: 95 % bootstrap intervals over events, in {blocks:,} blocks"
    )


def _notes(result: Assessment) -> list[str]:
    if not result.rounding:
        return []
    changed, pairs = result.rounding
    # A small trial may have no tie.
    share = changed / pairs if pairs else 0.0
    return [
        f"Rounding the table to whole points changed {changed} of {pairs} verdicts ({share:.3%})."
    ]


def assessment_text(result: Assessment, width: int | None = WIDTH) -> str:
    """An assessment as aligned tables, error rates and what they say of seeds, then in a sentence.

    **Arguments:** `width`: of the text, as `Table.text` takes it.
    """
    # Each view fits the width on its own.
    texts = [view.text(width) for view in _views(result)]
    sentences = closing_sentences(result)
    closing = "\n".join(textwrap.fill(line, width) if width else line for line in sentences)
    return "\n".join([*texts, *(f"{note}\n" for note in (*_notes(result), closing) if note)])


def closing_sentences(result: Assessment) -> list[str]:
    """What was found, a sentence a rule: how many of 100 ties it and today's rule decide wrongly.

    References are no rules that an event could use, so they have none.
    """
    frame, teams = result.frame, result.config.event.teams
    top = _NEAR if teams > int(_NEAR) else "all"
    rows = frame[frame["top"] == top]
    if rows.empty or not rows["pairs"].iloc[0]:
        return []
    rules = [rule for rule in rows["rule"].iloc[1:] if rule not in REFERENCES]
    found = (compared(frame, rule, top) for rule in rules)
    return [f"{errors_of_hundred(difference, that_reach(top))}." for difference in found]


_NEAR = "30"
"""The population of the closing sentences, where there are more teams."""


def percent(share: float) -> str:
    """Errors in per cent of ties: `24.3 %`."""
    return f"{100 * share:.1f} %"


def points(share: float) -> str:
    """A difference of two error rates in points of per cent: `-5.6`."""
    return signed(100 * share, 1)


def others_document(found: pd.DataFrame, events: int, picture: bytes) -> Document:
    """The orders that hang on a match of others as a page to print, with their chart.

    **Arguments:** as for `others_table`; `picture` a PNG.
    """
    names = ("hanging", "hanging_low", "hanging_high")
    grid = Table.of(
        found[["rule", "top", "pairs", *names]],
        headings=dict(zip(names, ("hanging", "from", "to"), strict=True)),
        formats={**_RULE, "pairs": ",", **dict.fromkeys(names, percent)},
        keys=2,
    ).grid()
    means = (
        f"Counted in {events:,} simulated events: how many orders of two tied teams hang on a "
        "match of other teams in the last round. The next closest result there, such as a draw "
        "instead of a win, would have swapped the two. From and to: 95 % intervals over events."
    )
    title = "Orders of tied teams, and matches of others in the last round"
    return Document(title, (), (Sentences("", (means,)), grid), picture=picture)


def _called(name: str) -> str:
    """What people call a rule, whose name may come from a file."""
    return plain(called(name))


_RULE: dict[str, str | Callable[[Any], str]] = {"rule": _called}
"""The format of the column of rules: files have their names, people read what they are called."""


def assessment_document(result: Assessment) -> Document:
    """The same tables as a page to print."""
    frame = result.frame
    # In a small field most populations are all ties.
    teams = result.config.event.teams
    whole = [top.isdigit() and int(top) >= teams for top in frame["top"]]
    frame = frame[~np.array(whole)]
    blocks: list[Part] = []
    for view in _views(replace(result, frame=frame), on_paper=True):
        blocks += [Sentences("", (view.title,)), replace(view, title="").grid()]
    blocks.append(Sentences("", tuple(_notes(result))))
    return Document(f"How often rules err: {seeding(result.config)}", (), tuple(blocks))


def _views(result: Assessment, on_paper: bool = False) -> list[Table]:
    frame = result.frame
    # On paper nobody types an option.
    hint = "" if on_paper or "excess" in frame else "; --ideal counts what an ideal rule does"
    rates: dict[str, Callable[[float], str]] = {"error": percent}
    for name in map(str, frame.columns):
        if re.fullmatch("than_.*(?<!_low)(?<!_high)", name):
            rates[name] = points
    views: list[tuple[str, list[str], dict[str, Callable[[float], str]]]] = [
        (_title(result), ["pairs"], rates)
    ]
    if "near_equal" in frame:
        # Random seeds say nothing of the strengths, so that neither team is the outsider.
        if result.config.field.informative:
            views.append(
                (
                    "Wrong where the higher seed is the better team, and where the lower seed is",
                    [],
                    {"higher_better": percent, "lower_better": percent},
                )
            )
        views.append(
            (
                "Verdicts for the higher seed of two nearly equal teams (less than one expected "
                "match point of the all-play-all apart), and how many such pairs there were. 50 % "
                f"is no aim: docs/method.md says why{hint}",
                [],
                {"near_equal": percent},
            )
        )
        if "excess" in frame:
            few = min(result.events, MOST_IDEAL)
            views.append(
                (
                    "How much more often rules prefer the higher of two nearly equal seeds than an "
                    f"ideal rule that knows all but the seeds (in points, on the same {few:,} "
                    "events), and how often it does",
                    ["ideal"],
                    {"excess": points},
                )
            )
        if "front" in frame:
            views.append(
                (
                    "The higher seed of two nearly equal teams in front at all, tied or not, by "
                    "the place of the better team by the oracle; by match points alone (equal "
                    "points one half), which the pairing does; and what the tie-break adds, in "
                    "points",
                    ["front_pairs", "front", "front_points"],
                    {"front_tie_break": points},
                )
            )
        if frame["copies_pairs"].any():
            title = "The same among identical simulated teams (copies of one roster)"
            views.append((title, [], {"copies": percent}))
    return [_view(frame, *view) for view in views]


_HEADINGS = {"error": "wrong", "than": "points", "near": "verdicts", "front": "tie-break"}
"""Of columns, by the first word of their names."""

_PLAIN = {
    "ideal": ("ideal", percent),
    "front": ("in front", percent),
    "front_points": ("by points", percent),
    "front_pairs": ("pairs", ","),
}
"""Headings and formats of columns that are shown without an interval."""


def _view(
    frame: pd.DataFrame, title: str, columns: list[str], shares: dict[str, Callable[[float], str]]
) -> Table:
    """Some columns of the frame, then shares with their intervals.

    **Arguments:** `shares`: by column, how its numbers are shown.
    """
    headings: dict[str, str] = {}
    formats = {**_RULE, "pairs": ","}
    for name in columns:
        if name in _PLAIN:
            headings[name], formats[name] = _PLAIN[name]
    chosen = ["rule", "top", *columns]
    for name, form in shares.items():
        ends = [name, f"{name}_low", f"{name}_high"]
        chosen += ends
        heading = _HEADINGS.get(name.partition("_")[0], name.replace("_", " "))
        headings |= dict(zip(ends, (heading, "from", "to"), strict=True))
        formats |= dict.fromkeys(ends, form)
        # These rates have denominators of their own.
        if f"{name}_pairs" in frame and name in ("near_equal", "copies"):
            chosen.append(f"{name}_pairs")
            headings[f"{name}_pairs"], formats[f"{name}_pairs"] = "pairs", ","
    return Table.of(frame[chosen], title=title, headings=headings, formats=formats, keys=2)


def probes_table(probed: pd.DataFrame) -> Table:
    """What `half_point_probes.probe_rules` found, as a table."""
    return Table.of(
        probed,
        headings={
            "within": "same MP",
            "share": "rate",
            "share_low": "from",
            "share_high": "to",
            "worst": "worst loss",
            "places": "worse place",
        },
        formats={
            **_RULE,
            **dict.fromkeys(("probes", "within", "violations", "places"), ","),
            **dict.fromkeys(("share", "share_low", "share_high"), ".1e"),
        },
    )


def coalitions_table(won: pd.DataFrame) -> Table:
    """What `coalition_probes.probe_coalitions` found, as a table."""
    headings = {
        "result": "result",
        "of": "places of",
        "pairs": "pairs",
        **{"mean": "mean", "mean_low": "from", "mean_high": "to"},
        "from_1": "1 or more",
        **{"from_3": "3 or more", "from_3_low": "from", "from_3_high": "to"},
        **{"from_10": "10 or more", "median": "half at most", "most_of_100": "99% at most"},
        "worst": "worst",
    }
    # Means and chances have three decimals, places none.
    three = {name: ".3f" for name in headings if name[:4] in ("mean", "from")}
    formats = {**_RULE, "pairs": ",", **three}
    chosen = won[["rule", *headings]]
    return Table.of(chosen, headings=headings, formats=formats, keys=3)


def others_table(found: pd.DataFrame, events: int) -> Table:
    """What `dependence.dependence` found in so many events, as a table."""
    names = ("hanging", "matches", "one", "all", "certain")
    headings = {"pairs": "pairs", "decided": "decided"}
    for name in names:
        headings |= {name: name, f"{name}_low": "from", f"{name}_high": "to"}
    return Table.of(
        found[["rule", "top", *headings]],
        title=f"Orders of tied teams, and matches of others in the last round ({events:,} events)",
        notes=["docs/method.md defines the columns; from and to: 95 % intervals over events"],
        headings=headings,
        formats={
            **_RULE,
            "pairs": ",",
            **{name: ".3f" for name in headings if name != "pairs"},
        },
        keys=2,
    )
