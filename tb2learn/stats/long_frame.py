"""Arrays as long pandas DataFrames, for notebooks. pandas is imported when a frame is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas


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
