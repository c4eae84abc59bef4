"""The page of a rule: its tables, and a calculator for one team, in one HTML file.

The page works offline: style, script, texts and numbers are inside it, and its content security
policy forbids all requests. `tests/export/test_rule_page.py` checks that its script adds up as the
rule does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tb2learn.export.document import cell_text
from tb2learn.export.html import embedded, environment, policy, source
from tb2learn.export.table import game_points, header, sure_grid, used_columns
from tb2learn.export.words import how_to_use, title, words
from tb2learn.text import plain
from tb2learn.tiebreaks.formula import FORMULA_UNIT, FormulaRule
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS
from tb2learn.tiebreaks.rules import Rule
from tb2learn.version import __version__

_CIVIDIS = (
    "00224e", "1a386f", "434e6c", "61656f", "7d7c78", "9b9476", "bcae6c", "dec958", "fee838",
)  # fmt: skip
"""Colours of a rule without par: matplotlib's cividis in nine steps, from dark to light."""
_AROUND_PAR = (
    "8a3f00", "c26a1a", "e9a861", "f8dcbc", "ffffff", "c6dcef", "7fb2dc", "3579b8", "0b4a86",
)  # fmt: skip
"""Colours around par, from orange over white to blue.

Both are uniform in lightness, and suitable for colour-blind people.
"""
_OWN = 18 / 22
"""Share of the match points that are selected when the page opens: a team near the top."""


_STEPS = 65
"""Colours of the scale on the page."""

_WORDS = (
    "doc.pass_number", "doc.own_mp_number", "doc.left_out", "html.caption", "html.caption_pass",
    "html.sum", "html.sum_pass", "html.left_out", "html.filled",
)  # fmt: skip
"""The keys of the texts that the script uses."""


def table_html(rule: Rule, language: str = "en") -> str:
    """The rule as one self-contained HTML page.

    **Arguments, Raises:** as `table.table_csv`.

    **Returns:** the page, equal for equal rules. The element `data` holds the tables as JSON:
    `points[pass][own_mp][column][half_points]`, where `columns` are the opponent's match points.
    """
    text, templates = words(language), environment()
    style, script = (source(templates, f"rule_page.{ending}") for ending in ("css", "js"))
    data = rule_data(rule, language)
    return templates.get_template("rule_page.html").render(
        words=text,
        language=language,
        rule=rule,
        about={text[f"doc.{key}"]: line for key, line in header(rule, language).items()},
        title=title(rule, language),
        how_to_use=how_to_use(rule, language),
        in_passes=_has_par(rule),
        most=2 * rule.event_rounds,
        beyond=2 * rule.event_rounds * MOST_REFINEMENT,
        step=1 / data["parts"],
        own=round(2 * rule.event_rounds * _OWN),
        style=style,
        policy=policy(style, script),
        script=script,
        sure=sure_grid(rule, language),
        data=embedded(data),
        passes=rule.passes,
        shown_passes=len(data["points"]) or 1,
        results=[game_points(half) for half in range(2 * rule.boards + 1)],
        columns=data["columns"],
        plain=plain,
        shown=cell_text,
        version=__version__,
    )


def rule_data(rule: Rule, language: str = "en") -> dict[str, Any]:
    """The content of the element `data`, from which the script takes the rule.

    **Returns:** by key

    - `points[pass][own_mp][column][half_points]`, `columns`: the tables, and the match points that
      their columns stand for; of a formula no tables, but `expected`: what it expects by leads in
      hundredths of a match point, from the least to the greatest.
    - `parts`: of a match point, of which what an opponent counts as is a whole number.
    - `reduced`, `unit`: of the rule; `halfPoint`: worth of half a game point in a formula's points.
    - `hasPar`: whether 0 is par.
    - `shown`, `ranges`: for every table the columns that can occur, and its ends.
    - `scale`: colours from the lowest to the highest value, each with that of a text upon it.
    - `caption`, `words`: the key of the caption of the table, and texts by key.
    """
    text, has_par, tiebreak = words(language), _has_par(rule), rule.tiebreak
    is_formula = isinstance(tiebreak, FormulaRule)
    return {
        "parts": HUNDRED if is_formula else TENTHS,
        "reduced": rule.reduced,
        "unit": rule.unit,
        "halfPoint": FORMULA_UNIT // 2,
        "columns": rule.columns if rule.has_tables else list(range(2 * rule.event_rounds + 1)),
        "points": rule.tables.tolist(),
        "expected": tiebreak.expected.tolist() if is_formula else None,
        "hasPar": has_par,
        "shown": _shown(rule),
        "ranges": _ranges(rule),
        "scale": _scale(_AROUND_PAR if has_par else _CIVIDIS),
        "caption": "html.caption_pass" if rule.in_passes else "html.caption",
        "words": {key: text[key] for key in _WORDS},
    }


def _scale(colours: tuple[str, ...]) -> list[tuple[str, str]]:
    """Colours in many steps between some, each with black or white for the text, by contrast."""
    anchors = np.array([list(bytes.fromhex(colour)) for colour in colours], float)
    # Between two known colours each channel is interpolated.
    at = np.linspace(0, len(anchors) - 1, _STEPS)
    steps = np.stack([np.interp(at, range(len(anchors)), part) for part in anchors.T], axis=1)
    # The share of light that the eye sees, of sRGB; above .18 black stands out more than white.
    light = (steps / 255) ** 2.2 @ (0.2126, 0.7152, 0.0722)
    return [
        (f"#{bytes(step).hex()}", "#000" if bright else "#fff")
        for step, bright in zip(np.rint(steps).astype(np.uint8), light > 0.18, strict=True)
    ]


def _has_par(rule: Rule) -> bool:
    """Whether 0 is par in the tables of a rule."""
    return rule.in_passes or rule.is_formula


def _shown(rule: Rule) -> list[list[int]]:
    """For every table on the page the columns that can occur, by their indices."""
    # A formula has no table: its page computes one column per opponent's MP.
    if rule.is_formula:
        return [list(range(2 * rule.event_rounds + 1))]
    return [
        [rule.columns.index(mp) for mp in used_columns(rule, number)[0]]
        for number in range(1, 1 + len(rule.tables))
    ]


def _ranges(rule: Rule) -> list[tuple[int, int]]:
    """For every table on the page its least and greatest value; as far below par as above it."""
    if rule.is_formula:
        return [(-FORMULA_UNIT * rule.boards, FORMULA_UNIT * rule.boards)]
    ends = [(int(table.min()), int(table.max())) for table in rule.tables]
    # Without par the scale runs from the least to the greatest value.
    if not _has_par(rule):
        return ends
    return [(-extreme, extreme) for extreme in (max(-low, high) for low, high in ends)]
