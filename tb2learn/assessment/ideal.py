"""An ideal rule beside the rules of an assessment: the posterior mean, on the same events.

It knows the law of the field and sees all results, but no seeds. What a rule prefers the higher of
two nearly equal seeds more than the ideal does is not forced by the pairing. A posterior mean takes
long, so its counts are kept: in this process, and in the user's cache folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tb2learn.assessment.references import PosteriorMean, Reference, reference
from tb2learn.assessment.single_event import single_event_tally
from tb2learn.assessment.tally import BLOCKS, SEED_KINDS, TOPS, SeedCounts, Tally
from tb2learn.config import Config, Setting, plain
from tb2learn.disk import files
from tb2learn.simulation.given import Events, GivenEvents
from tb2learn.simulation.purposes import EventRange
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import InputError
from tb2learn.version import NUMBERS

MOST_IDEAL = 5000
"""Events on which rules are held against the ideal, at most: the first ones of an assessment."""

_LIMIT = 1 << 24
"""Most bytes of a file of kept counts: a thousand blocks need less than a megabyte."""


def ideal_beside(
    config: Config,
    judged: Sequence[Rule | Reference],
    tally: Tally,
    events: Events,
    progress: Progress,
) -> Tally:
    """The tally of rules, with the ideal as the last one, on the first events of an assessment.

    **Arguments:** the world, rules, their tally, and of which events it is.
    """
    few = events.up_to(MOST_IDEAL)
    if few.events < events.events:
        shown = replace(progress.part("the first events"), stage="first")
        tally = single_event_tally(config, judged, few, shown)
    shown = replace(progress.part("ideal rule"), stage="ideal")
    return tally.beside(ideal_tally(config, few, shown))


def ideal_tally(config: Config, events: Events, progress: Progress) -> Tally:
    """The counts of the posterior mean alone; those that were counted before are read.

    Those of given events are not kept: nobody knows what was changed in them.
    """
    name = None if isinstance(events, GivenEvents) else kept_name(config.setting, events)
    blocks = min(events.events, BLOCKS)
    kept = _kept(name, blocks) if name else None
    if kept is None:
        ideal = reference(PosteriorMean.name, config.setting)
        tally = single_event_tally(config, [ideal], events, progress)
        assert tally.seeds is not None
        kept = tally.pairs, tally.errors, tally.seeds.pairs, tally.seeds.halves
        if name:
            _keep(name, kept)
    pairs, errors, kinds, halves = kept
    return Tally((PosteriorMean.name,), pairs, errors, 2, None, SeedCounts(kinds, halves))


def kept_name(setting: Setting, events: EventRange) -> str:
    """The name under which counts are kept, of all that they depend on."""
    about = [NUMBERS, plain(setting), events.events, events.seed, events.purpose.name]
    # Assessments begin with the first event, so that only others need to name theirs.
    about += [events.first] if events.first else []
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
    return f"ideal-{digest}.npz"


_Counts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_PARTS = ("pairs", "errors", "kinds", "halves")
_IN_PROCESS: dict[str, _Counts] = {}


def _folder() -> Path | None:
    """The folder of kept counts, beside that of compiled programs; None for none."""
    ours = os.environ.get("TB2LEARN_CACHE_DIR")
    if ours is None:
        import platformdirs

        ours = platformdirs.user_cache_path("tb2learn", appauthor=False)
    return Path(os.path.realpath(ours)) / "ideal" if ours else None


def _kept(name: str, blocks: int) -> _Counts | None:
    """Counts of this process or of the folder; None for none, and for a file that is no such one.

    A file that is damaged, or that somebody else may have written, costs time only.
    """
    if name in _IN_PROCESS or (folder := _folder()) is None:
        return _IN_PROCESS.get(name)
    tops, kinds = len(TOPS), len(SEED_KINDS)
    shapes = (blocks, tops), (blocks, 1, tops), (blocks, kinds, tops), (blocks, kinds, 1, tops)
    try:
        arrays, _ = files.read_arrays(folder / name, _LIMIT, own=True)
    except InputError:
        return None
    for part, shape in zip(_PARTS, shapes, strict=True):
        array = arrays.get(part)
        if array is None or array.shape != shape or array.dtype != np.int64 or (array < 0).any():
            return None
    pairs, errors, kinds_of_pairs, halves = (arrays[part] for part in _PARTS)
    _IN_PROCESS[name] = pairs, errors, kinds_of_pairs, halves
    return _IN_PROCESS[name]


def _keep(name: str, counts: _Counts) -> None:
    """Keep counts; a folder that cannot be written to costs time only."""
    _IN_PROCESS[name] = counts
    if folder := _folder():
        with contextlib.suppress(InputError):
            parts: dict[str, np.ndarray] = dict(zip(_PARTS, counts, strict=True))
            files.write_arrays(folder / name, parts, {}, private=True)
