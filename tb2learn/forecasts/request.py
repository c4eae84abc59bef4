"""A forecast from what a user asks for: an event, a round, a rule, a file of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tb2learn.catalogue import find_rule
from tb2learn.events.explain import team_number
from tb2learn.events.model import TIEBREAKS, TeamEvent
from tb2learn.events.orders import LIST, CriteriaReader, recorded_list
from tb2learn.forecasts.chances import Chances, Criteria, forecast, forecast_setup
from tb2learn.forecasts.state import EventInProgress, begin, read_pairings
from tb2learn.simulation.simulate import SILENT, Progress
from tb2learn.text import plain
from tb2learn.tiebreaks.library import FORMULA, LEARNED, usual_name
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError


def make(
    event: TeamEvent,
    *,
    continuations: int,
    seed: int,
    after: int | None = None,
    rule: str | None = None,
    team: str | None = None,
    pairings: str | Path | None = None,
    rounds: int | None = None,
    pairing_rule: str | None = None,
    progress: Progress = SILENT,
    say: Callable[[str], None] = lambda note: None,
) -> Chances:
    """A forecast.

    **Arguments:**

    - `event`: as recorded, not cut.
    - `continuations`, `seed`, `progress`: as for `chances.forecast`.
    - `after`, `rounds`, `pairing_rule`: as for `state.begin`.
    - `rule`: compared with the order of `rank`; if None, `learned`, of players `formula`, where
      that has a meaning.
    - `team`: the captain's, by name.
    - `pairings`: a file with the pairs of the next round.
    - `say`: takes what the user should know before the work begins: that pairs are missing.

    **Raises:** `InputError`, one line, for whatever cannot be done.
    """
    number = None if team is None else team_number(event, team)
    if pairings is None:
        ongoing = begin(event, after, None, rounds, pairing_rule)
    else:
        pairs = read_pairings(pairings, begin(event, after, (), rounds, pairing_rule))
        ongoing = begin(event, after, pairs, rounds, pairing_rule)
    if missing := missing_pairs(ongoing):
        # What a match does to a team can be counted only if the match is known.
        if number is not None:
            raise InputError(f"{missing}: name its pairs with --pairings FILE, or leave --team out")
        say(f"{missing}: the simulator pairs it (--pairings FILE names the real pairs)")
    orders, alone = compared_lists(ongoing, rule), ""
    # A rule that nobody asked for is left out where it has no meaning; one that was is refused.
    if rule is None:
        try:
            forecast_setup(ongoing, list(orders.values()))
        except InputError as error:
            # The first: the order of `rank`.
            orders, alone = dict(list(orders.items())[:1]), str(error)
    chances = forecast(ongoing, orders, continuations, seed, team=number, progress=progress)
    return replace(chances, alone=alone)


def missing_pairs(ongoing: EventInProgress) -> str:
    """That the next round is not paired, in words; empty if it is, and in a round robin."""
    if ongoing.pairs:
        return ""
    return f"round {ongoing.event.rounds + 1} of {ongoing.event.name} is not paired in the file"


def compared_lists(ongoing: EventInProgress, rule: str | None = None) -> Mapping[str, Criteria]:
    """The order of `rank`, and that of a rule (`learned`, of players `formula`, if None), by name.

    The first is the file's own list (`LIST`) if all its criteria can be computed here, else
    FIDE's.

    **Raises:** `InputError` for a name that is none.
    """
    event = ongoing.event
    reader = CriteriaReader(ongoing.rounds, event.boards, event.individual, ongoing.round_robin)

    def find(name: str) -> Rule:
        return find_rule(name, ongoing.rounds, event.boards, len(event.teams))

    beside = (FORMULA if event.individual else LEARNED) if rule is None else rule
    # A criterion may need the length of the event, which is not over.
    recorded, _ = recorded_list(replace(event, rounds=ongoing.rounds), find)
    # The file's own list may have criteria that nothing here can compute.
    with suppress(InputError):
        if recorded:
            forecast_setup(ongoing, [recorded])
            return {LIST: recorded, beside: reader.read(beside, find)}
    usual = usual_name(event.individual, ongoing.round_robin)
    return {name: reader.read(name, find) for name in dict.fromkeys((usual, beside))}


def _pairing(ongoing: EventInProgress) -> str:
    """By which rules the simulator pairs, and why, in words."""
    rules = ongoing.rules
    if rules is None:
        return "the Dutch system"
    # C.04.6 is not simulated.
    stand_in = "the Dutch system, in place of " if ongoing.form.pairing == "dutch" else ""
    return f"{stand_in}{rules.described}: {rules.why}"


def notes(chances: Chances) -> list[str]:
    """What the user should know about a forecast, one line each."""
    ongoing, rated = chances.ongoing, chances.strengths.rated
    event, many = ongoing.event, "players" if ongoing.event.individual else "teams"
    lines = [f"{event.name}: after {event.rounds} of {ongoing.rounds} rounds"]
    if not rated.any():
        lines.append(
            f"no {many} of this file have ratings: before their results all are alike, spread as "
            "the simulator's default field"
        )
    elif not rated.all():
        lines.append(
            f"{int((~rated).sum())} of {len(rated)} {many} have no ratings: before their results "
            "they count as the mean of the others, with their spread"
        )
    if gone := ongoing.withdrawn:
        and_more = [f"and {len(gone) - 5} more"] * (len(gone) > 5)
        lines.append(f"{len(gone)} {many} do not play on: {', '.join([*gone[:5], *and_more])}")
    if ongoing.paired:
        lines.append(f"round {event.rounds + 1} is paired, as recorded or given")
    if ongoing.round_robin:
        lines.append("a round robin: all meet whom they have not met, in rounds dealt by lot")
    elif ongoing.left > ongoing.paired:
        first = event.rounds + 1 + ongoing.paired
        lines.append(f"the simulator pairs from round {first} on, by {_pairing(ongoing)}")
    if listed := event.about.get(TIEBREAKS):
        lines.append(
            f"{LIST} is the file's own {plain(listed)}"
            if LIST in chances.orders
            else f"the file's list {plain(listed)} cannot be forecast: FIDE's order is used"
        )
    if chances.alone:
        lines.append(f"no other rule stands beside: {chances.alone}")
    return lines
