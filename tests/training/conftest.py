"""What several files of this folder fit to."""

import pytest
from training_samples import ODD, ODD_SURFACE, brute_moments

from tb2learn.training import table_moments


@pytest.fixture(scope="module")
def odd():
    """The moments of the second pass, with byes: the package's, and by brute force."""
    found = table_moments.collect_moments(ODD, list(ODD_SURFACE))
    return found, *brute_moments(ODD, list(ODD_SURFACE))
