"""A configuration: a name, what is played, and what is fitted in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from tb2learn.chess.event_format import (
    UNWRITTEN,
    EventFormat,
    FormatName,
    cycle_rounds,
    todays_pairing,
)
from tb2learn.config.key_tables import build, check_keys, convert
from tb2learn.config.plans import DecisionConfig, SurfaceConfig, TrainConfig, World
from tb2learn.config.setting_words import (
    event_said,
    field_said,
    setting_said,
    size_name,
    strengths_said,
)
from tb2learn.config.settings import FieldConfig, GameConfig, Setting
from tb2learn.data import event_rosters
from tb2learn.limits import MOST_EVENTS, MOST_SEED
from tb2learn.text import quoted
from tb2learn.types import InputError, check_name, check_type, said, whole_number, within

MAX_DESCRIPTION = 500
MAX_WORLDS = 20


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
        name: Any = None,
        description: Any = None,
        event: Any = None,
        field: Any = None,
        game: Any = None,
        train: Any = None,
        surface: Any = None,
        decisions: Any = None,
        worlds: Any = (),
        **keys: Any,
    ) -> None:
        # Tables, or dataclasses, as somebody wrote them: `_tables` says what is wrong with one.
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
        return f"<Config {self.name}: {setting_said(self.setting)}; {self.train.objective}>"

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
        world if isinstance(world, World) else build(World, world, f"worlds[{number}].")
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
            own = {key: convert(known[key], value, f"{name}.{key}") for key, value in own.items()}
            made[name] = replace(table, **own)
        elif table is None or isinstance(table, Mapping):
            own = {**(table or {}), **own}
            made[name] = build(kind, {**_of_today(name, own), **own}, f"{name}.")
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
            convert(int, keys.get(key, getattr(usual, key)), f"event.{key}")
            for key in ("teams", "repeats")
        )
        return {"rounds": repeats * cycle_rounds(teams)}
    if keys.get("format", "swiss") != "swiss":
        return {}
    boards = convert(int, keys.get("boards", EventFormat.boards), "event.boards")
    return {"pairing": todays_pairing(boards)}


def from_tables(data: Any) -> Config:
    """A configuration from the tables of a file.

    **Raises:** `InputError` naming the key, what is allowed and what came.
    """
    hints = check_keys(Config, data, "")
    texts = data.keys() & {"name", "description"}
    return Config(**data | {key: convert(hints[key], data[key], key) for key in texts})


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


def described(config: Config) -> str:
    """What a configuration plays and fits, from its numbers."""
    event, plan = config.event, config.train.objective
    rule = {
        "difficulty": "table of difficulties",
        "decisions": f"table in {config.decisions.passes} passes",
        "formula": "formula",
    }[plan]
    fields = " and ".join(dict.fromkeys(field_said(one.field) for one in (config, *config.worlds)))
    form = "" if event.format == "swiss" else f" ({event.format})"
    return (
        f"{event.teams} teams, {event.rounds} rounds, {event.boards} boards{form}: {rule}, {fields}"
    )


def assumed(config: Config) -> str:
    """What a training takes for granted, in words: how teams meet, their strengths, their seeds."""
    said = (strengths_said(world.field, world.game) for world in (config, *config.worlds))
    return f"{event_said(config.event)}; {' and '.join(dict.fromkeys(said))}"
