"""Commands from a table to a decision: the dossier of a rule, and whether a program computes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tb2learn.cli.arguments import (
    DEFAULT_CONFIG,
    DEFAULT_TABLE,
    EVENT,
    boards_option,
    command,
    folder_option,
    language_option,
    option,
    plays,
    reads,
    rounds_option,
    rule_argument,
    seeded,
    world_option,
)
from tb2learn.cli.output import say, say_note, say_notes, show
from tb2learn.dossier import OURS
from tb2learn.events.unplayed import REGULATIONS, SUMMARIES

if TYPE_CHECKING:
    from tb2learn.events import Reading

_SIMULATED = "those of the simulated events"
_MOST_LINES = 50
"""Differences that are printed one by one."""


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
    "the policy for unplayed rounds that the regulation has",
    type=click.Choice(REGULATIONS),
    default=REGULATIONS[0],
)
@option(
    "--event",
    "the real event of the worked example; what would have changed there is shown, too",
    "EVENT",
    EVENT,
    "baku2016",
)
@world_option(f"the checkpoint's own, else {DEFAULT_CONFIG}")
@rounds_option(
    "rounds of the events that it is for; a table of another number is rescaled", _SIMULATED
)
@boards_option("games a match, for rules that any number may have", _SIMULATED, least=2)
@seeded("simulated events of every measurement", 1000)
@reads
@plays
def dossier(
    rule: str,
    out: str,
    lang: str,
    unplayed: str,
    event: str | None,
    on: str | None,
    rounds: int | None,
    boards: int | None,
    events: int,
    seed: int,
    reading: Reading,
) -> None:
    """Write all that a commission needs to adopt a rule.

    What we recommend, what it changes and what it does not, on one page; a regulation in numbered
    articles; a worked example; tables and the pencil edition; the evidence; and a conformance pack
    for other programs. Takes minutes and prints the files.
    """
    from dataclasses import replace

    from tb2learn.catalogue import find_rule, first_checkpoint
    from tb2learn.config import load_config
    from tb2learn.dossier.dossier import write_dossier
    from tb2learn.dossier.measured import Subject
    from tb2learn.events import read_event
    from tb2learn.export.standings import event_notes

    trained = first_checkpoint([rule])
    world = load_config(on) if on else trained.config if trained else load_config(DEFAULT_CONFIG)
    changed = {"rounds": rounds or world.event.rounds, "boards": boards or world.event.boards}
    world = replace(world, event=replace(world.event, **changed))
    played = read_event(event, reading) if event else None
    size = world.event
    found = find_rule(rule, size.rounds, size.boards, size.teams)
    say_note(found, size.teams)
    if played:
        say_notes((*played.notes, *event_notes(played)), played.notes)
    subject = Subject(rule, found, world, events, seed)
    for path in write_dossier(subject, Path(out), lang, unplayed, played):
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

    expected, given = (
        {k: v for k, v in read_numbers(path).items() if unplayed in (None, k.policy)}
        for path in (Path(pack) / EXPECTED, Path(against))
    )
    if not expected:
        raise InputError(f"{pack}: has no numbers under {unplayed or 'any policy'}")
    lines = differences(expected, given)
    show("".join(f"{line}\n" for line in lines[:_MOST_LINES]))
    if more := len(lines) - _MOST_LINES:
        if more > 0:
            say(f"{more} more differences are not shown")
    numbers = len(Numbers._fields) * len(expected)
    show(f"{len(lines)} differ\n" if lines else f"all {numbers:,} numbers are the same\n")
    context.exit(1 if lines else 0)
