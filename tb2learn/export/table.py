"""The lookup table as CSV and JSON: the same numbers, no arithmetic."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from tb2learn.export.words import how_to_use, note, words
from tb2learn.standings import Results
from tb2learn.tables import FULL_POINTS, Formula, LookupTable, PassTable, Rule
from tb2learn.text import cell
from tb2learn.tiebreaks import PassRule, TableRule
from tb2learn.tiebreaks.additive import TENTHS, most_refinement
from tb2learn.types import BYE

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
    elif isinstance(rule, LookupTable) and rule.unit != 1:
        most = int(rule.points.max())
        lines["points"] = text["doc.points_units"].format(most=most, unit=f"{rule.unit:g}")
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
        write(["#", key, cell(value)])
    for number, sentence in enumerate(how_to_use(rule, language), start=1):
        write(["#", f"how to use {number}", cell(sentence)])
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


@dataclass(frozen=True)
class ExampleItem:
    """One round of the worked example.

    **Fields:** the opponent's match points; what it counts as, in tenths of match points; half
    points scored against it; the points that the (last) table gives; whether it is left out.
    """

    opponent_mp: int
    tenths: int
    half_points: int
    points: int
    left_out: bool


@dataclass(frozen=True)
class Example:
    """A made-up team under a rule: its match points, its rounds and the sum of the points left in.

    In a table of several passes it is the last pass, with made-up refinements.
    """

    own_mp: int
    items: tuple[ExampleItem, ...]
    tb2: int


# Shares of a match's game points, of the most match points, and tenths of a match point: an
# example in which everything occurs.
_RESULTS = (0.75, 0.9, 0.5, 0.4, 1.0, 0.6, 0.25)
_OPPONENTS = (0.35, 0.5, 0.6, 0.7, 0.3, 0.55, 0.65, 0.45)
_TENTHS = (3, -4, 0, 6, -12, 9)


def worked_example(rule: LookupTable | PassTable) -> Example:
    """The example printed with a table: a made-up team, judged by the rule itself."""
    rounds, most_mp = rule.event_rounds, 2 * rule.event_rounds
    most = most_refinement(rounds) if isinstance(rule, PassTable) and len(rule.points) > 1 else 0
    half_points = [round(2 * rule.boards * part) for part in islice(cycle(_RESULTS), rounds)]
    won = [1 + (half > rule.boards) - (half < rule.boards) for half in half_points]
    wanted = [round(most_mp * part) for part in islice(cycle(_OPPONENTS), rounds)]
    # An opponent has the match points of this match, and lacks those that the team won.
    opponent_mp = [min(max(mp, 2 - w), most_mp - w) for mp, w in zip(wanted, won, strict=True)]
    refined = [max(-most, min(most, tenths)) for tenths in islice(cycle(_TENTHS), rounds)]

    # The team is number 0; it meets number r in round r, and nobody else meets anybody.
    own_mp, tenths = sum(won), TENTHS * np.array(opponent_mp) + refined
    opponents, scored = np.full((2, rounds, rounds + 1), BYE, np.int32)
    opponents[:, 0], scored[:, 0] = np.arange(1, rounds + 1), half_points
    results = Results(
        jnp.asarray(opponents), jnp.asarray(scored), jnp.asarray([own_mp, *opponent_mp], jnp.int32)
    )
    points, counted = map(np.asarray, _judged(rule.tiebreak(), results, jnp.asarray(tenths)))
    items = zip(opponent_mp, tenths, half_points, points, ~counted, strict=True)
    return Example(
        own_mp,
        tuple(ExampleItem(*map(int, item[:4]), left_out=bool(item[4])) for item in items),
        int(points[counted].sum()),
    )


@jax.jit
def _judged(
    tiebreak: TableRule | PassRule, results: Results, tenths: Int[Array, " rounds"]
) -> tuple[Int[Array, " rounds"], Bool[Array, " rounds"]]:
    """Points of team 0's rounds, and which of them count; opponents count as `tenths`."""
    if isinstance(tiebreak, PassRule):
        points = tiebreak.value(results.match_points[0], tenths, results.half_points[:, 0])
        return points, tiebreak.counted(results)[0]
    values = tiebreak.values(results)
    left_out = tiebreak.left_out(results, values)[0]
    return values[0], jnp.arange(len(tenths)) != left_out
