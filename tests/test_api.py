"""The public API: the command line's numbers as DataFrames."""

import csv
import dataclasses
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from helpers import ROOT, slow_after

import tb2learn as tb
from tb2learn.cli import main
from tb2learn.config import from_dict
from tb2learn.forecasts.request import compared_lists
from tb2learn.forecasts.state import begin
from tb2learn.report.assessment import assessment_table

WORLD = from_dict(
    {
        "name": "nine",
        "event": {"teams": 9, "rounds": 4, "boards": 2},
        "train": {"events": 40, "held_out": 10},
    }
)


@pytest.fixture(scope="module")
def baku():
    return tb.load_event("baku2016")


@pytest.fixture(scope="module")
def model():
    return tb.train(WORLD)


def as_json(capsys, *arguments):
    assert main(list(arguments)) == 0
    return json.loads(capsys.readouterr().out)


# --- lazy


@pytest.mark.thorough
def test_arguments_that_are_none_are_refused_by_name(tmp_path):
    script = Path(__file__).with_name("bad_arguments.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", tb.__all__)
def test_every_public_name_is_documented_and_there(name):
    assert name in dir(tb) and (getattr(tb, name).__doc__ or "").strip()


# --- events ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "options", "arguments"),
    slow_after(
        2,
        [
            (
                ["mp", "product", "gp"],
                {"unplayed": "fide2026", "after": 7},
                ["--tiebreaks", "mp,product,gp", "--unplayed", "fide2026", "--after", "7"],
            ),
            ("product", {"weakest": "fewest-game-points"}, ["--weakest", "fewest-game-points"]),
            ("product", {}, []),
            ("uniform-180x11", {}, ["--tiebreak", "uniform-180x11"]),
        ],
    ),
)
def test_rank_is_the_command(baku, capsys, by, options, arguments):
    content = as_json(capsys, "rank", "baku2016", *arguments, "--format", "json")
    frame = tb.rank(baku, by, **options)
    pd.testing.assert_frame_equal(frame, pd.DataFrame(content.pop("rows")), check_dtype=False)
    assert frame.attrs == content


@pytest.mark.parametrize("by", ["emgsb", tb.rule("mine", lambda event: event.half_points), None])
def test_explain_has_the_places_of_rank(baku, by):
    frame, teams = tb.explain(baku, ["Norway", "Turkey"], by), ["Norway", "Turkey"]
    places = tb.rank(baku, by).set_index("team").place[teams].to_dict()
    assert {team: row["place"] for team, row in frame.attrs["standings"].items()} == places
    shown = {"emgsb"} if by == "emgsb" else {"mine"} if by else {"product", "tb4"}
    assert set(frame.rule) == shown
    with pytest.raises(tb.InputError, match="at least one team"):
        tb.explain(baku, [], by)


def test_explain_and_compare_are_the_commands(baku, capsys):
    frame = tb.explain(baku, ["Norway", "Turkey"], ["product", "learned"])
    assert frame["pass"].groupby(frame.rule).max().to_dict() == {"learned": 3, "product": 1}
    kept = frame[~frame.left_out & (frame.rule == "product")].groupby("team").value.sum()
    assert kept.to_dict() == {t: x["product"] for t, x in frame.attrs["totals"].items()}
    content = as_json(
        capsys, "explain", "baku2016", "Norway", "Turkey", "--tiebreaks", "product,learned",
        "--format", "json",
    )  # fmt: skip
    pd.testing.assert_frame_equal(frame, pd.DataFrame(content.pop("rows")), check_dtype=False)
    assert frame.attrs == content
    frame = tb.compare(baku, "emmsb")
    content = as_json(capsys, "compare", "baku2016", "--tiebreak", "emmsb", "--format", "json")
    pd.testing.assert_frame_equal(frame, pd.DataFrame(content.pop("teams")), check_dtype=False)
    assert frame.attrs == content and len(content["ratings"]) == 4
    places = tb.rank(baku, "emmsb").set_index("team").place
    assert (places[frame.team].to_numpy() == frame.new_place).all()


@pytest.mark.parametrize("name", ["armstrong2011", "open.trf", "crosstable.html", "olympiad.trf"])
def test_compare_begins_with_the_order_of_rank(name):
    """A league, FIDE's list for players, a page's own list, the Olympiad's order."""
    source = name if name == "armstrong2011" else ROOT / "examples" / name
    standings, compared = tb.rank(source), tb.compare(source)
    who = "player" if "player" in standings else "team"
    assert compared[who].tolist() == standings[who].tolist()
    assert compared.old_place.tolist() == standings.place.tolist()
    assert compared.attrs["old_rule"] == standings.attrs["rule"]
    assert compared.attrs["order"] == standings.attrs["order"]
    assert len(tb.plot(compared).axes) == 3


def test_forecasts_rank_by_the_list_of_the_file():
    event = tb.load_event(ROOT / "examples/team-swiss.trf")
    listed = dataclasses.replace(event, about={**event.about, "tiebreaks": "MPTS,GPTS,DE"})
    orders = compared_lists(begin(listed))
    assert [*orders] == ["list", "learned"]
    assert [one.name for one in orders["list"]] == ["mp", "gp", "direct"]
    assert [*compared_lists(begin(event))] == ["product", "learned"]


def test_a_packaged_event_cannot_be_changed(baku):
    with pytest.raises(TypeError):
        baku.about["start"] = "2022-01-01"
    with pytest.raises(dataclasses.FrozenInstanceError):
        baku.name = "other"
    frame = baku.frame("teams")
    frame.loc[0, "team"] = "x"
    assert tb.load_event("baku2016").frame("teams").team[0] != "x"
    assert pickle.loads(pickle.dumps(baku)) == baku


def test_what_has_no_figure_is_refused_and_tables_have_one():
    for result in (tb.load_rule("formula"), pd.DataFrame(), "learned"):
        with pytest.raises(tb.InputError):
            tb.plot(result)
    titles = [
        tb.plot(tb.load_rule(name)).axes[0].get_title(loc="left")
        for name in ("learned-38x9", "olympiad-180x11")
    ]
    assert titles == ["learned-38x9, own MP 15, pass 3", "olympiad-180x11, own MP 18"]
    table = tb.load_rule("learned-38x9")
    assert "own MP 0" in tb.plot(table, own_mp=0).axes[0].get_title(loc="left")
    for result, own in ((table, 19), (pd.DataFrame({"old_place": []}), 3)):
        with pytest.raises(tb.InputError, match="own_mp"):
            tb.plot(result, own_mp=own)


def test_configurations_from_keywords():
    """A world to train for today, named by what it is; whole tables stay what they are."""
    made = tb.Config(teams=48, rounds=7, low=2000, high=2500, surface={"steps": 7})
    assert made.name == "swiss-48x7" and "48 teams, 7 rounds, 4 boards" in made.description
    assert (made.event.teams, made.event.pairing) == (48, "olympiad-2022")
    assert (made.field.low, made.field.high, made.surface.steps) == (2000, 2500, 7)
    assert made.train.objective == "decisions"
    wide = tb.Config(teams=60, rounds=9, boards=6, objective="formula", pairing="dutch")
    assert wide.name == "swiss-60x9-6boards" and wide.event.pairing == "dutch"
    assert wide.train.objective == "formula"
    assert tb.Config(teams=9, boards=1, rounds=5).event.pairing == "dutch"
    league = tb.Config(teams=9, format="round-robin", repeats=2)
    assert (league.name, league.event.rounds) == ("round-robin-9x18", 18)
    mine = tb.Config("mine", event=WORLD.event, seed_noise=50)
    assert mine.event == WORLD.event and mine.field.seed_noise == 50 and mine.name == "mine"
    whole = tb.Config("nine", event=WORLD.event, train=WORLD.train)
    assert whole == WORLD and pickle.loads(pickle.dumps(whole)) == dataclasses.replace(WORLD)
    for keys, message in (
        ({"nope": 1}, "nope is no key"),
        ({"knots": 1}, "surface and decisions"),
        ({"teams": "48"}, "event.teams must be int"),
        ({"surface": {"nope": 1}}, "unknown key surface.nope"),
        ({"teams": 48, "rounds": 48}, "event.rounds must be"),
    ):
        with pytest.raises(tb.InputError, match=message):
            tb.Config(**keys)


def test_check_finds_what_the_command_finds(capsys):
    path = str(Path(__file__).parent / "events/formats/files/totals-differ.trf")
    frame = tb.check(path)
    assert main(["check", path, "--format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert frame.to_dict("records") == content.pop("findings") and len(frame) > 0
    assert frame.attrs == content
    assert len(tb.check("baku2016")) == 0


# --- rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uniform-180x11", "olympiad-180x11", "product"])
def test_a_frame_has_the_entries_of_the_tables(name):
    rule = tb.load_rule(name)
    frame = rule.frame()
    assert len(frame) == rule.tables.size
    for row in frame.sample(50, random_state=1).itertuples(index=False):
        number, own, opponent, gp, points = row
        column = rule.columns.index(opponent)
        assert rule.tables[number - 1, own, column, int(2 * gp)] == points


# --- training and assessment ----------------------------------------------------------------------


@pytest.mark.thorough
def test_assess_judges_what_is_asked(model):
    found = tb.assess([model, "buchholz", "true-opponents"], events=16)
    assert found.config == WORLD and found.seed == 1
    assert found.frame.rule.unique().tolist() == ["product", "nine", "buchholz", "true-opponents"]
    rows = json.loads(assessment_table(found).json())["rows"]
    records = found.frame.astype(object).where(found.frame.notna(), None).to_dict("records")
    assert rows == [pytest.approx(row) for row in records]


# --- export ---------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_export_writes_what_the_command_writes(tmp_path, model, capsys):
    paths = tb.export_rule("learned-38x9", tmp_path / "api", formats=["csv", "json"], language="hu")
    assert [path.name for path in paths] == ["learned-38x9.hu.csv", "learned-38x9.hu.json"]
    arguments = ["export", "learned-38x9", "--out", str(tmp_path / "cli"), "--lang", "hu"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "cli" / path.name) for path in paths]
    for path in paths:
        assert path.read_bytes() == (tmp_path / "cli" / path.name).read_bytes()
    (path,) = tb.export_rule(model, tmp_path, formats="html")
    assert path == tmp_path / "nine.html" and "nine" in path.read_text()


# --- frames, lists and short forms ----------------------------------------------------------------


def test_an_event_from_frames_is_that_of_its_files():
    folder = Path(tb.__file__).parent / "data" / "etcc2011"
    frames = {name: pd.read_csv(folder / f"{name}.csv") for name in ("matches", "teams", "event")}
    whole = tb.load_event("etcc2011")
    pd.testing.assert_frame_equal(tb.rank(tb.load_event(frames)), tb.rank(whole))
    alone = tb.load_event(frames["matches"])
    assert tb.rank(alone, "product").team.tolist() == tb.rank(whole, "product").team.tolist()
    for bad, message in (
        ({"x": frames["teams"]}, "source must be one of matches, teams"),
        ({"matches": 3}, "a dict of DataFrames, got 3"),
        (frames["matches"][:0], "at least one row"),
    ):
        with pytest.raises(tb.InputError, match=message):
            tb.load_event(bad)


def test_what_is_shown_of_an_object_is_a_line(baku, model):
    assert (
        repr(baku) == "<TeamEvent 42nd Chess Olympiad, Baku 2016: 176 teams, 4 boards, 11 rounds>"
    )
    hostile = dataclasses.replace(baku, name="<b>&")
    assert "&lt;b&gt;&amp;" in hostile._repr_html_() and "Norway" not in repr(hostile)
    assert repr(tb.load_rule("learned")).startswith("<Rule learned (rosters-180x11): 11 rounds")
    assert repr(model).startswith("<Checkpoint nine: ") and len(repr(model)) < 120
    assert repr(tb.simulate(WORLD, events=2)).startswith("<SimulatedEvents ")


def test_names_and_pairings_are_those_of_the_commands(capsys):
    for function, what in (
        (tb.packaged_events, "events"),
        (tb.rules, "rules"),
        (tb.worlds, "worlds"),
    ):
        assert main(["list", what, "--format", "csv"]) == 0
        assert function().name.tolist() == [
            row["name"] for row in csv.DictReader(capsys.readouterr().out.splitlines())
        ]
    assert main(["pair", "samarkand2026w", "--after", "4", "--format", "csv"]) == 0
    rows = [*csv.DictReader(capsys.readouterr().out.splitlines())]
    frame = tb.pair("samarkand2026w", after=4)
    assert [row["team_a"] for row in rows] == frame.team_a.tolist()
