"""What the report shows beside its frames: short tables, single rates, probes with violations."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tb2learn.assessment.incentive import PROBES
from tb2learn.assessment.tally import ALL
from tb2learn.catalogue import PRODUCT
from tb2learn.report.frames import Frames, where, wide
from tb2learn.report.markdown import exact_interval, with_interval
from tb2learn.report.template import Markdown
from tb2learn.report.wording import population_name, rule_name
from tb2learn.studies import assessments
from tb2learn.studies.leaderboard.measure import SINGLE
from tb2learn.studies.seed_bias import biased, unbeaten
from tb2learn.studies.worlds import FORMULA, LEARNED, ROSTERS, SEEDED

_SUMMARISED = (PRODUCT, "buchholz-cut1", "least-squares", FORMULA, ROSTERS, LEARNED)
"""Rules of the table at the head of the report."""


def summary(frames: Frames) -> dict[str, Any]:
    """Tables of the assessments, of real events and of probes."""
    results, top = frames["results"], assessments.SHOWN_TOP
    about = {row.assessment: row for row in frames["assessments"].itertuples()}

    def rate(name: str, rule: str, top: int = top) -> Any:
        (found,) = where(results, assessment=name, rule=rule, top=top).itertuples()
        return found

    def near(name: str, rule: str) -> Markdown:
        one = rate(name, rule)
        ends = one.near_equal_low, one.near_equal_high
        return Markdown(with_interval(one.near_equal, ends, ".1%"))

    as_it_is = where(results, assessment=SEEDED)
    real = where(frames["real"], top=ALL).sort_values("share", kind="stable")
    real["named"] = real["rule"].map(rule_name)
    own = real["rule"] == PRODUCT
    for column in ("fewer", "fewer_low", "fewer_high"):
        real[column] = real[column].astype(object).mask(own, pd.NA)
    probes = frames["incentive"].assign(named=frames["incentive"]["rule"].map(rule_name))
    return {
        "about": about,
        "rate": rate,
        "near": near,
        "tables": assessments.tables(frames, "assessment"),
        "short": _short(results),
        "fairest": list(map(rule_name, unbeaten(biased(as_it_is, top)))),
        "in_baku": next(real[real["rule"] == LEARNED].itertuples()),
        "real": real,
        "learned_probes": next(probes[probes["rule"] == LEARNED].itertuples()),
        "unhurt": probes["named"][probes["violations"] == 0].tolist(),
        "least": exact_interval(0, int(probes["within"].iloc[0]))[1],
        "hurt": with_shares(probes),
        "matches": PROBES,
        "shown_top": top,
    }


def _short(results: pd.DataFrame) -> pd.DataFrame:
    """Error rates with random seeds: a row a rule, a column a population."""
    tops = {10: 10, assessments.SHOWN_TOP: assessments.SHOWN_TOP, "all": ALL}
    first = where(results, assessment=next(iter(SINGLE)))
    parts = [first[(first["rule"] == rule) & first["top"].isin(list(tops))] for rule in _SUMMARISED]
    found = pd.concat(parts)
    found["rule"] = found["rule"].map(rule_name)
    found["top"] = [population_name(tops[top]) for top in found["top"]]
    return wide(found, "rule", "top", "error_rate").reset_index()


def with_shares(probes: pd.DataFrame) -> pd.DataFrame:
    """Probes of the rules with violations, and their share among those that could show one."""
    hurt = probes[probes["violations"] > 0]
    ends = [exact_interval(*one) for one in hurt[["violations", "within"]].to_numpy().tolist()]
    return hurt.assign(
        share=hurt["violations"] / hurt["within"],
        share_low=[low for low, _ in ends],
        share_high=[high for _, high in ends],
    )
