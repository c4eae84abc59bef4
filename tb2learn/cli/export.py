"""The command that exports lookup tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tb2learn.cli import arguments, choices
from tb2learn.cli.arguments import DEFAULT_TABLE, command
from tb2learn.cli.output import say_note, show

if TYPE_CHECKING:
    from tb2learn.tiebreaks.rules import Rule


# Each form imports its own library, as no other command needs it.


def _csv(rule: Rule, language: str, pages: bool) -> str:
    from tb2learn.export.table import table_csv

    return table_csv(rule, language)


def _json(rule: Rule, language: str, pages: bool) -> str:
    from tb2learn.export.table import table_json

    return table_json(rule, language)


def _xlsx(rule: Rule, language: str, pages: bool) -> bytes:
    from tb2learn.export.xlsx import table_xlsx

    return table_xlsx(rule, language)


def _pdf(rule: Rule, language: str, pages: bool) -> bytes:
    from tb2learn.export.pdf import table_pdf

    return table_pdf(rule, language, booklet=not pages)


def _html(rule: Rule, language: str, pages: bool) -> str:
    from tb2learn.export.html import table_html

    return table_html(rule, language)


FORMS: dict[str, Callable[[Rule, str, bool], str | bytes]] = {
    "csv": _csv,
    "json": _json,
    "xlsx": _xlsx,
    "pdf": _pdf,
    "html": _html,
}


@command(
    f"tb2learn export {DEFAULT_TABLE} --out tables",
    "tb2learn export olympiad-180x11 --out tables --format pdf,html --lang es",
    f"tb2learn export {DEFAULT_TABLE} --out tables --format csv --rounds 9",
)
@click.argument(
    "checkpoint",
    type=arguments.CHECKPOINT,
    metavar="CHECKPOINT",
    help="a path, or the name of a committed one",
)
@click.option("--out", required=True, metavar="DIR", help="folder of the files")
@click.option(
    "--format",
    "forms",
    type=arguments.names_of("--format", FORMS),
    default="csv,json",
    metavar="LIST",
    help=f"comma separated: {', '.join(FORMS)}",
)
@click.option(
    "--lang",
    type=click.Choice(choices.LANGUAGES),
    default=choices.LANGUAGES[0],
    help="language of labels and instructions",
)
@click.option(
    "--pages",
    is_flag=True,
    show_default=False,
    help="PDF with one page per own MP instead of a booklet with several per page",
)
@click.option(
    "--rounds",
    type=arguments.ROUNDS,
    metavar="N",
    help="rescale the table to another number of rounds; the table says so",
)
def export(
    checkpoint: str, out: str, forms: list[str], lang: str, pages: bool, rounds: int | None
) -> None:
    """Write the lookup table of a checkpoint as CSV, JSON, XLSX, PDF or HTML.

    Prints the files written.
    """
    from tb2learn import files
    from tb2learn.training.checkpoint import load

    rule = load(checkpoint).rule(rounds)
    say_note(rule)
    suffix = f"-{rule.event_rounds}-rounds" if rule.note else ""
    language = "" if lang == choices.LANGUAGES[0] else f".{lang}"
    # All forms are made before the first is written, so that a refused form leaves no files behind.
    made = {form: FORMS[form](rule, lang, pages) for form in forms}
    for form, content in made.items():
        path = Path(out) / f"{rule.name}{suffix}{language}.{form}"
        files.write_bytes(path, content.encode() if isinstance(content, str) else content)
        show(f"{path}\n")
