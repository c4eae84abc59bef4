"""Team events as TRF and CSV that both readers must answer alike, and mutants of them."""

import csv
import io
from random import Random

import format_samples
import trf_samples
from csv_samples import LACKING, SPREADSHEETS
from helpers import ROOT, tracked

FOLDER = ROOT / "tests/events/formats/files"
FILES = {
    path.name: path.read_bytes()
    for path in tracked("tests/events/formats/files/*")
    if path.suffix in (".trf", ".trfx", ".csv", ".txt") and not path.stem.endswith("_official")
}
CLEAN, RESTING = FILES["clean.trf"], FILES["resting-reserves.trf"]


def changed(data, *pairs):
    """Bytes in which texts, which must be there, are replaced once each."""
    for old, new in pairs:
        assert old.encode() in data, old
        data = data.replace(old.encode(), new.encode(), 1)
    return data


def odd_squads():
    """A name twice, a team and a player without one, a member twice and one who is nobody."""
    player = trf_samples.player
    lines = ("012 " + "x" * 250, "352 WX",
             player(1, "A1", ["   3 w 1"]), player(2, "", ["   4 x ="]),
             player(3, "B1", ["   1 w 0"]), player(4, "B2", ["   2 b ="]),
             player(5, "Nobody", []), player(6, "C1", []),
             trf_samples.old_team("Same", 1, 2, 2), trf_samples.old_team("Same", 3, 4, 99),
             trf_samples.old_team("\N{GRINNING FACE}", 6))  # fmt: skip
    return trf_samples.text(*lines)


WITHOUT_299 = trf_samples.text(*[x for x in trf_samples.SMALL if not x.startswith("299")]).encode()
REPORTS = {
    "sample.trf": trf_samples.text(*trf_samples.SMALL).encode(),
    "without-299.trf": WITHOUT_299,
    "squads.trf": odd_squads().encode(),
    "latin.trf": CLEAN.replace(b"Alpha", b"Alph\xe4"),
    "open.trf": changed(
        CLEAN, ("   1 b 0    17 w 1 ", "   1 b 0    17 w * "), ("    13 b 0 ", "  0000 - * ")
    ),
    "unpaid.trf": changed(CLEAN, ("300   1   4", "240 Z   1    1\n300   1   4")),
    "stranger.trf": changed(WITHOUT_299, ("   4 w 1", "  99 w 1")),
}

HEADER = "round,team_a,team_b,game_points_a,game_points_b\n"
FULL = (
    "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye,"
    "match_points_a\n"
)
GOOD = "1,A,B,2,2\n"
FREE = "轮空", "Свободен", "ΡΕΠΟ", "Ακλήρωτος", "нежеребкован", "İsimsiz"
"""Words for a bye or for nobody, the last one a team."""
MATCHES = {
    "places are shared": HEADER + "".join(
        f"{r},{a},{b},2,2\n" for r in range(1, 6) for a, b in ("DA", "CB")),
    "everything": FULL + "1,1,A,B,1.5,0.5,2,0,,\n1,2,C,D,2,0,2,2,,\n1,3,E,,,,,,pairing,\n"
    "2,1,A,C,1,1,2,0,,\n2,2,B,E,0,1,1,0,,1\n2,3,D,,1,,,,half,1\n3,1,A,D,2,0,2,0,,\n"
    "3,2,B,C,1,1,2,1,,\n3,3,E,,,,,,zero,\n",
    "a formula": HEADER + "=1+1,A,B,2,2\n",
    "after quotes": HEADER + '1,"A"x,B,2,2\n',
    "quotes in quotes": HEADER + '1,"A ""x"", y","""",2,2\n1,C"",D,2,2\n1,"C""\n","D""",x,2\n',
    "many quotes": HEADER + '1,"' + '""' * 50_000 + '",B,2,2\n',
    "quotes over lines": HEADER + '1,"A\nA",B,2,2\n1,C,D,2,x\n',
    "not paired": HEADER + GOOD + "1,C,Not paired,,\n",
    "byes in other scripts": HEADER
    + "".join(f"{r},A,B,2,2\n{r},C,{word}\n" for r, word in enumerate(FREE, start=1)),
    "match points": FULL + "1,1,A,B,2,2,,,,3\n",
    "too many teams": HEADER + "".join(f"{1 + k // 999},{k}a,{k}b,2,2\n" for k in range(501)),
}  # fmt: skip
SCORES = [
    SPREADSHEETS["sep"].replace("4:0", score)
    for score in ("", "4", "4:x", "4:+", "0-0", ":", "4:0:0", "verlegt", "Reporté", "?", "!!")
] + [
    "\x1c" + SPREADSHEETS["sep"],
    HEADER + GOOD + "1,C,D,0,0\n",
    FULL + GOOD + "1,2,C,D,0,0,0,,,\n1,3,E,F,0,0,,,,1\n",
]
TEAMS = {
    "in their order": "team,rating_1,rating_2\nB,2000,0\nA,x,1900\nC,,\n",
    "empty": "team\n",
    "no name": "team,x\nA,1\n,2\n",
    "too many": "team\n" + "".join(f"{k}\n" for k in range(1001)),
}
LEAGUE = {
    "event.csv": "key;value\nboards;3\nmatch_points;3, 1, 0\nbye_points;2,1.5\n",
    "teams.csv": "Mannschaft;Elo 1;elo_2;name_by;;\nA\u00e9;2000;x;unsure\n"
    "B;;2100,0\nC;1900\n;;;\n",
    "matches.csv": "Rd.;Heim;Gast;Brettpunkte 1;BP 2;MP1;'x';\n1;A\u00e9;B;2\u00bd;1/2\n"
    "1;C;spielfrei\n2;B;C;1,5;1,5;\n2;A\u00e9;BYE;;;1\n3;A\u00e9;C;1 1/2;1.50\n4;A\u00e9;B\n",
}
CUP = {
    "matches.csv": "round,match,team_a,team_b,game_points_a,game_points_b\n"
    "1,7,A,B,1.5,0.5\n1,8,C,,,\n2,1,B,C,1,1\n2,2,A,,,\n3,1,A,C,,\n",
    "boards.csv": "round,match,board,white_team,black_team,result\n1,7,1,A,B,1-0\n"
    "1,7,3,B,A,1/2-1/2\n2,1,2,C,B,1/2-1/2\n2,1,1,B,C,1/2-1/2\n",
}
HALF = {
    "matches.csv": "round,team_a,team_b,game_points_a,game_points_b\n"
    "1,A,B,2,0\n1,C,D,1,1\n2,A,C,0,2\n2,B,,,\n3,B,C,0,2\n",
    "event.csv": "key,value\nrounds,3\nstart,2026-02-28\n",
}
"""A round robin of four in which two matches were not played."""
ABOUT = (
    "boards,2", "boards,x", "match_points,\"1,2,3\"", "bye_points,\"2,x\"", "name,Olympiad 2014",
    "name,Baku2016 open", "name,Youth Olympiad 2014", "start,3.2.2026", "start,2026-02-28",
    "start,2026", "end,2026-05-01", "type,Berger", "rounds,99", "start,", "boards,3\nboards,3",
)  # fmt: skip
"""Lines of event.csv."""


def folder(texts):
    return {name: text.encode() for name, text in texts.items()}


def refused(file, old, new):
    """A table that is refused, beside good matches if it is another one."""
    good = {"matches.csv": format_samples.GOOD["matches.csv"]}
    texts = good | {file: format_samples.with_changes(file, old, new)}
    return {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}


SAMPLES = (
    {f"file {name}": {name: data} for name, data in {**FILES, **REPORTS}.items()}
    | {f"matches: {what}": folder({"matches.csv": text}) for what, text in MATCHES.items()}
    | {
        f"teams: {what}": folder({"matches.csv": HEADER + GOOD, "teams.csv": text})
        for what, text in TEAMS.items()
    }
    | {
        f"{file}: {refusal}": refused(file, old, new)
        for file, old, new, refusal in format_samples.REFUSALS
        # The page does not pass over a title above the headings.
        if file in ("matches.csv", "teams.csv") and not new.startswith("Liga")
    }
    | {"league": folder(LEAGUE), "cup": folder(CUP), "half": folder(HALF)}
    | {
        "UTF-16": {
            "x.csv": FILES["tabs-french.csv"].decode("utf-16").encode("utf-16-be"),
        },
        "quarters": {"x.trf": WITHOUT_299 + b"362    TD 0.25\n"},
        "twice": {"x.csv": FILES["semicolons-german.csv"] + b"5;Alpha;Delta;1;1;\n"},
    }
    | {
        f"spreadsheet {number} as {name}": {name: text.encode()}
        for number, text in enumerate([*SPREADSHEETS.values(), *LACKING, *SCORES])
        for name in ("matches.csv", "x.csv")
    }
    | {f"event: {line}": folder(LEAGUE | {"event.csv": f"key,value\n{line}\n"}) for line in ABOUT}
)
"""Files by names, whatever both readers should make of them."""

BAD_NAMES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "Quotes \" and ' and, commas",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "-2",
    "\u202eright to left\u202c",
    "\u200fmark \u2066isolate",
    "two\nlines\ttab",
    "n" * 200,
    "\N{GRINNING FACE}" * 100,
    "\u05d9\u05e9\u05e8\u05d0\u05dc 1",
    "&amp; &lt;b&gt;",
    "__proto__",
    "private \ue000 and unassigned \U000e0fff",
)
NAMES = (*BAD_NAMES, *(f"Team {k}" for k in range(20 - len(BAD_NAMES))))


def written(rows, end="\n"):
    """Rows as CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=end).writerows(rows)
    return buffer.getvalue()


def random_event(random, names=NAMES, rounds=5, boards=4):
    """`matches.csv` with byes of every kind, defaults, teams not paired, and played matches."""
    rows = [(FULL.strip() + ",match_points_b").split(",")]
    for r in range(1, rounds + 1):
        order = random.sample(names, len(names))
        while order:
            a = order.pop()
            chance = random.random()
            if chance < 0.08 or not order:
                bye = random.choice(("", "pairing", "pairing", "full", "half", "zero", "default"))
                rows.append([r, "", a, "", "", "", "", "", bye, "", ""])
            elif chance < 0.12:
                continue  # not paired
            else:
                b = order.pop()
                half = random.randrange(2 * boards + 1)
                points, decided, forfeited = [half, 2 * boards - half], boards, 0
                if chance < 0.2:  # all or some boards defaulted
                    points = random.choice(([2 * boards, 0], [0, 2 * boards]))
                    forfeited = random.choice((boards, 2))
                elif chance < 0.24:  # some boards, or all, lost by both
                    points, decided = random.choice((([4, 2], 3), ([0, 0], 0), ([2, 2], 2)))
                recorded = ["2", "0"] if chance > 0.97 else ["", ""]
                halves = [p / 2 for p in points]
                rows.append([r, "", a, b, *halves, decided, forfeited, "", *recorded])
    if random.random() < 0.5:  # a match that is open
        row = random.choice([row for row in rows[1:] if row[3]])
        row[4:] = [""] * 7
    if random.random() < 0.3:  # a round that is not finished
        rows.append([rounds + 1, "", *names[:2], *[""] * 7])
    return random.choice(("", "\ufeff")) + written(rows, random.choice(("\n", "\r\n")))


# --- mutants

PARENTS = {
    name: data
    for name, data in {
        **FILES, **REPORTS, "sep.csv": SPREADSHEETS["sep"].encode(),
        "full.csv": MATCHES["everything"].encode()
    }.items()
    if len(data) < 5000
}  # fmt: skip
"""Small files: a mutant of a large one takes longer and shows no more."""


def mutants(count, seed=1):
    """So many files `(name, bytes)`, each with one to three changes."""
    random, names = Random(seed), sorted(PARENTS)
    for number in range(count):
        name = names[number % len(names)]
        yield name, format_samples.changed(PARENTS[name], random, most=3)
