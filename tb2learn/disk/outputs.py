"""What a path may be that something is written to: checked before the work whose result goes there.

A file is written if it is an ordinary file, or nothing yet. A symbolic link, even one to nothing, a
device, a pipe or a folder of its name is neither followed nor replaced, but refused. Links among
the folders on the way to it are followed.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

MAX_NAME = 200
"""Most bytes of the name of a file; while it is written, its name is longer."""

_KINDS = {
    stat.S_IFLNK: "is a symbolic link: name the file itself",
    stat.S_IFDIR: "is a folder, not a file",
    stat.S_IFCHR: "is a device, not a file",
    stat.S_IFBLK: "is a device, not a file",
    stat.S_IFIFO: "is a pipe, not a file",
    stat.S_IFSOCK: "is a socket, not a file",
}


def why_no_file(path: str | Path) -> str:
    """Why nothing can be written to a path; empty if a file can."""
    try:
        if len(os.path.basename(os.fsencode(path))) > MAX_NAME:
            return f"its name must be at most {MAX_NAME} bytes"
        file_type = stat.S_IFMT(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        # A file that is not there yet needs a folder that takes it, or can be made.
        return why_no_folder(os.path.dirname(path))
    except (OSError, ValueError) as error:  # ValueError: a character that no path has
        return _reason(error)
    if file_type != stat.S_IFREG:
        return _KINDS.get(file_type, "is not a file")
    return "" if os.access(path, os.W_OK) else "is read-only"


def why_no_folder(path: str | Path) -> str:
    """Why no files can be written to a folder, or it cannot be made; empty if they can."""
    folder = os.fspath(path) or "."
    try:
        # The next folder up that is there has to let the others be made in it.
        while not _is_there(folder):
            folder = os.path.dirname(folder.rstrip(os.sep)) or "."
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            return f"{folder} is not a folder"
    except (OSError, ValueError) as error:
        return _reason(error)
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"{folder} may not be written to"


def _is_there(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def mode(path: Path) -> int:
    """The permissions of the file at a path; of a new file, if there is none."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except FileNotFoundError:
        return new_mode(0o666)


def new_mode(most: int) -> int:
    """The permissions of what is new, of the most that it may have."""
    # It can only be read by being set.
    umask = os.umask(0)
    os.umask(umask)
    return most & ~umask


@contextlib.contextmanager
def mask_of_others() -> Iterator[None]:
    """A context in which the user's mask takes rights from others alone, and none from the user."""
    before = os.umask(0o077)
    os.umask(before & 0o077)
    try:
        yield
    finally:
        os.umask(before)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
