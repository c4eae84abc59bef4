"""An event of seven teams on two boards before its last round, as a folder of tables."""

ROUNDS = (
    "round,match,team_a,team_b,game_points_a,game_points_b,bye\n"
    "1,1,A,F,1.5,0.5,\n1,2,B,E,2,0,\n1,3,C,D,1,1,\n1,4,G,,,,pairing\n"
    "2,1,B,A,1,1,\n2,2,G,C,0.5,1.5,\n2,3,D,F,2,0,\n2,4,E,,,,zero\n"
    "3,1,A,C,1.5,0.5,\n3,2,D,B,0.5,1.5,\n3,3,F,,,,pairing\n"
)
"""E and G are gone before the third round."""
LAST = "4,1,A,D,,,\n4,2,C,B,,,\n4,3,F,,,,pairing\n"
RATINGS = (
    "team,rating_1,rating_2\n"
    "A,2500,2400\nB,2450,2440\nC,2400,2350\nD,2380,2300\nE,2300,2290\nF,,\nG,2200,2100\n"
)


def write_event(folder, last=LAST, ratings=RATINGS, rounds=ROUNDS):
    """Write the tables; `last` is the last round."""
    (folder / "teams.csv").write_text(ratings, encoding="utf-8")
    (folder / "matches.csv").write_text(rounds + last, encoding="utf-8")
    (folder / "event.csv").write_text("key,value\nname,Seven\nrounds,4\nboards,2\n")
    return folder
