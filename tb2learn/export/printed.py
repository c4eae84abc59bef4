"""A document in every form: PDF, HTML page, workbook."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tb2learn.export.document import Document
from tb2learn.types import InputError


def _pdf(document: Document) -> bytes:
    from tb2learn.export.document_pdf import document_pdf

    return document_pdf(document)


def _html(document: Document) -> bytes:
    from tb2learn.export.html import document_html

    return document_html(document).encode()


def _xlsx(document: Document) -> bytes:
    from tb2learn.export.document_xlsx import document_xlsx

    return document_xlsx(document)


PRINTED: Mapping[str, Callable[[Document], bytes]] = {"html": _html, "pdf": _pdf, "xlsx": _xlsx}
"""By name of the form: the content of the file."""


def printed(document: Document, form: str) -> bytes:
    """A document in a form.

    **Raises:** `InputError` for a form that is not of `PRINTED`.
    """
    if form not in PRINTED:
        raise InputError(f"format must be one of {', '.join(PRINTED)}, got {form!r}")
    return PRINTED[form](document)
