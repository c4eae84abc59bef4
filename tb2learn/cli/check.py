"""The command that says what is wrong in the record of an event."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import command
from tb2learn.cli.output import say_notes, show

if TYPE_CHECKING:
    from tb2learn.events import TeamEvent
    from tb2learn.events.check import Checked, Finding

_FORMS = ("table", "json")


@command(
    "tb2learn check open.trf",
    "tb2learn check crosstable.csv --by-round",
    "tb2learn check event.trf --format json",
)
@arguments.event_argument
@arguments.flag("--by-round", "a line for every round, also where nothing is wrong")
@click.option("--format", type=click.Choice(_FORMS), default=_FORMS[0], help="the form")
@arguments.reads
@click.pass_context
def check(context: click.Context, event: str, by_round: bool, format: str) -> None:
    """Say what is wrong in the record of an event.

    Points, tie-breaks and places in the file are recomputed. In a Swiss: the same opponent twice, a
    second bye, a colour three times. The exit status is 0, or 1 if something is wrong.
    """
    from tb2learn.events import read_event
    from tb2learn.events.check import Checked, Finding
    from tb2learn.events.check import check as checked
    from tb2learn.types import InputError

    data = None
    try:
        data = read_event(event, arguments.reading_asked())
        found = checked(data)
    except InputError as error:
        if not os.path.exists(event):
            raise
        found = Checked((), (Finding(0, "file", str(error)),))
    text = _json(data, found) if format == "json" else _text(data, found, by_round)
    show(text)
    say_notes(data.notes if data else ())
    context.exit(1 if found.findings else 0)


def _text(event: TeamEvent | None, found: Checked, by_round: bool) -> str:
    """The columns as a table, and the findings, one a line."""
    from tb2learn.text import aligned

    lines: list[str] = []
    if found.columns:
        rows = [
            (one.heading, one.criterion or _none(one.heading), one.policy, one.agreeing, one.cells)
            for one in found.columns
        ]
        header = ("printed", "recomputed as", "unplayed rounds", "agree", "of")
        lines += aligned(header, rows).splitlines()
    rounds = range(1, event.rounds + 1) if by_round and event and event.known_rounds else ()
    for number in rounds:
        wrong = [one for one in found.findings if one.round == number]
        lines.append(f"round {number}: {len(wrong) or 'nothing'} wrong")
        lines += [f"  {one.kind}: {one.text}" for one in wrong]
    rest = [one for one in found.findings if one.round not in rounds]
    lines += [_line(one) for one in rest]
    lines.append(f"{len(found.findings) or 'nothing'} wrong")
    return "".join(f"{line}\n" for line in lines)


def _none(heading: str) -> str:
    return "the order of the printed columns" if heading == "place" else "(no tie-break known here)"


def _line(one: Finding) -> str:
    where = f"round {one.round}: " if one.round else ""
    return f"{where}{one.kind}: {one.text}"


def _json(event: TeamEvent | None, found: Checked) -> str:
    content = {
        "event": event.name if event else None,
        "rounds": event.rounds if event else None,
        "columns": [asdict(one) for one in found.columns],
        "findings": [asdict(one) for one in found.findings],
        "notes": list(event.notes) if event else [],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"
