"""What in a record looks like a slip of whoever wrote it, for every form of file.

Readers take a file at its word. What is looked at here can be right, but is wrong more often: a
match on more boards than the others, a round in which nobody played, match points that the game
points do not give, pairs that met more often than others, two names that look alike. Each is a note
and a finding of `check`; a strict reader refuses it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from tb2learn.events.files.headings import folded, is_points
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.scores import written_points
from tb2learn.events.parts import Game, Match, OpenMatch, sum_points
from tb2learn.text import plain
from tb2learn.types import InputError

MET_AGAIN = "met again"
"""The kind of a contradiction that `check` finds by itself in a Swiss, pair by pair."""
_MOST_EXAMPLES = 4
_FAR = 100
"""So many points apart are ratings of two persons rather than of two lists."""
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХавеѕіјкмнорстухΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ",
    "ABESIJKMHOPCTYXabesijkmhopctyxABEZHIKMNOPTYXaiknopux",
)
"""Cyrillic and Greek letters, and the Latin ones that look like them."""


class SlipRefused(InputError):
    """A strict reader refuses what looks like a slip; all else in the file is right."""


def say_slips(
    draft: Draft,
    finished: Iterable[Pairing],
    matches: Sequence[Match],
    games: Sequence[Game],
    still_open: Sequence[OpenMatch],
    rounds: int,
) -> None:
    """Say what looks like a slip in a draft and its matches.

    **Arguments:** `finished`: the pairings of finished rounds, none of a reader whose matches are
    compared where it reads them; `games`, `still_open`, `rounds`: of the event.

    **Raises:** `SlipRefused` for the first of these if the reader is strict.
    """
    if not draft.options.slips:
        return
    pairings = [p for p in finished if p.second is not None and not p.is_open]
    met = [match for match in matches if match.team_b is not None]
    teams = [] if draft.individual else pairings
    by_kind = {
        "board": _other_boards(teams, draft.names),
        "points": _match_points(draft, teams),
        "pairing": _empty_rounds(met, still_open, rounds),
        MET_AGAIN: _met_again(met, draft.names),
        "name": (*_alike(draft), *_ratings_apart(draft, games)),
        # Printed points are columns of `check` by themselves.
        "": _totals(draft, matches) if pairings else [],
    }
    for kind, notes in by_kind.items():
        for note in notes:
            text = f"{draft.file}: {note}: unclear, and unclear files are refused"
            draft.notes.note_assumption(note, error=partial(SlipRefused, text), wrong=kind)


def _note(about: str, texts: Sequence[str]) -> list[str]:
    """A note with the first of some texts, and how many more there are; none without any."""
    rest = f"; and {len(texts) - _MOST_EXAMPLES} more" if len(texts) > _MOST_EXAMPLES else ""
    return [f"{about}: {'; '.join(texts[:_MOST_EXAMPLES])}{rest}"] if texts else []


def _place(pairing: Pairing, names: Sequence[str]) -> str:
    """A match in a note."""
    assert pairing.second is not None
    of = f"round {pairing.round} " if pairing.round else ""
    return f"{of}{_short(names[pairing.first])} - {_short(names[pairing.second])}"


def _short(name: str) -> str:
    return plain(name[:40])


# ------------------------------------------------------------------------------------- matches


def _seats(pairing: Pairing) -> int:
    """The boards of a match that its games or points show."""
    if pairing.games:
        return len(pairing.games)
    a, b = pairing.half_points or (0, 0)
    return (a + b) // 2 if pairing.decided is None else pairing.decided


def _other_boards(pairings: Sequence[Pairing], names: Sequence[str]) -> list[str]:
    """The matches with other boards than most, unless their row says how many were decided."""
    counts = Counter(map(_seats, pairings))
    usual = max(counts, key=lambda boards: (counts[boards], boards), default=0)
    texts = [
        f"{_place(pairing, names)} has {_seats(pairing)}"
        for pairing in pairings
        # A match that was forfeited as a whole, or a draw of nothing, has any boards.
        if _seats(pairing) not in (usual, 0) and not pairing.says_boards
    ]
    return _note(f"most matches have {usual} boards, and these have not", texts)


def _match_points(draft: Draft, pairings: Sequence[Pairing]) -> list[str]:
    """The matches whose match points are not those of their game points."""
    texts = list[str]()
    won, drawn, lost = draft.used_scoring
    for pairing in pairings:
        a, b = pairing.half_points or (0, 0)
        # By default, and where nobody scored, the arbiter decides.
        if a == b == 0 or not pairing.played or pairing.forfeited:
            continue
        difference = (a > b) - (a < b)
        usual = ((lost, drawn, won)[difference + 1], (won, drawn, lost)[difference + 1])
        said = pairing.match_points
        points = [u if s is None else s for s, u in zip(said, usual, strict=True)]
        if points != [*usual]:
            texts.append(
                f"{_place(pairing, draft.names)} {a / 2:g}-{b / 2:g} with {points[0]}-{points[1]}"
            )
    return _note("match points that the game points do not give", texts)


def _empty_rounds(met: Sequence[Match], still_open: Iterable[OpenMatch], rounds: int) -> list[str]:
    """Rounds before the last one without any match."""
    busy = {match.round for match in (*met, *still_open)}
    # A file without rounds says nothing of them.
    last = min(rounds, max(busy, default=0))
    missing = [str(number) for number in range(1, last) if number not in busy]
    return [f"nobody played in round {number}" for number in missing] if busy != {0} else []


def _met_again(met: Iterable[Match], names: Sequence[str]) -> list[str]:
    """The pairs that met more often than others, of an event that has no second cycle.

    A whole round of pairs that met before is one of a second cycle, or of a match of several games;
    a last round of few pairs is one of play-offs.
    """
    by_round: dict[int, list[Match]] = defaultdict(list)
    for match in met:
        if match.played:
            by_round[match.round].append(match)
    times, texts = Counter[frozenset[int]](), list[str]()
    first = dict[frozenset[int], int]()
    for number, matches in sorted(by_round.items()):
        pairs = [frozenset(match.teams) for match in matches]
        again = [pair for pair in dict.fromkeys(pairs) if pair in first]
        times.update(pairs)
        whole = len(again) == len(pairs)
        if number and again and not whole:
            texts += [f"{_pair(p, names)} in rounds {first[p]} and {number}" for p in again]
        for pair in pairs:
            first.setdefault(pair, number)
    about = "pairs that met more often than others"
    if texts or not times:
        return _note(about, texts)
    # Rounds that repeat alone, or pairs without rounds: most pairs show how often is usual.
    often = Counter(times.values())
    usual = max(often, key=lambda count: (often[count], count))
    more = [pair for pair in times if times[pair] > usual]
    busiest = max(len(matches) for matches in by_round.values())
    alone = [
        pair
        for pair in more
        if len(by_round[max(r for r, ms in by_round.items() if pair in map(_teams, ms))]) < busiest
    ]
    wanted = more if 0 in by_round else alone if not _plays_off(by_round, len(names)) else []
    return _note(about, [f"{_pair(pair, names)} {times[pair]} times" for pair in wanted])


def _teams(match: Match) -> frozenset[int]:
    return frozenset(match.teams)


def _plays_off(by_round: Mapping[int, Sequence[Match]], entrants: int) -> bool:
    """Whether the last rounds are those of a few who play off."""
    last = by_round[max(by_round)]
    return entrants > 4 and 2 * len({team for match in last for team in match.teams}) <= entrants


def _pair(pair: Iterable[int], names: Sequence[str]) -> str:
    return " and ".join(_short(names[team]) for team in sorted(pair))


# --------------------------------------------------------------------------------------- names


def looks_as(name: str) -> str:
    """What is left of a name that two who look alike have in common.

    Case, accents, blanks, punctuation and characters that nobody sees do not count; Cyrillic and
    Greek letters count as the Latin ones that look like them.
    """
    return folded(name.translate(_ALIKE)) or unicodedata.normalize("NFKC", name)


def _alike(draft: Draft) -> list[str]:
    """Names of entrants that look alike, unless FIDE numbers or start numbers tell them apart."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(draft.names):
        groups[looks_as(name)].append(number)
    texts = list[str]()
    for numbers in groups.values():
        ids = {draft.players[n].fide_id for n in numbers} if draft.individual else {0}
        if len(numbers) > 1 and (0 in ids or len(ids) < len(numbers)):
            texts.append(" and ".join(_spelt(draft.names[n]) for n in numbers))
    word = "players" if draft.individual else "teams"
    return _note(f"names that look alike count as different {word}", texts)


def _spelt(name: str) -> str:
    """A name in which letters of other scripts, and what cannot be seen, are named."""
    name = _short(name)
    scripts = {unicodedata.name(c, "?").split()[0] for c in name if c.isalpha()}
    strange = sorted(scripts - {"LATIN"}) if len(scripts) > 1 else []
    return f"{name!r} ({', '.join(strange).lower()} letters)" if strange else repr(name)


def _ratings_apart(draft: Draft, games: Iterable[Game]) -> list[str]:
    """Players without a FIDE number whose games give ratings that are far apart."""
    ratings: dict[int, set[int]] = defaultdict(set)
    for game in games:
        for side in game.sides:
            if side.player is not None and side.rating:
                ratings[side.player].add(side.rating)
    texts = [
        f"{_short(draft.players[player].name)} {min(of)} and {max(of)}"
        for player, of in sorted(ratings.items())
        if not draft.players[player].fide_id and max(of) - min(of) >= _FAR
    ]
    return _note("ratings of one name that are far apart, perhaps of two persons", texts)


# -------------------------------------------------------------------------------------- totals


def _totals(draft: Draft, matches: Iterable[Match]) -> list[str]:
    """Printed points that are not those of the results, in a column of which most are."""
    totals = sum_points(len(draft.names), matches, draft.penalties)
    kinds = [[points for points, _ in totals]]
    if not draft.individual:
        kinds = [[2 * points for points, _ in totals], [half for _, half in totals]]
    texts = list[str]()
    for heading, cells in draft.published.items():
        if not is_points(heading):
            continue
        printed = [written_points(cell.strip()) for cell in cells]
        differ = [
            [k for k, x in enumerate(printed) if x is not None and x != ours[k]] for ours in kinds
        ]
        wrong, ours = min(zip(differ, kinds, strict=True), key=lambda pair: len(pair[0]))
        if 2 * len(wrong) <= sum(x is not None for x in printed):
            texts += [
                f"{_short(draft.names[k])} {cells[k].strip()} instead of {ours[k] / 2:g}"
                for k in wrong
            ]
    return _note("printed points that the results do not give", texts)
