"""Convert an event to another format: a folder of CSV tables, a TRF or a PGN file."""

from __future__ import annotations

import os
from pathlib import Path

from tb2learn.disk.files import check_file, write_text
from tb2learn.events.formats.csv_rows import FILES
from tb2learn.events.formats.csv_write import folder_files
from tb2learn.events.formats.oddities import Reading
from tb2learn.events.formats.pgn_write import write_pgn
from tb2learn.events.formats.read import read_event
from tb2learn.events.formats.trf_write import write_trf
from tb2learn.events.model import TeamEvent
from tb2learn.text import shown
from tb2learn.types import InputError

FORMS = ("csv", "trf16", "trf26", "pgn")
_BY_SUFFIX = {"": "csv", ".trf": "trf26", ".trfx": "trf26", ".pgn": "pgn"}


def convert(
    source: str | Path,
    target: Path,
    form: str | None = None,
    overwrite: bool = False,
    options: Reading | None = None,
) -> tuple[list[Path], tuple[str, ...], tuple[str, ...]]:
    """Read an event and write it in another format.

    A file is written completely or not at all. `matches.csv`, without which a folder is not read as
    an event, is written last.

    **Arguments:**

    - `source`: anything that `read_event` reads.
    - `target`: a file, or a folder for `csv`.
    - `form`: one of `FORMS`; None chooses by the suffix of the target: `.trf` and `.trfx` are
      TRF26, `.pgn` is PGN, no suffix is a folder.
    - `overwrite`: whether existing files may be replaced.
    - `options`: how the event is read.

    **Returns:** the files written; the notes of the reader; and the losses of the conversion, one
    line each.

    **Raises:** `InputError` if the event cannot be read or written in that format, or if the target
    exists.
    """
    form = _form(target, form)
    _make_room(target, form, overwrite)
    event = read_event(source, options)
    files, losses = _content(event, target, form)
    for path, text in files.items():
        write_text(path, text)
    if form == "csv":
        for stale in {target / name for name in FILES} - set(files):
            stale.unlink(missing_ok=True)
    left_alone = (f"{part} of {shown(str(source))}" for part in event.left_alone)
    return list(files), event.notes, (*left_alone, *losses)


def _form(target: Path, form: str | None) -> str:
    if form is not None:
        if form not in FORMS:
            raise InputError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
        return form
    if os.path.isdir(target):
        return "csv"
    if target.suffix.lower() not in _BY_SUFFIX:
        raise InputError(
            f"{shown(str(target))}: must end in .trf, .trfx or .pgn, or have no suffix (a "
            f"folder); or name the form: {', '.join(FORMS)}"
        )
    return _BY_SUFFIX[target.suffix.lower()]


def _content(event: TeamEvent, target: Path, form: str) -> tuple[dict[Path, str], tuple[str, ...]]:
    """The text of every file to write, and the losses."""
    if form == "csv":
        files = folder_files(event)
        return {target / name: files[name] for name in reversed(FILES) if name in files}, ()
    text, losses = write_pgn(event) if form == "pgn" else write_trf(event, 2000 + int(form[3:]))
    return {target: text}, losses


def _make_room(target: Path, form: str, overwrite: bool) -> None:
    """Refuse to overwrite files, unless allowed; and what is no file, always."""
    paths = [target / name for name in FILES] if form == "csv" else [target]
    check_file(*paths)
    for path in paths:
        if os.path.lexists(path) and not overwrite:
            raise InputError(f"{shown(str(path))} exists: give another name, or --overwrite")
