"""A scheduler and workers of Dask, as processes on the loopback address."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from helpers import PATIENCE, ROOT


class Machines:
    """A scheduler in a folder, and the workers that are started for it."""

    def __init__(self, folder, protocol="tcp", environment=None):
        self.folder, self.protocol = Path(folder), protocol
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
        self.processes = []
        self.file = self.folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--protocol", protocol, "--host", "127.0.0.1", "--port", 0,
            "--no-dashboard", "--scheduler-file", self.file,
        )  # fmt: skip
        until(lambda: self.file.exists() and self.file.read_text().endswith("}"), self.scheduler)
        self.address = json.loads(self.file.read_text())["address"]

    def worker(self, *options, nanny=False, program=ROOT):
        """Start a worker, and wait until the scheduler knows it."""
        known = len(self.log("scheduler").split("Register worker")) - 1
        name = f"worker-{len(self.processes)}"
        started = self._start(
            "worker", "--scheduler-file", self.file, "--nthreads", 1, "--no-dashboard",
            "--local-directory", self.folder / name, *([] if nanny else ["--no-nanny"]), *options,
            environment={"PYTHONPATH": str(program)},
        )  # fmt: skip
        until(lambda: self.log("scheduler").count("Register worker") > known, started)
        return started

    def log(self, what):
        """What the processes of a kind have logged."""
        return "".join(path.read_text() for path in sorted(self.folder.glob(f"{what}-*.log")))

    def _start(self, what, *options, environment=None):
        path = self.folder / f"{what}-{len(self.processes)}.log"
        with path.open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + what, *map(str, options)],
                stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
                env={**self.environment, **(environment or {})},
            )  # fmt: skip
        self.processes.append(process)
        return process

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            end(process)


def end(process, how=signal.SIGKILL):
    """End a process and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)
    process.wait(PATIENCE)


def until(happened, process=None, seconds=PATIENCE):
    """Wait until something is true, while a process lives."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        assert process is None or process.poll() is None
        time.sleep(0.02)
