"""What are tie-breaks worth in leagues, and which format finds the strongest team?

Claims of Brams and Ismail (see `multi_tier`) are held against the figures. Direct encounter is
R. Ricca's, see `encounter`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Float, Int, Num

from studies.claims import NEARLY, verdicts
from studies.encounter import encounter_once, with_encounter_once
from studies.frames import where
from studies.multi_tier import REPEATS, SHARES, TIERS
from studies.names import rule_name
from studies.script import events_option, report, script, written
from studies.stages import FinalFormat, StagedFormat, TieredFormat, tier_keys
from studies.template import wide
from tb2learn.assessment.error_rates import assess, samples, shares_of_pairs
from tb2learn.assessment.tally import by_block
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat, cycle_rounds
from tb2learn.chess.results import Results, match_points, product_points
from tb2learn.config import Config, FieldConfig, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation import oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.names import find_tiebreak
from tb2learn.tiebreaks.rules import TableRule
from tb2learn.types import BYE, MAX_SIMULATED_ROUNDS, PerTeam

TEAMS = sum(tier.teams for tier in TIERS)
BEST = 3  # places whose overlap with the strongest is counted

WORLDS: Mapping[str, tuple[int, FieldConfig]] = {  # boards and field by name
    "individuals": (1, FieldConfig(low=2000, high=2600, player_sd=0.0, seed_noise=50.0)),
    "teams of 4": (4, FieldConfig(low=2000, high=2600, seed_noise=50.0)),
}


def formats(boards: int) -> dict[str, EventFormat]:
    """The formats that are compared, by name."""
    # Only the pairing of players has colours; teams are paired as at an Olympiad.
    base = EventFormat(TEAMS, 7, boards, pairing="dutch" if boards == 1 else "median-swiss")
    once, of_final = cycle_rounds(TEAMS), 2 * cycle_rounds(4)
    final = FinalFormat(TEAMS, 15, boards, pairing=base.pairing, finalists=4, repeats=2)
    tiered = TieredFormat(TEAMS, 21, boards, tiers=TIERS)
    return {
        **{f"Swiss, {n} rounds": replace(base, rounds=n) for n in (5, 8, 15)},
        **{f"Swiss, {n} + final": replace(final, rounds=n + of_final) for n in (4, 7, 14)},
        "round robin": replace(base, rounds=once, format="round-robin"),
        "double round robin": replace(base, rounds=2 * once, format="round-robin", repeats=2),
        **{f"multi-tier, m = {m}": replace(tiered, rounds=21 * m, repeats=m) for m in REPEATS},
    }


MEASURED = {  # what is counted of one event, and by what counts are divided
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


def measure_order(key: Key, event: Event, setting: Setting) -> Int[Array, " measured"]:
    """`MEASURED` of one event; who counts in `best` among equals the lot says."""
    behind = _behind(_standing(event, setting))
    strength = oracle.true_strength(event.rosters, setting.game)
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
    lowest = jnp.arange(TEAMS) >= TEAMS - _lowest_tier(setting.event)
    found = {
        "wins": jnp.where(first[jnp.argmax(strength)], shared, 0),
        "concordant": jnp.where(behind, jnp.sign(_differences(strength).T), 0).sum(),
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


def _tied_pairs(match_points: PerTeam) -> Bool[Array, "teams teams"]:
    """True for every pair of teams on equal match points, once, above the diagonal."""
    return jnp.triu(match_points[:, None] == match_points[None, :], k=1)


def _differences(x: Num[Array, " teams"]) -> Num[Array, "teams teams"]:
    """First team less second, for every pair."""
    return x[:, None] - x[None, :]


def _lowest_tier(form: EventFormat) -> int:
    return form.tiers[0].teams if isinstance(form, TieredFormat) else 0


def _final_rounds(form: EventFormat) -> int:
    """Rounds of the last stage, or of the whole event."""
    return form.final_rounds if isinstance(form, StagedFormat) else form.rounds


def _repeats(met: Bool[Array, "rounds teams"], whites: Bool[Array, "rounds teams"]) -> Array:
    """Games with the colour of the game before, over all teams; rests are left out."""
    rounds = jnp.arange(len(met))[:, None]
    until = jax.lax.cummax(jnp.where(met, rounds, -1), axis=0)
    before = jnp.concatenate([jnp.full_like(until[:1], -1), until[:-1]])
    same = jnp.take_along_axis(whites, jnp.maximum(before, 0), axis=0) == whites
    return (met & (before >= 0) & same).sum()


def _last_stage(event: Event, form: EventFormat) -> tuple[Bool[Array, " teams"], Results]:
    """Who plays the final, the last tier, or else the event, and the results of that alone."""
    rounds = slice(form.rounds - _final_rounds(form), None)
    opponents, half_points = event.opponents[rounds], event.half_points[rounds]
    met = opponents != BYE
    points = jnp.where(met, match_points(half_points, form.boards), 0).sum(axis=0)
    return met.any(axis=0), Results(opponents, half_points, points, form.boards)


def _standing(event: Event, setting: Setting) -> tuple[PerTeam, ...]:
    """What teams are ranked by: of a final its own points, of those outside it all points."""
    form = setting.event
    if isinstance(form, TieredFormat):
        return tier_keys(form, event.opponents, event.half_points)
    playing, last = _last_stage(event, form)
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


TIES = (1, BEST)  # ties that touch these places are counted

BEFORE = "points before the final"  # by which a tie in the final after it can be broken
PRODUCT, DIRECT_WINS = "product", "direct+wins"  # the latter is that of Brams and Ismail

RULES: Mapping[str, tuple[str, ...]] = {  # tie-breaks by world
    "individuals": ("buchholz-cut1", "sonneborn-berger", "direct", DIRECT_WINS, BEFORE),
    "teams of 4": (
        *(PRODUCT, "buchholz-cut1", "emmsb", "game-points", "direct", DIRECT_WINS),
        BEFORE,
    ),
}


def measure_ties(event: Event, setting: Setting, tiebreaks: tuple[TieBreak, ...]) -> Any:
    """Judge the ties on match points in the last stage; `BEFORE` is judged last after a Swiss.

    **Returns:** by place that ties touch: tied pairs, half errors of every rule in them, and pairs
    that it leaves tied.
    """
    playing, results = _last_stage(event, setting.event)
    scores = [one.scores(results) for one in tiebreaks]
    if isinstance(setting.event, FinalFormat):
        scores.append(event.match_points - results.match_points)
    order = jnp.sign(_differences(oracle.true_strength(event.rosters, setting.game)))
    points = jnp.where(playing, results.match_points, -1)
    tied = _tied_pairs(points) & playing[:, None]
    place = 1 + (points[None, :] > points[:, None]).sum(axis=1)
    counted = tied & (place[:, None] <= jnp.array(TIES)[:, None, None])
    verdicts = [jnp.sign(_differences(one)).astype(jnp.int32) for one in scores]
    wrong = jnp.stack([oracle.half_errors(one, order) for one in verdicts])
    left = jnp.stack([one == 0 for one in verdicts])

    def total(values: Any) -> Any:
        return jnp.where(counted, values[:, None], 0).sum(axis=(-1, -2))

    return counted.sum(axis=(-1, -2)), total(wrong), total(left)


def _tiebreak(rule: str, event: EventFormat) -> TieBreak:
    """A rule of `RULES` for the last stage of a format, which may have more rounds than a Swiss."""
    if rule == PRODUCT:
        return TableRule(jnp.asarray(product_points(_final_rounds(event), event.boards)))
    # Of these rules none depends on the number of rounds.
    found, _ = find_tiebreak(rule, min(_final_rounds(event), MAX_SIMULATED_ROUNDS), event.boards)
    return encounter_once(found)


LEAGUES = {  # round robins by name: teams, boards, and between which mean ratings are drawn
    "10 teams of 4": (10, 4, 2000, 2600),
    "12 teams of 8": (12, 8, 2000, 2600),
    "14 players": (14, 1, 1800, 2400),
    "10 grandmasters": (10, 1, 2650, 2800),
}

TEAM_RULES = ("emmsb", "emgsb", "game-points", "least-squares", "wins", "direct")
PLAYER_RULES = ("sonneborn-berger", "least-squares", "wins", "direct")

BESIDE = (  # repeats of a multi-tier event, and a format with about as many matches, or the nearest
    *((1, "Swiss, 8 rounds"), (1, "Swiss, 7 + final")),
    *((2, "Swiss, 15 rounds"), (2, "Swiss, 14 + final"), (2, "round robin")),
    *((3, "round robin"), (3, "double round robin")),
)

ACCURATE = ("wins", "concordant")  # what formats are compared by


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Play so many events of every league and format; `seed` is also that of the bootstrap.

    **Returns:** `leagues`, errors of rules; `formats`, `value` by `what` (of `MEASURED`);
    `differences`, by how much it is above that in the format `less`, on the same fields;
    `tiebreaks`, shares decided `wrong` (pairs left tied count half), and `left` tied.
    """
    found, apart, ties = [], [], []
    for world, (boards, field) in WORLDS.items():
        values = {}
        for name, event in formats(boards).items():
            plain = "".join(c for c in f"{world}-{name}" if c.isalnum() or c == "-")
            config = Config(plain, event=event, field=field)
            rules = [
                rule for rule in RULES[world] if rule != BEFORE or isinstance(event, FinalFormat)
            ]
            values[name], settled = _count(config, rules, events, seed)
            found.append(_means(values[name], world, name))
            ties.append(settled.assign(world=world, format=name))
        for repeats, less in BESIDE:
            name = f"multi-tier, m = {repeats}"
            apart.append(_means(values[name] - values[less], world, name).assign(less=less))
    differences = pd.concat(apart, ignore_index=True)
    counted = ["world", "format", "rule", "place", "pairs"]
    counted += ["wrong", "low", "high", "left", "left_low", "left_high"]
    return {
        "leagues": pd.concat([judge_league(name, events, seed) for name in LEAGUES]),
        "formats": pd.concat(found, ignore_index=True),
        "differences": differences[differences["what"].isin(ACCURATE)],
        "tiebreaks": pd.concat(ties, ignore_index=True)[counted],
    }


def judge_league(name: str, events: int, seed: int) -> pd.DataFrame:
    """The rows of one of `LEAGUES`."""
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
    columns = ["league", "teams", "boards", "rule", "top", "pairs", "error", "low", "high"]
    return found.rename(columns={"error_low": "low", "error_high": "high"})[columns]


def _measured(key: Key, event: Event, setting: Setting, args: Any) -> tuple[Array, Any]:
    return measure_order(key, event, setting), measure_ties(event, setting, args)


def _count(
    config: Config, rules: Sequence[str], events: int, seed: int
) -> tuple[Any, pd.DataFrame]:
    """Means of `MEASURED`, `[samples, measured]`, and how often rules settle ties wrongly."""
    tiebreaks = tuple(_tiebreak(rule, config.event) for rule in rules if rule != BEFORE)
    counts, (pairs, wrong, left) = sum_events(
        config.setting,
        Measurement(_measured, by_block(events), oracle=False),
        EventRange(seed, Purpose.ASSESS, events),
        tiebreaks,
        progress=Progress(config.name),
    )
    # Blocks have as many events as others, or one more.
    sizes = np.bincount(np.arange(events) % len(counts))
    weights = samples(len(counts), seed)
    means = weights @ counts / (weights @ sizes)[:, None] / np.array([*MEASURED.values()])
    wrong = shares_of_pairs(weights, wrong, pairs, 2).swapaxes(1, 2)
    left = shares_of_pairs(weights, left, pairs).swapaxes(1, 2)
    columns = {**with_ends(wrong, "wrong"), **with_ends(left, "left", "left_")}
    settled = long_frame({"place": TIES, "rule": rules}, columns)
    return means, settled.assign(pairs=pairs.sum(axis=0).repeat(len(rules)))


def _means(values: Float[np.ndarray, "samples fields"], world: str, name: str) -> pd.DataFrame:
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
    parts = []
    for text, what, repeats, side, bar in CLAIMS:
        found = where(frames["differences" if what in ACCURATE else "formats"], what=what)
        found = found[found["format"].isin([f"multi-tier, m = {m}" for m in repeats])]
        low, high = (side * found[end].to_numpy() for end in ("low", "high")[::side])
        parts.append(found.assign(claim=text, verdict=verdicts(low, high, side * bar)))
    return pd.concat(parts).fillna({"less": ""}).sort_values("world", kind="stable")


def summary(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """What the template shows."""
    leagues = frames["leagues"].sort_values("error", kind="stable")
    shown = [where(leagues, league=name, top=top) for name in LEAGUES for top in ("all", "1")]
    ties = where(frames["tiebreaks"], place=1)
    names = ties["rule"].map(rule_name).mask(ties["rule"] == BEFORE, BEFORE)
    parts = {"value": "", "low": "_low", "high": "_high"}
    keys = ["world", "format"]
    cells = [wide(frames["formats"], keys, "what", x).add_suffix(end) for x, end in parts.items()]
    formats = pd.concat(cells, axis=1).reset_index()
    colourless = formats["format"].str.startswith("Swiss") & (formats["world"] != "individuals")
    formats.loc[colourless, ["surplus", "surplus_low", "surplus_high"]] = None
    by_league = pd.concat(shown)
    return {
        "by_league": by_league.assign(named=by_league["rule"].map(rule_name)),
        "formats": formats,
        "ties": ties.assign(named=names),
        "claims": claims(frames),
        "worlds": [*WORLDS],
    }


@script("reports/formats", events_option(5000, "simulated events of every league and format"))
def main(out: Path, events: int, seed: int) -> None:
    """Judge tie-breaks of leagues, and formats."""
    given = summary(written(out, measure(events, seed), digits=5))
    report(out, "formats.md", {**given, "events": events, "seed": seed})


if __name__ == "__main__":
    main()
