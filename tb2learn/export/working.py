"""The working sheet of a team: every pass of its tie-breaks, and where every number comes from.

A rule in passes and the formula count an opponent by its own sum of the pass before. The sheet
shows that sum, what the match between the two adds to it, and what remains; and for every opponent
the rounds that its sum is made of.

It is written as a PDF, and as a workbook in which every number that follows from others is a
formula: what an opponent counts as, the entry of the table, the sums. A number that a policy for
unplayed rounds makes in another way is written as a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell

from tb2learn.chess import Weakest
from tb2learn.events import Criterion, Item, TeamEvent, Working, explain
from tb2learn.events.explain import OPEN_LABEL
from tb2learn.events.rank import rounded
from tb2learn.events.terms import PLAYERS
from tb2learn.events.unplayed.record import Kind
from tb2learn.events.verdict import LISTED, Verdict
from tb2learn.export.document import Cell, Document, Grid, Pair, Part, Sentences, shown
from tb2learn.export.pdf import document_pdf
from tb2learn.export.wall import meaning, policy_fact
from tb2learn.export.words import decimal, how_to_use, shown_name, words
from tb2learn.export.xlsx import Book, Worksheet, interpolated
from tb2learn.text import plain
from tb2learn.tiebreaks.paired import LeastSquares
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Formula, Rule
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
    """The working of a team, with the workings of its opponents by name."""

    event: TeamEvent
    unplayed: str
    by: tuple[Rule | Criterion, ...]
    working: Working
    passes: tuple[PassSheet, ...]
    opponents: Mapping[str, Working]

    @property
    def builds_on(self) -> list[PassSheet]:
        """The passes on which the next one builds."""
        return [one for one in self.passes if one.number < one.passes]

    def text(self, language: str) -> Mapping[str, str]:
        """The words for who is ranked."""
        return words(language, self.event.individual)


def team_sheet(
    event: TeamEvent,
    team: str,
    by: Sequence[Rule | Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str = "baku2016",
) -> TeamSheet:
    """The working of a team and where it comes from.

    **Arguments:** as for `events.explain`, for one team.

    **Raises:** `InputError` as `events.explain`; for tables in an individual event, whose entries
    go by match points.
    """
    for one in by if event.individual else ():
        rule = _rule(one)
        if rule.has_tables:
            raise InputError(f"{rule.name}: a player's working sheet is for sums and formulas")
    (own,) = explain(event, [team], by, weakest, unplayed)
    names = tuple(dict.fromkeys(item.opponent for item in own.items if item.opponent))
    others = explain(event, names, by, weakest, unplayed) if names else ()
    opponents = {other.team: other for other in others}
    rules = {rule.name: rule for rule in map(_rule, by)}
    sheets = []
    for column, name in enumerate(own.rule_names):
        rule, passes = rules[name], own.rule_names.count(name)
        lines = tuple(
            _line(own, opponents.get(item.opponent), rule, column, item) for item in own.items
        )
        sheets.append(PassSheet(rule, own.passes[column], passes, column, lines, own.sums[column]))
    return TeamSheet(event, unplayed, tuple(by), own, tuple(sheets), opponents)


def _rule(one: Rule | Criterion) -> Rule:
    return one if isinstance(one, Rule) else one.rule


def _line(own: Working, other: Working | None, rule: Rule, column: int, item: Item) -> RoundInPass:
    value, left_out = item.values[column], item.left_out[column]
    refined = item.counts_as[column]
    counts_as = item.opponent_mp if refined is None else refined
    entries, expected, before, against = (), None, None, None
    if rule.constants:
        expected = rounded(item.gp - value)
    elif rule.in_passes:
        entries = _entries(rule, int(own.mp), own.passes[column], counts_as, item.gp)
    if refined is not None and own.passes[column] > 1 and other is not None:
        met = other.items[item.round - 1]
        before = other.sums[column - 1]
        against = 0.0 if met.left_out[column - 1] else met.values[column - 1]
        again = item.opponent_mp + refinement(rule, before - against, own.terms.unit)
        if abs(again - counts_as) > (1e-9 if rule.in_passes else 2e-4):
            before = against = None
    return RoundInPass(item, value, left_out, counts_as, before, against, entries, expected)


def refinement(rule: Rule, rest: float, worth: float = 1.0) -> float:
    """Match points by which an opponent's own sum refines it; points of a player.

    **Arguments:**

    - `rule`: a rule in passes, or a formula.
    - `rest`: the opponent's sum of the pass before, without its match against the team.
    - `worth`: of a match point in the points that are shown.
    """
    if rule.in_passes:
        most = most_refinement(rule.event_rounds)
        unit = HUNDRED // TENTHS
        tenths = (2 * round(rest) + unit) // (2 * unit)  # halves up
        return worth * max(-most, min(most, tenths)) / TENTHS
    most = 2 * rule.event_rounds * MOST_REFINEMENT
    return worth * max(-most, min(most, rule.constants["k"] * rest))


def _entries(rule: Rule, own: int, number: int, counts_as: float, gp: float) -> tuple[int, ...]:
    half, tenths = round(2 * gp), round(TENTHS * counts_as)
    if abs(2 * gp - half) > 1e-6 or abs(TENTHS * counts_as - tenths) > 1e-6:
        return ()
    row = rule.tables[number - 1, own, :, half]
    low = tenths // TENTHS - rule.columns[0]
    if not 0 <= low < len(row):
        return ()
    more = [int(row[min(low + 1, len(row) - 1)])] if tenths % TENTHS else []
    return (int(row[low]), *more)


# --------------------------------------------------------------------------- as a document


def working_document(sheet: TeamSheet, language: str = "en") -> Document:
    """The working sheet of a team to print."""
    event = sheet.event
    parts: list[Part] = [pass_grid(sheet, one, language) for one in sheet.passes]
    parts += [_instruction(one, event, language) for one in sheet.by]
    if sheet.opponents and event.rounds <= MOST_COLUMNS:
        parts += [opponents_grid(sheet, one, language) for one in sheet.builds_on]
    return _document([sheet], str(sheet.working.mp), parts, language)


def verdict_text(verdict: Verdict, language: str = "en", players: bool = False) -> str:
    """What decides between two teams, in sentences; in English as the terminal prints it."""
    if language == "en":
        return str(verdict)
    text = words(language, players)
    high, low = verdict.scores
    numbers = [decimal(shown(x), text) for x in (high, low, rounded(high - low))]
    names = {"first": verdict.first, "second": verdict.second, "criterion": verdict.criterion}
    said = text["html.verdict" if verdict.criterion else "html.verdict_equal"].format(
        **names, **dict(zip(("high", "low", "more"), numbers, strict=True))
    )
    if verdict.matches:
        listed = "; ".join(verdict.matches[:LISTED]) + "; ..." * (len(verdict.matches) > LISTED)
        said += f" {text['sheet.turned'].format(matches=listed)}"
    elif verdict.tried and verdict.tied_on:
        said += f" {text['sheet.not_turned']}"
    return said


def comparison_document(
    sheets: Sequence[TeamSheet], verdict: str, language: str = "en"
) -> Document:
    """The workings of several teams on one sheet, and what decides between two of them.

    **Arguments:** `verdict`: as `verdict_text` has it; empty if there is none.
    """
    parts: list[Part] = [Sentences("", (verdict,))] if verdict else []
    parts += workings_beside(sheets, language)
    parts += [_instruction(one, sheets[0].event, language) for one in sheets[0].by]
    points = ", ".join(f"{sheet.working.team} {sheet.working.mp}" for sheet in sheets)
    return _document(sheets, points, parts, language)


def _document(
    sheets: Sequence[TeamSheet], points: str, parts: Sequence[Part], language: str
) -> Document:
    """A document about teams and their points: the event, the policy, what a pass is."""
    first, text = sheets[0], sheets[0].text(language)
    after = text["sheet.event_text"].format(event=first.event.name, rounds=first.event.rounds)
    facts = [(text["sheet.event"], after), (text["sheet.mp"], points)]
    facts.append(policy_fact(first.unplayed, language))
    if first.builds_on:
        facts.append((text["doc.pass"], text["doc.pass_means"]))
    names = ", ".join(sheet.working.team for sheet in sheets)
    title = text["sheet.title"].format(team=names)
    return Document(title, tuple(facts), tuple(parts), language)


def workings_beside(sheets: Sequence[TeamSheet], language: str = "en") -> list[Part]:
    """The passes of several teams, two teams side by side."""
    parts: list[Part] = []
    for number in range(len(sheets[0].passes)):
        tables = []
        for sheet in sheets:
            grid = pass_grid(sheet, sheet.passes[number], language)
            tables.append(replace(grid, heading=f"{sheet.working.team}: {grid.heading}"))
        parts += itertools.starmap(Pair, zip(tables[::2], tables[1::2], strict=False))
        parts += tables[-1:] if len(tables) % 2 else []
    return parts


def _instruction(one: Rule | Criterion, event: TeamEvent, language: str) -> Sentences:
    rule, text = _rule(one), words(language, event.individual)
    numbered = (rule.has_tables or bool(rule.constants)) and rule.name != "product"
    if not numbered:
        lines = (meaning(Criterion(rule.name, rule), event, language), text["wall.within"])
    elif event.individual and isinstance(rule, Formula):
        lines = (*_players_steps(rule), text["wall.within"])
    else:
        lines = how_to_use(rule, language, len(event.teams))
    return Sentences(text["sheet.how"].format(name=shown_name(rule, language)), lines, numbered)


def _players_steps(rule: Formula) -> tuple[str, ...]:
    """How the formula is worked out for a player, one entry per sentence."""
    unit = PLAYERS.unit
    a, k = (f"{unit * constant:.3g}" for constant in (rule.a, rule.k))
    most = f"{unit * 2 * rule.event_rounds * MOST_REFINEMENT:g}"
    return (
        f"For each opponent the expected result is 1 / (1 + 10^(-(own points - opponent's points) "
        f"/ {a})).",
        "Add up the results above expectation of all rounds. In a round without a game the "
        "opponent is the one that the rules for unplayed rounds give, who always counts as his "
        "points.",
        f"Then do it again, {rule.passes - 1} times: each opponent now counts as his points plus "
        f"{k} times his own sum of the time before, without his game with this player (at most "
        f"{most} points up or down).",
        "Round nothing on the way. The last sum is the player's score; of players equal on points "
        "the higher one is placed first.",
    )


def pass_name(one: PassSheet, language: str) -> str:
    """The name of a rule, with the number of the pass if it has several."""
    name = shown_name(one.rule, language)
    number = words(language)["doc.pass_number"].format(number=one.number)
    return f"{name}, {number}" if one.passes > 1 else name


def pass_grid(sheet: TeamSheet, one: PassSheet, language: str = "en") -> Grid:
    """The rounds of a pass, with the sum below."""
    columns, text = pass_columns(one), sheet.text(language)
    found = [cells(line, language) for line in one.lines]
    rows = [tuple(_shown(line[key]) for key in columns) for line in found]
    total: list[Cell] = [""] * len(columns)
    total[1], total[-1] = text["sheet.sum"], one.total
    total_text = decimal(shown(one.total), text)
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
    shown = {
        "before": refined,
        "against": refined,
        "counts_as": any(line.counts_as != line.item.opponent_mp for line in lines),
        "expected": any(line.expected is not None for line in lines),
        "entries": any(len(line.entries) > 1 for line in lines),
    }
    return [key for key in HEADS if shown.get(key, True)]


def who(item: Item, language: str) -> str:
    """The opponent's name, followed by the reason in brackets if it was not met."""
    why = reason(item, language)
    return f"{item.opponent} ({why})".strip() if why else item.opponent


def reason(item: Item, language: str) -> str:
    """Why no opponent was met in a round; empty if one was."""
    if item.kind == Kind.PLAYED.label:
        return ""
    names = {OPEN_LABEL: "OPEN", **{kind.label: kind.name for kind in Kind}}
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
        "entries": " \N{HORIZONTAL ELLIPSIS} ".join(map(shown, line.entries)),
        "value": line.value,
    }


def _shown(cell: Cell | None) -> Cell:
    if cell is None:
        return ""
    return rounded(cell) if isinstance(cell, float) else cell


def opponents_grid(sheet: TeamSheet, one: PassSheet, language: str = "en") -> Grid:
    """What the sums of the opponents are made of, for a pass on which the next one builds."""
    text, rounds, at = sheet.text(language), range(sheet.event.rounds), one.column
    others = sheet.opponents.items()
    return Grid(
        text["sheet.opponents"].format(name=pass_name(one, language)),
        (text["doc.opponent"], text["doc.mp"], *(str(r + 1) for r in rounds), text["sheet.sum"]),
        tuple(
            (name, other.mp, *(item.values[at] for item in other.items), other.sums[at])
            for name, other in others
        ),
        names=frozenset({0}),
        struck=frozenset(
            (n, 2 + r)
            for n, (_, other) in enumerate(others)
            for r in rounds
            if other.items[r].left_out[at]
        ),
        together=True,
    )


# --------------------------------------------------------------------------- its files

WORKING, OPPONENTS, TABLES = "working", "opponents", "table"
"""Names of the sheets."""

_EXACT = 1e-6
_FORMULA = 1e-3  # scores of a formula are rounded to four decimals, round by round


def working_pdf(sheets: Sequence[TeamSheet], verdict: str, language: str) -> bytes:
    """The working sheet of a team, or those of several in one, as a PDF."""
    if len(sheets) > 1:
        return document_pdf(comparison_document(sheets, verdict, language))
    return document_pdf(working_document(sheets[0], language))


def working_xlsx(sheets: Sequence[TeamSheet], verdict: str, language: str) -> bytes:
    """The working sheets of teams as a workbook; the verdict stands on the first."""
    book = Book(", ".join(sheet.working.team for sheet in sheets))
    for number, sheet in enumerate(sheets, start=1):
        said, suffix = verdict if number == 1 else "", str(number) if len(sheets) > 1 else ""
        _Team(book, sheet, said, language, suffix).write()
    return book.content()


WORKING_SHEETS: Mapping[str, Callable[[Sequence[TeamSheet], str, str], bytes]] = {
    "pdf": working_pdf,
    "xlsx": working_xlsx,
}
"""By name of the form: the content, from teams' sheets, what decides between two, the language."""


class _Team:
    """The sheets of a team in a workbook: the working, and what its rules look up.

    That are the opponents' sums for a rule in several passes, and the entries for the own match
    points for a rule with a table.
    """

    def __init__(self, book: Book, sheet: TeamSheet, verdict: str, language: str, suffix: str):
        self.name, self.verdict = plain(sheet.working.team), verdict
        self.opponents, self.tables = f"{OPPONENTS}{suffix}", f"{TABLES}{suffix}"
        self.sheet, self.language, self.text = sheet, language, sheet.text(language)
        self.book = book
        self.working = Worksheet(book, f"{WORKING}{suffix}", self.name, columns=10, characters=110)
        # Where the opponents' sums and values, and the table of a pass, stand in their sheets.
        self.sums: dict[tuple[int, str], str] = {}
        self.values: dict[tuple[int, str, int], str] = {}
        self.entries: dict[int, str] = {}

    def write(self) -> None:
        """Write the sheets."""
        passes = self.sheet.passes
        tabled = [one for one in passes if one.rule.has_tables and one.rule.name != "product"]
        if self.sheet.builds_on:
            self._opponents(Worksheet(self.book, self.opponents, self.name, landscape=True))
        if tabled:
            self._tables(Worksheet(self.book, self.tables, self.name, landscape=True), tabled)
        self._working()

    # ----------------------------------------------------------------------- what is looked up

    def _opponents(self, sheet: Worksheet) -> None:
        row, last = 0, 2 + self.sheet.event.rounds
        sheet.sheet.set_column(0, 0, 26)
        for one in self.sheet.builds_on:
            grid = opponents_grid(self.sheet, one, self.language)
            sheet.put(row, 0, grid.heading, "bold")
            sheet.put(row + 1, 0, grid.heads[0], "name_head")
            sheet.put_row(row + 1, 1, grid.heads[1:], "number_head")
            row += 2
            for name, other in self.sheet.opponents.items():
                sheet.put_row(row, 0, (name, other.mp))
                values = [item.values[one.column] for item in other.items]
                dropped = [item.left_out[one.column] for item in other.items]
                places = [(row, 2 + r) for r in range(len(values))]
                for r, (place, value, out) in enumerate(zip(places, values, dropped, strict=True)):
                    sheet.put(*place, value, "left_out" if out else "")
                    where = "0" if out else f"{self.opponents}!{xl_rowcol_to_cell(*place)}"
                    self.values[one.column, name, 1 + r] = where
                total = other.sums[one.column]
                _sum(sheet, (row, last), total, places, values, dropped, "bold")
                self.sums[one.column, name] = f"{self.opponents}!{xl_rowcol_to_cell(row, last)}"
                row += 1
            row += 1
        sheet.sheet.print_area(0, 0, row - 2, last)

    def _tables(self, sheet: Worksheet, tabled: Sequence[PassSheet]) -> None:
        row, most, own = 0, 0, int(self.sheet.working.mp)
        for one in tabled:
            table = one.rule.tables[one.number - 1, own]
            block = self.text["doc.own_mp_number"].format(number=own)
            sheet.put(row, 0, f"{pass_name(one, self.language)}, {block}", "bold")
            sheet.put_row(row + 1, 0, (self.text["sheet.corner"], *one.rule.columns), "name_head")
            row += 2
            area = xl_range_abs(row, 1, row + table.shape[1] - 1, table.shape[0])
            self.entries[one.column] = f"{self.tables}!{area}"
            for half, values in enumerate(table.T.tolist()):
                sheet.put(row, 0, half / 2, "bold")
                sheet.put_row(row, 1, values)
                row += 1
            row, most = row + 1, max(most, table.shape[0])
        sheet.sheet.set_column(0, 0, 14)
        sheet.sheet.set_column(1, most, 5)
        sheet.sheet.print_area(0, 0, row - 2, most)

    # ----------------------------------------------------------------------- the working

    def _working(self) -> None:
        document, sheet = working_document(self.sheet, self.language), self.working
        for first, last, width in ((0, 0, 8), (1, 1, 30), (2, sheet.columns - 1, 11)):
            sheet.sheet.set_column(first, last, width)
        sheet.head(document)
        if self.verdict:
            sheet.part(Sentences("", (self.verdict,)))
        for one in self.sheet.passes:
            sheet.row = self._pass(sheet.row + 1, one)
        for part in document.parts:
            if isinstance(part, Sentences):
                sheet.part(part)
        sheet.sheet.print_area(0, 0, sheet.row - 1, sheet.columns - 1)

    def _pass(self, row: int, one: PassSheet) -> int:
        """Write a pass from a row on; return the row after it."""
        sheet, columns = self.working, [k for k in pass_columns(one) if k != "entries"]
        sheet.put(row, 0, pass_name(one, self.language), "bold")
        for k, key in enumerate(columns):
            style = "name_head" if key == "opponent" else "number_head"
            sheet.put(row + 1, k, self.text[HEADS[key]], style)
        first = row = row + 2
        for line in one.lines:
            found = cells(line, self.language)
            at = {key: xl_rowcol_to_cell(row, k) for k, key in enumerate(columns)}
            for k, key in enumerate(columns):
                if found[key] is not None:
                    style = "left_out" if key == "value" and line.left_out else ""
                    sheet.put(row, k, found[key], style, self._formula(key, line, one, at))
            row += 1
        total, last = "doc.tb2" if one.number == one.passes else "sheet.sum", len(columns) - 1
        sheet.put(row, 1, self.text[total], "sum")
        places = [(n, last) for n in range(first, row)]
        values = [line.value for line in one.lines]
        left_out = [line.left_out for line in one.lines]
        _sum(sheet, (row, last), one.total, places, values, left_out, "sum")
        return row + 1

    def _formula(
        self, key: str, line: RoundInPass, one: PassSheet, at: Mapping[str, str]
    ) -> str | None:
        """The formula of a cell; None if its number does not follow from others.

        **Arguments:** `at`: the cells of the round, by column.
        """
        rule, own, opponent = one.rule, self.sheet.working, line.item.opponent
        if key == "value":
            formula, again = self._value(line, one, at)
            return formula if _makes(again, line.value) else None
        if key == "expected":
            power = f"10^(-({own.mp}-{_counted(at)})/{own.terms.unit * rule.constants['a']!r})"
            return f"{rule.boards}/(1+{power})"
        if line.before is None:
            return None
        if key == "before":
            return self.sums[one.column - 1, opponent]
        if key == "against":
            return self.values[one.column - 1, opponent, line.item.round]
        return f"{at['mp']}+{_refinement(rule, at, own.terms.unit)}" if key == "counts_as" else None

    def _value(
        self, line: RoundInPass, one: PassSheet, at: Mapping[str, str]
    ) -> tuple[str, float | None]:
        """The formula of a round's points, and what it gives; None if there is no formula."""
        rule, item = one.rule, line.item
        if rule.constants:
            return f"{at['gp']}-{at['expected']}", item.gp - (line.expected or 0.0)
        if rule.name == "product":
            return f"{at['mp']}*{at['gp']}", item.opponent_mp * item.gp
        if isinstance(rule.tiebreak(), LeastSquares):
            half = rule.boards / 2
            matches = sum(each.item.counts_as[one.column] is not None for each in one.lines)
            if item.counts_as[one.column] is None or "counts_as" not in at:
                return "", None
            formula = f"({at['counts_as']}+{at['gp']}-{half:g})/{matches}"
            return formula, (line.counts_as + item.gp - half) / matches
        if rule.in_passes and line.entries:
            low, high = line.entries[0], line.entries[-1]
            above = round(TENTHS * line.counts_as) % TENTHS
            again = (2 * ((TENTHS - above) * low + above * high) + TENTHS) // (2 * TENTHS)
            tenths = f"INT({TENTHS}*{_counted(at)}+0.5)"
            entries, gp = self.entries[one.column], at["gp"]
            column = f"INT({tenths}/{TENTHS})+{1 - rule.columns[0]}"
            formula = interpolated(
                lambda k: f"INDEX({entries},2*{gp}+1,{k})", column, rule.tables.shape[2], tenths
            )
            return formula, again
        return "", None


def _sum(
    sheet: Worksheet,
    place: tuple[int, int],
    total: float,
    places: Sequence[tuple[int, int]],
    values: Sequence[float],
    left_out: Sequence[bool],
    style: str,
) -> None:
    """Write the sum of the values at some places in line, without those that are left out."""
    out = [xl_rowcol_to_cell(*one) for one, gone in zip(places, left_out, strict=True) if gone]
    again = sum(value for value, gone in zip(values, left_out, strict=True) if not gone)
    formula = f"SUM({xl_range_abs(*places[0], *places[-1])})" + "".join(f"-{c}" for c in out)
    sheet.put(*place, total, style, formula if _makes(again, total) else None)


def _makes(again: float | None, value: float) -> bool:
    """Whether what a formula gives is the value."""
    near = _EXACT if float(value).is_integer() else _FORMULA
    return again is not None and abs(again - value) <= near


def _counted(at: Mapping[str, str]) -> str:
    """The cell of what an opponent counts as."""
    return at.get("counts_as", at["mp"])


def _refinement(rule: Rule, at: Mapping[str, str], worth: float) -> str:
    """The formula of the points by which an opponent's own sum refines it."""
    rest = f"({at['before']}-{at['against']})"
    if rule.in_passes:
        most, unit = most_refinement(rule.event_rounds), HUNDRED // TENTHS
        tenths = f"INT((2*{rest}+{unit})/{2 * unit})"
        return f"MAX(-{most},MIN({most},{tenths}))/{TENTHS}"
    most, k = 2 * rule.event_rounds * MOST_REFINEMENT * worth, worth * rule.constants["k"]
    return f"MAX(-{most:g},MIN({most:g},{k!r}*{rest}))"
