"""A real example for the pencil edition: a tie that it decides otherwise than FIDE's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tb2learn.events import TeamEvent, Working, explain, rank, read_event
from tb2learn.export.words import decimal, words
from tb2learn.tiebreaks.rules import Rule, product_table

EVENT = "baku2016"
"""The packaged event from which examples are taken, as it stood after the rounds of the rule."""


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


def real_tie(rule: Rule, whole: TeamEvent | None = None) -> Tie | None:
    """The first tie of a real event that a rule decides otherwise than FIDE's rule.

    Both teams played all their matches. None if the event has another number of boards or fewer
    rounds than the rule, or if the rules agree on all ties.

    **Arguments:** `rule`; `whole`: the event, `EVENT` if not given.
    """
    whole = read_event(EVENT) if whole is None else whole
    if rule.boards != whole.boards or rule.event_rounds > whole.rounds:
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


def heading(tie: Tie, language: str = "en") -> str:
    """The heading of the example: the event, the round, the match points."""
    said = words(language)["pencil.example"]
    return said.format(event=tie.event.name, rounds=tie.event.rounds, mp=tie.teams[0].mp)


def verdict(tie: Tie, sums: Sequence[str], language: str = "en") -> str:
    """The sentence that follows from the sums of both teams, as they are printed."""
    first, second = (working.team for working in tie.teams)
    text = words(language)
    fide1, fide2 = (decimal(f"{points:g}", text) for points in tie.fide)
    points1, points2 = (decimal(points, text) for points in sums)
    return text["pencil.verdict"].format(
        first=first, second=second, points1=points1, points2=points2, fide1=fide1, fide2=fide2
    )
