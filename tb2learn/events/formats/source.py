"""Event files, which are untrusted: limits, error messages, and files in memory.

Errors are one line and name the file, the line, the column or field, and what is allowed. Content
of the file that they quote is escaped and shortened.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from tb2learn.disk import inputs
from tb2learn.text import quoted, shown
from tb2learn.types import InputError

MAX_BYTES = 64 << 20
"""Most bytes of a file that is read in one piece."""
HEAD = 1 << 16
"""Bytes at the beginning of a file by which its format is recognised."""
MAX_NAME = 200
MAX_RATING = 4000
MAX_FIDE_ID = 10**9 - 1
DATES = ("start", "end")
"""The keys of `TeamEvent.about` that are dates."""


def iso_date(text: str) -> str:
    """A complete date as `2016-09-02`; the formats also write 2016/09/02 and 2016.09.02."""
    return re.sub(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})", r"\1-\2-\3", text)


_MONTHS = (
    "jan ene gen", "feb fev fév", "mar mär maa már", "apr avr abr", "may mai maj mag máj",
    "jun jui", "jul", "aug aoû ago", "sep set", "oct okt ott", "nov", "dec déc dez dic",
)  # fmt: skip
"""How the names of months begin, in several languages."""


def written_date(text: str) -> str:
    """A date as `2016-09-02`, from numbers or from words; empty if it may be another one.

    Days stand before months where points separate them, or where a month has no other place.
    """
    words = re.findall(r"[0-9]+|[^\W\d_]+", text.casefold())[:9]
    names = [m for m, some in enumerate(_MONTHS, 1) for w in words if w[:3] in some.split()]
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


@contextlib.contextmanager
def opened(path: Traversable) -> Iterator[Any]:
    """The bytes of a file as a stream, for a file that may be larger than `MAX_BYTES`.

    **Raises:** `InputError` if it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{shown(path.name)}: cannot be read: {error.strerror}") from error


def head_of(path: Traversable) -> bytes:
    """The first `HEAD` bytes of a file."""
    with opened(path) as stream:
        return stream.read(HEAD)


class Held(Traversable):
    """A file, or a folder of files, that exists in memory alone."""

    def __init__(self, name: str, content: bytes | Mapping[str, bytes] | None) -> None:
        self._name, self._content = name, content

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
            yield from (Held(name, data) for name, data in self._content.items())

    def joinpath(self, *descendants: Any) -> Held:
        """A file of the folder, which need not exist."""
        name = str(descendants[0])
        found = self._content.get(name) if isinstance(self._content, Mapping) else None
        return Held(name, found)

    def open(self, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        """The bytes of a file.

        **Raises:** `FileNotFoundError` if it does not exist.
        """
        if not isinstance(self._content, bytes):
            raise FileNotFoundError(2, "No such file or directory", self._name)
        return io.BytesIO(self._content)
