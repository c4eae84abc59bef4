"""The printed figures of the thesis (M. Naray, ELTE Budapest, 2020), recomputed."""

from tb2learn.studies.study import Study

STUDY = Study(
    "thesis",
    "what of the thesis is reproduced, and what is not",
    minutes=1.2,
    reads=(),
    command="reproduce thesis",
    out="reports/thesis.md",
)
