"""The dossier of a rule: one PDF for a commission, and a folder with its parts as single files."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from tb2learn.catalogue import is_named, load_checkpoint
from tb2learn.disk import folders
from tb2learn.dossier import (
    DOSSIER,
    EVIDENCE,
    EXAMPLE,
    NUMBERS,
    OURS,
    PACK,
    REGULATION,
    TABLES,
    TEXT_FILE,
)
from tb2learn.dossier.conformance import SWISS, conformance_pack, events_of_pack, league_event
from tb2learn.dossier.evidence import Subject, measure_rule
from tb2learn.dossier.first_pages import Page, critics_page, summary
from tb2learn.dossier.regulation import GENERAL, Wording, regulation, regulation_text
from tb2learn.events import TeamEvent, rank, read_event
from tb2learn.events.explain import has_working
from tb2learn.events.unplayed import FACE_VALUE
from tb2learn.events.unplayed.fide import C07
from tb2learn.export.document import Document, Part, Sentences, cell_text
from tb2learn.export.forms import FORMS, rule_files
from tb2learn.export.pdf import documents_pdf, table_parts
from tb2learn.export.pencil import EVENT, Tie, real_tie, verdict
from tb2learn.export.pencil import heading as example_heading
from tb2learn.export.standings import comparison_table
from tb2learn.export.words import decimal, words
from tb2learn.export.working import team_sheet, working_document, workings_beside
from tb2learn.report.assessment import (
    assessment_document,
    assessment_table,
    others_document,
    others_table,
    probes_table,
)
from tb2learn.report.figures import difficulty_figure, others_figure
from tb2learn.report.style import figure_png
from tb2learn.tiebreaks.library import LEARNED, PRODUCT
from tb2learn.tiebreaks.passes import PassRule
from tb2learn.tiebreaks.rules import Rule
from tb2learn.training.chapters import HARD
from tb2learn.training.difficulty_picture import difficulty_picture
from tb2learn.types import InputError
from tb2learn.version import __version__


def write_dossier(
    subject: Subject,
    folder: Path,
    language: str = "en",
    unplayed: str = "",
    event: TeamEvent | None = None,
    wording: Wording = GENERAL,
) -> list[Path]:
    """Measure a rule and write its dossier, with progress on standard error.

    All is made before anything is written, and an older dossier is replaced whole.

    **Arguments:**

    - `folder`: made if it is not there; other files in it stay, but none in the folders of an older
      dossier.
    - `language`, `unplayed`: as for `regulation`; the pages of `assess` are in English.
      Without a policy it is FIDE's for the format: C.07, or face value in a round robin.
    - `wording`: title and organiser of the regulation.
    - `event`: of the worked example, and before the packaged ones of the evidence.

    **Returns:** the paths, the dossier first.

    **Raises:** `InputError` for a rule that no dossier can be made of, or what cannot be written.
    """
    rule = subject.known_rule
    unplayed = unplayed or (FACE_VALUE if subject.is_league else C07.name)
    contents = _tables(rule, language)
    # The regulation names the file with the tables, so tables are made first.
    (annex,) = [name for name in contents if name.endswith(".csv")] or [""]
    wording = replace(wording, rule=subject.name, is_league=subject.is_league)
    law = regulation(rule, language, unplayed, annex if rule.has_tables else "", wording)
    contents[TEXT_FILE] = regulation_text(law).encode()
    contents[REGULATION] = documents_pdf([law])
    worked = work_out_tie(subject, example_event(subject, event), unplayed, language)
    if worked:
        contents[EXAMPLE] = documents_pdf(worked[1:], worked[0].title)
    # Before what takes minutes.
    folders.check(folder, OURS)
    evidence = measure_rule(subject, event)
    pack = conformance_pack(rule, subject.seed, subject.league)
    contents |= {f"{PACK}/{name}": text.encode() for name, text in pack.items()}
    numbers = {"errors": evidence.errors, "errors-real": evidence.real}
    tables = {name: assessment_table(assessment) for name, assessment in numbers.items()}
    tables["others"] = others_table(evidence.others, subject.events)
    tables["half-points"] = probes_table(evidence.probes)
    tables |= {
        f"changed-{n}": comparison_table(change) for n, change in enumerate(evidence.changes, 1)
    }
    contents |= {f"{NUMBERS}/{name}.csv": table.csv().encode() for name, table in tables.items()}
    pages = [assessment_document(assessment) for assessment in (evidence.errors, evidence.real)]
    picture = figure_png(others_figure(evidence.others))
    pages.append(others_document(evidence.others, subject.events, picture))
    pages += difficulty_page(subject)
    contents[EVIDENCE] = documents_pdf(pages, f"Evidence: {subject.name}")
    first = summary(subject, evidence, _facts(subject, language), language)
    # Numbers come last, in an annex.
    heading = words(language)["dossier.annex"]
    annexes = [replace(page, title=f"{heading}: {page.title}") for page in pages]
    whole = [first, critics_page(subject, evidence, language), law, *worked[:1], *annexes]
    # The whole ends with the tables, where there are any to look up.
    has_table = any(name.endswith(".pdf") for name in contents if name.startswith(TABLES))
    tables_of = (lambda foot: table_parts(rule, foot, language)) if has_table else None
    contents[DOSSIER] = documents_pdf(whole, more=tables_of)
    folders.replace(folder, contents, OURS)
    # False before True: the dossier itself is named first.
    return [folder / name for name in sorted(contents, key=lambda name: name != DOSSIER)]


def difficulty_page(subject: Subject) -> list[Document]:
    """How hard results are, by the log and the surface of the rule's checkpoint; none without."""
    # `learned` stands for a checkpoint.
    name = subject.rule.own_name if subject.source == LEARNED else subject.source
    picture = None if is_named(name) else difficulty_picture(load_checkpoint(name))
    if picture is None:
        return []
    sentences = (
        f"Counted in {picture.events:,} simulated events: how many of 1000 teams on {picture.own} "
        "match points fail to reach a result against opponents of every score (the mean of this "
        "result and the next better one). A result is worth more the fewer reach it.",
        "Below: the smooth surface that was fitted to these counts before the rule was trained.",
    )
    chart = figure_png(difficulty_figure(picture))
    return [Document(HARD, (), (Sentences("", sentences),), picture=chart)]


def _tables(rule: Rule, language: str) -> dict[str, bytes]:
    """The tables in every form that the rule has; with a pencil only the first pass."""
    first = rule
    if rule.in_passes and rule.passes > 1:
        name, alone = f"{rule.name}-pass1", PassRule(rule.tables[:1])
        first = replace(rule, name=name, source="", tiebreak=alone)
    contents = dict[str, bytes]()
    for form in FORMS:
        try:
            written = rule_files(first if form == "pencil" else rule, [form], language)
        # A form that this rule cannot have: no pencil sheet of a library rule.
        except InputError:
            continue
        contents |= {f"{TABLES}/{name}": content for name, content in written.items()}
    return contents


def _facts(subject: Subject, language: str) -> tuple[tuple[str, str], ...]:
    """What the dossier is of, when and by which program it was made."""
    text, rule, event = words(language), subject.rule, subject.world.event
    size = text["doc.format_text"].format(rounds=event.rounds, boards=event.boards)
    return (
        (text["doc.table"], subject.name),
        (text["doc.format"], f"{text['wall.teams']}: {event.teams}; {size}"),
        (text["wall.date"], datetime.date.today().isoformat()),
        (text["doc.version"], f"tb2learn {__version__}"),
        *([("SHA-256", rule.digest())] if rule.has_numbers else []),
    )


# --------------------------------------------------------------------------- the worked example


def example_event(subject: Subject, given: TeamEvent | None = None) -> TeamEvent:
    """The event of the example, as it stood after the rounds of the rule.

    Without one that is given it is a packaged Olympiad; a synthetic one in a league, and where that
    has other boards or fewer rounds.

    **Raises:** `InputError` for a given event of another format.
    """
    rule = subject.rule
    if given is not None:
        rule.check_format(given.rounds, given.boards)
        return given
    if subject.league:
        return league_event(subject.league, rule.boards, subject.seed)
    # A real tie convinces more than a made one.
    packaged = read_event(EVENT)
    if rule.boards == packaged.boards and rule.event_rounds <= packaged.rounds:
        return packaged.after(rule.event_rounds)
    return events_of_pack(rule.event_rounds, rule.boards, subject.seed)[SWISS]


def work_out_tie(
    subject: Subject, event: TeamEvent, unplayed: str, language: str
) -> list[Document]:
    """A tie of an event, one that today's rule decides otherwise if there is one.

    **Returns:** the passes of both teams and what follows, then the working sheet of each. Nothing
    for a rule that cannot be shown round by round, or an event without ties.
    """
    rule = subject.known_rule
    if not has_working(rule):
        return []
    tie = real_tie(rule, event, subject.today_rule)
    ranking = rank(event, rule, unplayed=unplayed)
    tied = [(a, b) for a, b in pairwise(ranking.rows) if a.scores["mp"] == b.scores["mp"]]
    if tie is None and not tied:
        return []
    # Without a tie that the rules decide differently the first one of the standings will do.
    teams = [row.number for row in (tie.teams if tie else tied[0])]
    sheets = [team_sheet(ranking, team, [rule]) for team in teams]
    workings: list[Part] = []
    if tie:
        sums = [cell_text(sheet.passes[-1].total) for sheet in sheets]
        workings.append(Sentences("", (_verdict(subject, tie, sums, language),)))
    workings += workings_beside(sheets, language, named=False)
    title = example_heading(event, sheets[0].working.mp, language)
    short = Document(title, (), tuple(workings), language)
    return [short, *(working_document(sheet, language) for sheet in sheets)]


def _verdict(subject: Subject, tie: Tie, sums: Sequence[str], language: str) -> str:
    """What follows from the sums of both teams, and what today's rule says."""
    if subject.today_name == PRODUCT:
        return verdict(tie, sums, language)
    first, second = (working.team for working in tie.teams)
    text, page = words(language), Page(subject, language)
    points = (decimal(total, text) for total in sums)
    names = dict(
        zip(("first", "second", "points1", "points2"), (first, second, *points), strict=True)
    )
    return page.says("verdict", **names)
