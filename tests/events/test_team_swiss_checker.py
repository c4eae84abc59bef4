"""Team Swisses against FIDE's pairing checker, pair by pair with colours."""

import contextlib
import io
import sys

import pytest
from swiss_events import played_event
from trf_samples import read_trf

from tb2learn.events.check import check
from tb2learn.events.files.trf_write import write_trf

pytest.importorskip("gacrux", reason="needs FIDE's pairing checker: pip install gacrux")

CODES = (
    "FIDE_TEAM_TYPEA_MP_GP", "FIDE_TEAM_TYPEB_MP_GP", "FIDE_TEAM_MP_GP", "FIDE_TEAM_TYPEA_GP_MP",
    "FIDE_TEAM_TYPEB_MP", "FIDE_TEAM_GP",
)  # fmt: skip


def checkers_round(text, number, tmp_path, monkeypatch):
    """The pairs that the checker makes of a round, White first; the bye has the opponent 0."""
    from gacrux.pairingchecker import pairingchecker

    path = tmp_path / "event.trf"
    path.write_text(text, encoding="utf-8")
    arguments = ["checker", "-i", str(path), "-o", "-", "-p", "-n", str(number), "-dT"]
    monkeypatch.setattr(sys, "argv", arguments)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        pairingchecker().common_main()
    lines = printed.getvalue().splitlines()[1:]
    return {tuple(map(int, line.split()[:2])) for line in lines if line.strip()}


def recorded(event, number):
    """The pairs of a round of an event."""
    white = {(g.round, g.match): g.white_team for g in event.games if g.board == 1}
    pairs = set()
    for match in event.matches:
        if match.round == number and match.bye in ("", "pairing"):
            a, b = match.team_a + 1, 0 if match.team_b is None else match.team_b + 1
            turned = b and white[number, match.number] != match.team_a
            pairs.add((b, a) if turned else (a, b))
    return pairs


def compare(seed, teams, rounds, code, tmp_path, monkeypatch, forfeits=0.0, absent=0.0):
    """How many rounds and pairs are compared, all of which must be the checker's."""
    event, away = played_event(seed, teams, rounds, code, forfeits, absent)
    whole = write_trf(event, 2026)
    # What is read back was paired by the rules, from what the file says.
    result = check(read_trf(whole.encode(), "it"))
    assert result.findings == result.remarks == () and code in result.rules
    pairs = 0
    for number in range(1, event.rounds + 1):
        text = whole
        if forfeits or absent:
            # The checker knows who is absent by the entries of the round.
            text = write_trf(event.until(number - 1), 2026) if number > 1 else whole
            if number > 1:
                text = with_absences(text, event, away[number - 1], number)
        real = recorded(event, number)
        assert checkers_round(text, number, tmp_path, monkeypatch) == real, (seed, code, number)
        pairs += len(real)
    return event.rounds, pairs


def with_absences(text, event, absent, number):
    """The file with the entries of absent teams in the round that is to be paired."""
    start = 91 + 10 * (number - 1)
    lines = []
    for line in text.splitlines():
        if line.startswith("001") and (int(line[4:8]) - 1) // event.boards in absent:
            line = line.ljust(start) + "0000 - Z"
        lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(3))
def test_pairs_and_colours_are_the_checkers(seed, tmp_path, monkeypatch):
    teams, code = (9, 12, 15)[seed], CODES[seed]
    assert compare(seed, teams, 5, code, tmp_path, monkeypatch) == (5, 5 * -(-teams // 2))


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_three_hundred_rounds_are_the_checkers(code, tmp_path, monkeypatch):
    rounds = pairs = 0
    for seed in range(6):
        sizes = 8 + 9 * seed, 9 if seed > 1 else 5
        counted = compare(100 + seed, *sizes, code, tmp_path, monkeypatch)
        rounds, pairs = rounds + counted[0], pairs + counted[1]
    assert rounds == 46 and pairs > 600


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_rounds_with_forfeits_and_absences_are_the_checkers(code, tmp_path, monkeypatch):
    rounds = 0
    for seed in range(200, 204):
        share = 0.05
        rounds += compare(seed, 14 + seed % 7, 7, code, tmp_path, monkeypatch, share, share)[0]
    assert rounds > 24
