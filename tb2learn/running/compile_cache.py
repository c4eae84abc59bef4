"""Compiled programs are kept on disk, so that a command that runs a second time compiles nothing.

This is JAX's persistent compilation cache in a folder of the user. A kept program is the machine
code that the compiler made, so results are the same with and without the cache.

The folder is, in this order:

1. `JAX_COMPILATION_CACHE_DIR`, JAX's own variable, if it is set;
2. `jax` in `TB2LEARN_CACHE_DIR`, if that is set; no cache if it is empty;
3. `jax` in the user's cache folder, such as `~/.cache/tb2learn` on Linux.

It is safe to share among versions and machines: JAX keeps a program under a key made of the program
itself, its options, the versions of jaxlib and of the backend, `XLA_FLAGS`, and a fingerprint of
the devices, which on a CPU covers its instruction set. A home directory that machines with
different processors share is therefore safe (a test reads this from the keys). It is not safe to
let others write to it, because what it holds is executed: a folder of somebody else's, or one that
others may write to, is not used.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tb2learn.disk import inputs
from tb2learn.types import InputError

MAX_BYTES = 512 * 2**20
"""If the folder is larger when a command begins, the oldest programs are removed down to half."""

_KEEP_EVERYTHING = {
    "jax_persistent_cache_min_compile_time_secs": 0.0,
    "jax_persistent_cache_min_entry_size_bytes": -1,
}

_TROUBLE = re.compile(r"Error (reading|writing) persistent compilation cache entry for '([^']*)'")


@contextlib.contextmanager
def use(allowed: bool = True) -> Iterator[str | None]:
    """A context in which compiled programs are kept. To be entered before anything is compiled.

    **Arguments:**

    - `allowed`: False for no cache, whatever the environment says.

    **Returns:** as its value None; or one line, if the folder that the environment names cannot be
    used. Any other trouble with the cache costs time only: programs are compiled as without one.
    """
    # JAX is imported only by the commands that use it.
    import jax

    folder = _folder() if allowed else None
    if not allowed:
        jax.config.update("jax_enable_compilation_cache", False)
    if folder is None:
        yield None
        return
    if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        if not _usable(folder):
            named = "TB2LEARN_CACHE_DIR" in os.environ
            yield f"no compiled programs can be kept in {folder}" if named else None
            return
        _trim(folder)
        jax.config.update("jax_compilation_cache_dir", str(folder))
    for option, value in _KEEP_EVERYTHING.items():
        if option.upper() not in os.environ:
            jax.config.update(option, value)
    with _mended(folder):
        yield None


def _folder() -> Path | None:
    if jax_folder := os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return Path(jax_folder)
    return _in_cache("jax")


def user_folder(name: str) -> Path | None:
    """The folder of this name in `TB2LEARN_CACHE_DIR`, or in the user's cache folder.

    **Returns:** None if that variable is empty, or the folder is not the user's alone or cannot be
    written to.
    """
    folder = _in_cache(name)
    return folder if folder and _usable(folder) else None


def _in_cache(name: str) -> Path | None:
    ours = os.environ.get("TB2LEARN_CACHE_DIR")
    if ours is None:
        # Only what compiles needs this library.
        import platformdirs

        return platformdirs.user_cache_path("tb2learn", appauthor=False) / name
    return Path(ours) / name if ours else None


def _usable(folder: Path) -> bool:
    """Whether the folder exists, belongs to the user, and nobody else can write to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        inputs.check_own(folder, folder.stat())
    except (OSError, InputError):
        return False
    return os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def _trim(folder: Path) -> None:
    """Remove the oldest programs, if the folder has become too large.

    JAX can limit the size itself, but then it locks and reads the whole folder for every program,
    and a run that is killed while it writes the two files of a program leaves a cache that can no
    longer be written to.
    """
    # Another process may be removing the same files.
    with contextlib.suppress(OSError):
        kept = [(entry.stat(), entry) for entry in os.scandir(folder) if entry.is_file()]
        total = sum(about.st_size for about, _ in kept)
        if total <= MAX_BYTES:
            return
        for about, entry in sorted(kept, key=lambda one: one[0].st_mtime):
            if total <= MAX_BYTES // 2:
                return
            os.unlink(entry)
            total -= about.st_size


@contextlib.contextmanager
def _mended(folder: Path) -> Iterator[None]:
    """A context in which damaged files are silently removed.

    A file is damaged if the run is killed or the disk is full while it is written. JAX warns of
    such a program by name and compiles it, but keeps it again only if its file is gone.
    """
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, *rest: Any, **options: Any) -> None:
            trouble = _TROUBLE.match(str(message))
            if trouble is None:
                others(message, *rest, **options)
            elif trouble[1] == "reading":
                for path in folder.glob(f"{glob.escape(trouble[2])}-*-cache"):
                    with contextlib.suppress(OSError):
                        path.unlink()

        warnings.showwarning = show
        yield
