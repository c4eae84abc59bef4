"""JAX's functions as plain loops over NumPy's arrays, so that a test by hand compiles nothing.

`use` gives them to modules in the place of `jnp` and `jax`. What is compiled is tried elsewhere.
"""

from itertools import combinations
from types import SimpleNamespace

import jax
import numpy as np

from tb2learn.simulation.purposes import UNIT


class Plain(np.ndarray):
    """An array of NumPy with JAX's `at[...]`."""

    @property
    def at(self):
        return _At(self)


class _At:
    def __init__(self, array):
        self.array = array

    def __getitem__(self, index):
        def changed(change):
            after = self.array.copy()
            change(after, index)
            return after

        return SimpleNamespace(
            set=lambda values: changed(lambda after, at: after.__setitem__(at, values)),
            add=lambda values: changed(lambda after, at: np.add.at(after, at, values)),
        )


def plain(values, dtype=None):
    """An array with `at`."""
    return np.array(values, dtype).view(Plain)


def _stacked(parts):
    return jax.tree.map(lambda *x: np.stack(x), *parts)


def _rows(tree):
    leaves, shape = jax.tree.flatten(tree)
    return [jax.tree.unflatten(shape, row) for row in zip(*leaves, strict=True)]


def _scan(step, carry, rows, length=None, unroll=1):
    kept = []
    for row in _rows(rows) if rows is not None else [None] * length:
        carry, one = step(carry, row)
        kept.append(one)
    return carry, None if kept[0] is None else _stacked(kept)


def _while(unfinished, step, state):
    while unfinished(state):
        state = step(state)
    return state


def _cummax(values, axis=0, reverse=False):
    turned = np.flip(values, axis) if reverse else values
    found = np.maximum.accumulate(turned, axis)
    return np.flip(found, axis) if reverse else found


def _repeat(first, last, step, state):
    for number in range(first, last):
        state = step(number, state)
    return state


JAX = SimpleNamespace(
    lax=SimpleNamespace(
        scan=_scan,
        while_loop=_while,
        fori_loop=_repeat,
        map=lambda function, rows, batch_size=None: _stacked([function(r) for r in _rows(rows)]),
        cond=lambda chosen, yes, no, *args: (yes if chosen else no)(*args),
        cummax=_cummax,
    ),
    vmap=lambda function: lambda *args: _stacked([function(*row) for row in _rows(args)]),
    nn=SimpleNamespace(softplus=lambda x: np.logaddexp(0, x)),
    random=SimpleNamespace(
        split=lambda key, number=2: np.array([key] * number),
        fold_in=lambda key, number: key,
        uniform=lambda key, shape: np.full(shape, 0.5),
    ),
    tree=jax.tree,
    eval_shape=jax.eval_shape,
)


NUMPY = SimpleNamespace(
    **{name: getattr(np, name) for name in dir(np) if not name.startswith("_")}
    | {
        "zeros": lambda shape, dtype=float: plain(np.zeros(shape), dtype),
        "broadcast_to": lambda values, shape: plain(np.broadcast_to(values, shape)),
    }
)
"""NumPy, whose new arrays have `at`."""


def summed_over_tied(points, values, count):
    """`truth.sum_over_tied` pair by pair: what every first team of the rising order adds."""
    order = np.argsort(points, kind="stable")
    return _summed(points, order, values, count, apart=0)


def summed_over_near(strength, values, count):
    """`oracle.sum_over_near` in the same way, the strongest first."""
    return _summed(strength, np.argsort(-strength, kind="stable"), values, count, UNIT - 1)


def _summed(points, order, values, count, apart):
    sums = [[] for _ in order]
    for i, j in combinations(range(len(order)), 2):
        one, other = order[i], order[j]
        if abs(points[one] - points[other]) <= apart:
            sides = ([np.array([value[team]]) for value in values] for team in (one, other))
            sums[i].append(count(*sides))
    (some, *_) = [part for parts in sums for part in parts]
    nothing = jax.tree.map(lambda x: 0 * x, some)
    totals = [jax.tree.map(lambda *x: sum(x), nothing, *parts) for parts in sums]
    return points[order], jax.tree.map(lambda *x: np.concatenate(x, axis=-1), *totals)


def use(monkeypatch, *modules):
    """Let modules compute in NumPy."""
    plain_ones = {"jnp": NUMPY, "jax": JAX, "lax": JAX.lax, "sum_over_tied": summed_over_tied}
    plain_ones["sum_over_near"] = summed_over_near
    for module in modules:
        for name, replacement in plain_ones.items():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, replacement)
