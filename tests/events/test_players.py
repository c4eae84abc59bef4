"""Tie-breaks of individual events: against FIDE's reference checker, and by hand."""

import dataclasses
import importlib.util
import subprocess
import sys

import pytest
from helpers import PATIENCE
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
from tb2learn.events.formats.trf_write import write_trf
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


def theirs(text, codes, year, round_robin=False):
    """Place and values by the checker, in the order of the start numbers."""
    from gacrux import tiebreak, trf2json

    file = trf2json.trf2json()
    file.parse_file(text, True)
    played = file.get_tournament(1)
    codes = [f"{code}/V{year}" if code[:2] in ("BH", "SB") else code for code in codes]
    asked = {"tiebreak": codes, "check": False, "unrated": None,
             "pre_determined": round_robin, "swiss": not round_robin}  # fmt: skip
    found = tiebreak.tiebreak(played, -1, asked).compute_tiebreaks(played, asked)
    rows = sorted(found["competitors"], key=lambda row: row["cid"])
    return [(row["rank"], *(float(x) for x in row["tiebreakScore"])) for row in rows]


def rounded(rows):
    return [tuple(round(x, 3) for x in row) for row in rows]


@pytest.fixture(scope="module")
def tournaments(tmp_path_factory):
    """Tournaments that the checker's own generator makes: two Swiss, one round robin."""
    folder = tmp_path_factory.mktemp("tournaments")
    for arguments in (
        ("2", "2", "-p", "13", "-n", "5", "-S", "0.08", "0.1", "0.15"),
        ("7", "1", "-p", "6", "-n", "5", "-m", "berger", "-S", "0", "0", "0.4"),
    ):
        subprocess.run(
            [sys.executable, "-m", "gacrux.tournamentgenerator", "-o", str(folder / "%d.trf"),
             "-g", *arguments],
            capture_output=True, timeout=PATIENCE, check=True,
        )  # fmt: skip
    return {path.stem: path for path in sorted(folder.iterdir())}


@gacrux
@pytest.mark.parametrize(("year", "unplayed"), [("2026", "c07"), ("2024", "c07-2024")])
def test_generated_swiss_events_have_the_checkers_values_and_places(tournaments, year, unplayed):
    codes = CODES if year == "2026" else CODES[:-7]  # those of ratings have no editions
    for name in ("0002", "0003"):
        event = read_event(tournaments[name])
        assert event.individual and event.notes == ()
        expected = theirs(tournaments[name].read_text(), codes, year)
        assert rounded(ours(event, codes, unplayed)) == rounded(expected)


@gacrux
def test_a_generated_round_robin_counts_forfeits_as_played(tournaments):
    event = read_event(tournaments["0007"])
    assert any(m.by_default for m in event.matches) and usual_policy(event) == "face-value"
    codes = CODES[:-6]
    expected = theirs(tournaments["0007"].read_text(), codes, "2026", round_robin=True)
    assert rounded(ours(event, codes)) == rounded(expected)
    assert usual_rule(event) == "fide" and round_robin_notes(event)


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
    content, lost = write_trf(event, 2026)
    assert lost == () and "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n" in content
    codes = ["PTS", "DE", "BH/C1", "BH", "SB", "WIN", "PS", "KS"]
    expected = theirs(content, codes, "2026")
    assert rounded(ours(event, codes, "c07")) == rounded(expected)
    with pytest.raises(InputError, match=r"formula is made for games that score 1, 0\.5, 0"):
        rank(event, named_order(event, "formula", finder(event)))
    assert usual_rule(event) == "fide"


def encounter(*games, players=4):
    """Direct encounter of players who all have the same points."""
    event = read(*HELD)
    matches = [
        dataclasses.replace(
            event.matches[0], round=r, number=n, team_a=a, team_b=b, half_points_a=half,
            half_points_b=2 - half, boards_decided=1, boards_forfeited=0,
        )
        for n, (r, a, b, half) in enumerate(games, start=1)
    ]  # fmt: skip
    event = dataclasses.replace(
        event,
        teams=event.teams[:players],
        ratings=((),) * players,
        players=(),
        games=(),
        matches=tuple(matches),
        rounds=max(r for r, *_ in games),
    )
    points = [0] * players
    for _, a, b, half in games:
        points[a] += half
        points[b] += 2 - half
    penalties = tuple(Penalty(t, 0, -p, -p) for t, p in enumerate(points) if p)
    event = dataclasses.replace(event, penalties=penalties)  # so that all are tied
    by = listed_order(event, "points,direct", finder(event))
    rows = {row.team: row.scores["direct"] for row in rank(event, by)}
    return [rows[name] for name in event.teams[:players]]


def test_direct_encounter_by_hand():
    # All met: 0 has 2.5 of 3, 1 and 2 have 1.5 and met: 1 beat 2; 3 has 0.5.
    everybody = ((1, 0, 1, 1), (1, 2, 3, 2), (2, 0, 2, 2), (2, 1, 3, 1), (3, 0, 3, 2), (3, 1, 2, 2))
    assert encounter(*everybody) == [1, 2, 3, 4]
    # 0 beat both others who did not meet: he is ahead whatever they might have done.
    assert encounter((1, 0, 1, 2), (2, 0, 2, 2), players=3) == [1, 2, 2]
    # One win is not enough against somebody who might have won twice.
    assert encounter((1, 0, 1, 2), (1, 2, 3, 1), players=4) == [0, 0, 0, 0]
    # Two games against the same player count as their mean.
    twice = ((1, 0, 1, 2), (2, 1, 0, 2), (3, 0, 1, 1), (1, 2, 3, 1), (2, 0, 2, 2), (3, 1, 2, 1))
    assert encounter(*twice[:3], players=2) == [0, 0]


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
    for text, message in (
        ("points,points", "different names separated by commas"),
        ("points,", "different names"),
        ("BH/X1", r"may have the modifiers /C1, /M1, /P, /V2024 or /V2026, got ./X1"),
        ("buchholz-cut0", r"must leave out 1\.\.15"),
        ("PS/M1", "progressive may have the modifiers /C1, got"),
        ("tb5", "no such"),
    ):
        with pytest.raises(InputError, match=message):
            names(text)


def test_the_usual_rule_and_policy():
    event = read(*HELD)
    assert usual_rule(event) == "formula" and usual_policy(event) == "c07-2024"
    newer = dataclasses.replace(event, about={"start": "2026-03-01"})
    assert usual_policy(newer) == "c07" == usual_policy(dataclasses.replace(event, about={}))
    rows = rank(event, named_order(event, "formula", finder(event)))
    assert rows[0].team == "Bruno" and rows[0].scores["points"] == 4
    assert list(rows[0].scores)[1] == "formula"


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


def test_colours_are_needed_where_they_count():
    event = dataclasses.replace(read(*HELD), games=())
    with pytest.raises(InputError, match="games with Black need colours"):
        rank(event, listed_order(event, "points,black-wins", finder(event)))
