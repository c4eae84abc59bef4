"""Standings as a page for the wall: places under two rules side by side, and what the columns mean.

Match points and game points stand under MP and GP, what comes second in the order of the Olympiad
under TB2. The other criteria have FIDE's codes, such as BH/C1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tb2learn.chess import Weakest
from tb2learn.events import Criterion, StandingsRow, TeamEvent, named_order, rank
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.source import DATES
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.terms import terms
from tb2learn.export.document import Cell, Document, Grid, Sentences
from tb2learn.export.remarks import remarks
from tb2learn.export.result import Table
from tb2learn.export.standings import RankedEvent, RuleFinder, order_line
from tb2learn.export.standings_columns import (
    DOWN,
    UP,
    StandingsColumn,
    beside_columns,
    criterion_heads,
    entrant_columns,
    known_columns,
    score_columns,
    screen_table,
)
from tb2learn.export.words import decimal, note_lines, shown_name, words
from tb2learn.text import on_paper, plain_number
from tb2learn.tiebreaks.library import Modifiers, baseline
from tb2learn.tiebreaks.names import Named
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

_MOST_MOVERS = 10
_AT_A_GLANCE = 30  # rows of standings in which one sees who moved most


@dataclass(frozen=True)
class Standings:
    """Standings to hang on the wall."""

    event: TeamEvent  # what was played
    criteria: Sequence[Criterion]  # what decides, in order
    rows: Sequence[StandingsRow]  # the standings by these
    unplayed: str  # the policy for unplayed rounds
    # the rule of another order, and the standings by it; None for none. Where both agree on every
    # place the page says so instead of showing its columns
    beside: tuple[Rule, Sequence[StandingsRow]] | None = None
    notes: Sequence[str] = ()  # on how the event was read and decided, one line each, in English
    # teams share a place where their order is less probable; None if they do not
    share_below: float | None = None
    language: str = "en"  # one of `forms.LANGUAGES`
    league: bool = False  # whether a crosstable stands below
    title: str = ""  # of the page, instead of the name of the event
    name: str = ""  # of the order, where a page has two

    @property
    def text(self) -> Mapping[str, str]:
        """The words for who is ranked."""
        return words(self.language, self.event.individual)

    @property
    def heads(self) -> dict[str, str]:
        """The heads of the columns by the names of their criteria."""
        return criterion_heads(self.criteria, self.text, self.event.individual)

    @property
    def other(self) -> dict[str, StandingsRow]:
        """The rows of the other order, by name; empty for none, or if it moves nobody."""
        rows_beside = {row.team: row for row in self.beside[1]} if self.beside else {}
        return (
            rows_beside
            if any(rows_beside and rows_beside[r.team].place != r.place for r in self.rows)
            else {}
        )

    @property
    def beside_score_is_new(self) -> bool:
        """Whether the score of the other rule is not shown as a criterion of this order, too."""
        rules = {criterion.rule.name for criterion in self.criteria}
        return self.beside is not None and self.beside[0].name not in rules

    @property
    def moves_to_beside(self) -> bool:
        """Whether teams move from the order of this page, today's, to that of a learned rule."""
        assert self.beside is not None
        return self.beside[0].learned

    @property
    def own_name(self) -> str:
        """The name of the rule that decides on this page."""
        rule = next((c.rule for c in self.criteria if c.name not in ("mp", "points")), None)
        return shown_name(rule, self.language) if rule else self.text["doc.mp"]

    @property
    def place_by(self) -> str:
        """The head of the places of the other order."""
        return self.text["wall.place_by"].format(name=self.beside_name)

    @property
    def beside_name(self) -> str:
        """The name of the other rule."""
        assert self.beside is not None
        rule, _ = self.beside
        return shown_name(rule, self.language)


def table_beside(table: Table, standings: Standings) -> Table:
    """A table of standings with the places by the other rule, and how far every team moves.

    **Arguments:** `table`: of the same rows as the `standings`, which have a rule `beside`.

    **Returns:** the table with two columns more: the other rule's name, and `moved`, places up
    (above 0) or down from today's order.
    """
    assert standings.beside is not None
    by_team = {row.team: row for row in standings.beside[1]}
    # Also where nobody moves: whoever asked for the places beside gets them.
    moves = screen_table(_beside_columns(standings, by_team), standings.rows)
    return replace(
        table,
        columns=[*table.columns, *moves.columns],
        rows=[[*cells, *of_row] for cells, of_row in zip(table.rows, moves.rows, strict=True)],
        formats={**table.formats, **moves.formats},
    )


def orders_of(
    ranked: RankedEvent,
    beside: str | None = None,
    weakest: Weakest = "lowest-contribution",
    *,
    share_below: float | None = None,
    **how: Any,
) -> tuple[list[Standings], list[str]]:
    """The standings to print, and those by a rule beside them: FIDE's if another one decides.

    **Arguments:**

    - `ranked`: the standings.
    - `beside`: the name of the rule; None for the usual one.
    - `weakest`, `share_below`: as for `rank_event`; `share_below` in percent.
    - `how`: further fields of `Standings`, such as the `language`.

    **Returns:** one or two standings, and the notes on the rule beside.

    **Raises:** `InputError` as `rank_event`.
    """
    order, event = ranked.order, ranked.order.event
    find, language = RuleFinder(event), how.get("language", "en")
    # A list of criteria has no rule that could stand in a column.
    is_led = not isinstance(order.by, list | tuple) and order.by != "fide"
    own_rule = order.criteria[1].rule if is_led else None
    printed = Standings(
        event,
        order.criteria,
        ranked.rows,
        order.unplayed,
        notes=[*map(on_paper, (*deciding_notes(event, order.criteria), *ranked.decisions))],
        share_below=share_below,
        name=order_name(own_rule or order.by, language),
        **how,
    )
    # Who asks for another rule wants to see what FIDE's would say.
    usual = baseline(event.boards)
    if beside is None and is_led and order.by != usual:
        beside = usual
    if not beside:
        return [printed], []
    rule, criteria = find(beside), named_order(event, beside, find)
    rows = rank(event, criteria, weakest, order.unplayed)
    standings_beside = Standings(
        event,
        criteria,
        rows,
        order.unplayed,
        beside=(own_rule, ranked.rows) if own_rule else None,
        notes=[*map(on_paper, deciding_notes(event, criteria))],
        name=order_name(rule, language),
        **how,
    )
    notes = [note for note in find.notes if note not in ranked.notes]
    return [replace(printed, beside=(rule, rows)), standings_beside], notes


def order_name(by: Rule | str | Sequence[Rule | str], language: str = "en") -> str:
    """What the page calls an order: by the rule that leads it, or by its list."""
    if isinstance(by, Rule):
        return shown_name(by, language)
    if by == "fide":
        return words(language)["rule.fide"]
    listed = [by] if isinstance(by, str) else by
    return ", ".join(rule.name if isinstance(rule, Rule) else rule for rule in listed)


def deciding_notes(event: TeamEvent, criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """The notes on the reading of an event that could change a place under some criteria."""
    # A note on ratings, say, matters only to a criterion that reads them.
    needs = {part.entry.needs for criterion in criteria for part in criterion.rule.parts} - {""}
    return tuple(n for n in event.notes if not isinstance(n, Aside) or n.unless in needs)


def standings_document(standings: Standings) -> Document:
    """The page for the wall: places first; the rule, the edition and notes at the foot."""
    event, rows, text = standings.event, standings.rows, standings.text
    # An event that goes on says how far it is.
    played = f"{event.rounds} / {event.planned}" if event.planned > event.rounds else event.rounds
    size = text["wall.size"].format(teams=len(event.teams), boards=event.boards)
    facts = (
        *((text["wall.date"], date) for date in [_date(event)] if date),
        (text["wall.after"], str(played)),
        (text["wall.teams"], size),
    )
    blocks: list[Grid | Sentences] = [
        *_meanings(standings),
        _grid("", standings, rows, standings.criteria[0].name),
    ]
    if standings.league and not _is_square(event):
        blocks.append(_crosstable(standings))
    rows_beside = standings.other
    if rows_beside and len(rows) > _AT_A_GLANCE:
        moved = [row for row in rows if rows_beside[row.team].place != row.place]
        # The biggest move first, of equal moves the higher place.
        moved.sort(key=lambda row: (-abs(rows_beside[row.team].place - row.place), row.place))
        blocks.append(_grid(text["wall.moved_most"], standings, moved[:_MOST_MOVERS]))
    decides = order_line(event, standings.unplayed, standings.criteria)
    unplayed = ": ".join(policy_fact(standings.unplayed, standings.language))
    foot = (decides, *_legend(standings), f"{unplayed}.", *standings.notes)
    title = standings.title or event.name
    return Document(
        title, facts, tuple(blocks), standings.language, Sentences(text["wall.decides"], foot)
    )


def _date(event: TeamEvent) -> str:
    """When an event was played, as its record says it."""
    # An event of one day has one date.
    days = (event.about.get(key, "").replace("/", "-") for key in DATES)
    return " \N{EN DASH} ".join(dict.fromkeys(filter(None, days)))


def _meanings(standings: Standings) -> list[Sentences]:
    """What MP, TB2 and GP stand for, in a line; the legend at the foot has FIDE's codes."""
    text, meanings = standings.text, []
    for head, criterion in _headed(standings):
        short = {"mp": text["wall.short_mp"], "gp": text["wall.short_gp"]}.get(criterion.name)
        if head == text["doc.tb2"]:
            short = shown_name(criterion.rule, standings.language)
        if short:
            meanings.append(f"{head}: {short}")
    return [Sentences("", (", ".join(meanings),))] if meanings else []


MOST_IN_SQUARE, MOST_IN_CROSSTABLE = 30, 24
"""Teams of which a crosstable fits across a page, with one result a cell and with several."""


def _is_square(event: TeamEvent) -> bool:
    """Whether all met once at most: then the crosstable is a part of the standings."""
    pairs = [frozenset(match.teams) for match in event.matches if match.team_b is not None]
    return len(set(pairs)) == len(pairs)


def _crosstable_cells(standings: Standings) -> list[tuple[str, ...]]:
    """Game points of every team against every other, in the order of the standings.

    **Raises:** `InputError` for more teams than fit across a page.
    """
    event = standings.event
    most = MOST_IN_SQUARE if _is_square(event) else MOST_IN_CROSSTABLE
    if len(event.teams) > most:
        many = terms(event.individual).many
        raise InputError(
            f"a crosstable on paper is for at most {most} {many}, "
            f"{event.name} has {len(event.teams)}: leave --league out"
        )
    order = [event.teams.index(row.team) for row in standings.rows]
    # Nobody meets itself.
    results = {(team, team): ["*"] for team in order}
    for match in event.matches:
        for team in match.teams if match.team_b is not None else ():
            opponent = match.opponent_of(team)
            assert opponent is not None
            _, half = match.points_of(team)
            score = decimal(str(plain_number(half / 2)), standings.text)
            results.setdefault((team, opponent), []).append(score)
    # Two matches between the same teams share a cell.
    return [
        tuple(" ".join(results.get((team, opponent), ())) for opponent in order) for team in order
    ]


def _crosstable(standings: Standings) -> Grid:
    """A crosstable below the standings."""
    cells = _crosstable_cells(standings)
    rows = [
        (row.place, row.team, *of_row) for row, of_row in zip(standings.rows, cells, strict=True)
    ]
    # The columns are the places of the opponents.
    heads = ("", "", *(str(place + 1) for place in range(len(cells))))
    return Grid("", heads, tuple(rows), names=frozenset({1}), together=True)


def policy_fact(unplayed: str, language: str) -> tuple[str, str]:
    """What unplayed rounds count for: label and text."""
    text = words(language)
    return text["doc.unplayed"], text[f"policy.{unplayed}"]


def _columns(standings: Standings) -> list[StandingsColumn]:
    """The columns in order; those of other facts than places and scores only if some are known."""
    event, text, rows, other = standings.event, standings.text, standings.rows, standings.other
    columns = entrant_columns(terms(event.individual).one, text)
    if standings.league and _is_square(event):
        # Next to the names, before the scores, as crosstables have it.
        columns += _columns_of_square(standings)
    columns += score_columns(rows, standings.criteria, text, event.individual)
    columns += known_columns(rows, text)
    if other:
        columns += _beside_columns(standings, other)
        columns += _columns_of_score_beside(standings, other)
    numbers = {name: n for n, name in enumerate(event.teams)}
    if standings.league and _is_square(event):
        # The results need the room.
        facts = [(_REMARKS, remarks(event, standings.language), True)]
    else:
        facts = _facts_of(standings)
    for key, cells, is_name in facts:
        if any(cells):
            value = partial(_fact, cells, numbers)
            columns.append(
                StandingsColumn(value, head=text[key], is_name=is_name, is_secondary=True)
            )
    return [column for column in columns if column.head is not None]


def _facts_of(standings: Standings) -> list[tuple[str, Sequence[Cell], bool]]:
    """What else is known of the entrants: key of the head, cells, whether these are names."""
    event = standings.event
    return [
        ("wall.title", [player.title for player in event.players if event.individual], True),
        ("wall.federation", _federations(event), True),
        ("wall.rating", _ratings(event), False),
        ("wall.start", event.starts, False),
        (_REMARKS, remarks(event, standings.language), True),
    ]


def _columns_of_square(standings: Standings) -> list[StandingsColumn]:
    """The results against every other entrant, in the order of the standings."""
    cells = _crosstable_cells(standings)
    line = {row.team: number for number, row in enumerate(standings.rows)}

    def result(number: int, row: StandingsRow) -> Cell:
        return cells[line[row.team]][number]

    return [
        StandingsColumn(partial(result, number), head=str(number + 1), is_secondary=True)
        for number in range(len(cells))
    ]


def _fact(cells: Sequence[Cell], numbers: Mapping[str, int], row: StandingsRow) -> Cell:
    return cells[numbers[row.team]]


def _beside_columns(
    standings: Standings, other: Mapping[str, StandingsRow]
) -> list[StandingsColumn]:
    """Place by the other rule, and how far the team moved."""
    return beside_columns(other, standings.moves_to_beside, standings.beside_name, standings.text)


def _columns_of_score_beside(
    standings: Standings, other: Mapping[str, StandingsRow]
) -> list[StandingsColumn]:
    """The score of the other rule; none if it is a criterion of this order, too."""
    if not standings.beside_score_is_new:
        return []
    head = standings.text["wall.tb2_by"].format(name=standings.beside_name)

    def score(row: StandingsRow) -> float:
        # The criterion after the points is the one that leads that order.
        _, deciding, *_ = other[row.team].scores.values()
        return deciding

    return [StandingsColumn(score, head=head, on_paper=plain_number, is_secondary=True)]


_REMARKS = "wall.remarks"
"""The key of the head of the remarks."""


def _federations(event: TeamEvent) -> list[str]:
    """The federation of every player; of a team that of all its players, if they have one."""
    # Players without a federation say nothing of their team.
    federations: list[set[str]] = [set() for _ in event.teams]
    for player in event.players:
        federations[player.team] |= {player.federation} - {""}
    return [next(iter(federation)) if len(federation) == 1 else "" for federation in federations]


def _ratings(event: TeamEvent) -> list[Cell]:
    """The rating of every player, the mean rating of every team; empty for none."""
    ratings = [p.rating for p in event.players] if event.individual else event.mean_ratings
    return [round(rating) if rating else "" for rating in ratings]


def _headed(standings: Standings) -> list[tuple[str, Criterion]]:
    """The criteria with their heads."""
    return [(standings.heads[criterion.name], criterion) for criterion in standings.criteria]


def _grid(
    heading: str, standings: Standings, rows: Sequence[StandingsRow], group: str = ""
) -> Grid:
    """A table of teams; a line above every group of teams equal on the criterion `group`."""
    columns = _columns(standings)
    numbers = {name: n for n, name in enumerate(standings.event.teams)}
    scores = [row.scores[group] for row in rows] if group else []
    head_of_remarks = standings.text[_REMARKS]
    return Grid(
        heading,
        tuple(column.head or "" for column in columns),
        tuple(tuple(column.cell(row) for column in columns) for row in rows),
        names=frozenset(k for k, column in enumerate(columns) if column.is_name),
        # A line above every row that begins a group of equal points.
        ruled=frozenset(n for n in range(1, len(scores)) if scores[n] != scores[n - 1]),
        together=not group,
        secondary=frozenset(k for k, column in enumerate(columns) if column.is_secondary),
        remarks=len(columns) - 1 if columns[-1].head == head_of_remarks else None,
        entrants=tuple(numbers[row.team] for row in rows) if group else (),
    )


def _legend(standings: Standings) -> list[str]:
    event, language, text = standings.event, standings.language, standings.text
    headed = _headed(standings)
    lines = [f"{head}: {meaning(criterion, event, language)}" for head, criterion in headed]
    # The columns of the other rule are explained only where they stand.
    if standings.other and standings.beside:
        lines.append(
            text["wall.by_means"].format(
                head=standings.place_by,
                moved=text["wall.moved"],
                up=UP,
                down=DOWN,
                by=standings.beside_name if standings.moves_to_beside else standings.own_name,
            )
        )
        lines += note_lines(standings.beside[0], language, len(event.teams))
    elif standings.beside:
        lines.append(text["wall.same"].format(name=standings.beside_name))
    if any(row.confidence is not None for row in standings.rows):
        lines.append(text["wall.next_means"].format(head=text["wall.next"], rule=headed[1][0]))
    lines.append(text["wall.shared"])
    if standings.share_below is not None:
        lines.append(text["wall.shared_below"].format(percent=f"{standings.share_below:g}%"))
    return lines


def meaning(one: Criterion, event: TeamEvent, language: str = "en") -> str:
    """What a criterion is, in a sentence for the legend of standings.

    The scoring of the event is named, and what the use of a learned rule in such a field costs. The
    criteria of players are explained in English.
    """
    text, rule = words(language, event.individual), one.rule
    sentence = _rule_meaning(rule, text)
    if one.entry:
        sentence = named_meaning(rule.parts[0], text, event.scoring, event.individual)
    if one.entry and event.individual:
        return sentence
    # Under FIDE's order nobody asked what other rules would do better.
    cost = note_lines(rule, language, len(event.teams)) if rule.learned else ()
    return " ".join((sentence, *cost))


def named_meaning(
    named: Named,
    text: Mapping[str, str],
    scoring: tuple[int, int, int] = STANDARD_SCORING,
    individual: bool = False,
) -> str:
    """What a tie-break of the library is: translated if the documents have it, else in English."""
    entry, low, high = named.entry, named.asked.low, named.asked.high
    # Only the tie-breaks of team events are translated.
    if individual or not entry.words or named.asked != Modifiers(low, high):
        return entry.says(individual, named.asked)
    won, drawn, lost = scoring
    cuts = ((text["wall.low"], low), (text["wall.high"], high))
    cut_text = ", ".join(cut.format(number=number) for cut, number in cuts if number)
    sentence = text[entry.words].format(won=won, drawn=drawn, lost=lost).removesuffix(".")
    return f"{sentence}{f' ({cut_text})' if cut_text else ''}."


def _rule_meaning(rule: Rule, text: Mapping[str, str]) -> str:
    if rule.name == "product":
        return text["wall.product"]
    if rule.is_formula:
        scale_text = text["wall.expected"]
    elif rule.in_passes:
        scale_text = text["wall.hundredths"]
    elif rule.has_tables:
        scale_text = text["wall.difficulty"]
    else:
        return f"{rule.name}."
    return f"{rule.name}: {scale_text}. {text['wall.within']}"
