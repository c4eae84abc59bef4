"""Train a rule, and keep it with everything that it depends on in one file.

`NAME.npz` holds the arrays and a header, both under a checksum. It is data only: nothing in it is
executed, and no path in it is followed. As it is one file, it is replaced in one step. Tables of
fewer passes need no files: they are parts of the longest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tb2learn.config import Config, NotFound, check_name, find_file, from_dict
from tb2learn.disk import files
from tb2learn.text import quoted
from tb2learn.training.objectives import KINDS, Checkpoint, check_plan, summary
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

    from tb2learn.simulation.simulate import Progress

    name = check_name("checkpoint name", name or config.name)
    if config.train.objective == "decisions":  # the shorter tables have such names
        check_name("checkpoint name", f"{name}-pass{config.decisions.passes}")
    config.event.check_one_table("training")
    shown = Progress("train" if progress else None, run)
    # On more threads, linear algebra may round otherwise.
    with threadpool_limits(1, user_api="blas"):
        trained = KINDS[config.train.objective].train(config, shown)
    return Checkpoint(name, config, NUMBERS, *trained)


def save(checkpoint: Checkpoint, folder: Path) -> Path:
    """Write `NAME.npz` in a folder, whole or not at all.

    **Returns:** its path.

    **Raises:** `InputError` if it cannot be written.
    """
    path = folder / f"{checkpoint.name}.npz"
    files.write_arrays(path, checkpoint.arrays, {"schema": SCHEMA, **summary(checkpoint)})
    return path


def load(source: str | Path) -> Checkpoint:
    """Read a checkpoint by its path or the name of a committed one.

    `NAME-pass1` is the table after the first pass of `NAME`, unless there is a checkpoint of this
    name.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    asked = Path(source)
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
    arrays, header = files.read_arrays(path)
    try:
        if header.get("schema") != SCHEMA:
            raise InputError(f"schema must be {SCHEMA}, got {header.get('schema')!r}")
        config = from_dict(header["config"])
        name = check_name("name", _text(header, "name"))
        check_plan(header, config)
        findings = KINDS[config.train.objective].from_file(config, header, arrays)
        return Checkpoint(name, config, _text(header, "version"), arrays, findings)
    except KeyError as error:
        raise InputError(f"{path}: missing key {error}") from error
    except (InputError, ValueError, TypeError, RecursionError, OverflowError) as error:
        reason = error if isinstance(error, InputError) else "damaged, or not a checkpoint's header"
        raise InputError(f"{path}: {reason}") from error


def _text(header: Mapping[str, Any], key: str) -> str:
    """A name or version of a header.

    **Raises:** `InputError` if it is none.
    """
    text = header[key]
    if not (isinstance(text, str) and text.isprintable() and 1 <= len(text) <= 100):
        raise InputError(f"{key} must be a text of 1..100 characters, got {quoted(str(text)[:99])}")
    return text
