"""Further sheets of an event: crosstable by rounds, rounds, line-ups, board prizes.

Each is one `Table`, which is written as text, CSV and JSON, and of which the page, the PDF and the
workbook are made: their content is defined once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from tb2learn.events import TeamEvent
from tb2learn.events.explain import team_number
from tb2learn.events.parts import Game, Match, sum_points
from tb2learn.events.terms import terms
from tb2learn.export.document import Document, Grid, Sentences
from tb2learn.export.result import Table
from tb2learn.export.wall import Standings
from tb2learn.export.words import words
from tb2learn.text import plain_number, written_halves
from tb2learn.tiebreaks.rated import performance
from tb2learn.types import InputError

_PRIZE_GAMES = 8 / 11
"""Share of the rounds in which a player must have played for a board prize, as at Olympiads."""


@dataclass(frozen=True)
class EventSheet:
    """A sheet of an event.

    **Fields:** `title`; `table`: all of it; `lines`: sentences below it; `by`: how a table of its
    own is headed on paper for every value of the first column, None for one table.
    """

    title: str
    table: Table
    lines: tuple[str, ...] = ()
    by: Callable[[Any], str] | None = None

    @property
    def parts(self) -> list[Table]:
        """The tables of which it consists in print."""
        if self.by is None:
            return [self.table]
        table, own = self.table, self.table.columns[1:]
        return [
            replace(table, columns=own, rows=[row[1:] for row in rows], title=self.by(value))
            for value, rows in groupby(table.rows, key=lambda row: row[0])
        ]

    def text(self, width: int | None = None) -> str:
        """Its title, its tables, and the sentences below."""
        tables = "\n".join(part.text(width) for part in self.parts)
        return "\n".join([self.title, "", tables, *self.lines]) + "\n" * bool(self.lines)

    def document(self, event: str, language: str) -> Document:
        """The sheet to print."""
        grids: tuple[Grid | Sentences, ...] = tuple(part.grid() for part in self.parts)
        below = (Sentences("", self.lines),) if self.lines else ()
        return Document(f"{event}: {self.title}", (), (*grids, *below), language, name="sheet")


def event_sheet(standings: Standings, name: str, team: str | None = None) -> EventSheet:
    """A sheet by its name.

    **Arguments:**

    - `standings`: of the event, which say the language, too.
    - `name`: one of `forms.SHEETS`.
    - `team`: of line-ups, the only team; all of them if None.

    **Raises:** `InputError` where the record does not have what the sheet shows.
    """
    event = standings.event
    if team is not None and name != "line-ups":
        raise InputError(f"a single team is for the sheet line-ups, not for {name}")
    if not (event.known_rounds or event.drawn):
        raise InputError(f"{event.name} is recorded without rounds, which the sheet {name} shows")
    made = {
        "crosstable": _crosstable,
        "pairings": _pairings,
        "results": _results,
        "line-ups": lambda s: _line_ups(s, team),
        "board-prizes": _board_prizes,
    }[name](standings)
    about = {"event": event.name, "after": event.rounds, "sheet": name}
    return replace(made, table=replace(made.table, about=about))


def _score(half_points: int, played: bool = True) -> str:
    """Points as a sheet has them: `2½`; `+` and `-` where nobody played."""
    if not played:
        return "+" if half_points else "-"
    return written_halves(half_points)


# ------------------------------------------------------------------------ crosstable by rounds


def _crosstable(standings: Standings) -> EventSheet:
    """A row an entrant by place: `12w3` is a match with the twelfth, White on board 1, 3 points.

    Nothing of the points is lost: a reader of crosstables gives every entrant the same ones.
    """
    event, text, heads = standings.event, standings.text, standings.heads
    order = standings.ranking.order
    line = {team: number for number, team in enumerate(order, start=1)}
    cells = _crosstable_cells(event, line)
    rounds = range(1, event.rounds + 1)
    names = list(standings.ranking.rows[0].scores)
    penalties = _penalty_columns(event)
    rows = [
        [
            line[team],
            row.team,
            *(cells.get((team, r), "") for r in rounds),
            *map(plain_number, row.scores.values()),
            *(points[team] for points in penalties.values()),
        ]
        for row, team in zip(standings.ranking.rows, order, strict=True)
    ]
    headings = {"place": text["list.number"], _one(standings): text["doc.team"]}
    headings |= {name: heads.get(name, text["html.play_off"]) for name in names}
    headings |= {name: name.replace("_", " ") for name in penalties}
    columns = ("place", _one(standings), *(f"R{r}" for r in rounds), *names, *penalties)
    table = Table(columns, rows, headings=headings, keys=2)
    return EventSheet(text["list.crosstable"], table, (text["list.cells"],))


def _crosstable_cells(event: TeamEvent, line: Mapping[int, int]) -> dict[tuple[int, int], str]:
    """The cells of all rounds by entrant and round; `line`: the numbers of the entrants."""
    white = {(g.round, g.match): g.white_team for g in event.games if g.board == 1}
    met = [match for match in event.matches if match.team_b is not None]
    # What a draw scores on the boards, which a bye pays unless it says otherwise.
    drawn = max((m.half_points_a + m.half_points_b for m in met), default=2) // 2
    # Of several byes of an entrant each says what it pays, as nobody is given two.
    paid = (m.team_a for m in event.matches if m.team_b is None and any(m.points_of(m.team_a)))
    byes = Counter(paid)
    cells: dict[tuple[int, int], str] = {}
    for match in event.matches:
        for side, team in enumerate(match.teams):
            opponent, (points, half) = match.opponent_of(team), match.points_of(team)
            if opponent is None:
                pays = 2 if event.individual else drawn
                is_usual = byes[team] < 2 and (points, half) == (
                    pays if event.individual else 1,
                    pays,
                )
                cells[team, match.round] = _bye_cell(match, event.individual, is_usual)
                continue
            first = white.get((match.round, match.number))
            colour = "" if first is None else "w" if first == team else "b"
            # Without a letter the two numbers would run into one.
            joint = colour if colour or match.by_default else ":"
            score = _score(half, match.played)
            # By default a match of teams gives the points of its boards.
            score += _score(half) if match.by_default and not event.individual else ""
            usual = match.given().match_points[side]
            is_said = points != usual or (not event.individual and not any(_halves(match)))
            said = _said(points, event.individual) if is_said else ""
            cells[team, match.round] = f"{line[opponent]}{joint}{score}{said}"
    for pending in event.open:
        for team, other in ((pending.team_a, pending.team_b), (pending.team_b, pending.team_a)):
            cells[team, pending.round] = f"{line[other]}*"
    return cells


def _halves(match: Match) -> tuple[int, int]:
    return match.half_points_a, match.half_points_b


def _said(points: int, individual: bool) -> str:
    """In brackets: the match points of teams, the points of players."""
    return f"({_score(points) if individual else points})"


def _bye_cell(match: Match, individual: bool, is_usual: bool) -> str:
    """`bye` for the usual pairing-allocated one, else with what it pays: `-1`, `bye 2(2)`."""
    points, half = match.points_of(match.team_a)
    if match.bye == "pairing" and is_usual:
        return "bye"
    if not (points or half):
        return ""
    word = "bye " if match.bye == "pairing" else "-"
    said = "" if individual and points == half else _said(points, individual)
    return f"{word}{_score(half)}{said}"


def _penalty_columns(event: TeamEvent) -> dict[str, list[str]]:
    """The points that were taken from every entrant outside of its matches; no column for none."""
    columns = {"penalty_mp": [0.0] * len(event.teams), "penalty_gp": [0.0] * len(event.teams)}
    for penalty in event.penalties:
        columns["penalty_mp"][penalty.team] += penalty.match_points
        columns["penalty_gp"][penalty.team] += penalty.half_points / 2
    return {
        name: [f"{points:+g}" if points else "" for points in of_teams]
        for name, of_teams in columns.items()
        if any(of_teams)
    }


def _one(standings: Standings) -> str:
    return terms(standings.event.individual).one


# ------------------------------------------------------------------------ a round


def _pairings(standings: Standings) -> EventSheet:
    """The pairs of the next round.

    **Raises:** `InputError` if the record does not have them.
    """
    event = standings.event
    if not event.drawn:
        raise InputError(
            f"{event.name} has no pairings of round {event.rounds + 1}: the sheet results has "
            f"those of round {event.rounds}"
        )
    pairs = [(a, b, "") for a, b in event.drawn]
    return _round(standings, event.rounds + 1, pairs)


def _results(standings: Standings) -> EventSheet:
    """Pairings and results of the last round."""
    event = standings.event
    this = [match for match in event.matches if match.round == event.rounds]
    pairs = [(m.team_a, m.team_b, _result(m)) for m in sorted(this, key=lambda m: m.number)]
    pairs += [(m.team_a, m.team_b, "") for m in event.open if m.round == event.rounds]
    return _round(standings, event.rounds, pairs)


def _round(
    standings: Standings, this: int, pairs: Sequence[tuple[int, int | None, str]]
) -> EventSheet:
    """A round, the pair with the most points first, byes last."""
    event, text = standings.event, standings.text
    before = _points_before(event, this)

    def table_order(pair: tuple[int, int | None, str]) -> tuple[Any, ...]:
        points = [before[team] for team in pair[:2] if team is not None]
        return pair[1] is None, -max(points), -sum(points)

    ordered = sorted(pairs, key=table_order)
    rows = [_pair_row(event, table, pair, before, text) for table, pair in enumerate(ordered, 1)]
    sides = ("white", "black") if event.individual else ("team_a", "team_b")
    heads = ("list.white", "list.black") if event.individual else ("doc.team", "doc.team")
    points = text["doc.mp"]
    headings = dict(zip(sides, (text[key] for key in heads), strict=True))
    headings |= {"table": text["list.table"], "points_a": points, "points_b": points}
    headings |= {"result": text["html.result"]}
    columns = ("table", sides[0], "points_a", "result", "points_b", sides[1])
    title = text["list.round"].format(round=this)
    return EventSheet(title, Table(columns, rows, headings=headings, keys=2))


def _pair_row(
    event: TeamEvent,
    table: int,
    pair: tuple[int, int | None, str],
    before: Sequence[float],
    text: Mapping[str, str],
) -> list[Any]:
    a, b, result = pair
    if b is None:
        return [table, event.teams[a], plain_number(before[a]), result, None, text["doc.bye"]]
    points = plain_number(before[a]), plain_number(before[b])
    return [table, event.teams[a], points[0], result, points[1], event.teams[b]]


def _result(match: Match) -> str:
    """Such as `2½ : 1½`; of a bye what it pays."""
    if match.team_b is None:
        return _score(match.half_points_a)
    halves = match.half_points_a, match.half_points_b
    return " : ".join(_score(half, match.played) for half in halves)


def _points_before(event: TeamEvent, this: int) -> list[float]:
    """The points of every entrant before a round, with penalties."""
    matches = (match for match in event.matches if match.round < this)
    penalties = (penalty for penalty in event.penalties if penalty.round < this)
    unit = terms(event.individual).unit
    return [unit * points for points, _ in sum_points(len(event.teams), matches, penalties)]


# ------------------------------------------------------------------------ players of teams


@dataclass
class _Played:
    """What a player of a team did: by round the cell, and of games over the board all numbers."""

    boards: Counter[int] = field(default_factory=Counter)
    cells: dict[int, str] = field(default_factory=dict)
    half_points: int = 0
    games: int = 0
    # of games against opponents with a rating: half points, and the ratings
    rated_half_points: int = 0
    ratings: list[int] = field(default_factory=list)

    def add(self, game: Game, side: int, rating: int) -> None:
        """Add a game of a side, 0 for White, against an opponent with a rating, 0 for none."""
        half = game.sides[side].half_points
        self.boards[game.board] += 1
        self.cells[game.round] = f"{game.board}{'wb'[side]}{_score(half, game.played)}"
        # What was won by default says nothing of the play.
        if not game.played:
            return
        self.half_points += half
        self.games += 1
        if rating:
            self.rated_half_points += half
            self.ratings.append(rating)

    @property
    def board(self) -> int:
        """The board on which the player played most."""
        return min(self.boards, key=lambda board: (-self.boards[board], board))

    @cached_property
    def performance(self) -> int | None:
        """The performance rating (FIDE's C.07, 10.2); None without rated opponents."""
        if not self.ratings:
            return None
        sums = sum(self.ratings), self.rated_half_points, len(self.ratings)
        return int(performance(*map(np.asarray, sums), boards=1))

    @property
    def percent(self) -> float:
        """Points in per cent of the games."""
        return round(50 * self.half_points / self.games, 1) if self.games else 0.0


def _played(event: TeamEvent, what: str) -> dict[int, _Played]:
    """What every player did, by number.

    **Raises:** `InputError` for an event of players, or a record without players on boards.
    """
    if event.individual:
        raise InputError(f"{event.name} is an event of players: the sheet {what} is for teams")
    players: dict[int, _Played] = defaultdict(_Played)
    for game in event.games:
        white, black = game.sides
        for side, (own, other) in enumerate(((white, black), (black, white))):
            if own.player is not None:
                known = event.players[other.player].rating if other.player is not None else 0
                players[own.player].add(game, side, other.rating or known)
    if not players:
        raise InputError(f"{event.name} has no players on boards, whom the sheet {what} shows")
    return players


def _line_ups(standings: Standings, team: str | None) -> EventSheet:
    """A row a player: board, colour and result of every round (`1w½`), points, performance."""
    event, text = standings.event, standings.text
    played = _played(event, "line-ups")
    order = standings.ranking.order
    chosen = order if team is None else [team_number(event, team)]
    rounds = range(1, event.rounds + 1)
    rows = []
    for own in chosen:
        members = [k for k, player in enumerate(event.players) if player.team == own]
        for at, k in enumerate(members, start=1):
            player, did = event.players[k], played.get(k, _Played())
            rows.append(
                [
                    event.teams[own],
                    at,
                    player.name,
                    player.rating or None,
                    *(did.cells.get(r, "") for r in rounds),
                    plain_number(did.half_points / 2),
                    did.games,
                    did.performance,
                ]
            )
    numbers = _heads_of_players(text, standings.language)
    headings = numbers | {f"R{r}": str(r) for r in rounds} | {"number": text["list.number"]}
    columns = ("team", "number", "player", "rating", *(f"R{r}" for r in rounds))
    table = Table((*columns, "points", "games", "performance"), rows, headings=headings, keys=3)
    return EventSheet(text["list.line_ups"], table, (text["list.line_up_cells"],), str)


def _board_prizes(standings: Standings) -> EventSheet:
    """By board the players with enough games, the best performance first."""
    event, text = standings.event, standings.text
    least = int(np.ceil(_PRIZE_GAMES * event.rounds))
    by_board: dict[int, list[tuple[_Played, int]]] = defaultdict(list)
    for k, did in _played(event, "board-prizes").items():
        if did.games >= least:
            by_board[did.board].append((did, k))

    def rank_key(did: _Played) -> tuple[float, ...]:
        return -(did.performance or 0), -did.percent, -did.half_points

    rows = []
    for board in sorted(by_board):
        ordered = sorted(by_board[board], key=lambda entry: (rank_key(entry[0]), entry[1]))
        for at, (did, k) in enumerate(ordered, start=1):
            player = event.players[k]
            # Equal players share a place.
            shares = at > 1 and rank_key(did) == rank_key(ordered[at - 2][0])
            place = rows[-1][1] if shares else at
            facts = [player.name, event.teams[player.team], player.rating or None]
            numbers = [plain_number(did.half_points / 2), did.games, plain_number(did.percent)]
            rows.append([board, place, *facts, *numbers, did.performance])
    headings = _heads_of_players(text, standings.language)
    headings |= {"place": text["doc.place"], "team": text["doc.team"], "percent": "%"}
    columns = ("board", "place", "player", "team", "rating", "points", "games", "percent")
    table = Table((*columns, "performance"), rows, headings=headings, keys=3)
    line = text["list.prize_rule"].format(games=least, rounds=event.rounds)

    def heading(board: int) -> str:
        return text["list.board"].format(board=board)

    return EventSheet(text["list.board_prizes"], table, (line,), heading)


def _heads_of_players(text: Mapping[str, str], language: str) -> dict[str, str]:
    of_players = words(language, players=True)
    return {
        "player": of_players["doc.team"],
        "rating": text["wall.rating"],
        "points": of_players["doc.mp"],
        "games": text["list.games"],
        "performance": text["list.performance"],
    }
