"""The study of the formula's constants: power laws, the growth of an error."""

import numpy as np
import pytest

from tb2learn import data
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.studies.formula import measure
from tb2learn.studies.formula.measure import CHECKED, FITTED, power_laws
from tb2learn.studies.worlds import SHOWN, growths
from tb2learn.tiebreaks.formula_constants import PowerLaw
from tb2learn.tiebreaks.rules import formula_rule

LAWS = {"scale": PowerLaw(0.3, -0.25, -0.5), "refinement": PowerLaw(0.08, 0.5, -0.75)}


def shape_of(event):
    return event.teams, event.rounds, event.boards


def formula_at(shape):
    _, rounds, boards = shape
    constants = [LAWS[name].at(rounds, boards) for name in ("scale", "refinement")]
    return formula_rule("formula", rounds, boards, *constants)


def test_power_laws_are_found_again():
    found = power_laws([formula_at(shape) for shape in FITTED])
    assert found == LAWS


def tally(pairs, errors):
    """A tally of two rules, `a` and `b`, with the same counts in every population."""
    return Tally(
        rules=("a", "b"),
        pairs=np.repeat(np.array(pairs)[:, None], len(TOPS), axis=1),
        errors=np.repeat(np.array(errors)[:, :, None], len(TOPS), axis=2),
        unit=2,
        changed=None,
    )


def test_growth_by_hand():
    counts = tally([10, 10, 20], [[4, 2], [6, 6], [10, 2]])
    found = growths(counts, ["a", "b"], "b", 1)
    assert found.rule.tolist() == ["a", "a", "b", "b"] and found.top.tolist() == [10, "all"] * 2
    *_, one, same, _ = found.itertuples()
    assert one.pairs == 40
    assert one.error == 10 / 40 and one.other == 5 / 40 and one.growth == 5 / 40
    # One event alone would give 1/10, 0 or 1/5: resampling stays between the ends.
    assert 0 <= one.growth_low < one.growth < one.growth_high <= 0.2
    assert (same.growth_low, same.growth_high) == (0.0, 0.0)
    assert growths(tally([0], [[0, 0]]), ["a"], "b", 1).growth.isna().all()


def test_made_up_fits(monkeypatch):
    """The laws are found again, and every format has its rows."""
    counts = tally([10, 30], [[4, 2], [6, 6]])

    def judged(config, rules, events, seed, progress):
        names = tuple(rule.name for rule in rules)
        assert names == ("product", "native", "formula")
        errors = np.concatenate([counts.errors, counts.errors[:, 1:]], axis=1)
        return Tally(names, counts.pairs, errors, 2, None)

    monkeypatch.setattr(
        measure, "fit_formula", lambda config, progress: (formula_at(shape_of(config.event)), None)
    )
    monkeypatch.setattr(measure, "single_event_tally", judged)
    found = measure.measure(64, 2, 1)
    laws, fits = found["laws"], found["fits"]
    assert len(fits) == len(SHOWN) * len((*FITTED, *CHECKED))
    assert set(fits["growth"]) == {0.0} and fits["product"].min() > 0
    assert laws["at_middle"].tolist() == [0.3, 0.08]
    assert list(laws.columns) == list(data.read_rows("formula.csv")[0])


@pytest.mark.slow
def test_a_small_study(monkeypatch):
    monkeypatch.setattr(measure, "FITTED", ((8, 3, 2), (8, 5, 2), (8, 5, 4)))
    monkeypatch.setattr(measure, "CHECKED", ((8, 4, 3),))
    assert measure.measure(64, 8, 1)["fits"]["fitted"].tolist() == [*["yes"] * 6, "no", "no"]
