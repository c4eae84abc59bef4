"""Write checkpoints of earlier versions in the form of this one.

`python -m tb2learn.training.convert FOLDER` reads every checkpoint of a folder and writes it again,
each to the file that it was read from: two files become one. Tables of fewer passes, which are
parts of the longest, are removed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tb2learn.text import shown
from tb2learn.training import checkpoint
from tb2learn.types import InputError


def convert(folder: Path) -> list[Path]:
    """Write all checkpoints of a folder in the present form.

    **Returns:** the files that there are now.

    **Raises:** `InputError` for a folder without checkpoints, or naming a file that is damaged, or
    a table of fewer passes that is not the beginning of the longer one; nothing is changed then.
    """
    found = {path: checkpoint.load(path) for path in sorted(folder.glob("*.npz"))}
    if not found:
        raise InputError(f"{shown(str(folder))}: must be a folder with checkpoints (.npz)")
    parts = {
        path.with_name(f"{part.name}.npz"): part
        for path, whole in found.items()
        if path.stem == whole.name  # a copy under another name has its parts elsewhere
        for part in whole.shorter_tables()
    }
    for path in found.keys() & parts.keys():
        if not checkpoint.is_same_rule(found[path], parts[path]):
            raise InputError(f"{path}: not the beginning of the longer table")
    return [checkpoint.write(one, path) for path, one in found.items() if path not in parts]


if __name__ == "__main__":
    try:
        print(*convert(Path(sys.argv[1] if len(sys.argv) > 1 else "checkpoints")), sep="\n")
    except InputError as error:
        print(f"tb2learn: error: {error}", file=sys.stderr)
        sys.exit(2)
