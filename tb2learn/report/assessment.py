"""An assessment and probes as tables; the text of an assessment is several narrow ones."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from tb2learn.assessment.error_rates import Assessment
from tb2learn.assessment.tally import BLOCKS
from tb2learn.config import to_dict
from tb2learn.export.document import Document, Part, Sentences
from tb2learn.export.result import WIDTH, Table
from tb2learn.export.words import words
from tb2learn.report.wording import seeding
from tb2learn.tiebreaks.library import PRODUCT


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
    """An assessment as aligned tables: error rates, then, where seeds are not random, seed bias.

    **Arguments:** `width`: of the text, as `Table.text` takes it.
    """
    # Each view fits the width on its own.
    texts = [view.text(width) for view in _views(result)]
    return "\n".join([*texts, *(f"{note}\n" for note in _notes(result))])


def assessment_document(result: Assessment) -> Document:
    """The same tables as a page to print."""
    # In print FIDE's rule has a name that officials know.
    names = {PRODUCT: words()["rule.fide"]}
    frame = result.frame.assign(rule=result.frame["rule"].replace(names))
    blocks: list[Part] = []
    for view in _views(replace(result, frame=frame)):
        blocks += [Sentences("", (view.title,)), replace(view, title="").grid()]
    blocks.append(Sentences("", tuple(_notes(result))))
    return Document(f"How often rules err: {seeding(result.config)}", (), tuple(blocks))


def _views(result: Assessment) -> list[Table]:
    frame = result.frame
    views = [(_title(result), ["pairs"], {"error": ".4f", "saved": "+.1%"})]
    # Random seeds favour nobody: there is no bias to show.
    if "apart" in frame:
        views += [
            (
                "Seed bias: error rate where the higher seed is the better team, and where the "
                "lower seed is",
                [],
                {"higher_better": ".4f", "lower_better": ".4f"},
            ),
            (
                "Their difference (apart); share of verdicts for the higher seed among nearly "
                "equal teams (0.5 is fair), and how many such pairs there were. Nearly equal: less "
                "than one expected match point of the all-play-all apart",
                [],
                {"apart": "+.4f", "near_equal": ".4f"},
            ),
        ]
        if frame["copies_pairs"].any():
            title = "The same among identical simulated teams (copies of one roster)"
            views.append((title, [], {"copies": ".4f"}))
    return [_view(frame, *view) for view in views]


def _view(frame: pd.DataFrame, title: str, columns: list[str], shares: dict[str, str]) -> Table:
    """Some columns of the frame, then shares with their intervals.

    **Arguments:** `shares`: by column, how its numbers are shown.
    """
    headings, formats = {}, {"pairs": ","}
    chosen = ["rule", "top", *columns]
    for name, form in shares.items():
        ends = [name, f"{name}_low", f"{name}_high"]
        chosen += ends
        headings |= dict(zip(ends, (name.replace("_", " "), "from", "to"), strict=True))
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
    formats = {"pairs": ",", **{name: ".3f" for name in headings if name[:4] in ("mean", "from")}}
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
        formats={"pairs": ",", **{name: ".3f" for name in headings if name != "pairs"}},
        keys=2,
    )
