"""What is known of a rule: every finding is a plain sentence, a figure, and the numbers behind it.

All is measured on the spot: simulated events are those of the assessment stream (what is fitted, of
the calibration stream), which share no key with any training. Confidences that are shipped are
read. Nothing is defined here: errors, probes, coalitions and confidences are those of `assessment`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from tb2learn.assessment.calibration import (
    BIN_ENDS,
    MarginCounts,
    calibration_error,
    count_margins,
    fit,
    margin_widths,
)
from tb2learn.assessment.calibration import reliability as compared
from tb2learn.assessment.coalition import probe_coalitions
from tb2learn.assessment.evidence import Assessment, assess
from tb2learn.assessment.incentive import PROBES, probe_rules
from tb2learn.assessment.references import HigherSeed, find_judged
from tb2learn.catalogue import find_confidence, find_rule
from tb2learn.config import Config, GameConfig
from tb2learn.data import read_rows
from tb2learn.dossier import figures
from tb2learn.events import TeamEvent, compare, read_event
from tb2learn.report.figures_assessment import bias_figure, errors_figure
from tb2learn.report.figures_comparison import comparison_figure
from tb2learn.report.frames import where
from tb2learn.report.style import figure_png
from tb2learn.report.wording import headline, interval, percent, population_name, rule_name, seeding
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_SIMULATED_ROUNDS, MAX_TEAMS, InputError

OLYMPIADS = ("baku2016", "batumi2018", "batumi2018w")
"""The real events whose places are compared."""

NOISE = 50.0
"""Error of the ratings that seed a field like a real one, in rating points."""

REAL = "a field like a real one"
"""The world whose ties say how much cannot be known."""

_FLIP = 0.55  # an order that is less probable is hardly more than a coin flip
_ROSTERS, _BOARDS = "baku2016", 4  # the event whose rosters are drawn, and the boards that it has
_TOP, _MANY = "10", "30"  # the ties that headlines, and fairness are about, if there are some
_SHOWN = ("10", "30", "all")  # populations in figures
_FEW = 4  # formats other than the rule's own get this part of the events


@dataclass(frozen=True)
class Evidence:
    """One thing that is known of a rule.

    **Fields:**

    - `name`: of its files.
    - `title`, `sentence`: what it is about, and what was found.
    - `basis`: what was measured: events, world, seed, interval.
    - `figure`, `frame`: the picture and its numbers; None where there is nothing to measure.
    """

    name: str
    title: str
    sentence: str
    basis: str
    figure: Figure | None = None
    frame: pd.DataFrame | None = None

    @cached_property
    def png(self) -> bytes | None:
        """The picture, drawn once."""
        return None if self.figure is None else figure_png(self.figure)


@dataclass(frozen=True)
class Subject:
    """The rule that is judged, and in what.

    **Fields:**

    - `source`: how it was named: a name, or the path of its checkpoint.
    - `rule`: for the format of `world`.
    - `world`: the events that are simulated.
    - `events`, `seed`: how many, of which stream.
    """

    source: str
    rule: Rule
    world: Config
    events: int
    seed: int

    @property
    def random(self) -> Config:
        """The world with random seeds, in which opponents betray nothing."""
        return replace(self.world, field=replace(self.world.field, seed_noise=math.inf))

    @property
    def real(self) -> Config:
        """A field like a real one: rosters and games of an Olympiad, seeds near the truth."""
        field = replace(self.world.field, seed_noise=NOISE, rating_noise=math.inf)
        if self.world.event.boards > _BOARDS:
            return replace(self.world, field=field)
        field = replace(field, kind="rosters", event=_ROSTERS)
        return replace(self.world, field=field, game=GameConfig(model="fitted"))

    @property
    def in_use(self) -> Rule:
        """Today's rule."""
        return find_judged([], self.world)[0]  # pyright: ignore[reportReturnType]: no reference

    @property
    def rules(self) -> list[Rule]:
        """Today's rule, and the one that is judged if it is another one."""
        first = self.in_use
        return [first] if self.rule.name == first.name else [first, self.rule]

    def basis(self, config: Config, events: int | None = None) -> str:
        """What was measured, in a line."""
        event, field = config.event, config.field
        drawn = {"rosters": f"rosters of {field.event}", "mixture": f"some of {field.event}"}
        what = drawn.get(field.kind, f"field: {field.kind}")
        return (
            f"{events or self.events:,} simulated events of {event.teams} teams, {event.rounds} "
            f"rounds, {event.boards} boards ({what}; {seeding(config)}), seed {self.seed}; 95 % "
            "intervals"
        )


def findings(subject: Subject, event: TeamEvent | None) -> Iterator[Evidence]:
    """All that is measured of a rule, with progress on standard error.

    **Arguments:** `subject`; `event`: a further real event, beside the packaged ones.
    """
    title = "How often it is wrong"
    yield _errors(subject, _assessed(subject, subject.random, "random seeds"), "errors", title)
    real = _assessed(subject, subject.real, "real fields")
    yield _errors(subject, real, "errors-real", f"{title} in {REAL}")
    yield _fairness(subject, real)
    yield _half_points(subject)
    yield _coalitions(subject)
    sure = _how_sure(subject)
    yield sure
    yield _formats(subject)
    yield from _olympiads(subject, event)
    assert sure.frame is not None
    yield _unknown(subject, sure.frame)


# --------------------------------------------------------------------------- errors


def _assessed(
    subject: Subject, config: Config, label: str, rule: Rule | None = None, events: int = 0
) -> Assessment:
    """Today's rule and another one; where seeds are informative, also the order by seed."""
    judged: list[Any] = list(subject.rules)
    if rule is not None:
        first = find_judged([], config)
        judged = first if rule.name == first[0].name else [*first, rule]
    if config.field.informative:
        judged.append(HigherSeed())
    shown = Progress(f"{label:>20}")
    return assess(config, judged, events or subject.events, subject.seed, progress=shown)


def _pair(assessment: Assessment, rule: Rule, last: str = _TOP) -> tuple[Any, Any]:
    """The rows of today's rule and the judged one, on ties at the top or, without any, on all."""
    frame = assessment.frame
    for top in (last, "all"):
        rows = {row.rule: row for row in frame[frame["top"] == top].itertuples()}
        if rows[rule.name].pairs:
            break
    return next(iter(rows.values())), rows[rule.name]


def _errors(subject: Subject, found: Assessment, name: str, title: str) -> Evidence:
    first, own = _pair(found, subject.rule)
    said = headline(own, first)
    if own.rule == first.rule:
        said = f"Today's rule decides {percent(own.error)} of the ties at the top wrongly."
    basis = subject.basis(found.config)
    frame = found.frame
    figure = errors_figure(frame[frame["top"].isin(_SHOWN)])
    return Evidence(name, title, said, basis, figure, frame)


def _fairness(subject: Subject, found: Assessment) -> Evidence:
    first, own = _pair(found, subject.rule, _MANY)
    near = interval(own.near_equal_low, own.near_equal_high)
    said = (
        f"Of two nearly equal teams ({population_name(own.top)}) it places the higher seed first "
        f"in {percent(own.near_equal)} of the cases (95% interval {near}; 50% is fair; the "
        f"{rule_name(subject.in_use.name)} {percent(first.near_equal)}). It is wrong in "
        f"{percent(own.higher_better)} where the higher seed is the better team, in "
        f"{percent(own.lower_better)} where the lower seed is."
    )
    figure = bias_figure(found.frame, own.top)
    title = "Fairness between the higher and the lower seed"
    return Evidence("fairness", title, said, subject.basis(found.config), figure, found.frame)


# --------------------------------------------------------------------------- incentives


def _half_points(subject: Subject) -> Evidence:
    config = subject.random
    probed = probe_rules(
        config, subject.rules, PROBES * subject.events, subject.seed, f"{'half a point':>20}"
    )
    own = probed.iloc[-1]
    said = (
        f"Half a point more lowered a team's own score in {own.violations:,} of {own.within:,} "
        f"matches in which that could show (95% interval {own.share_low:.3%} to "
        f"{own.share_high:.3%})."
    )
    figure = figures.marks(
        [(rule_name(one.rule), one) for _, one in probed.iterrows()],
        "share",
        "Matches in which half a point more lowers the own score",
        "share of the matches",
    )
    basis = subject.basis(config) + f", {PROBES} matches each"
    return Evidence("half-point", "Whether half a point more can hurt", said, basis, figure, probed)


def _coalitions(subject: Subject) -> Evidence:
    config = subject.random
    won = probe_coalitions(
        config, subject.rules, PROBES * subject.events, subject.seed, f"{'coalitions':>20}"
    )
    both = where(won, of="both")
    own = where(both, rule=subject.rule.name, result="kept").iloc[0]
    first = where(both, rule=subject.in_use.name, result="kept").iloc[0]
    said = (
        "Two teams that arrange one game point and keep the result of their match win "
        f"{own['mean']:.2f} places together on average (95% interval {own.mean_low:.2f} to "
        f"{own.mean_high:.2f}; under the {rule_name(subject.in_use.name)} {first['mean']:.2f})."
    )
    rows = [
        (f"{rule_name(one['rule'])}, result {one['result']}", one) for _, one in both.iterrows()
    ]
    figure = figures.marks(
        rows, "mean", "Places that two teams win by one arranged game point", "places", share=False
    )
    basis = subject.basis(config) + f", {PROBES} matches each"
    return Evidence("coalitions", "What a coalition wins", said, basis, figure, won)


# --------------------------------------------------------------------------- how sure


def _how_sure(subject: Subject) -> Evidence:
    """The map from margins to probabilities, shipped or fitted here, held against fresh events."""
    rule, title = subject.rule, "How sure an order is"
    worlds = {"random seeds": subject.random, REAL: subject.real}
    widths = margin_widths(subject.random, [rule], subject.seed)

    def counted(config: Config, purpose: Purpose, label: str) -> MarginCounts:
        events = EventRange(subject.seed, purpose, subject.events)
        (counts,) = count_margins(config, [rule], widths, events, Progress(f"{label:>20}"))
        return counts

    try:
        scale = find_confidence(subject.source, rule).scale / rule.unit
        made = "the shipped table of probabilities"
    except InputError:
        first, *rest = (counted(w, Purpose.CALIBRATE, "fit margins") for w in worlds.values())
        scale = fit(sum(rest, first))
        made = f"probabilities fitted to {subject.events:,} other events of each world"
    parts, errors = [], []
    for name, config in worlds.items():
        counts = counted(config, Purpose.ASSESS, "judge margins")
        classes = compared(counts, scale, subject.seed, BIN_ENDS)
        parts.append(where(classes, top=0).assign(world=name))
        errors.append(where(calibration_error(counts, scale, subject.seed), top=0).iloc[0])
    found = pd.concat(parts, ignore_index=True)
    stated = " and ".join(
        f"{100 * one.ece:.1f} percentage points (95% interval {100 * one.low:.1f} to "
        f"{100 * one.high:.1f}) in {name}"
        for name, one in zip(worlds, errors, strict=True)
    )
    said = f"On average the probability that is stated for an order is off by {stated}."
    basis = f"{made[0].upper()}{made[1:]}; judged on {subject.basis(subject.random)}"
    return Evidence("how-sure", title, said, basis, figures.reliability(found), found)


# --------------------------------------------------------------------------- other formats


_FORMATS = "What rounds and sizes it holds for"


def _formats(subject: Subject) -> Evidence:
    """Its errors beside today's rule with other rounds and fields of other sizes."""
    if known := _judged_formats(subject):
        return known
    title, event = _FORMATS, subject.world.event
    rows, few = [], max(1, subject.events // _FEW)
    for teams, rounds in other_formats(subject.world):
        config = subject.random
        config = replace(config, event=replace(config.event, teams=teams, rounds=rounds))
        rule = find_rule(subject.source, rounds, event.boards, teams)
        found = _assessed(subject, config, f"{teams} x {rounds}", rule, few)
        _, own = _pair(found, rule)
        rows += [{"format": f"{teams} teams, {rounds} rounds", **own._asdict()}]
    if not rows:
        said = "It was tried in no other format: this one fixes its rounds and its teams."
        return Evidence("formats", title, said, "nothing was measured")
    frame = pd.DataFrame(rows).drop(columns="Index")
    better, worse = frame["saved_low"] > 0, frame["saved_high"] < 0
    counts = [
        f"{word} than the {rule_name(subject.in_use.name)} in {'; '.join(frame['format'][where_])}"
        for word, where_ in (("fewer errors", better), ("more errors", worse))
        if any(where_)
    ]
    said = (
        f"Beside {event.teams} teams and {event.rounds} rounds it was tried in {len(frame)} "
        "formats and has, with 95% confidence, "
        f"{', '.join(counts) or 'no fewer and no more errors'}."
    )
    marked = [(one["format"], one) for _, one in frame.iterrows()]
    figure = figures.marks(
        marked,
        "saved",
        f"Errors saved against the {rule_name(subject.in_use.name)}, random seeds",
        "share of its errors",
    )
    basis = subject.basis(subject.random, few).replace(
        f"{event.teams} teams, {event.rounds} rounds", "the formats named"
    )
    return Evidence("formats", title, said, basis, figure, frame)


def _judged_formats(subject: Subject) -> Evidence | None:
    """The packaged facts of a shipped rule on the boards of its events; None without any."""
    rows = [
        row
        for row in read_rows("transfer.csv")
        if (row["rule"], row["top"]) == (subject.source, "all")
        and row["growth"]
        and int(row["boards"]) == subject.rule.boards
    ]
    if not rows:
        return None
    text = ["growth", "growth_low", "growth_high"]
    frame = pd.DataFrame(rows).astype(dict.fromkeys(text, float))
    whole = ["teams", "rounds", "boards", "events"]
    frame = frame.astype(dict.fromkeys(whole, int)).sort_values(whole[:2], kind="stable")
    worst = frame.iloc[int(frame["growth"].argmax())]
    said = (
        f"In {len(frame)} judged formats of {frame['teams'].min()} to {frame['teams'].max()} teams "
        f"and {frame['rounds'].min()} to {frame['rounds'].max()} rounds it decides at most "
        f"{1000 * worst['growth']:.0f} more of 1,000 ties wrongly than a table made for the format "
        f"(with {worst['teams']} teams and {worst['rounds']} rounds; 95% interval "
        f"{1000 * worst['growth_low']:.0f} to {1000 * worst['growth_high']:.0f})."
    )
    marked = [(f"{row['teams']} teams, {row['rounds']} rounds", row) for _, row in frame.iterrows()]
    figure = figures.marks(
        marked,
        "growth",
        "More ties decided wrongly than by a table for the format",
        "share of ties",
    )
    least, most = frame["events"].min(), frame["events"].max()
    basis = (
        f"the packaged facts of python -m studies.transfer, seed 1: {least:,} to {most:,} "
        "simulated events a format; 95 % intervals"
    )
    return Evidence("formats", _FORMATS, said, basis, figure, frame)


def other_formats(config: Config) -> list[tuple[int, int]]:
    """Half and twice the teams, two rounds less and more, where events may be so."""
    event = config.event
    if event.format != "swiss":
        return []
    sizes = [] if config.field.kind == "ratings" else [event.teams // 2, 2 * event.teams]
    found = [(teams, event.rounds) for teams in sizes]
    found += [(event.teams, event.rounds + more) for more in (-2, 2)]
    return [
        (teams, rounds)
        for teams, rounds in found
        if 1 <= rounds <= min(MAX_SIMULATED_ROUNDS, teams - 2) and teams <= MAX_TEAMS
    ]


# --------------------------------------------------------------------------- real events


def _olympiads(subject: Subject, given: TeamEvent | None) -> Iterator[Evidence]:
    """What would have changed: a finding for every real event with so many boards."""
    boards = subject.world.event.boards
    events = [event for name in OLYMPIADS if (event := read_event(name)).boards == boards]
    events = [given, *(e for e in events if e.name != given.name)] if given else events
    events = [event for event in events if event.boards == boards]
    title = "What would have changed"
    if subject.rule.name == subject.in_use.name:
        yield Evidence("changed", title, "Nothing: it is the rule in use.", "nothing was measured")
        return
    if not events:
        said = f"No packaged event has matches on {boards} boards: name one with --event."
        yield Evidence("changed", title, said, "nothing was measured")
    for number, event in enumerate(events, start=1):
        rule = find_rule(subject.source, event.rounds, boards, len(event.teams))
        old = find_rule(subject.in_use.name, event.rounds, boards)
        found = compare(event, old, rule)
        moved = [one for one in found.teams if one.up]
        medals = [
            f"{one.team} from {one.old.place} to {one.new.place}"
            for one in moved
            if min(one.old.place, one.new.place) <= 3
        ]
        most = max((abs(one.up) for one in moved), default=0)
        said = (
            f"In {event.name} {len(moved)} of {len(event.teams)} teams would have had another "
            f"place, by at most {most}; "
            + (f"among the first three: {', '.join(medals)}." if medals else "no medal changes.")
        )
        frame = pd.DataFrame(
            {"team": one.team, "mp": one.mp, "old": one.old.place, "new": one.new.place}
            for one in found.teams
        )
        basis = f"the results of {event.name} under the {rule_name(old.name)} and under {rule.name}"
        figure = comparison_figure(found)
        yield Evidence(f"changed-{number}", title, said, basis, figure, frame)


LIMITS = (
    "True strengths are known in simulated events only. In real events ratings stand for them, and "
    "these are noisy.",
    "Teams are simulated that play as strongly whatever is at stake. How line-ups, draws by "
    "agreement or a last round with nothing to win change under another rule was not measured.",
    "What was measured holds for the worlds that are named beside it. A field, a seeding or a game "
    "model unlike these may give other numbers.",
)
"""What is not known, whatever the rule."""


def _unknown(subject: Subject, sure: pd.DataFrame) -> Evidence:
    """What is not known; how many ties are near to coin flips.

    **Arguments:** `sure`: ties by stated probability, as `_how_sure` counts them.
    """
    rows = where(sure, world=REAL)
    share = (rows["pairs"] / rows["pairs"].sum()).to_numpy()
    edges = np.linspace(0.5, 1.0, len(share) + 1)
    flips = share[edges[1:] <= _FLIP + 1e-9].sum()
    said = (
        f"Of all ties in {REAL} {flips:.0%} are decided with a stated probability below "
        f"{_FLIP:.0%}: there the results hardly say which team was better, whatever the rule."
    )
    frame = pd.DataFrame({"least": edges[:-1], "most": edges[1:], "share": share})
    figure = figures.shares(frame)
    basis = subject.basis(subject.real)
    return Evidence("unknown", "What is not known", said, basis, figure, frame)
