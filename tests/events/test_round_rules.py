"""By which rules a team event is paired: the user, the file, the title, the date; and its lot."""

from dataclasses import replace

import pytest
from etcc import small
from helpers import ROOT
from swiss_events import before_first, played_event
from trf_samples import read_trf

from tb2learn.chess.team_swiss import SwissRules
from tb2learn.cli import main
from tb2learn.events import read_event
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.files.write import convert
from tb2learn.events.next_round import next_round
from tb2learn.events.pairing_reasons import reasons
from tb2learn.events.round_rules import named_rules, rules_of
from tb2learn.types import InputError

ROUNDS = [[(0, 3, 3, 1), (1, 2, 2, 2)]]
DATA = ROOT / "tests/data/team_swiss"


def chosen(about, name="Team Cup", asked=None):
    rules = rules_of(replace(small(ROUNDS, about=about), name=name), asked)
    return rules.name, rules.origin


@pytest.mark.parametrize(
    ("about", "name", "asked", "expected"),
    [
        # The user before the file, the file before the title, the title before the date.
        ({"pairing": "FIDE_TEAM_GP"}, "Chess Olympiad 2026", "team-b",
         ("FIDE_TEAM_TYPEB_MP_GP", "user")),
        ({"pairing": "FIDE_TEAM_GP"}, "Chess Olympiad 2026", None, ("FIDE_TEAM_GP", "file")),
        ({"pairing": "FIDE_TEAM"}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "file")),
        ({"pairing": "olympiad-2010"}, "Team Cup", None, ("olympiad-2010", "file")),
        ({"start": "2026-09-01"}, "Chess Olympiad", None, ("olympiad-2022", "title")),
        ({"start": "2018-09-01"}, "Chess Olympiad", None, ("olympiad-2010", "title")),
        ({}, "Chess Olympiad", None, ("olympiad-2022", "title")),
        ({"start": "2026-02-01"}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "date")),
        ({"start": "2026-01-31"}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "assumed")),
        ({"start": "2026"}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "date")),
        ({"start": "2025"}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "assumed")),
        ({}, "Team Cup", None, ("FIDE_TEAM_TYPEA_MP_GP", "assumed")),
        ({"start": "2019"}, "Team Cup", "FIDE_TEAM_MP", ("FIDE_TEAM_MP", "user")),
    ],
)  # fmt: skip
def test_what_says_it_first_decides(about, name, asked, expected):
    assert chosen(about, name, asked) == expected


def test_one_line_says_which_rules_and_why():
    def line(**about):
        return rules_of(small(ROUNDS, about=about)).line

    assert line(pairing="FIDE_TEAM_TYPEB_GP_MP") == (
        "paired by FIDE's Swiss Team Pairing System (C.04.6, colour preferences of type B, game "
        "points, then match points for colours): the file says FIDE_TEAM_TYPEB_GP_MP"
    )
    old = line(start="2019-05-01")
    assert "before FIDE's rules for them (2026-02-01); no rule of its time is here" in old
    assert "so it is A (--rule says otherwise)" in old and "\n" not in old


@pytest.mark.parametrize(
    ("about", "asked", "message"),
    [
        ({"pairing": "FIDE_TEAM_TYPEC"}, None, "must be FIDE_TEAM, or this with"),
        ({"pairing": "FIDE_TEAM_BAKU"}, None, r"Baku acceleration \(C\.04\.7\)"),
        ({"pairing": "FIDE_DUTCH"}, None, r"overrules the file"),
        ({"pairing": "swiss"}, None, "pairing rules must be olympiad-2022"),
        ({}, "dutch", "pairing rules must be olympiad-2022"),
        ({"type": "Round Robin"}, None, "is a round robin"),
    ],
)
def test_what_is_refused(about, asked, message):
    with pytest.raises(InputError, match=message):
        rules_of(small(ROUNDS, about=about), asked)


def test_players_are_not_paired_by_rules_of_teams():
    with pytest.raises(InputError, match="is an event of players"):
        rules_of(read_event(ROOT / "examples/open.trf"))
    assert named_rules("team-none") == SwissRules("none")


@pytest.mark.parametrize("code", ["FIDE_TEAM_MP_GP", "FIDE_TEAM_TYPEB_GP", "FIDE_TEAM"])
def test_files_keep_the_rules_and_the_lot(code, tmp_path):
    """As TRF with record 320 in its columns, and as a folder of tables."""
    event, _ = played_event(3, 9, 4, code)
    text = write_trf(event, 2026)
    lines = text.splitlines()
    assert f"192 {code}" in lines and f"152 {event.about['initial_colour']}" in lines
    (line,) = (line for line in lines if line.startswith("320"))
    byes = [m.team_a + 1 for m in event.matches if m.bye == "pairing"]
    columns = line[4:8], line[9:13], *(line[14 + 4 * k : 17 + 4 * k] for k in range(4))
    assert columns == (" 1.0", " 2.0", *(f"{team:03d}" for team in byes))
    path = tmp_path / "it.trf"
    path.write_text(text, "utf-8", newline="")
    convert(str(path), tmp_path / "folder")
    for back in (read_event(path), read_event(tmp_path / "folder")):
        assert {**back.about} == {**event.about}
        assert rules_of(back).name == rules_of(event).name
        assert next_round(back, rounds=9).pairing == next_round(event, rounds=9).pairing


def test_a_code_of_another_program_says_nothing():
    event, _ = played_event(3, 8, 2, "FIDE_TEAM")
    text = write_trf(replace(event, about={}), 2026)
    assert "192 CUSTOM_TEAM_SWISS_MP" in text
    back = read_trf(text.encode(), "it")
    assert "pairing" not in back.about and rules_of(back).origin == "assumed"


def test_colours_that_contradict_the_file_are_refused(tmp_path, capsys):
    """Half of the first round has odd numbers with White, half with Black; or the lot is wrong."""

    def turned(number, pairs):
        return [*(pair[::-1] for pair in pairs[:2]), *pairs[2:]] if number == 1 else pairs

    mixed, _ = played_event(3, 8, 2, "FIDE_TEAM", slip=turned)
    with pytest.raises(InputError, match=r"declares FIDE_TEAM_TYPEA_MP_GP, by which odd numbers"):
        rules_of(mixed)
    assert rules_of(mixed, "team-a").origin == "user"
    event, _ = played_event(3, 8, 2, "FIDE_TEAM")
    other = "B" if event.about["initial_colour"] == "W" else "W"
    wrong = replace(event, about={**event.about, "initial_colour": other})
    with pytest.raises(InputError, match="as initial colour, but in round 1 odd numbers have"):
        rules_of(wrong)
    path, out = tmp_path / "it.trf", tmp_path / "round.html"
    path.write_text(write_trf(wrong, 2026), "utf-8", newline="")
    assert main(["pair", str(path), "--out", str(out)]) == 2 and not out.exists()
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["pair", str(path), "--out", str(out), "--rule", "team-a"]) == 0 and out.exists()


def test_the_lot_is_that_of_the_file():
    event = before_first(1, 6, 5, "FIDE_TEAM")
    for said, white in (("W", 1), ("B", 4)):
        told = replace(event, about={"pairing": "FIDE_TEAM", "initial_colour": said})
        pairing = next_round(told, first_white=False).pairing
        assert pairing.pairs[0].white == white
    unsaid = replace(event, about={"pairing": "FIDE_TEAM"})
    assert next_round(unsaid, first_white=False).pairing.pairs[0].white == 4


def test_the_last_two_rounds_are_told_by_the_number_of_rounds():
    """A round may be paired otherwise as one of the last two, where floats do not count."""
    event = read_event(DATA / "e4.trf")
    unlike = 0
    for after in range(2, 7):
        cut = replace(event.after(after), planned=0)
        assert next_round(cut).rounds == 0
        late = next_round(cut, rounds=after + 1).pairing
        early = next_round(cut).pairing
        assert early.pairs == next_round(event.after(after)).pairing.pairs
        unlike += early.pairs != late.pairs
    assert unlike
    with pytest.raises(InputError, match=r"rounds must be 7\.\.40"):
        next_round(event.after(6), rounds=3)


def test_why_a_team_is_paired_so():
    event = read_event(DATA / "e4.trf").after(6)
    made = next_round(event)
    risen = {number for bracket in made.pairing.brackets for number in bracket.upfloaters}
    said = {number: " ".join(reasons(made, made.name(number))) for number in made.teams}
    for number, text in said.items():
        assert ("It floats up to the bracket of" in text) == (number in risen)
        assert "on board 1 (4.3." in text
    assert "they have met (C1)" in said[9] and "could not be paired (C3)" in said[9]
    odd = next_round(read_event(DATA / "nocolor.trf").after(4))
    assert "It has the bye: " in " ".join(reasons(odd, odd.name(odd.pairing.bye)))


def test_the_command_names_the_rules(capsys):
    path = str(DATA / "nocolor.trf")
    assert main(["pair", path, "--after", "4", "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert "paired by FIDE's Swiss Team Pairing System (C.04.6, no colour" in printed.err
    assert printed.out.splitlines()[-1].startswith("5,Team 3,")
    assert main(["pair", path, "--after", "4", "--rule", "olympiad-2022"]) == 0
    assert "paired by Olympiad pairing rules of 2022" in capsys.readouterr().err
    assert main(["pair", path, "--after", "4", "--explain", "Team 1"]) == 0
    assert capsys.readouterr().out.startswith("paired by FIDE's Swiss Team Pairing System")
