"""Checkpoints that commands trained, for the tests of all commands."""

import pytest
from cli_samples import CONFIG, HEADER, OTHER_WORLD, ROWS
from helpers import PASSES_TOML

from tb2learn.cli import main


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A folder with a configuration and a checkpoint trained from it, through the command line."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.toml").write_text(CONFIG)
    assert main(["train", str(folder / "tiny.toml"), "--out", str(folder / "tiny")]) == 0
    return folder


@pytest.fixture(scope="session")
def learned(tmp_path_factory):
    """A folder with a table in two passes and a formula, trained through the command line."""
    folder = tmp_path_factory.mktemp("learned")
    (folder / "other.toml").write_text(OTHER_WORLD)
    formula = PASSES_TOML.replace('"decisions"', '"formula"').replace("events = 300", "events = 16")
    for name, content in {"learned": PASSES_TOML, "formula": formula}.items():
        (folder / f"{name}.toml").write_text(content)
        command = ["train", str(folder / f"{name}.toml"), "--out", str(folder / name)]
        assert main(command) == 0
    return folder


@pytest.fixture
def event(tmp_path):
    """Three rounds of five, the third not finished, one match won by default."""
    folder = tmp_path / "event"
    folder.mkdir()
    (folder / "matches.csv").write_text(HEADER + ROWS)
    (folder / "event.csv").write_text("key,value\nname,Cup\nrounds,5\n")
    return str(folder)
