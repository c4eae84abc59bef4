"""Standings, workings and comparisons as text, CSV and JSON.

Names come from files, and all three forms may be shown in a terminal. So text and CSV escape
control characters, JSON is plain ASCII, and no CSV cell starts like a spreadsheet formula.
"""

from __future__ import annotations

import itertools
import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tb2learn.events import Comparison, Item, Moved, Ranked, Working
from tb2learn.events.terms import TEAMS, Terms
from tb2learn.export.words import note
from tb2learn.text import aligned, csv_text, number, plain
from tb2learn.tiebreaks.library import heading

# --------------------------------------------------------------------------- standings


def _json(content: Any) -> str:
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def ranking_table(rows: Sequence[Ranked], words: Terms = TEAMS) -> str:
    """Standings as an aligned table.

    **Arguments:** `words`: for who is ranked.
    """
    header, body = _ranking(rows, words, percent)
    names = {name: heading(name) for name in rows[0].scores} | {"confidence": "before next"}
    return aligned([names.get(name, name) for name in header], body)


def _ranking(
    rows: Sequence[Ranked], words: Terms, sure: Callable[[float | None], Any]
) -> tuple[list[str], list[list[Any]]]:
    """Standings as a header and rows; with a column on how sure they are, if they say so."""
    known = any(row.confidence is not None for row in rows)
    header = ["place", words.one, *rows[0].scores, *["confidence"] * known]
    return header, [
        [row.place, row.team, *row.scores.values(), *[sure(row.confidence)] * known] for row in rows
    ]


def percent(probability: float | None) -> str:
    """A probability in percent; empty for None."""
    return "" if probability is None else f"{probability:.0%}"


def _rounded(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 4)


def ranking_csv(rows: Sequence[Ranked], words: Terms = TEAMS) -> str:
    """Standings as CSV with the columns of `ranking_json`."""
    header, body = _ranking(rows, words, _rounded)
    return csv_text([header, *body])


def ranking_json(rows: Sequence[Ranked], words: Terms = TEAMS) -> str:
    """Standings as a JSON list of `{"place", "team"}` and the criteria in order.

    Players are `"player"`. In the Olympiad's order these are `"mp", "tb2", "gp", "tb4"`. If
    known, `"confidence"` is the probability that the team is better than the next one; null at the
    end of a score group.
    """
    header, body = _ranking(rows, words, _rounded)
    return _json([dict(zip(header, map(_plain_number, row), strict=True)) for row in body])


def _plain_number(value: Any) -> Any:
    return number(value) if isinstance(value, float) else value


RANKINGS = {"table": ranking_table, "csv": ranking_csv, "json": ranking_json}


# --------------------------------------------------------------------------- workings


def working_text(workings: Sequence[Working], width: int | None = None) -> str:
    """Workings as text: every opponent with its value under each rule, dropped or not; the sums.

    **Arguments:**

    - `workings`: one a team.
    - `width`: columns of the terminal. If the rules do not fit beside each other they stand in
      several tables, and long names are cut. None for one table, however wide.
    """
    parts = []
    for w in workings:
        body = "\n".join(_tables(w, width))
        sums = ", ".join(f"{rule} {number(s)}" for rule, s in zip(w.rules, w.sums, strict=True))
        total = plain(f"{w.terms.total} without the dropped: {sums}")
        if width is not None:
            total = textwrap.fill(total, max(width, 2 * _SHORTEST), subsequent_indent="  ")
        parts.append(f"{plain(w.team)}: {w.mp} {w.terms.points}\n{body}{total}\n")
    return "\n".join(parts)


def _tables(working: Working, width: int | None) -> Iterator[str]:
    """The working as one table, or as several that fit into a width."""
    rules = range(len(working.rules))
    whole = _table(working, rules)
    if width is None or _width(whole) <= width:
        yield whole
        return
    left = list(rules)
    while left:
        count = len(left)
        while count > 1 and _room(working, left[:count], width) < _SHORTEST:
            count -= 1
        room = max(_room(working, left[:count], width), _SHORTEST)
        yield _table(working, left[:count], room)
        left = left[count:]


def _room(working: Working, rules: Sequence[int], width: int) -> int:
    """Characters that names of opponents may have in the table of some rules."""
    return width - _width(_table(working, rules, 0)) + len("opponent")


def _table(working: Working, rules: Sequence[int], longest: int | None = None) -> str:
    """The columns of some rules; names of opponents are cut to so many characters."""
    header = ["round", "opponent", working.terms.opponent, working.terms.result]
    refined = {k: any(item.counts_as[k] is not None for item in working.items) for k in rules}
    for k in rules:
        header += [*(["counts as"] if refined[k] else []), working.rules[k], ""]
    rows: list[list[Any]] = []
    for item in working.items:
        who = item.who if longest is None else _cut(item.who, longest)
        row: list[Any] = [item.round, who, item.opponent_mp, item.gp]
        for k in rules:
            counts_as = item.counts_as[k]
            if refined[k]:
                row.append("" if counts_as is None else f"{round(counts_as, 2):g}")
            row += [item.values[k], "dropped" if item.dropped[k] else ""]
        rows.append(row)
    return aligned(header, rows)


_SHORTEST = 8
"""Characters that a name keeps in the narrowest terminal."""


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: max(longest - 3, 0)] + "..."


def _width(table: str) -> int:
    return max(map(len, table.splitlines()))


def working_csv(workings: Sequence[Working]) -> str:
    """Workings as CSV: one row per opponent with `value` and `dropped` per rule, then the sums."""
    words, of_rules = workings[0].terms, ("counts_as", "value", "dropped")
    header = [words.one, words.points_key, "round", "opponent", "kind", words.opponent_key]
    header += [words.result_key, *(f"{key}_{r}" for r in workings[0].rules for key in of_rules)]
    rows: list[list[Any]] = [header]
    for w in workings:
        for item in w.items:
            row: list[Any] = [w.team, w.mp, item.round, item.opponent, item.kind]
            columns = zip(_counts_as(item), item.values, map(int, item.dropped), strict=True)
            rows.append([*row, item.opponent_mp, item.gp, *itertools.chain(*columns)])
        sums = itertools.chain(*(("", s, "") for s in w.sums))
        rows.append([w.team, w.mp, "", "", words.total, "", "", *sums])
    return csv_text(rows)


def _counts_as(item: Item) -> list[float]:
    """What the opponent counts as under each rule."""
    return [item.opponent_mp if refined is None else refined for refined in item.counts_as]


def working_json(workings: Sequence[Working]) -> str:
    """Workings as a JSON list of teams with `opponents` and `tb2` by rule.

    Those of players have `player`, `points`, `opponent_points`, `result` and `tie-break` for
    `team`, `mp`, `opponent_mp`, `gp` and `tb2`.
    """
    return _json([_working_content(w) for w in workings])


def _working_content(w: Working) -> dict[str, Any]:
    def by_rule(values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(w.rules, map(_plain_number, values), strict=True))

    rounds = [
        {
            "round": item.round,
            "opponent": item.opponent or None,
            "kind": item.kind,
            w.terms.opponent_key: number(item.opponent_mp),
            w.terms.result_key: number(item.gp),
            "values": by_rule(item.values),
            "dropped": by_rule(item.dropped),
            "counts_as": by_rule(_counts_as(item)),
        }
        for item in w.items
    ]
    about = {w.terms.one: w.team, w.terms.points_key: w.mp}
    return about | {"opponents": rounds, w.terms.total.lower(): by_rule(w.sums)}


WORKINGS = {"table": working_text, "csv": working_csv, "json": working_json}


# --------------------------------------------------------------------------- comparisons


def _moved(teams: Iterable[Moved]) -> list[list[Any]]:
    return [
        [m.old.place, m.new.place, f"{m.up:+d}" if m.up else "=", m.team, m.mp, *m.tiebreaks]
        for m in teams
    ]


def comparison_text(compared: Comparison) -> str:
    """A comparison as text: every team by old place, the biggest movers, the tie for first."""
    words = compared.terms
    header = ("old", "new", "up", words.one, words.points, compared.old_rule, compared.new_rule)
    parts = [plain(f"{compared.event}: {compared.old_rule} and {compared.new_rule}") + "\n"]
    said = note(compared.rule, teams=len(compared.teams))
    if said:
        parts.append(f"Note: {plain(said)}.\n")
    tied = [m for m in compared.teams if m.team in compared.first_place]
    parts.append(aligned(header, _moved(compared.teams)))
    parts.append("\nBiggest movers\n" + aligned(header, _moved(compared.movers)))
    parts.append("\nTied for first place\n" + aligned(header, _moved(tied)))
    return "".join(parts)


def comparison_csv(compared: Comparison) -> str:
    """A comparison as CSV: every team by old place."""
    words = compared.terms
    more = {} if compared.individual else {"gp": "gp", "old_tb4": "tb4"}
    header = ("old_place", "new_place", "up", words.one, words.points_key, "old_tb2", "new_tb2")
    rows: list[Sequence[Any]] = [(*header, *more)]
    for m in compared.teams:
        scores = (*m.tiebreaks, *(m.old.scores[name] for name in more.values()))
        rows.append((m.old.place, m.new.place, m.up, m.team, m.mp, *scores))
    return csv_text(rows)
