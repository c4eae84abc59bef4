"""Read an event of any format, or a packaged one by name."""

from __future__ import annotations

import io
import itertools
import os
import re
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath

from tb2learn.data import event_folder, event_names
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.formats.csv_folder import read_folder
from tb2learn.events.formats.csv_players import COLUMNS as GAME_COLUMNS
from tb2learn.events.formats.csv_rows import FILES, delimiter
from tb2learn.events.formats.csv_words import column_of
from tb2learn.events.formats.oddities import Reading
from tb2learn.events.formats.packed import Held, is_packed, standard_input, unpacked
from tb2learn.events.formats.pgn import read_pgn
from tb2learn.events.formats.source import MAX_NAME, decoded, read_bytes, unmarked
from tb2learn.events.formats.trf_read import read_trf
from tb2learn.events.model import TeamEvent
from tb2learn.text import did_you_mean, named, shown
from tb2learn.types import InputError

STANDARD_INPUT = "-"
MATCHES = FILES[0]
HEAD = 1 << 16
TABLE_HEADS = (("round", "team_a", "team_b"), GAME_COLUMNS)
"""Columns by which a table of matches, or of games of players, is known."""
_MOST_BESIDE = 5000
PGN = re.compile(r"\ufeff?(?:[%;][^\r\n]*[\r\n]|\s)*\[")
TRF = re.compile(r"(?:\A\ufeff?|[\r\n])[0-9]{3}[ \r\n]")


def read_event(source: str | Path, options: Reading | None = None) -> TeamEvent:
    """Read an event from a folder or a file, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv` (or that file); a TRF, PGN or CSV file, recognised by
      its content, also compressed by gzip or ZIP; the name of a packaged event such as `baku2016`;
      `-` for standard input.
    - `options`: how strict to be, and what the user knows about the event. If not given, what is
      unclear is read with a note.

    **Returns:** a `TeamEvent`; its `notes` say what was assumed.

    **Raises:** `InputError`, one line, for anything that is not a valid event, or where a guess
    could change a place: two results of one game, two matches of a team in a round.
    """
    options = options or Reading()
    if str(source) == STANDARD_INPUT:
        return _read_held(Held("standard input", standard_input()), options)
    if is_file(source):
        return _read_file(Path(source), options)
    if is_folder(source):
        folder, name = Path(source), shown(Path(source).resolve().name)
        if not (folder / MATCHES).is_file():
            raise InputError(f"{name}: a folder of an event must hold {MATCHES}")
        return read_folder(folder, name, options)
    return read_folder(_packaged(str(source)), str(source), options)


def _packaged(name: str) -> Traversable:
    """The folder of a packaged event.

    **Raises:** `InputError` that names what may have been meant: packaged events, and files beside
    the one that does not exist.
    """
    try:
        return event_folder(named(name))
    except InputError as error:
        hint = did_you_mean(os.path.basename(name)[:MAX_NAME], [*event_names(), *_beside(name)])
        raise InputError(f"{error}{hint}") from error


def _beside(name: str) -> list[str]:
    """Names in the folder of a path; the first thousands of a large one."""
    try:
        with os.scandir(os.path.dirname(name) or ".") as entries:
            return [entry.name for entry in itertools.islice(entries, _MOST_BESIDE)]
    except (OSError, ValueError):  # no such folder, or a name that cannot be a path
        return []


def _read_file(path: Path, options: Reading) -> TeamEvent:
    """Read a file of the format that its content shows."""
    file = shown(path.name)
    if path.name == MATCHES:
        return read_folder(path.parent, shown(path.resolve().parent.name), options)
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            if not is_packed(head) and _form(head, options) == "pgn" and _is_bytewise(head):
                stream.seek(0)
                return read_pgn(stream, file, shown(path.stem), options)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    if not is_packed(head) and not _form(head, options):
        raise _none(file)
    return _read_held(Held(file, read_bytes(path)), options)


def _read_held(held: Held, options: Reading) -> TeamEvent:
    """Read what is in memory; one that is compressed is unpacked once."""
    name = shown(PurePath(held.name).stem)
    if held.is_dir():
        return read_folder(held, name, options)
    data = read_bytes(held)
    if is_packed(data):
        inner = unpacked(data, held.name)
        if inner.is_dir():
            return read_folder(inner, shown(inner.name), options)
        held, data, name = inner, read_bytes(inner), shown(PurePath(inner.name).stem)
    form = _form(data[:HEAD], options)
    if form == "trf":
        return read_trf(data, held.name, options)
    if form == "pgn":
        text = data if _is_bytewise(data) else decoded(data).encode()
        return read_pgn(io.BytesIO(text), held.name, name, options)
    if form == "csv":
        try:
            return read_folder(Held(name, {MATCHES: data}), name, options)
        except InputError as error:
            raise InputError(re.sub(f"^{MATCHES}", lambda _: held.name, str(error))) from error
    raise _none(held.name)


def _none(file: str) -> InputError:
    return InputError(
        f"{file}: must be a TRF, a PGN, or a folder with matches.csv (or that file), also "
        "compressed (.gz, .zip)"
    )


def _is_bytewise(data: bytes) -> bool:
    """Whether a text has no zero bytes between its characters, as UTF-16 has."""
    return unmarked(data)[1] == "utf-8"


def _form(head: bytes, options: Reading) -> str:
    """The form that a user names, else the one that a file begins like; empty for none."""
    if options.form:
        return options.form
    text = decoded(head[: len(head) // 2 * 2])
    if PGN.match(text):
        return "pgn"
    if TRF.search(text):
        return "trf"
    if not options.strict:
        first = next((row for row in text.splitlines() if row.strip()), "")
        columns = {column_of(c.strip(' "')) for c in first.split(delimiter(text))}
        if any(columns.issuperset(known) for known in TABLE_HEADS):
            return "csv"
    return ""
