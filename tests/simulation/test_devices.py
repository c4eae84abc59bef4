"""The same results from any number of devices and hosts: processes of their own."""

import json
import os
import subprocess
import sys
import time

import pytest
from helpers import PATIENCE, free_address

PROGRAM = """
import hashlib, sys, jax
jax.config.update("jax_num_cpu_devices", int(sys.argv[1]))
from tb2learn.running import hosts
from tb2learn.simulation import run as simulate
from tb2learn.training import difficulty
from tb2learn.config import Config, EventFormat
from tb2learn.simulation.streams import Purpose
if len(sys.argv) > 2:
    hosts.join(2, sys.argv[2], int(sys.argv[3]))
events = simulate.EventRange(3, Purpose.TRAIN, 51)
log = difficulty.collect(Config(name="d", event=EventFormat(9, 4, 2)), events)
digest = hashlib.sha256(log.counts.tobytes()).hexdigest()
print("log", jax.local_device_count(), hosts.count(), digest)
"""


def start(*arguments, program=("-c", PROGRAM), **options):
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def finish(process):
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return out


def log_of(process):
    (line,) = [line for line in finish(process).splitlines() if line.startswith("log ")]
    return line.split()[1:]


@pytest.mark.slow
def test_the_log_does_not_depend_on_the_number_of_devices_or_hosts():
    logs = []
    for devices in (1, 2, 3, 8):
        count, hosts, digest = log_of(start(devices))
        assert (count, hosts) == (str(devices), "1")
        logs.append(digest)
    address = free_address()
    # 51 events of two hosts, on one and on three devices.
    for process in [start(devices, address, host) for host, devices in enumerate((1, 3))]:
        _, hosts, digest = log_of(process)
        assert hosts == "2"
        logs.append(digest)
    assert len(set(logs)) == 1


CLI = ("-m", "tb2learn.cli")


@pytest.mark.slow
def test_two_hosts_train_and_assess_like_one(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    train = ("train", "small-20x7", "--events", 700, "--seed", 5, "--out")
    assess = ("--events", 300, "--json", "-")
    finish(start(*train, one / "t", program=CLI))
    address = free_address()

    def both(*arguments):
        options = ("--hosts", 2, "--coordinator", address, "--host")
        hosts = [start(*arguments, *options, host, program=CLI) for host in (0, 1)]
        return [finish(host) for host in hosts]

    first, second = both(*train, two / "t")
    # The first host writes; nothing but the results is on standard output.
    assert (first, second) == (f"{two / 't.npz'}\n", "")
    assert (one / "t.npz").read_bytes() == (two / "t.npz").read_bytes()
    assert [path.name for path in two.iterdir()] == ["t.npz"]

    for protocol in ("single", "thesis"):
        command = ("assess", one / "t.npz", "--protocol", protocol, *assess)
        alone = finish(start(*command, program=CLI))
        first, second = both(*command)
        assert json.loads(first) == json.loads(alone)
        assert second == ""


@pytest.mark.thorough
def test_a_host_without_the_others_says_so():
    # A number of hosts alone, and no scheduler's environment to look in.
    command = ("train", "small-20x7", "--hosts", 2)
    process = start(*command, program=CLI)
    out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert len(errors.splitlines()) == 1
    assert "tb2learn: error: the hosts of this run cannot be joined" in errors


DECISIONS = """
name = "d"
event = {teams = 21, rounds = 5, boards = 2}
train = {objective = "decisions", events = 101, held_out = 30, seed = 3}
decisions = {passes = 2, knots = 4, steps = 3, step_events = 7}
"""


@pytest.mark.slow
def test_tables_in_passes_do_not_depend_on_hosts_or_devices(tmp_path):
    (tmp_path / "d.toml").write_text(DECISIONS)
    finish(start("train", tmp_path / "d.toml", "--out", tmp_path / "one" / "t", program=CLI))
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["t.npz"]
    # As a scheduler's job step: everything about the hosts is in the environment.
    hosts = []
    for host in range(2):
        environment = {
            **os.environ, "SLURM_JOB_ID": "4321", "SLURM_STEP_NODELIST": "localhost",
            "SLURM_JOB_NODELIST": "localhost", "SLURM_NTASKS": "2", "SLURM_PROCID": str(host),
            "SLURM_LOCALID": str(host), "SLURM_STEP_NUM_NODES": "1",
        }  # fmt: skip
        command = ("train", tmp_path / "d.toml", "--out", tmp_path / "two" / "t", "--hosts", "auto")
        hosts.append(start(*command, program=CLI, env=environment))
    for host in hosts:
        finish(host)
    one, two = (tmp_path / folder / "t.npz" for folder in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert [path.name for path in two.parent.iterdir()] == ["t.npz"]


def pair(commands, *options, **more):
    """Two hosts of a run."""
    together = ("--hosts", 2, "--coordinator", free_address(), "--host")
    return [
        start(*command, *options, *together, host, program=CLI, **more)
        for host, command in enumerate(commands)
    ]


@pytest.mark.slow
def test_hosts_that_are_about_to_do_different_things_do_nothing(tmp_path):
    (tmp_path / "d.toml").write_text(DECISIONS)
    (tmp_path / "e.toml").write_text(DECISIONS.replace("knots = 4", "knots = 5"))
    train = ("train", tmp_path / "d.toml", "--out", tmp_path / "out" / "t")
    for other, words in [
        ((*train, "--seed", 2), "its config.train.seed is '2', not '3'"),
        ((*train, "--events", 102), "its config.train.events is '102', not '101'"),
        ((train[0], tmp_path / "e.toml", *train[2:]), "its config.decisions.knots is '5', not '4'"),
        (("assess", "product", "--events", 9), "its command is 'assess', not 'train'"),
    ]:
        for host in pair([train, other]):
            out, errors = host.communicate(timeout=PATIENCE)
            assert (host.returncode, out) == (2, "")
            line = f"tb2learn: error: host 1 of this run differs from host 0: {words}\n"
            assert errors.endswith(line) and "Traceback" not in errors
    assert {path.name for path in tmp_path.iterdir()} == {"d.toml", "e.toml"}


@pytest.mark.slow
@pytest.mark.parametrize("dies", [0, 1])
def test_a_host_that_dies_ends_the_others_in_one_line(tmp_path, dies):
    (tmp_path / "d.toml").write_text(DECISIONS.replace("events = 101", "events = 12_000"))
    train = ("train", tmp_path / "d.toml", "--out")
    run, out = (*train, tmp_path / "two" / "t", "--save-every", 0.1), tmp_path / "two"
    hosts, deadline = pair([run, run]), time.monotonic() + PATIENCE
    progress = [out / f"t.progress-{host}-of-2" for host in (0, 1)]
    while not all(path.exists() for path in progress):
        assert time.monotonic() < deadline and all(host.poll() is None for host in hosts)
        time.sleep(0.01)
    hosts[dies].kill()
    hosts[dies].communicate()
    shown, errors = hosts[1 - dies].communicate(timeout=PATIENCE)
    assert (hosts[1 - dies].returncode, shown) == (130, "")
    last = errors.splitlines()[-1]
    assert last.startswith(
        f"tb2learn: host {dies} of this run has ended or cannot be reached; what was counted is "
        f"kept in {progress[1 - dies]}; to resume: tb2learn train "
    ) and last.endswith("--resume")
    assert "Traceback" not in errors and "***" not in errors
    for host in pair([run, run], "--resume"):
        finish(host)
    finish(start(*train, tmp_path / "one" / "t", program=CLI))
    assert [path.name for path in out.iterdir()] == ["t.npz"]
    assert (out / "t.npz").read_bytes() == (tmp_path / "one" / "t.npz").read_bytes()
