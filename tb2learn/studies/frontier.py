"""The frontier of error and seed bias: what a rule gains in real events by preferring seeds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float

from tb2learn.assessment.assess import Assessment
from tb2learn.assessment.references import HigherSeed, Reference
from tb2learn.assessment.single import single_event_tally
from tb2learn.assessment.tally import RESAMPLES, TOPS, Tally, summarise
from tb2learn.catalogue import find_judged
from tb2learn.config import Config, load_config
from tb2learn.disk import files
from tb2learn.export.assessment import assessment_json
from tb2learn.simulation.run import Progress
from tb2learn.stats.bootstrap import interval, resamples
from tb2learn.studies.frontier_report import BATUMI, REAL, TOP, curve_names, render_frontier
from tb2learn.studies.frontier_rules import frontier_rules
from tb2learn.studies.worlds import FAIR, FORMULA, LEARNED, ROSTERS, SEEDED, WORLD
from tb2learn.tiebreaks.rules import Rule

RIVALS = (
    *("buchholz-cut1", "row-sum", "least-squares", FORMULA, LEARNED, FAIR),
    *("true-opponents", HigherSeed.name),
)


def frontier(folder: Path, trained: int, events: int, seed: int) -> Path:
    """Fit families of rules, judge them by error and seed bias, and write the report.

    **Arguments:**

    - `folder`: where `README.md`, the figure, `frontier.csv` and `frontier.json` go.
    - `trained`: events of every world that the rules are fitted to.
    - `events`: assessment events of `SEEDED`; half as many of every other world.
    - `seed`: of all streams, which share no random numbers.

    **Returns:** the path of the report.
    """
    files.check_folder(folder)
    tables, best_ridge = frontier_rules(trained, seed)
    half = max(1, events // 2)
    # The shipped table of the chosen kind only where nothing is chosen.
    shipped = (*RIVALS, ROSTERS)
    rules = {SEEDED: RIVALS, WORLD: (LEARNED, FAIR), REAL: shipped, BATUMI: shipped}
    worlds: dict[str, tuple[Config, int, list[Rule | Reference]]] = {}
    for name, known in rules.items():
        config = load_config(name)
        count = events if name == SEEDED else half
        fitted = () if name == BATUMI else tables
        worlds[name] = (config, count, [*find_judged(known, config), *fitted])
    content = []
    for name, (config, count, judged) in worlds.items():
        tally = single_event_tally(config, judged, count, seed, Progress(name))
        found = summarise(tally, seed)
        result = Assessment("single", None, count, seed, config, found, None)
        one = {"world": name, "trained": trained, **json.loads(assessment_json(result))}
        if name == SEEDED:
            one["best_ridge"] = best_ridge
        if tally.seeds and name != BATUMI:
            one["above_curve"] = above_curve(tally, curve_names(), seed)
        if name == WORLD:
            one["above_learned"] = above_rule(tally, LEARNED, seed)
        content.append(one)
    files.write_text(folder / "frontier.json", json.dumps(content, indent=1) + "\n")
    return render_frontier(folder)


# ------------------------------------------------------------------------------- comparisons


def above_curve(tally: Tally, curve: Sequence[str], seed: int) -> dict[str, list[float]]:
    """How much more every rule errs than the curve does at the same near-equal preference.

    **Arguments:**

    - `tally`: in a world whose seeds are not random.
    - `curve`: rules between which error and preference are interpolated.
    - `seed`: of the resampling.

    **Returns:** by rule the difference in error at top `TOP`, and both ends of its 95 % interval.
    """
    errors, near = _errors_and_preferences(tally, seed)
    at = [tally.rules.index(name) for name in curve]
    excess = np.empty_like(errors)
    for e, n, out in zip(errors, near, excess, strict=True):
        order = np.argsort(n[at])
        out[:] = e - np.interp(n, n[at][order], e[at][order])
    return _with_ends(tally.rules, excess)


def above_rule(tally: Tally, rule: str, seed: int) -> dict[str, list[float]]:
    """How much more every rule errs than one of them, at top `TOP`, with 95 % intervals."""
    weights = _weights(tally, seed)
    column = TOPS.index(TOP)
    errors = weights @ tally.errors[:, :, column] / tally.unit
    errors /= weights @ tally.pairs[:, column, None]
    base = errors[:, [tally.rules.index(rule)]]
    return _with_ends(tally.rules, errors - base)


def _weights(tally: Tally, seed: int) -> Float[np.ndarray, "times blocks"]:
    """Every block once, then the resamples."""
    blocks = len(tally.pairs)
    return np.concatenate([np.ones((1, blocks)), resamples(blocks, seed, RESAMPLES)])


def _errors_and_preferences(
    tally: Tally, seed: int
) -> tuple[Float[np.ndarray, "times rules"], Float[np.ndarray, "times rules"]]:
    """Error rates and near-equal preferences: of all events, then of every resample."""
    column, weights = TOPS.index(TOP), _weights(tally, seed)
    assert tally.seeds is not None
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = weights @ tally.errors[:, :, column] / tally.unit
        errors /= weights @ tally.pairs[:, column, None]
        near = weights @ tally.seeds.near_higher[:, :, column] / 2
        near /= weights @ tally.seeds.near[:, column, None]
    return errors, near


def _with_ends(
    rules: Sequence[str], values: Float[np.ndarray, "times rules"]
) -> dict[str, list[float]]:
    """The first row, and the 95 % interval of the others."""
    low, high = interval(values[1:])
    return {
        rule: [float(values[0, k]), float(low[k]), float(high[k])] for k, rule in enumerate(rules)
    }
