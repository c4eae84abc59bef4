"""Compiled programs are kept: the second run compiles nothing, and its results are the same."""

import os
import subprocess
import sys

import pytest
from cli_samples import CONFIG
from helpers import PASSES_TOML

from tb2learn.running import compile_cache
from tb2learn.types import InputError

# Counts requests for a compiled program, those met from the cache, and those that were compiled
# and kept.
PROGRAM = """
import collections, sys
import jax
seen = collections.Counter()
jax.monitoring.register_event_listener(lambda name, **_: seen.update([name.split("/")[-1]]))
from tb2learn.cli import main
status = main(sys.argv[1:])
counted = ("compile_requests_use_cache", "cache_hits", "cache_misses")
print("counted", *(seen[name] for name in counted), file=sys.stderr)
sys.exit(status)
"""
JUDGE = ("assess", "product", "--on", "small-20x7", "--events", "20")


@pytest.fixture
def run(tmp_path):
    """Runs a command in a process of its own: its output, its notes, its three counts."""

    def run(*arguments, **environment):
        ours = {name: value for name, value in os.environ.items() if "CACHE" not in name}
        ours |= {"TB2LEARN_CACHE_DIR": str(tmp_path / "cache"), **environment}
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=tmp_path,
            env={name: value for name, value in ours.items() if value is not None},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        *said, last = result.stderr.splitlines()
        notes = [line for line in said if line.startswith("tb2learn: note")]
        return result.stdout, notes, tuple(map(int, last.split()[1:]))

    return run


def files_of(folder):
    return {path.name: path.stat().st_size for path in folder.glob("*-cache")}


@pytest.mark.slow
@pytest.mark.parametrize("config", [CONFIG, PASSES_TOML], ids=["a log", "passes"])
def test_training_and_assessing_again_compile_nothing(run, tmp_path, config):
    (tmp_path / "tiny.toml").write_text(config)

    def once(folder):
        train = run("train", "tiny.toml", "--out", f"{folder}/tiny")
        judge = run("assess", f"{folder}/tiny.npz", "--events", "20", "--json", "-")
        written = (tmp_path / folder / "tiny.npz").read_bytes()
        return (written, judge[0]), train[2], judge[2]

    first, *counts = once("first")
    for asked, met, compiled in counts:
        assert compiled > 0 and asked == met + compiled
    kept = files_of(tmp_path / "cache" / "programs")
    assert len(kept) == sum(compiled for *_, compiled in counts)

    second, *counts = once("second")
    for asked, met, compiled in counts:
        assert asked == met > 0 and compiled == 0
    assert files_of(tmp_path / "cache" / "programs") == kept
    assert first == second


@pytest.mark.slow
def test_folders_that_cannot_be_used_cost_time_only(run, tmp_path):
    (tmp_path / "file").write_text("x")
    shown, notes, counts = run(*JUDGE, TB2LEARN_CACHE_DIR=str(tmp_path / "file"))
    assert "product" in shown and counts[1:] == (0, 0)
    folder = tmp_path / "file" / "programs"
    assert notes[0] == f"tb2learn: note: no compiled programs are kept in {folder}: Not a directory"
    # Nobody asked for the folder of the user: no need to speak of it.
    default = {"TB2LEARN_CACHE_DIR": None, "XDG_CACHE_HOME": str(tmp_path / "file")}
    assert run(*JUDGE, **default) == (shown, notes[1:], counts)
    assert run(*JUDGE, TB2LEARN_CACHE_DIR="") == (shown, notes[1:], counts)


def why_not(folder):
    """Why no programs are kept in a folder; empty if they are."""
    try:
        with compile_cache._opened(folder) as descriptor:
            compile_cache._trim(descriptor)
    except (InputError, OSError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


unix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions as Unix has them")


@unix
def test_new_folders_that_are_closed_to_the_user_do_not_stay(tmp_path, monkeypatch):
    """As with the mask of permissions 0777, which does not bind the administrator."""
    made = os.mkdir

    def mkdir(name, *arguments, **options):
        if name == "programs":
            raise PermissionError(13, "Permission denied")
        made(name, *arguments, **options)

    monkeypatch.setattr(compile_cache.os, "mkdir", mkdir)
    assert why_not(tmp_path / "above" / "cache" / "programs") == "Permission denied"
    assert not (tmp_path / "above").exists()


@unix
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path):
    """What lies there would be executed; whoever may write to one above can put another there."""
    above = tmp_path / "above"
    folder = above / "cache" / "programs"
    assert why_not(folder) == "" and folder.stat().st_mode & 0o777 == 0o700
    for place in (folder, above):
        for mode in (0o770, 0o707, 0o777):
            place.chmod(mode)
            assert f"{place}: others may write to it" in why_not(folder)
        place.chmod(0o755)
        assert why_not(folder) == ""
    above.chmod(0o1777)  # nobody may remove or rename what is another's there
    assert why_not(folder) == ""
    folder.chmod(0o1777)
    assert "others may write to it" in why_not(folder)
    folder.chmod(0o700)
    if os.getuid() == 0:
        for place in (folder, above):
            os.chown(place, 12345, -1)
            assert f"{place}: belongs to another user" in why_not(folder)
            os.chown(place, 0, -1)


PROGRAM_NAME = f"jit_play-{64 * '0'}-cache"


@unix
def test_nothing_is_removed_but_old_programs_of_this_program(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "MAX_BYTES", 2500)

    def filled(folder, *names):
        folder.mkdir(parents=True, exist_ok=True)
        for age, name in enumerate(names):
            (folder / name).write_bytes(bytes(1000))
            os.utime(folder / name, (age, age))
        return set(names)

    theirs = tmp_path / "project" / "programs"
    names = filled(theirs, "thesis.doc", PROGRAM_NAME, *map(str, range(5)))
    assert why_not(theirs) == "it has files of another program; name another folder"
    assert set(os.listdir(theirs)) == names

    (tmp_path / "link").mkdir()
    os.symlink(theirs, tmp_path / "link" / "programs")
    assert why_not(tmp_path / "link" / "programs") == "Not a directory"
    assert set(os.listdir(theirs)) == names

    ours = tmp_path / "cache" / "programs"
    assert why_not(ours) == ""
    programs = [PROGRAM_NAME.replace("0-", f"{number}-") for number in range(4)]
    names = filled(ours, "thesis.doc", *programs)
    os.symlink(theirs / "thesis.doc", ours / PROGRAM_NAME.replace("play", "link"))
    assert why_not(ours) == ""
    assert {*os.listdir(ours)} & names == {"thesis.doc", programs[-1]}
    assert (ours / PROGRAM_NAME.replace("play", "link")).is_symlink()
