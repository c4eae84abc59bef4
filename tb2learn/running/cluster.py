"""A cluster that plays events: workers of Dask's `distributed`, compared with this process first.

The scheduler and the workers are Dask's own, as are encryption, users and time-outs. What a worker
computes is said by `worker`; here ranges of events are given out, and their totals taken.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextvars import ContextVar
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tb2learn.disk import inputs
from tb2learn.text import difference, quoted
from tb2learn.types import InputError, check_type

if TYPE_CHECKING:
    from distributed import Client, Future

WAIT = 300.0
"""Seconds that a run waits for a worker while there is none."""

_CONNECT = "6s"  # unless Dask's configuration says otherwise
_POLL = 0.5
_DEATHS = 3  # workers that a range may end before it is taken for the reason
# Enough that no worker waits for the next range while its results travel.
_AHEAD = 4  # ranges given out for each thread of the cluster

_used: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


class ClusterLost(InputError):
    """The scheduler or all workers are gone, or a range of events has ended several workers."""


class Cluster:
    """A scheduler of Dask, and workers that have been compared with this process."""

    def __init__(self, client: Client) -> None:
        """Wait for a worker, compare all that are there, and prepare them.

        **Raises:** `InputError` if there is none in time, or one runs another program.
        """
        from tb2learn.running import worker

        self._client: Any = client  # typed as one whose calls may be coroutines
        self._seen: set[str] = set()  # addresses of all workers that have been there
        self._nobody_since = time.monotonic()
        with _lost():
            if not self._threads():
                _tell(f"the cluster has no worker yet; waiting up to {WAIT:.0f} seconds")
            while not self._threads():
                time.sleep(_POLL)
            # Before any work, as one that runs another program would count otherwise.
            self._compare()
            # Dask has workers that join later prepared in the same way.
            client.register_plugin(worker.Prepared())
            deaths = _DEATHS - 1  # The scheduler may have no tb2learn: only a lambda reaches it.
            client.run_on_scheduler(
                lambda dask_scheduler: setattr(
                    dask_scheduler, "allowed_failures", min(dask_scheduler.allowed_failures, deaths)
                )
            )

    @property
    def lost(self) -> int:
        """How many workers were seen that are gone."""
        with contextlib.suppress(Exception):
            self._threads()
            return len(self._seen - set(self._client.nthreads()))
        return len(self._seen)

    def totals(
        self,
        count: Callable[[Any, range], Any],
        job: Any,
        ranges: Iterable[range],
        what: str,
        rounded: bool,
        fits: Callable[[range, Any], bool],
        idle: Callable[[], None],
    ) -> Iterator[tuple[range, Any]]:
        """What the workers count.

        **Arguments:**

        - `count`, `job`: `count(job, events)` is a pure function; a worker gets copies of both.
        - `ranges`: which events are counted together.
        - `what`: what is played, for messages.
        - `rounded`: whether the counts are rounded from real numbers, whose last bit depends on the
          instruction set of the processor.
        - `fits`: whether something can be the totals of a range: a worker may be anybody's.
        - `idle`: called now and then while nothing comes.

        **Returns:** every range with its totals, in order. Workers may count them in any other, and
        each is taken from its worker at once.

        **Raises:** `InputError` for a worker that runs another program or whose totals do not fit;
        `ClusterLost`.
        """
        import cloudpickle
        from distributed import wait

        from tb2learn.running import worker

        facts = worker.facts(rounded)
        # Once for all ranges: a job holds whole tables.
        payload = cloudpickle.dumps((count, job))
        # Ranges to be given out; those at work, by future; totals that came before their turn.
        waiting, running, ready = iter(ranges), {}, {}
        order: list[range] = []  # given out and not yielded yet
        try:
            while True:
                with _lost():
                    threads = self._threads()
                    # 1. Give out ranges, for every thread some more than it plays.
                    for events in islice(waiting, max(0, _AHEAD * max(1, threads) - len(running))):
                        # Not pure: for equal arguments Dask would answer from memory.
                        future = self._client.submit(
                            worker.play, payload, events, facts, pure=False
                        )
                        running[future] = events
                        order.append(events)
                    if not order:
                        return
                    # 2. Wait for the first one, but not so long that `idle` is forgotten.
                    with contextlib.suppress(TimeoutError):
                        wait(list(running), timeout=_POLL, return_when="FIRST_COMPLETED")
                # 3. Take what has come, so that no worker has to keep it.
                for future in [future_ for future_ in running if future_.done()]:
                    events = running.pop(future)
                    ready[events] = self._taken(future, events, what, fits)
                # 4. Pass it on in the order of the events, whoever was first.
                while order and order[0] in ready:
                    events = order.pop(0)
                    yield events, ready.pop(events)
                idle()
        finally:
            # Also what is still being played, if the run ends here.
            with contextlib.suppress(Exception):
                self._client.cancel(list(running))

    def _taken(
        self, future: Future, events: range, what: str, fits: Callable[[range, Any], bool]
    ) -> Any:
        """What a worker has counted; the cluster forgets it."""
        from distributed import KilledWorker

        which = f"events {events[0]}..{events[-1]}"
        try:
            if future.status == "error":
                error: Any = future.exception()
                if isinstance(error, KilledWorker):
                    lost = f"{_DEATHS} workers ended while they played these"
                    raise ClusterLost(f"{what}: {which}: {lost}")
                raise error
            with _lost():
                result = future.result()
                if fits(events, result):
                    return result
                # Asked before the cluster forgets it, to name who counted it.
                (holders,) = self._client.who_has([future]).values()
            raise InputError(
                f"worker {', '.join(holders)}: what it counted of {what}, {which}, is damaged or "
                "forged: its shape, type or range is wrong"
            )
        finally:
            future.release()

    def _threads(self) -> int:
        """Threads of all workers that are there.

        **Raises:** `ClusterLost` if none has been there for `WAIT` seconds.
        """
        threads = self._client.nthreads()
        self._seen |= set(threads)
        if threads:
            self._nobody_since = time.monotonic()
        elif time.monotonic() - self._nobody_since > WAIT:
            raise ClusterLost(f"the cluster has had no worker for {WAIT:.0f} seconds")
        return sum(threads.values())

    def _compare(self) -> None:
        """Compare the program of every worker with that of this process."""
        from tb2learn.running import worker

        ours = worker.facts(rounded=False)
        for address, theirs in self._client.run(worker.facts, False, on_error="return").items():
            if isinstance(theirs, OSError):
                continue  # it has ended just now: the connection is closed
            if isinstance(theirs, BaseException):
                raise InputError(f"worker {address} cannot run tb2learn: {quoted(str(theirs))}")
            if mismatch := difference(theirs, ours):
                raise InputError(f"worker {address} differs from this process: {mismatch}")


def current() -> Cluster | None:
    """The cluster that plays the events of this run; None if this process does."""
    return _used.get()


@contextlib.contextmanager
def use(cluster: Client | str | Path | None) -> Iterator[None]:
    """A context in which a cluster plays all events.

    **Arguments:**

    - `cluster`: a `distributed.Client`; or what one takes, an address or the path of a scheduler
      file, for a client that lives as long as the context; None for this process alone.

    **Raises:** `InputError` if `distributed` is not installed, no scheduler answers, or workers run
    another program.
    """
    if cluster is None:
        yield
        return
    with contextlib.ExitStack() as opened:
        if isinstance(cluster, str | Path):
            cluster = opened.enter_context(_connected(str(cluster)))
        connection = Cluster(_checked(cluster))
        token = _used.set(connection)
        try:
            yield
            # The result is what it would have been; the time was not.
            if lost := connection.lost:
                note = "1 worker was lost; others played its events"
                if lost > 1:
                    note = f"{lost} workers were lost; others played their events"
                _tell(note)
        finally:
            _used.reset(token)


def _tell(what: str) -> None:
    print(f"tb2learn: {what}", file=sys.stderr)


def _checked(client: Any) -> Client:
    """What a caller gave, if it is a client.

    **Raises:** `InputError` for anything else.
    """
    module = sys.modules.get("distributed")  # without it there can be no client
    kinds = (module.Client,) if module else ()
    check_type("cluster", client, "a distributed.Client or an address", *kinds)
    return client


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """A context in which trouble with a connection means that the scheduler is lost."""
    try:
        yield
    except (OSError, CancelledError) as error:
        raise ClusterLost("the scheduler of the cluster has ended or cannot be reached") from error


@contextlib.contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the scheduler at an address; Dask says nothing in its context.

    **Raises:** `InputError` if no scheduler answers within the time-out of Dask's configuration.
    """
    try:
        import dask.config
        from distributed import Client
    except ImportError:
        raise InputError("a cluster needs Dask: pip install dask distributed") from None
    # A default alone: what the user's configuration says stands.
    dask.config.update_defaults({"distributed": {"comm": {"timeouts": {"connect": _CONNECT}}}})
    # They report every lost connection at length, which here is one line.
    for name in tuple(logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions, which are compared here
        try:
            target = _in_file(address) if address.endswith(".json") else address
            # Refused at once where nobody answers; a client would go on trying.
            asyncio.run(_shake_hands(target))
            client = Client(target)
        except Exception as error:  # of many kinds: addresses, names, ports, certificates
            raise InputError(f"no scheduler at {quoted(address)}: {_reason(error)}") from None
        try:
            yield client
        finally:
            with contextlib.suppress(Exception):
                # A scheduler that has ended never answers.
                client.close(timeout=2)


def _in_file(path: str) -> str:
    """The address in a scheduler file."""
    about = json.loads(inputs.read_text(Path(path)))
    address = about.get("address") if isinstance(about, dict) else None
    if not isinstance(address, str):
        raise InputError("this is not a scheduler file")
    return address


async def _shake_hands(address: str) -> None:
    """Connect once: the time-out of a client ends as soon as something at a port has answered."""
    import dask.config
    from dask.utils import parse_timedelta
    from distributed.comm.core import connect
    from distributed.security import Security

    seconds = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    options = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=seconds, **options), seconds + 1)
    await comm.close()


def _reason(error: Exception) -> str:
    """Why there is no connection, in a line."""
    if isinstance(error, InputError):
        return str(error)
    cause = error
    # What came first says most, unless it is only that time was up.
    while cause.__cause__ and not isinstance(cause.__cause__, TimeoutError):
        cause = cause.__cause__
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    # Dask names an object by its place in memory before the reason.
    message = str(cause).rpartition(" object at 0x")[2].partition(">: ")[2] or str(cause)
    return quoted(message, 160) if message else "what is there does not answer as one"
