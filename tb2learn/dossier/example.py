"""A worked example: two teams of an event that are equal on match points."""

from __future__ import annotations

from itertools import pairwise

from tb2learn.dossier.packed_events import SWISS, packed_events
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.events.explain import has_working
from tb2learn.export.document import Document, Part, Sentences, shown
from tb2learn.export.pencil import EVENT, heading, real_tie, verdict
from tb2learn.export.working import team_sheet, working_document, workings_beside
from tb2learn.tiebreaks.rules import Rule


def example_event(rule: Rule, seed: int, given: TeamEvent | None = None) -> TeamEvent:
    """The event of the example, as it stood after the rounds of the rule.

    Without one that is given a packaged one; a synthetic one where that has other boards or fewer
    rounds.

    **Raises:** `InputError` for a given event of another format.
    """
    if given is not None:
        rule.check_format(given.rounds, given.boards)
        return given
    packaged = read_event(EVENT)
    if rule.boards == packaged.boards and rule.event_rounds <= packaged.rounds:
        return packaged.after(rule.event_rounds)
    return packed_events(rule.event_rounds, rule.boards, seed)[SWISS]


def worked_tie(rule: Rule, event: TeamEvent, unplayed: str, language: str) -> list[Document]:
    """A tie of an event, one that FIDE's rule decides otherwise if there is one.

    **Arguments:** `rule`: for the format of `event`; `unplayed`: the policy; `language`.

    **Returns:** the passes of both teams and what follows, then the working sheet of each. Nothing
    for a rule that cannot be shown round by round, or an event without ties.
    """
    if not has_working(rule):
        return []
    tie = real_tie(rule, event)
    rows = rank(event, rule, unplayed=unplayed)
    tied = [(a, b) for a, b in pairwise(rows) if a.scores["mp"] == b.scores["mp"]]
    if tie is None and not tied:
        return []
    names = [one.team for one in (tie.teams if tie else tied[0])]
    sheets = [team_sheet(event, name, [rule], unplayed=unplayed) for name in names]
    parts: list[Part] = []
    if tie:
        sums = [shown(sheet.passes[-1].total) for sheet in sheets]
        parts.append(Sentences("", (verdict(tie, sums, language),)))
    parts += workings_beside(sheets, language)
    title = heading(event, sheets[0].working.mp, language)
    short = Document(title, (), tuple(parts), language)
    return [short, *(working_document(sheet, language) for sheet in sheets)]
