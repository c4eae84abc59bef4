"""A study's report: made by measuring, or written again from its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from tb2learn import studies
from tb2learn.disk import files
from tb2learn.report.frames import Frames
from tb2learn.report.stored import Csv, stacked
from tb2learn.report.style import figure_png
from tb2learn.report.template import filled_in
from tb2learn.studies.study import Study


def make(study: Study, out: Path, **given: Any) -> Path:
    """Measure, and write the report.

    **Arguments:**

    - `study`: the study.
    - `out`: the folder that gets `README.md`, the figures and the files of the frames; or the file
      of the report, with the others beside it.
    - `given`: the options.

    **Returns:** the path of the report.

    **Raises:** `InputError` as the study, or if a file cannot be written.
    """
    return write(study, out, measured(study, out, **given))


def measured(study: Study, out: Path | None, **given: Any) -> dict[str, pd.DataFrame]:
    """The frames of a study, and as `run` the options.

    **Arguments:** as for `make`; with `out` it is first checked whether the report can be written.
    """
    if out and study.in_one_file:
        names = (*study.figures, *(one.file for one in study.files))
        files.check_file(out, *(_path(study, out, name) for name in names))
    elif out:
        files.check_folder(out)
    return study.measure(**given) | {"run": pd.DataFrame([given])}


def render(study: Study, out: Path, **given: Any) -> Path:
    """Write the report again from the files of its frames in the same folder.

    **Arguments:** as for `make`; the options are those with which the frames were measured, as far
    as the files do not say.

    **Returns:** the path of the report.
    """
    return write(study, out, {"run": pd.DataFrame([given])} | stored(study, out))


def stored(study: Study, out: Path) -> dict[str, pd.DataFrame]:
    """The frames in the files of a report, which stand in or beside `out` as for `make`."""
    return _read(study, lambda file: _path(study, out, file).read_text("utf-8"))


def _read(study: Study, contents: Callable[[str], str | None]) -> dict[str, pd.DataFrame]:
    """The frames in the contents of files by name; None for a file that there is not."""
    frames: dict[str, pd.DataFrame] = {}
    for one in study.files:
        if isinstance(one, Csv) and one.frame in frames:
            continue
        content = contents(one.file)
        for name, frame in (one.frames(content) if content is not None else {}).items():
            frames[name] = stacked([frames[name], frame]) if name in frames else frame
    return frames


def write(study: Study, out: Path, frames: Frames) -> Path:
    """Write the report of some frames: `README.md`, the figures, the files of the frames.

    A table whose frame is missing is left out, and so is a figure where nothing is to be drawn. The
    report and the figures of a study that takes minutes show what its files hold: digits that these
    leave out can differ between processors.

    **Arguments:** as for `make`; `frames` with the options as the single row of `run`.

    **Returns:** the path of the report.
    """
    stem = out.stem if study.in_one_file else ""
    known = (one for one in study.files if not isinstance(one, Csv) or one.frame in frames)
    tables = {one.file: one.text(frames) for one in known}
    if study.minutes:
        frames = {**frames, **_read(study, tables.get)}
    drawn = {name: draw(frames) for name, draw in study.figures.items()}
    report = text(study, frames, stem)
    for name, figure in drawn.items():
        if figure:
            files.write_bytes(_path(study, out, name), figure_png(figure))
    for name, content in tables.items():
        files.write_text(_path(study, out, name), content)
    path = out if stem else out / "README.md"
    files.write_text(path, report)
    return path


def text(study: Study, frames: Frames, stem: str = "") -> str:
    """The report as Markdown.

    **Arguments:** as for `write`; `stem`: with what the names of the other files begin.
    """
    run = dict(frames["run"].iloc[0])
    known = {"run": run, "stem": stem, "measure": study.constants}
    given = {**frames, **known, **study.summary(frames)}
    return filled_in(studies.__name__, study.template, given)


def _path(study: Study, out: Path, name: str) -> Path:
    """A file of the report."""
    return out.with_name(f"{out.stem}{name}") if study.in_one_file else out / name
