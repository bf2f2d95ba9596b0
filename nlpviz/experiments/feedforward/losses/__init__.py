"""Losses, one a module that exports ``LOSS``."""
