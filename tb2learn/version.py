"""The version of the package, alone, so that every module may ask for it."""

__version__ = "3.0.0"

NUMBERS = "3.0.0"
"""The last version that changed a number of a training or a fit.

Checkpoints and packaged tables name it as theirs: this version makes the same again, byte for byte.
"""

CALIBRATED = "3.0.0"
"""The same of a calibration: files of confidence name it."""
