"""Claims of the source of multi-tier tournaments, one by one, held against what is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import comb
from typing import NamedTuple

from tb2learn.chess.berger import round_robin
from tb2learn.chess.event_format import EventFormat, Tier
from tb2learn.chess.subsets import nearest_subsets
from tb2learn.report.markdown import exact_interval, table
from tb2learn.studies.formats.claims import FAILS, HOLDS, NEARLY, UNDECIDED, above, below

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


class Simulated(NamedTuple):
    """Counts of simulated events.

    **Fields:**

    - `repeats`, `events`: games of a pairing, and events.
    - `lots`: events in which the lot decided who is first.
    - `risen`: events in which one of the lowest tier reached the top tier.
    - `low_wins`: events that one of the lowest tier won.
    """

    repeats: int
    events: int
    lots: int
    risen: int
    low_wins: int


def claim_lines(
    ratings: Sequence[int],
    sums: Mapping[int, tuple[float, float]],
    starts: Mapping[int, tuple[int, int]],
    simulated: Sequence[Simulated],
) -> list[str]:
    """The section of the report.

    **Arguments:**

    - `ratings`: of the application's players.
    - `sums`: by tier the sum of the printed scores, and by how much rounding can have changed it.
    - `starts`: first and last rank that start in a tier, by its table 2.
    - `simulated`: what was counted, by games of a pairing.
    """
    rows = [
        *_arithmetic(ratings),
        *_printed(sums, starts),
        *_colours(),
        *(row for one in simulated for row in _chances(one)),
    ]
    return [
        "## The claims, one by one",
        "",
        "A claim that is counted or simulated *holds* or *does not hold* if its whole 95 % "
        "interval lies on one side of the bar, and is else *undecided*. *Almost all* is "
        f"{1 - NEARLY:.0%} or more, a *chance* {NEARLY:.0%} or more of the events: bars of ours. "
        "Whether the format is accurate, beside others with as many games, is in the report of "
        "`tb2learn study formats`.",
        "",
        *table(("claim", "verdict", "found"), rows),
    ]


def _yes(true: bool) -> str:
    return HOLDS if true else FAILS


def _arithmetic(ratings: Sequence[int]) -> list[tuple[str, str, str]]:
    rows = []
    for tiers, printed in EXAMPLES:
        players = sum(tier.teams for tier in tiers)
        sizes = EventFormat(players, _rounds(tiers), 1, format="multi-tier", tiers=tiers)
        games = " or ".join(map(str, accumulate(sizes.tier_rounds)))
        games = games.replace(" or ", ", ", games.count(" or ") - 1)
        text = f"{players} players in {len(tiers)} tiers play {printed} games"
        rows.append((text, _yes(games == printed), f"{games} games"))
    for of, chosen, printed in WAYS:
        ways = comb(of, chosen)
        text = f"{chosen} of {of} can be chosen in {printed:,} ways"
        rows.append((text, _yes(ways == printed), f"{ways:,} ways"))
    away, ways = nearest_subsets(ratings, len(ratings) // 2, sum(ratings), len(ratings))
    found = f"two groups can be {abs(away)} points apart, in {ways:,} ways"
    rows.append(("equal groups can be made of the twenty by rating", _yes(away == 0), found))
    return rows


def _rounds(tiers: Sequence[Tier]) -> int:
    """Rounds of an event of such tiers, everybody of a group meeting everybody once."""
    rounds, promoted = 0, 0
    for tier in tiers:
        rounds += (tier.teams + promoted) // tier.groups - 1
        promoted = tier.groups * tier.promoted
    return rounds


def _printed(
    sums: Mapping[int, tuple[float, float]], starts: Mapping[int, tuple[int, int]]
) -> list[tuple[str, str, str]]:
    fits = all(abs(total) <= off for total, off in sums.values())
    ranks = ", ".join(f"{low} to {high}" for low, high in starts.values())
    text = ", ".join(f"{low} to {high}" for low, high in TEXT_RANKS.values())
    return [
        (
            "tier scores of table 2: what one has the other has not, so they add up to 0",
            _yes(fits),
            f"sums {', '.join(f'{one:+.3f}' for one, _ in sums.values())}, rounding allowed for",
        ),
        (
            f"the tiers start with ranks {text} (text)",
            _yes(dict(starts) == TEXT_RANKS),
            f"{ranks} in table 2",
        ),
    ]


def _colours() -> list[tuple[str, str, str]]:
    size = 8
    colours = round_robin(size).colour_counts()
    count, number = EXTRA_WHITE
    low, high = exact_interval(count, number)
    extra = HOLDS if low > 0.5 else FAILS if high < 0.5 else UNDECIDED
    return [
        (
            "benefit 1: colours are even, or within one game (a mini-tournament of eight)",
            _yes(colours.surplus <= 1),
            f"{colours.surplus} game of one colour more at most",
        ),
        (
            "benefit 3: no two consecutive games with one colour",
            _yes(colours.repeats == 0),
            f"{colours.repeats} repeats among eight, the fewest possible",
        ),
        (
            "an extra White helps to qualify for the Candidates",
            extra,
            f"{count} of {number} had one: {count / number:.0%} ({low:.0%} to {high:.0%})",
        ),
    ]


def _chances(one: Simulated) -> list[tuple[str, str, str]]:
    def row(
        claim: str, count: int, judge: Callable[[Sequence[float], float], str], found: str
    ) -> tuple[str, str, str]:
        ci = exact_interval(count, one.events)
        value = f"{count / one.events:.2%} ({ci[0]:.2%} to {ci[1]:.2%})"
        return f"{claim}, m = {one.repeats}", judge(ci, NEARLY), f"{found} in {value}"

    return [
        row("the rules break almost all ties for the first place", one.lots, below, "left tied"),
        row("a low tier's player can progress: reaches the top", one.risen, above, "reaches it"),
        row("... and has a chance to win", one.low_wins, above, "wins"),
    ]
