"""Which rule agrees with the ratings, and with later matches, in real events?

Two tests. **Ratings**: two teams that finished on equal match points; a rule is right if it puts
the higher rated team first. **Prediction**: two teams on equal match points after a round that meet
later and do not draw; a rule is right if it put the winner first, by the results up to that round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from matplotlib.figure import Figure
from scipy import stats

from studies.script import report, script, written
from studies.worlds import FORMULA, LEARNED, ROSTERS
from tb2learn.assessment.by_ratings import mean_ratings, rated_pairs
from tb2learn.catalogue import find_rule
from tb2learn.events import TeamEvent, read_event
from tb2learn.events.rank import scores
from tb2learn.report.frames import where
from tb2learn.report.style import (
    COLOURS,
    INK,
    MARKERS,
    blank_figure,
    draw_marks,
    dress,
    in_percent,
    short_name,
)
from tb2learn.report.wording import rule_name
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import interval, long_frame, resamples
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.types import MAX_TEAMS

EVENTS = ("baku2016", "batumi2018", "batumi2018w")
"""The packaged events with ratings and rounds."""

RULES = (
    *(PRODUCT, "buchholz-cut1", "emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1"),
    *("game-points", "row-sum", "least-squares", "olympiad-180x11", FORMULA),
    *(f"{LEARNED}-pass1", f"{LEARNED}-pass2", ROSTERS, LEARNED),
)
"""Rules that are judged; the others are compared with the first."""

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

POPULATIONS: Mapping[str, Mapping[str, str]] = {
    "ratings": {
        name: "all tied pairs" if name == "all" else f"groups that touch the {name}"
        for name in RATING_TOPS
    },
    "prediction": {
        f"{name}, from round {since}": f"{text}, predicted after round {since} or later"
        for since in SINCE
        for name, text in PREDICTIONS.items()
    },
}
"""By test the names of the populations and what they are, in order."""

UNITS = {"ratings": "score groups", "prediction": "matches"}
"""What is resampled besides teams, by test."""

RIGHT, EQUAL, WRONG = 2, 1, 0
"""Verdicts in half points: equal scores, and those that are not known, count half."""

find = cache(find_rule)


# --------------------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Verdicts:
    """What rules say of pairs of teams of one event.

    **Fields:**

    - `rules`: their names.
    - `teams`: number of teams of the event.
    - `pairs`: the two teams of every verdict.
    - `units`: which score group or match a verdict belongs to, counted from 0.
    - `populations`: whether a verdict belongs to each population.
    - `verdicts`: `RIGHT`, `EQUAL` or `WRONG` by rule.
    """

    rules: Sequence[str]
    teams: int
    pairs: Int[np.ndarray, "items 2"]
    units: Int[np.ndarray, " items"]
    populations: Bool[np.ndarray, "items populations"]
    verdicts: Int[np.ndarray, "items rules"]


def rating_verdicts(event: TeamEvent, names: Sequence[str]) -> Verdicts:
    """Every rule's order of the pairs tied on final match points, held against the ratings.

    Teams without a rated player take no part, nor do pairs of equal mean rating. A score group is a
    unit; the populations are `RATING_TOPS`.
    """
    own, values = _scores(event, names)
    pairs, better = rated_pairs(event, own)
    touches = pairs.place[:, None] <= np.array(list(RATING_TOPS.values()))
    _, units = np.unique(own[pairs.first], return_inverse=True)
    leads = (values[:, pairs.first] - values[:, pairs.second]) * better
    return Verdicts(names, len(own), pairs.teams, units, touches, _verdicts(leads.T))


def prediction_verdicts(event: TeamEvent, names: Sequence[str]) -> Verdicts:
    """Every rule's favourite after each round, held against later matches that were not drawn.

    Matches without a game take no part; tables are rescaled to the rounds played so far. A match is
    a unit, whatever the number of rounds after which it was predicted; the populations are
    `PREDICTIONS` for each of `SINCE`; the last rule is `HIGHER_RATED`.
    """
    decisive = [one for one in event.matches if one.played and len(set(one.match_points)) > 1]
    rating = mean_ratings(event)[None]
    pairs, units, populations, leads = [], [], [], []
    for number in range(1, event.rounds):
        own, values = _scores(event.after(number), names)
        # By the first place of the score group.
        touches = stats.rankdata(-own, "min") <= RATING_TOPS["top 30"]
        values = np.concatenate([values, rating])
        for unit, match in enumerate(decisive):
            first, second = match.teams
            if match.round <= number or own[first] != own[second]:
                continue
            inside = (match.round == number + 1, True, bool(touches[first]))
            pairs.append(match.teams)
            units.append(unit)
            populations.append([each and number >= since for since in SINCE for each in inside])
            won = np.sign(np.subtract(*match.match_points))
            leads.append(won * (values[:, first] - values[:, second]))
    parts = np.array(pairs), np.array(units), np.array(populations), _verdicts(np.array(leads))
    return Verdicts([*names, HIGHER_RATED], len(event.teams), *parts)


def _scores(
    event: TeamEvent, names: Sequence[str]
) -> tuple[Int[np.ndarray, " teams"], Float[np.ndarray, "rules teams"]]:
    """Match points, and the scores of every rule."""
    parts = [scores(event, find(name, event.rounds, event.boards)) for name in names]
    return parts[0][0], np.stack([np.asarray(values, float) for _, values in parts])


def _verdicts(leads: Float[np.ndarray, "items rules"]) -> Int[np.ndarray, "items rules"]:
    """From the score of the team that belongs first less that of the other one."""
    return (np.sign(np.nan_to_num(leads)) + EQUAL).astype(int)


# --------------------------------------------------------------------------- shares


def judge(events: Sequence[TeamEvent], names: Sequence[str], seed: int) -> dict[str, pd.DataFrame]:
    """Judge rules by events with ratings and rounds.

    **Returns:** `results`: see `results`; `disagreements`: of every two rules in every population,
    `one` and `other`, how often they have opposite verdicts (`pairs`), and how often `one` is right
    then (`one_right`).
    """
    judged: dict[str, list[Verdicts]] = {"ratings": [], "prediction": []}
    with progress_bar(2 * len(events), "real", "test") as bar:
        for event in events:
            judged["ratings"].append(rating_verdicts(event, names))
            bar.update()
            judged["prediction"].append(prediction_verdicts(event, names))
            bar.update()
    tables = {"results": [], "disagreements": []}
    for test, parts in judged.items():
        tables["results"].append(results(test, parts, seed))
        tables["disagreements"].append(disagreements(test, parts))
    return {name: pd.concat(both, ignore_index=True) for name, both in tables.items()}


def results(test: str, parts: Sequence[Verdicts], seed: int) -> pd.DataFrame:
    """One test, pooled over events.

    Intervals are 95 % percentile bootstrap intervals; of the two, over units and over teams, the
    wider one.

    **Returns:** a row a population and rule:

    - `test`, `population`, `rule`: names.
    - `pairs`: number of verdicts; `units`: of score groups or matches that they belong to.
    - `right`: share of them that is right; equal scores count half.
    - `more`: that share less the first rule's, on the same resamples.
    - `right_low`, `right_high`, `more_low`, `more_high`: the ends of their intervals.
    - `over`: which bootstrap gave the wider interval of the difference, `teams` or one of `UNITS`.
    """
    names, rules = list(POPULATIONS[test]), parts[0].rules
    columns = [_columns(one) for one in parts]
    generator, drawn = np.random.default_rng(seed), {}
    for over in (UNITS[test], "teams"):
        sums = [weights(p, over, generator) @ c for p, c in zip(parts, columns, strict=True)]
        drawn[over] = _shares(np.sum(sums, axis=0), len(names))
    right = _shares(np.sum([one.sum(axis=0) for one in columns], axis=0), len(names))[0]
    ends, _ = wider(drawn)
    more_ends, over = wider({name: one - one[..., :1] for name, one in drawn.items()})
    pairs = np.sum([one.populations.sum(axis=0) for one in parts], axis=0)
    units = [[len(set(one.units[some])) for some in one.populations.T] for one in parts]
    values = {
        "pairs": np.repeat(pairs, len(rules)),
        "units": np.repeat(np.sum(units, axis=0), len(rules)),
        **{"right": right, "right_low": ends[0], "right_high": ends[1]},
        **{"more": right - right[:, :1], "more_low": more_ends[0], "more_high": more_ends[1]},
        "over": over,
    }
    return long_frame({"test": [test], "population": names, "rule": rules}, values)


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
    return np.take_along_axis(ends, widest[None, None], axis=0)[0], np.array(list(drawn))[widest]


def _columns(one: Verdicts) -> Float[np.ndarray, "items columns"]:
    """For every population the verdict itself, as 1, and then every rule's, as 0, 1/2 or 1."""
    values = np.column_stack([np.ones(len(one.units)), one.verdicts / RIGHT])
    return np.concatenate([inside[:, None] * values for inside in one.populations.T], axis=1)


def _shares(
    sums: Float[np.ndarray, "*times columns"], populations: int
) -> Float[np.ndarray, "times populations rules"]:
    """Shares of right verdicts from sums of `_columns`; NaN without a verdict."""
    parts = sums.reshape(-1, populations, sums.shape[-1] // populations)
    with np.errstate(divide="ignore", invalid="ignore"):
        return parts[..., 1:] / parts[..., :1]


def disagreements(test: str, parts: Sequence[Verdicts]) -> pd.DataFrame:
    """Every two rules in every population."""
    flags = [[one.populations, one.verdicts == RIGHT, one.verdicts == WRONG] for one in parts]
    # How often the first of two rules is right where the second is wrong, in every population.
    counts = [np.einsum("ip,ij,ik->pjk", *(flag.astype(int) for flag in some)) for some in flags]
    rules = parts[0].rules
    rows = [
        (test, population, rules[i], rules[j], right[i, j] + right[j, i], right[i, j])
        for population, right in zip(POPULATIONS[test], np.sum(counts, axis=0), strict=True)
        for i in range(len(rules))
        for j in range(i)
    ]
    columns = ["test", "population", "one", "other", "pairs", "one_right"]
    return pd.DataFrame(rows, columns=columns)


# --------------------------------------------------------------------------- the report

SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the figure and the tables show, by test; the CSV file has all."""

TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def tables_of(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows: populations, best rule first, and where rules disagree."""
    rows = frames["results"]
    rows = rows.assign(
        name=rows["rule"].map(lambda rule: rule if rule == HIGHER_RATED else rule_name(rule)),
        wrong=1 - rows["right"],
        wrong_low=1 - rows["right_high"],
        wrong_high=1 - rows["right_low"],
    )
    best = rows.sort_values("right", ascending=False, kind="stable")
    apart = where(frames["disagreements"], other=PRODUCT)
    apart = apart[apart["one"] != HIGHER_RATED]
    apart = apart.assign(name=apart["one"].map(rule_name), lost=apart["pairs"] - apart["one_right"])
    apart = apart.sort_values("pairs", ascending=False, kind="stable")
    others = rows[~rows["rule"].isin([PRODUCT, HIGHER_RATED])]
    return {
        "shown": {
            test: {POPULATIONS[test][one]: where(best, test=test, population=one) for one in some}
            for test, some in SHOWN.items()
        },
        "apart": {test: where(apart, test=test, population=SHOWN[test][0]) for test in SHOWN},
        "units": UNITS,
        "looked_at": len(others),
        "clear": ((others["more_low"] > 0) | (others["more_high"] < 0)).sum(),
        "rated": where(rows, rule=HIGHER_RATED, population=SHOWN["prediction"][0]).iloc[0],
    }


def differences_figure(rows: pd.DataFrame) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    rules = RULES[:0:-1]
    figure = blank_figure(12.8, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, len(SHOWN), sharey=True)
    names = [short_name(rule_name(rule), 40) for rule in rules]
    panels[0].set_yticks(range(len(rules)), names, parse_math=False)
    for panel, (test, populations) in zip(panels, SHOWN.items(), strict=True):
        for number, population in enumerate(populations):
            some = where(rows, test=test, population=population).set_index("rule").loc[[*rules]]
            at = np.arange(len(rules)) + 0.22 * (1 - number)
            label = f"{population} ({some['pairs'].iloc[0]:,} pairs)"
            mark = {"marker": MARKERS[number], "size": 6, "label": label}
            draw_marks(panel, some, "more", at, COLOURS[number], **mark)
        panel.axvline(0.0, color=INK, linewidth=1.0)
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
        dress(panel, TITLES[test], f"right more often than the {rule_name(PRODUCT)}", "")
        in_percent(panel.xaxis)
    return figure


@script("reports/real")
def main(out: Path, seed: int) -> None:
    """Judge rules by packaged events.

    How often a rule is right, by the ratings of teams that finished on equal match points, and by
    who wins when teams on equal match points meet later.
    """
    frames = written(out, judge([read_event(name) for name in EVENTS], RULES, seed))
    figures = {"real.png": differences_figure(frames["results"])}
    given = {**tables_of(frames), "events": EVENTS, "seed": seed}
    report(out, "real.md", given, figures)


if __name__ == "__main__":
    main()
