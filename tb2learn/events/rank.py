"""Standings of a recorded event, and what changes from one rule to another.

Also how sure the order of tied neighbours is, and places shared below a probability.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from tb2learn.chess import WEAKEST_RULES, Weakest
from tb2learn.data import read_rows
from tb2learn.events.criteria import Completed, Criterion, FindRule, Order, evaluate, fide_order
from tb2learn.events.kind import free_day_notes, is_round_robin
from tb2learn.events.model import SCHEVENINGEN, SCHEVENINGEN_LISTS, TIEBREAKS, TeamEvent
from tb2learn.events.terms import Terms, terms
from tb2learn.events.unplayed.policies import policy, usual_policy
from tb2learn.events.unplayed.record import event_record
from tb2learn.text import plain, plain_number
from tb2learn.tiebreaks import library
from tb2learn.tiebreaks.confidence_map import Confidence, Spread, spread_of
from tb2learn.tiebreaks.library import heading
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, one_of, within


@dataclass(frozen=True)
class StandingsRow:
    """One row of the standings. Teams that are equal on every criterion share a place.

    **Fields:**

    - `place`: 1 for the first.
    - `team`: its name.
    - `scores`: by name of the criterion, in the order of the criteria.
    - `confidence`: probability that it is better than the next team, see `with_confidence`;
      None if that is not known, or the next team has other match points.
    - `others`: number of matches of others that decided its order with the next team, see
      `verdict.with_others`; None as for `confidence`.
    """

    place: int
    team: str
    scores: Mapping[str, float]
    confidence: float | None = None
    others: int | None = None


@dataclass(frozen=True)
class PlaceChange:
    """One team under two rules.

    **Fields:**

    - `team`, `mp`: its name and match points; the points of a player.
    - `old`, `new`: its rows of the two standings.
    - `tiebreaks`: its scores by what is named in the `headings` of the comparison, old and new.
    """

    team: str
    mp: int | float
    old: StandingsRow
    new: StandingsRow
    tiebreaks: tuple[float, float]

    @property
    def up(self) -> int:
        """Places gained under the new rule."""
        return self.old.place - self.new.place


@dataclass(frozen=True)
class Comparison:
    """An event under two rules.

    **Fields:**

    - `event`, `old_rule`, `new_rule`: names.
    - `rule`: the new rule; None for an order that no rule leads.
    - `teams`: sorted by old place.
    - `movers`: the teams that moved most places, at most ten, the biggest move first.
    - `first_place`: the teams with the most match points, by old place.
    - `headings`: the first sum over opponents of each order, else its last criterion.
    - `individual`: whether teams are single players.
    """

    event: str
    old_rule: str
    new_rule: str
    rule: Rule | None
    teams: tuple[PlaceChange, ...]
    movers: tuple[PlaceChange, ...]
    first_place: tuple[str, ...]
    headings: tuple[str, str]
    individual: bool = False

    @property
    def terms(self) -> Terms:
        """The words for it."""
        return terms(self.individual)


def complete(
    event: TeamEvent, unplayed: str | None = None, weakest: Weakest = "lowest-contribution"
) -> Completed:
    """Complete an event by a policy for unplayed rounds.

    **Arguments:** as for `rank`.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    one_of("weakest", weakest, WEAKEST_RULES)
    unplayed = usual_policy(event) if unplayed is None else unplayed
    record, chosen = event_record(event), policy(unplayed)
    return Completed(record, chosen, chosen.complete(record), weakest == "fewest-game-points")


def rank(
    event: TeamEvent,
    by: Rule | Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str | None = None,
    decided: Decided | None = None,
) -> tuple[StandingsRow, ...]:
    """Standings of an event.

    **Arguments:**

    - `event`: the event.
    - `by`: criteria, the first decides first; or a rule, which stands for the usual criteria with
      it (`usual_order`). Teams equal on every criterion are listed in start order.
    - `weakest`: which of several opponents with the fewest match points is left out first, one of
      `chess.WEAKEST_RULES`.
    - `unplayed`: the policy for unplayed rounds, one of `unplayed.policies.POLICIES`; the event's
      `usual_policy` if not given.
    - `decided`: what a play-off or lots decided before some of the criteria.

    **Returns:** one row per team, first place first.

    **Raises:** `InputError` if a rule is for another format, or has no meaning under the policy, or
    for an unknown name; for a play-off of somebody who is not tied.
    """
    criteria = usual_order(event, by) if isinstance(by, Rule) else tuple(by)
    completed = complete(event, unplayed, weakest)
    if decided is None:
        scores = evaluate(completed, criteria)
        shown = np.stack(
            [criterion.shown(scores[k], [*scores[:k]]) for k, criterion in enumerate(criteria)]
        )
        names = [criterion.name for criterion in criteria]
    else:
        scores, shown, names = _with_play_off(event, completed, criteria, decided)
    rows: list[StandingsRow] = []
    last = None
    # The last key decides first; equal teams keep the start order.
    for position, team in enumerate(np.lexsort(-scores[::-1])):
        key = tuple(scores[:, team].tolist())
        # Equal on all criteria: the place is shared.
        place = rows[-1].place if key == last else position + 1
        printed = shown[:, team].tolist()
        values = {name: rounded(x) for name, x in zip(names, printed, strict=True)}
        rows.append(StandingsRow(place, event.teams[team], values))
        last = key
    return tuple(rows)


@dataclass(frozen=True)
class Decided:
    """What a play-off or lots decided.

    **Fields:** `places`: by name, smaller first; `before`: the name of the criterion that it comes
    before; `name`: of its column.
    """

    places: Mapping[str, int]
    before: str
    name: str = "decided"


def _with_play_off(
    event: TeamEvent, completed: Completed, criteria: Sequence[Criterion], decided: Decided
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Scores, what is shown of them, and names, with a row for the play-off.

    The criteria after it compare those whom it left tied, as a direct encounter must.
    """
    names = [criterion.name for criterion in criteria]
    # Not before the points: a play-off is among those who are tied.
    if decided.before not in names[1:]:
        raise InputError(f"--before must be one of {', '.join(names[1:])}, got {decided.before}")
    at = names.index(decided.before)
    scores: list[np.ndarray] = []
    printed: list[np.ndarray] = []
    for k, criterion in enumerate(criteria):
        if k == at:
            # A play-off decides between those who are equal until then, and nobody else.
            tied = (np.array(scores)[:, :, None] == np.array(scores)[:, None, :]).all(axis=0)
            for team, name in enumerate(event.teams):
                if name in decided.places and tied[team].sum() == 1:
                    raise InputError(f"{name} is tied with nobody before {decided.before}")
            places = np.array([decided.places.get(name, 0) for name in event.teams], float)
            # Who did not take part comes after those who did.
            scores.append(np.where(places > 0, -places, -np.inf))
            printed.append(places)
        # `+ 0.0`: no minus before a zero.
        values = np.round(criterion.scores(completed, scores), 6) + 0.0
        printed.append(criterion.shown(values, [*scores]))
        scores.append(values)
    names.insert(at, decided.name)
    return np.stack(scores), np.stack(printed), names


def order_of(event: TeamEvent) -> Order:
    """How an event is ordered by lists of criteria."""
    round_robin = _has_list_of_round_robin(event)
    return Order(event.rounds, event.boards, event.individual, round_robin)


def usual_order(event: TeamEvent, rule: Rule) -> tuple[Criterion, ...]:
    """The criteria of an event with a rule after its points, see `Order.with_rule`."""
    return order_of(event).with_rule(rule)


def usual_rule(event: TeamEvent) -> str:
    """The rule that ranks an event if nobody names another one: FIDE's.

    For teams it is the product rule; in a round robin of teams, and for players, FIDE's list.
    """
    return "fide" if event.individual or is_round_robin(event) else "product"


def _has_list_of_round_robin(event: TeamEvent) -> bool:
    """Whether FIDE's list for round robins is used: in one, and where rounds are not known.

    That list alone needs neither rounds nor colours.
    """
    return is_round_robin(event) or (event.individual and not event.known_rounds)


def named_order(event: TeamEvent, name: str, find_rule: FindRule) -> tuple[Criterion, ...]:
    """The usual order of an event with a rule by name after its points; `fide` is FIDE's order.

    **Arguments:** `find_rule`: gives the rule of a name.

    **Raises:** `InputError` as `find_rule`.
    """
    if event.individual:
        return listed_order(event, f"points,{name},fide", find_rule)
    if name == "fide":
        if is_round_robin(event):
            return listed_order(event, name, find_rule)
        name = "product"
    if "," in name:
        raise InputError(f"one rule decides ties, got a list: --tiebreaks takes {name[:60]!r}")
    return usual_order(event, find_rule(name))


def listed_order(event: TeamEvent, text: str, find_rule: FindRule) -> tuple[Criterion, ...]:
    """The criteria of a list for an event, see `Order.listed`.

    **Raises:** `InputError` for a list that is none.
    """
    return order_of(event).listed(text, find_rule)


def recorded_list(
    event: TeamEvent, find_rule: FindRule, unplayed: str | None = None
) -> tuple[str | None, tuple[str, ...]]:
    """The list of tie-breaks that the record of an event has, as `listed_order` takes it.

    A code `OTHER_` and the name of a rule stands for that rule, as `values_trf` writes it; no
    path of a rule is taken from a file.

    **Arguments:** as `listed_order`; `unplayed`: as for `rank`.

    **Returns:** the list, None if the record has none, or one that cannot be computed; and a note
    on what is done, none without a list.
    """
    text = event.about.get(TIEBREAKS, "")
    if not text:
        return None, ()

    def named(name: str) -> Rule:
        # A file may come from anybody: it can name a rule, but no path.
        if not re.fullmatch("[a-z0-9-]+", name):
            raise InputError(f"{name} is no name of a rule")
        return find_rule(name)

    completed, names, scores = complete(event, unplayed), list[str](), list[np.ndarray]()
    for code in text.split(","):
        # FIDE's prefix for tie-breaks that it does not define.
        is_own = code.strip().upper().startswith("OTHER_")
        names.append(code.strip()[len("OTHER_") :].lower() if is_own else code)
        try:
            # One after the other, as each may depend on who is tied on those before it.
            criterion = listed_order(event, ",".join(names), named)[-1]
            scores.append(criterion.scores(completed, scores))
        except InputError:
            return None, (
                f"the file lists the tie-breaks {plain(text)}, of which {plain(code.strip())} is "
                "not computed here for this event: the usual order is used",
            )
    return ",".join(names), (
        f"the order is {origin_of_list(event)} {plain(text)}; --tiebreaks or --tiebreak overrules "
        "it",
    )


def origin_of_list(event: TeamEvent) -> str:
    """Whose the list of tie-breaks in an event's record is, as notes and findings call it."""
    is_one = SCHEVENINGEN in event.about.get("type", "").casefold()
    usual = is_one and event.about[TIEBREAKS] in SCHEVENINGEN_LISTS
    return "that of a Scheveningen," if usual else "the file's own list"


@cache
def _league_errors() -> dict[tuple[int, int], dict[str, float]]:
    """Shares of all ties decided wrongly, by teams and boards, then by rule.

    Source: `data/leagues.md`.
    """
    errors: dict[tuple[int, int], dict[str, float]] = {}
    for row in read_rows("leagues.csv"):
        if row["top"] == "all" and row["boards"] != "1":
            size = int(row["teams"]), int(row["boards"])
            errors.setdefault(size, {})[row["rule"]] = float(row["error"])
    return errors


PLAYERS_ROUND_ROBIN = (
    "all players meet the same opponents (a round robin): their points are nearly all that the "
    "results tell; share the place or play off"
)
"""The note on a round robin of players."""


def round_robin_notes(event: TeamEvent) -> tuple[str, ...]:
    """What tie-breaks are worth in a round robin of three or more, as a note; none on other events.

    In one of players everybody was drawn against everybody, all equally often; in one of teams they
    also met over the board. The figures of teams are those of the simulated league that is most
    like the event.
    """
    if not is_round_robin(event):
        return ()
    paid = free_day_notes(event)
    if event.individual:
        return (PLAYERS_ROUND_ROBIN, *paid)
    errors = _league_errors()
    # Twice as many teams are as far as half as many; boards weigh double.
    teams, boards = min(
        errors,
        key=lambda size: (
            2 * abs(math.log(event.boards / size[1])) + abs(math.log(len(event.teams) / size[0]))
        ),
    )
    wrong = errors[teams, boards]
    return (
        "all teams meet the same opponents: what opponents scored says little of a team. In "
        f"simulated leagues of {teams} teams and {boards} boards Sonneborn-Berger on match points "
        f"decided {wrong['emmsb']:.0%} of the ties wrongly, as lots do, game points "
        f"{wrong['game-points']:.0%} (python -m studies.formats)",
        *paid,
    )


def criteria_notes(event: TeamEvent, criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """Notes on a list of criteria that is unusual: no points first, Buchholz in a round robin."""
    notes: list[str] = []
    if criteria and criteria[0].name not in _POINTS_FIRST:
        name = _code_of(criteria[0])
        notes.append(f"the first criterion, {name}, is no points: places do not follow the points")
    # Sums of what opponents scored, by articles 8.1 to 8.3.
    sums = [c for c in criteria if c.entry and c.entry.source.startswith(("8.1", "8.2", "8.3"))]
    if sums and is_round_robin(event):
        names = ", ".join(map(_code_of, sums))
        notes.append(
            f"{names} in a round robin: sums of what opponents scored are made for Swiss events; "
            "here all meet the same opponents, so that they say nothing of who is better"
        )
    return tuple(notes)


_POINTS_FIRST = ("points", "mp", "gp")
"""Criteria that a list usually begins with."""


def _code_of(criterion: Criterion) -> str:
    """FIDE's code of a criterion, else its name as standings head it."""
    parts = criterion.rule.parts
    return (parts[0].code if len(parts) == 1 else "") or heading(criterion.name)


def unplayed_notes(event: TeamEvent, by: Rule | Sequence[Criterion]) -> tuple[str, ...]:
    """Notes on the rules that no policy changes, and on learned ones where matches are open.

    None for an event without unplayed rounds.
    """
    if event_record(event).played.all():
        return ()
    criteria = usual_order(event, by) if isinstance(by, Rule) else by
    entries = [part.entry for criterion in criteria for part in criterion.rule.parts]
    learned = [
        criterion.rule.name for criterion in criteria if criterion.rule.learned and event.open
    ]
    rescaled = (
        f"{name}: the sum over the rounds in which a team has no open match, times all rounds by "
        "these; of the ways tried it is wrong least often"
        for name in learned
    )
    return (*library.unplayed_notes(entries, event.individual), *rescaled)


def scores(event: TeamEvent, by: Rule | Sequence[Criterion]) -> tuple[np.ndarray, np.ndarray]:
    """Match points of every team, and TB2 under a rule, with the default policy.

    Of a list of criteria the place stands for TB2, the first the greatest.
    """
    completed = complete(event)
    if isinstance(by, Rule):
        # Behind the match points.
        return completed.own, evaluate(completed, fide_order(by)[1:2])[0]
    places = {row.team: row.place for row in rank(event, by)}
    return completed.own, -np.array([places[team] for team in event.teams], float)


def compare(
    event: TeamEvent,
    old: Rule | Sequence[Criterion],
    new: Rule | Sequence[Criterion],
    weakest: Weakest = "lowest-contribution",
    unplayed: str | None = None,
    names: tuple[str, str] | None = None,
) -> Comparison:
    """Compare two standings of an event.

    **Arguments:**

    - `event`: the event.
    - `old`, `new`: as `by` of `rank`.
    - `weakest`, `unplayed`: as for `rank`.
    - `names`: of both; those of the rules if not given.

    **Raises:** as `rank`.
    """
    orders = [usual_order(event, by) if isinstance(by, Rule) else by for by in (old, new)]
    # Teams stand in the order of the old rule, with the place of the new one beside.
    before = rank(event, orders[0], weakest, unplayed)
    after = {row.team: row for row in rank(event, orders[1], weakest, unplayed)}
    # Behind the points, which are no tie-break.
    deciding = [
        next((criterion for criterion in order[1:] if criterion.has_working), order[-1])
        for order in orders
    ]
    points, (first, second) = orders[0][0].name, [criterion.name for criterion in deciding]
    teams = tuple(
        PlaceChange(
            *(row.team, plain_number(row.scores[points]), row, after[row.team]),
            (row.scores[first], after[row.team].scores[second]),
        )
        for row in before
    )
    headings = names or (deciding[0].rule.name, deciding[1].rule.name)
    movers = sorted((t for t in teams if t.up), key=lambda t: (-abs(t.up), t.old.place))
    return Comparison(
        event=event.name,
        old_rule=headings[0],
        new_rule=headings[1],
        rule=new if isinstance(new, Rule) else None,
        teams=teams,
        movers=tuple(movers[:10]),
        first_place=tuple(t.team for t in teams if t.mp == teams[0].mp),
        headings=(deciding[0].rule.name, deciding[1].rule.name),
        individual=event.individual,
    )


def rounded(value: float) -> float:
    """A score as it is shown, with at most four decimals."""
    return round(float(value), 4) + 0.0  # `+ 0.0`: no minus before a zero


def deciding_rule(criteria: Sequence[Criterion]) -> Rule:
    """The rule that decides between teams on equal match points.

    **Raises:** `InputError` if the criteria do not begin with match points and a rule.
    """
    if len(criteria) > 1 and criteria[0].name == "mp":
        entry = criteria[1].entry
        # What is known in lists alone, such as game points of standings, is no rule.
        if entry is None or entry.known_in == "rules":
            return criteria[1].rule
    raise InputError(
        "confidence is that of a rule: rank teams by match points, a rule, and what follows"
    )


def with_confidence(
    rows: Sequence[StandingsRow], confidence: Confidence, below: float = 0.5
) -> tuple[StandingsRow, ...]:
    """Standings with the probability that each team is better than the next one on equal points.

    **Arguments:**

    - `rows`: standings by match points, then the rule of `confidence`, and what follows.
    - `confidence`: of the `deciding_rule`, for the event (`Confidence.at`).
    - `below`: a team shares the place of the team that leads the shared place if the order of both
      has a smaller probability, 0.5 .. 1.

    **Returns:** the rows with `confidence`; None where the next team has other match points, or
    there is none.

    **Raises:** `InputError` for match points beyond the rule's, or another `below`.
    """
    within("share_below", below, 0.5, 1)
    sure_rows: list[StandingsRow] = []
    leader = rows[0]
    for index, row in enumerate(rows):
        # With the leader: neighbours alone could chain a whole group into one place.
        # Only neighbours on equal points can share a place.
        if _tied(leader, row) and (index == 0 or _sure(confidence, leader, row) < below):
            # The order is too unsure to be shown: the place is that of the leader.
            place = leader.place
        else:
            leader, place = row, row.place
        after = rows[index + 1] if index + 1 < len(rows) else None
        # Of the last one of a score group there is nothing to say.
        sure = _sure(confidence, row, after) if after and _tied(row, after) else None
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
    for of_what, name, games in (
        ("teams end {} points from the average", "variance", event.rounds * event.boards),
        ("matches end {} points from what strengths say", "noise", event.boards),
    ):
        apart, low, high = (
            math.sqrt(getattr(spread, name) * games) / 2 for spread in (here, least, most)
        )
        if not low <= apart <= high:
            lines.append(
                f"the confidence was not tried for such a field: {of_what.format(f'{apart:.1f}')} "
                f"here, and {low:.1f} to {high:.1f} in the events that it was fitted to"
            )
    return lines


def medal_lines(rows: Sequence[StandingsRow], heads: Mapping[str, str] | None = None) -> list[str]:
    """How sure the order of the first three and their followers on equal points is.

    **Arguments:** `heads`: what criteria are called, where not as on paper.
    """
    return [
        f"{row.team} before {next_row.team}: {row.confidence:.0%}"
        f"{_what_decides(row, next_row, heads)}"
        for row, next_row in pairwise(rows[:4])
        if row.confidence is not None
    ]


def equal_line(rows: Sequence[StandingsRow], heads: Mapping[str, str] | None = None) -> list[str]:
    """A line that says what 50 % means where the deciding rule's scores are equal; none if not.

    **Arguments:** `heads`: as for `medal_lines`.
    """
    tied = (pair for pair in pairwise(rows) if pair[0].confidence is not None)
    if not any(_equal(*pair) for pair in tied):
        return []
    rule = list(rows[0].scores)[1]
    return [
        f"50% where {_head(rule, heads)} is equal, too: it does not say which team is better, "
        "and what follows it decides the place"
    ]


def _head(name: str, heads: Mapping[str, str] | None) -> str:
    return (heads or {}).get(name, heading(name))


def _what_decides(one: StandingsRow, other: StandingsRow, heads: Mapping[str, str] | None) -> str:
    """What orders two teams whose scores of the deciding rule are equal; else empty."""
    if not _equal(one, other):
        return ""
    rule, *further = list(one.scores)[1:]
    decides = (name for name in further if one.scores[name] != other.scores[name])
    name, then = next(decides, None), "they share a place"
    if name and one.place != other.place:
        then = f"{_head(name, heads)} decides"
    return f" (equal {_head(rule, heads)}: {then})"


def _equal(one: StandingsRow, other: StandingsRow) -> bool:
    """Whether the scores of the deciding rule are equal."""
    second = list(one.scores)[1]
    return one.scores[second] == other.scores[second]


def _tied(one: StandingsRow, other: StandingsRow) -> bool:
    return one.scores["mp"] == other.scores["mp"]


def _sure(confidence: Confidence, one: StandingsRow, other: StandingsRow) -> float:
    points = one.scores["mp"]
    # A penalty may lead to half a point or below 0, for which nothing was fitted.
    if points != int(points) or not 0 <= points < len(confidence.scale):
        raise InputError(
            f"{one.team} has {points:g} match points; the confidence of {confidence.rule} reaches "
            f"from 0 to {len(confidence.scale) - 1}"
        )
    second = list(one.scores)[1]
    return float(confidence.probability(int(points), one.scores[second] - other.scores[second]))
