"""The study of rating tables: its figures, its report, a command without a random number."""

import csv

import numpy as np
import pytest

from tb2learn.cli import main
from tb2learn.studies.ratings import LAWS, bipartite_errors, misses, morphy_period


def test_laws_beside_fides_table():
    assert [misses(law) for law in LAWS.values()][:3] == [6, 110, 525]


def test_the_printed_bipartite_formula_is_wrong():
    right, printed = bipartite_errors(np.array([3, 1, 1]), np.array([1, -3, -3]))
    assert right == pytest.approx(0) and printed > 1
    # Where both sides score alike it is right up to a factor.
    assert bipartite_errors(np.array([2, 0, -2]), np.array([1, 0, -1])) == pytest.approx((0, 0))


def test_the_printed_ratings_lie_between_two_steps():
    period = morphy_period()
    apart = {name: period.apart(name) for name in period.columns}
    assert apart["mean of both"] < 6 and period.restored == 12
    assert min(apart[name] for name in ("step 3", "step 4", "fixed point", "linear law")) > 11


def test_report(tmp_path, capsys):
    assert main(["study", "ratings", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'README.md'}\n"
    text = (tmp_path / "README.md").read_text()
    assert text.splitlines()[2].endswith("(ratings.png)") and "| 620 | 0.984997 | 0.99 |" in text
    with open(tmp_path / "tables.csv") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 801 and rows[54]["fide"] == "58"
    with open(tmp_path / "morphy.csv") as stream:
        printed = {row["player"]: row["printed"] for row in csv.DictReader(stream)}
    assert float(printed["Morphy"]) == 695 and len(printed) == 9
