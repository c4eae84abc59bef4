"""What a checkpoint is and how well it fits, as a table."""

from __future__ import annotations

from tb2learn.config import FieldConfig, GameConfig, described
from tb2learn.export.result import Table
from tb2learn.training.checkpoint import summary
from tb2learn.training.kinds import Checkpoint, too_few_events


def checkpoint_table(trained: Checkpoint) -> Table:
    """A row a fact: `what` and `value`; `about` is the `summary` of the checkpoint."""
    config, about = trained.config, summary(trained)
    event, size = config.event, f"{about['held_out_events']} held-out events"
    rows = [
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
    passes = about.get("passes", ())
    # A table without passes has one row, named after its errors.
    for number, judged in enumerate(passes, start=1):
        pairs, wrong = judged["held_out_pairs"], judged["held_out_errors"]
        # Small trials may hold no tie at all.
        share = f"{wrong / pairs:.4f}" if pairs else "none"
        name = f"pass {number}" if len(passes) > 1 else "errors"
        rows.append((name, f"{share} of {pairs} tied pairs wrong on {size}"))
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


def _world(field: FieldConfig, game: GameConfig) -> str:
    model = "fitted model" if game.model == "fitted" else f"tail {game.tail}"
    shock = f", day shock {game.day_shock:g}" if game.day_shock else ""
    ends = field.seed_noise if isinstance(field.seed_noise, tuple) else (field.seed_noise,)
    noise = " to ".join(f"{end:g}" for end in ends)
    return f"{field.kind}, seed noise {noise}; game {model}{shock}"
