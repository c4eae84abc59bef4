"""Every annotation of the package is checked while the tests run; to be called before its import.

By jaxtyping and beartype, but by beartype alone where events are read and kept and no shapes are
written: there a hundred thousand small functions are called, each of which jaxtyping would make
several times as slow. Beartype alone does not take names that are imported for types alone. An int
is a float (PEP 484).
"""

import ast
import re
from pathlib import Path

from beartype import BeartypeConf
from beartype.claw import beartype_package
from jaxtyping import install_import_hook

PACKAGE = Path(__file__).parents[1] / "tb2learn"
EVENTS = ("tb2learn.events.", "tb2learn.text")
UNCHECKED = (
    "tb2learn.chess.matching", "tb2learn.chess.olympiad_pairing", "tb2learn.chess.team_swiss"
)  # fmt: skip
"""Searches that call a few small functions of bits a million times, which checks make slow."""

ALIASES = frozenset(
    re.findall(r"^(\w+): TypeAlias", (PACKAGE / "types.py").read_text(), re.MULTILINE)
)
"""Names that the package gives to arrays of one shape."""


def needs_jaxtyping(path):
    """Whether a module imports what shapes are written with, or names for types alone."""
    for one in ast.walk(ast.parse(path.read_text())):
        if isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING":
            if any(isinstance(line, ast.ImportFrom) for line in one.body):
                return True
        if isinstance(one, ast.Import | ast.ImportFrom):
            module, names = getattr(one, "module", None), {name.name for name in one.names}
            if {"jaxtyping", "tb2learn.shapes"} & {module, *names}:
                return True
            if module == "tb2learn.types" and ALIASES & names:
                return True
    return False


def modules():
    """Names of all modules of the package, and whether jaxtyping checks them."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        # A package would stand for all that is in it.
        if path.name != "__init__.py" and name not in UNCHECKED:
            alone = name.startswith(EVENTS)
            yield name, not alone or needs_jaxtyping(path)


def check_types():
    """Install both import hooks."""
    found = dict(modules())
    install_import_hook(
        [name for name, by_jaxtyping in found.items() if by_jaxtyping],
        "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",
    )
    conf = BeartypeConf(is_pep484_tower=True, claw_is_pep526=False)
    for name, by_jaxtyping in found.items():
        if not by_jaxtyping:
            beartype_package(name, conf=conf)
