"""An event under two rules as tables: both standings, and how each rule agrees with ratings."""

from __future__ import annotations

from collections.abc import Sequence

from tb2learn.assessment.by_ratings import RATED_TOPS, against_ratings
from tb2learn.events import Comparison, TeamEvent, compare, usual_policy
from tb2learn.export.result import Table, TableSet
from tb2learn.export.standings import (
    RuleFinder,
    about_event,
    comparison_table,
    event_notes,
    usual_rules,
)
from tb2learn.tiebreaks.rules import Rule


def compare_event(
    event: TeamEvent, by: Rule | str | None = None, unplayed: str | None = None
) -> tuple[Comparison, tuple[Rule, Rule], TableSet]:
    """An event under the rule in use and another one: both rules, and the result as tables.

    These are `teams` (`comparison_table`), and of an event with ratings `ratings`.

    **Arguments:** `by`: the other rule or its name, see `usual_rules`; `unplayed`: as for
    `events.rank`.
    """
    find = RuleFinder(event)
    asked = [rule if isinstance(rule, Rule) else find(rule) for rule in usual_rules(event, by)]
    old, new = asked[0], asked[-1]
    compared = compare(event, old, new, unplayed=unplayed)
    about = about_event(event, usual_policy(event) if unplayed is None else unplayed)
    about |= {"old_rule": old.name, "new_rule": new.name}
    tables = {"teams": comparison_table(compared)}
    if sum(map(bool, event.ratings)) > 1:
        tables["ratings"] = ratings_table(event, (old, new))
    notes = (*event.notes, *find.notes, *event_notes(event, new))
    return compared, (old, new), TableSet(tables, notes, about)


def ratings_table(event: TeamEvent, rules: Sequence[Rule]) -> Table:
    """How often rules place the lower rated of two tied teams first: a row a `rule` and `top`.

    `share` counts equal scores half; `share_low` and `share_high` are the ends of its 95 %
    interval, see `assessment.by_ratings`.
    """
    columns = ("rule", "top", "pairs", "share", "share_low", "share_high")
    heads = {"top": "ties", "share": "lower rated first", "share_low": "from", "share_high": "to"}
    frame = against_ratings([event], [rules], seed=1)[[*columns]]
    return Table.of(
        frame.assign(top=["all" if top == RATED_TOPS[-1] else top for top in frame["top"]]),
        title="How often the lower rated of two tied teams is first, with 95 % intervals",
        headings=heads,
        formats={"top": _ties, **dict.fromkeys(columns[3:], ".3f")},
        keys=2,
        digits=4,
    )


def _ties(top: int | str) -> str:
    return str(top) if isinstance(top, str) else f"top {top}"
