"""Options of long runs, which can be stopped and resumed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tb2learn.cli.arguments import SECONDS, flag, option, several

if TYPE_CHECKING:
    from tb2learn.running.runs import Run


class LongRun(NamedTuple):
    """The options of a long run."""

    resume: bool
    save_every: float  # seconds

    def run(self, result: Path, about: dict[str, Any]) -> Run:
        """The run that makes a result; its progress is kept beside it.

        **Arguments:**

        - `result`: the path of the result.
        - `about`: everything that the result depends on, as JSON.
        """
        from tb2learn.running.runs import Run
        from tb2learn.version import __version__

        return Run(
            result.with_name(f"{result.name}.progress"),
            {"version": __version__, **about},
            resume=self.resume,
            every=self.save_every,
        )


_OPTIONS = several(
    flag("--resume", "continue a run that was stopped or killed"),
    option(
        "--save-every",
        "time between two saves of the progress",
        "SECONDS",
        SECONDS,
        default=60,
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
