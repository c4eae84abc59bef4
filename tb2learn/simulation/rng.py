"""Randomness: the generator, the tree of keys, and uniform integers.

The generator is JAX's threefry 2x32 (a counter-based block cipher, Salmon et al. 2011): what a key
yields is a fixed function of the key, the same on every processor. Keys form a tree, each node
consumed once::

    seed                                                  a number in 0 .. 2**32 - 1
      fold_in purpose         training, held out, assessment, exploration (`stream`)
        fold_in i             event i of the stream
          split               to play it, to measure it
            split             its field, its rounds
              split           rosters, seeding            (`field.draw_seeded`)
                split         its noise, the seeding      (only where every event draws a noise)
                split         strengths, players          (`field.draw_rosters`; of a mixture
                              first: which kind, and the kinds)
              split           one a round; yields one number a team (`unit_numbers`)

A key is either split or folded into, never both: in JAX `split(key)[i]` is `fold_in(key, i)`.
So an event depends on its seed, purpose and number alone, and no two events share a key. A result
needs 15 random bits and a rating 16: every 32-bit word yields two of them.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, UInt

from tb2learn.jax_types import Key
from tb2learn.simulation.purposes import UNIT_BITS, Purpose


def stream(seed: int, purpose: Purpose) -> Key:
    """The key of a stream of events.

    **Arguments:**

    - `seed`: 0 .. 2**32 - 1.
    - `purpose`: folded into the key, so that events of different purposes never share keys.
    """
    return _stream(np.uint32(seed), np.uint32(purpose))


@jax.jit  # one program instead of three
def _stream(seed: UInt[Array, ""], purpose: UInt[Array, ""]) -> Key:
    return jax.random.fold_in(jax.random.key(seed, impl="threefry2x32"), purpose)


def half_words(key: Key, count: int) -> Int[Array, " count"]:
    """Independent uniform integers in 0 .. 65535.

    **Arguments:**

    - `key`: consumed.
    - `count`: how many.
    """
    words = jax.random.bits(key, (-(-count // 2),))
    return jnp.concatenate([words & 0xFFFF, words >> 16])[:count].astype(jnp.int32)


def unit_numbers(key: Key, count: int) -> Int[Array, " count"]:
    """Independent uniform integers in 0 .. `UNIT` - 1, to be compared with a probability.

    **Arguments:** as `half_words`.
    """
    return half_words(key, count) >> (16 - UNIT_BITS)
