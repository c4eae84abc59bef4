"""Files of frames: what is written is what is read back."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from tb2learn.report.frames import plain, rounded, wide
from tb2learn.report.stored import Axis, Cells, Csv, Each, IfKnown, Json, columns_of, stacked

VALUES = pd.DataFrame(
    [(kind, rule, top, 0.1 * n if n else math.nan, n) for kind in ("x", "y") for n, (rule, top) in
     enumerate([("a", 1), ("a", 10), ("b", 1), ("b", 10)])],
    columns=["kind", "rule", "top", "value", "pairs"],
)  # fmt: skip
FRAMES = {
    "run": pd.DataFrame([{"events": 7, "seed": np.int64(1)}]),
    "kinds": pd.DataFrame({"kind": ["x", "y"], "low": [0.5, math.nan], "high": [1.5, 2.0]}),
    "values": VALUES,
    "best": pd.DataFrame({"kind": ["x", "x", "y"], "rule": ["a", "b", "b"]}),
    "notes": pd.DataFrame({"text": ["one", "two"], "who": [["a"], []], "kind": ["x", "y"]}),
}
FILE = Json(
    "a.json",
    {
        **columns_of("run", "events", "seed"),
        "rules": Axis("values", "rule", others=("other",)),
        "kinds": Each(
            "kinds",
            {
                "kind": "kinds.kind",
                "ci": ["kinds.low", "kinds.high"],
                "tops": Axis("values", "top"),
                "value": Cells("values", ("rule", "top"), "value"),
                "pairs": Cells("values", ("rule", "top"), "pairs"),
                "best": Each("best", "best.rule"),
            },
            by="kind",
        ),
        "notes": Each("notes", {"text": "notes.text", "who": "notes.who"}, along="kind"),
    },
)


def test_json_nests_frames():
    content = json.loads(FILE.text(FRAMES))
    assert list(content) == ["events", "seed", "rules", "kinds", "notes"]
    assert content["kinds"][1] == {
        "kind": "y",
        "ci": [None, 2.0],
        "tops": [1, 10],
        "value": [[None, 0.1], [0.2, 0.1 * 3]],
        "pairs": [[0, 1], [2, 3]],
        "best": ["b"],
    }
    assert content["notes"] == [{"text": "one", "who": ["a"]}, {"text": "two", "who": []}]
    assert (
        FILE.text(FRAMES).count("\n") == 1
        and Json("", FILE.content, 1).text(FRAMES).count("\n") > 9
    )


def test_json_is_read_back():
    found = FILE.frames(FILE.text(FRAMES))
    assert found.keys() == FRAMES.keys() and FILE.text(found) == FILE.text(FRAMES)
    for name, frame in FRAMES.items():
        pd.testing.assert_frame_equal(found[name][frame.columns], frame, check_dtype=False)


def test_objects_stand_for_lists():
    keyed = Json("", {"of": Cells("values", ("kind", "rule"), "pairs", keyed=True), "run": "run"})
    some = {**FRAMES, "values": VALUES[VALUES["top"] == 1]}
    text = keyed.text(some)
    assert json.loads(text)["of"]["y"] == {"a": 0, "b": 2}
    assert keyed.text(keyed.frames(text)) == text


def test_what_is_unknown_can_be_left_out():
    rows = pd.DataFrame({"rule": ["a", "b"], "n": 1, "pairs": pd.array([None, 3], "Int64")})
    item = {"n": "rows.n", "more": IfKnown("rows.pairs", {"pairs": "rows.pairs"})}
    content = {"rows": Each("rows", item, key="rule"), "none": IfKnown("none", Each("none"))}
    file = Json("", content)
    text = file.text({"rows": rows, "none": rows[:0]})
    assert json.loads(text) == {"rows": {"a": {"n": 1}, "b": {"n": 1, "more": {"pairs": 3}}}}
    found = file.frames(text)
    assert found.keys() == {"rows"} and found["rows"]["pairs"].dtype == "Int64"
    assert file.text(found | {"none": rows[:0]}) == text
    with pytest.raises(KeyError, match="rows"):
        file.frames("{}")


def test_several_files_hold_parts_of_a_frame():
    files = [
        Json("", Each("best", "best.rule", by="number"), only={"kind": kind}) for kind in ("x", "y")
    ]
    texts = [file.text(FRAMES) for file in files]
    assert [json.loads(text) for text in texts] == [["a", "b"], ["b"]]
    found = stacked([file.frames(text)["best"] for file, text in zip(files, texts, strict=True)])
    assert found["number"].tolist() == [0, 1, 0]
    pd.testing.assert_frame_equal(found[["kind", "rule"]], FRAMES["best"])


def test_csv_has_empty_cells_and_no_formulas():
    frame = pd.DataFrame(
        {"name": ["=1+1", "b"], "x": [1.0, math.nan], "n": pd.array([1, None], "Int64")}
    )
    file = Csv("a.csv", "f", {"who": "name", "share": "x", "n": "n"})
    assert file.text({"f": frame}) == "who,share,n\n'=1+1,1,1\nb,,\n"
    assert Csv("", "f", known="n").text({"f": frame}) == "name,x,n\n'=1+1,1,1\n"
    found = file.frames("who,share,n\na,0.5,\nb,,2\n")["f"]
    assert found["name"].tolist() == ["a", "b"] and found["n"].dtype == "Int64"
    assert found["x"][0] == 0.5 and found["x"].isna()[1] and found["x"].dtype == float


def test_fractions_are_rounded():
    frame = pd.DataFrame({"x": [0.123456, -0.000001], "n": [1, 2]})
    assert Csv("", "f", digits=3).text({"f": frame}) == "x,n\n0.123,1\n0,2\n"
    assert str(rounded(frame, 5)["x"][1]) == "0.0"


def test_numbers_that_are_text_are_read_as_numbers():
    file = Csv("", "f", forms={"x": ".2f"})
    text = file.text({"f": pd.DataFrame({"x": [0.1, -0.251, math.nan]})})
    assert text == "x\n0.10\n'-0.25\n'-\n"
    assert file.text(file.frames(text)) == text


def test_a_wide_frame_has_its_labels_in_order():
    found = wide(VALUES[1:4], "rule", "top", "pairs")
    assert list(found.columns) == [10, 1] and found.to_numpy().tolist() == [[1, None], [3, 2]]
    both = wide(VALUES, ["kind", "rule"], "top", "value")
    assert both.index.names == ["kind", "rule"] and math.isnan(both.loc[("y", "a"), 1])


@pytest.mark.parametrize(
    ("value", "found"),
    [(np.float64(0.5), 0.5), (math.inf, None), (pd.NA, None), (None, None), ([1], [1]), ("a", "a")],
)
def test_cells_are_plain(value, found):
    assert plain(value) == found
