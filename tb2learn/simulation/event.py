"""A played event."""

from __future__ import annotations

from jaxtyping import Array, Bool

from tb2learn.chess.results import Results
from tb2learn.jax_types import Rosters
from tb2learn.types import PerRound, PerTeam, pytree


@pytree
class Event:
    """A played event; teams are numbered in seed order.

    `strength` is the oracle's, `oracle.true_strength`, where the whole batch has it.
    `ratings` are the published ratings, by which the teams are seeded unless seeds are random.
    """

    rosters: Rosters  # [teams, boards] whole ratings, board order
    opponents: PerRound  # [rounds, teams] BYE where a team rested
    half_points: PerRound  # [rounds, teams]
    match_points: PerTeam  # [teams] final
    whites: Bool[Array, "rounds teams"] | None = None  # had White; None where nobody keeps colours
    strength: PerTeam | None = None  # [teams] units of 1/purposes.UNIT match points
    ratings: PerTeam | None = None  # [teams] whole points; None where nothing is published

    @property
    def results(self) -> Results:
        """What a tie-break may see of it."""
        return Results(
            self.opponents,
            self.half_points,
            self.match_points,
            self.rosters.shape[-1],
            whites=self.whites,
            ratings=self.ratings,
        )
