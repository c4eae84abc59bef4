"""Resumable runs: totals are kept on disk, so that a run can be stopped and resumed.

A run adds up integers over events, stage after stage. One progress file holds the description of
the run, the number of events counted in each stage, and the totals. It is rewritten as a whole at
regular intervals and removed when the result of the run has been written. A lock file beside it
keeps a second run away. An event depends on its number alone and totals are sums of integers, so a
resumed run ends with the same result as one that was never interrupted.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import filelock
import jax
import numpy as np

from tb2learn import files
from tb2learn.types import InputError

SCHEMA = 1


class Stopped(Exception):
    """A run has stopped because it was asked to. The message says where its progress is kept."""


class Run:
    """A context in which a run keeps its progress.

    After the first Ctrl-C (or SIGTERM) the batch is finished, the progress is kept and `Stopped` is
    raised; the second one is an ordinary interrupt.
    """

    def __init__(
        self, path: Path, about: Mapping[str, Any], resume: bool = False, every: float = 60.0
    ):
        """Describe a run; nothing is read or written before the context is entered.

        **Arguments:**

        - `path`: the progress file.
        - `about`: everything the run's result depends on, as JSON; kept in the file.
        - `resume`: continue from the file, if there is one.
        - `every`: seconds between two writes.
        """
        self.path, self.resume, self.every = path, resume, every
        self.about = json.loads(json.dumps(about, allow_nan=False))  # as JSON reads it back
        self._stages: dict[str, tuple[int, list[np.ndarray]]] = {}
        self._lock = filelock.FileLock(path.with_name(f".{path.name}.lock"))
        self._stopping = False
        self._written = time.monotonic()
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Run:
        """Take the lock, read the progress.

        **Raises:** `InputError` if the folder cannot be written to, another run holds the lock,
        there is progress but `resume` was not given, or the progress is not of this run.
        """
        files.check_folder(self.path.parent)
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout as error:
            raise InputError(f"{self.path}: another run is at work on this") from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot be locked: {error.strerror}") from error
        try:
            files.remove_leftovers(self.path)
            if self.path.exists():
                self._read()
        except BaseException:
            self._unlock()
            raise
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._handlers[number] = signal.signal(number, self._stop)
        self._written = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the progress of a run that has succeeded; release the lock.

        **Raises:** the exception that ended the run; the message of an interrupt, or of a result
        that could not be written, names the progress file.
        """
        self._restore_handlers()
        if kind is None:
            self.path.unlink(missing_ok=True)
        self._unlock()
        if self.path.exists() and isinstance(error, KeyboardInterrupt):
            raise Stopped(f"interrupted; what was counted is kept in {self.path}") from error
        if self.path.exists() and isinstance(error, InputError):
            raise InputError(f"{error}; what was counted is kept in {self.path}") from error

    def start(self, stage: str, events: int, zero: Any) -> tuple[int, Any]:
        """Where a stage begins.

        **Arguments:**

        - `stage`: its name.
        - `events`: how many it has.
        - `zero`: its totals before the first event: a pytree of int64 arrays.

        **Returns:** how many events are counted, and the totals of those.
        """
        if stage not in self._stages:
            return 0, zero
        done, arrays = self._stages[stage]
        leaves, tree = jax.tree.flatten(zero)
        like = [(leaf.shape, leaf.dtype) for leaf in leaves]
        counted = type(done) is int and 0 <= done <= events
        if not counted or [(a.shape, a.dtype) for a in arrays] != like:
            raise InputError(f"{self.path}: damaged: the totals of {stage} do not fit this run")
        return done, jax.tree.unflatten(tree, arrays)

    def record(self, stage: str, done: int, events: int, total: Any) -> None:
        """Note the totals after `done` of `events` events; write them if it is time.

        **Raises:** `Stopped` if the run was asked to stop.
        """
        self._stages[stage] = done, [np.asarray(leaf) for leaf in jax.tree.leaves(total)]
        if self._stopping or time.monotonic() - self._written >= self.every:
            self._keep(f"after {done:,} of {events:,} events ({stage})")

    def stop_if_asked(self, where: str) -> None:
        """Stop here, between two counts, if the run was asked to; what is counted is kept.

        **Raises:** `Stopped` if the run was asked to stop.
        """
        if self._stopping:
            self._keep(where)

    def all_counted(self) -> None:
        """Keep the totals, as nothing is left to count; from here on an interrupt acts at once.

        **Raises:** `Stopped` if the run was asked to stop.
        """
        self._keep("with everything counted")
        self._restore_handlers()

    def _keep(self, where: str) -> None:
        """Write the progress; stop here if the run was asked to, before or during the writing."""
        try:
            self._write()
        except InputError as error:
            if self._stopping:
                raise Stopped(f"stopped, but {error}") from error
            # The disk may be full now and have room at the next write.
            print(f"tb2learn: warning: {error}; the run goes on", file=sys.stderr)
        else:
            if self._stopping:
                raise Stopped(f"stopped {where}, kept in {self.path}")
        self._written = time.monotonic()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        self._restore_handlers()
        print("\ntb2learn: finishing the batch; again to stop at once", file=sys.stderr)

    def _unlock(self) -> None:
        Path(self._lock.lock_file).unlink(missing_ok=True)
        self._lock.release()

    def _restore_handlers(self) -> None:
        while self._handlers:
            signal.signal(*self._handlers.popitem())

    def _write(self) -> None:
        arrays = {
            f"{stage}-{number}": array
            for stage, (_, totals) in self._stages.items()
            for number, array in enumerate(totals)
        }
        stages = {stage: [done, len(totals)] for stage, (done, totals) in self._stages.items()}
        header = {"progress": SCHEMA, "about": self.about, "stages": stages}
        files.write_arrays(self.path, arrays, header)

    def _read(self) -> None:
        if not self.resume:
            raise InputError(f"{self.path}: an unfinished run: go on with --resume, or remove it")
        arrays, header = files.read_arrays(self.path)
        if header.get("progress") != SCHEMA or not isinstance(header.get("about"), dict):
            raise InputError(f"{self.path}: not the progress of a run")
        other = _difference(header["about"], self.about)
        if other:
            raise InputError(f"{self.path}: progress of another run: {other}")
        try:
            self._stages = {
                stage: (done, [arrays[f"{stage}-{number}"] for number in range(count)])
                for stage, (done, count) in header["stages"].items()
            }
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"{self.path}: damaged: not the progress of a run") from error


def _difference(kept: Any, ours: Any, name: str = "") -> str | None:
    """The first difference of two JSON values, in words."""
    if isinstance(kept, list) and isinstance(ours, list):
        kept, ours = dict(enumerate(kept)), dict(enumerate(ours))
    if isinstance(kept, dict) and isinstance(ours, dict):
        for key in sorted({*kept, *ours}):
            found = _difference(kept.get(key), ours.get(key), f"{name}.{key}".lstrip("."))
            if found:
                return found
        return None
    return None if kept == ours else f"its {name} is {str(kept)[:80]!r}, not {str(ours)[:80]!r}"
