"""What pairing rules ask of the teams of a recorded event: scores, opponents, colours, byes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tb2learn.chess import Edition
from tb2learn.chess.olympiad_pairing import PairedTeam, colours, ranked
from tb2learn.chess.team_swiss import RoundOf, SwissRules, SwissTeam, allocate
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match


def paired_teams(
    event: TeamEvent, edition: Edition, first_white: bool = True
) -> dict[int, PairedTeam]:
    """What the rules ask of every team of an event so far, by its initial number.

    A match by default gives colours in the edition of 2022, not in that of 2010. Matches whose
    boards the record does not have get the colours that the rules give, see `_whites`.

    **Arguments:** `first_white`: whether the first team has White in the first round, by lot.
    """
    initial = initial_numbers(event)
    teams = {number: PairedTeam(number) for number in initial}
    # The rules balance colours on the first board.
    white = {(g.round, g.match): g.white_team for g in event.games if g.board == 1}
    by_round: dict[int, list[Match]] = {}
    for match in event.matches:
        by_round.setdefault(match.round, []).append(match)
    for played in range(1, event.rounds + 1):
        # The order before the round, by which colours are given.
        order = [team.number for team in ranked(teams.values(), edition)]
        # All matches of a round see the teams as they were before it.
        after = dict(teams)
        for match in by_round.get(played, []):
            for team in match.teams:
                points, half = match.points_of(team)
                entry, opponent = initial[team], match.opponent_of(team)
                met = set() if opponent is None else {initial[opponent]}
                after[entry] = replace(
                    after[entry],
                    match_points=after[entry].match_points + points,
                    game_points=after[entry].game_points + half / 2,
                    met=after[entry].met | met,
                )
        had_game = [
            match
            for match in by_round.get(played, [])
            # In 2010 a match by default gave no colour.
            if match.team_b is not None and (match.played or edition == "olympiad-2022")
        ]
        # Colours go by rank: the rules alternate them down the pairs of the first round.
        paired = _by_rank(had_game, order, initial)
        recorded = [white.get((match.round, match.number)) for _, match in paired]
        known = [None if team is None else initial[team] for team in recorded]
        pairs, sides = [pair for pair, _ in paired], [initial[m.team_a] for _, m in paired]
        if played == 1:
            by_rule = _first_whites(pairs, known, sides, first_white)
        else:
            by_rule = [colours(teams[a], teams[b])[0].number for a, b in pairs]
        colour_of = {
            team: "W" if team == first else "B"
            for pair, first in zip(pairs, _whites(known, sides, by_rule), strict=True)
            for team in pair
        }
        teams = {
            team: replace(state, colours=state.colours + colour_of.get(team, "-"))
            for team, state in after.items()
        }
    for penalty in event.penalties:
        entry = teams[initial[penalty.team]]
        teams[entry.number] = replace(
            entry,
            match_points=entry.match_points + penalty.match_points,
            game_points=entry.game_points + penalty.half_points / 2,
        )
    return teams


def swiss_teams(
    event: TeamEvent, rules: SwissRules, first_white: bool = True
) -> dict[int, SwissTeam]:
    """What C.04.6 asks of every team of an event so far, by its initial number.

    **Arguments:** `first_white`: whether the initial colour is White, by lot.
    """
    *_, teams = swiss_states(event, rules, first_white)
    return teams


def swiss_states(
    event: TeamEvent, rules: SwissRules, first_white: bool = True
) -> Iterator[dict[int, SwissTeam]]:
    """As `swiss_teams`, before the first round and after each one."""
    initial = initial_numbers(event)
    white = {(g.round, g.match): g.white_team for g in event.games if g.board == 1}
    by_round: dict[int, list[Match]] = defaultdict(list)
    for match in event.matches:
        by_round[match.round].append(match)
    teams = _with_penalties({number: SwissTeam(number) for number in initial}, event, 0)
    yield teams
    for played in range(1, event.rounds + 1):
        this_round = RoundOf(played, max(event.planned, event.rounds), first_white)
        after = {n: replace(t, colours=t.colours + "-", floated=False) for n, t in teams.items()}
        for match in by_round[played]:
            for team in match.teams:
                points, half = match.points_of(team)
                before = after[initial[team]]
                after[before.number] = replace(
                    before,
                    match_points=before.match_points + points,
                    game_points=before.game_points + half / 2,
                    no_bye=before.no_bye or _bars_bye(match, team),
                )
        # A match without a game is no meeting (C.04.2, 3.5), and gives no colour (1.6.1).
        met = [match for match in by_round[played] if match.played]
        pairs = [(initial[match.teams[0]], initial[match.teams[1]]) for match in met]
        known = [white.get((match.round, match.number)) for match in met]
        whites = _whites(
            [None if team is None else initial[team] for team in known],
            [first for first, _ in pairs],
            [allocate(teams[a], teams[b], rules, this_round).white.number for a, b in pairs],
        )
        for pair, first in zip(pairs, whites, strict=True):
            floated = rules.score(teams[pair[0]]) != rules.score(teams[pair[1]])
            for number, rival in (pair, pair[::-1]):
                colours_so_far = teams[number].colours + ("W" if number == first else "B")
                after[number] = replace(
                    after[number],
                    met=after[number].met | {rival},
                    colours=colours_so_far,
                    floated=floated,
                )
        teams = _with_penalties(after, event, played)
        yield teams


def _with_penalties(
    teams: dict[int, SwissTeam], event: TeamEvent, played: int
) -> dict[int, SwissTeam]:
    """The teams with the penalties that count from a round on."""
    initial, after = initial_numbers(event), dict(teams)
    for penalty in event.penalties:
        if penalty.round == played:
            team = after[initial[penalty.team]]
            after[team.number] = replace(
                team,
                match_points=team.match_points + penalty.match_points,
                game_points=team.game_points + penalty.half_points / 2,
            )
    return after


def _bars_bye(match: Match, team: int) -> bool:
    """Whether a team may not have the bye after a match: it had one, or won by default."""
    if match.team_b is None:
        return match.bye in ("pairing", "full", "default")
    mine, theirs = (match.points_of(k)[1] for k in (team, match.opponent_of(team) or 0))
    # Where nobody won by default both may still have a bye.
    return match.by_default and mine > theirs


_ALIKE = 0.8
"""Share of the matches of a round in which the first team has White by the rules, from which on the
sides are taken for colours; of sides in another order it is about a half."""


def _whites(known: Sequence[int | None], sides: Sequence[int], by_rule: Sequence[int]) -> list[int]:
    """Who had White on board 1, by match of a round.

    Where the record does not say it, the first teams of the matches had, if nearly all of these
    have White by the rules as well; else who has it by the rules. Many lists have the stronger
    team first, or the winner.

    **Arguments:** `known`: from the boards, None where these are not in the record; `sides`: the
    first teams; `by_rule`: what the rules say. All are initial numbers.
    """
    unknown = [k for k, team in enumerate(known) if team is None]
    # If the sides of a list were colours, they would be those of the rules nearly always.
    alike = sum(sides[k] == by_rule[k] for k in unknown)
    usual = sides if alike >= _ALIKE * len(unknown) else by_rule
    return [usual[k] if team is None else team for k, team in enumerate(known)]


def _first_whites(
    pairs: Sequence[tuple[int, int]],
    known: Sequence[int | None],
    sides: Sequence[int],
    first_white: bool,
) -> list[int]:
    """Who has White in the first round (5): the higher ranked team in every second match.

    Who begins was drawn by lot: as nearly all known matches have it, or nearly all first teams
    where no match is known, else as `first_white` says.
    """
    seen = known if any(team is not None for team in known) else sides
    # Of every known match, which of two lots it fits.
    lots = [
        (team == pair[0]) == (k % 2 == 0)
        for k, (pair, team) in enumerate(zip(pairs, seen, strict=True))
        if team is not None
    ]
    share, lot = sum(lots) / max(len(lots), 1), first_white
    if max(share, 1 - share) >= _ALIKE:
        lot = share >= _ALIKE
    return [pair[(k % 2 == 0) != lot] for k, pair in enumerate(pairs)]


def _by_rank(
    matches: Iterable[Match], order: Sequence[int], initial: Sequence[int]
) -> list[tuple[tuple[int, int], Match]]:
    """Matches by rank, each with the initial numbers of its teams, the higher ranked first."""
    place = {number: k for k, number in enumerate(order)}
    pairs = []
    for match in matches:
        higher, lower = sorted((initial[team] for team in match.teams), key=place.__getitem__)
        pairs.append(((higher, lower), match))
    return sorted(pairs, key=lambda of: place[of[0][0]])


def no_bye(event: TeamEvent) -> set[int]:
    """Initial numbers of teams that may not have the bye: they had one, or won by default (4)."""
    initial = initial_numbers(event)
    return {
        initial[team] for match in event.matches for team in match.teams if _bars_bye(match, team)
    }


def initial_numbers(event: TeamEvent) -> tuple[int, ...]:
    """Initial numbers in the order of the teams."""
    return event.starts or tuple(range(1, len(event.teams) + 1))
