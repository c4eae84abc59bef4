"""Commands that write out rules: tables, dossiers, what a checkpoint is, and names of all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tb2learn.cli.arguments import (
    CHECKPOINT,
    DEFAULT_TABLE,
    EVENT,
    RULE,
    boards_option,
    command,
    events_and_seed,
    flag,
    folder_option,
    language_option,
    names_of,
    option,
    plays,
    prints,
    reads,
    rounds_option,
    rule_argument,
    world_of,
    world_option,
)
from tb2learn.cli.output import Output, say, say_note, say_notes, say_played, show
from tb2learn.dossier import OURS
from tb2learn.events.unplayed import FACE_VALUE, REGULATIONS, SUMMARIES
from tb2learn.export.forms import FORMS
from tb2learn.export.name_lists import LISTS, list_table
from tb2learn.limits import DEFAULT_WORLD

if TYPE_CHECKING:
    from tb2learn.events import Reading

_SIMULATED = "those of the simulated events"
_MOST_LINES = 50
"""Differences that are printed one by one."""


@command(
    f"tb2learn export {DEFAULT_TABLE} --out tables",
    "tb2learn export olympiad-180x11 --out tables --format pdf,html --lang es",
    f"tb2learn export {DEFAULT_TABLE} --out tables --format csv --rounds 9",
    "tb2learn export formula-180x11 --out tables --format pencil",
    "tb2learn export learned --boards 8 --rounds 7 --out tables --format pdf",
)
@rule_argument
@folder_option("folder of the files", required=True)
@option(
    "--format",
    f"comma separated: {', '.join(FORMS)} (a PDF of one sheet, for a formula or one pass)",
    "LIST",
    names_of("--format", FORMS),
    to="forms",
    default="csv,json",
)
@language_option("language of labels and instructions")
@flag("--pages", "PDF with one page per own MP instead of a booklet with several per page")
@rounds_option("rescale the table to another number of rounds; the table says so")
@boards_option("games a match, for learned, formula and product", "4, or the checkpoint's")
def export(
    rule: str,
    out: str,
    forms: list[str],
    lang: str,
    pages: bool,
    rounds: int | None,
    boards: int | None,
) -> None:
    """Write a table or formula as CSV, JSON, XLSX, PDF, HTML.

    Prints the files written.
    """
    from tb2learn.catalogue import load_rule
    from tb2learn.export.forms import export_rule
    from tb2learn.types import InputError

    # 4 boards is what names without a number of boards mean.
    chosen = load_rule(rule, rounds=rounds, boards=boards or 4)
    # A checkpoint has the boards that it was trained on, whatever was asked for.
    if boards and chosen.boards != boards:
        raise InputError(f"{chosen.name} is for {chosen.boards} boards a match, not for {boards}")
    say_note(chosen)
    for path in export_rule(chosen, out, formats=forms, language=lang, pages=pages):
        show(f"{path}\n")


@command(
    f"tb2learn dossier {DEFAULT_TABLE} --out dossier",
    "tb2learn dossier checkpoints/my-60x9.npz --out my-dossier --lang de",
    f"tb2learn dossier {DEFAULT_TABLE} --out dossier --event event.trf --unplayed c07",
    "tb2learn dossier formula --boards 6 --rounds 9 --out dossier --events 300",
)
@rule_argument
@folder_option("folder of the dossier", *OURS, required=True)
@language_option("language of all but the tables of the evidence")
@option(
    "--unplayed",
    "the policy for unplayed rounds that the regulation has; face-value in a round robin alone",
    type=click.Choice([*REGULATIONS, FACE_VALUE]),
    usual="c07, or face-value in a round robin",
)
@option(
    "--today",
    "the rule in use, or list of tie-breaks (GPTS,DE), that it is compared with",
    "LIST",
    RULE,
    "today's rule of the format",
)
@option("--title", "of the regulation", "TEXT")
@option("--organiser", "who issues the regulation", "TEXT")
@option(
    "--event",
    "the real event of the worked example; what would have changed there is shown, too",
    "EVENT",
    EVENT,
    "baku2016",
)
@world_option(f"the checkpoint's own, else {DEFAULT_WORLD}")
@rounds_option(
    "rounds of the events that it is for; a table of another number is rescaled", _SIMULATED
)
@boards_option("games a match, for rules that any number may have", _SIMULATED, least=2)
@events_and_seed("simulated events of every measurement", 1000)
@reads
@plays
def dossier(
    rule: str,
    out: str,
    lang: str,
    unplayed: str | None,
    today: str | None,
    title: str | None,
    organiser: str | None,
    event: str | None,
    on: str | None,
    rounds: int | None,
    boards: int | None,
    events: int,
    seed: int,
    reading: Reading,
) -> None:
    """Write all that a commission needs to adopt a rule.

    What we recommend, what it changes and what it does not, on one page; what critics will ask;
    a regulation in numbered articles; a worked example; tables and the pencil edition; the
    evidence; and a conformance pack for other programs. Takes minutes and prints the files.
    """
    from dataclasses import replace

    from tb2learn.catalogue import find_rule
    from tb2learn.dossier.dossier import write_dossier
    from tb2learn.dossier.evidence import Subject
    from tb2learn.dossier.regulation import Wording
    from tb2learn.events import read_event
    from tb2learn.export.standings import event_notes

    world = world_of(on, [rule])
    # The rule is judged in events of the size that it is adopted for.
    changed = {"rounds": rounds or world.event.rounds, "boards": boards or world.event.boards}
    world = replace(world, event=replace(world.event, **changed))
    # Without an event the worked example is the packaged one.
    played = read_event(event, reading) if event else None
    size = world.event
    chosen = find_rule(rule, size.rounds, size.boards, size.teams)
    say_played(world)
    say_note(chosen, size.teams)
    # Also what the event itself needs to be said of, as `rank` would.
    if played:
        say_notes((*played.notes, *event_notes(played)), played.notes)
    subject = Subject(rule, chosen, world, events, seed, today or "")
    wording = Wording(title or "", organiser or "")
    for path in write_dossier(subject, Path(out), lang, unplayed or "", played, wording):
        show(f"{path}\n")


@command(
    "tb2learn conform dossier/conformance --against theirs.csv",
    "tb2learn conform dossier/conformance --against theirs.csv --unplayed c07",
)
@click.argument("pack", type=click.Path(), metavar="PACK", help="the folder of a conformance pack")
@option(
    "--against",
    "what another program computed: a CSV like expected.csv of the pack",
    "FILE",
    click.Path(),
    required=True,
)
@option(
    "--unplayed",
    "compare what it computed under this policy alone",
    type=click.Choice(list(SUMMARIES)),
    usual="all",
)
@click.pass_context
def conform(context: click.Context, pack: str, against: str, unplayed: str | None) -> None:
    """Say what another program computes otherwise.

    Its numbers are held against those of a conformance pack. The exit status is 0 if all are the
    same, and 1 if one differs.
    """
    from tb2learn.dossier.conformance import EXPECTED, Numbers, differences, read_numbers
    from tb2learn.types import InputError

    # Both sides under the policy alone that was asked for, if one was.
    expected, theirs = (
        {k: v for k, v in read_numbers(path).items() if unplayed in (None, k.policy)}
        for path in (Path(pack) / EXPECTED, Path(against))
    )
    # With nothing to compare, all would be the same.
    if not expected:
        raise InputError(f"{pack}: has no numbers under {unplayed or 'any policy'}")
    lines = differences(expected, theirs)
    show("".join(f"{line}\n" for line in lines[:_MOST_LINES]))
    if (left_out := len(lines) - _MOST_LINES) > 0:
        say(f"{left_out} more differences are not shown")
    numbers = len(Numbers._fields) * len(expected)
    show(f"{len(lines)} differ\n" if lines else f"all {numbers:,} numbers are the same\n")
    # As of `diff`: 1 if something differs.
    context.exit(1 if lines else 0)


@command(f"tb2learn info {DEFAULT_TABLE}", f"tb2learn info {DEFAULT_TABLE} --json")
@click.argument(
    "checkpoint",
    type=CHECKPOINT,
    metavar="CHECKPOINT",
    help="a path, or the name of a committed one",
)
@flag("--json", "the same as JSON", "as_json")
def info(checkpoint: str, as_json: bool) -> None:
    """Describe a checkpoint: how well its chapters fit, and how hard results are in its log."""
    from tb2learn.catalogue import load_checkpoint
    from tb2learn.export.checkpoint_table import checkpoint_tables

    tables = checkpoint_tables(load_checkpoint(checkpoint))
    # JSON has no word for what is no number.
    as_text = json.dumps(tables.about, indent=2, allow_nan=False) + "\n"
    show(as_text if as_json else tables.text(Output("table").width))


@command("tb2learn list tiebreaks", "tb2learn list policies --format csv", name="list")
@prints()
@click.argument(
    "what", type=click.Choice(tuple(LISTS)), required=False, help="what is listed; all without it"
)
def names(what: str | None, output: Output) -> None:
    """Names that other commands take, and their meanings.

    A checkpoint is a trained rule in a file; worlds are configurations of simulated events;
    policies are for unplayed rounds.
    """
    from tb2learn.export.result import Table, TableSet

    # One list, or all below each other.
    lists = [what] if what else [*LISTS]
    rows_of = {name: [*LISTS[name]()] for name in lists}

    def text(width: int | None) -> str:
        # click wraps at some width: one that no line reaches stands for none.
        formatter = click.HelpFormatter(width=width or 10_000)
        for name, rows in rows_of.items():
            if what:
                formatter.write_dl(rows)
            else:
                with formatter.section(name.capitalize()):
                    formatter.write_dl(rows)
        return formatter.getvalue()

    if what:
        output.deliver(list_table(what), text=text)
    else:
        rows = [(name, *row) for name in lists for row in rows_of[name]]
        tables = {"names": Table(("list", "name", "meaning"), rows)}
        output.deliver(TableSet(tables), text=text)
