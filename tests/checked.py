"""Every annotation of the package is checked while the tests run; to be called before its import.

Modules that annotate shapes are checked by jaxtyping and beartype, all others by beartype alone:
checking shapes takes several times as long, and readers of files call a hundred thousand small
functions. An int is a float (PEP 484).
"""

import ast
from pathlib import Path

from beartype import BeartypeConf
from beartype.claw import beartype_package
from jaxtyping import install_import_hook

PACKAGE = Path(__file__).parents[1] / "tb2learn"


def has_shapes(source):
    """Whether a module imports jaxtyping, or an alias of a shape from the package's types.

    Or names for annotations alone, which beartype cannot look up and jaxtyping passes over.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "jaxtyping":
            return True
        if isinstance(node, ast.Name) and node.id == "TYPE_CHECKING":
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "tb2learn.types":
            names = {alias.name for alias in node.names} - {"InputError"}
            if not all(name.isupper() for name in names):
                return True
    return False


def check_types():
    """Install both import hooks."""
    shaped = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for path in PACKAGE.rglob("*.py")
        if has_shapes(path.read_text())
    ]
    beartype_package("tb2learn", conf=BeartypeConf(is_pep484_tower=True, claw_is_pep526=False))
    install_import_hook(
        shaped, "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
    )
