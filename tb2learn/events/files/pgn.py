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
  their number. `0-0` is a result by penalties, as `1/2-0` is; without moves both lost by default.
- **Result** `*` or `?` means that the match is open; a round in which all are is left out. The tag
  counts, not the result at the end of the moves.
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
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from tb2learn.events.files.dates import slashed_date
from tb2learn.events.files.fields import Entrants, Fields, Notes
from tb2learn.events.files.groups import PartMeeting, parts_to_read
from tb2learn.events.files.headings import NOBODY
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.scores import result_of
from tb2learn.events.files.slips_names import is_misspelt
from tb2learn.events.files.source import MAX_NAME, Content, refusal, unmarked
from tb2learn.events.parts import BYES_OF_A_GAME, Game, Player
from tb2learn.text import tidy
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

RESULTS: dict[str, tuple[int, int] | None] = {
    "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "1/2": (1, 1), "\u00bd-\u00bd": (1, 1),
    "0-0": (0, 0), "1/2-0": (1, 0), "0-1/2": (0, 1), "\u00bd-0": (1, 0), "0-\u00bd": (0, 1),
    "*": None, "?": None,
}  # fmt: skip
_RESULT_OF = {(2, 0): "1-0", (0, 2): "0-1", (0, 0): "0-0"}
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
_TEAMS = ("WhiteTeam", "BlackTeam")
_NO_NUMBER, _NO_BOARD = -1, 0
"""Of a match and a board that a game does not name."""

# ------------------------------------------------------------------------------- one scan for tags

TAG = re.compile(r'\[\s*([\w+#=:-]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
TAG_WITH_BARE_QUOTES = re.compile(r'\[\s*([\w+#=:-]+)\s+"(.*)"\s*\]\s*$', re.ASCII)
_TOKEN = re.compile(
    # A line that begins as a tag does: further tags may follow, or moves.
    rb"(?P<tags>^[ \t\v\f]*\[[^\n]*)"
    # A line that is skipped, or what follows a semicolon up to the end of the line.
    rb"|(?P<skipped>^%[^\n]*|;[^\n]*)"
    rb"|(?P<end>\n)"
    # Moves, with whole comments in braces, which may hold line ends, brackets and semicolons. The
    # group is not possessive, or Python 3.11.2 matches half a comment; so many at once at most, as
    # a match must not take all memory.
    rb"|(?P<text>(?:[^{;\n]++|\{[^}]*+\}){1,1000})"
    # A comment that does not end before the file does.
    rb"|(?P<open>\{[^}]*+\Z)",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"\{[^}]*\}")
_TAG_IN_COMMENT = re.compile(rb'\n\s*\[\s*[\w+#=:-]+\s+"')
_SQUARE = re.compile(rb"[a-h][1-8]")  # which every first move names
_EVENT = re.compile(rb'^[ \t]*\[\s*Event\s+"([^\n]*?)"\s*\]', re.MULTILINE)
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
        self.end = ""  # the result behind the moves

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for the value of a tag."""
        _, line, column = self.tags.get(field, Tag("", self.number, 1))
        where = f"column {column} ({field})"
        return refusal(self.file, line, where, allowed, self.text(field) if got is None else got)

    def whom(self, field: str) -> tuple[str, str]:
        """The player whom a tag is about, of one side."""
        colour = next((colour for colour in _SIDES if field.startswith(colour)), "")
        return "player", self.text(colour)

    def text(self, field: str) -> str:
        """The value of a tag; empty if it is missing."""
        return self.tags[field].value.strip() if field in self.tags else ""

    def known(self, field: str) -> str:
        """A name; empty if it is not known."""
        value = tidy(self.text(field))
        if len(value) > MAX_NAME:
            raise self.error(field, f"a name of at most {MAX_NAME} characters")
        return "" if value in ("?", "-") else value

    @property
    def there(self) -> list[str]:
        """The sides that are not named as an empty board is."""
        return [
            colour
            for colour in _SIDES
            if self.text(f"{colour}FideId") or self.known(colour).casefold() not in NOBODY
        ]


def tagged_games(data: bytes, file: str, notes: Notes) -> Iterator[Tags]:
    """The games of a file, each with those of its tags that are in `WANTED`."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data.count(b"\n") > MAX_LINES:
        raise InputError(f"{file}: must have at most {MAX_LINES} lines, has more")
    return _Scan(data, file, notes).games()


class _Scan:
    """Goes through a file token by token; a tag that a game cannot have begins the next one."""

    def __init__(self, data: bytes, file: str, notes: Notes) -> None:
        self._data, self._file, self._notes = data, file, notes
        self._game: Tags | None = None
        self._line = 1
        self._blank = False  # whether a blank line stands behind the first tag of the game
        self._text = False  # whether anything but tags does

    def games(self) -> Iterator[Tags]:
        """All games."""
        at, empty = 0, True  # where the next token begins; whether its line is empty so far
        while at < len(self._data):
            token = _TOKEN.match(self._data, at)
            assert token is not None  # it matches every character
            at, token_type, content = token.end(), token.lastgroup, token[0]
            if token_type == "tags":
                tags, rest = _line_tags(content, self._file, self._line)
                for name, tag in tags:
                    # Games need no blank line between them.
                    if self._game and self._begins_another(name):
                        yield self._game
                        self._game, self._blank, self._text = None, False, False
                    self._add(name, tag)
                at, empty = at - rest, False  # what follows the tags is read again, as moves
                continue
            if token_type == "end":
                self._blank, empty = self._blank or empty, True
            elif content.strip():
                empty = False
                is_skipped = content[:1] == b"%"
                self._text = self._text or (self._game is not None and not is_skipped)
            if token_type == "open":
                self._refuse_open_comment(token.start())
            elif token_type == "text":
                self._read_moves(content, token.start())
            self._line += content.count(b"\n")
        if self._game:
            yield self._game

    def _begins_another(self, name: str) -> bool:
        """Whether a tag is of the next game.

        It is behind moves; and a tag that the game has already is behind a blank line, or if it is
        the first that every game has: games without moves need no blank lines.
        """
        assert self._game is not None
        again = name in self._game.tags
        return self._text or (again and (self._blank or name == "Event"))

    def _add(self, name: str, tag: Tag) -> None:
        self._game = self._game or Tags(self._file, self._line, self._notes)
        if name in self._game.tags:
            where = f"column {tag.column} ({name})"
            raise refusal(self._file, self._line, where, "given once a game", tag.value)
        if name in WANTED:
            self._game.tags[name] = tag

    def _refuse_open_comment(self, start: int) -> None:
        """Refuse a comment without an end if it has swallowed games; note it otherwise."""
        before = self._data[self._data.rfind(b"\n", 0, start) + 1 : start]
        where = f"column {len(_decoded(before)) + 1} (comment)"
        allowed = "closed by } before the file ends"
        error = functools.partial(refusal, self._file, self._line, where, allowed, "{")
        if _TAG_IN_COMMENT.search(self._data, start):
            raise error()
        assumed = "the file ends within a comment: the last game may be cut"
        self._notes.note_assumption(assumed, self._line, error)

    def _read_moves(self, content: bytes, start: int) -> None:
        """Note whether a game has moves; text before the first game is refused."""
        words = _COMMENT.sub(b" ", content) if b"{" in content else content
        if self._game is not None:
            self._game.moves = self._game.moves or _SQUARE.search(words) is not None
            if last := words.split()[-1:]:
                self._game.end = last[0].decode("latin-1")
        elif words.strip():
            line = self._data[self._data.rfind(b"\n", 0, start) + 1 :][:80]
            got = _decoded(line).strip().splitlines()[0]
            raise refusal(self._file, self._line, "column 1", 'a tag such as [Event "name"]', got)


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
    tags = []
    at = len(text) - len(text.lstrip())
    while text.startswith("[", at):
        match = TAG.match(text, at) or TAG_WITH_BARE_QUOTES.match(text, at)
        if match is None:
            allowed = 'a tag such as [White "Name"]'
            raise refusal(file, number, f"column {at + 1}", allowed, text[at:].strip())
        value = _ESCAPED.sub(r"\1", match[2])
        tags.append((match[1], Tag(value, number, match.start(2))))
        at = match.end()
    rest = text[at:]
    return tags, len(rest.encode()) if len(text.encode()) == len(line) else len(rest)


# ---------------------------------------------------------------------------------- from games


def read_pgn(content: Content, options: Reading) -> Draft:
    """What the games of a PGN say of an event.

    **Raises:** `InputError`, one line, for a file that is not a valid event.
    """
    notes, data = Notes(options.strict, content.file), content.data
    if about := content.odd_page:
        notes.note_assumption(about, aside="")
    # Lines are split as bytes, and each is UTF-8, else Latin-1.
    if content.page != "utf-8" or unmarked(data)[1] != "utf-8":
        data = content.text.encode()
    reader, half_empty = _Reader(options, notes), list[Tags]()
    parts = _parts_to_read(data, content.file, options)
    for tags in tagged_games(data, content.file, notes):
        if parts is not None and tags.known("Event") not in parts:
            continue
        if options.teams and len(tags.there) < 2:
            half_empty.append(tags)
        else:
            reader.add(tags)
    # The other games of a round show who the opponent of an empty board is: these come last.
    for tags in half_empty:
        reader.add_empty_board(tags)
    draft = reader.draft(content.file, content.name)
    draft.is_part = parts is not None
    return draft


def _result(tags: Tags) -> str:
    """The tag `Result`, as the standard writes it: others write blanks into it, and 0.5."""
    result = tags.text("Result")
    plain = result.replace(" ", "").replace("0.5", "1/2")
    if result in RESULTS or plain not in RESULTS:
        return result
    about = "a result that is written otherwise is read as it is meant"
    tags.note_assumption(about, "Result", f"one of {', '.join(RESULTS)}")
    return plain


def _parts_to_read(data: bytes, file: str, options: Reading) -> Set[str] | None:
    """The values of the tag Event of one of several events that was asked for; None for all."""
    # Nearly every file has one, which a glance shows.
    if len({*_EVENT.findall(data)}) < 2:
        return None
    meetings = list[PartMeeting]()
    for tags in tagged_games(data, file, Notes()):
        teams = [] if options.individual else [*filter(None, map(tags.known, _TEAMS))]
        # A team plays many games in a round, a player one.
        round_number = "" if teams else tags.text("Round").partition(".")[0]
        names = teams or [name for name in map(tags.known, _SIDES) if name.casefold() not in NOBODY]
        meetings.append(PartMeeting(tags.known("Event"), round_number, tuple(names)))
    return parts_to_read(meetings, file, options.group)


class _Reader:
    """Collects the games of an event one by one; errors name the line.

    Teams and players are numbered in order of first appearance.
    """

    def __init__(self, options: Reading, notes: Notes) -> None:
        self._options, self._notes = options, notes
        self._individual = options.individual
        self._entrants = Entrants("player" if options.individual else "team")
        self._players: list[Player] = []
        self._by_id: dict[int, int] = {}
        self._by_name: dict[tuple[int, str], int] = {}
        # Games by round and by the two entrants in it, lower number first.
        self._matches: dict[int, dict[tuple[int, int], list[Game]]] = {}
        self._open: set[tuple[int, tuple[int, int]]] = set()
        self._byes: dict[tuple[int, int], int] = {}  # half points by round and entrant
        self._opponent: dict[tuple[int, int], int] = {}  # by round and entrant
        self._busy: set[tuple[int, int]] = set()  # rounds and players
        self._boards: dict[tuple[int, str], int] = {}  # lines of games by round and board
        self._without_moves: Counter[int] = Counter()  # games that count as played, by round
        self._events: dict[str, None] = {}  # names, in order of appearance
        self._about: dict[str, str] = {}
        self._dates: list[str] = []
        self._without_teams: Tags | None = None  # the first game, if it names no teams

    # ------------------------------------------------------------------------- game by game

    def add(self, tags: Tags) -> None:
        """Add a game, or the bye of a player."""
        has_teams = self._options.teams or tags.text("WhiteTeam") or tags.text("BlackTeam")
        if not (self._individual or self._entrants.numbers or has_teams):
            self._individual, self._entrants.word = True, "player"
            self._without_teams = tags
            self._notes.say(NO_TEAMS, aside="")
        # That no game names teams is known at the end of the file.
        if has_teams and self._without_teams and not self._options.individual:
            allowed = f"the name of a team, as in the game of line {tags.number}, or --individual"
            raise self._without_teams.error("WhiteTeam", allowed)
        place = self._place(tags)
        if self._individual and len(tags.there) < 2:
            self._add_bye(tags, place[0])
        else:
            self._add(tags, self._entrant(tags, "White"), self._entrant(tags, "Black"), place)

    def _add_bye(self, tags: Tags, round_number: int) -> None:
        """Add a game of which a side is nobody as the other side's bye."""
        result = RESULTS.get(_result(tags))
        if not tags.there or result is None:
            raise tags.error("White", "the name of a player")
        (colour,) = tags.there
        entrant = self._entrant(tags, colour)
        self._player(tags, colour, entrant, tags.rating(f"{colour}Elo"), round_number)
        self._byes[round_number, entrant] = result[colour == "Black"]
        self._matches.setdefault(round_number, {})  # a round with byes alone is one
        tags.note_assumption(
            "a game against nobody is a bye", colour, "a player against another one"
        )

    def add_empty_board(self, tags: Tags) -> None:
        """Add a game of which a side is nobody, of the other side's opponent in the round."""
        if not tags.there:
            raise tags.error("White", "the name of a player")
        (colour,) = tags.there
        team, place = self._entrant(tags, colour), self._place(tags)
        opponent = self._opponent.get((place[0], team))
        if opponent is None:
            allowed = f"of a team with another game in round {place[0]}, which shows its opponent"
            raise tags.error(colour, allowed)
        pair = (team, opponent) if colour == "White" else (opponent, team)
        self._add(tags, *pair, place)

    def _add(self, tags: Tags, white: int, black: int, place: tuple[int, int, int]) -> None:
        """Add the game of two entrants; `place` has round, match and board."""
        round_number, _, board = place
        pair = min(white, black), max(white, black)
        games = self._games_between(tags, round_number, white, black)
        if board != _NO_BOARD and any(board == game.board for game in games):
            where = "Board" if tags.integer("Board", 0, MAX_BOARDS, 0) else "Round"
            allowed = (
                "another board than that of an earlier game of the match; if the pair met twice, "
                "the second may be a play-off: leave it out, and name its winner with --decided"
            )
            raise tags.error(where, allowed)
        result = _result(tags)
        by_default = False
        # Some write a forfeit into the result.
        if result not in RESULTS and (score := result_of(result)) and not score[1]:
            by_default, result = True, _RESULT_OF.get(score[0], result)
        if result not in RESULTS:
            raise tags.error("Result", f"one of {', '.join(RESULTS)}")
        half_points = RESULTS[result]
        if tags.end in RESULTS and RESULTS[tags.end] not in (half_points, None):
            allowed = f"{tags.end}, with which the moves end"
            self._notes.note_assumption(
                "the tag Result counts, though the moves end with another result",
                tags,
                functools.partial(tags.error, "Result", allowed),
                whom=tags.whom("White"),
                wrong="points",
            )
        if half_points is None:
            self._open.add((round_number, pair))
        ratings = tags.rating("WhiteElo"), tags.rating("BlackElo")
        players = (
            self._player(tags, "White", white, ratings[0], round_number),
            self._player(tags, "Black", black, ratings[1], round_number),
        )
        # 0-0 with moves is a result, by penalties of both; without any both did not come.
        played = (half_points != (0, 0) or bool(tags.moves)) and not by_default
        if not tags.moves:  # was it decided without play?
            how = tags.known("Termination").casefold()
            words = how.replace("time forfeit", "")
            played &= not any(word in words for word in UNPLAYED) if how else None not in players
            self._without_moves[round_number] += played and not how
        points = half_points or (0, 0)
        games.append(Game(*place, white, black, *players, *points, played, *ratings))
        self._add_facts(tags)

    def _add_facts(self, tags: Tags) -> None:
        """Take what a game says of its event; of most facts the first text counts."""
        if event := tags.known("Event"):
            self._events.setdefault(event)
        if site := tags.known("Site"):
            self._about.setdefault("city", site)
        if date := slashed_date(tags.text("EventDate")):
            self._about.setdefault("start", date)
        self._dates += filter(None, [slashed_date(tags.text("Date"))])

    def _games_between(self, tags: Tags, round_number: int, white: int, black: int) -> list[Game]:
        """The games so far of the match of two entrants, who have no other one in the round."""
        suffix = "" if self._individual else "Team"
        if white == black:
            raise tags.error(
                f"Black{suffix}", f"another {suffix.lower() or 'player'} than White{suffix}"
            )
        for tag, entrant, opponent in (("White", white, black), ("Black", black, white)):
            place = round_number, entrant
            if self._opponent.setdefault(place, opponent) != opponent or place in self._byes:
                match = "match" if suffix else "game"
                raise tags.error(f"{tag}{suffix}", f"in one {match} of round {round_number}")
        pair = min(white, black), max(white, black)
        games = self._matches.setdefault(round_number, {}).setdefault(pair, [])
        if len(games) == MAX_BOARDS:
            raise tags.error("WhiteTeam", f"in at most {MAX_BOARDS} games of a match")
        return games

    def _place(self, tags: Tags) -> tuple[int, int, int]:
        """Round; match and board if they are given."""
        value = tags.text("Round")
        # Servers write `3`, `3.2` or `3.2.1`.
        shape = re.fullmatch(r"([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.([0-9]{1,7}))?)?", value)
        allowed = f"round, round.match or round.match.board, the round 1..{MAX_ROUNDS}"
        if shape is None or not 1 <= int(shape[1]) <= MAX_ROUNDS:
            raise tags.error("Round", allowed)
        number = _NO_NUMBER if shape[2] is None else int(shape[2])
        if number > 10**6:
            raise tags.error("Round", f"{allowed} and the match at most {10**6}")
        if self._individual:
            self._check_board(tags, int(shape[1]), tags.text("Board") or shape[3])
            # In an event of players the board is the number of the game.
            number = max(number, 0) or tags.integer("Board", 0, 10**6, 0) or _NO_NUMBER
            return int(shape[1]), number, 1
        board = tags.integer("Board", 0, MAX_BOARDS, _NO_BOARD)
        if not board and shape[3] is not None:
            board = int(shape[3])
            if not 1 <= board <= MAX_BOARDS:
                raise tags.error("Round", f"{allowed} and the board 1..{MAX_BOARDS}")
        return int(shape[1]), number, board

    def _check_board(self, tags: Tags, round_number: int, board: str | None) -> None:
        """Refuse a board that a round has twice: then the players are of teams."""
        # Without boards nothing contradicts an event of players.
        if board is None or self._options.individual:
            return
        if self._boards.setdefault((round_number, board), tags.number) != tags.number:
            allowed = (
                f"one that no other game of round {round_number} has, unless the games name teams "
                "(tags WhiteTeam and BlackTeam), --teams FILE does (player, team), or --individual "
                "says that it is an event of players"
            )
            raise tags.error("Board" if tags.text("Board") else "Round", allowed)

    def _entrant(self, tags: Tags, side: str) -> int:
        """The number of a team; of a player who is a team of one, by FIDE number, else by name."""
        if self._options.teams:
            name = self._options.teams.get(tags.known(side))
            if name is None:
                raise tags.error(side, "a player of the table of --teams")
            return self._entrants.of(tags, side, name)
        if not self._individual:
            name = tags.known(f"{side}Team")
            if not name:
                raise tags.error(f"{side}Team", f"a name of 1..{MAX_NAME} characters")
            return self._entrants.of(tags, f"{side}Team", name)
        fide_id = tags.fide_id(f"{side}FideId")
        # A number is safer than a name, which is spelt in many ways.
        if fide_id in self._by_id:
            return self._players[self._by_id[fide_id]].team
        name = tags.known(side) or "?"
        # A namesake with another number is another player.
        namesake = self._entrants.numbers.get(name)
        if fide_id and any(p.fide_id for p in self._players if p.team == namesake):
            about = "players of the same name are told apart by their FIDE numbers"
            self._notes.say(about, aside="")
            name = f"{name} ({fide_id})"
        return self._entrants.of(tags, side, name)

    def _player(
        self, tags: Tags, side: str, team: int, rating: int, round_number: int
    ) -> int | None:
        """Number of the player; None if nobody is named."""
        name, title = tags.known(side), tags.known(f"{side}Title")
        fide_id = tags.fide_id(f"{side}FideId")
        number = self._by_id.get(fide_id)
        if number is not None and self._players[number].team != team:
            assumed = "a FIDE number of players of several teams is kept for the first alone"
            tags.note_assumption(assumed, f"{side}FideId", "of a player who plays for one team")
            fide_id, number = 0, None
        if not self._individual and not fide_id and name.casefold() in NOBODY:
            return None
        if number is not None and is_misspelt(name, self._players[number].name):
            names = f"{name[:40]} and {self._players[number].name[:40]}"
            about = "a FIDE number whose bearer is spelt in two ways, of which the first counts"
            self._notes.say(about, tags, ("player", names), aside="", wrong="name")
        if number is not None and not name:
            about = "a player without a name is known by the FIDE number"
            tags.note_assumption(about, side, "a name")
        if number is None:
            number = self._by_name.get((team, name))
            if number is not None and fide_id and self._players[number].fide_id:
                number = None  # two players of a team have the same name
                about = "players of one name in a team are told apart by their FIDE numbers"
                self._notes.say(about, tags, ("player", name[:40]), aside="", wrong="name")
        if number is None:
            number = len(self._players)
            self._players.append(Player(team, name or "?"))
        player = self._players[number]
        key = round_number, number
        tags.check_once(self._busy, key, side, f"a player with one game in round {round_number}")
        self._players[number] = replace(
            player,
            fide_id=player.fide_id or fide_id,
            rating=player.rating or rating,
            title=player.title or title,
        )
        # The first of the same name is the one that games without a number mean.
        self._by_name.setdefault((team, name), number)
        if fide_id:
            self._by_id[fide_id] = number
        return number

    # --------------------------------------------------------------------------- the draft

    def draft(self, file: str, name: str) -> Draft:
        """The draft of the event that the games add up to."""
        numbered = _numbers_differ(self._matches)
        # Players stand team by team, in their order of appearance.
        order = sorted(range(len(self._players)), key=lambda player: self._players[player].team)
        new = {None: None} | {player: number for number, player in enumerate(order)}
        pairings: list[Pairing] = []
        for round_number, pairs in sorted(self._matches.items()):
            matches = [
                self._pairing(games[0].match if numbered else k, pair, games, new)
                for k, (pair, games) in enumerate(pairs.items(), start=1)
            ]
            pairings += sorted(matches, key=lambda match: match.number)
            pairings += self._byes_of(round_number, max((m.number for m in matches), default=0))
        if not any(pairing.games for pairing in pairings):
            raise InputError(f"{file}: must have at least one finished round of games")
        if self._dates:
            self._about.setdefault("start", min(self._dates))
        return Draft(
            name=next(iter(self._events), name),
            file=file,
            options=self._options,
            notes=self._notes,
            individual=self._individual,
            names=tuple(self._entrants.numbers),
            pairings=pairings,
            players=[self._players[player] for player in order],
            planned=max(self._matches, default=0),
            about=self._about,
            say_later=lambda rounds, sides: self._say(rounds, sides, numbered),
        )

    def _pairing(
        self,
        number: int,
        pair: tuple[int, int],
        games: Sequence[Game],
        new: Mapping[int | None, int | None],
    ) -> Pairing:
        """A match; `new`: the numbers that players have in the event."""
        seats = [
            replace(game, match=number, board=board, white=new[game.white], black=new[game.black])
            for board, game in sorted(_with_boards(games).items())
        ]
        first = seats[0]  # the first team has White on the first board
        match = Pairing(first.round, number, first.white_team, first.black_team)
        match.is_open = (first.round, pair) in self._open
        match.games = () if match.is_open else seats
        return match

    def _byes_of(self, round_number: int, last: int) -> Iterator[Pairing]:
        """The byes of a round, numbered after its games."""
        byes = sorted(
            (entrant, half) for (r, entrant), half in self._byes.items() if r == round_number
        )
        for number, (entrant, half) in enumerate(byes, start=last + 1):
            yield Pairing(round_number, number, entrant, bye=BYES_OF_A_GAME[half])

    def _say(self, rounds: int, sides: int, numbered: bool) -> None:
        """What a PGN does not tell, and what is assumed for it.

        **Arguments:** `rounds`; `sides`: who met somebody in them; `numbered`: whether matches are.
        """
        if count := sum(n for r, n in self._without_moves.items() if r <= rounds):
            about = "games without moves and without Termination that count as played"
            self._notes.note_assumption(f"{about}: {count}")
        games = (game for pairs in self._matches.values() for of in pairs.values() for game in of)
        if not numbered and any(game.match != _NO_NUMBER for game in games):
            assumed = "Round does not number the matches: they are numbered as they appear"
            self._notes.note_assumption(assumed, aside="")
        if len(self._events) > 1:
            self._notes.note_assumption(
                f"games name {len(self._events)} events: the first name is used"
            )
        word = self._entrants.word
        order = f"a PGN has no start order: {word}s are in order of first appearance"
        self._notes.say(order, aside="")
        if sides + len(self._byes) < len(self._entrants.numbers) * rounds:
            self._notes.note_assumption(
                f"a PGN has no byes: a {word} without games in a round was not paired"
            )


def _numbers_differ(matches: Mapping[int, Mapping[tuple[int, int], list[Game]]]) -> bool:
    """Whether `Round` gives the matches of every round different numbers."""
    for pairs in matches.values():
        numbers = [{game.match for game in games} for games in pairs.values()]
        different = set().union(*numbers)
        alone = len(different) == len(numbers) == sum(map(len, numbers))
        if _NO_NUMBER in different or not alone:
            return False
    return True


def _with_boards(games: Sequence[Game]) -> dict[int, Game]:
    """The games of a match by board; those without a number take the first free boards."""
    boards = {game.board: game for game in games if game.board != _NO_BOARD}
    free = (b for b in range(1, MAX_BOARDS + 1) if b not in set(boards))
    return boards | {next(free): game for game in games if game.board == _NO_BOARD}
