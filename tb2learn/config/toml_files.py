"""Configurations as files: TOML in and out, and the shipped ones by their names."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from tb2learn.config.headers import UNUSED, to_dict, without_unused
from tb2learn.config.recipes import Config, from_tables
from tb2learn.config.shipped import find_file, shipped_places
from tb2learn.disk import inputs
from tb2learn.text import quoted
from tb2learn.types import InputError, check_name

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
    if path.parent.name == "recipes" and path.parent.parent in shipped_places("configs"):
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
        return from_tables(_in_world(without_unused(tomllib.loads(text))))
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
    places = (place / f"{name}.toml" for place in shipped_places("configs", ["worlds"]))
    path = next((path for path in places if inputs.is_file(path)), None)
    if path is None:
        raise InputError(f"world must be the name of a shipped world, got {quoted(name)}")
    world = tomllib.loads(inputs.read_text(path))
    return data | {table: world[table] for table in tables if table in world}


def to_toml(config: Config) -> str:
    """A configuration as a file that `load_config` reads, without what its objective ignores."""
    content = to_dict(config)
    for key in UNUSED:
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
