"""The matches of the last round of an event, and the event with other results of them."""

from __future__ import annotations

from dataclasses import replace

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from tb2learn.chess.results import Results, match_points
from tb2learn.config import GameConfig
from tb2learn.simulation.event import Event
from tb2learn.simulation.games import cumulative_law, sample_half_points
from tb2learn.simulation.purposes import UNIT
from tb2learn.types import pytree


@pytree
class LastRound:
    """The matches of the last round of an event, and other results of them.

    An event with fewer matches than half of its teams has the rest of them `there`: false.
    """

    results: Results
    sides: Int[Array, "2 matches"]  # the two teams; beyond the last team where there is none
    there: Bool[Array, " matches"]
    played: Int[Array, " matches"]  # half points of the first side
    law: Int[Array, "matches results"]  # chances of 0, 1, ... half points of it, in 1/UNIT

    @classmethod
    def of(cls, event: Event, game: GameConfig) -> LastRound:
        """That of an event, with the law by which its matches were played."""
        results = event.results
        last, teams = results.opponents[-1], len(results.match_points)
        # Each match once, by its lower number; `BYE` is below all.
        (first,) = jnp.nonzero(last > jnp.arange(teams), size=teams // 2, fill_value=teams)
        is_paired = first < teams
        second = jnp.where(is_paired, last.at[first].get(mode="clip"), teams)
        upper, lower = (event.rosters.at[team].get(mode="clip").T for team in (first, second))
        at_most = cumulative_law(upper, lower, game)
        # At most -1, and at most all half points.
        ends = jnp.zeros_like(at_most[:1]), jnp.full_like(at_most[:1], UNIT)
        law = jnp.diff(jnp.concatenate([ends[0], at_most, ends[1]]), axis=0).T
        played = results.half_points[-1].at[first].get(mode="clip")
        return cls(results, jnp.stack([first, second]), is_paired, played, law)

    def with_results(self, half_points: Int[Array, " matches"]) -> Results:
        """The event with other half points of the first sides."""
        results, boards = self.results, self.results.boards
        first, second = self.sides
        was = results.half_points[-1]
        now = was.at[first].set(half_points, mode="drop")  # nobodies are beyond the last team
        now = now.at[second].set(2 * boards - half_points, mode="drop")
        gained = match_points(now, boards) - match_points(was, boards)
        return replace(
            results,
            half_points=results.half_points.at[-1].set(now),
            match_points=results.match_points + gained,
        )

    def replayed(self, numbers: Int[Array, " matches"]) -> Int[Array, " matches"]:
        """Half points of the first sides, drawn by the law from uniform numbers below `UNIT`."""
        # Without the last one, `UNIT`, which no number reaches.
        return sample_half_points(numbers, jnp.cumsum(self.law, axis=1)[:, :-1].T)
