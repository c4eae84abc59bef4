"""PGN of team events: what is written, comes back, and is lost or refused."""

import textwrap
from dataclasses import replace

import pytest
from format_samples import says
from pgn_samples import game, read, rounds

from tb2learn.events.formats.pgn_write import write_pgn
from tb2learn.events.parts import Player
from tb2learn.types import InputError


@pytest.mark.parametrize("count", [1, pytest.param(11, marks=pytest.mark.slow)])
def test_baku_2016_there_and_back(baku, count):
    event = baku.after(count)
    content, losses = write_pgn(event)
    back, before = says(read(content)), says(event)
    for part in ("matches", "games", "name"):
        assert back[part] == before[part]
    if count == 11:
        assert losses == (
            "start order of the teams",
            "teams with their players in another order: 114",
        )
        assert back["ratings"] == before["ratings"] and back["players"] == before["players"]
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
            [BlackTeam "B"]
            [Termination "normal"]"""),
        "1-0",
    ]
    assert content.count('[Termination "forfeit"]') == 1
    assert content.count("[Termination ") == len(small().games)
    assert says(read(content)) == says(small())


def with_game(event, number, **changes):
    changed = [replace(g, **changes) if i == number else g for i, g in enumerate(event.games)]
    return replace(event, games=tuple(changed))


def with_player(event, number, **changes):
    changed = [replace(p, **changes) if i == number else p for i, p in enumerate(event.players)]
    return replace(event, players=tuple(changed))


def test_losses_of_a_second_round():
    event = rounds(("1", "A", "B", {}), ("2", "A", "B", {"Result": "0-0"}))
    assert write_pgn(event)[1] == ()
    lost = "whether games were played: 1"
    assert lost in write_pgn(with_game(event, 1, played=True))[1]
    turned = replace(with_game(event, 0, white_team=1, black_team=0, white=1, black=0))
    assert "start order of the teams" in write_pgn(turned)[1]
    with pytest.raises(InputError, match=r"cannot be written as PGN: PGN: line \d+: column 8"):
        write_pgn(with_player(small(), 1, name="A one"))
    nobody = replace(event, individual=True, players=(*event.players[:2], Player(2, "?")))
    nobody = replace(nobody, games=(event.games[0], replace(event.games[1], black_team=2, black=2)))
    nobody = replace(nobody, ratings=(*event.ratings, ()))
    named = replace(nobody, teams=(*event.teams, "? (3)"))
    text, _ = write_pgn(named)
    assert '[Black "? (3)"]' in text
    assert read(text).teams == named.teams
    with pytest.raises(InputError, match="written as PGN: a player of a game has no name"):
        write_pgn(replace(nobody, teams=(*event.teams, "?")))


def test_a_played_game_of_nobody_stays_played():
    event = with_game(small(), 0, white=None)
    content, _ = write_pgn(event)
    assert read(content).games[0].played and read(content).games[0].white is None


HOSTILE = [
    'a"]\n[Result "0-1"]\n\n0-1', "a\r[Round", 'quote " backslash \\ "', "\\", '\\"', '"',
    "two \\\\ backslashes", 'a"] [Result "0-1"] [Site "b', "} {", "%", "[", ";", "\x1b[2J",
    "\u2028x\u2029", "a\x85b", "a\ud800b", "\u202e", "<b>", "=1+1",
]  # fmt: skip


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
