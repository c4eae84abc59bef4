"""A small trained table, judged and used, for figures and pages."""

import numpy as np
import pytest
from event_samples import explained
from report_samples import NAMES, quote
from training_samples import small_log

from tb2learn.assessment.error_rates import assess
from tb2learn.events import compare, rank, read_event
from tb2learn.tiebreaks.rules import product_table
from tb2learn.training import checkpoint


@pytest.fixture(scope="session")
def trained():
    return checkpoint.train(small_log(50))


@pytest.fixture(scope="session")
def judged(trained):
    event = trained.config.event
    rules = [product_table(event.rounds, event.boards), trained.rule()]
    fine = trained.unrounded()
    return assess(trained.config, rules, 20, 1, unrounded=fine)


@pytest.fixture(scope="session")
def event(tmp_path_factory):
    """Nine teams, eight rounds of a round robin, one bye a round, results drawn once."""
    folder = tmp_path_factory.mktemp("events") / "<b>event"
    folder.mkdir()
    generator = np.random.default_rng(36)  # six teams tie for first place
    circle = [*range(len(NAMES)), None]
    rows = []
    for round_number in range(1, 8):
        half = len(circle) // 2
        for a, b in zip(circle[:half], circle[: half - 1 : -1], strict=True):
            a, b = (b, a) if a is None else (a, b)
            points = 2 if b is None else generator.choice([1.5, 2.0, 2.5, 4.0])
            other = ("", "") if b is None else (quote(NAMES[b]), str(4 - points))
            rows.append((str(round_number), quote(NAMES[a]), other[0], str(points), other[1]))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    text = "round,team_a,team_b,game_points_a,game_points_b\n"
    (folder / "matches.csv").write_text(text + "\n".join(map(",".join, rows)), encoding="utf-8")
    return read_event(folder)


@pytest.fixture(scope="session")
def comparison(event, trained):
    return compare(rank(event, product_table(7, 4)), rank(event, trained.rule()))


@pytest.fixture(scope="session")
def explanation(event, trained):
    return explained(event, event.teams, [product_table(7, 4), trained.rule()])
