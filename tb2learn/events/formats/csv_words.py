"""The tables of an event folder, and how spreadsheets head their columns, in several languages.

A heading is compared without case, accents, spaces and punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

MATCH_COLUMNS = ("round", "team_a", "team_b", "game_points_a", "game_points_b")
GAME_COLUMNS = ("round", "white_player", "black_player", "result")
"""Columns that `matches.csv` must have: of matches of teams, of games of players."""
KNOWN_BY = (MATCH_COLUMNS[:3], GAME_COLUMNS)
"""Columns by which a table of matches, or of games, is recognised."""
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

HEADINGS: Mapping[str, str] = {
    "round": "round rd rnd runde durchgang ronde tour ronda fordulo",
    "match": "match table tbl matchno paarung tisch rencontre encuentro mesa merkozes meccs",
    "team_a": "teama team1 hometeam home heim heimmannschaft mannschaft1 mannschafta equipe1 "
    "equipea equipo1 equipoa local csapat1 csapata hazai",
    "team_b": "teamb team2 awayteam away opponent gast gastmannschaft mannschaft2 mannschaftb "
    "gegner equipe2 equipeb adversaire equipo2 equipob visitante rival csapat2 csapatb vendeg "
    "ellenfel",
    "game_points_a": "gamepointsa gp1 gpa boardpoints1 boardpointsa brettpunkte1 brettpunktea "
    "bp1 bpa pointsdepartie1 pointsdepartiea puntosdepartida1 puntosdepartidaa puntosdetablero1 "
    "puntosdetableroa tablapont1 tablaponta jatszmapont1 jatszmaponta",
    "game_points_b": "gamepointsb gp2 gpb boardpoints2 boardpointsb brettpunkte2 brettpunkteb "
    "bp2 bpb pointsdepartie2 pointsdepartieb puntosdepartida2 puntosdepartidab puntosdetablero2 "
    "puntosdetablerob tablapont2 tablapontb jatszmapont2 jatszmapontb",
    "match_points_a": "matchpointsa mp1 mpa mannschaftspunkte1 mannschaftspunktea "
    "pointsdematch1 pointsdematcha puntosdeencuentro1 puntosdeencuentroa csapatpont1 csapatponta "
    "merkozespont1 merkozesponta",
    "match_points_b": "matchpointsb mp2 mpb mannschaftspunkte2 mannschaftspunkteb "
    "pointsdematch2 pointsdematchb puntosdeencuentro2 puntosdeencuentrob csapatpont2 csapatpontb "
    "merkozespont2 merkozespontb",
    "match_points": "matchpoints mp mannschaftspunkte pointsdematch puntosdeencuentro csapatpont "
    "merkozespont",
    "game_points": "gamepoints gp boardpoints brettpunkte pointsdepartie puntosdepartida "
    "puntosdetablero tablapont jatszmapont",
    "boards_decided": "boardsdecided",
    "boards_forfeited": "boardsforfeited forfeits kampflos forfaits incomparecencias jatekmentes",
    "bye": "bye byekind",
    "team": "team mannschaft equipe equipo csapat",
    "name": "name player spieler joueur jugador jatekos nev nombre nom",
    "fide_id": "fideid fideno fidenumber idfide codefide fidekod fideazonosito",
    "rating": "rating elo wertungszahl elopont ertekszam",
    "title": "title titel titre titulo cim",
    "sex": "sex gender geschlecht sexe sexo",
    "federation": "federation fed foderation verband federacion szovetseg",
    "birth": "birth birthday born geburtsdatum naissance nacimiento szuletett",
    "board": "board bd brett echiquier tablero tabla",
    "white_team": "whiteteam weissmannschaft equipeblancs equipoblancas vilagoscsapat",
    "black_team": "blackteam schwarzmannschaft equipenoirs equiponegras sotetcsapat",
    "result": "result ergebnis resultat resultado eredmeny",
    "status": "status",
    "white_player": "whiteplayer white weiss blancs blancas vilagos",
    "black_player": "blackplayer black schwarz noirs negras sotet",
    "white_rating": "whiterating whiteelo",
    "black_rating": "blackrating blackelo",
    "white_fide_id": "whitefideid",
    "black_fide_id": "blackfideid",
    "key": "key schlussel cle clave kulcs",
    "value": "value wert valeur valor ertek",
    "mean_rating_top4": "meanratingtop4",
}
"""The headings of every column, without case, accents, spaces and punctuation."""
_COLUMN: Mapping[str, str] = {
    word: column for column, words in HEADINGS.items() for word in words.split()
}
DELIMITERS = (",", ";", "\t")
_HEAD = 1 << 16
NO_OPPONENT = frozenset(
    ("bye", "freilos", "spielfrei", "exempt", "libre", "descansa", "descanso", "szabadnapos")
)
"""Words in place of an opponent for a team that has the bye."""


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
    return f"rating_{rating[1]}" if rating else _COLUMN.get(key, heading)


def delimiter(text: str) -> str:
    """The mark between the fields of a table: that of its first row which stands there most."""
    first = next((row for row in text[:_HEAD].splitlines() if row.strip()), "")
    return max(DELIMITERS, key=first.count)
