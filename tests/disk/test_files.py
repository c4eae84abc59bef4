"""Files are written whole or not at all, and read without trust."""

import errno
import io
import os
import zipfile
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from tb2learn.disk import files, inputs
from tb2learn.types import InputError

OLD, NEW = b"old content", b"new content"


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "file.bin"
    path.write_bytes(OLD)
    return path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_write(target):
    files.write_bytes(target, NEW)
    assert target.read_bytes() == NEW
    files.write_bytes(target, b"")
    assert target.read_bytes() == b""
    assert names(target.parent) == ["file.bin"]


def test_write_makes_folders(tmp_path):
    path = tmp_path / "a" / "b" / "file.txt"
    files.write_text(path, "Náray\n½")
    assert path.read_bytes() == "Náray\n½".encode()
    assert names(path.parent) == ["file.txt"]


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_new_files_have_ordinary_permissions(umask, target):
    before = os.umask(umask)
    try:
        files.write_bytes(target.with_name("new"), NEW)
        assert target.with_name("new").stat().st_mode & 0o777 == 0o666 & ~umask
        assert os.umask(umask) == umask
    finally:
        os.umask(before)


@pytest.mark.parametrize("mode", [0o600, 0o750])
def test_a_file_that_was_there_keeps_its_permissions(mode, target):
    target.chmod(mode)
    files.write_bytes(target, NEW)
    assert target.stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize(
    ("inside", "reason"), [("x.bin", ""), ("folder/x.bin", r".*file\.bin is not a folder")]
)
def test_a_folder_is_a_file(target, inside, reason):
    with pytest.raises(InputError, match=f"^{target / inside}: cannot be written: {reason}"):
        files.write_bytes(target / inside, NEW)
    assert target.read_bytes() == OLD and names(target.parent) == ["file.bin"]


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize(
    ("error", "raised", "line"),
    [
        (OSError(errno.ENOSPC, "Full"), InputError, r"file\.bin: cannot be written: Full$"),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
    ],
    ids=["full", "interrupted"],
)
def test_failure_on_the_way(step, error, raised, line, target, monkeypatch):
    monkeypatch.setattr(files.os, step, mock.Mock(side_effect=error))
    with pytest.raises(raised, match=line):
        files.write_bytes(target, NEW)
    assert target.read_bytes() == OLD and names(target.parent) == ["file.bin"]


def test_a_write_removes_what_a_killed_one_left_and_no_write_that_goes_on(target, monkeypatch):
    target.with_name(".file.bin.abcd1234.part").write_bytes(b"torn")
    rename, between = os.replace, []

    def look(source, destination):
        if not between:
            between.append(names(target.parent))
            files.write_bytes(target, b"of another process")
            assert Path(source).read_bytes() == NEW
        rename(source, destination)

    monkeypatch.setattr(files.os, "replace", look)
    files.write_bytes(target, NEW)
    assert len(between[0]) == 2 and ".file.bin.abcd1234.part" not in between[0]
    assert target.read_bytes() == NEW and names(target.parent) == ["file.bin"]


# --- arrays ---------------------------------------------------------------------------------------

some_arrays = st.dictionaries(
    st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda name: name != "header"),
    arrays_of.arrays(
        st.sampled_from([np.int64, np.int32, np.float64, bool]),
        arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    ),
    max_size=3,
)
headers = st.dictionaries(
    st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=5), max_size=4
)


@given(some_arrays, headers)
def test_arrays_round_trip(tmp_path_factory, arrays, header):
    path = tmp_path_factory.getbasetemp() / "arrays.npz"
    files.write_arrays(path, arrays, header)
    again, header_again = files.read_arrays(path)
    assert header_again == header
    assert set(again) == set(arrays)
    for name, array in arrays.items():
        assert again[name].dtype == array.dtype and again[name].shape == array.shape
        np.testing.assert_array_equal(again[name], array)
    assert files.pack_arrays(again, header_again) == path.read_bytes()


def test_content_that_unpacks_to_more_than_the_limit(tmp_path):
    path = tmp_path / "zeros.npz"
    files.write_arrays(path, {"zeros": np.zeros(1_000_000, np.int64)}, {})
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"zeros\.npz: larger than 1000000 bytes unpacked"):
        files.read_arrays(path, limit=1_000_000)
    assert files.read_arrays(path)[0]["zeros"].shape == (1_000_000,)


def test_everything_is_under_the_checksum(tmp_path):
    path = tmp_path / "arrays.npz"
    files.write_arrays(path, {"a": np.arange(3), "b": np.arange(3)}, {"x": 1})
    with np.load(path) as content:
        whole = {name: content[name] for name in content.files}
    for change in (
        {"a": np.arange(4)},
        {"a": np.arange(3, dtype=np.int32)},
        {"c": np.arange(3)},
        {"header": np.frombuffer(b'{"x": 2}', np.uint8)},
        {"checksum": whole["checksum"][::-1]},
        {"checksum": np.zeros(0)},
    ):
        np.savez(path, **whole | change)
        with pytest.raises(InputError, match=r"arrays\.npz: its checksum does not fit"):
            files.read_arrays(path)
    for name in ("a", "b"):
        np.savez(path, **{key: array for key, array in whole.items() if key != name})
        with pytest.raises(InputError, match=r"arrays\.npz: its checksum does not fit"):
            files.read_arrays(path)
    np.savez(path, **{{"b": "c"}.get(key, key): array for key, array in whole.items()})
    with pytest.raises(InputError, match=r"arrays\.npz: its checksum does not fit"):
        files.read_arrays(path)
    np.savez(path, **{key: array for key, array in whole.items() if key != "checksum"})
    with pytest.raises(files.NoChecksum):
        files.read_arrays(path)
    np.savez(path, **whole)
    assert files.read_arrays(path)[1] == {"x": 1}


# --- files that are damaged or hostile ------------------------------------------------------------

COUNTS = np.arange(405, dtype=np.int64).reshape(9, 9, 5)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "counts.npz"
    files.write_arrays(path, {"counts": COUNTS}, {"schema": 1})
    return path


def refused(path, data):
    """Reading these bytes raises one line that begins with the file's name."""
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        files.read_arrays(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message


def test_truncated_files(saved):
    data = saved.read_bytes()
    for length in [*range(200), *range(200, len(data), 7), len(data) - 1]:
        refused(saved, data[:length])
    for garbage in (b"{}", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", bytes(10_000), data[100:]):
        refused(saved, garbage)


@pytest.mark.parametrize("path", ["none.npz", "folder", "counts.npz/a.npz", f"{'x' * 300}.npz"])
def test_files_that_cannot_be_read(path, saved):
    (saved.parent / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be read: ") as caught:
        files.read_arrays(saved.parent / path)
    assert str(saved.parent / path) in str(caught.value)


def test_files_with_one_wrong_byte(saved):
    # Either it does not matter, or it is refused by name, or an array has lost its name.
    data = saved.read_bytes()
    for i in range(0, len(data), 3):
        wrong = bytearray(data)
        wrong[i] ^= 0x10
        saved.write_bytes(wrong)
        try:
            arrays, _ = files.read_arrays(saved)
        except InputError as error:
            assert str(saved) in str(error)
        else:
            for array in arrays.values():
                np.testing.assert_array_equal(array, COUNTS)


def archive(**members):
    """A zip file with these members, arrays as numpy writes them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, content in members.items():
            if isinstance(content, np.ndarray):
                member = io.BytesIO()
                np.save(member, content, allow_pickle=True)
                target.writestr(f"{name}.npy", member.getvalue())
            else:
                target.writestr(name, content)
    return buffer.getvalue()


def npy(descr, shape):
    """The bytes of an array whose header says this, and no data."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00\x76\x00" + text.ljust(117) + b"\n"


HEADER = np.frombuffer(b"{}", np.uint8)


@pytest.mark.parametrize(
    "members",
    [
        {"counts": COUNTS},  # no header
        {"header": b"{}", "counts": COUNTS},  # no array: without the name's .npy
        {"header": HEADER, "counts.npy": npy("'<i8'", "(100000000000000,)")},  # 728 TiB
        {"header": HEADER, "counts.npy": npy("('<i8", "(9, 9, 5)")},
        {"header": np.frombuffer(b"[" * 100_000, np.uint8)},
        {"header": np.frombuffer(b"{", np.uint8)},
        {"header": np.frombuffer(b'{"progress": ' + 5000 * b"1" + b"}", np.uint8)},
        {"header": HEADER, "evil": np.array([{}], object)},  # a pickle
    ],
    ids=lambda members: ascii(members)[:60],
)
def test_hostile_files(members, saved):
    refused(saved, archive(**members))


def test_what_a_path_is(tmp_path):
    """A file, a folder, nothing, and what no path can be."""
    (tmp_path / "file").write_text("x")
    files_of = [tmp_path / "file", tmp_path, tmp_path / "none", tmp_path / "file" / "x", "a\0b"]
    assert [inputs.is_file(path) for path in files_of] == [True, *[False] * 4]
    assert [inputs.is_folder(path) for path in files_of] == [False, True, *[False] * 3]


def test_a_limit_is_the_most_that_a_file_may_have(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert inputs.read_bytes(path, 5) == inputs.read_own_bytes(path, 5) == b"12345"
    for read in (inputs.read_bytes, inputs.read_own_bytes):
        with pytest.raises(InputError, match="must be at most 4 bytes, has more"):
            read(path, 4)


def test_a_folder_is_made_where_there_is_none(tmp_path):
    for _ in range(2):  # it may be there, too
        files.check_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_folders_that_were_made_for_nothing_do_not_stay(tmp_path, monkeypatch):
    """As with a mask of permissions that closes new folders to the user."""

    def closed(*_, **__):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "old").mkdir()
    monkeypatch.setattr(files.tempfile, "mkstemp", closed)
    for path in ("a/b/x", "old/c/x"):
        with pytest.raises(InputError, match="cannot be written: Permission denied"):
            files.write_text(tmp_path / path, "x")
    monkeypatch.setattr(files.tempfile, "TemporaryFile", closed)
    with pytest.raises(InputError, match="cannot be written to: Permission denied"):
        files.check_folder(tmp_path / "d")
    assert [*tmp_path.rglob("*")] == [tmp_path / "old"]
