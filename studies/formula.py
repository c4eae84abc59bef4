"""How do the formula's constants depend on boards and rounds, and what is it worth to players?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd

from studies.frames import where
from studies.script import events_option, report, script, written
from studies.worlds import Cell, grid, load_config, renamed, world
from tb2learn.assessment.error_rates import rates
from tb2learn.assessment.single_event import single_event_tally
from tb2learn.config import FieldConfig
from tb2learn.simulation.purposes import EventRange, Purpose
from tb2learn.simulation.simulate import Progress
from tb2learn.tiebreaks.formula_constants import FORMULA, MIDDLE, PowerLaw, closed_formula
from tb2learn.tiebreaks.library import DEEP, baseline
from tb2learn.tiebreaks.rules import Rule, product_table
from tb2learn.training.fit_formula import fit_formula
from tb2learn.version import NUMBERS

FITTED = (*((60, rounds, boards) for boards in (4, 8) for rounds in (7, 11)), (60, 9, 6))

CHECKED = ((60, 9, 4), (60, 9, 8))  # formats that the closed form is not fitted to, only judged in

PLAYERS = ((60, 7, 1), (100, 9, 1), (200, 9, 1))  # players; their closed form is their own
WORLDS = ("open-60x7", "open-100x9", "open-200x9", "open-100x9-seeded", "individual-100x9")
RULES = (DEEP, "least-squares", "buchholz", "sonneborn-berger", "wins")  # of players

TOPS = ("10", "all")
NATIVE = "native"


def fit(shape: tuple[int, int, int], trained: int, seed: int) -> Rule:
    """The formula of one format: teams as in `world`, or players of 1600 to 2500."""
    config = world(shape, "formula", trained, seed)
    if shape[2] == 1:
        config = replace(config, field=FieldConfig(low=1600.0, high=2500.0, player_sd=0.0))
    return fit_formula(config, Progress(config.name))[0]


def power_laws(fits: Sequence[Rule]) -> dict[str, PowerLaw]:
    """Power laws of both constants by least squares on their logarithms."""
    boards, rounds = MIDDLE
    several = len({one.boards for one in fits}) > 1
    rows = [
        [1.0, several * np.log(one.boards / boards), np.log(one.event_rounds / rounds)]
        for one in fits
    ]
    laws = {}
    for name in ("scale", "refinement"):
        values = np.log([one.shares[name] for one in fits])
        middle, by_boards, by_rounds = map(float, np.linalg.lstsq(np.array(rows), values)[0])
        laws[name] = PowerLaw(digits(np.exp(middle), 3), round(by_boards, 2), round(by_rounds, 2))
    return laws


def digits(value: float, number: int) -> float:
    """A value with so many significant digits."""
    return float(f"{value:.{number}g}")


def judge(
    shape: tuple[int, int, int],
    fitted: Rule,
    laws: Mapping[str, PowerLaw],
    events: int,
    seed: int,
) -> pd.DataFrame:
    """The product rule and the closed form beside the formula fitted to a format of teams."""
    config = world(shape, "formula", events, seed)
    # The fitted one and the closed form may have one name; the counts need two.
    rules = [
        product_table(*shape[1:]),
        replace(fitted, name=NATIVE),
        closed_formula(*shape[1:], laws),
    ]
    judged_on = EventRange(seed, Purpose.ASSESS, events)
    tally = single_event_tally(config, rules, judged_on, Progress(f"judge {config.name}"))
    rows = rates(tally, seed, [NATIVE])
    rows.columns = rows.columns.str.replace(f"than_{NATIVE}", "growth")
    own = where(rows, rule=NATIVE)[["top", "error"]].rename(columns={"error": "native_error"})
    rows = rows[(rows["rule"] != NATIVE) & rows["top"].isin(TOPS)].merge(own, on="top")
    about = dict(zip(("teams", "rounds", "boards"), shape, strict=True))
    about |= {"fitted": "yes" if shape in FITTED else "no"}
    about |= {name: digits(value, 2) for name, value in fitted.constants.items()}
    grown = ["growth", "growth_low", "growth_high"]
    return rows.assign(**about)[[*about, "rule", "top", "pairs", "error", "native_error", *grown]]


def constants(fits: Sequence[Rule], laws: Mapping[str, PowerLaw]) -> pd.DataFrame:
    """The constants of players in points, fitted and of the closed form, a row a format."""
    rows = []
    for (players, rounds, boards), fitted in zip(PLAYERS, fits, strict=True):
        row: dict[str, float] = {"players": players, "rounds": rounds}
        for how, one in (("fitted", fitted), ("closed", closed_formula(rounds, boards, laws))):
            # a is a lead in points, half as many as match points; k, too, is points a point.
            row |= {f"{how} {name}": digits(x / 2, 3) for name, x in one.constants.items()}
        rows.append(row)
    return pd.DataFrame(rows)


@script(
    "reports/formula",
    events_option(1000, "fresh events of every format and world"),
    events_option(3200, "events of one descent; descents follow until a plateau", "--trained"),
)
def main(out: Path, events: int, trained: int, seed: int) -> None:
    """Fit the formula's constants, which the package contains; judge one closed form."""
    fits = {shape: fit(shape, trained, seed) for shape in (*FITTED, *CHECKED, *PLAYERS)}
    of_players = [fits[shape] for shape in PLAYERS]
    laws = {
        "formula": power_laws([fits[shape] for shape in FITTED]),
        "formula_players": power_laws(of_players),
    }
    about = {"events": trained, "seed": seed, "version": NUMBERS}
    packaged = {
        name: pd.DataFrame([{"constant": one, **asdict(law), **about} for one, law in both.items()])
        for name, both in laws.items()
    }
    cells = []
    for name in WORLDS:
        config = load_config(name)
        closed = closed_formula(config.event.rounds, 1, laws["formula_players"])
        cells.append(Cell(name, config, [*RULES, closed], events))
    judged, numbers = grid(cells, seed), [*renamed("error", ""), *renamed("saved", "")]
    shapes = (*FITTED, *CHECKED)
    teams = [judge(shape, fits[shape], laws["formula"], events, seed) for shape in shapes]
    tables = {
        **packaged,
        "fits": pd.concat(teams, ignore_index=True),
        "fits_players": constants(of_players, laws["formula_players"]),
        "errors": judged[["world", "rule", "top", "pairs", *numbers]],
    }
    frames = written(out, tables)
    errors = frames["errors"]
    given = {
        **{"events": events, "trained": trained, "seed": seed, "in_use": baseline(1)},
        "closed": where(frames["fits"], rule=FORMULA).sort_values("growth", kind="stable"),
        "shown": errors[errors["top"].isin(("1", "all"))],
    }
    report(out, "formula.md", {**frames, **given})


if __name__ == "__main__":
    main()
