"""Crosstables in the form of chess-results, with names of our own, and events written so."""

import io
from random import Random

import openpyxl
from event_samples import find_nothing

from tb2learn.events import rank, read_criteria
from tb2learn.text import csv_text

PLAYERS = """\ufeffFrom the Tournament-Database of Chess-Results http://chess-results.com;;;;;;;;
Open of Somewhere;;;;;;;;
Rk.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts. ;TB1
1;GM;Ace Anna ;2400;NOR; 4w1;  2b½; 3w1;2,5;4
2;;Bat Bela;2100;HUN;5b1; 1w½;-½;2;4,5
3;WFM;Cat Carl;2300;GER;6w+;4b½;1b0;1,5;5
4;;Dog Dora;;SUI; 1b0; 3w½;5w½;1;5
5;;Elk Emil;1900;FRA;2w0;6b½;4b½;1;3,5
6;;Fox Fred;1800;ESP;3b-;5w½;-0;0,5;2,5

#;;;;;;;;
#You find all details under  http://chess-results.com/tnr1.aspx;;;;;;;;
"""
"""Six players, three rounds: a half-point bye, a game won by default, a round that one missed."""

TEAMS = """Some League
Rg.\tMannschaft\t1.Rd\t2.Rd\t3.Rd\tPkt.
1\tAdler\t2w3\t3s2½\t-2\t5
2\tBussard\t1s1\t4w4\t3w2\t3
3\tCondor\tspielfrei\t1w1½\t2s2\t2
4\tDrossel\tzwz\t2s0\tzwz\t0
"""
"""Four teams, four boards, German letters of colours; a bye as points and one as a word."""

SQUARE = """Round robin
No.,Team,1,2,3,MP
1,Adler,*,2½,3 1,5
2,Bussard,1½,*,2,1
3,Condor,1 3,2,*,3
"""
"""Three teams in a square; the first and the third met twice."""


def crosstable(event, mark=";", letters="wb", rounds="{}.Rd", heads=("Rk.", "Name")):
    """An event of players or of teams as a crosstable, in the order of points."""
    rows = rank(event, read_criteria(event, ["points" if event.individual else "mp"], find_nothing))
    number = {event.teams.index(row.team): place for place, row in enumerate(rows, start=1)}
    table = [[heads[0], heads[1], *(rounds.format(r) for r in range(1, event.rounds + 1)), "Pts."]]
    for row in rows:
        team = event.teams.index(row.team)
        cells = [_cell(event, team, r, number, letters) for r in range(1, event.rounds + 1)]
        table.append([number[team], row.team, *cells, _points(2 * next(iter(row.scores.values())))])
    return "".join(f"{mark.join(map(str, row))}\n" for row in table)


def _points(half):
    whole, rest = divmod(int(half), 2)
    return f"{whole if whole or not rest else ''}{'½' * rest}"


def _cell(event, team, round_number, number, letters):
    for match in event.matches:
        if match.round == round_number and team in match.teams:
            half = match.points_of(team)[1]
            if match.team_b is None:
                return f"-{_points(half)}"
            letter = letters[team != match.team_a]
            points = _points(half)
            if event.individual and match.by_default:
                points = "+" if half else "-"
            return f"{number[match.opponent_of(team)]:3}{letter}{points}"
    return ""


START = """\
Some Open
Starting rank

No.;;Name;FideID;FED;Rtg;Club/City
1;GM;Ace, Anna;1400001;NOR;2400;Oslo
2;WFM;Cat, Carl;0;GER;2300;
3;;Bat, Bela;0;HUN;2100;Pécs
"""
GAMES = """\
From the Tournament-Database of Chess-Results https://chess-results.com;;;;;;;;;;;
Some Open;;;;;;;;;;;
Round 1 on 2025/10/25 at 15:00;;;;;;;;;;;
Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.
1;1;GM;Ace, Anna;2400;0;1 - 0;0;;Bat, Bela;2100;3
2;2;WFM;Cat, Carl;2300;0;1;0;;bye;;
Round 2 on 2025/10/26 at 15:00;;;;;;;;;;;
Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.
1;2;WFM;Cat, Carl;2300;1;½ - ½;1;GM;Ace, Anna;2400;1
2;3;;Bat, Bela;2100;0;0;;;not paired;;-2
"""
"""Pairings of three players in two rounds, with a bye and one who is not paired."""
MATCHES = """\
Some League
1. Runde am 11.11.2023 um 15.00
Nr.\tTeam\tTeam\tErg.\t:\tErg.
1\tAdler\tBussard *)\t2½\t:\t1½
2\tCondor\tspielfrei\t\t:\t
2. Runde
Nr.\tTeam\tTeam\tErg.\t:\tErg.
1\tCondor\tAdler\t4F\t:\t0F
2\tBussard\tnicht ausgelost\t\t:\t
"""
MIRRORED = """\
Round 1
No.;SNo;;FED;Team;Pts.;MP;Res.;:;Res.;MP;Pts.;Team;FED;;SNo
1;3;;NOR;Falcons;0;0;3;:;1;0;0;Herons;HUN;;1
2;2;;GER;Storks;0;0;;:;;;;not paired;;;
"""
BOARDS = """\
Some League
Round 1 on 2025/10/25 at 15:00
Bo.;3;Falcons;Rtg;-;1;Herons;Rtg;1½ : ½
1.1;FM;Ant, Ada;2210;-;;Bee, Bob;2054;1 - 0
1.2;;Cod, Cid;2000;-;CM;Dab, Dee;1990;½ - ½
Bo.;2;Storks;Rtg;-;4;Terns;Rtg;1 : 1
2.1;;Eel, Eva;1900;-;;Fly, Flo;1800;+ - -
2.2;;;0;-;;Gnu, Gus;1700;- - +
"""
"""A round of four teams on two boards; a player did not come, and a board was not occupied."""
LISTS = {
    "games": GAMES, "matches": MATCHES, "mirrored": MIRRORED, "boards": BOARDS, "start": START,
}  # fmt: skip
_HEADS = "Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No."


def start_list(event):
    """The start list of an event of players."""
    rows = ["No.;;Name;FideID;FED;Rtg;Club/City"]
    for number, p in enumerate(event.players, start=1):
        rows.append(f"{number};{p.title};{p.name};{p.fide_id};{p.federation};{p.rating};")
    return "\n".join(rows)


def rounds_of_players(event, rounds):
    """The pairings of rounds of an event of players, one below the other."""
    lines = ["Some Open"]
    for number in rounds:
        lines += [f"Round {number} on 2025/01/{number:02}", _HEADS]
        for m in (m for m in event.matches if m.round == number):
            own = f"{m.number};{m.team_a + 1};;{event.teams[m.team_a]};0;0"
            if m.team_b is None:
                word = "not paired" if m.bye == "zero" else "bye"
                lines.append(f"{own};{_points(m.half_points_a)};;;{word};;")
                continue
            points = [_points(half) for half in (m.half_points_a, m.half_points_b)]
            if m.by_default:
                points = ["-+"[half > 0] for half in (m.half_points_a, m.half_points_b)]
            other = f"0;;{event.teams[m.team_b]};0;{m.team_b + 1}"
            lines.append(f"{own};{' - '.join(points)};{other}")
    return "\n".join(lines)


def facts(event):
    """Matches by names: round, first side, second side, half points of both, bye."""
    names = [*event.teams, None]
    return sorted(
        (m.round, event.teams[m.team_a], names[-1 if m.team_b is None else m.team_b] or "",
         m.half_points_a, m.half_points_b, m.bye, m.by_default)
        for m in event.matches
    )  # fmt: skip


def games(seed):
    """An event of players with byes and games won by default, as a table of games."""
    random = Random(seed)
    players = [f"P{n}" for n in range(random.randint(2, 30))]
    rows = [("round", "white_player", "black_player", "result", "status", "bye")]
    for number in range(1, random.randint(2, 12)):
        order = random.sample(players, len(players))
        # A round in which nobody plays is not one.
        while len(order) > 1 and (len(order) == len(players) or random.random() < 0.95):
            pair = order.pop(), order.pop()
            played = random.random() < 0.9
            result = random.choice(("1-0", "0-1", "1/2-1/2") if played else ("1-0", "0-1", "0-0"))
            rows.append((number, *pair, result, "played" if played else "forfeit", ""))
        byes = ("pairing", "half", "zero")
        rows += [(number, player, "", "", "", random.choice(byes)) for player in order]
    rows.append((random.randint(1, 2), *"XY", "1-0", "", ""))
    return csv_text(rows)


# --- a grid of cells as a file --------------------------------------------------------------------


def as_csv(grid):
    mark = "," if grid[0][0] == "round" else ";"
    return "".join(
        mark.join(f'"{cell}"' if mark in cell else cell for cell in row) + "\n" for row in grid
    ).encode()


def as_html(grid):
    rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in grid)
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    return f'<html><body><h2>An event</h2><table class="CRs1">{body}</table></body></html>'.encode()


def as_xlsx(grid):
    book, content = openpyxl.Workbook(), io.BytesIO()
    for row in grid:
        book.active.append(row)
    book.save(content)
    return content.getvalue()


WRITES = {"csv": as_csv, "html": as_html, "xlsx": as_xlsx}
"""By form how a grid of texts is written."""
