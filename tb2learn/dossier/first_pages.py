"""The first pages of a dossier in plain words: what is recommended and why, what critics will ask.

Errors are per cent of ties, differences are ties of 100; a change is recommended only where they
are shown to be fewer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from tb2learn.assessment.error_rates import compared
from tb2learn.assessment.tally import ALL, TOPS
from tb2learn.dossier.evidence import ENOUGH, MOST_NEAR, OTHERS, Evidence, Subject
from tb2learn.export.document import Document, Sentences
from tb2learn.export.error_words import fewer_or_more
from tb2learn.export.rule_names import called
from tb2learn.export.words import decimal, note_lines, words
from tb2learn.stats import Difference, signed
from tb2learn.tiebreaks.library import FORMULA
from tb2learn.tiebreaks.rules import Rule

_SHARE = 4  # near the top: at most `MOST_NEAR` places, and a quarter of the teams
_RATING = "higher-seed"
_PERCENT = "\N{NO-BREAK SPACE}%"

_TOO_LITTLE = 0.002
"""Share of ties: a training that is not shown to save more than this is not worth it."""


def near_the_top(teams: int) -> int:
    """The places that matter: the last one of the populations within ten and a quarter of teams."""
    places = max(1, min(MOST_NEAR, teams // _SHARE))
    return max(top for top in TOPS if top != ALL and top <= places)


class Page:
    """The sentences of a dossier: names and numbers as its language writes them."""

    def __init__(self, subject: Subject, language: str):
        self.subject, self.text = subject, words(language)
        self.top = str(near_the_top(subject.world.event.teams))
        self.names = {
            "name": called(subject.name, language),
            "today": called(subject.today_name, language),
            "top": self.top,
        }

    def says(self, key: str, **numbers: object) -> str:
        """The sentence of a key of the dossier, with names and numbers."""
        return self.text[f"dossier.{key}"].format(**{**self.names, **numbers})

    def percent(self, share: float) -> str:
        """Per cent of ties; a dash where there was nothing to count."""
        if not math.isfinite(share):
            return "\N{EN DASH}"
        return decimal(f"{100 * share:.1f}", self.text) + _PERCENT

    def points(self, share: float) -> str:
        """A difference in points of per cent, with its sign."""
        if not math.isfinite(share):
            return "\N{EN DASH}"
        return decimal(signed(100 * share, 1), self.text).replace("-", "\N{MINUS SIGN}")

    def row(self, frame: pd.DataFrame, rule: str, top: str) -> Any:
        """The rates of a rule at a population, of all ties if it has none."""
        rows = {row.top: row for row in frame[frame["rule"] == rule].itertuples()}
        return rows[top] if rows[top].pairs else rows["all"]

    def than_today(self, frame: pd.DataFrame, top: str) -> Difference:
        """The errors of the rule less those of today's, of all ties if there are none there."""
        rule, today = self.subject.name, self.subject.today_name
        return compared(frame, rule, self.row(frame, rule, top).top, today)


def recommendation(subject: Subject, known: Evidence, language: str) -> tuple[str, ...]:
    """What is recommended, the decision first; then whether the formula is as good as the table."""
    page = Page(subject, language)
    if subject.is_in_use:
        return (page.says("in_use"),)
    worlds = (known.errors.frame, known.real.frame)
    # Only where chance can be ruled out, in both worlds.
    better = all(page.than_today(frame, page.top).side < 0 for frame in worlds)
    said = [page.says("recommended" if better else "no_gain")]
    if known.than_formula is not None and not subject.is_shipped:
        frame = known.than_formula
        # No ties, no difference.
        if not compared(frame, subject.name, page.top, FORMULA).high < -_TOO_LITTLE:
            pair = (page.row(frame, rule, page.top).error for rule in (FORMULA, subject.name))
            formula, own = map(page.percent, pair)
            key = "formula_enough" if better else "formula_no_gain"
            said.append(page.says(key, formula=formula, own=own))
    return tuple(said)


def summary(
    subject: Subject, known: Evidence, facts: tuple[tuple[str, str], ...], language: str
) -> Document:
    """The first page: what is recommended, what it changes, what it does not."""
    size, page = subject.world.event, Page(subject, language)
    errors = []
    places = (("errors", page.top, known.errors), ("errors_real", page.top, known.real))
    for key, top, made in (*places, ("errors_first", "1", known.errors)):
        rules = subject.name, subject.today_name
        if subject.is_in_use:
            rules = subject.today_name, subject.today_name
        own, first = (page.percent(page.row(made.frame, rule, top).error) for rule in rules)
        if subject.is_in_use:
            errors.append(page.says(f"{key}_today", first=first))
            continue
        # No line may end between a number and its sign.
        said = fewer_or_more(page.than_today(made.frame, top), language).replace(" %", _PERCENT)
        errors.append(page.says(key, own=own, first=first, difference=said))
    changes = [
        line for change in known.changes for line in _changes_in_words(change, page.text, language)
    ]
    basis = {"teams": size.teams, "rounds": size.rounds, "seed": subject.seed}
    trial = (page.says("trial", enough=ENOUGH),) if subject.events < ENOUGH else ()
    notes = note_lines(subject.rule, language)
    sections = {
        "recommend": (*recommendation(subject, known, language), *notes),
        # Events of the same size may have the same sentence, which is said once.
        "changes": (page.says("wrong"), *errors, *dict.fromkeys(changes)),
        "not": (page.says("same"),),
        "unknown": (
            page.says("limits"),
            page.says("basis", events=subject.events, **basis),
            *trial,
        ),
    }
    parts = tuple(Sentences(page.says(key), lines) for key, lines in sections.items())
    return Document(page.says("title"), facts, parts, language)


def critics_page(subject: Subject, known: Evidence, language: str) -> Document:
    """What critics will ask, each question with its number."""
    page, frame = Page(subject, language), known.real.frame
    rule = subject.today_name if subject.is_in_use else subject.name
    own, first = (page.row(frame, name, page.top) for name in (rule, subject.today_name))

    def both(column: str) -> dict[str, str]:
        return {
            "own": page.percent(getattr(own, column)),
            "first": page.percent(getattr(first, column)),
        }

    probes = known.probes.set_index("rule")
    # Places: a list of tie-breaks has no score of its own that could fall.
    gamed = {"own": int(probes["places"][rule])}
    gamed |= {"first": int(probes["places"][subject.today_name])}
    gamed |= {"tries": int(probes["probes"][rule])}
    others = known.others[known.others["top"] == page.top].set_index("rule")
    hanging = {"own": page.percent(others["hanging"][rule])}
    hanging |= {"first": page.percent(others["hanging"][subject.today_name])}
    low, high = others["hanging_low"][rule], others["hanging_high"][rule]
    # Of none among many the bootstrap knows no end: the rule of three.
    if not others["hanging"][rule]:
        high = min(1.0, 3 / others["pairs"][rule]) if others["pairs"][rule] else high
    hanging |= {"low": page.percent(low), "high": page.percent(high)}
    # Pairs of nearly equal teams are those of the events that the ideal rule was judged on.
    ends = ("", "_low", "_high")
    beside = [page.points(getattr(own, f"excess{end}")) for end in ends]
    seeds = dict(zip(("excess", "low", "high"), beside, strict=True))
    seeds |= {"ideal": page.percent(own.ideal), **both("near_equal")}
    # In a league all have the same path.
    path = () if subject.is_league else (page.says("no_aim"),)
    questions = {
        "ask_outsiders": (page.says("outsiders", **both("lower_better")),),
        "ask_gamed": (page.says("gamed", **gamed),),
        "ask_seeds": (page.says("seeds", **seeds), *path),
        "ask_why": tuple(_why_not(page, frame, rule)),
        "ask_hand": (by_hand(subject.rule, page),),
        "ask_others": (page.says("others", events=subject.events, **hanging),),
    }
    parts = tuple(Sentences(page.says(key), lines) for key, lines in questions.items())
    return Document(page.says("critics"), (), parts, language)


def _why_not(page: Page, frame: pd.DataFrame, rule: str) -> Sequence[str]:
    """The other rules with their errors; not the rule itself."""
    judged = set(frame["rule"])
    said = []
    for name in (*OTHERS, _RATING):
        if name in judged and name != rule:
            error = page.percent(page.row(frame, name, page.top).error)
            said.append(page.says(f"why_{name}", error=error))
    own = page.percent(page.row(frame, rule, page.top).error)
    return [page.says("why_own", own=own), *said]


def by_hand(rule: Rule, page: Page) -> str:
    """How much of a rule can be worked out by hand."""
    if rule.passes > 1:
        return page.says("hand_passes", lookups=rule.event_rounds, passes=rule.passes)
    if rule.has_numbers:
        return page.says("hand_once", lookups=rule.event_rounds)
    return page.says("hand_fide")


def _changes_in_words(comparison: Any, text: Any, language: str) -> Sequence[str]:
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
