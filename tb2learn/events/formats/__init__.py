"""Read and write recorded events: folders of CSV tables, TRF files, PGN files.

- `read`: read an event of any format; `convert`: write it in another; `losses`: what that loses.
- `source`: limits and error messages for files from outside, shared by all formats.
- `csv_*`, `trf_*`, `pgn*`: one group of files per format, `*_write` writes it. The conventions for
  ambiguous files are at the top of `trf_read` and `pgn`.
"""
