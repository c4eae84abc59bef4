"""The page of an event in docs/: made of what is committed beside it."""

import hashlib
import re

import pytest
from click.testing import CliRunner
from helpers import ROOT
from page_reader import Page

from tb2learn.cli.program import program
from tb2learn.events import read_event
from tb2learn.export.standings import rank_event

PAGE = ROOT / "docs/baku2016.html"


def test_its_inputs_are_those_of_today():
    """`make page` writes it and the hashes of its inputs, by which all of these are known."""
    lines = PAGE.with_suffix(".sha256").read_text("utf-8").splitlines()
    hashes = dict(reversed(line.split()) for line in lines)
    for name, known in hashes.items():
        found = hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
        assert found == known, f"{name} is another: make page"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    listed = re.search(r"^PAGE_INPUTS := ((?:.*\\\n)*.*)", makefile, re.MULTILINE)[1]
    inputs = {PAGE, ROOT / "checkpoints/rosters-180x11.npz"}
    inputs |= {*(ROOT / "tb2learn/data/baku2016").glob("*.csv")}
    templates = re.search(r"templates/,([^)]*)", listed)[1].split()
    inputs |= {ROOT / "tb2learn/export/templates" / name for name in templates}
    assert {ROOT / name for name in hashes} == inputs


def test_its_places_are_those_of_the_program():
    page = Page(PAGE.read_text("utf-8"))
    teams = [text for attributes, text in page.all("button") if "data-team" in attributes]
    event = read_event("baku2016")
    orders = [rank_event(event, by).ranking.rows for by in ("product", "learned")]
    assert teams == [row.team for rows in orders for row in rows]


@pytest.mark.thorough
def test_it_is_what_the_program_writes_today(tmp_path):
    """Hashes of inputs do not see that the program itself has changed."""
    page = tmp_path / "page.html"
    arguments = ["rank", "baku2016", "--beside", "learned", "--out", str(page)]
    assert CliRunner().invoke(program, arguments, catch_exceptions=False).exit_code == 0
    assert page.read_bytes() == PAGE.read_bytes(), "make page"
