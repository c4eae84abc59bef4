"""Committed reports of studies: their frames, which a test may change, and what is said of them."""

from functools import cache

import pandas as pd
from helpers import ROOT

from tb2learn.studies import reports
from tb2learn.studies.registry import STUDIES


@cache
def _stored(name, path):
    return reports.stored(STUDIES[name], ROOT / path)


def committed(name):
    """The frames of the first committed report of a study, with its options as `run`."""
    study = STUDIES[name]
    path, given = next(iter(study.reports.items()))
    frames = {one: frame.copy() for one, frame in _stored(name, path).items()}
    return {"run": pd.DataFrame([study.defaults() | given]), **frames}


def told(name, frames):
    """The report of a study on some frames."""
    return reports.text(STUDIES[name], frames)
