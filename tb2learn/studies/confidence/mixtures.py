"""Mixtures of worlds in which rules are calibrated, and the rules that are shipped so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tb2learn.catalogue import find_rule
from tb2learn.config import Config, load_config
from tb2learn.studies.worlds import FAIR, FORMULA, LEARNED, OPPONENTS, ROSTERS
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError

REAL = "real-180x11"
"""The world as it is, where simulated verdicts are held against published ratings."""

SHOCKS = 0.0, 45.0, 90.0
"""Team-day shocks that a world is spread over, in rating points, each in a third of the events.

The boards of Baku 2016 imply 38 points, 16 to 52 (reports/games). Other events may have more.
"""

NOISE = 30.0, 80.0
"""Range of the error of published ratings, in rating points, that every event draws its own from.

In half of the events of a spread world the teams are seeded by them, in the other half at random.
"""


class Mixture(NamedTuple):
    """Rules of one format that are calibrated together.

    **Fields:**

    - `rules`: their names.
    - `worlds`: configurations, each with the same number of events in the mixture that the maps are
      fitted in.
    - `others`: worlds outside the mixture in which the maps are judged, too.
    - `spread`: every one of `worlds` is played with random seeds and with seeds near the truth,
      each with the day shocks `SHOCKS`.
    """

    rules: Sequence[str]
    worlds: Sequence[str]
    others: Sequence[str] = ()
    spread: bool = True

    def parts(self) -> dict[str, Config]:
        """The worlds of the mixture, by what they are called in reports."""
        worlds = map(load_config, dict.fromkeys(self.worlds))
        if not self.spread:
            return {config.name: config for config in worlds}
        return {name: part for config in worlds for name, part in _spread(config)}

    def beside(self) -> dict[str, Config]:
        """The worlds outside the mixture, by name."""
        return {one.name: _published(one) for one in map(load_config, dict.fromkeys(self.others))}

    def found(self) -> list[Rule]:
        """The rules.

        **Raises:** `InputError` for worlds of different formats, or a rule for another one.
        """
        first, *others = map(load_config, [*self.worlds, *self.others])
        event = first.event
        for config in others:
            if (config.event.rounds, config.event.boards) != (event.rounds, event.boards):
                raise InputError(
                    f"worlds must have the same rounds and boards, {config.name} differs from "
                    f"{first.name}"
                )
        return [find_rule(name, event.rounds, event.boards, event.teams) for name in self.rules]


def _published(config: Config) -> Config:
    """The world with published ratings: with random seeds, too, so that all rules can be judged."""
    if config.field.published:
        return config
    return replace(config, field=replace(config.field, rating_noise=NOISE))


def _spread(config: Config) -> Iterator[tuple[str, Config]]:
    """A world with random seeds and with seeds near the truth, on days of all kinds."""
    random = replace(config.field, seed_noise=math.inf, rating_noise=NOISE)
    near = replace(config.field, seed_noise=NOISE, rating_noise=math.inf)
    for seeds, field in (("random seeds", random), ("seeds near the truth", near)):
        for shock in SHOCKS:
            game = replace(config.game, day_shock=shock)
            name = f"{config.name}, {seeds}, day shock {shock:g}"
            yield name, replace(config, field=field, game=game)


def _passes(name: str) -> tuple[str, ...]:
    """A table in three passes, and those of fewer."""
    return name, f"{name}-pass1", f"{name}-pass2"


SHIPPED = (
    Mixture(
        (
            *(*_passes(LEARNED), FORMULA, "olympiad-180x11", "product", "least-squares"),
            *(FAIR, ROSTERS, OPPONENTS, "formula"),
        ),
        ("fitted-180x11",),
        (REAL, "baku2016-field", "olympiad-180x11", "shock-180x11"),
    ),
    Mixture((*_passes("learned-38x9"), "formula-38x9", "formula"), ("learned-38x9",)),
    *(
        Mixture((*_passes(f"learned-{boards}boards"), "formula"), (f"learned-{boards}boards",))
        for boards in (6, 8)
    ),
)
"""What is shipped, by format, that of the Olympiad first: there the rosters and games are those of
Baku 2016."""


def chosen(
    rules: Sequence[str],
    worlds: Sequence[str] | None,
    others: Sequence[str] | None,
    spread: bool,
) -> Sequence[Mixture]:
    """What is calibrated: what is shipped, where nothing else is asked for."""
    if not (rules or worlds or others):
        return SHIPPED
    first = SHIPPED[0]
    further = others or (() if worlds else first.others)
    return [Mixture(rules or first.rules, worlds or first.worlds, further, spread or not worlds)]
