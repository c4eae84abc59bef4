"""Read an event of any format, or a packaged one by name."""

from __future__ import annotations

import itertools
import os
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath

from tb2learn.data import event_folder, event_names
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.formats.format import Head
from tb2learn.events.formats.oddities import Reading
from tb2learn.events.formats.packed import is_packed, standard_input, unpacked
from tb2learn.events.formats.registry import format_named, of_folders, recognised, titles
from tb2learn.events.formats.source import MAX_NAME, Held, decoded, head_of, read_bytes
from tb2learn.events.model import TeamEvent
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
        return read_content(Held("standard input", standard_input()), options)
    folder = of_folders()
    table = folder.files[0]
    if is_file(source):
        path = Path(source)
        if path.name != table:
            return read_content(path, options)
        return folder.reads(path.parent, shown(path.resolve().parent.name), options)
    if is_folder(source):
        path = Path(source)
        name = shown(path.resolve().name)
        if not (path / table).is_file():
            raise InputError(f"{name}: a folder of an event must hold {table}")
        return folder.reads(path, name, options)
    return folder.reads(_packaged(str(source)), str(source), options)


def _packaged(name: str) -> Traversable:
    """The folder of a packaged event.

    **Raises:** `InputError` that names what may have been meant: packaged events, and files beside
    the one that does not exist.
    """
    try:
        return event_folder(named(name))
    except InputError as error:
        hint = did_you_mean(os.path.basename(name)[:MAX_NAME], [*event_names(), *_beside(name)])
        raise InputError(f"{error}{hint}") from error


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

    **Raises:** `InputError` as `read_event`, and for content of no format.
    """
    head = None if source.is_dir() else _head(source)
    if head and is_packed(head.data) and not recognised(head, options.strict):
        source = unpacked(read_bytes(source), shown(source.name))
        head = None if source.is_dir() else _head(source)
    if head is None:
        return of_folders().reads(source, shown(source.name), options)
    found = format_named(options.form) if options.form else recognised(head, options.strict)
    if found is None:
        file = shown(source.name)
        raise InputError(f"{file}: must be {titles()}, also compressed (.gz, .zip)")
    return found.reads(source, shown(PurePath(source.name).stem), options)


def _head(source: Traversable) -> Head:
    """The beginning of a file; characters of two bytes are not cut."""
    data = head_of(source)
    return Head(data, "" if is_packed(data) else decoded(data[: len(data) // 2 * 2]))
