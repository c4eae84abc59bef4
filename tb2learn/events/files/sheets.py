"""Read an event from the tables of a file (CSV, XLSX, HTML) or of a folder, whatever they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tb2learn.events.files.event_tables import read_tables
from tb2learn.events.files.groups import PartMeeting, parts_to_read
from tb2learn.events.files.headings import FILES, OPEN, heads_matches, is_heading
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft
from tb2learn.events.files.rows import Sheet, is_page, sheets_of, unlike
from tb2learn.events.files.source import HEAD, MAX_NAME, Content, is_packed, read_bytes
from tb2learn.events.files.table_rows import MOST_TITLES
from tb2learn.events.model import TIEBREAKS, TeamEvent
from tb2learn.text import printable
from tb2learn.types import InputError

_MOST_NAMES = 4
"""Most sheets that a note names."""
_TABLES = frozenset(name.removesuffix(".csv") for name in FILES)


def holds_rows(content: Content) -> bool:
    """Whether a file that begins so is a table of matches or games, a crosstable, or a list."""
    if is_packed(content.data):
        return False
    if is_page(content.head):
        return True
    from tb2learn.events.files.list_headings import heads_list, shows_list

    try:
        rows = [row for _, row in sheets_of(content.data[:HEAD], "")[0].head(MOST_TITLES)]
    except InputError:  # of a file of another kind, or one whose beginning is cut
        return False
    return any(heads_matches(row) or heads_list(row) for row in rows) or shows_list(rows)


def read_sheets(content: Content, options: Reading) -> Draft:
    """What the tables of a file (CSV, XLSX, HTML) or of a folder say.

    Sheets that have the names of tables of an event folder (`matches`, `players`, ...) are these
    tables. Else one table of matches or games, or one with lists, is read.
    """
    file, name = content.file, content.name
    if folder := content.folder:
        paths = {table: folder / table for table in FILES if (folder / table).is_file()}
        tables = {t: sheets_of(read_bytes(p), t, options.strict)[0] for t, p in paths.items()}
        return read_tables(tables, name, options)
    sheets = sheets_of(content.data, file)
    # A workbook may be a whole event folder, a sheet a table.
    by_name = {f"{sheet.name.strip().casefold()}.csv": sheet for sheet in sheets}
    # A strict reader takes no line above the headings for a title.
    lines = 1 if options.strict else MOST_TITLES
    if any(table in by_name for table in FILES):
        tables = {t: replace(by_name[t], file=t) for t in FILES if t in by_name}
        draft = read_tables({FILES[0]: sheets[0], **tables}, name, options)
        used = [by_name[t] for t in tables]
    elif of_matches := [sheet for sheet in sheets if _headings(sheet, lines)]:
        first = of_matches[0]
        alike = [s for s in of_matches if _headings(s, lines) == _headings(first, lines)]
        # Sheets of one form are one table, but for those that only the author sees.
        used = [s for s in alike if s.is_hidden == first.is_hidden]
        # Strictly CSV must be UTF-8, with commas; a workbook is read in one way.
        if options.strict and len(sheets) == 1:
            (first,) = sheets_of(content.data, file, strict=True)
        draft = read_tables({FILES[0]: replace(first, more=tuple(used[1:]))}, name, options)
    else:
        draft, sheet = _read_lists(sheets, file, name, options)
        used = [sheet]
    draft.finish = lambda event: _with_sheets(decide_columns(event), used, sheets, options)
    return draft


def _headings(sheet: Sheet, lines: int) -> list[str]:
    """The headings of a table of matches; empty for a sheet without one."""
    rows = (row for _, row in sheet.head(lines) if heads_matches(row))
    return [cell.strip().casefold() for cell in next(rows, ()) if cell.strip()]


def _with_sheets(
    event: TeamEvent, used: Sequence[Sheet], sheets: Sequence[Sheet], options: Reading
) -> TeamEvent:
    """The event with notes on what a workbook holds beside what was read, and on what it hides.

    **Raises:** `InputError` if a strict reader would leave out a table of matches, or read what the
    workbook hides.
    """
    notes = list[str]()
    left = [sheet for sheet in sheets if sheet not in used and sheet.head(1)]
    if left:
        names = ", ".join(printable(sheet.name) for sheet in left[:_MOST_NAMES])
        rest = f" and {len(left) - _MOST_NAMES} more" if len(left) > _MOST_NAMES else ""
        notes.append(f"sheets not read: {names}{rest}")
        if options.strict and any(_headings(sheet, MOST_TITLES) for sheet in left):
            raise InputError(f"{left[0].file}: {notes[0]}: one workbook must hold one event")
    if len(used) > 1 and not options.group and used[0].name.casefold() not in _TABLES:
        names = ", ".join(printable(sheet.name) for sheet in used[:_MOST_NAMES])
        rest = f" and {len(used) - _MOST_NAMES} more" if len(used) > _MOST_NAMES else ""
        notes.append(f"sheets read as one event: {names}{rest}")
    for sheet in used:
        where = f"sheet {printable(sheet.name)}"
        if sheet.is_hidden:
            notes.append(f"{where} is hidden in the workbook, and is read")
        if sheet.hidden_rows:
            rows = "row is" if sheet.hidden_rows == 1 else "rows are"
            notes.append(f"{where}: {sheet.hidden_rows} hidden {rows} read like all others")
        if sheet.hidden_columns:
            are = "column is" if len(sheet.hidden_columns) == 1 else "columns are"
            letters = ", ".join(sheet.hidden_columns[:_MOST_NAMES])
            notes.append(f"{where}: hidden {are} read like all others: {letters}")
        if options.strict and (sheet.is_hidden or sheet.hidden_rows or sheet.hidden_columns):
            raise InputError(f"{sheet.file}: {notes[-1]}: unclear, and unclear files are refused")
    return replace(event, notes=(*event.notes, *notes)) if notes else event


def _read_lists(
    sheets: Sequence[Sheet], file: str, name: str, options: Reading
) -> tuple[Draft, Sheet]:
    """What the one sheet that has lists says, and that sheet."""
    # Readers of lists take as long to import as all others, and most events are none.
    from tb2learn.events.files.lists import read_list

    drafts, errors = list[tuple[Draft, Sheet]](), list[InputError]()
    for sheet in sheets:
        # What the author hid is not taken before what the workbook shows.
        if sheet.is_hidden and drafts:
            break
        try:
            if draft := read_list(sheet, name, replace(options, group="")):
                drafts.append((draft, sheet))
        except InputError as error:
            errors.append(error)
    if len(drafts) > 1:
        drafts = _of_group(drafts, file, name, options)
    # What was asked for is a part of a sheet.
    elif options.group:
        return next(
            (draft, sheet) for sheet in sheets if (draft := read_list(sheet, name, options))
        )
    # Two lists with results may be two events, or two states of one.
    if len(drafts) > 1 or (drafts and errors and len(sheets) > 1):
        raise InputError(
            f"{file}: has several sheets with lists of chess-results: leave the one with the "
            "crosstable, or with the pairings of all rounds"
        )
    if not drafts:
        seems = what_sheets_hold(sheets) or "has no table of an event"
        raise errors[0] if errors else InputError(f"{file}: {seems}")
    return drafts[0]


def _of_group(
    drafts: list[tuple[Draft, Sheet]], file: str, name: str, options: Reading
) -> list[tuple[Draft, Sheet]]:
    """Of the drafts of several sheets the one that was asked for; all if they may be one event."""
    meetings = [
        PartMeeting(
            sheet.name,
            str(pairing.round),
            tuple(draft.names[entrant] for entrant in pairing.pair if entrant is not None),
        )
        for draft, sheet in drafts
        for pairing in draft.pairings
        if not pairing.is_open
    ]
    parts = parts_to_read(meetings, file, options.group)
    if parts is None:
        return drafts
    draft, sheet = next((draft, sheet) for draft, sheet in drafts if sheet.name in parts)
    if draft.name == name:
        draft.name = printable(f"{name}, {sheet.name}")
    return [(draft, sheet)]


def what_sheets_hold(sheets: Sequence[Sheet]) -> str:
    """What tables look like that are none of an event: what follows their name in a message."""
    rows = [[c.strip() for c in row if c.strip()] for s in sheets for _, row in s.head(40)]
    # The row with most known headings is the one that was meant as such.
    heading = max(rows, key=lambda row: sum(map(is_heading, row)), default=[])
    if not any(map(is_heading, heading)) and not any(sheet.title for sheet in sheets):
        widths = {len(row) if max(map(len, row)) < 40 else 0 for row in rows[:3]}
        if widths == {1} and len(rows) > 2:
            return "is a list without results: add the crosstable, or the pairings of all rounds"
        if len(rows) < 2 or len(widths) > 1 or min(widths) < 3:
            return ""  # a text, whose commas are none of a table
        heading = rows[0]
    unknown = [cell for cell in heading if not is_heading(cell)]
    examples = f" (headings that are not known: {unlike(unknown)})" if unknown else ""
    return (
        f"has no table of an event{examples}: it must have rounds and who played, or be a "
        "crosstable with names, numbers and rounds"
    )


def decide_columns(event: TeamEvent) -> TeamEvent:
    """An event whose list of tie-breaks has names of a page: as codes, which its columns decide."""
    listed = event.about.get(TIEBREAKS, "")
    if OPEN not in listed:
        return event
    from tb2learn.events.check import column_code

    codes, notes = list[str](), list[str]()
    for name, _, number in (entry.rpartition(OPEN) for entry in listed.split(",")):
        code, note = column_code(event, number, name)
        codes.append(code)
        notes += note
    first = "PTS" if event.individual else "MPTS"
    # Points come first, and a column that says the same again decides nothing.
    codes = codes if codes[0] in ("PTS", "MPTS", "GPTS") else [first, *codes]
    text = ",".join(dict.fromkeys(codes))[:MAX_NAME]
    about = {**event.about, TIEBREAKS: text}
    return replace(event, about=about, notes=(*event.notes, *notes))
