"""What all tests share: reproducible hypothesis examples and the packaged draw statistic."""

import gc
import os
from importlib import resources

import jax
import pytest
import slow_oracle
from hypothesis import settings

# Commands keep compiled programs; those of the tests are not kept in the user's folder.
os.environ["TB2LEARN_CACHE_DIR"] = ""

# The same examples in every run, and no deadline: a first example may compile for seconds.
settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def draw_rate():
    """The packaged draw statistic as the slow reference reads it."""
    with resources.as_file(resources.files("tb2learn.data") / "draw_rate.csv") as path:
        return slow_oracle.draw_rate_from_csv(path)


@pytest.fixture(scope="module", autouse=True)
def compiled_programs():
    """Programs compiled for one file are not kept for the next: a worker stays below 2 GiB."""
    yield
    jax.clear_caches()
    gc.collect()
