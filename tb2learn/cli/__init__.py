"""The command line: thin commands over the library, each beside its arguments.

- `program`: all commands, and how one that is refused ends.
- `rules` (tables, dossiers, names), `events` (recorded ones), `simulated` (ones that are played):
  the commands.
- `arguments`, `output`: what commands share.

Results go to standard output, progress and messages to standard error. Bad input gives a one-line
message and exit status 2, an interrupt 130. Modules here import nothing heavy at the top, as help,
version and completion need no JAX: a command imports what it needs when it runs. This module
imports only what Python has loaded anyway, so that an interrupt finds `main` at work. Before that,
in the first hundredths of a second, Python itself starts and answers one with a traceback.
"""

from __future__ import annotations

# `signal` itself first loads a dozen modules for its enumerations.
import _signal as signal  # pyright: ignore[reportMissingImports]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    **Arguments:**

    - `arguments`: without the name of the program; None takes those of this process, which is then
      this program's alone.

    **Returns:** the exit status: 0; 2 for bad input or arguments; 130 if interrupted.
    """
    # Signals, streams and the collector belong to the process: only the program changes them.
    if arguments is None:
        with _Interrupts() as interrupts:
            import gc

            # Imports and traced programs make many objects and little garbage: looking for it after
            # every 700, as is usual, takes a tenth of a second or two.
            gc.set_threshold(50_000)
            _reopen_streams()
            return _run(sys.argv[1:], interrupts)
    return _run(arguments, None)


def _run(arguments: Sequence[str], interrupts: _Interrupts | None) -> int:
    try:
        from tb2learn.cli.program import run

        return run(arguments)
    except BaseException as error:
        # A defect keeps its traceback, unless it is what a library made of an interrupt.
        if not (isinstance(error, KeyboardInterrupt) or (interrupts and interrupts.came)):
            raise
        from tb2learn.cli.output import tell

        tell("interrupted; nothing was written")
        return 130


class _Interrupts:
    """A context of a whole process in which no interrupt is lost or ends in a traceback."""

    def __init__(self) -> None:
        self.came = False
        """Whether there was one: libraries written in C make other exceptions of it."""

    def __enter__(self) -> _Interrupts:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
            signal.signal(signal.SIGINT, self._raise)
        sys.unraisablehook = self._repeat
        return self

    def __exit__(self, *_: object) -> None:
        # What is left is the end of Python, which would answer an interrupt with a traceback.
        if signal.getsignal(signal.SIGINT) == self._raise:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        while frame is not None:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                # Libraries that are being loaded print exceptions, or abort. Nothing has begun.
                os.write(2, b"tb2learn: interrupted\n")
                os._exit(130)
            frame = frame.f_back
        raise KeyboardInterrupt

    def _repeat(self, lost: Any) -> None:
        """Repeat an interrupt that came where Python ignores exceptions, as in JAX's callbacks."""
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(lost)
            return
        import _thread
        import threading

        # From another thread, when this callback is over: raised here it would be lost again.
        threading.Timer(0.01, _thread.interrupt_main).start()


def _reopen_streams() -> None:
    """Open the standard streams that were closed when the program started.

    Else the next file that is opened takes the place of one. Nothing can be written to what stands
    for standard output; messages get lost.
    """
    for number, flags, name in (
        (0, os.O_RDONLY, ""), (1, os.O_RDONLY, "stdout"), (2, os.O_WRONLY, "stderr"),
    ):  # fmt: skip
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest number that is free
            if name:
                setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))
