"""What an unplayed round counts for: the record of an event, and the policies."""
