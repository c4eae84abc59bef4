"""Read an event from a folder of CSV tables.

`matches.csv` has one row per match; in an event recorded without rounds (a cross-table) `round` is
empty in every row. Optional tables are `teams.csv` (the teams in start order, with ratings),
`players.csv`, `boards.csv` (one row per game), `event.csv` (other facts, one key and value per row)
and `penalties.csv` (points below 0 by team and round, which change the standings and no tie-break).
If the rows of `matches.csv` are games of players it is an individual event, see `csv_players`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable

from tb2learn.events.formats.csv_penalties import read_penalties
from tb2learn.events.formats.csv_players import holds_games, read_players_folder
from tb2learn.events.formats.csv_rows import ABOUT, PLAYER_TEXTS, RESULTS, Row, rows_of
from tb2learn.events.formats.csv_words import MATCH_COLUMNS, NO_OPPONENT, folded
from tb2learn.events.formats.oddities import STRICT, Notes, Reading, reading
from tb2learn.events.formats.source import MAX_FIDE_ID, MAX_RATING
from tb2learn.events.model import TeamEvent, unfinished_note
from tb2learn.events.parts import (
    BYES,
    STANDARD_SCORING,
    Bye,
    Game,
    Match,
    Penalty,
    Player,
    bye_half_points,
    team_ratings,
    with_scoring,
)
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

UNSURE = "unsure"
"""In the column `name_by` of `teams.csv`, which says what a name rests on: it may be wrong."""


def read_folder(folder: Traversable, name: str, options: Reading = STRICT) -> TeamEvent:
    """Read an event from a folder.

    **Arguments:**

    - `folder`: must hold at least `matches.csv`.
    - `name`: of the event, if `event.csv` does not give one.
    - `options`: how strict to be, and what the user knows about the event.

    **Raises:** `InputError`, one line, for files that do not make a valid event.
    """
    notes = Notes(options.strict)
    about = _about(folder / "event.csv", notes) if (folder / "event.csv").is_file() else {}
    if holds_games(folder / "matches.csv", notes):
        return read_players_folder(folder, name, about, options, notes)
    if options.individual:
        raise InputError(
            "--individual is for TRF and PGN files, whose games are by players: matches.csv has "
            "matches of teams"
        )
    points = _Points.of(about, options, notes)
    listed = (folder / "teams.csv").is_file()
    teams, ratings, unsure = _teams(folder / "teams.csv", notes) if listed else ({}, [], 0)
    boards = int(about.get("boards", 0))
    matches, unfinished = _matches(folder / "matches.csv", teams, listed, boards, points, notes)
    boards = boards or max(m.boards_decided for m in matches)
    ratings += [()] * (len(teams) - len(ratings))
    players: list[Player] = []
    if (folder / "players.csv").is_file():
        players = _players(folder / "players.csv", teams, notes)
    games: tuple[Game, ...] = ()
    if (folder / "boards.csv").is_file():
        games = _games(folder / "boards.csv", teams, matches, players, unfinished, notes)
    if not any(ratings):
        ratings = list(team_ratings(len(teams), players, games))
    rounds = max(m.round for m in matches) or _most_matches(matches)
    if rounds > MAX_ROUNDS:
        raise InputError(
            f"matches.csv: a team must have at most {MAX_ROUNDS} matches, got {rounds}"
        )
    penalties: list[Penalty] = []
    if (folder / "penalties.csv").is_file():
        penalties = read_penalties(folder / "penalties.csv", teams, rounds, notes)
    notes.say(*(unfinished_note(unfinished) if unfinished else ()))
    return TeamEvent(
        name=about.get("name", name),
        teams=tuple(teams),
        rounds=rounds,
        boards=boards,
        matches=with_scoring(sorted(matches, key=lambda m: (m.round, m.number)), points.scoring),
        ratings=tuple(ratings),
        players=tuple(players),
        games=games,
        planned=max(rounds, int(about.get("rounds", 0))),
        about={key: about[key] for key in ABOUT if key in about},
        notes=(*notes.lines, *_unsure_note(unsure)),
        scoring=points.scoring,
        penalties=tuple(penalties),
    )


def _unsure_note(unsure: int) -> tuple[str, ...]:
    """The note of an event with team names that may be wrong."""
    named = "the name of 1 team" if unsure == 1 else f"the names of {unsure} teams"
    return (f"{named} may be wrong (name_by {UNSURE!r} in teams.csv)",) if unsure else ()


@dataclass(frozen=True)
class _Points:
    """What matches and byes score; `bye` is None for the points of a drawn match."""

    scoring: tuple[int, int, int]
    bye: tuple[int, int] | None

    @classmethod
    def of(cls, about: Mapping[str, str], options: Reading, notes: Notes) -> _Points:
        """The user's points, else those of `event.csv`, else 2, 1, 0."""
        said = reading(match_points=about.get("match_points"), bye_points=about.get("bye_points"))
        for mine, theirs, what in (
            (options.match_points, said.match_points, "match points"),
            (options.bye_points, said.bye_points, "points of a bye"),
        ):
            if mine and theirs and mine != theirs:
                notes.say(f"{what} are those that were asked for, not those of event.csv")
        scoring = options.match_points or said.match_points or STANDARD_SCORING
        return cls(scoring, options.bye_points or said.bye_points)


def _about(path: Traversable, notes: Notes) -> dict[str, str]:
    """Keys and values of `event.csv`; unknown keys are ignored."""
    about: dict[str, str] = {}
    for row in rows_of(path, ("key", "value"), notes):
        key = row.text("key")
        if key in about:
            raise row.error("key", "each key once", key)
        if key in ("rounds", "boards"):
            row.integer("value", 1, MAX_ROUNDS if key == "rounds" else MAX_BOARDS)
        try:
            _Points.of({key: row.text("value")}, STRICT, notes)
        except InputError as error:
            raise row.error("value", f"points: {error}", row.text("value")) from error
        if key not in ABOUT or row.text("value") or notes.strict:
            about[key] = row.name("value")
    return about


def _teams(path: Traversable, notes: Notes) -> tuple[dict[str, int], list[tuple[int, ...]], int]:
    """The teams in start order, the ratings of each, best first, and how many names are unsure."""
    teams: dict[str, int] = {}
    ratings: list[tuple[int, ...]] = []
    unsure = 0
    for row in rows_of(path, ("team",), notes):
        team = row.name("team")
        if team in teams:
            raise row.error("team", "each team once", team)
        if len(teams) == MAX_TEAMS:
            raise row.error("team", f"at most {MAX_TEAMS} teams", team)
        teams[team] = len(teams)
        row.rating("mean_rating_top4")
        columns = (f"rating_{i}" for i in range(1, MAX_BOARDS + 1))
        assumed = "a rating that is none is left out"
        found = [row.needless(assumed, c, MAX_RATING) for c in columns if row.text(c)]
        ratings.append(tuple(sorted(filter(None, found) if any(found) else found, reverse=True)))
        unsure += row.text("name_by") == UNSURE
    return teams, ratings, unsure


def _matches(
    path: Traversable,
    teams: dict[str, int],
    listed: bool,
    boards: int,
    points: _Points,
    notes: Notes,
) -> tuple[list[Match], int]:
    """Parse the matches; teams that are not listed are added to `teams` as they appear.

    A match without game points is not finished.

    **Returns:** the matches of finished rounds; and the first unfinished round, 0 if there is none.
    """
    parsed: list[tuple[Row, Match]] = []
    busy: set[tuple[int, int]] = set()
    numbers: set[tuple[int, int]] = set()
    in_rounds = True
    unfinished = MAX_ROUNDS + 1
    for index, row in enumerate(rows_of(path, MATCH_COLUMNS, notes), start=1):
        number = row.integer("match", 0, 10**6, default=index)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        in_rounds = round_number > 0 if index == 1 else in_rounds
        if in_rounds != (round_number > 0):
            raise row.error("round", "in all rows or in none", row.text("round"))
        if (round_number, number) in numbers:
            raise row.error("match", f"used once in round {round_number}", str(number))
        numbers.add((round_number, number))
        sides = _sides(row, teams, listed, notes)
        if in_rounds:
            _check_free(row, round_number, sides, busy)
        result = _result(row, sides[1], in_rounds, points.scoring)
        if result is None:
            unfinished = min(unfinished, round_number)
        else:
            parsed.append((row, Match(round_number, number, *sides, *result)))
    finished = [(row, match) for row, match in parsed if match.round < unfinished]
    most = max((match.boards_decided for _, match in finished), default=0)
    if not most:
        raise InputError(f"{path.name}: must have at least one finished match")
    boards = boards or most
    for row, match in finished:
        if match.boards_decided > boards:
            raise row.error("boards_decided", f"at most {boards}", str(match.boards_decided))
    return [
        match if match.team_b is not None else _bye(row, match, boards, points)
        for row, match in finished
    ], unfinished if unfinished <= MAX_ROUNDS else 0


def _sides(row: Row, teams: dict[str, int], listed: bool, notes: Notes) -> tuple[int, int | None]:
    """The two teams of a match; the second is None for a bye."""
    without = not row.text("team_b")
    if not without and not notes.strict and row.text("team_b") not in teams:
        without = folded(row.text("team_b")) in NO_OPPONENT
        if without:
            row.odd("a word such as 'bye' in place of team_b means a bye", "team_b", "a team")

    def team(field: str) -> int:
        name = row.name(field)
        if name not in teams:
            if listed:
                raise row.error(field, "a team of teams.csv", name)
            if len(teams) == MAX_TEAMS:
                raise row.error(field, f"one of at most {MAX_TEAMS} teams", name)
            teams[name] = len(teams)
        return teams[name]

    a, b = team("team_a"), None if without else team("team_b")
    if a == b:
        raise row.error("team_b", "another team than team_a", row.text("team_b"))
    return a, b


def _check_free(
    row: Row, round_number: int, sides: tuple[int, int | None], busy: set[tuple[int, int]]
) -> None:
    """Refuse a second match of a team in a round; `busy` records the first."""
    for field, team in zip(("team_a", "team_b"), sides, strict=True):
        if team is None:
            continue
        if (round_number, team) in busy:
            raise row.error(field, f"in one match of round {round_number}", row.text(field))
        busy.add((round_number, team))


def _result(
    row: Row, team_b: int | None, in_rounds: bool, scoring: tuple[int, int, int]
) -> tuple[int, int, int, int, Bye, int | None, int | None] | None:
    """The result columns of a row, in the order of the fields of `Match`.

    **Returns:** half points of both, boards decided and forfeited, the kind of bye, match points of
    both if given; None for an unfinished match. The points of a bye are read by `_bye`.
    """
    half_a = half_b = decided = forfeited = 0
    bye: Bye = ""
    finished = True
    if team_b is None:
        bye = row.choice("bye", BYES[1:], "pairing")
    elif row.text("bye"):
        raise row.error("bye", "empty where there is a team_b", row.text("bye"))
    elif not any(map(row.text, ("game_points_a", "game_points_b", "boards_decided"))):
        if not in_rounds:
            raise row.error("game_points_a", "given in an event without rounds", "")
        finished = False
    else:
        half_a, half_b = row.half_points("game_points_a"), row.half_points("game_points_b")
        decided = _decided(row, half_a, half_b)
        forfeited = row.integer("boards_forfeited", 0, decided, default=0)
    match_points = (
        row.integer(field, 0, max(2, scoring[0])) if row.text(field) else None
        for field in ("match_points_a", "match_points_b")
    )
    everything = (half_a, half_b, decided, forfeited, bye, *match_points)
    return everything if finished else None


def _bye(row: Row, match: Match, boards: int, points: _Points) -> Match:
    """A bye with its points: those of the row, else those of its kind."""
    half_points = bye_half_points(match.bye, boards)
    told = row.text("game_points_a") or match.match_points_a is not None
    if match.bye == "pairing" and points.bye and not told:
        half_points = min(points.bye[1], 2 * boards)
        return replace(match, half_points_a=half_points, match_points_a=points.bye[0])
    if row.text("game_points_a") and row.half_points("game_points_a") != half_points:
        if match.match_points_a is None:  # other points need match points too
            allowed = f"{half_points / 2:g} or empty for a bye without match_points_a"
            raise row.error("game_points_a", allowed, row.text("game_points_a"))
        half_points = row.half_points("game_points_a")
        if half_points > 2 * boards:
            raise row.error("game_points_a", f"0..{boards}", row.text("game_points_a"))
    if row.text("game_points_b") and row.half_points("game_points_b"):
        raise row.error("game_points_b", "0 or empty for a bye", row.text("game_points_b"))
    for field in ("boards_decided", "boards_forfeited", "match_points_b"):
        if row.text(field):
            row.integer(field, 0, 0)
    return replace(match, half_points_a=half_points, match_points_b=None)


def _decided(row: Row, half_a: int, half_b: int) -> int:
    """Boards decided: those of the row, else the sum of the game points."""
    if not row.text("boards_decided"):
        if (half_a + half_b) % 2:
            raise row.error(
                "game_points_b",
                "such that the game points of the match add up to a whole number",
                row.text("game_points_b"),
            )
        if half_a + half_b > 2 * MAX_BOARDS:
            raise row.error(
                "game_points_b",
                f"such that both game points add up to at most {MAX_BOARDS}",
                f"{row.text('game_points_a')} + {row.text('game_points_b')}",
            )
        return (half_a + half_b) // 2
    decided = row.integer("boards_decided", 0, MAX_BOARDS)
    if half_a + half_b > 2 * decided:
        raise row.error(
            "game_points_b",
            f"such that both game points add up to at most boards_decided = {decided}",
            f"{row.text('game_points_a')} + {row.text('game_points_b')}",
        )
    return decided


def _players(path: Traversable, teams: Mapping[str, int], notes: Notes) -> list[Player]:
    """Parse the players, team by team in line-up order."""
    found: list[Player] = []
    known: set[int] = set()
    for row in rows_of(path, ("team", "name"), notes):
        team = teams.get(row.name("team"))
        if team is None:
            raise row.error("team", "a team of the event", row.text("team"))
        fide_id = row.needless("a FIDE number that is none is left out", "fide_id", MAX_FIDE_ID)
        if fide_id in known:
            row.odd(
                "a FIDE number of several players is kept for the first alone",
                "fide_id",
                "each player once",
            )
            fide_id = 0
        if fide_id:
            known.add(fide_id)
        rating = row.needless("a rating that is none is left out", "rating", MAX_RATING)
        texts = (row.name(field) if row.text(field) else "" for field in PLAYER_TEXTS)
        found.append(Player(team, row.name("name"), fide_id, rating, *texts))
    return sorted(found, key=lambda player: player.team)


_STATUS = ("played", "forfeit")
_BOARD_COLUMNS = ("round", "match", "white_team", "black_team", "result")


def _games(
    path: Traversable,
    teams: Mapping[str, int],
    matches: Sequence[Match],
    players: Sequence[Player],
    unfinished: int,
    notes: Notes,
) -> tuple[Game, ...]:
    """Parse the games; they must add up to the matches."""
    known = _Known(players)
    by_number = {(m.round, m.number): m for m in matches if m.team_b is not None}
    sums = {key: [0, 0] for key in by_number}
    boards = dict.fromkeys(by_number, 0)
    used: set[tuple[int, int, int]] = set()
    last: dict[tuple[int, int], Row] = {}
    games: list[Game] = []
    for row in rows_of(path, _BOARD_COLUMNS, notes):
        key = (row.integer("round", 1, MAX_ROUNDS, default=0), row.integer("match", 0, 10**6))
        if 0 < unfinished <= key[0]:
            continue
        if key not in by_number:
            raise row.error("match", f"a match of round {key[0]} in matches.csv", row.text("match"))
        boards[key] += 1
        board = row.integer("board", 1, MAX_BOARDS, default=boards[key])
        if (*key, board) in used:
            raise row.error("board", "used once in the match", str(board))
        used.add((*key, board))
        match = by_number[key]
        game = _game(row, match, board, teams, known)
        games.append(game)
        last[key] = row
        points = (game.white_half_points, game.black_half_points)
        for side, won in enumerate(points if game.white_team == match.team_a else points[::-1]):
            sums[key][side] += won
    for key, row in last.items():
        _check_sum(row, by_number[key], sums[key])
    return tuple(games)


class _Known:
    """Finds a listed player by FIDE number, else by team and name."""

    def __init__(self, players: Sequence[Player]) -> None:
        self._players = players
        self._by_id = {p.fide_id: number for number, p in enumerate(players) if p.fide_id}
        self._by_name = {(p.team, p.name): number for number, p in enumerate(players)}

    def player(self, row: Row, side: str, team: int) -> int | None:
        """The number of the player of one side; None if the row names no listed player."""
        found = None
        if row.text(f"{side}_fide_id"):
            found = self._by_id.get(row.integer(f"{side}_fide_id", 0, MAX_FIDE_ID))
        elif name := row.text(f"{side}_player"):
            found = self._by_name.get((team, name))
            if found is None:
                raise row.error(f"{side}_player", "a player of the team", name)
        if found is not None and self._players[found].team != team:
            raise row.error(f"{side}_fide_id", "a player of the team", row.text(f"{side}_fide_id"))
        return found


def _game(row: Row, match: Match, board: int, teams: Mapping[str, int], known: _Known) -> Game:
    """One board of a match."""
    white, black = (teams.get(row.name(field)) for field in ("white_team", "black_team"))
    if white is None or black is None or {white, black} != {match.team_a, match.team_b}:
        raise row.error("white_team", "of the match in matches.csv", row.text("white_team"))
    points = RESULTS[row.choice("result", tuple(RESULTS), "")]
    default = "forfeit" if points == (0, 0) else "played"
    return Game(
        match.round,
        match.number,
        board,
        white,
        black,
        known.player(row, "white", white),
        known.player(row, "black", black),
        *points,
        row.choice("status", _STATUS, default) == "played",
        row.needless("a rating that is none is left out", "white_rating", MAX_RATING),
        row.needless("a rating that is none is left out", "black_rating", MAX_RATING),
    )


def _check_sum(row: Row, match: Match, half_points: list[int]) -> None:
    """Refuse games that do not add up to their match, unless its match points are given."""
    if match.match_points_a is not None or match.match_points_b is not None:
        return
    if half_points != [match.half_points_a, match.half_points_b]:
        a, b = half_points
        raise row.error(
            "result",
            f"such that the games add up to matches.csv "
            f"({match.half_points_a / 2:g}-{match.half_points_b / 2:g})",
            f"{a / 2:g}-{b / 2:g}",
        )


def _most_matches(matches: Sequence[Match]) -> int:
    """The most matches of one team."""
    sides = [team for m in matches for team in (m.team_a, m.team_b) if team is not None]
    return max(Counter(sides).values())
