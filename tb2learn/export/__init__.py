"""The same numbers as CSV, JSON, XLSX, PDF and HTML: rules, standings, assessments.

`words` and `words.csv` hold all labels in five languages. `table`, `xlsx`, `pdf` and `html` each
write a rule in one form, `forms` in any; `standings` and `assessment` write results.

The public API has a function of this package's name. So the package can be called:
`tb2learn.export(rule, folder)` is `forms.export`.
"""

import sys
import types
from typing import Any


class _CallablePackage(types.ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        from tb2learn.export.forms import export

        return export(*args, **options)

    @property
    def __signature__(self) -> Any:
        """That of the function."""
        import inspect

        from tb2learn.export.forms import export

        return inspect.signature(export)


sys.modules[__name__].__class__ = _CallablePackage
