"""The command that lists names which other commands take."""

from __future__ import annotations

import click

from tb2learn.cli.arguments import command, prints
from tb2learn.cli.output import Output
from tb2learn.export.name_lists import LISTS, listed


@command("tb2learn list tiebreaks", "tb2learn list policies --format csv", name="list")
@prints()
@click.argument(
    "what", type=click.Choice(tuple(LISTS)), required=False, help="what is listed; all without it"
)
def names(what: str | None, output: Output) -> None:
    """Names that other commands take, and their meanings.

    Worlds are configurations of simulated events; policies are for unplayed rounds.
    """
    from tb2learn.export.result import Table, TableSet

    asked = [what] if what else [*LISTS]
    found = {one: [*LISTS[one]()] for one in asked}

    def text(width: int | None) -> str:
        formatter = click.HelpFormatter(width=width or 10_000)
        for one, rows in found.items():
            if what:
                formatter.write_dl(rows)
            else:
                with formatter.section(one.capitalize()):
                    formatter.write_dl(rows)
        return formatter.getvalue()

    if what:
        output.deliver(listed(what), text=text)
    else:
        rows = [(one, *row) for one in asked for row in found[one]]
        tables = {"names": Table(("list", "name", "meaning"), rows)}
        output.deliver(TableSet(tables), text=text)
