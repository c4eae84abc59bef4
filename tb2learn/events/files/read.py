"""Read an event of any format, also compressed or from standard input; or a packaged one."""

from __future__ import annotations

import codecs
import contextlib
import itertools
import os
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath

from tb2learn.data import event_folder, event_names
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.files.code_pages import with_halves
from tb2learn.events.files.draft import event_of
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.headings import FILES, START
from tb2learn.events.files.options import Reading
from tb2learn.events.files.registry import (
    OLD_NAMES,
    Format,
    format_named,
    of_folders,
    recognised,
    titles,
)
from tb2learn.events.files.source import (
    MAX_BYTES,
    MAX_NAME,
    Content,
    MemoryFile,
    is_packed,
    is_workbook,
    looks_like,
    read_bytes,
    text_in_page,
    unpacked,
)
from tb2learn.events.model import TeamEvent
from tb2learn.text import did_you_mean, named, printable
from tb2learn.types import InputError

STANDARD_INPUT = "-"
_MOST_BESIDE = 5000


def read_event(source: str | Path | MemoryFile, options: Reading | None = None) -> TeamEvent:
    """Read an event from a folder or a file, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv` (or that file); a TRF, PGN or CSV file, recognised by
      its content, also compressed by gzip or ZIP; the name of a packaged event such as `baku2016`;
      `-` for standard input; a file in memory.
    - `options`: how strict to be, and what the user knows about the event. If not given, what is
      unclear is read with a note.

    **Returns:** a `TeamEvent`; its `notes` say what was assumed.

    **Raises:** `InputError`, one line, for anything that is not a valid event, or where a guess
    could change a place: two results of one game, two matches of a team in a round.
    """
    options = options or Reading()
    place = _find(source)
    if isinstance(place, str) and options == Reading():
        return _packaged_event(place)
    return _event_in(place, options)


def _find(source: str | Path | MemoryFile) -> Path | MemoryFile | str:
    """The file or folder of a source, or the name of a packaged event."""
    if isinstance(source, MemoryFile):
        return source
    # A pipe has no name that would tell the format: its content does.
    if str(source) == STANDARD_INPUT:
        return MemoryFile("standard input", standard_input())
    if is_file(source):
        # The table of matches stands for the folder that it is in.
        path = Path(source)
        return path.parent if path.name == FILES[0] else path
    if is_folder(source):
        return Path(source)
    name = str(source)
    try:
        event_folder(named(name))
    except InputError as error:
        # A slip may be in the name of a packaged event or of a file beside.
        hint = did_you_mean(os.path.basename(name)[:MAX_NAME], [*event_names(), *_beside(name)])
        raise InputError(f"{error}{hint}") from error
    return name


def _beside(name: str) -> list[str]:
    """Names in the folder of a path; the first thousands of a large one."""
    try:
        with os.scandir(os.path.dirname(name) or ".") as entries:
            return [entry.name for entry in itertools.islice(entries, _MOST_BESIDE)]
    except (OSError, ValueError):  # no such folder, or a name that cannot be a path
        return []


@lru_cache(maxsize=16)
def _packaged_event(name: str) -> TeamEvent:
    """A packaged event as it is read by default: once, as it does not change."""
    return _event_in(name, Reading())


def _event_in(place: Path | MemoryFile | str, options: Reading) -> TeamEvent:
    """The event of a place that exists: opened, recognised, read into a draft, and completed."""
    content = _opened(place, options)
    form = _form_of(content, options)
    event = event_of(form.reads(content, options))
    notes = list[str]()
    if unread := content.unread:
        names = f"{', '.join(unread[:4])}{', ...' if len(unread) > 4 else ''}"
        notes.append(f"members of the archive not read: {names}")
    if options.form in OLD_NAMES:
        notes.append(Aside(f"the form {options.form} is now called {OLD_NAMES[options.form]}"))
    return replace(event, notes=(*event.notes, *notes)) if notes else event


def _opened(place: Path | MemoryFile | str, options: Reading) -> Content:
    """The content of a file, or of a folder. What is compressed is unpacked, once."""
    if isinstance(place, str):
        return Content(place, place, folder=event_folder(place))
    file, unread = printable(place.name), ()
    if not place.is_dir():
        data = read_bytes(place)
        # A workbook is an archive, too, and is read as it is.
        if not is_packed(data) or is_workbook(data):
            return _decoded(file, data, (), options)
        place = unpacked(data, file)
        file, unread = printable(place.name), place.unread
    if isinstance(place, MemoryFile) and place.is_file():
        return _decoded(file, read_bytes(place), unread, options)
    name = file if isinstance(place, MemoryFile) else printable(place.resolve().name)
    return Content(file, name, folder=place, unread=unread)


def _decoded(file: str, data: bytes, unread: tuple[str, ...], options: Reading) -> Content:
    """A file with its text; in UTF-8 where the user names its encoding."""
    if options.encoding:
        try:
            # From here on it is UTF-8 for every reader.
            text = data.decode(options.encoding)
            data = with_halves(text, codecs.lookup(options.encoding).name).encode()
        except UnicodeError as error:
            raise InputError(f"{file}: is not text in {options.encoding}") from error
    text, page = ("", "") if is_packed(data) else text_in_page(data)
    return Content(file, printable(PurePath(file).stem), data, text, page, unread=unread)


def _form_of(content: Content, options: Reading) -> Format:
    """The format that the user names, or the content shows.

    **Raises:** `InputError` for content that is none of an event, which says what it looks like,
    and for a table of teams with anything but a PGN.
    """
    file, data, form = content.file, content.data, None
    if folder := content.folder:
        is_start = options.before_first and (folder / START).is_file()
        if not is_start and not (folder / FILES[0]).is_file():
            raise InputError(
                f"{content.name}: a folder of an event must hold {FILES[0]}; of chess-results give "
                "one file, with the crosstable or with the pairings of all rounds"
            )
        form = of_folders()
    elif options.form:
        form = format_named(options.form)
    else:
        form = recognised(content, options.strict)
    # Of what is packed a workbook alone is left, which is a table.
    if not folder and is_packed(data):
        form = of_folders() if form in (None, of_folders()) and is_workbook(data) else None
    if form is not None:
        if options.teams and form.name != "pgn":
            named_by = f"{content.name}: --teams names the teams of a PGN"
            raise InputError(f"{named_by}, and this is {form.title}")
        return form
    if options.strict and not options.form and (form := recognised(content, strict=False)):
        raise InputError(f"{file}: may be {form.title}: --strict needs its --form {form.name}")
    # Nothing was recognised: what the file is helps more than what it is not.
    seems = looks_like(data, file)
    with contextlib.suppress(InputError):
        if not seems:
            from tb2learn.events.files.sheets import sheets_of, what_sheets_hold

            seems = what_sheets_hold(sheets_of(data, file))
    raise InputError(f"{file}: {seems or f'must be {titles()}'}")


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
