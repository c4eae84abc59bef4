"""The packaged championships that are known as cross-tables, without rounds."""

from functools import cache

from tb2learn.events import read_event
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match

championship = cache(read_event)


def small(rounds, teams=None, boards=2, **options):
    """An event from rounds of `(a, b or None for a bye, half points of a, of b)`."""
    matches = tuple(
        Match(r, number, a, b, half, other, *((0, 0, "pairing") if b is None else (boards, 0)))
        for r, played in enumerate(rounds, start=1)
        for number, (a, b, half, other) in enumerate(played, start=1)
    )
    if teams is None:
        teams = "ABCDEFGHIJKLMNOP"[: 1 + max(max(m.team_a, m.team_b or 0) for m in matches)]
    options = {"name": "small", "rounds": len(rounds), **options}
    teams = tuple(teams)
    return TeamEvent(
        teams=teams, boards=boards, matches=matches, ratings=((),) * len(teams), **options
    )
