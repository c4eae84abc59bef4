"""A conformance pack: events with the numbers that a rule gives, for other programs to compute.

`expected.csv` has a row a team of every event under every policy for unplayed rounds. A program
proves that it computes the rule by writing the same file; `differences` names what is not the same.

The events are small and synthetic; between them they have every case that a regulation speaks of.
An event is a function of the format and a seed. All names are made up.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tb2learn.chess.berger import round_robin
from tb2learn.disk import inputs
from tb2learn.events import Criterion, TeamEvent, rank
from tb2learn.events.files.options import Reading
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.orders import CriteriaReader
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
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.text import csv_text, plain_number, printable, quoted
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError
from tb2learn.version import __version__

EXPECTED, README = "expected.csv", "README.txt"

COLUMNS = ("event", "policy", "start", "team", "mp", "tb2", "place")

MOST_ROWS = 100_000
"""Rows of a file that are read."""

_SAME = 0.5e-4  # scores are printed with four decimals


class Key(NamedTuple):
    """A row of the file: an event, a policy, and a team by its start number."""

    event: str
    policy: str
    start: int

    @property
    def where(self) -> str:
        """The table that the row stands in."""
        return f"{self.event}, {self.policy}"


class Numbers(NamedTuple):
    """What a row says of the team."""

    mp: float
    tb2: float
    place: float


class League(NamedTuple):
    """A round robin: how many teams, and how often everybody meets everybody."""

    teams: int
    cycles: int = 1


def conformance_pack(rule: Rule, seed: int, league: League | None = None) -> dict[str, str]:
    """The files of a pack by name, for the format of a rule.

    **Arguments:** `league`: of a round robin, whose list of criteria all events have then.
    """
    files, read = {}, {}
    events = events_of_pack(rule.event_rounds, rule.boards, seed)
    if league:
        events = {LEAGUE: league_event(league, rule.boards, seed), **events}
    reader = CriteriaReader(rule.event_rounds, rule.boards, round_robin=league is not None)
    for name, event in events.items():
        files[f"{name}.trf"] = write_trf(event, 2026)
        # The numbers are those of what other programs read.
        # Teams of a pack meet again, which looks like a slip in a real event.
        strictly = Reading(strict=True, slips=False, form="trf")
        read[name] = read_event(MemoryFile(name, files[f"{name}.trf"].encode()), strictly)
    files[EXPECTED] = numbers_csv(read, reader.led_by(rule))
    files[README] = _readme(rule, seed, list(events))
    return files


def numbers_csv(
    events: Mapping[str, TeamEvent],
    by: Rule | Sequence[Criterion],
    policies: Iterable[str] = tuple(POLICIES),
) -> str:
    """What a rule gives under policies for unplayed rounds, as the content of `EXPECTED`.

    **Arguments:** `by`: as for `rank`; of criteria one is called `tb2`.
    """
    rows = []
    for name, event in events.items():
        for policy in policies:
            # In the order of start numbers.
            for start, row in enumerate(rank(event, by, unplayed=policy).row_of, start=1):
                scores = (plain_number(row.scores[key]) for key in ("mp", "tb2"))
                rows.append((name, policy, start, row.team, *scores, row.place))
    return csv_text([COLUMNS, *rows])


def _readme(rule: Rule, seed: int, events: Sequence[str]) -> str:
    lines = [
        f"Conformance pack of the tie-break {rule.name} for {rule.event_rounds} rounds and "
        f"{rule.boards} boards",
        "",
        f"Made by tb2learn {__version__}, seed {seed}; checksum of the rule {rule.digest()}.",
        "",
        "Rank the events of the TRF26 files by match points, TB2 and what follows in the",
        f"regulation, and write a file like {EXPECTED}. Then",
        "",
        "    tb2learn conform THIS_FOLDER --against YOUR_FILE",
        "",
        "names every number that differs, and ends with status 0 if none does, else 1.",
        "",
        *(f"{name}.trf: {CONTENTS[name]}" for name in events),
        "",
        f"Columns of {EXPECTED}: the event, the policy for unplayed rounds, the team's number and",
        "name in the file, its match points, TB2 and place (teams equal on everything share one).",
    ]
    return "\n".join(lines) + "\n"


# --------------------------------------------------------------------------- what differs


def read_numbers(path: Path) -> dict[Key, Numbers]:
    """The rows of a file like `expected.csv`.

    **Raises:** `InputError` naming file and line for what is no such file.
    """
    text = inputs.read_text(path)
    reader = csv.reader(io.StringIO(text), strict=True)
    numbers_of: dict[Key, Numbers] = {}
    try:
        heads = [head.strip().lower() for head in next(reader, [])]
        missing = [name for name in COLUMNS if name != "team" and heads.count(name) != 1]
        if missing:
            raise InputError(
                f"{printable(str(path))}: the first line must name the columns "
                f"{', '.join(COLUMNS)} once (team may be missing), not so {', '.join(missing)}"
            )
        for cells in reader:
            if not any(cells):
                continue
            where = f"{printable(str(path))}: line {reader.line_num}"
            # A comma within a name that is not in quotes would move all numbers by a column.
            if len(cells) != len(heads):
                raise InputError(f"{where}: must have {len(heads)} cells, got {len(cells)}")
            key, numbers = _parse_row(where, dict(zip(heads, cells, strict=True)))
            if key in numbers_of:
                raise InputError(f"{where}: {quoted(key.where)}, team {key.start} stands twice")
            # Before it is kept: the file is anybody's.
            if len(numbers_of) == MOST_ROWS:
                raise InputError(f"{where}: more than {MOST_ROWS} rows")
            numbers_of[key] = numbers
    except csv.Error as error:
        raise InputError(f"{printable(str(path))}: line {reader.line_num}: {error}") from error
    return numbers_of


def _parse_row(where: str, row: Mapping[str, str]) -> tuple[Key, Numbers]:
    numbers = []
    for name in ("start", *Numbers._fields):
        try:
            value = float(row[name])
        except ValueError:
            # Refused below, with what else is no number.
            value = math.nan
        if not math.isfinite(value) or (name in ("start", "place") and value != int(value)):
            raise InputError(f"{where}: {name} must be a number, got {quoted(row[name])}")
        numbers.append(value)
    start, *rest = numbers
    return Key(row["event"].strip(), row["policy"].strip(), int(start)), Numbers(*rest)


def differences(expected: Mapping[Key, Numbers], theirs_of: Mapping[Key, Numbers]) -> list[str]:
    """What another program computed otherwise, one line each; tables that are missing first."""
    lines = []
    for fault, table, held_against in (
        ("missing", expected, theirs_of),
        ("not in the pack", theirs_of, expected),
    ):
        # By table, as one that is not there at all would else be a line a team.
        counts = Counter(key.where for key in table if key not in held_against)
        lines += [
            f"{quoted(where)}: {rows} team{'s' if rows > 1 else ''} {fault}"
            for where, rows in counts.items()
        ]
    for key, ours in expected.items():
        theirs = theirs_of.get(key)
        # What is missing has been named above: it is compared with itself.
        for name, right, got in zip(Numbers._fields, ours, theirs or ours, strict=True):
            if abs(right - got) > _SAME:
                difference = f"{name} must be {plain_number(right)}, got {plain_number(got)}"
                lines.append(f"{key.where}, team {key.start}: {difference}")
    return lines


# --------------------------------------------------------------------------- the events

NAMES = (
    *("Alder", "Aspen", "Beech", "Birch", "Cedar", "Cherry", "Chestnut", "Cypress", "Elder", "Elm"),
    *("Fir", "Hazel", "Holly", "Juniper", "Larch", "Laurel", "Lime", "Maple", "Oak", "Olive"),
    *("Pine", "Plane", "Poplar", "Rowan", "Spruce", "Walnut", "Willow", "Yew"),
)

SWISS, ABSENCES, TWINS, LEAGUE = "swiss", "absences", "twins", "league"

CONTENTS: Mapping[str, str] = {
    SWISS: "A Swiss of teams in which every round was played by everybody.",
    ABSENCES: "An odd field with all that keeps a round from being played: pairing-allocated, "
    "full-point, half-point and zero-point byes, matches and single boards won by default, "
    "matches lost by both sides, teams that come late or retire, penalties, teams without ratings.",
    TWINS: "Two groups with the same results, so that every team shares its place with its twin; "
    "in small fields teams meet more than once.",
    LEAGUE: "A round robin in which every round was played by everybody.",
}
"""What every event has."""

_SWISS, _ABSENT, _TWINS = 22, 17, 6  # teams; of a group of twins
_DRAWN = 0.3  # of the games
_UNRATED = 3  # one team in so many of `ABSENCES` has players without ratings
_SPREAD = 160  # rating points


@dataclass
class _InPlay:
    """An event while it is played: what a `TeamEvent` has, points, and who met how often."""

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
            # The last one that has not rested yet; where all have, the last one again.
            rests = next((t for t in reversed(order) if t not in self.had_bye), order[-1])
            order.remove(rests)
            self.had_bye.add(rests)
        drawn_pairs = []
        while order:
            first = order.pop(0)
            # The first of those met least often, so a neighbour by points.
            second = min(order, key=lambda team: self.met[min(first, team), max(first, team)])
            order.remove(second)
            self.met[min(first, second), max(first, second)] += 1
            drawn_pairs.append((first, second) if self.rng.integers(2) else (second, first))
        return drawn_pairs, rests

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
                # Who loses the last board alone by default has played the others.
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
            # A match that both lost gives neither a match point.
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
        # Byes are numbered behind the matches of their round.
        number = 1 + max([*taken, *(n for r, n in self.numbers if r == round)], default=0)
        half = bye_half_points(bye, self.boards)
        bye_round = Match(round, number, team, None, half, 0, 0, 0, bye)
        self.byes.append(bye_round)
        self.points[team] += bye_round.match_points[0]

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


def events_of_pack(rounds: int, boards: int, seed: int) -> dict[str, TeamEvent]:
    """The events of a conformance pack by name.

    **Arguments:** `rounds`, `boards`: the format, 1..40 and 2..12; `seed`: of their results.
    """
    # A stream each: a change of one event leaves the others as they are.
    swiss, absences, twins = (np.random.default_rng([seed, number]) for number in range(3))
    return {
        SWISS: _play_all_rounds(swiss, _SWISS, _SWISS, rounds, boards).event(SWISS, rounds),
        ABSENCES: _absences(absences, rounds, boards),
        TWINS: _twins(twins, rounds, boards),
    }


def league_event(league: League, boards: int, seed: int) -> TeamEvent:
    """A round robin of teams of nearly equal strength, in which ties are many."""
    count = len(NAMES)
    names = [
        NAMES[n % count] + (f" {1 + n // count}" if n >= count else "") for n in range(league.teams)
    ]
    played = _InPlay(np.random.default_rng([seed, len(CONTENTS)]), names, boards)
    played.sign_up()
    rounds = round_robin(league.teams, league.cycles).games.tolist()
    for round, pairs in enumerate(rounds, start=1):
        played.play(round, map(tuple, pairs), {})
        # In an odd field one rests.
        for team in {*range(league.teams)} - {team for pair in pairs for team in pair}:
            played.rest(round, team, "zero")
    return played.event(LEAGUE, len(rounds))


def _play_all_rounds(
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
    byes: dict[tuple[int, int], Bye] = {
        (middle, 9): "half", (middle, 11): "full", (max(1, middle - 1), 13): "zero",
        (rounds, 13): "half",
    }  # fmt: skip
    for round in range(1, 1 + rounds):
        resting: dict[int, Bye] = {t: bye for (when, t), bye in byes.items() if when == round}
        away = {3} if round == 1 else set()
        away |= {5} if round > middle else set()
        away |= {7} if round == rounds > 1 else set()
        pairs, rests = played.pairs([t for t in range(_ABSENT) if t not in away | set(resting)])
        kinds = ("a", "both", "last", "b")
        # Another match and another kind in every round, and a second one further down.
        defaults = {1 + round % 3: kinds[round % 4], 5: kinds[(round + 2) % 4]}
        played.play(round, pairs, defaults)
        for team, bye in resting.items():
            played.rest(round, team, bye)
        if rests is not None:
            played.rest(round, rests, "pairing")
    # Of the leader, who has most to lose.
    best = max(range(_ABSENT), key=lambda team: played.points[team])
    # Nobody can lose points that he does not have.
    taken = (Penalty(best, rounds, -1, -1),) if played.points[best] else ()
    return played.event(ABSENCES, rounds, taken)


def _twins(rng: np.random.Generator, rounds: int, boards: int) -> TeamEvent:
    """Every match of a group is played again, with the same result, by the twins of its teams."""
    played = _play_all_rounds(rng, 2 * _TWINS, _TWINS, rounds, boards)
    players, matches = _TWINS * boards, _TWINS // 2
    for n, player in enumerate(played.players[:players]):
        # Equal ratings, as some rules look at them.
        twin = played.players[players + n]
        played.players[players + n] = replace(twin, rating=player.rating)
    # A copy, as the twins' matches are added to it.
    for (round, match), (a, b) in list(played.numbers.items()):
        played.numbers[round, match + matches] = (a + _TWINS, b + _TWINS)
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
