"""A rule has one name in all that is shown of an event: FIDE's code above columns, else words."""

import re

from cli_samples import said

SWISS = "examples/team-swiss.trf"

OTHERS = re.compile(r"\bproduct\b|\btb4\b|TB2 \d|TB2 decides|learned rule|opponents-cut1|old rule")
"""What else FIDE's rule, a learned one and BH/C1 were called."""


def test_one_name_on_the_screen(capsys):
    shown = {
        command: said(capsys, command, SWISS, *teams).out
        for command, teams in {"rank": (), "explain": ("Aalborg", "Cremona"), "compare": ()}.items()
    }
    for command, text in shown.items():
        assert not OTHERS.search(text), (command, OTHERS.search(text))
    # Narrow columns fold their heads.
    assert all("EMGSB/" in shown[command] for command in ("rank", "explain"))
    assert "EMGSB/C1 decides, " in shown["explain"] and "BH/C1 " in shown["explain"]
    title, *_ = shown["compare"].splitlines()
    assert title.endswith(": FIDE's rule and learned")


def test_one_name_on_pages(capsys, tmp_path):
    """The wall and the page of two orders; what a program reads of them keeps its keys."""
    for number, beside in enumerate([(), ("--beside", "learned")]):
        target = tmp_path / f"{number}.html"
        said(capsys, "rank", SWISS, *beside, "--out", str(target))
        page = target.read_text("utf-8")
        words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
        assert not OTHERS.search(words), OTHERS.search(words)
        assert "FIDE" in words and "BH/C1" in words
    read = said(capsys, "explain", SWISS, "Aalborg", "--format", "json").out
    assert '"product"' in read
