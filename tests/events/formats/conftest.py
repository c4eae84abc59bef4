"""A folder of CSV tables for the tests of all formats."""

import pytest
from csv_samples import BOARDS, MATCHES, PLAYERS


@pytest.fixture
def folder(tmp_path):
    """An event with everything: four teams, two boards."""
    path = tmp_path / "cup"
    path.mkdir()
    for name, text in {"matches": MATCHES, "boards": BOARDS, "players": PLAYERS}.items():
        (path / f"{name}.csv").write_text(text)
    return path
