"""Commands that train a table and describe a checkpoint."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import DEFAULT_TABLE, command, plays, seeded
from tb2learn.cli.long_run import LongRun, long_run
from tb2learn.cli.output import show

if TYPE_CHECKING:
    from tb2learn.config import FieldConfig, GameConfig
    from tb2learn.training.checkpoint import Checkpoint


@command(
    "tb2learn train configs/small-20x7.toml",
    "tb2learn train my-60x9.toml --events 10000 --seed 7 --out my-60x9",
    "tb2learn train my-60x9.toml --events 1000000 --cluster tcp://10.0.0.1:8786",
)
@click.argument(
    "config",
    type=arguments.CONFIG,
    metavar="CONFIG.toml",
    help="a file, or the name of a committed one",
)
@seeded("simulated events")
@click.option(
    "--out",
    metavar="NAME",
    show_default="the configuration's name",
    help="name (in checkpoints/) or path of the checkpoint",
)
@long_run
@plays
def train(
    config: str, events: int | None, seed: int | None, out: str | None, long: LongRun
) -> None:
    """Train a table for the format of a configuration.

    Prints the file written. A long run keeps its progress beside the result; after it was stopped
    or killed, --resume continues it.
    """
    from tb2learn.config import check_name, load_config, to_dict, with_plan
    from tb2learn.disk import files
    from tb2learn.running.processors import large_kernels
    from tb2learn.training import checkpoint

    planned = with_plan(load_config(config), events, seed)
    place, name = os.path.split(out or planned.name)
    folder = Path(place or "checkpoints")
    check_name("checkpoint name", name)
    files.check_file(folder / f"{name}.npz")
    about = {"command": "train", "name": name, "config": to_dict(planned)}
    counting = large_kernels() if planned.train.objective == "difficulty" else nullcontext()
    with long.run(folder / name, about) as run, counting:
        trained = checkpoint.train(planned, name, progress=True, run=run)
        show(f"{checkpoint.save(trained, folder)}\n")


@command(f"tb2learn info {DEFAULT_TABLE}", f"tb2learn info {DEFAULT_TABLE} --json")
@click.argument(
    "checkpoint",
    type=arguments.CHECKPOINT,
    metavar="CHECKPOINT",
    help="a path, or the name of a committed one",
)
@arguments.flag("--json", "the same as JSON", "as_json")
def info(checkpoint: str, as_json: bool) -> None:
    """Describe a checkpoint and how well it fits."""
    from tb2learn.training.checkpoint import load, summary

    trained = load(checkpoint)
    about = summary(trained)
    if as_json:
        show(json.dumps(about, indent=2, allow_nan=False) + "\n")
    else:
        show(_what_it_is(trained, about) + _how_it_fits(about))


def _what_it_is(trained: Checkpoint, about: dict[str, Any]) -> str:
    config = trained.config
    event = config.event
    beside = "".join(
        f"  beside    {_world(one.field, one.game)}; weight {one.weight:g}\n"
        for one in config.worlds
    )
    return (
        f"{trained.name}: {config.description}\n"
        f"  format    {event.teams} teams, {event.rounds} rounds, {event.boards} boards\n"
        f"  field     {_world(config.field, config.game)}\n{beside}"
        f"  trained   for {config.train.objective}: {about['events']} events, "
        f"seed {about['seed']}, tb2learn {about['version']}\n"
    )


def _world(field: FieldConfig, game: GameConfig) -> str:
    model = "fitted model" if game.model == "fitted" else f"tail {game.tail}"
    shock = f", day shock {game.day_shock:g}" if game.day_shock else ""
    noise = field.seed_noise
    ends = noise if isinstance(noise, tuple) else (noise,)
    said = " to ".join(f"{end:g}" for end in ends)
    return f"{field.kind}, seed noise {said}; game {model}{shock}"


def _how_it_fits(about: dict[str, Any]) -> str:
    lines = ""
    if "scale" in about:
        rounds = about["config"]["event"]["rounds"]
        boards = about["config"]["event"]["boards"]
        a, k = about["scale"] * 2 * rounds, about["refinement"] * 2 * rounds / boards
        lines += (
            f"  formula   a = {a:.3g} match points, k = {k:.3g} match points a game point, "
            f"{about['config']['decisions']['passes']} passes\n"
        )
    for number, judged in enumerate(about.get("passes", ()), start=1):
        pairs, wrong = judged["held_out_pairs"], judged["held_out_errors"]
        share = f"{wrong / pairs:.4f}" if pairs else "none"
        name = f"pass {number}" if len(about["passes"]) > 1 else "errors"
        lines += (
            f"  {name:<10}{share} of {pairs} tied pairs wrong on {about['held_out_events']} "
            "held-out events\n"
        )
    if "deviance" in about:
        lines += (
            f"  deviance  {about['deviance']:.3e} fitted, {about['held_out_deviance']:.3e} on "
            f"{about['held_out_events']} held-out events (raw log there: "
            f"{about['held_out_noise']:.3e})\n"
        )
    return lines
