"""What do multi-tier tournaments decide? The application of Brams and Ismail, and the event played.

Source: S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players*, 2024.
The application compares twenty players by games that they had played, which are not printed: its
tier scores are checked for what they must fulfil. The simulation plays the event it stands for, and
Swiss events in which the source counts who had an extra game with White.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array

from studies.claims import NEARLY, verdicts
from studies.frames import load_table
from studies.script import events_option, report, script, written
from studies.stages import Tier, TieredFormat, tier_keys, tier_order
from tb2learn.assessment.half_point_probes import exact_interval
from tb2learn.config import EventFormat, FieldConfig, Setting
from tb2learn.data import read_rows
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress, sum_events
from tb2learn.types import BYE

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))  # of the application

REPEATS = (1, 2, 3)  # how often everybody of a tier meets everybody
SWISS = {  # how many the source counts, and what is played: format, lowest and highest rating
    "Grand Swiss": (3, EventFormat(114, 11, 1, pairing="dutch"), (2500.0, 2780.0)),
    "Grand Prix": (4, EventFormat(18, 9, 1, pairing="dutch"), (2650.0, 2810.0)),
}
FIRST = 10  # places in which the source counts
PRINTED_EXTRA = 0.66  # of all these had an extra White

SHARES = 2520  # parts of a win: 1 to 10 players whom only the lot can part share one evenly


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Simulate so many events of the twenty players for every number of repeats.

    **Returns:** `wins` by player, in parts of `SHARES`; `events` in which the lot decided who wins
    (`lots`), and in which one who started in the lowest tier was in the last one (`risen`).
    """
    top = load_table("multitier", "top20.csv").astype({"rating": int})
    ratings = tuple(map(float, top["rating"]))
    field = FieldConfig("ratings", player_sd=0.0, ratings=ratings, seed_noise=0)
    by_player = {"player": top["name"], "rating": top["rating"], "events": events}
    base = TieredFormat(len(top), 21, 1, tiers=TIERS)
    stream, wins, counts = EventRange(seed, Purpose.ASSESS, events), [], []
    for repeats in REPEATS:
        event = replace(base, rounds=21 * repeats, repeats=repeats)
        setting = Setting(event=event, field=field)
        progress = Progress(f"{repeats} game(s) a pairing")
        won, lots, risen = sum_events(setting, _WINNER, stream, progress=progress)
        wins.append(pd.DataFrame({"repeats": repeats, **by_player, "wins": won}))
        counts.append((repeats, events, int(lots), int(risen)))
    return {
        "wins": pd.concat(wins, ignore_index=True),
        "events": pd.DataFrame(counts, columns=["repeats", "events", "lots", "risen"]),
    }


def _winner(key: Key, event: Event, setting: Setting, args: Any) -> tuple[Array, Array, Array]:
    """`SHARES` of the winner; whether a lot decided; whether one of the lowest tier rose."""
    assert isinstance(setting.event, TieredFormat)
    keys = tier_keys(setting.event, event.opponents, event.half_points)
    first = tier_order(keys, jnp.arange(len(keys.tier)))[0]
    equal = jnp.stack([part == part[first] for part in keys]).all(axis=0)
    lowest = setting.event.teams - setting.event.tiers[0].teams
    risen = (keys.tier[lowest:] == len(setting.event.tiers) - 1).any()
    shares = jnp.where(equal, SHARES // equal.sum(), 0)
    return shares, (equal.sum() > 1).astype(jnp.int32), risen.astype(jnp.int32)


_WINNER = Measurement(_winner, oracle=False)


def extra_whites(events: int, seed: int) -> pd.DataFrame:
    """How many of the first ten of a Swiss had more games with White than with Black.

    White has no advantage in a simulated game, so this is what pairing and chance alone do.

    **Returns:** a row a kind of event and number of such players: the `tournaments` that the source
    counts, and in how many of our events so many had an extra White (`times`).
    """
    stream, parts = EventRange(seed, Purpose.ASSESS, events), []
    for kind, (tournaments, event, (low, high)) in SWISS.items():
        field = FieldConfig(low=low, high=high, player_sd=0.0, seed_noise=0)
        played = Setting(event=event, field=field)
        times = sum_events(played, _EXTRA_WHITE, stream, progress=Progress(kind))
        axes = {"kind": kind, "tournaments": tournaments, "extra": np.arange(FIRST + 1)}
        parts.append(pd.DataFrame({**axes, "times": times}))
    return pd.concat(parts, ignore_index=True)


def _with_extra_white(key: Key, event: Event, setting: Setting, args: Any) -> Array:
    """1 at the number of players among the first by points, then by lot, with an extra White."""
    assert event.whites is not None
    met = event.opponents != BYE
    surplus = jnp.where(met, 2 * event.whites.astype(jnp.int32) - 1, 0).sum(axis=0)
    lots = jax.random.permutation(key, len(surplus))
    first = jnp.lexsort((lots, -event.match_points))[:FIRST]
    return jax.nn.one_hot((surplus[first] > 0).sum(), FIRST + 1, dtype=jnp.int32)


_EXTRA_WHITE = Measurement(_with_extra_white, oracle=False)


def beside_printed(whites: pd.DataFrame) -> tuple[pd.DataFrame, float, int]:
    """Shares of the first ten with an extra White, and the chance of the printed share or more.

    **Returns:** a row a kind of event, with the 95 % interval of a mean over events; the chance
    in as many tournaments as the source has; and how many players the printed share is.
    """
    rows, law = [], np.ones(1)
    for kind, some in whites.groupby("kind", sort=False):
        times, number = some["times"].to_numpy(float), some["extra"].to_numpy(float)
        chances = times / times.sum()
        mean = chances @ number
        error = np.sqrt(chances @ (number - mean) ** 2 / times.sum())
        ends = (mean - 1.96 * error) / FIRST, (mean + 1.96 * error) / FIRST
        rows.append((kind, int(some["tournaments"].iloc[0]), mean / FIRST, *ends))
        for _ in range(rows[-1][1]):
            law = np.convolve(law, chances)
    least = round(PRINTED_EXTRA * (len(law) - 1))
    frame = pd.DataFrame(rows, columns=["kind", "tournaments", "share", "low", "high"])
    return frame, float(law[least:].sum()), least


def nearest_subsets(ratings: Sequence[int], size: int) -> tuple[int, int]:
    """How near the mean of so many players can come to the mean of all: the source's section 3.

    Subsets are counted by their sum instead of listed: ten of twenty can be 184,756.

    **Returns:** the sum of such a subset times the players, less `size` times the sum of all, the
    negative one of two; and the number of subsets that are so near, on either side.
    """
    players, least = len(ratings), min(ratings)
    above = [rating - least for rating in ratings]
    sums = sum(sorted(above)[-size:]) + 1
    counts = np.zeros((size + 1, sums))  # of subsets, by size and by sum above the least ratings
    counts[0, 0] = 1
    for rating in above:
        counts[1:, rating:] += counts[:-1, : sums - rating]
    distance = players * (np.arange(sums) + size * least) - size * sum(ratings)
    possible = counts[size] > 0
    nearest = np.abs(distance[possible]).min()
    met = possible & (np.abs(distance) == nearest)
    return int(distance[met].min()), round(float(counts[size, met].sum()))


def printed_sums() -> pd.DataFrame:
    """The source's table 2 by `tier`; `off`: by how much rounding can have changed the sum."""
    printed = pd.DataFrame(read_rows("multitier", "table2.csv"))
    printed = printed.astype({"tier": int, "place": int, "rating_rank": int})
    digits = printed["mean_ts"].str.partition(".")[2].str.len()
    printed["off"], printed["sum"] = 0.5 * 0.1**digits, printed["mean_ts"].astype(float)
    goes_on = printed["place"] <= printed["tier"].map({1: 2, 2: 2, 3: 1})
    best = printed[goes_on].groupby("tier")["player"].agg(", ".join)
    started = printed.drop_duplicates("player").groupby("tier")["rating_rank"]
    ranks = started.min().astype(str) + " to " + started.max().astype(str)
    sums = printed.groupby("tier")[["sum", "off"]].sum()
    return sums.assign(best=best, ranks=ranks).reset_index()


def happened(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """How often `what` happens with so many games a pairing, and the verdict on the claim."""
    shares = frames["wins"].pivot(index="repeats", columns="player", values="wins") / SHARES
    won = shares[frames["wins"]["player"].unique()]
    counts = frames["events"].set_index("repeats")
    cases = (
        (f"{won.columns[0]}, the highest rated, wins", won.iloc[:, 0], 0),
        ("a player of the top tier wins", won.iloc[:, :6].sum(axis=1), 0),
        ("a player of the middle tier wins", won.iloc[:, 6:12].sum(axis=1), 0),
        ("a player of the lowest tier wins", won.iloc[:, 12:].sum(axis=1), 1),
        ("a player of the lowest tier reaches the top tier", counts["risen"], 1),
        ("the first place is tied", counts["lots"], -1),
    )
    rows = []
    for what, times, side in cases:
        for repeats, events in counts["events"].items():
            count = round(times[repeats])
            ends = np.array(exact_interval(count, int(events)))
            low, high = side * ends if side >= 0 else side * ends[::-1]
            verdict = str(verdicts(low, high, side * NEARLY)) if side else ""
            rows.append((what, repeats, count / events, *ends, verdict))
    return pd.DataFrame(rows, columns=["what", "repeats", "share", "low", "high", "verdict"])


@script(
    "reports/multi-tier",
    events_option(20_000, "simulated events a number of games"),
    events_option(4000, "simulated Swiss events of each kind", "--swiss"),
)
def main(out: Path, events: int, swiss: int, seed: int) -> None:
    """Recompute the application of Brams and Ismail, and simulate the event that it stands for."""
    frames = written(out, {**measure(events, seed), "whites": extra_whites(swiss, seed)})
    whites, chance, least = beside_printed(frames["whites"])
    ratings = frames["wins"].drop_duplicates("player")["rating"].tolist()
    away, ways = nearest_subsets(ratings, len(ratings) // 2)
    given = {"sums": printed_sums(), "happened": happened(frames), "ratings": ratings}
    given |= {"events": events, "seed": seed, "away": away, "ways": ways}
    given |= {"swiss": swiss, "whites": whites, "extra_chance": chance, "extra_least": least}
    given |= {"extra_of": FIRST * whites["tournaments"].sum(), "extra_printed": PRINTED_EXTRA}
    report(out, "multi_tier.md", given)


if __name__ == "__main__":
    main()
