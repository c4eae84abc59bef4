"""What a file format is: how it is recognised, read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from tb2learn.events.formats.oddities import Reading
    from tb2learn.events.model import TeamEvent


class Head(NamedTuple):
    """The beginning of a file, by which its format is recognised.

    **Fields:**

    - `data`: its first bytes, at most `source.HEAD`.
    - `text`: the same decoded; empty if they are compressed.
    """

    data: bytes
    text: str


class Written(NamedTuple):
    """An event as text.

    **Fields:**

    - `files`: the content of every file by its name (see `Format.files`).
    - `losses`: what could not be stored, one line per kind of loss.
    """

    files: Mapping[str, str]
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A form in which a format is written.

    **Fields:**

    - `help`: what it is, in one line.
    - `loses`: what of an event it cannot hold, in a few words.
    - `writes`: makes the text of an event; raises `InputError`, one line, if it has no place there.
    """

    help: str
    loses: str
    writes: Callable[[TeamEvent], Written]


@dataclass(frozen=True)
class Format:
    """A file format.

    An entry imports nothing heavy: help and completion load it. What reads and writes is imported
    by the functions that it names.

    **Fields:**

    - `name`: as `--form` has it.
    - `title`: what such a file is, as messages have it, with the article: `a TRF`.
    - `recognises`: whether a file that begins so is of this format; it is shown a few kilobytes.
    - `reads`: the event in a file (or folder), from that, the name of the event if the content
      gives none, and what the user says; raises `InputError`, one line, for any other content.
    - `forms`: what it is written in, by the names that `--to` has, the newest last; none for a
      format that is only read.
    - `endings`: of files that are written in its newest form, in lower case; empty for a folder.
    - `files`: the names of the files in a folder, of which the first must be there and is written
      last; one file alone has the empty name.
    - `of`: whether its events are of teams, of players, or of either.
    - `exact`: whether its content cannot be taken for anything else. If not, a strict reader takes
      a file for one only if the user says so.
    """

    name: str
    title: str
    recognises: Callable[[Head], bool]
    reads: Callable[[Traversable, str, Reading], TeamEvent]
    forms: Mapping[str, Form] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    files: tuple[str, ...] = ("",)
    of: str = "teams or players"
    exact: bool = True
