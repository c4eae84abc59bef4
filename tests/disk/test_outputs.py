"""What is refused as a place to write to, by name and before the work."""

import os
import socket
from pathlib import Path

import pytest

from tb2learn.disk import files, outputs
from tb2learn.types import InputError


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))  # the whole path may be too long for a socket


HERE = {
    "pipe": (os.mkfifo, "is a pipe, not a file"),
    "folder": (os.mkdir, "is a folder, not a file"),
    "socket": (make_socket, "is a socket, not a file"),
    "link": (lambda path: os.symlink("file", path), "is a symbolic link"),
    "nowhere": (lambda path: os.symlink("none", path), "is a symbolic link"),
    "device": (lambda path: os.symlink("/dev/null", path), "is a symbolic link"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old")
    return tmp_path


@pytest.mark.parametrize("name", HERE)
def test_what_is_no_file_is_neither_followed_nor_replaced(name, folder):
    make, reason = HERE[name]
    make(folder / name)
    kind = os.lstat(folder / name)
    assert reason in outputs.why_no_file(folder / name)
    with pytest.raises(InputError, match=rf"{name}: cannot be written: {reason}"):
        files.write_bytes(folder / name, b"new")
    assert os.lstat(folder / name) == kind
    assert (folder / "file").read_text() == "old" and not (folder / "none").exists()


@pytest.mark.parametrize("path", ["/dev/null", "/dev/full"])
def test_devices(path):
    assert outputs.why_no_file(path) == "is a device, not a file"
    assert outputs.why_no_folder(path) == f"{path} is not a folder"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("file/x", "file is not a folder"),
        ("file/x/y", "file is not a folder"),
        ("x" * 201, "its name must be at most 200 bytes"),
        ("é" * 101, "its name must be at most 200 bytes"),
        ("x" * 300 + "/y", "File name too long"),
        ("a\0b", "embedded null byte"),
        ("a\0b/c", "embedded null byte"),
    ],
)
def test_paths_that_cannot_be(path, reason, folder):
    assert outputs.why_no_file(path) == reason
    if "/" in path:
        assert outputs.why_no_folder(os.path.dirname(path)) == reason
        with pytest.raises(InputError, match="cannot be written to"):
            files.check_folder(Path(os.path.dirname(path)))


def test_what_is_read_only(folder, monkeypatch):
    # Whoever runs the tests as the superuser may write to anything.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert outputs.why_no_file("file") == "is read-only"
    assert outputs.why_no_file("new") == ". may not be written to"
    assert outputs.why_no_folder("a/b") == ". may not be written to"


def test_a_folder_that_is_a_link_to_nothing(folder):
    os.symlink("none", folder / "nowhere")
    assert outputs.why_no_folder("nowhere/x") == "No such file or directory"
