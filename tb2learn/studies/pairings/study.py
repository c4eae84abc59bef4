"""How often our pairing agrees with the engine's, and what rules are worth on its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.single import judge_event, single_event_tally
from tb2learn.assessment.tally import ALL, RESAMPLES, TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, FieldConfig, TrainConfig
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.run import Progress, progress_bar
from tb2learn.simulation.schedule import SoFar, play_schedule
from tb2learn.stats import interval, resamples
from tb2learn.studies.pairings.engine import EngineSchedule, engine_pool
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.checkpoint import train
from tb2learn.types import BYE

SIZES = ((60, 7), (100, 9))
"""Players and rounds."""

TABLE = "table"
"""A table in passes, trained on events paired by our rule with random seeds."""

RULES = ("buchholz-cut1", "formula", "deep-buchholz", TABLE, "least-squares")
FIELD = FieldConfig(low=1600, high=2600, player_sd=0.0, seed_noise=50.0)

OURS = 4000
"""Events paired by our rule that errors on the engine's are held against."""

TRAINED = 12800
"""Events paired by our rule that the table is trained on; none of them is judged."""


@dataclass(frozen=True)
class Share:
    """A share with its 95 % bootstrap interval over events."""

    value: float
    ci: tuple[float, float]


@dataclass(frozen=True)
class Compared:
    """What was found for one size.

    **Fields:**

    - `players`, `rounds`: the size.
    - `agree`, `colours`: by round, the share of the engine's pairs that our rule makes, and makes
      with the same colours.
    - `all_rounds`: the share of the pairs of all rounds.
    - `ours`, `engine`, `apart`: by rule and population (`TOPS`), the error on events paired by our
      rule, by the engine, and the latter less the former.
    - `gain`: by pairing, rule and population, the error less that of the first rule on the same
      events.
    - `pairs`: tied pairs of the engine's events by population.
    """

    players: int
    rounds: int
    agree: list[Share]
    colours: list[Share]
    all_rounds: Share
    ours: dict[tuple[str, int], Share]
    engine: dict[tuple[str, int], Share]
    apart: dict[tuple[str, int], Share]
    gain: dict[tuple[str, str, int], Share]
    pairs: dict[int, int]


def compare(players: int, rounds: int, events: int, seed: int) -> Compared:
    """Play events with the engine, pair their rounds by our rule too, and judge rules on them.

    **Arguments:**

    - `players`, `rounds`: the size.
    - `events`, `seed`: events paired by the engine, and the seed of them and of the bootstrap.
    """
    name = f"{players} players, {rounds} rounds"
    event = EventFormat(players, rounds, 1, pairing="dutch")
    config = Config(f"dutch-{players}x{rounds}", event=event, field=FIELD)
    keys = jax.random.split(jax.random.key(seed), events)
    with progress_bar(events * rounds, f"engine, {name}", "round") as bar, engine_pool() as pool:
        play = partial(play_schedule, config=config, schedule=EngineSchedule(event, bar, pool))
        played = jax.block_until_ready(jax.jit(play)(keys))
    same, colours = agreement(config, played)
    weights = resamples(events, seed, RESAMPLES)
    table = trained_table(config, seed)
    rules = [table if rule == TABLE else find_rule(rule, rounds, 1) for rule in RULES]
    judge = partial(judge_event, config=config, judged=tuple(map(as_judged, rules)))
    judge_keys = jax.vmap(partial(jax.random.fold_in, data=1))(keys)
    counts = jax.jit(jax.vmap(judge, in_axes=(0, -1)))(judge_keys, played)
    pairs, errors = (np.asarray(part, np.int64) for part in counts[:2])
    theirs = Tally(RULES, pairs, errors, 2, None)
    progress = Progress(f"ours, {name}")
    ours = single_event_tally(config, rules, OURS, seed, progress)
    return Compared(
        players,
        rounds,
        [_share(part, weights) for part in same.T],
        [_share(part, weights) for part in colours.T],
        _share(same.mean(axis=1), weights),
        *_errors(ours, theirs, seed),
        dict(zip(TOPS, pairs.sum(axis=0).tolist(), strict=True)),
    )


def trained_table(config: Config, seed: int) -> Rule:
    """A table trained on events paired by our rule, in the same field with random seeds.

    Of seeds near the truth it would learn the seeds.

    **Arguments:**

    - `config`: what is judged.
    - `seed`: of the training's events.
    """
    made = replace(
        config,
        name=f"{config.name}-table",
        field=replace(config.field, seed_noise=np.inf),
        train=TrainConfig("decisions", TRAINED, 500, seed),
    )
    return replace(train(made, progress=True).rule(config.event.rounds), name=TABLE)


def agreement(config: Config, played: Event) -> tuple[np.ndarray, np.ndarray]:
    """The share of the pairs of every event and round that our rule makes from the same past.

    **Arguments:**

    - `config`: the format.
    - `played`: events, the batch last.

    **Returns:** `[events, rounds]` twice: the same pair, and with the same colours.
    """
    schedule = Dutch(config.event)
    # In the first round the first seed always has a game.
    lot = played.whites[0, :1]

    @jax.jit
    def one_round(number: Array) -> tuple[Array, Array]:
        past = (jnp.arange(config.event.rounds) < number)[:, None, None]
        so_far = SoFar(
            jnp.where(past, played.opponents, BYE),
            jnp.where(past, played.half_points, 0),
            past & played.whites,
            jnp.where(past, played.half_points, 0).sum(axis=0),
        )
        _, (white, black) = schedule.pair(lot, so_far, number)
        same = jnp.take_along_axis(played.opponents[number], white, axis=0) == black
        coloured = same & jnp.take_along_axis(played.whites[number], white, axis=0)
        return same.mean(axis=0), coloured.mean(axis=0)

    found = [one_round(jnp.int32(number)) for number in range(config.event.rounds)]
    same, coloured = (np.stack(part, axis=-1) for part in zip(*found, strict=True))
    return same, coloured


def _share(values: np.ndarray, weights: np.ndarray) -> Share:
    """The mean over events."""
    low, high = interval(weights @ values / len(values))
    return Share(float(values.mean()), (float(low), float(high)))


def _errors(ours: Tally, theirs: Tally, seed: int) -> tuple[dict, dict, dict, dict]:
    """The errors of `Compared`, of blocks of events drawn again with replacement."""
    drawn = {
        name: (tally, resamples(len(tally.pairs), np.random.default_rng((seed, number)), RESAMPLES))
        for number, (name, tally) in enumerate((("ours", ours), ("engine", theirs)))
    }

    def rates(name: str, rule: int, column: int) -> Float[np.ndarray, " times"]:
        """The error rate, and then that of every resample."""
        tally, weights = drawn[name]
        weights = np.concatenate([np.ones((1, len(tally.pairs))), weights])
        wrong = weights @ tally.errors[:, rule, column] / tally.unit
        with np.errstate(invalid="ignore"):
            return wrong / (weights @ tally.pairs[:, column])

    def share(values: np.ndarray) -> Share:
        low, high = interval(values[1:])
        return Share(float(values[0]), (float(low), float(high)))

    by_name: dict[str, dict] = {"ours": {}, "engine": {}}
    apart, gain = {}, {}
    for column, top in enumerate(TOPS):
        for number, rule in enumerate(RULES):
            both = {name: rates(name, number, column) for name in by_name}
            for name, found in both.items():
                by_name[name][rule, top] = share(found)
                gain[name, rule, top] = share(found - rates(name, 0, column))
            apart[rule, top] = share(both["engine"] - both["ours"])
    return by_name["ours"], by_name["engine"], apart, gain


SHOWN = (1, 10, ALL)
"""The populations of `TOPS` in the report."""
