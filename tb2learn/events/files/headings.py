"""The headings of tables, and the words in their cells, in the languages that files are in.

One dictionary for all readers: tables of an event folder, crosstables, lists of rounds. A heading
is compared without case, accents, spaces and punctuation. A new language is a word in each row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

MATCH_COLUMNS = ("round", "team_a", "team_b", "game_points_a", "game_points_b")
GAME_COLUMNS = ("round", "white_player", "black_player", "result")
"""Columns that `matches.csv` must have: of matches of teams, of games of players."""
SIDES_OF_A_MATCH = (*MATCH_COLUMNS[1:3], *GAME_COLUMNS[1:3])
"""The columns of the two sides, of which a table has two."""
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
START = "teams.csv"
"""The table with which a folder may begin before the first match."""
"""The tables of an event folder, first the one that must be there."""

SIDES: Mapping[str, str] = {
    "a": "1 a home heim local hazai domicile casa thuis hemma gospodarz domaci gazde ev",
    "b": "2 b away gast visitante vendeg exterieur ospite trasferta uit borta gosc hoste gosti",
}
"""What stands behind the heading of a column of two sides: `Brettpunkte 1`, `Points away`."""
TWO_SIDED = ("team", "game_points", "match_points")
"""Columns that a table of matches has for both sides."""
HEADINGS: Mapping[str, str] = {
    "group": "group staffel gruppe groupe grupo gruppo girone gironi csoport poule pool section "
    "sektion seccion sezione division div divisie divisione liga league ligue klasse class classe "
    "spielklasse osztaly skupina grupa serie afdeling avdelning группа дивизион лига група 组 组别",
    "season": "season saison temporada stagione sezon sezona szezon seizoen sasong сезон 赛季",
    "round": "round rd rnd runde durchgang ronde tour ronda fordulo rde turno giornata rodada "
    "jornada journee spieltag omgång omgang rond runda tur kolo etapa γύρος γυρ тур коло раунд "
    "рунда 轮 轮次",
    "match": "match table tbl matchno paarung tisch rencontre encuentro mesa merkozes meccs "
    "tavolo incontro wedstrijd partida bord stol masa zápas meč τραπέζι стол матч стіл 台 台次",
    "team_a": "hometeam home heim heimmannschaft local hazai casa padroni thuis thuisploeg hemma "
    "hemmalag gospodarz gospodarze evsahibi domácí domaćin domaći gazde γηπεδούχος хозяева домаћин "
    "господарі 主队 主场",
    "team_b": "awayteam away opponent gast gastmannschaft gegner adversaire visitante rival "
    "vendeg ellenfel ospite ospiti trasferta fora uit uitploeg borta bortalag gość goście "
    "deplasman konuk hosté gost gosti oaspeți φιλοξενούμενος гости гост гості 客队 客场",
    "match_points": "matchpoints mp mannschaftspunkte pointsdematch puntosdeencuentro csapatpont "
    "merkozespont puntisquadra matchpunten matchpoäng punktymeczowe makp",
    "game_points": "gamepoints gp boardpoints bp brettpunkte score points point pts punkte pkt "
    "pkte pointsdepartie puntos ptos puntosdepartida puntosdetablero pont pontszam tablapont "
    "jatszmapont punti pti punten ptn pnt poang poeng pontos punkty puan pn body bod bodovi poeni "
    "puncte pct βαθμοί βαθ βαθμ очки очк бали поени 积分 得分 分数 分",
    "boards_decided": "boardsdecided",
    "boards_forfeited": "boardsforfeited forfeits forfeit default bydefault walkover kampflos "
    "forfaits forfait incomparecencias incomparecencia jatekmentes walkower",
    "bye": "bye byekind",
    "team": "team mannschaft equipe equipo csapat squadra ploeg lag ekipa druzyna drużyna druzstvo "
    "družstvo time equip hold takim takım komanda equipa echipa ομάδα команда тим екипа 队 队伍 "
    "团体",
    "name": "name player spieler joueur jugador jogador giocatore jatekos nev nombre nom nome naam "
    "namn navn nimi jmeno jméno imie imię nazwisko imienazwisko imięinazwisko zawodnik ime "
    "prezimeiime nume numele isim ad adsoyad soyadad meno igrac igrač hráč speler spelare oyuncu "
    "jucător ονοματεπώνυμο όνομα παίκτης имя фио игрок фамилия фамилияимя участник име презимеиме "
    "играч ім'я прізвище прізвищеім'я гравець 姓名 棋手 选手 名字",
    "fide_id": "fideid fideno fidenumber fidenr idfide idno codefide fidekod fideazonosito codfide "
    "idfideid",
    "rating": "rating elo elo1 eloi rtg rtgi rtgint irtg wertung wertungszahl elopont ertekszam "
    "ranking rejting ελο рейтинг рейт рейтфиде рејтинг рејт эло ело 等级分",
    "title": "title titel titre titulo titolo título tytuł titul titlu ünvan τίτλος титул звание "
    "зв cim typ 称号",
    "sex": "sex gender geschlecht sexe sexo sesso geslacht kön płeć cinsiyet pohlaví spol φύλο пол "
    "стать 性别",
    "federation": "federation fed foderation verband federacion szovetseg nat fide land pais pays "
    "country orszag federazione naz federação federatie förbund federacja kraj ülke federace země "
    "savez zemlja federaţie țara ομοσπονδία ομοσ χώρα федерация фед страна савез земља федерація "
    "країна 国家 协会",
    "birth": "birth birthday born geburtsdatum naissance nacimiento szuletett nascita nascimento "
    "geboren född data urodzenia doğum narozen rođen naștere γέννηση рождения рожд рођен 出生",
    "board": "board bd brett echiquier tablero tabla scacchiera tabuleiro szachownica tahta "
    "šachovnice ploča σκακιέρα доска дошка",
    "white_team": "whiteteam weissmannschaft equipeblancs equipoblancas vilagoscsapat",
    "black_team": "blackteam schwarzmannschaft equipenoirs equiponegras sotetcsapat",
    "result": "result res ergebnis erg resultat resultado risultato ris resultaat uitslag wynik "
    "wyn sonuç sonuc výsledek výsl výsledok rezultat rez αποτέλεσμα αποτ результат рез резултат "
    "eredmeny 结果 成绩",
    "status": "status",
    "white_player": "whiteplayer white weiss blancs blancas blanca blanco brancas bianco bianchi "
    "blanc wit vit vitt białe beyaz bílý bílé biely bijeli beli alb albe λευκά λευκός белые белый "
    "бели білі білий vilagos hvit 白方 白",
    "black_player": "blackplayer black schwarz noirs negras negra negro noir pretas nero neri "
    "zwart svart czarne siyah černý černé čierny crni negru negre μαύρα μαύρος черные чёрные "
    "чёрный црни чорні чорний sotet sort 黑方 黑",
    "white_rating": "whiterating whiteelo",
    "black_rating": "blackrating blackelo",
    "white_fide_id": "whitefideid",
    "black_fide_id": "blackfideid",
    "key": "key schlussel cle clave kulcs",
    "value": "value wert valeur valor ertek",
    "mean_rating_top4": "meanratingtop4",
    "place": "place rk rg rang rank rnk pl platz cl clas clasif clt pos pós posicion posizione "
    "posição hely h helyezes rp poz mjesto mesto místo pořadí poř por m mce miejsce msc plac plats "
    "plaats sıra sira bsr loc locul θέση κατ κατάταξη место мст поз позиция місце 名次 排名",
    "start": "start sno no nr snr startnr startno num numero número n rajtszam rsz stno nrini "
    "noini ini sn nrin nºinic noinic ninic startnummer nrst lp bno baş bno başno bsno čís č stč "
    "stč br rbr stbr počbr nrcrt αα ααα νο αριθ ном номер стном ст№ нач№ старт№ № нпп пп бр рбр ст "
    "sorsz sorszam "
    "序号 编号 号",
}
"""The headings of every column."""
BOARD_POINTS = frozenset(
    (
        "gamepoints", "gp", "boardpoints", "bp", "brettpunkte", "pointsdepartie",
        "puntosdepartida", "puntosdetablero", "tablapont", "jatszmapont",
    )
)  # fmt: skip
"""Headings of game points that cannot be of match points; beside one `Points` are match points."""
HARMLESS = frozenset(
    (
        # When, where, and who looks after it.
        "date", "datum", "fecha", "data", "dato", "day", "tag", "дата", "datetime", "time", "zeit",
        "uhrzeit", "beginn", "start", "hora", "heure", "ora", "ido", "idopont", "tijd", "weekday",
        "wochentag", "venue", "ort", "spielort", "lokal", "spiellokal", "place", "location",
        "lieu", "lugar", "helyszin", "sede", "luogo", "lokacja", "misto", "место", "city", "stadt",
        "ville", "ciudad", "varos", "citta", "hall", "room", "saal", "raum", "arbiter", "referee",
        "schiedsrichter", "arbitre", "arbitro", "jatekvezeto", "biro", "captain", "kapitan",
        "mannschaftsfuhrer", "capitaine", "capitan", "csapatkapitany",
        # Who somebody is.
        "id", "key", "bo", "br", "brd", "tab", "tis", "ech", "mes", "tav", "bor", "t", "b",
        "number", "nummer", "numero", "pkz", "license", "licence", "club", "verein",
        "klub", "clube", "cercle", "vereinort", "clubcity", "egyesulet", "circolo", "group", "gr",
        "type", "typ", "tipo", "category", "kategorie", "categorie", "categoria", "korcsoport",
        "sexe", "flag", "region", "province", "state", "school", "schule", "lowestboard",
        "highestboard", "nameby", "resultby", "ratingby", "seed", "reason", "grund", "motif",
        "motivo", "indok",
        # What has no say in the points.
        "link", "url", "pgn", "game", "partie", "moves", "zuge", "opening", "eco", "eroffnung",
        "published", "source", "quelle", "k", "kfactor", "rp", "performance",
    )
)  # fmt: skip
"""Headings of columns that say nothing of points, and are not read."""
PENALTIES = re.compile(
    "penal|straf|sanction|sancion|sanzion|bunteto|levonas|deduct|abzug|retrait|kara|kary|штраф"
)
"""What the headings of columns of points taken away have in them."""
SCORE = "score"
"""The column of a match that has the game points of both sides."""
DELIMITERS = (",", ";", "\t")
ROUND_WORDS = (
    "r rd rnd rnde rde round runde ronda ronde tour fordulo f kolo turno t rodada omgang runda tur "
    "γυρος γυρ тур коло раунд рунда"
)
"""Words before or behind the number of a round in the heading of its column."""
NO_OPPONENT = frozenset(
    (
        "bye", "freilos", "spielfrei", "rest", "resting", "exempt", "libre", "descansa",
        "descanso", "szabadnapos", "riposo", "riposa", "folga", "vrij", "oneven", "frirond",
        "frirunda", "wolny", "pauzuje", "pauza", "bay", "volno", "volnylos", "slobodan",
        "slobodna", "liber", "ρεπο", "свободен", "пропуск", "слободан", "слободна", "вільнии",
        "轮空",
    )
)  # fmt: skip
"""Words in place of an opponent for a team that has the bye."""
NOT_PAIRED = frozenset(
    (
        "notpaired", "nichtausgelost", "nonapparie", "noemparejado", "nonabbinato",
        "naoemparceirado", "nietingedeeld", "ejlottad", "niekojarzony", "niekojarzona",
        "eslenmedi", "eslendirilmedi", "nenasazen", "nenalosovan", "nijeparovan", "neparovan",
        "nepereche", "neimperecheat", "ακληρωτοσ", "безпары", "неспарен", "ниjеспарен",
        "нежеребкован", "未编排", "未配对",
    )
)  # fmt: skip
"""Words in place of an opponent for one who is not paired."""
NOBODY = (
    "", "n.n.", "bye", "brett nicht besetzt", "unbesetzt", "board not occupied", "not occupied",
    "\u00e9chiquier inoccup\u00e9", "tablero vac\u00edo", "\u00fcres t\u00e1bla",
)  # fmt: skip
"""What stands in place of a name, in lower case: an empty board, in several languages."""
DRAWS = frozenset(
    (
        "remis", "remise", "draw", "drawn", "nul", "nulle", "tablas", "empate", "patta", "pari",
        "remi", "remiza", "beraberlik", "berabere", "donto", "dontetlen", "ισοπαλια", "ничья",
        "нічия", "реми", "和", "和棋", "pat",
    )
)  # fmt: skip
"""Words in place of the result of a drawn game."""
POSTPONED = frozenset(
    (
        "postponed", "adjourned", "adj", "pending", "open", "offen", "verlegt", "vertagt",
        "verschoben", "reporte", "reportee", "ajourne", "ajournee", "aplazado", "aplazada",
        "adiado", "adiada", "rinviato", "rinviata", "sospesa", "uitgesteld", "afgebroken",
        "uppskjuten", "utsatt", "odlozeno", "przelozony", "odlozony", "odroczony", "ertelendi",
        "elhalasztva", "halasztott", "amanat", "αναβολη", "перенесен", "отложен", "отложена",
        "одложено", "перенесено", "відкладено", "推迟", "延期",
    )
)  # fmt: skip
"""Words in place of a result that there is not yet."""
BY_DEFAULT = frozenset(
    (
        "kampflos", "forfeit", "forfeited", "ff", "default", "bydefault", "walkover", "wo",
        "forfait", "parforfait", "aforfait", "incomparecencia", "porincomparecencia",
        "nichtangetreten", "nichterschienen", "didnotappear", "noshow", "jateknelkul", "rinuncia",
        "reglementair", "zonderspel", "walkower", "kontumacja", "kontumacne", "kontumace",
        "hukmen", "неявка", "безигры", "弃权",
    )
)  # fmt: skip
"""Words beside a result that was not played."""
YES = frozenset(("yes", "y", "ja", "j", "oui", "o", "si", "igen", "sim", "tak", "ano", "x", "true",
                 "wahr", "vrai", "да", "так", "是"))  # fmt: skip
NO = frozenset(("no", "n", "nein", "non", "nem", "nao", "nie", "ne", "false", "falsch", "faux",
                "нет", "ні", "否"))  # fmt: skip
SUMS = frozenset(
    (
        "sum", "sums", "total", "totals", "summe", "summen", "gesamt", "insgesamt", "somme",
        "totaux", "suma", "totale", "somma", "osszesen", "osszeg", "totaal", "som", "summa",
        "totalt", "soma", "razem", "lacznie", "toplam", "celkem", "soucet", "spolu", "ukupno",
        "zbroj", "συνολο", "итого", "всего", "сумма", "укупно", "разом", "合计", "总计",
    )
)  # fmt: skip
"""Words at the head of a row of sums."""
MONTHS = (
    "jan ene gen янв січ ιαν oca sty", "feb fev fév фев лют φεβ şub lut úno",
    "mar mär maa már mrz mrt maç мар бер μαρ bře", "apr avr abr апр кві απρ nis kwi dub",
    "may mai maj mag máj mei мая май тра μαϊ kvě", "jun jui июн чер ιουν haz cze",
    "jul июл лип ιουλ tem", "aug aoû ago авг сер αυγ ağu sie", "sep set сен вер σεπ eyl wrz zář",
    "oct okt ott out окт жов οκτ eki paź říj", "nov ноя лис νοε kas stu",
    "dec déc dez dic дек гру δεκ ara gru pro",
)  # fmt: skip
"""How the names of months begin, in several languages."""

LETTERS = {"ß": "ss", "ł": "l", "đ": "d", "ø": "o"}
"""Letters that have no form without accents."""
_LETTERS = str.maketrans(LETTERS)
_CELL = re.compile(r"[0-9]{1,4} ?[^\W\d_] ?(?:[0-9]{0,2}(?:[.,]5)?[^\w\s]?|[^\W\d_])")
"""What the cell of a round in a crosstable looks like: `12w1`, `22b½`, `7w+`."""
_NUMBERED = re.compile(r"第 ?([0-9]{1,2}) ?轮|([0-9]{1,2}) ?轮")
_ROUND = re.compile(
    r"([0-9]{1,2}) ?[.ºª] ?[^\W\d_]{0,9}\.?|([0-9]{1,2}) ?[^\W\d_]{1,8}\.?|"
    rf"(?:{'|'.join(sorted(ROUND_WORDS.split(), key=len, reverse=True))}) ?\.? ?([0-9]{{1,2}})",
)
"""The heading of a round: `1.Rd`, `1. Runde`, `1ª`, `Rd.1`, `R1`."""


def folded(text: str) -> str:
    """A text without case, accents, spaces and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS)).casefold()
    return "".join(filter(str.isalnum, plain))


_SIDED = {
    folded(word) + side: f"{column}_{letter}"
    for column in TWO_SIDED
    for word in HEADINGS[column].split()
    for letter, sides in SIDES.items()
    for side in sides.split()
} | {
    # `Home score` as well as `Score home`.
    side + folded(word): f"{column}_{letter}"
    for column in TWO_SIDED
    for word in HEADINGS[column].split()
    for letter, sides in SIDES.items()
    for side in sides.split()
    if side.isalpha() and len(side) > 1
}
COLUMN: Mapping[str, str] = _SIDED | {
    folded(word): column for column, words in HEADINGS.items() for word in words.split()
}  # fmt: skip
"""The column that a heading names."""


def column_of(heading: str) -> str:
    """The column that a heading names; the heading itself if it names none."""
    heading = heading.strip()
    if heading in HEADINGS:
        return heading
    key = folded(heading) or heading
    rating = re.fullmatch(r"(?:rating|elo)_?([0-9]{1,2})", key)
    return f"rating_{rating[1]}" if rating else COLUMN.get(key, heading)


_OF_ENTRANTS = frozenset(
    ("place", "start", "federation", "title", "sex", "birth", "fide_id", "rating", "board")
)


def is_harmless(heading: str) -> bool:
    """Whether a column of this heading says nothing of points."""
    key = folded(heading)
    return key in HARMLESS or column_of(heading) in _OF_ENTRANTS or "rating" in key


def columns_of(headings: Sequence[str]) -> list[str]:
    """The columns that the headings of a table name; a column that there is already is not taken.

    In a table of rounds a heading of two sides may stand there twice (`Equipo, Equipo`), and one
    column may have the points of both (`6,5-3,5`): that is `score`.
    """
    names = [heading.strip() for heading in headings]
    columns_named = [column_of(name) for name in names]
    if "round" in columns_named:
        _split_points(names, columns_named)
        for column in TWO_SIDED:
            places = [place for place, name_of in enumerate(columns_named) if name_of == column]
            # The same heading twice stands for both sides, the first for the first.
            if len(places) == 2:
                for place, letter in zip(places, SIDES, strict=True):
                    columns_named[place] = f"{column}_{letter}"
    if {"team_a", "team_b"}.issubset(columns_named) and not {"game_points_a", SCORE} & {
        *columns_named
    }:
        score_column = next(
            (column for column in ("game_points", "result") if column in columns_named), None
        )
        columns_named = [SCORE if column == score_column else column for column in columns_named]
    headings_given, used = {*names}, set[str]()
    columns: list[str] = []
    for name, column in zip(names, columns_named, strict=True):
        taken = column in used or (column != name and column in headings_given)
        columns.append(name if taken else column)
        used.add(columns[-1])
    return columns


def _split_points(names: Sequence[str], columns: list[str]) -> None:
    """Take `Points` for match points where another column has game points for certain."""
    places = [place for place, column in enumerate(columns) if column == "game_points"]
    certain = [place for place in places if folded(names[place]) in BOARD_POINTS]
    # Of both sides alike: one column of each kind.
    if len(places) == 2 and len(certain) == 1 and "match_points" not in columns:
        columns[next(place for place in places if place not in certain)] = "match_points"


def heads_matches(values: Sequence[str]) -> bool:
    """Whether a row heads the columns of matches or games."""
    columns = {*columns_of(values)}
    return any(columns.issuperset(pair) for pair in KNOWN_BY)


def would_do(column: str) -> str:
    """The headings that a missing column may have, for a message."""
    base, _, letter = column.rpartition("_")
    words = [word for word in HEADINGS.get(column, "").split() if word.isascii()]
    if base in TWO_SIDED:
        words += [word + SIDES[letter][0] for word in HEADINGS[base].split() if word.isascii()]
    example = [f"{SCORE} (6,5-3,5)"] if base == "game_points" else []
    return ", ".join([*words, *example])


def is_heading(cell: str) -> bool:
    """Whether a cell is the heading of a known column, or of a round."""
    # Quotes stay where the wrong mark splits a row.
    cell = cell.strip(' "')[:40]
    return (folded(cell) or cell) in COLUMN or round_heading(cell) > 0


def round_heading(heading: str) -> int:
    """The number of a round in the heading of its column; 0 for another heading."""
    text = _marks_off(heading)
    return _first_number(_ROUND.fullmatch(text) or _NUMBERED.fullmatch(text))


def round_in(line: str) -> int:
    """The round that a line is about, such as `Round 3 on 2025/10/25`; 0 for another line."""
    text = _marks_off(line)
    return _first_number(_ROUND_LINE.match(text) or _NUMBERED.match(text))


def _first_number(found: re.Match[str] | None) -> int:
    return int(next(filter(None, found.groups()))) if found else 0


def is_round_cell(text: str) -> bool:
    """Whether a cell looks like one of a round in a crosstable, such as `12w1`."""
    return _CELL.fullmatch(text.strip()) is not None


def is_points(heading: str) -> bool:
    """Whether a column of this heading has the points of the standings."""
    return COLUMN.get(folded(heading)) in ("match_points", "game_points")


def _marks_off(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.strip()[:40].casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


_WORDS = "|".join(sorted((folded(w) for w in HEADINGS["round"].split()), key=len, reverse=True))
_ROUND_LINE = re.compile(
    rf"([0-9]{{1,2}})[.oa]? ?(?:{_WORDS})\b|(?:{_WORDS})[. ] ?([0-9]{{1,2}})\b"
)
"""How a line begins that says of which round the pairings below it are."""


# ------------------------------------------------------- the names of tie-breaks below a table
# They are those of Swiss-Manager, which writes most of them in English on pages of any language.

_TIEBREAK = re.compile(
    r"(?:tie[ -]?break|tb|wertung|wtg|feinwertung|desempate|des|départage|dep|spareggio|"
    r"desempat|särskiljning|pomocnicza|punktacja|eşitlik bozma|pomocné hodnocení|"
    r"dodatni kriterij|kriterij|departajare|criteriu|κριτήριο|άρση ισοβαθμίας|"
    r"доп(?:олнительный показатель)?|критерий|критерій|破同分)"
    r"\.? ?([1-9])\.? ?[:=] ?(.{2,200})",
    re.IGNORECASE,
)
OPEN = "?"
"""Stands in a list between the name of a tie-break and the number of its column, which decides."""


def listed_names(rows: Iterable[Sequence[str]]) -> dict[int, str]:
    """The tie-breaks that lines such as `Tie Break 2: Buchholz` name, by number, without commas."""
    names: dict[int, str] = {}
    for values in rows:
        # The name may stand in a cell of its own behind `Tie Break 2:`.
        filled = [value.strip() for value in values if value.strip()][:2]
        line = _TIEBREAK.fullmatch(" ".join(filled)[:240]) if filled else None
        if line:
            plain_name = " ".join(re.sub(r"[,?]", " ", line[2]).split())
            names.setdefault(int(line[1]), plain_name)
    numbers = range(1, len(names) + 1)
    return names if set(numbers) == names.keys() else {}
