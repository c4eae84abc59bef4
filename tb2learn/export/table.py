"""The lookup table as CSV and JSON: the same numbers, no arithmetic."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np

from tb2learn.export.words import how_to_use, note, words
from tb2learn.tables import FULL_POINTS, Formula, LookupTable, PassTable, Rule

SCHEMA = 1


def game_points(half_points: int) -> str:
    """Game points as an arbiter writes them: 0, 0.5, 1, ..."""
    return f"{half_points / 2:g}"


def header(rule: Rule, language: str = "en") -> dict[str, str]:
    """What the rule says of itself: name, format, configuration, events, seed, version.

    **Returns:** lines by key; their labels in a language are `words(language)["doc." + key]`.

    **Raises:** `InputError` for another language.
    """
    text, made = words(language), rule.provenance
    lines = {
        "table": rule.name,
        "format": text["doc.format_text"].format(rounds=rule.event_rounds, boards=rule.boards),
    }
    if isinstance(rule, PassTable):
        lines["points"] = text["doc.points_hundredths"]
    elif isinstance(rule, Formula):
        lines["constants"] = text["doc.constants_text"].format(a=f"{rule.a:.3g}", k=f"{rule.k:.3g}")
    else:
        lines["points"] = text["doc.points_to"].format(most=FULL_POINTS)
    if made:
        lines |= {
            "config": str(made["config"]["name"]),
            "description": str(made["config"]["description"]),
            "trained": text["doc.trained_text"].format(
                events=made["events"], seed=made["seed"], rounds=rule.trained_rounds
            ),
            "version": f"tb2learn {made['version']}",
        }
    return lines


def tables(rule: Rule) -> np.ndarray:
    """The tables of all passes, `[passes, own MP, opponent MP, half points]`; none of a formula."""
    if isinstance(rule, PassTable):
        return rule.points
    if isinstance(rule, LookupTable):
        return rule.points[None]
    return np.zeros((0, 2 * rule.event_rounds + 1, 0, 2 * rule.boards + 1), np.int32)


def columns(rule: Rule) -> list[int]:
    """The match points that an opponent may count as: the columns of its tables."""
    _, shares, width, _ = tables(rule).shape
    beyond = (width - shares) // 2
    return list(range(-beyond, width - beyond))


def table_csv(rule: Rule, language: str = "en") -> str:
    """The rule as CSV for a spreadsheet.

    **Arguments:** `language`: of the sentences; row markers and keys are the same in all.

    **Returns:** rows `#,key,value` and `#,how to use,sentence`; then, for every pass of a table in
    passes a row `pass,N`, and for every own MP a row `own MP,N`, a row of opponent MP, and a row of
    points for every GP. A formula has the first part only.

    **Raises:** `InputError` for another language.
    """
    buffer = io.StringIO()
    write = csv.writer(buffer, lineterminator="\n").writerow
    for key, value in header(rule, language).items():
        write(["#", key, value])
    for number, sentence in enumerate(how_to_use(rule, language), start=1):
        write(["#", f"how to use {number}", sentence])
    for number, table in enumerate(tables(rule), start=1):
        if isinstance(rule, PassTable):
            write([])
            write(["pass", number])
        for own, block in enumerate(table):
            write([])
            write(["own MP", own])
            write(["GP / opponent MP", *columns(rule)])
            for half_points in range(block.shape[1]):
                write([game_points(half_points), *block[:, half_points].tolist()])
    return buffer.getvalue()


def table_json(rule: Rule, language: str = "en") -> str:
    """The rule as JSON.

    **Arguments:** `language`: of the sentences; keys are the same in all.

    **Returns:** an object with `schema`, `header`, `how_to_use`, `provenance`, the axes `own_mp`,
    `gp` and `opponent_mp`, and `points[own_mp][gp][opponent_mp]`; of a table in passes instead
    `passes[pass][own_mp][gp][opponent_mp]`; of a formula its constants `a` and `k`.

    **Raises:** `InputError` for another language.
    """
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "header": header(rule, language),
        "how_to_use": list(how_to_use(rule, language)),
        "provenance": dict(rule.provenance),
        "rounds": rule.event_rounds,
        "boards": rule.boards,
        "trained_rounds": rule.trained_rounds,
        "note": note(rule, language),
    }
    if isinstance(rule, Formula):
        content |= {"a": rule.a, "k": rule.k, "passes": rule.passes}
    else:
        every = tables(rule)
        points = every.transpose(0, 1, 3, 2).tolist()
        content |= {
            "own_mp": list(range(every.shape[1])),
            "gp": [half_points / 2 for half_points in range(every.shape[3])],
            "opponent_mp": columns(rule),
        }
        content |= {"passes": points} if isinstance(rule, PassTable) else {"points": points[0]}
    return json.dumps(content, allow_nan=False) + "\n"
