"""Which rule is wrong how often, and what it rewards."""
