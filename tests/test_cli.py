"""The command line as its users meet it."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tb2learn import checkpoint
from tb2learn.assess import LISTS
from tb2learn.cli import main

COMMANDS = [
    "quickstart",
    "train",
    "assess",
    "export",
    "rank",
    "explain",
    "compare",
    "info",
    "reproduce",
]
CONFIG = """
name = "tiny"
description = "test"
[event]
teams = 9
rounds = 4
boards = 2
[train]
events = 40
held_out = 10
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A folder with a configuration and a checkpoint trained from it, through the command line."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.toml").write_text(CONFIG)
    assert main(["train", str(folder / "tiny.toml"), "--out", str(folder / "tiny")]) == 0
    return folder


def fails(capsys, *arguments):
    """Run a command that must be refused; return its one line."""
    try:
        status = main(list(arguments))
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    assert status == 2 and captured.out == ""
    assert captured.err.count("\n") == 1 and captured.err.startswith("tb2learn")
    return captured.err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(capsys, command):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    text = capsys.readouterr().out
    assert stop.value.code == 0 and f"tb2learn {command}" in text.split("examples:")[1]


def test_every_command_is_in_the_readme():
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    for command in COMMANDS[1:]:
        assert f"tb2learn {command}" in readme


def test_train_writes_both_files_and_prints_their_paths(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(CONFIG)
    assert main(["train", "tiny.toml", "--events", "8", "--seed", "3", "--out", "mine"]) == 0
    captured = capsys.readouterr()
    assert captured.out.split() == ["checkpoints/mine.npz", "checkpoints/mine.json"]
    assert "simulate" in captured.err  # progress
    trained = checkpoint.load("mine")
    assert (trained.config.train.events, trained.config.train.seed) == (8, 3)
    assert trained.config.event.teams == 9


def test_assess_json_is_the_documented_schema(tiny, capsys, tmp_path):
    target = tmp_path / "a.json"
    assert main(["assess", str(tiny / "tiny.npz"), "--events", "30", "--json", str(target)]) == 0
    shown = capsys.readouterr().out
    content = json.loads(target.read_text())
    assert list(content) == ["protocol", "lists", "events", "seed", "config", "results"]
    assert (content["protocol"], content["lists"], content["events"]) == ("single", None, 30)
    assert content["config"]["name"] == "tiny"
    assert [(r["rule"], r["top"]) for r in content["results"]] == [
        (rule, top) for rule in ("product", "tiny") for top in (1, 3, 10, 30, "all")
    ]
    for row in content["results"]:
        assert list(row) == [
            "rule",
            "top",
            "pairs",
            "error_rate",
            "ci",
            "reduction",
            "reduction_ci",
        ]
        assert len(row["ci"]) == len(row["reduction_ci"]) == 2
        assert f"{row['error_rate']:.4f}" in shown
    assert "Rounding the table" in shown


@pytest.mark.parametrize("lists", LISTS)
def test_assess_thesis_protocol_to_standard_output(tiny, capsys, lists):
    arguments = ["assess", str(tiny / "tiny.json"), "--events", "4", "--protocol", "thesis"]
    assert main([*arguments, "--lists", lists, "--json", "-"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["protocol"], content["lists"]) == ("thesis", lists)


def test_same_seed_same_assessment_another_seed_another(tiny, capsys):
    def run(seed):
        main(["assess", str(tiny / "tiny.json"), "--events", "20", "--seed", seed, "--json", "-"])
        return json.loads(capsys.readouterr().out)["results"]

    assert run("1") == run("1") != run("2")


def test_export(tiny, tmp_path, capsys):
    assert main(["export", str(tiny / "tiny.npz"), "--out", str(tmp_path)]) == 0
    paths = [Path(p) for p in capsys.readouterr().out.split()]
    assert [p.name for p in paths] == ["tiny.csv", "tiny.json"]
    content = json.loads(paths[1].read_text())
    assert content["provenance"]["events"] == 40 and content["note"] == ""
    assert len(content["points"]) == 9

    assert (
        main(
            [
                "export",
                str(tiny / "tiny.npz"),
                "--out",
                str(tmp_path),
                "--format",
                "json",
                "--rounds",
                "3",
            ]
        )
        == 0
    )
    captured = capsys.readouterr()
    assert captured.out.strip().endswith("tiny-3-rounds.json")
    assert "trained at 4 rounds" in captured.err
    assert "trained at 4 rounds" in json.loads(Path(captured.out.strip()).read_text())["note"]


def event_folder(tmp_path):
    rows = "1,A,B,2,0\n1,C,D,1.5,0.5\n2,A,C,1,1\n2,B,D,0.5,1.5\n"
    (tmp_path / "matches.csv").write_text(
        "round,team_a,team_b,game_points_a,game_points_b\n" + rows
    )
    return str(tmp_path)


def test_rank_and_explain_in_every_format(tiny, tmp_path, capsys):
    event = event_folder(tmp_path)
    for tiebreak in ("product", str(tiny / "tiny.npz")):
        assert main(["rank", event, "--tiebreak", tiebreak, "--format", "json"]) == 0
        captured = capsys.readouterr()
        rows = json.loads(captured.out)
        assert list(rows[0]) == ["place", "team", "mp", "tb2", "gp", "tb4"]
        assert ("rescaled here to 2" in captured.err) == (tiebreak != "product")
        assert main(["rank", event, "--tiebreak", tiebreak, "--format", "csv"]) == 0
        table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [r["team"] for r in table] == [r["team"] for r in rows]
        assert main(["rank", event, "--tiebreak", tiebreak]) == 0
        assert capsys.readouterr().out.split()[:2] == ["place", "team"]
    for form in ("table", "csv", "json"):
        assert (
            main(
                ["explain", event, "A", "b", "--tiebreak", str(tiny / "tiny.npz"), "--format", form]
            )
            == 0
        )
        shown = capsys.readouterr().out
        assert "product" in shown and "tiny" in shown


def test_compare_writes_a_page(tiny, tmp_path, capsys):
    event = event_folder(tmp_path)
    out = tmp_path / "out"
    assert main(["compare", event, "--tiebreak", str(tiny / "tiny.npz"), "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out.strip().endswith("index.html") and "Tied for first place" in captured.out
    assert (out / "index.html").read_text().lower().startswith("<!doctype html>")
    assert (out / "comparison.csv").read_text().startswith("old_place,new_place")


def test_info(tiny, capsys):
    assert main(["info", str(tiny / "tiny.npz")]) == 0
    shown = capsys.readouterr().out
    assert "9 teams, 4 rounds, 2 boards" in shown and "40 events, seed 1" in shown
    assert main(["info", str(tiny / "tiny.npz"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["events"] == 40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["train", "no-such.toml"], "no-such.toml: no such .toml file"),
        (["train", "small-20x7", "--events", "0"], "events must be 1..1000000000, got '0'"),
        (["train", "small-20x7", "--seed", "-1"], "seed must be 0..4294967295"),
        (["train", "small-20x7", "--out", "a b"], "checkpoint name must be"),
        (["assess", "no-such"], "no-such: no such .json file"),
        (["assess", "no-such", "--protocol", "x"], "invalid choice: 'x'"),
        (["export", "no-such"], "required: --out"),
        (["rank", "no-such-event"], "packaged: baku2016"),
        (["rank", "baku2016", "--tiebreak", "no-such"], "no-such: no such .json file"),
        (["rank", "baku2016", "--format", "xml"], "invalid choice: 'xml'"),
        (["explain", "baku2016", "Atlantis", "--tiebreak", "product"], "no team 'Atlantis'"),
        (["reproduce", "nothing"], "invalid choice: 'nothing'"),
    ],
)
def test_bad_arguments_are_one_line(capsys, arguments, message):
    assert message in fails(capsys, *arguments)


def test_bad_files_are_one_line_and_leave_everything_alone(tiny, tmp_path, capsys):
    (tmp_path / "bad.toml").write_text(CONFIG.replace("teams = 9", "teams = 1"))
    assert "bad.toml: event.teams must be 2..1000, got 1" in fails(
        capsys, "train", str(tmp_path / "bad.toml")
    )
    (tmp_path / "broken.json").write_bytes((tiny / "tiny.json").read_bytes())
    (tmp_path / "broken.npz").write_bytes((tiny / "tiny.npz").read_bytes()[:500])
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    for command in (["info"], ["assess"], ["export", "--out", str(tmp_path / "x")]):
        line = fails(capsys, command[0], str(tmp_path / "broken.npz"), *command[1:])
        assert "broken.npz: damaged" in line
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_table_for_other_boards_is_refused(tiny, capsys):
    line = fails(capsys, "rank", "baku2016", "--tiebreak", str(tiny / "tiny.npz"))
    assert "for matches on 2 boards, the event has 4" in line


def test_output_folder_that_cannot_be_is_refused_before_the_work(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    for arguments in (
        ["train", "small-20x7", "--out", str(tmp_path / "file" / "x")],
        ["quickstart", "--out", str(tmp_path / "file" / "x")],
    ):
        assert "cannot be written to" in fails(capsys, *arguments)


def test_as_a_program_in_a_pipe(tmp_path):
    """The reader may stop early, and progress stays out of the data."""
    command = f"{sys.executable} -m tb2learn.cli rank baku2016 --format csv"
    result = subprocess.run(
        f"{command} | head -2", shell=True, capture_output=True, text=True, check=True
    )
    assert result.stdout == (
        "place,team,mp,tb2,gp,tb4\n1,United States of America,20,413.5,31.5,152\n"
    )
    assert result.stderr == ""


def test_quickstart_small(tmp_path, capsys):
    """The whole main job at a hundredth of its size."""
    out = tmp_path / "report"
    arguments = ["quickstart", "--events", "40", "--assessed", "16", "--out", str(out)]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == str(out / "index.html")
    page = (out / "index.html").read_text()
    for part in ("Norway", "United States of America", "data:image", "40", "error"):
        assert part in page
    assert {p.name for p in out.iterdir()} >= {"index.html", "table.csv", "table.json"}


def test_reproduce_small(tmp_path, capsys):
    target = tmp_path / "thesis.md"
    arguments = ["reproduce", "thesis", "--events", "40", "--assessed", "8", "--out", str(target)]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert shown == target.read_text()
    assert "| USA | 452.6 | 452.6104 |" in shown and "| Ukraine | 455.5 | 455.4704 |" in shown
    assert "0.1765 [" in shown and shown.count("| NO |") + shown.count("| yes |") == 8
