"""The page of an event: its places, what a tap shows, and that every number is the program's."""

import dataclasses
import html
import re
from itertools import pairwise
from random import Random

import player_samples
import pytest
import trf_samples
from helpers import ROOT, slow_after
from page_engine import Taps
from page_reader import Page

from tb2learn.events import explain, has_working, read_event
from tb2learn.events.parts import Penalty
from tb2learn.events.verdict import verdicts
from tb2learn.export.event_page import event_data, event_page
from tb2learn.export.forms import LANGUAGES
from tb2learn.export.remarks import remarks
from tb2learn.export.standings import rank_event
from tb2learn.export.verdict_words import verdict_text
from tb2learn.export.wall import standings_document, standings_to_print
from tb2learn.export.words import in_language, words
from tb2learn.text import plain, plain_number

EXAMPLES = ROOT / "examples"
MINUS, ISOLATES = "\N{MINUS SIGN}", re.compile("[\u2068\u2069]")
NUMBER = re.compile(rf"(?<![\w.-])[-{MINUS}]?\d+(?:[.,]\d+)?(?![\w.]*[a-z])")


OF_RANKING = ("share_below", "decided", "before")


def orders(event, by=None, beside=None, language="en", **how):
    ranked = rank_event(event, by, **{key: how[key] for key in OF_RANKING if key in how})
    how = {key: value for key, value in how.items() if key not in OF_RANKING}
    found, _ = standings_to_print(ranked, beside, language=language, **how)
    return found


SAMPLES = {
    "baku": lambda: orders(read_event("baku2016"), beside="learned"),
    "olympiad": lambda: orders(read_event(str(EXAMPLES / "olympiad.trf")), beside="formula"),
    "swiss": lambda: orders(read_event(str(EXAMPLES / "team-swiss.trf"))),
    "league": lambda: orders(read_event(str(EXAMPLES / "league.csv"))),
    "open": lambda: orders(read_event(str(EXAMPLES / "open.trf"))),
    "crosstable": lambda: orders(read_event(str(EXAMPLES / "crosstable.html"))),
    "german": lambda: orders(read_event(str(EXAMPLES / "olympiad.trf")), "formula", language="de"),
}


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request):
    """Orders, a page of them whose names can be tapped, and the workings of all teams."""
    found = SAMPLES[request.param]()
    return found, Taps(event_data(found)), workings_of(found)


def numerals(value, language):
    """A number as the program prints it in a language."""
    text = f"{plain_number(value)}".replace("-", MINUS)
    return text.replace(".", words(language)["doc.decimal"])


def workings_of(page):
    """Every team's working under the rules of all orders."""
    criteria = {c.rule.name: c for one in page for c in one.ranking.criteria if has_working(c)}
    event = page[0].event
    return explain(page[0].ranking, event.teams, list(criteria.values()))


def test_every_number_of_a_working_is_the_programs(sample):
    """What a tap shows are the numbers of `explain`, cell by cell."""
    page, taps, workings = sample
    language = page[0].language
    counting = {
        k for w in workings for i in w.items for k, x in enumerate(i.counts_as) if x is not None
    }
    for team, working in list(enumerate(workings))[:40]:
        first, *lines, last = taps.panel(team).rstrip("\n").split("\n")
        heading, *heads = first.rstrip("\t").split("\t")
        assert heading.startswith(plain(working.team))
        for order in page:
            (row,) = [row for row in order.ranking.rows if row.team == working.team]
            assert words(language)["html.place"].format(place=row.place) in heading
        assert len(heads) >= 4 + len(working.rules)
        for line, item in zip(lines, working.items, strict=True):
            round_, who, points, result, *cells = line.removesuffix("\t").split("\t")
            assert (round_, points) == (str(item.round), numerals(item.opponent_mp, language))
            assert who.startswith(plain(item.opponent))
            assert who.endswith(")") == (item.kind != "played")
            if item.kind == "played":
                own = result.split("\N{EN DASH}")[0].replace("½", ".5")
                assert float(own if own[0] != "." else f"0{own}") == item.gp
            expected = []
            for k, value in enumerate(item.values):
                counts = item.counts_as[k]
                if k in counting:
                    expected.append("" if counts is None else numerals(round(counts, 2), language))
                expected.append(numerals(value, language))
            assert cells == expected
        sums = [cell for cell in last.split("\t") if cell]
        assert sums[1:] == [numerals(value, language) for value in working.sums]


def pairs_of(page):
    """Neighbours of every order, and as many other pairs."""
    event, random = page[0].event, Random(0)
    near = [
        (event.teams.index(a.team), event.teams.index(b.team))
        for order in page
        for a, b in pairwise(order.ranking.rows)
    ]
    return near[:8], [tuple(random.sample(range(len(event.teams)), 2)) for _ in range(8)]


def sentences(taps, pair, count):
    text = ISOLATES.sub("", taps.panel(*pair))
    return text.split("\t")[:count]


def test_what_decides_is_what_the_program_says(sample):
    """Of neighbours on equal points with the matches that would have turned it."""
    page, taps, _ = sample
    near, far = pairs_of(page)
    pairs = [*near, *far]
    said = [sentences(taps, pair, len(page)) for pair in pairs]
    for k, order in enumerate(page):
        text = words(order.language, order.event.individual)
        places = [row.team for row in order.ranking.rows]
        expected = verdicts(order.ranking, pairs)
        for decided, of_pair in zip(expected, said, strict=True):
            sentence = of_pair[k].removeprefix(f"{order.name}: ")
            first, second = sorted((decided.first, decided.second), key=places.index)
            names = {"first": plain(first), "second": plain(second)}
            if not decided.criterion:
                assert sentence == text["verdict.equal"].format(**names)
                continue
            assert first == decided.first
            if places.index(second) == places.index(first) + 1 and decided.tied_on:
                whole = verdict_text(decided, order.language, order.event.individual)
                assert after_criterion(sentence, order) == after_criterion(whole, order)
                continue
            scores = (numerals(score, order.language) for score in decided.scores)
            fields = dict(zip(("high", "low"), scores, strict=True))
            fields["criterion"] = re.search(r"(TB2|BH/C1|MP|GP|Points|Punkte)", sentence)[0]
            assert sentence == text["verdict.decides"].format(**names, **fields)


def after_criterion(sentence, order):
    """A verdict from the two scores on: the page calls criteria by the heads of its columns."""
    mark = {"en": " decides, ", "de": " entscheidet, "}[order.language]
    return sentence.partition(mark)[2]


def test_two_teams_stand_side_by_side(sample):
    """Every round of both, with what it is worth under the rules that lead the orders."""
    page, taps, workings = sample
    language = page[0].language
    leading = [
        next((c.rule.name for c in order.ranking.criteria if has_working(c)), None)
        for order in page
    ]
    for pair in pairs_of(page)[1][:20]:
        *_, last = taps.panel(*pair).rstrip("\n").split("\n")
        sums = [cell for cell in last.split("\t") if cell]
        expected = []
        for team in pair:
            expected.append(words(language)["sheet.sum"])
            names = list(dict.fromkeys(name for name in leading if name))
            columns = [
                max(k for k, rule in enumerate(workings[team].rule_names) if rule == name)
                for name in names
            ]
            expected += [numerals(workings[team].sums[k], language) for k in sorted(columns)]
        assert sums == expected


def test_a_second_tap_closes_and_a_third_team_takes_the_place_of_the_first():
    taps = Taps(event_data(SAMPLES["swiss"]()))
    assert taps.panel(0, 0) == ""
    assert taps.panel(0, 1, 2) == taps.panel(1, 2)
    assert taps.panel(0).count("\n") > 3


def test_the_page_shows_the_places_of_both_orders():
    """Each order as the page for the wall has it, the first one in sight."""
    page = SAMPLES["olympiad"]()
    read = Page(event_page(page))
    shown = [attributes for attributes, _ in read.all("div") if attributes.get("class") == "order"]
    assert ["hidden" in attributes for attributes in shown] == [False, True]
    names = [t for a, t in read.all("button") if "data-order" in a]
    assert names == ["FIDE's rule", "formula"]
    tapped = [(t, int(a["data-team"])) for a, t in read.all("button") if "data-team" in a]
    assert tapped == [(r.team, o.event.teams.index(r.team)) for o in page for r in o.ranking.rows]
    texts = [t.strip() for _, t in read.all("p")] + [t for _, t in read.all("td")]
    for order in page:
        document = in_language(standings_document(order))
        for part in document.all_parts:
            for line in getattr(part, "lines", ()):
                assert line in texts


def test_places_that_are_shared_or_played_off_are_said(tmp_path):
    event = read_event("baku2016")
    page = orders(event, "uniform-180x11", share_below=0.55)
    rows = page[0].ranking.rows
    taps = Taps(event_data(page))
    shared = [(a, b) for a, b in pairwise(rows) if a.place == b.place and a.scores != b.scores]
    a, b = (event.teams.index(row.team) for row in shared[0])
    text = ISOLATES.sub("", taps.panel(a, b))
    assert f"{event.teams[a]} and {event.teams[b]} share a place: TB2" in text
    tied = read_event(str(EXAMPLES / "open.trf"))
    page = orders(tied, decided=EXAMPLES / "play-off.csv", before="BH/C1")
    first, second = (tied.teams.index(row.team) for row in page[0].ranking.rows[:2])
    assert "play-off or lot decides, 1 to 2" in Taps(event_data(page)).panel(first, second)


def test_penalties_byes_open_matches_and_withdrawals_are_marked():
    event = trf_samples.read(*trf_samples.SMALL)
    event = dataclasses.replace(event, penalties=(Penalty(0, 2, -2, -3), Penalty(2, 0, 1)))
    assert dict(zip(event.teams, remarks(event), strict=True)) == {
        "Aces": f"penalty, round 2: {MINUS}2 MP, {MINUS}1.5 GP",
        "Bats": "lost by default 2",
        "Cats": "bonus: +1 MP",
        "Dogs": "half-point bye 2",
        "Eels": "bye 1; won by default 2; zero-point bye 3",
    }
    left = tuple(m for m in event.matches if 4 not in m.teams or m.round == 1)
    assert remarks(dataclasses.replace(event, matches=left))[4] == "bye 1; withdrawn after round 1"
    league = read_event(str(EXAMPLES / "league.csv"))
    marked = {team: said for team, said in zip(league.teams, remarks(league), strict=True) if said}
    assert marked == {"Nidda": "open 6", "Oberkirch": "open 6"}
    team = league.teams.index("Nidda")
    assert "open 6" in Taps(event_data(orders(league))).panel(team)


HOSTILE = (
    "</script><script>alert(1)</script>", "<!--<script>", "</button><img src=x onerror=alert(1)>",
    "a & b &amp; \"c\" 'd'", "]]> \u2028 \u2029 \u202e", "{{ 7 * 7 }} {% raw %}", "{first} {high}",
    "\u05d9\u05e9\u05e8\u05d0\u05dc 1", "\u4e2d\u56fd", "=1+1", "$& $1", "two\nlines\ttab",
    "n" * 200,     "\N{GRINNING FACE}" * 50, "\ud800",
)  # fmt: skip


def hostile(event):
    """An event with such names."""
    names = (*HOSTILE, *event.teams[len(HOSTILE) :])[: len(event.teams)]
    return dataclasses.replace(event, teams=names)


def test_hostile_names_are_text():
    event = read_event(str(EXAMPLES / "olympiad.trf"))
    harmless = Page(event_page(orders(event, beside="formula")))
    page = orders(hostile(event), beside="formula", title=HOSTILE[0])
    text = event_page(page)
    text.encode()
    read = Page(text)
    assert [tag for tag, _ in read.elements] == [tag for tag, _ in harmless.elements]
    shown = [t for a, t in read.all("button") if "data-team" in a]
    assert shown == [plain(row.team) for one in page for row in one.ranking.rows]
    taps = Taps(event_data(page))
    for team, name in enumerate(page[0].event.teams):
        assert taps.panel(team).startswith(plain(name))
        if team:
            assert all(plain(page[0].event.teams[k]) in taps.panel(0, team) for k in (0, team))


def test_nothing_is_loaded_and_only_the_own_script_runs():
    text = event_page(SAMPLES["baku"]())
    read = Page(text)
    (policy,) = (a["content"] for a, _ in read.all("meta") if a.get("http-equiv"))
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == parts["base-uri"] == parts["form-action"] == "'none'"
    assert parts["script-src"].count("sha256-") == parts["style-src"].count("sha256-") == 1
    assert "connect-src" not in parts and "unsafe" not in policy
    attributes = {key for _, attrs in read.elements for key in attrs}
    assert not {key for key in attributes if key.startswith("on")}
    assert not attributes & {"src", "href", "action", "style", "srcset", "background"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", slow_after(1, ["samarkand2026w", "batumi2018"]))
def test_the_page_of_an_olympiad_is_light(name):
    """Of more than 180 teams under two rules, one in three passes."""
    event = read_event(name)
    assert len(event.teams) > 180
    assert len(event_page(orders(event, beside="learned")).encode()) <= 400_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language):
    page = orders(read_event(str(EXAMPLES / "olympiad.trf")), beside="formula", language=language)
    text = event_page(page)
    assert Page(text).all("html")[0][0]["lang"] == language
    assert html.unescape(words(language)["html.team_hint"]) in html.unescape(text)
    taps = Taps(event_data(page))
    for pair in ((0, 1), (3, 9)):
        assert not re.search(r"\{\w+\}|undefined|null|NaN", taps.panel(*pair))


def test_players_are_tapped_like_teams():
    event = player_samples.read(*player_samples.HELD)
    taps = Taps(event_data(orders(event)))
    assert event.teams[0] in taps.panel(0) and "Opponent's points" in taps.panel(0)
