"""What in a record looks like a slip of whoever wrote it, for every form of file.

Readers take a file at its word. What is looked at here can be right, but is wrong more often: a
match on more boards than the others, a round in which nobody played, match points that the game
points do not give, pairs that met more often than others, entrants who had nobody in one round, two
names that look alike. Each is a note and a finding of `check`; a strict reader refuses it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from tb2learn.events.files.byes import absent_rounds
from tb2learn.events.files.headings import is_points
from tb2learn.events.files.pairings import Draft, Pairing
from tb2learn.events.files.scores import written_points
from tb2learn.events.files.slips_names import name_slips, note_of, short
from tb2learn.events.kind import names_olympiad
from tb2learn.events.parts import Game, Match, OpenMatch, Pair, sum_points
from tb2learn.types import InputError

MET_AGAIN = "met again"
"""The kind of a contradiction that `check` finds by itself in a Swiss, pair by pair."""
_USUAL = 0.9
"""Share of matches that make a way of colours the usual one, or of rounds in which all are paired.
"""


class SlipRefused(InputError):
    """A strict reader refuses what looks like a slip; all else in the file is right."""


def say_slips(
    draft: Draft,
    finished: Iterable[Pairing],
    matches: Sequence[Match],
    games: Sequence[Game],
    still_open: Sequence[OpenMatch],
    rounds: int,
    drawn: Sequence[Pair] = (),
) -> None:
    """Say what looks like a slip in a draft and its matches.

    **Arguments:** `finished`: the pairings of finished rounds; `games`, `still_open`, `rounds`,
    `drawn`: of the event.

    **Raises:** `SlipRefused` for the first of these if the reader is strict.
    """
    if not draft.options.slips:
        return
    finished = () if draft.is_compared else finished
    pairings = [p for p in finished if p.second is not None]
    met = [match for match in matches if match.team_b is not None]
    teams = [] if draft.individual else pairings
    by_kind = {
        "board": _other_boards(teams, draft.names),
        "points": _match_points(draft, teams),
        "pairing": [
            *_empty_rounds(met, still_open, rounds),
            *(_unpaired(draft, matches, still_open, rounds, drawn) if finished else ()),
        ],
        "bye": _two_byes(draft, finished),
        "colour": _colours(draft, games),
        MET_AGAIN: _met_again(met, draft.names),
        "name": name_slips(draft, matches, games),
        # Printed points are columns of `check` by themselves.
        "": _totals(draft, matches) if pairings else [],
    }
    for kind, notes in by_kind.items():
        for note in notes:
            text = f"{draft.file}: {note}: unclear, and unclear files are refused"
            aside = "colours" if kind == "colour" else None
            draft.notes.note_assumption(
                note, error=partial(SlipRefused, text), wrong=kind, aside=aside
            )


def _place(pairing: Pairing, names: Sequence[str]) -> str:
    """A match in a note."""
    assert pairing.second is not None
    of = f"round {pairing.round} " if pairing.round else ""
    return f"{of}{short(names[pairing.first])} - {short(names[pairing.second])}"


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
    return note_of(f"most matches have {usual} boards, and these have not", texts)


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
    return note_of("match points that the game points do not give", texts)


def _empty_rounds(met: Sequence[Match], still_open: Iterable[OpenMatch], rounds: int) -> list[str]:
    """Rounds before the last one without any match."""
    busy = {match.round for match in (*met, *still_open)}
    # A file without rounds says nothing of them.
    last = min(rounds, max(busy, default=0))
    missing = [str(number) for number in range(1, last) if number not in busy]
    return [f"nobody played in round {number}" for number in missing] if busy != {0} else []


def _unpaired(
    draft: Draft,
    matches: Iterable[Match],
    still_open: Iterable[OpenMatch],
    rounds: int,
    drawn: Iterable[Pair],
) -> list[str]:
    """Two entrants or more with neither an opponent nor a bye in a round in which others play.

    Who came late or left is absent, and one who is left over has the bye that nobody wrote down.
    """
    entrants = range(len(draft.names))
    busy = {(match.round, team) for match in matches for team in match.teams}
    busy |= {(match.round, team) for match in still_open for team in (match.team_a, match.team_b)}
    last = min(rounds, max((r for r, _ in busy), default=0))
    alone = {(r, e) for r in range(1, last + 1) for e in entrants if (r, e) not in busy}
    alone -= absent_rounds(alone, last, {team for pair in drawn for team in pair})
    by_round: dict[int, list[int]] = defaultdict(list)
    for number, entrant in sorted(alone):
        by_round[number].append(entrant)
    texts = [
        f"round {number} {', '.join(short(draft.names[e]) for e in of_round)}"
        for number, of_round in by_round.items()
        if 1 < len(of_round) < len(draft.names)
    ]
    # Where many are absent, their rows are not missing: the file has none of them. To Olympiads
    # teams come a round late.
    usual = len(alone) <= (1 - _USUAL) * last * len(draft.names) and not names_olympiad(draft.name)
    word = "game" if draft.individual else "match"
    return note_of(f"neither a {word} nor a bye", texts) if usual else []


def _two_byes(draft: Draft, finished: Iterable[Pairing]) -> list[str]:
    """Rounds of which the file says that several entrants had the pairing-allocated bye."""
    # In a round robin several may be free.
    if draft.is_round_robin:
        return []
    alone: dict[int, list[int]] = defaultdict(list)
    for pairing in finished:
        if pairing.second is None and pairing.bye == "pairing" and pairing.round:
            alone[pairing.round].append(pairing.first)
    texts = [
        f"round {number} {', '.join(short(draft.names[e]) for e in of_round)}"
        for number, of_round in sorted(alone.items())
        if len(of_round) > 1
    ]
    return note_of(
        "several entrants have the bye of a round, which the pairing gives to one", texts
    )


def _colours(draft: Draft, games: Iterable[Game]) -> list[str]:
    """Matches whose boards have other colours than the same boards of nearly all others."""
    boards: dict[tuple[int, int], dict[int, Game]] = defaultdict(dict)
    for game in () if draft.individual else games:
        boards[game.round, game.match][game.board] = game
    most = max((len(of_match) for of_match in boards.values()), default=0)
    ways: dict[tuple[bool, ...], list[Sequence[Game]]] = defaultdict(list)
    for of_match in boards.values():
        # Where a board is missing, the others may have its number.
        if len(of_match) == most > 1:
            of_boards = [of_match[board] for board in sorted(of_match)]
            first = of_boards[0].white_team
            ways[tuple(game.white_team == first for game in of_boards)].append(of_boards)
    usual = max(ways, key=lambda way: len(ways[way]), default=())
    if not usual or len(ways[usual]) < _USUAL * sum(map(len, ways.values())):
        return []
    texts = list[str]()
    for way, of_way in ways.items():
        for of_boards in of_way if way != usual else ():
            first = of_boards[0]
            sides = (
                f"{short(draft.names[first.white_team])} - {short(draft.names[first.black_team])}"
            )
            other = [g.board for g, a, b in zip(of_boards, way, usual, strict=True) if a != b]
            # The first board itself may be the wrong one: then all others are.
            at = first.board if len(other) > len(way) // 2 else other[0]
            texts.append(f"round {first.round} {sides} on board {at}")
    return note_of("colours of boards that are not those of other matches", texts)


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
        return note_of(about, texts)
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
    return note_of(about, [f"{_pair(pair, names)} {times[pair]} times" for pair in wanted])


def _teams(match: Match) -> frozenset[int]:
    return frozenset(match.teams)


def _plays_off(by_round: Mapping[int, Sequence[Match]], entrants: int) -> bool:
    """Whether the last rounds are those of a few who play off."""
    last = by_round[max(by_round)]
    return entrants > 4 and 2 * len({team for match in last for team in match.teams}) <= entrants


def _pair(pair: Iterable[int], names: Sequence[str]) -> str:
    return " and ".join(short(names[team]) for team in sorted(pair))


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
                f"{short(draft.names[k])} {cells[k].strip()} instead of {ours[k] / 2:g}"
                for k in wrong
            ]
    return note_of("printed points that the results do not give", texts)
