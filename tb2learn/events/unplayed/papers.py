"""Every policy for unplayed rounds, by name.

Most come from papers written for FIDE's Technical Commission of October 2017 (Ricca; Vereshchagin;
Ucarcus; Anantharam), which count games as 1, 1/2, 0. Here a round is a match. So a formula is
applied twice, to match points (a drawn match is 1) and to game points (a drawn match is half of
the boards), and every constant is a number of drawn rounds. "Half points" are game points doubled.

Where the papers are silent, every policy does the same:

- A result without a game counts as recorded unless the policy says otherwise; a bye of the
  Olympiad thus counts as the drawn match that it pays.
- The rounds are those completed, so an unfinished event is taken as it stands.
- A team has retired after some round if it was absent (not paired, or with a bye that pays
  nothing) in all later ones, be it the last alone.
- A match won by default against a team that the record does not name is a bye.
- Of several items that a cut may leave out it takes them as `Policy.left_out` says.
- A team without a game has no opponents: what is a mean over them is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from tb2learn.events.unplayed.policy import Cut, OneFormula, Policy, real_opponents
from tb2learn.events.unplayed.record import Kind, Record
from tb2learn.tiebreaks.completed import Items
from tb2learn.tiebreaks.rated import PERCENT, expected_scores
from tb2learn.types import BYE

WIN = 2
"""Match points of a won match, in drawn matches."""


# --------------------------------------------------------------------------- formulas
# In any unit of points: `draw` is what a drawn round pays.


def virtual_opponent(
    before: Num[np.ndarray, "*#batch"] | float,
    received: Num[np.ndarray, "*#batch"] | float,
    later: Num[np.ndarray, "*#batch"] | int,
    draw: float,
) -> Num[np.ndarray, "*batch"] | float:
    """What a virtual opponent ends with: it starts equal, gets the other half, and then draws.

    **Arguments:**

    - `before`: points that it starts with, the team's own before the round.
    - `received`: points that the team got for the round.
    - `later`: rounds after it.
    """
    return before + (WIN * draw - received) + draw * later


def with_draws(
    points: Num[np.ndarray, "*#batch"] | float,
    missed: Num[np.ndarray, "*#batch"] | int,
    draw: float,
) -> Num[np.ndarray, "*batch"] | float:
    """Points over the board, and a draw for every missed round."""
    return points + draw * missed


def quotient(
    points: Num[np.ndarray, "*#batch"] | float | np.number,
    games: Num[np.ndarray, "*#batch"] | float | np.number,
) -> Float[np.ndarray, "*batch"]:
    """Points a game; 0 without a game."""
    points, games = np.asarray(points, float), np.asarray(games)
    return np.divide(
        points, games, out=np.zeros(np.broadcast(points, games).shape), where=games != 0
    )


def pooled_without(
    points: Num[np.ndarray, "*batch items"], games: Num[np.ndarray, "*batch items"]
) -> Float[np.ndarray, "*batch items"]:
    """All points of several opponents by all their games, each opponent left out in turn."""
    return quotient(
        points.sum(axis=-1, keepdims=True) - points, games.sum(axis=-1, keepdims=True) - games
    )


def expected_score(difference: Num[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch"]:
    """FIDE's expected score for a rating difference, taken as at most 400 points.

    **Returns:** 0.08 .. 0.92; the difference is rounded to whole points, halves up.
    """
    size = np.floor(np.minimum(np.abs(difference), 400) + 0.5).astype(int)
    chance = expected_scores()[size] / PERCENT
    return np.where(np.asarray(difference) < 0, 1 - chance, chance)


def sivakasi_opponent(
    mean: Num[np.ndarray, "*#batch"] | float,
    correction: Num[np.ndarray, "*#batch"] | float = 0.0,
    forfeiter: Num[np.ndarray, "*#batch"] | float = -np.inf,
) -> Float[np.ndarray, "*batch"]:
    """What an unplayed round adds to the sum of the opponents' scores.

    **Arguments:**

    - `mean`: of the opponents met.
    - `correction`: added to it.
    - `forfeiter`: score of the side that failed to appear, if it missed nothing else: taken as it
      is if greater than the mean.
    """
    return np.where(np.greater(forfeiter, mean), forfeiter, np.add(mean, correction))


def before_round(points: Int[np.ndarray, "teams rounds"]) -> Int[np.ndarray, "teams rounds"]:
    """Points before every round."""
    return np.cumsum(points, axis=1) - points


def _over_the_board(
    record: Record, points: Int[np.ndarray, "teams rounds"]
) -> Int[np.ndarray, " teams"]:
    return np.where(record.played, points, 0).sum(axis=1)


def one_at_a_time(
    counted: Bool[np.ndarray, "teams rounds"],
    cut: Cut,
    lowest: Callable[[Bool[np.ndarray, "teams rounds"]], Int[np.ndarray, " teams"]],
    highest: Callable[[Bool[np.ndarray, "teams rounds"]], Int[np.ndarray, " teams"]],
) -> Bool[np.ndarray, "teams rounds"]:
    """What a cut leaves out that chooses anew after every item, the lowest first.

    **Arguments:** `lowest`, `highest`: the next item to go of those that are left.
    """
    left = counted.copy()
    teams = np.arange(len(left))
    for choose in [lowest] * cut.low + [highest] * cut.high:
        left[teams, choose(left)] = False
    return counted & ~left


# --------------------------------------------------------------------------- Ricca's variants


class DrawSelf(OneFormula):
    """A missed round is a draw against oneself.

    For its opponents a team counts as its points over the board and a draw for each missed round;
    the fictitious opponent of its own missed rounds has that score too, being itself.

    **Source:** Ricca, variant DrawSelf.
    """

    name = "drawself"
    summary = "a missed round is a draw against oneself"

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Oneself, and a draw."""
        seen = _missed_drawn(record, points, draw)
        met = record.played
        return (
            np.where(met, record.of_opponents(seen, met), seen[:, None]),
            np.where(met, points, draw),
        )


def _missed_drawn(
    record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
) -> Int[np.ndarray, " teams"]:
    missed = (~record.played).sum(axis=1)
    return with_draws(_over_the_board(record, points), missed, draw)


class VirtualOpponent(OneFormula):
    """A missed round is one against a virtual opponent, with the result that the team was given.

    The opponent starts from the team's own points before the round, gets what the team did not get
    of a won match, and draws all later rounds. For its opponents a team counts as under `drawself`.

    **Source:** Ricca, variant StdVOpp.
    """

    name = "virtual-opponent"
    summary = "a virtual opponent that starts from the own score and draws all later rounds"

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Virtual opponents; results as recorded."""
        met = record.played
        seen = _missed_drawn(record, points, draw)
        later = record.rounds - 1 - np.arange(record.rounds)
        virtual = virtual_opponent(self.start(record, points, draw), points, later, draw)
        return np.where(met, record.of_opponents(seen, met), virtual), points

    def start(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> Num[np.ndarray, "teams rounds"]:
        """What the virtual opponent starts with."""
        return before_round(points)


class AdjustedVirtualOpponent(VirtualOpponent):
    """A virtual opponent that starts no better than an opponent could have been.

    As `virtual-opponent`, but it starts with at most what the scheduled opponent had before the
    round or, in a round without one, with at most half of what earlier rounds had to give.

    **Source:** Ricca, variant AdjVOpp.
    """

    name = "adjusted-virtual-opponent"
    summary = "a virtual opponent whose start is capped by the scheduled opponent, or by half"

    def start(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> Num[np.ndarray, "teams rounds"]:
        """What the virtual opponent starts with."""
        before = before_round(points)
        scheduled = before[np.where(record.named, record.opponent, 0), np.arange(record.rounds)]
        return np.minimum(
            before, np.where(record.named, scheduled, draw * np.arange(record.rounds))
        )


class Ignore(Policy):
    """Missed rounds are left out; opponents' points are pooled, and divided by all their games.

    Sum = rounds^2 * (sum over the opponents met of their points over the board, times the own
    result in a Sonneborn-Berger) / (sum of their games). A cut takes the opponent without whom most
    is left of that sum without results; of several, of the one with results. The highest likewise,
    of what is left. The factor stays rounds^2.

    **Source:** Ricca, variant IgnoreUG. It defines a cut of one opponent; several go one by one.
    """

    name = "ignore"
    summary = "only games really played: all points of the opponents by all their games"
    linear_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(
            record,
            _over_the_board(record, record.gained),
            _over_the_board(record, record.scored),
        )

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The items that a cut leaves out, see the class."""

        def choose(left: Bool[np.ndarray, "teams rounds"], sign: int) -> Int[np.ndarray, " teams"]:
            games = np.where(left, items.opponent_games, 0)
            what_is_left = [
                sign * pooled_without(np.where(left, key, 0.0), games) for key in cut.keys
            ]
            return np.lexsort((*what_is_left, ~left))[:, 0]

        return one_at_a_time(
            items.counted, cut, lambda left: choose(left, -1), lambda left: choose(left, 1)
        )

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """The square of the rounds by the games of the opponents."""
        kept = items.counted & ~left_out
        return quotient(kept.shape[1] ** 2, np.where(kept, items.opponent_games, 0).sum(axis=1))


class FaceValue(OneFormula):
    """Everything as it stands in the table.

    A match won or lost by default counts as if it had been played; any other missed round is one
    against an opponent with no points. A team counts as its final score.

    **Source:** Ricca, variant FaceVal.
    """

    name = "face-value"
    summary = "a default counts as played, any other missed round as an opponent without points"

    def real(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Where the opponent is the team that the record names."""
        return record.played | record.named

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """Final scores; results as recorded."""
        return record.of_opponents(points.sum(axis=1), self.real(record)), points


@dataclass(frozen=True)
class Retired:
    """Teams that retired, as the variants of `Fair` see them; anything for the other teams.

    **Fields:**

    - `record`: of the event.
    - `points`: of every team and round: match points, or half points.
    - `draw`: what a drawn match pays of them.
    - `leaving`: rounds before a team left; all if it did not.
    - `on_leaving`: its points then.
    """

    record: Record
    points: Int[np.ndarray, "teams rounds"]
    draw: int
    leaving: Int[np.ndarray, " teams"]
    on_leaving: Int[np.ndarray, " teams"]


@dataclass(frozen=True)
class Fair(OneFormula):
    """The kind of absence decides what a missed round counts for.

    - A match won or lost by default: one against the scheduled opponent.
    - A bye that pays a win or a draw on request: an opponent with no points.
    - An absence that pays nothing: an opponent with the team's own final score, lost.
    - The bye of the odd team out: an opponent with the team's own final score, with the result that
      the bye pays.

    A team counts as its final score, unless it retired: then as its score on leaving and, for each
    round that remained, what the variant says.

    **Fields:**

    - `name`, `summary`: as every policy's.
    - `each_round`: what a team that retired counts as for each round that remained.

    **Source:** Ricca, variants Fair.
    """

    name: str
    summary: str
    each_round: Callable[[Retired], Num[np.ndarray, " teams"] | int]

    def real(self, record: Record) -> Bool[np.ndarray, "teams rounds"]:
        """Where the opponent is the team that the record names."""
        return record.played | record.named

    def fill(
        self, record: Record, points: Int[np.ndarray, "teams rounds"], draw: int
    ) -> tuple[Num[np.ndarray, "teams rounds"], Num[np.ndarray, "teams rounds"]]:
        """By kind of absence."""
        final = points.sum(axis=1)
        leaving = _rounds_before_leaving(record)
        there = np.arange(record.rounds) < leaving[:, None]
        on_leaving = np.where(there, points, 0).sum(axis=1)
        a_round = self.each_round(Retired(record, points, draw, leaving, on_leaving))
        seen = on_leaving + a_round * (record.rounds - leaving)  # the final score of who stayed
        own = ~self.real(record) & ~np.isin(record.kind, (Kind.FULL_BYE, Kind.HALF_BYE))
        return (
            np.where(own, final[:, None], record.of_opponents(seen, self.real(record))),
            np.where(record.absent, 0, points),
        )


def _rounds_before_leaving(record: Record) -> Int[np.ndarray, " teams"]:
    """The last round in which a team was not absent, 1 for the first; 0 if it never came."""
    return np.where(record.absent, 0, np.arange(1, record.rounds + 1)).max(axis=1)


def _average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points a round before it left; 0 if it never came."""
    return quotient(retired.on_leaving, retired.leaving)


def _board_average(retired: Retired) -> Float[np.ndarray, " teams"]:
    """Points a match that it played; 0 without a game."""
    played = retired.record.played.sum(axis=1)
    return quotient(_over_the_board(retired.record, retired.points), played)


def _as_those_tied(retired: Retired) -> Float[np.ndarray, " teams"]:
    """What those gained a round, on average, who had its score when it left and were still there.

    A draw if there is none.
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
    Fair(
        "fair-draw",
        "by kind of absence; a team that retired counts as drawing the rest",
        lambda retired: retired.draw,
    ),
    Fair(
        "fair-zero",
        "by kind of absence; a team that retired counts as losing the rest",
        lambda retired: 0,
    ),
    Fair(
        "fair-average",
        "by kind of absence; a team that retired goes on at its average",
        _average,
    ),
    Fair(
        "fair-board-average",
        "by kind of absence; a team that retired goes on at its average over the board",
        _board_average,
    ),
    Fair(
        "fair-tied",
        "by kind of absence; a team that retired counts as those ended who had its score",
        _as_those_tied,
    ),
)


# --------------------------------------------------------------------------- means over opponents


class Aaso(Policy):
    """The average of the opponents' average scores, put on the scale of all rounds.

    A team counts as its points over the board, a game, times the number of rounds. Sum = rounds *
    (sum over the opponents met, times the own result in a Sonneborn-Berger) / their number; after a
    cut both numbers are less by the items left out.

    **Source:** Vereshchagin, after Stewart, corrected by Ricca.
    """

    name = "aaso"
    summary = "average of the opponents' average scores, over the games really played"

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        games = record.played.sum(axis=1)
        seen, seen_half = (
            quotient(_over_the_board(record, points), games) * record.rounds
            for points in (record.gained, record.scored)
        )
        return real_opponents(record, seen, seen_half)

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """The rounds that the cut leaves, by the opponents met that it leaves."""
        rounds = left_out.shape[1] - left_out.sum(axis=1)
        return quotient(rounds, (items.counted & ~left_out).sum(axis=1))


class AverageBuchholz(Policy):
    """The mean final score of the opponents met, whatever these missed themselves.

    Its author has no Sonneborn-Berger of it, and no cut. Of teams with equal means he puts first
    the one that played more, which is a criterion of its own; and he would have another tie-break
    where a team missed more than three rounds (two of seven), but does not say which: here the mean
    counts all the same.

    **Source:** Ucarcus, 2014.
    """

    name = "average-buchholz"
    summary = "mean final score of the opponents met; for the sum of opponents' match points alone"
    opponents_only = True

    def complete(self, record: Record) -> Items:
        """Items of matches that were played."""
        return real_opponents(record, record.match_points, record.half_points)

    def scale(
        self, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Float[np.ndarray, " teams"]:
        """One by the number of opponents met."""
        return quotient(1, items.counted.sum(axis=1))


@dataclass(frozen=True)
class Sivakasi(Policy):
    """A missed round is one against the mean of the opponents met, corrected by who was missed.

    Opponents count as their final scores. Where these are summed alone (Buchholz), the mean is

    - less by `correction` for a bye that pays, and for a match won by default in an early round
      against a team rated `gap` lower, or unrated;
    - more by it for a match won by default against a team rated `gap` higher;
    - and instead of all that the score of the team that failed to appear, if it missed that round
      alone and has more than the mean.

    Where scores are multiplied by results, the mean is not corrected and the result is FIDE's
    expected score for the rating difference (at most 400) for a match won by default, and half for
    a bye that pays. A cut takes the lowest opponents really met, out of the sum and out of the
    mean.

    **Fields:**

    - `gap`: rating points; the author wavers between 150 and 200.
    - `correction`: in wins; the author wavers between 1/2 and 1.
    - `early`: rounds in which a match won against a much lower team is corrected; the author wavers
      between 1 and 2. He limits neither the byes nor the opposite case.

    Where he is silent: a round missed by the team's own doing counts as the mean, uncorrected and
    lost; an unrated team is one rated `gap` lower than any rated one, but the expected score of a
    match with it is half; a match won by default against a team without a name is not corrected.
    A team's rating is the mean of its best players, as many as there are boards.

    **Source:** Anantharam, for Sivakasi.
    """

    gap: float = 150.0
    correction: float = 0.5
    early: int = 1

    name = "sivakasi"
    summary = "the mean of the opponents met for a missed round, corrected by who was missed"

    def complete(self, record: Record) -> Items:
        """Items of all rounds; none for a team that has no opponent to take the mean of."""
        return self._items(record, record.played)

    def after_cut(
        self, record: Record, items: Items, left_out: Bool[np.ndarray, "teams rounds"]
    ) -> Items:
        """The items with the mean of the opponents that are left."""
        return self._items(record, record.played & ~left_out)

    def _items(self, record: Record, kept: Bool[np.ndarray, "teams rounds"]) -> Items:
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
        known = ~np.isnan(difference)
        expected = np.where(known, expected_score(np.where(known, difference, 0.0)), 0.5)
        result = WIN * np.where(bye | (record.kind == Kind.WON_BY_DEFAULT), expected, 0.0)
        return replace(
            items,
            opponent_points=np.where(met, items.opponent_points, mean),
            opponent_half_points=np.where(met, items.opponent_half_points, mean_half),
            gained=np.where(met, items.gained, result),
            scored=np.where(met, items.scored, record.boards * result),
            counted=np.broadcast_to((number > 0)[:, None], met.shape),
            alone_points=np.where(
                met, items.opponent_points, sivakasi_opponent(mean, correction, forfeiter)
            ),
        )

    def left_out(self, items: Items, cut: Cut) -> Bool[np.ndarray, "teams rounds"]:
        """The opponents really met that a cut leaves out."""
        met = replace(items, counted=items.opponent != BYE)
        return super().left_out(met, cut)
