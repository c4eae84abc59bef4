"""Round robins against the printed tables, a construction of our own, and their properties."""

import itertools
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from quick import examples

from tb2learn.chess.berger import RoundRobin, round_robin
from tb2learn.chess.event_format import MAX_REPEATS
from tb2learn.data import read_rows
from tb2learn.types import BYE, InputError

# --------------------------------------------------------------------------- in plain Python


def by_sums(players):
    """The pairs of every round and their colours, by adding numbers, without a row of a table.

    Players 1..m meet in the round in which their sum has a given remainder modulo m. The odd one is
    free, and meets m + 1 if there is such a player. An odd sum gives White to the lower number, an
    even one to the higher; m + 1 has Black against the first half of the field, and White against
    the rest.
    """
    m = players - 1 + players % 2
    rounds = []
    for number in range(m):
        total = (2 * number * ((m + 1) // 2)) % m + 2  # twice the number that is free
        games, free = set(), None
        for a in range(1, m + 1):
            b = next(x for x in range(1, m + 1) if (a + x - total) % m == 0)
            if a == b:
                free = a
            elif a < b:
                games.add((a, b) if (a + b) % 2 else (b, a))
        if players > m:
            games.add((free, players) if free <= players // 2 else (players, free))
        rounds.append(games)
    return rounds


def sequences(schedule):
    """Everybody's colours in order, W and B, read from the games."""
    found = {player: "" for player in range(schedule.players)}
    for games in schedule.games.tolist():
        for white, black in games:
            found[white] += "W"
            found[black] += "B"
    return found


def pairs(schedule):
    return [tuple(game) for games in schedule.games.tolist() for game in games]


# --------------------------------------------------------------------------- one cycle


@pytest.mark.parametrize(
    ("name", "players", "order"),
    [
        ("berger_7_8", 8, "berger"),
        ("berger_13_14", 14, "berger"),
        ("rutch_berger_7_8", 8, "rutch-berger"),
    ],
)
def test_printed_tables(name, players, order):
    rows = read_rows("berger", f"{name}.csv")
    for size in (players, players - 1):
        schedule = round_robin(size, order=order)
        found = [
            (number + 1, white + 1, black + 1)
            for number, games in enumerate(schedule.games.tolist())
            for white, black in games
        ]
        printed = [tuple(int(row[key]) for key in ("round", "white", "black")) for row in rows]
        assert found == [game for game in printed if size == players or players not in game]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 11, 12, 13, 16, 31, 64, 99])
def test_games_and_colours_follow_from_sums(players):
    schedule = round_robin(players)
    found = [{(w + 1, b + 1) for w, b in games} for games in schedule.games.tolist()]
    assert found == by_sums(players)


@examples(40)
@given(st.integers(2, 24), st.integers(1, 4))
@example(6, 2)
def test_properties(players, cycles):
    schedule = round_robin(players, cycles)
    once = pairs(RoundRobin(players, schedule.games[: schedule.rounds // cycles]))
    assert sorted(tuple(sorted(pair)) for pair in once) == list(
        itertools.combinations(range(players), 2)
    )
    every = Counter(pairs(schedule))
    for a, b in itertools.combinations(range(players), 2):
        assert every[a, b] + every[b, a] == cycles
        assert abs(every[a, b] - every[b, a]) == cycles % 2
    for games in schedule.games.tolist():
        busy = list(itertools.chain(*games))
        assert len(busy) == len(set(busy)) == players - players % 2
    colours = sequences(schedule)
    for own in colours.values():
        assert ("WWW" not in own and "BBB" not in own) or (players == 4 and cycles > 2)
        surplus = abs(own.count("W") - own.count("B"))
        assert surplus == (cycles % 2 if players % 2 == 0 else 0)
    if cycles == 1:
        repeats = [own.count("WW") + own.count("BB") for own in colours.values()]
        assert sum(repeats) == (0 if players % 2 else players - 2) and max(repeats) <= 1
        if players % 2 == 0:
            assert [repeats[player] for player in (players // 2 - 1, players - 1)] == [0, 0]


def test_opponents_colours_and_rests():
    schedule = round_robin(5)
    met, colours = schedule.opponents, schedule.colours
    for number, games in enumerate(schedule.games.tolist()):
        for white, black in games:
            assert met[number, white] == black and met[number, black] == white
            assert colours[number, white] == 1 and colours[number, black] == -1
        resting = schedule.resting(number)
        assert met[number, resting] == BYE and colours[number, resting] == 0
    assert sorted(map(schedule.resting, range(5))) == list(range(5))
    assert round_robin(4).resting(0) is None


@examples(40)
@given(st.integers(2, 24), st.integers(1, 3), st.sampled_from(["berger", "rutch-berger"]))
def test_colour_counts(players, cycles, order):
    schedule = round_robin(players, cycles, order)
    counts, found = schedule.colour_counts(), sequences(schedule).values()
    runs = [[len(list(run)) for _, run in itertools.groupby(own)] for own in found]
    assert counts.repeats == sum(sum(run) - len(run) for run in runs)
    assert counts.longest == max(map(max, runs))
    assert counts.in_threes == sum(max(run) >= 3 for run in runs)
    assert counts.surplus == max(abs(own.count("W") - own.count("B")) for own in found)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((1,), "players must be 2..1000, got 1"),
        ((1001,), "players must be 2..1000, got 1001"),
        ((4, 0), "cycles must be 1..8, got 0"),
        ((4, MAX_REPEATS + 1), "got 9"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        round_robin(*given)
