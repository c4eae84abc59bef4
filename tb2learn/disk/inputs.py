"""Files are read whole, but never more of them than makes sense, and only where they are files."""

from __future__ import annotations

import errno
import os
import stat
from importlib.resources.abc import Traversable
from pathlib import Path

from tb2learn.types import InputError

MAX_TEXT = 1 << 20
"""Most bytes of a text that this program or its user wrote: a configuration, a header."""


def is_file(path: str | Path) -> bool:
    """Whether there is an ordinary file at a path; False for one that cannot be.

    **Raises:** `InputError` if that may not be known.
    """
    return _is_kind(path, stat.S_IFREG)


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder at a path.

    **Raises:** `InputError` if that may not be known.
    """
    return _is_kind(path, stat.S_IFDIR)


def _is_kind(path: str | Path, file_type: int) -> bool:
    try:
        return stat.S_IFMT(os.stat(path).st_mode) == file_type
    except PermissionError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except (OSError, ValueError):  # ValueError: a character that no path has
        return False


def read_bytes(path: Traversable, limit: int, name: str | None = None) -> bytes:
    """The content of a file.

    **Arguments:**

    - `path`: an ordinary file: a pipe or a device is not waited for.
    - `limit`: most bytes that it may have.
    - `name`: of the file in messages; its path if not given.

    **Raises:** `InputError` if it is larger, or cannot be read.
    """
    name = str(path) if name is None else name
    try:
        # A file within a package may be none of a disk, and is always ordinary.
        if isinstance(path, Path) and not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{name}: cannot be read: not a file")
        with path.open("rb") as stream:
            # One byte more tells a file that is too large, whatever its size is said to be.
            data = stream.read(limit + 1)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise InputError(f"{name}: must be at most {limit} bytes, has more")
    return data


def read_text(path: Path) -> str:
    """The content of a UTF-8 file of at most `MAX_TEXT` bytes.

    **Raises:** `InputError` naming the file for any other.
    """
    try:
        return read_bytes(path, MAX_TEXT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: not UTF-8 text") from error


def read_own_bytes(path: Path, limit: int) -> bytes:
    """The content of a file that nobody but the user may have written.

    **Arguments:** as in `read_bytes`; a symbolic link is not followed.

    **Raises:** `InputError` as `read_bytes`, and as `check_own`.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)  # no waiting for a pipe
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            # By the open file, not by its path, which may lead to another one by now.
            check_own(path, os.fstat(stream.fileno()))
            data = stream.read(limit + 1)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{path}: is a symbolic link: remove it") from error
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > limit:
        raise InputError(f"{path}: must be at most {limit} bytes, has more")
    return data


def check_own(path: Path, about: os.stat_result, above: bool = False) -> None:
    """Check that a file or folder is the user's own and that nobody else may write to it.

    Where files have no owners and modes of this kind (Windows), everything passes.

    **Arguments:** `above`: of a folder only what is in it matters: it may also be root's, or one in
    which nobody may remove what is another's, such as `/tmp`.

    **Raises:** `InputError` naming the path and the reason.
    """
    if not hasattr(os, "getuid"):
        return
    if about.st_uid != os.getuid() and not (above and about.st_uid == 0):
        remove = "" if above else "remove it, or "
        raise InputError(f"{path}: belongs to another user: {remove}work in another folder")
    if about.st_mode & 0o022 and not (above and about.st_mode & stat.S_ISVTX):
        remove = "" if above else "remove it, or "
        raise InputError(f"{path}: others may write to it: {remove}take their right away")
