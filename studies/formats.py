"""What are tie-breaks worth in leagues, and which format finds the strongest team?

How often tie-breaks are wrong where everybody met the same opponents; how often the strongest wins
a Swiss, with a final or without, a round robin, a multi-tier event; how often each tie-break
settles ties for the first place wrongly. Claims of S. J. Brams and M. S. Ismail, *Multi-Tier
Tournaments: Matching and Scoring Players*, 2024, are held against the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int
from matplotlib.figure import Figure

from studies.claims import NEARLY, Row, above, below, fact, judged
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
from tb2learn.simulation.run import Measure, Progress, sum_events
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


class Measured(NamedTuple):
    """What is counted of one event, or by block of events; integers."""

    wins: Int[Any, "*blocks"]  # SHARES for the strongest team's first place
    concordant: Int[Any, "*blocks"]  # pairs in the order of the truth, less those against it
    best: Int[Any, "*blocks"]  # of the BEST strongest, how many are among the first BEST places
    first_tied: Int[Any, "*blocks"]  # whether the first place is shared
    surplus: Int[Any, "*blocks"]  # games of one colour more than of the other, over all teams
    uneven: Int[Any, "*blocks"]  # teams with two or more games of one colour than of the other
    repeats: Int[Any, "*blocks"]  # games with the colour of the game before, over all teams
    games: Int[Any, "*blocks"]  # matches, over all teams
    most: Int[Any, "*blocks"]  # matches of the team with the most of them
    least: Int[Any, "*blocks"]  # matches of the team with the fewest
    risen: Int[Any, "*blocks"]  # whether one that started in the lowest tier was in the last one
    from_lowest: Int[Any, "*blocks"]  # SHARES for its first place


UNITS = Measured(
    *(SHARES, TEAMS * (TEAMS - 1) // 2, BEST, 1),
    *(TEAMS, TEAMS, TEAMS),
    *(1, 1, 1, 1, SHARES),
)
"""What counts are divided by: the most that they can be, or so that they are means a team."""


def measure_event(key: Key, event: Event, config: Config, args: Any) -> Measured:
    """Hold the final order of one event against the truth; the lot shares places of `best` out."""
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
    agrees = jnp.where(behind, jnp.sign(order.T), 0)
    return Measured(
        wins=jnp.where(first[jnp.argmax(strength)], shared, 0),
        concordant=agrees.sum().astype(jnp.int32),
        best=((place < BEST) & (strongest < BEST)).sum(),
        first_tied=(first.sum() > 1).astype(jnp.int32),
        surplus=surplus.sum(),
        uneven=(surplus > 1).sum(),
        repeats=_repeats(met, whites),
        games=number.sum() // 2,
        most=number.max(),
        least=number.min(),
        risen=(lowest & met[-1]).any().astype(jnp.int32),
        from_lowest=jnp.where(first & lowest, shared, 0).sum(),
    )


def _repeats(met: Bool[Array, "rounds teams"], whites: Bool[Array, "rounds teams"]) -> Array:
    """Games with the colour of the game before, over all teams; rests are left out."""
    rounds = jnp.arange(len(met))[:, None]
    until = jax.lax.cummax(jnp.where(met, rounds, -1), axis=0)
    before = jnp.concatenate([jnp.full_like(until[:1], -1), until[:-1]])
    same = jnp.take_along_axis(whites, jnp.maximum(before, 0), axis=0) == whites
    return (met & (before >= 0) & same).sum()


class Stage(NamedTuple):
    """The last stage of an event: the final, the last tier, else all of it."""

    playing: TeamMask
    results: Results  # of its rounds alone


def last_stage(event: Event, form: EventFormat) -> Stage:
    """The last stage, which decides who is first.

    **Arguments:**

    - `event`, `form`: one event, and its format.
    """
    rounds = slice(form.rounds - form.final_rounds, None)
    opponents, half_points = event.opponents[rounds], event.half_points[rounds]
    met = opponents != BYE
    points = jnp.where(met, match_points(half_points, form.boards), 0).sum(axis=0)
    return Stage(met.any(axis=0), Results(opponents, half_points, points, form.boards))


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


def rules_of(world: str, event: EventFormat) -> list[str]:
    """The tie-breaks of a world that a format can have; `BEFORE` is the last, if at all."""
    return [rule for rule in RULES[world] if rule != BEFORE or event.format == "swiss-final"]


def measure_ties(key: Key, event: Event, config: Config, args: tuple[TieBreak, ...]) -> Ties:
    """Judge the ties in the last stage of an event, as they are after its match points.

    `BEFORE` is judged last, where the event has a final. Arguments as `run.Measure`.
    """
    playing, results = last_stage(event, config.event)
    scores = [one.scores(results) for one in args]
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

ACCURATE = {"wins": "the strongest wins more often", "concordant": "tau is higher"}
"""What formats are compared by, in words."""

DIGITS = 5
"""Decimals in the CSV files."""

_FORMAT = ("world", "format", "what", "value", "low", "high")
_TIES = (
    *("world", "format", "rule", "place", "pairs"),
    *("wrong", "low", "high", "left", "left_low", "left_high"),
)
_LEAGUE = ("league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high")


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
        "formats": pd.concat(found, ignore_index=True)[[*_FORMAT]],
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


def claims(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All claims as `judged` has them, of every world in turn, which is the column `field`."""
    found = []
    for world in WORLDS:
        inside = {name: where(frames[name], world=world) for name in ("formats", "differences")}
        rows = [*_of_one_format(inside), *_accuracy(inside)]
        found.append(judged(rows).assign(field=world))
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


def _of_one_format(frames: dict[str, pd.DataFrame]) -> Iterator[Row]:
    for text, what, m, verdict, said, form in _DECLARED:
        one = _value(frames, MULTI_TIER.format(m), what)
        yield text, said.format(_interval(one, form)), verdict(one.low, one.high)


def _accuracy(frames: dict[str, pd.DataFrame]) -> Iterator[Row]:
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


def _value(frames: dict[str, pd.DataFrame], name: str, what: str) -> pd.Series:
    return where(frames["formats"], format=name, what=what).iloc[0]


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Rows with the names of rules, what surely beats lots, claims, and constants."""
    leagues = frames["leagues"].assign(named=frames["leagues"]["rule"].map(rule_name))
    ties = frames["tiebreaks"].assign(named=frames["tiebreaks"]["rule"].map(tie_rule))
    first = {world: where(ties, world=world, place=TIES[0]) for world in WORLDS}
    best_first = [
        where(leagues, league=league, top=top).sort_values("error", kind="stable")
        for league in LEAGUES
        for top in ("all", "1")
    ]
    return {
        "by_league": pd.concat(best_first),
        "by_world": {world: _by_format(frames, world) for world in WORLDS},
        "first": first,
        "better": {world: _better_than_lots(some) for world, some in first.items()},
        "claims": claims(frames),
        "nearly": NEARLY,
        "number": TEAMS,
        "finalists": FINALISTS,
        "strongest": BEST,
        "last_place": TIES[-1],
        "before": BEFORE,
        "final_matches": comb(FINALISTS, 2) * FINAL_CYCLES,
        "tiers": [tier.teams for tier in TIERS],
    }


def _by_format(frames: dict[str, pd.DataFrame], world: str) -> pd.DataFrame:
    """A row a format; no colours where the pairing has none."""
    found = wide_with_ends(where(frames["formats"], world=world), "format", "what")
    boards, _ = WORLDS[world]
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


def formats_figure(frames: dict[str, pd.DataFrame]) -> Figure:
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


def leagues_figure(frames: dict[str, pd.DataFrame]) -> Figure:
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


def ties_figure(frames: dict[str, pd.DataFrame]) -> Figure:
    """How often every tie-break settles ties for the first place wrongly, a panel a world."""
    figure = blank_figure(12.0, 9.0)
    for panel, world in zip(figure.subplots(1, len(WORLDS)), WORLDS, strict=True):
        found = where(frames["tiebreaks"], world=world, place=1)
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


@script("reports/formats", number_of_events(5000, "simulated events of every league and format"))
def main(out: Path, events: int, seed: int) -> None:
    """Judge tie-breaks of leagues, and formats."""
    frames = written(out, measure(events, seed), DIGITS)
    figures = {
        "formats.png": formats_figure(frames),
        "leagues.png": leagues_figure(frames),
        "tiebreaks.png": ties_figure(frames),
    }
    report(out, "formats.md", {**summary(frames), "events": events, "seed": seed}, figures)


if __name__ == "__main__":
    main()
