"""The page of tours."""
