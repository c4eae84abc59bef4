"""PGN of team events: what is written, comes back, and is lost or refused."""

import textwrap
from dataclasses import replace

import pytest
from pgn_samples import by_names, game, matches_by_names, read, rounds

from tb2learn.events.formats.pgn_write import write_pgn
from tb2learn.events.parts import Match, Player
from tb2learn.types import InputError


@pytest.mark.parametrize("count", [1, pytest.param(11, marks=pytest.mark.slow)])
def test_baku_2016_there_and_back(baku, count):
    event = baku.after(count)
    content, losses = write_pgn(event)
    back = read(content)
    assert by_names(back) == by_names(event)
    assert matches_by_names(back) == matches_by_names(event)
    if count == 11:
        assert losses == (
            "start order of the teams",
            "teams with their players in another order: 114",
        )
        assert sum(not g.played for g in back.games) == 39
        assert sorted(back.teams) == sorted(baku.teams)
        ratings = dict(zip(back.teams, back.ratings, strict=True))
        assert ratings == dict(zip(baku.teams, baku.ratings, strict=True))
        assert (back.name, back.boards, back.rounds) == ("baku2016", 4, 11)


def test_an_event_without_games(baku):
    with pytest.raises(InputError, match=r"a PGN needs games: boards\.csv"):
        write_pgn(replace(baku, games=()))


def small():
    """Two teams, two boards, one of them forfeited."""
    return read(
        game(Round="1.1", WhiteElo="2000", WhiteFideId="1", WhiteTitle="GM", Site="Baku",
             EventDate="2016.09.02")
        + game("B", "A", Round="1.1", White="B two", Black="A two", Termination="forfeit", moves="")
    )  # fmt: skip


def test_what_is_written():
    content, losses = write_pgn(small())
    assert losses == ()
    assert content.split("\n\n")[:2] == [
        textwrap.dedent("""\
            [Event "Cup"]
            [Site "Baku"]
            [Date "????.??.??"]
            [Round "1.1"]
            [White "A one"]
            [Black "B one"]
            [Result "1-0"]
            [Board "1"]
            [EventDate "2016.09.02"]
            [WhiteTeam "A"]
            [WhiteElo "2000"]
            [WhiteTitle "GM"]
            [WhiteFideId "1"]
            [BlackTeam "B"]"""),
        "1-0",
    ]
    assert content.count("[Termination ") == content.count('[Termination "forfeit"]') == 1
    back = read(content)
    assert by_names(back) == by_names(small()) and back.about == small().about


def with_game(event, number, **changes):
    changed = [replace(g, **changes) if i == number else g for i, g in enumerate(event.games)]
    return replace(event, games=tuple(changed))


def with_match(event, **changes):
    return replace(event, matches=(replace(event.matches[0], **changes), *event.matches[1:]))


def with_player(event, number, **changes):
    changed = [replace(p, **changes) if i == number else p for i, p in enumerate(event.players)]
    return replace(event, players=tuple(changed))


LOSSES = {
    r"names of teams: 1, such as 'A\x1b'": lambda e: replace(e, teams=("A\x1b", "B")),
    "teams left out: 1, such as 'C'": lambda e: replace(
        e, teams=("A", "B", "C"), ratings=(*e.ratings, ())
    ),
    "ratings of teams other than those of their players who played: 1, such as 'A'": (
        lambda e: replace(e, ratings=((2001,), ()))
    ),
    "byes: 1": lambda e: replace(
        e, matches=(*e.matches, Match(1, 2, 0, None, 2, 0, 0, 0, "pairing"))
    ),
    "matches: 1": lambda e: replace(
        e,
        teams=("A", "B", "C", "D"),
        ratings=(*e.ratings, (), ()),
        matches=(*e.matches, Match(1, 2, 2, 3, 2, 2, 2, 0)),
    ),
    "numbers of boards decided or forfeited: matches: 1": lambda e: with_match(e, boards_decided=3),
    "game points of matches or byes: 1": lambda e: with_match(e, half_points_a=3),
    "match points of matches or byes: 1": lambda e: with_match(e, match_points_a=0),
    "which team has white on board 1: matches: 1": lambda e: with_match(e, team_a=1, team_b=0),
    "players left out: 1, such as 'C'": lambda e: replace(e, players=(*e.players, Player(1, "C"))),
    "players left out: 1, such as 'N.N.'": lambda e: with_player(e, 2, name="N.N."),
    "ratings of players: 1, such as 'B one'": lambda e: with_player(e, 2, rating=2100),
    "sex of players: 1, such as 'A one'": lambda e: with_player(e, 0, sex="w"),
    "number of planned rounds": lambda e: replace(e, planned=9),
    "number of boards": lambda e: replace(e, boards=4),
    "'type' of the event": lambda e: replace(e, about={**e.about, "type": "Swiss"}),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_is_named(loss):
    changed = LOSSES[loss](small())
    assert loss in write_pgn(changed)[1]


def test_losses_of_a_second_round():
    event = rounds(("1", "A", "B", {}), ("2", "A", "B", {"Result": "0-0"}))
    assert write_pgn(event)[1] == ()
    lost = "whether games were played: 1"
    assert lost in write_pgn(with_game(event, 1, played=True))[1]
    turned = replace(with_game(event, 0, white_team=1, black_team=0, white=1, black=0))
    assert "start order of the teams" in write_pgn(turned)[1]
    # Two players whom nothing tells apart; in one round they cannot even be written.
    twins = with_player(with_game(small(), 1, round=2), 1, name="A one", fide_id=0)
    twins = replace(
        twins, rounds=2, matches=(Match(1, 1, 0, 1, 2, 0, 1, 0), Match(2, 1, 1, 0, 2, 0, 1, 1))
    )
    lost = "players of a team with the same name: 2, such as 'A one'"
    assert lost in write_pgn(twins)[1]
    with pytest.raises(InputError, match=r"cannot be written as PGN: PGN: line \d+: column 8"):
        write_pgn(with_player(small(), 1, name="A one"))


def test_a_played_game_of_nobody_stays_played():
    event = with_game(small(), 0, white=None)
    content, _ = write_pgn(event)
    assert read(content).games[0].played and read(content).games[0].white is None


HOSTILE = [
    'a"]\n[Result "0-1"]\n\n0-1',
    "a\r[Round",
    'quote " backslash \\ "',
    "\\",
    '\\"',
    '"',
    "two \\\\ backslashes",
    'a"] [Result "0-1"] [Site "b',
    "} {",
    "%",
    "[",
    ";",
    "\x1b[2J",
    "\u2028x\u2029",
    "a\x85b",
    "a\ud800b",
    "\u202e",
    "<b>",
    "=1+1",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_out(name):
    event = with_player(small(), 0, name=name)
    event = replace(event, teams=(name, "B"), name=name)
    content, _ = write_pgn(event)
    back = read(content.encode())
    assert len(back.games) == 2 and back.matches == event.matches
    printable = "".join(c if c >= " " and c not in "\x85\ud800" else " " for c in name).strip()
    if printable not in ("", "%"):
        assert back.teams[0] == printable and back.name == printable
    assert not any(c < " " and c != "\n" for c in content)
    assert content.count("\n[") + 1 == sum(line.startswith("[") for line in content.split("\n"))
