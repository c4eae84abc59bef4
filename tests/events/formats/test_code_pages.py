"""Code pages are known by the letters of words and by the words of headings."""

# ruff: noqa: RUF001

import pytest
from helpers import ROOT
from pgn_samples import game

from tb2learn.events import Reading
from tb2learn.events.files.code_pages import PAGES, page_of
from tb2learn.events.files.read import read_event
from tb2learn.events.files.source import MemoryFile

TEXTS = {
    "cp1252": [
        "Guðmundsson Þórðarson Jónsson Ægisson",
        "Müller Jörg Lefèvre Zoé Sørensen Muñoz",
        "Müller",
        "Lefèvre, Zoé",
        "Muñoz",
        "Sørensen, Åse",
        "João, Guimarães, Simões",
        "Größe Weiß",
        "Çelik François Héloïse",
        "Niccolò, Rubén Íñigo",
    ],
    "cp1250": [
        "Novák, Jiří Żak, Łukasz Horvát, Őze Dvořák, Ivo",
        "Wiśniewski Józef Łukasz",
        "Kovačević Đorđe Šimić",
        "Szabó Erdős Győző",
        "Ionuţ Bălan Ştefan",
        "Žižka Štěpán",
        "Nagy Gergő",
    ],
    "cp1251": [
        "Сидоров, Пётр Ткачук, Їжак Козлов Петрова",
        "Брест",
        "Ївженко Єлісеєв Ґрунт Їжак",
        "ИВАНОВ ПЕТРОВ",
        "Ђорђевић Љубиша",
        "иванов петр",
        "Минск",
    ],
    "cp1253": [
        "Παππάς Ιωάννου, Άννα Δημητρίου, Ελένη",
        "ΠΑΠΑΔΟΠΟΥΛΟΣ",
        "Γεωργίου, Κώστας",
        "Α.Σ.ΗΡΟΔΟΤΟΣ",
    ],
    "cp1254": [
        "Beşiktaş, Işıl Çağrı, Şule Yıldız, Güneş Öztürk, İpek",
        "Sıra;Ad;Puan;1.Tur\n1;Beşiktaş Işıl",
        "Yıldırım",
        "Fenerbahçe Galatasaray Beşiktaş",
    ],
    "cp1257": [
        "Ščepanskis, Žanis Čakste, Jānis Bērziņš, Ģirts Žukauskas, Šarūnas",
        "Žukauskas, Šarūnas",
        "Bērziņš",
        "Kārkliņš Ēriks",
        "Põder, Jüri Särg",
    ],
    "cp1255": ["כהן, דוד לוי, משה מזרחי"],
    "cp1256": ["محمد علي حسن أحمد"],
    "iso8859-2": ["Wiśniewski Jasiński Świątek", "Žižka Štěpán Šťastný", "Šimić Živković"],
    "iso8859-5": ["Сидоров, Пётр Козлов Петрова", "Минск Брест"],
    "koi8-r": ["Сидоров, Пётр Козлов Петрова", "Минск Брест", "Иванов"],
    "koi8-u": ["Ївженко Єлісеєв Їжак Ґрунт"],
    "iso8859-7": ["Παππάς Ιωάννου, Άννα Δημητρίου, Ελένη"],
    "iso8859-9": ["Beşiktaş, Işıl Çağrı, Şule"],
    "cp437": ["Müller, Jörg Lefèvre, Zoé", "Muñoz Grün", "Grün"],
    "gbk": ["王皓 余泱漪 丁立人 韦奕", "侯逸凡 北京 丁立人 卜祥志"],
    "shift_jis": ["山田太郎 鈴木一郎 佐藤花子", "やまだ タロウ"],
}


def test_every_page_is_among_them():
    assert TEXTS.keys() == PAGES.keys()


@pytest.mark.parametrize("page", PAGES)
def test_words_tell_the_page(page):
    """Or one in which these words are the same."""
    for text in TEXTS[page]:
        data = text.encode(page)
        assert data.decode(page_of(data), "replace") == text


NAMES = {
    "cp1250": "Łukasz Żak", "cp1251": "Брест", "cp1253": "Ελένη Παππάς", "cp1254": "Işıl Beşiktaş",
    "cp1257": "Ģirts Bērziņš", "koi8-r": "Сидоров", "iso8859-2": "Světlana Šťastná",
}  # fmt: skip


@pytest.mark.parametrize("page", NAMES)
@pytest.mark.parametrize("form", ["trf", "pgn", "csv"])
def test_all_readers_find_it_and_say_so(form, page):
    name = NAMES[page]
    if form == "trf":
        text = (ROOT / "examples/open.trf").read_text("utf-8")
        old = text[text.index("\n001 ") + 15 :][:33]
        text = text.replace(old, name.ljust(33))
    elif form == "pgn":
        text = game(White=name, WhiteTeam=None, BlackTeam=None)
    else:
        text = f"round,white_player,black_player,result\n1,{name},Bob,1-0\n"
    event = read_event(MemoryFile(f"x.{form}", text.encode(page)), Reading())
    assert name in event.teams
    (note,) = (note for note in event.notes if "not UTF-8" in note)
    assert f"read as {PAGES[page][0]}, so names may look wrong" in note


def test_the_standard_of_trf_and_pgn_needs_no_note():
    text = game(White="Müller, Jörg", WhiteTeam=None, BlackTeam=None)
    event = read_event(MemoryFile("x.pgn", text.encode("latin-1")), Reading())
    assert "Müller, Jörg" in event.teams and not any("UTF-8" in note for note in event.notes)


def test_german_headings_of_other_names_are_no_page_of_dos():
    names = "Runde;Heim;Gast;BP1;BP2\n1;Bravo;Csárdás;1,5;0,5\n2;Csárdás;Bravo;1;1\n"
    event = read_event(MemoryFile("x.csv", names.encode("cp1252")), Reading())
    assert event.teams == ("Bravo", "Csárdás")


def test_headings_tell_turkish_from_icelandic():
    names = "Sıra;Ad;Puan;1.Tur\n1;Işıl;1;2w1\n2;Can;0;1b0\n"
    event = read_event(MemoryFile("x.csv", names.encode("cp1254")), Reading())
    assert event.teams[0] == "Işıl"


ASIAN = {
    "gbk": "王皓 余泱漪 丁立人 韦奕 侯逸凡 卜祥志",
    "shift_jis": "山田太郎 鈴木 佐藤花子 高橋",
    "utf-8": "王皓 Müller",
}


@pytest.mark.parametrize("by_bytes", [True, False])
@pytest.mark.parametrize("page", ASIAN)
def test_names_of_several_bytes_a_letter_in_columns(page, by_bytes):
    """Programs count columns in letters or in bytes; the columns between fields show it."""
    text = (ROOT / "examples/open.trf").read_text("utf-8")
    given, lines = ASIAN[page].split(), list[bytes]()
    for number, line in enumerate(text.splitlines()):
        data = line.encode()
        if line.startswith("001"):
            name = given[number % len(given)] + given[number * 3 % len(given)]
            length = len(name.encode(page)) if by_bytes else len(name)
            data = data[:14] + name.encode(page) + b" " * (33 - length) + data[47:]
        lines.append(data)
    event = read_event(MemoryFile("x.trf", b"\n".join(lines) + b"\n"), Reading())
    right = read_event(MemoryFile("x.trf", text.encode()), Reading())
    assert event.matches == right.matches and event.published == right.published
    assert [p.rating for p in event.players] == [p.rating for p in right.players]
    assert given[0] in "".join(event.teams)
    assert any("padded by bytes" in note for note in event.notes) == by_bytes
