"""Rules of the house, read from the source: short files and functions, nothing written twice."""

import ast
import re

import pytest
from helpers import ROOT, tracked

PACKAGE = ROOT / "tb2learn"
SOURCES = {path.relative_to(ROOT): path.read_text() for path in tracked("tb2learn/**/*.py")}
FILE_LINES = 900
FUNCTION_LINES = 100
EQUAL_LINES = 10
"""Lines of a block that may stand in two places."""

WORDS = {"tb2learn/export/words.py"}
"""Tables of words, which may be longer than other files."""


def equal_blocks(sources, lines):
    """Places `(path, line), (path, line)` where more than so many lines stand twice.

    Blank lines and indentation do not count; of a longer block every such window is found.
    """
    first = {}
    for path, text in sources.items():
        stripped = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1)]
        kept = [(n, line) for n, line in stripped if line]
        for start in range(len(kept) - lines):
            block = tuple(line for _, line in kept[start : start + lines + 1])
            here = path, kept[start][0]
            if first.setdefault(block, here) != here:
                yield first[block], here


def long_functions(text, lines):
    """Names and lengths of the functions that are longer, their docstring counted."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = node.end_lineno - node.lineno + 1
            if length > lines:
                yield node.name, length


def test_files_are_short():
    lengths = {str(path): len(text.splitlines()) for path, text in SOURCES.items()}
    assert len(lengths) > 90
    long = {path: length for path, length in lengths.items() if length > FILE_LINES}
    assert long.keys() <= WORDS, long


def test_functions_are_short():
    long = {
        f"{path}: {name}": length
        for path, text in SOURCES.items()
        for name, length in long_functions(text, FUNCTION_LINES)
    }
    assert not long


def test_no_block_stands_twice():
    assert not list(equal_blocks(SOURCES, EQUAL_LINES))


def test_the_rules_find_what_breaks_them():
    body = "\n".join(f"    x{n} = {n}" for n in range(11))
    one, other = f"def f():\n{body}\n", f"if a:\n\n{body}\n    z = 0\n"
    assert list(equal_blocks({"a": one, "b": other}, 10)) == [(("a", 2), ("b", 3))]
    assert not list(equal_blocks({"a": one, "b": other}, 11))
    assert list(equal_blocks({"a": body + "\n" + body}, 10)) == [(("a", 1), ("a", 12))]
    assert list(long_functions(f"class A:\n  def g():\n{body}", 11)) == [("g", 12)]
    assert not list(long_functions(one, 12))


ROOMS = "|".join(path.parent.name for path in tracked("tb2learn/*/__init__.py"))
NAMED = (
    r"[\w./-]*\w\.py",  # a file of Python
    r"[\w.-]+/[\w./-]+\.(?:csv|json|md|toml)",  # a file in a folder
    rf"(?:tb2learn|{ROOMS})(?:\.(?!json|csv|[A-Z]+\b)\w+)+",  # a module, or a name in one
)


def names(text):
    """The files and modules of the package that a text names in backticks."""
    for quoted in re.findall(r"`+([^`\n]+)`+", text):
        if any(re.fullmatch(pattern, quoted) for pattern in NAMED):
            yield quoted


def exists(name, path):
    """Whether a file is there, from the root, the package or its own folder; a module, a name.

    What describes a room may name files that all of its folders have.
    """
    own = ROOT / path.parent
    folders = [ROOT, PACKAGE, own]
    beside = own.iterdir() if path.name == "__init__.py" else ()
    if any((folder / name).is_file() for folder in (*folders, *beside)):
        return True
    if name.endswith(".py"):
        return False
    *parts, last = name.removeprefix("tb2learn.").split(".")
    return any(is_module(folder.joinpath(*parts), last) for folder in folders[1:])


def is_module(folder, name):
    """Whether a name is a module of the folder, or stands in the module that is no folder."""
    if (folder / name).is_dir() or (folder / f"{name}.py").is_file():
        return True
    module = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    defined = rf"^(def|class) {name}\b|^{name}\b.* = |^    {name},$|import .*\b{name}\b"
    return module.is_file() and bool(re.search(defined, module.read_text(), re.MULTILINE))


def test_names_of_files_are_found():
    named = "Like ``tb2learn.text`` and `tests/test_source.py`, not `x.csv`, `a.b` or `a/b`."
    assert list(names(named)) == ["tb2learn.text", "tests/test_source.py"]
    here = (PACKAGE / "text.py").relative_to(ROOT)
    for name in ("events/rank.py", "text.py", "data/baku2016/PROVENANCE.md", "tb2learn.events.rank",
                 "events.rank", "events.rank.compare", "events.TeamEvent"):  # fmt: skip
        assert exists(name, here), name
    for name in ("rank.py", "tb2learn/none.py", "tb2learn.rankings", "events.rank.none"):
        assert not exists(name, here), name


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_files_and_modules_that_are_named_exist(path):
    """In docstrings and comments."""
    missing = [name for name in names(SOURCES[path]) if not exists(name, path)]
    assert not missing
