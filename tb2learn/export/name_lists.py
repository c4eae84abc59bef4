"""Names that commands and functions take, and their meanings; read without NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tb2learn.events.files import registry
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.limits import DEFAULT_WORLD
from tb2learn.tiebreaks.library import ENTRIES, FORMULA, LEARNED, LIBRARY, PRODUCT, TABLES

if TYPE_CHECKING:
    from tb2learn.export.result import Table

_PACKAGE = Path(__file__).parents[1]


def committed(folder: str, suffix: str) -> Iterator[str]:
    """Names of the committed checkpoints or configurations: files of `folder` with `suffix`."""
    # The user's own folder first; then an installed package; then a checkout.
    for place in (Path(), _PACKAGE, _PACKAGE.parent):
        yield from (path.stem for path in (place / folder).glob(f"*{suffix}"))


def configurations() -> Iterator[str]:
    """Names of the committed worlds and recipes, and of the user's own configurations."""
    for folder in ("configs/worlds", "configs/recipes", "configs"):
        yield from committed(folder, ".toml")


def packaged_events() -> Iterator[str]:
    """Names of the packaged events."""
    # An event is a folder with matches.
    yield from (path.parent.name for path in (_PACKAGE / "data").glob("*/matches.csv"))


_OWN = {
    PRODUCT: "FIDE's rule of the Olympiad: opponents' match points times game points",
    LEARNED: "the shipped table of the event's boards, or the formula where it was judged better",
    FORMULA: "results above expectation, for any number of boards and rounds",
}
_CUTS = {"": "", "low": " (-cutN)", "both": " (-cutN, -medianN)"}


def _rules() -> Iterator[tuple[str, str]]:
    """Rules, and the committed checkpoints."""
    yield from _OWN.items()
    yield from ((name + _CUTS[entry.cuts], entry.says(False)) for name, entry in LIBRARY.items())
    for name in sorted({*committed("checkpoints", ".npz")}):
        boards = [str(boards) for boards, table in TABLES.items() if table == name]
        stands = f", {LEARNED} on {boards[0]} boards" if boards else ""
        yield name, f"checkpoint{stands}: {_description(name) or f'tb2learn info {name}'}"


def _description(name: str) -> str:
    """That of the configuration which a checkpoint was trained with, if it is committed, too."""
    from tb2learn.config import NotFound, load_config

    try:
        return load_config(name).description
    except NotFound:
        return ""


def _tiebreaks() -> Iterator[tuple[str, str]]:
    """Criteria of `--tiebreaks`, with FIDE's codes."""
    for name, entry in ENTRIES.items():
        code = f"{entry.codes[-1]}: " if entry.codes else ""
        # Most tie-breaks are for both.
        whose = {"teams": " Of teams.", "players": " Of players."}.get(entry.known_in, "")
        players = entry.individual or entry.known_in == "players"
        yield name + _CUTS[entry.cuts], f"{code}{entry.says(players)}{whose}"


def _events() -> Iterator[tuple[str, str]]:
    from tb2learn.events import read_event

    for name in sorted(packaged_events()):
        event = read_event(name)
        yield name, f"{event.name}: {len(event.teams)} teams, {event.rounds} rounds"


def _worlds() -> Iterator[tuple[str, str]]:
    """The committed worlds, and the user's own."""
    from tb2learn.config import load_world

    for name in sorted({*committed("configs/worlds", ".toml"), *committed("configs", ".toml")}):
        default = "the default: " if name == DEFAULT_WORLD else ""
        yield name, f"{default}{load_world(name)[0].description}"


def _forms() -> Iterator[tuple[str, str]]:
    """What `convert` writes, and what each form does not hold."""
    for name, (_, form) in registry.forms().items():
        yield name, f"{form.help}; does not hold {form.loses}" if form.loses else form.help


LISTS = {
    "forms": _forms,
    "events": _events,
    "rules": _rules,
    "worlds": _worlds,
    "policies": lambda: iter(SUMMARIES.items()),
    "tiebreaks": _tiebreaks,
}
"""What may be listed, by name."""


def list_table(what: str) -> Table:
    """Names of a kind and their meanings, of `LISTS`."""
    from tb2learn.export.result import Table

    return Table(("name", "meaning"), [*LISTS[what]()])
