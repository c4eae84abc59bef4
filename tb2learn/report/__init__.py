"""Figures, Markdown tables and HTML pages for reports.

- `figures_training`, `figures_assessment`, `figures_comparison`: one file per subject of figures;
  `style`: colours, axes and output that they share.
- `markdown`: Markdown tables; `wording`: findings as sentences.
- `pages`: the HTML pages of quickstart and compare, from the templates in `templates/`.
"""
