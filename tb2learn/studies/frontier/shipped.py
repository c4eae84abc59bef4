"""The shipped rules on the same events of all worlds, and which of them is the default."""

from __future__ import annotations

import pandas as pd

from tb2learn.assessment.assess import single_assessment
from tb2learn.assessment.single import single_event_tally
from tb2learn.catalogue import find_judged
from tb2learn.config import Config, load_config
from tb2learn.report.frames import rounded, where
from tb2learn.report.stored import stacked
from tb2learn.simulation.run import Progress
from tb2learn.simulation.streams import Purpose
from tb2learn.studies.frontier.compared import BATUMI, REAL
from tb2learn.studies.robustness.measure import worlds as worlds_of_robustness
from tb2learn.studies.worlds import (
    FAIR,
    FORMULA,
    LEARNED,
    OPPONENTS,
    ROSTERS,
    WORLD,
    growths,
    preferences,
)

TOP = 30
"""The population by which rules are chosen."""

MOST_PREFERENCE, MOST_MORE = 0.51, 0.001
"""The rules of choice: bounds of the near-equal preference, and of the errors added where seeds are
random."""

SHIPPED = ("olympiad-180x11", FORMULA, LEARNED, FAIR, ROSTERS, OPPONENTS)
"""The shipped rules for 180 teams, 11 rounds and 4 boards."""

NEEDS_RATINGS = (OPPONENTS,)
"""Those that are no default, as a file may have no ratings."""

_RATES = ("error_rate", "low", "high", "near_equal", "near_equal_low", "near_equal_high")
_PAIRED = (
    *("pairs", "error", "other", "more", "more_low", "more_high"),
    *("near", "nearer", "nearer_low", "nearer_high"),
)


def worlds() -> dict[str, Config]:
    """The worlds of the studies of robustness and of the frontier in which no table is rescaled."""
    home = load_config(WORLD).event
    found = {name: one for name, one in worlds_of_robustness().items() if one.event == home}
    return found | {name: load_config(name) for name in (REAL, BATUMI)}


def seeded_with_error() -> list[str]:
    """The worlds whose seeds are ratings with an error.

    Only there a rule is fair if it prefers either of two nearly equal teams as often: without an
    error the higher seed is the better team.
    """
    return [
        name
        for name, one in worlds().items()
        if one.field.informative and one.field.seed_noise != 0
    ]


def judge_shipped(events: int, seed: int, purpose: Purpose) -> dict[str, pd.DataFrame]:
    """Judge the shipped rules in all worlds, on the same events in each.

    **Arguments:**

    - `events`: of every world.
    - `seed`: of them and of the bootstrap.
    - `purpose`: of the events: they choose the default, or they judge.

    **Returns:**

    - `rates`: a row a `world` and `rule`: `_RATES` at top `TOP`, and the number of `events`.
    - `paired`: a row a `world` and two rules, `rule` and `than`: as `growths` and `preferences`
      at top `TOP`, and the number of `events`.
    """
    rates, paired = [], []
    for name, config in worlds().items():
        known = [one for one in SHIPPED if config.field.published or one not in NEEDS_RATINGS]
        judged = find_judged(known, config)[1:]
        shown = Progress(f"{name}, {purpose.name.lower()}")
        tally = single_event_tally(config, judged, events, seed, shown, purpose)
        found = single_assessment(config, tally, events, seed).frame
        rates.append(where(found, top=TOP).assign(world=name))
        for than in tally.rules:
            others = [rule for rule in tally.rules if rule != than]
            more = growths(tally, others, than, seed, "more", [TOP])
            near = preferences(tally, others, than, seed, [TOP])
            paired.append(more.join(near).assign(world=name, than=than))
    found = {
        "rates": stacked(rates)[["world", "rule", *_RATES]],
        "paired": stacked(paired)[["world", "rule", "than", *_PAIRED]],
    }
    # As the files have them, so that the report is the same from both.
    return {name: rounded(one, 6).assign(events=events) for name, one in found.items()}


def candidates(rates: pd.DataFrame) -> pd.DataFrame:
    """What the rule of choice of the default looks at.

    **Arguments:** `rates`: as `judge_shipped`, on events that choose.

    **Returns:** a row a `rule`, the least mean error first: `mean`, its error over all worlds, each
    counting the same; `unfair`, the largest difference of its near-equal preference from 0.5 in a
    world whose seeds are ratings with an error; `more`, how much more it errs than `LEARNED` in
    `WORLD`, where seeds are random; whether it is `within` both bounds, yes or no.
    """
    rates = rates[~rates["rule"].isin(NEEDS_RATINGS)]
    errors = rates.pivot(index="rule", columns="world", values="error_rate")
    random = errors[WORLD].astype(float)
    bounded = rates[rates["world"].isin(seeded_with_error())]
    found = pd.DataFrame(
        {
            "mean": errors.mean(axis=1),
            "unfair": (bounded["near_equal"] - 0.5).abs().groupby(bounded["rule"]).max(),
            "more": random - random[LEARNED],
        }
    )
    fair = found["unfair"] <= MOST_PREFERENCE - 0.5
    within = fair & (found["more"] <= MOST_MORE)
    found["within"] = within.map({True: "yes", False: "no"})
    return found.sort_values("mean", kind="stable").reset_index()


def default_rule(rates: pd.DataFrame) -> str | None:
    """The rule that is the default of the program; None if none is within the bounds.

    The rule of choice, written down before its run. Of the shipped rules that need no ratings, as a
    file may have none: those whose near-equal preference differs from 0.5 by at most
    `MOST_PREFERENCE` - 0.5 in every world whose seeds are ratings with an error, and that err at
    most `MOST_MORE` more than `LEARNED` in `WORLD`, where seeds are random. Of these the one with
    the least mean error at top `TOP` over all worlds, each counting the same.

    **Arguments:** `rates`: as `judge_shipped`, on events that choose.
    """
    found = candidates(rates)
    return next(iter(found["rule"][found["within"] == "yes"]), None)
