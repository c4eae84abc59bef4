"""Synthetic events: from a random key to a whole event, one or many."""
