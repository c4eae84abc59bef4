"""Files that belong together in a folder are replaced all at once.

They are written to a folder beside the old one, and the two change names in one step. A process
that is killed leaves the old files or the new ones, and beside them a folder `.NAME.*.part`, which
the next one removes. Folders are held by descriptors: a link that takes the place of one while this
goes on is not followed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tb2learn.disk import files, outputs
from tb2learn.types import InputError

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_OLD = ".old"
"""Where old files are put that are replaced one by one."""


def check(folder: Path, ours: Sequence[str]) -> None:
    """Check that `replace` can write to a folder, before the work whose results go there.

    **Arguments:** as for `replace`.

    **Raises:** `InputError` naming the path and the reason; also for a folder of a name of `ours`
    that is of no earlier result, as the first of these is not there.
    """
    # A link says nothing of whether what it leads to may be replaced.
    if folder.is_symlink():
        raise InputError(f"{folder}: cannot be written to: is a symbolic link: name the folder")
    for name in ours:
        path = folder / name
        if not name.endswith("/"):
            files.check_file(path)
        elif os.path.lexists(path):
            if path.is_symlink() or not path.is_dir():
                raise InputError(f"{path}: cannot be written to: is not a folder")
            # Whoever has a folder `tables` of his own should not lose it.
            if not os.path.lexists(folder / ours[0]):
                raise InputError(
                    f"{folder}: has a folder {name} but no {ours[0]}: name another folder, as this "
                    "one would be replaced"
                )


def replace(folder: Path, content: Mapping[str, bytes], ours: Sequence[str]) -> None:
    """Write files that belong together, all of them or none, in place of the old ones.

    Where the names of two folders cannot be exchanged in one step (systems other than Linux, the
    working folder, one that is a disk of its own), the files take their places one by one, the
    first of `ours` last; a process that is killed then leaves the folder without it.

    **Arguments:**

    - `folder`: is made if it is not there. What else is in it stays.
    - `content`: of the files by their names, which may be in a folder (`tables/a.csv`).
    - `ours`: the names of all files that are replaced or removed, and of folders, with a slash at
      the end; the one first without which the others say nothing.

    **Raises:** `InputError` naming the path and the reason; what was there is unchanged.
    """
    check(folder, ours)
    # `.` and `..` have no name to exchange: that of the real folder is taken.
    place = folder if folder.name not in ("", "..") else folder.resolve()
    names = [name.rstrip("/") for name in ours]
    try:
        with files.made_folders(place.parent):
            if os.open in os.supports_dir_fd:
                with _open(place.parent) as beside:
                    _replace(beside, place, content, names)
            else:
                _replace_by_path(place, content, names)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror}") from error


def _replace(beside: int, place: Path, content: Mapping[str, bytes], names: list[str]) -> None:
    with contextlib.ExitStack() as opened:
        try:
            old = opened.enter_context(_open(place.name, beside))
        except FileNotFoundError:
            old = None
        # A process before this one may have worked in either.
        for home in (beside, old):
            _remove_leftovers(home, place.name, names, old)
        # Two names are exchanged beside the folder, single files are moved within it.
        home = beside if old is None or _may_change_names(old, beside) else old
        name, new = opened.enter_context(_temporary(home, place.name))
        try:
            _fill(new, content, old)
            if old is None:
                os.rename(name, place.name, src_dir_fd=beside, dst_dir_fd=beside)
            elif home != beside or not _exchange(beside, name, place.name):
                _one_by_one(new, old, names)
            # Between opening and exchange somebody may have put another folder there: it is put
            # back.
            elif not os.path.samestat(_about(name, beside), os.fstat(old)):
                _exchange(beside, name, place.name)
                raise InputError(f"{place}: cannot be written to: something took its place")
        finally:
            with contextlib.suppress(OSError), _open(name, home) as leftover:
                # Only what is known to be ours is removed, whatever has its name now.
                if any(
                    os.path.sameopenfile(leftover, descriptor)
                    for descriptor in (new, old)
                    if descriptor is not None
                ):
                    _clear(home, name, leftover, names, new)


def _replace_by_path(place: Path, content: Mapping[str, bytes], names: list[str]) -> None:
    """The same where there are no descriptors of folders (Windows)."""
    for name in names:
        path = place / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    # The first of `ours` comes last: without it the others say nothing.
    for name in sorted(content, key=lambda name: names.index(name.split("/")[0]), reverse=True):
        files.write_bytes(place / name, content[name])


@contextlib.contextmanager
def _open(name: str | Path, folder: int | None = None) -> Iterator[int]:
    """A folder by its path; or by its name in another one, in which a link is refused."""
    flags = _FOLDER if folder is None else _FOLDER | _NO_LINK
    descriptor = os.open(name, flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _open_new(name: str, folder: int) -> Iterator[int]:
    """As `_open`, of a folder that was just made: it does not stay if it cannot be opened."""
    with contextlib.ExitStack() as opened:
        try:
            new = opened.enter_context(_open(name, folder))
        except OSError:  # a mask of permissions (`umask`) closes it to the user
            os.rmdir(name, dir_fd=folder)
            raise
        yield new


def _about(name: str, folder: int) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _is_there(name: str, folder: int) -> bool:
    try:
        _about(name, folder)
    except FileNotFoundError:
        return False
    return True


@contextlib.contextmanager
def _temporary(home: int, name: str) -> Iterator[tuple[str, int]]:
    """A new private folder, locked, and its name."""
    while True:
        part = f".{name}.{secrets.token_hex(4)}{files.TEMPORARY}"
        os.mkdir(part, 0o700, dir_fd=home)
        with _open_new(part, home) as new:
            with contextlib.suppress(OSError):  # a file system without locks
                files.lock(new)
            if not _is_there(part, home):
                continue  # between the two steps it was taken for a leftover
            if os.fstat(new).st_uid != os.geteuid():
                raise InputError(f"{part}: belongs to another user")
            yield part, new
            return


def _fill(new: int, content: Mapping[str, bytes], old: int | None) -> None:
    """Write files to a folder that nobody else may enter; they get the permissions of old ones."""
    for path, data in content.items():
        if "/" in path:
            with contextlib.suppress(FileExistsError):
                os.mkdir(os.path.dirname(path), dir_fd=new)
        # `O_EXCL` follows no link.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=new)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
            if old is not None and _is_there(path, old):
                mode = _about(path, old).st_mode
                if stat.S_ISREG(mode):
                    os.fchmod(handle, stat.S_IMODE(mode))
    mode = outputs.new_mode(0o777)
    if old is not None:
        mode = stat.S_IMODE(os.fstat(old).st_mode)
        with contextlib.suppress(OSError):
            os.fchown(new, -1, os.fstat(old).st_gid)  # a folder that a group shares
    # Last: until here nobody else could enter.
    os.fchmod(new, mode)


def _may_change_names(old: int, beside: int) -> bool:
    """Whether a folder can become another one: not the one in which somebody works."""
    is_working_folder = os.path.samestat(os.fstat(old), os.stat("."))
    mounted = os.fstat(old).st_dev != os.fstat(beside).st_dev
    return not (is_working_folder or mounted) and os.access(".", os.W_OK | os.X_OK, dir_fd=beside)


def _exchange(folder: int, one: str, other: str) -> bool:
    """Exchange two names in one step, which only Linux has; False if that is not possible."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    # `RENAME_EXCHANGE` of linux/fs.h.
    exchange = 2
    return rename(folder, os.fsencode(one), folder, os.fsencode(other), exchange) == 0


def _one_by_one(new: int, old: int, names: list[str]) -> None:
    """Move new files to the places of old ones; if that fails, the old ones are put back."""
    os.mkdir(_OLD, dir_fd=new)
    with _open(_OLD, new) as kept:
        old_names = [name for name in names if _is_there(name, old)]
        new_names = [name for name in reversed(names) if _is_there(name, new)]
        try:
            for name in old_names:
                os.rename(name, name, src_dir_fd=old, dst_dir_fd=kept)
            for name in new_names:
                os.rename(name, name, src_dir_fd=new, dst_dir_fd=old)
        except BaseException:
            # What has been moved already goes back, the newest first.
            for name in new_names:
                if not _is_there(name, new):
                    os.rename(name, name, src_dir_fd=old, dst_dir_fd=new)
            for name in reversed(old_names):
                if _is_there(name, kept):
                    os.rename(name, name, src_dir_fd=kept, dst_dir_fd=old)
            raise


def _remove_leftovers(home: int | None, name: str, names: list[str], old: int | None) -> None:
    """Remove the temporary folders of killed processes; those of others that go on are locked."""
    if home is None:
        return
    pattern = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]+{re.escape(files.TEMPORARY)}")
    for part in filter(pattern.fullmatch, os.listdir(home)):
        with contextlib.suppress(OSError), _open(part, home) as descriptor:
            # In a shared folder another user may have made a folder of such a name.
            if os.fstat(descriptor).st_uid == os.geteuid():
                files.lock(descriptor, wait=False)
                _clear(home, part, descriptor, names, old)


def _clear(home: int, name: str, leftover: int, names: list[str], target: int | None) -> None:
    """Remove a folder, whose other files go to the one that has taken its place."""
    for entry in os.listdir(leftover):
        if entry not in (*names, _OLD):
            if target is not None and not _is_there(entry, target):
                os.rename(entry, entry, src_dir_fd=leftover, dst_dir_fd=target)
        elif stat.S_ISDIR(_about(entry, leftover).st_mode):
            shutil.rmtree(entry, dir_fd=leftover)
        else:
            os.unlink(entry, dir_fd=leftover)
    with contextlib.suppress(OSError):  # it still has files of others
        os.rmdir(name, dir_fd=home)
