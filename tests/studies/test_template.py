"""Templates: what is filled in means nothing in Markdown, tables of frames, wrapped lines."""

import math

import jinja2
import pandas as pd
import pytest

from studies.template import filled_in, table

FRAME = pd.DataFrame(
    {
        "rule": ["a|b", "<b>"],
        "error": [0.25, math.nan],
        "low": [0.2, math.nan],
        "high": [0.3, math.nan],
        "pairs": pd.array([1234, None], "Int64"),
        "as many as": [1, 2],
    }
)


@pytest.fixture
def fill(tmp_path, monkeypatch):
    """Fills in a template that is given as text."""

    def run(text, given):
        folder = tmp_path / "a_package"
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
        (folder / "part.md").write_text("part\n")
        (folder / "report.md").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        return filled_in("a_package", "report.md", given)

    return run


def test_a_report(fill):
    row = {"x": 0.25, "x_low": 0.2, "x_high": 0.3}
    given = {"name": "*A*\n# B", "x": math.nan, "frame": FRAME, "row": row}
    numbers = "{{ 0.5 | percent }}, {{ x | fixed }},\n{{ -1 | signed(1) }};"
    numbers += " {{ row | interval('x') }}, {{ row | fewer('x', 2) }},"
    numbers += " {{ (-(row | difference('x'))).low }}"
    table = "{% include 'part.md' %}\nand\n\n{{ frame | table('rule') }}\n"
    text = f"# {{{{ name }}}}\n\n{{{{ 1234 | count }}}} of\n{numbers}\n\n{table}"
    assert fill(text, given) == (
        "# \\*A\\*\\\\n\\# B\n\n1,234 of 50.0%, -, -1.0; 0.250 [0.200, 0.300], 25.00 more, -0.3\n\n"
        "part and\n\n"
        "| rule |\n| --- |\n| a\\|b |\n| \\<b\\> |\n"
    )
    with pytest.raises(jinja2.UndefinedError, match="nothing"):
        fill("{{ nothing }}", {})


def test_a_name_is_never_a_cell_more():
    lines = table(("a|b", "n"), [("x | y\n| z", 1), ("\\|", 2), ("<b>`*", 3)])
    for line in lines:
        assert "\n" not in line
        assert line.replace("\\\\", "").replace("\\|", "").count("|") == 3
    assert lines[4] == "| \\<b\\>\\`\\* | 3 |"
