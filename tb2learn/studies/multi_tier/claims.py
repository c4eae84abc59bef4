"""Claims of the source of multi-tier tournaments, held against what is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from math import comb

import pandas as pd

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.chess.subsets import nearest_subsets
from tb2learn.report.frames import Frames
from tb2learn.report.markdown import exact_interval
from tb2learn.studies.claims import NEARLY, Claim, Judgement, above, below, fact
from tb2learn.studies.multi_tier.measure import REPEATS, SHARES, TIERS

SOURCE = "S. J. Brams and M. S. Ismail, Multi-Tier Tournaments: Matching and Scoring Players, 2024"

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


def ratings(frames: Frames) -> list[int]:
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


def equal_halves(frames: Frames) -> tuple[int, int]:
    """How far halves of the players are from equal sums of ratings, and in how many ways."""
    given = ratings(frames)
    away, ways = nearest_subsets(given, len(given) // 2, sum(given), len(given))
    return abs(away), ways


def _games(frames: Frames, tiers: Sequence[Tier], printed: str) -> Judgement:
    players = sum(tier.teams for tier in tiers)
    rounds, promoted = 0, 0
    for tier in tiers:
        rounds += (tier.teams + promoted) // tier.groups - 1
        promoted = tier.groups * tier.promoted
    sizes = EventFormat(players, rounds, 1, format="multi-tier", tiers=tuple(tiers))
    *first, last = map(str, accumulate(sizes.tier_rounds))
    games = f"{', '.join(first)} or {last}"
    return Judgement(f"{games} games", fact(games == printed))


def _ways(frames: Frames, of: int, chosen: int, printed: int) -> Judgement:
    ways = comb(of, chosen)
    return Judgement(f"{ways:,} ways", fact(ways == printed))


def _equal(frames: Frames) -> Judgement:
    away, ways = equal_halves(frames)
    return Judgement(f"two groups can be {away} points apart, in {ways:,} ways", fact(away == 0))


def _sums(frames: Frames) -> Judgement:
    sums = frames["tiers"].groupby("tier")[["mean_ts", "off"]].sum()
    said = ", ".join(f"{one:+.3f}" for one in sums["mean_ts"])
    fits = bool((sums["mean_ts"].abs() <= sums["off"]).all())
    return Judgement(f"sums {said}, rounding allowed for", fact(fits))


def _spans(ranks: Mapping[int, tuple[int, int]]) -> str:
    return ", ".join(f"{low} to {high}" for low, high in ranks.values())


def _ranks(frames: Frames) -> Judgement:
    ranks = start_ranks(frames["tiers"])
    return Judgement(f"{_spans(ranks)} in table 2", fact(ranks == TEXT_RANKS))


def _even_colours(frames: Frames) -> Judgement:
    surplus = round_robin(TIERS[0].teams).colour_counts().surplus
    return Judgement(f"{surplus} game of one colour more at most", fact(surplus <= 1))


def _alternating(frames: Frames) -> Judgement:
    repeats = round_robin(TIERS[0].teams).colour_counts().repeats
    return Judgement(f"{repeats} repeats among eight, the fewest possible", fact(repeats == 0))


def _extra_white(frames: Frames) -> Judgement:
    count, number = EXTRA_WHITE
    low, high = exact_interval(count, number)
    said = f"{count} of {number} had one: {count / number:.0%} ({low:.0%} to {high:.0%})"
    return Judgement(said, above(low, high, 0.5))


def _simulated(frames: Frames, what: str, found: str, repeats: int) -> Judgement:
    one = counted(frames).to_dict("index")[repeats]
    low, high = exact_interval(int(one[what]), int(one["events"]))
    said = f"{found} in {one[what] / one['events']:.2%} ({low:.2%} to {high:.2%})"
    return Judgement(said, (below if what == "lots" else above)(low, high, NEARLY))


def counted(frames: Frames) -> pd.DataFrame:
    """The frame `events` by repeats, with the events that one of the lowest tier won."""
    lowest = (
        frames["wins"].groupby("repeats")["wins"].apply(lambda wins: wins[-TIERS[0].teams :].sum())
    )
    return frames["events"].set_index("repeats").assign(low_wins=(lowest / SHARES).round())


_OF_EVENTS = (
    ("the rules break almost all ties for the first place", "lots", "left tied"),
    ("a low tier's player can progress: reaches the top", "risen", "reaches it"),
    ("... and has a chance to win", "low_wins", "wins"),
)

_DECLARED = (
    *(
        (
            f"{sum(tier.teams for tier in tiers)} players in {len(tiers)} tiers play {games} games",
            partial(_games, tiers=tiers, printed=games),
        )
        for tiers, games in EXAMPLES
    ),
    *(
        (
            f"{chosen} of {of} can be chosen in {ways:,} ways",
            partial(_ways, of=of, chosen=chosen, printed=ways),
        )
        for of, chosen, ways in WAYS
    ),
    ("equal groups can be made of the twenty by rating", _equal),
    ("tier scores of table 2: what one has the other has not, so they add up to 0", _sums),
    (f"the tiers start with ranks {_spans(TEXT_RANKS)} (text)", _ranks),
    (
        "benefit 1: colours are even, or within one game (a mini-tournament of eight)",
        _even_colours,
    ),
    ("benefit 3: no two consecutive games with one colour", _alternating),
    ("an extra White helps to qualify for the Candidates", _extra_white),
    *(
        (f"{text}, m = {repeats}", partial(_simulated, what=what, found=found, repeats=repeats))
        for repeats in REPEATS
        for text, what, found in _OF_EVENTS
    ),
)

CLAIMS = [Claim(text, SOURCE, holds) for text, holds in _DECLARED]
"""*m* is how often everybody of a tier meets everybody."""
