"""Where commands write: results on standard output or to files, notes on standard error.

Paths are checked when the arguments are, before the work.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

import click

from tb2learn.disk import outputs
from tb2learn.events.files.headings import FILES
from tb2learn.export.forms import LANGUAGES, OUTPUTS

if TYPE_CHECKING:
    from tb2learn.assessment.references import Reference
    from tb2learn.config import Config
    from tb2learn.export.result import Table, TableSet
    from tb2learn.tiebreaks.rules import Rule


QUIET = "tb2learn.quiet"
"""Where the context of the program keeps whether notes are wanted."""

_TEXTS = ("txt", "text")
"""Endings of files of text."""


def program_name() -> str:
    """The command as the shell that started it finds it: `tb2learn`, or its path.

    For lines that are to be typed as they stand. `.venv/bin/tb2learn`, say, where no environment is
    active.
    """
    if shutil.which("tb2learn"):
        return "tb2learn"
    called = Path(sys.argv[0])
    if called.stem != "tb2learn":  # a module of Python
        return f"{shlex.quote(sys.executable)} -m tb2learn"
    with contextlib.suppress(ValueError):
        called = called.absolute().relative_to(Path.cwd())
    return shlex.quote(str(called))


class Output(NamedTuple):
    """Where the result of a command goes, and in which form."""

    form: str  # one of `OUTPUTS`, or a form that is a file only
    out: str | None = None  # the path of the file; None for the screen
    wide: bool = False  # whether text is one table however wide
    lang: str = LANGUAGES[0]  # of forms to print, one of `LANGUAGES`

    @property
    def width(self) -> int | None:
        """Columns of text: those of the terminal, or 80; None in a file, or if it may be wide.

        The variable `COLUMNS` counts as a terminal of that width.
        """
        # In a pipe 80, so that what is kept does not depend on somebody's window.
        terminal = sys.stdout.isatty() or os.environ.get("COLUMNS")
        screen = shutil.get_terminal_size().columns if terminal else 80
        return None if self.wide or self.out else screen

    def deliver(
        self,
        result: Table | TableSet,
        *,
        text: Callable[[int | None], str] | None = None,
        files: Callable[[str], bytes] | None = None,
        read: Sequence[str] = (),
    ) -> None:
        """Show a result, or write it to a file and print its path. Then say its notes.

        **Arguments:**

        - `text`: what is shown on the screen, at a width, if it is not the table itself.
        - `files`: makes a form that is a file only.
        - `read`: those of the notes that are on the reading of a file, which are numbered.
        """
        from tb2learn.disk import files as writing

        # Forms to print, then text, then forms that other programs read.
        if files and self.form not in OUTPUTS:
            content = files(self.form)
        elif self.form == OUTPUTS[0]:
            content = (text or result.text)(self.width).encode()
        else:
            content = (result.csv() if self.form == "csv" else result.json()).encode()
        if self.out is None:
            show(content.decode())
        else:
            writing.write_bytes(Path(self.out), content)
            show(f"{self.out}\n")
        # Last, so that on a screen they stand below the table.
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

    # Nobody said a form: the file's ending does.
    if form is None:
        ending = Path(out).suffix.lower().removeprefix(".") if out else ""
        if ending not in ("", *_TEXTS, *OUTPUTS[1:], *printed):
            allowed = ", ".join(f".{name}" for name in (_TEXTS[0], *OUTPUTS[1:], *printed))
            raise InputError(f"{out}: the ending must be {allowed}; or say --format")
        # Any other ending that got so far is one of text, as is none.
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

    # Line by line, as `plain` escapes the ends of lines, too.
    content = "\n".join(map(plain, content.split("\n")))
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    # Tried before anything is written: an error halfway would leave half a table.
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
        # Whoever reads with `head` has had enough, and that is no failure.
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
    # Called from Python there is no command, and so nothing that silences it.
    context = click.get_current_context(silent=True)
    if context and context.find_root().meta.get(QUIET):
        return
    tell(f"{'note' if number is None else f'note {number}'}: {note}")


def say_notes(notes: Iterable[str], read: Sequence[str] = ()) -> None:
    """Write notes on a result; those of a file that was `read` are numbered."""
    for note in notes:
        say(note, read.index(note) + 1 if note in read else None)


def say_note(rule: Rule | Reference, teams: int | None = None) -> None:
    """Write what a name stands for, and what it costs to use a rule in another format."""
    from tb2learn.catalogue import checkpoint_notes
    from tb2learn.export.standings import rule_notes
    from tb2learn.tiebreaks.rules import Rule

    # References are no rules, and nothing is to be said of them.
    if isinstance(rule, Rule):
        say_notes((*checkpoint_notes([rule.own_name]), *rule_notes(rule, teams)))


def say_played(config: Config) -> None:
    """Write in words what is played: a name of a world says little, and that of a rule nothing."""
    from tb2learn.config import setting_said

    say(f"played: {setting_said(config.setting)}")


# --------------------------------------------------------------------------- paths of outputs


class OutputFile(click.ParamType):
    """The type of the path of a file that is written; it must be one that can be."""

    name = "path"

    def __init__(self, what: str = "", ending: str = "", screen: bool = False):
        """Any file; or one of a kind, or standard output.

        **Arguments:** `what`, `ending`: the kind and its ending; `screen`: `-` is allowed.
        """
        self.what, self.ending, self.screen = what, ending, screen

    def paths(self, value: str) -> list[str]:
        """The files that are written if this is given; folders, with all in them, end in `/`."""
        return [] if self.screen and value == "-" else [value]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, as it was given.

        **Raises:** `click.BadParameter` if it cannot be written.
        """
        # Before the work: a wrong ending would be found when all is done.
        if not value.endswith(self.ending):
            self.fail(f"{self.what} must be a {self.ending} file, got {value[-40:]!r}", param, ctx)
        for path in self.paths(value):
            # Of a folder only whether it can be written to, which `OutputFolder` looks at.
            if not path.endswith("/") and (reason := outputs.why_no_file(path)):
                self.fail(f"{path}: cannot be written: {reason}", param, ctx)
        return value


class OutputFolder(OutputFile):
    """The type of a folder in which files of some names are written."""

    def __init__(self, *names: str):
        """A folder for these names; those of folders end in `/`."""
        super().__init__()
        self.names = names

    def paths(self, value: str) -> list[str]:
        """As of a file."""
        return [os.path.join(value, name) for name in self.names]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """As of a file."""
        if reason := outputs.why_no_folder(value):
            self.fail(f"{value}: cannot be written to: {reason}", param, ctx)
        return super().convert(value, param, ctx)


def check_apart(context: click.Context) -> None:
    """Check that a command replaces nothing that it reads, and writes no path twice.

    **Raises:** `click.UsageError` naming the path.
    """
    paths_written, values_read = list[str](), list[str]()
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter.type, OutputFile):
            paths_written += parameter.type.paths(value) if value else []
        else:
            # Whatever else a command was given may be the name of something that it reads.
            values = value if isinstance(value, tuple | list) else [value]
            values_read += [text for text in values if isinstance(text, str)]
    for first, second in combinations(paths_written, 2):
        # The real path tells of files that are not there yet, the file itself of hard links.
        if os.path.realpath(first) == os.path.realpath(second) or _same(first, second):
            raise click.UsageError(f"{second}: is the path of two outputs", context)
    # What is not there yet cannot be what is read.
    existing = [path for path in paths_written if os.path.lexists(path)]
    for path in _read_for(values_read) if existing else ():
        for output in existing:
            # A folder is replaced with all that is in it.
            if _same(path, output) or (output.endswith("/") and _within(path, output)):
                raise click.UsageError(f"{output}: is read: give the output another name", context)


def _read_for(given: Iterable[str]) -> Iterator[str]:
    """The files that may be read for the values of arguments, whatever these are."""
    from tb2learn.config import find_file
    from tb2learn.types import InputError

    # What an argument names is known to its command alone: whatever it could stand for is tried.
    for text in {part for value in given for part in (value, *value.split(","))} - {""}:
        # As it is: a path.
        yield text
        # The table of matches stands for its folder.
        folder = os.path.dirname(text) if os.path.basename(text) == FILES[0] else text
        yield from (os.path.join(folder, name) for name in FILES)
        # A pass of a checkpoint is read from the file of all.
        name = re.sub("-pass[0-9]+$", "", text)
        of_configs = "configs", ".toml", ("recipes", "worlds")
        for folder_of, ending, parts in (("checkpoints", ".npz", ("",)), of_configs):
            with contextlib.suppress(InputError):
                yield str(find_file(name, folder_of, ending, parts))


def _same(first: str, second: str) -> bool:
    with contextlib.suppress(OSError, ValueError):  # ValueError: a character that no path has
        return os.path.samefile(first, second)
    return False


def _within(path: str, folder: str) -> bool:
    # With a slash at the end: `tables2` is not in `tables`.
    return os.path.exists(path) and os.path.realpath(path).startswith(
        os.path.join(os.path.realpath(folder), "")
    )
