"""Shape aliases, units and the one error for bad input.

Dimensions used in every annotation of the package:

``teams``    the teams of one event, numbered 0.. in seed order (team 0 is the top seed)
``boards``   the games of a match; a roster holds one player a board, strongest first
``rounds``   the rounds of an event
``results``  the possible results of a match for one side, ``2*boards + 1``: 0, 1/2, 1, ... boards
``shares``   the possible match points of a team, ``2*rounds + 1``: 0, 1, ... 2*rounds

Units: ratings are whole FIDE rating points. Game points (GP) are counted in **half points**
(``half_points``: 0 .. 2*boards a match), so that everything in an event is an integer. The
probabilities of a match are integers too, in units of 1/32768 (``simulation.rng.UNIT``).
"""

import dataclasses
from typing import Any, TypeAlias, TypeVar, dataclass_transform

import jax
import jaxtyping
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from tb2learn.text import one_line

Key: TypeAlias = jaxtyping.Key[Array, ""]
Keys: TypeAlias = jaxtyping.Key[Array, " batch"]

Rosters: TypeAlias = Int[Array, "teams boards"]
"""Ratings of one event's teams, in seed order, each roster in board order."""

PerTeam: TypeAlias = Int[Array, " teams"]
"""One integer a team: match points, half points, a place, an opponent."""

TeamMask: TypeAlias = Bool[Array, " teams"]

Met: TypeAlias = Bool[Array, "teams teams"]
"""Symmetric; true where two teams have already met."""

PerRound: TypeAlias = Int[Array, "rounds teams"]

CumulativeLaw: TypeAlias = Int[Array, "thresholds *batch"]
"""Chances of at most 0, 1, ... 2*boards - 1 half points of a match, in 1/32768."""

Points: TypeAlias = Int[np.ndarray, "shares shares results"]
"""A lookup table: value of a result by own match points, opponent's match points, half points."""

Counts: TypeAlias = Int[np.ndarray, "shares shares results"]
"""Numbers of matches by own match points, opponent's match points, half points."""

Shares: TypeAlias = Float[np.ndarray, " n"]
"""Match points as shares of the most that a team can have, 0..1."""

BYE = -1
"""Stands for the opponent of a team that had the bye or has not played."""

MAX_TEAMS, MAX_ROUNDS, MAX_BOARDS = 1000, 15, 12
"""The largest sizes that are tested; larger ones are refused."""


class InputError(ValueError):
    """Bad input from outside: one line that names the place, what is allowed and what came.

    What the message quotes, such as names of files and keys, may be anybody's: it is made safe
    here, and bounded.
    """

    def __init__(self, message: object):
        super().__init__(one_line(str(message)))


_T = TypeVar("_T")


def static(**options: Any) -> Any:
    """A field of a `pytree` that is part of its structure: hashable, known when compiling."""
    return dataclasses.field(metadata={"static": True}, **options)


@dataclass_transform(frozen_default=True, field_specifiers=(static,))
def pytree(cls: type[_T]) -> type[_T]:
    """A frozen dataclass whose fields, but for the `static` ones, are children of a JAX pytree.

    Its shapes are those of one event. JAX rebuilds it with batched, traced or placeholder children,
    so rebuilding does not go through the constructor, where the tests check shapes.
    """
    cls = dataclasses.dataclass(frozen=True)(cls)
    fields = dataclasses.fields(cls)
    names = [field.name for field in fields if not field.metadata.get("static")]
    fixed = [field.name for field in fields if field.metadata.get("static")]
    keys = [jax.tree_util.GetAttrKey(name) for name in names]

    def flatten(value: Any) -> tuple[list[Any], tuple[Any, ...]]:
        parts = tuple(getattr(value, name) for name in fixed)
        return [getattr(value, name) for name in names], parts

    def flatten_with_keys(value: Any) -> tuple[list[Any], tuple[Any, ...]]:
        children, parts = flatten(value)
        return list(zip(keys, children, strict=True)), parts

    def unflatten(parts: tuple[Any, ...], children: Any) -> Any:
        value = object.__new__(cls)
        for name, child in (*zip(names, children, strict=True), *zip(fixed, parts, strict=True)):
            object.__setattr__(value, name, child)
        return value

    jax.tree_util.register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)
    return cls
