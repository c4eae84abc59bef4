"""An event under two rules as tables: both standings, and how each rule agrees with ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tb2learn.assessment.by_ratings import RATED_TOPS, against_ratings
from tb2learn.events import (
    Comparison,
    CriteriaList,
    TeamEvent,
    Working,
    compare,
    read_criteria,
)
from tb2learn.events.explain import workings
from tb2learn.export.result import Table, TableSet
from tb2learn.export.rule_names import called
from tb2learn.export.standings import (
    RankedEvent,
    RuleFinder,
    comparison_table,
    event_notes,
    order_line,
)
from tb2learn.tiebreaks.library import FORMULA, LEARNED
from tb2learn.tiebreaks.rules import Rule


@dataclass(frozen=True)
class ComparedEvent:
    """An event under two orders."""

    comparison: Comparison  # both standings
    orders: tuple[str, str]  # what decides in each, in a line (`standings.order_line`)
    tables: TableSet  # `teams` (`comparison_table`), and of an event with ratings `ratings`
    # the working of the teams with the most points, by the criteria in its `headings`
    first_place: tuple[Working, ...]


def compare_event(
    event: TeamEvent, by: Rule | str | None = None, unplayed: str | None = None
) -> ComparedEvent:
    """An event as `rank` orders it by itself, and by another rule.

    **Arguments:** `by`: the other rule or its name; `learned`, of players the formula, if not
    given; `unplayed`: as for `events.rank`.
    """
    ranked, find = RankedEvent.of(event, None, unplayed), RuleFinder(event)
    usual = FORMULA if event.individual else LEARNED
    old = ranked.ranking
    new = old.by(read_criteria(event, usual if by is None else by, find))
    criteria, names = (*old.criteria, *new.criteria), (old.criteria.name, new.criteria.name)
    compared, lines = compare(old, new, names), (order_line(old), order_line(new))
    about = {**ranked.about, "old_rule": names[0], "new_rule": names[1], "order": lines[0]}
    tables = {"teams": comparison_table(compared)}
    # Two teams with ratings make a pair.
    if sum(map(bool, event.ratings)) > 1:
        orders = {ranking.criteria.name: ranking.criteria for ranking in (old, new)}
        tables["ratings"] = ratings_table(event, orders)
    rules = dict.fromkeys((*ranked.found, *find.notes))
    notes = (*event.notes, *rules, *event_notes(event, criteria), *ranked.listed)
    # A criterion that both orders share is worked out once.
    sums = {
        criterion.rule.name: criterion
        for criterion in criteria
        if criterion.has_working and criterion.rule.name in compared.headings
    }
    tied = [team.old.number for team in compared.teams if team.team in compared.first_place]
    first_workings = workings(old, tied, list(sums.values()))
    return ComparedEvent(compared, lines, TableSet(tables, notes, about), first_workings)


def ratings_table(event: TeamEvent, orders: Mapping[str, CriteriaList]) -> Table:
    """How often orders place the lower rated of two tied teams first: a row a `rule` and `top`.

    `share` counts equal scores half; `share_low` and `share_high` are the ends of its 95 %
    interval, see `assessment.by_ratings`.
    """
    columns = ("rule", "top", "pairs", "share", "share_low", "share_high")
    heads = {"top": "ties", "share": "lower rated first", "share_low": "from", "share_high": "to"}
    # A rule is judged by its own scores, a list by the places that it gives.
    judged = [criteria.rule or criteria for criteria in orders.values()]
    frame = against_ratings([event], [judged], seed=1)[[*columns]]
    return Table.of(
        # The frame has names of rules alone; a list is named by its order.
        frame.assign(
            rule=np.repeat(list(orders), len(RATED_TOPS)),
            top=["all" if top == RATED_TOPS[-1] else top for top in frame["top"]],
        ),
        title="How often the lower rated of two tied teams is first, with 95 % intervals",
        headings=heads,
        formats={"rule": called, "top": _ties, **dict.fromkeys(columns[3:], ".3f")},
        keys=2,
        digits=4,
    )


def _ties(top: int | str) -> str:
    return str(top) if isinstance(top, str) else f"top {top}"
