"""Files that belong together are replaced all at once: the old ones or the new ones, never both."""

import errno
import os
import shutil
from unittest import mock

import pytest

from tb2learn.disk import folders
from tb2learn.types import InputError

OURS = ("first.csv", "second.csv", "third.csv", "tables/")
NEW = {"second.csv": b"new", "first.csv": b"new", "tables/a.csv": b"new"}


def held(folder):
    return {
        one.relative_to(folder).as_posix(): one.read_text()
        for one in folder.rglob("*")
        if one.is_file()
    }


def filled(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"old {name}")
    return held(folder)


def wanted(*others):
    return {name: data.decode() for name, data in NEW.items()} | {n: f"old {n}" for n in others}


@pytest.fixture(params=["exchanged", "one by one"])
def way(request, monkeypatch):
    """Both ways in which new files take the places of old ones."""
    if request.param == "one by one":
        monkeypatch.setattr(folders, "_exchange", lambda *_: False)


@pytest.mark.parametrize(
    "there", [(), ("first.csv", "third.csv"), ("first.csv", "second.csv", "tables/b.csv")]
)
@pytest.mark.parametrize("failing", range(1, 12))
def test_all_or_none_whichever_step_fails(way, there, failing, tmp_path, monkeypatch):
    """A full disk while files are written, or where they take the places of old ones."""
    before = filled(tmp_path / "event", "other", "folder/other", *there)
    steps = iter(range(1, 100))

    def failing_step(step):
        def change(*args, **options):
            if next(steps) == failing:
                raise OSError(errno.ENOSPC, "No space left on device")
            return step(*args, **options)

        return change

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing_step(os.fsync))
        patched.setattr(os, "fchmod", failing_step(os.fchmod))
        patched.setattr(folders, "_exchange", failing_step(folders._exchange))
        patched.setattr(folders, "_one_by_one", failing_step(folders._one_by_one))
        try:
            folders.replace(tmp_path / "event", NEW, OURS)
        except InputError as error:
            assert "No space left" in str(error) and "\n" not in str(error)
            assert failing < next(steps)
            assert held(tmp_path / "event") == before
        else:
            assert failing >= next(steps)
            assert held(tmp_path / "event") == wanted("other", "folder/other")
    assert os.listdir(tmp_path) == ["event"]


@pytest.mark.parametrize("failing", range(1, 8))
def test_one_by_one_what_was_moved_is_put_back(failing, tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "_exchange", lambda *_: False)
    before = filled(tmp_path / "event", "other", "first.csv", "third.csv", "tables/b.csv")
    rename, steps = os.rename, iter(range(1, 100))

    def once(*args, **options):
        if next(steps) == failing:
            raise OSError(errno.ENOSPC, "full")
        rename(*args, **options)

    monkeypatch.setattr(os, "rename", once)
    try:
        folders.replace(tmp_path / "event", NEW, OURS)
    except InputError:
        assert held(tmp_path / "event") == before
    else:
        assert held(tmp_path / "event") == wanted("other") and failing == 7
    assert os.listdir(tmp_path) == ["event"]


def test_a_folder_is_made_or_none_is_left(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", mock.Mock(side_effect=OSError(errno.ENOSPC, "full")))
        with pytest.raises(InputError, match="full"):
            folders.replace(tmp_path / "new", NEW, OURS)
    assert list(tmp_path.iterdir()) == []
    folders.replace(tmp_path / "new", NEW, OURS)
    assert held(tmp_path / "new") == wanted()


def test_permissions_and_other_files_stay(way, tmp_path):
    filled(tmp_path / "event", "first.csv", ".git/head")
    (tmp_path / "event/first.csv").chmod(0o640)
    (tmp_path / "event").chmod(0o750)
    folders.replace(tmp_path / "event", NEW, OURS)
    assert held(tmp_path / "event") == wanted(".git/head")
    assert (tmp_path / "event").stat().st_mode & 0o777 == 0o750
    assert (tmp_path / "event/first.csv").stat().st_mode & 0o777 == 0o640


def test_the_working_folder_stays_the_same_folder(tmp_path, monkeypatch):
    filled(tmp_path / "event", "first.csv", "other")
    monkeypatch.chdir(tmp_path / "event")
    about = os.stat(".")
    folders.replace(folders.Path(), NEW, OURS)
    assert held(folders.Path()) == wanted("other")
    assert os.path.samestat(about, os.stat(tmp_path / "event"))


def test_what_a_killed_process_left_is_removed_but_files_of_others(way, tmp_path):
    filled(tmp_path / "event", "first.csv")
    filled(
        tmp_path / ".event.0123abcd.part", "first.csv", "tables/x", "notes.txt", ".old/second.csv"
    )
    filled(tmp_path / "event/.event.4567abcd.part", "second.csv")
    filled(tmp_path / ".event2.0123abcd.part", "first.csv")
    folders.replace(tmp_path / "event", NEW, OURS)
    assert held(tmp_path / "event") == wanted("notes.txt")
    assert sorted(os.listdir(tmp_path)) == [".event2.0123abcd.part", "event"]
    # A process that goes on holds a lock on its own.
    with folders._open(tmp_path) as beside, folders._temporary(beside, "event") as (name, _):
        folders.replace(tmp_path / "event", NEW, OURS)
        assert name in os.listdir(tmp_path)


@pytest.mark.parametrize("moment", ["fsync", "_exchange", "_may_change_names"])
def test_a_link_that_takes_the_place_of_the_folder_is_not_followed(
    moment, way, tmp_path, monkeypatch
):
    """As somebody may do it who can write to the folder above; the victim's files stay."""
    filled(tmp_path / "event", "first.csv")
    victim = filled(tmp_path / "victim", "first.csv", "second.csv", "tables/b.csv")
    module = os if moment == "fsync" else folders
    step = getattr(module, moment)

    def swapped(*args):
        if not (tmp_path / "away").exists():
            os.rename(tmp_path / "event", tmp_path / "away")
            os.symlink("victim", tmp_path / "event")
        return step(*args)

    monkeypatch.setattr(module, moment, swapped)
    try:
        folders.replace(tmp_path / "event", NEW, OURS)
    except InputError as error:
        assert "event: cannot be written to: something took its place" in str(error)
    assert held(tmp_path / "victim") == victim
    assert (tmp_path / "event").is_symlink()
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]


def test_links_and_folders_of_something_else_are_refused(tmp_path):
    filled(tmp_path / "event", "first.csv")
    os.symlink("event", tmp_path / "link")
    for path in ("link", "link/"):
        with pytest.raises(InputError, match="link: cannot be written to: is a symbolic link"):
            folders.replace(tmp_path / path, NEW, OURS)
    os.symlink("..", tmp_path / "event/tables")
    with pytest.raises(InputError, match="tables: cannot be written to: is not a folder"):
        folders.replace(tmp_path / "event", NEW, OURS)
    filled(tmp_path / "project", "tables/mine.csv")
    with pytest.raises(InputError, match=r"has a folder tables/ but no first.csv: name another"):
        folders.replace(tmp_path / "project", NEW, OURS)
    assert held(tmp_path / "event") == {"first.csv": "old first.csv"}
    assert held(tmp_path / "project") == {"tables/mine.csv": "old tables/mine.csv"}
    shutil.rmtree(tmp_path / "event")
    filled(tmp_path, "event")
    with pytest.raises(InputError, match="is not a folder"):
        folders.replace(tmp_path / "event", NEW, OURS)


def test_a_folder_that_cannot_be_opened_does_not_stay(tmp_path, monkeypatch):
    """As with a mask of permissions that closes new folders to the user."""
    (tmp_path / "old").mkdir()
    opened = folders._open

    def closed(name, *folder):
        if str(name).endswith(".part"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(name, *folder)

    monkeypatch.setattr(folders, "_open", closed)
    for path in ("event", "old/a/event"):
        with pytest.raises(InputError, match="cannot be written to: Permission denied"):
            folders.replace(tmp_path / path, NEW, OURS)
    assert [*tmp_path.rglob("*")] == [tmp_path / "old"]
