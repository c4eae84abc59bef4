"""Single steps of the search for pairs that whole events seldom show."""

import jax
import jax.numpy as jnp
import numpy as np

from tb2learn.simulation import olympiad_search, places


def test_a_pair_is_undone_where_the_rest_cannot_be_paired():
    """Two groups of four. A meets C first, but then B and D are left, who have met."""
    teams, met = 8, np.zeros((8, 8), bool)
    met[1, 3] = met[3, 1] = True
    all_places = places.pack(jnp.ones((teams, 1), bool))
    field = olympiad_search.Field(
        order=jnp.arange(teams, dtype=jnp.int32)[:, None],
        met=places.pack(jnp.asarray(met.T)).T[:, :, None],
        begins=places.pack(jnp.asarray(np.isin(np.arange(teams), [0, 4])[:, None])),
        white=all_places,
        black=all_places,
        paired=teams,
    )

    def paired(is_first):
        return olympiad_search.pair_field(field, is_first)[..., 0].T

    pairs = np.asarray(jax.jit(paired)(jnp.array(False))).tolist()
    assert sorted(map(sorted, pairs)) == [[0, 3], [1, 2], [4, 6], [5, 7]]
