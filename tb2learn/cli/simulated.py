"""Commands that play events: train, judge rules and their incentives, how sure they are."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from tb2learn.assessment import LISTS, PROTOCOLS
from tb2learn.cli.arguments import (
    CONFIG,
    CONFIGS,
    DEFAULT_TABLE,
    EVENT,
    EVENTS,
    PICTURE,
    RULE,
    SEED_NOISE,
    LongRun,
    boards_option,
    command,
    count,
    events_and_seed,
    flag,
    folder_option,
    long_run,
    one_argument,
    option,
    plays,
    rounds_option,
    rules_argument,
    seed,
    world_of,
    world_option,
)
from tb2learn.cli.output import Output, OutputFile, say, say_note, say_played, show
from tb2learn.limits import MAX_RATING, MOST_EVENTS
from tb2learn.tiebreaks.library import REFERENCES, RULES

if TYPE_CHECKING:
    from tb2learn.assessment.error_rates import Assessment
    from tb2learn.config import Config

_world = world_option("the first checkpoint's own")
_RATING = count("a rating", 0, MAX_RATING, kind=float)


class _Size(NamedTuple):
    """The options of `sized`: events of another size or field."""

    teams: int | None
    rounds: int | None
    boards: int | None
    name: str | None
    form: Literal["swiss", "round-robin"] | None
    low: float | None
    high: float | None
    like: str | None

    def config(self, source: str) -> Config:
        """A configuration by name, for events of another size or field.

        What is made after the shipped table is a new one, in today's pairing.
        """
        from tb2learn.catalogue import find_config
        from tb2learn.config import field_like, field_of, resized

        # An invented field, or that of a recorded event: one of them says the strengths.
        bounds = self.low is not None or self.high is not None
        if bounds and self.like:
            raise click.UsageError("--field is instead of --from and --to")
        base, teams, field = find_config(source, self.boards), self.teams, None
        if bounds:
            field = field_of(self.low, self.high)
        elif self.like:
            from tb2learn.events import read_event

            event = read_event(self.like)
            # As many teams as the event has, unless a number was named.
            teams = teams or len(event.teams)
            field = field_like(event.mean_ratings, teams, self.like)
        # A new table is for events of today, however the shipped one was trained.
        today = source == DEFAULT_TABLE
        sizes = teams, self.rounds, self.boards
        return resized(base, *sizes, self.name, today, self.form, field)


sized = one_argument(
    "size",
    _Size,
    "Options",
    option("--teams", "teams of the events", "N", count("teams", 2, 1000)),
    rounds_option("rounds of the events"),
    boards_option("games a match"),
    option("--name", "name of what is made", "NAME", usual="my-60x9"),
    option(
        "--format",
        "how teams meet; a round robin has the rounds that it needs",
        type=click.Choice(["swiss", "round-robin"]),
        usual="round-robin where the rounds are as many as everybody needs to meet everybody",
        to="form",
    ),
    option("--from", "weakest team of an invented field", "RATING", _RATING, "1700", "low"),
    option("--to", "strongest team of an invented field", "RATING", _RATING, "2800", "high"),
    option(
        "--field",
        "recorded event with ratings, whose strengths the teams have: a file or a packaged name",
        "EVENT",
        EVENT,
        "the configuration's",
        "like",
    ),
)


@command(
    "tb2learn train --teams 60 --rounds 9 --boards 4",
    "tb2learn train --teams 12 --format round-robin --from 2000 --to 2500",
    "tb2learn train --teams 60 --rounds 9 --events 10000 --name my-60x9",
    "tb2learn train my.toml --seed 7 --out tables/my",
    "tb2learn train my.toml --events 1000000 --cluster tcp://10.0.0.1:8786",
)
@click.argument(
    "config",
    type=CONFIG,
    metavar="[CONFIG.toml]",
    required=False,
    help="a file, or a name of 'tb2learn list worlds'; as the shipped table if not given",
)
@sized
@events_and_seed("simulated events")
@option(
    "--out",
    "name (in checkpoints/) or path of the checkpoint",
    "NAME",
    usual="the configuration's name",
)
@long_run
@plays
def train(
    config: str | None,
    size: _Size,
    events: int | None,
    seed: int | None,
    out: str | None,
    long: LongRun,
) -> None:
    """Train a table for events of a size.

    Name the teams and rounds, or a configuration (see tb2learn config). Prints the file written,
    how many ties today's rule and the new ones decide wrongly, whether the events were too few, and
    what was assumed. A long run keeps its progress beside the result; after it was stopped or
    killed, --resume continues it.
    """
    from tb2learn.catalogue import means_other
    from tb2learn.config import check_name, to_dict, with_plan
    from tb2learn.disk import files
    from tb2learn.running.processors import large_kernels
    from tb2learn.training import checkpoint

    # The rounds of a round robin follow from its teams.
    in_league = size.form == "round-robin"
    if config is None and not ((size.teams or size.like) and (size.rounds or in_league)):
        raise click.UsageError(
            "name --teams and --rounds (or --format round-robin), or a configuration"
        )
    planned = with_plan(size.config(config or DEFAULT_TABLE), events, seed)
    # A name alone goes where other commands look for names.
    place, name = os.path.split(out or planned.name)
    folder = Path(place or "checkpoints")
    check_name("checkpoint name", name)
    # Before the work, which may take hours.
    files.check_file(folder / f"{name}.npz")
    about = {"command": "train", "name": name, "config": to_dict(planned)}
    # Only whole numbers are counted then, which no choice of kernels rounds otherwise.
    counting = large_kernels() if planned.train.objective == "difficulty" else nullcontext()
    # The result is written while progress is still kept: if that fails nothing is lost.
    with long.run(folder / name, about) as run, counting:
        trained = checkpoint.train(planned, name, progress=True, run=run)
        path = checkpoint.save(trained, folder)
        show(f"{path}\n")
    # First how good it is, then what to do about it, then what it was made for.
    notes = trained.notes()
    if notes.better:
        show(f"{notes.better}\n")
    if notes.few:
        say(notes.few)
    if not place and means_other(path):
        say(f"{name} is the one that is shipped; {path} is taken only by its path")
    show(f"{notes.assumed}\n")


@command(
    f"tb2learn config {DEFAULT_TABLE}",
    f"tb2learn config {DEFAULT_TABLE} --teams 60 --rounds 9 --name my-60x9",
    "tb2learn config round-robin-12 --teams 10 --rounds 9",
)
@click.argument(
    "config",
    type=CONFIG,
    metavar="CONFIG",
    help=f"a file, or a name of 'tb2learn list worlds'; {DEFAULT_TABLE}: that of the shipped table",
)
@sized
def config(config: str, size: _Size) -> None:
    """Print a configuration, to change and to train with.

    Write it to a file: tb2learn config learned > my.toml
    """
    from tb2learn.config import to_toml

    show(to_toml(size.config(config)))


@command("tb2learn quickstart", "tb2learn quickstart --events 20000 --out reports/long")
@events_and_seed("simulated events to train on", 4000)
@option("--assessed", "fresh events to assess on", "N", EVENTS, default=1000)
@folder_option("folder of the report", "index.html", default="reports/quickstart")
@plays
def quickstart(events: int, seed: int, assessed: int, out: str) -> None:
    """Train, assess, export and rank Baku 2016 with one command.

    The tables are for 180 teams and 11 rounds, paired as today. Writes a report and says in a few
    lines what came out.
    """
    from tb2learn.report.quickstart import quickstart

    show("".join(f"{line}\n" for line in quickstart(Path(out), events, assessed, seed)))


@command(
    f"tb2learn assess {DEFAULT_TABLE}",
    f"tb2learn assess {DEFAULT_TABLE} --protocol thesis --lists swapped --events 500",
    f"tb2learn assess {DEFAULT_TABLE} game-points least-squares --seed-noise 50",
    f"tb2learn assess {DEFAULT_TABLE} --on seeded-180x11 --figure errors.png",
    f"tb2learn assess {DEFAULT_TABLE} --json - | jq .rows",
    f"tb2learn assess {DEFAULT_TABLE} --events 1000000 --json long.json --resume",
)
@rules_argument(
    f"checkpoints; the rules {', '.join(RULES)} (sums also with -cutN or -medianN; "
    f"rules joined by + decide in this order); the references {', '.join(REFERENCES)}"
)
@_world
@option(
    "--seed-noise",
    "noise of the ratings that teams are seeded by (standard deviation); inf: random order",
    "POINTS",
    SEED_NOISE,
    "the configuration's",
)
@events_and_seed("fresh events", 2000)
@option(
    "--protocol",
    "single: rules see the results of the event; thesis: tied teams replay lists of opponents "
    "30 times",
    type=click.Choice(PROTOCOLS),
    default="single",
)
@option(
    "--lists",
    "whose list of opponents a team replays in the thesis protocol",
    type=click.Choice(LISTS),
    default="own",
)
@option(
    "--against",
    "rule, or list of tie-breaks (GPTS,DE), that the others are compared with",
    "RULE",
    RULE,
    "today's rule of the format",
)
@flag(
    "--ideal",
    "also count what an ideal rule that knows all but the seeds does, on at most 5000 events; "
    "takes long and is kept",
)
@option("--figure", "also draw the result", "FILE.png", PICTURE)
@option(
    "--json", "also write the result as JSON; - prints only it", "FILE", OutputFile(screen=True)
)
@long_run
@plays
def assess(
    rules: tuple[str, ...],
    on: str | None,
    seed_noise: float | None,
    events: int,
    seed: int,
    protocol: str,
    lists: str,
    against: str | None,
    ideal: bool,
    figure: str | None,
    json: str | None,
    long: LongRun,
) -> None:
    """Error rates of rules on fresh simulated events.

    How often a rule orders two teams on equal match points otherwise than the oracle, in which
    everybody plays everybody, with 95 % intervals. All rules are judged on the same events, and
    compared with today's rule of the format: FIDE's product rule in a Swiss of teams, game points,
    direct encounter and EMMSB in a round robin.
    """
    from tb2learn.assessment.error_rates import assess
    from tb2learn.assessment.references import find_judged
    from tb2learn.catalogue import first_checkpoint
    from tb2learn.config import to_dict
    from tb2learn.simulation.simulate import Progress

    trained = first_checkpoint(rules)
    config = world_of(on, rules)
    # The world of --on, or of the checkpoint, but for its seeds.
    if seed_noise is not None:
        config = replace(config, field=replace(config.field, seed_noise=seed_noise))
    # Today's rule of the format, or that of --against, is judged with them.
    judged = find_judged(rules, config.setting, against or "")
    # Rounding is counted for a single table in its own format.
    alone = len(rules) == 1 and trained and trained.config.event == config.event
    fine = trained.unrounded() if trained and alone else None
    # What the result depends on, by which a run is known again.
    plan = {"protocol": protocol, "lists": lists, "events": events, "seed": seed}
    # A run is not resumed with a rule that has changed.
    digests = [[judge.name, judge.digest()] for judge in (*judged, *([fine] if fine else []))]
    kept = {**plan, "ideal": ideal}
    about = {"command": "assess", **kept, "config": to_dict(config), "rules": digests}
    target = _result_path(json, trained.name if trained else config.name, plan.values())
    for judge in judged:
        say_note(judge, config.event.teams)
    with long.run(target, about) as run:
        say_played(config)
        shown = Progress("assess", run)
        result = assess(config, judged, **plan, unrounded=fine, progress=shown, ideal=ideal)
        _write(result, json, figure)


def _write(result: Assessment, json: str | None, figure: str | None) -> None:
    from tb2learn.disk import files
    from tb2learn.report.assessment import assessment_table, assessment_text

    # Files first: what is shown on the screen says that all went well.
    as_json = assessment_table(result).json() if json else ""
    if json and json != "-":
        files.write_text(Path(json), as_json)
    if figure:
        from tb2learn.report.figures import errors_figure
        from tb2learn.report.style import figure_png

        files.write_bytes(Path(figure), figure_png(errors_figure(result.frame)))
    # With `--json -` other programs read along: nothing but JSON.
    text = assessment_text(result, Output("table").width)
    show(as_json if json == "-" else text)


def _result_path(json: str | None, name: str, what: Iterable[object]) -> Path:
    """The file of the result; without one, the file that progress is named after."""
    if json and json != "-":
        return Path(json)
    from tb2learn.running.runs import state_folder

    # The working folder may be read-only: progress then goes to the user's own.
    folder = Path() if os.access(".", os.W_OK) else state_folder()
    return folder / "-".join(["assess", name, *map(str, what)])


@command(
    f"tb2learn probe {DEFAULT_TABLE} product --probes 100000",
    "tb2learn probe learned-38x9 --on small-20x7",
    f"tb2learn probe product {DEFAULT_TABLE} formula least-squares --coalition 2 --probes 2000",
    f"tb2learn probe product {DEFAULT_TABLE} --others --on seeded-180x11 --probes 9000",
)
@rules_argument("checkpoints or rules without one")
@_world
@option("--probes", "matches that are tried", "N", count("probes", 1, MOST_EVENTS), default=20_000)
@option(
    "--coalition",
    "2: how many places the two teams of a match win by arranging one game point",
    "TEAMS",
    count("coalition", 1, 2),
    default=1,
)
@flag("--others", "how much the order of a tie depends on last-round matches of others")
@seed("names the events")
@plays
def probe(
    rules: tuple[str, ...], on: str | None, probes: int, coalition: int, others: bool, seed: int
) -> None:
    """Whether half a point more can lower a team's score.

    Changes the results of simulated matches by half a point, one at a time. With --coalition 2 one
    game point is moved, either way, and places that the two teams win together are counted. With
    --others every match of last rounds gets every other result, and turned orders are counted.
    """
    from tb2learn.assessment import dependence
    from tb2learn.assessment.coalition_probes import probe_coalitions
    from tb2learn.assessment.half_point_probes import probe_rules
    from tb2learn.catalogue import find_rule
    from tb2learn.report.assessment import coalitions_table, others_table, probes_table
    from tb2learn.simulation.simulate import Progress
    from tb2learn.types import InputError

    if others and coalition == 2:
        raise InputError("--others and --coalition 2 are different probes: ask for one")
    config = world_of(on, rules)
    event = config.event
    rules_of_event = [find_rule(name, event.rounds, event.boards, event.teams) for name in rules]
    say_played(config)
    for rule in rules_of_event:
        say_note(rule, config.event.teams)
    if others:
        # As many events as have that many matches in a last round, rounded up.
        events = -(-probes // max(event.teams // 2, 1))
        dependent = dependence.dependence(config, rules_of_event, events, seed, Progress("probe"))
        table = others_table(dependent, events)
    elif coalition == 2:
        table = coalitions_table(
            probe_coalitions(config, rules_of_event, probes, seed, label="probe")
        )
    else:
        table = probes_table(probe_rules(config, rules_of_event, probes, seed, label="probe"))
    show(table.text(Output("table").width))


@command(
    "tb2learn calibrate learned",
    "tb2learn calibrate my-60x9 --worlds my-60x9.toml --spread --elsewhere my-other-60x9.toml",
    "tb2learn calibrate learned formula --out my-checkpoints",
)
@rules_argument(
    "checkpoints or rules without one; without any, those that are shipped, in every format",
    required=False,
)
@option(
    "--worlds",
    "configurations in whose mixture the probabilities are fitted",
    "CONFIG,...",
    CONFIGS,
    "rosters and games of Baku 2016, spread",
)
@click.option(
    "--spread",
    is_flag=True,
    help="play each of --worlds with random seeds and with seeds near the truth, on days without a "
    "shock and with shocks of 45 and 90 points; in other fields, too, to fit",
)
@option("--elsewhere", "further configurations to judge them in", "CONFIG,...", CONFIGS, "none")
@events_and_seed("simulated events of every world, to fit and again to judge", 200)
@folder_option("folder of the checkpoint, for the file in confidence/", default="checkpoints")
@plays
def calibrate(
    rules: tuple[str, ...],
    worlds: list[str] | None,
    spread: bool,
    elsewhere: list[str] | None,
    events: int,
    seed: int,
    out: str,
) -> None:
    """Fit how sure a rule's order of two tied teams is.

    Plays events, counts how often the higher of two tied scores is that of the better team, and
    writes a file with one constant a number of rounds and of own match points, and how the event
    stretches them. `rank --confidence` uses it.
    """
    from tb2learn.assessment import calibration
    from tb2learn.catalogue import find_rule
    from tb2learn.disk import files
    from tb2learn.tiebreaks.confidence_map import confidence_name, to_json

    folder = Path(out) / "confidence"
    # Before the events are played, which takes minutes.
    files.check_folder(folder)
    for mixture in calibration.asked_mixtures(rules, worlds, elsewhere, spread):
        for world in mixture.homes():
            say_played(world)
        calibrated = calibration.calibrate(mixture, events, seed)
        # Formats of one rule come one after the other, and stand in one file.
        for name, group in itertools.groupby(calibrated, lambda fit: fit.rule.name):
            fits = list(group)
            # The rule at the numbers of rounds between those that were fitted.
            find = functools.partial(find_rule, name, boards=fits[0].rule.boards)
            path = folder / f"{confidence_name(fits[0].rule)}.json"
            files.write_text(path, to_json(calibration.maps_of(fits, find)))
            show(f"{path}\n")
