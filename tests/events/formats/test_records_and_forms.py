"""Records of other programs, and forms of tables that are common elsewhere."""

import io
import zipfile

import pytest
from pgn_samples import game
from player_samples import entry
from trf_samples import SMALL

from tb2learn.events import Reading, rank, read_criteria
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.write import convert
from tb2learn.events.kind import withdrawn
from tb2learn.events.model import team_totals
from tb2learn.export.standings import rank_event
from tb2learn.tiebreaks.rules import classic
from tb2learn.types import InputError


def read(text, name="t.csv", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_event(MemoryFile(name, data), Reading(**options))


OPEN = "\n".join(
    [
        "012 Open",
        entry(1, "Ace", 0, "2 w 1", "0000 - U", "3 b 1", rating="2050"),
        entry(2, "Bat", 0, "1 b 0", "3 w =", "0000 - H"),
        entry(3, "Cat", 0, "0000 - Z", "2 b =", "1 w 0", rating=""),
        "",
    ]
)


def points(event):
    return [sum(m.points_of(k)[0] for m in event.matches if k in m.teams) / 2 for k in range(3)]


@pytest.mark.parametrize("record", ["XXR 007", "142 007", "XXR 7", "142   7"])
def test_a_number_of_rounds_may_have_noughts(record):
    event = read(f"{OPEN}{record}\n", "t.trf")
    assert event.planned == 7 and "rounds" not in " ".join(event.notes)
    assert any("a number of rounds" in n for n in read(f"{OPEN}XXR 0099\n", "t.trf").notes)


def test_javafo_says_what_results_score():
    """Byes pay as much as the results that they stand for."""
    assert points(read(OPEN, "t.trf")) == [3, 1, 0.5]
    assert points(read(OPEN + "XXS W=3 D=1\n", "t.trf")) == [9, 2, 1]
    event = read(OPEN + "XXS W=3 D=1 L=0.5 PAB=1 FPB=3\n", "t.trf")
    assert points(event) == [7, 2.5, 1.5] and "XXS" not in " ".join(event.notes)
    notes = read(OPEN + "XXS W=3 D=1 ZPB=1 Q=2\n", "t.trf").notes
    assert any("ZPB of record XXS counts as 0 here" in note for note in notes)
    assert any("a code of record XXS that is none of W, D, L, PAB" in note for note in notes)


def test_nought_is_a_rating_for_the_unrated():
    event = read(OPEN, "t.trf")

    def aro(code):
        order = read_criteria(event, [f"PTS,{code}"], lambda name: classic(name, 3, 1))
        return {row.team: row.scores[order[-1].name] for row in rank(event, order)}

    assert aro("ARO") == {"Ace": 2000, "Bat": 2050, "Cat": 2025}
    assert aro("ARO/U0") == {"Ace": 1000, "Bat": 1025, "Cat": 2025}
    assert aro("ARO/U1000") == {"Ace": 1500, "Bat": 1525, "Cat": 2025}


AMERICAN = (
    "Place,Name,Rating,Rd 1,Rd 2,Rd 3,Total\n"
    "1,Ace,2050,{},W4,D2,2.5\n2,Bat,2000,H---,L3,D1,1\n3,Cat,1950,B---,W2,X4,3\n"
    "4,Dog,1900,U---,L1,F3,0\n"
)


def test_a_crosstable_of_the_united_states():
    event = read(AMERICAN.format("X"))
    assert [points for points, _ in totals(event)] == [5, 2, 6, 0]
    assert any("has no colours" in note for note in event.notes)
    byes = {event.teams[m.team_a]: m.bye for m in event.matches if m.team_b is None}
    assert byes == {"Ace": "pairing", "Bat": "half", "Cat": "pairing", "Dog": "zero"}
    (forfeit,) = (match for match in event.matches if match.by_default)
    assert {event.teams[k] for k in forfeit.teams} == {"Cat", "Dog"}
    with pytest.raises(InputError, match="round 1 of Ace must be such as W12, D5, L3"):
        read(AMERICAN.format("Q9"))


def totals(event):
    return team_totals(event)


def test_dates_in_place_of_rounds():
    rows = ["2026-02-01,A,C,3,1", "2026-02-01,B,D,2,2", "2026-01-10,A,B,3,1", "2026-01-10,C,D,4,0"]
    head = "Date,Home,Away,Home score,Away score"
    event = read("\n".join([head, *rows]))
    assert [(m.round, event.teams[m.team_a]) for m in event.matches] == [
        (1, "A"), (1, "C"), (2, "A"), (2, "B"),
    ]  # fmt: skip
    assert any("the dates are taken for rounds: 2" in note for note in event.notes)
    event = read("\n".join([head, *rows, "2026-02-01,A,D,3,1"]))
    assert not event.known_rounds and len(event.matches) == 5
    assert any("rounds are not known" in note for note in event.notes)
    with pytest.raises(InputError, match="unclear files are refused"):
        read("\n".join([head, *rows]), strict=True, form="table")


def test_two_games_a_round_have_a_way_out():
    games = "round,white_player,black_player,result\n1,Ann,Bob,1-0\n1,Bob,Ann,0-1\n"
    with pytest.raises(InputError, match="teams of one with matches of two games: team_a, team_b"):
        read(games)


def test_a_sheet_of_libreoffice_is_named():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<x/>")
    with pytest.raises(InputError, match="is a LibreOffice sheet: save it as XLSX or CSV"):
        read(stream.getvalue(), "t.ods")


@pytest.mark.parametrize("text", ["1-0F", "1-0 ff", "1-0ff", "1F-0F", "+--"])
def test_ways_to_write_a_forfeit(text):
    event = read(f"round,white_player,black_player,result\n1,Ann,Bob,{text}\n1,Cid,Dan,1-0\n")
    assert [(m.half_points_a, m.played) for m in event.matches] == [(2, False), (2, True)]


def test_convert_lists_what_was_lost_and_nothing_else(tmp_path):
    (tmp_path / "small.trf").write_text("\n".join([*SMALL, "062 11", "NOR    1 2345"]) + "\n")
    *_, lost = convert(tmp_path / "small.trf", tmp_path / "again.trf")
    assert lost and all(text.startswith("records ") for text in lost)
    assert not any("062" in text for text in lost)
    convert(tmp_path / "small.trf", tmp_path / "cup")
    players = (tmp_path / "cup/players.csv").read_text()
    (tmp_path / "cup/players.csv").write_text(players.replace("Ace, Alf", "Ace, Alf" + 40 * "x"))
    boards = (tmp_path / "cup/boards.csv").read_text()
    (tmp_path / "cup/boards.csv").write_text(boards.replace("Ace, Alf", "Ace, Alf" + 40 * "x"))
    *_, lost = convert(tmp_path / "cup", tmp_path / "cup.trf")
    assert lost == ("names beyond its columns",)


def games_between(pairs):
    head = "round,white_player,black_player,result"
    return "\n".join([head, *(f"{r},{a},{b},1-0" for r, a, b in pairs)]) + "\n"


ACROSS = [(r + 1, f"A{k}", f"B{(k + r) % 4}") for r in range(4) for k in range(4)]


def test_a_scheveningen_is_said_and_ranked_by_points():
    event = read(games_between(ACROSS))
    assert event.about["tiebreaks"] == "PTS,SB"
    assert any("a Scheveningen" in note for note in event.notes)
    (said,) = [note for note in rank_event(event).notes if note.startswith("the order is")]
    assert "that of a Scheveningen, PTS,SB" in said and "file's own" not in said
    assert "tiebreaks" not in read(games_between(ACROSS[:-1])).about
    text = "012 Cup\n192 CUSTOM_TEAM_SCHEVENINGEN\n" + OPEN.partition("\n")[2]
    assert any("a Scheveningen" in note for note in read(text, "t.trf").notes)


def test_play_offs_behind_a_swiss_get_a_hint():
    rounds = ("AH BG CF DE", "AG BH CE DF", "AF BE CH DG", "AB CD", "AC BD")
    pairs = [(r, tuple(pair)) for r, text in enumerate(rounds, start=1) for pair in text.split()]
    event = read(games_between([(r, a, b) for r, (a, b) in pairs]))
    (note,) = (note for note in event.notes if "play-offs" in note)
    assert not withdrawn(event)  # who is in no play-offs has not left
    assert note.startswith("rounds 4 to 5 look like play-offs") and "--after 3 --decided" in note
    again = [(r, a, b) for r, (a, b) in pairs] + [(6, "A", "H")]
    assert not any("met more often" in note for note in read(games_between(again)).notes)
    whole = [(r, a, b) for r, (a, b) in pairs if r < 4]
    assert not any("play-offs" in note for note in read(games_between(whole)).notes)


def test_a_forfeit_in_the_result_of_a_pgn():
    text = game(Result="1-0F", moves="") + game("C", "D", Result="1-0")
    first, second = read(text, "t.pgn").matches
    assert (first.half_points_a, first.played, second.played) == (2, False, True)


@pytest.mark.parametrize("heads", ["1;1;2;2;3;3", "1;;2;;3;"])
def test_a_double_square_of_teams_has_two_columns_an_opponent(heads):
    rows = "1;A;*;*;3;2;2½;4;14\n2;B;1;2;*;*;2;2;7\n3;C;1½;0;2;2;*;*;5½\n"
    event = read(f"Rk.;Team;{heads};Pts.\n{rows}")
    scores = [(m.team_a, m.team_b, m.half_points_a, m.half_points_b) for m in event.matches]
    assert sorted(scores) == [
        (0, 1, 4, 4), (0, 1, 6, 2), (0, 2, 5, 3), (0, 2, 8, 0), (1, 2, 4, 4), (1, 2, 4, 4),
    ]  # fmt: skip
    assert not event.individual
