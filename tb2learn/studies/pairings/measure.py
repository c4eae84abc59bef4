"""How often our pairing agrees with the engine's, and what rules are worth on its events."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib.metadata import version

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float

from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.single import judge_event, single_event_tally
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, FieldConfig, TrainConfig
from tb2learn.export.assessment import population
from tb2learn.report.stored import Csv
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.olympiad import Event
from tb2learn.simulation.run import Progress, progress_bar
from tb2learn.simulation.schedule import SoFar, play_schedule
from tb2learn.stats import long_frame
from tb2learn.studies.pairings.engine import EngineSchedule, check_engine, engine_pool
from tb2learn.studies.samples import samples, shares, with_ends
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

SHOWN = ("1", "10", "all")
"""The populations in the report."""

LESS = "{} less Buchholz"
"""The error less that of the first rule on the same events; the name says on whose."""

_SIZE = ("players", "rounds")
_ENDS = ("low", "high")

FILES = (
    Csv("agreement.csv", "agreement", (*_SIZE, "round", "what", "share", *_ENDS), digits=5),
    Csv("errors.csv", "errors", (*_SIZE, "rule", "top", "what", "value", *_ENDS), digits=5),
    Csv("sizes.csv", "sizes", (*_SIZE, "engine", "share", *_ENDS), digits=3),
    Csv("ties.csv", "ties", (*_SIZE, "top", "pairs")),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Compare our pairing with the engine's at all `SIZES`.

    **Arguments:** `events`, `seed`: events of every size that the engine pairs, and the seed of
    them and of the bootstrap.

    **Returns:** frames with `players` and `rounds`, shares with the ends of their intervals:

    - `agreement`: by `what` and `round`, the `share` of the engine's pairs that our rule makes from
      the same past, and makes with the same colours.
    - `sizes`: the `engine`, and the `share` of the pairs of all rounds.
    - `ties`: tied `pairs` of the engine's events by population (`top`), for those of `SHOWN`.
    - `errors`: by population, `rule` and `what`: the error on events paired by our rule, by the
      engine, the latter less the former (`apart`), and both as `LESS`.

    **Raises:** `InputError` if the engine is not installed.
    """
    check_engine()
    found = [compare(players, rounds, events, seed) for players, rounds in SIZES]
    parts = {name: [one[name] for one in found] for name in found[0]}
    parts["errors"] += parts.pop("gains")
    return {name: pd.concat(some, ignore_index=True) for name, some in parts.items()}


def compare(players: int, rounds: int, events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Play events with the engine, pair their rounds by our rule too, and judge rules on them.

    **Arguments:** the size; `events`, `seed` as for `measure`.

    **Returns:** the frames of one size; `gains` are the rows `LESS` of `errors`.
    """
    name = f"{players} players, {rounds} rounds"
    event = EventFormat(players, rounds, 1, pairing="dutch")
    config = Config(f"dutch-{players}x{rounds}", event=event, field=FIELD)
    keys = jax.random.split(jax.random.key(seed), events)
    with progress_bar(events * rounds, f"engine, {name}", "round") as bar, engine_pool() as pool:
        play = partial(play_schedule, config=config, schedule=EngineSchedule(event, bar, pool))
        played = jax.block_until_ready(jax.jit(play)(keys))
    agree = np.tensordot(samples(events, seed), np.stack(agreement(config, played), 1), 1) / events
    table = trained_table(config, seed)
    rules = [table if rule == TABLE else find_rule(rule, rounds, 1) for rule in RULES]
    judge = partial(judge_event, config=config, judged=tuple(map(as_judged, rules)))
    judge_keys = jax.vmap(partial(jax.random.fold_in, data=1))(keys)
    counts = jax.jit(jax.vmap(judge, in_axes=(0, -1)))(judge_keys, played)
    pairs, errors = (np.asarray(part, np.int64) for part in counts[:2])
    ours = single_event_tally(config, rules, OURS, seed, Progress(f"ours, {name}"))
    rates = [
        _rates(tally, np.random.default_rng((seed, number)))
        for number, tally in enumerate((ours, Tally(RULES, pairs, errors, 2, None)))
    ]
    tops = [str(population(top)) for top in TOPS]
    what = ("pair", "pair and colours")
    values = np.stack([*rates, rates[1] - rates[0]], axis=1)
    gains = np.stack([one - one[..., :1] for one in rates], axis=-1)
    size = dict(zip(_SIZE, (players, rounds), strict=True))
    engine = f"py4swiss {version('py4swiss')}"
    ties = pd.DataFrame({"top": tops, "pairs": pairs.sum(axis=0)})
    found = {
        "agreement": long_frame(
            {"what": what, "round": range(1, rounds + 1)}, with_ends(agree, "share")
        ),
        "sizes": pd.DataFrame(with_ends(agree[:, :1].mean(axis=-1), "share")).assign(engine=engine),
        "ties": ties[ties["top"].isin(SHOWN)],
        "errors": long_frame(
            {"what": ("ours", "engine", "apart"), "top": tops, "rule": RULES}, with_ends(values)
        ),
        "gains": long_frame(
            {"top": tops, "rule": RULES, "what": [LESS.format(one) for one in ("ours", "engine")]},
            with_ends(gains),
        ),
    }
    return {name: frame.assign(**size) for name, frame in found.items()}


def _rates(tally: Tally, generator: np.random.Generator) -> Float[np.ndarray, "samples tops rules"]:
    """Error rates of all rules, and those of every bootstrap sample."""
    weights = samples(len(tally.pairs), generator)
    return shares(weights, tally.errors, tally.pairs, tally.unit).swapaxes(1, 2)


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
    assert played.whites is not None
    whites = played.whites
    # In the first round the first seed always has a game.
    lot = whites[0, :1]

    @jax.jit
    def one_round(number: Array) -> tuple[Array, Array]:
        past = (jnp.arange(config.event.rounds) < number)[:, None, None]
        so_far = SoFar(
            jnp.where(past, played.opponents, BYE),
            jnp.where(past, played.half_points, 0),
            past & whites,
            jnp.where(past, played.half_points, 0).sum(axis=0),
        )
        _, (white, black) = schedule.pair(lot, so_far, number)
        same = jnp.take_along_axis(played.opponents[number], white, axis=0) == black
        coloured = same & jnp.take_along_axis(whites[number], white, axis=0)
        return same.mean(axis=0), coloured.mean(axis=0)

    found = [one_round(jnp.int32(number)) for number in range(config.event.rounds)]
    same, coloured = (np.stack(part, axis=-1) for part in zip(*found, strict=True))
    return same, coloured
