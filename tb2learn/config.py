"""Frozen, validated configurations, read from TOML.

A configuration says everything a random result depends on besides the seed: the format of the
event, the field, the game model, and how a surface is trained. Constructors validate, so a
``Config`` that exists is a valid one.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

import numpy as np

from tb2learn.chess.event_format import (
    UNWRITTEN,
    EventFormat,
    FormatName,
    cycle_rounds,
    todays_pairing,
)
from tb2learn.data import event_rosters, rated_event_names
from tb2learn.disk import inputs
from tb2learn.limits import MAX_RATING, MOST_EVENTS, MOST_SEED, RENAMED
from tb2learn.text import did_you_mean, named, quoted
from tb2learn.types import InputError, check_name, check_type, said, whole_number, within

FieldKind = Literal["uniform", "rosters", "ratings", "mixture"]
Tail = Literal["literal", "consistent"]
GameModel = Literal["statistic", "fitted"]
Law = Literal["exact", "sampled"]
Objective = Literal["difficulty", "decisions", "formula"]
Aim = Literal["equal", "ideal"]

NoisePoints: TypeAlias = float | tuple[float, float]
"""A standard deviation in rating points, or the ends of the range that events draw it from."""

MAX_NOISE = 4 * MAX_RATING
"""Most noise of seeds that is finite: with more, they say next to nothing of strengths."""

MAX_DESCRIPTION = 500
MAX_WORLDS = 20


def _whole_points(name: str, value: float) -> None:
    """Check the end of a range from which whole rating points are drawn.

    **Raises:** `InputError` naming it if it is no whole number.
    """
    if value % 1:
        raise InputError(f"{name} must be a whole number of rating points, got {value:.12g}")


def _check_noise(name: str, noise: NoisePoints) -> None:
    """Check a noise of ratings.

    **Raises:** `InputError` naming it if it is out of range.
    """
    if isinstance(noise, tuple):
        low, high = noise
        within(f"{name}[0]", low, 0, MAX_RATING)
        within(f"{name}[1]", high, low, MAX_RATING, f"{low:.12g}..{MAX_RATING}")
        for i, end in enumerate(noise):
            _whole_points(f"{name}[{i}]", end)
    elif noise != math.inf:
        within(name, noise, 0, MAX_NOISE, f"0..{MAX_NOISE} or inf")


@dataclass(frozen=True)
class FieldConfig:
    """Where the teams come from.

    **Arguments:**

    - `kind`: `uniform` draws each team's a-priori rating from Uniform(`low`, `high`); `rosters`
      draws whole rosters, with replacement, from the real event named by `event`, where players
      without a rating count 1000 (in Baku 2016 some of 13 teams of 176); `ratings` takes
      the a-priori ratings listed in `ratings`, one a team; `mixture` makes every event, as a whole,
      one of `rosters` with chance `share`, else one of `uniform`.
    - `low`, `high`: whole rating points (`uniform`, `mixture`), as are the ratings drawn.
    - `player_sd`: the players of a team are Normal(a-priori rating, `player_sd`), rounded to whole
      rating points (not `rosters`). 62.79 is the mean within-team standard deviation of the first
      70 teams of Baku 2016 (Naray 2020).
    - `event`: name of a packaged event (`rosters`, `mixture`).
    - `ratings`: rating points, one a team (`ratings`).
    - `seed_noise`: standard deviation, in rating points, of the noise added to a team's rating for
      seeding only. 0 seeds by the true strength (which leaks it through the pairings), inf at
      random; finite noise is at most 16000. Two whole numbers, 0..4000, are a range: every event
      draws a noise of its own from it, uniformly, in whole rating points.
    - `share`: chance that an event is one of `rosters`, 0..1 (`mixture`).
    - `rating_noise`: the same of published ratings where seeds are random; inf if none are
      published. Seeds that are not random are made of the published ratings.
    """

    kind: FieldKind = "uniform"
    low: float = 1700.0
    high: float = 2800.0
    player_sd: float = 62.79
    event: str = ""
    ratings: tuple[float, ...] = ()
    seed_noise: NoisePoints = math.inf
    share: float = 0.5
    rating_noise: NoisePoints = dataclasses.field(default=math.inf, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        within("field.low", self.low, 0, MAX_RATING)
        within("field.high", self.high, self.low, MAX_RATING, f"low..{MAX_RATING}")
        _whole_points("field.low", self.low)
        _whole_points("field.high", self.high)
        within("field.player_sd", self.player_sd, 0, 1000)
        _check_noise("field.seed_noise", self.seed_noise)
        _check_noise("field.rating_noise", self.rating_noise)
        if self.informative and self.rating_noise != math.inf:
            raise InputError(
                "field.rating_noise is for random seeds (field.seed_noise = inf): other seeds are "
                f"made of the published ratings, got {self.rating_noise} and {self.seed_noise}"
            )
        within("field.share", self.share, 0, 1)
        for i, rating in enumerate(self.ratings):
            within(f"field.ratings[{i}]", rating, 0, MAX_RATING)
        if self.resamples and self.event not in rated_event_names():
            raise InputError(
                f"field.event must name a packaged event ({', '.join(rated_event_names())}) when "
                f"field.kind is {self.kind!r}, got {self.event[:60]!r}"
            )
        if self.kind == "ratings" and not self.ratings:
            raise InputError("field.ratings must list a rating a team when kind is 'ratings'")

    @property
    def informative(self) -> bool:
        """Whether seeds say something of strengths: whether they are not random."""
        return self.seed_noise != math.inf

    @property
    def published(self) -> bool:
        """Whether ratings are published."""
        return self.informative or self.rating_noise != math.inf

    @property
    def resamples(self) -> bool:
        """Whether rosters of a packaged event are drawn, in every event or in some."""
        return self.kind in ("rosters", "mixture")


@dataclass(frozen=True)
class GameConfig:
    """How two ratings make a result.

    **Arguments:**

    - `tail`: beyond about 300 points the draw statistic leaves no room for the expected score.
      `consistent` lowers the draw chance and keeps the expectation; `literal` keeps the draw
      chance (the thesis; for reproducing it only). The fitted model needs neither.
    - `model`: `statistic` takes the expected score from the Elo formula and the draw chance from a
      statistic of 8 million games; `fitted` takes both from the boards of Baku 2016 (see
      `simulation.games.fitted_chances`).
    - `day_shock`: standard deviation, in rating points (0..1000), of the shock by which a team's
      whole line-up is stronger or weaker on the day of a match, each team's independent of all
      others. It comes on top of the law of a game, whose expected scores it draws towards 1/2.
    """

    tail: Tail = "consistent"
    model: GameModel = "statistic"
    day_shock: float = 0.0

    def __post_init__(self) -> None:
        within("game.day_shock", self.day_shock, 0, 1000)


@dataclass(frozen=True)
class World:
    """A further world whose events a table in passes is fitted to, beside the configuration's own.

    A world whose seeds are not random is fitted in the last pass only, if there is one with random
    seeds: so that what an opponent counts as is evidence alone.

    **Arguments:**

    - `weight`: of its mean squared error, above 0; that of the configuration's own world is 1.
    - `field`, `game`: as those of a `Config`.
    """

    weight: float = 1.0
    field: FieldConfig = dataclasses.field(default_factory=FieldConfig)
    game: GameConfig = dataclasses.field(default_factory=GameConfig)

    def __post_init__(self) -> None:
        within("worlds.weight", self.weight, 1e-6, 1e6)


@dataclass(frozen=True)
class TrainConfig:
    """What is trained, and on how many simulated events.

    **Arguments:**

    - `objective`: what is fitted: the `difficulty` of results (a table in one pass), the
      `decisions` between tied teams (tables in passes), or the constants of the `formula`.
    - `events`: simulated events that are fitted.
    - `held_out`: further events, never fitted, on which the fit is judged.
    - `seed`: of the events; those of training, holding out and assessment never share keys.
    - `law`: `exact` adds the exact law of a match of every pair of teams to the difficulty log;
      `sampled` adds one drawn match of every pair, as the thesis does.
    """

    objective: Objective = "decisions"
    events: int = 4000
    held_out: int = 500
    seed: int = 1
    law: Law = "exact"

    def __post_init__(self) -> None:
        whole_number("train.events", self.events, 1, MOST_EVENTS)
        whole_number("train.held_out", self.held_out, 1, MOST_EVENTS)
        whole_number("train.seed", self.seed, 0, MOST_SEED)


@dataclass(frozen=True)
class SurfaceConfig:
    """The smooth monotone surface and its fit.

    **Arguments:**

    - `knots`: cubic spline pieces along each of the two match-point shares.
    - `smoothness`: weight of the squared second differences of the spline's coefficients, against
      the mean negative log-likelihood a match and threshold.
    - `steps`, `learning_rate`: of the optimiser (Adam with a cosine schedule); without steps the
      spline in closed form is made monotone, and that is all.
    """

    knots: int = 20
    smoothness: float = 1e-8
    steps: int = 400
    learning_rate: float = 0.01

    def __post_init__(self) -> None:
        within("surface.knots", self.knots, 1, 30)
        within("surface.smoothness", self.smoothness, 0, 1e6)
        within("surface.steps", self.steps, 0, 10**6)
        within("surface.learning_rate", self.learning_rate, 1e-6, 10)


@dataclass(frozen=True)
class DecisionConfig:
    """How a rule is fitted to the true order of tied teams.

    **Arguments:**

    - `passes`: how often opponents are looked up, 1 to 5.
    - `knots`: cubic spline pieces along own share and the opponent's share.
    - `smoothness`: weight of the squared second differences of the spline's coefficients, against
      the mean squared error of a tied pair's difference, in match points.
    - `fairness`: of the last pass: weight of the squared mean difference between the higher and the
      lower seed of nearly equal tied teams, by own match points, against the same error. Only
      worlds whose seeds are not random say what it is.
    - `aim`: what `fairness` draws that difference to: what the posterior mean has, which knows no
      seeds (`ideal`; of teams less than five match points apart, weighted and balanced), or 0
      (`equal`). A file with a `fairness` and without an `aim` means the first, a checkpoint the
      second.
    - `others`: of the last pass: weight of the squared change of a tied pair's difference when the
      matches of others in the last round are played again, against the same error.
    """

    passes: int = 3
    knots: int = 12
    smoothness: float = 1e-3
    fairness: float = dataclasses.field(default=0.0, metadata=UNWRITTEN)
    aim: Aim = dataclasses.field(default="equal", metadata=UNWRITTEN)
    others: float = dataclasses.field(default=0.0, metadata=UNWRITTEN)

    def __post_init__(self) -> None:
        within("decisions.fairness", self.fairness, 0, 1e6)
        within("decisions.others", self.others, 0, 1e6)
        within("decisions.passes", self.passes, 1, 5)
        within("decisions.knots", self.knots, 1, 30)
        within("decisions.smoothness", self.smoothness, 1e-9, 1e6)


@dataclass(frozen=True)
class Setting:
    """What is played: all that an event depends on beside its key.

    Compiled programs and kept events and counts are found by it, so that settings that are equal
    share them, whatever they are called, and others never do.
    """

    event: EventFormat = dataclasses.field(default_factory=EventFormat)
    field: FieldConfig = dataclasses.field(default_factory=FieldConfig)
    game: GameConfig = dataclasses.field(default_factory=GameConfig)

    def only(self, *parts: str) -> Setting:
        """These parts alone, the others as they are if nobody says: for what does not see them."""
        return Setting(**{part: getattr(self, part) for part in parts})

    def __str__(self) -> str:
        """What is played, in words."""
        return f"{_event_said(self.event)}; {_strengths_said(self.field, self.game)}"


@dataclass(frozen=True, init=False, repr=False)
class Config:
    """One configuration: everything besides the seed that a random result depends on.

    A file, tables (`event={"teams": 48}`) and keys of them (`teams=48, low=2000, high=2500`) say
    the same: what they leave open is as today. A Swiss of teams is paired by FIDE's rules for
    Olympiads of 2022, one of players by the Dutch system, a round robin has as many rounds as it
    needs, a penalty on seed bias aims at the ideal, and without a name it is named by what it is
    (`swiss-48x7`). Whole values (`event=EventFormat(...)`) are taken as they are.

    **Arguments:**

    - `name`: see `check_name`.
    - `description`: one line of at most 500 characters, printed with what is made of it.
    - `worlds`: at most 20.
    - the other fields: see their types; also dicts of their keys.
    - `keys`: those that one table alone has.

    **Raises:** `InputError` naming the key, what is allowed and what came; for a key of several
    tables, too.
    """

    name: str
    description: str = ""
    event: EventFormat = dataclasses.field(default_factory=EventFormat)
    field: FieldConfig = dataclasses.field(default_factory=FieldConfig)
    game: GameConfig = dataclasses.field(default_factory=GameConfig)
    train: TrainConfig = dataclasses.field(default_factory=TrainConfig)
    surface: SurfaceConfig = dataclasses.field(default_factory=SurfaceConfig)
    decisions: DecisionConfig = dataclasses.field(default_factory=DecisionConfig)
    worlds: tuple[World, ...] = dataclasses.field(default=(), metadata=UNWRITTEN)

    def __init__(
        self,
        name: str | None = None,
        description: str | None = None,
        event: EventFormat | Mapping[str, Any] | None = None,
        field: FieldConfig | Mapping[str, Any] | None = None,
        game: GameConfig | Mapping[str, Any] | None = None,
        train: TrainConfig | Mapping[str, Any] | None = None,
        surface: SurfaceConfig | Mapping[str, Any] | None = None,
        decisions: DecisionConfig | Mapping[str, Any] | None = None,
        worlds: Sequence[World | Mapping[str, Any]] = (),
        **keys: Any,
    ) -> None:
        tables = {
            "event": event, "field": field, "game": game, "train": train, "surface": surface,
            "decisions": decisions,
        }  # fmt: skip
        # What has no name, or is made of keys, is described by what it is, too.
        described_here = description is None and (name is None or bool(keys))
        made = _tables(tables, keys)
        if name is None:
            name = f"{made['event'].format}-{size_name(made['event'])}"
        check_type("name", name, "a text", str)
        check_type("description", description or "", "a text", str)
        further = _further(worlds)
        values = {"name": name, "description": description or "", **made, "worlds": further}
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self._check()
        if described_here:
            object.__setattr__(self, "description", described(self))

    def __repr__(self) -> str:
        """Its name, what is played and what is fitted, in a line."""
        return f"<Config {self.name}: {self.setting}; {self.train.objective}>"

    @property
    def setting(self) -> Setting:
        """What is played."""
        return Setting(self.event, self.field, self.game)

    def _check(self) -> None:
        check_name("name", self.name)
        if not (self.description.isprintable() and len(self.description) <= MAX_DESCRIPTION):
            raise InputError(
                f"description must be one line of at most {MAX_DESCRIPTION} characters, got "
                f"{quoted(self.description)}"
            )
        if len(self.worlds) > MAX_WORLDS:
            raise InputError(f"worlds must be at most {MAX_WORLDS}, got {len(self.worlds)}")
        if self.worlds and self.train.objective != "decisions":
            raise InputError(
                "worlds are for tables in passes: train.objective must be 'decisions', "
                f"got {self.train.objective!r}"
            )
        for world in self.worlds:
            replace(self, field=world.field, game=world.game, worlds=())  # checks its field
        if self.field.kind == "ratings" and len(self.field.ratings) != self.event.teams:
            raise InputError(
                f"field.ratings must list event.teams = {self.event.teams} ratings, "
                f"got {len(self.field.ratings)}"
            )
        if self.field.resamples:
            players = event_rosters(self.field.event).shape[1]
            within(
                "event.boards",
                self.event.boards,
                1,
                players,
                f"1..{players} with the rosters of {self.field.event}",
            )


_TABLES: Mapping[str, Any] = {
    "event": EventFormat,
    "field": FieldConfig,
    "game": GameConfig,
    "train": TrainConfig,
    "surface": SurfaceConfig,
    "decisions": DecisionConfig,
}


def _further(worlds: Any) -> tuple[World, ...]:
    """The further worlds of a training."""
    if not isinstance(worlds, (list, tuple)):
        raise InputError("worlds must be a list of tables")
    return tuple(
        world if isinstance(world, World) else _build(World, world, f"worlds[{number}].")
        for number, world in enumerate(worlds)
    )


def _tables(given: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a configuration, from tables and keys that one table alone has."""
    hints = {name: get_type_hints(table) for name, table in _TABLES.items()}
    of_table: dict[str, dict[str, Any]] = {name: {} for name in _TABLES}
    for key, value in keys.items():
        names = [name for name, table in hints.items() if key in table]
        if len(names) != 1:
            why = f"is one of {' and '.join(names)}: name the table" if names else "is no key"
            raise InputError(f"{key[:60]} {why}")
        of_table[names[0]][key] = value
    made: dict[str, Any] = {}
    for name, kind in _TABLES.items():
        table, own = given[name], of_table[name]
        if isinstance(table, kind):
            known = hints[name]
            own = {key: _convert(known[key], value, f"{name}.{key}") for key, value in own.items()}
            made[name] = replace(table, **own)
        elif table is None or isinstance(table, Mapping):
            own = {**(table or {}), **own}
            made[name] = _build(kind, {**_of_today(name, own), **own}, f"{name}.")
        else:
            raise InputError(f"{name} must be a table of keys, got {said(table)}")
    return made


def _of_today(table: str, keys: Mapping[str, Any]) -> dict[str, Any]:
    """What a table has today where its `keys` do not say otherwise, beside its usual values."""
    if table == "decisions":
        # With a penalty that is no number, the number is what is refused.
        return {"aim": "ideal"} if keys.get("fairness") else {}
    if table != "event":
        return {}
    if keys.get("format") == "round-robin":
        usual = EventFormat()
        teams, repeats = (
            _convert(int, keys.get(key, getattr(usual, key)), f"event.{key}")
            for key in ("teams", "repeats")
        )
        return {"rounds": repeats * cycle_rounds(teams)}
    if keys.get("format", "swiss") != "swiss":
        return {}
    return {"pairing": todays_pairing(keys.get("boards", EventFormat.boards))}


_UNUSED = {"reduced": False, "steps": 0, "step_events": 64, "learning_rate": 0.003}
"""Keys of `decisions` that version 1 had, in its checkpoints, too: with these values, which mean
what is done now. They are still written, so that checkpoints keep their bytes."""


def from_dict(header: Any) -> Config:
    """The inverse of `to_dict`: what a checkpoint says of its configuration.

    **Raises:** `InputError` naming the key, what is allowed and what came.
    """
    return from_tables(upgrade(header))


def upgrade(header: Any) -> Any:
    """The tables of a checkpoint of any version, as one of today would say the same.

    What earlier versions did not write was then: paired by the thesis's rule, and a penalty on seed
    bias aimed at 0.
    """
    if not isinstance(header, dict):
        return header
    header = _without_unused(header)
    for table, then in (("event", {"pairing": "thesis"}), ("decisions", {"aim": "equal"})):
        if isinstance(keys := header.get(table, {}), dict):
            header = {**header, table: then | keys}
    return header


def _without_unused(data: dict[str, Any]) -> dict[str, Any]:
    """Tables without the keys that nothing reads any more.

    **Raises:** `InputError` for one with another value than that of what is done today.
    """
    if not isinstance(plan := data.get("decisions"), dict):
        return data
    for key in _UNUSED.keys() & plan.keys():
        if plan[key] != _UNUSED[key]:
            raise InputError(
                f"decisions.{key} is no longer used: it must be left out or "
                f"{_UNUSED[key]}, got {quoted(str(plan[key])[:40])}"
            )
    return {**data, "decisions": {k: x for k, x in plan.items() if k not in _UNUSED}}


def from_tables(data: Any) -> Config:
    """A configuration from the tables of a file.

    **Raises:** `InputError` naming the key, what is allowed and what came.
    """
    hints = _check_keys(Config, data, "")
    texts = data.keys() & {"name", "description"}
    return Config(**data | {key: _convert(hints[key], data[key], key) for key in texts})


def to_dict(config: Config) -> dict[str, Any]:
    """The inverse of `from_dict`; valid JSON (infinity is written as `"inf"`)."""
    content = plain(config)
    content["decisions"] |= _UNUSED
    return content


def plain(value: Any) -> Any:
    """A configuration, or a part of it, as valid JSON: other parts become another one."""
    if dataclasses.is_dataclass(value):
        return {
            f.name: plain(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if not (f.metadata.get("unwritten") and getattr(value, f.name) == f.default)
        }
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return "inf" if value == math.inf else value


_KEY = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?:{_KEY}[ \t]*\.[ \t]*){{16}}")


def load_config(source: str | Path) -> Config:
    """Read a configuration from a TOML file, or a committed one by its name.

    Of a name that a recipe and a world have, the recipe is meant: a world with what is fitted.

    **Raises:** `InputError`, one line naming the file, for anything that is not valid.
    """
    return _read_config(find_file(source, "configs", ".toml", ("recipes", "worlds")))


def load_world(source: str | Path) -> tuple[Config, str]:
    """Read a world from a TOML file, or a committed one by its name; that of a recipe, too.

    **Returns:** the world, and a note if a recipe was named: what is played has another name.

    **Raises:** as `load_config`.
    """
    path = find_file(source, "configs", ".toml", ("worlds", "recipes"))
    config, note = _read_config(path), ""
    if path.parent.name == "recipes" and path.parent.parent in _shipped("configs"):
        note = f"{config.name} is the recipe of a table; what is played is the world that it names"
    return config, note


def _read_config(path: Path) -> Config:
    """The configuration in a file.

    **Raises:** `InputError` naming it.
    """
    text = inputs.read_text(path)
    if _DEEP_KEY.search(text):  # the parser takes time that grows with the cube of their number
        raise InputError(f"{path}: nesting too deep")
    try:
        return from_tables(_in_world(_without_unused(tomllib.loads(text))))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # numbers of 5000 digits, 1000 brackets
        raise InputError(f"{path}: number too large or nesting too deep") from error


def _in_world(data: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file, those of a shipped world among them if it names one.

    **Raises:** `InputError` for a name that no shipped world has, and beside tables of its own.
    """
    if "world" not in data:
        return data
    tables = ("event", "field", "game")
    if own := data.keys() & set(tables):
        raise InputError(f"world is instead of {', '.join(tables)}, got {sorted(own)[0]}, too")
    name = data.pop("world")
    # By its name alone: a file must not say which path is read.
    check_name("world", name if isinstance(name, str) else "")
    places = (place / f"{name}.toml" for place in _shipped("configs", ["worlds"]))
    path = next((path for path in places if inputs.is_file(path)), None)
    if path is None:
        raise InputError(f"world must be the name of a shipped world, got {quoted(name)}")
    world = tomllib.loads(inputs.read_text(path))
    return data | {table: world[table] for table in tables if table in world}


def with_plan(config: Config, events: int | None = None, seed: int | None = None) -> Config:
    """A configuration that is trained on other events.

    **Arguments:** `events`, `seed`: the configuration's own if not given. At most an eighth of
    `events` are held out.
    """
    plan = config.train
    if events is not None:
        whole_number("events", events, 1, MOST_EVENTS)
        plan = replace(plan, events=events, held_out=min(plan.held_out, max(1, events // 8)))
    if seed is not None:
        plan = replace(plan, seed=whole_number("seed", seed, 0, MOST_SEED))
    return replace(config, train=plan)


def resized(
    config: Config,
    teams: int | None,
    rounds: int | None,
    boards: int | None,
    name: str | None,
    today: bool = False,
    format: FormatName | None = None,
    field: FieldConfig | None = None,
) -> Config:
    """The same world with another format or field: what is not given stays.

    **Arguments:**

    - `name`: else `my-TEAMSxROUNDS`, with the boards if they are not 4.
    - `today`: events of another size are paired as today; where there are as many rounds as
      everybody needs to meet everybody, they are a round robin unless `format` says otherwise.
    - `format`: a round robin has the rounds that it needs; only others are refused.
    - `field`: in place of the configuration's own; its further worlds are then left out.

    Rosters of real events have a few players each: further worlds of rosters are left out where the
    matches have more boards than that.
    """
    event = _resized_event(config.event, teams, rounds, boards, today, format)
    if field is not None:
        config = replace(config, event=event, field=field, worlds=())
    elif event == config.event:
        return replace(config, name=name or config.name)
    worlds = tuple(
        one
        for one in config.worlds
        if not one.field.resamples or event.boards <= event_rosters(one.field.event).shape[1]
    )
    made = replace(config, name=name or f"my-{size_name(event)}", event=event, worlds=worlds)
    return replace(made, description=described(made))


def _resized_event(
    event: EventFormat,
    teams: int | None,
    rounds: int | None,
    boards: int | None,
    today: bool,
    format: FormatName | None,
) -> EventFormat:
    """The format of `resized` events."""
    given = {"teams": teams, "rounds": rounds, "boards": boards}
    sizes: dict[str, Any] = {key: n for key, n in given.items() if n is not None}
    full = cycle_rounds(teams or event.teams)
    if format is None and today and teams is not None and rounds == full:
        format = "round-robin"
    if format is not None:
        sizes["format"] = format
        # The rounds follow from the teams, so nobody needs to name them.
        if format == "round-robin" and rounds is None:
            sizes["rounds"] = full
    sized = replace(event, **sizes)
    if sized == event or not today or sized.format != "swiss":
        return sized
    return replace(sized, pairing=todays_pairing(sized.boards))


def field_of(low: float | None, high: float | None) -> FieldConfig:
    """An invented field with strengths from one rating to another, seeded at random."""
    usual = FieldConfig()
    low, high = usual.low if low is None else low, usual.high if high is None else high
    within("the strongest team", high, low, MAX_RATING, f"at least {low:g}, the weakest")
    return FieldConfig(low=low, high=high)


def field_like(ratings: Sequence[float | None], teams: int, name: str) -> FieldConfig:
    """A field with the strengths of a recorded event, seeded at random.

    **Arguments:**

    - `ratings`: of its teams, None where no rating is known.
    - `teams`: how many the simulated events have: of another number the ratings are read at as many
      places between the strongest and the weakest.
    - `name`: of the event, for the refusal.

    **Raises:** `InputError` where fewer than half of the teams, or fewer than two, have a rating.
    """
    known = sorted((rating for rating in ratings if rating is not None), reverse=True)
    if len(known) < max(2, len(ratings) / 2):
        raise InputError(f"{name}: {len(known)} of {len(ratings)} teams have a rating: too few")
    places = np.linspace(0, len(known) - 1, teams)
    strengths = np.interp(places, range(len(known)), known).round().tolist()
    return FieldConfig("ratings", ratings=tuple(strengths))


def size_name(event: EventFormat) -> str:
    """Teams and rounds, as names of files have them, and the boards if they are not 4."""
    wide = "" if event.boards == 4 else f"-{event.boards}boards"
    return f"{event.teams}x{event.rounds}{wide}"


def described(config: Config) -> str:
    """What a configuration plays and fits, from its numbers."""
    event, plan = config.event, config.train.objective
    rule = {
        "difficulty": "table of difficulties",
        "decisions": f"table in {config.decisions.passes} passes",
        "formula": "formula",
    }[plan]
    fields = " and ".join(dict.fromkeys(_field_said(one.field) for one in (config, *config.worlds)))
    form = "" if event.format == "swiss" else f" ({event.format})"
    return (
        f"{event.teams} teams, {event.rounds} rounds, {event.boards} boards{form}: {rule}, {fields}"
    )


_PAIRED = {
    "olympiad-2022": "paired as Olympiads are since 2022",
    "olympiad-2010": "paired as Olympiads were from 2010 to 2018",
    "median-swiss": "paired by the thesis's simplified rule",
    "dutch": "paired by FIDE's Dutch system",
}


def assumed(config: Config) -> str:
    """What a training takes for granted, in words: how teams meet, their strengths, their seeds."""
    said = (_strengths_said(world.field, world.game) for world in (config, *config.worlds))
    return f"{_event_said(config.event)}; {' and '.join(dict.fromkeys(said))}"


def _event_said(event: EventFormat) -> str:
    """How many teams meet, and how."""
    if event.format == "round-robin":
        times = "once" if event.repeats == 1 else f"{event.repeats} times"
        how = f"everybody meets everybody {times}, {event.rounds} rounds"
    else:
        how = f"{event.rounds} rounds {_PAIRED.get(event.schedule, event.schedule)}"
    return f"{event.teams} teams of {event.boards} boards, {how}"


def _strengths_said(field: FieldConfig, game: GameConfig) -> str:
    """Strengths, seeds, and how games end, where that is not as usual."""
    games = {"statistic": "", "fitted": ", games as in Baku 2016"}[game.model]
    if game.tail == "literal" and game.model == "statistic":
        games = ", games as in the thesis"
    shock = f", shocks of {game.day_shock:g} points a day" if game.day_shock else ""
    return f"{_field_said(field)}{games}{shock}"


def _field_said(field: FieldConfig) -> str:
    uniform, rosters = f"field {field.low:g} to {field.high:g}", f"rosters of {field.event}"
    weakest, strongest = min(field.ratings, default=0), max(field.ratings, default=0)
    drawn = {
        "uniform": uniform,
        "rosters": rosters,
        "ratings": f"given ratings ({weakest:g} to {strongest:g})",
        "mixture": f"{uniform} or {rosters}",
    }[field.kind]
    noise = field.seed_noise
    if isinstance(noise, tuple):
        return f"{drawn} seeded with an error of {noise[0]:g} to {noise[1]:g} points"
    seeds = {0.0: "by true strength", math.inf: "at random"}
    return f"{drawn} seeded {seeds.get(noise, f'with an error of {noise:g} points')}"


def to_toml(config: Config) -> str:
    """A configuration as a file that `load_config` reads, without what its objective ignores."""
    content = to_dict(config)
    for key in _UNUSED:
        del content["decisions"][key]
    if config.decisions.fairness:
        # A file that does not say it aims at the ideal.
        content["decisions"]["aim"] = config.decisions.aim
    fit = "surface" if config.train.objective == "difficulty" else "decisions"
    lines = [_toml_line(key, content[key]) for key in ("name", "description")]
    for table in ("event", "field", "game", "train", fit):
        lines += ["", f"[{table}]", *_toml_lines(content[table])]
    for world in content.get("worlds", ()):
        lines += ["", "[[worlds]]", _toml_line("weight", world["weight"])]
        for table in ("field", "game"):
            lines += [f"[worlds.{table}]", *_toml_lines(world[table])]
    return "\n".join([*lines, ""])


def _toml_lines(table: dict[str, Any]) -> list[str]:
    return [_toml_line(key, value) for key, value in table.items() if value not in ("", [])]


def _toml_line(key: str, value: Any) -> str:
    return f"{key} = {_toml_value(value)}"


def _toml_value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return "inf" if value == "inf" else json.dumps(value, ensure_ascii=False)


class NotFound(InputError):
    """No file of this name, and no committed configuration or checkpoint either.

    **Fields:** `known`: the names of the committed ones, if these were looked through.
    """

    def __init__(self, message: str, known: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.known = tuple(known)


def find_file(source: str | Path, folder: str, suffix: str, parts: Sequence[str] = ("",)) -> Path:
    """The file `source`, or the committed file of that name in `folder` (`configs`, `checkpoints`).

    **Arguments:** `parts`: folders in `folder` that committed files are looked for in, in order.

    A bare name is looked up in the `folder` of the installed package or the checkout first, then in
    the working directory's: what is shipped keeps its name wherever a command runs. Names of
    earlier versions are taken, too.

    **Raises:** `NotFound` listing the known names if there is no such file.
    """
    check_type(folder[:-1], source, "a path or a name", str, Path)
    path, places = Path(source), [*_shipped(folder, parts), Path(folder)]
    if path.suffix == suffix and inputs.is_file(path):
        return path
    if path.name == str(source):
        name = path.name.removesuffix(suffix) + suffix
        for place in places:
            if inputs.is_file(place / name):
                return place / name
        # A file that the user gave an old name is found above.
        if (today := RENAMED.get(name.removesuffix(suffix))) is not None:
            return find_file(today, folder, suffix, parts)
    known = sorted({p.stem for place in places for p in place.glob(f"*{suffix}")})
    hint = did_you_mean(path.name[:200].removesuffix(suffix), known)
    raise NotFound(
        f"{named(str(source))}: no such {suffix} file, and no name in {folder}/: "
        f"{', '.join(known) or 'none'}{hint}",
        known,
    )


def place_note(source: str | Path, folder: str, suffix: str) -> str:
    """The note on a bare name of which the working directory's `folder` has a file.

    It names that file: as the one that is used, or as one that only its path would name. Empty for
    a path, and where there is no such file.
    """
    path = Path(source)
    name = path.name.removesuffix(suffix) + suffix
    own = Path(folder) / name
    if path.name != str(source) or not inputs.is_file(own) or inputs.is_file(path):
        return ""
    places = _shipped(folder)
    shipped = next((place for place in places if inputs.is_file(place / name)), None)
    if shipped is None:
        return f"{path.name} is {own} of the working folder"
    if (shipped / name).samefile(own):
        return ""
    return f"{path.name} is the one that is shipped; {own} is taken only by its path"


def _shipped(folder: str, parts: Sequence[str] = ("",)) -> list[Path]:
    """Where committed files may be: in the installed package, or in the checkout."""
    package = Path(__file__).parent
    return [place / folder / part for part in parts for place in (package, package.parent)]


def _check_keys(cls: Any, data: Any, prefix: str) -> dict[str, Any]:
    """The types of the fields of a dataclass, whose keys a table must have.

    **Raises:** `InputError` for something else, an unknown key, and one that is missing.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{prefix.rstrip('.') or 'configuration'} must be a table of keys")
    hints = get_type_hints(cls)
    for key in data:
        if key not in hints:
            raise InputError(f"unknown key {prefix}{key}; allowed: {', '.join(hints)}")
    for f in dataclasses.fields(cls):
        required = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        if required and f.name not in data:
            raise InputError(f"missing key {prefix}{f.name}")
    return hints


def _build(cls: Any, data: Any, prefix: str) -> Any:
    """A dataclass from a table of its keys."""
    hints = _check_keys(cls, data, prefix)
    return cls(**{k: _convert(hints[k], v, f"{prefix}{k}") for k, v in data.items()})


def _convert(hint: Any, value: Any, key: str) -> Any:
    if dataclasses.is_dataclass(hint):
        return _build(hint, value, f"{key}.")
    if hint == NoisePoints:
        if not isinstance(value, (list, tuple)):
            return _convert(float, value, key)
        if len(value) != 2:
            raise InputError(f"{key} must be a number, or a range of two, got {len(value)} numbers")
        return tuple(_convert(float, v, f"{key}[{i}]") for i, v in enumerate(value))
    if choices := get_args(hint):
        if choices[1:] == (...,):
            if not isinstance(value, (list, tuple)):
                kind = "numbers" if choices[0] is float else "tables"
                raise InputError(f"{key} must be a list of {kind}")
            return tuple(_convert(choices[0], v, f"{key}[{i}]") for i, v in enumerate(value))
        if value not in choices:
            raise InputError(f"{key} must be one of {', '.join(choices)}, got {value!r}")
        return value
    if hint is float:
        if value == "inf":
            return math.inf
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:
                pass
        raise InputError(f"{key} must be a number, got {str(value)[:40]!r}")
    if not isinstance(value, hint) or isinstance(value, bool) != (hint is bool):
        raise InputError(f"{key} must be {hint.__name__}, got {value!r}")
    return value
