"""A checkpoint is arrays and findings; its kind knows how it is trained, read and made a rule.

There are three: a difficulty surface, a table in passes, and the constants of a formula. The last
two also hold the first chapter of their training: a difficulty log and its surface. What trains is
imported when it does: to read a checkpoint needs neither the simulator nor JAX.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tb2learn.config import Config, Objective, to_dict
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.text import quoted
from tb2learn.tiebreaks.library import baseline
from tb2learn.tiebreaks.rules import FULL_POINTS, Rule, formula_rule
from tb2learn.training.chapters import DIFFICULTY, HARD, difficulty_plan
from tb2learn.training.surface import DEGREE, Surface, ValueSurface
from tb2learn.training.tabulate import pass_table, surface_table
from tb2learn.types import InputError, whole_number, within

if TYPE_CHECKING:
    from tb2learn.simulation.event_store import EventStore
    from tb2learn.simulation.simulate import Progress
    from tb2learn.training.difficulty_log import DifficultyLog

Arrays: TypeAlias = Mapping[str, np.ndarray]
Findings: TypeAlias = dict[str, Any]
"""How well a rule fits, and the constants of a formula: valid JSON."""

_MOST_NUMBER = 1e4
"""Most, up or down, of a number of a checkpoint that is no count. None that training makes is near
it; much larger ones overflow."""

_LEAST_SCALE = 0.01
"""Least scale of a formula: of a smaller one the expected points of the largest lead overflow."""

_MOST_COUNT = 2**53  # up to here a double has every whole number

_DEVIANCES = ("deviance", "held_out_deviance", "held_out_noise")
"""The findings of a surface's fit."""

_FINER = 1000
"""The unrounded table is tabulated this many times finer."""


@dataclass(frozen=True, eq=False, repr=False)
class Checkpoint:
    """A trained rule and the record of its training.

    **Fields:**

    - `name`: of the checkpoint, and of the rule it makes.
    - `config`: the configuration it was trained with.
    - `version`: of the program that trained it.
    - `arrays`: what the rule is made of, and the counts behind it, see its kind; those of the first
      chapter begin with `difficulty_`.
    - `findings`: the constants if there are any, and how well it fits; of a checkpoint with all
      chapters, `difficulty` is how well the first one fits, and `held_out` how well FIDE's rule and
      the surface decide.
    """

    name: str
    config: Config
    version: str
    arrays: Arrays
    findings: Findings

    def __repr__(self) -> str:
        """Its name, format and training in a line."""
        event, train = self.config.event, self.config.train
        return (
            f"<Checkpoint {self.name}: {train.objective}, {event.teams} teams, {event.rounds} "
            f"rounds, {event.boards} boards, {train.events} events, seed {train.seed}>"
        )

    def _repr_html_(self) -> str:
        """In a notebook: the line, and its rule."""
        return f"<p>{html.escape(repr(self))}</p>{self.rule()._repr_html_()}"

    def rule(self, rounds: int | None = None) -> Rule:
        """The rule for a number of rounds (those of the training if not given)."""
        return KINDS[self.config.train.objective].rule(self, rounds, 1)

    def unrounded(self) -> Rule | None:
        """The rule with a finer table, to measure what rounding does; None without a table."""
        rule = KINDS[self.config.train.objective].rule(self, None, _FINER)
        return rule if rule.has_tables else None

    def difficulty(self) -> Checkpoint | None:
        """The first chapter, as a training of the difficulty alone would have made it.

        A checkpoint of that objective is its own; None for those of earlier programs.
        """
        if self.config.train.objective == DIFFICULTY:
            return self
        if DIFFICULTY not in self.findings:
            return None
        findings = dict(self.findings[DIFFICULTY])
        # How many events there are is said by its configuration, too.
        counted = (findings.pop(key) for key in _LOG_EVENTS)
        return replace(
            self,
            name=f"{self.name}-{DIFFICULTY}",
            config=difficulty_plan(self.config, *counted),
            arrays={key: self.arrays[f"{DIFFICULTY}_{key}"] for key in _LOG_ARRAYS},
            findings=findings,
        )

    def parts(self) -> list[Checkpoint]:
        """What has a name of its own: `shorter_tables`, and `difficulty` beside another rule."""
        first = self.difficulty()
        return self.shorter_tables() + ([first] if first and first is not self else [])

    def shorter_tables(self) -> list[Checkpoint]:
        """The first pass of a table, the first two, and so on, as training would have made them.

        None for rules without passes, and if the last pass is fitted otherwise than the others.
        """
        plan = self.config.decisions
        is_table = self.config.train.objective == "decisions"
        if not is_table or self.config.worlds or plan.fairness or plan.others:
            return []
        return [self._shorter(passes) for passes in range(1, plan.passes)]

    def _shorter(self, passes: int) -> Checkpoint:
        plan = replace(self.config.decisions, passes=passes)
        return replace(
            self,
            name=f"{self.name}-pass{passes}",
            config=replace(self.config, decisions=plan),
            arrays={
                **self.arrays,
                **{key: self.arrays[key][:passes] for key in ("coefficients", "par", "losses")},
            },
            findings={**self.findings, "passes": self.findings["passes"][:passes]},
        )


class CheckpointKind(NamedTuple):
    """What is done otherwise for every kind of checkpoint.

    **Fields:**

    - `train`: simulates and fits, in a store of events; what it finds is arrays and findings.
    - `rule`: the rule for a number of rounds, its points so many times finer.
    - `from_file`: the findings of a header, after a check of it and of the arrays. Raises
      `InputError` or `KeyError` for anything that training does not write.
    """

    train: Callable[[Config, Progress, EventStore], tuple[Arrays, Findings]]
    rule: Callable[[Checkpoint, int | None, int], Rule]
    from_file: Callable[[Config, Mapping[str, Any], Arrays], Findings]


UNSETTLED = 0.01
"""The share of ties that a training on other events may decide otherwise; more is said of a table.

It stands in a checkpoint only where it is more, so that the files of good tables are as ever.
"""


def enough_events(about: Mapping[str, Any]) -> int | None:
    """How many events would do for a table of which `summary` says that it had too few, else None.

    The share of ties in dispute falls as the square root of the events. Two digits.
    """
    if "unsettled" not in about:
        return None
    events = about["events"] * (about["unsettled"] / UNSETTLED) ** 2
    step = 10 ** max(0, math.floor(math.log10(events)) - 1)
    return math.ceil(events / step) * step


def too_few_events(trained: Checkpoint) -> str:
    """A sentence on a table that was trained on too few events; empty for any other."""
    about = summary(trained)
    if (enough := enough_events(about)) is None:
        return ""
    return (
        f"trained on too few events: on {about['events']:,} others it would decide "
        f"{100 * about['unsettled']:.1f} % of the ties otherwise; with {enough:,} events it is "
        f"{100 * UNSETTLED:.0f} % (--events {enough})"
    )


def summary(checkpoint: Checkpoint) -> dict[str, Any]:
    """Where a trained rule comes from and how well it fits, for tables and reports; valid JSON."""
    return {
        "name": checkpoint.name,
        "version": checkpoint.version,
        "config": to_dict(checkpoint.config),
        **_plan(checkpoint.config),
        **checkpoint.findings,
    }


def check_plan(header: Mapping[str, Any], config: Config) -> None:
    """Check that a header names the events of its configuration.

    **Raises:** `InputError` naming what differs.
    """
    for key, value in _plan(config).items():
        if header.get(key, value) != value:
            written = quoted(str(header[key])[:99])
            raise InputError(f"{key} must be {value} as in its configuration, got {written}")


def _plan(config: Config) -> dict[str, int]:
    """What a header repeats of its configuration."""
    plan = config.train
    return {"events": plan.events, "seed": plan.seed, "held_out_events": plan.held_out}


def _check(arrays: Arrays, key: str, shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    """Check that an array of a checkpoint is there and can be calculated with.

    **Raises:** `InputError`, one line naming the array and what is allowed.
    """
    if key not in arrays or arrays[key].shape != shape or arrays[key].dtype != dtype:
        raise InputError(f"{key} must be {np.dtype(dtype)} of shape {shape}")
    array = arrays[key]
    if array.dtype.kind == "i":
        # Sums of counts are taken in 64 bits, which must hold them.
        if not ((array >= 0).all() and array.sum(dtype=np.float64) < 2**62):
            raise InputError(f"{key} must be counts, 0 or more, and add up to less than 2^62")
    elif not (np.abs(array) <= _MOST_NUMBER).all():  # also refuses NaN
        raise InputError(f"{key} must be within {-_MOST_NUMBER:g}..{_MOST_NUMBER:g}")


# --------------------------------------------------------------------------- the difficulty surface


def difficulty_logs(checkpoint: Checkpoint) -> tuple[DifficultyLog, DifficultyLog]:
    """The log that a surface was fitted to, and the one of events that were held out."""
    from tb2learn.training.difficulty_log import DifficultyLog, unit_of

    config = checkpoint.config
    training, held_out = _log_events(config)
    exact = _exact(config)
    return (
        DifficultyLog(checkpoint.arrays["counts"], unit_of(config.train.law), config, training),
        DifficultyLog(
            checkpoint.arrays["held_out_counts"], unit_of(exact.train.law), exact, held_out
        ),
    )


def difficulty_surface(checkpoint: Checkpoint) -> Surface:
    """The fitted surface of the difficulty of results."""
    return Surface(checkpoint.arrays["coefficients"], checkpoint.config.event.rounds)


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


def _train_surface(
    config: Config, progress: Progress, store: EventStore
) -> tuple[Arrays, Findings]:
    from tb2learn.training.difficulty_log import collect
    from tb2learn.training.fit_surface import fit_surface

    training, held_out = _log_events(config)
    log = collect(config, training, progress=progress.part(f"{HARD} log"), store=store)
    bar = progress.part(f"{HARD} held-out log")
    judged = collect(_exact(config), held_out, progress=bar, store=store)
    fit = fit_surface(log, judged, config.surface, progress.part(f"{HARD} surface"))
    arrays = {
        "coefficients": fit.surface.coefficients,
        "losses": fit.losses,
        "counts": log.counts,
        "held_out_counts": judged.counts,
    }
    # Processors differ in the last digits.
    digits = 17 if config.surface.steps else 6
    return arrays, {name: float(f"{getattr(fit, name):.{digits}g}") for name in _DEVIANCES}


def _surface_rule(checkpoint: Checkpoint, rounds: int | None, finer: int) -> Rule:
    about, points = summary(checkpoint), finer * FULL_POINTS
    return surface_table(difficulty_surface(checkpoint), checkpoint.name, rounds, about, points)


def _surface_from_file(config: Config, header: Mapping[str, Any], arrays: Arrays) -> Findings:
    shares, thresholds = config.event.max_match_points + 1, config.event.max_half_points
    basis, counts = config.surface.knots + DEGREE, (shares, shares, thresholds + 1)
    _check(arrays, "coefficients", (thresholds, basis, basis), np.float64)
    _check(arrays, "losses", (config.surface.steps,), np.float64)
    _check(arrays, "counts", counts, np.int64)
    _check(arrays, "held_out_counts", counts, np.int64)
    return {name: within(name, header[name], -_MOST_NUMBER, _MOST_NUMBER) for name in _DEVIANCES}


# --------------------------------------------------------------------------- all chapters

_LOG_EVENTS = ("events", "held_out_events")
_LOG_ARRAYS = ("coefficients", "losses", "counts", "held_out_counts")


def with_difficulty(checkpoint: Checkpoint, arrays: Arrays, findings: Findings) -> Checkpoint:
    """A checkpoint that also holds what a training by `difficulty_plan` found."""
    plan = difficulty_plan(checkpoint.config).train
    counted = dict(zip(_LOG_EVENTS, (plan.events, plan.held_out), strict=True))
    return replace(
        checkpoint,
        arrays={**checkpoint.arrays, **{f"{DIFFICULTY}_{key}": arrays[key] for key in arrays}},
        findings={**checkpoint.findings, DIFFICULTY: {**counted, **findings}},
    )


def chapters_from_file(config: Config, header: Mapping[str, Any], arrays: Arrays) -> Findings:
    """The findings of the chapters around a rule, as far as a file has them, after a check.

    **Raises:** `InputError` or `KeyError` for anything that training does not write.
    """
    findings: Findings = {}
    # 1. How hard is a result? Files of earlier programs do not say it.
    if DIFFICULTY in header and config.train.objective != DIFFICULTY:
        first = _table(header, DIFFICULTY)
        most_of_plan = config.train.events, config.train.held_out
        counted = {
            key: whole_number(f"{DIFFICULTY}.{key}", first[key], 1, limit)
            for key, limit in zip(_LOG_EVENTS, most_of_plan, strict=True)
        }
        plan = difficulty_plan(config, *counted.values())
        # The arrays under the names that a training of the difficulty gives them.
        theirs = {f"{DIFFICULTY}_{key}": key for key in _LOG_ARRAYS}
        own_arrays = {theirs[key]: array for key, array in arrays.items() if key in theirs}
        try:
            findings[DIFFICULTY] = {**counted, **_surface_from_file(plan, first, own_arrays)}
        except InputError as error:
            raise InputError(f"{DIFFICULTY}: {error}") from error
    # 3. Is it better? The findings of chapter 2 are those of the rule, read before.
    if "held_out" in header:
        judged = _table(header, "held_out")
        pairs = whole_number("held_out.pairs", judged["pairs"], 0, _MOST_COUNT)
        errors = {
            key: within(f"held_out.{key}", judged[key], 0, pairs)
            for key in (todays_name(config), DIFFICULTY)
        }
        findings["held_out"] = {"pairs": pairs, **errors}
    return findings


def _table(header: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A part of a header.

    **Raises:** `InputError` if it is none.
    """
    if not isinstance(header[key], dict):
        raise InputError(f"{key} must be a table of keys")
    return header[key]


def todays_name(config: Config) -> str:
    """Today's rule of a configuration's events, see `library.baseline`."""
    return baseline(config.event.boards, config.event.format == "round-robin")


def held_out_errors(checkpoint: Checkpoint) -> tuple[int, list[tuple[str, float]]]:
    """How the rules of all chapters decide the tied pairs that were held out.

    **Returns:** how many pairs; the name of every rule, and its errors: today's and the
    surface, unless the checkpoint is older than chapters, and the formula or the table by pass.
    """
    pairs, rules = 0, []
    if judged := checkpoint.findings.get("held_out"):
        first = todays_name(checkpoint.config)
        pairs, surface = judged["pairs"], "the difficulty surface"
        rules = [(first, judged[first]), (surface, judged[DIFFICULTY])]
    passes = checkpoint.findings.get("passes", ())
    last = "the formula" if checkpoint.config.train.objective == "formula" else "the table"
    for number, pass_ in enumerate(passes, start=1):
        # The same for all: every rule was judged on the same events.
        pairs = pass_["held_out_pairs"]
        name = last if number == len(passes) else f"pass {number} of the table"
        rules.append((name, pass_["held_out_errors"]))
    return pairs, rules


# --------------------------------------------------------------------------- tables in passes


def value_surfaces(checkpoint: Checkpoint) -> list[ValueSurface]:
    """The surface of every pass of a table."""
    passes = zip(checkpoint.arrays["coefficients"], checkpoint.arrays["par"], strict=True)
    rounds = checkpoint.config.event.rounds
    return [ValueSurface(coefficients, mean_value, rounds) for coefficients, mean_value in passes]


def _train_passes(config: Config, progress: Progress, store: EventStore) -> tuple[Arrays, Findings]:
    from tb2learn.training.fit_tables import fit_passes

    surfaces, judged, unsettled = fit_passes(config, progress, store)
    arrays = {
        "coefficients": np.stack([surface.coefficients for surface in surfaces]),
        # The name that the files have for it.
        "par": np.stack([surface.mean_value for surface in surfaces]),
        # Of version 1, whose tables could be improved by descent: files keep their bytes.
        "losses": np.zeros((len(surfaces), 0)),
    }
    few = {"unsettled": round(unsettled, 4)} if unsettled > UNSETTLED else {}
    return arrays, {"passes": [part._asdict() for part in judged], **few}


def _pass_rule(checkpoint: Checkpoint, rounds: int | None, finer: int) -> Rule:
    about = summary(checkpoint)
    return pass_table(value_surfaces(checkpoint), checkpoint.name, rounds, about, finer)


def _passes_from_file(config: Config, header: Mapping[str, Any], arrays: Arrays) -> Findings:
    event, plan = config.event, config.decisions
    basis = plan.knots + DEGREE
    shape = (plan.passes, event.max_half_points + 1, basis, basis)
    _check(arrays, "coefficients", shape, np.float64)
    _check(arrays, "par", (plan.passes, event.max_match_points + 1), np.float64)
    _check(arrays, "losses", (plan.passes, 0), np.float64)
    # It stands there only where the events were too few.
    few = "unsettled" in header
    limits = {"unsettled": within("unsettled", header["unsettled"], 0, 1)} if few else {}
    return {"passes": _judged(header, plan.passes), **limits}


def _judged(header: Mapping[str, Any], number: int) -> list[dict[str, Any]]:
    """Tied pairs and errors on the held-out events, of so many passes."""
    passes = header["passes"]
    if not (isinstance(passes, list) and all(isinstance(part, dict) for part in passes)):
        raise InputError("passes must be a list of tables")
    if len(passes) != number:
        raise InputError(f"passes must be a list of {number}, got {len(passes)}")
    judged = []
    for part in passes:
        pairs = whole_number("held_out_pairs", part["held_out_pairs"], 0, _MOST_COUNT)
        errors = within("held_out_errors", part["held_out_errors"], 0, pairs)
        judged.append({"held_out_pairs": pairs, "held_out_errors": errors})
        # Of a formula, where one descent was not enough.
        if "descents" in part:
            judged[-1]["descents"] = whole_number("descents", part["descents"], 1, _MOST_COUNT)
    return judged


# --------------------------------------------------------------------------- the formula


def _train_formula(
    config: Config, progress: Progress, store: EventStore
) -> tuple[Arrays, Findings]:
    from tb2learn.training.fit_formula import fit_formula

    formula, judged, descents = fit_formula(config, progress, store)
    several = {"descents": descents} if descents > 1 else {}
    return {}, {
        **formula.shares,
        "passes": [{**judged._asdict(), **several}],
    }


def _formula_rule(checkpoint: Checkpoint, rounds: int | None, finer: int) -> Rule:
    event, findings = checkpoint.config.event, checkpoint.findings
    return formula_rule(
        checkpoint.name,
        rounds or event.rounds,
        event.boards,
        findings["scale"],
        findings["refinement"],
        checkpoint.config.decisions.passes,
        trained_rounds=event.rounds,
        provenance=summary(checkpoint),
    )


def _formula_from_file(config: Config, header: Mapping[str, Any], arrays: Arrays) -> Findings:
    return {
        "scale": within("scale", header["scale"], _LEAST_SCALE, _MOST_NUMBER),
        "refinement": within("refinement", header["refinement"], -_MOST_NUMBER, _MOST_NUMBER),
        "passes": _judged(header, 1),
    }


KINDS: dict[Objective, CheckpointKind] = {
    "difficulty": CheckpointKind(_train_surface, _surface_rule, _surface_from_file),
    "decisions": CheckpointKind(_train_passes, _pass_rule, _passes_from_file),
    "formula": CheckpointKind(_train_formula, _formula_rule, _formula_from_file),
}
"""The kind of checkpoint that each objective of `config.TrainConfig` makes."""
