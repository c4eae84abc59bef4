"""Events as DataFrames: their rows, their types, and that they agree with each other."""

from trf_samples import SMALL, read

from tb2learn.events import read_event
from tb2learn.events.model import FRAMES


def test_the_rows_of_baku_2016(baku):
    frames = {kind: baku.frame(kind) for kind in FRAMES}
    # 930 matches, both sides of each.
    assert {kind: len(frame) for kind, frame in frames.items()} == {
        "teams": 176, "players": 869, "games": 3713, "matches": 2 * 930,
    }  # fmt: skip
    leaders = frames["teams"].nlargest(3, ["match_points", "game_points"])
    assert list(leaders.team) == ["United States of America", "Ukraine", "Russia"]
    assert list(leaders.match_points) == [20, 20, 18]
    assert list(leaders.game_points) == [31.5, 31.0, 32.0]


def test_sums_agree_with_matches(baku):
    teams, players, games, matches = (baku.frame(kind) for kind in FRAMES)
    by_team = matches.groupby("team")[["match_points", "game_points"]].sum()
    totals = teams.set_index("team")[["match_points", "game_points"]]
    assert (by_team.loc[totals.index] == totals).all(axis=None)
    assert list(teams.matches) == list(matches.groupby("team").size().loc[teams.team])
    sides = games.white_points + games.black_points
    assert sides.sum() == players.points.sum() == matches.game_points.sum() == 3713
    of_boards = sides.groupby([games["round"], games.match]).sum()
    of_matches = matches.groupby(["round", "match"]).game_points.sum()
    assert (of_boards.loc[of_matches.index] == of_matches).all()
    assert players.games.sum() == 2 * games.played.sum()
    # What one side scored is what the other one sees.
    there = matches.set_index(["round", "team"])
    back = there.loc[list(zip(matches["round"], matches.opponent, strict=True))]
    assert list(back.opponent_game_points) == list(matches.game_points)


def test_what_is_unknown_is_missing():
    event = read(*SMALL)
    matches, players = event.frame("matches"), event.frame("players")
    byes = matches[matches.opponent.isna()]
    assert list(zip(byes["round"], byes.team, byes.bye, strict=True)) == [
        (1, "Eels", "pairing"), (2, "Dogs", "half"), (3, "Eels", "zero"),
    ]  # fmt: skip
    assert byes.opponent_game_points.isna().all() and matches.bye.isna().sum() == 2 * 6
    ace = players[players.player == "Ace, Alf"].iloc[0]
    assert (ace.team, ace.fide_id, ace.title, ace.games, ace.points) == (
        "Aces", 1234567, "GM", 3, 2.5,
    )  # fmt: skip
    art = players[players.player == "Art"].iloc[0]
    assert players.rating.dtype == "Int64" and players.rating.isna().sum() == 1
    assert art[["rating", "title", "fide_id"]].isna().all()
    teams = event.frame("teams").set_index("team")
    assert teams.matches["Eels"] == 1


def test_columns_have_the_same_types_with_and_without_rows(baku):
    crosstable = read_event("etcc2011")
    for kind in FRAMES:
        full, sparse = baku.frame(kind), crosstable.frame(kind)
        assert dict(full.dtypes) == dict(sparse.dtypes), kind
    assert len(crosstable.frame("players")) == len(crosstable.frame("games")) == 0
    assert crosstable.frame("matches")["round"].isna().all()
