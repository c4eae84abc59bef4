"""What the documentation shows is run: code blocks, docstrings, the example notebook."""

import doctest
import importlib
import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import click
import matplotlib.pyplot as plt
import pandas as pd
import pytest
from docs_tables import TABLES as TABLES_OF_PAGES
from docs_tables import table_of
from helpers import ROOT, slow_after, tracked

import tb2learn as tb
from tb2learn.cli import main
from tb2learn.cli.program import program
from tb2learn.tiebreaks.library import TABLES

PAGES = tracked("README.md", "docs/*.md")
DOCTESTED = ("tb2learn.api", "tb2learn.catalogue", "tb2learn.data", "tb2learn.events.model")


def blocks(page, language):
    return [
        text
        for kind, text in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M)
        if kind == language
    ]


def commands_of(page):
    """The commands of a page in order, each with the first lines of output that stand below it."""
    commands = []
    for block in blocks(page, ""):
        shown = None  # the lines below a command, to the end of its block
        for line in block.splitlines():
            line, _, _ = line.partition("  #")
            if line.startswith(("tb2learn ", "cp ")):
                shown = []
                commands.append((line.partition(" # ")[0].rstrip(), shown))
            elif shown is not None and line and not line.startswith(("#", "make ", "python")):
                shown.append(line.rstrip())
    return commands


def examples_of_help(command):
    if isinstance(command, click.Group):
        return [line for one in command.commands.values() for line in examples_of_help(one)]
    return list(command.examples)


QUICKLY = {
    "train": "--events 200", "quickstart": "--events 200 --assessed 40", "assess": "--events 40",
    "probe": "--probes 20", "calibrate": "--events 200", "dossier": "--events 20",
    "forecast": "--continuations 20",
}  # fmt: skip
"""What makes the long commands short; they are tried with the slow tests."""

ANOTHER_MACHINE = "--cluster"


def run_as_printed(line, shown, capsys):
    """Run a command in the current folder; its output begins as it is shown."""
    line, _, into = line.partition(" > ")
    program, name, *rest = shlex.split(line)
    if program == "cp":
        shutil.copy(name, *rest)
        return
    if name == "conform":  # what another program computes
        shutil.copy("dossier/conformance/expected.csv", "theirs.csv")
    assert main([name, *rest, *QUICKLY.get(name, "").split()]) == 0, line
    text = capsys.readouterr().out
    if into:
        Path(into).write_text(text, "utf-8")
    out = [one.rstrip() for one in text.splitlines()]
    assert out[: len(shown)] == shown, line


def folder_of_a_new_user(tmp_path, monkeypatch):
    """Nothing but what a checkout has of examples and configurations."""
    for name in ("examples", "configs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)


def is_long(line):
    return line.split()[1] in QUICKLY or line.startswith("cp ") or " my-60x9" in line


FIRST = "README.md", "events.md"
"""The pages that most users read; the commands of the others are tried by `make test-slow`."""

_BY_READERS = sorted((p for p in PAGES if commands_of(p)), key=lambda p: p.name not in FIRST)
SHOWN = slow_after(len(FIRST), _BY_READERS)


@pytest.mark.thorough
@pytest.mark.parametrize("page", SHOWN, ids=lambda p: p.name)
def test_commands_of_a_page_run_and_print_what_it_shows(page, tmp_path, monkeypatch, capsys):
    folder_of_a_new_user(tmp_path, monkeypatch)
    for line, shown in commands_of(page):
        if not (is_long(line) or line.startswith("tb2learn conform")):
            run_as_printed(line, shown, capsys)


@pytest.mark.slow
def test_examples_of_the_help_run(tmp_path, monkeypatch, capsys):
    folder_of_a_new_user(tmp_path, monkeypatch)
    of_pages = {line for page in PAGES for line, _ in commands_of(page)}
    for line in dict.fromkeys(examples_of_help(program)):
        if not (line in of_pages or is_long(line) or line.startswith("tb2learn conform")):
            run_as_printed(line, [], capsys)


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if commands_of(p)], ids=lambda p: p.name)
def test_long_commands_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    """All commands of the page in order, as one that trains stands before one that exports."""
    folder_of_a_new_user(tmp_path, monkeypatch)
    if not any(is_long(line) for line, _ in commands_of(page)):
        return
    for line, shown in commands_of(page):
        if ANOTHER_MACHINE not in line:
            run_as_printed(line, shown, capsys)


QUICK_PAGE = "research.md"
"""Its program counts by hand what `assess` counts, and asserts that both are equal."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(p, id=p.name, marks=() if p.name == QUICK_PAGE else pytest.mark.slow)
        for p in PAGES
        if blocks(p, "python")
    ],
)
def test_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    """The blocks of a page in order, as one program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks(page, "python"):
        if block.startswith(">>>"):
            continue
        exec(compile(block, page.name, "exec"), names)


def test_the_tie_of_the_readme_is_what_the_rules_say():
    """Places of both teams by FIDE's rule and by the learned table; two results of one worth."""
    teams, rules = ("Kazakhstan", "Czech Republic"), ("product", TABLES[4])
    text = " ".join(PAGES[0].read_text("utf-8").split())
    places = {rule: tb.rank("baku2016", rule).set_index("team").place for rule in rules}
    assert [places[rule][team] for rule in rules for team in teams] == [28, 29, 32, 25]
    assert "FIDE placed Kazakhstan 28th and the Czech Republic 29th." in text
    assert "it places the Czech Republic 25th and Kazakhstan 32nd." in text
    worth = tb.explain("baku2016", teams, "product").set_index("opponent")
    assert worth.value["New Zealand"] == worth.value["United States of America"] == 40


def test_the_real_evidence_of_the_readme_is_that_of_the_report():
    """The default beside the product rule in recorded Olympiads: all ties, and the top 30."""
    results = pd.read_csv(ROOT / "reports/real/results.csv").set_index(["rule", "population"])
    text = " ".join(PAGES[0].read_text("utf-8").split())
    for populations in (("all", "later, from round 5"), ("top 30", "later, top 30, from round 5")):
        for population in populations:
            row = results.loc[(TABLES[4], population)]
            low, high = 100 * row["more_low"], 100 * row["more_high"]
            assert f"{100 * row['more']:.1f} [{low:.1f}, {high:.1f}]" in text
            assert (low > 0) == (population in ("all", "later, from round 5"))
    assert len(pd.read_csv(ROOT / "reports/real/events.csv")) == 9 and "In nine Olympiads" in text
    hang = pd.read_csv(ROOT / "reports/others/dependence.csv")
    hang = hang[(hang.seeds == "near the truth") & (hang.top == 30)].set_index("rule")
    for rule in ("product", TABLES[4]):
        share, *ends = (100 * hang.loc[rule, f"hanging{end}"] for end in ("", "_low", "_high"))
        assert "{:.1f} % [{:.1f}, {:.1f}]".format(share, *ends) in text
    assert "In nine Olympiads" in text


@pytest.mark.parametrize("name", TABLES_OF_PAGES)
def test_tables_of_the_documentation_are_those_of_the_package(name):
    """`python tests/docs_tables.py` writes them again."""
    page, _ = TABLES_OF_PAGES[name]
    assert table_of(name) in (ROOT / page).read_text("utf-8")


@pytest.mark.slow
def test_outputs_of_the_notebook_page_are_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(b for b in blocks(ROOT / "docs/python.md", "python") if b.startswith(">>>"))
    case = doctest.DocTestParser().get_doctest(text, {}, "python.md", None, 0)
    runner = doctest.DocTestRunner(
        verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    runner.run(case)
    assert runner.summarize(verbose=False).failed == 0
    assert {path.name for path in tmp_path.iterdir()} == {"tables", "table.png", "places.png"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", DOCTESTED)
def test_examples_of_docstrings_are_true(name):
    with pd.option_context("display.width", 200):
        found = doctest.testmod(
            importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE
        )
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.slow
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


def test_every_command_is_named_in_the_documentation():
    """That every option says what it is: `cli/test_cli`."""
    text = "\n".join(page.read_text("utf-8") for page in PAGES)

    def unsaid(command, name):
        if isinstance(command, click.Group):
            return [one for n, c in command.commands.items() for one in unsaid(c, f"{name} {n}")]
        return [] if re.search(rf"tb2learn{name}\b", text) else [name]

    assert unsaid(program, "") == []


def test_the_newest_version_of_the_changelog_is_that_of_the_package():
    sections = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    released = [name for name in sections if not name.endswith(", not released yet")]
    assert len(sections) - len(released) <= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", released[0].removeprefix(f"{tb.__version__} — "))
