"""Files that were once read wrongly without a word, or broke the program: what they give now."""

import time

import pytest
from cli_samples import fails, said
from helpers import ROOT

from tb2learn.events import read_event
from tb2learn.events.kind import is_round_robin
from tb2learn.export.standings import rank_event
from tb2learn.types import InputError

SILENT, ATTACKS = ROOT / "tests/data/silent", ROOT / "tests/data/attacks"
NOTES = {
    "perround.xlsx": "sheets read as one event: Round 1, Round 2, Round 3",
    "hidden-rows.xlsx": "1 hidden row is read like all others",
    "p-teams-missinggame.pgn": "most matches have",
    "typo-boards.csv": "round 2 A - C has 11",
    "spaces.csv": "names that look alike count as different teams: 'Riga' and 'RIGA'",
    "cyr.csv": "(cyrillic letters)",
    "gap.csv": "nobody played in round 3",
    "p-gap.pgn": "nobody played in round 2",
    "t-totals.trf": "MP in record 310 differ",
    "mp-contra.csv": "match points that the game points do not give: round 1 A - B 3-1 with 0-2",
    "p-term.pgn": "the tag Result counts, though the moves end with another result",
    "t-cp1251.trf": "read as Windows-1251",
    "ukrainian-cp1251.csv": "read as Windows-1251",
    "icelandic-cp1252.csv": "read as Windows-1252",
    "twice-noround.csv": "pairs that met more often than others: A and B 2 times",
    "ind-dup.csv": "pairs that met more often than others: Ann and Bob 2 times",
    "l-samename.csv": "a name with other ratings in other rows",
}
"""A note on each file."""
REFUSALS = {
    "l-missingwhite.csv": "line 4: name must be that of number 3",
    "p-firstnoteam.pgn": "must be the name of a team, as in the game of line 11",
    "x-ss.xlsx": "x-ss.xlsx: must have",
}


@pytest.mark.parametrize("file", NOTES)
def test_a_note_says_it(file):
    assert any(NOTES[file] in note for note in read_event(SILENT / file).notes)


@pytest.mark.parametrize("file", REFUSALS)
def test_what_is_refused(file):
    began = time.process_time()
    with pytest.raises(InputError, match=REFUSALS[file]):
        read_event(SILENT / file)
    assert time.process_time() - began < 30


@pytest.mark.parametrize("file", ["byeleft.csv", "byeleft2.csv"])
def test_a_bye_on_the_left(file):
    event = read_event(SILENT / file)
    assert len(event.teams) == 3 and any(match.bye for match in event.matches)


def test_the_order_of_players_changes_nothing():
    seen, missed = (read_event(SILENT / f"round-robin-{name}") for name in ("seen", "missed"))
    assert is_round_robin(seen) == is_round_robin(missed)


@pytest.mark.parametrize("name", ["b6", "ie-min.csv", "ke-min.csv", "inj.csv"])
def test_what_broke_the_program_is_ranked(name):
    ranked = rank_event(read_event(ATTACKS / name))
    assert len(ranked.ranking) == len(ranked.event.teams)


def test_what_cannot_be_read_is_named(capsys, tmp_path):
    for name, words in (
        ("penal-twice.zip", "has penalties.csv and Penalties.csv"),
        ("two-folders.zip", "round1/pairings.csv, round2/pairings.csv"),
    ):
        with pytest.raises(InputError, match=words):
            read_event(ATTACKS / name)
    given = ("forecast", ATTACKS / "fc-event.csv", "--rounds", "3", "--events", "10")
    assert fails(capsys, *given, "--pairings", ATTACKS / "fc-bye.csv")
    # Libraries that read workbooks say nothing.
    read_event(ATTACKS / "prints2.xlsx")
    assert capsys.readouterr() == ("", "")
    said(capsys, "convert", ATTACKS / "inj.csv", tmp_path / "out")
    text = (tmp_path / "out/matches.csv").read_text("utf-8")
    assert "'=" in text and ",=" not in text
