"""The page of a rule, which also ranks the files that are dropped on it.

- `page`: the page and the numbers in it; `templates/` has its markup and style.
- `knowledge`: the program's tables that its script reads instead of having its own.
- `script/`: JavaScript, joined to one script. `start` to `ranking` do the arithmetic, `csv` to
  `files` read events, `page_...` are what the user sees.
"""
