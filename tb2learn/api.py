"""The public API, exported lazily as `tb2learn.NAME`: objects inside, pandas at this boundary.

Wherever a function takes

- an *event*, it may be a `TeamEvent`, a path or the name of a packaged event;
- a *world*, a `Config`, the path of a configuration or the name of a committed one;
- a *rule*, a `Rule`, one of `rule(name, function)`, a `Checkpoint`, the path of one, or a name:
  `product`, `buchholz-cut1`, `learned`, ... (`tb2learn assess --help` lists them).

Bad input raises `InputError`, a `ValueError` of one line.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tb2learn import catalogue
from tb2learn.catalogue import load_rule
from tb2learn.config import Config, load_config, load_world, with_plan
from tb2learn.events import Reading, read_event, reading
from tb2learn.events.check import Part
from tb2learn.events.check import check as checked
from tb2learn.events.files import registry
from tb2learn.events.files.headings import FILES
from tb2learn.events.files.source import MemoryFile
from tb2learn.events.kind import half_rule
from tb2learn.events.model import TeamEvent
from tb2learn.events.unplayed.record import event_record
from tb2learn.export import name_lists, standings
from tb2learn.export.forms import export_rule as export_rule
from tb2learn.limits import DEFAULT_WORLD
from tb2learn.tiebreaks.function_rule import EventResults, FunctionRule
from tb2learn.tiebreaks.rules import Rule
from tb2learn.types import AnyArray, InputError, check_type, flag, one_of

if TYPE_CHECKING:
    import pandas
    from distributed import Client
    from matplotlib.figure import Figure

    from tb2learn.assessment import Lists, Protocol
    from tb2learn.assessment.error_rates import Assessment
    from tb2learn.assessment.references import Reference
    from tb2learn.chess import Weakest
    from tb2learn.simulation.simulated import SimulatedEvents
    from tb2learn.training.checkpoint import Checkpoint

AnyRule: TypeAlias = "Rule | FunctionRule | Checkpoint | str"

_T = TypeVar("_T")


def load_event(
    source: str | Path | pandas.DataFrame | Mapping[str, pandas.DataFrame],
    *,
    strict: bool = False,
    form: str | None = None,
    bye_points: str | float | Sequence[float] | None = None,
    match_points: str | Sequence[float] | None = None,
    trust_points: bool = False,
    individual: bool = False,
    teams: str | Path | None = None,
    encoding: str | None = None,
    round_robin: bool = False,
    swiss: bool = False,
    group: str | None = None,
) -> TeamEvent:
    """A recorded event.

    **Arguments:**

    - `source`: a TRF16, TRF26, PGN, CSV or XLSX file or a page saved from chess-results, also
      compressed (`.gz`, `.zip`), a folder of CSV files, `-` for standard input, or the name of a
      packaged event: the Olympiads `khanty2010`, `istanbul2012`, `tromso2014`, `baku2016` and
      `batumi2018`, of women `istanbul2012w`, `baku2016w`, `batumi2018w` and `samarkand2026w`;
      `etcc2011`, `etcc2013`; `armstrong2011` (a league). Or a DataFrame of matches or games, with
      the columns that a CSV has; or a dict of DataFrames by the names of an event folder's tables
      (`matches`, `teams`, `players`, `boards`, `event`, `penalties`).
    - `strict`: refuse what is unclear, instead of reading on with a note.
    - `form`: `table` (CSV, XLSX, HTML), `trf` or `pgn`; by the content if not given.
    - `bye_points`: match points and game points of a bye of which the record gives none, such as
      `(1, 2)`; those of a drawn match if not given.
    - `match_points`: of a match won, drawn and lost, such as `(3, 1, 0)`; the record's, else 2, 1,
      0 if not given.
    - `trust_points`: totals in the record count where they differ from the results.
    - `individual`: an event of players, whatever teams the record names; a record without teams is
      one anyway. For it `match_points` are the points of a game, and the second of `bye_points`
      those of a bye.
    - `teams`: a CSV with the columns `player` and `team`, for a PGN whose games name no teams.
    - `encoding`: of the text, such as `cp1251`; by the content if not given.
    - `round_robin`, `swiss`: what the event is, where the record says it wrongly or not at all; by
      the record, else by its pairs, if neither is given.
    - `group`: which event of a file of several: a group, sheet or heading as the file names it, or
      somebody who plays in it. Without it such a file is refused, with their names.

    **Returns:** a `TeamEvent`. Its `frame(kind)` gives teams, players, games or matches as a
    DataFrame; its `notes` say how unclear records were read.

    **Raises:** `InputError` for what is no event, and where a guess could change a place.

    >>> import tb2learn as tb
    >>> event = tb.load_event("baku2016")
    >>> len(event.teams), event.rounds, event.boards
    (176, 11, 4)
    """
    import pandas

    allowed = (str, Path, pandas.DataFrame, dict)
    check_type("source", source, "a path, a name, a DataFrame or a dict of these", *allowed)
    if form is not None:
        one_of("form", registry.OLD_NAMES.get(str(form), form), registry.names())
    if teams is not None:
        check_type("teams", teams, "a path", str, Path)
    options = reading(
        strict,
        form,
        bye_points,
        match_points,
        trust_points,
        individual,
        teams,
        encoding,
        round_robin,
        swiss,
        group,
    )
    if isinstance(source, str | Path):
        return read_event(str(source), options)
    return read_event(_as_file(source), options)


def _as_file(frames: pandas.DataFrame | Mapping[str, pandas.DataFrame]) -> MemoryFile:
    """DataFrames as the CSV files that they would be written to."""
    import pandas

    if isinstance(frames, pandas.DataFrame):
        return MemoryFile("matches.csv", _csv(frames))
    tables: dict[str, bytes] = {}
    for name, frame in frames.items():
        check_type("source", name, "a dict of DataFrames by name", str)
        check_type("source", frame, "a dict of DataFrames", pandas.DataFrame)
        one_of("source", name, [file.removesuffix(".csv") for file in FILES])
        tables[f"{name}.csv"] = _csv(frame)
    return MemoryFile("event", tables)


def _csv(frame: pandas.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def rank(
    event: TeamEvent | str | Path,
    by: AnyRule | Sequence[str] | None = None,
    *,
    unplayed: str | None = None,
    after: int | None = None,
    weakest: Weakest = "lowest-contribution",
    confidence: bool = False,
    share_below: float | None = None,
    others: bool = False,
) -> pandas.DataFrame:
    """Standings of an event.

    **Arguments:**

    - `event`: which event.
    - `by`: a rule of TB2, for the order match points, TB2, game points, BH/C1 (in an individual
      event points, the rule, FIDE's list); or a list of criteria in the order that they decide, as
      `tb2learn rank --tiebreaks` takes them. If not given the list that the file names; without one
      FIDE's order: for teams with the product rule, for players its list.
    - `unplayed`: the policy for unplayed rounds. If not given that of the event: an Olympiad's by
      its year, face value in a round robin, else FIDE's C.07 of the event's date.
    - `after`: the number of rounds to look at; all that are finished if not given.
    - `weakest`: which of several opponents with the fewest match points is left out.
    - `confidence`: also say how sure the order of tied neighbours is, for a rule that has been
      calibrated (`tb2learn calibrate`).
    - `share_below`: teams share a place where their order is less probable than this, 0.5 .. 1;
      implies `confidence`.
    - `others`: also count the matches of others in the last round that decided a team's order with
      the next one (`docs/method.md`).

    **Returns:** a row a team, first place first: `place` (shared by teams equal on everything),
    `team` or `player`, and a column a criterion: `mp`, `tb2`, `gp`, `tb4`, or the names given; with
    `confidence` also that column, the probability that the team is better than the next one, and
    with `others` that number. Its `attrs` have the policy, the criteria, and all `notes` of the
    command.

    >>> import tb2learn as tb
    >>> tb.rank("baku2016").head(3)
       place                      team  mp    tb2    gp  tb4
    0      1  United States of America  20  413.5  31.5  152
    1      2                   Ukraine  20  404.5  31.0  153
    2      3                    Russia  18  419.0  32.0  151
    """
    event = _event(event, after)
    if isinstance(by, str | Path):
        by = str(by)
    elif isinstance(by, Sequence):
        for name in by:
            check_type("by", name, "a list of names", str)
    elif by is not None:
        by = _rule(by, event)
    if flag("confidence", confidence) and share_below is None:
        share_below = 0.5
    options = {"unplayed": unplayed, "weakest": weakest, "share_below": share_below}
    ranked = standings.rank_event(event, by, **options, others=flag("others", others))
    return ranked.table().frame()


def explain(
    event: TeamEvent | str | Path,
    teams: str | Sequence[str],
    by: AnyRule | Sequence[AnyRule] | None = None,
    *,
    unplayed: str | None = None,
    after: int | None = None,
    weakest: Weakest = "lowest-contribution",
) -> pandas.DataFrame:
    """The working of teams' tie-breaks, opponent by opponent.

    **Arguments:**

    - `event`, `unplayed`, `after`, `weakest`: as for `rank`.
    - `teams`: names or start numbers, one or several; letter case and accents do not matter.
    - `by`: one rule, which decides ties as in `rank` and is shown alone; or a list of criteria, of
      which those that are sums over opponents are shown; what `rank` orders the event by if not
      given.

    **Returns:** a row a team, rule, pass and round: `team`, `rule`, `pass` (1 for rules without
    passes), `round`, `opponent` (empty without one), `kind` (played, or why not), `opponent_mp`,
    `counts_as` (match points that the opponent counts as in that pass), `gp`, `value` and
    `left_out`. The sum of the values that are not left out is the score of the pass, which
    `attrs["totals"]` has, too. Its `attrs` also have the teams' `standings` and the `verdict`: what
    decides between two teams, or between one and the team above it.

    >>> import tb2learn as tb
    >>> working = tb.explain("baku2016", "Norway", "product")
    >>> working.value[~working.left_out].sum()
    np.float64(344.5)
    """
    event = _event(event, after)
    names = [teams] if isinstance(teams, str) else teams
    check_type("teams", names, "a name or a list of names", list, tuple)
    if not names:
        raise InputError("teams must name at least one team")
    for name in names:
        check_type("teams", name, "names", str)
    rules = None if by is None else [_named(rule, event) for rule in _listed(by)]
    # One rule decides ties, as in `rank`; several are a list of criteria.
    listed = isinstance(by, list | tuple) or (isinstance(by, str) and "," in by)
    single = rules[0] if rules and not listed else None
    return standings.explain_event(
        event, names, single or rules, unplayed=unplayed, weakest=weakest, alone=single is not None
    ).table.frame()


def compare(
    event: TeamEvent | str | Path,
    by: AnyRule | None = None,
    *,
    unplayed: str | None = None,
    after: int | None = None,
) -> pandas.DataFrame:
    """Standings as `rank` gives them by itself, and under another rule.

    **Arguments:** as for `rank`; `by`: one rule; `learned`, of players the formula, if not
    given.

    **Returns:** a row a team, by the place that `rank` gives it: `old_place`, `new_place`, `up`
    (places gained), `team` or `player`, `mp` or `points`, the scores `old_tb2` and `new_tb2` (of
    the first criterion of each order that is a sum over opponents), and for teams `gp` and
    `old_tb4` if they decide. Of an event with ratings `attrs["ratings"]` says how often each rule
    places the lower rated of two tied teams first.

    >>> import tb2learn as tb
    >>> compared = tb.compare("baku2016")
    >>> compared[compared.up.abs() > 20].team.tolist()
    []
    """
    from tb2learn.report.compared import compare_event

    event = _event(event, after)
    beside = None if by is None else _named(by, event)
    return compare_event(event, beside, unplayed).tables.frame()


def check(
    event: TeamEvent | str | Path,
    unplayed: str | None = None,
    *,
    rule: str | None = None,
    only: Part | None = None,
) -> pandas.DataFrame:
    """What is wrong in the record of an event: points, places, tie-breaks and pairings.

    **Arguments:**

    - `unplayed`: the policy for unplayed rounds, as for `rank`.
    - `rule`: the rules by which the rounds of a Swiss of teams are paired anew, as for `pair`.
    - `only`: `pairings` or `standings`, to look at nothing else.

    **Returns:** a row a finding: `round` (0 for the standings), `kind` and `text`. Its
    `attrs["columns"]` are what the printed columns were taken for, and how many cells agree.
    """
    check_type("rule", rule, "a name", str, type(None))
    event = _event(event, None)
    return standings.checked_tables(event, checked(event, unplayed, rule, only)).frame()


def forecast(
    event: TeamEvent | str | Path,
    by: str | None = None,
    *,
    after: int | None = None,
    rounds: int | None = None,
    team: str | None = None,
    pairings: str | Path | None = None,
    rule: str | None = None,
    continuations: int = 10_000,
    seed: int = 1,
    progress: bool = False,
) -> dict[str, pandas.DataFrame]:
    """Chances of places in an event with rounds left, under FIDE's rule and another one.

    **Arguments:**

    - `event`: which event.
    - `by`: the name of the other rule; `learned`, of players `formula`, if not given.
    - `after`: the round to forecast from, from 0; the last finished one if not given.
    - `rounds`: of the whole event, where the record does not say.
    - `team`: whose dependence on the next round is told, which must be paired.
    - `pairings`: a CSV file with the pairs of the next round; the record's, else the simulator's,
      if not given.
    - `rule`: the pairing rules of teams, as for `pair`. The simulator has those of Olympiads, and
      pairs all others by the Dutch system.
    - `continuations`: how often the rounds left are played, 1..1,000,000.
    - `seed`: of the continuations.
    - `progress`: shows a progress bar on standard error.

    **Returns:** DataFrames, whose columns `tb2learn.forecasts` describes: `teams` (chances and
    their Monte Carlo errors), `places` (of every place), `decided` (how often the tie-break
    decides); with `team` also `own` (by the result of its match) and `others` (by other matches).
    """
    from tb2learn.forecasts import request
    from tb2learn.report.chance_tables import forecast_tables
    from tb2learn.simulation.simulate import Progress

    for name, value in (("by", by), ("team", team)):
        check_type(name, value, "a name", str, type(None))
    check_type("rule", rule, "a name", str, type(None))
    check_type("pairings", pairings, "a path", str, Path, type(None))
    bar = Progress("forecast" if flag("progress", progress) else None)
    with _computing():
        chances = request.make(
            _event(event, None),
            continuations=continuations,
            seed=seed,
            after=after,
            rule=by,
            team=team,
            pairings=pairings,
            rounds=rounds,
            pairing_rule=rule,
            progress=bar,
        )
    return forecast_tables(chances, request.notes(chances)).frames()


def pair(
    event: TeamEvent | str | Path,
    *,
    after: int | None = None,
    rule: str | None = None,
    absent: Sequence[str] = (),
    present: Sequence[str] = (),
) -> pandas.DataFrame:
    """The next round of a team event, by the rules of an Olympiad (D.02) or a team Swiss (C.04.6).

    **Arguments:**

    - `event`, `after`: as for `rank`.
    - `rule`: the pairing rules: `olympiad-2022`, `olympiad-2010`, `team-a`, `team-b`, `team-none`,
      or a code such as `FIDE_TEAM_TYPEB_GP_MP`. If not given, those that the event names, else by
      its title and date. The frame's `attrs` say which and why.
    - `absent`, `present`: teams that are not, or are, paired against what the last round says.

    **Returns:** a row a pair: `board`, `team_a` (White on board 1), `team_b` (missing for the bye),
    their match points, the `group`, and `how` the pair was made.

    >>> import tb2learn as tb
    >>> tb.pair("samarkand2026w", after=4)[["board", "team_a", "team_b"]].head(2)
       board         team_a   team_b
    0      1       India   Poland
    1      2  Kazakhstan  Germany
    """
    from tb2learn.events.next_round import next_round
    from tb2learn.events.round_rules import named_rules
    from tb2learn.export.rounds import pairing_table

    for name, teams in (("absent", absent), ("present", present)):
        check_type(name, teams, "a list of names", list, tuple)
        for team in teams:
            check_type(name, team, "names", str)
    if rule is not None:
        check_type("rule", rule, "a name", str)
        named_rules(rule)
    if isinstance(event, str | Path):  # before the first round there are teams alone
        event = read_event(str(event), Reading(before_first=True))
    return pairing_table(next_round(_event(event, after), rule, absent, present)).frame()


def packaged_events() -> pandas.DataFrame:
    """The packaged events: `name`, and `meaning` (title and size)."""
    return _listed_names("events")


def rules() -> pandas.DataFrame:
    """Rules and committed checkpoints: `name` and `meaning`."""
    return _listed_names("rules")


def worlds() -> pandas.DataFrame:
    """The committed configurations: `name` and `meaning`."""
    return _listed_names("worlds")


def _listed_names(what: str) -> pandas.DataFrame:
    return name_lists.list_table(what).frame()


def train(
    world: Config | str | Path,
    *,
    events: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    progress: bool = False,
    cluster: Client | str | None = None,
) -> Checkpoint:
    """Train a table or a formula for the format of a world.

    **Arguments:**

    - `world`: the configuration; its `[train]` says what is fitted.
    - `events`, `seed`: simulated events, and their stream; the configuration's if not given.
    - `name`: of the checkpoint; the configuration's if not given.
    - `progress`: shows progress bars on standard error.
    - `cluster`: a `distributed.Client`, or the address of a scheduler of Dask, whose workers play
      the events; this process if not given.

    Says on standard error how good it is, whether the events were too few, and what was assumed.

    **Returns:** a `Checkpoint`, which depends on the configuration and the seed alone.
    """
    from tb2learn.export.error_words import training_notes
    from tb2learn.training import checkpoint

    if name is not None:
        check_type("name", name, "a text", str)
    recipe = world if isinstance(world, Config) else load_config(_source(world))
    plan, bar = with_plan(recipe, events, seed), flag("progress", progress)
    with _computing(cluster):
        trained = checkpoint.train(plan, name, bar)
    for line in filter(None, training_notes(trained)):
        print(line, file=sys.stderr)
    return trained


def save_checkpoint(checkpoint: Checkpoint, folder: str | Path = "checkpoints") -> Path:
    """Write a checkpoint into a folder, as `NAME.npz`.

    **Returns:** its path, which the other functions and commands take.

    **Raises:** `InputError` if it cannot be written.
    """
    from tb2learn.training.checkpoint import Checkpoint, save

    check_type("checkpoint", checkpoint, "what train() gives", Checkpoint)
    check_type("folder", folder, "a path", str, Path)
    return save(checkpoint, Path(folder))


def load_checkpoint(source: str | Path) -> Checkpoint:
    """A checkpoint by its path or name; `learned` is the shipped table on four boards.

    **Raises:** `InputError`, one line, if there is none, or anything about it is wrong.

    >>> import tb2learn as tb
    >>> tb.load_checkpoint("learned-38x9")
    <Checkpoint learned-38x9: decisions, 38 teams, 9 rounds, 4 boards, 30000 events, seed 1>
    """
    check_type("checkpoint", source, "a path or a name", str, Path)
    return catalogue.load_checkpoint(source)


def assess(
    rules: AnyRule | Iterable[AnyRule],
    world: Config | SimulatedEvents | str | Path | None = None,
    *,
    events: int = 2000,
    seed: int = 1,
    protocol: Protocol = "single",
    lists: Lists = "own",
    against: str = "",
    ideal: bool = False,
    progress: bool = False,
    cluster: Client | str | None = None,
) -> Assessment:
    """How often rules decide ties wrongly, on fresh simulated events.

    **Arguments:**

    - `rules`: one or several; also the references `higher-seed`, `posterior-mean`,
      `true-opponents` and `all-play-all`.
    - `world`: what is played; if not given that of the first checkpoint, or `olympiad2022-180x11`.
      Or events of `simulate`, which are then judged as they are, whole, a part of them
      (`played[:100]`) or changed (`dataclasses.replace(played, oracle=...)`), so that one's own
      count can be held against it; whoever has looked at them judges a rule on fresh ones.
    - `events`, `seed`: how many events, of which stream; never those of training. Those of
      `simulate` have their own.
    - `protocol`, `lists`: see `tb2learn.assessment.error_rates.tally_verdicts`.
    - `against`: the rule that is judged first, and that the others are compared with. If not given,
      today's rule of the format: in a Swiss of teams FIDE's product rule, of players Buchholz cut
      1, in a round robin FIDE's list (`game-points+direct+emmsb`).
    - `ideal`: also hold rules against the posterior mean, on at most 5000 events: columns `ideal`,
      `excess` and `behind`. It takes long, and its counts are kept in the user's cache folder.
    - `progress`: shows a progress bar on standard error.
    - `cluster`: as for `train`.

    **Returns:** an `Assessment`; its `frame` has a row a rule and population, the rule by the name
    that was asked for.
    """
    from tb2learn.assessment.error_rates import assess
    from tb2learn.simulation.simulate import Progress
    from tb2learn.simulation.simulated import SimulatedEvents
    from tb2learn.training.checkpoint import Checkpoint

    rules_asked, judged_on = _listed(rules), events
    if world is None:
        named = [rule for rule in rules_asked if isinstance(rule, str | Checkpoint)]
        world = catalogue.home_of(named) or DEFAULT_WORLD
    if isinstance(world, SimulatedEvents):
        if protocol != "single":
            raise InputError("events of simulate are judged under the protocol single")
        judged_on, seed, world = world.given(), world.seed, world.config
    config = _world(world)
    bar = Progress("assess" if flag("progress", progress) else None)
    check_type("against", against, "the name of a rule", str)
    judged = _judged(rules_asked, config, against)
    shown: dict[str, Any] = {"progress": bar, "ideal": flag("ideal", ideal)}
    with _computing(cluster):
        return assess(config, judged, judged_on, seed, protocol, lists, **shown)


def _judged(rules: Sequence[AnyRule], config: Config, against: str) -> list[Rule | Reference]:
    """Rules and references for a world's events, the rule in use first."""
    from tb2learn.assessment.references import find_judged
    from tb2learn.simulation.formats import result_shapes

    judged = list(find_judged([], config.setting, against))
    for candidate in rules:
        if isinstance(candidate, str):
            judged += find_judged([candidate], config.setting, against)[1:]
        elif isinstance(candidate, FunctionRule):
            judged.append(candidate.bind(result_shapes(config.setting)))
        else:
            chosen = (
                candidate
                if isinstance(candidate, Rule)
                else load_rule(candidate, rounds=config.event.rounds)
            )
            judged.append(chosen)
    return judged


def simulate(
    world: Config | str | Path,
    *,
    events: int = 100,
    seed: int = 1,
    progress: bool = False,
    cluster: Client | str | None = None,
) -> SimulatedEvents:
    """Synthetic events to look at. Their random keys are shared with no training or assessment.

    **Arguments:**

    - `world`: what is played.
    - `events`, `seed`: how many, of which stream.
    - `progress`: shows a progress bar on standard error.
    - `cluster`: as for `train`.

    **Returns:** `SimulatedEvents`: arrays, among them the `oracle`; `frame("standings")`,
    `frame("matches")` and `frame("ties")`; and `scores(rule)`.

    >>> import tb2learn as tb
    >>> played = tb.simulate("small-20x7", events=3)
    >>> played.half_points.shape  # events, rounds, teams
    (3, 7, 20)
    """
    from tb2learn.simulation import simulated
    from tb2learn.simulation.simulate import Progress

    config, bar = _world(world), Progress("simulate" if flag("progress", progress) else None)
    with _computing(cluster):
        return simulated.simulate(config, events, seed, bar)


def plot(result: object, *, own_mp: int | None = None) -> Figure:
    """The figure that a report has of a result, to show or to save (`figure.savefig`).

    **Arguments:**

    - `result`: what `assess`, `compare`, `forecast`, `train` or `load_rule` gives.
    - `own_mp`: of a table: own match points, 0 .. 2*rounds; 18 of 22, or as many of other rounds,
      if not given.

    **Returns:** a matplotlib `Figure`: errors by rule; old and new places; chances of places; how
    hard results are, by a checkpoint's log and surface, at 14 of 22 match points; the points of a
    rule's table.

    **Raises:** `InputError` for anything else, for a rule without a table, and for `own_mp` of what
    is no table.
    """
    from tb2learn.report.plot import plot

    return plot(result, own_mp)


def rule(
    name: str, function: Callable[[EventResults], AnyArray], *, bye: float = 0
) -> FunctionRule:
    """A rule of one's own, for events of every format.

    **Arguments:**

    - `name`: of its rows and columns: 1..100 ASCII letters, digits, `-`, `_` or `.`; not that of
      another rule.
    - `function`: takes an `EventResults` and gives scores `[teams]`, or what every match adds to
      them `[rounds, teams]`: then `explain` shows its working. Higher is better; only teams on
      equal match points are compared. Whole numbers below 2**30 are exact; fractions have single
      precision in simulated events. It is written with `jax.numpy`, whose functions take the arrays
      of recorded events, too, and reads nothing that changes: it is compiled once.
    - `bye`: what a round without a match adds if the function says what every match adds, whatever
      it gives there; in the unit of the function.

    **Returns:** a rule that `rank`, `explain`, `compare`, `assess` and `SimulatedEvents.scores`
    take.

    **Raises:** `InputError` for another name, and for what is no function; there, and where it is
    used, if it gives anything but finite numbers of these shapes.

    >>> import tb2learn as tb
    >>> margin = tb.rule("margin", lambda event: event.opponent_points * (event.half_points - 4))
    >>> tb.rank("baku2016", margin).head(2)
       place                      team  mp  tb2    gp  tb4
    0      1  United States of America  20  259  31.5  152
    1      2                   Ukraine  20  245  31.0  153
    """
    return FunctionRule(name, function, bye)


@contextlib.contextmanager
def _computing(cluster: Client | str | None = None) -> Iterator[None]:
    """A context for what plays events: compiled programs are kept, as those of commands are."""
    from tb2learn.running import compile_cache
    from tb2learn.running.cluster import use

    with compile_cache.use() as unusable, use(cluster):
        if unusable:
            print(f"tb2learn: {unusable}", file=sys.stderr)
        yield


def _listed(given: _T | Iterable[_T]) -> list[_T]:
    """One thing or several, as a list; a name is one thing."""
    if isinstance(given, str | Path) or not isinstance(given, Iterable):
        return [given]  # pyright: ignore[reportReturnType]: what is no other iterable is one thing
    check_type("rules", given, "a rule or a list of rules", list, tuple, set, Iterator)
    return list(given)


def _event(event: TeamEvent | str | Path, after: int | None) -> TeamEvent:
    check_type("event", event, "a TeamEvent, a path or a name", TeamEvent, str, Path)
    read = event if isinstance(event, TeamEvent) else load_event(event)
    return half_rule(read if after is None else read.after(after))


def _world(world: Config | str | Path) -> Config:
    """What is played: a configuration, or the world of that name."""
    return world if isinstance(world, Config) else load_world(_source(world))[0]


def _source(world: str | Path) -> str | Path:
    check_type("world", world, "a Config, a path or a name", str, Path)
    return world


def _rule(rule: Rule | FunctionRule | Checkpoint, event: TeamEvent) -> Rule:
    """A rule for the format of an event."""
    if isinstance(rule, FunctionRule):
        return rule.bind(event_record(event).results)
    bound = rule if isinstance(rule, Rule) else load_rule(rule, rounds=event.rounds)
    bound.check_format(event.rounds, event.boards)
    return bound


def _named(rule: AnyRule | Path, event: TeamEvent) -> Rule | str:
    """A rule for the format of an event, or its name, which is found later."""
    return str(rule) if isinstance(rule, str | Path) else _rule(rule, event)
