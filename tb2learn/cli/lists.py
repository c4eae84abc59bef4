"""The command that lists names which other commands take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import command, prints
from tb2learn.cli.output import Output
from tb2learn.events.files import registry
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.tiebreaks.library import ENTRIES, FORMULA, LEARNED, LIBRARY, PRODUCT

if TYPE_CHECKING:
    from collections.abc import Iterator

_OWN = {
    PRODUCT: "FIDE's rule of the Olympiad: opponents' match points times game points",
    LEARNED: "the shipped table of the event's boards, or the formula where it was judged better",
    FORMULA: "results above expectation, for any number of boards and rounds",
}
_CUTS = {"": "", "low": " (-cutN)", "both": " (-cutN, -medianN)"}


def _rules() -> Iterator[tuple[str, str]]:
    """Rules, and the committed checkpoints."""
    yield from _OWN.items()
    yield from ((name + _CUTS[one.cuts], one.says(False)) for name, one in LIBRARY.items())
    for name in sorted({*arguments.committed("checkpoints", ".npz")}):
        yield name, f"a checkpoint: tb2learn info {name}"


def _tiebreaks() -> Iterator[tuple[str, str]]:
    """Criteria of `--tiebreaks`, with FIDE's codes."""
    for name, one in ENTRIES.items():
        code = f"{one.codes[-1]}: " if one.codes else ""
        whose = {"teams": " Of teams.", "players": " Of players."}.get(one.known_in, "")
        players = one.individual or one.known_in == "players"
        yield name + _CUTS[one.cuts], f"{code}{one.says(players)}{whose}"


def _events() -> Iterator[tuple[str, str]]:
    from tb2learn.events import read_event

    for name in sorted(arguments.packaged_events()):
        event = read_event(name)
        yield name, f"{event.name}: {len(event.teams)} teams, {event.rounds} rounds"


def _worlds() -> Iterator[tuple[str, str]]:
    """The committed configurations."""
    from tb2learn.config import load_config

    for name in sorted({*arguments.committed("configs", ".toml")}):
        yield name, load_config(name).description


def _forms() -> Iterator[tuple[str, str]]:
    """What `convert` writes, and what each form does not hold."""
    for name, (_, form) in registry.forms().items():
        yield name, f"{form.help}; does not hold {form.loses}" if form.loses else form.help


_LISTS = {
    "forms": _forms,
    "events": _events,
    "rules": _rules,
    "worlds": _worlds,
    "policies": lambda: iter(SUMMARIES.items()),
    "tiebreaks": _tiebreaks,
}


@command("tb2learn list tiebreaks", "tb2learn list policies --format csv", name="list")
@prints()
@click.argument("what", type=click.Choice(tuple(_LISTS)), help="what is listed")
def names(what: str, output: Output) -> None:
    """Names that other commands take, and their meanings.

    Worlds are configurations of simulated events; policies are for unplayed rounds.
    """
    from tb2learn.export.result import Table

    listed = [*_LISTS[what]()]

    def text(width: int | None) -> str:
        formatter = click.HelpFormatter(width=width or 10_000)
        formatter.write_dl(listed)
        return formatter.getvalue()

    output.deliver(Table(("name", "meaning"), listed), text=text)
