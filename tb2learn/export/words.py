"""The texts of the exported documents in five languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tb2learn.export.document import Document, Grid, Pair, Part, cell_text
from tb2learn.export.forms import LANGUAGES as LANGUAGES
from tb2learn.export.rule_names import called
from tb2learn.export.texts import decimal, words
from tb2learn.stats import Difference
from tb2learn.tiebreaks.passes import MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import FULL_POINTS, Rule
from tb2learn.tiebreaks.transfer import better_formula, cost_of_format
from tb2learn.types import InputError


def in_language(document: Document) -> Document:
    """A document whose tables have numbers as its language writes them."""
    text = words(document.language)
    # English numbers are right already.
    if text["doc.decimal"] == ".":
        return document

    def of_grid(grid: Grid) -> Grid:
        # A name that looks like a number, such as `Team 1.5`, is left alone.
        rows = (
            tuple(
                decimal(cell_text(cell), text)
                if k not in grid.names and _DECIMAL.fullmatch(cell_text(cell))
                else cell
                for k, cell in enumerate(row)
            )
            for row in grid.rows
        )
        return replace(grid, rows=tuple(rows))

    def of_part(part: Part) -> Part:
        if isinstance(part, Pair):
            return Pair(of_grid(part.left), of_grid(part.right))
        return of_grid(part) if isinstance(part, Grid) else part

    return replace(document, parts=tuple(map(of_part, document.parts)))


_DECIMAL = re.compile("[-\N{MINUS SIGN}]?[0-9]+[.][0-9]+")


def title(rule: Rule, language: str = "en") -> str:
    """The title of a document about a rule: a table or a formula."""
    return words(language)["doc.title" if rule.has_tables else "doc.formula_title"]


def how_to_use(
    rule: Rule, language: str = "en", teams: int | None = None, virtual: bool = True
) -> tuple[str, ...]:
    """The instruction that goes with every exported rule, one entry per sentence.

    **Arguments:** as for `note`; `virtual`: whether there are virtual opponents.

    **Raises:** `InputError` for another language, and for a rule that is neither a table nor a
    formula.
    """
    text = words(language, of_players(rule))
    _, (*steps, last) = _wording(rule, text, virtual)
    return (*steps, f"{last} {text['use.order']}", *note_lines(rule, language, teams))


def note_lines(rule: Rule, language: str = "en", teams: int | None = None) -> tuple[str, ...]:
    """The note of a rule as a sentence of its own; none if it has no note. Arguments: as `note`."""
    cost = note(rule, language, teams)
    return (words(language)["use.note"].format(note=cost),) if cost else ()


def note(rule: Rule, language: str = "en", teams: int | None = None) -> str:
    """What the use of a rule costs in a format, and whether it was trained on too few events.

    **Arguments:**

    - `rule`: for the format of an event.
    - `teams`: of the event; without it only a rescaled table has a note, for the field that it was
      made for.

    **Returns:** a line, or nothing: that it is rescaled, and how many more ties it decides wrongly
    in the judged format that is nearest, as `python -m studies.assessment` measures it.
    """
    # The share of verdicts on which two tables disagree, each fitted to half of the events.
    few, text = rule.provenance.get("unsettled"), words(language)
    notes = [_cost(rule, language, teams)]
    if few is not None:
        notes.append(
            text["use.few"].format(name=rule.name, share=decimal(f"{100 * few:.1f} %", text))
        )
    return "; ".join(filter(None, notes))


def _cost(rule: Rule, language: str, teams: int | None) -> str:
    text, cost = words(language), cost_of_format(rule, teams)
    sentence = called(rule.name, language)
    # A rescaled table says so even where it costs nothing.
    if rule.rescaled:
        sentence = text["use.rescaled"].format(
            name=rule.name, trained=rule.trained_rounds, rounds=rule.event_rounds
        )
    if cost is None:
        return sentence if rule.rescaled else ""
    additional = of_hundred(cost.growth)
    # A cost that rounds to nothing is said in words.
    costs = "use.costs" if float(additional) else "use.costs_nothing"
    key = "use.native" if cost.is_native else costs
    return text[key].format(name=sentence, growth=decimal(additional, text))


def of_hundred(growth: Difference) -> str:
    """How many more of 100 ties are decided wrongly; 0.0 for fewer."""
    return f"{max(0.0, growth.unit * growth.value):.1f}"


def choice(rule: Rule, teams: int | None = None) -> str:
    """That no table but a formula stands behind a name in a format, and why; else nothing."""
    if not rule.source or rule.has_tables:
        return ""
    boards = f"{rule.boards} board{'s' if rule.boards > 1 else ''}"
    better = better_formula(rule.event_rounds, rule.boards, teams)
    # Nobody judged a table on these boards.
    if better is None:
        return f"{rule.name} has no table for {boards}: the rule {rule.source} is used instead"
    return (
        f"{rule.name} is {rule.source}: in events like this one, {better.rule} decides "
        f"{of_hundred(better.over_formula)} more of 100 ties wrongly"
    )


def numbers_mean(rule: Rule, language: str = "en") -> tuple[str, str]:
    """The unit of a rule's points, or its constants.

    **Returns:** the key of this line in the header (`points` or `constants`), and its text.

    **Raises:** as `how_to_use`.
    """
    return _wording(rule, words(language, of_players(rule)), True)[0]


def of_players(rule: Rule) -> bool:
    """Whether the texts of a rule speak of players: of a formula for one board."""
    return rule.is_formula and rule.boards == 1


def _wording(
    rule: Rule, text: Mapping[str, str], virtual: bool
) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The texts that depend on the kind of a rule: what its numbers are, and how to use it."""
    if rule.is_formula:
        return _of_formula(rule, text, virtual)
    if rule.in_passes:
        return ("points", text["doc.points_hundredths"]), _pass_steps(rule, text, virtual)
    if not rule.has_tables:
        raise InputError(f"{rule.name} has neither a table nor a formula to print")
    points = text["doc.points_to"].format(most=FULL_POINTS)
    # The product rule is printed as whole numbers of half game points.
    if rule.unit != 1:
        greatest, unit = int(rule.tables.max()), decimal(f"{rule.unit:g}", text)
        points = text["doc.points_units"].format(most=greatest, unit=unit)
    # In a single round there is no bye to prefer.
    leave_out = "use.leave_out_bye" if rule.event_rounds > 1 else "use.leave_out"
    keys = ("use.block", "use.read", "use.rematch", leave_out, "use.sum")
    return ("points", points), tuple(text[key] for key in keys)


def _with_virtual(key: str, text: Mapping[str, str], virtual: bool) -> str:
    """A step, with what a round without a match is where virtual opponents are."""
    return f"{text[key]} {text['use.no_match']}" if virtual else text[key]


def _of_formula(
    formula: Rule, text: Mapping[str, str], virtual: bool
) -> tuple[tuple[str, str], tuple[str, ...]]:
    a, k = (decimal(f"{constant:.9g}", text) for constant in formula.constants.values())
    most_refined = decimal(f"{2 * formula.event_rounds * MOST_REFINEMENT:g}", text)
    # In points of players, which are half of the match points.
    halves = {name: decimal(f"{x / 2:.9g}", text) for name, x in formula.constants.items()}
    first = (text["use.twice"].format(**halves),) if of_players(formula) else ()
    steps = (
        *first,
        text["use.expected"].format(boards=formula.boards, a=a),
        _with_virtual("use.above_expected", text, virtual),
        text["use.again"].format(times=formula.passes - 1, k=k, most=most_refined),
        text["use.rematch_again"],
        text["use.formula_rounding"].format(unit=decimal(f"{formula.unit:g}", text)),
        text["use.last_sum"],
    )
    return ("constants", text["doc.constants_text"].format(a=a, k=k)), steps


def _pass_steps(table: Rule, text: Mapping[str, str], virtual: bool) -> tuple[str, ...]:
    last, first_pass = table.passes, _with_virtual("use.first_pass", text, virtual)
    # One pass needs no words on refinement.
    if last == 1:
        return first_pass, text["use.rematch"], text["use.only_pass_sum"]
    passes = [text["doc.pass_number"].format(number=2)]
    passes += [text["use.again_pass_number"].format(number=n) for n in range(3, last + 1)]
    most_refined = decimal(f"{most_refinement(table.event_rounds) / TENTHS:g}", text)
    return (
        first_pass,
        text["use.first_pass_sum"],
        text["use.next_pass"].format(passes=" ".join(passes), most=most_refined),
        text["use.next_pass_read"],
        text["use.rematch_again"],
        text["use.last_pass_sum"].format(number=last),
    )
