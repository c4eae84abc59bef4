"""The files of a study's report: text, figures, tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from tb2learn.disk import files
from tb2learn.report.style import figure_png


def write_report_folder(
    folder: Path,
    text: str,
    figures: Mapping[str, Figure],
    tables: Mapping[str, str],
    main: str = "README.md",
) -> Path:
    """Write the report of a study.

    **Arguments:**

    - `folder`: where the files go.
    - `text`: the report as Markdown.
    - `figures`: by name of the PNG file.
    - `tables`: CSV by name of the file.
    - `main`: the name of the file with the text.

    **Returns:** the path of the report.
    """
    for name, figure in figures.items():
        files.write_bytes(folder / name, figure_png(figure))
    for name, content in tables.items():
        files.write_text(folder / name, content)
    files.write_text(folder / main, text)
    return folder / main
