"""The working sheet of a team: every pass of its tie-breaks, and where every number comes from.

A rule in passes and the formula count an opponent by its own sum of the pass before. The sheet
shows that sum, what the match between the two adds to it, and what remains; and for every opponent
the rounds that its sum is made of.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tb2learn.events import Criterion, Item, Ranking, TeamEvent, Working
from tb2learn.events.explain import FREE_LABEL, OPEN_LABEL, workings
from tb2learn.events.ranking import rounded
from tb2learn.events.terms import PLAYERS
from tb2learn.events.unplayed.record import RoundKind
from tb2learn.export.document import Cell, Document, Grid, Pair, Part, Sentences, cell_text
from tb2learn.export.rule_names import called
from tb2learn.export.standings import working_remarks
from tb2learn.export.wall import meaning, policy_fact
from tb2learn.export.words import decimal, how_to_use, words
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, SumInPasses, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

MOST_COLUMNS = 16
"""Rounds of opponents that fit beside each other."""


@dataclass(frozen=True)
class RoundInPass:
    """A round in one pass."""

    item: Item  # the round
    value: float  # what it is worth in this pass
    left_out: bool  # whether it is left out of the sum
    counts_as: float  # match points that the opponent counts as
    # before, against: the opponent's sum of the pass before, and what its match against the team
    # adds to it; None where `counts_as` does not follow from these
    before: float | None = None
    against: float | None = None
    # entries of the table below and above `counts_as`; empty for rules without a table and where
    # the policy gives the team a result that is no entry
    entries: tuple[int, ...] = ()
    expected: float | None = None  # game points that the formula expects; None for other rules


@dataclass(frozen=True)
class PassSheet:
    """One pass of a rule, or a rule without passes."""

    rule: Rule  # the rule
    # number, passes: of this pass, and how many there are
    number: int
    passes: int
    column: int  # the number of its column in `Working`
    lines: tuple[RoundInPass, ...]  # the rounds
    total: float  # their sum


@dataclass(frozen=True)
class TeamSheet:
    """The working of a team, with the workings of its opponents by their numbers."""

    ranking: Ranking
    by: tuple[Rule | Criterion, ...]
    working: Working
    passes: tuple[PassSheet, ...]
    opponents: Mapping[int, Working]

    @property
    def event(self) -> TeamEvent:
        """What was played."""
        return self.ranking.event

    @property
    def builds_on(self) -> list[PassSheet]:
        """The passes on which the next one builds."""
        return [sheet for sheet in self.passes if sheet.number < sheet.passes]

    def text(self, language: str) -> Mapping[str, str]:
        """The words for who is ranked."""
        return words(language, self.event.individual)


def team_sheet(ranking: Ranking, team: int, by: Sequence[Rule | Criterion]) -> TeamSheet:
    """The working of a team and where it comes from.

    **Arguments:** `team`: its number; the others as for `events.explain`.

    **Raises:** `InputError` as `events.explain`; for tables in an individual event, whose entries
    go by match points.
    """
    event = ranking.event
    for criterion in by if event.individual else ():
        rule = _rule(criterion)
        if rule.has_tables:
            raise InputError(f"{rule.name}: a player's working sheet is for sums and formulas")
    # An opponent that was met twice is worked out once.
    own, *_ = workings(ranking, [team], ())
    met = dict.fromkeys(item.number for item in own.items if item.number is not None)
    working, *others = workings(ranking, [team, *met], by)
    opponents = {opponent.number: opponent for opponent in others}
    rules = {rule.name: rule for rule in map(_rule, by)}
    sheets = []
    for column, name in enumerate(working.rule_names):
        rule, passes = rules[name], working.rule_names.count(name)
        lines = tuple(_line(working, opponents, rule, column, item) for item in working.items)
        sheets.append(
            PassSheet(rule, working.passes[column], passes, column, lines, working.sums[column])
        )
    return TeamSheet(ranking, tuple(by), working, tuple(sheets), opponents)


def _rule(one: Rule | Criterion) -> Rule:
    return one if isinstance(one, Rule) else one.rule


def _line(
    own: Working, opponents: Mapping[int, Working], rule: Rule, column: int, item: Item
) -> RoundInPass:
    value, left_out = item.values[column], item.left_out[column]
    refined = item.counts_as[column]
    counts_as = item.opponent_mp if refined is None else refined
    entries, expected, before, against = (), None, None, None
    # The value is what was scored less what was expected.
    if rule.is_formula:
        expected = rounded(item.gp - value)
    elif rule.in_passes:
        entries = _entries(rule, int(own.mp), own.passes[column], counts_as, item.gp)
    if refined is not None and own.passes[column] > 1 and item.number is not None:
        # The opponent had the same match in the same round.
        other = opponents[item.number]
        met = other.items[item.round - 1]
        before = other.sums[column - 1]
        against = 0.0 if met.left_out[column - 1] else met.values[column - 1]
        again = item.opponent_mp + refinement(rule, before - against, own.terms.unit)
        # A policy may count an opponent otherwise: then nothing is derived on paper.
        if abs(again - counts_as) > 1e-9:
            before = against = None
    return RoundInPass(item, value, left_out, counts_as, before, against, entries, expected)


def refinement(rule: Rule, rest: float, worth: float = 1.0) -> float:
    """Match points by which an opponent's own sum refines it; points of a player.

    **Arguments:**

    - `rule`: a rule in passes, or a formula.
    - `rest`: the opponent's sum of the pass before, without its match against the team.
    - `worth`: of a match point in the points that are shown.
    """
    one = rule.tiebreak
    assert isinstance(one, SumInPasses)
    most = most_refinement(rule.event_rounds, one.parts)
    gained = int(one.refinement(np.asarray(round(rest / rule.unit))))
    return worth * max(-most, min(most, gained)) / one.parts


def _entries(rule: Rule, own: int, number: int, counts_as: float, gp: float) -> tuple[int, ...]:
    half, tenths = round(2 * gp), round(TENTHS * counts_as)
    # A policy may give a result between two entries.
    if abs(2 * gp - half) > 1e-6 or abs(TENTHS * counts_as - tenths) > 1e-6:
        return ()
    row = rule.tables[number - 1, own, :, half]
    low = tenths // TENTHS - rule.columns[0]
    # A refined opponent may lie beyond the table.
    if not 0 <= low < len(row):
        return ()
    above = [int(row[min(low + 1, len(row) - 1)])] if tenths % TENTHS else []
    return (int(row[low]), *above)


# --------------------------------------------------------------------------- as a document


def working_document(sheet: TeamSheet, language: str = "en") -> Document:
    """The working sheet of a team to print."""
    event = sheet.event
    blocks: list[Part] = [pass_grid(sheet, pass_sheet, language) for pass_sheet in sheet.passes]
    blocks += _remarks([sheet], language)
    blocks += [_instruction(rule, event, language) for rule in sheet.by]
    # More rounds do not fit across a page.
    if sheet.opponents and event.rounds <= MOST_COLUMNS:
        blocks += [opponents_grid(sheet, pass_sheet, language) for pass_sheet in sheet.builds_on]
    return _document([sheet], str(sheet.working.mp), blocks, language)


def sheet_document(sheets: Sequence[TeamSheet], verdict: str, language: str = "en") -> Document:
    """The working sheet of a team, or those of several in one.

    **Arguments:** `verdict`: what decides between two teams, as `verdict_text` has it, else empty.
    """
    if len(sheets) > 1:
        return comparison_document(sheets, verdict, language)
    document = working_document(sheets[0], language)
    said = (Sentences("", (verdict,)),) if verdict else ()
    return replace(document, parts=(*said, *document.parts))


def comparison_document(
    sheets: Sequence[TeamSheet], verdict: str, language: str = "en"
) -> Document:
    """The workings of several teams on one sheet, and what decides between two of them.

    **Arguments:** `verdict`: as `verdict_text` has it; empty if there is none.
    """
    blocks: list[Part] = [Sentences("", (verdict,))] if verdict else []
    blocks += workings_beside(sheets, language)
    blocks += _remarks(sheets, language)
    blocks += [_instruction(rule, sheets[0].event, language) for rule in sheets[0].by]
    points = ", ".join(f"{sheet.working.team} {sheet.working.mp}" for sheet in sheets)
    return _document(sheets, points, blocks, language)


def _document(
    sheets: Sequence[TeamSheet], points: str, parts: Sequence[Part], language: str
) -> Document:
    """A document about teams and their points: the event, the policy, what a pass is."""
    first, text = sheets[0], sheets[0].text(language)
    after = text["sheet.event_text"].format(event=first.event.name, rounds=first.event.rounds)
    facts = [(text["sheet.event"], after), (text["sheet.mp"], points)]
    facts.append(policy_fact(first.ranking.unplayed, language))
    if first.builds_on:
        facts.append((text["doc.pass"], text["doc.pass_means"]))
    names = ", ".join(sheet.working.team for sheet in sheets)
    title = text["sheet.title"].format(team=names)
    return Document(title, tuple(facts), tuple(parts), language, name="working")


def workings_beside(
    sheets: Sequence[TeamSheet], language: str = "en", named: bool = True
) -> list[Part]:
    """The passes of several teams, two teams side by side.

    **Arguments:** `named`: whether every pass has the name of its rule.
    """
    blocks: list[Part] = []
    for number in range(len(sheets[0].passes)):
        tables = []
        for sheet in sheets:
            one = sheet.passes[number]
            grid, rule = pass_grid(sheet, one, language), called(one.rule.name, language)
            heading = grid.heading if named else grid.heading.removeprefix(f"{rule}, ")
            tables.append(replace(grid, heading=f"{sheet.working.team}: {heading}"))
        blocks += itertools.starmap(Pair, zip(tables[::2], tables[1::2], strict=False))
        blocks += tables[-1:] if len(tables) % 2 else []
    return blocks


def _remarks(sheets: Sequence[TeamSheet], language: str) -> list[Part]:
    """Penalties and withdrawals, a line a team; nothing where there are none."""
    remarks_of = {s.working.team: working_remarks(s.working, language) for s in sheets}
    lines = tuple(f"{team}: {'; '.join(lines)}" for team, lines in remarks_of.items() if lines)
    return [Sentences("", lines)] if lines else []


def _instruction(one: Rule | Criterion, event: TeamEvent, language: str) -> Sentences:
    rule, text = _rule(one), words(language, event.individual)
    numbered = rule.has_numbers and rule.name != "product"
    if not numbered:
        lines = (meaning(Criterion(rule.name, rule), event, language), text["wall.within"])
    elif event.individual and rule.is_formula:
        lines = (*_players_steps(rule), text["wall.within"])
    else:
        lines = how_to_use(rule, language, len(event.teams))
    return Sentences(text["sheet.how"].format(name=called(rule.name, language)), lines, numbered)


def _players_steps(rule: Rule) -> tuple[str, ...]:
    """How the formula is worked out for a player, one entry per sentence."""
    unit = PLAYERS.unit
    a, k = (f"{unit * constant:.3g}" for constant in rule.constants.values())
    bound = f"{unit * 2 * rule.event_rounds * MOST_REFINEMENT:g}"
    return (
        f"For each opponent the expected result is 1 / (1 + 10^(-(own points - opponent's points) "
        f"/ {a})).",
        "Add up the results above expectation of all rounds. In a round without a game the "
        "opponent is the one that the rules for unplayed rounds give, who always counts as his "
        "points.",
        f"Then do it again, {rule.passes - 1} times: each opponent now counts as his points plus "
        f"{k} times his own sum of the time before, without his game with this player (at most "
        f"{bound} points up or down).",
        f"Round the expected result to a multiple of {rule.unit:g}, and {k} times the sum to one "
        f"of {unit / HUNDRED:g}, halves up.",
        "The last sum is the player's score; of players equal on points the higher one is placed "
        "first.",
    )


def pass_name(one: PassSheet, language: str) -> str:
    """The name of a rule, with the number of the pass if it has several."""
    name = called(one.rule.name, language)
    number = words(language)["doc.pass_number"].format(number=one.number)
    return f"{name}, {number}" if one.passes > 1 else name


def pass_grid(sheet: TeamSheet, one: PassSheet, language: str = "en") -> Grid:
    """The rounds of a pass, with the sum below."""
    columns, text = pass_columns(one), sheet.text(language)
    cells_of_lines = [cells(line, language) for line in one.lines]
    rows = [tuple(_shown(line[key]) for key in columns) for line in cells_of_lines]
    total: list[Cell] = [""] * len(columns)
    # The sum stands below the values, its word below the names.
    total[1], total[-1] = text["sheet.sum"], one.total
    total_text = decimal(cell_text(one.total), text)
    total_shown = text["sheet.sum_of"].format(total=total_text)
    if one.number == one.passes and not one.rule.parts:
        total_shown = f"{text['doc.tb2']} = {total_text}"
    value = len(columns) - 1
    return Grid(
        f"{pass_name(one, language)}: {total_shown}",
        tuple(text[HEADS[key]] for key in columns),
        (*rows, tuple(total)),
        names=frozenset({1}),
        struck=frozenset((n, value) for n, line in enumerate(one.lines) if line.left_out),
        ruled=frozenset({len(rows)}),
        strong=frozenset({len(rows)}),
        together=True,
    )


HEADS = {
    "round": "doc.round",
    "opponent": "doc.opponent",
    "mp": "sheet.its_mp",
    "before": "sheet.before",
    "against": "sheet.against",
    "counts_as": "doc.counts_as",
    "gp": "doc.gp",
    "expected": "doc.expected",
    "entries": "sheet.entries",
    "value": "doc.points",
}
"""The keys of the heads of the columns of a pass, in `words`."""


def pass_columns(one: PassSheet) -> list[str]:
    """The columns of a pass by key: those that say something."""
    lines = one.lines
    refined = any(line.before is not None for line in lines)
    optional = {
        "before": refined,
        "against": refined,
        "counts_as": any(line.counts_as != line.item.opponent_mp for line in lines),
        "expected": any(line.expected is not None for line in lines),
        "entries": any(len(line.entries) > 1 for line in lines),
    }
    return [key for key in HEADS if optional.get(key, True)]


def who(item: Item, language: str) -> str:
    """The opponent's name, followed by the reason in brackets if it was not met."""
    why = reason(item, language)
    return f"{item.opponent} ({why})".strip() if why else item.opponent


def reason(item: Item, language: str) -> str:
    """Why no opponent was met in a round; empty if one was."""
    if item.kind == RoundKind.PLAYED.label:
        return ""
    names = {
        OPEN_LABEL: "OPEN",
        FREE_LABEL: "FREE",
        **{kind.label: kind.name for kind in RoundKind},
    }
    return words(language)[f"kind.{names[item.kind]}"]


def cells(line: RoundInPass, language: str) -> dict[str, Cell | None]:
    """What a round shows, by the key of the column; None for nothing."""
    return {
        "round": line.item.round,
        "opponent": who(line.item, language),
        "mp": line.item.opponent_mp,
        "before": line.before,
        "against": line.against,
        "counts_as": line.counts_as,
        "gp": line.item.gp,
        "expected": line.expected,
        "entries": " \N{HORIZONTAL ELLIPSIS} ".join(map(cell_text, line.entries)),
        "value": line.value,
    }


def _shown(cell: Cell | None) -> Cell:
    if cell is None:
        return ""
    return rounded(cell) if isinstance(cell, float) else cell


def opponents_grid(sheet: TeamSheet, one: PassSheet, language: str = "en") -> Grid:
    """What the sums of the opponents are made of, for a pass on which the next one builds."""
    text, rounds, at = sheet.text(language), range(sheet.event.rounds), one.column
    others = sheet.opponents.values()
    return Grid(
        text["sheet.opponents"].format(name=pass_name(one, language)),
        (text["doc.opponent"], text["doc.mp"], *(str(r + 1) for r in rounds), text["sheet.sum"]),
        tuple(
            (other.team, other.mp, *(item.values[at] for item in other.items), other.sums[at])
            for other in others
        ),
        names=frozenset({0}),
        struck=frozenset(
            (n, 2 + r)
            for n, opponent in enumerate(others)
            for r in rounds
            if opponent.items[r].left_out[at]
        ),
        together=True,
    )
