"""A conformance pack has every case, and catches the slips that programs make."""

import dataclasses

import numpy as np
import pytest
from cli_samples import fails
from trf_samples import read_trf

from tb2learn.catalogue import find_rule
from tb2learn.cli import main
from tb2learn.dossier import conformance
from tb2learn.dossier.conformance import ABSENCES, SWISS, TWINS, events_of_pack
from tb2learn.events import rank
from tb2learn.events.files.options import Reading
from tb2learn.events.files.trf_write import write_trf
from tb2learn.events.unplayed.policies import POLICIES
from tb2learn.events.unplayed.record import RoundKind, event_record
from tb2learn.tiebreaks import passes
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.tables import TableRule

RULES = ("uniform-180x11", "formula-180x11", "olympiad-180x11")


@pytest.fixture(scope="module")
def packs(tmp_path_factory):
    """The pack of every rule, in a folder of its own."""
    root = tmp_path_factory.mktemp("packs")
    for name in RULES:
        (root / name).mkdir()
        for file, text in conformance.conformance_pack(find_rule(name, 11, 4), 1).items():
            (root / name / file).write_text(text, "utf-8", newline="")
    return root


def events_of(pack):
    """The events as another program reads them."""
    return {
        name: read_trf((pack / f"{name}.trf").read_bytes(), name, Reading(strict=True, slips=False))
        for name in (SWISS, ABSENCES, TWINS)
    }


@pytest.mark.thorough
def test_a_pack_is_small_the_same_for_a_seed_and_has_every_policy(packs):
    for name in RULES:
        assert sum(file.stat().st_size for file in (packs / name).iterdir()) < 120_000
        known = conformance.read_numbers(packs / name / conformance.EXPECTED)
        assert {key.policy for key in known} == set(POLICIES)
    again, other = (conformance.conformance_pack(find_rule(name, 11, 4), seed) for seed in (1, 2))
    assert {f.name: f.read_bytes() for f in (packs / name).iterdir()} == {
        k: v.encode() for k, v in again.items()
    }
    assert other["swiss.trf"] != again["swiss.trf"]


def test_the_events_have_every_case_of_the_regulation(packs):
    events = events_of(packs / RULES[0])
    kinds = {name: set(event_record(event).kind.ravel().tolist()) for name, event in events.items()}
    assert kinds[SWISS] == kinds[TWINS] == {RoundKind.PLAYED} and kinds[ABSENCES] == set(RoundKind)
    absences, twins = events[ABSENCES], events[TWINS]
    assert absences.penalties and not all(absences.ratings)
    part = {m.boards_forfeited for m in absences.matches if m.played}
    lost = [m for m in absences.matches if m.team_b is not None and not m.boards_decided]
    assert part == {0, 1} and lost
    last = event_record(absences).kind[-3:] == RoundKind.NOT_PAIRED
    assert last.all(axis=0).any() and (last[-1] & ~last[-2]).any()
    means = [sum(r[:4]) / len(r[:4]) % 1 for e in events.values() for r in e.ratings if r]
    assert 0.5 in means
    opponents = event_record(twins).opponent
    assert all(len(set(row)) < len(row) for row in opponents.T.tolist())
    for name in RULES:
        places = [row.place for row in rank(twins, find_rule(name, 11, 4))]
        assert places[::2] == places[1::2]


@pytest.mark.thorough
@pytest.mark.parametrize(("rounds", "boards"), [(1, 2), (2, 12), (9, 8), (40, 2)])
def test_other_formats_are_written_and_read_without_a_loss(rounds, boards):
    for name, event in events_of_pack(rounds, boards, 3).items():
        back = read_trf(write_trf(event, 2026).encode(), name, Reading(strict=True, slips=False))
        assert (back.rounds, back.boards, back.notes) == (rounds, boards, ())


# --------------------------------------------------------------------------- slips


def bye_as_a_win(event):
    matches = tuple(
        dataclasses.replace(m, half_points_a=2 * event.boards, match_points_a=2)
        if m.bye == "pairing" else m
        for m in event.matches
    )  # fmt: skip
    return dataclasses.replace(event, matches=matches)


def without_penalties(event):
    return dataclasses.replace(event, penalties=())


def with_own_match(values, opponent):
    return values.sum(axis=0)[opponent]


def to_even(x, unit):
    return np.rint(np.asarray(x) / unit).astype(int)


def cut_short(x, unit):
    return x // unit


def fewer(rule):
    if rule.has_tables:
        return dataclasses.replace(rule, tiebreak=PassRule(rule.tables[:-1]))
    shorter = dataclasses.replace(rule.tiebreak, passes=rule.passes - 1)
    return dataclasses.replace(rule, tiebreak=shorter)


def not_reduced(rule):
    return dataclasses.replace(rule, tiebreak=TableRule(rule.tables[0], reduced=False))


SLIPS = {
    "last pass skipped": (RULES[:2], fewer),
    "bye counted as a win": (RULES, bye_as_a_win),
    "penalties forgotten": (RULES, without_penalties),
    "own match not left out": (RULES[:2], "without_own_match", with_own_match),
    "halves to the even number": (RULES[:1], "nearest", to_even),
    "rounded down": (RULES[:1], "nearest", cut_short),
    "weakest opponent counted": (RULES[2:], not_reduced),
}


@pytest.mark.parametrize(
    ("slip", "name"), [(slip, name) for slip, (names, *_) in SLIPS.items() for name in names]
)
def test_a_program_with_a_slip_is_caught(slip, name, packs, monkeypatch):
    _, what, *instead = SLIPS[slip]
    rule, events = find_rule(name, 11, 4), events_of(packs / name)
    expected = conformance.read_numbers(packs / name / conformance.EXPECTED)
    expected = {key: row for key, row in expected.items() if key.policy == "baku2016"}
    path = packs / f"{name}.csv"
    path.write_text(conformance.numbers_csv(events, rule, ["baku2016"]), "utf-8")
    assert conformance.differences(expected, conformance.read_numbers(path)) == []
    if instead:
        for module in (passes, __import__("tb2learn.tiebreaks.formula", fromlist=["x"])):
            if hasattr(module, what):
                monkeypatch.setattr(module, what, *instead)
    elif what in (bye_as_a_win, without_penalties):
        events = {key: what(event) for key, event in events.items()}
    else:
        rule = what(rule)
    path.write_text(conformance.numbers_csv(events, rule, ["baku2016"]), "utf-8")
    found = conformance.differences(expected, conformance.read_numbers(path))
    assert any(", baku2016, team " in line for line in found)


# --------------------------------------------------------------------------- the command


def test_conform_names_what_differs(packs, tmp_path, capsys):
    pack, theirs = packs / RULES[0], tmp_path / "theirs.csv"
    text = (pack / conformance.EXPECTED).read_text("utf-8")
    theirs.write_text(text, "utf-8")
    assert main(["conform", str(pack), "--against", str(theirs)]) == 0
    assert capsys.readouterr().out == "all 1,071 numbers are the same\n"
    lines = text.splitlines()[1:]
    *cells, tb2, place = next(line for line in lines if line.startswith("twins,c07,3,")).split(",")
    right = ",".join([*cells, tb2, place])
    wrong = ",".join([*cells, str(int(tb2) + 1), place])
    theirs.write_text(text.replace(right, wrong), "utf-8")
    assert main(["conform", str(pack), "--against", str(theirs)]) == 1
    said = f"twins, c07, team 3: tb2 must be {tb2}, got {int(tb2) + 1}\n1 differ\n"
    assert capsys.readouterr().out == said
    # A program that has one policy alone, other columns in another order, and no names.
    mine = [line.split(",") for line in lines if ",c07," in line]
    rows = ["place,TB2,mp,start,policy,event", *(",".join([*r[:3], *r[4:]][::-1]) for r in mine)]
    theirs.write_text("\r\n".join(rows), "utf-8")
    assert main(["conform", str(pack), "--against", str(theirs), "--unplayed", "c07"]) == 0
    capsys.readouterr()
    assert main(["conform", str(pack), "--against", str(theirs)]) == 1
    out = capsys.readouterr().out
    assert "'swiss, baku2016': 22 teams missing\n" in out and out.endswith("differ\n")


BAD = {
    "must name the columns": b"event,policy,start,team,mp,tb2\n",
    "not so start, mp, tb2": b"event,policy,place\n",
    "line 2: tb2 must be a number, got 'x'": b"event,policy,start,mp,tb2,place\na,b,1,1,x,1\n",
    "tb2 must be a number, got 'nan'": b"event,policy,start,mp,tb2,place\na,b,1,1,nan,1\n",
    "start must be a number, got '1.5'": b"event,policy,start,mp,tb2,place\na,b,1.5,1,1,1\n",
    "must have 6 cells, got 5": b"event,policy,start,mp,tb2,place\na,b,1,1,1\n",
    "team 1 stands twice": b"event,policy,start,mp,tb2,place\na,b,1,1,1,1\na,b,1,1,1,1\n",
    "must be a number, got '\\x1b": b"event,policy,start,mp,tb2,place\na,b,1,1,\x1b[2J,1\n",
    "UTF-8": b"\xff\xfe\xff",
}


@pytest.mark.parametrize("said", BAD)
def test_bad_files_are_refused(said, packs, tmp_path, capsys):
    theirs = tmp_path / "theirs.csv"
    theirs.write_bytes(BAD[said])
    assert said in fails(capsys, "conform", str(packs / RULES[0]), "--against", str(theirs))


def test_a_pack_that_is_none_is_refused(tmp_path, capsys):
    assert "expected.csv" in fails(capsys, "conform", str(tmp_path), "--against", str(tmp_path))
