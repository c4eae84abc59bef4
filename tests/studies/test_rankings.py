"""Paired comparison: the report of an event is that of the published tables."""

import pytest
from click.testing import CliRunner
from etcc import championship

from studies import rankings


@pytest.mark.thorough
def test_the_report_of_2011_and_its_published_tables(tmp_path):
    run = CliRunner().invoke(rankings.main, ["etcc2011", "--out", str(tmp_path)])
    assert run.exit_code == 0, run.output
    text = (tmp_path / "etcc2011/README.md").read_text()
    assert "| rankings | 456 | 0 | 0 |" in text and "| weighted distances | 182 | 0 |" in text
    event, printed = championship("etcc2011"), rankings.published("etcc2011")
    official = printed["rankings"]["official"].astype(int).to_dict()
    frames = rankings.frames_of(event, lambda event: official, event)
    frames["rankings"]["ls_bp"] = frames["rankings"]["ls_bp"].to_numpy()[::-1]
    assert rankings.beside(frames, printed)["beside"]["different"][0] >= 30


def test_rounds_come_from_the_facts_behind_the_studies():
    """Of the same matches as the packaged event, whose rounds are not known."""
    event = championship("etcc2013")
    timed = rankings.with_rounds("etcc2013", event)
    assert timed.known_rounds and not event.known_rounds
    graphs = rankings.match_graph(event), rankings.match_graph(timed)
    order = [timed.teams.index(team) for team in event.teams]
    assert (graphs[0].matches == graphs[1].matches[order][:, order]).all()
    assert (graphs[0].board_points == graphs[1].board_points[order]).all()
    known = championship("baku2016")
    assert rankings.with_rounds("baku2016", known) is known
