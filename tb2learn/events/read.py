"""Read an event from wherever it is, and write it in another form."""

from __future__ import annotations

import os
from importlib.resources.abc import Traversable
from pathlib import Path

from tb2learn.data import event_folder
from tb2learn.events.folder import read_folder
from tb2learn.events.model import EventData
from tb2learn.events.source import shown


def read_event(source: str | Path) -> EventData:
    """Read an event from a folder or a file, or a packaged one by its name.

    **Arguments:**

    - `source`: a folder with `matches.csv`, or a name such as `baku2016`.

    **Returns:** an `EventData`.

    **Raises:** `InputError`, one line, for anything that is not a possible event.
    """
    # Unlike `Path.is_dir`, `os.path.isdir` answers False to what cannot be a path at all.
    packaged = not os.path.isdir(source)
    folder: Traversable = event_folder(shown(str(source))) if packaged else Path(source)
    return read_folder(folder, str(source) if packaged else Path(source).resolve().name)
