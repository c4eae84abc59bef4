"""Worlds by name, and the table of several of them."""

import dataclasses

import pytest
from assess_samples import CONFIG, random_table

from studies import worlds
from studies.worlds import Cell, grid
from tb2learn.assessment.error_rates import assess
from tb2learn.tiebreaks.rules import product_table


def test_worlds_have_their_names_and_ratings_of_their_events():
    known = worlds.known_worlds()
    assert all(worlds.load_config(name) is config for name, config in known.items())
    assert worlds.load_config("small-20x7").event.teams == 20  # a file of the package
    samarkand = known[worlds.SAMARKAND].field.ratings
    assert (len(samarkand), samarkand[0], samarkand[-1]) == (188, 2466, 1400)
    means = [sum(known[name].field.ratings) / known[name].event.teams
             for name in ("dutch-50x6", "individual-100x9", "dutch-150x10")]  # fmt: skip
    assert means == pytest.approx([2000] * 3, abs=3)


@pytest.mark.thorough
def test_a_grid_is_the_assessments_of_its_worlds():
    near = dataclasses.replace(CONFIG, field=dataclasses.replace(CONFIG.field, seed_noise=60.0))
    table = random_table()
    cells = [Cell("random", CONFIG, [table], 8), Cell("near", near, [table, "game-points"], 8)]
    frame = grid(cells, 3, ["random", "game-points"], progress=False)
    assert frame["world"].unique().tolist() == ["random", "near"]
    alone = assess(near, [product_table(5, 2), table], 8, 3).frame
    inside = frame[(frame["world"] == "near") & (frame["rule"] != "game-points")]
    # A grid compares with the rules that it is asked for, an assessment with today's; who stands in
    # front at all is in an assessment alone.
    for name in (column for column in alone if "than_" not in column and "front" not in column):
        assert inside[name].tolist() == pytest.approx(alone[name].tolist(), nan_ok=True), name
    # A comparison with a rule that a world does not have is missing there.
    assert frame["than_game-points"].isna().tolist() == [True] * 10 + [False] * 15
