"""`train`, `quickstart` and `info`: files, what they say, what is refused."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from cli_samples import CONFIG, fails, said

from tb2learn.catalogue import find_config
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import load_config
from tb2learn.training import checkpoint
from tb2learn.version import __version__


@pytest.mark.thorough
def test_train_writes_a_file_and_prints_its_path(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(CONFIG)
    captured = said(capsys, "train", "tiny.toml", "--events", "8", "--seed", "3", "--out", "mine")
    path, errors, truth, assumed = captured.out.splitlines()
    assert assumed.startswith("Assumed: 9 teams of 2 boards, 4 rounds paired by the thesis")
    assert path == "checkpoints/mine.npz" and truth.startswith("Judged by the oracle: ")
    rates = re.fullmatch(
        r"Of 100 ties in 1 held-out events the table decides ([0-9.]+) wrongly, "
        r"FIDE's rule ([0-9.]+): .*; the difficulty surface ([0-9.]+)\.",
        errors,
    )
    assert all(0 <= float(rate) <= 100 for rate in rates.groups())
    assert "How hard is a result? log" in captured.err  # progress
    trained = checkpoint.load("mine")
    assert (trained.config.train.events, trained.config.train.seed) == (8, 3)
    assert trained.config.event.teams == 9


def test_train_says_that_a_name_is_taken(tmp_path, capsys, monkeypatch):
    """Other commands would take what is shipped under it: a file or a rule. A path is its own."""
    monkeypatch.chdir(tmp_path)
    shipped = checkpoint.load("formula-38x9")
    monkeypatch.setattr(checkpoint, "train", lambda _, name, **__: replace(shipped, name=name))
    for out in ("uniform-180x11", "learned", "mine", "tables/learned"):
        captured = said(capsys, "train", "learned-38x9", "--out", out)
        file, *_ = captured.out.splitlines()
        note = f"{out} is the one that is shipped; {file} is taken only by its path"
        notes = [line for line in captured.err.splitlines() if "shipped" in line]
        assert notes == [f"tb2learn: note: {note}"] * (out in ("uniform-180x11", "learned"))
        assert Path(file).is_file()


def test_a_configuration_is_printed_for_a_size(tmp_path, capsys):
    (tmp_path / "my.toml").write_text(
        said(capsys, "config", "learned", "--teams", "60", "--rounds", "9").out
    )
    printed, shipped = load_config(tmp_path / "my.toml"), find_config("learned")
    assert printed.name == "my-60x9" and printed.event == EventFormat(60, 9, 4, "olympiad-2022")
    assert printed.description.startswith("60 teams, 9 rounds, 4 boards: table in 3 passes, ")
    assert (printed.field, printed.worlds) == (shipped.field, shipped.worlds)
    assert printed.train == shipped.train and printed.decisions == shipped.decisions
    wide = said(capsys, "config", "learned", "--teams", "20", "--rounds", "7", "--boards", "10").out
    assert 'name = "my-20x7-10boards"' in wide and "rosters" not in wide  # of few players
    assert "rounds must be 1..teams-1 = 1..5" in fails(
        capsys, "config", "learned", "--teams", "6", "--rounds", "9"
    )


def test_a_size_or_a_configuration_must_be_named(capsys):
    for given in ([], ["--teams", "60"], ["--rounds", "9"]):
        assert "name --teams and --rounds (or --format round-robin), or a configuration" in fails(
            capsys, "train", *given
        )


@pytest.mark.slow
def test_a_table_of_a_size_says_that_its_events_were_few(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    size = ("--teams", "12", "--rounds", "5", "--name", "my-12x5", "--events", "8")
    captured = said(capsys, "train", *size)
    path, errors, _, assumed = captured.out.splitlines()
    assert assumed.startswith("Assumed: 12 teams of 4 boards, 5 rounds paired as Olympiads are")
    assert path == "checkpoints/my-12x5.npz" and " the table decides " in errors
    assert checkpoint.load("my-12x5").config.event.pairing == "olympiad-2022"
    few = re.search(
        r"on 8 others it would decide ([0-9.]+) % .* with ([0-9,]+) events", captured.err
    )
    assert float(few[1]) > 1 and int(few[2].replace(",", "")) > 8
    shown = " ".join(said(capsys, "info", "my-12x5").out.split())
    assert "12 teams, 5 rounds, 4 boards" in shown and "trained on too few events" in shown
    said(capsys, "export", "checkpoints/my-12x5.npz", "--out", "tables", "--lang", "de")
    printed = Path("tables/my-12x5.de.csv").read_text("utf-8")
    assert (
        "mit zu wenigen Turnieren trainiert" in printed and "Mannschaften: 12; Runden: 5" in printed
    )
    assert f"tb2learn {__version__}" in printed


@pytest.mark.thorough
def test_info(tiny, capsys):
    shown = said(capsys, "info", str(tiny / "tiny.npz")).out
    assert "9 teams, 4 rounds, 2 boards" in shown and "40 events, seed 1" in shown
    assert "Difficulty of a result for a team on 5 match points" in shown
    assert "FIDE's rule" in shown and "counted in 40 events" in " ".join(shown.split())
    about = json.loads(said(capsys, "info", str(tiny / "tiny.npz"), "--json").out)
    assert about["events"] == 40 and about["held_out"].keys() == {"pairs", "product", "difficulty"}


def test_bad_files_are_one_line_and_leave_everything_alone(tiny, tmp_path, capsys):
    (tmp_path / "bad.toml").write_text(CONFIG.replace("teams = 9", "teams = 1"))
    assert "bad.toml: event.teams must be 2..1000, got 1" in fails(
        capsys, "train", str(tmp_path / "bad.toml")
    )
    (tmp_path / "broken.npz").write_bytes((tiny / "tiny.npz").read_bytes()[:500])
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    for command in (["info"], ["assess"], ["export", "--out", str(tmp_path / "x")]):
        line = fails(capsys, command[0], str(tmp_path / "broken.npz"), *command[1:])
        assert "broken.npz: damaged" in line
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_output_folder_that_cannot_be_is_refused_before_the_work(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    for arguments in (
        ["train", "small-20x7", "--out", str(tmp_path / "file" / "x")],
        ["quickstart", "--out", str(tmp_path / "file" / "x")],
    ):
        assert "is not a folder" in fails(capsys, *arguments)


@pytest.mark.slow
def test_quickstart_small(tmp_path, capsys):
    """The whole main job at a hundredth of its size."""
    out = tmp_path / "report"
    arguments = ["quickstart", "--events", "40", "--assessed", "16", "--out", str(out)]
    captured = said(capsys, *arguments)
    trained, *errors, places, page, _, _ = lines = captured.out.splitlines()
    assert len(lines) == 7 and trained.startswith("Trained on 40 ") and "16 others" in trained
    assert re.search(r"top 30 the new table decides [0-9.]+ wrongly", " ".join(errors))
    moved = pd.read_csv(out / "baku2016.csv")
    count = (moved["old_place"] != moved["new_place"]).sum()
    assert places.startswith(f"In Baku 2016 {count} of 176 teams have another place, most of all ")
    assert page.endswith(str(out / "index.html"))
    content = (out / "index.html").read_text()
    for part in ("Norway", "United States of America", "data:image", "40", "error"):
        assert part in content
    files = {"index.html", "table.csv", "table.json", "quickstart.npz"}
    assert {p.name for p in out.iterdir()} >= files
