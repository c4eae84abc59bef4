"""`--format` and `--out` of the commands that show results: on the screen, or as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click

from tb2learn.cli import arguments
from tb2learn.cli.output import show
from tb2learn.export.forms import LANGUAGES, OUTPUTS

SCREEN = "table"


def form_options(printed: Iterable[str]) -> arguments.Decorator:
    """`--format` and `--out`.

    **Arguments:** `printed`: forms that are files only.
    """
    return arguments.several(
        click.option(
            "--format",
            type=click.Choice((*OUTPUTS, *printed)),
            show_default=f"by FILE's ending, else {SCREEN}",
            help=f"the form; {', '.join(printed)} need --out",
        ),
        click.option(
            "--out",
            type=arguments.output_file,
            metavar="FILE",
            help="write there instead of on the screen",
        ),
    )


rule_argument = click.argument(
    "rule",
    type=arguments.RULE,
    metavar="RULE",
    help="a checkpoint: a path, or the name of a committed one; or learned, formula, product",
)
"""A rule that has a table or a formula."""


def language_option(help: str) -> arguments.Decorator:
    """`--lang`."""
    return click.option("--lang", type=click.Choice(LANGUAGES), default=LANGUAGES[0], help=help)


def chosen_form(
    form: str | None, out: str | None, printed: Iterable[str], lang: str = LANGUAGES[0]
) -> str:
    """The form asked for, or that of the file's ending.

    **Raises:** `InputError` for a form that needs a file if there is none, or has one language.
    """
    from tb2learn.types import InputError

    if form is None:
        ending = Path(out).suffix.lower().removeprefix(".") if out else ""
        form = ending if ending in (*OUTPUTS, *printed) else SCREEN
    if form in printed and not out:
        raise InputError(f"--format {form} makes a file: name it with --out FILE")
    if form not in printed and lang != LANGUAGES[0]:
        raise InputError(f"--lang {lang} is for {', '.join(printed)}, not for {form}")
    return form


def deliver(
    form: str,
    out: str | None,
    texts: Mapping[str, Callable[[], str]],
    files: Mapping[str, Callable[[], bytes]],
) -> None:
    """Show a result, or write it to a file and print its path.

    **Arguments:**

    - `form`: as `chosen_form` gives it.
    - `out`: the path of the file; None for the screen.
    - `texts`, `files`: what makes the content, by form.
    """
    from tb2learn.disk import files as writing

    content = texts[form]() if form in texts else files[form]()
    if out is None:
        assert isinstance(content, str)
        show(content)
        return
    writing.write_bytes(Path(out), content.encode() if isinstance(content, str) else content)
    show(f"{out}\n")
