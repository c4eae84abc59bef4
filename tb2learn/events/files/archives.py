"""What is packed with gzip or ZIP, and what a file looks like that is none that is read.

Nothing is unpacked to disk. Names within an archive only tell which member is which table: none is
used as a path. Members are known by their whole names; two that mean the same are refused.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import PurePosixPath

from tb2learn.events.files.headings import FILES, is_heading
from tb2learn.events.files.rows import Sheet, unlike
from tb2learn.events.files.source import DAMAGED, HEAD, MAX_BYTES, MemoryFile, decoded
from tb2learn.text import shown
from tb2learn.types import InputError

MAX_MEMBERS = 1000
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of compression in an archive; others may need memory without bounds."""


def is_packed(head: bytes) -> bool:
    """Whether a file that begins like this is compressed in a way that is read."""
    return head.startswith((_GZIP, _ZIP))


def unpacked(data: bytes, file: str) -> MemoryFile:
    """The file in a gzip file, or the file or folder of an event in a ZIP archive.

    An archive is a folder of an event if it holds `matches.csv`, else it must hold one file.

    **Arguments:** `data`: the compressed bytes; `file`: its name, for messages.

    **Raises:** `InputError` for a file that is damaged, encrypted, holds something else, or is
    larger than `MAX_BYTES` when unpacked.
    """
    try:
        if data.startswith(_GZIP):
            with gzip.open(io.BytesIO(data)) as stream:
                name = file[:-3] if file.lower().endswith(".gz") else file
                return MemoryFile(name, _bounded(stream.read(MAX_BYTES + 1), file))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _from_archive(archive, file)
    except InputError:
        raise
    except DAMAGED as error:
        raise InputError(f"{file}: damaged, encrypted or not a compressed file") from error


def _bounded(data: bytes, file: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    return data


def _from_archive(archive: zipfile.ZipFile, file: str) -> MemoryFile:
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise InputError(f"{file}: must hold at most {MAX_MEMBERS} files, has {len(members)}")
    if sum(info.file_size for info in members) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    by_name: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for info in members:
        name = PurePosixPath(info.filename.replace("\\", "/").casefold())
        if any(part.startswith((".", "__")) and part != ".." for part in name.parts):
            continue  # what systems add
        other = by_name.setdefault(name, info)
        if other is not info:
            twice = f"{shown(other.filename)} and {shown(info.filename)}"
            raise InputError(f"{file}: must hold one {shown(name.name)}, has {twice}")
    folders = [name.parent for name in by_name if name.name == FILES[0]]
    if len(folders) > 1:
        raise InputError(f"{file}: must hold one {FILES[0]}, has {len(folders)}")
    if folders:
        wanted = {n: i for n, i in by_name.items() if n.parent == folders[0] and n.name in FILES}
        unread = tuple(shown(i.filename) for n, i in by_name.items() if n not in wanted)
        content = {name.name: _member(archive, info, file) for name, info in wanted.items()}
        _bounded(b"".join(content.values()), file)
        return MemoryFile(file.removesuffix(".zip"), content, unread)
    if len(by_name) != 1:
        names = [shown(info.filename) for info in by_name.values()]
        some = f": {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}" if names else ""
        raise InputError(
            f"{file}: must hold {FILES[0]}, or one file of an event; has {len(names)} files{some}"
        )
    (info,) = by_name.values()
    name = PurePosixPath(info.filename.replace("\\", "/")).name
    return MemoryFile(shown(name) or file, _member(archive, info, file))


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: str) -> bytes:
    if info.compress_type not in _METHODS:
        raise InputError(f"{file}: must be compressed in the usual way (deflated)")
    with archive.open(info) as stream:
        return _bounded(stream.read(MAX_BYTES + 1), file)


_EXPORT = "export the crosstable or the TRF"
_BEGINNINGS = (
    (b"%PDF", f"is a PDF: {_EXPORT} instead"),
    (b"{\\rtf", f"is a text of Word (RTF): {_EXPORT} instead"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is an old file of Word or Excel (.doc, .xls): save it as XLSX or CSV",
    ),
    (b"\x89PNG", f"is a picture: {_EXPORT} instead"),
    (b"\xff\xd8\xff", f"is a picture: {_EXPORT} instead"),
    (b"GIF8", f"is a picture: {_EXPORT} instead"),
    (b"PK\x05\x06", "is an empty archive"),
    (b"Rar!", "is a RAR archive: unpack it, and give the file in it"),
    (b"7z\xbc\xaf", "is a 7z archive: unpack it, and give the file in it"),
    (b"SQLite format 3", f"is a database (SQLite): {_EXPORT} instead"),
)
_OFFICE = (
    ("word/", f"is a text of Word: {_EXPORT} instead"),
    ("ppt/", f"is slides of PowerPoint: {_EXPORT} instead"),
    ("content.xml", "is a file of LibreOffice (.ods, .odt): save it as XLSX or CSV"),
)
_SWISS_MANAGER = (".tun", ".tut", ".tur", ".tum")


def looks_like(data: bytes, file: str) -> str:
    """What a file is that is none of an event: what follows its name in a message."""
    ending = f".{file.rpartition('.')[2].lower()}"
    if ending.removesuffix("x") in _SWISS_MANAGER:
        return (
            "is a tournament of Swiss-Manager, which only that program reads: open it there and "
            "export the TRF (Other, FIDE-Data-Export TRF16), or save the crosstable as XLSX"
        )
    if not data.strip():
        return "is empty"
    for beginning, text in _BEGINNINGS:
        if data.startswith(beginning):
            return text
    if data.startswith(_ZIP):
        return _packed(data)
    text = decoded(data[:HEAD])
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        return "is JSON, or looks like it: give a TRF, a PGN, a CSV or a workbook"
    if start.startswith("<?xml"):
        return "is XML: give a TRF, a PGN, a CSV or a workbook"
    if start[:1000].lower().startswith(("from:", "mime-version")):
        return "is a mail or a page in one file (MHT): save the page as HTML"
    if "\0" in text or sum(not c.isprintable() and not c.isspace() for c in text[:2000]) > 20:
        return "is not text, and no workbook: give a TRF, a PGN, a CSV or a workbook (XLSX)"
    return ""


def _packed(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except DAMAGED:
        return "is a damaged archive"
    for part, text in _OFFICE:
        if any(name.startswith(part) for name in names):
            return text
    return ""


def of_sheets(sheets: list[Sheet]) -> str:
    """What tables look like that are none of an event: what follows their name in a message."""
    rows = [[c.strip() for c in row if c.strip()] for s in sheets for _, row in s.head(40)]
    heading = max(rows, key=lambda row: sum(map(is_heading, row)), default=[])
    if not any(map(is_heading, heading)) and not any(sheet.title for sheet in sheets):
        widths = {len(row) if max(map(len, row)) < 40 else 0 for row in rows[:3]}
        if len(rows) < 2 or len(widths) > 1 or min(widths) < 3:
            return ""  # a text, whose commas are none of a table
        heading = rows[0]
    unknown = [cell for cell in heading if not is_heading(cell)]
    some = f" (headings that are not known: {unlike(unknown)})" if unknown else ""
    return (
        f"has no table of an event{some}: it must have rounds and who played, or be a crosstable "
        "with names, numbers and rounds"
    )
