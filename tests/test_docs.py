"""What the documentation shows is run: code blocks, docstrings, the example notebook."""

import doctest
import importlib
import re
import runpy
import sys

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from helpers import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCTESTED = ("tb2learn.api", "tb2learn.catalogue", "tb2learn.events.model")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    """The blocks of a page in order, as one program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


@pytest.mark.parametrize("name", DOCTESTED)
def test_examples_of_docstrings_are_true(name):
    with pd.option_context("display.width", 200):
        found = doctest.testmod(
            importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE
        )
    assert found.attempted > 0 and found.failed == 0


def test_the_example_notebook_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["baku2016.py", str(tmp_path)])
    names = runpy.run_path(str(ROOT / "examples" / "baku2016.py"))
    plt.close("all")
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"errors.png", "surface.png"} | {
        f"small-20x7.{form}" for form in ("csv", "xlsx", "pdf", "html")
    }
    assert {"Kazakhstan", "Czech Republic", "England"} <= set(names["moved"].index)
    shown = capsys.readouterr()
    assert "least-squares" in shown.out and "events/s" in shown.err  # a progress bar
