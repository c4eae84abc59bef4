"""Leagues as judges: what is a league, Swiss events on its results, errors by plain loops."""

import numpy as np
import pytest

from tb2learn.chess.berger import round_robin
from tb2learn.cli import main
from tb2learn.events import read_event
from tb2learn.studies.leagues.draws import RANDOM, RATED, drawn, league
from tb2learn.studies.leagues.measure import _rows, judged
from tb2learn.types import BYE, InputError

TEAMS, DRAWS = 9, 12
HEAD = "round,match,team_a,team_b,game_points_a,game_points_b,boards_forfeited\n"


def write(folder, teams=TEAMS, repeats=1, left_out=0, seed=1):
    """A league of teams T0, T1, ...: drawn results, of which the last are left out."""
    folder.mkdir()
    random, rows = np.random.default_rng(seed), []
    for number, games in enumerate(round_robin(teams, repeats).games.tolist(), start=1):
        for match, (one, other) in enumerate(games, start=1):
            points = int(random.integers(9)) / 2
            rows.append(f"{number},{match},T{one},T{other},{points},{4 - points},0\n")
    (folder / "matches.csv").write_text(HEAD + "".join(rows[: len(rows) - left_out]))
    names = "".join(f"T{n},{2400 - 100 * n}\n" for n in range(teams))
    (folder / "teams.csv").write_text("team,rating_1\n" + names)
    return folder


@pytest.fixture(scope="module")
def nine(tmp_path_factory):
    return league(read_event(write(tmp_path_factory.mktemp("leagues") / "nine")))


@pytest.mark.parametrize("repeats", [1, 2])
def test_the_full_table(tmp_path, repeats):
    """All matches count in it; what a team scored is that of the first one."""
    event = read_event(write(tmp_path / "league", 8, repeats))
    found = league(event)
    teams = event.frame("teams")
    assert found.match_points.tolist() == teams["match_points"].tolist()
    assert found.boards == 4 and found.rounds == [5] and found.ratings[0] == 2400
    for match in event.matches[: 8 * 7 // 2]:
        assert found.half_points[match.team_a, match.team_b] == match.half_points_a
        assert found.half_points[match.team_b, match.team_a] == match.half_points_b


def test_what_is_no_league(tmp_path, capsys):
    folder = write(tmp_path / "short", 8, left_out=1)
    given = ["study", "leagues", "--events", str(folder), "--out", str(tmp_path / "out")]
    assert main(given) == 2
    [line] = [one for one in capsys.readouterr().err.splitlines() if "error" in one]
    assert "short: not a complete round robin: T" in line and "met 0 times" in line
    matches = folder / "matches.csv"
    write(tmp_path / "full", 8)
    rows = (tmp_path / "full" / "matches.csv").read_text().splitlines()
    default = [*rows[1].split(",")[:4], "4", "0", "4"]
    matches.write_text("\n".join([rows[0], ",".join(default), *rows[2:]]) + "\n")
    with pytest.raises(InputError, match="met 0 times over the board, others 1"):
        league(read_event(folder))
    with pytest.raises(InputError, match="must have 8 teams or more, got 7"):
        league(read_event(write(tmp_path / "small", 7)))


@pytest.mark.parametrize("world", [RANDOM, RATED])
def test_a_swiss_is_played_on_the_results(nine, world):
    """Nobody meets twice, both sides have the league's result, a bye is a draw."""
    found = drawn(nine, world, DRAWS, seed=2)
    assert found.legal(5).all() and found.opponents.shape == (5, TEAMS, DRAWS)
    for draw in range(DRAWS):
        assert sorted(found.teams[:, draw]) == list(range(TEAMS))
        for number, opponents in enumerate(found.opponents[..., draw]):
            assert (opponents == BYE).sum() == 1
            for seed, other in enumerate(opponents):
                gained = found.gained[number, seed, draw]
                scored = found.half_points[number, seed, draw]
                if other == BYE:
                    assert (scored, gained) == (nine.boards, 1)
                    continue
                assert opponents[other] == seed
                one, two = found.teams[[seed, other], draw]
                assert scored == nine.half_points[one, two]
                assert gained == 1 + np.sign(scored - nine.half_points[two, one])
    # Ratings are 100 points apart, twice their noise: the teams are numbered by them.
    order = np.corrcoef(found.teams.mean(axis=1), np.arange(TEAMS))[0, 1]
    assert order > 0.95 if world == RATED else order < 0.9
    again = drawn(nine, world, DRAWS, seed=2)
    assert (again.opponents == found.opponents).all() and (again.teams == found.teams).all()
    assert (drawn(nine, world, DRAWS, seed=3).teams != found.teams).any()


def test_errors_by_plain_loops(nine):
    """Game points, and who has the higher rating, against the full table; a rematch is left out."""
    played = drawn(nine, RANDOM, DRAWS, seed=5)
    played.opponents[1, :, 3] = played.opponents[0, :, 3]
    by_draw, by_teams = judged(nine, played, 5, ["game-points"], rated=True)
    pairs = np.zeros((DRAWS, 3))
    for draw in range(DRAWS):
        own = dict(zip(played.teams[:, draw], played.gained[:5, :, draw].sum(axis=0), strict=True))
        points = dict(
            zip(played.teams[:, draw], played.half_points[:5, :, draw].sum(axis=0), strict=True)
        )
        for one in range(TEAMS):
            for other in range(one):
                truth = np.sign(nine.match_points[one] - nine.match_points[other])
                if own[one] == own[other] and truth:
                    said = np.sign(points[one] - points[other])
                    # The lower number has the higher rating.
                    pairs[draw] += 1, abs(said - truth) / 2, truth > 0
    assert by_draw.T.tolist() == np.delete(pairs, 3, axis=0).tolist()
    assert by_teams.sum(axis=(1, 2)).tolist() == by_draw.sum(axis=1).tolist()
    assert pairs[:, 0].sum() > 20


def test_intervals_and_leagues_needed():
    """Two leagues that differ more than their draws, and three errors in ten against one in ten."""
    teams = np.zeros((3, 4, 4))
    teams[:, 0, 1] = 1000, 100, 300
    alike = np.tile([[10.0], [1.0], [3.0]], 100), teams
    other = np.tile([[10.0], [1.0], [1.0]], 100), teams
    one, two = (_rows(found, ["a", "b"], 1).iloc[1] for found in ([alike], [alike, other]))
    assert (one.error, one.more, one.draws, one.pairs) == (0.3, pytest.approx(0.2), 100, 1000)
    assert one.more_low == pytest.approx(one.more_high) == pytest.approx(0.2)
    assert np.isnan([one.league_low, one.league_high]).all()
    assert (two.leagues, two.more, two.league_low) == (2, pytest.approx(0.1), 0)
    assert two.league_high == pytest.approx(0.2)


def test_a_report_of_two_leagues(tmp_path):
    folders = [write(tmp_path / name, seed=seed) for name, seed in (("one", 3), ("two", 4))]
    events = [word for folder in folders for word in ("--events", str(folder))]
    given = ["--rules", "game-points", "wins", "--draws", "6", "--out", str(tmp_path / "out")]
    assert main(["study", "leagues", *events, *given]) == 0
    text = (tmp_path / "out" / "README.md").read_text()
    assert (
        "* 2 leagues tell little" in text and "differences to the game-points exclude zero" in text
    )
    assert "| wins |" in text and "leagues from" in text and "higher rated first" in text
