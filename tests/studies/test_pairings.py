"""Pairings: what the engine is told and says, our agreement with it, and one quick run."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from studies import pairings
from tb2learn.events import read_event

NOTHING = np.zeros((0, 5), np.int32)


def test_pairs_of_the_engine():
    """Five players by hand: the last has the bye, then the next lowest."""
    pytest.importorskip("py4swiss", reason="the engine is optional")
    first = pairings.engine_pairs(NOTHING, NOTHING, NOTHING > 0, True, 3)
    np.testing.assert_array_equal(first, [[0, 3], [2, 1]])
    opponents, half_points = np.array([[2, 3, 0, 1, -1]]), np.array([[2, 2, 0, 0, 2]])
    whites = np.array([[True, False, False, True, False]])
    second = pairings.engine_pairs(opponents, half_points, whites, True, 3)
    # 0, 1 and 4 have a point; 3 has the bye; 0 wants Black; 1 floats, and outranks 2.
    np.testing.assert_array_equal(second, [[4, 1], [0, 2]])


def test_the_rounds_of_2022_are_paired_as_they_were():
    """Aim: .98 of all pairs of 2022 and later, late arrivals apart."""
    found = pd.concat(
        [
            pairings.real_rounds(pairings.chennai(), "olympiad-2022")[0],
            pairings.real_rounds(read_event("samarkand2026w"), "olympiad-2022")[0],
        ]
    )
    assert found["pairs"].sum() == 926 + 940
    assert found["same_on_time"].sum() > 0.975 * found["pairs"].sum()


@pytest.mark.slow
def test_a_quick_run(monkeypatch, tmp_path):
    """A few events of the engine, a table trained on a few of ours, their errors; an Olympiad."""
    pytest.importorskip("py4swiss", reason="the engine is optional")
    monkeypatch.setattr(pairings, "SIZES", ((8, 3),))
    given = [
        "--out",
        str(tmp_path),
        "--events",
        "3",
        "--ours",
        "40",
        "--trained",
        "64",
        "--olympiads",
        "1",
    ]
    run = CliRunner().invoke(pairings.main, given)
    assert run.exit_code == 0, run.output
    agreement, errors = (pd.read_csv(tmp_path / f"{n}.csv") for n in ("agreement", "errors"))
    assert agreement["round"].tolist() == [1, 2, 3] and (agreement["pair"] > 0).all()
    everywhere = errors[errors["top"] == "all"].set_index("rule")
    assert everywhere["ours"].between(0, 1).all() and (everywhere["pairs"] > 0).all()
    less = everywhere["engine"] - everywhere.loc["buchholz-cut1", "engine"]
    np.testing.assert_allclose(everywhere["engine_less"], less, atol=2e-5)
    assert "samarkand2026w" in (tmp_path / "README.md").read_text("utf-8")
    assert (pd.read_csv(tmp_path / "lockstep.csv")["same"] > 0.95).all()
