"""Read an event of any format, also compressed or from standard input; or a packaged one."""

from __future__ import annotations

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
from tb2learn.events.files.event_tables import read_tables
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.headings import CUTS, FILES, OPEN_CUT, heads_matches, is_heading
from tb2learn.events.files.lists import heads_list, read_list, shows_list
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
from tb2learn.events.files.rows import Sheet, is_page, is_workbook, sheets_of, unlike
from tb2learn.events.files.source import (
    HEAD,
    MAX_BYTES,
    MAX_NAME,
    MemoryFile,
    decoded,
    is_packed,
    looks_like,
    read_bytes,
    unpacked,
)
from tb2learn.events.files.table_rows import MOST_TITLES
from tb2learn.events.model import TIEBREAKS, TeamEvent
from tb2learn.text import did_you_mean, named, shown
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
    if str(source) == STANDARD_INPUT:
        return read_content(MemoryFile("standard input", standard_input()), options)
    if is_file(source):
        path, folder = Path(source), of_folders()
        if path.name != folder.files[0]:
            return read_content(path, options)
        return _read(folder, path.parent, shown(path.resolve().parent.name), options)
    if is_folder(source):
        path = Path(source)
        name = shown(path.resolve().name)
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
        packed = is_packed(head.data) and not recognised(head, options.strict)
        if packed and not is_workbook(data := read_bytes(source)):
            source = unpacked(data, shown(source.name))
            unread = source.unread
    if source.is_dir():
        event = _read_folder(source, shown(source.name), options)
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
    file = shown(source.name)
    if options.encoding:
        try:
            data = read_bytes(source).decode(options.encoding).encode()
        except UnicodeError as error:
            raise InputError(f"{file}: is not text in {options.encoding}") from error
        source = MemoryFile(source.name, data)
    head = _head(source)
    form = format_named(options.form) if options.form else recognised(head, options.strict)
    if is_packed(head.data) and form in (None, of_folders()):
        form = of_folders() if is_workbook(read_bytes(source)) else None
    if form is not None and not (is_packed(head.data) and form is not of_folders()):
        return _read(form, source, shown(PurePath(source.name).stem), options)
    if options.strict and not options.form and (form := recognised(head, strict=False)):
        raise InputError(f"{file}: may be {form.title}: --strict needs its --form {form.name}")
    seems = looks_like(data := read_bytes(source), file)
    with contextlib.suppress(InputError):
        seems = seems or _of_sheets(sheets_of(data, file))
    raise InputError(f"{file}: {seems or f'must be {titles()}'}")


def holds_rows(head: Head) -> bool:
    """Whether a file that begins so is a table of matches or games, a crosstable, or a list."""
    if is_packed(head.data):
        return False
    if is_page(head.text):
        return True
    try:
        rows = [row for _, row in sheets_of(head.data, "")[0].head(MOST_TITLES)]
    except InputError:  # of a file of another kind, or one whose beginning is cut
        return False
    return any(heads_matches(row) or heads_list(row) for row in rows) or shows_list(rows)


def _read_folder(folder: Traversable, name: str, options: Reading) -> TeamEvent:
    """Read a folder with matches."""
    if (folder / FILES[0]).is_file():
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
        raise InputError(f"{shown(source.name)}: cannot be read: {error.strerror}") from error
    return Head(data, "" if is_packed(data) else decoded(data[: len(data) // 2 * 2]))


def read_sheets(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event in the tables of a file (CSV, XLSX, HTML) or of a folder.

    Sheets that have the names of tables of an event folder (`matches`, `players`, ...) are these
    tables. Else one table of matches or games, or one with lists, is read.

    **Arguments:** `name`: of the event, if the content gives none.
    """
    if source.is_dir():
        files = {file: source / file for file in FILES if (source / file).is_file()}
        found = {f: sheets_of(read_bytes(path), f, options.strict)[0] for f, path in files.items()}
        return read_tables(found, name, options)
    file, data = shown(source.name), read_bytes(source)
    sheets = sheets_of(data, file)
    named = {f"{sheet.name.strip().casefold()}.csv": sheet for sheet in sheets}
    if any(table in named for table in FILES):
        known = {table: replace(named[table], file=table) for table in FILES if table in named}
        return read_tables({FILES[0]: sheets[0], **known}, name, options)
    # A strict reader takes no line above the headings for a title.
    most = 1 if options.strict else MOST_TITLES
    tables = [s for s in sheets if any(heads_matches(row) for _, row in s.head(most))]
    if tables:
        if options.strict and len(sheets) == 1:  # whose CSV must be UTF-8, with commas
            tables = sheets_of(data, file, strict=True)
        return read_tables({FILES[0]: tables[0]}, name, options)
    events, failed = dict[str, TeamEvent](), list[InputError]()
    for sheet in sheets:
        try:
            if event := read_list(sheet, name, options):
                events[sheet.name] = event
        except InputError as error:
            failed.append(error)
    if len(events) > 1 or (events and failed and len(sheets) > 1):
        raise InputError(
            f"{file}: has several sheets with lists of chess-results: leave the one with the "
            "crosstable, or with the pairings of all rounds"
        )
    if not events:
        seems = _of_sheets(sheets) or "has no table of an event"
        raise failed[0] if failed else InputError(f"{file}: {seems}")
    return _fill_in_cuts(*events.values())


def _of_sheets(sheets: list[Sheet]) -> str:
    """What tables look like that are none of an event: what follows their name in a message."""
    rows = [[c.strip() for c in row if c.strip()] for s in sheets for _, row in s.head(40)]
    heading = max(rows, key=lambda row: sum(map(is_heading, row)), default=[])
    if not any(map(is_heading, heading)) and not any(sheet.title for sheet in sheets):
        widths = {len(row) if max(map(len, row)) < 40 else 0 for row in rows[:3]}
        if widths == {1} and len(rows) > 2:
            return "is a list without results: add the crosstable, or the pairings of all rounds"
        if len(rows) < 2 or len(widths) > 1 or min(widths) < 3:
            return ""  # a text, whose commas are none of a table
        heading = rows[0]
    unknown = [cell for cell in heading if not is_heading(cell)]
    some = f" (headings that are not known: {unlike(unknown)})" if unknown else ""
    return (
        f"has no table of an event{some}: it must have rounds and who played, or be a crosstable "
        "with names, numbers and rounds"
    )


def _fill_in_cuts(event: TeamEvent) -> TeamEvent:
    """An event whose list of tie-breaks leaves the cut of one open: that which the columns show."""
    listed = event.about.get(TIEBREAKS, "")
    if OPEN_CUT not in listed:
        return event
    from tb2learn.events.check import best_code

    codes = listed.split(",")
    for place, (name, is_open, number) in enumerate(code.partition(OPEN_CUT) for code in codes):
        if is_open:
            codes[place] = best_code(event, number, [name + cut for cut in CUTS])
    return replace(event, about={**event.about, TIEBREAKS: ",".join(codes)})


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
