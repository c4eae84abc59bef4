"""What several files of this folder judge by."""

import pytest
from assess_samples import CONFIG

from tb2learn.assessment import references


@pytest.fixture(scope="module")
def model():
    return references.level_model(CONFIG)
