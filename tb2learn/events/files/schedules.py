"""What an event is by its schedule, also a Scheveningen, and play-offs behind a Swiss."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tb2learn.events.files.fields import Notes
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft
from tb2learn.events.kind import play_offs
from tb2learn.events.model import SCHEVENINGEN, TIEBREAKS
from tb2learn.events.parts import Game, Match
from tb2learn.events.system import Meeting, System, guess_note, read_system, said_system
from tb2learn.tiebreaks.library import SCHEVENINGEN_LISTS

_TITLES = {"round-robin": "Round Robin", "swiss": "Swiss"}
"""What an event is called that the user says to be one."""


def decide_system(
    meetings: Iterable[Meeting],
    entrants: int,
    planned: int,
    said: str,
    options: Reading,
    notes: Notes,
) -> System:
    """What the event of a file is, as `read_system`; with a note if it is a guess."""
    system = read_system(meetings, entrants, planned, said, options.system)
    if note := guess_note(system):
        notes.say(note)
    if system.origin == "asked" and said_system(said) not in (None, system.name):
        notes.say(f"read as a {system.title}, as was asked for: the file calls it otherwise")
    return system


def said_type(about: Mapping[str, str], system: System) -> Mapping[str, str]:
    """Facts of an event whose type is what the user says that it is."""
    is_same = said_system(about.get("type", "")) == system.name
    if system.origin != "asked" or is_same:
        return about
    return {**about, "type": _TITLES[system.name]}


def scheveningen_about(draft: Draft, games: Sequence[Game]) -> Mapping[str, str]:
    """The facts of an event, with a list of tie-breaks if it is a Scheveningen without one.

    Every player of a team meets every player of the other: opponents differ by team alone, so
    points decide, then Sonneborn-Berger. A note says so.
    """
    said = draft.about.get("type", "").casefold()
    # A file that says what it is is not guessed at.
    is_one = SCHEVENINGEN in said or (not said and _is_scheveningen(draft, games))
    if not is_one or TIEBREAKS in draft.about:
        return draft.about
    draft.notes.say(
        "a Scheveningen: every player of a team meets every player of the other; points decide, "
        "then Sonneborn-Berger"
    )
    # The type says later on that the list is not the file's own.
    listed = SCHEVENINGEN_LISTS[draft.individual]
    return {"type": SCHEVENINGEN.title(), **draft.about, TIEBREAKS: listed}


def _is_scheveningen(draft: Draft, games: Sequence[Game]) -> bool:
    """Whether two sides of four players or more met player by player, each pair once."""
    met: dict[int, set[int]] = defaultdict(set)
    count = 0
    for game in games:
        if game.white is None or game.black is None:
            return False
        met[game.white].add(game.black)
        met[game.black].add(game.white)
        count += 1
    one, other = (next(iter(met.values()), set()), set[int]())
    for player in one:
        other = met[player]
    # Six players may do so in a Swiss of three rounds.
    whole = len(one) >= 4 and len(one) == len(other) and not one & other
    if not whole or (not draft.individual and len(draft.names) != 2):
        return False
    across = all(met[player] == (other if player in one else one) for player in one | other)
    return across and len(met) == len(one | other) and count == len(one) * len(other)


def say_play_offs(draft: Draft, matches: Sequence[Match]) -> int:
    """Say that the last rounds look like play-offs; the first of them, 0 for none."""
    first = play_offs(matches, len(draft.names))
    if first:
        last = max(match.round for match in matches)
        rounds = f"rounds {first} to {last} look" if last > first else f"round {first} looks"
        draft.notes.say(
            f"{rounds} like play-offs, which are no part of the standings (C.07, article 3): rank "
            f"with --after {first - 1} --decided FILE, which has their places"
        )
    return first
