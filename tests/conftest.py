"""What all tests share: examples, compiled programs, packaged facts."""

import contextlib
import ctypes
import gc
import math
import os
import resource
import signal
from importlib import resources
from pathlib import Path

import jax
import jaxtyping
import plain_python
import pytest
from checked import check_types
from hypothesis import settings
from platformdirs import user_cache_dir
from quick import EXAMPLES, QUICK

if not QUICK:
    check_types()

# Commands keep compiled programs; those of the tests are not kept in the user's folder.
os.environ["TB2LEARN_CACHE_DIR"] = ""


# A shell has whatever it starts in the background ignore interrupts, and what that starts, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    """Compile once what several files, workers, processes, runs and checkouts ask for.

    Workers and processes find the name of the folder in the environment.
    """
    if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        folder = Path(user_cache_dir("tb2learn", appauthor=False)) / "test-programs"
        os.environ["JAX_COMPILATION_CACHE_DIR"] = str(folder)
        os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.1"
        # The programs longest out of use go first.
        os.environ["JAX_COMPILATION_CACHE_MAX_SIZE"] = str(1 << 30)
    # JAX reads the environment when it is imported, which may be before this.
    jax.config.update("jax_compilation_cache_dir", os.environ["JAX_COMPILATION_CACHE_DIR"])
    most_bytes = os.environ.get("JAX_COMPILATION_CACHE_MAX_SIZE", "-1")
    jax.config.update("jax_compilation_cache_max_size", int(most_bytes))
    seconds = os.environ.get("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "1.0")
    jax.config.update("jax_persistent_cache_min_compile_time_secs", float(seconds))
    # Most programs run for less time than it takes to optimise and to fuse them; not those of slow
    # tests. What lands was tried optimised, too: `make test-avx2` has flags of its own.
    if "not slow" in config.getoption("markexpr"):
        flags = "--xla_backend_optimization_level=0"
        if jax.__version_info__ < (0, 11):  # later ones end where they are given this flag
            flags += " --xla_cpu_use_fusion_emitters=false"
        os.environ.setdefault("XLA_FLAGS", flags)


@pytest.fixture
def played():
    """What stands in the place of the simulator, for tests of what is made of totals: `Played`."""
    # Not before types are checked: what is imported first is not.
    from helpers import Played

    from tb2learn.simulation.simulate import played_by

    stand_in = Played()
    with played_by(stand_in):
        yield stand_in


def pytest_collection_finish(session):
    """What was imported stays: the collector need not look at it again and again."""
    gc.freeze()


# The same examples in every run, and no deadline: a first example may compile for seconds.
settings.register_profile(
    "reproducible", derandomize=True, deadline=None, database=None, max_examples=EXAMPLES
)
settings.load_profile("reproducible")


@pytest.fixture
def untyped():
    """Without types at run time: what stands in for events and arrays by hand has none."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def draw_rate():
    """The packaged draw statistic as the slow reference reads it."""
    with resources.as_file(resources.files("tb2learn.data") / "draw_rate.csv") as path:
        return plain_python.draw_rate_from_csv(path)


@pytest.fixture(scope="session")
def baku():
    """The open section of the Olympiad of Baku 2016."""
    from tb2learn.events import read_event

    return read_event("baku2016")


CROWDED = 3 << 29
"""Bytes of memory from which a worker gives back what it has compiled."""


def bytes_in_memory():
    """Of this process; where the system does not say, more than any."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return math.inf


@pytest.fixture(scope="module", autouse=True)
def compiled_programs():
    """Programs compiled for one file are kept for the next until a worker is near 2 GiB."""
    yield
    if bytes_in_memory() < CROWDED:
        return
    jax.clear_caches()
    gc.collect()
    # Where there is such a function: memory that compiling has left free goes back.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
