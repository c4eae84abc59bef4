"""The end of a run, killed at every system call: the old file or the new one, and no litter."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from helpers import PATIENCE, ROOT

PROGRAM = """
import ctypes, dataclasses, json, os, shutil, signal, sys
from pathlib import Path
import numpy as np
from tb2learn.disk import folders
from tb2learn.running.runs import Run
from tb2learn.training import checkpoint

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long] * 4
TRACE_ME, SYSCALL, SET_OPTIONS, DIE_WITH_TRACER, MARK_CALLS = 0, 24, 0x4200, 0x100000, 1
CALL = signal.SIGTRAP | 0x80

def calls(work, kill_at=None):
    "Do some work in a process of its own, killed as it enters a system call; the calls it entered."
    child = os.fork()
    if not child:
        try:
            if libc.ptrace(TRACE_ME, 0, 0, 0):
                os._exit(77)
            os.kill(os.getpid(), signal.SIGSTOP)
            work()
            os._exit(0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    libc.ptrace(SET_OPTIONS, child, 0, DIE_WITH_TRACER | MARK_CALLS)
    stops = 0
    while True:
        libc.ptrace(SYSCALL, child, 0, 0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            assert status in ([0] if kill_at is None else [signal.SIGKILL, 0]), status
            return stops // 2
        if os.WSTOPSIG(status) == CALL:
            stops += 1  # one as it enters a call, one as it leaves it
            if kill_at is not None and stops == 2 * kill_at + 1:
                os.kill(child, signal.SIGKILL)

folder = Path("folder")
new = dataclasses.replace(checkpoint.load(sys.argv[1]), name="mine")
old = dataclasses.replace(new, version="old")
total = np.arange(5)

tables = {"matches.csv": b"new", "tables/a.csv": b"new"}
stale = {**dict.fromkeys(tables, b"old"), "teams.csv": b"old", "notes.txt": b"of somebody"}

def finish():
    "The last write; or all of the end of a run in which everything is counted."
    if sys.argv[2] == "folder":
        folders.replace(folder / "event", tables, ["matches.csv", "teams.csv", "tables/"])
        return
    if sys.argv[2] == "write":
        checkpoint.save(new, folder)
        return
    with Run(folder / "mine", {}, resume=True) as run:
        run.record("train", 5, 5, run.start("train", 5, total)[1])
        run.all_counted()
        checkpoint.save(new, folder)

def content():
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}

def prepare(before):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if before == "one file":
        checkpoint.save(old, folder)
    if before == "tables":
        for name, data in stale.items():
            path = folder / "event" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

def loaded():
    "The version of what is there as it is read; None for nothing."
    if sys.argv[2] == "folder":
        ours = {k.removeprefix("event/"): v for k, v in content().items() if k.startswith("event/")}
        ours.pop("notes.txt", None)
        assert b"of somebody" in content().values() or "tables" not in sys.argv[3:]
        held = [(None, {}), ("old", {k: v for k, v in stale.items() if k != "notes.txt"})]
        return next(one for one, files in [*held, (new.version, tables)] if files == ours)
    return checkpoint.load(folder / "mine.npz").version if (folder / "mine.npz").exists() else None

found = {}
for before in sys.argv[3:]:
    prepare(before)
    was = loaded()
    count = calls(finish)
    expected = content()
    assert loaded() == new.version and len(expected) == (1 if "mine.npz" in expected else 3)
    seen = []
    for call in range(count):
        prepare(before)
        calls(finish, call)
        seen.append(loaded())
        assert seen[-1] in (was, new.version), (before, call)
        finish()
        assert content() == expected, (before, call, list(content()))
    found[before] = [count, seen.count(was), seen.count(new.version)]
print(json.dumps(found))
"""


def killed_at_every_call(folder, what, *before):
    """How many calls there are, and how many of the kills left the old and the new file."""
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, "formula-38x9", what, *before]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode == 77:
        pytest.skip("processes may not be traced here")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert list(found) == list(before)
    for count, old, new in found.values():
        assert old + new == count
        assert old and new  # the call that renames the file is among them
    return found


traced = pytest.mark.skipif(sys.platform != "linux", reason="processes are traced as Linux does it")


@pytest.mark.thorough
@traced
def test_a_write_that_is_killed_at_any_system_call(tmp_path):
    """Which calls there are is found by tracing the process, not from a list."""
    assert killed_at_every_call(tmp_path, "write", "one file")["one file"][0] > 20


@pytest.mark.thorough
@traced
def test_a_folder_that_is_replaced_is_the_old_or_the_new_one_at_any_system_call(tmp_path):
    assert killed_at_every_call(tmp_path, "folder", "tables")["tables"][0] > 40


@traced
@pytest.mark.slow
def test_a_run_that_is_killed_at_any_system_call_of_its_end(tmp_path):
    found = killed_at_every_call(tmp_path, "run", "nothing", "one file")
    assert all(count > 60 for count, _, _ in found.values())


# A dossier takes minutes; its folder is put in place as that of `convert`.
COMMANDS = {
    "train": ("train", "small-20x7", "--events", 20_000, "--out", "made/t"),
    "assess": ("assess", "product", "--on", "small-20x7", "--events", 3000, "--json", "made/a"),
    "convert": ("convert", "baku2016", "made", "--overwrite"),
    "convert a file": ("convert", "baku2016", "made/b.trf", "--overwrite"),
    "export": ("export", "formula-38x9", "--out", "made", "--format", "csv,json,xlsx,html,pdf"),
    "forecast": ("forecast", "baku2016", "--continuations", 9, "--after", 9, "--out", "made/x.csv"),
    "study": ("studies.multi_tier", "--events", 300, "--out", "made"),
}  # fmt: skip
RESUMED = ("train", "assess")


def made(folder):
    found = (path for path in (folder / "made").rglob("*") if path.is_file())
    return {path.relative_to(folder / "made").as_posix(): path.read_bytes() for path in found}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_that_are_killed_at_twenty_random_moments(name, tmp_path):
    """What was there stays whole; the command then ends with the same bytes, without litter."""
    first, *rest = COMMANDS[name]
    run = ["-m", first] if first.startswith("studies.") else ["-m", "tb2learn", first]
    command = [sys.executable, "-W", "ignore", *run, *map(str, rest)]
    if name in RESUMED:
        command += ["--resume", "--save-every", "0.2"]
    settings = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TB2LEARN_CACHE_DIR": str(tmp_path / "cache"),
    }

    def start():
        return subprocess.Popen(
            command, cwd=tmp_path, env=settings, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def finish():
        process = start()
        assert (process.communicate(timeout=PATIENCE)[1], process.returncode)[1] == 0
        return made(tmp_path)

    finish()
    begun = time.monotonic()
    expected = finish()  # with compiled programs kept, as those that are killed have them
    seconds, moments, killed = time.monotonic() - begun, random.Random(7), 0
    (tmp_path / "made" / "notes.txt").write_text("of somebody")
    kept = {**expected, "notes.txt": b"of somebody"}
    for _ in range(20):
        process = start()
        time.sleep(seconds * moments.random())
        killed += process.poll() is None
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        left = {k: v for k, v in made(tmp_path).items() if not k.startswith(".")}
        left = {k: v for k, v in left.items() if not k.endswith(".progress")}
        assert left.items() <= kept.items() and left.keys() >= expected.keys()
    assert killed
    assert finish() == kept
    assert {path.name for path in tmp_path.iterdir()} <= {"made", "cache"}
