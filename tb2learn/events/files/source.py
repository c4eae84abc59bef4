"""Event files, which are untrusted: limits, messages, code pages, archives, files in memory.

Errors are one line and name the file, the line, the column or field, and what is allowed. Content
of the file that they quote is escaped and shortened. Nothing is unpacked to disk: names within an
archive only tell which member is which table, and none is used as a path.
"""

from __future__ import annotations

import codecs
import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

from tb2learn.disk import inputs
from tb2learn.events.files.code_pages import decoded_lines, page_of
from tb2learn.events.files.headings import FILES
from tb2learn.text import printable, quoted
from tb2learn.types import InputError

MAX_BYTES = 64 << 20
"""Most bytes of a file that is read in one piece."""
HEAD = 1 << 16
"""Bytes at the beginning of a file by which its format is recognised."""
MAX_NAME = 200
MAX_RATING = 4000
MAX_FIDE_ID = 10**9 - 1
MAIN_PART = "xl/workbook.xml"
"""The part that every workbook has."""
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError,
           ValueError, LookupError)  # fmt: skip
"""What the libraries raise for damaged or encrypted files."""
DATES = ("start", "end")
"""The keys of `TeamEvent.about` that are dates."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def unmarked(data: bytes) -> tuple[bytes, str]:
    """The content without a byte order mark; and its encoding, UTF-8 without a mark.

    UTF-16 without a mark is known by the zero byte in its first character.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :], encoding
    if len(data) > 1 and (data[0] == 0) != (data[1] == 0):
        return data, "utf-16-be" if data[0] == 0 else "utf-16-le"
    return data, "utf-8"


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16, else Latin-1."""
    content, encoding = unmarked(data)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def text_in_page(data: bytes) -> tuple[str, str]:
    """The text of a file, and its code page; `utf-8` also for UTF-16."""
    if unmarked(data)[1] != "utf-8" or data.startswith(codecs.BOM_UTF8):
        return decoded(data), "utf-8"
    text, page = decoded_lines(data)
    return text, page or "utf-8"


def encoding_of(data: bytes) -> tuple[str, str]:
    """The encoding of a text, and the same if it was guessed, else an empty text.

    Text that is neither UTF-8 nor UTF-16 is of the code page in which its words fit best.
    """
    encoding = unmarked(data)[1]
    # A mark, or zero bytes, leave no doubt.
    if encoding != "utf-8":
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return ("utf-16" if marked else encoding), ""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), HEAD):
            decoder.decode(data[start : start + HEAD], start + HEAD >= len(data))
    except UnicodeDecodeError:
        if b"\0" in data[:HEAD]:
            return encoding, ""
        best = page_of(data)
        return best, best
    return encoding, ""


def refusal(file: str, line: int, where: str, allowed: str, got: str) -> InputError:
    """The error for a value: `where` is its field, or columns and name (`column 49 (rating)`)."""
    return InputError(f"{file}: line {line}: {where} must be {allowed}, got {quoted(got)}")


def read_bytes(path: Traversable) -> bytes:
    """The content of a file of at most `MAX_BYTES`."""
    return inputs.read_bytes(path, MAX_BYTES, printable(path.name))


class MemoryFile(Traversable):
    """A file, or a folder of files, that exists in memory alone.

    **Fields:** `unread`: what else an archive holds, which is not read.
    """

    def __init__(
        self, name: str, content: bytes | Mapping[str, bytes] | None, unread: tuple[str, ...] = ()
    ) -> None:
        self._name, self._content, self.unread = name, content, unread

    @property
    def name(self) -> str:
        """As given, without folders."""
        return self._name

    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return isinstance(self._content, Mapping)

    def is_file(self) -> bool:
        """Whether it is a file that exists."""
        return isinstance(self._content, bytes)

    # Python implements these two by `open`; the checker's description of it calls them abstract.
    read_bytes = Traversable.read_bytes
    read_text = Traversable.read_text

    def iterdir(self) -> Iterator[Traversable]:
        """The files of a folder."""
        if isinstance(self._content, Mapping):
            yield from (MemoryFile(name, data) for name, data in self._content.items())

    def joinpath(self, *descendants: Any) -> MemoryFile:
        """A file of the folder, which need not exist."""
        name = str(descendants[0])
        content = self._content.get(name) if isinstance(self._content, Mapping) else None
        return MemoryFile(name, content)

    def open(self, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        """The bytes of a file.

        **Raises:** `FileNotFoundError` if it does not exist.
        """
        if not isinstance(self._content, bytes):
            raise FileNotFoundError(2, "No such file or directory", self._name)
        return io.BytesIO(self._content)


# ---------------------------------------------------- archives, and files that are none of an event

MAX_MEMBERS = 1000
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways of compression in an archive; others may need memory without bounds."""


def is_workbook(data: bytes) -> bool:
    """Whether a file is a workbook (XLSX): an archive with its main part."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return MAIN_PART in archive.NameToInfo
    except DAMAGED:
        return False


def is_packed(head: bytes) -> bool:
    """Whether a file that begins like this is compressed in a way that is read."""
    return head.startswith((_GZIP, _ZIP))


def unpacked(data: bytes, file: str) -> MemoryFile:
    """The file in a gzip file, or the file or folder of an event in a ZIP archive.

    An archive is a folder of an event if it holds `matches.csv`, else it must hold one file.
    """
    try:
        if data.startswith(_GZIP):
            with gzip.open(io.BytesIO(data)) as stream:
                # Of the name inside a gzip file nothing is taken.
                name = file[:-3] if file.lower().endswith(".gz") else file
                return MemoryFile(name, _bounded(stream.read(MAX_BYTES + 1), file))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _from_archive(archive, file)
    except InputError:
        raise
    # Libraries raise many things for bytes that are no archive.
    except DAMAGED as error:
        raise InputError(f"{file}: damaged, encrypted or not a compressed file") from error


def _bounded(data: bytes, file: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    return data


def _from_archive(archive: zipfile.ZipFile, file: str) -> MemoryFile:
    """The folder of an event in an archive, else its one file."""
    by_name = _members(archive, file)
    folders = [name.parent for name in by_name if name.name == FILES[0]]
    if len(folders) > 1:
        raise InputError(f"{file}: must hold one {FILES[0]}, has {len(folders)}")
    if folders:
        tables = {n: i for n, i in by_name.items() if n.parent == folders[0] and n.name in FILES}
        content = {name.name: _content(archive, info, file) for name, info in tables.items()}
        # Sizes in the list of an archive may be wrong: what was unpacked is counted, too.
        _bounded(b"".join(content.values()), file)
        unread = tuple(printable(i.filename) for n, i in by_name.items() if n not in tables)
        return MemoryFile(file.removesuffix(".zip"), content, unread)
    if len(by_name) != 1:
        # What an office program writes is an archive, too.
        if seems := _of_office(archive.namelist()):
            raise InputError(f"{file}: {seems}")
        names = [printable(info.filename) for info in by_name.values()]
        examples = f": {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}" if names else ""
        raise InputError(
            f"{file}: must hold {FILES[0]}, or one file of an event; has {len(names)} "
            f"files{examples}"
        )
    (info,) = by_name.values()
    name = PurePosixPath(info.filename.replace("\\", "/")).name
    return MemoryFile(printable(name) or file, _content(archive, info, file))


def _members(archive: zipfile.ZipFile, file: str) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The files in an archive by their names in lower case, which must differ."""
    # Limits come first: nothing is unpacked to find out.
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise InputError(f"{file}: must hold at most {MAX_MEMBERS} files, has {len(members)}")
    if sum(info.file_size for info in members) > MAX_BYTES:
        raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
    by_name: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for info in members:
        name = PurePosixPath(info.filename.replace("\\", "/").casefold())
        # What systems add: `__MACOSX`, `.DS_Store`.
        if any(part.startswith((".", "__")) and part != ".." for part in name.parts):
            continue
        earlier = by_name.setdefault(name, info)
        if earlier is not info:
            twice = f"{printable(earlier.filename)} and {printable(info.filename)}"
            raise InputError(f"{file}: must hold one {printable(name.name)}, has {twice}")
    return by_name


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: str) -> bytes:
    """A file of an archive."""
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
    ((b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), f"is a picture: {_EXPORT} instead"),
    (b"PK\x05\x06", "is an empty archive"),
    (b"Rar!", "is a RAR archive: unpack it, and give the file in it"),
    (b"7z\xbc\xaf", "is a 7z archive: unpack it, and give the file in it"),
    (b"SQLite format 3", f"is a database (SQLite): {_EXPORT} instead"),
)
_OFFICE = (
    ("word/", f"is a text of Word: {_EXPORT} instead"),
    ("ppt/", f"is slides of PowerPoint: {_EXPORT} instead"),
    ("content.xml", "is a LibreOffice sheet: save it as XLSX or CSV"),
)
_SWISS_MANAGER = (".tun", ".tut", ".tur", ".tum")


def _of_office(names: Sequence[str]) -> str:
    """What an archive of an office program is; empty for another archive."""
    kinds = (text for part, text in _OFFICE if any(name.startswith(part) for name in names))
    return next(kinds, "")


def looks_like(data: bytes, file: str) -> str:
    """What a file is that is none of an event: what follows its name in a message."""
    # Swiss-Manager's own files have no sign in their content.
    ending = f".{file.rpartition('.')[2].lower()}"
    if ending.removesuffix("x") in _SWISS_MANAGER:
        return (
            "is a tournament of Swiss-Manager, which only that program reads: open it there and "
            "export the TRF (Other, FIDE-Data-Export TRF16), or save the crosstable as XLSX"
        )
    if not data.strip():
        return "is empty"
    for beginnings, text in _BEGINNINGS:
        if data.startswith(beginnings):
            return text
    if data.startswith(_ZIP):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                names = archive.namelist()
        except DAMAGED:
            return "is a damaged archive"
        return _of_office(names)
    text = decoded(data[:HEAD])
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        return "is JSON, or looks like it: give a TRF, a PGN, a CSV or a workbook"
    if start.startswith("<?xml"):
        return "is XML: give a TRF, a PGN, a CSV or a workbook"
    if start[:1000].lower().startswith(("from:", "mime-version")):
        return "is a mail or a page in one file (MHT): save the page as HTML"
    # Some control characters are in texts, too; many are in none.
    if "\0" in text or sum(not c.isprintable() and not c.isspace() for c in text[:2000]) > 20:
        return "is not text, and no workbook: give a TRF, a PGN, a CSV or a workbook (XLSX)"
    return ""
