"""What has been counted survives: stops, kills, full disks; and no result tells of them."""

import contextlib
import errno
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import jax
import numpy as np
import pytest
from helpers import PATIENCE
from machines import until

from tb2learn import cli
from tb2learn.assessment import error_rates
from tb2learn.config import Config, EventFormat
from tb2learn.disk import files
from tb2learn.export import error_words
from tb2learn.report import assessment
from tb2learn.running import runs
from tb2learn.running.cluster import ClusterLost
from tb2learn.running.runs import Run, Stopped, are_totals, state_folder
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.training import checkpoint
from tb2learn.types import InputError

ABOUT = {
    "version": "1.0",
    "command": "train",
    "config": {"event": {"teams": 5}, "field": {"ratings": (1,) * 30}, "train": {"seed": 1}},
}
ZERO = (np.zeros((2, 3), np.int64), np.zeros(4, np.int64))
EVENTS = 10


def terminated(number, frame):
    raise AssertionError("SIGTERM came through")


@pytest.fixture(autouse=True)
def handlers():
    """No test leaves a handler behind, and none depends on what the tests' starter ignores."""
    ours = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: terminated}
    before = {number: signal.signal(number, handler) for number, handler in ours.items()}
    yield
    after = {number: signal.getsignal(number) for number in ours}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == ours


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mine.progress"


def count(run, after=None, sent=signal.SIGINT):
    """Count events without playing any; a signal comes while event number `after` is counted."""
    done, total = run.start("train", EVENTS, ZERO)
    for event in range(done, EVENTS):
        total = tuple(
            part + (event + 1) * np.arange(part.size).reshape(part.shape) for part in total
        )
        if event + 1 == after:
            signal.raise_signal(sent)
        run.record("train", event + 1, EVENTS, total)
    return total


TOTAL = tuple(55 * np.arange(part.size).reshape(part.shape) for part in ZERO)


def same(one, other):
    jax.tree.map(np.testing.assert_array_equal, one, other)
    return jax.tree.structure(one) == jax.tree.structure(other)


def stop(path, about=ABOUT, after=4):
    """Leave the progress of a run that was stopped."""
    with pytest.raises(Stopped), Run(path, about) as run:
        count(run, after)


def counted(path):
    """How many events are counted, by stage, as the file has it."""
    return {stage: done for stage, (done, _) in files.read_arrays(path)[1]["stages"].items()}


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def refused(path, about=ABOUT, resume=True):
    """Enter a run that must be refused, with nothing on disk changed; return its one line."""
    before = contents(path.parent)
    with pytest.raises(InputError) as caught, Run(path, about, resume) as run:
        run.start("train", EVENTS, ZERO)
    assert contents(path.parent) == before
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def test_totals_are_kept_every_so_many_seconds(path, monkeypatch):
    """A minute after they were kept last, not before."""
    now, kept = [1000.0], []
    monkeypatch.setattr(runs.time, "monotonic", lambda: now[0])
    with Run(path, ABOUT) as run:
        run.start("train", EVENTS, ZERO)
        for seconds in (0, 59.5, 60, 60.5, 119.5, 120.5):
            now[0] = 1000 + seconds
            run.record("train", len(kept) + 1, EVENTS, ZERO)
            kept.append(counted(path)["train"] if path.exists() else 0)
    assert kept == [0, 0, 3, 3, 3, 6]


@pytest.mark.parametrize(
    ("found", "events", "signed", "expected"),
    [
        ([3, 0], 1, False, True), ([-1, 0], 1, False, False), ([-1, 0], 1, True, True),
        ([2**31, 0], 1, False, True), ([2**31 + 1, 0], 1, False, False),
        ([2**31 + 1, 0], 2, False, True), ([0, 0], 0, False, True), ([1, 0], 0, False, False),
        ([1], 1, False, False), ([1.0, 0.0], 1, False, False),
    ],
)  # fmt: skip
def test_what_can_be_totals(found, events, signed, expected):
    """Of counts of 32 bits an event; sums of products may be negative."""
    assert are_totals([np.array(found)], [np.zeros(2, int)], events, signed) is expected
    assert not are_totals([np.array(found)] * 2, [np.zeros(2, int)], events, signed)
    assert not are_totals([found], [np.zeros(2, int)], events, signed)


# --- stop and go on -------------------------------------------------------------------------------

CONFIG = Config("tiny", event=EventFormat(teams=3, rounds=1, boards=1))
STAGES = {Purpose.TRAIN: 11, Purpose.HELD_OUT: 5}


def points(key, event, config, args):
    return {"points": event.match_points, "events": 1}


def by_third(numbers, measured):
    """Totals that depend on the numbers of the events, not only on the events."""
    sums = np.zeros((3, measured["points"].shape[1]), np.int64)
    np.add.at(sums, numbers % 3, measured["points"])
    return sums


def play(tally, batch, run=None):
    """Two stages; events and batches are dealt to all devices alike, however many there are."""
    devices = jax.local_device_count()
    return [
        sum_events(
            CONFIG.setting,
            Measurement(points, tally),
            EventRange(3, purpose, events * devices),
            batch=batch * devices,
            progress=Progress(run=run),
        )
        for purpose, events in STAGES.items()
    ]


class Interrupted(Run):
    """A run that is sent a signal while a batch is counted; it counts its batches, too."""

    def __init__(self, *args, after=None, sent=signal.SIGINT, **options):
        super().__init__(*args, **options)
        self.batches, self.after, self.sent = 0, after, sent

    def record(self, *args):
        self.batches += 1
        if self.batches == self.after:
            signal.raise_signal(self.sent)
        super().record(*args)


@pytest.mark.thorough
def test_a_stopped_run_goes_on(path):
    """Also in batches of another size, and with totals that depend on the numbers of the events."""
    tally, batch = by_third, 3
    undisturbed = play(tally, 2)
    devices = jax.local_device_count()
    for after in range(1, 10):
        # Batches of two: six for the first stage, three for the second.
        first, second = min(2 * after, 11), min(max(2 * (after - 6), 0), 5)
        with pytest.raises(Stopped) as caught, Interrupted(path, ABOUT, after=after) as run:
            play(tally, 2, run)
        done, events, stage = (second, 5, "held_out") if second else (first, 11, "train")
        assert str(caught.value) == (
            f"stopped after {done * devices:,} of {events * devices:,} events ({stage}), "
            f"kept in {path}"
        )
        assert list(contents(path.parent)) == [path.name]
        with Interrupted(path, ABOUT, resume=True) as run:
            assert same(play(tally, batch, run), undisturbed)
        # Nothing was counted twice, and nothing again.
        assert run.batches == -(-(11 - first) // batch) + -(-(5 - second) // batch)
        assert not contents(path.parent)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_finishes_the_batch(path, sent, capsys):
    with pytest.raises(Stopped, match=r"^stopped after 4 of 10 events \(train\), kept in "):
        with Run(path, ABOUT) as run:
            count(run, 4, sent)
    assert "again to stop at once" in capsys.readouterr().err
    assert counted(path) == {"train": 4}
    with Run(path, ABOUT, resume=True) as run:
        assert run.start("train", EVENTS, ZERO)[0] == 4
        assert same(count(run), TOTAL)


def test_the_second_interrupt_is_an_ordinary_one(path):
    def interrupt_twice(run):
        signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGTERM) is terminated
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), Run(path, ABOUT) as run:
        interrupt_twice(run)
    assert not contents(path.parent)  # nothing was counted, nothing is claimed

    stop(path)
    line = f"^interrupted; what was counted is kept in {re.escape(str(path))}$"
    with pytest.raises(Stopped, match=line), Run(path, ABOUT, resume=True) as run:
        interrupt_twice(run)
    assert counted(path) == {"train": 4}


def test_a_lost_cluster_costs_nothing_that_was_counted(path):
    with pytest.raises(Stopped) as caught, Run(path, ABOUT) as run:
        run.record("train", 4, EVENTS, ZERO)
        raise ClusterLost("the scheduler has ended")
    assert str(caught.value) == f"the scheduler has ended; what was counted is kept in {path}"
    assert counted(path) == {"train": 4} and list(contents(path.parent)) == [path.name]


# --- refused --------------------------------------------------------------------------------------


def test_progress_without_resume_is_refused(path):
    stop(path)
    assert "an unfinished run: go on with --resume, or remove it" in refused(path, resume=False)
    # Whatever it is: it is not overwritten.
    path.write_bytes(b"something of yours")
    assert "--resume" in refused(path, resume=False)


HOLD = """
import sys, filelock
with filelock.FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextlib.contextmanager
def held(lock):
    """A lock that another process holds."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.read(4) == b"held"
        try:
            yield holder
        finally:
            holder.kill()


def test_a_second_process_is_refused_until_the_first_is_dead(path):
    stop(path)
    with held(path.with_name(f".{path.name}.lock")) as holder:
        assert refused(path) == f"{path}: another run is at work on this"
        assert refused(path, resume=False) == f"{path}: another run is at work on this"
        holder.kill()  # it removes nothing any more, and holds nothing
        holder.wait()
        with Run(path, ABOUT, resume=True) as run:
            assert same(count(run), TOTAL)
    assert not contents(path.parent)


# --- not the progress of a run --------------------------------------------------------------------


def good_header(**changes):
    return {"progress": 2, "about": ABOUT, "stages": {"train": [4, 2]}} | changes


GOOD_ARRAYS = {"train-0": ZERO[0], "train-1": ZERO[1]}
GOOD = files.pack_arrays(GOOD_ARRAYS, good_header())


def with_stage(*stage):
    return files.pack_arrays(GOOD_ARRAYS, good_header(stages={"train": list(stage)}))


def with_arrays(**changes):
    arrays = GOOD_ARRAYS | {f"train-{name[1:]}": array for name, array in changes.items()}
    kept = {name: array for name, array in arrays.items() if array is not None}
    return files.pack_arrays(kept, good_header())


BAD = {
    "empty": b"",
    "no header": GOOD.replace(b"header", b"reader"),
    "another schema": files.pack_arrays(GOOD_ARRAYS, good_header(progress=1)),
    "done too many": with_stage(EVENTS + 1, 2),
    "done a float": with_stage(4.0, 2),
    "arrays swapped": with_arrays(_0=ZERO[1], _1=ZERO[0]),
    "a negative count": with_arrays(_1=np.array([0, 0, -1, 0])),
    "more than so many events count": with_arrays(_1=np.array([0, 0, 4 * 2**31 + 1, 0])),
}


def test_the_good_file_is_good(path):
    path.write_bytes(GOOD)
    with Run(path, ABOUT, resume=True) as run:
        assert run.start("train", EVENTS, ZERO)[0] == 4
    # Sums of products may be anything.
    for what in ("a negative count", "more than so many events count"):
        path.write_bytes(BAD[what])
        with Run(path, ABOUT, resume=True) as run:
            assert run.start("train", EVENTS, ZERO, signed=True)[0] == 4


@pytest.mark.parametrize("what", BAD)
def test_what_is_not_the_progress_of_a_run_is_refused(path, what):
    path.write_bytes(BAD[what])
    assert re.search("damaged|not the progress of a run", refused(path))


# --- progress that somebody else may have written -------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_progress_is_private_and_that_of_others_is_refused(path, monkeypatch):
    before = os.umask(0)
    try:
        stop(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    for mode in (0o620, 0o602, 0o666):
        path.chmod(mode)
        assert ": others may write to it" in refused(path)
    path.chmod(0o644)  # to read it is no danger
    with monkeypatch.context() as patch:
        us = os.getuid()
        patch.setattr(files.os, "getuid", lambda: us + 1)
        assert ": belongs to another user" in refused(path)
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))
    assert refused(path) == f"{path}: is a symbolic link: remove it"
    path.unlink()
    path.mkdir()
    assert refused(path) == f"{path}: cannot be read: Is a directory"
    path.rmdir()
    os.mkfifo(path)  # is not waited for
    with pytest.raises(InputError, match="damaged or not a file of this program"):
        Run(path, ABOUT, resume=True).__enter__()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_the_users_own_folder_of_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = state_folder()
    assert folder.stat().st_mode & 0o777 == 0o700 and state_folder() == folder
    if sys.platform == "linux":
        assert folder == tmp_path / "state" / "tb2learn"
    folder.chmod(0o770)
    with pytest.raises(InputError, match="others may write to it"):
        state_folder()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="must be a folder, not a link to one"):
        state_folder()
    folder.unlink()
    folder.parent.rmdir()
    folder.parent.write_bytes(b"")
    with pytest.raises(InputError, match="cannot be made: "):
        state_folder()


def test_a_new_folder_that_is_closed_to_the_user_does_not_stay(tmp_path, monkeypatch):
    """As with the mask of permissions 0777, which does not bind the administrator."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "above" / "state"))
    monkeypatch.setattr("tb2learn.running.runs.os.access", lambda *_: False)
    with pytest.raises(InputError, match="tb2learn: cannot be made: Permission denied"):
        state_folder()
    assert not (tmp_path / "above").exists()


# --- a full disk ----------------------------------------------------------------------------------


@pytest.fixture
def full_for(monkeypatch):
    """A disk that is full for the files that it is called for: writes fail, on their way."""
    write, suffixes = files.write_bytes, []

    def write_bytes(path, data, private=False):
        if not path.name.endswith(tuple(suffixes)):
            return write(path, data, private)
        # Only the start of the data gets to the disk, as if there were no room for more.
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
        try:
            return write(path, data, private)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    monkeypatch.setattr(files, "write_bytes", write_bytes)

    def choose(*names):
        suffixes[:] = names

    return choose


FULL = os.strerror(errno.EFBIG)


def test_on_a_full_disk_the_run_goes_on(path, full_for, capsys):
    full_for(".progress")
    with Run(path, ABOUT, every=0) as run:
        assert same(count(run), TOTAL)
        run.all_counted()
    line = f"tb2learn: warning: {path}: cannot be written: {FULL}; the run goes on\n"
    assert capsys.readouterr().err == line * (EVENTS + 1)
    assert not contents(path.parent)


# --- the command line, with nothing to compute ----------------------------------------------------

TOML = """
name = "mine"
[event]
teams = 5
rounds = 3
boards = 1
pairing = "thesis"
[train]
events = 40
"""


class Trained(str):
    """A training by its name, of which nothing is said."""

    def notes(self):
        return objectives.TrainingNotes("", "", "")


class Quick:
    """What `train` and `assess` do is counting to ten; a signal comes where it is told to."""

    def __init__(self):
        self.after, self.last = None, None

    def train(self, config, name=None, progress=False, run=None):
        self.last = count(run, self.after)
        run.all_counted()
        return Trained(name)

    def save(self, trained, folder):
        files.write_bytes(folder / f"{trained}.npz", self.last[0].tobytes())
        return folder / f"{trained}.npz"

    def assess(self, *args, progress, **options):
        self.last = count(progress.run, self.after)

    def text(self, result, width=None):
        return f"{self.last[1].tolist()}\n"

    def table(self, result):
        return SimpleNamespace(json=lambda: self.text(result))


@pytest.fixture
def quick(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(TOML)
    quick = Quick()
    monkeypatch.setattr(checkpoint, "train", quick.train)
    monkeypatch.setattr(checkpoint, "save", quick.save)
    nothing = error_words.TrainingNotes("", "", "")
    monkeypatch.setattr(error_words, "training_notes", lambda trained: nothing)
    monkeypatch.setattr(error_rates, "assess", quick.assess)
    monkeypatch.setattr(assessment, "assessment_table", quick.table)
    monkeypatch.setattr(assessment, "assessment_text", quick.text)
    return quick


TRAIN = ["train", "mine.toml"]
ASSESS = ["assess", "olympiad-180x11"]
SHOWN = f"{TOTAL[1].tolist()}\n"


def go_on(err):
    """The command that the last line of standard error gives to resume the run."""
    line = err.splitlines()[-1]
    assert line.startswith("tb2learn: stopped after ")
    program, *arguments = shlex.split(line.split("; to resume: ")[1])
    assert program == "tb2learn"
    return arguments


def last_line(capsys, *arguments, status=2):
    assert cli.main(list(arguments)) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "progress", "result", "shown"),
    ids=["train to a path", "assess", "assess on a screen"],
    argvalues=[
        (
            [*TRAIN, "--out", "it's here/x--resume"],
            "it's here/x--resume.progress",
            "it's here/x--resume.npz",
            "it's here/x--resume.npz\n",
        ),
        ([*ASSESS, "--json", "out.json"], "out.json.progress", "out.json", SHOWN),
        (
            [*ASSESS, "--protocol", "thesis", "--lists", "random", "--seed", "9", "--events", "3"],
            "assess-olympiad-180x11-thesis-random-3-9.progress",
            None,
            SHOWN,
        ),
    ],
)
def test_ctrl_c_says_how_to_go_on(quick, capsys, arguments, progress, result, shown):
    quick.after = 4
    err = last_line(capsys, *arguments, status=130)
    assert f"stopped after 4 of 10 events (train), kept in {progress}; to resume: " in err
    assert counted(Path(progress)) == {"train": 4}
    again = go_on(err)
    assert again == [*arguments, "--resume"]
    quick.after = None
    assert cli.main(again) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(shown)
    # What is played is said of a world alone.
    assert captured.err.startswith("tb2learn: note: played: 180 teams") or "train" in arguments
    assert captured.err.count("\n") == (0 if "train" in arguments else 1)
    left = {name for name, content in contents(Path()).items() if content is not None}
    assert left == {"mine.toml", *([result] if result else [])}


def test_other_runs_are_refused_on_the_command_line(quick, capsys):
    quick.after = 4
    last_line(capsys, *TRAIN, "--out", "here/mine", status=130)
    quick.after = None
    Path("other.toml").write_text(TOML + "[surface]\nknots = 9\n")
    before = contents(Path())

    def refusal(*arguments):
        line = last_line(capsys, *arguments, "--resume")
        assert line.count("\n") == 1 and contents(Path()) == before
        start = "tb2learn: error: here/mine.progress: progress of another run: its "
        assert line.startswith(start)
        return line.removeprefix(start).rstrip()

    assert refusal(*TRAIN, "--out", "here/mine", "--seed", "2") == (
        "config.train.seed is '1', not '2'"
    )
    assert refusal("train", "other.toml", "--out", "here/mine") == (
        "config.surface.knots is '20', not '9'"
    )
    # The same file, of another command: `--json here/mine`.
    assert refusal(*ASSESS, "--json", "here/mine") == "command is 'train', not 'assess'"
    line = last_line(capsys, *TRAIN, "--out", "here/mine")
    assert "here/mine.progress: an unfinished run: go on with --resume, or remove it" in line
    assert contents(Path()) == before
    assert cli.main([*TRAIN, "--out", "here/mine", "--resume"]) == 0


# --- a real process -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_process_that_is_asked_to_stop(tmp_path, sent):
    # So many that the bar, which a file gets every ten seconds, moves before the end.
    events, out = 500_000, tmp_path / "it's here"

    def start(arguments):
        command = [sys.executable, "-m", "tb2learn.cli", *arguments]
        with (tmp_path / "errors").open("w") as errors:
            return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=errors)

    def said():
        return (tmp_path / "errors").read_text()

    train = ["train", "small-20x7", "--events", str(events), "--out"]
    assert start([*train, "undisturbed/mine"]).wait(PATIENCE) == 0, said()
    process = start([*train, "it's here/mine"])
    # The bar has begun to move.
    until(lambda: re.search(r"\| *[1-9]\d*/\d+ events \[", said()), process)
    process.send_signal(sent)
    assert process.wait(PATIENCE) == 130 and "Traceback" not in said()
    assert list(contents(out)) == ["mine.progress"]
    done = counted(out / "mine.progress")["train"]
    assert 0 < done < events
    assert f"stopped after {done:,} of {events:,} events (train), kept in it's here" in said()
    assert start(go_on(said())).wait(PATIENCE) == 0
    # The bar, too, goes on where it was.
    assert f" {done}/{events} events [" in said()
    assert contents(out) == contents(tmp_path / "undisturbed")
