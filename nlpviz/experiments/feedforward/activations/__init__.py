"""Activations, one a module that exports ``ACTIVATION``."""
