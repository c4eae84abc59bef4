"""Typed values from tables of keys, and back: every error names its key."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

from tb2learn.config.settings import NoisePoints
from tb2learn.types import InputError


def check_keys(cls: Any, data: Any, prefix: str) -> dict[str, Any]:
    """The types of the fields of a dataclass, after a look at the keys of a table for it.

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


def build(cls: Any, data: Any, prefix: str) -> Any:
    """A dataclass from a table of its keys."""
    hints = check_keys(cls, data, prefix)
    return cls(**{k: convert(hints[k], v, f"{prefix}{k}") for k, v in data.items()})


def convert(hint: Any, value: Any, key: str) -> Any:
    """A value of a table as its key has it.

    **Arguments:** the type, what came, and the key, for the message.

    **Raises:** `InputError` for a value of another type.
    """
    if dataclasses.is_dataclass(hint):
        return build(hint, value, f"{key}.")
    if hint == NoisePoints:
        if not isinstance(value, (list, tuple)):
            return convert(float, value, key)
        if len(value) != 2:
            raise InputError(f"{key} must be a number, or a range of two, got {len(value)} numbers")
        return tuple(convert(float, v, f"{key}[{i}]") for i, v in enumerate(value))
    if choices := get_args(hint):
        if choices[1:] == (...,):
            if not isinstance(value, (list, tuple)):
                kind = "numbers" if choices[0] is float else "tables"
                raise InputError(f"{key} must be a list of {kind}")
            return tuple(convert(choices[0], v, f"{key}[{i}]") for i, v in enumerate(value))
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
