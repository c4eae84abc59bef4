"""Long DataFrames: what files and templates of reports ask of them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from tb2learn.data import event_names
from tb2learn.events import TeamEvent, read_event


def recorded(source: str) -> TeamEvent:
    """A recorded event; one that is packaged has its short name, which fits into a table."""
    event = read_event(source)
    return replace(event, name=source) if source in event_names() else event


def rounded(frame: pd.DataFrame, digits: int) -> pd.DataFrame:
    """The frame with its fractions rounded to so many decimals, and no zero below zero."""
    fractions = frame.select_dtypes(float).map(lambda value: round(value, digits) + 0.0)
    return frame.assign(**{str(name): cells for name, cells in fractions.items()})


def wide(frame: pd.DataFrame, rows: str | list[str], columns: str, values: str) -> pd.DataFrame:
    """A long frame with a row and a column a label, in the order in which labels appear.

    `values` is the column with what stands in the cells; None where there is no row.
    """
    keys = [rows] if isinstance(rows, str) else rows
    cells = frame.set_index([*keys, columns])[values].to_dict()
    names, labels = frame[keys].drop_duplicates().set_index(keys).index, frame[columns].unique()
    whole = [name if isinstance(name, tuple) else (name,) for name in names]
    found = [[cells.get((*name, label)) for label in labels] for name in whole]
    return pd.DataFrame(found, names, labels, dtype=object)
