"""Configurations: TOML in, every error by name, and the way back."""

import dataclasses
import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from helpers import tracked
from hypothesis import given
from hypothesis import strategies as st

from tb2learn.config import (
    Config,
    EventFormat,
    FieldConfig,
    Objective,
    assumed,
    check_name,
    from_dict,
    load_config,
    load_world,
    to_dict,
    to_toml,
)
from tb2learn.types import InputError

RATED = "armstrong2011, baku2016, baku2016w, batumi2018, batumi2018w, istanbul2012w"
HUGE = "1" + 400 * "0"
ENDLESS = "1" + 5000 * "0"  # more digits than Python turns into an integer


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        path = tmp_path / "some.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return load_config(path)

    return load_text


# --- what is refused ------------------------------------------------------------------------------

NO_TOML = [
    ("", "missing key name"),
    ("name = 5", "name must be str, got 5"),
    ("bogus = 1", "unknown key bogus; allowed: name, description, event, field, game, train, surf"),
    (
        'description = "a\\nb"',
        "description must be one line of at most 500 characters, got 'a\\nb'",
    ),
    ("description = 1979-05-27", "description must be str, got datetime.date(1979"),
    ("[[worlds]]\n" * 21, "worlds must be at most 20, got 21"),
    ("a." * 5000 + "a = 1", "nesting too deep"),
    ("other = ['a' . b." + "'c'." * 14 + "d]", "nesting too deep"),
    ("#" * 2**20 + "\n", "must be at most 1048576 bytes, has more"),
    (b'name = "Gr\xf6\xdfe"', "cannot be read: not UTF-8 text"),
    (b"\0", "not valid TOML: "),
    ("other = " + 100_000 * "[", ""),
    (f"[event]\nteams = [0x{ENDLESS}]", ""),
    (f"[field]\nlow = 0x{ENDLESS}", ""),
]
"""Whole files, and what is said of them."""

WRONG = {
    "event": [
        ("bogus = 1", "unknown key event.bogus; allowed: teams, rounds, boards, pairing"),
        ("teams = 1", "event.teams must be 2..1000, got 1"),
        ("teams = 5\nrounds = 5", "event.rounds must be 1..teams-1 = 1..4, got 5"),
        ("teams = true", "event.teams must be int, got True"),
        ('pairing = "monrad"', "event.pairing must be one of thesis, median-swiss"),
        (
            'boards = 5\n[field]\nkind = "rosters"\nevent = "baku2016"',
            "event.boards must be 1..4 with the rosters of baku2016, got 5",
        ),
    ],
    "field": [
        (
            "mean = 5",
            "unknown key field.mean; allowed: kind, low, high, player_sd, event, "
            "ratings, seed_noise, share, rating_noise",
        ),
        ("low = 1700.4", "field.low must be a whole number of rating points, got 1700.4"),
        ("low = 2801", "field.high must be low..4000, got 2800"),
        (f"player_sd = {HUGE}", "field.player_sd must be a number, got '1000"),
        (
            "seed_noise = 50\nrating_noise = 50",
            "field.rating_noise is for random seeds (field.seed_noise = inf): other seeds are made",
        ),
        ("seed_noise = -50", "field.seed_noise must be 0..16000 or inf, got -50"),
        ("seed_noise = [80, 30]", "field.seed_noise[1] must be 80..4000, got 30"),
        ("kind = [1]", "field.kind must be one of uniform, rosters, ratings, mixture, got [1]"),
        (
            'kind = "rosters"\nevent = "../x\\n"',
            f"field.event must name a packaged event ({RATED}) when field.kind is 'rosters', "
            "got '../x\\n'",
        ),
        ('kind = "ratings"', "field.ratings must list a rating a team"),
        (
            'kind = "ratings"\nratings = [2000, 2100]',
            "field.ratings must list event.teams = 180 ratings, got 2",
        ),
        ("ratings = [2000, nan]", "field.ratings[1] must be 0..4000, got nan"),
    ],
    "game": [
        ('tail = "fat"', "game.tail must be one of literal, consistent, got 'fat'"),
    ],
    "train": [
        ("events = 0", "train.events must be 1.."),
        ("seed = 4294967296", "train.seed must be 0.."),
        ('law = "both"', "train.law must be one of exact, sampled, got 'both'"),
        ('objective = "all"', f"train.objective must be one of {', '.join(get_args(Objective))}"),
    ],
    "surface": [
        ("knots = 31", "surface.knots must be 1..30, got 31"),
        ("learning_rate = inf", "surface.learning_rate must be 1e-06..10, got inf"),
    ],
    "decisions": [
        ("passes = 0", "decisions.passes must be 1..5, got 0"),
        ("steps = 3", "decisions.steps is no longer used: it must be left out or 0, got '3'"),
        ("ratings = 40", "unknown key decisions.ratings; allowed: passes, knots, smoothness, fair"),
    ],
}
"""Keys of a table: every way to be wrong of one key of each kind, one way of the others."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *NO_TOML,
        *((f"[{table}]\n{line}", said) for table in WRONG for line, said in WRONG[table]),
    ],
    ids=lambda value: ascii(value[:40]),
)
def test_errors(text, message, load, tmp_path):
    if isinstance(text, str) and text and text != "name = 5":
        text = f'name = "x"\n{text}'
    with pytest.raises(InputError) as caught:
        load(text)
    # One line that names the file, the key, what is allowed and what came.
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'some.toml'}: {message}")
    assert "\n" not in said and len(said) < 500


# --- finding the file -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "-", "x" * 101, "a b", "x\n", "é", "¹"])
def test_bad_names(name):
    with pytest.raises(InputError, match=r"^name must be 1\.\.100 ASCII letters, .*, got "):
        from_dict({"name": name})
    with pytest.raises(InputError, match=r"^surface must be 1\.\.100 ASCII letters"):
        check_name("surface", name)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A working directory with a configuration in its folder."""
    monkeypatch.chdir(tmp_path)
    Path("configs").mkdir()
    Path("configs/mine.toml").write_text('name = "in-folder"')


@pytest.mark.parametrize(
    "source",
    ["none", "configs/none.toml", "/none/none.toml", "", ".", "some.txt", 300 * "x", "a\0b"],
)
def test_missing_file(source, mine):
    Path("some.txt").write_text('name = "text"')
    with pytest.raises(InputError, match=r"no such \.toml file, and no name in configs/: .*mine"):
        load_config(source)


# --- the way back ---------------------------------------------------------------------------------

RECIPES, WORLDS = tracked("configs/recipes/*.toml"), tracked("configs/worlds/*.toml")
COMMITTED = RECIPES + WORLDS


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_committed_configs(path):
    config = load_config(path)
    assert config.name == path.stem and config.description
    # Through JSON, which knows neither infinity nor tuples.
    again = from_dict(json.loads(json.dumps(to_dict(config), allow_nan=False)))
    assert config == again and hash(config) == hash(again)
    # By its name a recipe goes before a world, and a world before a recipe where one is asked for.
    named = load_config(path.stem) if path in RECIPES else load_world(path.stem)[0]
    assert named == config
    # Through TOML; what its objective ignores is left out.
    ignored = "decisions" if config.train.objective == "difficulty" else "surface"
    printed = from_dict(tomllib.loads(to_toml(config)))
    assert dataclasses.replace(printed, **{ignored: getattr(config, ignored)}) == config


def test_every_world_is_another_one_and_every_recipe_plays_in_one():
    configs = [load_config(path) for path in WORLDS]
    worlds = {config.setting: config.name for config in configs}
    assert len(worlds) == len(WORLDS) == 12
    plans = {path.stem: load_config(path) for path in RECIPES}
    assert {path.stem for path in tracked("checkpoints/*.npz")} <= plans.keys()
    for name, recipe in plans.items():
        assert recipe.setting in worlds
        # What a recipe shares its name with is what it plays.
        assert name not in worlds.values() or worlds[recipe.setting] == name
    for config in configs:
        assert ("rosters" in config.description.lower()) == config.field.resamples


def test_a_recipe_stands_for_its_world_and_says_so(tmp_path):
    world, note = load_world("rosters-180x11")
    assert world.setting == load_world("olympiad-180x11")[0].setting
    assert note.startswith("rosters-180x11 is the recipe of a table")
    assert load_world("olympiad-180x11")[1] == load_world("seeded-180x11")[1] == ""
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nworld = "seeded-180x11"\n[train]\nevents = 7')
    mine = load_config(path)
    assert mine.setting == load_config("seeded-180x11").setting and mine.train.events == 7
    for text, message in (
        ('world = "none"', "world must be the name of a shipped world, got 'none'"),
        ('world = "../mine"', "world must be 1..100 ASCII letters"),
        ("world = 3", "world must be 1..100 ASCII letters"),
        ('world = "small-20x7"\n[game]', "world is instead of event, field, game, got game, too"),
    ):
        path.write_text(f'name = "mine"\n{text}')
        with pytest.raises(InputError, match=re.escape(message)):
            load_config(path)


def test_files_tables_and_keys_say_the_same(tmp_path):
    """What they leave open is as today; a checkpoint's header leaves open what was so then."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[event]\nteams = 60\nboards = 6\n[decisions]\nfairness = 3')
    tables = {"event": {"teams": 60, "boards": 6}, "decisions": {"fairness": 3}}
    described = {"description": ""}
    world = Config("mine", **tables)
    assert world == load_config(path) == Config("mine", teams=60, boards=6, fairness=3, **described)
    assert (world.event.pairing, world.decisions.aim) == ("olympiad-2022", "ideal")
    old = from_dict({"name": "mine", **tables})
    assert (old.event.pairing, old.decisions.aim) == ("median-swiss", "equal")
    league = Config("league", event={"format": "round-robin", "teams": 7})
    assert league.event.rounds == 7 and Config("x").event.pairing == "olympiad-2022"


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["inf", "nan", "uniform", 10**400]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.sampled_from(COMMITTED), st.data())
def test_any_value_is_accepted_or_refused(path, data):
    # One value of a valid configuration is replaced by anything that JSON can say.
    changed = to_dict(load_config(path))
    table = changed
    while True:
        key = data.draw(st.sampled_from(sorted(table)))
        if not isinstance(table[key], dict) or data.draw(st.booleans()):
            break
        table = table[key]
    table[key] = data.draw(json_values)
    try:
        again = from_dict(changed)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert from_dict(to_dict(again)) == again


def test_files_from_before_some_keys_are_read_and_written_as_they_were():
    """Worlds and fairness are written if given; keys of version 1 always, with their one value."""
    values = {"name": "x", "train": {"objective": "decisions"}}
    plain = to_dict(from_dict(values))
    assert "worlds" not in plain and "fairness" not in plain["decisions"]
    assert plain["decisions"]["steps"] == 0 and plain["decisions"]["reduced"] is False
    worlds = [{"weight": 0.5, "field": {"seed_noise": 50}, "game": {"model": "fitted"}}]
    config = from_dict(values | {"worlds": worlds, "decisions": {"fairness": 3}})
    assert config.worlds[0].field.seed_noise == 50.0 and config.worlds[0].weight == 0.5
    assert from_dict(json.loads(json.dumps(to_dict(config)))) == config


def test_a_penalty_on_seed_bias_aims_at_the_ideal(tmp_path):
    """In a file that does not say at what, and in a world to train for; a checkpoint aimed at 0."""
    path = tmp_path / "x.toml"

    def aim(decisions):
        path.write_text(f'name = "x"\n[train]\nobjective = "decisions"\n{decisions}')
        config = load_config(path)
        path.write_text(to_toml(config))
        assert load_config(path).decisions == config.decisions
        return config.decisions.aim

    assert aim("[decisions]\nfairness = 3") == "ideal"
    assert aim('[decisions]\nfairness = 3\naim = "equal"') == "equal"
    assert aim("[decisions]\npasses = 2") == aim("") == "equal"
    assert load_config("fair-180x11").decisions.aim == "equal"
    assert Config(teams=60, fairness=3).decisions.aim == "ideal"
    assert Config(teams=60, fairness=3, aim="equal").decisions.aim == "equal"
    old = {"name": "x", "train": {"objective": "decisions"}, "decisions": {"fairness": 3}}
    assert from_dict(old).decisions.aim == "equal"
    path.write_text('name = "x"\ndecisions = 3\n')
    with pytest.raises(InputError, match="decisions"):
        load_config(path)


def test_what_is_assumed_of_given_ratings():
    field = FieldConfig("ratings", ratings=(2100.0, 2350.0, 2200.0), seed_noise=50.0)
    said = assumed(Config("league", event=EventFormat(3, 2, 4), field=field))
    assert said.endswith("; given ratings (2100 to 2350) seeded with an error of 50 points")
