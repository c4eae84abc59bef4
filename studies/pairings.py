"""How often are our pairs of players those of FIDE's Dutch system, and do error rates hold?

py4swiss implements the Dutch system of the FIDE Handbook, C.04.3, as it was until January 2026. It
pairs players; it has no system for teams.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
from jaxtyping import Array, Int
from tqdm import tqdm

from studies.script import events_option, report, script, written
from tb2learn.assessment.error_rates import population, samples, shares
from tb2learn.assessment.judged import as_judged
from tb2learn.assessment.single_event import judge_event, single_event_tally
from tb2learn.assessment.tally import TOPS, Tally
from tb2learn.catalogue import find_rule
from tb2learn.chess.event_format import EventFormat
from tb2learn.config import Config, FieldConfig, TrainConfig
from tb2learn.jax_types import Keys
from tb2learn.report.wording import rule_name
from tb2learn.simulation.dutch_swiss import Dutch
from tb2learn.simulation.event import Event
from tb2learn.simulation.games import Laws
from tb2learn.simulation.schedule import Drawn, Pairs, SoFar, play_schedule
from tb2learn.simulation.simulate import Progress, progress_bar
from tb2learn.stats import long_frame, with_ends
from tb2learn.training.checkpoint import train
from tb2learn.types import BYE

SIZES = ((60, 7), (100, 9))  # players and rounds
TABLE = "table"  # a table in passes, trained on events paired by our rule with random seeds

BUCHHOLZ = "buchholz-cut1"
RULES = (BUCHHOLZ, "formula", "deep-buchholz", TABLE, "least-squares")
FIELD = FieldConfig(low=1600, high=2600, player_sd=0.0, seed_noise=50.0)
SHOWN = ("1", "10", "all")  # the populations in the report


class EngineSchedule:
    """Swiss events of players paired by the engine, side by side; a bye is worth a win."""

    colours = True

    def __init__(self, event: EventFormat, bar: tqdm, pool: Executor):
        self._rounds, self._bar, self._pool = event.rounds, bar, pool
        self.matches = event.teams // 2
        self.rest = 2

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Array:
        """`[1, batch]`: whether the first seed has White in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: SoFar, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        shape = jax.ShapeDtypeStruct((2, self.matches, state.shape[1]), jnp.int32)
        played = so_far.opponents, so_far.half_points, so_far.whites
        return state, jax.pure_callback(self._pair_all, shape, state[0], number, *played)

    def _pair_all(self, lots: Any, number: Any, *played: Any) -> Int[np.ndarray, "2 matches batch"]:
        past, pairs = [np.asarray(part)[: int(number)] for part in played], []
        asked = [
            (*(part[..., event] for part in past), lot, self._rounds)
            for event, lot in enumerate(np.asarray(lots).tolist())
        ]
        for of_event in self._pool.map(engine_pairs, *zip(*asked, strict=True), chunksize=4):
            pairs.append(of_event)
            self._bar.update()
        return np.stack(pairs, axis=-1)


def engine_pairs(
    opponents: np.ndarray, half_points: np.ndarray, whites: np.ndarray, lot: bool, rounds: int
) -> Int[np.ndarray, "2 matches"]:
    """The pairs of the next round of one event, White first, in the order of the higher seeds."""
    from py4swiss.engines.dutch import Engine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    def result(opponent: int, half: int, white: bool) -> str:
        played = f"{opponent + 1:4} {'w' if white else 'b'} {'0=1'[half]}"
        return "0000 - U" if opponent == BYE else played

    players = []
    for player in range(opponents.shape[1]):
        rows = (part[:, player].tolist() for part in (opponents, half_points, whites))
        results = [RoundResult.from_string(result(*row)) for row in zip(*rows, strict=True)]
        section = {"code": PlayerCode.PLAYER, "starting_number": player + 1, "rank": player + 1}
        points = 5 * int(half_points[:, player].sum())
        players.append(PlayerSection(**section, points_times_ten=points, results=results))
    colour = XSectionConfiguration(first_round_color=lot)
    settings = XSection(number_of_rounds=rounds, configuration=colour)
    paired = Engine.generate_pairings(ParsedTrf(player_sections=players, x_section=settings))
    pairs = [(pair.white - 1, pair.black - 1) for pair in paired if pair.black]
    return np.array(sorted(pairs, key=min), np.int32).reshape(-1, 2).T


def compare(
    players: int, rounds: int, number: int, ours: int, trained: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Play `number` events with the engine, pair their rounds by our rule too, and judge rules.

    `ours` and `trained` are events paired by our rule, for comparison and for training.

    **Returns:** `agreement` by `round`, the share of the engine's pairs that our rule makes of the
    same past, and with the same colours; `sizes`, the same of all rounds; `errors` on the engine's
    events and on ours, as `_less` less that of `BUCHHOLZ`, as `apart` the engine's less ours.
    """
    name = f"{players} players, {rounds} rounds"
    event = EventFormat(players, rounds, 1, pairing="dutch")
    config = Config(f"dutch-{players}x{rounds}", event=event, field=FIELD)
    keys = jax.random.split(jax.random.key(seed), number)
    # A forked copy of this process would have its locks, but not the threads of JAX that open them.
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))
    with progress_bar(number * rounds, f"engine, {name}", "round") as bar, pool:
        schedule = EngineSchedule(event, bar, pool)
        play = partial(play_schedule, event=event, laws=Laws.of(config.game), schedule=schedule)
        played = jax.block_until_ready(jax.jit(play)(Drawn.of(keys, config)))
    same = np.stack(agreement(config, played), 1)
    agree = np.tensordot(samples(number, seed), same, 1) / number  # [samples, kinds, rounds]
    columns = dict(with_ends(agree[:, 0], "pair", "pair_"))
    columns |= with_ends(agree[:, 1], "coloured", "coloured_")
    share = with_ends(agree[:, :1].mean(axis=-1), "share")

    # Of seeds near the truth the table would learn the seeds.
    field = replace(config.field, seed_noise=np.inf)
    plan = TrainConfig("decisions", trained, 500, seed)
    made = train(
        replace(config, name=f"{config.name}-table", field=field, train=plan), progress=True
    )
    table = replace(made.rule(rounds), name=TABLE)
    rules = [table if rule == TABLE else find_rule(rule, rounds, 1) for rule in RULES]
    judge = partial(judge_event, config=config, judged=tuple(map(as_judged, rules)))
    judge_keys = jax.vmap(partial(jax.random.fold_in, data=1))(keys)
    counts = jax.jit(jax.vmap(judge, in_axes=(0, -1)))(judge_keys, played)
    pairs, wrong = (np.asarray(part, np.int64) for part in counts[:2])
    tallies = {
        "ours": single_event_tally(config, rules, ours, seed, Progress(f"ours, {name}")),
        "engine": Tally(RULES, pairs, wrong, 2, None),
    }
    values = {}
    for stream, (whose, tally) in enumerate(tallies.items()):
        weights = samples(len(tally.pairs), np.random.default_rng((seed, stream)))
        found = shares(weights, tally.errors, tally.pairs, tally.unit)
        values[whose] = found.swapaxes(1, 2)  # [samples, tops, rules]
    values |= {f"{whose}_less": rates - rates[..., :1] for whose, rates in values.items()}
    values["apart"] = values["engine"] - values["ours"]
    errors = {"pairs": np.broadcast_to(pairs.sum(axis=0)[:, None], (len(TOPS), len(RULES)))}
    for what, rates in values.items():
        errors |= with_ends(rates, what, f"{what}_")
    frames = {
        "agreement": long_frame({"round": range(1, rounds + 1)}, columns),
        "sizes": pd.DataFrame(share).assign(engine=f"py4swiss {version('py4swiss')}"),
        "errors": long_frame({"top": [*map(population, TOPS)], "rule": RULES}, errors),
    }
    return {what: frame.assign(players=players, rounds=rounds) for what, frame in frames.items()}


def agreement(config: Config, played: Event) -> tuple[np.ndarray, np.ndarray]:
    """The share of the pairs of every event and round that our rule makes from the same past.

    **Returns:** `[events, rounds]` twice: the same pair, and with the same colours.
    """
    schedule, whites = Dutch(config.event), played.whites
    assert whites is not None
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

    parts = [one_round(jnp.int32(number)) for number in range(config.event.rounds)]
    same, coloured = (np.stack(part, axis=-1) for part in zip(*parts, strict=True))
    return same, coloured


@script(
    "reports/pairings",
    events_option(300, "events of every size that the engine pairs"),
    events_option(4000, "events paired by our rule, to compare errors with", "--ours"),
    events_option(12800, "events paired by our rule that the table is trained on", "--trained"),
)
def main(out: Path, seed: int, events: int, ours: int, trained: int) -> None:
    """Compare our pairing of players with FIDE's, and errors on events of both."""
    import py4swiss as py4swiss  # before hours of work

    by_size = [compare(*size, events, ours, trained, seed) for size in SIZES]
    tables = {name: pd.concat([frames[name] for frames in by_size]) for name in by_size[0]}
    frames = written(out, tables, digits=5)
    errors = frames["errors"]
    names = errors["rule"].map(rule_name).mask(errors["rule"] == TABLE, "table trained on ours")
    shown = errors[errors["top"].isin(SHOWN)].assign(named=names)
    about = {"events": events, "seed": seed, "ours": ours, "trained": trained, "field": FIELD}
    given = {**frames, "errors": shown, **about}
    report(out, "pairings.md", given)


if __name__ == "__main__":
    main()
