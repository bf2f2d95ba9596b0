"""Captions on pages: the scene that is built, what networks say of it."""
