"""Public functions with arguments that are none: `python bad_arguments.py` prints what is wrong.

Every parameter of every public function is tried with every value. It must be refused in one line;
some are accepted, as the documentation says. A process of its own, as types are checked at run time
in that of the tests.
"""

import inspect
from functools import partial

import numpy as np
import pandas as pd

import tb2learn as tb
import tb2learn.api
from tb2learn.config import from_dict
from tb2learn.types import InputError

SMALL = from_dict({"name": "small", "event": {"teams": 6, "rounds": 3, "boards": 2}})
FRAME = pd.DataFrame({"team": ["A", "A"], "mp": [1, 1]})
BAD = {
    "None": None, "nan": float("nan"), "inf": float("inf"), "-1": -1, "0": 0, "1.5": 1.5,
    "2**32": 2**32, "10**400": 10**400, "True": True, "empty": "", "no-such": "no-such",
    "a null": "a\0b", "bytes": b"baku2016", "object": object(), "list": [], "list of None": [None],
    "list of nan": [float("nan")], "dict": {}, "array": np.zeros((2, 2)), "empty frame": FRAME[:0],
    "duplicate frame": FRAME, "frame": FRAME[:1], "class": tb.load_event,
}  # fmt: skip
CALLS = {
    "load_event": {"source": "etcc2011"},
    "load_rule": {"rule": "formula"},
    "rank": {"event": "etcc2011", "by": "product"},
    "rule": {"name": "mine", "function": len},
    "explain": {"event": "etcc2011", "teams": "Hungary", "by": "product"},
    "compare": {"event": "etcc2011", "by": "emmsb"},
    "check": {"event": "etcc2011"},
    "pair": {"event": "samarkand2026w", "after": 4},
    "packaged_events": {},
    "rules": {},
    "worlds": {},
    "forecast": {"event": "armstrong2011", "after": 10, "continuations": 1},
    "train": {"world": SMALL, "events": 8},
    "assess": {"rules": "product", "world": SMALL, "events": 2},
    "simulate": {"world": SMALL, "events": 1},
    "export_rule": {"rule": "product", "folder": "out", "formats": "csv"},
    "plot": {"result": tb.load_rule("product")},
    "load_checkpoint": {"source": "formula-180x11"},
    "save_checkpoint": {"checkpoint": tb.load_checkpoint("formula-180x11"), "folder": "out"},
}
FLAGS = {
    "progress",
    "strict",
    "trust_points",
    "individual",
    "round_robin",
    "swiss",
    "confidence",
    "pages",
    "ideal",
}
"""These alone may be True."""
ACCEPTED = {
    ("seed", "0"), ("rules", "list"), ("absent", "list"), ("present", "list"),
    ("teams", "list"), ("by", "list"), ("name", "empty"),
    ("name", "no-such"), ("folder", "empty"), ("folder", "no-such"), ("formats", "list"),
    ("forecast", "after", "0"), ("own_mp", "0"), ("function", "class"), ("bye", "-1"),
    ("bye", "1.5"), ("bye_points", "0"), ("bye_points", "1.5"),
}  # fmt: skip
"""What is allowed: nothing is judged beside the rule in use, a list may be empty."""
FUNCTIONS = {name: getattr(tb.api, name) for name in CALLS}
PARAMETERS = [
    (name, parameter)
    for name, function in FUNCTIONS.items()
    for parameter in inspect.signature(function).parameters
]


REFUSED = {
    "kind must be one of teams, players, ": lambda: tb.load_event("etcc2011").frame([]),
    "kind must be one of standings, ": lambda: tb.simulate(SMALL, events=1).frame(FRAME),
    "seed must be 0..4294967295, got -1": lambda: tb.simulate(SMALL, seed=-1),
    "seed must be 0..4294967295, got 4294967296": lambda: tb.simulate(SMALL, seed=2**32),
    "seed must be a whole number 0..4294967295, got 1.5": lambda: tb.simulate(SMALL, seed=1.5),
    "rounds must be a whole number 1..40, got 1.5": lambda: tb.load_rule("formula", rounds=1.5),
    "a rule must be a checkpoint or a name, got None": lambda: tb.assess(None, SMALL),
    "a rule must be a checkpoint or a name, got a value of": lambda: tb.assess(tb.rule, SMALL),
    "function must be a function of an event, got 3": lambda: tb.rule("mine", 3),
    "rule must be what rule() or load_rule() gives, ": lambda: tb.simulate(SMALL).scores("product"),
    "event must be a table of keys, got 'baku2016'": lambda: tb.Config(event="baku2016"),
    "name must be a text, got 3": lambda: tb.Config(name=3),
    "unplayed must be one of baku2016, ": lambda: tb.rank("etcc2011", unplayed=""),
    "events must be 1..1000000000, got": lambda: tb.assess("product", SMALL, events=10**9 + 1),
    "events must be 1..2386092 of this size (4 GiB)": lambda: tb.simulate(SMALL, events=10**9),
}
"""Calls by the beginning of the message."""


def wrong(call):
    """What is wrong with how a call is refused; empty for one line that is printable."""
    try:
        call()
    except InputError as error:
        message = str(error)
        return "" if message.isprintable() and len(message) <= 2000 else f"says {message!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def main():
    if {*CALLS} != {name for name, home in tb._HOMES.items() if home == "tb2learn.api"}:
        print("not all public functions are tried")
    for name, parameter in PARAMETERS:
        usual = inspect.signature(FUNCTIONS[name]).parameters[parameter].default
        for key, value in BAD.items():
            call = partial(FUNCTIONS[name], **CALLS[name] | {parameter: value})
            accepted = {(parameter, key), (name, parameter, key)} & ACCEPTED
            accepted = accepted or (parameter in FLAGS and key == "True")
            if value is not usual and not accepted and (found := wrong(call)):
                print(f"{name} {parameter} = {key}: {found}")
    for message, call in REFUSED.items():
        try:
            call()
        except InputError as error:
            if not str(error).startswith(message):
                print(f"{message}: {error}")
        else:
            print(f"{message}: accepted")


if __name__ == "__main__":
    main()
