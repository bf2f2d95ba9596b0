"""Classifiers put to the test: minimal pairs, and whether probabilities can be believed, epoch by epoch."""
