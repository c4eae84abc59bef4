"""A recorded event after a round: who plays on, whom they have met, how they will be paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Int

from tb2learn.chess.event_format import MAX_REPEATS, EventFormat, PairingRule, cycle_rounds
from tb2learn.chess.team_swiss import SwissRules
from tb2learn.events.files.headings import NO_OPPONENT, folded
from tb2learn.events.files.table_rows import TableRow, user_table
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Pair
from tb2learn.events.round_rules import RoundRules, rules_of
from tb2learn.events.system import System
from tb2learn.events.unplayed.record import Record, RoundKind, event_record
from tb2learn.types import BYE, MAX_ROUNDS, MAX_SIMULATED_ROUNDS, InputError, whole_number

MOST_POINTS = 127
"""The most match points of a team that the simulator pairs by."""

_DEALS = 200
"""How often a round robin's rounds left are dealt anew."""


@dataclass(frozen=True)
class EventInProgress:
    """An event after a round, with rounds left.

    **Fields:**

    - `event`, `record`: as it stood after the round; `rounds`: of the whole event.
    - `form`: the format that is simulated: the teams that play on, and how they are paired.
    - `seats`: the teams that play on, in seed order.
    - `pairs`: of the next rounds, as far as they are known. Of a round robin all rounds left, dealt
      by lot but for the next one, if that is known.
    - `paired`: whether the next round's pairs are the real ones.
    - `rules`: of a Swiss of teams, by which it is paired; `form` has what the simulator does.
    - `bye`: match points, half points and kind of a bye to come.
    """

    event: TeamEvent
    record: Record
    rounds: int
    form: EventFormat
    seats: Int[np.ndarray, " seats"]
    pairs: tuple[tuple[Pair, ...], ...]
    bye: tuple[int, int, RoundKind]
    paired: bool
    rules: RoundRules | None = None

    @property
    def left(self) -> int:
        """How many rounds are left."""
        return self.rounds - self.record.rounds

    @property
    def round_robin(self) -> bool:
        """Whether everybody meets everybody."""
        return self.form.format == "round-robin"

    @property
    def withdrawn(self) -> tuple[str, ...]:
        """The teams that do not play on."""
        playing = set(self.seats.tolist())
        return tuple(name for team, name in enumerate(self.event.teams) if team not in playing)

    @property
    def seat_of(self) -> Int[np.ndarray, " teams"]:
        """The seat of every team; `BYE` for one that does not play on."""
        seat = np.full(len(self.event.teams), BYE)
        seat[self.seats] = np.arange(len(self.seats))
        return seat

    def seat_pairs(self) -> Int[np.ndarray, "known 2 matches"]:
        """The known pairs by seat; numbers beyond the seats stand for nobody."""
        seats, seat = len(self.seats), self.seat_of
        by_seat = np.empty((len(self.pairs), 2, seats // 2), np.int32)
        # Each number once: `schedule._put` promises unique ones.
        by_seat[:] = seats + np.arange(2 * (seats // 2)).reshape(2, -1)
        for number, pairs in enumerate(self.pairs):
            matches = [(seat[a], seat[b]) for a, b in pairs if b is not None]
            by_seat[number, :, : len(matches)] = np.array(matches, int).reshape(-1, 2).T
        return by_seat


def begin(
    event: TeamEvent,
    after: int | None = None,
    pairs: Sequence[Pair] | None = None,
    rounds: int | None = None,
    rule: str | None = None,
) -> EventInProgress:
    """An event as it stood after a round, to go on from.

    A team that was absent in the last finished round, or that the next round's pairs do not have,
    has withdrawn; in a round robin nobody has.

    **Arguments:**

    - `event`: any; with `after`, it may be finished.
    - `after`: the round, from 0; the last finished one if not given.
    - `pairs`: of the next round; those of the record if not given, an empty list for none.
    - `rounds`: of the whole event, where the record does not say.
    - `rule`: the name of the pairing rules of teams, see `round_rules.rules_of`.

    **Raises:** `InputError`, one line, for an event that is finished or cannot be continued.
    """
    if not event.known_rounds:
        raise InputError(f"{event.name} is recorded without rounds: it cannot be continued")
    event = event.settled
    # A round that has been drawn is still to come.
    planned = max(event.planned, event.rounds + bool(event.drawn))
    if rounds is not None:
        planned = whole_number("rounds", rounds, event.rounds, MAX_ROUNDS, f" in {event.name}")
    after = event.rounds if after is None else whole_number("after", after, 0, event.rounds)
    if after >= planned:
        raise InputError(
            f"{event.name} is finished: all its {planned} rounds have been played (forecast it "
            "after an earlier round with --after, or say with --rounds how many it has)"
        )
    win, draw, loss = event.scoring
    # The simulator pairs by keys that have 7 bits for match points, and none for a sign.
    if not win >= draw >= loss >= 0 or win * planned > MOST_POINTS:
        raise InputError(
            f"matches that score {win}, {draw}, {loss} in {planned} rounds cannot be continued: a "
            f"team must be able to have at most {MOST_POINTS} match points"
        )
    drawn = next_pairs(event, after) if pairs is None else tuple(pairs)
    # `after` refuses 0, as no standings are those before the first round.
    cut = replace(event.after(after) if after else event.until(0), planned=planned)
    # Before the first round nothing has a round, which is no cross-table.
    record = replace(event_record(cut), known_rounds=True)
    robin, rules = rounds_left(record, planned, drawn), None
    if robin is None:
        playing, known_pairs = _playing(record, drawn), (drawn,) if drawn else ()
        rules = None if event.individual else rules_of(event, rule)
        form = _swiss(cut, planned, int(playing.sum()), pairing_of(rules))
    elif rule is not None:
        raise InputError(f"rule {rule!r} pairs a Swiss, and {event.name} is a round robin")
    else:
        # In a round robin who stays away loses by default, and is met like everybody else.
        playing, known_pairs = np.ones(len(event.teams), bool), robin
        repeats = planned // cycle_rounds(len(event.teams))
        sizes = (len(event.teams), planned, event.boards)
        form = EventFormat(*sizes, format="round-robin", repeats=repeats)
        # Also where the pairs so far, without the rounds that the user says, did not tell it.
        cut = replace(cut, decided_system=System("round-robin", "asked", repeats))
        record = replace(record, round_robin=True)
    seats = np.array([team for team in _seed_order(cut) if playing[team]])
    bye = _bye(record, robin is not None)
    # Pairs that are dealt by lot fill the rounds, too, but are not those of a real round.
    return EventInProgress(cut, record, planned, form, seats, known_pairs, bye, bool(drawn), rules)


def pairing_of(rules: RoundRules | None) -> PairingRule:
    """How the simulator pairs the rounds left of a Swiss.

    Olympiads by their rules; players (None), and teams in any other Swiss, by the Dutch system.
    """
    if rules is None or isinstance(rules.rules, SwissRules):
        return "dutch"
    return rules.rules


def next_pairs(event: TeamEvent, after: int) -> tuple[Pair, ...]:
    """The pairs of the round after one, as the record has them; none if it does not.

    Teams that were absent in that round, or had a bye that was not allocated by the pairing, are
    not among them.
    """
    # After the last finished round the next one is drawn at most; after an earlier one it was
    # played.
    if after == event.rounds:
        return event.drawn
    matches = (match for match in event.matches if match.round == after + 1)
    return tuple((match.team_a, match.team_b) for match in matches if match.bye in ("", "pairing"))


def _swiss(event: TeamEvent, planned: int, playing: int, pairing: PairingRule) -> EventFormat:
    """The format of a Swiss, of those who play on."""
    many, to_play = "players" if event.individual else "teams", planned - event.rounds
    if to_play > MAX_SIMULATED_ROUNDS:
        raise InputError(
            f"{event.name} has {to_play} rounds left: at most {MAX_SIMULATED_ROUNDS} are simulated"
        )
    if playing < to_play + 1:
        raise InputError(
            f"{event.name} cannot be continued: {playing} {many} play on, and {to_play} rounds are "
            f"left, for which there must be at least {to_play + 1}"
        )
    # Valid for its checks: the rounds that are played are those of the `ContinuationStart`.
    rounds = min(planned, playing - 1, MAX_SIMULATED_ROUNDS)
    return EventFormat(playing, rounds, event.boards, pairing)


def _playing(record: Record, drawn: Sequence[Pair]) -> Bool[np.ndarray, " teams"]:
    """Who plays on."""
    teams = record.kind.shape[1]
    if drawn:
        paired = [team for pair in drawn for team in pair if team is not None]
        # Whoever is not in a round that is drawn does not come back.
        return np.isin(np.arange(teams), paired)
    return ~record.absent[-1] if record.rounds else np.ones(teams, bool)


def _seed_order(event: TeamEvent) -> list[int]:
    """The teams in the order of their start numbers; without any, by rating."""
    # Start numbers are ascending, and a stable sort by 0 keeps them.
    means = [0 if event.starts else mean or 0 for mean in event.mean_ratings]
    return sorted(range(len(means)), key=lambda team: -means[team])


def _bye(record: Record, round_robin: bool) -> tuple[int, int, RoundKind]:
    """What a bye to come pays: what the pairing-allocated byes so far have paid.

    If there were none: a drawn match, a game won; nothing in a round robin, where it is no bye.
    """
    if round_robin:
        return 0, 0, RoundKind.NOT_PAIRED
    # Team by team: of byes that paid differently that of the last team counts.
    paid = np.argwhere(record.pairing_byes.T)
    if len(paid):
        team, number = paid[-1]
        return (
            int(record.gained[number, team]),
            int(record.scored[number, team]),
            RoundKind.PAIRING_BYE,
        )
    win, draw, _ = record.scoring
    points, half = (win, 2) if record.individual else (draw, record.boards)
    return points, half, RoundKind.PAIRING_BYE


def rounds_left(
    record: Record, planned: int, drawn: Sequence[Pair]
) -> tuple[tuple[Pair, ...], ...] | None:
    """The pairs of the rounds left of a round robin, if the matches left fill exactly these.

    Which match is in which round changes no chance, so they are dealt to rounds by lot: the tables
    by which the event was drawn are not in its record.

    **Arguments:**

    - `record`: of the rounds played; matches by default count as met.
    - `planned`: rounds of the whole event.
    - `drawn`: the pairs of the next round, if they are known.

    **Returns:** None for an event that is no round robin, or whose matches do not fit the rounds.
    """
    teams, to_play = record.kind.shape[1], planned - record.rounds
    repeats, rest = divmod(planned, cycle_rounds(teams))
    size = teams + teams % 2  # in an odd field the last one stands for the rest
    # In an even field beyond the table: no round robin.
    rival = np.where(record.opponent == BYE, teams, record.opponent)
    rests = max(rival.max(initial=0), *(teams if b is None else b for _, b in drawn), 0)
    if rest or not 1 <= repeats <= MAX_REPEATS or rests >= size:
        return None
    need = repeats * (1 - np.eye(size, dtype=int))
    # `at`, as the same rival may come twice.
    np.subtract.at(need, (np.arange(teams), rival), 1)
    for a, b in drawn:
        need[a, teams if b is None else b] -= 1
        if b is not None:
            need[b, a] -= 1
    if size > teams:  # the rest's own row, which no record has
        need[teams] = need[:, teams]
    first = [tuple(drawn)] if drawn else []
    # Below 0: two have met more often than the table has it.
    fits = (need >= 0).all() and (need == need.T).all()
    if not fits or (need.sum(axis=1) != to_play - len(first)).any():
        return None
    dealt = _deal(need, to_play - len(first))
    if dealt is None:
        return None

    def colours(a: int, b: int) -> Pair:
        """White to the lower number if their sum is odd; `teams` stands for the rest."""
        return (a, None if b == teams else b) if b == teams or (a + b) % 2 else (b, a)

    return (*first, *(tuple(colours(min(p), max(p)) for p in pairs) for pairs in dealt))


def _deal(need: Int[np.ndarray, "size size"], rounds: int) -> list[set[tuple[int, int]]] | None:
    """Rounds in which everybody meets somebody, so that all meet as often as they need.

    They are dealt round by round, all anew by other lots where a round has no solution.
    """
    import networkx

    lots = np.random.default_rng(0)  # fixed: an event is always dealt alike
    for _ in range(_DEALS):
        to_meet, dealt = need.copy(), list[set[tuple[int, int]]]()
        while len(dealt) < rounds:
            # A matching depends on the order of its edges, so on the lot.
            pairs = lots.permutation(np.argwhere(np.triu(to_meet))).tolist()
            graph = networkx.Graph(pairs)
            matching = networkx.max_weight_matching(graph, maxcardinality=True)
            # Somebody would be left without an opponent: these lots have led into a dead end.
            if 2 * len(matching) < len(need):
                break
            for a, b in matching:
                to_meet[[a, b], [b, a]] -= 1
            dealt.append(matching)
        else:
            return dealt
    return None


def read_pairings(path: str | Path, expected: EventInProgress) -> tuple[Pair, ...]:
    """The pairs of the next round from a table; an empty second name, or `bye`, is the bye.

    The columns are `team_a` and `team_b`, of players `white_player` and `black_player`.

    **Arguments:** `expected`: the event as it would go on without them.

    **Raises:** `InputError`, one line, for another table; a name that the event does not have; a
    team that stands there twice or is left out; two that have met.
    """
    event, record = expected.event, expected.record
    numbers = {name: number for number, name in enumerate(event.teams)}
    columns = ("white_player", "black_player") if event.individual else ("team_a", "team_b")
    seen, pairs = set[int](), list[Pair]()

    def side(row: TableRow, field: str) -> int:
        number = numbers[row.ranked(field, event)]
        row.check_once(seen, number, field, "each once in the round")
        return number

    for row in user_table(path):
        if not all(map(row.has, columns)):
            raise row.error("heading", " and ".join(columns), "other columns")
        first, second = side(row, columns[0]), row.text(columns[1])
        # A team may be called `Bye`.
        alone = not second or (second not in numbers and folded(second) in NO_OPPONENT)
        pairs.append((first, None if alone else side(row, columns[1])))
    if left_out := sorted(set(expected.seats.tolist()) - seen):
        raise InputError(
            f"pairings: {event.teams[left_out[0]]} is left out (give it a row without an opponent "
            "if it has the bye)"
        )
    for a, b in pairs:
        # Nobody is equal to None, so a bye has met nobody.
        met = np.flatnonzero(record.played[:, a] & (record.opponent[:, a] == b))
        if b is not None and len(met):
            names = f"{event.teams[a]} and {event.teams[b]}"
            raise InputError(f"pairings: {names} have met in round {met[0] + 1}")
    return tuple(pairs)
