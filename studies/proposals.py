"""Proposals for unplayed rounds, from papers for FIDE's Technical Commission of October 2017.

Ricca; Vereshchagin; Ucarcus; Anantharam. They count games as 1, 1/2, 0. Here a round is a match, so
each formula is applied twice: to match points (a drawn match is 1) and to game points (a drawn
match is half of the boards). `draw` is the number of points for a drawn round, in any unit.

Where the papers define nothing, all proposals do the same:

- A result without a game counts as recorded. For example a bye of the Olympiad counts as a drawn
  match, which is what it pays.
- Rounds are those completed, so an unfinished event is taken as it stands.
- A team has retired after a round if it was absent (not paired, or with a bye that pays nothing) in
  all later rounds, even if that is only the last one.
- A match won by default against a team that the record does not name is a bye.
- `Policy.left_out` defines which of several equal items a cut leaves out.
- A mean over the opponents of a team without a game is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Float, Int, Num

from tb2learn.chess.items import Cut, Items, left_out, lowest
from tb2learn.chess.rating_tables import PERCENT, expected_hundredths
from tb2learn.events.unplayed.policies import POLICIES as REGULATIONS
from tb2learn.events.unplayed.policy import (
    WIN,
    Filled,
    OneFormula,
    Points,
    Policy,
    Rounds,
    before_round,
    real_opponents,
)
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.types import BYE


@dataclass(frozen=True)
class MoreItems(Items):
    """Items with what only a proposal asks for.

    **Fields:**

    - `opponent_games`: rounds that the opponent really played.
    - `alone_points`: match points that the opponent counts as in a sum of match points alone
      (Buchholz); other ones than in a product with a result.
    """

    opponent_games: Int[np.ndarray, "teams rounds"] | None = None
    alone_points: Num[np.ndarray, "teams rounds"] | None = None


def _more(items: Items, **more: np.ndarray) -> MoreItems:
    return MoreItems(**{field.name: getattr(items, field.name) for field in fields(items)}, **more)


class Proposal(Policy):
    """A policy whose total is no plain sum of items.

    **Fields:** `opponents_only`: whether it is defined for the sum of the opponents' points alone.
    """

    opponents_only = False

    def after_cut(self, record: Record, items: Items, left_out: Rounds) -> Items:
        """The items after a cut; for policies whose items depend on those left out."""
        return items

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"] | float:
        """The factor of the sum of the items that remain, if the policy takes means."""
        return 1.0


def quotient(
    points: Num[np.ndarray, "*#batch"] | float | np.number,
    games: Num[np.ndarray, "*#batch"] | float | np.number,
) -> Float[np.ndarray, "*batch"]:
    """Points per game; 0 without a game."""
    points, games = np.asarray(points, float), np.asarray(games)
    return np.divide(
        points, games, out=np.zeros(np.broadcast(points, games).shape), where=games != 0
    )


def expected_score(difference: Num[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch"]:
    """FIDE's expected score for a rating difference, 0.08..0.92.

    The difference is rounded to whole points (halves up) and cut at 400.
    """
    size = np.floor(np.minimum(np.abs(difference), 400) + 0.5)
    hundredths = expected_hundredths(np.asarray(np.copysign(size, difference)))
    return np.asarray(hundredths / PERCENT)


def over_the_board(record: Record, points: Points) -> Int[np.ndarray, " teams"]:
    """Points of the matches that were played over the board."""
    return np.where(record.played, points, 0).sum(axis=1)


class DrawSelf(OneFormula):
    """A missed round is a draw against oneself.

    For its opponents a team counts with its points over the board plus a draw for each missed
    round. That is also the score of the opponent, itself, in its own missed rounds.

    **Source:** Ricca, variant DrawSelf.
    """

    name = "drawself"

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """The own score for missed rounds, and a draw."""
        seen = _missed_drawn(record, points, draw)
        met = record.played
        return (
            np.where(met, record.of_opponents(seen, met), seen[:, None]),
            np.where(met, points, draw),
        )


def _missed_drawn(record: Record, points: Points, draw: int) -> Int[np.ndarray, " teams"]:
    return over_the_board(record, points) + draw * (~record.played).sum(axis=1)


class VirtualOpponent(OneFormula):
    """A missed round is played against a virtual opponent, with the result that the team was given.

    The virtual opponent starts with the team's own score before the round, gains the points of a
    win that the team did not get in it, and draws all later rounds. For its opponents a team counts
    as under `drawself`.

    **Source:** Ricca, variant StdVOpp.
    """

    name = "virtual-opponent"

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """Virtual opponents; results as recorded."""
        met = record.played
        seen = _missed_drawn(record, points, draw)
        later = record.rounds - 1 - np.arange(record.rounds)
        virtual = self.start(record, points, draw) + (WIN * draw - points) + draw * later
        return np.where(met, record.of_opponents(seen, met), virtual), points

    def start(self, record: Record, points: Points, draw: int) -> Num[np.ndarray, "teams rounds"]:
        """Points that the virtual opponent starts with."""
        return before_round(points)


class AdjustedVirtualOpponent(VirtualOpponent):
    """As `virtual-opponent`, but with a limit on the points that the opponent starts with.

    It starts with at most the score that the scheduled opponent had before the round or, in a round
    without one, the score of a team that drew all earlier rounds.

    **Source:** Ricca, variant AdjVOpp.
    """

    name = "adjusted-virtual-opponent"

    def start(self, record: Record, points: Points, draw: int) -> Num[np.ndarray, "teams rounds"]:
        """Points that the virtual opponent starts with."""
        before = before_round(points)
        scheduled = before[np.where(record.named, record.opponent, 0), np.arange(record.rounds)]
        return np.minimum(
            before, np.where(record.named, scheduled, draw * np.arange(record.rounds))
        )


class Ignore(Proposal):
    """Missed rounds are left out; the points of all opponents are divided by all their games.

    The tie-break is rounds^2 * (sum over the opponents met of their points over the board, times
    the own result in a Sonneborn-Berger) / (sum of their games). A cut leaves out the opponent
    without whom the quotient without own results is highest; among equal ones, the one without whom
    the quotient with own results is highest. A cut of the highest items leaves out the opposite
    ones. The factor stays rounds^2 after a cut.

    **Source:** Ricca, variant IgnoreUG. It defines a cut of one opponent; here larger cuts go one
    by one.
    """

    name = "ignore"

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        points = (over_the_board(record, each) for each in (record.gained, record.scored))
        games = record.of_opponents(record.played.sum(axis=1), record.played).astype(int)
        return _more(real_opponents(record, *points), opponent_games=games)

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The items that a cut leaves out, see the class."""

        def choose(left: Rounds, sign: int) -> Int[np.ndarray, " teams"]:
            games = _without(_opponents_games(items, left))
            keys = (quotient(_without(np.where(left, key, 0.0)), games) for key in cut.keys)
            return lowest([sign * key for key in keys], left)

        return left_out(
            items.counted,
            *(cut.low, cut.high),
            lambda left: choose(left, -1),
            lambda left: choose(left, 1),
        )

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """rounds^2 / (games of the opponents)."""
        kept = items.counted & ~left_out
        return quotient(kept.shape[1] ** 2, _opponents_games(items, kept).sum(axis=1))


def _without(each: Num[np.ndarray, "teams rounds"]) -> Num[np.ndarray, "teams rounds"]:
    """The sum over all rounds of a team without each of them in turn."""
    return each.sum(axis=1, keepdims=True) - each


def _opponents_games(items: Items, where: Rounds) -> Points:
    """Games of the opponents in some items of `Ignore`, 0 in all others."""
    assert isinstance(items, MoreItems) and items.opponent_games is not None
    return np.where(where, items.opponent_games, 0)


@dataclass(frozen=True)
class Retired:
    """What the variants of `Fair` need to know of teams that retired.

    **Fields:**

    - `record`: of the event.
    - `points`: match points or half points of every team and round.
    - `draw`: points of a drawn match, in the same unit.
    - `leaving`: rounds before the team retired; all rounds if it did not.
    - `on_leaving`: its points after these rounds.
    """

    record: Record
    points: Points
    draw: int
    leaving: Int[np.ndarray, " teams"]
    on_leaving: Int[np.ndarray, " teams"]


@dataclass(frozen=True)
class Fair(OneFormula):
    """The kind of absence decides what a missed round counts for.

    - A match won or lost by default counts as played against the scheduled opponent.
    - A requested bye that pays a win or a draw: an opponent without points.
    - An absence that pays nothing: a loss against an opponent with the team's own final score.
    - A pairing-allocated bye: an opponent with the team's own final score, with the result that the
      bye pays.

    For its opponents a team counts with its final score. A team that retired counts with its score
    at that time plus, for each round that remained, the points that the variant defines.

    **Fields:**

    - `name`: as in `Policy`.
    - `each_round`: points for each round that remained when a team retired.

    **Source:** Ricca, variants Fair.
    """

    name: str
    each_round: Callable[[Retired], Num[np.ndarray, " teams"] | int]

    defaults_count = True

    def fill(self, record: Record, points: Points, draw: int) -> Filled:
        """Opponents and results by kind of absence."""
        final = points.sum(axis=1)
        leaving = np.where(record.absent, 0, np.arange(1, record.rounds + 1)).max(axis=1)
        there = np.arange(record.rounds) < leaving[:, None]
        on_leaving = np.where(there, points, 0).sum(axis=1)
        a_round = self.each_round(Retired(record, points, draw, leaving, on_leaving))
        seen = on_leaving + a_round * (record.rounds - leaving)  # final unless it retired
        own = ~self.real(record) & ~np.isin(record.kind, (Kind.FULL_BYE, Kind.HALF_BYE))
        return (
            np.where(own, final[:, None], record.of_opponents(seen, self.real(record))),
            np.where(record.absent, 0, points),
        )


def _board_average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points per match played over the board; 0 without one."""
    played = retired.record.played.sum(axis=1)
    return quotient(over_the_board(retired.record, retired.points), played)


def _as_those_tied(retired: Retired) -> Float[np.ndarray, " teams"]:
    """The mean points per round of the teams that had the same score then and stayed.

    A draw if there is no such team.
    """
    points, leaving = retired.points, retired.leaving
    rounds, final = points.shape[1], points.sum(axis=1)
    after = np.concatenate([np.zeros((len(points), 1), int), np.cumsum(points, axis=1)], axis=1)
    a_round = np.full(len(points), float(retired.draw))
    for team in np.flatnonzero(leaving < rounds):
        score, left = retired.on_leaving[team], leaving[team]
        level = (after[:, left] == score) & (leaving > left)
        if level.any():
            a_round[team] = (final[level].mean() - score) / (rounds - left)
    return a_round


FAIR = (
    Fair("fair-draw", lambda retired: retired.draw),
    Fair("fair-zero", lambda retired: 0),
    Fair("fair-average", lambda retired: quotient(retired.on_leaving, retired.leaving)),
    Fair("fair-board-average", _board_average),
    Fair("fair-tied", _as_those_tied),
)


class Aaso(Proposal):
    """The average of the opponents' average scores, put on the scale of all rounds.

    A team counts with rounds * (its points over the board) / (its games). The tie-break is rounds *
    (sum over the opponents met, times the own result in a Sonneborn-Berger) / (opponents met). A
    cut lowers the number of opponents, and the rounds that the sum is multiplied by, by the items
    left out.

    **Source:** Vereshchagin, after Stewart, corrected by Ricca.
    """

    name = "aaso"

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        games = record.played.sum(axis=1)
        seen, seen_half = (
            quotient(over_the_board(record, points), games) * record.rounds
            for points in (record.gained, record.scored)
        )
        return real_opponents(record, seen, seen_half)

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """Rounds / opponents met, both after the cut."""
        rounds = left_out.shape[1] - left_out.sum(axis=1)
        return quotient(rounds, (items.counted & ~left_out).sum(axis=1))


class AverageBuchholz(Proposal):
    """The mean final score of the opponents met, whatever rounds they missed themselves.

    The author defines neither a Sonneborn-Berger nor a cut. He places the team with more matches
    first among equal means: that is the criterion `played`. For teams that missed more than three
    rounds (two of seven) he asks for another tie-break without naming it; here the mean is used.

    **Source:** Ucarcus, 2014.
    """

    name = "average-buchholz"
    opponents_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(record, record.match_points, record.half_points)

    def scale(self, items: Items, left_out: Rounds) -> Float[np.ndarray, " teams"]:
        """1 / (opponents met)."""
        return quotient(1, items.counted.sum(axis=1))


@dataclass(frozen=True)
class Sivakasi(Proposal):
    """A missed round counts as the mean of the opponents met, corrected for the missed opponent.

    Opponents count with their final scores. In a sum of these scores alone (Buchholz) the mean is

    - lowered by `correction` for a bye that pays, and for a match won by default in an early round
      against a team rated `gap` lower, or unrated;
    - raised by `correction` for a match won by default against a team rated `gap` higher;
    - replaced by the score of the team that did not appear, if that team missed only this round and
      has more than the mean.

    In a sum of scores times results the mean is not corrected. The result is FIDE's expected score
    for the rating difference (at most 400) after a win by default, and 1/2 after a bye that pays. A
    cut takes the lowest opponents met, both from the sum and from the mean.

    **Fields:**

    - `gap`: rating points; the author names both 150 and 200.
    - `correction`: in wins; the author names both 1/2 and 1.
    - `early`: rounds in which a win by default against a much lower team is corrected; the author
      names both 1 and 2. He sets no such limit for byes and for higher rated teams.

    The author leaves the following open. Here a round that a team missed by its own choice counts
    as the uncorrected mean, lost. An unrated team counts as rated `gap` lower than any rated one,
    but the expected score against it is 1/2. A win by default against a team that the record does
    not name is not corrected. The rating of a team is the mean of its best players, as many as
    there are boards.

    **Source:** Anantharam, for Sivakasi.
    """

    gap: float = 150.0
    correction: float = 0.5
    early: int = 1

    name = "sivakasi"

    def complete(self, record: Record) -> Items:
        """Items of all rounds; none for a team that met no opponent, as it has no mean."""
        return self._items(record, record.played)

    def after_cut(self, record: Record, items: Items, left_out: Rounds) -> Items:
        """The items, with the mean of the opponents that remain after the cut."""
        return self._items(record, record.played & ~left_out)

    def _items(self, record: Record, kept: Rounds) -> Items:
        items = real_opponents(record, record.match_points, record.half_points)
        met, number = record.played, kept.sum(axis=1)
        mean, mean_half = (
            quotient(np.where(kept, points, 0.0).sum(axis=1), number)[:, None]
            for points in (items.opponent_points, items.opponent_half_points)
        )
        bye = np.isin(record.kind, (Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.HALF_BYE))
        won = record.named & (record.kind == Kind.WON_BY_DEFAULT)
        other = np.where(won, record.opponent, 0)
        missed_once = won & ((~met).sum(axis=1) == 1)[other]
        forfeiter = np.where(missed_once, record.match_points[other], -np.inf)
        own, theirs = np.broadcast_arrays(record.ratings[:, None], record.ratings[other])
        difference = np.where(won, own - theirs, np.nan)
        unrated = np.where(won, np.isnan(theirs) * 1 - np.isnan(own), 0)
        lower = (difference >= self.gap) | (unrated > 0)
        higher = (difference <= -self.gap) | (unrated < 0)
        early = np.arange(record.rounds) < self.early
        correction = WIN * self.correction * (higher * 1 - (bye | (lower & early)))
        alone = np.where(forfeiter > mean, forfeiter, mean + correction)
        known = ~np.isnan(difference)
        expected = np.where(known, expected_score(np.where(known, difference, 0.0)), 0.5)
        result = WIN * np.where(bye | (record.kind == Kind.WON_BY_DEFAULT), expected, 0.0)
        items = replace(
            items,
            opponent_points=np.where(met, items.opponent_points, mean),
            opponent_half_points=np.where(met, items.opponent_half_points, mean_half),
            gained=np.where(met, items.gained, result),
            scored=np.where(met, items.scored, record.boards * result),
            counted=np.broadcast_to((number > 0)[:, None], met.shape),
        )
        return _more(items, alone_points=np.where(met, items.opponent_points, alone))

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The opponents met that a cut leaves out."""
        met = replace(items, counted=items.opponent != BYE)
        return super().left_out(met, cut)


PROPOSALS: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        DrawSelf(),
        VirtualOpponent(),
        AdjustedVirtualOpponent(),
        Ignore(),
        *FAIR,
        Aaso(),
        AverageBuchholz(),
        Sivakasi(),
    )
}

POLICIES: dict[str, Policy] = {
    **{name: one for name, one in REGULATIONS.items() if name != "c07-2024"},
    **PROPOSALS,
}
"""All that are compared: of the regulation C.07 only the edition in force."""

SUMS = tuple(name + cut for name in ("opponents", "emgsb") for cut in ("", "-cut1", "-median1"))
"""What is summed: opponents' match points (Buchholz), or these times the own game points
(Sonneborn-Berger), with cuts."""


def is_defined(policy: str, sum_name: str) -> bool:
    """Whether a policy defines a sum."""
    return sum_name == "opponents" or not getattr(POLICIES[policy], "opponents_only", False)


def sum_over_opponents(policy: Policy, record: Record, name: str) -> Float[np.ndarray, " teams"]:
    """One of `SUMS` of every team, rounded, so that equal sums are equal."""
    kind, _, ends = name.partition("-")
    low, high = {"": (0, 0), "cut1": (1, 0), "median1": (1, 1)}[ends]

    def worth(items: Items) -> Num[np.ndarray, "teams rounds"]:
        alone = getattr(items, "alone_points", None)
        if kind == "opponents":
            return items.opponent_points if alone is None else alone
        return items.opponent_points * items.scored / 2

    items, scale = policy.complete(record), 1.0
    scores = np.round(items.opponent_points, 9)
    cut = Cut(scores, np.where(items.empty, 0, worth(items)), low, high)
    left = policy.left_out(items, cut)
    if isinstance(policy, Proposal):
        items = policy.after_cut(record, items, left)
        scale = policy.scale(items, left)
    summed = items.counted & ~items.empty & ~left
    return np.round(np.where(summed, worth(items), 0).sum(axis=1) * scale, 6) + 0.0
