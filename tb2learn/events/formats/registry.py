"""All file formats. What is said of them anywhere is read from here."""

from __future__ import annotations

from collections.abc import Sequence

from tb2learn.events.formats import csv_format, pgn_format, trf_format
from tb2learn.events.formats.format import Form, Format, Head

FORMATS: tuple[Format, ...] = (csv_format.FORMAT, trf_format.FORMAT, pgn_format.FORMAT)
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
    """The format that a user names.

    **Raises:** `InputError` if there is none of that name.
    """
    from tb2learn.text import quoted
    from tb2learn.types import InputError  # which takes longer to load than the rest of help

    if name not in names():
        raise InputError(f"form must be one of {', '.join(names())}, got {quoted(name)}")
    return next(one for one in FORMATS if one.name == name)


def recognised(head: Head, strict: bool) -> Format | None:
    """The format of a file that begins so; None if it is none of them."""
    for one in reversed(FORMATS):
        if (one.exact or not strict) and one.recognises(head):
            return one
    return None


def _files_first() -> list[Format]:
    """The formats in the order of sentences: the one of folders comes last."""
    return sorted(FORMATS, key=lambda one: one.files != ("",))


def titles() -> str:
    """What may be read: `a TRF, a PGN, or a folder with matches.csv (or that file)`."""
    *others, last = (one.title for one in _files_first())
    return f"{', '.join(others)}, or {last}"


def described() -> str:
    """What may be read, for help: `a folder with matches.csv, a TRF16, TRF26, PGN or CSV file`."""
    written = [form.upper() for one in _files_first() for form in one.forms or [one.name]]
    return f"a folder with {of_folders().files[0]}, a {either(written)} file"


def endings() -> str:
    """The endings of files that are written: `.trf, .trfx or .pgn`."""
    return either([ending for ending in by_ending() if ending])


def either(words: Sequence[str]) -> str:
    """Words as a choice: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
