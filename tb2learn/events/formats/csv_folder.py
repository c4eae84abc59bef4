"""Read an event from a folder of CSV tables.

`matches.csv` has one row per match; in an event recorded without rounds (a cross-table) `round` is
empty in every row. Optional tables are `teams.csv` (the teams in start order, with ratings),
`players.csv`, `boards.csv` (one row per game), `event.csv` (other facts, one key and value per row)
and `penalties.csv` (points below 0 by team and round, which change the standings and no tie-break).
If the rows of `matches.csv` are games of players it is an individual event, see `csv_matches`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

from tb2learn.events.formats.csv_matches import UNSURE, holds_games, read_games, read_matches
from tb2learn.events.formats.csv_tables import ABOUT, Tables
from tb2learn.events.formats.csv_words import FILES
from tb2learn.events.formats.fields import Aside, Entrants
from tb2learn.events.formats.options import STRICT, Reading, reading
from tb2learn.events.formats.source import Held, read_bytes
from tb2learn.events.model import TeamEvent, unfinished_note
from tb2learn.events.parts import Match, Penalty, team_ratings, with_scoring
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

_MOST_PENALTY = 99


def read_csv(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event in a folder, or in a file, which is taken for the only one of its folder.

    **Arguments, raises:** as `read_folder`.
    """
    if source.is_dir():
        return read_folder(source, name, options)
    table = FILES[0]
    try:
        return read_folder(Held(name, {table: read_bytes(source)}), name, options)
    except InputError as error:
        file = shown(source.name)
        raise InputError(re.sub(f"^{table}", lambda _: file, str(error))) from error


def read_folder(folder: Traversable, name: str, options: Reading = STRICT) -> TeamEvent:
    """Read an event from a folder.

    **Arguments:**

    - `folder`: must hold at least `matches.csv`.
    - `name`: of the event, if `event.csv` does not give one.
    - `options`: how strict to be, and what the user knows about the event.

    **Raises:** `InputError`, one line, for files that do not make a valid event.
    """
    tables = Tables(folder, options)
    notes, about = tables.notes, _about(tables)
    individual = holds_games(tables)
    if options.individual and not individual:
        raise InputError(
            "--individual is for TRF and PGN files, whose games are by players: matches.csv has "
            "matches of teams"
        )
    found = (read_games if individual else read_matches)(tables, about)
    matches, players, games = found.matches, found.players, found.games
    names = tuple(found.entrants.numbers)
    rounds = max(match.round for match in matches) or _most_matches(matches)
    if rounds > MAX_ROUNDS:
        raise InputError(
            f"matches.csv: a team must have at most {MAX_ROUNDS} matches, got {rounds}"
        )
    penalties = _penalties(tables, found.entrants, rounds)
    if found.unfinished:
        notes.say(unfinished_note(found.unfinished))
    ratings = tuple(found.ratings) if any(found.ratings) else None
    listed = tables.has("players.csv" if individual else "teams.csv")
    return TeamEvent(
        name=about.get("name", name),
        teams=names,
        rounds=rounds,
        boards=found.boards,
        matches=with_scoring(sorted(matches, key=lambda m: (m.round, m.number)), found.scoring),
        ratings=ratings or team_ratings(len(names), players, games),
        players=tuple(players),
        games=tuple(games),
        planned=max(rounds, int(about.get("rounds", 0))),
        about={key: about[key] for key in ABOUT if key in about},
        notes=(*notes.lines, *_unsure_note(found.unsure)),
        scoring=found.scoring,
        penalties=tuple(penalties),
        individual=individual,
        drawn=found.drawn,
        starts=tuple(range(1, 1 + len(names))) if listed else (),
    )


def _about(tables: Tables) -> dict[str, str]:
    """Keys and values of `event.csv`; unknown keys are ignored."""
    about: dict[str, str] = {}
    for row in tables.rows("event.csv"):
        key = row.text("key")
        if key in about:
            raise row.error("key", "each key once")
        if key in ("match_points", "bye_points"):
            points: Mapping[str, Any] = {key: row.text("value")}
            try:
                reading(**points)
            except InputError as error:
                raise row.error("value", f"points: {error}") from error
        if key in ("rounds", "boards"):
            most = MAX_ROUNDS if key == "rounds" else MAX_BOARDS
            about[key] = str(row.integer("value", 1, most))
        elif key not in ABOUT or row.text("value") or tables.notes.strict:
            about[key] = row.name("value")
    return about


def _most_matches(matches: Sequence[Match]) -> int:
    """The most matches of one team."""
    return max(Counter(team for match in matches for team in match.teams).values())


def _penalties(tables: Tables, entrants: Entrants, rounds: int) -> list[Penalty]:
    """Points taken from teams; those of later rounds than the event has are left out."""
    found: list[Penalty] = []
    for row in tables.rows("penalties.csv"):
        team = row.known(entrants)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        points, half = (
            row.points(field, -_MOST_PENALTY, _MOST_PENALTY) if row.text(field) else 0
            for field in ("match_points", "game_points")
        )
        if points % 2:
            raise row.error("match_points", "a whole number")
        for field, value in (("match_points", points), ("game_points", half)):
            if value > 0 and not row.text(field).startswith("+"):
                raise row.error(field, "below 0, or with a plus sign")
        if round_number <= rounds:
            found.append(Penalty(team, round_number, points // 2, half))
    return found


def _unsure_note(unsure: int) -> tuple[str, ...]:
    """The note of an event with team names that may be wrong."""
    named = "the name of 1 team" if unsure == 1 else f"the names of {unsure} teams"
    return (Aside(f"{named} may be wrong (name_by {UNSURE!r} in teams.csv)"),) if unsure else ()
