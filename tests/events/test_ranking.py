"""A ranking is made once: rank, explain and the page say the same of an event and its order."""

import json

import pytest
from cli_samples import fails, ranked, said

from tb2learn import api
from tb2learn.events import read_event
from tb2learn.export.document import Grid
from tb2learn.export.event_page import event_data
from tb2learn.export.standings import rank_event
from tb2learn.export.wall import standings_document, standings_to_print


@pytest.fixture
def play_off(tmp_path):
    """A play-off of two of the seven teams with 16 match points."""
    path = tmp_path / "po.csv"
    path.write_text("team,place\nTurkey,1\nEngland,2\n")
    return path


@pytest.mark.parametrize(
    "listed", ["GPTS,BH", "gp,BH,SB", "mp,BH", "GPTS,fide", "mp,product,gp,BH/C1"]
)
def test_a_list_means_the_same_in_rank_and_explain(capsys, listed):
    """BH without :MP or :GP is about the points that the list begins with, whoever reads it."""
    rows, _ = ranked(capsys, "baku2016", "--tiebreaks", listed)
    explained = said(
        *(capsys, "explain", "baku2016", "Norway", "Turkey", "--tiebreaks", listed),
        *("--format", "json"),
    )
    places = json.loads(explained.out)["standings"]
    of_rank = {row.pop("team"): row for row in rows}
    assert places == {team: of_rank[team] for team in ("Norway", "Turkey")}


def test_buchholz_after_game_points_is_of_game_points():
    working = api.explain("baku2016", "Norway", ["GPTS", "BH"])
    assert working.attrs["standings"]["Norway"] == {"place": 34, "gp": 26.5, "buchholz-gp": 293.5}


def test_a_play_off_leaves_the_confidence_of_all_others(capsys, play_off):
    """What it decided is sure; between the others the rule's scores say how sure an order is."""
    asked = "baku2016", "--tiebreak", "learned", "--share-below", "52"
    usual, _ = ranked(capsys, *asked)
    rows, _ = ranked(capsys, *asked, "--decided", play_off, "--before", "tb2")
    assert [(row["team"], row["place"]) for row in rows[:2]] == [
        ("United States of America", 1), ("Ukraine", 2),
    ]  # fmt: skip
    assert rows[0]["confidence"] == usual[0]["confidence"] > 0.54
    of_team = {row["team"]: row for row in rows}
    assert [of_team[team]["place"] for team in ("Turkey", "England")] == [4, 5]
    assert of_team["Turkey"]["confidence"] is None
    # Below the seven teams nothing is different.
    assert [row["confidence"] for row in rows[10:]] == [row["confidence"] for row in usual[10:]]
    refused = fails(capsys, "rank", *asked, "--decided", play_off, "--before", "gp")
    assert "England is tied with nobody before gp" in refused


def test_the_score_of_the_rule_beside_is_no_play_off(play_off):
    """The last column of the page is TB2 by the other rule, for every team."""
    baku = read_event("baku2016")
    learned = rank_event(baku, "learned").table().frame()
    orders, _ = standings_to_print(rank_event(baku, "learned", decided=play_off, before="tb2"))
    by_product = standings_document(orders[1])
    table = next(part for part in by_product.all_parts if isinstance(part, Grid) and part.entrants)
    column = table.heads.index("TB2 by learned")
    shown = {baku.teams[n]: row[column] for n, row in zip(table.entrants, table.rows, strict=True)}
    assert {team: float(score) for team, score in shown.items()} == dict(
        zip(learned.team, learned.tb2, strict=True)
    )
    assert event_data(orders)["orders"][0]["heads"][1] == "play-off or lot"
