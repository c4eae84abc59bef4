"""Checkpoints: round trip, determinism, and everything that can be wrong with a file."""

import dataclasses
import hashlib
import json

import jax
import numpy as np
import pytest
from helpers import random_surfaces

from tb2learn import files
from tb2learn.config import Config, DecisionConfig, EventFormat, TrainConfig, load_config
from tb2learn.training import checkpoint
from tb2learn.training.kinds import FormulaCheckpoint, PassCheckpoint
from tb2learn.training.pairwise import DecisionFit, PassFit
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
        assert loaded.log.events == trained.log.events
        assert checkpoint.summary(loaded) == checkpoint.summary(trained)


def test_same_configuration_same_bytes(config, saved, tmp_path):
    again = checkpoint.save(checkpoint.train(config), tmp_path / "again")
    for one, other in zip(saved, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_training_and_held_out_events_differ(trained):
    assert trained.log.events.purpose != trained.held_out.events.purpose
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


# --- tables in passes, the formula ----------------------------------------------------------------


def decisions_config(objective):
    return Config(
        "learned",
        event=EventFormat(12, 5, 4),
        train=TrainConfig(objective, events=64, held_out=9),
        decisions=DecisionConfig(passes=3, knots=4, steps=2, step_events=16),
    )


def pass_checkpoint():
    """A table in three passes, without the training."""
    surfaces = random_surfaces(3, rounds=5, boards=4)
    judged = tuple(
        PassFit(np.array([0.75, 0.5]) / n, held_out_pairs=40, held_out_errors=10.5 - n)
        for n in (1, 2, 3)
    )
    fit = DecisionFit(surfaces, judged)
    return PassCheckpoint("learned", decisions_config("decisions"), "0", fit)


def formula_checkpoint():
    """The formula with 2.3 match points and 0.4 match points a game point; 4 steps."""
    judged = PassFit(np.array([0.75, 0.5, 0.5, 0.25]), held_out_pairs=40, held_out_errors=9.5)
    config = decisions_config("formula")
    return FormulaCheckpoint("learned", config, "0", 2.3 / 10, 0.4 * 4 / 10, judged)


KINDS = {"passes": pass_checkpoint, "formula": formula_checkpoint}


@pytest.fixture(params=KINDS)
def kind(request, tmp_path):
    """A checkpoint of another kind, and its two files."""
    made = KINDS[request.param]()
    return made, checkpoint.save(made, tmp_path)


def equal(one, other):
    """Whether two checkpoints hold the same."""
    flat = [
        jax.tree.leaves((c.arrays(), checkpoint.summary(c), jax.tree.leaves(c.rule().tiebreak())))
        for c in (one, other)
    ]
    return type(one) is type(other) and all(map(np.array_equal, *flat))


def test_round_trip_of_every_kind(kind, tmp_path):
    made, paths = kind
    for path in paths:
        loaded = checkpoint.load(path)
        assert loaded.config == made.config and equal(loaded, made)
        assert loaded.rule().digest() == made.rule().digest()
        assert loaded.rule(9).rescaled and made.rule(9).rescaled
    again = checkpoint.save(loaded, tmp_path / "again")
    for one, other in zip(paths, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_every_kind_is_a_rule_with_its_provenance():
    table, formula = (make().rule() for make in KINDS.values())
    assert table.points.shape[0] == 3 and formula.passes == 3
    assert table.provenance["passes"][2] == {"held_out_pairs": 40, "held_out_errors": 7.5}
    assert (formula.a, formula.k) == pytest.approx((2.3, 0.4))
    assert formula.provenance["scale"] == formula.scale
    assert json.loads(json.dumps(table.provenance, allow_nan=False))["events"] == 64
    assert formula_checkpoint().unrounded() is None
    fine = pass_checkpoint().unrounded()
    assert np.abs(fine.points[-1] * fine.unit - table.points[-1]).max() <= 0.5


def test_shorter_tables_are_checkpoints_of_their_own(tmp_path):
    made = pass_checkpoint()
    whole, *parts = checkpoint.all_passes(made)
    assert whole is made
    assert [part.name for part in parts] == ["learned-pass1", "learned-pass2"]
    for count, part in enumerate(parts, start=1):
        assert part.config.decisions == dataclasses.replace(made.config.decisions, passes=count)
        np.testing.assert_array_equal(part.rule().points, made.rule().points[:count])
        assert part.findings()["passes"] == made.findings()["passes"][:count]
        assert equal(checkpoint.load(checkpoint.save(part, tmp_path)[0]), part)
    other = formula_checkpoint()
    assert checkpoint.all_passes(other) == [other]


NONE_OF_IT = object()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"passes": NONE_OF_IT}, "missing key 'passes'"),
        ({"passes": []}, "passes must be a list of"),
        ({"passes": [{}]}, "missing key 'held_out_pairs'"),
        ({"passes": [{"held_out_pairs": 4}] * 3}, "missing key 'held_out_errors'"),
        ({"passes": 3}, "damaged"),
        ({"passes": {"held_out_pairs": 4}}, "damaged"),
        ({"passes": [3, 3, 3]}, "damaged"),
        ({"passes": None}, "damaged"),
        ({"passes": [{"held_out_pairs": "x", "held_out_errors": 1}] * 3}, "damaged"),
        ({"passes": [{"held_out_pairs": 1e999, "held_out_errors": 1}] * 3}, "damaged"),
        ({"passes": [{"held_out_pairs": [], "held_out_errors": 1}] * 3}, "damaged"),
        ({"sha256": "0" * 64}, "damaged: its checksum"),
        ({"config": {"name": "learned"}}, "missing key 'deviance'"),
    ],
)
def test_wrong_header_of_every_kind(kind, changes, message):
    header = json.loads(kind[1][1].read_text())
    for key, value in changes.items():
        header.pop(key)
        if value is not NONE_OF_IT:
            header[key] = value
    kind[1][1].write_text(json.dumps(header))
    with pytest.raises(InputError, match=message) as error:
        checkpoint.load(kind[1][0])
    assert "\n" not in str(error.value) and "learned." in str(error.value)


@pytest.mark.parametrize("value", [0, -1, 1e7, float("nan"), float("inf"), "x", None, [], {}])
@pytest.mark.parametrize("key", ["scale", "refinement"])
def test_wrong_constants_of_a_formula(tmp_path, key, value):
    paths = checkpoint.save(formula_checkpoint(), tmp_path)
    change(paths[1], **{key: value})
    if key == "refinement" and value in (0, -1):
        assert checkpoint.load(paths[0]).refinement == value
        return
    refusal = r"learned\.json: (\w+ must be finite|scale and refinement must|damaged)"
    with pytest.raises(InputError, match=refusal):
        checkpoint.load(paths[0])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_findings_that_are_no_numbers(kind, value):
    header = json.loads(kind[1][1].read_text())
    header["passes"][0]["held_out_errors"] = value
    kind[1][1].write_text(json.dumps(header))
    with pytest.raises(InputError, match=r"learned\.json"):
        checkpoint.load(kind[1][0])


def damaged_array(paths, key, alter):
    """Rewrite one array, with the right checksum."""
    arrays, _ = files.read_arrays(paths[0])
    arrays = dict(arrays)
    altered = alter(arrays.pop(key))
    if altered is not None:
        arrays[key] = altered
    data = files.pack_arrays(arrays, {"schema": 1, "name": "learned"})
    paths[0].write_bytes(data)
    change(paths[1], sha256=hashlib.sha256(data).hexdigest())


ALTERED = {
    "missing": lambda x: None,
    "longer": lambda x: np.concatenate([x, x]),
    "shorter": lambda x: x[:-1] if len(x) > 1 else x[:, :-1],
    "single precision": lambda x: x.astype(np.float32),
    "whole numbers": lambda x: x.astype(np.int64),
    "not a number": lambda x: np.full_like(x, np.nan),
    "flat": np.ravel,
}


@pytest.mark.parametrize("how", ALTERED)
@pytest.mark.parametrize("key", ["coefficients", "par", "losses"])
def test_wrong_arrays_of_every_kind(kind, key, how):
    made, paths = kind
    if key not in made.arrays():
        return
    damaged_array(paths, key, ALTERED[how])
    with pytest.raises(InputError, match=rf"learned\.npz: {key} must be") as error:
        checkpoint.load(paths[1])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kept", [0, 100, 0.5, 0.99])
@pytest.mark.parametrize("which", [0, 1])
def test_truncated_files_of_every_kind(kind, which, kept):
    path = kind[1][which]
    data = path.read_bytes()
    path.write_bytes(data[: kept if isinstance(kept, int) else int(len(data) * kept)])
    with pytest.raises(InputError, match=path.name) as error:
        checkpoint.load(kind[1][1])
    assert "\n" not in str(error.value)
