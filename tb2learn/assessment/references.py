"""How well could any tie-break do? References beside the rules of an assessment.

The posterior mean (`level_model.posterior_worth`) knows the law of the field, which no rule knows.
It is a Monte Carlo estimate, and the best one of strengths, not of orders, so it is no strict
bound. Where seeds are not random the pairings betray them, so that a rule can be right more often
by reading them. `TrueOpponents` knows the true strengths of a team's opponents, and so shows how
much of the error is the luck of the team's own games. It does not know the field and so is no
bound: among the first places the posterior mean is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from tb2learn.assessment.estimators import Estimator, Replayable
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import match_points
from tb2learn.config import Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.level_model import (
    LevelModel,
    level_model,
    likelihood_worth,
    most_likely,
    posterior_worth,
)
from tb2learn.simulation.rng import unit_numbers
from tb2learn.tiebreaks.library import REFERENCES, baseline
from tb2learn.tiebreaks.names import in_words
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import one_of, pytree


class Reference(Estimator):
    """An estimate that is assessed beside the rules and may use more than the results."""

    name: str
    """As it is called on the command line."""

    def digest(self) -> str:
        """Empty: a reference has no numbers but those of its configuration."""
        return ""

    def check_format(self, rounds: int, boards: int) -> None:
        """A reference is made for a configuration, so it fits the format of its events."""


@pytree
class PosteriorMean(Reference):
    """It knows the law of the field and sees game points: `posterior_worth`."""

    name = "posterior-mean"
    model: LevelModel

    def estimate(self, key: Key, event: Event, setting: Setting) -> Float[Array, " teams"]:
        """The posterior mean of every team's worth."""
        return posterior_worth(key, event, setting, self.model)


@pytree
class TrueOpponents(Reference, Replayable):
    """The best estimate from own games and the opponents' strengths: `likelihood_worth`."""

    name = "true-opponents"
    model: LevelModel

    def estimate(self, key: Key, event: Event, setting: Setting) -> Float[Array, " teams"]:
        """The most likely rating of every team."""
        return likelihood_worth(event, setting, self.model)

    def opponent_score(self, event: Event) -> Float[Array, "rounds teams"]:
        """The opponents' mean ratings."""
        return event.rosters.mean(axis=-1)[event.opponents]

    def plain_score(self, match_points: Array, rosters: Array) -> Float[Array, "*batch"]:
        """The mean rating."""
        return rosters.mean(axis=-1)

    def replay(
        self, own: Array, opponent_score: Array, half_points: Array, present: Array
    ) -> Array:
        """The most likely rating."""
        return most_likely(self.model, opponent_score, half_points, present)


@pytree
class AllPlayAll(Reference):
    """One drawn round robin: a match between every two teams.

    The oracle of the thesis protocol is the mode of thirty of them; there this is another oracle.
    """

    name = "all-play-all"
    is_oracle: ClassVar[bool] = True
    stream: ClassVar[int] = 1

    def estimate(self, key: Key, event: Event, setting: Setting) -> Int[Array, " teams"]:
        """Match points of one drawn round robin."""
        teams, boards = event.rosters.shape
        at_most = games.all_play_all(event.rosters, setting.game)
        number = unit_numbers(key, teams * teams).reshape(teams, teams)
        # Every match once, from the side of the lower number.
        first = jnp.triu(jnp.ones((teams, teams), bool), k=1)
        scored = match_points(games.sample_half_points(number, at_most), boards)
        scored = jnp.where(first, scored, 0)
        # The second side of a match has what is left of its two match points.
        return scored.sum(axis=1) + jnp.where(first, 2 - scored, 0).sum(axis=0)


@pytree
class HigherSeed(Reference):
    """The team with the higher seed first: the extreme of a rule that rewards the starting rank.

    Where seeds are near the truth it errs less than any rule, and nobody would call it fair.
    """

    name = "higher-seed"

    def estimate(self, key: Key, event: Event, setting: Setting) -> Int[Array, " teams"]:
        """Minus the number of the team: teams are numbered by seed."""
        return -jnp.arange(event.rosters.shape[0], dtype=jnp.int32)


def reference(name: str, setting: Setting) -> Reference:
    """A reference of `REFERENCES` for the events of a configuration.

    **Raises:** `InputError` for another name.
    """
    one_of("reference", name, REFERENCES)
    plain = {class_.name: class_ for class_ in (HigherSeed, AllPlayAll)}
    modelled = {class_.name: class_ for class_ in (PosteriorMean, TrueOpponents)}
    return plain[name]() if name in plain else modelled[name](level_model(setting))


def find_judged(
    names: Sequence[str], setting: Setting, against: str = ""
) -> list[Rule | Reference]:
    """Rules and references by name for the events of a configuration, today's rule first.

    **Arguments:** `against`: the rule that the others are compared with, if not the `baseline` of
    the format; a list of tie-breaks is written with `+`.

    **Raises:** `InputError` as `find_rule`.
    """
    event = setting.event
    event.check_one_table("an assessment")
    first = in_words(against) or baseline(event.boards, event.format == "round-robin")
    judged: list[Rule | Reference] = [find_rule(first, event.rounds, event.boards)]
    for name in dict.fromkeys(names):
        if name in REFERENCES:
            judged.append(reference(name, setting))
        elif name != first:
            rule = find_rule(name, event.rounds, event.boards, event.teams)
            # A name that stands for a rule of another one has a row of its own, with equal numbers.
            if rule.name not in {entry.name for entry in judged}:
                judged.append(rule)
    return judged
