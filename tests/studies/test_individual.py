"""The study of individual events: what it finds in made-up fits and error rates."""

from itertools import product

import pytest
from study_samples import committed, told
from tb2learn.assessment.assess import Assessment

from tb2learn.assessment.references import find_judged
from tb2learn.assessment.tally import TOPS, ErrorRate
from tb2learn.catalogue import baseline
from tb2learn.config import load_config
from tb2learn.studies.individual import measure
from tb2learn.studies.individual.measure import RULES
from tb2learn.tiebreaks.formula_constants import PowerLaw
from tb2learn.tiebreaks.rules import formula_rule

LAWS = {"scale": PowerLaw(0.35, 0.0, -0.5), "refinement": PowerLaw(0.1, 0.0, -0.75)}


def test_the_rule_in_use_depends_on_the_boards():
    assert (baseline(1), baseline(2), baseline(4)) == ("buchholz-cut1", "product", "product")
    judged = find_judged(["formula", "buchholz-cut1"], load_config("open-60x7"))
    assert [one.name for one in judged] == ["buchholz-cut1", "formula"]


def test_made_up_fits(monkeypatch):
    def fitted(config, progress):
        assert config.event.boards == 1 and config.field.player_sd == 0
        constants = [LAWS[name].at(config.event.rounds, 1) for name in LAWS]
        return formula_rule("formula", config.event.rounds, 1, *constants), None

    def assessed(config, judged, events, seed, progress):
        assert judged[0].name == "buchholz-cut1" and {one.name for one in judged[1:]} == set(RULES)
        saved = {"buchholz-cut1": 0.0, "formula": 0.03, "deep-buchholz": 0.02}
        results = []
        for one, top in product(judged, TOPS):
            gain = saved.get(one.name, -0.1)
            ends = gain - 0.025, gain + 0.025
            results.append(ErrorRate(one.name, top, 1000, 0.3, (0.29, 0.31), gain, ends))
        return Assessment("single", None, events, seed, config, tuple(results), None)

    monkeypatch.setattr(measure, "fit_formula", fitted)
    monkeypatch.setattr(measure, "assess", assessed)
    found = measure.measure(64, 2, 1)
    laws, fits = found["laws"], found["fits"]
    assert laws["rounds"].tolist() == [-0.5, -0.75] and set(laws["boards"]) == {0.0}
    # In points, at 7 rounds of at most 14 match points.
    assert fits["fitted a"][0] == pytest.approx(7 * LAWS["scale"].at(7, 1), abs=0.005)


def test_rules_whose_saving_is_not_shown_are_named():
    frames = committed("individual")
    errors = frames["errors"]
    errors["reduction_low"] = 0.01
    some = (errors["world"] == "open-60x7") & (errors["rule"] == "formula")
    errors.loc[some & (errors["top"] == "1"), "reduction_low"] = -0.01
    assert "No saving of all ties is shown for: none.\n" in told("individual", frames)
    errors.loc[some, "reduction_low"] = -0.01
    assert "shown for: formula in open-60x7.\n" in told("individual", frames)
