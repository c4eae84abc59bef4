"""Rules judged in leagues; formats, and ties at their top, judged in two worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.figure import Figure

from tb2learn.assessment.assess import assess
from tb2learn.assessment.tally import by_block
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat, cycle_rounds
from tb2learn.config import Config, FieldConfig
from tb2learn.report.frames import Frames, where, wide_with_ends
from tb2learn.report.stored import Csv, Each, Json
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress, shifts
from tb2learn.report.wording import rule_name
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Measure, Progress, sum_events
from tb2learn.stats import long_frame, with_ends
from tb2learn.studies.claims import NEARLY, Row, above, below, fact, judged
from tb2learn.studies.formats import deciding
from tb2learn.studies.formats.deciding import (
    BEFORE,
    MULTI_TIER,
    RULES,
    TIES,
    UNITS,
    WITH_FINAL,
    WORLDS,
    Measured,
    Ties,
    formats,
    measure_event,
    measure_ties,
    rules_of,
    tie_rule,
    tiebreak_of,
)
from tb2learn.studies.multi_tier.measure import REPEATS, SOURCE
from tb2learn.studies.samples import samples, shares
from tb2learn.tiebreaks.rules import with_encounter_once

LEAGUES = {
    "10 teams of 4": (10, 4, 2000, 2600),
    "12 teams of 8": (12, 8, 2000, 2600),
    "14 players": (14, 1, 1800, 2400),
    "10 grandmasters": (10, 1, 2650, 2800),
}
"""Round robins by name: teams, boards, and between which mean ratings are drawn."""

TEAM_RULES = ("emmsb", "emgsb", "game-points", "least-squares", "wins", "direct")
PLAYER_RULES = ("sonneborn-berger", "least-squares", "wins", "direct")

BESIDE = (
    *((1, "Swiss, 8 rounds"), (1, WITH_FINAL.format(7))),
    *((2, "Swiss, 15 rounds"), (2, WITH_FINAL.format(14)), (2, "round robin")),
    *((3, "round robin"), (3, "double round robin")),
)
"""Repeats of a multi-tier event, and a format with about as many matches, or the nearest."""

ACCURATE = {"wins": "the strongest wins more often", "concordant": "tau is higher"}
"""What formats are compared by, in words."""

_LEAGUE = ("league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high")
_FORMAT = ("world", "format")
_WRONG = ("rule", "place", "pairs", "wrong", "low", "high", "left", "left_low", "left_high")

FILES = (
    Json(
        "formats.json",
        {name: Each(name) for name in ("leagues", "formats", "differences", "ties")},
    ),
    Csv("leagues.csv", "leagues", _LEAGUE, digits=5),
    Csv("formats.csv", "formats", (*_FORMAT, "what", "value", "low", "high"), digits=5),
    Csv("tiebreaks.csv", "ties", (*_FORMAT, *_WRONG), digits=5),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Judge tie-breaks of leagues, and formats.

    **Arguments:** `events`, `seed`: assessment events of every league and format, and seed of the
    bootstrap.

    **Returns:** all values with the ends of their intervals:

    - `leagues`: a row a `league`, `rule` and population `top` (1 or all): its format, tied `pairs`
      and the share of them that the rule decides wrongly (`error`).
    - `formats`: `value` by `world`, `format` and `what` (a field of `Measured`, in `UNITS`).
    - `differences`: by how much `what` of `ACCURATE` in a multi-tier `format` is above that in the
      format `less`, on the same fields.
    - `ties`: a row a `world`, `format`, `rule` and `place` that ties touch: `pairs`, the share that
      the rule decides wrongly (`wrong`; pairs that it leaves tied count half), and the share that
      it leaves tied (`left`).
    """
    found, apart, ties = [], [], []
    for world, (boards, field) in WORLDS.items():
        values = {}
        for name, event in formats(boards).items():
            plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
            config = Config(plain, event=event, field=field)
            about = {"world": world, "format": name}
            values[name] = _means(config, events, seed)
            found.append(_by_field(values[name]).assign(**about))
            ties.append(_settled(config, rules_of(world, event), events, seed).assign(**about))
        for repeats, less in BESIDE:
            name = MULTI_TIER.format(repeats)
            frame = _by_field(values[name] - values[less])
            apart.append(frame.assign(world=world, format=name, less=less))
    differences = pd.concat(apart, ignore_index=True)
    return {
        "leagues": pd.concat([judge_league(name, events, seed) for name in LEAGUES]),
        "formats": pd.concat(found, ignore_index=True),
        "differences": differences[differences["what"].isin(ACCURATE)],
        "ties": pd.concat(ties, ignore_index=True),
    }


def judge_league(name: str, events: int, seed: int) -> pd.DataFrame:
    """The rows of one of `LEAGUES`. Direct encounter is R. Ricca's, see `with_encounter_once`."""
    teams, boards, low, high = LEAGUES[name]
    rounds, spread = cycle_rounds(teams), 0.0 if boards == 1 else FieldConfig().player_sd
    config = Config(
        name.replace(" ", "-"),
        event=EventFormat(teams, rounds, boards, format="round-robin"),
        field=FieldConfig(low=low, high=high, player_sd=spread),
    )
    names = PLAYER_RULES if boards == 1 else TEAM_RULES
    rules = [with_encounter_once(find_rule(one, rounds, boards)) for one in names]
    found = assess(config, rules, events, seed, progress=Progress(f"judge {name}")).frame
    found = found.assign(league=name, teams=teams, boards=boards, top=found["top"].astype(str))
    found = found[found["top"].isin(("1", "all"))]
    return found.rename(columns={"error_rate": "error"})[list(_LEAGUE)]


def _means(config: Config, events: int, seed: int) -> Float[np.ndarray, "samples fields"]:
    """The means of `Measured` over all events, and over those of every bootstrap sample."""
    counts = np.stack(_counts(config, events, seed, measure_event), axis=-1)
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts))
    weights = samples(len(counts), seed)
    return weights @ counts / (weights @ sizes)[:, None] / UNITS


def _by_field(values: Float[np.ndarray, "samples fields"]) -> pd.DataFrame:
    return long_frame({"what": Measured._fields}, with_ends(values))


def _settled(config: Config, rules: Sequence[str], events: int, seed: int) -> pd.DataFrame:
    """How often tie-breaks settle ties at the top of a format wrongly."""
    tiebreaks = tuple(tiebreak_of(rule, config.event) for rule in rules if rule != BEFORE)
    counts = Ties(*_counts(config, events, seed, measure_ties, tiebreaks))
    weights = samples(len(counts.pairs), seed)
    wrong, left = (
        shares(weights, part, counts.pairs, unit).swapaxes(1, 2)
        for part, unit in ((counts.wrong, 2), (counts.left, 1))
    )
    columns = {**with_ends(wrong, "wrong"), **with_ends(left, "left", "left_")}
    found = long_frame({"place": TIES, "rule": rules}, columns)
    return found.assign(pairs=counts.pairs.sum(axis=0).repeat(len(rules)))


def _counts(config: Config, events: int, seed: int, measured: Measure, args: Any = None) -> Any:
    """What is measured of events, summed by block of events."""
    return sum_events(
        config,
        measured,
        EventRange(seed, Purpose.ASSESS, events),
        args,
        accumulate=by_block(events),
        progress=Progress(config.name),
    )


def claims(frames: Frames) -> pd.DataFrame:
    """All claims as `judged` has them, of every world in turn, which is the column `field`."""
    found = []
    for world in WORLDS:
        inside = {name: where(frames[name], world=world) for name in ("formats", "differences")}
        rows = [*_of_one_format(inside), *_accuracy(inside)]
        found.append(judged(SOURCE, rows).assign(field=world))
    return pd.concat(found)


_FEW, _A_CHANCE = partial(below, bar=NEARLY), partial(above, bar=NEARLY)

_DECLARED = (
    *(
        (f"near-perfect colour balance, m = {m}", "uneven", m, _FEW,
         "{} have two or more games of one colour than of the other", ".1%")
        for m in REPEATS
    ),
    ("no two consecutive games with one colour", "repeats", 1, lambda low, _: fact(bool(low <= 0)),
     "{} games a player have the colour of the game before (m = 1)", ".3f"),
    *(
        (f"its rules break almost all ties for the first place, m = {m}", "first_tied", m, _FEW,
         "{} of the events are left to the lot (without counting moves)", ".1%")
        for m in REPEATS
    ),
    ("the lowest rated can meet the highest: one reaches the top tier (m = 1)", "risen", 1,
     _A_CHANCE, "one who started in the lowest tier reaches it in {} of the events", ".1%"),
    ("... and has a chance to win (m = 1)", "from_lowest", 1, _A_CHANCE,
     "one who started in the lowest tier wins in {} of the events", ".1%"),
)  # fmt: skip
"""Claims about multi-tier events alone; *m* is how often everybody of a tier meets everybody. A
value and in which event, the verdict by the ends of its interval, what the report says of it."""


def _of_one_format(frames: Frames) -> Iterator[Row]:
    for text, what, m, verdict, said, form in _DECLARED:
        one = _value(frames, MULTI_TIER.format(m), what)
        yield text, said.format(_interval(one, form)), verdict(one.low, one.high)


def _accuracy(frames: Frames) -> Iterator[Row]:
    """The claim that multi-tier events are accurate, beside formats with about as many matches."""
    for m, other in BESIDE:
        name = MULTI_TIER.format(m)
        matches = " and ".join(f"{_value(frames, one, 'games').value:.0f}" for one in (name, other))
        for what, text in ACCURATE.items():
            claim = f"accurate, m = {m}: {text} than in {other} ({matches} matches)"
            one = where(frames["differences"], format=name, less=other, what=what).iloc[0]
            yield claim, f"difference {_interval(one, '.3f')}", above(one.low, one.high)


def _interval(one: pd.Series, form: str) -> str:
    return f"{one.value:{form}} ({one.low:{form}} to {one.high:{form}})"


def _value(frames: Frames, name: str, what: str) -> pd.Series:
    return where(frames["formats"], format=name, what=what).iloc[0]


def summary(frames: Frames) -> dict[str, Any]:
    """Rows with the names of rules, what surely beats lots, claims, and constants."""
    leagues = frames["leagues"].assign(named=frames["leagues"]["rule"].map(rule_name))
    ties = frames["ties"].assign(named=frames["ties"]["rule"].map(tie_rule))
    first = {world: where(ties, world=world, place=TIES[0]) for world in deciding.WORLDS}
    best_first = [
        where(leagues, league=league, top=top).sort_values("error", kind="stable")
        for league in LEAGUES
        for top in ("all", "1")
    ]
    return {
        "by_league": pd.concat(best_first),
        "by_world": {world: _by_format(frames, world) for world in deciding.WORLDS},
        "first": first,
        "better": {world: _better_than_lots(some) for world, some in first.items()},
        "claims": claims(frames),
        "nearly": NEARLY,
        "deciding": deciding,
        "final_matches": comb(deciding.FINALISTS, 2) * deciding.FINAL_CYCLES,
        "tiers": [tier.teams for tier in deciding.TIERS],
    }


def _by_format(frames: Frames, world: str) -> pd.DataFrame:
    """A row a format; no colours where the pairing has none."""
    found = wide_with_ends(where(frames["formats"], world=world), "format", "what")
    boards, _ = deciding.WORLDS[world]
    if boards > 1:
        colourless = found["format"].str.startswith("Swiss")
        found.loc[colourless, ["surplus", "surplus_low", "surplus_high"]] = None
    return found


def _better_than_lots(ties: pd.DataFrame) -> str:
    """Formats, and the rules that are surely better than a lot there, best first."""
    texts = []
    for name, some in ties.groupby("format", sort=False):
        better = some[some["high"] < 0.5].sort_values("wrong", kind="stable")
        rules = [f"{one.named} ({one.wrong:.3f})" for one in better.itertuples()]
        texts.append(f"{name}: {', '.join(rules) or 'no rule'}")
    return "; ".join(texts)


_FAMILIES = {
    "Swiss": "rounds",
    "Swiss, then a final": "final",
    "round robin": "round robin",
    "multi-tier": "multi-tier",
}
"""Formats that a line joins, and what their names have in common."""


def formats_figure(frames: Frames) -> Figure:
    """How often the strongest wins, and Kendall's tau, by the number of games."""
    figure = blank_figure(11.0, 4.6 * len(WORLDS))
    panels = figure.subplots(len(WORLDS), 2, squeeze=False)
    titles = {"wins": "How often the strongest wins", "concordant": "Kendall's tau"}
    for row, world in zip(panels, WORLDS, strict=True):
        values = wide_with_ends(where(frames["formats"], world=world), "format", "what")
        for panel, (what, title) in zip(row, titles.items(), strict=True):
            for number, (family, part) in enumerate(_FAMILIES.items()):
                found = values[values["format"].str.contains(part)]
                style = {"color": COLOURS[number], "marker": MARKERS[number]}
                x, y, low, high = (
                    found[name] for name in ("games", what, f"{what}_low", f"{what}_high")
                )
                panel.plot(x, y, linewidth=1.2, markersize=6, label=family, **style)
                panel.vlines(x, low, high, color=COLOURS[number])
            dress(panel, f"{title}: {world}", "matches of the whole event", "")
    panels[0, 1].legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def leagues_figure(frames: Frames) -> Figure:
    """Error of every rule over all ties, a panel a league."""
    figure = blank_figure(12.0, 3.4)
    leagues = frames["leagues"]["league"].unique()
    for panel, league in zip(figure.subplots(1, len(leagues)), leagues, strict=True):
        shown = where(frames["leagues"], league=league, top="all")[::-1]
        at = np.arange(len(shown))
        draw_marks(panel, shown, "error", at, COLOURS[0], size=5, width=3)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(at, [rule_name(rule) for rule in shown["rule"]])
        dress(panel, league, "ties decided wrongly (line: lots)", "")
        panel.tick_params(labelsize=7)
    return figure


def ties_figure(frames: Frames) -> Figure:
    """How often every tie-break settles ties for the first place wrongly, a panel a world."""
    figure = blank_figure(12.0, 9.0)
    for panel, world in zip(figure.subplots(1, len(WORLDS)), WORLDS, strict=True):
        found = where(frames["ties"], world=world, place=1)
        names = list(found["format"].unique())
        rules = RULES[world]
        for number, (rule, shift) in enumerate(zip(rules, shifts(len(rules), 0.8), strict=True)):
            some = where(found, rule=rule)
            at = [-names.index(name) - shift for name in some["format"]]
            marker, label = MARKERS[number], tie_rule(rule)
            draw_marks(panel, some, "wrong", at, COLOURS[number], marker=marker, label=label)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(-np.arange(len(names)), names)
        dress(panel, f"Ties for the first place: {world}", "decided wrongly (line: lots)", "")
        panel.legend(frameon=False, fontsize=8, ncol=3, loc="lower left", bbox_to_anchor=(0, 1.03))
    return figure


FIGURES = {
    "formats.png": formats_figure,
    "leagues.png": leagues_figure,
    "tiebreaks.png": ties_figure,
}
