"""Files that are shipped, by their names, and those of the working folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tb2learn.disk import inputs
from tb2learn.limits import RENAMED
from tb2learn.text import did_you_mean, named
from tb2learn.types import InputError, check_type


class NotFound(InputError):
    """No file of this name, and no committed configuration or checkpoint either.

    **Fields:** `known`: the names of the committed ones, if these were looked through.
    """

    def __init__(self, message: str, known: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.known = tuple(known)


def find_file(source: str | Path, folder: str, suffix: str, parts: Sequence[str] = ("",)) -> Path:
    """The file `source`, or the committed file of that name in `folder` (`configs`, `checkpoints`).

    **Arguments:** `parts`: folders in `folder` that committed files are looked for in, in order.

    A bare name is looked up in the `folder` of the installed package or the checkout first, then in
    the working directory's: what is shipped keeps its name wherever a command runs. Names of
    earlier versions are taken, too.

    **Raises:** `NotFound` listing the known names if there is no such file.
    """
    check_type(folder[:-1], source, "a path or a name", str, Path)
    path, places = Path(source), [*shipped_places(folder, parts), Path(folder)]
    if path.suffix == suffix and inputs.is_file(path):
        return path
    if path.name == str(source):
        name = path.name.removesuffix(suffix) + suffix
        for place in places:
            if inputs.is_file(place / name):
                return place / name
        # A file that the user gave an old name is found above.
        if (today := RENAMED.get(name.removesuffix(suffix))) is not None:
            return find_file(today, folder, suffix, parts)
    known = sorted({p.stem for place in places for p in place.glob(f"*{suffix}")})
    hint = did_you_mean(path.name[:200].removesuffix(suffix), known)
    raise NotFound(
        f"{named(str(source))}: no such {suffix} file, and no name in {folder}/: "
        f"{', '.join(known) or 'none'}{hint}",
        known,
    )


def place_note(source: str | Path, folder: str, suffix: str) -> str:
    """The note on a bare name of which the working directory's `folder` has a file.

    It names that file: as the one that is used, or as one that only its path would name. Empty for
    a path, and where there is no such file.
    """
    path = Path(source)
    name = path.name.removesuffix(suffix) + suffix
    own = Path(folder) / name
    if path.name != str(source) or not inputs.is_file(own) or inputs.is_file(path):
        return ""
    places = shipped_places(folder)
    shipped = next((place for place in places if inputs.is_file(place / name)), None)
    if shipped is None:
        return f"{path.name} is {own} of the working folder"
    if (shipped / name).samefile(own):
        return ""
    return f"{path.name} is the one that is shipped; {own} is taken only by its path"


def shipped_places(folder: str, parts: Sequence[str] = ("",)) -> list[Path]:
    """Where committed files may be: in the installed package, or in the checkout."""
    package = Path(__file__).parents[1]
    return [place / folder / part for part in parts for place in (package, package.parent)]
