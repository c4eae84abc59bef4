"""How sure the order of tied neighbours is, and places shared below a probability."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tb2learn.events.criteria import Criterion
from tb2learn.events.model import TeamEvent
from tb2learn.events.ranking import DECIDED, StandingsRow
from tb2learn.events.unplayed.record import event_record
from tb2learn.tiebreaks.confidence_map import Confidence, Spread, spread_of
from tb2learn.tiebreaks.library import heading
from tb2learn.types import InputError, within


def deciding_criterion(criteria: Sequence[Criterion]) -> Criterion:
    """The criterion that decides between teams on equal match points.

    **Raises:** `InputError` if the criteria do not begin with match points and a rule.
    """
    if len(criteria) > 1 and criteria[0].name == "mp":
        entry = criteria[1].entry
        # What is known in lists alone, such as game points of standings, is no rule.
        if entry is None or entry.known_in == "rules":
            return criteria[1]
    raise InputError(
        "confidence is that of a rule: rank teams by match points, a rule, and what follows"
    )


def with_confidence(
    rows: Sequence[StandingsRow], criterion: str, confidence: Confidence, below: float = 0.5
) -> tuple[StandingsRow, ...]:
    """Standings with the probability that each team is better than the next one on equal points.

    **Arguments:**

    - `rows`: the standings, by match points, a rule, and what follows.
    - `criterion`: the name of the `deciding_criterion`.
    - `confidence`: of its rule, for the event (`Confidence.at`).
    - `below`: a team shares the place of the team that leads the shared place if the order of both
      has a smaller probability, 0.5 .. 1.

    **Returns:** the rows with `confidence`; None where the next team has other match points, where
    a play-off decided, or there is none.

    **Raises:** `InputError` for match points beyond the rule's, or another `below`.
    """
    within("share_below", below, 0.5, 1)
    sure_rows: list[StandingsRow] = []
    leader = rows[0]
    for index, row in enumerate(rows):
        # With the leader: neighbours alone could chain a whole group into one place.
        # Only neighbours on equal points can share a place.
        if _tied(leader, row) and (index == 0 or _sure(confidence, criterion, leader, row) < below):
            # The order is too unsure to be shown: the place is that of the leader.
            place = leader.place
        else:
            leader, place = row, row.place
        after = rows[index + 1] if index + 1 < len(rows) else None
        # Of the last one of a score group there is nothing to say.
        sure = _sure(confidence, criterion, row, after) if after and _tied(row, after) else None
        sure_rows.append(replace(row, place=min(place, row.place), confidence=sure))
    return tuple(sure_rows)


def event_spread(event: TeamEvent) -> Spread:
    """How far apart the teams of an event ended, and how much chance was in its matches."""
    results = event_record(event).results
    return spread_of(results.opponents, results.half_points, event.boards)


def unusual_lines(event: TeamEvent, confidence: Confidence) -> list[str]:
    """Lines where the event is not like those that the confidence was fitted to; none if it is."""
    lines = []
    # Nobody knows how the match will end.
    if event.open:
        lines.append("the confidence takes open matches for matches that nobody was paired for")
    if confidence.stretch is None:
        return lines
    here, least, most = event_spread(event), confidence.stretch.least, confidence.stretch.most
    if not least.teams <= here.teams <= most.teams:
        lines.append(
            f"the confidence was not tried for {here.teams:g} teams, only for "
            f"{math.ceil(round(least.teams, 6))} to {math.floor(round(most.teams, 6))}"
        )
    # As standard deviations, in points.
    for sentence, name, games in (
        ("teams end {} points from the average", "variance", event.rounds * event.boards),
        ("matches end {} points from what strengths say", "noise", event.boards),
    ):
        apart, low, high = (
            math.sqrt(getattr(spread, name) * games) / 2 for spread in (here, least, most)
        )
        if not low <= apart <= high:
            lines.append(
                f"the confidence was not tried for such a field: {sentence.format(f'{apart:.1f}')} "
                f"here, and {low:.1f} to {high:.1f} in the events that it was fitted to"
            )
    return lines


def medal_lines(
    rows: Sequence[StandingsRow], criterion: str, heads: Mapping[str, str] | None = None
) -> list[str]:
    """How sure the order of the first three and their followers on equal points is.

    **Arguments:**

    - `criterion`: as for `with_confidence`.
    - `heads`: what criteria are called, where not as on paper.
    """
    return [
        f"{row.team} before {next_row.team}: {row.confidence:.0%}"
        f"{_what_decides(criterion, row, next_row, heads)}"
        for row, next_row in pairwise(rows[:4])
        if row.confidence is not None
    ]


def equal_line(
    rows: Sequence[StandingsRow], criterion: str, heads: Mapping[str, str] | None = None
) -> list[str]:
    """A line that says what 50 % means where the deciding rule's scores are equal; none if not.

    **Arguments:** `criterion`, `heads`: as for `medal_lines`.
    """
    tied = (pair for pair in pairwise(rows) if pair[0].confidence is not None)
    if not any(row.scores[criterion] == after.scores[criterion] for row, after in tied):
        return []
    return [
        f"50% where {_head(criterion, heads)} is equal, too: it does not say which team is better, "
        "and what follows it decides the place"
    ]


def _head(name: str, heads: Mapping[str, str] | None) -> str:
    return (heads or {}).get(name, heading(name))


def _what_decides(
    criterion: str, row: StandingsRow, after: StandingsRow, heads: Mapping[str, str] | None
) -> str:
    """What orders two teams whose scores of the deciding rule are equal; else empty."""
    if row.scores[criterion] != after.scores[criterion]:
        return ""
    name, then = _first_difference(row, after), "they share a place"
    if name and row.place != after.place:
        then = f"{_head(name, heads)} decides"
    return f" (equal {_head(criterion, heads)}: {then})"


def _first_difference(row: StandingsRow, after: StandingsRow) -> str | None:
    """The first criterion on which two teams are not equal; None for none."""
    return next((name for name in row.scores if row.scores[name] != after.scores[name]), None)


def _tied(row: StandingsRow, after: StandingsRow) -> bool:
    """Whether two teams are equal on match points, and no play-off decided between them."""
    equal = row.scores["mp"] == after.scores["mp"]
    return equal and _first_difference(row, after) != DECIDED


def _sure(confidence: Confidence, criterion: str, row: StandingsRow, after: StandingsRow) -> float:
    points = row.scores["mp"]
    # A penalty may lead to half a point or below 0, for which nothing was fitted.
    if points != int(points) or not 0 <= points < len(confidence.scale):
        raise InputError(
            f"{row.team} has {points:g} match points; the confidence of {confidence.rule} reaches "
            f"from 0 to {len(confidence.scale) - 1}"
        )
    lead = row.scores[criterion] - after.scores[criterion]
    return float(confidence.probability(int(points), lead))
