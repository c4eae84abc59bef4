"""What users are shown: figures, HTML pages, and text of assessments, comparisons and chances.

- `figures_training`, `figures_assessment`, `figures_comparison`: one file per subject of figures;
  `style`: colours, axes and output that they share.
- `assessment`, `compared`, `chances`: results as tables; `wording`: findings as sentences.
- `pages`, `forecast`: HTML pages, from the templates in `templates/`; `quickstart`: the main job.
"""
