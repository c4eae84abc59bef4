"""A rule as CSV and JSON; the header, worked example and margins that all forms of it share."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np

from tb2learn.catalogue import find_confidence
from tb2learn.chess.results import weakest_item
from tb2learn.export.document import Grid
from tb2learn.export.words import how_to_use, note, numbers_mean, of_players, words
from tb2learn.text import csv_text
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.formula import FORMULA_UNIT, FormulaRule
from tb2learn.tiebreaks.passes import HUNDRED, TENTHS, PassRule, most_refinement
from tb2learn.tiebreaks.rules import Rule
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import InputError
from tb2learn.version import __version__

SCHEMA = 1

PROBABILITIES = (0.55, 0.6, 0.7, 0.8, 0.9, 0.95)
"""The columns of the table."""

_FINEST = 0.01
"""The finest step of a margin that is printed, in points of the rule."""

_SAME = 1e-9  # relative: a margin this near to a step below it is that step


def game_points(half_points: int) -> str:
    """Game points as an arbiter writes them: 0, 0.5, 1, ..."""
    return f"{half_points / 2:g}"


def used_columns(rule: Rule, number: int) -> tuple[list[int], slice]:
    """The columns of a pass that can occur: in the first an opponent counts as its match points.

    **Arguments:** `number`: of the pass, 1 for the first.

    **Returns:** the match points of these columns, and where they are in `rule.tables`.
    """
    if number > 1:
        return rule.columns, slice(None)
    # Columns below 0 and beyond the most points are for refined opponents.
    shares, beyond = 2 * rule.event_rounds + 1, -rule.columns[0]
    return list(range(shares)), slice(beyond, beyond + shares)


def nearest_par(values: Sequence[int]) -> int | None:
    """The index of the value nearest to par, which is 0, if there are values on both sides."""
    if not values or min(values) > 0 or max(values) < 0:
        return None
    return min(range(len(values)), key=lambda n: abs(values[n]))


def header(rule: Rule, language: str = "en") -> dict[str, str]:
    """Facts about the rule: name, format, configuration, events, seed, version.

    **Returns:** texts by key; the label of a key is `words(language)["doc." + key]`.

    **Raises:** `InputError` for another language, and for a rule without tables or formula.
    """
    text, provenance = words(language, of_players(rule)), rule.provenance
    label_key, numbers = numbers_mean(rule, language)
    size = text["doc.format_text"].format(rounds=rule.event_rounds, boards=rule.boards)
    lines = {"table": rule.name, "format": size, label_key: numbers}
    if provenance:
        config = provenance["config"]
        lines["config"] = str(config["name"])
        # The formula for every format was fitted to many of them.
        if rule.trained_rounds is None:  # the formula for every format, which has many
            lines["description"] = str(config["description"])
        else:
            events = {key: provenance[key] for key in ("events", "seed")}
            size = {"teams": config["event"]["teams"], "rounds": rule.trained_rounds}
            lines["trained"] = text["doc.trained_text"].format(**events, **size)
        lines["version"] = f"tb2learn {__version__}"
    return lines


def table_csv(rule: Rule, language: str = "en") -> str:
    """The rule as CSV for a spreadsheet.

    **Arguments:** `rule`: a rule with tables, or a formula; `language`: of the sentences, as row
    markers and keys are the same in all.

    **Returns:** rows `#,key,value` and `#,how to use,sentence`. Then, for every own MP, a row
    `own MP,N`, a row of opponent MP, and a row of points for every GP; in a table in passes this is
    repeated after a row `pass,N` for every pass. A formula has the game points that it expects by
    lead in match points instead.

    **Raises:** `InputError` for another language, and for a rule without tables or formula.
    """
    rows: list[list[Any]] = [["#", *line] for line in header(rule, language).items()]
    for number, sentence in enumerate(how_to_use(rule, language), start=1):
        rows.append(["#", f"how to use {number}", sentence])
    for number, table in enumerate(rule.tables, start=1):
        rows += [[], ["pass", number]] if rule.in_passes else []
        for own_mp, block in enumerate(table):
            rows += [[], ["own MP", own_mp], ["GP / opponent MP", *rule.columns]]
            for half_points, values in enumerate(block.T.tolist()):
                rows.append([game_points(half_points), *values])
    if rule.is_formula:
        rows += [[], ["lead in MP", "expected GP"]]
        rows += [[lead, points] for lead, points in expected_points(rule)]
    return csv_text(rows)


def table_json(rule: Rule, language: str = "en") -> str:
    """The rule as JSON.

    **Arguments, Raises:** as `table_csv`.

    **Returns:** an object with `schema`, `header`, `how_to_use`, `provenance`, the axes `own_mp`,
    `gp` and `opponent_mp`, and `points[own_mp][gp][opponent_mp]`; of a table in passes instead
    `passes[pass][own_mp][gp][opponent_mp]`; of a formula its constants `a` and `k`, and the game
    points that it expects, `expected_gp`, by `lead` in match points. With a calibrated confidence
    also `sure`: what it is, and `margin[own_mp][probability]` for each of its `probability`.
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
    if rule.is_formula:
        leads, expected = zip(*expected_points(rule), strict=True)
        content |= {**rule.constants, "passes": rule.passes}
        content |= {"lead": leads, "expected_gp": expected}
    else:
        points = rule.tables.transpose(0, 1, 3, 2).tolist()
        content |= {
            "own_mp": list(range(2 * rule.event_rounds + 1)),
            "gp": [half_points / 2 for half_points in range(2 * rule.boards + 1)],
            "opponent_mp": rule.columns,
        }
        content |= {"passes": points} if rule.in_passes else {"points": points[0]}
    if confidence := confidence_of(rule):
        content["sure"] = {
            "how_to_read": words(language)["use.sure_text"],
            "probability": PROBABILITIES,
            "margin": printed_margins(confidence),
        }
    return json.dumps(content, allow_nan=False) + "\n"


def expected_points(rule: Rule) -> list[tuple[int, float]]:
    """The game points that a formula expects, by lead in match points.

    **Returns:** the lead (own minus opponent's match points, `-2*rounds .. 2*rounds`) and the
    expected game points, in whole ten-thousandths, for every lead.
    """
    most, one = 2 * rule.event_rounds, rule.tiebreak
    assert isinstance(one, FormulaRule)
    at = len(one.expected) // 2
    leads = range(-most, most + 1)
    return [(lead, int(one.expected[at + HUNDRED * lead]) / FORMULA_UNIT) for lead in leads]


@dataclass(frozen=True)
class Example:
    """A made-up team under a rule.

    For a table in passes this is the last pass, with made-up refinements of the opponents.
    """

    own_mp: int  # its match points
    keys: list[str]  # of the heads of the columns, in `words`
    # a round each: its number, the opponent's match points, what these count as (in passes), game
    # points, points; and a cell more than heads, that it is left out of the sum
    rows: list[list[Any]]
    tb2: int  # the sum of the points that are not left out


# The example: shares of the game points of a match, shares of the most match points of an opponent,
# and refinements in tenths of a match point, chosen so that every case occurs.
_RESULTS = (0.75, 0.9, 0.5, 0.4, 1.0, 0.6, 0.25)
_OPPONENTS = (0.35, 0.5, 0.6, 0.7, 0.3, 0.55, 0.65, 0.45)
_TENTHS = (3, -4, 0, 6, -12, 9)


def worked_example(rule: Rule, text: Mapping[str, str]) -> Example:
    """The example printed with a table, computed by the rule itself."""
    rounds, most_mp = rule.event_rounds, 2 * rule.event_rounds
    half_points = np.array([round(2 * rule.boards * part) for part in _first(_RESULTS, rounds)])
    won = 1 + np.sign(half_points - rule.boards)
    wanted = [round(most_mp * part) for part in _first(_OPPONENTS, rounds)]
    # The opponent has the match points of this match and cannot have those that the team won.
    opponent_mp = np.clip(wanted, 2 - won, most_mp - won)
    refined = rule.passes > 1
    most_tenths = most_refinement(rounds) if refined else 0
    tenths = TENTHS * opponent_mp + np.clip(_first(_TENTHS, rounds), -most_tenths, most_tenths)

    own_mp, counts_as = int(won.sum()), tenths if rule.in_passes else opponent_mp
    tiebreak = rule.tiebreak
    assert isinstance(tiebreak, TableRule | PassRule)
    points = tiebreak.value(np.int64(own_mp), counts_as, half_points)
    left_out = np.zeros(rounds, bool)
    if rule.reduced:
        left_out[weakest_item(opponent_mp, points, left_out)] = True
    columns = {
        "round": range(1, rounds + 1),
        "opponent_mp": map(int, opponent_mp),
        **({"counts_as": (tenths / TENTHS).tolist()} if refined else {}),
        "gp": (half_points / 2).tolist(),
        "points": map(int, points),
    }
    marks = [text["doc.left_out"] if gone else "" for gone in left_out]
    rows = [[*row] for row in zip(*columns.values(), marks, strict=True)]
    return Example(own_mp, [f"doc.{key}" for key in columns], rows, int(points[~left_out].sum()))


def _first(values: Sequence[float], count: int) -> list[float]:
    """The first `count` values, starting again after the last."""
    return list(islice(cycle(values), count))


# --------------------------------------------------------------------------- how sure orders are


def confidence_of(rule: Rule) -> Confidence | None:
    """The confidence of a rule, if it has been calibrated for its format."""
    try:
        return find_confidence(rule.name, rule)
    except InputError:
        return None


def printed_margins(
    confidence: Confidence, probabilities: Sequence[float] = PROBABILITIES
) -> list[list[float]]:
    """The smallest printed margins at which an order has each probability, by own match points.

    **Returns:** a row an own score; rounded up, to whole points for a table and to hundredths for a
    formula, so that an order with the margin has at least the probability.
    """
    # A margin finer than the unit of the rule cannot occur.
    step = max(confidence.unit, _FINEST)
    return [
        [
            round(math.ceil(confidence.margin(own, p) / step * (1 - _SAME)) * step, 6)
            for p in probabilities
        ]
        for own in range(len(confidence.scale))
    ]


def sure_grid(rule: Rule, language: str = "en") -> tuple[str, Grid] | None:
    """A sentence that says how to read the table, and the table; None without a confidence."""
    confidence = confidence_of(rule)
    if confidence is None:
        return None
    text = words(language)
    form = ".2f" if confidence.unit < _FINEST else "g"
    rows = tuple(
        (own_mp, *(f"{margin:{form}}" for margin in margins))
        for own_mp, margins in enumerate(printed_margins(confidence))
    )
    heads = (text["doc.own_mp"], *(f"{p:.0%}" for p in PROBABILITIES))
    return text["use.sure_text"], Grid(text["use.sure"], heads, rows, together=True)
