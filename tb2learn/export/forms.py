"""A rule, or a document, written in every form: CSV, JSON, workbook, PDF, HTML, pencil edition.

Each form imports its own library, which nothing else needs; this module imports none, so that help
can list the forms at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
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
    "html": "page.page.table_html",
    "pencil": "pencil.pencil_pdf",
}
"""Of a rule, by name: the function of this package that makes it, from the rule and a language."""

PRINTED = {
    "html": "html.document_html",
    "pdf": "pdf.document_pdf",
    "xlsx": "xlsx.document_xlsx",
}
"""Of a document, by name: the function of this package that makes it."""

OUTPUTS = ("table", "csv", "json")
"""Forms of standings and workings as text."""

WORKING_PRINTED = ("pdf", "xlsx")
"""Forms of a team's working sheet."""

LANGUAGES = ("en", "hu", "es", "fr", "de")
"""Languages of exported tables, the default first."""


def _made(forms: Mapping[str, str], form: str, *arguments: Any, **options: Any) -> bytes:
    """What the function of a form makes."""
    module, name = forms[form].rsplit(".", 1)
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
    return _made(PRINTED, form, document)


_ENDINGS = {"pencil": "pencil.pdf"}  # of the files, where it is not the name of the form


def _rule_names(rule: Rule, formats: Sequence[str] | str, language: str) -> dict[str, str]:
    """The names of the files of a rule by form.

    **Raises:** as `write_rule`.
    """
    from tb2learn.tiebreaks.formula_constants import is_closed_formula
    from tb2learn.types import check_type, one_of

    check_type("formats", formats, f"of {', '.join(FORMS)}", str, list, tuple)
    formats = formats.split(",") if isinstance(formats, str) else formats
    for form in formats:
        one_of("formats", form, FORMS)
    one_of("language", language, LANGUAGES)
    every = is_closed_formula(rule)
    suffix = f"-{rule.event_rounds}-rounds" if rule.rescaled or every else ""
    suffix += f"-{rule.boards}-boards" if every else ""
    suffix += "" if language == LANGUAGES[0] else f".{language}"
    return {form: f"{rule.name}{suffix}.{_ENDINGS.get(form, form)}" for form in formats}


def rule_files(
    rule: Rule,
    formats: Sequence[str] | str = ("csv", "json"),
    language: str = "en",
    pages: bool = False,
) -> dict[str, bytes]:
    """A rule's tables in several forms: the content of every file by its name.

    **Arguments, Raises:** as `write_rule`.
    """
    whole = {"pdf": {"booklet": not pages}}
    return {
        name: _made(FORMS, form, rule, language, **whole.get(form, {}))
        for form, name in _rule_names(rule, formats, language).items()
    }


def write_rule(
    rule: Rule,
    folder: Path,
    formats: Sequence[str] | str = ("csv", "json"),
    language: str = "en",
    pages: bool = False,
) -> list[Path]:
    """Write a rule's tables in several forms, or none of them if one is refused.

    **Arguments:**

    - `rule`: what is written; its name is that of the files.
    - `folder`: made if it is not there.
    - `formats`: of `FORMS`; a list, or names separated by commas.
    - `language`: of labels and instruction, see `LANGUAGES`.
    - `pages`: a PDF with a page for every own MP, instead of a booklet with several on a page.

    **Returns:** the paths of the files, in the order of `formats`.

    **Raises:** `InputError` for an unknown form or language, or a rule that cannot be tabulated.
    """
    from tb2learn.disk import files

    paths = [folder / name for name in _rule_names(rule, formats, language).values()]
    files.check_file(*paths)
    # Everything is made before anything is written.
    for path, content in zip(
        paths, rule_files(rule, formats, language, pages).values(), strict=True
    ):
        files.write_bytes(path, content)
    return paths


def export(
    rule: Rule | Checkpoint | str | Path,
    folder: str | Path,
    *,
    formats: Sequence[str] | str = ("csv", "json"),
    rounds: int | None = None,
    boards: int = 4,
    language: str = "en",
    pages: bool = False,
) -> list[Path]:
    """Write a rule's tables to print and to use.

    **Arguments:**

    - `rule`: a table or formula: a checkpoint, its name or path, `product`, `learned`, `formula`.
    - `folder`: where the files go; made if it is not there.
    - `formats`: of `csv`, `json`, `xlsx`, `pdf`, `html` and `pencil` (a PDF of one sheet, for a
      formula or a table in one pass); a list, or names separated by commas.
    - `rounds`, `boards`: as for `load_rule`.
    - `language`: `en`, `hu`, `es`, `fr` or `de`.
    - `pages`: a PDF with a page for every own MP, instead of a booklet.

    **Returns:** the paths of the files written.
    """
    from tb2learn.catalogue import load_rule
    from tb2learn.tiebreaks.rules import Rule
    from tb2learn.types import check_type, flag

    check_type("folder", folder, "a path", str, Path)
    flag("pages", pages)
    written = rule if isinstance(rule, Rule) else load_rule(rule, rounds=rounds, boards=boards)
    return write_rule(written, Path(folder), formats, language, pages)
