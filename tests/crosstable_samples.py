"""Crosstables in the form of chess-results, with names of our own, and events written so."""

from tb2learn.events import listed_order, rank
from tb2learn.types import InputError

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
    rows = rank(event, listed_order(event, "points" if event.individual else "mp", _find_nothing))
    number = {event.teams.index(row.team): place for place, row in enumerate(rows, start=1)}
    table = [[heads[0], heads[1], *(rounds.format(r) for r in range(1, event.rounds + 1)), "Pts."]]
    for row in rows:
        team = event.teams.index(row.team)
        cells = [_cell(event, team, r, number, letters) for r in range(1, event.rounds + 1)]
        table.append([number[team], row.team, *cells, _points(2 * next(iter(row.scores.values())))])
    return "".join(f"{mark.join(map(str, row))}\n" for row in table)


def _find_nothing(name):
    raise InputError(name)


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
