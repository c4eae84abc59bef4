"""The rules whose confidence is shipped, the worlds it is fitted in, and the report on it."""

import json
from pathlib import Path

import pandas as pd
import pytest

from tb2learn.catalogue import find_confidence
from tb2learn.config import load_config
from tb2learn.studies.confidence.mixtures import NOISE, SHIPPED, SHOCKS, Mixture

REPORT = Path(__file__).parents[2] / "reports" / "confidence"


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda one: one.worlds[0])
def test_every_shipped_rule_has_the_map_of_the_report(shipped):
    maps = json.loads((REPORT / "confidence.json").read_text())
    told = {one["rule"]: one for one in maps if one["worlds"] == list(shipped.parts())}
    assert list(told) == list(shipped.rules)
    for rule in shipped.found():
        confidence, known = find_confidence(rule.name, rule), told[rule.name]
        assert (confidence.digest, confidence.scale.tolist()) == (known["digest"], known["scale"])
        assert confidence.provenance["worlds"] == known["worlds"]
        assert {one["world"] for one in known["judged"] if not one["fitted"]} == {*shipped.others}


@pytest.mark.parametrize("top", ["10", "all"])
def test_what_is_stated_is_true_within_two_points(top):
    """In every class of every shipped rule, on events that were not fitted."""
    found = pd.read_csv(REPORT / "classes.csv", dtype={"top": str})
    found = found[(found["world"] == "the mixture") & (found["top"] == top)]
    assert len(found) == 7 * sum(len(shipped.rules) for shipped in SHIPPED)
    assert (found["stated"] - found["observed"]).abs().max() < 0.02


def test_a_world_is_spread_over_seeds_and_days():
    one = Mixture(["product"], ["fitted-180x11"], ["shock-180x11", "real-180x11"])
    parts = one.parts().values()
    worlds = {
        (part.field.seed_noise, part.field.rating_noise, part.game.day_shock) for part in parts
    }
    inf = float("inf")
    assert len(one.parts()) == len(parts) == len(worlds)
    assert worlds == {(*pair, day) for pair in ((inf, NOISE), (NOISE, inf)) for day in SHOCKS}
    own = load_config("fitted-180x11")
    assert {(part.event, part.field.event, part.game.model) for part in parts} == {
        (own.event, own.field.event, own.game.model)
    }
    # Ratings are published in all worlds, so that rules that look at them can be judged there.
    assert all(config.field.published for config in (*parts, *one.beside().values()))
    assert one.beside()["shock-180x11"].field.seed_noise == inf
    assert one.beside()["real-180x11"] == load_config("real-180x11")
    assert one._replace(spread=False).parts() == {"fitted-180x11": own}
