"""Checkpoints: round trip, determinism, and everything that can be wrong with a file."""

import dataclasses
import json

import numpy as np
import pytest

from tb2learn import checkpoint
from tb2learn.config import load_config
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def config():
    small = load_config("small-20x7")
    return dataclasses.replace(
        small, train=dataclasses.replace(small.train, events=150, held_out=40)
    )


@pytest.fixture(scope="module")
def trained(config):
    return checkpoint.train(config)


@pytest.fixture
def saved(trained, tmp_path):
    return checkpoint.save(trained, tmp_path)


def test_round_trip(trained, saved):
    for path in saved:
        loaded = checkpoint.load(path)
        assert loaded.config == trained.config and loaded.name == "small-20x7"
        np.testing.assert_array_equal(loaded.rule().points, trained.rule().points)
        np.testing.assert_array_equal(loaded.log.counts, trained.log.counts)
        assert loaded.log.ranges == trained.log.ranges
        assert checkpoint.summary(loaded) == checkpoint.summary(trained)


def test_same_configuration_same_bytes(config, saved, tmp_path):
    again = checkpoint.save(checkpoint.train(config), tmp_path / "again")
    for one, other in zip(saved, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_training_and_held_out_events_differ(trained):
    assert trained.log.ranges[0][1] != trained.held_out.ranges[0][1]
    assert trained.fit.held_out_deviance > trained.fit.deviance >= 0


def test_found_by_name_in_the_working_directory(saved, tmp_path, monkeypatch):
    (tmp_path / "work" / "checkpoints").mkdir(parents=True)
    for path in saved:
        path.rename(tmp_path / "work" / "checkpoints" / path.name)
    monkeypatch.chdir(tmp_path / "work")
    assert checkpoint.load("small-20x7").name == "small-20x7"


@pytest.mark.parametrize("kept", [0, 1, 100, 0.5, 0.99])
@pytest.mark.parametrize("which", [0, 1])
def test_truncated(saved, which, kept):
    data = saved[which].read_bytes()
    saved[which].write_bytes(data[: kept if isinstance(kept, int) else int(len(data) * kept)])
    with pytest.raises(InputError, match=saved[which].name) as error:
        checkpoint.load(saved[1])
    assert "\n" not in str(error.value)


def change(path, **changes):
    header = json.loads(path.read_text())
    for key, value in changes.items():
        header[key] = value
    path.write_text(json.dumps(header))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": 99}, "schema must be 1, got 99"),
        ({"sha256": "0" * 64}, "damaged: its checksum"),
        ({"config": {"name": "x", "rounds": 3}}, "unknown key rounds"),
        ({"config": 3}, "must be a table"),
        ({"name": "../../x"}, "must be 1..100 ASCII letters"),
        ({"deviance": "much"}, "damaged"),
        ({"version": None, "config": {"name": "x"}}, "counts must be|coefficients must be"),
    ],
)
def test_wrong_header(saved, changes, message):
    change(saved[1], **changes)
    with pytest.raises(InputError, match=message):
        checkpoint.load(saved[1])


@pytest.mark.parametrize("content", ["[]", "null", "{}", "[" * 100_000, "\x00", '{"schema": 1}'])
def test_header_that_is_something_else(saved, content):
    saved[1].write_text(content)
    with pytest.raises(InputError, match=saved[1].name):
        checkpoint.load(saved[1])


def test_missing_arrays_file(saved):
    saved[0].unlink()
    with pytest.raises(InputError, match="cannot be read"):
        checkpoint.load(saved[1])


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(
        InputError, match=r"no-such: no such .json file, and no name in checkpoints"
    ):
        checkpoint.load("no-such")
