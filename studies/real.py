"""Which rule agrees with the ratings, and with later matches, in real events?

Two tests. **Ratings**: two teams that finished on equal match points; a rule is right if it puts
the higher rated team first. **Prediction**: two teams on equal match points after a round that meet
later and do not draw; a rule is right if it put the winner first, by the results up to that round.

No rule is chosen by these events: they judge rules that were chosen in simulated ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from scipy import stats

from studies.frames import where
from studies.names import rule_name
from studies.script import recorded, report, script, written
from studies.worlds import FORMULA, LEARNED, OLYMPIADS, ROSTERS
from tb2learn.assessment.by_ratings import mean_ratings, rated_pairs
from tb2learn.catalogue import find_rule
from tb2learn.data import event_names, read_rows
from tb2learn.events import TeamEvent, read_event, scores
from tb2learn.report.style import COLOURS, INK, SAME, blank_figure, dress, plain_legend
from tb2learn.simulation.simulate import progress_bar
from tb2learn.stats import interval, long_frame, resamples
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.types import MAX_TEAMS, InputError

EVENTS = (*OLYMPIADS, "baku2016w", "istanbul2012", "istanbul2012w", "khanty2010", "tromso2014")

DATA = Path(__file__).parent / "data"

CHAMPIONSHIPS = ("etcc2011", "etcc2013", "etcc2019")  # folders there, with rounds and ratings
SMALL = "learned-38x9"  # a table that is trained for them

LEAST_SQUARES = "least-squares"

RULES = (  # rules that are judged by default
    *(PRODUCT, "buchholz-cut1", "emmsb-cut1", "emgsb", "egmsb-cut1", "eggsb-cut1"),
    *("game-points", "row-sum", LEAST_SQUARES, "olympiad-180x11", FORMULA),
    *(f"{LEARNED}-pass1", f"{LEARNED}-pass2", ROSTERS, LEARNED),
)

HIGHER_RATED = "higher-rated"  # judged beside the rules in prediction

RATING_TOPS = {"all": MAX_TEAMS, "top 30": 30, "top 10": 10}  # groups that touch these places

PREDICTIONS = {
    "next": "the next round",
    "later": "any later round",
    "later, top 30": "any later round, groups that touch the top 30",
}

SINCE = (1, 5, 8)  # a prediction is made after these rounds or later ones

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

SUMMARY = (  # populations of which the report speaks first
    *(("ratings", name) for name in RATING_TOPS),
    *(("prediction", name) for name in ("later, from round 5", "later, top 30, from round 5")),
)

# The default, least squares, the tables for small events and of the thesis, and two controls.
JUDGED = (ROSTERS, LEAST_SQUARES, SMALL, "olympiad-180x11", "buchholz-cut1", HIGHER_RATED)

KEYS, MORE = ("test", "population", "rule"), ("more", "more_low", "more_high")
ENDS = ("without_low", "without_high", "t_low", "t_high")  # see `over_events`

UNITS = {"ratings": "score groups", "prediction": "matches"}  # what is resampled besides teams
RIGHT, EQUAL, WRONG = 2, 1, 0  # in half points; what is equal or not known counts half

rule_of = cache(find_rule)


@dataclass(frozen=True)
class Verdicts:
    """What rules say of pairs of teams of one event."""

    rules: Sequence[str]
    teams: int  # of the event
    pairs: Int[np.ndarray, "items 2"]  # the two teams of every verdict
    units: Int[np.ndarray, " items"]  # the score group or match that it belongs to, from 0
    populations: Bool[np.ndarray, "items populations"]  # whether it belongs to each
    verdicts: Int[np.ndarray, "items rules"]  # `RIGHT`, `EQUAL` or `WRONG`

    @property
    def some(self) -> bool:
        """Whether there are any."""
        return len(self.units) > 0


def with_team_ratings(event: TeamEvent) -> TeamEvent:
    """A packaged event with one number for every team: as the seeds were made.

    The mean rating of its four best players, where those without a rating count 1000; or, where
    only the order of the seeds is known, a number that falls with it. Only which of two teams has
    the larger number is ever used.
    """
    if event.name not in event_names():
        return event
    rows = {row["team"]: row for row in read_rows(event.name, "teams.csv")}
    numbers = [_seed_number(rows[team]) if team in rows else None for team in event.teams]
    return replace(event, ratings=tuple(() if one is None else (one,) for one in numbers))


def _seed_number(row: Mapping[str, str]) -> int | None:
    """One that is larger for a higher seed; None for a team of which nothing is known."""
    if "seed" in row:
        return MAX_TEAMS + 1 - int(row["seed"]) if row["seed"] else None
    # A mean without the rating of any player is a floor.
    mean = row.get("mean_rating_top4") if row.get("rating_1", "known") else ""
    return round(100 * float(mean)) if mean else None


def championships() -> list[TeamEvent]:
    """The European championships of which rounds and ratings are known."""
    return [replace(read_event(DATA / name), name=name) for name in CHAMPIONSHIPS]


def rating_verdicts(event: TeamEvent, names: Sequence[str]) -> Verdicts | None:
    """Every rule's order of the pairs tied on final match points, held against unequal ratings.

    A score group is a unit. None for an event in which fewer than two teams have ratings.
    """
    if np.count_nonzero(~np.isnan(mean_ratings(event))) < 2:
        return None
    own, values = _scores(event, names)
    pairs, better = rated_pairs(event, own)
    touches = pairs.place[:, None] <= np.array(list(RATING_TOPS.values()))
    _, units = np.unique(own[pairs.first], return_inverse=True)
    leads = (values[:, pairs.first] - values[:, pairs.second]) * better
    return Verdicts(names, len(own), pairs.teams, units, touches, _verdicts(leads.T))


def prediction_verdicts(event: TeamEvent, names: Sequence[str]) -> Verdicts | None:
    """Every rule's favourite after each round, held against later matches that were not drawn.

    Matches without a game take no part; tables are rescaled to the rounds played so far. A match is
    a unit, whatever the number of rounds after which it was predicted; the last rule is
    `HIGHER_RATED`. None for an event without rounds, or with a single one.
    """
    if not event.known_rounds or event.rounds < 2:
        return None
    decisive = [one for one in event.matches if one.played and len(set(one.match_points)) > 1]
    rating = mean_ratings(event)[None]
    rows: list[tuple[tuple[int, ...], int, list[bool], Float[np.ndarray, " rules"]]] = []
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
    event: TeamEvent, names: Sequence[str]
) -> tuple[Int[np.ndarray, " teams"], Float[np.ndarray, "rules teams"]]:
    """Match points, and the scores of every rule."""
    parts = [scores(event, rule_of(name, event.rounds, event.boards)) for name in names]
    return parts[0][0], np.stack([np.asarray(values, float) for _, values in parts])


def _verdicts(leads: Float[np.ndarray, "items rules"]) -> Int[np.ndarray, "items rules"]:
    return (np.sign(np.nan_to_num(leads)) + EQUAL).astype(int)


def judge(
    events: Sequence[TeamEvent], names: Sequence[str], seed: int, label: str | None = None
) -> dict[str, pd.DataFrame]:
    """Judge rules by recorded events: in which tests these take part, and the `results`."""
    for number, event in enumerate(events):
        if any(event.matches == other.matches for other in events[:number]):
            raise InputError(f"{event.name}: the same event is given twice")
    tests = {"ratings": rating_verdicts, "prediction": prediction_verdicts}
    judged: dict[str, list[Verdicts | None]] = {test: [] for test in tests}
    with progress_bar(len(tests) * len(events), label, "test") as bar:
        for event in events:
            for test, verdicts in tests.items():
                judged[test].append(verdicts(event, names))
                bar.update()
    usable = {
        test: [
            (e.name, one) for e, one in zip(events, judged[test], strict=True) if one and one.some
        ]
        for test in tests
    }
    known = {test: parts for test, parts in usable.items() if parts}
    if not known:
        raise InputError("no event has ratings, or rounds with teams equal on match points")
    takes_part = {test: [one is not None for one in judged[test]] for test in tests}
    single = pd.concat(
        results(test, [one], seed).assign(event=name)
        for test, parts in known.items()
        for name, one in parts
    )
    rows = [results(test, [one for _, one in parts], seed) for test, parts in known.items()]
    frames = {
        "events": pd.DataFrame({"event": [event.name for event in events], **takes_part}),
        "results": pd.concat(rows, ignore_index=True),
        "by_event": _summary_rows(single)[["event", *KEYS, "pairs", "right", *MORE]],
        "over_events": over_events(_summary_rows(single)),
    }
    if {ROSTERS, LEAST_SQUARES} <= set(names):
        beside = [
            results(test, [_led_by(ROSTERS, one) for _, one in parts], seed)
            for test, parts in known.items()
        ]
        rows = where(_summary_rows(pd.concat(beside)), rule=LEAST_SQUARES)
        frames["beside"] = rows[[*KEYS, "pairs", *MORE]]
    return frames


def _summary_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of `SUMMARY`, without those of the first rule, in the order of a report."""
    parts = [
        where(frame, test=test, population=population, rule=rule)
        for test, population in SUMMARY
        for rule in JUDGED
    ]
    return pd.concat(parts, ignore_index=True)


def _led_by(rule: str, one: Verdicts) -> Verdicts:
    """The verdicts with this rule as the first one, with which the others are compared."""
    order = sorted(range(len(one.rules)), key=lambda number: one.rules[number] != rule)
    return replace(one, rules=[one.rules[n] for n in order], verdicts=one.verdicts[:, order])


def over_events(single: pd.DataFrame) -> pd.DataFrame:
    """How differences to the first rule vary over events: a row a test, population and rule.

    **Arguments:** `single`: rows of `results` of every single event.

    **Returns:** `more`, the difference over all pairs; number of `events` with pairs, and in how
    many the rule is `ahead`; the least and most difference if one event is left out (`without_low`,
    `without_high`); and a 95 % interval by Student's t with events as units, from the jackknife
    over them (`t_low`, `t_high`). NaN where there are fewer than two events.
    """
    rows: list[dict[str, Any]] = []
    for key, every in single.groupby(list(KEYS), sort=False):
        part = every[every["pairs"] > 0]
        events, pairs = len(part), part["pairs"].to_numpy(float)
        better = pairs * part["more"].to_numpy(float)
        row = dict(zip(KEYS, key, strict=True)) | {
            "pairs": int(pairs.sum()),
            "more": better.sum() / pairs.sum() if events else np.nan,
            "events": events,
            "ahead": int((better > 0).sum()),
        }
        ends = dict.fromkeys(ENDS, np.nan)
        if events > 1:
            without = (better.sum() - better) / (pairs.sum() - pairs)
            error = np.sqrt((events - 1) * without.var())
            reach = stats.t.ppf(0.975, events - 1) * error
            around = row["more"] - reach, row["more"] + reach
            ends = dict(zip(ends, (without.min(), without.max(), *around), strict=True))
        rows.append(row | ends)
    return pd.DataFrame(rows, columns=[*KEYS, "pairs", "more", "events", "ahead", *ENDS])


def results(test: str, parts: Sequence[Verdicts], seed: int) -> pd.DataFrame:
    """One test, pooled over events, a row a `test`, `population` and `rule`.

    What is `right` (equal scores count half), and by how much `more` than by the first rule, with
    the wider of two bootstrap intervals, over units and teams (`over`); pairs that the rule and the
    first one put in opposite order (`disagree`).
    """
    names, rules = list(POPULATIONS[test]), parts[0].rules
    columns = [_columns(one) for one in parts]
    generator, drawn = np.random.default_rng(seed), {}
    for over in (UNITS[test], "teams"):
        sums = [_weights(p, over, generator) @ c for p, c in zip(parts, columns, strict=True)]
        drawn[over] = _shares(sum(sums, np.zeros(())), len(names))
    right = _shares(np.sum([one.sum(axis=0) for one in columns], axis=0), len(names))[0]
    ends, _ = _wider(drawn)
    more_ends, over = _wider({name: one - one[..., :1] for name, one in drawn.items()})
    more = right - right[:, :1]
    pairs = np.sum([one.populations.sum(axis=0) for one in parts], axis=0)
    units = [[len(set(one.units[some])) for some in one.populations.T] for one in parts]
    better, worse = (
        sum(
            one.populations.T.astype(int)
            @ ((one.verdicts == own) & (one.verdicts[:, :1] == firsts)).astype(int)
            for one in parts
        )
        for own, firsts in ((RIGHT, WRONG), (WRONG, RIGHT))
    )
    values = {
        "pairs": np.repeat(pairs, len(rules)),
        "units": np.repeat(np.sum(units, axis=0), len(rules)),
        **{"right": right, "right_low": ends[0], "right_high": ends[1]},
        **{"more": more, "more_low": more_ends[0], "more_high": more_ends[1], "over": over},
        **{"disagree": np.asarray(better + worse), "disagree_right": np.asarray(better)},
        **_events_needed(more, more_ends, len(parts)),
    }
    return long_frame({"test": [test], "population": names, "rule": rules}, values)


def _weights(
    one: Verdicts, over: str, generator: np.random.Generator
) -> Float[np.ndarray, "times items"]:
    """How often every verdict counts in each resample of one event; by teams if both are drawn."""
    if over == "teams":
        drawn = resamples(one.teams, generator)
        return drawn[:, one.pairs[:, 0]] * drawn[:, one.pairs[:, 1]]
    units, index = np.unique(one.units, return_inverse=True)
    return resamples(len(units), generator)[:, index]


def _wider(
    drawn: Mapping[str, Float[np.ndarray, "times *cells"]],
) -> tuple[Float[np.ndarray, "2 *cells"], np.ndarray]:
    """In every cell the widest known interval over what is resampled, and which one it is."""
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


def _events_needed(
    more: Float[np.ndarray, "*cells"], ends: Float[np.ndarray, "2 *cells"], events: int
) -> dict[str, Float[np.ndarray, "*cells"]]:
    """Events until a difference as found is significant (two-sided, 5 %): one half, 80 %.

    The standard error is taken from the interval, and falls with the root of the events.
    """
    significant, power = 1.959964, 0.841621  # normal quantiles
    error = (ends[1] - ends[0]) / (2 * significant)
    error = np.where((error > 0) & (more != 0), error, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            name: np.ceil(events * (z * error / more) ** 2)
            for name, z in {"events_half": significant, "events_most": significant + power}.items()
        }


SHOWN = {  # populations that the tables show
    "ratings": ("all", "top 30", "top 10"),
    "prediction": ("later, from round 5", "next, from round 5", "later, top 30, from round 5"),
}

POWERED = ("buchholz-cut1", LEAST_SQUARES, FORMULA, ROSTERS, LEARNED)  # rules whose power is shown


def _texts(rows: pd.DataFrame) -> list[str]:
    """The populations of rows in words."""
    keys = zip(rows["test"], rows["population"], strict=True)
    return [POPULATIONS[str(test)][str(population)] for test, population in keys]


def shown(results: pd.DataFrame) -> dict[str, Any]:
    """Rows of the populations that are shown, best first, and the rules that stand out."""
    first, rated = results["rule"].iloc[0], results["rule"] == HIGHER_RATED
    rows = results.assign(
        name=results["rule"].map(rule_name).mask(rated, "higher rated first"),
        what=_texts(results),
        judged=~rated & (results["rule"] != first),
        placed=rated,
        better=~rated & (results["more_low"] > 0),
        wrong=1 - results["right"],
        wrong_low=1 - results["right_high"],
        wrong_high=1 - results["right_low"],
        disagree_wrong=results["disagree"] - results["disagree_right"],
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
    for name in ("events_half", "events_most"):
        words = [f"{x:,.0f}" if x < 1000 else "over 1,000" for x in known[name]]
        known = known.assign(**{name: words})
    needed = [where(known, test=test, population=one) for test in parts for one in SHOWN[test]]
    return {
        "first": rule_name(first),
        "units": UNITS,
        "shown": parts,
        "worse": powered[powered["more_high"] < 0],
        "looked_at": len(judged),
        "clear": ((judged["more_low"] > 0) | (judged["more_high"] < 0)).sum(),
        "needed": pd.concat(needed),
    }


def summary(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the report says first: rows of the summary, every event, and the first sentence."""
    spread = frames["over_events"]
    ends = frames["results"][[*KEYS, "more_low", "more_high"]]
    rows = spread.merge(ends, on=list(KEYS), how="left")
    rows = rows[rows["events"] > 0]
    rows = rows.assign(
        what=_texts(rows),
        name=[_shown_name(rule) for rule in rows["rule"]],
        often=[f"{row.ahead} of {row.events}" for row in rows.itertuples()],
    )
    default = where(rows, rule=ROSTERS)
    parts: dict[str, Any] = {"summary": rows, "default": default}
    parts["at"] = lambda population: where(default, population=population).iloc[0]
    if "beside" in frames:
        parts["beside_shown"] = frames["beside"].assign(what=_texts(frames["beside"]))
    return parts


def _all_ties(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of all pairs: nearly all teams of a small event are among its first 30."""
    return rows[rows["population"].isin(["all", "later, from round 5"])]


def _shown_name(rule: str) -> str:
    return "higher rated first" if rule == HIGHER_RATED else rule_name(rule)


FOREST = {  # panels of the figure
    ("ratings", "all"): "Ratings, all ties",
    ("ratings", "top 30"): "Ratings, groups of the first 30",
    ("prediction", "later, from round 5"): "Later matches, all",
    ("prediction", "later, top 30, from round 5"): "Later matches, groups of the first 30",
}

_WIDEST = 0.35  # the end of the axis; intervals of few pairs go beyond


def forest_figure(groups: Mapping[str, Mapping[str, pd.DataFrame]]) -> Figure:
    """By how much the default and least squares are right more often, event by event and pooled.

    **Arguments:** `groups`: frames of `judge` by what the events are called together.
    """
    lines = sum(len(frames["events"]) + 2 for frames in groups.values())
    figure = blank_figure(11.0, 1.6 + 0.42 * lines)
    panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
    for panel, (population, title) in zip(panels, FOREST.items(), strict=True):
        _draw_forest(panel, groups, population)
        dress(panel, title, "right more often than the product rule, percentage points", "")
        panel.set_xlim(-_WIDEST, _WIDEST)
        panel.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=""))
    handles, labels = figure.axes[0].get_legend_handles_labels()
    legend = figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    plain_legend(legend)
    return figure


def _draw_forest(
    panel: Axes, groups: Mapping[str, Mapping[str, pd.DataFrame]], population: tuple[str, str]
) -> None:
    """One population: a line for every event, and one for all of a group, with thick bars."""
    places: list[str] = []
    panel.axvline(0.0, color=INK, linewidth=1.0)
    for group, frames in groups.items():
        pooled = frames["results"].assign(event=f"all {group}")
        rows = pd.concat([frames["by_event"], pooled])
        rows = where(rows, test=population[0], population=population[1])
        names = [*frames["events"]["event"], f"all {group}"]
        for number, rule in enumerate((ROSTERS, LEAST_SQUARES)):
            for name in names:
                height = -len(places) - names.index(name) - 0.28 * number
                whole = name == names[-1]
                label = _shown_name(rule) if whole and not places else None
                part = where(rows, event=name, rule=rule)[list(MORE)].to_numpy(float)
                for more, low, high in part:
                    colour = COLOURS[number]
                    panel.hlines(height, low, high, color=colour, linewidth=3.0 if whole else 1.2)
                    # An arrow says that the interval goes on.
                    ends = ((low, "<"), (high, ">"))
                    cut = [(np.sign(end), arrow) for end, arrow in ends if abs(end) > _WIDEST]
                    for side, arrow in cut:
                        panel.plot(side * _WIDEST, height, arrow, color=colour, clip_on=False)
                    panel.plot(more, height, "D" if whole else "o", color=colour, label=label)
        places += [*names, ""]
    panel.set_yticks([-place - 0.14 for place in range(len(places))], places)
    for number, name in enumerate(places):
        if name.startswith("all "):
            panel.axhline(-number - 0.6, color=SAME, linewidth=0.6)


@script(
    "reports/real",
    click.argument("events", nargs=-1),
    click.option("--rules", multiple=True, help="another rule that is judged; by default fifteen"),
)
def main(out: Path, events: Sequence[str], rules: Sequence[str], seed: int) -> None:
    """Judge rules by recorded EVENTS, those that are packaged or files: ratings, later matches."""
    read = [with_team_ratings(recorded(source)) for source in events or EVENTS]
    names = list(dict.fromkeys([PRODUCT, *(rules or RULES)]))
    frames = written(out, judge(read, names, seed, "real"))
    # European championships are small Swisses; beside events that are named they say nothing.
    named = list(dict.fromkeys([*names, SMALL]))
    small = {} if events else judge(championships(), named, seed, "championships")
    small = written(out, {f"championships_{name}": frame for name, frame in small.items()})
    small = {name.removeprefix("championships_"): frame for name, frame in small.items()}
    groups = {"Olympiads" if small else "events": frames} | (
        {"championships": small} if small else {}
    )
    figures = {"forest.png": forest_figure(groups)} if {ROSTERS, LEAST_SQUARES} <= {*names} else {}
    parts = {
        **{**frames, **shown(frames["results"]), **summary(frames)},
        "championships": _all_ties(summary(small)["summary"]) if small else (),
        "groups": groups,
        "figures": list(figures),
        "seed": seed,
    }
    report(out, "real.md", parts, figures)


if __name__ == "__main__":
    main()
