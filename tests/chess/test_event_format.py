"""Formats of events: what each allows, what it works out, and the way to a file and back."""

import pytest

from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, from_dict, load_config, to_dict
from tb2learn.types import InputError


def test_what_is_new_is_written_only_where_it_is_used():
    """Files of Swiss events stay what they were."""
    written = to_dict(Config("swiss", event=EventFormat()))["event"]
    assert written == {"teams": 180, "rounds": 11, "boards": 4, "pairing": "median-swiss"}
    config = load_config("round-robin-12")
    assert from_dict(to_dict(config)) == config
    assert to_dict(config)["event"]["format"] == "round-robin"


REFUSED = {
    "event.repeats must be 1..1, got 2": lambda: EventFormat(repeats=2),
    "event.repeats must be 1..8, got 9": lambda: EventFormat(format="round-robin", repeats=9),
    "rounds must be 22 in this round-robin of 12 teams, got 11": lambda: EventFormat(
        12, 11, format="round-robin", repeats=2
    ),
    "rounds must be 13 in this round-robin of 13 teams, got 12": lambda: EventFormat(
        13, 12, format="round-robin"
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message):
    with pytest.raises(InputError, match=message):
        REFUSED[message]()


def test_rules_are_for_few_enough_rounds():
    EventFormat(16, 15, format="round-robin").check_one_table("training")
    with pytest.raises(InputError, match=r"training is for events of at most 15 rounds: .* got 19"):
        EventFormat(20, 19, format="round-robin").check_one_table("training")


def test_the_pairing_of_the_thesis_has_two_names():
    """Checkpoints of version 1 hold the second one."""
    assert EventFormat(pairing="thesis") == EventFormat(pairing="median-swiss") == EventFormat()
