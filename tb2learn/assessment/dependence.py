"""How much the order of a tie depends on matches of others: `docs/method.md` defines the counts.

A deciding match of a pair is one of others in the last round of which another result, one step from
the played one (win, draw, loss), would have turned the order. Every other result of every match of
the last round is tried once for all pairs; what a pair needs beside is two more replays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Bool, Int, Num

from tb2learn.assessment.error_rates import population, samples, shares_of_pairs
from tb2learn.assessment.tally import ALL, TOPS, by_block
from tb2learn.chess.results import match_points
from tb2learn.config import Config, Setting
from tb2learn.jax_types import Key
from tb2learn.simulation.event import Event
from tb2learn.simulation.last_round import LastRound
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import UNIT, EventRange, Purpose
from tb2learn.simulation.rng import half_words, unit_numbers
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.stats import long_frame, with_ends
from tb2learn.tiebreaks.base import TieBreak
from tb2learn.tiebreaks.rules import Rule

PLACES = tuple(top for top in TOPS if top != ALL)
"""Populations: pairs of the tied groups that touch a place up to this one."""

COUNTS = ("pairs", "decided", "hanging", "matches", "one", "all", "certain")
"""What is counted of pairs: all, those whose order the rule decides, and of these: those with a
deciding match, these matches (in 1/`PARTS`), the chance of the match that turns the order most
easily (in 1/`UNIT`), the orders that a replay of all turned, those that were certain."""

PARTS = 128
"""Parts of a match in which matches are counted that only some scores make deciding ones."""

_TOGETHER = 8  # pairs that are replayed side by side
_MATCHES = 5  # whose other results are tried side by side


def dependence(
    config: Config,
    rules: Sequence[Rule],
    events: int,
    seed: int,
    progress: Progress = SILENT,
    places: Sequence[int] = PLACES,
) -> pd.DataFrame:
    """How much the orders of rules depend on matches of others, in simulated events.

    **Arguments:**

    - `config`: what to play; the events are those of its assessment stream.
    - `rules`: of the configuration's format.
    - `events`: how many; each tries all results of all matches of its last round.
    - `seed`: of the events, of replays and of the order in which matches end.
    - `places`: the populations; the fewer pairs they have, the less it takes.

    **Returns:** a row a `rule` and `top` (of `places`): `pairs` tied on match points; `decided`,
    the share of them that the rule orders; of these `hanging`, the share with a deciding match;
    `matches`, how many of these there are; `one`, the chance that a replay of the one that turns
    the order most easily turns it, and `all`, that a replay of all matches of others does;
    `certain`, the share of orders that nothing could have turned any more when both teams had
    finished. `_low`, `_high`: 95 % bootstrap intervals over events; NaN without pairs.

    **Raises:** `InputError` for a rule of another format, and events without one table.
    """
    config.event.check_one_table("a probe")
    for rule in rules:
        rule.check_format(config.event.rounds, config.event.boards)
    counts = sum_events(
        config.setting,
        Measurement(_count, by_block(events), oracle=False, sees=("event", "game")),
        EventRange(seed, Purpose.ASSESS, events),
        (tuple(rule.tiebreak for rule in rules), np.array(places, np.int32)),
        progress=progress,
    )
    weights = samples(len(counts), seed)
    totals = dict(zip(COUNTS, np.moveaxis(counts, -1, 0), strict=True))
    units, pairs = {"matches": PARTS, "one": UNIT}, totals.pop("pairs")[:, 0]
    columns = {"pairs": np.broadcast_to(pairs.sum(axis=0), counts.shape[1:3])}
    columns |= with_ends(shares_of_pairs(weights, totals["decided"], pairs), "decided", "decided_")
    for name in COUNTS[2:]:
        # Of the pairs that this rule orders, which are others for every rule.
        values = [
            shares_of_pairs(
                weights, totals[name][:, [k]], totals["decided"][:, k], units.get(name, 1)
            )
            for k in range(len(rules))
        ]
        columns |= with_ends(np.concatenate(values, axis=1), name, f"{name}_")
    axes = {"rule": [rule.name for rule in rules], "top": [*map(population, places)]}
    return long_frame(axes, columns)


def _count(
    key: Key,
    event: Event,
    setting: Setting,
    asked: tuple[tuple[TieBreak, ...], Int[Array, " places"]],
) -> Int[Array, "rules places counts"]:
    rules, places = asked
    return count_event(key, event, setting, rules, places)


def count_event(
    key: Key,
    event: Event,
    setting: Setting,
    rules: tuple[TieBreak, ...],
    places: Int[Array, " places"] | Sequence[int] = PLACES,
) -> Int[Array, "rules places counts"]:
    """The `COUNTS` of one event; the key draws replays and the order in which matches end."""
    places = jnp.asarray(places)
    last = LastRound.of(event, setting.game)
    replays, ends = jax.random.split(key)
    # Nobody knows when matches end, so they end in a random order.
    ended = half_words(ends, len(last.there))
    points = event.results.match_points
    teams = len(points)
    # Of its group: one more than the teams above it.
    first_place = teams + 1 - jnp.searchsorted(jnp.sort(points), points, side="right")
    # Every pair once, if it touches a place that is counted at all.
    tied = jnp.triu(points[:, None] == points, 1) & (first_place <= places.max())[:, None]
    # Padded, so that the last slice is whole.
    (numbers,) = jnp.nonzero(tied.ravel(), size=teams * (teams - 1) // 2 + _TOGETHER, fill_value=-1)
    scores = [rule.scores(last.results) for rule in rules]
    # What another result of a match does is computed once, and read by all pairs.
    changed = [
        _if((tied & (played[:, None] != played)).any(), partial(_changed, rule, last, played))
        for rule, played in zip(rules, scores, strict=True)
    ]

    def replays_of(number: Array) -> _Others:
        pair = jnp.stack(jnp.divmod(number, teams))
        # Matches in which either of the two plays.
        mine = (last.sides[..., None] == pair).any(axis=(0, 2))
        others = last.there & ~mine
        # By the pair alone, so that all rules see the same replays.
        numbers_of_pair = unit_numbers(jax.random.fold_in(replays, number), len(ended))
        # What may yet change when the later of their own matches is over.
        still = others & (ended > jnp.where(mine, ended, -1).max())
        # Padding touches nothing.
        touches = (number >= 0) & (first_place[pair[0]] <= places)
        replayed = jnp.where(others, last.replayed(numbers_of_pair), last.played)
        return _Others(pair, touches, others, still, replayed)

    def some(carry: tuple[Array, Array]) -> tuple[Array, Array]:
        at, total = carry
        pairs = jax.vmap(replays_of)(jax.lax.dynamic_slice_in_dim(numbers, at, _TOGETHER))
        sums = []
        for rule, played, after in zip(rules, scores, changed, strict=True):
            # 0 for pairs that the rule leaves tied: they have no order to be turned.
            leads = jnp.sign(played[pairs.pair[:, 0]] - played[pairs.pair[:, 1]])
            of_pairs = jax.vmap(partial(_of_pair, rule, last, after))
            counts = _if((leads != 0).any(), partial(of_pairs, leads, pairs))
            counts = jnp.concatenate([jnp.ones_like(counts[:, :1]), counts], axis=1)
            sums.append((pairs.touches[..., None] * counts[:, None]).sum(axis=0))
        return at + _TOGETHER, total + jnp.stack(sums)

    nothing = jnp.int32(0), jnp.zeros((len(rules), len(places), len(COUNTS)), jnp.int32)
    return jax.lax.while_loop(lambda carry: numbers[carry[0]] >= 0, some, nothing)[1]


def _if(needed: Bool[Array, ""], found: Callable[[], Array]) -> Array:
    """What is found, or zeros without that work: direct encounter orders hardly any pair."""
    like = jax.eval_shape(found)
    return jax.lax.cond(needed, found, lambda: jnp.zeros(like.shape, like.dtype))


def _changed(
    rule: TieBreak, last: LastRound, scores: Num[Array, " teams"]
) -> Num[Array, "teams matches results"]:
    """Scores after every result of every match, all others as played; `scores`: as played."""
    others = jnp.arange(last.law.shape[1] - 1)

    def of_match(match: Array) -> Array:
        def after(half_points: Array) -> Array:
            return rule.scores(last.with_results(last.played.at[match].set(half_points)))

        played = last.played[match]
        # All results but the one that was played.
        orders = jax.vmap(after)(others + (others >= played))
        return jnp.insert(orders, played, scores, axis=0)

    matches = jnp.arange(len(last.there))
    return jnp.moveaxis(jax.lax.map(of_match, matches, batch_size=_MATCHES), 2, 0)


class _Others(NamedTuple):
    """A pair, whether it touches a place up to each of the places, and the matches of others."""

    pair: Int[Array, " 2"]
    touches: Bool[Array, " places"]
    others: Bool[Array, " matches"]
    still: Bool[Array, " matches"]  # that ended after the pair's own
    replayed: Int[Array, " matches"]  # half points when all matches of others are replayed


def _of_pair(
    rule: TieBreak,
    last: LastRound,
    changed: Num[Array, "teams matches results"],
    leads: Num[Array, ""],
    them: _Others,
) -> Int[Array, " counts"]:
    """The `COUNTS` of one pair but for the first.

    **Arguments:** `changed`: scores under the rule after other results; `leads`: 1 if the first of
    the pair is ahead, -1 if the second is, 0 if the rule does not order them.
    """
    first, second = them.pair
    margin = leads * (changed[first] - changed[second])  # of who is ahead, by match and result
    turned = them.others[:, None] & (margin <= 0)  # a lead of 0 is an order that was turned
    boards, turning = last.results.boards, last.law * turned
    was = match_points(last.played, boards)
    weights = []
    # Lost, drawn and won: the half points that are such a result.
    for step, scores in enumerate(
        (slice(boards), slice(boards, boards + 1), slice(boards + 1, None))
    ):
        chance, turns = last.law[:, scores].sum(axis=1), turning[:, scores].sum(axis=1)
        # Of all scores that are this result, the share of those that turn the order.
        share = (PARTS * turns + chance // 2) // jnp.maximum(chance, 1)
        # Only the results next to the one that was played.
        weights.append(jnp.where(abs(was - step) == 1, share, 0))
    # A draw has two neighbours: the one that turns more counts.
    matches = jnp.stack(weights).max(axis=0)

    def leads_after(half_points: Array) -> Array:
        after = rule.scores(last.with_results(half_points))
        return leads * (after[first] - after[second]) > 0

    # What is worst for who is ahead.
    worst = jnp.where(them.still, margin.argmin(axis=1), last.played)
    holds = jax.vmap(leads_after)(jnp.stack([them.replayed, worst]))
    # In the order of `COUNTS`.
    counts = [
        1,
        (matches > 0).any(),
        matches.sum(),
        turning.sum(axis=1).max(),
        ~holds[0],
        holds[1],
    ]
    return (leads != 0) * jnp.stack([jnp.asarray(x, jnp.int32) for x in counts])
