"""Types that need JAX: random keys, the arrays of the simulator, and its view of a `types.pytree`.

Tie-breaks and recorded events do without this module, and so without JAX.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
import jaxtyping
from jaxtyping import Array, Int

from tb2learn.types import children, register_pytrees

Key: TypeAlias = jaxtyping.Key[Array, ""]
Keys: TypeAlias = jaxtyping.Key[Array, " batch"]

Rosters: TypeAlias = Int[Array, "teams boards"]
"""Ratings of one event's teams, in seed order, each roster in board order."""


CumulativeLaw: TypeAlias = Int[Array, "thresholds *batch"]
"""Chances of at most 0, 1, ... 2*boards - 1 half points of a match, in 1/32768."""


def _register(cls: type) -> None:
    """Make a dataclass a pytree of JAX.

    JAX rebuilds it with batched, traced or placeholder children, so rebuilding does not go through
    the constructor, where the tests check shapes.
    """
    names, fixed = children(cls)
    keys = [jax.tree_util.GetAttrKey(name) for name in names]

    def flatten(value: Any) -> tuple[list[Any], tuple[Any, ...]]:
        parts = tuple(getattr(value, name) for name in fixed)
        return [getattr(value, name) for name in names], parts

    def flatten_with_keys(value: Any) -> tuple[list[Any], tuple[Any, ...]]:
        found, parts = flatten(value)
        return list(zip(keys, found, strict=True)), parts

    def unflatten(parts: tuple[Any, ...], found: Any) -> Any:
        value = object.__new__(cls)
        for name, child in (*zip(names, found, strict=True), *zip(fixed, parts, strict=True)):
            object.__setattr__(value, name, child)
        return value

    jax.tree_util.register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)


register_pytrees(_register)
