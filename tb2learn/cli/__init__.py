"""The command line: thin commands over the library, each beside its arguments.

- `export` (lookup tables), `events` (rank, explain, compare, convert), `schedule`, `train`,
  `assess`, `studies`: the commands.
- `arguments`, `choices`, `long_run`, `output`: what commands share.

Results go to standard output, progress and messages to standard error. Bad input gives a one-line
message and exit status 2. Modules here import nothing heavy at the top, as help, version and
completion need no JAX: a command imports what it needs when it runs.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from tb2learn import __version__
from tb2learn.cli import arguments, assess, calibrate, events, export, schedule, studies, train
from tb2learn.cli.output import show

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
    "tb2learn train --help",
    f'eval "$({_COMPLETE}=bash_source tb2learn)"',
)


def _show_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        show(f"tb2learn {__version__}\n")
        context.exit()


@click.group(
    cls=arguments.Group,
    no_args_is_help=False,
    epilog=_EPILOG,
    examples=_EXAMPLES,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
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


for _command in (
    studies.quickstart,
    train.train,
    assess.assess,
    export.export,
    events.rank,
    events.explain,
    events.compare,
    events.convert,
    schedule.schedule,
    assess.ratings,
    assess.probe,
    studies.leaderboard,
    studies.robustness,
    studies.study,
    calibrate.calibrate,
    train.info,
    studies.reproduce,
):
    program.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    **Arguments:**

    - `arguments`: without the name of the program; None takes those of this process.

    **Returns:** the exit status: 0; 2 for bad input or arguments; 130 if interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if instruction := os.environ.get(_COMPLETE):
        return shell_complete(program, {}, "tb2learn", _COMPLETE, instruction)
    try:
        with program.make_context("tb2learn", list(given)) as context:
            program.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "tb2learn"
        return _refuse(f"{_one_line(error.format_message())} (see {command} --help)")
    except KeyboardInterrupt:
        print("tb2learn: interrupted; nothing was written", file=sys.stderr)
        return 130
    except Exception as error:
        # Imported here because these modules import JAX.
        from tb2learn.runs import Stopped
        from tb2learn.types import InputError

        if isinstance(error, InputError):
            return _refuse(str(error))
        if isinstance(error, Stopped):
            again = shlex.join(["tb2learn", *given, *["--resume"] * ("--resume" not in given)])
            print(f"tb2learn: {error}; to resume: {again}", file=sys.stderr)
            return 130
        raise
    return 0


def _refuse(reason: str) -> int:
    print(f"tb2learn: error: {reason}", file=sys.stderr)
    return 2


def _one_line(message: str) -> str:
    """A message, which may quote arguments, without line breaks and control characters."""
    return "".join(c if c.isprintable() else " " for c in message)
