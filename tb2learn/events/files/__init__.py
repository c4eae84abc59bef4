"""Read and write recorded events.

- `registry`: all formats. A new one is a file that reads and writes it, and its entry there, a
  `Format`: the command line, messages and the documentation take it from the entry.
- `read`: an event of any format; `write`: the same in another one.
- `rows`: rows of cells of CSV, XLSX and HTML; `headings`: the one dictionary of their headings;
  `event_tables` and `lists`: what rows say of matches and games, of crosstables and rounds.
- `trf*`, `pgn`: FIDE's reports and games. Conventions for ambiguous files are at their tops.
- `source`: limits, code pages, archives, files in memory; `fields`: what lines, rows and games have
  in common, and notes on what was assumed; `options`: what the user says.

What cannot be read is refused with an `InputError` of one line that names the file, the line, the
field, what is allowed and what came. Functions that only pass it on do not say so again.
"""
