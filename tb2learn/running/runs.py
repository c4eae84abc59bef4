"""Resumable runs: totals are kept on disk, so that a run can be stopped and resumed.

A run adds up integers over events, stage after stage. One progress file holds the description of
the run, the number of events counted in each stage, and the totals. It is rewritten as a whole at
regular intervals and removed when the result of the run has been written. A lock file beside it
keeps a second run away. An event depends on its number alone and totals are sums of integers, so a
resumed run ends with the same result as one that was never interrupted.

The file is private and under a checksum. One that somebody else may have written is refused, and
so are totals that the events counted cannot have.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import filelock
import jax
import numpy as np

from tb2learn.disk import files, inputs
from tb2learn.running.cluster import ClusterLost
from tb2learn.text import difference
from tb2learn.types import InputError

SCHEMA = 2
_MOST = 1 << 31
"""More than any count that an event adds to a total: counts of an event are 32-bit integers."""


def are_totals(
    found: Sequence[Any], zero: Sequence[np.ndarray], events: int, signed: bool = False
) -> bool:
    """Whether arrays that came from outside can be the totals of so many events.

    **Arguments:** `zero`: the totals of no events, whose shapes and types they must have; `signed`:
    as for `Run.start`.
    """
    if len(found) != len(zero):
        return False
    for array, like in zip(found, zero, strict=True):
        if not isinstance(array, np.ndarray | np.generic):
            return False
        counts: np.ndarray = np.asarray(array)
        if (counts.shape, counts.dtype) != (like.shape, like.dtype):
            return False
        # Sums of products have no bound that could be checked here.
        if not signed and not ((counts >= 0) & (counts <= events * _MOST)).all():
            return False
    return True


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
        self._stages: dict[str, tuple[int, list[np.ndarray]]] = {}  # events counted, totals
        self._lock = filelock.FileLock(path.with_name(f".{path.name}.lock"))
        self._stopping = False
        self._written = time.monotonic()
        self._handlers: dict[int, Any] = {}  # those that stood before the run, by signal

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
            # A run that was killed may have left half a file.
            files.remove_leftovers(self.path)
            if self.path.exists():
                self._read()
        except BaseException:
            self._unlock()
            raise
        # Python lets no other thread change what signals do.
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

        **Raises:** the exception that ended the run; the message of an interrupt, of a result that
        could not be written, or of a lost cluster, names the progress file.
        """
        self._restore_handlers()
        if kind is None:
            self.path.unlink(missing_ok=True)
        if isinstance(error, ClusterLost):
            # The workers are gone, but not what they have counted.
            with contextlib.suppress(InputError):
                self._write()
        self._unlock()
        if not self.path.exists():
            return
        if isinstance(error, KeyboardInterrupt):
            raise Stopped(f"interrupted; what was counted is kept in {self.path}") from error
        if isinstance(error, ClusterLost):
            raise Stopped(f"{error}; what was counted is kept in {self.path}") from error
        if isinstance(error, InputError):
            raise InputError(f"{error}; what was counted is kept in {self.path}") from error

    def start(self, stage: str, events: int, zero: Any, signed: bool = False) -> tuple[int, Any]:
        """Where a stage begins.

        **Arguments:**

        - `stage`: its name.
        - `events`: how many it has.
        - `zero`: its totals before the first event: a pytree of int64 arrays.
        - `signed`: whether the totals are sums of products, which may be negative and of any size;
          otherwise they are counts.

        **Returns:** how many events are counted, and the totals of those.

        **Raises:** `InputError` if the totals that were kept cannot be those of so many events.
        """
        if stage not in self._stages:
            return 0, zero
        done, arrays = self._stages[stage]
        leaves, tree = jax.tree.flatten(zero)
        # It comes from a file: True would pass for 1.
        counted = type(done) is int and 0 <= done <= events
        if not (counted and are_totals(arrays, leaves, done, signed)):
            raise InputError(f"{self.path}: damaged: the totals of {stage} do not fit this run")
        return done, jax.tree.unflatten(tree, arrays)

    def record(self, stage: str, done: int, events: int, total: Any) -> None:
        """Note the totals after `done` of `events` events; write them if it is time.

        **Raises:** `Stopped` if the run was asked to stop.
        """
        # Kept in memory at every batch, on disk only now and then.
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
        # While it is still held: later it may be that of another run.
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
        files.write_arrays(self.path, arrays, header, private=True)

    def _read(self) -> None:
        if not self.resume:
            raise InputError(f"{self.path}: an unfinished run: go on with --resume, or remove it")
        arrays, header = files.read_arrays(self.path, own=True)
        if header.get("progress") != SCHEMA or not isinstance(header.get("about"), dict):
            raise InputError(f"{self.path}: not the progress of a run")
        mismatch = difference(header["about"], self.about)
        if mismatch:
            raise InputError(f"{self.path}: progress of another run: {mismatch}")
        try:
            self._stages = {
                stage: (done, [arrays[f"{stage}-{number}"] for number in range(count)])
                for stage, (done, count) in header["stages"].items()
            }
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"{self.path}: damaged: not the progress of a run") from error


def state_folder() -> Path:
    r"""The user's own folder for progress that cannot be kept in the working directory.

    `$XDG_STATE_HOME/tb2learn`, by default `~/.local/state/tb2learn`; `%LOCALAPPDATA%\tb2learn` on
    Windows. It is made, for the user alone, if it does not exist.

    **Raises:** `InputError` if it cannot be made, is a symbolic link, or is not the user's alone.
    """
    import platformdirs

    folder = platformdirs.user_state_path("tb2learn", appauthor=False)
    try:
        with files.made_folders(folder, 0o700):
            about = folder.lstat()
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    if not stat.S_ISDIR(about.st_mode):
        raise InputError(f"{folder}: must be a folder, not a link to one")
    inputs.check_own(folder, about)
    return folder
