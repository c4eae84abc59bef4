"""Read the tags of the games of a PGN line by line, and whether each game has moves."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tb2learn.events.formats.fields import Fields, Notes
from tb2learn.events.formats.source import MAX_NAME, refusal
from tb2learn.types import InputError

MAX_PGN_BYTES = 2 << 30
MAX_LINE = 1 << 16
"""Most bytes of a line of tags; lines of moves may be longer."""

_BLOCK = 1 << 18  # bytes read at once

TAG = re.compile(r'\[\s*([\w+#=:-]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*', re.ASCII)
TAG_WITH_BARE_QUOTES = re.compile(r'\[\s*([\w+#=:-]+)\s+"(.*)"\s*\]\s*$', re.ASCII)
_ESCAPED = re.compile(r'\\(["\\])')
_CLOSED = re.compile(rb"\{[^}]*\}")
_WHOLE = re.compile(rb"[^{;]*(?:\{[^}]*\}[^{;]*)*+")  # up to a comment that is not closed
TAG_LINE = re.compile(r'\s*\[\s*[\w+#=:-]+\s+"', re.ASCII)
"""The beginning of a line with a tag, which has no place in a comment."""
_SQUARE = re.compile(rb"[a-h][1-8]")  # a square, which every first move names

WANTED = frozenset(
    {"Event", "Site", "Date", "EventDate", "Round", "Board", "Result", "Termination"}
    | {c + t for c in ("White", "Black") for t in ("", "Team", "Elo", "Title", "FideId")}
)


class Tag(NamedTuple):
    """The value of a tag, and the line and column where it starts, counted from 1."""

    value: str
    line: int
    column: int


class Tags(Fields[str]):
    """The tags of one game.

    **Fields:** `tags`: by name; `moves`: whether the game has any.
    """

    unknown = ("", "?", "-")

    def __init__(
        self, file: str, line: int, tags: Mapping[str, Tag], moves: bool, notes: Notes
    ) -> None:
        super().__init__(notes)
        self._file, self._line, self.tags, self.moves = file, line, tags, moves

    @property
    def number(self) -> int:
        """The line of the first tag, from 1."""
        return self._line

    def error(self, field: str, allowed: str, got: str | None = None) -> InputError:
        """The error for the value of a tag."""
        _, line, column = self.tags.get(field, Tag("", self._line, 1))
        where = f"column {column} ({field})"
        return refusal(self._file, line, where, allowed, self.text(field) if got is None else got)

    def whom(self, field: str) -> tuple[str, str]:
        """The player whom a tag is about, of one side."""
        side = next((side for side in ("White", "Black") if field.startswith(side)), "")
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


class _Place(NamedTuple):
    """Where something stands; the column is counted only for a message, as that takes the line."""

    number: int
    offset: int
    line: bytes
    at: int

    def column(self) -> int:
        """Counted from 1."""
        return self.offset + len(_decoded(self.line[: self.at])) + 1


def _lines(stream: io.BufferedIOBase, file: str) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and content of every line; a very long line comes in several pieces."""
    number, offset, total, kept = 1, 0, 0, b""
    while block := stream.read(_BLOCK):
        if not total:
            block = block.removeprefix(b"\xef\xbb\xbf")
        total += len(block)
        if total > MAX_PGN_BYTES:
            raise InputError(f"{file}: must be at most {MAX_PGN_BYTES} bytes, has more")
        lines = (kept + block).splitlines(keepends=True)
        # The last line may continue in the next block, and a CR may be half of a line end.
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


def tagged_games(stream: io.BufferedIOBase, file: str, notes: Notes) -> Iterator[Tags]:
    """The games of a file, each with those of its tags that are in `WANTED`.

    **Arguments:**

    - `stream`, `file`: as for `read_pgn`.
    - `notes`: takes what is assumed for their tags.

    **Raises:** `InputError`, one line, for text that cannot be a PGN, or too much of it.
    """
    tags: dict[str, Tag] = {}
    first, blank, text, moves = 0, False, False, False
    comment, swallowed = None, False  # where it began; whether a tag stands in it
    skipped = 0  # number of the line that ends in a `;` comment
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
                        yield Tags(file, first, tags, moves, notes)
                        tags, first, blank, text, moves = {}, 0, False, False, False
                    first = first or number
                    if name in tags:
                        where = f"column {tag.column} ({name})"
                        raise refusal(file, number, where, "given once a game", tag.value)
                    if name in WANTED:
                        tags[name] = tag
        if skipped == number:
            continue
        if comment is not None:
            end = line.find(b"}")
            if end < 0:
                swallowed = swallowed or _is_tag(line)
                continue
            comment, at = None, end + 1
        whole = _WHOLE.match(line, at)
        assert whole is not None  # it may be empty
        moves_text = _CLOSED.sub(b" ", whole[0])
        if moves_text.strip():
            if not first:
                allowed = 'a tag such as [Event "name"]'
                raise refusal(file, number, "column 1", allowed, _decoded(line[:80].strip()))
            text = True
            moves = moves or _SQUARE.search(moves_text) is not None
        at = whole.end()
        text = text or (first > 0 and (at < len(line) or b"{" in whole[0]))
        if line.startswith(b";", at):
            skipped = number
        elif at < len(line):
            comment, swallowed = _Place(number, offset, line, at), False
    if comment is not None:
        _end_comment(file, comment, swallowed, notes)
    if first:
        yield Tags(file, first, tags, moves, notes)


def _is_tag(line: bytes) -> bool:
    return line.lstrip().startswith(b"[") and TAG_LINE.match(_decoded(line)) is not None


def _end_comment(file: str, comment: _Place, swallowed: bool, notes: Notes) -> None:
    """Note that the file ends within a comment, which is refused if it has `swallowed` games."""

    def error() -> InputError:
        where = f"column {comment.column()} (comment)"
        return refusal(file, comment.number, where, "closed by } before the file ends", "{")

    if swallowed:
        raise error()
    notes.odd("the file ends within a comment: the last game may be cut", comment.number, error)


def _line_tags(line: bytes, file: str, number: int) -> tuple[list[tuple[str, Tag]], bytes, int]:
    """The tags at the beginning of a line, the rest of the line, and the offset of the rest."""
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
    return found, text[at:].encode(), at
