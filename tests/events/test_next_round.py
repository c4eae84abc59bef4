"""`tb2learn pair`: the next round of recorded events, and why."""

import json
from dataclasses import replace

import pytest
import trf_samples

from tb2learn.cli import main
from tb2learn.events import Reading, read_event
from tb2learn.events.next_round import next_round
from tb2learn.events.pairing_reasons import reasons
from tb2learn.types import InputError


def recorded(event, number):
    names = event.teams
    return {
        frozenset((names[m.team_a], names[m.team_b]))
        for m in event.matches
        if m.round == number and m.team_b is not None
    }


@pytest.mark.parametrize(("name", "least"), [("batumi2018", 0.93), ("batumi2018w", 0.93)])
def test_real_rounds_are_paired_as_they_were(name, least):
    """Rounds 3 to 11: in round 2 the initial numbers, which are not recorded, count for most."""
    event, hit, number = read_event(name), 0, 0
    for played in range(2, event.rounds):
        real = recorded(event, played + 1)
        there = {team for pair in real for team in pair}
        absent = [team for team in event.teams if team not in there]
        made = next_round(event.after(played), None, absent, there)
        pairs = {frozenset((made.name(p.white), made.name(p.black))) for p in made.pairing.pairs}
        hit += len(pairs & real)
        number += len(real)
    assert number > 600 and hit / number > least


@pytest.mark.parametrize(("name", "least"), [("samarkand2026w", 0.97), ("batumi2018w", 0.93)])
@pytest.mark.parametrize("higher_first", [False, True])
def test_without_boards_the_colours_are_those_of_the_rules(name, least, higher_first):
    """As good as with the boards where sides are colours, and where the rules were followed."""
    event, same, number = read_event(name), 0, 0
    bare = replace(event, games=())
    if higher_first:
        least -= 0.05 * (name == "batumi2018w")  # whose initial numbers are estimates
        bare = replace(bare, matches=tuple(map(higher_team_first, bare.matches)))
    for played in range(1, event.rounds):
        real = recorded(event, played + 1)
        there = {team for pair in real for team in pair}
        absent = [team for team in event.teams if team not in there]
        made = next_round(bare.after(played), None, absent, there)
        pairs = {frozenset((made.name(p.white), made.name(p.black))) for p in made.pairing.pairs}
        same += len(pairs & real)
        number += len(real)
    assert number > 700 and same / number > least


def higher_team_first(match):
    """Teams stand in the order of their initial numbers."""
    if match.team_b is None or match.team_a < match.team_b:
        return match
    halves = {"half_points_a": match.half_points_b, "half_points_b": match.half_points_a}
    return replace(match, team_a=match.team_b, team_b=match.team_a, **halves)


def test_the_command(capsys):
    def run_command(*arguments):
        assert main(arguments) == 0
        return capsys.readouterr().out

    out = run_command("pair", "batumi2018", "--after", "9", "--format", "csv").splitlines()
    assert out[0] == "board,team_a,team_b" and len(out) == 93
    answer = json.loads(run_command("pair", "batumi2018", "--after", "9", "--format", "json"))
    assert answer["round"] == 10 and answer["edition"] == "olympiad-2010"
    assert answer["rows"][0]["team_a"] == out[1].split(",")[1]
    text = run_command("pair", "batumi2018", "--after", "9", "--explain", "hungary")
    assert "Hungary has 11 match points" in text and "on board 1" in text


def test_a_team_that_is_absent_is_not_paired():
    event = read_event("batumi2018").after(9)
    made = next_round(event, "olympiad-2022", ["Hungary"])
    assert made.pairing.bye is not None
    paired = {made.name(n) for p in made.pairing.pairs for n in (p.white, p.black)}
    assert "Hungary" not in paired and len(paired) == 182
    with pytest.raises(InputError, match="absent"):
        list(reasons(made, "Hungary"))
    assert "bye" in " ".join(reasons(made, made.name(made.pairing.bye)))


FIRST = [("Ace", "Cid"), ("Dan", "Bob")]


def first_pairs(event):
    made = next_round(event, "olympiad-2022")
    return [(made.name(pair.white), made.name(pair.black)) for pair in made.pairing.pairs]


def test_the_first_round_needs_no_match(tmp_path):
    """A folder of teams alone, one with headings without a row, and a TRF without results."""
    start = Reading(before_first=True)
    (tmp_path / "teams.csv").write_text("team\nAce\nBob\nCid\nDan\n")
    assert first_pairs(read_event(tmp_path, start)) == FIRST
    with pytest.raises(InputError, match=r"must hold matches\.csv"):
        read_event(tmp_path)
    heads = "round,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(heads)
    event = read_event(tmp_path, start)
    assert first_pairs(event) == FIRST and (event.rounds, event.boards) == (0, 4)
    with pytest.raises(InputError, match="at least one row"):
        read_event(tmp_path)
    lines = [
        *(trf_samples.player(k, f"P {k}", []) for k in (1, 2, 3, 4)),
        *(trf_samples.team(k, name, k) for k, name in enumerate(("Ace", "Bob", "Cid", "Dan"), 1)),
    ]
    (tmp_path / "x.trf").write_text(trf_samples.text(*lines))
    assert first_pairs(read_event(tmp_path / "x.trf", start)) == FIRST
    with pytest.raises(InputError, match="at least one game of a finished round"):
        read_event(tmp_path / "x.trf")
