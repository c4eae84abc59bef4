"""Recorded events in their formats: folders of CSV tables, TRF and PGN; read, write, convert."""
