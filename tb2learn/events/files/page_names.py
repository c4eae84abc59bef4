"""What tie-breaks are called below a page: an exact table of names, and nothing by likeness.

Most pages are of Swiss-Manager, which has 92 tie-breaks, with English names on pages of any
language; other programs and clubs write what these are called in theirs. A name that is not here,
and has no code of FIDE in it, says nothing: the column itself shows what it is (`check.best_code`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tb2learn.tiebreaks.library import ENTRIES

CUTS = ("", "/C1", "/C2", "/M1", "/M2")
"""Stands behind a code whose cut the name does not tell."""

SWISS_MANAGER: Sequence[tuple[str, str]] = (
    ("points (game-points)", "GPTS"),
    ("Buchholz Tie-Breaks (all Results)", "BH"),
    ("Buchholz Tie-Breaks (without one result)", "BH/C1"),
    ("Buchholz Tie-Breaks (without two results=middle Tie-Breaks)", "BH/M1"),
    ("Manually input (after Tie-Break matches)", ""),
    ("Sonneborn-Berger-Tie-Break (with real points)", "SB"),
    ("Fide Tie-Break", "PS"),
    ("Fide Tie-Break (fine)", "PS"),
    ("rating average of the opponents", "ARO"),
    ("Direct Encounter (The results of the players in the same point group)", "DE"),
    ("The greater number of victories", "WIN"),
    ("Matchpoints (2 for wins, 1 for Draws, 0 for Losses)", "MPTS"),
    ("The results of the teams in then same point group according to Matchpoints", "DE"),
    ("Board Tie-Breaks of the whole tournament", ""),
    ("Buchholz Tie-Breaks (sum of team-points of the opponents and own points)", ""),
    ("Buchholz Tie-Breaks (with the real points)", "BH"),
    ("Carasaxa Tie-Breaks", ""),
    ("Sonneborn-Berger Tie-Break (with modified points, analogous to Buchholz Tie-Break)", "SB"),
    ("rating average of the opponents (without one result)", "ARO/C1"),
    ("Performance", "TPR"),
    ("Buchholz Tie-Breaks (sum of team-points of the opponents)", "BH:MP"),
    ("Sum of the ratings of the opponents (whithout one result)", ""),
    ("The BSV-Board-Tie-Break", ""),
    ("Sum of Buchholz-Tie-Breaks (all Results)", ""),
    ("For imported tournaments (Tie-break 1)", ""),
    ("For imported tournaments (Tie-break 2)", ""),
    ("Buchholz-Tie-Breaks (all Results (special))", "BH"),
    ("Buchholz-Tie-Breaks (without two results=middle Tie-Breaks (special))", "BH/M1"),
    ("Buchholz-Tie-Breaks (all Results with real points)", "BH"),
    ("Buchholz-Tie-Breaks (without two results with real points)", "BH/M1"),
    ("For imported tournaments (Tie-break 3)", ""),
    ("Fide Tie-Break (no points for dropped players)", "PS"),
    ("Buchholz-Tie-Breaks (without two results=middle Tie-Breaks)", "BH/M1"),
    ("FIDE-Sonneborn-Berger-Tie-Break", "SB"),
    ("rating average of the opponents (variabel with parameters)", "ARO?"),
    ("Buchholz Tie-Breaks (variabel with parameter)", "BH?"),
    ("points (game-points) + 1 point for each won match.", ""),
    ("points (3 for wins, 2 for Draws, 1 for Losses, 0 for Losses forfeit)", "MPTS GPTS"),
    ("Matchpoints (3 for wins, 1 for Draws, 0 for Losses)", "MPTS"),
    ("Better result (Victory or Draw) against player with the lowest starting rank", ""),
    ("points (normal points + points from the qualifying rounds)", ""),
    ("Play-off points", ""),
    ("Matchpoints (variabel)", "MPTS"),
    ("Koya Tie-Break", "KS"),
    ("Points (game-points) + Matchpoints (3 for wins, 1 for Draws, 0 for Losses)", ""),
    ("Points (variabel)", "GPTS"),
    ("Sum of Matchpoints (variabel)", ""),
    ("Sum Matchpoints (2,1,0) without lowest result (Olympiad)", "BH:MP/C1"),
    ("Olympiad-Sonneborn-Berger-Tie-Break", "EMGSB"),
    ("ECU-Tie-Break", ""),
    ("Sonneborn-Berger-Tie-Break variable", "SB?"),
    ("Most black", "BPG"),
    ("Recursive Ratingperformance", ""),
    ("Average Recursive Ratingperformance", ""),
    ("Sum Matchpoints (2,1,0) without lowest result (Olympiad Khanty-Mansiysk)", "BH:MP/C1"),
    ("Olympiad-Sonneborn-Berger-Tie-Break without lowest result (Khanty-Mansiysk)", "EMGSB/C1"),
    ("Rtg Sum (without lowest rtg) or Progressive Score (Youth WCC)", "PS"),
    ("Rating Performance without two results (EM 2011)", ""),
    ("Performance (variable with parameter)", "TPR"),
    ("Arranz System (Win:1 / Draw: 0.6 black, 0.4 white, lost: 0)", ""),
    ("Games ascending (Less is better)", ""),
    ("Percent", ""),
    ("Board", ""),
    ("Games descending (More is better)", ""),
    ("Ranking of their teams", ""),
    ("Sonneborn-Berger-Tie-Break (analog [57] but with all results)", "EMGSB"),
    ("The greater number of victories (variable)", "WIN"),
    ("Koya Tie-Break (fine)", "KS"),
    ("Sum Buchholz-Tie Break variable", ""),
    ("Berlin Tie Break", ""),
    ("Rating-difference", ""),
    ("Schmuljan Tie Break", ""),
    ("Olympiad-Sonneborn-Berger-Tie-Break without lowest result (Chennai)", "EMGSB/C1"),
    ("Olympiad-Sum of Adjusted matchpoints without lowest result (Chennai)", "BH:MP/C1"),
    ("Special Gamepoints for white and black", ""),
    ("Average of Opponents' Buchholz (AOB)", "AOB"),
    ("Board Count (BC)", "BC"),
    ("Rounds Elected to Play", "REP"),
    ("Average Rating of Opponents (ARO)", "ARO"),
    ("Direct Encounter (DE)", "DE"),
    ("Extended Sonneborn-Berger for teams (ESB)", "EMMSB EMGSB EGMSB EGGSB"),
    ("Extended Direct Encounter for teams (EDE)", "EDE"),
    ("Buchholz Tie-Break Variable (2023)", "BH?"),
    ("Sonneborn Berger Tie-Break Variable (2023)", "SB?"),
    ("FIDE Tiebreak (Progressive Score)", "PS"),
    ("Koya System (KS)", "KS"),
    ("Performance Tie-Breaks (TPR, APRO, PTP, APPO)", "TPR APRO PTP APPO"),
    ("Top Board Results TBR", "TBR"),
    ("Bottom Board Elimination (BBE)", "BBE"),
    ("Scores and Schedule Strength Combination (SSSC)", "SSSC"),
    ("Kashdan", ""),
)
"""Swiss-Manager's names, and the codes that each may mean: with a question mark any cut; none for
what FIDE does not define."""

OTHERS: Mapping[str, str] = {
    "PTS": "points|punkte|puntos|punti|pontos|punten|poäng|punkty|puan|body|bodovi|puncte|очки",
    "MPTS": "match points|matchpoints|mannschaftspunkte|puntos de match|puntos de encuentro|"
    "points de match",
    "GPTS": "game points|board points|brettpunkte|puntos de tablero|puntos de partida",
    "BH": "buchholz|buchholz score|buchholzwertung|buchholz tie breaks|бухгольц|бухгольца|布霍尔茨",
    "BH/C1": "buchholz cut 1|buchholz tie breaks cut 1|buchholz cut1|buchholz minus 1|"
    "buchholz 1 streichresultat",
    "BH/C2": "buchholz cut 2|buchholz tie breaks cut 2|buchholz cut2|buchholz 2 streichresultate",
    "BH/M1": "median buchholz|buchholz median|buchholz median 1|mittlere buchholz",
    "BH/M2": "median buchholz 2|buchholz median 2",
    "FB": "fore buchholz",
    "AOB": "average of opponents buchholz|average buchholz of opponents",
    "SB": "sonneborn berger|sonneborn berger score|sonneborn berger wertung|бергер|"
    "коэффициент бергера",
    "KS": "koya|koya system|койя|коэффициент койя",
    "DE": "direct encounter|direct encounters|direkte begegnung|direkter vergleich|"
    "résultat particulier|resultado particular|scontro diretto|onderling resultaat|"
    "inbördes möte|bezpośredni pojedynek|vzájemná partie|međusobni susret|личная встреча|直胜",
    "WIN": "wins|number of wins|number of victories|most wins|anzahl der siege|anzahl siege|siege|"
    "victorias|número de victorias|nombre de victoires|numero di vittorie|vitórias|"
    "liczba zwycięstw|počet výher|broj pobjeda|galibiyet sayısı|число побед|количество побед",
    "WON": "games won|number of games won|won games",
    "BWG": "wins with black|number of wins with black|games won with black|schwarzsiege",
    "BPG": "games with black|number of games with black|most blacks|schwarzpartien",
    "PS": "progressive score|progressive scores|cumulative score|cumulative|fortschrittswertung|"
    "прогресс",
    "ARO": "average rating of opponents|average rating of the opponents|elo schnitt der gegner|"
    "elo medio|moyenne elo",
    "TPR": "performance rating|tournament performance rating|performance elo",
}  # fmt: skip
"""By code what others call it, in the languages of pages, as `folded`."""

SCORING: Mapping[str, tuple[int, int, int]] = {
    "matchpoints 3 for wins 1 for draws 0 for losses": (3, 1, 0),
    "points 3 for wins 2 for draws 1 for losses 0 for losses forfeit": (3, 2, 1),
}
"""Names that say what a match won, drawn and lost scores."""

_CODE = re.compile(r"\b([A-Z]{2,5})((?::[MG]P)?)(?:[/ -]?([CM][12]))?\b")


def folded(name: str) -> str:
    """A name without case and punctuation."""
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())


def _table() -> dict[str, tuple[str, ...]]:
    named = {folded(name): tuple(codes.split()) for name, codes in SWISS_MANAGER}
    others = {folded(name): (code,) for code, names in OTHERS.items() for name in names.split("|")}
    return others | named


_NAMES = _table()


def codes_of(name: str) -> tuple[str, ...]:
    """The codes that a name may mean, the usual one first; none where nobody knows.

    >>> codes_of("Sum Matchpoints (2,1,0) without lowest result (Olympiad)")
    ('BH:MP/C1',)
    >>> codes_of("Number of wins (WIN)"), codes_of("Arranz System, new")
    (('WIN',), ())
    """
    codes = _NAMES.get(folded(name))
    if codes is None:
        known = {code for entry in ENTRIES.values() for code in entry.codes}
        written = (
            code[1] + code[2] + (f"/{code[3]}" if code[3] else "")
            for code in _CODE.finditer(name)
            # A code in the name is meant as such.
            if code[1] in known and (code.start() == 0 or name[code.start() - 1] in "([ ")
        )
        codes = tuple(written)[:1]
    return tuple(_cuts(codes))


def _cuts(codes: Iterable[str]) -> Iterable[str]:
    for code in codes:
        yield from (code[:-1] + cut for cut in CUTS) if code.endswith("?") else (code,)
