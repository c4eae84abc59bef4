"""Where commands write: results on standard output, notes on standard error."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from tb2learn.assessment.references import Reference
    from tb2learn.tiebreaks.rules import Rule


def terminal_width(wide: bool) -> int | None:
    """Columns of the terminal that results go to; None without one, or for all that is asked for.

    The variable `COLUMNS` counts as a terminal of that width.
    """
    if wide or not (sys.stdout.isatty() or os.environ.get("COLUMNS")):
        return None
    return shutil.get_terminal_size().columns


def show(content: str) -> None:
    """Write a result to standard output and flush it, before the progress of its run is deleted.

    A pipe that its reader has closed is no error. Characters that could forge output are escaped.
    Those that the encoding of the output does not have (a console of Windows often has no Greek)
    are replaced, with a note.

    **Raises:** `InputError` if the output cannot be written, for example to a full disk.
    """
    from tb2learn.text import plain

    content = "\n".join(map(plain, content.split("\n")))
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    replaced = content.encode(encoding, "replace").decode(encoding)
    if replaced != content:
        content = replaced
        say(
            f"characters that the output's encoding ({encoding}) does not have are replaced by ?: "
            "files written by --out have all, and so has the output with PYTHONUTF8=1"
        )
    try:
        sys.stdout.write(content)
        sys.stdout.flush()
    except OSError as error:
        _discard(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            from tb2learn.types import InputError

            reason = f"standard output: cannot be written: {error.strerror}"
            raise InputError(reason) from error


def tell(message: str) -> None:
    """Write one line to standard error; a reader who has closed it is no error."""
    from tb2learn.text import one_line

    try:
        print(f"tb2learn: {one_line(message)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Write what is left of a stream to nowhere; else Python complains of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(note: str, number: int | None = None) -> None:
    """Write a note on a result to standard error; those on a file that was read are numbered."""
    tell(f"{'note' if number is None else f'note {number}'}: {note}")


def say_notes(notes: Iterable[str]) -> None:
    """Write the notes on a file that was read, numbered."""
    for number, note in enumerate(notes, start=1):
        say(note, number)


def say_note(rule: Rule | Reference, teams: int | None = None) -> None:
    """Write what a name stands for, and what it costs to use a rule in another format than its own.

    **Arguments:** `rule`; `teams`: of the event, if there is one.
    """
    from tb2learn.export.words import choice, note
    from tb2learn.tiebreaks.rules import Rule

    if isinstance(rule, Rule):
        for line in filter(None, (choice(rule, teams), note(rule, teams=teams))):
            say(line)
