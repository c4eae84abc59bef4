"""Places in a continuation: the recorded rounds and the simulated ones, ranked as `events.rank`.

A continuation is ranked by the criteria and the policy for unplayed rounds that rank files; here
they are compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Int

from tb2learn.arrays import dense_rank
from tb2learn.config import Config
from tb2learn.events.criteria import Completed, Criterion
from tb2learn.events.unplayed.fide import FaceValue
from tb2learn.events.unplayed.policies import POLICIES, usual_policy
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.forecasts.state import Begun
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.names import Named
from tb2learn.types import BYE, AnyArray, pytree, static

Criteria: TypeAlias = tuple[Criterion, ...]

BOUNDARIES = (1, 3, 10)
"""The places that are counted up to: the winner, medals, the first ten."""


@pytree
class Asked:
    """A list of criteria as compiled programs take it."""

    tiebreaks: tuple[TieBreak, ...]
    units: tuple[float, ...] = static()
    named: tuple[Named | None, ...] = static()


@pytree
class Known:
    """What a continuation is completed with: the recorded rounds, and by what it is ranked."""

    record: Record
    seats: Int[AnyArray, " seats"]
    orders: tuple[Asked, ...]
    rounds: int = static()
    bye: tuple[int, int, Kind] = static()
    policy: str = static()


@pytree
class Outcome:
    """What is counted of a continuation.

    `decided` says of every one of `BOUNDARIES` by which criterion the team on this place is before
    the next one, from 0; as many as there are criteria if they share the place, or if there is no
    next one.
    """

    places: Int[Array, "orders teams"]  # from 1; teams equal on every criterion share one
    decided: Int[Array, "orders boundaries"]
    results: Int[Array, " seats"]  # half points of the first simulated round


def known(begun: Begun, orders: Sequence[Criteria]) -> Known:
    """What all continuations share.

    **Raises:** `InputError` for criteria that have no meaning for the event, as `events.rank`.
    """
    record = begun.record
    policy = FaceValue.name if begun.round_robin and record.individual else None
    policy = policy or usual_policy(begun.event)
    # The simulator gives no colours to teams.
    blacks = np.zeros(record.kind.shape, bool) if record.blacks is None else record.blacks
    record = replace(record, blacks=blacks if record.individual else None, on_boards=None)
    checked = _checked(record, begun.rounds, orders, policy)
    return Known(record, begun.seats, checked, begun.rounds, begun.bye, policy)


def _checked(
    record: Record, rounds: int, orders: Sequence[Criteria], policy: str
) -> tuple[Asked, ...]:
    """The criteria, tried on the event as if nothing of its rounds left were played.

    **Raises:** `InputError` for criteria that have no meaning there.
    """
    empty = _with_rounds_left(record, rounds)
    completed = Completed(empty, POLICIES[policy], POLICIES[policy].complete(empty))
    found = []
    for criteria in orders:
        for one in criteria:
            one.scores(completed)
        found.append(
            Asked(
                tuple(one.tiebreak(completed) for one in criteria),
                tuple(one.rule.unit for one in criteria),
                tuple(one.named for one in criteria),
            )
        )
    return tuple(found)


def _with_rounds_left(record: Record, rounds: int) -> Record:
    """The record, nobody having been paired in the rounds left."""
    left = ((0, 0), (0, rounds - record.rounds))
    return replace(
        record,
        rounds=rounds,
        kind=np.pad(record.kind, left, constant_values=Kind.NOT_PAIRED),
        opponent=np.pad(record.opponent, left, constant_values=BYE),
        gained=np.pad(record.gained, left),
        scored=np.pad(record.scored, left),
        blacks=None if record.blacks is None else np.pad(record.blacks, left),
    )


def rank_continuation(key: Key, event: Event, config: Config, known: Known) -> Outcome:
    """What is counted of one continuation: a measure of `simulation.run`."""
    record = _record(event, known)
    policy = POLICIES[known.policy]
    completed = Completed(record, policy, policy.complete(record))
    places, decided = zip(*(_places(completed, order) for order in known.orders), strict=True)
    return Outcome(jnp.stack(places), jnp.stack(decided), event.half_points[0])


def _record(event: Event, known: Known) -> Record:
    """The whole event as a record of JAX arrays."""
    seats, past = jnp.asarray(known.seats), known.record
    played = event.opponents.T != BYE
    win, half, kind = known.bye
    points = jnp.asarray(past.scoring[::-1])
    plain = jnp.sign(event.half_points.T - past.boards) + 1
    teams, left = len(past.kind), len(event.opponents)

    def whole(recorded: AnyArray, simulated: Array, otherwise: int | bool) -> Array:
        empty = jnp.full((teams, left), otherwise, simulated.dtype)
        return jnp.concatenate([jnp.asarray(recorded), empty.at[seats].set(simulated)], axis=1)

    blacks = None
    if past.blacks is not None and event.whites is not None:
        blacks = whole(past.blacks, played & ~event.whites.T, False)
    other = jnp.where(played, seats[jnp.maximum(event.opponents.T, 0)], BYE)
    return replace(
        past,
        rounds=known.rounds,
        known_rounds=True,
        kind=whole(past.kind, jnp.where(played, int(Kind.PLAYED), int(kind)), Kind.NOT_PAIRED),
        opponent=whole(past.opponent, other, BYE),
        gained=whole(past.gained, jnp.where(played, points[plain], win), 0),
        scored=whole(past.scored, jnp.where(played, event.half_points.T, half), 0),
        ratings=jnp.asarray(past.ratings),
        blacks=blacks,
    )


def _places(completed: Completed, order: Asked) -> tuple[Array, Array]:
    """Places by a list of criteria, and which of them decided at the `BOUNDARIES`."""
    scores: list[Array] = []
    for tiebreak, unit, named in zip(order.tiebreaks, order.units, order.named, strict=True):
        seen = completed.under(named) if named else completed
        found = tiebreak.scores(seen, dense_rank(*scores) if scores else seen.own)
        # Fractions that should be equal are, as in `criteria.evaluate`.
        whole = jnp.issubdtype(found.dtype, jnp.integer)
        scores.append(found if whole else jnp.round(found * unit, 4))
    teams = len(scores[0])
    by_score = jnp.lexsort([-score for score in scores[::-1]])
    apart = jnp.stack([(score[by_score][1:] != score[by_score][:-1]) for score in scores])
    first = jnp.where(apart.any(axis=0), apart.argmax(axis=0), len(scores))
    shared = jnp.concatenate([jnp.array([False]), first == len(scores)])
    number = jnp.arange(1, teams + 1)
    place = lax.cummax(jnp.where(shared, 0, number))
    places = jnp.zeros(teams, jnp.int32).at[by_score].set(place.astype(jnp.int32))
    ends = [first[b - 1] if b < teams else jnp.int32(len(scores)) for b in BOUNDARIES]
    return places, jnp.stack(ends).astype(jnp.int32)
