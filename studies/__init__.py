"""Research beside the product: one plain script a report, run from the root of a checkout.

`python -m studies.NAME --out reports/NAME` measures and writes a report: CSV tables, figures that
show what the tables hold, and `README.md`, filled in from the template `studies/NAME.md`.
`script` has what all of them share, `worlds` the names of worlds and rules.
"""
