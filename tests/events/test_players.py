"""Tie-breaks of individual events: against FIDE's reference checker, and by hand."""

import dataclasses
import importlib.util
import subprocess
import sys

import pytest
from helpers import PATIENCE
from page_samples import round_robin
from player_samples import HELD, read

from tb2learn.catalogue import find_rule
from tb2learn.events import (
    explain,
    listed_order,
    named_order,
    rank,
    read_event,
    round_robin_notes,
    usual_policy,
    usual_rule,
)
from tb2learn.events.criteria import Order
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.formats.options import Reading
from tb2learn.events.formats.read import read_content
from tb2learn.events.formats.source import Held
from tb2learn.events.parts import Penalty, with_scoring
from tb2learn.types import InputError

gacrux = pytest.mark.skipif(
    importlib.util.find_spec("gacrux") is None,
    reason="needs FIDE's tie-break checker: pip install gacrux",
)

CODES = "PTS DE BH/C1 BH BH/C2 BH/M1 SB SB/C1 WIN WON BWG BPG REP PS PS/C1 KS AOB "
CODES = (CODES + "ARO APRO PTP TPR APPO RTNG").split()


def finder(event):
    return lambda name: find_rule(name, event.rounds, 1)


def ours(event, codes, unplayed=None):
    by = listed_order(event, ",".join(codes), finder(event))
    rows = {row.team: row for row in rank(event, by, unplayed=unplayed)}
    return [(rows[name].place, *rows[name].scores.values()) for name in event.teams]


def theirs(text, codes, year):
    """Place and values by the checker, in the order of the start numbers."""
    from gacrux import tiebreak, trf2json

    file = trf2json.trf2json()
    file.parse_file(text, True)
    played = file.get_tournament(1)
    codes = [f"{code}/V{year}" if code[:2] in ("BH", "SB") else code for code in codes]
    asked = {"tiebreak": codes, "check": False, "unrated": None,
             "pre_determined": False, "swiss": True}  # fmt: skip
    found = tiebreak.tiebreak(played, -1, asked).compute_tiebreaks(played, asked)
    rows = sorted(found["competitors"], key=lambda row: row["cid"])
    return [(row["rank"], *(float(x) for x in row["tiebreakScore"])) for row in rows]


def rounded(rows):
    return [tuple(round(x, 3) for x in row) for row in rows]


@gacrux
def test_generated_events_have_the_checkers_values_and_places(tmp_path):
    """Tournaments that the checker's own generator makes."""
    subprocess.run(
        [sys.executable, "-m", "gacrux.tournamentgenerator", "-o", str(tmp_path / "%d.trf"), "-g",
         "2", "2", "-p", "13", "-n", "5", "-S", "0.08", "0.1", "0.15"],
        capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    for path in (tmp_path / "0002.trf", tmp_path / "0003.trf"):
        event = read_event(path)
        assert event.individual and event.notes == ()
        expected = theirs(path.read_text(), CODES, "2026")
        assert rounded(ours(event, CODES, "c07")) == rounded(expected)


@gacrux
def test_three_points_for_a_win_and_penalties():
    plain = read(*HELD)
    scoring = (6, 2, 0)  # half points: 3, 1, 0
    event = dataclasses.replace(
        plain, scoring=scoring, planned=plain.rounds,
        matches=with_scoring(
            (dataclasses.replace(m, match_points_a=6 if m.bye == "pairing" else None)
             for m in plain.matches), scoring,
        ),
        penalties=(Penalty(0, 2, -3, -3), Penalty(3, 0, -2, -2)),
    )  # fmt: skip
    content = write_trf(event, 2026)
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n" in content
    codes = ["PTS", "DE", "BH/C1", "BH", "SB", "WIN", "PS", "KS"]
    expected = theirs(content, codes, "2026")
    assert rounded(ours(event, codes, "c07")) == rounded(expected)
    with pytest.raises(InputError, match=r"formula is made for games that score 1, 0\.5, 0"):
        rank(event, named_order(event, "formula", finder(event)))
    assert usual_rule(event) == "fide"


def test_names_in_words_and_in_codes():
    event = read(*HELD)

    def names(text, round_robin=False):
        order = Order(event.rounds, 1, individual=True, round_robin=round_robin)
        return [one.name for one in order.listed(text, finder(event))]

    swiss = ["points", "direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins",
             "black-wins"]  # fmt: skip
    assert names("fide") == names("PTS,DE,BH/C1,BH,SB,WIN,BWG") == swiss
    assert names("fide", True) == ["points", "direct", "wins", "sonneborn-berger", "koya"]
    assert names("points,BH/M1,fide")[:3] == ["points", "buchholz-median1", "direct"]
    assert [c.name for c in named_order(event, "formula", finder(event))] == [
        "points", "formula", *swiss[1:]
    ]  # fmt: skip
    for text in ("points,points", "points,"):
        with pytest.raises(InputError, match="different names separated by commas"):
            names(text)


def test_the_usual_rule_and_policy():
    event = read(*HELD)
    assert usual_rule(event) == "formula" and usual_policy(event) == "c07-2024"
    newer = dataclasses.replace(event, about={"start": "2026-03-01"})
    assert usual_policy(newer) == "c07" == usual_policy(dataclasses.replace(event, about={}))
    rows = rank(event, named_order(event, "formula", finder(event)))
    assert rows[0].team == "Bruno" and rows[0].scores["points"] == 4
    assert list(rows[0].scores)[1] == "formula"
    robin = read_content(Held("all.trf", round_robin()), Reading())
    assert (usual_rule(robin), usual_policy(robin)) == ("fide", "face-value")
    assert len(round_robin_notes(robin)) == 1


def test_the_working_of_a_player_is_in_points():
    event = read(*HELD)
    by = [find_rule(name, 5, 1) for name in ("buchholz-cut1", "deep-buchholz", "formula")]
    (working,) = explain(event, ["david"], by)
    assert working.mp == 3.5 and working.individual
    assert [item.opponent_mp for item in working.items] == [3, 3.5, 1.5, 3.5, 3.5]
    assert [item.gp for item in working.items] == [1, 0.5, 1, 0.5, 0.5]
    assert working.sums[0] == 11.5 and working.terms.points == "points"
    # Opal counts as 1.5 and an eighth of her Buchholz without David: (14 - 3.5) / 8.
    assert working.items[2].values[1] == pytest.approx(1.5 + (14 - 3.5) / 8)
    with pytest.raises(InputError, match=r"no player 'X' in"):
        explain(event, ["X"], by)
