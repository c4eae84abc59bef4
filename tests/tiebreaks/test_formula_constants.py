"""The formula at every format, the table of a number of boards, and what a name stands for."""

import pytest

from tb2learn.catalogue import find_rule
from tb2learn.tiebreaks.formula_constants import PowerLaw, closed_form, closed_formula
from tb2learn.tiebreaks.library import FORMULA, LEARNED, TABLES
from tb2learn.types import InputError


def test_constants_have_two_digits_as_they_are_printed():
    laws = {"scale": PowerLaw(0.25, 0.0, 0.0), "refinement": PowerLaw(0.08, 0.0, 0.0)}
    rule = closed_formula(7, 6, laws)
    # 0.25 of 14 match points is 3.5; 0.08 of 14 over six boards is 0.18667, printed 0.19.
    assert rule.constants == pytest.approx({"a": 3.5, "k": 0.19})
    assert rule.passes == 3 and not rule.provenance


@pytest.mark.parametrize("boards", range(1, 13))
def test_the_formula_has_sensible_constants_at_every_format(boards):
    for rounds in range(1, 16):
        rule = find_rule(FORMULA, rounds, boards)
        assert (rule.event_rounds, rule.boards) == (rounds, boards)
        # In one round nobody has another match that could refine it.
        scale, refinement = rule.shares["scale"], rule.shares["refinement"]
        assert 0.05 < scale < 1.5 and 0 < refinement < (1.5 if rounds > 1 else 5)
        assert not rule.rescaled
    made = rule.provenance
    assert made["seed"] == 1 and made["events"] > 1000 and set(made["laws"]) == set(closed_form())


@pytest.mark.parametrize(("rounds", "boards"), [(0, 4), (41, 4), (9, 0), (9, 13)])
def test_formats_that_no_event_has_are_refused(rounds, boards):
    for name in (FORMULA, LEARNED):
        with pytest.raises(InputError, match=r"(rounds|boards) must be"):
            find_rule(name, rounds, boards)


@pytest.mark.parametrize("boards", range(1, 13))
def test_learned_is_the_table_of_so_many_boards_else_the_formula(boards):
    rule = find_rule(LEARNED, 9, boards)
    assert rule.name == LEARNED != rule.own_name and (rule.event_rounds, rule.boards) == (9, boards)
    if boards in TABLES:
        assert rule.in_passes and rule.own_name == TABLES[boards]
        assert rule.digest() == find_rule(TABLES[boards], 9, boards).digest()
    else:
        assert rule.is_formula and rule.own_name == FORMULA
