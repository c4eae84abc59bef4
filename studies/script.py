"""What every script shares: its options, and a report that shows what its CSV files hold."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pandas as pd
from matplotlib.figure import Figure

from studies.template import filled_in, rounded
from tb2learn.data import event_names
from tb2learn.disk import files
from tb2learn.events import TeamEvent, read_event
from tb2learn.report.style import figure_png
from tb2learn.running import compile_cache
from tb2learn.running.processors import use_all_cores
from tb2learn.text import csv_text
from tb2learn.types import InputError

DIGITS = 6  # decimals of fractions in the CSV files


def script(out: str, *options: Callable[..., Any], seed: int | None = 1) -> Callable[..., Any]:
    """A decorator that makes `main(out, ...)` a command with `--out`, `--seed` and other options.

    `seed` is None where nothing is drawn. Bad input is one line and exit status 2.
    """

    def decorate(main: Callable[..., None]) -> click.Command:
        @functools.wraps(main)
        def run(out: Path, **given: Any) -> None:
            try:
                files.check_folder(out)
                with compile_cache.use(True) as unusable:
                    if unusable:
                        click.echo(f"note: {unusable}", err=True)
                    use_all_cores()
                    main(out, **given)
            except (InputError, ModuleNotFoundError) as error:
                missing = isinstance(error, ModuleNotFoundError)
                hint = "; pip install '.[studies]' in the checkout" if missing else ""
                click.echo(f"error: {error}{hint}", err=True)
                sys.exit(2)
            click.echo(out)

        folder = click.Path(file_okay=False, path_type=Path)
        given = [click.option("--out", type=folder, default=out, help="folder of the report")]
        if seed is not None:
            given.append(click.option("--seed", default=seed, help="of all random numbers"))
        for add in reversed([*given, *options]):
            run = add(run)
        return click.command(context_settings={"show_default": True})(run)

    return decorate


def events_option(default: int, what: str, name: str = "--events") -> Callable[..., Any]:
    """`--events` (or another name): how many events of what are played."""
    return click.option(name, type=click.IntRange(1), default=default, metavar="N", help=what)


def written(
    out: Path, tables: Mapping[str, pd.DataFrame], digits: int = DIGITS
) -> dict[str, pd.DataFrame]:
    """Write frames as `NAME.csv`, and return them as the files hold them.

    So a report is the same where the last bits of a processor's fractions differ.
    """
    found = {}
    for name, frame in tables.items():
        short = rounded(frame, digits).astype(object)
        rows = short.where(short.notna(), None).itertuples(index=False, name=None)
        text = csv_text([tuple(map(str, frame.columns)), *rows])
        files.write_text(out / f"{name}.csv", text)
        found[name] = pd.read_csv(StringIO(text), keep_default_na=False, na_values=[""])
    return found


def report(
    out: Path,
    template: str,
    given: Mapping[str, Any],
    figures: Mapping[str, Figure] | None = None,
    page: str = "README.md",
) -> None:
    """Write a page from a template beside the scripts, and the figures by their files."""
    for name, figure in (figures or {}).items():
        files.write_bytes(out / name, figure_png(figure))
    files.write_text(out / page, filled_in("studies", template, given))


def recorded(source: str) -> TeamEvent:
    """A recorded event; one that is packaged has its short name, which fits into a table."""
    event = read_event(source)
    return replace(event, name=source) if source in event_names() else event
