"""Where commands write: results on standard output, notes on standard error."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tb2learn.tiebreaks.rules import Rule


def show(content: str) -> None:
    """Write a result to standard output at once: while the progress of its run is still kept.

    **Raises:** `InputError` if that is a file on a full disk; a reader of a pipe that has seen
    enough is no error.
    """
    try:
        sys.stdout.write(content)
        sys.stdout.flush()
    except OSError as error:
        # Python complains at exit about output that cannot be written; without this.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            from tb2learn.types import InputError

            reason = f"standard output: cannot be written: {error.strerror}"
            raise InputError(reason) from error


def say(note: str) -> None:
    """Write a note to standard error: what the reader of a result should know."""
    from tb2learn.text import plain

    print(f"tb2learn: note: {plain(note)}", file=sys.stderr)


def say_note(rule: Rule) -> None:
    """Say that a table was rescaled, if it was."""
    if rule.note:
        say(rule.note)
