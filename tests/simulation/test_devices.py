"""The same results from any number of devices: processes of their own."""

import os
import subprocess
import sys

import pytest
from helpers import PATIENCE

PROGRAM = """
import hashlib, sys, jax
jax.config.update("jax_num_cpu_devices", int(sys.argv[1]))
from tb2learn.simulation import simulate
from tb2learn.training import difficulty_log
from tb2learn.config import Config, EventFormat
from tb2learn.simulation.purposes import Purpose
events = simulate.EventRange(3, Purpose.TRAIN, 51)
log = difficulty_log.collect(Config(name="d", event=EventFormat(9, 4, 2)), events)
digest = hashlib.sha256(log.counts.tobytes()).hexdigest()
print("log", jax.local_device_count(), digest)
"""


FORMULA = """
import hashlib, sys, jax, jax.numpy as jnp, numpy as np
jax.config.update("jax_num_cpu_devices", 2)
from tb2learn.catalogue import find_rule
from tb2learn.chess.results import Results
from tb2learn.config import Config, EventFormat
from tb2learn.simulation import simulate
from tb2learn.simulation.measurement import Measurement
from tb2learn.simulation.purposes import EventRange, Purpose
config = Config(name="f", event=EventFormat(20, 7, 4))
rule = find_rule("formula", 7, 4).tiebreak
def played(key, event, config, args):
    results = event.results
    return results.opponents, results.half_points, results.match_points, rule.scores(results)
events = EventRange(3, Purpose.TRAIN, 256)
found = simulate.sum_events(
    config.setting, Measurement.listed(played, oracle=False), events
)
opponents, half, points, scores = (np.concatenate(x) for x in zip(*found, strict=True))
plain = [rule.scores(Results(*one, 4)) for one in zip(opponents, half, points, strict=True)]
batched = jax.jit(jax.vmap(lambda *one: rule.scores(Results(*one, 4))))
ways = {"devices": scores, "numpy": np.stack(plain)}
for size in (1, 256):
    for device in jax.local_devices():
        parts = [jax.device_put(x[:size], device) for x in (opponents, half, points)]
        way = np.asarray(batched(*parts))
        ways[f"{size} on {device}"] = np.concatenate([way, scores[size:]])
for way in ways.values():
    print(hashlib.sha256(way.astype("<i4").tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_scores_of_the_formula_do_not_depend_on_processor_batch_device_or_library():
    digests = []
    for isa in ("AVX2", ""):
        flags = {"XLA_FLAGS": f"--xla_cpu_max_isa={isa}"} if isa else {}
        done = subprocess.run(
            [sys.executable, "-c", FORMULA], capture_output=True, text=True, check=True,
            timeout=PATIENCE, env=os.environ | flags,
        )  # fmt: skip
        digests += done.stdout.split()
    assert len(digests) == 12 and len(set(digests)) == 1


@pytest.mark.slow
def test_the_log_does_not_depend_on_the_number_of_devices():
    logs = set()
    for devices in (1, 2, 3, 8):
        command = [sys.executable, "-c", PROGRAM, str(devices)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
        _, count, digest = done.stdout.split()
        assert count == str(devices)
        logs.add(digest)
    assert len(logs) == 1
