"""The study of pairings: what the engine is told and says; the report."""

import csv
import importlib.util
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tqdm import tqdm

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.schedule import SoFar
from tb2learn.studies.pairings import report, study
from tb2learn.studies.pairings.engine import EngineSchedule, check_engine
from tb2learn.studies.pairings.engine_round import engine_pairs
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
            so_far = SoFar(*map(jnp.asarray, played), jnp.zeros((5, 6), jnp.int32))
            _, found = schedule.pair(jnp.array([lots]), so_far, jnp.int32(past))
            alone = [engine_pairs(*(part[:past] for part in ONE_ROUND), lot, 3) for lot in lots]
            np.testing.assert_array_equal(found, np.stack(alone, axis=-1))


def shares(count):
    return [study.Share(0.5 + number / 100, (0.4, 0.7)) for number in range(count)]


def compared(players, rounds, apart):
    errors = {
        (rule, top): study.Share(0.3, (0.2, 0.4)) for rule in study.RULES for top in study.TOPS
    }
    moved = {key: study.Share(apart, (apart - 0.1, apart + 0.1)) for key in errors}
    gain = {(name, *key): moved[key] for name in ("ours", "engine") for key in errors}
    pairs = dict.fromkeys(study.TOPS, 1234)
    one = (shares(rounds), shares(rounds), shares(1)[0], errors, errors, moved, gain, pairs)
    return study.Compared(players, rounds, *one)


def test_report(tmp_path, monkeypatch):
    """All numbers are in the tables, and the sentence on differences follows the intervals."""
    monkeypatch.setattr(report, "check_engine", lambda: None)
    monkeypatch.setattr(report, "version", lambda name: "9.9")
    made = {60: compared(60, 7, 0.0), 100: compared(100, 9, 0.2)}
    monkeypatch.setattr(report, "compare", lambda players, *_: made[players])
    text = report.study_pairings(tmp_path / "out", 3, 1).read_text()
    assert text.count("leaves 0 out") == 2 and text.count("error rates hold.") == 1
    assert "the table trained on ours is not seen to differ from Buchholz cut 1 (+0.000" in text
    assert "the table trained on ours decides more ties wrongly than Buchholz cut 1 (+0.2" in text
    assert "3 events" in text and "py4swiss 9.9" in text and "1,234" in text
    lines = (tmp_path / "out" / "agreement.csv").read_text().splitlines()
    rows = list(csv.DictReader(lines))
    assert len(rows) == 2 * (7 + 9) and rows[3]["share"] == "0.53"
    assert (tmp_path / "out" / "pairings.png").stat().st_size > 1000


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("py4swiss") is None, reason="the engine is optional")
def test_the_whole_comparison(monkeypatch):
    """A few events of the engine, a table trained on a few of ours, and their errors."""
    monkeypatch.setattr(study, "OURS", 40)
    monkeypatch.setattr(study, "TRAINED", 64)
    one = study.compare(8, 3, 3, 1)
    assert len(one.agree) == 3 and one.agree[0].value == one.colours[0].value == 1.0
    assert one.pairs[study.ALL] > 0
    for rule in study.RULES:
        share = one.engine[rule, study.ALL]
        assert 0 <= share.ci[0] <= share.value <= share.ci[1] <= 1
        apart = share.value - one.ours[rule, study.ALL].value
        assert one.apart[rule, study.ALL].value == pytest.approx(apart)


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
    same, coloured = study.agreement(config, event)
    np.testing.assert_array_equal(same, [[1.0], [0.0], [1.0]])
    np.testing.assert_array_equal(coloured, [[1.0], [0.0], [0.5]])
