"""Standings as a page for the wall: places under two rules side by side, and what the columns mean.

Match points and game points stand under MP and GP. The other criteria of teams are numbered by the
order in which they decide, as the regulations of Olympiads do: TB2 comes second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tb2learn.events import Criterion, Ranked, TeamEvent
from tb2learn.events.files.fields import Aside
from tb2learn.events.files.source import DATES
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.terms import terms
from tb2learn.export.document import Cell, Document, Grid, Sentences
from tb2learn.export.standings import order_line, percent
from tb2learn.export.words import note_lines, shown_name, words
from tb2learn.text import number
from tb2learn.tiebreaks.library import Modifiers
from tb2learn.tiebreaks.names import Named
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

_MOST_MOVERS = 10
_UP, _DOWN = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"


@dataclass(frozen=True)
class Standings:
    """Standings to hang on the wall."""

    event: TeamEvent  # what was played
    criteria: Sequence[Criterion]  # what decides, in order
    rows: Sequence[Ranked]  # the standings by these
    unplayed: str  # the policy for unplayed rounds
    # the rule of another order, and the standings by it; None for none. Where both agree on every
    # place the page says so instead of showing its columns
    beside: tuple[Rule, Sequence[Ranked]] | None = None
    notes: Sequence[str] = ()  # on how the event was read and decided, one line each, in English
    # teams share a place where their order is less probable; None if they do not
    share_below: float | None = None
    language: str = "en"  # one of `forms.LANGUAGES`
    league: bool = False  # whether a crosstable stands below
    title: str = ""  # of the page, instead of the name of the event

    @property
    def text(self) -> Mapping[str, str]:
        """The words for who is ranked."""
        return words(self.language, self.event.individual)

    @property
    def other(self) -> dict[str, Ranked]:
        """The rows of the other order, by name; empty for none, or if it moves nobody."""
        found = {row.team: row for row in self.beside[1]} if self.beside else {}
        return found if any(found and found[r.team].place != r.place for r in self.rows) else {}

    @property
    def beside_score_is_new(self) -> bool:
        """Whether the score of the other rule is not shown as a criterion of this order, too."""
        rules = {one.rule.name for one in self.criteria}
        return self.beside is not None and self.beside[0].name not in rules

    @property
    def place_by(self) -> str:
        """The head of the places of the other order."""
        return self.text["wall.place_by"].format(name=self.beside_name)

    @property
    def beside_name(self) -> str:
        """The name of the other rule."""
        assert self.beside is not None
        rule, _ = self.beside
        return rule.asked or shown_name(rule, self.language)


def deciding_notes(event: TeamEvent, criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """The notes on the reading of an event that could change a place under some criteria."""
    needs = {part.entry.needs for one in criteria for part in one.rule.parts} - {""}
    return tuple(n for n in event.notes if not isinstance(n, Aside) or n.unless in needs)


_Column = tuple[str, Callable[[Ranked], Cell], bool]
"""A column of the page: its head, what it shows of a team, and whether that is a name."""


def standings_document(standings: Standings) -> Document:
    """The page for the wall: places first; the rule, the edition and notes at the foot."""
    event, rows, text = standings.event, standings.rows, standings.text
    played = f"{event.rounds} / {event.planned}" if event.planned > event.rounds else event.rounds
    size = text["wall.size"].format(teams=len(event.teams), boards=event.boards)
    facts = (
        *((text["wall.date"], date) for date in [_date(event)] if date),
        (text["wall.after"], str(played)),
        (text["wall.teams"], size),
    )
    parts: list[Grid | Sentences] = [
        Sentences("", (_meanings(standings),)),
        _grid("", standings, rows, standings.criteria[0].name),
    ]
    if standings.league:
        parts.append(_crosstable(standings))
    if other := standings.other:
        moved = [row for row in rows if other[row.team].place != row.place]
        moved.sort(key=lambda row: (-abs(other[row.team].place - row.place), row.place))
        parts.append(_grid(text["wall.moved_most"], standings, moved[:_MOST_MOVERS]))
    decides = order_line(event, standings.unplayed, standings.criteria)
    unplayed = ": ".join(policy_fact(standings.unplayed, standings.language))
    foot = (decides, *_legend(standings), f"{unplayed}.", *standings.notes)
    title = standings.title or event.name
    return Document(
        title, facts, tuple(parts), standings.language, Sentences(text["wall.decides"], foot)
    )


def _date(event: TeamEvent) -> str:
    """When an event was played, as its record says it."""
    days = (event.about.get(key, "").replace("/", "-") for key in DATES)
    return " \N{EN DASH} ".join(dict.fromkeys(filter(None, days)))


def _meanings(standings: Standings) -> str:
    """What the heads of the columns stand for, in a line."""
    text, said = standings.text, []
    for head, one in _headed(standings):
        short = {"mp": "wall.short_mp", "gp": "wall.short_gp"}.get(one.name, "wall.short_tb2")
        if one.name != "points":  # of players, whose head is a word
            said.append(f"{head}: {text[short].format(number=head.removeprefix('TB'))}")
    return ", ".join(said)


MOST_IN_CROSSTABLE = 24
"""Teams of which a crosstable fits across a page."""


def _crosstable(standings: Standings) -> Grid:
    """Game points of every team against every other, in the order of the standings.

    **Raises:** `InputError` for more teams than fit across a page.
    """
    event = standings.event
    if len(event.teams) > MOST_IN_CROSSTABLE:
        many = terms(event.individual).many
        raise InputError(
            f"a crosstable on paper is for at most {MOST_IN_CROSSTABLE} {many}, "
            f"{event.name} has {len(event.teams)}: leave --league out"
        )
    order = [event.teams.index(row.team) for row in standings.rows]
    results = {(team, team): ["*"] for team in order}
    for match in event.matches:
        for team in match.teams if match.team_b is not None else ():
            other = match.opponent_of(team)
            assert other is not None
            _, half = match.points_of(team)
            results.setdefault((team, other), []).append(str(number(half / 2)))
    rows = []
    for row, team in zip(standings.rows, order, strict=True):
        cells = (" ".join(results.get((team, other), ())) for other in order)
        rows.append((row.place, row.team, *cells))
    heads = ("", "", *(str(place + 1) for place in range(len(order))))
    return Grid("", heads, tuple(rows), names=frozenset({1}), together=True)


def policy_fact(unplayed: str, language: str) -> tuple[str, str]:
    """What unplayed rounds count for: label and text."""
    text = words(language)
    return text["doc.unplayed"], f"{unplayed}: {text[f'policy.{unplayed}']}"


def _columns(standings: Standings) -> list[_Column]:
    """The columns in order; those of other facts than places and scores only if some are known."""
    text, other = standings.text, standings.other
    columns: list[_Column] = [
        (text["doc.place"], lambda row: row.place, False),
        (text["doc.team"], lambda row: row.team, True),
    ]
    for head, one in _headed(standings):
        columns.append((head, lambda row, name=one.name: number(row.scores[name]), False))
    if any(row.confidence is not None for row in standings.rows):
        columns.append((text["wall.next"], lambda row: percent(row.confidence), False))
    if other:
        columns += [
            (standings.place_by, lambda row: other[row.team].place, False),
            (text["wall.moved"], lambda row: _arrow(other[row.team].place - row.place), False),
        ]
    if other and standings.beside_score_is_new:
        head = text["wall.tb2_by"].format(name=standings.beside_name)
        columns.append((head, lambda row: number(list(other[row.team].scores.values())[1]), False))
    event, numbers = standings.event, {name: n for n, name in enumerate(standings.event.teams)}
    facts = [
        ("wall.title", [one.title for one in event.players if event.individual], True),
        ("wall.federation", _federations(event), True),
        ("wall.rating", _ratings(event), False),
        ("wall.start", event.starts, False),
    ]
    for key, cells, is_name in facts:
        if any(cells):
            columns.append((text[key], lambda row, cells=cells: cells[numbers[row.team]], is_name))
    return columns


def _federations(event: TeamEvent) -> list[str]:
    """The federation of every player; of a team that of all its players, if they have one."""
    found: list[set[str]] = [set() for _ in event.teams]
    for player in event.players:
        found[player.team] |= {player.federation} - {""}
    return [next(iter(one)) if len(one) == 1 else "" for one in found]


def _ratings(event: TeamEvent) -> list[Cell]:
    """The rating of every player, the mean rating of every team; empty for none."""
    known = [p.rating for p in event.players] if event.individual else event.mean_ratings
    return [round(rating) if rating else "" for rating in known]


_POINTS = "doc.mp"
"""The key of the head of the points."""


def _headed(standings: Standings) -> list[tuple[str, Criterion]]:
    """The criteria with their heads; of players the points are not counted among the tie-breaks."""
    names = {"mp": standings.text[_POINTS], "points": standings.text[_POINTS]}
    if not standings.event.individual:
        names["gp"] = standings.text["doc.gp"]
    breaks, headed = 0, []
    for one in standings.criteria:
        breaks += one.name != "points"
        headed.append((names.get(one.name, f"TB{breaks}"), one))
    return headed


def _arrow(up: int) -> str:
    """Places gained under the rule of the page."""
    if not up:
        return "="
    return f"{_UP}{up}" if up > 0 else f"{_DOWN}{-up}"


def _grid(heading: str, standings: Standings, rows: Sequence[Ranked], group: str = "") -> Grid:
    """A table of teams; a line above every group of teams equal on the criterion `group`."""
    heads, shown, are_names = zip(*_columns(standings), strict=True)
    scores = [row.scores[group] for row in rows] if group else []
    return Grid(
        heading,
        heads,
        tuple(tuple(of(row) for of in shown) for row in rows),
        names=frozenset(k for k, is_name in enumerate(are_names) if is_name),
        ruled=frozenset(n for n in range(1, len(scores)) if scores[n] != scores[n - 1]),
        together=not group,
    )


def _legend(standings: Standings) -> list[str]:
    event, language, text = standings.event, standings.language, standings.text
    headed = _headed(standings)
    lines = [f"{head}: {meaning(one, event, language)}" for head, one in headed]
    if standings.other and standings.beside:
        lines.append(
            text["wall.by_means"].format(
                head=standings.place_by, moved=text["wall.moved"], up=_UP, down=_DOWN
            )
        )
        lines += note_lines(standings.beside[0], language, len(event.teams))
    elif standings.beside:
        lines.append(text["wall.same"].format(name=standings.beside_name))
    if any(row.confidence is not None for row in standings.rows):
        lines.append(text["wall.next_means"].format(head=text["wall.next"], rule=headed[1][0]))
    lines.append(text["wall.shared"])
    if standings.share_below is not None:
        lines.append(text["wall.shared_below"].format(percent=f"{standings.share_below:g}%"))
    return lines


def meaning(one: Criterion, event: TeamEvent, language: str = "en") -> str:
    """What a criterion is, in a sentence for the legend of standings.

    The scoring of the event is named, and what the use of a rule in such a field costs. The
    criteria of players are explained in English.
    """
    text, rule = words(language, event.individual), one.rule
    said = _rule_meaning(rule, text)
    if one.entry:
        said = named_meaning(rule.parts[0], text, event.scoring, event.individual)
    if one.entry and event.individual:
        return said
    if one.entry and one.entry.known_in == "rules":
        said = f"{rule.name}: {said}"
    return " ".join((said, *note_lines(rule, language, len(event.teams))))


def named_meaning(
    named: Named,
    text: Mapping[str, str],
    scoring: tuple[int, int, int] = STANDARD_SCORING,
    individual: bool = False,
) -> str:
    """What a tie-break of the library is: translated if the documents have it, else in English."""
    entry, low, high = named.entry, named.asked.low, named.asked.high
    if individual or not entry.words or named.asked != Modifiers(low, high):
        return entry.says(individual, named.asked)
    won, drawn, lost = scoring
    cuts = ((text["wall.low"], low), (text["wall.high"], high))
    out = ", ".join(cut.format(number=number) for cut, number in cuts if number)
    said = text[entry.words].format(won=won, drawn=drawn, lost=lost).removesuffix(".")
    return f"{said}{f' ({out})' if out else ''}."


def _rule_meaning(rule: Rule, text: Mapping[str, str]) -> str:
    if rule.name == "product":
        return text["wall.product"]
    if rule.constants:
        kind = text["wall.expected"]
    elif rule.in_passes:
        kind = text["wall.hundredths"]
    elif rule.has_tables:
        kind = text["wall.difficulty"]
    else:
        return f"{rule.name}."
    return f"{rule.name}: {kind}. {text['wall.within']}"
