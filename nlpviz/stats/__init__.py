"""Statistics that need NumPy at most: tests and intervals, calibration, rank correlation, principal axes."""
