"""The printed tiers of the application, and who wins the event that it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import pandas as pd
from jaxtyping import Array

from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.config import Config, FieldConfig
from tb2learn.data import load_table, read_rows
from tb2learn.jax_types import Key
from tb2learn.report.stored import Csv
from tb2learn.simulation.multi_tier import tier_keys, tier_order
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.rng import Purpose
from tb2learn.simulation.run import EventRange, Progress, sum_events

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))
"""The tiers of the application, and of the source's first example."""

REPEATS = (1, 2, 3)
"""How often everybody of a tier meets everybody."""

SHARES = 2520
"""Parts of a win: 1 to 10 players whom only the lot can part share one evenly."""

FILES = (Csv("tiers.csv", "tiers"), Csv("wins.csv", "wins"), Csv("events.csv", "events"))


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Read the printed tiers, and simulate the event.

    **Arguments:** `events`, `seed`: simulated events for every number of repeats.

    **Returns:**

    - `tiers`: see `printed_tiers`.
    - `wins`: by `repeats` and `player`: `rating`, `events` and `wins` in parts of `SHARES`.
    - `events`: by `repeats`: `events`, those in which the lot decided who wins (`lots`), and those
      in which one who started in the lowest tier was in the last one (`risen`).
    """
    top = load_table("multitier", "top20.csv")[["name", "rating"]].astype({"rating": int})
    wins, counts = [], []
    for repeats in REPEATS:
        won, lots, risen = simulate(top["rating"].tolist(), repeats, events, seed)
        by_player = {"repeats": repeats, "player": top["name"], "rating": top["rating"]}
        wins.append(pd.DataFrame({**by_player, "events": events, "wins": won}))
        counts.append((repeats, events, int(lots), int(risen)))
    columns = pd.Index(["repeats", "events", "lots", "risen"])
    return {
        "tiers": printed_tiers(),
        "wins": pd.concat(wins, ignore_index=True),
        "events": pd.DataFrame(counts, columns=columns),
    }


def printed_tiers() -> pd.DataFrame:
    """The source's table 2. Source: `data/multitier/PROVENANCE.md`.

    **Returns:** a row a `tier`, 1 for the lowest, and `player`: `rating_rank`, 1 for the highest;
    `mean_ts`, the mean tier score as printed; `off`, by how much rounding can have changed it.
    """
    printed = pd.DataFrame(read_rows("multitier", "table2.csv"))
    off = [0.5 * 10 ** -len(score.partition(".")[2]) for score in printed["mean_ts"]]
    table = printed.astype({"tier": int, "rating_rank": int, "mean_ts": float}).assign(off=off)
    return table[["tier", "player", "rating_rank", "mean_ts", "off"]]


def simulate(ratings: Sequence[int], repeats: int, events: int, seed: int) -> tuple[Any, Any, Any]:
    """Wins in parts of `SHARES` by player, and in how many events `_winner` says its two facts."""
    field = FieldConfig("ratings", player_sd=0.0, ratings=tuple(map(float, ratings)), seed_noise=0)
    event = EventFormat(
        len(ratings), 21 * repeats, 1, format="multi-tier", tiers=TIERS, repeats=repeats
    )
    return sum_events(
        Config(f"top20-{repeats}", event=event, field=field),
        _winner,
        EventRange(seed, Purpose.ASSESS, events),
        progress=Progress(f"{repeats} game(s) a pairing"),
    )


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
