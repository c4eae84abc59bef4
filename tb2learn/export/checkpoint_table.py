"""What a checkpoint is, how well it fits, and how hard results are in its log, as tables."""

from __future__ import annotations

import math

import numpy as np

from tb2learn.config import FieldConfig, GameConfig, described
from tb2learn.export.result import Table, TableSet
from tb2learn.export.rule_names import called
from tb2learn.export.table import game_points
from tb2learn.limits import RENAMED
from tb2learn.tiebreaks.library import LEARNED, TABLES
from tb2learn.training.checkpoint import summary
from tb2learn.training.difficulty_picture import difficulty_picture
from tb2learn.training.objectives import Checkpoint, held_out_errors, too_few_events


def checkpoint_tables(trained: Checkpoint) -> TableSet:
    """`checkpoint_table`, then the difficulty of results by the log and by the surface."""
    facts = checkpoint_table(trained)
    tables = {"facts": facts}
    if picture := difficulty_picture(trained):
        log, surface = picture.titles()
        tables["log"] = _points_table(log, picture.log)
        tables["surface"] = _points_table(surface, picture.surface)
    return TableSet(tables, about=facts.about)


def _points_table(title: str, points: np.ndarray) -> Table:
    """A row a result, the best one first, and a column an opponent's match points: not all."""
    step = -(-len(points) // _MOST_COLUMNS)
    shown = range(0, len(points), step)
    rows = [
        [game_points(half), *(_whole(points[opponent, half]) for opponent in shown)]
        for half in reversed(range(points.shape[1]))
    ]
    return Table(
        ("GP", *(f"{opponent} MP" for opponent in shown)), rows, f"{title} (across: opponents)"
    )


def _whole(points: float) -> int | None:
    return None if math.isnan(points) else round(points)


_MOST_COLUMNS = 12  # of the width of a terminal


def checkpoint_table(trained: Checkpoint) -> Table:
    """A row a fact: `what` and `value`; `about` is the `summary` of the checkpoint."""
    config, about = trained.config, summary(trained)
    event, size = config.event, f"{about['held_out_events']} held-out events"
    rows = [
        ("name", _called(trained.name)),
        ("format", f"{event.teams} teams, {event.rounds} rounds, {event.boards} boards"),
        ("field", _world(config.field, config.game)),
        *(("beside", f"{_world(w.field, w.game)}; weight {w.weight:g}") for w in config.worlds),
        (
            "trained for",
            f"{config.train.objective}: {about['events']} events, seed {about['seed']}",
        ),
        ("numbers of", f"tb2learn {about['version']} and later"),
    ]
    if "scale" in about:
        # Scales are shares of the most points, which a reader knows as match points.
        a = about["scale"] * 2 * event.rounds
        k = about["refinement"] * 2 * event.rounds / event.boards
        rows += [
            ("formula", f"a = {a:.3g} match points, k = {k:.3g} match points a game point"),
            ("passes", str(config.decisions.passes)),
        ]
    pairs, judged = held_out_errors(trained)
    for name, wrong in judged:
        share = f"{wrong / pairs:.1%}".replace("%", " %") if pairs else "none"
        rows.append((called(name), f"{share} of {pairs:,} ties wrong"))
    if judged:
        rows.append(("", f"counted in {size}"))
    if "deviance" in about:
        held_out = f"{about['held_out_deviance']:.3e} on {size}"
        rows += [
            ("deviance", f"{about['deviance']:.3e} fitted"),
            ("", f"{held_out} (raw log there: {about['held_out_noise']:.3e})"),
        ]
    if few := too_few_events(trained):
        rows.append(("note", few))
    title = f"{trained.name}: {described(config)}"
    return Table(("what", "value"), rows, title, about=about)


def _called(name: str) -> str:
    """What else a shipped table is called."""
    boards = [boards for boards, table in TABLES.items() if table == name]
    others = [f"{LEARNED} on {boards[0]} boards"] if boards else []
    others += [f"{old} before 3.0" for old, today in RENAMED.items() if today == name]
    return f"{name}; {', '.join(others)}" if others else name


def _world(field: FieldConfig, game: GameConfig) -> str:
    model = "fitted model" if game.model == "fitted" else f"tail {game.tail}"
    shock = f", day shock {game.day_shock:g}" if game.day_shock else ""
    ends = field.seed_noise if isinstance(field.seed_noise, tuple) else (field.seed_noise,)
    noise = " to ".join(f"{end:g}" for end in ends)
    return f"{field.kind}, seed noise {noise}; game {model}{shock}"
