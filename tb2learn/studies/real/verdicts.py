"""What rules say of pairs of teams of a recorded event, and whether the event agrees.

Verdicts are counted in resamples of every event's teams, and of its score groups or matches.

Two tests. **Ratings**: two teams that finished on equal match points; right is who puts the higher
rated team first. **Prediction**: two teams on equal match points after a round that meet later and
do not draw; right is who put the winner first, by the results up to that round alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import stats

from tb2learn.assessment.by_ratings import mean_ratings, rated_pairs
from tb2learn.assessment.pairs import tied_pairs
from tb2learn.events import TeamEvent
from tb2learn.events.rank import scores
from tb2learn.stats import interval, resamples
from tb2learn.studies.real.native import NATIVE
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_TEAMS

FindRule: TypeAlias = Callable[[str, int, int], Rule]
"""Finds a rule by its name for a number of rounds and of boards."""

HIGHER_RATED = "higher-rated"
"""Judged beside the rules in prediction: the higher rated team first."""

RATING_TOPS = {"all": MAX_TEAMS, "top 30": 30, "top 10": 10}
"""Populations of the ratings test: pairs of the groups that touch a place up to this one."""

PREDICTIONS = {
    "next": "the next round",
    "later": "any later round",
    "later, top 30": "any later round, groups that touch the top 30",
}
"""Populations of the prediction test, each for matches after any round and after `SINCE`."""

SINCE = (1, 5, 8)
"""A prediction is made after these rounds or later ones."""

RIGHT, EQUAL, WRONG = 2, 1, 0
"""Verdicts in half points: equal scores, and those that are not known, count half."""


@dataclass(frozen=True)
class Verdicts:
    """What rules say of pairs of teams of one event.

    **Fields:**

    - `rules`: their names.
    - `teams`: number of teams of the event.
    - `pairs`: the two teams of every verdict.
    - `units`: which score group or match a verdict belongs to, counted from 0.
    - `populations`: whether a verdict belongs to each population.
    - `leads`: by rule, the score of the team that belongs first less that of the other one. In
      prediction it is in units of the root mean square of the differences between all teams that
      were on equal match points at that time; NaN where a score is not known.
    """

    rules: Sequence[str]
    teams: int
    pairs: Int[np.ndarray, "items 2"]
    units: Int[np.ndarray, " items"]
    populations: Bool[np.ndarray, "items populations"]
    leads: Float[np.ndarray, "items rules"]

    @property
    def verdicts(self) -> Int[np.ndarray, "items rules"]:
        """`RIGHT`, `EQUAL` or `WRONG` by rule."""
        return (np.sign(np.nan_to_num(self.leads)) + EQUAL).astype(int)


def rating_verdicts(event: TeamEvent, names: Sequence[str], find: FindRule) -> Verdicts | None:
    """Every rule's order of the pairs tied on final match points, held against the ratings.

    **Arguments:**

    - `event`: teams without a rated player take no part, nor do pairs of equal mean rating.
    - `names`: of the rules. `NATIVE` is left out: the shipped table is native to final standings.
    - `find`: finds a rule by name.

    **Returns:** a score group is a unit, the populations are `RATING_TOPS`; None for an event in
    which fewer than two teams have ratings.

    **Raises:** `InputError` for a rule that is not for the format.
    """
    rating = mean_ratings(event)
    if np.count_nonzero(~np.isnan(rating)) < 2:
        return None
    names = [name for name in names if name != NATIVE]
    own, values = _scores(event, names, find)
    pairs, better = rated_pairs(event, own)
    touches = pairs.place[:, None] <= np.array(list(RATING_TOPS.values()))
    _, units = np.unique(own[pairs.first], return_inverse=True)
    leads = (values[:, pairs.first] - values[:, pairs.second]) * better
    return Verdicts(names, len(own), pairs.teams, units, touches, leads.T)


def prediction_verdicts(event: TeamEvent, names: Sequence[str], find: FindRule) -> Verdicts | None:
    """Every rule's favourite after each round, held against later matches that were not drawn.

    **Arguments:**

    - `event`: with rounds; matches without a game take no part.
    - `names`: of the rules; tables are rescaled to the rounds played so far.
    - `find`: finds a rule by name.

    **Returns:** a match is a unit, whatever the number of rounds after which it was predicted; the
    populations are `PREDICTIONS` for each of `SINCE`; the last column is `HIGHER_RATED`, whose
    scores are the mean ratings in hundreds of points. None for an event without rounds, or with
    one.

    **Raises:** `InputError` for a rule that is not for the format.
    """
    if not event.known_rounds or event.rounds < 2:
        return None
    decisive = [one for one in event.matches if one.played and len(set(one.match_points)) > 1]
    rating = mean_ratings(event)[None] / 100
    rows: list[tuple[tuple[int, ...], int, list[bool], Float[np.ndarray, " rules"]]] = []
    for number in range(1, event.rounds):
        own, values = _scores(event.after(number), names, find)
        # By the first place of the score group.
        touches = stats.rankdata(-own, "min") <= RATING_TOPS["top 30"]
        units = np.append(_spread(own, values), 1.0)
        values = np.concatenate([values, rating])
        for unit, match in enumerate(decisive):
            first, second = match.teams
            if match.round <= number or own[first] != own[second]:
                continue
            ahead = values[:, first] - values[:, second]
            inside = (match.round == number + 1, True, bool(touches[first]))
            populations = [each and number >= since for since in SINCE for each in inside]
            won = np.sign(np.subtract(*match.match_points))
            rows.append((match.teams, unit, populations, won * ahead / units))
    width = len(SINCE) * len(PREDICTIONS)
    return Verdicts(
        [*names, HIGHER_RATED],
        len(event.teams),
        np.array([row[0] for row in rows], int).reshape(-1, 2),
        np.array([row[1] for row in rows], int),
        np.array([row[2] for row in rows], bool).reshape(-1, width),
        np.array([row[3] for row in rows], float).reshape(-1, len(names) + 1),
    )


def _spread(
    own: Int[np.ndarray, " teams"], values: Float[np.ndarray, "rules teams"]
) -> Float[np.ndarray, " rules"]:
    """Root mean square of the differences of scores between teams on equal match points; or 1."""
    pairs = tied_pairs(own[None])
    squares = (values[:, pairs.first] - values[:, pairs.second]) ** 2
    found = np.sqrt(squares.sum(axis=1) / max(1, squares.shape[1]))
    return np.where(found > 0, found, 1.0)


def _scores(
    event: TeamEvent, names: Sequence[str], find: FindRule
) -> tuple[Int[np.ndarray, " teams"], Float[np.ndarray, "rules teams"]]:
    """Match points, and the scores of every rule."""
    found = [scores(event, find(name, event.rounds, event.boards)) for name in names]
    return found[0][0], np.stack([np.asarray(values, float) for _, values in found])


def populations(test: str) -> Mapping[str, str]:
    """The populations of a test, `ratings` or `prediction`: names and what they are, in order."""
    if test == "ratings":
        return {
            name: "all tied pairs" if name == "all" else f"groups that touch the {name}"
            for name in RATING_TOPS
        }
    return {
        f"{name}, from round {since}": f"{text}, predicted after round {since} or later"
        for since in SINCE
        for name, text in PREDICTIONS.items()
    }


# --- resampling -----------------------------------------------------------------------------------

Sums: TypeAlias = Mapping[str, Float[np.ndarray, "times columns"]]
"""Sums in resamples, by what is resampled: `teams`, or one of `UNITS`."""

UNITS = {"ratings": "score groups", "prediction": "matches"}
"""What is resampled besides teams, by test."""


def resampled(
    test: str,
    found: Sequence[Verdicts],
    columns: Sequence[Float[np.ndarray, "_ columns"]],
    seed: int,
) -> tuple[Float[np.ndarray, " columns"], Sums]:
    """Sums of values over all verdicts of a test, and the same in resamples.

    **Arguments:**

    - `test`: `ratings` or `prediction`.
    - `found`: the verdicts of every event; each is resampled by itself.
    - `columns`: values of every verdict, by event.
    - `seed`: of the resampling.
    """
    generator = np.random.default_rng(seed)
    drawn: dict[str, Float[np.ndarray, "times columns"]] = {}
    for over in (UNITS[test], "teams"):
        weighted = (
            weights(one, over, generator) @ values
            for one, values in zip(found, columns, strict=True)
        )
        drawn[over] = sum(weighted, np.zeros(()))
    return np.sum([values.sum(axis=0) for values in columns], axis=0), drawn


def weights(
    one: Verdicts, over: str, generator: np.random.Generator
) -> Float[np.ndarray, "times items"]:
    """How often every verdict counts in each resample of one event.

    Of teams: as often as both were drawn, as the verdicts on one team are not independent.
    """
    if over == "teams":
        drawn = resamples(one.teams, generator)
        return drawn[:, one.pairs[:, 0]] * drawn[:, one.pairs[:, 1]]
    units, index = np.unique(one.units, return_inverse=True)
    return resamples(len(units), generator)[:, index]


def wider(
    drawn: Mapping[str, Float[np.ndarray, "times *cells"]],
) -> tuple[Float[np.ndarray, "2 *cells"], np.ndarray]:
    """In every cell the widest of the intervals over what is resampled, and which one it is.

    An interval that is not known is the narrowest.
    """
    ends = np.stack([interval(values) for values in drawn.values()])
    widest = np.nan_to_num(ends[:, 1] - ends[:, 0], nan=-1.0).argmax(axis=0)
    found = np.take_along_axis(ends, widest[None, None], axis=0)[0]
    return found, np.array(list(drawn))[widest]


def counted(
    found: Sequence[Verdicts], inside: Sequence[Bool[np.ndarray, "_ populations"]]
) -> tuple[Int[np.ndarray, " populations"], Int[np.ndarray, " populations"]]:
    """How many verdicts belong to each population, and to how many units these belong."""
    pairs = np.sum([some.sum(axis=0) for some in inside], axis=0)
    units = [
        [len(set(one.units[each])) for each in some.T]
        for one, some in zip(found, inside, strict=True)
    ]
    return pairs, np.sum(units, axis=0)
