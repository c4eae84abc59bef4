"""The same log from any number of devices: processes with forced CPU devices."""

import subprocess
import sys

PROGRAM = """
import hashlib, sys, jax
jax.config.update("jax_num_cpu_devices", int(sys.argv[1]))
from tb2learn import difficulty
from tb2learn.config import Config, EventFormat
log = difficulty.collect(Config(name="d", event=EventFormat(9, 4, 2)), 50, 3)
print(jax.device_count(), hashlib.sha256(log.counts.tobytes()).hexdigest())
"""


def test_the_log_does_not_depend_on_the_number_of_devices():
    logs = {}
    for devices in ("1", "2", "3", "8"):
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM, devices], capture_output=True, text=True, check=True
        )
        count, digest = result.stdout.split()
        assert count == devices
        logs[devices] = digest
    assert len(set(logs.values())) == 1
