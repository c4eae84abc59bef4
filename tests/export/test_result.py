"""A table as text of any width, CSV, JSON and a DataFrame: the same values under the same names."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

from tb2learn.export import result
from tb2learn.export.result import Table

TEAMS = Table(
    ("place", "team", "mp", "buchholz-cut1", "confidence", "left_out"),
    [
        (1, "United States of America", 20.0, 413.5, 0.987, True),
        (2, "Ukraine", np.int64(18), np.float64(404), float("nan"), np.False_),
        (3, "=1+1\x1b", 9, 1.25, None, False),
    ],
    title="Baku 2016",
    notes=("A note.",),
    about={"event": "baku2016", "seed": 1},
    headings={"mp": "MP", "left_out": "left out"},
    formats={"confidence": ".0%"},
    keys=2,
)


def test_every_form_has_the_same_values():
    content = json.loads(TEAMS.json())
    assert (content["event"], content["notes"]) == ("baku2016", ["A note."])
    rows = content["rows"]
    assert list(rows[0]) == list(TEAMS.columns)
    assert [row["mp"] for row in rows] == [20, 18, 9]
    assert [row["confidence"] for row in rows] == [0.987, None, None]
    assert [row["left_out"] for row in rows] == [True, False, False]
    frame = TEAMS.frame()
    assert frame.attrs == {"event": "baku2016", "seed": 1, "notes": ["A note."]}
    assert frame.left_out.dtype == bool and frame.mp.tolist() == [20, 18, 9]
    pd.testing.assert_frame_equal(pd.DataFrame(rows), frame, check_dtype=False)
    again = Table.of(frame, about=TEAMS.about, notes=TEAMS.notes)
    assert (again.json(), again.csv()) == (TEAMS.json(), TEAMS.csv())


def test_csv_cells_are_no_formulas_and_escape_control_characters():
    header, first, second, third = csv.reader(TEAMS.csv().splitlines())
    assert header == list(TEAMS.columns)
    assert first == ["1", "United States of America", "20", "413.5", "0.987", "1"]
    assert second == ["2", "Ukraine", "18", "404", "", "0"]
    assert third[1] == r"'=1+1\x1b"


def test_text_has_names_to_the_left_and_numbers_to_the_right():
    title, header, first, second, third = TEAMS.text().splitlines()
    assert title == "Baku 2016"
    assert header.split() == ["place", "team", "MP", "buchholz-cut1", "confidence", "left", "out"]
    assert first.split()[-5:] == ["America", "20", "413.5", "99%", "yes"]
    assert second.index("Ukraine") == header.index("team")
    assert second.index("18") + 2 == header.index("MP") + 2 and r"=1+1\x1b" in third
    assert all(line == line.rstrip() for line in (header, first, second, third))


@pytest.mark.parametrize(
    ("longest", "expected"),
    [(23, "Alder (withdrawn)"), (17, "Alder (withdrawn)"), (16, "Alder (withdr...")],
)
def test_a_mark_stays_where_a_name_is_shortened(longest, expected):
    assert result._cut("Alder (withdrawn)", longest) == expected
    assert result._cut("Universidad Nacional (+1 MP)", 20) == "Universid... (+1 MP)"
    assert result._cut("Universidad Nacional", 16) == "Universidad N..."


def test_codes_are_folded_before_their_modifiers():
    table = Table(("team", "x"), (("A" * 30, 1),), headings={"x": "EMGSB/C1"})
    assert [line.split() for line in table.text(38).splitlines()[:2]] == [
        ["EMGSB/"],
        ["team", "C1"],
    ]
    assert "EMGSB/C1" in table.text(40)


@pytest.mark.parametrize("width", [20, 40, 50, 60, 80])
def test_text_fits_the_width_and_loses_no_column(width):
    text = TEAMS.text(width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= max(width, 35)
    for value in ("20", "413.5", "99%", "yes"):
        assert sum(value in line.split() for line in lines) == 1
    # Every part says whose rows these are.
    assert text.count("Ukraine") == text.count("place")
