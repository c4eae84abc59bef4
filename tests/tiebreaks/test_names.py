"""The entries of tie-breaks: names, cuts, formats, notes, and the documentation made of them."""

import pytest

from tb2learn.catalogue import find_rule
from tb2learn.tiebreaks.base import SumOverRounds
from tb2learn.tiebreaks.combined import Combined, DirectEncounter
from tb2learn.tiebreaks.library import ENTRIES, codes, unplayed_notes
from tb2learn.tiebreaks.names import coded, combined, find_tiebreak, in_words, parsed
from tb2learn.tiebreaks.own import Progressive
from tb2learn.tiebreaks.rated import AverageRating
from tb2learn.tiebreaks.sums import OpponentSum
from tb2learn.types import InputError


def sums_of(rule):
    """The sums over rounds that a tie-break is made of; none for other tie-breaks."""
    if isinstance(rule, SumOverRounds):
        return (rule,)
    return tuple(one for part in getattr(rule, "parts", ()) for one in sums_of(part))


def test_names_make_rules():
    assert find_tiebreak("emgsb-cut1", 11, 4) == (OpponentSum("m", "g", 1, 0), 0.5)
    assert find_tiebreak("egmsb-median2", 9, 1) == (OpponentSum("g", "m", 2, 2), 0.25)
    assert find_tiebreak("buchholz", 11, 1) == (OpponentSum("m", ""), 0.5)
    assert find_tiebreak("aroc", 12, 4) == (AverageRating(1), 1.0)
    assert find_tiebreak("progressive-cut2", 12, 1) == (Progressive(2), 0.5)
    assert find_tiebreak("tb4", 11, 4, ENTRIES) == (OpponentSum("m", "", 1), 1.0)
    rule, unit = find_tiebreak("wins+direct", 5, 2)
    assert isinstance(rule, Combined) and rule.parts[1] == DirectEncounter() and unit == 1.0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tb4", "tie-breaks are emmsb"),  # in lists of criteria alone
        ("buchholz+", r"got 'buchholz\+'"),
        ("buchholz-median16", r"a cut must leave out 1\.\.15 items"),
        ("buchholz-cut\u0661", "tie-breaks are"),
        ("wins-cut1", "wins has no such cut"),
        ("progressive-median1", "progressive has no such cut"),
        ("sonneborn-berger", "individual events"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(InputError, match=message):
        find_tiebreak(name, 5, 4)


@pytest.mark.parametrize(
    ("code", "players", "name", "written"),
    [
        ("BH/C1", True, "buchholz-cut1", "BH/C1"),
        ("bh:gp/m2/p", False, "buchholz-gp-median2/P", "BH:GP/M2/P"),
        ("sb:gp", False, "eggsb", "EGGSB"),
        ("ESB:MG/C1", False, "emgsb-cut1", "EMGSB/C1"),
        ("KS/L1", True, "koya/L+1", "KS/L+1"),
        ("KS:GP/L-1.5", False, "koya:GP/L-3", "KS:GP/L-3"),
        ("aob/f/v", True, "mean-buchholz/F/V2026", "AOB/F/V2026"),
        ("ARO/U1400/C1", True, "aro-cut1/U1400", "ARO/C1/U1400"),
        ("ARO/U0", True, "aro/U0", "ARO/U0"),
        ("TPN/R", False, "number/R", "TPN/R"),
        ("MPvGP", False, "gp", "GPTS"),
        ("SSSC:GP/K3/F", False, "sssc:GP/K3/F", "SSSC:GP/K3/F"),
    ],
)
def test_codes_and_names(code, players, name, written):
    found = coded(code, players)
    assert (found.name, found.code) == (name, written)
    assert coded(written, players) == found and parsed(name, ENTRIES) == (found,)


def test_every_modifier_of_every_code_is_read_back():
    written = {"C": "C2", "M": "M1", "L": "L-2", "K": "K7", "F": "F", "R": "R", "P": "P",
               "U": "U1000", "V": "V2024"}  # fmt: skip
    for players in (True, False):
        for code, entry in codes(players).items():
            modifiers = "".join(f"/{written[letter]}" for letter in entry.letters)
            found = coded(code + modifiers, players)
            assert found.entry is entry and coded(found.code.lower(), players) == found
            assert parsed(found.name, ENTRIES) == (found,)
            assert combined([found], 5, 1 if players else 4)


def test_codes_without_a_score_are_about_the_one_that_decides():
    names = {"BH": "buchholz-gp", "SB": "eggsb", "KS": "koya:GP", "WIN": "wins:GP", "MPVGP": "mp",
             "EMGSB": "emgsb", "BH:MP": "buchholz"}  # fmt: skip
    assert {code: coded(code, False, "g").name for code in names} == names
    assert [coded(name, True) for name in ("buchholz", "learned", "runs/table", "XYZ")] == [
        None
    ] * 4


@pytest.mark.parametrize(
    ("code", "players", "message"),
    [
        ("EMGSB/C1", True, "'EMGSB/C1' is no tie-break of players: the nearest is SB;"),
        ("BH:GP", True, "'BH:GP' is no tie-break of players: the nearest is BH;"),
        ("SNO", False, "'SNO' is no tie-break of teams: the nearest is TPN;"),
        ("EMGBS/C1", False, "the nearest is EMGSB;"),
        ("REP:GP", False, "elected has one score; those with :MP and :GP are"),
        ("WIN/C1", True, "wins has no modifiers, got '/C1'"),
        ("PS/M1", True, "progressive can have the modifiers /C1, got '/M1'"),
        ("BH/V2020", True, "can have the modifiers /C1, /M1, /P, /V2024 or /V2026, got '/V2020'"),
        ("ARO/U", True, "/U needs a rating of 0..9999, such as /U1400, got '/U'"),
        ("KS/L101", True, "/L60"),
        ("BH/C16", True, r"a cut must leave out 1\.\.15 items"),
    ],
)
def test_codes_without_a_meaning_are_refused_with_the_nearest(code, players, message):
    with pytest.raises(InputError, match=message):
        coded(code, players)


def test_a_list_of_codes_is_a_combination_in_words():
    league = ("GPTS,DE,EMMSB", "MPTS, GPTS, DE, EMMSB", "GPTS+DE+EMMSB")
    assert {in_words(text) for text in league} == {"game-points+direct+emmsb"}
    assert in_words("KS/L+1,BH/C1") == "koya/L+1+buchholz-cut1"
    # What may be the name of a file, a rule in words, and what is no list.
    for text in ("gpts,de", "buchholz-cut1", "learned", "MPTS", "MY-TABLE", "RTNG,DE", ""):
        assert in_words(text) == text
    assert find_rule("GPTS,DE", 5, 4).name == "game-points+direct"
    with pytest.raises(InputError, match=r"direct .*, got '/C1'"):
        in_words("GPTS,DE/C1")


def test_what_becomes_of_unplayed_rounds_is_said():
    for name, entry in ENTRIES.items():
        assert entry.name == name and entry.source
        assert (entry.unplayed == "completed") == bool(sums_of(entry.build(5, 1))), name
    entries = [part.entry for part in parsed("aro-cut1+buchholz+wins+wins+direct")]
    assert unplayed_notes(entries) == (
        "aro counts only matches really played, whatever the policy for unplayed rounds",
        "wins counts the team's own results as recorded, whatever the policy for unplayed rounds",
    )
    assert unplayed_notes([ENTRIES["wins"]], players=True) == ()
