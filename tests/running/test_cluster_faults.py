"""What goes wrong on a cluster: workers, the scheduler and the client end; strangers join."""

import os
import random
import shutil
import subprocess
import sys
import time

import pytest
from helpers import PATIENCE, ROOT
from machines import Machines, end, until

pytestmark = pytest.mark.slow

EVENTS = 100_000
TRAIN = ("train", "small-20x7", "--events", EVENTS, "--save-every", 0.1, "--out")


def start(*arguments, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "tb2learn.cli", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        start_new_session=True, env={**os.environ, **environment},
    )  # fmt: skip


def finish(process, status=0):
    """What a command has said on both streams."""
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, errors
    assert "Traceback" not in errors and "distributed" not in errors
    return out, errors


def refused(process, status=2):
    """The last line of a command that ends in one line."""
    out, errors = finish(process, status)
    assert out == ""
    return errors.rpartition("\n")[0].rpartition("\n")[2]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The table that one machine trains."""
    folder = tmp_path_factory.mktemp("alone")
    finish(start(*TRAIN, folder / "t"))
    return (folder / "t.npz").read_bytes()


@pytest.fixture
def machines(tmp_path):
    with Machines(tmp_path) as machines:
        yield machines


def test_a_worker_is_killed_at_ten_random_moments_and_another_joins(machines, alone, tmp_path):
    chosen, workers = random.Random(7), [machines.worker(), machines.worker()]
    begun = time.monotonic()
    finish(start(*TRAIN, tmp_path / "first" / "t", "--cluster", machines.address))
    seconds, told = time.monotonic() - begun, 0
    for number in range(10):
        run = start(*TRAIN, tmp_path / str(number) / "t", "--cluster", machines.file)
        time.sleep(seconds * chosen.random())
        end(workers.pop(0))
        workers.append(machines.worker())  # which joins late
        errors = finish(run)[1]
        told += "tb2learn: 1 worker was lost; others played its events" in errors
        assert [path.name for path in (tmp_path / str(number)).iterdir()] == ["t.npz"]
        assert (tmp_path / str(number) / "t.npz").read_bytes() == alone
    assert told  # A worker that ends before or after all is played is not missed.


@pytest.mark.parametrize("go_on", [(), ("--cluster",)])
def test_a_scheduler_that_dies_leaves_progress(machines, alone, tmp_path, go_on):
    machines.worker()
    command = (*TRAIN, tmp_path / "t", "--cluster", machines.address)
    run = start(*command)
    until((tmp_path / "t.progress").exists, run)
    end(machines.scheduler)
    line = refused(run, 130)
    assert line == (
        "tb2learn: the scheduler of the cluster has ended or cannot be reached; what was counted "
        f"is kept in {tmp_path / 't.progress'}; to resume: tb2learn "
        f"{' '.join(map(str, command))} --resume, or the same without --cluster"
    )
    if not go_on:
        finish(start(*TRAIN, tmp_path / "t", "--resume"))
    else:
        (tmp_path / "again").mkdir()
        with Machines(tmp_path / "again") as others:
            others.worker()
            finish(start(*TRAIN, tmp_path / "t", "--resume", "--cluster", others.address))
    assert (tmp_path / "t.npz").read_bytes() == alone
    assert not (tmp_path / "t.progress").exists()


@pytest.fixture
def other(tmp_path):
    """The folder of another program of the same version."""
    shutil.copytree(ROOT / "tb2learn", tmp_path / "other" / "tb2learn")
    with (tmp_path / "other" / "tb2learn" / "stats.py").open("a") as file:
        file.write("# another\n")
    return tmp_path / "other"


def test_a_worker_with_another_program_is_refused(machines, other, tmp_path):
    machines.worker()
    strange = machines.worker(program=other)
    line = refused(start(*TRAIN, tmp_path / "t", "--cluster", machines.address))
    assert line.startswith("tb2learn: error: worker tcp://127.0.0.1:")
    assert " differs from this process: its code is '" in line
    assert not list(tmp_path.glob("t*"))
    end(strange)
    # The same when it joins later, before its first task.
    run = start(*TRAIN, tmp_path / "t", "--cluster", machines.address)
    until((tmp_path / "t.progress").exists, run)
    machines.worker(program=other)
    line = refused(run)
    assert " differs from this process: its code is '" in line
    assert line.endswith(f"; what was counted is kept in {tmp_path / 't.progress'}")
