"""Tie-breaks that depend on who is tied: direct encounter, and ordered combinations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, Num

from tb2learn.chess.results import Results, match_points
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.completed import (
    Completable,
    CompletedEvent,
    SumOverRounds,
    completed_scores,
    joint_rank,
    sums_of,
)
from tb2learn.types import BYE, PerTeam, pytree, static


class Grouped(Completable):
    """A tie-break that compares the teams of a group with each other."""

    @abstractmethod
    def scores(self, results: Results, groups: PerTeam | None = None) -> Int[Array, " teams"]:
        """A number a team; only numbers of the same group can be compared.

        **Arguments:**

        - `groups`: one number a team, equal for teams that are tied so far: 0 .. teams - 1, or
          match points, which they are if not given.
        """


@pytree
class DirectEncounter(Grouped):
    """Match points scored against the teams one is tied with, if all of them have met each other.

    If two teams of the group have not met, everybody in it scores 0 and all stay tied. If two teams
    met twice, both matches count. The rule is not applied again to teams that are still tied. Only
    matches really played count, whatever the policy for unplayed rounds.

    Source: FIDE Handbook C.07, articles 6.1 and 6.2, as R. Ricca uses it in *Looking for the best
    tie-break*, 2016. Article 6.3, for a team that would be first whatever the missing results were,
    came later and is not applied.
    """

    boards: int = static(default=4)

    def scores(self, results: Results, groups: PerTeam | None = None) -> Int[Array, " teams"]:
        """Match points against the group, or 0."""
        tied = results.match_points if groups is None else groups
        opponents = results.opponents
        rounds, teams = opponents.shape
        inside = (opponents != BYE) & (tied[opponents] == tied)
        gained = jnp.where(inside, match_points(results.half_points, self.boards), 0).sum(axis=0)
        number = jnp.arange(rounds)
        met_before = (opponents[:, None] == opponents) & (number[:, None] < number)[..., None]
        others = (inside & ~met_before.any(axis=0)).sum(axis=0)  # met in the group
        most = max(teams, 2 * rounds + 1)  # numbers of groups are below this
        size = jax.ops.segment_sum(jnp.ones_like(tied), tied, most)
        fewest = jax.ops.segment_min(others, tied, most)
        return jnp.where((fewest == size - 1)[tied], gained, 0)

    def sums(self) -> tuple[SumOverRounds, ...]:
        """None: no policy for unplayed rounds affects it."""
        return ()

    def completed_scores(
        self, event: CompletedEvent, before: Sequence[Num[np.ndarray, " teams"]] = ()
    ) -> Int[np.ndarray, " teams"]:
        """Match points against the teams that are equal in all scores before it, or 0."""
        tied = joint_rank(before) if before else event.own
        return np.asarray(self.scores(event.results(), jnp.asarray(tied, jnp.int32)))


@pytree
class Combined(Grouped):
    """Several tie-breaks in order: each decides between teams that are tied on all before it.

    Its score is the team's rank from below, by match points and then by the parts; equal where
    everything is equal. Source: FIDE Handbook C.07, article 4.2.
    """

    parts: tuple[TieBreak, ...]

    def scores(self, results: Results, groups: PerTeam | None = None) -> Int[Array, " teams"]:
        """The rank, 0 for the last: by `groups` if given, else match points, then by the parts."""

        def decide(tied: PerTeam, part: TieBreak) -> PerTeam:
            if isinstance(part, Grouped):
                return dense_rank(tied, part.scores(results, tied))
            return dense_rank(tied, part.scores(results))

        start = results.match_points if groups is None else groups
        return reduce(decide, self.parts, start)

    def sums(self) -> tuple[SumOverRounds, ...]:
        """Those of all parts."""
        return tuple(one for part in self.parts for one in sums_of(part))

    def completed_scores(
        self, event: CompletedEvent, before: Sequence[Num[np.ndarray, " teams"]] = ()
    ) -> Int[np.ndarray, " teams"]:
        """The rank, 0 for the last, by the scores before it (or match points) and the parts."""
        found = list(before) or [event.own]
        for part in self.parts:
            scores = completed_scores(part, event, found)
            found.append(np.round(scores, 6))  # so that fractions that should be equal are
        return joint_rank(found)


def dense_rank(*keys: Int[Array, " teams"]) -> Int[Array, " teams"]:
    """How many different values are lower: by the first key, then the next."""
    teams = jnp.arange(len(keys[0]))
    *ordered, order = jax.lax.sort((*keys, teams), num_keys=len(keys))
    steps = reduce(jnp.logical_or, (key[1:] != key[:-1] for key in ordered))
    ranks = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(steps, dtype=jnp.int32)])
    return jnp.zeros(len(teams), jnp.int32).at[order].set(ranks)
