"""What a worker of a cluster does: it says what it runs, and counts ranges of events.

A worker is a process of Dask's `distributed`. It gets functions by their names, so that it runs its
own copy of this program; `facts` tell whether that is the same one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
from pathlib import Path
from typing import Any

import cloudpickle
from distributed import WorkerPlugin, get_worker

from tb2learn.text import difference
from tb2learn.types import InputError
from tb2learn.version import __version__


def facts(rounded: bool = False) -> dict[str, str]:
    """What this process computes with, as all processes of a run have to.

    **Arguments:**

    - `rounded`: also the instruction set, on which the last bit of a real number depends.
    """
    import jax
    import numpy as np

    values = {
        "version": __version__,
        "code": _digest(),
        "Python": platform.python_version(),
        "JAX": jax.__version__,
        "NumPy": np.__version__,
    }
    return {**values, "instruction set": _instructions()} if rounded else values


@functools.cache
def _digest() -> str:
    """A digest of the package's own files."""
    folder, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        # Its code, and the tables that the code reads.
        if path.suffix in (".py", ".csv") and path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode())
            # Lines may end otherwise on another system: that changes nothing.
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


@functools.cache
def _instructions() -> str:
    """The device, what XLA is told about it, and on CPUs the newest instructions there are."""
    import jax
    import numpy as np

    device = jax.devices()[0].device_kind
    # Options of XLA can forbid the newer instructions.
    flags = [flag for flag in os.environ.get("XLA_FLAGS", "").split() if "isa" in flag]
    build: Any = np.show_config(mode="dicts")
    newest = build["SIMD Extensions"].get("found", [])[-1:] if device == "cpu" else []
    return " ".join([device, *newest, *flags])


class Prepared(WorkerPlugin):
    """Gives JAX all processors of the machine, and keeps compiled programs on disk."""

    name = "tb2learn"

    def setup(self, worker: Any) -> None:
        """Prepare a worker, before its first task (Dask calls this)."""
        from tb2learn.running import compile_cache
        from tb2learn.running.processors import use_all_cores

        self._opened = contextlib.ExitStack()
        self._opened.enter_context(compile_cache.use())
        use_all_cores()

    def teardown(self, worker: Any) -> None:
        """The worker ends, or another client prepares it (Dask calls this)."""
        self._opened.close()


def play(payload: bytes, events: range, ours: dict[str, str]) -> Any:
    """Count a range of events.

    **Arguments:**

    - `payload`: what is counted how: a function and its first argument.
    - `events`: its second argument.
    - `ours`: the `facts` of the process that asks.

    **Raises:** `InputError` if this worker has other facts.
    """
    # Asked of every range: this worker may have come after all were compared.
    mismatch = difference(facts("instruction set" in ours), ours)
    if mismatch:
        raise InputError(f"worker {get_worker().address} differs from this process: {mismatch}")
    count, job = _opened(payload)
    return count(job, events)


@functools.lru_cache(maxsize=1)
def _opened(payload: bytes) -> Any:
    """A payload; the ranges of one job share what it holds."""
    return cloudpickle.loads(payload)
