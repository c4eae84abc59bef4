"""What a policy for unplayed rounds must define, formulas, and the Olympiad's policy of 2016.

A policy defines what an unplayed round counts for in the team's own tie-breaks, and what score a
team that missed rounds has in its opponents' tie-breaks. With these it completes the record to one
item per round and team, which tie-breaks add up. It also defines which items a cut leaves out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from tb2learn.arrays import as_fractions, namespace
from tb2learn.chess.items import Cut, Items
from tb2learn.chess.results import cut_items
from tb2learn.events.unplayed.record import Record, RoundKind
from tb2learn.shapes import Bool, Int, Num
from tb2learn.types import BYE, AnyArray

Points = Int[AnyArray, "rounds teams"]
"""Match points or half points of every round and team."""
Filled = tuple[Num[AnyArray, "rounds teams"], Num[AnyArray, "rounds teams"]]
"""The final points of the opponents and the own points, by round and team."""
Rounds = Bool[AnyArray, "rounds teams"]
"""Some of the rounds of every team, or of the items that stand for them."""
WIN = 2
"""Half points of a board that is won."""


def before_round(points: Points) -> Points:
    """Points before every round."""
    return points.cumsum(axis=0) - points


class Policy(ABC):
    """A method for unplayed rounds.

    **Fields:**

    - `name`: as in `POLICIES` and on the command line.
    """

    name: str

    @abstractmethod
    def complete(self, record: Record) -> Items:
        """The items of every team."""

    def left_out(self, items: Items, cut: Cut) -> Rounds:
        """The items that a cut leaves out: as `results.cut_items`, unless the policy has a rule."""
        return cut_items(items, cut)


def real_opponents(
    record: Record,
    seen: Num[AnyArray, " teams"],
    seen_half: Num[AnyArray, " teams"],
) -> Items:
    """Items of the matches played over the board; all other rounds are not counted.

    **Arguments:** `seen`, `seen_half`: match points and half points that each team counts as for
    its opponents.
    """
    # Compiled programs and NumPy read the same lines.
    met, xp = record.played, namespace(record.kind)
    return Items(
        opponent=xp.where(met, record.opponent, BYE),
        opponent_points=record.of_opponents(seen, met),
        opponent_half_points=record.of_opponents(seen_half, met),
        gained=xp.where(met, as_fractions(record.gained), 0),
        scored=xp.where(met, as_fractions(record.scored), 0),
        counted=met,
        empty=xp.zeros(met.shape, bool),
        first_out=xp.zeros(met.shape, bool),
    )


class Baku2016(Policy):
    """Rule 14 of the Olympiad of 2016.

    A bye, a match won or lost by default, and a round in which a team was not paired count as a
    match against a virtual opponent. The virtual opponent starts with the team's own match points
    before the round. It gains 1 for a bye or a win by default, 0 for a loss by default or if the
    team was not paired, and 1 for each later round. Game points follow the same rule. A cut leaves
    out byes first.
    """

    name = "baku2016"

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        xp = namespace(record.kind)
        items = real_opponents(record, record.match_points, record.half_points)
        # Rounds after this one, each worth a draw to the virtual opponent.
        later = (record.rounds - 1 - xp.arange(record.rounds))[:, None]
        default = record.kind == RoundKind.WON_BY_DEFAULT
        bye = record.of_kind(RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.HALF_BYE)
        # All that was not played over the board is against the virtual opponent.
        virtual, draw = ~record.played, record.scoring[1]
        # All boards for a default that was won, half of them for a bye.
        round_half_points = record.boards * xp.where(default, 2, xp.where(bye, 1, 0))
        return replace(
            items,
            opponent_points=xp.where(
                virtual,
                before_round(record.gained) + draw * ((default | bye) + later),
                items.opponent_points,
            ),
            opponent_half_points=xp.where(
                virtual,
                before_round(record.scored) + round_half_points + record.boards * later,
                items.opponent_half_points,
            ),
            gained=as_fractions(record.gained),
            scored=as_fractions(record.scored),
            counted=xp.ones(virtual.shape, bool),
            first_out=record.pairing_byes,
        )


class OneFormula(Policy):
    """A policy that has one formula for match points and game points, and counts every round.

    **Fields:** `defaults_count`: whether a default counts as played against the scheduled opponent.
    """

    defaults_count = False

    @abstractmethod
    def fill(self, record: Record, points: Points, scoring: tuple[int, int, int]) -> Filled:
        """What every round counts for.

        **Arguments:**

        - `record`: of the event.
        - `points`: of the matches, in one unit.
        - `scoring`: points of a match won, drawn and lost, in the same unit.
        """

    def real(self, record: Record) -> Rounds:
        """Rounds that count as played against the team that the record names."""
        return record.opponent != BYE if self.defaults_count else record.played

    def complete(self, record: Record) -> Items:
        """Items of all rounds."""
        opponent_points, gained = self.fill(record, record.gained, record.scoring)
        # A drawn match has half of the points: `boards` half points.
        of_boards = WIN * record.boards, record.boards, 0
        opponent_half_points, scored = self.fill(record, record.scored, of_boards)
        xp = namespace(record.kind)
        return replace(
            real_opponents(record, record.match_points, record.half_points),
            opponent=xp.where(self.real(record), record.opponent, BYE),
            opponent_points=as_fractions(opponent_points),
            opponent_half_points=as_fractions(opponent_half_points),
            gained=as_fractions(gained),
            scored=as_fractions(scored),
            counted=xp.ones(record.kind.shape, bool),
            first_out=self.first_out(record),
        )

    def first_out(self, record: Record) -> Rounds:
        """Items that a cut leaves out before all others."""
        return namespace(record.kind).zeros(record.played.shape, bool)
