"""Sums over opponents under every policy for unplayed rounds, in events with absences.

Events with absences are simulated round by round (`absences`). Every policy of
`events.unplayed.policies` completes their records, and every sum over opponents is evaluated as in
`studies.tiebreaks`, beside Ricca's figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd
from jaxtyping import Float

from tb2learn.events.unplayed.record import Kind
from tb2learn.report.frames import rounded, where
from tb2learn.report.stored import Axis, Cells, Csv, Each, Json, columns_of
from tb2learn.stats import long_frame
from tb2learn.studies.claims import HOLDS
from tb2learn.studies.tiebreaks.evaluation import (
    ALL_CRITERIA,
    POPULATIONS,
    RANDOM,
    TRUE,
    Evaluation,
)
from tb2learn.studies.tiebreaks.order_claims import (
    AGREEMENT,
    agreement,
    claims_content,
    claims_frames,
    is_better,
    method_name,
)
from tb2learn.studies.unplayed.absences import CHANCES, EventKind, kinds
from tb2learn.studies.unplayed.evaluation import POLICIES, SUMS, is_defined, study_kind
from tb2learn.studies.unplayed.published import (
    ORDERS,
    RICCA_CRITERIA,
    RICCA_METHODS,
    RICCA_SUMS,
    ricca_unplayed,
)

SHOWN = (*RICCA_CRITERIA, TRUE)
"""The criteria that the report shows; all others are in the files."""

EXTREMES = ("criterion", "sum", "best", "level", "worst")

_AXES: tuple[str, ...] = ("population", "policy", "sum", "criterion")
_PARTS = ("value", "low", "high", "ricca")
_DIGITS = 5

FILES = (
    Json(
        "unplayed.json",
        {
            **columns_of("run", "events", "seed"),
            "populations": Axis("values", "population"),
            "criteria": Axis("values", "criterion"),
            "policies": Axis("values", "policy"),
            "sums": Axis("values", "sum"),
            "kinds": Each(
                "kinds",
                {
                    **columns_of("kinds", "kind", "config"),
                    "format": columns_of("kinds", "teams", "rounds", "boards"),
                    "absences": columns_of("kinds", *CHANCES, "bye_points"),
                    "shares": Cells("shares", ("rounds",), "share", keyed=True),
                    "players": Cells("players", ("population",), "players", keyed=True),
                    **{part: Cells("values", _AXES, part) for part in _PARTS[:3]},
                    "lots": Cells("lots", ("population", "criterion"), "value"),
                    "ricca": Cells("values", _AXES, "ricca"),
                    "agreement": Each("agreement", columns_of("agreement", *AGREEMENT)),
                    "ends": Each("extremes", columns_of("extremes", *EXTREMES)),
                },
                by="kind",
            ),
            "claims": claims_content(apart=True),
        },
    ),
    Csv("values.csv", "values", ("kind", *_AXES, *_PARTS), known="value"),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Simulate events of every kind and evaluate all policies.

    **Arguments:**

    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** as `frames_of`.
    """
    found = kinds()
    return frames_of(found, [study_kind(kind, events, seed, label=kind.name) for kind in found])


def frames_of(
    found: Sequence[EventKind],
    studied: Sequence[tuple[Evaluation, Float[np.ndarray, " kinds"]]],
) -> dict[str, pd.DataFrame]:
    """All that the report shows of some kinds of events, with his figures beside ours.

    **Arguments:** the kinds, and what `study_kind` returns of each.

    **Returns:** frames, all with the name of the `kind` of events but `claims`:

    - `kinds`: `config`, its format, and its `Absences`.
    - `shares`: `share` of all rounds of all players by `rounds`, the label of their kind.
    - `players`: mean number of players by `population`.
    - `values`: `value`, `low`, `high` and `ricca` by `population`, `policy`, `sum` and `criterion`;
      NaN where a policy does not define a sum.
    - `lots`: the `value` of a draw of lots by `population` and `criterion`.
    - `agreement`; `claims`, `said`, `counted`: see `studies.tiebreaks.order_claims`.
    - `extremes`: see `extremes`.
    """
    his = ricca_unplayed()
    parts: dict[str, list[pd.DataFrame]] = {}
    for kind, (judged, shares) in zip(found, studied, strict=True):
        event = kind.config.event
        about = {"teams": event.teams, "rounds": event.rounds, "boards": event.boards}
        own = {
            "kinds": pd.DataFrame([{"config": kind.config.name, **about, **asdict(kind.absences)}]),
            "shares": pd.DataFrame({"rounds": [one.label for one in Kind], "share": shares}),
            "players": pd.DataFrame({"population": list(POPULATIONS), "players": judged.players}),
            "values": _values(judged, his[his["kind"] == kind.ricca]),
            "lots": where(judged.frame(), tie_break=RANDOM),
            "agreement": agreement(judged, _columns(his, kind.ricca)),
            "extremes": extremes(judged),
        }
        for name, frame in own.items():
            digits = _DIGITS if name in ("shares", "values", "lots") else None
            frame = frame if digits is None else rounded(frame, digits)
            parts.setdefault(name, []).append(frame.assign(kind=kind.name))
    return {
        **{name: pd.concat(some, ignore_index=True) for name, some in parts.items()},
        **claims_frames(ORDERS, his, [judged for judged, _ in studied], apart=True),
    }


def _values(judged: Evaluation, his: pd.DataFrame) -> pd.DataFrame:
    """Our values by policy and sum, and his; unrounded."""
    axes = dict(
        zip(_AXES, (list(POPULATIONS), list(POLICIES), list(SUMS), ALL_CRITERIA), strict=True)
    )
    cells = long_frame(axes, {})
    cells["tie_break"] = [
        method_name(*one) for one in zip(cells["policy"], cells["sum"], strict=True)
    ]
    keys = ["population", "tie_break", "criterion"]
    return cells.merge(judged.frame(), "left", keys).merge(his[[*keys, "ricca"]], "left", keys)


def _columns(his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """His values of a kind, and those of his other one, as `orders.agreement` takes them."""
    axes = {
        "population": list(POPULATIONS),
        "criterion": list(RICCA_CRITERIA),
        "sum": list(RICCA_SUMS.values()),
        "method": list(RICCA_METHODS.values()),
    }
    other = his[his["kind"] != kind].drop(columns=["kind", "tie_break"])
    own = long_frame(axes, {}).merge(his[his["kind"] == kind])
    return own.merge(other.rename(columns={"ricca": "elsewhere"}))


def extremes(judged: Evaluation) -> pd.DataFrame:
    """The best and the worst policy among all players, and those as good as the best.

    **Returns:** a row a `criterion` of `SHOWN` and `sum` of his: `best` and `worst`, and `level`,
    all policies whose interval of the difference from the best includes zero.
    """
    values = judged.frame()
    rows = []
    for criterion in SHOWN:
        for name in RICCA_SUMS.values():
            policies = {method_name(one, name): one for one in POLICIES if is_defined(one, name)}
            some = where(values, population="all", criterion=criterion)
            some = some[some["tie_break"].isin(list(policies))]
            first, *others = some.sort_values("value", kind="stable")["tie_break"]
            pairs = pd.DataFrame({"second": others})
            pairs = pairs.assign(population="all", criterion=criterion, first=first)
            better = is_better(judged.differences(pairs)) == HOLDS
            level = [
                policies[one] for one, is_worse in zip(others, better, strict=True) if not is_worse
            ]
            rows.append((criterion, name, policies[first], level, policies[others[-1]]))
    return pd.DataFrame(rows, columns=pd.Index(EXTREMES))
