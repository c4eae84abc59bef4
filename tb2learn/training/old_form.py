"""Checkpoints as they were written before version 0.6, in two files.

`NAME.npz` held the arrays, `NAME.json` the header with the checksum of the other file. The header
itself was under no checksum, and a run that was killed between the two writes left files that did
not fit each other. `python -m tb2learn.training.convert FOLDER` makes one file of two.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.disk import files, inputs
from tb2learn.types import InputError

SCHEMA = 1


def read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays and the header of a checkpoint in two files.

    **Arguments:** `path`: of `NAME.npz`; `NAME.json` stands beside it.

    **Raises:** `InputError` naming the file if one of them is missing or damaged, or if they do not
    fit each other.
    """
    header_path = path.with_suffix(".json")
    if not header_path.exists():
        raise InputError(f"{path}: has no checksum, and no header beside it: damaged or edited")
    try:
        header = json.loads(inputs.read_text(header_path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{header_path}: damaged: not a checkpoint's header") from error
    if not isinstance(header, dict) or "schema" not in header:
        raise InputError(f"{header_path}: not a checkpoint of this program")
    if header["schema"] != SCHEMA:
        raise InputError(f"{header_path}: schema must be {SCHEMA}, got {header['schema']!r}")
    data = inputs.read_bytes(path, files.MAX_BYTES)
    if header.get("sha256") != hashlib.sha256(data).hexdigest():
        raise InputError(f"{path}: damaged: its checksum is not the one in {header_path.name}")
    arrays, _, _ = files.unpack_arrays(path, data)
    return arrays, header
