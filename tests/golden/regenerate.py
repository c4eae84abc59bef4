"""Write the golden events again: `python tests/golden/regenerate.py`.

A golden file carries its own configuration and seed. Look at the difference before committing it:
it means that the same seed no longer plays the same event.
"""

import json
from pathlib import Path

import jax
import numpy as np

from tb2learn.config import Config, EventFormat, FieldConfig, from_dict, to_dict
from tb2learn.simulation.by_format import play_batch
from tb2learn.simulation.sample import SimulatedEvents

FILE = Path(__file__).parent / "event-20x7.json"
CONFIG = Config(
    name="golden-20x7",
    description="20 teams, 7 rounds, 4 boards, seeded with noise 50",
    event=EventFormat(teams=20, rounds=7, boards=4),
    field=FieldConfig(low=2000.0, high=2600.0, seed_noise=50.0),
)
SEED = 2016


def describe(config, seed):
    """A played event and its standings under the product rule, as plain data."""
    events = jax.jit(play_batch, static_argnums=1)(jax.random.key(seed)[None], config)
    event = jax.tree.map(lambda x: x[..., 0], events)
    parts = event.rosters, event.opponents, event.half_points, event.match_points
    table = SimulatedEvents(config, seed, *(np.asarray(part)[None] for part in parts)).frame()
    rows = np.stack([table.team - 1, table.mp, 2 * table.tb2, 2 * table.gp, table.tb4], axis=1)
    return {
        "config": to_dict(config),
        "seed": seed,
        "rosters": np.asarray(event.rosters).tolist(),
        "opponents": np.asarray(event.opponents).tolist(),
        "half_points": np.asarray(event.half_points).tolist(),
        "columns": ["team", "match_points", "tb2", "half_points", "tb4"],
        "standings": rows.astype(int).tolist(),
    }


def load():
    """The committed event, and what its own configuration and seed play now."""
    golden = json.loads(FILE.read_text(encoding="utf-8"))
    return golden, describe(from_dict(golden["config"]), golden["seed"])


def dump(golden):
    """Valid JSON with one row of a table on each line."""
    parts = []
    for key, value in golden.items():
        text = json.dumps(value)
        if isinstance(value, list) and isinstance(value[0], list):
            text = "[\n" + ",\n".join(f"    {json.dumps(row)}" for row in value) + "\n  ]"
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(dump(describe(CONFIG, SEED)), encoding="utf-8")
