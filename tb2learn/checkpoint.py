"""Train a surface; keep it, with everything it came from, in two files.

`NAME.npz` holds the arrays, `NAME.json` the readable header with the checksum of the other. Both
are data only: nothing in them is executed, and no path in them is followed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import tb2learn
from tb2learn import difficulty, files
from tb2learn.config import Config, check_name, find_file, from_dict, to_dict
from tb2learn.difficulty import DifficultyLog
from tb2learn.fit import Fit, fit_surface
from tb2learn.progress import Run
from tb2learn.rng import Purpose
from tb2learn.surface import DEGREE, Surface
from tb2learn.tables import FULL_POINTS, LookupTable, surface_table
from tb2learn.types import InputError

SCHEMA = 1

FINE_POINTS = 1_000_000
"""Points of a score of 1 in the table that stands for the unrounded surface."""


@dataclass(frozen=True)
class Checkpoint:
    """A trained surface with its log, its held-out log and the record of its fit.

    **Fields:**

    - `name`: of the checkpoint, and of the rule it makes.
    - `log`, `held_out`: difficulty logs of the training events and of the events never fitted.
    - `fit`: the surface and how well it fits.
    - `version`: of the program that trained it.
    """

    name: str
    log: DifficultyLog
    held_out: DifficultyLog
    fit: Fit
    version: str

    @property
    def config(self) -> Config:
        """The configuration it was trained with."""
        return self.log.config

    def table(self, rounds: int | None = None, full_points: int = FULL_POINTS) -> LookupTable:
        """The lookup table for a number of rounds (those of the training if not given)."""
        return surface_table(
            self.fit.surface, self.name, rounds, summary(self), full_points=full_points
        )


def train(
    config: Config, name: str | None = None, progress: bool = False, run: Run | None = None
) -> Checkpoint:
    """Simulate, log and fit.

    **Arguments:**

    - `config`: `config.train` says how many events, of which seed.
    - `name`: of the checkpoint; the configuration's if not given.
    - `progress`: shows progress bars on standard error.
    - `run`: keeps the counts while they grow.

    **Returns:** a `Checkpoint` that depends on `config` only.
    """
    name = check_name("checkpoint name", name or config.name)
    plan = config.train
    labels = ("simulate", "hold out", "fit") if progress else (None, None, None)
    log = difficulty.collect(
        config, plan.events, plan.seed, Purpose.TRAIN, label=labels[0], run=run
    )
    # Judged against the exact law however the log was filled.
    exact = replace(config, train=replace(plan, law="exact"))
    held_out = difficulty.collect(
        exact, plan.held_out, plan.seed, Purpose.HELD_OUT, label=labels[1], run=run
    )
    if run:
        run.all_counted()
    fit = fit_surface(log, held_out, config.surface, label=labels[2])
    return Checkpoint(name, log, held_out, fit, tb2learn.__version__)


def summary(checkpoint: Checkpoint) -> dict[str, Any]:
    """What a table or a report says of where it comes from; valid JSON."""
    plan = checkpoint.config.train
    return {
        "name": checkpoint.name,
        "version": checkpoint.version,
        "config": to_dict(checkpoint.config),
        "events": plan.events,
        "seed": plan.seed,
        "deviance": checkpoint.fit.deviance,
        "held_out_events": plan.held_out,
        "held_out_deviance": checkpoint.fit.held_out_deviance,
        "held_out_noise": checkpoint.fit.held_out_noise,
    }


def save(checkpoint: Checkpoint, folder: Path) -> tuple[Path, Path]:
    """Write `NAME.npz` and `NAME.json`, each whole or not at all.

    **Returns:** the two paths.
    """
    data = files.pack_arrays(
        {
            "coefficients": checkpoint.fit.surface.coefficients,
            "losses": checkpoint.fit.losses,
            "counts": checkpoint.log.counts,
            "held_out_counts": checkpoint.held_out.counts,
        },
        {"schema": SCHEMA, "name": checkpoint.name},
    )
    header = {
        "schema": SCHEMA,
        **summary(checkpoint),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    arrays_path = folder / f"{checkpoint.name}.npz"
    header_path = folder / f"{checkpoint.name}.json"
    files.write_bytes(arrays_path, data)
    files.write_text(header_path, json.dumps(header, indent=2, allow_nan=False) + "\n")
    return arrays_path, header_path


def load(source: str | Path) -> Checkpoint:
    """Read a checkpoint by its path (either file) or the name of a committed one.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    header_path = find_file(
        Path(source).with_suffix(".json") if Path(source).suffix == ".npz" else source,
        "checkpoints",
        ".json",
    )
    try:
        header = json.loads(header_path.read_text(encoding="utf-8"))
        if not isinstance(header, dict) or "schema" not in header:
            raise InputError("not a checkpoint of this program")
        if header["schema"] != SCHEMA:
            raise InputError(f"schema must be {SCHEMA}, got {header['schema']!r}")
        config = from_dict(header["config"])
        name = check_name("name", str(header["name"]))
        stored, version = str(header["sha256"]), str(header["version"])
        judged = [float(header[k]) for k in ("deviance", "held_out_deviance", "held_out_noise")]
    except OSError as error:
        raise InputError(f"{header_path}: cannot be read: {error.strerror}") from error
    except KeyError as error:
        raise InputError(f"{header_path}: missing key {error}") from error
    except (InputError, ValueError, TypeError, RecursionError) as error:
        reason = error if isinstance(error, InputError) else "damaged: not a checkpoint's header"
        raise InputError(f"{header_path}: {reason}") from error

    path = header_path.with_suffix(".npz")
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if digest != stored:
        raise InputError(f"{path}: damaged: its checksum is not the one in {header_path.name}")
    arrays, _ = files.read_arrays(path)
    _check_arrays(path, arrays, config)
    surface = Surface(arrays["coefficients"], config.event.rounds)
    plan = config.train
    unit = difficulty.unit_of(config)
    log = DifficultyLog(
        arrays["counts"], unit, config, ((plan.seed, int(Purpose.TRAIN), 0, plan.events),)
    )
    exact = replace(config, train=replace(plan, law="exact"))
    held_out = DifficultyLog(
        arrays["held_out_counts"],
        difficulty.unit_of(exact),
        exact,
        ((plan.seed, int(Purpose.HELD_OUT), 0, plan.held_out),),
    )
    return Checkpoint(name, log, held_out, Fit(surface, arrays["losses"], *judged), version)


def _check_arrays(path: Path, arrays: Mapping[str, np.ndarray], config: Config) -> None:
    shares, basis = config.event.max_match_points + 1, config.surface.knots + DEGREE
    counts = (shares, shares, config.event.max_half_points + 1)
    expected = {
        "coefficients": ((config.event.max_half_points, basis, basis), np.float64),
        "losses": ((config.surface.steps,), np.float64),
        "counts": (counts, np.int64),
        "held_out_counts": (counts, np.int64),
    }
    for key, (shape, dtype) in expected.items():
        if key not in arrays or arrays[key].shape != shape or arrays[key].dtype != dtype:
            raise InputError(f"{path}: {key} must be {np.dtype(dtype)} of shape {shape}")
    if not np.isfinite(arrays["coefficients"]).all():
        raise InputError(f"{path}: coefficients must be finite")
