"""What several files of this folder judge by."""

import pytest
from assess_samples import CONFIG

from tb2learn.simulation.level_model import level_model


@pytest.fixture(scope="module")
def model():
    return level_model(CONFIG.setting)
