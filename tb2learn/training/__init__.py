"""From simulated events to a table or a formula, and the checkpoint of it."""
