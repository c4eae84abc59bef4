"""Commands for arbiters: rank, explain, compare and convert recorded events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tb2learn.chess import WEAKEST_RULES
from tb2learn.cli import arguments
from tb2learn.cli.arguments import DEFAULT_TABLE, command, several
from tb2learn.cli.output import say, say_note, say_notes, show, terminal_width
from tb2learn.cli.printing import chosen_form, deliver, form_options, language_option
from tb2learn.events.formats import registry
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.export.forms import PRINTED, WORKING_PRINTED
from tb2learn.tiebreaks.library import RULES, names_in_lists

if TYPE_CHECKING:
    from tb2learn.chess import Weakest
    from tb2learn.events import Criterion, Ranked, TeamEvent
    from tb2learn.tiebreaks.rules import Rule


_LISTS = {"Policies for unplayed rounds": SUMMARIES}
_FORMS = {name: form.help for name, (_, form) in registry.forms().items()}
_NOT_HELD = {name: form.loses for name, (_, form) in registry.forms().items() if form.loses}


def event_options(tiebreak: str) -> arguments.Decorator:
    """The event, its policy for unplayed rounds, and the rule, for teams by default `tiebreak`."""
    return several(
        arguments.event_argument,
        click.option(
            "--unplayed",
            type=click.Choice(tuple(SUMMARIES)),
            metavar="POLICY",
            show_default="baku2016; of players FIDE's C.07",
            help="what unplayed rounds count for: one of the policies below",
        ),
        click.option(
            "--after",
            type=arguments.ROUNDS,
            metavar="N",
            show_default="the last finished round",
            help="use the event as it stood after round N",
        ),
        click.option(
            "--tiebreak",
            type=arguments.RULE,
            metavar="RULE",
            show_default=f"{tiebreak}; of players formula, or fide in a round robin",
            help=f"the TB2 rule: a checkpoint, {', '.join(RULES)}; of players also fide",
        ),
        arguments.reads,
    )


_order_options = several(
    click.option(
        "--tiebreaks",
        metavar="LIST",
        help="instead of MP, TB2, GP, TB4: criteria separated by commas, the first decides first: "
        f"{names_in_lists(players=False)}; tb2:RULE, or any rule; of players "
        f"{names_in_lists(players=True)}; or FIDE's codes such as BH/C1; fide is FIDE's list",
    ),
    click.option(
        "--weakest",
        type=click.Choice(WEAKEST_RULES),
        default=WEAKEST_RULES[0],
        help="which of several opponents with the fewest match points is left out",
    ),
)


_compiles_nothing = click.option(
    "--no-cache",
    is_flag=True,
    expose_value=False,
    hidden=True,
    help="as of commands that compile programs, which this one no longer does",
)
"""`--no-cache` of commands that compiled programs before tie-breaks had a form in NumPy."""

_wide = arguments.flag(
    "--wide", "one table however wide; else workings fit the width of the terminal"
)


@command(
    "tb2learn rank baku2016",
    f"tb2learn rank my-event --tiebreak {DEFAULT_TABLE} --format csv",
    "tb2learn rank event.trf --tiebreaks mp,tb2:olympiad-180x11,gp,opponents-cut1",
    "tb2learn rank event.trf --unplayed fide2026 --after 7",
    f"tb2learn rank event.trf --tiebreak {DEFAULT_TABLE} --out wall.pdf",
    f"tb2learn rank event.trf --tiebreak {DEFAULT_TABLE} --out aushang.pdf --lang de",
    "tb2learn rank league.csv --match-points 3,1,0 --bye-points 3,4 --unplayed c07",
    "tb2learn rank event.zip --strict",
    f"tb2learn rank baku2016 --tiebreak {DEFAULT_TABLE} --confidence --share-below 55",
    "tb2learn rank open.trf --tiebreaks points,direct,buchholz-cut1,buchholz,wins",
    f"tb2learn rank event.trf --tiebreak {DEFAULT_TABLE} --export-values tb2.csv",
    "tb2learn rank open.trf --decided playoff.csv",
    lists=_LISTS,
)
@event_options("product")
@_order_options
@click.option(
    "--beside",
    type=arguments.RULE,
    metavar="RULE",
    show_default="product (of players buchholz-cut1), if it is not the rule itself",
    help="in html, pdf and xlsx: the rule whose places stand beside",
)
@arguments.flag(
    "--confidence",
    "how probable it is that a team is better than the next one on equal match points",
)
@click.option(
    "--share-below",
    type=arguments.PERCENT,
    metavar="PERCENT",
    help="teams share a place where their order is less probable; implies --confidence",
)
@click.option(
    "--decided",
    type=click.Path(),
    metavar="FILE",
    help="a CSV of team (or player) and place: a play-off or drawn lots, which decide last",
)
@click.option(
    "--export-values",
    type=arguments.output_as("values", ".csv"),
    metavar="FILE.csv",
    help="also write the rule's score by start number there, for the manual tie-break of a pairing "
    "program; and FILE-212.trf with that record of a TRF26",
)
@form_options(PRINTED)
@language_option(f"language of {', '.join(PRINTED)}")
@_compiles_nothing
def rank(
    event: str,
    unplayed: str | None,
    after: int | None,
    tiebreak: str | None,
    tiebreaks: str | None,
    weakest: Weakest,
    beside: str | None,
    confidence: bool,
    share_below: float | None,
    decided: str | None,
    export_values: str | None,
    format: str | None,
    out: str | None,
    lang: str,
) -> None:
    """Standings of a real event: place, team, MP, TB2, GP, TB4.

    If the file lists tie-breaks, these decide; with --tiebreaks others. As html, pdf or xlsx: a
    page for the wall. Players of an individual event: points, the rule, direct encounter, Buchholz
    and what follows in FIDE's list.
    """
    from tb2learn.catalogue import baseline
    from tb2learn.events import named_order, rank, recorded_list, terms, usual_policy, usual_rule
    from tb2learn.events.rank import equal_line, medal_lines
    from tb2learn.export import standings

    form, data = chosen_form(format, out, PRINTED, lang), _read(event, after)
    find = _finder(data)
    unplayed, ordered = unplayed or usual_policy(data), ()
    if tiebreak is None and tiebreaks is None:
        tiebreaks, ordered = recorded_list(data, find, unplayed)
    tiebreak = tiebreak or usual_rule(data)
    criteria = _order(data, tiebreak, tiebreaks, find)
    rows = rank(data, criteria, weakest, unplayed)
    if confidence or share_below is not None:
        rows = _with_confidence(rows, criteria, tiebreak, share_below)
    rows, decisions = _decided(rows, data, decided)

    def wall(form: str) -> bytes:
        from tb2learn.export.forms import printed
        from tb2learn.export.wall import Standings, deciding_notes, standings_document

        usual = baseline(data.boards)
        name = (usual if tiebreaks or tiebreak != usual else None) if beside is None else beside
        other = None
        if name:
            other = find(name), rank(data, named_order(data, name, find), weakest, unplayed)
        notes = (*deciding_notes(data, criteria), *ordered, *decisions)
        page = Standings(data, criteria, rows, unplayed, other, notes, share_below, lang)
        return printed(standings_document(page), form)

    words = terms(data.individual)
    texts = {name: partial(make, rows, words) for name, make in standings.RANKINGS.items()}
    deliver(form, out, texts, {name: partial(wall, name) for name in PRINTED})
    if export_values is not None:
        _write_values(Path(export_values), data, rows, criteria)
    say_event_notes(data, criteria)
    for line in [*ordered, *decisions, *medal_lines(rows), *equal_line(rows)]:
        say(line)


def _decided(
    rows: Sequence[Ranked], event: TeamEvent, path: str | None
) -> tuple[Sequence[Ranked], tuple[str, ...]]:
    """The standings after a play-off or a lot, if there is a file of it, and a note a tie."""
    from tb2learn.events.decisions import read_decisions, with_decisions

    return (rows, ()) if path is None else with_decisions(rows, read_decisions(path, event))


def _write_values(
    path: Path, event: TeamEvent, rows: Sequence[Ranked], criteria: Sequence[Criterion]
) -> None:
    """Write the scores of the rule that other programs lack, and print the paths."""
    from tb2learn.disk import files
    from tb2learn.export.values import deciding, values_csv, values_trf

    one, record = deciding(criteria), path.with_name(f"{path.stem}-212.trf")
    files.write_text(path, values_csv(event, rows, one))
    files.write_text(record, values_trf(event, rows, criteria, one))
    say(f"values of {one.rule.name}: {path}, {record}")


def _order(
    event: TeamEvent, tiebreak: str, tiebreaks: str | None, find: Callable[[str], Rule]
) -> Sequence[Criterion]:
    """The criteria of a list; without one the usual ones, with a rule."""
    from tb2learn.events import listed_order, named_order

    if tiebreaks is None:
        return named_order(event, tiebreak, find)
    return listed_order(event, tiebreaks, find)


def _with_confidence(
    rows: Sequence[Ranked], criteria: Sequence[Criterion], tiebreak: str, below: float | None
) -> tuple[Ranked, ...]:
    """The standings with how sure the rule of their second criterion is."""
    from tb2learn.catalogue import find_confidence
    from tb2learn.events.rank import deciding_rule, with_confidence

    rule = deciding_rule(criteria)
    known = find_confidence(tiebreak if criteria[1].name == "tb2" else rule.name, rule)
    return with_confidence(rows, known, 0.5 if below is None else below / 100)


def _read(event: str, after: int | None) -> TeamEvent:
    from tb2learn.events import read_event

    data = read_event(event, arguments.reading_asked())
    return data if after is None else data.after(after)


def _finder(event: TeamEvent) -> Callable[[str], Rule]:
    """A function that finds rules by name for the format of an event, and notes rescaled ones."""
    from tb2learn.catalogue import find_rule

    def find(name: str) -> Rule:
        rule = find_rule(name, event.rounds, event.boards, len(event.teams))
        say_note(rule, len(event.teams))
        return rule

    return find


def say_event_notes(event: TeamEvent, by: Rule | Sequence[Criterion] = ()) -> None:
    """Write the notes on an event, its reading and the rules.

    Called once its result is there, so that errors come alone.
    """
    from tb2learn.events import round_robin_notes, unplayed_notes
    from tb2learn.events.check import published_note

    say_notes(event.notes)
    for note in (*published_note(event), *unplayed_notes(event, by), *round_robin_notes(event)):
        say(note)
    if event.planned > event.rounds:
        say(f"{event.name}: after {event.rounds} of {event.planned} rounds")


@command(
    "tb2learn explain baku2016 Norway Turkey",
    "tb2learn explain baku2016 Norway --tiebreak formula-180x11 --format csv",
    "tb2learn explain baku2016 Norway --tiebreaks product,opponents-cut1,emmsb",
    "tb2learn explain baku2016 Norway --out norway.xlsx",
    lists=_LISTS,
)
@event_options(f"product and {DEFAULT_TABLE}")
@click.argument(
    "teams",
    nargs=-1,
    required=True,
    metavar="TEAM...",
    help="names of teams or players; letter case does not matter",
)
@_order_options
@form_options(WORKING_PRINTED)
@language_option(f"language of {', '.join(WORKING_PRINTED)}")
@_wide
@_compiles_nothing
def explain(
    event: str,
    teams: tuple[str, ...],
    unplayed: str | None,
    after: int | None,
    tiebreak: str | None,
    tiebreaks: str | None,
    weakest: Weakest,
    format: str | None,
    out: str | None,
    lang: str,
    wide: bool,
) -> None:
    """The working of a team's TB2, opponent by opponent.

    Shows the product rule (of players Buchholz cut 1) and RULE side by side, or the criteria of
    --tiebreaks. As pdf or xlsx: the working sheet of one team, where every number comes from.
    """
    from tb2learn.events import POLICIES, explain, usual_policy
    from tb2learn.export import standings
    from tb2learn.types import InputError

    form, team = chosen_form(format, out, WORKING_PRINTED, lang), teams[0]
    if form in WORKING_PRINTED and len(teams) > 1:
        raise InputError(
            f"a working sheet is for one team, got {len(teams)}: write one after the other"
        )

    data = _read(event, after)
    unplayed = unplayed or usual_policy(data)
    by = _explained(data, tiebreak, tiebreaks)
    workings = explain(data, teams, by, weakest, unplayed)

    def sheet(form: str) -> bytes:
        from tb2learn.export.working import team_sheet
        from tb2learn.export.working_forms import WORKING_SHEETS

        return WORKING_SHEETS[form](team_sheet(data, team, by, weakest, unplayed), lang)

    texts = {name: partial(make, workings) for name, make in standings.WORKINGS.items()}
    if out is None:
        width = terminal_width(wide)
        texts["table"] = partial(standings.working_text, workings, width)
    deliver(form, out, texts, {name: partial(sheet, name) for name in WORKING_PRINTED})
    if not POLICIES[unplayed].plain_sums:
        say(f"under {unplayed} totals are averages scaled to all rounds, not plain sums")
    say_event_notes(data)


def _explained(
    event: TeamEvent, tiebreak: str | None, tiebreaks: str | None
) -> list[Rule | Criterion]:
    """The rules or criteria whose working is shown."""
    from tb2learn.catalogue import baseline
    from tb2learn.events import has_working, listed_order
    from tb2learn.types import InputError

    find = _finder(event)
    if tiebreaks is None:
        usual, rule = baseline(event.boards), tiebreak or _compared(event)
        if not event.individual:
            return [find(name) for name in dict.fromkeys((usual, rule))]
        tiebreaks = ",".join(dict.fromkeys((usual, rule)))
    by: list[Any] = [one for one in listed_order(event, tiebreaks, find) if has_working(one)]
    if not by:
        raise InputError(f"nothing in {tiebreaks!r} is a sum over opponents")
    return by


def _compared(event: TeamEvent) -> str:
    """The rule that is set against the one in use if nobody names another one."""
    return "formula" if event.individual else DEFAULT_TABLE


@command("tb2learn compare baku2016 --out reports/baku2016", lists=_LISTS)
@event_options(DEFAULT_TABLE)
@click.option(
    "--out",
    type=arguments.output_folder("index.html", "comparison.csv"),
    metavar="DIR",
    help="also write index.html and comparison.csv there",
)
@_wide
@_compiles_nothing
def compare(
    event: str,
    unplayed: str | None,
    after: int | None,
    tiebreak: str | None,
    out: str | None,
    wide: bool,
) -> None:
    """Both rules' standings: all places and biggest movers."""
    from tb2learn.catalogue import baseline
    from tb2learn.disk import files
    from tb2learn.events import compare, explain, has_working
    from tb2learn.export import standings
    from tb2learn.report import pages
    from tb2learn.types import InputError

    data = _read(event, after)
    if out and data.individual:
        raise InputError(
            "the page of a comparison is for team events: for players use tb2learn rank --beside "
            "RULE --out FILE.html"
        )
    find = _finder(data)
    old, new = find(baseline(data.boards)), find(tiebreak or _compared(data))
    compared = compare(data, old, new, unplayed=unplayed)
    shown = [rule for rule in (old, new) if has_working(rule)]
    fight = explain(data, compared.first_place, shown, unplayed=unplayed)
    say_event_notes(data, new)
    working = standings.working_text(fight, terminal_width(wide))
    show(f"{standings.comparison_text(compared)}\n{working}")
    if out:
        folder = Path(out)
        files.write_text(folder / "comparison.csv", standings.comparison_csv(compared))
        files.write_text(folder / "index.html", pages.compare_page(data, compared, fight))
        show(f"{folder / 'index.html'}\n")


@command(
    "tb2learn convert event.trf my-event",
    "tb2learn convert baku2016 baku.trf --to trf16",
    "tb2learn convert games.pgn event.trf",
    lists={"Forms": _FORMS, "What they do not hold": _NOT_HELD},
)
@click.argument("event", type=arguments.EVENT, metavar="IN", help=arguments.EVENT_HELP)
@click.argument(
    "out",
    metavar="OUT",
    help=f"a file ending in {registry.endings()}, or a folder (CSV)",
)
@click.option(
    "--to",
    type=click.Choice(tuple(registry.forms())),
    show_default="by OUT's ending; the newest of a format",
    help="the form",
)
@arguments.flag("--overwrite", "replace what is at OUT")
@arguments.reads
def convert(event: str, out: str, to: str | None, overwrite: bool) -> None:
    """Write an event in another format.

    Prints the files written, and what that format has no place for.
    """
    from tb2learn.events.formats.write import convert

    options = arguments.reading_asked()
    paths, notes, lost = convert(event, Path(out), to, overwrite, options)
    say_notes(notes)
    for part in lost:
        say(f"not held by {out}: {part}")
    show("".join(f"{path}\n" for path in paths))
