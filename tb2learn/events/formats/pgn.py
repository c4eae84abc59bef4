"""Events as PGN: the games of a team event, each with its tags.

Read are the tags; of the moves only whether there are any. A file is read line by line, so that a
large one takes no more memory than its games. What a PGN does not say in so many words is read
like this:

- **Round** is `round`, `round.match` or `round.match.board`. The second number is the match's where
  throughout the file every pair of teams has one of its own; else the matches of a round are
  numbered as they appear.
- **A match** is all the games of two teams in a round. Its `team_a` has white on the first board.
- **Board** comes from the tag of that name, else from the third number of `Round`, else from the
  order of the games.
- **No play.** A game without moves was given without play if `Termination` says so (`forfeit` but
  not `time forfeit`, `unplayed`, `default`, `walkover`, `bye`), or if there is no `Termination` and
  a side has neither a FIDE number nor a name (none, `?`, `N.N.`, `bye`). Any other game without
  moves was played; a note counts them. `0-0` is a game that both sides lost by default.
- **Result** `*` means that the round is not finished. The tag is what counts, not the result that
  ends the moves.
- **Players** are told apart by FIDE number, else by team and name. A player has the first rating
  that a game gives; every game keeps its own.
- **Order.** A PGN has no start order: teams stand as they first appear.
- **Byes** are not in a PGN: a team without games in a round was not paired.

Sloppy files are read too: tags in any order, several on a line, quotes that are not escaped, line
ends of every kind, UTF-8 or (line by line) Latin-1, lines that begin with `%`, comments and
variations with anything in them, games without moves and without blank lines between them.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tb2learn.events.formats.source import MAX_NAME, MAX_RATING, refusal
from tb2learn.events.model import (
    EventData,
    Game,
    Match,
    Player,
    matches_of,
    team_ratings,
    unfinished_note,
)
from tb2learn.text import shown
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, MAX_TEAMS, InputError

MAX_PGN_BYTES = 2 << 30
MAX_LINE = 1 << 16
"""Bytes of a line of tags; lines of moves may be longer."""

_BLOCK = 1 << 18


def read_pgn(stream: io.BufferedIOBase, file: str, name: str) -> EventData:
    """Read an event from the PGN of its games.

    **Arguments:**

    - `stream`: of bytes, read once from where it stands.
    - `file`: its name in messages.
    - `name`: of the event, if the games do not say.

    **Raises:** `InputError`, one line, for anything that is not a possible team event.
    """
    reader = _Reader(file)
    for tags in _tagged(stream, file):
        reader.add(tags)
    return reader.event(name)


# --------------------------------------------------------------------------- lines and tags

_TAG = re.compile(r'\[\s*([\w+#=:-]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
_TAG_WITH_BARE_QUOTES = re.compile(r'\[\s*([\w+#=:-]+)\s+"(.*)"\s*\]\s*$', re.ASCII)
_ESCAPED = re.compile(r'\\(["\\])')
_COMMENT = re.compile(rb"[{;]")
_SQUARE = re.compile(rb"[a-h][1-8]")  # every move names one, but castling, which is never the first

_WANTED = frozenset(
    {"Event", "Site", "Date", "EventDate", "Round", "Board", "Result", "Termination"}
    | {c + t for c in ("White", "Black") for t in ("", "Team", "Elo", "Title", "FideId")}
)


class _Tag(NamedTuple):
    value: str
    line: int
    column: int


@dataclass(frozen=True)
class _Tags:
    """The tags of one game."""

    file: str
    line: int
    tags: Mapping[str, _Tag]
    moves: bool

    def error(self, tag: str, allowed: str, got: str | None = None) -> InputError:
        _, line, column = self.tags.get(tag, _Tag("", self.line, 1))
        where = f"column {column} ({tag})"
        return refusal(self.file, line, where, allowed, self.text(tag) if got is None else got)

    def text(self, tag: str) -> str:
        return self.tags[tag].value.strip() if tag in self.tags else ""

    def known(self, tag: str) -> str:
        """A name, or nothing where it is not known."""
        value = self.text(tag)
        if len(value) > MAX_NAME:
            raise self.error(tag, f"a name of at most {MAX_NAME} characters")
        return "" if value in ("?", "-") else value

    def integer(self, tag: str, high: int) -> int:
        """A whole number; 0 where it is not known."""
        value = self.text(tag)
        if value in ("", "?", "-"):
            return 0
        if not re.fullmatch(r"[0-9]{1,10}", value) or int(value) > high:
            raise self.error(tag, f"a whole number 0..{high}")
        return int(value)


def _lines(stream: io.BufferedIOBase, file: str) -> Iterator[tuple[int, int, bytes]]:
    """The lines: number, offset, content. A very long line comes in pieces, at offsets in it."""
    number, offset, total, kept = 1, 0, 0, b""
    while block := stream.read(_BLOCK):
        if not total:
            block = block.removeprefix(b"\xef\xbb\xbf")
        total += len(block)
        if total > MAX_PGN_BYTES:
            raise InputError(f"{file}: must be at most {MAX_PGN_BYTES} bytes, has more")
        lines = (kept + block).splitlines(keepends=True)
        # The last line may go on in the next block, and a CR may be half of a line end.
        kept = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        for line in lines:
            yield number, offset, line
            number, offset = number + 1, 0
        if len(kept) > MAX_LINE and not kept.endswith(b"\r"):
            yield number, offset, kept
            offset, kept = offset + len(kept), b""
    if kept:
        yield number, offset, kept


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _tagged(stream: io.BufferedIOBase, file: str) -> Iterator[_Tags]:
    """The games of a file, each with the tags that are wanted."""
    tags: dict[str, _Tag] = {}
    first, blank, text, moves = 0, False, False, False
    comment: tuple[int, int] | None = None  # where it began
    skipped = 0  # the line of which the rest says nothing
    for number, offset, line in _lines(stream, file):
        at = 0
        if offset == 0 and comment is None:
            start = line.lstrip()
            blank = blank or not start
            if line.startswith(b"%"):
                skipped = number
            elif start.startswith(b"["):
                found, line, offset = _line_tags(line, file, number)
                for name, tag in found:
                    if first and (text or (name in tags and (blank or name == "Event"))):
                        yield _Tags(file, first, tags, moves)
                        tags, first, blank, text, moves = {}, 0, False, False, False
                    first = first or number
                    if name in tags:
                        where = f"column {tag.column} ({name})"
                        raise refusal(file, number, where, "given once a game", tag.value)
                    if name in _WANTED:
                        tags[name] = tag
        if skipped == number:
            continue
        while at < len(line):
            if comment is not None:
                end = line.find(b"}", at)
                if end < 0:
                    break
                comment, at = None, end + 1
                continue
            opened = _COMMENT.search(line, at)
            end = opened.start() if opened else len(line)
            if line[at:end].strip():
                if not first:
                    allowed = 'a tag such as [Event "name"]'
                    raise refusal(file, number, "column 1", allowed, _decoded(line[:80].strip()))
                text = True
                moves = moves or _SQUARE.search(line, at, end) is not None
            if opened is None:
                break
            text = text or first > 0
            if opened[0] == b";":
                skipped = number
                break
            comment, at = (number, offset + len(_decoded(line[:end])) + 1), end + 1
    if comment is not None:
        line_number, column = comment
        where = f"column {column} (comment)"
        raise refusal(file, line_number, where, "closed by } before the file ends", "{")
    if first:
        yield _Tags(file, first, tags, moves)


def _line_tags(line: bytes, file: str, number: int) -> tuple[list[tuple[str, _Tag]], bytes, int]:
    """The tags at the beginning of a line, what else follows, and after how many characters."""
    if len(line) > MAX_LINE:
        raise refusal(file, number, "column 1", f"a line of at most {MAX_LINE} bytes", "more")
    text = _decoded(line)
    if "\0" in text:
        raise refusal(file, number, f"column {text.index(chr(0)) + 1}", "no NUL character", "\0")
    found = []
    at = len(text) - len(text.lstrip())
    while text.startswith("[", at):
        match = _TAG.match(text, at) or _TAG_WITH_BARE_QUOTES.match(text, at)
        if match is None:
            allowed = 'a tag such as [White "Name"]'
            raise refusal(file, number, f"column {at + 1}", allowed, text[at:].strip())
        value = _ESCAPED.sub(r"\1", match[2])
        found.append((match[1], _Tag(value, number, match.start(2))))
        at = match.end()
    return found, text[at:].encode(), at


# --------------------------------------------------------------------------- games

_RESULTS = {
    "1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "1/2": (1, 1), "\u00bd-\u00bd": (1, 1),
    "0-0": (0, 0), "*": None,
}  # fmt: skip
_NOBODY = ("", "n.n.", "bye")
_UNPLAYED = ("forfeit", "unplayed", "default", "walkover", "bye")


class _Found(NamedTuple):
    """A game that was read; teams and players by number, in order of first appearance."""

    number: int | None
    board: int | None
    teams: tuple[int, int]
    players: tuple[int | None, int | None]
    half_points: tuple[int, int]
    played: bool
    ratings: tuple[int, int]


class _Reader:
    """Takes the games one after the other; refuses what cannot be, where it stands."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._teams: dict[str, int] = {}
        self._players: list[Player] = []
        self._by_id: dict[int, int] = {}
        self._by_name: dict[tuple[int, str], int] = {}
        # By round, and by the two teams in it, lower number first.
        self._pairs: dict[int, dict[tuple[int, int], list[_Found]]] = {}
        self._opponent: dict[tuple[int, int], int] = {}
        self._busy: set[tuple[int, int]] = set()
        self._unfinished = MAX_ROUNDS + 1
        self._without_moves: dict[int, int] = {}
        self._names: dict[str, None] = {}
        self._about: dict[str, str] = {}
        self._first_date = ""

    def add(self, tags: _Tags) -> None:
        """Take one game."""
        round_number, number, board = self._round(tags)
        white, black = self._team(tags, "White"), self._team(tags, "Black")
        if white == black:
            raise tags.error("BlackTeam", "another team than WhiteTeam")
        for tag, team, other in (("White", white, black), ("Black", black, white)):
            if self._opponent.setdefault((round_number, team), other) != other:
                raise tags.error(f"{tag}Team", f"in one match of round {round_number}")
        games = self._pairs.setdefault(round_number, {})
        games_of_match = games.setdefault((min(white, black), max(white, black)), [])
        if len(games_of_match) == MAX_BOARDS:
            raise tags.error("WhiteTeam", f"in at most {MAX_BOARDS} games of a match")
        if board is not None and any(board == g.board for g in games_of_match):
            where = "Board" if tags.integer("Board", MAX_BOARDS) else "Round"
            raise tags.error(where, "another board than that of an earlier game of the match")
        result = tags.text("Result")
        if result not in _RESULTS:
            raise tags.error("Result", f"one of {', '.join(_RESULTS)}")
        half_points = _RESULTS[result]
        if half_points is None:
            self._unfinished = min(self._unfinished, round_number)
        ratings = tags.integer("WhiteElo", MAX_RATING), tags.integer("BlackElo", MAX_RATING)
        players = (
            self._player(tags, "White", white, ratings[0], round_number),
            self._player(tags, "Black", black, ratings[1], round_number),
        )
        played = half_points != (0, 0) and (tags.moves or not _given(tags, None in players))
        if played and not tags.moves:
            self._without_moves[round_number] = self._without_moves.get(round_number, 0) + 1
        found = half_points or (0, 0)
        games_of_match.append(
            _Found(number, board, (white, black), players, found, played, ratings)
        )
        self._describe(tags)

    def _round(self, tags: _Tags) -> tuple[int, int | None, int | None]:
        """Round, and match and board where they are given."""
        value = tags.text("Round")
        shape = re.fullmatch(r"([0-9]{1,7})(?:\.([0-9]{1,7})(?:\.([0-9]{1,7}))?)?", value)
        allowed = f"round, round.match or round.match.board, the round 1..{MAX_ROUNDS}"
        if shape is None or not 1 <= int(shape[1]) <= MAX_ROUNDS:
            raise tags.error("Round", allowed)
        number = None if shape[2] is None else int(shape[2])
        if number is not None and number > 10**6:
            raise tags.error("Round", f"{allowed} and the match at most {10**6}")
        board = tags.integer("Board", MAX_BOARDS)
        if not board and shape[3] is not None:
            board = int(shape[3])
            if not 1 <= board <= MAX_BOARDS:
                raise tags.error("Round", f"{allowed} and the board 1..{MAX_BOARDS}")
        return int(shape[1]), number, board or None

    def _team(self, tags: _Tags, side: str) -> int:
        name = tags.known(f"{side}Team")
        if not name:
            raise tags.error(f"{side}Team", f"a name of 1..{MAX_NAME} characters")
        if name not in self._teams and len(self._teams) == MAX_TEAMS:
            raise tags.error(f"{side}Team", f"one of at most {MAX_TEAMS} teams")
        return self._teams.setdefault(name, len(self._teams))

    def _player(
        self, tags: _Tags, side: str, team: int, rating: int, round_number: int
    ) -> int | None:
        """Number of the player; None where nobody is named."""
        name, title = tags.known(side), tags.known(f"{side}Title")
        fide_id = tags.integer(f"{side}FideId", 10**9 - 1)
        if not fide_id and name.casefold() in _NOBODY:
            return None
        number = self._by_id.get(fide_id)
        if number is None:
            number = self._by_name.get((team, name))
            if number is not None and fide_id and self._players[number].fide_id:
                number = None  # two of one name in a team
        if number is None:
            number = len(self._players)
            self._players.append(Player(team, name or "?"))
        player = self._players[number]
        if player.team != team:
            raise tags.error(f"{side}FideId", "of a player who plays for one team")
        if (round_number, number) in self._busy:
            raise tags.error(side, f"a player with one game in round {round_number}")
        self._busy.add((round_number, number))
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

    def _describe(self, tags: _Tags) -> None:
        if event := tags.known("Event"):
            self._names.setdefault(event)
        if site := tags.known("Site"):
            self._about.setdefault("city", site)
        if date := _date(tags.text("EventDate")):
            self._about.setdefault("start", date)
        if date := _date(tags.text("Date")):
            self._first_date = min(self._first_date or date, date)

    def event(self, name: str) -> EventData:
        """The event that the games add up to."""
        rounds = [r for r in sorted(self._pairs) if r < self._unfinished]
        if not rounds:
            raise InputError(f"{self._file}: must hold at least one finished round of games")
        order = sorted(range(len(self._players)), key=lambda p: self._players[p].team)
        place: dict[int | None, int | None] = {None: None}
        place.update((player, number) for number, player in enumerate(order))
        numbered = _is_numbered(self._pairs)
        games: list[Game] = []
        numbers: dict[tuple[int, int], tuple[int, int]] = {}
        for r in rounds:
            pairs = self._pairs[r]
            keys = {
                p: found[0].number if numbered else k
                for k, (p, found) in enumerate(pairs.items(), 1)
            }
            for pair in sorted(pairs, key=lambda p: keys[p]):
                boards = _with_boards(pairs[pair])
                numbers[r, keys[pair]] = boards[min(boards)].teams
                for board in sorted(boards):
                    game = boards[board]
                    players = (place[p] for p in game.players)
                    games.append(
                        Game(
                            r, keys[pair], board, *game.teams, *players, *game.half_points,
                            game.played, *game.ratings,
                        )
                    )  # fmt: skip
        players = tuple(self._players[p] for p in order)
        if self._first_date:
            self._about.setdefault("start", self._first_date)
        return EventData(
            name=next(iter(self._names), name),
            teams=tuple(self._teams),
            rounds=rounds[-1],
            boards=max(game.board for game in games),
            matches=matches_of(games, numbers),
            ratings=team_ratings(len(self._teams), players, games),
            players=players,
            games=tuple(games),
            planned=max(self._pairs),
            about=self._about,
            notes=tuple(self._notes(rounds, numbered, 2 * len(numbers))),
        )

    def _notes(self, rounds: list[int], numbered: bool, paired: int) -> Iterator[str]:
        if self._unfinished <= MAX_ROUNDS:
            yield from unfinished_note(self._unfinished)
        if count := sum(self._without_moves.get(r, 0) for r in rounds):
            yield f"games without moves that count as played: {count}"
        if not numbered and any(
            game.number is not None
            for pairs in self._pairs.values() for found in pairs.values() for game in found
        ):  # fmt: skip
            yield "Round does not number the matches: they are numbered as they appear"
        if len(self._names) > 1:
            yield f"games name {len(self._names)} events; the first name was taken"
        yield "a PGN has no start order: teams stand as they first appear"
        if paired < len(self._teams) * rounds[-1]:
            yield "a PGN has no byes: a team without games in a round was not paired"


def _given(tags: _Tags, nobody: bool) -> bool:
    """Whether a game without moves was given without play."""
    how = tags.known("Termination").casefold()
    if not how:
        return nobody
    return any(word in how.replace("time forfeit", "") for word in _UNPLAYED)


def _date(text: str) -> str:
    """A whole date as `2016/09/02`, else nothing."""
    found = re.fullmatch(r"([0-9]{4})[./-]([0-9]{2})[./-]([0-9]{2})", text)
    return "/".join(found.groups()) if found else ""


def _is_numbered(pairs: Mapping[int, Mapping[tuple[int, int], list[_Found]]]) -> bool:
    """Whether in every round every pair of teams has one match number of its own."""
    for found in pairs.values():
        numbers = [{game.number for game in games} for games in found.values()]
        if None in set().union(*numbers) or any(len(n) > 1 for n in numbers):
            return False
        if len(set().union(*numbers)) < len(numbers):
            return False
    return True


def _with_boards(games: list[_Found]) -> dict[int, _Found]:
    """The games of a match by board: as they say, the others on the first boards that are free."""
    boards = {game.board: game for game in games if game.board is not None}
    free = (b for b in range(1, MAX_BOARDS + 1) if b not in set(boards))
    return boards | {next(free): game for game in games if game.board is None}


# --------------------------------------------------------------------------- writing


def write_pgn(event: EventData) -> tuple[str, tuple[str, ...]]:
    """The games of an event as PGN, without moves. `read_pgn` reads the same games.

    **Returns:** the text, and what it could not hold, a line each.

    **Raises:** `InputError` if the event has no games, or some that no PGN can tell apart.
    """
    name = shown(event.name)
    if not event.games:
        raise InputError(f"{name}: a PGN needs games: boards.csv in a folder, players in a TRF")
    games = sorted(event.games, key=lambda g: (g.round, g.match, g.board))
    content = "".join(_text(event, game) for game in games)
    try:
        back = read_pgn(io.BytesIO(content.encode()), "PGN", event.name)
    except InputError as error:
        raise InputError(f"{name}: cannot be written as PGN: {error}") from error
    return content, tuple(text for text, lost in _losses(event, games, back).items() if lost)


def _clean(text: str) -> str:
    """Text without what could break a line or a terminal."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text).strip()


def _text(event: EventData, game: Game) -> str:
    """One game: the seven tags that every PGN has, then the others."""
    written = {points: text for text, points in reversed(_RESULTS.items())}
    result = written[game.white_half_points, game.black_half_points]
    sides = [
        (side, None if p is None else event.players[p], event.teams[team], rating)
        for side, p, team, rating in (
            ("White", game.white, game.white_team, game.white_rating),
            ("Black", game.black, game.black_team, game.black_rating),
        )
    ]
    tags = {
        "Event": event.name,
        "Site": event.about.get("city", "?"),
        "Date": "????.??.??",
        "Round": f"{game.round}.{game.match}",
        **{side: player.name if player else "?" for side, player, _, _ in sides},
        "Result": result,
        "Board": str(game.board),
        "EventDate": _date(event.about.get("start", "")).replace("/", "."),
    }
    for side, player, team, rating in sides:
        tags[f"{side}Team"] = team
        tags[f"{side}Elo"] = str(rating or "")
        if player is not None:
            tags[f"{side}Title"] = player.title
            tags[f"{side}FideId"] = str(player.fide_id or "")
    if not game.played:
        tags["Termination"] = "forfeit"
    elif any(player is None for _, player, _, _ in sides):
        tags["Termination"] = "normal"  # or it would be read as given without play
    lines = [
        '[{} "{}"]\n'.format(tag, _clean(value).replace("\\", "\\\\").replace('"', '\\"'))
        for tag, value in tags.items()
        if value
    ]
    # 0-0 may end no game of a PGN: readers would take it for castling.
    return "".join(lines) + f"\n{'*' if result == '0-0' else result}\n\n"


def _losses(event: EventData, games: list[Game], back: EventData) -> dict[str, bool]:
    """What of an event does not come back from its PGN; the games come back in the same order."""
    keys = {(g.round, g.match) for g in games}
    found = {(m.round, m.number): m for m in event.matches if m.team_b is not None}
    again = {(m.round, m.number): m for m in back.matches}
    kept = [(found[key], again[key]) for key in found if key in again]
    same = {
        p: q
        for game, read in zip(games, back.games, strict=True)
        for p, q in ((game.white, read.white), (game.black, read.black))
        if p is not None
    }
    players = [(event.players[p], back.players[q]) for p, q in same.items() if q is not None]
    names = tuple(map(_clean, event.teams))
    place = {name: number for number, name in enumerate(names)}
    about = [key for key, text in event.about.items() if back.about.get(key) != text]

    def scored(event_names: tuple[str, ...], match: Match) -> dict[str, int]:
        a, b = event_names[match.team_a], event_names[match.team_b or 0]
        return {a: match.half_points_a, b: match.half_points_b}

    def boards(match: Match) -> tuple[int, int]:
        return match.boards_decided, match.boards_forfeited

    return {
        "control characters of names": names != event.teams
        or any(_clean(p.name) != p.name for p, _ in players),
        "teams without a game": len(back.teams) < len(names),
        "the start order of the teams": [place[t] for t in back.teams]
        != sorted(place[t] for t in back.teams),
        "ratings of teams that are not those of their players' games": any(
            event.ratings[place[t]] != ratings
            for t, ratings in zip(back.teams, back.ratings, strict=True)
        ),
        "byes": any(m.team_b is None for m in event.matches),
        "matches without games": not found.keys() <= keys,
        "results of matches that are not the sum of their games": any(
            scored(names, m) != scored(back.teams, r) or boards(m) != boards(r) for m, r in kept
        ),
        "match points that do not follow from game points": any(
            m.match_points != replace(m, match_points_a=None, match_points_b=None).match_points
            for m in found.values()
        ),
        "which team of a match is named first": any(
            names[m.team_a] != back.teams[r.team_a] for m, r in kept
        ),
        "that games which both sides lost were played": any(
            g.played != r.played for g, r in zip(games, back.games, strict=True)
        ),
        "players without a game": len(same) < len(event.players),
        "names that stand for nobody, or for two players of a team": None in same.values()
        or len(set(same.values())) < len(same),
        "ratings of players other than in their first game": any(
            p.rating != q.rating for p, q in players
        ),
        "sex, federation and birth of players": any(
            p.sex or p.federation or p.birth for p, _ in players
        ),
        "rounds that are planned or have no games": (event.rounds, event.planned)
        != (back.rounds, back.planned),
        "the number of boards": event.boards != back.boards,
        f"about the event: {', '.join(about)}": bool(about),
    }
