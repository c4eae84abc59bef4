"""The same numbers as CSV, JSON, XLSX, PDF and HTML: rules, standings, assessments.

`words` and `words.csv` hold all labels in five languages. `table`, `xlsx`, `pdf` and `html` each
write a rule in one form, `forms` in any; `standings` and `assessment` write results.
"""
