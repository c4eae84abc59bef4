"""Methods for unplayed rounds compared by simulation (Ricca)."""
