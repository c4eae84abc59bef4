"""Event files, which are untrusted: limits, error messages, and files in memory.

Errors are one line and name the file, the line, the column or field, and what is allowed. Content
of the file that they quote is escaped and shortened.
"""

from __future__ import annotations

import codecs
import io
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from tb2learn.disk import inputs
from tb2learn.events.files.headings import MONTHS
from tb2learn.text import quoted, shown
from tb2learn.types import InputError

MAX_BYTES = 64 << 20
"""Most bytes of a file that is read in one piece."""
HEAD = 1 << 16
"""Bytes at the beginning of a file by which its format is recognised."""
MAX_NAME = 200
MAX_RATING = 4000
MAX_FIDE_ID = 10**9 - 1
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError,
           ValueError, LookupError)  # fmt: skip
"""What the libraries raise for damaged or encrypted files."""
DATES = ("start", "end")
"""The keys of `TeamEvent.about` that are dates."""


def iso_date(text: str) -> str:
    """A complete date as `2016-09-02`; the formats also write 2016/09/02 and 2016.09.02."""
    return re.sub(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})", r"\1-\2-\3", text)


def written_date(text: str) -> str:
    """A date as `2016-09-02`, from numbers or from words; empty if it may be another one.

    Days stand before months where points separate them, or where a month has no other place.
    """
    words = re.findall(r"[0-9]+|[^\W\d_]+", text.casefold())[:9]
    names = [m for m, some in enumerate(MONTHS, 1) for w in words if w[:3] in some.split()]
    numbers = [int(w) for w in words if w.isascii() and w.isdigit() and len(w) <= 4]
    if "juil" in text.casefold():
        names = [7]
    if names:
        years = [n for n in numbers if n > 31]
        days = [n for n in numbers if n <= 31]
        found = [(years[0], names[0], days[0])] if years and days else []
    elif len(numbers) < 3:
        found = []
    else:
        a, b, c = numbers[:3]
        orders = [(a, b, c)] if a > 31 else [(c, b, a)] if c > 31 or "." in text else []
        orders = orders or [(a, b, c), (c, b, a)]
        found = [o for o in orders if _is_date(*o)]
        if (c > 31 or "/" in text) and "." not in text and a <= 31:
            found += [(c, a, b)] if _is_date(c, a, b) else []
    dates = {f"{_year(y)}-{m:02}-{d:02}" for y, m, d in found if _is_date(y, m, d)}
    return dates.pop() if len(dates) == 1 else ""


def _year(year: int) -> int:
    return year if year > 99 else year + (2000 if year < 70 else 1900)


def _is_date(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31 and (year < 100 or 1800 <= year < 2200)


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


# --------------------------------------------------------------------------------- code pages

_WESTERN = "äöüßéèêëàâçñíóúãåæøîïôá"
CODE_PAGES: Mapping[str, tuple[str, str, str]] = {
    "cp1252": ("Windows-1252", _WESTERN, "õûœìòùý"),
    "cp1250": (
        "Windows-1250",
        "áéíóúýöüäčćďěňřšťžůąęłńśźżőűđăâî",
        "ôëĺŕşţľ",
    ),
    "cp1251": (
        "Windows-1251",
        "".join(map(chr, range(0x430, 0x450))),
        "ёіїєґјљњћџђў",
    ),
    "cp437": ("code page 437", _WESTERN, ""),
}
"""Code pages that are told by the content: names, letters that are frequent in it, and others."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2,40}")
_MOST_WORDS = 20_000


def encoding_of(data: bytes) -> tuple[str, str]:
    """The encoding of a text, and the same if it was guessed, else an empty text.

    Text that is neither UTF-8 nor UTF-16 is of the code page in which its words have most of the
    letters that are frequent there, and none that stands in no word.
    """
    encoding = unmarked(data)[1]
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
        found = (word[0] for word in _WORD.finditer(data) if not word[0].isascii())
        words = Counter(word for word, _ in zip(found, range(_MOST_WORDS), strict=False))
        best = max(CODE_PAGES, key=lambda page: _score(page, words))
        return best, best
    return encoding, ""


def _score(page: str, words: Mapping[bytes, int]) -> int:
    """How much a text looks like one of a code page."""
    _, common, others = CODE_PAGES[page]
    total = 0
    for word, times in words.items():
        text = word.decode(page, "replace")
        latin = any(c.isascii() for c in text)
        points = 0
        for before, letter in zip(" " + text, text, strict=False):
            if letter.isascii():
                continue
            low = letter.casefold()[:1]
            points += 3 if low in common else 1 if low in others else -2 if low.isalpha() else -4
            if letter == "½":
                points += 4  # the half in results
            elif letter.isupper() and before.islower():
                points -= 4
            if latin and low > "Ͱ":
                points -= 5  # letters of two scripts in a word
        if page == "cp1252":  # at the end of a word they are others', c and c with accents
            points -= 3 * text.endswith(("æ", "è"))
        total += times * points
    return total


def transcoded(data: bytes, encoding: str, file: str) -> bytes:
    """A text of an encoding that the user names as UTF-8.

    **Raises:** `InputError` for text that is not in this encoding.
    """
    try:
        return data.decode(encoding).encode()
    except UnicodeError as error:
        raise InputError(f"{file}: is not text in {encoding}") from error


def refusal(file: str, line: int, where: str, allowed: str, got: str) -> InputError:
    """The error for a value that is not allowed.

    **Arguments:**

    - `file`: its name, without folders.
    - `line`: counted from 1.
    - `where`: the field, or its columns and name (`column 49 (rating)`).
    - `allowed`, `got`: what the value must be, and what it is.
    """
    return InputError(f"{file}: line {line}: {where} must be {allowed}, got {quoted(got)}")


def read_bytes(path: Traversable) -> bytes:
    """The content of a file of at most `MAX_BYTES`.

    **Raises:** `InputError` if the file is larger, or cannot be read.
    """
    return inputs.read_bytes(path, MAX_BYTES, shown(path.name))


def head_of(path: Traversable) -> bytes:
    """The first `HEAD` bytes of a file.

    **Raises:** `InputError` if it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD)
    except OSError as error:
        raise InputError(f"{shown(path.name)}: cannot be read: {error.strerror}") from error


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
        found = self._content.get(name) if isinstance(self._content, Mapping) else None
        return MemoryFile(name, found)

    def open(self, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        """The bytes of a file.

        **Raises:** `FileNotFoundError` if it does not exist.
        """
        if not isinstance(self._content, bytes):
            raise FileNotFoundError(2, "No such file or directory", self._name)
        return io.BytesIO(self._content)
