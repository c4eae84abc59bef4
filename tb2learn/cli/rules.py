"""Commands that write out rules: their tables, what a checkpoint is, and names of all."""

from __future__ import annotations

import json

import click

from tb2learn.cli.arguments import (
    CHECKPOINT,
    DEFAULT_TABLE,
    boards_option,
    command,
    flag,
    folder_option,
    language_option,
    names_of,
    option,
    prints,
    rounds_option,
    rule_argument,
)
from tb2learn.cli.output import Output, say_note, show
from tb2learn.export.forms import FORMS
from tb2learn.export.name_lists import LISTS, listed


@command(
    f"tb2learn export {DEFAULT_TABLE} --out tables",
    "tb2learn export olympiad-180x11 --out tables --format pdf,html --lang es",
    f"tb2learn export {DEFAULT_TABLE} --out tables --format csv --rounds 9",
    "tb2learn export formula-180x11 --out tables --format pencil",
    "tb2learn export learned --boards 8 --rounds 7 --out tables --format pdf",
)
@rule_argument
@folder_option("folder of the files", required=True)
@option(
    "--format",
    f"comma separated: {', '.join(FORMS)} (a PDF of one sheet, for a formula or one pass)",
    "LIST",
    names_of("--format", FORMS),
    to="forms",
    default="csv,json",
)
@language_option("language of labels and instructions")
@flag("--pages", "PDF with one page per own MP instead of a booklet with several per page")
@rounds_option("rescale the table to another number of rounds; the table says so")
@boards_option("games a match, for learned, formula and product", "4, or the checkpoint's")
def export(
    rule: str,
    out: str,
    forms: list[str],
    lang: str,
    pages: bool,
    rounds: int | None,
    boards: int | None,
) -> None:
    """Write a table or formula as CSV, JSON, XLSX, PDF, HTML.

    Prints the files written.
    """
    from tb2learn.catalogue import load_rule
    from tb2learn.export.forms import export
    from tb2learn.types import InputError

    found = load_rule(rule, rounds=rounds, boards=boards or 4)
    if boards and found.boards != boards:
        raise InputError(f"{found.name} is for {found.boards} boards a match, not for {boards}")
    say_note(found)
    for path in export(found, out, formats=forms, language=lang, pages=pages):
        show(f"{path}\n")


@command(f"tb2learn info {DEFAULT_TABLE}", f"tb2learn info {DEFAULT_TABLE} --json")
@click.argument(
    "checkpoint",
    type=CHECKPOINT,
    metavar="CHECKPOINT",
    help="a path, or the name of a committed one",
)
@flag("--json", "the same as JSON", "as_json")
def info(checkpoint: str, as_json: bool) -> None:
    """Describe a checkpoint and how well it fits."""
    from tb2learn.catalogue import load_checkpoint
    from tb2learn.export.checkpoint_table import checkpoint_table

    table = checkpoint_table(load_checkpoint(checkpoint))
    as_text = json.dumps(table.about, indent=2, allow_nan=False) + "\n"
    show(as_text if as_json else table.text(Output("table").width))


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
