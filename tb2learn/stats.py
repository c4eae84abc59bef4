"""The bootstrap (weights, percentile intervals), differences, and arrays as long DataFrames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tb2learn.shapes import Float

if TYPE_CHECKING:
    import pandas

CONFIDENCE = 95
"""Percent of the bootstrap values that lie in an interval."""

RESAMPLES = 2000
"""Bootstrap samples behind an interval, where nothing else is said."""


def resamples(
    number: int, seed: int | np.random.Generator, times: int = RESAMPLES
) -> Float[np.ndarray, "times things"]:
    """How often each thing is drawn in every bootstrap sample: multinomial weights.

    **Arguments:**

    - `number`: how many things (events, blocks of events, matches, teams) there are, at least 1.
    - `seed`: of the draws, or a generator that makes them.
    - `times`: how many samples of `number` things, drawn with replacement.

    **Returns:** whole numbers as floats, ready for matrix products; every row adds up to `number`.
    They cannot be written to: those of a seed are drawn once for all rules that are compared.
    """
    return (_draw_resamples if isinstance(seed, np.random.Generator) else _resamples_once)(
        number, seed, times
    )


def _draw_resamples(
    number: int, seed: int | np.random.Generator, times: int
) -> Float[np.ndarray, "times things"]:
    generator = np.random.default_rng(seed)  # a generator stays the same one
    chances = np.full(number, 1.0 / number)
    weights = generator.multinomial(number, chances, times).astype(np.float64)
    weights.flags.writeable = False
    return weights


_resamples_once = lru_cache(maxsize=2)(_draw_resamples)


def interval(values: Float[np.ndarray, "times *values"]) -> Float[np.ndarray, "2 *values"]:
    """The percentile interval of bootstrap values: the middle `CONFIDENCE` percent.

    **Arguments:**

    - `values`: one a sample, along the first axis; those that are NaN or infinite are left out.

    **Returns:** both ends, NaN where no value is left.
    """
    usable = np.where(np.isfinite(values), values, np.nan)
    known = np.isfinite(values).any(axis=0)
    tail = (100 - CONFIDENCE) / 2
    ends = np.full((2, *values.shape[1:]), np.nan)
    ends[:, known] = np.nanpercentile(usable[:, known], [tail, 100 - tail], axis=0)
    return ends


def with_ends(
    values: Float[np.ndarray, "samples *values"], name: str = "value", prefix: str = ""
) -> Mapping[str, Float[np.ndarray, "*values"]]:
    """Columns of a frame: what was measured, and the ends of its interval.

    **Arguments:** values, first what was measured, then those of every bootstrap sample; the name
    of the column, and what `low` and `high` begin with.
    """
    low, high = interval(values[1:])
    return {name: values[0], f"{prefix}low": low, f"{prefix}high": high}


@dataclass(frozen=True)
class Difference:
    """One share of the ties less another, with its interval; every *fewer* and *more* is one.

    Turned round (`-difference`) it has its interval turned round, too: no sign and no interval can
    be those of another difference.

    **Fields:**

    - `of`, `than`: what is subtracted from what, `of` less `than`, by name.
    - `value`: the difference.
    - `low`, `high`: the ends of its interval; NaN if there is none.
    - `shares`: those of `of` and `than`; NaN where they are not known.
    - `unit`: of how many ties it is said: a difference of 0.057 is 5.7 of 100.

    **Raises:** `ValueError` for an interval that ends before it begins.

    **Example:** `-Difference("new", "old", -0.1, -0.2, 0)` has the interval 0 to 0.2.
    """

    of: str
    than: str
    value: float
    low: float = math.nan
    high: float = math.nan
    shares: tuple[float, float] = (math.nan, math.nan)
    unit: int = 100

    def __post_init__(self) -> None:
        """Refuse the interval of another difference."""
        if self.low > self.high:
            raise ValueError(f"an interval from {self.low} to {self.high} has no inside")

    @staticmethod
    def of_row(row: Any, name: str, of: str, than: str, **more: Any) -> Difference:
        """The difference in a column of a row, with its `_low` and `_high`; `more` fields."""
        value, low, high = (float(row[f"{name}{end}"]) for end in ("", "_low", "_high"))
        return Difference(of, than, value, low, high, **more)

    def __neg__(self) -> Difference:
        """The other number less this one."""
        own, than = self.shares
        turned = -self.value, -self.high, -self.low
        return Difference(self.than, self.of, *turned, (than, own), self.unit)

    @property
    def side(self) -> int:
        """1 where it is above 0, -1 below, 0 if its interval has 0 in it, or nobody knows."""
        low, high = (self.value,) * 2 if math.isnan(self.low) else (self.low, self.high)
        return int(low > 0) - int(high < 0)


def signed(number: float, digits: int = 0) -> str:
    """A difference as tables have it: with its sign, and no minus before a zero."""
    return f"{number:+z.{digits}f}"


def long_frame(
    axes: Mapping[str, Sequence[Any]], columns: Mapping[str, np.ndarray]
) -> pandas.DataFrame:
    """A row a cell of one or more arrays of the same shape.

    **Arguments:**

    - `axes`: by name, what the cells along every axis are called.
    - `columns`: the arrays, by the names of their columns.

    **Returns:** a column an axis, then one an array; the last axis runs fastest.
    """
    import pandas  # half a second that only notebooks spend

    cells = pandas.MultiIndex.from_product(list(axes.values()), names=list(axes))
    return cells.to_frame(index=False).assign(
        **{name: np.ravel(values) for name, values in columns.items()}
    )
