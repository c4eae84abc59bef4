"""All file formats: how each is recognised, read and written.

What is said of them anywhere is read from here. An entry imports nothing heavy: help and completion
load it. What reads and writes is named there, and imported when it is called.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tb2learn.events.files.headings import FILES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from tb2learn.events.files.options import Reading
    from tb2learn.events.model import TeamEvent


class Head(NamedTuple):
    """The beginning of a file, by which its format is recognised."""

    data: bytes  # its first bytes, at most `source.HEAD`
    text: str  # the same decoded; empty if they are compressed


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
    # Whether a file that begins so is of this format; it is shown a few kilobytes.
    recognises: Callable[[Head], bool]
    # The event in a file (or folder), from that, the name of the event if the content gives none,
    # and what the user says; raises `InputError`, one line, for any other content.
    reads: Callable[[Traversable, str, Reading], TeamEvent]
    # What it is written in, by the names that `--to` has, the newest last; none if only read.
    forms: Mapping[str, Form] = field(default_factory=dict)
    endings: tuple[str, ...] = ()  # of files in its newest form, in lower case; empty for a folder
    # The files in a folder: the first must be there and is written last; `` for one file alone.
    files: tuple[str, ...] = ("",)
    of: str = "teams or players"  # of whom its events may be
    # Whether its content cannot be taken for anything else. If not, a strict reader takes a file
    # for one only if the user says so.
    exact: bool = True


RECORD = re.compile(r"(?:\A\ufeff?|[\r\n])[0-9]{3}[ \r\n]")
"""The beginning of a line of a TRF."""
TAG = re.compile(r"\ufeff?(?:[%;][^\r\n]*[\r\n]|\s)*\[")
"""The beginning of a PGN: a tag, but for comments."""


def _function(place: str) -> Callable[..., Any]:
    """A function of `events` by its module and name, which are imported when it is called."""
    module, _, name = place.rpartition(".")

    def call(*arguments: object) -> Any:
        return getattr(importlib.import_module(f"tb2learn.events.{module}"), name)(*arguments)

    return call


def _file(place: str, *more: object) -> Callable[[TeamEvent], Written]:
    """What writes an event as one file, by a function that gives its text."""
    return lambda event: {"": _function(place)(event, *more)}


_TRF_LOSES = "names beyond its columns, match numbers, ratings that change from game to game"

FORMATS: tuple[Format, ...] = (
    Format(
        name="csv",
        title=f"a folder with {FILES[0]} (or that file)",
        recognises=_function("files.read.holds_table"),
        reads=_function("files.read.read_sheets"),
        forms={"csv": Form("a folder of CSV tables", "", _function("files.csv_write.write_csv"))},
        endings=("",),
        files=FILES,
        exact=False,
    ),
    Format(
        name="trf",
        title="a TRF",
        recognises=lambda head: RECORD.search(head.text) is not None,
        reads=_function("files.trf.read_trf_file"),
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
        recognises=lambda head: TAG.match(head.text) is not None,
        reads=_function("files.pgn.read_pgn_file"),
    ),
    Format(
        name="crosstable",
        title="a crosstable or pairings of chess-results (CSV, XLSX, HTML)",
        recognises=_function("files.read.holds_list"),
        reads=_function("files.read.read_sheets"),
        exact=False,
    ),
)
"""The more particular a format, the later it stands: a file is of the last that recognises it."""


def names() -> tuple[str, ...]:
    """The formats that are read, as `--form` has them."""
    return tuple(one.name for one in FORMATS)


def forms() -> dict[str, tuple[Format, Form]]:
    """What is written: formats and forms by the names that `--to` has."""
    return {name: (one, form) for one in FORMATS for name, form in one.forms.items()}


def by_ending() -> dict[str, str]:
    """The newest form of a format by the endings of its files."""
    return {ending: list(one.forms)[-1] for one in FORMATS for ending in one.endings}


def of_folders() -> Format:
    """The format of folders; there is one."""
    return next(one for one in FORMATS if one.files != ("",))


def format_named(name: str) -> Format:
    """The format that a user names."""
    from tb2learn.text import quoted
    from tb2learn.types import InputError  # which takes longer to load than the rest of help

    if name not in names():
        raise InputError(f"form must be one of {', '.join(names())}, got {quoted(name)}")
    return next(one for one in FORMATS if one.name == name)


def recognised(head: Head, strict: bool) -> Format | None:
    """The format of a file that begins so; None if it is none of them."""
    known = (one for one in reversed(FORMATS) if one.exact or not strict)
    return next((one for one in known if one.recognises(head)), None)


def _files_first() -> list[Format]:
    """The formats in the order of sentences: the one of folders comes last."""
    return sorted(FORMATS, key=lambda one: one.files != ("",))


def titles() -> str:
    """What may be read: `a TRF, a PGN, or a folder with matches.csv (or that file)`."""
    *others, last = (one.title for one in _files_first())
    return f"{', '.join(others)}, or {last}"


def described() -> str:
    """What may be read, for help: `a folder with matches.csv, a TRF16, TRF26, PGN or CSV file`."""
    written = [form.upper() for one in _files_first() for form in one.forms]
    others = [one.title for one in FORMATS if not one.forms]
    folder = f"a folder with {of_folders().files[0]}"
    return f"{', '.join([folder, *others])}, a {either(written)} file"


def endings() -> str:
    """The endings of files that are written: `.trf, .trfx or .pgn`."""
    return either([ending for ending in by_ending() if ending])


def either(words: Sequence[str]) -> str:
    """Words as a choice: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
