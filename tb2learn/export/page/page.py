"""The page of a rule: standings of an event, the table, a calculator, all in one HTML file.

The page works offline: style, script, texts and numbers are inside it, and its content security
policy forbids all requests. Its script repeats the arithmetic of the rule, the regulations for
unplayed rounds, and the reading of team events as TRF or CSV, for people without this program;
what it must know of files comes from `knowledge.py`. `tests/export/page` checks that both answer
alike.
"""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import Any

import numpy as np

from tb2learn.events.criteria import fide_order
from tb2learn.events.unplayed import TITLES
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.export.document import shown
from tb2learn.export.html import environment, policy, source
from tb2learn.export.page.knowledge import files_knowledge
from tb2learn.export.standings import coded
from tb2learn.export.table import confidence_of, game_points, header, sure_grid, used_columns
from tb2learn.export.words import how_to_use, title, words
from tb2learn.tiebreaks.formula import FORMULA_UNIT
from tb2learn.tiebreaks.formula_constants import closed_formula, is_closed_formula
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS
from tb2learn.tiebreaks.rules import FULL_POINTS, Formula, Rule, formula_rule
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS
from tb2learn.version import __version__

SCRIPTS = (
    "start.js",
    "arithmetic.js",
    "event.js",
    "ranking.js",
    "csv.js",
    "trf.js",
    "page_table.js",
    "page_event.js",
)
"""The parts of the page's one script, in order."""

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


def script(seen: bool = True) -> str:
    """The page's one script.

    **Arguments:** `seen`: with the parts that the user sees; the others need no page.
    """
    folder = resources.files("tb2learn.export.page") / "script"
    names = SCRIPTS if seen else [name for name in SCRIPTS if not name.startswith("page_")]
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)


def table_html(rule: Rule, language: str = "en") -> str:
    """The rule as one self-contained HTML page.

    **Arguments, Raises:** as `table.table_csv`.

    **Returns:** the page, equal for equal rules. The element `data` holds the tables as JSON:
    `points[pass][own_mp][column][half_points]`, where `columns` are the opponent's match points.
    """
    text, sentences = words(language), how_to_use(rule, language)
    templates = environment("tb2learn.export.page")
    style, code = source(templates, "table.css"), script()
    data = page_data(rule, language)
    return templates.get_template("table.html").render(
        words=text,
        language=language,
        rule=rule,
        about={text[f"doc.{key}"]: line for key, line in header(rule, language).items()},
        title=title(rule, language),
        how_to_use=sentences,
        in_passes=_has_par(rule),
        is_product=rule.name == PRODUCT,
        most=2 * rule.event_rounds,
        beyond=2 * rule.event_rounds * MOST_REFINEMENT,
        step="any" if rule.constants else 1 / TENTHS,
        own=round(2 * rule.event_rounds * _OWN),
        style=style,
        policy=policy(style, code),
        script=code,
        sure=sure_grid(rule, language),
        data=_embedded(data),
        passes=rule.passes,
        shown_passes=len(data["points"]) or 1,
        results=[game_points(half) for half in range(2 * rule.boards + 1)],
        columns=data["columns"],
        policies=data["policies"],
        shown=shown,
        version=__version__,
    )


_WORDS = ("html.", "doc.", "kind.", "use.rescaled")


def page_data(rule: Rule, language: str) -> dict[str, Any]:
    """The content of the element `data`, from which the script takes the rule."""
    most_mp, confidence = 2 * rule.event_rounds, confidence_of(rule)
    text = words(language)
    colours = _AROUND_PAR if _has_par(rule) else _CIVIDIS
    return {
        "table": rule.name,
        "rounds": rule.event_rounds,
        "boards": rule.boards,
        "passes": rule.in_passes,
        "reduced": rule.reduced,
        "unit": 1 if rule.constants else rule.unit,
        "finest": FORMULA_UNIT,
        "hundred": HUNDRED,
        "full": FULL_POINTS,
        "refinement": MOST_REFINEMENT,
        "columns": rule.columns if rule.has_tables else list(range(most_mp + 1)),
        "points": rule.tables.tolist(),
        "isProduct": rule.name == PRODUCT,
        "anyBoards": _any_boards(rule),
        "formulas": _formulas(rule) if isinstance(rule, Formula) else None,
        "formulaPasses": rule.passes,
        "surface": _surface(rule) if rule.surfaces else None,
        "trained": rule.trained_rounds,
        "shown": _shown(rule),
        "ranges": _ranges(rule),
        "scale": [list(bytes.fromhex(colour)) for colour in colours],
        "confidence": confidence.scale.tolist() if confidence else None,
        "policies": {name: text[f"policy.{name}"] for name in POLICIES},
        "titles": TITLES,
        "anyPoints": [name for name, policy in POLICIES.items() if policy.any_points],
        "order": [coded(criterion) for criterion in fide_order(rule)],
        "files": files_knowledge(),
        "words": {k: v for k, v in text.items() if k.startswith(_WORDS)},
    }


def _formulas(rule: Formula) -> dict[int, list[list[float]]]:
    """The constants `a` and `k` of a formula, by boards, of every number of rounds from 1."""

    def at(rounds: int, boards: int) -> list[float]:
        if _any_boards(rule):
            made = closed_formula(rounds, boards)
        else:
            made = formula_rule(rule.name, rounds, boards, rule.scale, rule.refinement)
        return [*made.constants.values()]

    boards = range(1, MAX_BOARDS + 1) if _any_boards(rule) else [rule.boards]
    return {b: [at(rounds, b) for rounds in range(1, MAX_ROUNDS + 1)] for b in boards}


def _any_boards(rule: Rule) -> bool:
    """Whether a rule is for any number of boards: the product rule, and the formula of all."""
    usual = is_closed_formula(rule) and closed_formula(rule.event_rounds, rule.boards).constants
    return rule.name == PRODUCT or usual == rule.constants


def _surface(rule: Rule) -> dict[str, Any]:
    """The surfaces of a rule's tables, their numbers packed: the script rescales tables by them."""
    coefficients = np.stack([surface.coefficients for surface in rule.surfaces])
    pars = [surface.par for surface in rule.surfaces] if rule.in_passes else []
    return {
        "shape": coefficients.shape[:3],
        "coefficients": _packed(coefficients),
        "par": _packed(np.array(pars)),
        "trained": rule.trained_rounds,
    }


def _packed(numbers: np.ndarray) -> str:
    """Double precision, little-endian, in base 64: with all digits, which decimals would not be."""
    return base64.b64encode(numbers.astype("<f8").tobytes()).decode("ascii")


def _has_par(rule: Rule) -> bool:
    """Whether 0 is par in the tables of a rule."""
    return rule.in_passes or bool(rule.constants)


def _shown(rule: Rule) -> list[list[int]]:
    """For every table on the page the columns that can occur, by their indices."""
    if rule.constants:
        return [list(range(2 * rule.event_rounds + 1))]
    return [
        [rule.columns.index(mp) for mp in used_columns(rule, number)[0]]
        for number in range(1, 1 + len(rule.tables))
    ]


def _ranges(rule: Rule) -> list[tuple[int, int]]:
    """For every table on the page its least and greatest value; as far below par as above it."""
    if rule.constants:
        return [(-rule.boards, rule.boards)]
    ends = [(int(table.min()), int(table.max())) for table in rule.tables]
    if not _has_par(rule):
        return ends
    return [(-most, most) for most in (max(-low, high) for low, high in ends)]


def _embedded(content: Any) -> str:
    """JSON for a `script` element; without `<`, so that it cannot end the element."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))  # plain ASCII
    return text.replace("<", "\\u003c")
