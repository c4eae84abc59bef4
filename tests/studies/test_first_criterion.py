"""Orders of whole tables: an event by hand, and one quick run."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import results_of

from studies import first_criterion
from studies.first_criterion import ALONE, EVEN, ORDERS, TODAY, measure_orders, order_keys
from tb2learn.config import load_config
from tb2learn.simulation.event import Event


class Given:
    """A rule that gives what it is told."""

    def __init__(self, scores):
        self.scores = jnp.asarray(scores, jnp.int32)

    def estimate(self, key, event, config):
        return self.scores


def event_of(points, strength):
    """Four teams with these points; nothing else of the event is looked at."""
    results = results_of(4, 1, [[(0, 1, 1), (2, 3, 1)]])
    return Event(
        rosters=jnp.full((4, 1), 2000),
        opponents=results.opponents,
        half_points=results.half_points,
        match_points=jnp.asarray(points),
        strength=jnp.asarray(strength),
    )


def test_an_event_by_hand():
    """D is the best and has fewest points; the table says so by 250 hundredths of a match point."""
    event = event_of([5, 4, 4, 3], [1, 2, 3, 4])
    table, flat = Given([0, 0, 10, 250]), Given([0, 0, 0, 0])
    rules = tuple(table if name == "learned" else flat for name in ALONE)
    config = load_config("small-20x7")
    found = jax.tree.map(np.asarray, measure_orders(jax.random.key(1), event, config, rules))
    by_order = {
        name: dict(zip(ORDERS, found[name], strict=True)) for name in found.keys() - {"pairs"}
    }
    # The three best have three pairs: D-C, D-B, C-B; all four have six.
    assert found["pairs"].tolist() == [3, 6, 6]
    # By points, then FIDE's rule: D behind C and B, these two equal; A before all.
    assert by_order["wrong"][TODAY].tolist() == [5, 11, 11]
    assert by_order["wrong"]["match points, then learned"].tolist() == [4, 10, 10]
    # Points plus table: D has 5.5, A 5, C 4.1, B 4: only A is too high, above C and B.
    assert by_order["wrong"][EVEN].tolist() == [0, 4, 4]
    assert (by_order["best"][EVEN], by_order["leader"][EVEN]) == (1, 1)
    assert (by_order["best"][TODAY], by_order["leader"][TODAY]) == (0, 0)
    # D stands before three teams with more points, and they have 2, 1 and 1 more.
    assert by_order["gaps"][EVEN].tolist() == [2, 1, 0, 0] and by_order["behind"][EVEN] == 1
    assert by_order["gaps"][TODAY].sum() == by_order["behind"][TODAY] == 0


def test_weights_are_shares_of_the_table():
    event = event_of([5, 4, 4, 3], [1, 2, 3, 4])
    scores = [jnp.asarray([0, 0, 0, 100])] * len(ALONE)
    keys = dict(zip(ORDERS, order_keys(event, scores), strict=True))
    # At 100 % a hundred points of the table are a match point, at 200 % two.
    even, twice = (keys[name][0].tolist() for name in (EVEN, "match points + 200 % of learned"))
    assert even[3] == even[2] and twice[3] == twice[0]


@pytest.mark.slow
def test_a_quick_run(tmp_path, monkeypatch):
    small = replace(load_config("small-20x7"), name="small")
    monkeypatch.setattr(first_criterion, "load_config", lambda name: replace(small, name=name))
    run = CliRunner().invoke(first_criterion.main, ["--out", str(tmp_path), "--events", "30"])
    assert run.exit_code == 0, run.output
    errors = pd.read_csv(tmp_path / "errors.csv")
    assert len(errors) == 2 * len(ORDERS) * 3 and errors["error"].between(0, 1).all()
    lost = pd.read_csv(tmp_path / "lost.csv").set_index("order")
    assert (lost.loc[TODAY, ["leader", "behind", "by_1"]] == 0).all(axis=None)
    assert (lost["by_1"] >= lost["by_2"]).all()
