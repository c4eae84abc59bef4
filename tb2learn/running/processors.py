"""The processors of this machine; what is set here changes the speed, never a result."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import jax

from tb2learn.text import quoted
from tb2learn.types import InputError

_LARGE_KERNELS = "--xla_backend_extra_options=xla_cpu_small_while_loop_byte_threshold=4000000"
_CACHE_BYTES = 1 << 19  # where the system does not say
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def use_all_cores(cores: int | None = None) -> None:
    """Make every CPU core a separate device. To be called before anything is computed.

    **Arguments:**

    - `cores`: how many; all that this process may use if not given.
    """
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only; containers limit it
    cores = cores or (len(allowed(0)) if allowed else os.cpu_count() or 1)
    # JAX raises a RuntimeError once it has started; then its devices stay as they are.
    with contextlib.suppress(RuntimeError):
        jax.config.update("jax_num_cpu_devices", cores)


@contextlib.contextmanager
def started() -> Iterator[None]:
    """A context in which it is one line if JAX cannot start on the processors that it was told.

    **Raises:** `InputError`.
    """
    try:
        yield
    except RuntimeError as error:
        if "Unable to initialize backend" not in str(error):
            raise
        platforms = quoted(os.environ.get("JAX_PLATFORMS", ""))
        raise InputError(f"JAX_PLATFORMS is {platforms}: {error}") from error


@contextlib.contextmanager
def large_kernels() -> Iterator[None]:
    """Have XLA make one kernel of every loop over little memory, on CPUs.

    For a process in which nothing has been computed, and only where whole numbers are counted, as
    floating-point numbers may be rounded otherwise. Without it the threads of several devices hand
    the kernels of every step to each other, which slows the difficulty log.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{_LARGE_KERNELS} {flags}".strip()
    try:
        yield
    finally:
        os.environ["XLA_FLAGS"] = flags


def cache_bytes() -> int:
    """Size of a core's second-level cache, as Linux says; 512 KiB where nothing says it."""
    with contextlib.suppress(OSError, ValueError):
        for level in sorted(_CACHES.glob("index*/level")):
            if level.read_text().strip() == "2":
                return int(level.with_name("size").read_text().strip().removesuffix("K")) << 10
    return _CACHE_BYTES
