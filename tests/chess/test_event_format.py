"""Formats of events: what each allows, what it works out, and the way to a file and back."""

import pytest

from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.config import Config, from_dict, load_config, to_dict
from tb2learn.types import InputError

EXAMPLE = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))


def test_what_is_new_is_written_only_where_it_is_used():
    """Files of Swiss events stay what they were."""
    written = to_dict(Config("swiss"))["event"]
    assert written == {"teams": 180, "rounds": 11, "boards": 4, "pairing": "median-swiss"}
    for name in ("round-robin-12", "multi-tier-20"):
        config = load_config(name)
        assert from_dict(to_dict(config)) == config
        assert to_dict(config)["event"]["format"] == config.event.format


def test_sizes_of_the_examples_of_the_source():
    """20 players in tiers of 8 each; 37 in 3 groups of 10 and a tier of 10."""
    event = EventFormat(20, 21, 1, format="multi-tier", tiers=EXAMPLE)
    assert (event.tier_sizes, event.tier_rounds) == ((8, 8, 8), (7, 7, 7))
    tiers = (Tier(30, groups=3), Tier(7))
    event = EventFormat(37, 36, 1, format="multi-tier", tiers=tiers, repeats=2)
    assert (event.tier_sizes, event.tier_rounds) == ((30, 10), (18, 18))
    assert load_config("multi-tier-20").event.tiers == EXAMPLE


def final(teams=20, rounds=13, finalists=4):
    return EventFormat(teams, rounds, 1, format="swiss-final", finalists=finalists, repeats=2)


def multi_tier(*tiers, teams=20, rounds=21, **more):
    return EventFormat(teams, rounds, 1, format="multi-tier", tiers=tiers, **more)


REFUSED = {
    "event.repeats must be 1..1, got 2": lambda: EventFormat(repeats=2),
    "event.repeats must be 1..8, got 9": lambda: EventFormat(format="round-robin", repeats=9),
    "event.tiers are for format 'multi-tier', got 'swiss'": lambda: EventFormat(tiers=EXAMPLE),
    "rounds must be 22 in this round-robin of 12 teams, got 11": lambda: EventFormat(
        12, 11, format="round-robin", repeats=2
    ),
    "rounds must be 13 in this round-robin of 13 teams, got 12": lambda: EventFormat(
        13, 12, format="round-robin"
    ),
    "event.tiers must list the tiers": multi_tier,
    "must add up to event.teams, got 18": lambda: multi_tier(Tier(8, promoted=2), Tier(10)),
    r"groups of the last of event.tiers must be 1\.\.1, got 2": lambda: multi_tier(
        Tier(8, promoted=2), Tier(12, groups=2)
    ),
    r"tiers\[0\].groups must divide its 8 teams into two or more each, got 3": lambda: multi_tier(
        Tier(8, groups=3), Tier(12)
    ),
    r"tiers\[0\].promoted must be 1\.\.7, got 8": lambda: multi_tier(
        Tier(8, promoted=8), Tier(12)
    ),
    "rounds must be 21 in this multi-tier of 20 teams, got 20": lambda: multi_tier(
        *EXAMPLE, rounds=20
    ),
    "event.finalists are for format 'swiss-final', got 'swiss'": lambda: EventFormat(finalists=4),
    "event.teams must be even in a swiss-final, got 19": lambda: final(teams=19),
    r"event.finalists must be 2\.\.20, got 1": lambda: final(finalists=1),
    r"event.rounds must be 1\.\.15 more than the 6 of the final, got 0": lambda: final(rounds=6),
    r"event.rounds must be 1\.\.15 more than the 6 of the final, got 16": lambda: final(rounds=22),
    r"event.rounds must be 1\.\.5 more than the 6 of the final, got 6": lambda: final(6, 12),
    r"event.tiers.promoted must be 1\.\.1000, got 0": lambda: Tier(2, promoted=0),
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
