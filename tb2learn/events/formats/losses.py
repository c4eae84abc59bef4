"""What a format cannot store of an event, found by reading the written file back."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tb2learn.events.formats.source import DATES, iso_date
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Game, Player
from tb2learn.events.terms import terms
from tb2learn.text import quoted

_NUMBERS = {
    "name": "name of the event",
    "rounds": "number of rounds",
    "planned": "number of planned rounds",
    "boards": "number of boards",
    "scoring": "match points of a match won, drawn and lost",
    "penalties": "penalties",
    "individual": "that it is an individual event",
}
_PLAYER_FIELDS = {
    "name": "names",
    "fide_id": "FIDE numbers",
    "rating": "ratings",
    "title": "titles",
    "sex": "sex",
    "federation": "federations",
    "birth": "dates of birth",
}

_Places = Mapping[int | None, int | None]


def differences(
    event: TeamEvent, back: TeamEvent, teams: Sequence[int | None], players: Sequence[int | None]
) -> tuple[str, ...]:
    """What is missing or changed in an event that was written to a file and read back.

    **Arguments:**

    - `event`: as it was written.
    - `back`: as it was read back.
    - `teams`, `players`: for every team and player of `event` its number in `back`, None if it is
      missing. The writer must say this, as names may have been cut.

    **Returns:** one line per kind of loss, most with a count and an example; none if nothing is
    lost. A date in another notation is not lost.
    """
    return (
        *_lost_facts(event, back),
        *_lost_teams(event, back, teams),
        *_lost_players(event, back, players),
        *_lost_matches(event, back, _places(teams)),
        *_lost_games(event, back, _places(teams), _places(players)),
    )


def _places(numbers: Sequence[int | None]) -> _Places:
    """Numbers in the event that was read back: -1 for what is missing there, None for None."""
    return {None: None, **{i: -1 if j is None else j for i, j in enumerate(numbers)}}


def _lost_facts(event: TeamEvent, back: TeamEvent) -> Iterator[str]:
    for field, words in _NUMBERS.items():
        if getattr(event, field) != getattr(back, field):
            yield words
    for key, text in event.about.items():
        again = back.about.get(key)
        if key in DATES:
            text, again = iso_date(text), again and iso_date(again)
        if text != again:
            yield f"{quoted(key)} of the event"


def _such_as(what: str, names: Sequence[str]) -> Iterator[str]:
    """The line of a loss, with the number of names it concerns and the first of them."""
    if names:
        yield f"{what}: {len(names)}, such as {quoted(names[0])}"


def _lost_teams(event: TeamEvent, back: TeamEvent, teams: Sequence[int | None]) -> Iterator[str]:
    who = terms(event.individual).many
    if not event.individual:  # players that are left out are named as such
        yield from _such_as(
            "teams left out", [n for n, j in zip(event.teams, teams, strict=True) if j is None]
        )
    kept = [(i, j) for i, j in enumerate(teams) if j is not None]
    changed = [event.teams[i] for i, j in kept if event.teams[i] != back.teams[j]]
    if not event.individual:
        yield from _such_as("names of teams", changed)
    if [j for _, j in kept] != sorted(j for _, j in kept):
        yield f"start order of the {who}"
    other = [event.teams[i] for i, j in kept if event.ratings[i] != back.ratings[j]]
    yield from _such_as("ratings of teams other than those of their players who played", other)


def _lost_players(
    event: TeamEvent, back: TeamEvent, players: Sequence[int | None]
) -> Iterator[str]:
    everybody = list(zip(event.players, players, strict=True))
    yield from _such_as("players left out", [p.name for p, j in everybody if j is None])
    kept = [(player, j) for player, j in everybody if j is not None]
    times = Counter(j for _, j in kept)
    yield from _such_as(
        "players of a team with the same name", [p.name for p, j in kept if times[j] > 1]
    )
    order: dict[int, list[int]] = defaultdict(list)
    for player, j in kept:
        order[player.team].append(j)
    moved = sum(numbers != sorted(numbers) for numbers in order.values())
    if moved:
        yield f"teams with their players in another order: {moved}"
    for field, words in _PLAYER_FIELDS.items():
        changed = [p.name for p, j in kept if _fact(p, field) != _fact(back.players[j], field)]
        yield from _such_as(f"{words} of players", changed)


def _fact(player: Player, field: str) -> object:
    value = getattr(player, field)
    return iso_date(value) if field == "birth" else value


def _counted(lost: Mapping[str, int]) -> Iterator[str]:
    return (f"{what}: {number}" for what, number in lost.items() if number)


def _lost_matches(event: TeamEvent, back: TeamEvent, places: _Places) -> Iterator[str]:
    """Matches are the same if the same teams met in the same round."""
    read = {(m.round, frozenset((m.team_a, m.team_b))): m for m in back.matches}
    lost: Counter[str] = Counter()
    for match in event.matches:
        same = read.get((match.round, frozenset((places[match.team_a], places[match.team_b]))))
        if same is None:
            lost["matches" if match.team_b is not None else "byes"] += 1
            continue
        points = [
            (match.points_of(team), same.points_of(again))
            for team, again in itertools.product(match.teams, same.teams)
            if places[team] == again
        ]
        lost["match numbers"] += match.number != same.number
        lost["kinds of byes"] += match.bye != same.bye
        lost["which team has white on board 1: matches"] += places[match.team_a] != same.team_a
        for what, index in (("match points", 0), ("game points", 1)):
            lost[f"{what} of matches or byes"] += any(a[index] != b[index] for a, b in points)
        lost["numbers of boards decided or forfeited: matches"] += (
            match.boards_decided,
            match.boards_forfeited,
        ) != (same.boards_decided, same.boards_forfeited)
    return _counted(lost)


def _lost_games(
    event: TeamEvent, back: TeamEvent, teams: _Places, players: _Places
) -> Iterator[str]:
    """Games are the same if the same players met in the same round.

    A match may have several boards without names. So unchanged games are paired first, then the
    others by their players.
    """
    games = [
        replace(
            game,
            white_team=teams[game.white_team],
            black_team=teams[game.black_team],
            white=players[game.white],
            black=players[game.black],
        )
        for game in event.games
    ]
    pairs, games, read = _paired(games, back.games, _facts)
    changed, games, _ = _paired(games, read, _who)
    lost = Counter({"games": len(games)})
    for game, same in changed:
        lost["colours of games"] += game.white_team != same.white_team
        lost["results of games"] += _points(game) != _points(same)
        lost["whether games were played"] += game.played != same.played
    for game, same in (*pairs, *changed):
        lost["numbers of boards"] += game.board != same.board
        other = _ratings(game) != _ratings(same)
        lost["ratings of games other than those of their players"] += other
    return _counted(lost)


def _paired(
    games: Iterable[Game], read: Iterable[Game], key: Callable[[Game], Hashable]
) -> tuple[list[tuple[Game, Game]], list[Game], list[Game]]:
    """Pairs of games with equal keys, in order; and the unpaired games of both lists."""
    waiting: dict[Hashable, deque[Game]] = defaultdict(deque)
    for game in read:
        waiting[key(game)].append(game)
    pairs, alone = [], []
    for game in games:
        same = waiting.get(key(game))
        if same:
            pairs.append((game, same.popleft()))
        else:
            alone.append(game)
    return pairs, alone, list(itertools.chain.from_iterable(waiting.values()))


def _who(game: Game) -> Hashable:
    """The round and the players."""
    return game.round, frozenset((side.team, side.player) for side in game.sides)


def _points(game: Game) -> Mapping[int, int]:
    """Half points by team."""
    return {side.team: side.half_points for side in game.sides}


def _facts(game: Game) -> Hashable:
    """A game without the number of the match, the board and the ratings."""
    return replace(game, match=0, board=0, white_rating=0, black_rating=0)


def _ratings(game: Game) -> Mapping[int, int]:
    """Ratings by team."""
    return {side.team: side.rating for side in game.sides}
