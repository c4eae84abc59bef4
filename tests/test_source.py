"""Rules of the house, read from the source: short files and functions, nothing written twice."""

import ast

from helpers import ROOT, tracked

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
