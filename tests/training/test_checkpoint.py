"""Checkpoints: round trip, determinism, and everything that can be wrong with a file."""

import dataclasses
import json
import math
from unittest import mock

import numpy as np
import pytest
from helpers import random_surfaces, tracked
from training_samples import ODD, TINY

from tb2learn.config import Config, DecisionConfig, EventFormat, TrainConfig
from tb2learn.disk import files
from tb2learn.export.error_words import is_it_better
from tb2learn.training import checkpoint
from tb2learn.training.difficulty_picture import difficulty_picture
from tb2learn.training.objectives import (
    Checkpoint,
    difficulty_logs,
    held_out_errors,
    with_difficulty,
)
from tb2learn.types import InputError


@pytest.fixture(scope="module")
def trained():
    return checkpoint.train(TINY)


def config_of(objective):
    return Config(
        "learned",
        event=EventFormat(12, 5, 4),
        train=TrainConfig(objective, events=64, held_out=9),
        decisions=DecisionConfig(passes=3, knots=4),
    )


def pass_checkpoint():
    """A table in three passes, without the training."""
    surfaces = random_surfaces(3, rounds=5, boards=4)
    arrays = {
        "coefficients": np.stack([surface.coefficients for surface in surfaces]),
        "par": np.stack([surface.mean_value for surface in surfaces]),
        "losses": np.zeros((3, 0)),
    }
    judged = [{"held_out_pairs": 40, "held_out_errors": 10.5 - n} for n in (1, 2, 3)]
    return Checkpoint("learned", config_of("decisions"), "0", arrays, {"passes": judged})


def with_log():
    """The table with the first and the last chapter of a training, without the training."""
    rng, made = np.random.default_rng(1), pass_checkpoint()
    counts = rng.integers(1, 9, (2, 11, 11, 9))
    arrays = {
        "coefficients": np.sort(rng.normal(size=(8, 23, 23)), axis=0),
        "losses": np.zeros(0),
        "counts": counts[0],
        "held_out_counts": counts[1],
    }
    fits = {"deviance": 0.25, "held_out_deviance": 0.5, "held_out_noise": 0.75}
    made = with_difficulty(made, arrays, fits)
    judged = {"held_out": {"pairs": 40, "product": 11.5, "difficulty": 10.0}}
    return dataclasses.replace(made, findings={**made.findings, **judged})


def formula_checkpoint():
    """The formula with 2.3 match points and 0.4 match points a game point."""
    judged = [{"held_out_pairs": 40, "held_out_errors": 9.5, "descents": 2}]
    findings = {"scale": 2.3 / 10, "refinement": 0.4 * 4 / 10, "passes": judged}
    return Checkpoint("learned", config_of("formula"), "0", {}, findings)


KINDS = {"passes": pass_checkpoint, "chapters": with_log, "formula": formula_checkpoint}


@pytest.fixture(params=[pytest.param("difficulty", marks=pytest.mark.thorough), *KINDS])
def kind(request, tmp_path):
    """A checkpoint of every kind, and its file."""
    made = KINDS[request.param]() if request.param in KINDS else request.getfixturevalue("trained")
    return made, checkpoint.save(made, tmp_path)


# --- what is kept ---------------------------------------------------------------------------------


def test_round_trip_of_every_kind(kind, tmp_path):
    made, path = kind
    loaded = checkpoint.load(path)
    assert loaded.config == made.config and loaded.rule().digest() == made.rule().digest()
    assert checkpoint.summary(loaded) == checkpoint.summary(made)
    assert loaded.rule(9).rescaled and made.rule(9).rescaled
    again = checkpoint.save(loaded, tmp_path / "again")
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("path", tracked("checkpoints/*.npz"), ids=lambda path: path.stem)
def test_committed_checkpoints_are_written_again_as_they_are(path, tmp_path):
    again = checkpoint.save(checkpoint.load(path.stem), tmp_path)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.thorough
def test_same_configuration_same_bytes(trained, tmp_path):
    first = checkpoint.save(trained, tmp_path)
    again = checkpoint.save(checkpoint.train(TINY), tmp_path / "again")
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.thorough
def test_training_and_held_out_events_differ(trained):
    log, held_out = difficulty_logs(trained)
    assert log.events.purpose != held_out.events.purpose
    assert trained.findings["held_out_deviance"] != trained.findings["deviance"]


def test_a_checkpoint_is_a_rule_with_its_provenance():
    table, formula = pass_checkpoint().rule(), formula_checkpoint().rule()
    assert table.passes == 3 and formula.passes == 3
    assert table.provenance["passes"][2] == {"held_out_pairs": 40, "held_out_errors": 7.5}
    assert formula.constants == pytest.approx({"a": 2.3, "k": 0.4})
    assert formula.provenance["scale"] == formula.shares["scale"]
    assert json.loads(json.dumps(table.provenance, allow_nan=False))["events"] == 64
    assert formula_checkpoint().unrounded() is None
    fine = pass_checkpoint().unrounded()
    assert np.abs(fine.tables[-1] * fine.unit - table.tables[-1]).max() <= 0.5


def test_shorter_tables_are_parts_of_the_longest(tmp_path):
    made = pass_checkpoint()
    checkpoint.save(made, tmp_path)
    for count in (1, 2):
        part = checkpoint.load(tmp_path / f"learned-pass{count}.npz")
        assert part.name == f"learned-pass{count}"
        assert part.config.decisions == dataclasses.replace(made.config.decisions, passes=count)
        np.testing.assert_array_equal(part.rule().tables, made.rule().tables[:count])
        assert part.findings["passes"] == made.findings["passes"][:count]
    # One that was saved by itself comes first.
    mine = dataclasses.replace(made.shorter_tables()[0], version="mine")
    checkpoint.save(mine, tmp_path)
    assert checkpoint.load(tmp_path / "learned-pass1.npz").version == "mine"
    with pytest.raises(InputError, match="learned has learned-pass1, learned-pass2"):
        checkpoint.load(tmp_path / "learned-pass3.npz")
    with pytest.raises(InputError, match=r"no-such-pass1: no such .npz file"):
        checkpoint.load("no-such-pass1")
    assert formula_checkpoint().shorter_tables() == []


def test_the_first_chapter_is_a_table_of_its_own(tmp_path):
    made = with_log()
    checkpoint.save(made, tmp_path)
    part = checkpoint.load(tmp_path / "learned-difficulty.npz")
    assert (part.name, part.rule().name) == ("learned-difficulty",) * 2
    assert (part.config.train.events, part.config.train.held_out) == (64, 9)
    assert part.findings["held_out_noise"] == 0.75 and part.difficulty() is part
    np.testing.assert_array_equal(part.arrays["counts"], made.arrays["difficulty_counts"])
    # It is a checkpoint like those of a training of the difficulty alone.
    alone = checkpoint.load(checkpoint.save(part, tmp_path))
    assert alone.config == part.config and alone.rule().digest() == part.rule().digest()
    # The shorter tables have the same first chapter.
    assert checkpoint.load(tmp_path / "learned-pass1.npz").difficulty().arrays.keys() == (
        part.arrays.keys()
    )
    with pytest.raises(InputError, match=r"no-such-difficulty: no such \.npz file"):
        checkpoint.load("no-such-difficulty")
    checkpoint.save(pass_checkpoint(), tmp_path / "old")
    with pytest.raises(InputError, match=r"learned has learned-pass1, learned-pass2$"):
        checkpoint.load(tmp_path / "old" / "learned-difficulty.npz")


@pytest.mark.slow
def test_a_table_gets_its_chapters_later_as_in_its_training(tmp_path):
    made = checkpoint.train(ODD)
    whole = checkpoint.save(made, tmp_path)
    pairs, ((_, fide), (_, surface), *_) = held_out_errors(made)
    assert 0 < surface < pairs and 0 < fide < pairs
    findings = {key: made.findings[key] for key in ("passes", "unsettled")}
    arrays = {key: made.arrays[key] for key in ("coefficients", "par", "losses")}
    bare = dataclasses.replace(made, arrays=arrays, findings=findings)
    again = checkpoint.save(checkpoint.with_chapters(bare), tmp_path / "again")
    assert again.read_bytes() == whole.read_bytes()


def test_the_last_chapter_in_words():
    pairs, rules = held_out_errors(with_log())
    names = ["pass 1 of the table", "pass 2 of the table", "the table"]
    assert pairs == 40 and rules == [
        ("product", 11.5),
        ("the difficulty surface", 10.0),
        *zip(names, (9.5, 8.5, 7.5), strict=True),
    ]
    assert is_it_better(with_log()).startswith(
        "Of 100 ties in 9 held-out events the table decides 18.8 wrongly, FIDE's rule 28.7: "
        "10.0 fewer, 34.8 % fewer errors; the difficulty surface 25.0.\n"
    )
    assert is_it_better(pass_checkpoint()) == ""  # of an earlier program


def test_the_picture_of_a_log():
    """Cells are those of the log's scores; where it has no match is nothing."""
    made = with_log()
    made.arrays["difficulty_counts"][6, 2] = 0
    log, _ = difficulty_logs(made.difficulty())
    picture = difficulty_picture(made)
    assert (picture.own, picture.events) == (6, 64)
    np.testing.assert_allclose(picture.log, 1000 * log.scores()[6])
    assert np.isnan(picture.log[2]).all() and not np.isnan(picture.log[3]).any()
    rounded = made.difficulty().rule().tables[0, 6]
    np.testing.assert_array_equal(np.rint(picture.surface), rounded)
    assert difficulty_picture(pass_checkpoint()) is None


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no-such: no such .npz file, and no name in checkpoints"):
        checkpoint.load("no-such")


# --- what is refused ------------------------------------------------------------------------------

DUMPS = json.dumps
NONE_OF_IT = object()


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


def judged(pairs, errors):
    return {"passes": [{"held_out_pairs": pairs, "held_out_errors": errors}] * 3}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": NONE_OF_IT}, "schema must be 2, got None"),
        ({"config": {"name": "x", "rounds": 3}}, "unknown key rounds"),
        ({"config": 3}, "must be a table"),
        ({"config": {"name": "learned"}}, "events must be 4000 as in its configuration, got '64'"),
        ({"name": "../../x"}, "must be 1..100 ASCII letters"),
        ({"name": None}, "name must be a text"),
        ({"version": "1\x1b[2J"}, "version must be a text of 1..100 characters, got"),
        ({"events": -5}, "events must be 64 as in its configuration, got '-5'"),
        ({"seed": None}, "seed must be 1 as in its configuration, got 'None'"),
        ({"passes": NONE_OF_IT}, "missing key 'passes'"),
        ({"passes": []}, "passes must be a list of 3, got 0"),
        ({"passes": [{"held_out_pairs": 4}] * 3}, "missing key 'held_out_errors'"),
        ({"passes": 3}, "passes must be a list of tables"),
        ({"passes": [3, 3, 3]}, "passes must be a list of tables"),
        (judged("x", 1), "held_out_pairs must be a whole number 0..9007199254740992, got 'x'"),
        (judged(-1, 0), "held_out_pairs must be 0..9007199254740992, got -1"),
        (judged(4, 5), "held_out_errors must be 0..4, got 5"),  # a rate above 1
        (judged(4, math.nan), "held_out_errors must be 0..4, got nan"),
    ],
)
def test_wrong_headers(tmp_path, changes, message):
    path = checkpoint.save(pass_checkpoint(), tmp_path)
    change(path, **changes)
    with pytest.raises(InputError, match=message) as error:
        checkpoint.load(path)
    assert "\n" not in str(error.value) and str(error.value).startswith(str(path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"difficulty": 3}, "difficulty must be a table of keys"),
        ({"difficulty": {}}, "missing key 'events'"),
        ({"held_out": []}, "held_out must be a table of keys"),
        (
            {"held_out": {"pairs": 4, "product": 5, "difficulty": 1}},
            "held_out.product must be 0..4",
        ),
        ({"held_out": {"pairs": 4, "product": 1}}, "missing key 'difficulty'"),
    ],
)
def test_wrong_chapters(tmp_path, changes, message):
    path = checkpoint.save(with_log(), tmp_path)
    change(path, **changes)
    with pytest.raises(InputError, match=message):
        checkpoint.load(path)


@pytest.mark.parametrize("wrong", [{"events": 65}, {"held_out_events": 0}, {"deviance": math.nan}])
def test_wrong_numbers_of_a_log(tmp_path, wrong):
    path = checkpoint.save(made := with_log(), tmp_path)
    change(path, difficulty={**made.findings["difficulty"], **wrong})
    with pytest.raises(InputError, match=rf"{next(iter(wrong))} must be"):
        checkpoint.load(path)


@pytest.mark.parametrize("value", [0, 1e7, math.nan, []])
@pytest.mark.parametrize("key", ["scale", "refinement"])
def test_wrong_constants_of_a_formula(tmp_path, key, value):
    path = checkpoint.save(formula_checkpoint(), tmp_path)
    change(path, **{key: value})
    if key == "refinement" and value == 0:
        assert checkpoint.load(path).findings["refinement"] == value
        return
    with pytest.raises(InputError, match=rf"learned\.npz: {key} must be .*\.\.10000, got"):
        checkpoint.load(path)


ALTERED = {
    "missing": lambda x: None,
    "shorter": lambda x: x[:-1],
    "single precision": lambda x: x.astype(np.float32),
    "not a number": lambda x: np.full_like(x, np.nan, np.float64),
    "huge": lambda x: np.full_like(x, -1e300, np.float64),
    "negative": lambda x: np.where(np.arange(x.size).reshape(x.shape), x, -1),
    "too many": lambda x: np.where(np.arange(x.size).reshape(x.shape), x, 2**62),
}


@pytest.mark.thorough
@pytest.mark.parametrize("how", ALTERED)
@pytest.mark.parametrize(
    "key",
    [
        *("coefficients", "par", "counts", "held_out_counts", "deviance"),
        *("difficulty_counts", "difficulty_coefficients"),
    ],
)
def test_wrong_arrays(trained, tmp_path, key, how):
    made = pass_checkpoint() if key == "par" else trained
    made = with_log() if key.startswith("difficulty") else made
    path = checkpoint.save(made, tmp_path)
    if key == "deviance":
        change(path, deviance="much")
    elif "counts" in key or how not in ("negative", "too many"):
        arrays, header = files.read_arrays(path)
        altered = ALTERED[how](arrays.pop(key))
        files.write_arrays(path, arrays | ({} if altered is None else {key: altered}), header)
    else:
        return  # numbers that are no counts may be negative
    told = key.replace("difficulty_", "difficulty: ")
    with pytest.raises(InputError, match=rf"{made.name}\.npz: {told} must be") as error:
        checkpoint.load(path)
    assert "\n" not in str(error.value)
