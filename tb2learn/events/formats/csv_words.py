"""The tables of an event folder, and how spreadsheets head their columns, in several languages.

A heading is compared without case, accents, spaces and punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

MATCH_COLUMNS = ("round", "team_a", "team_b", "game_points_a", "game_points_b")
GAME_COLUMNS = ("round", "white_player", "black_player", "result")
"""Columns that `matches.csv` must have: of matches of teams, of games of players."""
KNOWN_BY = (
    ("round", "team_a"), ("round", "team_b"), ("team_a", "team_b"), ("round", "team"),
    ("round", "white_player"), ("round", "black_player"),
)  # fmt: skip
"""Columns by two of which a table of matches, or of games, is recognised."""
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "matches.csv": MATCH_COLUMNS,
    "teams.csv": ("team",),
    "players.csv": ("team", "name"),
    "boards.csv": ("round", "match", "white_team", "black_team", "result"),
    "event.csv": ("key", "value"),
    "penalties.csv": ("team", "match_points"),
}
"""Columns that the tables of a team event must have."""
FILES = tuple(REQUIRED)
"""The tables of an event folder, first the one that must be there."""

SIDES: Mapping[str, str] = {
    "a": "1 a home heim local hazai domicile",
    "b": "2 b away gast visitante vendeg exterieur",
}
"""What stands behind the heading of a column of two sides: `Brettpunkte 1`, `Points away`."""
TWO_SIDED = ("team", "game_points", "match_points")
"""Columns that a table of matches has for both sides."""
HEADINGS: Mapping[str, str] = {
    "round": "round rd rnd runde durchgang ronde tour ronda fordulo",
    "match": "match table tbl matchno paarung tisch rencontre encuentro mesa merkozes meccs",
    "team_a": "hometeam home heim heimmannschaft local hazai",
    "team_b": "awayteam away opponent gast gastmannschaft gegner adversaire visitante rival "
    "vendeg ellenfel",
    "match_points": "matchpoints mp mannschaftspunkte pointsdematch puntosdeencuentro csapatpont "
    "merkozespont",
    "game_points": "gamepoints gp boardpoints bp brettpunkte score points point pts punkte pkt "
    "pkte pointsdepartie puntos ptos puntosdepartida puntosdetablero pont pontszam tablapont "
    "jatszmapont punti punten poang poeng",
    "boards_decided": "boardsdecided",
    "boards_forfeited": "boardsforfeited forfeits kampflos forfaits incomparecencias jatekmentes",
    "bye": "bye byekind",
    "team": "team mannschaft equipe equipo csapat squadra ploeg lag ekipa druzyna druzstvo time "
    "equip hold takim komanda equipa",
    "name": "name player spieler joueur jugador jatekos nev nombre nom nome naam namn navn nimi "
    "jmeno imie ime",
    "fide_id": "fideid fideno fidenumber fidenr idfide idno codefide fidekod fideazonosito",
    "rating": "rating elo elo1 eloi rtg rtgi rtgint irtg wertung wertungszahl elopont ertekszam",
    "title": "title titel titre titulo cim typ",
    "sex": "sex gender geschlecht sexe sexo",
    "federation": "federation fed foderation verband federacion szovetseg nat fide land pais pays "
    "country orszag",
    "birth": "birth birthday born geburtsdatum naissance nacimiento szuletett",
    "board": "board bd brett echiquier tablero tabla",
    "white_team": "whiteteam weissmannschaft equipeblancs equipoblancas vilagoscsapat",
    "black_team": "blackteam schwarzmannschaft equipenoirs equiponegras sotetcsapat",
    "result": "result res ergebnis erg resultat resultado eredmeny",
    "status": "status",
    "white_player": "whiteplayer white weiss blancs blancas brancas vilagos",
    "black_player": "blackplayer black schwarz noirs negras pretas sotet",
    "white_rating": "whiterating whiteelo",
    "black_rating": "blackrating blackelo",
    "white_fide_id": "whitefideid",
    "black_fide_id": "blackfideid",
    "key": "key schlussel cle clave kulcs",
    "value": "value wert valeur valor ertek",
    "mean_rating_top4": "meanratingtop4",
}
"""The headings of every column, without case, accents, spaces and punctuation."""
COLUMN: Mapping[str, str] = {
    word + side: f"{column}_{letter}"
    for column in TWO_SIDED
    for word in HEADINGS[column].split()
    for letter, sides in SIDES.items()
    for side in sides.split()
} | {word: column for column, words in HEADINGS.items() for word in words.split()}
"""The column that a heading names."""
SCORE = "score"
"""The column of a match that has the game points of both sides."""
DELIMITERS = (",", ";", "\t")
_HEAD = 1 << 16
NO_OPPONENT = frozenset(
    ("bye", "freilos", "spielfrei", "exempt", "libre", "descansa", "descanso", "szabadnapos")
)
"""Words in place of an opponent for a team that has the bye."""
NOT_PAIRED = frozenset(("notpaired", "nichtausgelost"))
"""Words in place of an opponent for one who is not paired."""


def folded(text: str) -> str:
    """A text without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("\u00df", "ss"))
    return re.sub(r"[^0-9a-z]", "", plain)


def column_of(heading: str) -> str:
    """The column that a heading names; the heading itself if it names none."""
    heading = heading.strip()
    if heading in HEADINGS:
        return heading
    key = folded(heading)
    rating = re.fullmatch(r"(?:rating|elo)_?([0-9]{1,2})", key)
    return f"rating_{rating[1]}" if rating else COLUMN.get(key, heading)


def columns_of(headings: Sequence[str]) -> list[str]:
    """The columns that the headings of a table name; a column that there is already is not taken.

    In a table of rounds a heading of two sides may stand there twice (`Equipo, Equipo`), and one
    column may have the points of both (`6,5-3,5`): that is `score`.
    """
    names = [heading.strip() for heading in headings]
    found = [column_of(name) for name in names]
    if "round" in found:
        for column in TWO_SIDED:
            places = [place for place, one in enumerate(found) if one == column]
            if len(places) == 2:
                for place, side in zip(places, SIDES, strict=True):
                    found[place] = f"{column}_{side}"
    if {"team_a", "team_b"}.issubset(found) and not {"game_points_a", SCORE} & {*found}:
        one = next((column for column in ("game_points", "result") if column in found), None)
        found = [SCORE if column == one else column for column in found]
    given, used = {*names}, set[str]()  # a hostile table may have very many
    columns: list[str] = []
    for name, column in zip(names, found, strict=True):
        taken = column in used or (column != name and column in given)
        columns.append(name if taken else column)
        used.add(columns[-1])
    return columns


def would_do(column: str) -> str:
    """The headings that a missing column may have, for a message."""
    base, _, side = column.rpartition("_")
    words = HEADINGS.get(column, "").split()
    if base in TWO_SIDED:
        words += [word + SIDES[side][0] for word in HEADINGS[base].split()]
    example = [f"{SCORE} (6,5-3,5)"] if base == "game_points" else []
    return ", ".join([*words, *example])


def first_row(text: str) -> tuple[str, str]:
    """The mark between the fields of a table, and its first row.

    A row `sep=;` before it says the mark; else it is the one that stands there most.
    """
    rows = [row for row in text[:_HEAD].splitlines() if row.strip()][:2] or [""]
    told = says_mark(rows[0])
    row = rows[-1] if told else rows[0]
    return told or max(DELIMITERS, key=row.count), row


def heads_matches(text: str) -> bool:
    """Whether the first row of a text heads the columns of matches or games."""
    mark, row = first_row(text)
    columns = {*columns_of([cell.strip(' "') for cell in row.split(mark)])}
    return any(columns.issuperset(known) for known in KNOWN_BY)


def says_mark(row: str) -> str:
    """The mark that a row such as `sep=;` says; empty for another row."""
    found = re.fullmatch(r"[sS][eE][pP]=([,;\t])", row.strip(' "'))
    return found[1] if found else ""
