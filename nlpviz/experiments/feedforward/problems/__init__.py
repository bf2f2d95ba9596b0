"""Small problems, one a module that exports ``PROBLEM``."""
