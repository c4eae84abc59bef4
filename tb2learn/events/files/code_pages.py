"""Which code page a text is of that is neither UTF-8 nor UTF-16: by its letters and headings.

In a wrong page names become words that no language has: letters of several alphabets in a word, a
capital behind a small letter, a sign within a name. Every page has languages with their letters;
the page in which the words of a file fit best is taken, and a note names it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_FREQUENT = "оеаинтсрвлαοιετσνρיולאהרמבנתש"
_UKRAINIAN = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяў"
_SERBIAN = "абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ"
_GREEK = "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"
_HEBREW = "אבגדהוזחטיךכלםמןנסעףפץצקרשת"
_ARABIC = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ"
_CENTRAL: Mapping[str, str] = {
    "Polish": "ąćęłńóśźż", "Czech": "áčďéěíňóřšťúůýž", "Slovak": "áäčďéíĺľňóôŕšťúýž",
    "Hungarian": "áéíóöőúüű", "Croatian": "čćđšž", "Romanian": "ăâîşţ", "German": "äöüß",
}  # fmt: skip
_WESTERN: Mapping[str, str] = {
    "German": "äöüß", "French": "éèêëàâçîïôùûüœ", "Spanish": "áéíóúñü", "Icelandic": "áéíóúýþðæö",
    "Scandinavian": "åäöæøé", "Portuguese": "ãõáéíóúâêôç", "Italian": "àèéìòù", "Dutch": "ëïéöü",
}  # fmt: skip
_BALTIC: Mapping[str, str] = {
    "Latvian": "āčēģīķļņšūž", "Lithuanian": "ąčęėįšųūž", "Estonian": "äöõüšž",
}  # fmt: skip
_SLAVIC: Mapping[str, str] = {
    "Russian": _CYRILLIC, "Ukrainian": _UKRAINIAN, "Serbian": _SERBIAN,
}  # fmt: skip
PAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "cp1252": ("Windows-1252", _WESTERN),
    "cp1250": ("Windows-1250", _CENTRAL),
    "cp1251": ("Windows-1251", _SLAVIC),
    "cp1253": ("Windows-1253", {"Greek": _GREEK}),
    "cp1254": ("Windows-1254", {"Turkish": "çğıöşüİâ"}),
    "cp1257": ("Windows-1257", _BALTIC),
    "cp1255": ("Windows-1255", {"Hebrew": _HEBREW}),
    "cp1256": ("Windows-1256", {"Arabic": _ARABIC}),
    "iso8859-2": ("ISO 8859-2", _CENTRAL),
    "iso8859-5": ("ISO 8859-5", _SLAVIC),
    "koi8-r": ("KOI8-R", {"Russian": _CYRILLIC}),
    "koi8-u": ("KOI8-U", {"Ukrainian": _UKRAINIAN}),
    "iso8859-7": ("ISO 8859-7", {"Greek": _GREEK}),
    "iso8859-9": ("ISO 8859-9", {"Turkish": "çğıöşüİâ"}),
    "cp437": ("code page 437", {"German": "äöüß", "French": "éèêëàâçîïôù", "Spanish": "áéíóúñü"}),
    "gbk": ("GBK", {}),
    "shift_jis": ("Shift-JIS", {}),
}
"""Pages by the names of Python: what they are called, and the letters of their languages. Of pages
in which a text fits equally well the first one counts."""
_HEADINGS: Mapping[str, str] = {
    "Turkish": "puan tur sira takim oyuncu sonuc", "Polish": "wynik runda miejsce nazwisko",
    "Czech": "kolo poradi jmeno body", "Hungarian": "eredmeny fordulo pont nev csapat",
    "Icelandic": "nafn umferd vinningar", "Latvian": "punkti vieta vards",
    "Lithuanian": "taskai vieta ratas", "Estonian": "punktid koht nimi voor",
    "Croatian": "kolo bodovi ime", "Romanian": "runda puncte nume loc",
    "German": "runde punkte mannschaft verein", "French": "ronde nom equipe",
    "Spanish": "ronda nombre equipo puntos", "Portuguese": "rodada nome equipa pontos",
}  # fmt: skip
"""Words of headings, without accents, that tell the language."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2,40}|[\x80-\xff]")
_PLAIN = re.compile(rb"[A-Za-z]{3,12}")
_MOST_WORDS = 20_000
_FIRST = 1 << 12
# Set by hand, and held by the texts of tests/events/formats/test_code_pages.py.
_LETTER, _COMMON, _STRANGE, _SIGN, _CASE = 2, 1, -6, -8, -4
"""Points of a letter of the language, of a frequent one, of another letter, of a sign, and of a
capital behind a small letter."""
_HEADING = 8
_OF_DOS = "cp437"
_USUAL_SIGNS = frozenset("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2026")
"""Apostrophes, quotes and dashes, as texts of every language have them."""
_HALF = b"\xbd"
"""The half in all pages of Windows that have it, and in results beside names of other pages."""
_WITHOUT_HALF = (_OF_DOS, "koi8-r", "koi8-u")
_TAKEN_FOR_HALF: Mapping[str, re.Pattern[str]] = {
    "cp1250": re.compile("\u02dd"),
    "iso8859-2": re.compile("\u02dd"),
    # A Macedonian letter, which begins no word behind a number or a mark between results.
    "cp1251": re.compile(r"(?:(?<=[0-9;\t:\u2013-])|(?<=[0-9][^\W\d_]))\u0405(?![^\W\d_]|\.)"),
}
"""What the half is in pages that have none of their own."""


def page_of(data: bytes) -> str:
    """The page of a text with bytes above 127 that is no UTF-8."""
    foreign = (word[0] for word in _WORD.finditer(data) if not word[0].isascii())
    words = Counter(word for word, _ in zip(foreign, range(_MOST_WORDS), strict=False))
    plain = {word[0].decode().casefold() for word in _PLAIN.finditer(data[:_FIRST])}
    pages = [page for page, (_, languages) in PAGES.items() if languages]
    best = max(pages, key=lambda page: _fit(page, words, plain))
    letters = sum(
        times * sum(not (c.isascii() or c in _USUAL_SIGNS) for c in word.decode(best, "replace"))
        for word, times in words.items()
    )
    # Words of two bytes a letter are nonsense in every other page.
    if _fit(best, words, plain) < 1.5 * _LETTER * letters:
        for page in ("shift_jis", "gbk"):
            if _is_of_two_bytes(data, page):
                return page
    return best


def _is_of_two_bytes(data: bytes, page: str) -> bool:
    """Whether a text is Chinese or Japanese: most of its characters are frequent ones."""
    try:
        text = data.decode(page)
    except UnicodeDecodeError:
        return False
    foreign = [c for c in text if not c.isascii()]
    usual = 0
    for c in foreign:
        lead = c.encode(page)[0]
        kana = "\u3040" <= c <= "\u30ff"
        # Characters of the first level stand in rows of their own in both pages.
        level = 0x88 <= lead <= 0x97 if page == "shift_jis" else 0xB0 <= lead <= 0xD7
        usual += kana or (level and "\u4e00" <= c <= "\u9fff") or "\u3000" <= c <= "\u303f"
    return bool(foreign) and 2 * usual > len(foreign)


def _fit(page: str, words: Mapping[bytes, int], plain: set[str]) -> float:
    """How well words fit the languages of a page: word by word, and the best one of them."""
    _, languages = PAGES[page]
    alone, totals = 0.0, dict.fromkeys(languages, 0.0)
    for word, times in words.items():
        text = word.decode(page, "replace")
        scores = {name: _score(text, letters, name) for name, letters in languages.items()}
        if word == _HALF:  # whatever letter it is in the page
            scores = dict.fromkeys(languages, _SIGN if page in _WITHOUT_HALF else _LETTER)
        alone += times * max(scores.values())
        for name, score in scores.items():
            totals[name] += times * score
    for name in totals:
        # A page of DOS is rare today: its letters alone may speak for it, no heading.
        if page != _OF_DOS and plain & set(_HEADINGS.get(name, "").split()):
            totals[name] += _HEADING
    return alone + max(totals.values())


def _score(text: str, letters: str, language: str) -> float:
    """How much a word looks like one of a language."""
    alphabet, common = {*letters, *letters.upper()}, {*(_FREQUENT + _FREQUENT.upper())}
    foreign = [c for c in text if not (c.isascii() or c in _USUAL_SIGNS)]
    score = 0
    for c in foreign:
        if c in alphabet:
            score += _LETTER + (c in common)
        elif c == "\u00bd" or (c == "\u02dd" and language in _CENTRAL):
            score += _LETTER  # the half in the results of a table
        else:
            score += _STRANGE if c.isalpha() else _SIGN
    # Names begin with a capital, and go on in small letters.
    score -= text[0].islower() or (text.isupper() and len(text) > 2)
    score += _CASE * sum(a.islower() and b.isupper() for a, b in pairwise(text))
    # A word has the letters of one script.
    if any(c.isascii() and c.isalpha() for c in text) and any(c > "\u036f" for c in foreign):
        score += _STRANGE
    return score + _spelling(text, language)


def _spelling(text: str, language: str) -> int:
    """What a language has nowhere in its words."""
    low = text.casefold()
    wrong = low.count("ý") > 1
    in_latin = any(c.isascii() for c in text)
    if language == "Greek" and not (text.isupper() or in_latin) and len(text) > 3:
        # A word in small letters has an accent.
        wrong += not any("\u0301" in unicodedata.normalize("NFD", c) for c in text)
    elif language == "Icelandic":
        wrong += low.startswith("ð") + low.endswith("þ") + ("þ" in low[1:])
    elif language == "Portuguese":
        wrong += len(re.findall("õ(?!e)|ã(?![oes]|$)", low))
    elif language == "Hebrew":
        wrong += len(re.findall("[ךםןףץ](?!$)", text))
    elif language == "French":
        wrong += len(re.findall("[àù](?!$)", low))
    return _STRANGE * wrong


def decoded_lines(data: bytes) -> tuple[str, str]:
    """The text of a file, and the page of those of its lines that are no UTF-8; empty if all are.

    Programs add lines in UTF-8 to files that others wrote.
    """
    if _is_utf8(data):
        return data.decode(), ""
    lines = data.split(b"\n")
    other = [line for line in lines if not _is_utf8(line)]
    page = page_of(b"\n".join(other))
    if page in ("gbk", "shift_jis"):
        return data.decode(page, "replace"), page
    return "\n".join(_line(line, page) for line in lines), page


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _line(line: bytes, page: str) -> str:
    if _is_utf8(line):
        return line.decode()
    try:
        return with_halves(line.decode(page), page)
    except UnicodeDecodeError:
        return line.decode("latin-1")


def with_halves(text: str, page: str) -> str:
    """A text of a page, with the half where the page has another sign for its byte.

    Programs write the half of Windows-1252 beside names of any page.
    """
    taken = _TAKEN_FOR_HALF.get(page)
    return taken.sub("\u00bd", text) if taken else text


def page_note(page: str) -> str:
    """The note on a page that was found by the content."""
    name, _ = PAGES[page]
    return f"not UTF-8: read as {name}, so names may look wrong (--encoding names another)"
