"""Commands that write reports: quickstart, leaderboard, robustness and the studies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tb2learn.cli import arguments
from tb2learn.cli.arguments import Group, RulesCommand, command, compiles, out, seeded
from tb2learn.cli.events import say_event_notes
from tb2learn.cli.output import show

if TYPE_CHECKING:
    from tb2learn.events import TeamEvent


def _trained(events: int, what: str) -> arguments.Decorator:
    """`--trained`: how many events a study fits to."""
    return click.option(
        "--trained",
        type=arguments.EVENTS,
        default=events,
        metavar="N",
        help=f"events of {what}",
    )


@command("tb2learn quickstart", "tb2learn quickstart --events 20000 --out reports/long")
@seeded("simulated events to train on", 4000)
@click.option(
    "--assessed", type=arguments.EVENTS, default=2000, metavar="N", help="fresh events to assess on"
)
@out("reports/quickstart", "index.html")
@compiles()
def quickstart(events: int, seed: int, assessed: int, out: str) -> None:
    """Train, assess, export and rank Baku 2016 with one command.

    The tables are for the format of the Chess Olympiad of 2016. Writes a report and prints its
    path.
    """
    from tb2learn.studies.quickstart import quickstart

    show(f"{quickstart(Path(out), events, assessed, seed)}\n")


@command("tb2learn leaderboard --events 20000 --out reports/assessment")
@seeded("fresh events of the single-event protocol", 20_000)
@out("reports/assessment")
@compiles()
def leaderboard(events: int, seed: int, out: str) -> None:
    """Compare all rules: both protocols, real events, incentives.

    Writes a report and prints its path.
    """
    from tb2learn.studies.leaderboard import leaderboard

    show(f"{leaderboard(Path(out), events, seed)}\n")


@command("tb2learn robustness --events 2000 --out reports/robustness.md")
@_trained(3000, "the world that a table is fitted to")
@seeded("fresh events of every configuration", 2000)
@click.option(
    "--out",
    type=arguments.report_file,
    default="reports/robustness.md",
    metavar="FILE.md",
    help="the report",
)
@compiles()
def robustness(trained: int, events: int, seed: int, out: str) -> None:
    """Assess the tables of every configuration in all of them.

    Writes a report and prints its path.
    """
    from tb2learn.studies.robustness import robustness

    show(f"{robustness(Path(out), trained, events, seed)}\n")


@command("tb2learn reproduce thesis", "tb2learn reproduce thesis --out reports/thesis.md")
@click.argument("what", type=click.Choice(["thesis"]), help="what is reproduced")
@seeded("simulated events in the log")
@click.option(
    "--assessed", type=arguments.EVENTS, default=1000, metavar="N", help="events of the assessment"
)
@click.option(
    "--out",
    type=arguments.report_file,
    metavar="FILE.md",
    help="also write it to a file, with its figure and a CSV beside it",
)
@compiles()
def reproduce(
    what: str, events: int | None, seed: int | None, assessed: int, out: str | None
) -> None:
    """Recompute the printed figures of the thesis."""
    from tb2learn.config import load_config, with_plan
    from tb2learn.disk import files
    from tb2learn.studies.thesis import as_text, reproduce_thesis, write_report

    config = with_plan(load_config("thesis-180x11"), events, seed)
    if out:
        files.check_file(*(Path(out).with_suffix(ending) for ending in (".md", ".png", ".csv")))
    found = reproduce_thesis(config, assessed, config.train.seed, progress=True)
    if out:
        write_report(found, Path(out))
    show(as_text(found))


_EXAMPLES = (
    "tb2learn study tiebreaks --events 200 --out reports/tiebreaks",
    "tb2learn study rankings etcc2011 --out reports/rankings/etcc2011",
    "tb2learn study unplayed --out reports/unplayed",
    "tb2learn study games --out reports/games",
    "tb2learn study real --out reports/real",
    "tb2learn study frontier --out reports/frontier",
    "tb2learn study formula --out reports/formula",
    "tb2learn study transfer --out reports/transfer",
    "tb2learn study ratings --out reports/ratings",
    "tb2learn study multi-tier --out reports/multi-tier",
    "tb2learn study formats --out reports/formats",
    "tb2learn study pairings --out reports/pairings",
)


@click.group(cls=Group, no_args_is_help=False, examples=_EXAMPLES)
def study() -> None:
    """Studies: of the literature, repeated, and of the rules.

    Each writes a report with figures and prints its path.
    """


@command("tb2learn study tiebreaks --events 200 --out reports/tiebreaks")
@seeded("simulated events of every kind", 500)
@out("reports/tiebreaks")
@compiles()
def tiebreaks(events: int, seed: int, out: str) -> None:
    """Compare tie-breaks with global criteria (Ricca).

    On simulated events of several kinds.
    """
    from tb2learn.studies.ricca.report import study_tiebreaks

    show(f"{study_tiebreaks(Path(out), events, seed)}\n")


@command(
    "tb2learn study rankings etcc2011 --out reports/rankings/etcc2011",
    "tb2learn study rankings baku2016 --json rankings.json",
)
@click.argument("event", type=arguments.EVENT, metavar="EVENT", help=arguments.EVENT_HELP)
@out("reports/rankings")
@click.option(
    "--json",
    type=arguments.output_file,
    metavar="FILE",
    help="also write rankings and distances as JSON",
)
@compiles()
def rankings(event: str, out: str, json: str | None) -> None:
    """Rank an event by paired comparison (Csato).

    Distances between the rankings, maps, a decomposition of least squares, and how well rankings
    predict later rounds.
    """
    from tb2learn.events import rank, read_event
    from tb2learn.studies.rankings.published import published
    from tb2learn.studies.rankings.report import study_rankings
    from tb2learn.tiebreaks.rules import product_table

    data = read_event(event)
    printed = None if os.path.exists(event) else published(event)

    def official(event: TeamEvent) -> dict[str, int]:
        rows = rank(event, product_table(event.rounds, event.boards))
        return {row.team: row.place for row in rows}

    path = study_rankings(
        data,
        Path(out),
        printed.official if printed else official,
        Path(json) if json else None,
        printed,
        "rankings",
    )
    say_event_notes(data)
    show(f"{path}\n")


@command("tb2learn study unplayed --events 200 --out reports/unplayed")
@seeded("simulated events of every kind", 200)
@out("reports/unplayed")
@compiles()
def unplayed(events: int, seed: int, out: str) -> None:
    """Compare policies for unplayed rounds (Ricca).

    On simulated events with forfeits, byes and retirements, by how near tie-breaks under each
    policy come to the true order and other criteria.
    """
    from tb2learn.studies.unplayed.report import study_unplayed

    show(f"{study_unplayed(Path(out), events, seed)}\n")


@command("tb2learn study games --out reports/games")
@out("reports/games")
@compiles()
def games(out: str) -> None:
    """Fit the game model to the boards of Baku 2016.

    Writes a report with a figure, a table of games by class, and the constants that the package
    contains as data/baku2016_games.csv.
    """
    from tb2learn.studies.game_model_report import study_games

    show(f"{study_games(Path(out))}\n")


@command(
    "tb2learn study real --out reports/real",
    "tb2learn study real baku2016 event.trf my-event --rules learned-180x11 least-squares",
    cls=RulesCommand,
)
@click.argument(
    "events",
    type=arguments.EVENT,
    nargs=-1,
    metavar="[EVENT]...",
    help=f"{arguments.EVENT_HELP}; without any, these three",
)
@click.option(
    "--rules",
    type=arguments.RULE,
    multiple=True,
    metavar="RULE ...",
    show_default="product and thirteen others",
    help="checkpoints or rules without one",
)
@click.option("--seed", type=arguments.SEED, default=1, metavar="S", help="of the resampling")
@out("reports/real")
@compiles()
def real(events: tuple[str, ...], rules: tuple[str, ...], seed: int, out: str) -> None:
    """Judge rules by recorded events.

    By the ratings of teams that finished on equal match points, and by who wins when teams on
    equal match points meet later. Writes a report with a figure, and all numbers as JSON and CSV.
    """
    from tb2learn.studies.real.report import study_real

    show(f"{study_real(Path(out), events, rules, seed)}\n")


@command("tb2learn study frontier --events 1000 --trained 1000 --out reports/frontier")
@_trained(3000, "each world that a table is fitted to")
@seeded("fresh events of the world of choice (half as many in the others)", 8000)
@out("reports/frontier")
@compiles()
def frontier(trained: int, events: int, seed: int, out: str) -> None:
    """Measure what accuracy costs in fairness.

    Tables fitted to mixtures of worlds, with penalties on seed bias, judged by error and seed bias
    where seeds are near the truth. Writes a report with a figure, and all numbers as JSON and CSV.
    """
    from tb2learn.studies.frontier import frontier

    show(f"{frontier(Path(out), trained, events, seed)}\n")


@command("tb2learn study formula --events 1000 --out reports/formula")
@_trained(3200, "one descent; descents follow until a plateau")
@seeded("fresh events of every format", 1000)
@out("reports/formula")
@compiles()
def formula(trained: int, events: int, seed: int, out: str) -> None:
    """Fit the formula's constants by boards and rounds.

    Judges one closed form of them against the formula fitted to each format. Also writes the
    constants that the package contains as data/formula.csv.
    """
    from tb2learn.studies.formula import study_formula

    show(f"{study_formula(Path(out), trained, events, seed)}\n")


@command("tb2learn study individual --events 1000 --out reports/individual")
@click.option(
    "--trained",
    type=arguments.EVENTS,
    default=3200,
    metavar="N",
    help="events of one descent; descents follow until a plateau",
)
@seeded("fresh events of every world", 1000)
@out("reports/individual")
@compiles()
def individual(trained: int, events: int, seed: int, out: str) -> None:
    """Fit the formula for individual events, and judge it.

    Beside Buchholz cut 1 and FIDE's other tie-breaks. Also writes the constants that the package
    contains as data/formula_players.csv.
    """
    from tb2learn.studies.individual import study_individual

    show(f"{study_individual(Path(out), trained, events, seed)}\n")


@command("tb2learn study transfer --events 1000 --out reports/transfer")
@seeded("fresh events of 180 teams; of other fields as many as have as many teams", 1000)
@out("reports/transfer")
@compiles()
def transfer(events: int, seed: int, out: str) -> None:
    """Judge rules in formats that they were not made for.

    By how much the error of the product rule, the shipped tables and the formula grows against a
    table trained for the format: teams, rounds, boards. Also writes the facts that the package
    contains as data/transfer.csv.
    """
    from tb2learn.studies.transfer import study_transfer

    show(f"{study_transfer(Path(out), events, seed)}\n")


@command("tb2learn study ratings --out reports/ratings")
@out("reports/ratings")
def ratings(out: str) -> None:
    """Recompute rating tables and old ratings.

    FIDE's expectancy table from the normal law, its inverse, and the relative ratings of the
    Morphy period. Writes a report with a figure, and all numbers as CSV.
    """
    from tb2learn.studies.ratings import study_ratings

    show(f"{study_ratings(Path(out))}\n")


@command("tb2learn study multi-tier --events 20000 --out reports/multi-tier")
@seeded("simulated events for every number of games a pairing", 20_000)
@out("reports/multi-tier")
@compiles()
def multi_tier(events: int, seed: int, out: str) -> None:
    """Recompute and simulate a multi-tier tournament.

    The application of Brams and Ismail, its slips, and the event that it stands for. Writes a
    report with a figure, and all numbers as CSV.
    """
    from tb2learn.studies.multi_tier import study_multi_tier

    show(f"{study_multi_tier(Path(out), events, seed)}\n")


@command("tb2learn study formats --events 2000 --out reports/formats")
@seeded("simulated events of every league and format", 5000)
@out("reports/formats")
@compiles()
def formats(events: int, seed: int, out: str) -> None:
    """Judge tie-breaks of leagues, and formats.

    How often tie-breaks are wrong where everybody met the same opponents; how often the strongest
    wins a Swiss, with a final or without, a round robin, a multi-tier event, and how often each
    tie-break settles ties for the first place wrongly. Writes a report with figures, and CSV.
    """
    from tb2learn.studies.formats.report import study_formats

    show(f"{study_formats(Path(out), events, seed)}\n")


@command("tb2learn study pairings --events 40 --out reports/pairings")
@seeded("events of every size that the engine pairs", 40)
@out("reports/pairings")
@compiles()
def pairings(events: int, seed: int, out: str) -> None:
    """Compare our pairing of players with FIDE's.

    How often the pairs of every round are those of FIDE's Dutch system, by the engine py4swiss, and
    whether tie-breaks are wrong as often on its events. Writes a report with a figure, and CSV.
    """
    from tb2learn.studies.pairings.report import study_pairings

    show(f"{study_pairings(Path(out), events, seed)}\n")


for _one in (
    *(tiebreaks, rankings, unplayed, games, real, frontier, formula, transfer),
    *(individual, ratings, multi_tier, formats, pairings),
):
    study.add_command(_one)
