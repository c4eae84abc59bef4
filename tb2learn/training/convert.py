"""Write checkpoints of earlier versions in the form of this one.

`python -m tb2learn.training.convert FOLDER` reads every checkpoint of a folder and writes it again:
two files become one, and tables of fewer passes, which are parts of the longest, are removed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tb2learn.training import checkpoint
from tb2learn.types import InputError


def convert(folder: Path) -> list[Path]:
    """Write all checkpoints of a folder in the present form.

    **Returns:** the files that there are now.

    **Raises:** `InputError` naming a file that is damaged, or a table of fewer passes that is not
    the beginning of the longer one; nothing is changed then.
    """
    found = {path.stem: checkpoint.load(path) for path in sorted(folder.glob("*.npz"))}
    shorter = {part.name: part for whole in found.values() for part in whole.shorter_tables()}
    for name in found.keys() & shorter.keys():
        if found[name].rule().digest() != shorter[name].rule().digest():
            raise InputError(f"{folder / name}.npz: not the beginning of the longer table")
    return [checkpoint.save(one, folder) for name, one in found.items() if name not in shorter]


if __name__ == "__main__":
    try:
        print(*convert(Path(sys.argv[1] if len(sys.argv) > 1 else "checkpoints")), sep="\n")
    except InputError as error:
        sys.exit(f"tb2learn: error: {error}")
