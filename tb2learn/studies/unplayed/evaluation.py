"""Policies for unplayed rounds, evaluated on simulated events with absences."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float

from tb2learn.config import Config
from tb2learn.events.criteria import Completed, evaluate
from tb2learn.events.orders import Order
from tb2learn.events.unplayed.policies import POLICIES as ALL_POLICIES
from tb2learn.events.unplayed.record import Kind as RoundKind
from tb2learn.events.unplayed.record import Record
from tb2learn.simulation.rng import Purpose, stream
from tb2learn.simulation.run import progress_bar
from tb2learn.studies.claims import method_name
from tb2learn.studies.ricca.criteria import adjusted
from tb2learn.studies.ricca.evaluation import RANDOM, Evaluation, event_sums, summarise
from tb2learn.studies.unplayed.absences import Kind, draw_event, play_event
from tb2learn.types import BYE, InputError

POLICIES = {name: one for name, one in ALL_POLICIES.items() if name != "c07-2024"}
"""The policies that are studied: of C.07 only the edition in force."""

SUMS = tuple(name + cut for name in ("opponents", "emgsb") for cut in ("", "-cut1", "-median1"))
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger)."""


def tiebreak(policy: str, sum_name: str) -> str:
    """The name of a tie-break: a sum under a policy."""
    return method_name(policy, sum_name)


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy defines a sum."""
    return sum_name == "opponents" or not POLICIES[policy].opponents_only


TIEBREAKS = (
    *(tiebreak(p, s) for p in POLICIES for s in SUMS if is_defined(p, s)),
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


def event_of(kind: Kind, seed: int, number: int) -> tuple[dict[str, np.ndarray], Record]:
    """Event `number` of the assessment stream: its random numbers, and its record."""
    key = jax.random.fold_in(stream(seed, Purpose.ASSESS), number)
    drawn = draw_event(key, kind.absences.limits(), kind.config)
    drawn = {name: np.asarray(part) for name, part in drawn.items()}
    return drawn, play_event(drawn, kind.absences)


def sums_of(drawn: dict[str, np.ndarray], record: Record, config: Config) -> dict[str, np.ndarray]:
    """The evaluation of an event: the result of `event_sums`, and `shares` of every `RoundKind`."""
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
    shares = np.bincount(record.kind.ravel(), minlength=len(RoundKind))
    return event_sums(measured, config) | {"shares": shares}


@dataclass(frozen=True)
class Studied:
    """The evaluation of one kind of events.

    **Fields:**

    - `kind`: of events.
    - `evaluation`: of all `TIEBREAKS`.
    - `shares`: of all rounds of all players, by `unplayed.record.Kind`, 0..1.
    """

    kind: Kind
    evaluation: Evaluation
    shares: Float[np.ndarray, " kinds"]

    def value(self, population: str, policy: str, sum_name: str, criterion: str) -> float:
        """One value, in places."""
        return self.evaluation.value(population, tiebreak(policy, sum_name), criterion)

    def ci(
        self, population: str, policy: str, sum_name: str, criterion: str
    ) -> tuple[float, float]:
        """Its 95 % interval."""
        return self.evaluation.ci(population, tiebreak(policy, sum_name), criterion)


def study_kind(kind: Kind, events: int, seed: int, label: str | None = None) -> Studied:
    """Evaluate every policy and sum in events of one kind.

    **Arguments:**

    - `kind`: of events.
    - `events`, `seed`: number and stream of the events; the bootstrap has the same seed.
    - `label`: shows a progress bar with this label.

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
    return Studied(kind, evaluation, shares / shares.sum())
