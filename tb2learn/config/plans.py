"""What is fitted, to how many events, and how."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from tb2learn.chess.event_format import UNWRITTEN
from tb2learn.config.settings import FieldConfig, GameConfig
from tb2learn.limits import MOST_EVENTS, MOST_SEED
from tb2learn.types import whole_number, within

Law = Literal["exact", "sampled"]


Objective = Literal["difficulty", "decisions", "formula"]


Aim = Literal["equal", "ideal"]


@dataclass(frozen=True)
class World:
    """A further world whose events a table in passes is fitted to, beside the configuration's own.

    A world whose seeds are not random is fitted in the last pass only, if there is one with random
    seeds: so that what an opponent counts as is evidence alone.

    **Arguments:**

    - `weight`: of its mean squared error, above 0; that of the configuration's own world is 1.
    - `field`, `game`: as those of a `Config`.
    """

    weight: float = 1.0
    field: FieldConfig = dataclasses.field(default_factory=FieldConfig)
    game: GameConfig = dataclasses.field(default_factory=GameConfig)

    def __post_init__(self) -> None:
        within("worlds.weight", self.weight, 1e-6, 1e6)


@dataclass(frozen=True)
class TrainConfig:
    """What is trained, and on how many simulated events.

    **Arguments:**

    - `objective`: what is fitted: the `difficulty` of results (a table in one pass), the
      `decisions` between tied teams (tables in passes), or the constants of the `formula`.
    - `events`: simulated events that are fitted.
    - `held_out`: further events, never fitted, on which the fit is judged.
    - `seed`: of the events; those of training, holding out and assessment never share keys.
    - `law`: `exact` adds the exact law of a match of every pair of teams to the difficulty log;
      `sampled` adds one drawn match of every pair, as the thesis does.
    """

    objective: Objective = "decisions"
    events: int = 4000
    held_out: int = 500
    seed: int = 1
    law: Law = "exact"

    def __post_init__(self) -> None:
        whole_number("train.events", self.events, 1, MOST_EVENTS)
        whole_number("train.held_out", self.held_out, 1, MOST_EVENTS)
        whole_number("train.seed", self.seed, 0, MOST_SEED)


@dataclass(frozen=True)
class SurfaceConfig:
    """The smooth monotone surface and its fit.

    **Arguments:**

    - `knots`: cubic spline pieces along each of the two match-point shares.
    - `smoothness`: weight of the squared second differences of the spline's coefficients, against
      the mean negative log-likelihood a match and threshold.
    - `steps`, `learning_rate`: of the optimiser (Adam with a cosine schedule); without steps the
      spline in closed form is made monotone, and that is all.
    """

    knots: int = 20
    smoothness: float = 1e-8
    steps: int = 400
    learning_rate: float = 0.01

    def __post_init__(self) -> None:
        within("surface.knots", self.knots, 1, 30)
        within("surface.smoothness", self.smoothness, 0, 1e6)
        within("surface.steps", self.steps, 0, 10**6)
        within("surface.learning_rate", self.learning_rate, 1e-6, 10)


@dataclass(frozen=True)
class DecisionConfig:
    """How a rule is fitted to the true order of tied teams.

    **Arguments:**

    - `passes`: how often opponents are looked up, 1 to 5.
    - `knots`: cubic spline pieces along own share and the opponent's share.
    - `smoothness`: weight of the squared second differences of the spline's coefficients, against
      the mean squared error of a tied pair's difference, in match points.
    - `fairness`: of the last pass: weight of the squared mean difference between the higher and the
      lower seed of nearly equal tied teams, by own match points, against the same error. Only
      worlds whose seeds are not random say what it is.
    - `aim`: what `fairness` draws that difference to: what the posterior mean has, which knows no
      seeds (`ideal`; of teams less than five match points apart, weighted and balanced), or 0
      (`equal`). A file with a `fairness` and without an `aim` means the first, a checkpoint the
      second.
    - `others`: of the last pass: weight of the squared change of a tied pair's difference when the
      matches of others in the last round are played again, against the same error.
    """

    passes: int = 3
    knots: int = 12
    smoothness: float = 1e-3
    fairness: float = dataclasses.field(default=0.0, metadata=UNWRITTEN)
    aim: Aim = dataclasses.field(default="equal", metadata=UNWRITTEN)
    others: float = dataclasses.field(default=0.0, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        within("decisions.fairness", self.fairness, 0, 1e6)
        within("decisions.others", self.others, 0, 1e6)
        within("decisions.passes", self.passes, 1, 5)
        within("decisions.knots", self.knots, 1, 30)
        within("decisions.smoothness", self.smoothness, 1e-9, 1e6)
