"""Commands that train a table and describe a checkpoint."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from pathlib import Path

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import DEFAULT_TABLE, command, plays, seeded
from tb2learn.cli.long_run import LongRun, long_run
from tb2learn.cli.output import Output, show


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
    from tb2learn.catalogue import load_checkpoint
    from tb2learn.export.checkpoint_table import checkpoint_table

    table = checkpoint_table(load_checkpoint(checkpoint))
    as_text = json.dumps(table.about, indent=2, allow_nan=False) + "\n"
    show(as_text if as_json else table.text(Output("table").width))
