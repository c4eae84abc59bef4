"""Synthetic events: from a random key to a whole event, and to sums over many.

`rng` has keys and random integers, `field` the teams and their seeding, `games` the probabilities
of a match, `event` what was played and who was present. `schedule` plays many events side by side,
in the formats that `by_format` names; `batched` pairs the Swiss of teams, `dutch` that of players.
`programs` runs on the devices; `run` alone divides events among batches, devices and workers and
adds up what is measured of them; `truth` has the true order of the teams.
"""
