"""The command: what it prints and writes, the pairs of files, and what it refuses in one line."""

import json

import pytest
from cli_samples import fails, said
from event_samples import HOSTILE
from forecast_samples import LAST, write_event

import tb2learn as tb
from tb2learn.cli import main
from tb2learn.events import read_event
from tb2learn.forecasts import state
from tb2learn.types import InputError

FEW = ["--continuations", "30"]


@pytest.mark.slow
def test_the_frames_of_the_api_are_those_of_json_and_the_table_has_the_captain(tmp_path, capsys):
    folder = str(write_event(tmp_path))
    frames = tb.forecast(folder, team="a", continuations=30)
    shown = said(capsys, "forecast", folder, "--team", "A", *FEW)
    assert "Chances of A in per cent, by its own result in round 4" in shown.out
    assert "E, G" in shown.err and "bits" not in shown.out and "Monte" not in shown.out
    content = json.loads(
        said(capsys, "forecast", folder, "--team", "A", *FEW, "--format", "json").out
    )
    assert content["captain"] == "A" and content["rules"] == ["product", "learned"]
    for name, frame in frames.items():
        assert len(content[name]) == len(frame) and list(content[name][0]) == list(frame)
    totals = frames["places"].groupby(["rule", "team"]).chance.sum()
    assert totals.round(9).eq(1).all() and len(totals) == 14
    for name, places in (("winner", 1), ("medals", 3)):
        sums = frames["teams"].groupby("rule")[name].sum()
        assert (sums >= places - 1e-9).all()
    # Before the first round all play on, and nobody has a point.
    early = tb.forecast(folder, after=0, continuations=30)["teams"]
    assert len(early) == 14 and (early["mp"] == 0).all()


def test_missing_pairs_are_said_before_the_work_and_a_team_needs_them(
    tmp_path, capsys, monkeypatch
):
    """A captain waited for ten thousand continuations to read that the round is not paired."""
    path = tmp_path / "cup.csv"
    path.write_text("Round;Home;Away;Result\n1;A;B;3-1\n1;C;D;2-2\n1;E;F;1-3\n")

    def work(*_, **__):
        raise InputError("the work begins")

    monkeypatch.setattr("tb2learn.forecasts.request.forecast", work)
    given = ["forecast", str(path), "--rounds", "3"]
    missing = "round 2 of cup is not paired in the file"
    assert main(given) == 2
    early, last = capsys.readouterr().err.split("the work begins")
    assert f"{missing}: the simulator pairs it" in early and "pairings" not in last
    assert f"{missing}: name its pairs with --pairings FILE" in fails(capsys, *given, "--team", "A")
    (tmp_path / "pairs.csv").write_text("team_a,team_b\nA,F\nC,B\nD,E\n")
    assert main([*given, "--pairings", str(tmp_path / "pairs.csv")]) == 2
    paired = capsys.readouterr().err
    assert "the work begins" in paired and missing not in paired


@pytest.mark.thorough
def test_names_and_unrated_fields_are_safe_on_page_and_screen(tmp_path, capsys):
    """Hostile names, nobody rated, pairs from a file."""
    names = [*HOSTILE, "$x^2$"]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = [f"1,{quoted[a]},{quoted[a + 4]},2.5,1.5\n" for a in range(4)]
    (tmp_path / "matches.csv").write_text(
        "round,team_a,team_b,game_points_a,game_points_b\n" + "".join(rows), encoding="utf-8"
    )
    pairs = "".join(f"{quoted[a]},{quoted[b]}\n" for a, b in ((0, 1), (2, 3), (4, 5), (6, 7)))
    (tmp_path / "pairs.csv").write_text("team_a,team_b\n" + pairs, encoding="utf-8")
    given = [str(tmp_path / "matches.csv"), "--rounds", "2", "--team", "<script>", *FEW]
    given += ["--pairings", str(tmp_path / "pairs.csv")]
    out = tmp_path / "page.html"
    shown = said(capsys, "forecast", *given, "--out", str(out))
    assert "no teams of this file have ratings" in shown.err
    page = out.read_text("utf-8")
    assert "<script>" not in page and "&lt;script&gt;" in page and page.count("<img") == 3
    text = said(capsys, "forecast", *given).out
    assert "\x1b" not in text and "\u202e" not in text
    table = said(capsys, "forecast", *given, "--format", "csv").out
    assert all(
        not cell.startswith(("=", "@")) for row in table.splitlines() for cell in row.split(",")
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A,D\nB,C\nF,\nA,B\n", "line 5: team_a must be each once in the round, got 'A'"),
        ("A,D\nB,Nobody\n", "team_b must be a team of the event, got 'Nobody'"),
        ("A,B\nC,F\nD,\n", "A and B have met in round 2"),
        ("A,D\nF,\n", "B is left out"),
    ],
    ids=["twice", "unknown", "met", "left out"],
)
def test_impossible_pairings_are_refused_by_name(tmp_path, capsys, rows, message):
    folder, pairs = write_event(tmp_path), tmp_path / "pairs.csv"
    pairs.write_text("team_a,team_b\n" + rows)
    assert message in fails(capsys, "forecast", str(folder), "--pairings", str(pairs))


@pytest.mark.thorough
def test_byes_in_an_even_field_whose_rounds_make_up_a_round_robin(tmp_path, capsys):
    """Somebody rests where nobody must: the event is no round robin."""
    (tmp_path / "m.csv").write_text(
        "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,2,2\n1,C,D,3,1\n"
    )
    pairs, line = tmp_path / "p.csv", ["forecast", str(tmp_path / "m.csv"), "--rounds", "3"]
    pairs.write_text("team_a,team_b\nA,C\nB,\n")
    assert "D is left out" in fails(capsys, *line, "--pairings", str(pairs))
    pairs.write_text("team_a,team_b\nA,C\nB,\nD,\n")
    assert "A" in said(capsys, *line, "--pairings", str(pairs), *FEW).out


def test_what_cannot_be_forecast_is_refused_in_one_line(tmp_path, capsys):
    finished = str(
        write_event(tmp_path, LAST.replace("A,D,,", "A,D,1,1").replace("C,B,,", "C,B,1,1"))
    )
    assert "is finished: all its 4 rounds" in fails(capsys, "forecast", finished)
    assert "recorded without rounds" in fails(capsys, "forecast", "etcc2011", "--after", "5")
    later = ["--rounds", "20", "--after", "4"]
    assert "16 rounds left: at most 15" in fails(capsys, "forecast", finished, *later)
    message = fails(capsys, "forecast", finished, "--after", "1", "--rounds", "9")
    assert "6 teams play on, and 8 rounds are left" in message
    assert "no team 'Nobody'" in fails(
        capsys, "forecast", finished, "--after", "2", "--team", "Nobody"
    )
    early = ["forecast", finished, "--rounds", "15", "--match-points", "9,5,0"]
    assert "at most 127 match points" in fails(capsys, *early)


CSV = (
    "round,white_player,black_player,result,white_rating,black_rating\n"
    "1,Ann,Bob,1-0,2000,1900\n1,Cid,Dan,1/2-1/2,1800,1700\n1,Eve,,,1600,\n"
    "2,Bob,Cid,,,\n2,Dan,Ann,,,\n2,Eve,Fay,,,\n1,Fay,,,1500,\n"
)


@pytest.mark.parametrize("form", ["csv", "trf"])
def test_every_format_gives_the_pairs_of_its_unfinished_round(tmp_path, form):
    (tmp_path / "open.csv").write_text(
        CSV.replace("Bob,Cid,", "Bob,Cid,1-0")
        .replace("Dan,Ann,", "Dan,Ann,1-0")
        .replace("Eve,Fay,", "Eve,Fay,1-0")
    )
    path = tmp_path / "open.csv"
    if form == "csv":
        path.write_text(CSV)
    else:
        from tb2learn.events.files.options import Reading
        from tb2learn.events.files.write import convert

        path = tmp_path / f"open.{form}"
        convert(str(tmp_path / "open.csv"), path, None, False, Reading())
        text = path.read_text()
        lines = [
            x[:99] + x[99:].replace("1", " ").replace("0", " ") if x.startswith("001") else x
            for x in text.split("\n")
        ]
        path.write_text("\n".join(lines))
    event = read_event(str(path))
    pairs = {tuple(event.teams[t] for t in pair if t is not None) for pair in event.drawn}
    assert pairs == {("Bob", "Cid"), ("Dan", "Ann"), ("Eve", "Fay")}
    assert state.begin(event, rounds=3).paired
    with pytest.raises(InputError, match="is finished"):
        state.begin(event.after(1), rounds=1)


@pytest.mark.thorough
def test_where_the_learned_rule_has_no_meaning_todays_stands_alone(tmp_path, capsys):
    """Of seven teams, too: none is the eleventh."""
    folder = str(write_event(tmp_path))
    three = ["--match-points", "3,1,0"]
    shown = said(capsys, "forecast", folder, *FEW, *three)
    assert "no other rule stands beside: learned is made for matches" in shown.err
    assert "1st and 2nd  FIDE's rule" in shown.out
    assert "learned" not in shown.out and "10th and" not in shown.out
    assert "is made for matches" in fails(
        capsys, "forecast", folder, *FEW, *three, "--tiebreak", "learned"
    )
