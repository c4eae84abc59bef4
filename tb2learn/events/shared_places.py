"""How sure the order of tied neighbours in standings is, and places shared below a probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tb2learn.events.criteria import Criterion
from tb2learn.events.rank import Ranked
from tb2learn.tiebreaks.confidence_map import Confidence
from tb2learn.tiebreaks.library import heading
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError


def deciding_rule(criteria: Sequence[Criterion]) -> Rule:
    """The rule that decides between teams on equal match points.

    **Raises:** `InputError` if the criteria do not begin with match points and a rule.
    """
    if len(criteria) > 1 and criteria[0].name == "mp":
        entry = criteria[1].entry
        if entry is None or entry.known_in == "rules":
            return criteria[1].rule
    raise InputError(
        "confidence is that of a rule: rank teams by match points, a rule, and what follows"
    )


def with_confidence(
    rows: Sequence[Ranked], confidence: Confidence, below: float = 0.5
) -> tuple[Ranked, ...]:
    """Standings with the probability that each team is better than the next one on equal points.

    **Arguments:**

    - `rows`: standings by match points, then the rule of `confidence`, and what follows.
    - `confidence`: of the `deciding_rule`.
    - `below`: a team shares the place of the team that leads the shared place if the order of both
      has a smaller probability, 0.5 .. 1.

    **Returns:** the rows with `confidence`; None where the next team has other match points, or
    there is none.

    **Raises:** `InputError` for match points beyond the rule's, or another `below`.
    """
    if not 0.5 <= below <= 1:
        raise InputError(f"places can be shared below 50..100 percent, got {100 * below:g}")
    found: list[Ranked] = []
    leader = rows[0]
    for index, row in enumerate(rows):
        if _tied(leader, row) and (index == 0 or _sure(confidence, leader, row) < below):
            place = leader.place
        else:
            leader, place = row, row.place
        after = rows[index + 1] if index + 1 < len(rows) else None
        sure = _sure(confidence, row, after) if after and _tied(row, after) else None
        found.append(replace(row, place=min(place, row.place), confidence=sure))
    return tuple(found)


def medal_lines(rows: Sequence[Ranked]) -> list[str]:
    """How sure the order of the first three and their followers on equal points is."""
    return [
        f"{one.team} before {other.team}: {one.confidence:.0%}{_what_decides(one, other)}"
        for one, other in pairwise(rows[:4])
        if one.confidence is not None
    ]


def equal_line(rows: Sequence[Ranked]) -> list[str]:
    """A line that says what 50 % means where the deciding rule's scores are equal; none if not."""
    tied = (pair for pair in pairwise(rows) if pair[0].confidence is not None)
    if not any(_equal(*pair) for pair in tied):
        return []
    rule = heading(list(rows[0].scores)[1])
    return [
        f"50% where {rule} is equal, too: it does not say which team is better, and what follows "
        "it decides the place"
    ]


def _what_decides(one: Ranked, other: Ranked) -> str:
    """What orders two teams whose scores of the deciding rule are equal; else empty."""
    if not _equal(one, other):
        return ""
    rule, *further = list(one.scores)[1:]
    decides = (name for name in further if one.scores[name] != other.scores[name])
    name = next(decides, None)
    then = f"{heading(name)} decides" if name and one.place != other.place else "they share a place"
    return f" (equal {heading(rule)}: {then})"


def _equal(one: Ranked, other: Ranked) -> bool:
    """Whether the scores of the deciding rule are equal."""
    second = list(one.scores)[1]
    return one.scores[second] == other.scores[second]


def _tied(one: Ranked, other: Ranked) -> bool:
    return one.scores["mp"] == other.scores["mp"]


def _sure(confidence: Confidence, one: Ranked, other: Ranked) -> float:
    own = one.scores["mp"]
    if own != int(own) or not 0 <= own < len(confidence.scale):
        raise InputError(
            f"{one.team} has {own:g} match points; the confidence of {confidence.rule} reaches "
            f"from 0 to {len(confidence.scale) - 1}"
        )
    second = list(one.scores)[1]
    return float(confidence.probability(int(own), one.scores[second] - other.scores[second]))
