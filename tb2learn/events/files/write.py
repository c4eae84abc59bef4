"""Convert an event to another format."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tb2learn.disk import folders
from tb2learn.disk.files import check_file, write_text
from tb2learn.disk.inputs import is_file, is_folder
from tb2learn.events.files.headings import FILES
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.registry import Form, Format, by_ending, endings, forms, of_folders
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import bye_half_points
from tb2learn.text import printable
from tb2learn.types import InputError

_LONGEST_NAME, _LONGEST_TEAM = 33, 32
"""Characters of the columns of names in both forms of a TRF."""


def convert(
    source: str | Path,
    target: Path,
    form: str | None = None,
    overwrite: bool = False,
    options: Reading | None = None,
) -> tuple[list[Path], tuple[str, ...], tuple[str, ...]]:
    """Read an event and write it in another format.

    A file is written completely or not at all, and so are the tables of a folder together.

    **Arguments:**

    - `source`: anything that `read_event` reads.
    - `target`: a file, or a folder for `csv`.
    - `form`: one of `registry.forms`; None chooses by the ending of the target: `.trf` and `.trfx`
      are TRF26, no ending is a folder.
    - `overwrite`: whether existing files may be replaced.
    - `options`: how the event is read.

    **Returns:** the files written; the notes of the reader; and what the target does not hold:
    parts of the source that no reader takes, and what of the event the form has no place for.

    **Raises:** `InputError` if the event cannot be read or written in that format, or if the target
    exists or is the source.
    """
    file_format, form_to_write = _form(target, form)
    # All is checked before anything is written.
    paths = {name: target / name for name in file_format.files}
    check_file(*paths.values())  # what is no file is never replaced
    refuse_source(source, paths.values())
    for path in paths.values():
        if os.path.lexists(path) and not overwrite:
            raise InputError(f"{printable(str(path))} exists: give another name, or --overwrite")
    in_folder = file_format is of_folders()
    if in_folder:
        folders.check(target, file_format.files)
    event = read_event(source, options)
    content = form_to_write.writes(event)
    # The table that makes it an event folder is written last.
    files = {name: content[name] for name in reversed(paths) if name in content}
    if in_folder:
        folders.replace(target, {n: text.encode() for n, text in files.items()}, file_format.files)
    else:
        write_text(target, *files.values())
    # What the target cannot hold is said, so that nobody deletes the source.
    left_alone = [f"{part} of {printable(str(source))}" for part in event.left_alone]
    if event.open and not (in_folder or event.individual):
        left_alone.append("matches without a result")
    return (
        [paths[name] for name in files],
        event.notes,
        (
            *left_alone,
            *(_lost(event, form_to_write) if form_to_write.loses else ()),
            *[f"the pairs of round {event.rounds + 1}"] * bool(event.drawn and not in_folder),
        ),
    )


def refuse_source(source: str | Path, targets: Iterable[Path]) -> None:
    """Refuse to write over what is read, under whatever name, as a form may not hold all of it.

    **Raises:** `InputError` naming the target.
    """
    # A table of a folder stands for all of them.
    folder = Path(source) if is_folder(source) else Path(source).parent
    tables = [folder / name for name in FILES]
    read = tables if is_folder(source) or Path(source) in tables else [Path(source)]
    for target in filter(is_file, targets):
        if any(is_file(path) and os.path.samefile(path, target) for path in read):
            raise InputError(f"{printable(str(target))}: is read: give the output another name")


def _lost(event: TeamEvent, form: Form) -> list[str]:
    """What of an event a TRF cannot hold, as far as the event has it."""
    old = form is forms()["trf16"][1]
    ratings = {n: player.rating for n, player in enumerate(event.players)}
    seats = [side for game in event.games for side in game.sides]
    by_round: dict[int, list[tuple[int, int]]] = {}
    for match in event.matches:
        if match.team_b is not None:
            by_round.setdefault(match.round, []).append((match.number, min(match.teams)))
    byes = [match for match in event.matches if match.team_b is None]
    usual = [
        match.match_points_a is None and match.half_points_a == bye_half_points(match.bye, boards)
        for boards in [1 if event.individual else event.boards]
        for match in byes
    ]
    played = [match for match in event.matches if match.team_b is not None]
    lost = {
        "names beyond its columns": any(len(p.name) > _LONGEST_NAME for p in event.players)
        or any(len(name) > _LONGEST_TEAM for name in event.teams),
        # A reader numbers the matches of a round by the lower team.
        "match numbers": any(
            [number for number, _ in sorted(of, key=lambda pair: pair[1])]
            != [*range(1, len(of) + 1)]
            for of in by_round.values()
        ),
        "ratings that change from game to game": any(
            side.player is not None and side.rating not in (0, ratings[side.player])
            for side in seats
        ),
        # A letter for a bye is a free day in a round robin, which pays nothing.
        "points of byes": old
        and (
            not all(usual) or (event.system.is_round_robin and any(m.half_points_a for m in byes))
        ),
        "penalties": old and bool(event.penalties),
        "other match points than 2, 1, 0": old
        and any({m.match_points_a, m.match_points_b} != {None} for m in played),
    }
    return [what for what, is_lost in lost.items() if is_lost]


def _form(target: Path, form: str | None) -> tuple[Format, Form]:
    """The format and form that a user names, else those of a folder or of the target's ending."""
    forms_by_name, ending = forms(), target.suffix.lower()
    if form is not None:
        if form not in forms_by_name:
            raise InputError(f"form must be one of {', '.join(forms_by_name)}, got {form!r}")
    elif os.path.isdir(target):
        (form,) = of_folders().forms
    elif ending in by_ending():
        form = by_ending()[ending]
    else:
        raise InputError(
            f"{printable(str(target))}: must end in {endings()}, or have no suffix (a folder); or "
            f"name the form: {', '.join(forms_by_name)}"
        )
    return forms_by_name[form]
