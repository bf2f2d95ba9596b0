"""Loss surfaces of two parameters, one a module that exports ``SURFACE``."""
