"""What is played, in words."""

from __future__ import annotations

import math

from tb2learn.chess.event_format import EventFormat
from tb2learn.config.settings import FieldConfig, GameConfig, Setting


def size_name(event: EventFormat) -> str:
    """Teams and rounds, as names of files have them, and the boards if they are not 4."""
    wide = "" if event.boards == 4 else f"-{event.boards}boards"
    return f"{event.teams}x{event.rounds}{wide}"


_PAIRED = {
    "olympiad-2022": "paired as Olympiads are since 2022",
    "olympiad-2010": "paired as Olympiads were from 2010 to 2018",
    "median-swiss": "paired by the thesis's simplified rule",
    "dutch": "paired by FIDE's Dutch system",
}


def event_said(event: EventFormat) -> str:
    """How many teams meet, and how."""
    if event.format == "round-robin":
        times = "once" if event.repeats == 1 else f"{event.repeats} times"
        how = f"everybody meets everybody {times}, {event.rounds} rounds"
    else:
        how = f"{event.rounds} rounds {_PAIRED.get(event.schedule, event.schedule)}"
    return f"{event.teams} teams of {event.boards} boards, {how}"


def strengths_said(field: FieldConfig, game: GameConfig) -> str:
    """Strengths, seeds, and how games end, where that is not as usual."""
    games = {"statistic": "", "fitted": ", games as in Baku 2016"}[game.model]
    if game.tail == "literal" and game.model == "statistic":
        games = ", games as in the thesis"
    shock = f", shocks of {game.day_shock:g} points a day" if game.day_shock else ""
    return f"{field_said(field)}{games}{shock}"


def field_said(field: FieldConfig) -> str:
    """Where strengths come from, and how teams are seeded."""
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


def setting_said(setting: Setting) -> str:
    """What is played, in words: how teams meet, their strengths, seeds and games."""
    return f"{event_said(setting.event)}; {strengths_said(setting.field, setting.game)}"
