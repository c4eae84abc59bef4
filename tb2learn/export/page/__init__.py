"""The page of a rule, which also ranks the files that are dropped on it.

- `page`: the page and the numbers in it; `templates/` has its markup and style.
- `knowledge`: the program's tables that its script reads instead of having its own.
- `script/`: JavaScript, joined to one script of at most 1,900 lines. `start` has what all share,
  `arithmetic`, `event` and `ranking` are the rule and the standings, `csv` and `trf` read files,
  `page_table` and `page_event` are what the user sees.
"""
