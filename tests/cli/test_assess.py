"""`assess`: rules, worlds, what is written."""

import json

import pytest
from cli_samples import said

from tb2learn.assessment import LISTS
from tb2learn.export.rule_names import called
from tb2learn.report import style


@pytest.mark.thorough
def test_assess_json_is_the_documented_schema(tiny, capsys, tmp_path):
    target = tmp_path / "a.json"
    shown = said(
        capsys, "assess", str(tiny / "tiny.npz"), "--events", "30", "--json", str(target)
    ).out
    content = json.loads(target.read_text())
    header = ["protocol", "lists", "events", "seed", "config", "rounding", "rows", "notes"]
    assert list(content) == header
    assert (content["protocol"], content["lists"], content["events"]) == ("single", None, 30)
    assert content["config"]["name"] == "tiny"
    assert [(row["rule"], row["top"]) for row in content["rows"]] == [
        (rule, top) for rule in ("product", "tiny") for top in ("1", "3", "10", "30", "all")
    ]
    kinds = ("higher_better", "lower_better", "near_equal", "copies")
    front = ("front", "front_points", "front_tie_break")
    names = ("error", "saved", *kinds, "apart", *front, "than_product", "near_than_product")
    counts = [f"{kind}_pairs" for kind in (*kinds, "front")]
    shares = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    for row in content["rows"]:
        assert list(row) == ["rule", "top", "pairs", *counts, *shares]
        assert f"{100 * row['error']:.1f} %" in shown
    assert f"Of 100 ties tiny decides {100 * content['rows'][-1]['error']:.1f} wrongly" in shown
    changed, pairs = content["rounding"]
    assert 0 <= changed <= pairs == content["rows"][-1]["pairs"]
    assert "Rounding the table" in shown


@pytest.mark.thorough
@pytest.mark.parametrize("lists", LISTS)
def test_assess_thesis_protocol_to_standard_output(tiny, capsys, lists):
    arguments = ["assess", str(tiny / "tiny.npz"), "--events", "4", "--protocol", "thesis"]
    content = json.loads(said(capsys, *arguments, "--lists", lists, "--json", "-").out)
    assert (content["protocol"], content["lists"]) == ("thesis", lists)


@pytest.mark.slow
def test_assess_any_number_of_rules_in_another_world(learned, tmp_path, capsys, monkeypatch):
    rules = ["game-points", str(learned / "learned.npz"), "least-squares", "true-opponents"]
    rules += ["product", "game-points", str(learned / "formula.npz")]
    world = ["--on", str(learned / "other.toml"), "--seed-noise", "50", "--events", "12"]
    figure, target = tmp_path / "f.png", tmp_path / "a.json"
    options = ["--figure", str(figure), "--json", str(target)]
    drawn = []
    monkeypatch.setattr(style, "figure_png", lambda one: drawn.append(one) or b"picture")
    shown = said(capsys, "assess", *rules, *world, *options).out
    content = json.loads(target.read_text())
    # The product rule comes first, and every rule once.
    names = ["product", "game-points", "learned", "least-squares", "true-opponents", "formula"]
    assert [row["rule"] for row in content["rows"]] == [n for n in names for _ in range(5)]
    assert content["config"]["name"] == "other"
    assert content["config"]["field"]["seed_noise"] == 50.0
    assert len({row["pairs"] for row in content["rows"] if row["top"] == "all"}) == 1
    assert figure.read_bytes() == b"picture"
    labels = {label.get_text() for label in drawn[0].axes[0].get_yticklabels()}
    assert labels == {called(name) for name in names}
    assert all(called(name) in shown for name in names) and "Rounding" not in shown
    # Seeds near the truth: every row says what a rule makes of them, in the text too.
    assert all(row["near_equal_low"] <= row["near_equal_high"] for row in content["rows"][-5:])
    assert (
        "Wrong where the higher seed is" in " ".join(shown.split())
        and max(map(len, shown.splitlines())) <= 80
    )
