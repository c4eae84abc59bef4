"""Byes, abnormal points and penalties in a Tournament Report File.

A record 299 without a type takes points from a team, or gives it some, outside of its matches. They
change its totals in the standings from the round on that the record names, in round 999 (or without
a round) those of the whole event. Tie-breaks see the results alone, as in FIDE's checker.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tb2learn.events.formats.options import player_points
from tb2learn.events.formats.trf_draw import Draw, Place
from tb2learn.events.formats.trf_lines import (
    BYE_LETTERS,
    BYE_OF_LETTER,
    LISTS,
    Columns,
    Line,
    Records,
)
from tb2learn.events.parts import (
    BYE_MATCH_POINTS,
    STANDARD_SCORING,
    Bye,
    Match,
    Penalty,
    bye_half_points,
    with_scoring,
)
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS

WHOLE_EVENT = 999
MOST_PENALTY = 99
BEST_FIRST: tuple[Bye, ...] = ("default", *BYE_LETTERS)
TYPES = "WDL+-PFHZ"
_ONE_BYE = "a bye in records 320 and 240 that pays the same is one bye"
_AS_AT_OLYMPIADS = "a drawn match, as at Olympiads"


@dataclass(frozen=True)
class Payment:
    """What rounds without an opponent pay.

    **Fields:**

    - `boards`: of a match.
    - `scoring`: match points of a match won, drawn and lost.
    - `bye_points`: match points and half points of a pairing-allocated bye of which the file gives
      no points; None for those of a drawn match.
    - `individual`: whether record 299 gives the points of players.
    """

    boards: int
    scoring: tuple[int, int, int] = STANDARD_SCORING
    bye_points: tuple[int, int] | None = None
    individual: bool = False

    @property
    def bye_text(self) -> str:
        """What a pairing-allocated bye pays, in words."""
        mp, half = self.bye_points or (self.scoring[1], self.boards)
        return f"{mp / 2:g} points" if self.individual else f"{mp} MP and {half / 2:g} GP"

    @property
    def usual_bye(self) -> str:
        """Where that comes from if the user does not say it."""
        return "as the file says, else a win" if self.individual else _AS_AT_OLYMPIADS

    @property
    def most(self) -> int:
        """The most match points of a round."""
        return max(2, self.scoring[0])

    def bye(
        self,
        round_number: int,
        team: int,
        bye: Bye = "pairing",
        match_points: int | None = None,
        half_points: int | None = None,
    ) -> Match:
        """A bye, with its points if they differ from those of its kind."""
        if bye == "pairing" and match_points is None and half_points is None and self.bye_points:
            match_points, half_points = self.bye_points
        standard = bye_half_points(bye, self.boards)
        half_points = standard if half_points is None else half_points
        if self.scoring == STANDARD_SCORING:
            if match_points is None and half_points != standard:
                match_points = BYE_MATCH_POINTS[bye]
            elif match_points == BYE_MATCH_POINTS[bye] and half_points == standard:
                match_points = None
        return Match(
            round_number, 0, team, None, half_points, 0, 0, 0, bye, match_points_a=match_points
        )


def read_byes(records: Records, draw: Draw, rounds: int, payment: Payment) -> dict[Place, Match]:
    """Read the byes of teams in records 320 and 240.

    **Arguments:**

    - `draw`: has the byes that appear only in entries of players.
    - `rounds`: of the event.
    - `payment`: what byes pay.

    **Returns:** the byes by round and team, with match number 0.

    **Raises:** `InputError` for a bye of a team that has a match or another bye in the round.
    """
    found: dict[Place, Match] = {}

    def take(line: Line, column: Columns, round_number: int, bye: Bye, *points: int | None) -> None:
        team = line.team(column, draw.roster.teams)
        place = round_number, team
        if round_number > rounds:
            return
        one, other = payment.bye(round_number, team, bye, *points), found.get(place)
        allowed = f"without a match or other bye in round {round_number}"
        if place in draw.rivals or (other and not _pay_the_same(one, other, payment)):
            raise line.error(column, allowed)
        if other:
            whom = "team", f"{draw.roster.names[team]} in round {round_number}"
            error = partial(line.error, column, allowed)
            line.notes.odd(_ONE_BYE, line, error, whom)
        found.setdefault(place, one)

    for line in records["320"]:
        points = (line.match_points(payment.most), line.half_points("game points", MAX_BOARDS))
        if (points[1] or 0) > 2 * payment.boards:
            assumed = f"a bye is worth more game points than the {payment.boards} boards of a match"
            line.odd(assumed, "game points", f"0..{payment.boards} in steps of 0.5")
        listed = line.listed("team number", 999)
        for round_number, (column, number) in enumerate(listed, start=1):
            if number and round_number > MAX_ROUNDS:
                raise line.error(column, f"in {MAX_ROUNDS} rounds")
            if number:
                take(line, column, round_number, "pairing", *points)
    for line in records["240"]:
        bye = BYE_OF_LETTER.get(line.text("type").upper())
        if bye is None or bye == "pairing":
            raise line.error("type", "one of F, H, Z")
        round_number = line.integer("round", 1, MAX_ROUNDS)
        for column, number in line.listed("team number", 9999):
            if number:
                take(line, column, round_number, bye)
    return {**_player_byes(draw, rounds, payment), **found}


def _pay_the_same(one: Match, other: Match, payment: Payment) -> bool:
    """Whether a bye of record 240 is that of record 320, which stands in the file, too."""
    (one, other) = with_scoring((one, other), payment.scoring)
    points = [match.points_of(match.team_a) for match in (one, other)]
    return one.bye != "pairing" and other.bye == "pairing" and points[0] == points[1]


def _player_byes(draw: Draw, rounds: int, payment: Payment) -> dict[Place, Match]:
    """Byes that appear only in entries of players; the best entry of a team counts."""
    kinds: dict[Place, set[Bye]] = defaultdict(set)
    won: Counter[Place] = Counter()
    for (round_number, player), entry in draw.entries.items():
        place = (round_number, draw.team(player))
        kinds[place].add("default" if entry.half_points else "zero")
        won[place] += entry.half_points
    for place, letters in draw.letters.items():
        kinds[place] |= {BYE_OF_LETTER[letter] for letter in letters}
    found = {}
    for place, byes in kinds.items():
        if place in draw.rivals or place[0] > rounds:
            continue
        bye = min(byes, key=BEST_FIRST.index)
        half_points = min(won[place], 2 * payment.boards) if bye == "default" else None
        found[place] = payment.bye(*place, bye, None, half_points)
    return found


def result_type(match: Match, side: int) -> str:
    """The type that record 299 gives the result of one side (0 or 1) of a match."""
    if match.team_b is None:
        return {"default": "+", "pairing": "P"}.get(match.bye, BYE_LETTERS.get(match.bye, ""))
    half_points = (match.half_points_a, match.half_points_b)[side]
    if match.by_default and match.half_points_a != match.half_points_b:
        return "+" if half_points * 2 > match.half_points_a + match.half_points_b else "-"
    if match.by_default and not half_points:
        return "-"
    return "LDW"[match.given().match_points[side]]


def with_abnormal_points(
    records: Records,
    teams: Mapping[int, int],
    matches: Sequence[Match],
    rounds: int,
    payment: Payment,
) -> tuple[tuple[Match, ...], tuple[Penalty, ...]]:
    """The matches with the points of records 299, and the penalties of those without a type.

    **Arguments:**

    - `teams`: numbers of the teams by their numbers in the file.
    - `matches`: with the points of all other records.
    - `rounds`: of the event.
    - `payment`: what a bye pays.

    **Raises:** `InputError` for an unknown type, or if points are given twice.
    """
    changed = list(matches)
    sides = _sides(matches)
    types = {place: result_type(matches[index], side) for place, (index, side) in sides.items()}
    points: dict[Place, tuple[int | None, int | None]] = {}
    penalties: list[Penalty] = []
    seen: set[Hashable] = set()
    for line in records["299"]:
        kind = line.text("type").upper()
        if kind not in TYPES:
            raise line.error("type", f"one of {' '.join(TYPES)}")
        given = _given(line, kind, payment)
        round_number = _round(line, kind)
        listed = line.listed("team number", 9999)
        named = [(column, line.team(column, teams)) for column, number in listed if number]
        first = line.item(0, "team number")
        if not kind and not named:
            where = first._replace(last=None, name="team numbers")
            raise line.error(where, "those of the teams with a penalty")
        for column, team in named or [(first, -1)]:
            line.once(seen, (kind, round_number, team), column, "each team once a round")
            if round_number > rounds:
                continue
            if not kind:
                penalties.append(Penalty(team, round_number, given[0] or 0, given[1] or 0))
                continue
            if round_number and named and (round_number, team) not in sides:
                raise line.error(column, f"a team with a match or bye in round {round_number}")
            for place in itertools.product(
                [round_number] if round_number else range(1, rounds + 1),
                [team] if named else teams.values(),
            ):
                if types.get(place) == kind or (round_number and named):
                    points[place] = given
    for place, given in points.items():
        index, side = sides[place]
        changed[index] = _with_points(changed[index], side, *given, payment)
    return tuple(changed), tuple(penalties)


def say_payments(records: Records, individual: bool) -> None:
    """One note on the records 299 that pay every result of a type, whoever's and in any round."""
    found: dict[str, Line] = {}
    for line in records["299"]:
        listed = line.cut(LISTS["299"][0])
        if line.text("type") and not line.text("round").strip("0") and not listed.strip("0 "):
            units = (
                {"game points": ""} if individual else {"match points": " MP", "game points": " GP"}
            )
            points = (f" {line.text(f)}{unit}" for f, unit in units.items() if line.text(f))
            found.setdefault(f"{line.text('type').upper()}{''.join(points)}", line)
    if found:
        about = "record 299 without a round and teams pays every result of its type"
        records.notes.say(f"{about}: {', '.join(found)}", next(iter(found.values())))


def _sides(matches: Sequence[Match]) -> dict[Place, tuple[int, int]]:
    """Index of the match and side, by round and team."""
    return {
        (match.round, team): (index, side)
        for index, match in enumerate(matches)
        for side, team in enumerate(match.teams)
    }


def _given(line: Line, kind: str, payment: Payment) -> tuple[int | None, int | None]:
    """Match points and half points of a record 299; below 0 in a penalty alone."""
    low, most, boards = 0, payment.most, payment.boards
    if not kind:
        low, most, boards = -MOST_PENALTY, MOST_PENALTY, MOST_PENALTY
    if not payment.individual:
        return line.match_points(most, low), line.half_points("game points", boards, low)
    points = line.points(line.columns("game points")._replace(name="points"), low, most)
    return player_points(points) if kind else (points, points)


def _round(line: Line, kind: str) -> int:
    """The round of a record 299; 0 for all."""
    if not kind and line.text("round") == str(WHOLE_EVENT):
        return 0
    return line.integer("round", 0, MAX_ROUNDS, default=0)


def _with_points(
    match: Match, side: int, match_points: int | None, half_points: int | None, payment: Payment
) -> Match:
    """A match with the points of one side replaced."""
    if match.team_b is None:
        if match_points is None:
            match_points = match.match_points[0]
        if half_points is None:
            half_points = match.half_points_a
        bye = payment.bye(match.round, match.team_a, match.bye, match_points, half_points)
        return replace(bye, number=match.number)
    wanted = list(match.match_points)
    if match_points is not None:
        wanted[side] = match_points
    if half_points is not None:
        match = replace(match, **{f"half_points_{'ab'[side]}": half_points})
    usual = match.given().match_points
    return match.given(*(None if p == q else p for p, q in zip(wanted, usual, strict=True)))
