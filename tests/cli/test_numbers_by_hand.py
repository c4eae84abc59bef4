"""How many events of which seed commands ask for, without playing any."""

from types import SimpleNamespace

import pandas as pd
import pytest

from tb2learn.assessment import coalition_probes, dependence, error_rates, half_point_probes
from tb2learn.cli import main
from tb2learn.report import assessment, quickstart

pytestmark = pytest.mark.usefixtures("untyped")


@pytest.fixture
def asked(monkeypatch):
    """What is asked for, by the name of what would measure it."""
    seen, text = {}, SimpleNamespace(text=lambda width: "")

    def measure(name):
        def keep(*args, **how):
            seen[name] = args[2:4] if name != "assess" else how
            return pd.DataFrame()

        return keep

    monkeypatch.setattr(dependence, "dependence", measure("others"))
    monkeypatch.setattr(coalition_probes, "probe_coalitions", measure("coalition"))
    monkeypatch.setattr(half_point_probes, "probe_rules", measure("probes"))
    monkeypatch.setattr(assessment, "others_table", lambda found, events: text)
    for name in ("coalitions_table", "probes_table"):
        monkeypatch.setattr(assessment, name, lambda found: text)
    return seen


def test_probes_are_matches_of_events(asked):
    """Of 20 teams an event has ten matches in its last round: 101 need eleven events."""
    assert main(["probe", "product", "--on", "small-20x7", "--probes", "101", "--seed", "5"]) == 0
    assert main(["probe", "product", "--on", "small-20x7", "--coalition", "2"]) == 0
    options = ["--others", "--probes", "101", "--seed", "5"]
    assert main(["probe", "product", "--on", "small-20x7", *options]) == 0
    assert asked == {"probes": (101, 5), "coalition": (20_000, 1), "others": (11, 5)}


def test_what_quickstart_trains_and_assesses(monkeypatch, tmp_path):
    """An eighth of the events is held out; the rule in use is first, the new table last."""
    seen = []
    surface = SimpleNamespace(rule=lambda: "surface")
    made = SimpleNamespace(rule=lambda rounds=None: "mine", difficulty=lambda: surface)

    def train(config, name, progress):
        plan = config.train
        seen.append((plan.objective, plan.events, plan.held_out, plan.seed))
        return made

    monkeypatch.setattr(quickstart.checkpoint, "train", train)
    monkeypatch.setattr(quickstart.checkpoint, "save", lambda *_: None)
    monkeypatch.setattr(quickstart, "find_judged", lambda *_: ["fide", "shipped"])
    monkeypatch.setattr(
        quickstart, "assess", lambda config, rules, *how, progress: seen.append((rules, *how))
    )
    compared = SimpleNamespace(tables=SimpleNamespace(csv=lambda: ""), comparison=None)
    monkeypatch.setattr(quickstart, "read_event", lambda name: SimpleNamespace(rounds=11))
    monkeypatch.setattr(quickstart, "compare_event", lambda *_: compared)
    for name in ("table_csv", "table_json", "_places"):
        monkeypatch.setattr(quickstart, name, lambda rule: "")
    monkeypatch.setattr(quickstart, "_errors", lambda judged: ["", ""])
    monkeypatch.setattr(quickstart.pages, "quickstart_page", lambda *_: "page")
    assert len(quickstart.quickstart(tmp_path, 400, 103, 9)) == 7
    rules = ["fide", "shipped", "surface", "mine"]
    assert seen == [("decisions", 400, 50, 9), (rules, 103, 9)]
    quickstart.quickstart(tmp_path, 5, 3, 9)
    assert seen[2][:3] == ("decisions", 5, 1)


def test_the_last_lines_of_quickstart():
    """24.31 % and 18.76 % of ties at the top 30; B is 9th, was 5th; A and C have changed places."""
    rows = pd.DataFrame(
        {
            "top": ["10", "30", "30"],
            "rule": ["product", "product", "quickstart"],
            "error": [0.5, 0.2431, 0.1876],
            "than_product": [0.0, 0.0, -0.0555],
            "than_product_low": [0.0, 0.0, -0.06],
            "than_product_high": [0.0, 0.0, -0.05],
        }
    )
    text = " ".join(quickstart._errors(SimpleNamespace(frame=rows)))
    assert "top 30 the new table decides 18.8 wrongly, FIDE's rule 24.3" in text
    # 5.55 of 24.31 are 22.8 %.
    assert text.endswith("5.5 fewer (95 % interval 5.0 to 6.0), 22.8 % fewer errors.")
    places = (("A", 1, 2), ("C", 2, 1), ("B", 5, 9), ("D", 3, 3))
    teams = [
        SimpleNamespace(
            team=name, up=old - new, old=SimpleNamespace(place=old), new=SimpleNamespace(place=new)
        )
        for name, old, new in places
    ]
    found = SimpleNamespace(teams=teams, movers=[teams[2], teams[0]])
    line = quickstart._places(found)
    assert "3 of 4 teams" in line and line.endswith("most of all B (5 to 9) and A (1 to 2).")


@pytest.mark.parametrize(("options", "fine"), [([], True), (["product"], False)])
def test_what_is_assessed(monkeypatch, options, fine):
    """A checkpoint alone in its own format is also judged unrounded."""
    seen = {}

    def assess(config, judged, **what):
        seen.update(what, noise=config.field.seed_noise)
        raise RuntimeError("enough")

    monkeypatch.setattr(error_rates, "assess", assess)
    command = ["assess", "learned-38x9", *options, "--events", "77", "--seed", "6"]
    with pytest.raises(RuntimeError, match="enough"):
        main([*command, "--seed-noise", "40"])
    assert (seen["events"], seen["seed"], seen["noise"]) == (77, 6, 40)
    assert (seen["unrounded"] is not None) == fine and seen["protocol"] == "single"
