"""Files are written whole or not at all; arrays are read without trusting the file."""

from __future__ import annotations

import glob
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tb2learn import outputs
from tb2learn.types import InputError

_HEADER = "header"
_TEMPORARY = ".part"


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file through a temporary one in the same folder, then rename it into place.

    A file that was there keeps its permissions.

    **Raises:** `InputError` naming the path and the reason if that is not possible, or something
    else than a file is there (see `outputs`); a file that was there before is unchanged.
    """
    check_file(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=_TEMPORARY
        )
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, outputs.mode(path))  # mkstemp makes private files; these are not
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except PermissionError as error:
        hint = "; is it open in another program, such as a spreadsheet?" if path.is_file() else ""
        raise InputError(f"{path}: cannot be written: {error.strerror}{hint}") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def remove_leftovers(path: Path) -> None:
    """Remove temporary files of killed writes; to be called only while nobody writes the file."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*{_TEMPORARY}"):
        leftover.unlink(missing_ok=True)


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
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror}") from error


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file, whole or not at all.

    **Raises:** `InputError` as `write_bytes`.
    """
    write_bytes(path, text.encode("utf-8"))


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> None:
    """Write named arrays and a JSON header as one `.npz` file.

    **Raises:** `InputError` as `write_bytes`.
    """
    write_bytes(path, pack_arrays(arrays, header))


def pack_arrays(arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> bytes:
    """The bytes that `write_arrays` writes; equal content gives equal bytes."""
    text = np.frombuffer(json.dumps(header, sort_keys=True, allow_nan=False).encode(), np.uint8)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in {_HEADER: text, **arrays}.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy")  # a fixed date, unlike np.savez
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    return buffer.getvalue()


def read_arrays(path: Path, limit: int = 1 << 28) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read what `write_arrays` wrote.

    **Arguments:**

    - `path`: the file.
    - `limit`: bytes that its contents may unpack to.

    **Returns:** the arrays and the header.

    **Raises:** `InputError` naming the file if it is missing, truncated, too large or not a file of
    this program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > limit:
                raise InputError(f"{path}: larger than {limit} bytes unpacked")
        with np.load(path, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
        header = json.loads(arrays.pop(_HEADER).tobytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib, numpy and json each have many of their own
        raise InputError(f"{path}: damaged or not a file of this program") from error
    if not (isinstance(header, dict) and all(isinstance(a, np.ndarray) for a in arrays.values())):
        raise InputError(f"{path}: damaged or not a file of this program")
    return arrays, header
