"""Results as text, CSV and JSON: the same numbers in another form, no arithmetic."""
