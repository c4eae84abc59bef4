"""Which rule agrees with the ratings, and with later matches, in real events?

Two tests. **Ratings**: two teams that finished on equal match points; a rule is right if it puts
the higher rated team first. **Prediction**: two teams on equal match points after a round that meet
later and do not draw; a rule is right if it put the winner first, by the results up to that round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import click
import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from matplotlib.figure import Figure
from scipy import stats

from studies.script import report, script, written
from studies.worlds import FORMULA, LEARNED, ROSTERS
from tb2learn.assessment.by_ratings import mean_ratings, rated_pairs
from tb2learn.catalogue import find_rule
from tb2learn.data import event_names, read_rows
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
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import MAX_TEAMS, InputError

EVENTS = ("baku2016", "batumi2018", "batumi2018w", "samarkand2026w")
"""The packaged events with ratings and rounds: Olympiads. Of the last one the ratings are means of
teams."""

LEAST_SQUARES = "least-squares"

RULES = (
    *(PRODUCT, "buchholz-cut1", "emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1"),
    *("game-points", "row-sum", LEAST_SQUARES, "olympiad-180x11", FORMULA),
    *(f"{LEARNED}-pass1", f"{LEARNED}-pass2", ROSTERS, LEARNED),
)
"""Rules that are judged by default."""

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

FindRule: TypeAlias = Callable[[str, int, int], Rule]
"""Finds a rule by its name for a number of rounds and of boards."""


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


def with_team_ratings(event: TeamEvent) -> TeamEvent:
    """A packaged event whose players have no rating, with the mean rating of every team as one.

    An event with ratings of players, or one that is not packaged, stays as it is.
    """
    if any(event.ratings) or event.name not in event_names():
        return event
    rows = {row["team"]: row.get("mean_rating_top4") for row in read_rows(event.name, "teams.csv")}
    means = (rows.get(team) for team in event.teams)
    return replace(event, ratings=tuple((round(float(one)),) if one else () for one in means))


def rating_verdicts(event: TeamEvent, names: Sequence[str], find: FindRule) -> Verdicts | None:
    """Every rule's order of the pairs tied on final match points, held against the ratings.

    Teams without a rated player take no part, nor do pairs of equal mean rating.

    **Returns:** a score group is a unit, the populations are `RATING_TOPS`; None for an event in
    which fewer than two teams have ratings.
    """
    if np.count_nonzero(~np.isnan(mean_ratings(event))) < 2:
        return None
    own, values = _scores(event, names, find)
    pairs, better = rated_pairs(event, own)
    touches = pairs.place[:, None] <= np.array(list(RATING_TOPS.values()))
    _, units = np.unique(own[pairs.first], return_inverse=True)
    leads = (values[:, pairs.first] - values[:, pairs.second]) * better
    return Verdicts(names, len(own), pairs.teams, units, touches, _verdicts(leads.T))


def prediction_verdicts(event: TeamEvent, names: Sequence[str], find: FindRule) -> Verdicts | None:
    """Every rule's favourite after each round, held against later matches that were not drawn.

    Matches without a game take no part; tables are rescaled to the rounds played so far.

    **Returns:** a match is a unit, whatever the number of rounds after which it was predicted; the
    populations are `PREDICTIONS` for each of `SINCE`; the last rule is `HIGHER_RATED`. None for an
    event without rounds, or with a single one.
    """
    if not event.known_rounds or event.rounds < 2:
        return None
    decisive = [one for one in event.matches if one.played and len(set(one.match_points)) > 1]
    rating = mean_ratings(event)[None]
    rows: list[tuple[tuple[int, ...], int, list[bool], Float[np.ndarray, " rules"]]] = []
    for number in range(1, event.rounds):
        own, values = _scores(event.after(number), names, find)
        # By the first place of the score group.
        touches = stats.rankdata(-own, "min") <= RATING_TOPS["top 30"]
        values = np.concatenate([values, rating])
        for unit, match in enumerate(decisive):
            first, second = match.teams
            if match.round <= number or own[first] != own[second]:
                continue
            inside = (match.round == number + 1, True, bool(touches[first]))
            populations = [each and number >= since for since in SINCE for each in inside]
            won = np.sign(np.subtract(*match.match_points))
            rows.append(
                (match.teams, unit, populations, won * (values[:, first] - values[:, second]))
            )
    return Verdicts(
        [*names, HIGHER_RATED],
        len(event.teams),
        np.array([row[0] for row in rows], int).reshape(-1, 2),
        np.array([row[1] for row in rows], int),
        np.array([row[2] for row in rows], bool).reshape(-1, len(POPULATIONS["prediction"])),
        _verdicts(np.array([row[3] for row in rows], float).reshape(-1, len(names) + 1)),
    )


def _scores(
    event: TeamEvent, names: Sequence[str], find: FindRule
) -> tuple[Int[np.ndarray, " teams"], Float[np.ndarray, "rules teams"]]:
    """Match points, and the scores of every rule."""
    parts = [scores(event, find(name, event.rounds, event.boards)) for name in names]
    return parts[0][0], np.stack([np.asarray(values, float) for _, values in parts])


def _verdicts(leads: Float[np.ndarray, "items rules"]) -> Int[np.ndarray, "items rules"]:
    """From the score of the team that belongs first less that of the other one."""
    return (np.sign(np.nan_to_num(leads)) + EQUAL).astype(int)


# --------------------------------------------------------------------------- shares


def judge(
    events: Sequence[TeamEvent], names: Sequence[str], seed: int, label: str | None = None
) -> dict[str, pd.DataFrame]:
    """Judge rules by recorded events.

    **Returns:** `events`: the name of every event, and whether it takes part in each test;
    `results`: see `results`; `disagreements`: of every two rules in every population, `one` and
    `other`, how often they have opposite verdicts (`pairs`), and how often `one` is right then.
    """
    for number, event in enumerate(events):
        if any(event.matches == other.matches for other in events[:number]):
            raise InputError(f"{event.name}: the same event is given twice")
    tests = {"ratings": rating_verdicts, "prediction": prediction_verdicts}
    judged: dict[str, list[Verdicts | None]] = {test: [] for test in tests}
    find = cache(find_rule)
    with progress_bar(len(tests) * len(events), label, "test") as bar:
        for event in events:
            for test, verdicts in tests.items():
                judged[test].append(verdicts(event, names, find))
                bar.update()
    usable = {test: [one for one in judged[test] if one and len(one.units)] for test in tests}
    known = {test: parts for test, parts in usable.items() if parts}
    if not known:
        raise InputError("no event has ratings, or rounds with teams equal on match points")
    takes_part = {test: [one is not None for one in judged[test]] for test in tests}
    return {
        "events": pd.DataFrame({"event": [event.name for event in events], **takes_part}),
        "results": pd.concat(
            [results(test, parts, seed) for test, parts in known.items()], ignore_index=True
        ),
        "disagreements": pd.concat(
            [disagreements(test, parts) for test, parts in known.items()], ignore_index=True
        ),
    }


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
    - `disagree`, `disagree_right`: pairs that the rule and the first one put in opposite order, and
      how many of them the rule has right.
    - `events_half`, `events_most`: see `events_needed`.
    """
    names, rules, against = list(POPULATIONS[test]), parts[0].rules, right_where_wrong(parts)
    columns = [_columns(one) for one in parts]
    generator, drawn = np.random.default_rng(seed), {}
    for over in (UNITS[test], "teams"):
        sums = [weights(p, over, generator) @ c for p, c in zip(parts, columns, strict=True)]
        drawn[over] = _shares(sum(sums, np.zeros(())), len(names))
    right = _shares(np.sum([one.sum(axis=0) for one in columns], axis=0), len(names))[0]
    ends, _ = wider(drawn)
    more_ends, over = wider({name: one - one[..., :1] for name, one in drawn.items()})
    more = right - right[:, :1]
    needed = [
        events_needed(float(value), one, len(parts))
        for value, one in zip(more.ravel(), more_ends.reshape(2, -1).T, strict=True)
    ]
    pairs = np.sum([one.populations.sum(axis=0) for one in parts], axis=0)
    units = [[len(set(one.units[some])) for some in one.populations.T] for one in parts]
    values = {
        "pairs": np.repeat(pairs, len(rules)),
        "units": np.repeat(np.sum(units, axis=0), len(rules)),
        **{"right": right, "right_low": ends[0], "right_high": ends[1]},
        **{"more": more, "more_low": more_ends[0], "more_high": more_ends[1], "over": over},
        "disagree": against[:, :, 0] + against[:, 0],
        "disagree_right": against[:, :, 0],
        **dict(zip(("events_half", "events_most"), np.transpose(needed), strict=True)),
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


def events_needed(more: float, ends: Float[np.ndarray, "2"], events: int) -> tuple[float, float]:
    """How many events like these it takes until a difference as large as found is significant.

    The test is two-sided, at 5 %. The standard error is taken from the interval, and falls with the
    root of the events.

    **Returns:** events for a chance of one half, and of 80 %; NaN without an interval or a
    difference.
    """
    significant, power = 1.959964, 0.841621  # normal quantiles
    error = float(ends[1] - ends[0]) / (2 * significant)
    if not (math.isfinite(error) and error > 0 and more):
        return math.nan, math.nan
    half, most = (events * (z * error / more) ** 2 for z in (significant, significant + power))
    return float(math.ceil(half)), float(math.ceil(most))


def right_where_wrong(parts: Sequence[Verdicts]) -> Int[np.ndarray, "populations rules rules"]:
    """How often the first of two rules is right where the second is wrong, in every population."""
    flags = [[one.populations, one.verdicts == RIGHT, one.verdicts == WRONG] for one in parts]
    counts = [np.einsum("ip,ij,ik->pjk", *(flag.astype(int) for flag in some)) for some in flags]
    return np.sum(counts, axis=0)


def disagreements(test: str, parts: Sequence[Verdicts]) -> pd.DataFrame:
    """Every two rules in every population."""
    rules = parts[0].rules
    rows = [
        (test, population, rules[i], rules[j], right[i, j] + right[j, i], right[i, j])
        for population, right in zip(POPULATIONS[test], right_where_wrong(parts), strict=True)
        for i in range(len(rules))
        for j in range(i)
    ]
    columns = ["test", "population", "one", "other", "pairs", "one_right"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


# --------------------------------------------------------------------------- the report

SHOWN = {
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}
"""Populations that the figure and the tables show, by test; the CSV file has all."""

POWERED = ("buchholz-cut1", LEAST_SQUARES, FORMULA, ROSTERS, LEARNED)
"""Rules whose power is shown."""

TITLES = {
    "ratings": "Ratings: the higher rated of two tied teams first",
    "prediction": "Prediction: the winner of a later match first",
}


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Rows of the populations that are shown, best first, and the rules that stand out."""
    rows, first = frames["results"], frames["results"]["rule"].iloc[0]
    rated = rows["rule"] == HIGHER_RATED
    rows = rows.assign(
        name=rows["rule"].map(rule_name).mask(rated, "higher rated first"),
        what=[POPULATIONS[test][one] for test, one in zip(rows.test, rows.population, strict=True)],
        judged=~rated & (rows["rule"] != first),
        placed=rated,
        better=~rated & (rows["more_low"] > 0),
        wrong=1 - rows["right"],
        wrong_low=1 - rows["right_high"],
        wrong_high=1 - rows["right_low"],
        disagree_wrong=rows["disagree"] - rows["disagree_right"],
    )
    judged = rows[rows["judged"]]
    powered = judged[judged["rule"].isin(POWERED)]
    # Nothing is said of the difference of the first rule from itself.
    compared = ["more", "more_low", "more_high"]
    rows[compared] = rows[compared].astype(object).mask(rows["rule"] == first, None)
    best = rows.sort_values(["placed", "right"], ascending=[True, False], kind="stable")
    parts = {
        test: [where(best, test=test, population=one) for one in populations]
        for test, populations in SHOWN.items()
        if test in set(best["test"])
    }
    known = powered[np.isfinite(powered[["events_half", "events_most"]]).all(axis=1)]
    known = known.assign(
        **{name: known[name].map(_number) for name in known.filter(like="events_")}
    )
    needed = [
        where(known, test=test, population=one)
        for test, populations in SHOWN.items()
        for one in populations
    ]
    both = frames["disagreements"]
    both = both[both[["one", "other"]].isin([LEARNED, LEAST_SQUARES]).all(axis=1)]
    here = [one in SHOWN[test] for test, one in zip(both.test, both.population, strict=True)]
    return {
        "first": rule_name(first),
        "short": in_short(frames["results"]),
        "units": UNITS,
        "shown": parts,
        "better": {test: some[0][some[0]["better"]] for test, some in parts.items()},
        "worse": powered[powered["more_high"] < 0],
        "looked_at": len(judged),
        "clear": ((judged["more_low"] > 0) | (judged["more_high"] < 0)).sum(),
        "both": both[here].assign(lost=both["pairs"] - both["one_right"]),
        "both_names": [rule_name(name) for name in (LEARNED, LEAST_SQUARES)],
        "needed": pd.concat(needed),
    }


IN_SHORT = {
    "ratings": ("all", "top 30"),
    "prediction": ("later, from round 5", "later, top 30, from round 5"),
}
"""Populations of the first sentence of the report, by test: all ties, and the top 30."""


def in_short(results: pd.DataFrame) -> pd.DataFrame:
    """The default beside the first rule: a row a test and population, whether it is `clear`."""
    parts = [
        where(results, rule=ROSTERS, test=test, population=one).assign(ties=ties, by=by)
        for (test, populations), by in zip(
            IN_SHORT.items(), ("ratings", "later matches"), strict=True
        )
        for one, ties in zip(populations, ("all ties", "top 30"), strict=True)
    ]
    rows = pd.concat(parts)
    return rows.assign(clear=rows["more_low"] > 0)


def _number(events: float) -> str:
    return f"{events:,.0f}" if events < 1000 else "over 1,000"


def differences_figure(rows: pd.DataFrame) -> Figure:
    """By how much more often each rule is right than the first: a panel a test."""
    first, *rules = (rule for rule in rows["rule"].unique() if rule != HIGHER_RATED)
    tests = [test for test in SHOWN if test in set(rows["test"])]
    figure = blank_figure(5.6 * len(tests) + 1.6, 0.42 * len(rules) + 2.0)
    panels = figure.subplots(1, len(tests), sharey=True, squeeze=False)[0]
    names = [short_name(rule_name(rule), 40) for rule in rules[::-1]]
    panels[0].set_yticks(range(len(rules)), names, parse_math=False)
    for panel, test in zip(panels, tests, strict=True):
        for number, population in enumerate(SHOWN[test]):
            some = where(rows, test=test, population=population)
            some = some[some["rule"].isin(rules)].iloc[::-1]
            at = [rules[::-1].index(rule) + 0.22 * (1 - number) for rule in some["rule"]]
            label = f"{population} ({some['pairs'].iloc[0]:,} pairs)"
            mark = {"marker": MARKERS[number], "size": 6, "label": label}
            draw_marks(panel, some, "more", at, COLOURS[number], **mark)
        panel.axvline(0.0, color=INK, linewidth=1.0)
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), frameon=False, fontsize=9)
        dress(panel, TITLES[test], f"right more often than the {rule_name(first)}", "")
        in_percent(panel.xaxis)
    return figure


@script(
    "reports/real",
    click.argument("events", nargs=-1),
    click.option("--rules", multiple=True, help="another rule that is judged; by default fifteen"),
)
def main(out: Path, events: Sequence[str], rules: Sequence[str], seed: int) -> None:
    """Judge rules by recorded EVENTS: those that are packaged, or files.

    How often a rule is right, by the ratings of teams that finished on equal match points, and by
    who wins when teams on equal match points meet later.
    """
    read = [with_team_ratings(read_event(source)) for source in events or EVENTS]
    frames = written(
        out, judge(read, list(dict.fromkeys([PRODUCT, *(rules or RULES)])), seed, "real")
    )
    figures = {"real.png": differences_figure(frames["results"])}
    report(out, "real.md", {**frames, **shown(frames), "seed": seed}, figures)


if __name__ == "__main__":
    main()
