"""One story for each kind of user: the commands in the order in which they are typed.

What a user reads first and last is what is looked at; numbers have tests of their own.
"""

import shlex
import shutil

import pypdfium2
import pytest
from helpers import PASSES_TOML, ROOT

from tb2learn.cli import main

SWISS, LEAGUE, OPEN = (f"examples/{name}" for name in ("team-swiss.trf", "league.csv", "open.trf"))
TIED = {"MPTS", "EMGSB/C1"}
"""What decides in a Swiss of teams, as headings."""


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys):
    """Type a command in a new user's folder, where the examples are: its lines, then its notes."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)

    def run(line, status=0):
        assert main(shlex.split(line)) == status, line
        shown = capsys.readouterr()
        return shown.out.splitlines(), shown.err

    return run


@pytest.mark.thorough
def test_an_arbiter_from_the_first_standings_to_the_last_question(typed, tmp_path):
    title, rules, heads, *teams = typed(f"rank {SWISS}")[0]
    assert title == "City Teams 2026, after round 5" and rules.startswith("FIDE C.07 (March 2026):")
    assert set(heads.split()) >= TIED and teams[0].split()[:2] == ["1", "Bregenz"]
    # Nobody who ranks an event is told that another rule is better.
    assert "wrong" not in typed(f"rank {SWISS} --out wall.pdf")[1]
    (sheet,) = pypdfium2.PdfDocument(tmp_path / "wall.pdf")
    text = sheet.get_textpage().get_text_bounded()
    assert "City Teams 2026" in text and "wrong" not in text and "learned" not in text
    beside, _ = typed(f"rank {SWISS} --beside learned")
    assert beside[0] == title and "learned" in beside[2]
    typed(f"rank {SWISS} --out standings.html")
    assert "City Teams 2026" in (tmp_path / "standings.html").read_text("utf-8")
    verdict, *_, last = typed(f"explain {SWISS} Aalborg Cremona")[0]
    assert verdict.startswith("Aalborg is before Cremona: EMGSB/C1 decides, 51 to 38.5")
    assert last.startswith("Cremona: place 4, MPTS 6, EMGSB/C1 38.5")
    assert typed(f"check {OPEN}")[0][-1] == "nothing wrong"
    first, *_, bye = typed("pair examples/olympiad.trf")[0]
    assert "round 8: Olympiad pairing rules of 2022" in first and bye.split()[-1] == "bye"
    rounds, notes = typed("schedule 14")
    assert rounds[0].startswith("round  1: 1-14, ") and rounds[-1].startswith("round 13: ")
    assert "Nobody has more than one game more with one colour" in notes
    assert typed(f"rank {LEAGUE} --open")[0][-1].split() == ["6", "Nidda", "Oberkirch"]
    assert typed(f"rank {LEAGUE} --league")[0][1].endswith(": MPTS, GPTS, DE, EMMSB")
    _, _, heads, *_ = typed(f"rank {OPEN} --decided examples/play-off.csv --before BH/C1")[0]
    assert heads.split()[2:6] == ["PTS", "DE", "decided", "BH/C1"]
    first, *_, last = typed(f"forecast {SWISS} --team Bregenz --continuations 20")[0]
    assert first.startswith("Chances of places in per cent") and last.endswith(".")
    _, _, heads, *_ = typed("rank baku2016 --others")[0]
    assert heads.split()[-1] == "others"
    confident, notes = typed("rank baku2016 --tiebreak learned --confidence")
    assert confident[2].endswith("before next") and "Ukraine: 55%" in notes
    # The same standings from the file that was written.
    assert typed(f"convert {SWISS} swiss.trf")[0] == ["swiss.trf"]
    assert typed("rank swiss.trf")[0][3:] == teams


@pytest.mark.slow
def test_a_commissioner_from_the_training_to_the_dossier(typed, tmp_path):
    """The path of the table, how good it is, what was assumed; a size that is not compiled anew."""
    (tmp_path / "passes.toml").write_text(PASSES_TOML, "utf-8")
    path, errors, _, assumed = typed("train passes.toml")[0]
    assert path == "checkpoints/passes.npz" and errors.startswith("Of 100 ties in ")
    assert assumed.startswith("Assumed: 20 teams of 4 boards, 5 rounds") and assumed.endswith(".")
    first, *_ = typed("info passes")[0]
    assert "passes" in first
    first, *_, last = typed("assess passes --events 8")[0]
    assert first.startswith("passes: ") and last.endswith((").", "errors."))
    said = " ".join(typed("assess passes least-squares --events 8")[0][-8:])
    for rule in ("passes", "least-squares"):
        assert f"Of 100 ties {rule} decides " in said
    files, _ = typed("export passes --out tables")
    assert {name.rpartition(".")[2] for name in files} == {"csv", "json"}
    asked = '--events 8 --title "Rules of the Cup" --organiser "The Federation"'
    files, notes = typed(f"dossier passes --out dossier {asked}")
    assert files[0] == "dossier/dossier.pdf" and "random seeds" in notes
    pages = [
        " ".join(page.get_textpage().get_text_bounded().split())
        for page in pypdfium2.PdfDocument(tmp_path / files[0])
    ]
    recommended = pages[0].partition("What we recommend ")[2]
    # The decision is the first sentence, whichever it is.
    assert recommended.startswith(("We recommend passes: ", "We recommend no change: "))
    assert "This is a trial with few events" in pages[0]
    law = (tmp_path / "dossier/regulation.txt").read_text("utf-8")
    assert law.startswith("Rules of the Cup\nIssued by The Federation.\n")
    shutil.copy(tmp_path / "dossier/conformance/expected.csv", tmp_path / "theirs.csv")
    (same,), _ = typed("conform dossier/conformance --against theirs.csv")
    assert same.startswith("all ") and same.endswith(" numbers are the same")
    changed = (tmp_path / "theirs.csv").read_text("utf-8").splitlines()
    *cells, place = changed[1].split(",")
    changed[1] = ",".join([*cells, str(int(place) + 1)])
    (tmp_path / "theirs.csv").write_text("\n".join(changed), "utf-8")
    (difference, count), _ = typed("conform dossier/conformance --against theirs.csv", status=1)
    assert difference.endswith(f"place must be {place}, got {int(place) + 1}")
    assert count == "1 differ"


@pytest.mark.thorough
def test_a_researcher_from_a_world_to_how_sure_a_rule_is(typed, tmp_path):
    """A world of one's own: errors, incentives, certainty of two rules in it; then a real event."""
    listed, _ = typed("list worlds")
    assert any(line.split()[0] == "small-20x7" for line in listed if line.strip())
    world, _ = typed("config small-20x7 --teams 9 --rounds 4 --boards 2 --name mine")
    assert world[0] == 'name = "mine"'
    (tmp_path / "mine.toml").write_text("\n".join(world), "utf-8")
    first, *_, last = typed("assess game-points --on mine.toml --events 8")[0]
    assert first.startswith("mine: single protocol, 8 events, seed 1") and last.endswith(").")
    first, *_ = typed("probe game-points --on mine.toml --probes 20")[0]
    assert first.split() == ["same", "worse", "worst"]
    (path, *_), _ = typed("calibrate product --worlds mine.toml --events 20 --out my")
    assert (tmp_path / path).is_file()
    first, *_ = typed("info learned")[0]
    assert "rosters-180x11" in first
    title, heads, *_ = typed("compare baku2016")[0]
    assert title == "42nd Chess Olympiad, Baku 2016: FIDE's rule and learned"
    assert heads.split() == ["old", "new", "up", "team", "MP", "FIDE's", "rule", "learned"]
