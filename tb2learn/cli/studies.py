"""Commands that write reports: quickstart, the studies, and the thesis reproduced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import (
    Group,
    RulesCommand,
    command,
    compiles,
    out,
    plays,
    seeded,
    several,
)
from tb2learn.cli.events import say_event_notes
from tb2learn.cli.output import show
from tb2learn.studies.registry import STUDIES

if TYPE_CHECKING:
    from tb2learn.studies.study import Option, Study

_KINDS = {
    "events": (arguments.EVENTS, "N"),
    "seed": (arguments.SEED, "S"),
    "event": (arguments.EVENT, "EVENT"),
    "rule": (arguments.RULE, "RULE ..."),
    "file": (arguments.output_file, "FILE"),
}
"""Types of options of studies, and what stands for a value in the help."""


def _option(one: Option) -> arguments.Decorator:
    """An option or an argument of a study."""
    if one.kind == "flag":
        return arguments.flag(f"--{one.name}", one.help)
    kind, metavar = _KINDS[one.kind]
    if one.argument:
        told = "; ".join(filter(None, (arguments.EVENT_HELP, one.help)))
        metavar, number = (f"[{metavar}]...", -1) if one.many else (metavar, 1)
        return click.argument(one.name, type=kind, nargs=number, metavar=metavar, help=told)
    return click.option(
        f"--{one.name}",
        type=kind,
        multiple=one.many,
        default=one.default,
        show_default=one.shown or True,
        metavar=metavar,
        help=one.help,
    )


def _command(study: Study) -> click.Command:
    """The command of a study. It prints the path of the report, and notes on an event it read."""

    def run(out: str, **given: Any) -> None:
        from tb2learn.events import read_event
        from tb2learn.studies.reports import make

        read = [one.name for one in study.options if one.kind == "event" and not one.many]
        given |= {name: read_event(given[name]) for name in read}
        path = make(study, Path(out), **given)
        for name in read:
            say_event_notes(given[name])
        show(f"{path}\n")

    options = [*map(_option, study.options), out(study.out)]
    if study.plays or study.compiles:
        options.append(plays if study.plays else compiles)
    rules = any(one.kind == "rule" for one in study.options)
    kind = RulesCommand if rules else arguments.Command
    made = command(*study.examples, name=study.command.split()[-1], help=study.help, cls=kind)
    return made(several(*options)(run))


leaderboard, robustness = (_command(STUDIES[name]) for name in ("leaderboard", "robustness"))

_OF_GROUP = [one for one in STUDIES.values() if one.command == f"study {one.name}"]


@click.group(
    cls=Group,
    no_args_is_help=False,
    commands=[_command(one) for one in _OF_GROUP],
    examples=[one.examples[0] for one in _OF_GROUP],
)
def study() -> None:
    """Studies: of the literature, repeated, and of the rules.

    Each writes a report with figures and prints its path.
    """


@command("tb2learn reproduce thesis", "tb2learn reproduce thesis --out reports/thesis.md")
@click.argument("what", type=click.Choice(["thesis"]), help="what is reproduced")
@seeded("simulated events in the log")
@arguments.assessed(1000, "events of the assessment")
@arguments.out_file(None, "also write it to a file, with its figure and a CSV beside it")
@plays
def reproduce(
    what: str, events: int | None, seed: int | None, assessed: int, out: str | None
) -> None:
    """Recompute the printed figures of the thesis."""
    from tb2learn.studies.reports import measured, text, write

    told, path = STUDIES[what], Path(out) if out else None
    frames = measured(told, path, events=events, seed=seed, assessed=assessed)
    if path:
        write(told, path, frames)
    show(text(told, frames))
