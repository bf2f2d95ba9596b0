"""The toy tasks, one a module that exports ``TASK``."""
