"""How sure is the order of two tied teams?"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.frames import wide
from studies.script import events_option, report, script, written
from tb2learn.assessment.by_ratings import check_rated, rated_pairs
from tb2learn.assessment.calibration import (
    BIN_ENDS,
    BINS,
    REAL,
    STATED,
    TOPS,
    Calibrated,
    MarginCounts,
    Mixture,
    asked_mixtures,
    calibrate,
    calibration_error,
    count_margins,
    maps_of,
    margin_widths,
    reliability,
)
from tb2learn.catalogue import find_rule
from tb2learn.config import load_config
from tb2learn.events import TeamEvent, read_event
from tb2learn.events.rank import scores
from tb2learn.report.frames import ends_of, where
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
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.stats import RESAMPLES, with_ends
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.library import TABLES
from tb2learn.tiebreaks.rules import Rule

REAL_EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""Events in which stated probabilities are held against ratings."""

TOP = str(TOPS[0])
"""The population that tables show."""

OUTSIDE = (REAL, "baku2016-field", "olympiad2022-180x11", "shock-180x11")
"""Worlds outside the first mixture, in which the maps are judged, too."""

FIELDS = "olympiad2022-180x11"
"""The world whose field is made narrower and wider."""

OTHER_FIELDS = (
    *((300, 0.0), (400, 0.0), (600, 0.0), (800, 0.0), (1100, 0.0), (1500, 0.0)),
    *((600, 90.0), (1100, 120.0)),
)
"""Widths of fields and day shocks, in rating points."""

FEWEST = 1000
"""Pairs of a class of which something is said."""

SURE = 0.9
"""From here on an order is called sure."""


def measured(mixtures: Sequence[Mixture], count: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit the confidence of rules in mixtures of worlds and judge it on fresh events.

    **Arguments:** the mixtures; events of every world, to fit and again to judge; the seed of both
    and of the bootstrap.

    **Returns:** tables with a `rule` and, but for `margins` and `real`, a `world`:

    - `errors`: expected calibration errors; whether the world is the one that was `fitted`.
    - `mixture`: the same in every single world of the mixture.
    - `reliability`: by class of stated probability, `stated` and `observed` with the ends of its
      interval, which are NaN in empty classes. `classes`: the same in fewer classes.
    - `sharing`: `price_of_sharing`, what it costs to leave pairs open.
    - `margins`: `Confidence.frame`.
    - `real`: see `against_real_events`, of rules for the format of `REAL_EVENTS`.

    All of these are for the rounds of the format; further tables:

    - `rounds`: `by_rounds`, how far the maps are off after other numbers of rounds.
    - `fields`: `in_other_fields`, of the default in the format of the first mixture.
    """
    tables: dict[str, list[pd.DataFrame]] = {}
    for mixture in mixtures:
        every = list(calibrate(mixture, count, seed))
        event = load_config(mixture.worlds[0]).event
        rules = [made for made in every if made.rule.event_rounds == event.rounds]
        parts = [judged_in_worlds(made, seed) for made in rules]
        tables.setdefault("rounds", []).append(by_rounds(mixture, every, count, seed))
        default = [made for made in rules if made.rule.name == TABLES[event.boards]]
        if default and mixture is mixtures[0]:
            tables["fields"] = [in_other_fields(default[0], count, seed)]
        read = [read_event(name) for name in REAL_EVENTS]
        read = [one for one in read if (one.rounds, one.boards) == (event.rounds, event.boards)]
        if read:
            for part, real in zip(
                parts, against_real_events(read, rules, count, seed), strict=True
            ):
                part["real"] = real
        for made, part in zip(rules, parts, strict=True):
            for name, frame in part.items():
                frame.insert(0, "rule", made.rule.name)
                frame = (
                    frame.assign(top=frame["top"].replace(0, "all")) if "top" in frame else frame
                )
                tables.setdefault(name, []).append(frame)
    return {name: pd.concat(some, ignore_index=True) for name, some in tables.items()}


def judged_in_worlds(made: Calibrated, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of a rule in simulated events."""
    own = {"scale": made.scale, "seed": seed}
    frames: dict[str, list[pd.DataFrame]] = {name: [] for name in ("reliability", "classes")}
    frames |= {"sharing": [], "mixture": []}
    for world, counts in made.judged.items():
        found = {
            "reliability": reliability(counts, **own, ends=BIN_ENDS),
            "classes": reliability(counts, **own),
            "sharing": price_of_sharing(counts, made.scale),
        }
        for name, frame in found.items():
            frame.insert(0, "world", world)
            frames[name].append(frame)
    for world, counts in made.parts.items():
        ece = calibration_error(counts, **own)
        ece.insert(0, "world", world)
        frames["mixture"].append(ece)
    errors = pd.DataFrame(made.confidence.provenance["judged"])
    errors[["low", "high"]] = errors.pop("ece_ci").tolist()
    margins = made.confidence.frame().drop(columns=["rule"], errors="ignore")
    return {name: pd.concat(some) for name, some in frames.items()} | {
        "errors": errors,
        "margins": margins,
    }


def by_rounds(mixture: Mixture, every: Sequence[Calibrated], count: int, seed: int) -> pd.DataFrame:
    """How far the maps of the mixture are off, by number of rounds.

    **Returns:** a row a `rule`, number of `rounds` and population (`top`): whether it was `fitted`
    for it; the expected calibration error `ece`; `off`, the largest difference of stated and
    observed of all classes with at least `FEWEST` pairs. Maps that are interpolated are judged on
    as many events, of the first and the last rule of a mixture.
    """
    found = []
    for made in every:
        found.append((made.rule, True, next(iter(made.judged.values())), made.scale))
    names = list(dict.fromkeys(made.rule.name for made in every))
    between: list[tuple[Rule, np.ndarray]] = []
    for name in dict.fromkeys((names[0], names[-1])):
        some = [made for made in every if made.rule.name == name]
        find = partial(find_rule, name, boards=some[0].rule.boards)
        fitted = [made.rule.event_rounds for made in some]
        for rounds, confidence in maps_of(some, find).items():
            if rounds not in fitted:
                rule = find(rounds)
                between.append((rule, confidence.scale / rule.unit))
    if between:
        rules, inside = [rule for rule, _ in between], mixture.inside()
        widths = margin_widths(next(iter(inside.values())), rules, seed)
        played = EventRange(seed, Purpose.ASSESS, count)
        counted = [
            count_margins(config, rules, widths, played, Progress(f"between: {name}"))
            for name, config in inside.items()
        ]
        for k, (rule, scale) in enumerate(between):
            whole = reduce(operator.add, (one[k] for one in counted))
            found.append((rule, False, whole, scale))
    rows = []
    for rule, fitted, counts, scale in found:
        classes = reliability(counts, scale, seed)
        off = (classes["stated"] - classes["observed"]).abs()[classes["pairs"] >= FEWEST]
        for error in calibration_error(counts, scale, seed).itertuples():
            worst = off[classes["top"] == error.top].max()
            rows.append((rule.name, rule.event_rounds, fitted, error.top, error.ece, worst))
    columns = ["rule", "rounds", "fitted", "top", "ece", "off"]
    frame = pd.DataFrame(rows, columns=pd.Index(columns))
    return frame.assign(top=frame["top"].replace(0, "all"))


def in_other_fields(made: Calibrated, count: int, seed: int) -> pd.DataFrame:
    """What a map states and what is right in uniform fields of other widths, with random seeds.

    **Returns:** a row a `field` and class of stated probability, as `reliability`, all ties; `said`
    is the share of the events in which `rank --confidence` says that it was not tried there.
    """
    home, rule, parts = load_config(FIELDS), made.rule, []
    width = next(iter(made.judged.values())).width
    played, (low, high) = EventRange(seed, Purpose.ASSESS, count), made.confidence.usual
    for points, shock in OTHER_FIELDS:
        top = min(2800, 2500 + points // 2)
        field = replace(home.field, low=top - points, high=top)
        config = replace(home, field=field, game=replace(home.game, day_shock=shock))
        name = f"{points} points wide" + (f", day shock {shock:g}" if shock else "")
        (counts,) = count_margins(config, [rule], [width], played, Progress(name))
        at = (np.arange(len(counts.matches)) + 0.5) / len(counts.matches)
        said = counts.matches[(at < low) | (at > high)].sum() / counts.matches.sum()
        rows = reliability(counts, made.scale, seed)
        parts.append(where(rows, top=TOPS[-1]).assign(field=name, said=said, rule=rule.name))
    return pd.concat(parts).set_index("rule").reset_index().drop(columns="top")


def against_real_events(
    real: Sequence[TeamEvent], rules: Sequence[Calibrated], count: int, seed: int
) -> Iterator[pd.DataFrame]:
    """Stated probabilities held against ratings, in real and in simulated events.

    **Returns:** by rule the rows of `stated_against_ratings`, where the share `found` has the ends
    `found_low` and `found_high`; and `due`, the same share in simulated events, with its own.
    """
    widths = [next(iter(made.judged.values())).width for made in rules]
    played = EventRange(seed, Purpose.ASSESS, count)
    every = [made.rule for made in rules]
    due = count_margins(load_config(REAL), every, widths, played, Progress("rate"), rated=True)
    for made, counts in zip(rules, due, strict=True):
        there = stated_against_ratings(real, made.rule, made.confidence, seed)
        there = there.rename(columns={"rated": "found", "low": "found_low", "high": "found_high"})
        rated = reliability(counts, made.scale, seed)
        rated = rated[rated["top"] == TOPS[-1]].reset_index()
        yield there.assign(due=rated["observed"], due_low=rated["low"], due_high=rated["high"])


def stated_against_ratings(
    events: Sequence[TeamEvent], rule: Rule, confidence: Confidence, seed: int
) -> pd.DataFrame:
    """How often the team that a rule prefers has the higher rating, by how sure the rule is.

    Ratings are a noisy truth, so the shares are below the probabilities even of a perfect map.

    **Arguments:** events with ratings, of the rule's format; the rule and its map; the seed of the
    resampling of teams within every event.

    **Returns:** a row a class of stated probability: its ends `least` (included) and `most`; the
    `pairs` of unequal rating; their mean `stated` probability; how often the higher rated team is
    preferred (`rated`), with the ends `low` and `high` of its 95 % percentile interval. NaN without
    pairs.
    """
    generator = np.random.default_rng(seed)
    classes = np.arange(len(STATED) - 1)
    means, sums = np.zeros(len(classes)), np.zeros(2 * len(classes))
    resampled = np.zeros((RESAMPLES, len(sums)))
    for event in events:
        check_rated(event)
        own, score = scores(event, rule)
        pairs, better = rated_pairs(event, own)
        margin = pairs.differences(score[None])
        stated = confidence.probability(own[pairs.first].astype(int), np.abs(margin))
        right = (1 + np.sign(margin) * better) / 2
        column = np.clip(np.searchsorted(STATED, stated, side="right") - 1, 0, len(classes) - 1)
        chosen = column[:, None] == classes
        means += [stated[one].sum() for one in chosen.T]
        values = np.concatenate([chosen, chosen * right[:, None]], axis=1)
        sums += values.sum(axis=0)
        resampled += pairs.resampled(values, len(own), generator)
    pairs = sums[: len(classes)]
    with np.errstate(invalid="ignore", divide="ignore"):
        both = np.concatenate([sums[None], resampled])
        rated = np.divide(*np.split(both, 2, axis=1)[::-1])
        columns = {"pairs": pairs.astype(int), "stated": means / pairs, **with_ends(rated, "rated")}
    return pd.DataFrame({"least": STATED[:-1], "most": STATED[1:], **columns})


def price_of_sharing(
    counts: MarginCounts,
    scale: Float[np.ndarray, " shares"],
    thresholds: Sequence[float] = (0.5, 0.55, 0.6, 0.7),
) -> pd.DataFrame:
    """What it costs to leave open the order of pairs below a probability: they share their place.

    **Returns:** a row a population (`top`) and threshold (`below`): the share of pairs left `open`;
    the share of `wrong` orders among the decided ones, and `wrong_of_all` pairs; the share of the
    orders given up that were right (`right_of_open`).
    """
    stated = counts.stated(scale)
    rows = []
    for number, top in enumerate(TOPS):
        pairs, right = (x.sum(axis=0)[number] for x in (counts.pairs, counts.right / 2))
        for below in thresholds:
            left = stated < below
            decided, given_up = pairs[~left].sum(), pairs[left].sum()
            wrong = decided - right[~left].sum()
            with np.errstate(invalid="ignore", divide="ignore"):
                parts = given_up / pairs.sum(), wrong / decided, wrong / pairs.sum()
                rows.append((top, below, *parts, right[left].sum() / given_up))
    columns = ["top", "below", "open", "wrong", "wrong_of_all", "right_of_open"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


# --------------------------------------------------------------------------- the report


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Calibration errors, classes, margins, prices of sharing and real events, as shown."""
    first = frames["errors"]["rule"].iloc[0]
    errors = where(frames["errors"], top=TOP)
    fitted = errors["fitted"]
    errors = errors.assign(
        rule=errors["rule"].map(rule_name), fitted=fitted.map({True: "yes", False: "no"})
    )
    classes = _named(frames["classes"])
    classes["over"] = 100 * (classes["stated"] - classes["observed"])
    own = where(frames["errors"], rule=first)
    inside = classes[~classes["world"].isin(own["world"][~own["fitted"]])]
    real = _named(frames.get("real", classes.iloc[:0]))
    due = real[["due", "found_low", "found_high"]] if "due" in real else real.iloc[:0]
    margins = frames["margins"]
    fields = frames.get("fields", classes.iloc[:0])
    if len(fields):
        fields = _named(fields[fields["pairs"] >= FEWEST])
        fields["over"] = 100 * (fields["stated"] - fields["observed"])
    rounds = frames["rounds"]
    return {
        "fields": fields,
        "by_rounds": rounds.groupby(["rounds", "fitted", "top"], sort=False)
        .agg(rules=("rule", "count"), ece=("ece", "max"), off=("off", "max"))
        .reset_index()
        .sort_values(["top", "rounds"], kind="stable"),
        "name": rule_name(first),
        "worlds": frames["mixture"][frames["mixture"]["rule"] == first]["world"].nunique(),
        "errors": errors,
        "classes": where(inside, rule=first, top=TOP),
        "over": {
            "Ties that affect the first ten places": _wide(where(inside, top=TOP)),
            "All ties": _wide(where(inside, top="all")),
        },
        "worst": inside["over"].abs().max(),
        "parts": where(frames["mixture"], rule=first, top=TOP),
        "margins": margins[(margins["own_mp"] == 0).cumsum() == 1].drop(columns="rule"),
        "prices": where(frames["sharing"], rule=first, top=TOP),
        "real": where(real, rule=first),
        "sure": real[real["least"] >= SURE],
        "agree": [row.found_low <= row.due <= row.found_high for row in due.itertuples()],
    }


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with the class and the rule in words."""
    ends = zip(frame["least"], frame["most"], strict=True)
    words = [f"{low:.0%} to {high:.0%}" for low, high in ends]
    return frame.assign(**{"class": words}, name=frame["rule"].map(rule_name))


def _wide(rows: pd.DataFrame) -> pd.DataFrame:
    """Stated less observed, in points: a row a rule and format, a column a class."""
    number = (rows["class"] == rows["class"].iloc[0]).cumsum()  # of the same name in two formats
    cells = wide(rows.assign(number=number), ["number", "name"], "class", "over").reset_index()
    return cells.drop(columns="number").rename(columns={"name": "rule"})


def reliability_figure(frames: Mapping[str, pd.DataFrame]) -> Figure:
    """Reliability diagrams: observed share of right orders by stated probability.

    One a population of simulated pairs, with at most as many worlds as colours, and one of real
    events, if the rule is for their format: the share with the higher rating, due and found.
    """
    errors = frames["errors"]
    rule = errors["rule"].iloc[0]
    fitted = where(errors, rule=rule).drop_duplicates("world").set_index("world")["fitted"]
    simulated = where(frames["reliability"], rule=rule)
    real = where(frames["real"], rule=rule) if "real" in frames else simulated.iloc[:0]
    tops = simulated["top"].unique()
    figure = blank_figure(5.2 * (len(tops) + (len(real) > 0)), 5.0)
    number = len(tops) + (len(real) > 0)
    panels = np.atleast_1d(figure.subplots(1, number, sharex=True, sharey=True))
    for panel, top in zip(panels, tops, strict=False):
        for world, inside in fitted.items():
            rows = where(simulated, top=top, world=world)
            label = world if inside else f"{world} (outside)"
            _curve(panel, rows[rows["pairs"] > 0], "observed", str(label), dashed=not inside)
        which = "all ties" if top == "all" else f"touching the top {top}"
        _dress(panel, f"{rule_name(rule)}: {which}", "share of right orders")
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


def write(out: Path, frames: Mapping[str, pd.DataFrame], count: int, seed: int) -> None:
    """Write the report on the tables."""
    given = written(out, frames)
    given = {name: f.astype({"top": str}) if "top" in f else f for name, f in given.items()}
    figures = {"reliability.png": reliability_figure(given)}
    about = {"events": count, "seed": seed, "bins": BINS, "sure_from": SURE}
    about |= {"real_world": REAL, "real_events": REAL_EVENTS, "tables": list(frames)}
    report(out, "confidence.md", {**about, **shown(given)}, figures)


@script(
    "reports/confidence",
    click.option(
        "--rules", multiple=True, help="by default those that are shipped, in every format"
    ),
    events_option(200, "events of every world, to fit and again to judge"),
)
def main(out: Path, rules: Sequence[str], events: int, seed: int) -> None:
    """Judge how sure orders of two tied teams are.

    The probabilities are fitted in a mixture of worlds, as `tb2learn calibrate` fits what is
    shipped, and judged on fresh events, in worlds outside the mixture, and by the ratings of real
    events.
    """
    first, *others = asked_mixtures(rules)
    mixtures = [first._replace(others=OUTSIDE), *others]
    write(out, measured(mixtures, events, seed), events, seed)


if __name__ == "__main__":
    main()
