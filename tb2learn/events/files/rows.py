"""Rows of cells, whatever they come from: CSV, a workbook (XLSX), a page saved from a site (HTML).

A `Sheet` gives the rows of one table with their numbers. Limits stand here: every row is read in
time linear in its length, and of a workbook only the parts that are needed are read, as a stream,
up to a number of elements. Neither a workbook nor a page may define entities.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import functools
import io
import itertools
import re
import xml.parsers.expat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tb2learn.events.files.code_pages import PAGES, page_note, with_halves
from tb2learn.events.files.headings import DELIMITERS, is_heading
from tb2learn.events.files.source import (
    DAMAGED,
    MAIN_PART,
    MAX_BYTES,
    encoding_of,
    is_workbook,
)
from tb2learn.text import printable, quoted
from tb2learn.types import InputError

MAX_ROWS = 100_000
"""Most rows of a table, empty ones included."""
MAX_EMPTY = 1000
"""So many empty rows end a sheet of a workbook."""
MAX_COLUMNS = 100
"""Most columns of a table."""
MAX_SHEETS = 50
MAX_ELEMENTS = 3_000_000
"""Most elements of XML in what is read of a workbook, and of HTML in a page."""
MAX_LINE = 1 << 20
"""Most characters of a row of CSV."""
_HEAD = 1 << 16
_HEADS = 40
_CHUNK = 1 << 16
Cells = tuple[int, Sequence[str]]
"""The number of a row, from 1, and its cells."""


@dataclass(frozen=True)
class Sheet:
    """A table of text."""

    name: str  # of the sheet in a workbook; empty for a file of its own
    file: str  # its name in messages
    rows: Callable[[], Iterable[Cells]]  # gives the rows one by one, each time from the first
    title: str = ""  # what a page calls the event; empty if it does not
    encoding: str = ""  # the code page that was found by the content; empty for UTF-8 and UTF-16
    is_hidden: bool = False  # whether its workbook does not show it
    hidden_rows: int = 0  # how many of its rows with content are not shown
    hidden_columns: tuple[str, ...] = ()  # the letters of columns with content that are not shown
    more: tuple[Sheet, ...] = ()  # sheets of a workbook whose rows go on
    mark: str = ""  # what stands between the cells of CSV

    @property
    def odd_encoding(self) -> str:
        """The note on a code page that was found by the content; empty without one."""
        return page_note(self.encoding) if self.encoding else ""

    def head(self, most: int) -> list[Cells]:
        """The first rows that are not empty."""
        filled = (row for row in self.rows() if any(cell.strip() for cell in row[1]))
        return list(itertools.islice(filled, most))


def sheets_of(data: bytes, file: str, strict: bool = False) -> list[Sheet]:
    """The sheets of a file by its content: of a workbook several, else one.

    **Arguments:** `data`: at most `MAX_BYTES`; `file`: its name, for messages; `strict`: whether
    CSV must be UTF-8 with commas.
    """
    if is_workbook(data):
        return _workbook(data, file)
    encoding, guessed = encoding_of(data)
    if is_page(data[:_HEAD].decode(encoding, "replace")):
        charset = _CHARSET.search(data[:_HEAD]) if guessed else None
        with contextlib.suppress(LookupError):
            encoding = codecs.lookup(charset[1].decode()).name if charset else encoding
        return [_page(with_halves(data.decode(encoding, "replace"), encoding), file)]
    if strict:
        rows = functools.partial(_csv, data, "utf-8-sig", ",", file, strict=True)
        return [Sheet("", file, rows, mark=",")]
    mark = _mark_of(data[: len(data) if len(data) < _HEAD else _HEAD].decode(encoding, "replace"))
    rows = functools.partial(_csv, data, encoding, mark, file)
    return [Sheet("", file, rows, encoding=guessed, mark=mark)]


# --------------------------------------------------------------------------------------- CSV


def _csv(data: bytes, encoding: str, mark: str, file: str, strict: bool = False) -> Iterator[Cells]:
    """The rows of CSV; one such as `sep=;` before the others is none, unless `strict`."""
    number = used = 0  # of the line, and characters of the row so far

    def lines() -> Iterator[str]:
        nonlocal number, used
        # The mark would be part of the first heading.
        marked = encoding == "utf-8" and data.startswith(codecs.BOM_UTF8)
        coded = "utf-8-sig" if marked else encoding
        # A guessed page may lack a byte, which costs a letter of a name and not the event.
        errors = "replace" if encoding in PAGES else "strict"
        stream = io.TextIOWrapper(io.BytesIO(data), coded, errors, newline="")
        while True:
            number += 1
            try:
                line = stream.readline(MAX_LINE + 1)
            except UnicodeDecodeError as error:
                where = f"{file}: line {_bad_line(data, number)}"
                raise InputError(f"{where}: not UTF-8 text") from error
            used += len(line)
            if not line:
                return
            if used > MAX_LINE:
                allowed = f"must have at most {MAX_LINE} characters"
                raise InputError(f"{file}: line {number}: {allowed}")
            if "\0" in line:
                raise InputError(f"{file}: line {number}: a NUL character is not allowed")
            yield with_halves(line, encoding)

    reader = csv.reader(lines(), strict=True, delimiter=mark)
    first = True
    for count in itertools.count(1):
        line = number + 1
        try:
            values = next(reader, None)
        except csv.Error as error:
            raise InputError(f"{file}: line {line}: not valid CSV: {error}") from error
        if values is None:
            return
        _check_rows(count, file)
        used = 0
        if first and any(cell.strip() for cell in values):
            first = False
            if not strict and says_mark(mark.join(values[:3])):
                continue
        yield line, _bounded(values)


def _bad_line(data: bytes, number: int) -> int:
    """The line of the first byte that is not UTF-8; a stream decodes many lines at once."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
    return number


def _check_rows(count: int, file: str) -> None:
    if count > MAX_ROWS:
        raise InputError(f"{file}: must have at most {MAX_ROWS} rows, has more")


def _bounded(values: list[str]) -> list[str]:
    """The cells of a row, of which one too many is kept: columns beyond that must be empty."""
    if any(map(str.strip, values[MAX_COLUMNS:])):
        return [*values[:MAX_COLUMNS], "..."]
    return values[:MAX_COLUMNS]


def _mark_of(text: str) -> str:
    """The mark between the cells: what a row `sep=;` says, else that of the row of headings.

    That is the row, and the mark, with most cells that are headings.
    """
    rows = [row[:MAX_LINE] for row in text.splitlines() if row.strip()][:_HEADS]
    # Excel writes and reads such a row.
    if declared := says_mark(rows[0]) if rows else "":
        return declared
    marks = ((row, mark) for row in rows for mark in DELIMITERS)
    marks_by_headings = {
        (sum(map(is_heading, row.split(mark, MAX_COLUMNS))), row.count(mark), -k): mark
        for k, (row, mark) in enumerate(marks)
    }
    return marks_by_headings[max(marks_by_headings)] if marks_by_headings else DELIMITERS[0]


def says_mark(row: str) -> str:
    """The mark that a row such as `sep=;` says; empty for another row."""
    declaration = re.fullmatch(r"[sS][eE][pP]=([,;\t])", row.strip(' "'))
    return declaration[1] if declaration else ""


# ---------------------------------------------------------------------------------- workbooks

_SHORT_DATES = (14, 15, 16, 17, 22, 27, 30, 36, 50, 57)
"""Numbers of the formats of dates that a workbook need not declare."""


_Element = tuple[str, Mapping[str, str] | str]
"""An element where it begins, with its attributes; and where it ends, with the text since the tag
before. Its name has no prefix."""


def _elements(
    archive: zipfile.ZipFile, file: str, count: Iterator[int], name: str
) -> Iterator[_Element]:
    """The elements of a part, if there is one, as a stream; `count`: of all parts."""
    if name not in archive.NameToInfo:
        return
    elements, texts, size = list[_Element](), list[str](), 0
    parser = xml.parsers.expat.ParserCreate()

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal size
        size = 0
        if next(count) > MAX_ELEMENTS:
            raise InputError(f"{file}: must have at most {MAX_ELEMENTS} elements")
        texts.clear()
        elements.append((tag.rpartition(":")[2], attributes))

    def end(tag: str) -> None:
        elements.append((tag.rpartition(":")[2], "".join(texts)))
        texts.clear()

    def data(text: str) -> None:
        nonlocal size
        size += len(text)
        if size > MAX_LINE:
            raise InputError(f"{file}: must have cells of at most {MAX_LINE} characters")
        texts.append(text)

    def refuse(*_: object) -> None:
        raise InputError(f"{file}: must be a workbook without document types")

    parser.StartDoctypeDeclHandler = refuse  # in any encoding, and before an entity counts
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = data
    read = 0
    with archive.open(name) as part:
        while chunk := part.read(_CHUNK):
            parser.Parse(chunk)
            read += len(chunk)
            # The parser keeps an unfinished tag in memory, however long.
            if read - parser.CurrentByteIndex > MAX_LINE:  # of one tag, which it keeps
                raise InputError(f"{file}: must have tags of at most {MAX_LINE} bytes")
            yield from elements
            elements.clear()
    parser.Parse(b"", True)
    yield from elements


def _workbook(data: bytes, file: str) -> list[Sheet]:
    """The sheets of a workbook. Formulas are the values that were stored with them."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_BYTES:
                raise InputError(f"{file}: must be at most {MAX_BYTES} bytes unpacked, has more")
            read = functools.partial(_elements, archive, file, itertools.count(1))
            sheet_parts = _sheet_parts(read(MAIN_PART), read("xl/_rels/workbook.xml.rels"))
            if len(sheet_parts) > MAX_SHEETS:
                raise InputError(
                    f"{file}: must have at most {MAX_SHEETS} sheets, has {len(sheet_parts)}"
                )
            strings, dates = _strings(read("xl/sharedStrings.xml")), _dates(read("xl/styles.xml"))
            sheets: list[Sheet] = []
            size = _Size(file)
            for title, (name, is_hidden) in sheet_parts.items():
                elements = read(archive.getinfo(name).filename)  # a KeyError if it is missing
                where = f"{file}: sheet {printable(title)}"
                cells, hidden, columns = _cells(where, elements, strings, dates, size)
                sheets.append(
                    Sheet(
                        title,
                        where if len(sheet_parts) > 1 else file,
                        lambda cells=cells: cells,
                        is_hidden=is_hidden,
                        hidden_rows=hidden,
                        hidden_columns=columns,
                    )
                )
    except InputError:
        raise
    except (xml.parsers.expat.ExpatError, KeyError, OverflowError, *DAMAGED) as error:
        raise InputError(f"{file}: damaged, encrypted or not a workbook") from error
    if not sheets:
        raise InputError(f"{file}: has no sheet")
    # What the workbook shows comes first.
    return sorted(sheets, key=lambda sheet: sheet.is_hidden)


class _Size:
    """Counts the characters of the cells of a workbook: a shared text each time that it is named.

    A few bytes of a cell may name a text of a million characters, which all later steps walk.
    """

    def __init__(self, file: str) -> None:
        self._file, self._left = file, MAX_BYTES

    def add(self, text: str) -> None:
        """Count a cell. **Raises:** `InputError` if there are more than in the largest file."""
        self._left -= len(text)
        if self._left < 0:
            allowed = f"must have at most {MAX_BYTES} characters in its cells"
            raise InputError(f"{self._file}: {allowed}, has more")


def _sheet_parts(
    book: Iterable[_Element], relations: Iterable[_Element]
) -> dict[str, tuple[str, bool]]:
    """The parts of the sheets of a workbook by their names, in order, and whether it hides them."""
    sheets: dict[str, tuple[str, bool]] = {}
    for tag, about in book:
        if tag == "sheet" and not isinstance(about, str):
            number = next((about[key] for key in about if key.rpartition(":")[2] == "id"), "")
            is_hidden = about.get("state", "visible") != "visible"
            sheets[about.get("name", "")] = number, is_hidden
    targets: dict[str, str] = {}
    for tag, about in relations:
        if tag == "Relationship" and not isinstance(about, str):
            if about.get("Type", "").endswith("/worksheet"):
                target = about.get("Target", "")
                absolute = target.startswith("/")
                targets[about.get("Id", "")] = target[1:] if absolute else f"xl/{target}"
    return {
        title: (targets[number], is_hidden)
        for title, (number, is_hidden) in sheets.items()
        if number in targets
    }


def _strings(elements: Iterable[_Element]) -> list[str]:
    """The texts that sheets share, without how they are pronounced."""
    strings, texts, spoken = list[str](), list[str](), False
    for tag, content in elements:
        if tag == "rPh":
            spoken = not isinstance(content, str)
        elif isinstance(content, str) and tag == "t" and not spoken:
            texts.append(content)
        elif isinstance(content, str) and tag == "si":
            strings.append("".join(texts))
            texts.clear()
    return strings


def _dates(elements: Iterable[_Element]) -> set[int]:
    """The numbers of the styles of cells that show a number as a date."""
    formats, dates, count, inside = set[int](_SHORT_DATES), set[int](), itertools.count(), False
    for tag, about in elements:
        if tag == "cellXfs":
            # Styles of cells are counted; named styles have the same elements elsewhere.
            inside = not isinstance(about, str)
        elif isinstance(about, str):
            continue
        elif tag == "numFmt":
            # Text in quotes and brackets is no part of a format of dates.
            code = re.sub(r'"[^"]*"|\[[^]]*\]|\\.', "", about.get("formatCode", "")[:200]).lower()
            if "d" in code or ("m" in code and "y" in code):
                formats.add(int(about.get("numFmtId", "0")))
        elif tag == "xf" and inside:
            number = next(count)
            if int(about.get("numFmtId", "0")) in formats:
                dates.add(number)
    return dates


def _cells(
    where: str,
    elements: Iterable[_Element],
    strings: Sequence[str],
    dates: set[int],
    size: _Size,
) -> tuple[list[Cells], int, tuple[str, ...]]:
    """The rows of a sheet that are not empty, up to so many empty ones.

    **Returns:** also how many of them are hidden, and the letters of hidden columns.
    """
    hidden_columns, letters = set[int](), dict[int, str]()
    rows, row, cell = list[Cells](), list[str](), dict[str, str]()
    texts, number, column, empty = list[str](), 0, -1, 0
    place: re.Match[str] | None = None
    is_hidden, hidden = False, 0
    for tag, content in elements:
        if tag == "row" and not isinstance(content, str):
            attribute = content.get("r", "")
            number = int(attribute) if attribute.isdecimal() and len(attribute) < 9 else number + 1
            row, column = [], -1
            is_hidden = content.get("hidden", "0") not in ("0", "false")
            if number > MAX_ROWS:
                raise InputError(f"{where} must have at most {MAX_ROWS} rows, has more")
        elif tag == "col" and not isinstance(content, str):
            if content.get("hidden", "0") not in ("0", "false"):
                # The last one may stand for all columns to the right.
                first, last = (int(content.get(key, "0")) for key in ("min", "max"))
                hidden_columns |= {*range(first - 1, min(last, MAX_COLUMNS))}
        elif tag == "c" and not isinstance(content, str):
            cell, texts = {**content}, []
            place = re.match(r"[A-Z]{1,3}", cell.get("r", ""))
            column = _column(place[0]) if place else column + 1
        elif not isinstance(content, str):
            continue
        elif tag in ("v", "t"):
            texts.append(content)
        elif tag == "c" and any(texts) and column < MAX_COLUMNS:
            row += [""] * (column + 1 - len(row))
            row[column] = _cell_text("".join(texts), cell, strings, dates)
            size.add(row[column])
            if column in hidden_columns and row[column].strip():
                letters[column] = place[0] if place else str(column + 1)
        elif tag == "row":
            # Sheets have any number of empty rows below the table.
            filled = any(map(str.strip, row))
            empty = 0 if filled else empty + 1
            if filled and empty <= MAX_EMPTY:
                rows.append((number, row))
                hidden += is_hidden
    return rows, hidden, tuple(letters[column] for column in sorted(letters))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _cell_text(text: str, cell: Mapping[str, str], strings: Sequence[str], dates: set[int]) -> str:
    """The text of a cell: a number as it would be typed, a date in ISO's form."""
    cell_type = cell.get("t", "n")
    if cell_type == "s":
        return strings[int(text)] if int(text) < len(strings) else ""
    if cell_type != "n":
        return text
    number, style = float(text), cell.get("s", "")
    if style.isdecimal() and int(style) in dates and 0 < number < 3_000_000:
        return (date(1899, 12, 30) + timedelta(days=int(number))).isoformat()
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


# -------------------------------------------------------------------------------------- pages

_CHARSET = re.compile(rb"""charset=["']?([A-Za-z0-9_-]{3,20})""")
_PAGE = re.compile(r"<(?:!doctype html|html|table|tr|meta|head)\b", re.IGNORECASE)
_SILENT = ("script", "style", "select", "noscript", "title", "textarea")
_TITLES = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("p", "div", "li", "br", *_TITLES)


def is_page(head: str) -> bool:
    """Whether a text begins as HTML does."""
    return head.lstrip("\ufeff \t\r\n").startswith("<") and _PAGE.search(head) is not None


def _page(text: str, file: str) -> Sheet:
    """All tables of a page one below the other; what stands between them are rows of one cell."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    # A tag without an end would be looked at again with every piece.
    if re.search(rf"<[^<>]{{{MAX_LINE}}}", text):
        raise InputError(f"{file}: must have tags of at most {MAX_LINE} characters")
    page = _Page(file)
    parser = etree.HTMLParser(target=page, remove_comments=True, remove_pis=True)
    try:
        for start in range(0, len(text), _CHUNK):
            parser.feed(text[start : start + _CHUNK])
        parser.close()
    except InputError:
        raise
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"{file}: a page that cannot be read: {error}") from error
    return Sheet("", file, lambda: page.rows, page.title)


class _Page:
    """Takes the elements of a page as they come; no tree is made of them."""

    def __init__(self, file: str) -> None:
        self._file, self.title, self.rows = file, "", list[Cells]()
        self._count = self._characters = self._silent = 0
        self._open: list[list[str]] = []  # rows of tables that stand in each other
        self._texts: list[list[str]] = [[]]  # what stands outside of tables; and in open cells
        self._spans: list[int] = []  # how many columns open cells take beside their own

    def start(self, tag: str, attributes: Mapping[str, str], _: object = None) -> None:
        self._count, self._characters = self._count + 1, 0
        if self._count > MAX_ELEMENTS:
            raise InputError(f"{self._file}: must have at most {MAX_ELEMENTS} elements")
        if tag in _SILENT:
            self._silent += 1
        elif tag == "table" or tag in _TITLES or (tag in _BLOCKS and not self._open):
            self._say()
        elif tag == "br":
            self._texts[-1].append("\n")
        elif tag == "tr":
            self._open.append([])
        elif tag in ("td", "th") and self._open:
            span = attributes.get("colspan", "1")
            self._spans.append(int(span) - 1 if span.isdecimal() and len(span) < 3 else 0)
            self._texts.append([])

    def data(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MAX_LINE:
            raise InputError(f"{self._file}: must have cells of at most {MAX_LINE} characters")
        if not self._silent:
            self._texts[-1].append(text)

    def end(self, tag: str) -> None:
        self._characters = 0
        if tag in _SILENT:
            self._silent = max(self._silent - 1, 0)
        elif tag in ("h1", "h2") and not self.title:
            self.title = " ".join("".join(self._texts[-1]).split())
            self._say()
        elif tag in _TITLES or (tag in _BLOCKS and not self._open):
            self._say()
        elif tag in ("td", "th") and self._open and len(self._texts) > 1:
            self._open[-1] += ["".join(self._texts.pop()), *[""] * self._spans.pop()]
        elif tag == "tr" and self._open:
            self._add(self._open.pop())

    def _say(self) -> None:
        """End a text that is no cell of a table of results."""
        text = "".join(self._texts[-1])
        self._texts[-1].clear()
        self._add([text])

    def _add(self, cells: list[str]) -> None:
        filled = [cell for cell in cells if cell.strip()]
        rows = [[line] for line in filled[0].split("\n")] if len(filled) == 1 else [cells]
        for row in rows if filled else ():
            texts = _bounded([" ".join(cell.split()) for cell in row])
            if any(texts):
                _check_rows(len(self.rows) + 1, self._file)
                self.rows.append((len(self.rows) + 1, texts))

    def close(self) -> None:
        while len(self._texts) > 1:
            self._texts.pop()
        self._say()


def unlike(columns: Iterable[str]) -> str:
    """Some headings that are not known, for a message."""
    return ", ".join(quoted(heading) for heading in itertools.islice(filter(None, columns), 4))
