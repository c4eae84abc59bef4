"""Policies for unplayed rounds, evaluated on simulated events with absences."""

from __future__ import annotations

import jax
import numpy as np
from jaxtyping import Float

from tb2learn.config import Config
from tb2learn.events.criteria import Completed, Order, evaluate
from tb2learn.events.unplayed.policies import POLICIES as ALL_POLICIES
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.simulation.rng import Purpose, stream
from tb2learn.simulation.run import progress_bar
from tb2learn.studies.tiebreaks.accuracy import adjusted
from tb2learn.studies.tiebreaks.evaluation import RANDOM, Evaluation, event_sums, summarise
from tb2learn.studies.tiebreaks.order_claims import method_name
from tb2learn.studies.unplayed.absences import EventKind, draw_event, play_event
from tb2learn.types import BYE, InputError

POLICIES = {name: one for name, one in ALL_POLICIES.items() if name != "c07-2024"}
"""The policies that are studied: of C.07 only the edition in force."""

SUMS = tuple(name + cut for name in ("opponents", "emgsb") for cut in ("", "-cut1", "-median1"))
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger)."""


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy defines a sum."""
    return sum_name == "opponents" or not POLICIES[policy].opponents_only


TIEBREAKS = (
    *(method_name(p, s) for p in POLICIES for s in SUMS if is_defined(p, s)),
    RANDOM,
)
"""The tie-breaks that are evaluated: every sum that a policy defines, and a draw of lots."""


def tiebreak_scores(record: Record) -> Float[np.ndarray, "tiebreaks teams"]:
    """The scores of all `TIEBREAKS` except lots."""
    scores, order = [], Order(record.rounds, record.boards)
    for name, policy in POLICIES.items():
        event = Completed(record, policy, policy.complete(record))
        scores.append(evaluate(event, [order.known(s) for s in SUMS if is_defined(name, s)]))
    return np.concatenate(scores)


def event_of(kind: EventKind, seed: int, number: int) -> tuple[dict[str, np.ndarray], Record]:
    """Event `number` of the assessment stream: its random numbers, and its record."""
    key = jax.random.fold_in(stream(seed, Purpose.ASSESS), number)
    drawn = draw_event(key, kind.absences.limits(), kind.config)
    drawn = {name: np.asarray(part) for name, part in drawn.items()}
    return drawn, play_event(drawn, kind.absences)


def sums_of(drawn: dict[str, np.ndarray], record: Record, config: Config) -> dict[str, np.ndarray]:
    """The evaluation of an event: the result of `event_sums`, and `shares` of every `Kind`."""
    values = np.concatenate([tiebreak_scores(record), drawn["lots"][1:].astype(float)])
    boards = record.boards
    measured = {
        "opponents": np.where(record.played, record.opponent, BYE).T,
        "half_points": record.scored.T,
        "ratings": (2 * drawn["rosters"].sum(axis=1) + boards) // (2 * boards),
        "strength": drawn["strength"],
        "lots": drawn["lots"][0],
        "ranks": -adjusted(record.match_points, values),
    }
    shares = np.bincount(record.kind.ravel(), minlength=len(Kind))
    return event_sums(measured, config) | {"shares": shares}


def study_kind(
    kind: EventKind, events: int, seed: int, label: str | None = None
) -> tuple[Evaluation, Float[np.ndarray, " kinds"]]:
    """Evaluate every policy and sum in events of one kind.

    **Arguments:**

    - `kind`: of events.
    - `events`, `seed`: number and stream of the events; the bootstrap has the same seed.
    - `label`: shows a progress bar with this label.

    **Returns:** the evaluation of all `TIEBREAKS`; and the shares of every
    `unplayed.record.Kind` in all rounds of all players, 0..1.

    **Raises:** `InputError` if `events` is 0 or less.
    """
    if events < 1:
        raise InputError(f"events must be at least 1, got {events}")
    found = []
    with progress_bar(events, label, "event") as bar:
        for number in range(events):
            found.append(sums_of(*event_of(kind, seed, number), kind.config))
            bar.update()
    sums = {name: np.stack([one[name] for one in found]) for name in found[0]}
    evaluation = summarise(kind.name, kind.config, TIEBREAKS, sums, seed)
    shares = sums["shares"].sum(axis=0)
    return evaluation, shares / shares.sum()
