"""Standings, workings, comparisons and checks of an event as tables.

A command prints these tables, and the function of the same name in Python returns their frames. So
both have the same columns, values and notes.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tb2learn.catalogue import baseline, find_confidence, find_rule
from tb2learn.chess import Weakest
from tb2learn.events import (
    Comparison,
    Criterion,
    Moved,
    Ranked,
    TeamEvent,
    Working,
    explain,
    has_working,
    listed_order,
    named_order,
    rank,
    recorded_list,
    round_robin_notes,
    terms,
    unplayed_notes,
    usual_order,
    usual_policy,
    usual_rule,
)
from tb2learn.events.check import Checked, Finding, published_note
from tb2learn.events.decisions import read_decisions, with_decisions
from tb2learn.events.rank import deciding_rule, equal_line, medal_lines, with_confidence
from tb2learn.events.terms import TEAMS, Terms
from tb2learn.export.result import Table, TableSet
from tb2learn.export.words import choice, note
from tb2learn.text import number, plain
from tb2learn.tiebreaks.library import FORMULA, TABLES, heading
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError


class RuleFinder:
    """Finds rules by name for the format of an event.

    **Fields:** `notes`: what the user of the rules found must know, such as what a rescaled table
    costs.
    """

    def __init__(self, event: TeamEvent) -> None:
        self.event = event
        self.notes: list[str] = []

    def __call__(self, name: str) -> Rule:
        """The rule of a name.

        **Raises:** `InputError` as `catalogue.find_rule`.
        """
        teams = len(self.event.teams)
        rule = find_rule(name, self.event.rounds, self.event.boards, teams)
        self.notes += [line for line in rule_notes(rule, teams) if line not in self.notes]
        return rule


def rule_notes(rule: Rule, teams: int | None = None) -> tuple[str, ...]:
    """What a name stands for, and what it costs to use a rule in another format than its own.

    **Arguments:** `teams`: of the event, if there is one.
    """
    return tuple(filter(None, (choice(rule, teams), note(rule, teams=teams))))


def event_notes(event: TeamEvent, by: Rule | Sequence[Criterion] = ()) -> tuple[str, ...]:
    """Notes on an event and on rules that its unplayed rounds do not change.

    Those of the reading (`event.notes`) are not among them.
    """
    shown = [*published_note(event), *unplayed_notes(event, by), *round_robin_notes(event)]
    if event.planned > event.rounds:
        shown.append(f"{event.name}: after {event.rounds} of {event.planned} rounds")
    return tuple(shown)


def about_event(event: TeamEvent, unplayed: str) -> dict[str, Any]:
    """What every result of an event depends on: the event, its rounds, and the policy."""
    return {
        "event": event.name,
        "after": event.rounds,
        "rounds": event.planned,
        "unplayed": unplayed,
    }


# --------------------------------------------------------------------------- standings


@dataclass(frozen=True)
class RankedEvent:
    """The standings of an event and what decided them.

    **Fields:**

    - `event`, `unplayed`: what was ranked, and the policy for its unplayed rounds.
    - `by`: as for `rank_event`; the name or list that was taken if nothing was asked for.
    - `criteria`, `rows`: what decides, in order, and the standings.
    - `decisions`: notes on the list of tie-breaks that decides, and on play-offs and lots.
    - `notes`: all notes, those of the reading first.
    """

    event: TeamEvent
    unplayed: str
    by: Rule | str | Sequence[str]
    criteria: Sequence[Criterion]
    rows: Sequence[Ranked]
    decisions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row a team: `place`, `team` or `player`, and a column a criterion.

        With open matches `played` says how many a team has played. If it is known, `confidence` is
        the probability that a team is better than the next one; None at the end of a score group.
        """
        about = about_event(self.event, self.unplayed)
        about["criteria"] = [criterion.rule.name for criterion in self.criteria]
        made = standings_table(self.rows, terms(self.event.individual), matches_played(self.event))
        return replace(made, about=about, notes=self.notes)


def rank_event(
    event: TeamEvent,
    by: Rule | str | Sequence[str] | None = None,
    *,
    unplayed: str | None = None,
    weakest: Weakest = "lowest-contribution",
    share_below: float | None = None,
    decided: str | Path | None = None,
) -> RankedEvent:
    """Standings of an event.

    **Arguments:**

    - `by`: a rule, or its name, for the usual order with it; or a list of criteria. The record's
      own list if not given; without one the usual order of the event.
    - `unplayed`, `weakest`: as for `events.rank`.
    - `share_below`: also say how sure the order of tied neighbours is. Teams share a place where
      their order is less probable than this, 0.5 .. 1.
    - `decided`: a CSV of a play-off or drawn lots, which decide last.

    **Raises:** `InputError`, one line.
    """
    find, ordered = RuleFinder(event), ()
    unplayed = usual_policy(event) if unplayed is None else unplayed
    if by is None:
        recorded, ordered = recorded_list(event, find, unplayed)
        by = usual_rule(event) if recorded is None else recorded.split(",")
    criteria = criteria_of(event, by, find)
    rows = rank(event, criteria, weakest, unplayed)
    if share_below is not None:
        rule = deciding_rule(criteria)
        known = find_confidence(by if isinstance(by, str) else rule.name, rule)
        rows = with_confidence(rows, known, share_below)
    decisions: tuple[str, ...] = ()
    if decided is not None:
        rows, decisions = with_decisions(rows, read_decisions(decided, event))
    said = (*find.notes, *event_notes(event, criteria), *ordered, *decisions)
    notes = (*event.notes, *said, *medal_lines(rows), *equal_line(rows))
    return RankedEvent(event, unplayed, by, criteria, rows, (*ordered, *decisions), notes)


def criteria_of(
    event: TeamEvent, by: Rule | str | Sequence[str], find: Callable[[str], Rule]
) -> tuple[Criterion, ...]:
    """The criteria of a list, or the usual ones with a rule.

    **Arguments:** as for `rank_event`; `find`: gives the rule of a name.
    """
    if isinstance(by, Rule):
        return usual_order(event, by)
    if isinstance(by, str):
        return named_order(event, by, find)
    return listed_order(event, ",".join(by), find)


def matches_played(event: TeamEvent) -> dict[str, int]:
    """How many matches every team has played, byes included; empty if none is open."""
    if not event.open:
        return {}
    played = Counter(team for match in event.matches for team in match.teams)
    return {name: played[team] for team, name in enumerate(event.teams)}


def open_table(event: TeamEvent) -> Table:
    """The open matches or games: `round`, `team_a` and `team_b`, or `white` and `black`."""
    sides = ("white", "black") if event.individual else ("team_a", "team_b")
    rows = [[one.round, event.teams[one.team_a], event.teams[one.team_b]] for one in event.open]
    return Table(("round", *sides), rows, keys=3, about={"event": event.name}, notes=event.notes)


def standings_table(
    rows: Sequence[Ranked], words: Terms = TEAMS, played: Mapping[str, int] | None = None
) -> Table:
    """Standings as in `RankedEvent.table`, of rows alone.

    **Arguments:** `words`: for who is ranked; `played`: matches by team, empty for no such column.
    """
    names = [*rows[0].scores]
    known = any(row.confidence is not None for row in rows)
    body = [
        [
            row.place, row.team, *([played[row.team]] if played else []), *row.scores.values(),
            *[row.confidence] * known,
        ]
        for row in rows
    ]  # fmt: skip
    return Table(
        ("place", words.one, *["played"] * bool(played), *names, *["confidence"] * known),
        body,
        headings={name: heading(name) for name in names} | {"confidence": "before next"},
        formats={"confidence": percent},
        keys=2,
        digits=4,
    )


def percent(probability: float | None) -> str:
    """A probability in percent; empty for None."""
    return "" if probability is None else f"{probability:.0%}"


# --------------------------------------------------------------------------- workings


def usual_rules(event: TeamEvent, rule: Rule | str | None = None) -> list[Rule | str]:
    """The rules whose workings stand beside each other: the one in use and another one.

    **Arguments:** `rule`: the other one; the shipped table, of players the formula, if None.
    """
    other = (FORMULA if event.individual else TABLES[4]) if rule is None else rule
    return list(dict.fromkeys((baseline(event.boards), other)))


@dataclass(frozen=True)
class ExplainedTeams:
    """The working of some teams' tie-breaks.

    **Fields:** `rules`: what has a working; `workings`: one a team; `table`: see `working_table`.
    """

    rules: Sequence[Rule | Criterion]
    workings: tuple[Working, ...]
    table: Table


def explain_event(
    event: TeamEvent,
    teams: Sequence[str],
    by: Sequence[Rule | str] | None = None,
    *,
    unplayed: str | None = None,
    weakest: Weakest = "lowest-contribution",
    listed: bool = False,
) -> ExplainedTeams:
    """The working of teams' tie-breaks.

    **Arguments:**

    - `teams`: names; letter case does not matter.
    - `by`: rules or their names; the `usual_rules` if not given.
    - `unplayed`, `weakest`: as for `events.rank`.
    - `listed`: names are those of criteria, as they always are of players; those that are no sum
      over opponents are passed over.

    **Raises:** `InputError`, one line.
    """
    find, unplayed = RuleFinder(event), usual_policy(event) if unplayed is None else unplayed
    rules = _worked(event, usual_rules(event) if by is None else by, find, listed)
    workings = explain(event, teams, rules, weakest, unplayed)
    notes = [*event.notes, *find.notes, *event_notes(event)]
    table = working_table(workings)
    about = {**about_event(event, unplayed), **table.about}
    return ExplainedTeams(rules, workings, replace(table, notes=notes, about=about))


def _worked(
    event: TeamEvent, by: Sequence[Rule | str], find: RuleFinder, listed: bool
) -> list[Rule | Criterion]:
    """The rules or criteria of `explain_event`."""
    if not (listed or event.individual):
        return [rule if isinstance(rule, Rule) else find(rule) for rule in by]
    names = ",".join(name for name in by if isinstance(name, str))
    criteria = listed_order(event, names, find) if names else ()
    rules = [rule for rule in by if isinstance(rule, Rule)]
    shown = [one for one in (*rules, *criteria) if has_working(one)]
    if not shown:
        raise InputError(f"nothing in {names!r} is a sum over opponents")
    return shown


def working_table(workings: Sequence[Working]) -> Table:
    """A row a team, rule, pass and round; see `api.explain`.

    Its `about` has every team's points and, as `totals`, its sums by rule and pass.
    """
    words = workings[0].terms
    columns = (words.one, "rule", "pass", "round", "opponent", "kind", words.opponent_key)
    rows = [
        (
            *(w.team, w.rule_names[k], w.passes[k], item.round, item.opponent, item.kind),
            item.opponent_mp,
            item.opponent_mp if item.counts_as[k] is None else item.counts_as[k],
            *(item.gp, item.values[k], item.left_out[k]),
        )
        for w in workings
        for k in range(len(w.rules))
        for item in w.items
    ]
    about = {
        words.points_key: {w.team: w.mp for w in workings},
        "totals": {w.team: dict(zip(w.rules, map(number, w.sums), strict=True)) for w in workings},
    }
    return Table((*columns, "counts_as", words.result_key, "value", "left_out"), rows, about=about)


def working_text(workings: Sequence[Working], width: int | None = None) -> str:
    """Workings as text: a team's opponents with their value under each rule, and the sums.

    **Arguments:** `width`: as of `Table.text`; the columns of a rule stay together.
    """
    parts = []
    for w in workings:
        sums = ", ".join(f"{rule} {number(s)}" for rule, s in zip(w.rules, w.sums, strict=True))
        total = plain(f"{w.terms.total} without what is left out: {sums}")
        if width is not None:
            total = textwrap.fill(total, max(width, 20), subsequent_indent="  ")
        parts.append(f"{_working(w).text(width)}{total}\n")
    return "\n".join(parts)


def _working(working: Working) -> Table:
    """A row a round: the opponent, and for each rule what it counts as, its value, its mark."""
    columns, headings, joined = ["round", "opponent", "points", "result"], {}, set[str]()
    rows: list[list[Any]] = [[i.round, i.who, i.opponent_mp, i.gp] for i in working.items]
    headings |= {"points": working.terms.opponent, "result": working.terms.result}
    for k, rule in enumerate(working.rules):
        parts = {
            f"counts as {k}": ("counts as", [item.counts_as[k] for item in working.items]),
            f"value {k}": (rule, [item.values[k] for item in working.items]),
            f"mark {k}": ("", ["left out" if i.left_out[k] else "" for i in working.items]),
        }
        if all(item.counts_as[k] is None for item in working.items):
            del parts[f"counts as {k}"]
        if not any(item.left_out[k] for item in working.items):
            del parts[f"mark {k}"]
        for name, (head, cells) in parts.items():
            headings[name] = head
            for row, value in zip(rows, cells, strict=True):
                row.append(value)
        columns += parts
        joined |= {*list(parts)[1:]}
    return Table(
        columns,
        rows,
        title=f"{working.team}: {working.mp} {working.terms.points}",
        headings=headings,
        formats={name: _short for name in columns if name.startswith("counts as")},
        keys=2,
        joined=frozenset(joined),
    )


def _short(points: float) -> str:
    return f"{round(points, 2):g}"


# --------------------------------------------------------------------------- comparisons


def comparison_table(compared: Comparison) -> Table:
    """Every team under two rules, by old place: `old_place`, `new_place`, `up`, `team`, scores."""
    words = compared.terms
    more = {} if compared.individual else {"gp": "gp", "old_tb4": "tb4"}
    header = ("old_place", "new_place", "up", words.one, words.points_key, "old_tb2", "new_tb2")
    rows = [
        (*_moved(moved), *(moved.old.scores[name] for name in more.values()))
        for moved in compared.teams
    ]
    return Table((*header, *more), rows)


def _moved(moved: Moved) -> list[Any]:
    return [moved.old.place, moved.new.place, moved.up, moved.team, moved.mp, *moved.tiebreaks]


def comparison_text(compared: Comparison, width: int | None = None) -> str:
    """A comparison as text: every team by old place, the biggest movers, the tie for first."""
    words = compared.terms
    header = ("old", "new", "up", words.one, words.points, "old score", "new score")
    headings = {"old score": compared.old_rule, "new score": compared.new_rule}
    tied = [moved for moved in compared.teams if moved.team in compared.first_place]
    parts = [
        (f"{compared.event}: {compared.old_rule} and {compared.new_rule}", compared.teams),
        ("Biggest movers", compared.movers),
        ("Tied for first place", tied),
    ]
    return "\n".join(
        Table(
            *(header, list(map(_moved, teams)), title),
            headings=headings,
            formats={"up": lambda up: f"{up:+d}" if up else "="},
            keys=4,
        ).text(width)
        for title, teams in parts
    )


# --------------------------------------------------------------------------- checks


def checked_tables(event: TeamEvent | None, checked: Checked) -> TableSet:
    """What is wrong in the record of an event, and how its printed columns were understood.

    **Arguments:** `event`: None for a file that cannot be read; its one finding says why.
    """
    columns = ("heading", "criterion", "policy", "cells", "agreeing")
    tables = {
        "findings": Table(
            ("round", "kind", "text"), [[*asdict(one).values()] for one in checked.findings]
        ),
        "columns": Table(columns, [[*asdict(one).values()] for one in checked.columns]),
    }
    about = {"event": event.name if event else None, "rounds": event.rounds if event else None}
    return TableSet(tables, event.notes if event else (), about)


def checked_text(
    event: TeamEvent | None, checked: Checked, by_round: bool, width: int | None = None
) -> str:
    """The printed columns as a table, and the findings, one a line.

    **Arguments:** `by_round`: a line for every round, also where nothing is wrong.
    """
    parts = []
    if checked.columns:
        header = ("printed", "recomputed as", "unplayed rounds", "agree", "of")
        rows = [
            (one.heading, one.criterion or _no_criterion(one.heading), one.policy, one.agreeing,
             one.cells)
            for one in checked.columns
        ]  # fmt: skip
        parts.append(Table(header, rows).text(width))
    rounds = range(1, event.rounds + 1) if by_round and event and event.known_rounds else ()
    lines: list[str] = []
    for number_ in rounds:
        wrong = [finding for finding in checked.findings if finding.round == number_]
        lines.append(f"round {number_}: {len(wrong) or 'nothing'} wrong")
        lines += [f"  {finding.kind}: {finding.text}" for finding in wrong]
    lines += [_line(finding) for finding in checked.findings if finding.round not in rounds]
    lines.append(f"{len(checked.findings) or 'nothing'} wrong")
    return "".join([*parts, *(f"{line}\n" for line in lines)])


def _no_criterion(printed: str) -> str:
    return "the order of the printed columns" if printed == "place" else "(no tie-break known here)"


def _line(finding: Finding) -> str:
    where = f"round {finding.round}: " if finding.round else ""
    return f"{where}{finding.kind}: {finding.text}"
