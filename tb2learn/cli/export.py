"""The command that exports lookup tables."""

from __future__ import annotations

from tb2learn.cli.arguments import (
    DEFAULT_TABLE,
    boards_option,
    command,
    flag,
    folder_option,
    language_option,
    names_of,
    option,
    rounds_option,
    rule_argument,
)
from tb2learn.cli.output import say_note, show
from tb2learn.export.forms import FORMS


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
