"""Read an event of any format, also compressed or from standard input; or a packaged one."""

from __future__ import annotations

import codecs
import contextlib
import itertools
import os
import sys
from dataclasses import replace
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath

from tb2learn.data import event_folder, event_names
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.files.code_pages import with_halves
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.headings import FILES, START
from tb2learn.events.files.options import Reading
from tb2learn.events.files.registry import (
    OLD_NAMES,
    Format,
    Head,
    format_named,
    of_folders,
    recognised,
    titles,
)
from tb2learn.events.files.source import (
    HEAD,
    MAX_BYTES,
    MAX_NAME,
    MemoryFile,
    decoded,
    is_packed,
    is_workbook,
    looks_like,
    read_bytes,
    unpacked,
)
from tb2learn.events.model import TeamEvent
from tb2learn.text import did_you_mean, named, printable
from tb2learn.types import InputError

STANDARD_INPUT = "-"
_MOST_BESIDE = 5000


def read_event(source: str | Path, options: Reading | None = None) -> TeamEvent:
    """Read an event from a folder or a file, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv` (or that file); a TRF, PGN or CSV file, recognised by
      its content, also compressed by gzip or ZIP; the name of a packaged event such as `baku2016`;
      `-` for standard input.
    - `options`: how strict to be, and what the user knows about the event. If not given, what is
      unclear is read with a note.

    **Returns:** a `TeamEvent`; its `notes` say what was assumed.

    **Raises:** `InputError`, one line, for anything that is not a valid event, or where a guess
    could change a place: two results of one game, two matches of a team in a round.
    """
    options = options or Reading()
    # A pipe has no name that would tell the format: its content does.
    if str(source) == STANDARD_INPUT:
        return read_content(MemoryFile("standard input", standard_input()), options)
    if is_file(source):
        # The table of matches stands for the folder that it is in.
        path, folder = Path(source), of_folders()
        if path.name != folder.files[0]:
            return read_content(path, options)
        return _read(folder, path.parent, printable(path.resolve().parent.name), options)
    if is_folder(source):
        path = Path(source)
        name = printable(path.resolve().name)
        return _read_folder(path, name, options)
    return _packaged_event(str(source)) if options == Reading() else _packaged(str(source), options)


def _read(form: Format, source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event of a file or folder of a known format; a table of teams is for a PGN alone."""
    if options.teams and form.name != "pgn":
        raise InputError(f"{name}: --teams names the teams of a PGN, and this is {form.title}")
    return form.reads(source, name, options)


def _packaged(name: str, options: Reading) -> TeamEvent:
    """A packaged event; for another name the error says what may have been meant."""
    try:
        folder = event_folder(named(name))
    except InputError as error:
        # A slip may be in the name of a packaged event or of a file beside.
        hint = did_you_mean(os.path.basename(name)[:MAX_NAME], [*event_names(), *_beside(name)])
        raise InputError(f"{error}{hint}") from error
    return _read(of_folders(), folder, name, options)


@lru_cache(maxsize=16)
def _packaged_event(name: str) -> TeamEvent:
    """A packaged event as it is read by default: once, as it does not change."""
    return _packaged(name, Reading())


def _beside(name: str) -> list[str]:
    """Names in the folder of a path; the first thousands of a large one."""
    try:
        with os.scandir(os.path.dirname(name) or ".") as entries:
            return [entry.name for entry in itertools.islice(entries, _MOST_BESIDE)]
    except (OSError, ValueError):  # no such folder, or a name that cannot be a path
        return []


def read_content(source: Traversable, options: Reading) -> TeamEvent:
    """Read a file or folder, on disk or in memory.

    A file is read in the format that its content shows or the user names. What is compressed and of
    no format itself is unpacked, once.
    """
    unread: tuple[str, ...] = ()
    if not source.is_dir():
        head = _head(source)
        # A workbook is an archive, too, and is read as it is.
        packed = is_packed(head.data) and not recognised(head, options.strict)
        if packed and not is_workbook(data := read_bytes(source)):
            source = unpacked(data, printable(source.name))
            unread = source.unread
    if source.is_dir():
        event = _read_folder(source, printable(source.name), options)
    else:
        event = _read_file(source, options)
    notes = list[str]()
    if unread:
        names = f"{', '.join(unread[:4])}{', ...' if len(unread) > 4 else ''}"
        notes.append(f"members of the archive not read: {names}")
    if options.form in OLD_NAMES:
        notes.append(Aside(f"the form {options.form} is now called {OLD_NAMES[options.form]}"))
    return replace(event, notes=(*event.notes, *notes)) if notes else event


def _read_file(source: Traversable, options: Reading) -> TeamEvent:
    """The event of a file that is not packed."""
    file = printable(source.name)
    if options.encoding:
        try:
            # From here on it is UTF-8 for every reader.
            text = read_bytes(source).decode(options.encoding)
            data = with_halves(text, codecs.lookup(options.encoding).name).encode()
        except UnicodeError as error:
            raise InputError(f"{file}: is not text in {options.encoding}") from error
        source = MemoryFile(source.name, data)
    head = _head(source)
    form = format_named(options.form) if options.form else recognised(head, options.strict)
    if is_packed(head.data) and form in (None, of_folders()):
        form = of_folders() if is_workbook(read_bytes(source)) else None
    if form is not None and not (is_packed(head.data) and form is not of_folders()):
        return _read(form, source, printable(PurePath(source.name).stem), options)
    if options.strict and not options.form and (form := recognised(head, strict=False)):
        raise InputError(f"{file}: may be {form.title}: --strict needs its --form {form.name}")
    # Nothing was recognised: what the file is helps more than what it is not.
    seems = looks_like(data := read_bytes(source), file)
    with contextlib.suppress(InputError):
        if not seems:
            from tb2learn.events.files.sheets import sheets_of, what_sheets_hold

            seems = what_sheets_hold(sheets_of(data, file))
    raise InputError(f"{file}: {seems or f'must be {titles()}'}")


def _read_folder(folder: Traversable, name: str, options: Reading) -> TeamEvent:
    """Read a folder with matches."""
    is_start = options.before_first and (folder / START).is_file()
    if is_start or (folder / FILES[0]).is_file():
        return _read(of_folders(), folder, name, options)
    raise InputError(
        f"{name}: a folder of an event must hold {FILES[0]}; of chess-results give one file, with "
        "the crosstable or with the pairings of all rounds"
    )


def _head(source: Traversable) -> Head:
    """The beginning of a file; characters of two bytes are not cut."""
    try:
        with source.open("rb") as stream:
            data = stream.read(HEAD)
    except OSError as error:
        raise InputError(f"{printable(source.name)}: cannot be read: {error.strerror}") from error
    return Head(data, "" if is_packed(data) else decoded(data[: len(data) // 2 * 2]))


def standard_input() -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise InputError("standard input: cannot be read: is closed")
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"standard input: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"standard input: must be at most {MAX_BYTES} bytes, has more")
    return data
