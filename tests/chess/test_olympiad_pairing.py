"""FIDE's pairing of Olympiads: the examples of the rules, brute force, invariants."""

import random
import time
from itertools import combinations

import pytest

from tb2learn.chess import matching
from tb2learn.chess.olympiad_pairing import EDITIONS, PairedTeam, colours, pair_round, ranked
from tb2learn.types import InputError

A, B, C, D, E, F = range(1, 7)


def team(number, points=0, met=(), colours="", game_points=0):
    return PairedTeam(number, points, game_points, frozenset(met), colours)


def group(met, points=None, dummy=True):
    """Teams who have met these pairs. Nobody has a colour that matters."""
    numbers = sorted(points or {n for pair in met for n in pair} | {A, B, C, D, E, F})
    opponents = {n: {b for a, b in [*met, *(p[::-1] for p in met)] if a == n} for n in numbers}
    at = points or dict.fromkeys(numbers, 4)
    # An opponent outside of the field: this is no first round.
    return [team(n, at[n], {*opponents[n], 999} if dummy else opponents[n]) for n in numbers]


def met_pairs(pairing):
    return {frozenset((pair.white, pair.black)) for pair in pairing.pairs}


def sets(*pairs):
    return {frozenset(pair) for pair in pairs}


def test_the_first_round_is_upper_half_against_lower_half():
    made = pair_round([team(n) for n in (1, 2, 3, 5, 8, 9)], "olympiad-2022").pairs
    assert [(p.white, p.black) for p in made] == [(1, 5), (8, 2), (3, 9)]
    turned = pair_round([team(n) for n in (1, 2, 3, 5, 8, 9)], "olympiad-2022", first_white=False)
    assert [(p.white, p.black) for p in turned.pairs] == [(5, 1), (2, 8), (9, 3)]


@pytest.mark.parametrize(
    ("met", "expected"),
    [
        ([(A, D)], [(A, E), (B, D), (C, F)]),
        ([(A, D), (C, F)], [(A, E), (B, F), (C, D)]),
    ],
)
def test_examples_of_a_complete_pairing(met, expected):
    assert met_pairs(pair_round(group(met), "olympiad-2022")) == sets(*expected)


def test_below_the_median_a_group_is_read_backwards():
    """The six of the example below a median group of eight: f x c, e x b, d x a."""
    points = dict.fromkeys(range(1, 7), 2) | dict.fromkeys(range(11, 19), 4)
    plain = pair_round(group([], points), "olympiad-2022")
    assert plain.median == 4
    assert sets((F, C), (E, B), (D, A)) <= met_pairs(plain)
    again = pair_round(group([(F, C)], points), "olympiad-2022")
    assert sets((F, B), (E, C), (D, A)) <= met_pairs(again)


def test_example_of_a_floater_from_above():
    """MP 6: 1 2 3, of whom 3 floats and has met 4; MP 4: 4 to 8; MP 2, the median, and more."""
    points = {1: 6, 2: 6, 3: 6, **dict.fromkeys(range(4, 9), 4), **dict.fromkeys(range(9, 23), 2)}
    made = pair_round(group([(3, 4)], points), "olympiad-2022")
    assert sets((1, 2), (3, 5), (4, 7), (6, 8)) <= met_pairs(made)
    assert made.floats == ((3, 6),)
    assert {pair.how for pair in made.pairs if 3 in (pair.white, pair.black)} == {"from above"}


def test_example_of_a_floater_from_below():
    """MP 2, the median: 11 to 14; MP 0: 15 16 17. 15 floats, or 16 where 16 and 17 have met."""
    points = dict.fromkeys(range(11, 15), 2) | dict.fromkeys((15, 16, 17), 0) | {10: 4}
    plain = met_pairs(pair_round(group([(10, 11)], points), "olympiad-2022"))
    assert sets((16, 17), (14, 15)) <= plain
    other = pair_round(group([(10, 11), (16, 17)], points), "olympiad-2022")
    assert sets((15, 17), (14, 16)) <= met_pairs(other) and other.floats[-1] == (16, 0)
    once_more = pair_round(group([(10, 11), (16, 17), (14, 16)], points), "olympiad-2022")
    assert sets((15, 17), (13, 16)) <= met_pairs(once_more)


def test_who_floats_can_meet_somebody_of_the_next_group():
    """8.2.3: of MP 6 it is 3 who would float, but it has met all of MP 4; so 2 does."""
    points = {**dict.fromkeys((1, 2, 3), 6), **dict.fromkeys((4, 5, 6), 4)}
    points |= dict.fromkeys(range(7, 13), 2)
    made = pair_round(group([(3, 4), (3, 5), (3, 6)], points), "olympiad-2022")
    assert sets((1, 3), (2, 4), (5, 6)) <= met_pairs(made) and made.floats == ((2, 6),)


def all_pairs(*numbers):
    return list(combinations(numbers, 2))


# The numbers of the groups above, of the median group and below; who of the median group have met;
# who floats, in order; and whom they meet.
MEDIANS = [
    # Two cannot be enough, so four float, all from above.
    ((1, 2, 3, 4), (5, 6, 7, 8), (), all_pairs(5, 6, 7, 8), (1, 2, 3, 4),
     [(1, 5), (2, 6), (3, 7), (4, 8)]),
    # Two from either side: those from above take the highest, those from below the lowest.
    ((1, 2), (3, 4, 5, 6), (7, 8), all_pairs(3, 4, 5, 6), (1, 2, 8, 7),
     [(1, 3), (2, 4), (8, 6), (7, 5)]),
    # Nobody is above: two from below, or four where two cannot be enough.
    ((), (1, 2, 3, 4, 5, 6), (7, 8), all_pairs(1, 2, 3, 4), (8, 7),
     [(1, 5), (2, 6), (3, 7), (4, 8)]),
    ((), (1, 2, 3, 4, 5, 6), (7, 8, 9, 10), all_pairs(1, 2, 3, 4, 5, 6)[1:], (10, 9, 8, 7),
     [(1, 2), (10, 6), (9, 5), (8, 4), (7, 3)]),
    # Four from either side.
    pytest.param(
        (1, 2, 3, 4), tuple(range(5, 13)), (13, 14, 15, 16), all_pairs(*range(5, 13)),
        (1, 2, 3, 4, 16, 15, 14, 13),
        [(1, 5), (2, 6), (3, 7), (4, 8), (16, 12), (15, 11), (14, 10), (13, 9)],
        marks=pytest.mark.thorough,
    ),
    # Five would have to: all of it is one group, in the order of trial.
    ((), (1, 2, 3, 4, 5, 6), (7, 8, 9, 10), all_pairs(1, 2, 3, 4, 5), None,
     [(1, 6), (2, 7), (3, 8), (4, 9), (5, 10)]),
]  # fmt: skip


@pytest.mark.parametrize(("above", "median", "below", "met", "floats", "expected"), MEDIANS)
def test_more_teams_float_where_the_median_group_cannot_be_paired(
    above, median, below, met, floats, expected
):
    points = dict.fromkeys(above, 4) | dict.fromkeys(median, 2) | dict.fromkeys(below, 0)
    made = pair_round(group(met, points), "olympiad-2022")
    assert made.median == 2 and met_pairs(made) == sets(*expected)
    if floats is not None:
        assert tuple(number for number, _ in made.floats) == floats
        assert [points_of for _, points_of in made.floats] == [points[n] for n in floats]
    hows = {frozenset((p.white, p.black)): p.how for p in made.pairs}
    for pair in expected:
        side = "merged" if floats is None else "group"
        if floats and {*pair} & {*above, *below}:
            side = "from above" if {*pair} & {*above} else "from below"
        assert hows[frozenset(pair)] == side


def test_refusals_say_what_was_tried_before():
    """1 has met 4, and 5 has the colours of 1; if 1 met 6, 4 and 5 were left, who have met."""
    met = {1: {4}, 4: {1}, 5: set()}
    teams = [
        team(n, 2, {*met.get(n, ()), 90 + n}, "WW" if n in (1, 5) else "") for n in range(1, 7)
    ]
    made = pair_round(teams, "olympiad-2022")
    assert [(r.team, r.other, r.why) for r in made.refusals] == [(1, 4, "met"), (1, 5, "colours")]
    assert met_pairs(made) == sets((1, 6), (2, 4), (3, 5)) and made.order == (1, 2, 3, 4, 5, 6)


def test_of_an_odd_group_that_can_meet_nobody_below_one_floats():
    """And meets somebody of the median group, whom nobody of the group in between left (8.2.4)."""
    points = {1: 6, 2: 6, 3: 6, 4: 5, 5: 5, 6: 4, 7: 4, 8: 4, 9: 4, 10: 2}
    met = [(a, b) for a in (1, 2, 3) for b in (4, 5)]
    made = met_pairs(pair_round(group(met, points), "olympiad-2022"))
    assert sum(pair <= {1, 2, 3} for pair in made) == 1


def test_the_editions_differ_in_the_order_alone():
    teams = [team(1, 4, game_points=6.5), team(2, 4, game_points=8), team(3, 5)]
    assert [t.number for t in ranked(teams, "olympiad-2022")] == [3, 1, 2]
    assert [t.number for t in ranked(teams, "olympiad-2010")] == [3, 2, 1]


def test_colours_go_before_the_order_of_trial_and_are_given_up_last():
    """7.3, 7.4: who had White twice meets who may have White; if all had it they meet anyway."""
    white = [team(n, 2, [90 + n], "WW") for n in (1, 2)]
    black = [team(n, 2, [90 + n], "BB") for n in (3, 4)]
    mixed = [white[0], black[0], white[1], black[1]]
    renamed = [team(k + 1, 2, t.met, t.colours) for k, t in enumerate(mixed)]
    assert met_pairs(pair_round(renamed, "olympiad-2022")) == sets((1, 4), (2, 3))
    alike = [team(n, 2, [90 + n], "WW") for n in (1, 2, 3, 4)]
    assert met_pairs(pair_round(alike, "olympiad-2022")) == sets((1, 3), (2, 4))


@pytest.mark.parametrize(
    ("higher", "lower", "white"),
    [
        ("WB", "WW", 1),  # fewer Whites by difference
        ("WW", "WB", 2),
        ("WB", "BW", 1),  # the latest round with different colours is reversed: 1 had Black there
        ("W-", "W-", 2),  # no such round: brings the difference to zero
        ("WB", "WB", 1),  # at zero the opposite of the last
        ("BW", "BW", 2),
    ],
)
def test_colours_of_a_pair(higher, lower, white):
    first, _ = colours(team(1, colours=higher), team(2, colours=lower))
    assert first.number == white


@pytest.mark.parametrize(
    ("had", "white", "black"),
    [
        ("", True, True),
        ("W", True, True),
        ("WW", False, True),  # the third in a row
        ("W-W", False, True),  # a round without a match does not interrupt it
        ("BWW", False, True),
        ("WBW", True, True),
        ("WWBW", False, True),  # a difference of three
        ("BB", True, False),
        ("BBWB", True, False),
    ],
)
def test_colours_that_a_team_may_have(had, white, black):
    """7.3: neither three times in a row nor three times more than the other one."""
    one = team(1, colours=had)
    assert (one.may_have("W"), one.may_have("B")) == (white, black)


def test_byes():
    teams = [team(n, 0, [99]) for n in range(1, 8)]
    assert pair_round(teams, "olympiad-2022").bye == 7
    assert pair_round(teams, "olympiad-2022", no_bye=[7, 6]).bye == 5
    assert pair_round(teams, "olympiad-2022", no_bye=range(1, 8)).bye == 7


@pytest.mark.parametrize("number", [0, 1, 1001])
def test_numbers_of_teams_are_bounded(number):
    with pytest.raises(InputError, match=rf"2..1000 teams, got {number}"):
        pair_round([team(n + 1) for n in range(number)], "olympiad-2022")


def test_a_field_that_cannot_be_paired_is_refused():
    with pytest.raises(InputError, match="cannot be paired"):
        pair_round([team(1, 2, [2], "W"), team(2, 0, [1], "B")], "olympiad-2022")


# ---------------------------------------------------------------------- brute force


def brute_force(order, allowed):
    """The first complete pairing in the order of trial, by trying all of them."""
    if not order:
        return []
    first, half = order[0], len(order) // 2
    for k in [*range(half, 2 * half), *range(half - 1, 0, -1)]:
        if allowed(first, order[k]):
            rest = brute_force(order[1:k] + order[k + 1 :], allowed)
            if rest is not None:
                return [(first, order[k]), *rest]
    return None


def fit(one, other):
    ways = ("WB", "BW")
    return any(one.may_have(a) and other.may_have(b) for a, b in ways)


def random_history(chance, number):
    """A group of equals with colours and past opponents, some of whom are in the group."""
    met = {n: {90 + n} for n in range(1, number + 1)}
    density = chance.choice((0.1, 0.3, 0.5, 0.7))
    for one in met:
        for other in met:
            if one < other and chance.random() < density:
                met[one].add(other)
                met[other].add(one)
    length = chance.randint(1, 4)
    return [team(n, 4, met[n], "".join(chance.choices("WB-", (4, 4, 1), k=length))) for n in met]


def test_groups_agree_with_brute_force():
    """300 random groups: with colours if that can be, else without; else refused."""
    chance, seen = random.Random(5), {"fit": 0, "unmet": 0, "none": 0}
    for _ in range(300):
        teams = random_history(chance, chance.choice((4, 6, 8)))
        strict = brute_force(teams, lambda a, b: b.number not in a.met and fit(a, b))
        loose = brute_force(teams, lambda a, b: b.number not in a.met)
        expected = strict if strict is not None else loose
        seen["none" if expected is None else "unmet" if strict is None else "fit"] += 1
        if expected is None:
            with pytest.raises(InputError):
                pair_round(teams, "olympiad-2022")
        else:
            made = pair_round(teams, "olympiad-2022")
            assert met_pairs(made) == sets(*((a.number, b.number) for a, b in expected))
    assert min(seen.values()) > 10, seen


def simulated_rounds(number, rounds, chance, edition):
    """A field paired round after round, with results by chance: the state and the pairing."""
    points, half, met, colour = ({n: kind() for n in range(1, number + 1)} for kind in
                                 (int, int, set, str))  # fmt: skip
    had_bye = set()
    for _ in range(rounds):
        teams = [team(n, points[n], met[n], colour[n], half[n] / 2) for n in points]
        made = pair_round(teams, edition, had_bye)
        yield teams, made
        for pair in made.pairs:
            stronger = chance.random() < 0.5 + (pair.black - pair.white) / (2 * number)
            won = chance.choices(((2, 0), (1, 1)), (3, 1))[0]
            gained = won if stronger else won[::-1]
            for n, other, got, letter in (
                (pair.white, pair.black, gained[0], "W"), (pair.black, pair.white, gained[1], "B"),
            ):  # fmt: skip
                points[n] += got
                half[n] += 2 + 3 * got - 1
                met[n].add(other)
                colour[n] += letter
        if made.bye:
            points[made.bye] += 1
            half[made.bye] += 4
            colour[made.bye] += "-"
            had_bye.add(made.bye)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("number", "rounds"), [(7, 5), (30, 9), (121, 11)])
def test_whole_events(number, rounds, edition):
    """Everybody meets somebody new, and nobody has one colour three times while others could."""
    seen = 0
    for teams, made in simulated_rounds(number, rounds, random.Random(3), edition):
        known = {one.number: one for one in teams}
        paired = [n for pair in made.pairs for n in (pair.white, pair.black)]
        assert sorted([*paired, *[made.bye] * (made.bye is not None)]) == sorted(known)
        for pair in made.pairs:
            assert pair.black not in known[pair.white].met
            fits = fit(known[pair.white], known[pair.black])
            legal = known[pair.white].may_have("W") and known[pair.black].may_have("B")
            assert legal or not fits
        seen += len(made.pairs)
    assert seen == rounds * (number // 2)


@pytest.mark.slow
def test_a_thousand_teams_are_paired_within_two_seconds():
    for _, _ in simulated_rounds(1000, 9, random.Random(1), "olympiad-2022"):
        start = time.process_time()
    assert time.process_time() - start < 2


def clubs(number, size):
    """Everybody has met all teams on equal points: whole groups float."""
    of = {
        n: range((n - 1) // size * size + 1, (n - 1) // size * size + size + 1)
        for n in range(1, number + 1)
    }
    return [team(n, 2 * (number - of[n][0]), {*of[n], 999} - {n}) for n in of]


def crowd(number, density, levels):
    """Teams who have met most others, on few different scores, with two colours each."""
    chance = random.Random(number)
    met = {n: {999} for n in range(1, number + 1)}
    for n in met:
        for other in range(1, n):
            if chance.random() < density:
                met[n].add(other)
                met[other].add(n)
    return [
        team(n, 2 * chance.randrange(levels), of, "".join(chance.choices("WB", k=2)))
        for n, of in met.items()
    ]


@pytest.mark.parametrize(
    "teams",
    [clubs(60, 10), clubs(60, 15), clubs(98, 49), crowd(60, 0.9, 1), crowd(60, 0.85, 9)],
    ids=["clubs of 10", "clubs of 15", "two halves", "one group", "nine groups"],
)
def test_hard_states_take_few_searches(teams, monkeypatch):
    """Searches for another complete pairing, each polynomial in the teams: n^2 at most."""
    searches = 0
    alternate = matching.alternate

    def counted(*args):
        nonlocal searches
        searches += 1
        return alternate(*args)

    monkeypatch.setattr(matching, "alternate", counted)
    made = pair_round(teams, "olympiad-2022")
    known = {one.number: one for one in teams}
    assert sorted(n for pair in made.pairs for n in (pair.white, pair.black)) == sorted(known)
    assert all(pair.black not in known[pair.white].met for pair in made.pairs)
    assert searches <= len(teams) ** 2


def brute_complete(group, allowed):
    """Whether a group can be paired, by trying all pairs of its first team."""
    if not group:
        return True
    first, *others = group
    return any(
        allowed(first, other) and brute_complete([x for x in others if x != other], allowed)
        for other in others
    )


def test_complete_pairings_agree_with_brute_force():
    """400 random groups: whether they can be paired, and whom the first team can then meet."""
    chance, seen = random.Random(7), [0, 0]
    for _ in range(400):
        number, density = chance.choice((4, 6, 8, 10)), chance.choice((0.2, 0.3, 0.5))
        masks = [0] * number
        for a in range(number):
            for b in range(a):
                if chance.random() < density:
                    masks[a] |= 1 << b
                    masks[b] |= 1 << a
        group = list(range(number))

        def allowed(a, b, masks=masks):
            return bool(masks[a] >> b & 1)

        partner = matching.perfect(group, masks)
        assert (partner is not None) == brute_complete(group, allowed)
        seen[partner is None] += 1
        if partner is not None:
            assert all(allowed(a, b) and partner[b] == a for a, b in partner.items())
            may = matching.partners_left(group, masks, partner, 0)
            for other in group[1:]:
                rest = [x for x in group[1:] if x != other]
                possible = allowed(0, other) and brute_complete(rest, allowed)
                assert possible == bool(may >> other & 1)
    assert min(seen) > 50
