"""Standings as a page for the wall: places under two rules side by side, and what the columns mean.

Match points and game points stand under MP and GP, what comes second in the order of the Olympiad
under TB2. The other criteria have FIDE's codes, such as BH/C1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from tb2learn.events import (
    CriteriaList,
    Criterion,
    Ranking,
    StandingsRow,
    TeamEvent,
    read_criteria,
)
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.source import DATES
from tb2learn.events.orders import FIDE
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.terms import terms
from tb2learn.export.document import Cell, Document, Grid, Sentences
from tb2learn.export.remarks import remarks
from tb2learn.export.result import Table
from tb2learn.export.rule_names import called
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
from tb2learn.export.words import decimal, note_lines, words
from tb2learn.text import on_paper, plain_number
from tb2learn.tiebreaks.library import Modifiers, baseline
from tb2learn.tiebreaks.names import Named
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

_MOST_MOVERS = 10
_AT_A_GLANCE = 30  # rows of standings in which one sees who moved most


@dataclass(frozen=True)
class Standings:
    """Standings to hang on the wall: a ranking, and how it is shown."""

    ranking: Ranking  # what was played, what decides, in order, and the standings by these
    # the same event by another rule; None for none. Where both agree on every place the page says
    # so instead of showing its columns
    beside: Ranking | None = None
    notes: Sequence[str] = ()  # on how the event was read and decided, one line each, in English
    # teams share a place where their order is less probable; None if they do not
    share_below: float | None = None
    language: str = "en"  # one of `forms.LANGUAGES`
    league: bool = False  # whether a crosstable stands below
    title: str = ""  # of the page, instead of the name of the event
    name: str = ""  # of the order, where a page has two

    @property
    def event(self) -> TeamEvent:
        """What was played."""
        return self.ranking.event

    @property
    def text(self) -> Mapping[str, str]:
        """The words for who is ranked."""
        return words(self.language, self.event.individual)

    @cached_property
    def heads(self) -> dict[str, str]:
        """The heads of the columns by the names of their criteria."""
        return criterion_heads(self.ranking.criteria, self.text, self.event.individual)

    @property
    def moves(self) -> bool:
        """Whether the other order moves anybody."""
        pairs = zip(self.ranking.row_of, self.beside.row_of if self.beside else (), strict=False)
        return any(row.place != other.place for row, other in pairs)

    @property
    def rule_beside(self) -> Rule:
        """The rule that leads the other order."""
        assert self.beside is not None and self.beside.criteria.rule is not None
        return self.beside.criteria.rule

    @property
    def own_name(self) -> str:
        """The name of the rule that decides on this page."""
        criteria = self.ranking.criteria
        rule = next((c.rule for c in criteria if c.name not in ("mp", "points")), None)
        return called(rule.name, self.language) if rule else self.text["doc.mp"]

    @property
    def place_by(self) -> str:
        """The head of the places of the other order."""
        return self.text["wall.place_by"].format(name=self.beside_name)

    @property
    def beside_name(self) -> str:
        """The name of the other rule."""
        return called(self.rule_beside.name, self.language)


def table_beside(table: Table, standings: Standings) -> Table:
    """A table of standings with the places by the other rule, and how far every team moves.

    **Arguments:** `table`: of the same rows as the `standings`, which have a rule `beside`.

    **Returns:** the table with two columns more: the other rule's name, and `moved`, places up
    (above 0) or down from today's order.
    """
    # Also where nobody moves: whoever asked for the places beside gets them.
    moves = screen_table(_beside_columns(standings), standings.ranking)
    return replace(
        table,
        columns=[*table.columns, *moves.columns],
        rows=[[*cells, *results] for cells, results in zip(table.rows, moves.rows, strict=True)],
        formats={**table.formats, **moves.formats},
    )


def standings_to_print(
    ranked: RankedEvent, beside: str | None = None, *, share_below: float | None = None, **how: Any
) -> tuple[list[Standings], list[str]]:
    """The standings to print, and those by a rule beside them: FIDE's if another one decides.

    **Arguments:**

    - `ranked`: the standings.
    - `beside`: the name of the rule; None for the usual one.
    - `share_below`: as for `rank_event`, in percent.
    - `how`: further fields of `Standings`, such as the `language`.

    **Returns:** one or two standings, and the notes on the rule beside.

    **Raises:** `InputError` as `rank_event`.
    """
    ranking, event = ranked.ranking, ranked.event
    criteria, language = ranking.criteria, how.get("language", "en")
    printed = Standings(
        ranking,
        notes=[*map(on_paper, (*deciding_notes(ranking), *ranked.listed, *ranked.decisions))],
        share_below=share_below,
        name=list_title(criteria, language),
        **how,
    )
    # Who asks for another rule wants to see what FIDE's would say.
    usual = baseline(event.boards)
    if beside is None and criteria.rule and criteria.asked != (usual,):
        beside = usual
    if not beside:
        return [printed], []
    find = RuleFinder(event)
    other = ranking.by(read_criteria(event, beside, find))
    if other.criteria.rule is None:
        raise InputError(f"--beside takes the name of a rule, got {beside!r}")
    standings_beside = Standings(
        other,
        # A list of criteria has no rule that could stand in a column.
        beside=ranking if criteria.rule else None,
        notes=[*map(on_paper, deciding_notes(other))],
        name=list_title(other.criteria, language),
        **how,
    )
    notes = [note for note in find.notes if note not in ranked.notes]
    return [replace(printed, beside=other), standings_beside], notes


def list_title(criteria: CriteriaList, language: str = "en") -> str:
    """What the page calls an order: by the rule that leads it, or by its list."""
    if criteria.rule:
        return called(criteria.rule.name, language)
    if criteria.name == FIDE:
        return called(FIDE, language)
    return ", ".join(criteria.asked)


def deciding_notes(ranking: Ranking) -> tuple[str, ...]:
    """The notes on the reading of an event that could change a place in its order."""
    # A note on ratings, say, matters only to a criterion that reads them.
    needs = {part.entry.needs for c in ranking.criteria for part in c.rule.parts} - {""}
    return tuple(n for n in ranking.event.notes if not isinstance(n, Aside) or n.unless in needs)


def standings_document(standings: Standings) -> Document:
    """The page for the wall: places first; the rule, the edition and notes at the foot."""
    event, rows, text = standings.event, standings.ranking.rows, standings.text
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
        _grid("", standings, rows, standings.ranking.criteria[0].name),
    ]
    if standings.league and not _is_square(event):
        blocks.append(_crosstable(standings))
    if standings.beside and standings.moves and len(rows) > _AT_A_GLANCE:
        rows_beside = standings.beside.row_of
        moved = [row for row in rows if rows_beside[row.number].place != row.place]
        # The biggest move first, of equal moves the higher place.
        moved.sort(key=lambda row: (-abs(rows_beside[row.number].place - row.place), row.place))
        blocks.append(_grid(text["wall.moved_most"], standings, moved[:_MOST_MOVERS]))
    decides = order_line(standings.ranking)
    unplayed = ": ".join(policy_fact(standings.ranking.unplayed, standings.language))
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
            short = called(criterion.rule.name, standings.language)
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
    order = standings.ranking.order
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
        (row.place, row.team, *results)
        for row, results in zip(standings.ranking.rows, cells, strict=True)
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
    event, text = standings.event, standings.text
    columns = entrant_columns(terms(event.individual).one, text)
    if standings.league and _is_square(event):
        # Next to the names, before the scores, as crosstables have it.
        columns += _columns_of_square(standings)
    columns += score_columns(standings.ranking, text)
    columns += known_columns(standings.ranking, text)
    if standings.moves:
        columns += _beside_columns(standings)
        columns += _columns_of_score_beside(standings)
    if standings.league and _is_square(event):
        # The results need the room.
        facts = [(_REMARKS, remarks(event, standings.language), True)]
    else:
        facts = _facts_of(standings)
    for key, cells, is_name in facts:
        if any(cells):
            value = partial(_fact, cells)
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
    line = {team: number for number, team in enumerate(standings.ranking.order)}

    def result(number: int, row: StandingsRow) -> Cell:
        return cells[line[row.number]][number]

    return [
        StandingsColumn(partial(result, number), head=str(number + 1), is_secondary=True)
        for number in range(len(cells))
    ]


def _fact(cells: Sequence[Cell], row: StandingsRow) -> Cell:
    return cells[row.number]


def _beside_columns(standings: Standings) -> list[StandingsColumn]:
    """Place by the other rule, and how far the team moved."""
    assert standings.beside is not None
    # From the order of this page, today's, to that of a learned rule; or the other way round.
    to_other = standings.rule_beside.learned
    return beside_columns(standings.beside.row_of, to_other, standings.beside_name, standings.text)


def _columns_of_score_beside(standings: Standings) -> list[StandingsColumn]:
    """The score of the other rule; none if it is a criterion of this order, too."""
    assert standings.beside is not None
    if standings.rule_beside.name in {
        criterion.rule.name for criterion in standings.ranking.criteria
    }:
        return []
    head = standings.text["wall.tb2_by"].format(name=standings.beside_name)
    rows, criteria = standings.beside.row_of, standings.beside.criteria
    led = next(c.name for c in criteria if c.rule is criteria.rule)
    return [
        StandingsColumn(
            lambda row: rows[row.number].scores[led],
            head=head,
            on_paper=plain_number,
            is_secondary=True,
        )
    ]


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
    return [
        (standings.heads[criterion.name], criterion) for criterion in standings.ranking.criteria
    ]


def _grid(
    heading: str, standings: Standings, rows: Sequence[StandingsRow], group: str = ""
) -> Grid:
    """A table of teams; a line above every group of teams equal on the criterion `group`."""
    columns = _columns(standings)
    scores = [row.scores[group] for row in rows] if group else []
    remarks_head = standings.text[_REMARKS]
    return Grid(
        heading,
        tuple(column.head or "" for column in columns),
        tuple(tuple(column.cell(row) for column in columns) for row in rows),
        names=frozenset(k for k, column in enumerate(columns) if column.is_name),
        # A line above every row that begins a group of equal points.
        ruled=frozenset(n for n in range(1, len(scores)) if scores[n] != scores[n - 1]),
        together=not group,
        secondary=frozenset(k for k, column in enumerate(columns) if column.is_secondary),
        remarks=len(columns) - 1 if columns[-1].head == remarks_head else None,
        entrants=tuple(row.number for row in rows) if group else (),
    )


def _legend(standings: Standings) -> list[str]:
    event, language, text = standings.event, standings.language, standings.text
    headed = _headed(standings)
    lines = [f"{head}: {meaning(criterion, event, language)}" for head, criterion in headed]
    # The columns of the other rule are explained only where they stand.
    if standings.beside and standings.moves:
        lines.append(
            text["wall.by_means"].format(
                head=standings.place_by,
                moved=text["wall.moved"],
                up=UP,
                down=DOWN,
                by=standings.beside_name if standings.rule_beside.learned else standings.own_name,
            )
        )
        lines += note_lines(standings.rule_beside, language, len(event.teams))
    elif standings.beside:
        lines.append(text["wall.same"].format(name=standings.beside_name))
    if any(row.confidence is not None for row in standings.ranking.rows):
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
