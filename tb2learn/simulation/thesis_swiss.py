"""The Swiss of teams as a schedule: one round of many events in lockstep, in bit masks.

The rules are those of the Olympiads as M. Naray simplified them (thesis, ELTE 2020, chapter 3). The
strength order is match points, then game points, then seed.

1. For an odd number of teams, the lowest in the strength order that has had no bye gets it (if all
   have had one, the lowest).
2. The middle group is the score group of the median team (the lower of the two middle ones). Upper
   groups are worked from the top down, lower groups from the bottom up, then the middle.
3. An odd group first slides one team towards the middle: an upper group its last, a lower group its
   first.
4. In a group of `m` teams, in strength order, the first takes the first of the places
   `h+1, ..., m, h, ..., 2` (`h = m // 2`) that it has not met; both leave, and so on.
5. A team without an acceptable opponent slides to the next group towards the middle.
6. In the middle group such teams wait, and are at the end paired first half against second half,
   rematches allowed.

`tests/plain_python.py` says the same in plain Python; the pairs are tested against it. Why this
module is fast (figures in `benchmarks/PROFILE.md`):

- a set of teams is a few 32-bit words over places of the strength order, so that a step of the
  pairing is a few word operations;
- the events of a batch are the last axis, so that every operation runs along it;
- all events pair their next team in the same step of one loop, and upper and lower groups, which do
  not see each other before the middle, side by side (`thesis_search.py`);
- a step is one kernel, and several steps share what is done around them.

Dimensions: `teams` and `batch` (events).
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.event_format import EventFormat
from tb2learn.jax_types import Keys
from tb2learn.simulation import places, thesis_search
from tb2learn.simulation.schedule import Pairs, PlayedRounds
from tb2learn.types import BYE

# Above the match points in the key of the strength order.
_RESTS, _ABSENT = 1 << 27, 1 << 28


class MedianSwiss:
    """Score groups worked from both ends; a bye is worth half of the games. Nobody has colours."""

    colours = False

    def __init__(self, event: EventFormat):
        self._teams = event.teams
        self.matches, self.rest = event.teams // 2, event.boards

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> tuple[()]:
        """No state."""
        return ()

    def pair(self, state: Any, so_far: PlayedRounds, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        past = jnp.arange(len(so_far.opponents))[:, None, None] < number
        had_bye = (past & (so_far.opponents == BYE)).any(axis=0)
        points = so_far.match_points, so_far.game_points
        return state, pair_batch(*points, so_far.opponents, had_bye, number)


def pair_batch(
    match_points: Int[Array, "teams batch"],
    half_points: Int[Array, "teams batch"],
    history: Int[Array, "past teams batch"],
    had_bye: Bool[Array, "teams batch"],
    past: Int[Array, ""] | None = None,
    present: Bool[Array, "teams batch"] | None = None,
) -> Int[Array, "2 matches batch"]:
    """Pair one round of every event of a batch.

    **Arguments:**

    - `match_points` (0..127), `half_points` (0..1023): before the round, teams in seed order.
    - `history`: `history[r, t]` is the team that `t` met in round `r`; `BYE` where it rested, its
      own number where it met nobody.
    - `had_bye`: who has had the bye.
    - `past`: how many rounds of `history` have been played; all if not given.
    - `present`: who is to be paired, as if there were no others; all if not given.

    **Returns:** the two teams of every match, in no special order. Where not all are present, there
    are matches between nobodies, which have numbers from `teams` on.
    """
    teams, batch = match_points.shape
    # Without absences this is a number that XLA knows.
    number: int | Array = teams
    if present is not None:
        number = present.sum(axis=0, keepdims=True, dtype=jnp.int32)
    paired = number - number % 2  # an odd field rests one
    team = jnp.arange(teams, dtype=jnp.int32)[:, None]
    # Match points, half points and team number in one key: sorting it gives the strength order.
    # 7, 10 and 10 bits; less than the most, so that high scores come first.
    key = ((127 - match_points) << 20) | ((1023 - half_points) << 10) | team
    if present is not None:
        key = jnp.where(present, key, key | _ABSENT)
        had_bye = had_bye | ~present  # the absent are sorted last anyway, and have no bye
    if present is not None or teams % 2:
        # The team with the bye is sorted behind those that are paired.
        # The lowest who may; -1, no key, where all have had one: then the last place rests.
        bye = jnp.where(had_bye, -1, key).max(axis=0, keepdims=True)
        key = jnp.where((key == bye) & (paired != number), key | _RESTS, key)
    key = places.sort_columns(key)
    order, points = key & 1023, key >> 20  # the 10 bits of the number
    place = jnp.broadcast_to(team, order.shape)
    met = places.met_words(
        history, places.put(place, order, place), len(history) if past is None else past
    )

    # The groups are the stretches from one of these places to the next.
    begins = places.pack(jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]]))
    starts = places.starts(places.word_count(teams))
    upto_median = places.below(jnp.broadcast_to(paired // 2 + 1, (1, batch)), starts)
    middle_begin = places.last(places.rows_of(begins & upto_median))
    # `NONE` where the middle group is the last one.
    middle_end = jnp.minimum(places.first(places.rows_of(begins & ~upto_median)), paired)

    groups = thesis_search.Groups(begins, middle_begin, middle_end, paired)
    upper, lower = thesis_search.pair_groups(groups, thesis_search.Unmet(order, met))
    pairs = jnp.stack([places.take(order, upper), places.take(order, lower)])
    if present is None:
        return pairs
    # Each number once: `schedule._put` promises unique ones.
    nobodies = teams + jnp.arange(pairs[:, :, :1].size, dtype=jnp.int32).reshape(2, -1, 1)
    return jnp.where(upper == lower, nobodies, pairs)
