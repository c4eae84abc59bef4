"""The criteria that standings are sorted by: rules, and what they give every team of an event.

All criteria but tables and formulas are entries of `tiebreaks.library`, also match points and game
points. Lists of them have the names there, and those of tables and formulas; in an individual event
they may be written in words or as in FIDE's files (`BH/C1`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from tb2learn.arrays import dense_rank, namespace
from tb2learn.chess import WEAKEST_RULES, Weakest
from tb2learn.chess.items import AfterCut, Cut, Items, Pass, Worth
from tb2learn.chess.results import EventView, Results, Score
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import STANDARD_SCORING
from tb2learn.events.unplayed.fide import EDITIONS, FaceValue
from tb2learn.events.unplayed.policies import policy, usual_policy
from tb2learn.events.unplayed.policy import Policy
from tb2learn.events.unplayed.record import Record, event_record
from tb2learn.shapes import Float, Num
from tb2learn.tiebreaks.base import Explained, TieBreak
from tb2learn.tiebreaks.library import NAMED_IN, PRODUCT, PRODUCT_IN_WORDS, Entry, heading
from tb2learn.tiebreaks.names import Named, combined, parsed
from tb2learn.tiebreaks.rules import Rule, classic
from tb2learn.types import InputError, PerTeam, one_of

Before = Sequence[Num[np.ndarray, " teams"]]
"""The scores that decide before a criterion."""


@dataclass(frozen=True)
class Completed(EventView):
    """A recorded event whose unplayed rounds a policy has filled in, as tie-breaks see it.

    **Fields:**

    - `record`: the event as recorded.
    - `policy`: the policy for unplayed rounds.
    - `completed_items`: the record as the policy completed it.
    - `weakest_by_game_points`: whether, of several opponents with the fewest match points, the one
      with the fewest game points is left out first (the thesis's rule).
    - `forfeits_played`: whether forfeits count as played against the scheduled opponent.
    """

    record: Record
    policy: Policy
    completed_items: Items
    weakest_by_game_points: bool = False
    forfeits_played: bool = False

    @property
    def items(self) -> Items:
        """The record as the policy completed it."""
        return self.completed_items

    @property
    def own(self) -> PerTeam:
        """Match points of the standings."""
        return self.record.standing_points

    @property
    def own_half_points(self) -> PerTeam:
        """Half points of the standings."""
        return self.record.standing_half_points

    @property
    def results(self) -> Results:
        """What was played: a round without a match has no opponent, its result as recorded."""
        return self.record.results

    @property
    def last_round_drawn(self) -> Completed:
        """The same with items as if all who were paired in the final round had drawn."""
        return replace(self, completed_items=self._complete(self.record.last_round_drawn))

    def _complete(self, record: Record) -> Items:
        return self.policy.complete(replace(record, forfeits_played=self.forfeits_played))

    def with_modifiers(self, named: Named) -> Completed:
        """The same as the modifiers of a name see it: forfeits, ratings, and the edition of C.07.

        Editions are the same where forfeits count as played, as in a round robin.
        """
        modifiers, record, policy = named.asked, self.record, self.policy
        # Most names have no modifier that changes the event.
        if not named.of_event:
            return self
        # A modifier gives a rating to those without one.
        if modifiers.unrated is not None:
            xp = namespace(record.ratings)
            unrated = xp.isnan(record.ratings)
            record = replace(record, ratings=xp.where(unrated, modifiers.unrated, record.ratings))
        # In a round robin no round is missed, whatever the edition.
        if modifiers.edition and policy.name != FaceValue.name:
            policy = EDITIONS[modifiers.edition]
        seen = replace(self, record=record, policy=policy, forfeits_played=modifiers.forfeits)
        # Items depend on what counts as played and on the edition: they are made again.
        return replace(seen, completed_items=seen._complete(record))

    @property
    def without_open(self) -> Completed:
        """The same without items for open matches."""
        if self.record.open is None:
            return self
        # An open match is no item: it is neither a draw nor a loss.
        items = self.completed_items
        return replace(
            self, completed_items=replace(items, counted=items.counted & ~self.record.open)
        )

    @property
    def open_factor(self) -> Float[np.ndarray, " teams"] | float:
        """Rounds by rounds without an open match, of every team."""
        if self.record.open is None:
            return 1.0
        rounds = self.record.rounds
        # Where all matches are open the sum is 0 anyway.
        return rounds / np.maximum(rounds - self.record.open.sum(axis=0), 1)

    def cut(self, worth: Worth, low: int = 0, high: int = 0, by: Score = "m") -> AfterCut:
        """The items that remain after a cut, by the rules of the policy.

        **Arguments:** as `EventView.cut`.
        """
        items, half_points = self.items, self.items.opponent_half_points
        scores = items.opponent_points if by == "m" else half_points
        xp = namespace(scores)
        cut = Cut(
            scores=xp.round(scores, 9),  # so that equal fractions are equal
            values=xp.where(items.empty, 0, worth(items)),
            low=low,
            high=high,
            second_scores=half_points if self.weakest_by_game_points else None,
        )
        return AfterCut(items, self.policy.left_out(items, cut))


def complete(
    event: TeamEvent, unplayed: str | None = None, weakest: Weakest = "lowest-contribution"
) -> Completed:
    """Complete an event by a policy for unplayed rounds.

    **Arguments:** as for `ranking.rank`.

    **Raises:** `InputError` for an unknown policy or `weakest`.
    """
    one_of("weakest", weakest, WEAKEST_RULES)
    unplayed = usual_policy(event) if unplayed is None else unplayed
    record, chosen = event_record(event), policy(unplayed)
    return Completed(record, chosen, chosen.complete(record), weakest == "fewest-game-points")


@dataclass(frozen=True)
class Column:
    """A rule, or one pass of it, in the working of a team's tie-breaks.

    **Fields:**

    - `rule`: its name.
    - `worked`: values and totals of all teams.
    - `number`: of the pass, 1 for a rule without passes.
    - `passes`: how many the rule has.
    - `label`: what heads it in standings.
    """

    rule: str
    worked: Pass
    number: int = 1
    passes: int = 1
    label: str = ""

    @property
    def name(self) -> str:
        """The key of the column: the rule, with the number of the pass if it has several."""
        return self._numbered(self.rule)

    @property
    def heading(self) -> str:
        """The same for people, who know FIDE's code."""
        return self._numbered(self.label or self.rule)

    def _numbered(self, name: str) -> str:
        return name if self.passes == 1 else f"{name} pass {self.number}"


@dataclass(frozen=True)
class Criterion:
    """What standings may be sorted by: a rule, under the name of its column.

    How a rule counts unplayed rounds is defined in `chess.items`. A learned rule does not see open
    matches: its sum over the other rounds is multiplied by all rounds over these, which was wrong
    least often in half-finished events (a study of version 2, `studies/open_matches.py`).

    **Fields:**

    - `name`: as in a list of criteria; `tb2` in the Olympiad's order.
    - `rule`: the rule itself.
    """

    name: str
    rule: Rule

    @property
    def named(self) -> Named | None:
        """What was asked for of the library; None for tables, formulas and combinations."""
        return self.rule.parts[0] if len(self.rule.parts) == 1 else None

    @property
    def entry(self) -> Entry | None:
        """What the library has of it; None for tables, formulas and combinations."""
        return self.named and self.named.entry

    @property
    def code(self) -> str:
        """FIDE's code; empty for none, and for combinations."""
        return self.named.code if self.named else ""

    @property
    def label(self) -> str:
        """FIDE's code, else the name of its rule or of its column; `WIN+BH/C1` for combinations."""
        parts = _product_parts() if self.rule.name == PRODUCT else self.rule.parts
        return "+".join(part.code or heading(part.name) for part in parts) or self.rule.name

    @property
    def has_working(self) -> bool:
        """Whether it can be shown round by round: a sum over them, or a mean."""
        return isinstance(self.rule.tiebreak, Explained)

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """A number a team, higher is better.

        **Arguments:** `before`: the scores of the criteria before it, for those that compare tied
        teams only (direct encounter); match points if there are none.

        **Raises:** `InputError` if the rule is for another format, or has no meaning for the event.
        """
        seen = self._seen(event)
        # Who is tied has equal scores in all criteria before.
        tied = dense_rank(*before) if before else seen.own
        scores = self.tiebreak(seen).scores(seen, tied) * self.rule.unit
        return scores * event.open_factor if self.rule.learned else scores

    def working(self, event: Completed) -> list[Column]:
        """One column per pass; of a learned rule before its sum is rescaled for open matches.

        **Raises:** `InputError` as `scores`, or if it cannot be shown round by round.
        """
        event = self._seen(event)
        rule, name = self.tiebreak(event), self.rule.name
        if not isinstance(rule, Explained):
            raise InputError(f"{name} is not a sum over opponents: there is nothing to explain")
        # In the unit that is printed: match points of players are points.
        passes = [column.times(self.rule.unit) for column in rule.working(event)]
        return [
            Column(name, column, number, len(passes), self.label)
            for number, column in enumerate(passes, 1)
        ]

    def shown(
        self, scores: Float[np.ndarray, " teams"], before: Before
    ) -> Float[np.ndarray, " teams"]:
        """What is printed of the scores, see `library.Shown`.

        **Arguments:** `before`: the scores of the criteria before it.
        """
        how = self.entry.shown if self.entry else ""
        if how == "lowest" or (self.named and self.named.asked.reverse):
            return np.abs(scores)  # what is better when lower has negative scores
        if how == "rank":
            # A direct encounter is printed as the rank in the group; 0 where it decides nothing.
            group = dense_rank(*before) if before else np.zeros(len(scores))
            tied = group[:, None] == group
            ranks = 1 + (tied & (scores > scores[:, None])).sum(axis=1)
            apart = (tied & (scores != scores[:, None])).any(axis=1)
            return np.where(apart, ranks, 0).astype(float)
        return scores

    def _seen(self, event: Completed) -> Completed:
        """The event as the modifiers of its name see it, or a learned rule."""
        if self.rule.learned:
            return event.without_open
        return event.with_modifiers(self.named) if self.named else event

    def tiebreak(self, event: Completed) -> TieBreak:
        """The rule as a function of an event, as the modifiers of its name see it.

        The product rule is what the library has of it, whatever its matches score: in a table of
        it there are the usual match points alone.

        **Raises:** `InputError` if it is for another format, or made for other match points.
        """
        record, rule = event.record, self.rule
        rule.check_format(record.rounds, record.boards)
        if rule.name == PRODUCT:
            return combined(_product_parts(), record.rounds, record.boards)[0]
        if record.scoring == STANDARD_SCORING:
            points = record.standing_points
            # Tables end at the points of a team that won all its matches.
            if rule.has_tables and not 0 <= points.min() <= points.max() <= 2 * record.rounds:
                raise InputError(
                    f"{rule.name} is made for 0 to {2 * record.rounds} match points, teams have "
                    f"{points.min()} to {points.max()}"
                )
        elif not rule.for_any_match_points:
            usual, here_scored = (
                ", ".join(f"{p / 2:g}" if record.individual else str(p) for p in each)
                for each in (STANDARD_SCORING, record.scoring)
            )
            games = "games" if record.individual else "matches"
            raise InputError(
                f"{rule.name} is made for {games} that score {usual}: it has no meaning where they "
                f"score {here_scored}"
            )
        return rule.tiebreak


@cache
def _product_parts() -> tuple[Named, ...]:
    """What the library has of the product rule."""
    return parsed(PRODUCT_IN_WORDS)


@runtime_checkable
class Step(Protocol):
    """What decides in an order: a criterion, or a play-off."""

    def scores(self, event: Completed, before: Before) -> Float[np.ndarray, " teams"]:
        """A number a team, higher is better; `before` are the scores that decide before."""
        ...


def evaluate(event: Completed, criteria: Sequence[Step]) -> Float[np.ndarray, "criteria teams"]:
    """The scores of every criterion, `[criteria, teams]`; rounded, so that equal sums are equal."""
    columns: list[np.ndarray] = []
    for criterion in criteria:
        # `+ 0.0`: no minus before a zero.
        columns.append(np.round(criterion.scores(event, columns), 6) + 0.0)
    return np.stack(columns)


@lru_cache(maxsize=1024)  # a check of printed columns asks for each under every policy
def known_criterion(name: str, rounds: int, boards: int, individual: bool) -> Criterion:
    """A criterion of the library, for events of a format.

    **Raises:** `InputError` for an unknown name, or a cut that it does not have.
    """
    entries = NAMED_IN["players" if individual else "teams"]
    return Criterion(name, classic(name, rounds, boards, entries))
