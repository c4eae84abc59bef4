"""All studies. They are found as folders of this package, so that a new one is listed nowhere."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from tb2learn import studies
from tb2learn.studies.study import Study


def _found() -> dict[str, Study]:
    """Studies by name, in alphabetical order: what the folders call `STUDY`."""
    folders = (one.name for one in iter_modules(studies.__path__) if one.ispkg)
    modules = (import_module(f"{studies.__name__}.{name}") for name in folders)
    found = (module.STUDY for module in modules)
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


STUDIES = _found()
