"""Write events as FIDE's Tournament Report File, versions of 2016 and 2026."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

from tb2learn.chess.team_swiss import TEAM_SWISS
from tb2learn.events.files.dates import slashed_date
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import DATES, MAX_NAME, MemoryFile
from tb2learn.events.files.trf_points import result_type
from tb2learn.events.files.trf_records import (
    ABOUT,
    ALTERNATING,
    BYE_LETTERS,
    COLUMNS,
    LISTS,
    MAX_PLAYERS,
    ROUND_WIDTH,
    ROUNDS_FROM,
)
from tb2learn.events.model import (
    INITIAL_COLOUR,
    PAIRING_RULES,
    TIEBREAKS,
    TeamEvent,
    team_totals,
)
from tb2learn.events.parts import BYE_MATCH_POINTS, STANDARD_SCORING, Game, Match
from tb2learn.text import quoted
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

Version = Literal[2016, 2026]
"""The year of the format: TRF16 or TRF26."""


def write_trf(event: TeamEvent, version: Version) -> str:
    """An event as a Tournament Report File.

    Start numbers follow `event.players`; teams list their players in board order. Points are those
    of the record, ranks those that it prints. Record 192 declares the pairing rules that the event
    names, else some that are not FIDE's; 212 has the tie-breaks if the event has a list of them.
    Byes of an individual event stand in the entries of the players.

    **Arguments:**

    - `event`: with players and games.
    - `version`: 2016 or 2026; the latter stores more.

    **Returns:** the text (lines end with CRLF; to be encoded as UTF-8).

    **Raises:** `InputError`, one line, if there are no players or games, if a match is recorded
    without games, or if something does not fit its columns.
    """
    _check_writable(event, version)
    writer = _Writer(event, version)
    text, back = _read_back(writer.lines())
    abnormal = writer.abnormal(back) if version == 2026 else []
    return _read_back([*writer.lines(), *abnormal])[0] if abnormal else text


def _read_back(lines: Iterable[str]) -> tuple[str, TeamEvent]:
    """The text of some records, and the event that is read from it."""
    text = "".join(f"{line.rstrip()}\r\n" for line in lines)
    try:
        # What is written was read already: nobody looks for slips again.
        options = Reading(form="trf", slips=False)
        return text, read_event(MemoryFile("the file", text.encode()), options)
    except InputError as error:
        raise InputError(f"cannot be written as TRF: {error}") from error


def _check_writable(event: TeamEvent, version: Version) -> None:
    """Refuse an event that the format cannot store, with the reason."""
    name = quoted(event.name)
    # The format knows no matches: without games there is nothing to write.
    if not event.players or not event.games:
        raise InputError(
            f"{name} has no games and cannot be written as TRF: the folder needs players.csv and "
            "boards.csv"
        )
    # Numbers of teams have three columns in the records of 2026.
    most_teams = 999 if version == 2026 else MAX_TEAMS
    for quantity, number, limit in (
        ("players", len(event.players), MAX_PLAYERS),
        ("teams", len(event.teams), most_teams),
        ("rounds", event.rounds, MAX_ROUNDS),
        ("boards", event.boards, MAX_BOARDS),
    ):
        if number > limit:
            raise InputError(
                f"TRF of {version} stores at most {limit} {quantity}, {name} has {number}"
            )
    cut: dict[str, str] = {}
    first, last = COLUMNS["310"]["team name"]
    width = last - first + 1
    for team in () if event.individual else event.teams:
        # Names that are cut to the same one would be one team for the reader.
        earlier = cut.setdefault(_fitted(team, width), team)
        if earlier != team:
            differ = f"{quoted(earlier)} and {quoted(team)} differ only after these"
            raise InputError(f"TRF stores {width} characters of a team's name, and {differ}")
    recorded = {(game.round, game.match) for game in event.games}
    for game in event.games:
        where = f"round {game.round}, match {game.match}, board {game.board} of {name}"
        if game.played and any(seat.player is None for seat in game.sides):
            raise InputError(f"{where}: TRF needs both players of a game, and one is missing")
        if not game.played and any(seat.half_points == 1 for seat in game.sides):
            raise InputError(f"{where}: TRF cannot store a draw without a game")
    for match in event.matches:
        if match.team_b is None or (match.round, match.number) in recorded:
            continue
        points = {match.half_points_a, match.half_points_b}
        # A record 330 gives all boards to one side, or none to both.
        if not match.by_default or points not in ({0}, {0, 2 * event.boards}):
            where = f"round {match.round}, match {match.number} of {name}"
            raise InputError(f"{where}: TRF needs the games of a match, and there are none")


def _fitted(text: str, width: int) -> str:
    """Text cut to the width of its columns, without line ends."""
    return re.sub(r"[\r\n\0]", " ", text).strip()[:width].rstrip()


_ZEROS = ("300", "320")
"""Records with zeros before the numbers of their lists."""


def _record(kind: str, values: Iterable[str | float], listed: Iterable[int] = ()) -> str:
    """A record with its fields in the order of `COLUMNS`, and the numbers of its list.

    Text is cut to its columns; numbers stand to the right, and so do titles.
    """
    line = kind
    for (field, (first, last)), value in zip(COLUMNS[kind].items(), values, strict=False):
        width = last - first + 1
        text = f"{value:.1f}" if isinstance(value, float) else _fitted(str(value), width)
        right = not isinstance(value, str) or field in ("title", "rank")
        line = line.ljust(first - 1) + (text.rjust(width) if right else text)
    for index, number in enumerate(listed):
        first, width = LISTS[kind]
        line = line.ljust(first - 1 + index * (width + 1))
        line += str(number).rjust(width, "0" if kind in _ZEROS else " ")
    return line


_LETTERS = {True: "0=1", False: "- +"}
"""Results by half points, of games that were played and others."""


class _Writer:
    """Writes the records of one event; start and team numbers count from 1.

    `order` has the players of every team in board order.
    """

    def __init__(self, event: TeamEvent, version: Version) -> None:
        self._event, self._version = event, version
        self._line_ups = _recorded_line_ups(event)
        self.order = _line_up_order(event, self._line_ups)
        self._cells: dict[tuple[int, int], str] = {}
        self._half_points: Counter[int] = Counter()
        self._ranks = event.published.get("place", [""] * len(event.teams))
        for game in event.games:
            self._add_board(game)
        for match in event.matches:
            self._add_others(match)
        if event.individual:
            # Points of players include what their byes paid otherwise, and penalties.
            self._half_points = Counter({n: p for n, (p, _) in enumerate(team_totals(event))})
        # Of teams nobody's opponent is known: only games of players are written without a result.
        for open_match in event.open if event.individual else ():
            self._cells[open_match.team_a, open_match.round] = f"{open_match.team_b + 1:4d} w"
            self._cells[open_match.team_b, open_match.round] = f"{open_match.team_a + 1:4d} b"

    def lines(self) -> list[str]:
        """All records except 299."""
        lines = [*self._head(), *self._players()]
        if not self._event.individual:
            lines += self._teams()
        if self._version == 2026 and not self._event.individual:
            allocated, others = self._byes()
            lines += [*others, *self._departing(), *allocated, *self._forfeits()]
        if self._version == 2026:  # penalties on the whole event have round 999
            lines += [
                self._abnormal(
                    "",
                    (penalty.match_points, penalty.half_points),
                    penalty.round or 999,
                    penalty.team,
                )
                for penalty in self._event.penalties
            ]
        return lines

    def _add_board(self, game: Game) -> None:
        white, black = game.sides
        for seat, opponent, colour in ((white, black, "w"), (black, white, "b")):
            player = seat.player
            if player is None:
                continue
            # One entry a round is all that a record 001 has room for.
            if (player, game.round) in self._cells:
                has = f"{quoted(self._event.players[player].name)} has two in round {game.round}"
                raise InputError(f"TRF stores one game per player and round, {has}")
            against = "0000 -" if opponent.player is None else f"{opponent.player + 1:4d} {colour}"
            letter = _LETTERS[game.played][seat.half_points]
            self._cells[player, game.round] = f"{against} {letter}"
            self._half_points[player] += seat.half_points

    def _add_others(self, match: Match) -> None:
        """Entries of players who did not play: the bye of their team, or a zero-point bye."""
        if match.team_b is not None:
            for player in (*self.order[match.team_a], *self.order[match.team_b]):
                # Without an entry a reserve who rested would look like one with a blank bye.
                self._cells.setdefault((player, match.round), "0000 - Z")
        elif self._event.individual or self._version == 2016 or match.bye == "default":
            for player in self.order[match.team_a][: self._event.boards]:
                self._cells[player, match.round] = f"0000 - {BYE_LETTERS.get(match.bye, '+')}"
                self._half_points[player] += BYE_MATCH_POINTS[match.bye]

    def _head(self) -> Iterator[str]:
        event = self._event
        yield f"012 {_fitted(event.name, MAX_NAME)}"
        for record, key in ABOUT.items():
            if key == "type":
                # Records stand in the order of their numbers.
                yield f"062 {len(event.players)}"
                yield f"072 {sum(player.rating > 0 for player in event.players)}"
                yield f"082 {0 if event.individual else len(event.teams)}"
            if key in event.about:
                text = event.about[key]
                yield f"{record} {_fitted((key in DATES and slashed_date(text)) or text, MAX_NAME)}"
        if self._version == 2016:
            yield f"XXR {event.planned}"
            return
        yield f"142 {event.planned}"
        if INITIAL_COLOUR in event.about:
            yield f"152 {event.about[INITIAL_COLOUR]}"
        if event.individual:
            byes = Counter(m.match_points[0] for m in event.matches if m.bye == "pairing")
            won, drawn, lost = event.scoring
            # One number for all byes: others get a record 299.
            usual = byes.most_common(1)[0][0] if byes else won
            points = {"W": won, "D": drawn, "L": lost, "A": 0, "P": usual}
            payments = (f"{symbol}{half / 2:4.1f}" for symbol, half in points.items())
            yield "162  " + "    ".join(payments)
            yield f"192 CUSTOM_{'ROUNDROBIN' if event.system.is_round_robin else 'SWISS'}"
        else:
            yield f"192 {_pairing_code(event)}"
        if TIEBREAKS in event.about:
            yield f"212 {event.about[TIEBREAKS]}"
        if event.individual:
            return
        yield f"352 {_board_colours(event)}"
        if event.scoring != STANDARD_SCORING:
            won, drawn, lost = event.scoring
            yield f"362 TW{won:4.1f}   TD{drawn:4.1f}   TL{lost:4.1f}"

    def _players(self) -> Iterator[str]:
        for number, player in enumerate(self._event.players):
            rank = self._ranks[number] if self._event.individual else ""
            line = _record("001", (
                number + 1, player.sex, player.title, player.name, player.rating or "",
                player.federation, player.fide_id or "", slashed_date(player.birth) or player.birth,
                self._half_points[number] / 2, rank,
            ))  # fmt: skip
            cells = (self._cells.get((number, r), "") for r in range(1, self._event.rounds + 1))
            rounds = "".join(cell.ljust(ROUND_WIDTH) for cell in cells)
            yield line.ljust(ROUNDS_FROM - 1) + rounds

    def _teams(self) -> Iterator[str]:
        totals = team_totals(self._event)
        for number, team in enumerate(self._event.teams):
            members = [player + 1 for player in self.order[number]]
            if self._version == 2016:
                yield _record("013", [team], members)
                continue
            points, half_points = totals[number]
            totalled = float(points), half_points / 2, self._ranks[number]
            yield _record("310", (number + 1, team, "", "", *totalled), members)

    def _byes(self) -> tuple[list[str], list[str]]:
        """Records 320 and 240; record 320 stores one pairing-allocated bye per round."""
        allocated: dict[int, Match] = {}
        others: dict[tuple[str, int], list[int]] = defaultdict(list)
        for match in (match for match in self._event.matches if match.team_b is None):
            # A second pairing-allocated bye has no place; a half-point bye pays the same.
            if match.bye == "pairing" and match.round not in allocated:
                allocated[match.round] = match
            elif match.bye != "default":
                letter = BYE_LETTERS["half" if match.bye == "pairing" else match.bye]
                others[letter, match.round].append(match.team_a + 1)
        lines = []
        if allocated:
            points = Counter((m.match_points[0], m.half_points_a) for m in allocated.values())
            (mp, half_points), _ = points.most_common(1)[0]
            rounds = range(1, max(allocated) + 1)
            teams = [allocated[r].team_a + 1 if r in allocated else 0 for r in rounds]
            lines.append(_record("320", (float(mp), half_points / 2), teams))
        return lines, [_record("240", place, numbers) for place, numbers in sorted(others.items())]

    def _departing(self) -> Iterator[str]:
        """Records 300 for line-ups that are incomplete or not in the order of the team."""
        places = [{player: i for i, player in enumerate(members)} for members in self.order]
        for (round_number, team, opponent), line_up in self._line_ups.items():
            at = [places[team].get(player, -1) for player in line_up if player is not None]
            # Line-ups in the order of the team need no record.
            if len(at) < self._event.boards or None in line_up or at != sorted(at):
                boards = (0 if player is None else player + 1 for player in line_up)
                yield _record("300", (round_number, team + 1, opponent + 1), boards)

    def _forfeits(self) -> Iterator[str]:
        """A record 330 for every match without a game."""
        points: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        for game in self._event.games:
            for seat in game.sides:
                points[game.round, game.match][seat.team] += seat.half_points
        for match in self._event.matches:
            if match.team_b is None or not match.by_default:
                continue
            a, b = match.half_points_a, match.half_points_b
            if boards := points.get((match.round, match.number)):
                a, b = boards[match.team_a], boards[match.team_b]
            # A match that both sides won half of cannot be told in a record 330.
            if a != b or a == 0:
                result = "--" if a == b else "+-" if a > b else "-+"
                yield _record("330", (result, match.round, match.team_a + 1, match.team_b + 1))

    def abnormal(self, back: TeamEvent) -> list[str]:
        """Records 299 for points that do not follow from the other records."""
        read = {(match.round, team): match for match in back.matches for team in match.teams}
        lines = []
        for match in self._event.matches:
            same = read.get((match.round, match.team_a))
            for index, team in enumerate(match.teams if same else ()):
                points = match.points_of(team)
                # What the other records already give back needs no record of its own.
                if same and points != same.points_of(team):
                    # Of a player match points are twice the points, and there is one column.
                    points = (points[0], points[0]) if self._event.individual else points
                    letter = result_type(match, index)
                    lines.append(self._abnormal(letter, points, match.round, team))
        return lines

    def _abnormal(self, kind: str, points: tuple[int, int], round_number: int, team: int) -> str:
        """A record 299; of a player it has no match points."""
        match_points, half_points = points
        mp_text = "" if self._event.individual else float(match_points)
        return _record("299", (kind, mp_text, half_points / 2, round_number), [team + 1])


_LineUps = dict[tuple[int, int, int], list[int | None]]


def _recorded_line_ups(event: TeamEvent) -> _LineUps:
    """The player on every board, by round, team and opponent; None for an empty board."""
    line_ups: _LineUps = defaultdict(lambda: [None] * event.boards)
    for game in sorted(event.games, key=lambda game: (game.round, game.match, game.board)):
        for seat, opponent in (game.sides, game.sides[::-1]):
            line_ups[game.round, seat.team, opponent.team][game.board - 1] = seat.player
    return line_ups


def _line_up_order(event: TeamEvent, line_ups: _LineUps) -> list[list[int]]:
    """The players of every team by the mean of their boards; those who never sat come last."""
    boards: dict[int, list[int]] = defaultdict(list)
    for line_up in line_ups.values():
        for board, player in enumerate(line_up):
            if player is not None:
                boards[player].append(board)
    # Who sat higher on average is listed first.
    mean = {player: sum(sat) / len(sat) for player, sat in boards.items()}
    members: list[list[int]] = [[] for _ in event.teams]
    for number, player in enumerate(event.players):
        members[player.team].append(number)
    return [sorted(team, key=lambda player: mean.get(player, MAX_BOARDS)) for team in members]


def _pairing_code(event: TeamEvent) -> str:
    """The code of the pairing rules of a team event; one that is not FIDE's if nobody says them."""
    said = event.about.get(PAIRING_RULES, "")
    code = TEAM_SWISS[said].code if said in TEAM_SWISS else said
    return code if code.upper().startswith("FIDE_") else "CUSTOM_TEAM_SWISS_MP"


def _board_colours(event: TeamEvent) -> str:
    """Colours of the first team by board: the more frequent one on each board."""
    first = {(m.round, m.number): m.team_a for m in event.matches}
    white: Counter[int] = Counter()
    for game in event.games:
        team = first.get((game.round, game.match))
        white[game.board] += 1 if game.white_team == team else -1
    return "".join(
        ALTERNATING[board - 1] if not white[board] else "W" if white[board] > 0 else "B"
        for board in range(1, event.boards + 1)
    )
