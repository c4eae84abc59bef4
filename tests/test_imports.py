"""Which parts of the package import which, read from the source: one way, on few levels."""

import ast
import functools
import re
from collections import Counter
from graphlib import TopologicalSorter

import pytest
from helpers import ROOT, tracked

PACKAGE = ROOT / "tb2learn"
LEVELS = 11
"""Levels of rooms: each imports only from those below."""


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def sources():
    return {module_name(p): ast.parse(p.read_text()) for p in tracked("tb2learn/**/*.py")}


def imports(node):
    """The import statements below a node, also those within functions and for types alone."""
    for child in ast.walk(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child


def imported(name):
    """The modules of the package that a module imports, by their full names."""
    found = set()
    known = sources().keys()
    for statement in imports(sources()[name]):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names} & known
        elif statement.module and statement.module.split(".")[0] == "tb2learn":
            for alias in statement.names:
                submodule = f"{statement.module}.{alias.name}"
                found.add(submodule if submodule in known else statement.module)
    return found - {name}


def room(name):
    """`tb2learn.events.rank` stands in the room `events`; `tb2learn.text` is one of its own."""
    return name.split(".")[:2][-1]


@functools.cache
def modules():
    """What every module imports."""
    return {name: imported(name) for name in sources() if name != "tb2learn.__main__"}


def rooms():
    """What every room imports of others."""
    found = {room(name): set() for name in modules()}
    for name, others in modules().items():
        found[room(name)] |= {room(other) for other in others} - {room(name)}
    return found


def levels(graph):
    """Rooms by level; the lowest import nothing, the others something of the level just below."""
    level = {}
    for name in TopologicalSorter(graph).static_order():
        level[name] = 1 + max((level[other] for other in graph[name]), default=0)
    return [{name for name in level if level[name] == n} for n in sorted(set(level.values()))]


@pytest.mark.thorough
def test_no_files_import_each_other_in_a_circle():
    TopologicalSorter(modules()).prepare()  # a CycleError names the files


def test_rooms_import_one_way_on_few_levels():
    found = levels(rooms())  # a CycleError names the rooms
    assert len(found) <= LEVELS, found
    assert found[0] >= {"text", "version"} and "cli" in found[-1]


def test_the_map_has_every_room_below_those_that_import_it():
    page = (ROOT / "docs/how-it-works.md").read_text("utf-8").split("## The map of the package")[1]
    above = []
    for cell in re.findall(r"^\| ([^|]*) \|", page.split("A room imports only")[0], re.MULTILINE):
        row = [name.removesuffix(".py").strip("/") for name in re.findall(r"`([^`]+)`", cell)]
        assert set().union(*(rooms()[name] for name in row)) <= {*above, *row}, row
        above += row
    assert sorted(above) == sorted(rooms().keys() - {"tb2learn"})


def test_a_name_means_one_thing():
    """Of files, and of classes that others may import. Commands are named by what they run."""
    files = [path for path in tracked("tb2learn/**/*.py") if path.parent != PACKAGE / "cli"]
    names = [path.stem for path in files if path.stem not in ("__init__", "__main__")]
    for tree in sources().values():
        names += [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    often = Counter(name for name in names if not name.startswith("_"))
    assert [name for name, count in often.items() if count > 1] == []
