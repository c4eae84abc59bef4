"""Coverage-guided fuzzing of the readers of events.

    pip install atheris
    mkdir -p /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn --seeds /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn /tmp/corpus-pgn -max_total_time=3600 -rss_limit_mb=4096

Targets are the formats of the registry, each also with `strict-` before it, `html` and `xlsx`
(crosstables as pages, and as the parts of a workbook, which are put together here), `packed`, and
`written`; everything after the target goes to libFuzzer, whose corpus grows in the folder named.
Seeds are the samples of the tests and small events of all kinds; a fifth of the inputs is made by
libFuzzer, the others are files of further events, half of them with one change. Every
1,000 inputs a line on standard error says how many were read. What must hold for any bytes:

- they are read, or refused with an `InputError` in one line of at most 500 characters, in less than
  `SECONDS` of processor time;
- an event that was read can be scored and ranked;
- it can be written in every form and read again, or either is refused in one line; a folder of
  tables is read as the same event.

For `written` the bytes name a small event (`format_samples.small_event`), which is written in every
form and read again.

A run that ends without a crash found nothing. A finding is kept as a file `crash-...` in the
current directory, and runs again with `python tests/fuzz/readers.py TARGET FILE`.
"""

from __future__ import annotations

import csv
import gzip
import html
import io
import random
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
with atheris.instrument_imports(include=["tb2learn.events"]):
    from format_samples import (
        SAMPLES,
        changed,
        read_or_refused,
        small_event,
        written_again,
    )

    from tb2learn.events import Reading, rank
    from tb2learn.events.files import registry
    from tb2learn.tiebreaks.rules import product_table
    from tb2learn.types import InputError

SECONDS = 2.0
TABLES = b"\n====\n"
"""Stands between the tables of a folder, which come in the order of the registry."""
RANKED = 6, 3
"""Teams and rounds up to which events are ranked: every other size is compiled once more."""
READERS = {
    **{f"strict-{name}": Reading(strict=True, form=name) for name in registry.names()},
    **{name: Reading(form=name, trust_points=name == "trf") for name in registry.names()},
    "packed": Reading(),
    "html": Reading(form="crosstable"),
    "xlsx": Reading(form="crosstable"),
}
WORKBOOK = {
    "xl/workbook.xml": b'<workbook><sheets><sheet name="S" id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": (
        b'<R><Relationship Id="a" Type="x/worksheet" Target="s.xml"/></R>'
    ),
}
PARTS = "xl/s.xml", "xl/sharedStrings.xml", "xl/styles.xml"
TARGETS = *READERS, "written"
SHOWN = 1000
"""Inputs after which is said how many were read."""

seen: Counter[bool] = Counter()
"""How many inputs were read, and how many refused."""


def check(target: str, data: bytes) -> None:
    """What must hold of a file with these bytes, or of the event that they name."""
    read = _check_written(data) if target == "written" else _check_file(target, data)
    seen[read] += 1
    if not seen.total() % SHOWN:
        print(f"{target}: {seen[True]} of {seen.total()} inputs read", file=sys.stderr)


def _check_written(data: bytes) -> bool:
    event = small_event(random.Random(data), abnormal=len(data) % 2 == 0)
    return any([written_again(event, form) is not None for form in registry.forms()])


def _check_file(target: str, data: bytes) -> bool:
    content: bytes | dict[str, bytes] = data
    if READERS[target].form == "csv":
        names = registry.of_folders().files
        content = {n: d for n, d in zip(names, data.split(TABLES), strict=False) if d}
    if target == "xlsx":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            parts = dict(zip(PARTS, data.split(TABLES), strict=False))
            for name, part in {**WORKBOOK, **parts}.items():
                archive.writestr(name, part)
        content = stream.getvalue()
    start = time.process_time()
    (event,) = read_or_refused(content, "fuzz", READERS[target])
    assert time.process_time() - start < SECONDS, "too slow"
    if event is None:
        return False
    if len(event.teams) <= RANKED[0] and event.rounds <= RANKED[1]:
        rank(event, product_table(event.rounds, event.boards))
    for form in registry.forms():
        written_again(event, form)
    return True


def written(form: str, rng: random.Random) -> Iterator[bytes]:
    """A small event of any kind in the files of a form; none where the form does not hold it."""
    event = small_event(rng, abnormal=False)
    for kind, one in registry.forms().values():
        if kind.name == form:
            try:
                files = one.writes(event)
            except InputError:
                continue
            tables = registry.of_folders().files if form == "csv" else files
            yield TABLES.join(files.get(name, "").encode() for name in tables)


def samples(target: str) -> list[bytes]:
    """The samples of a target, whose form need not be one that is written."""
    form = READERS[target].form
    found = [data for name, data in SAMPLES.items() if name.endswith(f".{form}")]
    return [dressed(target, data.decode()) for data in found] if target in DRESSED else found


DRESSED = "html", "xlsx"


def dressed(target: str, text: str) -> bytes:
    """A table of CSV as a page, or as the parts of a workbook."""
    mark = max(",;\t", key=text.count)
    rows = [
        [html.escape(cell) for cell in row] for row in csv.reader(text.splitlines(), delimiter=mark)
    ]
    if target == "html":
        lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
        return (
            f"<html><h2>Cup</h2><table><tr>{'</tr><tr>'.join(lines)}</tr></table></html>".encode()
        )
    strings = list(dict.fromkeys(cell for row in rows for cell in row if not cell.isdecimal()))
    kinds = {cell: f'<c t="s"><v>{number}</v></c>' for number, cell in enumerate(strings)}
    lines = ("".join(kinds.get(cell) or f"<c><v>{cell}</v></c>" for cell in row) for row in rows)
    sheet = f"<sheetData><row>{'</row><row>'.join(lines)}</row></sheetData>"
    shared = f"<sst>{''.join(f'<si><t>{cell}</t></si>' for cell in strings)}</sst>"
    styles = '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'
    return TABLES.join(part.encode() for part in (sheet, shared, styles))


def seeds(target: str) -> Iterator[bytes]:
    """The samples of a target, and small events in its forms."""
    if target == "written":
        yield from (bytes([number]) for number in range(10))
    elif target == "packed":
        yield from (gzip.compress(data, mtime=0) for data in SAMPLES.values())
    else:
        yield from samples(target)
        for number in range(40):
            yield from written(READERS[target].form, random.Random(number))


def other(target: str, data: bytes, size: int, seed: int) -> bytes:
    """Other bytes: changed by libFuzzer, or an event's file with one change or none."""
    rng = random.Random(seed)
    made = [] if rng.random() < 0.2 else [*written(READERS[target].form, rng)] or samples(target)
    if not made:
        return atheris.Mutate(data, size)
    chosen = rng.choice(made)
    return (changed(chosen, rng, 1) if rng.random() < 0.5 else chosen)[:size]


def main() -> None:
    """Fuzz a target, or write its seeds."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target not in TARGETS:
        sys.exit(f"usage: readers.py {{{','.join(TARGETS)}}} [--seeds FOLDER | libFuzzer options]")
    if sys.argv[2:3] == ["--seeds"]:
        for number, data in enumerate(seeds(target)):
            (Path(sys.argv[3]) / f"seed-{number}").write_bytes(data)
        return
    arguments = [sys.argv[0], *sys.argv[2:]]
    if target in ("packed", "written"):
        atheris.Setup(arguments, partial(check, target))
    else:
        atheris.Setup(arguments, partial(check, target), custom_mutator=partial(other, target))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
