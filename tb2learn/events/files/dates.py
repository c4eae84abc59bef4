"""Dates in files, in numbers or in words of several languages."""

from __future__ import annotations

import re

from tb2learn.events.files.headings import MONTHS


def iso_date(text: str) -> str:
    """A complete date as `2016-09-02`; the formats also write 2016/09/02 and 2016.09.02."""
    return re.sub(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})", r"\1-\2-\3", text)


def slashed_date(text: str) -> str:
    """A complete date in the notation of TRF and PGN, 2016/09/02; empty for another text."""
    date = re.fullmatch(r"([0-9]{4})[./-]([0-9]{2})[./-]([0-9]{2})", text)
    return "/".join(date.groups()) if date else ""


def written_date(text: str) -> str:
    """A date as `2016-09-02`, from numbers or from words; empty if it may be another one.

    Days stand before months where points separate them, or where a month has no other place.
    """
    # Numbers and words, whatever stands between them.
    words = re.findall(r"[0-9]+|[^\W\d_]+", text.casefold())[:9]
    numbers = [int(w) for w in words if w.isascii() and w.isdigit() and len(w) <= 4]
    months = [
        month
        for month, begins in enumerate(MONTHS, start=1)
        for word in words
        if word[:3] in begins.split()
    ]
    if "juil" in text.casefold():  # juillet, whose three letters June has, too
        months = [7]
    if months:
        years, days = ([n for n in numbers if (n > 31) == is_year] for is_year in (True, False))
        readings = [(years[0], months[0], days[0])] if years and days else []
    else:
        readings = _orders(text, numbers) if len(numbers) >= 3 else []
    # A year of two digits is of this century or of the last one.
    dates = {
        f"{year + (year < 100) * (2000 if year < 70 else 1900)}-{month:02}-{day:02}"
        for year, month, day in readings
        if _is_date(year, month, day)
    }
    # Two readings that are dates, both of them: nobody knows which one is meant.
    return dates.pop() if len(dates) == 1 else ""


def _orders(text: str, numbers: list[int]) -> list[tuple[int, int, int]]:
    """The readings, as year, month and day, of a date of three numbers."""
    a, b, c = numbers[:3]
    if a > 31:
        return [(a, b, c)]
    readings = [(c, b, a)] if c > 31 or "." in text else [(a, b, c), (c, b, a)]
    readings = [reading for reading in readings if _is_date(*reading)]
    # The American order, with slashes or with a year at the end; never with points.
    if (c > 31 or "/" in text) and "." not in text and _is_date(c, a, b):
        readings.append((c, a, b))
    return readings


def _is_date(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31 and (year < 100 or 1800 <= year < 2200)


_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2}):00")
_DAY_PART = re.compile(r"0\.[0-9]{3,}")
_MINUTES = 24 * 60


def typed_as_time(text: str) -> str:
    """What was typed, such as `5:3`, where a spreadsheet made a time of it; empty elsewhere.

    A time is a part of a day: 5:03 is 303 of 1,440 minutes, `0.2104...`, or `05:03:00`.
    """
    clock = _CLOCK.fullmatch(text)
    if clock:
        return f"{int(clock[1])}:{int(clock[2])}"
    minutes = float(text) * _MINUTES if _DAY_PART.fullmatch(text) else 0.0
    # Stored numbers have 15 digits.
    if not minutes or abs(minutes - round(minutes)) > 1e-6:
        return ""
    return f"{round(minutes) // 60}:{round(minutes) % 60}"


def is_date(text: str) -> bool:
    """Whether a cell is a date, which a spreadsheet may have made of a result such as 3-1."""
    words = re.findall(r"[0-9]+|[^\W\d_]+", text.strip().casefold())
    if not 2 <= len(words) <= 7:
        return False
    months = [w for w in words if not w.isdigit() and any(w[:3] in m.split() for m in MONTHS)]
    if len(months) == 1 and len(words) <= 3:
        return True
    shape = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9:.]+)?|[0-9]{1,2}([./])[0-9]{1,2}\2[0-9]{2,4}"
    return re.fullmatch(rf"{shape}|[0-9]{{1,2}}\.[0-9]{{1,2}}\.", text.strip()) is not None
