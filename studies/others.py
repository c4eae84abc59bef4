"""How much does a tie depend on matches of others? Error, fairness and dependence side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from studies import worlds as shared
from studies.figures import IDEAL, ideal_rates
from studies.frames import where
from studies.script import events_option, recorded, report, script, written
from studies.worlds import (
    FORMULA,
    LEARNED,
    OLYMPIADS,
    ROSTERS,
    SEEDED,
    TOP,
    Cell,
    grid,
    load_config,
    renamed,
)
from tb2learn.assessment.dependence import dependence
from tb2learn.catalogue import find_rule
from tb2learn.config import Config
from tb2learn.events import TeamEvent, rank
from tb2learn.events.verdict import changes, deciding, turning_match
from tb2learn.export.verdict_words import turning_text
from tb2learn.export.words import words
from tb2learn.report.style import (
    COLOURS,
    INK,
    SAME,
    blank_figure,
    draw_marks,
    dress,
    in_percent,
)
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.library import PRODUCT
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training import checkpoint
from tb2learn.training.objectives import value_surfaces
from tb2learn.training.table_least_squares import equations, least_squares, normalised
from tb2learn.training.table_moments import collect_moments
from tb2learn.training.tabulate import pass_table

RULES = (  # the rule in use first, then the learned table after one, two and three passes
    *(PRODUCT, f"{LEARNED}-pass1", f"{LEARNED}-pass2", LEARNED, ROSTERS, FORMULA),
    *("least-squares", "buchholz-cut1", "game-points", "direct"),
)

REAL, REAL_RULES, MEDALS = OLYMPIADS, (PRODUCT, ROSTERS), 3
PANELS = {  # title and axis by column
    "error": ("Wrong orders", "of the tied pairs"),
    "near_equal": ("Higher seed first", "of the pairs that are nearly equal"),
    "hanging": ("Hang on a match of others", "of the orders of tied pairs"),
}
HIGHLIGHTED = {PRODUCT: COLOURS[1], ROSTERS: COLOURS[0]}  # FIDE's rule and the default
PENALTIES = (0.0, 10.0, 30.0, 100.0, 300.0)  # weights of `[decisions] others`


def worlds() -> dict[str, Config]:
    """The Olympiad of 2022 with the rosters of a real event: seeds near the truth, random seeds."""
    near = load_config(SEEDED)
    return {"near the truth": near, "random": shared.seeded(near, float("inf"))}


def in_worlds(count: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`error_rates.grid` and `dependence.dependence` on the same events."""
    configs = worlds()
    cells = [
        Cell(name, config, shared.other_rules(RULES[1:], config), count)
        for name, config in configs.items()
    ]
    parts = []
    for name, config in configs.items():
        event = config.event
        rules = [find_rule(one, event.rounds, event.boards, event.teams) for one in RULES]
        found = dependence(config, rules, count, seed, Progress(f"{name}: others"))
        found.insert(0, "seeds", name)
        parts.append(found)
    rates = grid(cells, seed).rename(columns={"world": "seeds"})
    return rates, pd.concat(parts, ignore_index=True)


def penalised(trained: int, seed: int) -> list[Rule]:
    """Tables that differ from the learned one in their last pass: fitted with every penalty."""
    learned, config = checkpoint.load(LEARNED), worlds()["random"]
    before, decisions = value_surfaces(learned)[:-1], learned.config.decisions
    plan = replace(config.train, events=trained, seed=seed)
    config = replace(config, train=plan, decisions=replace(decisions, others=1.0))
    moments = collect_moments(config, before, Progress("train"))
    known, tables = equations(moments, config), []
    for penalty in PENALTIES:
        asked = replace(config, decisions=replace(decisions, others=penalty))
        raw = least_squares([(known, 1.0)], asked)
        surface = normalised(raw, moments.seen, asked)
        tables.append(pass_table([*before, surface], f"others-{penalty:g}"))
    return tables


def curve(trained: int, count: int, seed: int) -> pd.DataFrame:
    """Error (`more` than without a penalty) against dependence with seeds near the truth."""
    config, tables = next(iter(worlds().values())), penalised(trained, seed)
    first = tables[0].name
    rates = grid([Cell("curve", config, tables, count)], seed, [first])
    # One after the other they share a program.
    parts = [dependence(config, [one], count, seed, Progress(one.name)) for one in tables]
    both = where(rates, top=TOP).merge(where(pd.concat(parts), top=TOP), on=["rule", "top"])
    return both.rename(columns=renamed(f"than_{first}", "more")).assign(penalty=PENALTIES)


def medals(event: TeamEvent, rule: str) -> Iterator[dict[str, object]]:
    """The matches of others that decided a medal: a row a tied pair, the next team without it."""
    size = event.rounds, event.boards, len(event.teams)
    ranking = rank(event, find_rule(rule, *size))
    tried, scores = changes(ranking), ranking.scores
    for one, other in pairwise(ranking.rows[: MEDALS + 1]):
        pair = one.number, other.number
        if scores[0, pair[0]] == scores[0, pair[1]] and one.place != other.place:
            found = deciding(tried, scores, pair)
            texts = [turning_text(turning_match(event, some), words()) for some in found]
            yield {
                **{"event": event.name, "rule": rule, "place": one.place},
                **{"team": one.team, "next": other.team, "matches": len(found)},
                "decided": "; ".join(texts),
            }


def in_real_events(names: Sequence[str] = REAL) -> pd.DataFrame:
    """The `medals` of recorded events."""
    rows = [row for name in names for rule in REAL_RULES for row in medals(recorded(name), rule)]
    return pd.DataFrame(rows)


def picture(both: pd.DataFrame, ideal: pd.DataFrame) -> Figure:
    """Error, preference and dependence side by side, of rules that order most ties.

    **Arguments:**

    - `both`: rates and dependence of every rule near the top.
    - `ideal`: of `figures.ideal_rates`; a dashed line is where the ideal rule stands.
    """
    rows = both[both["decided"] > 0.5].sort_values("error", ascending=False)
    figure, places = blank_figure(11.0, 3.8), np.arange(len(rows))
    panels = figure.subplots(1, len(PANELS), sharey=True)
    colours = [HIGHLIGHTED.get(rule, SAME) for rule in rows["rule"]]
    for panel, (what, (title, across)) in zip(panels, PANELS.items(), strict=True):
        for place, (index, colour) in enumerate(zip(rows.index, colours, strict=True)):
            draw_marks(panel, rows.loc[[index]], what, place, colour, size=5.0)
        # Nobody has measured how much the ideal depends on other matches.
        for value in ideal[what] if what in ideal else ():
            panel.axvline(value, color=INK, linewidth=1.0, linestyle="--", label=IDEAL)
        dress(panel, title, across, "")
        panel.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))  # whole per cents
        in_percent(panel.xaxis)
    panels[0].set_yticks(places, rows["rule"])
    if len(ideal):
        line = panels[0].lines[-1]
        figure.legend([line], [IDEAL], loc="outside lower left", frameon=False, fontsize=9)
    return figure


@script(
    "reports/others",
    events_option(4000, "fresh events with seeds near the truth, and as many with random seeds"),
    events_option(1000, "the world that penalised tables are fitted to", "--trained"),
)
def main(out: Path, events: int, trained: int, seed: int) -> None:
    """Measure how much ties depend on matches of others."""
    rates, found = in_worlds(events, seed)
    tables = {"rates": rates, "dependence": found, "medals": in_real_events()}
    given = written(out, tables | {"curve": curve(trained, events, seed)})
    # No row of this file says `all`, so that its places were read as numbers.
    found = where(given["dependence"].astype({"top": str}), top=TOP)
    both = where(given["rates"], top=TOP).merge(found, on=["seeds", "rule"])
    about = {"events": events, "trained": trained, "seed": seed, "top": TOP, "both": both}
    about |= {"passes": RULES[1:4], "product": PRODUCT, "default": ROSTERS, "seeds": [*worlds()]}
    near = where(both, seeds=next(iter(worlds())))
    figures = {"others.png": picture(near, ideal_rates(TOP))}
    report(out, "others.md", {**given, **about}, figures)


if __name__ == "__main__":
    main()
