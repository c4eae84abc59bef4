"""One round of one event paired by the engine: what it is told, and what it says.

Worker processes import this file; what it needs itself is little.
"""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from threading import Thread
from typing import Any

import numpy as np
from jaxtyping import Int

from tb2learn.types import BYE


def prepare_worker() -> None:
    """Leave interruptions to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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
