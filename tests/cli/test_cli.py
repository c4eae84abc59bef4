"""The command line as its users meet it."""

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_samples import COMMANDS, CONFIG, fails
from helpers import PASSES_TOML, ROOT

import tb2learn
from tb2learn.assessment.thesis import LISTS
from tb2learn.cli import main, program
from tb2learn.cli.assess import ratings
from tb2learn.cli.studies import study
from tb2learn.training import checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A folder with a configuration and a checkpoint trained from it, through the command line."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.toml").write_text(CONFIG)
    assert main(["train", str(folder / "tiny.toml"), "--out", str(folder / "tiny")]) == 0
    return folder


def test_the_list_above_is_whole():
    found = {name for name in program.commands if name != "study"}
    assert {f"study {name}" for name in study.commands} | found == set(COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, "study", ""])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_has_examples_and_describes_everything(capsys, command, option):
    assert main([*command.split(), option]) == 0
    text = capsys.readouterr().out
    examples = [line.strip() for line in text.split("Examples:\n")[1].splitlines()]
    assert f"tb2learn {command}".strip() in examples[0]
    chosen = program
    for name in command.split():
        chosen = chosen.commands[name]
    for parameter in chosen.params:
        assert parameter.help or parameter.name == "format", parameter.name
    for line in examples:  # every example is a command, with options that there are
        words = shlex.split(line.split(" | ")[0])
        if words[0] == "tb2learn" and "--help" not in words:
            group, start = (study, 2) if words[1] == "study" else (program, 1)
            given = words[start + 1 :]
            group.commands[words[start]].make_context("tb2learn", given, parent=context())


def context():
    return program.make_context("tb2learn", [], resilient_parsing=True)


@pytest.mark.parametrize("group", [[], ["study"]])
def test_summaries_fit_into_the_list_of_commands(capsys, group):
    assert main([*group, "--help"]) == 0
    listed = capsys.readouterr().out.split("Commands:\n")[1].split("\n\n")[0]
    assert "..." not in listed and all(line.endswith(".") for line in listed.splitlines())


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"tb2learn {tb2learn.__version__}\n", "")


def test_every_command_is_documented():
    root = ROOT
    pages = [root / "README.md", *(root / "docs").rglob("*.md")]
    text = "\n".join(page.read_text() for page in pages)
    for command in COMMANDS[1:]:
        assert f"tb2learn {command}" in text


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
        ([], "Missing command"),
        (["nonsense"], "No such command 'nonsense'. (see tb2learn --help)"),
        (["rnak"], "No such command 'rnak'. Did you mean 'rank'? (see tb2learn --help)"),
        (["study"], "Missing command. (see tb2learn study --help)"),
        (["study", "ranking", "x"], "Did you mean 'rankings'? (see tb2learn study --help)"),
        (["rank", "x", "--tiebraek", "y"], "Did you mean"),
        (["rank", "x", "--unplay", "y"], "Did you mean '--unplayed'? (see tb2learn rank --help)"),
        (["rank", "x", "y\n\x1b[2Jz"], "Got unexpected extra argument (y  [2Jz)"),
        (["rank"], "Missing argument 'EVENT'"),
        (["assess"], "Missing argument 'RULE...'"),
        (["rank", "x", "--after", "0"], "rounds must be 1..15, got '0'"),
        (["assess", "product", "--figure", "x.pdf"], "a figure must be a .png file, got 'x.pdf'"),
        (["ratings", "baku2016", "--rules"], "Option '--rules' requires an argument"),
        (["train", "no-such.toml"], "no-such.toml: no such .toml file"),
        (["train", "small-20x7", "--events", "0"], "events must be 1..1000000000, got '0'"),
        (["train", "small-20x7", "--seed", "-1"], "seed must be 0..4294967295"),
        (["train", "small-20x7", "--out", "a b"], "checkpoint name must be"),
        (["assess", "no-such"], "no-such: no such .json file"),
        (["assess", "no-such", "--protocol", "x"], "'x' is not one of 'single', 'thesis'"),
        (["export", "no-such"], "Missing option '--out'"),
        (
            ["export", "no-such", "--out", "x", "--format", "csv,doc"],
            "--format must be one of csv, json, xlsx, pdf, html, got 'doc'",
        ),
        (["rank", "no-such-event"], "packaged: baku2016"),
        (["rank", "baku2016", "--tiebreak", "no-such"], "no-such: no such .json file"),
        (["rank", "baku2016", "--format", "xml"], "'xml' is not one of 'table', 'csv', 'json'"),
        (["explain", "baku2016", "Atlantis", "--tiebreak", "product"], "no team 'Atlantis'"),
        (["reproduce", "nothing"], "'nothing' is not 'thesis'"),
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


@pytest.mark.slow
def test_reproduce_small(tmp_path, capsys):
    target = tmp_path / "thesis.md"
    arguments = ["reproduce", "thesis", "--events", "40", "--assessed", "8", "--out", str(target)]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    written = target.read_text()
    assert set(shown.splitlines()) <= set(written.splitlines())
    assert "](thesis.png)" in written and "](thesis.png)" not in shown
    assert "| USA | 452.6 | 452.6104 |" in shown and "| Ukraine | 455.5 | 455.4704 |" in shown
    assert "| 0.1765 |" in shown and shown.count("| NO |") + shown.count("| yes |") == 8


# --- tables in passes, the formula, limits --------------------------------------------------------

OTHER_WORLD = """
name = "other"
[event]
teams = 12
rounds = 5
boards = 4
[field]
low = 2200
high = 2600
"""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A folder with a table in two passes and a formula, trained through the command line."""
    folder = tmp_path_factory.mktemp("learned")
    (folder / "other.toml").write_text(OTHER_WORLD)
    formula = PASSES_TOML.replace('"decisions"', '"formula"').replace("events = 300", "events = 16")
    for name, content in {"learned": PASSES_TOML, "formula": formula}.items():
        (folder / f"{name}.toml").write_text(content)
        command = ["train", str(folder / f"{name}.toml"), "--out", str(folder / name)]
        assert main(command) == 0
    return folder


def test_training_writes_the_shorter_tables_too(learned):
    names = {path.name for path in learned.iterdir() if path.suffix != ".toml"}
    stems = ("learned", "learned-pass1", "formula")
    assert names == {f"{stem}.{suffix}" for stem in stems for suffix in ("json", "npz")}
    whole, first = (checkpoint.load(learned / f"{stem}.npz") for stem in stems[:2])
    assert (first.name, first.config.decisions.passes) == ("learned-pass1", 1)
    np.testing.assert_array_equal(first.rule().points, whole.rule().points[:1])


def test_assess_any_number_of_rules_in_another_world(learned, tmp_path, capsys):
    rules = ["game-points", str(learned / "learned.npz"), "least-squares", "true-opponents"]
    rules += ["product", "game-points", str(learned / "formula.json")]
    world = ["--on", str(learned / "other.toml"), "--seed-noise", "50", "--events", "12"]
    figure, target = tmp_path / "f.png", tmp_path / "a.json"
    options = ["--figure", str(figure), "--json", str(target)]
    assert main(["assess", *rules, *world, *options]) == 0
    shown = capsys.readouterr().out
    content = json.loads(target.read_text())
    # The product rule comes first, and every rule once.
    names = ["product", "game-points", "learned", "least-squares", "true-opponents", "formula"]
    assert [row["rule"] for row in content["results"]] == [n for n in names for _ in range(5)]
    assert content["config"]["name"] == "other"
    assert content["config"]["field"]["seed_noise"] == 50.0
    assert len({row["pairs"] for row in content["results"] if row["top"] == "all"}) == 1
    assert figure.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert all(name in shown for name in names) and "Rounding" not in shown


@pytest.mark.parametrize("noise", ["-1", "x", "nan", "", "-inf"])
def test_seed_noise_that_is_none(capsys, noise):
    line = fails(capsys, "assess", "product", f"--seed-noise={noise}")
    assert f"seed noise must be 0..inf, got {noise!r}" in line


def test_rules_and_worlds_that_are_none(learned, tmp_path, capsys):
    line = fails(capsys, "rank", "baku2016", "--tiebreak", "no-such-rule")
    assert "no-such-rule" in line and "least-squares" in line and "product" in line
    assert "no-such-rule" in fails(capsys, "assess", "product", "no-such-rule")
    assert "no-world.toml" in fails(capsys, "assess", "product", "--on", "no-world.toml")
    rule = str(learned / "learned.npz")
    line = fails(capsys, "assess", rule, "least-squares", "--protocol", "thesis", "--events", "1")
    assert "least-squares is not a sum over opponents" in line
    (tmp_path / "boards.toml").write_text(OTHER_WORLD.replace("boards = 4", "boards = 2"))
    line = fails(capsys, "assess", rule, "--on", str(tmp_path / "boards.toml"), "--events", "1")
    assert "learned is for matches on 4 boards, the event has 2" in line
    line = fails(capsys, "rank", "baku2016", "--tiebreak", "posterior-mean")
    assert "posterior-mean" in line
    (tmp_path / "file").write_text("x")
    picture = str(tmp_path / "file" / "x.png")
    assert "cannot be written to" in fails(
        capsys, "assess", "product", "--figure", picture, "--events", "1"
    )


def test_assess_unknown_rule_lists_the_names(capsys):
    line = fails(capsys, "assess", "no-such-rule")
    assert all(name in line for name in ("product", "buchholz", "posterior-mean"))


def test_info_of_every_kind(learned, capsys):
    expected = {
        "learned": ["trained   for decisions", "pass 1", "pass 2", "100 held-out events"],
        "learned-pass1": ["trained   for decisions", "errors", "tied pairs wrong"],
        "formula": ["trained   for formula", "formula   a = ", "a game point", "2 passes"],
    }
    for name, parts in expected.items():
        assert main(["info", str(learned / f"{name}.npz")]) == 0
        shown = capsys.readouterr().out
        assert "20 teams, 5 rounds, 4 boards" in shown
        assert all(part in shown for part in parts), shown
        assert main(["info", str(learned / f"{name}.npz"), "--json"]) == 0
        content = json.loads(capsys.readouterr().out)
        judged = content["passes"][-1]
        assert f"{judged['held_out_errors'] / judged['held_out_pairs']:.4f}" in shown


def test_export_of_every_kind(learned, tmp_path, capsys):
    for name in ("learned", "learned-pass1", "formula"):
        assert main(["export", str(learned / f"{name}.json"), "--out", str(tmp_path)]) == 0
        paths = [Path(path) for path in capsys.readouterr().out.split()]
        assert [path.name for path in paths] == [f"{name}.csv", f"{name}.json"]
        content = json.loads(paths[1].read_text())
        assert content["provenance"]["config"]["name"] == "passes"
        rule = checkpoint.load(learned / f"{name}.npz").rule()
        if name == "formula":
            assert (content["a"], content["k"]) == (rule.a, rule.k)
        else:
            points = np.array(content["passes"]).transpose(0, 1, 3, 2)
            np.testing.assert_array_equal(points, rule.points)
        first = paths[0].read_text().splitlines()[0]
        assert first == f"#,table,{name}"
    command = ["export", str(learned / "learned.npz"), "--out", str(tmp_path), "--rounds", "9"]
    assert main([*command, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert captured.out.strip().endswith("learned-9-rounds.json")
    assert "trained at 5 rounds" in captured.err


def test_real_events_under_every_kind(learned, capsys):
    for name in ("learned", "formula"):
        rule = ["--tiebreak", str(learned / f"{name}.npz"), "--format", "json"]
        assert main(["rank", "baku2016", *rule]) == 0
        captured = capsys.readouterr()
        rows = json.loads(captured.out)
        assert len(rows) == 176 and f"{name} was trained at 5 rounds" in captured.err
        tb2 = {row["team"]: row["tb2"] for row in rows}
        assert main(["explain", "baku2016", "Norway", *rule]) == 0
        (working,) = json.loads(capsys.readouterr().out)
        assert working["tb2"][f"{name} pass 2"] == pytest.approx(tb2["Norway"], abs=3e-4)
        assert list(working["tb2"]) == ["product", f"{name} pass 1", f"{name} pass 2"]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--coordinator", "localhost", "coordinator must be ADDRESS:PORT, got 'localhost'"),
        ("--coordinator", ":80", "coordinator must be ADDRESS:PORT, got ':80'"),
        ("--coordinator", "a:0", "coordinator must be ADDRESS:PORT, got 'a:0'"),
        ("--coordinator", "a:65536", "coordinator must be ADDRESS:PORT, got 'a:65536'"),
        ("--coordinator", "a:٣", "coordinator must be ADDRESS:PORT"),
        ("--hosts", "0", "hosts must be 1..10000, got '0'"),
        ("--hosts", "x", "hosts must be 1..10000, got 'x'"),
        ("--hosts", "10001", "hosts must be 1..10000, got '10001'"),
        ("--host", "-1", "host must be 0..9999, got '-1'"),
        ("--save-every", "-1", "seconds must be 0 or more, got '-1'"),
        ("--save-every", "nan", "seconds must be 0 or more, got 'nan'"),
        ("--save-every", "inf", "seconds must be 0 or more, got 'inf'"),
        ("--save-every", "soon", "seconds must be 0 or more, got 'soon'"),
    ],
)
@pytest.mark.parametrize("command", ["train small-20x7", "assess product"])
def test_bad_options_of_long_runs_are_one_line(capsys, command, option, value, message):
    assert message in fails(capsys, *command.split(), f"{option}={value}")


FULL = "tb2learn: error: standard output: cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", ["rank baku2016", "--help", "rank --help", "--version"])
def test_a_full_disk_is_one_line(arguments):
    command = [sys.executable, "-m", "tb2learn.cli", *arguments.split()]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (2, FULL)


def test_help_into_a_closed_pipe_says_nothing():
    command = f"{sys.executable} -m tb2learn.cli rank --help | true"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("", "")


def test_what_is_no_bad_input_is_not_hidden(monkeypatch):
    def broken(*arguments):
        raise RuntimeError("a defect")

    monkeypatch.setattr(checkpoint, "summary", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["info", "olympiad-180x11"])


@pytest.mark.parametrize(
    ("given", "events", "rules"),
    [
        ("a b --rules c d --seed 3", ("a", "b"), ("c", "d")),
        ("--rules c --seed 3 a b", ("a", "b"), ("c",)),
        ("a --rules c --rules d", ("a",), ("c", "d")),
        ("a --rules=c b", ("a", "b"), ("c",)),
        ("--rules c d -- a", ("a",), ("c", "d")),
        ("a", ("a",), ("learned-180x11",)),
    ],
)
def test_one_option_takes_any_number_of_rules(given, events, rules):
    read = ratings.make_context("ratings", given.split()).params
    assert (read["events"], read["rules"]) == (events, rules)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tb2learn ra", {"plain,rank", "plain,ratings"}),
        ("tb2learn study g", {"plain,games"}),
        ("tb2learn rank baku2016 --unplayed fide", {"plain,fide2026"}),
        ("tb2learn rank baku2016 --af", {"plain,--after"}),
        ("tb2learn rank ba", {"plain,baku2016", "file,ba"}),
        ("tb2learn info olympiad", {"plain,olympiad-180x11", "file,olympiad"}),
        ("tb2learn train small", {"plain,small-20x7", "file,small"}),
        ("tb2learn probe row", {"plain,row-sum", "file,row"}),
        ("tb2learn assess -", None),
    ],
)
def test_completion(capsys, monkeypatch, line, offered):
    words = line.split()
    monkeypatch.setenv("_TB2LEARN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert main([]) == 0
    found = set(capsys.readouterr().out.split())
    assert found == offered if offered else {"plain,--help", "plain,--no-cache"} < found


def test_the_help_says_how_to_complete(capsys, monkeypatch):
    assert main(["--help"]) == 0
    assert 'eval "$(_TB2LEARN_COMPLETE=bash_source tb2learn)"' in capsys.readouterr().out
    monkeypatch.setenv("_TB2LEARN_COMPLETE", "zsh_source")
    assert main([]) == 0
    assert "compdef" in capsys.readouterr().out
