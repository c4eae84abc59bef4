"""Annotations are checked while the tests run: shapes, and types where there are no shapes."""

import jax.numpy as jnp
import pytest
from beartype.roar import BeartypeCallHintViolation
from checked import modules
from jaxtyping import TypeCheckError

from tb2learn.chess.results import match_points
from tb2learn.events import read_event
from tb2learn.simulation.truth import tied_pairs
from tb2learn.text import plain


def test_shapes_are_checked_where_they_are_written():
    found = dict(modules())
    assert found["tb2learn.simulation.truth"] and found["tb2learn.events.criteria"]
    assert not found["tb2learn.events.files.trf"] and not found["tb2learn.events.model"]


@pytest.mark.thorough
def test_wrong_shapes_and_types_are_found():
    assert match_points(jnp.array([[0, 4, 8]]), 4).tolist() == [[0, 1, 2]]
    with pytest.raises(TypeCheckError):
        tied_pairs(jnp.zeros((2, 3), jnp.int32))
    with pytest.raises(TypeCheckError):
        tied_pairs(jnp.zeros(3, jnp.float32))
    with pytest.raises(BeartypeCallHintViolation):
        plain(3)
    with pytest.raises(BeartypeCallHintViolation):
        read_event(3)
