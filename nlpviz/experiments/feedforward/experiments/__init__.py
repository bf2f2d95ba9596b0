"""Experiments whose curves are committed, one a module that exports ``EXPERIMENT``."""
