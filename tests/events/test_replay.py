"""`check` holds every round of a team Swiss against the rules that pair it."""

import random
import re
from dataclasses import replace

import pytest
from helpers import ROOT
from swiss_events import played_event

from tb2learn.chess.team_swiss_verdict import ARTICLES
from tb2learn.cli import main
from tb2learn.events import read_event
from tb2learn.events.check import check
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.replay import recorded_rounds
from tb2learn.events.round_rules import rules_of

DATA = ROOT / "tests/data/team_swiss"
CODES = ("FIDE_TEAM_TYPEA_MP_GP", "FIDE_TEAM_TYPEB_MP_GP", "FIDE_TEAM_MP_GP", "FIDE_TEAM_GP_MP")


@pytest.mark.parametrize(
    ("name", "teams", "rounds"),
    [("nocolor", 9, 7), ("e1", 24, 9), ("e2", 40, 7), ("e4", 30, 9),
     pytest.param("e5", 60, 9, marks=pytest.mark.thorough)],
)  # fmt: skip
def test_recorded_events_are_paired_by_the_rules_with_every_colour(name, teams, rounds):
    event = read_event(DATA / f"{name}.trf")
    result = check(event, only="pairings")
    assert result.findings == result.remarks == () and "the file says FIDE_TEAM" in result.rules
    seen = list(recorded_rounds(event))
    assert len(seen) == rounds
    assert sum(len(one.whites) for one in seen) == rounds * (teams // 2)


def exchanged(seed):
    """A slip: in one round two pairs exchange their opponents; and what it did, once it did."""
    lot, done = random.Random(seed), {}

    def slip(number, pairs):
        if number == 2 + seed % 3:
            a, b = lot.sample(range(len(pairs)), 2)
            pairs = list(pairs)
            (first, second), (third, fourth) = pairs[a], pairs[b]
            pairs[a], pairs[b] = (first, fourth), (third, second)
            done[number] = pairs[a], pairs[b]
        return pairs

    return slip, done


@pytest.mark.parametrize("seed", range(50))
def test_a_planted_wrong_pair_is_named_with_the_article_that_decides(seed):
    slip, done = exchanged(seed)
    event, _ = played_event(seed, 8 + seed % 5, 5, CODES[seed % 4], boards=2, slip=slip)
    ((number, wrong),) = done.items()
    findings = [f for f in check(event).findings if f.kind == "pairing"]
    judged = [f for f in findings if "(C.04.6, " in f.text]
    # Rounds after it are right, as they follow from what was recorded.
    assert {finding.round for finding in findings} == {number}
    articles = re.findall(r"\(C\.04\.6, ([^:)]+): ", " ".join(f.text for f in judged))
    assert articles and all(a in ARTICLES or f"[{a}]" in ARTICLES for a in articles)
    said = {frozenset(pair.split(" - ")) for f in judged for pair in real_pairs(f.text)}
    assert {frozenset(event.teams[team] for team in pair) for pair in wrong} <= said


def real_pairs(text):
    """The pairs that a finding says are recorded."""
    text = re.sub(r"^to the bracket of .*?, by the rules [^:]*: ", "", text)
    return re.split("; by the rules|: they have met", text)[0].split(", ")


@pytest.mark.parametrize("seed", range(8))
def test_a_planted_wrong_colour_is_named(seed):
    def slip(number, pairs):
        return [pairs[0][::-1], *pairs[1:]] if number == 3 else pairs

    event, _ = played_event(seed, 10, 5, CODES[seed % 4], boards=2, slip=slip)
    (finding,) = check(event).findings
    third = next(one for one in recorded_rounds(event) if one.number == 3)
    white, black = (event.teams[number - 1] for number in third.whites[0])
    assert (finding.round, finding.kind) == (3, "colour")
    assert finding.text.startswith(f"{white} has White against {black}; by the rules Black (C.04.6")


def test_a_wrong_bye_is_named():
    """The second team rests in place of the last."""

    def slip(number, pairs):
        return pairs

    event, _ = played_event(5, 9, 3, CODES[0], boards=2, slip=slip)
    bye = next(m for m in event.matches if m.round == 1 and m.bye == "pairing")
    assert event.teams[bye.team_a] == "Team 9"
    turn = {8: 1, 1: 8}
    matches = tuple(
        replace(m, team_a=turn.get(m.team_a, m.team_a), team_b=turn.get(m.team_b, m.team_b))
        if m.round == 1
        else m
        for m in event.matches
    )
    wrong = replace(event.until(1), matches=matches[: len(event.until(1).matches)], games=())
    found = [f.text for f in check(wrong).findings if f.kind == "bye"]
    assert found == [
        "Team 2 has the bye; by the rules Team 9 (C.04.6, 3.4.4: of equal ones it has the largest "
        "number)"
    ]


def test_rules_that_nobody_names_are_remarks():
    """The title and the date do not say it for certain, so that the exit status stays 0."""
    slip, _ = exchanged(1)
    event, _ = played_event(1, 10, 5, CODES[0], slip=slip)
    dated = replace(event, about={"start": "2026-05-01"})
    assert not check(dated).findings and check(dated).remarks
    assert "no type of colour preferences is said, so it is A" in check(dated).rules
    assert check(dated, rule="team-a").findings == check(event).findings
    # No rules of that time are known, so nothing is held against them.
    old = replace(event, about={"start": "2019-05-01"})
    assert not check(old).findings and not check(old).remarks and not check(old).rules
    assert rules_of(old).origin == "assumed"


def test_the_command(tmp_path, capsys):
    slip, _ = exchanged(2)
    event, _ = played_event(2, 10, 5, CODES[0], slip=slip)
    wrong, right = tmp_path / "wrong.trf", tmp_path / "right.trf"
    wrong.write_text(write_trf(event, 2026), "utf-8", newline="")
    right.write_text(write_trf(played_event(2, 10, 5, CODES[0])[0], 2026), "utf-8", newline="")

    def run(*arguments):
        return main(["check", *map(str, arguments)]), capsys.readouterr().out

    status, printed = run(wrong)
    assert status == 1 and "rounds held against the rules: paired by FIDE's Swiss" in printed
    assert run(right)[0] == 0
    assert run(wrong, "--standings")[0] == 0 and run(wrong, "--pairings")[0] == 1
    assert "place" not in run(right, "--pairings")[1]
    # Its totals are printed wrongly: nothing is wrong with the pairs.
    slipped = tmp_path / "slipped.trf"
    text = right.read_text("utf-8")
    at = text.index("310 ") + 54
    slipped.write_text(text[:at] + "  99.0" + text[at + 6 :], "utf-8", newline="")
    assert run(slipped, "--pairings")[0] == 0 and run(slipped, "--standings")[0] == 1
    assert main(["check", str(right), "--pairings", "--standings"]) == 2
    assert main(["check", str(right), "--rule", "swiss"]) == 2
    assert "pairing rules must be olympiad-2022" in capsys.readouterr().err
    assert main(["check", str(ROOT / "examples/open.trf"), "--rule", "team-a"]) == 2
    assert "is no Swiss of teams with rounds" in capsys.readouterr().err
