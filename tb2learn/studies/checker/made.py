"""Made-up events with all that tie-breaks trip over: byes, forfeits, empty boards, retirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tb2learn.chess.berger import round_robin
from tb2learn.chess.rating_tables import PERCENT, expected_hundredths
from tb2learn.events import TeamEvent
from tb2learn.events.parts import (
    STANDARD_SCORING,
    Bye,
    Game,
    Match,
    Player,
    bye_half_points,
    matches_of,
    team_ratings,
    with_scoring,
)

RETIRES, BYE_ASKED, FORFEIT, EMPTY = 0.03, 0.04, 0.08, 0.03
"""Shares: of those there who retire after a round, who ask for a bye; of matches that are lost by
default, and of boards."""


@dataclass
class _Entrants:
    """Who is there, and what they scored so far."""

    points: list[int]
    met: set[frozenset[int]] = field(default_factory=set)
    had_bye: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)

    def add(self, matches: Sequence[Match]) -> None:
        """Count the matches of a round."""
        for match in matches:
            self.met.add(frozenset(match.teams))
            for team in match.teams:
                self.points[team] += match.points_of(team)[0]


def made_event(
    name: str,
    teams: int,
    rounds: int,
    boards: int,
    seed: int,
    scoring: tuple[int, int, int] = STANDARD_SCORING,
    cycles: int = 0,
    unrated: float = 0.0,
) -> TeamEvent:
    """A Swiss event, or a round robin without byes and retirements, that nobody played.

    **Arguments:**

    - `name`: of the event.
    - `teams`, `rounds`, `boards`: on one board teams are players; rounds are of a Swiss.
    - `seed`: of its random numbers.
    - `scoring`: match points of a match won, drawn and lost.
    - `cycles`: of a round robin; 0 for a Swiss.
    - `unrated`: share of the players without a rating.
    """
    rng = np.random.default_rng(seed)
    players = _players(rng, teams, boards, unrated)
    entrants, games, matches = _Entrants([0] * teams), list[Game](), list[Match]()
    berger = round_robin(teams, cycles).games.tolist() if cycles else []
    rounds = len(berger) or rounds
    for number in range(1, rounds + 1):
        if cycles:
            byes, pairs = {}, [(white, black) for white, black in berger[number - 1]]
        else:
            byes = _asked(rng, entrants, boards)
            pairs = _paired(rng, entrants, byes)
        numbers = {(number, match): pair for match, pair in enumerate(pairs, start=1)}
        played = [
            game
            for key, pair in numbers.items()
            for game in _games(rng, players, key, pair, boards)
        ]
        found = [*matches_of(played, numbers)]
        found += [
            _bye(number, place, team, bye, boards, scoring)
            for place, (team, bye) in enumerate(byes.items(), start=len(pairs) + 1)
        ]
        entrants.add(found)
        games += played
        matches += found
    names = (p.name if boards == 1 else f"Team {p.team + 1}" for p in players[::boards])
    return TeamEvent(
        name=name,
        teams=tuple(names),
        rounds=rounds,
        boards=boards,
        matches=with_scoring(matches, scoring),
        ratings=team_ratings(teams, players, games),
        players=tuple(players),
        games=tuple(games),
        planned=rounds,
        scoring=scoring,
        individual=boards == 1,
    )


def _players(rng: np.random.Generator, teams: int, boards: int, unrated: float) -> list[Player]:
    """Players team by team, the strongest teams first."""
    strength = sorted(rng.integers(1700, 2600, teams).tolist(), reverse=True)
    return [
        Player(
            team,
            f"Player {team * boards + board + 1}",
            rating=0 if rng.random() < unrated else max(1400, strength[team] - 40 * board),
        )
        for team in range(teams)
        for board in range(boards)
    ]


def _asked(rng: np.random.Generator, entrants: _Entrants, boards: int) -> dict[int, Bye]:
    """Who is not paired in a round, and why: some asked for a bye, some have left."""
    found: dict[int, Bye] = {team: "zero" for team in entrants.left}
    for team in range(len(entrants.points)):
        chance = rng.random()
        if team in entrants.left:
            continue
        if chance < RETIRES and any(entrants.points):
            entrants.left.add(team)
            found[team] = "zero"
        elif chance < RETIRES + BYE_ASKED:
            kinds: tuple[Bye, ...] = ("half", "zero", "full") if boards == 1 else ("half", "zero")
            found[team] = kinds[rng.integers(len(kinds))]
    return found


def _paired(
    rng: np.random.Generator, entrants: _Entrants, byes: dict[int, Bye]
) -> list[tuple[int, int]]:
    """Neighbours by points who have not met; of an odd number the last without a bye gets one."""
    there = (team for team in range(len(entrants.points)) if team not in byes)
    waiting = sorted(there, key=lambda team: (-entrants.points[team], team))
    if len(waiting) % 2:
        rest = next((team for team in waiting[::-1] if team not in entrants.had_bye), waiting[-1])
        byes[rest] = "pairing"
        entrants.had_bye.add(rest)
        waiting.remove(rest)
    pairs = []
    while waiting:
        one = waiting.pop(0)
        new = (team for team in waiting if frozenset((one, team)) not in entrants.met)
        other = next(new, waiting[0])
        waiting.remove(other)
        pairs.append((one, other) if rng.random() < 0.5 else (other, one))
    return pairs


def _games(
    rng: np.random.Generator,
    players: Sequence[Player],
    key: tuple[int, int],
    pair: tuple[int, int],
    boards: int,
) -> list[Game]:
    """The boards of a match: the first team has White on board 1, colours alternate."""
    absent = rng.choice(3, p=[1 - FORFEIT, 0.8 * FORFEIT, 0.2 * FORFEIT])  # nobody, one, both
    found = []
    for board in range(1, boards + 1):
        sides = pair if board % 2 else pair[::-1]
        white, black = (team * boards + board - 1 for team in sides)
        ahead = players[white].rating - players[black].rating + 35
        expected = float(expected_hundredths(np.asarray(ahead))) / PERCENT
        draw = min(expected, 1 - expected)
        points = int(rng.choice(3, p=[1 - expected - draw / 2, draw, expected - draw / 2]))
        scored, played = (points, 2 - points), True
        if absent or (boards > 1 and rng.random() < EMPTY):
            won = (2, 0) if absent == 0 else (0, 0) if absent == 2 else (2, 0)
            scored, played = won if board % 2 else won[::-1], False
        found.append(
            Game(
                round=key[0],
                match=key[1],
                board=board,
                white_team=sides[0],
                black_team=sides[1],
                white=white,
                black=black,
                white_half_points=scored[0],
                black_half_points=scored[1],
                played=played,
            )
        )
    return found


def _bye(
    number: int, place: int, team: int, bye: Bye, boards: int, scoring: tuple[int, int, int]
) -> Match:
    """A bye; the pairing-allocated one of a player pays a win."""
    if bye == "pairing" and boards == 1:
        return Match(number, place, team, None, 2, 0, 0, 0, bye, match_points_a=scoring[0])
    return Match(number, place, team, None, bye_half_points(bye, boards), 0, 0, 0, bye)
