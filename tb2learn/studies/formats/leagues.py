"""Tie-breaks of leagues: round robins, where everybody met the same opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import ALL, ErrorRate, summarise
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, FieldConfig
from tb2learn.export.assessment import population
from tb2learn.simulation.run import Progress
from tb2learn.tiebreaks.rules import with_encounter_once

TEAM_RULES = ("emmsb", "emgsb", "game-points", "least-squares", "wins", "direct")
PLAYER_RULES = ("sonneborn-berger", "least-squares", "wins", "direct")

TOP = 1
"""The population of ties for the first place."""


@dataclass(frozen=True)
class League:
    """A round robin in which rules are judged.

    **Fields:**

    - `name`: in the report and in the packaged facts.
    - `teams`, `boards`: its size; one board is an individual event.
    - `low`, `high`: between which mean ratings are drawn.
    """

    name: str
    teams: int
    boards: int
    low: float
    high: float

    @property
    def config(self) -> Config:
        """What is played."""
        event = EventFormat(
            self.teams, self.teams - 1 + self.teams % 2, self.boards, format="round-robin"
        )
        spread = 0.0 if self.boards == 1 else FieldConfig().player_sd
        field = FieldConfig(low=self.low, high=self.high, player_sd=spread)
        return Config(self.name.replace(" ", "-"), event=event, field=field)

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules that are judged."""
        return PLAYER_RULES if self.boards == 1 else TEAM_RULES


LEAGUES = (
    League("10 teams of 4", 10, 4, 2000, 2600),
    League("12 teams of 8", 12, 8, 2000, 2600),
    League("14 players", 14, 1, 1800, 2400),
    League("10 grandmasters", 10, 1, 2650, 2800),
)


def judge_league(league: League, events: int, seed: int) -> tuple[ErrorRate, ...]:
    """How often rules decide ties wrongly: a row a rule and population (`TOP` and all).

    Direct encounter is R. Ricca's, see `tiebreaks.combined.encounter_once`.

    **Arguments:**

    - `league`: what is played.
    - `events`, `seed`: how many events of the assessment stream.
    """
    config = league.config
    rules = [
        with_encounter_once(find_rule(name, config.event.rounds, league.boards))
        for name in league.rules
    ]
    tally = single_event_tally(config, rules, events, seed, Progress(f"judge {league.name}"))
    return tuple(row for row in summarise(tally, seed) if row.top in (TOP, ALL))


def league_rows(
    found: Sequence[tuple[League, Sequence[ErrorRate]]],
) -> tuple[tuple[str, ...], list[tuple]]:
    """Header and rows of the facts that the package contains as `data/leagues.csv`."""
    header = ("league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high")
    return header, [
        (
            *(league.name, league.teams, league.boards, row.rule, population(row.top), row.pairs),
            *(round(value, 5) for value in (row.error_rate, *row.ci)),
        )
        for league, rows in found
        for row in rows
    ]
