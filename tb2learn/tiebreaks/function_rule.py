"""A rule from a function of one event: a tie-break of one's own in a few lines.

The function is written once, for recorded events (arrays of NumPy) and simulated ones (arrays of
JAX in a compiled program), with the functions of `jax.numpy`, which take both.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tb2learn.arrays import compiled, namespace
from tb2learn.chess.items import Pass
from tb2learn.chess.results import EventView, Results
from tb2learn.shapes import Bool, Int, Num
from tb2learn.tiebreaks.base import Explained, TieBreak
from tb2learn.tiebreaks.library import REFERENCES, RULES
from tb2learn.tiebreaks.names import is_tiebreak
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import (
    AnyArray,
    InputError,
    PerRound,
    PerTeam,
    check_name,
    check_type,
    pytree,
    said,
    static,
    within,
)

MOST_SCORE = 1e6
"""The most that a round without a match may add, on either side of 0."""


@pytree
class EventResults:
    """What was played in one event, as a rule of one's own sees it.

    Teams are numbered in start order, from 0, rounds from 0. A simulated event has arrays of JAX,
    whole numbers of 32 bits; in the program that is compiled they have a shape but no values yet,
    so that `if` and `for` may ask for shapes alone: `jax.numpy.where` chooses by value. A recorded
    event has arrays of NumPy that cannot be written to. Functions of `jax.numpy` take both.

    **Fields:**

    - `opponents`: `[rounds, teams]` number of the opponent that was met; -1 without one (a bye, a
      default, an absence). As an index -1 reads the last team, so that what it reads is to be left
      out (`met`).
    - `half_points`: `[rounds, teams]` game points of the round, in half points, 0 .. 2*boards; of a
      round without a match those that it gave.
    - `round_points`: `[rounds, teams]` match points of the round.
    - `match_points`: `[teams]` match points of all rounds, without what arbiters gave or took.
    - `boards`: games of a match; a plain number.
    - `ratings`: `[teams]` published rating points before the event (of a team the mean of its best
      players), 0 for none; None if there are none, as in simulated events with random seeds.
    - `whites`: `[rounds, teams]` who had White (in a team event on board 1); None if nobody knows.
    """

    opponents: PerRound
    half_points: PerRound
    round_points: PerRound
    match_points: PerTeam
    boards: int = static()
    ratings: PerTeam | None = None
    whites: Bool[AnyArray, "rounds teams"] | None = None

    @classmethod
    def of(cls, results: Results) -> EventResults:
        """The results of an event, as a rule of one's own sees them."""
        return cls(
            opponents=_fixed(results.opponents),
            half_points=_fixed(results.half_points),
            round_points=_fixed(results.gained),
            match_points=_fixed(results.match_points),
            boards=results.boards,
            ratings=_fixed(results.ratings),
            whites=_fixed(results.whites),
        )

    @property
    def met(self) -> Bool[AnyArray, "rounds teams"]:
        """Where there was an opponent."""
        return self.opponents >= 0

    @property
    def opponent_points(self) -> Int[AnyArray, "rounds teams"]:
        """Final match points of the opponent, 0 without one."""
        points = self.match_points[self.opponents]
        return namespace(points).where(self.met, points, 0)


def _fixed(array: AnyArray) -> AnyArray:
    """The array, which cannot be written to: one of NumPy belongs to the event."""
    if array is None or compiled(array):
        return array
    # A view, so that the event's own array stays as it is.
    view = array.view()
    view.flags.writeable = False
    return view


Function: TypeAlias = Callable[[EventResults], AnyArray]
"""Scores `[teams]`, or what every match adds to them `[rounds, teams]`; higher is better."""


@pytree
class FunctionScore:
    """The scores that a function gives; `name`: of the rule."""

    function: Function = static()
    name: str = static()

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The function's scores."""
        return _numbers(self.function, self.name, event.results)


@pytree
class FunctionSum(Explained):
    """The sum of what a function gives every match; `bye`: a round without one; `name`: the rule's.

    The policy for unplayed rounds does not change it.
    """

    function: Function = static()
    name: str = static()
    bye: float = static(default=0)

    def working(self, event: EventView) -> tuple[Pass]:
        """One pass, in which nothing is left out."""
        values = _numbers(self.function, self.name, event.results, self.bye)
        nothing = namespace(values).zeros(values.shape, bool)
        return (Pass(values, nothing, values.sum(axis=0)),)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sums."""
        return self.working(event)[0].totals


def _numbers(
    function: Function, name: str, results: Results, bye: float | None = None
) -> Num[AnyArray, "*shape"]:
    """What a function gives, as numbers that can be subtracted; checked if they are known.

    **Arguments:** `bye`: what stands where nobody was met; None for scores a team.

    **Raises:** `InputError` for a number that is not finite, in a recorded event.
    """
    values, met = function(EventResults.of(results)), results.met
    if compiled(met):
        xp = namespace(met)
        # No check of values: while the program is compiled they have none.
        fractions = xp.issubdtype(values.dtype, xp.floating)
        values = xp.asarray(values).astype(xp.float32 if fractions else xp.int32)
        return values if bye is None else xp.where(met, values, bye)
    values = np.asarray(values)  # functions of JAX give its arrays for those of NumPy, too
    values = values.astype(float if values.dtype.kind == "f" else int)
    values = values if bye is None else np.where(met, values, bye)
    if not np.isfinite(values).all():
        # Teams are the last axis, whether rounds come before or not.
        (team, *_) = np.nonzero(~np.isfinite(values))[-1]
        which = f"team {team + 1} of the start order"
        raise InputError(f"{name}: what the function gives {which} is not a finite number")
    return values


@dataclass(frozen=True)
class FunctionRule:
    """A rule of one's own, for events of every format; `api.rule` makes it.

    **Fields:**

    - `name`: of its rows and columns.
    - `function`: what it computes, see `EventResults`.
    - `bye`: what a round without a match adds, if the function says what every match adds.
    """

    name: str
    function: Function
    bye: float = 0

    def __post_init__(self) -> None:
        check_type("name", self.name, "a text", str)
        check_name("name", self.name)
        # Else one name would have two meanings in one table.
        if self.name in (*RULES, *REFERENCES) or is_tiebreak(self.name):
            raise InputError(f"name must be a new one: {self.name} is a rule already")
        # A class can be called, too, but makes an object and no scores.
        if isinstance(self.function, type) or not callable(self.function):
            is_class = isinstance(self.function, type)
            description = f"the class {self.function.__name__}" if is_class else said(self.function)
            raise InputError(f"function must be a function of an event, got {description}")
        if not isinstance(self.function, Hashable):
            raise InputError("function must be hashable, as functions are: programs go by it")
        within("bye", self.bye, -MOST_SCORE, MOST_SCORE)

    def bind(self, results: Results) -> Rule:
        """The rule for the format of an event.

        **Arguments:** `results`: those of the event; or what stands for those of simulated events,
        of which only shapes and types are known (`jax.ShapeDtypeStruct`).

        **Raises:** `InputError`, one line, if the function does not give numbers `[teams]` or
        `[rounds, teams]`, or asks for values that a compiled program does not have yet.
        """
        rounds, teams = results.opponents.shape
        # Tried once on the event, so that every mistake is one line and comes before the work.
        values = self._tried(results)
        shape, dtype = getattr(values, "shape", None), getattr(values, "dtype", None)
        if shape not in ((teams,), (rounds, teams)):
            description = said(values) if shape is None else f"the shape {[*shape]}"
            raise InputError(
                f"{self.name}: the function must give scores [teams] = [{teams}] or what every "
                f"match adds [rounds, teams] = [{rounds}, {teams}], got {description}"
            )
        if getattr(dtype, "kind", "") not in ("b", "i", "u", "f"):
            raise InputError(
                f"{self.name}: the function must give whole numbers or fractions (int32, float32), "
                f"got {dtype}"
            )
        # What it gave decides: scores a team, or what every match adds.
        tiebreak: TieBreak = FunctionScore(self.function, self.name)
        if len(shape) == 2:
            tiebreak = FunctionSum(self.function, self.name, self.bye)
        return Rule(self.name, rounds, results.boards, tiebreak)

    def _tried(self, results: Results) -> Any:
        """What the function gives of an event; of shapes, the shape of it."""
        if not compiled(results.opponents):
            return self.function(EventResults.of(results))
        import jax

        kept: list[Any] = []

        def keep(played: Results) -> None:
            # Kept rather than returned: JAX would refuse, in many lines, what is no array.
            kept.append(self.function(EventResults.of(played)))

        try:
            jax.eval_shape(keep, results)
            return kept[0]
        except (jax.errors.JAXTypeError, jax.errors.JAXIndexError) as error:
            # The line of the function itself, the last one of it in the trace.
            frames = traceback.extract_tb(error.__traceback__)
            code = getattr(self.function, "__code__", None)
            lines = [
                frame.lineno for frame in frames if code and frame.filename == code.co_filename
            ]
            trouble = f" in line {lines[-1]}" if lines else ""
        # Behind the `except`, so that the trace of JAX is no part of the error.
        raise InputError(
            f"{self.name}: the function asks for a value{trouble}, but in the program that is "
            "compiled for simulated events arrays have none yet: use functions of jax.numpy, such "
            "as jnp.where, not those of numpy, nor if, int() or float()"
        )
