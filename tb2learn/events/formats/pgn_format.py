"""The entry of PGN, the games of an event."""

from __future__ import annotations

import io
import re
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from tb2learn.events.formats.format import Form, Format, Head, Written

if TYPE_CHECKING:
    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.model import TeamEvent

TAG = re.compile(r"\ufeff?(?:[%;][^\r\n]*[\r\n]|\s)*\[")


def _recognises(head: Head) -> bool:
    """Whether the text begins with a tag, but for comments."""
    return TAG.match(head.text) is not None


def _reads(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event of the games: of a file of any size, unless its characters have several bytes."""
    from tb2learn.events.formats.pgn import read_pgn
    from tb2learn.events.formats.source import decoded, head_of, opened, read_bytes, unmarked
    from tb2learn.text import shown

    file = shown(source.name)
    if unmarked(head_of(source))[1] == "utf-8":
        with opened(source) as stream:
            return read_pgn(stream, file, name, options)
    return read_pgn(io.BytesIO(decoded(read_bytes(source)).encode()), file, name, options)


def _writes(event: TeamEvent) -> Written:
    from tb2learn.events.formats.pgn_write import write_pgn

    text, losses = write_pgn(event)
    return Written({"": text}, losses)


FORMAT = Format(
    name="pgn",
    title="a PGN",
    recognises=_recognises,
    reads=_reads,
    forms={
        "pgn": Form(
            "the games with their tags, without moves",
            "byes, matches without games, penalties, the start order, other match points than "
            "2, 1, 0, sex, federation and birth of players",
            _writes,
        )
    },
    endings=(".pgn",),
)
