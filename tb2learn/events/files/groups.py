"""Whether a file holds one event or several: two groups, men and women, two seasons.

Whoever plays in one event meets the others, directly or through opponents. What a file names as a
part (a value in a column of groups, a sheet, a heading, an event in tags) binds its entrants
together; parts that have no entrant in common are events of their own, and so are parts in all of
which the same entrants play the same rounds, or which are seasons. Where no part is named, entrants
who never met are of two events only if both sides are whole: everybody met everybody, or three
others on average, which leaves no side of a Swiss apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple, TypeVar

from tb2learn.events.files.headings import folded
from tb2learn.events.kind import without_teams
from tb2learn.events.model import TeamEvent
from tb2learn.text import did_you_mean, plain, quoted
from tb2learn.types import InputError

T = TypeVar("T", bound=Hashable)
_NUMBERS = {2: "two", 3: "three", 4: "four"}
_LEAST = 3
"""Fewest entrants of an event that nothing but their meetings shows."""
_SEASON = re.compile(r"(?:19|20)[0-9]{2}(?:\s?[-/\u2013]\s?(?:(?:19|20)?[0-9]{2}))?(?![-.0-9])")
_MOST_SAID = 6


class PartMeeting(NamedTuple):
    """A match, game or bye as a file has it."""

    part: str  # what the file names the part in which it stands; empty if nothing does
    round: str  # as it stands there; empty if it is not known
    entrants: tuple[str, ...]  # those who met: two, or one


class SeveralEvents(InputError):
    """A file of several events of which none was asked for.

    **Fields:** `groups`: their names, each of which `Reading.group` takes.
    """

    groups: tuple[str, ...]

    def __init__(self, file: str, groups: Sequence[str], why: str = "") -> None:
        count = _NUMBERS.get(len(groups), str(len(groups)))
        names = ", ".join(plain(name[:40]) for name in groups[:_MOST_SAID])
        rest = ", ..." if len(groups) > _MOST_SAID else ""
        do = f"--group {quoted(groups[0][:40])} reads one"
        super().__init__(f"{file}: {count} events in one file{why}: {names}{rest} ({do})")
        self.groups = tuple(groups)


def parts_to_read(
    meetings: Sequence[PartMeeting], file: str, asked: str, are_groups: bool = False
) -> Set[str] | None:
    """The parts of the event that was asked for; None if all parts are one event.

    **Arguments:** `asked`: the name of a part, or of somebody who plays in it; `are_groups`:
    whether the file itself calls its parts groups, however small they are.

    **Raises:** `SeveralEvents` if nothing was asked; `InputError` for a name that is in none.
    """
    events = _events(meetings, are_groups)
    if len(events) < 2:
        return None
    names = [parts[0] for parts in events]
    if not asked:
        raise SeveralEvents(file, names)
    playing = [{e for m in meetings if m.part in parts for e in m.entrants} for parts in events]
    return {*events[_place(file, asked, names, [{*p} for p in events], playing)]}


def _events(meetings: Sequence[PartMeeting], are_groups: bool) -> list[list[str]]:
    """The named parts of every event, in order."""
    playing: dict[str, set[str]] = defaultdict(set)
    busy: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for part, round_number, entrants in meetings:
        playing[part].update(entrants)
        busy[part].update((round_number, entrant) for entrant in entrants if round_number)
    parts = [*playing]
    if len(parts) < 2:
        return [parts]
    # The same entrants in the same rounds: nobody plays two matches at a time.
    at_once = all(busy[parts[0]] & busy[part] for part in parts[1:])
    if at_once or _are_seasons(parts):
        return [[part] for part in parts]
    of_entrants = components([("", part), *playing[part]] for part in parts)
    apart = [[part for part in parts if ("", part) in bound] for bound in of_entrants]
    large = sum(any(len(playing[part]) >= _LEAST for part in of_one) for of_one in apart)
    return apart if are_groups or large > 1 else [parts]


def _are_seasons(parts: Sequence[str]) -> bool:
    """Whether all names are those of seasons, alike but for the years."""
    years = [_SEASON.search(part) for part in parts]
    if not all(years):
        return False
    rest = {_SEASON.sub("", part, count=1).strip() for part in parts}
    return len(rest) == 1 and len({year[0] for year in years if year}) == len(parts)


def _place(
    file: str,
    asked: str,
    names: Sequence[str],
    parts: Sequence[Set[str]],
    playing: Sequence[Set[str]],
) -> int:
    """Which of several events is meant: by a part, a word of it, or one who plays in it."""
    words = [{word for part in of for word in part.split()} for of in parts]
    for known in (parts, words, playing):
        places = [k for k, of in enumerate(known) if folded(asked) in map(folded, of)]
        if len(places) == 1:
            return places[0]
    hint = did_you_mean(asked, names)
    listed = ", ".join(plain(name[:40]) for name in names[:_MOST_SAID])
    raise InputError(f"{file}: no group {quoted(asked)}: there are {listed}{hint}")


def components(edges: Iterable[Sequence[T]]) -> list[set[T]]:
    """What hangs together: sets of nodes that edges of any number of nodes join."""
    root: dict[T, T] = {}

    def top(node: T) -> T:
        while root.setdefault(node, node) != node:
            root[node] = root[root[node]]  # a shorter way for the next time
            node = root[node]
        return node

    for first, *others in edges:
        for node in others:
            root[top(node)] = top(first)
        top(first)
    joined: dict[T, set[T]] = defaultdict(set)
    for node in root:
        joined[top(node)].add(node)
    return [*joined.values()]


def apart(pairs: Sequence[tuple[int, int]]) -> list[set[int]]:
    """The events whose entrants never met those of another: none if all are one."""
    bound = components(pairs)
    if len(bound) < 2:
        return []
    met: dict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        met[a].add(b)
        met[b].add(a)
    whole = [nodes for nodes in bound if _is_whole(nodes, met)]
    return sorted(whole, key=min) if len(whole) > 1 else []


def _is_whole(nodes: Set[int], met: Mapping[int, Set[int]]) -> bool:
    """Whether entrants met so often among each other that nobody else is missing."""
    opponents = sum(len(met[node]) for node in nodes)
    everybody = opponents == len(nodes) * (len(nodes) - 1)
    return len(nodes) >= _LEAST and (everybody or opponents >= 3 * len(nodes))


def entrants_to_read(
    names: Sequence[str], pairs: Sequence[tuple[int, int]], file: str, asked: str, word: str
) -> Set[int] | None:
    """The entrants of the event that was asked for, of those who met; None if all are of one.

    **Arguments:** `names`: of the entrants; `pairs`: numbers of all who met; `asked`: the name of
    one of them; `word`: what they are.

    **Raises:** as `parts_to_read`; also if something was asked for and the file has one event.
    """
    events = apart(pairs)
    if not events and asked:
        raise InputError(f"{file}: no group {quoted(asked)}: it is one event")
    if not events:
        return None
    first = [names[min(nodes)] for nodes in events]
    if not asked:
        raise SeveralEvents(file, first, f" whose {word}s never met, that of each of these")
    playing = [{names[node] for node in nodes} for nodes in events]
    return events[_place(file, asked, first, [set() for _ in events], playing)]


def with_entrants(event: TeamEvent, entrants: Set[int]) -> TeamEvent:
    """The event of some of the entrants of a file, who met nobody else."""
    part = without_teams(event, {*range(len(event.teams))} - entrants)
    met = Counter(team for match in part.matches for team in match.teams)
    # The other events may have gone on for longer.
    rounds = max(match.round for match in part.matches) or max(met.values())
    planned = event.planned if event.planned > event.rounds else rounds
    return replace(part, name=f"{event.name}, group of {part.teams[0]}", rounds=rounds,
                   planned=max(rounds, planned))  # fmt: skip
