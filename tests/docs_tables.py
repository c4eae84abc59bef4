"""Tables of the documentation that follow from package and reports: `python tests/docs_tables.py`.

Each stands after the line of its heading; a test says which ones are not up to date.
"""

import csv
import re
import sys
from pathlib import Path

from tb2learn.events.files import registry
from tb2learn.tiebreaks.library import ENTRIES, Modifiers, codes

ROOT = Path(__file__).parents[1]


def formats():
    """One row a form of a file format."""
    yield "| `--form` | `--to` | ending | what it is | events of | what it does not hold |"
    yield "|---|---|---|---|---|---|"
    for one in registry.FORMATS:
        endings = ", ".join(f"`{ending}`" if ending else "a folder" for ending in one.endings)
        for name, form in one.forms.items():
            newest = endings if registry.by_ending()[one.endings[0]] == name else ""
            lost = form.loses or "nothing"
            yield f"| `{one.name}` | `{name}` | {newest} | {form.help} | {one.of} | {lost} |"
        for kind in one.kinds[:-1]:
            yield f"| `{one.name}` | | | {kind} | {one.of} | |"
        if not one.forms:
            yield f"| `{one.name}` | | | {one.title} | {one.of} | |"


def tiebreaks(players, fixed=()):
    """One row a tie-break of teams or of players; `fixed` are rows that no entry gives."""
    entries = [e for e in ENTRIES.values() if e.known_in != "players" and not e.individual]
    if players:
        entries = list(dict.fromkeys(codes(players=True).values()))
    coded = {entry.name: [] for entry in entries}
    for code, entry in codes(players).items():
        coded.get(entry.name, []).append(code)
    cuts = {"": "", "low": ", `-cut1`, ...", "both": ", `-cut1`, `-median1`, ..."}
    yield "| name | code | modifiers | what it is |"
    yield "|---|---|---|---|"
    for entry in entries:
        bases = ":GP " if entry.based and not players else ""
        letters = (bases + " ".join(f"/{letter}" for letter in entry.letters)).strip()
        meaning = entry.says(players, Modifiers(entry.always_cut)).removesuffix(".")
        written = ", ".join(coded[entry.name])
        yield f"| `{entry.name}`{cuts[entry.cuts]} | {written} | {letters} | {meaning} |"
    yield from fixed


OURS = "| `formula`, `deep-buchholz` |  |  | the rules of this project, see below |"

RANDOM = "single-seed-noise-inf"

NAMES = {
    "product": "FIDE's product rule",
    "rosters-180x11": "learned table (`learned`)",
    "least-squares": "least squares on board points",
}
"""Rules in the words of the README."""


def assessed(file, world, rule, top):
    """A row of the report on the assessment."""
    rows = csv.DictReader((ROOT / "reports/assessment" / file).read_text("utf-8").splitlines())
    (row,) = (r for r in rows if (r["world"], r["rule"], r["top"]) == (world, rule, top))
    return row


def with_ends(row, name, form):
    """A share and both ends of its interval, in per cent."""
    return [format(100 * float(row[name + end]), form) for end in ("", "_low", "_high")]


def evidence():
    """Errors where seeds are random, and where they are near the truth."""
    yield "| rule | wrong at random seeds | wrong in a real field |"
    yield "|---|--:|--:|"
    for rule, name in NAMES.items():
        cells = []
        for world in (RANDOM, "seeded-180x11"):
            error, low, high = with_ends(assessed("rates.csv", world, rule, "30"), "error", ".1f")
            cells.append(f"{error} % [{low}, {high}]")
        yield f"| {name} | {' | '.join(cells)} |"


def behind():
    """How much more often tables err than a posterior mean."""
    yield "| table, world | top 10 | from | to | top 30 | from | to |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    worlds = {"posterior-mean": "random seeds", "posterior-mean-seeded": "seeds near the truth"}
    for world, seeds in worlds.items():
        for rule in ("uniform-180x11", "rosters-180x11"):
            rows = (assessed("behind.csv", world, rule, top) for top in ("10", "30"))
            cells = [cell for row in rows for cell in with_ends(row, "behind", "+.2f")]
            yield f"| `{rule}`, {seeds} | {' | '.join(cells)} |"


TABLES = {
    "evidence": ("README.md", evidence),
    "behind": ("docs/method.md", behind),
    "files": ("docs/reference.md", formats),
    "tie-breaks of teams": ("docs/reference.md", lambda: tiebreaks(players=False)),
    "tie-breaks of players": ("docs/individual.md", lambda: tiebreaks(True, [OURS])),
}
"""Page and rows of every table, the first of which is its heading."""


def table_of(name):
    """A table as it should stand in its page."""
    return "\n".join(TABLES[name][1]()) + "\n"


def main():
    """Write every table into its page, instead of the one with the same heading."""
    for name, (file, _) in TABLES.items():
        page, table = ROOT / file, table_of(name)
        heading = re.escape(table.split("\n")[0])
        old = re.compile(rf"^{heading}\n(?:\|.*\n)*", re.MULTILINE)
        text = page.read_text("utf-8")
        if not old.search(text):
            sys.exit(f"{file} has no table with this heading: {name}")
        page.write_text(old.sub(lambda _, new=table: new, text, count=1), "utf-8")


if __name__ == "__main__":
    main()
