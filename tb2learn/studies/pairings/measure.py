"""How often our pairing agrees with the engine's, and what rules are worth on its events."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Float
from matplotlib.figure import Figure

from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.single import judge_event, single_event_tally
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, FieldConfig, TrainConfig
from tb2learn.report.assessment import population
from tb2learn.report.frames import Frames, where, wide_with_ends
from tb2learn.report.stored import Csv
from tb2learn.report.style import COLOURS, MARKERS, blank_figure, draw_marks, dress
from tb2learn.report.wording import rule_name
from tb2learn.simulation.dutch import Dutch
from tb2learn.simulation.event import Event
from tb2learn.simulation.run import Progress, progress_bar
from tb2learn.simulation.schedule import SoFar, play_schedule
from tb2learn.stats import long_frame, with_ends
from tb2learn.studies.pairings.engine import EngineSchedule, check_engine, engine_pool
from tb2learn.studies.samples import samples, shares
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
        half_points = jnp.where(past, played.half_points, 0)
        points = half_points.sum(axis=0)
        opponents = jnp.where(past, played.opponents, BYE)
        so_far = SoFar(opponents, half_points, past & whites, points, points)
        _, (white, black) = schedule.pair(lot, so_far, number)
        same = jnp.take_along_axis(played.opponents[number], white, axis=0) == black
        coloured = same & jnp.take_along_axis(whites[number], white, axis=0)
        return same.mean(axis=0), coloured.mean(axis=0)

    found = [one_round(jnp.int32(number)) for number in range(config.event.rounds)]
    same, coloured = (np.stack(part, axis=-1) for part in zip(*found, strict=True))
    return same, coloured


def summary(frames: Frames) -> dict[str, Any]:
    """Every size with its own frames."""
    sizes = frames["sizes"].to_dict("records")
    return {"sizes": [size | _of(frames, size["players"]) for size in sizes]}


def name_of(rule: str) -> str:
    """The name of a rule of the study."""
    return "table trained on ours" if rule == TABLE else rule_name(rule)


def _of(frames: Frames, players: int) -> dict[str, Any]:
    """The frames of a size for the tables; which differences are certain."""
    of_size = {name: where(frames[name], players=players) for name in ("errors", "agreement")}
    errors = of_size["errors"][of_size["errors"]["top"].isin(SHOWN)]
    apart = where(errors, what="apart")
    certain = apart[(apart["low"] > 0) | (apart["high"] < 0)]
    table = wide_with_ends(errors, ["top", "rule"], "what")
    # The first rule is compared with itself.
    gain = LESS.format("engine")
    table.loc[table["rule"] == RULES[0], [gain, f"{gain}_low", f"{gain}_high"]] = None
    ties = where(frames["ties"], players=players)[["top", "pairs"]]
    gains = where(errors, rule=TABLE, top="all").set_index("what")
    return {
        "agreement": wide_with_ends(of_size["agreement"], "round", "what", "share"),
        "errors": table.merge(ties).assign(named=table["rule"].map(name_of)),
        "certain": [
            f"{name_of(rule)} (ties that touch place {top})"
            for rule, top in zip(certain["rule"], certain["top"], strict=True)
        ],
        "gains": [gains.loc[LESS.format(whose)] for whose in ("engine", "ours")],
    }


def pairings_figure(frames: Frames) -> Figure:
    """Both, errors over all ties, a panel a size."""
    sizes = list(frames["sizes"].itertuples())
    figure = blank_figure(11.0, 4.2)
    agreement, *panels = figure.subplots(1, 1 + len(sizes))
    for number, size in enumerate(sizes):
        found = where(frames["agreement"], players=size.players, what="pair")
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        label = f"{size.players} x {size.rounds}"
        agreement.plot(found["round"], found["share"], label=label, **style)
        agreement.vlines(found["round"], found["low"], found["high"], color=COLOURS[number])
    agreement.set_ylim(0, 1.02)
    agreement.legend(frameon=False)
    dress(agreement, "Pairs that are the engine's", "round", "share")
    at = np.arange(len(RULES))
    for panel, size in zip(panels, sizes, strict=True):
        errors = where(frames["errors"], players=size.players, top="all")[::-1]
        for number, what in enumerate(("ours", "engine")):
            some, shift = where(errors, what=what), 0.12 - 0.24 * number
            style = {"marker": MARKERS[number], "size": 6, "width": 3, "label": what}
            draw_marks(panel, some, "value", at + shift, COLOURS[number], **style)
        panel.set_yticks(at, [name_of(rule) for rule in RULES[::-1]])
        panel.tick_params(labelsize=8)
        panel.legend(frameon=False, fontsize=8)
        dress(panel, f"{size.players} x {size.rounds}", "ties decided wrongly", "")
    return figure


FIGURES = {"pairings.png": pairings_figure}
