"""What an assessment compares: rules, and the references beside them, through one protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Num

from tb2learn.config import Config
from tb2learn.simulation.field import known_ratings
from tb2learn.simulation.olympiad import Event
from tb2learn.tiebreaks import Additive, TieBreak
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import Key, pytree


class Judged(ABC):
    """Something that gives every team of a played event a number."""

    is_oracle: ClassVar[bool] = False
    """Whether it is what the thesis protocol takes for the truth, drawn once more."""

    @abstractmethod
    def estimate(self, key: Key, event: Event, config: Config) -> Num[Array, " teams"]:
        """A number a team, higher is better.

        **Arguments:**

        - `key`: consumed, if anything is drawn.
        - `event`, `config`: the played event.
        """

    def replayable(self) -> Replayable | None:
        """How it scores fresh games, for the thesis protocol; None if it cannot."""
        return None


def as_judged(rule: Rule | Judged) -> Judged:
    """A rule or a reference as the protocols see it."""
    return rule if isinstance(rule, Judged) else JudgedRule(rule.tiebreak())


class Replayable(ABC):
    """Something that can score fresh games against a list of opponents."""

    @abstractmethod
    def read(self, event: Event) -> Num[Array, "teams rounds"]:
        """What every opponent counts as in the event that was played; undefined for byes."""

    @abstractmethod
    def plain_score(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What a team counts as, whatever its own opponents."""

    @abstractmethod
    def replay(
        self,
        own: Int[Array, ""],
        reading: Num[Array, "*#batch rounds"],
        half_points: Int[Array, "*batch rounds"],
        present: Bool[Array, "*#batch rounds"],
    ) -> Num[Array, "*batch"]:
        """The score of results against opponents.

        **Arguments:**

        - `own`: match points of the team.
        - `reading`: what the opponents count as.
        - `half_points`: scored against them.
        - `present`: false where there is no opponent.
        """


@pytree
class JudgedRule(Judged):
    """A rule: it sees the results, and ratings as far as the world has them."""

    tiebreak: TieBreak

    def estimate(self, key: Key, event: Event, config: Config) -> Num[Array, " teams"]:
        """The rule's scores; the key is consumed by the noise of the ratings."""
        ratings = known_ratings(key, event.rosters, config.field.seed_noise)
        return self.tiebreak.scores(replace(event.results, ratings=ratings))

    def replayable(self) -> Replayable | None:
        """Sums over opponents can be replayed."""
        return ReplayedSum(self.tiebreak) if isinstance(self.tiebreak, Additive) else None


@pytree
class ReplayedSum(Replayable):
    """A sum over opponents, of fresh games."""

    rule: Additive

    def read(self, event: Event) -> Num[Array, "teams rounds"]:
        """What the rule makes of every opponent."""
        return self.rule.opponent_score(event.results)

    def plain_score(
        self, match_points: Int[Array, "*batch"], rosters: Int[Array, "*batch boards"]
    ) -> Num[Array, "*batch"]:
        """What the rule makes of a team by its match points."""
        return self.rule.plain_score(match_points, rosters)

    def replay(
        self,
        own: Int[Array, ""],
        reading: Num[Array, "*#batch rounds"],
        half_points: Int[Array, "*batch rounds"],
        present: Bool[Array, "*#batch rounds"],
    ) -> Num[Array, "*batch"]:
        """The sum of the values."""
        return self.rule.total(jnp.where(present, self.rule.value(own, reading, half_points), 0))
