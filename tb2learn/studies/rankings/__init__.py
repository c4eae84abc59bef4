"""Team events ranked by paired comparison (Csato)."""
