"""Command lines that are refused: one line that says what is allowed, and nothing written."""

import os
import re
import shlex
import shutil

import pytest
from cli_samples import fails
from helpers import ROOT

REFUSED = r"""
nonsense | No such command 'nonsense'. (see tb2learn --help)
rnak | No such command 'rnak'. Did you mean 'rank'? (see tb2learn --help)
list nothing | 'nothing' is not one of 'forms', 'events', 'rules', 'worlds', 'policies', 'tiebreaks'

rank | Missing argument 'EVENT'
rank x --tiebraek y | Did you mean
rank x 'y%n%e[2Jz' | Got unexpected extra argument (y\n\x1b[2Jz)
rank '' | must
rank no-such-event | packaged: armstrong2011
rank EVENT --after 0 | rounds must be 1..40, got '0'
rank EVENT --after 3 | rounds must be 1..2 in Cup, got 3
rank EVENT --unplayed x | 'x' is not one of 'baku2016'
rank EVENT --share-below 49 | 50..100
rank EVENT --match-points 0,1,2 | match_points must be
rank EVENT --bye-points 1,99 | must
rank EVENT --form doc | 'doc' is not one of
rank RESTING --form pgn | resting-reserves.trf: line 1
rank EVENT --individual | matches.csv has matches of teams
rank EVENT --confidence --tiebreaks mp,gp | confidence is that of a rule
rank baku2016 --tiebreak buchholz --confidence | calibrate
rank EVENT --tiebreak no-such | no-such: is neither the name of a rule nor a file
rank EVENT --tiebreak GPTS,DE | one rule decides ties, got a list: --tiebreaks takes 'GPTS,DE'
assess GPTS,XX | GPTS,XX: is neither the name of a rule nor a file
rank EVENT --tiebreaks '' | must not be empty
rank EVENT --tiebreaks mp,mp | must be different names
rank EVENT --tiebreaks mp,nothing | nothing: is neither the name of a rule nor a file
rank EVENT --tiebreaks opponents-cut0 | a cut must leave out 1..15 items
rank EVENT --tiebreaks mp,learned-38x9-pass9 | learned-38x9 has learned-38x9-pass1,
rank EVENT --format xml | 'xml' is not one of 'table', 'csv', 'json'
rank EVENT --format pdf | --format pdf makes a file: name it with --out FILE
rank EVENT --lang de | --lang de is for html, pdf, xlsx, not for table
rank EVENT --out OUT | cannot be written
explain EVENT Atlantis --tiebreak product | no team 'Atlantis'
explain EVENT A A | A is named twice
convert EVENT '' | must

train no-such.toml | no-such.toml: no such .toml file
train small-20x7 --events 0 | events must be 1..1000000000, got '0'
train small-20x7 --seed -1 | seed must be 0..4294967295
train small-20x7 --out 'a b' | checkpoint name must be
assess | Missing argument 'RULE...'
assess no-such | no-such: is neither the name of a rule nor a file
assess no-such --protocol x | 'x' is not one of 'single', 'thesis'
assess product --figure x.pdf | a figure must be a .png file, got 'x.pdf'
assess product --on no-world.toml | no-world.toml
assess product --seed-noise=-1 | seed noise must be 0 or more, or inf, got '-1'
assess product --seed-noise=nan | seed noise must be 0 or more, or inf, got 'nan'
LONG --hosts=2 | No such option '--hosts'
LONG --save-every=-1 | seconds must be 0 or more, got '-1'
calibrate product --report x | No such option '--report'
probe product --probes nan | must
calibrate product --worlds nosuch | no such

export no-such | Missing option '--out'
export x --out x --format csv,doc | must be one of csv, json, xlsx, pdf, html, pencil, got 'doc'
export row-sum --out OUT --format csv | row-sum has neither a table nor a formula to print
export uniform-180x11 --out OUT --format csv,pencil | the pencil edition is for a formula or
export uniform-180x11 --out OUT --boards 6 | 4 boards
export product --out OUT --boards 13 | boards must be 1..12, got '13'
export x --out OUT --lang it | 'it' is not one of 'en', 'hu'
dossier uniform-180x11 --out OUT --boards 8 | is for matches on 4 boards, the event has 8
rank baku2016 --unplayed drawself | '--unplayed': 'drawself'
dossier formula --out OUT --unplayed face-value | unplayed must be one of baku2016, fide2026
dossier formula --out OUT --event etcc2011 | is for 11 rounds, the event has 9
dossier formula --out OUT --on dutch-100x9 | team events: formula is for 1 board
schedule 1 | players must be 2..1000, got '1'
schedule 8 --format pdf | name it with --out FILE
schedule 8 --order x | 'x' is not one of 'berger', 'rutch-berger'
schedule 7 --out OUT/ | is a folder, not a file
"""
"""A command line, `|`, and what the message says; `LONG` is each command of a long run."""

LINES = [
    (line.replace("LONG", long), message)
    for line, message in (line.rsplit("| ", 1) for line in REFUSED.splitlines() if line)
    for long in (("train small-20x7", "assess product") if "LONG" in line else ("",))
]


@pytest.mark.parametrize(("line", "message"), LINES)
def test_a_refusal_is_one_line(line, message, event, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    files = {
        "EVENT": event, "OUT": f"{tmp_path}/out", "%n": "\n", "%e": "\x1b",
        "RESTING": str(ROOT / "tests/events/formats/files/resting-reserves.trf"),
    }  # fmt: skip
    given = re.sub("EVENT|OUT|RESTING|%.", lambda found: files[found[0]], line)
    assert message in fails(capsys, *shlex.split(given))
    assert {path.name for path in tmp_path.rglob("*")} == {"out", "event", *os.listdir(event)}


@pytest.fixture
def inputs(tmp_path, monkeypatch):
    """A folder with an event, a checkpoint and a configuration, in which commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ev").mkdir()
    text = "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,3,1\n2,A,B,2,2\n"
    for name in ("e.csv", "ev/matches.csv", "v.trf"):
        (tmp_path / name).write_text(text)
    (tmp_path / "places.csv").write_text("team,place\nA,1\n")
    (tmp_path / "checkpoints").mkdir()
    shutil.copy(ROOT / "checkpoints/formula-38x9.npz", tmp_path / "checkpoints/mine.npz")
    (tmp_path / "world.toml").write_text('name = "w"\nevent = {teams = 8, rounds = 3}\n')
    (tmp_path / "other-212.trf").write_text("212 not, of this program\r\n")
    os.symlink("e.csv", tmp_path / "link.csv")
    os.link(tmp_path / "e.csv", tmp_path / "hard.csv")
    for name in ("dossier.pdf", "conformance/absences.trf"):
        (tmp_path / "d" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "d" / name).write_text(text)
    return tmp_path


READ = "is read: give the output another name"
TWICE = "is the path of two outputs"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rank e.csv --out e.csv", f"e.csv: {READ}"),
        ("rank link.csv --out ./e.csv", f"./e.csv: {READ}"),
        ("rank e.csv --out hard.csv", f"hard.csv: {READ}"),
        ("rank e.csv --export-values e.csv", f"e.csv: {READ}"),
        ("rank e.csv --export-values other.csv", "other-212.trf is there, and would be replaced"),
        ("rank e.csv --decided places.csv --out places.csv", f"places.csv: {READ}"),
        ("rank ev --out ev/matches.csv", f"ev/matches.csv: {READ}"),
        ("rank ev/matches.csv --out ev/../ev/matches.csv", f"matches.csv: {READ}"),
        ("rank e.csv --tiebreaks mp,mine --format csv --out checkpoints/mine.npz", READ),
        ("rank e.csv --out x.csv --export-values x.csv", f"x.csv: {TWICE}"),
        ("rank e.csv --format csv --out x-212.trf --export-values x.csv", f"x-212.trf: {TWICE}"),
        ("forecast e.csv --pairings places.csv --out places.csv", f"places.csv: {READ}"),
        ("assess mine --json checkpoints/mine.npz", f"checkpoints/mine.npz: {READ}"),
        ("assess mine-pass1 --json checkpoints/mine.npz", f"checkpoints/mine.npz: {READ}"),
        ("assess product --on world.toml --json world.toml", f"world.toml: {READ}"),
        ("assess product --json a.png --figure a.png", f"a.png: {TWICE}"),
        ("dossier product --event d/conformance/absences.trf --out d", f"d/conformance/: {READ}"),
    ],
)
def test_nothing_that_is_read_is_replaced(line, words, inputs, capsys):
    def content():
        return {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()}

    before = content()
    assert words in fails(capsys, *line.split())
    assert content() == before
