"""Train a rule, and keep it with everything that it depends on in two files.

`NAME.npz` holds the arrays, `NAME.json` the readable header with the checksum of the arrays file.
Both are data only: nothing in them is executed, and no path in them is followed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import tb2learn
from tb2learn import files, inputs
from tb2learn.config import Config, check_name, find_file, from_dict
from tb2learn.runs import Run
from tb2learn.simulation.run import Progress
from tb2learn.text import quoted
from tb2learn.training.kinds import KINDS, MOST_NUMBER, ArrayShapes, Checkpoint, summary
from tb2learn.types import InputError

SCHEMA = 1
"""Version of both files."""

MAX_BYTES = 1 << 28
"""Most bytes of the arrays file."""

ENDINGS = (".npz", ".json")
"""Of the names of both files."""


def train(
    config: Config, name: str | None = None, progress: bool = False, run: Run | None = None
) -> Checkpoint:
    """Train a rule on simulated events.

    **Arguments:**

    - `config`: `config.train` says what is fitted, to how many events, of which seed.
    - `name`: of the checkpoint; the configuration's if not given.
    - `progress`: shows progress bars on standard error.
    - `run`: keeps the counts while they grow.

    **Returns:** a `Checkpoint` that depends on `config` and `name` only.
    """
    name = check_name("checkpoint name", name or config.name)
    kind = KINDS[config.train.objective]
    shown = Progress("train" if progress else None, run)
    return kind.train(name, config, tb2learn.__version__, shown)


def all_passes(checkpoint: Checkpoint) -> list[Checkpoint]:
    """A checkpoint, and if it has passes those of the same training with fewer of them."""
    return [checkpoint, *checkpoint.shorter_tables()]


def save(checkpoint: Checkpoint, folder: Path) -> tuple[Path, Path]:
    """Write `NAME.npz` and `NAME.json`, each whole or not at all.

    **Returns:** the two paths.
    """
    data = files.pack_arrays(checkpoint.arrays(), {"schema": SCHEMA, "name": checkpoint.name})
    header = {
        "schema": SCHEMA,
        **summary(checkpoint),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    arrays_path = folder / f"{checkpoint.name}.npz"
    header_path = folder / f"{checkpoint.name}.json"
    files.write_bytes(arrays_path, data)
    files.write_text(header_path, json.dumps(header, indent=2, allow_nan=False) + "\n")
    return arrays_path, header_path


def load(source: str | Path) -> Checkpoint:
    """Read a checkpoint by its path (either file) or the name of a committed one.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    header_path = find_file(
        Path(source).with_suffix(".json") if Path(source).suffix == ".npz" else source,
        "checkpoints",
        ".json",
    )
    text = inputs.read_text(header_path)
    try:
        header = json.loads(text)
        if not isinstance(header, dict) or "schema" not in header:
            raise InputError("not a checkpoint of this program")
        if header["schema"] != SCHEMA:
            raise InputError(f"schema must be {SCHEMA}, got {header['schema']!r}")
        config = from_dict(header["config"])
        known = check_name("name", _text(header, "name")), config, _text(header, "version")
        checksum = _text(header, "sha256")
        kind = KINDS[config.train.objective]
        findings = kind.parse_findings(header, config)
    except KeyError as error:
        raise InputError(f"{header_path}: missing key {error}") from error
    except (InputError, ValueError, TypeError, RecursionError, OverflowError) as error:
        reason = error if isinstance(error, InputError) else "damaged, or not a checkpoint's header"
        raise InputError(f"{header_path}: {reason}") from error

    path = header_path.with_suffix(".npz")
    arrays = _read_arrays(path, checksum, kind.expected_arrays(config))
    return kind.from_files(known, findings, arrays)


def _read_arrays(path: Path, checksum: str, expected: ArrayShapes) -> dict[str, np.ndarray]:
    """Read the arrays file of a checkpoint.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    digest = hashlib.sha256(inputs.read_bytes(path, MAX_BYTES)).hexdigest()
    if digest != checksum:
        header = path.with_suffix(".json").name
        raise InputError(f"{path}: damaged: its checksum is not the one in {header}")
    arrays, _ = files.read_arrays(path)
    for key, (shape, dtype) in expected.items():
        if key not in arrays or arrays[key].shape != shape or arrays[key].dtype != dtype:
            raise InputError(f"{path}: {key} must be {np.dtype(dtype)} of shape {shape}")
        _check_range(f"{path}: {key}", arrays[key])
    return arrays


def _check_range(what: str, array: np.ndarray) -> None:
    """Refuse negative counts, and numbers that are none or too large to calculate with.

    **Raises:** `InputError` naming what is allowed.
    """
    if array.dtype.kind == "i":
        if not ((array >= 0).all() and array.sum(dtype=np.float64) < 2**62):
            raise InputError(f"{what} must be counts, 0 or more, and add up to less than 2^62")
    elif not (np.abs(array) <= MOST_NUMBER).all():  # also refuses NaN
        raise InputError(f"{what} must be within {-MOST_NUMBER:g}..{MOST_NUMBER:g}")


def _text(header: Mapping[str, Any], key: str) -> str:
    """A name, version or checksum of a header.

    **Raises:** `InputError` if it is none.
    """
    text = header[key]
    if not (isinstance(text, str) and text.isprintable() and 1 <= len(text) <= 100):
        raise InputError(f"{key} must be a text of 1..100 characters, got {quoted(str(text)[:99])}")
    return text
