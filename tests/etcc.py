"""The packaged championships that are known as cross-tables, without rounds."""

from functools import cache

from tb2learn.data import read_rows
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match


@cache
def championship(name):
    teams = [row["team"] for row in read_rows(name, "teams.csv")]
    about = {row["key"]: row["value"] for row in read_rows(name, "event.csv")}
    matches = []
    for row in read_rows(name, "matches.csv"):
        assert row["round"] == ""
        a, b = (round(2 * float(row[f"game_points_{side}"])) for side in "ab")
        sides = teams.index(row["team_a"]), teams.index(row["team_b"])
        matches.append(Match(0, int(row["match"]), *sides, a, b, (a + b) // 2, 0))
    return TeamEvent(
        name=about.pop("name"),
        teams=tuple(teams),
        rounds=9,
        boards=int(about.pop("boards")),
        matches=tuple(matches),
        ratings=((),) * len(teams),
        planned=int(about.pop("rounds")),
        about=about,
    )


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
