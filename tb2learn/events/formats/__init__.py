"""Read and write recorded events: folders of CSV tables, TRF files, PGN files.

- `registry`: all formats. A new one is a file that reads and writes it, and its entry there, a
  `Format`: the command line, messages and the documentation take it from the entry.
- `read`: read an event of any format; `write`: write it in another, whose entry says what it has no
  place for.
- `source`: limits and error messages for files from outside; `fields`: what lines, rows and games
  have in common, and notes on what was assumed; `options`: what the user says.
- `csv_*`, `pgn*`, and `events.files` for TRF: one group of files per format; `*_write` writes it.
  The conventions for ambiguous files are at the top of `files.trf` and `pgn`.
"""
