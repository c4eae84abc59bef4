"""Train a rule, and keep it with everything that it depends on in one file.

`NAME.npz` holds the arrays and a header, both under a checksum. It is data only: nothing in it is
executed, and no path in it is followed. As it is one file, it is replaced in one step. Tables of
fewer passes need no files: they are parts of the longest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tb2learn.config import Config, NotFound, check_name, find_file, from_dict
from tb2learn.disk import files
from tb2learn.text import quoted
from tb2learn.tiebreaks.rules import rule_in_use
from tb2learn.training.chapters import BETTER, DIFFICULTY, difficulty_plan
from tb2learn.training.objectives import (
    KINDS,
    Arrays,
    Checkpoint,
    Findings,
    chapters_from_file,
    check_plan,
    summary,
    todays_name,
    with_difficulty,
)
from tb2learn.types import InputError
from tb2learn.version import NUMBERS

if TYPE_CHECKING:
    from tb2learn.running.runs import Run
    from tb2learn.simulation.event_store import EventStore
    from tb2learn.simulation.simulate import Progress

SCHEMA = 2
"""Version of the file."""


def train(
    config: Config, name: str | None = None, progress: bool = False, run: Run | None = None
) -> Checkpoint:
    """Train a rule on simulated events, in three chapters (see `chapters`).

    **Arguments:**

    - `config`: `config.train` says what is fitted, to how many events, of which seed.
    - `name`: of the checkpoint; the configuration's if not given.
    - `progress`: shows progress bars on standard error.
    - `run`: keeps the counts while they grow.

    **Returns:** a `Checkpoint` that depends on `config` and `name` only.

    **Raises:** `InputError` for events that are not ranked in one table.
    """
    from threadpoolctl import threadpool_limits

    from tb2learn.simulation.event_store import EventStore
    from tb2learn.simulation.simulate import Progress

    name = check_name("checkpoint name", name or config.name)
    if config.train.objective == "decisions":  # the shorter tables have such names
        check_name("checkpoint name", f"{name}-pass{config.decisions.passes}")
    check_name("checkpoint name", f"{name}-{DIFFICULTY}")
    config.event.check_one_table("training")
    bar, store = Progress("train" if progress else None, run), EventStore()
    objective = config.train.objective
    # On more threads, linear algebra may round otherwise.
    with threadpool_limits(1, user_api="blas"):
        # 1. How hard is a result? A training of the difficulty has this chapter for its rule.
        first = None if objective == DIFFICULTY else _first_chapter(config, bar, store)
        # 2. What decides ties?
        checkpoint = KINDS[objective].train(config, bar, store)
        trained = Checkpoint(name, config, NUMBERS, *checkpoint)
        # 3. Is it better?
        return _with_verdict(with_difficulty(trained, *first) if first else trained, bar, store)


def with_chapters(
    trained: Checkpoint, progress: bool = False, run: Run | None = None
) -> Checkpoint:
    """A checkpoint with the first and the last chapter of its training; its rule is unchanged.

    They are as `train` would have made them.

    **Arguments:** `progress`, `run`: as for `train`.
    """
    from threadpoolctl import threadpool_limits

    from tb2learn.simulation.event_store import EventStore
    from tb2learn.simulation.simulate import Progress

    bar, store = Progress("train" if progress else None, run), EventStore()
    with threadpool_limits(1, user_api="blas"):
        # A checkpoint of the difficulty has its first chapter as it is.
        if trained.difficulty() is not trained:
            trained = with_difficulty(trained, *_first_chapter(trained.config, bar, store))
        return _with_verdict(trained, bar, store)


def _first_chapter(
    config: Config, progress: Progress, store: EventStore
) -> tuple[Arrays, Findings]:
    """How hard a result is: the log and its surface."""
    return KINDS[DIFFICULTY].train(difficulty_plan(config), progress, store)


def _with_verdict(trained: Checkpoint, progress: Progress, store: EventStore) -> Checkpoint:
    """Whether it is better: the errors of FIDE's rule and of the surface, beside the rule's."""
    from tb2learn.training.fit_tables import count_held_out

    surface, event = trained.difficulty(), trained.config.event
    # The first chapter goes before, so there is one.
    assert surface
    today = rule_in_use(event.rounds, event.boards, event.format == "round-robin")
    rules = [today, surface.rule()]
    bar = replace(progress.part(BETTER), stage="held-out-rules")
    fide, ours = count_held_out([rule.tiebreak for rule in rules], trained.config, bar, store)
    if progress.run:
        progress.run.all_counted()
    errors = {todays_name(trained.config): fide.held_out_errors, DIFFICULTY: ours.held_out_errors}
    judged = {"held_out": {"pairs": fide.held_out_pairs, **errors}}
    return replace(trained, findings={**trained.findings, **judged})


def save(checkpoint: Checkpoint, folder: Path) -> Path:
    """Write `NAME.npz` in a folder, whole or not at all.

    **Returns:** its path.

    **Raises:** `InputError` if it cannot be written.
    """
    path = folder / f"{checkpoint.name}.npz"
    files.write_arrays(path, checkpoint.arrays, {"schema": SCHEMA, **summary(checkpoint)})
    return path


def load(source: str | Path) -> Checkpoint:
    """Read a checkpoint by its path or the name of a committed one.

    `NAME-pass1` is the table after the first pass of `NAME`, and `NAME-difficulty` the table of its
    difficulty surface, unless there is a checkpoint of this name.

    **Raises:** `InputError`, one line naming the file, if anything about it is wrong.
    """
    path = Path(source)
    try:
        return _read(find_file(path, "checkpoints", ".npz"))
    except NotFound as error:
        # No file has the name: it may be a part of another checkpoint.
        longer = re.fullmatch(r"(.+)-(pass[1-9][0-9]?|difficulty)", path.name.removesuffix(".npz"))
        if longer is None:
            raise
        try:
            whole = load(path.with_name(longer[1] + path.suffix))
        except NotFound:
            # The name that was asked for is what is not there.
            raise error from None
        parts_by_name = {part.name: part for part in whole.parts()}
        wanted = f"{whole.name}-{longer[2]}"
        if wanted not in parts_by_name:
            has = ", ".join(parts_by_name) or "no table of fewer passes and no difficulty log"
            raise NotFound(f"{source}: {whole.name} has {has}") from None
        return parts_by_name[wanted]


def _read(path: Path) -> Checkpoint:
    """The checkpoint in a file."""
    arrays, header = files.read_arrays(path)
    try:
        if header.get("schema") != SCHEMA:
            raise InputError(f"schema must be {SCHEMA}, got {header.get('schema')!r}")
        config = from_dict(header["config"])
        name = check_name("name", _text(header, "name"))
        check_plan(header, config)
        findings = KINDS[config.train.objective].from_file(config, header, arrays)
        findings |= chapters_from_file(config, header, arrays)
        return Checkpoint(name, config, _text(header, "version"), arrays, findings)
    except KeyError as error:
        raise InputError(f"{path}: missing key {error}") from error
    except (InputError, ValueError, TypeError, RecursionError, OverflowError) as error:
        # Headers come from outside, and whatever fails in one is a damaged file.
        reason = error if isinstance(error, InputError) else "damaged, or not a checkpoint's header"
        raise InputError(f"{path}: {reason}") from error


def _text(header: Mapping[str, Any], key: str) -> str:
    """A name or version of a header.

    **Raises:** `InputError` if it is none.
    """
    text = header[key]
    if not (isinstance(text, str) and text.isprintable() and 1 <= len(text) <= 100):
        raise InputError(f"{key} must be a text of 1..100 characters, got {quoted(str(text)[:99])}")
    return text
