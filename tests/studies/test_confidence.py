"""The rules whose confidence is shipped."""

import pytest

from tb2learn.catalogue import find_confidence, find_rule
from tb2learn.config import load_config
from tb2learn.studies.confidence.measure import SHIPPED


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda one: one.worlds[0])
def test_every_shipped_rule_has_a_map_for_its_format(shipped):
    event = load_config(shipped.worlds[0]).event
    for name in shipped.rules:
        rule = find_rule(name, event.rounds, event.boards)
        confidence = find_confidence(name, rule)  # refuses a map of other numbers
        assert confidence.provenance["worlds"] == list(shipped.worlds)
        assert {row["world"] for row in confidence.provenance["judged"]} == {
            *shipped.worlds,
            *shipped.others,
        }
