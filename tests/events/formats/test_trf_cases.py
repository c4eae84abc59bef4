"""TRF as pairing programs and servers write them: what their records mean."""

import re

import pytest
from trf_samples import OPEN, open_trf, read_trf

from tb2learn.events.check import check
from tb2learn.events.files.dates import written_date
from tb2learn.events.files.options import STRICT, Reading
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.model import team_totals
from tb2learn.types import InputError


def read(*changes, **options):
    more = {key: options.pop(key) for key in ("head", "rows") if key in options}
    return read_trf(open_trf(*changes, **more).encode(), "open.trf", Reading(**options))


def points(event):
    return [total / 2 for total, _ in team_totals(event)]


def refused(*changes, **more):
    with pytest.raises(InputError) as error:
        read_trf(open_trf(*changes, **more).encode(), "open.trf", STRICT)
    return str(error.value)


AS_IT_IS = [2.5, 1.5, 2.0, 1.5, 1.0]


def test_the_open_is_clean():
    event = read(strict=True)
    assert (event.rounds, points(event), event.notes) == (3, AS_IT_IS, ())


def test_a_stray_result_after_the_last_game_makes_no_round():
    stray = ("   4 w =", "   4 w =  0000   -")
    event = read(stray)
    assert event.rounds == 3 and points(event) == AS_IT_IS
    about = "a result against 0000 after the last game makes no round: it is left out"
    assert event.notes == (f"line 4: {about} (Ada)",) and about in refused(stray)
    # A point beyond the planned rounds is none either; without a plan it makes a round.
    won = ("   4 w =", "   4 w =  0000 - +")
    assert read(won).rounds == 3 and read(won, ("XXR 3", "062 5")).rounds == 4


def test_a_blank_round_and_half_a_point_more_are_a_half_point_bye():
    event = read(("0000 - H", "        "))
    assert points(event) == AS_IT_IS and event.matches == read().matches
    assert event.notes == (
        "line 5: a blank round, and half a point more in the points field, is a half-point bye "
        "(Ben)",
    )
    assert points(read(("0000 - H", "        "), ("1.5    3", "1.0    3")))[1] == 1.0


@pytest.mark.parametrize(("letter", "bye"), [("=", "half"), ("1", "full"), ("0", "zero")])
def test_points_without_a_game_are_byes(letter, bye):
    event = read(("0000 - H", f"0000 - {letter}"))
    (match,) = (m for m in event.matches if m.round == 2 and m.team_b is None)
    assert match.bye == bye
    assert f"line 5: the result {letter} against 0000 is a {bye}-point bye (Ben)" in event.notes


@pytest.mark.parametrize("line", ["BBU  0.5", "162  W 1.0    D 0.5    L 0.0    P 0.5"])
def test_records_say_what_a_bye_pays(line):
    event = read(("2.0    2", "1.5    2"), ("1.0    5", "0.5    5"), head=[line])
    assert points(event) == [2.5, 1.5, 1.5, 1.5, 0.5] and event.notes == ()
    assert points(read(head=["BBW  3.0", "BBD 1.0"])) == [7.0, 4.0, 6.0, 4.0, 3.0]
    # Of the lost games Ben, Cleo, Dan and Eva have 1, 1, 1 and 2.
    assert points(read(head=["BBW  3.0", "BBD 2.0", "BBL 1.0"])) == [8.0, 6.0, 7.0, 6.0, 5.0]


def test_points_of_games_must_fall():
    allowed = r"columns 6 on \(points\) must be points that fall from won to drawn to lost"
    for line in ("BBD  1.0", "162  W 1.0    D 0.5    L 1.0", "BBW  0.5"):
        assert re.search(allowed, refused(head=[line]))


def test_points_fields_that_are_alike_say_what_a_bye_pays():
    less = ("2.0    2", "1.5    2"), ("1.0    5", "0.5    5")
    event = read(*less)
    assert points(event) == [2.5, 1.5, 1.5, 1.5, 0.5]
    assert event.notes == ("the totals in the file say that a pairing bye pays 0.5 points",)
    # One field alone may be wrong: it is named.
    assert points(read(less[0])) == AS_IT_IS and "differ" in read(less[0]).notes[0]


TEAMS = [
    f"001 {n:4}      {name:33}".ljust(91) + "  ".join(cell.ljust(8) for cell in cells)
    for n, (name, *cells) in enumerate(
        [("A", "   2 w 1", "0000 - U", "   3 b 1"), ("B", "   1 b 0", "   3 w 1", "0000 - U"),
         ("C", "0000 - U", "   2 b 0", "   1 w 0")], start=1)
]  # fmt: skip


def with_totals(*totals):
    squads = [
        f"310 {n:3} {name:32}".ljust(54) + f"{mp:6.1f} {gp:6.1f}".ljust(19) + f"{n:4}"
        for n, (name, (mp, gp)) in enumerate(
            zip(("Aces", "Bats", "Cats"), totals, strict=True), start=1)
    ]  # fmt: skip
    return "\n".join([*TEAMS, *squads]).encode()


def test_totals_of_teams_say_what_a_bye_pays():
    data = with_totals((6, 3), (4, 2), (2, 1))
    event = read_trf(data, "x.trf", Reading())
    assert [(mp, gp / 2) for mp, gp in team_totals(event)] == [(6, 3), (4, 2), (2, 1)]
    assert event.notes == ("the totals in the file say that a pairing bye pays 2 MP and 1 GP",)
    asked = read_trf(data, "x.trf", Reading(bye_points=(1, 1)))
    assert team_totals(asked)[2] == (1, 1)


@pytest.mark.parametrize(
    "totals",
    [
        ((6, 3.5), (4, 2.5), (2, 1.5)),  # more than the board of a match
        ((7, 3), (5, 2), (3, 1)),  # more than a match won
        ((6, 3), (4, 2), (1, 0.5)),  # not alike
        ((6, 3), (3, 1.5), (1, 0.5)),  # one alone
    ],
)
def test_totals_that_no_bye_explains(totals):
    event = read_trf(with_totals(*totals), "x.trf", Reading())
    assert [(mp, gp / 2) for mp, gp in team_totals(event)] == [(5, 2.5), (3, 1.5), (1, 0.5)]
    assert "say that a pairing bye" not in str(event.notes)


def test_points_may_have_the_bye_of_the_next_round():
    rows = [(name, p, rank_, *cells[:2]) for name, p, rank_, *cells in OPEN]
    before = [("Ada", 2.0), ("Ben", 0.5), ("Cleo", 1.5), ("Dan", 1.0), ("Eva", 1.0)]
    rows = [(name, p, *row[2:]) for (name, p), row in zip(before, rows, strict=True)]
    rows[2] = (*rows[2], "0000 - H")
    event = read(rows=rows)
    assert (event.rounds, points(event)) == (2, [2.0, 0.5, 1.0, 1.0, 1.0])
    assert event.notes == (
        "line 6: points of players have the bye of the next round already (Cleo)",
    )
    assert not [one for one in check(event).findings if one.kind in ("points", "place")]


def test_a_rank_field_that_repeats_the_start_number_is_no_ranking():
    rows = [(name, p, start, *cells) for start, (name, p, _, *cells) in enumerate(OPEN, 1)]
    event = read(rows=rows)
    assert "place" not in event.published and "place" in read().published
    assert event.notes == ("the rank field repeats the start number: no ranking is printed",)


def test_an_opponent_and_the_letter_z_are_a_game_that_was_not_played():
    event = read(("   4 w =", "   4 w Z"), ("   1 b =", "   1 b Z"))
    (game,) = (g for g in event.games if g.round == 3 and not g.played)
    assert (game.white_half_points, game.black_half_points) == (0, 0)
    assert points(event) == [2.0, 1.5, 2.0, 1.0, 1.0]


def test_an_open_with_teams_names_the_option():
    teams = ["013 Club".ljust(36) + "   1    2    5", "013 Town".ljust(36) + "   3    4"]
    with pytest.raises(InputError, match="read with --individual"):
        read_trf("\n".join([open_trf(), *teams]).encode(), "x.trf", Reading())


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026/04/01", "2026-04-01"), ("2026.4.1", "2026-04-01"), ("Dec 10, 2020", "2020-12-10"),
        ("10. Dezember 2020", "2020-12-10"), ("10 juillet 2020", "2020-07-10"),
        ("Sat, 03 Oct 2020", "2020-10-03"), ("31/12/99", "1999-12-31"), ("99/12/31", "1999-12-31"),
        ("10.12.20", "2020-12-10"), ("12/10/2020", ""),
        ("soon", ""), ("2026", ""), ("\u00b2/1/2020", ""),
    ],
)  # fmt: skip
def test_dates_in_numbers_and_in_words(text, date):
    assert written_date(text) == date
    event = read(("042 2026/04/01", f"042 {text}"))
    # The record has the year first, also with two digits.
    date = date or {"20/12/10": "2020-12-10"}.get(text, "")
    assert event.about["start"] == (date or text)
    unread = "line 2: the date in record 042 is not understood"
    assert (unread in event.notes) is (not date)


def test_ranks_are_written():
    again = read_trf(write_trf(read(), 2026).encode(), "x.trf")
    assert again.published["place"] == ("1", "3", "2", "4", "5")
    assert re.search(r"^001    1 .* 2\.5    1 ", write_trf(read(), 2016), re.MULTILINE)
