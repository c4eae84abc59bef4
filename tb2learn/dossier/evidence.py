"""What is known of a rule: the page of `assess` in two worlds, and what real events would change.

Simulated events are those of the assessment stream, which share no key with any training. Nothing
is defined here: errors and preferences are those of `assessment`, standings those of `events`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pandas as pd

from tb2learn.assessment.dependence import PLACES, dependence
from tb2learn.assessment.error_rates import Assessment, excess, rates, tally_verdicts
from tb2learn.assessment.half_point_probes import PROBES, probe_rules
from tb2learn.assessment.ideal import ideal_beside
from tb2learn.assessment.references import HigherSeed, find_judged
from tb2learn.catalogue import as_learned, find_rule
from tb2learn.config import Config, GameConfig
from tb2learn.dossier.conformance import League
from tb2learn.events import Comparison, TeamEvent, compare, rank, read_event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.library import BUCHHOLZ, FORMULA, TABLES, baseline
from tb2learn.tiebreaks.names import in_words
from tb2learn.tiebreaks.rules import Rule

OLYMPIADS = ("baku2016", "batumi2018", "batumi2018w")
"""The real events whose places are compared."""

NOISE = 50.0
"""Error of the ratings that seed a field like a real one, in rating points."""

OTHERS = (BUCHHOLZ, "direct", "least-squares")
"""Rules that critics will name, which are judged beside the subject."""

MOST_NEAR = 10
"""The last place that is near the top in any event."""

ENOUGH = 1000
"""Simulated events from which on the counts are evidence, not a trial."""

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
    today: str = ""  # the rule that it is compared with, if not the `baseline` of the format

    @property
    def today_name(self) -> str:
        """The name of the rule that is in use."""
        event = self.world.event
        return in_words(self.today) or baseline(event.boards, self.is_league)

    @property
    def is_league(self) -> bool:
        """Whether everybody meets everybody."""
        return self.world.event.format == "round-robin"

    @property
    def league(self) -> League | None:
        """The round robin that it is; None for a Swiss."""
        event = self.world.event
        return League(event.teams, event.repeats) if self.is_league else None

    @property
    def today_rule(self) -> Rule:
        """The rule that is in use."""
        event = self.world.event
        return find_rule(self.today_name, event.rounds, event.boards, event.teams)

    @property
    def is_shipped(self) -> bool:
        """Whether it is the table that `learned` stands for."""
        return TABLES.get(self.rule.boards) == self.rule.own_name

    @property
    def known_rule(self) -> Rule:
        """The rule under the name that readers know it by."""
        return as_learned(self.rule) if self.is_shipped else self.rule

    @property
    def name(self) -> str:
        """The name that readers know the rule by, which tables of several rules have, too."""
        return self.known_rule.name

    @property
    def is_in_use(self) -> bool:
        """Whether the rule is that of today."""
        return self.today_name in (self.name, self.rule.own_name)


@dataclass(frozen=True)
class Evidence:
    """What was measured."""

    errors: Assessment  # with random seeds, in which opponents betray nothing
    # in a field like a real one: rosters and games of an Olympiad, seeds near the truth; with the
    # excess over an ideal rule
    real: Assessment
    # the rates of `errors` with the difference to the shipped formula; None for other than tables
    than_formula: pd.DataFrame | None
    # there, how much ties depend on matches of others, and what half points more did
    others: pd.DataFrame
    probes: pd.DataFrame
    # real events under the rule of today and under the rule; none if they are the same
    changes: tuple[Comparison, ...]


def measure_rule(subject: Subject, event: TeamEvent | None) -> Evidence:
    """All that is measured, with progress on standard error.

    **Arguments:** `event`: a further real event, before the packaged ones.
    """
    world = subject.world
    # Random seeds: whom a team met betrays nothing of its strength.
    field = replace(world.field, seed_noise=math.inf, rating_noise=math.inf)
    errors, than_formula = _assess_in(subject, replace(world, field=field), "random seeds")
    field = replace(field, seed_noise=NOISE)
    # Rosters of four boards hold no line-up of six or eight; a league has strengths of its own.
    if world.event.boards <= _BOARDS and not subject.is_league:
        field = replace(field, kind="rosters", event=_ROSTERS)
        world = replace(world, game=GameConfig(model="fitted"))
    world = replace(world, field=field)
    real, _ = _assess_in(subject, world, "a field like a real one")
    rules = [subject.today_rule, *([] if subject.is_in_use else [subject.known_rule])]
    bar = Progress(f"{'matches of others':>23}")
    # Groups further down have most of the pairs, and no page of the dossier speaks of them.
    places = [place for place in PLACES if place <= MOST_NEAR]
    others = dependence(world, rules, subject.events, subject.seed, bar, places)
    tries = PROBES * subject.events
    probes = probe_rules(world, rules, tries, subject.seed, f"{'half a point more':>23}")
    return Evidence(errors, real, than_formula, others, probes, tuple(_changes(subject, event)))


def _assess_in(
    subject: Subject, config: Config, label: str
) -> tuple[Assessment, pd.DataFrame | None]:
    judged = [*find_judged([], config.setting, subject.today_name)]
    judged += [] if subject.is_in_use else [subject.known_rule]
    known = {rule.name for rule in judged}
    # No formula beside `learned` where that stands for it.
    known |= {rule.own_name for rule in judged if isinstance(rule, Rule)}
    for name in (FORMULA, *OTHERS):
        if name not in known:
            judged += find_judged([name], config.setting, subject.today_name)[1:]
    if config.field.informative:
        # The simplest rule of all, where seeds say something.
        judged.append(HigherSeed())
    bar = Progress(f"{label:>23}")
    tally = tally_verdicts(config, judged, subject.events, subject.seed, progress=bar)
    frame = rates(tally, subject.seed, tally.rules[:1])
    if config.field.informative:
        played = EventRange(subject.seed, Purpose.ASSESS, subject.events)
        beside = ideal_beside(config, judged, tally, played, bar)
        frame = frame.join(excess(beside, subject.seed))
    # What a training gains over the formula that needs none.
    trained = subject.rule.has_tables and not subject.is_in_use and FORMULA in tally.rules
    than_formula = rates(tally, subject.seed, [FORMULA]) if trained else None
    made = Assessment("single", None, subject.events, subject.seed, config, frame)
    return made, than_formula


def _changes(subject: Subject, given: TeamEvent | None) -> list[Comparison]:
    if subject.is_in_use:
        return []
    # A league is no Olympiad: places there would say nothing of it.
    packaged = [] if subject.is_league else [read_event(olympiad) for olympiad in OLYMPIADS]
    # The event of the example may be a packaged one.
    events = [olympiad for olympiad in packaged if given is None or olympiad.name != given.name]
    comparisons = []
    for event in [given, *events] if given else events:
        # A table is for one number of boards.
        if event.boards == subject.world.event.boards:
            size = event.rounds, event.boards, len(event.teams)
            old, new = (find_rule(source, *size) for source in (subject.today_name, subject.source))
            today = rank(event, old)
            comparisons.append(compare(today, today.by(new)))
    return comparisons
