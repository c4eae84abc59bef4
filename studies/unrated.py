"""What does it change that players without a rating count as 1000 in the field of Baku 2016?

Two worlds that differ in this alone: 180 teams with ratings at equal steps through those of all
teams of Baku 2016, and through those of the teams whose four best players all have one.
"""

from __future__ import annotations

import click
import numpy as np
import pandas as pd
from jaxtyping import Float

from studies.worlds import LEARNED, ROSTERS, SEEDED, TOP, Cell, load_config
from tb2learn.assessment.error_rates import rates
from tb2learn.config import Config, FieldConfig
from tb2learn.data import UNRATED, event_rosters
from tb2learn.export.result import Table
from tb2learn.running import compile_cache
from tb2learn.simulation.simulate import Progress


def fields() -> dict[str, Float[np.ndarray, " teams"]]:
    """Mean ratings of the teams of Baku 2016: of all, and of those without an unrated player."""
    rosters = event_rosters("baku2016")
    rated = (rosters > UNRATED).all(axis=1)
    return {"all teams": rosters.mean(axis=1), "all four rated": rosters[rated].mean(axis=1)}


def world(means: Float[np.ndarray, " teams"]) -> Config:
    """The seeded world with ratings at equal steps through these, the strongest first."""
    seeded = load_config(SEEDED)
    teams = seeded.event.teams
    steps = (np.arange(teams) + 0.5) * len(means) / teams - 0.5
    ratings = np.rint(np.interp(steps, np.arange(len(means)), np.sort(means)[::-1]))
    noise = seeded.field.seed_noise
    field = FieldConfig("ratings", ratings=tuple(map(float, ratings)), seed_noise=noise)
    return Config("unrated", event=seeded.event, field=field, game=seeded.game)


@click.command(context_settings={"show_default": True})
@click.option("--events", type=click.IntRange(1), default=1000, help="of each world")
@click.option("--seed", default=1, help="of all random numbers")
def main(events: int, seed: int) -> None:
    """Print the errors of three rules in both worlds."""
    rows = []
    with compile_cache.use(True):
        for name, means in fields().items():
            tally = Cell(name, world(means), [LEARNED, ROSTERS], events).tally(seed, Progress(name))
            frame = rates(tally, seed)
            rows.append(frame[frame["top"] == TOP].assign(field=name, teams=len(means)))
    columns = ["field", "teams", "rule", "pairs", "error", "error_low", "error_high", "near_equal"]
    frame = pd.concat(rows)[columns]
    title = f"Ties at the top {TOP}, {events} events of each field, seed {seed}"
    click.echo(
        Table.of(frame, title=title, formats=dict.fromkeys(columns[4:], ".4f"), keys=3).text()
    )


if __name__ == "__main__":
    main()
