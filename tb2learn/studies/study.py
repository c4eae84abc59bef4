"""What a study is: a name, a question, options, and a folder with all the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tb2learn.report.frames import Frames
    from tb2learn.report.stored import Csv, Json

GAMES = "baku2016_games.csv"
"""The packaged constants of the game model, which nearly all studies play with."""

FORMULAS = "formula.csv", "formula_players.csv"
"""The packaged constants of the formula, of teams and of players."""


@dataclass(frozen=True)
class Option:
    """An option or an argument of the command of a study.

    **Fields:**

    - `name`: that of the parameter of `measure`.
    - `kind`: what its values are: `events` and `seed` are numbers, `event` and `rule` are names or
      paths, `file` is one to write; a `flag` has none, and is true where it is given.
    - `default`: its value where none is given.
    - `help`: for the command line.
    - `argument`: whether it is an argument, which is given without its name.
    - `many`: whether it takes several values.
    - `shown`: the default in words.
    """

    name: str
    kind: str
    default: Any
    help: str
    argument: bool = False
    many: bool = False
    shown: str = ""


def events(default: int, what: str) -> Option:
    """`--events`: how many events are simulated."""
    return Option("events", "events", default, what)


def trained(default: int, what: str) -> Option:
    """`--trained`: how many events a study fits to."""
    return Option("trained", "events", default, f"events of {what}")


def seed(what: str = "names the run") -> Option:
    """`--seed`: of all random numbers."""
    return Option("seed", "seed", 1, what)


@dataclass(frozen=True)
class Study:
    """A study, as the command line, the documentation, the Makefile and the tests know it.

    What it measures, draws and writes stands in the module `measure` of its folder, which is
    imported when it is asked for.

    **Fields:**

    - `name`: of the command. The folder has the same name, with `_` for `-`.
    - `question`: what the study asks, for lists of studies.
    - `help`: of the command: a line that ends with a full stop, then more.
    - `options`: of the command, beside `--out`.
    - `examples`: command lines below the help; by default the plain command.
    - `minutes`: roughly, on one of two cores; 0 for a study that takes seconds, whose report the
      tests make anew.
    - `quick`: arguments of `measure` with which the study takes a minute or two, for the slow
      tests; None if there are none.
    - `reports`: the committed reports, with the options that they are made with where these are not
      the defaults; by default one report with none.
    - `packaged`: files of the report that the package contains, with their names in `data`.
    - `reads`: packaged files that studies make and this one depends on.
    - `compiles`: whether the study runs compiled programs.
    - `plays`: whether it plays events as a cluster can; then it compiles, too.
    - `command`, `to`: the words of the command, by default `study` and the name, and its option for
      the report.
    - `out`: the default of that option; by default the folder of the name in `reports`. If it is a
      Markdown file, `FIGURES` and `FILES` are named by what follows its name without the ending.
    """

    name: str
    question: str
    help: str = ""
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    minutes: float = 1
    quick: Mapping[str, Any] | None = None
    reports: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    packaged: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = (GAMES,)
    compiles: bool = True
    plays: bool = True
    command: str = ""
    to: str = "--out"
    out: str = ""

    def __post_init__(self) -> None:
        def default(name: str, value: Any) -> None:
            object.__setattr__(self, name, getattr(self, name) or value)

        default("command", f"study {self.name}")
        default("out", f"reports/{self.name}")
        default("reports", {self.out: {}})
        default("examples", (f"tb2learn {self.command} {self.to} {self.out}",))

    @property
    def in_one_file(self) -> bool:
        """Whether the report is a file and no folder. Names of its other files begin as its own."""
        return self.out.endswith(".md")

    def defaults(self) -> dict[str, Any]:
        """The options by name, with their defaults."""
        return {one.name: one.default for one in self.options}

    @property
    def constants(self) -> Any:
        """The module `measure`, whose constants the template shows by this name."""
        return import_module(f"{__package__}.{self._folder}.measure")

    @property
    def measure(self) -> Callable[..., dict[str, Any]]:
        """From the options to frames by name (`measure.measure`)."""
        return self.constants.measure

    @property
    def files(self) -> tuple[Csv | Json, ...]:
        """The files that hold the frames (`measure.FILES`)."""
        return self.constants.FILES

    @property
    def figures(self) -> Mapping[str, Callable[[Frames], Figure | None]]:
        """What draws frames, by name of the picture's file (`measure.FIGURES`).

        A figure of what not every report has is None where there is nothing to be drawn.
        """
        return self.constants.FIGURES

    def summary(self, frames: Frames) -> Mapping[str, Any]:
        """What the template shows beside the frames (`measure.summary`, if there is one)."""
        there = getattr(self.constants, "summary", None)
        return there(frames) if there else {}

    @property
    def template(self) -> str:
        """The template of the report, by its path in this package."""
        return f"{self._folder}/report.md"

    @property
    def _folder(self) -> str:
        return self.name.replace("-", "_")
