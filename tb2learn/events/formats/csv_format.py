"""The entry of CSV: a folder of tables, or the table of its matches alone."""

from __future__ import annotations

import re
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from tb2learn.events.formats.csv_words import FILES, KNOWN_BY, column_of, delimiter
from tb2learn.events.formats.format import Form, Format, Head, Written

if TYPE_CHECKING:
    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.model import TeamEvent


def _recognises(head: Head) -> bool:
    """Whether the first row heads the columns of matches or games."""
    first = next((row for row in head.text.splitlines() if row.strip()), "")
    columns = {column_of(cell.strip(' "')) for cell in first.split(delimiter(head.text))}
    return any(columns.issuperset(known) for known in KNOWN_BY)


def _reads(source: Traversable, name: str, options: Reading) -> TeamEvent:
    """The event in a folder; a file is taken for the only one of its folder."""
    from tb2learn.events.formats.csv_folder import read_folder
    from tb2learn.events.formats.source import Held, read_bytes
    from tb2learn.text import shown
    from tb2learn.types import InputError

    if source.is_dir():
        return read_folder(source, name, options)
    table = FILES[0]
    try:
        return read_folder(Held(name, {table: read_bytes(source)}), name, options)
    except InputError as error:
        file = shown(source.name)
        raise InputError(re.sub(f"^{table}", lambda _: file, str(error))) from error


def _writes(event: TeamEvent) -> Written:
    from tb2learn.events.formats.csv_folder import read_folder
    from tb2learn.events.formats.csv_write import folder_files
    from tb2learn.events.formats.losses import differences
    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.formats.source import Held
    from tb2learn.text import shown
    from tb2learn.types import InputError

    files = folder_files(event)
    content = {name: text.encode() for name, text in files.items()}
    try:
        back = read_folder(Held("CSV", content), event.name, Reading(strict=True))
    except InputError as error:
        raise InputError(f"{shown(event.name)}: cannot be written as CSV: {error}") from error
    numbers = {name: number for number, name in enumerate(back.teams)}
    teams = [numbers.get(name) for name in event.teams]
    return Written(files, differences(event, back, teams, range(len(event.players))))


FORMAT = Format(
    name="csv",
    title=f"a folder with {FILES[0]} (or that file)",
    recognises=_recognises,
    reads=_reads,
    forms={"csv": Form("a folder of CSV tables", "nothing", _writes)},
    endings=("",),
    files=FILES,
    exact=False,
)
