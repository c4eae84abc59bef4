"""The dossier of a rule: one PDF for a commission, and a folder with its parts as single files."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
)

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
from tb2learn.dossier.conformance import conformance_pack
from tb2learn.dossier.example import WorkedExample, example_event, worked_tie
from tb2learn.dossier.findings import LIMITS, Evidence, Subject, findings
from tb2learn.dossier.regulation import Regulation, regulation, regulation_story, regulation_text
from tb2learn.events import TeamEvent
from tb2learn.export.document import Document, Sentences
from tb2learn.export.document_pdf import (
    BOTTOM,
    HEAD,
    NAME,
    SIDE,
    TEXT,
    TOP,
    Foot,
    built,
    document_story,
    fonts,
    paragraph,
    template,
)
from tb2learn.export.forms import FORMS, rule_files
from tb2learn.export.pdf import table_parts
from tb2learn.export.words import words
from tb2learn.text import csv_text, plain
from tb2learn.tiebreaks.rules import PassTable, Rule
from tb2learn.types import InputError
from tb2learn.version import __version__

PENCIL = "pencil"
"""The form of which only the first pass is printed."""

_TALLEST = 0.62  # of a page: a figure


def write_dossier(
    subject: Subject,
    folder: Path,
    language: str = "en",
    unplayed: str = "baku2016",
    event: TeamEvent | None = None,
) -> list[Path]:
    """Measure a rule and write its dossier, with progress on standard error.

    All is made before anything is written; then it replaces an older dossier as a whole.

    **Arguments:**

    - `subject`: the rule, the events it is judged in, and how many.
    - `folder`: made if it is not there; other files in it stay, but none in the folders of an older
      dossier.
    - `language`: of what is printed for arbiters, one of `forms.LANGUAGES`.
    - `unplayed`: the policy for unplayed rounds, one of `unplayed.REGULATIONS`.
    - `event`: of the worked example, and beside the packaged ones of the evidence.

    **Returns:** the paths, the dossier first.

    **Raises:** `InputError` for a rule that no dossier can be made of, or what cannot be written.
    """
    rule = subject.rule
    fonts()
    made, without = _printed_tables(rule, language)
    law, worked = _for_arbiters(made, rule, subject.seed, language, unplayed, event)
    folders.check(folder, OURS)
    found = list(findings(subject, event))
    made |= {f"{PACK}/{k}": v.encode() for k, v in conformance_pack(rule, subject.seed).items()}
    made |= _numbers(found)
    made[EVIDENCE] = _pdf(f"Evidence: {rule.name}", _evidence(found))
    about = [f"{name}: {said}" for name, said in (_contents(made) | without).items()]
    story = [*_front(subject, found, about), PageBreak(), *regulation_story(law)]
    story += [PageBreak(), *document_story(worked.short)] if worked else []
    story += [PageBreak(), *_evidence(found)]
    annex = None if _refused("pdf") in without else rule
    made[DOSSIER] = _pdf(f"Dossier: {rule.name}", story, annex, language)
    folders.replace(folder, made, OURS)
    return [folder / name for name in sorted(made, key=lambda name: name != DOSSIER)]


def _printed_tables(rule: Rule, language: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """The tables in every form that the rule has; and why it lacks the others, by form."""
    made, without = dict[str, bytes](), dict[str, str]()
    for form in FORMS:
        try:
            written = rule_files(_first_pass(rule) if form == PENCIL else rule, [form], language)
        except InputError as error:
            without[_refused(form)] = str(error)
            continue
        made |= {f"{TABLES}/{name}": content for name, content in written.items()}
    return made, without


def _refused(form: str) -> str:
    return f"not as {form}"


def _first_pass(rule: Rule) -> Rule:
    """Of a table in passes the first one, which a pencil edition may have."""
    if not isinstance(rule, PassTable) or rule.passes == 1:
        return rule
    return replace(rule, name=f"{rule.name}-pass1", points=rule.points[:1])


def _for_arbiters(
    made: dict[str, bytes],
    rule: Rule,
    seed: int,
    language: str,
    unplayed: str,
    event: TeamEvent | None,
) -> tuple[Regulation, WorkedExample | None]:
    """The regulation, and the worked example if there is one; their files are added to `made`."""
    annex = None
    if rule.has_tables:
        (name,) = (name for name in made if name.endswith(".csv"))
        annex = name, hashlib.sha256(made[name]).hexdigest()
    law = regulation(rule, language, unplayed, annex)
    made[TEXT_FILE] = regulation_text(law).encode()
    made[REGULATION] = _pdf(law.title, regulation_story(law), language=language)
    worked = worked_tie(rule, example_event(rule, seed, event), unplayed, language)
    if worked:
        sheets: list[Flowable] = []
        for sheet in worked.sheets:
            sheets += [*document_story(sheet), PageBreak()]
        made[EXAMPLE] = _pdf(worked.short.title, sheets, language=language)
    return law, worked


def _numbers(found: Sequence[Evidence]) -> dict[str, bytes]:
    """Figures and numbers of the evidence as single files."""
    made = {}
    for one in found:
        if one.png is not None:
            made[f"{NUMBERS}/{one.name}.png"] = one.png
        if one.frame is not None:
            rows = [tuple(one.frame.columns), *one.frame.itertuples(index=False)]
            made[f"{NUMBERS}/{one.name}.csv"] = csv_text(rows).encode()
    return made


# --------------------------------------------------------------------------- pages


def _pdf(
    title: str, story: Sequence[Flowable], rule: Rule | None = None, language: str = "en"
) -> bytes:
    """A PDF of a story, and of the tables of a rule as an annex."""
    foot = Foot(plain(title), words(language)["doc.page"])
    templates: list[PageTemplate] = [template("plain", A4, foot, "")]
    story = list(story)
    if rule is not None:
        more, annex = table_parts(rule, foot, language)
        templates += more
        story += [NextPageTemplate("front"), PageBreak(), *annex]
    return built(plain(title), foot, templates, story, language)


def _front(subject: Subject, found: Sequence[Evidence], contents: list[str]) -> list[Flowable]:
    """The first page: what the rule is, what was found, what else is in the folder."""
    rule, event = subject.rule, subject.world.event
    numbers = rule.has_tables or rule.constants
    facts = (
        ("Rule", rule.name),
        ("Format", f"{event.rounds} rounds, {event.boards} boards a match"),
        ("Judged in fields of", f"{event.teams} teams ({subject.world.name})"),
        *([("Checksum of its numbers", rule.digest())] if numbers else []),
        ("Made by", f"tb2learn {__version__}, {subject.events:,} events, seed {subject.seed}"),
    )
    parts = (
        Sentences("What was found", tuple(f"{f.title}: {f.sentence}" for f in found), True),
        Sentences("In this folder", tuple(contents)),
    )
    return document_story(Document(f"Dossier: {rule.name}", facts, parts))


def _contents(made: dict[str, bytes]) -> dict[str, str]:
    """What is in the folder beside the dossier."""
    pencil = next((name for name in made if name.endswith("pencil.pdf")), "")
    tables = any(name.startswith(f"{TABLES}/") for name in made)
    said = {
        f"{REGULATION}, {TEXT_FILE}": "the regulation alone",
        EXAMPLE: "the working sheets of the worked example" if EXAMPLE in made else "",
        f"{TABLES}/": "the tables, to print and for programs" if tables else "",
        pencil: "the first pass with a pencil, on one sheet of paper",
        f"{EVIDENCE}, {NUMBERS}/": "the evidence alone; its figures and numbers",
        f"{PACK}/": "events with the expected numbers, by which another program proves that it "
        "computes the same (tb2learn conform)",
    }
    return {name: text for name, text in said.items() if name and text}


def _evidence(found: Sequence[Evidence]) -> list[Flowable]:
    """Every finding: its sentence, its figure, and what was measured."""
    story: list[Flowable] = [paragraph("Evidence", NAME)]
    for one in found:
        block: list[Flowable] = [paragraph(one.title, HEAD), paragraph(one.sentence, TEXT)]
        if one.name == "unknown":
            block += [paragraph(line, TEXT) for line in LIMITS]
        if one.png is not None:
            block.append(_picture(one.png))
        small = TEXT.clone("basis", fontSize=7.5, leading=10)
        block.append(paragraph(f"What was measured: {one.basis}.", small))
        story.append(KeepTogether(block))
    return story


def _picture(png: bytes) -> Image:
    """A figure, as wide as the page or as high as a part of it."""
    image = Image(io.BytesIO(png))
    width, height = image.imageWidth, image.imageHeight
    scale = min((A4[0] - 2 * SIDE) / width, _TALLEST * (A4[1] - TOP - BOTTOM) / height, 0.55)
    image.drawWidth, image.drawHeight = scale * width, scale * height
    image.hAlign = "LEFT"
    return image
