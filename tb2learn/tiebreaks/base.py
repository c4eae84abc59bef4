"""The protocol of a tie-break."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from jaxtyping import Array, Num

from tb2learn.chess.results import Results


@runtime_checkable
class TieBreak(Protocol):
    """A rule that orders teams of equal match points."""

    def scores(self, results: Results) -> Num[Array, " teams"]:
        """A number a team; of two teams on equal match points the higher one is placed first."""
        ...
