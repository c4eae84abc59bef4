"""FIDE's Dutch system as a schedule: the engine py4swiss pairs every round of every event.

py4swiss implements the Dutch system of the FIDE Handbook, C.04.3, as it was until January 2026. It
pairs players; it has no system for teams.
"""

from __future__ import annotations

from importlib.util import find_spec
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
    if find_spec("py4swiss") is None:
        raise InputError(
            "this study needs the pairing engine py4swiss, which is not installed: "
            "pip install 'tb2learn[studies]'"
        )


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
    from py4swiss.engines.dutch import Engine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    players = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=player + 1,
            points_times_ten=5 * int(half_points[:, player].sum()),
            rank=player + 1,
            results=_results(*(part[:, player] for part in (opponents, half_points, whites))),
        )
        for player in range(opponents.shape[1])
    ]
    configuration = XSectionConfiguration(first_round_color=lot)
    settings = XSection(number_of_rounds=rounds, configuration=configuration)
    file = ParsedTrf(player_sections=players, x_section=settings)
    found = [
        (pair.white - 1, pair.black - 1) for pair in Engine.generate_pairings(file) if pair.black
    ]
    return np.array(sorted(found, key=min), np.int32).reshape(-1, 2).T


def _results(opponents: np.ndarray, half_points: np.ndarray, whites: np.ndarray) -> list[Any]:
    """What the engine's file says of a player's rounds."""
    from py4swiss.trf.results import RoundResult

    rows = zip(opponents.tolist(), half_points.tolist(), whites.tolist(), strict=True)
    return [
        RoundResult.from_string(
            "0000 - U"
            if opponent == BYE
            else f"{opponent + 1:4} {'w' if white else 'b'} {'0=1'[half]}"
        )
        for opponent, half, white in rows
    ]
