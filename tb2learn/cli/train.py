"""Commands that train a table, and print what is trained."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tb2learn.cli.arguments import (
    CONFIG,
    DEFAULT_TABLE,
    LongRun,
    boards_option,
    command,
    count,
    long_run,
    option,
    plays,
    rounds_option,
    seeded,
    several,
)
from tb2learn.cli.output import say, show

if TYPE_CHECKING:
    from tb2learn.config import Config

_SIZE = several(
    option("--teams", "teams of the events", "N", count("teams", 2, 1000)),
    rounds_option("rounds of the events"),
    boards_option("games a match"),
    option("--name", "name of what is made", "NAME", usual="my-60x9"),
)


def _sized(
    config: str, teams: int | None, rounds: int | None, boards: int | None, name: str | None
) -> Config:
    """A configuration by name, for events of another size."""
    from tb2learn.catalogue import find_config
    from tb2learn.config import resized

    return resized(find_config(config, boards), teams, rounds, boards, name)


@command(
    "tb2learn train --teams 60 --rounds 9 --boards 4",
    "tb2learn train --teams 60 --rounds 9 --events 10000 --name my-60x9",
    "tb2learn train my.toml --seed 7 --out tables/my",
    "tb2learn train my.toml --events 1000000 --cluster tcp://10.0.0.1:8786",
)
@click.argument(
    "config",
    type=CONFIG,
    metavar="[CONFIG.toml]",
    required=False,
    help="a file, or a name of 'tb2learn list worlds'; as the shipped table if not given",
)
@_SIZE
@seeded("simulated events")
@option(
    "--out",
    "name (in checkpoints/) or path of the checkpoint",
    "NAME",
    usual="the configuration's name",
)
@long_run
@plays
def train(
    config: str | None,
    teams: int | None,
    rounds: int | None,
    boards: int | None,
    name: str | None,
    events: int | None,
    seed: int | None,
    out: str | None,
    long: LongRun,
) -> None:
    """Train a table for events of a size.

    Name the teams and rounds, or a configuration (see tb2learn config). Prints the file written,
    and whether the events were too few. A long run keeps its progress beside the result; after it
    was stopped or killed, --resume continues it.
    """
    from tb2learn.config import check_name, to_dict, with_plan
    from tb2learn.disk import files
    from tb2learn.running.processors import large_kernels
    from tb2learn.training import checkpoint
    from tb2learn.training.kinds import too_few_events

    if config is None and (teams is None or rounds is None):
        raise click.UsageError("name --teams and --rounds, or a configuration")
    sized = _sized(config or DEFAULT_TABLE, teams, rounds, boards, name)
    planned = with_plan(sized, events, seed)
    place, name = os.path.split(out or planned.name)
    folder = Path(place or "checkpoints")
    check_name("checkpoint name", name)
    files.check_file(folder / f"{name}.npz")
    about = {"command": "train", "name": name, "config": to_dict(planned)}
    counting = large_kernels() if planned.train.objective == "difficulty" else nullcontext()
    with long.run(folder / name, about) as run, counting:
        trained = checkpoint.train(planned, name, progress=True, run=run)
        show(f"{checkpoint.save(trained, folder)}\n")
    if few := too_few_events(trained):
        say(f"{name}: {few}")


@command(
    f"tb2learn config {DEFAULT_TABLE}",
    f"tb2learn config {DEFAULT_TABLE} --teams 60 --rounds 9 --name my-60x9",
    "tb2learn config round-robin-12 --teams 10 --rounds 9",
)
@click.argument(
    "config",
    type=CONFIG,
    metavar="CONFIG",
    help=f"a file, or a name of 'tb2learn list worlds'; {DEFAULT_TABLE}: that of the shipped table",
)
@_SIZE
def config(
    config: str, teams: int | None, rounds: int | None, boards: int | None, name: str | None
) -> None:
    """Print a configuration, to change and to train with.

    Write it to a file: tb2learn config learned > my.toml
    """
    from tb2learn.config import to_toml

    show(to_toml(_sized(config, teams, rounds, boards, name)))
