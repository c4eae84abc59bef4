"""FIDE's Dutch system as a schedule: the engine py4swiss pairs every round of every event.

py4swiss implements the Dutch system of the FIDE Handbook, C.04.3, as it was until January 2026. It
pairs players; it has no system for teams.
"""

from __future__ import annotations

import importlib
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int
from tqdm import tqdm

from tb2learn.event_format import EventFormat
from tb2learn.simulation.schedule import Pairs, SoFar
from tb2learn.types import BYE, InputError, Keys


def check_engine() -> None:
    """Check that the engine is installed.

    **Raises:** `InputError` saying how to install it.
    """
    try:
        importlib.import_module("py4swiss.engines")
    except ImportError:
        raise InputError(
            "this study needs the pairing engine py4swiss, which is not installed: "
            "pip install 'tb2learn[studies]'"
        ) from None


class EngineSchedule:
    """Swiss events of players paired by the engine; a bye is worth a win.

    **Arguments:**

    - `event`: the format, of one board.
    - `bar`: advanced by one a round of an event.
    """

    def __init__(self, event: EventFormat, bar: tqdm):
        self._rounds, self._bar = event.rounds, bar
        self.matches = event.teams // 2
        self.rest = 2

    def start(self, keys: Keys, ratings: Int[Array, "teams batch"] | None) -> Array:
        """`[1, batch]`: whether the first seed has White in the first round."""
        return jax.vmap(jax.random.bernoulli)(keys)[None]

    def pair(self, state: Any, so_far: SoFar, number: Int[Array, ""]) -> tuple[Any, Pairs]:
        """The pairs of a round."""
        batch = state.shape[1]
        shape = jax.ShapeDtypeStruct((2, self.matches, batch), jnp.int32)
        played = so_far.opponents, so_far.half_points, so_far.whites
        return state, jax.pure_callback(self._pair_all, shape, state[0], number, *played)

    def _pair_all(self, lots: Any, number: Any, *played: Any) -> Int[np.ndarray, "2 matches batch"]:
        past = [np.asarray(part)[: int(number)] for part in played]
        pairs = []
        for event, lot in enumerate(np.asarray(lots).tolist()):
            pairs.append(engine_pairs(*(part[..., event] for part in past), lot, self._rounds))
            self._bar.update()
        return np.stack(pairs, axis=-1)


def engine_pairs(
    opponents: np.ndarray, half_points: np.ndarray, whites: np.ndarray, lot: bool, rounds: int
) -> Int[np.ndarray, "2 matches"]:
    """The pairs of the next round of one event, White first, in the order of the higher seeds.

    **Arguments:**

    - `opponents`, `half_points`, `whites`: `[past, players]` of the rounds played, one board.
    - `lot`: whether the first seed has White in the first round.
    - `rounds`: of the whole event; the last one has exceptions.
    """
    dutch = importlib.import_module("py4swiss.engines.dutch")
    trf = importlib.import_module("py4swiss.trf")
    sections = importlib.import_module("py4swiss.trf.sections")
    settings = importlib.import_module("py4swiss.trf.sections.x_section")
    players = [
        sections.PlayerSection(
            code="001",
            starting_number=player + 1,
            points_times_ten=5 * int(half_points[:, player].sum()),
            rank=player + 1,
            results=_results(*(part[:, player] for part in (opponents, half_points, whites))),
        )
        for player in range(opponents.shape[1])
    ]
    configuration = settings.XSectionConfiguration(first_round_color=lot)
    rest = sections.XSection(number_of_rounds=rounds, configuration=configuration)
    file = trf.ParsedTrf(player_sections=players, x_section=rest)
    found = [
        (pair.white - 1, pair.black - 1)
        for pair in dutch.Engine.generate_pairings(file)
        if pair.black
    ]
    return np.array(sorted(found, key=min), np.int32).reshape(-1, 2).T


def _results(opponents: np.ndarray, half_points: np.ndarray, whites: np.ndarray) -> list[Any]:
    """What the engine's file says of a player's rounds."""
    results = importlib.import_module("py4swiss.trf.results")
    rows = zip(opponents.tolist(), half_points.tolist(), whites.tolist(), strict=True)
    return [
        results.RoundResult.from_string(
            "0000 - U"
            if opponent == BYE
            else f"{opponent + 1:4} {'w' if white else 'b'} {'0=1'[half]}"
        )
        for opponent, half, white in rows
    ]
