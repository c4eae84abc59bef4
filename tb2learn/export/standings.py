"""Standings, workings, comparisons and checks of an event as tables.

A command prints these tables, and the function of the same name in Python returns their frames. So
both have the same columns, values and notes. At the end stand the scores of a rule by start number,
for the column of a tie-break that an arbiter fills in.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tb2learn.catalogue import checkpoint_notes, find_confidence, find_rule
from tb2learn.chess import Weakest
from tb2learn.disk import inputs
from tb2learn.events import (
    Comparison,
    Criterion,
    PlaceChange,
    StandingsRow,
    TeamEvent,
    Working,
    explain,
    has_working,
    recorded_list,
    round_robin_notes,
    terms,
    unplayed_notes,
    usual_policy,
    usual_rule,
)
from tb2learn.events.check import Checked, published_note
from tb2learn.events.confidence import (
    deciding_criterion,
    equal_line,
    event_spread,
    medal_lines,
    unusual_lines,
    with_confidence,
)
from tb2learn.events.criteria import complete
from tb2learn.events.decisions import read_decisions, with_decisions
from tb2learn.events.findings import Finding
from tb2learn.events.kind import is_round_robin, start_of
from tb2learn.events.orders import Asked, criteria_notes, read_criteria
from tb2learn.events.ranking import PlayOff, Ranking
from tb2learn.events.unplayed import TITLES
from tb2learn.events.unplayed.policies import too_early
from tb2learn.events.unplayed.record import event_record
from tb2learn.events.verdict import Verdict, with_others
from tb2learn.events.verdict import verdict as verdict_of
from tb2learn.export.remarks import (
    full_marks,
    notes_of_marks,
    penalty_line,
    short_marks,
    withdrawal_line,
)
from tb2learn.export.result import Table, TableSet
from tb2learn.export.rule_names import called
from tb2learn.export.standings_columns import (
    count_columns,
    entrant_columns,
    known_columns,
    score_columns,
    screen_table,
)
from tb2learn.export.verdict_words import verdict_text
from tb2learn.export.words import choice, note
from tb2learn.text import csv_text, plain, plain_number
from tb2learn.tiebreaks.confidence_map import confidence_name
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
        # A rule is for a format: the same name may be another table on other boards.
        rule = find_rule(name, self.event.rounds, self.event.boards, teams)
        # Under FIDE's order nobody asked what other rules would do better.
        lines = (*checkpoint_notes([name]), *(rule_notes(rule, teams) if rule.learned else ()))
        self.notes += [line for line in lines if line not in self.notes]
        return rule


def rule_notes(rule: Rule, teams: int | None = None) -> tuple[str, ...]:
    """What a name stands for, and what it costs to use a rule in another format than its own."""
    return tuple(filter(None, (choice(rule, teams), note(rule, teams=teams))))


def event_notes(
    event: TeamEvent, criteria: Sequence[Criterion] = (), unplayed: str | None = None
) -> tuple[str, ...]:
    """Notes on an event and on rules that its unplayed rounds do not change.

    Those of the reading (`event.notes`) are not among them.

    **Arguments:** `unplayed`: the policy for unplayed rounds, if it is not the usual one.
    """
    notes = [
        *published_note(event, unplayed),
        *unplayed_notes(event, criteria),
        *round_robin_notes(event),
    ]
    notes += notes_of_marks(event)
    if event.planned > event.rounds:
        notes.append(f"{event.name}: after {event.rounds} of {event.planned} rounds")
    return tuple(notes)


def order_line(ranking: Ranking) -> str:
    """What decides, in a line such as `FIDE C.07 (March 2026): MPTS, EMGSB/C1, GPTS`.

    Where the edition depends on a date that the event does not have, the line says so.
    """
    event, unplayed = ranking.event, ranking.unplayed
    # Only the usual policy depends on the date, and only where a round was not played.
    undated = (
        unplayed == usual_policy(event)
        and not (is_round_robin(event) or start_of(event))
        and not event_record(event).played.all()
    )
    edition = TITLES[unplayed] + (", as the event has no date" if undated else "")
    return f"{edition}: {', '.join(criterion.label for criterion in ranking.criteria)}"


# --------------------------------------------------------------------------- standings


@dataclass(frozen=True)
class RankedEvent:
    """The standings of an event, and what is to be said of them."""

    ranking: Ranking
    listed: tuple[str, ...] = ()  # a note on a list of the record
    found: tuple[str, ...] = ()  # notes on the rules
    decisions: tuple[str, ...] = ()  # notes on play-offs and lots
    confidence: tuple[str, ...] = ()  # notes on how sure the order is

    @staticmethod
    def of(
        event: TeamEvent,
        by: Asked | None = None,
        unplayed: str | None = None,
        weakest: Weakest = "lowest-contribution",
        play_off: PlayOff | None = None,
    ) -> RankedEvent:
        """An event in order, and what is to be said of its rules and criteria.

        **Arguments:**

        - `by`: as for `CriteriaReader.read`; the record's own list, else the usual rule of the
          event, if not given.
        - `unplayed`, `weakest`: as for `events.rank`.
        - `play_off`: what decides between two of the criteria, which names that after it by its
          name or by FIDE's code.

        **Raises:** `InputError`, one line.
        """
        find, completed = RuleFinder(event), complete(event, unplayed, weakest)
        listed: tuple[str, ...] = ()
        criteria = None
        # Nobody asked: the file's own list decides, if it can be computed.
        if by is None:
            criteria, listed = recorded_list(event, find, completed)
        if criteria is None:
            asked = usual_rule(event) if by is None else by
            criteria = read_criteria(event, asked, find)
        if play_off is not None:
            by_code = {criterion.label: criterion.name for criterion in criteria}
            before = by_code.get(play_off.before.upper(), play_off.before)
            play_off = replace(play_off, before=before)
        ranking = Ranking.of(event, completed, criteria, play_off)
        return RankedEvent(ranking, listed, tuple(find.notes))

    @property
    def event(self) -> TeamEvent:
        """What is ranked."""
        return self.ranking.event

    @property
    def line(self) -> str:
        """What decides, as `order_line`."""
        return order_line(self.ranking)

    @property
    def about(self) -> dict[str, Any]:
        """What every result of an event depends on: the event, its rounds, and the policy."""
        return {
            "event": self.event.name,
            "after": self.event.rounds,
            "rounds": self.event.planned,
            "unplayed": self.ranking.unplayed,
            "edition": TITLES[self.ranking.unplayed],
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes, those of the reading first."""
        event, criteria, unplayed = self.event, self.ranking.criteria, self.ranking.unplayed
        is_usual = unplayed == usual_policy(event)
        # The usual policy is one of several by which printed columns may have been made.
        event_lines = event_notes(event, criteria, None if is_usual else unplayed)
        unusual = criteria_notes(event, criteria) + (too_early(event) if is_usual else ())
        first = (*event.notes, *self.found, *event_lines, *self.listed, *unusual)
        return (*first, *self.decisions, *self.confidence)

    def table(self, league: bool = False) -> Table:
        """A row a team: `place`, `team` or `player`, and a column a criterion.

        With open matches `played` says how many a team has played. If it is known, `confidence` is
        the probability that a team is better than the next one, and `others` the number of matches
        of others that decided their order; None at the end of a score group.

        **Arguments:** `league`: also matches `played`, `won`, `drawn` and `lost`.
        """
        event, ranking = self.event, self.ranking
        about = self.about | {"rule": ranking.criteria.name}
        about["criteria"] = [criterion.rule.name for criterion in ranking.criteria]
        about["order"] = self.line
        # What was taken or given outside of matches, and who left: no score shows it.
        if remarks := full_marks(event):
            about["remarks"] = remarks
        columns = [
            *entrant_columns(terms(event.individual).one, marks=short_marks(event)),
            *count_columns(matches_played(event, league)),
            *score_columns(ranking),
            *known_columns(ranking),
        ]
        title = f"{event.name}, after round {event.rounds}\n{about['order']}"
        table = screen_table(columns, ranking)
        return replace(table, title=title, about=about, notes=self.notes)


def rank_event(
    event: TeamEvent,
    by: Asked | None = None,
    *,
    unplayed: str | None = None,
    weakest: Weakest = "lowest-contribution",
    share_below: float | None = None,
    others: bool = False,
    decided: str | Path | None = None,
    before: str | None = None,
) -> RankedEvent:
    """Standings of an event.

    **Arguments:**

    - `by`, `unplayed`, `weakest`: as for `RankedEvent.of`.
    - `share_below`: also say how sure the order of tied neighbours is. Teams share a place where
      their order is less probable than this, 0.5 .. 1.
    - `others`: also count the matches of others in the last round that decided orders.
    - `decided`: a CSV of a play-off or drawn lots.
    - `before`: the criterion that these come before, by its name or FIDE's code; they decide last
      if not given.

    **Raises:** `InputError`, one line.
    """
    if before is not None and decided is None:
        raise InputError("--before says where a play-off stands: name its table (--decided)")
    places = {} if decided is None else read_decisions(decided, event)
    play_off = None if before is None else PlayOff(event.teams, places, before)
    ranked = RankedEvent.of(event, by, unplayed, weakest, play_off)
    ranking, rows, decisions = ranked.ranking, ranked.ranking.rows, ()
    unusual = ()
    if share_below is not None:
        rows, unusual = _with_confidence(ranking, share_below)
    # This tries every other result of the last round: it takes seconds.
    if others:
        rows = with_others(replace(ranking, rows=rows))
    if ranking.play_off:
        # In the order in which it put them.
        names = ", ".join(sorted(places, key=lambda name: places[name]))
        decisions = (f"before {ranking.play_off.before} by play-off or lot: {names}",)
    elif decided is not None:
        rows, decisions = with_decisions(rows, places)
    if share_below is not None:
        heads = {criterion.name: criterion.label for criterion in ranking.criteria}
        how = rows, deciding_criterion(ranking.criteria).name, heads
        unusual = (*unusual, *medal_lines(*how), *equal_line(*how))
    return replace(
        ranked,
        ranking=replace(ranking, rows=rows),
        decisions=decisions,
        confidence=unusual,
    )


def _with_confidence(
    ranking: Ranking, share_below: float
) -> tuple[tuple[StandingsRow, ...], tuple[str, ...]]:
    """The standings with how sure the order is, and notes on what is unusual about that."""
    criterion, event = deciding_criterion(ranking.criteria), ranking.event
    led = ranking.criteria.rule is not None
    source = ranking.criteria.asked[0] if led else criterion.rule.name
    confidence = find_confidence(source, criterion.rule)
    here = confidence.at(event_spread(event))
    rows = with_confidence(ranking.rows, criterion.name, here, share_below)
    notes = unusual_lines(event, confidence)
    # The confidence of a rule that is named by its path stands beside that file.
    if Path(source).parent == Path():
        from tb2learn.config import place_note

        own = place_note(confidence_name(criterion.rule), "checkpoints/confidence", ".json")
        notes += filter(None, [own])
    return rows, tuple(notes)


def matches_played(event: TeamEvent, league: bool = False) -> dict[str, list[int]]:
    """How many matches every team has `played`, byes included, by number; empty if none is open.

    **Arguments:** `league`: always, and how many it has `won`, `drawn` and `lost`.
    """
    # All have played as many matches: the number says nothing.
    if not (event.open or league):
        return {}
    kinds = ("played", "won", "drawn", "lost") if league else ("played",)
    counts = {kind: [0] * len(event.teams) for kind in kinds}
    # By points, so that a bye counts as what it pays.
    win, draw, _ = event.scoring
    for match in event.matches:
        for team in match.teams:
            points, _ = match.points_of(team)
            result = "won" if points >= win else "drawn" if points >= draw else "lost"
            for kind in {"played", result} & {*kinds}:
                counts[kind][team] += 1
    return counts


def open_table(event: TeamEvent) -> Table:
    """The open matches or games: `round`, `team_a` and `team_b`, or `white` and `black`."""
    sides = ("white", "black") if event.individual else ("team_a", "team_b")
    rows = [
        [match.round or None, event.teams[match.team_a], event.teams[match.team_b]]
        for match in event.open
    ]
    return Table(("round", *sides), rows, keys=3, about={"event": event.name}, notes=event.notes)


# --------------------------------------------------------------------------- workings


@dataclass(frozen=True)
class ExplainedTeams:
    """The working of some teams' tie-breaks, by the criteria that order the event."""

    ranking: Ranking  # of the event
    # the criteria that are sums over opponents, and the rule beside
    rules: Sequence[Rule | Criterion]
    workings: tuple[Working, ...]  # of `rules`, one a team
    standings: tuple[StandingsRow, ...]  # the rows of the teams in the standings
    encounters: tuple[Table, ...]  # a table a tie that a direct encounter is asked to break
    # what decides between two teams, or between one and the team above it
    verdict: Verdict | None
    table: Table  # see `working_table`

    def text(self, width: int | None = None) -> str:
        """The verdict, the workings, the places, and the matches among those still tied."""
        # What a captain asks comes first; the numbers behind it follow.
        said = (
            verdict_text(self.verdict, players=self.workings[0].individual) if self.verdict else ""
        )
        blocks = [f"{folded(said, width)}\n"] if said else []
        blocks.append(working_text(self.workings, width))
        heads = {criterion.name: criterion.label for criterion in self.ranking.criteria}
        places: list[str] = []
        for row in self.standings:
            scores = (f"{heads.get(key, key)} {plain_number(x)}" for key, x in row.scores.items())
            places.append(folded(f"{row.team}: place {row.place}, {', '.join(scores)}", width))
        blocks.append("".join(f"{line}\n" for line in places))
        blocks += [table.text(width) for table in self.encounters]
        return "\n".join(blocks)


def explain_event(
    event: TeamEvent,
    teams: Sequence[str],
    by: Asked | None = None,
    *,
    unplayed: str | None = None,
    weakest: Weakest = "lowest-contribution",
    beside: Rule | str | None = None,
    alone: bool = False,
) -> ExplainedTeams:
    """The working of teams' tie-breaks, as `rank_event` orders them.

    **Arguments:**

    - `teams`: as for `events.explain`. A single one is compared with the team above it, the first
      with the next one.
    - `by`, `unplayed`, `weakest`: as for `RankedEvent.of`. Criteria that are no sum over opponents
      have no columns.
    - `beside`: a rule whose working stands beside.
    - `alone`: whether a single rule is shown without the criteria that follow it.

    **Raises:** `InputError`, one line.
    """
    ranked = RankedEvent.of(event, by, unplayed, weakest)
    ranking, criteria = ranked.ranking, ranked.ranking.criteria
    # A list of one criterion is called by its rule.
    led = criteria[0].rule.name if len(criteria) == 1 else criteria.name
    rules: list[Rule | Criterion] = [
        criterion
        for criterion in criteria
        if has_working(criterion) and not (alone and criterion.rule.name != led)
    ]
    # A list is explained by its verdict; a rule of somebody's own has nothing else to show.
    own_rules = [by] if isinstance(by, Rule) else [] if by is None or isinstance(by, str) else by
    if not rules and own_rules and all(isinstance(rule, Rule) for rule in own_rules):
        names = ", ".join(criterion.name for criterion in criteria)
        raise InputError(f"nothing in {names!r} is a sum over opponents")
    if beside is not None:
        find = RuleFinder(event)
        rules.append(beside if isinstance(beside, Rule) else find(beside))
        # Each note once, whoever found the rule.
        ranked = replace(ranked, found=tuple(dict.fromkeys((*ranked.found, *find.notes))))
    workings = explain(ranking, teams, rules)
    numbers = [working.number for working in workings]
    standings = [ranking.row_of[number] for number in numbers]
    compared = _teams_to_compare(ranking, numbers)
    verdict = None if compared is None else verdict_of(ranking, compared)
    table = working_table(workings)
    about = {**ranked.about, "rule": led, "order": ranked.line, **table.about}
    about["standings"] = {row.team: {"place": row.place, **row.scores} for row in standings}
    about["verdict"] = verdict_text(verdict, players=event.individual) if verdict else None
    return ExplainedTeams(
        ranking,
        rules,
        workings,
        tuple(standings),
        _encounters(ranking, numbers),
        verdict,
        replace(table, notes=ranked.notes, about=about),
    )


def _teams_to_compare(ranking: Ranking, teams: Sequence[int]) -> tuple[int, int] | None:
    """The two teams to compare: those named, or one and its neighbour; None for more."""
    if len(teams) == 2:
        return teams[0], teams[1]
    # Several teams are not compared two by two, and one alone has no neighbour.
    if len(teams) > 2 or len(ranking.rows) < 2:
        return None
    (team,), order = teams, ranking.order
    at = order.index(team)
    # Nobody is above the first, who wants to know what keeps it before the next one.
    return team, order[at - 1 if at else 1]


def _encounters(ranking: Ranking, teams: Sequence[int]) -> tuple[Table, ...]:
    """The matches among those who are tied where a direct encounter is asked, a table a tie."""
    event, criteria = ranking.event, ranking.criteria
    # Who is tied depends on what decides before the encounter.
    at = next((k for k, c in enumerate(criteria) if c.label.startswith(("DE", "EDE"))), None)
    if not at:
        return ()
    before = ranking.played[:at]
    tables: dict[tuple[int, ...], Table] = {}
    for team in teams:
        # Equal on every criterion before the encounter.
        tied = (before == before[:, [team]]).all(axis=0).nonzero()[0].tolist()
        # A tie of several teams is shown once.
        if len(tied) < 2 or tuple(tied) in tables:
            continue
        rows = [
            (
                match.round or None,
                event.teams[match.team_a],
                event.teams[match.team_b],
                f"{plain_number(match.half_points_a / 2)}-{plain_number(match.half_points_b / 2)}",
            )
            for match in event.matches
            if match.team_b is not None and {match.team_a, match.team_b} <= set(tied)
        ]
        names = ", ".join(event.teams[team] for team in tied)
        title = f"Direct encounter of {names}:" + ("" if rows else " they have not met")
        columns = ("round", terms(event.individual).one, "opponent", "result")
        tables[tuple(tied)] = Table(columns if rows else (), rows, title, keys=4)
    return tuple(tables.values())


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
        "totals": {
            w.team: dict(zip(w.rules, map(plain_number, w.sums), strict=True)) for w in workings
        },
    }
    if remarks := {w.team: "; ".join(lines) for w in workings if (lines := working_remarks(w))}:
        about["remarks"] = remarks
    return Table((*columns, "counts_as", words.result_key, "value", "left_out"), rows, about=about)


def working_text(workings: Sequence[Working], width: int | None = None) -> str:
    """Workings as text: a team's opponents with their value under each rule, and the sums."""
    blocks = []
    for w in workings:
        sums = ", ".join(
            f"{head} {plain_number(s)}" for head, s in zip(w.headings, w.sums, strict=True)
        )
        lines = working_remarks(w)
        if w.rules:
            lines.append(f"sums without what is left out: {sums}")
        below = "".join(f"{folded(line, width)}\n" for line in lines)
        blocks.append(_working(w).text(width) + below)
    return "\n".join(blocks)


def working_remarks(working: Working, language: str = "en") -> list[str]:
    """What no round of a working has: penalties, and that the team withdrew; a line each."""
    individual, last = working.individual, working.withdrawn
    lines = [penalty_line(penalty, individual, language) for penalty in working.penalties]
    return lines if last is None else [*lines, withdrawal_line(last, language)]


def folded(line: str, width: int | None) -> str:
    """A line of text on lines of a width, from the second on indented; None for one line."""
    line = plain(line)
    return line if width is None else textwrap.fill(line, max(width, 20), subsequent_indent="  ")


def _working(working: Working) -> Table:
    """A row a round: the opponent, and for each rule what it counts as, its value, its mark."""
    columns, headings, joined = ["round", "opponent", "points", "result"], {}, set[str]()
    rows: list[list[Any]] = [[i.round, i.who, i.opponent_mp, i.gp] for i in working.items]
    headings |= {"points": working.terms.opponent, "result": working.terms.result}
    for k, head in enumerate(working.headings):
        rule_columns = {
            f"counts as {k}": ("counts as", [item.counts_as[k] for item in working.items]),
            f"value {k}": (head, [item.values[k] for item in working.items]),
            f"mark {k}": ("", ["left out" if i.left_out[k] else "" for i in working.items]),
        }
        # A column that repeats the opponent's points, or marks nothing, stays out.
        if all(item.counts_as[k] is None for item in working.items):
            del rule_columns[f"counts as {k}"]
        if not any(item.left_out[k] for item in working.items):
            del rule_columns[f"mark {k}"]
        for name, (title, cells) in rule_columns.items():
            headings[name] = title
            for row, value in zip(rows, cells, strict=True):
                row.append(value)
        columns += rule_columns
        joined |= {*list(rule_columns)[1:]}
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
    extra = {} if compared.individual else {"gp": "gp", "old_tb4": "tb4"}
    extra_columns = {
        column: name for column, name in extra.items() if name in compared.teams[0].old.scores
    }
    header = ("old_place", "new_place", "up", words.one, words.points_key, "old_tb2", "new_tb2")
    rows = [
        (*_moved(moved), *(moved.old.scores[name] for name in extra_columns.values()))
        for moved in compared.teams
    ]
    return Table((*header, *extra_columns), rows)


def _moved(moved: PlaceChange) -> list[Any]:
    return [moved.old.place, moved.new.place, moved.up, moved.team, moved.mp, *moved.tiebreaks]


def comparison_text(compared: Comparison, width: int | None = None) -> str:
    """A comparison as text: every team by old place, the biggest movers, the tie for first."""
    words = compared.terms
    header = ("old", "new", "up", words.one, words.points, "old score", "new score")
    headings = dict(zip(map(str, header[5:]), map(called, compared.headings), strict=True))
    old, new = called(compared.old_rule), called(compared.new_rule)
    tied = [moved for moved in compared.teams if moved.team in compared.first_place]
    blocks = [
        (f"{compared.event}: {old} and {new}", compared.teams),
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
        for title, teams in blocks
    )


# --------------------------------------------------------------------------- checks


def checked_tables(event: TeamEvent | None, checked: Checked) -> TableSet:
    """What is wrong in the record of an event, and how its printed columns were understood.

    **Arguments:** `event`: None for a file that cannot be read; its one finding says why.
    """
    columns = ("heading", "criterion", "policy", "cells", "agreeing")
    says = ("round", "kind", "text")
    entries = {
        "findings": (says, checked.findings),
        "columns": (columns, checked.columns),
        "remarks": (says, checked.remarks),
    }
    tables = {
        name: Table(heads, [[*asdict(entry).values()] for entry in rows])
        for name, (heads, rows) in entries.items()
    }
    about = {"event": event.name if event else None, "rounds": event.rounds if event else None,
             "rules": checked.rules}  # fmt: skip
    return TableSet(tables, event.notes if event else (), about)


def checked_text(
    event: TeamEvent | None, checked: Checked, by_round: bool, width: int | None = None
) -> str:
    """The printed columns as a table, and the findings, one a line.

    **Arguments:** `by_round`: a line for every round, also where nothing is wrong.
    """
    blocks = [f"{folded(f'{event.name}, after round {event.rounds}', width)}\n"] if event else []
    if checked.rules:
        blocks.append(f"{folded(f'rounds held against the rules: {checked.rules}', width)}\n")
    if checked.columns:
        header = ("printed", "recomputed as", "unplayed rounds", "agree", "of")
        rows = [
            (column.heading, column.criterion or _no_criterion(column.heading), column.policy,
             column.agreeing, column.cells)
            for column in checked.columns
        ]  # fmt: skip
        blocks.append(Table(header, rows).text(width))
    rounds = range(1, event.rounds + 1) if by_round and event and event.known_rounds else ()
    lines: list[str] = []
    for round_number in rounds:
        # Findings without a round follow below.
        wrong = [finding for finding in checked.findings if finding.round == round_number]
        lines.append(f"round {round_number}: {len(wrong) or 'nothing'} wrong")
        lines += [f"  {finding.kind}: {finding.text}" for finding in wrong]
    lines += [_line(finding) for finding in checked.findings if finding.round not in rounds]
    lines += [f"remark: {_line(remark)}" for remark in checked.remarks]
    lines.append(f"{len(checked.findings) or 'nothing'} wrong")
    return "".join([*blocks, *(f"{folded(line, width)}\n" for line in lines)])


def _no_criterion(printed: str) -> str:
    return "the order of the printed columns" if printed == "place" else "(no tie-break known here)"


def _line(finding: Finding) -> str:
    where = f"round {finding.round}: " if finding.round else ""
    return f"{where}{finding.kind}: {finding.text}"


# --------------------------------------------------------------------------- values of a rule

_HEAD = "### start, value of "


def unknown_criterion(criteria: Sequence[Criterion]) -> Criterion:
    """The criterion whose values another program lacks: the first that FIDE has no code for."""
    return next(
        (criterion for criterion in criteria if not criterion.code),
        criteria[min(1, len(criteria) - 1)],
    )


def values_csv(ranking: Ranking) -> str:
    """Start number, name and value of the criterion that other programs lack, in start order."""
    name = unknown_criterion(ranking.criteria).name
    table = [
        (start, row.team, plain_number(row.scores[name]))
        for start, row in zip(_starts(ranking.event), ranking.row_of, strict=True)
    ]
    who = "player" if ranking.event.individual else "team"
    return csv_text([("start", who, "value"), *table])


def values_trf(ranking: Ranking) -> str:
    """Record 212 of a TRF26 with the order of the criteria, and the values as comments.

    TRF26 has no record for values. A rule without a code is `OTHER_` and its name, as FIDE asks.
    """
    unknown = unknown_criterion(ranking.criteria)
    codes = [
        criterion.code or f"OTHER_{_plain(criterion.rule.name)}" for criterion in ranking.criteria
    ]
    lines = [f"212 {','.join(codes)}", f"{_HEAD}{_plain(unknown.rule.name)}, name"]
    lines += [
        f"### {start:4} {plain_number(row.scores[unknown.name]):>10} {plain(row.team)}"
        for start, row in zip(_starts(ranking.event), ranking.row_of, strict=True)
    ]
    return "".join(f"{line}\r\n" for line in lines)


def is_values_trf(path: Path) -> bool:
    """Whether a file is what `values_trf` makes."""
    head = inputs.read_bytes(path, inputs.MAX_TEXT).split(b"\r\n", 2)
    return head[0].startswith(b"212 ") and head[1:2] != [] and head[1].startswith(_HEAD.encode())


def _starts(event: TeamEvent) -> Sequence[int]:
    """Start numbers, of which a file may leave some out; without them teams are in start order."""
    return event.starts or range(1, 1 + len(event.teams))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.upper() if letter.isalnum() or letter == "-")
