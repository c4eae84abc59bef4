"""Which scoring function is better: both protocols, every population, intervals over events.

*Single event*: the event that was played is all the evidence. The verdict of a tie-break on the
event's own results is held against the exact expected all-play-all order. An equal score counts as
half an error.

*Thesis* (Naray 2020): two tied teams play the reduced opponent lists of two teams again, with fresh
games, and are scored; the most frequent verdict of 30 repetitions is held against the most frequent
order of 30 all-play-alls. It removes luck and measures the bias that the draw of opponents leaves.

The two answer different questions and never share a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num, UInt32

from tb2learn import games, oracle
from tb2learn.config import Config
from tb2learn.judged import Judged, Replayable, as_judged
from tb2learn.limits import Reference
from tb2learn.olympiad import Event
from tb2learn.rng import Purpose, unit_numbers
from tb2learn.simulate import SILENT, Accumulate, EventRange, Progress, sum_events
from tb2learn.standings import product_points, weakest_item
from tb2learn.tables import Rule
from tb2learn.types import BYE, MAX_TEAMS, InputError, Key, PerRound, PerTeam, Rosters, pytree

Protocol = Literal["single", "thesis"]
Lists = Literal["own", "swapped", "same-group", "random"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
LISTS: tuple[Lists, ...] = get_args(Lists)

# --------------------------------------------------------------------------- counts and error rates

ALL = MAX_TEAMS
TOPS = (1, 3, 10, 30, ALL)
"""Populations: all pairs of the tied groups that touch a place up to this one.

The thesis protocol, which replays every pair, has all but the last.
"""

BLOCKS = 1000
"""Counts are kept by block of events: event `i` belongs to block `i % BLOCKS`.

So a million events need no more memory than a thousand. Up to a thousand, a block is an event.
"""

RESAMPLES = 2000
_RESAMPLES_AT_ONCE = 100


@dataclass(frozen=True)
class Tally:
    """What was counted, block by block.

    **Fields:**

    - `rules`: names, in the order of `errors`.
    - `pairs`: int64 `[blocks, tops]` tied pairs of teams.
    - `errors`: int64 `[blocks, rules, tops]`, in units of `1/unit` errors.
    - `unit`: 2 where errors are halves, `games.UNIT` where they are chances.
    - `changed`: int64 `[tops]`: pairs whose verdict differs between the last two rules given, or
      None where that is not counted.
    """

    rules: tuple[str, ...]
    pairs: Int[np.ndarray, "blocks tops"]
    errors: Int[np.ndarray, "blocks rules tops"]
    unit: int
    changed: Int[np.ndarray, " tops"] | None


@dataclass(frozen=True)
class ErrorRate:
    """One rule on one population; intervals are 95 % percentile bootstrap intervals over events.

    **Fields:**

    - `rule`, `top`: which; `ALL` for all tied pairs.
    - `pairs`: number of tied pairs.
    - `error_rate`, `ci`: share of them decided wrongly; NaN without pairs.
    - `reduction`, `reduction_ci`: relative reduction against the first rule, on the same events.
    """

    rule: str
    top: int
    pairs: int
    error_rate: float
    ci: tuple[float, float]
    reduction: float
    reduction_ci: tuple[float, float]


def by_block(events: int) -> Accumulate:
    """What adds the counts of events to those of their blocks."""

    def add(numbers: np.ndarray, counts: Any) -> Any:
        def one(values: np.ndarray) -> np.ndarray:
            sums = np.zeros((min(events, BLOCKS), *values.shape[1:]), np.int64)
            np.add.at(sums, numbers % BLOCKS, values)
            return sums

        return jax.tree.map(one, counts)

    return add


def summarise(tally: Tally, seed: int) -> tuple[ErrorRate, ...]:
    """Error rates and reductions with 95 % percentile bootstrap intervals over events.

    **Arguments:**

    - `tally`: the counts.
    - `seed`: of the resampling (blocks with replacement, as multinomial weights).

    **Returns:** a `ErrorRate` a rule and population, rules in order.
    """
    rules = len(tally.rules)
    by_rule: list[list[ErrorRate]] = [[] for _ in range(rules)]
    for column, top in enumerate(TOPS[: tally.pairs.shape[1]]):
        pairs = tally.pairs[:, column]
        counts = np.concatenate([pairs[None], tally.errors[:, :, column].T / tally.unit])
        values = _rates(counts.sum(axis=1))
        low, high = _interval(counts, np.random.default_rng(seed))
        for k, name in enumerate(tally.rules):
            by_rule[k].append(
                ErrorRate(
                    rule=name,
                    top=top,
                    pairs=int(pairs.sum()),
                    error_rate=float(values[k]),
                    ci=(float(low[k]), float(high[k])),
                    reduction=float(values[rules + k]),
                    reduction_ci=(float(low[rules + k]), float(high[rules + k])),
                )
            )
    return tuple(result for results in by_rule for result in results)


def _rates(sums: Float[np.ndarray, "rows *batch"]) -> Float[np.ndarray, "values *batch"]:
    """From sums of pairs and of every rule's errors: all error rates, then all reductions."""
    pairs, errors = sums[0], sums[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.concatenate([errors / pairs, 1.0 - errors / errors[0]])


def _interval(
    counts: Float[np.ndarray, "rows blocks"], generator: np.random.Generator
) -> Float[np.ndarray, "2 values"]:
    """Percentile interval of `_rates` over resampled blocks; NaN where no resample has a value."""
    blocks = counts.shape[1]
    resampled = []
    for size in [_RESAMPLES_AT_ONCE] * (RESAMPLES // _RESAMPLES_AT_ONCE):
        weights = generator.multinomial(blocks, np.full(blocks, 1.0 / blocks), size=size)
        resampled.append(_rates(counts @ weights.T))
    values = np.concatenate(resampled, axis=1)
    values[np.isinf(values)] = np.nan  # a reduction against a rule without errors
    usable = np.isfinite(values).any(axis=1)
    interval = np.full((2, len(values)), np.nan)
    interval[:, usable] = np.nanpercentile(values[usable], [2.5, 97.5], axis=1)
    return interval


# --------------------------------------------------------------------------- single event


def single_event_tally(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    progress: Progress = SILENT,
) -> Tally:
    """Count wrong verdicts under the single-event protocol."""
    pairs, errors, changed = sum_events(
        config,
        judge_event,
        EventRange(seed, Purpose.ASSESS, events),
        tuple(map(as_judged, judged)),
        by_block(events),
        progress=progress,
    )
    return Tally(tuple(rule.name for rule in judged), pairs, errors, 2, changed.sum(axis=0))


def judge_event(
    key: Key, event: Event, config: Config, judged: tuple[Judged, ...]
) -> tuple[Int[Array, " tops"], Int[Array, "rules tops"], Int[Array, " tops"]]:
    """Judge every tied pair of one event.

    **Arguments:**

    - `key`: consumed, by references that draw and by the noise of the ratings that rated rules see.
    - `event`, `config`: the played event.
    - `judged`: the rules, which see its results, and the references, which see all of it.

    **Returns:** per population the number of pairs, twice the errors of every rule (an equal score,
    or an equal truth, counts one), and the pairs that the last two rules decide differently.
    """
    keys = jax.random.split(key, len(judged))
    scores = [one.estimate(k, event, config) for k, one in zip(keys, judged, strict=True)]
    strength = oracle.true_strength(event.rosters, config.game)
    own = event.match_points
    tied = oracle.tied_pairs(own)
    first_place = (own[None, :] > own[:, None]).sum(axis=-1) + 1
    touches = (first_place[:, None] <= jnp.asarray(TOPS)).astype(jnp.int32)

    def count(pairs: Array) -> Array:
        return jnp.where(tied, pairs, 0).sum(axis=-1) @ touches

    wrong = jnp.stack([count(oracle.wrong_verdicts(score, strength)) for score in scores])
    one, other = (jnp.sign(oracle.differences(score)) for score in (scores[-1], scores[-2:][0]))
    return count(jnp.ones_like(tied, jnp.int32)), wrong, count((one != other).astype(jnp.int32))


# --------------------------------------------------------------------------- thesis protocol

REPEATS = 30
"""Repetitions of the thesis protocol, for the verdict and for the oracle."""


def thesis_tally(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    lists: Lists,
    progress: Progress = SILENT,
) -> Tally:
    """Count wrong verdicts under the thesis protocol.

    The oracle's mode is computed, the verdict's games are drawn; an error is the chance that the
    two modes differ. The reference `AllPlayAll` is the oracle once more: its own noise.

    **Raises:** `InputError` for a rule that is no sum over opponents: their lists cannot be
    replayed.
    """
    rules, oracles = _replayable(judged)
    add, tops = by_block(events), np.array(TOPS[:-1])

    def judge(numbers: np.ndarray, facts: Facts) -> Any:
        pairs = np.zeros((len(numbers), len(tops)), np.int64)
        errors = np.zeros((len(numbers), len(judged), len(tops)), np.int64)
        for chunk in _chunks(_tied_pairs(facts, lists)):
            wrong = _judge_chunk(facts, chunk, rules, oracles, config)
            touches = chunk.first_place[:, None] <= tops
            np.add.at(pairs, chunk.event, touches)
            np.add.at(errors, chunk.event, wrong[:, :, None] * touches[:, None, :])
        return add(numbers, (pairs, errors))

    pairs, errors = sum_events(
        config,
        replay_facts,
        EventRange(seed, Purpose.ASSESS, events),
        rules,
        judge,
        progress=progress,
    )
    return Tally(tuple(rule.name for rule in judged), pairs, errors, games.UNIT, None)


def _replayable(
    judged: Sequence[Rule | Reference],
) -> tuple[tuple[Replayable, ...], tuple[int, ...]]:
    """What is replayed, and the places among the judged of what is the oracle itself."""
    replayed: list[Replayable] = []
    oracles: list[int] = []
    for place, rule in enumerate(judged):
        one = as_judged(rule)
        if one.is_oracle:
            oracles.append(place)
        elif (found := one.replayable()) is not None:
            replayed.append(found)
        else:
            raise InputError(
                f"{rule.name} is no sum over opponents: the thesis protocol cannot replay it"
            )
    return tuple(replayed), tuple(oracles)


@pytree
class Facts:
    """What an event leaves for the thesis protocol; a batch of events has a leading axis."""

    list_key: UInt32[Array, "2"]
    game_key: UInt32[Array, "2"]
    rosters: Rosters
    match_points: PerTeam
    reduced: Int[Array, "teams rounds"]  # opponents; BYE where there is none
    readings: tuple[Num[Array, "teams rounds"], ...]  # a rule: what opponents count as
    strength: Float[Array, "teams scores"]


def replay_facts(key: Key, event: Event, config: Config, rules: tuple[Replayable, ...]) -> Facts:
    """The facts of one event.

    The list of opponents is reduced once, by the product rule, so that all rules score the same
    games. What an opponent counts as is taken from the event that was played.
    """
    list_key, game_key = jax.random.split(key)
    return Facts(
        list_key=jax.random.key_data(list_key),
        game_key=jax.random.key_data(game_key),
        rosters=event.rosters,
        match_points=event.match_points,
        reduced=_reduced_lists(event.opponents, event.half_points, event.match_points, config),
        readings=tuple(rule.read(event) for rule in rules),
        strength=oracle.strength_distribution(event.rosters, config.game),
    )


def _reduced_lists(
    opponents: PerRound, half_points: PerRound, own: PerTeam, config: Config
) -> Int[Array, "teams rounds"]:
    lists = opponents.T
    bye = lists == BYE
    opponent_points = jnp.where(bye, 0, own[lists])
    product = jnp.asarray(product_points(config.event))
    values = jnp.where(bye, 0, product[0, opponent_points, half_points.T])
    dropped = weakest_item(opponent_points, values, bye)
    return jnp.where(jnp.arange(lists.shape[1]) == dropped[:, None], BYE, lists)


@dataclass(frozen=True)
class _Pairs:
    """Tied pairs of a batch: who, of which event, and whose lists of opponents they play."""

    event: Int[np.ndarray, " pairs"]
    team: Int[np.ndarray, "pairs 2"]
    owner: Int[np.ndarray, "pairs 2"]
    first_place: Int[np.ndarray, " pairs"]


def _tied_pairs(facts: Facts, lists: Lists) -> _Pairs:
    nobody = np.zeros(0, int), np.zeros((0, 2), int), np.zeros((0, 2), int), np.zeros(0, int)
    parts = [nobody]
    for number, own in enumerate(facts.match_points):
        first_place = (own[None, :] > own[:, None]).sum(axis=-1) + 1
        tied = np.triu(own[:, None] == own[None, :], k=1) & (first_place <= TOPS[-2])[:, None]
        team = np.argwhere(tied)
        owner = team
        if lists == "swapped":
            owner = team[:, ::-1]
        elif lists != "own":
            owner = _two_random(facts.list_key[number], own, team, lists)
        parts.append((np.full(len(team), number), team, owner, first_place[team[:, 0]]))
    return _Pairs(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _two_random(
    key: UInt32[np.ndarray, "2"], own: np.ndarray, team: np.ndarray, lists: Lists
) -> np.ndarray:
    """Two different teams for every pair, of its score group or of the event."""
    generator = np.random.Generator(np.random.Philox(key=key.astype(np.uint64)))
    by_group = np.argsort(own, kind="stable")
    if lists == "same-group":
        start = np.searchsorted(own[by_group], own[team[:, 0]], side="left")
        size = np.searchsorted(own[by_group], own[team[:, 0]], side="right") - start
    else:
        start, size = np.zeros(len(team), int), np.full(len(team), len(own))
    one = generator.integers(0, size)
    other = generator.integers(0, size - 1)
    other += other >= one
    return by_group[start[:, None] + np.stack([one, other], axis=1)]


_CHUNK = 1024


def _chunks(pairs: _Pairs) -> Iterator[_Pairs]:
    for start in range(0, len(pairs.event), _CHUNK):
        part = slice(start, start + _CHUNK)
        yield _Pairs(
            pairs.event[part], pairs.team[part], pairs.owner[part], pairs.first_place[part]
        )


def _judge_chunk(
    facts: Facts,
    pairs: _Pairs,
    rules: tuple[Replayable, ...],
    oracles: Sequence[int],
    config: Config,
) -> Int[np.ndarray, "pairs judged"]:
    """Chances of an error in units; in the places `oracles`, of the oracle itself."""
    event = pairs.event[:, None]
    teams = facts.match_points.shape[1]
    opponents = facts.reduced[event, pairs.owner]  # [pairs, 2, rounds]
    # Nobody plays itself: where a list holds the team, it meets the list's owner instead.
    itself = opponents == pairs.team[..., None]
    met = np.where(itself, pairs.owner[..., None], opponents)
    rematches = Rematch(
        key=facts.game_key[pairs.event],
        number=(pairs.team[:, 0] * teams + pairs.team[:, 1]).astype(np.uint32),
        own=facts.match_points[pairs.event, pairs.team[:, 0]],
        rosters=facts.rosters[event, pairs.team],
        opponents=facts.rosters[event[..., None], met],
        readings=tuple(
            np.where(itself, _reading_of(rule, facts, event, pairs), reading[event, pairs.owner])
            for rule, reading in zip(rules, facts.readings, strict=True)
        ),
        present=opponents != BYE,
    )
    size = len(pairs.event)
    padded = jax.tree.map(
        lambda x: np.concatenate([x, np.repeat(x[:1], _CHUNK - size, axis=0)]), rematches
    )
    counts = np.asarray(_replay_pairs(padded, rules, config=config))[:size]
    strength = facts.strength[event, pairs.team]
    truth = oracle.mode_chances(oracle.duel(strength[:, 0], strength[:, 1]), REPEATS)
    verdicts = list(np.moveaxis(oracle.mode(counts), 1, 0))
    for place in oracles:
        verdicts.insert(place, truth)
    right = np.stack([(verdict * truth).sum(axis=-1) for verdict in verdicts], axis=1)
    return np.rint(games.UNIT * (1.0 - right)).astype(np.int64)


def _reading_of(rule: Replayable, facts: Facts, event: np.ndarray, pairs: _Pairs) -> np.ndarray:
    """What the owner of a list counts as for a team that meets it in its own place."""
    owner = (facts.match_points[event, pairs.owner], facts.rosters[event, pairs.owner])
    return np.asarray(rule.unrefined(*map(jnp.asarray, owner)))[..., None]


class Rematch(NamedTuple):
    """A tied pair and the lists of opponents that it plays again; of many pairs, with a row a pair.

    **Fields:**

    - `key`, `number`: the event's key data and the pair's number, folded into it.
    - `own`: match points of both teams.
    - `rosters`: of the two teams.
    - `opponents`, `present`: line-ups of the two lists, and where there is an opponent.
    - `readings`: what the opponents count as, under every rule.
    """

    key: UInt32[Array, "2"]
    number: UInt32[Array, ""]
    own: Int[Array, ""]
    rosters: Int[Array, "2 boards"]
    opponents: Int[Array, "2 rounds boards"]
    readings: tuple[Num[Array, "2 rounds"], ...]
    present: Bool[Array, "2 rounds"]


def replay_pair(
    pair: Rematch, rules: tuple[Replayable, ...], config: Config
) -> Int[Array, "rules 3"]:
    """Replay one tied pair under the thesis protocol.

    **Arguments:**

    - `pair`: who plays whom.
    - `rules`: those that are judged.
    - `config`: its game model is used.

    **Returns:** for every rule, how many of the `REPEATS` verdicts were for the first team, equal,
    for the second.
    """
    present = pair.present
    key = jax.random.fold_in(jax.random.wrap_key_data(pair.key), pair.number)
    line_ups = jnp.broadcast_arrays(pair.rosters[:, None, :], pair.opponents)
    at_most = games.cumulative_law(*(jnp.moveaxis(side, -1, 0) for side in line_ups), config.game)
    numbers = unit_numbers(key, REPEATS * present.size).reshape(REPEATS, *present.shape)
    half_points = games.sample_half_points(numbers, at_most[:, None])
    counts = []
    for rule, reading in zip(rules, pair.readings, strict=True):
        scores = rule.replay(pair.own, reading, half_points, present)
        sign = jnp.sign(scores[..., 0] - scores[..., 1])
        counts.append((sign[:, None] == jnp.array([1, 0, -1])).sum(axis=0))
    return jnp.stack(counts)


@partial(jax.jit, static_argnames="config")
def _replay_pairs(
    pairs: Rematch, rules: tuple[Replayable, ...], config: Config
) -> Int[Array, "pairs rules 3"]:
    return jax.vmap(lambda pair: replay_pair(pair, rules, config))(pairs)


# --------------------------------------------------------------------------- both protocols


@dataclass(frozen=True)
class Assessment:
    """The result of `assess`."""

    protocol: Protocol
    lists: Lists | None
    events: int
    seed: int
    config: Config
    results: tuple[ErrorRate, ...]
    rounding: tuple[int, int] | None  # verdicts that rounding the table changed, of how many


def assess(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    protocol: Protocol = "single",
    lists: Lists = "own",
    unrounded: Rule | None = None,
    progress: Progress = SILENT,
) -> Assessment:
    """Compare rules on fresh simulated events.

    **Arguments:**

    - `config`: what to play; the events are those of its assessment stream, never of training.
    - `judged`: the rules, and the references beside them; the first is what the others are compared
      with.
    - `events`, `seed`: how many events, of which stream.
    - `protocol`: `single` or `thesis`.
    - `lists`: whose opponents the tied teams play again (`thesis` only): their `own`, each
      other's (`swapped`), those of two teams of their score group (`same-group`) or of the event
      (`random`).
    - `unrounded`: the last rule before rounding, to count the verdicts that rounding changes
      (`single` only).
    - `progress`: shows a progress bar, and keeps the counts while they grow.

    **Returns:** an `Assessment`.

    **Raises:** `InputError` for an unknown protocol or list, a rule of another format, or one that
    the protocol cannot judge.
    """
    if protocol not in PROTOCOLS:
        raise InputError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    if lists not in LISTS:
        raise InputError(f"lists must be one of {', '.join(LISTS)}, got {lists!r}")
    for rule in judged:
        rule.check_format(config.event.rounds, config.event.boards)
    single = protocol == "single"
    if single:
        all_judged = [*judged, unrounded] if unrounded else judged
        tally = single_event_tally(config, all_judged, events, seed, progress)
    else:
        tally = thesis_tally(config, judged, events, seed, lists, progress)
    rounding = None
    if single and unrounded:
        rounding = int(tally.changed[-1]), int(tally.pairs[:, -1].sum())
        tally = replace(tally, rules=tally.rules[:-1], errors=tally.errors[:, :-1])
    return Assessment(
        protocol=protocol,
        lists=None if single else lists,
        events=events,
        seed=seed,
        config=config,
        results=summarise(tally, seed),
        rounding=rounding,
    )
