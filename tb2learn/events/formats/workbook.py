"""The sheets of a workbook (XLSX) as tables of text.

A sheet that has the name of a table of an event folder (`matches`, `players`, ...) is that table;
the first sheet is `matches` if none is. Without such a sheet a workbook is its sheet with a list of
chess-results, of which it may have one, else its first sheet.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
import zipfile
from datetime import date
from typing import Any

from tb2learn.events.formats.csv_words import FILES, heads_matches
from tb2learn.events.formats.list_heads import mark_of
from tb2learn.events.formats.source import HEAD, Held
from tb2learn.text import shown
from tb2learn.types import InputError

MAX_ROWS = 20_000
"""Most rows of a sheet, empty ones included."""
MAX_EMPTY = 1000
"""So many empty rows end a sheet."""
MAX_CELLS = 100
"""Most columns of a sheet that are read."""
MAX_SHEETS = 50


def sheets_of(archive: zipfile.ZipFile, file: str) -> Held:
    """The sheets of a workbook as CSV: a folder of tables, or a file.

    Formulas are the numbers that were stored with them; nothing is worked out.

    **Arguments:** `archive`: the workbook, of bounded size; `file`: its name, for messages.

    **Raises:** `InputError` for a workbook that is damaged, or has too many rows or sheets.
    """
    import openpyxl

    stream: Any = archive.fp
    if any(name.endswith(".xml") and _declares(archive, name) for name in archive.namelist()):
        raise InputError(f"{file}: must be a workbook without document types")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions, which are not read
        try:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
            if len(book.worksheets) > MAX_SHEETS:
                raise InputError(
                    f"{file}: must have at most {MAX_SHEETS} sheets, has {len(book.worksheets)}"
                )
            texts = {sheet.title: _text(sheet, file) for sheet in book.worksheets}
        except InputError:
            raise
        except Exception as error:  # of many kinds: openpyxl does not say which
            raise InputError(f"{file}: damaged, encrypted or not a workbook") from error
    stem = re.sub(r"\.xls[xm]$", "", file, flags=re.IGNORECASE)
    tables = {
        table: text.encode()
        for title, text in texts.items()
        for table in FILES
        if title.strip().casefold() == table.removesuffix(".csv")
    }
    if tables:
        first = next(iter(texts.values()))
        return Held(stem, {FILES[0]: first.encode(), **tables})
    if not texts:
        raise InputError(f"{file}: has no sheet")
    first = next(iter(texts.values()))
    lists = [text for text in texts.values() if mark_of(text[:HEAD])]
    if heads_matches(first) or not lists:
        return Held(shown(stem), first.encode())
    if len(lists) > 1:
        raise InputError(
            f"{file}: has {len(lists)} sheets with lists of chess-results: leave the one with the "
            "crosstable, or with the pairings of all rounds"
        )
    return Held(shown(stem), lists[0].encode())


def _declares(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether a part of a workbook begins with a document type, which could define entities."""
    with archive.open(name) as part:
        return b"<!DOCTYPE" in part.read(1 << 12)


def _text(sheet: Any, file: str) -> str:
    """A sheet as CSV."""
    sheet.reset_dimensions()  # which the file states, and which may be anything
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n").writerow
    empty = 0
    rows = sheet.iter_rows(max_col=MAX_CELLS, values_only=True)
    for number, values in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise InputError(
                f"{file}: sheet {shown(sheet.title)} must have at most {MAX_ROWS} rows, has more"
            )
        cells = [_cell(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        empty = 0 if cells else empty + 1
        if empty > MAX_EMPTY:
            break
        write(cells)
    return text.getvalue()


def _cell(value: Any) -> str:
    """A cell as it would be typed: a whole number without decimals, a date as 2016-09-02."""
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
