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
