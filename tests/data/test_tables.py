"""Packaged tables: typed where pandas reads them, letter by letter without it."""

import pytest

from tb2learn import data
from tb2learn.types import InputError


def test_rosters_are_read_once_and_cannot_be_changed():
    rosters = data.event_rosters("baku2016")
    assert rosters.shape == (176, 4) and rosters is data.event_rosters("baku2016")
    with pytest.raises(ValueError, match="read-only"):
        rosters[0, 0] = 0
    with pytest.raises(InputError, match="etcc2013: no ratings are known"):
        data.event_rosters("etcc2013")
