"""Read an event of any format, also compressed or from standard input, or a packaged one by name.

Nothing is unpacked to disk. Names within an archive only tell which member is which table: none is
used as a path.
"""

from __future__ import annotations

import gzip
import io
import itertools
import os
import struct
import sys
import zipfile
import zlib
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath, PurePosixPath

from tb2learn.data import event_folder, event_names
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.registry import (
    Format,
    Head,
    format_named,
    of_folders,
    recognised,
    titles,
)
from tb2learn.events.formats.source import MAX_BYTES, MAX_NAME, Held, decoded, head_of, read_bytes
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
    """The event of a file or folder of a known format.

    **Raises:** `InputError` as its reader, and where a table of teams would not be used.
    """
    if options.teams and form.name != "pgn":
        raise InputError(f"{name}: --teams names the teams of a PGN, and this is {form.title}")
    return form.reads(source, name, options)


def _packaged(name: str, options: Reading) -> TeamEvent:
    """A packaged event.

    **Raises:** `InputError` as its reader; for another name one that says what may have been meant:
    packaged events, and files beside the one that does not exist.
    """
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

    **Raises:** `InputError` as `read_event`, and for content of no format.
    """
    head = None if source.is_dir() else _head(source)
    if head and is_packed(head.data) and not recognised(head, options.strict):
        source = unpacked(read_bytes(source), shown(source.name))
        head = None if source.is_dir() else _head(source)
    if head is None:
        return _read_folder(source, shown(source.name), options)
    found = format_named(options.form) if options.form else recognised(head, options.strict)
    if found is None:
        file = shown(source.name)
        raise InputError(f"{file}: must be {titles()}, also compressed (.gz, .zip)")
    return _read(found, source, shown(PurePath(source.name).stem), options)


def _read_folder(folder: Traversable, name: str, options: Reading) -> TeamEvent:
    """Read a folder with matches.

    **Raises:** `InputError` as `read_event`, and for a folder without.
    """
    tables = of_folders()
    if (folder / tables.files[0]).is_file():
        return _read(tables, folder, name, options)
    raise InputError(
        f"{name}: a folder or archive of an event must hold {tables.files[0]}, and an archive may "
        "hold one file of any format instead; of chess-results give one file, with the crosstable "
        "or with the pairings of all rounds"
    )


def _head(source: Traversable) -> Head:
    """The beginning of a file; characters of two bytes are not cut."""
    data = head_of(source)
    return Head(data, "" if is_packed(data) else decoded(data[: len(data) // 2 * 2]))


MAX_MEMBERS = 1000
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError,
            ValueError, LookupError)  # fmt: skip
"""What the libraries raise for damaged or encrypted files."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of compression in an archive; others may need memory without bounds."""


def is_packed(head: bytes) -> bool:
    """Whether a file that begins like this is compressed in a way that is read."""
    return head.startswith((_GZIP, _ZIP))


def unpacked(data: bytes, file: str) -> Held:
    """The file in a gzip file, or the file or folder of an event in a ZIP archive.

    An archive is a folder of an event if it holds `matches.csv`, or several files.

    **Arguments:**

    - `data`: the compressed bytes.
    - `file`: its name, for messages.

    **Raises:** `InputError` for a file that is damaged, encrypted, holds something else, or is
    larger than `MAX_BYTES` when unpacked.
    """
    try:
        if data.startswith(_GZIP):
            with gzip.open(io.BytesIO(data)) as stream:
                name = file[:-3] if file.lower().endswith(".gz") else file
                return Held(name, _bounded(stream.read(MAX_BYTES + 1), file))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _from_archive(archive, file)
    except InputError:
        raise
    except _DAMAGED as error:
        raise InputError(f"{file}: damaged, encrypted or not a compressed file") from error


def _bounded(data: bytes, file: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    return data


def _from_archive(archive: zipfile.ZipFile, file: str) -> Held:
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise InputError(f"{file}: must hold at most {MAX_MEMBERS} files, has {len(members)}")
    names = {info: PurePosixPath(info.filename.replace("\\", "/")) for info in members}
    if sum(info.file_size for info in members) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    if any(name == PurePosixPath("xl/workbook.xml") for name in names.values()):
        from tb2learn.events.formats.workbook import sheets_of

        return sheets_of(archive, file)
    tables = of_folders().files
    folders = [name.parent for name in names.values() if name.name.lower() == tables[0]]
    if len(folders) > 1:
        raise InputError(f"{file}: must hold one {tables[0]}, has {len(folders)}")
    if folders:
        wanted = {i: n.name.lower() for i, n in names.items() if n.parent == folders[0]}
        wanted = {info: name for info, name in wanted.items() if name in tables}
    else:
        wanted = {i: n.name for i, n in names.items() if not n.name.startswith((".", "__"))}
        if not wanted:
            raise InputError(f"{file}: must hold one file of an event, or several; has 0 files")
    content: dict[str, bytes] = {}
    first: dict[str, str] = {}
    for info, name in wanted.items():
        if (other := first.setdefault(name, info.filename)) is not info.filename:
            twice = f"{shown(other)} and {shown(info.filename)}"
            raise InputError(f"{file}: must hold one {shown(name)}, has {twice}")
        if info.compress_type not in _METHODS:
            raise InputError(f"{file}: must be compressed in the usual way (deflated)")
        with archive.open(info) as stream:
            content[name] = _bounded(stream.read(MAX_BYTES + 1), file)
        _bounded(b"".join(content.values()) if len(content) > 1 else b"", file)
    if folders or len(content) != 1:
        return Held(file.removesuffix(".zip"), content)
    ((name, data),) = content.items()
    return Held(shown(name) or file, data)


def standard_input() -> bytes:
    """All of standard input.

    **Raises:** `InputError` for more than `MAX_BYTES`, or if it is closed or cannot be read.
    """
    if sys.stdin is None:
        raise InputError("standard input: cannot be read: is closed")
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"standard input: cannot be read: {error.strerror}") from error
    return _bounded(data, "standard input")
