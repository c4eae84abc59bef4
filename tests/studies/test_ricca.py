"""Ricca's two studies: ladders, proposals by worked cases, and a quick run of each."""

import csv
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import results_of
from unplayed_samples import MATCHES, RATINGS

from studies import tiebreaks, unplayed
from studies.absences import Absences
from studies.tiebreaks import adjusted, places
from studies.unplayed import PROPOSALS, sum_over_opponents
from studies.worlds import load_config
from tb2learn.events import read_event
from tb2learn.events.unplayed.record import event_record
from tb2learn.tiebreaks.names import find_tiebreak

# `proposals.csv` has what every proposal gives; a slow reference, word for word from the papers,
# gave the same. Some of it by hand, an item as `opponent's match
# points x game points`, [] goes in the cut:
# drawself: count as A 5+1 = 6, B 2+1 = 3, C 5+1 = 6, D 1+2 = 3, E 1+1 = 2.
#   A: 3x2, 6x1, self 6x1, [2x1.5].  C: self 6x1, 6x1, [3x2], 3x2.  D: self 3x1 twice, [2x1], 6x0.
# ignore, 16 * points / matches. A: B 2/3, C 5/3, E [1/3]: 8/9, 7/6; with results 4+5+1.5 = 10.5.
# fair-*: B left with 2 and counts as b. A: bx2, 7x1, [0x1], 2x1.5; fair-draw: b = 2+1 = 3.
# aaso: count as 4 * average: A and C 20/3, B 8/3, D 2, E 4/3. A: 32/3 / 3 * 4.
# sivakasi, A: 11 and the mean 11/3 - 1 for the bye; without E 9 + 4.5 - 1.


def test_every_proposal_on_an_event_by_hand(tmp_path):
    (tmp_path / "matches.csv").write_text(MATCHES, encoding="utf-8")
    (tmp_path / "teams.csv").write_text(RATINGS, encoding="utf-8")
    record, seen = event_record(read_event(tmp_path)), set()
    with (Path(__file__).parent / "proposals.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            policy, name = row.pop("policy"), row.pop("sum")
            scores = sum_over_opponents(record, policy, name)
            assert scores == pytest.approx([float(x) for x in row.values()], abs=1e-4), policy
            seen.add(policy)
    assert seen == PROPOSALS.keys()


def test_ladders_against_combined_rules_of_the_library():
    random = np.random.default_rng(3)
    pairs = [random.permutation(20).reshape(-1, 2).tolist() for _ in range(5)]
    matches = [[(a, b, random.integers(3)) for a, b in each] for each in pairs]
    results = jax.tree.map(np.asarray, results_of(20, 1, matches))
    lots = random.permutation(20)
    config = load_config("small-20x7")
    config = replace(config, event=replace(config.event, teams=20, rounds=5, boards=1))
    names = ("BH", "DE", "SONNBER", "COMPLETE", "DE_MD_KY_PS", "BH_RD", "RANDOM")
    steps = {step for name in names for step in tiebreaks.ladder(name)} - {"DE", "RD"}
    scores = {step: tiebreaks.step_rule(step, config).scores(results) for step in steps}
    event = {"opponents": results.opponents, "half_points": results.half_points, **scores}
    ranks = tiebreaks.climb({**event, "lots": [lots, lots]}, names, 1)
    points = results.match_points
    for name, ranked in zip(names[:5], ranks, strict=False):
        rule, _ = find_tiebreak("+".join(map(tiebreaks.SHORT.get, tiebreaks.ladder(name))), 5, 1)
        expected = adjusted(points, rule.scores(results))
        assert places(ranked).tolist() == expected.tolist(), name
    assert sorted(places(ranks[5])) == list(range(1, 21))  # lots break all ties
    assert places(ranks[6]).tolist() == adjusted(points, lots).tolist()


def small(name, boards=1, teams=20):
    config = load_config("small-20x7")
    return replace(
        config, name=name, event=replace(config.event, teams=teams, rounds=5, boards=boards)
    )


def run(main, folder, *given):
    ran = CliRunner().invoke(main, ["--out", str(folder), "--seed", "4", *given])
    assert ran.exit_code == 0, ran.output
    tables = {path.stem: pd.read_csv(path, keep_default_na=False) for path in folder.glob("*.csv")}
    return tables, (folder / "README.md").read_text()


@pytest.mark.slow
def test_a_quick_run_of_tiebreaks(tmp_path, monkeypatch):
    monkeypatch.setattr(tiebreaks, "INDIVIDUAL", {"100-9": "dutch-100x9"})
    monkeypatch.setattr(
        tiebreaks, "load_config", lambda name: small(name, 1 + 3 * ("o" in name[:1]))
    )
    tables, text = run(tiebreaks.main, tmp_path, "--events", "8")
    values = tables["values"]
    assert len(values) == 7 * 2 * (58 + 58 + 63) and (values["ricca"] != "").sum() == 140 + 355
    assert len(tables["agreement"]) == 10 and len(tables["claims"]) == 16
    known = values[values["criterion"] == "BRUNO"].set_index(["tie_break", "population"])["value"]
    assert known["BH"].eq(0).all()  # Buchholz orders a score group as BRUNO does
    assert "| olympiad-180x11 | " in text


@pytest.mark.slow
def test_a_quick_run_of_unplayed(tmp_path, monkeypatch):
    often = Absences(no_show=0.15, half_bye=0.08, zero_bye=0.05, retire=0.2)
    monkeypatch.setattr(unplayed, "kinds", lambda: [(small("odd", teams=7), often, "100-9")])
    tables, text = run(unplayed.main, tmp_path, "--events", "40")
    values = tables["values"]
    assert len(values) == (15 * 6 + 1 + 1) * 2 * 7
    assert (values["ricca"] != "").sum() == 160 + 40 + 4
    assert len(tables["agreement"]) == 16 and len(tables["extremes"]) == 12
    assert 0.3 < tables["events"]["played"].item() < 0.9
    assert "| FaceVal is the worst for every form of Buchholz | 24 | 24 |" in text
