"""FIDE's pairing of Olympiads as a schedule: one round of many events in lockstep.

`chess/olympiad_pairing.py` is the exact definition, with the articles of the rule; this module
makes nearly all of its pairs (a test counts how many) thousands of times as fast. Here stands the
rule: who is ranked where (6.2), who may have which colour (7.3), who gets White (7.5, 7.6).
`olympiad_search` finds the pairs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.arrays import stored_once
from tb2learn.chess.event_format import EventFormat
from tb2learn.jax_types import Keys
from tb2learn.simulation import places
from tb2learn.simulation.olympiad_search import Field, pair_field
from tb2learn.simulation.schedule import Pairs, PlayedRounds
from tb2learn.types import BYE


class OlympiadSwiss:
    """Groups of equal match points from both ends to the median; a bye is worth a drawn match.

    **Arguments:** the format, and whether game points rank teams on equal match points (the
    edition of 2010); without them the initial number does (2022).
    """

    colours = True

    def __init__(self, event: EventFormat, by_game_points: bool = False):
        self.matches, self.rest = event.teams // 2, event.boards
        self._by_game_points = by_game_points

    def start(
        self, keys: Keys, ratings: Int[Array, "teams batch"] | None
    ) -> Bool[Array, "1 batch"]:
        """Whether the first team has White on board 1 in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        past = jnp.arange(len(so_far.opponents))[:, None, None] < number
        had_bye = (past & (so_far.opponents == BYE)).any(axis=0)
        game_points = so_far.game_points if self._by_game_points else None
        order, begins = _ranked(so_far.match_points, game_points, had_bye)
        colours = places.take(_board_colours(so_far, number).code, order)
        teams = stored_once(number, jnp.bitwise_or, order, colours << 10)
        pairs = pair_field(_field_of(teams, begins, so_far, number), number == 0)
        coloured = stored_once(number, _with_colours, pairs, teams, state)
        return state, jnp.stack([coloured & 1023, coloured >> 10])


# --------------------------------------------------------------------------- colours of board 1


class _Colours(NamedTuple):
    """Colours of board 1: a bit a match, the latest lowest, 1 for White; above them another 1."""

    code: Int[Array, "n batch"]

    @property
    def number(self) -> Int[Array, "n batch"]:
        """Of matches."""
        return 31 - jax.lax.clz(self.code)  # the leading 1 is as many places up

    @property
    def difference(self) -> Int[Array, "n batch"]:
        """Whites less Blacks."""
        return 2 * (jax.lax.population_count(self.code) - 1) - self.number

    @property
    def white(self) -> Bool[Array, "n batch"]:
        """Who may have White (7.3): not the third in a row, no difference beyond two."""
        third = (self.code >= 4) & ((self.code & 3) == 3)  # from two matches on
        return ~third & (self.difference < 2)  # it would become 3 with another White

    @property
    def black(self) -> Bool[Array, "n batch"]:
        """Who may have Black."""
        third = (self.code >= 4) & ((self.code & 3) == 0)
        return ~third & (self.difference > -2)


def _board_colours(so_far: PlayedRounds, number: Int[Array, ""]) -> _Colours:
    """Those of all teams, in seed order."""
    me = jnp.arange(so_far.match_points.shape[0], dtype=jnp.int32)[:, None]

    def add(past: Array, code: Array) -> Array:
        opponents = so_far.opponents[past]
        met = (opponents != BYE) & (opponents != me)
        return jnp.where(met, (code << 1) | so_far.whites[past].astype(jnp.int32), code)

    return _Colours(jax.lax.fori_loop(0, number, add, jnp.ones_like(so_far.match_points)))


def _with_colours(
    pairs: Pairs, teams: Int[Array, "teams batch"], lot: Bool[Array, "1 batch"]
) -> Int[Array, "matches batch"]:
    """The team with White and, times 1024, that with Black (7.5, 7.6); by lot in the first round.

    **Arguments:** the places of every pair; the team of a place and, times 1024, its colours; who
    has White in the first round.
    """
    upper, lower = jnp.minimum(*pairs), jnp.maximum(*pairs)
    first, second = places.take(teams, upper), places.take(teams, lower)
    high, low = _Colours(first >> 10), _Colours(second >> 10)
    games = jnp.minimum(high.number, low.number)
    # Of the matches that both have had, from the latest on.
    differ = (high.code ^ low.code) & ((1 << games) - 1)
    balance = high.difference - low.difference
    last_white = (high.number > 0) & ((high.code & 1) == 1)
    level = jnp.where(high.difference != 0, high.difference < 0, ~last_white)
    # The lowest bit: the latest difference; White goes to who had Black.
    level = jnp.where(differ != 0, (high.code & differ & -differ) == 0, level)
    white = jnp.where(balance != 0, balance < 0, level)
    allowed, turned = high.white & low.black, low.white & high.black
    white = jnp.where(~allowed & turned, False, jnp.where(~turned & allowed, True, white))
    # In turn by the number of the match.
    white = jnp.where(high.number + low.number == 0, (upper % 2 == 0) ^ lot, white)
    first, second = first & 1023, second & 1023
    return jnp.where(white, first | (second << 10), second | (first << 10))


# --------------------------------------------------------------------------- the field


def _ranked(
    match_points: Int[Array, "teams batch"],
    game_points: Int[Array, "teams batch"] | None,
    had_bye: Bool[Array, "teams batch"],
) -> tuple[Int[Array, "teams batch"], Bool[Array, "teams batch"]]:
    """The team on every place, the one with the bye last; and which places begin a group."""
    teams, batch = match_points.shape
    key = (127 - match_points) << 20
    if game_points is not None:
        key |= (1023 - game_points) << 10
    key |= jnp.arange(teams, dtype=jnp.int32)[:, None]
    if teams % 2:
        bye = jnp.where(had_bye, -1, key).max(axis=0, keepdims=True)
        key = jnp.where(key == bye, key | (1 << 27), key)  # behind all 27 bits of a key
    key = places.sort_columns(key)
    points = key >> 20
    begins = jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]])
    return key & 1023, begins


def _field_of(
    teams: Int[Array, "teams batch"],
    begins: Bool[Array, "teams batch"],
    so_far: PlayedRounds,
    number: Int[Array, ""],
) -> Field:
    """The teams of a round on their places, for the search."""
    order, colours = teams & 1023, _Colours(teams >> 10)
    place = jnp.broadcast_to(jnp.arange(len(teams), dtype=jnp.int32)[:, None], order.shape)
    met = places.met_words(so_far.opponents, places.put(place, order, place), number)
    return Field(
        order=order,
        met=met,
        begins=places.pack(begins),
        white=places.pack(colours.white),
        black=places.pack(colours.black),
        paired=len(teams) // 2 * 2,
    )
