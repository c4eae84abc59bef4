"""Screen, files and paper read one list of columns."""

from tb2learn.events import read_event
from tb2learn.export.document import grids
from tb2learn.export.standings import rank_event
from tb2learn.export.standings_columns import arrow, signed_places
from tb2learn.export.wall import standings_document, standings_to_print, table_beside


def test_paper_has_the_numbers_of_the_screen_under_its_own_heads():
    ranked = rank_event(read_event("baku2016"), "learned", share_below=0.5)
    orders, _ = standings_to_print(ranked)
    table = table_beside(ranked.table(), orders[0])
    paper = next(grids(standings_document(orders[0]).parts))
    heads = dict(zip(paper.heads, zip(*paper.rows, strict=True), strict=True))
    frame = table.frame()
    assert [*heads][:6] == ["Place", "Team", "MP", "TB2", "GP", "BH/C1"]
    for head, key in (("Place", "place"), ("Team", "team"), ("MP", "mp"), ("TB2", "tb2")):
        assert [*heads[head]] == frame[key].tolist()
    moved = [arrow(up) for up in frame["moved"]]
    assert [*heads["Moved"]] == moved and len(set(moved)) > 3


def test_moves_are_signed_on_the_screen_and_arrows_on_paper():
    assert [signed_places(up) for up in (2, 0, -3)] == ["+2", "=", "-3"]
    assert [arrow(up) for up in (2, 0, -3)] == ["\u25b22", "=", "\u25bc3"]
