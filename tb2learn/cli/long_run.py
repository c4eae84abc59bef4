"""Options of long runs, which can be resumed and shared among several hosts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tb2learn.cli import arguments

if TYPE_CHECKING:
    from tb2learn.running.runs import Run


class LongRun(NamedTuple):
    """The options of a long run."""

    resume: bool
    save_every: float  # seconds
    hosts: int | None  # 0: ask the environment
    coordinator: str | None
    host: int | None

    def join_hosts(self) -> None:
        """Join the other processes of the run, if there are any; before anything is computed.

        **Raises:** `InputError` if they cannot be reached.
        """
        if self.hosts is None and self.coordinator is None and self.host is None:
            return
        from tb2learn.running import hosts

        hosts.join(self.hosts or None, self.coordinator, self.host)

    def run(self, result: Path, about: dict[str, Any]) -> Run:
        """The run that makes a result; its progress is kept beside it, one file per host.

        **Arguments:**

        - `result`: the path of the result.
        - `about`: everything that the result depends on, as JSON.

        **Raises:** `InputError` if another host is about to do something else.
        """
        from tb2learn.running import hosts
        from tb2learn.running.runs import Run
        from tb2learn.version import __version__

        about = {"version": __version__, **about}
        hosts.agree({**about, **_program()})
        host, count = hosts.number(), hosts.count()
        suffix = f"-{host}-of-{count}" if count > 1 else ""
        return Run(
            result.with_name(f"{result.name}.progress{suffix}"),
            {"host": host, "hosts": count, **about},
            resume=self.resume,
            every=self.save_every,
        )


def _program() -> dict[str, str]:
    """What computes: a digest of the package's own files, and the libraries that draw and fit."""
    import hashlib

    import jax
    import numpy as np

    folder, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".csv") and path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return {"code": digest.hexdigest()[:16], "jax": jax.__version__, "numpy": np.__version__}


_OPTIONS = arguments.several(
    arguments.flag("--resume", "continue a run that was stopped or killed"),
    click.option(
        "--save-every",
        type=arguments.SECONDS,
        default=60,
        metavar="SECONDS",
        help="time between two saves of the progress",
    ),
    click.option(
        "--hosts",
        type=arguments.hosts,
        metavar="N",
        help="share the run among N processes, each started with this command; 'auto' takes N from "
        "the environment of a cluster's scheduler",
    ),
    click.option(
        "--coordinator",
        type=arguments.address,
        metavar="ADDRESS:PORT",
        help="where process 0 listens for the others",
    ),
    click.option(
        "--host", type=arguments.count("host", 0, 9999), metavar="I", help="number of this process"
    ),
)


def long_run(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a long run; the command gets them as one argument, `long`."""

    @_OPTIONS
    @functools.wraps(function)
    def run(**options: Any) -> None:
        long = LongRun(**{name: options.pop(name) for name in LongRun._fields})
        function(long=long, **options)

    return run
