"""The same results from any number of devices: processes of their own."""

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
