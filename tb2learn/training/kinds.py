"""The kinds of checkpoint: a difficulty surface, a table in passes, the constants of a formula.

Each kind knows how it is trained, which rule it makes, and how it is written and read: `findings`
in the header, `arrays` in the arrays file, see `checkpoint`. What trains is imported when it does:
to read a checkpoint needs neither the simulator nor JAX.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tb2learn.config import Config, Objective, check_name, to_dict
from tb2learn.simulation.streams import EventRange, Purpose
from tb2learn.text import quoted
from tb2learn.tiebreaks.rules import (
    FULL_POINTS,
    Formula,
    LookupTable,
    PassTable,
    Rule,
    formula_rule,
)
from tb2learn.training.difficulty_log import DifficultyLog, unit_of
from tb2learn.training.surface import DEGREE, DecisionFit, Fit, PassFit, Surface, ValueSurface
from tb2learn.training.tabulate import pass_table, surface_table
from tb2learn.types import InputError, whole_number, within

if TYPE_CHECKING:
    from tb2learn.simulation.run import Progress

Origin: TypeAlias = tuple[str, Config, str]
"""Name, configuration and version of a checkpoint."""

ArrayShapes: TypeAlias = dict[str, tuple[tuple[int, ...], type[np.generic]]]
"""Shape and type of arrays by name."""

MOST_NUMBER = 1e4
"""Most, up or down, of a number of a checkpoint that is no count. None that training makes is near
it; much larger ones overflow."""

_LEAST_SCALE = 0.01
"""Least scale of a formula: of a smaller one the expected points of the largest lead overflow."""

_MOST_COUNT = 2**53

_DEVIANCES = ("deviance", "held_out_deviance", "held_out_noise")
"""The findings of a surface's fit."""

_FINER = 1000
"""The unrounded table is tabulated this many times finer."""


@dataclass(frozen=True)
class Checkpoint(ABC):
    """A trained rule and the record of its training.

    **Fields:**

    - `name`: of the checkpoint, and of the rule it makes.
    - `config`: the configuration it was trained with.
    - `version`: of the program that trained it.
    """

    name: str
    config: Config
    version: str

    @abstractmethod
    def rule(self, rounds: int | None = None) -> Rule:
        """The rule for a number of rounds (those of the training if not given)."""

    @abstractmethod
    def unrounded(self) -> Rule | None:
        """The rule with a finer table, to measure what rounding does; None without a table."""

    @abstractmethod
    def findings(self) -> dict[str, Any]:
        """The constants if there are any, and how well it fits; valid JSON."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """What is kept in the arrays file."""

    def shorter_tables(self) -> list[Checkpoint]:
        """Checkpoints of the same training with fewer passes; none for rules without passes."""
        return []

    @classmethod
    @abstractmethod
    def train(cls, name: str, config: Config, version: str, progress: Progress) -> Checkpoint:
        """Simulate and fit."""

    @classmethod
    @abstractmethod
    def from_files(
        cls, known: Origin, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
    ) -> Checkpoint:
        """The checkpoint from a header with `findings`, and arrays, which are `expected_arrays`.

        **Raises:** `InputError` or `KeyError` for anything that is not what `findings` writes.
        """

    @classmethod
    @abstractmethod
    def expected_arrays(cls, config: Config) -> ArrayShapes:
        """Shape and type of every array of `arrays`."""


@dataclass(frozen=True)
class SurfaceCheckpoint(Checkpoint):
    """The difficulty surface with its log, its held-out log and the record of its fit.

    **Fields:** those of `Checkpoint`, and

    - `log`, `held_out`: difficulty logs of the training events and of the events never fitted.
    - `fit`: the surface and how well it fits.
    """

    log: DifficultyLog
    held_out: DifficultyLog
    fit: Fit

    def rule(self, rounds: int | None = None) -> LookupTable:
        """The lookup table."""
        return surface_table(self.fit.surface, self.name, rounds, summary(self))

    def unrounded(self) -> LookupTable:
        """The table in thousandths of its points."""
        fine = _FINER * FULL_POINTS
        return surface_table(self.fit.surface, self.name, None, summary(self), full_points=fine)

    def findings(self) -> dict[str, Any]:
        """Deviances of the fit."""
        return {name: getattr(self.fit, name) for name in _DEVIANCES}

    def arrays(self) -> dict[str, np.ndarray]:
        """Coefficients, losses and both logs."""
        return {
            "coefficients": self.fit.surface.coefficients,
            "losses": self.fit.losses,
            "counts": self.log.counts,
            "held_out_counts": self.held_out.counts,
        }

    @classmethod
    def train(
        cls, name: str, config: Config, version: str, progress: Progress
    ) -> SurfaceCheckpoint:
        """Simulate both logs and fit the surface to the first."""
        from tb2learn.training.difficulty import collect
        from tb2learn.training.surface_fit import fit_surface

        training, held_out = _log_events(config)
        log = collect(config, training, progress=progress.part("simulate"))
        judged = collect(_exact(config), held_out, progress=progress.part("hold out"))
        if progress.run:
            progress.run.all_counted()
        fit = fit_surface(log, judged, config.surface, label=progress.part("fit").label)
        return cls(name, config, version, log, judged, fit)

    @classmethod
    def from_files(
        cls, known: Origin, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
    ) -> SurfaceCheckpoint:
        """The surface, its losses and both logs."""
        _, config, _ = known
        found = [within(name, header[name], -MOST_NUMBER, MOST_NUMBER) for name in _DEVIANCES]
        counts = arrays["counts"], arrays["held_out_counts"]
        log, held_out = (
            DifficultyLog(part, unit_of(logged), logged, events)
            for part, logged, events in zip(
                counts, (config, _exact(config)), _log_events(config), strict=True
            )
        )
        surface = Surface(arrays["coefficients"], config.event.rounds)
        fit = Fit(surface, arrays["losses"], *found)
        return cls(*known, log, held_out, fit)

    @classmethod
    def expected_arrays(cls, config: Config) -> ArrayShapes:
        """Coefficients, losses and both logs."""
        shares, thresholds = config.event.max_match_points + 1, config.event.max_half_points
        basis, counts = config.surface.knots + DEGREE, (shares, shares, thresholds + 1)
        return {
            "coefficients": ((thresholds, basis, basis), np.float64),
            "losses": ((config.surface.steps,), np.float64),
            "counts": (counts, np.int64),
            "held_out_counts": (counts, np.int64),
        }


def _log_events(config: Config) -> tuple[EventRange, EventRange]:
    """The events of the log that is fitted, and of the one that is held out."""
    plan = config.train
    return (
        EventRange(plan.seed, Purpose.TRAIN, plan.events),
        EventRange(plan.seed, Purpose.HELD_OUT, plan.held_out),
    )


def _exact(config: Config) -> Config:
    """The configuration of the held-out log, which always adds up exact laws."""
    return replace(config, train=replace(config.train, law="exact"))


@dataclass(frozen=True)
class PassCheckpoint(Checkpoint):
    """The surfaces of a table in passes.

    **Fields:** those of `Checkpoint`, and

    - `fit`: the surface of every pass, and how well it decides.
    """

    fit: DecisionFit

    def rule(self, rounds: int | None = None) -> PassTable:
        """The tables of all passes."""
        return self._table(rounds, 1)

    def unrounded(self) -> PassTable:
        """The same with the last pass in thousandths of its points."""
        return self._table(None, _FINER)

    def _table(self, rounds: int | None, finer: int) -> PassTable:
        plan, known = self.config.decisions, summary(self)
        surfaces = self.fit.surfaces
        return pass_table(surfaces, self.name, rounds, known, plan.reduced, finer, plan.ratings)

    def findings(self) -> dict[str, Any]:
        """Tied pairs and errors on the held-out events, after every pass."""
        return {"passes": [_judged(part) for part in self.fit.passes]}

    def arrays(self) -> dict[str, np.ndarray]:
        """Coefficients, par and losses of every pass."""
        return {
            "coefficients": np.stack([s.coefficients for s in self.fit.surfaces]),
            "par": np.stack([s.par for s in self.fit.surfaces]),
            "losses": np.stack([part.losses for part in self.fit.passes]),
        }

    def shorter(self, passes: int) -> PassCheckpoint:
        """The checkpoint of the first passes, as training with so few would have made it."""
        plan = replace(self.config.decisions, passes=passes)
        fit = DecisionFit(self.fit.surfaces[:passes], self.fit.passes[:passes])
        config = replace(self.config, decisions=plan)
        return replace(self, name=f"{self.name}-pass{passes}", config=config, fit=fit)

    def shorter_tables(self) -> list[Checkpoint]:
        """The first pass, the first two, and so on; none if the last pass is fitted otherwise."""
        plan = self.config.decisions
        if self.config.worlds or plan.fairness or plan.ratings:
            return []
        return [self.shorter(passes) for passes in range(1, len(self.fit.surfaces))]

    @classmethod
    def train(cls, name: str, config: Config, version: str, progress: Progress) -> PassCheckpoint:
        """Fit one pass after the other."""
        from tb2learn.training.pairwise import fit_passes

        # The shorter tables are saved under such names; this is the longest.
        check_name("checkpoint name", f"{name}-pass{config.decisions.passes}")
        return cls(name, config, version, fit_passes(config, progress))

    @classmethod
    def from_files(
        cls, known: Origin, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
    ) -> PassCheckpoint:
        """The surfaces of all passes and how well they decide."""
        rounds = known[1].event.rounds
        surfaces = tuple(
            ValueSurface(coefficients, par, rounds)
            for coefficients, par in zip(arrays["coefficients"], arrays["par"], strict=True)
        )
        return cls(*known, DecisionFit(surfaces, _parsed_passes(header, arrays["losses"])))

    @classmethod
    def expected_arrays(cls, config: Config) -> ArrayShapes:
        """Coefficients, par and losses of every pass."""
        event, plan = config.event, config.decisions
        basis = plan.knots + DEGREE
        coefficients = (plan.passes, event.max_half_points + 1, basis, basis)
        return {
            "coefficients": (coefficients, np.float64),
            "par": ((plan.passes, event.max_match_points + 1), np.float64),
            "losses": ((plan.passes, plan.steps), np.float64),
        }


@dataclass(frozen=True)
class FormulaCheckpoint(Checkpoint):
    """The constants of a formula.

    **Fields:** those of `Checkpoint`, and

    - `scale`, `refinement`: in shares of the most match points, see `tiebreaks.rules.Formula`.
    - `fit`: how well it decides.
    """

    scale: float
    refinement: float
    fit: PassFit

    def rule(self, rounds: int | None = None) -> Formula:
        """The formula."""
        event = self.config.event
        return formula_rule(
            self.name,
            rounds or event.rounds,
            event.boards,
            self.scale,
            self.refinement,
            self.config.decisions.passes,
            trained_rounds=event.rounds,
            provenance=summary(self),
        )

    def unrounded(self) -> None:
        """None: a formula is not rounded."""

    def findings(self) -> dict[str, Any]:
        """The constants; tied pairs and errors on the held-out events."""
        return {
            "scale": self.scale,
            "refinement": self.refinement,
            "passes": [_judged(self.fit)],
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The losses."""
        return {"losses": self.fit.losses[None]}

    @classmethod
    def train(
        cls, name: str, config: Config, version: str, progress: Progress
    ) -> FormulaCheckpoint:
        """Fit both constants."""
        from tb2learn.training.pairwise import fit_formula

        formula, fit = fit_formula(config, progress)
        return cls(name, config, version, formula.scale, formula.refinement, fit)

    @classmethod
    def from_files(
        cls, known: Origin, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
    ) -> FormulaCheckpoint:
        """The constants and how well they decide."""
        scale = within("scale", header["scale"], _LEAST_SCALE, MOST_NUMBER)
        refinement = within("refinement", header["refinement"], -MOST_NUMBER, MOST_NUMBER)
        return cls(*known, scale, refinement, *_parsed_passes(header, arrays["losses"]))

    @classmethod
    def expected_arrays(cls, config: Config) -> ArrayShapes:
        """The losses."""
        steps = max(1, config.train.events // config.decisions.step_events)
        return {"losses": ((1, steps), np.float64)}


KINDS: dict[Objective, type[Checkpoint]] = {
    "difficulty": SurfaceCheckpoint,
    "decisions": PassCheckpoint,
    "formula": FormulaCheckpoint,
}
"""The kind of checkpoint that each objective of `config.TrainConfig` makes."""


def summary(checkpoint: Checkpoint) -> dict[str, Any]:
    """Where a trained rule comes from and how well it fits, for tables and reports; valid JSON."""
    return {
        "name": checkpoint.name,
        "version": checkpoint.version,
        "config": to_dict(checkpoint.config),
        **_plan(checkpoint.config),
        **checkpoint.findings(),
    }


def check_plan(header: Mapping[str, Any], config: Config) -> None:
    """Check that a header names the events of its configuration.

    **Raises:** `InputError` naming what differs.
    """
    for key, value in _plan(config).items():
        if header.get(key, value) != value:
            found = quoted(str(header[key])[:99])
            raise InputError(f"{key} must be {value} as in its configuration, got {found}")


def _plan(config: Config) -> dict[str, int]:
    """What a header repeats of its configuration."""
    plan = config.train
    return {"events": plan.events, "seed": plan.seed, "held_out_events": plan.held_out}


def _judged(part: PassFit) -> dict[str, Any]:
    """Tied pairs and errors of a pass, for a header, and the descents if there were several."""
    facts = asdict(part)
    del facts["losses"]
    if part.descents == 1:
        del facts["descents"]
    return facts


def _parsed_passes(header: Mapping[str, Any], losses: np.ndarray) -> tuple[PassFit, ...]:
    """How well every pass of a header decides; the losses of each are a row of an array."""
    passes = header["passes"]
    if not (isinstance(passes, list) and all(isinstance(one, dict) for one in passes)):
        raise InputError("passes must be a list of tables")
    if len(passes) != len(losses):
        raise InputError(f"passes must be a list of {len(losses)}, got {len(passes)}")
    found = []
    for one, of_pass in zip(passes, losses, strict=True):
        pairs = whole_number("held_out_pairs", one["held_out_pairs"], 0, _MOST_COUNT)
        errors = within("held_out_errors", one["held_out_errors"], 0, pairs)
        descents = whole_number("descents", one.get("descents", 1), 1, _MOST_COUNT)
        found.append(PassFit(of_pass, pairs, errors, descents))
    return tuple(found)
