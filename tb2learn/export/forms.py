"""A rule written in every form: CSV, JSON, workbook, PDF, HTML page, pencil edition.

Each form imports its own library, which nothing else needs; this module imports none, so that help
can list the forms at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tb2learn.tiebreaks.rules import Rule
    from tb2learn.training.checkpoint import Checkpoint


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
    from tb2learn.export.page.page import table_html

    return table_html(rule, language)


def _pencil(rule: Rule, language: str, pages: bool) -> bytes:
    from tb2learn.export.pencil import pencil_pdf

    return pencil_pdf(rule, language)


FORMS: dict[str, Callable[[Rule, str, bool], str | bytes]] = {
    "csv": _csv,
    "json": _json,
    "xlsx": _xlsx,
    "pdf": _pdf,
    "html": _html,
    "pencil": _pencil,
}
"""By name: the content of a file, from the rule, the language and whether a PDF has whole pages."""


_ENDINGS = {"pencil": "pencil.pdf"}  # of the files, where it is not the name of the form


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
    - `language`: of labels and instruction, see `words.LANGUAGES`.
    - `pages`: a PDF with a page for every own MP, instead of a booklet with several on a page.

    **Returns:** the paths of the files, in the order of `formats`.

    **Raises:** `InputError` for an unknown form or language, or a rule that cannot be tabulated.
    """
    from tb2learn.disk import files
    from tb2learn.export.words import LANGUAGES
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
    names = {form: f"{rule.name}{suffix}.{_ENDINGS.get(form, form)}" for form in formats}
    paths = [folder / name for name in names.values()]
    files.check_file(*paths)
    # Everything is made before anything is written.
    made = [FORMS[form](rule, language, pages) for form in names]
    for path, content in zip(paths, made, strict=True):
        files.write_bytes(path, content.encode() if isinstance(content, str) else content)
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
    from tb2learn.types import check_type

    check_type("folder", folder, "a path", str, Path)
    written = rule if isinstance(rule, Rule) else load_rule(rule, rounds=rounds, boards=boards)
    return write_rule(written, Path(folder), formats, language, pages)
