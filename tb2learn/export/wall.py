"""Standings as a page for the wall: places under two rules side by side, and what the columns mean.

Tie-breaks are numbered TB1, TB2, ... in the order in which they decide, as chess-results and most
pairing programs head the columns of their standings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tb2learn.events import POLICIES, Criterion, Ranked, TeamEvent
from tb2learn.events.criteria import ByRule, PolicySum, Total
from tb2learn.events.players import Own, PlayerCriterion
from tb2learn.events.terms import TEAMS, Terms, terms
from tb2learn.export.document import Cell, Document, Grid, Sentences
from tb2learn.export.standings import percent
from tb2learn.text import number

_MOST_MOVERS = 10
_NAMES = ("Team", "Player")
_UP, _DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"


@dataclass(frozen=True)
class Standings:
    """Standings to hang on the wall.

    **Fields:**

    - `event`: what was played.
    - `criteria`: what decides, in order.
    - `rows`: the standings by these.
    - `unplayed`: the policy for unplayed rounds.
    - `beside`: the name of another order, and the standings by it; None for none.
    - `notes`: on the event, its reading and the rules, one line each.
    """

    event: TeamEvent
    criteria: Sequence[Criterion]
    rows: Sequence[Ranked]
    unplayed: str
    beside: tuple[str, Sequence[Ranked]] | None = None
    notes: Sequence[str] = ()

    @property
    def words(self) -> Terms:
        """The words for who is ranked."""
        return terms(self.event.individual)

    @property
    def heads(self) -> tuple[str, ...]:
        """A head a criterion: TB1, TB2, ...; of players the points are not counted among them."""
        if not self.event.individual:
            return tuple(f"TB{k}" for k in range(1, 1 + len(self.criteria)))
        found: list[str] = []
        for one in self.criteria:
            points = isinstance(one, Own) and one.of == "points"
            found.append("Points" if points else f"TB{len(found) - ('Points' in found) + 1}")
        return tuple(found)


@dataclass(frozen=True)
class _Column:
    """A column of the page: its head and what it shows of a team."""

    head: str
    of: Callable[[Ranked], Cell]


def standings_document(standings: Standings) -> Document:
    """The page for the wall."""
    event, rows, who = standings.event, standings.rows, standings.words
    played = f"{event.rounds} of {event.planned}" if event.planned > event.rounds else event.rounds
    boards = "" if event.individual else f", {event.boards} boards a match"
    facts = (
        ("Standings after round", str(played)),
        (who.many.capitalize(), str(len(event.teams)) + boards),
        ("Unplayed rounds", f"{standings.unplayed}: {POLICIES[standings.unplayed].summary}"),
    )
    columns = _columns(standings)
    parts: list[Grid | Sentences] = [_grid("", columns, rows, standings.criteria[0].name)]
    if standings.beside:
        other = _by_team(standings.beside[1])
        moved = [row for row in rows if other[row.team].place != row.place]
        moved.sort(key=lambda row: (-abs(other[row.team].place - row.place), row.place))
        if moved:
            most = min(len(moved), _MOST_MOVERS)
            heading = f"Moved most: {most} of {len(moved)} {who.many} that move"
            parts.append(_grid(heading, columns, moved[:_MOST_MOVERS]))
    parts.append(Sentences("What decides", tuple(_legend(standings))))
    if standings.notes:
        parts.append(Sentences("Notes", tuple(standings.notes), numbered=True))
    return Document(event.name, facts, tuple(parts))


def _by_team(rows: Sequence[Ranked]) -> dict[str, Ranked]:
    return {row.team: row for row in rows}


def _columns(standings: Standings) -> list[_Column]:
    """The columns in order; the team's name is the first or the fourth."""
    columns = [_Column("Place", lambda row: row.place)]
    if standings.beside:
        name, rows = standings.beside
        other = _by_team(rows)
        columns += [
            _Column(f"Place by {name}", lambda row: other[row.team].place),
            _Column("Moved", lambda row: _arrow(other[row.team].place - row.place)),
        ]
    columns.append(_Column(standings.words.one.capitalize(), lambda row: row.team))
    for head, one in zip(standings.heads, standings.criteria, strict=True):
        columns.append(_Column(head, lambda row, name=one.name: number(row.scores[name])))
    if any(row.confidence is not None for row in standings.rows):
        columns.append(_Column("Before next", lambda row: percent(row.confidence)))
    if standings.beside:
        head = f"{'TB1' if standings.event.individual else 'TB2'} by {name}"
        columns.append(_Column(head, lambda row: number(second(other[row.team]))))
    return columns


def second(row: Ranked) -> float:
    """The score that comes after the points."""
    return list(row.scores.values())[1]


def _arrow(up: int) -> str:
    """Places gained under the rule of the page."""
    if not up:
        return "="
    return (
        f"\N{BLACK UP-POINTING TRIANGLE}{up}"
        if up > 0
        else f"\N{BLACK DOWN-POINTING TRIANGLE}{-up}"
    )


def _grid(
    heading: str, columns: Sequence[_Column], rows: Sequence[Ranked], group: str = ""
) -> Grid:
    """A table of teams; a line above every group of teams equal on the criterion `group`."""
    scores = [row.scores[group] for row in rows] if group else []
    return Grid(
        heading,
        tuple(column.head for column in columns),
        tuple(tuple(column.of(row) for column in columns) for row in rows),
        names=frozenset(k for k, column in enumerate(columns) if column.head in _NAMES),
        ruled=frozenset(n for n in range(1, len(scores)) if scores[n] != scores[n - 1]),
        together=not group,
    )


def _legend(standings: Standings) -> list[str]:
    who = standings.words
    lines = [
        f"{head}: {meaning(one, who)}"
        for head, one in zip(standings.heads, standings.criteria, strict=True)
    ]
    if standings.beside:
        order = (
            "points, then that rule and FIDE's list"
            if standings.event.individual
            else "match points, then that rule, game points and the sum of the opponents' match "
            "points without the lowest"
        )
        lines.append(
            f"Place by {standings.beside[0]}: by {order}. Moved: "
            f"places gained ({_UP}) or lost ({_DOWN}) against it."
        )
    if any(row.confidence is not None for row in standings.rows):
        lines.append(
            "Before next: probability that the team is better than the next one on equal match "
            "points; 50% is a coin flip."
        )
    lines.append(f"{who.many.capitalize()} that are equal on everything share a place.")
    return lines


def meaning(one: Criterion, words: Terms = TEAMS) -> str:
    """What a criterion is, in a sentence for the legend of standings."""
    if isinstance(one, PlayerCriterion):
        return one.meaning
    if isinstance(one, Total):
        return {
            "mp": "match points (2 for a win, 1 for a draw, 0 for a loss).",
            "gp": "game points (points of all boards).",
            "played": "matches played over the board.",
        }[one.of]
    if isinstance(one, PolicySum):
        out = [f"the lowest {one.low}"] * bool(one.low) + [f"the highest {one.high}"] * bool(
            one.high
        )
        without = f", without {' and '.join(out)}" if out else ""
        return (
            f"sum of the opponents' {'match' if one.opponent == 'm' else 'game'} points{without}."
        )
    assert isinstance(one, ByRule)
    return _rule_meaning(one, words)


def _rule_meaning(one: ByRule, words: Terms) -> str:
    rule = one.rule
    if rule.name == "product":
        return (
            "Olympiad Sonneborn-Berger without the lowest result: every opponent's match points "
            "times the game points scored against it."
        )
    if rule.constants:
        kind = "game points above those expected from match points"
        if words is not TEAMS:
            kind = "points above those expected from the points of both players"
    elif rule.in_passes:
        kind = "hundredths of a match point above an average team on the same match points"
    elif rule.has_tables:
        kind = "points for the difficulty of every result"
    else:
        return f"{rule.name}."
    note = f" Note: {rule.note}." if rule.note else ""
    return f"{rule.name}: {kind}. {words.comparable}{note}"
