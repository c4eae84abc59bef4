"""Synthetic events: from a random key to one whole event, and to sums over many.

`rng` has keys and random integers, `field` the teams and their seeding, `games` the probabilities
of a match. `olympiad` plays one event as a pure function, with one Swiss round from `pairing`.
`schedule` plays many events at once, in the formats that `by_format` names; `batched` is the same
Swiss, fast. `run` alone divides events among batches, devices and workers and adds up what is
measured of them; `truth` has the true order of the teams.
"""
