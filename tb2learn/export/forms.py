"""A rule, or a document, written in every form: CSV, JSON, workbook, PDF, HTML, pencil edition.

Each form imports its own library, which nothing else needs; this module imports none, so that help
can list the forms at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tb2learn.export.document import Document
    from tb2learn.tiebreaks.rules import Rule
    from tb2learn.training.checkpoint import Checkpoint

FORMS = {
    "csv": "table.table_csv",
    "json": "table.table_json",
    "xlsx": "xlsx.table_xlsx",
    "pdf": "pdf.table_pdf",
    "html": "rule_page.table_html",
    "pencil": "pencil.pencil_pdf",
}
"""Of a rule, by name: the function of this package that makes it, from the rule and a language."""

PRINTED = {"html": "html.document_html", "pdf": "pdf.document_pdf", "xlsx": "xlsx.document_xlsx"}
"""Of a document, by name: the function of this package that makes it."""

OUTPUTS = ("table", "csv", "json")
"""Forms of standings and workings as text."""

SHEETS = ("crosstable", "pairings", "results", "line-ups", "board-prizes")
"""Further sheets of an event, beside its standings: `event_sheets` makes them."""

LANGUAGES = ("en", "hu", "es", "fr", "de")
"""Languages of exported tables, the default first."""


_ENDINGS = {"pencil": "pencil.pdf"}  # of the files, where it is not the name of the form


def _made(function: str, *arguments: Any, **options: Any) -> bytes:
    """What a function of this package makes, by the names of its module and its own."""
    module, name = function.rsplit(".", 1)
    make = getattr(importlib.import_module(f"tb2learn.export.{module}"), name)
    content = make(*arguments, **options)
    return content.encode() if isinstance(content, str) else content


def printed(document: Document, form: str) -> bytes:
    """A document in a form.

    **Raises:** `InputError` for a form that is not of `PRINTED`.
    """
    from tb2learn.types import InputError

    if form not in PRINTED:
        raise InputError(f"format must be one of {', '.join(PRINTED)}, got {form!r}")
    return _made(PRINTED[form], document)


def rule_files(
    rule: Rule,
    formats: Sequence[str] | str = ("csv", "json"),
    language: str = "en",
    pages: bool = False,
) -> dict[str, bytes]:
    """A rule's tables in several forms: the content of every file by its name.

    **Arguments, Raises:** as `export`.
    """
    from tb2learn.tiebreaks.formula_constants import is_closed_formula
    from tb2learn.types import check_type, one_of

    check_type("formats", formats, f"of {', '.join(FORMS)}", str, list, tuple)
    formats = formats.split(",") if isinstance(formats, str) else formats
    for form in formats:
        one_of("formats", form, FORMS)
    one_of("language", language, LANGUAGES)
    # The formula for every format must say for which one it was written.
    every = is_closed_formula(rule)
    suffix = f"-{rule.event_rounds}-rounds" if rule.rescaled or every else ""
    suffix += f"-{rule.boards}-boards" if every else ""
    # English files have plain names.
    suffix += "" if language == LANGUAGES[0] else f".{language}"
    contents: dict[str, bytes] = {}
    for form in formats:
        # Only the PDF knows of pages.
        options = {"booklet": not pages} if form == "pdf" else {}
        content = _made(FORMS[form], rule, language, **options)
        contents[f"{rule.name}{suffix}.{_ENDINGS.get(form, form)}"] = content
    return contents


def export_rule(
    rule: Rule | Checkpoint | str | Path,
    folder: str | Path,
    *,
    formats: Sequence[str] | str = ("csv", "json"),
    rounds: int | None = None,
    boards: int = 4,
    language: str = "en",
    pages: bool = False,
) -> list[Path]:
    """Write a rule's tables to print and to use, or none of them if one is refused.

    **Arguments:**

    - `rule`: a table or formula: a checkpoint, its name or path, `product`, `learned`, `formula`.
    - `folder`: where the files go; made if it is not there.
    - `formats`: of `csv`, `json`, `xlsx`, `pdf`, `html` and `pencil` (a PDF of one sheet, for a
      formula or a table in one pass); a list, or names separated by commas.
    - `rounds`, `boards`: as for `load_rule`.
    - `language`: `en`, `hu`, `es`, `fr` or `de`.
    - `pages`: a PDF with a page for every own MP, instead of a booklet.

    **Returns:** the paths of the files, in the order of `formats`.

    **Raises:** `InputError` for an unknown form or language, or a rule that cannot be tabulated.
    """
    from tb2learn.catalogue import load_rule
    from tb2learn.disk import files
    from tb2learn.tiebreaks.rules import Rule
    from tb2learn.types import check_type, flag

    check_type("folder", folder, "a path", str, Path)
    flag("pages", pages)
    written = rule if isinstance(rule, Rule) else load_rule(rule, rounds=rounds, boards=boards)
    contents = rule_files(written, formats, language, pages)
    paths = {Path(folder) / name: content for name, content in contents.items()}
    # All or none: nothing is written if one of them cannot be.
    files.check_file(*paths)
    for path, content in paths.items():
        files.write_bytes(path, content)
    return list(paths)
