"""Who really played better, when teams tie at a Chess Olympiad.

tb2learn simulates team events, learns tie-break tables from them, counts how many ties each rule
decides wrongly, and ranks real events.

>>> import tb2learn as tb
>>> event = tb.load_event("baku2016")
>>> tb.rank(event, "learned").head(3)  # doctest: +SKIP

The public API is the list below; each function says in its docstring what it takes and returns.
Nothing is imported before it is used: `import tb2learn` takes no time and loads no JAX.

=====================  =============================================================================
`load_event`           a recorded event: a file, a folder, or a packaged name
`rank`, `explain`      its standings and their working, under any rule and policy
`compare`, `check`     its standings under two rules; what is wrong in its record
`pair`                 its next round by the Olympiad's pairing rules
`forecast`             chances of places in an event with rounds left
`packaged_events`      names that these functions take; also `rules`, `worlds`
`load_rule`            a rule by name; `.frame()` is its lookup table
`rule`                 a rule of one's own: a function of `EventResults`
`simulate`             synthetic events as arrays
`train`                a table or formula for a format: a `Checkpoint`
`save_checkpoint`      writes it to a file; `load_checkpoint` reads one, by path or name
`assess`               how often rules are wrong: an `Assessment`
`export_rule`, `plot`  tables to print and to use; the figure of a result
`Config`               a world; `Config(teams=60, rounds=9)` from keywords
`InputError`           the one error for bad input
=====================  =============================================================================
"""

from __future__ import annotations

from tb2learn.version import __version__ as __version__

# Not even `typing` is imported: what a command imports before its guard is ready, an interrupt ends
# in a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tb2learn.api import (
        assess,
        check,
        compare,
        explain,
        export_rule,
        forecast,
        load_checkpoint,
        load_event,
        load_rule,
        packaged_events,
        pair,
        plot,
        rank,
        rule,
        rules,
        save_checkpoint,
        simulate,
        train,
        worlds,
    )
    from tb2learn.assessment.error_rates import Assessment
    from tb2learn.config import Config
    from tb2learn.events.model import TeamEvent
    from tb2learn.simulation.simulated import SimulatedEvents
    from tb2learn.tiebreaks.function_rule import EventResults
    from tb2learn.tiebreaks.rules import Rule
    from tb2learn.training.checkpoint import Checkpoint
    from tb2learn.types import InputError

_HOMES = {
    "Assessment": "tb2learn.assessment.error_rates",
    "Checkpoint": "tb2learn.training.checkpoint",
    "Config": "tb2learn.config",
    "EventResults": "tb2learn.tiebreaks.function_rule",
    "InputError": "tb2learn.types",
    "Rule": "tb2learn.tiebreaks.rules",
    "SimulatedEvents": "tb2learn.simulation.simulated",
    "TeamEvent": "tb2learn.events.model",
    "assess": "tb2learn.api",
    "check": "tb2learn.api",
    "compare": "tb2learn.api",
    "explain": "tb2learn.api",
    "export_rule": "tb2learn.api",
    "forecast": "tb2learn.api",
    "load_checkpoint": "tb2learn.api",
    "load_event": "tb2learn.api",
    "load_rule": "tb2learn.api",
    "packaged_events": "tb2learn.api",
    "pair": "tb2learn.api",
    "plot": "tb2learn.api",
    "rank": "tb2learn.api",
    "rule": "tb2learn.api",
    "rules": "tb2learn.api",
    "save_checkpoint": "tb2learn.api",
    "simulate": "tb2learn.api",
    "train": "tb2learn.api",
    "worlds": "tb2learn.api",
}

__all__ = [
    "Assessment",
    "Checkpoint",
    "Config",
    "EventResults",
    "InputError",
    "Rule",
    "SimulatedEvents",
    "TeamEvent",
    "assess",
    "check",
    "compare",
    "explain",
    "export_rule",
    "forecast",
    "load_checkpoint",
    "load_event",
    "load_rule",
    "packaged_events",
    "pair",
    "plot",
    "rank",
    "rule",
    "rules",
    "save_checkpoint",
    "simulate",
    "train",
    "worlds",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for (PEP 562)."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
