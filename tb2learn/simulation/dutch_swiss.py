"""The schedule of an individual Swiss, by a rule like FIDE's Dutch system, in lockstep.

Source of the notions: FIDE Handbook C.04.3 (Dutch system). This rule is greedy where that one
compares all pairings of a score group; `python -m studies.pairings` measures how often they agree.

1. Players are ordered by points, then by seed. In an odd field the last who has not had the bye
   gets it, for the points of a win.
2. Colour preferences are FIDE's. *Absolute*: for the other colour after two games of the same one,
   or where White and Black differ by two games or more; *strong*: they differ by one; *mild*: to
   alternate; none before the first game. Two players may meet if they have not met and do not have
   the same absolute preference. (FIDE's exception for those who lead before the last round is left
   out.)
3. Score groups are paired from the top. Who floats down joins the next group, ahead of it.
4. From an odd group one player floats: the last of those without whom as few pairs as possible
   share a preference; if there is one, the last of those who did not float down in the last round.
5. The first of the group who is not yet paired takes an opponent: among those whom it may meet by 2
   with whom no more pairs of the group than necessary share a preference; if there are none, among
   all whom it may meet. One who floated takes the first of the group, rather one who did not float
   up in the last round; others the first of the lower half of those left. From there downwards,
   then upwards.
6. If there is nobody, the player takes the lowest of its group (of the last group: of the whole
   field) whom it may meet, out of a pair; nobody is taken so twice in a group. The one left without
   an opponent goes on with 5. If there is nobody to be taken either, the player floats.
7. Those without an opponent after the last group: the first takes another one of them, or else
   somebody out of a pair, drawn by the number of the try; up to `TRIES` times by 2,
   then up to `TRIES` times with anybody not yet met, then the first meets the last of those left.
8. Colours: of different preferences both are granted; of equal ones the stronger (that of the
   greater difference), then the one that alternates from the last round in which the two had
   different colours, then that of the higher ranked. Without preferences odd seeds get the colour
   drawn by lot, even seeds the other one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from tb2learn.chess.event_format import EventFormat
from tb2learn.chess.results import match_points
from tb2learn.jax_types import Keys
from tb2learn.simulation import places
from tb2learn.simulation.schedule import Pairs, PlayedRounds
from tb2learn.types import BYE

TRIES = 2048
"""How often those without an opponent may break up pairs."""

ABSOLUTE = 3
"""Colour preferences from this size on are absolute; 2 is strong, 1 mild; above 0 for White."""


class Dutch:
    """Everybody is paired within score groups, by colour preferences; a bye is worth a win."""

    colours = True

    def __init__(self, event: EventFormat):
        self._boards = event.boards
        self.matches = event.teams // 2
        self.rest = 2 * event.boards

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Array:
        """`[1, batch]`: whether the first seed has White in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        players = _players(so_far, number, self._boards)
        field = _Field.ordered(so_far, players, number)
        partner = _pair_field(field)
        return state, _with_colours(_list_pairs(partner, field), players, field.order, state)


# --------------------------------------------------------------------------- players


class _Players(NamedTuple):
    """What the games of the players say, in seed order."""

    colours: Int[Array, "teams batch"]  # a bit a game, the latest lowest; 1 for White
    games: Int[Array, "teams batch"]
    bye: Bool[Array, "teams batch"]  # had it
    down: Bool[Array, "teams batch"]  # floated in the last round: met somebody with fewer points
    up: Bool[Array, "teams batch"]


def _players(so_far: PlayedRounds, number: Int[Array, ""], boards: int) -> _Players:
    teams, batch = so_far.match_points.shape

    me = jnp.arange(teams, dtype=jnp.int32)[:, None]

    def add(past: Array, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        colours, games, bye = carry
        opponents = so_far.opponents[past]
        met = (opponents != BYE) & (opponents != me)  # its own number stands for having met nobody
        white = so_far.whites[past].astype(jnp.int32)
        colours = jnp.where(met, (colours << 1) | white, colours)
        return colours, games + met, bye | (opponents == BYE)

    nothing = jnp.zeros((teams, batch), jnp.int32)
    start = (nothing, nothing, jnp.zeros((teams, batch), bool))
    colours, games, bye = jax.lax.fori_loop(0, number, add, start)
    last = jnp.maximum(number - 1, 0)
    opponents = so_far.opponents[last]
    before = so_far.match_points - match_points(so_far.half_points[last], boards)
    # Any player for a bye, which counts as no match.
    theirs = places.take(before, jnp.maximum(opponents, 0))
    met, later = (opponents != BYE) & (opponents != me), number > 0
    return _Players(
        colours,
        games,
        bye,
        later & (~met | (theirs < before)),  # C.04.3: whoever does not play floats down, too
        later & met & (theirs > before),
    )


def preferences(
    colours: Int[Array, "teams batch"], games: Int[Array, "teams batch"]
) -> Int[Array, "teams batch"]:
    """Colour preferences: above 0 for White, see `ABSOLUTE`; a greater difference is a greater one.

    **Arguments:**

    - `colours`: a bit a game, the latest lowest; 1 for White.
    - `games`: how many have been played.
    """
    # A bit a game: the number of set bits is that of the games with White.
    surplus = 2 * jax.lax.population_count(colours) - games
    # The two lowest bits are the last two games: equal if their exclusive or is 0.
    # C.04.3: two in a row are absolute, whatever the difference.
    twice = (games > 1) & (((colours ^ (colours >> 1)) & 1) == 0)
    far = jnp.abs(surplus) > 1
    by_last = 1 - 2 * (colours & 1)
    colour = jnp.where(far | ((surplus != 0) & ~twice), -jnp.sign(surplus), by_last)
    size = jnp.where(far | twice, ABSOLUTE + jnp.abs(surplus), 1 + jnp.abs(surplus))
    return jnp.where(games == 0, 0, colour * size)


class _Field(NamedTuple):
    """The players on their places: by points, then by seed; the one with the bye last."""

    # The order.
    order: Int[Array, "teams batch"]  # the player on a place
    met: UInt32[Array, "teams words batch"]  # by player, the set of places that it has met
    begins: UInt32[Array, "words batch"]  # first places of score groups
    # Colours.
    wish: Int[Array, "teams batch"]  # preferences by place
    white: UInt32[Array, "words batch"]  # who prefers White
    black: UInt32[Array, "words batch"]
    absolute: UInt32[Array, "words batch"]  # whose preference is absolute
    # Floaters.
    down: UInt32[Array, "words batch"]  # who floated down in the last round
    up: UInt32[Array, "words batch"]

    @property
    def paired(self) -> int:
        """The places that are paired: all but that of the bye."""
        return len(self.order) // 2 * 2

    @staticmethod
    def ordered(so_far: PlayedRounds, players: _Players, number: Int[Array, ""]) -> _Field:
        teams, batch = so_far.match_points.shape
        team = jnp.arange(teams, dtype=jnp.int32)[:, None]
        # One integer to sort by: points falling, then seed; 10 bits hold 1,000 players.
        key = ((127 - so_far.match_points) << 10) | team
        if teams % 2:
            # -1, no key, where all have had the bye: then the last place rests.
            bye = jnp.where(players.bye, -1, key).max(axis=0, keepdims=True)
            key = jnp.where(key == bye, key | (1 << 24), key)  # behind all 7 + 10 bits of a key
        key = places.sort_columns(key)
        order, points = key & 1023, key >> 10
        seat = places.put(jnp.zeros_like(order), order, jnp.broadcast_to(team, order.shape))
        begins = jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]])
        wish = places.take(preferences(players.colours, players.games), order)
        return _Field(
            order=order,
            met=places.met_words(so_far.opponents, seat, number),
            begins=places.pack(begins),
            wish=wish,
            white=places.pack(wish > 0),
            black=places.pack(wish < 0),
            absolute=places.pack(jnp.abs(wish) >= ABSOLUTE),
            down=places.pack(places.take(players.down, order)),
            up=places.pack(places.take(players.up, order)),
        )

    def of(self, place: Int[Array, "1 batch"]) -> tuple[Array, Array]:
        """The preference of a place, and the places that it has met; anything for none."""
        place = jnp.minimum(place, len(self.order) - 1)  # an empty set has the place `NONE`
        words, batch = self.begins.shape
        row = places.take(self.order, place)
        word = jnp.arange(words, dtype=jnp.int32)[:, None]
        met = places.take(self.met.reshape(-1, batch), row * words + word)
        return places.take(self.wish, place), met

    def clash(self, wish: Int[Array, "1 batch"]) -> UInt32[Array, "words batch"]:
        """Who has the same absolute preference."""
        same = jnp.where(wish > 0, self.white, self.black)
        return jnp.where(jnp.abs(wish) >= ABSOLUTE, same & self.absolute, jnp.uint32(0))


# --------------------------------------------------------------------------- pairing


def _pair_field(field: _Field) -> Int[Array, "padded batch"]:
    """The place that every place meets; one row more, for what is written nowhere."""
    words, batch = field.begins.shape
    paired = field.paired
    begin_of = places.starts(words)

    def next_group(carry: tuple) -> tuple:
        begin, floated, partner = carry
        todo = begin < paired
        rest = places.rows_of(field.begins & ~places.below(begin + 1, begin_of))
        end = jnp.minimum(places.first(rest), paired)
        group = places.between(begin, end, begin_of) | floated
        group = jnp.where(todo, group, jnp.uint32(0))
        floater = _floater(group, field)
        whole = places.between(jnp.zeros_like(end), end, begin_of)
        # Rule 6: of the last group everybody's pair may be broken.
        members = jnp.where(end == paired, whole, group)
        stuck, partner = _pair_group(group & ~floater, begin, members & ~floater, partner, field)
        floated = jnp.where(todo, floater | stuck, floated)
        # An event that is through waits for the others.
        return jnp.where(todo, end, begin), floated, partner

    start = (
        jnp.zeros((1, batch), jnp.int32),
        jnp.zeros((words, batch), jnp.uint32),
        jnp.zeros((paired + 1, batch), jnp.int32),
    )
    _, unpaired, partner = jax.lax.while_loop(
        lambda carry: jnp.any(carry[0] < paired), next_group, start
    )
    return _meet_again(*_settle(unpaired, partner, field))


def _floater(group: UInt32[Array, "words batch"], field: _Field) -> UInt32[Array, "words batch"]:
    """Who floats from a group: nobody if it is even."""

    def size(members: Array) -> Array:
        return places.size(places.rows_of(members))

    def some(narrow: Array, wide: Array) -> Array:
        return jnp.where(size(narrow) > 0, narrow, wide)

    number, white, black = size(group), size(group & field.white), size(group & field.black)
    candidates = jnp.where(2 * black > number, group & field.black, group)
    candidates = jnp.where(2 * white > number, group & field.white, candidates)
    last = places.last(places.rows_of(some(candidates & ~field.down, candidates)))
    floater = places.bit(last, places.starts(len(group)))
    return jnp.where(number % 2 == 1, floater, jnp.uint32(0))


def _thrifty(
    pool: UInt32[Array, "words batch"], wish: Int[Array, "1 batch"], field: _Field
) -> UInt32[Array, "words batch"]:
    """Whom one of a pool may take so that no more pairs than necessary share a preference.

    If more than half of the pool prefers one colour, some of these have to meet each other, and
    everybody else has to take one of them. From an odd pool one of the many is left out.
    """
    number = places.size(places.rows_of(pool))
    number = number + (number & 1)  # an odd pool leaves one of the many out: 2 (many - 1) > n - 1
    white = 2 * places.size(places.rows_of(pool & field.white))
    black = 2 * places.size(places.rows_of(pool & field.black))
    any_one = ((wish > 0) & (white > number)) | ((wish < 0) & (black > number))
    same = jnp.where(wish > 0, field.white, jnp.where(wish < 0, field.black, jnp.uint32(0)))
    thrifty = jnp.where((wish >= 0) & (black >= number), field.black, ~same)
    thrifty = jnp.where((wish <= 0) & (white >= number), field.white, thrifty)
    return jnp.where(any_one, ~jnp.uint32(0), thrifty)


def _pair_group(
    pool: UInt32[Array, "words batch"],
    begin: Int[Array, "1 batch"],
    members: UInt32[Array, "words batch"],
    partner: Int[Array, "padded batch"],
    field: _Field,
) -> tuple[UInt32[Array, "words batch"], Int[Array, "padded batch"]]:
    """Pair a group by rules 5 and 6.

    **Arguments:**

    - `pool`: the group; `begin`: its first place, those before it floated.
    - `members`: whose pairs may be broken up.
    - `partner`, `field`: as in `_pair_field`.

    **Returns:** who floats, and the partners.
    """
    words = len(pool)
    begin_of = places.starts(words)

    def someone(pool: Array) -> tuple[Array, ...]:
        first = places.first(places.rows_of(pool))
        return first, *field.of(first)

    def step(carry: tuple) -> tuple:
        pool, first, wish, met, _, taken, stuck, partner = carry
        me = places.bit(first, begin_of)
        may = ~(me | met | field.clash(wish))
        floated = first < begin
        centre = jnp.where(floated, begin, places.middle_member(places.rows_of(pool)))
        choice = _nearest(_best(pool, may, wish, floated, field), centre)
        # To break a pair for it would only leave another one alone.
        lone = places.size(places.rows_of(pool)) < 2
        broken = places.last(places.rows_of(members & ~pool & ~stuck & ~taken & may))
        broken = jnp.where(lone | (choice >= 0), -1, broken)
        opponent = jnp.maximum(choice, broken)  # one of the two is -1, or both
        paired = (opponent >= 0) & (first < places.NONE)
        # Events whose group is done go on with the others: they write into the spare row.
        trash = len(partner) - 1
        # Few steps break a pair, and only then are partners looked up: in every step it would make
        # XLA copy them all before it writes new ones, which takes long.
        freed = jax.lax.cond(
            jnp.any(broken >= 0),
            lambda partner, broken: places.take(partner, jnp.where(broken >= 0, broken, trash)),
            lambda partner, broken: jnp.zeros_like(broken),
            partner,
            broken,
        )
        freed = jnp.where(paired & (broken >= 0), places.bit(freed, begin_of), jnp.uint32(0))
        partner = places.put(partner, jnp.where(paired, first, trash), opponent)
        partner = places.put(partner, jnp.where(paired, opponent, trash), first)
        pool = (pool & ~me & ~places.bit(choice, begin_of)) | freed
        return (
            pool,
            *someone(pool),
            opponent,  # carried so that it is computed once: benchmarks/PROFILE.md
            taken | places.bit(broken, begin_of),
            stuck | jnp.where(paired, jnp.uint32(0), me),
            partner,
        )

    nothing = jnp.zeros_like(pool)
    start = (pool, *someone(pool), jnp.zeros_like(begin), nothing, nothing, partner)
    *_, stuck, partner = jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), step, start)
    return stuck, partner


def _best(pool: Array, may: Array, wish: Array, floated: Array, field: _Field) -> Array:
    """The opponents among which one of a pool takes the nearest."""
    free = pool & may
    wished = free & _thrifty(pool, wish, field)
    calm = wished & ~field.up

    def some(members: Array) -> Array:
        return places.size(places.rows_of(members)) > 0

    best = jnp.where(some(wished), wished, free)
    return jnp.where(floated & some(calm), calm, best)


def _nearest(members: UInt32[Array, "words batch"], centre: Array) -> Int[Array, "1 batch"]:
    """The first member from a place on, else the last before it; -1 if there is none."""
    before = [places.below(centre, start) for start in range(0, len(members) * places.WORD, 32)]
    sides = list(zip(places.rows_of(members), before, strict=True))
    forward = places.first([word & ~earlier for word, earlier in sides])
    backward = places.last([word & earlier for word, earlier in sides])
    return jnp.where(forward < places.NONE, forward, backward)


def _settle(
    unpaired: UInt32[Array, "words batch"], partner: Int[Array, "padded batch"], field: _Field
) -> tuple[UInt32[Array, "words batch"], Int[Array, "padded batch"]]:
    """Rule 7, but for its last resort: who is still left, and the partners."""
    words, batch = unpaired.shape
    begin_of = places.starts(words)
    paired = field.paired
    everybody = places.below(jnp.full((1, batch), paired), begin_of)

    def step(carry: tuple) -> tuple:
        number, unpaired, partner = carry
        first = places.first(places.rows_of(unpaired))
        me = places.bit(first, begin_of)
        wish, met = field.of(first)
        clash = jnp.where(number < TRIES, field.clash(wish), jnp.uint32(0))
        may = everybody & ~(me | met | clash)
        free = places.first(places.rows_of(may & unpaired))
        choices = places.size(places.rows_of(may))
        draw = _mixed(number.astype(jnp.uint32)) % jnp.maximum(choices, 1).astype(jnp.uint32)
        drawn = places.member(places.rows_of(may), draw.astype(jnp.int32))
        broken = jnp.where(choices > 0, drawn, places.NONE)
        opponent = jnp.where(free < places.NONE, free, broken)
        has_partner = (opponent < places.NONE) & (first < places.NONE)
        was = places.take(partner, jnp.where(has_partner, opponent, paired))
        # Another of those left was in no pair, so nobody is freed.
        freed = jnp.where(
            has_partner & (free >= places.NONE), places.bit(was, begin_of), jnp.uint32(0)
        )
        partner = places.put(partner, jnp.where(has_partner, first, paired), opponent)
        partner = places.put(partner, jnp.where(has_partner, opponent, paired), first)
        gone = jnp.where(has_partner, me | places.bit(opponent, begin_of), jnp.uint32(0))
        return number + 1, (unpaired & ~gone) | freed, partner

    def unfinished(carry: tuple) -> Array:
        number, unpaired, _ = carry
        return jnp.any(unpaired != 0) & (number < 2 * TRIES)

    _, unpaired, partner = jax.lax.while_loop(unfinished, step, (jnp.int32(0), unpaired, partner))
    return unpaired, partner


def _mixed(number: UInt32[Array, ""]) -> UInt32[Array, ""]:
    """A number without visible order: C. Wellons's 32-bit mixing function `lowbias32`."""
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        number = (number ^ (number >> shift)) * jnp.uint32(factor)
    return number ^ (number >> 16)


def _meet_again(
    unpaired: UInt32[Array, "words batch"], partner: Int[Array, "padded batch"]
) -> Int[Array, "padded batch"]:
    """The first of those left meets the last, and so on."""
    begin_of = places.starts(len(unpaired))
    trash = len(partner) - 1

    def step(carry: tuple) -> tuple:
        unpaired, partner = carry
        first, last = places.first(places.rows_of(unpaired)), places.last(places.rows_of(unpaired))
        # An event without any left writes into the spare row.
        partner = places.put(partner, jnp.minimum(first, trash), last)
        partner = places.put(partner, jnp.where(last < 0, trash, last), first)
        return unpaired & ~places.bit(first, begin_of) & ~places.bit(last, begin_of), partner

    return jax.lax.while_loop(lambda carry: jnp.any(carry[0] != 0), step, (unpaired, partner))[1]


# --------------------------------------------------------------------------- pairs and colours


def _list_pairs(partner: Int[Array, "padded batch"], field: _Field) -> Pairs:
    """The places of every pair, the higher one first."""
    paired, batch = field.paired, partner.shape[1]
    place = jnp.arange(paired, dtype=jnp.int32)[:, None]
    upper = place < partner[:paired]
    words = places.rows_of(places.pack(upper))
    earlier = [places.size(words[:number]) if number else 0 for number in range(len(words))]
    slots = []
    for number, word in enumerate(words):
        offset = jnp.arange(min(32, paired - 32 * number), dtype=jnp.uint32)[:, None]
        # The pairs listed before that of a place are its slot.
        below = word & ((jnp.uint32(1) << offset) - 1)
        slots.append(earlier[number] + places.count(below))
    # Behind the list, so that it is dropped.
    slot = jnp.where(upper, jnp.concatenate(slots), paired // 2)
    events = jnp.broadcast_to(jnp.arange(batch), slot.shape)
    first = jnp.zeros((paired // 2, batch), jnp.int32)
    first = first.at[slot, events].set(jnp.broadcast_to(place, slot.shape), mode="drop")
    return jnp.stack([first, places.take(partner, first)])


def _with_colours(
    pairs: Pairs, players: _Players, order: Int[Array, "teams batch"], lot: Bool[Array, "1 batch"]
) -> Pairs:
    """The players of every pair, White first, by rule 8."""
    higher, lower = (places.take(order, teams_of_side) for teams_of_side in pairs)
    wish = preferences(players.colours, players.games)
    mine, theirs = places.take(wish, higher), places.take(wish, lower)
    colours = places.take(players.colours, higher)
    games = jnp.minimum(
        *(places.take(players.games, teams_of_side) for teams_of_side in (higher, lower))
    )
    # Only the games that both have had, from the latest on.
    differ = (colours ^ places.take(players.colours, lower)) & ((1 << games) - 1)
    latest = differ & -differ  # the lowest bit: the latest game of different colours
    by_seed = lot ^ (higher % 2 == 1)  # players are numbered from 0, seeds from 1
    tied = jnp.where(mine == 0, by_seed, mine > 0)
    tied = jnp.where(differ != 0, (colours & latest) == 0, tied)
    # Also if both want Black: the lesser wish for it gets White.
    white = jnp.where(mine == theirs, tied, mine > theirs)
    return jnp.stack([jnp.where(white, higher, lower), jnp.where(white, lower, higher)])
