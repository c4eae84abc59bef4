"""Other results of the last round, tried under a rule with as little work as the rule allows.

A rule looks at the whole event. After thousands of other results of one event only the scores of a
few teams are asked for, and most of what the rule computes is as it was.
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Num

from tb2learn.simulation.last_round import LastRound
from tb2learn.tiebreaks.base import SumOverRounds, TieBreak
from tb2learn.tiebreaks.combined import DirectEncounter
from tb2learn.tiebreaks.in_passes import Changed, InPasses
from tb2learn.tiebreaks.paired import LeastSquares, rounded

_MATCHES = 5  # that are tried side by side


def tried(rule: TieBreak, last: LastRound) -> Tried:
    """Other results of a last round under a rule."""
    if isinstance(rule, LeastSquares) and rule.share == 1:
        return _Linear(rule, last)
    return _Encounter(rule, last) if isinstance(rule, DirectEncounter) else Tried(rule, last)


class Tried:
    """Other results of a last round under any rule; `played`: the scores as it was played."""

    def __init__(self, rule: TieBreak, last: LastRound):
        self.rule, self.last, self.played = rule, last, rule.scores(last.results)
        self._known = rule.first_values(last.results) if isinstance(rule, InPasses) else ()

    def changed(self, teams: Int[Array, " some"]) -> Num[Array, "some matches results"]:
        """Scores of some teams after every result of every match, all others as played."""
        of_match, matches = partial(self._of_match, teams), jnp.arange(len(self.last.there))
        return jnp.moveaxis(jax.lax.map(of_match, matches, batch_size=_MATCHES), 2, 0)

    def _of_match(self, teams: Array, match: Array) -> Num[Array, "results some"]:
        played = self.last.played
        changed = Changed(self.last.sides[:, match], self._known)

        def score(half_points: Array) -> Array:
            return self.scores(played.at[match].set(half_points), teams, changed)

        others = jnp.arange(self.last.law.shape[1] - 1)
        found = jax.vmap(score)(others + (others >= played[match]))  # all but the played one
        return jnp.insert(found, played[match], self.played[teams], axis=0)

    def scores(
        self, half_points: Array, teams: Int[Array, " some"], changed: Changed | None = None
    ) -> Num[Array, " some"]:
        """Scores of some teams after other results of all matches, or only of what `changed`."""
        results = self.last.with_results(half_points)
        if isinstance(self.rule, InPasses):
            return self.rule.scores_of(results, teams, changed)
        if isinstance(self.rule, SumOverRounds):
            return self.rule.scores_of(results, teams)
        return self.rule.scores(results)[teams]


class _Linear(Tried):
    """Ratings to which every result adds something of its own, whatever the others are."""

    def __init__(self, rule: LeastSquares, last: LastRound):
        super().__init__(rule, last)
        self.stages, self.more = rule.parts(last.results, last.sides)

    def changed(self, teams: Int[Array, " some"]) -> Num[Array, "some matches results"]:
        gained = jnp.arange(self.last.law.shape[1]) - self.last.played[:, None]
        more = jnp.moveaxis(self.more[..., teams], 0, 2)[..., None]
        return rounded(self.stages[:, teams, None, None] + gained * more)

    def scores(
        self, half_points: Array, teams: Int[Array, " some"], changed: Changed | None = None
    ) -> Num[Array, " some"]:
        gained = half_points - self.last.played
        more = (gained[:, None, None] * self.more[..., teams]).sum(axis=0)
        return rounded(self.stages[:, teams] + more)


class _Encounter(Tried):
    """Direct encounter, which looks at teams of equal match points alone.

    Groups that it does not order are left as they were: no pair of them has an order to turn.
    """

    def changed(self, teams: Int[Array, " some"]) -> Num[Array, "some matches results"]:
        near, matches = self._near(teams), jnp.arange(len(self.last.there))
        as_played = jnp.broadcast_to(self.played[teams], (self.last.law.shape[1], len(teams)))

        def of_match(match: Array) -> Array:
            anew = partial(self._of_match, teams, match)
            return jax.lax.cond(near[match], anew, lambda: as_played)

        # One after the other: side by side, none would be left out.
        return jnp.moveaxis(jax.lax.map(of_match, matches), 2, 0)

    def _near(self, teams: Int[Array, " some"]) -> Bool[Array, " matches"]:
        """Matches of a team that is, or may become, one of a group that has an order."""
        points = self.last.results.match_points
        ordered = jnp.where(self.played[teams] > 0, points[teams], -3)  # -3: out of reach
        # A win is 2 match points.
        return (abs(points[self.last.sides][..., None] - ordered) <= 2).any(axis=(0, 2))
