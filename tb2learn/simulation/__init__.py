"""Synthetic events: from a random key to a whole event, and to sums over many.

`purposes` names streams of events, `rng` has keys and random integers, `field` the teams and their
seeding, `games` the probabilities of a match, `event` what was played and who was present.
`schedule` plays many events side by side, in the formats that `formats` names: `olympiad_swiss`
pairs an Olympiad by FIDE's rules (`olympiad_search` finds the pairs), `thesis_swiss` the thesis's
Swiss of teams, `dutch_swiss` that of players. `programs` runs on the devices; `simulate` alone
divides events among batches, devices and workers and adds up what is measured of them;
`event_store` keeps events to be measured again; `simulated` gives them to users as arrays and
tables. `oracle` has the true order of the teams: everybody plays everybody.
"""
