"""Small events as folders of CSV tables: four teams, two boards, one round; and two rounds."""

MATCHES = (
    "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
    "1,1,A,B,1.5,0.5,2,0\n1,2,C,D,2,0,2,1\n"
)
BOARDS = (
    "round,match,board,white_team,black_team,result,status,white_player,black_player\n"
    "1,1,1,A,B,1-0,played,A1,B1\n1,1,2,B,A,1/2-1/2,played,B2,A2\n"
    "1,2,1,C,D,1-0,played,C1,D1\n1,2,2,D,C,0-1,forfeit,D2,C2\n"
)
PLAYERS = "team,name\nA,A1\nA,A2\nB,B1\nB,B2\nC,C1\nC,C2\nD,D1\nD,D2\n"

HEADER = "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited\n"
GOOD = HEADER + "1,1,A,B,2.5,1.5,4,0\n1,2,C,D,4,0,4,4\n2,1,A,C,2,2,4,0\n2,2,B,D,1,2,3,0\n"
GOOD_BOARDS = (
    "round,match,white_team,black_team,result\n"
    "1,1,A,B,1/2-1/2\n1,1,A,B,1-0\n1,1,A,B,1-0\n1,1,A,B,0-1\n"
)

SPREADSHEETS = {
    "sep": "sep=;\nRunde;Heim;Gast;Brettpunkte\n1;A;B;2,5-1,5\n1;C;D;4:0\n2;A;C;2-2\n2;B;D;½-3½\n",
    "quoted": '"sep=,"\nRound,Home,Away,Score\n1,A,B,"2,5-1,5"\n1,C,D,4-0\n2,A,C,2-2\n'
    '2,B,D,1/2 - 3 1/2\n',
    "twice": "Ronda\tEquipo\tEquipo\tPuntos\tPuntos\n1\tA\tB\t2,5\t1,5\n1\tC\tD\t4\t0\n"
    "2\tA\tC\t2\t2\n2\tB\tD\t0,5\t3,5\n",
    "mirrored": "Ronde;Équipe;Points;Points;Équipe\n1;A;2½;1½;B\n1;C;4;0;D\n2;A;2;2;C\n"
    "2;B;½;3½;D\n",
    "sides": "Ronde;Équipe 1;Équipe 2;Points 1;Points 2\n1;A;B;2,5;1,5\n1;C;D;4;0\n2;A;C;2;2\n"
    "2;B;D;0,5;3,5\n",
    "home": "Runde;Mannschaft Heim;Mannschaft Gast;MP;Ergebnis\n1;A;B;2;2,5:1,5\n1;C;D;2;4:0\n"
    "2;A;C;1;2:2\n2;B;D;0;0,5:3,5\n",
}  # fmt: skip
"""One event of four teams and two rounds, as spreadsheets of several languages head it."""
LACKING = {
    "Runde;Heim;Brettpunkte\n1;A;2\n": ("team_b", "gast, gastmannschaft"),
    "Home,Away,Score\nA,B,2-2\n": ("round", "runde, durchgang, ronde"),
    "Ronda;Equipo;Puntos\n1;A;2\n": ("team_a", "equipo1"),
    "Round,Home,Away\n1,A,B\n": ("game_points_a", r"puntos1.*score \(6,5-3,5\)"),
    "Round,White,Result\n1,A,1-0\n": ("black_player", "schwarz, noirs"),
}
"""Tables that lack a column, with it and some headings that would do."""
