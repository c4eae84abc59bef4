"""The columns of standings: one list for the screen, for files that programs read, and for paper.

A column that has a key stands on the screen and in CSV and JSON, one that has a head stands on
paper; most have both. What a row has there is said once, and how it is written in either place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tb2learn.events import Criterion, Ranking, StandingsRow
from tb2learn.export.document import Cell
from tb2learn.export.result import Table
from tb2learn.text import plain, plain_number
from tb2learn.tiebreaks.library import heading

UP, DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"


class StandingsColumn(NamedTuple):
    """A column of standings.

    **Fields:**

    - `value`: what a row has there: a text or a number, None for nothing.
    - `key`: its name in CSV and JSON; None for a column of paper alone.
    - `heading`: what stands above it on the screen, the key if empty.
    - `on_screen`: how a value is written there, as `Table.formats`.
    - `head`: what stands above it on paper; None for a column of the screen alone.
    - `on_paper`: how a value is written there.
    - `is_name`, `is_secondary`: whether paper writes it as names, and whether a small screen that
      shows the page goes without it.
    """

    value: Callable[[StandingsRow], Any]
    key: str | None = None
    heading: str = ""
    on_screen: str | Callable[[Any], str] = ""
    head: str | None = None
    on_paper: Callable[[Any], Cell] = lambda value: value
    is_name: bool = False
    is_secondary: bool = False

    def cell(self, row: StandingsRow) -> Cell:
        """What a row has there on paper."""
        return self.on_paper(self.value(row))


Words = Mapping[str, str] | None
"""The words of the paper, from which heads are taken; None for the screen alone."""


def entrant_columns(
    key: str, text: Words = None, marks: Mapping[str, str] | None = None
) -> list[StandingsColumn]:
    """Place and entrant.

    **Arguments:** `key`: of the entrants, `team` or `player`; `marks`: what stands beside a name on
    the screen.
    """

    def marked(name: str) -> str:
        return plain(f"{name} ({marks[name]})" if marks and name in marks else name)

    place, entrant = (text[key] if text else None for key in ("doc.place", "doc.team"))
    return [
        StandingsColumn(lambda row: row.place, "place", head=place),
        StandingsColumn(lambda row: row.team, key, on_screen=marked, head=entrant, is_name=True),
    ]


def count_columns(counts: Mapping[str, Sequence[int]]) -> list[StandingsColumn]:
    """How many matches every entrant has played, won and so on, by its number; none on paper."""
    return [
        StandingsColumn(lambda row, numbers=numbers: numbers[row.number], kind)
        for kind, numbers in counts.items()
    ]


def score_columns(ranking: Ranking, text: Words = None) -> list[StandingsColumn]:
    """The scores, in the order in which they decide; of a play-off none on paper."""
    # A play-off decides as criteria do, but is none: it has no head and no code.
    individual = ranking.event.individual
    heads = criterion_heads(ranking.criteria, text, individual) if text else {}
    # On the screen as in the line above the table.
    codes = {criterion.name: criterion.label for criterion in ranking.criteria}
    return [
        StandingsColumn(
            lambda row, name=name: row.scores[name],
            name,
            codes.get(name, heading(name)),
            head=heads.get(name),
            on_paper=plain_number,
        )
        for name in ranking.rows[0].scores
    ]


def known_columns(ranking: Ranking, text: Words = None) -> list[StandingsColumn]:
    """How sure orders are, and how many matches of others decided them, where that is known."""
    columns = [
        StandingsColumn(
            lambda row: row.confidence,
            *("confidence", "before next", percent),
            *(text["wall.next"] if text else None, percent),
            is_secondary=True,
        ),
        StandingsColumn(lambda row: row.others, "others"),
    ]
    return [
        column for column in columns if any(column.value(row) is not None for row in ranking.rows)
    ]


def beside_columns(
    other: Sequence[StandingsRow], to_other: bool, name: str, text: Mapping[str, str]
) -> list[StandingsColumn]:
    """The places by another rule, and how far every entrant moves from today's order.

    **Arguments:** `other`: the rows by that rule, by number; `to_other`: whether it is the new
    one; `name`: of the rule.
    """
    # From today's order to the other, whichever of the two stands first: up is up.
    sign = -1 if to_other else 1
    return [
        StandingsColumn(
            lambda row: other[row.number].place,
            name,
            head=text["wall.place_by"].format(name=name),
            is_secondary=True,
        ),
        StandingsColumn(
            lambda row: sign * (other[row.number].place - row.place),
            *("moved", "", signed_places, text["wall.moved"], arrow),
            is_secondary=True,
        ),
    ]


def criterion_heads(
    criteria: Iterable[Criterion], text: Mapping[str, str], individual: bool
) -> dict[str, str]:
    """The heads of columns on paper by the names of their criteria.

    A word or FIDE's code; TB2 for what leads the Olympiad's order.
    """

    def head(criterion: Criterion) -> str:
        if criterion.name in ("mp", "points"):
            return text["doc.mp"]
        if criterion.name == "gp":
            return text["doc.gp"]
        # A table or a formula has no code.
        if not criterion.rule.parts and (criterion.name == "tb2" or individual):
            return text["doc.tb2"]
        return criterion.label

    return {criterion.name: head(criterion) for criterion in criteria}


def screen_table(columns: Iterable[StandingsColumn], ranking: Ranking) -> Table:
    """The columns that have a key as a table; place and entrant are repeated where it is folded."""
    # The names of columns differ, so they may be the keys.
    keyed = {column.key: column for column in columns if column.key is not None}
    return Table(
        [*keyed],
        [[column.value(row) for column in keyed.values()] for row in ranking.rows],
        headings={key: column.heading for key, column in keyed.items() if column.heading},
        formats={key: column.on_screen for key, column in keyed.items() if column.on_screen},
        keys=2,
        digits=4,
    )


def percent(probability: float | None) -> str:
    """A probability in percent; empty for None."""
    return "" if probability is None else f"{probability:.0%}"


def signed_places(up: int) -> str:
    """Places gained (`+3`) or lost (`-3`), `=` for none, as `compare` writes them."""
    return f"{up:+d}" if up else "="


def arrow(up: int) -> str:
    """The same with triangles, for paper."""
    if not up:
        return "="
    return f"{UP}{up}" if up > 0 else f"{DOWN}{-up}"
