"""Small synthetic events that between them have every case that a regulation speaks of.

An event is a function of the format and a seed. All names are made up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tb2learn.events import TeamEvent
from tb2learn.events.parts import (
    Bye,
    Game,
    Match,
    Penalty,
    Player,
    bye_half_points,
    matches_of,
    team_ratings,
)

NAMES = (
    *("Alder", "Aspen", "Beech", "Birch", "Cedar", "Cherry", "Chestnut", "Cypress", "Elder", "Elm"),
    *("Fir", "Hazel", "Holly", "Juniper", "Larch", "Laurel", "Lime", "Maple", "Oak", "Olive"),
    *("Pine", "Plane", "Poplar", "Rowan", "Spruce", "Walnut", "Willow", "Yew"),
)

SWISS, ABSENCES, TWINS = "swiss", "absences", "twins"

CONTENTS: Mapping[str, str] = {
    SWISS: "A Swiss of teams in which every round was played by everybody.",
    ABSENCES: "An odd field with all that keeps a round from being played: pairing-allocated, "
    "full-point, half-point and zero-point byes, matches and single boards won by default, "
    "matches lost by both sides, teams that come late or retire, penalties, teams without ratings.",
    TWINS: "Two groups with the same results, so that every team shares its place with its twin; "
    "in small fields teams meet more than once.",
}
"""What every event has."""

_SWISS, _ABSENT, _TWINS = 22, 17, 6  # teams; of a group of twins
_DRAWN = 0.3  # of the games
_UNRATED = 3  # one team in so many of `ABSENCES` has players without ratings
_SPREAD = 160  # rating points


@dataclass
class _InPlay:
    """An event while it is played.

    **Fields:** as those of a `TeamEvent`; `points` and `half_points` of every team, and whom it
    has met how often.
    """

    rng: np.random.Generator
    names: Sequence[str]
    boards: int
    players: list[Player] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    numbers: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    byes: list[Match] = field(default_factory=list)
    points: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    had_bye: set[int] = field(default_factory=set)
    met: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))

    def sign_up(self, unrated: Callable[[int, int], bool] = lambda team, board: False) -> None:
        """Give every team its players, in the order of the boards."""
        for team, name in enumerate(self.names):
            strength = 2400 - 10 * team
            for board in range(1, 1 + self.boards):
                rating = 0 if unrated(team, board) else strength - int(self.rng.integers(_SPREAD))
                self.players.append(Player(team, f"{name} {board}", rating=rating))

    def pairs(self, present: Sequence[int]) -> tuple[list[tuple[int, int]], int | None]:
        """Neighbours by points who have met least; and who has the bye, in an odd field."""
        order = sorted(present, key=lambda team: (-self.points[team], team))
        rests = None
        if len(order) % 2:
            rests = next((t for t in reversed(order) if t not in self.had_bye), order[-1])
            order.remove(rests)
            self.had_bye.add(rests)
        found = []
        while order:
            first = order.pop(0)
            second = min(order, key=lambda team: self.met[min(first, team), max(first, team)])
            order.remove(second)
            self.met[min(first, second), max(first, second)] += 1
            found.append((first, second) if self.rng.integers(2) else (second, first))
        return found, rests

    def play(
        self, round: int, pairs: Iterable[tuple[int, int]], defaults: Mapping[int, str]
    ) -> None:
        """Play the matches of a round.

        **Arguments:** `defaults`: what is not played, by number of the match from 1: `a` and `b`
        lose all boards by default, `both` do, or one of them the `last` board.
        """
        for pair in pairs:
            number = 1 + sum(1 for r, _ in self.numbers if r == round)
            self.numbers[round, number] = pair
            missing, total = defaults.get(number, ""), [0, 0]
            for board in range(1, 1 + self.boards):
                scored = self._scored()
                played = not missing or (missing == "last" and board < self.boards)
                if not played:
                    scored = {"a": (0, 2), "b": (2, 0), "last": (2, 0), "both": (0, 0)}[missing]
                total = [total[0] + scored[0], total[1] + scored[1]]
                sides = list(zip(pair, scored, strict=True))  # the first has White on odd boards
                (team_w, half_w), (team_b, half_b) = sides if board % 2 else sides[::-1]
                white, black = (team * self.boards + board - 1 for team in (team_w, team_b))
                teams, halves = (team_w, team_b, white, black), (half_w, half_b)
                ratings = self.players[white].rating, self.players[black].rating
                self.games.append(Game(round, number, board, *teams, *halves, played, *ratings))
            if any(total):
                for team, mine, theirs in zip(pair, total, total[::-1], strict=True):
                    self.points[team] += 1 + (mine > theirs) - (mine < theirs)

    def _scored(self) -> tuple[int, int]:
        """Half points of both sides of a game."""
        drawn, won = self.rng.random(2) < (_DRAWN, 0.5)
        return (1, 1) if drawn else (2, 0) if won else (0, 2)

    def rest(self, round: int, team: int, bye: Bye) -> None:
        """A round of a team without an opponent."""
        taken = [m.number for m in self.byes if m.round == round]
        number = 1 + max([*taken, *(n for r, n in self.numbers if r == round)], default=0)
        half = bye_half_points(bye, self.boards)
        one = Match(round, number, team, None, half, 0, 0, 0, bye)
        self.byes.append(one)
        self.points[team] += one.match_points[0]

    def event(self, name: str, rounds: int, penalties: tuple[Penalty, ...] = ()) -> TeamEvent:
        """The event as a record."""
        matches = [*matches_of(self.games, self.numbers), *self.byes]
        return TeamEvent(
            name=f"Synthetic event: {name}",
            teams=tuple(self.names),
            rounds=rounds,
            boards=self.boards,
            matches=tuple(sorted(matches, key=lambda m: (m.round, m.number))),
            ratings=team_ratings(len(self.names), self.players, self.games),
            players=tuple(self.players),
            games=tuple(self.games),
            planned=rounds,
            penalties=penalties,
        )


def packed_events(rounds: int, boards: int, seed: int) -> dict[str, TeamEvent]:
    """The events of a conformance pack by name.

    **Arguments:** `rounds`, `boards`: the format, 1..40 and 2..12; `seed`: of their results.
    """
    makers = {SWISS: _swiss, ABSENCES: _absences, TWINS: _twins}
    return {
        name: make(np.random.default_rng([seed, number]), rounds, boards)
        for number, (name, make) in enumerate(makers.items())
    }


def _swiss(rng: np.random.Generator, rounds: int, boards: int) -> TeamEvent:
    return _all_played(rng, _SWISS, _SWISS, rounds, boards).event(SWISS, rounds)


def _all_played(
    rng: np.random.Generator, teams: int, playing: int, rounds: int, boards: int
) -> _InPlay:
    """An event of which the first teams play every round."""
    played = _InPlay(rng, NAMES[:teams], boards)
    played.sign_up()
    for round in range(1, 1 + rounds):
        pairs, _ = played.pairs(range(playing))
        played.play(round, pairs, {})
    return played


def _absences(rng: np.random.Generator, rounds: int, boards: int) -> TeamEvent:
    """Byes that teams ask for, late comers, retirements and defaults, spread over the rounds.

    The teams are told apart by their numbers: 3 comes late, 5 retires in the middle and 7 before
    the last round, 9, 11 and 13 ask for byes.
    """
    played = _InPlay(rng, NAMES[:_ABSENT], boards)
    # A team without any rating, and some of which one player has none.
    played.sign_up(lambda team, board: team == 4 or (team % _UNRATED == 1 and board == 1))
    middle = 1 + rounds // 2
    asked: dict[tuple[int, int], Bye] = {
        (middle, 9): "half", (middle, 11): "full", (max(1, middle - 1), 13): "zero",
        (rounds, 13): "half",
    }  # fmt: skip
    for round in range(1, 1 + rounds):
        resting: dict[int, Bye] = {t: bye for (when, t), bye in asked.items() if when == round}
        away = {3} if round == 1 else set()
        away |= {5} if round > middle else set()
        away |= {7} if round == rounds > 1 else set()
        pairs, rests = played.pairs([t for t in range(_ABSENT) if t not in away | set(resting)])
        kinds = ("a", "both", "last", "b")
        defaults = {1 + round % 3: kinds[round % 4], 5: kinds[(round + 2) % 4]}
        played.play(round, pairs, defaults)
        for team, bye in resting.items():
            played.rest(round, team, bye)
        if rests is not None:
            played.rest(round, rests, "pairing")
    best = max(range(_ABSENT), key=lambda team: played.points[team])
    taken = (Penalty(best, rounds, -1, -1),) if played.points[best] else ()
    return played.event(ABSENCES, rounds, taken)


def _twins(rng: np.random.Generator, rounds: int, boards: int) -> TeamEvent:
    """Every match of a group is played again, with the same result, by the twins of its teams."""
    played = _all_played(rng, 2 * _TWINS, _TWINS, rounds, boards)
    players, matches = _TWINS * boards, _TWINS // 2
    for number, player in enumerate(played.players[:players]):
        twin = played.players[players + number]
        played.players[players + number] = replace(twin, rating=player.rating)
    for (round, number), (a, b) in list(played.numbers.items()):
        played.numbers[round, number + matches] = (a + _TWINS, b + _TWINS)
    played.games += [
        replace(
            game,
            match=game.match + matches,
            white_team=game.white_team + _TWINS,
            black_team=game.black_team + _TWINS,
            white=white + players,
            black=black + players,
        )
        for game in played.games
        if (white := game.white) is not None and (black := game.black) is not None
    ]
    return played.event(TWINS, rounds)
