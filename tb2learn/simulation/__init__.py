"""Synthetic events: from a random key to one whole event, and to sums over many.

`rng` has keys and random integers, `field` the teams and their seeding, `games` the probabilities
of a match, `pairing` one Swiss round. `olympiad` plays one event as a pure function, `batched` many
of the same events at once, fast. `run` alone divides events among batches, devices and hosts and
adds up what is measured of them; `truth` has the true order of the teams.
"""
