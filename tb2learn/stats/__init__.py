"""Statistics: bootstrap intervals (`bootstrap`), arrays as long DataFrames (`long_frame`)."""
