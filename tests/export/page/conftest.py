"""One JavaScript engine for all tests of the page that need no browser."""

import pytest
from page_engine import engine


@pytest.fixture(scope="session")
def page():
    with engine() as made:
        yield made
