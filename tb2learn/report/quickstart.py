"""The main job with one command: train, assess, export, compare the real Olympiad, report."""

from __future__ import annotations

import textwrap
import time
from dataclasses import replace
from pathlib import Path

from tb2learn.assessment.error_rates import Assessment, assess, compared
from tb2learn.assessment.references import find_judged
from tb2learn.config import load_config
from tb2learn.disk import files
from tb2learn.events import Comparison, read_event
from tb2learn.export.error_words import errors_of_hundred, that_reach
from tb2learn.export.result import WIDTH
from tb2learn.export.table import table_csv, table_json
from tb2learn.limits import DEFAULT_WORLD
from tb2learn.report import pages
from tb2learn.report.compared import compare_event
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.library import LEARNED
from tb2learn.training import checkpoint

EVENT, TITLE = "baku2016", "Baku 2016"

_NAME = "quickstart"
_TOP = "30"
"""The ties of which the last lines speak, as `error_rates` calls them."""


def quickstart(
    folder: Path, events: int, assessed: int, seed: int, *, program: str = "tb2learn"
) -> list[str]:
    """Run the main job, with progress bars on standard error.

    **Arguments:**

    - `folder`: where the report, the checkpoint and the tables go.
    - `events`: simulated events to train on.
    - `assessed`: fresh events that rules are judged on.
    - `seed`: of all random numbers.
    - `program`: how the shell that reads the last lines calls the command.

    **Returns:** what came out, in seven lines.
    """
    # Minutes of work must not be lost to a folder that cannot be written.
    files.check_folder(folder)
    timings: dict[str, float] = {}
    clock = time.perf_counter()

    def lap(name: str) -> None:
        nonlocal clock
        timings[name], clock = time.perf_counter() - clock, time.perf_counter()

    config = load_config(DEFAULT_WORLD)
    # An eighth more events, which training never sees, says how well it fits.
    held_out = max(1, events // 8)
    plan = replace(config.train, objective="decisions", events=events, held_out=held_out, seed=seed)
    trained = checkpoint.train(replace(config, train=plan), _NAME, progress=True)
    checkpoint.save(trained, folder)
    lap("train")

    surface = trained.difficulty()
    assert surface
    # The new table last: it is compared with the first, the rule in use.
    rules = [*find_judged([LEARNED], config.setting), surface.rule(), trained.rule()]
    judged = assess(config, rules, assessed, seed, progress=Progress("assess"))
    lap("assess")

    event = read_event(EVENT)
    compared = compare_event(event, trained.rule(event.rounds))
    files.write_text(folder / "table.csv", table_csv(trained.rule()))
    files.write_text(folder / "table.json", table_json(trained.rule()))
    files.write_text(folder / f"{EVENT}.csv", compared.tables.csv())
    page = pages.quickstart_page(trained, [judged], compared, timings)
    files.write_text(folder / "index.html", page)
    size = config.event
    return [
        f"Trained on {events:,} simulated Olympiads of {size.teams} teams and {size.rounds} "
        f"rounds, judged on {assessed:,} others.",
        *_errors(judged),
        _places(compared.comparison),
        f"The page to open:  {folder / 'index.html'}",
        f"For your league:   {program} train --teams 60 --rounds 9 --boards 4 --name my-60x9",
        f"For your event:    {program} compare my-event.trf --tiebreak {folder / _NAME}.npz",
    ]


def _errors(judged: Assessment) -> list[str]:
    """What the new table and FIDE's rule decide wrongly, in two lines."""
    found = replace(compared(judged.frame, _NAME, _TOP), of="the new table")
    return textwrap.wrap(f"{errors_of_hundred(found, that_reach(_TOP))}.", WIDTH)


def _places(found: Comparison) -> str:
    """How many teams have another place in the real event, and the two that move most."""
    moved = [team for team in found.teams if team.up]
    movers = " and ".join(
        f"{team.team} ({team.old.place} to {team.new.place})" for team in found.movers[:2]
    )
    of = f"In {TITLE} {len(moved)} of {len(found.teams)} teams have another place"
    return f"{of}, most of all {movers}." if movers else f"{of}."
