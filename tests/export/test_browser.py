"""The page of a lookup table in a browser: its numbers are the library's, nothing leaves it."""

import base64
import csv
import io
import itertools
import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from browser_samples import heard, media
from helpers import random_surfaces, slow_after
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tb2learn.catalogue import find_confidence
from tb2learn.chess.results import Results
from tb2learn.data import event_folder
from tb2learn.events import rank, read_event
from tb2learn.events.shared_places import with_confidence
from tb2learn.export.standings import percent, ranking_csv
from tb2learn.export.words import LANGUAGES, words
from tb2learn.text import plain
from tb2learn.tiebreaks.passes import TENTHS, PassRule, most_refinement
from tb2learn.tiebreaks.rules import PassTable, product_table
from tb2learn.training import checkpoint
from tb2learn.training.tabulate import pass_table
from tb2learn.types import BYE, InputError

pytestmark = pytest.mark.usefixtures("silent")


def learned(name):
    return checkpoint.load(name).rule()


SURFACES = random_surfaces(3, rounds=5, boards=4)
TABLES = {
    "product": lambda: product_table(11, 4),
    "olympiad-180x11": lambda: learned("olympiad-180x11"),
    "learned-180x11": lambda: learned("learned-180x11"),
    "learned-180x11-pass1": lambda: learned("learned-180x11-pass1"),
    "small-product": lambda: product_table(5, 4),
    "passes": lambda: pass_table(SURFACES, "passes"),
    "finer": lambda: pass_table(SURFACES[:2], "finer", finer=100),
    "reduced": lambda: pass_table(SURFACES, "reduced", reduced=True),
}
SMALL = ("small-product", "passes", "finer", "reduced")


@pytest.fixture(scope="session")
def rules():
    return {name: make() for name, make in TABLES.items()}


# --- the calculator -------------------------------------------------------------------------------


def random_team(random, rule, number):
    """Own MP and rounds `(opponent MP, counts as in tenths, half points)`; None for a bye.

    Only a rule that leaves the weakest opponent out has byes: without values they are left out.
    """
    rounds, most = rule.event_rounds, most_refinement(rule.event_rounds)
    refined = isinstance(rule, PassTable) and number > 0
    pool = [random.randrange(2 * rounds + 1) for _ in range(random.choice((2, rounds)))]
    items = []
    for _ in range(rounds):
        mp = random.choice(pool)  # a small pool makes ties for the weakest
        tenths = TENTHS * mp + (random.randint(-most, most) if refined else 0)
        items.append((mp, tenths, random.randrange(2 * rule.boards + 1)))
    if rule.reduced and random.random() < 0.3:
        items[random.randrange(rounds)] = None
    return random.randrange(2 * rounds + 1), items


def library_sum(rule, number, own, items):
    """The sum by the library: the team is number 0 and meets number r in round r."""
    rounds = rule.event_rounds
    opponents = np.full((rounds, rounds + 1), BYE, np.int32)
    half_points = np.zeros((rounds, rounds + 1), np.int32)
    match_points = np.zeros(rounds + 1, np.int32)
    reading = np.zeros(rounds, np.int32)
    match_points[0] = own
    for r, item in enumerate(items):
        if item is not None:
            opponents[r, 0] = r + 1
            match_points[r + 1], reading[r], half_points[r, 0] = item
    results = Results(opponents, half_points, match_points, rule.boards)
    if not isinstance(rule, PassTable):
        return int(rule.tiebreak().scores(results)[0]) * rule.unit
    tiebreak = PassRule(rule.points[: number + 1], rule.reduced)
    values = tiebreak.value(np.int64(own), reading, half_points[:, 0])
    return int(values[tiebreak.counted(results)[0]].sum()) * rule.unit


def typed(items, comma=False):
    """A team's rounds as they are typed; -0.3 and 14,3 too."""
    rows = []
    for item in items:
        if item is None:
            rows.append({"mp": "", "counted": "", "gp": "", "bye": True})
        else:
            mp, tenths, half = item
            counted = f"{tenths / TENTHS:g}".replace(".", "," if comma else ".")
            rows.append({"mp": str(mp), "counted": counted, "gp": f"{half / 2:g}", "bye": False})
    return rows


WORK_OUT = """return arguments[0].map(([pass, own, rows]) => {
  const found = tb2learn.checked(pass, own, rows);
  return [found.filled, found.problems.length,
          tb2learn.workOut(pass, found.own, found.items).sum];
});"""


@pytest.mark.parametrize("name", slow_after(2, TABLES))
def test_the_calculator_is_the_library(page_of, rules, name):
    rule, random = rules[name], Random(name)
    passes = len(rule.points) if isinstance(rule, PassTable) else 1
    teams = []
    for _ in range(60):
        number = random.randrange(passes)
        teams.append((number, *random_team(random, rule, number)))
    asked = [[n, str(own), typed(items, comma=k % 2)] for k, (n, own, items) in enumerate(teams)]
    found = page_of(rule).execute_script(WORK_OUT, asked)
    expected = [library_sum(rule, *team) for team in teams]
    assert [filled for filled, _, _ in found] == [rule.event_rounds] * len(teams)
    assert [problems for _, problems, _ in found] == [0] * len(teams)
    assert [total * rule.unit for *_, total in found] == expected
    assert len(set(expected)) > 30


def fill_in(browser, number, own, rows, passes):
    if passes > 1:
        Select(browser.find_element(By.ID, "team-pass")).select_by_index(number)
    browser.find_element(By.ID, "team-own").send_keys(own)
    for line, row in zip(
        browser.find_elements(By.CSS_SELECTOR, "#team tbody tr"), rows, strict=True
    ):
        mp, counted, bye = line.find_elements(By.CSS_SELECTOR, "input")
        if row["bye"]:
            bye.click()
            continue
        for field, text in ((mp, row["mp"]), (counted, row["counted"])):
            if field.is_displayed():
                field.send_keys(text)
        Select(line.find_element(By.CSS_SELECTOR, "select")).select_by_visible_text(row["gp"])
    return browser.find_element(By.ID, "team-result").text


def shown(value):
    return f"{value:.10g}".replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize(
    ("name", "number"),
    slow_after(2, [("reduced", 1), ("learned-180x11", 2), ("passes", 0), ("olympiad-180x11", 0)]),
)
def test_a_team_is_typed_in(page_of, rules, name, number):
    rule, random = rules[name], Random(3)
    own, items = random_team(random, rule, number)
    items = [item or (4, 4 * TENTHS, 4) for item in items]
    left_out = rule.reduced
    items[2] = None if left_out else items[2]
    browser = page_of(rule)
    assert browser.find_element(By.CSS_SELECTOR, "#team .of-bye").is_displayed() == left_out
    passes = len(rule.points) if isinstance(rule, PassTable) else 1
    text = fill_in(browser, number, str(own), typed(items), passes)
    total = shown(library_sum(rule, number, own, items))
    last = number == passes - 1
    assert text.startswith(f"TB2 = {total}." if last else f"Sum of pass {number + 1} = {total}.")
    assert ("Left out: round 3." in text) == left_out and "filled" not in text
    marked = browser.find_elements(By.CSS_SELECTOR, "#team tr.out th")
    assert [th.text for th in marked] == (["3"] if left_out else [])
    browser.find_element(By.ID, "team-clear").click()
    assert browser.find_element(By.ID, "team-result").text.startswith("0 of ")
    assert browser.switch_to.active_element.get_attribute("id") == "team-own"


def test_what_is_wrong_is_said_in_one_line(page_of, rules):
    browser = page_of(rules["olympiad-180x11"])
    own = browser.find_element(By.ID, "team-own")
    first = browser.find_element(By.CSS_SELECTOR, "#team tbody input")
    result = browser.find_element(By.ID, "team-result")
    for text in ("23", "-1", "x", "1.5"):
        own.clear()
        own.send_keys(text)
        assert result.text == "Own MP must be a whole number 0..22."
        assert own.get_attribute("aria-invalid") == "true"
    own.clear()
    own.send_keys("18")
    first.send_keys("14.5")
    assert result.text == "Round 1: the opponent's MP must be a whole number 0..22."
    assert [own.get_attribute("aria-invalid"), first.get_attribute("aria-invalid")] == [
        "false",
        "true",
    ]
    first.clear()
    first.send_keys("14")
    Select(browser.find_element(By.CSS_SELECTOR, "#team select")).select_by_visible_text("2.5")
    assert "1 of 11 rounds are filled in." in result.text
    browser = page_of(rules["passes"])
    Select(browser.find_element(By.ID, "team-pass")).select_by_index(1)
    counted = browser.find_element(By.CSS_SELECTOR, "#team tbody .of-counted input")
    for text in ("-1.3", "11.3", "3.25"):
        counted.clear()
        counted.send_keys(text)
        assert browser.find_element(By.ID, "team-result").text == (
            "Round 1: the opponent counts as \N{MINUS SIGN}1.2..11.2 MP, "
            "with at most one digit after the point."
        )
    for text in ("-1.2", "11.2", "\N{MINUS SIGN}0,3"):
        counted.clear()
        counted.send_keys(text)
        assert browser.find_element(By.ID, "team-result").text == "0 of 5 rounds are filled in."


def test_two_byes_need_their_virtual_opponents(page_of, rules):
    """Only one bye is left out: the other one counts, and nobody can guess for how much."""
    rule = rules["small-product"]
    browser = page_of(rule)
    bye = {"mp": "", "counted": "", "gp": "", "bye": True}
    match = {"mp": "4", "counted": "", "gp": "2", "bye": False}
    two = [bye, {**bye, "mp": "5", "gp": "2"}, match, match, match]
    filled = "return tb2learn.checked(0, '4', arguments[0]).filled"
    assert browser.execute_script(filled, two) == 4
    two[0] = {**bye, "mp": "6", "gp": "2"}
    assert browser.execute_script(filled, two) == 5
    found = browser.execute_script(WORK_OUT, [[0, "4", two]])
    assert found == [[5, 0, 2 * (6 * 2 + 3 * 4 * 2)]]  # the bye with 5 MP is left out


# --- an event -------------------------------------------------------------------------------------


def choose(browser, *paths):
    """Choose files and wait for what the page says."""
    status = browser.find_element(By.ID, "event-status")
    browser.execute_script("arguments[0].textContent = ''", status)
    browser.find_element(By.ID, "event-files").send_keys("\n".join(map(str, paths)))
    WebDriverWait(browser, 10).until(lambda _: status.text)
    return status.text


DISPLAYED = """return [...document.querySelectorAll("#standings tbody tr")]
  .map((row) => [...row.cells].map((cell) => cell.textContent));"""


def standings(browser):
    return browser.execute_script(DISPLAYED)


def library_rows(event, rule):
    """What the page must show: the rows of the library's CSV, in characters for people."""
    rows = list(csv.reader(io.StringIO(ranking_csv(rank(event, rule)))))[1:]
    names = {plain(name) for name in event.teams}
    for row in rows:
        row[1] = row[1] if row[1] in names else row[1].removeprefix("'")
        row[2:] = [cell.replace("-", "\N{MINUS SIGN}") for cell in row[2:]]
    return rows


@pytest.mark.parametrize("name", slow_after(1, ["learned-180x11", "product", "olympiad-180x11"]))
def test_baku_is_ranked_as_the_library_does(page_of, rules, name):
    rule, browser = rules[name], page_of(rules[name])
    folder = Path(str(event_folder("baku2016")))
    said = choose(browser, folder / "matches.csv", folder / "teams.csv")
    assert said.startswith(f"176 teams by MP, TB2 ({rule.name})")
    expected = library_rows(read_event("baku2016"), rule)
    sure = with_confidence(rank(read_event("baku2016"), rule), find_confidence(name, rule))
    assert len(expected) == 176
    assert standings(browser) == [
        [*row, percent(one.confidence)] for row, one in zip(expected, sure, strict=True)
    ]
    saved = browser.execute_script("return [...document.querySelectorAll('#standings bdi')].length")
    assert saved == 176


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


def random_event(random, names, rounds=5, boards=4):
    """`matches.csv` with byes of every kind, defaults, teams not paired, and played matches."""
    rows = []
    for r in range(1, rounds + 1):
        order = random.sample(names, len(names))
        while order:
            a = order.pop()
            chance = random.random()
            if chance < 0.08 or not order:
                bye = random.choice(("", "pairing", "pairing", "full", "half", "zero", "default"))
                rows.append([r, a, "", "", "", "", "", bye, "", ""])
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
                rows.append([r, a, b, *halves, decided, forfeited, "", *recorded])
    if random.random() < 0.3:  # a round that is not finished
        rows.append([rounds + 1, *names[:2], *[""] * 7])
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator=random.choice(("\n", "\r\n")))
    writer.writerow(
        "round,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye,"
        "match_points_a,match_points_b".split(",")
    )
    writer.writerows(rows)
    return random.choice(("", "\ufeff")) + buffer.getvalue()


def teams_csv(names):
    buffer = io.StringIO()
    csv.writer(buffer).writerows([["rating_1", "team"], *(["2000", name] for name in names)])
    return buffer.getvalue()


RANK = """const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const file = (name, text) => text === null ? undefined : { name, bytes: bytes(text) };
return arguments[0].map(([matches, teams]) => {
  try {
    return tb2learn.rankingCsv(tb2learn.rank(
      tb2learn.readEvent(file("matches.csv", matches), file("teams.csv", teams))));
  } catch (error) {
    return "refused: " + error.message;
  }
});"""


def sent(text):
    data = text if isinstance(text, bytes) or text is None else text.encode()
    return None if data is None else base64.b64encode(data).decode()


@pytest.mark.parametrize("name", slow_after(2, SMALL))
def test_odd_events_are_ranked_as_the_library_does(page_of, rules, name, tmp_path):
    rule, random = rules[name], Random(1)
    events, expected = [], []
    for number in range(12):
        matches = random_event(random, NAMES)
        teams = teams_csv(random.sample(NAMES, len(NAMES))) if number % 2 else None
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "matches.csv").write_text(matches, encoding="utf-8", newline="")
        if teams:
            (folder / "teams.csv").write_text(teams, encoding="utf-8", newline="")
        expected.append(ranking_csv(rank(read_event(folder), rule)))
        events.append([sent(matches), sent(teams)])
    found = page_of(rule).execute_script(RANK, events)
    assert found == expected


def test_places_are_shared_in_start_order(page_of, rules):
    rows = "".join(f"{r},{a},{b},2,2\n" for r in range(1, 6) for a, b in (("D", "A"), ("C", "B")))
    text = "round,team_a,team_b,game_points_a,game_points_b\n" + rows
    found = page_of(rules["small-product"]).execute_script(
        RANK, [[sent(text), None], [sent(text), sent("team\nA\nB\nC\nD\n")]]
    )
    lines = [[line.split(",")[:2] for line in one.splitlines()[1:]] for one in found]
    assert lines == [[["1", name] for name in order] for order in ("DACB", "ABCD")]


HEADER = "round,team_a,team_b,game_points_a,game_points_b\n"
FULL = (
    "round,match,team_a,team_b,game_points_a,game_points_b,boards_decided,boards_forfeited,bye,"
    "match_points_a\n"
)
GOOD = "1,A,B,2,2\n"
BAD_FILES = {
    "empty": "",
    "header alone": HEADER,
    "missing column": "round,team_a,team_b,game_points_a\n1,A,B,2\n",
    "column twice": "round,team_a,team_b,game_points_a,game_points_b,round\n",
    "too many columns": ",".join(map(str, range(101))) + "\n",
    "fields": HEADER + GOOD + "\n1,C,D,2\n",
    "round": HEADER + GOOD + "16,C,D,2,2\n",
    "round in another script": HEADER + "\u0661,C,D,2,2\n",
    "no team": HEADER + "1, ,D,2,2\n",
    "long name": HEADER + "1," + "x" * 201 + ",D,2,2\n",
    "much space": HEADER + " " * 100_000 + "x,A,B,2,2\n",
    "itself": HEADER + "1,A,A,2,2\n",
    "plays twice": HEADER + GOOD + "1,C,B,2,2\n",
    "quarter": HEADER + "1,A,B,2.25,2\n",
    "half a point lost": HEADER + "1,A,B,2.5,2\n",
    "too much": HEADER + "1,A,B,12.5,2\n",
    "a formula": HEADER + "=1+1,A,B,2,2\n",
    "open quotes": HEADER + GOOD + '1,"A,B,2,2\n1,C,D,2,2\n',
    "after quotes": HEADER + '1,"A"x,B,2,2\n',
    "quotes in quotes": HEADER + '1,"A ""x"", y","""",2,2\n1,C"",D,2,2\n1,"C""\n","D""",x,2\n',
    "empty quotes": HEADER + '1,"",B,2,2\n',
    "quotes at the end": HEADER + '1,A,B,2,"2.5"',
    "nothing at the end": HEADER + "1,A,B,2,",
    "many quotes": HEADER + '1,"' + '""' * 50_000 + '",B,2,2\n',
    "quotes over lines": HEADER + '1,"A\nA",B,2,2\n1,C,D,2,x\n',
    "line ends": HEADER.strip() + "\r1,A,B,2,2\r1,C,D,2,x\r",
    "NUL": HEADER + GOOD + "1,\0,D,2,2\n",
    "undecided": HEADER + "1,A,B,0,0\n",
    "unfinished": HEADER + "1,A,B,,\n",
    "match twice": FULL + "1,7,A,B,2,2,,,,\n1,7,C,D,2,2,,,,\n",
    "decided": FULL + "1,1,A,B,2,2,3,,,\n",
    "forfeited": FULL + "1,1,A,B,2,2,4,5,,\n",
    "bye with opponent": FULL + "1,1,A,B,2,2,,,full,\n",
    "unknown bye": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,,,,,long,\n",
    "bye of another worth": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,1,,,,,\n",
    "bye of too much": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,4.5,,,,,2\n",
    "bye that loses": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,,1,,,,\n",
    "bye with boards": FULL + "1,1,A,B,2,2,,,,\n1,2,C,,,,4,,,\n",
    "match points": FULL + "1,1,A,B,2,2,,,,3\n",
    "too many teams": HEADER + "".join(f"{1 + k // 999},{k}a,{k}b,2,2\n" for k in range(501)),
}


def library_refusal(folder, matches, teams=None):
    (folder / "matches.csv").write_bytes(matches)
    if teams is not None:
        (folder / "teams.csv").write_bytes(teams)
    with pytest.raises(InputError) as refused:
        read_event(folder)
    return str(refused.value)


def compared(refusals):
    """Refusals in a form in which those of the page and of the library are the same."""

    def form(line):
        line = re.sub(r"['\"\u201c\u201d\u2068\u2069]", "", line.removeprefix("refused: "))
        line = line.replace("must be at most", "must be one of at most")
        return re.sub("not valid CSV.*", "not valid CSV", line)  # each parser has its own reasons

    return {name: form(line) for name, line in refusals.items()}


def test_bad_files_are_refused_as_the_library_does(page_of, rules, tmp_path):
    data = {k: t if isinstance(t, bytes) else t.encode() for k, t in BAD_FILES.items()}
    browser = page_of(rules["small-product"])
    found = browser.execute_script(RANK, [[sent(matches), None] for matches in data.values()])
    expected = {name: library_refusal(tmp_path, matches) for name, matches in data.items()}
    assert compared(dict(zip(data, found, strict=True))) == compared(expected)


BAD_TEAMS = {
    "twice": "team\nA\nB\nA\n",
    "no column": "name\nA\n",
    "empty": "team\n",
    "no name": "team,x\nA,1\n,2\n",
    "too many": "team\n" + "".join(f"{k}\n" for k in range(1001)),
    "not listed": "team\nA\n",
}


def test_bad_team_lists_are_refused_as_the_library_does(page_of, rules, tmp_path):
    matches = (HEADER + GOOD).encode()
    browser = page_of(rules["small-product"])
    found = browser.execute_script(RANK, [[sent(matches), sent(t)] for t in BAD_TEAMS.values()])
    expected = {k: library_refusal(tmp_path, matches, t.encode()) for k, t in BAD_TEAMS.items()}
    assert compared(dict(zip(BAD_TEAMS, found, strict=True))) == compared(expected)


def test_other_formats_are_refused_by_name(page_of, rules, tmp_path):
    browser = page_of(rules["olympiad-180x11"])
    path = tmp_path / "matches.csv"
    for row, said in {
        "3,A,B,2,2": "The table olympiad-180x11 is for 11 rounds, the event has 3.",
        "12,A,B,2,2": "The table olympiad-180x11 is for 11 rounds, the event has 12.",
        "11,A,B,1,1": "The table olympiad-180x11 is for matches on 4 boards, the event has 2.",
        "11,A,B,3,3": "The table olympiad-180x11 is for matches on 4 boards, the event has 6.",
    }.items():
        path.write_text(HEADER + row + "\n", encoding="utf-8")
        assert choose(browser, path) == said
        assert not browser.find_element(By.ID, "event-result").is_displayed()


def test_a_refusal_takes_the_standings_of_before_away(page_of, rules, tmp_path):
    browser = page_of(rules["small-product"])
    good = "".join(f"{r},A,B,2,2\n" for r in range(1, 6))
    path = tmp_path / "Matches (1).csv"
    path.write_text(HEADER + good, encoding="utf-8")
    choose(browser, path)
    assert [row[1] for row in standings(browser)] == ["A", "B"]
    assert browser.find_element(By.ID, "standings").is_displayed()
    path.write_text(HEADER + good + "x,A,B,2,2\n", encoding="utf-8")
    said = choose(browser, path)
    assert said.startswith("Matches (1).csv: line 7: round must be a whole number 1..15")
    assert standings(browser) == [] and not browser.find_element(By.ID, "standings").is_displayed()


def test_files_are_told_apart_by_name(page_of, rules, tmp_path):
    browser = page_of(rules["small-product"])
    for name in ("teams.csv", "boards.csv", "matches.csv", "matches 2.csv"):
        text = "team\nB\nA\n" if name == "teams.csv" else HEADER
        text += "".join(f"{r},A,B,2,2\n" for r in range(1, 6)) if "matches" in name else ""
        if name == "boards.csv":
            text = "round,match,white_team,black_team,result\n1,1,A,B,1-0\n"
            text += "1,1,B,A,1-0\n" + "1,1,B,A,1/2-1/2\n" * 2
        (tmp_path / name).write_text(text, encoding="utf-8")
    teams, boards, matches, second = (
        tmp_path / name for name in ("teams.csv", "boards.csv", "matches.csv", "matches 2.csv")
    )
    assert choose(browser, teams).startswith("There is no matches.csv")
    assert choose(browser, matches, second).startswith("Choose one of ")
    choose(browser, boards, matches, teams)
    assert [row[1] for row in standings(browser)] == ["B", "A"]


DROP = """const transfer = new DataTransfer();
for (const [name, text] of arguments[0]) transfer.items.add(new File([text], name));
const target = document.getElementById(arguments[1]);
const event = (type) => new DragEvent(type,
  { dataTransfer: transfer, bubbles: true, cancelable: true });
const over = event("dragover");
target.dispatchEvent(over);
const marked = document.getElementById("zone").classList.contains("over");
const drop = event("drop");
target.dispatchEvent(drop);
return [over.defaultPrevented, marked, drop.defaultPrevented];"""


@pytest.mark.parametrize("target", ["zone", "heat"])
def test_files_are_dropped_anywhere(page_of, rules, target):
    browser = page_of(rules["small-product"])
    good = HEADER + "".join(f"{r},A,B,2,2\n" for r in range(1, 6))
    dropped = browser.execute_script(DROP, [["matches.csv", good]], target)
    assert dropped == [True, True, True]
    WebDriverWait(browser, 10).until(lambda _: len(standings(browser)) == 2)
    assert "over" not in browser.find_element(By.ID, "zone").get_attribute("class")


def test_hostile_names_are_text(page_of, rules, tmp_path, downloads):
    rule, browser = rules["small-product"], page_of(rules["small-product"])
    (tmp_path / "matches.csv").write_text(
        random_event(Random(5), NAMES), encoding="utf-8", newline=""
    )
    choose(browser, tmp_path / "matches.csv")
    event = read_event(tmp_path)
    names = [row[1] for row in standings(browser)]
    assert sorted(names) == sorted(map(plain, NAMES))
    assert not [name for name in names if re.search("[\u202a-\u202e\u2066-\u2069\u200f\n]", name)]
    assert (
        browser.execute_script(
            "return document.querySelectorAll('#standings script, #standings img').length"
        )
        == 0
    )
    assert browser.execute_script(
        "return [...document.querySelectorAll('#standings td:nth-child(2)')]"
        ".every((td) => td.children.length === 1 && td.firstChild.localName === 'bdi')"
    )
    browser.find_element(By.ID, "save").click()
    saved = downloads / "standings.csv"
    WebDriverWait(browser, 10).until(lambda _: saved.exists() and saved.stat().st_size)
    text = saved.read_bytes().decode()
    assert text == ranking_csv(rank(event, rule))
    assert not [c for row in csv.reader(io.StringIO(text)) for c in row if c[:1] in "=+@-" and c]


def test_standings_are_copied(page_of, rules):
    browser = page_of(rules["small-product"])
    good = HEADER + "".join(f"{r},A,B,2,2\n" for r in range(1, 6))
    browser.execute_script(DROP, [["matches.csv", good]], "zone")
    WebDriverWait(browser, 10).until(lambda _: len(standings(browser)) == 2)
    copied = """navigator.clipboard.writeText = async (text) => { globalThis.copied = text; };"""
    browser.execute_script(copied)
    browser.find_element(By.ID, "copy").click()
    status = browser.find_element(By.ID, "event-status")
    WebDriverWait(browser, 10).until(lambda _: status.text == "Copied.")
    assert browser.execute_script("return copied").splitlines()[0] == "place,team,mp,tb2,gp,tb4"
    browser.execute_script("navigator.clipboard.writeText = () => Promise.reject(Error('no'))")
    browser.find_element(By.ID, "copy").click()
    WebDriverWait(browser, 10).until(lambda _: "save the file instead" in status.text)


# --- the table ------------------------------------------------------------------------------------

CELLS = """return [...document.querySelectorAll("#heat tbody tr")]
  .map((row) => [...row.querySelectorAll("td:not([hidden])")].map((td) => td.textContent));"""


@pytest.mark.parametrize("name", ["product", "learned-180x11", "finer"])
def test_the_table_shows_every_number(page_of, rules, name):
    rule, browser = rules[name], page_of(rules[name])
    every = rule.points if isinstance(rule, PassTable) else rule.points[None]
    slider, number = browser.find_element(By.ID, "own"), browser.find_element(By.ID, "pass")
    assert number.is_displayed() == (len(every) > 1)
    for k, own in itertools.product(range(len(every)), (0, 7, 2 * rule.event_rounds)):
        browser.execute_script(
            f"arguments[0].value = {own}; arguments[1].selectedIndex = {k};"
            "arguments[0].dispatchEvent(new Event('input'));"
            "arguments[1].dispatchEvent(new Event('change'));",
            slider,
            number,
        )
        expected = [[shown(x * rule.unit) for x in row] for row in every[k][own].T]
        if k == 0 and isinstance(rule, PassTable):  # the others count as their match points
            beyond = -rule.columns[0]
            expected = [row[beyond : len(row) - beyond] for row in expected]
        assert browser.execute_script(CELLS) == expected


def press(browser, *keys):
    webdriver.ActionChains(browser).send_keys(*keys).perform()


def active(browser):
    return browser.switch_to.active_element


OUTLINE = "return getComputedStyle(document.activeElement).outlineWidth"


def test_without_a_mouse(page_of, rules):
    rule = rules["learned-180x11"]
    browser = page_of(rule)
    order = []
    for _ in range(5):
        press(browser, Keys.TAB)
        order.append(active(browser).get_attribute("id") or active(browser).tag_name)
        assert browser.execute_script(OUTLINE) in ("3px", "2px")
    assert order == ["team-pass", "team-own", "team-clear", "input", "select"]
    browser.execute_script("document.getElementById('pass').focus()")
    press(browser, Keys.ARROW_DOWN, Keys.TAB)
    assert active(browser).get_attribute("id") == "own"
    press(browser, Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert browser.find_element(By.ID, "own-shown").text == "1"
    caption = browser.find_element(By.CSS_SELECTOR, "#heat caption").text
    assert caption.startswith("Pass 2. Own MP 1.")

    def said(column, half):
        value = shown(rule.points[1, 1, column, half])
        return (
            f"Pass 2, own MP 1: a result of {half / 2:g} GP against an opponent that counts as "
            f"{shown(column - 3)} MP is worth {value}."
        )

    readout = browser.find_element(By.ID, "readout")
    press(browser, Keys.TAB)  # one cell of the table is in the tab order
    assert active(browser).tag_name == "td" and readout.text == said(14, 4)
    press(browser, Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert readout.text == said(16, 3) == active(browser).get_attribute("aria-label")
    press(browser, Keys.HOME, *[Keys.ARROW_UP] * 5)
    assert readout.text == said(0, 0)
    press(browser, Keys.END, *[Keys.ARROW_DOWN] * 9)
    assert readout.text == said(28, 8)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#heat [tabindex='0']")) == 1
    assert browser.execute_script(OUTLINE) == "3px"
    for _ in range(100):
        press(browser, Keys.TAB)
        if active(browser).get_attribute("id") == "event-files":
            break
    else:
        pytest.fail("the file picker cannot be reached")


def test_pointing_at_a_cell_says_what_it_means(page_of, rules):
    browser = page_of(rules["olympiad-180x11"])
    (td,) = browser.find_elements(By.CSS_SELECTOR, "td[data-half='5'][data-column='14']")
    webdriver.ActionChains(browser).move_to_element(td).perform()
    value = rules["olympiad-180x11"].points[18, 14, 5]
    assert browser.find_element(By.ID, "readout").text == (
        f"Own MP 18: a result of 2.5 GP against an opponent with 14 MP is worth {value}."
    )


def test_everything_to_fill_in_has_a_name(page_of, rules):
    for name in ("olympiad-180x11", "learned-180x11"):
        browser = page_of(rules[name])
        unnamed = [
            field.get_attribute("outerHTML")
            for field in browser.find_elements(By.CSS_SELECTOR, "input, select, button")
            if field.is_displayed() and not field.accessible_name
        ]
        assert unnamed == []


# --- looks ----------------------------------------------------------------------------------------


CONTRASTS = """const light = (text) => {
  const parts = text.match(/[\\d.]+/g).slice(0, 3).map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const ground = (e) => {
  const colour = getComputedStyle(e).backgroundColor;
  return colour === "rgba(0, 0, 0, 0)" && e.parentElement ? ground(e.parentElement) : colour;
};
return [...document.querySelectorAll("h1, dt, dd, p, li, td, th, label, caption, button, input")]
  .filter((e) => e.checkVisibility()).map((e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(page_of, rules, scheme):
    browser = page_of(rules["learned-180x11"])
    media(browser, scheme=scheme)
    try:
        ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 25, 28)"}[scheme]
        contrasts = browser.execute_script(CONTRASTS)
        assert len(contrasts) > 300 and min(contrasts) >= 4.5
    finally:
        media(browser)


def test_the_booklet_is_printed(page_of, rules):
    browser = page_of(rules["learned-180x11"])
    media(browser, "print", "dark")
    try:
        names = ("h1", "#use", "#booklet", "#heat", "#own", "#team", "#zone", "#readout", "#scale")
        seen = [n for n in names if browser.find_element(By.CSS_SELECTOR, n).is_displayed()]
        assert seen == ["h1", "#use", "#booklet"]
        assert browser.execute_script("return getComputedStyle(document.body).color") == (
            "rgb(0, 0, 0)"
        )
        assert min(browser.execute_script(CONTRASTS)) >= 4.5
        width = 725  # of an A4 page at 96 dpi, less its margins
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False},
        )
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        media(browser)
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("name", slow_after(1, ["learned-180x11", "olympiad-180x11"]))
def test_all_languages_fit_on_a_phone(page_of, rules, name):
    for language in LANGUAGES:
        browser = page_of(rules[name], language)
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
        )
        try:
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        finally:
            browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
        assert browser.find_element(By.ID, "rank").text == words(language)["html.rank"]
        said = browser.find_element(By.ID, "team-result").text
        assert said == words(language)["html.filled"].format(filled=0, rounds=11)


# --- nothing leaves the page ----------------------------------------------------------------------


def test_the_policy_forbids_everything_else(page_of, rules):
    """What the other tests do not see would be seen: a request, and a script that was not ours."""
    browser = page_of(rules["small-product"])
    assert heard(browser)[0] == []
    browser.execute_script(
        "fetch('http://127.0.0.1:9/').catch(() => {});"
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"hacked = 1\">');"
        "const script = document.createElement('script'); script.textContent = 'hacked = 1';"
        "document.body.append(script);"
    )
    said = []

    def all_refused(_):
        said.extend(line for line in heard(browser)[0] if "Content Security Policy" in line)
        return all(any(what in line for line in said) for what in ("connect", "image", "script"))

    WebDriverWait(browser, 10).until(all_refused, said)
    assert browser.execute_script("return typeof hacked") == "undefined"
    browser.get("data:,")  # nothing more is said after this
    heard(browser)
