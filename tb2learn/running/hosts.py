"""Hosts that share a run: they meet at the first one, compare what they are about to do, and sum.

Every host plays its share of the events on its own devices; all that they exchange is a description
of the work and totals. The first host listens, the others connect to it, and a connection is open
as long as its host lives: a host that ends, in whatever way, is noticed by the others. Messages
are JSON and plain bytes, each after its length.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tb2learn.text import difference, quoted
from tb2learn.types import InputError

_LENGTH = struct.Struct(">Q")
_HELLO_BYTES, _MOST_BYTES = 1 << 10, 1 << 32
_HELLO_SECONDS = 10.0
_POLL_SECONDS = 0.5
# Seconds without an answer before a silent connection is tested, between tests; number of tests.
_KEEPALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}

# The count of processes and the number of this one, as launchers and schedulers name them. What
# mpirun starts within a job of Slurm has the numbers of both; those of Slurm are then mpirun's own.
_MPIRUN = "OMPI_COMM_WORLD_SIZE"
_SCHEDULERS = (
    (_MPIRUN, "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_NTASKS", "SLURM_PROCID"),
)


class HostLost(InputError):
    """Another host of the run has ended before the run did."""


@dataclass(frozen=True)
class _Hosts:
    """The place of this host among those of a run.

    **Fields:**

    - `number`, `count`: of this host, from 0; of all.
    - `peers`: connections by the number of the host: on the first host to all others, on the others
      to the first.
    """

    number: int
    count: int
    peers: Mapping[int, socket.socket]


_ALONE = _Hosts(0, 1, {})
_run = _ALONE


def number() -> int:
    """The number of this host among those of its run, from 0."""
    return _run.number


def count() -> int:
    """How many hosts share the run of this process."""
    return _run.count


def is_first() -> bool:
    """Whether this process is the one that writes results; true for a single one."""
    return _run.number == 0


def join(count: int | None, address: str | None, number: int | None, wait: float = 300.0) -> None:
    """Meet the other processes of a run. To be called once, before any of its work.

    **Arguments:**

    - `count`: how many processes; None to find count and number in the environment of Slurm or of
      an MPI launcher, in Slurm the address, too.
    - `address`: `name:port` of the process with number 0.
    - `number`: of this process, from 0.
    - `wait`: seconds that the others have to come.

    **Raises:** `InputError` if the others cannot be found, or are another number of processes.
    """
    global _run
    try:
        if count is None:
            count, number = _scheduled()
            address = address or _slurm_address()
        if number is None or not 0 <= number < count:
            raise InputError(f"--hosts {count} needs --host 0..{count - 1}")
        if address is None:
            raise InputError(f"--hosts {count} needs --coordinator ADDRESS:PORT")
        deadline = time.monotonic() + wait
        connected = _listen if number == 0 else _connect
        _run = _Hosts(number, count, connected(count, address, number, deadline))
    except (OSError, InputError) as error:
        raise InputError(f"the hosts of this run cannot be joined: {error}") from error


def leave() -> None:
    """Close the connections of this process, which is alone from now on."""
    global _run
    for peer in _run.peers.values():
        peer.close()
    _run = _ALONE


def exchange(
    data: bytes, answer: Callable[[list[bytes]], bytes], idle: Callable[[], None] = lambda: None
) -> bytes:
    """Put together what all hosts say; all have to call this.

    **Arguments:**

    - `data`: what this host says.
    - `answer`: what the first host makes of it, from what all say, by the numbers of the hosts.
    - `idle`: called now and then while this host waits for the others.

    **Returns:** the answer, on every host.

    **Raises:** `HostLost` if one of them has ended.
    """

    def wait() -> None:
        check()
        idle()

    if not is_first():
        with _losing(0):
            _send(_run.peers[0], data)
            return _receive(_run.peers[0], wait)
    said = [data]
    for host, peer in sorted(_run.peers.items()):
        with _losing(host):
            said.append(_receive(peer, wait))
    found = answer(said)
    for host, peer in _run.peers.items():
        with _losing(host):
            _send(peer, found)
    return found


def check() -> None:
    """Notice a host that has ended, without waiting for anything.

    **Raises:** `HostLost` naming it.
    """
    for host, peer in _run.peers.items():
        with _losing(host):
            peer.settimeout(0)
            with contextlib.suppress(BlockingIOError):
                # What a faster host has sent stays where it is until it is asked for.
                if not peer.recv(1, socket.MSG_PEEK):
                    raise ConnectionError


def agree(about: Mapping[str, Any]) -> None:
    """Compare what the hosts are about to do; all have to call this.

    **Arguments:** `about`: everything that the result depends on, as JSON.

    **Raises:** `InputError`, on every host, naming the first that differs from the first host, and
    in what; `HostLost`.
    """
    refusal = exchange(json.dumps(about, allow_nan=False).encode(), _first_difference).decode()
    if refusal:
        raise InputError(refusal)


def _first_difference(said: list[bytes]) -> bytes:
    """In words what a host says other than the first; empty if nothing."""
    first, *others = map(json.loads, said)
    for host, theirs in enumerate(others, start=1):
        found = difference(theirs, first)
        if found:
            return f"host {host} of this run differs from host 0: {found}".encode()
    return b""


def finish() -> None:
    """Wait until the first host has written the result; called by all hosts when they are done.

    **Raises:** `HostLost` on the others if the first has ended before; what they have counted is
    needed again then.
    """
    if is_first():
        for peer in _run.peers.values():
            with contextlib.suppress(OSError):  # the result is written: nobody is needed any more
                _send(peer, b"")
    else:
        with _losing(0):
            _receive(_run.peers[0], check)


@contextlib.contextmanager
def _losing(host: int) -> Iterator[None]:
    """A context in which trouble with a connection means that a host is lost."""
    try:
        yield
    except OSError as error:
        raise HostLost(f"host {host} of this run has ended or cannot be reached") from error


def _scheduled() -> tuple[int, int]:
    """Count and number of this process, as the scheduler says."""
    for names in _SCHEDULERS:
        values = [os.environ.get(name, "") for name in names]
        if all(re.fullmatch("[0-9]{1,9}", value) for value in values):
            return int(values[0]), int(values[1])
    known = ", ".join(names[0] for names in _SCHEDULERS)
    raise InputError(f"no scheduler's environment ({known}): give --hosts N and --host I")


def _slurm_address() -> str | None:
    """The first machine of a job of Slurm, and a port of the job's own; None elsewhere."""
    if _MPIRUN in os.environ:
        return None
    nodes = os.environ.get("SLURM_STEP_NODELIST", "")  # n7 or n[007-015,3] or n7,m8
    first = re.match(r"([^,\[]+)(?:\[(\w+))?", nodes)
    job = os.environ.get("SLURM_JOB_ID", "")
    if not first or not re.fullmatch("[0-9]{1,18}", job):
        return None
    return f"{first[1]}{first[2] or ''}:{61440 + int(job) % 4096}"


def _listen(count: int, address: str, number: int, deadline: float) -> dict[int, socket.socket]:
    """Wait for all other hosts; who does not speak as one of them is sent away."""
    peers: dict[int, socket.socket] = {}
    port, both = int(address.rpartition(":")[2]), socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    with (
        contextlib.ExitStack() as opened,
        socket.create_server(("", port), family=family, dualstack_ipv6=both) as door,
    ):
        while len(peers) < count - 1:
            door.settimeout(max(0.0, deadline - time.monotonic()))
            try:
                peer = opened.enter_context(door.accept()[0])
            except (TimeoutError, BlockingIOError):
                missing = ", ".join(str(n) for n in range(1, count) if n not in peers)
                raise InputError(f"no word from host {missing}") from None
            hello = _hello_of(peer)
            if hello is None:
                peer.close()
                continue
            host, theirs = hello
            refusal = _refusal(host, theirs, count, peers)
            if refusal:
                for other in (*peers.values(), peer):
                    with contextlib.suppress(OSError):
                        _send(other, refusal.encode())
                raise InputError(refusal)
            peers[host] = peer
        for host, peer in peers.items():
            with _losing(host):
                _settle(peer)
                _send(peer, b"")
        opened.pop_all()
    return peers


def _refusal(host: int, theirs: int, count: int, peers: Mapping[int, socket.socket]) -> str:
    """Why a host that counts `theirs` hosts does not belong to a run; empty if it does."""
    if theirs != count:
        return f"host {host} counts {theirs} hosts, host 0 counts {count}"
    if not 0 < host < count or host in peers:
        return f"two processes are host {host}"
    return ""


def _hello_of(peer: socket.socket) -> tuple[int, int] | None:
    """Number and count that a process names on arrival; None if it is not one of this program."""
    try:
        late = _until(time.monotonic() + _HELLO_SECONDS)
        hello = json.loads(_receive(peer, late, _HELLO_BYTES))
        host, theirs = hello["tb2learn"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return (host, theirs) if type(host) is type(theirs) is int else None


def _connect(count: int, address: str, number: int, deadline: float) -> dict[int, socket.socket]:
    """Connect to the first host, which may not have started yet."""
    name, _, port = address.rpartition(":")
    while True:
        try:
            peer = socket.create_connection((name.strip("[]"), int(port)), timeout=_HELLO_SECONDS)
            break
        except OSError as error:
            if time.monotonic() > deadline:
                reason = error.strerror or str(error)
                raise InputError(f"no answer from {quoted(address)}: {reason}") from error
            time.sleep(_POLL_SECONDS)
    with contextlib.ExitStack() as opened:
        opened.enter_context(peer)
        with _losing(0):
            _settle(peer)
            _send(peer, json.dumps({"tb2learn": [number, count]}).encode())
            refusal = _receive(peer, lambda: None, _HELLO_BYTES)
        if refusal:
            raise InputError(quoted(refusal.decode("utf-8", "replace"), 200))
        opened.pop_all()
    return {0: peer}


def _settle(peer: socket.socket) -> None:
    """Let the system test a connection that is silent, and so notice a machine that is gone."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE.items():
        if hasattr(socket, option):  # not everywhere under these names
            peer.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _send(peer: socket.socket, data: bytes) -> None:
    peer.settimeout(None)
    peer.sendall(_LENGTH.pack(len(data)))
    peer.sendall(data)


def _receive(peer: socket.socket, idle: Callable[[], None], limit: int = _MOST_BYTES) -> bytes:
    """The next message of a connection; `idle` is called while there is none."""
    (length,) = _LENGTH.unpack(_receive_bytes(peer, _LENGTH.size, idle))
    if length > limit:
        raise ConnectionError
    return _receive_bytes(peer, length, idle)


def _receive_bytes(peer: socket.socket, length: int, idle: Callable[[], None]) -> bytes:
    parts = []
    while length:
        peer.settimeout(_POLL_SECONDS)
        try:
            part = peer.recv(min(length, 1 << 20))
        except TimeoutError:
            idle()
            continue
        if not part:
            raise ConnectionError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _until(deadline: float) -> Callable[[], None]:
    """What to do while nothing comes: give up after the deadline."""

    def idle() -> None:
        if time.monotonic() > deadline:
            raise TimeoutError

    return idle
