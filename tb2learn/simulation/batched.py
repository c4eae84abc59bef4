"""Many events in lockstep: `olympiad.play` for a batch, in bit masks, the batch last.

`pairing.py` and `olympiad.py` are the readable definition; this module computes the same events and
is tested against them, state by state. Why it is fast (figures in `benchmarks/PROFILE.md`):

- a set of teams is a few 32-bit words over places of the strength order, so that a step of the
  pairing is a few word operations;
- the events of a batch are the last axis, so that every operation runs along it;
- all events pair their next team in the same step of one loop, and upper and lower groups, which do
  not see each other before the middle, side by side (`pools.py`);
- a step is one kernel, and several steps share what is done around them.

Dimensions: `teams` and `batch` (events).
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.results import match_points as match_points_of
from tb2learn.config import Config
from tb2learn.jax_types import Keys
from tb2learn.simulation import games, places, pools
from tb2learn.simulation.field import draw_seeded
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import unit_numbers
from tb2learn.types import BYE


def play_batch(keys: Keys, config: Config) -> Event:
    """Play a batch of whole events.

    **Arguments:**

    - `keys`: `[batch]` keys, consumed.
    - `config`: its format, field and game model are used.

    **Returns:** the `Event` of `olympiad.play` for every key, the batch as the last axis.
    """
    teams, rounds, boards = config.event.teams, config.event.rounds, config.event.boards
    batch = keys.shape[0]
    field_keys, rounds_keys = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
    rosters, noise = jax.vmap(partial(draw_seeded, config=config), out_axes=-1)(field_keys)
    round_keys = jax.vmap(lambda key: jax.random.split(key, rounds))(rounds_keys)
    line_ups = _pack_ratings(rosters)

    def one_round(number: Array, carry: tuple) -> tuple:
        match_points, half_points, had_bye, history, results = carry
        pairs = pair_batch(match_points, half_points, history, had_bye, number)
        opponents = opponents_of(pairs, teams)
        scored = _play_matches(round_keys[:, number], line_ups, pairs, config)
        return (
            match_points + match_points_of(scored, boards),
            half_points + scored,
            had_bye | (opponents == BYE),
            history.at[number].set(opponents),
            results.at[number].set(scored),
        )

    nothing = jnp.zeros((teams, batch), jnp.int32)
    match_points, _, _, history, results = jax.lax.fori_loop(
        0,
        rounds,
        one_round,
        (
            nothing,
            nothing,
            jnp.zeros((teams, batch), bool),
            jnp.full((rounds, teams, batch), BYE),
            jnp.zeros((rounds, teams, batch), jnp.int32),
        ),
    )
    # The shapes that `Event` declares are those of one event, so the batch is added by vmap.
    return jax.vmap(Event, in_axes=-1, out_axes=-1)(
        rosters, history, results, match_points, None, None, noise
    )


# --------------------------------------------------------------------------- matches


def _pack_ratings(rosters: Int[Array, "teams boards batch"]) -> list[Int[Array, "teams batch"]]:
    """The ratings of two boards in one integer, for half as many look-ups."""
    boards = [rosters[:, board] for board in range(rosters.shape[1])]
    boards += [jnp.zeros_like(boards[0])] * (len(boards) % 2)
    return [one | (other << 16) for one, other in zip(boards[::2], boards[1::2], strict=True)]


def _play_matches(
    keys: Keys,
    line_ups: list[Int[Array, "teams batch"]],
    pairs: Int[Array, "2 matches batch"],
    config: Config,
) -> Int[Array, "teams batch"]:
    """`olympiad.play_matches` for a batch."""
    teams, boards = config.event.teams, config.event.boards
    number = jax.vmap(lambda key: unit_numbers(key, teams))(keys).T
    higher, lower = jnp.minimum(*pairs), jnp.maximum(*pairs)

    def ratings(side: Array) -> Array:
        packed = [places.take(two, side) for two in line_ups]
        return jnp.stack([half for two in packed for half in (two & 0xFFFF, two >> 16)][:boards])

    at_most = games.cumulative_law(ratings(higher), ratings(lower), config.game)
    scored = games.sample_half_points(places.take(number, higher), at_most)
    bye = jnp.full((teams, number.shape[1]), boards, jnp.int32)
    return places.put(places.put(bye, higher, scored), lower, 2 * boards - scored)


# --------------------------------------------------------------------------- pairing


def pair_batch(
    match_points: Int[Array, "teams batch"],
    half_points: Int[Array, "teams batch"],
    history: Int[Array, "past teams batch"],
    had_bye: Bool[Array, "teams batch"],
    past: Int[Array, ""] | None = None,
) -> Int[Array, "2 matches batch"]:
    """Pair one round of every event of a batch.

    **Arguments:**

    - `match_points` (0..31), `half_points` (0..511): before the round, teams in seed order.
    - `history`: `history[r, t]` is the team that `t` met in round `r`; `BYE` where there was none.
    - `had_bye`: who has had the bye.
    - `past`: how many rounds of `history` have been played; all if not given.

    **Returns:** the two teams of every match: those of `pairing.pair_round`, in no special order.
    """
    teams, batch = match_points.shape
    paired = teams - teams % 2
    team = jnp.arange(teams, dtype=jnp.int32)[:, None]
    # Match points, half points and team number in one key: sorting it gives the strength order.
    key = ((31 - match_points) << 19) | ((511 - half_points) << 10) | team
    if teams % 2:
        # The team with the bye is sorted to the last place; the places before it are paired.
        bye = jnp.where(had_bye, -1, key).max(axis=0, keepdims=True)
        key = jnp.where(key == bye, key | (1 << 24), key)
    key = places.sort_columns(key)
    order, points = key & 1023, key >> 19
    place = jnp.broadcast_to(team, order.shape)
    met = places.met_words(
        history, places.put(place, order, place), len(history) if past is None else past
    )

    # The groups are the stretches from one of these places to the next.
    begins = places.pack(jnp.concatenate([jnp.ones((1, batch), bool), points[1:] != points[:-1]]))
    starts = places.starts(places.word_count(teams))
    upto_median = places.below(jnp.full((1, batch), paired // 2 + 1), starts)
    middle_begin = places.last(places.rows_of(begins & upto_median))
    middle_end = jnp.minimum(places.first(places.rows_of(begins & ~upto_median)), paired)

    groups = pools.Groups(begins, middle_begin, middle_end, paired)
    one, other = pools.pair_groups(groups, pools.Unmet(order, met))
    return jnp.stack([places.take(order, one), places.take(order, other)])


def opponents_of(pairs: Int[Array, "2 matches batch"], teams: int) -> Int[Array, "teams batch"]:
    """The opponent of every team, `BYE` for a team in no pair.

    **Arguments:**

    - `pairs`: as `pair_batch` returns them.
    - `teams`: how many there are.
    """
    one, other = pairs
    nobody = jnp.full((teams, one.shape[1]), BYE, jnp.int32)
    return places.put(places.put(nobody, one, other), other, one)
