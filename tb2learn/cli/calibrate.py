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
@click.argument(
    "rules",
    type=arguments.RULE,
    nargs=-1,
    metavar="[RULE]...",
    help="checkpoints or rules without one; without any, those that are shipped, in every format",
)
@click.option(
    "--worlds",
    metavar="CONFIG,...",
    default=None,
    show_default="two with rosters and games of Baku 2016",
    help="configurations in whose mixture the probabilities are fitted",
)
@click.option(
    "--others",
    metavar="CONFIG,...",
    default=None,
    show_default="none with --worlds, else three",
    help="further configurations to judge them in",
)
@seeded("simulated events of every world, to fit and again to judge", 4000)
@click.option(
    "--out",
    metavar="DIR",
    default="checkpoints",
    help="folder of the checkpoint, for the file in confidence/",
)
@click.option("--report", metavar="DIR", help="also write a report with a reliability diagram")
@compiles()
def calibrate(
    rules: tuple[str, ...],
    worlds: str | None,
    others: str | None,
    events: int,
    seed: int,
    out: str,
    report: str | None,
) -> None:
    """Fit how sure a rule's order of two tied teams is.

    Plays events, counts how often the higher of two tied scores is that of the better team, and
    writes a file with one constant a number of own match points. `rank --confidence` uses it.
    """
    from tb2learn import files
    from tb2learn.studies import confidence

    files.check_folder(Path(out))
    first = confidence.SHIPPED[0]
    if rules or worlds or others:
        chosen = worlds.split(",") if worlds else first.worlds
        further = others.split(",") if others else () if worlds else first.others
        sets = [(rules or first.rules, chosen, further)]
    else:
        sets = [(one.rules, one.worlds, one.others) for one in confidence.SHIPPED]
    found = []
    for one in sets:
        found += confidence.calibrate(*one, events, seed, progress=True)
    for calibration in found:
        show(f"{confidence.save_confidence(calibration, Path(out))}\n")
    if report:
        show(f"{confidence.write_report(Path(report), found, events, seed)}\n")
