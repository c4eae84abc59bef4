"""A small world, the rules that are judged in it, and the facts of one event."""

import jax.numpy as jnp
import numpy as np
from helpers import joined, measure_each, random_surfaces

from tb2learn.config import Config, EventFormat, FieldConfig
from tb2learn.simulation.event import Event
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.tiebreaks.rules import Rule, classic, formula_rule, product_table
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.training.tabulate import pass_table

CONFIG = Config(name="t", event=EventFormat(21, 5, 2), field=FieldConfig(low=2000.0, high=2400.0))
PRODUCT = product_table(5, 2)


def random_table(seed: int = 0) -> Rule:
    points = np.random.default_rng(seed).integers(0, 50, PRODUCT.tables.shape[1:]).astype(np.int32)
    return Rule("random", 5, 2, TableRule(points))


def whole_event(key, event, config, args):
    return event.rosters, event.opponents, event.half_points, event.match_points


def one_event():
    """An event of the small world, in NumPy."""
    batches = measure_each(CONFIG, whole_event, EventRange(5, Purpose.ASSESS, EVENTS))
    return event_of(part[3] for part in joined(batches))


def event_of(parts):
    """What `whole_event` measures of an event as an event, in NumPy but for its rosters."""
    rosters, *others = parts
    return Event(jnp.asarray(rosters), *others)


PASSES = pass_table(random_surfaces(2, rounds=5, boards=2), "passes")
FORMULA = formula_rule("formula", 5, 2, 0.25, 0.05, passes=2)
RULES = [
    PRODUCT,
    *(classic(name, 5, 2) for name in ("game-points", "buchholz-cut1", "least-squares")),
    PASSES,
    FORMULA,
]
EVENTS = 24


def z_score(differences):
    """The mean of independent differences in standard errors."""
    return differences.mean() / (differences.std(ddof=1) / np.sqrt(len(differences)))
