"""The entry of FIDE's Tournament Report File (TRF)."""

from __future__ import annotations

import re
from functools import partial
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from tb2learn.events.formats.format import Form, Format, Head, Written

if TYPE_CHECKING:
    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.formats.trf_write import Version
    from tb2learn.events.model import TeamEvent

RECORD = re.compile(r"(?:\A\ufeff?|[\r\n])[0-9]{3}[ \r\n]")


def _recognises(head: Head) -> bool:
    """Whether a line begins like a record."""
    return RECORD.search(head.text) is not None


def _reads(source: Traversable, name: str, options: Reading) -> TeamEvent:
    from tb2learn.events.formats.source import read_bytes
    from tb2learn.events.formats.trf_read import read_trf
    from tb2learn.text import shown

    return read_trf(read_bytes(source), shown(source.name), options)


def _writes(version: Version, event: TeamEvent) -> Written:
    from tb2learn.events.formats.trf_write import write_trf

    text, losses = write_trf(event, version)
    return Written({"": text}, losses)


_LOSES = "names beyond its columns, match numbers, ratings that change from game to game"

FORMAT = Format(
    name="trf",
    title="a TRF",
    recognises=_recognises,
    reads=_reads,
    forms={
        "trf16": Form(
            "FIDE's Tournament Report File of 2016",
            f"{_LOSES}, points of byes, penalties, other match points than 2, 1, 0",
            partial(_writes, 2016),
        ),
        "trf26": Form("FIDE's Tournament Report File of 2026", _LOSES, partial(_writes, 2026)),
    },
    endings=(".trf", ".trfx"),
)
