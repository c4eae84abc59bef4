"""Markdown: tables that stay tables whatever is in a cell, and intervals."""

import numpy as np
import pytest

from studies.markdown import escaped, table, with_interval
from tb2learn.assessment.incentive import exact_interval


def test_numbers_stand_to_the_right_and_text_to_the_left():
    rows = [("A", 1, "+2.5%", "1.0e-05", None, "3 of 4"), ("B", 1234, "-", "4", "7,000", "-")]
    assert table(("name", "a", "b", "c", "d", "e"), rows) == [
        "| name | a | b | c | d | e |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
        "| A | 1 | +2.5% | 1.0e-05 |  | 3 of 4 |",
        "| B | 1234 | - | 4 | 7,000 | - |",
    ]


def test_a_name_is_never_a_cell_more():
    lines = table(("a|b", "n"), [("x | y\n| z", 1), ("\\|", 2), ("<b>`*", 3)])
    for line in lines:
        assert "\n" not in line
        assert line.replace("\\\\", "").replace("\\|", "").count("|") == 3
    assert lines[4] == "| \\<b\\>\\`\\* | 3 |"


def test_rows_must_have_all_columns():
    with pytest.raises(ValueError, match="zip"):
        table(("a", "b"), [(1, 2, 3)])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("grs1_mp", "grs1_mp"),
        ("_x_", r"\_x\_"),
        ("a__b", r"a\_\_b"),
        ("__a__", r"\_\_a\_\_"),
        ("http://x.org", r"http\://x.org"),
        ("www.x.org", r"www\.x.org"),
    ],
)
def test_underscores_mean_nothing_inside_a_word(name, shown):
    assert escaped(name) == shown


def test_intervals():
    assert with_interval(0.25, (0.2, 0.3), ".1%") == "25.0% [20.0%, 30.0%]"
    assert with_interval(1.0, np.array([0.5, 1.5])) == "1.000 [0.500, 1.500]"


def test_no_violation_bounds_the_rate():
    low, high = exact_interval(0, 1000)
    assert low == 0.0 and high == pytest.approx(0.00368, abs=1e-5)
    assert exact_interval(0, 0) == (0.0, 1.0)
