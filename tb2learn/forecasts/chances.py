"""Continuations of an event, counted, and the chances that follow from the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from scipy import linalg

from tb2learn.config import Config
from tb2learn.events.unplayed.record import Kind
from tb2learn.forecasts.ranking import BOUNDARIES, Criteria, Outcome, known, rank_continuation
from tb2learn.forecasts.state import MOST_POINTS, Begun
from tb2learn.forecasts.strengths import Strengths, game_model, posterior, prior
from tb2learn.simulation.run import SILENT, Progress, sum_events
from tb2learn.simulation.start import SPREAD, Start
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.types import BYE, whole_number

MOST_CONTINUATIONS = 1_000_000

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

    **Fields:**

    - `begun`: what they go on from; `strengths`: of its teams.
    - `orders`: the lists of criteria by name of the rule.
    - `continuations`, `seed`: how many there are, and of which stream.
    - `counts`: see `Counts`.
    - `team`: the captain's, if the dependence on the next round was counted for one.
    - `alone`: why FIDE's rule stands alone although no other was asked for; else empty.
    """

    begun: Begun
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

    def error(self, chance: Float[np.ndarray, "*any"]) -> Float[np.ndarray, "*any"]:
        """Monte Carlo standard errors of chances, of the rule of succession where they are 0 or 1.

        Source: the binomial distribution.
        """
        number = self.continuations
        succeeding = (chance * number + 1) / (number + 2)
        return np.sqrt(succeeding * (1 - succeeding) / number)

    @property
    def mean_places(self) -> Float[np.ndarray, "orders teams"]:
        """Mean places, from 1."""
        places = self.counts["places"]
        return places @ np.arange(1, places.shape[-1] + 1) / self.continuations


def forecast(
    begun: Begun,
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

    Continuation `i` of a seed depends on the seed, `i` and the event alone.

    **Arguments:**

    - `begun`: the event after a round.
    - `orders`: one or two lists of criteria by name; `differ` compares the first two.
    - `continuations`: 1 .. `MOST_CONTINUATIONS`; `seed`: 0 .. 2**32 - 1.
    - `team`: the captain's, whose dependence on the next round is counted if that is paired.
    - `strengths`: of all teams; the posterior by ratings and results if not given.
    - `batch`: continuations side by side; changes no result.
    - `progress`: of the continuations.

    **Raises:** `InputError` for other numbers, or criteria without meaning for the event.
    """
    whole_number("continuations", continuations, 1, MOST_CONTINUATIONS)
    if strengths is None:
        strengths = posterior(prior(begun.event), begun.event, begun.record)
    config = Config("forecast", event=begun.form, game=game_model(begun.event.boards))
    counts = sum_events(
        config,
        rank_continuation,
        EventRange(seed, Purpose.FORECAST, continuations),
        known(begun, list(orders.values())),
        partial(
            _count,
            pairs=begun.seat_pairs()[: int(begun.paired)],
            team=team,
            criteria=max(map(len, orders.values())),
            most=2 * begun.event.boards,
        ),
        start=start_of(begun, strengths),
        batch=batch,
        progress=progress,
    )
    return Chances(begun, strengths, orders, continuations, seed, counts, team)


def start_of(begun: Begun, strengths: Strengths) -> Start:
    """What the simulator goes on from."""
    record, seats, seat = begun.record, begun.seats, begun.seat_of
    kind, own = record.kind[seats].T, np.arange(len(seats))
    met = np.where(kind == Kind.PLAYED, seat[record.opponent[seats].T], BYE)
    rested = np.isin(kind, (Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.WON_BY_DEFAULT))
    half_points = record.scored[seats].T.copy()
    if record.half_penalties is not None and len(half_points):
        half_points[0] += record.half_penalties[seats]
    blacks = np.zeros(kind.T.shape, bool) if record.blacks is None else record.blacks[seats]
    covariance = strengths.covariance[np.ix_(seats, seats)]
    factor = linalg.cholesky(covariance, lower=True)
    middle = strengths.rosters[seats] + np.rint(strengths.mean[seats]).astype(int)[:, None]
    points = np.clip(record.standing_points[seats], 0, MOST_POINTS)
    return Start(
        rosters=middle.astype(np.int32),
        spread=np.rint(SPREAD * factor).astype(np.int32),
        opponents=np.where((met == BYE) & ~rested, own, met).astype(np.int32),
        half_points=half_points.astype(np.int32),
        whites=(kind == Kind.PLAYED) & ~blacks.T,
        match_points=points.astype(np.int32),
        scoring=np.array(record.scoring[::-1], np.int32),
        bye=np.array(begun.bye[:2], np.int32),
        pairs=begun.seat_pairs(),
        rounds=begun.left,
    )


def _count(
    numbers: Int[np.ndarray, " events"],
    ranked: Outcome,
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
    boundary = np.array(BOUNDARIES)
    within = places[..., None] <= boundary
    other = within[:, min(1, orders - 1)]
    found = {
        "places": _tally((orders, teams), places - 1, teams),
        "decided": _tally(decided.shape[1:], decided, criteria + 1),
        "differ": (within[:, 0] != other).any(axis=1).sum(axis=0),
    }
    if team is not None and len(pairs):
        matches = pairs[0][:, (pairs[0] < seats).all(axis=0)]
        scored = np.asarray(ranked.results)[:, matches[0]]
        same = scored[..., None] == np.arange(most + 1)
        own = within[:, :, team]
        found["results"] = same.sum(axis=0)
        found["given"] = np.einsum("nmr,nob->mrob", same.astype(int), own.astype(int))
    return {name: np.asarray(value, np.int64) for name, value in found.items()}


def _tally(
    shape: Sequence[int], values: Int[np.ndarray, "events *shape"], size: int
) -> Int[np.ndarray, "*shape size"]:
    """How often every value from 0 to `size - 1` occurs, over the events."""
    number = int(np.prod(shape))
    index = np.arange(number) * size + values.reshape(len(values), number)
    return np.bincount(index.ravel(), minlength=number * size).reshape(*shape, size)
