"""The tie-breaks of individual events by FIDE's regulations (Handbook C.07), and their order.

Names may be written as words or as in FIDE's files (`BH/C1`). An individual event counts match
points, twice the points (see `events.model`), so that all scores here are halved or quartered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int

from tb2learn.events.criteria import Before, ByRule, Completed, Criterion, PolicySum
from tb2learn.tiebreaks.completed import joint_rank
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE, MAX_ROUNDS, InputError

POINTS_UNIT = 0.5
"""Worth of a match point in points."""


class PlayerCriterion(Criterion):
    """A criterion of individual events; `meaning` is its line in legends."""

    meaning: str


@dataclass(frozen=True)
class Own(PlayerCriterion):
    """A number of the player's own rounds.

    **Fields:**

    - `name`, `heading`: as in `Criterion`.
    - `of`: `points`; `wins` (rounds that scored as much as a win, also without a game); `won`
      (games won over the board); `black-wins` and `blacks` (games won, and played, with Black);
      `elected` (rounds not missed by the player's own choice).
    - `meaning`: for legends.
    """

    name: str
    heading: str
    of: Literal["points", "wins", "won", "black-wins", "blacks", "elected"]
    meaning: str

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The number of every player.

        **Raises:** `InputError` if colours are needed and not recorded.
        """
        record = event.record
        if self.of == "points":
            return POINTS_UNIT * record.standing_points
        won = record.gained == record.scoring[0]
        if self.of == "wins":
            found = won
        elif self.of == "won":
            found = won & record.played
        elif self.of == "elected":
            found = record.played | won | record.pairing_byes
        elif record.blacks is None:
            raise InputError(f"{self.name} needs colours: this event is recorded without them")
        else:
            found = record.blacks & won if self.of == "black-wins" else record.blacks
        return found.sum(axis=1).astype(float)


@dataclass(frozen=True)
class PlayerSum(PolicySum, PlayerCriterion):
    """Buchholz, or Sonneborn-Berger if `own` is `m`: articles 8.1, 9.1 and 14."""

    meaning: str = ""

    @property
    def unit(self) -> float:
        """Points instead of match points."""
        return POINTS_UNIT ** (1 + bool(self.own))


@dataclass(frozen=True)
class Progressive(PlayerCriterion):
    """The sum of the points after every round but the first `low` ones: articles 7.5 and 14.1."""

    name: str
    heading: str
    low: int = 0
    meaning: str = "sum of the points after every round."

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The sum of every player."""
        after = np.cumsum(event.record.gained, axis=1)
        return POINTS_UNIT * after[:, self.low :].sum(axis=1)


@dataclass(frozen=True)
class Koya(PlayerCriterion):
    """Points against opponents with at least half of the points that there are: article 9.2."""

    name: str
    heading: str
    meaning: str = "points against opponents who have at least half of all points."

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """The points of every player."""
        record = event.record
        there = record.played | record.named
        # In a round robin of odd size everybody rests once.
        games = there.sum(axis=1).max() if record.is_round_robin else record.rounds
        opponents = record.of_opponents(record.match_points, there)
        good = there & (2 * opponents >= record.scoring[0] * games)
        return POINTS_UNIT * np.where(good, record.gained, 0).sum(axis=1)


@dataclass(frozen=True)
class DirectEncounter(PlayerCriterion):
    """The games among the tied players: article 6.

    If all tied players have met each other, their points against each other decide (their mean
    against one whom they met several times). Otherwise a player is placed first who stays ahead of
    all others even if these win the games that were not played, then the next one in the same way.
    Players who remain tied are compared anew among themselves. Games that the policy for unplayed
    rounds counts as played are games here.
    """

    name: str
    heading: str
    meaning: str = (
        "direct encounter: how many of those still tied the games among them place behind."
    )

    def scores(self, event: Completed, before: Before = ()) -> Float[np.ndarray, " teams"]:
        """How many of the players tied with him every player is placed before."""
        record = event.record
        tied = joint_rank(before) if before else record.standing_points
        opponent = np.where(event.items.opponent == BYE, BYE, record.opponent)
        found = np.zeros(len(tied))
        for group in (np.flatnonzero(tied == rank) for rank in np.unique(tied)):
            if len(group) > 1:
                games = _Games.among(group, opponent, record.gained, record.scoring[0])
                after = len(group)
                for part in games.placed(np.arange(len(group))):
                    after -= len(part)
                    found[group[part]] = after
        return found


@dataclass(frozen=True)
class _Games:
    """Mean match points of every player of a group against every other; NaN without a game."""

    means: Float[np.ndarray, "group group"]
    win: int

    @classmethod
    def among(
        cls,
        group: Int[np.ndarray, " group"],
        opponent: Int[np.ndarray, "teams rounds"],
        gained: Int[np.ndarray, "teams rounds"],
        win: int,
    ) -> _Games:
        """The games among the players of a group."""
        means = np.full((len(group), len(group)), np.nan)
        for i, player in enumerate(group):
            for j, other in enumerate(group):
                met = opponent[player] == other
                if met.any():
                    means[i, j] = gained[player, met].mean()
        return cls(means, win)

    def placed(self, players: Int[np.ndarray, " _"]) -> list[Int[np.ndarray, " _"]]:
        """The players of a part in order; those who stay tied together."""
        inside = self.means[np.ix_(players, players)]
        points = np.round(np.nansum(inside, axis=1), 9)
        missing = len(players) - 1 - (~np.isnan(inside)).sum(axis=1)
        parts: list[Int[np.ndarray, " _"]] = []
        if not missing.any():
            parts = [players[points == p] for p in np.unique(points)[::-1]]
        else:
            left = np.argsort(-points, kind="stable")
            most = points + self.win * missing
            while len(left) > 1 and points[left[0]] > most[left[1:]].max():
                parts.append(players[left[:1]])
                left = left[1:]
            parts.append(players[left])
        if len(parts) == 1:
            return parts
        return [again for part in parts for again in self.placed(part)]


POINTS = Own("points", "points", "points", "points of all rounds.")

_NAMED: Mapping[str, Criterion] = {
    one.name: one
    for one in (
        POINTS,
        DirectEncounter("direct", "direct"),
        Own("wins", "wins", "wins", "rounds that scored a win, with or without a game."),
        Own("games-won", "games-won", "won", "games won over the board."),
        Own("black-wins", "black-wins", "black-wins", "games won with Black."),
        Own("blacks", "blacks", "blacks", "games played with Black."),
        Own("elected", "elected", "elected", "rounds not missed by the player's own choice."),
        Koya("koya", "koya"),
    )
}  # fmt: skip

_CUT = r"(?:-(cut|median)([0-9]{1,2}))?"
_CODES: Mapping[str, str] = {
    "PTS": "points", "DE": "direct", "BH": "buchholz", "SB": "sonneborn-berger", "WIN": "wins",
    "WON": "games-won", "BWG": "black-wins", "BPG": "blacks", "GE": "elected", "REP": "elected",
    "PS": "progressive", "KS": "koya", "ARO": "aro", "APRO": "apro", "PTP": "ptpr",
}  # fmt: skip
"""Names by FIDE's codes."""

SWISS = ("direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins", "black-wins")
ROUND_ROBIN = ("direct", "wins", "sonneborn-berger", "koya")
"""FIDE's tie-breaks in a usual order; C.07 leaves the order to the regulations of an event."""


def fide_list(round_robin: bool) -> tuple[str, ...]:
    """The names that `fide` stands for after the points."""
    return ROUND_ROBIN if round_robin else SWISS


def fide_codes(round_robin: bool) -> str:
    """The points and FIDE's list in the codes of record 212 of a TRF."""
    codes = {name: code for code, name in _CODES.items()} | {"buchholz-cut1": "BH/C1"}
    return ",".join(codes[name] for name in (POINTS.name, *fide_list(round_robin)))


def parse_players(
    text: str, find_rule: Callable[[str], Rule], round_robin: bool = False
) -> tuple[Criterion, ...]:
    """Criteria of an individual event from a list such as `points,direct,buchholz-cut1`.

    **Arguments:**

    - `text`: names or FIDE's codes separated by commas. `fide` stands for the points and FIDE's
      list, less what stands before it.
    - `find_rule`: gives the rule of any other name.
    - `round_robin`: which of FIDE's lists that is.

    **Raises:** `InputError` for an empty or repeated name, or one that `find_rule` does not know.
    """
    names: list[str] = []
    for part in (_plain_name(part.strip()) for part in text.split(",")):
        if part == "fide":
            listed = (POINTS.name, *fide_list(round_robin))
            names += [name for name in listed if name not in names]
        elif not part or part in names:
            raise InputError(f"tiebreaks must be different names separated by commas, got {text!r}")
        else:
            names.append(part)
    return tuple(_parse(name, find_rule) for name in names)


def player_order(
    rule: str, find_rule: Callable[[str], Rule], round_robin: bool = False
) -> tuple[Criterion, ...]:
    """The order by points, a rule by name, and what remains of FIDE's list."""
    return parse_players(f"{POINTS.name},{rule},fide", find_rule, round_robin)


def by_rule(rule: Rule, round_robin: bool = False) -> tuple[Criterion, ...]:
    """The order by points, a rule, and what remains of FIDE's list."""
    return player_order(rule.name, lambda name: rule, round_robin)


def _plain_name(part: str) -> str:
    """A name in words, also of one in FIDE's code."""
    code, _, cut = part.upper().partition("/")
    if code not in _CODES:
        return part.casefold() if part.casefold() in ("fide", *_NAMED) else part
    shape = re.fullmatch("([CM])([0-9]{1,2})", cut, re.ASCII)
    if cut and not shape:
        raise InputError(f"tie-breaks may have a cut such as /C1 or /M1, got {part[:40]!r}")
    kind = {"C": "-cut", "M": "-median"}[shape[1]] + shape[2] if shape else ""
    return _CODES[code] + kind


def _parse(name: str, find_rule: Callable[[str], Rule]) -> Criterion:
    if name in _NAMED:
        return _NAMED[name]
    shape = re.fullmatch(f"(buchholz|sonneborn-berger|progressive){_CUT}", name, re.ASCII)
    if shape is None:
        rule = find_rule(name)
        return ByRule(name, rule.name, rule)
    number = int(shape[3] or 0)
    if number > MAX_ROUNDS or (shape[2] and not number):
        raise InputError(f"a cut must leave out 1..{MAX_ROUNDS} rounds, got {name!r}")
    high = number if shape[2] == "median" else 0
    if high and shape[1] != "buchholz":
        raise InputError(f"{shape[1]} has no median, got {name!r}")
    out = ", without " * bool(number) + " and ".join(
        [
            f"the {'' if n == 1 else f'{n} '}{end}"
            for n, end in ((number, "lowest"), (high, "highest"))
            if n
        ]
    )
    if shape[1] == "progressive":
        return Progressive(name, name, number)
    if shape[1] == "buchholz":
        return PlayerSum(
            name, name, low=number, high=high, meaning=f"sum of the opponents' points{out}."
        )
    return PlayerSum(
        name, name, own="m", low=number,
        meaning=f"sum of the opponents' points, each times the result against him{out}.",
    )  # fmt: skip
