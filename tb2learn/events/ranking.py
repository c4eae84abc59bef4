"""Ranked events: what decides, what every team has under it, and who stands where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from tb2learn.arrays import dense_rank
from tb2learn.chess import Weakest
from tb2learn.events.criteria import Before, Completed, Criterion, complete, evaluate
from tb2learn.events.model import TeamEvent
from tb2learn.events.orders import CriteriaList, CriteriaReader
from tb2learn.shapes import Float
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

DECIDED = "decided"
"""The column of the places that a play-off or a lot gave; 0 for none."""


@dataclass(frozen=True)
class StandingsRow:
    """One row of the standings. Teams that are equal on every criterion share a place.

    **Fields:**

    - `place`: 1 for the first.
    - `number`: of the team in the event, from 0.
    - `team`: its name.
    - `scores`: by name of the criterion, in the order of the criteria.
    - `confidence`: probability that it is better than the next team, see
      `confidence.with_confidence`; None if that is not known, or the next team has other match
      points.
    - `others`: number of matches of others that decided its order with the next team, see
      `verdict.with_others`; None as for `confidence`.
    """

    place: int
    number: int
    team: str
    scores: Mapping[str, float]
    confidence: float | None = None
    others: int | None = None


@dataclass(frozen=True)
class PlayOff:
    """What a play-off or lots decided, as a criterion among those who are tied on all before it.

    **Fields:**

    - `teams`: the names of all teams of the event.
    - `places`: of those who took part, by name, the smaller is better.
    - `before`: the name of the criterion that it comes before.
    """

    teams: tuple[str, ...]
    places: Mapping[str, int]
    before: str

    @property
    def name(self) -> str:
        """That of its column."""
        return DECIDED

    def scores(self, event: Completed, before: Before) -> Float[np.ndarray, " teams"]:
        """Whoever did not take part comes after those who did.

        **Raises:** `InputError` for somebody who is tied with nobody.
        """
        group = dense_rank(*before)
        for team, name in enumerate(self.teams):
            # A play-off decides between those who are equal until then, and nobody else.
            if name in self.places and (group == group[team]).sum() == 1:
                raise InputError(f"{name} is tied with nobody before {self.before}")
        return np.array([-self.places.get(name, np.inf) for name in self.teams])

    def shown(self, scores: Float[np.ndarray, " teams"], before: Before) -> np.ndarray:
        """The places, 0 for whoever did not take part."""
        return np.where(np.isinf(scores), 0, -scores)


@dataclass(frozen=True, eq=False)
class Ranking:
    """An event in order, as a sequence of the rows of its standings.

    Whatever is shown of an order (standings, workings, verdicts, sheets, pages) is read from here:
    an event is completed, and its criteria are computed, once.

    **Fields:**

    - `event`: what is ranked.
    - `completed`: the event as its tie-breaks see it, by a policy for unplayed rounds.
    - `criteria`: what decides, in order.
    - `scores`: of all `steps`, higher is better.
    - `rows`: the standings, first place first.
    - `play_off`: what decides between two of the criteria, besides them; None for nothing.
    """

    event: TeamEvent
    completed: Completed
    criteria: CriteriaList
    scores: Float[np.ndarray, "steps teams"]
    rows: tuple[StandingsRow, ...]
    play_off: PlayOff | None = None

    @staticmethod
    def of(
        event: TeamEvent,
        completed: Completed,
        by: Rule | Sequence[Criterion],
        play_off: PlayOff | None = None,
    ) -> Ranking:
        """The order of a completed event.

        **Arguments:** as for `rank`; `play_off`: what decides between two of the criteria.

        **Raises:** `InputError` as `rank`; for a play-off before another criterion, or of somebody
        who is not tied.
        """
        criteria = CriteriaReader.of(event).led_by(by) if isinstance(by, Rule) else by
        if not isinstance(criteria, CriteriaList):
            criteria = CriteriaList(tuple(criteria))
        steps = _steps(criteria, play_off)
        scores = evaluate(completed, steps)
        shown = np.stack([step.shown(scores[k], [*scores[:k]]) for k, step in enumerate(steps)])
        names = [step.name for step in steps]
        rows: list[StandingsRow] = []
        last = None
        # The last key decides first; equal teams keep the start order.
        for position, team in enumerate(np.lexsort(-scores[::-1]).tolist()):
            key = tuple(scores[:, team].tolist())
            # Equal on all criteria: the place is shared.
            place = rows[-1].place if key == last else position + 1
            printed = map(rounded, shown[:, team].tolist())
            values = dict(zip(names, printed, strict=True))
            rows.append(StandingsRow(place, team, event.teams[team], values))
            last = key
        return Ranking(event, completed, criteria, scores, tuple(rows), play_off)

    def __iter__(self) -> Iterator[StandingsRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> StandingsRow: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[StandingsRow, ...]: ...

    def __getitem__(self, index: int | slice) -> StandingsRow | tuple[StandingsRow, ...]:
        return self.rows[index]

    @property
    def unplayed(self) -> str:
        """The policy for unplayed rounds by which it is completed."""
        return self.completed.policy.name

    @property
    def steps(self) -> tuple[Criterion | PlayOff, ...]:
        """The criteria, with the play-off in its place."""
        return _steps(self.criteria, self.play_off)

    @property
    def order(self) -> list[int]:
        """The numbers of the teams, first place first."""
        return [row.number for row in self.rows]

    @cached_property
    def row_of(self) -> tuple[StandingsRow, ...]:
        """The rows by the number of their team."""
        return tuple(sorted(self.rows, key=lambda row: row.number))

    @cached_property
    def played(self) -> Float[np.ndarray, "criteria teams"]:
        """The scores of the criteria alone: what was decided over the board."""
        return self.scores if self.play_off is None else evaluate(self.completed, self.criteria)

    def by(self, by: Rule | Sequence[Criterion]) -> Ranking:
        """The same event by something else, without a play-off; it is not completed again."""
        return Ranking.of(self.event, self.completed, by)


def rank(
    event: TeamEvent,
    by: Rule | Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str | None = None,
) -> Ranking:
    """An event in order.

    **Arguments:**

    - `event`: the event.
    - `by`: criteria, the first decides first; or a rule, which stands for the usual criteria with
      it (`CriteriaReader.led_by`). Teams equal on every criterion are listed in start order.
    - `weakest`: which of several opponents with the fewest match points is left out first, one of
      `chess.WEAKEST_RULES`.
    - `unplayed`: the policy for unplayed rounds, one of `unplayed.policies.POLICIES`; the event's
      `usual_policy` if not given.

    **Raises:** `InputError` if a rule is for another format, or has no meaning under the policy, or
    for an unknown name.
    """
    return Ranking.of(event, complete(event, unplayed, weakest), by)


def _steps(
    criteria: Sequence[Criterion], play_off: PlayOff | None
) -> tuple[Criterion | PlayOff, ...]:
    if play_off is None:
        return tuple(criteria)
    names = [criterion.name for criterion in criteria]
    # Not before the points: a play-off is among those who are tied.
    if play_off.before not in names[1:]:
        raise InputError(f"--before must be one of {', '.join(names[1:])}, got {play_off.before}")
    at = names.index(play_off.before)
    return (*criteria[:at], play_off, *criteria[at:])


def rounded(value: float) -> float:
    """A score as it is shown, with at most four decimals."""
    return round(float(value), 4) + 0.0  # `+ 0.0`: no minus before a zero


def scores(event: TeamEvent, by: Rule | Sequence[Criterion]) -> tuple[np.ndarray, np.ndarray]:
    """Match points of every team, and TB2 under a rule, with the default policy.

    Of a list of criteria the place stands for TB2, the first the greatest.
    """
    if isinstance(by, Rule):
        completed = complete(event)
        return completed.own, evaluate(completed, [Criterion("tb2", by)])[0]
    ranking = rank(event, by)
    return ranking.completed.own, -np.array([row.place for row in ranking.row_of], float)
