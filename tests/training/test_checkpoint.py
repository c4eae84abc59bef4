"""Checkpoints: round trip, determinism, and everything that can be wrong with a file."""

import dataclasses
import hashlib
import json
import math
from unittest import mock

import jax
import numpy as np
import pytest
from helpers import random_surfaces
from training_samples import TINY

from tb2learn.config import Config, DecisionConfig, EventFormat, TrainConfig
from tb2learn.disk import files
from tb2learn.training import checkpoint, convert
from tb2learn.training.kinds import FormulaCheckpoint, PassCheckpoint
from tb2learn.training.pairwise import DecisionFit, PassFit
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def trained():
    return checkpoint.train(TINY)


@pytest.fixture
def saved(trained, tmp_path):
    return checkpoint.save(trained, tmp_path)


@pytest.mark.thorough
def test_round_trip(trained, saved):
    for path in (saved, str(saved), saved.with_suffix(".json")):
        loaded = checkpoint.load(path)
        assert loaded.config == trained.config and loaded.name == "tiny"
        np.testing.assert_array_equal(loaded.rule().points, trained.rule().points)
        np.testing.assert_array_equal(loaded.log.counts, trained.log.counts)
        assert loaded.log.events == trained.log.events
        assert checkpoint.summary(loaded) == checkpoint.summary(trained)


@pytest.mark.thorough
def test_same_configuration_same_bytes(saved, tmp_path):
    again = checkpoint.save(checkpoint.train(TINY), tmp_path / "again")
    assert saved.read_bytes() == again.read_bytes()


@pytest.mark.thorough
def test_training_and_held_out_events_differ(trained):
    assert trained.log.events.purpose != trained.held_out.events.purpose
    assert trained.fit.held_out_deviance != trained.fit.deviance


def change(path, **changes):
    """Write a file anew with another header, and the right checksum."""
    arrays, header = files.read_arrays(path)
    for key, value in changes.items():
        header.pop(key, None)
        if value is not NONE_OF_IT:
            header[key] = value
    # A hostile header may hold NaN, which is no JSON.
    with mock.patch.object(files.json, "dumps", lambda value, **options: DUMPS(value)):
        files.write_arrays(path, arrays, header)


DUMPS = json.dumps
NONE_OF_IT = object()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": NONE_OF_IT}, "schema must be 2, got None"),
        ({"config": {"name": "x", "rounds": 3}}, "unknown key rounds"),
        ({"config": 3}, "must be a table"),
        ({"name": "../../x"}, "must be 1..100 ASCII letters"),
        ({"deviance": "much"}, "deviance must be -10000..10000, got 'much'"),
        ({"deviance": NONE_OF_IT}, "missing key 'deviance'"),
        ({"version": "1\x1b[2J"}, "version must be a text of 1..100 characters, got"),
        ({"name": None}, "name must be a text"),
        ({"events": -5}, "events must be [0-9]+ as in its configuration, got '-5'"),
        ({"seed": None}, "seed must be [0-9]+ as in its configuration, got 'None'"),
        (
            {"config": {"name": "x"}, "events": 4000, "held_out_events": 500, "seed": 1},
            "counts must be|coefficients must be",
        ),
    ],
)
def test_wrong_header(saved, changes, message):
    change(saved, **changes)
    with pytest.raises(InputError, match=message):
        checkpoint.load(saved)


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no-such: no such .npz file, and no name in checkpoints"):
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
    made, path = kind
    loaded = checkpoint.load(path)
    assert loaded.config == made.config and equal(loaded, made)
    assert loaded.rule().digest() == made.rule().digest()
    assert loaded.rule(9).rescaled and made.rule(9).rescaled
    again = checkpoint.save(loaded, tmp_path / "again")
    assert path.read_bytes() == again.read_bytes()


def test_a_checkpoint_is_a_rule_with_its_provenance():
    table, formula = pass_checkpoint().rule(), formula_checkpoint().rule()
    assert table.points.shape[0] == 3 and formula.passes == 3
    assert table.provenance["passes"][2] == {"held_out_pairs": 40, "held_out_errors": 7.5}
    assert (formula.a, formula.k) == pytest.approx((2.3, 0.4))
    assert formula.provenance["scale"] == formula.scale
    assert json.loads(json.dumps(table.provenance, allow_nan=False))["events"] == 64
    assert formula_checkpoint().unrounded() is None
    fine = pass_checkpoint().unrounded()
    assert np.abs(fine.points[-1] * fine.unit - table.points[-1]).max() <= 0.5


def test_shorter_tables_are_parts_of_the_longest(tmp_path):
    made = pass_checkpoint()
    path = checkpoint.save(made, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["learned.npz"]
    for count in (1, 2):
        for suffix in (".npz", ".json"):
            part = checkpoint.load(tmp_path / f"learned-pass{count}{suffix}")
            assert part.name == f"learned-pass{count}"
            plan = dataclasses.replace(made.config.decisions, passes=count)
            assert part.config.decisions == plan
            np.testing.assert_array_equal(part.rule().points, made.rule().points[:count])
            assert part.findings()["passes"] == made.findings()["passes"][:count]
    # One that was saved by itself comes first, until the longest is trained again.
    mine = dataclasses.replace(made.shorter(1), version="mine")
    assert equal(checkpoint.load(checkpoint.save(mine, tmp_path)), mine)
    checkpoint.save(made, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["learned.npz"] == [path.name]
    with pytest.raises(InputError, match="learned has learned-pass1, learned-pass2"):
        checkpoint.load(tmp_path / "learned-pass3.npz")
    with pytest.raises(InputError, match=r"no-such-pass1: no such .npz file"):
        checkpoint.load("no-such-pass1")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"passes": NONE_OF_IT}, "missing key 'passes'"),
        ({"passes": []}, "passes must be a list of"),
        ({"passes": {"held_out_pairs": 4}}, "missing key 'held_out_errors'"),
        ({"passes": 3}, "passes must be a list of tables"),
        ({"passes": [3, 3, 3]}, "passes must be a list of tables"),
        *(
            ({"passes": {"held_out_pairs": pairs, "held_out_errors": errors}}, message)
            for pairs, errors, message in (
                ("x", 1, "held_out_pairs must be a whole number 0..9007199254740992, got 'x'"),
                (-1, 0, "held_out_pairs must be 0..9007199254740992, got -1"),
                (4, 5, "held_out_errors must be 0..4, got 5"),  # a rate above 1
                (4, math.nan, "held_out_errors must be 0..4, got nan"),
            )
        ),
        ({"config": {"name": "learned"}}, "events must be 4000 as in its configuration, got '64'"),
    ],
)
def test_wrong_header_of_every_kind(kind, changes, message):
    made, path = kind
    if not changes.keys() <= {"config", *made.findings()}:
        return  # of a kind without passes
    if isinstance(value := changes.get("passes"), dict):
        changes = {"passes": [value] * len(made.findings()["passes"])}
    change(path, **changes)
    with pytest.raises(InputError, match=message) as error:
        checkpoint.load(path)
    assert "\n" not in str(error.value) and "learned." in str(error.value)


@pytest.mark.parametrize("value", [0, 1e7, math.nan, []])
@pytest.mark.parametrize("key", ["scale", "refinement"])
def test_wrong_constants_of_a_formula(tmp_path, key, value):
    path = checkpoint.save(formula_checkpoint(), tmp_path)
    change(path, **{key: value})
    if key == "refinement" and value == 0:
        assert checkpoint.load(path).refinement == value
        return
    refusal = rf"learned\.npz: {key} must be .*\.\.10000, got"
    with pytest.raises(InputError, match=refusal):
        checkpoint.load(path)


def damaged_array(path, key, alter):
    """Rewrite one array, with the right checksum."""
    arrays, header = files.read_arrays(path)
    altered = alter(arrays.pop(key))
    if altered is not None:
        arrays[key] = altered
    files.write_arrays(path, arrays, header)


ALTERED = {
    "missing": lambda x: None,
    "shorter": lambda x: x[:-1] if len(x) > 1 else x[:, :-1],
    "single precision": lambda x: x.astype(np.float32),
    "not a number": lambda x: np.full_like(x, np.nan),
    "huge": lambda x: np.full_like(x, -1e300),
}


@pytest.mark.parametrize("how", ALTERED)
@pytest.mark.parametrize("key", ["coefficients", "par", "losses"])
def test_wrong_arrays_of_every_kind(kind, key, how):
    made, path = kind
    if key not in made.arrays():
        return
    damaged_array(path, key, ALTERED[how])
    with pytest.raises(InputError, match=rf"learned\.npz: {key} must be") as error:
        checkpoint.load(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [-1, 2**62])
@pytest.mark.parametrize("key", ["counts", "held_out_counts"])
def test_counts_that_are_none(saved, key, wrong):
    damaged_array(saved, key, lambda x: np.where(np.arange(x.size).reshape(x.shape), x, wrong))
    with pytest.raises(InputError, match=rf"{key} must be counts, 0 or more, and add up to less"):
        checkpoint.load(saved)


# --- the form before, in two files ----------------------------------------------------------------


def save_old(made, folder):
    """Two files, as they were written before."""
    path = folder / f"{made.name}.npz"
    header = np.frombuffer(b'{"name": "learned", "schema": 1}', np.uint8)
    np.savez(path, header=header, **made.arrays())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    content = {"schema": 1, **checkpoint.summary(made), "sha256": digest}
    path.with_suffix(".json").write_text(json.dumps(content))
    return path


def test_checkpoints_in_two_files_are_read_and_converted(tmp_path):
    longest, formula = pass_checkpoint(), formula_checkpoint()
    formula = dataclasses.replace(formula, name="formula-12x5")
    for made in (longest, *longest.shorter_tables(), formula):
        path = save_old(made, tmp_path)
        assert equal(checkpoint.load(path), made)
        assert equal(checkpoint.load(path.with_suffix(".json")), made)
    assert len(list(tmp_path.iterdir())) == 8
    assert convert.convert(tmp_path) == [tmp_path / "formula-12x5.npz", tmp_path / "learned.npz"]
    assert {one.name for one in tmp_path.iterdir()} == {"formula-12x5.npz", "learned.npz"}
    for made in (longest, *longest.shorter_tables(), formula):
        assert equal(checkpoint.load(tmp_path / f"{made.name}.npz"), made)
    before = (tmp_path / "learned.npz").read_bytes()
    convert.convert(tmp_path)
    assert (tmp_path / "learned.npz").read_bytes() == before
    with pytest.raises(InputError, match=r"no-such: must be a folder with checkpoints"):
        convert.convert(tmp_path / "no-such")


def test_a_shorter_table_of_another_training_is_not_removed(tmp_path):
    save_old(pass_checkpoint(), tmp_path)
    part = pass_checkpoint().shorter(1)
    other = dataclasses.replace(part.fit, surfaces=random_surfaces(2, rounds=5, boards=4)[1:])
    save_old(dataclasses.replace(part, fit=other), tmp_path)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with pytest.raises(InputError, match=r"learned-pass1\.npz: not the beginning of the longer"):
        convert.convert(tmp_path)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def contents(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@pytest.mark.parametrize("other", ["formula", "longer", "text"])
def test_only_earlier_forms_of_the_same_checkpoint_are_removed(tmp_path, other):
    made = pass_checkpoint()
    (tmp_path / "learned.json").write_text('{"name": "package"}')  # somebody else's
    match other:
        case "formula":
            independent = dataclasses.replace(formula_checkpoint(), name="learned-pass1")
            checkpoint.save(independent, tmp_path)
        case "longer":
            surfaces = random_surfaces(2, rounds=5, boards=4)[1:]
            part = made.shorter(1)
            fit = dataclasses.replace(part.fit, surfaces=surfaces)
            save_old(dataclasses.replace(part, fit=fit), tmp_path)
        case "text":
            (tmp_path / "learned-pass1.npz").write_text("notes")
    before = contents(tmp_path)
    path = checkpoint.save(made, tmp_path)
    after = contents(tmp_path)
    del after["learned.npz"]
    assert after == before
    assert {one.name for one in checkpoint.left_beside(made, path)} == {*before}


def test_parts_of_the_table_replaced_are_removed(tmp_path):
    old = pass_checkpoint()
    for made in (old, *old.shorter_tables()):
        save_old(made, tmp_path)
    surfaces = random_surfaces(old.config.decisions.passes, rounds=5, boards=4)[::-1]
    new = dataclasses.replace(old, fit=dataclasses.replace(old.fit, surfaces=tuple(surfaces)))
    path = checkpoint.save(new, tmp_path)
    assert list(contents(tmp_path)) == ["learned.npz"]
    assert checkpoint.left_beside(new, path) == []


def test_a_renamed_backup_is_converted_in_its_own_file(tmp_path):
    backup = save_old(pass_checkpoint(), tmp_path)
    backup.rename(tmp_path / "backup.npz")
    backup.with_suffix(".json").rename(tmp_path / "backup.json")
    newer = dataclasses.replace(formula_checkpoint(), name="learned")
    checkpoint.save(newer, tmp_path)
    before = (tmp_path / "learned.npz").read_bytes()
    convert.convert(tmp_path)
    assert {*contents(tmp_path)} == {"backup.npz", "learned.npz"}
    assert (tmp_path / "learned.npz").read_bytes() == before
    assert equal(checkpoint.load(tmp_path / "backup.npz"), pass_checkpoint())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "has no checksum, and no header beside it"),
        ("[]", "not a checkpoint of this program"),
        ("[" * 100_000, "damaged"),
        ('{"schema": 7}', "schema must be 1, got 7"),
        ('{"schema": 1}', "damaged: its checksum is not the one in learned.json"),
    ],
)
def test_headers_in_a_file_of_their_own(tmp_path, content, message):
    path = save_old(pass_checkpoint(), tmp_path)
    header = path.with_suffix(".json")
    header.unlink() if content is None else header.write_text(content)
    with pytest.raises(InputError, match=message) as error:
        checkpoint.load(path)
    assert "\n" not in str(error.value)
