"""What is measured of events, and how it is added up: one function, and all that belongs to it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxprs_in_params
from jaxtyping import Int

from tb2learn.config import Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event

OfEvent: TypeAlias = Callable[[Key, Event, Setting, Any], Any]
"""`of_event(key, event, setting, args)`: a pure function of one event to a pytree of numbers; of
int32 where they are summed plainly.

It must be equal from call to call, because it is a part of what compiled programs are found by: a
function of a module, or a frozen dataclass.
"""

Add: TypeAlias = Callable[[Int[np.ndarray, " events"], Any], Any]
"""`add(numbers, measured)`: what some events, counted from 0, add to the totals (int64).

A pure function. Threads call it, in any order of the batches.
"""

Merge: TypeAlias = Callable[[Any, Any], Any]
"""`merge(totals, added)`: the totals of some events, and of the events that follow them."""


def sums(numbers: Int[np.ndarray, " events"], measured: Any) -> Any:
    """The plain sums of what is measured; an `Add`."""
    # Sums of a batch may need more than 32 bits.
    return jax.tree.map(lambda x: np.asarray(x.sum(axis=0, dtype=np.int64)), measured)


def add_up(totals: Any, added: Any) -> Any:
    """The sum of two pytrees of numbers; a `Merge`."""
    return jax.tree.map(np.add, totals, added)


def _listed(numbers: Int[np.ndarray, " events"], measured: Any) -> list[Any]:
    return [measured]


@dataclass(frozen=True)
class Measurement:
    """What is measured of every event of a run, and what its totals are.

    **Fields:**

    - `of_event`: what to compute of one event.
    - `add`, `merge`: what some events add to the totals, and how totals of consecutive events
      become one; plain sums if not given.
    - `oracle`: whether every event gets its `Event.strength`.
    - `signed`: the totals are sums of products, which may be negative; otherwise they are counts.
    - `sees`: the parts of a `Setting` that `of_event` looks at: settings that differ in others
      share its compiled program.
    """

    of_event: OfEvent
    add: Add = sums
    merge: Merge = add_up
    oracle: bool = True
    signed: bool = False
    sees: tuple[str, ...] = ("event", "field", "game")

    @classmethod
    def listed(cls, of_event: OfEvent, **fields: Any) -> Measurement:
        """What is measured, batch after batch in a list, nothing added up."""
        return cls(of_event, add=_listed, merge=operator.add, **fields)


def has_fractions(program: ClosedJaxpr) -> bool:
    """Whether a traced program computes with anything but whole numbers."""
    return any(_is_fraction(x) for step in _steps(program.jaxpr) for x in _values(step))


def adds_fractions(program: ClosedJaxpr) -> bool:
    """Whether a traced program adds up fractions, in an order that every processor chooses.

    A single step with fractions, such as a logarithm, has the same bits on all processors (x86).
    """
    return any(
        step.primitive.name in _ADDING and any(map(_is_fraction, step.outvars))
        for step in _steps(program.jaxpr)
    )


_ADDING = frozenset(
    "reduce_sum reduce_prod dot_general cumsum cumprod cumlogsumexp scatter-add "
    "scatter-mul reduce_window_sum conv_general_dilated reduce reduce_window".split()
)


def _steps(program: Jaxpr) -> Iterator[JaxprEqn]:
    """All steps of a program, those of the programs in it, too."""
    for step in program.eqns:
        yield step
        for inner in jaxprs_in_params(step.params):
            yield from _steps(inner)


def _values(step: JaxprEqn) -> Iterator[Any]:
    yield from step.invars
    yield from step.outvars


def _is_fraction(value: Any) -> bool:
    """Whether a value of a program is an array of real or complex numbers."""
    dtype = getattr(value.aval, "dtype", None)
    return dtype is not None and jnp.issubdtype(dtype, jnp.inexact)
