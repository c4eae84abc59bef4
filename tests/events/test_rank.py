"""Standings of real events, of teams and of players: published places, hostile names, refusals."""

import csv
import dataclasses
import io
import json
import re

import numpy as np
import pytest
from event_samples import HOSTILE, PRODUCT, explained, make_event
from helpers import random_surfaces
from player_samples import HELD, read, round_robin

from tb2learn.catalogue import find_rule
from tb2learn.events import (
    CriteriaReader,
    Criterion,
    compare,
    rank,
    read_criteria,
    read_event,
    round_robin_notes,
    unplayed_notes,
    usual_policy,
    usual_rule,
)
from tb2learn.events.files.options import Reading
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.orders import criteria_notes
from tb2learn.export import standings
from tb2learn.text import tidy
from tb2learn.tiebreaks.passes import PassRule, margin
from tb2learn.tiebreaks.rules import (
    Rule,
    classic,
    formula_rule,
    product_table,
)
from tb2learn.tiebreaks.tables import TableRule
from tb2learn.training.tabulate import pass_table
from tb2learn.types import InputError


def test_published_places(baku):
    """Places, match points and TB2 as published for Baku 2016 (open)."""
    rows = rank(baku, PRODUCT)
    top = (
        "United States of America,Ukraine,Russia,India,Norway,Turkey,Poland,France,England,Peru,"
        "Canada"
    ).split(",")
    assert [(r.place, r.team) for r in rows[:11]] == list(enumerate(top, start=1))
    assert [r.scores["mp"] for r in rows[:11]] == [20, 20, 18, *[16] * 7, 15]
    assert (rows[17].team, rows[36].team) == ("Greece", "Germany")
    tb2 = {r.team: r.scores["tb2"] for r in rows}
    assert tb2["United States of America"] == 413.5 and tb2["Ukraine"] == 404.5
    assert tb2["Norway"] == 344.5 and tb2["Turkey"] == 341.5
    assert sorted(tb2.values())[-4] == tb2["Canada"]  # fourth best TB2 of the event


def test_the_thesis_rule_for_the_weakest_puts_turkey_before_norway(baku):
    rows = rank(baku, PRODUCT, "fewest-game-points")
    assert [r.team for r in rows[4:6]] == ["Turkey", "Norway"]


OPEN = (
    "round,team_a,team_b,game_points_a,game_points_b\n1,A,B,2,0\n1,C,D,2,0\n2,A,C,,\n2,B,D,1,1\n"
    "3,A,D,2,0\n3,B,C,0,2\n"
)


def test_a_learned_rule_is_rescaled_by_the_rounds_without_an_open_match():
    """In a table in which every result is worth 6 a team has 18 after three rounds, and so has one
    that played two; the product rule stays as the policy has it."""
    event = read_event(MemoryFile("m.csv", OPEN.encode()), Reading())
    rule = Rule("six", 3, 2, PassRule(np.full((2, 7, 7 + 2 * margin(3), 5), 6)))
    found = {row.team: row.scores["tb2"] for row in rank(event, rule, unplayed="c07")}
    assert found == dict.fromkeys("ABCD", 18)
    (note,) = (
        note for note in unplayed_notes(event, [Criterion("tb2", rule)]) if note.startswith("six:")
    )
    assert "the sum over the rounds in which a team has no open match, times all rounds" in note
    worked = explained(event, ["A", "B"], [rule], unplayed="c07")
    assert [one.sums[-1] for one in worked] == [12, 18]
    assert worked[0].items[1].values[-1] == 0
    product = {row.team: row.scores["tb2"] for row in rank(event, product_table(3, 2))}
    assert product["A"] < 18 and not unplayed_notes(
        event, rank(event, product_table(3, 2)).criteria
    )


def test_compare_counts_places(baku):
    upside_down = Rule("down", 11, 4, TableRule(-PRODUCT.tables[0]))
    compared = compare(rank(baku, PRODUCT), rank(baku, upside_down))
    assert compared.first_place == ("United States of America", "Ukraine")
    assert [t.up for t in compared.teams[:2]] == [-1, 1]
    assert sorted(t.new.place for t in compared.teams)[0] == 1
    ups = [abs(t.up) for t in compared.movers]
    assert ups == sorted(ups, reverse=True) and len(ups) == 10


def test_a_table_of_another_format_is_refused(baku):
    with pytest.raises(InputError, match="for 9 rounds, the event has 11"):
        rank(baku, product_table(9, 4))
    with pytest.raises(InputError, match="on 6 boards, the event has 4"):
        rank(baku, product_table(11, 6))


def hostile_rules():
    """Pairs of rules with hostile names: lookup tables; a table in passes and the formula."""
    table = product_table(1, 2)
    yield table, Rule("\x1b[2J\u202e", 1, 2, table.tiebreak)
    passes = pass_table(random_surfaces(2, rounds=1, boards=2), "\x1b[2J=1+1")
    yield passes, formula_rule("@formula", 1, 2, 0.3, 0.1)


@pytest.mark.parametrize("rules", list(hostile_rules()), ids=["tables", "in passes"])
def test_hostile_names_are_only_text(tmp_path, rules):
    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    rows = "".join(f"1,{quote(n)},opponent{i},2,0\n" for i, n in enumerate(HOSTILE))
    event = make_event(tmp_path, rows)
    ranked = rank(event, rules[0])
    names = [tidy(name) for name in HOSTILE]
    assert {r.team for r in ranked} >= set(names)  # but for what nobody sees
    workings = explained(event, names, rules)
    assert [w.team for w in workings] == names
    compared = compare(*(rank(event, rule) for rule in rules))
    tables = [
        standings.rank_event(event, rules[0]).table(),
        standings.working_table(workings),
        standings.comparison_table(compared),
    ]
    for shown in (
        *(table.text() for table in tables),
        standings.working_text(workings),
        standings.comparison_text(compared),
    ):
        assert all(line.isprintable() for line in shown.splitlines())
    for table in tables:
        for row in csv.reader(io.StringIO(table.csv())):
            # A cell that starts like a formula is a number or nothing.
            assert all(re.fullmatch(r"[^=+@\t\r-].*|[+-][\d.]+", c, re.S) for c in row if c)
    content = json.loads(tables[1].json())["rows"]
    assert list(dict.fromkeys(row["team"] for row in content)) == names
    for shown in (form for table in tables for form in (table.csv(), table.json())):
        assert shown.replace("\n", "").isprintable()


def test_what_an_event_does_not_say_is_refused(tmp_path):
    event = make_event(tmp_path, "1,A,B,2,0\n1,C,D,1.5,0.5\n")
    for name, needs in (("blacks", "colours"), ("aro", "ratings")):
        with pytest.raises(InputError, match=needs):
            rank(event, classic(name, 1, 2))


def test_direct_encounter_is_among_those_tied_so_far(tmp_path):
    """By hand: A, B, C have 4 MP each; of B and C, equal on game points too, B beat C."""
    event = make_event(
        tmp_path,
        "1,A,B,2,0\n1,C,D,1.5,0.5\n2,C,A,1.5,0.5\n2,B,D,2,0\n3,B,C,1.5,0.5\n3,A,D,2,0\n",
    )

    # GP: A 2 + .5 + 2 = 4.5, B 0 + 2 + 1.5 = 3.5, C 1.5 + 1.5 + .5 = 3.5. Among all three each has
    # won once, so direct encounter first decides nothing; after game points it decides B and C.
    def find(name):
        return classic(name, 3, 2)

    rows = rank(event, read_criteria(event, ["mp,gp,direct"], find))
    assert [(r.place, r.team, r.scores["direct"]) for r in rows[:3]] == [
        (1, "A", 0), (2, "B", 1), (3, "C", 2),
    ]  # fmt: skip
    rows = rank(event, read_criteria(event, ["mp,direct"], find))
    assert [(r.place, r.scores["direct"]) for r in rows[:3]] == [(1, 0)] * 3


def test_points_beyond_what_matches_are_worth(tmp_path):
    """An arbiter's bonus or penalty: the product rule multiplies on, other tables say so."""
    rows = "1,1,A,B,2,2\n1,2,C,D,3,1\n2,1,A,C,2,2\n2,2,B,D,3,1\n"
    header = "round,match,team_a,team_b,game_points_a,game_points_b\n"
    (tmp_path / "matches.csv").write_text(header + rows)
    plain = {row.team: row.scores for row in rank(read_event(tmp_path), product_table(2, 4))}
    (tmp_path / "penalties.csv").write_text("team,round,match_points\nA,1,+9\nB,,-9\n")
    event = read_event(tmp_path)
    found = rank(event, product_table(2, 4))
    assert [(row.team, row.scores["mp"]) for row in found] == [
        ("A", 11), ("C", 3), ("D", 0), ("B", -6)
    ]  # fmt: skip
    assert all(row.scores["tb2"] == plain[row.team]["tb2"] for row in found)
    with pytest.raises(InputError, match="made for 0 to 4 match points, teams have -6 to 11"):
        rank(event, Rule("table", 2, 4, product_table(2, 4).tiebreak))


def finder(event):
    return lambda name: find_rule(name, event.rounds, 1)


def test_names_in_words_and_in_codes():
    event = read(*HELD)

    def names(text, round_robin=False):
        order = CriteriaReader(event.rounds, 1, individual=True, round_robin=round_robin)
        return [one.name for one in order.read([text], finder(event))]

    swiss = ["points", "direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "wins",
             "black-wins"]  # fmt: skip
    assert names("fide") == names("PTS,DE,BH/C1,BH,SB,WIN,BWG") == swiss
    assert names("fide", True) == ["points", "direct", "wins", "sonneborn-berger", "koya"]
    assert names("points,BH/M1,fide")[:3] == ["points", "buchholz-median1", "direct"]
    assert [c.name for c in read_criteria(event, "formula", finder(event))] == [
        "points", "formula", *swiss[1:]
    ]  # fmt: skip
    for text in ("points,points", "points,"):
        with pytest.raises(InputError, match="different names separated by commas"):
            names(text)


def test_the_usual_rule_and_policy():
    event = read(*HELD)
    assert usual_rule(event) == "fide" and usual_policy(event) == "c07-2024"
    newer = dataclasses.replace(event, about={"start": "2026-03-01"})
    assert usual_policy(newer) == "c07" == usual_policy(dataclasses.replace(event, about={}))
    rows = rank(event, read_criteria(event, "formula", finder(event)))
    assert rows[0].team == "Bruno" and rows[0].scores["points"] == 4
    assert list(rows[0].scores)[1] == "formula"
    robin = read_event(MemoryFile("all.trf", round_robin()), Reading())
    assert (usual_rule(robin), usual_policy(robin)) == ("fide", "face-value")
    assert len(round_robin_notes(robin)) == 1


def test_the_working_of_a_player_is_in_points():
    event = read(*HELD)
    by = [find_rule(name, 5, 1) for name in ("buchholz-cut1", "deep-buchholz", "formula")]
    (working,) = explained(event, ["david"], by)
    assert working.mp == 3.5 and working.individual
    assert [item.opponent_mp for item in working.items] == [3, 3.5, 1.5, 3.5, 3.5]
    assert [item.gp for item in working.items] == [1, 0.5, 1, 0.5, 0.5]
    assert working.sums[0] == 11.5 and working.terms.points == "points"
    # Opal counts as 1.5 and an eighth of her Buchholz without David: (14 - 3.5) / 8.
    assert working.items[2].values[1] == pytest.approx(1.5 + (14 - 3.5) / 8)
    with pytest.raises(InputError, match=r"no player 'X' in"):
        explained(event, ["X"], by)


def test_a_league_at_three_points_with_a_forfeit_is_ranked_at_face_value():
    """Sums by hand: A beat B 3-1, D by default 4-0, drew with C; B beat C 2.5-1.5 and drew with D;
    C beat D 3-1."""
    rows = "1,A,B,3,1,0\n1,C,D,3,1,0\n2,A,C,2,2,0\n2,B,D,2,2,0\n3,A,D,4,0,4\n3,B,C,2.5,1.5,0\n"
    header = "round,team_a,team_b,game_points_a,game_points_b,boards_forfeited\n"
    options = Reading(match_points=(3, 1, 0))
    event = read_event(MemoryFile("m.csv", (header + rows).encode()), options)
    assert usual_policy(event) == "face-value"
    order = read_criteria(event, ["mp,gp,emmsb,eggsb"], find_rule)
    rows = rank(event, order)
    assert [(row.team, *row.scores.values()) for row in rows] == [
        ("A", 7, 9, 4 * 3 + 4 * 1 + 1 * 3, 5.5 * 3 + 6.5 * 2 + 3 * 4),
        ("C", 4, 6.5, 1 * 3 + 7 * 1 + 4 * 0, 3 * 3 + 9 * 2 + 5.5 * 1.5),
        ("B", 4, 5.5, 7 * 0 + 1 * 1 + 4 * 3, 9 * 1 + 3 * 2 + 6.5 * 2.5),
        ("D", 1, 3, 4 * 0 + 4 * 1 + 7 * 0, 6.5 * 1 + 5.5 * 2 + 9 * 0),
    ]
    (working,) = explained(event, ["B"], order[2:3])
    assert [item.values for item in working.items] == [(0,), (1,), (12,)] and working.mp == 4


def test_a_round_robin_of_players_at_three_points_is_ranked_at_face_value():
    event = read_event(MemoryFile("r.trf", round_robin()), Reading(match_points=(3, 1, 0)))
    rows = rank(event, read_criteria(event, ["points,sonneborn-berger"], find_rule))
    # A 5 drew with C (4) and B (4), beat D (3); B beat C, lost to D; C won against D by default.
    assert [(row.team, *row.scores.values()) for row in rows] == [
        ("A", 5, 4 + 4 + 3 * 3), ("B", 4, 3 * 4 + 5), ("C", 4, 5 + 3 * 3), ("D", 3, 3 * 4),
    ]  # fmt: skip


def test_lists_that_are_unusual_get_a_note(baku):
    """Buchholz, its mean and its fore form in a round robin; lists that begin with no points."""
    robin = read_event(MemoryFile("r.trf", round_robin()), Reading())

    def notes(event, text):
        return criteria_notes(event, read_criteria(event, [text], find_rule))

    for text in ("PTS,BH/C1", "PTS,SB,FB", "PTS,AOB"):
        code = text.rpartition(",")[2]
        (note,) = notes(robin, text)
        assert note.startswith(f"{code} in a round robin: ")
    assert notes(robin, "PTS,DE,SB,KS") == () == notes(baku, "MPTS,BH:MP,FB,AOB")
    assert notes(baku, "gp,mp") == () and len(notes(robin, "BH,FB")) == 2
    (first,) = notes(baku, "EMMSB,mp")
    assert first.startswith("the first criterion, EMMSB, is no points")
