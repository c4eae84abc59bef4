"""What readers fill in: a `Pairing` for every match, game, bye or open match, and the `Draft`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.options import Reading
from tb2learn.events.model import TeamEvent, unfinished_note
from tb2learn.events.parts import (
    STANDARD_SCORING,
    Bye,
    Game,
    Pair,
    Penalty,
    Player,
    one_round,
)
from tb2learn.events.system import System
from tb2learn.types import MAX_ROUNDS, InputError

BOARDS = 4
"""Boards of a match before the first one, where nothing says how many: those of an Olympiad."""


@dataclass
class Pairing:
    """Two entrants who meet, or the round of one without an opponent; entrants are numbers.

    What scored a match is known by its games, or by its half points alone.
    """

    round: int  # 0 where rounds are not known
    number: int  # of the match in its round
    first: int  # who has White (on board 1), where that is known
    second: int | None = None  # None for a bye
    half_points: tuple[int, int] | None = None  # of both sides; None if open, or the usual bye
    played: bool = True  # whether they were scored in games
    bye: Bye = ""
    is_unsaid: bool = False  # of a bye: whether nothing says which one it is, or what it pays
    match_points: tuple[int | None, int | None] = (None, None)  # where the file gives others
    games: Sequence[Game] = ()  # of the boards
    is_open: bool = False  # whether there is no result yet, perhaps no opponent either
    decided: int | None = None  # boards decided, where the file says it
    forfeited: int = 0  # how many of these by default
    line: int = 0  # where it stands, for messages; 0 if its reader looks at all of it
    says_boards: bool = False  # whether the file itself says how many boards were decided
    says_points: bool = False  # of a bye: whether the file itself says what it pays

    @property
    def pair(self) -> Pair:
        """Both sides."""
        return self.first, self.second


@dataclass
class Draft:
    """What a file says of an event."""

    name: str
    file: str  # its name, for messages
    options: Reading
    notes: Notes
    individual: bool
    names: Sequence[str] = ()  # of the entrants, by number
    pairings: list[Pairing] = field(default_factory=list)
    players: Sequence[Player] = ()  # of teams; in an individual event the entrants themselves
    starts: Sequence[int] = ()  # start numbers of the entrants
    said: str = ""  # what the file calls the event, where that is not its `type` in `about`
    planned: int = 0
    about: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, Sequence[str]] = field(default_factory=dict)
    penalties: Sequence[Penalty] = ()
    scoring: tuple[int, int, int] | None = None  # as the file says
    bye_points: tuple[int, int] | None = None  # of a pairing-allocated bye, as the file says
    boards: int = 0  # of a match; 0 for as many as games or points show
    games: list[Game] = field(default_factory=list)  # those beside matches with points of their own
    left_alone: Sequence[str] = ()  # parts of the file that are not read
    is_part: bool = False  # whether it is the group that was asked for, of several in the file
    ratings: Sequence[tuple[int, ...]] = ()  # of teams, if not those of their players
    # Whether the reader compares the results with all else that the file says of them.
    is_compared: bool = False
    system: System | None = None  # what the event is; None until all its pairings are known
    # Says the notes that need the number of rounds, and of sides that met an opponent in them.
    say_later: Callable[[int, int], None] = lambda rounds, sides: None
    # Fills in what only the whole event shows.
    finish: Callable[[TeamEvent], TeamEvent] = lambda event: event

    @property
    def unfinished(self) -> int:
        """The first round in which nobody played yet; one too many if there is none."""
        scored = (p.round for p in self.pairings if not p.is_open and p.second is not None)
        last = max(scored, default=0)
        waiting = (p.round for p in self.pairings if p.is_open and p.round > last)
        return min(waiting, default=MAX_ROUNDS + 1)

    def say_unfinished(self) -> int:
        """Say which round is the first unfinished one, and return it; may be said early."""
        end = self.unfinished
        if end <= MAX_ROUNDS:
            self.notes.say_once(unfinished_note(end))
        return end

    @property
    def drawn(self) -> tuple[Pair, ...]:
        """The pairs of the first unfinished round."""
        end = self.unfinished
        # A bye that pays nothing or half is none of the drawing.
        return one_round(
            p.pair for p in self.pairings if p.round == end and p.bye in ("", "pairing")
        )

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody was to meet everybody equally often, as far as it is decided."""
        return self.system is not None and self.system.is_round_robin

    @property
    def used_scoring(self) -> tuple[int, int, int]:
        """Match points of a match won, drawn and lost; of a player's game half points."""
        asked = self.options.game_scoring if self.individual else self.options.match_points
        return asked or self.scoring or STANDARD_SCORING

    @property
    def bye_pays(self) -> tuple[int, int] | None:
        """What a pairing-allocated bye without points of its own pays; None for a drawn match."""
        asked = self.options.bye_points
        if self.individual and (asked or not self.bye_points):
            return self.options.player_bye(self.used_scoring[0])
        if asked is None:
            return self.bye_points
        match_points, half = asked
        if match_points is None:
            got = f"{half / 2:g}"
            raise InputError(f"bye_points must be match points and game points, got {got!r}")
        return match_points, half
