"""The three chapters of every training, by name, and what the first one counts.

1. *How hard is a result?* Events are played, the difficulty log is counted, a smooth surface is
   fitted to it and made a table of one pass, `NAME-difficulty`.
2. *What decides ties?* The tables in passes, or the constants of the formula.
3. *Is it better?* Errors of FIDE's rule, of the surface and of what chapter 2 found, on events that
   were held out.
"""

from __future__ import annotations

from dataclasses import replace

from tb2learn.config import Config

HARD = "How hard is a result?"
TIES = "What decides ties?"
BETTER = "Is it better?"

DIFFICULTY = "difficulty"
"""The objective of chapter 1, and what its part of a checkpoint is called."""

LOGGED = 2048
"""Most training events that are counted beside a table or formula.

The log looks at all pairs of an event, so a count takes three times as long as playing. These
events of 180 teams give 33 million matches. Ten times as many change no error rate of the table by
a tenth of a per cent.
"""

LOGGED_HELD_OUT = 256
"""Most held-out events of that log."""


def difficulty_plan(
    config: Config, events: int | None = None, held_out: int | None = None
) -> Config:
    """The configuration of chapter 1 of a training.

    It is that of a training of the difficulty alone, in its own world, without descent.

    **Arguments:** `events`, `held_out`: how many are counted; of the training's own at most
    `LOGGED` and `LOGGED_HELD_OUT` if not given.
    """
    plan = replace(
        config.train,
        objective=DIFFICULTY,
        events=events or min(config.train.events, LOGGED),
        held_out=held_out or min(config.train.held_out, LOGGED_HELD_OUT),
    )
    # Without descent every processor finds the same surface.
    surface = replace(config.surface, steps=0)
    return replace(config, train=plan, surface=surface, worlds=())
