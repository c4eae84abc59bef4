"""Why one of two teams is before the other, and which result of others would have turned it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from tb2learn.events.criteria import evaluate
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match
from tb2learn.events.ranking import PlayOff, Ranking, StandingsRow, rounded
from tb2learn.shapes import Float
from tb2learn.text import written_halves
from tb2learn.tiebreaks.library import Shown
from tb2learn.types import InputError


@dataclass(frozen=True)
class OtherResult:
    """A result that a match did not have.

    **Fields:** `first`, `second`: the names of both sides, the winner first; `drawn`: whether it is
    a draw; `scores`: those of a win, such as `3-1`; empty if every score would do.
    """

    first: str
    second: str
    drawn: bool
    scores: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turning:
    """A match whose other result would have turned the order of two teams that did not play it.

    **Fields:** `first`, `second`: the names of both sides; `score`: as played, such as `2½-1½`;
    `others`: the results that would have turned the order.
    """

    first: str
    second: str
    score: str
    others: tuple[OtherResult, ...]


@dataclass(frozen=True)
class Verdict:
    """The order of two teams; `export.verdict_words` says it in sentences.

    **Fields:**

    - `first`, `second`: their names.
    - `criterion`: the heading of what decides; empty if they are equal on everything.
    - `scores`: of both, under that criterion, as standings print them.
    - `tied_on`: whether they are equal on the points, so that a tie-break decides.
    - `name`: of the criterion, as in a list; empty as `criterion`.
    - `shown`: what the scores are: `rank` and `lowest` as `library.Shown` has them.
    - `turning`: the deciding matches of others in the last round.
    - `tried`: whether such results were looked for.
    """

    first: str
    second: str
    criterion: str
    scores: tuple[float, float]
    tied_on: bool
    name: str = ""
    shown: Shown = ""
    turning: tuple[Turning, ...] = ()
    tried: bool = False


@dataclass(frozen=True)
class Change:
    """Another score of a match of the last round, one step (win, draw, loss) from the played one.

    **Fields:** `match`; `half_points`: of its first side; `scores`: of all teams, with this score
    and everything else as played.
    """

    match: Match
    half_points: int
    scores: Float[np.ndarray, "criteria teams"]

    @property
    def outcome(self) -> int:
        """1 if the first side wins, 0 for a draw, -1."""
        return int(np.sign(self.half_points - self.match.boards_decided))


def changes(ranking: Ranking) -> tuple[Change, ...]:
    """Every change of a match played in the last round by one step; `docs/method.md` defines it."""
    event, completed = ranking.event, ranking.completed
    record, outcomes = completed.record, list[Change]()
    for match in event.matches:
        # Only the last round could have been played otherwise without other pairings after it.
        if match.round != event.rounds or not match.played:
            continue
        teams, whole = list(match.teams), 2 * match.boards_decided
        was = np.sign(match.half_points_a - match.half_points_b)
        # All results of the boards that were decided; forfeits of both sides stay as they are.
        for scored in (np.array([half, whole - half]) for half in range(whole + 1)):
            outcome = np.sign(scored - match.boards_decided)
            if abs(outcome[0] - was) != 1:  # from a win to a loss is two steps
                continue
            # The record of the event is shared, so what is changed is a copy.
            after = replace(record, gained=record.gained.copy(), scored=record.scored.copy())
            # 1, 0, -1 as places in won, drawn, lost.
            after.gained[-1, teams] = np.array(record.scoring)[1 - outcome]
            after.scored[-1, teams] = scored
            # Another result may change what unplayed rounds of others count for.
            seen = replace(
                completed, record=after, completed_items=completed.policy.complete(after)
            )
            outcomes.append(Change(match, int(scored[0]), evaluate(seen, ranking.criteria)))
    return tuple(outcomes)


def _leads(values: Float[np.ndarray, "criteria 2"]) -> tuple[int, int]:
    """The deciding criterion of two teams, and who leads: 0 or 1; -1 for nobody."""
    apart = np.flatnonzero(values[:, 0] != values[:, 1])
    if not len(apart):
        return len(values) - 1, -1
    return int(apart[0]), int(values[apart[0], 1] > values[apart[0], 0])


def deciding(
    tried: Sequence[Change], scores: Float[np.ndarray, "criteria teams"], teams: tuple[int, int]
) -> list[list[Change]]:
    """The deciding matches of two teams, by match its changes that turn their order.

    **Arguments:** `tried`, `scores`: all changes of the event, and what was played.
    """
    pair = list(teams)
    # Turned is an order in which another one leads, or nobody.
    leader = _leads(scores[:, pair])[1]
    turning = [
        change
        for change in tried
        if not {*teams} & {*change.match.teams} and _leads(change.scores[:, pair])[1] != leader
    ]
    return [list(group) for _, group in groupby(turning, lambda change: change.match)]


def verdict(ranking: Ranking, teams: tuple[int, int]) -> Verdict:
    """What decides between two teams, and which matches of others would have turned it.

    **Arguments:** `teams`: their numbers, in either order.
    """
    return verdicts(ranking, [teams])[0]


def verdicts(ranking: Ranking, pairs: Sequence[tuple[int, int]]) -> tuple[Verdict, ...]:
    """The verdict on every one of some pairs of teams, for which other results are tried once.

    What a play-off decided is left out: a verdict is on what was played.

    **Arguments:** `pairs`: numbers of two teams each.
    """
    event, criteria, scores = ranking.event, ranking.criteria, ranking.played
    decided = [_leads(scores[:, list(pair)]) for pair in pairs]
    # Only a tie-break can be turned by matches of others, and only in a last round that is known.
    is_tied = [event.known_rounds and decides > 0 and lead >= 0 for decides, lead in decided]
    tried = changes(ranking) if any(is_tied) else ()
    verdicts: list[Verdict] = []
    for pair, (decides, leader), tied in zip(pairs, decided, is_tied, strict=True):
        if leader < 0:
            equal, other = (event.teams[team] for team in pair)
            verdicts.append(Verdict(equal, other, "", (0.0, 0.0), True))
            continue
        ordered = list(pair[::-1] if leader else pair)
        first, second = (event.teams[team] for team in ordered)
        criterion = criteria[decides]
        # As standings print it: a rank for an encounter, a start number without its sign.
        printed = criterion.shown(scores[decides], [*scores[:decides]])
        high, low = map(rounded, printed[ordered])
        shown = criterion.entry.shown if criterion.entry else ""
        on_scores = Verdict(
            first,
            second,
            criterion.label,
            (high, low),
            decides > 0,
            criterion.name,
            shown,
        )
        if tied:
            turning = deciding(tried, scores, pair)
            on_scores = replace(
                on_scores,
                turning=tuple(turning_match(event, flips) for flips in turning),
                tried=True,
            )
        verdicts.append(on_scores)
    return tuple(verdicts)


def with_others(ranking: Ranking) -> tuple[StandingsRow, ...]:
    """Standings with the number of deciding matches of every team and the next one.

    **Returns:** the rows with `others`; None where the next team has other points or is equal on
    all criteria, where a play-off decided, or there is none.

    **Raises:** `InputError` for an event without rounds.
    """
    event = ranking.event
    if not event.known_rounds:
        raise InputError(f"{event.name} is recorded without rounds: none of them is the last")
    tried, played = changes(ranking), ranking.played

    def matches(pair: tuple[int, int]) -> int | None:
        decides, leader = _leads(ranking.scores[:, list(pair)])
        if not decides or leader < 0 or isinstance(ranking.steps[decides], PlayOff):
            return None
        return len(deciding(tried, played, pair))

    counts = [*map(matches, pairwise(ranking.order)), None]
    return tuple(
        replace(row, others=count) for row, count in zip(ranking.rows, counts, strict=True)
    )


def turning_match(event: TeamEvent, turning: Sequence[Change]) -> Turning:
    """A match, and which of its other results would have turned an order.

    **Arguments:** `turning`: its changes that do.
    """
    match = turning[0].match
    a, b = (event.teams[team] for team in match.teams)
    others = []
    for outcome, same_outcome in groupby(turning, lambda change: change.outcome):
        scores = [change.half_points for change in same_outcome]
        if not outcome:
            others.append(OtherResult(a, b, drawn=True))
            continue
        first, second = (a, b) if outcome > 0 else (b, a)
        won = [2 * match.boards_decided - half if outcome < 0 else half for half in scores]
        # The score is named only if not every win would do.
        some_only = len(won) < match.boards_decided
        named = (
            tuple(_score_of(half, 2 * match.boards_decided - half) for half in sorted(won))
            if some_only
            else ()
        )
        others.append(OtherResult(first, second, drawn=False, scores=named))
    return Turning(a, b, result_of(match, match.team_a), tuple(others))


def result_of(match: Match, team: int) -> str:
    """The score of a match as one of its two teams sees it, such as `2½-1½`."""
    scored = match.half_points_a, match.half_points_b
    return _score_of(*(scored if team == match.team_a else scored[::-1]))


def _score_of(half_points: int, of_opponent: int) -> str:
    return f"{written_halves(half_points)}-{written_halves(of_opponent)}"
