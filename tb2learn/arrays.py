"""What NumPy and JAX write differently, for functions that are written once for arrays of both.

Recorded events are arrays of NumPy, simulated ones of JAX. A function takes its operations from the
array that it is given (`namespace`); JAX is imported by none of this before such an array exists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np

AnyArray: TypeAlias = Any
"""An array of NumPy or of JAX: tie-breaks are written for both."""

State = TypeVar("State")


def namespace(array: AnyArray) -> Any:
    """`numpy` or `jax.numpy`: the operations for an array, by the array API standard."""
    return array.__array_namespace__()


def compiled(array: AnyArray) -> bool:
    """Whether an array is one of JAX, whose programs are compiled."""
    return not isinstance(array, np.ndarray | np.generic)


def stored_once(numbers: AnyArray, function: Callable[..., State], *args: Any) -> State:
    """`function(*args)`, computed once by a compiled program.

    XLA computes a value again in every array that needs it, but it stores what a branch of a
    condition returns. So the function is a branch here, and the other branch is never taken. Use it
    for whole numbers only: in a branch, fractions may be rounded differently.

    **Arguments:**

    - `numbers`: any whole numbers of the program, at least one, all above -2**30. XLA does not know
      that they are, and so keeps both branches.
    - `function`, `args`: what is computed.
    """
    if not compiled(numbers):
        return function(*args)
    from jax import eval_shape, lax, tree

    def never(*args: Any) -> State:
        zeros = namespace(numbers).zeros
        return tree.map(lambda x: zeros(x.shape, x.dtype), eval_shape(function, *args))

    return lax.cond(numbers.ravel()[0] > -(1 << 30), function, never, *args)


def loop_while(
    array: AnyArray, unfinished: Callable[[Any], Any], step: Callable[[Any], Any], state: Any
) -> Any:
    """Take steps from a state for as long as it is unfinished; in JAX one compiled loop.

    **Arguments:** `array`: any one of those that the steps compute with.
    """
    if compiled(array):
        from jax import lax

        return lax.while_loop(unfinished, step, state)
    while unfinished(state):
        state = step(state)
    return state


def as_fractions(values: AnyArray) -> AnyArray:
    """Whole numbers in double precision, where a policy for unplayed rounds may need fractions.

    In compiled programs whole numbers stay what they are: the policies that these know need none,
    and look-ups in tables are faster.
    """
    return values if compiled(values) else values.astype(float)


def summed_by(groups: AnyArray, values: AnyArray) -> AnyArray:
    """For every group number the sum of the values along the last axis; as many as values."""
    if compiled(groups):
        return namespace(groups).zeros_like(values).at[..., groups].add(values)
    sums = np.zeros_like(values)
    index: Any = (..., groups)  # NumPy takes any index here; its annotations, integers alone
    np.add.at(sums, index, values)
    return sums


def put(order: AnyArray, values: AnyArray) -> AnyArray:
    """The values in the places that a permutation gives them."""
    if compiled(order):
        return namespace(order).zeros_like(values).at[order].set(values)
    found = np.zeros_like(values)
    found[order] = values
    return found


def dense_rank(*keys: AnyArray) -> AnyArray:
    """How many different values are lower: by the first key, then the next; 0 for the lowest."""
    xp = namespace(keys[0])
    order = xp.lexsort(keys[::-1])
    ordered = [key[order] for key in keys]
    steps = ordered[0][1:] != ordered[0][:-1]
    for key in ordered[1:]:
        steps = steps | (key[1:] != key[:-1])
    ranks = xp.cumsum(xp.concatenate([xp.zeros(1, bool), steps]), dtype=xp.int32)
    return put(order, ranks)
