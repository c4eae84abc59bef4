"""What the report of the checker says beside its frames: sums, reasons, tables of both kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tb2learn.report.frames import Frames, where, wide
from tb2learn.studies.checker.measure import WHY


def summary(frames: Frames) -> Mapping[str, Any]:
    """Sums of cells, a table of codes and events a kind, and why cells differ."""
    cells = frames["cells"]
    compared = cells[cells["cells"] > 0]
    tables = {}
    for kind in dict.fromkeys(compared["kind"]):
        of_kind = where(compared, kind=kind)
        entrants = where(frames["events"], kind=kind).set_index("event")["entrants"]
        table = wide(of_kind, "code", "event", "agreeing").rename(
            columns={name: f"{name} ({entrants[name]})" for name in entrants.index}
        )
        tables[kind] = table.reset_index()
    differ = cells[cells["why"].notna() & (cells["why"] != "")]
    reasons = [
        {
            "why": why,
            "said": WHY.get(why, "it is a slip of the checker, which then prints no table"),
            "codes": ", ".join(dict.fromkeys(rows["code"].str.split("[:/]").str[0])),
            "events": ", ".join(dict.fromkeys(rows["event"])),
        }
        for why, rows in differ.groupby("why", sort=False)
    ]
    return {
        "agreeing": int(compared["agreeing"].sum()),
        "compared": int(compared["cells"].sum()),
        "tables": tables,
        "reasons": reasons,
    }
