"""Commands for arbiters: rank, explain, compare, check, convert and forecast recorded events."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tb2learn.chess import ORDERS, WEAKEST_RULES
from tb2learn.cli.arguments import (
    DECIDES,
    DEFAULT_TABLE,
    EVENT,
    EVENT_HELP,
    OUTPUT,
    PERCENT,
    ROUNDS,
    RULE,
    Decorator,
    command,
    count,
    event_argument,
    flag,
    one_argument,
    option,
    option_group,
    plays,
    prints,
    reads,
    reads_event,
    reads_event_or_teams,
    reads_events,
    seed,
)
from tb2learn.cli.output import Output, OutputFile, OutputFolder, say, say_notes, show
from tb2learn.events.files import registry
from tb2learn.events.unplayed import SUMMARIES
from tb2learn.export.forms import OUTPUTS, PRINTED, SHEETS

if TYPE_CHECKING:
    from tb2learn.chess import Order
    from tb2learn.events import Reading, TeamEvent
    from tb2learn.export.standings import RankedEvent


def _decides(usual: str, lists: bool = True) -> Decorator:
    """What decides: the command gets `unplayed`, `by` (a name, a list or None), and `weakest`.

    **Arguments:** `usual`: the rule for teams if none is named; `lists`: whether there may be a
    list of criteria.
    """
    options = [
        option(
            "--tiebreak",
            "the rule after the points",
            "RULE",
            RULE,
            usual,
        ),
        option(
            "--tiebreaks",
            "criteria, as mp,BH/C1; 'tb2learn list tiebreaks'",
            "LIST",
            RULE,
        ),
        option(
            "--unplayed",
            "edition for unplayed rounds",
            "POLICY",
            click.Choice(tuple(SUMMARIES)),
            "the event's",
        ),
        option(
            "--weakest",
            "the opponent to cut",
            "HOW",
            click.Choice(WEAKEST_RULES),
            default=WEAKEST_RULES[0],
        ),
    ]

    def by(tiebreak: str | None, tiebreaks: str | None = None) -> str | list[str] | None:
        # Whoever lists all criteria has named the rule among them.
        return tiebreak if tiebreaks is None else tiebreaks.split(",")

    # Without lists: the rule and the policy, which are every other one.
    return one_argument("by", by, DECIDES, *(options if lists else options[::2]))


def _pairing_rule(usual: str, to: str = "rule") -> Decorator:
    """By which rules teams are paired: the command gets the name, or None."""
    return option(
        "--rule",
        "the pairing rules of teams: olympiad-2022, olympiad-2010; team-a, team-b, team-none "
        "(C.04.6 by its types of colour preferences); or a code such as FIDE_TEAM_TYPEB_GP_MP",
        "RULES",
        usual=usual,
        to=to,
    )


class _ValuesFile(OutputFile):
    """The type of the path of values: beside it, record 212 is written."""

    def __init__(self) -> None:
        super().__init__("values", ".csv")

    def paths(self, value: str) -> list[str]:
        """Both files."""
        return [value, os.path.splitext(value)[0] + "-212.trf"]

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path; only a record that was written so is replaced, as nobody named its path.

        **Raises:** `click.BadParameter` for any other file there, or what cannot be written.
        """
        from tb2learn.export.standings import is_values_trf

        super().convert(value, param, ctx)
        # Its name follows from that of the values.
        record = Path(self.paths(value)[1])
        if record.exists() and not is_values_trf(record):
            self.fail(f"{record} is there, and would be replaced: name other values", param, ctx)
        return value


@command(
    "tb2learn rank baku2016",
    "tb2learn rank examples/team-swiss.trf --out wall.pdf --beside learned",
    "tb2learn rank examples/open.trf --decided examples/play-off.csv --before BH/C1",
    "tb2learn rank examples/team-swiss.trf --sheet crosstable --out crosstable.pdf",
)
@prints(*PRINTED, languages=True)
@reads_events
@_decides("FIDE's order")
@option_group(
    DECIDES,
    option("--decided", "a CSV of team and place: play-offs or lots", "FILE", click.Path()),
    option("--before", "the tie-break that it precedes", "NAME", usual="last"),
    flag("--confidence", "how sure each place before the next one is"),
    option("--share-below", "share places that are less sure", "PERCENT", PERCENT),
    flag("--others", "how many matches of others decided each place"),
)
@option_group(
    OUTPUT,
    option("--beside", "also show places by this rule", "RULE", RULE, "FIDE's"),
    option(
        "--export-values",
        "also scores for a pairing program, and record 212",
        "FILE.csv",
        _ValuesFile(),
    ),
    flag("--open", "instead: matches without a result yet", "only_open"),
    flag("--league", "also won, drawn, lost; on paper a crosstable"),
    option(
        "--sheet",
        "instead: crosstable, pairings, results, line-ups, prizes",
        "SHEET",
        click.Choice(SHEETS),
    ),
    option("--team", "show line-ups of this team only", "TEAM"),
    option("--title", "of the paper", "TEXT", usual="the event's"),
)
def rank(
    events: Sequence[TeamEvent], output: Output, export_values: str | None, **asked: Any
) -> None:
    """Standings of a real event.

    The file's own list of tie-breaks decides, else FIDE's for such an event. As html, pdf or xlsx:
    a page for the wall.
    """
    from tb2learn.types import InputError

    if len(events) > 1 and (output.out or output.form != OUTPUTS[0] or export_values):
        names = ", ".join(event.name for event in events)
        raise InputError(
            f"an output is of one event, and there are several: {names} (--group NAME)"
        )
    for number, event in enumerate(events):
        if number:
            show("\n")
        _rank_event(event, output=output, export_values=export_values, **asked)


def _rank_event(
    event: TeamEvent,
    by: str | Sequence[str] | None,
    beside: str | None,
    confidence: bool,
    share_below: float | None,
    export_values: str | None,
    only_open: bool,
    league: bool,
    sheet: str | None,
    team: str | None,
    title: str | None,
    output: Output,
    **decides: Any,
) -> None:
    """Rank one event; arguments as of the options of `rank`."""
    from tb2learn.export.standings import open_table, rank_event

    # A list of matches needs no ranking, so it is there for events that cannot be ranked, too.
    if only_open:
        output.deliver(open_table(event), read=event.notes)
        return
    # No order is less sure than one half: all confidences are shown, and no place is shared.
    below = share_below if share_below is not None else 50.0 if confidence else None
    ranked = rank_event(event, by, share_below=None if below is None else below / 100, **decides)
    # Another sheet than the standings; a team alone asks for its line-ups.
    if sheet is not None or team is not None:
        _deliver_sheet(ranked, sheet or "line-ups", team, title, output)
        return

    # Made only if a form for paper is asked for: it imports much.
    def wall(form: str) -> bytes:
        from tb2learn.export.event_page import event_page
        from tb2learn.export.forms import printed
        from tb2learn.export.wall import standings_document, standings_to_print

        how = {"language": output.lang, "league": league, "title": title or ""}
        orders, notes = standings_to_print(ranked, beside, share_below=share_below, **how)
        say_notes(notes)
        # The page to tap has every order and its workings, paper has one order.
        if form == "html":
            return event_page(orders).encode()
        return printed(standings_document(orders[0]), form)

    table = ranked.table(league)
    # On the screen a column beside the places; the paper has its own.
    if beside is not None and output.form in OUTPUTS:
        from tb2learn.export.wall import standings_to_print, table_beside

        orders, notes = standings_to_print(ranked, beside)
        say_notes(notes)
        table = table_beside(table, orders[0])
    output.deliver(table, files=wall, read=event.notes)
    # Last, so that a refusal of the standings leaves no file behind.
    if export_values is not None:
        _write_values(Path(export_values), ranked)


def _deliver_sheet(
    ranked: RankedEvent, name: str, team: str | None, title: str | None, output: Output
) -> None:
    """Show or write another sheet of an event than its standings."""
    from tb2learn.export.event_sheets import event_sheet
    from tb2learn.export.forms import printed
    from tb2learn.export.wall import standings_to_print

    # Of the orders the first one, by which the event is ranked.
    (standings, *_), _ = standings_to_print(ranked, language=output.lang)
    made = event_sheet(standings, name, team)
    document = made.document(title or ranked.event.name, output.lang)
    table = replace(made.table, notes=ranked.notes)
    files = partial(printed, document)
    output.deliver(table, text=made.text, files=files, read=ranked.event.notes)


def _write_values(path: Path, ranked: RankedEvent) -> None:
    """Write the scores of the rule that other programs lack, and print the paths."""
    from tb2learn.disk import files
    from tb2learn.export.standings import unknown_criterion, values_csv, values_trf

    criterion = unknown_criterion(ranked.ranking.criteria)
    record = Path(_ValuesFile().paths(str(path))[1])
    files.write_text(path, values_csv(ranked.ranking))
    files.write_text(record, values_trf(ranked.ranking))
    say(f"values of {criterion.rule.name}: {path}, {record}")


@command(
    "tb2learn explain baku2016 Norway Turkey",
    "tb2learn explain baku2016 Norway --tiebreak formula-180x11 --format csv",
    "tb2learn explain baku2016 Norway --tiebreaks product,opponents-cut1,emmsb",
    "tb2learn explain baku2016 Norway Turkey --out norway-turkey.xlsx",
)
@prints(*PRINTED, languages=True)
@reads_event
@click.argument(
    "names",
    nargs=-1,
    required=True,
    metavar="TEAM...",
    help="names or start numbers; letter case and accents do not matter",
)
@_decides("as rank")
@option_group(DECIDES, option("--beside", "a rule whose working stands beside", "RULE", RULE))
def explain(
    event: TeamEvent,
    names: Sequence[str],
    by: str | Sequence[str] | None,
    beside: str | None,
    output: Output,
    **decides: Any,
) -> None:
    """Why a team stands where it does: its tie-breaks, opponent by opponent.

    First what decides between two teams, or between one and the team above it, and which result
    of others would have turned it. Then the sums by which rank orders the event. As html, pdf or
    xlsx: working sheets, where every number comes from.
    """
    from tb2learn.export.standings import explain_event

    explained = explain_event(event, names, by, beside=beside, **decides)

    def sheet(form: str) -> bytes:
        from tb2learn.export.forms import printed
        from tb2learn.export.verdict_words import verdict_text
        from tb2learn.export.working import sheet_document, team_sheet

        sheets = [
            team_sheet(explained.ranking, working.number, explained.rules)
            for working in explained.workings
        ]
        verdict = explained.verdict
        # Of three teams or more there is none: they are not compared two by two.
        verdict_in_words = verdict_text(verdict, output.lang, event.individual) if verdict else ""
        return printed(sheet_document(sheets, verdict_in_words, output.lang), form)

    output.deliver(explained.table, text=explained.text, files=sheet, read=event.notes)


@command(
    "tb2learn compare baku2016 --out reports/baku2016",
    "tb2learn compare examples/open.trf --tiebreak deep-buchholz --format csv",
)
@reads_event
@_decides(DEFAULT_TABLE, lists=False)
@option_group(
    OUTPUT,
    option("--format", "the form", type=click.Choice(OUTPUTS), default=OUTPUTS[0]),
    option(
        "--out",
        "also write index.html and comparison.csv there",
        "DIR",
        OutputFolder("index.html", "comparison.csv"),
    ),
    flag("--wide", "one table however wide; else it fits the terminal, or 80 columns"),
)
def compare(
    event: TeamEvent, by: str | None, unplayed: str | None, format: str, out: str | None, wide: bool
) -> None:
    """The standings of rank and those by another rule: all places and biggest movers.

    Of an event with ratings also how often each rule places the lower rated of two tied teams
    first.
    """
    from tb2learn.disk import files
    from tb2learn.export import standings
    from tb2learn.report import pages
    from tb2learn.report.compared import compare_event
    from tb2learn.types import InputError

    # Before the work, as nothing could be written in the end.
    if out and event.individual:
        raise InputError(
            "the page of a comparison is for team events: for players use tb2learn rank --beside "
            "RULE --out FILE.html"
        )
    comparison = compare_event(event, by, unplayed)

    def text(width: int | None) -> str:
        # All places, the working of the first one, then the tables that have a title.
        texts = [standings.comparison_text(comparison.comparison, width)]
        texts.append(standings.working_text(comparison.first_place, width))
        texts += [table.text(width) for table in comparison.tables.tables.values() if table.title]
        return "\n".join(texts)

    Output(format, wide=wide).deliver(comparison.tables, text=text, read=event.notes)
    if out:
        folder = Path(out)
        files.write_text(folder / "comparison.csv", comparison.tables.csv())
        files.write_text(folder / "index.html", pages.compare_page(event, comparison))
        show(f"{folder / 'index.html'}\n")


@command(
    "tb2learn check examples/crosstable.html",
    "tb2learn check examples/open.trf --by-round",
    "tb2learn check baku2016 --format json",
)
@prints()
@event_argument
@option_group(
    DECIDES,
    option(
        "--unplayed",
        "the edition for unplayed rounds by which places are judged, of 'tb2learn list policies'",
        "POLICY",
        click.Choice(tuple(SUMMARIES)),
        "the event's, as rank uses it",
    ),
    _pairing_rule("the file's, else by title and date"),
    flag("--pairings", "only pairs, byes and colours", "only_pairings"),
    flag("--standings", "only points, tie-breaks and places", "only_standings"),
)
@reads
@option_group(OUTPUT, flag("--by-round", "a line for every round, also where nothing is wrong"))
@click.pass_context
def check(
    context: click.Context,
    event: str,
    unplayed: str | None,
    rule: str | None,
    only_pairings: bool,
    only_standings: bool,
    reading: Reading,
    by_round: bool,
    output: Output,
) -> None:
    """Say what is wrong in the record of an event.

    Points, tie-breaks and places in the file are recomputed. In a Swiss: the same opponent twice, a
    second bye, a colour three times; of teams also what the pairing rules would not have made, with
    the article that decides. The exit status is 0, or 1 if something is wrong.
    """
    from tb2learn.events import read_event
    from tb2learn.events.check import Checked
    from tb2learn.events.check import check as checked
    from tb2learn.events.findings import Finding
    from tb2learn.events.round_rules import named_rules
    from tb2learn.export.standings import checked_tables, checked_text
    from tb2learn.types import InputError

    if only_pairings and only_standings:
        raise InputError("--pairings and --standings leave nothing to check: name one of them")
    only = "pairings" if only_pairings else "standings" if only_standings else None
    # Slips of the user are no findings about the file.
    if rule is not None:
        named_rules(rule)
    data = None
    try:
        data = read_event(event, reading)
        result = checked(data, unplayed, rule, only)
    except InputError as error:
        # A file that is no event is a finding; one that is not there, a slip of the pen, as are
        # rules of teams for an event of players.
        if not os.path.exists(event) or (data is not None and rule is not None):
            raise
        result = Checked((), (Finding(0, "file", str(error)),))
    output.deliver(
        checked_tables(data, result),
        text=partial(checked_text, data, result, by_round),
        read=data.notes if data else (),
    )
    context.exit(1 if result.findings else 0)


@command(
    "tb2learn pair examples/team-swiss.trf",
    "tb2learn pair batumi2018 --after 9 --explain Hungary",
    "tb2learn pair batumi2018 --after 9 --absent Yemen --format csv",
    "tb2learn pair examples/team-swiss.trf --out round-6.html",
)
@prints(*PRINTED)
@reads_event_or_teams
@option_group(
    DECIDES,
    _pairing_rule("the file's, else by title and date"),
    option(
        "--rounds",
        "rounds of the whole event, of which C.04.6 pairs the last two otherwise",
        "N",
        ROUNDS,
        "the file's",
    ),
    option("--absent", "is not paired", "TEAM", multiple=True),
    option(
        "--present", "is paired, although it was not in the round before", "TEAM", multiple=True
    ),
    flag("--black-first", "in the first round the first team has Black on board 1"),
)
@option_group(
    OUTPUT,
    option(
        "--explain",
        "why this team is paired so: its group, who floats, what was tried before",
        "TEAM",
    ),
)
def pair(
    event: TeamEvent,
    rule: str | None,
    rounds: int | None,
    absent: tuple[str, ...],
    present: tuple[str, ...],
    black_first: bool,
    explain: str | None,
    output: Output,
) -> None:
    """The next round, paired by the rules of an Olympiad (D.02) or of a team Swiss (C.04.6).

    A line says by which, and why. Team A has White on board 1; the bye stands last, without a team
    B. With --after N those of round N + 1. Before the first round EVENT may be a list of teams: a
    folder with teams.csv, or a TRF.
    """
    from tb2learn.events.next_round import next_round
    from tb2learn.events.pairing_reasons import reasons
    from tb2learn.export.forms import printed
    from tb2learn.export.rounds import COLUMNS, pairing_page, pairing_table

    next_pairing = next_round(event, rule, absent, present, not black_first, rounds)
    # Reasons are sentences, and have no other form.
    if explain is not None:
        lines = [next_pairing.rules.line, *reasons(next_pairing, explain)]
        show("".join(f"{line}\n" for line in lines))
        return
    table = pairing_table(next_pairing)
    if output.form == "csv":  # what other programs read
        table = replace(table, columns=COLUMNS[:3], rows=[row[:3] for row in table.rows])
    # Notes on the reading first, as they are numbered.
    table = replace(table, notes=(*event.notes, *table.notes))
    page = pairing_page(next_pairing)
    output.deliver(table, files=partial(printed, page), read=event.notes)


@command(
    "tb2learn convert examples/open.trf my-open",
    "tb2learn convert baku2016 baku.trf --to trf16",
    "tb2learn convert examples/crosstable.html club.trf",
)
@click.argument("event", type=EVENT, metavar="IN", help=EVENT_HELP)
@click.argument(
    "out", metavar="OUT", help=f"a file ending in {registry.endings()}, or a folder (CSV)"
)
@option(
    "--to",
    "the form: 'tb2learn list forms' says what each holds",
    type=click.Choice(tuple(registry.forms())),
    usual="by OUT's ending; the newest of a format",
)
@flag("--overwrite", "replace what is at OUT")
@reads
def convert(event: str, out: str, to: str | None, overwrite: bool, reading: Reading) -> None:
    """Write an event in another format.

    Prints the files written, and what that format has no place for.
    """
    from tb2learn.events.files.write import convert

    paths, notes, losses = convert(event, Path(out), to, overwrite, reading)
    # All notes are on the reading, so all are numbered; what is lost is on the writing.
    say_notes(notes, notes)
    say_notes(f"left out of {out}: {loss}" for loss in losses)
    show("".join(f"{path}\n" for path in paths))


@command(
    "tb2learn forecast examples/team-swiss.trf",
    "tb2learn forecast baku2016 --after 8",
    "tb2learn forecast baku2016 --after 10 --team Ukraine",
    "tb2learn forecast examples/team-swiss.trf --team Bregenz --out b.html",
    "tb2learn forecast examples/open.trf --rounds 8 --format json",
)
@prints("html")
@event_argument
@option(
    "--after",
    "forecast from round N on; 0 is before the first",
    "N",
    count("round", 0, 40),
    "the last finished round",
)
@option("--rounds", "rounds of the whole event", "N", ROUNDS, "the file's")
@option(
    "--tiebreak",
    "the rule beside FIDE's: a checkpoint, or a name of 'tb2learn list rules'",
    "RULE",
    RULE,
    "learned; of players formula",
)
@option("--team", "what the next round's matches do to its chances", "NAME")
@option(
    "--pairings",
    "the next round: a CSV of team_a and team_b (players: white_player and black_player)",
    "FILE",
    click.Path(),
    "the file's, else the simulator's",
)
@_pairing_rule("the file's, else by title and date", "pairing_rule")
@option(
    "--continuations",
    "how often the rounds left are played",
    "N",
    count("continuations", 1, 1_000_000),
    default=10_000,
)
@seed("of the continuations")
@reads
@plays
def forecast(
    event: str,
    tiebreak: str | None,
    reading: Reading,
    output: Output,
    **plan: Any,
) -> None:
    """Chances of places in an event with rounds left.

    Strengths follow from ratings and the results so far; the simulator pairs and plays the rounds
    left, which FIDE's rule and RULE rank. With --team, and the next round paired: what its results
    do to that team's chances. Teams without a chance of the first ten are shown with --wide.
    """
    from tb2learn.events import read_event
    from tb2learn.forecasts import request
    from tb2learn.report.chance_tables import forecast_tables, forecast_text
    from tb2learn.simulation.simulate import Progress

    data, bar = read_event(event, reading), Progress("forecast")
    chances = request.make(data, rule=tiebreak, progress=bar, say=say, **plan)

    # One form is a file: there is nothing to choose.
    def page(_: str) -> bytes:
        from tb2learn.report.forecast import forecast_page

        return forecast_page(chances, request.notes(chances)).encode()

    output.deliver(
        forecast_tables(chances, (*data.notes, *request.notes(chances))),
        text=partial(forecast_text, chances, output.wide),
        files=page,
        read=data.notes,
    )


@command(
    "tb2learn schedule 14",
    "tb2learn schedule 14 --double",
    "tb2learn schedule 7 --out seven.csv",
    "tb2learn schedule 10 --double --out wall.pdf",
    "tb2learn schedule 14 --order rutch-berger",
)
@prints(*PRINTED)
@click.argument(
    "players",
    type=count("players", 2, 1000),
    metavar="PLAYERS",
    help="how many players or teams, 2..1000; of an odd number one rests in every round",
)
@flag("--double", "everybody meets everybody twice, with colours turned round")
@option(
    "--order",
    "of the rounds: Berger's, which FIDE prints; or the poorer one of Rutch and Berger",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
)
def schedule(players: int, double: bool, order: Order, output: Output) -> None:
    """The rounds and colours of a round robin (Berger tables).

    Players are numbered by lot; the first of each pair has White. What the colours are like is
    written to standard error. As pdf at most 40,000 games, as xlsx 500,000.
    """
    from tb2learn.chess.berger import round_robin
    from tb2learn.export import rounds
    from tb2learn.export.forms import printed

    # Before the rounds are made, of which paper can hold some alone.
    rounds.check_size(players, double, output.form)
    played = round_robin(players, 1 + double, order)
    title = f"{'Double round robin' if double else 'Round robin'} of {players}"
    output.deliver(
        rounds.schedule_table(played),
        text=partial(rounds.schedule_text, played),
        files=lambda form: printed(rounds.schedule_document(played, title), form),
    )
