"""Write events as a folder of CSV tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from tb2learn.data import UNRATED
from tb2learn.events.formats.csv_rows import PLAYER_TEXTS, RESULTS
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import STANDARD_SCORING, Game, Match
from tb2learn.types import MAX_BOARDS


def folder_files(event: TeamEvent) -> dict[str, str]:
    """An event as the files of a folder: content by name. `read_folder` reads the same event back.

    Cells are exact copies of the record. They are not guarded against formulas of spreadsheets.
    """
    files = {
        "event.csv": _table(
            ("key", "value"),
            [
                ("name", event.name),
                ("rounds", event.planned),
                ("boards", event.boards),
                *_scoring(event),
                *event.about.items(),
            ],
        ),
        "matches.csv": _matches_table(event),
    }
    if not event.individual:
        files["teams.csv"] = _teams_table(event)
    if event.players:
        files["players.csv"] = _table(
            ("team", "fide_id", "name", "rating", *PLAYER_TEXTS),
            (
                (event.teams[p.team], p.fide_id or "", p.name, p.rating or "",
                 *(getattr(p, field) for field in PLAYER_TEXTS))
                for p in event.players
            ),
        )  # fmt: skip
    if event.games and not event.individual:
        files["boards.csv"] = _table(
            ("round", "match", "board", "white_team", "black_team", "white_rating", "black_rating",
             "result", "status", "white_fide_id", "black_fide_id", "white_player", "black_player"),
            (_game_row(event, game) for game in event.games),
        )  # fmt: skip
    if event.penalties:
        files["penalties.csv"] = _table(
            ("team", "round", "match_points", "game_points"),
            (
                (
                    event.teams[p.team],
                    p.round or "",
                    f"{p.match_points:+d}",
                    f"{p.half_points / 2:+g}",
                )
                for p in event.penalties
            ),
        )
    return files


def _scoring(event: TeamEvent) -> list[tuple[str, str]]:
    """Match points of a match won, drawn and lost, if they are not 2, 1, 0."""
    if event.scoring == STANDARD_SCORING:
        return []
    unit = 2 if event.individual else 1  # points of a player are half his match points
    return [("match_points", ",".join(f"{points / unit:g}" for points in event.scoring))]


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def _matches_table(event: TeamEvent) -> str:
    """One row a match; of an individual event one row a game or bye."""
    if event.individual:
        header = ("round", "match", "white_player", "black_player", "result", "status", "bye",
                  "white_points", "black_points", "white_rating", "black_rating")  # fmt: skip
        played = {(game.round, game.match): game for game in event.games}
        rows = (_player_row(event, m, played.get((m.round, m.number))) for m in event.matches)
        return _table(header, rows)
    return _table(
        ("round", "match", "team_a", "team_b", "game_points_a", "game_points_b",
         "boards_decided", "boards_forfeited", "bye", "match_points_a", "match_points_b"),
        (_match_row(event, match) for match in event.matches),
    )  # fmt: skip


def _player_row(event: TeamEvent, match: Match, game: Game | None) -> tuple[object, ...]:
    points = {match.team_a: match.match_points_a, match.team_b: match.match_points_b}
    if match.team_b is None or game is None:
        sides: tuple[int | None, int | None] = match.team_a, None
        middle: tuple[str, ...] = ("", "", match.bye)
        ratings: tuple[object, ...] = ("", "")
    else:
        sides = game.white_team, game.black_team
        result = {points: text for text, points in RESULTS.items()}
        status = "played" if game.played else "forfeit"
        middle = (result[game.white_half_points, game.black_half_points], status, "")
        ratings = (game.white_rating or "", game.black_rating or "")
    names = ("" if side is None else event.teams[side] for side in sides)
    told = ("" if points.get(side) is None else f"{points[side] / 2:g}" for side in sides)
    return (match.round, match.number, *names, *middle, *told, *ratings)


def _match_row(event: TeamEvent, match: Match) -> tuple[object, ...]:
    points = ("" if p is None else p for p in (match.match_points_a, match.match_points_b))
    if match.team_b is None:
        played: tuple[object, ...] = ("", f"{match.half_points_a / 2:g}", "", "", "", match.bye)
    else:
        played = (
            event.teams[match.team_b],
            f"{match.half_points_a / 2:g}",
            f"{match.half_points_b / 2:g}",
            match.boards_decided,
            match.boards_forfeited,
            "",
        )
    return (match.round or "", match.number, event.teams[match.team_a], *played, *points)


def _teams_table(event: TeamEvent) -> str:
    most = max((len(ratings[:MAX_BOARDS]) for ratings in event.ratings), default=0)
    rows = []
    for team, ratings in zip(event.teams, (r[:most] for r in event.ratings), strict=True):
        best = (*ratings, *[UNRATED] * 4)[:4]
        mean = f"{sum(best) / 4:.2f}" if ratings else ""
        rows.append((team, mean, *ratings, *[""] * (most - len(ratings))))
    return _table(("team", "mean_rating_top4", *(f"rating_{i}" for i in range(1, most + 1))), rows)


def _game_row(event: TeamEvent, game: Game) -> tuple[object, ...]:
    result = {points: text for text, points in RESULTS.items()}
    named = [None if p is None else event.players[p] for p in (game.white, game.black)]
    return (
        game.round or "",
        game.match,
        game.board,
        event.teams[game.white_team],
        event.teams[game.black_team],
        game.white_rating or "",
        game.black_rating or "",
        result[game.white_half_points, game.black_half_points],
        "played" if game.played else "forfeit",
        *("" if p is None else p.fide_id or "" for p in named),
        *("" if p is None or p.fide_id else p.name for p in named),
    )
