"""The lookup table as one HTML page with a table, a calculator and standings of an event.

The page works offline: style, script, texts and numbers are inside it, and its content security
policy forbids all requests. Its script repeats the arithmetic of the rules for people without this
program; `tests/export/test_browser.py` checks that both agree.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from typing import Any

import jinja2

from tb2learn.chess.rating_tables import expected_scores
from tb2learn.events.formats.csv_rows import MAX_COLUMNS
from tb2learn.events.formats.csv_words import HEADINGS, NO_OPPONENT
from tb2learn.events.formats.source import MAX_BYTES, MAX_NAME
from tb2learn.events.parts import BYE_MATCH_POINTS
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.export.document import Document, Grid, shown
from tb2learn.export.margins import confidence_of, sure_grid
from tb2learn.export.table import header
from tb2learn.export.words import how_to_use, title, words
from tb2learn.text import plain
from tb2learn.tiebreaks.base import sums_of
from tb2learn.tiebreaks.formula import FORMULA_UNIT
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS
from tb2learn.version import __version__

SCRIPTS = (
    "arithmetic.js",
    "policies.js",
    "ranking.js",
    "reading.js",
    "boards.js",
    "tables.js",
    "trf_lines.js",
    "trf.js",
    "trf_boards.js",
    "pgn.js",
    "files.js",
    "page.js",
)
"""The parts of the page's one script, in order."""

_OWN = 18 / 22
"""Share of the match points that are selected when the page opens: a team near the top."""


def table_html(rule: Rule, language: str = "en") -> str:
    """The rule as one self-contained HTML page.

    **Arguments:**

    - `rule`: a rule with tables, or a formula.
    - `language`: one of `words.LANGUAGES`.

    **Returns:** the page, equal for equal rules. The element `data` holds the tables as JSON:
    `points[pass][own_mp][column][half_points]`, where `columns` are the opponent's match points.

    **Raises:** `InputError` for a rule without table or formula, or for another language.
    """
    text, sentences = words(language), how_to_use(rule, language)
    style, script = _source("table.css"), "\n".join(map(_source, SCRIPTS))
    data = _data(rule, language)
    return (
        environment()
        .get_template("table.html")
        .render(
            words=text,
            language=language,
            rule=rule,
            about={text[f"doc.{key}"]: line for key, line in header(rule, language).items()},
            title=title(rule, language),
            how_to_use=sentences,
            passes=rule.in_passes or bool(rule.constants),
            has_par=rule.in_passes or bool(rule.constants),
            most=2 * rule.event_rounds,
            own=round(2 * rule.event_rounds * _OWN),
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            sure=sure_grid(rule, language),
            data=_embedded(data),
            version=__version__,
        )
    )


def document_html(document: Document) -> str:
    """A document as one HTML page without a script, to print on A4 in black and white."""
    style = _source("document.css")
    return (
        environment()
        .get_template("document.html")
        .render(
            document=document,
            plain=plain,
            shown=shown,
            is_grid=lambda part: isinstance(part, Grid),
            style=style,
            style_hash=_hash(style),
            version=__version__,
        )
    )


def _data(rule: Rule, language: str) -> dict[str, Any]:
    """The content of the element `data`, from which the script takes the rule."""
    return {
        "table": rule.name,
        "rounds": rule.event_rounds,
        "boards": rule.boards,
        "passes": rule.in_passes,
        "reduced": rule.reduced,
        "unit": 1 if rule.constants else rule.unit,
        "finest": FORMULA_UNIT,
        "hundred": HUNDRED,
        "most": _most(rule),
        "columns": rule.columns if rule.has_tables else list(range(2 * rule.event_rounds + 1)),
        "points": rule.tables.tolist(),
        "formula": {**rule.constants, "passes": rule.passes} if rule.constants else None,
        "confidence": _confidence(rule),
        "policies": _policies(rule, language),
        "anyPoints": {
            "policies": [name for name, policy in POLICIES.items() if policy.any_points],
            "rule": rule.name == "product" or rule.for_any_match_points,
        },
        "headings": dict(HEADINGS),
        "noOpponent": sorted(NO_OPPONENT),
        "expected": expected_scores().tolist()[:401],
        "byes": {bye: points for bye, points in BYE_MATCH_POINTS.items() if bye},
        "limits": {
            "teams": MAX_TEAMS,
            "rounds": MAX_ROUNDS,
            "boards": MAX_BOARDS,
            "bytes": MAX_BYTES,
            "columns": MAX_COLUMNS,
            "name": MAX_NAME,
        },
        "words": {k: v for k, v in words(language).items() if k.startswith(("html.", "doc."))},
    }


def _confidence(rule: Rule) -> list[float] | None:
    """The constants of `Confidence.scale`, if the rule has been calibrated for its format."""
    confidence = confidence_of(rule)
    return confidence.scale.tolist() if confidence else None


def _most(rule: Rule) -> float:
    """The largest refinement in tenths of match points, which a formula does not round."""
    if rule.constants:
        return TENTHS * 2 * rule.event_rounds * MOST_REFINEMENT
    return most_refinement(rule.event_rounds)


def _policies(rule: Rule, language: str) -> dict[str, str]:
    """The policies under which a rule has a meaning: name and summary."""
    text = words(language)
    linear = all(one.linear for one in sums_of(rule.tiebreak()))
    return {
        name: text[f"policy.{name}"]
        for name, policy in POLICIES.items()
        if not policy.opponents_only and (linear or not policy.linear_only)
    }


def _embedded(content: Any) -> str:
    """JSON for a `script` element; without `<`, so that it cannot end the element."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))  # plain ASCII
    return text.replace("<", "\\u003c")


def _hash(source: str) -> str:
    """The hash that allows a style or script in a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode("ascii")


@functools.cache
def environment(package: str = "tb2learn.export") -> jinja2.Environment:
    """The page templates of a package: values are made safe, unknown names are errors."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        finalize=lambda value: plain(value) if type(value) is str else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _source(name: str) -> str:
    """The text of a template, not rendered."""
    templates = environment()
    assert templates.loader is not None
    return templates.loader.get_source(templates, name)[0]
