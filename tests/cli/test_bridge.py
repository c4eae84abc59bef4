"""What goes to a pairing program and what comes from an arbiter: values, play-offs, lots."""

import csv
import io

import pytest
from cli_samples import fails, said
from crosstable_samples import PLAYERS

import tb2learn as tb


def test_values_by_start_number(tmp_path, capsys):
    rule = "uniform-180x11"
    said(capsys, "rank", "baku2016", "--tiebreaks", f"MPTS,{rule},GPTS,EMGSB/C1,BH/C1",
         "--export-values", tmp_path / "v.csv")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO((tmp_path / "v.csv").read_text())))
    event = tb.load_event("baku2016")
    expected = tb.rank(event, rule).set_index("team").tb2
    assert [row["team"] for row in rows] == list(event.teams)
    assert [int(row["start"]) for row in rows] == list(range(1, 177))
    assert all(float(row["value"]) == expected[row["team"]] for row in rows)
    first, second, *values = (tmp_path / "v-212.trf").read_bytes().decode().split("\r\n")
    assert first == "212 MPTS,OTHER_UNIFORM-180X11,GPTS,EMGSB/C1,BH/C1"
    assert second.startswith("###") and len(values) == 176 + 1
    assert all(line.startswith("### ") for line in values[:-1])


def test_no_event_is_overwritten_by_its_values(tmp_path, capsys):
    """The record stands beside the values under a name of its own."""
    (tmp_path / "v.trf").write_text("an event of ours")
    said(capsys, "rank", "etcc2013", "--export-values", tmp_path / "v.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v-212.trf", "v.csv", "v.trf"]
    assert (tmp_path / "v.trf").read_text() == "an event of ours"


def test_values_have_no_formulas(tmp_path, capsys):
    (tmp_path / "x.csv").write_text(PLAYERS.replace("Ace Anna", "=1+1"))
    said(capsys, "rank", tmp_path / "x.csv", "--export-values", tmp_path / "v.csv")
    assert "=1+1" in (tmp_path / "v.csv").read_text()
    assert ",=1+1" not in (tmp_path / "v.csv").read_text()


def places(text):
    return {" ".join(line.split()[1:3]): line.split()[0] for line in text.splitlines()[1:]}


@pytest.fixture
def event(tmp_path):
    (tmp_path / "open.csv").write_text(PLAYERS)
    return tmp_path / "open.csv"


def test_a_play_off_decides_last(event, tmp_path, capsys):
    before = said(capsys, "rank", event, "--tiebreaks", "PTS").out
    assert places(before)["Dog Dora"] == places(before)["Elk Emil"] == "4"
    (tmp_path / "d.csv").write_text("player,place\nElk Emil,1\nDog Dora,2\n")
    found = said(capsys, "rank", event, "--tiebreaks", "PTS", "--decided", tmp_path / "d.csv")
    after = places(found.out)
    assert (after["Elk Emil"], after["Dog Dora"]) == ("4", "5")
    assert {k: v for k, v in after.items() if k[0] not in "DE"} == {
        k: v for k, v in places(before).items() if k[0] not in "DE"
    }
    assert "places from 4 on by play-off or lot: Elk Emil, Dog Dora" in found.err
    assert found.out.splitlines()[2].split()[-1] == "decided"


def test_a_play_off_may_decide_before_a_tie_break(event, tmp_path, capsys):
    order = ("--tiebreaks", "PTS,BH")
    usual = places(said(capsys, "rank", event, *order).out)
    first, second = sorted(("Elk Emil", "Dog Dora"), key=lambda name: int(usual[name]))
    (tmp_path / "d.csv").write_text(f"player,place\n{second},1\n{first},2\n")
    decided = ("--decided", tmp_path / "d.csv")
    found = said(capsys, "rank", event, *order, *decided, "--before", "bh")
    after = places(found.out)
    assert (after[second], after[first]) == ("4", "5")
    assert found.out.splitlines()[2].split() == ["place", "player", "PTS", "decided", "BH"]
    assert f"before buchholz by play-off or lot: {second}, {first}" in found.err
    assert "--before must be one of buchholz, got koya" in fails(
        capsys, "rank", event, *order, *decided, "--before", "koya"
    )
    assert "name its table" in fails(capsys, "rank", event, *order, "--before", "bh")
    (tmp_path / "d.csv").write_text("player,place\nAce Anna,1\n")
    told = fails(capsys, "rank", event, *order, *decided, "--before", "BH")
    assert "Ace Anna is tied with nobody before buchholz" in told


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("player,place\nElk,1\n", "must be a player of the event"),
        ("player,place\nElk Emil,1\nElk Emil,2\n", "each once"),
        ("player,place\nElk Emil,1\nDog Dora,1\n", "place must be each once"),
        ("player,place\nElk Emil,x\n", "place must be a whole number"),
        ("player,place\nAce Anna,1\n", "Ace Anna shares no place: nothing is left to be decided"),
        ("a,b\n1,2\n", "must be team (or player) and place"),
        ("", "must have a header and at least one row"),
    ],
)
def test_other_decisions_are_refused(event, tmp_path, capsys, table, message):
    (tmp_path / "d.csv").write_text(table)
    decided = ("--decided", tmp_path / "d.csv")
    assert message in fails(capsys, "rank", event, "--tiebreaks", "PTS", *decided)
