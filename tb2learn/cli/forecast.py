"""The command that says what the rounds left of an event will bring."""

from __future__ import annotations

from functools import partial

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import command
from tb2learn.cli.output import say, say_notes
from tb2learn.cli.printing import chosen_form, deliver, form_options
from tb2learn.tiebreaks.library import RULES

PAGE = ("html",)


@command(
    "tb2learn forecast event.trf",
    "tb2learn forecast baku2016 --after 8",
    "tb2learn forecast baku2016 --after 10 --team Ukraine",
    "tb2learn forecast event.trf --team Norway --pairings last-round.csv --out norway.html",
    "tb2learn forecast matches.csv --rounds 11 --tiebreak formula --format json",
)
@arguments.event_argument
@click.option(
    "--after",
    type=arguments.count("round", 0, 40),
    metavar="N",
    show_default="the last finished round",
    help="forecast from round N on; 0 is before the first",
)
@click.option(
    "--rounds",
    type=arguments.ROUNDS,
    metavar="N",
    show_default="the file's",
    help="rounds of the whole event",
)
@click.option(
    "--tiebreak",
    type=arguments.RULE,
    metavar="RULE",
    show_default="learned; of players formula",
    help=f"the rule beside FIDE's: a checkpoint, {', '.join(RULES)}",
)
@click.option("--team", metavar="NAME", help="what the next round's matches do to its chances")
@click.option(
    "--pairings",
    type=click.Path(),
    metavar="FILE",
    show_default="the file's, else the simulator's",
    help="the next round: a CSV of team_a and team_b (players: white_player and black_player)",
)
@click.option(
    "--continuations",
    type=arguments.count("continuations", 1, 1_000_000),
    default=10_000,
    metavar="N",
    help="how often the rounds left are played",
)
@arguments.seed("of the continuations")
@arguments.flag("--wide", "all teams, also those without a chance of the first ten")
@form_options(PAGE)
@arguments.reads
@arguments.plays
def forecast(
    event: str,
    after: int | None,
    rounds: int | None,
    tiebreak: str | None,
    team: str | None,
    pairings: str | None,
    continuations: int,
    seed: int,
    wide: bool,
    format: str | None,
    out: str | None,
) -> None:
    """Chances of places in an event with rounds left.

    Strengths follow from ratings and the results so far; the simulator pairs and plays the rounds
    left, which FIDE's rule and RULE rank. With --team, and the next round paired: what its results
    do to that team's chances.
    """
    from tb2learn.events import read_event
    from tb2learn.forecasts import chance_text, request
    from tb2learn.simulation.run import Progress

    form = chosen_form(format, out, PAGE)
    data = read_event(event, arguments.reading_asked())
    plan = request.Plan(after, tiebreak, team, pairings, rounds)
    found = request.make(data, plan, continuations, seed, Progress("forecast"))

    def page() -> bytes:
        from tb2learn.report.forecast import forecast_page

        return forecast_page(found, request.notes(found)).encode()

    texts = {
        "table": partial(chance_text.forecast_table, found, wide),
        "csv": partial(chance_text.forecast_csv, found),
        "json": partial(chance_text.forecast_json, found),
    }
    deliver(form, out, texts, {"html": page})
    say_notes(data.notes)
    for note in request.notes(found):
        say(note)
