"""Read an event from a PGN file of its games.

Only the tags are read, and whether a game has moves, in one scan. Conventions where PGN is
ambiguous:

- **Round** is `round`, `round.match` or `round.match.board`. The second number is used as match
  number if it is different for all matches of every round; otherwise the matches of a round are
  numbered as they appear.
- **Match**: all games of two teams in a round. Its `team_a` has white on the first board.
- **Board** comes from the tag of that name, else from the third number of `Round`, else from the
  order of the games.
- **Games without moves** are unplayed if `Termination` says so (`forfeit` but not `time forfeit`,
  `unplayed`, `default`, `walkover`, `bye`), or if there is no `Termination` and a side has neither
  a FIDE number nor a name (none, `?`, `N.N.`, `bye`). All others count as played; a note gives
  their number. `0-0` is a game that both sides lost by default.
- **Result** `*` means that the match is open; a round in which all are is left out. The tag counts,
  not the result at the end of the moves.
- **Players** are identified by FIDE number, else by team and name. A player has the rating of the
  first game that gives one; every game keeps its own rating.
- **Start order** is not in a PGN: teams are in order of first appearance.
- **Byes** are not in a PGN: a team without games in a round was not paired.
- **Individual events** are files whose first game names no teams. Their players are identified by
  FIDE number, else by name. The number after the round, or the tag `Board`, is that of the game. A
  game against nobody is a bye that pays its result: a pairing-allocated one for a win.

Files that break the standard are accepted: tags in any order or several on a line, quotes that are
not escaped, any line ends, UTF-8 or (line by line) Latin-1, lines that begin with `%`, any text in
comments and variations, games without moves and without blank lines between them.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from tb2learn.events.files.event_tables import user_table
from tb2learn.events.files.fields import Entrants, Fields, Notes
from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.source import MAX_NAME, decoded, read_bytes, refusal, unmarked
from tb2learn.events.model import TeamEvent, open_note, unfinished_note
from tb2learn.events.parts import (
    BYES_OF_A_GAME,
    STANDARD_SCORING,
    Game,
    Match,
    OpenMatch,
    Player,
    matches_of,
    one_round,
    team_ratings,
    with_scoring,
)
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

RESULTS: dict[str, tuple[int, int] | None] = {
    "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "1/2": (1, 1), "\u00bd-\u00bd": (1, 1),
    "0-0": (0, 0), "*": None,
}  # fmt: skip
NOBODY = (
    "", "n.n.", "bye", "brett nicht besetzt", "unbesetzt", "board not occupied", "not occupied",
    "\u00e9chiquier inoccup\u00e9", "tablero vac\u00edo", "\u00fcres t\u00e1bla",
)  # fmt: skip
"""What stands in place of a name, in lower case: an empty board, in several languages."""
UNPLAYED = ("forfeit", "unplayed", "default", "walkover", "bye")
NO_TEAMS = (
    "no game names teams (tags WhiteTeam and BlackTeam): an event of players (--individual), "
    "unless --teams names the team of every player"
)
"""The note on games without teams."""
WANTED = frozenset(
    {"Event", "Site", "Date", "EventDate", "Round", "Board", "Result", "Termination"}
    | {c + t for c in ("White", "Black") for t in ("", "Team", "Elo", "Title", "FideId")}
)
MAX_LINE = 1 << 16
"""Most bytes of a line of tags; lines of moves may be longer."""
MAX_LINES = 3_000_000
"""Most lines of a file."""
_SIDES = ("White", "Black")
_NO_NUMBER, _NO_BOARD = -1, 0
"""Of a match and a board that a game does not name."""

# ------------------------------------------------------------------------------- one scan for tags

TAG = re.compile(r'\[\s*([\w+#=:-]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
TAG_WITH_BARE_QUOTES = re.compile(r'\[\s*([\w+#=:-]+)\s+"(.*)"\s*\]\s*$', re.ASCII)
# The repeated group itself is not possessive: Python 3.11.2 then matches half a comment.
_TOKEN = re.compile(
    rb"(?P<tags>^[ \t\v\f]*\[[^\n]*)|(?P<skipped>^%[^\n]*|;[^\n]*)|(?P<end>\n)"
    rb"|(?P<text>(?:[^{;\n]++|\{[^}]*+\}){1,1000})|(?P<open>\{[^}]*+\Z)",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"\{[^}]*\}")
_TAG_IN_COMMENT = re.compile(rb'\n\s*\[\s*[\w+#=:-]+\s+"')
_SQUARE = re.compile(rb"[a-h][1-8]")  # which every first move names
_ESCAPED = re.compile(r'\\(["\\])')


class Tag(NamedTuple):
    """The value of a tag, and the line and column where it starts, counted from 1."""

    value: str
    line: int
    column: int


class Tags(Fields[str]):
    """The tags of one game by name, from the line of the first; `moves`: whether it has any."""

    unknown = ("", "?", "-")

    def __init__(self, file: str, line: int, notes: Notes) -> None:
        super().__init__(file, notes, line)
        self.tags, self.moves = dict[str, Tag](), False

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for the value of a tag."""
        _, line, column = self.tags.get(field, Tag("", self.number, 1))
        where = f"column {column} ({field})"
        return refusal(self.file, line, where, allowed, self.text(field) if got is None else got)

    def whom(self, field: str) -> tuple[str, str]:
        """The player whom a tag is about, of one side."""
        side = next((side for side in _SIDES if field.startswith(side)), "")
        return "player", self.text(side)

    def text(self, field: str) -> str:
        """The value of a tag; empty if it is missing."""
        return self.tags[field].value.strip() if field in self.tags else ""

    def known(self, field: str) -> str:
        """A name; empty if it is not known."""
        value = self.text(field)
        if len(value) > MAX_NAME:
            raise self.error(field, f"a name of at most {MAX_NAME} characters")
        return "" if value in ("?", "-") else value

    @property
    def there(self) -> list[str]:
        """The sides that are not named as an empty board is."""
        return [
            side
            for side in _SIDES
            if self.text(f"{side}FideId") or self.known(side).casefold() not in NOBODY
        ]


def tagged_games(data: bytes, file: str, notes: Notes) -> Iterator[Tags]:
    """The games of a file, each with those of its tags that are in `WANTED`."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data.count(b"\n") > MAX_LINES:
        raise InputError(f"{file}: must have at most {MAX_LINES} lines, has more")
    game: Tags | None = None
    blank = text = False  # since the first tag: a blank line, anything but tags
    at, number, empty = 0, 1, True  # the line, and whether it is empty so far
    while at < len(data):
        token = _TOKEN.match(data, at)
        assert token is not None  # it matches every character
        at, kind, found = token.end(), token.lastgroup, token[0]
        if kind == "tags":
            tags, rest = _line_tags(found, file, number)
            for name, tag in tags:
                if game and (text or (name in game.tags and (blank or name == "Event"))):
                    yield game
                    game, blank, text = None, False, False
                game = game or Tags(file, number, notes)
                if name in game.tags:
                    where = f"column {tag.column} ({name})"
                    raise refusal(file, number, where, "given once a game", tag.value)
                if name in WANTED:
                    game.tags[name] = tag
            at, empty = at - rest, False
            continue
        if kind == "end":
            blank, empty = blank or empty, True
        elif found.strip():
            empty = False
            text = text or (game is not None and found[:1] != b"%")
        if kind == "open":  # which is refused if it has swallowed games
            start = token.start()
            column = len(_decoded(data[data.rfind(b"\n", 0, start) + 1 : start])) + 1
            where, allowed = f"column {column} (comment)", "closed by } before the file ends"
            error = functools.partial(refusal, file, number, where, allowed, "{")
            if _TAG_IN_COMMENT.search(data, start):
                raise error()
            notes.odd("the file ends within a comment: the last game may be cut", number, error)
        elif kind == "text":
            words = _COMMENT.sub(b" ", found) if b"{" in found else found
            if words.strip() and game is None:
                allowed = 'a tag such as [Event "name"]'
                got = _decoded(data[data.rfind(b"\n", 0, token.start()) + 1 :][:80]).strip()
                raise refusal(file, number, "column 1", allowed, got.splitlines()[0])
            if game is not None:
                game.moves = game.moves or _SQUARE.search(words) is not None
        number += found.count(b"\n")
    if game:
        yield game


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _line_tags(line: bytes, file: str, number: int) -> tuple[list[tuple[str, Tag]], int]:
    """The tags at the beginning of a line, and how many bytes follow them."""
    if len(line) > MAX_LINE:
        raise refusal(file, number, "column 1", f"a line of at most {MAX_LINE} bytes", "more")
    text = _decoded(line)
    if "\0" in text:
        raise refusal(file, number, f"column {text.index(chr(0)) + 1}", "no NUL character", "\0")
    found = []
    at = len(text) - len(text.lstrip())
    while text.startswith("[", at):
        match = TAG.match(text, at) or TAG_WITH_BARE_QUOTES.match(text, at)
        if match is None:
            allowed = 'a tag such as [White "Name"]'
            raise refusal(file, number, f"column {at + 1}", allowed, text[at:].strip())
        value = _ESCAPED.sub(r"\1", match[2])
        found.append((match[1], Tag(value, number, match.start(2))))
        at = match.end()
    rest = text[at:]
    return found, len(rest.encode()) if len(text.encode()) == len(line) else len(rest)


# ---------------------------------------------------------------------------------- from games


def read_pgn_file(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event of a file; as `read_pgn`."""
    data = read_bytes(source)
    if unmarked(data)[1] != "utf-8":
        data = decoded(data).encode()
    return read_pgn(data, shown(source.name), name, options)


def read_pgn(data: bytes, file: str, name: str, options: Reading = STRICT) -> TeamEvent:
    """Read an event from the PGN of its games.

    **Arguments:** `data`; `file`: its name in messages; `name`: of the event, if the games do not
    give one; `options`: how strict to be, and what the user knows about the event.

    **Raises:** `InputError`, one line, for a file that is not a valid event.
    """
    reader = _Reader(file, options)
    for tags in tagged_games(data, file, reader.notes):
        reader.add(tags)
    return reader.event(name)


class _Reader:
    """Collects the games of an event one by one; errors name the line.

    Teams and players are numbered in order of first appearance.
    """

    def __init__(self, file: str, options: Reading) -> None:
        self._file, self._options = file, options
        self.notes = Notes(options.strict, file)
        self._individual = options.individual
        self._teams = Entrants("player" if options.individual else "team")
        self._players: list[Player] = []
        self._by_id: dict[int, int] = {}
        self._by_name: dict[tuple[int, str], int] = {}
        # By round, and by the two teams in it, lower number first.
        self._pairs: dict[int, dict[tuple[int, int], list[Game]]] = {}
        self._opponent: dict[tuple[int, int], int] = {}
        self._busy: set[tuple[int, int]] = set()
        self._open: set[tuple[int, tuple[int, int]]] = set()
        self._without_moves: Counter[int] = Counter()
        self._names: dict[str, None] = {}
        self._about: dict[str, str] = {}
        self._dates: list[str] = []
        self._byes: dict[tuple[int, int], int] = {}
        self._boards: dict[tuple[int, str | None], int] = {}
        self._later: list[Tags] = []

    def add(self, tags: Tags) -> None:
        named = self._options.teams or tags.text("WhiteTeam") or tags.text("BlackTeam")
        if not (self._individual or self._teams.numbers or named):
            self._individual, self._teams.word = True, "player"
            self.notes.say(NO_TEAMS, aside="")
        if self._options.teams and len(tags.there) < 2:
            self._later.append(tags)
            return
        place = self._round(tags)
        if self._individual and len(tags.there) < 2:
            self._add_bye(tags, place[0])
        else:
            self._add(tags, self._team(tags, "White"), self._team(tags, "Black"), place)

    def _add_bye(self, tags: Tags, round_number: int) -> None:
        """Add a game of which a side is nobody as the other side's bye."""
        result = RESULTS.get(tags.text("Result"))
        if not tags.there or result is None:
            raise tags.error("White", "the name of a player")
        (side,) = tags.there
        team = self._team(tags, side)
        self._player(tags, side, team, tags.rating(f"{side}Elo"), round_number)
        self._byes[round_number, team] = result[side == "Black"]
        self._pairs.setdefault(round_number, {})
        tags.odd("a game against nobody is a bye", side, "a player against another one")

    def _add_empty(self, tags: Tags) -> None:
        """Add a game of which a side is nobody, of the other side's opponent in the round."""
        if not tags.there:
            raise tags.error("White", "the name of a player")
        (side,) = tags.there
        team, place = self._team(tags, side), self._round(tags)
        rival = self._opponent.get((place[0], team))
        if rival is None:
            allowed = f"of a team with another game in round {place[0]}, which shows its opponent"
            raise tags.error(side, allowed)
        self._add(tags, *((team, rival) if side == "White" else (rival, team)), place)

    def _add(self, tags: Tags, white: int, black: int, place: tuple[int, int, int]) -> None:
        """Add the game of two teams; `place` has round, match and board."""
        r, _, board = place
        pair = min(white, black), max(white, black)
        games = self._games_between(tags, r, white, black, pair)
        if board != _NO_BOARD and any(board == game.board for game in games):
            where = "Board" if tags.integer("Board", 0, MAX_BOARDS, 0) else "Round"
            raise tags.error(where, "another board than that of an earlier game of the match")
        result = tags.text("Result")
        if result not in RESULTS:
            raise tags.error("Result", f"one of {', '.join(RESULTS)}")
        half_points = RESULTS[result]
        if half_points is None:
            self._open.add((r, pair))
        ratings = tags.rating("WhiteElo"), tags.rating("BlackElo")
        players = (
            self._player(tags, "White", white, ratings[0], r),
            self._player(tags, "Black", black, ratings[1], r),
        )
        played = half_points != (0, 0)
        if not tags.moves:  # was it decided without play?
            how = tags.known("Termination").casefold()
            words = how.replace("time forfeit", "")
            played &= not any(word in words for word in UNPLAYED) if how else None not in players
            self._without_moves[r] += played and not how
        points = half_points or (0, 0)
        games.append(Game(*place, white, black, *players, *points, played, *ratings))
        if event := tags.known("Event"):
            self._names.setdefault(event)
        if site := tags.known("Site"):
            self._about.setdefault("city", site)
        if date := whole_date(tags.text("EventDate")):
            self._about.setdefault("start", date)
        self._dates += filter(None, [whole_date(tags.text("Date"))])

    def _games_between(
        self, tags: Tags, round_number: int, white: int, black: int, pair: tuple[int, int]
    ) -> list[Game]:
        """The games so far of the match of two teams, which have no other one in the round."""
        what = "" if self._individual else "Team"
        if white == black:
            raise tags.error(f"Black{what}", f"another {what.lower() or 'player'} than White{what}")
        for tag, team, other in (("White", white, black), ("Black", black, white)):
            busy = (round_number, team) in self._byes
            if self._opponent.setdefault((round_number, team), other) != other or busy:
                match = "match" if what else "game"
                raise tags.error(f"{tag}{what}", f"in one {match} of round {round_number}")
        games = self._pairs.setdefault(round_number, {}).setdefault(pair, [])
        if len(games) == MAX_BOARDS:
            raise tags.error("WhiteTeam", f"in at most {MAX_BOARDS} games of a match")
        return games

    def _round(self, tags: Tags) -> tuple[int, int, int]:
        """Round; match and board if they are given."""
        value = tags.text("Round")
        shape = re.fullmatch(r"([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.([0-9]{1,7}))?)?", value)
        allowed = f"round, round.match or round.match.board, the round 1..{MAX_ROUNDS}"
        if shape is None or not 1 <= int(shape[1]) <= MAX_ROUNDS:
            raise tags.error("Round", allowed)
        number = _NO_NUMBER if shape[2] is None else int(shape[2])
        if number > 10**6:
            raise tags.error("Round", f"{allowed} and the match at most {10**6}")
        if self._individual:
            self._check_board(tags, int(shape[1]), shape[3])
            number = max(number, 0) or tags.integer("Board", 0, 10**6, 0) or _NO_NUMBER
            return int(shape[1]), number, 1
        board = tags.integer("Board", 0, MAX_BOARDS, _NO_BOARD)
        if not board and shape[3] is not None:
            board = int(shape[3])
            if not 1 <= board <= MAX_BOARDS:
                raise tags.error("Round", f"{allowed} and the board 1..{MAX_BOARDS}")
        return int(shape[1]), number, board

    def _check_board(self, tags: Tags, round_number: int, third: str | None) -> None:
        """Refuse a board that a round has twice: then the players are of teams."""
        board = tags.text("Board") or third
        key = (round_number, board)
        if board is None or self._options.individual:
            return
        if self._boards.setdefault(key, tags.number) != tags.number:
            allowed = (
                f"one that no other game of round {round_number} has, unless the games name teams "
                "(tags WhiteTeam and BlackTeam), --teams FILE does (player, team), or --individual "
                "says that it is an event of players"
            )
            raise tags.error("Board" if tags.text("Board") else "Round", allowed)

    def _team(self, tags: Tags, side: str) -> int:
        """The number of a team; of a player who is a team of one, by FIDE number, else by name."""
        if self._options.teams:
            name = self._options.teams.get(tags.known(side))
            if name is None:
                raise tags.error(side, "a player of the table of --teams")
            return self._teams.of(tags, side, name)
        if not self._individual:
            name = tags.known(f"{side}Team")
            if not name:
                raise tags.error(f"{side}Team", f"a name of 1..{MAX_NAME} characters")
            return self._teams.of(tags, f"{side}Team", name)
        fide_id = tags.fide_id(f"{side}FideId")
        if fide_id in self._by_id:
            return self._players[self._by_id[fide_id]].team
        name = tags.known(side) or "?"
        team = self._teams.numbers.get(name)
        if fide_id and any(p.fide_id for p in self._players if p.team == team):
            about = "players of the same name are told apart by their FIDE numbers"
            self.notes.say(about, aside="")
            name = f"{name} ({fide_id})"
        return self._teams.of(tags, side, name)

    def _player(
        self, tags: Tags, side: str, team: int, rating: int, round_number: int
    ) -> int | None:
        """Number of the player; None if nobody is named."""
        name, title = tags.known(side), tags.known(f"{side}Title")
        fide_id = tags.fide_id(f"{side}FideId")
        number = self._by_id.get(fide_id)
        if number is not None and self._players[number].team != team:
            assumed = "a FIDE number of players of several teams is kept for the first alone"
            tags.odd(assumed, f"{side}FideId", "of a player who plays for one team")
            fide_id, number = 0, None
        if not self._individual and not fide_id and name.casefold() in NOBODY:
            return None
        if number is None:
            number = self._by_name.get((team, name))
            if number is not None and fide_id and self._players[number].fide_id:
                number = None  # two players of a team have the same name
        if number is None:
            number = len(self._players)
            self._players.append(Player(team, name or "?"))
        player = self._players[number]
        key = round_number, number
        tags.once(self._busy, key, side, f"a player with one game in round {round_number}")
        self._players[number] = replace(
            player,
            fide_id=player.fide_id or fide_id,
            rating=player.rating or rating,
            title=player.title or title,
        )
        self._by_name.setdefault((team, name), number)
        if fide_id:
            self._by_id[fide_id] = number
        return number

    def event(self, name: str) -> TeamEvent:
        """The event that the games add up to."""
        for tags in self._later:
            self._add_empty(tags)
        numbered = _is_numbered(self._pairs)
        there = ((r, pair) for r, pairs in self._pairs.items() for pair in pairs)
        last = max((r for r, pair in there if (r, pair) not in self._open), default=0)
        unfinished = min((r for r, _ in self._open if r > last), default=MAX_ROUNDS + 1)
        rounds = [r for r in sorted(self._pairs) if r < unfinished]
        if not any(self._pairs[r] for r in rounds):
            raise InputError(f"{self._file}: must have at least one finished round of games")
        order = sorted(range(len(self._players)), key=lambda p: self._players[p].team)
        place = {None: None} | {player: number for number, player in enumerate(order)}
        players = tuple(self._players[p] for p in order)
        games: list[Game] = []
        still_open: list[OpenMatch] = []
        pairs: dict[tuple[int, int], tuple[int, int]] = {}
        for r in rounds:
            found = {
                games_of[0].match if numbered else k: (pair, sorted(_with_boards(games_of).items()))
                for k, (pair, games_of) in enumerate(self._pairs[r].items(), start=1)
            }
            for number, (pair, boards) in sorted(found.items()):
                first = boards[0][1]  # the first team has White on the first board
                if (r, pair) in self._open:
                    still_open.append(OpenMatch(r, number, first.white_team, first.black_team))
                    continue
                pairs[r, number] = first.white_team, first.black_team
                for board, game in boards:
                    white, black = place[game.white], place[game.black]
                    seat = replace(game, match=number, board=board, white=white, black=black)
                    games.append(seat)
        matches = list(matches_of(games, pairs))
        scoring = self._options.match_points or STANDARD_SCORING
        if self._individual:
            scoring = self._options.game_scoring or STANDARD_SCORING
            matches = self._with_byes(matches, scoring, unfinished)
        teams = tuple(self._teams.numbers)
        if unfinished <= MAX_ROUNDS:
            self.notes.say(unfinished_note(unfinished))
        if still_open:
            self.notes.say(open_note(tuple(still_open), teams, self._individual))
        self._say(rounds, numbered, 2 * (len(pairs) + len(still_open)))
        if self._dates:
            self._about.setdefault("start", min(self._dates))
        first_games = (found[0] for found in self._pairs.get(unfinished, {}).values())
        drawn = [(game.white_team, game.black_team) for game in first_games]
        byes = [(t, None) for (r, t), half in self._byes.items() if r == unfinished and half == 2]
        return TeamEvent(
            name=next(iter(self._names), name),
            teams=teams,
            rounds=rounds[-1],
            boards=max(game.board for game in games),
            matches=with_scoring(matches, scoring),
            ratings=team_ratings(len(teams), players, games),
            players=players,
            games=tuple(games),
            planned=max(self._pairs),
            about=self._about,
            notes=self.notes.lines,
            scoring=scoring,
            individual=self._individual,
            drawn=one_round([*drawn, *byes]),
            open=tuple(sorted(still_open)),
        )

    def _with_byes(
        self, matches: list[Match], scoring: tuple[int, int, int], unfinished: int
    ) -> list[Match]:
        """The matches, with the byes of finished rounds after the games of their round."""
        number: Counter[int] = Counter()
        for match in matches:
            number[match.round] = max(match.number, number[match.round])
        for (r, team), half in sorted(self._byes.items()):
            if r < unfinished:
                number[r] += 1
                mp, points = self._options.player_bye(scoring[0]) if half == 2 else (None, half)
                bye = BYES_OF_A_GAME[half]
                matches.append(Match(r, number[r], team, None, points, 0, 0, 0, bye, mp))
        return sorted(matches, key=lambda m: (m.round, m.number))

    def _say(self, rounds: list[int], numbered: bool, paired: int) -> None:
        """What a PGN does not tell, and what is assumed for it."""
        if count := sum(self._without_moves[r] for r in rounds):
            about = "games without moves and without Termination that count as played"
            self.notes.odd(f"{about}: {count}")
        found = [games for pairs in self._pairs.values() for games in pairs.values()]
        if not numbered and any(game.match != _NO_NUMBER for games in found for game in games):
            assumed = "Round does not number the matches: they are numbered as they appear"
            self.notes.odd(assumed, aside="")
        if len(self._names) > 1:
            self.notes.odd(f"games name {len(self._names)} events: the first name is used")
        who = self._teams.word
        order = f"a PGN has no start order: {who}s are in order of first appearance"
        self.notes.say(order, aside="")
        if paired + len(self._byes) < len(self._teams.numbers) * rounds[-1]:
            self.notes.odd(f"a PGN has no byes: a {who} without games in a round was not paired")


def read_squad_table(path: str | Path) -> dict[str, str]:
    """A table with the columns `player` (as its heading in any language) and `team`.

    **Returns:** the teams by the names of their players, exactly as they stand there.

    **Raises:** `InputError`, one line, for another file, or for a player of two teams.
    """
    found: dict[str, str] = {}
    for row in user_table(path):
        if not row.has("name") or not row.has("team"):
            raise row.error("heading", "player, team", "other columns")
        player, team = row.name("name"), row.name("team")
        if found.setdefault(player, team) != team:
            raise row.error("name", "each player once", player)
    return found


def whole_date(text: str) -> str:
    """A complete date as `2016/09/02`, else an empty text."""
    found = re.fullmatch(r"([0-9]{4})[./-]([0-9]{2})[./-]([0-9]{2})", text)
    return "/".join(found.groups()) if found else ""


def _is_numbered(pairs: Mapping[int, Mapping[tuple[int, int], list[Game]]]) -> bool:
    """Whether `Round` gives the matches of every round different numbers."""
    for found in pairs.values():
        numbers = {pair: {game.match for game in games} for pair, games in found.items()}
        different = set().union(*numbers.values())
        alone = len(different) == len(numbers) == sum(map(len, numbers.values()))
        if _NO_NUMBER in different or not alone:
            return False
    return True


def _with_boards(games: list[Game]) -> dict[int, Game]:
    """The games of a match by board; those without a number take the first free boards."""
    boards = {game.board: game for game in games if game.board != _NO_BOARD}
    free = (b for b in range(1, MAX_BOARDS + 1) if b not in set(boards))
    return boards | {next(free): game for game in games if game.board == _NO_BOARD}
