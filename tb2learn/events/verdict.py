"""Why one of two teams is before the other, and which result of others would have turned it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tb2learn.chess import Weakest
from tb2learn.events.criteria import Criterion, evaluate
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match, with_scoring
from tb2learn.events.rank import complete, rounded
from tb2learn.text import number
from tb2learn.tiebreaks.library import heading

_LISTED = 3
"""How many results that would have turned the order are named."""


@dataclass(frozen=True)
class Verdict:
    """The order of two teams.

    **Fields:**

    - `first`, `second`: their names.
    - `criterion`: the heading of what decides; empty if they are equal on everything.
    - `scores`: of both, under that criterion.
    - `tied_on`: whether they are equal on the points, so that a tie-break decides.
    - `turning`: results of single matches of others that would have turned the order, in words; of
      the last round in which there is one.
    - `tried`: whether such results were looked for.
    """

    first: str
    second: str
    criterion: str
    scores: tuple[float, float]
    tied_on: bool
    turning: tuple[str, ...] = ()
    tried: bool = False

    def __str__(self) -> str:
        """The verdict in sentences."""
        if not self.criterion:
            return (
                f"{self.first} and {self.second} are equal on every criterion: they share a place."
            )
        high, low = map(number, self.scores)
        text = f"{self.first} is before {self.second}: {self.criterion} decides, {high} to {low}"
        if not self.tied_on:
            return f"{text}."
        text += f" ({number(rounded(self.scores[0] - self.scores[1]))} more)."
        if self.turning:
            return f"{text} Another result of one match would have turned it: " + (
                "; or ".join(self.turning) + "."
            )
        return text + " No other result of a single match of others would have turned it." * (
            self.tried
        )


def verdict(
    event: TeamEvent,
    teams: tuple[int, int],
    criteria: Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str | None = None,
) -> Verdict:
    """What decides between two teams, and what would have turned it.

    A match of others is replaced by its nearest other outcomes: a win by the narrowest score, or a
    draw. All other results and pairings stay. Only matches of teams that one of the two has met are
    tried, as others count for neither; the rounds from the last one back, until there is one.

    **Arguments:** `teams`: their numbers, in either order; the others as for `rank`.

    **Raises:** `InputError` as `rank`.
    """

    def scores(of: TeamEvent) -> np.ndarray:
        return evaluate(complete(of, unplayed, weakest), criteria)[:, list(teams)]

    def leads(values: np.ndarray) -> tuple[int, int]:
        """The deciding criterion, and who leads: 0 or 1; -1 for nobody."""
        apart = np.flatnonzero(values[:, 0] != values[:, 1])
        return (int(apart[0]), int(values[apart[0], 1] > values[apart[0], 0])) if len(apart) else (
            len(criteria) - 1, -1
        )  # fmt: skip

    values = scores(event)
    decides, leader = leads(values)
    names = [event.teams[team] for team in teams]
    if leader < 0:
        return Verdict(names[0], names[1], "", (0.0, 0.0), True)
    ordered = values[:, ::-1] if leader else values
    shown = tuple(rounded(x) for x in ordered[decides])
    first, second = names[::-1] if leader else names
    made = Verdict(
        first, second, heading(criteria[decides].name), (shown[0], shown[1]), decides > 0
    )
    if not decides or not event.known_rounds:
        return made
    turned: list[str] = []
    for round_number in range(event.rounds, 0, -1):
        for index, match in _of_opponents(event, set(teams), round_number):
            for other in _others(event, match):
                matches = (*event.matches[:index], other, *event.matches[index + 1 :])
                if leads(scores(replace(event, matches=matches)))[1] != leader:
                    turned.append(_told(event, match, other))
        if turned:
            break
    return replace(made, turning=tuple(turned[:_LISTED]), tried=True)


def _of_opponents(
    event: TeamEvent, teams: set[int], round_number: int
) -> Iterator[tuple[int, Match]]:
    """Matches of a round, played over the board, of the teams' opponents against others."""
    met = {t for m in event.matches if teams & set(m.teams) for t in m.teams} - teams
    for index, match in enumerate(event.matches):
        if match.round == round_number and match.played and not teams & set(match.teams):
            if met & set(match.teams):
                yield index, match


def _others(event: TeamEvent, match: Match) -> Iterator[Match]:
    """The match with its nearest other outcomes."""
    boards = match.boards_decided
    outcomes = {1: (boards + 1, boards - 1), 0: (boards, boards), -1: (boards - 1, boards + 1)}
    was = int(np.sign(match.half_points_a - match.half_points_b))
    for outcome in (was - 1, was + 1):
        if outcome in outcomes:
            a, b = outcomes[outcome]
            changed = replace(
                match, half_points_a=a, half_points_b=b, match_points_a=None, match_points_b=None
            )
            (scored,) = with_scoring([changed], event.scoring)
            yield scored


def _told(event: TeamEvent, match: Match, other: Match) -> str:
    """Such as `had Mali drawn with Nicaragua in round 11 (2½-1½ was played)`."""
    a, b = (event.teams[team] for team in match.teams)
    played = f"{_points(match.half_points_a)}-{_points(match.half_points_b)}"
    if other.half_points_a == other.half_points_b:
        what = f"{a} drawn with {b}"
    else:
        what = f"{a} beaten {b}" if other.half_points_a > other.half_points_b else f"{b} beaten {a}"
    return f"had {what} in round {match.round} ({a}-{b} was {played})"


def _points(half: int) -> str:
    return (str(half // 2) if half > 1 or not half % 2 else "") + "½" * (half % 2)
