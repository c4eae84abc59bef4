"""Write events as a folder of CSV tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tb2learn.data import UNRATED
from tb2learn.events.files.draft import event_of
from tb2learn.events.files.event_tables import read_tables
from tb2learn.events.files.options import STRICT
from tb2learn.events.files.registry import Written
from tb2learn.events.files.rows import sheets_of
from tb2learn.events.files.table_rows import PLAYER_TEXTS, RESULTS, STATUS
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import STANDARD_SCORING, Bye, Game, bye_half_points
from tb2learn.text import guarded, printable
from tb2learn.types import MAX_BOARDS, InputError

_MATCHES = (
    "round", "match", "team_a", "team_b", "game_points_a", "game_points_b", "boards_decided",
    "boards_forfeited", "bye", "match_points_a", "match_points_b",
)  # fmt: skip
_GAMES = (
    "round", "match", "white_player", "black_player", "result", "status", "bye", "white_points",
    "black_points", "white_rating", "black_rating",
)  # fmt: skip
_BOARDS = (
    "round", "match", "board", "white_team", "black_team", "white_rating", "black_rating", "result",
    "status", "white_fide_id", "black_fide_id", "white_player", "black_player",
)  # fmt: skip
_RESULT = {points: text for text, points in RESULTS.items()}
_Row = Mapping[str, object]
"""Cells by column; one that is missing, or None, is empty."""


def write_csv(event: TeamEvent) -> Written:
    """An event as the files of a folder.

    **Raises:** `InputError` for an event that does not make a valid folder.
    """
    files = folder_files(event)
    try:
        sheets = {name: sheets_of(text.encode(), name, True)[0] for name, text in files.items()}
        # What looks like a slip in the event is kept as it is.
        event_of(read_tables(sheets, event.name, replace(STRICT, slips=False)))
    except InputError as error:
        raise InputError(f"{printable(event.name)}: cannot be written as CSV: {error}") from error
    return files


def folder_files(event: TeamEvent) -> dict[str, str]:
    """An event as the files of a folder: content by name. `read_event` reads the same event back.

    Texts that a spreadsheet takes for formulas have an apostrophe before them, which a reader takes
    off.
    """
    files = {"event.csv": _table(("key", "value"), _facts(event))}
    if event.individual:
        files["matches.csv"] = _table(_GAMES, _games(event))
    else:
        files["matches.csv"] = _table(_MATCHES, _matches(event))
        files["teams.csv"] = _teams_table(event)
    if event.players:
        columns = ("team", "fide_id", "name", "rating", *PLAYER_TEXTS)
        files["players.csv"] = _table(columns, _players(event))
    if event.games and not event.individual:
        files["boards.csv"] = _table(_BOARDS, (_board(event, game) for game in event.games))
    if event.penalties:
        columns = ("team", "round", "match_points", "game_points")
        files["penalties.csv"] = _table(columns, _penalties(event))
    return files


def _table(columns: Sequence[str], rows: Iterable[_Row]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: guarded(v) if isinstance(v, str) else v for k, v in row.items()})
    return buffer.getvalue()


def _points(half_points: int | None) -> str:
    return "" if half_points is None else f"{half_points / 2:g}"


def _facts(event: TeamEvent) -> Iterator[_Row]:
    facts = {"name": event.name, "rounds": event.planned, "boards": event.boards}
    if event.scoring != STANDARD_SCORING:
        # The reader doubles them again.
        unit = 2 if event.individual else 1  # points of a player are half his match points
        facts["match_points"] = ",".join(f"{points / unit:g}" for points in event.scoring)
    for key, value in (*facts.items(), *event.about.items()):
        yield {"key": key, "value": value}


def _games(event: TeamEvent) -> Iterator[_Row]:
    """One row a game or bye of an individual event."""
    played = {(game.round, game.match): game for game in event.games}
    for match in event.matches:
        match_points = dict(
            zip(match.teams, (match.match_points_a, match.match_points_b), strict=False)
        )
        row: dict[str, object] = {"match": match.number, "bye": match.bye}
        # Empty in all rows where rounds are not known.
        row["round"] = match.round or None  # a square has no rounds
        game = played.get((match.round, match.number))
        # Points are written where the reader would assume others.
        if match.bye == "pairing":  # which is a win, if nothing is said, or a free day
            points, _ = match.points_of(match.team_a)
            is_usual = points == event.scoring[0] and not event.system.is_round_robin
            match_points[match.team_a] = None if is_usual else points
        elif match.bye and match.points_of(match.team_a) == _usual_bye(match.bye, event.scoring):
            match_points[match.team_a] = None
        teams = [seat.team for seat in game.sides] if game else [match.team_a]
        for seat in game.sides if game else ():
            points, scored = match.points_of(seat.team)
            # What the scoring of the event gives anyway is read so.
            if points == event.scoring[2 - seat.half_points]:
                match_points[seat.team] = None
            if scored != seat.half_points:  # those of both may be usual, as of a double loss
                match_points[seat.team] = points
        for colour, team in zip(("white", "black"), teams, strict=False):
            row[f"{colour}_player"] = event.teams[team]
            row[f"{colour}_points"] = _points(match_points[team])
        yield {**row, **(_result(game) if game else {})}
    yield from _to_come(event, "white_player", "black_player")


def _usual_bye(bye: Bye, scoring: tuple[int, int, int]) -> tuple[int, int]:
    """Match points and half points of a bye of a player that somebody asked for."""
    won, drawn, _ = scoring
    return {"half": drawn, "zero": 0}.get(bye, won), bye_half_points(bye, 1)


def _to_come(event: TeamEvent, first: str, second: str) -> Iterator[_Row]:
    """Open matches, and the pairs of the next round."""
    # Pairs without a result are read back as the round that nobody has played.
    drawn = [(event.rounds + 1, number, *pair) for number, pair in enumerate(event.drawn, start=1)]
    for round_number, number, a, b in (*event.open, *drawn):
        row: dict[str, object] = {"round": round_number or None, "match": number}
        row[first] = event.teams[a]
        yield {**row, **({"bye": "pairing"} if b is None else {second: event.teams[b]})}


def _result(game: Game) -> _Row:
    """The result of a game, and the ratings of its players in it."""
    white, black = game.sides
    return {
        "result": _RESULT[white.half_points, black.half_points],
        "status": STATUS[not game.played],
        "white_rating": white.rating or None,
        "black_rating": black.rating or None,
    }


def _matches(event: TeamEvent) -> Iterator[_Row]:
    """One row a match or bye."""
    for match in event.matches:
        row = {
            "round": match.round or None,
            "match": match.number,
            "team_a": event.teams[match.team_a],
            "game_points_a": _points(match.half_points_a),
            "bye": match.bye,
            "match_points_a": match.match_points_a,
            "match_points_b": match.match_points_b,
        }
        if match.team_b is not None:
            row["team_b"] = event.teams[match.team_b]
            row["game_points_b"] = _points(match.half_points_b)
            row["boards_decided"] = match.boards_decided
            row["boards_forfeited"] = match.boards_forfeited
        yield row
    yield from _to_come(event, "team_a", "team_b")


def _teams_table(event: TeamEvent) -> str:
    width = max((len(ratings[:MAX_BOARDS]) for ratings in event.ratings), default=0)
    columns = [f"rating_{i}" for i in range(1, width + 1)]
    rows = []
    for team, ratings in zip(event.teams, (r[:width] for r in event.ratings), strict=True):
        # Packaged tables have the mean of the best four; who lacks one counts as unrated.
        best = (*ratings, *[UNRATED] * 4)[:4]
        mean = f"{sum(best) / 4:.2f}" if ratings else ""
        filled = dict(zip(columns, ratings, strict=False))
        rows.append({"team": team, "mean_rating_top4": mean, **filled})
    return _table(("team", "mean_rating_top4", *columns), rows)


def _players(event: TeamEvent) -> Iterator[_Row]:
    for player in event.players:
        texts = {field: getattr(player, field) for field in PLAYER_TEXTS}
        numbers = {"fide_id": player.fide_id or None, "rating": player.rating or None}
        yield {"team": event.teams[player.team], "name": player.name, **numbers, **texts}


def _board(event: TeamEvent, game: Game) -> _Row:
    row = {"round": game.round or None, "match": game.match, "board": game.board, **_result(game)}
    for colour, seat in zip(("white", "black"), game.sides, strict=True):
        row[f"{colour}_team"] = event.teams[seat.team]
        if seat.player is not None:
            player = event.players[seat.player]
            # A number tells two players of the same name apart.
            which = "fide_id" if player.fide_id else "player"
            row[f"{colour}_{which}"] = player.fide_id or player.name
    return row


def _penalties(event: TeamEvent) -> Iterator[_Row]:
    for penalty in event.penalties:
        points = {"match_points": f"{penalty.match_points:+d}"}
        points["game_points"] = f"{penalty.half_points / 2:+g}"
        yield {"team": event.teams[penalty.team], "round": penalty.round or None, **points}
