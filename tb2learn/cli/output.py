"""Where commands write: results on standard output or to a file, notes on standard error."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

import click

from tb2learn.export.forms import LANGUAGES, OUTPUTS

if TYPE_CHECKING:
    from tb2learn.assessment.references import Reference
    from tb2learn.export.result import Table, TableSet
    from tb2learn.tiebreaks.rules import Rule


QUIET = "tb2learn.quiet"
"""Where the context of the program keeps whether notes are wanted."""

_TEXTS = ("txt", "text")
"""Endings of files of text."""


class Output(NamedTuple):
    """Where the result of a command goes, and in which form.

    **Fields:**

    - `form`: one of `OUTPUTS`, or a form that is a file only.
    - `out`: the path of the file; None for the screen.
    - `wide`: whether text is one table however wide.
    - `lang`: of forms to print, one of `LANGUAGES`.
    """

    form: str
    out: str | None = None
    wide: bool = False
    lang: str = LANGUAGES[0]

    @property
    def width(self) -> int | None:
        """Columns of text: those of the terminal, or 80; None in a file, or if it may be wide.

        The variable `COLUMNS` counts as a terminal of that width.
        """
        terminal = sys.stdout.isatty() or os.environ.get("COLUMNS")
        screen = shutil.get_terminal_size().columns if terminal else 80
        return None if self.wide or self.out else screen

    def deliver(
        self,
        result: Table | TableSet,
        *,
        text: Callable[[int | None], str] | None = None,
        files: Mapping[str, Callable[[], bytes]] | None = None,
        read: Sequence[str] = (),
    ) -> None:
        """Show a result, or write it to a file and print its path. Then say its notes.

        **Arguments:**

        - `text`: what is shown on the screen, at a width, if it is not the table itself.
        - `files`: what makes the forms that are files only.
        - `read`: those of the notes that are on the reading of a file, which are numbered.
        """
        from tb2learn.disk import files as writing

        if files and self.form in files:
            content = files[self.form]()
        elif self.form == OUTPUTS[0]:
            content = (text or result.text)(self.width).encode()
        else:
            content = (result.csv() if self.form == "csv" else result.json()).encode()
        if self.out is None:
            show(content.decode())
        else:
            writing.write_bytes(Path(self.out), content)
            show(f"{self.out}\n")
        say_notes(result.notes, read)


def chosen_form(
    form: str | None, out: str | None, printed: Iterable[str], lang: str = LANGUAGES[0]
) -> str:
    """The form asked for, or that of the file's ending.

    **Arguments:** `printed`: forms that are files only.

    **Raises:** `InputError` for a form that needs a file if there is none, or has one language; for
    an ending that is none of these.
    """
    from tb2learn.types import InputError

    if form is None:
        ending = Path(out).suffix.lower().removeprefix(".") if out else ""
        if ending not in ("", *_TEXTS, *OUTPUTS[1:], *printed):
            known = ", ".join(f".{one}" for one in (_TEXTS[0], *OUTPUTS[1:], *printed))
            raise InputError(f"{out}: the ending must be {known}; or say --format")
        form = ending if ending in (*OUTPUTS[1:], *printed) else OUTPUTS[0]
    if form in printed and not out:
        raise InputError(f"--format {form} makes a file: name it with --out FILE")
    if form not in printed and lang != LANGUAGES[0]:
        raise InputError(f"--lang {lang} is for {', '.join(printed)}, not for {form}")
    return form


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
    """Write a note on a result to standard error; those on a file that was read are numbered.

    Nothing with `--quiet`.
    """
    context = click.get_current_context(silent=True)
    if context and context.find_root().meta.get(QUIET):
        return
    tell(f"{'note' if number is None else f'note {number}'}: {note}")


def say_notes(notes: Iterable[str], read: Sequence[str] = ()) -> None:
    """Write notes on a result; those of a file that was `read` are numbered."""
    for note in notes:
        say(note, read.index(note) + 1 if note in read else None)


def say_note(rule: Rule | Reference, teams: int | None = None) -> None:
    """Write what a name stands for, and what it costs to use a rule in another format than its own.

    **Arguments:** `rule`; `teams`: of the event, if there is one.
    """
    from tb2learn.export.standings import rule_notes
    from tb2learn.tiebreaks.rules import Rule

    if isinstance(rule, Rule):
        say_notes(rule_notes(rule, teams))
