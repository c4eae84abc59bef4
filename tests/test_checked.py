"""Annotations are checked while the tests run: shapes, and types where there are no shapes."""

import jax.numpy as jnp
import pytest
from beartype.roar import BeartypeCallHintViolation
from checked import PACKAGE, has_shapes
from jaxtyping import TypeCheckError

from tb2learn.results import match_points
from tb2learn.simulation.truth import tied_pairs
from tb2learn.text import plain


def test_modules_with_shapes():
    assert has_shapes("from jaxtyping import Array")
    assert has_shapes("def f():\n    from tb2learn.types import BYE, PerTeam")
    assert not has_shapes("from tb2learn.types import BYE, InputError\nimport numpy")
    for name, expected in {"results": True, "events/formats/csv_folder": False}.items():
        assert has_shapes((PACKAGE / f"{name}.py").read_text()) == expected


def test_wrong_shapes_and_types_are_found():
    assert match_points(jnp.array([[0, 4, 8]]), 4).tolist() == [[0, 1, 2]]
    with pytest.raises(TypeCheckError):
        tied_pairs(jnp.zeros((2, 3), jnp.int32))
    with pytest.raises(TypeCheckError):
        tied_pairs(jnp.zeros(3, jnp.float32))
    with pytest.raises(BeartypeCallHintViolation):
        plain(3)
