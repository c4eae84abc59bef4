"""The words for what is ranked: teams with match points, or players with points."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """Words of headings and keys of files.

    **Fields:**

    - `one`, `many`: who is ranked.
    - `game`: what a round is.
    - `points`, `result`: final points, and the result of a round, as headings.
    - `points_key`, `result_key`: the same in CSV and JSON.
    - `total`: the sum of a working.
    - `unit`: worth of a match point in the points that are shown.
    """

    # `team` or `player`.
    one: str
    many: str
    game: str
    points: str
    points_key: str
    result: str
    result_key: str
    total: str
    unit: float

    @property
    def opponent(self) -> str:
        """The heading of an opponent's final points."""
        return f"opp {self.points}"

    @property
    def opponent_key(self) -> str:
        """The same in CSV and JSON."""
        return f"opponent_{self.points_key}"

    def printed_points(self, match_points: float) -> int | float:
        """Match points in the points that are shown; whole ones as whole numbers."""
        points = self.unit * match_points
        return int(points) if float(points).is_integer() else points


TEAMS = Terms("team", "teams", "match", "MP", "mp", "GP", "gp", "TB2", 1.0)
PLAYERS = Terms(
    "player", "players", "game", "points", "points", "result", "result", "tie-break", 0.5
)


def terms(individual: bool) -> Terms:
    """The words of an event."""
    return PLAYERS if individual else TEAMS
