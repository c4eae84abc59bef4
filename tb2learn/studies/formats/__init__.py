"""Formats compared: what tie-breaks are worth in leagues, and which format finds the strongest."""
