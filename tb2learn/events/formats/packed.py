"""Events from compressed files and from standard input; nothing is unpacked to disk.

Names within an archive only tell which member is which table: none is used as a path.
"""

from __future__ import annotations

import gzip
import io
import struct
import sys
import zipfile
import zlib
from pathlib import PurePosixPath

from tb2learn.events.formats.registry import of_folders
from tb2learn.events.formats.source import MAX_BYTES, Held
from tb2learn.text import shown
from tb2learn.types import InputError

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

    An archive is a folder of an event if it holds `matches.csv`; else it must hold one file alone.

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
    if any(name.parts[:1] == ("xl",) for name in names.values()):
        raise InputError(f"{file}: is a workbook: save its sheet as CSV")
    tables = of_folders().files
    folders = [name.parent for name in names.values() if name.name.lower() == tables[0]]
    if len(folders) > 1:
        raise InputError(f"{file}: must hold one {tables[0]}, has {len(folders)}")
    if folders:
        wanted = {i: n.name.lower() for i, n in names.items() if n.parent == folders[0]}
        wanted = {info: name for info, name in wanted.items() if name in tables}
    else:
        wanted = {i: n.name for i, n in names.items() if not n.name.startswith((".", "__"))}
        if len(wanted) != 1:
            raise InputError(
                f"{file}: must hold one file of an event, or a folder with {tables[0]}, has "
                f"{len(wanted)} files"
            )
    content: dict[str, bytes] = {}
    for info, name in wanted.items():
        if info.compress_type not in _METHODS:
            raise InputError(f"{file}: must be compressed in the usual way (deflated)")
        with archive.open(info) as stream:
            content[name] = _bounded(stream.read(MAX_BYTES + 1), file)
        _bounded(b"".join(content.values()) if len(content) > 1 else b"", file)
    if folders:
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
