"""Paths that a command writes: checked when its arguments are, before the work."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from itertools import combinations

import click

from tb2learn.disk import outputs
from tb2learn.events.files.headings import FILES


class Written(click.ParamType):
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
        if not value.endswith(self.ending):
            self.fail(f"{self.what} must be a {self.ending} file, got {value[-40:]!r}", param, ctx)
        for path in self.paths(value):
            if not path.endswith("/") and (reason := outputs.why_no_file(path)):
                self.fail(f"{path}: cannot be written: {reason}", param, ctx)
        return value


class WrittenFolder(Written):
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
    written, given = list[str](), list[str]()
    for one in context.command.params:
        value = context.params.get(one.name or "")
        if isinstance(one.type, Written):
            written += one.type.paths(value) if value else []
        else:
            values = value if isinstance(value, tuple | list) else [value]
            given += [text for text in values if isinstance(text, str)]
    for one, other in combinations(written, 2):
        if os.path.realpath(one) == os.path.realpath(other) or _same(one, other):
            raise click.UsageError(f"{other}: is the path of two outputs", context)
    there = [path for path in written if os.path.lexists(path)]
    for path in _read_for(given) if there else ():
        for output in there:
            if _same(path, output) or (output.endswith("/") and _within(path, output)):
                raise click.UsageError(f"{output}: is read: give the output another name", context)


def _read_for(given: Iterable[str]) -> Iterator[str]:
    """The files that may be read for the values of arguments, whatever these are."""
    from tb2learn.config import find_file
    from tb2learn.types import InputError

    for text in {part for value in given for part in (value, *value.split(","))} - {""}:
        yield text
        folder = os.path.dirname(text) if os.path.basename(text) == FILES[0] else text
        yield from (os.path.join(folder, name) for name in FILES)
        name = re.sub("-pass[0-9]+$", "", text)
        for kind, ending in (("checkpoints", ".npz"), ("configs", ".toml")):
            with contextlib.suppress(InputError):
                yield str(find_file(name, kind, ending))


def _same(one: str, other: str) -> bool:
    with contextlib.suppress(OSError, ValueError):  # ValueError: a character that no path has
        return os.path.samefile(one, other)
    return False


def _within(path: str, folder: str) -> bool:
    return os.path.exists(path) and os.path.realpath(path).startswith(
        os.path.join(os.path.realpath(folder), "")
    )
