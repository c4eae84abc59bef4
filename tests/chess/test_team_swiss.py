"""FIDE's Swiss Team Pairing System: a brute force by its definition, its criteria, its limits."""

import random
import time
from collections import Counter

import pytest
from plain_team_swiss import PlainRound, drawn_event, played_rounds, random_bracket

from tb2learn.chess import team_swiss
from tb2learn.chess.team_swiss import (
    RoundOf,
    SwissRules,
    SwissTeam,
    TeamRound,
    allocate,
    pair_teams,
    preference,
    rules_of_code,
)
from tb2learn.types import InputError


def ours(teams, rules, this_round):
    """What our program makes: pairs, bye, upfloaters by bracket; None if it refuses."""
    try:
        made = pair_teams(teams, rules, this_round)
    except InputError:
        return None
    pairs = {(pair.white, pair.black) for pair in made.pairs}
    return pairs, made.bye, [bracket.upfloaters for bracket in made.brackets]


def unlike_rounds(seeds, fewest=4, most=9):
    """How many rounds of events are paired otherwise than by the definition, and what was seen."""
    unlike, seen = 0, Counter()
    for seed in seeds:
        teams, rounds, rules = drawn_event(seed, fewest, most)
        white, share = seed % 2 == 0, 0.07 * (seed % 4 > 1)
        right = []

        def pair(field, number, rules=rules, rounds=rounds, white=white, right=right):
            right.append(PlainRound(field, rules, RoundOf(number, rounds, white)).pair())
            return right[-1] and right[-1][:2]

        mine = [
            ours(field, rules, RoundOf(number, rounds, white))
            for number, field in played_rounds(seed, teams, rounds, rules, pair, share, share)
        ]
        for made, expected in zip(mine, right, strict=True):
            unlike += made != expected
            seen[rules.kind] += 1
            seen["unpaired"] += made is None
            if made is not None:
                seen["byes"] += made[1] is not None
                seen["many"] += max(map(len, made[2])) > 1
    return unlike, seen


def unlike_brackets(seeds):
    """How many random brackets are paired otherwise than by the definition, and what was seen."""
    unlike, seen = 0, Counter()
    for seed in seeds:
        teams, rules, number = random_bracket(seed)
        this_round = RoundOf(number, 9)
        plain = PlainRound(teams, rules, this_round)
        right = plain.bracket([team.number for team in teams])
        field = TeamRound(teams, rules, this_round)
        if right is None:
            assert not field.pairable(field.everybody)
            seen["none"] += 1
            continue
        made = field.bracket(field.everybody)
        numbers = [(field.teams[a].number, field.teams[b].number) for a, b in made]
        unlike += sorted(numbers) != sorted(right)
        breaks = plain.breaks(right, 10)
        seen.update({name: n > 0 for name, n in zip(("C8", "C9", "C10"), breaks, strict=True)})
        half = sorted(team.number for team in teams)[: len(teams) // 2]
        seen["other tops"] += sorted(a for a, _ in right) != half
    return unlike, seen


def test_whole_rounds_are_those_of_the_definition():
    unlike, seen = unlike_rounds(range(120))
    assert not unlike
    assert min(seen[kind] for kind in ("A", "B", "none", "byes", "many")) > 20, seen


@pytest.mark.slow
def test_many_whole_rounds_are_those_of_the_definition():
    unlike, seen = unlike_rounds(range(1000, 3000), 4, 10)
    assert not unlike and sum(seen[kind] for kind in ("A", "B", "none")) > 8000


@pytest.mark.parametrize("number", [150, pytest.param(1500, marks=pytest.mark.slow)])
def test_upfloaters_by_one_matching_are_those_of_the_definition(number, monkeypatch):
    """As in fields that are too large to try set after set."""
    monkeypatch.setattr(team_swiss, "_TRIED", 0)
    unlike, seen = unlike_rounds(range(5000, 5000 + number // 5))
    assert not unlike and seen["many"] > number // 30


def test_brackets_are_those_of_the_definition():
    unlike, seen = unlike_brackets(range(150))
    assert not unlike
    assert min(seen[name] for name in ("C8", "C9", "C10", "other tops")) > 10, seen


@pytest.mark.slow
def test_many_brackets_are_those_of_the_definition():
    unlike, seen = unlike_brackets(range(1000, 7000))
    assert not unlike and seen["other tops"] > 1000 and seen["C9"] > 500


# What a program without one of the criteria would do, and the events in which it is seen.
broken, needed_next, floating_again = (
    getattr(TeamRound, name) for name in ("broken", "needed_next", "floating_again")
)


def without(*criteria):
    """Pairs that break some of [C8], [C9] and [C10] as often as they like."""

    def counted(self, members, residents_at):
        table = broken(self, members, residents_at)
        table[list(criteria)] = 0
        return table

    return counted


def by_number(self):
    """3.4.4 without 3.4.3: of the lowest score the largest number."""
    allowed = [k for k, team in enumerate(self.teams) if not team.no_bye]
    return sorted(allowed, key=lambda k: (self.scores[k], -self.teams[k].number))


PLANTED = {
    "[C6]": ("needed_next", lambda *_: 0),
    "[C7]": ("floating_again", lambda *_: 0),
    "[C8]": ("broken", without(0)),
    "[C9]": ("broken", without(1)),
    "[C10]": ("broken", without(2)),
    "[C10] before [C8]": ("broken", lambda *of: broken(*of)[::-1]),
    "3.4.3": ("bye_order", by_number),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_program_without_a_criterion_is_seen(name, monkeypatch):
    """By rounds and brackets that are paired right without the slip."""
    monkeypatch.setattr(TeamRound, *PLANTED[name])
    if name in ("[C6]", "[C7]", "3.4.3"):
        assert unlike_rounds((76, 83, 94, 95, 106, 118))[0]
    else:
        assert unlike_brackets(range(60))[0]


# ---------------------------------------------------------------------------------- colours

WHITE, BLACK = ("W", True), ("B", True)
PREFERENCES = [
    # Colours so far; what types A and B prefer, and B in the last round.
    ("", None, None, None),
    ("-", None, None, None),
    ("W", None, ("B", False), ("B", False)),
    ("WB", None, ("W", False), None),
    ("BB", WHITE, WHITE, WHITE),
    ("W-W", BLACK, BLACK, BLACK),
    ("WBB", WHITE, WHITE, WHITE),
    ("BWB", None, ("W", False), ("W", False)),
    ("WWBB", WHITE, WHITE, WHITE),  # also in the last round, at a difference of 0
    ("BBWW", BLACK, BLACK, BLACK),
    ("BWBWB-", None, ("W", False), ("W", False)),
    ("WWWBB", None, ("B", False), ("B", False)),  # twice Black, but White once more
    ("BBBW", WHITE, WHITE, WHITE),
]


@pytest.mark.parametrize(("colours", "type_a", "type_b", "last"), PREFERENCES)
def test_preferences(colours, type_a, type_b, last):
    team = SwissTeam(1, colours=colours)
    assert preference(team, "A") == preference(team, "A", last_round=True) == type_a
    assert preference(team, "B") == type_b and preference(team, "B", last_round=True) == last
    assert preference(team, "none") is None


def a_team(number, colours, match_points=4.0, game_points=10.0):
    return SwissTeam(number, match_points, game_points, frozenset(), colours)


COLOURS = [
    # Two teams, the type, who has White, and why.
    (a_team(1, ""), a_team(4, ""), "A", 1, "4.3.1"),
    (a_team(2, "-"), a_team(3, ""), "A", 3, "4.3.1"),
    (a_team(1, ""), a_team(4, "BB"), "A", 4, "4.3.2"),
    (a_team(1, "WW"), a_team(2, "BB"), "A", 2, "4.3.3"),
    (a_team(1, "WBW"), a_team(2, "BWW"), "B", 1, "4.3.4"),
    (a_team(1, "BWB"), a_team(2, "WBB"), "B", 2, "4.3.4"),
    (a_team(1, "BB"), a_team(2, "BBB"), "A", 2, "4.3.5"),
    (a_team(1, "WB"), a_team(2, "-W"), "none", 1, "4.3.5"),
    (a_team(1, "WB"), a_team(2, "BW"), "none", 1, "4.3.6"),
    (a_team(1, "WB"), a_team(2, "B-W"), "none", 1, "4.3.6"),  # matches, not rounds
    (a_team(1, "BB"), a_team(2, "BB"), "A", 1, "4.3.7"),
    (a_team(1, "WB"), a_team(2, "WB"), "none", 1, "4.3.8"),
    (a_team(1, "BW"), a_team(2, "BW"), "A", 2, "4.3.8"),
    (a_team(1, ""), a_team(2, "WB"), "A", 2, "4.3.9"),
]


@pytest.mark.parametrize(("first", "second", "kind", "white", "article"), COLOURS)
def test_colours_by_article(first, second, kind, white, article):
    for pair in ((first, second), (second, first)):
        colours = allocate(*pair, SwissRules(kind), RoundOf(5, 9))
        assert (colours.white.number, colours.article) == (white, article)


def test_the_first_team_has_the_higher_score_then_the_second_score_then_the_lower_number():
    """Its last colour is changed, where both teams have the same past."""
    high, low = a_team(9, "WB", 5.0, 1.0), a_team(3, "WB", 4.0, 8.0)
    rich, poor = a_team(9, "WB", 4.0, 9.0), a_team(3, "WB", 4.0, 8.0)
    white = {
        (mine.number, rules.code): allocate(mine, other, rules, RoundOf(3, 9)).white.number
        for mine, other in ((high, low), (rich, poor))
        for rules in map(rules_of_code, ("FIDE_TEAM_MP", "FIDE_TEAM_MP_GP", "FIDE_TEAM_GP"))
    }
    assert white == {(9, "FIDE_TEAM_MP"): 3, (9, "FIDE_TEAM_MP_GP"): 9, (9, "FIDE_TEAM_GP"): 9}


def test_the_lot_gives_odd_numbers_the_initial_colour():
    teams = [SwissTeam(k) for k in range(1, 9)]
    made = pair_teams(teams, SwissRules(), RoundOf(1, 7, first_white=False))
    assert [(p.white, p.black) for p in made.pairs] == [(5, 1), (2, 6), (7, 3), (4, 8)]


# ------------------------------------------------------------------------------------ codes


@pytest.mark.parametrize(
    ("code", "kind", "primary", "secondary"),
    [
        ("FIDE_TEAM", "A", "MP", True),
        ("FIDE_TEAM_MP_GP", "none", "MP", True),
        ("FIDE_TEAM_MP", "none", "MP", False),
        ("FIDE_TEAM_TYPEA_GP_MP", "A", "GP", True),
        ("fide_team_typeb_gp ", "B", "GP", False),
    ],
)
def test_codes_of_record_192(code, kind, primary, secondary):
    rules = rules_of_code(code)
    assert rules == SwissRules(kind, primary, secondary)
    assert rules_of_code(rules.code) == rules


@pytest.mark.parametrize(
    "code",
    ["", "FIDE_DUTCH", "FIDE_TEAM_TYPEC", "FIDE_TEAM_MP_MP", "FIDE_TEAM_TYPEA", "X" * 999],
)
def test_other_codes_are_refused(code):
    with pytest.raises(InputError, match="must be FIDE_TEAM, or this"):
        rules_of_code(code)


def test_acceleration_is_refused_by_name():
    for code in ("FIDE_TEAM_BAKU", "FIDE_TEAM_TYPEB_GP_MP_BAKU"):
        with pytest.raises(InputError, match=r"Baku acceleration \(C\.04\.7\)"):
            rules_of_code(code)


# ----------------------------------------------------------------------------------- limits


def test_fields_that_cannot_be_paired_are_refused():
    pair = [SwissTeam(1, met=frozenset({2})), SwissTeam(2, met=frozenset({1}))]
    with pytest.raises(InputError, match="cannot be paired: too many of them have met"):
        pair_teams(pair, SwissRules(), RoundOf(2, 5))
    byes = [SwissTeam(k, no_bye=True) for k in (1, 2, 3)]
    with pytest.raises(InputError, match="no team can have the bye"):
        pair_teams(byes, SwissRules(), RoundOf(2, 5))
    for number in (1, 1001):
        with pytest.raises(InputError, match=r"a round has 2\.\.1000 teams"):
            pair_teams(map(SwissTeam, range(1, number + 1)), SwissRules(), RoundOf(1, 5))


def rounds_of_many(teams, rounds, kind):
    """The seconds of every round of an event."""
    rules, seconds = SwissRules(kind), []

    def pair(field, number):
        start = time.process_time()
        made = pair_teams(field, rules, RoundOf(number, rounds))
        seconds.append(time.process_time() - start)
        pairs = {(p.white, p.black) for p in made.pairs}
        known = {team.number: team for team in field}
        assert len({k for pair in pairs for k in pair}) == len(field) // 2 * 2
        assert not any(black in known[white].met for white, black in pairs)
        return pairs, made.bye

    for _ in played_rounds(7, teams, rounds, rules, pair, 0.01, 0.01):
        pass
    assert len(seconds) == rounds
    return seconds


@pytest.mark.slow
@pytest.mark.parametrize("kind", team_swiss.KINDS)
def test_three_hundred_teams_take_a_second_and_a_thousand_ten(kind):
    assert max(rounds_of_many(300, 9, kind)) < 1
    assert max(rounds_of_many(1000, 11, kind)) < 10


def strangers(number, groups, density):
    """Teams who have met most of the others."""
    lot, met = random.Random(number), {k: set() for k in range(1, number + 1)}
    for a in met:
        for b in range(1, a):
            if lot.random() < density:
                met[a].add(b)
                met[b].add(a)
    return [
        SwissTeam(k, lot.randrange(groups), 0, frozenset(rivals), "".join(lot.choices("WB", k=4)))
        for k, rivals in met.items()
    ]


@pytest.mark.parametrize(("groups", "density"), [(1, 0.9), (9, 0.85), (30, 0.8)])
def test_teams_who_have_met_most_others_are_paired_by_a_weighted_matching(groups, density):
    start = time.process_time()
    made = pair_teams(strangers(60, groups, density), SwissRules("B"), RoundOf(4, 9))
    assert len(made.pairs) == 30 and time.process_time() - start < 5


def test_too_many_teams_who_have_met_most_others_are_refused():
    with pytest.raises(InputError, match="300 teams of this round can only be paired together"):
        pair_teams(strangers(300, 20, 0.95), SwissRules(), RoundOf(4, 9))
