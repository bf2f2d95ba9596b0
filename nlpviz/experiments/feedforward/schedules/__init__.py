"""Schedules of the learning rate, one a module that exports ``SCHEDULE``."""
