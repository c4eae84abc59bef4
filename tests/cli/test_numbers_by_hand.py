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
    """An eighth of the events is held out; the thesis protocol gets a quarter of the assessed."""
    seen = []
    made = SimpleNamespace(rule=lambda rounds=None: "mine", unrounded=lambda: "fine")

    def train(config, name, progress):
        seen.append((config.train.events, config.train.held_out, config.train.seed))
        return made

    def assess(config, rules, number, seed, protocol, unrounded, progress):
        seen.append((protocol, number, seed, unrounded, rules))

    monkeypatch.setattr(quickstart.checkpoint, "train", train)
    monkeypatch.setattr(quickstart.checkpoint, "save", lambda *_: None)
    monkeypatch.setattr(quickstart, "find_judged", lambda *_: ["old"])
    monkeypatch.setattr(quickstart, "assess", assess)
    compared = SimpleNamespace(tables=SimpleNamespace(csv=lambda: ""))
    monkeypatch.setattr(quickstart, "read_event", lambda name: SimpleNamespace(rounds=11))
    monkeypatch.setattr(quickstart, "compare_event", lambda *_: compared)
    for name in ("table_csv", "table_json"):
        monkeypatch.setattr(quickstart, name, lambda rule: "")
    monkeypatch.setattr(quickstart.pages, "quickstart_page", lambda *_: "page")
    quickstart.quickstart(tmp_path, 400, 103, 9)
    rules = ["old", "mine"]
    assert seen == [
        (400, 50, 9), ("single", 103, 9, "fine", rules), ("thesis", 25, 9, None, rules),
    ]  # fmt: skip
    quickstart.quickstart(tmp_path, 5, 3, 9)
    assert seen[3][:2] == (5, 1) and seen[5][1] == 1


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
