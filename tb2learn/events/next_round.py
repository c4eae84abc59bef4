"""The pairings of the next round of a recorded team event, by the rules that it is paired by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tb2learn.chess.olympiad_pairing import PairedTeam, RoundPairing, pair_round
from tb2learn.chess.team_swiss import RoundOf, SwissRules, pair_teams
from tb2learn.events.explain import team_number
from tb2learn.events.model import TeamEvent
from tb2learn.events.paired_teams import initial_numbers, no_bye, paired_teams, swiss_teams
from tb2learn.events.round_rules import RoundRules, has_initial_white, rules_of
from tb2learn.types import MAX_ROUNDS, InputError, whole_number

_TO_COME = 2
"""Rounds that are still to come where nobody says how many: the last two are paired otherwise."""


@dataclass(frozen=True)
class NextRound:
    """The pairing of a round of an event.

    **Fields:**

    - `event`: as it stood before the round.
    - `rules`: by which it is paired, and why.
    - `round`, `rounds`: its number; how many the event has, 0 if nobody says it.
    - `teams`: by initial number, what the rules know of the teams that are present.
    - `pairing`: who meets whom; teams by their initial numbers.
    - `absent`: teams that are not paired, by number in the event.
    - `first_white`: the lot of the first round.
    """

    event: TeamEvent
    rules: RoundRules
    round: int
    rounds: int
    teams: Mapping[int, PairedTeam]
    pairing: RoundPairing
    absent: tuple[int, ...]
    first_white: bool

    def name(self, initial: int) -> str:
        """The team of an initial number."""
        return self.event.teams[initial_numbers(self.event).index(initial)]

    @property
    def this_round(self) -> RoundOf:
        """The round as C.04.6 sees it."""
        return RoundOf(self.round, self.rounds or self.round + _TO_COME, self.first_white)

    @property
    def by_game_points(self) -> bool:
        """Whether score groups are made of game points."""
        rules = self.rules.rules
        return isinstance(rules, SwissRules) and rules.primary == "GP"

    def score(self, initial: int) -> float:
        """The points of a team that make score groups."""
        team = self.teams[initial]
        return team.game_points if self.by_game_points else team.match_points


def next_round(
    event: TeamEvent,
    rule: str | None = None,
    absent: Iterable[str] = (),
    present: Iterable[str] = (),
    first_white: bool = True,
    rounds: int | None = None,
) -> NextRound:
    """Pair the round after those that are recorded.

    **Arguments:**

    - `event`: of teams, with rounds (`TeamEvent.after` cuts it).
    - `rule`: the name of the pairing rules; see `round_rules.rules_of` if it is not given.
    - `absent`, `present`: names of teams that are, or are not, left out. If nothing is said, a
      team that was not paired in the last round and had no bye is absent.
    - `first_white`: the lot of the first round, where the file does not have it: whether the first
      team has White.
    - `rounds`: of the whole event, where the file does not say it.

    **Raises:** `InputError` for an event of players or without rounds, rules that are unknown, and
    teams that cannot be paired.
    """
    rules = rules_of(event, rule)
    if not event.known_rounds and event.matches:
        raise InputError(f"{event.name} is recorded without rounds: the next one is not known")
    # A round with open matches is paired again as a whole.
    event = event.settled
    # Names that the user gives come last: they know who is there.
    away = _absent(event) | {team_number(event, name) for name in absent}
    away -= {team_number(event, name) for name in present}
    initial, number = initial_numbers(event), event.rounds + 1
    there = [initial_number for k, initial_number in enumerate(initial) if k not in away]
    planned = event.planned if event.planned >= number else 0
    if rounds is not None:
        planned = whole_number("rounds", rounds, number, MAX_ROUNDS, f" in {event.name}")
    teams: Mapping[int, PairedTeam]
    if isinstance(rules.rules, SwissRules):
        first_white = has_initial_white(event, first_white)
        swiss = swiss_teams(event, rules.rules, first_white)
        this_round = RoundOf(number, planned or number + _TO_COME, first_white)
        teams = {k: swiss[k] for k in there}
        pairing: RoundPairing = pair_teams((swiss[k] for k in there), rules.rules, this_round)
    else:
        paired = paired_teams(event, rules.rules, first_white)
        teams = {k: paired[k] for k in there}
        pairing = pair_round(teams.values(), rules.rules, no_bye(event), first_white)
    away_sorted = tuple(sorted(away))
    return NextRound(event, rules, number, planned, teams, pairing, away_sorted, first_white)


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
