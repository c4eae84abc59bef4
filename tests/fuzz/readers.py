"""Coverage-guided fuzzing of the readers of events.

    pip install atheris
    mkdir -p /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn --seeds /tmp/corpus-pgn
    python tests/fuzz/readers.py pgn /tmp/corpus-pgn -max_total_time=3600 -rss_limit_mb=4096

Targets are the formats of the registry, each also with `strict-` before it, and `packed`;
everything after the target goes to libFuzzer, whose corpus grows in the folder named. What must
hold for any bytes:

- they are read, or refused with an `InputError` in one line of at most 500 characters, in less than
  `SECONDS` of processor time;
- an event that was read can be scored and ranked;
- it can be written in every form, and what was written is read as the same event but for the losses
  that are named, or either is refused in one line.

A run that ends without a crash found nothing. A finding is kept as a file `crash-...` in the
current directory, and runs again with `python tests/fuzz/readers.py TARGET FILE`.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
with atheris.instrument_imports(include=["tb2learn.events"]):
    from format_samples import SAMPLES, kept_but_for_losses, read_or_refused

    from tb2learn.events import Reading, rank
    from tb2learn.events.formats import registry
    from tb2learn.tiebreaks.rules import product_table

SECONDS = 2.0
TABLES = b"\n====\n"
"""Stands between the tables of a folder, which come in the order of the registry."""
RANKED = 6, 3
"""Teams and rounds up to which events are ranked: every other size is compiled once more."""
READERS = {
    **{f"strict-{name}": Reading(strict=True, form=name) for name in registry.names()},
    **{name: Reading(form=name, trust_points=name == "trf") for name in registry.names()},
    "packed": Reading(),
}


def check(target: str, data: bytes) -> None:
    """What must hold of a file with these bytes."""
    content: bytes | dict[str, bytes] = data
    if READERS[target].form == "csv":
        names = registry.of_folders().files
        content = {n: d for n, d in zip(names, data.split(TABLES), strict=False) if d}
    start = time.process_time()
    (event,) = read_or_refused(content, "fuzz", READERS[target])
    assert time.process_time() - start < SECONDS, "too slow"
    if event is None:
        return
    if len(event.teams) <= RANKED[0] and event.rounds <= RANKED[1]:
        rank(event, product_table(event.rounds, event.boards))
    for form in registry.forms():
        kept_but_for_losses(event, form)


def seeds(target: str) -> Iterator[bytes]:
    """The samples of a target."""
    form = READERS[target].form
    for name, data in SAMPLES.items():
        if target == "packed":
            yield gzip.compress(data, mtime=0)
        elif name.endswith(f".{form}"):
            yield data


def main() -> None:
    """Fuzz a target, or write its seeds."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target not in READERS:
        sys.exit(f"usage: readers.py {{{','.join(READERS)}}} [--seeds FOLDER | libFuzzer options]")
    if sys.argv[2:3] == ["--seeds"]:
        for number, data in enumerate(seeds(target)):
            (Path(sys.argv[3]) / f"seed-{number}").write_bytes(data)
        return
    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda data: check(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
