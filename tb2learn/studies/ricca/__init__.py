"""Tie-breaks and global criteria compared by simulation (Ricca)."""
