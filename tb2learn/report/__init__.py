"""What users are shown: figures, HTML pages, and text of assessments, comparisons and chances.

- `figures`: all but those of forecasts; `style`: colours, axes and output that figures share.
- `assessment`, `compared`, `chances`: results as tables; `wording`: findings as sentences.
- `pages`, `forecast`: HTML pages, from the templates in `templates/`; `quickstart`: the main job.
"""

from tb2learn.disk import outputs

# When it is imported, matplotlib makes folders of its own, also temporary ones, and fails if it may
# not use them: with some masks of permissions (`umask`) they would be closed to the user.
if outputs.new_mode(0o700) != 0o700:
    with outputs.mask_of_others():
        import matplotlib.font_manager  # noqa: F401
