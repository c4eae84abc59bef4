"""The main job with one command: train, assess, export, compare the real Olympiad, report."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from tb2learn.assessment import Protocol
from tb2learn.assessment.evidence import assess
from tb2learn.assessment.references import find_judged
from tb2learn.config import load_config
from tb2learn.disk import files
from tb2learn.events import read_event
from tb2learn.export.table import table_csv, table_json
from tb2learn.report import pages
from tb2learn.report.compared import compare_event
from tb2learn.simulation.run import Progress
from tb2learn.training import checkpoint

CONFIG = "olympiad-180x11"
SHIPPED = ("formula-180x11", "learned-180x11")
EVENT = "baku2016"


def quickstart(folder: Path, events: int, assessed: int, seed: int) -> Path:
    """Run the main job, with progress bars on standard error.

    **Arguments:**

    - `folder`: where the report and the tables go.
    - `events`: simulated events to train on.
    - `assessed`: fresh events of the single-event protocol; the thesis protocol gets a quarter.
    - `seed`: of all random numbers.

    **Returns:** the path of the report, `folder/index.html`.
    """
    # Minutes of work must not be lost to a folder that cannot be written.
    files.check_folder(folder)
    timings: dict[str, float] = {}
    clock = time.perf_counter()

    def lap(name: str) -> None:
        nonlocal clock
        timings[name], clock = time.perf_counter() - clock, time.perf_counter()

    config = load_config(CONFIG)
    # An eighth more events, which training never sees, says how well it fits.
    plan = replace(config.train, events=events, held_out=max(1, events // 8), seed=seed)
    trained = checkpoint.train(replace(config, train=plan), "quickstart", progress=True)
    checkpoint.save(trained, folder)
    lap("train")

    # The new table last: it is compared with the first, the rule in use.
    rules = [*find_judged(SHIPPED, config), trained.rule()]
    numbers: dict[Protocol, int] = {"single": assessed, "thesis": max(1, assessed // 4)}
    judged = [
        assess(
            *(config, rules, number, seed, protocol),
            # How much rounding to whole points costs is measured once.
            unrounded=trained.unrounded() if protocol == "single" else None,
            progress=Progress(f"assess: {protocol}"),
        )
        for protocol, number in numbers.items()
    ]
    lap("assess")

    event = read_event(EVENT)
    compared = compare_event(event, trained.rule(event.rounds))
    files.write_text(folder / "table.csv", table_csv(trained.rule()))
    files.write_text(folder / "table.json", table_json(trained.rule()))
    files.write_text(folder / f"{EVENT}.csv", compared.tables.csv())
    page = pages.quickstart_page(trained, judged, compared, timings)
    files.write_text(folder / "index.html", page)
    return folder / "index.html"
