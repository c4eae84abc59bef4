"""Files are written whole or not at all; arrays are read without trusting the file."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn.disk import inputs, outputs
from tb2learn.types import InputError

try:
    import fcntl
except ImportError:  # Windows, where nobody can remove or rename a file that is open
    fcntl = None  # type: ignore[assignment]

MAX_BYTES = 1 << 28
"""Most bytes of a file of arrays, packed and unpacked, where nothing else is said."""

_HEADER = "header"
_CHECKSUM = "checksum"
TEMPORARY = ".part"
"""The ending of the names of temporary files and folders, which begin with a point."""


class NoChecksum(InputError):
    """A file of arrays that has no checksum of its own."""


def write_bytes(path: Path, data: bytes, private: bool = False) -> None:
    """Write a file through a temporary one in the same folder, then rename it into place.

    The renaming is the one step that counts: a process that is killed leaves the old file or the
    new one, and at most a temporary file, which the next write to the same path removes. A file
    that was there keeps its permissions.

    **Arguments:**

    - `path`, `data`: the file and what it is to hold.
    - `private`: nobody but the user may read it.

    **Raises:** `InputError` naming the path and the reason if that is not possible, or something
    else than a file is there (see `outputs`); a file that was there before is unchanged.
    """
    check_file(path)
    try:
        with made_folders(path.parent):
            _write_beside(path, data, private)
    except PermissionError as error:
        hint = "; is it open in another program, such as a spreadsheet?" if path.is_file() else ""
        raise InputError(f"{path}: cannot be written: {error.strerror}{hint}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _write_beside(path: Path, data: bytes, private: bool) -> None:
    """Write a temporary file in the same folder, and rename it."""
    remove_leftovers(path)
    # Beside the file: a rename from another disk would be a copy, which can stop halfway.
    handle, temporary = _temporary_file(path)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            # Else a crash after the renaming could leave the new name with nothing in it.
            os.fsync(stream.fileno())
            if not private:
                os.chmod(temporary, outputs.mode(path))  # a temporary file is made private
            if fcntl:
                os.replace(temporary, path)  # while it is locked
        if not fcntl:
            os.replace(temporary, path)
    # Also for an interrupt: nobody would look for what it leaves.
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def made_folders(folder: Path, mode: int = 0o777) -> Iterator[None]:
    """Make a folder, and those above it that are missing; they go if what follows fails.

    **Arguments:** `mode`: permissions of the folder itself, before the user's mask.

    **Raises:** `OSError` if they cannot be made, or nothing can be put into them: with some masks
    of permissions (`umask`) a new folder is closed to the user, too.
    """
    missing = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in missing:
            with contextlib.suppress(OSError):  # another process uses it by now
                one.rmdir()
        raise


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of killed writes; those of a write that goes on are locked."""
    # Hidden files of this name and ending are made nowhere else.
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*{TEMPORARY}"):
        with contextlib.suppress(OSError), _lock_on(leftover):
            leftover.unlink()


def _temporary_file(path: Path) -> tuple[int, str]:
    """A new private file beside a path, open and locked, and its name."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=TEMPORARY)
        with contextlib.suppress(OSError):  # a file system without locks
            lock(handle)
        if os.path.exists(name):
            return handle, name
        os.close(handle)  # between the two steps it was taken for a leftover


@contextlib.contextmanager
def _lock_on(path: Path) -> Iterator[None]:
    """A context with a lock on a file.

    **Raises:** `OSError` if another process holds it.
    """
    if not fcntl:
        yield
        return
    # Neither a link nor a pipe of this name, which anybody may have put there, holds this up.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        lock(handle, wait=False)
        yield
    finally:
        os.close(handle)


def lock(handle: int, wait: bool = True) -> None:
    """Lock an open file or folder until it is closed.

    **Raises:** `OSError` if another process holds it and it is not waited for, or the file system
    has no locks.
    """
    if fcntl:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_file(*paths: Path) -> None:
    """Check that files can be written, before the work whose results they are.

    **Raises:** `InputError` naming the path and the reason.
    """
    for path in paths:
        if reason := outputs.why_no_file(path):
            raise InputError(f"{path}: cannot be written: {reason}")


def check_folder(folder: Path) -> None:
    """Check that a folder can be written to, before the work whose results go there.

    **Raises:** `InputError` naming the folder and the reason.
    """
    if reason := outputs.why_no_folder(folder):
        raise InputError(f"{folder}: cannot be written to: {reason}")
    try:
        with made_folders(folder), tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror}") from error


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file, whole or not at all.

    **Raises:** `InputError` as `write_bytes`.
    """
    write_bytes(path, text.encode("utf-8"))


def write_arrays(
    path: Path, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any], private: bool = False
) -> None:
    """Write named arrays and a JSON header as one `.npz` file, under a checksum.

    **Arguments:**

    - `path`, `private`: as in `write_bytes`.
    - `arrays`, `header`: what it is to hold.

    **Raises:** `InputError` as `write_bytes`.
    """
    # Private files are not kept: they are written quickly, in a tenth more bytes.
    write_bytes(path, pack_arrays(arrays, header, 1 if private else None), private)


def pack_arrays(
    arrays: Mapping[str, np.ndarray], header: Mapping[str, Any], level: int | None = None
) -> bytes:
    """The bytes that `write_arrays` writes; equal content gives equal bytes.

    **Arguments:** as there; how hard to compress, 1..9, zlib's default if not given.
    """
    # Sorted, so that equal content gives equal bytes.
    text = np.frombuffer(json.dumps(header, sort_keys=True, allow_nan=False).encode(), np.uint8)
    members = {name: _npy_bytes(array) for name, array in {_HEADER: text, **arrays}.items()}
    members[_CHECKSUM] = _npy_bytes(_checksum(members))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, member in members.items():
            info = zipfile.ZipInfo(f"{name}.npy")  # a fixed date, unlike np.savez
            archive.writestr(info, member, zipfile.ZIP_DEFLATED, level)
    return buffer.getvalue()


def _npy_bytes(array: np.ndarray) -> bytes:
    """An array as the bytes of an `.npy` file."""
    member = io.BytesIO()
    np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
    return member.getvalue()


def _checksum(members: Mapping[str, bytes]) -> np.ndarray:
    """SHA-256 of the members of a file, with their names."""
    digest = hashlib.sha256()
    for name, member in sorted(members.items()):
        # With the lengths: else bytes could move from one member to the next unseen.
        digest.update(f"{name} {len(member)}\n".encode())
        digest.update(member)
    return np.frombuffer(digest.digest(), np.uint8)


def read_arrays(
    path: Path, limit: int = MAX_BYTES, own: bool = False
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read what `write_arrays` wrote.

    **Arguments:**

    - `path`: the file.
    - `limit`: bytes that the file may have, and that its contents may unpack to.
    - `own`: refuse a file that somebody else may have written (`inputs.read_own_bytes`).

    **Returns:** the arrays and the header.

    **Raises:** `InputError` naming the file if it is missing, truncated, too large or not a file of
    this program, or if anything in it was changed; `NoChecksum` if it has no checksum.
    """
    read = inputs.read_own_bytes if own else inputs.read_bytes
    arrays, header, checked = unpack_arrays(path, read(path, limit), limit)
    if not checked:
        raise NoChecksum(f"{path}: has no checksum, or not a file of this program")
    return arrays, header


def unpack_arrays(
    path: Path, data: bytes, limit: int = MAX_BYTES
) -> tuple[dict[str, np.ndarray], dict[str, Any], bool]:
    """The arrays and the header in some bytes, and whether they were under a checksum.

    **Arguments:** `path`: named in messages; `data`; `limit`: as in `read_arrays`.

    **Raises:** `InputError` as `read_arrays`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            # Before anything is unpacked: a small file may claim to hold terabytes.
            if sum(info.file_size for info in archive.infolist()) > limit:
                raise InputError(f"{path}: larger than {limit} bytes unpacked")
            members = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        arrays = {
            # Pickled objects are refused: reading one runs code of whoever wrote it.
            name: np.lib.format.read_array(io.BytesIO(member), allow_pickle=False)
            for name, member in members.items()
        }
        checksum = arrays.pop(_CHECKSUM, None)
        header = json.loads(arrays.pop(_HEADER).tobytes())
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib, numpy and json each have many of their own
        raise InputError(f"{path}: damaged or not a file of this program") from error
    if not isinstance(header, dict):
        raise InputError(f"{path}: damaged or not a file of this program")
    # The checksum is of all the others.
    members.pop(_CHECKSUM, None)
    if checksum is not None and not np.array_equal(checksum, _checksum(members)):
        raise InputError(
            f"{path}: its checksum does not fit: it was damaged or edited (one that fits says "
            "that a file is whole, not who wrote it)"
        )
    return arrays, header, checksum is not None
