"""The study of pairings: what the engine is told and says; the report on it."""

import importlib.util
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from study_samples import committed, told
from tqdm import tqdm

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.report.frames import where
from tb2learn.simulation.event import Event
from tb2learn.simulation.schedule import SoFar
from tb2learn.studies import reports
from tb2learn.studies.pairings import measure
from tb2learn.studies.pairings.engine import EngineSchedule, check_engine
from tb2learn.studies.pairings.engine_round import engine_pairs
from tb2learn.studies.registry import STUDIES
from tb2learn.types import InputError

NOTHING = np.zeros((0, 5), np.int32)

ONE_ROUND = (
    np.array([[2, 3, 0, 1, -1]], np.int32),
    np.array([[2, 2, 0, 0, 2]], np.int32),
    np.array([[True, False, False, True, False]]),
)
"""Opponents, half points and who had White, of the first round of five players."""


def test_a_missing_engine_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr("tb2learn.studies.pairings.engine.find_spec", lambda name: None)
    with pytest.raises(InputError, match="py4swiss, which is not installed: pip install"):
        check_engine()


@pytest.mark.skipif(importlib.util.find_spec("py4swiss") is None, reason="the engine is optional")
def test_pairs_of_the_engine():
    """Five players by hand: the last has the bye, then the next lowest."""
    first = engine_pairs(NOTHING, NOTHING, NOTHING > 0, True, 3)
    np.testing.assert_array_equal(first, [[0, 3], [2, 1]])
    second = engine_pairs(*ONE_ROUND, True, 3)
    # 0, 1 and 4 have a point; 3 has the bye; 0 wants Black; 1 floats, and outranks 2.
    np.testing.assert_array_equal(second, [[4, 1], [0, 2]])


@pytest.mark.skipif(importlib.util.find_spec("py4swiss") is None, reason="the engine is optional")
def test_events_are_paired_side_by_side_in_their_order():
    """Six events whose lots differ, before the first round and after one, by two workers."""
    lots = [True, False, False, True, True, False]
    played = [np.repeat(part[..., None], 6, axis=-1) for part in ONE_ROUND]
    with ThreadPoolExecutor(2) as pool, tqdm(disable=True) as bar:
        schedule = EngineSchedule(EventFormat(5, 3, 1, pairing="dutch"), bar, pool)
        for past in (0, 1):
            so_far = SoFar(*map(jnp.asarray, played), *2 * [jnp.zeros((5, 6), jnp.int32)])
            _, found = schedule.pair(jnp.array([lots]), so_far, jnp.int32(past))
            alone = [engine_pairs(*(part[:past] for part in ONE_ROUND), lot, 3) for lot in lots]
            np.testing.assert_array_equal(found, np.stack(alone, axis=-1))


def test_sentences_on_differences_follow_the_intervals():
    frames = committed("pairings")
    errors = frames["errors"]
    columns = ["value", "low", "high"]
    errors.loc[errors["what"] == "apart", columns] = 0.0, -0.1, 0.1
    large = (errors["players"] == 100) & (errors["rule"] == "formula") & (errors["top"] == "1")
    errors.loc[large & (errors["what"] == "apart"), columns] = -0.2, -0.3, -0.1
    of_table = (errors["rule"] == measure.TABLE) & (errors["top"] == "all")
    on_engine = of_table & (errors["what"] == measure.LESS.format("engine"))
    errors.loc[on_engine & (errors["players"] == 60), columns] = 0.0, -0.1, 0.1
    errors.loc[on_engine & (errors["players"] == 100), columns] = 0.2, 0.1, 0.3
    text = told("pairings", frames)
    assert text.count("leaves 0 out") == 2 and text.count("error rates hold.") == 1
    assert "leaves 0 out for formula (ties that touch place 1). Over" in text
    assert "ours is not seen to differ from Buchholz cut 1 (+0.000, -0.100 to +0.100; on" in text
    assert "the table trained on ours decides more ties wrongly than Buchholz cut 1 (+0.2" in text


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("py4swiss") is None, reason="the engine is optional")
def test_the_whole_comparison(monkeypatch, tmp_path):
    """A few events of the engine, a table trained on a few of ours, and their errors."""
    for name, value in (("OURS", 40), ("TRAINED", 64), ("SIZES", ((8, 3),))):
        monkeypatch.setattr(measure, name, value)
    path = reports.make(STUDIES["pairings"], tmp_path / "out", events=3, seed=1)
    found = {one.frame: pd.read_csv(path.parent / one.file) for one in measure.FILES}
    assert found["agreement"]["round"].tolist() == [1, 2, 3, 1, 2, 3]
    assert found["sizes"]["share"].tolist() == [
        pytest.approx(where(found["agreement"], what="pair")["share"].mean(), abs=6e-4)
    ]
    assert found["ties"]["pairs"].iloc[-1] > 0
    errors = where(found["errors"], top="all").set_index(["what", "rule"])["value"].unstack("what")
    assert errors["ours"].between(0, 1).all() and errors["engine"].between(0, 1).all()
    for what, other in (("apart", "ours"), ("engine less Buchholz", None)):
        base = errors[other] if other else errors.loc["buchholz-cut1", "engine"]
        assert errors[what].to_numpy() == pytest.approx(errors["engine"] - base, abs=2e-5)


@pytest.mark.thorough
def test_agreement_of_a_first_round():
    """Four players: our first round is 1-3 and 4-2; other pairs, and other colours, are told."""
    opponents = [[2, 3, 0, 1], [1, 0, 3, 2], [2, 3, 0, 1]]
    whites = [[True, False, False, True], [True, False, True, False], [True, True, False, False]]
    event = jax.vmap(Event, in_axes=-1, out_axes=-1)(
        jnp.zeros((4, 1, 3), jnp.int32),
        jnp.array(opponents, jnp.int32).T[None],
        jnp.ones((1, 4, 3), jnp.int32),
        jnp.ones((4, 3), jnp.int32),
        jnp.array(whites).T[None],
    )
    config = Config("four", event=EventFormat(4, 1, 1, pairing="dutch"))
    same, coloured = measure.agreement(config, event)
    np.testing.assert_array_equal(same, [[1.0], [0.0], [1.0]])
    np.testing.assert_array_equal(coloured, [[1.0], [0.0], [0.5]])
