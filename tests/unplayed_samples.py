"""An event by hand with a default, byes and absences, for policies and proposals."""

MATCHES = """round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye
1,A,B,2,0,2,0,
1,C,D,2,0,2,2,
1,E,,,,,,pairing
2,A,C,1,1,2,0,
2,B,E,1.5,0.5,2,0,
3,A,,,,,,half
3,B,C,0,2,2,0,
3,D,E,1,1,2,0,
4,A,E,1.5,0.5,2,0,
4,C,D,2,0,2,0,
"""
RATINGS = "team,rating_1,rating_2\nA,2450,2350\nB,2300,\nC,2200,2200\nD,2000,\nE,,\n"
# Match points by round, final; game points:
#   A 2, 1, 1 (asked for the bye), 2 = 6;  2, 1, 1, 1.5
#   B 0, 2, 0, absent              = 2;  0, 1.5, 0, -
#   C 2 (D did not come), 1, 2, 2  = 7;  2, 1, 2, 2
#   D 0, absent, 1, 0              = 1;  0, -, 1, 0
#   E 1 (bye), 0, 1, 0             = 2;  1, 0.5, 1, 0.5
# Over the board: A 5 of 3 matches, B 2 of 3, C 5 of 3, D 1 of 2, E 1 of 3.
