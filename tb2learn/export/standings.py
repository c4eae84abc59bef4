"""Standings, workings and comparisons as text, CSV and JSON.

Names come from files, and all three forms may be shown in a terminal. So text and CSV escape
control characters, JSON is plain ASCII, and no CSV cell starts like a spreadsheet formula.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from tb2learn.events import Comparison, Moved, Ranked, Working
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
    names = [heading(name) for name in rows[0].scores]
    return aligned(
        ("place", words.one, *names, *["before next"] * _sure(rows)),
        (
            [r.place, r.team, *r.scores.values(), *[percent(r.confidence)] * _sure(rows)]
            for r in rows
        ),
    )


def _sure(rows: Sequence[Ranked]) -> bool:
    """Whether the standings say how sure they are."""
    return any(row.confidence is not None for row in rows)


def percent(probability: float | None) -> str:
    """A probability in percent; empty for None."""
    return "" if probability is None else f"{probability:.0%}"


def ranking_csv(rows: Sequence[Ranked], words: Terms = TEAMS) -> str:
    """Standings as CSV with the columns of `ranking_json`."""
    header = ("place", words.one, *rows[0].scores, *["confidence"] * _sure(rows))
    return csv_text(
        [
            header,
            *(
                [r.place, r.team, *r.scores.values(), *[_rounded(r.confidence)] * _sure(rows)]
                for r in rows
            ),
        ]
    )


def _rounded(probability: float | None) -> float | str:
    return "" if probability is None else round(probability, 4)


def ranking_json(rows: Sequence[Ranked], words: Terms = TEAMS) -> str:
    """Standings as a JSON list of `{"place", "team"}` and the criteria in order.

    Players are `"player"`. In the Olympiad's order these are `"mp", "tb2", "gp", "tb4"`. If
    known, `"confidence"` is the probability that the team is better than the next one; null at the
    end of a score group.
    """
    return _json(
        [
            {"place": r.place, words.one: r.team}
            | {k: number(v) for k, v in r.scores.items()}
            | ({"confidence": _rounded(r.confidence) or None} if _sure(rows) else {})
            for r in rows
        ]
    )


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
    rules, words = workings[0].rules, workings[0].terms
    header = [words.one, words.points_key, "round", "opponent", "kind", words.opponent_key]
    header.append(words.result_key)
    for rule in rules:
        header += [f"counts_as_{rule}", f"value_{rule}", f"dropped_{rule}"]
    rows: list[list[Any]] = [header]
    for w in workings:
        for item in w.items:
            row: list[Any] = [w.team, w.mp, item.round, item.opponent, item.kind]
            row += [item.opponent_mp, item.gp]
            for counts_as, value, dropped in zip(
                item.counts_as, item.values, item.dropped, strict=True
            ):
                row += [item.opponent_mp if counts_as is None else counts_as, value, int(dropped)]
            rows.append(row)
        total: list[Any] = [w.team, w.mp, "", "", words.total, "", ""]
        for s in w.sums:
            total += ["", s, ""]
        rows.append(total)
    return csv_text(rows)


def working_json(workings: Sequence[Working]) -> str:
    """Workings as a JSON list of teams with `opponents` and `tb2` by rule.

    Those of players have `player`, `points`, `opponent_points`, `result` and `tie-break` for
    `team`, `mp`, `opponent_mp`, `gp` and `tb2`.
    """
    return _json(
        [
            {
                w.terms.one: w.team,
                w.terms.points_key: w.mp,
                "opponents": [
                    {
                        "round": item.round,
                        "opponent": item.opponent or None,
                        "kind": item.kind,
                        w.terms.opponent_key: number(item.opponent_mp),
                        w.terms.result_key: number(item.gp),
                        "values": dict(zip(w.rules, map(number, item.values), strict=True)),
                        "dropped": dict(zip(w.rules, item.dropped, strict=True)),
                        "counts_as": {
                            rule: number(item.opponent_mp if m is None else m)
                            for rule, m in zip(w.rules, item.counts_as, strict=True)
                        },
                    }
                    for item in w.items
                ],
                w.terms.total.lower(): dict(zip(w.rules, map(number, w.sums), strict=True)),
            }
            for w in workings
        ]
    )


WORKINGS = {"table": working_text, "csv": working_csv, "json": working_json}


# --------------------------------------------------------------------------- comparisons


def _moved(moved: Moved) -> list[Any]:
    return [
        moved.old.place,
        moved.new.place,
        f"{moved.up:+d}" if moved.up else "=",
        moved.team,
        moved.mp,
        *moved.tiebreaks,
    ]


def comparison_text(compared: Comparison) -> str:
    """A comparison as text: every team by old place, the biggest movers, the tie for first."""
    words = compared.terms
    header = ("old", "new", "up", words.one, words.points, compared.old_rule, compared.new_rule)
    parts = [plain(f"{compared.event}: {compared.old_rule} and {compared.new_rule}") + "\n"]
    said = note(compared.rule, teams=len(compared.teams))
    if said:
        parts.append(f"Note: {plain(said)}.\n")
    parts.append(aligned(header, map(_moved, compared.teams)))
    parts.append("\nBiggest movers\n" + aligned(header, map(_moved, compared.movers)))
    tied = [m for m in compared.teams if m.team in compared.first_place]
    parts.append("\nTied for first place\n" + aligned(header, map(_moved, tied)))
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
