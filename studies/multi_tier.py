"""What do multi-tier tournaments decide? The application of Brams and Ismail, and the event played.

Source: S. J. Brams and M. S. Ismail, *Multi-Tier Tournaments: Matching and Scoring Players*, 2024.
The application plays no event: it compares twenty players by the games that they had played against
each other. These games are not printed, so its tier scores are checked for what they must fulfil,
not computed again. The simulation plays the event that the application stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from studies.claims import NEARLY, Row, above, below, fact, judged
from studies.script import events as number_of_events
from studies.script import report, script, written
from tb2learn.assessment.incentive import exact_interval
from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.chess.subsets import nearest_subsets
from tb2learn.config import Config, FieldConfig
from tb2learn.data import load_table, read_rows
from tb2learn.jax_types import Key
from tb2learn.report.style import COLOURS, INK, blank_figure, dress
from tb2learn.simulation.event import Event
from tb2learn.simulation.multi_tier import tier_keys, tier_order
from tb2learn.simulation.run import Progress, sum_events
from tb2learn.simulation.streams import EventRange, Purpose

TIERS = (Tier(8, promoted=2), Tier(6, promoted=2), Tier(6))
"""The tiers of the application, and of the source's first example."""

REPEATS = (1, 2, 3)
"""How often everybody of a tier meets everybody."""

SHARES = 2520
"""Parts of a win: 1 to 10 players whom only the lot can part share one evenly."""


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


PROMOTED = 2

EXAMPLES = (
    ((Tier(8, promoted=2), Tier(6, promoted=2), Tier(6)), "7, 14 or 21"),
    ((Tier(30, groups=3), Tier(7)), "9 or 18"),
)
"""Tiers of the source's two examples, and the printed games of a player."""

WAYS = ((30, 10, 30_045_015), (20, 10, 184_756))
"""Printed: in how many ways so many can be chosen."""

EXTRA_WHITE = 6, 7
"""Printed: qualifiers for the Candidates 2017-2023 who had an extra White, and all of them."""

TEXT_RANKS = {1: (1, 8), 2: (10, 14), 3: (15, 20)}
"""The ranks of every tier in the source's text."""


def ratings(frames: dict[str, pd.DataFrame]) -> list[int]:
    """Ratings of the players, the highest first."""
    return frames["wins"].drop_duplicates("player")["rating"].tolist()


def goes_on(tiers: pd.DataFrame) -> pd.Series:
    """Whether a player is promoted from a tier, or wins the last one."""
    number = tiers["tier"].eq(tiers["tier"].max()).map({True: 1, False: PROMOTED})
    return tiers.groupby("tier").cumcount() < number


def start_ranks(tiers: pd.DataFrame) -> dict[int, tuple[int, int]]:
    """The first and the last rank of those who start in a tier, by tier."""
    started = tiers.drop_duplicates("player").groupby("tier")["rating_rank"].agg(["min", "max"])
    return {int(tier): (int(low), int(high)) for tier, low, high in started.itertuples()}


def equal_halves(frames: dict[str, pd.DataFrame]) -> tuple[int, int]:
    """How far halves of the players are from equal sums of ratings, and in how many ways."""
    given = ratings(frames)
    away, ways = nearest_subsets(given, len(given) // 2, sum(given), len(given))
    return abs(away), ways


def _games(tiers: Sequence[Tier]) -> str:
    """After how many games players leave the tiers, in words."""
    rounds, promoted = 0, 0
    for tier in tiers:
        rounds += (tier.teams + promoted) // tier.groups - 1
        promoted = tier.groups * tier.promoted
    players = sum(tier.teams for tier in tiers)
    sizes = EventFormat(players, rounds, 1, format="multi-tier", tiers=tuple(tiers))
    *first, last = map(str, accumulate(sizes.tier_rounds))
    return f"{', '.join(first)} or {last}"


def _spans(ranks: Mapping[int, tuple[int, int]]) -> str:
    return ", ".join(f"{low} to {high}" for low, high in ranks.values())


def counted(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The frame `events` by repeats, with the events that one of the lowest tier won."""
    lowest = (
        frames["wins"].groupby("repeats")["wins"].apply(lambda wins: wins[-TIERS[0].teams :].sum())
    )
    return frames["events"].set_index("repeats").assign(low_wins=(lowest / SHARES).round())


_OF_EVENTS = (
    ("the rules break almost all ties for the first place", "lots", "left tied", below),
    ("a low tier's player can progress: reaches the top", "risen", "reaches it", above),
    ("... and has a chance to win", "low_wins", "wins", above),
)


def claims(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The claims of the source; *m* is how often everybody of a tier meets everybody."""
    return judged([*_printed_claims(), *_claims_of_the_twenty(frames), *_simulated(frames)])


def _printed_claims() -> Iterator[Row]:
    """Claims that follow from numbers of players alone."""
    for tiers, printed in EXAMPLES:
        players, games = sum(tier.teams for tier in tiers), _games(tiers)
        claim = f"{players} players in {len(tiers)} tiers play {printed} games"
        yield claim, f"{games} games", fact(games == printed)
    for of, chosen, printed in WAYS:
        claim, ways = f"{chosen} of {of} can be chosen in {printed:,} ways", comb(of, chosen)
        yield claim, f"{ways:,} ways", fact(ways == printed)


def _claims_of_the_twenty(frames: dict[str, pd.DataFrame]) -> Iterator[Row]:
    """Claims about the application and about tiers like its own."""
    away, ways = equal_halves(frames)
    claim = "equal groups can be made of the twenty by rating"
    yield claim, f"two groups can be {away} points apart, in {ways:,} ways", fact(away == 0)
    sums = frames["tiers"].groupby("tier")[["mean_ts", "off"]].sum()
    said = ", ".join(f"{one:+.3f}" for one in sums["mean_ts"])
    fits = bool((sums["mean_ts"].abs() <= sums["off"]).all())
    claim = "tier scores of table 2: what one has the other has not, so they add up to 0"
    yield claim, f"sums {said}, rounding allowed for", fact(fits)
    ranks = start_ranks(frames["tiers"])
    claim = f"the tiers start with ranks {_spans(TEXT_RANKS)} (text)"
    yield claim, f"{_spans(ranks)} in table 2", fact(ranks == TEXT_RANKS)
    colours = round_robin(TIERS[0].teams).colour_counts()
    claim = "benefit 1: colours are even, or within one game (a mini-tournament of eight)"
    yield claim, f"{colours.surplus} game of one colour more at most", fact(colours.surplus <= 1)
    claim = "benefit 3: no two consecutive games with one colour"
    said = f"{colours.repeats} repeats among eight, the fewest possible"
    yield claim, said, fact(colours.repeats == 0)
    count, number = EXTRA_WHITE
    low, high = exact_interval(count, number)
    claim = "an extra White helps to qualify for the Candidates"
    said = f"{count} of {number} had one: {count / number:.0%} ({low:.0%} to {high:.0%})"
    yield claim, said, above(low, high, 0.5)


def _simulated(frames: dict[str, pd.DataFrame]) -> Iterator[Row]:
    """Claims about simulated events."""
    for repeats, one in counted(frames).iterrows():
        for claim, what, found, side in _OF_EVENTS:
            low, high = exact_interval(int(one[what]), int(one["events"]))
            said = f"{found} in {one[what] / one['events']:.2%} ({low:.2%} to {high:.2%})"
            yield f"{claim}, m = {repeats}", said, side(low, high, NEARLY)


_GAMES, _PAIRINGS = 1209, 3 * comb(8, 2)
_MEAN_GAMES = {1: 6.6, 2: 10.1, 3: 26.4}
"""Printed: all games, and games of a pairing in every tier before promotion."""

_CARLSEN_ARONIAN = {"won": 12, "lost": 8, "drawn": 51}
"""Printed: games of the pair that met most often."""

_GROUPS = {"top": slice(0, 6), "middle": slice(6, 12), "lowest": slice(12, 20)}


def summary(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Sums of the printed scores, who wins the simulated event, and claims."""
    away, ways = equal_halves(frames)
    before = {tier: comb(8 if tier == 1 else 6, 2) for tier in _MEAN_GAMES}
    counts, given = counted(frames), ratings(frames)
    return {
        "sums": _tier_sums(frames["tiers"]),
        "parts": SHARES,
        "printed_games": _GAMES,
        "pairings": _PAIRINGS,
        "mean_games": list(_MEAN_GAMES.values()),
        "games": [f"{before[tier] * mean:.0f}" for tier, mean in _MEAN_GAMES.items()],
        "before": list(before.values()),
        "pair": _CARLSEN_ARONIAN,
        "choices": [comb(30, 10), comb(20, 10)],
        "away": away,
        "ways": ways,
        "colours": round_robin(8).colour_counts(),
        "ratings": [given[0], given[-1]],
        "number": counts["events"].iloc[0],
        "winners": _winners(frames["wins"]),
        "left": [f"{one:.1%}" for one in counts["lots"] / counts["events"]],
        "claims": claims(frames),
        "nearly": NEARLY,
    }


def _tier_sums(tiers: pd.DataFrame) -> pd.DataFrame:
    """By tier: the sum of the scores, who goes on or wins, and which ranks start there."""
    sums = tiers.groupby("tier", as_index=False)[["mean_ts", "off"]].sum()
    best = tiers[goes_on(tiers)].groupby("tier")["player"].agg(", ".join)
    ranks = [f"{low} to {high}" for low, high in start_ranks(tiers).values()]
    return sums.assign(best=best.to_numpy(), ranks=ranks)


def _winners(wins: pd.DataFrame) -> pd.DataFrame:
    """How often the highest rated and one of every tier wins, with exact intervals."""
    groups = {f"{wins['player'].iloc[0]}, the highest rated": slice(0, 1)}
    groups |= {f"a player of the {tier} tier": ranks for tier, ranks in _GROUPS.items()}
    rows = []
    for label, ranks in groups.items():
        for repeats, some in wins.groupby("repeats"):
            won, events = round(some["wins"].iloc[ranks].sum() / SHARES), some["events"].iloc[0]
            rows.append((label, repeats, won / events, *exact_interval(won, int(events))))
    return pd.DataFrame(rows, columns=pd.Index(["winner", "repeats", "share", "low", "high"]))


def tiers_figure(frames: dict[str, pd.DataFrame]) -> Figure:
    """Both side by side."""
    figure = blank_figure(12.0, 5.2)
    printed, simulated = figure.subplots(1, 2)
    _draw_tiers(printed, frames["tiers"])
    _draw_wins(simulated, frames["wins"])
    return figure


def _draw_tiers(panel: Axes, tiers: pd.DataFrame) -> None:
    shown = tiers.assign(best=goes_on(tiers)).sort_values("tier", ascending=False, kind="stable")
    places = -np.arange(len(shown)) - 0.8 * (shown["tier"].max() - shown["tier"].to_numpy())
    colours = [COLOURS[1 if best else 0] for best in shown["best"]]
    panel.barh(places, shown["mean_ts"], color=colours, height=0.75)
    panel.axvline(0, color=INK, linewidth=1)
    names = [f"{one.player} ({one.rating_rank})" for one in shown.itertuples()]
    panel.set_yticks(places, names, fontsize=8)
    title = "Printed tier scores, top tier first (red: goes on, or wins)"
    dress(panel, title, "mean tier score", "player (rank by rating)")
    panel.tick_params(axis="y", labelsize=8)


def _draw_wins(panel: Axes, wins: pd.DataFrame) -> None:
    number = wins["repeats"].nunique()
    height = 0.8 / number
    for place, (repeats, some) in enumerate(wins.groupby("repeats")):
        shares = some["wins"].to_numpy() / SHARES / some["events"].to_numpy()
        places = -np.arange(len(some)) + height * (number / 2 - place - 0.5)
        label = f"{repeats} game{'s' if repeats != 1 else ''} a pairing"
        panel.barh(places, 100 * shares, height=height, color=COLOURS[place], label=label)
    names = wins["player"].unique()
    panel.set_yticks(-np.arange(len(names)), names)
    panel.legend(frameon=False, fontsize=9, loc="lower right")
    dress(panel, "Who wins the event, simulated", "wins, in per cent", "")
    panel.tick_params(axis="y", labelsize=8)


@script("reports/multi-tier", number_of_events(20_000, "simulated events a number of games"))
def main(out: Path, events: int, seed: int) -> None:
    """Recompute the application of Brams and Ismail, and simulate the event that it stands for."""
    frames = written(out, measure(events, seed))
    figures = {"multi-tier.png": tiers_figure(frames)}
    report(out, "multi_tier.md", {**summary(frames), "seed": seed}, figures)


if __name__ == "__main__":
    main()
