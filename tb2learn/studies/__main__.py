"""What is made from the list of studies: rules of the Makefile, the table of the documentation.

`python -m tb2learn.studies`, in the folder of a checkout, writes both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tb2learn.studies.registry import STUDIES
from tb2learn.studies.study import Study

RULES, DOCS = Path("studies.mk"), Path("docs/studies.md")
START, END = "<!-- The list of studies -->\n", "<!-- The end of the list -->\n"
"""The lines around the table in `DOCS`."""

_DATA = "tb2learn/data"


def makefile() -> str:
    """Rules of the Makefile: how reports and packaged files are made, and what they wait for."""
    longest_first = sorted(STUDIES.values(), key=lambda one: -one.minutes)
    reports = [path for one in longest_first for path in one.reports]
    packaged = [f"{_DATA}/{name}" for one in longest_first for name in one.packaged.values()]
    lines = [
        "# Made by `make studies`; a test compares. The longest first.",
        f"REPORTS_OF_STUDIES := {' '.join(reports)}",
        f"PACKAGED_BY_STUDIES := {' '.join(packaged)}",
    ]
    return "\n".join([*lines, *(line for one in longest_first for line in _rules(one))]) + "\n"


def _rules(study: Study) -> Iterator[str]:
    for path, given in study.reports.items():
        line = ["tb2learn", study.command, *words(study, given), study.to, "$@"]
        yield " ".join([f"\n{path}:", *(f"{_DATA}/{name}" for name in study.reads)])
        yield f"\t$(BIN)/{' '.join(line)}"
    for file, name in study.packaged.items():
        yield f"\n{_DATA}/{name}: {study.out}"
        yield f"\tcmp -s $</{file} $@ || cp $</{file} $@"


def words(study: Study, given: Mapping[str, Any]) -> Iterator[str]:
    """Options of a study, with their values, as words of a command line."""
    for one in study.options:
        if given.get(one.name, False) is not False:
            yield from [] if one.argument else [f"--{one.name}"]
            yield from [] if one.kind == "flag" else [str(given[one.name])]


def docs() -> str:
    """The page of the documentation with its table of studies."""
    before, _, rest = DOCS.read_text("utf-8").partition(START)
    _, _, after = rest.partition(END)
    rows = [
        f"| `tb2learn {one.command}` | {one.question} | {', '.join(map(_link, one.reports))} |\n"
        for one in STUDIES.values()
    ]
    head = "| command | question | report |\n|---|---|---|\n"
    return "".join([before, START, head, *rows, END, after])


def _link(path: str) -> str:
    return f"[{path}](../{path})" if path.endswith(".md") else f"[{path}/](../{path}/README.md)"


if __name__ == "__main__":
    RULES.write_text(makefile(), "utf-8")
    DOCS.write_text(docs(), "utf-8")
