"""What all tests share: reproducible hypothesis examples and the packaged draw statistic."""

import os
from importlib import resources
from pathlib import Path

import pytest
import slow_oracle
from hypothesis import settings

# Workers, and the programs that tests start, compile the same functions: once is enough. The size
# makes the cache lock its files (and no run comes near it).
CACHE = Path(__file__).parents[1] / ".pytest_cache" / "compiled"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_COMPILATION_CACHE_MAX_SIZE", str(4 << 30))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")

# The same examples in every run, and no deadline: a first example may compile for seconds.
settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def draw_rate():
    """The packaged draw statistic as the slow reference reads it."""
    with resources.as_file(resources.files("tb2learn.data") / "draw_rate.csv") as path:
        return slow_oracle.draw_rate_from_csv(path)
