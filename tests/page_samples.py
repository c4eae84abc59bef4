"""Files that both readers of events must answer alike, and mutants of them."""

import csv
import io
from random import Random

import pgn_samples
import player_samples
import trf_samples
from csv_samples import LACKING, SPREADSHEETS
from helpers import ROOT, tracked
from pgn_samples import game

FOLDER = ROOT / "tests/events/formats/files"
FILES = {
    path.name: path.read_bytes()
    for path in tracked("tests/events/formats/files/*")
    if path.suffix != ".md" and not path.stem.endswith("_official")
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

_TWO = (("AB", "CD"), ("AC", "DB"))
_RESULTS = ("1-0", "0-1", "1/2-1/2")
GAMES = {
    "games.pgn": "".join(
        game(a, b, Round=f"{r}.{m}.{k}", White=f"{a}{k}", Black=f"{b}{k}", WhiteElo=f"{2000 + k}",
             WhiteFideId=str(10 * ord(a) + k), Result=_RESULTS[(r + k + m) % 3])
        for r, pairs in enumerate(_TWO, 1) for m, (a, b) in enumerate(pairs, 1) for k in (1, 2)
    ).encode(),
    "odd.pgn": (
        game(Round="1.1.1") + game(Round="1.1.2", White="x", Black="y", Result="1/2-1/2")
        + game("C", "D", '{a [Round "9"] comment} 1. e4 (1. d4 ; no\n) 0-1', Result="0-1")
        + game("C", "D", "", Termination="forfeit", White="p", Black="q", Result="0-1")
        + game("A", "C", Round="2") + game("B", "D", Round="2", Result="*")
    ).encode(),
    "utf16.pgn": "".join(
        f'[Round "1"]\n[White "W{b}"]\n[Black "B{b}"]\n[WhiteElo "x"]\n[WhiteTeam "\u00c5"]\n'
        f'[BlackTeam "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n' for b in (1, 2)
    ).encode("utf-16"),
    "one-sided.pgn": b'[Event "x"]\n[Round "1"]\n[White "A"]\n[Result "1-0"]\n',
    "swallowed.pgn": (game(moves="1. e4 {[%clk") + game("C", "D")).encode(),
}  # fmt: skip

HEADER = "round,team_a,team_b,game_points_a,game_points_b\n"
FULL = (
    "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye,"
    "match_points_a\n"
)
GOOD = "1,A,B,2,2\n"
MATCHES = {
    "places are shared": HEADER + "".join(
        f"{r},{a},{b},2,2\n" for r in range(1, 6) for a, b in ("DA", "CB")),
    "everything": FULL + "1,1,A,B,1.5,0.5,2,0,,\n1,2,C,D,2,0,2,2,,\n1,3,E,,,,,,pairing,\n"
    "2,1,A,C,1,1,2,0,,\n2,2,B,E,0,1,1,0,,1\n2,3,D,,1,,,,half,1\n3,1,A,D,2,0,2,0,,\n"
    "3,2,B,C,1,1,2,1,,\n3,3,E,,,,,,zero,\n",
    "empty": "",
    "header alone": HEADER,
    "missing column": "round,team_a,team_b,game_points_a\n1,A,B,2\n",
    "fields": HEADER + GOOD + "\n1,C,D,2\n",
    "round": HEADER + GOOD + "16,C,D,2,2\n",
    "long name": HEADER + "1," + "x" * 201 + ",D,2,2\n",
    "itself": HEADER + "1,A,A,2,2\n",
    "quarter": HEADER + "1,A,B,2.25,2\n",
    "too much": HEADER + "1,A,B,12.5,2\n",
    "a formula": HEADER + "=1+1,A,B,2,2\n",
    "open quotes": HEADER + GOOD + '1,"A,B,2,2\n1,C,D,2,2\n',
    "after quotes": HEADER + '1,"A"x,B,2,2\n',
    "quotes in quotes": HEADER + '1,"A ""x"", y","""",2,2\n1,C"",D,2,2\n1,"C""\n","D""",x,2\n',
    "many quotes": HEADER + '1,"' + '""' * 50_000 + '",B,2,2\n',
    "quotes over lines": HEADER + '1,"A\nA",B,2,2\n1,C,D,2,x\n',
    "undecided": HEADER + "1,A,B,0,0\n",
    "match twice": FULL + "1,7,A,B,2,2,,,,\n1,7,C,D,2,2,,,,\n",
    "decided": FULL + "1,1,A,B,2,2,3,,,\n",
    "bye with opponent": FULL + "1,1,A,B,2,2,,,full,\n",
    "bye of another worth": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,1,,,,,\n",
    "bye with boards": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,,,4,,,\n",
    "match points": FULL + "1,1,A,B,2,2,,,,3\n",
    "too many teams": HEADER + "".join(f"{1 + k // 999},{k}a,{k}b,2,2\n" for k in range(501)),
}  # fmt: skip
SCORES = [
    SPREADSHEETS["sep"].replace("4:0", score) for score in ("", "4", "4:x", "0-0", ":", "4:0:0")
] + [HEADER + GOOD + "1,C,D,0,0\n", FULL + GOOD + "1,2,C,D,0,0,0,,,\n1,3,E,F,0,0,,,,1\n"]
TEAMS = {
    "in their order": "team,rating_1,rating_2\nB,2000,0\nA,x,1900\nC,,\n",
    "twice": "team\nA\nB\nA\n",
    "no column": "name\nA\n",
    "empty": "team\n",
    "no name": "team,x\nA,1\n,2\n",
    "too many": "team\n" + "".join(f"{k}\n" for k in range(1001)),
    "not listed": "team\nA\n",
}
LEAGUE = {
    "event.csv": "key;value\nboards;3\nmatch_points;3, 1, 0\nbye_points;2,1.5\n",
    "teams.csv": "Mannschaft;Elo 1;elo_2;name_by;;\nA\u00e9;2000;x;unsure\n"
    "B;;2100,0\nC;1900\n;;;\n",
    "matches.csv": "Rd.;Heim;Gast;Brettpunkte 1;BP 2;MP1;'x';\n1;A\u00e9;B;2\u00bd;1/2\n"
    "1;C;spielfrei\n2;B;C;1,5;1,5;\n2;A\u00e9;BYE;;;1\n3;A\u00e9;C;1 1/2;1.50\n4;A\u00e9;B\n",
    "penalties.csv": "team,round,mp,game_points\nB,2,-1,-0.5\nC,,+1,\nB,9,-5,\n",
}
CUP = {
    "matches.csv": "round,match,team_a,team_b,game_points_a,game_points_b\n"
    "1,7,A,B,1.5,0.5\n1,8,C,,,\n2,1,B,C,1,1\n2,2,A,,,\n3,1,A,C,,\n",
    "players.csv": "team,name,fide_id,rating,title\nA,a,7,2000,GM\nA,aa,7,2100,\nB,b,8,1900,\n"
    "C,c,9,x,\n",
    "boards.csv": "round,match,board,white_team,black_team,result,white_player,black_fide_id,"
    "white_rating\n1,7,,A,B,1-0,aa,8,x\n1,7,,B,A,1/2-1/2,,7,\n2,1,2,C,B,1/2-1/2,c,8,\n"
    "2,1,1,B,C,1/2-1/2,b,9,\n3,9,,A,C,1-0,,,\n",
}
WRONG_BOARDS = {
    "1,7,,A,B,1-0,aa,8,x": "1,7,,A,B,0-1,aa,8,x",
    "1,7,,A,B": "1,8,,A,B",
    "2,1,2,C,B": "2,1,1,C,B",
    "1,7,,B,A": "1,7,,C,A",
    "c,8,": "a,8,",
    "b,9,": "b,7,",
}


# --- individual events

HELD = player_samples.text(*player_samples.HELD).encode()


def round_robin(*extra):
    """Four players, each against each; one game by default."""
    entry = player_samples.entry
    return trf_samples.text(
        "012 All", *extra,
        entry(1, "A", 2.0, "4 w 1", "3 b =", "2 w ="),
        entry(2, "B", 1.5, "3 w 1", "4 b 0", "1 b ="),
        entry(3, "C", 1.5, "2 b 0", "1 w =", "4 w +"),
        entry(4, "D", 1.0, "1 b 0", "2 w 1", "3 b -"),
    ).encode()  # fmt: skip


GAME_ROWS = "Ronde,table,Weiss,Noirs,resultat,status,bye,white_points,black_points,white elo,x\n"
OPEN = {
    "matches.csv": GAME_ROWS + "1,7,Ann,Bob,1:0,,,,,2000,\n1,8,Cid,Dee,\u00bd-\u00bd,,,,,x,\n"
    "1,9,Eve,spielfrei,,,,,,,\n2,,Bob,Cid,+--,,,,,,\n2,,Dee,Eve,0-1,forfeit,,,,,\n"
    "2,,Ann,,,,half,,,,\n3,,Cid,Ann,0-0,,,,,,\n3,,Eve,Bob,1-0,,,0.5,0.5,,\n3,,Dee,,,,,1.5,,,\n"
    "4,,Ann,Eve,*,,,,,,\n",
    "players.csv": "name,team,fide_id,rating\nEve,,7,1900\nDee,Dee,7,x\nCid,,,\nBob,,,2100\n"
    "Ann,,,\n",
    "event.csv": "key,value\nstart,2025-01-01\n",
    "penalties.csv": "team,round,match_points,game_points\nAnn,2,-1,-0.5\n",
}
PLAYERS = {
    "held.trf": HELD,
    "three.trf": b"162  W 3.0    D 1.0    L 0.0    P 2.0\r\n" + HELD,
    "given.trf": HELD + b"299 D        1.0     1    2\r\n299         -0.5     0    3\r\n",
    "typed-teams.trf": b"092 Team Swiss\r\n" + HELD,
    "no-bye.trf": trf_samples.text(
        *(player_samples.entry(n, f"P{n}", 0.0, *games) for n, games in enumerate(
            (("2 w 1", "3 b ="), ("1 b 0", "0 -  "), ("0 -  ", "1 w =")), 1))).encode(),
    "listed.trf": HELD + b"212 PTS,BH/C1\r\n",
    "one.trf": trf_samples.text(player_samples.entry(1, "Alone", 0.0, "0 - U")).encode(),
    "all.trf": round_robin(),
    "new.trf": round_robin("042 2026/02/28"),
    "recent.trf": changed(HELD, ("2024/08/01", "2026/03/01")),
    "players.pgn": pgn_samples.PLAYERS.encode(),
    "names.pgn": (
        game(None, None, White="Ann", Black="Bob", WhiteFideId="5", Round="1.3",
             EventDate="2026.02.01")
        + game(None, None, White="Ann", Black="Cid", WhiteFideId="6", Board="7")
        + game(None, None, White="Bob", Black="Ann", BlackFideId="6", Round="2", Result="1/2-1/2")
        + game(None, None, "", White="N.N.", Black="Cid", Round="2", Result="0-1")
        + game(None, None, White="Cid", Black="bye", Round="3", Result="1/2-1/2")
        + game(None, None, White="Bob", Black="Ann", BlackFideId="5", Round="3")
        + game(None, None, White="Bob", Black="Cid", Round="4", Result="*")
    ).encode(),
    "games.csv": OPEN["matches.csv"].encode(),
}  # fmt: skip
OPENS = {
    "open": OPEN,
    "not listed": OPEN | {"players.csv": "name\nAnn\n"},
    "listed twice": OPEN | {"players.csv": "name\nAnn\nAnn\n"},
    "no names": OPEN | {"players.csv": "team\nAnn\n"},
    "points of games": OPEN | {"event.csv": "key,value\nmatch_points,\"3,1,0\"\n"},
} | {
    f"open: {new}": OPEN | {"matches.csv": OPEN["matches.csv"].replace(old, new, 1)}
    for old, new in {
        "1:0": "2-0", "1,7,": "1,8,", "Ann,Bob": "Ann,Ann", "1,9,Eve": "1,9,Ann",
        ",half,": ",long,", "Ann,,,,half": "Ann,Cid,,,half", "forfeit": "late",
        "0.5,0.5": "x,0.5", "resultat": "y",
    }.items()
}  # fmt: skip


def folder(texts):
    return {name: text.encode() for name, text in texts.items()}


SAMPLES = (
    {
        f"file {name}": {name: data}
        for name, data in {**FILES, **REPORTS, **GAMES, **PLAYERS}.items()
    }
    | {name: folder(texts) for name, texts in OPENS.items()}
    | {f"matches: {what}": folder({"matches.csv": text}) for what, text in MATCHES.items()}
    | {
        f"teams: {what}": folder({"matches.csv": HEADER + GOOD, "teams.csv": text})
        for what, text in TEAMS.items()
    }
    | {"league": folder(LEAGUE), "cup": folder(CUP)}
    | {
        "penalty without a sign": folder(LEAGUE | {"penalties.csv": "team,match_points\nB,1\n"}),
        "UTF-16": {
            "x.csv": FILES["tabs-french.csv"].decode("utf-16").encode("utf-16-be"),
        },
        "twice": {"x.csv": FILES["semicolons-german.csv"] + b"5;Alpha;Delta;1;1;\n"},
    }
    | {
        f"spreadsheet {number} as {name}": {name: text.encode()}
        for number, text in enumerate([*SPREADSHEETS.values(), *LACKING, *SCORES])
        for name in ("matches.csv", "x.csv")
    }
    | {
        f"boards: {new}": folder(CUP | {"boards.csv": CUP["boards.csv"].replace(old, new, 1)})
        for old, new in WRONG_BOARDS.items()
    }
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
    if random.random() < 0.3:  # a round that is not finished
        rows.append([rounds + 1, "", *names[:2], *[""] * 7])
    return random.choice(("", "\ufeff")) + written(rows, random.choice(("\n", "\r\n")))


def ratings_of(random, names=NAMES):
    """`teams.csv` with the ratings of some players, in another order."""
    head = ["team", *(f"rating_{k}" for k in range(1, 5))]
    rows = ([name, *(random.choice(("", 1800 + random.randrange(700))) for _ in range(4))]
            for name in random.sample(names, len(names)))  # fmt: skip
    return written([head, *rows])


# --- mutants

PARENTS = {
    name: data
    for name, data in {
        **FILES, **REPORTS, **GAMES, **PLAYERS, "sep.csv": SPREADSHEETS["sep"].encode(),
        "full.csv": MATCHES["everything"].encode()
    }.items()
    if len(data) < 5000 and not name.endswith((".gz", ".zip"))
}  # fmt: skip
"""Small files: a mutant of a large one takes longer and shows no more."""


_WORDS = [word.encode() for word in (
    "\0", '"', ";", ",", "\t", "\r", "\n", "\r\n", "\ufeff", "\u00bd", "0000 - -", "  ", " ", "[",
    "]", "{", "}", "%", "(", "\x1c", "\x0b", "\x0c", "\u2028", "\u00a0", "-", "+", "=", "1", "0",
    "9", ".", "F", "H", "Z", "U", "W", "bye", "*", "1-0", "\\", "'", "1/2", "2,5", "001", "999",
    "\N{GRINNING FACE}", "\u00df", "\u0130", "\u202e",
)] + [b"\xbd", b"\xff", b"\x85"]  # fmt: skip


def _word(data, random):
    """A word inserted, or put in the place of some bytes."""
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(_WORDS) + data[at + random.choice((0, 0, 1, 2, 3)) :]


def _cut(data, random):
    at = random.randrange(len(data) + 1)
    return data[:at] + data[at + random.choice((1, 1, 2, 5, 30)) :]


def _byte(data, random):
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def _symbol(data, random):
    """A digit or a symbol of a result replaced by another one."""
    for symbols in random.sample((b"0123456789", b"wb=+-10FHZUWLD"), 2):
        places = [k for k, byte in enumerate(data) if byte in symbols]
        if places:
            at = random.choice(places)
            return data[:at] + bytes([random.choice(symbols)]) + data[at + 1 :]
    return data


def _lines(data, random):
    """A line moved, doubled or removed, or a part of one copied to another place in it."""
    lines = data.splitlines(keepends=True) or [b""]
    a, b, kind = random.randrange(len(lines)), random.randrange(len(lines)), random.randrange(4)
    if kind == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif kind == 1:
        lines.insert(a, lines[b])
    elif kind == 2:
        del lines[a]
    else:
        line, width = lines[a], random.choice((1, 4, 5, 10))
        to, start = random.randrange(len(line) + 1), random.randrange(len(line) + 1)
        after = to + random.choice((0, width))
        lines[a] = line[:to] + line[start : start + width] + line[after:]
    return b"".join(lines)


def mutants(count, seed=1):
    """So many files `(name, bytes)`, each with one to three changes."""
    random, names = Random(seed), sorted(PARENTS)
    for number in range(count):
        name = names[number % len(names)]
        data = PARENTS[name]
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            data = random.choice((_word, _cut, _byte, _symbol, _symbol, _lines, _lines))(
                data, random
            )
        yield name, data
