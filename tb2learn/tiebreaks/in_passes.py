"""Rules in passes, and the scores of some teams of a simulated event with less work than of all."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from jaxtyping import Int, Num

from tb2learn.arrays import namespace
from tb2learn.chess.items import Kept
from tb2learn.chess.results import Results
from tb2learn.tiebreaks.base import SumOverRounds
from tb2learn.tiebreaks.sums import without_itself, without_own_match
from tb2learn.types import AnyArray, PerTeam

Values = Num[AnyArray, "teams rounds"]


class Changed(NamedTuple):
    """What is known of an event in which only the match of two teams ends otherwise.

    **Fields:** `teams`: the two; `values`: those of `InPasses.first_values` as it was played.
    """

    teams: Int[AnyArray, " 2"]
    values: tuple[Values, ...]


class InPasses(SumOverRounds):
    """A rule in passes, each of which refines opponents by their sums in the one before."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """The number of passes."""

    @abstractmethod
    def value_in(self, number: int, own: AnyArray, score: AnyArray, result: AnyArray) -> AnyArray:
        """As `value`, in the pass of that number, from 0."""

    @abstractmethod
    def refined(self, others: AnyArray, opponent: AnyArray) -> AnyArray:
        """What is added to opponents, by their sums of the other rounds."""

    def first_values(self, event: Results) -> tuple[Values, ...]:
        """What rounds are worth in the first two passes, as far as another pass follows."""
        kept, found, score = self.kept(event), [], self.opponents(event.items)
        for number in range(min(2, self.depth - 1)):
            found.append(self._worth(event, kept, number, score))
            others = without_own_match(found[-1], kept.items.opponent)
            score = self.opponents(kept.items) + self.refined(others, kept.items.opponent)
        return tuple(found)

    def scores_of(
        self, event: Results, teams: Int[AnyArray, " some"], changed: Changed | None = None
    ) -> Num[AnyArray, " some"]:
        """The `scores` of some teams, with less work still if little has changed."""
        kept = self.kept(event)
        score = self._counts_as(event, kept, self.depth - 1, teams, changed)
        return self.total(self._worth(event, kept, self.depth - 1, score, (teams,)))

    def _worth(
        self,
        event: Results,
        kept: Kept,
        number: int,
        score: AnyArray,
        at: tuple[AnyArray, ...] = (),
    ) -> AnyArray:
        """What rounds add to the sum of a pass: of all teams, of some, or of teams in rounds."""
        own = event.match_points[:, None] if not at else event.match_points[at[0]]
        if len(at) == 1:
            own = own[..., None]
        values = self.value_in(number, own, score, kept.items.scored[at])
        return namespace(values).where(kept.summed[at], values, 0)

    def _counts_as(
        self, event: Results, kept: Kept, passes: int, teams: PerTeam, changed: Changed | None
    ) -> Num[AnyArray, "some rounds"]:
        """What the opponents of some teams count as, refined by a number of passes."""
        plain = self.opponents(kept.items)
        if not passes:
            return plain[teams]
        opponent, before = kept.items.opponent[teams], passes - 1
        if changed is not None and before < len(changed.values):
            others = without_own_match(self._anew(event, kept, before, changed), opponent)
        elif opponent.size < len(plain):
            score = self._counts_as(event, kept, before, opponent.ravel(), None)
            values = self._worth(event, kept, before, score, (opponent.ravel(),))
            others = without_itself(values.reshape(*opponent.shape, -1))
        else:
            every = namespace(teams).arange(len(plain))
            score = self._counts_as(event, kept, before, every, changed)
            others = without_own_match(self._worth(event, kept, before, score), opponent)
        return plain[teams] + self.refined(others, opponent)

    def _anew(self, event: Results, kept: Kept, number: int, changed: Changed) -> Values:
        """What rounds are worth in a pass: as it was, but for what two teams can have changed."""
        items, xp = kept.items, namespace(changed.teams)
        rounds, two = xp.arange(items.opponent.shape[1]), changed.teams[:, None]
        # In the first pass the two and their opponents; a bye means any team, which is as it was.
        team = xp.concatenate([two, items.opponent[changed.teams].reshape(-1, 1)])
        if number == 0:
            score = self.opponents(items)[team, rounds]
        else:  # the two, and whoever met one of those
            met = items.opponent[team, rounds]
            team = xp.concatenate([xp.broadcast_to(two, (2, len(rounds))), met])
            before = self._anew(event, kept, number - 1, changed)
            opponent = items.opponent[team, rounds]
            others = before.sum(axis=1)[opponent] - before[opponent, rounds]
            score = self.opponents(items)[team, rounds] + self.refined(others, opponent)
        new = self._worth(event, kept, number, score, (team, rounds))
        return changed.values[number].at[team, rounds].set(new, mode="drop")
