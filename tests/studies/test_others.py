"""How much ties depend on others: medals of Baku, and the report on small events."""

from dataclasses import replace

import pandas as pd
import pytest
from click.testing import CliRunner

from studies import others
from studies.worlds import ROSTERS, load_config
from tb2learn.tiebreaks.library import PRODUCT


@pytest.mark.slow
def test_a_quick_run(tmp_path, monkeypatch):
    small = load_config("etcc-38x9")
    fields = {"near the truth": 50.0, "random": float("inf")}
    worlds = {
        name: replace(small, field=replace(small.field, seed_noise=noise))
        for name, noise in fields.items()
    }
    monkeypatch.setattr(others, "worlds", lambda: worlds)
    monkeypatch.setattr(others, "LEARNED", "learned-38x9")
    monkeypatch.setattr(others, "RULES", (PRODUCT, ROSTERS))
    monkeypatch.setattr(others, "PENALTIES", (0.0, 1.0))
    monkeypatch.setattr(others, "REAL", ("baku2016",))
    done = CliRunner().invoke(
        others.main, ["--out", str(tmp_path), "--events", "4", "--trained", "8"]
    )
    assert done.exit_code == 0, done.output
    assert "## Seeds: random" in (tmp_path / "README.md").read_text("utf-8")
    curve = pd.read_csv(tmp_path / "curve.csv")
    assert curve["penalty"].tolist() == [0, 1] and curve["more"].iloc[0] == 0
    assert set(pd.read_csv(tmp_path / "dependence.csv")["rule"]) == {PRODUCT, ROSTERS}
