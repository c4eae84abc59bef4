"""Compiled programs are kept on disk, so that a command that runs a second time compiles nothing.

This is JAX's persistent compilation cache in a folder of the user. A kept program is the machine
code that the compiler made, so results are the same with and without the cache.

The folder is, in this order:

1. `JAX_COMPILATION_CACHE_DIR`, JAX's own variable, if it is set; nothing is ever removed there;
2. `programs` in `TB2LEARN_CACHE_DIR`, if that is set; no cache if it is empty;
3. `programs` in the user's cache folder, such as `~/.cache/tb2learn` on Linux.

It is safe to share among versions and machines: JAX keeps a program under a key made of the program
itself, its options, the versions of jaxlib and of the backend, `XLA_FLAGS`, and a fingerprint of
the devices, which on a CPU covers its instruction set. A home directory that machines with
different processors share is therefore safe (a test reads this from the keys). It is not safe to
let others write to it, because what it holds is executed: the folder and those above it must be the
user's (or root's), and nobody else may write to them. It must have been made here, too, as old
programs are removed: an empty file marks it.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
import warnings
from collections.abc import Iterator, Mapping
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

_FOLDER = "jax_compilation_cache_dir"
"""JAX's option for the folder of compiled programs."""

_PASS = getattr(os, "O_PATH", os.O_RDONLY)
"""How a folder is opened that need not be readable, only passed."""

_MARK = ".tb2learn"
"""An empty file in the folder, which says whose it is."""

_PROGRAM = re.compile(r".+-[0-9a-f]{64}-(cache|atime)")
"""The names of JAX's files."""

_TROUBLE = re.compile(r"Error (reading|writing) persistent compilation cache entry for '([^']*)'")


@contextlib.contextmanager
def use(allowed: bool = True) -> Iterator[str | None]:
    """A context in which compiled programs are kept; after it JAX keeps what it did before.

    **Arguments:**

    - `allowed`: False for no cache, whatever the environment says.

    **Returns:** as its value None; or one line, if the folder is not the user's alone or of this
    program, or if the environment names one that cannot be used. Any other trouble with the cache
    costs time only: programs are compiled as without one.
    """
    # JAX is imported only by the commands that use it.
    import jax

    if not allowed:
        with _options({"jax_enable_compilation_cache": False}):
            yield None
        return
    # A folder that somebody chose for JAX itself is used as it is.
    theirs = getattr(jax.config, _FOLDER)
    folder = None if theirs else _folder()
    if folder is None and not theirs:
        yield None
        return
    if folder:
        try:
            with _opened(folder) as descriptor:
                _trim(descriptor)
        except (InputError, OSError) as error:
            # A full disk under the usual folder costs time alone, and nobody need hear of it.
            tell = isinstance(error, InputError) or "TB2LEARN_CACHE_DIR" in os.environ
            reason = getattr(error, "strerror", None) or error
            yield f"no compiled programs are kept in {folder}: {reason}" if tell else None
            return
    # JAX keeps what took a second to compile; here many small programs add up. What the user has
    # set stands.
    options = {name: x for name, x in _KEEP_EVERYTHING.items() if name.upper() not in os.environ}
    if folder:
        options[_FOLDER] = str(folder)
    with _mended(folder), _options(options):
        yield None


@contextlib.contextmanager
def _options(values: Mapping[str, Any]) -> Iterator[None]:
    """A context with other options of JAX's cache."""
    import jax
    from jax.experimental.compilation_cache.compilation_cache import reset_cache

    before = {name: getattr(jax.config, name) for name in values}
    try:
        for name, value in values.items():
            jax.config.update(name, value)
        # JAX reads them once, when it first compiles something.
        reset_cache()
        yield
    finally:
        for name, value in before.items():
            jax.config.update(name, value)
        reset_cache()


def _folder() -> Path | None:
    """The folder for programs, none of those above it a link; None for no cache."""
    ours = os.environ.get("TB2LEARN_CACHE_DIR")
    if ours is None:
        # Only what compiles needs this library.
        import platformdirs

        ours = platformdirs.user_cache_path("tb2learn", appauthor=False)
    return Path(os.path.realpath(ours)) / "programs" if ours else None


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """The folder's descriptor, once it and all above it are found to be safe; it is made if needed.

    Every folder on the way is opened in the one above it, so that what was looked at is what is
    used. On Windows, which has no such descriptors, None.

    **Raises:** `OSError` if it cannot be made or opened, `InputError` if it is not safe.
    """
    if os.open not in os.supports_dir_fd:
        folder.mkdir(parents=True, exist_ok=True)
        yield None
        return
    with contextlib.ExitStack() as opened:
        place, path, new = None, Path(folder.anchor), list[tuple[str, int | None]]()
        try:
            for name in folder.parts:
                path /= name
                above = path != folder
                # A link could lead into a folder that others write to.
                flags = os.O_DIRECTORY | os.O_NOFOLLOW | (_PASS if above else os.O_RDONLY)
                if not os.path.lexists(path):
                    with contextlib.suppress(FileExistsError):
                        # Not if another process has made it since.
                        os.mkdir(name, 0o700, dir_fd=place)
                        new.append((name, place))
                place = os.open(name, flags, dir_fd=place)
                opened.callback(os.close, place)
                inputs.check_own(path, os.fstat(place), above)
        # With some masks of permissions (`umask`) a new folder is closed to the user, too.
        except PermissionError:
            for name, home in reversed(new):
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=home)
            raise
        entries = os.listdir(place)
        if entries and _MARK not in entries:
            raise InputError("it has files of another program; name another folder")
        # The mark of this program, made if it is not there.
        os.close(os.open(_MARK, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=place))
        yield place


def _trim(folder: int | None) -> None:
    """Remove the oldest programs, if the folder has become too large.

    JAX can limit the size itself, but then it locks and reads the whole folder for every program,
    and a run that is killed while it writes the two files of a program leaves a cache that can no
    longer be written to.
    """
    if folder is None:
        return
    # Another process may be removing the same files.
    with contextlib.suppress(OSError):
        with os.scandir(folder) as entries:
            kept = [
                (about, entry.name)
                for entry in entries
                if _PROGRAM.fullmatch(entry.name)
                and stat.S_ISREG((about := entry.stat(follow_symlinks=False)).st_mode)
            ]
        total = sum(about.st_size for about, _ in kept)
        if total <= MAX_BYTES:
            return
        # The oldest first, down to half, so that not every command has to remove some.
        for about, name in sorted(kept, key=lambda one: one[0].st_mtime):
            if total <= MAX_BYTES // 2:
                return
            os.unlink(name, dir_fd=folder)
            total -= about.st_size


@contextlib.contextmanager
def _mended(folder: Path | None) -> Iterator[None]:
    """A context in which damaged files are silently removed from the program's own folder.

    A file is damaged if the run is killed or the disk is full while it is written. JAX warns of
    such a program by name and compiles it, but keeps it again only if its file is gone.
    """
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, *rest: Any, **options: Any) -> None:
            trouble = _TROUBLE.match(str(message))
            if trouble is None:
                others(message, *rest, **options)
            # What could not be written leaves no file to remove.
            elif folder and trouble[1] == "reading":
                for path in folder.glob(f"{glob.escape(trouble[2])}-*-cache"):
                    with contextlib.suppress(OSError):
                        path.unlink()

        warnings.showwarning = show
        yield
