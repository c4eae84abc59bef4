"""Markdown: tables that stay tables whatever is in a cell, and intervals."""

from studies.markdown import table


def test_a_name_is_never_a_cell_more():
    lines = table(("a|b", "n"), [("x | y\n| z", 1), ("\\|", 2), ("<b>`*", 3)])
    for line in lines:
        assert "\n" not in line
        assert line.replace("\\\\", "").replace("\\|", "").count("|") == 3
    assert lines[4] == "| \\<b\\>\\`\\* | 3 |"
