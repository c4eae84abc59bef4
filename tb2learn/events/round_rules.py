"""By which rules the rounds of a team event are paired, and why by these.

It is decided here alone, and everything that pairs, forecasts or checks a round asks. The first of
these that says something decides:

1. the user;
2. the file: record 192 of a TRF, or the key `pairing` of `event.csv`;
3. the title: an Olympiad is paired by the rules of its year (D.02);
4. the date: other team Swisses are paired by FIDE's Swiss Team Pairing System (C.04.6), which is in
   force since 1 February 2026. No rule of the time before is known here, so it is used then, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tb2learn.chess import EDITIONS, Edition
from tb2learn.chess.team_swiss import TEAM_SWISS, SwissRules, rules_of_code
from tb2learn.events.kind import (
    START_OF_2022,
    is_olympiad,
    start_of,
)
from tb2learn.events.model import INITIAL_COLOUR, PAIRING_RULES, TeamEvent
from tb2learn.text import plain, quoted
from tb2learn.types import InputError

NAMES = (*EDITIONS, *TEAM_SWISS)
"""Names that the user may say, beside the codes of record 192."""

FORCE_OF_C0406 = "2026-02-01"
"""The day from which on team Swisses are paired by C.04.6 (its head)."""

_OLYMPIADS: Mapping[Edition, str] = {
    "olympiad-2022": "Olympiad pairing rules of 2022 (D.02: match points, then initial number)",
    "olympiad-2010": "Olympiad pairing rules of 2010 (D.02: match points, game points, "
    "initial number)",
}
_TYPES = {
    "A": "colour preferences of type A",
    "B": "colour preferences of type B",
    "none": "no colour preferences",
}
_POINTS = {"MP": "match points", "GP": "game points"}

Origin = Literal["user", "file", "title", "date", "assumed"]


@dataclass(frozen=True)
class RoundRules:
    """The rules by which an event is paired.

    **Fields:**

    - `rules`: an edition of the Olympiad's, or those of a team Swiss.
    - `origin`: what says so; `assumed` where nothing does.
    - `why`: the same in words.
    """

    rules: Edition | SwissRules
    origin: Origin
    why: str

    @property
    def name(self) -> str:
        """The edition, or the code of record 192."""
        return self.rules.code if isinstance(self.rules, SwissRules) else self.rules

    @property
    def described(self) -> str:
        """The rules in words."""
        if not isinstance(self.rules, SwissRules):
            return _OLYMPIADS[self.rules]
        rules = self.rules
        second = "game points" if rules.primary == "MP" else "match points"
        points = _POINTS[rules.primary] + (
            f", then {second} for colours" if rules.secondary else ""
        )
        return f"FIDE's Swiss Team Pairing System (C.04.6, {_TYPES[rules.kind]}, {points})"

    @property
    def line(self) -> str:
        """Which rules these are and why, in one line."""
        return f"paired by {self.described}: {self.why}"

    @property
    def is_certain(self) -> bool:
        """Whether the user or the file says so."""
        return self.origin in ("user", "file")


def edition_of(event: TeamEvent) -> Edition | None:
    """The edition of the Olympiad's rules in force when an event was held, by its year.

    The year is that of its date or in its name; None if neither says it.
    """
    year = start_of(event)[:4]
    return None if not year else "olympiad-2022" if year >= START_OF_2022 else "olympiad-2010"


def named_rules(name: str) -> Edition | SwissRules:
    """The rules of a name: one of `NAMES`, or a code of record 192.

    **Raises:** `InputError` for another name.
    """
    for edition in EDITIONS:
        if name == edition:
            return edition
    if name in TEAM_SWISS:
        return TEAM_SWISS[name]
    if re.match("FIDE_", name.upper()):
        return rules_of_code(name)
    raise InputError(
        f"pairing rules must be {', '.join(NAMES)}, or a code such as FIDE_TEAM_TYPEB_GP_MP, got "
        f"{quoted(name)}"
    )


def rules_of(event: TeamEvent, asked: str | None = None) -> RoundRules:
    """The rules by which a team event is paired.

    **Arguments:** `asked`: the name that the user says, see `named_rules`.

    **Raises:** `InputError` for players, a round robin, an unknown name or code, and a file whose
    colours contradict what it declares.
    """
    if event.individual:
        raise InputError(f"{event.name} is an event of players: these rules pair teams")
    if event.system.is_round_robin:
        raise InputError(
            f"{event.name} is a round robin, and its schedule says who meets whom: 'tb2learn "
            f"schedule {len(event.teams)}' has the tables (--swiss pairs it as a Swiss)"
        )
    if asked is not None:
        return RoundRules(named_rules(asked), "user", "you ask for it")
    if code := event.about.get(PAIRING_RULES):
        try:
            rules = named_rules(code)
        except InputError as error:
            raise InputError(f"{event.name}: {error} (--rule NAME overrules the file)") from error
        declared = RoundRules(rules, "file", f"the file says {plain(code)}")
        _check_colours(event, declared)
        return declared
    if is_olympiad(event):
        edition = edition_of(event)
        why = f"an Olympiad of {start_of(event)[:4]}" if edition else "an Olympiad without a date"
        return RoundRules(edition or EDITIONS[0], "title", f"{why}, by its title")
    return _by_date(event)


def _by_date(event: TeamEvent) -> RoundRules:
    """The rules of a team Swiss that says nothing but its date."""
    rules, start = SwissRules(), start_of(event)
    usual = "no type of colour preferences is said, so it is A (--rule says otherwise)"
    if not start:
        why = f"a team Swiss without a date is taken for one of today; {usual}"
        return RoundRules(rules, "assumed", why)
    # A year alone is taken for its last day.
    if start.ljust(10, "9") >= FORCE_OF_C0406:
        return RoundRules(rules, "date", f"a team Swiss of {start}; {usual}")
    why = (
        f"a team Swiss of {start}, before FIDE's rules for them ({FORCE_OF_C0406}); no rule of "
        f"its time is here; {usual}"
    )
    return RoundRules(rules, "assumed", why)


# ------------------------------------------------------------------- the lot of the first round

_ENOUGH = 4
"""Matches of the first round from which on its colours can contradict what the file declares."""
_SLIPS = 0.25
"""Share of them up to which others are slips."""


def _first_colours(event: TeamEvent) -> list[bool]:
    """Of each match of the first round with known colours, whether odd numbers have White (4.3.1).

    The first team is the one with the lower number, as nobody has a point yet.
    """
    starts = event.starts or tuple(range(1, len(event.teams) + 1))
    pairs = {(m.round, m.number): m.teams for m in event.matches if m.round == 1}
    colours = []
    for game in event.games:
        if game.board == 1 and (game.round, game.match) in pairs:
            first = min(starts[team] for team in pairs[game.round, game.match])
            colours.append((first % 2 == 1) == (starts[game.white_team] == first))
    return colours


def _check_colours(event: TeamEvent, declared: RoundRules) -> None:
    """Check that the first round has colours that the declared rules can give.

    **Raises:** `InputError` if they contradict the rules, or the initial colour of the file.
    """
    colours = _first_colours(event)
    if not isinstance(declared.rules, SwissRules) or len(colours) < _ENOUGH:
        return
    share = sum(colours) / len(colours)
    said = event.about.get(INITIAL_COLOUR)
    if _SLIPS < share < 1 - _SLIPS:
        raise InputError(
            f"{event.name} declares {declared.name}, by which odd numbers have one colour in round "
            f"1 and even ones the other (C.04.6, 4.3.1); of {len(colours)} matches {sum(colours)} "
            "have it one way, the others the other way (--rule NAME overrules the file)"
        )
    if said and (share > 0.5) != (said == "W"):
        words = ("White", "Black") if said == "W" else ("Black", "White")
        raise InputError(
            f"{event.name} declares {words[0]} as initial colour, but in round 1 odd numbers have "
            f"{words[1]} (--rule NAME overrules the file)"
        )


def has_initial_white(event: TeamEvent, first_white: bool = True) -> bool:
    """Whether the initial colour of C.04.6 is White (4.1): a lot before the first round.

    As the file says, else as most matches of the first round have it.

    **Arguments:** `first_white`: what it is if neither is known.
    """
    if said := event.about.get(INITIAL_COLOUR):
        return said == "W"
    colours = _first_colours(event)
    return 2 * sum(colours) >= len(colours) if colours else first_white
