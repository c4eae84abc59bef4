"""What follows from what an event is, and when it was held: Olympiads, free days, who left.

Whether it is a Swiss or a round robin its `system` says. What unplayed rounds count for
(`unplayed.policies.usual_policy`), which criteria decide (`orders.CriteriaReader`) and how rounds
are paired (`next_round.edition_of`) follow from it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tb2learn.events.files.byes import who_left
from tb2learn.events.model import TeamEvent, store_with_event
from tb2learn.events.parts import Match
from tb2learn.events.system import free_days, said_system
from tb2learn.events.unplayed.record import event_record
from tb2learn.text import plain
from tb2learn.types import BYE, InputError

OLYMPIAD = re.compile("olympi|olimpi|олимп|ολυμπι|奥林匹克|奧林匹克")
"""What titles of Olympiads have in common, in the languages of result servers."""

OTHER_OLYMPIADS = re.compile(
    r"youth|junior|\bu\s?-?\d\d\b|blind|deaf|school|disab|универс|юнош|jugend"
)
"""Events of that name whose tie-breaks follow C.07."""

_MOST_IN_PLAY_OFFS = 8
_LEAST_ROUNDS = 3

HOSTS = (
    "elista1998", "istanbul2000", "bled2002", "calvia2004", "turin2006", "dresden2008",
    "khanty2010", "istanbul2012", "tromso2014", "baku2016", "batumi2018", "chennai2022",
    "budapest2024", "samarkand2026",
)  # fmt: skip
"""Host and year of the Olympiads, with which names of files and of packaged events begin.

Source: FIDE's calendar of Olympiads.
"""

START_OF_2022 = "2022"
"""From the Olympiad of this year on servers show unplayed rounds at face value."""


def start_of(event: TeamEvent) -> str:
    """The day on which an event began, as `2026-09-15`, or only its year; empty if unknown."""
    for key in ("start", "end"):
        date = event.about.get(key, "").replace("/", "-")
        if re.fullmatch(r"\d{4}-\d\d-\d\d", date):
            return date
    texts = (*(event.about.get(key, "") for key in ("start", "end")), event.name)
    # Numbers of four digits that are no part of a longer one.
    years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", " ".join(texts))
    return years[0] if years else ""


def is_olympiad(event: TeamEvent) -> bool:
    """Whether it is a Chess Olympiad, by its title or by the name of its host and year."""
    # Olympiads are events of teams; a player's title may have the word in it.
    return not event.individual and names_olympiad(event.name)


def names_olympiad(title: str) -> bool:
    """Whether a title, or a host and a year, is that of an Olympiad."""
    name = title.casefold()
    plain = re.sub("[^a-z0-9]", "", name)
    titled = OLYMPIAD.search(name) and not OTHER_OLYMPIADS.search(name)
    return bool(titled) or plain.startswith(HOSTS)


def is_declared_round_robin(event: TeamEvent) -> bool:
    """Whether the user or the file itself says so, in records 092 or 192 of a TRF."""
    if event.system.origin == "asked":
        return event.system.is_round_robin
    return said_system(event.about.get("type", "")) == "round-robin"


def is_round_robin(event: TeamEvent) -> bool:
    """Whether everybody was to meet everybody equally often, also if matches were not played."""
    return event.system.is_round_robin


def play_offs(matches: Sequence[Match], entrants: int) -> int:
    """The first round of play-offs behind a Swiss; 0 without any.

    In them at most half of the entrants play, and no more than eight, after three rounds or more in
    which most did.
    """
    busy: dict[int, set[int]] = defaultdict(set)
    for match in matches:
        if match.team_b is not None:
            busy[match.round] |= {*match.teams}
    rounds = sorted(busy)
    few = [r for r in rounds if len(busy[r]) <= min(entrants // 2, _MOST_IN_PLAY_OFFS)]
    first = next((r for r in rounds if r in few and all(s in few for s in rounds if s >= r)), 0)
    if entrants < 5 or not first or rounds.index(first) < _LEAST_ROUNDS:
        return 0
    # A knock-out has fewer players in every round.
    before = [len(busy[r]) for r in rounds if r < first]
    return first if 2 * min(before) > entrants else 0


@store_with_event
def withdrawn(event: TeamEvent) -> Mapping[int, int]:
    """Teams that were absent in at least the last two rounds, with the last round before these.

    One missed round at the end may be an absence like any other; who is drawn for the next round
    has not left, nor has who is in no play-offs.
    """
    # Who is beaten in a cup is out, and has not left.
    if not event.known_rounds or event.system.name == "cup":
        return {}
    record, drawn = event_record(event), {team for pair in event.drawn for team in pair}
    # An open match was paired.
    absent = record.absent if record.open is None else record.absent & ~record.open
    rounds = (play_offs(event.matches, len(event.teams)) or record.rounds + 1) - 1
    alone = {(r + 1, team) for r, team in np.argwhere(absent[:rounds]).tolist()}
    free = {(r, team) for team, r in free_rounds(event)}
    return who_left(alone, rounds, drawn, free)


@store_with_event
def free_rounds(event: TeamEvent) -> frozenset[tuple[int, int]]:
    """Team and round of every free day of a round robin, see `system.free_days`."""
    if not (event.known_rounds and is_round_robin(event)):
        return frozenset()
    record = event_record(event)
    alone = record.opponent == BYE
    if record.awaited is not None:
        alone &= record.awaited == BYE
    places = {(r + 1, team) for r, team in np.argwhere(alone).tolist()}
    rounds, cycles = max(event.rounds, event.planned), max(event.system.cycles, 1)
    days = free_days(places, len(event.teams), rounds, cycles)
    return frozenset((team, r) for r, team in days)


def free_day_notes(event: TeamEvent) -> tuple[str, ...]:
    """A note on free days of a round robin that pay points, as its file or its reader's user says.

    All others pay nothing, and are no part of the event.
    """
    paid = [m for m in event.matches if m.bye == "pairing" and any(m.points_of(m.team_a))]
    if not paid or not is_round_robin(event):
        return ()
    match_points, half = paid[0].points_of(paid[0].team_a)
    points = f"{match_points / 2:g}" if event.individual else f"{match_points} MP, {half / 2:g} GP"
    names = [f"round {m.round} {plain(event.teams[m.team_a][:40])}" for m in paid]
    which = f"{names[0]} ({points})" + (f" and {len(paid) - 1} more" if len(paid) > 1 else "")
    return (
        f"free days of a round robin pay points here, as its file or --bye-points says: {which}",
    )


def short_of_half(event: TeamEvent) -> tuple[int, ...]:
    """Who has played, or can still play, fewer than half of the matches of a round robin."""
    teams = range(len(event.teams))
    cycle = len(teams) - 1 + len(teams) % 2
    if not event.system.cycles or not event.known_rounds or not cycle:
        return ()
    # Rounds still to come count as matches that can be played.
    planned = max(event.rounds, event.planned)
    # In an odd field a cycle has a round more than everybody has matches.
    matches = planned // cycle * (len(teams) - 1)
    played = [sum(m.played and team in m.teams for m in event.matches) for team in teams]
    for match in event.open:  # will be played
        for team in (match.team_a, match.team_b):
            played[team] += 1
    return tuple(t for t in teams if 2 * (played[t] + planned - event.rounds) < matches)


def half_rule(event: TeamEvent, asked: bool | None = None) -> TeamEvent:
    """A round robin without the results of those who played fewer than half of it.

    Their results are kept in the record and count for nobody; they are not ranked.

    **Arguments:** `asked`: whether to apply it; if not said, where the file calls the event a round
    robin. Elsewhere a note says whom it would touch.

    **Raises:** `InputError` if it is asked for in an event that is no round robin.

    **Source:** FIDE's General Regulations for Competitions, article 6.6.
    """
    if asked and not event.system.cycles:
        raise InputError(f"{event.name} is no round robin: the rule of half the games is for those")
    # Never without two who are left: there would be no event.
    short = () if asked is False else short_of_half(event)
    if not short or len(event.teams) - len(short) < 2:
        return event
    names = ", ".join(event.teams[team] for team in short)
    # The rule is FIDE's for tournaments; who runs a league may not use it.
    if not (asked or is_declared_round_robin(event)):
        note = (
            f"{names} played fewer than half of a round robin, and their results count here: by "
            "article 6.6 of FIDE's General Regulations they do not (--half-rule)"
        )
        return replace(event, notes=(*event.notes, note))
    note = (
        f"{names} played fewer than half of the round robin: not ranked, and results against them "
        "do not count (General Regulations 6.6; --no-half-rule counts them)"
    )
    return replace(without_teams(event, set(short)), notes=(*event.notes, note))


def without_teams(event: TeamEvent, gone: set[int]) -> TeamEvent:
    """The event of those who are left, numbered anew, on as many rounds as before."""
    rest = [team for team in range(len(event.teams)) if team not in gone]
    number: dict[int | None, Any] = {None: None} | {team: k for k, team in enumerate(rest)}
    stays = [k for k, player in enumerate(event.players) if player.team not in gone]
    players: dict[int | None, Any] = {None: None} | {player: k for k, player in enumerate(stays)}
    matches = (m for m in event.matches if not gone & set(m.teams))
    games = (g for g in event.games if not gone & {g.white_team, g.black_team})
    return replace(
        event,
        teams=tuple(event.teams[team] for team in rest),
        ratings=tuple(event.ratings[team] for team in rest),
        starts=tuple(event.starts[team] for team in rest) if event.starts else (),
        published={h: tuple(cells[team] for team in rest) for h, cells in event.published.items()},
        matches=tuple(
            replace(m, team_a=number[m.team_a], team_b=number[m.team_b]) for m in matches
        ),
        players=tuple(replace(event.players[k], team=number[event.players[k].team]) for k in stays),
        games=tuple(
            replace(
                g, white_team=number[g.white_team], black_team=number[g.black_team],
                white=players[g.white], black=players[g.black],
            )
            for g in games
        ),
        penalties=tuple(
            replace(p, team=number[p.team]) for p in event.penalties if p.team not in gone
        ),
        drawn=(),  # of teams by their old numbers
        open=tuple(
            m._replace(team_a=number[m.team_a], team_b=number[m.team_b])
            for m in event.open
            if not gone & {m.team_a, m.team_b}
        ),
    )  # fmt: skip
