"""The command that calibrates how sure rules are."""

from __future__ import annotations

from pathlib import Path

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import compiles, seeded
from tb2learn.cli.output import show


@arguments.command(
    "tb2learn calibrate learned-180x11",
    "tb2learn calibrate my-60x9 --worlds my-60x9.toml --others my-other-60x9.toml --events 2000",
    "tb2learn calibrate learned-180x11 formula-180x11 --report reports/confidence",
)
@arguments.rules_argument(
    "checkpoints or rules without one; without any, those that are shipped, in every format",
    required=False,
)
@click.option(
    "--worlds",
    type=arguments.listed,
    metavar="CONFIG,...",
    default=None,
    show_default="two with rosters and games of Baku 2016",
    help="configurations in whose mixture the probabilities are fitted",
)
@click.option(
    "--others",
    type=arguments.listed,
    metavar="CONFIG,...",
    default=None,
    show_default="none with --worlds, else three",
    help="further configurations to judge them in",
)
@seeded("simulated events of every world, to fit and again to judge", 4000)
@click.option(
    "--out",
    type=arguments.report_folder("", "confidence"),
    metavar="DIR",
    default="checkpoints",
    help="folder of the checkpoint, for the file in confidence/",
)
@click.option(
    "--report",
    type=arguments.report_folder("README.md"),
    metavar="DIR",
    help="also write a report with a reliability diagram",
)
@compiles()
def calibrate(
    rules: tuple[str, ...],
    worlds: list[str] | None,
    others: list[str] | None,
    events: int,
    seed: int,
    out: str,
    report: str | None,
) -> None:
    """Fit how sure a rule's order of two tied teams is.

    Plays events, counts how often the higher of two tied scores is that of the better team, and
    writes a file with one constant a number of own match points. `rank --confidence` uses it.
    """
    from tb2learn.disk import files
    from tb2learn.studies.registry import STUDIES
    from tb2learn.studies.reports import measured, write

    files.check_folder(Path(out) / "confidence")
    study, folder = STUDIES["confidence"], Path(report) if report else None
    asked = {"rules": rules, "worlds": worlds, "others": others}
    frames = measured(study, folder, **asked, events=events, seed=seed)
    for one in frames["saved"].to_dict("records"):
        path = Path(out) / "confidence" / f"{one['name']}.json"
        files.write_text(path, one["text"])
        show(f"{path}\n")
    if folder:
        show(f"{write(study, folder, frames)}\n")
