"""All file formats: how each is recognised, read and written.

What is said of them anywhere is read from here. An entry imports nothing heavy: help and completion
load it. What reads and writes is named there, and imported when it is called.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tb2learn.events.files.headings import FILES

if TYPE_CHECKING:
    from tb2learn.events.files.options import Reading
    from tb2learn.events.files.pairings import Draft
    from tb2learn.events.files.source import Content
    from tb2learn.events.model import TeamEvent


Written = Mapping[str, str]
"""The content of every file of a written event by its name (see `Format.files`)."""


@dataclass(frozen=True)
class Form:
    """A form in which a format is written."""

    help: str  # what it is, in one line
    loses: str  # what of an event it cannot hold, in a few words; empty for nothing
    # Makes the text of an event; raises `InputError`, one line, if it has no place there.
    writes: Callable[[TeamEvent], Written]


@dataclass(frozen=True)
class Format:
    """A file format."""

    name: str  # as `--form` has it
    title: str  # what such a file is, as messages have it, with the article: `a TRF`
    # Whether a file is of this format, by its beginning (`Content.head`).
    recognises: Callable[[Content], bool]
    # What a file (or folder) says of an event, from that and from what the user says; raises
    # `InputError`, one line, for any other content.
    reads: Callable[[Content, Reading], Draft]
    # What it is written in, by the names that `--to` has, the newest last; none if only read.
    forms: Mapping[str, Form] = field(default_factory=dict)
    endings: tuple[str, ...] = ()  # of files in its newest form, in lower case; empty for a folder
    # The files in a folder: the first must be there and is written last; `` for one file alone.
    files: tuple[str, ...] = ("",)
    of: str = "teams or players"  # of whom its events may be
    # Whether its content cannot be taken for anything else. If not, a strict reader takes a file
    # for one only if the user says so.
    exact: bool = True
    # What its files are, where they are of several kinds: as `title`.
    kinds: tuple[str, ...] = ()


RECORD = re.compile(r"(?:\A\ufeff?|[\r\n])[0-9]{3}[ \r\n]")
"""The beginning of a line of a TRF."""
_RECORD_LINE = re.compile(r"\ufeff?(?:[0-9]{3}|[A-Z]{3}|###)(?:\s|$)")
TAG = re.compile(r"\ufeff?(?:[%;][^\r\n]*[\r\n]|\s)*\[")
"""The beginning of a PGN: a tag, but for comments."""
_NAME_OF_TAG = re.compile(r'\s*[A-Za-z0-9_]+\s+"')
_LOOK = 1 << 12
"""Characters of a head that show whether most of its lines are records."""


def _function(place: str) -> Callable[..., Any]:
    """A function of `events` by its module and name, which are imported when it is called."""
    module, _, name = place.rpartition(".")

    def call(*arguments: object) -> Any:
        return getattr(importlib.import_module(f"tb2learn.events.{module}"), name)(*arguments)

    return call


def _holds_rows(content: Content) -> bool:
    """Whether a file that begins so is a table; it is not split into rows unless it must be."""
    return of_folders().recognises(content)


def _holds_records(content: Content) -> bool:
    """Whether a file that begins so is a TRF.

    It has a record; if most of its lines are none, it may be a table with a line `124 players`.
    """
    if RECORD.search(content.head) is None:
        return False
    lines = [line for line in content.head[:_LOOK].splitlines() if line.strip()]
    records = sum(_RECORD_LINE.match(line) is not None for line in lines)
    return 2 * records > len(lines) or not _holds_rows(content)


def _holds_tags(content: Content) -> bool:
    """Whether a file that begins so is a PGN; a bracket may also begin the title of a table."""
    begin = TAG.match(content.head)
    if begin is None:
        return False
    return _NAME_OF_TAG.match(content.head, begin.end()) is not None or not _holds_rows(content)


def _file(place: str, *more: object) -> Callable[[TeamEvent], Written]:
    """What writes an event as one file, by a function that gives its text."""
    return lambda event: {"": _function(place)(event, *more)}


_TRF_LOSES = "names beyond its columns, match numbers, ratings that change from game to game"

FORMATS: tuple[Format, ...] = (
    Format(
        name="table",
        title="a table (CSV, XLSX, HTML)",
        kinds=(
            "a crosstable or pairings of chess-results (CSV, XLSX, HTML)",
            f"a folder with {FILES[0]} (or that file)",
        ),
        recognises=_function("files.sheets.holds_rows"),
        reads=_function("files.sheets.read_sheets"),
        forms={"csv": Form("a folder of CSV tables", "", _function("files.csv_write.write_csv"))},
        endings=("",),
        files=FILES,
        exact=False,
    ),
    Format(
        name="trf",
        title="a TRF",
        recognises=_holds_records,
        reads=_function("files.trf.read_trf"),
        forms={
            "trf16": Form(
                "FIDE's Tournament Report File of 2016",
                f"{_TRF_LOSES}, points of byes, penalties, other match points than 2, 1, 0",
                _file("files.trf_write.write_trf", 2016),
            ),
            "trf26": Form(
                "FIDE's Tournament Report File of 2026",
                _TRF_LOSES,
                _file("files.trf_write.write_trf", 2026),
            ),
        },
        endings=(".trf", ".trfx"),
    ),
    Format(
        name="pgn",
        title="a PGN",
        recognises=_holds_tags,
        reads=_function("files.pgn.read_pgn"),
    ),
)
"""The more particular a format, the later it stands: a file is of the last that recognises it."""
OLD_NAMES: Mapping[str, str] = {"csv": "table", "crosstable": "table"}
"""What formats were called before version 3, and are called now."""


def names() -> tuple[str, ...]:
    """The formats that are read, as `--form` has them."""
    return tuple(form.name for form in FORMATS)


def forms() -> dict[str, tuple[Format, Form]]:
    """What is written: formats and forms by the names that `--to` has."""
    return {
        name: (file_format, form)
        for file_format in FORMATS
        for name, form in file_format.forms.items()
    }


def by_ending() -> dict[str, str]:
    """The newest form of a format by the endings of its files."""
    return {
        ending: list(file_format.forms)[-1]
        for file_format in FORMATS
        for ending in file_format.endings
    }


def of_folders() -> Format:
    """The format of folders; there is one."""
    return next(form for form in FORMATS if form.files != ("",))


def format_named(name: str) -> Format:
    """The format that a user names, perhaps by its old name."""
    from tb2learn.text import quoted
    from tb2learn.types import InputError  # which takes longer to load than the rest of help

    name = OLD_NAMES.get(name, name)
    if name not in names():
        raise InputError(f"form must be one of {', '.join(names())}, got {quoted(name)}")
    return next(form for form in FORMATS if form.name == name)


def recognised(content: Content, strict: bool) -> Format | None:
    """The format of a file by its beginning; None if it is none of them."""
    # A strict reader guesses nothing: what is not exact must be named.
    candidates = (form for form in reversed(FORMATS) if form.exact or not strict)
    return next((form for form in candidates if form.recognises(content)), None)


def _files_first() -> list[Format]:
    """The formats in the order of sentences: the one of folders comes last."""
    return sorted(FORMATS, key=lambda form: form.files != ("",))


def titles() -> str:
    """What may be read: `a TRF, a PGN, or a folder with matches.csv (or that file)`."""
    *others, last = (title for form in _files_first() for title in form.kinds or (form.title,))
    return f"{', '.join(others)}, or {last}"


def described() -> str:
    """What may be read, for help: `a folder with matches.csv, a TRF16, TRF26, PGN or CSV file`."""
    written = [name.upper() for form in _files_first() for name in form.forms]
    others = [form.title for form in FORMATS if not form.forms]
    others += [title for form in FORMATS for title in form.kinds[:-1]]
    folder = f"a folder with {of_folders().files[0]}"
    return f"{', '.join([folder, *others])}, a {either(written)} file"


def endings() -> str:
    """The endings of files that are written: `.trf, .trfx or .pgn`."""
    return either([ending for ending in by_ending() if ending])


def either(words: Sequence[str]) -> str:
    """Words as a choice: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
