"""The study of the formula's constants: power laws, and a quick run."""

import pandas as pd
import pytest
from click.testing import CliRunner

from studies import formula
from tb2learn import data
from tb2learn.tiebreaks.formula_constants import PowerLaw
from tb2learn.tiebreaks.rules import formula_rule

LAWS = {"scale": PowerLaw(0.3, -0.25, -0.5), "refinement": PowerLaw(0.08, 0.5, -0.75)}


def formula_at(shape):
    _, rounds, boards = shape
    return formula_rule(
        "formula", rounds, boards, *(law.at(rounds, boards) for law in LAWS.values())
    )


def test_power_laws_are_found_again():
    assert formula.power_laws([formula_at(shape) for shape in formula.FITTED]) == LAWS
    of_players = formula.power_laws([formula_at(shape) for shape in formula.PLAYERS])
    assert {law.boards for law in of_players.values()} == {0.0}
    assert of_players["scale"].rounds == LAWS["scale"].rounds


@pytest.mark.slow
def test_a_quick_run(tmp_path, monkeypatch):
    """Its tables are of the form that the package contains; nobody loses against itself."""
    monkeypatch.setattr(formula, "FITTED", ((8, 3, 2), (8, 5, 2), (8, 5, 4)))
    monkeypatch.setattr(formula, "CHECKED", ((8, 4, 3),))
    monkeypatch.setattr(formula, "PLAYERS", ((8, 3, 1), (8, 5, 1), (10, 5, 1)))
    monkeypatch.setattr(formula, "WORLDS", ("open-60x7",))
    options = ["--out", str(tmp_path), "--events", "8", "--trained", "64"]
    done = CliRunner().invoke(formula.main, options)
    assert done.exit_code == 0, done.output
    for name in ("formula.csv", "formula_players.csv"):
        assert list(pd.read_csv(tmp_path / name).columns) == list(data.read_rows(name)[0])
    fits = pd.read_csv(tmp_path / "fits.csv")
    assert fits["rule"].tolist() == 4 * ["product", "product", "formula", "formula"]
    assert (fits["growth"] - (fits["error"] - fits["native_error"])).abs().max() < 2e-6
    errors = pd.read_csv(tmp_path / "errors.csv")
    assert set(errors["rule"]) == {"buchholz-cut1", "formula", *formula.RULES}
    assert (errors["saved"][errors["rule"] == "buchholz-cut1"].dropna() == 0).all()
    assert "| open-60x7 | formula | all |" in (tmp_path / "README.md").read_text()
