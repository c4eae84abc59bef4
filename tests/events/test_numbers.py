"""Numbers and words that a user reads of standings, by hand: shares, places, results, orders."""

from dataclasses import replace

import numpy as np
import pytest
from etcc import small
from event_samples import find_nothing

from tb2learn.chess.berger import round_robin
from tb2learn.events import (
    CriteriaReader,
    PlaceChange,
    StandingsRow,
    compare,
    rank,
    read_criteria,
    round_robin_notes,
)
from tb2learn.events.confidence import (
    deciding_criterion,
    equal_line,
    event_spread,
    medal_lines,
    unusual_lines,
    with_confidence,
)
from tb2learn.events.criteria import complete
from tb2learn.events.decisions import with_decisions
from tb2learn.events.explain import team_number
from tb2learn.events.parts import Match, OpenMatch
from tb2learn.events.ranking import PlayOff, Ranking, rounded
from tb2learn.events.terms import terms
from tb2learn.events.verdict import Change, changes, turning_match, verdict
from tb2learn.export.verdict_words import turning_text, verdict_text
from tb2learn.export.words import words
from tb2learn.tiebreaks.confidence_map import Confidence, Spread, Stretch
from tb2learn.tiebreaks.library import fide_list
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import InputError

A, B, C, D = range(4)
# Two boards: A-B 3:1, C-D 4:0;  A-C 2:2, B-D 3:1.
ROUNDS = [[(A, B, 3, 1), (C, D, 4, 0)], [(A, C, 2, 2), (B, D, 3, 1)]]
EVENT = small(ROUNDS)


def test_a_field_that_the_confidence_was_not_tried_for():
    """Game points 2.5, 2, 3 and 0.5 lie sqrt(3.5)/2 = 0.94 apart; strengths explain all of them."""
    assert event_spread(EVENT) == pytest.approx((4, 3.5 / 4, 1e-3))
    least, most = Spread(4.0, 0.5, 1e-3), Spread(4.0, 1.0, 0.5)
    stretch = Stretch(Spread(4.0, 0.7, 0.1), np.zeros(9), least, most)
    sure = Confidence("x", "", np.ones(5), 1.0, {}, stretch)
    assert unusual_lines(EVENT, sure) == unusual_lines(EVENT, replace(sure, stretch=None)) == []

    def said(**ends):
        parts = {
            "least": least._replace(**{name: low for name, (low, _) in ends.items()}),
            "most": most._replace(**{name: high for name, (_, high) in ends.items()}),
        }
        return unusual_lines(EVENT, replace(sure, stretch=replace(stretch, **parts)))

    assert said(teams=(5.0, 9.0)) == ["the confidence was not tried for 4 teams, only for 5 to 9"]
    # Whole numbers of teams that are inside: 20 teams and more or less by a fifth.
    assert said(teams=(20 / 1.2, 24.9)) == [
        "the confidence was not tried for 4 teams, only for 17 to 24"
    ]
    assert said(teams=(60 / 1.2, 50 * 1.2))[0].endswith("only for 50 to 60")
    assert said(variance=(1.0, 4.0)) == [
        "the confidence was not tried for such a field: teams end 0.9 points from the average "
        "here, and 1.0 to 2.0 in the events that it was fitted to"
    ]
    assert said(noise=(0.5, 2.0)) == [
        "the confidence was not tried for such a field: matches end 0.0 points from what strengths "
        "say here, and 0.5 to 1.0 in the events that it was fitted to"
    ]
    assert len(said(teams=(1.0, 3.0), variance=(0.1, 0.2), noise=(1.0, 2.0))) == 3
    still_open = replace(EVENT, open=(OpenMatch(2, 3, A, B),))
    assert unusual_lines(still_open, sure)[0].startswith("the confidence takes open matches")


def rows(*scores):
    return [
        StandingsRow(k, k - 1, f"T{k}", {"mp": mp, "tb2": tb2})
        for k, (mp, tb2) in enumerate(scores, 1)
    ]


def test_probabilities_of_neighbours_and_shared_places():
    """1 : 10 at a margin of the constant; a place is shared below the probability that is asked."""
    sure = Confidence("x", "", np.array([1, 1, 10, 1, 20.0]), 1.0, {})
    table = rows((4, 50), (4, 30), (2, 20), (2, 20), (2, 10))
    found = with_confidence(table, "tb2", sure)
    assert [row.place for row in found] == [1, 2, 3, 4, 5]
    assert [row.confidence for row in found] == [
        pytest.approx(10 / 11), None, pytest.approx(0.5), pytest.approx(10 / 11), None,
    ]  # fmt: skip
    # 10/11 is .909: at .91 they share, at .90 they do not; those with the leader, not in a chain.
    assert [row.place for row in with_confidence(table, "tb2", sure, 0.91)] == [1, 1, 3, 3, 3]
    assert [row.place for row in with_confidence(table, "tb2", sure, 0.90)] == [1, 2, 3, 3, 5]
    chain = rows((2, 20), (2, 15), (2, 10))
    assert [row.place for row in with_confidence(chain, "tb2", sure, 0.8)] == [1, 1, 3]
    assert medal_lines(found, "tb2") == [
        "T1 before T2: 91%", "T3 before T4: 50% (equal TB2: they share a place)",
    ]  # fmt: skip
    assert equal_line(found, "tb2")[0].startswith("50% where TB2 is equal, too")
    assert equal_line(with_confidence(table[:2], "tb2", sure), "tb2") == []
    for wrong in (rows((5, 1), (5, 0)), rows((1.5, 1), (1.5, 0)), rows((-1, 1), (-1, 0))):
        with pytest.raises(InputError, match="match points"):
            with_confidence(wrong, "tb2", sure)
    assert with_confidence(rows((4, 1), (4, 0)), "tb2", sure)[0].confidence > 0.5


def test_a_score_is_shown_with_four_decimals():
    assert [rounded(x) for x in (1 / 3, 2 / 3, -0.00001, 12)] == [0.3333, 0.6667, 0.0, 12.0]
    assert str(rounded(-0.00001)) == "0.0"


def test_the_rule_that_decides():
    """That behind the match points, if it is one of any event; nothing needs to follow it."""
    for text, name in (("mp,buchholz", "buchholz"), ("mp,buchholz,gp", "buchholz")):
        assert deciding_criterion(read_criteria(EVENT, [text], find_nothing)).name == name
    for text in ("mp", "gp,buchholz", "mp,tb4,buchholz"):
        with pytest.raises(InputError, match="rank teams by match points, a rule, and what"):
            deciding_criterion(read_criteria(EVENT, [text], find_nothing))


def test_orders_of_events():
    orders = [fide_list(individual, robin) for individual in (True, False)
              for robin in (True, False)]  # fmt: skip
    assert orders == [
        ("points", "direct", "wins", "sonneborn-berger", "koya"),
        ("points", "direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins", "black-wins"),
        ("mp", "gp", "direct", "emmsb"),
        ("mp", "product", "gp", "tb4"),
    ]
    names = [one.name for one in CriteriaReader.of(EVENT).led_by(product_table(2, 2))]
    assert names == ["mp", "tb2", "gp", "tb4"]
    # Of players the rest of the list, less the rule.
    players = CriteriaReader(5, 1, individual=True)
    names = [one.name for one in players.led_by(players.known("buchholz").rule)]
    assert names == ["points", "buchholz", "direct", "buchholz-cut1", "sonneborn-berger", "wins",
                     "black-wins"]  # fmt: skip


@pytest.mark.parametrize(
    ("teams", "boards", "league"),
    [(10, 4, (10, 4)), (12, 8, (12, 8)), (3, 8, (12, 8)), (40, 4, (10, 4)), (9, 5, (10, 4)),
     (12, 6, (12, 8)), (4, 2, (10, 4)), (11, 12, (12, 8))],
)  # fmt: skip
def test_the_league_that_is_most_like_an_event(teams, boards, league):
    """By the ratio of boards, which counts twice, and that of teams."""
    games = round_robin(teams, 1).games.tolist()
    whole = [[(a, b, boards, boards) for a, b in pairs] for pairs in games]
    event = small(whole, [f"T{k}" for k in range(teams)], boards)
    (note,) = round_robin_notes(event)
    assert "simulated leagues of {} teams and {} boards".format(*league) in note


def test_an_event_in_a_line():
    assert repr(EVENT) == "<TeamEvent small: 4 teams, 2 boards, 2 rounds>"
    assert repr(replace(EVENT, planned=2)) == repr(EVENT)
    assert repr(replace(EVENT, planned=3)) == "<TeamEvent small: 4 teams, 2 boards, 2 of 3 rounds>"
    assert repr(replace(EVENT, individual=True)) == "<TeamEvent small: 4 players, 2 rounds>"


def test_equal_teams_share_a_place():
    """A and C have 3 match points, C more game points; B is before D."""
    order = read_criteria(EVENT, ["mp"], find_nothing)
    assert [(row.place, row.team) for row in rank(EVENT, order)] == [
        (1, "A"), (1, "C"), (3, "B"), (4, "D"),
    ]  # fmt: skip
    order = read_criteria(EVENT, ["mp,gp"], find_nothing)
    assert [(row.place, row.team, dict(row.scores)) for row in rank(EVENT, order)] == [
        (1, "C", {"mp": 3, "gp": 3}), (2, "A", {"mp": 3, "gp": 2.5}),
        (3, "B", {"mp": 2, "gp": 2}), (4, "D", {"mp": 0, "gp": 0.5}),
    ]  # fmt: skip
    found = Ranking.of(EVENT, complete(EVENT), order, PlayOff(EVENT.teams, {"A": 1, "C": 2}, "gp"))
    assert [(row.place, row.team) for row in found] == [(1, "A"), (2, "C"), (3, "B"), (4, "D")]
    assert [row.scores["decided"] for row in found] == [1, 2, 0, 0]
    with pytest.raises(InputError, match="B is tied with nobody before gp"):
        Ranking.of(EVENT, complete(EVENT), order, PlayOff(EVENT.teams, {"B": 1}, "gp"))
    with pytest.raises(InputError, match="--before must be one of gp, got mp"):
        Ranking.of(EVENT, complete(EVENT), order, PlayOff(EVENT.teams, {"A": 1}, "mp"))


def test_a_play_off_of_those_who_share_a_place():
    """Who is not named comes behind all who are."""
    tied = [StandingsRow(1, k, name, {"mp": 4}) for k, name in enumerate("ABC")]
    tied.append(StandingsRow(4, 3, "D", {"mp": 3}))
    found, notes = with_decisions(tied, {"C": 1, "B": 7})
    assert [(row.place, row.team, row.scores["decided"]) for row in found] == [
        (1, "C", 1), (2, "B", 7), (3, "A", 0), (4, "D", 0),
    ]  # fmt: skip
    assert notes == ("places from 1 on by play-off or lot: C, B",)
    found, _ = with_decisions(tied, {"B": 1})
    assert [(row.place, row.team) for row in found] == [(1, "B"), (2, "A"), (2, "C"), (4, "D")]
    with pytest.raises(InputError, match="D shares no place"):
        with_decisions(tied, {"D": 1})


def test_who_moved():
    order = [read_criteria(EVENT, [text], find_nothing) for text in ("mp,gp", "mp,opponents")]
    found = compare(*(rank(EVENT, by) for by in order))
    # Their opponents have B 2 + C 3 and D 0 + A 3.
    assert [(one.team, one.old.place, one.new.place, one.up) for one in found.teams] == [
        ("C", 1, 2, -1), ("A", 2, 1, 1), ("B", 3, 3, 0), ("D", 4, 4, 0),
    ]  # fmt: skip
    assert [one.team for one in found.movers] == ["C", "A"] and found.first_place == ("C", "A")
    assert isinstance(found.teams[0], PlaceChange) and found.teams[0].mp == 3


def test_open_matches_scale_learned_sums():
    """Of three rounds one is open for A and B: their sums count 3/2."""
    event = replace(EVENT, rounds=3, open=(OpenMatch(3, 1, A, B),))
    completed = complete(event)
    assert completed.open_factor.tolist() == [1.5, 1.5, 1, 1]
    # Four teams and three rounds are a round robin, in which C and D have no item for a free round.
    assert not completed.without_open.items.counted[2].any()
    assert complete(EVENT).open_factor == 1.0


def test_a_change_of_one_step():
    """From a win to a draw, from a draw to either side; never from a win to a loss."""
    order = read_criteria(EVENT, ["mp,gp"], find_nothing)
    found = changes(rank(EVENT, order))
    assert [(one.match.teams, one.half_points, one.outcome) for one in found] == [
        ((A, C), 0, -1), ((A, C), 1, -1), ((A, C), 3, 1), ((A, C), 4, 1), ((B, D), 2, 0),
    ]  # fmt: skip
    assert found[0].scores.tolist() == [[2, 2, 4, 0], [1.5, 2, 4, 0.5]]
    assert found[4].scores.tolist() == [[3, 1, 3, 1], [2.5, 1.5, 3, 1]]


def test_what_would_have_turned_an_order():
    match = Match(2, 1, A, B, 5, 3, 4, 0)
    names = replace(EVENT, teams=("Mali", "Nicaragua", "C", "D"))
    scores = np.zeros((1, 2))

    def said(*half_points):
        changed = [Change(match, half, scores) for half in half_points]
        return turning_text(turning_match(names, changed), words())

    assert said(4) == "had Mali drawn with Nicaragua (Mali-Nicaragua was 2½-1½)"
    assert said(6) == "had Mali beaten Nicaragua 3-1 (Mali-Nicaragua was 2½-1½)"
    assert said(1, 2, 3) == (
        "had Nicaragua beaten Mali 2½-1½ or 3-1 or 3½-½ (Mali-Nicaragua was 2½-1½)"
    )
    assert said(0, 1, 2, 3) == "had Nicaragua beaten Mali (Mali-Nicaragua was 2½-1½)"
    by_points, by_games = (
        rank(EVENT, read_criteria(EVENT, [names], find_nothing)) for names in ("mp", "mp,gp")
    )
    assert verdict_text(verdict(by_games, (A, C))) == (
        "C is before A: GPTS decides, 3 to 2.5 (0.5 more). No single match of others in the last "
        "round decided it."
    )
    assert verdict_text(verdict(by_points, (D, B))) == "B is before D: MPTS decides, 2 to 0."


def test_teams_by_the_beginning_of_their_names():
    names = replace(EVENT, teams=("Norway", "North Korea", "norway", "Sweden"))
    assert [team_number(names, name) for name in ("norway", "Norway", "SWEDEN", "sw", "North")] == [
        2, 0, 3, 3, 1,
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"no team 'Nor' .*did you mean"):
        team_number(names, "Nor")
    with pytest.raises(InputError, match="did you mean 'North Korea'"):
        team_number(names, "NK")


def test_teams_by_start_number_and_without_accents():
    names = replace(EVENT, teams=("Türkiye", "Łódź", "Côte d'Ivoire", "5"), starts=(1, 5, 7, 9))
    asked = ("turkiye", "LODZ", "cote divoire", "1", "7", "5", "lo")
    assert [team_number(names, name) for name in asked] == [0, 1, 2, 0, 2, 3, 1]
    for unknown in ("2", "", "-"):
        with pytest.raises(InputError, match="no team"):
            team_number(names, unknown)
    unnumbered = replace(names, starts=())
    assert team_number(unnumbered, "2") == 1 and team_number(unnumbered, "5") == 3


def test_words_of_teams_and_players():
    """A match point of a player is half a point."""
    assert (terms(False).unit, terms(True).unit) == (1.0, 0.5)
    assert [terms(True).printed_points(points) for points in (3, 4)] == [1.5, 2]
    assert terms(False).printed_points(3) == 3 and terms(True).opponent_key == "opponent_points"
    assert (terms(False).one, terms(False).opponent, terms(True).game) == ("team", "opp MP", "game")
