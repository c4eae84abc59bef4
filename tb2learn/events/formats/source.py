"""Limits and error messages for event files, which are untrusted.

Errors are one line and name the file, the line, the column or field, and what is allowed. Content
of the file that they quote is escaped and shortened.
"""

from __future__ import annotations

import codecs
import re
from importlib.resources.abc import Traversable

from tb2learn.disk import inputs
from tb2learn.text import quoted, shown
from tb2learn.types import InputError

MAX_BYTES = 64 << 20
"""Most bytes of a file that is read in one piece."""
MAX_NAME = 200
MAX_RATING = 4000
MAX_FIDE_ID = 10**9 - 1
DATES = ("start", "end")
"""The keys of `TeamEvent.about` that are dates."""


def iso_date(text: str) -> str:
    """A complete date as `2016-09-02`; the formats also write 2016/09/02 and 2016.09.02."""
    return re.sub(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})", r"\1-\2-\3", text)


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
