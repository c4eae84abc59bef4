"""Every annotation of the package is checked while the tests run; to be called before its import.

By jaxtyping and beartype, but the readers of files by beartype alone: they know no shapes, and call
a hundred thousand small functions, each of which jaxtyping would make several times as slow. An int
is a float (PEP 484).
"""

from pathlib import Path

from beartype import BeartypeConf
from beartype.claw import beartype_packages
from jaxtyping import install_import_hook

PACKAGE = Path(__file__).parents[1] / "tb2learn"
READERS = ("tb2learn.events.formats", "tb2learn.text")


def check_types():
    """Install both import hooks."""
    paths = [path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.py")]
    # A package would stand for all that is in it.
    modules = [".".join(p.with_suffix("").parts) for p in paths if p.name != "__init__.py"]
    install_import_hook(
        [name for name in modules if not name.startswith(READERS)],
        "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",
    )
    beartype_packages(READERS, conf=BeartypeConf(is_pep484_tower=True, claw_is_pep526=False))
