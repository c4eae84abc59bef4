"""Continuations of an event: played, ranked as `events.rank` ranks files, and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float, Int
from scipy import linalg

from tb2learn.arrays import dense_rank
from tb2learn.config import Setting
from tb2learn.events.criteria import Completed, Criterion
from tb2learn.events.paired_teams import paired_teams
from tb2learn.events.unplayed.fide import FaceValue
from tb2learn.events.unplayed.policies import POLICIES, usual_policy
from tb2learn.events.unplayed.record import Record, RoundKind
from tb2learn.forecasts.state import MOST_POINTS, EventInProgress
from tb2learn.forecasts.strengths import GAMES, Strengths, posterior, prior
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.simulation.start import SPREAD, ContinuationStart
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.names import Named
from tb2learn.types import BYE, AnyArray, pytree, static, whole_number

MOST_CONTINUATIONS = 1_000_000

BOUNDARIES, NAMES = (1, 3, 10), ("winner", "medals", "ten")
"""The places that are counted up to, and their names in tables."""

Criteria: TypeAlias = Sequence[Criterion]

Counts = Mapping[str, Int[np.ndarray, "..."]]
"""What continuations are counted by:

- `places` `[orders, teams, places]`: how often a team has a place (from 1);
- `decided` `[orders, boundaries, criteria + 1]`: which criterion decided between the team on a
  boundary and the next one; the last column counts shared places;
- `differ` `[boundaries]`: how often the teams up to a boundary differ between both orders;
- `results` `[matches, results]`, and `given` `[matches, results, orders, boundaries]`: half points
  of the first side of every match of the next round, if it is paired, and how often the captain's
  team was up to a boundary then.
"""


@dataclass(frozen=True)
class Chances:
    """What continuations of an event are like.

    `orders` are the lists of criteria by name of the rule; `team` is the captain's, or None.
    `alone` says why the order of `rank` stands alone although no other was asked for, else it is
    empty.
    """

    ongoing: EventInProgress
    strengths: Strengths
    orders: Mapping[str, Criteria]
    continuations: int
    seed: int
    counts: Counts
    team: int | None = None
    alone: str = ""

    def up_to(self, most: int) -> Float[np.ndarray, "orders teams"]:
        """Chances of a place up to `most`."""
        return self.counts["places"][:, :, :most].sum(axis=-1) / self.continuations

    def error(
        self, chance: Float[np.ndarray, "*any"], number: Any = None
    ) -> Float[np.ndarray, "*any"]:
        """Monte Carlo standard errors of chances, shares of `number` continuations (of all).

        By the rule of succession, so that of 0 or 1 is not 0.
        """
        number = self.continuations if number is None else number
        succeeding = (chance * number + 1) / (number + 2)
        return np.sqrt(succeeding * (1 - succeeding) / number)

    @property
    def mean_places(self) -> Float[np.ndarray, "orders teams"]:
        """Mean places, from 1."""
        places = self.counts["places"]
        return places @ np.arange(1, places.shape[-1] + 1) / self.continuations


def forecast(
    ongoing: EventInProgress,
    orders: Mapping[str, Criteria],
    continuations: int,
    seed: int,
    *,
    team: int | None = None,
    strengths: Strengths | None = None,
    batch: int | None = None,
    progress: Progress = SILENT,
) -> Chances:
    """Continue an event many times and count places.

    Continuation `i` depends on the seed, `i` and the event alone.

    **Arguments:**

    - `orders`: one or two lists of criteria by name; `differ` compares the first two.
    - `continuations`: 1 .. `MOST_CONTINUATIONS`; `seed`: 0 .. 2**32 - 1.
    - `team`: the captain's, whose dependence on the next round is counted if that is paired.
    - `strengths`: of all teams; the posterior by ratings and results if not given.
    - `batch`: continuations side by side; changes no result.

    **Raises:** `InputError` for other numbers, or criteria without meaning for the event.
    """
    whole_number("continuations", continuations, 1, MOST_CONTINUATIONS)
    strengths = strengths or posterior(prior(ongoing.event), ongoing.event, ongoing.record)
    count = partial(
        _count,
        pairs=ongoing.seat_pairs()[: int(ongoing.paired)],
        team=team,
        # Orders of different lengths share one array.
        criteria=max(map(len, orders.values())),
        most=2 * ongoing.event.boards,
    )
    counts = sum_events(
        Setting(ongoing.form, game=GAMES),
        Measurement(rank_continuation, count, oracle=False),
        EventRange(seed, Purpose.FORECAST, continuations),
        forecast_setup(ongoing, list(orders.values())),
        start=start_of(ongoing, strengths),
        batch=batch,
        progress=progress,
    )
    return Chances(ongoing, strengths, orders, continuations, seed, counts, team)


def start_of(ongoing: EventInProgress, strengths: Strengths) -> ContinuationStart:
    """What the simulator goes on from."""
    record, seats, seat = _with_rounds_left(ongoing), ongoing.seats, ongoing.seat_of
    kinds, own_seats = record.kind[:, seats], np.arange(len(seats))
    met = np.where(kinds == RoundKind.PLAYED, seat[record.opponent[:, seats]], BYE)
    rested = np.isin(kinds, (RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.WON_BY_DEFAULT))
    # A round to come is empty: BYE, which says nothing there.
    rested[ongoing.record.rounds :] = True
    half_points = record.scored[:, seats]
    # In any round: only their sum ranks teams for pairing.
    half_points[0] += 0 if record.half_penalties is None else record.half_penalties[seats]
    # A draw of the offsets is this factor times independent ones.
    factor = linalg.cholesky(strengths.covariance[np.ix_(seats, seats)], lower=True)
    middle = strengths.rosters[seats] + np.rint(strengths.mean[seats]).astype(int)[:, None]
    # The pairing's keys have 7 bits for match points.
    points = np.clip(ongoing.record.standing_points[seats], 0, MOST_POINTS)
    pairs = ongoing.seat_pairs()
    return ContinuationStart(
        rosters=middle.astype(np.int32),
        spread=np.rint(SPREAD * factor).astype(np.int32),
        # The own number: met nobody, but may still have the bye.
        opponents=np.where((met == BYE) & ~rested, own_seats, met).astype(np.int32),
        half_points=half_points.astype(np.int32),
        whites=(kinds == RoundKind.PLAYED) & _whites(ongoing, record)[:, seats],
        match_points=points.astype(np.int32),
        scoring=np.array(record.scoring[::-1], np.int32),  # by 0, 1, 2: lost, drawn, won
        bye=np.array(ongoing.bye[:2], np.int32),
        pairs=pairs,
        past=np.array(ongoing.record.rounds, np.int32),
        to_pair=len(pairs) < ongoing.left,
    )


def _whites(ongoing: EventInProgress, record: Record) -> np.ndarray:
    """Who had White (of teams on board 1) in every round; White where nothing is known."""
    if record.individual:
        return np.ones(record.kind.shape, bool) if record.blacks is None else ~record.blacks
    # In this edition a match by default gives no colours, as in the simulator.
    histories = paired_teams(ongoing.event, "olympiad-2010").values()
    colours = [team.colours.ljust(record.rounds, "-") for team in histories]
    return np.array([*zip(*colours, strict=True)]) == "W"


def _with_rounds_left(ongoing: EventInProgress) -> Record:
    """The record of the whole event, nobody having been paired in the rounds left."""
    record, padding = ongoing.record, ((0, ongoing.left), (0, 0))
    return replace(
        record,
        rounds=ongoing.rounds,
        planned=ongoing.rounds,
        kind=np.pad(record.kind, padding, constant_values=RoundKind.NOT_PAIRED),
        opponent=np.pad(record.opponent, padding, constant_values=BYE),
        gained=np.pad(record.gained, padding),
        scored=np.pad(record.scored, padding),
        blacks=None if record.blacks is None else np.pad(record.blacks, padding),
    )


@pytree
class CompiledOrder:
    """A list of criteria as compiled programs take it."""

    tiebreaks: tuple[TieBreak, ...]
    units: tuple[float, ...] = static()
    variants: tuple[Named | None, ...] = static()


@pytree
class ForecastSetup:
    """What a continuation is completed with: the recorded rounds, and by what it is ranked."""

    record: Record  # of the whole event, empty from `past` on
    past: Int[AnyArray, ""]
    seats: Int[AnyArray, " seats"]
    orders: tuple[CompiledOrder, ...]
    bye: tuple[int, int, RoundKind] = static()
    policy: str = static()


@pytree
class Continuation:
    """What is counted of a continuation.

    `decided` is the number (from 0) of the criterion by which the team on one of the `BOUNDARIES`
    is before the next one; that of all criteria if they share the place, or there is no next one.
    """

    places: Int[Array, "orders teams"]  # from 1; teams equal on every criterion share one
    decided: Int[Array, "orders boundaries"]
    results: Int[Array, " seats"]  # half points of the first simulated round


def forecast_setup(ongoing: EventInProgress, orders: Sequence[Criteria]) -> ForecastSetup:
    """What all continuations share.

    **Raises:** `InputError` for criteria that have no meaning for the event, as `events.rank`.
    """
    policy = FaceValue.name if ongoing.round_robin and ongoing.record.individual else None
    policy = policy or usual_policy(ongoing.event)
    record = _with_rounds_left(ongoing)
    # No tie-break of teams sees colours, so continuations of teams keep none.
    blacks = np.zeros(record.kind.shape, bool) if record.blacks is None else record.blacks
    record = replace(record, blacks=blacks if record.individual else None, on_boards=None)
    # A trial on the host: what is compiled could not refuse anything.
    completed = Completed(record, POLICIES[policy], POLICIES[policy].complete(record))
    checked = []
    for criteria in orders:
        for criterion in criteria:
            criterion.scores(completed)  # refuses what has no meaning
        compiled = ((c.tiebreak(completed), c.rule.unit, c.named) for c in criteria)
        checked.append(CompiledOrder(*zip(*compiled, strict=True)))
    past = np.array(ongoing.record.rounds, np.int32)
    return ForecastSetup(record, past, ongoing.seats, tuple(checked), ongoing.bye, policy)


def rank_continuation(
    key: Key, event: Event, setting: Setting, setup: ForecastSetup
) -> Continuation:
    """What is counted of one continuation: a measure of `simulate`."""
    record, policy = _record(event, setup), POLICIES[setup.policy]
    completed = Completed(record, policy, policy.complete(record))
    places, decided = zip(*(_places(completed, order) for order in setup.orders), strict=True)
    return Continuation(jnp.stack(places), jnp.stack(decided), event.half_points[setup.past])


def _record(event: Event, setup: ForecastSetup) -> Record:
    """The whole event as a record of JAX arrays."""
    seats, record = jnp.asarray(setup.seats), setup.record
    to_play = jnp.arange(record.rounds)[:, None] >= setup.past
    played = event.opponents != BYE
    win, half, bye_kind = setup.bye
    points = jnp.asarray(record.scoring[::-1])
    # 0, 1, 2: lost, drawn, won.
    plain = jnp.sign(event.half_points - record.boards) + 1

    def whole(recorded: AnyArray, simulated: Array) -> Array:
        recorded = jnp.asarray(recorded)
        return recorded.at[:, seats].set(jnp.where(to_play, simulated, recorded[:, seats]))

    blacks = None
    if record.blacks is not None and event.whites is not None:
        # Whites of the simulator say nothing of rounds without a game.
        blacks = whole(record.blacks, played & ~event.whites)
    # Any seat for a bye.
    opponents = jnp.where(played, seats[jnp.maximum(event.opponents, 0)], BYE)
    return replace(
        record,
        known_rounds=True,
        kind=whole(record.kind, jnp.where(played, int(RoundKind.PLAYED), int(bye_kind))),
        opponent=whole(record.opponent, opponents),
        gained=whole(record.gained, jnp.where(played, points[plain], win)),
        scored=whole(record.scored, jnp.where(played, event.half_points, half)),
        ratings=jnp.asarray(record.ratings),
        blacks=blacks,
    )


def _places(completed: Completed, order: CompiledOrder) -> tuple[Array, Array]:
    """Places by a list of criteria, and which of them decided at the `BOUNDARIES`."""
    scores: list[Array] = []
    for tiebreak, unit, variant in zip(order.tiebreaks, order.units, order.variants, strict=True):
        seen = completed.with_modifiers(variant) if variant else completed
        by_tiebreak = tiebreak.scores(seen, dense_rank(*scores) if scores else seen.own)
        # Fractions that should be equal are, as in `criteria.evaluate`.
        whole = jnp.issubdtype(by_tiebreak.dtype, jnp.integer)
        # Four decimals, not six: programs compute in single precision.
        scores.append(by_tiebreak if whole else jnp.round(by_tiebreak * unit, 4))
    teams = len(scores[0])
    # The last key decides first, and the highest score is the best.
    by_score = jnp.lexsort([-score for score in scores[::-1]])
    apart = jnp.stack([(score[by_score][1:] != score[by_score][:-1]) for score in scores])
    # The first criterion that tells the two apart.
    first = jnp.where(apart.any(axis=0), apart.argmax(axis=0), len(scores))
    shared = jnp.concatenate([jnp.array([False]), first == len(scores)])
    number = jnp.arange(1, teams + 1)
    # The place of the first of those who share one.
    place = lax.cummax(jnp.where(shared, 0, number))
    places = jnp.zeros(teams, jnp.int32).at[by_score].set(place.astype(jnp.int32))
    ends = [first[b - 1] if b < teams else jnp.int32(len(scores)) for b in BOUNDARIES]
    return places, jnp.stack(ends).astype(jnp.int32)


def _count(
    numbers: Int[np.ndarray, " events"],
    ranked: Continuation,
    *,
    pairs: Int[np.ndarray, "known 2 matches"],
    team: int | None,
    criteria: int,
    most: int,
) -> dict[str, Any]:
    """What some continuations add to the `Counts`."""
    places, decided = np.asarray(ranked.places), np.asarray(ranked.decided)
    _, orders, teams = places.shape
    seats = np.asarray(ranked.results).shape[-1]
    within = places[..., None] <= np.array(BOUNDARIES)
    counts = {
        "places": _tally(places - 1, teams),
        "decided": _tally(decided, criteria + 1),
        # With one order alone it is compared with itself: never.
        "differ": (within[:, 0] != within[:, orders - 1]).any(axis=1).sum(axis=0),
    }
    if team is not None and len(pairs):
        # Without nobodies, whose numbers lie beyond the seats.
        matches = pairs[0][:, (pairs[0] < seats).all(axis=0)]
        scored = np.asarray(ranked.results)[:, matches[0]]
        same = (scored[..., None] == np.arange(most + 1)).astype(int)
        counts["results"] = same.sum(axis=0)
        counts["given"] = np.einsum("nmr,nob->mrob", same, within[:, :, team].astype(int))
    return {name: np.asarray(value, np.int64) for name, value in counts.items()}


def _tally(values: Int[np.ndarray, "events *shape"], size: int) -> Int[np.ndarray, "*shape size"]:
    """How often every value from 0 to `size - 1` occurs, over the events."""
    shape = values.shape[1:]
    number = int(np.prod(shape))
    # A stretch of its own for every entry, so that one count serves all.
    index = np.arange(number) * size + values.reshape(len(values), number)
    return np.bincount(index.ravel(), minlength=number * size).reshape(*shape, size)
