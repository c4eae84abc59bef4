"""Golden events: a key plays the same event of every pairing on every processor, in every version.

`python tests/simulation/test_golden_events.py` writes `golden/events.csv` again. Look at what
changes before committing it: every table of simulated events then has other numbers.
"""

import csv
import io
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from helpers import play_events

from tb2learn.config import load_config

FILE = Path(__file__).parents[1] / "golden" / "events.csv"
PAIRINGS = ("median-swiss", "olympiad-2010", "olympiad-2022", "dutch")
EVENTS = 2


def rows_of(pairing):
    """A row a match: the pairing, event and round, the first team with White and its half points.

    Where nobody keeps colours the first team is the lower number; who has a bye met -1.
    """
    config = load_config("small-20x7")
    event = replace(config.event, pairing=pairing, teams=11, rounds=5)
    config = replace(config, event=event, field=replace(config.field, seed_noise=50.0))
    keys = jax.random.split(jax.random.key(7), EVENTS)
    played = play_events(keys, config)
    opponents, half = np.asarray(played.opponents), np.asarray(played.half_points)
    numbers = np.arange(event.teams)[:, None]
    white = numbers < opponents if played.whites is None else np.asarray(played.whites)
    for k in range(EVENTS):
        for number in range(event.rounds):
            for team, other in enumerate(opponents[number, :, k].tolist()):
                if other < 0 or white[number, team, k]:
                    yield [pairing, k, number + 1, team, other, int(half[number, team, k])]


def text_of(pairing):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows_of(pairing))
    return text.getvalue()


CHECKED = ("median-swiss",)
"""Those of `make check`."""


@pytest.mark.parametrize(
    "pairing",
    [one if one in CHECKED else pytest.param(one, marks=pytest.mark.thorough) for one in PAIRINGS],
)
def test_a_key_plays_the_golden_event(pairing):
    lines = FILE.read_text().splitlines(keepends=True)
    assert text_of(pairing) == "".join(line for line in lines if line.startswith(f"{pairing},"))


if __name__ == "__main__":
    FILE.write_text("".join(map(text_of, PAIRINGS)))
