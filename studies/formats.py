"""What are tie-breaks worth in leagues, and which format finds the strongest team?

How often tie-breaks are wrong where everybody met the same opponents; how often the strongest wins
a Swiss, with a final or without, a round robin, a multi-tier event; how often each tie-break
settles ties for the first place wrongly. Claims of S. J. Brams and M. S. Ismail, *Multi-Tier
Tournaments: Matching and Scoring Players*, 2024, are held against the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int
from matplotlib.figure import Figure

from studies.claims import NEARLY, verdicts
from studies.figures import shifts
from studies.frames import wide_with_ends
from studies.multi_tier import REPEATS, SHARES, TIERS
from studies.script import events as number_of_events
from studies.script import report, script, written
from tb2learn.assessment.evidence import assess, samples, shares
from tb2learn.assessment.tally import by_block
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat, Tier, cycle_rounds
from tb2learn.chess.results import Results, match_points, product_points
from tb2learn.config import Config, FieldConfig
from tb2learn.jax_types import Key, TeamMask
from tb2learn.report.frames import where
from tb2learn.report.style import COLOURS, INK, MARKERS, blank_figure, draw_marks, dress
from tb2learn.report.wording import rule_name
from tb2learn.simulation import truth
from tb2learn.simulation.event import Event
from tb2learn.simulation.multi_tier import tier_keys
from tb2learn.simulation.run import Progress, sum_events
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.combined import encounter_once
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.tiebreaks.rules import with_encounter_once
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.types import BYE, MAX_SIMULATED_ROUNDS, PerTeam

TEAMS = sum(tier.teams for tier in TIERS)
BEST = 3
"""Places whose overlap with the strongest is counted."""

SWISS_ROUNDS = (5, 8, 15)
FINALISTS, FINAL_CYCLES = 4, 2
"""Who plays the final after a Swiss, and how often they meet: as long as a round of the Swiss."""

WORLDS: Mapping[str, tuple[int, FieldConfig]] = {
    "individuals": (1, FieldConfig(low=2000, high=2600, player_sd=0.0, seed_noise=50.0)),
    "teams of 4": (4, FieldConfig(low=2000, high=2600, seed_noise=50.0)),
}
"""Boards and field by name."""

WITH_FINAL = "Swiss, {} + final"
MULTI_TIER = "multi-tier, m = {}"


def formats(boards: int) -> dict[str, EventFormat]:
    """The formats that are compared, by name; all of `TEAMS` teams."""
    # Only the pairing of players has colours; teams are paired as at an Olympiad.
    base = EventFormat(TEAMS, 7, boards, pairing="dutch" if boards == 1 else "median-swiss")
    once = cycle_rounds(TEAMS)
    tiered = replace(base, rounds=21, format="multi-tier", tiers=TIERS)
    more = FINAL_CYCLES * cycle_rounds(FINALISTS) - 1
    final = replace(
        base, rounds=15, format="swiss-final", finalists=FINALISTS, repeats=FINAL_CYCLES
    )
    return {
        **{f"Swiss, {n} rounds": replace(base, rounds=n) for n in SWISS_ROUNDS},
        **{WITH_FINAL.format(n - 1): replace(final, rounds=n + more) for n in SWISS_ROUNDS},
        "round robin": replace(base, rounds=once, format="round-robin"),
        "double round robin": replace(base, rounds=2 * once, format="round-robin", repeats=2),
        **{MULTI_TIER.format(m): replace(tiered, rounds=21 * m, repeats=m) for m in REPEATS},
    }


MEASURED = {
    "wins": SHARES,  # SHARES for the strongest team's first place
    "concordant": comb(TEAMS, 2),  # pairs in the order of the truth, less those against it
    "best": BEST,  # of the BEST strongest, how many are among the first BEST places
    "first_tied": 1,  # whether the first place is shared
    "surplus": TEAMS,  # games of one colour more than of the other, over all teams
    "uneven": TEAMS,  # teams with two or more games of one colour than of the other
    "repeats": TEAMS,  # games with the colour of the game before, over all teams
    "games": 1,  # matches, over all teams
    "most": 1,  # matches of the team with the most of them
    "least": 1,  # matches of the team with the fewest
    "risen": 1,  # whether one that started in the lowest tier was in the last one
    "from_lowest": SHARES,  # SHARES for its first place
}
"""What is counted of one event, and what counts are divided by: the most that they can be, or so
that they are means a team."""


def measure_order(key: Key, event: Event, config: Config) -> Int[Array, " measured"]:
    """`MEASURED` of one event, its final order held against the truth.

    Where more than `BEST` share the first places the lot says who counts in `best`.
    """
    behind = _behind(_standing(event, config))
    strength = truth.true_strength(event.rosters, config.game)
    order = truth.differences(strength)
    first = ~behind.any(axis=1)
    shared = SHARES // first.sum()
    lots = jax.random.permutation(key, TEAMS)
    equal = ~(behind | behind.T)
    place = (behind | (equal & (lots[None, :] < lots[:, None]))).sum(axis=1)
    strongest = (strength[None, :] > strength[:, None]).sum(axis=1)
    met = event.opponents != BYE
    number = met.sum(axis=0)
    whites = jnp.zeros_like(met) if event.whites is None else event.whites
    surplus = jnp.abs(2 * whites.sum(axis=0) - number)
    lowest = jnp.arange(TEAMS) >= TEAMS - (config.event.tiers or (Tier(),))[0].teams
    found = {
        "wins": jnp.where(first[jnp.argmax(strength)], shared, 0),
        "concordant": jnp.where(behind, jnp.sign(order.T), 0).sum(),
        "best": ((place < BEST) & (strongest < BEST)).sum(),
        "first_tied": first.sum() > 1,
        "surplus": surplus.sum(),
        "uneven": (surplus > 1).sum(),
        "repeats": _repeats(met, whites),
        "games": number.sum() // 2,
        "most": number.max(),
        "least": number.min(),
        "risen": (lowest & met[-1]).any(),
        "from_lowest": jnp.where(first & lowest, shared, 0).sum(),
    }
    return jnp.stack([found[what].astype(jnp.int32) for what in MEASURED])


def _repeats(met: Bool[Array, "rounds teams"], whites: Bool[Array, "rounds teams"]) -> Array:
    """Games with the colour of the game before, over all teams; rests are left out."""
    rounds = jnp.arange(len(met))[:, None]
    until = jax.lax.cummax(jnp.where(met, rounds, -1), axis=0)
    before = jnp.concatenate([jnp.full_like(until[:1], -1), until[:-1]])
    same = jnp.take_along_axis(whites, jnp.maximum(before, 0), axis=0) == whites
    return (met & (before >= 0) & same).sum()


def last_stage(event: Event, form: EventFormat) -> tuple[TeamMask, Results]:
    """The last stage, which decides who is first: the final, the last tier, else all of the event.

    **Returns:** who plays it, and the results of its rounds alone.
    """
    rounds = slice(form.rounds - form.final_rounds, None)
    opponents, half_points = event.opponents[rounds], event.half_points[rounds]
    met = opponents != BYE
    points = jnp.where(met, match_points(half_points, form.boards), 0).sum(axis=0)
    return met.any(axis=0), Results(opponents, half_points, points, form.boards)


def _standing(event: Event, config: Config) -> tuple[PerTeam, ...]:
    """What teams are ranked by: of a final its own points, of those outside it all points."""
    form = config.event
    if form.format == "multi-tier":
        return tier_keys(form, event.opponents, event.half_points)
    playing, last = last_stage(event, form)
    keys = [playing.astype(jnp.int32), jnp.where(playing, last.match_points, event.match_points)]
    if form.boards > 1:
        parts = (part.half_points.sum(axis=0) for part in (last, event))
        keys.append(jnp.where(playing, *parts))
    return tuple(keys)


def _behind(keys: tuple[PerTeam, ...]) -> Bool[Array, "teams teams"]:
    """`[i, j]`: whether team j is before team i."""
    behind = jnp.zeros((TEAMS, TEAMS), bool)
    for part in reversed(keys):
        more, equal = part[None, :] > part[:, None], part[None, :] == part[:, None]
        behind = more | (equal & behind)
    return behind


TIES = (1, BEST)
"""Ties that touch these places are counted."""

BEFORE = "points before the final"
"""Match points of the Swiss, which a tie in the final after it can be broken by."""

PRODUCT = "product"
DIRECT_WINS = "direct+wins"
"""The order in which the authors of multi-tier tournaments break ties."""

RULES: Mapping[str, tuple[str, ...]] = {
    "individuals": ("buchholz-cut1", "sonneborn-berger", "direct", DIRECT_WINS, BEFORE),
    "teams of 4": (
        *(PRODUCT, "buchholz-cut1", "emmsb", "game-points", "direct", DIRECT_WINS),
        BEFORE,
    ),
}
"""Tie-breaks by world."""


class Ties(NamedTuple):
    """What is counted of one event, or by block of events; integers."""

    pairs: Int[Any, "*blocks tops"]  # tied pairs
    wrong: Int[Any, "*blocks rules tops"]  # half errors of every rule in them
    left: Int[Any, "*blocks rules tops"]  # pairs that the rule does not part


def measure_ties(event: Event, config: Config, tiebreaks: tuple[TieBreak, ...]) -> Ties:
    """Judge the ties in the last stage of an event, as they are after its match points.

    `BEFORE` is judged last, where the event has a final.
    """
    playing, results = last_stage(event, config.event)
    scores = [one.scores(results) for one in tiebreaks]
    if config.event.format == "swiss-final":
        scores.append(event.match_points - results.match_points)
    order = jnp.sign(truth.differences(truth.true_strength(event.rosters, config.game)))
    points = jnp.where(playing, results.match_points, -1)
    tied = truth.tied_pairs(points) & playing[:, None]
    place = 1 + (points[None, :] > points[:, None]).sum(axis=1)
    counted = tied & (place[:, None] <= jnp.array(TIES)[:, None, None])
    verdicts = [jnp.sign(truth.differences(one)).astype(jnp.int32) for one in scores]
    wrong = jnp.stack([truth.half_errors(one, order) for one in verdicts])
    left = jnp.stack([one == 0 for one in verdicts])

    def total(values: Any) -> Any:
        return jnp.where(counted, values[:, None], 0).sum(axis=(-1, -2))

    return Ties(counted.sum(axis=(-1, -2)), total(wrong), total(left))


def tiebreak_of(rule: str, event: EventFormat) -> TieBreak:
    """A rule of `RULES` for the last stage of a format, which may have more rounds than a Swiss.

    Direct encounter is R. Ricca's, see `tiebreaks.combined.encounter_once`.
    """
    if rule == PRODUCT:
        return TableRule(jnp.asarray(product_points(event.final_rounds, event.boards)))
    # Of these rules none depends on the number of rounds.
    found, _ = find_tiebreak(rule, min(event.final_rounds, MAX_SIMULATED_ROUNDS), event.boards)
    return encounter_once(found)


def tie_rule(rule: str) -> str:
    """A rule of `RULES` in figures and tables."""
    return rule if rule == BEFORE else rule_name(rule)


# --------------------------------------------------------------------------- tables

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

ACCURATE = ("wins", "concordant")
"""What formats are compared by."""

DIGITS = 5
"""Decimals in the CSV files."""

_TIES = (
    *("world", "format", "rule", "place", "pairs"),
    *("wrong", "low", "high", "left", "left_low", "left_high"),
)
_LEAGUE = ("league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high")


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Play so many events of every league and format; `seed` is also that of the bootstrap.

    **Returns:** all values with the ends of their intervals:

    - `leagues`: a row a `league`, `rule` and population `top` (1 or all): its format, tied `pairs`
      and the share of them that the rule decides wrongly (`error`).
    - `formats`: `value` by `world`, `format` and `what` (of `MEASURED`).
    - `differences`: by how much `what` of `ACCURATE` in a multi-tier `format` is above that in the
      format `less`, on the same fields.
    - `tiebreaks`: a row a `world`, `format`, `rule` and `place` that ties touch: `pairs`, the share
      that the rule decides wrongly (`wrong`; pairs that it leaves tied count half), and the share
      that it leaves tied (`left`).
    """
    found, apart, ties = [], [], []
    for world, (boards, field) in WORLDS.items():
        values = {}
        for name, event in formats(boards).items():
            plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
            config = Config(plain, event=event, field=field)
            rules = [rule for rule in RULES[world] if rule != BEFORE or event.finalists]
            values[name], settled = count(config, rules, events, seed)
            found.append(_by_field(values[name], world, name))
            ties.append(settled.assign(world=world, format=name))
        for repeats, less in BESIDE:
            name = MULTI_TIER.format(repeats)
            apart.append(_by_field(values[name] - values[less], world, name).assign(less=less))
    differences = pd.concat(apart, ignore_index=True)
    return {
        "leagues": pd.concat([judge_league(name, events, seed) for name in LEAGUES]),
        "formats": pd.concat(found, ignore_index=True),
        "differences": differences[differences["what"].isin(ACCURATE)],
        "tiebreaks": pd.concat(ties, ignore_index=True)[[*_TIES]],
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
    found = found[found["top"].isin(("1", "all"))].assign(league=name, teams=teams, boards=boards)
    return found.rename(columns={"error_low": "low", "error_high": "high"})[[*_LEAGUE]]


def count(config: Config, rules: Sequence[str], events: int, seed: int) -> tuple[Any, pd.DataFrame]:
    """Play a format.

    **Returns:** the means of `MEASURED` over all events and over those of every bootstrap sample,
    `[samples, measured]`; how often tie-breaks settle ties at the top wrongly.
    """

    def measured(key: Key, event: Event, config: Config, args: Any) -> tuple[Array, Ties]:
        return measure_order(key, event, config), measure_ties(event, config, args)

    tiebreaks = tuple(tiebreak_of(rule, config.event) for rule in rules if rule != BEFORE)
    stream = EventRange(seed, Purpose.ASSESS, events)
    blocks, progress = by_block(events), Progress(config.name)
    counts, ties = sum_events(
        config, measured, stream, tiebreaks, accumulate=blocks, progress=progress
    )
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts))
    weights = samples(len(counts), seed)
    means = weights @ counts / (weights @ sizes)[:, None] / np.array([*MEASURED.values()])
    wrong, left = (
        shares(weights, part, ties.pairs, unit).swapaxes(1, 2)
        for part, unit in ((ties.wrong, 2), (ties.left, 1))
    )
    columns = {**with_ends(wrong, "wrong"), **with_ends(left, "left", "left_")}
    settled = long_frame({"place": TIES, "rule": rules}, columns)
    return means, settled.assign(pairs=ties.pairs.sum(axis=0).repeat(len(rules)))


def _by_field(values: Float[np.ndarray, "samples fields"], world: str, name: str) -> pd.DataFrame:
    axes = {"world": [world], "format": [name], "what": [*MEASURED]}
    return long_frame(axes, with_ends(values))


CLAIMS = (
    ("near-perfect colour balance", "uneven", REPEATS, -1, NEARLY),
    ("no two consecutive games with one colour", "repeats", (1,), -1, 0.0),
    ("almost all ties for the first place are broken", "first_tied", REPEATS, -1, NEARLY),
    ("one of the lowest tier reaches the top tier", "risen", (1,), 1, NEARLY),
    ("... and has a chance to win", "from_lowest", (1,), 1, NEARLY),
    ("accurate: the strongest wins more often", "wins", REPEATS, 1, 0.0),
    ("accurate: tau is higher", "concordant", REPEATS, 1, 0.0),
)
"""Claims about multi-tier events: text, what is judged, for which repeats, whether it is said to be
above (1) or below (-1) a bar, and the bar. Accurate means better than in the formats `BESIDE`."""


def claims(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Every claim beside the figures: `claim`, `less`, `value`, `low`, `high` and its `verdict`."""
    both = pd.concat([frames["formats"], frames["differences"]])
    parts = []
    for text, what, repeats, side, bar in CLAIMS:
        names = [MULTI_TIER.format(m) for m in repeats]
        found = both[(both["what"] == what) & both["format"].isin(names)]
        found = found[found["less"].notna() == (what in ACCURATE)]
        low, high = (side * found[end].to_numpy() for end in ("low", "high")[::side])
        verdict = verdicts(low, high, side * bar)
        parts.append(found.assign(claim=text, verdict=verdict, less=found["less"].fillna("")))
    return pd.concat(parts).sort_values("world", kind="stable")


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows."""
    leagues = frames["leagues"].assign(named=frames["leagues"]["rule"].map(rule_name))
    ties = frames["tiebreaks"].assign(named=frames["tiebreaks"]["rule"].map(tie_rule))
    best_first = leagues.sort_values("error", kind="stable")
    shown = [where(best_first, league=name, top=top) for name in LEAGUES for top in ("all", "1")]
    formats = wide_with_ends(frames["formats"], ["world", "format"], "what")
    colourless = formats["format"].str.startswith("Swiss") & (formats["world"] != "individuals")
    formats.loc[colourless, ["surplus", "surplus_low", "surplus_high"]] = None
    return {
        "by_league": pd.concat(shown),
        "formats": formats,
        "ties": where(ties, place=1),
        "claims": claims(frames),
        "worlds": [*WORLDS],
    }


# --------------------------------------------------------------------------- figures

_FAMILIES = {
    "Swiss": "rounds",
    "Swiss, then a final": "final",
    "round robin": "round robin",
    "multi-tier": "multi-tier",
}
"""Formats that a line joins, and what their names have in common."""


def formats_figure(values: pd.DataFrame) -> Figure:
    """How often the strongest wins, and Kendall's tau, by the number of games."""
    figure = blank_figure(11.0, 4.6 * len(WORLDS))
    panels = figure.subplots(len(WORLDS), 2)
    titles = {"wins": "How often the strongest wins", "concordant": "Kendall's tau"}
    for row, world in zip(panels, WORLDS, strict=True):
        inside = where(values, world=world)
        for panel, (what, title) in zip(row, titles.items(), strict=True):
            styles = zip(_FAMILIES.items(), COLOURS, MARKERS, strict=False)
            for (family, part), colour, marker in styles:
                found = inside[inside["format"].str.contains(part)]
                style = {"marker": marker, "size": 6, "upright": True, "label": family}
                draw_marks(panel, found, what, found["games"], colour, **style)
                panel.plot(found["games"], found[what], linewidth=1.2, color=colour)
            dress(panel, f"{title}: {world}", "matches of the whole event", "")
    panels[0, 1].legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def leagues_figure(leagues: pd.DataFrame) -> Figure:
    """Error of every rule over all ties, a panel a league."""
    figure = blank_figure(12.0, 3.4)
    for panel, league in zip(figure.subplots(1, len(LEAGUES)), LEAGUES, strict=True):
        shown = where(leagues, league=league, top="all")[::-1]
        draw_marks(panel, shown, "error", np.arange(len(shown)), COLOURS[0], size=5, width=3)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(np.arange(len(shown)), [rule_name(rule) for rule in shown["rule"]])
        dress(panel, league, "ties decided wrongly (line: lots)", "")
        panel.tick_params(labelsize=7)
    return figure


def ties_figure(ties: pd.DataFrame) -> Figure:
    """How often every tie-break settles ties for the first place wrongly, a panel a world."""
    figure = blank_figure(12.0, 9.0)
    for panel, world in zip(figure.subplots(1, len(WORLDS)), WORLDS, strict=True):
        found = where(ties, world=world)
        names = list(found["format"].unique())
        rules = RULES[world]
        for number, (rule, shift) in enumerate(zip(rules, shifts(len(rules), 0.8), strict=True)):
            some = where(found, rule=rule)
            at = [-names.index(name) - shift for name in some["format"]]
            style = {"marker": MARKERS[number], "label": tie_rule(rule)}
            draw_marks(panel, some, "wrong", at, COLOURS[number], **style)
        panel.axvline(0.5, color=INK, linewidth=1)
        panel.set_yticks(-np.arange(len(names)), names)
        dress(panel, f"Ties for the first place: {world}", "decided wrongly (line: lots)", "")
        panel.legend(frameon=False, fontsize=8, ncol=3, loc="lower left", bbox_to_anchor=(0, 1.03))
    return figure


@script("reports/formats", number_of_events(5000, "simulated events of every league and format"))
def main(out: Path, events: int, seed: int) -> None:
    """Judge tie-breaks of leagues, and formats."""
    frames = written(out, measure(events, seed), DIGITS)
    given = summary(frames)
    figures = {
        "formats.png": formats_figure(given["formats"]),
        "leagues.png": leagues_figure(frames["leagues"]),
        "tiebreaks.png": ties_figure(given["ties"]),
    }
    report(out, "formats.md", {**given, "events": events, "seed": seed}, figures)


if __name__ == "__main__":
    main()
