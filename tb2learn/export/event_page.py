"""The standings of an event as one page to tap: all of it is what the program computed.

The page shows what a page for the wall shows, and prints like one. A name that is tapped opens the
working of its team, a second name puts both side by side, with what decides between them. The
script computes nothing: its numbers are the texts that `event_data` has.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tb2learn.events import Criterion, StandingsRow, TeamEvent, Working, has_working
from tb2learn.events.explain import workings
from tb2learn.events.verdict import result_of, verdicts
from tb2learn.export.document import cell_text
from tb2learn.export.html import embedded, environment, kind, policy, source
from tb2learn.export.remarks import remarks
from tb2learn.export.rule_names import called
from tb2learn.export.verdict_words import verdict_text
from tb2learn.export.wall import Standings, standings_document
from tb2learn.export.words import decimal, in_language
from tb2learn.export.working import reason
from tb2learn.text import plain, plain_number
from tb2learn.version import __version__

_WORDS = (
    "html.round", "doc.opponent", "doc.counts_as", "sheet.its_mp", "sheet.sum", "html.result",
    "html.place", "verdict.decides", "verdict.equal", "verdict.lowest", "verdict.rank",
    "verdict.unsure",
)  # fmt: skip
"""The keys of the texts that the script uses."""


def event_page(orders: Sequence[Standings]) -> str:
    """The page of an event, which works offline: its policy forbids all requests.

    **Arguments:** `orders`: the standings of one event by one or two orders, the first is shown
    first.

    **Returns:** the page, equal for equal standings. The element `data` holds `event_data` as JSON.

    **Raises:** `InputError` as `events.rank`.
    """
    templates, language = environment(), orders[0].language
    style = source(templates, "document.css") + source(templates, "event_page.css")
    script = source(templates, "event_page.js")
    return templates.get_template("event_page.html").render(
        documents=[in_language(standings_document(standings)) for standings in orders],
        names=[standings.name for standings in orders],
        language=language,
        words=orders[0].text,
        plain=plain,
        shown=cell_text,
        kind=kind,
        style=style,
        script=script,
        policy=policy(style, script),
        data=embedded(event_data(orders)),
        version=__version__,
    )


def event_data(orders: Sequence[Standings]) -> dict[str, Any]:
    """All that the script of a page shows; numbers are texts in the language of the page.

    **Arguments:** as for `event_page`.

    **Returns:** by key

    - `teams`, `remarks`: of every team its name, and what a list must mark.
    - `orders`: of every order its `name`, the `heads` of its criteria, the keys of the sentences in
      which each `decides`, `places` (numbers of teams, the first is first), `rows` by team (its
      place and scores), and the sentences that are `said` of a team and the next one, if these
      have equal points.
    - `columns`: `name` of the rule, the same with the pass as `title`, whether an opponent `counts`
      as something else than its points, whether it is the `last` pass, and `leads` an order.
    - `workings`: of every team its `sums` and `rounds`; a round is its number, the opponent's
      number (None for none), why it was not met, the opponent's points, the result, the values of
      all columns with spaces between, the numbers of the columns in which it is left out, and what
      the opponent counts as in those that `counts` marks, with spaces between.
    - `words`: texts by key.
    """
    first, numerals = orders[0], Numerals(orders[0])
    event = first.event
    all_workings = workings(first.ranking, range(len(event.teams)), _with_working(orders))
    columns, results = _columns(orders, all_workings), _results(event)
    # Most rules count an opponent by its points, which have a column already.
    counting = [k for k, column in enumerate(columns) if column["counts"]]
    return {
        "teams": [plain(name) for name in event.teams],
        "remarks": [plain(remark) for remark in remarks(event, first.language)],
        "orders": [*map(_order_data, orders)],
        "columns": columns,
        "workings": [
            {
                "sums": [*map(numerals, working.sums)],
                "rounds": [
                    [
                        str(item.round),
                        item.number,
                        reason(item, first.language),
                        numerals(item.opponent_mp),
                        # A round without a match has no score, but game points by the policy.
                        results.get((working.number, item.round)) or numerals(item.gp),
                        " ".join(map(numerals, item.values)),
                        [k for k, is_out in enumerate(item.left_out) if is_out],
                        " ".join(numerals(_short(item.counts_as[k])) for k in counting),
                    ]
                    for item in working.items
                ],
            }
            for working in all_workings
        ],
        "words": {key: first.text[key] for key in _WORDS},
    }


class Numerals:
    """Numbers as the language of some standings writes them."""

    def __init__(self, standings: Standings) -> None:
        self.text = standings.text

    def __call__(self, value: float | None) -> str:
        """The text of a number; empty for None."""
        return "" if value is None else decimal(cell_text(plain_number(value)), self.text)


def _columns(orders: Sequence[Standings], all_workings: Sequence[Working]) -> list[dict[str, Any]]:
    """The columns of all workings, see `event_data`."""
    names, passes = all_workings[0].rule_names, all_workings[0].passes
    # The last pass of a rule stands last.
    last = dict(zip(names, passes, strict=True))
    # What two teams are compared by: the first sum of each order.
    leading = {name for standings in orders for name in _sums(standings)[:1]}
    labels = {name: label for standings in orders for name, label in _labels(standings)}
    pass_number = orders[0].text["doc.pass_number"]
    columns = []
    for k, name in enumerate(names):
        label, is_last = plain(labels[name]), passes[k] == last[name]
        pass_title = pass_number.format(number=passes[k])
        columns.append(
            {
                "name": label,
                "title": f"{label}, {pass_title}" if last[name] > 1 else label,
                "counts": any(i.counts_as[k] is not None for w in all_workings for i in w.items),
                "last": is_last,
                "leads": is_last and name in leading,
            }
        )
    return columns


def _short(points: float | None) -> float | None:
    return None if points is None else round(points, 2)


def _with_working(orders: Sequence[Standings]) -> list[Criterion]:
    """The criteria of all orders that are sums over opponents, each rule once."""
    # Both orders end with the same criteria: their rules are worked out once.
    criteria = {
        c.rule.name: c for order in orders for c in order.ranking.criteria if has_working(c)
    }
    return [*criteria.values()]


def _sums(standings: Standings) -> list[str]:
    """The rules of an order that are sums over opponents."""
    return [c.rule.name for c in standings.ranking.criteria if has_working(c)]


def _labels(standings: Standings) -> Iterator[tuple[str, str]]:
    """The names of the rules of an order, and how the page calls them."""
    heads = standings.heads
    for criterion in standings.ranking.criteria:
        rule = criterion.rule
        name = heads[criterion.name] if criterion.entry else called(rule.name, standings.language)
        yield rule.name, name


def _results(event: TeamEvent) -> dict[tuple[int, int], str]:
    """Results of matches, such as `2½-1½`, by team and round (or by its matches in order)."""
    results: dict[tuple[int, int], str] = {}
    columns = [0] * len(event.teams)
    for match in event.matches:
        for team in match.teams:
            # A crosstable has no rounds: the next free column, as in the record of an event.
            columns[team] += 1
            if match.team_b is not None:
                column = match.round or columns[team]
                results[team, column] = result_of(match, team).replace("-", "\N{EN DASH}")
    return results


def _order_data(standings: Standings) -> dict[str, Any]:
    """What the script knows of an order, see `event_data`."""
    rows, numerals, heads = standings.ranking.rows, Numerals(standings), standings.heads
    kinds = {c.name: c.entry.shown for c in standings.ranking.criteria if c.entry}
    # The script finds a row by the number of its team.
    by_team = standings.ranking.row_of
    return {
        "name": plain(standings.name),
        "heads": [heads.get(name, standings.text["html.play_off"]) for name in rows[0].scores],
        "decides": [f"verdict.{kinds.get(name) or 'decides'}" for name in rows[0].scores],
        "places": standings.ranking.order,
        "rows": [[str(row.place), *map(numerals, row.scores.values())] for row in by_team],
        "said": _neighbours(standings),
    }


def _neighbours(standings: Standings) -> dict[int, str]:
    """What decides between neighbours on equal points, by the number of the first team."""
    heads = standings.heads
    pairs = [
        (row.number, after.number)
        for row, after in pairwise(standings.ranking.rows)
        if _is_decided(row, after, heads)
    ]
    # A verdict calls criteria as the terminal does, the page as its columns.
    sentences = (
        verdict_text(
            replace(verdict, criterion=heads[verdict.name]),
            standings.language,
            standings.event.individual,
            _isolated,
        )
        for verdict in verdicts(standings.ranking, pairs)
    )
    return {first: text for (first, _), text in zip(pairs, sentences, strict=True)}


def _isolated(name: str) -> str:
    """A name with its own writing direction inside a sentence."""
    return f"\N{FIRST STRONG ISOLATE}{plain(name)}\N{POP DIRECTIONAL ISOLATE}"


def _is_decided(row: StandingsRow, after: StandingsRow, criteria: Container[str]) -> bool:
    """Whether a criterion puts a row before the next one, which has as many points.

    A play-off, or lots, may decide instead, and an order that is not sure is a shared place.
    """
    # The points come first in every order.
    points, *_ = row.scores
    apart = next((name for name, score in row.scores.items() if after.scores[name] != score), "")
    return row.place != after.place and apart != points and apart in criteria
