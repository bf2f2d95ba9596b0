"""Initialisations, one a module that exports ``INITIALISATION``."""
