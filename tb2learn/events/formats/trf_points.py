"""What games and matches of a Tournament Report File score, and its points compared with that."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from tb2learn.events.formats.options import FALLING, Reading, half_points, match_scoring
from tb2learn.events.formats.trf_draw import Place
from tb2learn.events.formats.trf_lines import Columns, Line, Records
from tb2learn.events.formats.trf_resting import results_of
from tb2learn.events.formats.trf_squads import Roster
from tb2learn.events.model import TeamEvent, team_totals
from tb2learn.events.parts import STANDARD_SCORING, Penalty

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "162": ("W", "D", "L", "A", "P", "X"),
    "362": ("TW", "TD", "TL"),
}
GAME = {"W": 2, "D": 1, "L": 0, "A": 0}
"""Half points that a game must score; other symbols may score anything."""
PAIR = re.compile(r"([A-Z]{1,2})\s+([0-9]{1,3}(?:[.,][0-9]{0,3})?)(?=\s|$)", re.ASCII)


def _said(records: Records, kind: str, allowed: Mapping[str, int]) -> dict[str, int]:
    """Half points by symbol, as records 162 or 362 say.

    **Arguments:** `allowed`: what some of the symbols must score.

    **Raises:** `InputError` if one of these scores other points.
    """
    said: dict[str, int] = {}
    for line in records[kind]:
        for field, symbol, points in _pairs(line):
            if points is None:
                continue
            if allowed.get(symbol, points) != points:
                raise line.error(field, f"{allowed[symbol] / 2:g}")
            said[symbol] = points
    return said


def read_scoring(records: Records, options: Reading) -> tuple[int, int, int]:
    """Match points of a match won, drawn and lost: the user's, else the file's, else 2, 1, 0.

    **Raises:** `InputError` if a game scores other points than 1, 1/2 and 0.
    """
    _said(records, "162", GAME)
    said = _said(records, "362", {})
    usual = zip(SYMBOLS["362"], STANDARD_SCORING, strict=True)
    scoring = match_scoring([said.get(symbol, 2 * points) for symbol, points in usual])
    if scoring is None:
        raise records["362"][0].error(Columns(5, None, "match points"), FALLING)
    if options.match_points not in (None, scoring):
        if said:
            records.notes.say("match points are those that were asked for, not those of record 362")
        scoring = options.match_points or scoring
    return scoring


def read_game_scoring(
    records: Records, options: Reading
) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """What an individual event scores, in half points: the user's, else the file's, else 2, 1, 0.

    **Returns:** the match points of a game won, drawn and lost, which are its half points there;
    match points and half points of a pairing-allocated bye, by default those of a win.

    **Raises:** `InputError` for points that do not fall from won to lost, or of an absence.
    """
    said = _said(records, "162", {"A": 0})
    won, drawn, lost = (said.get(s, p) for s, p in zip("WDL", STANDARD_SCORING, strict=True))
    if not won > drawn >= lost >= 0:
        allowed = "points that fall from won to drawn to lost"
        raise records["162"][0].error(Columns(6, None, "points"), allowed)
    scoring = won, drawn, lost
    if options.game_scoring not in (None, scoring):
        if said:
            about = "points of a game are those that were asked for, not those of record 162"
            records.notes.say(about)
        scoring = options.game_scoring or scoring
        said = {}
    return scoring, options.player_bye(said.get("P", scoring[0]))


def _pairs(line: Line) -> Iterator[tuple[Columns, str, int | None]]:
    """The symbols of a record with their half points, and where the points stand."""
    kind, symbols = line.kind, SYMBOLS[line.kind]
    if not line.notes.strict and not _in_columns(line, symbols):
        found = PAIR.findall(line.cut(5).upper())
        if found and all(symbol in symbols for symbol, _ in found):
            line.notes.odd(f"record {kind} stands beside its columns: its pairs are taken", line)
            for symbol, points in found:
                yield Columns(5, 8, f"points of {symbol}"), symbol, half_points(points)
            return
    for where, field in _columns(line, symbols):
        symbol = line.text(where).upper()
        points = line.half_points(field, 99)
        if symbol not in symbols and (symbol or points is not None):
            raise line.error(where, f"one of {', '.join(symbols)}")
        if symbol and points is None:
            assumed = f"a symbol without points in record {kind} is left out"
            line.odd(assumed, field, "the points of the symbol")
        yield field._replace(name=f"points of {symbol}"), symbol, points


def _columns(line: Line, symbols: Sequence[str]) -> Iterator[tuple[Columns, Columns]]:
    """Where the symbols of a record stand, and the points after them."""
    for first in range(7, len(line.content) + 2, 9):
        symbol = Columns(first - len(symbols[0]), first - 1, "symbol")
        yield symbol, Columns(first, first + 3, "points")


def _in_columns(line: Line, symbols: Sequence[str]) -> bool:
    """Whether all symbols of a record stand before the columns of their points."""
    for where, field in _columns(line, symbols):
        symbol, points = line.text(where), line.text(field)
        if (symbol or points) and (symbol.upper() not in symbols or half_points(points) is None):
            return False
    return True


MOST = 200
"""Most points in a field that can be right."""


def compared(event: TeamEvent, records: Records, roster: Roster, options: Reading) -> TeamEvent:
    """Name every difference between points in the file and those of the results.

    **Arguments:**

    - `event`: as read, with all its rounds finished.
    - `records`: of the file: totals of teams stand in 310 and 802, points of players in 001.
    - `roster`: teams and players by their numbers in the file.
    - `options`: with `trust_points` the file's totals of teams or players count; and where it has
      no totals of teams, what their players have more or less than their results.

    **Returns:** the event, with the difference as points outside of matches where they are trusted.
    """
    given = _given(event, records, roster)
    found = list(_differ(event, given, options))
    if not event.individual:
        own = _own_differences(event, roster, options.trust_points and not given)
        if not given:
            found = [Penalty(team, 1, 0, d) for team, d in sorted(own.items()) if d]
    if not options.trust_points:
        return event
    return replace(event, penalties=(*event.penalties, *found))


def _say_differs(
    line: Line, field: str, what: str, name: str, said: float, found: float, trusted: bool
) -> None:
    """Say which counts: the points in a field, or those of the results, which are others."""
    whose = f"{what} in record {line.kind}"
    whom = (
        "team" if line.kind in ("310", "802") else "player",
        f"{name[:40]} with {said:g} instead of {found:g}",
    )
    if trusted:
        line.notes.say(f"{whose} count, though the results give others", line, whom)
        return
    error = partial(line.error, field, f"{found:g} {what}, as by the results")
    line.notes.odd(f"{whose} differ from those of the results, which count", line, error, whom)


_Total = tuple[Line, tuple[int | None, int | None]]


def _differ(event: TeamEvent, given: Mapping[int, _Total], options: Reading) -> Iterator[Penalty]:
    """Name the teams or players whose points in the file differ from those of their results."""
    totals = team_totals(event)
    kinds = ((1, "points", 2, 0),) if event.individual else ((0, "MP", 1, 0), (1, "GP", 2, 1))
    for entrant, (line, points) in sorted(given.items()):
        differ = [0, 0]
        for k, what, unit, of in kinds:
            said, found = points[k], totals[entrant][of]
            if said is None or said == found:
                continue
            differ[k] = said - found
            fields = {"001": "points", "802": "totals"}
            field = fields.get(line.kind, ("match points", "game points")[k])
            name = event.teams[entrant]
            both = said / unit, found / unit
            _say_differs(line, field, what, name, *both, options.trust_points)
        if any(differ):
            yield Penalty(entrant, 1, differ[1 if event.individual else 0], differ[1])


def unpaid_byes(event: TeamEvent, records: Records, roster: Roster, byes: Set[Place]) -> set[Place]:
    """Those of the byes that the points in the file deny: they are those of the other results.

    **Arguments:** `event` with the byes; `byes`: round and team.
    """
    given = {one: points for one, (_, points) in _given(event, records, roster).items()}
    paid = defaultdict[int, list[tuple[int, int]]](list)
    for match in event.matches:
        if (match.round, match.team_a) in byes:
            paid[match.team_a].append(match.points_of(match.team_a))
    denied: set[int] = set()
    totals = team_totals(event)
    for team, points in paid.items():
        others = [
            all_ - sum(own)
            for all_, own in zip(totals[team], zip(*points, strict=True), strict=True)
        ]
        said = [(a, b) for a, b in zip(given.get(team, ()), others, strict=False) if a is not None]
        if said and tuple(others) != totals[team] and all(a == b for a, b in said):
            denied.add(team)
    return {place for place in byes if place[1] in denied}


def _given(event: TeamEvent, records: Records, roster: Roster) -> Mapping[int, _Total]:
    """Match points and half points that the file gives, by team; of players half points alone."""
    if not event.individual:
        return dict(_totals_of_teams(records, roster))
    fields = ((p, line, half_points(line.text("points"))) for p, line in roster.lines.items())
    return {player: (line, (None, half)) for player, line, half in fields}


def _totals_of_teams(records: Records, roster: Roster) -> Iterator[tuple[int, _Total]]:
    """Match points and half points that the file gives, by team; 310 before 802."""
    for line in records["802"]:
        words = line.text("totals").split()
        points = [half_points(word) for word in words if "." in word or "," in word][:2]
        team = line.text("team number")
        if len(points) == 2 and team.isascii() and team.isdigit() and int(team) in roster.teams:
            yield roster.teams[int(team)], (line, _checked(*points))
    for line in records["310"]:
        points = [half_points(line.text(field)) for field in ("match points", "game points")]
        if any(p is not None for p in points):
            yield roster.teams[int(line.text("team number"))], (line, _checked(*points))


def _checked(mp: int | None, half: int | None) -> tuple[int | None, int | None]:
    """Match points and half points; None for what cannot be a total."""
    whole = mp is not None and mp % 2 == 0 and abs(mp) <= 2 * MOST
    return (mp or 0) // 2 if whole else None, half if abs(half or 0) <= 2 * MOST else None


def _own_differences(event: TeamEvent, roster: Roster, trusted: bool) -> Counter[int]:
    """Name the players whose points field differs from their results; half points by team."""
    scored: Counter[int | None] = Counter()
    for game in event.games:
        for side in game.sides:
            scored[side.player] += side.half_points
    found: Counter[int] = Counter()
    for player, line in roster.lines.items():
        field = half_points(line.text("points"))
        own, with_byes = results_of(line)
        if field is None or own <= field <= with_byes or field == scored[player]:
            continue
        found[event.players[player].team] += field - own
        name = event.players[player].name
        _say_differs(line, "points", "points", name, field / 2, own / 2, trusted)
    return found
