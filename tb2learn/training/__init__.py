"""From simulated events to a lookup table or a formula, and the checkpoint of it.

`difficulty_log` counts how hard results are, `surface` has the smooth monotone functions and how
well they fit, `fit_surface` fits one to the counts. `fit_tables` fits tables in passes to the order
of tied teams by `table_moments`, `near_pairs` and `table_least_squares`, `fit_formula` fits the
constants of the formula. `tabulate` rounds a surface to a table. `objectives` has what can be
trained; `checkpoint` trains, saves and loads it. What reads a checkpoint loads no JAX.
"""
