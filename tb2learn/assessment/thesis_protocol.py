"""The thesis protocol (Naray 2020): tied teams replay lists of opponents thirty times.

Repetition averages out the luck of single games; what remains is the bias of the opponents that a
team was paired with. The most frequent verdict of 30 repetitions is compared with the most frequent
order of 30 all-play-alls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Num, UInt32

from tb2learn.assessment import Lists
from tb2learn.assessment.estimators import Replayable, as_estimator
from tb2learn.assessment.pairs import tied_pairs
from tb2learn.assessment.references import Reference
from tb2learn.assessment.tally import TOPS, Tally, by_block
from tb2learn.chess.results import product_points, weakest_item
from tb2learn.config import Config, GameConfig, Setting
from tb2learn.jax_types import Key, Rosters
from tb2learn.simulation import games
from tb2learn.simulation.event import Event
from tb2learn.simulation.measurement import Add, Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.rng import unit_numbers
from tb2learn.simulation.simulate import SILENT, Progress, sum_events
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import BYE, InputError, PerRound, PerTeam, pytree

Either: TypeAlias = Array | np.ndarray
"""What is measured on devices, and judged on the host."""

REPEATS = 30
"""Repetitions of the thesis protocol, for the verdict and for the oracle."""

_CHUNK = 1024
"""Pairs that are replayed side by side."""


def strength_distribution(rosters: Rosters, game: GameConfig) -> Float[Array, "teams scores"]:
    """Law of the match points of every team in one all-play-all.

    **Arguments:**

    - `rosters`: `[teams, boards]` ratings.
    - `game`: the game model.

    **Returns:** `[teams, 2*teams - 1]` chances of 0, 1, ... 2*(teams - 1) match points.
    """
    at_most = games.all_play_all(rosters, game)
    teams, boards = rosters.shape
    lose = at_most[boards - 1]
    draw = at_most[boards] - lose
    win = games.UNIT - at_most[boards]
    itself = jnp.eye(teams, dtype=bool)  # adds nothing to its own sum
    nothing = jnp.array([games.UNIT, 0, 0]).reshape(3, 1, 1)
    chances = jnp.where(itself, nothing, jnp.stack([lose, draw, win])) / games.UNIT

    def add_match(law: Array, chance: Array) -> tuple[Array, None]:
        # The law after a draw, which adds 1 point, and after a win, which adds 2.
        shifted = jnp.pad(law, ((0, 0), (1, 0)))[:, :-1]
        two = jnp.pad(law, ((0, 0), (2, 0)))[:, :-2]
        lose, draw, win = chance[..., None]
        return lose * law + draw * shifted + win * two, None

    start = jnp.zeros((teams, 2 * teams - 1)).at[:, 0].set(1.0)
    law, _ = jax.lax.scan(add_match, start, jnp.moveaxis(chances, 2, 0))
    return law


def duel(
    first: Float[np.ndarray, "*batch scores"], second: Float[np.ndarray, "*batch scores"]
) -> Float[np.ndarray, "*batch 3"]:
    """Chances that the first of two independent sums is larger, equal, smaller (float64)."""
    first, second = first.astype(np.float64), second.astype(np.float64)
    below = np.cumsum(second, axis=-1) - second  # strictly below: equal sums are counted beside
    larger = np.sum(first * below, axis=-1)
    equal = np.sum(first * second, axis=-1)
    # Rounding may leave less than nothing.
    return np.stack([larger, equal, np.maximum(1.0 - larger - equal, 0.0)], axis=-1)


@lru_cache(maxsize=4)
def _compositions(draws: int) -> tuple[np.ndarray, np.ndarray]:
    """All counts of three outcomes in `draws` draws, and the logs of their multinomial numbers."""
    counts = np.array(
        [(a, b, draws - a - b) for a in range(draws + 1) for b in range(draws + 1 - a)]
    )
    logs = [math.lgamma(draws + 1) - sum(math.lgamma(x + 1) for x in row) for row in counts]
    return counts, np.array(logs)


def mode(counts: Int[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch 3"]:
    """The most frequent of three outcomes, as chances: a tie is broken at random."""
    is_most = counts == counts.max(axis=-1, keepdims=True)
    return is_most / is_most.sum(axis=-1, keepdims=True)


def mode_chances(
    chances: Float[np.ndarray, "*batch 3"], draws: int
) -> Float[np.ndarray, "*batch 3"]:
    """Law of the most frequent outcome of `draws` independent draws.

    **Arguments:**

    - `chances`: of the three outcomes of one draw.
    - `draws`: at least 1.

    **Returns:** chances that each outcome is the mode; ties of counts are broken at random.
    """
    counts, log_orders = _compositions(draws)
    logs = np.log(np.maximum(chances, 1e-300))  # a chance of 0 has no logarithm
    # Sums along the last axis, so that no result depends on how many pairs are judged at once.
    law = np.exp((logs[..., None, :] * counts).sum(axis=-1) + log_orders)
    law = np.stack([(law * column).sum(axis=-1) for column in mode(counts).T], axis=-1)
    return law / law.sum(axis=-1, keepdims=True)


def thesis_tally(
    config: Config,
    judged: Sequence[Rule | Reference],
    events: int,
    seed: int,
    lists: Lists,
    progress: Progress = SILENT,
) -> Tally:
    """Count wrong verdicts under the thesis protocol.

    The law of the oracle's mode is computed, the verdict's games are drawn; an error is the chance
    that the two modes differ. The reference `AllPlayAll` is a second, independent oracle and so
    shows the noise of the oracle.

    **Arguments:** as `error_rates.tally_verdicts`.

    **Raises:** `InputError` for a rule that is not a sum over opponents: it cannot be replayed.
    """
    rules, oracles = _replayable(judged)
    tally = partial(_tally_block, by_block(events), rules, oracles, lists, config.setting)
    # Devices measure events; pairs are replayed and judged as the counts are added up.
    pairs, errors = sum_events(
        config.setting,
        Measurement(replay_facts, tally, oracle=False),
        EventRange(seed, Purpose.ASSESS, events),
        rules,
        progress=progress,
    )
    return Tally(tuple(rule.name for rule in judged), pairs, errors, games.UNIT, None)


def _replayable(
    judged: Sequence[Rule | Reference],
) -> tuple[tuple[Replayable, ...], tuple[int, ...]]:
    """What is replayed, and the places of oracles among the judged."""
    replayed: list[Replayable] = []
    oracles: list[int] = []
    for place, rule in enumerate(judged):
        entry = as_estimator(rule)
        # Not replayed: its law is that of the truth, see `_judge_chunk`.
        if entry.is_oracle:
            oracles.append(place)
        elif (replayable := entry.replayable()) is not None:
            replayed.append(replayable)
        else:
            raise InputError(
                f"{rule.name} is no sum over opponents: the thesis protocol cannot replay it"
            )
    return tuple(replayed), tuple(oracles)


@pytree
class Facts:
    """What the thesis protocol needs of an event; a batch of events has a leading axis."""

    # Random numbers: whose lists are played, and the games.
    list_key: UInt32[Either, "2"]
    game_key: UInt32[Either, "2"]
    # The event.
    rosters: Rosters
    match_points: PerTeam
    reduced: Int[Array, "rounds teams"]  # opponents; BYE where there is none
    # What the replays are scored and judged by.
    opponent_scores: tuple[Num[Array, "rounds teams"], ...]  # by rule: what opponents count as
    strength: Float[Array, "teams scores"]


def replay_facts(key: Key, event: Event, setting: Setting, rules: tuple[Replayable, ...]) -> Facts:
    """The facts of one event.

    The list of opponents is reduced once, by the product rule, so that all rules score the same
    games. Opponents count as they did in the event that was played.
    """
    list_key, game_key = jax.random.split(key)
    return Facts(
        list_key=jax.random.key_data(list_key),
        game_key=jax.random.key_data(game_key),  # typed keys cannot be arrays of NumPy
        rosters=event.rosters,
        match_points=event.match_points,
        reduced=_reduced_lists(event.opponents, event.half_points, event.match_points, setting),
        opponent_scores=tuple(rule.opponent_score(event) for rule in rules),
        strength=strength_distribution(event.rosters, setting.game),
    )


def _reduced_lists(
    opponents: PerRound, half_points: PerRound, own: PerTeam, setting: Setting
) -> Int[Array, "rounds teams"]:
    bye = opponents == BYE
    opponent_points = jnp.where(bye, 0, own[opponents])
    # The product is the same for every own score.
    product = jnp.asarray(product_points(setting.event.rounds, setting.event.boards))
    values = jnp.where(bye, 0, product[0, opponent_points, half_points])
    dropped = weakest_item(opponent_points, values, bye)
    return jnp.where(jnp.arange(len(opponents))[:, None] == dropped, BYE, opponents)


class _Pairs(NamedTuple):
    """Tied pairs of a batch of events.

    **Fields:** the event, the two teams, the teams whose lists of opponents they play, and the
    first place of the tied group.
    """

    event: Int[np.ndarray, " pairs"]
    team: Int[np.ndarray, "pairs 2"]
    owner: Int[np.ndarray, "pairs 2"]
    first_place: Int[np.ndarray, " pairs"]


def _tied_pairs(facts: Facts, lists: Lists) -> _Pairs:
    points = np.asarray(facts.match_points)
    pairs = tied_pairs(points)
    # Pairs of the last population alone are not replayed.
    pairs = pairs.only(pairs.place <= TOPS[-2])
    owner = pairs.teams[:, ::-1] if lists == "swapped" else pairs.teams
    if lists in ("same-group", "random"):
        for number, key in enumerate(facts.list_key):
            of_event = pairs.event == number
            owner[of_event] = _two_random(key, points[number], owner[of_event], lists)
    return _Pairs(pairs.event, pairs.teams, owner, pairs.place)


def _two_random(
    key: UInt32[Either, "2"], own: Either, team: np.ndarray, lists: Lists
) -> np.ndarray:
    """Two different teams for every pair, of its score group or of the event."""
    # Drawn on the host, from the event's key.
    generator = np.random.Generator(np.random.Philox(key=key.astype(np.uint64)))
    by_group = np.argsort(own, kind="stable")
    if lists == "same-group":
        start = np.searchsorted(own[by_group], own[team[:, 0]], side="left")
        size = np.searchsorted(own[by_group], own[team[:, 0]], side="right") - start
    else:
        start, size = np.zeros(len(team), int), np.full(len(team), len(own))
    first = generator.integers(0, size)
    second = generator.integers(0, size - 1)
    second += second >= first  # skips the first one, so that the two differ
    return by_group[start[:, None] + np.stack([first, second], axis=1)]


def _tally_block(
    add: Add,
    rules: tuple[Replayable, ...],
    oracles: Sequence[int],
    lists: Lists,
    setting: Setting,
    numbers: Int[np.ndarray, " events"],
    facts: Facts,
) -> Any:
    """Pairs and errors by population of some events, as `add` adds them up."""
    tops = np.array(TOPS[:-1])
    pairs = np.zeros((len(numbers), len(tops)), np.int64)
    errors = np.zeros((len(numbers), len(rules) + len(oracles), len(tops)), np.int64)
    tied = _tied_pairs(facts, lists)
    # A few at a time, as an event can have thousands of tied pairs.
    for start in range(0, len(tied.event), _CHUNK):
        chunk = _Pairs(*(part[start : start + _CHUNK] for part in tied))
        wrong = _judge_chunk(facts, chunk, rules, oracles, setting)
        touches = chunk.first_place[:, None] <= tops
        np.add.at(pairs, chunk.event, touches)
        np.add.at(errors, chunk.event, wrong[:, :, None] * touches[:, None, :])
    return add(numbers, (pairs, errors))


def _judge_chunk(
    facts: Facts,
    pairs: _Pairs,
    rules: tuple[Replayable, ...],
    oracles: Sequence[int],
    setting: Setting,
) -> Int[np.ndarray, "pairs judged"]:
    """Chances of an error in 1/`games.UNIT`; at the places `oracles` those of the oracle."""
    event, owner = pairs.event[:, None], pairs.owner[:, None]
    _, rounds, teams = facts.reduced.shape
    lists = event[..., None], np.arange(rounds)[:, None], owner  # [pairs, rounds, 2]
    opponents = facts.reduced[lists]
    # A team that is on the list that it plays meets the list's owner instead of itself.
    itself = opponents == pairs.team[:, None]
    met = np.where(itself, owner, opponents)
    rematches: Mapping[str, Any] = dict(
        key=facts.game_key[pairs.event],
        number=(pairs.team[:, 0] * teams + pairs.team[:, 1]).astype(np.uint32),
        own=facts.match_points[pairs.event, pairs.team[:, 0]],
        rosters=facts.rosters[event, pairs.team],
        opponents=facts.rosters[event[..., None], met],
        opponent_scores=tuple(
            np.where(itself, _owner_score(rule, facts, event, pairs)[:, None], scores[lists])
            for rule, scores in zip(rules, facts.opponent_scores, strict=True)
        ),
        present=opponents != BYE,
    )
    size = len(pairs.event)
    padded = jax.tree.map(  # one size, so that one program serves all
        lambda x: np.concatenate([x, np.repeat(x[:1], _CHUNK - size, axis=0)]), rematches
    )
    counts = np.asarray(_replay_pairs(Rematch(**padded), rules, setting=setting))[:size]
    strength = facts.strength[event, pairs.team]
    # The law of the most frequent order of thirty all-play-alls.
    truth = mode_chances(duel(*np.moveaxis(np.asarray(strength), 1, 0)), REPEATS)
    verdicts = list(np.moveaxis(mode(counts), 1, 0))
    for place in oracles:
        # A second oracle is independent of the first, and has the same law.
        verdicts.insert(place, truth)
    # Two independent draws agree with the sum of the products of their chances.
    right = np.stack([(verdict * truth).sum(axis=-1) for verdict in verdicts], axis=1)
    return np.rint(games.UNIT * (1.0 - right)).astype(np.int64)


def _owner_score(rule: Replayable, facts: Facts, event: np.ndarray, pairs: _Pairs) -> np.ndarray:
    """What the owner of a list counts as for a team that meets it in place of itself."""
    owner = (facts.match_points[event, pairs.owner], facts.rosters[event, pairs.owner])
    return np.asarray(rule.plain_score(*map(jnp.asarray, owner)))


class Rematch(NamedTuple):
    """A tied pair and the lists of opponents that it plays again; a batch has a row a pair.

    **Fields:**

    - `key`, `number`: the event's key data, and the pair's number, which is folded into the key.
    - `own`: match points of both teams.
    - `rosters`: of the two teams.
    - `opponents`, `present`: line-ups of the two lists, and where there is an opponent.
    - `opponent_scores`: what the opponents count as, under every rule.
    """

    key: UInt32[Array, "2"]
    number: UInt32[Array, ""]
    own: Int[Array, ""]
    rosters: Int[Array, "2 boards"]
    opponents: Int[Array, "rounds 2 boards"]
    opponent_scores: tuple[Num[Array, "rounds 2"], ...]
    present: Bool[Array, "rounds 2"]


def replay_pair(
    pair: Rematch, rules: tuple[Replayable, ...], setting: Setting
) -> Int[Array, "rules 3"]:
    """Replay one tied pair under the thesis protocol.

    **Arguments:**

    - `pair`: who plays whom.
    - `rules`: what is judged.
    - `setting`: its game model is used.

    **Returns:** for every rule, how many of the `REPEATS` verdicts were for the first team, equal,
    for the second.
    """
    present = pair.present
    key = jax.random.fold_in(jax.random.wrap_key_data(pair.key), pair.number)
    # Both teams against both lists, in all rounds at once.
    line_ups = jnp.broadcast_arrays(pair.rosters, pair.opponents)
    first, second = (jnp.moveaxis(line_up, -1, 0) for line_up in line_ups)
    at_most = games.cumulative_law(first, second, setting.game)
    # Drawn team by team: in another order they would be other games.
    numbers = unit_numbers(key, REPEATS * present.size).reshape(REPEATS, *present.shape[::-1])
    numbers = numbers.swapaxes(1, 2)
    half_points = games.sample_half_points(numbers, at_most[:, None])
    counts = []
    for rule, opponent_score in zip(rules, pair.opponent_scores, strict=True):
        scores = rule.replay(pair.own, opponent_score, half_points, present)
        sign = jnp.sign(scores[..., 0] - scores[..., 1])
        # For the first team, equal, for the second.
        counts.append((sign[:, None] == jnp.array([1, 0, -1])).sum(axis=0))
    return jnp.stack(counts)


@partial(jax.jit, static_argnames="setting")
def _replay_pairs(
    pairs: Rematch, rules: tuple[Replayable, ...], setting: Setting
) -> Int[Array, "pairs rules 3"]:
    return jax.vmap(lambda pair: replay_pair(pair, rules, setting))(pairs)
