"""The pairings of the next round of a recorded team event, and why they are as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tb2learn.chess import EDITIONS, Edition
from tb2learn.chess.olympiad_pairing import (
    PairedTeam,
    RoundPair,
    RoundPairing,
    colours,
    pair_round,
    ranked,
)
from tb2learn.events.explain import team_number
from tb2learn.events.kind import START_OF_2022, start_of
from tb2learn.events.model import TeamEvent
from tb2learn.events.parts import Match
from tb2learn.text import plain_number
from tb2learn.types import InputError, one_of


@dataclass(frozen=True)
class NextRound:
    """The pairing of a round of an event.

    **Fields:**

    - `event`: as it stood before the round.
    - `edition`: the rules.
    - `round`: its number.
    - `teams`: by initial number, what the rules know of the teams that are present.
    - `pairing`: who meets whom; teams by their initial numbers.
    - `absent`: teams that are not paired, by number in the event.
    """

    event: TeamEvent
    edition: Edition
    round: int
    teams: dict[int, PairedTeam]
    pairing: RoundPairing
    absent: tuple[int, ...]

    def name(self, initial: int) -> str:
        """The team of an initial number."""
        return self.event.teams[_initial(self.event).index(initial)]


def edition_of(event: TeamEvent) -> Edition | None:
    """The edition in force when the event was held, by the year of its date or in its name.

    None if neither says it.
    """
    year = start_of(event)[:4]
    return None if not year else "olympiad-2022" if year >= START_OF_2022 else "olympiad-2010"


def next_round(
    event: TeamEvent,
    edition: Edition | None = None,
    absent: Iterable[str] = (),
    present: Iterable[str] = (),
    first_white: bool = True,
) -> NextRound:
    """Pair the round after those that are recorded, by the rules of the Olympiad.

    **Arguments:**

    - `event`: of teams, with rounds (`TeamEvent.after` cuts it).
    - `edition`: the rules; by the event's date if not given.
    - `absent`, `present`: names of teams that are, or are not, left out. If nothing is said, a
      team that was not paired in the last round and had no bye is absent.
    - `first_white`: whether the first team has White in the first round, by lot.

    **Raises:** `InputError` for an event of players, without rounds or with an unknown date, and
    for teams that cannot be paired.
    """
    if event.individual:
        raise InputError(f"{event.name} is an event of players: these rules pair teams")
    if event.system.is_round_robin and event.matches:
        raise InputError(
            f"{event.name} is a round robin, and its schedule says who meets whom: 'tb2learn "
            f"schedule {len(event.teams)}' has the tables (--swiss pairs it as a Swiss)"
        )
    if not event.known_rounds and event.matches:
        raise InputError(f"{event.name} is recorded without rounds: the next one is not known")
    # A round with open matches is paired again as a whole.
    event = event.settled
    edition = edition or edition_of(event)
    if edition is None:
        raise InputError(
            f"{event.name} has no date: name the edition of the rules (--edition), "
            f"{' or '.join(EDITIONS)}"
        )
    one_of("edition", edition, EDITIONS)
    # Names that the user gives come last: they know who is there.
    away = _absent(event) | {team_number(event, name) for name in absent}
    away -= {team_number(event, name) for name in present}
    paired = paired_teams(event, edition, first_white)
    initial = _initial(event)
    playing = {number: paired[number] for k, number in enumerate(initial) if k not in away}
    pairing = pair_round(playing.values(), edition, no_bye(event), first_white)
    return NextRound(event, edition, event.rounds + 1, playing, pairing, tuple(sorted(away)))


def paired_teams(
    event: TeamEvent, edition: Edition, first_white: bool = True
) -> dict[int, PairedTeam]:
    """What the rules ask of every team of an event so far, by its initial number.

    A match by default gives colours in the edition of 2022, not in that of 2010. Matches whose
    boards the record does not have get the colours that the rules give, see `_whites`.

    **Arguments:** `first_white`: whether the first team has White in the first round, by lot.
    """
    initial = _initial(event)
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
    initial = _initial(event)
    refused = set()
    for match in event.matches:
        if match.team_b is None:
            if match.bye in ("pairing", "full", "default"):
                refused.add(initial[match.team_a])
        elif match.by_default:
            points = match.half_points_a - match.half_points_b
            # Where nobody won by default both may still have a bye.
            if points:
                refused.add(initial[match.team_a if points > 0 else match.team_b])
    return refused


def reasons(made: NextRound, team: str) -> Iterator[str]:
    """Why a team is paired as it is, one sentence after the other.

    **Raises:** `InputError` for a team that is not in the event, or absent.
    """
    at = team_number(made.event, team)
    mine, name = _initial(made.event)[at], made.event.teams[at]
    if mine not in made.teams:
        raise InputError(f"{name} is not paired in round {made.round}: it is taken to be absent")
    # Sentences go from the team to its group, then to its opponent.
    state, pairing = made.teams[mine], made.pairing
    rank = pairing.order.index(mine) + 1 if mine in pairing.order else None
    place = f", rank {rank} of {len(pairing.order)}" if rank else ""
    yield f"{name} has {_points(state.match_points)} (initial number {mine}{place})."
    if pairing.bye == mine:
        yield "It has the bye, as the lowest ranked team that had no bye and no win by default."
        return
    pair = next(p for p in pairing.pairs if mine in (p.white, p.black))
    opponent = pair.black if pair.white == mine else pair.white
    if pairing.median is None:
        yield "In the first round the upper half of the initial order meets the lower half."
    else:
        yield from _group_reasons(made, state, pair)
        yield from _refusals(made, mine, opponent)
    # On the first board, as the rules count colours of teams.
    colour = "White" if pair.white == mine else "Black"
    history = "".join(state.colours.strip("-")) or "none so far"
    yield (
        f"It meets {made.name(opponent)} ({_points(made.teams[opponent].match_points)}) with "
        f"{colour} on board 1; its colours there: {history}."
    )


def _group_reasons(made: NextRound, own: PairedTeam, pair: RoundPair) -> Iterator[str]:
    pairing = made.pairing
    group = [team for team in made.teams.values() if team.match_points == own.match_points]
    size = sum(team.number != pairing.bye for team in group)
    median = pairing.median or 0
    order = "the median group, which is paired last"
    if own.match_points > median:
        order = "paired from the top, the highest rank first"
    elif own.match_points < median:
        order = "paired from the bottom, the lowest rank first"
    yield f"Its group has {size} team{'s' * (size != 1)}: {order}."
    floats = [points for team, points in pairing.floats if team == own.number]
    if floats:
        towards = "down" if own.match_points > median else "up"
        yield f"It floats {towards} to the group of {_points(pair.group)}."
    if pair.how == "merged":
        yield "The groups in the middle could not be paired apart, so they were paired as one."


def _refusals(made: NextRound, mine: int, other: int) -> Iterator[str]:
    """Whom the team, or its opponent, tried before, and why that was refused."""
    meanings = {
        "met": "they have met",
        "colours": "both need the same colour",
        "rest": "the rest of the group could not be paired",
    }
    for team in (mine, other):
        tried = {}
        for refusal in made.pairing.refusals:
            if refusal.team == team and refusal.other not in (mine, other):
                tried[refusal.other] = meanings[refusal.why]
        if tried:
            texts = "; ".join(f"{made.name(rival)}: {why}" for rival, why in tried.items())
            yield f"{made.name(team)} tried before: {texts}."


def _points(points: float) -> str:
    return f"{plain_number(float(points))} match point{'s' * (points != 1)}"


def _initial(event: TeamEvent) -> tuple[int, ...]:
    """Initial numbers in the order of the teams."""
    return event.starts or tuple(range(1, len(event.teams) + 1))


def _absent(event: TeamEvent) -> set[int]:
    """Teams without a match, and without a bye that was allocated, in the last round."""
    if not event.rounds:
        return set()
    last: Collection[int] = {
        team
        for match in event.matches
        # A bye that pays nothing is an absence.
        if match.round == event.rounds and match.bye != "zero"
        for team in match.teams
    }
    return {team for team in range(len(event.teams)) if team not in last}
