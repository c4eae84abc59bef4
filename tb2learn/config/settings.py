"""What is played: the field that teams come from, how games end, and both with a format."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tb2learn.chess.event_format import UNWRITTEN, EventFormat
from tb2learn.data import rated_event_names
from tb2learn.limits import MAX_RATING
from tb2learn.types import InputError, within

FieldKind = Literal["uniform", "rosters", "ratings", "mixture"]


Tail = Literal["literal", "consistent"]


GameModel = Literal["statistic", "fitted"]


NoisePoints: TypeAlias = float | tuple[float, float]
"""A standard deviation in rating points, or the ends of the range that events draw it from."""


MAX_NOISE = 4 * MAX_RATING
"""Most noise of seeds that is finite: with more, they say next to nothing of strengths."""


def _whole_points(name: str, value: float) -> None:
    """Check the end of a range from which whole rating points are drawn.

    **Raises:** `InputError` naming it if it is no whole number.
    """
    if value % 1:
        raise InputError(f"{name} must be a whole number of rating points, got {value:.12g}")


def _check_noise(name: str, noise: NoisePoints) -> None:
    """Check a noise of ratings.

    **Raises:** `InputError` naming it if it is out of range.
    """
    if isinstance(noise, tuple):
        low, high = noise
        within(f"{name}[0]", low, 0, MAX_RATING)
        within(f"{name}[1]", high, low, MAX_RATING, f"{low:.12g}..{MAX_RATING}")
        for i, end in enumerate(noise):
            _whole_points(f"{name}[{i}]", end)
    elif noise != math.inf:
        within(name, noise, 0, MAX_NOISE, f"0..{MAX_NOISE} or inf")


@dataclass(frozen=True)
class FieldConfig:
    """Where the teams come from.

    **Arguments:**

    - `kind`: `uniform` draws each team's a-priori rating from Uniform(`low`, `high`); `rosters`
      draws whole rosters, with replacement, from the real event named by `event`, where players
      without a rating count 1000 (in Baku 2016 some of 13 teams of 176); `ratings` takes
      the a-priori ratings listed in `ratings`, one a team; `mixture` makes every event, as a whole,
      one of `rosters` with chance `share`, else one of `uniform`.
    - `low`, `high`: whole rating points (`uniform`, `mixture`), as are the ratings drawn.
    - `player_sd`: the players of a team are Normal(a-priori rating, `player_sd`), rounded to whole
      rating points (not `rosters`). 62.79 is the mean within-team standard deviation of the first
      70 teams of Baku 2016 (Naray 2020).
    - `event`: name of a packaged event (`rosters`, `mixture`).
    - `ratings`: rating points, one a team (`ratings`).
    - `seed_noise`: standard deviation, in rating points, of the noise added to a team's rating for
      seeding only. 0 seeds by the true strength (which leaks it through the pairings), inf at
      random; finite noise is at most 16000. Two whole numbers, 0..4000, are a range: every event
      draws a noise of its own from it, uniformly, in whole rating points.
    - `share`: chance that an event is one of `rosters`, 0..1 (`mixture`).
    - `rating_noise`: the same of published ratings where seeds are random; inf if none are
      published. Seeds that are not random are made of the published ratings.
    """

    kind: FieldKind = "uniform"
    low: float = 1700.0
    high: float = 2800.0
    player_sd: float = 62.79
    event: str = ""
    ratings: tuple[float, ...] = ()
    seed_noise: NoisePoints = math.inf
    share: float = 0.5
    rating_noise: NoisePoints = dataclasses.field(default=math.inf, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        within("field.low", self.low, 0, MAX_RATING)
        within("field.high", self.high, self.low, MAX_RATING, f"low..{MAX_RATING}")
        _whole_points("field.low", self.low)
        _whole_points("field.high", self.high)
        within("field.player_sd", self.player_sd, 0, 1000)
        _check_noise("field.seed_noise", self.seed_noise)
        _check_noise("field.rating_noise", self.rating_noise)
        if self.informative and self.rating_noise != math.inf:
            raise InputError(
                "field.rating_noise is for random seeds (field.seed_noise = inf): other seeds are "
                f"made of the published ratings, got {self.rating_noise} and {self.seed_noise}"
            )
        within("field.share", self.share, 0, 1)
        for i, rating in enumerate(self.ratings):
            within(f"field.ratings[{i}]", rating, 0, MAX_RATING)
        if self.resamples and self.event not in rated_event_names():
            raise InputError(
                f"field.event must name a packaged event ({', '.join(rated_event_names())}) when "
                f"field.kind is {self.kind!r}, got {self.event[:60]!r}"
            )
        if self.kind == "ratings" and not self.ratings:
            raise InputError("field.ratings must list a rating a team when kind is 'ratings'")

    @property
    def informative(self) -> bool:
        """Whether seeds say something of strengths: whether they are not random."""
        return self.seed_noise != math.inf

    @property
    def published(self) -> bool:
        """Whether ratings are published."""
        return self.informative or self.rating_noise != math.inf

    @property
    def resamples(self) -> bool:
        """Whether rosters of a packaged event are drawn, in every event or in some."""
        return self.kind in ("rosters", "mixture")


@dataclass(frozen=True)
class GameConfig:
    """How two ratings make a result.

    **Arguments:**

    - `tail`: beyond about 300 points the draw statistic leaves no room for the expected score.
      `consistent` lowers the draw chance and keeps the expectation; `literal` keeps the draw
      chance (the thesis; for reproducing it only). The fitted model needs neither.
    - `model`: `statistic` takes the expected score from the Elo formula and the draw chance from a
      statistic of 8 million games; `fitted` takes both from the boards of Baku 2016 (see
      `simulation.games.fitted_chances`).
    - `day_shock`: standard deviation, in rating points (0..1000), of the shock by which a team's
      whole line-up is stronger or weaker on the day of a match, each team's independent of all
      others. It comes on top of the law of a game, whose expected scores it draws towards 1/2.
    """

    tail: Tail = "consistent"
    model: GameModel = "statistic"
    day_shock: float = 0.0

    def __post_init__(self) -> None:
        within("game.day_shock", self.day_shock, 0, 1000)


@dataclass(frozen=True)
class Setting:
    """What is played: all that an event depends on beside its key.

    Compiled programs and kept events and counts are found by it, so that settings that are equal
    share them, whatever they are called, and others never do.
    """

    event: EventFormat = dataclasses.field(default_factory=EventFormat)
    field: FieldConfig = dataclasses.field(default_factory=FieldConfig)
    game: GameConfig = dataclasses.field(default_factory=GameConfig)

    def only(self, *parts: str) -> Setting:
        """These parts alone, the others as they are if nobody says: for what does not see them."""
        return Setting(**{part: getattr(self, part) for part in parts})


def field_of(low: float | None, high: float | None) -> FieldConfig:
    """An invented field with strengths from one rating to another, seeded at random."""
    usual = FieldConfig()
    low, high = usual.low if low is None else low, usual.high if high is None else high
    within("the strongest team", high, low, MAX_RATING, f"at least {low:g}, the weakest")
    return FieldConfig(low=low, high=high)


def field_like(ratings: Sequence[float | None], teams: int, name: str) -> FieldConfig:
    """A field with the strengths of a recorded event, seeded at random.

    **Arguments:**

    - `ratings`: of its teams, None where no rating is known.
    - `teams`: how many the simulated events have: of another number the ratings are read at as many
      places between the strongest and the weakest.
    - `name`: of the event, for the refusal.

    **Raises:** `InputError` where fewer than half of the teams, or fewer than two, have a rating.
    """
    known = sorted((rating for rating in ratings if rating is not None), reverse=True)
    if len(known) < max(2, len(ratings) / 2):
        raise InputError(f"{name}: {len(known)} of {len(ratings)} teams have a rating: too few")
    places = np.linspace(0, len(known) - 1, teams)
    strengths = np.interp(places, range(len(known)), known).round().tolist()
    return FieldConfig("ratings", ratings=tuple(strengths))
