"""What the rules of chess say: formats of events, round robins, rating tables, results.

- `event_format`: teams, rounds and boards, and how rounds are paired; `berger`: round robins;
- `rating_tables`: FIDE's rating tables and performance;
- `olympiad_pairing`, `team_swiss`: how FIDE pairs teams; `matching`: whether they can be paired;
- `results`: who met whom and what was scored.
"""

from typing import Literal, get_args

Weakest = Literal["lowest-contribution", "fewest-game-points"]
WEAKEST_RULES: tuple[Weakest, ...] = get_args(Weakest)
"""Which of several opponents with the fewest match points is left out."""

Order = Literal["berger", "rutch-berger"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""Orders of the rounds of a round robin. They differ by how far the numbers move on from round to
round."""

Edition = Literal["olympiad-2022", "olympiad-2010"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)
"""Editions of the pairing rules of the Chess Olympiad, see `olympiad_pairing`."""
