"""Read an event of any format, or a packaged one by name."""

from __future__ import annotations

import os
import re
from importlib.resources.abc import Traversable
from pathlib import Path

from tb2learn.data import event_folder
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.pgn import read_pgn
from tb2learn.events.formats.source import read_bytes
from tb2learn.events.formats.trf_read import read_trf
from tb2learn.events.model import TeamEvent
from tb2learn.text import shown
from tb2learn.types import InputError

_HEAD = 1 << 16
_PGN = re.compile(rb"(?:\xef\xbb\xbf)?(?:[%;][^\r\n]*[\r\n]|\s)*\[")
_TRF = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n])[0-9]{3}[ \r\n]")


def read_event(source: str | Path) -> TeamEvent:
    """Read an event from a folder or a file, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv` (or that file); a TRF or PGN file, recognised by its
      content; or the name of a packaged event such as `baku2016`.

    **Returns:** a `TeamEvent`.

    **Raises:** `InputError`, one line, for anything that is not a valid event.
    """
    # Unlike the methods of `Path`, these return False for a text that cannot be a path.
    if os.path.isfile(source):
        return _read_file(Path(source))
    packaged = not os.path.isdir(source)
    folder: Traversable = event_folder(shown(str(source))) if packaged else Path(source)
    return read_folder(folder, str(source) if packaged else shown(Path(source).resolve().name))


def _read_file(path: Path) -> TeamEvent:
    """Read a file of the format that its content shows."""
    file = shown(path.name)
    if path.name == "matches.csv":
        return read_folder(path.parent, shown(path.resolve().parent.name))
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
            if _PGN.match(head):
                stream.seek(0)
                return read_pgn(stream, file, shown(path.stem))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if _TRF.search(head):
        return read_trf(read_bytes(path), file)
    raise InputError(f"{file}: must be a TRF, a PGN, or a folder with matches.csv (or that file)")
