"""What the results of the next round's matches do to one team's chances.

Everything is read off the continuations: of those in which a match had a result, in how many the
team was up to a boundary. So the strengths, and the teams' other matches, are as in the forecast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from tb2learn.forecasts.chance_frames import NAMES
from tb2learn.forecasts.chances import Chances
from tb2learn.forecasts.ranking import BOUNDARIES
from tb2learn.types import InputError

MATCHES = 8
"""How many matches of others are shown."""

NOISE = 8.5


def own_frame(found: Chances) -> pd.DataFrame:
    """What the team's own match does to its chances.

    **Returns:** a row a rule and result that occurred: `rule`, `gp` (the team's game points; a
    player's points), `chance` of that result, and for every one of `NAMES` the chance after it,
    with its Monte Carlo standard error in `_error`.

    **Raises:** `InputError` if the next round is not paired, or the team has no match in it.
    """
    matches, team = _matches(found)
    own = np.flatnonzero((matches == team).any(axis=1))
    name = found.begun.event.teams[team]
    if not len(own):
        raise InputError(f"{name} has no match in the next round")
    results, given = found.counts["results"][own[0]], found.counts["given"][own[0]]
    if matches[own[0], 1] == team:
        results, given = results[::-1], given[::-1]
    rows = []
    for order, rule in enumerate(found.orders):
        for half_points in np.flatnonzero(results):
            number = int(results[half_points])
            row = {"rule": rule, "gp": half_points / 2, "chance": number / found.continuations}
            for boundary, what in enumerate(NAMES):
                row |= _chance(what, int(given[half_points, order, boundary]), number)
            rows.append(row)
    return pd.DataFrame(rows)


def others_frame(found: Chances) -> pd.DataFrame:
    """How much the team's chances depend on the other matches of the next round.

    **Returns:** a row a rule, boundary and match, within a rule and boundary the most telling match
    first: `rule`, `up_to` (one of `NAMES`), `team_a`, `team_b`, `bits` (the mutual information of
    who wins the match and of the team's being up to the boundary, less its mean by chance alone;
    0 or more), and the team's chance if `team_a` wins (`if_a`), if they draw (`if_drawn`), and if
    `team_b` wins (`if_b`); NaN for what did not occur.

    **Raises:** as `own_frame`.
    """
    (matches, team), names = _matches(found), found.begun.event.teams
    results, given = found.counts["results"], found.counts["given"]
    boards = found.begun.event.boards
    sides = slice(boards + 1, None), slice(boards, boards + 1), slice(0, boards)
    number = np.stack([results[:, part].sum(axis=1) for part in sides], axis=1)
    reached = np.stack([given[:, part].sum(axis=1) for part in sides], axis=1)
    there = (matches != team).all(axis=1)
    parts = []
    for order, rule in enumerate(found.orders):
        for boundary, what in enumerate(NAMES):
            hits = reached[:, :, order, boundary]
            share = np.divide(hits, number, out=np.full(hits.shape, np.nan), where=number > 0)
            frame = pd.DataFrame(
                {
                    "rule": rule,
                    "up_to": what,
                    "team_a": [names[a] for a, _ in matches],
                    "team_b": [names[b] for _, b in matches],
                    "bits": _information(hits, number),
                    **{f"if_{x}": share[:, k] for k, x in enumerate(("a", "drawn", "b"))},
                }
            )[there]
            parts.append(frame.sort_values("bits", ascending=False, kind="stable"))
    return pd.concat(parts, ignore_index=True)


def telling(frame: pd.DataFrame, rule: str, what: str, found: Chances) -> list[dict[Any, Any]]:
    """The matches on which one chance under one rule depends most, the most telling first.

    At most `MATCHES`; none whose effect is within chance: `NOISE` bits over the continuations are
    found in one of a thousand matches that do not matter (chi-squared, two degrees of freedom).

    **Arguments:** `frame`: of `others_frame`; `rule`, `what`: of its `rule` and `up_to`.
    """
    rows = frame[(frame.rule == rule) & (frame.up_to == what)]
    return rows[rows.bits > NOISE / found.continuations].head(MATCHES).to_dict("records")


def aim(found: Chances) -> str:
    """The boundary that is most open for the team under the last rule."""
    chances = [found.up_to(most)[-1, found.team] for most in BOUNDARIES]
    return NAMES[int(np.argmin([abs(chance - 0.5) for chance in chances]))]


def _matches(found: Chances) -> tuple[Int[np.ndarray, "matches 2"], int]:
    """The teams of the next round's matches, and the captain's team.

    **Raises:** `InputError` if that round is not paired.
    """
    if found.team is None or "results" not in found.counts:
        raise InputError(
            f"round {found.begun.record.rounds + 1} of {found.begun.event.name} is not paired in "
            "the file: give its pairs with --pairings FILE"
        )
    pairs = [(a, b) for a, b in found.begun.pairs[0] if b is not None]
    return np.array(pairs), found.team


def _chance(what: str, hits: int, number: int) -> dict[str, float]:
    """A chance and its Monte Carlo standard error, see `Chances.error`."""
    succeeding = (hits + 1) / (number + 2)
    error = (succeeding * (1 - succeeding) / number) ** 0.5
    return {what: hits / number, f"{what}_error": error}


def _information(
    hits: Int[np.ndarray, "matches sides"], number: Int[np.ndarray, "matches sides"]
) -> Float[np.ndarray, " matches"]:
    """Mutual information in bits, less the bias of Miller and Madow (1955); at least 0."""
    total = number.sum(axis=1)
    joint = np.stack([hits, number - hits], axis=-1) / total[:, None, None]
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=2, keepdims=True)
    ratio = np.divide(joint, apart, out=np.ones(joint.shape), where=joint > 0)
    bits = (joint * np.log2(ratio)).sum(axis=(1, 2))
    occurring = (number > 0).sum(axis=1) - 1
    return np.maximum(bits - occurring / (2 * total * np.log(2)), 0.0)
