"""From fitted surfaces to the published tables of whole points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from tb2learn.tiebreaks.passes import HUNDRED, PassRule
from tb2learn.tiebreaks.rules import FULL_POINTS, Rule
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.training.surface import (
    Surface,
    ValueSurface,
    columns,
    predict,
    predict_value,
    share_grid,
)
from tb2learn.types import check_size


def surface_table(
    surface: Surface,
    name: str,
    rounds: int | None = None,
    provenance: Mapping[str, Any] | None = None,
    full_points: int = FULL_POINTS,
) -> Rule:
    """Tabulate a surface for a number of rounds.

    **Arguments:**

    - `surface`: a fitted surface.
    - `name`: of the rule.
    - `rounds`: 1..40; those of the training if not given.
    - `provenance`: printed with the table.
    - `full_points`: points of a score of 1; more than `FULL_POINTS` to measure what rounding does.

    **Returns:** one table of whole points, 0 .. `full_points`.

    **Raises:** `InputError` for other numbers of rounds.
    """
    rounds = surface.rounds if rounds is None else rounds
    check_size(rounds, surface.boards)
    grid = share_grid(rounds)
    points = np.rint(full_points * predict(surface, grid, grid)).astype(np.int32)
    return Rule(
        name,
        rounds,
        surface.boards,
        TableRule(points),
        unit=FULL_POINTS / full_points,
        trained_rounds=surface.rounds,
        provenance=dict(provenance or {}),
        surfaces=(surface,),
    )


def pass_table(
    surfaces: Sequence[ValueSurface],
    name: str,
    rounds: int | None = None,
    provenance: Mapping[str, Any] | None = None,
    finer: int = 1,
) -> Rule:
    """Tabulate the surfaces of all passes for a number of rounds.

    **Arguments:**

    - `surfaces`: one a pass.
    - `name`, `rounds`, `provenance`: as in `surface_table`.
    - `finer`: divides the unit of the last pass, to measure what rounding does.

    **Returns:** tables of whole points.

    **Raises:** `InputError` for other numbers of rounds.
    """
    trained = surfaces[0]
    rounds = trained.rounds if rounds is None else rounds
    check_size(rounds, trained.boards)
    grids = [value_grid(surface, rounds) for surface in surfaces]
    # The passes before stay as they are: what opponents count as is in their unit.
    units = [HUNDRED] * (len(grids) - 1) + [HUNDRED * finer]
    points = [np.rint(unit * grid) for unit, grid in zip(units, grids, strict=True)]
    return Rule(
        name,
        rounds,
        trained.boards,
        PassRule(np.stack(points).astype(np.int32)),
        unit=1.0 / finer,
        trained_rounds=trained.rounds,
        provenance=dict(provenance or {}),
        surfaces=tuple(surfaces),
    )


def value_grid(surface: ValueSurface, rounds: int) -> Float[np.ndarray, "own columns results"]:
    """The columns of a pass table before rounding, in match points of an event of `rounds`."""
    # Of twice the rounds the same share is twice the match points.
    return predict_value(surface, share_grid(rounds), columns(rounds)) * (rounds / surface.rounds)
