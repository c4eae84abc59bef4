"""Shape aliases, units and the one error for bad input.

Dimensions used in every annotation of the package:

``teams``    the teams of one event, numbered 0.. in seed order (team 0 is the top seed)
``boards``   the games of a match; a roster holds one player a board, strongest first
``rounds``   the rounds of an event
``results``  the possible results of a match for one side, ``2*boards + 1``: 0, 1/2, 1, ... boards
``own``      the possible match points of a team, ``2*rounds + 1``: 0, 1, ... 2*rounds
``opponent`` those of its opponent

Units: ratings are whole FIDE rating points. Game points (GP) are counted in **half points**
(``half_points``: 0 .. 2*boards a match), so that everything in an event is an integer. The
probabilities of a match are integers too, in units of 1/32768 (``simulation.purposes.UNIT``).
"""

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, dataclass_transform

import numpy as np

from tb2learn.arrays import AnyArray
from tb2learn.shapes import Float, Int
from tb2learn.text import one_line, quoted

PerTeam: TypeAlias = Int[AnyArray, " teams"]
"""One integer a team: match points, half points, a place, an opponent."""

PerRound: TypeAlias = Int[AnyArray, "rounds teams"]
"""One integer a round and team. Rounds come first everywhere and teams last, because XLA
vectorises loops along the last axis, and the rounds of an event are too few for that."""

Counts: TypeAlias = Int[np.ndarray, "own opponent results"]
"""Numbers of matches by own match points, opponent's match points, half points."""

Shares: TypeAlias = Float[np.ndarray, " n"]
"""Match points as shares of the most that a team can have, 0..1."""

BYE = -1
"""Stands for the opponent of a team that had the bye or has not played."""

MAX_TEAMS, MAX_ROUNDS, MAX_BOARDS = 1000, 40, 12
"""The largest sizes that are tested; larger ones are refused."""
MAX_SIMULATED_ROUNDS = 15
"""The most rounds that are simulated, and so of tables and formulas that are trained."""


class InputError(ValueError):
    """Bad input from outside: one line that names the place, what is allowed and what came.

    What the message quotes, such as names of files and keys, may be anybody's: it is made safe
    here, and bounded.
    """

    def __init__(self, message: object):
        super().__init__(one_line(str(message)))


def said(value: object) -> str:
    """How a message shows an argument: a number or a text as it is, of anything else the type."""
    if isinstance(value, str | Path):
        return quoted(str(value))
    if value is None or isinstance(value, int | float | np.number | np.bool_):
        try:
            return str(value)[:60]
        except ValueError:  # thousands of digits
            return "a huge number"
    return f"a value of the type {type(value).__name__}"


def whole_number(name: str, value: Any, low: int, high: int, where: str = "") -> int:
    """Check that an argument is a whole number within a range, and return it as an `int`.

    **Arguments:** `name`, `value`: of the argument; `low`, `high`: the ends of the range, which
    belong to it; `where`: for the message, in which case this is the range.

    **Raises:** `InputError` naming the argument, its range and what came.
    """
    is_whole = type(value) is int or isinstance(value, np.integer)
    if not is_whole or not low <= value <= high:
        kind = "" if is_whole else "a whole number "
        raise InputError(f"{name} must be {kind}{low}..{high}{where}, got {said(value)}")
    return int(value)


def check_size(rounds: Any, boards: Any) -> None:
    """Check the rounds of an event and its boards a match.

    **Raises:** `InputError` for sizes that no event has.
    """
    whole_number("rounds", rounds, 1, MAX_ROUNDS)
    whole_number("boards", boards, 1, MAX_BOARDS)


def within(name: str, value: Any, low: float, high: float, allowed: str = "") -> float:
    """Check that an argument, or a value in a file, is a number within a range, and return it.

    **Arguments:** as for `whole_number`; `allowed`: the range in words.

    **Raises:** `InputError` naming the argument, what is allowed and what came.
    """
    is_number = type(value) in (int, float) or isinstance(value, np.integer | np.floating)
    if not is_number or not low <= value <= high:  # also refuses NaN
        raise InputError(
            f"{name} must be {allowed or f'{low:.16g}..{high:.16g}'}, got {said(value)}"
        )
    return float(value)


def flag(name: str, value: Any) -> bool:
    """Check that an argument is True or False, and return it.

    **Raises:** `InputError` naming the argument and what came.
    """
    check_type(name, value, "True or False", bool, np.bool_)
    return bool(value)


def one_of(name: str, value: Any, allowed: Iterable[str]) -> None:
    """Check that an argument is one of some names.

    **Raises:** `InputError` naming the argument, all names and what came.
    """
    names = list(allowed)
    if not (isinstance(value, str) and value in names):
        raise InputError(f"{name} must be one of {', '.join(names)}, got {said(value)}")


def check_type(name: str, value: object, what: str, *types: type) -> None:
    """Check what an argument is.

    **Raises:** `InputError` naming the argument, what it must be (`what`) and what came.
    """
    if not isinstance(value, types):
        raise InputError(f"{name} must be {what}, got {said(value)}")


def check_name(what: str, name: str) -> str:
    """Return `name` if it can safely name a file: letters, digits, `-`, `_` and `.`.

    **Raises:** `InputError` otherwise.
    """
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    if not (plain.isascii() and plain.isalnum() and not name.startswith(".") and len(name) <= 100):
        raise InputError(
            f"{what} must be 1..100 ASCII letters, digits, '-', '_' or '.', "
            f"not starting with '.', got {name[:100]!r}"
        )
    return name


_T = TypeVar("_T")
_pytrees: list[type] = []
_registers: list[Callable[[type], None]] = []


def static(**options: Any) -> Any:
    """A field of a `pytree` that is part of its structure: hashable, known when compiling."""
    return dataclasses.field(metadata={"static": True}, **options)


@dataclass_transform(frozen_default=True, field_specifiers=(static,))
def pytree(cls: type[_T]) -> type[_T]:
    """A frozen dataclass whose fields, but for the `static` ones, are children of a JAX pytree.

    Its shapes are those of one event. JAX knows of it once `jax_types` has been imported, which all
    modules do that simulate; without them no JAX is needed.
    """
    cls = dataclasses.dataclass(frozen=True)(cls)
    _pytrees.append(cls)
    for register in _registers:
        register(cls)
    return cls


def register_pytrees(register: Callable[[type], None]) -> None:
    """Have a function called for every `pytree`: those that there are, and those to come."""
    _registers.append(register)
    for cls in _pytrees:
        register(cls)


def children(cls: type) -> tuple[list[str], list[str]]:
    """The names of the fields of a `pytree` that are children, and of those that are static."""
    fields = dataclasses.fields(cls)
    fixed = [field.name for field in fields if field.metadata.get("static")]
    return [field.name for field in fields if field.name not in fixed], fixed


def leaves(value: Any) -> list[np.ndarray]:
    """The numbers of a `pytree` that are not static, in the order of its fields."""
    if value is None:
        return []
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    if dataclasses.is_dataclass(value):
        names, _ = children(type(value))
        return [leaf for name in names for leaf in leaves(getattr(value, name))]
    return [np.asarray(value)]
