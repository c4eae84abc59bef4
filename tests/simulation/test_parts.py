"""Parts of the schedules by hand: sets of places, colours, events that are kept."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import Results
from tb2learn.config import Config, GameConfig
from tb2learn.simulation import dutch_swiss, formats, olympiad_swiss, places
from tb2learn.simulation.dutch_swiss import preferences
from tb2learn.simulation.event import Event
from tb2learn.simulation.event_store import EventStore, pack, unpack
from tb2learn.simulation.last_round import LastRound
from tb2learn.simulation.olympiad_swiss import _Colours, _ranked
from tb2learn.simulation.oracle import half_errors, sum_over_tied
from tb2learn.simulation.schedule import PlayedRounds, _packed_ratings
from tb2learn.simulation.simulated import SimulatedEvents
from tb2learn.types import BYE


def column(*values):
    return np.array(values, np.int32)[:, None]


@jax.jit
def looked_at(members, place, rank):
    words = places.pack(members)
    rows, starts = places.rows_of(words), places.starts(len(words))
    sets = places.bit(place, starts), places.below(place, starts)
    between = places.between(place - 2, place, starts)
    sizes = [places.size(places.rows_of(one)) for one in (words, *sets, between)]
    ends = places.first(rows), places.last(rows), places.middle_member(rows)
    met = places.first(places.rows_of(sets[0])), places.last(places.rows_of(sets[1]))
    return [*sizes, *ends, places.member(rows, rank), *met]


@pytest.mark.parametrize(
    ("members", "place", "rank", "expected"),
    [
        # Sizes: the set, one place, all before it, the two before it; first, last and middle
        # member, that of the rank; the place itself and the last before it.
        ((3, 31, 32, 39), 33, 2, [4, 1, 33, 2, 3, 39, 32, 32, 33, 32]),
        ((0, 1, 38), 2, 0, [3, 1, 2, 2, 0, 38, 1, 0, 2, 1]),
        ((31,), 32, 0, [1, 1, 32, 2, 31, 31, 31, 31, 32, 31]),
    ],
)
def test_sets_of_places(members, place, rank, expected):
    """Of 40 places, which are two words."""
    there = np.isin(np.arange(40), members)[:, None]
    found = looked_at(there, column(place), column(rank))
    assert [int(one[0, 0]) for one in found] == expected


@pytest.mark.parametrize(
    ("colours", "expected"),
    [
        ("", 0),
        ("W", -2), ("B", 2),  # a difference of one is strong
        ("WB", 1), ("BW", -1),  # mild: to alternate
        ("WW", -5), ("BB", 5),  # absolute, by two
        ("WBB", 4), ("BWW", -4),  # absolute: twice running
        ("WWB", -2), ("BBW", 2),
        ("WWBB", 3), ("WBWW", -5), ("WWWBB", 4),
    ],
)  # fmt: skip
def test_colour_preferences(colours, expected):
    bits = int("0" + colours.replace("W", "1").replace("B", "0"), 2)
    wish = jax.jit(preferences)(column(bits), column(len(colours)))
    assert wish.tolist() == [[expected]] and dutch_swiss.ABSOLUTE == 3


@pytest.mark.parametrize(
    ("colours", "difference", "white", "black"),
    [
        ("", 0, True, True), ("W", 1, True, True), ("WW", 2, False, True), ("BB", -2, True, False),
        ("BWW", 1, False, True), ("WBB", -1, True, False), ("WBW", 1, True, True),
        ("WWBW", 2, False, True), ("BBWB", -2, True, False),
    ],
)  # fmt: skip
def test_colours_of_board_1(colours, difference, white, black):
    """7.3 of the Olympiad's rules, in bits: neither three running nor three more."""
    code = int("1" + colours.replace("W", "1").replace("B", "0"), 2)
    known = jax.jit(lambda one: (one.number, one.difference, one.white, one.black))
    found = [part.item() for part in known(_Colours(column(code)))]
    assert found == [len(colours), difference, white, black]


def players_of(*colours):
    """Players with these colours so far, in the bits of the Dutch system."""
    bits = [int("0" + one.replace("W", "1").replace("B", "0"), 2) for one in colours]
    nobody = np.zeros((len(bits), 1), bool)
    return dutch_swiss._Players(column(*bits), column(*map(len, colours)), nobody, nobody, nobody)


dutch_colours = jax.jit(dutch_swiss._with_colours)
board_colours = jax.jit(olympiad_swiss._with_colours)

PAIRS = [
    # The colours of both so far; whether the higher player has White: by the Dutch system, by the
    # rules of the Olympiad.
    ("W", "B", False, False),  # different wishes are granted
    ("B", "B", True, True),  # the higher one alternates
    ("W", "W", False, False),
    ("WB", "BW", True, True),
    ("WBW", "WWB", False, False),  # equal otherwise: the last round in which they differed turns
    ("WBB", "BB", False, False),  # the stronger wish
    ("BBWW", "WBWBW", False, False),  # fewer Whites, but it would be the third running
    ("WW", "BW", False, False),
    ("BWB", "W", True, True),
    ("BB", "WBB", True, True),
]


@pytest.mark.parametrize(("higher", "lower", "by_dutch", "by_olympiad"), PAIRS)
def test_who_has_white(higher, lower, by_dutch, by_olympiad):
    pair, order, lot = np.array([[[0]], [[1]]]), column(0, 1), np.array([[False]])
    white, black = dutch_colours(pair, players_of(higher, lower), order, lot)
    assert (white.item() == 0, black.item() == 0) == (by_dutch, not by_dutch)
    codes = [int("1" + one.replace("W", "1").replace("B", "0"), 2) for one in (higher, lower)]
    teams = column(codes[0] << 10, 1 | codes[1] << 10)
    both = board_colours(pair, teams, lot).item()
    assert (both & 1023 == 0, both >> 10 == 0) == (by_olympiad, not by_olympiad)


@pytest.mark.parametrize("lot", [True, False])
def test_colours_of_the_first_round_are_drawn_by_lot(lot):
    """In the Dutch system by odd and even seeds, in an Olympiad from match to match."""
    pairs, order, drawn = np.array([[[0], [1]], [[2], [3]]]), column(0, 1, 2, 3), np.array([[lot]])
    white = dutch_colours(pairs, players_of("", "", "", ""), order, drawn)[0][:, 0]
    assert white.tolist() == ([0, 3] if lot else [2, 1])
    both = board_colours(pairs, order | 1 << 10, drawn)[:, 0]
    assert (both & 1023).tolist() == ([2, 1] if lot else [0, 3])


@jax.jit
def before_a_round(so_far, number, wishes, centres):
    """The field, and side by side: who floats from two groups, whom to take, who is nearest."""
    players = dutch_swiss._players(so_far, number, 1)
    field = dutch_swiss._Field.ordered(so_far, players, number)
    place = np.arange(7)[:, None]
    groups = places.pack(jnp.asarray((place < 4) & (place >= np.array([[1, 0]]))))
    pool = jnp.broadcast_to(groups[:, 1:], (1, 3))
    few = field._replace(white=field.white & 0, black=field.black & 1)
    thrifty = [dutch_swiss._thrifty(pool, wishes, one) for one in (field, few)]
    nearest = dutch_swiss._nearest(pool & field.black, centres)
    return field, dutch_swiss._floater(groups, field), thrifty, nearest


def test_a_round_of_the_dutch_system():
    """Order, the bye, wishes, floats and who floats from a group, after two rounds of seven."""
    # Players by seed. 0-3 1:0, 4-1 0:1, 2-5 drawn, 6 rests; 1-0 drawn, 6-2 1:0, 4-5 0:1, 3 rests.
    opponents = np.array([[3, 4, 5, 0, 1, 2, BYE], [1, 0, 6, BYE, 5, 4, 2], *[[BYE] * 7] * 2])
    half = np.array([[2, 2, 1, 0, 0, 1, 2], [1, 1, 0, 2, 0, 2, 2], *[[0] * 7] * 2])
    had = (0, 2, 4), (1, 4, 6), (), ()
    whites = np.array([[seed in white for seed in range(7)] for white in had])
    points = half.sum(axis=0)[:, None]
    rounds = (jnp.array(part)[..., None] for part in (opponents, half, whites))
    field, out, thrifty, nearest = before_a_round(
        PlayedRounds(*rounds, jnp.array(points), jnp.array(points)), jnp.int32(2),
        jnp.array([[1, -1, 0]]), jnp.array([[1, 3, 0]]),
    )  # fmt: skip
    # Points 3 3 1 2 0 3 4; 4, the last, has had no bye.
    assert field.order[:, 0].tolist() == [6, 0, 1, 5, 3, 2, 4] and field.paired == 6

    def members(words, lane=0):
        return [place for place in range(7) if int(words[0, lane]) >> place & 1]

    assert members(field.begins) == [0, 1, 4, 5, 6]
    # W, WB, BW, BB, B, WB and WW.
    assert field.wish[:, 0].tolist() == [-2, 1, -1, 5, 2, 1, -5]
    assert (members(field.white), members(field.black)) == ([1, 3, 4, 5], [0, 2, 6])
    assert members(field.absolute) == [3, 6]
    # 6 met 2, who had fewer points, and 5 met 4; 3 rested.
    assert (members(field.down), members(field.up)) == ([0, 3, 4], [5, 6])
    assert members(field.met[6]) == [5] and members(field.met[0]) == [2, 4]
    # Of places 1 to 3 two want White: of these 1 has not floated down. Four are even.
    assert members(out) == [1] and members(out, 1) == []
    # Two of four want each colour: everybody takes one of the other.
    found = [[members(one & 15, lane) for lane in range(3)] for one in thrifty]
    assert found[0] == [[0, 2], [1, 3], [1, 3]]
    # Only 0 wishes anything, Black: who does, too, avoids it.
    assert found[1] == [[0, 1, 2, 3], [1, 2, 3], [0, 1, 2, 3]]
    assert nearest.tolist() == [[2, 2, 0]]


def test_the_order_of_the_editions_and_their_byes():
    """Match points, then in 2010 game points, then the number; the lowest without a bye rests."""
    points, game_points = column(2, 4, 2, 2, 0), column(5, 1, 5, 6, 9)
    had = column(0, 0, 0, 0, 1).astype(bool)
    ranked = jax.jit(_ranked)
    order, begins = ranked(points, None, had)
    assert order[:, 0].tolist() == [1, 0, 2, 4, 3]
    assert begins[:4, 0].tolist() == [True, True, False, True]
    order, _ = ranked(points, game_points, had)
    assert order[:, 0].tolist() == [1, 3, 0, 4, 2]
    assert ranked(points, None, np.ones((5, 1), bool))[0][-1] == 4


def test_what_a_bye_pays_and_who_has_colours():
    event = EventFormat(6, 5, 4)
    swisses = "median-swiss", "dutch", "olympiad-2022", "olympiad-2010"
    made = {name: formats.SCHEDULES[name](event) for name in swisses}
    half, whole = 4, 8  # half points: a drawn match, a win
    assert {name: (one.matches, one.rest, one.colours) for name, one in made.items()} == {
        "median-swiss": (3, half, False), "dutch": (3, whole, True),
        "olympiad-2022": (3, half, True), "olympiad-2010": (3, half, True),
    }  # fmt: skip
    by = [made[f"olympiad-{edition}"]._by_game_points for edition in (2010, 2022)]
    assert by == [True, False]
    robin = formats.RoundRobinSchedule(EventFormat(3, 3, 1, format="round-robin"))
    assert (robin.matches, robin.rest, robin.colours) == (1, 0, True)


def test_how_many_events_are_played_side_by_side(monkeypatch):
    config = Config("x")
    monkeypatch.setattr(formats, "cache_bytes", lambda: 22 * 180 * 100)
    monkeypatch.setattr(formats, "many_lanes", lambda: False)
    devices = jax.local_device_count()
    assert formats.default_batch(config.setting) == 64 * devices  # the power of two below 100
    monkeypatch.setattr(formats, "cache_bytes", lambda: 22 * 180 * 128)
    assert formats.default_batch(config.setting) == 128 * devices
    monkeypatch.setattr(formats, "cache_bytes", lambda: 1)
    assert formats.default_batch(config.setting) == 64 * devices
    monkeypatch.setattr(formats, "cache_bytes", lambda: 1 << 40)
    assert formats.default_batch(config.setting) == 256 * devices
    monkeypatch.setattr(formats, "many_lanes", lambda: True)
    # No more than so many cells: 2**29 / 180**2.
    assert formats.default_batch(config.setting) == 16384 * devices
    assert formats.batch_scale(config.event) == 1
    robin = EventFormat(12, 11, 1, format="round-robin")
    assert formats.batch_scale(robin) == 180 * 11 // (12 * 11)
    assert formats.batch_scale(EventFormat(180, 15, 1, pairing="dutch")) == 1


def test_the_ratings_of_two_boards_share_a_word():
    rosters = jnp.array([[[2800], [2700], [2600]], [[4000], [1], [0]]], jnp.int32)
    first, last = _packed_ratings(rosters, 1)
    assert first[:, 0].tolist() == [2800 + (2700 << 16), 4000 + (1 << 16), 0]
    assert last[:, 0].tolist() == [2600, 0, 0]


def test_other_results_of_the_last_round():
    """A beat B and C drew with D; C rests on the second half of the lanes, where nobody is."""
    results = Results(
        jnp.array([[2, 3, 0, 1], [1, 0, 3, 2]]), jnp.array([[2, 2, 2, 2], [3, 1, 2, 2]]),
        jnp.array([3, 1, 2, 2]), 2,
    )  # fmt: skip
    law = jnp.array([[0, 0, 10000, 20000, 2768], [32768, 0, 0, 0, 0], [0, 0, 0, 0, 32768]])
    last = LastRound(
        results, jnp.array([[0, 2, 4], [1, 3, 4]]), jnp.array([True, True, False]),
        jnp.array([3, 2, 0]), law,
    )  # fmt: skip
    again = jax.jit(LastRound.with_results)(last, np.array([0, 3, 4]))
    assert again.half_points.tolist() == [[2, 2, 2, 2], [0, 4, 3, 1]]
    assert again.match_points.tolist() == [1, 3, 3, 1]
    replayed = jax.jit(LastRound.replayed)
    for number, expected in ((9999, [2, 0, 4]), (10000, [3, 0, 4]), (29999, [3, 0, 4]),
                             (30000, [4, 0, 4])):  # fmt: skip
        assert replayed(last, np.array([number] * 3)).tolist() == expected


def test_the_matches_of_the_last_round():
    """Each once, by its lower number; who rests has none. Equals win and lose alike."""
    event = Event(
        jnp.full((5, 1), 2400), jnp.array([[1, 0, 3, 2, BYE], [3, BYE, 4, 0, 2]]),
        jnp.array([[2, 0, 1, 1, 1], [0, 1, 2, 2, 0]]), jnp.array([2, 1, 3, 3, 1]),
    )  # fmt: skip
    last = jax.jit(lambda event: LastRound.of(event, GameConfig()))(event)
    assert last.sides.tolist() == [[0, 2], [3, 4]] and last.there.tolist() == [True, True]
    assert last.played.tolist() == [0, 2]
    law = last.law.tolist()
    assert law[0] == law[1] == law[0][::-1] and sum(law[0]) == 32768 and len(law[0]) == 3


def test_pairs_of_equal_match_points():
    """Each pair of tied teams once, the lower number first, whatever the size of the group."""
    points, value = jnp.array([2, 1, 2, 2, 0, 1, 2]), jnp.array([3, 1, 4, 1, 5, 9, 2])

    def count(first, second):
        return first[0] * 10 + second[0], jnp.ones_like(first[0])

    own, (products, pairs) = jax.jit(lambda *both: sum_over_tied(*both, count))(points, [value])
    # Teams 4; 1 and 5; 0, 2, 3 and 6.
    assert own.tolist() == [0, 1, 1, 2, 2, 2, 2] and pairs.tolist() == [0, 1, 0, 3, 2, 1, 0]
    # 1 and 9; 3 with 4, 1 and 2; 4 with 1 and 2; 1 with 2.
    assert products.tolist() == [0, 19, 0, 90 + 7, 80 + 3, 12, 0]


def test_half_errors():
    verdicts, order = column(1, -1, 0, 1, 1, -1)[:, 0], column(1, -1, 1, 0, -1, 1)[:, 0]
    assert jax.jit(half_errors)(verdicts, order).tolist() == [0, 0, 1, 1, 2, 2]


def test_events_are_kept_in_narrow_integers():
    whole = Event(
        jnp.array([[2800], [2700]]), jnp.array([[1, 0]]), jnp.array([[2, 0]]), jnp.array([2, 0]),
        whites=jnp.array([[True, False]]), ratings=jnp.array([2810, 2690]),
    )  # fmt: skip
    kept = pack(whole, jnp.array([65536, 0], jnp.int32))
    assert kept.ratings is None and kept.rosters.dtype == jnp.int16
    assert kept.strength.dtype == jnp.int32 and kept.strength.tolist() == [65536, 0]
    again = unpack(kept, whole.ratings)
    assert again.ratings.tolist() == [2810, 2690] and again.rosters.tolist() == [[2800], [2700]]
    assert again.whites.tolist() == [[True, False]] and again.half_points.tolist() == [[2, 0]]
    assert again.opponents.dtype == jnp.int32 and again.opponents.tolist() == [[1, 0]]


def test_a_store_keeps_what_comes_first_up_to_its_limit():
    store, made = EventStore(limit=24), []

    def batch(name, numbers):
        return store.get(name, lambda: made.append(name) or np.zeros(numbers, np.int32)).size

    sizes = [
        batch("a", 4),
        batch("b", 3),
        batch("c", 2),
        batch("a", 4),
        batch("b", 3),
        batch("c", 2),
    ]
    assert sizes == [4, 3, 2, 4, 3, 2] and made == ["a", "b", "c", "b"] and store.held == 24


@pytest.mark.thorough
def test_simulated_events_as_tables():
    """Four teams, two boards: A-B 3:1, C-D 2:2;  A-C 1:3, B-D 4:0;  A-D 4:0, B-C 2:2."""
    opponents = [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    half = [[3, 1, 2, 2], [1, 4, 3, 0], [4, 2, 2, 0]]
    config = Config("x", event=EventFormat(4, 3, 2))
    parts = [[[2400, 2300]] * 2 + [[2200, 2101]] * 2, opponents, half, [4, 3, 4, 1], [3.5] * 4]
    events = SimulatedEvents(config, 1, *(np.array([part]) for part in parts))
    assert repr(events) == "<SimulatedEvents x: 1 events of 4 teams, 3 rounds, seed 1>"
    # The product rule without the weakest opponent, and Buchholz without it.
    assert events.frame().to_numpy().tolist() == [
        [0, 1, 3, 2150.5, 4, 9, 3.5, 7], [0, 2, 1, 2350, 4, 6.5, 4, 7],
        [0, 3, 2, 2350, 3, 6, 3.5, 8], [0, 4, 4, 2150.5, 1, 4, 1, 8],
    ]  # fmt: skip
    matches = events.frame("matches")
    assert [*matches.columns] == ["event", "round", "team", "opponent", "gp"]
    assert matches.to_numpy().tolist()[:5] == [
        [0, 1, 1, 2, 1.5], [0, 1, 2, 1, 0.5], [0, 1, 3, 4, 1], [0, 1, 4, 3, 1], [0, 2, 1, 3, 0.5],
    ]  # fmt: skip


def test_packed_sizes():
    assert places.word_count(32) == 1 and places.word_count(33) == 2
    assert places.NONE > 1000 and math.log2(places.NONE) == 20
