"""From simulated events to a lookup table or a formula, and the checkpoint of it.

`difficulty` counts how hard results are in a `difficulty_log`, `surface` has the smooth monotone
functions and how well they fit, `surface_fit` fits one to the counts. `pairwise` fits tables in
passes to the order of tied teams by `least_squares`, `formula` fits the constants of the formula.
`tabulate` rounds a surface to a table. `kinds` has the three kinds of checkpoint; `checkpoint`
trains, saves and loads them. What reads a checkpoint loads no JAX.
"""
