"""A real example for the pencil edition: a tie that it decides otherwise than FIDE's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tb2learn.events import TeamEvent, Working, explain, rank, read_event
from tb2learn.tiebreaks.rules import Rule, product_table

EVENT, BOARDS = "baku2016", 4
"""The packaged event from which examples are taken, as it stood after the rounds of the rule."""

WHICH = (
    "Use this sheet where a result must be checked by hand at the board, and the rule in all its "
    "passes wherever a program ranks the event: it also counts how well the opponents did, and "
    "decides fewer ties wrongly. Say before the first round which of the two decides, because they "
    "may disagree: in Baku 2016 the tables in one and in three passes disagree about gold."
)
"""When to use one pass, and when all of them."""


@dataclass(frozen=True)
class Tie:
    """Two teams of an event on equal match points.

    **Fields:**

    - `event`: where they tied.
    - `teams`: their workings by the rule; the one that FIDE's rule places first comes first.
    - `fide`: their TB2 by FIDE's rule.
    """

    event: TeamEvent
    teams: tuple[Working, Working]
    fide: tuple[float, float]


def real_tie(rule: Rule) -> Tie | None:
    """The first tie of a real event that a rule decides otherwise than FIDE's rule.

    Both teams played all their matches. None if the event has another number of boards or fewer
    rounds than the rule, or if the rules agree on all ties.
    """
    whole = read_event(EVENT)
    if rule.boards != BOARDS or rule.event_rounds > whole.rounds:
        return None
    event = whole.after(rule.event_rounds)
    fide = rank(event, product_table(event.rounds, event.boards))
    mine = {row.team: row.scores["tb2"] for row in rank(event, rule)}
    for n, first in enumerate(fide):
        for second in fide[n + 1 :]:
            if second.scores["mp"] != first.scores["mp"]:
                break
            same = second.scores["tb2"] == first.scores["tb2"]
            if same or mine[second.team] <= mine[first.team]:
                continue
            one, other = explain(event, (first.team, second.team), [rule])
            if all(item.kind == "played" for item in (*one.items, *other.items)):
                return Tie(event, (one, other), (first.scores["tb2"], second.scores["tb2"]))
    return None


def heading(tie: Tie) -> str:
    """The heading of the example: the event, the round, the match points."""
    event = f"{tie.event.name} after round {tie.event.rounds}"
    return f"Worked example: {event}, two teams on {tie.teams[0].mp} MP"


def verdict(tie: Tie, sums: Sequence[str]) -> str:
    """The sentence that follows from the sums of both teams, as they are printed."""
    first, second = (working.team for working in tie.teams)
    return (
        f"{second} has {sums[1]}, {first} {sums[0]}: so {second} is placed before {first}. FIDE's "
        f"rule has {tie.fide[0]:g} for {first} and {tie.fide[1]:g} for {second}, and places "
        f"{first} first."
    )
