"""The points in a Tournament Report File compared with those that follow from its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tb2learn.events.formats.oddities import Notes, Reading, half_points
from tb2learn.events.formats.trf_lines import Line
from tb2learn.events.formats.trf_resting import results_of
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Game, Penalty
from tb2learn.text import plain

MOST = 200
"""Most points in a field that can be right."""


def compared(
    event: TeamEvent,
    records: Mapping[str, Sequence[Line]],
    lines: Mapping[int, Line],
    teams: Mapping[int, int],
    options: Reading,
    notes: Notes,
) -> TeamEvent:
    """Name every difference between points in the file and those of the results.

    **Arguments:**

    - `event`: as read, with all its rounds finished.
    - `records`: of the file: totals of teams stand in 310 and 802.
    - `lines`: records 001 by player.
    - `teams`: numbers of the teams by their numbers in the file.
    - `options`: with `trust_points` the file's totals of teams count; and where it has none, what a
      player has more or less than his results.

    **Returns:** the event, with the difference as points outside of matches where they are trusted.
    """
    if event.individual:
        return compared_players(event, lines, options, notes)
    totals = team_totals(event)
    given = dict(_totals_of_teams(records, teams))
    found: list[Penalty] = []
    for team, (line, points, kind) in sorted(given.items()):
        differ = [
            None if p is None or p == q else p - q
            for p, q in zip(points, totals[team], strict=True)
        ]
        for what, unit, p, q, d in zip(
            ("MP", "GP"), (1, 2), points, totals[team], differ, strict=True
        ):
            if d is not None and p is not None:
                notes.odd(
                    f"team {plain(event.teams[team][:60])} has {p / unit:g} {what} in record "
                    f"{kind}, {q / unit:g} by its results: {_counted(options)}", line,
                )  # fmt: skip
        if any(differ):
            found.append(Penalty(team, 1, differ[0] or 0, differ[1] or 0))
    own = _own_differences(event, lines, options, bool(given), notes)
    if not given:
        found += [Penalty(team, 1, 0, d) for team, d in sorted(own.items()) if d]
    if options.trust_points and found:
        event = replace(event, penalties=(*event.penalties, *found))
    return event


def compared_players(
    event: TeamEvent, lines: Mapping[int, Line], options: Reading, notes: Notes
) -> TeamEvent:
    """Name every player whose points field differs from the points of his results.

    **Arguments:**

    - `event`: as read, with all its rounds finished.
    - `lines`: records 001 by player.
    - `options`: with `trust_points` the fields count.

    **Returns:** the event, with the difference as points outside of games where they are trusted.
    """
    found: list[Penalty] = []
    for player, (total, _) in enumerate(team_totals(event)):
        line = lines[player]
        field = half_points(line.text(81, 84))
        if field is None or field == total:
            continue
        notes.odd(
            f"player {plain(event.teams[player][:60])} has {field / 2:g} in the points field, "
            f"{total / 2:g} by the results: {_counted(options)}", line,
        )  # fmt: skip
        found.append(Penalty(player, 1, field - total, field - total))
    if not options.trust_points:
        return event
    return replace(event, penalties=(*event.penalties, *found))


def _counted(options: Reading) -> str:
    return "the file's count" if options.trust_points else "the results count"


def team_totals(event: TeamEvent) -> list[tuple[int, int]]:
    """Match points and half points of every team, penalties included."""
    points, half = [0] * len(event.teams), [0] * len(event.teams)
    for match in event.matches:
        for team in (match.team_a, match.team_b):
            if team is not None:
                gained, scored = match.points_of(team)
                points[team] += gained
                half[team] += scored
    for penalty in event.penalties:
        points[penalty.team] += penalty.match_points
        half[penalty.team] += penalty.half_points
    return list(zip(points, half, strict=True))


_Total = tuple[Line, tuple[int | None, int | None], str]


def _totals_of_teams(
    records: Mapping[str, Sequence[Line]], teams: Mapping[int, int]
) -> Iterator[tuple[int, _Total]]:
    """Match points and half points that the file gives, by team; 310 before 802."""
    for line in records["802"]:
        words = line.text(9, 200).split()
        points = [half_points(word) for word in words if "." in word or "," in word][:2]
        team = line.text(5, 7)
        if len(points) == 2 and team.isascii() and team.isdigit() and int(team) in teams:
            yield teams[int(team)], (line, _checked(*points), "802")
    for line in records["310"]:
        points = [half_points(line.text(55, 60)), half_points(line.text(62, 67))]
        if any(p is not None for p in points):
            yield teams[int(line.text(5, 7))], (line, _checked(*points), "310")


def _checked(mp: int | None, half: int | None) -> tuple[int | None, int | None]:
    """Match points and half points; None for what cannot be a total."""
    whole = mp is not None and mp % 2 == 0 and abs(mp) <= 2 * MOST
    return (mp or 0) // 2 if whole else None, half if abs(half or 0) <= 2 * MOST else None


def _own_differences(
    event: TeamEvent,
    lines: Mapping[int, Line],
    options: Reading,
    totals_given: bool,
    notes: Notes,
) -> Counter[int]:
    """Name the players whose points field differs from their results; half points by team."""
    scored: Counter[int] = Counter()
    for game in event.games:
        for player, half in _sides(game):
            scored[player] += half
    found: Counter[int] = Counter()
    counted = "the results count" if totals_given else _counted(options)
    for player, line in lines.items():
        field = half_points(line.text(81, 84))
        own, with_byes = results_of(line)
        if field is None or field in (own, with_byes, scored[player]):
            continue
        found[event.players[player].team] += field - own
        notes.odd(
            f"player {line.text(5, 8)} has {field / 2:g} in his points field, {own / 2:g} by his "
            f"results: {counted}", line,
        )  # fmt: skip
    return found


def _sides(game: Game) -> Iterator[tuple[int, int]]:
    for player, half in (
        (game.white, game.white_half_points),
        (game.black, game.black_half_points),
    ):
        if player is not None:
            yield player, half
