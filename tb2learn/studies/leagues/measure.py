"""Rules judged by the full table of leagues, of which they see the matches of a Swiss alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.figure import Figure

from tb2learn.assessment.pairs import tied_pairs
from tb2learn.catalogue import PRODUCT, find_rule
from tb2learn.chess.results import Results
from tb2learn.events import read_event
from tb2learn.report.frames import Frames, where, without
from tb2learn.report.stored import Csv
from tb2learn.report.style import (
    COLOURS,
    INK,
    MARKERS,
    blank_figure,
    draw_marks,
    dress,
    in_percent,
    legend_below,
    shifts,
)
from tb2learn.report.wording import rule_name
from tb2learn.simulation.run import progress_bar
from tb2learn.stats import interval, resamples
from tb2learn.studies.leagues.draws import RATED, ROUNDS, SEED_NOISE, Draws, League, drawn, league
from tb2learn.studies.real.measure import events_needed
from tb2learn.studies.real.verdicts import HIGHER_RATED
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.library import FORMULA, TABLES
from tb2learn.types import InputError

EVENTS = ("armstrong2011",)
"""The packaged leagues."""

TABLE = "shipped table"
"""Stands for the table that is shipped for so many boards, or the formula where there is none."""

RULES = (
    *(PRODUCT, "buchholz-cut1", "emmsb-cut1", "game-points", "row-sum", "least-squares"),
    *(FORMULA, TABLE),
)
"""Rules that are judged by default."""

FILES = (Csv("leagues.csv", "leagues"), Csv("results.csv", "results", digits=9))

Sums: TypeAlias = tuple[
    Float[np.ndarray, "columns draws"], Float[np.ndarray, "columns teams teams"]
]
"""Of one league: tied pairs, and then the errors of every rule, by draw and by pair of teams."""


def measure(
    events: Sequence[str], draws: int, rules: Sequence[str], seed: int
) -> dict[str, pd.DataFrame]:
    """Judge rules by complete round robins.

    **Arguments:**

    - `events`: leagues of any form that can be read; the packaged `EVENTS` if there are none.
    - `draws`: Swiss events drawn from each.
    - `rules`: their names; differences are to the first. `RULES` if there are none.
    - `seed`: of the draws, and of the resampling.

    **Returns:**

    - `leagues`: a row a league: `league`, `teams`, `boards`, `matches`, and whether it is `rated`.
    - `results`: a row a world, number of rounds and rule, see `_rows`.

    **Raises:** `InputError` as `read_event`, `find_rule` and `league`, or for a league given twice.
    """
    recorded = [read_event(source) for source in events or EVENTS]
    if len({event.matches for event in recorded}) < len(recorded):
        raise InputError("the same league is given twice")
    read = [league(event) for event in recorded]
    names = list(dict.fromkeys(rules or RULES))
    found: dict[tuple[str, int], list[Sums]] = {}
    tasks = [(one, world) for one in read for world in one.worlds]
    steps = sum(len(one.rounds) for one, _ in tasks)
    with progress_bar(steps * draws, "leagues", "event") as bar:
        for one, world in tasks:
            played = drawn(one, world, draws, seed)
            for rounds in one.rounds:
                counts = judged(one, played, rounds, names, world == RATED)
                found.setdefault((world, rounds), []).append(counts)
                bar.update(draws)
    rows = [
        _rows(counts, [*names, *([HIGHER_RATED] if world == RATED else [])], seed).assign(
            world=world, rounds=rounds
        )
        for (world, rounds), counts in sorted(found.items())
    ]
    about = [
        (one.name, len(one.ratings), one.boards, one.match_points.sum() // 2, RATED in one.worlds)
        for one in read
    ]
    columns = pd.Index(["league", "teams", "boards", "matches", "rated"])
    return {"leagues": pd.DataFrame(about, columns=columns), "results": pd.concat(rows)}


def judged(league: League, played: Draws, rounds: int, names: Sequence[str], rated: bool) -> Sums:
    """Hold rules against the full table, in all draws after a number of rounds.

    Two teams are judged if they are tied in the Swiss and not in the full table, on match points.
    Equal scores are half an error. Draws in which two teams met twice are left out.

    **Arguments:**

    - `league`, `played`, `rounds`: what is judged.
    - `names`: of the rules.
    - `rated`: whether to add a column for who prefers the higher rated team.

    **Returns:** the sums, by draw of those that are not left out.

    **Raises:** `InputError` as `find_rule`, or if no draw is left.
    """
    legal = played.legal(rounds)
    if not legal.any():
        raise InputError(f"{league.name}: every Swiss of {rounds} rounds needs a rematch")
    teams, draws = played.teams.shape
    rules = [_rule(name, league, rounds) for name in names]
    scores = np.zeros((len(rules), draws, teams))
    own = played.gained[:rounds].sum(axis=0)
    for draw in range(draws):
        opponents, half_points, gained = (
            part[:rounds, :, draw] for part in (played.opponents, played.half_points, played.gained)
        )
        results = Results(opponents, half_points, own[:, draw], league.boards, round_points=gained)
        scores[:, draw] = [rule.scores(results) for rule in rules]
    values = [*scores, league.ratings[played.teams].T] if rated else scores
    pairs = tied_pairs(own.T)
    truth = np.sign(pairs.differences(league.match_points[played.teams].T))
    kept = (truth != 0) & legal[pairs.event]
    pairs, truth = pairs.only(kept), truth[kept]
    wrong = [np.abs(np.sign(pairs.differences(one)) - truth) / 2 for one in values]
    columns = [np.ones(len(truth)), *wrong]
    first, second = (played.teams[side, pairs.event] for side in (pairs.first, pairs.second))
    cells = first * teams + second
    by_teams = [np.bincount(cells, one, teams * teams) for one in columns]
    by_draw = [np.bincount(pairs.event, one, draws) for one in columns]
    return np.stack(by_draw)[:, legal], np.stack(by_teams).reshape(-1, teams, teams)


def _rule(name: str, league: League, rounds: int) -> TieBreak:
    """A rule for the Swiss events of a league."""
    if name == TABLE:
        name = TABLES.get(league.boards, FORMULA)
    return find_rule(name, rounds, league.boards, len(league.ratings)).tiebreak()


def _rows(found: Sequence[Sums], names: Sequence[str], seed: int) -> pd.DataFrame:
    """The rules in one world after one number of rounds, pooled over leagues.

    **Returns:** a row a rule:

    - `rule`, `leagues`; `draws`: of all leagues; `pairs`: tied in them.
    - `error`, and `more` than the first rule: shares decided wrongly, with the ends of their
      intervals over draws, within leagues.
    - `teams_low`, `teams_high`: the interval of `more` if a league's teams are drawn anew, with
      replacement; a pair counts as often as both were drawn.
    - `league_low`, `league_high`: the interval of `more` over leagues; NaN if there is one.
    - `needed_half`, `needed_most`: leagues until a difference as large as `more` is significant
      with a chance of one half and of 80 %. Assumed is that leagues vary as much as `teams_low` to
      `teams_high` and the draws say, together.
    """
    generator = np.random.default_rng(seed)
    totals = np.stack([by_draw.sum(axis=1) for by_draw, _ in found])
    over: dict[str, np.ndarray] = {"draws": np.zeros(()), "teams": np.zeros(())}
    for by_draw, by_teams in found:
        over["draws"] = over["draws"] + resamples(by_draw.shape[1], generator) @ by_draw.T
        drawn = resamples(by_teams.shape[1], generator)
        over["teams"] = over["teams"] + np.einsum(
            "sa,cab,sb->sc", drawn, by_teams, drawn, optimize=True
        )
    over["leagues"] = resamples(len(found), generator) @ totals
    [errors] = _shares(totals.sum(axis=0)[None])
    more = errors - errors[0]
    shares = {name: _shares(sums) for name, sums in over.items()}
    apart = {name: interval(part - part[:, :1]) for name, part in shares.items()}
    if len(found) == 1:
        apart["leagues"][:] = np.nan
    wide = np.hypot(*(apart[name][1] - apart[name][0] for name in ("draws", "teams")))
    needed = [
        events_needed(float(one), np.array([0.0, width]), len(found))
        for one, width in zip(more, wide, strict=True)
    ]
    low, high = interval(shares["draws"])
    columns = {
        "rule": names,
        "leagues": len(found),
        "draws": sum(by_draw.shape[1] for by_draw, _ in found),
        "pairs": int(totals[:, 0].sum()),
        **{"error": errors, "error_low": low, "error_high": high},
        **{"more": more, "more_low": apart["draws"][0], "more_high": apart["draws"][1]},
        **{"teams_low": apart["teams"][0], "teams_high": apart["teams"][1]},
        **{"league_low": apart["leagues"][0], "league_high": apart["leagues"][1]},
        **{
            name: pd.array(counts).astype("Int64")
            for name, counts in zip(
                ("needed_half", "needed_most"), zip(*needed, strict=True), strict=True
            )
        },
    }
    return pd.DataFrame(columns)


def _shares(sums: Float[np.ndarray, "times columns"]) -> Float[np.ndarray, "times rules"]:
    """The errors of every rule as shares of the pairs; NaN without a pair."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, 1:] / sums[:, :1]


# --------------------------------------------------------------------------- report


_MOST = 1000
"""More leagues than this are not counted."""


_ENDS = ("low", "high")


def summary(frames: Frames) -> dict[str, Any]:
    """Rows by world and rounds, best first; those of other rules than the first."""
    results = named(frames["results"])
    first = results["name"].iloc[0]
    needed = {f"{part}_told": results[part].map(_number) for part in ("needed_half", "needed_most")}
    results = results.assign(**needed)
    others = results[(results["name"] != first) & (results["rule"] != HIGHER_RATED)]
    # Nothing is said of the difference of the first rule from itself.
    ends = [f"{one}_{end}" for one in ("more", "teams", "league") for end in _ENDS]
    results = without(results, results["name"] == first, "more", *ends)
    return {
        "first": first,
        "rounds": ROUNDS,
        "noise": SEED_NOISE,
        "shown": {
            key: part.sort_values("error", kind="stable")
            for key, part in results.groupby(["world", "rounds"], sort=False)
        },
        "others": others,
        "clear": int(((others["teams_low"] > 0) | (others["teams_high"] < 0)).sum()),
        "sure": int(((others["more_low"] > 0) | (others["more_high"] < 0)).sum()),
        "best": others[others["more"] < 0].sort_values("needed_most", kind="stable"),
    }


def named(results: pd.DataFrame) -> pd.DataFrame:
    """Rows with the names of rules in words."""
    words = {TABLE: TABLE, HIGHER_RATED: "higher rated first"}
    return results.assign(name=[words.get(rule) or rule_name(rule) for rule in results["rule"]])


def _number(leagues: Any) -> str:
    if pd.isna(leagues):
        return "-"
    return f"{leagues:,.0f}" if leagues <= _MOST else f"over {_MOST:,}"


def differences_figure(frames: Frames) -> Figure:
    """By how much more often each rule is wrong than the first: a panel a world.

    Thick lines are intervals over draws, thin ones over teams.
    """
    results = named(frames["results"])
    worlds, every = results["world"].unique(), results["rounds"].unique()
    rules = results["name"].unique()[:0:-1]
    figure = blank_figure(5.2 * len(worlds) + 1.4, 0.42 * len(rules) + 1.8)
    panels = figure.subplots(1, len(worlds), sharey=True, squeeze=False)[0]
    for panel, world in zip(panels, worlds, strict=True):
        for number, (rounds, shift) in enumerate(zip(every, shifts(len(every), 0.6), strict=True)):
            rows = where(results, world=world, rounds=rounds).set_index("name")
            rows = rows.reindex([name for name in rules if name in rows.index])
            at = [list(rules).index(name) - shift for name in rows.index]
            ends = rows[["teams_low", "teams_high"]].to_numpy().T
            panel.hlines(at, *ends, color=COLOURS[number], linewidth=0.8)
            draw_marks(
                *(panel, rows, "more", at, COLOURS[number]),
                marker=MARKERS[number],
                width=3.0,
            )
        panel.axvline(0.0, color=INK, linewidth=1.0)
        dress(panel, world.capitalize(), f"wrong more often than the {results['name'].iloc[0]}", "")
        in_percent(panel.xaxis)
    panels[0].set_yticks(range(len(rules)), rules, parse_math=False)
    marks = zip((f"after {rounds} rounds" for rounds in every), MARKERS, COLOURS, strict=False)
    legend_below(figure, marks, 9)
    return figure


FIGURES = {"leagues.png": differences_figure}
