"""A recorded event after a round: who plays on, whom they have met, how they will be paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Int

from tb2learn.chess.event_format import EventFormat, cycle_rounds
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Pair
from tb2learn.events.unplayed.record import Kind, Record, event_record
from tb2learn.forecasts.fixtures import rounds_left
from tb2learn.types import (
    BYE,
    MAX_ROUNDS,
    MAX_SIMULATED_ROUNDS,
    InputError,
    whole_number,
)

MOST_POINTS = 127
"""The most match points of a team that the simulator pairs by."""


@dataclass(frozen=True)
class Begun:
    """An event after a round, with rounds left.

    **Fields:**

    - `event`, `record`: as it stood after the round.
    - `rounds`: of the whole event.
    - `form`: the format of the rounds left; of a round robin that of the whole event.
    - `seats`: the teams that play on, in seed order.
    - `pairs`: of the next rounds, as far as they are known. Of a round robin all rounds left, dealt
      by lot but for the next one, if that is known.
    - `paired`: whether the next round's pairs are the real ones.
    - `bye`: match points, half points and kind of a bye to come.
    """

    event: TeamEvent
    record: Record
    rounds: int
    form: EventFormat
    seats: Int[np.ndarray, " seats"]
    pairs: tuple[tuple[Pair, ...], ...]
    bye: tuple[int, int, Kind]
    paired: bool

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
        here = set(self.seats.tolist())
        return tuple(name for team, name in enumerate(self.event.teams) if team not in here)

    @property
    def seat_of(self) -> Int[np.ndarray, " teams"]:
        """The seat of every team; `BYE` for one that does not play on."""
        found = np.full(len(self.event.teams), BYE)
        found[self.seats] = np.arange(len(self.seats))
        return found

    def seat_pairs(self) -> Int[np.ndarray, "known 2 matches"]:
        """The known pairs by seat; numbers beyond the seats stand for nobody."""
        seats, seat = len(self.seats), self.seat_of
        found = np.empty((len(self.pairs), 2, seats // 2), np.int32)
        found[:] = seats + np.arange(2 * (seats // 2)).reshape(2, -1)
        for number, pairs in enumerate(self.pairs):
            matches = [(seat[a], seat[b]) for a, b in pairs if b is not None]
            found[number, :, : len(matches)] = np.array(matches, int).reshape(-1, 2).T
        return found


def begin(
    event: TeamEvent,
    after: int | None = None,
    pairs: Sequence[Pair] | None = None,
    rounds: int | None = None,
) -> Begun:
    """An event as it stood after a round, to go on from.

    A team that was absent in the last finished round, or that the next round's pairs do not have,
    has withdrawn; in a round robin nobody has.

    **Arguments:**

    - `event`: any; with `after`, it may be finished.
    - `after`: the round, from 0; the last finished one if not given.
    - `pairs`: of the next round; those of the record if not given, an empty list for none.
    - `rounds`: of the whole event, where the record does not say.

    **Raises:** `InputError`, one line, for an event that is finished or cannot be continued.
    """
    if not event.known_rounds:
        raise InputError(f"{event.name} is recorded without rounds: it cannot be continued")
    event = event.settled
    planned = max(event.planned, event.rounds + bool(event.drawn))
    if rounds is not None:
        planned = whole_number("rounds", rounds, event.rounds, MAX_ROUNDS, f" in {event.name}")
    after = event.rounds if after is None else whole_number("after", after, 0, event.rounds)
    if after >= planned:
        raise InputError(
            f"{event.name} is finished: all its {planned} rounds have been played (forecast it "
            "after an earlier round with --after, or say with --rounds how many it has)"
        )
    _check_points(event, planned)
    drawn = next_pairs(event, after) if pairs is None else tuple(pairs)
    cut = replace(_cut(event, after), planned=planned)
    # Before the first round nothing has a round, which is no cross-table.
    record = replace(event_record(cut), known_rounds=True)
    robin = rounds_left(record, planned, drawn)
    if robin is None:
        playing, known = _playing(record, drawn), (drawn,) if drawn else ()
        form = _swiss(cut, planned - after, int(playing.sum()))
    else:
        playing, known = np.ones(len(event.teams), bool), robin
        repeats = planned // cycle_rounds(len(event.teams))
        sizes = (len(event.teams), planned, event.boards)
        form = EventFormat(*sizes, format="round-robin", repeats=repeats)
    seats = np.array([team for team in _seed_order(cut) if playing[team]])
    bye = _bye(record, robin is not None)
    return Begun(cut, record, planned, form, seats, known, bye, bool(drawn))


def next_pairs(event: TeamEvent, after: int) -> tuple[Pair, ...]:
    """The pairs of the round after one, as the record has them; none if it does not.

    Teams that were absent in that round, or had a bye that was not allocated by the pairing, are
    not among them.
    """
    if after == event.rounds:
        return event.drawn
    matches = (match for match in event.matches if match.round == after + 1)
    return tuple((match.team_a, match.team_b) for match in matches if match.bye in ("", "pairing"))


def _check_points(event: TeamEvent, planned: int) -> None:
    win, draw, loss = event.scoring
    if not win >= draw >= loss >= 0 or win * planned > MOST_POINTS:
        raise InputError(
            f"matches that score {win}, {draw}, {loss} in {planned} rounds cannot be continued: a "
            f"team must be able to have at most {MOST_POINTS} match points"
        )


def _cut(event: TeamEvent, after: int) -> TeamEvent:
    """`TeamEvent.after`, also before the first round."""
    if after:
        return event.after(after)
    early = tuple(penalty for penalty in event.penalties if penalty.round == 0)
    nothing = {"matches": (), "games": (), "penalties": early, "published": {}, "drawn": ()}
    return replace(event, rounds=0, **nothing)


def _swiss(event: TeamEvent, left: int, playing: int) -> EventFormat:
    """The format of the rounds left of a Swiss."""
    who = "players" if event.individual else "teams"
    if left > MAX_SIMULATED_ROUNDS:
        raise InputError(
            f"{event.name} has {left} rounds left: at most {MAX_SIMULATED_ROUNDS} are simulated"
        )
    if playing < left + 1:
        raise InputError(
            f"{event.name} cannot be continued: {playing} {who} play on, and {left} rounds are "
            f"left, for which there must be at least {left + 1}"
        )
    pairing = "dutch" if event.individual else "median-swiss"
    return EventFormat(playing, left, event.boards, pairing)


def _playing(record: Record, drawn: Sequence[Pair]) -> Bool[np.ndarray, " teams"]:
    """Who plays on."""
    if drawn:
        there = np.zeros(len(record.kind), bool)
        there[[team for pair in drawn for team in pair if team is not None]] = True
        return there
    if not record.rounds:
        return np.ones(len(record.kind), bool)
    return ~record.absent[:, -1]


def _seed_order(event: TeamEvent) -> list[int]:
    """The teams in the order of their start numbers; without any, by rating."""
    numbers = list(range(len(event.teams)))
    if event.starts:
        return numbers
    return sorted(numbers, key=lambda team: -(event.mean_ratings[team] or 0))


def _bye(record: Record, round_robin: bool) -> tuple[int, int, Kind]:
    """What a bye to come pays: what the pairing-allocated byes so far have paid.

    If there were none: a drawn match, a game won; nothing in a round robin, where it is no bye.
    """
    if round_robin:
        return 0, 0, Kind.NOT_PAIRED
    paid = np.argwhere(record.pairing_byes)
    if len(paid):
        team, number = paid[-1]
        return int(record.gained[team, number]), int(record.scored[team, number]), Kind.PAIRING_BYE
    win, draw, _ = record.scoring
    return (win, 2, Kind.PAIRING_BYE) if record.individual else (
        draw, record.boards, Kind.PAIRING_BYE,
    )  # fmt: skip
