"""The text of a regulation in numbered articles, generated from the rule that it is about.

Every number in it is read from the rule, or from the functions that compute it, so that text and
program say the same. A test reads the text back and computes real tie-breaks from it alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tb2learn.events import Criterion
from tb2learn.events.orders import CriteriaReader
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.unplayed import FACE_VALUE, REGULATIONS
from tb2learn.events.unplayed.fide import C07, C07Of2024, Fide2026
from tb2learn.events.unplayed.policy import Baku2016
from tb2learn.export.document import Document, Sentences
from tb2learn.export.wall import named_meaning
from tb2learn.export.words import decimal, how_to_use, note_lines, words
from tb2learn.text import plain
from tb2learn.tiebreaks.library import heading
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.tables import TableRule, nearest
from tb2learn.types import InputError, one_of

_DECIMALS = 4  # with which scores are printed

# TB4 leaves an opponent out, whatever the rule does.
_ROUNDS_MISSED = {
    Baku2016.name: ("virtual", "virtual_mp", "seen_final", "pairing_bye_first"),
    Fide2026.name: ("nobody", "default", "seen_draws", "bye_first"),
    C07.name: ("virtual", "dummy_capped", "seen_left", "voluntary_first"),
    C07Of2024.name: ("virtual", "dummy_own", "seen_left", "voluntary_first"),
    FACE_VALUE: ("nobody", "recorded", "seen_final"),
}
"""What the regulation says of rounds that were not played, by policy."""


@dataclass(frozen=True)
class Wording:
    """What the regulation of an event says of itself."""

    title: str = ""  # instead of a general one
    organiser: str = ""  # who issues it
    rule: str = ""  # the name that readers know the rule by
    is_league: bool = False  # whether everybody meets everybody


GENERAL = Wording()
"""Of a regulation of no event."""


def regulation(
    rule: Rule, language: str, unplayed: str, annex: str = "", wording: Wording = GENERAL
) -> Document:
    """The regulation of a rule: its scope, then seven numbered articles.

    **Arguments:**

    - `rule`: for a format of team events; `unplayed`: one of `unplayed.REGULATIONS`, in a round
      robin also `unplayed.FACE_VALUE`.
    - `annex`: the name of the file with the tables, for a rule that has some.

    **Raises:** `InputError` for another language or policy, and for a rule of individual events.
    """
    one_of("unplayed", unplayed, (*REGULATIONS, *([FACE_VALUE] if wording.is_league else [])))
    if rule.boards == 1:
        raise InputError(f"a dossier is for team events: {rule.name} is for 1 board")
    text = words(language)
    scope = text["law.format"].format(rounds=rule.event_rounds, boards=rule.boards)
    # The rule takes the place of TB2 and nothing else changes.
    reader = CriteriaReader(rule.event_rounds, rule.boards, round_robin=wording.is_league)
    criteria = reader.led_by(rule)
    articles = {
        "wall.decides": _order(criteria, text),
        "law.from": _sources(rule, text, annex),
        "law.how": _steps(rule, language, unplayed),
        "law.rounding": _rounding(rule, text),
        "doc.unplayed": _unplayed(rule, unplayed, text),
        "law.ties": (text["law.next"],),
        "law.publish": _publication(rule, criteria, text),
    }
    sections = [
        Sentences(f"{number}. {text[key]}", lines, numbered=True, under=f"{number}.")
        for number, (key, lines) in enumerate(articles.items(), start=1)
    ]
    title = wording.title or text["law.title"].format(name=wording.rule or rule.name)
    issued = (text["law.organiser"].format(organiser=wording.organiser),)
    # Notes on a rule are for the commission, not for the regulation.
    first = Sentences("", (*(issued if wording.organiser else ()), scope))
    return Document(title, (), (first, *sections), language)


def _order(criteria: Sequence[Criterion], text: Mapping[str, str]) -> tuple[str, ...]:
    lines = [text["law.order"]]
    for number, criterion in enumerate(criteria):
        meaning = text["law.tb2"] if number == 1 else _meaning(criterion, text)
        lines.append(f"{_head(criterion)}: {meaning}")
    return tuple(lines)


def _head(criterion: Criterion) -> str:
    """What a criterion is called: TB2, or as in the program's standings on paper."""
    name = heading(criterion.name)
    return criterion.label if name == criterion.name else name


def _meaning(criterion: Criterion, text: Mapping[str, str]) -> str:
    """What a criterion is, in the language of the regulation where the words have it."""
    keys = {"direct": "law.direct", "emmsb": "law.emmsb"}
    key = keys.get(criterion.name)
    return text[key] if key else named_meaning(criterion.rule.parts[0], text)


def _sources(rule: Rule, text: Mapping[str, str], annex: str) -> tuple[str, ...]:
    lines = [text["law.results"]]
    if not rule.parts:
        # A table may have another block for every score of the standings.
        looks_at_own = isinstance(rule.tiebreak, TableRule) and not rule.tiebreak.linear
        lines.append(text["law.penalties_own" if looks_at_own else "law.penalties"])
    # Said only where it is true: some rules of the library need ratings or colours.
    if not any(part.entry.needs for part in rule.parts):
        lines.append(text["law.no_ratings"])
    if annex:
        lines.append(text["law.annex"].format(file=annex))
    return tuple(lines)


def _steps(rule: Rule, language: str, unplayed: str) -> tuple[str, ...]:
    """How it is worked out; of a rule without a table or formula what the library says of it."""
    text = words(language)
    if rule.parts:
        return tuple(
            text["law.source"].format(
                meaning=named_meaning(part, text), source=f"C.07, {part.entry.source}"
            )
            for part in rule.parts
        )
    # What article 5 says must not be said otherwise here.
    steps = how_to_use(rule, language, virtual="virtual" in _ROUNDS_MISSED[unplayed])
    # A regulation has no notes.
    return steps[: len(steps) - len(note_lines(rule, language))]


def _rounding(rule: Rule, text: Mapping[str, str]) -> tuple[str, ...]:
    printed = text["law.printed"].format(digits=_DECIMALS)
    if not rule.has_numbers:
        return (printed,)
    # Whole numbers need no rule for halves.
    if rule.has_tables and rule.passes == 1:
        return (text["law.whole"].format(unit=decimal(f"{rule.unit:g}", text)),)
    above = decimal("2.5", text)
    # Computed, not written: the text cannot say otherwise than the program rounds.
    up, down = (int(nearest(np.asarray(x), 2)) for x in (5, -5))
    halves = text["law.halves"].format(above=above, up=up, below=f"-{above}", down=down)
    return (halves, printed) if rule.is_formula else (halves,)


def _unplayed(rule: Rule, policy: str, text: Mapping[str, str]) -> tuple[str, ...]:
    _, draw, _ = STANDARD_SCORING
    # The edition has FIDE's name, not the program's.
    summary = text["law.face_value" if policy == FACE_VALUE else f"policy.{policy}"]
    edition = f"{summary[0].upper()}{summary[1:]}."
    numbers = {"draw": draw, "draws": draw * rule.event_rounds, "most": rule.boards}
    lines = (text[f"law.{key}"].format(**numbers) for key in _ROUNDS_MISSED[policy])
    return edition, text["law.played"], *lines


def _publication(
    rule: Rule, criteria: Sequence[Criterion], text: Mapping[str, str]
) -> tuple[str, ...]:
    columns = ", ".join(map(_head, criteria))
    # Later passes use sums of the opponents, without which nobody could check them.
    working = "law.working_passes" if rule.passes > 1 else "law.working"
    after = text["law.after"].format(columns=columns)
    return text["law.before"], after, text[working], text["law.program"]


def regulation_text(law: Document) -> str:
    """The regulation as plain text, a line a paragraph."""
    lines = [law.title]
    for part in law.parts:
        assert isinstance(part, Sentences)
        lines += [part.heading] if part.heading else []
        for number, line in enumerate(part.lines, start=1):
            lines.append(f"{part.under}{number} {line}" if part.numbered else line)
    return "".join(f"{plain(line)}\n" for line in lines)
