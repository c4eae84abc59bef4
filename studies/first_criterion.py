"""Can TB2 improve TB1? The last question of the thesis (M. Naray, ELTE Budapest, 2020).

Teams are ranked by match points, then by a rule, as today; by a rule alone; and by a mixture of
match points and the learned table, whose points are hundredths of a match point. All orders of the
best teams of an event are judged, tied or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Int

from studies.frames import where
from studies.script import events_option, report, script, written
from studies.worlds import REAL, WORLD, load_config
from tb2learn.assessment.error_rates import samples, shares_of_pairs
from tb2learn.assessment.estimators import Estimator, as_estimator
from tb2learn.assessment.tally import by_block
from tb2learn.catalogue import find_rule
from tb2learn.config import Config
from tb2learn.jax_types import Key
from tb2learn.simulation import oracle
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.passes import HUNDRED

OLD, LEARNED = "product", "learned"
ALONE = (OLD, "olympiad-180x11", "least-squares", LEARNED)  # rules that rank without match points
WEIGHTS = (25, 50, 100, 150, 200)  # per cent of the table beside the match points

TODAY, BY_TABLE = "match points, then FIDE's rule", "match points, then learned"
ORDERS = (
    *(TODAY, BY_TABLE, "match points alone"),
    *(f"match points + {weight} % of learned" for weight in WEIGHTS),
    *(f"{name} alone" for name in ALONE),
)
EVEN = ORDERS[3 + WEIGHTS.index(100)]  # the table as it is: a result beside a match point

TOPS = (3, 10, 30)  # pairs of teams that are both among so many best
GAPS = (1, 2, 3, 4)  # match points by which the team behind is ahead; the last one and more

LOST = ("leader", "behind", "first")


def order_keys(
    event: Event, scores: Sequence[Array]
) -> list[tuple[Int[Array, " teams"], Array | int]]:
    """What every order ranks by, and then by; higher is better.

    **Arguments:** the event, and its scores by the rules of `ALONE`.
    """
    points = event.match_points
    by_rule = dict(zip(ALONE, scores, strict=True))
    learned = by_rule[LEARNED]
    # 100 * (match points + weight * table), in whole numbers.
    mixed = [(100 * HUNDRED * points + weight * learned, 0) for weight in WEIGHTS]
    then = [(points, by_rule[OLD]), (points, learned), (points, 0)]
    return [*then, *mixed, *((by_rule[name], 0) for name in ALONE)]


def measure_orders(
    key: Key, event: Event, config: Config, rules: tuple[Estimator, ...]
) -> dict[str, Int[Array, "..."]]:
    """Errors of all orders in one event, and what becomes of match points.

    **Returns:** by `TOPS` the `pairs` of the best teams and the half errors of every order
    (`wrong`); for every order whether the best team is first (`best`); and where the order does not
    follow match points: whether a sole leader is not first (`leader`), how many of the first ten
    have a team with more match points behind them (`behind`), and the pairs of the thirty best
    whose team with more match points is behind, by how many it has more (`gaps`).
    """
    lot_key, *keys = jax.random.split(key, len(rules) + 1)
    scores = [rule.estimate(k, event, config) for k, rule in zip(keys, rules, strict=True)]
    strength, points = oracle.strength_of(event, config.game), event.match_points
    lots = jax.random.permutation(lot_key, len(points))
    best = jnp.argsort(-strength)[: max(TOPS)]
    apart = points[best][:, None] - points[best]
    later = jnp.arange(len(best))[:, None] < jnp.arange(len(best))  # every pair once
    inside = jnp.stack([later & (jnp.arange(len(best)) < top) for top in TOPS])
    truth = jnp.sign(strength[best][:, None] - strength[best])
    sole = (points == points.max()).sum() == 1
    wrong, first, leader, behind, gaps = [], [], [], [], []
    for primary, secondary in order_keys(event, scores):
        secondary = jnp.broadcast_to(jnp.asarray(secondary), points.shape)
        signs = [jnp.sign(part[best][:, None] - part[best]) for part in (primary, secondary)]
        verdict = jnp.where(signs[0] == 0, signs[1], signs[0]).astype(jnp.int32)
        half = oracle.half_errors(verdict, truth)
        wrong.append((half * inside).sum(axis=(1, 2)))
        table = jnp.lexsort((lots, -secondary, -primary))
        first.append(table[0] == best[0])
        leader.append(sole & (points[table[0]] != points.max()))
        # The most points of any team further behind, nobody behind the last one.
        most_behind = jnp.append(jax.lax.cummax(points[table], reverse=True)[1:], -1)
        behind.append((most_behind > points[table])[:10].sum())
        overturned = (verdict * apart < 0) & inside[-1]
        size = jnp.minimum(jnp.abs(apart), GAPS[-1])
        gaps.append(jnp.stack([(overturned & (size == gap)).sum() for gap in GAPS]))
    parts = {"wrong": wrong, "best": first, "leader": leader, "behind": behind, "gaps": gaps}
    counts = {name: jnp.stack(part).astype(jnp.int32) for name, part in parts.items()}
    return {"pairs": inside.sum(axis=(1, 2)).astype(jnp.int32), **counts}


def measured(world: str, events: int, seed: int) -> dict[str, np.ndarray]:
    """The counts of `measure_orders` in a world, by block of events."""
    config = load_config(world)
    rules = tuple(
        as_estimator(find_rule(name, config.event.rounds, config.event.boards)) for name in ALONE
    )
    range_ = EventRange(seed, Purpose.ASSESS, events)
    progress = Progress(world)
    how: dict[str, Any] = {"truth": True, "progress": progress}
    return sum_events(config, measure_orders, range_, rules, by_block(events), **how)


def tables(counts: Mapping[str, np.ndarray], events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Rates of one world, with intervals over events.

    **Returns:** `errors` by order and top, and how much they are above those of `TODAY` (`than`);
    `lost` by order: how often the best team is first, and what does not follow match points.
    """
    weights = samples(len(counts["pairs"]), seed)
    error = shares_of_pairs(weights, counts["wrong"], counts["pairs"], 2)
    than_today = error - error[:, : ORDERS.index(TODAY) + 1]
    columns = {**with_ends(error, "error", "error_"), **with_ends(than_today, "than", "than_")}
    errors = long_frame({"order": ORDERS, "top": list(map(str, TOPS))}, columns)
    lost: dict[str, Any] = {"order": [*ORDERS]}
    for name in ("best", "leader", "behind"):
        lost |= with_ends(weights @ counts[name] / events, name, f"{name}_")
    total = counts["gaps"].sum(axis=0)
    ahead = np.cumsum(total[:, ::-1], axis=1)[:, ::-1] / events
    lost |= {f"by_{gap}": ahead[:, at] for at, gap in enumerate(GAPS)}
    return {"errors": errors, "lost": pd.DataFrame(lost)}


@script("reports/first-criterion", events_option(500, "simulated events of each of the two worlds"))
def main(out: Path, events: int, seed: int) -> None:
    """Rank teams by the table alone, by match points then the table, and by mixtures."""
    parts: dict[str, list[pd.DataFrame]] = {"errors": [], "lost": []}
    for world in (WORLD, REAL):
        for name, frame in tables(measured(world, events, seed), events, seed).items():
            frame.insert(0, "world", world)
            parts[name].append(frame)
    frames = written(out, {name: pd.concat(some) for name, some in parts.items()})
    errors = frames["errors"].assign(top=frames["errors"]["top"].astype(str))
    given = {
        "shown": {world: where(errors, world=world, top="30") for world in (WORLD, REAL)},
        "front": {world: where(errors, world=world, top="10") for world in (WORLD, REAL)},
        "lost_in": {world: where(frames["lost"], world=world) for world in (WORLD, REAL)},
        "named": {"today": TODAY, "table": BY_TABLE, "even": EVEN, "alone": f"{LEARNED} alone"},
    }
    report(out, "first_criterion.md", {**given, "events": events, "seed": seed})


if __name__ == "__main__":
    main()
