"""How sure is the order of two tied teams?"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from jaxtyping import Float

from studies.frames import where
from studies.names import rule_name
from studies.script import events_option, report, script, written
from studies.template import wide
from studies.worlds import BATUMI, OLYMPIADS, REAL, SAMARKAND, load_config
from tb2learn.assessment import calibration
from tb2learn.assessment.by_ratings import check_rated, rated_pairs
from tb2learn.assessment.calibration import (
    BINS,
    BLOCKS,
    TOPS,
    Calibrated,
    MarginCounts,
    Mixture,
    by_class,
    count_margins,
    sample_pairs,
)
from tb2learn.assessment.stretch import Sample
from tb2learn.catalogue import find_rule
from tb2learn.config import Config
from tb2learn.events import TeamEvent, read_event, scores
from tb2learn.events.confidence import event_spread
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.stats import RESAMPLES, resamples, with_ends
from tb2learn.tiebreaks.confidence_map import Confidence, Stretch
from tb2learn.tiebreaks.library import TABLES
from tb2learn.tiebreaks.rules import Rule

REAL_EVENTS = OLYMPIADS[:3]  # those with ratings of players

TOP = str(TOPS[0])  # the population that tables show

STATED = (0.5, 0.55, 0.65, 0.75, 0.85, 0.9, 0.95, 1.0)
"""Ends of the classes of stated probability."""

OUTSIDE = (REAL, "baku2016-field", "olympiad2022-180x11", "shock-180x11")  # of the mixture

FIELDS = "olympiad2022-180x11"
OTHER_FIELDS = (
    *((points, 0.0, 180) for points in (300, 400, 600, 800, 1100, 1500)),
    *((600, 90.0, 180), (1100, 90.0, 180)),
    *((300, 0.0, 80), (800, 0.0, 80), (1500, 0.0, 80), (300, 0.0, 40), (800, 0.0, 40)),
    *((1500, 0.0, 40), (300, 0.0, 20), (800, 0.0, 20), (1500, 0.0, 20)),
    *((800, 0.0, 120), (800, 0.0, 200), (150, 0.0, 180), (1100, 180.0, 180)),
)
"""The world whose field is changed; widths, day shocks in rating points, and teams."""

REAL_FIELDS = ("baku2016-field", BATUMI, SAMARKAND)

TOP_30 = 30

FEWEST = 1000  # pairs of a class of which something is said
THRESHOLDS = (0.5, 0.55, 0.6, 0.7)  # below which an order may be left open


def reliability(
    counts: MarginCounts,
    scale: Float[np.ndarray, " own"],
    seed: int,
    ends: Sequence[float] = STATED,
) -> pd.DataFrame:
    """Compare a map with counts of other events than those it was fitted to.

    **Arguments:**

    - `counts`: of the events that judge it.
    - `scale`: the map's constants, in points of the rule.
    - `seed`: of the bootstrap over blocks of events.
    - `ends`: of the classes of stated probability, from 0.5 to 1.

    **Returns:** a row a population (`top`, of `TOPS`) and class, from `least` (included) to `most`:
    mean `stated` probability and share right (`observed`), NaN in empty classes, with the ends
    `low` and `high` of its 95 % bootstrap interval over blocks of events; tied `pairs`.
    """
    return _reliability(by_class(counts, scale, seed, ends), ends)


def _reliability(
    by_top: Iterable[tuple[int, np.ndarray, np.ndarray]], ends: Sequence[float]
) -> pd.DataFrame:
    """`reliability` of sums as `by_class` gives them."""
    found = []
    for top, whole, drawn in by_top:
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.concatenate([whole[None, 1] / whole[0], drawn[:, 1] / drawn[:, 0]])
            stated = whole[2] / whole[0]
        columns = {"stated": stated, **with_ends(shares, "observed")}
        classes = {"top": top, "least": ends[:-1], "most": ends[1:]}
        found.append(pd.DataFrame({**classes, **columns, "pairs": whole[0].astype(np.int64)}))
    return pd.concat(found, ignore_index=True)


def by_stated(
    sample: Sample, stated: Float[np.ndarray, " pairs"], seed: int, tops: Sequence[int]
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """What `by_class` gives, of pairs that are known one by one, in the classes of `STATED`."""
    column = np.clip(np.searchsorted(STATED, stated, side="right") - 1, 0, len(STATED) - 2)
    shape = (BLOCKS, len(STATED) - 1)
    cell = np.ravel_multi_index((sample.event % BLOCKS, column), shape)
    weights = resamples(BLOCKS, seed, RESAMPLES)
    for top in tops:
        # 0 stands for all places.
        counted = (sample.place <= top) if top else np.ones(len(cell), bool)
        values = np.ones(len(cell)), sample.right, stated
        sums = np.stack(
            [np.bincount(cell[counted], x[counted], np.prod(shape)).reshape(shape) for x in values],
            axis=1,
        )
        yield top, sums.sum(axis=0), np.einsum("wb,bsc->wsc", weights, sums)


def measured(mixtures: Sequence[Mixture], count: int, seed: int) -> dict[str, pd.DataFrame]:
    """Fit the confidence of rules in mixtures of worlds and judge it on as many fresh events.

    **Returns:** tables with a `rule`; those of `_in_worlds`, and `real` (`_against_real`, of rules
    for the format of `REAL_EVENTS`), for the rounds of the format; `rounds` (`_by_rounds`) for all;
    `fields` (`in_other_fields`) of the default in the format of the first mixture.
    """
    tables: dict[str, list[pd.DataFrame]] = {}
    for mixture in mixtures:
        every = list(calibration.calibrate(mixture, count, seed))
        event = load_config(mixture.worlds[0]).event
        rules = [made for made in every if made.rule.event_rounds == event.rounds]
        parts = [_in_worlds(made, seed) for made in rules]
        tables.setdefault("rounds", []).append(_by_rounds(mixture, every, count, seed))
        default = [made for made in rules if made.rule.name == TABLES[event.boards]]
        if default and mixture is mixtures[0]:
            of = default[0].rule, default[0].confidence
            tables["fields"] = [in_other_fields(*of, count, seed)]
        real = [read_event(name) for name in REAL_EVENTS]
        real = [one for one in real if (one.rounds, one.boards) == (event.rounds, event.boards)]
        if real:
            for part, frame in zip(parts, _against_real(real, rules, count, seed), strict=True):
                part["real"] = frame
        for made, part in zip(rules, parts, strict=True):
            for name, frame in part.items():
                frame.insert(0, "rule", made.rule.name)
                tables.setdefault(name, []).append(frame)
    found = {name: pd.concat(some, ignore_index=True) for name, some in tables.items()}
    for frame in found.values():
        if "top" in frame:
            frame["top"] = frame["top"].replace(0, "all")
    return found


def _in_worlds(made: Calibrated, seed: int) -> dict[str, pd.DataFrame]:
    """A rule in simulated events.

    **Returns:** `reliability` by class of stated probability, and `classes` in fewer; `sharing`,
    see `price_of_sharing`; `mixture`, calibration errors in every single world of the mixture;
    `errors`, those in it as a whole and in worlds outside; `margins`, the map itself.
    """
    how = {"scale": made.scale, "seed": seed}
    tables = {
        "reliability": (made.judged, partial(reliability, **how, ends=calibration.BIN_ENDS)),
        "classes": (made.judged, partial(reliability, **how, ends=STATED)),
        "sharing": (made.judged, partial(price_of_sharing, scale=made.scale)),
        "mixture": (made.parts, partial(calibration.calibration_error, **how)),
    }
    frames = {}
    for name, (worlds, table) in tables.items():
        found = pd.concat({world: table(counts) for world, counts in worlds.items()})
        frames[name] = found.reset_index(level=0, names="world")
    errors = pd.DataFrame(made.confidence.provenance["judged"])
    errors[["low", "high"]] = errors.pop("ece_ci").tolist()
    margins = made.confidence.frame().drop(columns=["rule"], errors="ignore")
    return {**frames, "errors": errors, "margins": margins}


def _by_rounds(mixture: Mixture, every: Sequence[Calibrated], count: int, seed: int) -> Any:
    """How far the maps of the mixture are off, by number of rounds.

    Maps that are interpolated are judged on as many events, of the first and the last rule.

    **Returns:** by `rule`, `rounds` and `top`: whether it was `fitted` for these; the calibration
    error `ece`; the largest difference `off` in a class with at least `FEWEST` pairs.
    """
    found = [(made.rule, True, next(iter(made.judged.values())), made.scale) for made in every]
    names = list(dict.fromkeys(made.rule.name for made in every))
    between = []
    for name in dict.fromkeys((names[0], names[-1])):
        some = [made for made in every if made.rule.name == name]
        find = partial(find_rule, name, boards=some[0].rule.boards)
        fitted = [made.rule.event_rounds for made in some]
        for rounds, confidence in calibration.maps_of(some, find).items():
            if rounds not in fitted:
                between.append((find(rounds), confidence))
    if between:
        rules, inside = [rule for rule, _ in between], mixture.inside()
        stretches = stretches_of([confidence for _, confidence in between])
        widths = calibration.margin_widths(next(iter(inside.values())), rules, seed)
        played = EventRange(seed, Purpose.ASSESS, count)
        counted = [
            count_margins(
                *(config, rules, widths, played, Progress(f"between: {name}")), stretches=stretches
            )
            for name, config in inside.items()
        ]
        for (rule, confidence), *counts in zip(between, *counted, strict=True):
            scale = confidence.scale / rule.unit
            found.append((rule, False, reduce(operator.add, counts), scale))
    rows = []
    for rule, fitted, counts, scale in found:
        classes = reliability(counts, scale, seed)
        off = (classes["stated"] - classes["observed"]).abs()[classes["pairs"] >= FEWEST]
        for error in calibration.calibration_error(counts, scale, seed).itertuples():
            worst = off[classes["top"] == error.top].max()
            rows.append((rule.name, rule.event_rounds, fitted, error.top, error.ece, worst))
    columns = ["rule", "rounds", "fitted", "top", "ece", "off"]
    return pd.DataFrame(rows, columns=columns)


def stretches_of(maps: Iterable[Confidence]) -> dict[int, Stretch]:
    """The stretches of maps by number of rounds; none of those that hold for all alike."""
    return {len(map_.scale) // 2: map_.stretch for map_ in maps if map_.stretch is not None}


def other_fields() -> dict[str, Config]:
    """Worlds that differ from `FIELDS` in the spread of teams or in their number, by name."""
    home, worlds = load_config(FIELDS), {}
    for points, shock, teams in OTHER_FIELDS:
        top = min(2800, 2500 + points // 2)
        event, field = (
            replace(home.event, teams=teams),
            replace(home.field, low=top - points, high=top),
        )
        name = f"{points} points wide, {teams} teams" + (f", day shock {shock:g}" if shock else "")
        game = replace(home.game, day_shock=shock)
        worlds[name] = replace(home, event=event, field=field, game=game)
    return worlds | {name: load_config(name) for name in REAL_FIELDS}


def in_other_fields(rule: Rule, confidence: Confidence, count: int, seed: int) -> pd.DataFrame:
    """What a map states and what is right in fields of other widths and sizes, event by event.

    **Returns:** `reliability` by `field`, of ties among the first `TOP_30` places and of all;
    `said` is the share of the events of which `rank --confidence` says that it was not tried there.
    """
    parts, stretch, home_teams = [], confidence.stretch, load_config(FIELDS).event.teams
    assert stretch is not None
    for name, config in other_fields().items():
        # Small fields have few tied pairs.
        more = max(1, home_teams // config.event.teams)
        played = EventRange(seed, Purpose.ASSESS, count * more)
        (sample,) = sample_pairs(config, [rule], played, Progress(name))
        scale = confidence.scale[sample.own] * stretch.factor(sample.spreads)[sample.event]
        stated = 1 / (1 + 10 ** (-sample.margin * rule.unit / scale))
        rows = _reliability(by_stated(sample, stated, seed, (TOP_30, 0)), STATED)
        said = 1 - stretch.tried(sample.spreads).mean()
        parts.append(rows.assign(field=name, said=said, rule=rule.name))
    return pd.concat(parts).set_index("rule").reset_index()


def _against_real(
    real: Sequence[TeamEvent], rules: Sequence[Calibrated], count: int, seed: int
) -> Iterator[pd.DataFrame]:
    """By rule `_found_rated`, and `due`, the same share in simulated events, with its own ends."""
    widths = [next(iter(made.judged.values())).width for made in rules]
    played = EventRange(seed, Purpose.ASSESS, count)
    every = [made.rule for made in rules]
    stretches = stretches_of(made.confidence for made in rules)
    due = count_margins(
        *(load_config(REAL), every, widths, played, Progress("rate")),
        stretches=stretches,
        rated=True,
    )
    for made, counts in zip(rules, due, strict=True):
        rated = reliability(counts, made.scale, seed)
        rated = rated[rated["top"] == TOPS[-1]].reset_index()
        own = {"due": rated["observed"], "due_low": rated["low"], "due_high": rated["high"]}
        yield _found_rated(real, made, seed).assign(**own)


def _found_rated(events: Sequence[TeamEvent], made: Calibrated, seed: int) -> pd.DataFrame:
    """How often the team that a rule prefers has the higher rating, by how sure the rule is.

    **Returns:** by class of stated probability (`least` included, `most` not) the pairs of unequal
    rating, their mean `stated` probability, and how often the higher rated team is preferred
    (`found`), with its interval (teams resampled). NaN without pairs.
    """
    generator = np.random.default_rng(seed)
    classes = np.arange(len(STATED) - 1)
    means, sums = np.zeros(len(classes)), np.zeros(2 * len(classes))
    resampled = np.zeros((RESAMPLES, len(sums)))
    for event in events:
        check_rated(event)
        own, score = scores(event, made.rule)
        pairs, better = rated_pairs(event, own)
        margin = pairs.differences(score[None])
        here = made.confidence.at(event_spread(event))
        stated = here.probability(own[pairs.first].astype(int), np.abs(margin))
        right = (1 + np.sign(margin) * better) / 2
        column = np.clip(np.searchsorted(STATED, stated, side="right") - 1, 0, len(classes) - 1)
        chosen = column[:, None] == classes
        means += [stated[one].sum() for one in chosen.T]
        values = np.concatenate([chosen, chosen * right[:, None]], axis=1)
        sums += values.sum(axis=0)
        resampled += pairs.resampled(values, len(own), generator)
    pairs = sums[: len(classes)]
    with np.errstate(invalid="ignore", divide="ignore"):
        both = np.concatenate([sums[None], resampled])
        found = with_ends(np.divide(*np.split(both, 2, axis=1)[::-1]), "found", "found_")
        about = {"pairs": pairs.astype(int), "stated": means / pairs}
    return pd.DataFrame({"least": STATED[:-1], "most": STATED[1:], **about, **found})


def price_of_sharing(counts: MarginCounts, scale: Float[np.ndarray, " own"]) -> pd.DataFrame:
    """What it costs to leave open the order of pairs below a probability: they share their place.

    **Returns:** by `top` and threshold (`below`): the share of pairs left `open`; of `wrong` orders
    among the decided ones and `of_all`; of the orders given up that were right (`right_of_open`).
    """
    stated = counts.stated(scale)
    rows = []
    for number, top in enumerate(TOPS):
        pairs, right = (x.sum(axis=0)[number] for x in (counts.pairs, counts.right / 2))
        for below in THRESHOLDS:
            left = stated < below
            decided, given_up = pairs[~left].sum(), pairs[left].sum()
            wrong = decided - right[~left].sum()
            with np.errstate(invalid="ignore", divide="ignore"):
                parts = given_up / pairs.sum(), wrong / decided, wrong / pairs.sum()
                rows.append((top, below, *parts, right[left].sum() / given_up))
    columns = ["top", "below", "open", "wrong", "wrong_of_all", "right_of_open"]
    return pd.DataFrame(rows, columns=pd.Index(columns))


def shown(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows of the tables."""
    first = frames["errors"]["rule"].iloc[0]
    fitted = where(frames["errors"], rule=first)
    outside = fitted["world"][~fitted["fitted"]]
    words = {True: "yes", False: "no"}
    errors = where(frames["errors"], top=TOP)
    errors = errors.assign(rule=errors["rule"].map(rule_name), fitted=errors["fitted"].map(words))
    classes = _named(frames["classes"])
    inside = classes[~classes["world"].isin(outside)]
    margins, none = frames["margins"], classes.iloc[:0]
    fields, real = frames.get("fields", none), frames.get("real", none.assign(due=0, found_low=0))
    rounds = frames["rounds"].groupby(["rounds", "fitted", "top"], sort=False)
    rounds = rounds.agg(rules=("rule", "count"), ece=("ece", "max"), off=("off", "max"))
    return {
        "fields": _by_field(fields),
        "tables_rule": rule_name(fields["rule"].iloc[0]) if len(fields) else "",
        "fewest": FEWEST,
        "by_rounds": rounds.reset_index().sort_values(["top", "rounds"], kind="stable"),
        "name": rule_name(first),
        "worlds": frames["mixture"][frames["mixture"]["rule"] == first]["world"].nunique(),
        "errors": errors,
        "classes": where(inside, rule=first, top=TOP),
        "over": {
            "Ties that affect the first ten places": _wide(where(inside, top=TOP)),
            "All ties": _wide(where(inside, top="all")),
        },
        "worst": inside["over"].abs().max(),
        "parts": where(frames["mixture"], rule=first, top=TOP),
        "margins": margins[(margins["own_mp"] == 0).cumsum() == 1].drop(columns="rule"),
        "prices": where(frames["sharing"], rule=first, top=TOP),
        "real": where(_named(real), rule=first),
        "agree": [row.found_low <= row.due <= row.found_high for row in real.itertuples()],
    }


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with the class and the rule in words, and what is stated too much, in points."""
    ends = zip(frame["least"], frame["most"], strict=True)
    frame = frame.assign(**{"class": [f"{low:.0%} to {high:.0%}" for low, high in ends]})
    if "observed" in frame:
        frame["over"] = 100 * (frame["stated"] - frame["observed"])
    return frame.assign(name=frame["rule"].map(rule_name))


def _by_field(rows: pd.DataFrame) -> pd.DataFrame:
    """Stated less observed, in points, where pairs are enough: a row a field and population."""
    if not len(rows):
        return rows
    named = _named(rows)
    named["over"] = named["over"].where(named["pairs"] >= FEWEST)
    named["said"] = [f"{said:.0%}" for said in named["said"]]
    keys = ["field", "top", "said"]
    return wide(named, keys, "class", "over").reset_index()


def _wide(rows: pd.DataFrame) -> pd.DataFrame:
    """Stated less observed, in points: a row a rule and format, a column a class."""
    number = (rows["class"] == rows["class"].iloc[0]).cumsum()  # of the same name in two formats
    cells = wide(rows.assign(number=number), ["number", "name"], "class", "over").reset_index()
    return cells.drop(columns="number").rename(columns={"name": "rule"})


def write(out: Path, frames: Mapping[str, pd.DataFrame], count: int, seed: int) -> None:
    """Write the report on the tables."""
    given = written(out, frames)
    given = {name: f.astype({"top": str}) if "top" in f else f for name, f in given.items()}
    about = {
        "events": count,
        "around": -(-count // calibration.FEWER),
        "seed": seed,
        "bins": BINS,
        "tables": list(frames),
    }
    about |= {"real_world": REAL, "real_events": REAL_EVENTS}
    report(out, "confidence.md", {**about, **shown(given)})


@script(
    "reports/confidence",
    click.option("--rules", multiple=True, help="by default those that are shipped"),
    events_option(200, "events of every world, to fit and again to judge"),
)
def main(out: Path, rules: Sequence[str], events: int, seed: int) -> None:
    """Fit probabilities as `tb2learn calibrate` does, and judge them, also by real ratings."""
    write(out, measured(mixtures(rules), events, seed), events, seed)


def mixtures(rules: Sequence[str]) -> list[Mixture]:
    """What `tb2learn calibrate` fits, the first one judged in worlds outside of it, too."""
    first, *others = calibration.asked_mixtures(rules)
    return [first._replace(elsewhere=[load_config(name) for name in OUTSIDE]), *others]


if __name__ == "__main__":
    main()
