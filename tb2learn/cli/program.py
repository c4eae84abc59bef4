"""The program: its commands, and how a command that is refused or stopped ends."""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from tb2learn.cli import arguments, events, rules, simulated
from tb2learn.cli.output import show, tell
from tb2learn.version import __version__

_COMPLETE = "_TB2LEARN_COMPLETE"

_EPILOG = f"""
EVENT is {arguments.EVENT_HELP}. CHECKPOINT is a path or the name of a committed one. 'tb2learn
COMMAND --help' shows examples.

To complete commands, options and names in bash, zsh or fish, add the output of
'{_COMPLETE}=bash_source tb2learn' (zsh_source, fish_source) to the start-up file of the shell.
"""

_EXAMPLES = (
    "tb2learn quickstart",
    "tb2learn rank baku2016",
    "tb2learn train --teams 60 --rounds 9",
    f'eval "$({_COMPLETE}=bash_source tb2learn)"',
)


def _show_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    # While a shell completes nothing may be printed.
    if asked and not context.resilient_parsing:
        show(f"tb2learn {__version__}\n")
        context.exit()


@click.group(
    cls=arguments.Group,
    no_args_is_help=False,
    epilog=_EPILOG,
    examples=_EXAMPLES,
    context_settings={"max_content_width": 100, "show_default": True},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    show_default=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def program() -> None:
    """Learned tie-break tables for chess team events: simulate, train, assess, export, rank."""


# By who asks, in the order in which help lists them.
_COMMANDS = {
    "An event (arbiter)": (
        events.rank,
        events.explain,
        events.compare,
        events.check,
        events.convert,
        events.pair,
        events.schedule,
        events.forecast,
    ),
    "A rule (commission)": (
        simulated.quickstart,
        simulated.train,
        simulated.config,
        rules.dossier,
        rules.export,
        rules.conform,
    ),
    "How good a rule is (research)": (
        simulated.assess,
        simulated.probe,
        simulated.calibrate,
        rules.info,
        rules.names,
    ),
}
for _command in itertools.chain.from_iterable(_COMMANDS.values()):
    program.add_command(_command)
program.sections = {
    title: tuple(command.name for command in commands) for title, commands in _COMMANDS.items()
}


def run(given: Sequence[str]) -> int:
    """Run one command.

    **Arguments:** `given`: without the name of the program.

    **Returns:** the exit status: 0; 2 for bad input or arguments; 130 if a long run was stopped, or
    its cluster is lost.

    **Raises:** `KeyboardInterrupt` for one that has nothing to keep; errors that are defects of the
    program.
    """
    # Set by the shell alone, which reads suggestions and runs nothing.
    if instruction := os.environ.get(_COMPLETE):
        return _complete(instruction)
    try:
        # Not `program.main()`, which prints errors in its own way and ends the process.
        with program.make_context("tb2learn", list(given) or ["--help"]) as context:
            program.invoke(context)
    # Help, the version, and commands whose status says what they found.
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        # Of the command whose help shows what it takes, not of the whole program.
        command = error.ctx.command_path if error.ctx else "tb2learn"
        return _refuse(f"{error.format_message()} (see {command} --help)")
    except MemoryError:
        return _refuse("this needs more memory than there is")
    except OSError as error:
        # What no reader or writer has made a refusal of, such as a full disk.
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return _refuse(f"{where}{error.strerror or error}")
    except Exception as error:
        # Imported here because these modules import NumPy and JAX.
        from tb2learn.running.cluster import ClusterLost
        from tb2learn.types import InputError

        # Also an `InputError`, but of another status: the arguments were right.
        if isinstance(error, ClusterLost):
            tell(str(error))
            return 130
        if isinstance(error, InputError):
            return _refuse(str(error))
        from tb2learn.running.runs import Stopped

        if isinstance(error, Stopped):
            # Quoted, so that it can be copied whatever the names are.
            again = shlex.join(["tb2learn", *given, *["--resume"] * ("--resume" not in given)])
            alone = ", or the same without --cluster" if "--cluster" in again else ""
            tell(f"{error}; to resume: {again}{alone}")
            return 130
        # A defect of the program, which ends in a traceback.
        raise
    return 0


def _complete(instruction: str) -> int:
    """Answer the shell: its script, or what may come next."""
    try:
        status = shell_complete(program, {}, "tb2learn", _COMPLETE, instruction)
    except (KeyError, ValueError, IndexError):  # the shell tells the words in other variables
        return _refuse(f"{_COMPLETE}={instruction[:40]} is for the shell, which gives the words")
    # The shell asks for what is not offered: it is told what is.
    if status:
        known = ", ".join(f"{shell}_source" for shell in ("bash", "zsh", "fish"))
        return _refuse(f"{_COMPLETE} must be one of {known}, got {instruction[:40]!r}")
    return status


def _refuse(reason: str) -> int:
    tell(f"error: {reason}")
    return 2
