"""Sums over opponents: Buchholz, Sonneborn-Berger and its four forms for teams, Bruno, Koya.

A match is worth the opponent's final score alone (Buchholz) or times the own result
(Sonneborn-Berger). A team event has two scores, match points and game points, so that there are two
Buchholz sums and four products: FIDE's EMMSB, EMGSB, EGMSB, EGGSB
(the first letter is the opponent's score, the second the own result).

In an individual event (1 board) match points and half points are both twice the points, so that all
forms are the individual one in another unit.

In a simulated event a round without a match adds nothing and is the first that a cut leaves out. In
a recorded event it counts as the policy for unplayed rounds says.
"""

from __future__ import annotations

from typing import Literal

from tb2learn.arrays import namespace
from tb2learn.chess.items import Items, Pass
from tb2learn.chess.results import EventView, Results, Score, is_round_robin
from tb2learn.shapes import Float, Int, Num
from tb2learn.tiebreaks.base import Additive, Explained, SumOverRounds
from tb2learn.tiebreaks.own import points_of
from tb2learn.tiebreaks.tables import nearest
from tb2learn.types import BYE, AnyArray, InputError, PerRound, PerTeam, pytree, static


@pytree
class OpponentSum(SumOverRounds):
    """The sum of the opponents' scores, each alone or times the own result against it, with cuts.

    Source: FIDE Handbook C.07, articles 8.1 (Buchholz), 9.1 (Sonneborn-Berger), 13.2 (its forms for
    teams) and 14 (cuts). Opponents are ordered by the score that is summed.

    **Fields:**

    - `opponent`: which score of the opponent.
    - `result`: which result against it; empty for the opponent's score alone.
    - `low`, `high`: how many opponents are left out at each end, 0 .. rounds.
    """

    opponent: Score = static(default="m")
    result: Literal["m", "g", ""] = static(default="g")
    low: int = static(default=0)
    high: int = static(default=0)

    def cut(self) -> tuple[int, int, Score]:
        """The score that is summed says which opponents are left out."""
        return self.low, self.high, self.opponent

    def opponents(self, items: Items) -> Num[AnyArray, "rounds teams"]:
        """The opponent's final score, 0 where there was none."""
        return items.opponent_half_points if self.opponent == "g" else items.opponent_points

    def counts_as(self, items: Items) -> Num[AnyArray, "rounds teams"] | None:
        """The opponents' match points, if these are summed."""
        return self.opponents(items) if self.opponent == "m" else None

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The opponent's score, times the result if that counts."""
        # `+ 0 * result` for the shape: results may have more axes.
        return opponent_score * result if self.result else opponent_score + 0 * result


@pytree
class Fore(Explained):
    """A sum over opponents as if all who were paired in the final round had drawn.

    Source: FIDE Handbook C.07, article 8.3.

    **Fields:** `sum`: the sum.
    """

    sum: OpponentSum

    @property
    def parts(self) -> tuple[OpponentSum]:
        """The sum."""
        return (self.sum,)

    def working(self, event: EventView) -> tuple[Pass, ...]:
        """That of the sum."""
        return self.sum.working(event.last_round_drawn)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sum."""
        return self.sum.scores(event.last_round_drawn)


@pytree
class MeanBuchholz:
    """AOB: the mean Buchholz of the opponents met over the board, 0 without one.

    It is rounded to hundredths of a point, from nine rounds on to thousandths, halves up.

    Source: FIDE Handbook C.07, article 8.2.

    **Fields:**

    - `buchholz`: what is averaged, also `Fore`.
    - `rounds`: of the event.
    - `units`: of the Buchholz sum that make a point.
    """

    buchholz: OpponentSum | Fore
    rounds: int = static(default=9)
    units: int = static(default=2)

    @property
    def parts(self) -> tuple[OpponentSum | Fore]:
        """The Buchholz that is averaged."""
        return (self.buchholz,)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The mean, in thousandths of a point."""
        met, xp = event.results.met, namespace(event.results.opponents)
        # A `BYE` reads the last team, and is left out below.
        sums = self.buchholz.scores(event)[event.results.opponents]
        games = xp.maximum(met.sum(axis=0), 1)
        # Rounded in the unit that FIDE prints, then counted in thousandths.
        unit = 10 if self.rounds < FINER_FROM else 1
        return unit * nearest(1000 * xp.where(met, sums, 0).sum(axis=0), self.units * unit * games)


FINER_FROM = 9
"""Rounds from which on a mean Buchholz has a third decimal, as the checker of FIDE has it."""


@pytree
class ScheduleStrength:
    """SSSC: the other points of the standings, and a part of the Buchholz of the first ones.

    The part is 1 over the most first points that an event has, divided by the most other points of
    a match, rounded down. It is rounded to hundredths, halves up.

    Source: FIDE Handbook C.07, article 13.4.

    **Fields:**

    - `buchholz`: of the points that decide first, also `Fore`.
    - `by`: these: match points or game points.
    - `rounds`, `boards`: of the event.
    - `divisor`: what the Buchholz is divided by; 0 for FIDE's number.
    """

    buchholz: OpponentSum | Fore
    by: Score = static(default="m")
    rounds: int = static(default=11)
    boards: int = static(default=4)
    divisor: float = static(default=0.0)

    @property
    def parts(self) -> tuple[OpponentSum | Fore]:
        """The Buchholz."""
        return (self.buchholz,)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Num[AnyArray, " teams"]:
        """The sum, in hundredths of a point.

        **Raises:** `InputError` for an event in which FIDE's divisor is 0.
        """
        win = event.results.win
        limits = (self.rounds * win, self.boards), (self.rounds * self.boards, win)
        # FIDE's divisor: the most first points of an event over the most others of a match.
        first, limit_below = limits[0 if self.by == "m" else 1]
        divisor = self.divisor or first // limit_below
        if not divisor:
            raise InputError(
                f"SSSC divides by 0 in {self.rounds} rounds of {self.boards} boards: give it a "
                "divisor, such as SSSC/K1"
            )
        # In hundredths: half points are halves of a point.
        own_points = 50 * event.own_half_points if self.by == "m" else 100 * event.own
        # Buchholz of game points is in half points.
        return own_points + nearest(
            100 * self.buchholz.scores(event), divisor * (1 + (self.by == "g"))
        )


@pytree
class Bruno(SumOverRounds):
    """The sum of the opponents' match points times the own ones.

    Source: R. Ricca, *Looking for the best tie-break*, 2016, who gives it as B. Buchholz's first
    idea and multiplies it by 100. Inside a score group it orders teams as Buchholz without a cut.
    """

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The opponent's match points times the own ones, whatever the result."""
        return own * opponent_score + 0 * result


SHARE = 8
"""An opponent's Buchholz counts for a `SHARE`-th beside its points."""


@pytree
class DeepBuchholz(SumOverRounds):
    """Buchholz median 1 of opponents that count as their points and an eighth of their Buchholz.

    The opponent's Buchholz leaves out the own points: ``P_o + (BH_o - P)/8``. As in Buchholz
    median 1 the opponent with the fewest points and the one with the most are left out (of several
    the one that counts least, or most). Scores are whole eighths of match points. It is the pencil
    form of the formula for individual events: one constant, no table.

    Source: own experiments; `reports/formula` has its error rates.
    """

    def cut(self) -> tuple[int, int, Score]:
        """One opponent at each end."""
        return 1, 1, "m"

    def opponents(self, items: Items) -> Num[AnyArray, "rounds teams"]:
        """What the opponent counts as, in eighths of match points; 0 where there was none.

        A virtual opponent has opponents of its own strength.
        """
        xp = namespace(items.opponent)
        plain = xp.where(items.counted & ~items.empty, items.opponent_points, 0)
        beyond = without_own_match(plain, items.opponent)
        # One less: the match with the team itself is left out of the others, too.
        usual = plain * (len(plain) - 1)
        # In eighths of a match point, of which the opponent's own points are eight each.
        return SHARE * plain + xp.where(items.opponent == BYE, usual, beyond)

    def counts_as(self, items: Items) -> Float[AnyArray, "rounds teams"]:
        """The same in match points."""
        return self.opponents(items) / SHARE

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """What the opponent counts as."""
        return opponent_score + 0 * result

    def working(self, event: EventView) -> tuple[Pass, ...]:
        """The refined opponents.

        **Raises:** `InputError` for an event whose rounds are not known.
        """
        event.results.need_rounds()
        return super().working(event)


@pytree
class Koya(Additive, Explained):
    """Points scored against opponents with at least half of what they could score.

    That is half of the points of all rounds, or another limit; in a round robin, where everybody
    rests once if they are an odd number, half of the points of all matches. Only opponents that a
    team was drawn against count, those that did not come, too, whatever the policy for unplayed
    rounds.

    Source: FIDE Handbook C.07, articles 9.2 and 14.5.

    **Fields:**

    - `rounds`: of the event, see `plain_score`.
    - `by`: match points or half points.
    - `percent`, `shift`: the limit in per cent of all points, and hundredths of a point of `by`
      beyond it.
    """

    rounds: int = static(default=11)
    by: Score = static(default="m")
    percent: int = static(default=50)
    shift: int = static(default=0)

    result = "m"

    def opponent_score(self, event: EventView) -> Int[AnyArray, "rounds teams"]:
        """1 for an opponent with half of all points or more, 0 for others and for none."""
        results = event.results
        drawn, xp = _drawn(results), namespace(results.opponents)
        has_opponent = drawn != BYE
        # In an odd round robin everybody has a match less than there are rounds.
        games = xp.where(is_round_robin(drawn), has_opponent.sum(axis=0).max(), len(drawn))
        all_points = games * (results.win if self.by == "m" else 2 * results.boards)
        limit = self.percent * all_points + self.shift
        # In hundredths on both sides, so that no limit is rounded.
        good = has_opponent & (100 * self._points(results)[drawn] >= limit)
        return good.astype(xp.int32)

    def _points(self, results: Results) -> PerTeam:
        return results.match_points if self.by == "m" else results.half_points.sum(axis=0)

    def plain_score(self, match_points: AnyArray, rosters: AnyArray) -> Int[AnyArray, "*batch"]:
        """1 for half of the points of all rounds or more."""
        # Half of the 2 points a round.
        return (match_points >= self.rounds).astype(namespace(match_points).int32)

    def value(self, own: AnyArray, opponent_score: AnyArray, result: AnyArray) -> AnyArray:
        """The match points of the result, if the opponent counts."""
        return opponent_score * result

    def working(self, event: EventView) -> tuple[Pass]:
        """The match points of the results against opponents that count."""
        results = event.results
        drawn, xp = _drawn(results), namespace(results.opponents)
        points = xp.where(drawn != BYE, self._points(results)[drawn], 0)
        gained = points_of(results, self.by)
        values = self.value(event.own, self.opponent_score(event), gained)
        match_values = points if self.by == "m" else None
        return (Pass(values, xp.zeros(values.shape, bool), values.sum(axis=0), match_values),)

    def scores(self, event: EventView, tied: PerTeam | None = None) -> Int[AnyArray, " teams"]:
        """The sum of the points."""
        return self.working(event)[-1].totals


def _drawn(results: Results) -> PerRound:
    """The opponents that teams were drawn against."""
    return results.opponents if results.drawn is None else results.drawn


def without_own_match(
    values: Num[AnyArray, "rounds teams"], opponents: Int[AnyArray, "rounds teams"]
) -> Num[AnyArray, "rounds teams"]:
    """The sum of every opponent's values, its match with the team itself left out.

    **Arguments:**

    - `values`: what every round is worth.
    - `opponents`: team numbers; what is returned for a `BYE` is undefined.

    That match is left out because a team that scores more in it takes points off its opponent,
    which would then count for less. If two teams met twice, each match leaves out itself only.
    """
    rounds = namespace(values).arange(len(values))[:, None]
    # Both have the match in the same round, see `need_rounds`.
    return values.sum(axis=0)[opponents] - values[rounds, opponents]
