"""Write the games of an event as PGN."""

from __future__ import annotations

import io
import unicodedata

from tb2learn.events.formats.losses import differences
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.pgn import RESULTS, read_pgn, whole_date
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Game, Side
from tb2learn.text import shown
from tb2learn.types import InputError


def write_pgn(event: TeamEvent) -> tuple[str, tuple[str, ...]]:
    """The games of an event as PGN, without moves. `read_pgn` reads the same games back.

    **Returns:** the text; and what it could not store, one line per kind of loss.

    **Raises:** `InputError` if the event has no games, or games that do not make a valid PGN event.
    """
    name = shown(event.name)
    if not event.games:
        raise InputError(f"{name}: a PGN needs games: boards.csv of a folder, or a TRF")
    games = sorted(event.games, key=lambda g: (g.round, g.match, g.board))
    content = "".join(_text(event, game) for game in games)
    try:
        told = Reading(individual=event.individual)
        back = read_pgn(io.BytesIO(content.encode()), "PGN", event.name, told)
    except InputError as error:
        raise InputError(f"{name}: cannot be written as PGN: {error}") from error
    names = {name: number for number, name in enumerate(back.teams)}
    players: list[int | None] = [None] * len(event.players)
    if len(back.games) < len(games):
        raise InputError(f"{name}: cannot be written as PGN: a player of a game has no name")
    for game, read in zip(games, back.games, strict=True):  # same order in both
        for old, new in zip(game.sides, read.sides, strict=True):
            if old.player is not None:
                players[old.player] = new.player
    teams = players if event.individual else [names.get(_clean(t)) for t in event.teams]
    return content, differences(event, back, teams, players)


def _clean(text: str) -> str:
    """Text with a blank for every control character."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text).strip()


def _name(event: TeamEvent, side: Side) -> str:
    """The name of the player of a side, `?` if it is unknown.

    Without FIDE number, a player of an individual event has the name in the standings, which nobody
    else has: of several without a name, `? (7)` is the seventh.
    """
    if side.player is None:
        return "?"
    player = event.players[side.player]
    alone = event.individual and not player.fide_id
    return event.teams[side.team] if alone else player.name or "?"


def _text(event: TeamEvent, game: Game) -> str:
    """One game: the seven tags that every PGN has, then the others."""
    written = {points: text for text, points in reversed(RESULTS.items())}
    result = written[game.white_half_points, game.black_half_points]
    sides = list(zip(("White", "Black"), game.sides, strict=True))
    named = {
        colour: None if side.player is None else event.players[side.player]
        for colour, side in sides
    }
    tags = {
        "Event": event.name,
        "Site": event.about.get("city", "?"),
        "Date": "????.??.??",
        "Round": f"{game.round}.{game.match}",
        **{colour: _name(event, side) for colour, side in sides},
        "Result": result,
        "Board": str(game.match if event.individual else game.board),
        "EventDate": whole_date(event.about.get("start", "")).replace("/", "."),
    }
    for colour, side in sides:
        player = named[colour]
        if not event.individual:
            tags[f"{colour}Team"] = event.teams[side.team]
        tags[f"{colour}Elo"] = str(side.rating or "")
        if player is not None:
            tags[f"{colour}Title"] = player.title
            tags[f"{colour}FideId"] = str(player.fide_id or "")
    # Without moves this alone tells a game that was played.
    tags["Termination"] = "normal" if game.played else "forfeit"
    lines = [
        '[{} "{}"]\n'.format(tag, _clean(value).replace("\\", "\\\\").replace('"', '\\"'))
        for tag, value in tags.items()
        if value
    ]
    # Readers would take 0-0 after the moves for castling.
    return "".join(lines) + f"\n{'*' if result == '0-0' else result}\n\n"
