"""The study of individual events: its report of made-up fits and error rates."""

import csv
import io

import pytest

from tb2learn import data
from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.tally import ALL, TOPS, ErrorRate
from tb2learn.catalogue import baseline, find_judged, find_rule
from tb2learn.config import load_config
from tb2learn.studies import individual
from tb2learn.studies.individual import FITTED, PROMISED, RULES, WORLDS, study_individual
from tb2learn.tiebreaks.formula_constants import PowerLaw, closed_form
from tb2learn.tiebreaks.rules import formula_rule

LAWS = {"scale": PowerLaw(0.35, 0.0, -0.5), "refinement": PowerLaw(0.1, 0.0, -0.75)}


def test_the_rule_in_use_depends_on_the_boards():
    assert (baseline(1), baseline(2), baseline(4)) == ("buchholz-cut1", "product", "product")
    judged = find_judged(["formula", "buchholz-cut1"], load_config("open-60x7"))
    assert [one.name for one in judged] == ["buchholz-cut1", "formula"]


def test_the_formula_for_players_is_not_the_teams():
    rule, teams = find_rule("formula", 9, 1), closed_form()
    players = closed_form(players=True)
    assert players != teams and {law.boards for law in players.values()} == {0.0}
    assert rule.scale == pytest.approx(players["scale"].at(9, 1), rel=0.02)


def test_report_and_constants(tmp_path, monkeypatch):
    def fitted(config, progress):
        assert config.event.boards == 1 and config.field.player_sd == 0
        constants = [LAWS[name].at(config.event.rounds, 1) for name in LAWS]
        return formula_rule("formula", config.event.rounds, 1, *constants), None

    def assessed(config, judged, events, seed, progress):
        assert judged[0].name == "buchholz-cut1" and {one.name for one in judged[1:]} == set(RULES)
        saved = {"buchholz-cut1": 0.0, "formula": 0.03, "deep-buchholz": 0.02}
        results = tuple(
            ErrorRate(
                one.name, top, 1000, 0.3, (0.29, 0.31), saved.get(one.name, -0.1),
                (saved.get(one.name, -0.1) - 0.025, saved.get(one.name, -0.1) + 0.025),
            )
            for one in judged for top in TOPS
        )  # fmt: skip
        return Assessment("single", None, events, seed, config, results, None)

    monkeypatch.setattr(individual, "fit_formula", fitted)
    monkeypatch.setattr(individual, "assess", assessed)
    path = study_individual(tmp_path / "report", 64, 2, 1)
    text = path.read_text()
    assert "* formula saves of the errors of buchholz-cut1, all ties: 3.0 [0.5, 5.5] %" in text
    shown = ", ".join(f"deep-buchholz in {name}" for name in WORLDS)
    assert f"No saving of all ties is shown for: {shown}." in text
    assert "decides 30.0 [29.0, 31.0] % of the ties for first place wrongly" in text
    rows = list(csv.DictReader(io.StringIO((path.parent / "errors.csv").read_text())))
    assert len(rows) == len(WORLDS) * (1 + len(RULES)) * len(TOPS) and ALL in TOPS
    written = list(csv.DictReader(io.StringIO((path.parent / "formula_players.csv").read_text())))
    assert [float(row["rounds"]) for row in written] == [-0.5, -0.75]
    assert {float(row["boards"]) for row in written} == {0.0} and set(PROMISED) <= set(RULES)
    assert written[0].keys() == data.read_rows("formula_players.csv")[0].keys()
    assert len((path.parent / "fits.csv").read_text().splitlines()) == 1 + len(FITTED)
