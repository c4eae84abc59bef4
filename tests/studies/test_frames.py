"""Packaged tables as frames."""

import pandas as pd

from studies import frames


def test_columns_have_types():
    boards = frames.load_table("baku2016", "boards.csv")
    assert len(boards) == 3713
    assert dict(boards.dtypes.astype(str)) | {"round": "Int64", "white_team": "string"} == dict(
        boards.dtypes.astype(str)
    )
    assert boards["round"].max() == 11 and boards.white_team[0] == "Nigeria"
    # A player without a rating leaves whole numbers whole.
    assert boards.white_rating.dtype == "Int64" and boards.white_rating.isna().sum() > 0


def test_only_empty_cells_are_unknown(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text("team,points\nNA,1\n,2\nNone,\n")
    monkeypatch.setattr(frames.resources, "files", lambda _: tmp_path)
    table = frames.load_table("x.csv")
    assert table.team[0] == "NA" and table.team[2] == "None" and table.team[1] is pd.NA
    assert table.points[0] == 1 and table.points[2] is pd.NA
