"""Which event it is: the edition for unplayed rounds, the order, the rule of half the games."""

import pickle
from dataclasses import replace
from itertools import pairwise, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from etcc import small

from tb2learn import api
from tb2learn.catalogue import find_rule
from tb2learn.chess.berger import round_robin
from tb2learn.cli import main
from tb2learn.data import read_rows
from tb2learn.events import Reading, kind, rank, read_criteria, read_event, usual_policy, usual_rule
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.kind import (
    free_rounds,
    half_rule,
    is_olympiad,
    is_round_robin,
    short_of_half,
    start_of,
)
from tb2learn.events.unplayed.record import event_record
from tb2learn.events.verdict import verdict, with_others
from tb2learn.export.standings import rank_event
from tb2learn.export.verdict_words import verdict_text
from tb2learn.types import BYE, InputError


def named(name, **about):
    return replace(swiss(), name=name, about=about)


def swiss():
    """Five rounds of eight teams, who meet others each round, and one bye."""
    games = round_robin(8, 1).games.tolist()[:5]
    return small([[(a, b, 5, 3) for a, b in pairs] for pairs in games], list("ABCDEFGH"), 4)


@pytest.mark.parametrize(
    ("name", "start", "policy"),
    [
        ("baku2016", "", "baku2016"),
        ("42nd Chess Olympiad Baku", "2016/09/02", "baku2016"),
        ("42nd Chess Olympiad, Baku 2016", "", "baku2016"),
        ("Schacholympiade 2018, Frauen", "", "baku2016"),
        ("Шахматная олимпиада", "2022/07/29", "face-value"),
        ("samarkand2026", "", "face-value"),
        ("Olympiad", "", "face-value"),
        ("World Youth U16 Olympiad", "2024/11/03", "c07-2024"),
        ("Olympiad", "2021/12/31", "baku2016"),
        ("Olympiad", "2016", "baku2016"),
        ("Olympiad", "2015/12/31", "olympiad2010"),
        ("tromso2014", "", "olympiad2010"),
        ("Olympiad", "2006", "olympiad2010"),
        ("City League", "2009", "c07-2009"),
        ("City League", "2023/08/31", "c07-2009"),
        ("City League", "2023/09/01", "c07-2024"),
        ("City League", "2022", "c07-2009"),
        ("City League", "2023", "c07-2024"),
        ("City League", "1999/05/01", "c07-2009"),
        ("Olympiad", "2022/01/01", "face-value"),
        ("Olympiad", "2021", "baku2016"),
        ("Olympiad", "2022", "face-value"),
        ("City League", "2026/02/28", "c07-2024"),
        ("City League", "2026/03/01", "c07"),
        ("City League", "2025", "c07-2024"),
        ("City League", "2026", "c07"),
        ("City League", "2025/10/01", "c07-2024"),
        ("City League", "", "c07"),
    ],
)
def test_the_edition_follows_the_event(name, start, policy):
    event = named(name, **({"start": start} if start else {}))
    assert usual_policy(event) == policy and usual_rule(event) == "product"
    assert is_olympiad(event) == (not policy.startswith("c07"))


@pytest.mark.parametrize(
    ("name", "start", "since"),
    [
        ("City League", "2008/12/31", "2009"), ("City League", "2009/01/01", ""),
        ("dresden2008", "", "2010"), ("khanty2010", "", ""), ("City League", "", ""),
    ],
)  # fmt: skip
def test_an_event_older_than_all_editions_has_a_note(name, start, since):
    event = replace(named(name, **({"start": start} if start else {})), matches=swiss().matches[1:])
    notes = [note for note in rank_event(event).notes if "of the time" in note]
    assert [f"before {since}, is not here" in note for note in notes] == [True] * bool(since)
    # All rounds were played: no rule was needed.
    assert not [note for note in rank_event(named(name)).notes if "of the time" in note]


def test_a_year_in_the_name_is_a_date():
    assert start_of(named("Cup 2019-20")) == "2019" and start_of(named("Cup 20195")) == ""
    line = rank_event(replace(named("Cup"), matches=swiss().matches[:-1])).line
    assert line == "FIDE C.07 (March 2026), as the event has no date: MPTS, EMGSB/C1, GPTS, BH/C1"


def test_the_day_on_which_an_event_began():
    """That of the start, else of the end, else a year in either, else in the name."""
    assert start_of(named("Cup 1999", start="2016/09/02", end="2016/09/14")) == "2016-09-02"
    assert start_of(named("Cup 1999", start="September", end="2016-09-14")) == "2016-09-14"
    assert start_of(named("Cup 1999", start="Sept. 2016", end="soon")) == "2016"
    assert start_of(named("Cup 1999")) == "1999" and start_of(named("Cup 2099")) == "2099"
    assert (
        start_of(named("Cup 1899")) == start_of(named("Cup 2100")) == start_of(named("Cup")) == ""
    )


def test_who_played_half_of_a_round_robin_exactly_stays():
    """Article 6.6: fewer than half. Of their six games E played three, and F two."""
    games = round_robin(7, 1).games.tolist()
    whole = small([[(a, b, 2, 0) for a, b in pairs] for pairs in games], list("ABCDEFG"), 1)
    forfeited = [{4, 0}, {4, 1}, {4, 2}, {5, 0}, {5, 1}, {5, 2}, {5, 3}]
    matches = tuple(
        replace(m, boards_forfeited=1) if {*m.teams} in forfeited else m for m in whole.matches
    )
    event = replace(whole, matches=matches)
    assert short_of_half(event) == (5,)
    kept = half_rule(event, True)
    assert kept.teams == tuple("ABCDEG") and len(kept.matches) == 15
    assert {team for match in kept.matches for team in match.teams} == set(range(6))
    # A round to come counts as played: of six after six of seven, two and one are half.
    before = event.after(6)
    played = [sum(m.played and team in m.teams for m in before.matches) for team in range(7)]
    assert played[4:6] == [3, 2] and short_of_half(before) == ()
    fewer = tuple(
        replace(m, boards_forfeited=1) if {*m.teams} == {5, 6} else m for m in before.matches
    )
    assert short_of_half(replace(before, matches=fewer)) == (5,)


def test_the_official_ranking_of_the_womens_olympiad_of_2026_by_default():
    rows = rank_event(read_event("samarkand2026w")).ranking.rows
    official = [row["team"] for row in read_rows("samarkand2026w/official.csv")]
    assert len(official) == 189
    assert [row.team for row in rows] == official


@pytest.mark.parametrize("teams", [5, 6])
def test_a_round_robin_with_matches_that_were_not_played(teams):
    games = round_robin(teams, 1).games.tolist()
    whole = small([[(a, b, 5, 3) for a, b in pairs] for pairs in games], list("ABCDEF")[:teams], 4)
    missing = replace(whole, matches=whole.matches[:2] + whole.matches[3:])
    for event in (whole, missing):
        assert is_round_robin(event) and usual_policy(event) == "face-value"
        assert usual_rule(event) == "fide"
    assert not is_round_robin(swiss())
    # Rematches in the last round make it a Swiss.
    before = tuple(m for m in missing.matches if m.round < event.rounds)
    again = tuple(replace(m, round=event.rounds) for m in before if m.round == 1)
    assert not is_round_robin(replace(missing, matches=before + again))
    declared = replace(swiss(), about={"type": "Team: Round-Robin"})
    assert is_round_robin(declared)


GAPS = (((2, 4), (3, 5)), ((0, 4), (1, 5)), ((0, 3), (1, 4), (2, 5)), ((0, 5), (1, 2), (3, 4)))
"""Who met in rounds 2 to 5 of a round robin of six whose first round is not recorded."""


@pytest.mark.parametrize("first", range(6))
def test_a_round_robin_with_gaps_is_one_in_any_order_of_the_players(first):
    for rest in permutations({*range(6)} - {first}):
        number = (first, *rest)
        rounds = [[(number[a], number[b], 5, 3) for a, b in pairs] for pairs in GAPS]
        event = small([rounds[0], *rounds], "ABCDEF", 4)
        event = replace(event, matches=tuple(m for m in event.matches if m.round > 1))
        assert is_round_robin(event)


def test_what_is_asked_often_is_kept_with_the_event():
    """An event with other matches is another one; nobody can change what all share."""
    event = swiss()
    assert event_record(event) is event_record(event)
    assert event_record(replace(event, matches=event.matches[:-1])) is not event_record(event)
    assert pickle.loads(pickle.dumps(event)) == event
    with pytest.raises(ValueError, match="read-only"):
        event_record(event).gained[0] = 5


ROBIN = (
    "012 Six",
    "092 Individual: Swiss-System (Dutch)",
    "XXR 5",
    "001    1 m    R1, X.                            1990 XXX                         2.5    4"
    "     6 w 1     5 b 0     4 w 1     3 b 0     2 w =",
    "001    2 m    R2, X.                            1980 XXX                         3.0    3"
    "     5 w =     3 w 0     6 b +     4 b 1     1 b =",
    "001    3 m    R3, X.                            1970 XXX                         3.5    1"
    "     4 w =     2 b 1     5 b 0     1 w 1     6 w +",
    "001    4 m    R4, X.                            1960 XXX                         1.5    5"
    "     3 b =     6 b 0     1 b 0     2 w 0     5 w 1",
    "001    5 m    R5, X.                            1950 XXX                         3.5    2"
    "     2 b =     1 w 1     3 w 1     6 w +     4 b 0",
    "001    6 m    R6, X.                            1940 XXX                         1.0    6"
    "     1 b 0     4 w 1     2 w -     5 b -     3 b -",
)


def test_who_played_fewer_than_half_of_a_round_robin(tmp_path, capsys):
    """Article 6.6 of the General Regulations: by default where the file calls it one."""
    path = tmp_path / "six.trf"
    path.write_text("".join(f"{line}\r\n" for line in ROBIN))
    event = read_event(path)
    kept = half_rule(event)
    assert kept.teams == event.teams and "R6, X. played fewer than half" in kept.notes[-1]
    asked = half_rule(event, True)
    rows = rank_event(asked).ranking.rows
    points = {row.team[:2]: row.scores["points"] for row in rows}
    assert points == {"R5": 2.5, "R3": 2.5, "R2": 2, "R1": 1.5, "R4": 1.5}
    declared = replace(event, about={"type": "Round-Robin"})
    assert half_rule(declared).teams == asked.teams
    assert half_rule(declared, False) is declared
    assert main(["rank", str(path), "--half-rule", "--format", "csv"]) == 0
    assert "R6" not in capsys.readouterr().out
    with pytest.raises(InputError, match="is no round robin"):
        half_rule(swiss(), True)


def test_games_that_are_still_to_be_played_count_for_the_half():
    rows = "1;A;D;3-1\n1;B;C;verlegt\n2;D;C;4-0\n2;A;B;2-2\n3;B;D;1-3\n3;C;A;verlegt\n"
    event = read_event(MemoryFile("x.csv", f"Round;Home;Away;Result\n{rows}".encode()), Reading())
    assert half_rule(event, True).teams == event.teams  # C has played one of three


# ------------------------------------------------------------------------------------ verdicts


def order(event):
    return read_criteria(event, "product", lambda name: find_rule(name, event.rounds, event.boards))


def test_the_gold_medal_of_baku_hung_on_germany_and_estonia(baku):
    teams = [baku.teams.index(name) for name in ("Ukraine", "United States of America")]
    told = verdict_text(verdict(rank(baku, order(baku)), (teams[0], teams[1])))
    assert told.startswith(
        "United States of America is before Ukraine: EMGSB/C1 decides, 413.5 to 404"
    )
    assert "had Germany drawn with Estonia (Germany-Estonia was 2½-1½)" in told
    others = api.rank(baku, others=True)["others"]
    assert others.fillna(-1).head(4).tolist() == [1, -1, -1, 0]


def test_every_named_match_turns_the_order_and_no_other_of_the_last_round():
    """By brute force over all results of others in a small event."""
    rng = np.random.default_rng(2)
    games = round_robin(8, 1).games.tolist()[:5]
    turned = 0
    for _ in range(6):
        half = lambda: int(rng.integers(2, 7))  # noqa: E731
        made = [[(a, b, (h := half()), 8 - h) for a, b in pairs] for pairs in games]
        event = small(made, list("ABCDEFGH"), 4)
        rows = with_others(rank(event, order(event)))
        for one, other in pairwise(rows):
            if one.scores["mp"] != other.scores["mp"] or one.place == other.place:
                assert one.others is None
                continue
            pair = event.teams.index(one.team), event.teams.index(other.team)
            found = verdict(rank(event, order(event)), pair)
            assert (found.first, found.second, found.tied_on) == (one.team, other.team, True)
            flips = set()
            for index, match in enumerate(event.matches):
                if match.round != 5 or set(pair) & set(match.teams):
                    continue
                was = np.sign(match.half_points_a - match.half_points_b)
                for a in range(9):
                    if abs(np.sign(a - 4) - was) != 1:
                        continue
                    changed = replace(match, half_points_a=a, half_points_b=8 - a)
                    matches = (*event.matches[:index], changed, *event.matches[index + 1 :])
                    again = rank(replace(event, matches=matches), order(event))
                    places = {row.team: row.place for row in again}
                    if places[other.team] <= places[one.team]:
                        flips.add(match.teams)
            named = [{turned.first, turned.second} for turned in found.turning]
            letters = [{event.teams[team] for team in teams} for teams in flips]
            assert one.others == len(named) == len(letters)
            assert all(teams in letters for teams in named)
            turned += len(flips)
    assert turned > 5


def test_points_decide_and_equal_teams_share(baku):
    teams = baku.teams.index("Norway"), baku.teams.index("Ukraine")
    assert verdict_text(verdict(rank(baku, order(baku)), teams)) == (
        "Ukraine is before Norway: MPTS decides, 20 to 16."
    )
    alike = small([[(0, 1, 4, 4)]], ["A", "B"], 4)
    assert "share a place" in verdict_text(verdict(rank(alike, order(alike)), (0, 1)))


def test_a_free_round_is_that_of_the_only_team_without_an_opponent(monkeypatch):
    """Three teams: A rests in round 1; in round 2 nobody is paired, so nobody rests."""
    opponents = np.array([[BYE, 2, 1], [BYE, BYE, BYE], [1, 0, BYE]])
    record = SimpleNamespace(opponent=opponents, awaited=None)
    monkeypatch.setattr(kind, "is_round_robin", lambda event: True)
    monkeypatch.setattr(kind, "event_record", lambda event: record)
    event = small([[(1, 2, 2, 2), (0, None, 0, 0)]])
    assert free_rounds(event) == {(0, 1), (2, 3)}
