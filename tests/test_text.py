"""Names from outside cannot break a line, a terminal or a spreadsheet."""

import csv

import pytest

from tb2learn.text import MAX_MESSAGE, cell, csv_text, one_line, plain, plain_number, quoted
from tb2learn.types import InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Norway", "'Norway'"),
        ("Côte d'Ivoire", '"Côte d\'Ivoire"'),
        ("a\nb\x1b[2J", r"'a\nb\x1b[2J'"),
        ("x" * 61, "'" + "x" * 57 + "...'"),
        ("x" * 60, "'" + "x" * 60 + "'"),
    ],
)
def test_quoted(text, expected):
    assert quoted(text) == expected


def test_plain_text_is_printable_whatever_it_was():
    """The soak found that a no-break space in a name went on into notes."""
    assert plain("Ace\u00a0Anna\u2003\u3000B") == "Ace Anna  B"
    assert all(plain(chr(code)).isprintable() for code in range(0x110000))


def test_messages_are_one_line_of_bounded_length():
    assert one_line("a\nb\x1b[2J\ud800") == r"a\nb\x1b[2J\ud800"
    assert one_line("x" * MAX_MESSAGE) == "x" * MAX_MESSAGE
    for character in ("x", "\x1b", "\U000e0001"):
        long = one_line("start" + character * 10**7 + "end")
        assert len(long) <= MAX_MESSAGE and long.startswith("start") and long.endswith("end")
        assert " ... " in long
    error = InputError("file\n\x1b[2J" + "x" * 10**6)
    assert str(error).startswith(r"file\n\x1b[2Jxxx") and len(str(error)) == MAX_MESSAGE - 1


def test_cells_are_no_formulas():
    assert [cell(t) for t in ("=1+1", "+1", "-1", "@x", "\tx", "x")] == [
        "'=1+1", "'+1", "'-1", "'@x", r"'\tx", "x",
    ]  # fmt: skip
    # In full width, behind blanks, and where `;` parts cells whatever stands in quotes.
    for text in ("\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", " =1", '"=1'):
        assert cell(text) == f"'{text}"
        assert cell(f"a;{text}") == f"a;'{text}"
    rows = list(
        csv.reader(
            csv_text([("a", "x;=1"), ("b;", '";+1"'), ("=", ";;-1;")]).split("\n"), delimiter=";"
        )
    )
    assert not [part for row in rows for part in row if part.strip(' "')[:1] in ("=", "+", "-")]
    assert cell("a=1; b - c") == "a=1; b - c"
    assert cell(20.0) == plain_number(20.0) == 20 and type(cell(20.0)) is int
    assert cell(413.5) == 413.5 and cell(None) is None
