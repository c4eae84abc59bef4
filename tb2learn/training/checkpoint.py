"""Train a rule, and keep it with everything that it depends on in one file.

`NAME.npz` holds the arrays and a header, both under a checksum. It is data only: nothing in it is
executed, and no path in it is followed. As it is one file, it is replaced in one step. Tables of
fewer passes need no files: they are parts of the longest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tb2learn.config import Config, NotFound, check_name, find_file, from_dict
from tb2learn.disk import files
from tb2learn.text import quoted
from tb2learn.training import old_form
from tb2learn.training.kinds import KINDS, MOST_NUMBER, ArrayShapes, Checkpoint, check_plan, summary
from tb2learn.types import InputError
from tb2learn.version import NUMBERS

if TYPE_CHECKING:
    from tb2learn.running.runs import Run

SCHEMA = 2
"""Version of the file."""


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

    **Raises:** `InputError` for events that are not ranked in one table.
    """
    from threadpoolctl import threadpool_limits

    from tb2learn.simulation.run import Progress

    name = check_name("checkpoint name", name or config.name)
    config.event.check_one_table("training")
    kind = KINDS[config.train.objective]
    shown = Progress("train" if progress else None, run)
    # On more threads, linear algebra may round otherwise.
    with threadpool_limits(1, user_api="blas"):
        return kind.train(name, config, NUMBERS, shown)


def save(checkpoint: Checkpoint, folder: Path) -> Path:
    """Write `NAME.npz` in a folder; see `write`.

    **Returns:** its path.
    """
    return write(checkpoint, folder / f"{checkpoint.name}.npz")


def write(checkpoint: Checkpoint, path: Path) -> Path:
    """Write the file of a checkpoint, whole or not at all.

    Then earlier forms of the same are removed, if their contents say that they are such: the header
    in `NAME.json` that belongs to the file replaced (see `old_form`), and tables of fewer passes
    that are the beginning of this checkpoint or of the one replaced. Others are left, see
    `left_beside`.

    **Returns:** its path.

    **Raises:** `InputError` if it cannot be written; then nothing is removed.
    """
    superseded = [*_old_header(path), *_shorter_files(checkpoint, path)]
    files.write_arrays(path, checkpoint.arrays(), {"schema": SCHEMA, **summary(checkpoint)})
    for old in superseded:
        old.unlink(missing_ok=True)
    return path


def left_beside(checkpoint: Checkpoint, path: Path) -> list[Path]:
    """The files beside a checkpoint that have names of its earlier forms, but are none of them."""
    parts = [path.with_name(f"{part.name}.npz") for part in checkpoint.shorter_tables()]
    named = [path.with_suffix(".json"), *parts, *(part.with_suffix(".json") for part in parts)]
    return [one for one in named if os.path.lexists(one)]


def _old_header(path: Path) -> list[Path]:
    """`NAME.json`, if it is the header of the checkpoint in two files at a path."""
    try:
        files.read_arrays(path)
    except files.NoChecksum:
        try:
            old_form.read(path)
        except InputError:
            return []
        return [path.with_suffix(".json")]
    except InputError:
        pass
    return []


def _shorter_files(checkpoint: Checkpoint, path: Path) -> list[Path]:
    """Files of tables that are the first passes of a checkpoint, or of the one at its path."""
    if path.stem != checkpoint.name:
        return []
    found: list[Path] = []
    for part in checkpoint.shorter_tables():
        beside = path.with_name(f"{part.name}.npz")
        old = _read_or_none(beside)
        if old is None or old.name != part.name:
            continue
        replaced = _read_or_none(path)
        parts = [part, *(replaced.shorter_tables() if replaced else ())]
        if any(old.name == one.name and is_same_rule(old, one) for one in parts):
            found += [beside, *_old_header(beside)]
    return found


def is_same_rule(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two checkpoints make the same rule."""
    return one.rule().digest() == other.rule().digest()


def _read_or_none(path: Path) -> Checkpoint | None:
    """The checkpoint in a file; None if there is none that can be read."""
    try:
        return _read(path)
    except InputError:
        return None


def load(source: str | Path) -> Checkpoint:
    """Read a checkpoint by its path or the name of a committed one.

    `NAME-pass1` is the table after the first pass of `NAME`, unless there is a checkpoint of this
    name.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    asked = Path(source).with_suffix(".npz") if Path(source).suffix == ".json" else Path(source)
    try:
        return _read(find_file(asked, "checkpoints", ".npz"))
    except NotFound as error:
        longer = re.fullmatch(r"(.+)-pass([1-9][0-9]?)", asked.name.removesuffix(".npz"))
        if longer is None:
            raise
        try:
            whole = load(asked.with_name(longer[1] + asked.suffix))
        except NotFound:
            raise error from None
        parts = {part.name: part for part in whole.shorter_tables()}
        wanted = f"{whole.name}-pass{longer[2]}"
        if wanted not in parts:
            has = ", ".join(parts) or "no table of fewer passes"
            raise NotFound(f"{source}: {whole.name} has {has}") from None
        return parts[wanted]


def _read(path: Path) -> Checkpoint:
    """The checkpoint in a file."""
    try:
        arrays, header = files.read_arrays(path)
        if header.get("schema") != SCHEMA:
            raise InputError(f"{path}: schema must be {SCHEMA}, got {header.get('schema')!r}")
    except files.NoChecksum:
        arrays, header = old_form.read(path)
    try:
        config = from_dict(header["config"])
        known = check_name("name", _text(header, "name")), config, _text(header, "version")
        kind = KINDS[config.train.objective]
        check_plan(header, config)
        _check_arrays(arrays, kind.expected_arrays(config))
        return kind.from_files(known, header, arrays)
    except KeyError as error:
        raise InputError(f"{path}: missing key {error}") from error
    except (InputError, ValueError, TypeError, RecursionError, OverflowError) as error:
        reason = error if isinstance(error, InputError) else "damaged, or not a checkpoint's header"
        raise InputError(f"{path}: {reason}") from error


def _check_arrays(arrays: dict[str, np.ndarray], expected: ArrayShapes) -> None:
    """Check that all arrays of a checkpoint are there and can be calculated with.

    **Raises:** `InputError`, one line naming the array and what is allowed.
    """
    for key, (shape, dtype) in expected.items():
        if key not in arrays or arrays[key].shape != shape or arrays[key].dtype != dtype:
            raise InputError(f"{key} must be {np.dtype(dtype)} of shape {shape}")
        array = arrays[key]
        if array.dtype.kind == "i":
            if not ((array >= 0).all() and array.sum(dtype=np.float64) < 2**62):
                raise InputError(f"{key} must be counts, 0 or more, and add up to less than 2^62")
        elif not (np.abs(array) <= MOST_NUMBER).all():  # also refuses NaN
            raise InputError(f"{key} must be within {-MOST_NUMBER:g}..{MOST_NUMBER:g}")


def _text(header: Mapping[str, Any], key: str) -> str:
    """A name or version of a header.

    **Raises:** `InputError` if it is none.
    """
    text = header[key]
    if not (isinstance(text, str) and text.isprintable() and 1 <= len(text) <= 100):
        raise InputError(f"{key} must be a text of 1..100 characters, got {quoted(str(text)[:99])}")
    return text
