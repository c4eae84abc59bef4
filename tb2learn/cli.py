"""The command line: thin commands over the library.

Results go to standard output, progress and messages to standard error. Bad input is one line and
exit status 2.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import jax

from tb2learn import __version__, checkpoint, files
from tb2learn.assess import LISTS, PROTOCOLS, assess
from tb2learn.config import Config, check_name, load_config, to_dict
from tb2learn.events import (
    POLICIES,
    Criterion,
    EventData,
    compare,
    explain,
    fide_order,
    has_working,
    parse_criteria,
    rank,
    read_event,
    unplayed_notes,
)
from tb2learn.events.criteria import SUMS
from tb2learn.events.formats.convert import FORMS, convert
from tb2learn.export import table as export_table
from tb2learn.export import text
from tb2learn.export.assessment import assessment_json, assessment_text
from tb2learn.export.words import LANGUAGES
from tb2learn.incentive import probe_rules
from tb2learn.limits import REFERENCES, Reference
from tb2learn.progress import Run, Stopped
from tb2learn.rules import NAMES, find_judged, find_rule, first_checkpoint
from tb2learn.simulate import Progress, is_first_host, join_hosts, use_all_cores
from tb2learn.standings import WEAKEST_RULES
from tb2learn.tables import Rule, product_table
from tb2learn.types import InputError

DEFAULT_TABLE = "learned-180x11"
DEFAULT_CONFIG = "olympiad-180x11"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    **Returns:** 0; 2 for bad input (also when the arguments are off); 130 when interrupted.
    """
    options = _parser().parse_args(arguments)
    use_all_cores()
    try:
        options.run(options)
    except InputError as error:
        print(f"tb2learn: error: {error}", file=sys.stderr)
        return 2
    except Stopped as stop:
        again = ["tb2learn", *(sys.argv[1:] if arguments is None else arguments)]
        again += [] if "--resume" in again else ["--resume"]
        print(f"tb2learn: {stop}; to go on: {shlex.join(again)}", file=sys.stderr)
        return 130
    except KeyboardInterrupt:
        print("tb2learn: interrupted; nothing was written", file=sys.stderr)
        return 130
    return 0


# --------------------------------------------------------------------------- commands


def _quickstart(options: argparse.Namespace) -> None:
    from tb2learn.quickstart import quickstart

    path = quickstart(Path(options.out), options.events, options.assessed, options.seed)
    _show(f"{path}\n")


def _train(options: argparse.Namespace) -> None:
    _join_hosts(options)
    config = _with_plan(load_config(options.config), options.events, options.seed)
    target = Path(options.out or config.name)
    name = check_name("checkpoint name", target.name)
    folder = target.parent if target.parent != Path() else Path("checkpoints")
    about = {"command": "train", "name": name, "config": to_dict(config)}
    with _run(options, folder / name, about) as run:
        trained = checkpoint.train(config, name, progress=True, run=run)
        if is_first_host():
            for part in checkpoint.all_passes(trained):
                for path in checkpoint.save(part, folder):
                    _show(f"{path}\n")


def _join_hosts(options: argparse.Namespace) -> None:
    if options.hosts is None and options.coordinator is None and options.host is None:
        return
    # The library that carries messages between hosts writes on standard output, which is ours.
    sys.stdout = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    join_hosts(options.hosts or None, options.coordinator, options.host)


def _run(options: argparse.Namespace, result: Path, about: dict[str, Any]) -> Run:
    """The run that makes a result; its progress is kept beside it, one file a host."""
    host, hosts = jax.process_index(), jax.process_count()
    suffix = f"-{host}-of-{hosts}" if hosts > 1 else ""
    return Run(
        result.with_name(f"{result.name}.progress{suffix}"),
        {"version": __version__, "host": host, "hosts": hosts, **about},
        resume=options.resume,
        every=options.save_every,
    )


def _with_plan(config: Config, events: int | None, seed: int | None) -> Config:
    plan = config.train
    if events is not None:
        plan = replace(plan, events=events, held_out=min(plan.held_out, max(1, events // 8)))
    if seed is not None:
        plan = replace(plan, seed=seed)
    return replace(config, train=plan)


def _assess(options: argparse.Namespace) -> None:
    _join_hosts(options)
    trained = first_checkpoint(options.rule)
    if options.on:
        config = load_config(options.on)
    else:
        config = trained.config if trained else load_config(DEFAULT_CONFIG)
    if options.seed_noise is not None:
        config = replace(config, field=replace(config.field, seed_noise=options.seed_noise))
    judged = find_judged(options.rule, config)
    for rule in judged:
        if isinstance(rule, Rule):
            _note(rule)
    alone = len(options.rule) == 1 and trained and trained.config.event == config.event
    fine = trained.unrounded() if alone else None
    what = (options.protocol, options.lists, options.events, options.seed)
    about = {
        "command": "assess",
        **dict(zip(("protocol", "lists", "events", "seed"), what, strict=True)),
        "config": to_dict(config),
        "rules": [_known(rule) for rule in [*judged, *([fine] if fine else [])]],
    }
    if options.json and options.json != "-":
        result_path = Path(options.json)
    else:
        # Nothing need be written here; where nothing can be, progress is kept elsewhere.
        folder = Path() if os.access(".", os.W_OK) else Path(tempfile.gettempdir())
        name = trained.name if trained else config.name
        result_path = folder / "-".join(["assess", name, *map(str, what)])
    if options.figure:
        files.check_folder(Path(options.figure).parent)
    with _run(options, result_path, about) as run:
        result = assess(
            config,
            judged,
            options.events,
            options.seed,
            options.protocol,
            options.lists,
            unrounded=fine,
            progress=Progress("assess", run),
        )
        if not is_first_host():
            return
        if options.json and options.json != "-":
            files.write_text(result_path, assessment_json(result))
        if options.figure:
            from tb2learn.report import figure_png, leaderboard_figure

            files.write_bytes(Path(options.figure), figure_png(leaderboard_figure(result)))
        _show(assessment_json(result) if options.json == "-" else assessment_text(result))


def _known(rule: Rule | Reference) -> list[str]:
    return [rule.name, rule.digest() if isinstance(rule, Rule) else ""]


def _show(content: str) -> None:
    """Write a result to standard output at once: while the progress of its run is still kept.

    **Raises:** `InputError` if that is a file on a full disk; a reader of a pipe that has seen
    enough is no error.
    """
    try:
        sys.stdout.write(content)
        sys.stdout.flush()
    except OSError as error:
        # Python complains at exit about output that cannot be written; without this.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            reason = f"standard output: cannot be written: {error.strerror}"
            raise InputError(reason) from error


def _export(options: argparse.Namespace) -> None:
    formats = options.format.split(",")
    for name in formats:
        if name not in _EXPORTS:
            raise InputError(f"--format must be of {', '.join(_EXPORTS)}, got {name!r}")
    rule = checkpoint.load(options.checkpoint).rule(options.rounds)
    _note(rule)
    suffix = f"-{rule.event_rounds}-rounds" if rule.note else ""
    language = "" if options.lang == "en" else f".{options.lang}"
    # Everything is made before anything is written: no format is refused after another is there.
    made = {name: _EXPORTS[name](rule, options) for name in dict.fromkeys(formats)}
    for name, content in made.items():
        path = Path(options.out) / f"{rule.name}{suffix}{language}.{name}"
        files.write_bytes(path, content.encode() if isinstance(content, str) else content)
        _show(f"{path}\n")


# The libraries of these three are needed by no other command.


def _xlsx(rule: Rule, options: argparse.Namespace) -> bytes:
    from tb2learn.export.xlsx import table_xlsx

    return table_xlsx(rule, options.lang)


def _pdf(rule: Rule, options: argparse.Namespace) -> bytes:
    from tb2learn.export.pdf import table_pdf

    return table_pdf(rule, options.lang, booklet=not options.pages)


def _html(rule: Rule, options: argparse.Namespace) -> str:
    from tb2learn.export.html import table_html

    return table_html(rule, options.lang)


_EXPORTS: dict[str, Callable[[Rule, argparse.Namespace], str | bytes]] = {
    "csv": lambda rule, options: export_table.table_csv(rule, options.lang),
    "json": lambda rule, options: export_table.table_json(rule, options.lang),
    "xlsx": _xlsx,
    "pdf": _pdf,
    "html": _html,
}


def _tiebreak(name: str, rounds: int, boards: int) -> Rule:
    rule = find_rule(name, rounds, boards)
    _note(rule)
    return rule


def _note(rule: Rule) -> None:
    if rule.note:
        _say(rule.note)


def _say(note: str) -> None:
    print(f"tb2learn: note: {text.plain(note)}", file=sys.stderr)


def _event(options: argparse.Namespace) -> EventData:
    event = read_event(options.event)
    return event if options.after is None else event.after(options.after)


def _say_notes(event: EventData, by: Rule | Sequence[Criterion] = ()) -> None:
    """What the reader of a result should know of its event; not before there is a result."""
    for note in (*event.notes, *unplayed_notes(event, by)):
        _say(note)
    if event.planned > event.rounds:
        _say(f"{event.name}: after {event.rounds} of {event.planned} rounds")


def _criteria(options: argparse.Namespace, event: EventData) -> tuple[Criterion, ...]:
    def find(name: str) -> Rule:
        return _tiebreak(name, event.rounds, event.boards)

    if options.tiebreaks is not None:
        return parse_criteria(options.tiebreaks, find)
    return fide_order(find(options.tiebreak))


def _rank(options: argparse.Namespace) -> None:
    event = _event(options)
    criteria = _criteria(options, event)
    rows = rank(event, criteria, options.weakest, options.unplayed)
    _say_notes(event, criteria)
    _show(text.RANKINGS[options.format](rows))


def _explain(options: argparse.Namespace) -> None:
    event = _event(options)
    by: list[Rule | Criterion]
    if options.tiebreaks is not None:
        by = [one for one in _criteria(options, event) if has_working(one)]
        if not by:
            raise InputError(f"nothing in {options.tiebreaks!r} is a sum over opponents")
    else:
        by = [product_table(event.rounds, event.boards)]
        if options.tiebreak != "product":
            by.append(_tiebreak(options.tiebreak, event.rounds, event.boards))
    workings = explain(event, options.team, by, options.weakest, options.unplayed)
    if not POLICIES[options.unplayed].plain_sums:
        _say(f"under {options.unplayed} totals are averages put back on the scale of all rounds")
    _say_notes(event)
    _show(text.WORKINGS[options.format](workings))


def _compare(options: argparse.Namespace) -> None:
    from tb2learn import report

    event = _event(options)
    old = product_table(event.rounds, event.boards)
    new = _tiebreak(options.tiebreak, event.rounds, event.boards)
    compared = compare(event, old, new, unplayed=options.unplayed)
    shown = [rule for rule in (old, new) if has_working(rule)]
    fight = explain(event, compared.first_place, shown, unplayed=options.unplayed)
    _say_notes(event, new)
    _show(text.comparison_text(compared) + "\n" + text.working_text(fight))
    if options.out:
        folder = Path(options.out)
        files.write_text(folder / "comparison.csv", text.comparison_csv(compared))
        files.write_text(folder / "index.html", report.compare_page(event, compared, fight))
        _show(f"{folder / 'index.html'}\n")


def _convert(options: argparse.Namespace) -> None:
    paths, losses = convert(options.event, Path(options.out), options.to, options.overwrite)
    for loss in losses:
        _say(f"not held by {options.out}: {loss}")
    _show("".join(f"{path}\n" for path in paths))


def _info(options: argparse.Namespace) -> None:
    trained = checkpoint.load(options.checkpoint)
    about = checkpoint.summary(trained)
    if options.json:
        _show(json.dumps(about, indent=2, allow_nan=False) + "\n")
        return
    config, event, field, game = (
        trained.config,
        trained.config.event,
        trained.config.field,
        trained.config.game,
    )
    model = "fitted model" if game.model == "fitted" else f"tail {game.tail}"
    shock = f", day shock {game.day_shock:g}" if game.day_shock else ""
    _show(
        f"{trained.name}: {config.description}\n"
        f"  format    {event.teams} teams, {event.rounds} rounds, {event.boards} boards\n"
        f"  field     {field.kind}, seed noise {field.seed_noise:g}; game {model}{shock}\n"
        f"  trained   for {config.train.objective}: {about['events']} events, "
        f"seed {about['seed']}, tb2learn {about['version']}\n" + _fit_lines(about)
    )


def _fit_lines(about: dict[str, Any]) -> str:
    lines = ""
    if "scale" in about:
        rounds = about["config"]["event"]["rounds"]
        boards = about["config"]["event"]["boards"]
        a, k = about["scale"] * 2 * rounds, about["refinement"] * 2 * rounds / boards
        lines += (
            f"  formula   a = {a:.3g} match points, k = {k:.3g} match points a game point, "
            f"{about['config']['decisions']['passes']} passes\n"
        )
    for number, judged in enumerate(about.get("passes", ()), start=1):
        pairs, wrong = judged["held_out_pairs"], judged["held_out_errors"]
        share = f"{wrong / pairs:.4f}" if pairs else "none"
        name = f"pass {number}" if len(about["passes"]) > 1 else "errors"
        lines += (
            f"  {name:<10}{share} of {pairs} tied pairs wrong on {about['held_out_events']} "
            "held-out events\n"
        )
    if "deviance" in about:
        lines += (
            f"  deviance  {about['deviance']:.3e} fitted, {about['held_out_deviance']:.3e} on "
            f"{about['held_out_events']} held-out events (raw log there: "
            f"{about['held_out_noise']:.3e})\n"
        )
    return lines


def _ratings(options: argparse.Namespace) -> None:
    from tb2learn.leaderboard import against_table, real_events

    _show("\n".join(against_table(real_events(options.event, options.rules, options.seed))) + "\n")


def _probe(options: argparse.Namespace) -> None:
    from tb2learn.leaderboard import incentive_table

    trained = first_checkpoint(options.rule)
    config = load_config(options.on) if options.on else None
    config = config or (trained.config if trained else load_config(DEFAULT_CONFIG))
    rules = [_tiebreak(name, config.event.rounds, config.event.boards) for name in options.rule]
    found = probe_rules(config, rules, options.probes, options.seed, label="probe")
    _show("\n".join(incentive_table(found)) + "\n")


def _leaderboard(options: argparse.Namespace) -> None:
    from tb2learn.leaderboard import leaderboard

    _show(f"{leaderboard(Path(options.out), options.events, options.seed)}\n")


def _robustness(options: argparse.Namespace) -> None:
    from tb2learn.leaderboard import robustness

    path = robustness(Path(options.out), options.trained, options.events, options.seed)
    _show(f"{path}\n")


def _study_tiebreaks(options: argparse.Namespace) -> None:
    from tb2learn.study_tiebreaks import study_tiebreaks

    _show(f"{study_tiebreaks(Path(options.out), options.events, options.seed)}\n")


def _study_unplayed(options: argparse.Namespace) -> None:
    from tb2learn.study_unplayed import study_unplayed

    _show(f"{study_unplayed(Path(options.out), options.events, options.seed)}\n")


def _study_rankings(options: argparse.Namespace) -> None:
    from tb2learn.study_rankings import published, study_rankings

    event = read_event(options.event)
    printed = None if os.path.exists(options.event) else published(options.event)

    def official(event: EventData) -> dict[str, int]:
        rows = rank(event, product_table(event.rounds, event.boards))
        return {row.team: row.place for row in rows}

    path = study_rankings(
        event,
        Path(options.out),
        printed.official if printed else official,
        Path(options.json) if options.json else None,
        printed,
        "rankings",
    )
    _say_notes(event)
    _show(f"{path}\n")


def _reproduce(options: argparse.Namespace) -> None:
    from tb2learn.reproduce import as_text, reproduce_thesis

    config = _with_plan(load_config("thesis-180x11"), options.events, options.seed)
    if options.out:
        files.check_folder(Path(options.out).parent)
    content = as_text(reproduce_thesis(config, options.assessed, config.train.seed, progress=True))
    if options.out:
        files.write_text(Path(options.out), content)
    _show(content)


# --------------------------------------------------------------------------- arguments


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, like every other error."""
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def _count(what: str, low: int, high: int):
    def parse(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{what} must be {low}..{high}, got {value[:40]!r}")
        return number

    return parse


def _hosts(value: str) -> int:
    """A number of hosts, or 0 for what the environment says."""
    return 0 if value == "auto" else _count("hosts", 1, 10_000)(value)


def _address(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise argparse.ArgumentTypeError(f"coordinator must be ADDRESS:PORT, got {value[:40]!r}")
    return value


def _picture(value: str) -> str:
    if not value.endswith(".png"):
        raise argparse.ArgumentTypeError(f"a figure must be a .png file, got {value[:40]!r}")
    return value


def _seed_noise(value: str) -> float:
    try:
        noise = float(value)
    except ValueError:
        noise = -1.0
    if not noise >= 0:
        raise argparse.ArgumentTypeError(f"seed noise must be 0..inf, got {value[:40]!r}")
    return noise


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"seconds must be 0 or more, got {value[:40]!r}")
    return seconds


_EVENTS = _count("events", 1, 10**9)
_SEED = _count("seed", 0, 2**32 - 1)


_EVENT = "a folder with matches.csv, a TRF16, TRF26 or PGN file, or a packaged event (baku2016)"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="tb2learn",
        description="Learned tie-break tables for chess team events: simulate, train, assess, "
        "export, rank.",
        epilog=f"EVENT is {_EVENT}. CHECKPOINT is a path or the name of a committed one. "
        "'tb2learn COMMAND --help' shows examples.",
    )
    parser.add_argument("--version", action="version", version=f"tb2learn {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    def command(
        name: str, run: Any, summary: str, *examples: str, among: Any = commands
    ) -> argparse.ArgumentParser:
        sub = among.add_parser(
            name,
            help=summary,
            description=summary,
            epilog="examples:\n" + "\n".join(f"  {e}" for e in examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(run=run)
        return sub

    def seeded(sub: argparse.ArgumentParser, events: int | None, what: str) -> None:
        from_config = "from the configuration" if events is None else ""
        sub.add_argument(
            "--events",
            type=_EVENTS,
            default=events,
            metavar="N",
            help=f"{what} (default {from_config or events})",
        )
        sub.add_argument(
            "--seed",
            type=_SEED,
            default=None if from_config else 1,
            metavar="S",
            help=f"names the run (default {from_config or 1})",
        )

    def long_run(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--resume", action="store_true", help="go on where this run was stopped or killed"
        )
        sub.add_argument(
            "--save-every",
            type=_seconds,
            default=60.0,
            metavar="SECONDS",
            help="how often progress is written (default 60)",
        )
        sub.add_argument(
            "--hosts",
            type=_hosts,
            metavar="N",
            help="share the run among N processes, each started with this command; "
            "'auto' asks the environment of a cluster's scheduler",
        )
        sub.add_argument(
            "--coordinator",
            type=_address,
            metavar="ADDRESS:PORT",
            help="where process 0 of several listens",
        )
        sub.add_argument(
            "--host", type=_count("host", 0, 9999), metavar="I", help="number of this process"
        )

    sub = command(
        "quickstart",
        _quickstart,
        "train, assess, export, rank Baku 2016 under both rules, write a report; prints its path",
        "tb2learn quickstart",
        "tb2learn quickstart --events 20000 --out reports/long",
    )
    seeded(sub, 4000, "simulated events to train on")
    sub.add_argument(
        "--assessed",
        type=_EVENTS,
        default=2000,
        metavar="N",
        help="fresh events to assess on (default 2000)",
    )
    sub.add_argument(
        "--out",
        default="reports/quickstart",
        metavar="DIR",
        help="folder of the report (default reports/quickstart)",
    )

    sub = command(
        "train",
        _train,
        "train a table for the format of a configuration; prints the files written",
        "tb2learn train configs/small-20x7.toml",
        "tb2learn train my-60x9.toml --events 10000 --seed 7 --out my-60x9",
        "tb2learn train my-60x9.toml --hosts 2 --coordinator 10.0.0.1:1234 --host 0",
    )
    sub.add_argument("config", metavar="CONFIG.toml", help="a file, or the name of a committed one")
    seeded(sub, None, "simulated events")
    long_run(sub)
    sub.add_argument(
        "--out",
        metavar="NAME",
        help="name (in checkpoints/) or path of the checkpoint (default: the configuration's name)",
    )

    sub = command(
        "assess",
        _assess,
        "error rates against the product rule on fresh simulated events",
        f"tb2learn assess {DEFAULT_TABLE}",
        f"tb2learn assess {DEFAULT_TABLE} --protocol thesis --lists swapped --events 500",
        f"tb2learn assess {DEFAULT_TABLE} game-points least-squares --seed-noise 50",
        f"tb2learn assess {DEFAULT_TABLE} --on baku2016-field --figure errors.png",
        f"tb2learn assess {DEFAULT_TABLE} --json - | jq .results",
        f"tb2learn assess {DEFAULT_TABLE} --events 1000000 --json long.json --resume",
    )
    sub.add_argument(
        "rule",
        nargs="+",
        metavar="RULE",
        help=f"any number of checkpoints, {', '.join(NAMES)} (sums also with -cutN or -medianN, "
        f"several joined by +); and the references {', '.join(REFERENCES)}",
    )
    sub.add_argument(
        "--on",
        metavar="CONFIG",
        help="the world to play in, a file or the name of a committed configuration (default: the "
        "first checkpoint's own)",
    )
    sub.add_argument(
        "--seed-noise",
        type=_seed_noise,
        metavar="POINTS",
        help="seed with ratings off the true strength by so much, inf for a random order "
        "(default: the world's)",
    )
    seeded(sub, 2000, "fresh events")
    long_run(sub)
    sub.add_argument("--figure", type=_picture, metavar="FILE.png", help="also draw the result")
    sub.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default="single",
        help="single: the played event is all the evidence; thesis: the teams replay "
        "lists of opponents 30 times (default single)",
    )
    sub.add_argument(
        "--lists",
        choices=LISTS,
        default="own",
        help="whose opponents are replayed in the thesis protocol (default own)",
    )
    sub.add_argument(
        "--json", metavar="FILE", help="also write the result as JSON; - prints only it"
    )

    sub = command(
        "export",
        _export,
        "write the lookup table, for print and for use; prints the files written",
        f"tb2learn export {DEFAULT_TABLE} --out tables",
        "tb2learn export olympiad-180x11 --out tables --format pdf,html --lang es",
        f"tb2learn export {DEFAULT_TABLE} --out tables --format csv --rounds 9",
    )
    sub.add_argument("checkpoint", metavar="CHECKPOINT")
    sub.add_argument("--out", required=True, metavar="DIR")
    sub.add_argument(
        "--format",
        default="csv,json",
        metavar="LIST",
        help=f"comma separated: {', '.join(_EXPORTS)} (default csv,json)",
    )
    sub.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=LANGUAGES[0],
        help="language of labels and instruction (default en)",
    )
    sub.add_argument(
        "--pages",
        action="store_true",
        help="PDF with a page for every own MP (default: a booklet with several on a page)",
    )
    sub.add_argument(
        "--rounds",
        type=_count("rounds", 1, 15),
        metavar="N",
        help="tabulate for another number of rounds; the table says so",
    )

    def event_command(
        name: str, run: Any, summary: str, tiebreak: str, *examples: str
    ) -> argparse.ArgumentParser:
        sub = command(name, run, summary, *examples)
        sub.add_argument("event", metavar="EVENT", help=_EVENT)
        sub.add_argument(
            "--unplayed",
            choices=tuple(POLICIES),
            default="baku2016",
            metavar="POLICY",
            help="what unplayed rounds count for: "
            + "; ".join(f"{one.name} ({one.summary})" for one in POLICIES.values())
            + " (default baku2016)",
        )
        sub.add_argument(
            "--after",
            type=_count("rounds", 1, 15),
            metavar="N",
            help="as it stood after round N (default: after the last finished one)",
        )
        sub.add_argument(
            "--tiebreak",
            default=tiebreak,
            metavar="RULE",
            help=f"the rule of TB2: a checkpoint, {', '.join(NAMES)} (default {tiebreak})",
        )
        return sub

    def ordered(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--tiebreaks",
            metavar="LIST",
            help="instead of MP, TB2, GP, TB4: criteria in the order that they decide, with commas "
            f"between: mp, gp, played, tb2:RULE, {SUMS}, or a rule without a checkpoint",
        )
        sub.add_argument(
            "--weakest",
            choices=WEAKEST_RULES,
            default=WEAKEST_RULES[0],
            help="which of several opponents with the fewest match points is left out "
            f"(default {WEAKEST_RULES[0]})",
        )
        sub.add_argument("--format", choices=("table", "csv", "json"), default="table")

    ordered(
        event_command(
            "rank",
            _rank,
            "standings of a real event: place, team, MP, TB2, GP, TB4",
            "product",
            "tb2learn rank baku2016",
            f"tb2learn rank my-event --tiebreak {DEFAULT_TABLE} --format csv",
            "tb2learn rank event.trf --tiebreaks mp,tb2:olympiad-180x11,gp,opponents-cut1",
            "tb2learn rank event.trf --unplayed fide2026 --after 7",
        )
    )
    sub = event_command(
        "explain",
        _explain,
        "the working of a team's TB2, opponent by opponent",
        DEFAULT_TABLE,
        "tb2learn explain baku2016 Norway Turkey",
        "tb2learn explain baku2016 Norway --tiebreak formula-180x11 --format csv",
        "tb2learn explain baku2016 Norway --tiebreaks product,opponents-cut1,emmsb",
    )
    sub.add_argument("team", nargs="+", metavar="TEAM")
    ordered(sub)
    sub = event_command(
        "compare",
        _compare,
        "old and new place of every team, biggest movers, first place",
        DEFAULT_TABLE,
        "tb2learn compare baku2016 --out reports/baku2016",
    )
    sub.add_argument("--out", metavar="DIR", help="also write index.html and comparison.csv there")

    sub = command(
        "convert",
        _convert,
        "write an event in another form; says what that form cannot hold",
        "tb2learn convert event.trf my-event",
        "tb2learn convert baku2016 baku.trf --to trf16",
        "tb2learn convert games.pgn event.trf",
    )
    sub.add_argument("event", metavar="IN", help=_EVENT)
    sub.add_argument("out", metavar="OUT", help="a file ending in .trf or .pgn, or a folder (CSV)")
    sub.add_argument(
        "--to", choices=FORMS, help="the form (default: by OUT's ending; .trf is TRF26)"
    )
    sub.add_argument("--overwrite", action="store_true", help="replace what is at OUT")

    sub = command(
        "ratings",
        _ratings,
        "how often rules prefer the lower rated of two tied teams of real events",
        f"tb2learn ratings baku2016 --rules {DEFAULT_TABLE} least-squares",
    )
    sub.add_argument("event", nargs="+", metavar="EVENT")
    sub.add_argument("--rules", nargs="+", metavar="RULE", default=[DEFAULT_TABLE])
    sub.add_argument("--seed", type=_SEED, default=1, metavar="S", help="of the resampling")

    sub = command(
        "probe",
        _probe,
        "whether half a point more can lower a team's own score",
        f"tb2learn probe {DEFAULT_TABLE} product --probes 100000",
    )
    sub.add_argument("rule", nargs="+", metavar="RULE")
    sub.add_argument("--on", metavar="CONFIG", help="the world to play in")
    sub.add_argument(
        "--probes",
        type=_count("probes", 1, 10**9),
        default=20_000,
        metavar="N",
        help="matches that are tried (default 20000)",
    )
    sub.add_argument("--seed", type=_SEED, default=1, metavar="S", help="names the events")

    sub = command(
        "leaderboard",
        _leaderboard,
        "every rule under both protocols, on real events and by incentive; writes a report",
        "tb2learn leaderboard --events 20000 --out reports/assessment",
    )
    seeded(sub, 20_000, "fresh events of the single-event protocol")
    sub.add_argument("--out", default="reports/assessment", metavar="DIR")

    sub = command(
        "robustness",
        _robustness,
        "tables trained in every world, judged in every world; writes a report",
        "tb2learn robustness --events 2000 --out reports/robustness.md",
    )
    sub.add_argument(
        "--trained",
        type=_EVENTS,
        default=3000,
        metavar="N",
        help="events that each table is fitted to (default 3000)",
    )
    seeded(sub, 2000, "fresh events of every world")
    sub.add_argument("--out", default="reports/robustness.md", metavar="FILE.md")

    study = commands.add_parser(
        "study",
        help="what the literature asked, asked again: tie-breaks, rankings, unplayed rounds",
        description="studies, each a report with figures",
        epilog="examples:\n"
        "  tb2learn study tiebreaks --events 200 --out reports/tiebreaks\n"
        "  tb2learn study rankings etcc2011 --out reports/rankings/etcc2011\n"
        "  tb2learn study unplayed --out reports/unplayed",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    studies = study.add_subparsers(required=True, metavar="STUDY", parser_class=_Parser)
    sub = command(
        "tiebreaks",
        _study_tiebreaks,
        "every tie-break against global criteria on simulated events (Ricca); writes a report",
        "tb2learn study tiebreaks --events 200 --out reports/tiebreaks",
        among=studies,
    )
    seeded(sub, 500, "simulated events of every kind")
    sub.add_argument("--out", default="reports/tiebreaks", metavar="DIR")
    sub = command(
        "rankings",
        _study_rankings,
        "an event ranked by paired comparison (Csato): distances, maps, decomposition, curves",
        "tb2learn study rankings etcc2011 --out reports/rankings/etcc2011",
        "tb2learn study rankings baku2016 --json rankings.json",
        among=studies,
    )
    sub.add_argument("event", metavar="EVENT", help=_EVENT)
    sub.add_argument("--out", default="reports/rankings", metavar="DIR")
    sub.add_argument("--json", metavar="FILE", help="also write rankings and distances as JSON")
    sub = command(
        "unplayed",
        _study_unplayed,
        "methods for unplayed rounds on simulated events with forfeits, byes and retirements",
        "tb2learn study unplayed --events 200 --out reports/unplayed",
        among=studies,
    )
    seeded(sub, 200, "simulated events of every kind")
    sub.add_argument("--out", default="reports/unplayed", metavar="DIR")

    sub = command(
        "info", _info, "what a checkpoint is and how well it fits", f"tb2learn info {DEFAULT_TABLE}"
    )
    sub.add_argument("checkpoint", metavar="CHECKPOINT")
    sub.add_argument("--json", action="store_true", help="the same as JSON")

    sub = command(
        "reproduce",
        _reproduce,
        "the thesis's printed figures beside ours",
        "tb2learn reproduce thesis",
        "tb2learn reproduce thesis --out reports/thesis.md",
    )
    sub.add_argument("what", choices=("thesis",))
    seeded(sub, None, "simulated events in the log")
    sub.add_argument(
        "--assessed",
        type=_EVENTS,
        default=1000,
        metavar="N",
        help="events of the assessment (default 1000)",
    )
    sub.add_argument("--out", metavar="FILE", help="also write it to a file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
