"""Read the matches of an event from CSV tables, with its teams, players and games.

In an individual event `matches.csv` has one row per game, with the columns `round`, `white_player`,
`black_player` and `result`. A row without `black_player` is a bye of White: `bye` says which (see
`parts.BYES`), by default the pairing-allocated one, which pays as much as a win. Optional columns:
`match` (the number of the game in its round), `status` (`forfeit` for a game that was not played),
`white_points` and `black_points` (where a game or bye scored otherwise), ratings and FIDE numbers.
`players.csv` may list the players in start order. Players are told apart by name, or by the column
`team` of `players.csv` where two have the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tb2learn.events.formats.csv_tables import RESULTS, Recorded, Row, Tables
from tb2learn.events.formats.csv_words import FILES, GAME_COLUMNS
from tb2learn.events.formats.fields import Entrants
from tb2learn.events.formats.options import player_points, reading
from tb2learn.events.formats.source import MAX_FIDE_ID
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    BYES,
    STANDARD_SCORING,
    Game,
    Match,
    Pair,
    Player,
    bye_half_points,
    matches_of,
    one_round,
)
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

UNSURE = "unsure"
"""In the column `name_by` of `teams.csv`, which says what a name rests on: it may be wrong."""
NOTHING = (
    "a match 0-0 without boards is a draw of nothing: is it not played yet (then leave its points "
    "empty), or lost by both sides (then set match_points_a and match_points_b)?"
)
"""The note on a match in which nobody scored."""
_Points = tuple[int, int, int]


def read_matches(tables: Tables, about: Mapping[str, str]) -> Recorded:
    """What the tables say of the matches of teams.

    **Arguments:** `about`: keys and values of `event.csv`.

    **Raises:** `InputError`, one line, for tables that do not make a valid event.
    """
    scoring, bye = _points(tables, about)
    listed = "teams.csv" if tables.has("teams.csv") else ""
    teams = Entrants("team", listed)
    ratings, unsure = _teams(tables, teams)
    boards = int(about.get("boards", 0))
    parsed, unfinished, drawn = _finished(tables, teams, scoring)
    most = max((match.boards_decided for _, match in parsed), default=0)
    if not most:
        raise InputError(f"{FILES[0]}: must have at least one finished match")
    boards = boards or most
    if tables.has("boards.csv"):  # one that both sides lost is not decided
        rows = tables.quiet("boards.csv")
        boards = max(boards, *(row.integer("board", 1, MAX_BOARDS, default=1) for row in rows))
    for row, match in parsed:
        if match.boards_decided > boards:
            raise row.error("boards_decided", f"at most {boards}", str(match.boards_decided))
    matches = [m if m.team_b is not None else _bye(row, m, boards, bye) for row, m in parsed]
    ratings += [()] * (len(teams.numbers) - len(ratings))
    players = _players(tables, teams)
    games = _games(tables, teams, matches, players, unfinished)
    made = (matches, players, games, unfinished, ratings, unsure, drawn)
    return Recorded(teams, boards, scoring, *made)


def _points(tables: Tables, about: Mapping[str, str]) -> tuple[_Points, tuple[int, int] | None]:
    """What matches and byes score: as the user says, else `event.csv`, else 2, 1, 0 and a draw."""
    options = tables.options
    said = reading(match_points=about.get("match_points"), bye_points=about.get("bye_points"))
    for mine, theirs, what in (
        (options.match_points, said.match_points, "match points"),
        (options.bye_points, said.bye_points, "points of a bye"),
    ):
        if mine and theirs and mine != theirs:
            tables.notes.say(f"{what} are those that were asked for, not those of event.csv")
    scoring = options.match_points or said.match_points or STANDARD_SCORING
    return scoring, options.bye_points or said.bye_points


def _teams(tables: Tables, teams: Entrants) -> tuple[list[tuple[int, ...]], int]:
    """The ratings of the teams that are listed, best first, and how many names are unsure."""
    ratings: list[tuple[int, ...]] = []
    unsure = 0
    for row in tables.rows("teams.csv"):
        teams.enter(row, "team", row.name("team"))
        mean = row.mean_rating("mean_rating_top4")
        columns = (f"rating_{i}" for i in range(1, MAX_BOARDS + 1))
        found = [row.rating(column) for column in columns if row.text(column)]
        found = found or [mean] * (mean > 0)
        ratings.append(tuple(sorted(filter(None, found) if any(found) else found, reverse=True)))
        unsure += row.text("name_by") == UNSURE
    return ratings, unsure


def _finished(
    tables: Tables, teams: Entrants, scoring: _Points
) -> tuple[list[tuple[Row, Match]], int, tuple[Pair, ...]]:
    """The matches of finished rounds with rows; the first unfinished round, else 0; its pairs.

    A match without game points is not finished.
    """
    parsed: list[tuple[Row, Match]] = []
    drawn: dict[int, list[Pair]] = {}
    numbers: set[tuple[int, int]] = set()
    busy: set[tuple[int, int]] = set()
    in_rounds = True
    unfinished = MAX_ROUNDS + 1
    for index, row in enumerate(tables.rows(FILES[0]), start=1):
        number = row.integer("match", 0, 10**6, default=index)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        in_rounds = round_number > 0 if index == 1 else in_rounds
        if in_rounds != (round_number > 0):
            raise row.error("round", "in all rows or in none")
        key = round_number, number
        row.once(numbers, key, "match", f"used once in round {round_number}", str(number))
        sides = _sides(row, teams)
        for field, team in zip(("team_a", "team_b"), sides, strict=True):
            if in_rounds and team is not None:
                row.once(busy, (round_number, team), field, f"in one match of round {round_number}")
        match = _match(row, Match(*key, *sides, 0, 0, 0, 0), in_rounds, scoring)
        if match is None or match.bye in ("", "pairing"):
            drawn.setdefault(round_number, []).append(sides)
        if match is None:
            unfinished = min(unfinished, round_number)
            continue
        told = any(map(row.text, ("boards_decided", "match_points_a", "match_points_b")))
        nothing = not (match.half_points_a or match.half_points_b or told)
        if match.team_b is not None and nothing and not tables.has("boards.csv"):
            row.odd(NOTHING, "game_points_a", "above 0 for a side, or with boards_decided")
            match = match.given(scoring[1], scoring[1])
        parsed.append((row, match))
    finished = [(row, match) for row, match in parsed if match.round < unfinished]
    pairs = one_round(drawn.get(unfinished, ()))
    return finished, unfinished if unfinished <= MAX_ROUNDS else 0, pairs


def _sides(row: Row, teams: Entrants) -> tuple[int, int | None]:
    """The two teams of a match; the second is None for a bye."""
    bye = row.names_nobody("team_b", teams)
    a, b = row.entrant(teams, "team_a"), None if bye else row.entrant(teams, "team_b")
    if a == b:
        raise row.error("team_b", "another team than team_a")
    return a, b


def _match(row: Row, match: Match, in_rounds: bool, scoring: _Points) -> Match | None:
    """The match of a row whose teams are known; None for an unfinished one.

    The points of a bye are read by `_bye`.
    """
    finished = True
    if match.team_b is None:
        match = replace(match, bye=row.choice("bye", BYES[1:], "pairing"))
    elif row.text("bye"):
        raise row.error("bye", "empty where there is a team_b")
    elif not any(map(row.text, ("game_points_a", "game_points_b", "boards_decided"))):
        if not in_rounds:
            raise row.error("game_points_a", "given in an event without rounds", "")
        finished = False
    else:
        a, b = row.game_points("game_points_a"), row.game_points("game_points_b")
        decided = _decided(row, a, b)
        forfeited = row.integer("boards_forfeited", 0, decided, default=0)
        match = replace(match, half_points_a=a, half_points_b=b)
        match = replace(match, boards_decided=decided, boards_forfeited=forfeited)
    points = (
        row.integer(field, 0, max(2, scoring[0])) if row.text(field) else None
        for field in ("match_points_a", "match_points_b")
    )
    return match.given(*points) if finished else None


def _bye(row: Row, match: Match, boards: int, points: tuple[int, int] | None) -> Match:
    """A bye with its points: those of the row, else those of its kind."""
    half_points = bye_half_points(match.bye, boards)
    told = row.text("game_points_a") or match.match_points_a is not None
    if match.bye == "pairing" and points and not told:
        half_points = min(points[1], 2 * boards)
        return replace(match, half_points_a=half_points, match_points_a=points[0])
    if row.text("game_points_a") and row.game_points("game_points_a") != half_points:
        if match.match_points_a is None:  # other points need match points too
            allowed = f"{half_points / 2:g} or empty for a bye without match_points_a"
            raise row.error("game_points_a", allowed)
        half_points = row.game_points("game_points_a")
        if half_points > 2 * boards:
            raise row.error("game_points_a", f"0..{boards}")
    if row.text("game_points_b") and row.game_points("game_points_b"):
        raise row.error("game_points_b", "0 or empty for a bye")
    for field in ("boards_decided", "boards_forfeited", "match_points_b"):
        if row.text(field):
            row.integer(field, 0, 0)
    return replace(match, half_points_a=half_points, match_points_b=None)


def _decided(row: Row, half_a: int, half_b: int) -> int:
    """Boards decided: those of the row, else the sum of the game points."""
    both = f"{row.text('game_points_a')} + {row.text('game_points_b')}"
    if row.text("boards_decided"):
        decided = row.integer("boards_decided", 0, MAX_BOARDS)
        most = f"boards_decided = {decided}"
    elif (half_a + half_b) % 2:
        allowed = "such that the game points of the match add up to a whole number"
        raise row.error("game_points_b", allowed)
    else:
        decided = (half_a + half_b) // 2
        most = str(MAX_BOARDS)
    if half_a + half_b > 2 * min(decided, MAX_BOARDS):
        allowed = f"such that both game points add up to at most {most}"
        raise row.error("game_points_b", allowed, both)
    return decided


def _players(tables: Tables, teams: Entrants) -> list[Player]:
    """The players, team by team in line-up order."""
    known: set[int] = set()
    rows = tables.rows("players.csv")
    found = [row.player(row.known(teams), known) for row in rows]
    return sorted(found, key=lambda player: player.team)


def _games(
    tables: Tables,
    teams: Entrants,
    matches: Sequence[Match],
    players: Sequence[Player],
    unfinished: int,
) -> list[Game]:
    """The games; they must add up to the matches."""
    known = _Known(players)
    by_number = {(m.round, m.number): m for m in matches if m.team_b is not None}
    sums = {key: [0, 0] for key in by_number}
    boards = dict.fromkeys(by_number, 0)
    used: set[tuple[int, int, int]] = set()
    last: dict[tuple[int, int], Row] = {}
    games: list[Game] = []
    for row in tables.rows("boards.csv"):
        key = (row.integer("round", 1, MAX_ROUNDS, default=0), row.integer("match", 0, 10**6))
        if 0 < unfinished <= key[0]:
            continue
        if key not in by_number:
            raise row.error("match", f"a match of round {key[0]} in matches.csv")
        boards[key] += 1
        board = row.integer("board", 1, MAX_BOARDS, default=boards[key])
        row.once(used, (*key, board), "board", "used once in the match", str(board))
        match = by_number[key]
        game = _game(row, match, board, teams, known)
        games.append(game)
        last[key] = row
        for side in game.sides:
            sums[key][side.team != match.team_a] += side.half_points
    for key, row in last.items():
        _check_sum(row, by_number[key], sums[key])
    return games


class _Known:
    """Finds a listed player by FIDE number, else by team and name."""

    def __init__(self, players: Sequence[Player]) -> None:
        self._players = players
        self._by_id = {p.fide_id: number for number, p in enumerate(players) if p.fide_id}
        # Of two of the same name, the one without FIDE number.
        order = sorted(range(len(players)), key=lambda number: not players[number].fide_id)
        self._by_name = {(players[n].team, players[n].name): n for n in order}

    def player(self, row: Row, side: str, team: int) -> int | None:
        """The number of the player of one side; None if the row names no listed player."""
        found = None
        if row.text(f"{side}_fide_id"):
            found = self._by_id.get(row.integer(f"{side}_fide_id", 0, MAX_FIDE_ID))
        elif name := row.text(f"{side}_player"):
            found = self._by_name.get((team, name))
            if found is None:
                raise row.error(f"{side}_player", "a player of the team")
        if found is not None and self._players[found].team != team:
            raise row.error(f"{side}_fide_id", "a player of the team")
        return found


def _game(row: Row, match: Match, board: int, teams: Entrants, known: _Known) -> Game:
    """One board of a match."""
    white, black = (teams.numbers.get(row.name(f"{side}_team")) for side in ("white", "black"))
    if white is None or black is None or {white, black} != {match.team_a, match.team_b}:
        raise row.error("white_team", "of the match in matches.csv")
    points = RESULTS[row.choice("result", tuple(RESULTS), "")]
    players = known.player(row, "white", white), known.player(row, "black", black)
    return row.game((match.round, match.number, board), (white, black), players, points)


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


FORFEITS = {"+--": "1-0", "--+": "0-1", "---": "0-0"}
"""What stands for the `result` of a game that was not played."""


def holds_games(tables: Tables) -> bool:
    """Whether the rows of `matches.csv` are games of players, not matches of teams."""
    first = next(tables.quiet(FILES[0]), None)
    return first is not None and first.has("white_player") and not first.has("team_a")


def read_games(tables: Tables, about: Mapping[str, str]) -> Recorded:
    """What the tables say of the games of players.

    **Arguments:** `about`: keys and values of `event.csv`.

    **Raises:** `InputError`, one line, for tables that do not make a valid event.
    """
    said = reading(match_points=about.get("match_points"))
    scoring = tables.options.game_scoring or said.game_scoring or STANDARD_SCORING
    listed = "players.csv" if tables.has("players.csv") else ""
    reader = _Reader(tables, scoring, Entrants("player", listed))
    for row in tables.rows("players.csv", "name"):
        reader.enter(row)
    unfinished = MAX_ROUNDS + 1
    numbers: set[tuple[int, int]] = set()
    for index, row in enumerate(tables.rows(FILES[0], *GAME_COLUMNS), start=1):
        key = row.integer("round", 1, MAX_ROUNDS), row.integer("match", 0, 10**6, default=index)
        row.once(numbers, key, "match", f"used once in round {key[0]}", str(key[1]))
        if not reader.add(row, *key):
            unfinished = min(unfinished, key[0])
    games = [game for game in reader.games if game.round < unfinished]
    matches = [match for match in reader.matches if match.round < unfinished]
    drawn = one_round(reader.drawn.get(unfinished, ()))
    unfinished = 0 if unfinished > MAX_ROUNDS else unfinished
    if not games:
        raise InputError("matches.csv: must have at least one finished game")
    made = (matches, reader.players, games, unfinished)
    return Recorded(reader.entrants, 1, scoring, *made, drawn=drawn)


class _Reader:
    """Collects players, games and byes row by row; `scoring` has the half points of a game."""

    def __init__(self, tables: Tables, scoring: tuple[int, int, int], entrants: Entrants) -> None:
        self._options, self._scoring, self.entrants = tables.options, scoring, entrants
        self._busy: set[tuple[int, int]] = set()
        self.players: list[Player] = []
        self.games: list[Game] = []
        self.matches: list[Match] = []
        self.drawn: dict[int, list[Pair]] = {}

    def enter(self, row: Row) -> None:
        """Add a row of `players.csv`."""
        name = row.text("team") or row.name("name")
        self.players.append(row.player(self.entrants.enter(row, "name", name)))

    def _player(self, row: Row, side: str, round_number: int) -> int:
        """The number of a player, who must be free in the round."""
        field = f"{side}_player"
        number = row.entrant(self.entrants, field)
        if number == len(self.players):
            self.players.append(Player(number, row.name(field)))
        player = self.players[number]
        self.players[number] = replace(
            player,
            rating=player.rating or row.rating(f"{side}_rating"),
            fide_id=player.fide_id or row.fide_id(f"{side}_fide_id"),
        )
        allowed = f"in one game of round {round_number}"
        row.once(self._busy, (round_number, number), field, allowed)
        return number

    def add(self, row: Row, round_number: int, number: int) -> bool:
        """Add a game or a bye; False for a game without a result."""
        white = self._player(row, "white", round_number)
        told = [self._told(row, side) for side in ("white", "black")]
        if self._has_bye(row):
            self.matches.append(self._bye(row, round_number, number, white, told[0]))
            if self.matches[-1].bye == "pairing":
                self.drawn.setdefault(round_number, []).append((white, None))
            return True
        sides = white, self._player(row, "black", round_number)
        self.drawn.setdefault(round_number, []).append(sides)
        text = row.text("result").replace(" ", "").replace("\u00bd", "1/2").replace(":", "-")
        if text in ("", "*"):
            return False
        result = FORFEITS.get(text, text)
        if result not in RESULTS:
            raise row.error("result", f"one of {', '.join((*RESULTS, *FORFEITS))}", text)
        place, forfeit = (round_number, number), text in FORFEITS
        game = row.game((*place, 1), sides, sides, RESULTS[result], forfeit)
        (match,) = matches_of([game], {place: sides})
        self.games.append(game)
        self.matches.append(match.given(*told))
        return True

    def _has_bye(self, row: Row) -> bool:
        if row.text("bye") and row.text("black_player"):
            raise row.error("bye", "empty where there is a black_player")
        return row.names_nobody("black_player", self.entrants)

    def _bye(
        self, row: Row, round_number: int, number: int, player: int, told: int | None
    ) -> Match:
        """A bye; `told` has the half points that the row gives it."""
        bye = row.choice("bye", BYES[1:], "pairing")
        points = BYE_MATCH_POINTS[bye]
        if told is not None:
            told, points = player_points(told)
        elif bye == "pairing":
            told, points = self._options.player_bye(self._scoring[0])
        return Match(round_number, number, player, None, points, 0, 0, 0, bye, told)

    def _told(self, row: Row, side: str) -> int | None:
        """Half points that a row says a side has, whatever the result."""
        field = f"{side}_points"
        return row.game_points(field) if row.text(field) else None
