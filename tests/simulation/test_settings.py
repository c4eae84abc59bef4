"""A setting finds compiled programs and kept things: others never share them."""

import dataclasses
from dataclasses import replace

import pytest

from tb2learn.assessment.ideal import kept_name
from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig, Setting, load_config
from tb2learn.simulation.purposes import EventRange, Purpose

EVENTS = EventRange(1, Purpose.ASSESS, 3)

MIXED = FieldConfig("mixture", event="baku2016")
LEAGUE = EventFormat(6, 5, format="round-robin")

CHANGES = {
    EventFormat: [
        (EventFormat(9, 4, 2), {"teams": 10, "rounds": 5, "boards": 3, "pairing": "dutch"}),
        (EventFormat(6, 5), {"format": "round-robin"}),
        (EventFormat(6, 10, format="round-robin", repeats=2), {}),
        (LEAGUE, {}),
    ],
    FieldConfig: [
        (MIXED, {"low": 1701.0, "high": 2801.0, "player_sd": 62.8, "event": "batumi2018"}),
        (MIXED, {"ratings": (2100.0,), "share": 0.25, "seed_noise": 50.0, "rating_noise": 50.0}),
        (MIXED, {"kind": "rosters"}),
        (MIXED, {"kind": "uniform", "seed_noise": (30.0, 80.0)}),
    ],
    GameConfig: [(GameConfig(), {"tail": "literal", "model": "fitted", "day_shock": 1e-9})],
}  # fmt: skip
"""Other values of every field, one at a time, of parts in which they are allowed."""


def parts(kind):
    """All parts of a kind that `CHANGES` names."""
    for base, changes in CHANGES[kind]:
        yield base
        yield from (replace(base, **{name: value}) for name, value in changes.items())


def settings():
    """Settings that differ in any one field."""
    yield from (Setting(event, MIXED) for event in parts(EventFormat))
    yield from (Setting(CHANGES[EventFormat][0][0], field) for field in parts(FieldConfig))
    yield from (Setting(CHANGES[EventFormat][0][0], MIXED, game) for game in parts(GameConfig))


@pytest.mark.parametrize("kind", CHANGES)
def test_every_field_is_changed(kind):
    changed = {name for _, changes in CHANGES[kind] for name in changes}
    if kind is EventFormat:  # those of a round robin follow from one another
        changed.add("repeats")
    assert changed == {field.name for field in dataclasses.fields(kind)}
    assert [field.name for field in dataclasses.fields(Setting)] == ["event", "field", "game"]


def test_settings_that_differ_in_any_one_field_share_no_key():
    distinct = list(dict.fromkeys(settings()))
    # Bases stand several times; of the others no two are equal.
    assert len(distinct) == len({repr(setting) for setting in settings()}) == 22
    names = {kept_name(setting, EVENTS) for setting in distinct}
    assert len(names) == len(distinct)
    changes = {"seed": 2, "purpose": Purpose.CHOOSE, "events": 4, "first": 1}
    others = {
        kept_name(distinct[0], replace(EVENTS, **{name: value})) for name, value in changes.items()
    }
    assert len(others - names) == len(dataclasses.fields(EVENTS)) == 4


def test_equal_settings_share_their_keys_whatever_they_are_called():
    config = Config("a", event=EventFormat(9, 4, 2), field=FieldConfig(low=2000))
    again = replace(config, name="b", description="x", train=replace(config.train, seed=9))
    assert again != config and again.setting == config.setting
    assert hash(again.setting) == hash(config.setting)


def test_parts_that_are_not_seen_are_as_usual():
    config = Config("a", event=LEAGUE, field=MIXED, game=GameConfig(day_shock=9))
    assert config.setting.only("event", "game") == Setting(LEAGUE, game=config.game)
    assert config.setting.only() == Setting()


@pytest.mark.parametrize(
    ("world", "digest"),
    [
        ("small-20x7", "bd7281194ba573bd"),
        ("round-robin-12", "dcaf9a9eb0797198"),
        ("dutch-100x9", "08422688419f1b6e"),
        ("real-180x11", "9590fd612d335422"),
    ],
)
def test_what_was_kept_is_found_again(world, digest):
    """Only another `NUMBERS` of the version may change these."""
    name = kept_name(load_config(world).setting, replace(EVENTS, events=5000))
    assert name.startswith(f"ideal-{digest}")
