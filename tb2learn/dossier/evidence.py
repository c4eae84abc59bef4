"""What is known of a rule: the page of `assess` in two worlds, and what real events would change.

Simulated events are those of the assessment stream, which share no key with any training. Nothing
is defined here: errors and preferences are those of `assessment`, standings those of `events`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from tb2learn.assessment.dependence import dependence
from tb2learn.assessment.error_rates import Assessment, assess
from tb2learn.assessment.references import HigherSeed, find_judged
from tb2learn.catalogue import find_rule
from tb2learn.config import Config, GameConfig
from tb2learn.events import Comparison, TeamEvent, compare, read_event
from tb2learn.export.document import Document, Sentences
from tb2learn.export.words import decimal, note_lines, shown_name, words
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.rules import Rule

OLYMPIADS = ("baku2016", "batumi2018", "batumi2018w")
"""The real events whose places are compared."""

NOISE = 50.0
"""Error of the ratings that seed a field like a real one, in rating points."""

_ROSTERS, _BOARDS = "baku2016", 4  # the event whose rosters are drawn, and the boards that it has


@dataclass(frozen=True)
class Subject:
    """The rule that is judged, and in what."""

    source: str  # how it was named: a name, or the path of its checkpoint
    rule: Rule  # for the format of `world`
    world: Config  # the events that are simulated
    # events, seed: how many, of which stream
    events: int
    seed: int


@dataclass(frozen=True)
class Evidence:
    """What was measured."""

    errors: Assessment  # with random seeds, in which opponents betray nothing
    # in a field like a real one: rosters and games of an Olympiad, seeds near the truth
    real: Assessment
    # there, in a tenth of the events, how much ties depend on matches of others
    others: pd.DataFrame
    # real events under FIDE's rule and under the rule; none if it is FIDE's rule
    changes: tuple[Comparison, ...]


def measure_rule(subject: Subject, event: TeamEvent | None) -> Evidence:
    """All that is measured, with progress on standard error.

    **Arguments:** `event`: a further real event, before the packaged ones.
    """
    world = subject.world
    # Random seeds: whom a team met betrays nothing of its strength.
    field = replace(world.field, seed_noise=math.inf)
    errors = _assess_in(subject, replace(world, field=field), "random seeds")
    field = replace(field, seed_noise=NOISE, rating_noise=math.inf)
    if world.event.boards <= _BOARDS:
        # Rosters of four boards hold no line-up of six or eight.
        field = replace(field, kind="rosters", event=_ROSTERS)
        world = replace(world, game=GameConfig(model="fitted"))
    world = replace(world, field=field)
    real = _assess_in(subject, world, "a field like a real one")
    rules = [find_rule(PRODUCT, world.event.rounds, world.event.boards)]
    rules += [subject.rule] if subject.rule.name != PRODUCT else []
    # All results of all matches of a last round are tried: a tenth of the events takes as long.
    few, bar = max(1, subject.events // 10), Progress(f"{'matches of others':>23}")
    others = dependence(world, rules, few, subject.seed, bar)
    return Evidence(errors, real, others, tuple(_changes(subject, event)))


def _assess_in(subject: Subject, config: Config, label: str) -> Assessment:
    judged: list[Any] = [*find_judged([], config)]
    if subject.rule.name != judged[0].name:
        # A dossier is about the rule itself, whatever name stood for it.
        judged.append(replace(subject.rule, asked=""))
    if config.field.informative:
        # The simplest rule of all, where seeds say something.
        judged.append(HigherSeed())
    return assess(config, judged, subject.events, subject.seed, progress=Progress(f"{label:>23}"))


def _changes(subject: Subject, given: TeamEvent | None) -> list[Comparison]:
    if subject.rule.name == PRODUCT:
        return []
    packaged = [read_event(olympiad) for olympiad in OLYMPIADS]
    # The event of the example may be a packaged one.
    events = [olympiad for olympiad in packaged if given is None or olympiad.name != given.name]
    comparisons = []
    for event in [given, *events] if given else events:
        # A table is for one number of boards.
        if event.boards == subject.world.event.boards:
            size = event.rounds, event.boards, len(event.teams)
            old, new = (find_rule(source, *size) for source in (PRODUCT, subject.source))
            comparisons.append(compare(event, old, new))
    return comparisons


# --------------------------------------------------------------------------- in plain words


def summary(
    subject: Subject, found: Evidence, facts: tuple[tuple[str, str], ...], language: str
) -> Document:
    """The first page: what is recommended, what it changes, what it does not."""
    rule, size, text = subject.rule, subject.world.event, words(language)
    names = {"name": shown_name(rule, language)}

    def said(key: str, **numbers: object) -> str:
        return text[f"dossier.{key}"].format(**names, **numbers)

    first, judged = _pair(found.errors, rule, "10")
    # Only where chance can be ruled out: the whole interval is above 0.
    is_better = "recommended" if judged.saved_low > 0 else "no_gain"
    recommended = said("in_use" if rule.name == PRODUCT else is_better)
    errors = (1000 * x for x in (judged.error, first.error))
    saved = (1000 * first.error * x for x in (judged.saved_low, judged.saved_high))
    counts = zip(("own", "first", "low", "high"), map(_whole, (*errors, *saved)), strict=True)
    errors = said("errors", ties=1000, **dict(counts))
    changes = [
        line
        for comparison in found.changes
        for line in _changes_in_words(comparison, text, language)
    ]
    first, judged = _pair(found.real, rule, "30")
    fair, fide = (decimal(f"{x.near_equal:.1%}", text) for x in (judged, first))
    # At the top 30, as the share of seeds above.
    rows = found.others[found.others["top"] == "30"].set_index("rule")["hanging"]
    pair = {"own": rule.name, "fide": PRODUCT}
    hanging = {key: _whole(1000 * rows[rule_name]) for key, rule_name in pair.items()}
    basis = {"teams": size.teams, "rounds": size.rounds, "seed": subject.seed}
    sections = {
        "recommend": (recommended, *note_lines(rule, language)),
        # Events of the same size may have the same sentence, which is said once.
        "changes": (errors, said("others", ties=1000, **hanging), *dict.fromkeys(changes)),
        "not": (said("same"), said("fair", share=fair, fide=fide)),
        "unknown": (said("limits"), said("basis", events=subject.events, **basis)),
    }
    pages = (Sentences(said(key), lines) for key, lines in sections.items())
    return Document(text["dossier.title"].format(name=rule.name), facts, tuple(pages), language)


def _whole(number: float) -> str:
    """A number without decimals; a dash where there was nothing to count."""
    return f"{number:.0f}" if math.isfinite(number) else "\N{EN DASH}"


def _pair(found: Assessment, rule: Rule, last: str) -> tuple[Any, Any]:
    """The rows of FIDE's rule and the judged one, on ties at the top or, without any, on all."""
    frame = found.frame
    for top in (last, "all"):
        rows = {row.rule: row for row in frame[frame["top"] == top].itertuples()}
        # A small trial may have no tie at the top.
        if rows[rule.name].pairs:
            break
    return next(iter(rows.values())), rows[rule.name]


def _changes_in_words(comparison: Comparison, text: Any, language: str) -> Sequence[str]:
    """Who has another place in a real event; that the table is rescaled there, if it is."""
    moved = [team for team in comparison.teams if team.up]
    medals = [
        f"{team.team} {team.old.place} \N{RIGHTWARDS ARROW} {team.new.place}"
        for team in moved
        if min(team.old.place, team.new.place) <= 3
    ]
    changes = text["dossier.moved"].format(
        event=comparison.event,
        moved=len(moved),
        teams=len(comparison.teams),
        most=max((abs(team.up) for team in moved), default=0),
        medals=", ".join(medals) or text["dossier.no_medals"],
    )
    rule = comparison.rule
    return changes, *(note_lines(rule, language) if rule and rule.rescaled else ())
