"""Hosts meet, compare and sum; what does not belong together is refused by name."""

import json
import os
import socket
import struct
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers import PATIENCE, free_address, process_like

from tb2learn.running import hosts
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def processes():
    names = [f"host_{number}_of_tests" for number in range(3)]
    yield [process_like(name) for name in names]
    for name in names:
        del sys.modules[name]


def together(tasks):
    """What functions that run side by side return, or the exceptions that they raise."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        ends = [pool.submit(task) for task in tasks]
        return [end.exception(30) or end.result() for end in ends]


@pytest.fixture
def met(processes):
    """Processes that have met, by how many; they part afterwards."""

    def meet(count):
        address = free_address()
        joins = [
            lambda number=number, one=one: one.join(count, address, number, wait=PATIENCE)
            for number, one in enumerate(processes[:count])
        ]
        assert together(joins) == [None] * count
        return processes[:count]

    yield meet
    for one in processes:
        one.leave()
        assert (one.number(), one.count(), one.is_first()) == (0, 1, True)


def add(parts):
    return np.sum([np.frombuffer(part, np.int64) for part in parts], axis=0).tobytes()


def test_hosts_sum_what_they_have(met):
    run = met(3)
    assert [(one.number(), one.count(), one.is_first()) for one in run] == [
        (0, 3, True), (1, 3, False), (2, 3, False),
    ]  # fmt: skip
    own = [np.arange(100_000) * 10**number for number in range(3)]  # more than a connection holds
    tasks = [
        lambda one=one, part=part: one.exchange(part.tobytes(), add)
        for one, part in zip(run, own, strict=True)
    ]
    for found in together(tasks):
        np.testing.assert_array_equal(np.frombuffer(found, np.int64), np.arange(100_000) * 111)
    names = together([lambda one=one: one.exchange(b"%d" % one.number(), b"".join) for one in run])
    assert names == [b"012"] * 3
    assert together([one.check for one in run]) == [None] * 3
    assert together([one.finish for one in reversed(run)]) == [None] * 3


ABOUT = {"config": {"seed": 1, "events": 40}, "version": "1.0", "rules": [["a", "x"]]}


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        ({"version": "1.1"}, "its version is '1.1', not '1.0'"),
        ({"config": {"seed": 2, "events": 40}}, "its config.seed is '2', not '1'"),
        ({"config": {"seed": 1, "events": 9}}, "its config.events is '9', not '40'"),
        ({"rules": [["a", "y"]]}, "its rules.0.1 is 'y', not 'x'"),
        ({"more": True}, "its more is 'True', not 'None'"),
        ({"version": "\n\x1b[31m"}, "its version is '\\n\\x1b[31m', not '1.0'"),
    ],
)
def test_hosts_that_disagree_are_named(met, theirs, words):
    run = met(3)
    said = [ABOUT, ABOUT, ABOUT | theirs]
    ends = together([lambda one=one, a=a: one.agree(a) for one, a in zip(run, said, strict=True)])
    assert [str(end) for end in ends] == [f"host 2 of this run differs from host 0: {words}"] * 3
    assert all(isinstance(end, InputError) for end in ends)
    assert together([lambda one=one: one.agree(ABOUT) for one in run]) == [None] * 3


def test_a_host_that_ends_is_missed(met):
    first, second, third = met(3)
    third.leave()  # as a process that ends, in whatever way

    def fail():
        try:
            first.exchange(b"1", b"".join)
        finally:
            first.leave()

    ends = together([fail, lambda: second.exchange(b"2", add)])
    assert str(ends[0]) == "host 2 of this run has ended or cannot be reached"
    assert str(ends[1]) == "host 0 of this run has ended or cannot be reached"
    for end, one in zip(ends, (first, second), strict=True):
        assert isinstance(end, one.HostLost) and isinstance(end, InputError)
    for notice in (second.check, second.finish, lambda: second.agree(ABOUT)):
        with pytest.raises(second.HostLost, match="host 0 of this run has ended"):
            notice()


def test_the_first_host_needs_nobody_once_it_has_written(met):
    first, second = met(2)
    second.leave()
    first.finish()


def test_a_host_that_waits_is_not_deaf(met, monkeypatch):
    _, second = met(2)
    monkeypatch.setattr(second, "_POLL_SECONDS", 0.01)
    asked = []

    def idle():
        asked.append(time.monotonic())
        if len(asked) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        second.exchange(b"", add, idle)


def test_hosts_that_count_differently_or_twice_are_refused(processes):
    first, second, _ = processes
    address = free_address()
    ends = together(
        [
            lambda: first.join(2, address, 0, wait=PATIENCE),
            lambda: second.join(3, address, 2, wait=PATIENCE),
        ]
    )
    for end in ends:
        assert isinstance(end, InputError) and str(end).startswith("the hosts of this run cannot")
        assert "host 2 counts 3 hosts, host 0 counts 2" in str(end)
    ends = together(
        [
            lambda: first.join(3, address, 0, wait=PATIENCE),
            *[lambda one=one: one.join(3, address, 1, wait=PATIENCE) for one in processes[1:]],
        ]
    )
    assert all("two processes are host 1" in str(end) for end in ends)


STRANGE = [
    b"",
    b"GET / HTTP/1.1\r\n\r\n",
    struct.pack(">Q", 1 << 60),
    *[
        struct.pack(">Q", len(hello)) + hello
        for hello in (
            b"x",
            b"{}",
            b"[" * 1000,
            b'{"tb2learn": ["1", 2]}',
            b'{"tb2learn": [true, 2]}',
        )
    ],
]


def test_strangers_are_sent_away(processes):
    """Who listens on a port is found by others than those that were meant."""
    first, second, _ = processes
    address = free_address()
    done = threading.Event()

    def knock():
        for data in STRANGE:
            while True:
                try:
                    stranger = socket.create_connection(
                        ("localhost", int(address[10:])), timeout=PATIENCE
                    )
                    break
                except OSError:
                    time.sleep(0.01)
            with stranger:
                stranger.sendall(data)
        done.set()

    def come_later():
        done.wait(PATIENCE)
        second.join(2, address, 1, wait=PATIENCE)

    assert (
        together([lambda: first.join(2, address, 0, wait=PATIENCE), knock, come_later])
        == [None] * 3
    )
    assert (first.count(), second.number()) == (2, 1)
    first.leave()
    second.leave()


def test_hosts_that_nobody_joins(processes):
    with pytest.raises(InputError, match=r"cannot be joined: no word from host 1, 2$"):
        processes[0].join(3, free_address(), 0, wait=0.1)
    with pytest.raises(InputError, match=r"cannot be joined: no answer from 'localhost:\d+': "):
        processes[1].join(2, free_address(), 1, wait=0.0)
    for number in (None, 2):
        with pytest.raises(InputError, match=r"--hosts 2 needs --host 0\.\.1$"):
            processes[0].join(2, "localhost:1", number)
    with pytest.raises(InputError, match=r"--hosts 2 needs --coordinator ADDRESS:PORT$"):
        processes[0].join(2, None, 0)
    assert processes[0].count() == 1


@pytest.mark.parametrize(
    ("nodes", "first"),
    [
        ("n7", "n7"),
        ("n7,m8", "n7"),
        ("n[007-015,3],m8", "n007"),
        ("node[12,14]", "node12"),
        ("a-b[3]", "a-b3"),
    ],
)
def test_what_a_scheduler_says(monkeypatch, nodes, first):
    for name in os.environ:
        if name.startswith(("SLURM_", "OMPI_", "PMI_")):
            monkeypatch.delenv(name)
    with pytest.raises(InputError, match=r"no scheduler's environment \(OMPI_COMM_WORLD_SIZE, "):
        hosts.join(None, None, None)
    slurm = {"NTASKS": "4", "PROCID": "1", "JOB_ID": "4321", "STEP_NODELIST": nodes}
    for name, value in slurm.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    assert (hosts._scheduled(), hosts._slurm_address()) == ((4, 1), f"{first}:61665")
    monkeypatch.setenv("SLURM_PROCID", 5000 * "1")
    with pytest.raises(InputError, match="no scheduler's environment"):
        hosts._scheduled()
    monkeypatch.setenv("SLURM_JOB_ID", 5000 * "1")
    assert hosts._slurm_address() is None
    monkeypatch.setenv("SLURM_JOB_ID", "4321")
    # Launchers within such a job know better.
    monkeypatch.setenv("PMI_SIZE", "3")
    monkeypatch.setenv("PMI_RANK", "2")
    assert (hosts._scheduled(), hosts._slurm_address()) == ((3, 2), f"{first}:61665")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "5")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    assert (hosts._scheduled(), hosts._slurm_address()) == ((5, 0), None)


def test_alone(capsys):
    assert (hosts.number(), hosts.count(), hosts.is_first()) == (0, 1, True)
    hosts.check()
    hosts.finish()
    hosts.agree({"x": json.loads("1")})
    assert hosts.exchange(b"own", b"".join) == b"own"
