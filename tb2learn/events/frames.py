"""Recorded events as pandas DataFrames, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tb2learn.events.terms import TEAMS, Terms
from tb2learn.text import number
from tb2learn.types import InputError

if TYPE_CHECKING:
    import pandas

    from tb2learn.events.explain import Working
    from tb2learn.events.model import TeamEvent
    from tb2learn.events.rank import Ranked

# The type of every column. Whole numbers and texts that may be unknown have nullable types.
_TEXT, _NUMBER, _POINTS, _FLAG = "string", "Int64", "float64", "bool"
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "teams": {
        "start": _NUMBER, "team": _TEXT, "rating": _POINTS, "matches": _NUMBER,
        "match_points": _NUMBER, "game_points": _POINTS,
    },
    "players": {
        "team": _TEXT, "player": _TEXT, "fide_id": _NUMBER, "rating": _NUMBER, "title": _TEXT,
        "sex": _TEXT, "federation": _TEXT, "birth": _TEXT, "games": _NUMBER, "points": _POINTS,
    },
    "games": {
        "round": _NUMBER, "match": _NUMBER, "board": _NUMBER, "white_team": _TEXT,
        "black_team": _TEXT, "white": _TEXT, "black": _TEXT, "white_rating": _NUMBER,
        "black_rating": _NUMBER, "white_points": _POINTS, "black_points": _POINTS, "played": _FLAG,
    },
    "matches": {
        "round": _NUMBER, "match": _NUMBER, "team": _TEXT, "opponent": _TEXT, "bye": _TEXT,
        "match_points": _NUMBER, "game_points": _POINTS, "opponent_game_points": _POINTS,
        "boards_decided": _NUMBER, "boards_forfeited": _NUMBER,
    },
}  # fmt: skip
KINDS = tuple(_COLUMNS)


def event_frame(event: TeamEvent, kind: str) -> pandas.DataFrame:
    """The rows of `TeamEvent.frame`, which documents the columns.

    **Raises:** `InputError` if `kind` is none of `KINDS`.
    """
    import pandas  # imported here because it takes half a second and only notebooks need it

    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    rows = {"teams": _teams, "players": _players, "games": _games, "matches": _matches}[kind](event)
    columns = _COLUMNS[kind]
    return pandas.DataFrame(rows, columns=list(columns), dtype=object).astype(columns)


def standings_frame(rows: Sequence[Ranked], words: Terms = TEAMS) -> pandas.DataFrame:
    """Standings: `place`, `team` or `player`, a column a criterion; `confidence` if it is known."""
    import pandas

    known = any(row.confidence is not None for row in rows)
    return pandas.DataFrame(
        {"place": row.place, words.one: row.team, **{n: number(x) for n, x in row.scores.items()}}
        | ({"confidence": row.confidence} if known else {})
        for row in rows
    )


def working_frame(workings: Sequence[Working]) -> pandas.DataFrame:
    """The working of teams' tie-breaks: a row a team, rule, pass and round; see `api.explain`."""
    import pandas

    return pandas.DataFrame(
        {
            working.terms.one: working.team,
            "rule": working.rule_names[k],
            "pass": working.passes[k],
            "round": item.round,
            "opponent": item.opponent,
            "kind": item.kind,
            working.terms.opponent_key: item.opponent_mp,
            "counts_as": item.opponent_mp if item.counts_as[k] is None else item.counts_as[k],
            working.terms.result_key: item.gp,
            "value": item.values[k],
            "left_out": item.dropped[k],
        }
        for working in workings
        for k in range(len(working.rules))
        for item in working.items
    )


def _teams(event: TeamEvent) -> list[tuple[Any, ...]]:
    matches = [0] * len(event.teams)
    match_points = [0] * len(event.teams)
    half_points = [0] * len(event.teams)
    for match in event.matches:
        for team in _sides(match.team_a, match.team_b):
            points = match.points_of(team)
            matches[team] += match.team_b is not None
            match_points[team] += points[0]
            half_points[team] += points[1]
    best = (ratings[: event.boards] for ratings in event.ratings)
    means = (sum(ratings) / len(ratings) if ratings else None for ratings in best)
    game_points = (points / 2 for points in half_points)
    starts = range(1, len(event.teams) + 1)
    return list(zip(starts, event.teams, means, matches, match_points, game_points, strict=True))


def _sides(team_a: int, team_b: int | None) -> tuple[int, ...]:
    return (team_a,) if team_b is None else (team_a, team_b)


def _players(event: TeamEvent) -> list[tuple[Any, ...]]:
    games = [0] * len(event.players)
    half_points = [0] * len(event.players)
    for game in event.games:
        for player, points in (
            (game.white, game.white_half_points),
            (game.black, game.black_half_points),
        ):
            if player is not None:
                games[player] += game.played
                half_points[player] += points
    return [
        (
            event.teams[player.team], player.name, player.fide_id or None, player.rating or None,
            player.title or None, player.sex or None, player.federation or None,
            player.birth or None, games[number], half_points[number] / 2,
        )
        for number, player in enumerate(event.players)
    ]  # fmt: skip


def _games(event: TeamEvent) -> list[tuple[Any, ...]]:
    names = {None: None} | {number: p.name for number, p in enumerate(event.players)}
    return [
        (
            game.round or None, game.match, game.board, event.teams[game.white_team],
            event.teams[game.black_team], names[game.white], names[game.black],
            game.white_rating or None, game.black_rating or None, game.white_half_points / 2,
            game.black_half_points / 2, game.played,
        )
        for game in event.games
    ]  # fmt: skip


def _matches(event: TeamEvent) -> list[tuple[Any, ...]]:
    """One row for each side of every match."""
    rows = []
    for match in event.matches:
        for team in _sides(match.team_a, match.team_b):
            other = match.team_b if team == match.team_a else match.team_a
            match_points, half_points = match.points_of(team)
            rows.append(
                (
                    match.round or None, match.number, event.teams[team],
                    None if other is None else event.teams[other], match.bye or None, match_points,
                    half_points / 2, None if other is None else match.points_of(other)[1] / 2,
                    match.boards_decided, match.boards_forfeited,
                )
            )  # fmt: skip
    return rows
