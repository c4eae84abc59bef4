"""What the tie-breaks are that a list names below its table, as codes of FIDE.

`Tie Break 2: Buchholz Tie-Breaks (Cut 1)` is `BH/C1`. The names are those of Swiss-Manager, which
writes most of them in English on pages of any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_LINE = re.compile(
    r"(?:tie[ -]?break|tb|wertung|wtg|feinwertung|desempate|des|départage|dep|spareggio|"
    r"desempat|särskiljning|pomocnicza|punktacja|eşitlik bozma|pomocné hodnocení|"
    r"dodatni kriterij|kriterij|departajare|criteriu|κριτήριο|άρση ισοβαθμίας|"
    r"доп(?:олнительный показатель)?|критерий|критерій|破同分)"
    r"\.? ?([1-9])\.? ?[:=] ?(.{2,200})",
    re.IGNORECASE,
)
_CODES = (
    "PTS MPTS GPTS BH FB AOB SB DE EDE WIN WON BPG BWG PS KS ARO APRO APPO TPR PTP GE REP STD SSSC "
    "BC TBR BBE EMMSB EMGSB EGMSB EGGSB"
).split()
_CODE = re.compile(r"\b([A-Z]{2,5})((?::[MG]P)?)(?:[/ -]?([CM][12]))?\b")
_OPEN = "?"
"""Stands behind a code whose cut the name does not tell, before the number of its column."""
_NAMES: Sequence[tuple[str, str]] = (
    (r"manual|rankcorr|play-?off|lot\b|1 point for each|qualifying|\+ matchpoints", ""),
    (r"(?:sum of )?match ?points.*variab|olympiad.*matchpoints", ""),
    (r"^match ?points|^mannschaftspunkte|^puntos de (?:match|encuentro)|^points de match", "MPTS"),
    (r"^(?:game.?|board.?|brett)?(?:points|punkte)\b|^puntos|^punti|^pontos|^punten|^очки", "GPTS"),
    (r"fore.?buchholz", "FB"),
    (r"average.*buchholz|buchholz.*average", "AOB"),
    (r"sum of buchholz|sum buchholz|buchholz.*\bsum\b", ""),
    (r"buchholz|бухгольц|布霍尔茨", "BH"),
    (r"(?:olympiad|khanty).*(?:sonneborn|berger)", "EMGSB"),
    (r"sonneborn|berger|бергер", "SB"),
    (r"koya|койя", "KS"),
    (
        r"direct|direkt|same point|particular|scontro diretto|onderling|inbördes|bezpośredn|"
        r"vzájemn|međusobn|личн|μεταξύ|直胜|相互",
        "DE",
    ),
    (
        r"progress|cumulativ|fortschritt|^fide tie-?break|прогресс",
        "PS",
    ),
    (r"black.*(?:win|won|victor)|(?:win|won|victor)\w* .*black|schwarzsieg", "BWG"),
    (r"black|schwarz|negras|noirs|ч[ёе]рн", "BPG"),
    (r"games won|won games", "WON"),
    (
        r"victor|\bwins?\b|sieg|victoria|victoire|vittorie|vitória|zwyci|galibiyet|výh|pobjed|"
        r"pobed|побед|перемог|νίκ|胜局",
        "WIN",
    ),
    (r"rating average|average rating|elo.?schnitt|elo medio|moyenne", "ARO"),
    (r"recursive|without two results \(em", ""),
    (r"performance|rendimiento", "TPR"),
    (r"match ?points|mannschaftspunkte|puntos de (?:match|encuentro)|points de match", "MPTS"),
    (
        r"points|punkte|puntos|punti|pontos|punten|poäng|punkty|puan|body|bodovi|puncte|очки",
        "GPTS",
    ),
)
"""What a name has in it, and the code; empty for one that FIDE has not. The first counts."""
_CUTS = (
    (r"cut ?-?1|without (?:one|lowest|the lowest)|without lowest|whithout one|1 streich", "/C1"),
    (r"cut ?-?2|2 streich", "/C2"),
    (r"median ?-?2|without four", "/M2"),
    (r"median|middle|without two results|mittel", "/M1"),
)


def listed_names(rows: Iterable[Sequence[str]]) -> dict[int, str]:
    """The tie-breaks that lines such as `Tie Break 2: Buchholz` name, as codes, by number.

    A name without a code stands as it is, without commas.
    """
    found: dict[int, str] = {}
    for values in rows:
        filled = [value.strip() for value in values if value.strip()][:2]
        line = _LINE.fullmatch(" ".join(filled)[:240]) if filled else None
        if line:
            code = code_of(line[2].strip())
            found.setdefault(int(line[1]), code + line[1] if code.endswith(_OPEN) else code)
    numbers = range(1, len(found) + 1)
    return found if set(numbers) == found.keys() else {}


def code_of(name: str) -> str:
    """The code of a tie-break by its name; the name, without commas, if it has none."""
    for code in _CODE.finditer(name):
        if code[1] in _CODES and (code.start() == 0 or name[code.start() - 1] in "([ "):
            return code[1] + code[2] + (f"/{code[3]}" if code[3] else "")
    low = name.casefold()
    for pattern, code in _NAMES:
        if re.search(pattern, low):
            if not code:
                break
            cut = next((cut for what, cut in _CUTS if re.search(what, low)), "")
            if code in ("BH", "SB", "ARO", "EMGSB") and cut:
                return code + cut
            open_cut = code in ("BH", "SB", "ARO") and re.search(r"variab|parameter", low)
            return code + (_OPEN if open_cut else "")
    return " ".join(name.replace(",", " ").split())[:60]


def without_cuts(listed: str) -> Mapping[str, tuple[str, Sequence[str]]]:
    """By a code whose cut is not told: the number of its column, and the codes that it may be."""
    cuts = ("", "/C1", "/C2", "/M1", "/M2")
    parts = {code: code.partition(_OPEN) for code in listed.split(",") if _OPEN in code}
    return {
        code: (number, [name + cut for cut in cuts]) for code, (name, _, number) in parts.items()
    }
