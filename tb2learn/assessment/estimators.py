"""What an assessment compares, rules and references, through one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Num

from tb2learn.chess.results import match_points
from tb2learn.config import Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.tiebreaks.base import Additive, TieBreak
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError, pytree, said, static


class Estimator(ABC):
    """A rule or a reference: it gives every team of a played event a number."""

    is_oracle: ClassVar[bool] = False
    """Whether the thesis protocol takes it as a second draw of its truth."""

    stream: ClassVar[int] = 0
    """Which of the keys of an event it draws with, if it draws: no two share one."""

    @abstractmethod
    def estimate(self, key: Key, event: Event, setting: Setting) -> Num[Array, " teams"]:
        """A number a team, higher is better.

        **Arguments:**

        - `key`: consumed, if anything is drawn.
        - `event`, `setting`: the played event.
        """

    def replayable(self) -> Replayable | None:
        """Itself, where it can score replayed games under the thesis protocol; else None."""
        return self if isinstance(self, Replayable) else None


def as_estimator(rule: Rule | Estimator) -> Estimator:
    """A rule or a reference through the interface of the protocols.

    **Raises:** `InputError` for a rule whose tie-break no compiled program takes.
    """
    if isinstance(rule, Estimator):
        return rule
    tiebreak = rule.tiebreak
    # An object that is no number would fail in JAX, in words that nobody here wrote.
    for leaf in jax.tree.leaves(tiebreak):
        if not isinstance(leaf, np.ndarray | np.generic | jax.Array | int | float):
            raise InputError(
                f"{rule.name}: its tie-break is {said(leaf)}, which no compiled program takes: "
                "tb2learn.rule(name, function) makes a rule from a function"
            )
    return RuleEstimator(tiebreak, rule.boards)


class Replayable(ABC):
    """A rule or a reference that can score replayed games against a list of opponents."""

    @abstractmethod
    def opponent_score(self, event: Event) -> Num[Array, "rounds teams"]:
        """What every opponent counts as in the event that was played; undefined for byes."""

    @abstractmethod
    def plain_score(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What a team counts as before any refinement by its own results."""

    @abstractmethod
    def replay(
        self,
        own: Int[Array, ""],
        opponent_score: Num[Array, "*#batch rounds teams"],
        half_points: Int[Array, "*batch rounds teams"],
        present: Bool[Array, "*#batch rounds teams"],
    ) -> Num[Array, "*batch teams"]:
        """The scores of replayed results.

        **Arguments:**

        - `own`: match points of the teams.
        - `opponent_score`: what the opponents count as.
        - `half_points`: scored against them.
        - `present`: false where there is no opponent.
        """


@pytree
class RuleEstimator(Estimator, Replayable):
    """A rule: it sees the results, and what ratings are published."""

    tiebreak: TieBreak
    boards: int = static()

    def estimate(self, key: Key, event: Event, setting: Setting) -> Num[Array, " teams"]:
        """The rule's scores; nothing is drawn."""
        return self.tiebreak.scores(event.results)

    def replayable(self) -> Replayable | None:
        """A rule can be replayed if it is a sum over opponents."""
        return self if isinstance(self.tiebreak, Additive) else None

    @property
    def _sum(self) -> Additive:
        """The rule, where it is a sum over opponents."""
        assert isinstance(self.tiebreak, Additive)
        return self.tiebreak

    def opponent_score(self, event: Event) -> Array:
        """What every opponent counts as under the rule."""
        return self._sum.opponent_score(event.results)

    def plain_score(self, match_points: Array, rosters: Array) -> Array:
        """What a team counts as under the rule before refinement."""
        return self._sum.plain_score(match_points, rosters)

    def replay(
        self, own: Array, opponent_score: Array, half_points: Array, present: Array
    ) -> Array:
        """The sum of the values of all results."""
        rule = self._sum
        result = match_points(half_points, self.boards) if rule.result == "m" else half_points
        values = rule.value(own, opponent_score, result)
        return jnp.where(present, values, 0).sum(axis=-2)
