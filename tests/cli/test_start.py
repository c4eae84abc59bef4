"""What a start loads: help, version and errors nothing heavy, an arbiter's ranking no simulator."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_samples import COMMANDS
from helpers import ROOT

import tb2learn
from tb2learn.cli import arguments
from tb2learn.config import find_file, load_config, load_world
from tb2learn.data import event_names

PROGRAM = """
import sys
had = {*sys.modules}
from tb2learn.cli import main
status = [main(line.split()) for line in sys.argv[1].split(";")]
print(status, *{*sys.modules} - had, file=sys.stderr)
"""
HEAVY = {"jax", "jaxlib", "numpy", "scipy", "pandas", "matplotlib", "platformdirs"}
SIMULATOR = {"tb2learn.simulation", "tb2learn.training", "tb2learn.assessment.estimators"}
"""Modules that ranking by the product rule has no use for."""

RANK_NEEDS = {
    "arrays": (), "catalogue": (), "data": (), "limits": (), "shapes": (), "stats": (),
    "text": (), "types": (), "version": (),
    "assessment": (),  # its name alone, as those of dossier and data
    "dossier": (),
    "chess": ("items", "rating_tables", "results", "round_kinds"),
    "cli": ("arguments", "events", "output", "program", "rules", "simulated"),
    "disk": ("files", "inputs", "outputs"),
    "events": (
        "check", "comparison", "confidence", "criteria", "decisions", "explain", "files",
        "findings", "kind", "model", "orders", "parts", "ranking", "system", "terms", "unplayed",
        "verdict",
    ),
    "events.files": (
        "byes", "code_pages", "dates", "draft", "fields", "groups", "headings", "options",
        "page_names", "pairings", "read", "registry", "schedules", "scores", "slips",
        "slips_names", "source",
        "trf", "trf_boards", "trf_points", "trf_records", "trf_repairs",
    ),
    "events.unplayed": ("fide", "policies", "policy", "record"),
    "export": (
        "document", "forms", "name_lists", "remarks", "result", "rule_names", "standings",
        "standings_columns", "texts", "verdict_words", "words",
    ),
    "tiebreaks": (
        "base", "boards", "combined", "confidence_map", "formula", "formula_constants", "library",
        "modules", "names", "own", "passes", "rules", "sums", "tables", "transfer",
    ),
}  # fmt: skip
"""What ranking a TRF by FIDE's list may import of the package: rooms, and the files of each."""
SLOW_TO_LOAD = {"asyncio", "email", "ssl", "subprocess", "tomllib", "unittest", "xml"}
"""Of the standard library, what such a command has no use for."""


def loaded(*lines):
    """What a fresh process has imported after some commands, and their statuses."""
    command = [sys.executable, "-c", PROGRAM, ";".join(lines)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    statuses, _, names = result.stderr.splitlines()[-1].partition("] ")
    return set(names.split()), [int(one) for one in statuses.lstrip("[").split(",")]


def test_the_entry_point_imports_next_to_nothing():
    """Until `main` guards it, an interrupt ends in a traceback, as in the start of Python itself.

    That start, some hundredths of a second, is out of this program's reach.
    """
    code = "import os, sys; had = {*sys.modules}; import tb2learn.cli; print(*{*sys.modules} - had)"
    command = [sys.executable, "-S", "-c", code]
    root = str(Path(tb2learn.__file__).parents[1])
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONPATH": root}
    )
    assert set(done.stdout.split()) == {
        "__future__",
        "tb2learn",
        "tb2learn.cli",
        "tb2learn.version",
    }


def test_help_and_version_import_nothing_heavy():
    lines = ["--version", "--help", *(f"{command} --help" for command in COMMANDS)]
    names, statuses = loaded(*lines)
    assert set(statuses) == {0} and "tb2learn.cli.rules" in names
    assert not names & HEAVY


def test_refused_arguments_import_nothing_heavy():
    names, statuses = loaded("rank", "rnak", "train x --events 0", "rank x --unplayed y")
    assert statuses == [2] * 4 and not names & HEAVY


def test_recorded_events_do_without_what_takes_seconds_to_load():
    """By the product rule without the simulator; by any rule without JAX."""
    names, statuses = loaded("rank baku2016", "rank baku2016 --tiebreaks mp,opponents-cut1,gp")
    assert statuses == [0, 0] and "tb2learn.events" in names
    assert not names & {*SIMULATOR, "pandas"} and all(map(importlib.util.find_spec, SIMULATOR))
    by = "rank baku2016 --tiebreak uniform-180x11", "explain baku2016 Norway --tiebreak formula"
    names, statuses = loaded(*by)
    assert statuses == [0, 0] and "jax" not in names


def test_ranking_a_trf_imports_what_it_needs():
    """A new import here costs every `rank`: import it where it is used, or list it."""
    allowed = {"tb2learn", *(f"tb2learn.{room}" for room in RANK_NEEDS)}
    allowed |= {f"tb2learn.{room}.{file}" for room, files in RANK_NEEDS.items() for file in files}
    assert all(map(importlib.util.find_spec, allowed))
    names, statuses = loaded("rank examples/team-swiss.trf")
    assert statuses == [0]
    assert {name for name in names if name.startswith("tb2learn")} - allowed == set()
    packages = {name.partition(".")[0] for name in names}
    assert packages - sys.stdlib_module_names == {"click", "numpy", "tb2learn"}
    assert not packages & SLOW_TO_LOAD


def test_names_offered_by_completion_are_found():
    tables, worlds = set(arguments.CHECKPOINT.known()), set(arguments.CONFIG.known())
    assert tables >= {"uniform-180x11"} and worlds >= {"small-20x7", "europe-38x9", "fair-180x11"}
    assert all(find_file(name, "checkpoints", ".npz").stem == name for name in tables)
    assert all(load_config(name).name == load_world(name)[0].name == name for name in worlds)
    assert tuple(sorted(arguments.packaged_events())) == event_names()


STILL = {
    "rank": "rank baku2016",
    "explain": "explain examples/team-swiss.trf Bregenz",
    "check": "check examples/team-swiss.trf",
    "pair": "pair samarkand2026w --after 4",
    "info": "info rosters-180x11",
    "export": "export rosters-180x11",
}


def claims():
    """Libraries without which a command still works, as the documentation has them."""
    rows = (ROOT / "docs" / "libraries.md").read_text().splitlines()
    cells = [row.strip("| ").split(" | ") for row in rows if row.startswith("| ")]
    for library, without in ((row[0].split()[0], row[-1]) for row in cells if len(row) == 4):
        clauses = [part for part in without.split(";") if re.search("still work|not load", part)]
        commands = re.findall("`([a-z]+)`", " ".join(clauses))
        yield from ((library, command) for command in commands)


@pytest.mark.parametrize(("library", "command"), [*claims()])
def test_a_command_works_without_what_the_documentation_says(library, command, tmp_path):
    """Blocked, a library cannot be imported; nor may anybody ask whether it has been."""
    code = (
        f"import sys; sys.modules[{library!r}] = None; from tb2learn.cli import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    arguments = STILL[command].split() + ["--out", str(tmp_path / "table.csv")] * (
        command == "export"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


def test_the_documentation_names_libraries_that_commands_do_without():
    assert {("jax", "rank"), ("pandas", "explain"), ("jaxtyping", "rank")} <= {*claims()}
