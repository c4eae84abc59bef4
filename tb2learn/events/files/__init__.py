"""Readers and writers of event files: FIDE's Tournament Report File (TRF)."""
