"""Csato's published rankings and distances, beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tb2learn import data
from tb2learn.events import TeamEvent, read_event
from tb2learn.studies.rankings.study import DISTANCES, OFFICIAL, START, Study, steps_of


@dataclass(frozen=True)
class Published:
    """What the paper prints of a packaged event.

    **Fields:**

    - `places`: by ranking and team.
    - `distances`: by kind and the two rankings, as printed.
    - `decomposition`: by team and column.
    """

    places: Mapping[str, Mapping[str, int]]
    distances: Mapping[str, Mapping[tuple[str, str], str]]
    decomposition: Mapping[str, Mapping[str, int]]

    def official(self, event: TeamEvent) -> Mapping[str, int]:
        """The official final places."""
        return self.places[OFFICIAL]


_TABLES = "published_{}.csv"


def published(event: TeamEvent) -> Published | None:
    """The published tables of a packaged event; None where there are none."""
    for name in data.event_names():
        if data.event_folder(name).joinpath(_TABLES.format("rankings")).is_file():
            if read_event(name).matches == event.matches:
                return _published(name)
    return None


def _published(name: str) -> Published:
    return Published(
        data.load_table(name, _TABLES.format("rankings")).set_index("team").to_dict(),
        {
            kind: {
                (row["ranking"], column): printed
                for row in data.read_rows(name, _TABLES.format(kind))
                for column, printed in row.items()
                if column not in ("ranking", row["ranking"])
            }
            for kind in DISTANCES
        },
        data.load_table(name, _TABLES.format("decomposition"))
        .set_index("team")
        .to_dict(orient="index"),
    )


@dataclass(frozen=True)
class Beside:
    """One published table compared with ours.

    **Fields:**

    - `table`, `cells`: its name and number of cells.
    - `different`: the cells for which we find another value.
    - `tied`: how many of these depend only on the order of equal ratings.
    """

    table: str
    cells: int
    different: tuple[str, ...]
    tied: int = 0


def beside(found: Study, printed: Published) -> tuple[Beside, ...]:
    """Every published table compared with ours."""
    teams, names = found.event.teams, list(found.rankings)
    compared = {
        "rankings": [
            (f"{name} of {team}", place, int(found.rankings[name][teams.index(team)]))
            for name, by_team in printed.places.items()
            if name in names and name not in (START, OFFICIAL)
            for team, place in by_team.items()
        ]
    }
    for kind, form in (("kemeny", "{:.0f}"), ("weighted", "{:.2f}")):
        compared[f"{kind} distances"] = [
            (
                f"{first} and {second}",
                value,
                form.format(found.distances[kind][names.index(first), names.index(second)]),
            )
            for (first, second), value in printed.distances[kind].items()
            if first in names and second in names
        ]
    ours = {team: steps_of(found.decomposed, number) for number, team in enumerate(teams)}
    compared["decomposition"] = [
        (f"{column} of {team}", value, ours[team]["scores" if column == OFFICIAL else column])
        for team, row in printed.decomposition.items()
        for column, value in row.items()
    ]
    different = {
        table: [f"{what}: printed {a}, ours {b}" for what, a, b in cells if a != b]
        for table, cells in compared.items()
    }
    tied = sum(
        bool(found.decomposed.tied[int(column[5:]) - 1, teams.index(team)])
        for team, row in printed.decomposition.items()
        for column, value in row.items()
        if column.startswith("step_") and ours[team][column] != value
    )
    return tuple(
        Beside(
            table,
            len(cells),
            tuple(different[table]),
            tied if table == "decomposition" else 0,
        )
        for table, cells in compared.items()
    )
