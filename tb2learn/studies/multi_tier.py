"""Multi-tier tournaments of Brams and Ismail: their application recomputed, and simulated.

The application plays no event: it compares twenty players by the games that they had played against
each other. These games are not printed, so that its tier scores are checked for what they must
fulfil, not computed again. The simulation plays the event that the application stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.chess.subsets import nearest_subsets
from tb2learn.config import Config, FieldConfig
from tb2learn.data import read_rows
from tb2learn.disk import files
from tb2learn.jax_types import Key
from tb2learn.report.markdown import csv_table, exact_interval, interval_cells, table
from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.simulation.multi_tier import tier_keys, tier_order
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events
from tb2learn.studies.multi_tier_claims import Simulated, claim_lines
from tb2learn.studies.report_folder import write_report_folder

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))
"""The tiers of the application, and of the source's first example."""

REPEATS = (1, 2, 3)

GAMES, PAIRINGS = 1209, 3 * comb(8, 2)
MEAN_GAMES = {1: 6.6, 2: 10.1, 3: 26.4}
"""Printed: all games, and games of a pairing in every tier before promotion."""

CARLSEN_ARONIAN = (12, 8, 51)
"""Printed: wins, losses and draws of the pair that met most often."""

PROMOTED = 2

SHARES = 2520
"""Parts of a win: 1 to 10 players whom only the lot can part share one evenly."""


@dataclass(frozen=True)
class Standing:
    """One row of the source's table 2.

    **Fields:**

    - `player`, `rank`: its name, and its place by rating, 1 for the highest.
    - `score`: mean tier score as printed.
    - `off`: by how much rounding can have changed it.
    """

    player: str
    rank: int
    score: float
    off: float


def printed_tiers() -> dict[int, list[Standing]]:
    """The source's table 2 by tier, 1 for the lowest. Source: `data/multitier/PROVENANCE.md`."""
    found: dict[int, list[Standing]] = {}
    for row in read_rows("multitier", "table2.csv"):
        digits = len(row["mean_ts"].partition(".")[2])
        standing = Standing(
            row["player"], int(row["rating_rank"]), float(row["mean_ts"]), 0.5 * 10**-digits
        )
        found.setdefault(int(row["tier"]), []).append(standing)
    return found


@dataclass(frozen=True)
class Chances:
    """Who wins the simulated event.

    **Fields:**

    - `repeats`: how often everybody of a tier meets everybody.
    - `events`: simulated.
    - `wins`: by place by rating, how often this player wins the last tier.
    - `lots`: events in which the lot decided who wins.
    - `risen`: events in which one who started in the lowest tier was in the last one.
    """

    repeats: int
    events: int
    wins: Int[np.ndarray, " players"]
    lots: int
    risen: int


def study_multi_tier(folder: Path, events: int, seed: int) -> Path:
    """Recompute the application, simulate it, and write the report.

    **Arguments:**

    - `folder`: gets `README.md`, `multi-tier.png`, `tiers.csv` and `wins.csv`.
    - `events`, `seed`: simulated events for every number of repeats.

    **Returns:** the path of the report.
    """
    files.check_folder(folder.parent)
    ratings = [int(row["rating"]) for row in read_rows("multitier", "top20.csv")]
    names = [row["name"] for row in read_rows("multitier", "top20.csv")]
    tiers = printed_tiers()
    chances = [_simulate(ratings, repeats, events, seed) for repeats in REPEATS]
    rows = [(tier, *vars(one).values()) for tier, found in tiers.items() for one in found]
    tables = {
        "tiers.csv": csv_table(("tier", "player", "rating_rank", "mean_ts", "off"), rows),
        "wins.csv": csv_table(
            ("repeats", "player", "rating", "events", "wins"),
            [
                (one.repeats, name, rating, one.events, int(wins))
                for one in chances
                for name, rating, wins in zip(names, ratings, one.wins, strict=True)
            ],
        ),
    }
    text = "\n".join(_report(tiers, ratings, names, chances, seed)) + "\n"
    figures = {"multi-tier.png": _figure(tiers, names, chances)}
    return write_report_folder(folder, text, figures, tables)


# --------------------------------------------------------------------------- simulation


def _simulate(ratings: Sequence[int], repeats: int, events: int, seed: int) -> Chances:
    field = FieldConfig("ratings", player_sd=0.0, ratings=tuple(map(float, ratings)), seed_noise=0)
    event = EventFormat(
        len(ratings), 21 * repeats, 1, format="multi-tier", tiers=TIERS, repeats=repeats
    )
    wins, lots, risen = sum_events(
        Config(f"top20-{repeats}", event=event, field=field),
        _winner,
        EventRange(seed, Purpose.ASSESS, events),
        progress=Progress(f"{repeats} game(s) a pairing"),
    )
    return Chances(repeats, events, wins, int(lots), int(risen))


def _winner(key: Key, event: Event, config: Config, args: Any) -> tuple[Array, Array, Array]:
    """`SHARES` for the winner, and whether another player was equal on all but the lot.

    These share the win. And whether somebody of the lowest tier played in the last one.
    """
    keys = tier_keys(config.event, event.opponents, event.half_points)
    first = tier_order(keys, jnp.arange(len(keys.tier)))[0]
    equal = jnp.stack([part == part[first] for part in keys]).all(axis=0)
    lowest = config.event.teams - config.event.tiers[0].teams
    risen = (keys.tier[lowest:] == len(config.event.tiers) - 1).any()
    shares = jnp.where(equal, SHARES // equal.sum(), 0)
    return shares, (equal.sum() > 1).astype(jnp.int32), risen.astype(jnp.int32)


# --------------------------------------------------------------------------- figure


def _figure(
    tiers: dict[int, list[Standing]], names: Sequence[str], chances: Sequence[Chances]
) -> Figure:
    figure = blank_figure(12.0, 5.2)
    printed, simulated = figure.subplots(1, 2)
    _draw_tiers(printed, tiers)
    _draw_wins(simulated, names, chances)
    return figure


def _draw_tiers(panel: Axes, tiers: dict[int, list[Standing]]) -> None:
    place = 0.0
    labels, places = [], []
    for tier, found in sorted(tiers.items(), reverse=True):
        for number, one in enumerate(found):
            best = number < (PROMOTED if tier < len(tiers) else 1)
            panel.barh(place, one.score, color=COLOURS[1 if best else 0], height=0.75)
            labels.append(f"{one.player} ({one.rank})")
            places.append(place)
            place -= 1
        place -= 0.8
    panel.axvline(0, color=INK, linewidth=1)
    panel.set_yticks(places, labels, fontsize=8)
    title = "Printed tier scores, top tier first (red: goes on, or wins)"
    dress(panel, title, "mean tier score", "player (rank by rating)")
    panel.tick_params(axis="y", labelsize=8)


def _draw_wins(panel: Axes, names: Sequence[str], chances: Sequence[Chances]) -> None:
    height = 0.8 / len(chances)
    for number, one in enumerate(chances):
        shares = one.wins / SHARES / one.events
        places = -np.arange(len(names)) + height * (len(chances) / 2 - number - 0.5)
        label = f"{one.repeats} game{'s' * (one.repeats > 1)} a pairing"
        panel.barh(places, 100 * shares, height=height, color=COLOURS[number], label=label)
    panel.set_yticks(-np.arange(len(names)), names)
    panel.legend(frameon=False, fontsize=9, loc="lower right")
    dress(panel, "Who wins the event, simulated", "wins, in per cent", "")
    panel.tick_params(axis="y", labelsize=8)


# --------------------------------------------------------------------------- report


def _report(
    tiers: dict[int, list[Standing]],
    ratings: Sequence[int],
    names: Sequence[str],
    chances: Sequence[Chances],
    seed: int,
) -> list[str]:
    total = sum(ratings)
    away, ways = nearest_subsets(ratings, 10, total, len(ratings))
    won, lost, drawn = CARLSEN_ARONIAN
    before = {tier: (comb(8 if tier == 1 else 6, 2), mean) for tier, mean in MEAN_GAMES.items()}
    games = " + ".join(f"{pairs * mean:.0f}" for pairs, mean in before.values())
    return [
        "# Multi-tier tournaments",
        "",
        "![Printed tier scores, and who wins the simulated event](multi-tier.png)",
        "",
        "S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players* "
        "(2024): the lowest rated play a round robin, its best join the next tier, and so on; "
        "the tier score of a tier is wins less losses, divided by games, and nothing is carried "
        "on.",
        "",
        "## The application: the top twenty of February 2024",
        "",
        *_score_lines(tiers),
        "",
        f"* 3 tiers of 8 have {PAIRINGS} pairings; {GAMES:,} games are {GAMES / PAIRINGS:.2f} a "
        "pairing (printed 14.4).",
        f"* Before promotion the tiers average {', '.join(map(str, MEAN_GAMES.values()))} games a "
        f"pairing: about {games} games in "
        f"{' + '.join(str(pairs) for pairs, _ in before.values())} pairings. The pairings with "
        "those promoted have the others.",
        f"* Carlsen and Aronian met {won + lost + drawn} times, {won} to {lost} with {drawn} "
        f"draws: a score of {(won - lost) / (won + lost + drawn):.4f}.",
        f"* Ten of thirty can be chosen in {comb(30, 10):,} ways, ten of twenty in "
        f"{comb(20, 10):,}: both as printed. Counted by sums of ratings they need not be listed.",
        "* The twenty could be split into two groups of ten of exactly equal mean rating: "
        f"{ways:,} of the subsets are {abs(away)} points from it, so the lot has much to decide.",
        "",
        *_slip_lines(),
        "",
        *_simulation_lines(ratings, names, chances, seed),
        "",
        *claim_lines(
            ratings,
            {tier: _sum(found) for tier, found in tiers.items()},
            {tier: _ranks(tiers, tier) for tier in tiers},
            [_counted(one) for one in chances],
        ),
        "",
        "All numbers: [tiers.csv](tiers.csv), [wins.csv](wins.csv) (wins in "
        f"{SHARES}ths: players whom only the lot can part share a win).",
    ]


def _slip_lines() -> list[str]:
    colours = round_robin(8).colour_counts()
    return [
        "## Slips of the source",
        "",
        "* The text says that tier 1 has ranks 1 to 8, tier 2 ranks 10 to 14 and tier 3 ranks 15 "
        "to 20. Its own rules and table 2 have tier 1 = ranks 13 to 20, tier 2 = 7 to 12, tier 3 "
        "= 1 to 6. Ranks 10 to 14 are also only five players.",
        "* *We define TA differently* should read TS.",
        "* Table 2 mixes two and three decimals; Wei and Dominguez are printed with equal scores, "
        "and the games that would break the tie are not.",
        "* Listed benefit 3, no two consecutive games with one colour, cannot hold. With n even at "
        "least n - 2 repeats are needed, and at most two players go without. Berger's table of "
        f"eight has {colours.repeats}, and no colour more than {colours.longest} times running.",
        "* Of listed benefit 1 the case of an even number of rounds does not occur where "
        "everybody of an even tier meets everybody once: there are n - 1 rounds, and half of the "
        "players have one game more with White. Played twice, the colours are exactly even.",
    ]


def _score_lines(tiers: dict[int, list[Standing]]) -> list[str]:
    lines = table(
        ("tier", "sum of scores", "rounding allows", "goes on or wins", "ranks that start here"),
        [
            (
                tier,
                *map("{:{}}".format, _sum(found), ("+.3f", ".3f")),
                ", ".join(one.player for one in found[: PROMOTED if tier < len(tiers) else 1]),
                "{} to {}".format(*_ranks(tiers, tier)),
            )
            for tier, found in tiers.items()
        ],
    )
    return [
        "With so uneven numbers of games the source takes a player's score as the mean over seven "
        "opponents of wins less losses divided by games, 0 if they never met. What A has against B "
        "is what B has against A with the other sign, so the scores of a tier must add up to 0:",
        "",
        *lines,
        "",
        "All sums are within rounding, those who go on are those with the best scores, and they "
        "are in the next tier.",
    ]


def _counted(one: Chances) -> Simulated:
    low = round(int(one.wins[-TIERS[0].teams :].sum()) / SHARES)
    return Simulated(one.repeats, one.events, one.lots, one.risen, low)


def _sum(found: Sequence[Standing]) -> tuple[float, float]:
    """The sum of the scores, and by how much rounding can have changed it."""
    return sum(one.score for one in found), sum(one.off for one in found)


def _ranks(tiers: dict[int, list[Standing]], tier: int) -> tuple[int, int]:
    """The first and the last rank of those who start in a tier."""
    own = {one.rank for one in tiers[tier]}
    promoted = {one.rank for one in tiers[tier - 1][:PROMOTED]} if tier > 1 else set()
    ranks = sorted(own - promoted)
    return ranks[0], ranks[-1]


def _simulation_lines(
    ratings: Sequence[int], names: Sequence[str], chances: Sequence[Chances], seed: int
) -> list[str]:
    def share(one: Chances, ranks: slice) -> tuple[str, ...]:
        wins = round(int(one.wins[ranks].sum()) / SHARES)
        return interval_cells(wins / one.events, exact_interval(wins, one.events))

    rows = [
        (label, one.repeats, *share(one, ranks))
        for label, ranks in (
            (f"{names[0]}, the highest rated", slice(0, 1)),
            ("a player of the top tier", slice(0, 6)),
            ("a player of the middle tier", slice(6, 12)),
            ("a player of the lowest tier", slice(12, 20)),
        )
        for one in chances
    ]
    lots = ", ".join(f"{one.lots / one.events:.1%}" for one in chances)
    return [
        "## The event simulated",
        "",
        f"The same twenty, who play as well as their ratings ({ratings[0]} to {ratings[-1]}) say, "
        "in tiers of 8, 6 and 6 with two promoted each time, everybody of a tier meeting "
        f"everybody once, twice or three times: {chances[0].events:,} events each, seed {seed}; "
        "Clopper and Pearson's 95 % intervals.",
        "",
        *table(("the winner is", "games a pairing", "share", "from", "to"), rows),
        "",
        "Ties are broken by the games among those who are tied, then by wins; the source's third "
        "rule, fewer moves in won games, needs moves, which simulated games have not. After these "
        f"two rules the first place is still tied in {lots} of the events with one, two and three "
        "games a pairing. The source expects that its rules break almost all ties.",
    ]
