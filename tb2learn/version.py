"""The version of the package, alone, so that every module may ask for it."""

__version__ = "0.5.0"
