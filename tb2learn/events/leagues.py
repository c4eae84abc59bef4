"""What tie-breaks are worth where all teams met the same opponents, as a note on an event."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

from tb2learn.data import read_rows
from tb2learn.events.model import TeamEvent

_BY_MATCH_POINTS, _GAME_POINTS = "emmsb", "game-points"


@cache
def _shares() -> dict[tuple[int, int], dict[str, float]]:
    """Shares of all ties decided wrongly, by teams and boards, then by rule.

    Source: `data/leagues.md`.
    """
    found: dict[tuple[int, int], dict[str, float]] = {}
    for row in read_rows("leagues.csv"):
        if row["top"] == "all" and row["boards"] != "1":
            size = int(row["teams"]), int(row["boards"])
            found.setdefault(size, {})[row["rule"]] = float(row["error"])
    return found


def met_the_same(event: TeamEvent) -> bool:
    """Whether every two teams met over the board, all equally often."""
    pairs = dict.fromkeys(combinations(range(len(event.teams)), 2), 0)
    for match in event.matches:
        if match.played:
            first, second = sorted(match.teams)
            pairs[first, second] += 1
    return len(set(pairs.values())) == 1 and 0 not in pairs.values()


def league_notes(event: TeamEvent) -> tuple[str, ...]:
    """A note on a round robin of three teams or more; none on any other event.

    Its figures are those of the simulated league that is most like the event.
    """
    if len(event.teams) < 3 or not met_the_same(event):
        return ()
    shares = _shares()
    teams, boards = min(
        shares,
        key=lambda size: (
            2 * abs(math.log(event.boards / size[1])) + abs(math.log(len(event.teams) / size[0]))
        ),
    )
    wrong = shares[teams, boards]
    return (
        "all teams met the same opponents: what opponents scored says little of a team. In "
        "simulated "
        f"leagues of {teams} teams and {boards} boards Sonneborn-Berger on match points decided "
        f"{wrong[_BY_MATCH_POINTS]:.0%} of the ties wrongly, as lots do, game points "
        f"{wrong[_GAME_POINTS]:.0%} (tb2learn study formats)",
    )
