"""`Int`, `Float`, `Bool` and `Num` of jaxtyping, in which signatures write shapes.

Nothing reads shapes while a program runs, but for whoever checks types, and has jaxtyping for it.
It takes as long to import as NumPy: with its import hook come `unittest.mock` and asyncio. So here
it is taken only where it has been imported already; else an annotation is the type of its array.
Modules that import JAX anyway take these names from jaxtyping itself.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.modules.get("jaxtyping"):
    from jaxtyping import Bool as Bool
    from jaxtyping import Float as Float
    from jaxtyping import Int as Int
    from jaxtyping import Num as Num
else:

    class Num:
        """`Num[array, "rounds teams"]` is the type `array`."""

        def __class_getitem__(cls, array_and_shape: tuple[Any, str]) -> Any:
            """The type of the array, without its shape."""
            return array_and_shape[0]

    Bool = Float = Int = Num
