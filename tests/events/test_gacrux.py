"""Our files and sums against FIDE's reference tie-break checker, as an independent program."""

import csv
import dataclasses
import importlib.util
import io
import subprocess
import sys

import pytest
from helpers import PATIENCE
from trf_samples import SMALL, read

from tb2learn.events import rank
from tb2learn.events.formats.trf_write import write_trf
from tb2learn.events.parts import Penalty, with_scoring
from tb2learn.events.rank import order_of
from tb2learn.events.unplayed.record import event_record
from tb2learn.studies.checker.made import made_event
from tb2learn.tiebreaks.rules import product_table
from tb2learn.types import BYE, InputError

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("gacrux") is None,
    reason="needs FIDE's tie-break checker: pip install gacrux",
)

CRITERIA = ("MPTS", "GPTS", "EMGSB/C1")


def checked(event, version, folder, criteria=CRITERIA):
    """Match points, game points and EMGSB/C1 of every team, as the checker has them."""
    file = folder / f"event{version}.trf"
    file.write_bytes(write_trf(event, version)[0].encode())
    run = subprocess.run(
        [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(file), "-o", "-", "-dT",
         "-t", *criteria],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, ""), run.stdout[-2000:] + run.stderr
    rows = list(csv.DictReader(io.StringIO(run.stdout), delimiter="\t"))
    assert [int(row["StartNo"]) for row in rows if row["StartNo"]] == list(
        range(1, len(event.teams) + 1)
    )
    return [tuple(float(row[name]) for name in criteria) for row in rows if row["StartNo"]]


def ours(event, unplayed):
    rows = rank(event, product_table(event.rounds, event.boards), unplayed=unplayed)
    scores = {row.team: (row.scores["mp"], row.scores["gp"], row.scores["tb2"]) for row in rows}
    return [scores[team] for team in event.teams]


@pytest.fixture(scope="module", params=[2026, pytest.param(2016, marks=pytest.mark.slow)])
def theirs(baku, request, tmp_path_factory):
    return checked(baku, request.param, tmp_path_factory.mktemp("gacrux"))


@pytest.mark.thorough
def test_baku_under_the_general_rules(baku, theirs):
    """Every team, also those that missed rounds: the checker applies C.07, article 16."""
    assert ours(baku, "c07") == theirs


@pytest.mark.thorough
@pytest.mark.parametrize(
    "codes",
    [
        "MPTS DE BPG BPG:GP SSSC GPTS EMMSB EMGSB EMMSB/C1 EMGSB/M1 BH:MP BH:MP/C1 BH/C2 KS:MP PS",
        "MPTS MPVGP EDEBT BC WIN WON:GP",
    ],
)
def test_codes_of_teams(baku, codes, tmp_path):
    """Every team of Baku 2016. The checker ends with an error for sums of game points there."""
    codes = codes.split()
    by = order_of(baku).listed(",".join(codes), find_nothing)
    rows = {row.team: tuple(row.scores.values()) for row in rank(baku, by, unplayed="c07")}
    assert [rows[team] for team in baku.teams] == checked(baku, 2026, tmp_path, codes)


def find_nothing(name):
    raise InputError(name)


OF_TEAMS = """MPTS DE, MPTS DE:GP, MPTS DE/P, MPTS EDE, MPTS EDE:GP, MPTS EDEC, MPTS EDET,
    MPTS EDEB, MPTS EDEBT, MPTS EDEBB/P, MPTS GPTS BC, MPTS TBR, MPTS BBE, BBE TBR, MPTS MPVGP,
    MPTS SSSC SSSC:GP SSSC/K3 SSSC/F SSSC/P, WIN WIN:GP WON WON:GP BPG BPG:GP
    BWG BWG:GP STD STD:GP"""


@pytest.mark.parametrize(("seed", "scoring"), [(0, (2, 1, 0)), (1, (2, 1, 0)), (2, (3, 1, 0))])
def test_codes_of_teams_alone(seed, scoring):
    """Extended encounters, single boards and schedules, in an event with byes and forfeits."""
    from gacrux import tiebreak, trf2json

    event = made_event("League", 9, 7, 3, seed, scoring)
    text = write_trf(event, 2026)[0]
    for codes in (listed.split() for listed in OF_TEAMS.split(",")):
        file = trf2json.trf2json()
        file.parse_file(text, True)
        asked = {"tiebreak": [*codes], "check": False, "unrated": None, "swiss": True}
        played = file.get_tournament(1)
        found = tiebreak.tiebreak(played, -1, asked).compute_tiebreaks(played, asked)
        theirs = sorted((row["cid"], row["rank"], *row["tiebreakScore"])
                        for row in found["competitors"])  # fmt: skip
        by = order_of(event).listed(",".join(codes), find_nothing)
        rows = {row.team: row for row in rank(event, by, unplayed="c07")}
        mine = [(start, rows[team].place, *rows[team].scores.values())
                for start, team in enumerate(event.teams, start=1)]  # fmt: skip
        assert mine == [tuple(map(float, row)) for row in theirs], codes


@pytest.mark.slow
def test_baku_under_the_general_rules_of_2024(baku, tmp_path):
    """The checker's rules of before March 2026 for every team."""
    found = checked(baku, 2026, tmp_path, ("MPTS", "GPTS", "EMGSB/C1/V2024"))
    assert ours(baku, "c07-2024") == found != ours(baku, "c07")


@pytest.mark.parametrize("unplayed", ["c07", "c07-2024"])
def test_penalties_and_other_match_points(unplayed, tmp_path):
    """Penalties of a round, or of all, change the standings; tie-breaks see the results alone."""
    small = read(*SMALL)
    penalties = (Penalty(0, 2, -1, -1), Penalty(3, 0, -2, -3), Penalty(2, 3, 0, -2))
    year = "2024" if unplayed == "c07-2024" else "2026"
    criteria = ("MPTS", "GPTS", f"EMGSB/C1/V{year}")
    for scoring in ((2, 1, 0), (3, 1, 0)):
        event = dataclasses.replace(
            small, scoring=scoring, penalties=penalties, planned=small.rounds,
            matches=with_scoring(
                (m for m in small.matches if m.match_points_a is None), scoring
            ),
        )  # fmt: skip
        assert ours(event, unplayed) == checked(event, 2026, tmp_path, criteria)


def seen_otherwise(record):
    """Teams whose opponents see another score than the final one under article 16.

    These stopped before the end: rounds without an opponent after the last round that was played
    or not missed by their own doing count as drawn. (Nobody had a bye in Baku's record.)
    """
    found = set()
    for team in range(len(record.kind)):
        rounds = range(record.rounds)
        stayed = [r for r in rounds if record.played[team, r] or record.gained[team, r]]
        if any(record.opponent[team, r] == BYE for r in rounds if r > max(stayed, default=-1)):
            found.add(team)
    return found


@pytest.mark.thorough
def test_baku_under_its_own_rules(baku, theirs):
    """Rule 14 of 2016 sees a team that left with the points that it has, article 16 with draws.

    So teams that played all rounds have the same EMGSB unless they met one that left.
    """
    record = event_record(baku)
    left = seen_otherwise(record)
    all_played = [t for t in range(len(baku.teams)) if record.played[t].all()]
    met_one = {t for t in all_played if left & set(record.opponent[t].tolist())}
    assert len(all_played) > 150 and left
    mine = ours(baku, "baku2016")
    assert [row[:2] for row in mine] == [row[:2] for row in theirs]
    differ = {t for t in all_played if mine[t][2] != theirs[t][2]}
    assert differ <= met_one
    # Where they differ the checker has more: a drawn round is more than none.
    assert all(mine[t][2] < theirs[t][2] for t in differ)
    # ... and who met one without a difference left it out, or scored nothing against it.
    for t in met_one - differ:
        items = [
            (int(record.match_points[o]), int(record.scored[t, r]), o in left)
            for r, o in enumerate(record.opponent[t].tolist())
        ]
        lowest = min(items)
        assert all(scored == 0 or (mp, scored) == lowest[:2] for mp, scored, gone in items if gone)
    assert differ


@pytest.mark.parametrize("bye", ["half", "full", "zero", "default"])
@pytest.mark.parametrize("version", [2016, 2026])
def test_byes_and_forfeits_are_written_as_the_checker_reads_them(bye, version, tmp_path):
    event = read(*SMALL)
    half_points = {"half": 2, "full": 4, "zero": 0, "default": 4}[bye]
    matches = tuple(
        dataclasses.replace(m, bye=bye, half_points_a=half_points, match_points_a=None)
        if m.bye == "half"
        else m
        for m in event.matches
    )
    event = dataclasses.replace(event, matches=matches, planned=event.rounds)
    assert checked(event, version, tmp_path) == ours(event, "c07")
