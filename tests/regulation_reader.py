"""A reader of a generated regulation: computes TB2 of an event from the text and its annex alone.

It shares no code with the package. Sentences are recognised by the table of words of their language
(words.csv), and their numbers are taken from the text.
"""

import csv
import io
import math
import re
from fractions import Fraction

from helpers import ROOT

WORDS = (ROOT / "tb2learn/export/words.csv").read_text("utf-8").splitlines()


class Law:
    """The sentences of a regulation or an instruction."""

    def __init__(self, lines, language):
        self.lines = lines
        self.words = {row["key"]: row[language] for row in csv.DictReader(WORDS)}

    def find(self, key):
        """The fields of the sentence of a key, numbers as numbers; None if the text lacks it."""
        pattern, named = "", set()
        for part in re.split(r"(\{\w+\})", self.words[key]):
            name = part[1:-1]
            if part[:1] != "{":
                pattern += re.escape(part)
            elif name in named:
                pattern += f"(?P={name})"
            else:
                pattern += f"(?P<{name}>.+?)"
                named.add(name)
        found = [m for line in self.lines if (m := re.match(rf"{pattern}(?= |$)", line))]
        return {k: number(v) for k, v in found[0].groupdict().items()} if found else None

    def says(self, key):
        return self.find(key) is not None


def number(text):
    decimal = text.replace(",", ".")  # most languages have a comma
    return Fraction(decimal) if re.fullmatch(r"-?\d+(\.\d+)?", decimal) else text


def rounds_of(event):
    """Of every team, round by round: opponent, match points, game points, and what it was."""
    found = [[(None, 0, Fraction(0), "absent")] * event.rounds for _ in event.teams]
    for match in event.matches:
        for team in match.teams:
            gained, half = match.points_of(team)
            kind = match.bye or "played"
            if match.team_b is not None and match.by_default:
                kind = "won" if half > match.points_of(match.opponent_of(team))[1] else "lost"
            kind = {"zero": "absent", "default": "won"}.get(kind, kind)
            opponent = match.opponent_of(team)
            found[team][match.round - 1] = (opponent, gained, Fraction(half, 2), kind)
    return found


class Item:
    """What a round counts as: a team of the event or None, MP, GP; whether it is left out first."""

    def __init__(self, team, mp, gp, first=False, nothing=False, voluntary=False):
        self.team, self.mp, self.gp, self.first = team, mp, gp, first
        self.nothing, self.voluntary = nothing, voluntary


def items_of(law, played, boards):
    """The rounds of every team as article 5 counts them."""
    points = [sum(gained for _, gained, _, _ in rounds) for rounds in played]
    seen = list(points)
    own_choice = ("absent", "lost", "half")
    if draws := law.find("law.seen_draws"):
        for team, rounds in enumerate(played):
            seen[team] += draws["draw"] * sum(kind == "absent" for *_, kind in rounds)
    if left := law.find("law.seen_left"):
        for team, rounds in enumerate(played):
            last = max((n for n, r in enumerate(rounds) if r[3] not in own_choice), default=-1)
            alone = [r for r in rounds[last + 1 :] if r[0] is None]
            seen[team] += sum(left["draw"] - gained for _, gained, _, _ in alone)
    virtual, capped = law.find("law.virtual_mp"), law.find("law.dummy_capped")
    first = "pairing" if law.says("law.pairing_bye_first") else None
    found = []
    for team, rounds in enumerate(played):
        own, before = [], 0
        for n, (opponent, gained, gp, kind) in enumerate(rounds):
            later = len(rounds) - 1 - n
            if kind == "played":
                own.append(Item(opponent, seen[opponent], gp))
            elif default := law.find("law.default"):
                won = default["most"] if kind == "won" else 0
                nobody = opponent is None
                bye = nobody and kind != "absent"
                own.append(Item(opponent, 0 if nobody else seen[opponent], won, bye, nobody))
            elif virtual:
                paid = kind in ("pairing", "full", "half", "won")
                mp = before + virtual["draw"] * (paid + later)
                own.append(Item(None, mp, gp, kind == first))
            else:
                most = math.inf
                if capped:
                    most = capped["draws"] if opponent is None else seen[opponent]
                mp = min(points[team], most)
                own.append(Item(None, mp, gp, voluntary=kind in own_choice))
            before += gained
        found.append(own)
    return points, found


def cut(law, items, values):
    """The numbers of the rounds that remain where the opponent with the fewest MP is left out."""
    weakest = min(range(len(items)), key=lambda n: (not items[n].first, items[n].mp, values[n]))
    chosen = [n for n, item in enumerate(items) if item.voluntary]
    if law.says("law.voluntary_first") and chosen:
        least = min(chosen, key=lambda n: (values[n], items[n].mp))
        weakest = weakest if values[weakest] > values[least] else least
    return [n for n in range(len(items)) if n != weakest]


def tables_of(law, folder):
    """Tables by pass, own MP and game points: entries by the opponent's MP."""
    annex = law.find("law.annex")
    data = (folder / annex["file"]).read_bytes()
    passes, heads = [{}], []
    for row in csv.reader(io.StringIO(data.decode())):
        if not row or row[0] == "#":
            continue
        if row[0] == "pass":
            passes += [{}] if passes[-1] else []
        elif row[0] == "own MP":
            own = int(row[1])
        elif row[0] == "GP / opponent MP":
            heads = [int(mp) for mp in row[1:]]
        else:
            entries = dict(zip(heads, map(int, row[1:]), strict=True))
            passes[-1][own, Fraction(row[0])] = entries
    return passes


def tb2(text, language, folder, event):
    """TB2 of every team, in the order of the event."""
    lines = (line.split(" ", 1) for line in text.splitlines())
    law = Law([said for number, said in lines if re.fullmatch(r"\d\.\d+", number)], language)
    points, items = items_of(law, rounds_of(event), event.boards)
    if law.says("use.expected"):
        return by_formula(law, points, items)
    tables = tables_of(law, folder)
    if law.says("use.first_pass"):
        return by_passes(law, points, items, tables)
    unit, found = law.find("law.whole")["unit"], []
    for one in event.penalties if law.says("law.penalties_own") else ():
        points[one.team] += one.match_points
    for own, rounds in zip(points, items, strict=True):
        entries = [tables[0][own, item.gp][item.mp] if not item.nothing else 0 for item in rounds]
        found.append(unit * sum(entries[n] for n in cut(law, rounds, entries)))
    return found


def without(sums, values, items, team, round_number, opponent):
    """The opponent's sum of the pass before, without its match with the team."""
    assert items[opponent][round_number].team == team
    return sums[opponent] - values[opponent][round_number]


def by_formula(law, points, items):
    expected, again = law.find("use.expected"), law.find("use.again")
    unit, halves = law.find("use.formula_rounding")["unit"], law.find("law.halves")
    assert halves["up"] > halves["above"] and halves["down"] > halves["below"]

    def rounded(x, to):
        """To the nearest multiple, halves up."""
        return math.floor(Fraction(x) / to + Fraction(1, 2)) * to

    def worth(own, item, counts_as):
        power = 10 ** float((counts_as - own) / expected["a"])
        return item.gp - rounded(float(expected["boards"]) / (1 + power), unit)

    counts = [[Fraction(item.mp) for item in rounds] for rounds in items]
    for left in reversed(range(1 + int(again["times"]))):
        values = [
            [
                0 if item.nothing else worth(own, item, counts_as)
                for item, counts_as in zip(rounds, row, strict=True)
            ]
            for own, rounds, row in zip(points, items, counts, strict=True)
        ]
        sums = [sum(row) for row in values]
        for team, rounds in enumerate(items if left else ()):
            for n, item in enumerate(rounds):
                if item.team is not None:
                    rest = again["k"] * without(sums, values, items, team, n, item.team)
                    gained = rounded(rest, Fraction(1, 100))
                    counts[team][n] = item.mp + max(-again["most"], min(again["most"], gained))
    return sums


def by_passes(law, points, items, tables):
    halves = law.find("law.halves")
    if halves:
        assert halves["up"] > halves["above"] and halves["down"] > halves["below"]

    def rounded(x, to=1):
        """To the nearest multiple, halves up."""
        return math.floor(Fraction(x) / to + Fraction(1, 2)) * to

    tenth, step = Fraction(1, 10), law.find("use.next_pass")
    last = int(law.find("use.last_pass_sum")["number"]) if step else 1
    counts = [[Fraction(item.mp) for item in rounds] for rounds in items]
    for number in range(1, 1 + last):
        values = []
        for own, rounds, row in zip(points, items, counts, strict=True):
            values.append([])
            for item, counts_as in zip(rounds, row, strict=True):
                entries, low = tables[number - 1][own, item.gp], math.floor(counts_as)
                part = counts_as - low
                between = (1 - part) * entries[low] + part * entries.get(low + 1, entries[low])
                values[-1].append(0 if item.nothing else rounded(between))
        sums = [sum(row) for row in values]
        for team, rounds in enumerate(items if number < last else ()):
            for n, item in enumerate(rounds):
                if item.team is not None:
                    rest = Fraction(without(sums, values, items, team, n, item.team), 100)
                    gained = max(-step["most"], min(step["most"], rounded(rest, tenth)))
                    counts[team][n] = item.mp + gained
    return sums
