"""What commands share: how they are declared, argument types, common options."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from tb2learn.cli.output import (
    QUIET,
    Output,
    OutputFile,
    OutputFolder,
    check_apart,
    chosen_form,
    say,
    show,
)
from tb2learn.events.files import registry
from tb2learn.export.forms import LANGUAGES, OUTPUTS
from tb2learn.export.name_lists import committed, configurations, packaged_events
from tb2learn.limits import DEFAULT_WORLD, MOST_EVENTS, MOST_SEED, RENAMED
from tb2learn.tiebreaks.library import LEARNED, REFERENCES, RULES

if TYPE_CHECKING:
    from click.types import OptionHelpExtra

    from tb2learn.config import Config
    from tb2learn.events import Reading, TeamEvent
    from tb2learn.running.runs import Run

# What commands take where nothing is named.
DEFAULT_TABLE = LEARNED

EVENT_HELP = (
    f"{registry.described()} (also .gz or .zip), a packaged event (baku2016, "
    "samarkand2026w; tb2learn list events), or - for standard input"
)

Decorator = Callable[[Callable[..., Any]], Any]


# --------------------------------------------------------------------------- commands

DECIDES, OUTPUT, READ = _GROUPS = ("What decides", "Output", "What is read")
"""Titles of groups of options in help, in order; what is in none stands below *Options*."""


_MADE = "made_arguments"
"""Where the function of a command keeps the names of such arguments, and what makes them."""


class _WithExamples(click.Command):
    """A command or group whose help has groups of options, and ends with examples."""

    def __init__(self, *positional: Any, examples: Iterable[str] = (), **options: Any):
        # Set here and not inherited: click keeps the help option that it made first, and a command
        # may be asked for it without its group.
        names = {"help_option_names": ["-h", "--help"]}
        options["context_settings"] = {**names, **options.get("context_settings", {})}
        super().__init__(*positional, **options)
        self.examples = tuple(examples)
        if not isinstance(self, click.Group):
            # Of every command, as users write it behind the name; the group has no notes.
            quiet = {"is_flag": True, "expose_value": False, "show_default": False}
            help = "No notes; errors and results only."
            names = ["--quiet", "-q"]
            self.params.append(click.Option(names, callback=_keep_quiet, help=help, **quiet))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of a group (`option_group`) below its title."""
        # click has one list of options; these stand under titles, in the order of `_GROUPS`.
        records_by_title: dict[str, list[tuple[str, str]]] = {
            title: [] for title in (*_GROUPS, "Options")
        }
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and not isinstance(parameter, click.Argument):
                records_by_title[getattr(parameter, "help_group", "Options")].append(record)
        for title, records in records_by_title.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=24)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples below the options."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option `--help`; its text is written like every other result."""
        option = super().get_help_option(ctx)
        # Its own would print past `show`, which knows closed pipes and odd encodings.
        if option:
            option.callback = _show_help
        return option


def _keep_quiet(context: click.Context, option: click.Parameter, asked: bool) -> None:
    # At the root, where `say` finds it from anywhere below.
    context.find_root().meta[QUIET] = asked


def _show_help(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        show(context.get_help() + "\n")
        context.exit()


class Command(_WithExamples):
    """A command. None takes an empty text for a name."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, with the arguments that are made of its options (`one_argument`)."""
        options = ctx.params
        made: list[tuple[str, Any]] = getattr(self.callback, _MADE, [])
        # Those that stand first in the source are the last that were added.
        for name, make in reversed(made):
            # By name if it imports much: help and completion do without.
            maker = pkgutil.resolve_name(make) if isinstance(make, str) else make
            keys = [key for key in inspect.signature(maker).parameters if key in options]
            # The command gets the value in place of the options that it was made of.
            options[name] = maker(**{key: options.pop(key) for key in keys})
        return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As a `click.Command` does.

        **Raises:** `click.BadParameter` for an empty argument or value of an option, and as
        `check_apart`.
        """
        rest = super().parse_args(ctx, args)
        for parameter in self.params:
            value = ctx.params.get(parameter.name or "")
            # An option that may come several times has several values.
            values = value if isinstance(value, tuple | list) else [value]
            # Mostly a variable of the shell that is not set; as a path it would be the working
            # folder.
            if "" in values and not ctx.resilient_parsing:
                raise click.BadParameter("must not be empty", ctx, parameter)
            if isinstance(parameter.type, RuleNames) and not ctx.resilient_parsing:
                for name in filter(None, values):
                    parameter.type.say_renamed(name)
        # While a shell completes, arguments are not whole.
        if not ctx.resilient_parsing:
            check_apart(ctx)
        return rest


class Group(_WithExamples, click.Group):
    """A group that lists its commands by who uses them, in the order of the work."""

    sections: dict[str, tuple[str, ...]]
    """Titles, and the names of the commands below them; set by who adds commands."""

    known_as: Mapping[str, str] = MappingProxyType(
        {
            "standings": "rank",
            "ranking": "rank",
            "table": "rank",
            "tiebreak": "rank",
            "working": "explain",
            "simulate": "assess",
            "evaluate": "assess",
            "pairing": "pair",
            "pairings": "pair",
            "validate": "check",
            "predict": "forecast",
            "print": "export",
        }
    )
    """Commands by words that others have for them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which commands were added (click calls this)."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, section by section."""
        width = formatter.width - 6 - max(map(len, self.commands))
        for title, names in self.sections.items():
            with formatter.section(title):
                commands = ((name, self.commands[name]) for name in names)
                formatter.write_dl([(name, it.get_short_help_str(width)) for name, it in commands])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called.

        **Raises:** `click.UsageError` for none, naming the one that was probably meant.
        """
        # Before click, which finds names that are spelled alike, not other words for one.
        meant = self.known_as.get(args[0].casefold())
        if meant and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {meant!r}?", ctx)
        return super().resolve_command(ctx, args)


def command(*examples: str, **options: Any) -> Decorator:
    """A decorator that makes a function a command, with its docstring as help.

    **Arguments:** `examples`: complete command lines, shown at the end of the help.
    """
    return click.command(cls=Command, examples=examples, **options)


def several(*decorators: Decorator) -> Decorator:
    """Combine decorators into one; the help lists them in this order."""
    # Whichever is applied last stands first in help.
    return lambda function: functools.reduce(lambda f, add: add(f), reversed(decorators), function)


def option_group(title: str, *decorators: Decorator) -> Decorator:
    """Options under a title of their own in the help, one of `_GROUPS`."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        # An option does not know its title; those that these decorators add are told it.
        parameters_before = list(getattr(function, "__click_params__", ()))
        function = several(*decorators)(function)
        for parameter in function.__click_params__:  # pyright: ignore[reportFunctionMemberAccess]
            if parameter not in parameters_before:
                parameter.help_group = title
        return function

    return decorate


def option(
    name: str,
    help: str,
    metavar: str | None = None,
    type: Any = None,
    usual: str | None = None,
    to: str | None = None,
    **more: Any,
) -> Decorator:
    """An option with a value.

    **Arguments:** `usual`: what help says of it if it is not given; `to`: the name of the
    parameter, if it is not that of the option; the others as of `click.option`.
    """
    # click would print the default of Python, such as None, which says nothing.
    more |= {} if usual is None else {"show_default": usual}
    names = (name,) if to is None else (name, to)
    return click.option(*names, cls=_Option, help=help, metavar=metavar, type=type, **more)


class _Option(click.Option):
    """An option whose default stands in its help without the brackets that click puts around it."""

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """What help says behind the text of an option."""
        extra = super().get_help_extra(ctx)
        if "default" in extra:
            extra["default"] = re.sub(r"^\((.*)\)$", r"\1", extra["default"])
        return extra


def flag(name: str, help: str, *other_name: str) -> Decorator:
    """An option without a value.

    **Arguments:** `other_name`: of the parameter, if it is not that of the option.
    """
    return click.option(name, *other_name, is_flag=True, show_default=False, help=help)


def one_argument(
    name: str, make: Callable[..., Any] | str, title: str, *options: Decorator
) -> Decorator:
    """Options under a title that a command gets as one argument.

    **Arguments:** `name`: of the argument; `make`: makes it of its parameters, which are options
    or arguments that were made before; as `module:function` if it is imported when a command runs.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__dict__.setdefault(_MADE, []).append((name, make))
        return option_group(title, *options)(function)

    return decorate


# --------------------------------------------------------------------------- types


def count(
    what: str, low: float, high: float, allowed: str = "", kind: type[int] | type[float] = int
) -> Callable[[str], Any]:
    """The type of a number from `low` to `high`, a whole one if its kind is not `float`.

    **Arguments:** `allowed`: how the message that refuses another says which are allowed.
    """

    def parse(value: str | float) -> float:
        # Not a number compares false with both ends, and is refused, too.
        with contextlib.suppress(ValueError):
            if low <= (number := kind(value)) <= high:
                return number
        must = allowed or f"{low}..{high}"
        raise click.BadParameter(f"{what} must be {must}, got {str(value)[:40]!r}")

    return parse


PICTURE = OutputFile("a figure", ".png")


def names_of(option: str, allowed: Iterable[str]) -> Callable[[str], list[str]]:
    """The type of a list of names separated by commas."""
    in_words = ", ".join(allowed)

    def parse(value: str) -> list[str]:
        names = value.split(",")
        for name in names:
            if name not in allowed:
                raise click.BadParameter(f"{option} must be one of {in_words}, got {name[:40]!r}")
        # Each once, in the order that was asked for.
        return list(dict.fromkeys(names))

    return parse


class NameOrPath(click.ParamType):
    """A known name, or a path. Any string is accepted; completion offers the known names."""

    name = "text"

    def __init__(self, known: Callable[[], Iterable[str]]):
        self.known = known

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The known names that start with what was typed, and files."""
        # A set, as the user's folder may have what the package has.
        names = sorted({name for name in self.known() if name.startswith(incomplete)})
        # Files are left to the shell, which knows links, `~` and blanks.
        return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


class RuleNames(NameOrPath):
    """Names or paths of rules or configurations, some of which had other names once."""

    def say_renamed(self, value: str) -> None:
        """Note what is called otherwise today."""
        # Lists of tie-breaks have commas or plus signs.
        for name in re.split("[,+]", value):
            old = re.sub("-(pass[0-9]+|difficulty)$", "", name)
            own = (Path(f"checkpoints/{old}.npz"), Path(f"configs/{old}.toml"))
            # A file of this name in the working folder is what is meant.
            if old in RENAMED and not any(path.exists() for path in own):
                say(f"{old} is called {RENAMED[old]} today")


class CommaNames(RuleNames):
    """Such names, separated by commas."""

    def convert(
        self, value: str | list[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """The names.

        **Raises:** `click.BadParameter` for an empty one.
        """
        names = value.split(",") if isinstance(value, str) else value
        if "" in names:
            self.fail(f"names between commas must not be empty, got {value[:40]!r}", param, ctx)
        return names


# What is there is looked up when a shell asks, not when the program starts.
CHECKPOINT = RuleNames(lambda: committed("checkpoints", ".npz"))
CONFIG = RuleNames(configurations)
CONFIGS = CommaNames(configurations)
RULE = RuleNames(lambda: [*committed("checkpoints", ".npz"), *RULES, *REFERENCES])
EVENT = NameOrPath(packaged_events)

# Numbers that several commands take.
EVENTS = count("events", 1, MOST_EVENTS)
SEED = count("seed", 0, MOST_SEED)
ROUNDS = count("rounds", 1, 40)
PERCENT = count("percent", 50, 100, kind=float)
SECONDS = count("seconds", 0, sys.float_info.max, "0 or more", float)
SEED_NOISE = count("seed noise", 0, math.inf, "0 or more, or inf", float)


# --------------------------------------------------------------------------- options of several


event_argument = click.argument(
    "event",
    type=EVENT,
    metavar="EVENT",
    help="a file, folder or packaged event (baku2016), or -: 'tb2learn --help'",
)

rule_argument = click.argument(
    "rule",
    type=RULE,
    metavar="RULE",
    help="a checkpoint: a path, or the name of a committed one; or learned, formula, product",
)
"""A rule that has a table or a formula."""


def rules_argument(help: str, required: bool = True) -> Decorator:
    """Rules and checkpoints, by name or path."""
    metavar = "RULE..." if required else "[RULE]..."
    return click.argument(
        "rules", type=RULE, nargs=-1, required=required, metavar=metavar, help=help
    )


def world_option(usual: str) -> Decorator:
    """`--on`; `usual` says what is played without it."""
    text = "configuration of the simulated events: a file or the name of a committed one"
    return option("--on", text, "CONFIG", CONFIG, usual)


def world_of(on: str | None, rules: Sequence[str]) -> Config:
    """The world of `--on`, else that of the first table among the rules, else the Olympiad's."""
    from tb2learn.catalogue import home_of
    from tb2learn.config import load_world

    if on:
        world, note = load_world(on)
        if note:
            say(note)
        return world
    # Of rules without a checkpoint there is no world of their own.
    return home_of(rules) or load_world(DEFAULT_WORLD)[0]


def rounds_option(help: str, usual: str | None = None) -> Decorator:
    """`--rounds`."""
    return option("--rounds", help, "N", ROUNDS, usual)


def boards_option(help: str, usual: str | None = None, least: int = 1) -> Decorator:
    """`--boards`."""
    return option("--boards", help, "N", count("boards", least, 12), usual)


def folder_option(help: str, *names: str, **more: Any) -> Decorator:
    """`--out`, the folder in which a command writes files of these names."""
    return option("--out", help, "DIR", OutputFolder(*names), **more)


def language_option(help: str) -> Decorator:
    """`--lang`."""
    return option("--lang", help, type=click.Choice(LANGUAGES), default=LANGUAGES[0])


def seed(help: str) -> Decorator:
    """`--seed`."""
    return option("--seed", help, "S", SEED, default=1)


def events_and_seed(what: str, events: int | None = None) -> Decorator:
    """`--events` and `--seed`; if `events` is None both default to the configuration's."""
    # A configuration says how many events a training takes; nothing says it of a measurement.
    if events is not None:
        return several(option("--events", what, "N", EVENTS, default=events), seed("names the run"))
    usual = "the configuration's"
    return several(
        option("--events", what, "N", EVENTS, usual),
        option("--seed", "names the run", "S", SEED, usual),
    )


def _event(event: str, reading: Reading, after: int | None, half_rule: bool | None) -> TeamEvent:
    from tb2learn.events import read_event
    from tb2learn.events.kind import half_rule as without_short

    data = read_event(event, reading)
    # First the rounds, then who played too little of them.
    return without_short(data if after is None else data.after(after), half_rule)


reads = one_argument(
    "reading",
    "tb2learn.events:reading",
    READ,
    flag("--strict", "stop on anything unclear in the file"),
    option(
        "--form",
        ", ".join(registry.names()),
        "FORM",
        # Old names are taken, with a note; help has those of today alone.
        click.Choice((*registry.names(), *registry.OLD_NAMES)),
        usual="by the content",
    ),
    option("--bye-points", "of a bye (of a player P)", "MP,GP", usual="a draw's"),
    option("--match-points", "of a win, a draw, a loss", "W,D,L", usual="the file's"),
    flag("--trust-points", "totals in the file count where its results differ"),
    flag("--individual", "an event of players, whatever teams it names"),
    flag("--round-robin", "a league, whatever the file or its pairs say"),
    flag("--swiss", "a Swiss, whatever they say"),
    option(
        "--teams",
        "a CSV of player and team, for a PGN without teams",
        "FILE",
        click.Path(),
    ),
    option("--encoding", "such as cp1251", "NAME", usual="by the content"),
    option("--group", "of several in the file", "NAME", usual="the only one"),
)
"""Options that say how an event is read; the command gets them as `reading`."""


def _event_or_teams(
    event: str, reading: Reading, after: int | None, half_rule: bool | None
) -> TeamEvent:
    return _event(event, replace(reading, before_first=True), after, half_rule)


def _events(
    event: str, reading: Reading, after: int | None, half_rule: bool | None
) -> list[TeamEvent]:
    """The event of a file, or all of several."""
    from tb2learn.events.files.groups import SeveralEvents
    from tb2learn.events.files.read import STANDARD_INPUT

    try:
        return [_event(event, reading, after, half_rule)]
    except SeveralEvents as several_events:
        # Standard input is read once; and a strict reader leaves nothing to guess.
        if reading.strict or event == STANDARD_INPUT:
            raise
        one_by_one = (replace(reading, group=group) for group in several_events.groups)
        return [_event(event, of_group, after, half_rule) for of_group in one_by_one]


def _reads(read: Callable[..., Any], name: str = "event") -> Decorator:
    """The argument EVENT, and the options of how it is read."""
    return several(
        event_argument,
        reads,
        one_argument(
            name,
            read,
            READ,
            option("--after", "the event after round N", "N", ROUNDS, "the last"),
            option(
                "--half-rule/--no-half-rule",
                "drop who played too little",
                usual="the file's",
                default=None,
            ),
        ),
    )


reads_event = _reads(_event)
"""The argument EVENT and how it is read; the command gets the event as it stood `--after`."""
reads_events = _reads(_events, "events")
"""The same of a file that may have several events; the command gets them all as `events`."""
reads_event_or_teams = _reads(_event_or_teams)
"""The same, also for the teams of an event in which nobody has played."""


def prints(*printed: str, languages: bool = False) -> Decorator:
    """`--format`, `--out`, `--wide` and perhaps `--lang`; the command gets them as `output`.

    **Arguments:**

    - `printed`: forms that are files only.
    - `languages`: whether these forms can be had in several languages.
    """
    # On the screen the first ones alone, as the others are no text.
    forms = (*OUTPUTS, *printed)
    with_file = f"; with --out also {', '.join(printed)}" if printed else ""
    options = [
        option(
            "--format",
            ", ".join(OUTPUTS) + with_file,
            "FORM",
            click.Choice(forms),
            usual=f"{OUTPUTS[0]}, or FILE's ending",
        ),
        option("--out", "write there instead of on the screen", "FILE", OutputFile()),
        flag("--wide", "one table, even if it does not fit the terminal"),
    ]
    # Text, CSV and JSON are English alone.
    if languages:
        options.append(language_option(f"language of {', '.join(printed)}"))

    def output(format: str | None, out: str | None, wide: bool, lang: str = LANGUAGES[0]) -> Output:
        return Output(chosen_form(format, out, printed, lang), out, wide, lang)

    return one_argument("output", output, OUTPUT, *options)


def plays(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--cluster` and `--no-cache`, for commands that play events.

    Sets up JAX, for which every core is a device, before the command runs.
    """

    @option(
        "--cluster",
        "play the events on a cluster of Dask: the address of its scheduler, such as "
        "tcp://10.0.0.1:8786, or its scheduler file (.json)",
        "ADDRESS",
    )
    @flag(
        "--no-cache",
        "do not use the cache of compiled programs, which is in the user's cache folder "
        "or TB2LEARN_CACHE_DIR",
    )
    @functools.wraps(function)
    def run(no_cache: bool, cluster: str | None, **options: Any) -> None:
        # Here and not above, as help needs no JAX.
        from tb2learn.running import compile_cache

        with compile_cache.use(not no_cache) as unusable:
            if unusable:
                say(unusable)
            from tb2learn.running.processors import started, use_all_cores

            # JAX counts its devices when it is first used: nothing may use it before.
            use_all_cores()
            with started():
                from tb2learn.running.cluster import use

                with use(cluster):
                    function(**options)

    return run


class LongRun(NamedTuple):
    """The options of a long run."""

    resume: bool
    save_every: float  # seconds

    def run(self, result: Path, about: dict[str, Any]) -> Run:
        """The run that makes the file of a result; its progress is kept beside it.

        **Arguments:** `about`: everything that the result depends on, as JSON.
        """
        from tb2learn.running.runs import Run
        from tb2learn.version import __version__

        # In the same folder, so that --resume finds it by the name of the result.
        progress = result.with_name(f"{result.name}.progress")
        # Progress of another version or plan is none of this run, and is refused.
        depends_on = {"version": __version__, **about}
        return Run(progress, depends_on, resume=self.resume, every=self.save_every)


long_run = one_argument(
    "long",
    LongRun,
    "Options",
    flag("--resume", "continue a run that was stopped or killed"),
    option(
        "--save-every", "time between two saves of the progress", "SECONDS", SECONDS, default=60
    ),
)
"""The options of a long run; the command gets them as one argument, `long`."""
