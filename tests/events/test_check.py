"""The checker: what a file prints is recomputed, and what breaks the rules of a Swiss is named."""

import dataclasses
import json

from crosstable_samples import PLAYERS, crosstable
from etcc import small

from tb2learn import cli
from tb2learn.events import Game, Player, read_event
from tb2learn.events.check import Finding, check, published_note
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.unplayed.policies import usual_policy
from tb2learn.export.standings import rank_event


def read(text, name="table.csv", **options):
    return read_event(MemoryFile(name, text.encode()), Reading(**options))


def columns(event):
    return {one.heading: (one.criterion, one.agreeing, one.cells) for one in check(event).columns}


def found(event):
    return [(one.round, one.kind) for one in check(event).findings]


def test_printed_columns_are_recognised():
    """Four players, two rounds, every game won by the first: Buchholz is that of the opponents."""
    text = (
        "Rk.;Name;1.Rd;2.Rd;Pts.;TB1;TB2\n1;Ace;3w1;2b1;2;1;0,5\n2;Bat;4b1;1w0;1;2;0\n"
        "3;Cat;1b0;4w½;0,5;2,5;0,25\n4;Dog;2w0;3b½;0,5;1,5;0,25\n"
    )
    event = read(text)
    assert columns(event)["Pts."] == ("points", 4, 4)
    assert columns(event)["TB1"][:2] != ("", 4) and columns(event)["place"] == ("", 4, 4)
    note = published_note(event)
    assert len(note) == 1 and note[0].startswith("printed and recomputed agree: Pts. 4 of 4; TB1 ")


def test_the_note_of_rank_on_printed_columns_follows_the_edition_that_is_asked_for():
    text = "Rk.;Name;1.Rd;2.Rd;3.Rd;Pts.;TB1\n"
    for row in (
        "1;Ace;2w1;3b1;5w1;3", "2;Bat;1b0;5w1;-0;1", "3;Cat;4w1;1w0;-0;1", "4;Dog;3b0;-0;-0;0",
        "5;Eel;-0;2b0;1b0;0",
    ):  # fmt: skip
        text += f"{row};0\n"
    event = read(text)
    rows = {
        row.team: row
        for row in rank_event(event, ["points", "buchholz"], unplayed="c07").ranking.rows
    }
    printed = [f"{rows[team].scores['buchholz']:g}" for team in event.teams]
    event = dataclasses.replace(event, published={**event.published, "TB1": tuple(printed)})
    by_edition = {
        name: next(n for n in rank_event(event, unplayed=name).notes if n.startswith("printed"))
        for name in (usual_policy(event), "c07", "face-value")
    }
    assert "TB1 (buchholz) 5 of 5" in by_edition["c07"]
    assert "TB1 (buchholz) 5 of 5" in by_edition[usual_policy(event)]
    assert "5 of 5" not in by_edition["face-value"].partition("TB1")[2].partition(";")[0]


def test_a_wrong_cell_is_named(baku):
    """The crosstable of an Olympiad prints match points; one of them is made wrong."""
    text = crosstable(baku, heads=("Rk.", "Team"))
    whole = read(text)
    # Seven matches of that Olympiad had a board that nobody won.
    assert [kind for _, kind in found(whole)] == ["board"] and columns(whole)["Pts."][0] == "mp"
    lines = text.splitlines()
    *cells, last = lines[5].split(";")
    lines[5] = ";".join([*cells, str(int(last) - 1)])
    (wrong,) = (one for one in check(read("\n".join(lines))).findings if one.kind == "points")
    assert wrong.round == 0
    assert wrong.text == f"{cells[1]}: Pts. is printed as {int(last) - 1}, mp is {last}"


def test_places_that_follow_from_nothing_are_one_finding():
    rows = [f"{n};P{n};{n + 1 if n % 2 else n - 1}{'w1' if n % 2 else 'b0'};{n % 2}"
            for n in range(1, 9)]  # fmt: skip
    (wrong,) = check(read("\n".join(["Rk.;Name;1.Rd;Pts.", *rows]))).findings
    assert wrong == Finding(
        0,
        "place",
        "only 5 of 8 follow from the printed columns, one by one: P3 has more than P2, printed "
        "before; P5 has more than P4, printed before; P7 has more than P6, printed before",
    )


def games(*rows):
    return read("\n".join(["round,white_player,black_player,result,bye", *rows]))


REST = ("E,F", "G,H", "I,J")


def rounds(*pairs):
    """Games of these pairs, one a round, beside others that are in order."""
    rows = []
    for number, pair in enumerate(pairs, start=1):
        rows.append(f"{number},{pair},1-0,")
    return rows


def test_what_breaks_the_rules_of_a_swiss():
    rows = rounds("A,B", "A,C", "A,D", "B,A")
    event = games(*rows, *(f"1,{pair},1-0," for pair in REST), "1,K,,,pairing", "2,K,,,pairing")
    assert [(one.round, one.kind, one.text) for one in check(event).findings] == [
        (2, "bye", "K had the bye in round 1 already"),
        (4, "pairing", "B and A met in round 1 already"),
    ]
    assert [(one.round, one.text) for one in check(event).remarks] == [
        (3, "A had white three times in a row")
    ]


def test_the_last_round_may_give_a_leader_a_third_colour():
    rows = rounds("A,B", "A,C", "A,D")
    event = games(*rows, *(f"1,{pair},1-0," for pair in REST))
    assert found(event) == []  # A has two points of two before the last round
    worse = games("1,A,B,0-1,", "2,A,C,0-1,", "3,A,D,1-0,", *(f"1,{pair},1-0," for pair in REST))
    assert [(one.round, one.kind) for one in check(worse).remarks] == [(3, "colour")]
    assert found(worse) == []


def test_pairs_of_an_olympiad_that_its_rules_would_not_make_are_remarks():
    """Two pairs of round 9 exchange their opponents."""
    event = read_event("samarkand2026w").after(9)
    before = [remark for remark in check(event).remarks if remark.kind == "pairing"]
    assert [remark.round for remark in before] == [2, 9]
    assert "Poland - Cuba, " in before[1].text
    assert "by the rules Poland - Bulgaria, Cuba - Germany" in before[1].text
    a, b = [k for k, match in enumerate(event.matches) if match.round == 8][:2]
    matches = list(event.matches)
    one, other = matches[a], matches[b]
    matches[a], matches[b] = (
        dataclasses.replace(one, team_b=other.team_b), dataclasses.replace(other, team_b=one.team_b)
    )  # fmt: skip
    changed = check(dataclasses.replace(event, matches=tuple(matches)))
    assert changed.findings == ()
    eighth = [r.text for r in changed.remarks if (r.round, r.kind) == (8, "pairing")]
    names = [event.teams[team] for team in (*one.teams, *other.teams)]
    assert len(eighth) == 1 and all(name in eighth[0].split("; by the rules")[0] for name in names)
    assert "by the rules Kazakhstan - India, Netherlands - Uzbekistan" in eighth[0]
    assert "olympiad-2022, 8.2: a team that floats down" in eighth[0]


def test_players_of_a_team_who_changed_boards():
    """Ten line-ups are in order, in one two players changed boards; a shuffled record has none."""
    league = small([[(a, b, 2, 2)] for a, b in [(0, 1)] * 11], ["A", "B"], 2)
    players = tuple(Player(team, f"{'AB'[team]}{seat}") for team in (0, 1) for seat in (1, 2))

    def seated(changed):
        games = []
        for round_number in range(1, 12):
            order = [(0, 2), (1, 3)] if round_number not in changed else [(1, 2), (0, 3)]
            for board, (white, black) in enumerate(order, start=1):
                games.append(Game(round_number, 1, board, 0, 1, white, black, 1, 1))
        return dataclasses.replace(league, players=players, games=tuple(games))

    (wrong,) = (one for one in check(seated({4})).findings if one.kind == "board")
    assert (wrong.round, wrong.text) == (4, "A: A2 sits above A1, who is listed before")
    for changed in (set(), {1, 2, 5, 7}):
        assert not [one for one in check(seated(changed)).findings if one.kind == "board"]


def test_places_beside_a_column_that_is_not_recognised_are_a_remark():
    rows = [f"{n};P{n};{n + 1 if n % 2 else n - 1}{'w1' if n % 2 else 'b0'};{n % 2};{n * 37 % 11}"
            for n in range(1, 9)]  # fmt: skip
    result = check(read("\n".join(["Rk.;Name;1.Rd;Pts.;Magic", *rows])))
    assert result.findings == ()
    assert "Magic is no tie-break that is recognised" in result.remarks[-1].text


def test_a_round_robin_is_no_swiss():
    rows = ["1,A,B,1-0,", "2,A,B,1-0,", "3,A,B,1-0,"]
    assert found(games(*rows)) == []


def test_the_command(tmp_path, capsys):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text(PLAYERS)
    bad.write_text(PLAYERS.replace(" 4w1;", " 4w½;"))
    assert cli.main(["check", str(good), "--by-round"]) == 0
    out = capsys.readouterr().out
    assert "Pts.     points" in out and "round 3: nothing wrong" in out
    assert out.endswith("nothing wrong\n")
    assert cli.main(["check", str(bad), "--format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    (finding,) = content["findings"]
    # ½-0 is a result, by a penalty: what it leaves to be found is the printed total.
    assert (finding["kind"], finding["text"]) == (
        "points",
        "Ace Anna: Pts. is printed as 2.5, points is 2",
    )
    assert cli.main(["check", str(tmp_path / "none.csv")]) == 2
    assert capsys.readouterr().err.startswith("tb2learn: error: ")
