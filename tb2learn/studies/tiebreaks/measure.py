"""Tie-breaks by global criteria in events of several kinds, beside Ricca's figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from tb2learn.config import Config, load_config
from tb2learn.report.frames import rounded
from tb2learn.report.stored import Axis, Cells, Csv, Each, Json, columns_of
from tb2learn.studies.claims import HOLDS
from tb2learn.studies.tiebreaks.accuracy import CRITERIA
from tb2learn.studies.tiebreaks.evaluation import (
    DIRECT,
    POPULATIONS,
    RANDOM,
    SINGLE,
    TEAM_RULES,
    TRUE,
    Evaluation,
    evaluate,
    ladder,
    ricca_names,
)
from tb2learn.studies.tiebreaks.order_claims import (
    AGREEMENT,
    OrderClaim,
    agreement,
    claims_content,
    claims_frames,
    is_better,
)
from tb2learn.studies.tiebreaks.published import ricca_between, ricca_values, sample_event
from tb2learn.studies.worlds import seeded

SOURCE = "R. Ricca, Looking for the best tie-break, FIDE Technical Commission, 2016"

INDIVIDUAL = {
    "150-10": "individual-150x10",
    "100-9": "individual-100x9",
    "50-6": "individual-50x6",
}
"""Configurations of his kinds of events."""

TEAMS = "olympiad-180x11"

_PARTS = ("value", "low", "high", "ricca")
_AXES = ("population", "tie_break", "criterion")
_DIGITS = 5


def _order(
    text: str,
    better: str,
    worse: str,
    populations: tuple[str, ...] = tuple(POPULATIONS),
    kinds: tuple[str, ...] = tuple(INDIVIDUAL),
) -> OrderClaim:
    return OrderClaim(text, (better,), (worse,), tuple(CRITERIA), populations, kinds=kinds)


ORDERS = (
    _order(
        "Among all players Median is the best Buchholz: better than Cut-1",
        *("MEDIAN", "BHCUT1", ("all",)),
    ),
    _order("... and better than the whole sum", "MEDIAN", "BH", ("all",)),
    _order("Among the top scorers Cut-1 is better than Median", "BHCUT1", "MEDIAN", ("top33",)),
    _order("APRO is the best rating tie-break: better than ARO", "APRO", "ARO"),
    _order("... better than AROC", "APRO", "AROC"),
    _order("... better than PTPR", "APRO", "PTPR"),
    _order("Buchholz Cut-1 is much better than Sonneborn-Berger", "BHCUT1", "SONNBER"),
    _order("Progressive points are better than Koya", "PROGRES", "KOYA"),
    _order("Sonneborn-Berger is better than Koya", "SONNBER", "KOYA"),
    _order("Progressive points are mostly better than Sonneborn-Berger", "PROGRES", "SONNBER"),
    _order("Games with Black are hardly better than lots", "BLACKS", RANDOM),
    _order("Wins are hardly better than lots", "WINS", RANDOM),
    _order("Wins are better than games with Black in 9 rounds", "WINS", "BLACKS", kinds=("100-9",)),
    _order("... and worse in 10 and 6 rounds", "BLACKS", "WINS", kinds=("150-10", "50-6")),
    _order("After Median, APRO is the best second tie-break", "MD_OP_RD", "MD_OR_RD", ("all",)),
    _order(
        "After Median, progressive points are better than Koya", "MD_PS_WW", "MD_KY_WW", ("all",)
    ),
    _order(
        "Direct encounter as first tie-break makes little difference",
        *("DE_B1_PS_WW", "B1_PS_WW", ("all",)),
    ),
)
"""His conclusions; a comparison that he calls even is tested in the direction of the names."""

FILES = (
    Json(
        "tiebreaks.json",
        {
            **columns_of("run", "events", "seed"),
            "populations": Axis("values", "population"),
            "criteria": Axis("values", "criterion", others=("other",)),
            "kinds": Each(
                "kinds",
                {
                    **columns_of("kinds", "kind", "config"),
                    "players": Cells("players", ("population",), "players", keyed=True),
                    "tie_breaks": Axis("values", "tie_break"),
                    **{part: Cells("values", _AXES, part) for part in _PARTS},
                    "between": {
                        part: Cells("between", ("criterion", "other"), part) for part in _PARTS
                    },
                    "agreement": Each("agreement", columns_of("agreement", *AGREEMENT)),
                    "worse_than_tied": Each("worse", "worse.tie_break"),
                },
                by="config",
            ),
            "claims": claims_content(apart=False),
            "sample": {
                **columns_of("sample", "figures", "possible"),
                "recomputed": Each("recomputed"),
            },
        },
    ),
    Csv("values.csv", "values", {"kind": "config", **{name: name for name in (*_AXES, *_PARTS)}}),
)


def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
    """Evaluate tie-breaks in simulated events of every kind.

    **Arguments:**

    - `events`: number of events of each kind.
    - `seed`: of all random numbers.

    **Returns:** as `frames_of`.
    """
    kinds = {kind: load_config(name) for kind, name in INDIVIDUAL.items()}
    for config in (random_seeds(kinds["100-9"]), load_config(TEAMS)):
        kinds[config.name] = config
    return frames_of(
        [
            evaluate(
                kind,
                config,
                (*ricca_names(), *(TEAM_RULES if config.event.boards > 1 else ())),
                events,
                seed,
                label=config.name,
            )
            for kind, config in kinds.items()
        ]
    )


def random_seeds(config: Config) -> Config:
    """The configuration with random seeds; Ricca seeds by true strength."""
    return replace(seeded(config, math.inf), name=f"{config.name}-random-seeds")


def frames_of(evaluations: Sequence[Evaluation]) -> dict[str, pd.DataFrame]:
    """All that the report shows of some evaluations, with his figures beside ours.

    **Returns:** frames, all but the last with the `config` of the kind of events:

    - `kinds`: his name of the kind, else that of the configuration.
    - `players`: mean number of players by `population`.
    - `values`: `value`, `low`, `high` and `ricca` by `population`, `tie_break` and `criterion`.
    - `between`: the same of two criteria (`criterion`, `other`) against each other.
    - `agreement`: see `orders.agreement`.
    - `worse`: every `tie_break` that is worse than direct encounter, which breaks few ties.
    - `claims`, `said`, `counted`: see `orders.claims_frames`.
    - `recomputed`, `sample`: see `published.sample_event`; the numbers of all figures and of the
      possible ones.
    """
    his, between, sample = ricca_values(), ricca_between(), sample_event()
    parts = {
        "kinds": lambda one: pd.DataFrame({"kind": [one.kind]}),
        "players": lambda one: pd.DataFrame(
            {"population": list(POPULATIONS), "players": one.players}
        ),
        "values": lambda one: _beside(one.frame(), his, one.kind),
        "between": lambda one: _beside(one.between_frame(), between, one.kind),
        "agreement": lambda one: agreement(one, _columns(his, one.kind)),
        "worse": lambda one: pd.DataFrame({"tie_break": worse_than_tied(one)}),
    }
    frames = {
        name: pd.concat([part(one).assign(config=one.config.name) for one in evaluations])
        for name, part in parts.items()
    }
    numbers = {"figures": [len(sample)], "possible": [int(sample["possible"].sum())]}
    return frames | {
        **claims_frames(ORDERS, his, evaluations, apart=False),
        "recomputed": sample[sample["ours"].notna()],
        "sample": pd.DataFrame(numbers),
    }


def _beside(ours: pd.DataFrame, his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Our values, rounded, and his for the kind of events."""
    theirs = his[his["kind"] == kind].drop(columns="kind")
    return rounded(ours, _DIGITS).merge(theirs, how="left")


def _columns(his: pd.DataFrame, kind: str) -> pd.DataFrame:
    """His single tie-breaks of a kind, as `orders.agreement` takes them."""
    axes = [list(POPULATIONS), list(CRITERIA), [one for one in SINGLE if one != "COMPLETE"]]
    cells = pd.MultiIndex.from_product(axes, names=["population", "criterion", "tie_break"])
    own = cells.to_frame(index=False).merge(his[his["kind"] == kind])
    return own.assign(sum="", method=own["tie_break"], elsewhere=math.nan)


def single_names(tiebreaks: Iterable[str]) -> list[str]:
    """The tie-breaks that are not combinations."""
    return [name for name in tiebreaks if len(ladder(name)) == 1]


def worse_than_tied(judged: Evaluation) -> list[str]:
    """The single tie-breaks shown to be worse than direct encounter, by the true order."""
    names = [one for one in single_names(judged.tiebreaks) if one not in (DIRECT, RANDOM)]
    pairs = pd.DataFrame({"second": names}).assign(population="all", criterion=TRUE, first=DIRECT)
    worse = is_better(judged.differences(pairs)) == HOLDS
    return [name for name, is_worse in zip(names, worse, strict=True) if is_worse]
