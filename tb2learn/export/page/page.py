"""The page of a rule: a table, a calculator, standings of an event, all in one HTML file.

The page works offline: style, script, texts and numbers are inside it, and its content security
policy forbids all requests. Its script repeats the arithmetic of the rules, the policies and the
readers of files for people without this program; what it must know of files comes from
`knowledge.py`. `tests/export/page` checks that both answer alike.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from tb2learn.events.criteria import ROUND_ROBIN, SWISS
from tb2learn.events.rank import PLAYERS_ROUND_ROBIN
from tb2learn.events.unplayed.fide import C07, C07Of2024, FaceValue
from tb2learn.events.unplayed.policies import NEW_RULES, POLICIES
from tb2learn.export.document import shown
from tb2learn.export.html import environment, policy_hash, source
from tb2learn.export.page.knowledge import files_knowledge
from tb2learn.export.table import (
    confidence_of,
    expected_points,
    game_points,
    header,
    sure_grid,
    used_columns,
)
from tb2learn.export.words import how_to_use, title, words
from tb2learn.tiebreaks.formula import FORMULA_UNIT
from tb2learn.tiebreaks.formula_constants import closed_formula
from tb2learn.tiebreaks.passes import HUNDRED, MOST_REFINEMENT, TENTHS, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_ROUNDS
from tb2learn.version import __version__

SCRIPTS = (
    "start.js",
    "arithmetic.js",
    "text.js",
    "matches.js",
    "policies.js",
    "ranking.js",
    "csv.js",
    "tables.js",
    "games.js",
    "trf_lines.js",
    "trf_draw.js",
    "trf_resting.js",
    "trf_boards.js",
    "trf_points.js",
    "trf.js",
    "pgn.js",
    "files.js",
    "page_table.js",
    "page_team.js",
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
        expected=expected_points(rule) if rule.constants else (),
        most=2 * rule.event_rounds,
        own=round(2 * rule.event_rounds * _OWN),
        style=style,
        style_hash=policy_hash(style),
        script=code,
        script_hash=policy_hash(code),
        sure=sure_grid(rule, language),
        data=_embedded(data),
        passes=rule.passes if rule.constants else len(data["points"]),
        shown_passes=len(data["points"]) or 1,
        results=[game_points(half) for half in range(2 * rule.boards + 1)],
        columns=data["columns"],
        policies=data["policies"],
        shown=shown,
        version=__version__,
    )


_WORDS = ("html.", "doc.", "players.doc.")


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
        # The largest refinement, in tenths of match points.
        "most": most_refinement(rule.event_rounds),
        "columns": rule.columns if rule.has_tables else list(range(most_mp + 1)),
        "points": rule.tables.tolist(),
        "formula": None,
        "shown": _shown(rule),
        "ranges": _ranges(rule),
        "scale": [list(bytes.fromhex(colour)) for colour in colours],
        "confidence": confidence.scale.tolist() if confidence else None,
        "policies": {name: text[f"policy.{name}"] for name in POLICIES},
        "anyPoints": {
            "policies": [name for name, policy in POLICIES.items() if policy.any_points],
            "rule": rule.name == "product" or rule.for_any_match_points,
        },
        "players": _of_players(),
        "files": files_knowledge(),
        "words": {k: v for k, v in text.items() if k.startswith(_WORDS)},
        **(_of_formula(rule) if rule.constants else {}),
    }


def _of_players() -> dict[str, Any]:
    """How individual events are ranked: FIDE's lists, the formula by rounds, the usual policies."""
    rules = (closed_formula(rounds, 1) for rounds in range(1, MAX_ROUNDS + 1))
    return {
        "swiss": SWISS,
        "roundRobin": ROUND_ROBIN,
        "formulas": [_of_formula(rule) for rule in rules],
        "usual": {
            "roundRobin": FaceValue.name,
            "before": C07Of2024.name,
            "since": C07.name,
            "newRules": NEW_RULES,
        },
        "note": PLAYERS_ROUND_ROBIN,
    }


def _of_formula(rule: Rule) -> dict[str, Any]:
    """What the script must know of a formula."""
    return {
        "table": rule.name,
        "boards": rule.boards,
        "formula": {**rule.constants, "passes": rule.passes},
        # The largest refinement, in tenths of match points, which is not rounded.
        "most": TENTHS * 2 * rule.event_rounds * MOST_REFINEMENT,
        "reduced": rule.reduced,
    }


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
