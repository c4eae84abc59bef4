"""What users are shown: figures, HTML pages, and text of assessments, comparisons and chances.

- `figures`: all but those of forecasts; `style`: colours, axes and output that figures share.
- `assessment`, `compared`, `chances`: results as tables; `wording`: findings as sentences.
- `pages`, `forecast`: HTML pages, from the templates in `templates/`; `quickstart`: the main job.
"""
